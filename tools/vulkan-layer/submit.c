// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Calls that submit work, or that must not come before work that was submitted.
 *
 * The thread of the GPU submits later than the application's call, so that what a call refers to is
 * copied. A submission with a structure that is not known in its chain cannot be copied: it is
 * handed to the driver as it is, behind what came before, and is not profiled.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "gpu.h"
#include "labels.h"
#include "layer.h"
#include "settings.h"
#include "split.h"

#define NS_PER_S	UINT64_C(1000000000)
/* Period of the checks for any of several fences, while the driver does not have all of them. */
#define ANY_NS		UINT64_C(1000000)

static struct submission *alloc_submission(struct queue *queue, uint32_t waits, uint32_t works,
					   uint32_t signals)
{
	const size_t size = ALIGNED(sizeof(struct submission));
	struct submission *submission = calloc(1, size + (waits + signals) *
					       sizeof(struct semaphore_op) +
					       works * sizeof(struct work));

	if (!submission)
		return NULL;
	submission->queue = queue;
	submission->waits = (void *)((char *)submission + size);
	submission->signals = submission->waits + waits;
	submission->works = (void *)(submission->signals + signals);
	submission->wait_count = waits;
	submission->work_count = works;
	submission->signal_count = signals;
	submission->frame = queue->device->frame;
	submission->profiled = settings_get()->mode == MODE_PROFILE &&
			       settings_frame(settings_get(), submission->frame);
	if (submission->profiled)
		submission->label = labels_of_queue(queue);
	return submission;
}

/* Number of command buffers that the driver has for one of the application. */
static uint32_t count_parts(struct device *device, VkCommandBuffer handle)
{
	const struct cmd *cmd = commands_find(device, handle);

	return cmd ? cmd->part_count : 1;
}

/* Adds the parts of a command buffer. Returns their number. */
static uint32_t add_works(struct submission *submission, uint32_t first, VkCommandBuffer handle)
{
	const struct cmd *cmd = commands_find(submission->queue->device, handle);
	struct work *work = &submission->works[first];
	unsigned int event = submission->query_events.count;

	if (!cmd) {
		work->cmd = handle;
		work->works = true;
		return 1;
	}
	query_events_copy(&submission->query_events, &cmd->events, first);
	for (unsigned int i = 0; i < cmd->part_count; i++, work++) {
		const struct part *part = &cmd->parts[i];

		work->cmd = part->handle;
		work->works = part->works;
		work->joined = part->joined;
		work->query = part->query;
		if (part->query.pool) {
			query_submitted(&work->query);
			submission->profiled = true;
		}
		query_events_submit(&submission->query_events, first + i, &event);
		if (submission->profiled)
			work->label = labels_of_part(submission->queue, cmd, part);
	}
	labels_carry(submission->queue, cmd);
	return cmd->part_count;
}

#ifdef VK_EXT_frame_boundary
static bool is_frame_boundary(const VkBaseInStructure *at)
{
	return at->sType == VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT;
}

static bool ends_frame(const VkBaseInStructure *at)
{
	return ((const VkFrameBoundaryEXT *)at)->flags & VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT;
}
#else
/* Headers before 1.3.253 have no frames. */
static bool is_frame_boundary(const VkBaseInStructure *at)
{
	return false;
}

static bool ends_frame(const VkBaseInStructure *at)
{
	return false;
}
#endif

/*
 * Are all structures of the chain known? Those of frames have no effect but on tools. *@layers:
 * there is one that the driver must not get.
 */
static bool is_known(const void *chain, const VkTimelineSemaphoreSubmitInfo **points, bool *frame,
		     bool *layers)
{
	for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
			*points = (const void *)at;
		else if (at->sType == VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR)
			*layers = true;
		else if (is_frame_boundary(at))
			*frame |= ends_frame(at);
		else
			return false;
	}
	return true;
}

