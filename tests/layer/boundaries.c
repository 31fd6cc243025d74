// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * VK_EXT_frame_boundary on a driver that does not have it: the device has it while it is profiled,
 * and the driver gets nothing of it. A frame that is marked and presented counts once. With the
 * unit of frames, the driver gets all submissions in their calls.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"
#include "screen.h"

#define EXTENSION	"VK_EXT_frame_boundary"
#define NO_ID		UINT64_MAX

/* A submission with a label, which is the next row. */
struct frame {
	/* Its frame. */
	uint32_t number;

	/* Of VkFrameBoundaryEXT; NO_ID: no such structure. */
	uint64_t submit_id;

	/* Likewise of vkQueuePresentKHR. */
	uint64_t present_id;

	/* It is presented, before or behind the submission. */
	bool presented;
	bool before;

	/* The presentation waits for a semaphore of it. */
	bool waits;

	/* By vkQueueSubmit2 and vkQueueBindSparse. */
	bool second;
	bool sparse;

	/* Nothing is submitted: the presentation waits for the swapchain. */
	bool acquired;
};

static const struct frame frames[] = {
	/* Both have the same number: one frame. */
	{ .number = 0, .submit_id = 1, .present_id = 1, .presented = true, .waits = true },
	{ .number = 1, .submit_id = 2, .present_id = 2, .presented = true },
	/* The presentation has no structure, and belongs to what it waits for, or what came last. */
	{ .number = 2, .submit_id = 3, .present_id = NO_ID, .presented = true, .waits = true },
	{ .number = 3, .submit_id = 4, .present_id = NO_ID, .presented = true, .second = true },
	/* Only presented, only marked, by each call. */
	{ .number = 4, .submit_id = NO_ID, .present_id = NO_ID, .presented = true, .waits = true },
	{ .number = 5, .submit_id = NO_ID, .present_id = NO_ID, .presented = true },
	{ .number = 6, .submit_id = 5 },
	{ .number = 7, .submit_id = 6, .second = true },
	{ .number = 8, .submit_id = 7, .sparse = true },
	/* An application that does not number its frames. */
	{ .number = 9, .submit_id = 0 },
	{ .number = 10, .submit_id = 0 },
	{ .number = 11, .submit_id = NO_ID, .present_id = NO_ID, .presented = true },
	/* Other numbers: two frames. The submission belongs to the first one. */
	{ .number = 12, .submit_id = 8, .present_id = 9, .presented = true },
	/* It is presented before the last submission that names it. */
	{ .number = 15, .submit_id = 10, .present_id = 10, .presented = true, .before = true },
	/* The swapchain signals the semaphore that the end of a frame has signalled before. */
	{ .number = 15, .submit_id = 11, .present_id = 11, .presented = true, .waits = true },
	{ .number = 16, .submit_id = NO_ID, .present_id = NO_ID, .presented = true, .waits = true, .acquired = true },
	{ .number = 17, .submit_id = NO_ID, .present_id = NO_ID },
};

static VkCommandBuffer record(struct screen *screen)
{
	VkCommandBuffer cmd = app_begin(&screen->app);

	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

static void present(struct screen *screen, const struct frame *frame, uint32_t index,
		    const void *chain)
{
	const VkPresentInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.pNext = chain,
		.waitSemaphoreCount = frame->waits,
		.pWaitSemaphores = &screen->drawn,
		.swapchainCount = 1,
		.pSwapchains = &screen->swapchain,
		.pImageIndices = &index,
	};

	need(vkQueuePresentKHR(screen->app.queue, &info), "vkQueuePresentKHR");
}

