// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Calls that wait for what was submitted, and those that signal, share or end semaphores. */

#include <stdlib.h>
#include <time.h>

#include "chains.h"
#include "gpu.h"
#include "layer.h"
#include "semaphores.h"

#define NS_PER_S	UINT64_C(1000000000)
/* Period of the checks for any of several fences, while the driver does not have all of them. */
#define ANY_NS		UINT64_C(1000000)
/*
 * Period of the checks for a lost device. The driver may have refused the submission that signals:
 * then its wait does not end by itself.
 */
#define LOST_NS		UINT64_C(100000000)

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Waits as vkWaitForFences() of the driver, which has what signals the fences. */
static VkResult wait_for_fences(struct device *device, uint32_t count, const VkFence *fences,
				VkBool32 all, uint64_t timeout)
{
	const uint64_t begin = now_ns(CLOCK_MONOTONIC);
	VkResult result;
	uint64_t rest;

	do {
		const uint64_t passed = now_ns(CLOCK_MONOTONIC) - begin;

		rest = passed < timeout ? timeout - passed : 0;
		result = device->vk.WaitForFences(device->handle, count, fences, all,
						  rest < LOST_NS ? rest : LOST_NS);
		if (result == VK_TIMEOUT && device->lost != VK_SUCCESS)
			result = VK_ERROR_DEVICE_LOST;
	} while (result == VK_TIMEOUT && rest > LOST_NS);
	return result;
}

/* ---- Queues ---- */

/*
 * Waits for the end of what the driver has of a queue. The queue is not kept meanwhile: the thread
 * may have to put in order what this waits for.
 */
static VkResult wait_idle(struct device *device, struct queue *queue)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkResult result;
	VkFence fence;

	gpu_wait_queue(device->gpu, queue);
	result = device->vk.CreateFence(device->handle, &info, NULL, &fence);
	if (result != VK_SUCCESS)
		return result;
	queue_begin_call(queue);
	result = device->vk.QueueSubmit(queue->handle, 0, NULL, fence);
	queue_end_call(queue);
	if (result == VK_SUCCESS)
		result = wait_for_fences(device, 1, &fence, VK_TRUE, UINT64_MAX);
	/* That of a lost device may be pending. */
	if (device->lost != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	device->vk.DestroyFence(device->handle, fence, NULL);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueWaitIdle(VkQueue handle)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);

	return queue ? wait_idle(device, queue) : device->vk.QueueWaitIdle(handle);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_DeviceWaitIdle(VkDevice handle)
{
	struct device *device = device_of(handle);
	VkResult result = VK_SUCCESS;
	struct queue *queue;

	pthread_mutex_lock(&device->lock);
	queue = device->queues;
	pthread_mutex_unlock(&device->lock);
	for (; queue && result == VK_SUCCESS; queue = queue->next)
		result = wait_idle(device, queue);
	return result;
}

