// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Queries over several passes and dispatches, with results that the host gets and that the device copies in the same and in other
 * command buffers; conditional rendering; transform feedback that goes on in a second pass.
 */

#include <stdio.h>

#include "outside.h"

#define ALL		VK_SHADER_STAGE_ALL
#define SAMPLES		((uint64_t)SIZE * SIZE)
#define WIDE		VK_QUERY_RESULT_64_BIT
#define WAIT		VK_QUERY_RESULT_WAIT_BIT
#define AVAILABLE	VK_QUERY_RESULT_WITH_AVAILABILITY_BIT
#define BOTTOM		VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
#define USAGE		(VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | \
			 VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT | \
			 VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | \
			 VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | \
			 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)

static const uint32_t capture_code[] = {
#include "outside-capture.vert.h"
};

static const uint32_t color_code[] = {
#include "color.frag.h"
};

struct queries {
	struct app app;
	struct buffer words;
	struct buffer results;
	struct buffer other;
	struct target target;
	VkPipeline mixer;
	VkPipeline draw;
	VkPipeline capture;
	VkQueryPool occlusion;
	VkQueryPool compute;
	VkQueryPool vertices;
	VkQueryPool times;
	VkQueryPool stream;
};

static VkQueryPool new_query_pool(struct app *app, VkQueryType type, uint32_t count,
				  VkQueryPipelineStatisticFlags statistics)
{
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = type,
		.queryCount = count,
		.pipelineStatistics = statistics,
	};
	VkQueryPool pool;

	need(vkCreateQueryPool(app->device, &info, NULL, &pool), "vkCreateQueryPool");
	return pool;
}

static void scissor(VkCommandBuffer cmd, uint32_t width)
{
	vkCmdSetViewport(cmd, 0, 1, &(VkViewport) { 0, 0, SIZE, SIZE, 0, 1 });
	vkCmdSetScissor(cmd, 0, 1, &(VkRect2D) { { 0, 0 }, { width, SIZE } });
}

static void pass(struct queries *queries, VkCommandBuffer cmd, VkQueryPool pool, uint32_t query)
{
	app_begin_rendering(&queries->app, cmd, &queries->target, 0);
	if (pool)
		vkCmdBeginQuery(cmd, pool, query, VK_QUERY_CONTROL_PRECISE_BIT);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	if (pool)
		vkCmdEndQuery(cmd, pool, query);
	vkCmdEndRendering(cmd);
	app_barrier(cmd);
}

