// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Frames that are presented to a surface without a window: semaphores and fences that no submission signals, fences of
 * vkQueuePresentKHR, a swapchain that takes the place of another one.
 */

#include <stdio.h>

#include "outside.h"

#define FORMAT		VK_FORMAT_R8G8B8A8_UNORM
#define MAX_IMAGES	8
#define IN_FLIGHT	2
#define FRAMES		8
#define NONE		((struct point) { 0 })

struct frame {
	VkSemaphore acquired;
	VkFence acquired_fence;
	VkFence submitted;
	VkFence presented;
	struct buffer result;
	uint32_t color;
};

struct present {
	struct app app;
	VkSurfaceKHR surface;
	VkSwapchainKHR swapchain;
	uint32_t count;
	VkImage images[MAX_IMAGES];
	VkSemaphore rendered[MAX_IMAGES];
	struct frame frames[IN_FLIGHT];
};

static void create_swapchain(struct present *present)
{
	struct app *app = &present->app;
	VkSwapchainCreateInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
		.surface = present->surface,
		.imageFormat = FORMAT,
		.imageExtent = { SIZE, SIZE },
		.imageArrayLayers = 1,
		.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.presentMode = VK_PRESENT_MODE_FIFO_KHR,
		.oldSwapchain = present->swapchain,
	};
	VkSurfaceCapabilitiesKHR capabilities;
	VkSurfaceFormatKHR formats[32];
	uint32_t count = COUNT(formats);

	need(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(app->gpu, present->surface, &capabilities),
	     "capabilities");
	if (vkGetPhysicalDeviceSurfaceFormatsKHR(app->gpu, present->surface, &count, formats) < 0)
		need(VK_ERROR_UNKNOWN, "formats");
	for (uint32_t i = 0; i < count; i++)
		if (formats[i].format == FORMAT)
			info.imageColorSpace = formats[i].colorSpace;
	info.minImageCount = capabilities.minImageCount > 2 ? capabilities.minImageCount : 2;
	info.compositeAlpha = capabilities.supportedCompositeAlpha &
			      -capabilities.supportedCompositeAlpha;
	need(vkCreateSwapchainKHR(app->device, &info, NULL, &present->swapchain), "a swapchain");
	vkDestroySwapchainKHR(app->device, info.oldSwapchain, NULL);
	present->count = MAX_IMAGES;
	need(vkGetSwapchainImagesKHR(app->device, present->swapchain, &present->count,
				     present->images), "images");
}

