// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Threads that record frames in flight from pools of their own, and submit them in any order, gated by a value of a
 * timeline semaphore that the host sets once all have submitted the frame. Pools and command buffers are reset, freed and
 * destroyed while those of other frames are pending.
 */

#include <pthread.h>
#include <stdio.h>

#include "outside.h"

#define THREADS		4
#define IN_FLIGHT	3
#define FRAMES		24

struct frames {
	struct app app;
	struct buffer sums;
	struct buffer results[IN_FLIGHT];
	VkPipeline mixer;
	VkSemaphore gate;
	pthread_mutex_t queue_lock;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t submitted[FRAMES];
};

struct worker {
	struct frames *frames;
	pthread_t thread;
	uint32_t number;
	VkCommandPool pools[IN_FLIGHT];
	VkCommandBuffer cmds[IN_FLIGHT];
	VkSemaphore done;
	uint32_t wrong_words;
	uint32_t wrong_waits;
};

/* What a frame makes of a word. */
static uint32_t after(uint32_t word, uint32_t number, uint32_t frame)
{
	return MIX(MIX(word, number * 1000 + frame), 7 + frame);
}

static uint32_t expected(uint32_t number, uint32_t frames)
{
	uint32_t word = 0;

	for (uint32_t i = 0; i < frames; i++)
		word = after(word, number, i);
	return word;
}