static VkCommandBuffer record_queries(struct queries *queries, bool reset)
{
	struct app *app = &queries->app;
	VkCommandBuffer cmd = app_begin(app);

	if (reset) {
		vkCmdResetQueryPool(cmd, queries->occlusion, 0, 3);
		vkCmdResetQueryPool(cmd, queries->compute, 0, 2);
		vkCmdResetQueryPool(cmd, queries->vertices, 0, 1);
		vkCmdResetQueryPool(cmd, queries->times, 0, 4);
	}
	vkCmdWriteTimestamp2(cmd, BOTTOM, queries->times, 0);
	scissor(cmd, SIZE);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, queries->draw);
	/* The first occlusion query and the statistics have two passes and two dispatches. */
	vkCmdBeginQuery(cmd, queries->vertices, 0, 0);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 1);
	vkCmdBeginQuery(cmd, queries->occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
	app_barrier(cmd);
	pass(queries, cmd, VK_NULL_HANDLE, 0);
	vkCmdWriteTimestamp2(cmd, BOTTOM, queries->times, 1);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 2);
	app_barrier(cmd);
	scissor(cmd, SIZE / 2);
	pass(queries, cmd, VK_NULL_HANDLE, 0);
	vkCmdEndQuery(cmd, queries->occlusion, 0);
	vkCmdEndQuery(cmd, queries->vertices, 0);
	pass(queries, cmd, queries->occlusion, 1);
	vkCmdBeginQuery(cmd, queries->occlusion, 2, 0);
	vkCmdFillBuffer(cmd, queries->other.buffer, 0, 256, 1);
	vkCmdEndQuery(cmd, queries->occlusion, 2);
	vkCmdBeginQuery(cmd, queries->compute, 0, 0);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 3);
	app_barrier(cmd);
	vkCmdDispatch(cmd, PART, 1, 1);
	vkCmdEndQuery(cmd, queries->compute, 0);
	app_barrier(cmd);
	vkCmdBeginQuery(cmd, queries->compute, 1, 0);
	vkCmdDispatch(cmd, PART, 1, 1);
	vkCmdEndQuery(cmd, queries->compute, 1);
	vkCmdWriteTimestamp2(cmd, BOTTOM, queries->times, 2);
	/* Here, and in the next command buffer. */
	vkCmdCopyQueryPoolResults(cmd, queries->occlusion, 0, 3, queries->results.buffer, 0, 16,
				  WIDE | WAIT | AVAILABLE);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static VkCommandBuffer record_copies(struct queries *queries)
{
	VkCommandBuffer cmd = app_begin(&queries->app);

	vkCmdWriteTimestamp2(cmd, BOTTOM, queries->times, 3);
	vkCmdCopyQueryPoolResults(cmd, queries->compute, 0, 2, queries->results.buffer, 256, 4,
				  WAIT);
	app_barrier(cmd);
	vkCmdFillBuffer(cmd, queries->other.buffer, 0, 256, 2);
	vkCmdCopyQueryPoolResults(cmd, queries->vertices, 0, 1, queries->results.buffer, 512, 32,
				  WIDE | WAIT);
	vkCmdCopyQueryPoolResults(cmd, queries->times, 0, 4, queries->results.buffer, 768, 8,
				  WIDE | WAIT);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void check_queries(struct queries *queries)
{
	uint64_t samples[6] = { 0 }, vertices[2] = { 0 }, times[4] = { 0 };
	const uint64_t *wide = (uint64_t *)(void *)queries->results.words;
	VkDevice device = queries->app.device;
	bool equal = true, order = true;

	/* The first call is the only wait for the submission. */
	need(vkGetQueryPoolResults(device, queries->occlusion, 0, 3, sizeof(samples), samples, 16,
				   WIDE | WAIT | AVAILABLE), "vkGetQueryPoolResults");
	check(samples[0] == SAMPLES + SAMPLES / 2, "samples of two passes");
	check(samples[2] == SAMPLES / 2, "samples of one pass");
	check(!samples[4], "samples of no pass");
	check(samples[1] && samples[3] && samples[5], "available");
	need(vkGetQueryPoolResults(device, queries->vertices, 0, 1, 16, vertices, 16, WIDE | WAIT),
	     "vkGetQueryPoolResults");
	check(vertices[0] == 6 && vertices[1] == 2, "vertices and primitives");
	need(vkGetQueryPoolResults(device, queries->times, 0, 4, 32, times, 8, WIDE | WAIT),
	     "vkGetQueryPoolResults");
	app_wait(&queries->app);
	for (uint32_t i = 0; i < 6; i += 2)
		equal &= wide[i] == samples[i] && wide[i + 1];
	check(equal, "copied samples");
	check(queries->results.words[64] == 2 * PART, "copied invocations of two dispatches");
	check(queries->results.words[65] == PART, "copied invocations of one dispatch");
	check(wide[64] == 6 && wide[65] == 2, "copied vertices and primitives");
	for (uint32_t i = 0; i < 4; i++) {
		equal &= times[i] == wide[96 + i] && times[i];
		order &= !i || times[i - 1] <= times[i];
	}
	check(equal, "copied times");
	check(order, "times in order");
	memset(queries->results.words, 0, WORDS * 4);
}

static void reset(struct queries *queries)
{
	VkDevice device = queries->app.device;
	uint64_t values[8] = { 0 };

	vkResetQueryPool(device, queries->occlusion, 0, 3);
	vkResetQueryPool(device, queries->compute, 0, 2);
	vkResetQueryPool(device, queries->vertices, 0, 1);
	vkResetQueryPool(device, queries->times, 0, 4);
	check(vkGetQueryPoolResults(device, queries->occlusion, 0, 1, 8, values, 8, WIDE) ==
	      VK_NOT_READY, "no result behind a reset");
	values[1] = 1;
	check(vkGetQueryPoolResults(device, queries->times, 0, 1, 16, values, 16,
				    WIDE | AVAILABLE) == VK_NOT_READY && !values[1],
	      "not available behind a reset");
}

static void run_queries(struct queries *queries)
{
	VkCommandBuffer copies = record_copies(queries);
	struct app *app = &queries->app;

	for (uint32_t i = 0; i < 3; i++) {
		/* Reset by host and command buffer, by the host only, by another command buffer. */
		VkCommandBuffer cmds[] = { app_begin(app), record_queries(queries, !i), copies };
		const VkSubmitInfo info = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = COUNT(cmds),
			.pCommandBuffers = cmds,
		};

		if (i < 2) {
			reset(queries);
		} else {
			vkCmdResetQueryPool(cmds[0], queries->occlusion, 0, 3);
			vkCmdResetQueryPool(cmds[0], queries->compute, 0, 2);
			vkCmdResetQueryPool(cmds[0], queries->vertices, 0, 1);
			vkCmdResetQueryPool(cmds[0], queries->times, 0, 4);
		}
		app_end(cmds[0]);
		need(vkQueueSubmit(app->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
		/* What is reset by the device may still have the results of before. */
		if (i == 2)
			app_wait(app);
		check_queries(queries);
		vkFreeCommandBuffers(app->device, app->pool, 2, cmds);
	}
	vkFreeCommandBuffers(app->device, app->pool, 1, &copies);
}

static void begin_condition(struct queries *queries, VkCommandBuffer cmd, VkDeviceSize offset,
			    VkConditionalRenderingFlagsEXT flags)
{
	const VkConditionalRenderingBeginInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
		.buffer = queries->other.buffer,
		.offset = offset,
		.flags = flags,
	};

	FUNCTION(&queries->app, vkCmdBeginConditionalRenderingEXT)(cmd, &info);
}

/* Conditions that the device writes; they hold for dispatches and draws, but not for transfers. */
static void conditions(struct queries *queries)
{
	struct app *app = &queries->app;
	PFN_vkCmdEndConditionalRenderingEXT end =
		FUNCTION(app, vkCmdEndConditionalRenderingEXT);
	VkCommandBuffer cmd = app_begin(app);

	scissor(cmd, SIZE);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, queries->draw);
	vkCmdFillBuffer(cmd, queries->other.buffer, 0, 64, 0);
	vkCmdFillBuffer(cmd, queries->other.buffer, 64, 64, 5);
	app_barrier(cmd);
	begin_condition(queries, cmd, 0, 0);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 1);
	vkCmdFillBuffer(cmd, queries->other.buffer, 512, 256, 3);
	app_begin_rendering(app, cmd, &queries->target, 0);
	vkCmdPushConstants(cmd, app->layout, ALL, 0, 16, (float[4]) { 1, 1, 1, 1 });
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRendering(cmd);
	end(cmd);
	copy_row(cmd, &queries->target, &queries->results, 0);
	begin_condition(queries, cmd, 0, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 2);
	end(cmd);
	app_barrier(cmd);
	begin_condition(queries, cmd, 64, 0);
	app_write(app, cmd, queries->mixer, &queries->words, 0, 3);
	app_barrier(cmd);
	vkCmdDispatch(cmd, PART, 1, 1);
	end(cmd);
	/* Begun and ended in a pass. */
	vkCmdPushConstants(cmd, app->layout, ALL, 0, 16, (float[4]) { 1, 1, 1, 1 });
	app_begin_rendering(app, cmd, &queries->target, 0);
	begin_condition(queries, cmd, 64, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	end(cmd);
	scissor(cmd, SIZE / 2);
	begin_condition(queries, cmd, 64, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	end(cmd);
	vkCmdEndRendering(cmd);
	copy_row(cmd, &queries->target, &queries->results, SIZE);
	to_host(cmd);
	memset(queries->words.words, 0, PART * 4);
	app_run(app, cmd);
	check_words(queries->words.words, PART, MIX(MIX(MIX(0u, 2), 3), 3),
		    "conditional dispatches");
	check_words(queries->other.words + 128, PART, 3, "a transfer has no condition");
	check_words(queries->results.words, SIZE, 0, "a draw that is left out");
	check_words(queries->results.words + SIZE, SIZE / 2, 0xffffffff, "a conditional draw");
	check_words(queries->results.words + SIZE + SIZE / 2, SIZE / 2, 0, "another one");
}

/* Transform feedback goes on behind a dispatch, from the counter that the first pass has written. */
static void feedback(struct queries *queries)
{
	struct app *app = &queries->app;
	PFN_vkCmdBeginTransformFeedbackEXT begin_feedback =
		FUNCTION(app, vkCmdBeginTransformFeedbackEXT);
	PFN_vkCmdEndTransformFeedbackEXT end = FUNCTION(app, vkCmdEndTransformFeedbackEXT);
	const VkBuffer counters = queries->other.buffer;
	VkCommandBuffer cmd = app_begin(app);
	const VkDeviceSize offset = 1024, size = 2048, at = 4096;
	const float *captured = (float *)(void *)(queries->other.words + offset / 4);
	uint64_t values[6] = { 0 };
	bool right = true;

	memset(queries->other.words, 0, WORDS * 4);
	vkCmdResetQueryPool(cmd, queries->stream, 0, 2);
	vkCmdResetQueryPool(cmd, queries->vertices, 0, 1);
	scissor(cmd, SIZE);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, queries->capture);
	FUNCTION(app, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, 1, &counters, &offset, &size);
	for (uint32_t i = 0; i < 2; i++) {
		app_write(app, cmd, queries->mixer, &queries->words, 0, i);
		app_barrier(cmd);
		app_begin_rendering(app, cmd, &queries->target, 0);
		FUNCTION(app, vkCmdBeginQueryIndexedEXT)(cmd, queries->stream, i, 0, 0);
		begin_feedback(cmd, 0, i, &counters, &at);
		vkCmdDraw(cmd, 3, 1, 10 * i, 0);
		end(cmd, 0, 1, &counters, &at);
		FUNCTION(app, vkCmdEndQueryIndexedEXT)(cmd, queries->stream, i, 0);
		vkCmdEndRendering(cmd);
		app_barrier(cmd);
	}
	vkCmdBeginQuery(cmd, queries->vertices, 0, 0);
	app_begin_rendering(app, cmd, &queries->target, 0);
	FUNCTION(app, vkCmdDrawIndirectByteCountEXT)(cmd, 1, 0, counters, at, 0, 16);
	vkCmdEndRendering(cmd);
	vkCmdEndQuery(cmd, queries->vertices, 0);
	to_host(cmd);
	app_run(app, cmd);
	for (uint32_t i = 0; i < 6; i++)
		right &= captured[4 * i] == i / 3 * 10 + i % 3 && captured[4 * i + 3] == 3;
	check(right, "captured vertices of two passes");
	check(queries->other.words[at / 4] == 96, "the counter of transform feedback");
	need(vkGetQueryPoolResults(app->device, queries->stream, 0, 2, 32, values, 16, WIDE | WAIT),
	     "vkGetQueryPoolResults");
	check(values[0] == 1 && values[1] == 1 && values[2] == 1 && values[3] == 1,
	      "primitives that were written");
	need(vkGetQueryPoolResults(app->device, queries->vertices, 0, 1, 16, values, 16,
				   WIDE | WAIT), "vkGetQueryPoolResults");
	check(values[0] == 6 && values[1] == 2, "vertices drawn by the counter");
}

