// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Waits of the host and of the device for each other: timeline semaphores, WAIT_ANY, timeouts, events of the host and of other
 * submissions, vkDeviceWaitIdle beside other threads, and a device that is destroyed without other waits.
 */

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "outside.h"

#define ROUNDS	10
#define NONE	((struct point) { 0 })

struct waits {
	struct app app;
	struct buffer buffer;
	VkPipeline mixer;
	VkSemaphore timeline;
	pthread_mutex_t lock;
	VkResult result;
	uint32_t expected;
};

static struct point point(struct waits *waits, uint64_t value)
{
	return (struct point) { waits->timeline, value };
}

static VkCommandBuffer record(struct waits *waits, uint32_t value)
{
	VkCommandBuffer cmd = app_begin(&waits->app);

	app_barrier(cmd);
	app_write(&waits->app, cmd, waits->mixer, &waits->buffer, 0, value);
	app_barrier(cmd);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void verify(struct waits *waits, uint32_t value, const char *text)
{
	waits->expected = MIX(waits->expected, value);
	check_words(waits->buffer.words, PART, waits->expected, text);
}

static VkResult wait_any(struct waits *waits, VkSemaphore other, uint64_t value,
			 VkSemaphoreWaitFlags flags, uint64_t timeout)
{
	const VkSemaphore semaphores[] = { waits->timeline, other };
	const uint64_t values[] = { UINT64_C(1) << 30, value };
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.flags = flags,
		.semaphoreCount = 2,
		.pSemaphores = semaphores,
		.pValues = values,
	};

	return vkWaitSemaphores(waits->app.device, &info, timeout);
}

/* A submission that waits for the host. */
static void before_signal(struct waits *waits)
{
	struct app *app = &waits->app;
	VkSemaphore other = new_timeline(app);
	VkCommandBuffer cmd = record(waits, 3);
	VkFence fence = new_fence(app, 0), signalled = new_fence(app, VK_FENCE_CREATE_SIGNALED_BIT);
	const VkFence both[] = { fence, signalled };

	submit_between(app, cmd, point(waits, 5), point(waits, 8), fence);
	check(counter(app, waits->timeline) == 0, "the value before any signal");
	check(wait_for(app, waits->timeline, 8, 0) == VK_TIMEOUT, "no wait");
	check(wait_for(app, waits->timeline, 8, 2000000) == VK_TIMEOUT, "a short wait");
	check(wait_for(app, waits->timeline, 0, UINT64_MAX) == VK_SUCCESS, "a wait for 0");
	check(vkGetFenceStatus(app->device, fence) == VK_NOT_READY, "the fence before");
	check(vkWaitForFences(app->device, 2, both, VK_TRUE, 0) == VK_TIMEOUT, "both fences");
	check(vkWaitForFences(app->device, 2, both, VK_FALSE, UINT64_MAX) == VK_SUCCESS,
	      "one of both fences");
	check(wait_any(waits, other, 1, VK_SEMAPHORE_WAIT_ANY_BIT, 0) == VK_TIMEOUT, "none of two");
	host_signal(app, other, 1);
	check(wait_any(waits, other, 1, VK_SEMAPHORE_WAIT_ANY_BIT, UINT64_MAX) == VK_SUCCESS,
	      "one of two");
	check(wait_any(waits, other, 1, 0, 1000000) == VK_TIMEOUT, "both of two");
	host_signal(app, waits->timeline, 4);
	check(wait_for(app, waits->timeline, 8, 1000000) == VK_TIMEOUT, "a signal that is too low");
	check(counter(app, waits->timeline) == 4, "the value of that signal");
	host_signal(app, waits->timeline, 6);
	check(wait_for(app, waits->timeline, 8, UINT64_MAX) == VK_SUCCESS, "a long wait");
	check(counter(app, waits->timeline) == 8, "the value behind it");
	check(vkWaitForFences(app->device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS,
	      "the fence behind");
	verify(waits, 3, "work behind the signal of the host");
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
	vkDestroySemaphore(app->device, other, NULL);
	vkDestroyFence(app->device, fence, NULL);
	vkDestroyFence(app->device, signalled, NULL);
}

static void *wait_thread(void *data)
{
	struct waits *waits = data;

	waits->result = wait_for(&waits->app, waits->timeline, 20, UINT64_MAX);
	return NULL;
}

/* A thread waits for a value before it is submitted. */
static void before_submission(struct waits *waits)
{
	struct app *app = &waits->app;
	VkCommandBuffer cmd = record(waits, 4);
	pthread_t thread;

	waits->result = VK_ERROR_UNKNOWN;
	if (pthread_create(&thread, NULL, wait_thread, waits))
		need(VK_ERROR_UNKNOWN, "pthread_create");
	nanosleep(&(struct timespec) { 0, 5000000 }, NULL);
	submit_between(app, cmd, NONE, point(waits, 20), VK_NULL_HANDLE);
	pthread_join(thread, NULL);
	check(waits->result == VK_SUCCESS, "a wait for what is submitted later");
	verify(waits, 4, "work that another thread has waited for");
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
}

/* Host and device take turns; all that the device does is submitted first. */
static void turns(struct waits *waits)
{
	VkCommandBuffer cmds[ROUNDS];
	struct app *app = &waits->app;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		cmds[i] = record(waits, i);
		submit_between(app, cmds[i], point(waits, 101 + 2 * i), point(waits, 102 + 2 * i),
			       VK_NULL_HANDLE);
	}
	for (uint32_t i = 0; i < ROUNDS; i++) {
		/* The host writes between two submissions. */
		for (uint32_t j = 0; j < PART; j++)
			waits->buffer.words[j]++;
		waits->expected++;
		host_signal(app, waits->timeline, 101 + 2 * i);
		if (wait_for(app, waits->timeline, 102 + 2 * i, TIMEOUT_NS))
			check(false, "a turn");
		verify(waits, i, "turns");
		check(counter(app, waits->timeline) == 102 + 2 * i, "the value of a turn");
	}
	vkFreeCommandBuffers(app->device, app->pool, ROUNDS, cmds);
}

