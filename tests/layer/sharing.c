// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Two devices share binary semaphores. One device waits for a semaphore as soon as the call of the other one has returned that
 * signals it, with nothing else that would put them in order. The signal may be that of an empty submission or of
 * vkQueueBindSparse, and the semaphore may be exported when its signal was submitted. Or it was one of vkAcquireNextImageKHR
 * before.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "fakeorder.h"
#include "limit.h"
#include "screen.h"

#define ROUNDS		20
#define PART		64
/* Submissions of a device that its thread has to do first. */
#define BEFORE		20
/* More than there can be samples. */
#define MANY		80
#define RELEASE_NS	300000000
/* Half of the time after which the thread of the layer gives up waiting for the GPU. */
#define CALL_NS		(ANSWER_NS / 2)

struct half {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	VkCommandBuffer cmd;
};

static VkSemaphore create(struct half *half, bool export)
{
	const VkExportSemaphoreCreateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
		.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = export ? &exported : NULL,
	};
	VkSemaphore semaphore;

	need(vkCreateSemaphore(half->app.device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

static VkSemaphore share(struct half *from, VkSemaphore semaphore, struct half *to)
{
	VkSemaphore other = create(to, false);

	app_share_semaphore(&from->app, semaphore, &to->app, other);
	return other;
}

static void start(struct half *half, const struct app *app)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	};

	half->app = (struct app) {
		.instance = app->instance, .gpu = app->gpu,
		.names = {
			VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME,
		},
	};
	app_device(&half->app);
	half->buffer = app_buffer(&half->app);
	half->writer = app_writer(&half->app);
	half->cmd = app_begin(&half->app);
	app_end(half->cmd);
	need(vkBeginCommandBuffer(half->cmd, &begin), "vkBeginCommandBuffer");
	app_write(&half->app, half->cmd, half->writer, &half->buffer, 0, 46);
	app_write(&half->app, half->cmd, half->writer, &half->buffer, PART, 46);
	app_end(half->cmd);
}

static void finish(struct half *half)
{
	vkDestroyPipeline(half->app.device, half->writer, NULL);
	app_free_buffer(&half->app, &half->buffer);
	app_destroy_device(&half->app);
}

/* What a submission has. */
enum what { WORK, NOTHING, SPARSE, UNKNOWN };