/* ---- Semaphores and fences ---- */

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateSemaphore(VkDevice handle,
							    const VkSemaphoreCreateInfo *info,
							    const VkAllocationCallbacks *allocator,
							    VkSemaphore *semaphore)
{
	struct device *device = device_of(handle);
	const VkSemaphoreTypeCreateInfo *type =
		chain_find(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
	VkResult result = device->vk.CreateSemaphore(handle, info, allocator, semaphore);
	bool timeline;

	if (result != VK_SUCCESS)
		return result;
	timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
	if (semaphores_add(device, *semaphore, timeline,
			   timeline ? type->initialValue : 0))
		return VK_SUCCESS;
	device->vk.DestroySemaphore(handle, *semaphore, allocator);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
							 const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);

	semaphores_remove(device, semaphore);
	device->vk.DestroySemaphore(handle, semaphore, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_SignalSemaphore(VkDevice handle,
							    const VkSemaphoreSignalInfo *info)
{
	struct device *device = device_of(handle);
	VkResult result = (device->vk.SignalSemaphore ? device->vk.SignalSemaphore :
			   device->vk.SignalSemaphoreKHR)(handle, info);

	if (result == VK_SUCCESS)
		semaphores_signalled(device, info->semaphore, info->value);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_WaitSemaphores(VkDevice handle,
							   const VkSemaphoreWaitInfo *info,
							   uint64_t timeout)
{
	const uint64_t begin = now_ns(CLOCK_MONOTONIC);
	struct device *device = device_of(handle);
	VkResult result;
	uint64_t rest;

	do {
		const uint64_t passed = now_ns(CLOCK_MONOTONIC) - begin;

		if (device->lost != VK_SUCCESS)
			return VK_ERROR_DEVICE_LOST;
		rest = passed < timeout ? timeout - passed : 0;
		result = (device->vk.WaitSemaphores ? device->vk.WaitSemaphores :
			  device->vk.WaitSemaphoresKHR)(handle, info,
							rest < LOST_NS ? rest : LOST_NS);
	} while (result == VK_TIMEOUT && rest > LOST_NS);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR *info)
{
	struct device *device = device_of(handle);
	const VkSemaphore semaphore = info->semaphore;
	const bool lasts =
		info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT &&
		!(info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
	/* The driver owns the file when it has returned. */
	const uint32_t syncobj = lasts ? semaphores_import(device, info->fd) : 0;
	VkResult result = device->vk.ImportSemaphoreFdKHR(handle, info);

	if (result != VK_SUCCESS)
		semaphores_drop(device, syncobj);
	else if (lasts)
		semaphores_share(device, semaphore, syncobj);
	else
		semaphores_replace(device, semaphore, true);
	return result;
}

/*
 * What is exported is what was submitted. Others may wait for a point of a timeline before it is
 * submitted, but not for a binary semaphore.
 */
static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR *info, int *fd)
{
	struct device *device = device_of(handle);
	VkResult result;

	if (semaphores_is_binary(device, info->semaphore))
		gpu_flush(device->gpu, device, NULL, &info->semaphore, 1, VK_NULL_HANDLE);
	result = device->vk.GetSemaphoreFdKHR(handle, info, fd);
	if (result != VK_SUCCESS)
		return result;
	if (info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		semaphores_share(device, info->semaphore, semaphores_import(device, *fd));
	else
		/* It counts as a wait. */
		semaphores_replace(device, info->semaphore, false);
	return result;
}

/*
 * Waits for an image as the driver does. The images of presentations that the driver has refused do
 * not come back.
 */
static VkResult acquire(struct device *device, const VkAcquireNextImageInfoKHR *info, bool by_info,
			uint32_t *index)
{
	const uint64_t begin = now_ns(CLOCK_MONOTONIC);
	VkAcquireNextImageInfoKHR own = *info;
	VkResult result;
	uint64_t rest;

	do {
		const uint64_t passed = now_ns(CLOCK_MONOTONIC) - begin;

		if (device->lost != VK_SUCCESS)
			return VK_ERROR_DEVICE_LOST;
		rest = passed < info->timeout ? info->timeout - passed : 0;
		own.timeout = rest < LOST_NS ? rest : LOST_NS;
		result = by_info ?
			device->vk.AcquireNextImage2KHR(device->handle, &own, index) :
			device->vk.AcquireNextImageKHR(device->handle, own.swapchain, own.timeout,
						       own.semaphore, own.fence, index);
		/* Some surfaces of Mesa have the second result for all times. */
	} while ((result == VK_TIMEOUT || result == VK_NOT_READY) && rest > LOST_NS);
	if (result == VK_NOT_READY && info->timeout && !own.timeout)
		result = VK_TIMEOUT;
	/* The swapchain signals the semaphore, and no submission, if there is an image. */
	if ((result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) && info->semaphore)
		semaphores_replace(device, info->semaphore, true);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AcquireNextImageKHR(VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout,
			  VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
	const VkAcquireNextImageInfoKHR info = {
		.swapchain = swapchain,
		.timeout = timeout,
		.semaphore = semaphore,
		.fence = fence,
	};

	return acquire(device_of(handle), &info, false, index);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AcquireNextImage2KHR(VkDevice handle, const VkAcquireNextImageInfoKHR *info, uint32_t *index)
{
	return acquire(device_of(handle), info, true, index);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_GetFenceFdKHR(VkDevice handle,
							  const VkFenceGetFdInfoKHR *info, int *fd)
{
	struct device *device = device_of(handle);

	if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
		gpu_flush(device->gpu, device, NULL, NULL, 0, info->fence);
	return device->vk.GetFenceFdKHR(handle, info, fd);
}

/*
 * A fence that the thread will hand to the driver has not signalled. Nothing will signal that of a
 * submission that the driver has refused.
 */
static VKAPI_ATTR VkResult VKAPI_CALL layer_GetFenceStatus(VkDevice handle, VkFence fence)
{
	struct device *device = device_of(handle);
	VkResult result = VK_NOT_READY;

	if (!gpu_is_fence_pending(device->gpu, device, fence))
		result = device->vk.GetFenceStatus(handle, fence);
	return result == VK_NOT_READY && device->lost != VK_SUCCESS ? VK_ERROR_DEVICE_LOST : result;
}

/* Any of several fences: those that the driver has, for a short time, and then once more. */
static VkResult wait_any(struct device *device, const VkFence *fences, uint32_t count,
			 uint64_t timeout)
{
	const uint64_t begin = now_ns(CLOCK_MONOTONIC);
	VkFence *there = calloc(count, sizeof(*there));
	VkResult result = VK_TIMEOUT;

	if (!there)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	while (result == VK_TIMEOUT) {
		const uint64_t passed = now_ns(CLOCK_MONOTONIC) - begin;
		uint64_t rest = passed < timeout ? timeout - passed : 0;
		const bool last = !rest;
		uint32_t has = 0;

		for (uint32_t i = 0; i < count; i++) {
			if (!gpu_is_fence_pending(device->gpu, device, fences[i]))
				there[has++] = fences[i];
		}
		if (has < count && rest > ANY_NS)
			rest = ANY_NS;
		if (has)
			result = wait_for_fences(device, has, there, VK_FALSE, rest);
		else
			nanosleep(&(struct timespec) { .tv_nsec = rest }, NULL);
		if (device->lost != VK_SUCCESS && result == VK_TIMEOUT)
			result = VK_ERROR_DEVICE_LOST;
		if (last)
			break;
	}
	free(there);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_WaitForFences(VkDevice handle, uint32_t count,
							  const VkFence *fences, VkBool32 all,
							  uint64_t timeout)
{
	const uint64_t begin = now_ns(CLOCK_MONOTONIC);
	struct device *device = device_of(handle);
	const uint64_t end = now_ns(CLOCK_REALTIME) + timeout;
	const struct timespec limit = { end / NS_PER_S, end % NS_PER_S };
	uint64_t passed;

	if (!all && count > 1)
		return wait_any(device, fences, count, timeout);
	/* A time in the far future is none. */
	if (!gpu_wait_fences(device->gpu, device, fences, count,
			     timeout > INT64_MAX / 2 ? NULL : &limit))
		return VK_TIMEOUT;
	/* Nothing will signal the fences of a submission that the driver has refused. */
	if (device->lost != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	passed = now_ns(CLOCK_MONOTONIC) - begin;
	return wait_for_fences(device, count, fences, all,
			       passed < timeout ? timeout - passed : 0);
}

/**
 * waits_query_results() - Results of a pool of the driver
 * @device: The device.
 * @pool: The pool.
 * @first: First query.
 * @count: Number of queries.
 * @size: Bytes of @data.
 * @data: Where the results go.
 * @stride: Bytes from one result to the next.
 * @flags: Flags of vkGetQueryPoolResults().
 *
 * The driver waits for what it has. A wait for results is for those of submissions that are on
 * their way, too.
 *
 * Return: as vkGetQueryPoolResults().
 */
VkResult waits_query_results(struct device *device, VkQueryPool pool, uint32_t first,
			     uint32_t count, size_t size, void *data, VkDeviceSize stride,
			     VkQueryResultFlags flags)
{
	VkResult result = VK_NOT_READY;

	/* Without a wait for what is not there, no value is read that is partial. */
	while (flags & VK_QUERY_RESULT_WAIT_BIT && result == VK_NOT_READY &&
	       device->lost == VK_SUCCESS) {
		result = device->vk.GetQueryPoolResults(device->handle, pool, first, count, size,
							data, stride,
							flags & ~(VK_QUERY_RESULT_WAIT_BIT |
								  VK_QUERY_RESULT_PARTIAL_BIT));
		if (result == VK_NOT_READY && !gpu_wait_some(device->gpu, device))
			break;
	}
	if (result != VK_NOT_READY)
		return result;
	return device->lost != VK_SUCCESS ? VK_ERROR_DEVICE_LOST :
	       device->vk.GetQueryPoolResults(device->handle, pool, first, count, size, data,
					      stride, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetQueryPoolResults(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count,
			  size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
	return waits_query_results(device_of(handle), pool, first, count, size, data, stride,
				   flags);
}

static const struct function functions[] = {
	FUNCTION(AcquireNextImage2KHR),
	FUNCTION(AcquireNextImageKHR),
	FUNCTION(CreateSemaphore),
	FUNCTION(DestroySemaphore),
	FUNCTION(DeviceWaitIdle),
	FUNCTION(GetFenceFdKHR),
	FUNCTION(GetFenceStatus),
	FUNCTION(GetQueryPoolResults),
	FUNCTION(GetSemaphoreFdKHR),
	FUNCTION(ImportSemaphoreFdKHR),
	FUNCTION(QueueWaitIdle),
	FUNCTION(SignalSemaphore),
	FUNCTION(WaitForFences),
	FUNCTION(WaitSemaphores),
	FUNCTION_AS(SignalSemaphoreKHR, SignalSemaphore),
	FUNCTION_AS(WaitSemaphoresKHR, WaitSemaphores),
};

/** waits_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction waits_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
