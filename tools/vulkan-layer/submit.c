// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Calls that submit work, or that must not come before work that was submitted.
 *
 * The thread of the GPU submits later than the application's call, so that what a call refers to is
 * copied. A submission with a structure in its chain that is not known cannot be copied: it is
 * handed to the driver in the call, behind all that came before on its queue, and is not profiled.
 * The calls here wait for the thread, see gpu_flush(), but for nothing that the application may do
 * later.
 */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "create.h"
#include "driver.h"
#include "frames.h"
#include "gpu.h"
#include "layer.h"
#include "marks.h"
#include "offered.h"
#include "semaphores.h"
#include "submissions.h"

/* Memory for submissions when there is none. */
#define RESERVE		65536

/**
 * struct call - what the call of the application is
 */
struct call {
	/** @device: The device. */
	struct device *device;

	/** @queue: The queue. %NULL: there is no memory for it. */
	struct queue *queue;

	/** @handle: Its handle. */
	VkQueue handle;

	/** @kind: Which call. */
	enum submission_kind kind;

	/** @count: Number of its elements. */
	uint32_t count;

	/** @infos: The elements: VkSubmitInfo, VkSubmitInfo2 or VkBindSparseInfo. */
	const void *infos;

	/** @fence: Its fence. */
	VkFence fence;
};

/* An element of a call; the only one of a call without elements is %NULL. */
static const void *element(const struct call *call, uint32_t i)
{
	if (!call->count)
		return NULL;
	switch (call->kind) {
	case SUBMIT:
		return (const VkSubmitInfo *)call->infos + i;
	case SUBMIT2:
		return (const VkSubmitInfo2 *)call->infos + i;
	default:
		return (const VkBindSparseInfo *)call->infos + i;
	}
}

static uint32_t count_elements(const struct call *call)
{
	return call->count ? call->count : 1;
}

/* The application's own call. @works: it has work. */
static VkResult call_driver(const struct call *call, bool works)
{
	struct device *device = call->device;
	VkResult result = VK_SUCCESS;

	queue_begin_call(call->queue);
	if (works)
		frames_record_start(device);
	switch (call->kind) {
	case SUBMIT:
		result = device->vk.QueueSubmit(call->handle, call->count, call->infos,
						call->fence);
		break;
	case SUBMIT2:
		result = (device->vk.QueueSubmit2 ? device->vk.QueueSubmit2 :
			  device->vk.QueueSubmit2KHR)(call->handle, call->count, call->infos,
						      call->fence);
		break;
	case BIND_SPARSE:
		result = device->vk.QueueBindSparse(call->handle, call->count, call->infos,
						    call->fence);
		break;
	}
	queue_end_call(call->queue);
	return result;
}

static void free_submissions(struct submission *first)
{
	while (first) {
		struct submission *next = first->next;

		submission_free(first);
		first = next;
	}
}

/* The submissions of a call, linked. %NULL: there is no memory. */
static struct submission *create_all(const struct call *call)
{
	struct submission *first = NULL, **last = &first;
	uint64_t frames = 0;

	for (uint32_t i = 0; i < count_elements(call); i++) {
		*last = submission_create(call->queue, call->kind, element(call, i), frames);
		if (!*last) {
			free_submissions(first);
			return NULL;
		}
		if (i + 1 == count_elements(call))
			(*last)->fence = call->fence;
		frames += (*last)->ends_frame;
		last = &(*last)->next;
	}
	return first;
}

/* Has the driver get what must not come behind a submission that is handed to it now. */
static void flush_before(const struct submission *submission)
{
	struct device *device = submission->queue->device;

	gpu_flush(device->gpu, device, submission->queue, NULL, 0, VK_NULL_HANDLE);
	for (uint32_t i = 0; i < submission->wait_count; i++)
		gpu_flush(device->gpu, device, NULL, &submission->waits[i].semaphore, 1,
			  VK_NULL_HANDLE);
}

/*
 * Hands a submission to the driver in the call. @first: it is the first one of the call, so that a
 * failure is the result of the call.
 */
static VkResult hand_over(const struct submission *submission, bool first)
{
	const struct piece whole = driver_piece_whole(submission);
	struct device *device = submission->queue->device;
	VkResult result = first ? driver_submit(&whole) : driver_submit_surely(&whole);

	if (result == VK_SUCCESS || first)
		return result;
	device->lost = result;
	return VK_ERROR_DEVICE_LOST;
}

/*
 * Hands the submissions of a call to the driver, in the call. The driver gets the application's own
 * structures, unless it must not: then each submission by itself, with all parts of command buffers
 * that were split, in front of the application's chain.
 */
static VkResult hand_over_all(const struct call *call, const struct submission *first)
{
	const struct submission *at = first;
	VkResult result = VK_SUCCESS;
	bool rebuilt = false, works = false;

	for (uint32_t i = 0; i < count_elements(call); i++, at = at->next) {
		rebuilt |= at->rebuilt;
		works |= submission_has_work(at);
	}
	if (!rebuilt)
		return call_driver(call, works);
	at = first;
	for (uint32_t i = 0; i < count_elements(call) && result == VK_SUCCESS; i++, at = at->next)
		result = hand_over(at, !i);
	return result;
}

/* A call that the thread cannot make later. */
static VkResult call_now(const struct call *call, struct submission *first)
{
	const uint32_t count = count_elements(call);
	struct submission *at;
	VkResult result;

	say_once("submissions with an extension that the layer does not know are not profiled");
	for (at = first; at; at = at->next)
		flush_before(at);
	/* Others may be linked behind them then. */
	gpu_begin_call(call->device->gpu, first);
	result = hand_over_all(call, first);
	at = first;
	for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++, at = at->next) {
		submission_accept(at);
		/* There is no sample behind it. */
		submission_fail_queries(at);
	}
	if (result == VK_SUCCESS)
		marks_submitted(call->device->gpu, first, count);
	gpu_end_call(call->device->gpu, first, count, result == VK_SUCCESS);
	return result;
}