static void submit(struct half *half, enum what what, VkSemaphore wait, VkSemaphore signal)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const struct unknown unknown = { UNKNOWN_TYPE };
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = what == UNKNOWN ? &unknown : NULL,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = what != NOTHING,
		.pCommandBuffers = &half->cmd,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &signal,
	};
	const VkBindSparseInfo bind = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &wait,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &signal,
	};

	if (what == SPARSE)
		need(vkQueueBindSparse(half->app.queue, 1, &bind, VK_NULL_HANDLE),
		     "vkQueueBindSparse");
	else
		need(vkQueueSubmit(half->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static void check_half(struct half *half, const char *text)
{
	app_wait(&half->app);
	check_words(half->buffer.words, 2 * PART, 46, text);
	memset(half->buffer.words, 0, WORDS * sizeof(uint32_t));
}

/* Back and forth, behind what the thread of the layer has to do first. */
static void go_back_and_forth(struct half *first, struct half *second, enum what what,
			      const char *text)
{
	VkSemaphore forth = create(first, true), back = create(second, true);
	VkSemaphore other_forth = share(first, forth, second);
	VkSemaphore other_back = share(second, back, first);

	limit(LIMIT_S, text);
	for (uint32_t i = 0; i < BEFORE; i++)
		submit(first, WORK, VK_NULL_HANDLE, VK_NULL_HANDLE);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		submit(first, what, i ? other_back : VK_NULL_HANDLE, forth);
		submit(second, WORK, other_forth, back);
	}
	submit(first, WORK, other_back, VK_NULL_HANDLE);
	check_half(second, text);
	check_half(first, text);
	vkDestroySemaphore(first->app.device, forth, NULL);
	vkDestroySemaphore(second->app.device, back, NULL);
	vkDestroySemaphore(second->app.device, other_forth, NULL);
	vkDestroySemaphore(first->app.device, other_back, NULL);
}

/* A semaphore is exported when its signal was submitted, and is still to come. */
static void export_pending(struct half *first, struct half *second)
{
	VkSemaphore semaphores[ROUNDS], others[ROUNDS];

	limit(LIMIT_S, "semaphores that are exported with a signal");
	for (uint32_t i = 0; i < ROUNDS; i++) {
		semaphores[i] = create(first, true);
		submit(first, WORK, VK_NULL_HANDLE, semaphores[i]);
		others[i] = share(first, semaphores[i], second);
		submit(second, WORK, others[i], VK_NULL_HANDLE);
	}
	check_half(second, "a semaphore that is exported with a signal");
	check_half(first, "a semaphore that is exported with a signal");
	for (uint32_t i = 0; i < ROUNDS; i++) {
		vkDestroySemaphore(first->app.device, semaphores[i], NULL);
		vkDestroySemaphore(second->app.device, others[i], NULL);
	}
}

/* ---- A thread that has no time ---- */

struct release {
	PFN_fake_order_delay hold;
	pthread_t thread;
};

static void *release_samples(void *arg)
{
	const struct release *release = arg;

	nanosleep(&(struct timespec) { .tv_nsec = RELEASE_NS }, NULL);
	release->hold(0);
	return NULL;
}

/*
 * As many samples as there can be are pending, so that the thread of the layer waits for the GPU, longer than a call that
 * signals a semaphore does. Then comes a submission that waits for the semaphore, and cannot be kept.
 */
static void wait_for_busy_thread(struct half *first, struct half *second)
{
	VkSemaphore semaphore = create(second, true), other = share(second, semaphore, first);
	struct release release = {
		(PFN_fake_order_delay)app_function(&first->app, "vkHoldTEST"),
	};

	limit(LIMIT_S, "a thread that waits for the GPU");
	release.hold(UINT32_MAX);
	for (uint32_t i = 0; i < MANY; i++)
		submit(first, WORK, VK_NULL_HANDLE, VK_NULL_HANDLE);
	submit(second, WORK, VK_NULL_HANDLE, semaphore);
	if (pthread_create(&release.thread, NULL, release_samples, &release))
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	submit(first, UNKNOWN, other, VK_NULL_HANDLE);
	pthread_join(release.thread, NULL);
	check_half(second, "signalled by a thread that waits for the GPU");
	check_half(first, "signalled by a thread that waits for the GPU");
	vkDestroySemaphore(second->app.device, semaphore, NULL);
	vkDestroySemaphore(first->app.device, other, NULL);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/*
 * The thread of the layer waits for the GPU again, and has to hand over a signal of a shared
 * semaphore then. A submission that cannot be kept, and waits for the host alone, has nothing to do
 * with it: its call returns.
 */
static void wait_for_host(struct half *first, struct half *second)
{
	VkSemaphore semaphore = create(second, true), other = share(second, semaphore, first);
	VkSemaphore timeline = app_semaphore(&first->app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	const PFN_fake_order_delay hold =
		(PFN_fake_order_delay)app_function(&first->app, "vkHoldTEST");
	const struct unknown unknown = { UNKNOWN_TYPE };
	const VkSemaphoreSignalInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = timeline,
		.value = 1,
	};
	int64_t start_ns;

	limit(LIMIT_S, "a call beside a thread that waits for the GPU");
	hold(UINT32_MAX);
	for (uint32_t i = 0; i < MANY; i++)
		submit(second, WORK, VK_NULL_HANDLE, VK_NULL_HANDLE);
	submit(second, WORK, VK_NULL_HANDLE, semaphore);
	start_ns = now_ns();
	app_submit_points(&first->app, &unknown, first->cmd, timeline, 1, 0, VK_NULL_HANDLE);
	check(now_ns() - start_ns < CALL_NS, "a call does not wait for another device");
	hold(0);
	need(vkSignalSemaphore(first->app.device, &signal), "vkSignalSemaphore");
	submit(first, WORK, other, VK_NULL_HANDLE);
	check_half(second, "a device whose signal is for another one");
	check_half(first, "behind a wait for the host");
	vkDestroySemaphore(second->app.device, semaphore, NULL);
	vkDestroySemaphore(first->app.device, other, NULL);
	vkDestroySemaphore(first->app.device, timeline, NULL);
}

/* ---- Semaphores of a swapchain ---- */

/* Do submissions wait in the layer until the kernel knows of their signals? Otherwise the driver gets them at once. */
static bool are_kept(void)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER"), *unit = getenv("PANTHOR_PERF_LAYER_UNIT");

	return mode && !strcmp(mode, "profile") && strcmp(unit, "frame") && !is_validated();
}

/*
 * The other device signals the semaphore. The kernel may know of the signal a moment after the wait was submitted, as if the
 * driver had a thread of its own. The submission that waits also signals a semaphore that was exported: its call does not
 * return before the thread of the layer has found that it has to wait.
 */
static void wait_for_other(struct half *half, VkSemaphore semaphore, struct half *other,
			   VkSemaphore others, const char *text)
{
	const bool kept = are_kept();
	VkSemaphore shared = create(half, true);

	close(app_export_semaphore(&half->app, shared));
	if (!kept)
		submit(other, WORK, VK_NULL_HANDLE, others);
	submit(half, WORK, semaphore, shared);
	if (kept)
		submit(other, WORK, VK_NULL_HANDLE, others);
	check_half(half, text);
	check_half(other, text);
	vkDestroySemaphore(half->app.device, shared, NULL);
}

static void to_present(struct screen *screen)
{
	VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	VkCommandBuffer cmd = app_begin(&screen->app);

	for (uint32_t i = 0; i < MAX_IMAGES && screen->images[i]; i++) {
		barrier.image = screen->images[i];
		vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
				     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
				     &barrier);
	}
	app_run(&screen->app, cmd);
}

