// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A render pass that one command buffer suspends and the next ones of the same submission resume, with a query in front, and
 * by both calls. The validation layer sees whether it stays in one submission.
 */

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#define PART		64

struct suspended {
	struct app app;
	struct buffer buffer;
	struct target target;
	VkPipeline writer;
	VkPipeline draw;
	struct query query;
};

/* A third of the target. */
static void draw(struct suspended *suspended, VkCommandBuffer cmd, uint32_t part)
{
	const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	const VkRect2D scissor = { { part * 16, 0 }, { 16, SIZE } };

	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, suspended->draw);
	vkCmdSetViewport(cmd, 0, 1, &viewport);
	vkCmdSetScissor(cmd, 0, 1, &scissor);
	vkCmdPushConstants(cmd, suspended->app.layout, VK_SHADER_STAGE_ALL, 0, 16,
			   &(float[4]) { 1, 0, 0, 1 });
	vkCmdDraw(cmd, 3, 1, 0, 0);
}

static VkCommandBuffer record_first(struct suspended *suspended)
{
	struct app *app = &suspended->app;
	VkCommandBuffer cmd = app_begin(app);

	app_write(app, cmd, suspended->writer, &suspended->buffer, 0, 46);
	query_begin(app, &suspended->query, cmd);
	app_write(app, cmd, suspended->writer, &suspended->buffer, PART, 46);
	query_end(&suspended->query, cmd);
	app_write(app, cmd, suspended->writer, &suspended->buffer, 2 * PART, 46);
	app_begin_rendering(app, cmd, &suspended->target, VK_RENDERING_SUSPENDING_BIT);
	draw(suspended, cmd, 0);
	vkCmdEndRendering(cmd);
	app_end(cmd);
	return cmd;
}

static VkCommandBuffer record_middle(struct suspended *suspended)
{
	VkCommandBuffer cmd = app_begin(&suspended->app);

	app_begin_rendering(&suspended->app, cmd, &suspended->target,
			    VK_RENDERING_RESUMING_BIT | VK_RENDERING_SUSPENDING_BIT);
	draw(suspended, cmd, 1);
	vkCmdEndRendering(cmd);
	app_end(cmd);
	return cmd;
}

static VkCommandBuffer record_last(struct suspended *suspended)
{
	const VkBufferImageCopy pixels = {
		.bufferOffset = 3 * PART * sizeof(uint32_t),
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageExtent = { SIZE, 1, 1 },
	};
	struct app *app = &suspended->app;
	VkCommandBuffer cmd = app_begin(app);

	app_begin_rendering(app, cmd, &suspended->target, VK_RENDERING_RESUMING_BIT);
	draw(suspended, cmd, 2);
	vkCmdEndRendering(cmd);
	app_barrier(cmd);
	vkCmdCopyImageToBuffer(cmd, suspended->target.image, VK_IMAGE_LAYOUT_GENERAL,
			       suspended->buffer.buffer, 1, &pixels);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

/* The validation layer of trixie knows no one that resumes and suspends, in vkQueueSubmit2. */
static void submit(struct suspended *suspended, bool version2, const char *text)
{
	const VkCommandBuffer three[] = {
		record_first(suspended), record_middle(suspended), record_last(suspended),
	};
	const VkCommandBuffer two[] = { three[0], three[2] };
	const VkCommandBuffer *cmds = version2 ? two : three;
	const uint32_t count = version2 ? 2 : 3;
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = count,
		.pCommandBuffers = cmds,
	};
	VkCommandBufferSubmitInfo buffers[3];
	const VkSubmitInfo2 info2 = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = count,
		.pCommandBufferInfos = buffers,
	};
	uint32_t *words = suspended->buffer.words;

	limit(LIMIT_S, text);
	for (uint32_t i = 0; i < count; i++)
		buffers[i] = (VkCommandBufferSubmitInfo) {
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.commandBuffer = cmds[i],
		};
	if (version2)
		need(vkQueueSubmit2(suspended->app.queue, 1, &info2, VK_NULL_HANDLE), text);
	else
		need(vkQueueSubmit(suspended->app.queue, 1, &info, VK_NULL_HANDLE), text);
	printf("row submission (no label)\n");
	printf("row command-buffer (no label)\n");
	for (int i = 0; i < 3; i++)
		printf("row workload vkCmdDispatch\n");
	printf("row workload vkCmdDraw\n");
	printf("row workload vkCmdCopyImageToBuffer\n");
	app_wait(&suspended->app);
	check(query_wait(&suspended->app, &suspended->query) == VK_SUCCESS, text);
	check_words(words, 3 * PART, 46, "the dispatches");
	check_words(words + 3 * PART, 16, 0xff0000ff, "the first draw");
	check_words(words + 3 * PART + 16, 16, version2 ? 0 : 0xff0000ff, "the second draw");
	check_words(words + 3 * PART + 32, 16, 0xff0000ff, "the last draw");
	check_words(words + 3 * PART + 48, 16, 0, "what was not drawn");
	memset(words, 0, WORDS * sizeof(uint32_t));
	vkFreeCommandBuffers(suspended->app.device, suspended->app.pool, COUNT(three), three);
}

int main(void)
{
	struct suspended suspended = { 0 };
	bool offered;

	app_instance(&suspended.app);
	offered = query_enable(&suspended.app);
	app_device(&suspended.app);
	suspended.buffer = app_buffer(&suspended.app);
	suspended.target = app_target(&suspended.app);
	printf("row command-buffer (no label)\nrow submission (no label)\n");
	suspended.writer = app_writer(&suspended.app);
	suspended.draw = app_draw(&suspended.app, NULL, 0);
	suspended.query = query_start(&suspended.app, offered);
	submit(&suspended, false, "vkQueueSubmit");
	submit(&suspended, true, "vkQueueSubmit2");
	limit(LIMIT_S, "the end");
	query_finish(&suspended.app, &suspended.query);
	vkDestroyPipeline(suspended.app.device, suspended.writer, NULL);
	vkDestroyPipeline(suspended.app.device, suspended.draw, NULL);
	app_free_buffer(&suspended.app, &suspended.buffer);
	app_free_target(&suspended.app, &suspended.target);
	app_finish(&suspended.app);
	return 0;
}