/* *@known: the whole of it could be copied, so that it may be submitted later. */
static struct submission *copy_submission(struct queue *queue, const VkSubmitInfo *info,
					  bool *known)
{
	const VkTimelineSemaphoreSubmitInfo *points = NULL;
	struct submission *submission;
	uint32_t works = 0, at = 0;
	bool frame = false;

	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		works += count_parts(queue->device, info->pCommandBuffers[i]);
	submission = alloc_submission(queue, info->waitSemaphoreCount, works,
				      info->signalSemaphoreCount);
	if (!submission)
		return NULL;
	submission->split = works != info->commandBufferCount;
	*known &= is_known(info->pNext, &points, &frame, &submission->split);
	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
		submission->waits[i].semaphore = info->pWaitSemaphores[i];
		submission->waits[i].stages = info->pWaitDstStageMask[i];
		if (points && i < points->waitSemaphoreValueCount)
			submission->waits[i].value = points->pWaitSemaphoreValues[i];
	}
	for (uint32_t i = 0; i < info->signalSemaphoreCount; i++) {
		submission->signals[i].semaphore = info->pSignalSemaphores[i];
		if (points && i < points->signalSemaphoreValueCount)
			submission->signals[i].value = points->pSignalSemaphoreValues[i];
	}
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		at += add_works(submission, at, info->pCommandBuffers[i]);
	if (frame)
		queue->device->frame++;
	return submission;
}

static struct submission *copy_submission2(struct queue *queue, const VkSubmitInfo2 *info,
					   bool *known)
{
	const VkTimelineSemaphoreSubmitInfo *points = NULL;
	struct submission *submission;
	uint32_t works = 0, at = 0;
	bool frame = false;

	for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
		works += count_parts(queue->device, info->pCommandBufferInfos[i].commandBuffer);
	submission = alloc_submission(queue, info->waitSemaphoreInfoCount, works,
				      info->signalSemaphoreInfoCount);
	if (!submission)
		return NULL;
	submission->version2 = true;
	submission->split = works != info->commandBufferInfoCount;
	*known &= is_known(info->pNext, &points, &frame, &submission->split) && !info->flags;
	for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++) {
		const VkSemaphoreSubmitInfo *wait = &info->pWaitSemaphoreInfos[i];

		submission->waits[i] = (struct semaphore_op) {
			wait->semaphore, wait->value, wait->stageMask,
		};
		*known &= !wait->pNext && !wait->deviceIndex;
	}
	for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++) {
		const VkSemaphoreSubmitInfo *signal = &info->pSignalSemaphoreInfos[i];

		submission->signals[i] = (struct semaphore_op) {
			signal->semaphore, signal->value, signal->stageMask,
		};
		*known &= !signal->pNext && !signal->deviceIndex;
	}
	for (uint32_t i = 0; i < info->commandBufferInfoCount; i++) {
		const VkCommandBufferSubmitInfo *cmd = &info->pCommandBufferInfos[i];

		at += add_works(submission, at, cmd->commandBuffer);
		*known &= !cmd->pNext && cmd->deviceMask <= 1;
	}
	if (frame)
		queue->device->frame++;
	return submission;
}

static void free_submissions(struct submission *first)
{
	while (first) {
		struct submission *next = first->next;

		submission_free(first);
		first = next;
	}
}

/* Submissions of one call, and what the call itself would do. */
struct call {
	struct device *device;
	struct queue *queue;
	VkQueue handle;
	uint32_t count;
	const VkSubmitInfo *infos;
	const VkSubmitInfo2 *infos2;
	VkFence fence;
};

static VkResult call_driver(const struct call *call)
{
	struct device *device = call->device;
	VkResult result;

	queue_begin_call(call->queue);
	if (!call->infos2)
		result = device->vk.QueueSubmit(call->handle, call->count, call->infos,
						call->fence);
	else
		result = (device->vk.QueueSubmit2 ? device->vk.QueueSubmit2 :
			  device->vk.QueueSubmit2KHR)(call->handle, call->count, call->infos2,
						      call->fence);
	queue_end_call(call->queue);
	return result;
}

/* The application's own call, behind all that came before, and in no order with samples. */
static VkResult call_now(const struct call *call, const struct submission *first)
{
	struct device *device = call->device;

	for (const struct submission *at = first; at; at = at->next) {
		for (uint32_t i = 0; i < at->wait_count; i++)
			gpu_wait_signal(device->gpu, device, at->waits[i].semaphore,
					VK_NULL_HANDLE);
	}
	gpu_wait_queue(device->gpu, call->queue);
	for (const struct submission *at = first; at; at = at->next)
		gpu_begin_direct(device->gpu, at, true);
	return call_driver(call);
}

