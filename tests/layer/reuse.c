// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Objects that the application destroys and creates as soon as it may, with the layer's thread still at work on what they
 * were submitted with: a semaphore whose handle is that of the one before, a device beside another one of the same GPU, and
 * queues that several threads get at once.
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "limit.h"

#define PART		64
#define SEMAPHORES	60
#define DEVICES		4
#define GETTERS		8
#define RACES		4
#define QUEUES		3
#define STEP_US		1000

/* Freed memory is allocated again at once, and so the handles of the driver. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}

struct side {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	VkCommandBuffer cmd;
	VkFence fence;
};

static void start(struct side *side, const struct app *app)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };

	side->app = (struct app) {
		.instance = app->instance,
		.gpu = app->gpu,
		.names = { VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME },
	};
	app_device(&side->app);
	side->buffer = app_buffer(&side->app);
	side->writer = app_writer(&side->app);
	side->cmd = app_begin(&side->app);
	app_write(&side->app, side->cmd, side->writer, &side->buffer, 0, 46);
	app_write(&side->app, side->cmd, side->writer, &side->buffer, PART, 46);
	app_end(side->cmd);
	need(vkCreateFence(side->app.device, &info, NULL, &side->fence), "vkCreateFence");
}

static void finish(struct side *side)
{
	vkDestroyFence(side->app.device, side->fence, NULL);
	vkDestroyPipeline(side->app.device, side->writer, NULL);
	app_free_buffer(&side->app, &side->buffer);
	app_destroy_device(&side->app);
}

static VkSemaphore create_timeline(struct side *side)
{
	return app_semaphore(&side->app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
}

static void submit(struct side *side, VkSemaphore semaphore, uint64_t wait, uint64_t signal,
		   VkFence fence)
{
	app_submit_points(&side->app, NULL, side->cmd, semaphore, wait, signal, fence);
}

static void wait_fence(struct side *side)
{
	need(vkWaitForFences(side->app.device, 1, &side->fence, VK_TRUE, TIMEOUT_NS),
	     "vkWaitForFences");
	need(vkResetFences(side->app.device, 1, &side->fence), "vkResetFences");
}

static void wait_point(struct side *side, VkSemaphore semaphore, uint64_t value)
{
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &semaphore,
		.pValues = &value,
	};

	need(vkWaitSemaphores(side->app.device, &info, TIMEOUT_NS), "vkWaitSemaphores");
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

/*
 * A semaphore is destroyed when the GPU has signalled its point 100. The next one has the same handle. A submission waits for
 * its point 1, which the host signals when the other device has executed something.
 */
static void reuse_semaphores(struct side *side, struct side *other)
{
	VkSemaphore before = VK_NULL_HANDLE;
	uint32_t same = 0;

	for (uint32_t i = 0; i < SEMAPHORES; i++) {
		VkSemaphore semaphore = create_timeline(side);

		limit(LIMIT_S, "semaphores with the same handle");
		same += semaphore == before;
		submit(side, semaphore, 1, 0, side->fence);
		submit(other, VK_NULL_HANDLE, 0, 0, other->fence);
		wait_fence(other);
		signal_host(side, semaphore, 1);
		wait_fence(side);
		vkDestroySemaphore(side->app.device, semaphore, NULL);
		before = create_timeline(side);
		submit(side, before, 0, 100, VK_NULL_HANDLE);
		wait_point(side, before, 100);
		vkDestroySemaphore(side->app.device, before, NULL);
	}
	app_wait(&side->app);
	printf("# %s\n", same > SEMAPHORES / 2 ? "most handles are the same" : "handles differ");
	check(true, "semaphores with the same handle");
}

struct worker {
	pthread_t thread;
	struct side *side;
	bool ends;
};

static void *work(void *arg)
{
	struct worker *worker = arg;

	while (!__atomic_load_n(&worker->ends, __ATOMIC_ACQUIRE)) {
		submit(worker->side, VK_NULL_HANDLE, 0, 0, worker->side->fence);
		wait_fence(worker->side);
	}
	return NULL;
}

/* Devices that come and go, all their work done, while another one works. */
static void destroy_devices(struct side *other)
{
	struct worker worker = { .side = other };

	if (pthread_create(&worker.thread, NULL, work, &worker))
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	for (uint32_t i = 0; i < DEVICES; i++) {
		struct side side;

		limit(LIMIT_S, "devices that are destroyed");
		start(&side, &other->app);
		for (uint32_t n = 0; n < 4; n++) {
			submit(&side, VK_NULL_HANDLE, 0, 0, side.fence);
			wait_fence(&side);
		}
		check_words(side.buffer.words, 2 * PART, 46, "a device that is destroyed");
		finish(&side);
	}
	__atomic_store_n(&worker.ends, true, __ATOMIC_RELEASE);
	pthread_join(worker.thread, NULL);
	check_words(other->buffer.words, 2 * PART, 46, "the other device");
}

static void *destroy_side(void *side)
{
	finish(side);
	return NULL;
}

/*
 * The other device is at work until the host sets an event, and its next submission has to come behind all of this device. The
 * layer's own submission for that is pending when this device is destroyed. All work of the device itself is done by then,
 * because of a structure that the layer does not know, which lets it be done at once. The event is set when the driver has to
 * wait for the device, or to destroy it.
 */
