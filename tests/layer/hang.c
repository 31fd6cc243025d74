// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Submissions that wait for the host, and what may come behind them: a call returns although what it submits has to wait, the
 * other device of the GPU goes on, and all is executed when the host has signalled. Structures that the layer does not know
 * stand in chains, which is not valid, and is left out with the validation layer.
 */

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#define PART		64
/* What has to wait for the host has not happened after that time. */
#define SHORT_NS	UINT64_C(50000000)

/**
 * struct side - a device, which stands for a queue: those of one device wait for each other on llvmpipe
 */
struct side {
	/** @app: The device. */
	struct app app;

	/** @buffer: What is written. */
	struct buffer buffer;

	/** @writer: Pipeline. */
	VkPipeline writer;

	/** @timeline: A timeline semaphore. */
	VkSemaphore timeline;

	/** @value: The last point of it that was used. */
	uint64_t value;

	/** @part: The next part of @buffer. */
	uint32_t part;

	/** @query: In each command buffer. */
	struct query query;
};

static VkSemaphore create_timeline(struct side *side, uint64_t value)
{
	return app_semaphore(&side->app, VK_SEMAPHORE_TYPE_TIMELINE, value, false);
}

static void start(struct side *side, bool queries)
{
	side->query = query_start(&side->app, queries);
	side->buffer = app_buffer(&side->app);
	side->writer = app_writer(&side->app);
	side->timeline = create_timeline(side, 0);
}

static void finish(struct side *side)
{
	query_finish(&side->app, &side->query);
	vkDestroySemaphore(side->app.device, side->timeline, NULL);
	vkDestroyPipeline(side->app.device, side->writer, NULL);
	app_free_buffer(&side->app, &side->buffer);
}

static VkFence create_fence(struct side *side)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;

	need(vkCreateFence(side->app.device, &info, NULL, &fence), "vkCreateFence");
	return fence;
}

static void signal_host(struct side *side, VkSemaphore semaphore, uint64_t value)
{
	const VkSemaphoreSignalInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = semaphore,
		.value = value,
	};

	need(vkSignalSemaphore(side->app.device, &info), "vkSignalSemaphore");
}

/* Two dispatches, which write the next part of the buffer. */
static VkCommandBuffer record(struct side *side)
{
	VkCommandBuffer cmd = app_begin(&side->app);

	query_begin(&side->app, &side->query, cmd);
	for (uint32_t i = 0; i < 2; i++)
		app_write(&side->app, cmd, side->writer, &side->buffer, side->part++ * PART, 46);
	query_end(&side->query, cmd);
	app_end(cmd);
	return cmd;
}

/**
 * struct op - what a submission waits for and signals
 */
struct op {
	/** @wait: Semaphore to wait for. */
	VkSemaphore wait;

	/** @wait_value: Its point. */
	uint64_t wait_value;

	/** @signal: Semaphore to signal. */
	VkSemaphore signal;

	/** @signal_value: Its point. */
	uint64_t signal_value;

	/** @unknown: A structure that is not known stands first in the chain. */
	bool unknown;

	/** @empty: There is no command buffer. */
	bool empty;
};

/* Returns a fence. The call gets structures that are overwritten when it has returned. */
static VkFence submit(struct side *side, const struct op *op)
{
	VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSemaphore wait = op->wait, signal = op->signal;
	uint64_t wait_value = op->wait_value, signal_value = op->signal_value;
	VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = !!wait,
		.pWaitSemaphoreValues = &wait_value,
		.signalSemaphoreValueCount = !!signal,
		.pSignalSemaphoreValues = &signal_value,
	};
	struct unknown unknown = { UNKNOWN_TYPE, &points };
	VkCommandBuffer cmd = op->empty ? VK_NULL_HANDLE : record(side);
	VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = op->unknown ? (void *)&unknown : &points,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = !!cmd,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &signal,
	};
	VkFence fence = create_fence(side);

	need(vkQueueSubmit(side->app.queue, 1, &info, fence), "vkQueueSubmit");
	memset(&points, 0xa5, sizeof(points));
	memset(&info, 0xa5, sizeof(info));
	memset(&stage, 0xa5, sizeof(stage));
	wait_value = 0;
	signal_value = UINT64_MAX;
	return fence;
}