static VkResult acquire(struct screen *screen, uint64_t timeout, VkSemaphore semaphore,
			VkFence fence, uint32_t *index)
{
	return vkAcquireNextImageKHR(screen->app.device, screen->swapchain, timeout, semaphore, fence,
				     index);
}

/* A presentation waits for what an acquire has signalled. Then the semaphore is that of the other device again. */
static void present_acquired(struct half *half, struct half *other)
{
	VkSemaphore others = create(other, true), semaphore = share(other, others, half);
	struct screen screen = { .app = half->app };
	uint32_t index;
	const VkPresentInfoKHR present = {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &semaphore,
		.swapchainCount = 1,
		.pSwapchains = &screen.swapchain,
		.pImageIndices = &index,
	};

	limit(LIMIT_S, "a semaphore of an image that is presented");
	screen_create(&screen);
	to_present(&screen);
	need(acquire(&screen, UINT64_MAX, semaphore, VK_NULL_HANDLE, &index),
	     "vkAcquireNextImageKHR");
	need(vkQueuePresentKHR(half->app.queue, &present), "vkQueuePresentKHR");
	wait_for_other(half, semaphore, other, others, "behind a presentation");
	need(vkDeviceWaitIdle(half->app.device), "vkDeviceWaitIdle");
	screen_destroy(&screen);
	vkDestroySemaphore(half->app.device, semaphore, NULL);
	vkDestroySemaphore(other->app.device, others, NULL);
}

/* All images are acquired. An acquire that returns none does not signal the semaphore. */
static void acquire_nothing(struct half *half, struct half *other, uint64_t timeout, bool second)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphore others = create(other, true), semaphore = share(other, others, half);
	struct screen screen = { .app = half->app };
	VkAcquireNextImageInfoKHR acquire_info = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
		.timeout = timeout,
		.semaphore = semaphore,
		.deviceMask = 1,
	};
	VkResult result;
	uint32_t index;
	VkFence fence;

	limit(LIMIT_S, "an acquire without an image");
	screen_create(&screen);
	need(vkCreateFence(half->app.device, &info, NULL, &fence), "vkCreateFence");
	while ((result = acquire(&screen, 0, VK_NULL_HANDLE, fence, &index)) == VK_SUCCESS) {
		need(vkWaitForFences(half->app.device, 1, &fence, VK_TRUE, TIMEOUT_NS),
		     "vkWaitForFences");
		need(vkResetFences(half->app.device, 1, &fence), "vkResetFences");
	}
	check(result == VK_NOT_READY, "all images are acquired");
	acquire_info.swapchain = screen.swapchain;
	if (second)
		result = vkAcquireNextImage2KHR(half->app.device, &acquire_info, &index);
	else
		result = acquire(&screen, timeout, semaphore, VK_NULL_HANDLE, &index);
	/* llvmpipe's surface without a window has VK_NOT_READY for all times. */
	check(result == VK_NOT_READY || (timeout && result == VK_TIMEOUT), "there is no image");
	wait_for_other(half, semaphore, other, others, "behind an acquire without an image");
	vkDestroyFence(half->app.device, fence, NULL);
	screen_destroy(&screen);
	vkDestroySemaphore(half->app.device, semaphore, NULL);
	vkDestroySemaphore(other->app.device, others, NULL);
}

int main(void)
{
	struct app app = { .instance_names = { SCREEN_INSTANCE_NAMES } };
	struct half first, second;

	app_instance(&app);
	start(&first, &app);
	start(&second, &app);
	go_back_and_forth(&first, &second, WORK, "signalled by work");
	go_back_and_forth(&first, &second, NOTHING, "signalled by an empty submission");
	go_back_and_forth(&first, &second, SPARSE, "signalled by vkQueueBindSparse");
	if (!is_validated())
		go_back_and_forth(&first, &second, UNKNOWN,
				  "signalled behind an unknown structure");
	if (!is_validated()) {
		wait_for_busy_thread(&first, &second);
		wait_for_host(&first, &second);
	}
	export_pending(&first, &second);
	present_acquired(&first, &second);
	acquire_nothing(&first, &second, 0, false);
	acquire_nothing(&first, &second, 1000000, false);
	acquire_nothing(&first, &second, 0, true);
	limit(LIMIT_S, "the end");
	finish(&second);
	finish(&first);
	vkDestroyInstance(app.instance, NULL);
	return 0;
}
