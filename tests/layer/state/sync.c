// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* What the driver of the test signals: all of its work is done at once. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "fakesyncobj.h"
#include "mock.h"

#define NS_PER_S	UINT64_C(1000000000)

struct semaphore {
	struct fake_listener listener;
	/* That of the fake driver of libdrm, if it was imported. */
	struct fake_syncobj *syncobj;
	uint64_t value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;

/* ---- Semaphores and fences ---- */

static struct semaphore *semaphore_of(VkSemaphore handle)
{
	const struct object *object;
	uint64_t value;

	memcpy(&value, &handle, sizeof(value));
	object = mock_object(value);
	return object ? object->data : NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateSemaphore(VkDevice device,
							   const VkSemaphoreCreateInfo *info,
							   const VkAllocationCallbacks *allocator,
							   VkSemaphore *semaphore)
{
	struct semaphore *data = calloc(1, sizeof(*data));

	for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO)
			data->value = ((const VkSemaphoreTypeCreateInfo *)at)->initialValue;
	}
	return mock_create_object(semaphore, OBJECT_SEMAPHORE, data);
}

static void set_value(struct fake_listener *listener, uint64_t value)
{
	struct semaphore *semaphore = (struct semaphore *)listener;

	pthread_mutex_lock(&lock);
	if (value > semaphore->value)
		semaphore->value = value;
	pthread_cond_broadcast(&signalled);
	pthread_mutex_unlock(&lock);
}

static uint64_t get_value(struct fake_listener *listener)
{
	uint64_t value;

	pthread_mutex_lock(&lock);
	value = ((struct semaphore *)listener)->value;
	pthread_mutex_unlock(&lock);
	return value;
}

/** mock_signal() - A semaphore has a new value, if it is a timeline. */
void mock_signal(VkSemaphore handle, uint64_t value)
{
	struct semaphore *semaphore = semaphore_of(handle);

	if (!semaphore)
		return;
	set_value(&semaphore->listener, value);
	if (!semaphore->syncobj)
		return;
	fake_syncobj_promise(semaphore->syncobj, value);
	fake_syncobj_signal(semaphore->syncobj, value, &semaphore->listener);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_SignalSemaphore(VkDevice device,
							   const VkSemaphoreSignalInfo *info)
{
	mock_signal(info->semaphore, info->value);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_GetSemaphoreCounterValue(VkDevice device,
								    VkSemaphore handle,
								    uint64_t *value)
{
	struct semaphore *semaphore = semaphore_of(handle);

	pthread_mutex_lock(&lock);
	*value = semaphore->value;
	pthread_mutex_unlock(&lock);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_WaitSemaphores(VkDevice device,
							  const VkSemaphoreWaitInfo *info,
							  uint64_t timeout)
{
	VkResult result = VK_SUCCESS;
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	timeout = timeout > 1000 * NS_PER_S ? 1000 * NS_PER_S : timeout;
	end.tv_sec += timeout / NS_PER_S;
	end.tv_nsec += timeout % NS_PER_S;
	if (end.tv_nsec >= (long)NS_PER_S) {
		end.tv_nsec -= NS_PER_S;
		end.tv_sec++;
	}
	for (uint32_t i = 0; i < info->semaphoreCount && result == VK_SUCCESS; i++) {
		struct semaphore *semaphore = semaphore_of(info->pSemaphores[i]);
		int error = 0;

		pthread_mutex_lock(&lock);
		while (semaphore && semaphore->value < info->pValues[i] && !error)
			error = pthread_cond_timedwait(&signalled, &lock, &end);
		pthread_mutex_unlock(&lock);
		result = error ? VK_TIMEOUT : VK_SUCCESS;
	}
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_GetSemaphoreFdKHR(VkDevice device,
							     const VkSemaphoreGetFdInfoKHR *info,
							     int *fd)
{
	*fd = eventfd(0, EFD_CLOEXEC);
	return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *info)
{
	struct semaphore *semaphore = semaphore_of(info->semaphore);

	if (!semaphore)
		return VK_ERROR_INVALID_EXTERNAL_HANDLE;
	semaphore->syncobj = fake_syncobj_of_fd(info->fd);
	if (!semaphore->syncobj)
		return VK_ERROR_INVALID_EXTERNAL_HANDLE;
	semaphore->listener.signalled = set_value;
	semaphore->listener.value = get_value;
	fake_syncobj_listen(semaphore->syncobj, &semaphore->listener);
	close(info->fd);
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_DestroySemaphore(VkDevice device, VkSemaphore handle,
							const VkAllocationCallbacks *allocator)
{
	struct semaphore *semaphore = semaphore_of(handle);
	uint64_t value;

	memcpy(&value, &handle, sizeof(value));
	if (semaphore && semaphore->syncobj)
		fake_syncobj_unlisten(semaphore->syncobj, &semaphore->listener);
	mock_destroy_object(value);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateFence(VkDevice device,
						       const VkFenceCreateInfo *info,
						       const VkAllocationCallbacks *allocator,
						       VkFence *fence)
{
	return mock_create_object(fence, OBJECT_OTHER, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_GetFenceStatus(VkDevice device, VkFence fence)
{
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_ResetFences(VkDevice device, uint32_t count,
						       const VkFence *fences)
{
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_WaitForFences(VkDevice device, uint32_t count,
							 const VkFence *fences, VkBool32 all,
							 uint64_t timeout)
{
	return VK_SUCCESS;
}

/* ---- Queries ---- */

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateQueryPool(VkDevice device,
							   const VkQueryPoolCreateInfo *info,
							   const VkAllocationCallbacks *allocator,
							   VkQueryPool *pool)
{
	return mock_create_object(pool, OBJECT_OTHER, NULL);
}

static VKAPI_ATTR void VKAPI_CALL mock_ResetQueryPool(VkDevice device, VkQueryPool pool,
						      uint32_t first, uint32_t count)
{
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_GetQueryPoolResults(VkDevice device, VkQueryPool pool,
							       uint32_t first, uint32_t count,
							       size_t size, void *data,
							       VkDeviceSize stride,
							       VkQueryResultFlags flags)
{
	memset(data, 0, size);
	return VK_SUCCESS;
}

/* ---- Functions by name ---- */

static const struct function functions[] = {
	ENTRY(CreateFence),
	ENTRY(CreateQueryPool),
	ENTRY(CreateSemaphore),
	ENTRY(DestroySemaphore),
	ENTRY(GetFenceStatus),
	ENTRY(GetQueryPoolResults),
	ENTRY(GetSemaphoreCounterValue),
	ENTRY_AS(GetSemaphoreCounterValueKHR, GetSemaphoreCounterValue),
	ENTRY(GetSemaphoreFdKHR),
	ENTRY(ImportSemaphoreFdKHR),
	ENTRY(ResetFences),
	ENTRY(ResetQueryPool),
	ENTRY_AS(ResetQueryPoolEXT, ResetQueryPool),
	ENTRY(SignalSemaphore),
	ENTRY_AS(SignalSemaphoreKHR, SignalSemaphore),
	ENTRY(WaitForFences),
	ENTRY(WaitSemaphores),
	ENTRY_AS(WaitSemaphoresKHR, WaitSemaphores),
};

/** sync_function() - A function of this file; %NULL: there is none of this name. */
PFN_vkVoidFunction sync_function(const char *name)
{
	return mock_find(functions, sizeof(functions) / sizeof(functions[0]), name);
}
