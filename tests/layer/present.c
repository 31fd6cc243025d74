// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Frames of a swapchain without a window, while a submission of another device waits for the host. The semaphores of a frame
 * are signalled by the swapchain, and waited for by the presentation. Only frame 1 is profiled. In the last frame the driver
 * refuses what the presentation waits for. Then no image comes back.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakealloc.h"
#include "limit.h"
#include "screen.h"

#define FRAMES		4

static VkImageMemoryBarrier barrier(VkImage image, VkImageLayout from, VkImageLayout to)
{
	return (VkImageMemoryBarrier) {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = from,
		.newLayout = to,
		.image = image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
}

static VkCommandBuffer record(struct screen *screen, VkImage image)
{
	const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	const VkImageMemoryBarrier barriers[] = {
		barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL),
		barrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
			VK_IMAGE_LAYOUT_PRESENT_SRC_KHR),
	};
	VkCommandBuffer cmd = app_begin(&screen->app);

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
			     &barriers[0]);
	for (int i = 0; i < 2; i++)
		vkCmdClearColorImage(cmd, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
				     &(VkClearColorValue) { .float32 = { 1, 0, 0, 1 } }, 1, &all);
	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
			     &barriers[1]);
	app_end(cmd);
	return cmd;
}

/* Of an image, once it is drawn. */
static VkPresentInfoKHR presentation(const struct screen *screen, const uint32_t *index)
{
	return (VkPresentInfoKHR) {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &screen->drawn,
		.swapchainCount = 1,
		.pSwapchains = &screen->swapchain,
		.pImageIndices = index,
	};
}

static void run_frame(struct screen *screen, VkSemaphore acquired)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkCommandBuffer cmd;
	uint32_t index;

	need(vkAcquireNextImageKHR(screen->app.device, screen->swapchain, UINT64_MAX,
				   acquired, VK_NULL_HANDLE, &index),
	     "vkAcquireNextImageKHR");
	cmd = record(screen, screen->images[index]);
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &acquired,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &screen->drawn,
	};
	const VkPresentInfoKHR present = presentation(screen, &index);

	need(vkQueueSubmit(screen->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	need(vkQueuePresentKHR(screen->app.queue, &present), "vkQueuePresentKHR");
	need(vkQueueWaitIdle(screen->app.queue), "vkQueueWaitIdle");
	vkFreeCommandBuffers(screen->app.device, screen->app.pool, 1, &cmd);
	check(true, "a frame");
}

struct acquire {
	pthread_t thread;
	struct screen *screen;
	VkFence fence;
	/* By vkAcquireNextImage2KHR(). */
	bool second;
	VkResult result;
};

static VkResult acquire_image(struct acquire *acquire, uint64_t timeout)
{
	VkDevice device = acquire->screen->app.device;
	const VkAcquireNextImageInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
		.swapchain = acquire->screen->swapchain,
		.timeout = timeout,
		.fence = acquire->fence,
		.deviceMask = 1,
	};
	uint32_t index;

	return acquire->second ? vkAcquireNextImage2KHR(device, &info, &index) :
	       vkAcquireNextImageKHR(device, info.swapchain, timeout, VK_NULL_HANDLE, info.fence,
				     &index);
}

static void *acquire_image_at_last(void *arg)
{
	struct acquire *acquire = arg;

	acquire->result = acquire_image(acquire, UINT64_MAX);
	return NULL;
}

/* All images. */
static void acquire_rest(struct acquire *acquire)
{
	while (acquire_image(acquire, 0) == VK_SUCCESS) {
		need(vkWaitForFences(acquire->screen->app.device, 1, &acquire->fence, VK_TRUE, TIMEOUT_NS),
		     "vkWaitForFences");
		need(vkResetFences(acquire->screen->app.device, 1, &acquire->fence), "vkResetFences");
	}
	check(acquire_image(acquire, 0) == VK_NOT_READY, "all images are acquired");
}

/*
 * The submission waits for the host when its call returns, so that the layer hands it over later, while a thread waits for
 * another image. By itself the driver refuses it in the call, and there is nothing to present.
 */