/*
 * There is no memory for copies. Each submission is made in the reserve, and handed to the driver
 * in the call. One that has to wait for the application would have to be kept: then the call fails,
 * without an effect.
 */
static VkResult call_without_memory(const struct call *call)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char reserve[RESERVE] __attribute__((aligned(16)));
	struct gpu *gpu = call->device->gpu;
	VkResult result = VK_SUCCESS;

	if (!call->queue)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < count_elements(call); i++) {
		if (submission_size(call->queue, call->kind, element(call, i)) > RESERVE)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < 2 * count_elements(call) && result == VK_SUCCESS; i++) {
		const uint32_t at = i % count_elements(call);
		struct submission *submission;

		memset(reserve, 0, sizeof(reserve));
		submission = submission_fill(reserve, call->queue, call->kind, element(call, at),
					     0, i != at);
		if (at + 1 == count_elements(call))
			submission->fence = call->fence;
		if (i == at) {
			flush_before(submission);
			if (!gpu_is_ready(gpu, submission))
				result = VK_ERROR_OUT_OF_HOST_MEMORY;
		} else {
			result = hand_over(submission, !at);
			if (result == VK_SUCCESS) {
				submission_accept(submission);
				submission_fail_queries(submission);
				gpu_end_direct(gpu, submission, 1);
				marks_submitted(gpu, submission, 1);
			}
		}
		submission_release(submission);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static VkResult submit_all(const struct call *call)
{
	struct device *device = call->device;
	bool known = true, profiled = false;
	struct submission *first;
	VkResult result;

	if (device->lost != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	marks_begin(device->gpu, device);
	first = call->queue ? create_all(call) : NULL;
	if (!first)
		return call_without_memory(call);
	for (struct submission *at = first; at; at = at->next) {
		known &= at->known;
		profiled |= at->profiled;
	}
	if (!known)
		return call_now(call, first);
	if (profiled || !gpu_begin_direct(device->gpu, first)) {
		for (struct submission *at = first; at; at = at->next)
			submission_accept(at);
		gpu_enqueue(device->gpu, first, count_elements(call));
		return VK_SUCCESS;
	}
	result = hand_over_all(call, first);
	if (result == VK_SUCCESS) {
		for (struct submission *at = first; at; at = at->next)
			submission_accept(at);
		gpu_end_direct(device->gpu, first, count_elements(call));
		marks_submitted(device->gpu, first, count_elements(call));
	}
	free_submissions(first);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit(VkQueue handle, uint32_t count,
							const VkSubmitInfo *infos, VkFence fence)
{
	struct device *device = device_of(handle);
	const struct call call = {
		device, queue_of(device, handle), handle, SUBMIT, count, infos, fence,
	};

	return submit_all(&call);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit2(VkQueue handle, uint32_t count,
							 const VkSubmitInfo2 *infos, VkFence fence)
{
	struct device *device = device_of(handle);
	const struct call call = {
		device, queue_of(device, handle), handle, SUBMIT2, count, infos, fence,
	};

	return submit_all(&call);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueBindSparse(VkQueue handle, uint32_t count,
							    const VkBindSparseInfo *infos,
							    VkFence fence)
{
	struct device *device = device_of(handle);
	const struct call call = {
		device, queue_of(device, handle), handle, BIND_SPARSE, count, infos, fence,
	};

	return submit_all(&call);
}

/* Does the driver wait for the semaphores of a presentation? It also does if it cannot present. */
static bool has_queued(VkResult result)
{
	return result != VK_ERROR_OUT_OF_HOST_MEMORY && result != VK_ERROR_OUT_OF_DEVICE_MEMORY &&
	       result != VK_ERROR_DEVICE_LOST;
}

/*
 * The result of a presentation is the swapchain's, and cannot come later. The submissions that it
 * waits for came before, with all that they depend on. If the driver has refused one of them,
 * nothing will signal its semaphores, and the driver must not wait for these.
 */
static VKAPI_ATTR VkResult VKAPI_CALL layer_QueuePresentKHR(VkQueue handle,
							    const VkPresentInfoKHR *info)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);
	VkPresentInfoKHR own = *info;
	const void *end = NULL;
	void *chain = NULL;
	VkResult result;

	gpu_flush(device->gpu, device, queue, info->pWaitSemaphores, info->waitSemaphoreCount,
		  VK_NULL_HANDLE);
	if (device->lost != VK_SUCCESS) {
		for (uint32_t i = 0; info->pResults && i < info->swapchainCount; i++)
			info->pResults[i] = VK_ERROR_DEVICE_LOST;
		return VK_ERROR_DEVICE_LOST;
	}
	if (device->hides_boundaries) {
		chain = create_copy_chain(info->pNext, FRAME_BOUNDARY, &end);
		own.pNext = chain;
	}
	queue_begin_call(queue);
	result = device->vk.QueuePresentKHR(handle, &own);
	queue_end_call(queue);
	if (device->hides_boundaries)
		create_free_chain(chain, end);
	for (uint32_t i = 0; i < info->waitSemaphoreCount && has_queued(result); i++)
		semaphores_replace(device, info->pWaitSemaphores[i], false);
	marks_presented(device->gpu, device, queue, info);
	return result;
}

static const struct function functions[] = {
	FUNCTION(QueueBindSparse),
	FUNCTION(QueuePresentKHR),
	FUNCTION(QueueSubmit),
	FUNCTION(QueueSubmit2),
	FUNCTION_AS(QueueSubmit2KHR, QueueSubmit2),
};

/** submit_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction submit_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