/* Threads with an even number have a pool for each frame in flight, others have one with buffers that are reset. */
static VkCommandBuffer renew(struct worker *worker, uint32_t frame)
{
	struct app *app = &worker->frames->app;
	uint32_t slot = frame % IN_FLIGHT;
	VkCommandPool *pool = &worker->pools[slot];
	VkCommandBuffer *cmd = &worker->cmds[slot];

	if (worker->number % 2) {
		if (frame % 5 == 4)
			need(vkResetCommandBuffer(*cmd, 0), "vkResetCommandBuffer");
		return *cmd;
	}
	switch (frame / IN_FLIGHT % 4) {
	case 0:
		need(vkResetCommandPool(app->device, *pool, 0), "vkResetCommandPool");
		break;
	case 1:
		vkFreeCommandBuffers(app->device, *pool, 2, (VkCommandBuffer[2]) { NULL, *cmd });
		*cmd = new_command_buffer(app, *pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
		break;
	case 2:
		need(vkResetCommandPool(app->device, *pool,
					VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT),
		     "vkResetCommandPool");
		vkTrimCommandPool(app->device, *pool, 0);
		break;
	default:
		vkDestroyCommandPool(app->device, *pool, NULL);
		*pool = new_pool(app, VK_COMMAND_POOL_CREATE_TRANSIENT_BIT);
		*cmd = new_command_buffer(app, *pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	}
	return *cmd;
}

static void record(struct worker *worker, VkCommandBuffer cmd, uint32_t frame)
{
	struct frames *frames = worker->frames;
	uint32_t first = worker->number * PART;
	const VkBufferCopy copy = {
		.srcOffset = first * sizeof(uint32_t),
		.dstOffset = first * sizeof(uint32_t),
		.size = PART * sizeof(uint32_t),
	};

	begin(cmd, frame % 2 ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0);
	app_barrier(cmd);
	app_write(&frames->app, cmd, frames->mixer, &frames->sums, first,
		  worker->number * 1000 + frame);
	app_barrier(cmd);
	vkCmdPushConstants(cmd, frames->app.layout, VK_SHADER_STAGE_ALL, 4, 4,
			   &(uint32_t) { 7 + frame });
	vkCmdDispatch(cmd, PART, 1, 1);
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, frames->sums.buffer, frames->results[frame % IN_FLIGHT].buffer, 1,
			&copy);
	app_barrier(cmd);
	to_host(cmd);
	app_end(cmd);
}

static void submit(struct worker *worker, VkCommandBuffer cmd, uint32_t frame)
{
	const uint64_t values[] = { frame + 1, frame + 1 };
	const VkTimelineSemaphoreSubmitInfo timeline = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &values[0],
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &values[1],
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &timeline,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &worker->frames->gate,
		.pWaitDstStageMask = &(VkPipelineStageFlags) { VK_PIPELINE_STAGE_ALL_COMMANDS_BIT },
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &worker->done,
	};
	struct frames *frames = worker->frames;

	pthread_mutex_lock(&frames->queue_lock);
	if (frame % 2)
		submit_between(&frames->app, cmd, (struct point) { frames->gate, frame + 1 },
			       (struct point) { worker->done, frame + 1 }, VK_NULL_HANDLE);
	else
		need(vkQueueSubmit(frames->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	pthread_mutex_unlock(&frames->queue_lock);
	pthread_mutex_lock(&frames->lock);
	frames->submitted[frame]++;
	pthread_cond_broadcast(&frames->changed);
	pthread_mutex_unlock(&frames->lock);
}

static void check_frame(struct worker *worker, uint32_t frame)
{
	struct frames *frames = worker->frames;
	const uint32_t *words = frames->results[frame % IN_FLIGHT].words + worker->number * PART;

	if (wait_for(&frames->app, worker->done, frame + 1, TIMEOUT_NS))
		worker->wrong_waits++;
	for (uint32_t i = 0; i < PART; i++)
		worker->wrong_words += words[i] != expected(worker->number, frame + 1);
}

static void *work(void *data)
{
	struct worker *worker = data;
	VkCommandBuffer cmd;

	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		if (frame >= IN_FLIGHT)
			check_frame(worker, frame - IN_FLIGHT);
		cmd = renew(worker, frame);
		record(worker, cmd, frame);
		submit(worker, cmd, frame);
	}
	for (uint32_t frame = FRAMES - IN_FLIGHT; frame < FRAMES; frame++)
		check_frame(worker, frame);
	return NULL;
}

static void start(struct frames *frames, struct worker *worker, uint32_t number)
{
	struct app *app = &frames->app;

	worker->frames = frames;
	worker->number = number;
	worker->done = new_timeline(app);
	for (uint32_t i = 0; i < IN_FLIGHT; i++) {
		if (!(number % 2))
			worker->pools[i] = new_pool(app, VK_COMMAND_POOL_CREATE_TRANSIENT_BIT);
		else if (!i)
			worker->pools[i] =
				new_pool(app, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
		worker->cmds[i] = new_command_buffer(app, worker->pools[number % 2 ? 0 : i],
						     VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	}
	if (pthread_create(&worker->thread, NULL, work, worker))
		need(VK_ERROR_UNKNOWN, "pthread_create");
}

static void finish(struct frames *frames, struct worker *worker)
{
	struct app *app = &frames->app;
	char text[64];

	pthread_join(worker->thread, NULL);
	snprintf(text, sizeof(text), "thread %u: words of each frame", worker->number);
	check(!worker->wrong_words, text);
	snprintf(text, sizeof(text), "thread %u: waits for each frame", worker->number);
	check(!worker->wrong_waits, text);
	check(counter(app, worker->done) == FRAMES, "the value of the thread's semaphore");
	for (uint32_t i = 0; i < IN_FLIGHT; i++)
		vkDestroyCommandPool(app->device, worker->pools[i], NULL);
	vkDestroySemaphore(app->device, worker->done, NULL);
}

int main(void)
{
	struct frames frames = {
		.queue_lock = PTHREAD_MUTEX_INITIALIZER,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	struct worker workers[THREADS] = { 0 };
	struct app *app = &frames.app;

	app_start(app);
	frames.sums = app_buffer(app);
	for (uint32_t i = 0; i < IN_FLIGHT; i++)
		frames.results[i] = app_buffer(app);
	frames.mixer = new_mixer(app);
	frames.gate = new_timeline(app);
	for (uint32_t i = 0; i < THREADS; i++)
		start(&frames, &workers[i], i);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		pthread_mutex_lock(&frames.lock);
		while (frames.submitted[frame] < THREADS)
			pthread_cond_wait(&frames.changed, &frames.lock);
		pthread_mutex_unlock(&frames.lock);
		host_signal(app, frames.gate, frame + 1);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		finish(&frames, &workers[i]);
	for (uint32_t i = 0; i < THREADS; i++)
		check_words(frames.sums.words + i * PART, PART, expected(i, FRAMES), "all frames");
	vkDestroySemaphore(app->device, frames.gate, NULL);
	vkDestroyPipeline(app->device, frames.mixer, NULL);
	for (uint32_t i = 0; i < IN_FLIGHT; i++)
		app_free_buffer(app, &frames.results[i]);
	app_free_buffer(app, &frames.sums);
	app_finish(app);
	return 0;
}