static void to_layout(VkCommandBuffer cmd, VkImage image, VkImageLayout from, VkImageLayout to)
{
	const VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = from,
		.newLayout = to,
		.image = image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkCommandBuffer record(struct present *present, VkImage image, struct frame *frame,
			      uint32_t number)
{
	const VkClearColorValue color = { .float32 = { number % 2, number / 2 % 2, 1, 1 } };
	const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	const struct target target = { .image = image };
	VkCommandBuffer cmd = app_begin(&present->app);

	to_layout(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	vkCmdClearColorImage(cmd, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
	copy_row(cmd, &target, &frame->result, 0);
	to_host(cmd);
	to_layout(cmd, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
	app_end(cmd);
	frame->color = 0xffff0000 | (number % 2 ? 0xff : 0) | (number / 2 % 2 ? 0xff00 : 0);
	return cmd;
}

static uint32_t acquire(struct present *present, struct frame *frame, bool by_fence)
{
	struct app *app = &present->app;
	uint32_t image = 0;
	VkResult result;

	result = vkAcquireNextImageKHR(app->device, present->swapchain, TIMEOUT_NS,
				       by_fence ? VK_NULL_HANDLE : frame->acquired,
				       by_fence ? frame->acquired_fence : VK_NULL_HANDLE, &image);
	need(result == VK_SUBOPTIMAL_KHR ? VK_SUCCESS : result, "vkAcquireNextImageKHR");
	if (by_fence) {
		/* No submission signals it. */
		check(!vkWaitForFences(app->device, 1, &frame->acquired_fence, VK_TRUE, TIMEOUT_NS),
		      "the fence of an image");
		need(vkResetFences(app->device, 1, &frame->acquired_fence), "vkResetFences");
	}
	return image;
}

static void show(struct present *present, struct frame *frame, uint32_t image)
{
	const VkSwapchainPresentFenceInfoEXT fence = {
		.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT,
		.swapchainCount = 1,
		.pFences = &frame->presented,
	};
	VkResult result = VK_ERROR_UNKNOWN;
	const VkPresentInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.pNext = &fence,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &present->rendered[image],
		.swapchainCount = 1,
		.pSwapchains = &present->swapchain,
		.pImageIndices = &image,
		.pResults = &result,
	};

	check(vkQueuePresentKHR(present->app.queue, &info) >= 0 && result >= 0, "a frame is shown");
}

static void finish_frame(struct present *present, struct frame *frame)
{
	struct app *app = &present->app;
	const VkFence fences[] = { frame->presented, frame->submitted };

	/* That of vkQueuePresentKHR first. */
	for (uint32_t i = 0; i < 2; i++)
		check(!vkWaitForFences(app->device, 1, &fences[i], VK_TRUE, TIMEOUT_NS),
		      i ? "a frame is rendered" : "a frame is presented");
	need(vkResetFences(app->device, 2, fences), "vkResetFences");
	check_words(frame->result.words, SIZE, frame->color, "the color of a frame");
}

static void run(struct present *present, bool by_fence)
{
	VkCommandBuffer cmds[IN_FLIGHT] = { 0 };
	struct app *app = &present->app;
	struct frame *frame;
	uint32_t image;

	for (uint32_t i = 0; i < FRAMES; i++) {
		frame = &present->frames[i % IN_FLIGHT];
		if (i >= IN_FLIGHT) {
			finish_frame(present, frame);
			vkFreeCommandBuffers(app->device, app->pool, 1, &cmds[i % IN_FLIGHT]);
		}
		image = acquire(present, frame, by_fence);
		cmds[i % IN_FLIGHT] = record(present, present->images[image], frame, i);
		submit_between(app, cmds[i % IN_FLIGHT],
			       by_fence ? NONE : (struct point) { frame->acquired },
			       (struct point) { present->rendered[image] }, frame->submitted);
		show(present, frame, image);
	}
	for (uint32_t i = 0; i < IN_FLIGHT; i++) {
		finish_frame(present, &present->frames[i]);
		vkFreeCommandBuffers(app->device, app->pool, 1, &cmds[i]);
	}
}

static void start(struct present *present)
{
	const VkHeadlessSurfaceCreateInfoEXT surface = {
		.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT,
	};
	struct app *app = &present->app;
	VkBool32 supported = VK_FALSE;

	app_instance(app);
	need(((PFN_vkCreateHeadlessSurfaceEXT)
	      vkGetInstanceProcAddr(app->instance, "vkCreateHeadlessSurfaceEXT"))
	     (app->instance, &surface, NULL, &present->surface), "vkCreateHeadlessSurfaceEXT");
	need(vkGetPhysicalDeviceSurfaceSupportKHR(app->gpu, 0, present->surface, &supported),
	     "vkGetPhysicalDeviceSurfaceSupportKHR");
	check(supported, "the queue presents");
	app_device(app);
	for (uint32_t i = 0; i < MAX_IMAGES; i++)
		present->rendered[i] = new_semaphore(app, VK_SEMAPHORE_TYPE_BINARY, NULL);
	for (uint32_t i = 0; i < IN_FLIGHT; i++) {
		struct frame *frame = &present->frames[i];

		frame->acquired = new_semaphore(app, VK_SEMAPHORE_TYPE_BINARY, NULL);
		frame->acquired_fence = new_fence(app, 0);
		frame->submitted = new_fence(app, 0);
		frame->presented = new_fence(app, 0);
		frame->result = app_buffer(app);
	}
}

static void finish(struct present *present)
{
	struct app *app = &present->app;

	vkDestroySwapchainKHR(app->device, present->swapchain, NULL);
	for (uint32_t i = 0; i < MAX_IMAGES; i++)
		vkDestroySemaphore(app->device, present->rendered[i], NULL);
	for (uint32_t i = 0; i < IN_FLIGHT; i++) {
		struct frame *frame = &present->frames[i];

		vkDestroySemaphore(app->device, frame->acquired, NULL);
		vkDestroyFence(app->device, frame->acquired_fence, NULL);
		vkDestroyFence(app->device, frame->submitted, NULL);
		vkDestroyFence(app->device, frame->presented, NULL);
		app_free_buffer(app, &frame->result);
	}
	app_destroy_device(app);
	vkDestroySurfaceKHR(app->instance, present->surface, NULL);
	vkDestroyInstance(app->instance, NULL);
}

int main(void)
{
	VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT maintenance = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT,
		.swapchainMaintenance1 = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &maintenance,
		.synchronization2 = VK_TRUE,
	};
	struct present present = {
		.app.instance_names = {
			VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
			VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
			VK_EXT_SURFACE_MAINTENANCE_1_EXTENSION_NAME,
		},
		.app.names = { VK_KHR_SWAPCHAIN_EXTENSION_NAME,
			       VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME },
		.app.features = &features13,
	};

	start(&present);
	create_swapchain(&present);
	run(&present, false);
	run(&present, true);
	create_swapchain(&present);
	run(&present, false);
	finish(&present);
	return 0;
}