static VkEvent new_event(struct app *app)
{
	const VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkEvent event;

	need(vkCreateEvent(app->device, &info, NULL, &event), "vkCreateEvent");
	return event;
}

static VkCommandBuffer record_events(struct waits *waits, const VkEvent *events)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
	};
	const VkMemoryBarrier2 barrier2 = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
		.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
		.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
		.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
		.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
	};
	const VkDependencyInfo dependency = {
		.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
		.memoryBarrierCount = 1,
		.pMemoryBarriers = &barrier2,
	};
	struct app *app = &waits->app;
	VkCommandBuffer cmd = app_begin(app);

	vkCmdWaitEvents(cmd, 1, &events[0], VK_PIPELINE_STAGE_HOST_BIT,
			VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 1, &barrier, 0, NULL, 0, NULL);
	app_write(app, cmd, waits->mixer, &waits->buffer, 0, 31);
	vkCmdSetEvent2(cmd, events[1], &dependency);
	vkCmdFillBuffer(cmd, waits->buffer.buffer, 4096, 256, 1);
	vkCmdWaitEvents2(cmd, 1, &events[1], &dependency);
	vkCmdDispatch(cmd, PART, 1, 1);
	vkCmdResetEvent2(cmd, events[0], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
	/* For another submission. */
	vkCmdSetEvent2(cmd, events[2], &dependency);
	app_end(cmd);
	return cmd;
}

static VkCommandBuffer record_wait(struct waits *waits, const VkEvent *events)
{
	const VkMemoryBarrier2 barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
		.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
		.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
		.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
		.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
	};
	const VkDependencyInfo dependency = {
		.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
		.memoryBarrierCount = 1,
		.pMemoryBarriers = &barrier,
	};
	struct app *app = &waits->app;
	VkCommandBuffer cmd = app_begin(app);

	vkCmdWaitEvents2(cmd, 1, &events[2], &dependency);
	app_write(app, cmd, waits->mixer, &waits->buffer, 0, 32);
	app_barrier(cmd);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

