// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The layer's copies of the structures of submissions: what is copied does not depend on the application's memory any longer.
 * A copy has memory of exactly the size that was counted before, so that ASan sees what is behind it.
 */

#include <stdlib.h>
#include <string.h>

#include "../../tools/vulkan-layer/chains.c"

#include "app.h"
#include "limit.h"

#define SEMAPHORE(n)	((VkSemaphore)(uintptr_t)(n))

/* To be freed. *@unknown: a structure was not known. */
static void *copy_of(const void *chain, bool *unknown)
{
	struct chain_copy counted = { 0 }, copy = { 0 };
	void *memory;

	chain_copy(&counted, chain);
	memory = malloc(counted.size);
	copy.memory = memory;
	chain_copy(&copy, chain);
	*unknown = copy.unknown;
	if (copy.size != counted.size)
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "the size that was counted");
	return memory;
}

static void copy_submission(void)
{
	uint64_t waits[] = { 1, 2 }, signals[] = { 3 };
	uint32_t indices[] = { 4, 5 }, masks[] = { 6, 7, 8 };
	VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 2,
		.pWaitSemaphoreValues = waits,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = signals,
	};
	VkProtectedSubmitInfo protected = {
		.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
		.pNext = &points,
		.protectedSubmit = VK_TRUE,
	};
	/* Without elements a pointer may be any. */
	VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.pNext = &protected,
		.waitSemaphoreCount = 2,
		.pWaitSemaphoreDeviceIndices = indices,
		.commandBufferCount = 3,
		.pCommandBufferDeviceMasks = masks,
		.signalSemaphoreCount = 0,
		.pSignalSemaphoreDeviceIndices = (void *)8,
	};
	const VkTimelineSemaphoreSubmitInfo *found;
	VkDeviceGroupSubmitInfo *copy;
	bool unknown;

	copy = copy_of(&group, &unknown);
	memset(&group, 0xa5, sizeof(group));
	memset(&protected, 0xa5, sizeof(protected));
	memset(&points, 0xa5, sizeof(points));
	memset(waits, 0xa5, sizeof(waits));
	memset(signals, 0xa5, sizeof(signals));
	memset(indices, 0xa5, sizeof(indices));
	memset(masks, 0xa5, sizeof(masks));
	check(!unknown && copy->pWaitSemaphoreDeviceIndices[1] == 5 &&
	      copy->pCommandBufferDeviceMasks[2] == 8 && !copy->pSignalSemaphoreDeviceIndices,
	      "VkDeviceGroupSubmitInfo");
	check(((const VkProtectedSubmitInfo *)copy->pNext)->protectedSubmit,
	      "VkProtectedSubmitInfo");
	found = chain_find(copy, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
	check(found && !found->pNext && found->pWaitSemaphoreValues[1] == 2 &&
	      found->pSignalSemaphoreValues[0] == 3, "VkTimelineSemaphoreSubmitInfo");
	free(copy);
}

static void copy_sparse(void)
{
	VkSparseMemoryBind binds[] = { { .size = 1 }, { .size = 2 }, { .size = 3 } };
	VkSparseImageMemoryBind image_bind = { .extent = { 4, 5, 6 } };
	VkSparseBufferMemoryBindInfo buffers[] = { { .bindCount = 2, .pBinds = binds },
						   { .bindCount = 1, .pBinds = &binds[2] } };
	VkSparseImageOpaqueMemoryBindInfo opaque = { .bindCount = 3, .pBinds = binds };
	VkSparseImageMemoryBindInfo image = { .bindCount = 1, .pBinds = &image_bind };
	VkSemaphore semaphores[] = { SEMAPHORE(7), SEMAPHORE(8) };
	VkDeviceGroupBindSparseInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_BIND_SPARSE_INFO,
		.memoryDeviceIndex = 9,
	};
	VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = &group,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = semaphores,
		.bufferBindCount = 2,
		.pBufferBinds = buffers,
		.imageOpaqueBindCount = 1,
		.pImageOpaqueBinds = &opaque,
		.imageBindCount = 1,
		.pImageBinds = &image,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = semaphores + 1,
	};
	VkBindSparseInfo *copy;
	bool unknown;

	copy = copy_of(&info, &unknown);
	memset(&info, 0xa5, sizeof(info));
	memset(&group, 0xa5, sizeof(group));
	memset(buffers, 0xa5, sizeof(buffers));
	memset(binds, 0xa5, sizeof(binds));
	memset(&opaque, 0xa5, sizeof(opaque));
	memset(&image, 0xa5, sizeof(image));
	memset(&image_bind, 0xa5, sizeof(image_bind));
	memset(semaphores, 0xa5, sizeof(semaphores));
	check(!unknown && copy->pWaitSemaphores[0] == SEMAPHORE(7) &&
	      copy->pSignalSemaphores[0] == SEMAPHORE(8), "semaphores of VkBindSparseInfo");
	check(copy->pBufferBinds[0].pBinds[1].size == 2 && copy->pBufferBinds[1].pBinds[0].size == 3,
	      "VkSparseBufferMemoryBindInfo");
	check(copy->pImageOpaqueBinds[0].pBinds[2].size == 3, "VkSparseImageOpaqueMemoryBindInfo");
	check(copy->pImageBinds[0].pBinds[0].extent.depth == 6, "VkSparseImageMemoryBindInfo");
	check(((const VkDeviceGroupBindSparseInfo *)copy->pNext)->memoryDeviceIndex == 9,
	      "VkDeviceGroupBindSparseInfo");
	free(copy);
}