static VkFence bind_sparse(struct side *side, const struct op *op)
{
	VkSemaphore wait = op->wait, signal = op->signal;
	uint64_t wait_value = op->wait_value, signal_value = op->signal_value;
	VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = !!wait,
		.pWaitSemaphoreValues = &wait_value,
		.signalSemaphoreValueCount = !!signal,
		.pSignalSemaphoreValues = &signal_value,
	};
	struct unknown unknown = { UNKNOWN_TYPE, &points };
	VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = op->unknown ? (void *)&unknown : &points,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &wait,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &signal,
	};
	VkFence fence = create_fence(side);

	need(vkQueueBindSparse(side->app.queue, op->empty ? 0 : 1, &info, fence),
	     "vkQueueBindSparse");
	memset(&points, 0xa5, sizeof(points));
	memset(&info, 0xa5, sizeof(info));
	wait_value = 0;
	signal_value = UINT64_MAX;
	return fence;
}

/* Prints whether a fence has signalled by now. */
static void check_open(struct side *side, VkFence fence, const char *text)
{
	check(vkGetFenceStatus(side->app.device, fence) == VK_NOT_READY &&
	      vkWaitForFences(side->app.device, 1, &fence, VK_TRUE, SHORT_NS) == VK_TIMEOUT, text);
}

static void end_fence(struct side *side, VkFence fence, const char *text)
{
	need(vkWaitForFences(side->app.device, 1, &fence, VK_TRUE, TIMEOUT_NS), text);
	check(true, text);
	vkDestroyFence(side->app.device, fence, NULL);
}

static void check_parts(struct side *side, const char *text)
{
	check_words(side->buffer.words, side->part * PART, 46, text);
	memset(side->buffer.words, 0, WORDS * sizeof(uint32_t));
	side->part = 0;
}

/* Work of the other device, which waits for nothing. */
static void run_other(struct side *other, const char *text)
{
	end_fence(other, submit(other, &(struct op) { 0 }), text);
	check(query_wait(&other->app, &other->query) == VK_SUCCESS, "its query has a result");
	check_parts(other, text);
}

/* A point that is signalled, and one that is waited for, behind a structure that is not known. */
static void points_behind_unknown(struct side *side, struct side *other)
{
	VkSemaphore timeline = side->timeline;
	VkFence fences[4];

	limit(LIMIT_S, "points behind an unknown structure");
	side->value += 2;
	fences[0] = submit(side, &(struct op) {
		.signal = timeline, .signal_value = side->value - 1, .unknown = true,
	});
	fences[1] = submit(side, &(struct op) { .wait = timeline, .wait_value = side->value - 1 });
	end_fence(side, fences[1], "a wait for a point behind an unknown structure");
	end_fence(side, fences[0], "what signals it");
	fences[2] = submit(side, &(struct op) {
		.wait = timeline, .wait_value = side->value, .unknown = true,
	});
	fences[3] = submit(side, &(struct op) { 0 });
	run_other(other, "another queue beside a wait behind an unknown structure");
	check_open(side, fences[2], "a wait behind an unknown structure goes on");
	check_open(side, fences[3], "so does the next submission");
	signal_host(side, timeline, side->value);
	end_fence(side, fences[2], "a wait behind an unknown structure ends");
	end_fence(side, fences[3], "so does the next submission's");
	check_parts(side, "all behind unknown structures was executed");
}

/* What comes behind a submission that waits for the host. */
static void behind_host(struct side *side, struct side *other, const struct op *behind, bool sparse,
			const char *text)
{
	VkSemaphore timeline = side->timeline;
	VkFence before = VK_NULL_HANDLE, fences[4];
	struct op op = *behind;

	limit(LIMIT_S, text);
	printf("# %s\n", text);
	side->value += 2;
	/* It is in no order with others. */
	if (op.unknown)
		before = submit(side, &(struct op) { .unknown = true });
	if (!op.empty) {
		op.signal = timeline;
		op.signal_value = side->value;
	}
	fences[0] = submit(side, &(struct op) { .wait = timeline, .wait_value = side->value - 1 });
	fences[1] = sparse ? bind_sparse(side, &op) : submit(side, &op);
	check(true, "the call returns");
	fences[2] = submit(side, &(struct op) {
		.wait = op.signal, .wait_value = op.signal_value,
	});
	fences[3] = submit(side, &(struct op) { .empty = true });
	run_other(other, "another queue goes on");
	for (uint32_t i = 0; i < COUNT(fences); i++)
		check_open(side, fences[i], "it waits for the host");
	run_other(other, "another queue goes on again");
	signal_host(side, timeline, side->value - 1);
	for (uint32_t i = 0; i < COUNT(fences); i++)
		end_fence(side, fences[i], "it ends");
	if (before)
		end_fence(side, before, "so did the one before");
	if (op.empty)
		side->value--;
	check_parts(side, "all was executed");
}

