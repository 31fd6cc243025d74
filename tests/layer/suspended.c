// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A render pass instance that one command buffer suspends and another one resumes, or the same one, with work before it and
 * behind it: all of the instance reaches the driver in one submission, and is one workload. The same for secondary command
 * buffers.
 */

#include <stdio.h>
#include <string.h>

#include "app.h"

struct test {
	struct app app;
	struct buffer buffer;
	struct target target;
	VkPipeline writer;
	VkCommandBuffer cmds[2];
	/* The first one suspends, the second one has no render pass, the third one resumes. */
	VkCommandBuffer secondaries[3];
};

static void record_pass(struct test *test, VkCommandBuffer cmd, VkRenderingFlags flags)
{
	app_begin_label(&test->app, cmd, "pass");
	app_begin_rendering(&test->app, cmd, &test->target, flags);
	vkCmdEndRendering(cmd);
	app_end_label(&test->app, cmd);
}

static void record_before(struct test *test, VkCommandBuffer cmd)
{
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, 7);
	app_write(&test->app, cmd, test->writer, &test->buffer, 64, 8);
	record_pass(test, cmd, VK_RENDERING_SUSPENDING_BIT);
}

static void record_behind(struct test *test, VkCommandBuffer cmd)
{
	record_pass(test, cmd, VK_RENDERING_RESUMING_BIT);
	app_write(&test->app, cmd, test->writer, &test->buffer, 128, 9);
	app_barrier(cmd);
}

static void record(struct test *test)
{
	for (size_t i = 0; i < COUNT(test->cmds); i++)
		test->cmds[i] = app_begin(&test->app);
	record_before(test, test->cmds[0]);
	record_behind(test, test->cmds[1]);
	for (size_t i = 0; i < COUNT(test->cmds); i++)
		app_end(test->cmds[i]);
}

static void submit_one(struct test *test)
{
	VkCommandBuffer cmd = app_begin(&test->app);

	record_before(test, cmd);
	record_behind(test, cmd);
	app_end(cmd);
	app_submit(&test->app, cmd);
}

static void submit1(struct test *test)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = COUNT(test->cmds),
		.pCommandBuffers = test->cmds,
	};

	need(vkQueueSubmit(test->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static void submit2(struct test *test)
{
	VkCommandBufferSubmitInfo cmds[COUNT(test->cmds)];
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = COUNT(cmds),
		.pCommandBufferInfos = cmds,
	};

	for (size_t i = 0; i < COUNT(cmds); i++)
		cmds[i] = (VkCommandBufferSubmitInfo) {
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.commandBuffer = test->cmds[i],
		};
	need(vkQueueSubmit2(test->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

static void record_secondaries(struct test *test)
{
	for (size_t i = 0; i < COUNT(test->secondaries); i++)
		test->secondaries[i] = app_begin_secondary(&test->app,
							   VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	record_pass(test, test->secondaries[0], VK_RENDERING_SUSPENDING_BIT);
	record_pass(test, test->secondaries[2], VK_RENDERING_RESUMING_BIT);
	for (size_t i = 0; i < COUNT(test->secondaries); i++)
		app_end(test->secondaries[i]);
}

/*
 * They belong to one command buffer, or each one to its own. The one without a render pass stands in front of the one that
 * resumes: behind the one that suspends, Khronos' layer takes it for the end of the suspension.
 */
static void submit_secondaries(struct test *test, bool one)
{
	for (size_t i = 0; i < COUNT(test->cmds); i++)
		test->cmds[i] = app_begin(&test->app);
	app_write(&test->app, test->cmds[0], test->writer, &test->buffer, 0, 7);
	app_write(&test->app, test->cmds[0], test->writer, &test->buffer, 64, 8);
	vkCmdExecuteCommands(test->cmds[0], one ? 3 : 1, test->secondaries);
	if (!one)
		vkCmdExecuteCommands(test->cmds[1], 2, &test->secondaries[1]);
	app_write(&test->app, test->cmds[1], test->writer, &test->buffer, 128, 9);
	app_barrier(test->cmds[1]);
	for (size_t i = 0; i < COUNT(test->cmds); i++)
		app_end(test->cmds[i]);
	submit1(test);
}

static void check_results(struct test *test, const char *text)
{
	uint32_t (*broken)(void);

	app_wait(&test->app);
	broken = (uint32_t (*)(void))vkGetDeviceProcAddr(test->app.device, "vkTestBrokenPasses");
	check(!broken(), text);
	check_words(test->buffer.words, 64, 7, "the first dispatch");
	check_words(test->buffer.words + 64, 64, 8, "the second dispatch");
	check_words(test->buffer.words + 128, 64, 9, "the dispatch behind the pass");
	printf("row workload vkCmdDispatch\nrow workload vkCmdDispatch\nrow workload pass\n");
	printf("row workload vkCmdDispatch\n");
	memset(test->buffer.words, 0, WORDS * sizeof(uint32_t));
}

int main(void)
{
	struct test test = { 0 };

	app_add_layer("VK_LAYER_TEST_spy");
	app_start(&test.app);
	test.buffer = app_buffer(&test.app);
	test.target = app_target(&test.app);
	test.writer = app_writer(&test.app);
	record(&test);
	submit1(&test);
	check_results(&test, "one submission by vkQueueSubmit");
	submit2(&test);
	check_results(&test, "one submission by vkQueueSubmit2");
	submit_one(&test);
	check_results(&test, "one command buffer");
	record_secondaries(&test);
	submit_secondaries(&test, true);
	check_results(&test, "secondary command buffers of one command buffer");
	submit_secondaries(&test, false);
	check_results(&test, "secondary command buffers of two command buffers");
	vkDestroyPipeline(test.app.device, test.writer, NULL);
	app_free_buffer(&test.app, &test.buffer);
	app_free_target(&test.app, &test.target);
	app_finish(&test.app);
	return 0;
}