int main(void)
{
	VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
		.conditionalRendering = VK_TRUE,
	};
	VkPhysicalDeviceTransformFeedbackFeaturesEXT transform = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
		.pNext = &conditional,
		.transformFeedback = VK_TRUE,
	};
	VkPhysicalDeviceMaintenance5Features maintenance5 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
		.pNext = &transform,
		.maintenance5 = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &maintenance5,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features13,
		.timelineSemaphore = VK_TRUE,
		.hostQueryReset = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features12,
		.features = {
			.occlusionQueryPrecise = VK_TRUE,
			.pipelineStatisticsQuery = VK_TRUE,
		},
	};
	struct queries queries = {
		.app.features = &features,
		.app.names = { VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
			       VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME },
	};
	const struct code capture = { capture_code, sizeof(capture_code) };
	const struct code color = { color_code, sizeof(color_code) };
	struct app *app = &queries.app;

	app_start(app);
	queries.words = app_buffer(app);
	queries.results = app_buffer(app);
	queries.other = new_buffer(app, USAGE);
	queries.target = app_target(app);
	queries.mixer = new_mixer(app);
	queries.draw = app_draw(app, NULL, 0);
	queries.capture = new_graphics(app, &capture, &color, app->layout, VK_NULL_HANDLE, 0);
	queries.occlusion = new_query_pool(app, VK_QUERY_TYPE_OCCLUSION, 3, 0);
	queries.compute = new_query_pool(app, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
			VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
	queries.vertices = new_query_pool(app, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
			VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
			VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT);
	queries.times = new_query_pool(app, VK_QUERY_TYPE_TIMESTAMP, 4, 0);
	queries.stream = new_query_pool(app, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 2, 0);
	run_queries(&queries);
	conditions(&queries);
	feedback(&queries);
	vkDestroyQueryPool(app->device, queries.occlusion, NULL);
	vkDestroyQueryPool(app->device, queries.compute, NULL);
	vkDestroyQueryPool(app->device, queries.vertices, NULL);
	vkDestroyQueryPool(app->device, queries.times, NULL);
	vkDestroyQueryPool(app->device, queries.stream, NULL);
	vkDestroyPipeline(app->device, queries.mixer, NULL);
	vkDestroyPipeline(app->device, queries.draw, NULL);
	vkDestroyPipeline(app->device, queries.capture, NULL);
	app_free_target(app, &queries.target);
	app_free_buffer(app, &queries.words);
	app_free_buffer(app, &queries.results);
	app_free_buffer(app, &queries.other);
	app_finish(app);
	return 0;
}
