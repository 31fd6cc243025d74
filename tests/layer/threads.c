// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Four threads record, submit and wait at the same time, each with a command pool of its own. Two devices have two of them each.
 */

#include <pthread.h>
#include <stdio.h>

#include "app.h"

#define THREADS		4
#define DEVICES		2
#define ROUNDS		10
#define DISPATCHES	8

/* A device, whose queue is used by one thread at a time. */
struct shared_device {
	struct app app;
	pthread_mutex_t queue_lock;
	VkPipeline writer;
};

struct worker {
	pthread_t thread;
	struct shared_device *device;
	struct app app;
	struct buffer buffer;
	uint32_t wrong;
};

static void submit(struct worker *worker, VkCommandBuffer cmd, VkFence fence)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	pthread_mutex_lock(&worker->device->queue_lock);
	need(vkQueueSubmit(worker->app.queue, 1, &info, fence), "vkQueueSubmit");
	pthread_mutex_unlock(&worker->device->queue_lock);
	need(vkWaitForFences(worker->app.device, 1, &fence, VK_TRUE, TIMEOUT_NS),
	     "vkWaitForFences");
}

static void *work(void *arg)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	struct worker *worker = arg;
	struct app *app = &worker->app;

	for (uint32_t round = 1; round <= ROUNDS; round++) {
		VkCommandBuffer cmd = app_begin(app);
		VkFence fence;

		for (uint32_t i = 0; i < DISPATCHES; i++)
			app_write(app, cmd, worker->device->writer, &worker->buffer, 64 * i,
				  100 * round + i);
		app_barrier(cmd);
		app_end(cmd);
		need(vkCreateFence(app->device, &info, NULL, &fence), "vkCreateFence");
		submit(worker, cmd, fence);
		vkDestroyFence(app->device, fence, NULL);
		for (uint32_t i = 0; i < 64 * DISPATCHES; i++)
			worker->wrong += worker->buffer.words[i] != 100 * round + i / 64;
		vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
	}
	return NULL;
}

static void start(struct worker *worker, struct shared_device *device)
{
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};

	worker->device = device;
	worker->app = device->app;
	worker->buffer = app_buffer(&device->app);
	need(vkCreateCommandPool(worker->app.device, &pool, NULL, &worker->app.pool),
	     "vkCreateCommandPool");
}

int main(void)
{
	struct shared_device devices[DEVICES] = { 0 };
	struct worker workers[THREADS] = { 0 };
	char text[64];

	for (int i = 0; i < DEVICES; i++) {
		pthread_mutex_init(&devices[i].queue_lock, NULL);
		app_start(&devices[i].app);
		devices[i].writer = app_writer(&devices[i].app);
	}
	for (int i = 0; i < THREADS; i++)
		start(&workers[i], &devices[i % DEVICES]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < THREADS; i++) {
		snprintf(text, sizeof(text), "thread %d", i + 1);
		check(!workers[i].wrong, text);
		vkDestroyCommandPool(workers[i].app.device, workers[i].app.pool, NULL);
		app_free_buffer(&devices[i % DEVICES].app, &workers[i].buffer);
	}
	for (int i = 0; i < ROUNDS * THREADS; i++)
		printf("row submission (no label)\nrow command-buffer (no label)\n");
	for (int i = 0; i < ROUNDS * THREADS * DISPATCHES; i++)
		printf("row workload vkCmdDispatch\n");
	for (int i = 0; i < DEVICES; i++) {
		vkDestroyPipeline(devices[i].app.device, devices[i].writer, NULL);
		app_finish(&devices[i].app);
	}
	return 0;
}