static void destroy_device_at_work(struct side *other)
{
	uint32_t (*count_ends)(void) =
		(uint32_t (*)(void))app_function(&other->app, "vkEndsTEST");
	const VkEventCreateInfo event_info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkSemaphore binary = app_semaphore(&other->app, VK_SEMAPHORE_TYPE_BINARY, 0, true);
	const struct unknown unknown = { UNKNOWN_TYPE };
	VkCommandBuffer held = app_begin(&other->app);
	struct side side;
	pthread_t thread;
	uint32_t before;
	VkEvent event;

	limit(LIMIT_S, "a device that is destroyed while another one is at work");
	start(&side, &other->app);
	need(vkCreateEvent(other->app.device, &event_info, NULL, &event), "vkCreateEvent");
	vkCmdWaitEvents(held, 1, &event, VK_PIPELINE_STAGE_HOST_BIT,
			VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
	app_write(&other->app, held, other->writer, &other->buffer, 0, 47);
	app_end(held);
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &unknown,
		.commandBufferCount = 1,
		.pCommandBuffers = &side.cmd,
	};
	const VkSubmitInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &other->cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &binary,
	};

	/* Forbidden for what the driver has, but nothing else can hold it there. */
	printf("allow VUID-vkSetEvent-event-09543\n");
	app_submit(&other->app, held);
	need(vkQueueSubmit(side.app.queue, 1, &info, side.fence), "vkQueueSubmit");
	wait_fence(&side);
	check_words(side.buffer.words, 2 * PART, 46, "a device beside another one at work");
	need(vkQueueSubmit(other->app.queue, 1, &signal, other->fence), "vkQueueSubmit");
	/* The driver has got the submission, and what the layer has put before it. */
	close(app_export_semaphore(&other->app, binary));
	check(vkGetFenceStatus(other->app.device, other->fence) == VK_NOT_READY,
	      "the other one is at work");
	before = count_ends();
	if (pthread_create(&thread, NULL, destroy_side, &side))
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	while (count_ends() == before)
		usleep(STEP_US);
	need(vkSetEvent(other->app.device, event), "vkSetEvent");
	pthread_join(thread, NULL);
	wait_fence(other);
	vkFreeCommandBuffers(other->app.device, other->app.pool, 1, &held);
	vkDestroyEvent(other->app.device, event, NULL);
	vkDestroySemaphore(other->app.device, binary, NULL);
	check_words(other->buffer.words, 2 * PART, 46, "the other device has done its work");
	submit(other, VK_NULL_HANDLE, 0, 0, other->fence);
	wait_fence(other);
	check(true, "and does more");
}

struct getter {
	pthread_t thread;
	pthread_barrier_t *barrier;
	VkDevice device;
	uint32_t queue;
	VkQueue handle;
};

/* Two queues of one family, and one of another. */
static void *get(void *arg)
{
	struct getter *getter = arg;

	pthread_barrier_wait(getter->barrier);
	vkGetDeviceQueue(getter->device, getter->queue / 2, getter->queue % 2, &getter->handle);
	return NULL;
}

static VkQueue get_at_once(struct app *app, uint32_t queue)
{
	struct getter getters[GETTERS];
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, GETTERS);
	for (uint32_t i = 0; i < GETTERS; i++) {
		getters[i] = (struct getter) {
			.barrier = &barrier, .device = app->device, .queue = queue,
		};
		if (pthread_create(&getters[i].thread, NULL, get, &getters[i]))
			need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	}
	for (uint32_t i = 0; i < GETTERS; i++)
		pthread_join(getters[i].thread, NULL);
	pthread_barrier_destroy(&barrier);
	return getters[0].handle;
}

/* Several threads get the queues of a new device, one after the other. */
static void get_queues(const struct app *app)
{
	for (uint32_t i = 0; i < RACES; i++) {
		struct app own = {
			.no_queue = true, .all_queues = true,
			.instance = app->instance, .gpu = app->gpu,
		};

		limit(LIMIT_S, "queues that several threads get");
		app_device(&own);
		for (uint32_t queue = 0; queue < QUEUES; queue++) {
			own.queue = get_at_once(&own, queue);
			if (queue == QUEUES - 1) {
				vkDestroyCommandPool(own.device, own.pool, NULL);
				own.pool = own.compute_pool;
				own.compute_pool = VK_NULL_HANDLE;
			}
			app_run(&own, app_begin(&own));
		}
		app_destroy_device(&own);
	}
	check(true, "queues that several threads get");
}

/* The queues of a device have the numbers 0 to 2 in all rows of a profile. */
static bool are_numbered(void)
{
	const char *path = getenv("PANTHOR_PERF_LAYER_OUTPUT");
	FILE *file = path ? fopen(path, "r") : NULL;
	unsigned int unit, frame, device, queue;
	bool right = true;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%u,%u,%u,%u,", &unit, &frame, &device, &queue) == 4)
			right &= queue < QUEUES;
	}
	if (file)
		fclose(file);
	return right;
}

int main(void)
{
	struct side side, other;
	struct app app = { 0 };

	app_instance(&app);
	start(&side, &app);
	start(&other, &app);
	reuse_semaphores(&side, &other);
	destroy_devices(&other);
	if (!is_validated())
		destroy_device_at_work(&other);
	get_queues(&app);
	finish(&side);
	finish(&other);
	check(are_numbered(), "no queue has two numbers");
	vkDestroyInstance(app.instance, NULL);
	return 0;
}