/* Structures that are newer than the headers of Debian 12. */
static void copy_newer(void)
{
	char tag[] = "tag";
	uint64_t images[] = { 1, 2 };
	struct newer_VkFrameBoundaryEXT boundary = {
		.sType = 1000375001,
		.flags = 1,
		.frameID = 12,
		.imageCount = 2,
		.pImages = images,
		.tagSize = sizeof(tag),
		.pTag = tag,
	};
	VkSemaphoreSubmitInfo stripes[] = {
		{ .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = SEMAPHORE(3) },
		{ .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = SEMAPHORE(4) },
	};
	struct newer_VkRenderPassStripeSubmitInfoARM striped = {
		.sType = 1000424004,
		.pNext = &boundary,
		.stripeSemaphoreInfoCount = 2,
		.pStripeSemaphoreInfos = stripes,
	};
	const struct newer_VkFrameBoundaryEXT *found;
	struct newer_VkRenderPassStripeSubmitInfoARM *copy;
	uint64_t id = 0;
	bool unknown;

	check(chain_ends_frame(&striped, &id) && id == 12, "the end of a frame");
	boundary.flags = 0;
	check(!chain_ends_frame(&striped, &id), "no end of a frame");
	check(chain_frame(&striped, &id) && id == 12, "the number of a frame");
	copy = copy_of(&striped, &unknown);
	memset(&striped, 0xa5, sizeof(striped));
	memset(&boundary, 0xa5, sizeof(boundary));
	memset(stripes, 0xa5, sizeof(stripes));
	memset(images, 0xa5, sizeof(images));
	memset(tag, 0xa5, sizeof(tag));
	check(!unknown && copy->pStripeSemaphoreInfos[1].semaphore == SEMAPHORE(4),
	      "VkRenderPassStripeSubmitInfoARM");
	found = copy->pNext;
	check(found->pImages[1] == 2 && !strcmp(found->pTag, "tag") && chain_is_boundary(found),
	      "VkFrameBoundaryEXT");
	check(chain_remove_boundaries(copy) && !copy->pNext && !chain_remove_boundaries(copy),
	      "the copy without it");
	free(copy);
}

/* What is behind a structure that is not known is the application's. */
static void copy_unknown(void)
{
	VkProtectedSubmitInfo last = { .sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO };
	struct unknown unknown = { UNKNOWN_TYPE, &last };
	VkProtectedSubmitInfo first = {
		.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO, .pNext = &unknown,
	};
	VkSemaphoreSubmitInfo stripe = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .pNext = &unknown,
	};
	struct newer_VkRenderPassStripeSubmitInfoARM striped = {
		.sType = 1000424004,
		.stripeSemaphoreInfoCount = 1,
		.pStripeSemaphoreInfos = &stripe,
	};
	struct newer_VkRenderPassStripeSubmitInfoARM *within;
	struct chain_copy none = { 0 };
	VkProtectedSubmitInfo *copy;
	bool is_unknown;

	copy = copy_of(&first, &is_unknown);
	check(is_unknown && copy != &first && copy->pNext == &unknown &&
	      chain_find(copy, last.sType) == copy && unknown.next == &last,
	      "an unknown structure behind a known one");
	free(copy);
	within = copy_of(&striped, &is_unknown);
	check(is_unknown && within->pStripeSemaphoreInfos != &stripe &&
	      within->pStripeSemaphoreInfos->pNext == &unknown, "an unknown structure within one");
	free(within);
	check(chain_copy(&none, &unknown) == &unknown && none.unknown && !none.size,
	      "an unknown structure alone");
	none.unknown = false;
	check(!chain_copy(&none, NULL) && !none.unknown, "no structure");
}

int main(void)
{
	copy_submission();
	copy_sparse();
	copy_newer();
	copy_unknown();
	return 0;
}