static void submit(struct screen *screen, const struct frame *frame, VkCommandBuffer cmd, const void *chain)
{
	const VkCommandBufferSubmitInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = cmd,
	};
	const VkSemaphoreSubmitInfo drawn = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
		.semaphore = screen->drawn,
		.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = frame->sparse ? NULL : chain,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = frame->waits,
		.pSignalSemaphores = &screen->drawn,
	};
	const VkSubmitInfo2 info2 = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.pNext = chain,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &buffer,
		.signalSemaphoreInfoCount = frame->waits,
		.pSignalSemaphoreInfos = &drawn,
	};
	const VkBindSparseInfo sparse = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .pNext = chain,
	};

	if (frame->second)
		need(vkQueueSubmit2(screen->app.queue, 1, &info2, VK_NULL_HANDLE), "vkQueueSubmit2");
	else
		need(vkQueueSubmit(screen->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	if (frame->sparse)
		need(vkQueueBindSparse(screen->app.queue, 1, &sparse, VK_NULL_HANDLE), "vkQueueBindSparse");
}

static void present_acquired(struct screen *screen, const struct frame *frame)
{
	uint32_t index;

	need(vkAcquireNextImageKHR(screen->app.device, screen->swapchain, UINT64_MAX, screen->drawn, VK_NULL_HANDLE,
				   &index), "vkAcquireNextImageKHR");
	present(screen, frame, index, NULL);
	need(vkQueueWaitIdle(screen->app.queue), "vkQueueWaitIdle");
}

/* @marks: there is the extension. */
static void run_frame(struct screen *screen, const struct frame *frame, bool marks)
{
	const VkFrameBoundaryEXT boundaries[] = {
		{
			.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT,
			.flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT,
			.frameID = frame->submit_id,
		}, {
			.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT,
			.frameID = frame->present_id,
		},
	};
	const void *of_submit = marks && frame->submit_id != NO_ID ? &boundaries[0] : NULL;
	const void *of_present = marks && frame->present_id != NO_ID ? &boundaries[1] : NULL;
	VkCommandBuffer cmd = record(screen);
	VkImageMemoryBarrier layout = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	uint32_t index = 0;
	VkFence fence;

	if (frame->presented) {
		need(vkCreateFence(screen->app.device, &info, NULL, &fence), "vkCreateFence");
		need(vkAcquireNextImageKHR(screen->app.device, screen->swapchain, UINT64_MAX, VK_NULL_HANDLE, fence,
					   &index), "vkAcquireNextImageKHR");
		need(vkWaitForFences(screen->app.device, 1, &fence, VK_TRUE, TIMEOUT_NS), "vkWaitForFences");
		vkDestroyFence(screen->app.device, fence, NULL);
		layout.image = screen->images[index];
		need(vkResetCommandBuffer(cmd, 0), "vkResetCommandBuffer");
		need(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo) {
			VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL,
			VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, NULL,
		}), "vkBeginCommandBuffer");
		vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
				     NULL, 0, NULL, 1, &layout);
		app_end(cmd);
	}
	/* The layout comes first, without a structure. */
	if (frame->before) {
		submit(screen, frame, cmd, NULL);
		printf("frame submission %u\n", frame->number - 1);
		present(screen, frame, index, of_present);
	}
	submit(screen, frame, cmd, of_submit);
	printf("frame submission %u\n", frame->number);
	if (frame->presented && !frame->before)
		present(screen, frame, index, of_present);
	need(vkQueueWaitIdle(screen->app.queue), "vkQueueWaitIdle");
	vkFreeCommandBuffers(screen->app.device, screen->app.pool, 1, &cmd);
	check(true, "a frame");
}

static bool is_offered(struct app *app)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");
	const bool wanted = mode && !strcmp(mode, "profile");
	VkPhysicalDeviceFrameBoundaryFeaturesEXT own = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAME_BOUNDARY_FEATURES_EXT,
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &own,
	};
	const bool offered = app_has_extension(app, EXTENSION);

	vkGetPhysicalDeviceFeatures2(app->gpu, &features);
	check(offered == wanted, "the extension is there for a device that is profiled");
	check(own.frameBoundary == offered, "so is the feature");
	return offered;
}

/* The thread of the layer has submitted nothing. With other units it may. */
static bool is_direct(struct app *app)
{
	PFN_vkVoidFunction others = vkGetDeviceProcAddr(app->device, "vkTestOthers");
	const char *unit = getenv("PANTHOR_PERF_LAYER_UNIT");

	return others && (!unit || strcmp(unit, "frame") || !((uint32_t (*)(void))others)());
}

int main(void)
{
	static const VkPhysicalDeviceSynchronization2Features synchronization = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
		.synchronization2 = VK_TRUE,
	};
	static const VkPhysicalDeviceFrameBoundaryFeaturesEXT own = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAME_BOUNDARY_FEATURES_EXT,
		.pNext = (void *)&synchronization,
		.frameBoundary = VK_TRUE,
	};
	struct screen screen = {
		.app.instance_names = { SCREEN_INSTANCE_NAMES },
		.app.names = { VK_KHR_SWAPCHAIN_EXTENSION_NAME },
		.app.features = &synchronization,
	};
	const uint32_t last = frames[COUNT(frames) - 1].number;
	PFN_vkVoidFunction boundaries;
	bool marks;

	app_add_layer("VK_LAYER_TEST_spy");
	app_instance(&screen.app);
	marks = is_offered(&screen.app);
	if (marks) {
		screen.app.names[1] = EXTENSION;
		screen.app.features = &own;
	}
	app_device(&screen.app);
	screen_create(&screen);
	limit(LIMIT_S, "a frame");
	for (size_t i = 0; i < COUNT(frames); i++) {
		if (frames[i].acquired)
			present_acquired(&screen, &frames[i]);
		else
			run_frame(&screen, &frames[i], marks);
	}
	boundaries = vkGetDeviceProcAddr(screen.app.device, "vkTestBoundaries");
	check(boundaries && !((uint32_t (*)(void))boundaries)(), "the driver has got nothing of it");
	check(is_direct(&screen.app), "the driver has got them in the calls");
	/* The last one has not ended. */
	for (uint32_t i = 0; i <= last; i++)
		printf("row frame frame\nframe frame %u\nquality frame %s\n", i, i < last ? "exact" : "unfinished");
	limit(LIMIT_S, "the end");
	screen_destroy(&screen);
	app_finish(&screen.app);
	return 0;
}
