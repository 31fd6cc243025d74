// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Types of workloads, by the words of Arm's libGPULayers: a render pass, a dispatch, and transfers by what they write. A
 * unit with several has all of them; one without has none. Nothing in a render pass instance has a type of its own.
 */

#include <stdio.h>

#include "app.h"

struct test {
	struct app app;
	struct buffer buffer;
	struct target target;
	struct target other;
	VkPipeline writer;
	VkPipeline draw;
};

static const VkImageSubresourceLayers color = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };

static void type(const char *unit, const char *types)
{
	printf("type %s %s\n", unit, types);
}

/* A command buffer with what a unit of submission and one of command-buffer have. */
static void whole(const char *types)
{
	type("submission", types);
	type("command-buffer", types);
}

static void run(struct test *test, VkCommandBuffer cmd)
{
	app_run(&test->app, cmd);
}

static void run_transfers(struct test *test)
{
	const VkBufferCopy words = { 0, 1024, 256 };
	const VkBufferImageCopy pixels = {
		.imageSubresource = color,
		.imageExtent = { SIZE, 1, 1 },
	};
	const VkImageCopy image = {
		.srcSubresource = color, .dstSubresource = color, .extent = { SIZE, SIZE, 1 },
	};
	const VkImageBlit blit = {
		.srcSubresource = color,
		.srcOffsets = { { 0, 0, 0 }, { SIZE, SIZE, 1 } },
		.dstSubresource = color,
		.dstOffsets = { { 0, 0, 0 }, { SIZE / 2, SIZE / 2, 1 } },
	};
	const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	VkImage from = test->target.image, to = test->other.image;
	VkBuffer buffer = test->buffer.buffer;
	VkCommandBuffer cmd = app_begin(&test->app);

	vkCmdFillBuffer(cmd, buffer, 0, 256, 1);
	app_barrier(cmd);
	vkCmdUpdateBuffer(cmd, buffer, 0, 4, &(uint32_t) { 2 });
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, buffer, buffer, 1, &words);
	app_barrier(cmd);
	vkCmdCopyImageToBuffer(cmd, from, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &pixels);
	app_barrier(cmd);
	vkCmdCopyBufferToImage(cmd, buffer, from, VK_IMAGE_LAYOUT_GENERAL, 1, &pixels);
	app_barrier(cmd);
	vkCmdClearColorImage(cmd, from, VK_IMAGE_LAYOUT_GENERAL,
			     &(VkClearColorValue) { .float32 = { 1, 0, 0, 1 } }, 1, &all);
	app_barrier(cmd);
	vkCmdCopyImage(cmd, from, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1, &image);
	app_barrier(cmd);
	vkCmdBlitImage(cmd, from, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
		       VK_FILTER_NEAREST);
	run(test, cmd);
	whole("image_transfer+buffer_transfer");
	for (int i = 0; i < 4; i++)
		type("workload", "buffer_transfer");
	for (int i = 0; i < 4; i++)
		type("workload", "image_transfer");
}

static void draw(struct test *test, VkCommandBuffer cmd)
{
	const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	const VkRect2D scissor = { { 0, 0 }, { SIZE, SIZE } };

	vkCmdSetViewport(cmd, 0, 1, &viewport);
	vkCmdSetScissor(cmd, 0, 1, &scissor);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, test->draw);
	vkCmdPushConstants(cmd, test->app.layout, VK_SHADER_STAGE_ALL, 0, 16,
			   &(float[4]) { 1, 0, 0, 1 });
	app_begin_rendering(&test->app, cmd, &test->target, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRendering(cmd);
}

static void run_others(struct test *test)
{
	VkCommandBuffer cmd = app_begin(&test->app), secondary;

	/* A render pass, with and without a draw, and a dispatch behind it. */
	draw(test, cmd);
	app_begin_rendering(&test->app, cmd, &test->target, 0);
	vkCmdEndRendering(cmd);
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, 1);
	run(test, cmd);
	whole("render_pass+compute");
	type("workload", "render_pass");
	type("workload", "render_pass");
	type("workload", "compute");

	/* What a secondary command buffer has. */
	secondary = app_begin_secondary(&test->app, 0);
	app_write(&test->app, secondary, test->writer, &test->buffer, 0, 2);
	app_barrier(secondary);
	vkCmdFillBuffer(secondary, test->buffer.buffer, 0, 256, 1);
	app_end(secondary);
	cmd = app_begin(&test->app);
	vkCmdExecuteCommands(cmd, 1, &secondary);
	run(test, cmd);
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &secondary);
	whole("compute+buffer_transfer");
	type("workload", "compute+buffer_transfer");

	/* The types of an earlier recording are gone. */
	cmd = app_begin(&test->app);
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, 3);
	app_end(cmd);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	whole("compute");
	type("workload", "compute");
	need(vkResetCommandBuffer(cmd, 0), "vkResetCommandBuffer");
	need(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo) {
		VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL,
	}), "vkBeginCommandBuffer");
	draw(test, cmd);
	run(test, cmd);
	whole("render_pass");
	type("workload", "render_pass");
}

int main(void)
{
	struct test test = { 0 };
	VkCommandBuffer cmd;

	app_start(&test.app);
	test.buffer = app_buffer(&test.app);
	test.target = app_target(&test.app);
	test.other = app_target(&test.app);
	/* The command buffers of the layouts. */
	whole("");
	whole("");
	test.writer = app_writer(&test.app);
	test.draw = app_draw(&test.app, NULL, 0);
	cmd = app_begin(&test.app);
	app_barrier(cmd);
	run(&test, cmd);
	whole("");
	run_transfers(&test);
	run_others(&test);
	check(test.buffer.words[0] == 3, "the dispatches were executed");
	vkDestroyPipeline(test.app.device, test.writer, NULL);
	vkDestroyPipeline(test.app.device, test.draw, NULL);
	app_free_buffer(&test.app, &test.buffer);
	app_free_target(&test.app, &test.target);
	app_free_target(&test.app, &test.other);
	app_finish(&test.app);
	return 0;
}