/* Events of the host, of commands before, and of another submission. */
static void events(struct waits *waits)
{
	struct app *app = &waits->app;
	const VkEvent all[] = { new_event(app), new_event(app), new_event(app) };
	VkCommandBuffer cmds[] = { record_events(waits, all), record_wait(waits, all) };

	for (uint32_t i = 0; i < 2; i++) {
		uint64_t value = 200 + 10 * i;

		need(vkSetEvent(app->device, all[0]), "vkSetEvent");
		submit_between(app, cmds[0], point(waits, value), point(waits, value + 1),
			       VK_NULL_HANDLE);
		submit_between(app, cmds[1], NONE, point(waits, value + 2), VK_NULL_HANDLE);
		check(vkGetEventStatus(app->device, all[1]) == VK_EVENT_RESET, "an event before");
		check(vkGetEventStatus(app->device, all[2]) == VK_EVENT_RESET, "another before");
		check(vkGetEventStatus(app->device, all[0]) == VK_EVENT_SET, "that of the host");
		host_signal(app, waits->timeline, value);
		need(wait_for(app, waits->timeline, value + 2, TIMEOUT_NS), "vkWaitSemaphores");
		waits->expected = MIX(MIX(waits->expected, 31), 31);
		verify(waits, 32, "work behind events");
		check(vkGetEventStatus(app->device, all[0]) == VK_EVENT_RESET,
		      "reset by a command");
		check(vkGetEventStatus(app->device, all[1]) == VK_EVENT_SET, "set by a command");
		need(vkResetEvent(app->device, all[1]), "vkResetEvent");
		need(vkResetEvent(app->device, all[2]), "vkResetEvent");
	}
	for (uint32_t i = 0; i < COUNT(all); i++)
		vkDestroyEvent(app->device, all[i], NULL);
	vkFreeCommandBuffers(app->device, app->pool, 2, cmds);
}

static void *idle_thread(void *data)
{
	struct waits *waits = data;

	for (uint32_t i = 0; i < 20; i++) {
		pthread_mutex_lock(&waits->lock);
		if (i % 2)
			need(vkDeviceWaitIdle(waits->app.device), "vkDeviceWaitIdle");
		else
			need(vkQueueWaitIdle(waits->app.queue), "vkQueueWaitIdle");
		pthread_mutex_unlock(&waits->lock);
	}
	return NULL;
}

/* One thread submits, others wait until the device is idle. */
static void idle(struct waits *waits)
{
	struct app *app = &waits->app;
	pthread_t threads[2];
	VkCommandBuffer cmds[30];

	for (uint32_t i = 0; i < COUNT(threads); i++)
		if (pthread_create(&threads[i], NULL, idle_thread, waits))
			need(VK_ERROR_UNKNOWN, "pthread_create");
	for (uint32_t i = 0; i < COUNT(cmds); i++) {
		cmds[i] = record(waits, i);
		waits->expected = MIX(waits->expected, i);
		pthread_mutex_lock(&waits->lock);
		submit_between(app, cmds[i], NONE, point(waits, 300 + i), VK_NULL_HANDLE);
		pthread_mutex_unlock(&waits->lock);
	}
	for (uint32_t i = 0; i < COUNT(threads); i++)
		pthread_join(threads[i], NULL);
	need(vkDeviceWaitIdle(app->device), "vkDeviceWaitIdle");
	check_words(waits->buffer.words, PART, waits->expected, "all before vkDeviceWaitIdle");
	check(counter(app, waits->timeline) == 329, "the value behind vkDeviceWaitIdle");
	vkFreeCommandBuffers(app->device, app->pool, COUNT(cmds), cmds);
}

int main(void)
{
	struct waits waits = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct app *app = &waits.app;

	app_start(app);
	waits.buffer = app_buffer(app);
	waits.mixer = new_mixer(app);
	waits.timeline = new_timeline(app);
	need(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle of nothing");
	need(vkDeviceWaitIdle(app->device), "vkDeviceWaitIdle of nothing");
	before_signal(&waits);
	before_submission(&waits);
	turns(&waits);
	events(&waits);
	idle(&waits);
	/* Nothing is waited for but at the end. */
	for (uint32_t i = 0; i < 20; i++) {
		waits.expected = MIX(waits.expected, i);
		app_submit(app, record(&waits, i));
	}
	need(vkDeviceWaitIdle(app->device), "vkDeviceWaitIdle");
	check_words(waits.buffer.words, PART, waits.expected, "submissions without waits");
	vkDestroySemaphore(app->device, waits.timeline, NULL);
	vkDestroyPipeline(app->device, waits.mixer, NULL);
	app_free_buffer(app, &waits.buffer);
	app_finish(app);
	return 0;
}