static void say_unknown(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&said))
		say("submissions with an extension that the layer does not know are not profiled");
}

static VkResult submit_all(const struct call *call)
{
	struct device *device = call->device;
	struct submission *first = NULL, **last = &first;
	bool known = true, later = false;
	VkResult result = VK_SUCCESS;

	if (device->lost != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	if (!call->queue)
		return call_driver(call);
	for (uint32_t i = 0; i < call->count; i++) {
		*last = call->infos2 ? copy_submission2(call->queue, &call->infos2[i], &known) :
				       copy_submission(call->queue, &call->infos[i], &known);
		if (!*last) {
			free_submissions(first);
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		}
		/* The application's structures have only the first part of a command buffer. */
		later |= (*last)->split;
		(*last)->fence = i + 1 == call->count ? call->fence : VK_NULL_HANDLE;
		later |= (*last)->profiled;
		last = &(*last)->next;
	}
	/* A fence alone. */
	if (!first) {
		first = alloc_submission(call->queue, 0, 0, 0);
		if (!first)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		first->fence = call->fence;
	}
	if (!known)
		say_unknown();
	for (const struct submission *at = first; at && !later; at = at->next)
		later = !gpu_begin_direct(device->gpu, at, false);
	if (known && later) {
		gpu_enqueue(device->gpu, first);
		return VK_SUCCESS;
	}
	result = known ? call_driver(call) : call_now(call, first);
	for (const struct submission *at = first; at && result == VK_SUCCESS; at = at->next)
		gpu_submitted(device->gpu, at);
	free_submissions(first);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit(VkQueue handle, uint32_t count,
							const VkSubmitInfo *infos, VkFence fence)
{
	struct device *device = device_of(handle);
	const struct call call = {
		device, queue_of(device, handle), handle, count, infos, NULL, fence,
	};

	return submit_all(&call);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit2(VkQueue handle, uint32_t count,
							 const VkSubmitInfo2 *infos, VkFence fence)
{
	static const VkSubmitInfo2 none;
	struct device *device = device_of(handle);
	const struct call call = {
		device, queue_of(device, handle), handle, count, NULL, infos ? infos : &none, fence,
	};

	return submit_all(&call);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueBindSparse(VkQueue handle, uint32_t count,
							    const VkBindSparseInfo *infos,
							    VkFence fence)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);
	VkResult result;

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < infos[i].waitSemaphoreCount; n++)
			gpu_wait_signal(device->gpu, device, infos[i].pWaitSemaphores[n],
					VK_NULL_HANDLE);
	}
	if (queue)
		gpu_wait_queue(device->gpu, queue);
	queue_begin_call(queue);
	result = device->vk.QueueBindSparse(handle, count, infos, fence);
	queue_end_call(queue);
	for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
		const VkTimelineSemaphoreSubmitInfo *points = NULL;
		bool frame, layers;

		is_known(infos[i].pNext, &points, &frame, &layers);
		for (uint32_t n = 0; points && n < infos[i].signalSemaphoreCount &&
		     n < points->signalSemaphoreValueCount; n++)
			gpu_signalled(device->gpu, device, infos[i].pSignalSemaphores[n],
				      points->pSignalSemaphoreValues[n]);
	}
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueuePresentKHR(VkQueue handle,
							    const VkPresentInfoKHR *info)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);
	VkResult result;

	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
		gpu_wait_signal(device->gpu, device, info->pWaitSemaphores[i], VK_NULL_HANDLE);
	queue_begin_call(queue);
	result = device->vk.QueuePresentKHR(handle, info);
	queue_end_call(queue);
	device->frame++;
	return result;
}

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
		result = device->vk.WaitForFences(device->handle, 1, &fence, VK_TRUE, UINT64_MAX);
	device->vk.DestroyFence(device->handle, fence, NULL);
	return result == VK_SUCCESS && device->lost != VK_SUCCESS ? VK_ERROR_DEVICE_LOST : result;
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
	VkResult result = device->vk.CreateSemaphore(handle, info, allocator, semaphore);

	if (result != VK_SUCCESS)
		return result;
	for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
		const VkSemaphoreTypeCreateInfo *type = (const void *)at;

		if (at->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO &&
		    type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE)
			gpu_add_semaphore(device->gpu, device, *semaphore, type->initialValue);
	}
	return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
							 const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);

	gpu_remove_semaphore(device->gpu, device, semaphore);
	device->vk.DestroySemaphore(handle, semaphore, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_SignalSemaphore(VkDevice handle,
							    const VkSemaphoreSignalInfo *info)
{
	struct device *device = device_of(handle);
	VkResult result = (device->vk.SignalSemaphore ? device->vk.SignalSemaphore :
			   device->vk.SignalSemaphoreKHR)(handle, info);

	if (result == VK_SUCCESS)
		gpu_signalled(device->gpu, device, info->semaphore, info->value);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_WaitSemaphores(VkDevice handle,
							   const VkSemaphoreWaitInfo *info,
							   uint64_t timeout)
{
	struct device *device = device_of(handle);

	if (device->lost != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	return (device->vk.WaitSemaphores ? device->vk.WaitSemaphores :
		device->vk.WaitSemaphoresKHR)(handle, info, timeout);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR *info)
{
	struct device *device = device_of(handle);

	/* The driver owns the file when it has returned. */
	if (info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		gpu_share_semaphore(device->gpu, device, info->semaphore, info->fd);
	return device->vk.ImportSemaphoreFdKHR(handle, info);
}

/* What is exported is what was submitted. */
static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR *info, int *fd)
{
	struct device *device = device_of(handle);
	VkResult result;

	if (info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
		gpu_wait_signal(device->gpu, device, info->semaphore, VK_NULL_HANDLE);
	result = device->vk.GetSemaphoreFdKHR(handle, info, fd);
	if (result == VK_SUCCESS &&
	    info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		gpu_share_semaphore(device->gpu, device, info->semaphore, *fd);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_GetFenceFdKHR(VkDevice handle,
							  const VkFenceGetFdInfoKHR *info, int *fd)
{
	struct device *device = device_of(handle);

	if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
		gpu_wait_signal(device->gpu, device, VK_NULL_HANDLE, info->fence);
	return device->vk.GetFenceFdKHR(handle, info, fd);
}

/* A fence that the thread will hand to the driver has not signalled. */
static VKAPI_ATTR VkResult VKAPI_CALL layer_GetFenceStatus(VkDevice handle, VkFence fence)
{
	struct device *device = device_of(handle);

	if (gpu_is_fence_pending(device->gpu, device, fence))
		return device->lost == VK_SUCCESS ? VK_NOT_READY : VK_ERROR_DEVICE_LOST;
	return device->vk.GetFenceStatus(handle, fence);
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
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
			result = device->vk.WaitForFences(device->handle, has, there, VK_FALSE,
							  rest);
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
	return device->vk.WaitForFences(handle, count, fences, all,
					passed < timeout ? timeout - passed : 0);
}

/**
 * submit_query_results() - Results of a pool of the driver
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
VkResult submit_query_results(struct device *device, VkQueryPool pool, uint32_t first,
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
	return submit_query_results(device_of(handle), pool, first, count, size, data, stride,
				    flags);
}

static const struct function functions[] = {
	FUNCTION(CreateSemaphore),
	FUNCTION(DestroySemaphore),
	FUNCTION(DeviceWaitIdle),
	FUNCTION(GetFenceFdKHR),
	FUNCTION(GetFenceStatus),
	FUNCTION(GetQueryPoolResults),
	FUNCTION(GetSemaphoreFdKHR),
	FUNCTION(ImportSemaphoreFdKHR),
	FUNCTION(QueueBindSparse),
	FUNCTION(QueuePresentKHR),
	FUNCTION(QueueSubmit),
	FUNCTION(QueueSubmit2),
	FUNCTION(QueueWaitIdle),
	FUNCTION(SignalSemaphore),
	FUNCTION(WaitForFences),
	FUNCTION(WaitSemaphores),
	FUNCTION_AS(QueueSubmit2KHR, QueueSubmit2),
	FUNCTION_AS(SignalSemaphoreKHR, SignalSemaphore),
	FUNCTION_AS(WaitSemaphoresKHR, WaitSemaphores),
};

/** submit_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction submit_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
