// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A host that only polls, by each call that tells of progress and by memory alone; command buffers of one pool that are recorded
 * in turns; many of them in one submission, and many workloads in one of them; objects that live for one submission.
 */

#include <stdio.h>
#include <time.h>

#include "outside.h"

#define MANY		150
#define ROUNDS		60
#define POLLS		20000
#define NONE		((struct point) { 0 })
#define STEP		(&(struct timespec) { 0, 2000000 })

enum poll {
	BY_FENCE, BY_FENCES, BY_COUNTER, BY_SEMAPHORE, BY_EVENT, BY_QUERY, BY_AVAILABILITY,
	BY_MEMORY, KINDS,
};

struct polls {
	struct app app;
	struct buffer buffer;
	struct buffer flag;
	VkPipeline mixer;
	uint32_t expected;
};

static void mix(struct polls *polls, VkCommandBuffer cmd, uint32_t value)
{
	app_barrier(cmd);
	app_write(&polls->app, cmd, polls->mixer, &polls->buffer, 0, value);
	app_barrier(cmd);
}

static void expect(struct polls *polls, uint32_t value)
{
	polls->expected = MIX(polls->expected, value);
}

static bool reached(struct polls *polls, enum poll kind, VkFence fence, VkSemaphore semaphore,
		    VkEvent event, VkQueryPool pool)
{
	VkDevice device = polls->app.device;
	uint64_t values[2] = { 0 };

	switch (kind) {
	case BY_FENCE:
		return !vkGetFenceStatus(device, fence);
	case BY_FENCES:
		return !vkWaitForFences(device, 1, &fence, VK_TRUE, 0);
	case BY_COUNTER:
		return counter(&polls->app, semaphore) == 1;
	case BY_SEMAPHORE:
		return !wait_for(&polls->app, semaphore, 1, 0);
	case BY_EVENT:
		return vkGetEventStatus(device, event) == VK_EVENT_SET;
	case BY_QUERY:
		return !vkGetQueryPoolResults(device, pool, 0, 1, 8, values, 8,
					      VK_QUERY_RESULT_64_BIT);
	case BY_AVAILABILITY:
		if (vkGetQueryPoolResults(device, pool, 0, 1, 16, values, 16,
					  VK_QUERY_RESULT_64_BIT |
					  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) < 0)
			need(VK_ERROR_UNKNOWN, "vkGetQueryPoolResults");
		return values[1];
	default:
		return *(volatile uint32_t *)polls->flag.words == 1;
	}
}

/* The host learns by nothing else that the submission is complete. */
static void poll_one(struct polls *polls, enum poll kind)
{
	static const char *const names[KINDS] = {
		"vkGetFenceStatus", "vkWaitForFences", "vkGetSemaphoreCounterValue",
		"vkWaitSemaphores", "vkGetEventStatus", "vkGetQueryPoolResults",
		"the availability of a query", "memory",
	};
	const VkEventCreateInfo event_info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	const VkQueryPoolCreateInfo pool_info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_TIMESTAMP,
		.queryCount = 1,
	};
	struct app *app = &polls->app;
	VkCommandBuffer cmd = app_begin(app);
	VkSemaphore semaphore = new_timeline(app);
	VkFence fence = new_fence(app, 0);
	VkQueryPool pool;
	VkEvent event;
	uint32_t i = 0;

	need(vkCreateEvent(app->device, &event_info, NULL, &event), "vkCreateEvent");
	need(vkCreateQueryPool(app->device, &pool_info, NULL, &pool), "vkCreateQueryPool");
	vkResetQueryPool(app->device, pool, 0, 1);
	*(volatile uint32_t *)polls->flag.words = 0;
	mix(polls, cmd, kind);
	vkCmdFillBuffer(cmd, polls->flag.buffer, 0, 4, 1);
	to_host(cmd);
	vkCmdSetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
	app_end(cmd);
	submit_between(app, cmd, NONE, (struct point) { semaphore, 1 }, fence);
	while (!reached(polls, kind, fence, semaphore, event, pool) && i++ < POLLS)
		nanosleep(STEP, NULL);
	check(i < POLLS, names[kind]);
	expect(polls, kind);
	check_words(polls->buffer.words, PART, polls->expected, "work behind it");
	need(vkDeviceWaitIdle(app->device), "vkDeviceWaitIdle");
	vkDestroyEvent(app->device, event, NULL);
	vkDestroyQueryPool(app->device, pool, NULL);
	vkDestroySemaphore(app->device, semaphore, NULL);
	vkDestroyFence(app->device, fence, NULL);
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
}

