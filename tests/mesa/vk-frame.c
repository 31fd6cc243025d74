// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-frame FRAMES [PAUSE_MS]
 *        vk-frame --costs FRAMES
 *
 * What a game does for a frame, in small: one command buffer with labelled dispatches, render
 * passes and a copy to an image of a swapchain, which is presented to a surface that no display
 * shows. Behind each frame the GPU is idle for PAUSE_MS, as it is until the display's next refresh.
 * Prints "N frames in S s".
 * --costs prints the cost of each label in that many frames, as `vk-steps --costs' does.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "capture.h"
#include "steps.h"
#include "vk.h"

#define MAX_IMAGES	8

enum kind {
	DISPATCH,
	PASS,
	COPY,
};

/* A frame, in order. The amount: work groups; triangles. */
static const struct {
	const char *label;
	enum kind kind;
	unsigned int amount;
} workloads[] = {
	{ "particles", DISPATCH, 300 },
	{ "shadows", PASS, 12 },
	{ "opaque", PASS, 40 },
	{ "sky", PASS, 1 },
	{ "lights", DISPATCH, 256 },
	{ "bloom/down", DISPATCH, 128 },
	{ "bloom/blur", DISPATCH, 64 },
	{ "bloom/up", DISPATCH, 128 },
	{ "overlay", PASS, 6 },
	{ "screen", COPY, 0 },
};

struct screen {
	VkSurfaceKHR surface;
	VkSwapchainKHR swapchain;
	VkImage images[MAX_IMAGES];
	uint32_t count;
	VkSemaphore drawn;
	VkFence acquired;
};

static void print_costs(unsigned int frames)
{
	for (size_t i = 0; i < COUNT(counters); i++)
		printf("\t%s", counters[i].name);
	printf("\n");
	for (size_t i = 0; i < COUNT(workloads); i++) {
		const unsigned int amount = workloads[i].amount;

		printf("%s", workloads[i].label);
		if (workloads[i].kind == DISPATCH)
			printf("\t%u\t%u\t0\t0\t0\t0\n", frames, frames * WARPS(amount));
		else if (workloads[i].kind == PASS)
			printf("\t0\t0\t%u\t%u\t%u\t%u\n", frames, frames * amount, frames, frames * TILES);
		else
			printf("\t-\t-\t-\t-\t-\t-\n");
	}
}

static void create_screen(struct vk *vk, struct screen *screen)
{
	const VkHeadlessSurfaceCreateInfoEXT surface = {
		.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT,
	};
	const VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSwapchainCreateInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
		.imageFormat = VK_FORMAT_R8G8B8A8_UNORM,
		.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
		.imageExtent = { TARGET_SIZE, TARGET_SIZE },
		.imageArrayLayers = 1,
		.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
		.presentMode = VK_PRESENT_MODE_FIFO_KHR,
	};
	PFN_vkCreateHeadlessSurfaceEXT create_surface = (PFN_vkCreateHeadlessSurfaceEXT)
		vkGetInstanceProcAddr(vk->instance, "vkCreateHeadlessSurfaceEXT");
	VkSurfaceCapabilitiesKHR capabilities;
	VkBool32 supported = VK_FALSE;

	vk_check(create_surface(vk->instance, &surface, NULL, &screen->surface), "vkCreateHeadlessSurfaceEXT");
	vk_check(vkGetPhysicalDeviceSurfaceSupportKHR(vk->gpu, 0, screen->surface, &supported),
		 "vkGetPhysicalDeviceSurfaceSupportKHR");
	if (!supported)
		vk_check(VK_ERROR_INITIALIZATION_FAILED, "presenting");
	vk_check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(vk->gpu, screen->surface, &capabilities),
		 "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
	info.surface = screen->surface;
	info.minImageCount = capabilities.minImageCount;
	if (!(capabilities.supportedCompositeAlpha & info.compositeAlpha))
		info.compositeAlpha = VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
	vk_check(vkCreateSwapchainKHR(vk->device, &info, NULL, &screen->swapchain), "vkCreateSwapchainKHR");
	screen->count = MAX_IMAGES;
	vk_check(vkGetSwapchainImagesKHR(vk->device, screen->swapchain, &screen->count, screen->images),
		 "vkGetSwapchainImagesKHR");
	vk_check(vkCreateSemaphore(vk->device, &semaphore, NULL, &screen->drawn), "vkCreateSemaphore");
	vk_check(vkCreateFence(vk->device, &fence, NULL, &screen->acquired), "vkCreateFence");
}

static void destroy_screen(struct vk *vk, struct screen *screen)
{
	vkDestroyFence(vk->device, screen->acquired, NULL);
	vkDestroySemaphore(vk->device, screen->drawn, NULL);
	vkDestroySwapchainKHR(vk->device, screen->swapchain, NULL);
	vkDestroySurfaceKHR(vk->instance, screen->surface, NULL);
}

static void begin_label(struct vk *vk, VkCommandBuffer cmd, const char *name)
{
	const VkDebugUtilsLabelEXT label = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
		.pLabelName = name,
	};

	vk->begin_label(cmd, &label);
}

static void draw(struct vk *vk, VkCommandBuffer cmd, unsigned int triangles)
{
	const VkClearValue clear = { .color.float32 = { 0, 0.5f, 1, 1 } };
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = vk->render_pass,
		.framebuffer = vk->framebuffer,
		.renderArea = { { 0, 0 }, { TARGET_SIZE, TARGET_SIZE } },
		.clearValueCount = 1,
		.pClearValues = &clear,
	};

	vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdDraw(cmd, 3 * triangles, 1, 0, 0);
	vkCmdEndRenderPass(cmd);
}

static void change_layout(VkCommandBuffer cmd, VkImage image, VkImageLayout from, VkImageLayout to)
{
	const VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = from,
		.newLayout = to,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
			     0, NULL, 0, NULL, 1, &barrier);
}

static void copy(struct vk *vk, VkCommandBuffer cmd, VkImage image)
{
	static const VkImageCopy region = {
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.extent = { TARGET_SIZE, TARGET_SIZE, 1 },
	};

	change_layout(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyImage(cmd, vk->image, VK_IMAGE_LAYOUT_GENERAL, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
		       &region);
	change_layout(cmd, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

static void record(struct vk *vk, VkCommandBuffer cmd, VkImage image)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};

	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->compute);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &vk->set, 0, NULL);
	for (size_t i = 0; i < COUNT(workloads); i++) {
		begin_label(vk, cmd, workloads[i].label);
		switch (workloads[i].kind) {
		case DISPATCH:
			vkCmdDispatch(cmd, workloads[i].amount, 1, 1);
			break;
		case PASS:
			draw(vk, cmd, workloads[i].amount);
			break;
		case COPY:
			copy(vk, cmd, image);
			break;
		}
		vk->end_label(cmd);
		vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
				     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
	}
}

static void show_frame(struct vk *vk, struct screen *screen)
{
	VkCommandBuffer cmd;
	uint32_t image;
	const VkPresentInfoKHR present = {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &screen->drawn,
		.swapchainCount = 1,
		.pSwapchains = &screen->swapchain,
		.pImageIndices = &image,
	};

	vk_check(vkAcquireNextImageKHR(vk->device, screen->swapchain, TIMEOUT_NS, VK_NULL_HANDLE,
				       screen->acquired, &image), "vkAcquireNextImageKHR");
	vk_check(vkWaitForFences(vk->device, 1, &screen->acquired, VK_TRUE, TIMEOUT_NS), "vkWaitForFences");
	vk_check(vkResetFences(vk->device, 1, &screen->acquired), "vkResetFences");
	cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	record(vk, cmd, screen->images[image]);
	vk_end(vk, cmd);
	vk_submit(vk, vk->queues[0], &cmd, 1, NULL, 0, NULL, 1, &screen->drawn);
	vk_check(vkQueuePresentKHR(vk->queues[0], &present), "vkQueuePresentKHR");
	vk_wait(vk);
	vkFreeCommandBuffers(vk->device, vk->pool, 1, &cmd);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void pause_for(int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	if (ms)
		nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	struct vk vk = { .surface = true, .extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME };
	const bool costs = argc == 3 && !strcmp(argv[1], "--costs");
	struct screen screen = { 0 };
	const int frames = argc == 2 || argc == 3 ? atoi(argv[costs ? 2 : 1]) : 0;
	const int pause_ms = argc == 3 && !costs ? atoi(argv[2]) : 0;
	double begin;

	if (frames < 1) {
		fprintf(stderr, "usage: vk-frame FRAMES [PAUSE_MS]\n       vk-frame --costs FRAMES\n");
		return 2;
	}
	if (costs) {
		print_costs(frames);
		return 0;
	}
	vk_create_instance(&vk);
	vk_create_device(&vk);
	create_screen(&vk, &screen);
	begin = now_s();
	for (int i = 0; i < frames; i++) {
#ifdef CAPTURE
		if (i == CAPTURED_FRAME)
			capture_begin();
#endif
		show_frame(&vk, &screen);
#ifdef CAPTURE
		if (i == CAPTURED_FRAME)
			capture_end();
#endif
		pause_for(pause_ms);
	}
	printf("%d frames in %.6f s\n", frames, now_s() - begin);
	destroy_screen(&vk, &screen);
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