/* Two submissions of a queue that wait for two points: one of them goes on, and the other device, too. */
static void one_of_two(struct side *side, struct side *other)
{
	VkSemaphore timeline = side->timeline;
	VkFence fences[3];

	limit(LIMIT_S, "two waits for the host");
	side->value += 2;
	fences[0] = submit(side, &(struct op) {
		.wait = timeline, .wait_value = side->value - 1, .unknown = true,
	});
	fences[1] = submit(side, &(struct op) {
		.wait = timeline, .wait_value = side->value, .unknown = true,
	});
	fences[2] = submit(side, &(struct op) { 0 });
	run_other(other, "another queue beside two waits");
	signal_host(side, timeline, side->value - 1);
	end_fence(side, fences[0], "the first of two waits ends");
	run_other(other, "another queue beside the second wait");
	check_open(side, fences[1], "the second one goes on");
	run_other(other, "another queue beside the second wait, again");
	signal_host(side, timeline, side->value);
	end_fence(side, fences[1], "the second of two waits ends");
	end_fence(side, fences[2], "and what is behind it");
	check_parts(side, "all behind two waits was executed");
}

/* All that comes behind a submission that waits for the host, many times. */
static void many_behind_host(struct side *side, struct side *other)
{
	const bool valid = is_validated();
	VkFence fences[32];

	limit(LIMIT_S, "many submissions behind one that waits for the host");
	side->value++;
	for (uint32_t i = 0; i < COUNT(fences); i++) {
		const struct op op = {
			.wait = i % 3 ? VK_NULL_HANDLE : side->timeline,
			.wait_value = side->value,
			.unknown = i % 4 == 3 && !valid,
			.empty = i % 5 == 4,
		};

		fences[i] = i % 7 == 6 ? bind_sparse(side, &op) : submit(side, &op);
	}
	run_other(other, "another queue goes on beside many submissions");
	check_open(side, fences[COUNT(fences) - 1], "the last one waits for the host");
	signal_host(side, side->timeline, side->value);
	for (uint32_t i = 0; i < COUNT(fences); i++)
		end_fence(side, fences[i], "one of many ends");
	check_parts(side, "all of many were executed");
}

static void run_all(struct side *side, struct side *other)
{
	behind_host(side, other, &(struct op) { 0 }, false, "vkQueueSubmit");
	behind_host(side, other, &(struct op) { .empty = true }, false, "a fence alone");
	behind_host(side, other, &(struct op) { 0 }, true, "vkQueueBindSparse");
	behind_host(side, other, &(struct op) { .empty = true }, true,
		    "vkQueueBindSparse of a fence alone");
	many_behind_host(side, other);
	if (is_validated())
		return;
	points_behind_unknown(side, other);
	one_of_two(side, other);
	behind_host(side, other, &(struct op) { .unknown = true }, false,
		    "vkQueueSubmit with an unknown structure");
	behind_host(side, other, &(struct op) { .unknown = true }, true,
		    "vkQueueBindSparse with an unknown structure");
}

int main(void)
{
	struct side side = { 0 }, other = { 0 };
	bool offered;

	app_instance(&side.app);
	offered = query_enable(&side.app);
	other.app = side.app;
	app_device(&side.app);
	app_device(&other.app);
	start(&side, false);
	start(&other, offered);
	run_all(&side, &other);
	limit(LIMIT_S, "the end");
	need(vkDeviceWaitIdle(side.app.device), "vkDeviceWaitIdle");
	need(vkDeviceWaitIdle(other.app.device), "vkDeviceWaitIdle");
	finish(&side);
	finish(&other);
	app_destroy_device(&other.app);
	app_finish(&side.app);
	return 0;
}