/* Command by command in two buffers of one pool, then in one that is thrown away. */
static void in_turns(struct polls *polls)
{
	struct app *app = &polls->app;
	VkCommandBuffer cmds[3];

	for (uint32_t i = 0; i < 3; i++)
		cmds[i] = app_begin(app);
	for (uint32_t i = 0; i < 10; i++)
		for (uint32_t j = 0; j < 3; j++)
			mix(polls, cmds[j], 10 * j + i);
	/* Recorded anew before it was ended. */
	need(vkResetCommandBuffer(cmds[2], VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT),
	     "vkResetCommandBuffer");
	begin(cmds[2], 0);
	mix(polls, cmds[2], 77);
	for (uint32_t i = 0; i < 3; i++)
		app_end(cmds[i]);
	/* Ended, and begun again. */
	begin(cmds[2], 0);
	mix(polls, cmds[2], 78);
	to_host(cmds[2]);
	app_end(cmds[2]);
	for (uint32_t i = 0; i < 3; i++)
		app_submit(app, cmds[2 - i]);
	app_wait(app);
	expect(polls, 78);
	for (uint32_t j = 2; j--;)
		for (uint32_t i = 0; i < 10; i++)
			expect(polls, 10 * j + i);
	check_words(polls->buffer.words, PART, polls->expected, "buffers recorded in turns");
	vkFreeCommandBuffers(app->device, app->pool, 3, cmds);
}

/* Many workloads in one command buffer, then many command buffers in one element, some of them empty. */
static void many(struct polls *polls)
{
	struct app *app = &polls->app;
	VkCommandBuffer cmds[MANY], cmd = app_begin(app);
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = MANY,
		.pCommandBuffers = cmds,
	};
	VkFence fence = new_fence(app, 0);

	for (uint32_t i = 0; i < MANY; i++) {
		mix(polls, cmd, i);
		expect(polls, i);
	}
	to_host(cmd);
	app_run(app, cmd);
	check_words(polls->buffer.words, PART, polls->expected, "many workloads");
	for (uint32_t i = 0; i < MANY; i++) {
		cmds[i] = app_begin(app);
		if (i % 3) {
			mix(polls, cmds[i], i);
			expect(polls, i);
		}
		if (i == MANY - 1)
			to_host(cmds[i]);
		app_end(cmds[i]);
	}
	need(vkQueueSubmit(app->queue, 1, &info, fence), "vkQueueSubmit");
	need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS), "vkWaitForFences");
	check_words(polls->buffer.words, PART, polls->expected, "many command buffers");
	vkFreeCommandBuffers(app->device, app->pool, MANY, cmds);
	vkDestroyFence(app->device, fence, NULL);
}

/* All that a submission uses is made for it, and destroyed as soon as it is complete. */
static void short_lives(struct polls *polls)
{
	struct app *app = &polls->app;
	bool right = true;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		VkSemaphore binary = new_semaphore(app, VK_SEMAPHORE_TYPE_BINARY, NULL);
		VkSemaphore timeline = new_timeline(app);
		VkFence fence = new_fence(app, 0);
		VkCommandPool pool = new_pool(app, 0);
		VkCommandBuffer cmds[2];

		for (uint32_t j = 0; j < 2; j++) {
			cmds[j] = new_command_buffer(app, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
			begin(cmds[j], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
			mix(polls, cmds[j], i + j);
			to_host(cmds[j]);
			app_end(cmds[j]);
			expect(polls, i + j);
		}
		submit_between(app, cmds[0], NONE, (struct point) { binary }, VK_NULL_HANDLE);
		submit_between(app, cmds[1], (struct point) { binary },
			       (struct point) { timeline, UINT64_C(1) << 40 }, fence);
		right &= !vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS);
		right &= !wait_for(app, timeline, UINT64_C(1) << 40, TIMEOUT_NS);
		vkDestroyFence(app->device, fence, NULL);
		vkDestroySemaphore(app->device, binary, NULL);
		vkDestroySemaphore(app->device, timeline, NULL);
		vkDestroyCommandPool(app->device, pool, NULL);
		right &= polls->buffer.words[0] == polls->expected;
	}
	check(right, "objects of one submission");
	check_words(polls->buffer.words, PART, polls->expected, "their work");
}

int main(void)
{
	struct polls polls = { 0 };
	struct app *app = &polls.app;

	app_start(app);
	polls.buffer = app_buffer(app);
	polls.flag = app_buffer(app);
	polls.mixer = new_mixer(app);
	for (enum poll kind = 0; kind < KINDS; kind++)
		poll_one(&polls, kind);
	in_turns(&polls);
	many(&polls);
	short_lives(&polls);
	vkDestroyPipeline(app->device, polls.mixer, NULL);
	app_free_buffer(app, &polls.buffer);
	app_free_buffer(app, &polls.flag);
	app_finish(app);
	return 0;
}
