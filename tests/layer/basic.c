// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Dispatches, transfers and render passes in one command buffer, with state that is set before a workload and needed behind
 * it; by vkQueueSubmit and by vkQueueSubmit2.
 */

#include <stdio.h>
#include <string.h>

#include "app.h"

#define PART	64

struct basic {
	struct app app;
	struct buffer buffer;
	struct buffer copy;
	struct target target;
	VkPipeline writer;
	VkPipeline draw;
};

static void row(const char *label)
{
	printf("row workload %s\n", label);
}

static VkCommandBuffer record(struct basic *basic, uint32_t value)
{
	const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	const VkRect2D left = { { 0, 0 }, { SIZE / 2, SIZE } };
	const struct push push = { PART, value + 1 };
	const VkBufferCopy copy = { 0, 0, 4 * PART * sizeof(uint32_t) };
	const VkBufferImageCopy pixels = {
		.bufferOffset = 8 * PART * sizeof(uint32_t),
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageOffset = { 0, 0, 0 },
		.imageExtent = { SIZE, 1, 1 },
	};
	struct app *app = &basic->app;
	VkCommandBuffer cmd = app_begin(app);

	/* What is set here holds for all that follows. */
	vkCmdSetViewport(cmd, 0, 1, &viewport);
	vkCmdSetScissor(cmd, 0, 1, &left);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, basic->draw);
	app_write(app, cmd, basic->writer, &basic->buffer, 0, value);
	/* Only what is written changes. */
	vkCmdPushConstants(cmd, app->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
	vkCmdDispatch(cmd, PART, 1, 1);
	app_begin_label(app, cmd, "third");
	vkCmdPushConstants(cmd, app->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push.first),
			   &(uint32_t) { 2 * PART });
	vkCmdDispatch(cmd, PART, 1, 1);
	app_end_label(app, cmd);
	vkCmdFillBuffer(cmd, basic->buffer.buffer, 3 * PART * sizeof(uint32_t),
			PART * sizeof(uint32_t), value + 3);
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, basic->buffer.buffer, basic->copy.buffer, 1, &copy);
	app_begin_label(app, cmd, "pass");
	app_begin_rendering(app, cmd, &basic->target, 0);
	vkCmdPushConstants(cmd, app->layout, VK_SHADER_STAGE_ALL, 0, 16,
			   &(float[4]) { 1, 0, 0, 1 });
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRendering(cmd);
	app_end_label(app, cmd);
	app_barrier(cmd);
	vkCmdCopyImageToBuffer(cmd, basic->target.image, VK_IMAGE_LAYOUT_GENERAL,
			       basic->copy.buffer, 1, &pixels);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

static void rows(void)
{
	row("vkCmdDispatch");
	row("vkCmdDispatch");
	row("third");
	row("vkCmdFillBuffer");
	row("vkCmdCopyBuffer");
	row("pass");
	row("vkCmdCopyImageToBuffer");
	printf("row command-buffer third + pass\n");
	printf("row submission third + pass\n");
}

static void check_results(struct basic *basic, uint32_t value)
{
	const uint32_t *words = basic->copy.words;

	check_words(words, PART, value, "the first dispatch");
	check_words(words + PART, PART, value + 1, "the second dispatch");
	check_words(words + 2 * PART, PART, value + 1, "the third dispatch");
	check_words(words + 3 * PART, PART, value + 3, "vkCmdFillBuffer");
	check_words(words + 8 * PART, SIZE / 2, 0xff0000ff, "inside of the scissor");
	check_words(words + 8 * PART + SIZE / 2, SIZE / 2, 0, "outside of the scissor");
	memset(basic->copy.words, 0, WORDS * sizeof(uint32_t));
	memset(basic->buffer.words, 0, WORDS * sizeof(uint32_t));
}

static void submit2(struct basic *basic, VkCommandBuffer cmd)
{
	const VkCommandBufferSubmitInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = cmd,
	};
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &buffer,
	};

	need(vkQueueSubmit2(basic->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

int main(void)
{
	struct basic basic = { 0 };
	struct app *app = &basic.app;
	VkCommandBuffer cmd;

	app_start(app);
	basic.buffer = app_buffer(app);
	basic.copy = app_buffer(app);
	basic.target = app_target(app);
	/* The command buffer of the target's layout has no workload. */
	printf("row command-buffer (no label)\n");
	printf("row submission (no label)\n");
	basic.writer = app_writer(app);
	basic.draw = app_draw(app, NULL, 0);
	cmd = record(&basic, 7012);
	app_submit(app, cmd);
	app_wait(app);
	check_results(&basic, 7012);
	rows();
	cmd = record(&basic, 81);
	submit2(&basic, cmd);
	app_wait(app);
	check_results(&basic, 81);
	rows();
	/* Once more as it is. */
	app_submit(app, cmd);
	need(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
	check_results(&basic, 81);
	rows();
	vkDestroyPipeline(app->device, basic.writer, NULL);
	vkDestroyPipeline(app->device, basic.draw, NULL);
	app_free_buffer(app, &basic.buffer);
	app_free_buffer(app, &basic.copy);
	app_free_target(app, &basic.target);
	app_finish(app);
	return 0;
}