static void present_refused(struct screen *screen, VkSemaphore acquired)
{
	PFN_fake_fail fail = (PFN_fake_fail)app_function(&screen->app, "vkFailTEST");
	VkSemaphore gate = app_semaphore(&screen->app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	const VkPipelineStageFlags stages[] = {
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
	};
	const VkSemaphoreSignalInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = 1,
	};
	const VkSemaphore waits[] = { acquired, gate };
	const uint64_t points[] = { 0, 1 };
	const VkTimelineSemaphoreSubmitInfo timelines = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = COUNT(points),
		.pWaitSemaphoreValues = points,
	};
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	struct acquire acquire = { .screen = screen };
	VkResult result, one = VK_SUCCESS;
	VkCommandBuffer cmd;
	uint32_t index;

	need(vkCreateFence(screen->app.device, &fence, NULL, &acquire.fence), "vkCreateFence");
	need(vkAcquireNextImageKHR(screen->app.device, screen->swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &index),
	     "vkAcquireNextImageKHR");
	cmd = record(screen, screen->images[index]);
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &timelines,
		.waitSemaphoreCount = COUNT(waits),
		.pWaitSemaphores = waits,
		.pWaitDstStageMask = stages,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &screen->drawn,
	};
	VkPresentInfoKHR present = presentation(screen, &index);

	present.pResults = &one;
	acquire_rest(&acquire);
	fail(FAKE_FAIL_SUBMISSIONS, UINT32_MAX);
	result = vkQueueSubmit(screen->app.queue, 1, &info, VK_NULL_HANDLE);
	if (result == VK_SUCCESS) {
		if (pthread_create(&acquire.thread, NULL, acquire_image_at_last, &acquire))
			need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
		need(vkSignalSemaphore(screen->app.device, &signal), "vkSignalSemaphore");
		pthread_join(acquire.thread, NULL);
		check(acquire.result == VK_ERROR_DEVICE_LOST, "a wait for an image of a lost device ends");
		result = vkQueuePresentKHR(screen->app.queue, &present);
		check(result == VK_ERROR_DEVICE_LOST && one == result, "the driver refuses what is presented");
		acquire.second = true;
		check(acquire_image(&acquire, UINT64_MAX) == VK_ERROR_DEVICE_LOST, "no image of a lost device is acquired");
	} else {
		check(true, "a wait for an image of a lost device ends");
		check(result == VK_ERROR_OUT_OF_DEVICE_MEMORY, "the driver refuses what is presented");
		check(true, "no image of a lost device is acquired");
	}
	fail(FAKE_FAIL_NOTHING, 0);
	vkDestroyFence(screen->app.device, acquire.fence, NULL);
	vkDestroySemaphore(screen->app.device, gate, NULL);
}

int main(void)
{
	struct screen screen = {
		.app.instance_names = { SCREEN_INSTANCE_NAMES },
		.app.names = { VK_KHR_SWAPCHAIN_EXTENSION_NAME },
	};
	VkSemaphoreSignalInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .value = 1,
	};
	struct app other = { 0 };
	VkSemaphore timeline, acquired;

	/* Khronos' validation does not know that a sample signals the point before the unit. */
	printf("allow VUID-vkQueuePresentKHR-pWaitSemaphores-03268\n");
	setenv("PANTHOR_PERF_LAYER_FRAMES", "1", 1);
	app_start(&screen.app);
	other.instance = screen.app.instance;
	other.gpu = screen.app.gpu;
	app_device(&other);
	timeline = app_semaphore(&other, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	screen_create(&screen);
	acquired = app_semaphore(&screen.app, VK_SEMAPHORE_TYPE_BINARY, 0, false);
	limit(LIMIT_S, "a frame");
	run_frame(&screen, acquired);
	/* Until the host signals the point, at the end. */
	app_submit_points(&other, NULL, VK_NULL_HANDLE, timeline, 1, 0, VK_NULL_HANDLE);
	/* Frame 1. */
	printf("row submission (no label)\nrow command-buffer (no label)\n");
	printf("row workload vkCmdClearColorImage\nrow workload vkCmdClearColorImage\n");
	printf("row frame frame\nframe frame 1\ntype frame image_transfer\n");
	for (uint32_t i = 1; i < FRAMES; i++)
		run_frame(&screen, acquired);
	signal.semaphore = timeline;
	need(vkSignalSemaphore(other.device, &signal), "vkSignalSemaphore");
	need(vkDeviceWaitIdle(other.device), "vkDeviceWaitIdle");
	/* Khronos' validation does not take back what the driver has refused. */
	limit(LIMIT_S, "a frame that the driver refuses");
	if (!is_validated())
		present_refused(&screen, acquired);
	limit(LIMIT_S, "the end");
	screen_destroy(&screen);
	vkDestroySemaphore(screen.app.device, acquired, NULL);
	vkDestroySemaphore(other.device, timeline, NULL);
	app_destroy_device(&other);
	app_finish(&screen.app);
	return 0;
}
