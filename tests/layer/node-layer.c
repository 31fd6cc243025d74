// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A Vulkan layer for tests: gives a device what the layer of panthor-perf needs and llvmpipe does not have. It lies below that
 * layer and next to the driver, and has the fake driver of tests/tools in it.
 *
 *	VK_EXT_physical_device_drm	a render node: that of the fake driver
 *	VK_KHR_external_semaphore_fd	semaphores as syncobjs of this process
 *
 * A semaphore that was exported or imported has a syncobj and a thread. The thread waits for the driver's semaphore, and
 * signals the syncobj. When the syncobj is signalled by another semaphore or by a sample, the layer signals the driver's
 * semaphore from the host. A binary semaphore is a timeline semaphore for the driver, and each signal its next point.
 * In a device without timeline semaphores, the layer enables them, and does not offer their
 * functions.
 *
 * It also offers more queues than the driver's only one: two in the first family, and one in a family without graphics. All of
 * them are the driver's queue.
 *
 * vkGetDeviceProcAddr() finds what fakealloc.h and fakeorder.h describe, and "vkEndsTEST": the number of calls so far of
 * vkDeviceWaitIdle() and vkDestroyDevice(), of all devices.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "fakealloc.h"
#include "fakeorder.h"
#include "fakesyncobj.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define EXPORT		__attribute__((visibility("default")))
/* That of character devices of DRM, and of the first render node. */
#define NODE_MAJOR	226
#define NODE_MINOR	128
/* Period in which a thread checks whether its semaphore was destroyed. */
#define WAIT_NS		20000000

/* Queues of each family. */
#define FIRST_QUEUES	2
#define COMPUTE_QUEUES	1
#define QUEUES		(FIRST_QUEUES + COMPUTE_QUEUES)

#define DEVICE_FUNCTIONS(X) \
	X(CreateCommandPool) \
	X(CreateFence) \
	X(CreateSemaphore) \
	X(DestroyDevice) \
	X(DestroyFence) \
	X(DestroySemaphore) \
	X(DeviceWaitIdle) \
	X(GetDeviceQueue) \
	X(GetPrivateData) \
	X(GetSemaphoreCounterValue) \
	X(QueueBeginDebugUtilsLabelEXT) \
	X(QueueBindSparse) \
	X(QueueEndDebugUtilsLabelEXT) \
	X(QueueInsertDebugUtilsLabelEXT) \
	X(QueuePresentKHR) \
	X(QueueSubmit) \
	X(QueueSubmit2) \
	X(SetDebugUtilsObjectNameEXT) \
	X(SetDebugUtilsObjectTagEXT) \
	X(SetPrivateData) \
	X(SignalSemaphore) \
	X(WaitForFences) \
	X(WaitSemaphores) \

#define FUNCTION_POINTER(name)	PFN_vk##name name;

/**
 * struct instance - an instance
 */
struct instance {
	/** @next: Next of the process. */
	struct instance *next;

	/** @key: What the loader keeps at the start of each of its dispatchable handles. */
	void *key;

	/** @proc_addr: Finds the functions of the driver. */
	PFN_vkGetInstanceProcAddr proc_addr;

	/** @handle: Handle. */
	VkInstance handle;

	/** @version: Version of Vulkan that the application uses. */
	uint32_t version;
};

/**
 * struct queue - a queue: what its handle refers to
 */
struct queue {
	/** @key: What the loader keeps at the start of each of its dispatchable handles. */
	void *key;

	/** @device: Its device. */
	struct device *device;
};

/**
 * struct device - a device
 */
struct device {
	/** @next: Next of the process. */
	struct device *next;

	/** @key: What the loader keeps at the start of each of its dispatchable handles. */
	void *key;

	/** @handle: Handle. */
	VkDevice handle;

	/** @proc_addr: Finds the functions of the driver. */
	PFN_vkGetDeviceProcAddr proc_addr;

	/** @hides_timelines: Only this layer has enabled VK_KHR_timeline_semaphore. */
	bool hides_timelines;

	/** @vk: Functions of the driver. */
	struct {
		DEVICE_FUNCTIONS(FUNCTION_POINTER)
	} vk;

	/** @queue: The queue of the driver. */
	VkQueue queue;

	/** @queues_lock: Held while a function of the driver is called with the queue. */
	pthread_mutex_t queues_lock;

	/** @queues: The queues that the layer offers, those of the first family first. */
	struct queue queues[QUEUES];

	/** @shared: Semaphores that have a syncobj. */
	struct shared *shared;

	/** @timelines: Timeline semaphores of the driver. */
	VkSemaphore *timelines;

	/** @timeline_count: Their number. */
	uint32_t timeline_count;
};

/**
 * struct shared - a semaphore that has a syncobj
 */
struct shared {
	/** @listener: Called when the syncobj is signalled. */
	struct fake_listener listener;

	/** @next: Next of the device. */
	struct shared *next;

	/** @device: Its device. */
	struct device *device;

	/** @handle: The application's semaphore. */
	VkSemaphore handle;

	/** @native: The driver's, a timeline semaphore. */
	VkSemaphore native;

	/** @binary: For the application it is a binary one. */
	bool binary;

	/** @syncobj: The syncobj. */
	struct fake_syncobj *syncobj;

	/** @ends: The thread is to end. */
	bool ends;

	/** @thread: Waits for @native. */
	pthread_t thread;
};

/* Guards the lists. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct instance *instances;
static struct device *devices;

static atomic_uint ends;

static void *key_of(const void *handle)
{
	return *(void *const *)handle;
}

static struct instance *instance_of(const void *handle)
{
	struct instance *instance;

	pthread_mutex_lock(&lock);
	instance = instances;
	while (instance && instance->key != key_of(handle))
		instance = instance->next;
	pthread_mutex_unlock(&lock);
	return instance;
}

static struct device *device_of(const void *handle)
{
	struct device *device;

	pthread_mutex_lock(&lock);
	device = devices;
	while (device && device->key != key_of(handle))
		device = device->next;
	pthread_mutex_unlock(&lock);
	return device;
}

static struct shared *find_shared(struct device *device, VkSemaphore handle)
{
	struct shared *shared;

	pthread_mutex_lock(&lock);
	shared = device->shared;
	while (shared && shared->handle != handle)
		shared = shared->next;
	pthread_mutex_unlock(&lock);
	return shared;
}

/* ---- Semaphores with a syncobj ---- */

static uint64_t value_of(const struct shared *shared)
{
	uint64_t value = 0;

	shared->device->vk.GetSemaphoreCounterValue(shared->device->handle, shared->native, &value);
	return value;
}

static void signal_native(struct fake_listener *listener, uint64_t value)
{
	struct shared *shared = (struct shared *)listener;
	const VkSemaphoreSignalInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = shared->native,
		.value = value,
	};

	if (value_of(shared) < value)
		shared->device->vk.SignalSemaphore(shared->device->handle, &info);
}

static uint64_t native_value(struct fake_listener *listener)
{
	return value_of((struct shared *)listener);
}

static void *follow_native(void *arg)
{
	struct shared *shared = arg;
	uint64_t point = 0;
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &shared->native,
		.pValues = &point,
	};

	for (;;) {
		VkResult result;

		point = fake_syncobj_wait_promise(shared->syncobj, &shared->ends);
		if (!point)
			return NULL;
		result = shared->device->vk.WaitSemaphores(shared->device->handle, &info, WAIT_NS);
		if (result == VK_SUCCESS)
			fake_syncobj_signal(shared->syncobj, value_of(shared), &shared->listener);
		else if (result != VK_TIMEOUT)
			return NULL;
	}
}

/* A new syncobj if there is none. */
static struct shared *begin_sharing(struct device *device, VkSemaphore handle, VkSemaphore native,
			    bool binary, struct fake_syncobj *syncobj)
{
	struct shared *shared = calloc(1, sizeof(*shared));

	if (!shared)
		abort();
	shared->device = device;
	shared->handle = handle;
	shared->native = native;
	shared->binary = binary;
	shared->syncobj = syncobj ? syncobj : fake_syncobj_create(value_of(shared));
	shared->listener.signalled = signal_native;
	shared->listener.value = native_value;
	fake_syncobj_listen(shared->syncobj, &shared->listener);
	if (pthread_create(&shared->thread, NULL, follow_native, shared))
		abort();
	pthread_mutex_lock(&lock);
	shared->next = device->shared;
	device->shared = shared;
	pthread_mutex_unlock(&lock);
	return shared;
}

static void end_sharing(struct shared *shared)
{
	struct device *device = shared->device;
	struct shared **link = &device->shared;

	pthread_mutex_lock(&lock);
	while (*link != shared)
		link = &(*link)->next;
	*link = shared->next;
	pthread_mutex_unlock(&lock);
	fake_syncobj_unlisten(shared->syncobj, &shared->listener);
	fake_syncobj_end(&shared->ends);
	pthread_join(shared->thread, NULL);
	/* What has signalled, and the thread has not seen. */
	fake_syncobj_signal(shared->syncobj, value_of(shared), NULL);
	if (shared->native != shared->handle)
		device->vk.DestroySemaphore(device->handle, shared->native, NULL);
	free(shared);
}

static void add_timeline(struct device *device, VkSemaphore semaphore)
{
	pthread_mutex_lock(&lock);
	device->timelines = realloc(device->timelines,
				    (device->timeline_count + 1) * sizeof(*device->timelines));
	if (!device->timelines)
		abort();
	device->timelines[device->timeline_count++] = semaphore;
	pthread_mutex_unlock(&lock);
}

static bool is_timeline(struct device *device, VkSemaphore semaphore, bool remove)
{
	uint32_t i = 0;
	bool found;

	pthread_mutex_lock(&lock);
	while (i < device->timeline_count && device->timelines[i] != semaphore)
		i++;
	found = i < device->timeline_count;
	if (found && remove)
		device->timelines[i] = device->timelines[--device->timeline_count];
	pthread_mutex_unlock(&lock);
	return found;
}

static VkResult create_timeline(struct device *device, uint64_t value, VkSemaphore *semaphore)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
		.initialValue = value,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};

	return device->vk.CreateSemaphore(device->handle, &info, NULL, semaphore);
}

static VKAPI_ATTR VkResult VKAPI_CALL node_CreateSemaphore(VkDevice handle,
							   const VkSemaphoreCreateInfo *info,
							   const VkAllocationCallbacks *allocator,
							   VkSemaphore *semaphore)
{
	struct device *device = device_of(handle);
	const VkExportSemaphoreCreateInfo *export = NULL;
	const VkSemaphoreTypeCreateInfo *type = NULL;
	VkResult result;

	for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
		const void *found = at;

		if (at->sType == VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO)
			export = found;
		else if (at->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO)
			type = found;
	}
	if (type && type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE)
		type = NULL;
	/* The driver has no semaphores that can be exported. */
	if (export && export->handleTypes == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		result = create_timeline(device, type ? type->initialValue : 0, semaphore);
	else
		result = device->vk.CreateSemaphore(handle, info, allocator, semaphore);
	if (result != VK_SUCCESS)
		return result;
	if (type)
		add_timeline(device, *semaphore);
	if (export)
		begin_sharing(device, *semaphore, *semaphore, !type, NULL);
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL node_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
							const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);
	struct shared *shared = find_shared(device, semaphore);

	if (shared)
		end_sharing(shared);
	is_timeline(device, semaphore, true);
	device->vk.DestroySemaphore(handle, semaphore, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL node_GetSemaphoreFdKHR(VkDevice handle,
							     const VkSemaphoreGetFdInfoKHR *info,
							     int *fd)
{
	struct shared *shared = find_shared(device_of(handle), info->semaphore);

	if (!shared || info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	*fd = fake_syncobj_fd(shared->syncobj);
	return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

/* An import for one wait alone is one for ever. */
static VKAPI_ATTR VkResult VKAPI_CALL
node_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR *info)
{
	struct device *device = device_of(handle);
	struct shared *shared = find_shared(device, info->semaphore);
	const bool timeline = is_timeline(device, info->semaphore, false);
	struct fake_syncobj *syncobj = fake_syncobj_of_fd(info->fd);
	VkSemaphore native = info->semaphore;

	if (!syncobj || info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		return VK_ERROR_INVALID_EXTERNAL_HANDLE;
	if (!timeline && create_timeline(device, 0, &native))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (shared)
		end_sharing(shared);
	begin_sharing(device, info->semaphore, native, !timeline, syncobj);
	close(info->fd);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_SignalSemaphore(VkDevice handle,
							   const VkSemaphoreSignalInfo *info)
{
	struct device *device = device_of(handle);
	struct shared *shared = find_shared(device, info->semaphore);
	VkResult result = device->vk.SignalSemaphore(handle, info);

	if (shared && result == VK_SUCCESS)
		fake_syncobj_signal(shared->syncobj, info->value, &shared->listener);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_GetSemaphoreCounterValue(VkDevice handle,
								    VkSemaphore semaphore,
								    uint64_t *value)
{
	struct device *device = device_of(handle);
	struct shared *shared = find_shared(device, semaphore);

	if (!shared)
		return device->vk.GetSemaphoreCounterValue(handle, semaphore, value);
	*value = fake_syncobj_value(shared->syncobj);
	return VK_SUCCESS;
}

/* ---- Submissions ---- */

/* What the driver gets for a semaphore that is waited for or signalled. Fails if it has no fence. */
static bool translate(struct device *device, bool signal, VkSemaphore *semaphore, uint64_t *value)
{
	struct shared *shared = find_shared(device, *semaphore);

	if (!shared)
		return true;
	*semaphore = shared->native;
	if (shared->binary)
		*value = signal ? fake_syncobj_next(shared->syncobj) :
				  fake_syncobj_take(shared->syncobj);
	else if (signal)
		fake_syncobj_promise(shared->syncobj, *value);
	if (!shared->binary || *value)
		return true;
	fprintf(stderr, "node-layer: a submission waits for a binary semaphore without a fence\n");
	return false;
}

/* The semaphores and points of a submission, as the driver gets them: those that it waits for, and those that it signals. */
struct points {
	VkTimelineSemaphoreSubmitInfo info;
	VkSemaphore *semaphores;
	uint64_t *values;
};

static bool make_points(struct device *device, struct points *points, const void *chain,
			uint32_t waits, const VkSemaphore *wait, uint32_t signals,
			const VkSemaphore *signal)
{
	const VkTimelineSemaphoreSubmitInfo *given = NULL;
	bool ok = true;

	for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
		const void *found = at;

		if (at->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO && !given)
			given = found;
	}
	points->semaphores = calloc(waits + signals + 1, sizeof(*points->semaphores));
	points->values = calloc(waits + signals + 1, sizeof(*points->values));
	if (!points->semaphores || !points->values)
		abort();
	for (uint32_t i = 0; i < waits; i++) {
		points->semaphores[i] = wait[i];
		if (given && i < given->waitSemaphoreValueCount)
			points->values[i] = given->pWaitSemaphoreValues[i];
		ok &= translate(device, false, &points->semaphores[i], &points->values[i]);
	}
	for (uint32_t i = waits; i < waits + signals; i++) {
		points->semaphores[i] = signal[i - waits];
		if (given && i - waits < given->signalSemaphoreValueCount)
			points->values[i] = given->pSignalSemaphoreValues[i - waits];
		ok &= translate(device, true, &points->semaphores[i], &points->values[i]);
	}
	/* The driver takes the first one of the chain. */
	points->info = (VkTimelineSemaphoreSubmitInfo) {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.pNext = chain,
		.waitSemaphoreValueCount = waits,
		.pWaitSemaphoreValues = points->values,
		.signalSemaphoreValueCount = signals,
		.pSignalSemaphoreValues = points->values + waits,
	};
	return ok;
}

static void free_points(struct points *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(points[i].semaphores);
		free(points[i].values);
	}
	free(points);
}

static struct device *device_of_queue(VkQueue handle)
{
	return ((struct queue *)handle)->device;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_QueueSubmit(VkQueue queue, uint32_t count,
						       const VkSubmitInfo *infos, VkFence fence)
{
	struct device *device = device_of_queue(queue);
	struct points *points;
	VkSubmitInfo *own;
	VkResult result;
	bool ok = true;

	if (fake_is_refused())
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	points = calloc(count + 1, sizeof(*points));
	own = calloc(count + 1, sizeof(*own));
	if (!points || !own)
		abort();
	for (uint32_t i = 0; i < count; i++) {
		own[i] = infos[i];
		ok &= make_points(device, &points[i], infos[i].pNext, infos[i].waitSemaphoreCount,
				  infos[i].pWaitSemaphores, infos[i].signalSemaphoreCount,
				  infos[i].pSignalSemaphores);
		own[i].pNext = &points[i].info;
		own[i].pWaitSemaphores = points[i].semaphores;
		own[i].pSignalSemaphores = points[i].semaphores + infos[i].waitSemaphoreCount;
	}
	pthread_mutex_lock(&device->queues_lock);
	result = ok ? device->vk.QueueSubmit(device->queue, count, own, fence) :
		      VK_ERROR_DEVICE_LOST;
	pthread_mutex_unlock(&device->queues_lock);
	free_points(points, count);
	free(own);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_QueueBindSparse(VkQueue queue, uint32_t count,
							   const VkBindSparseInfo *infos,
							   VkFence fence)
{
	struct device *device = device_of_queue(queue);
	struct points *points;
	VkBindSparseInfo *own;
	VkResult result;
	bool ok = true;

	if (fake_is_refused())
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	points = calloc(count + 1, sizeof(*points));
	own = calloc(count + 1, sizeof(*own));
	if (!points || !own)
		abort();
	for (uint32_t i = 0; i < count; i++) {
		own[i] = infos[i];
		ok &= make_points(device, &points[i], infos[i].pNext, infos[i].waitSemaphoreCount,
				  infos[i].pWaitSemaphores, infos[i].signalSemaphoreCount,
				  infos[i].pSignalSemaphores);
		own[i].pNext = &points[i].info;
		own[i].pWaitSemaphores = points[i].semaphores;
		own[i].pSignalSemaphores = points[i].semaphores + infos[i].waitSemaphoreCount;
	}
	pthread_mutex_lock(&device->queues_lock);
	result = ok ? device->vk.QueueBindSparse(device->queue, count, own, fence) :
		      VK_ERROR_DEVICE_LOST;
	pthread_mutex_unlock(&device->queues_lock);
	free_points(points, count);
	free(own);
	return result;
}

static VkSemaphoreSubmitInfo *translate2(struct device *device, bool signal, uint32_t count,
					 const VkSemaphoreSubmitInfo *infos, bool *ok)
{
	VkSemaphoreSubmitInfo *own = calloc(count + 1, sizeof(*own));

	if (!own)
		abort();
	for (uint32_t i = 0; i < count; i++) {
		own[i] = infos[i];
		*ok &= translate(device, signal, &own[i].semaphore, &own[i].value);
	}
	return own;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_QueueSubmit2(VkQueue queue, uint32_t count,
							const VkSubmitInfo2 *infos, VkFence fence)
{
	struct device *device = device_of_queue(queue);
	VkSubmitInfo2 *own;
	VkResult result;
	bool ok = true;

	if (fake_is_refused())
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	own = calloc(count + 1, sizeof(*own));
	if (!own)
		abort();
	for (uint32_t i = 0; i < count; i++) {
		own[i] = infos[i];
		own[i].pWaitSemaphoreInfos = translate2(device, false, infos[i].waitSemaphoreInfoCount,
							infos[i].pWaitSemaphoreInfos, &ok);
		own[i].pSignalSemaphoreInfos =
			translate2(device, true, infos[i].signalSemaphoreInfoCount,
				   infos[i].pSignalSemaphoreInfos, &ok);
	}
	pthread_mutex_lock(&device->queues_lock);
	result = ok ? device->vk.QueueSubmit2(device->queue, count, own, fence) :
		      VK_ERROR_DEVICE_LOST;
	pthread_mutex_unlock(&device->queues_lock);
	for (uint32_t i = 0; i < count; i++) {
		free((void *)own[i].pWaitSemaphoreInfos);
		free((void *)own[i].pSignalSemaphoreInfos);
	}
	free(own);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_QueueWaitIdle(VkQueue queue)
{
	struct device *device = device_of_queue(queue);
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;
	VkResult result = device->vk.CreateFence(device->handle, &info, NULL, &fence);

	if (result != VK_SUCCESS)
		return result;
	/* Without the lock: another thread may submit what it waits for. */
	result = node_QueueSubmit(queue, 0, NULL, fence);
	if (result == VK_SUCCESS)
		result = device->vk.WaitForFences(device->handle, 1, &fence, VK_TRUE, UINT64_MAX);
	device->vk.DestroyFence(device->handle, fence, NULL);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_QueuePresentKHR(VkQueue queue,
							   const VkPresentInfoKHR *info)
{
	struct device *device = device_of_queue(queue);
	VkResult result;

	pthread_mutex_lock(&device->queues_lock);
	result = device->vk.QueuePresentKHR(device->queue, info);
	pthread_mutex_unlock(&device->queues_lock);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL node_QueueBeginDebugUtilsLabelEXT(VkQueue queue,
								    const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of_queue(queue);

	if (device->vk.QueueBeginDebugUtilsLabelEXT)
		device->vk.QueueBeginDebugUtilsLabelEXT(device->queue, label);
}

static VKAPI_ATTR void VKAPI_CALL node_QueueInsertDebugUtilsLabelEXT(VkQueue queue,
								     const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of_queue(queue);

	if (device->vk.QueueInsertDebugUtilsLabelEXT)
		device->vk.QueueInsertDebugUtilsLabelEXT(device->queue, label);
}

static VKAPI_ATTR void VKAPI_CALL node_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
	struct device *device = device_of_queue(queue);

	if (device->vk.QueueEndDebugUtilsLabelEXT)
		device->vk.QueueEndDebugUtilsLabelEXT(device->queue);
}

/* Where the driver has a handle of a queue, it is that of its own. */
static uint64_t translate_object(struct device *device, VkObjectType type, uint64_t handle)
{
	return type == VK_OBJECT_TYPE_QUEUE ? (uint64_t)(uintptr_t)device->queue : handle;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_SetPrivateData(VkDevice handle, VkObjectType type,
							  uint64_t object, VkPrivateDataSlot slot,
							  uint64_t data)
{
	struct device *device = device_of(handle);

	return device->vk.SetPrivateData(handle, type, translate_object(device, type, object), slot,
					 data);
}

static VKAPI_ATTR void VKAPI_CALL node_GetPrivateData(VkDevice handle, VkObjectType type,
						      uint64_t object, VkPrivateDataSlot slot,
						      uint64_t *data)
{
	struct device *device = device_of(handle);

	device->vk.GetPrivateData(handle, type, translate_object(device, type, object), slot, data);
}

static VKAPI_ATTR VkResult VKAPI_CALL
node_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info)
{
	struct device *device = device_of(handle);
	VkDebugUtilsObjectNameInfoEXT own = *info;

	own.objectHandle = translate_object(device, info->objectType, info->objectHandle);
	return device->vk.SetDebugUtilsObjectNameEXT ?
	       device->vk.SetDebugUtilsObjectNameEXT(handle, &own) : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
node_SetDebugUtilsObjectTagEXT(VkDevice handle, const VkDebugUtilsObjectTagInfoEXT *info)
{
	struct device *device = device_of(handle);
	VkDebugUtilsObjectTagInfoEXT own = *info;

	own.objectHandle = translate_object(device, info->objectType, info->objectHandle);
	return device->vk.SetDebugUtilsObjectTagEXT ?
	       device->vk.SetDebugUtilsObjectTagEXT(handle, &own) : VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL node_GetDeviceQueue(VkDevice handle, uint32_t family,
						      uint32_t index, VkQueue *queue)
{
	struct device *device = device_of(handle);

	*queue = (VkQueue)&device->queues[family ? FIRST_QUEUES + index : index];
}

static VKAPI_ATTR void VKAPI_CALL node_GetDeviceQueue2(VkDevice handle,
						       const VkDeviceQueueInfo2 *info,
						       VkQueue *queue)
{
	node_GetDeviceQueue(handle, info->queueFamilyIndex, info->queueIndex, queue);
}

static VKAPI_ATTR VkResult VKAPI_CALL node_CreateCommandPool(VkDevice handle,
							     const VkCommandPoolCreateInfo *info,
							     const VkAllocationCallbacks *allocator,
							     VkCommandPool *pool)
{
	VkCommandPoolCreateInfo own = *info;

	own.queueFamilyIndex = 0;
	return device_of(handle)->vk.CreateCommandPool(handle, &own, allocator, pool);
}

/* ---- Instances and devices ---- */

static void *instance_function(const void *handle, const char *name, const char *other_name)
{
	struct instance *instance = instance_of(handle);
	PFN_vkVoidFunction found = instance->proc_addr(instance->handle, name);

	return (void *)(found ? found : instance->proc_addr(instance->handle, other_name));
}

static VKAPI_ATTR void VKAPI_CALL node_GetPhysicalDeviceProperties2(VkPhysicalDevice handle,
								    VkPhysicalDeviceProperties2 *all)
{
	PFN_vkGetPhysicalDeviceProperties2 next =
		instance_function(handle, "vkGetPhysicalDeviceProperties2",
				  "vkGetPhysicalDeviceProperties2KHR");

	next(handle, all);
	for (VkBaseOutStructure *at = all->pNext; at; at = at->pNext) {
		VkPhysicalDeviceDrmPropertiesEXT *drm = (void *)at;

		if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT)
			continue;
		drm->hasPrimary = VK_FALSE;
		drm->hasRender = VK_TRUE;
		drm->renderMajor = NODE_MAJOR;
		drm->renderMinor = NODE_MINOR;
	}
}

/* The second family is the first one without graphics. */
static VKAPI_ATTR void VKAPI_CALL
node_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice handle, uint32_t *count,
					    VkQueueFamilyProperties *families)
{
	PFN_vkGetPhysicalDeviceQueueFamilyProperties next =
		instance_function(handle, "vkGetPhysicalDeviceQueueFamilyProperties", "");
	uint32_t one = 1;

	if (!families) {
		*count = 2;
		return;
	}
	next(handle, &one, families);
	*count = *count > 2 ? 2 : *count;
	if (*count == 2) {
		families[1] = families[0];
		families[1].queueFlags &= ~VK_QUEUE_GRAPHICS_BIT;
		families[1].queueCount = COMPUTE_QUEUES;
	}
	families[0].queueCount = FIRST_QUEUES;
}

static VKAPI_ATTR void VKAPI_CALL
node_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice handle, uint32_t *count,
					     VkQueueFamilyProperties2 *families)
{
	PFN_vkGetPhysicalDeviceQueueFamilyProperties2 next =
		instance_function(handle, "vkGetPhysicalDeviceQueueFamilyProperties2",
				  "vkGetPhysicalDeviceQueueFamilyProperties2KHR");
	VkQueueFamilyProperties plain[2];
	uint32_t one = 1;

	if (!families) {
		*count = 2;
		return;
	}
	*count = *count > 2 ? 2 : *count;
	/* Each has a chain of its own. */
	for (uint32_t i = 0; i < *count; i++)
		next(handle, &one, &families[i]);
	node_GetPhysicalDeviceQueueFamilyProperties(handle, count, plain);
	for (uint32_t i = 0; i < *count; i++)
		families[i].queueFamilyProperties = plain[i];
}

static VKAPI_ATTR VkResult VKAPI_CALL
node_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice handle, uint32_t family,
					VkSurfaceKHR surface, VkBool32 *supported)
{
	PFN_vkGetPhysicalDeviceSurfaceSupportKHR next =
		instance_function(handle, "vkGetPhysicalDeviceSurfaceSupportKHR", "");

	return next(handle, 0, surface, supported);
}

static VKAPI_ATTR void VKAPI_CALL
node_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice handle,
						  const VkPhysicalDeviceExternalSemaphoreInfo *info,
						  VkExternalSemaphoreProperties *properties)
{
	/* What the driver can share by itself, such as sync files, these semaphores cannot. */
	properties->exportFromImportedHandleTypes = 0;
	properties->compatibleHandleTypes = 0;
	properties->externalSemaphoreFeatures = 0;
	if (info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
		return;
	properties->exportFromImportedHandleTypes = info->handleType;
	properties->compatibleHandleTypes = info->handleType;
	properties->externalSemaphoreFeatures = VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
						VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
}

static bool has_extension(const VkExtensionProperties *list, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(list[i].extensionName, name))
			return true;
	return false;
}

/* The loader adds the extensions of implicit layers alone. */
static VKAPI_ATTR VkResult VKAPI_CALL
node_EnumerateDeviceExtensionProperties(VkPhysicalDevice handle, const char *layer, uint32_t *count,
					VkExtensionProperties *properties)
{
	static const VkExtensionProperties own[] = {
		{ VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME, 1 },
		{ VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, 1 },
	};
	PFN_vkEnumerateDeviceExtensionProperties next =
		instance_function(handle, "vkEnumerateDeviceExtensionProperties", "");
	const uint32_t room = *count;
	VkExtensionProperties *all;
	uint32_t found = 0;
	VkResult result;

	if (layer)
		return next(handle, layer, count, properties);
	result = next(handle, NULL, &found, NULL);
	if (result != VK_SUCCESS)
		return result;
	all = calloc(found + COUNT(own), sizeof(*all));
	if (!all)
		abort();
	next(handle, NULL, &found, all);
	for (uint32_t i = 0; i < COUNT(own); i++)
		if (!has_extension(all, found, own[i].extensionName))
			all[found++] = own[i];
	*count = properties && room < found ? room : found;
	if (properties)
		memcpy(properties, all, *count * sizeof(*all));
	free(all);
	return properties && room < found ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_CreateInstance(const VkInstanceCreateInfo *info,
							  const VkAllocationCallbacks *allocator,
							  VkInstance *handle)
{
	VkLayerInstanceCreateInfo *link = (void *)info->pNext;
	struct instance *instance = calloc(1, sizeof(*instance));
	PFN_vkCreateInstance create;
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)link->pNext;
	if (!instance)
		abort();
	instance->proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	create = (PFN_vkCreateInstance)instance->proc_addr(NULL, "vkCreateInstance");
	result = create(info, allocator, handle);
	if (result != VK_SUCCESS) {
		free(instance);
		return result;
	}
	instance->handle = *handle;
	instance->key = key_of(*handle);
	if (info->pApplicationInfo)
		instance->version = info->pApplicationInfo->apiVersion;
	pthread_mutex_lock(&lock);
	instance->next = instances;
	instances = instance;
	pthread_mutex_unlock(&lock);
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL node_DestroyInstance(VkInstance handle,
						       const VkAllocationCallbacks *allocator)
{
	struct instance **link = &instances, *instance;
	PFN_vkDestroyInstance next;

	if (!handle)
		return;
	pthread_mutex_lock(&lock);
	while ((*link)->key != key_of(handle))
		link = &(*link)->next;
	instance = *link;
	*link = instance->next;
	pthread_mutex_unlock(&lock);
	next = (PFN_vkDestroyInstance)instance->proc_addr(handle, "vkDestroyInstance");
	next(handle, allocator);
	free(instance);
}

static bool has_timelines(const struct instance *instance, const VkDeviceCreateInfo *info)
{
	bool found = instance->version >= VK_API_VERSION_1_2;

	for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
		found |= !strcmp(info->ppEnabledExtensionNames[i],
				 VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
	return found;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_CreateDevice(VkPhysicalDevice physical,
							const VkDeviceCreateInfo *info,
							const VkAllocationCallbacks *allocator,
							VkDevice *handle)
{
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkLayerDeviceCreateInfo *link = (void *)info->pNext;
	struct instance *instance = instance_of(physical);
	struct device *device = calloc(1, sizeof(*device));
	const char **names = calloc(info->enabledExtensionCount + 1, sizeof(*names));
	const VkPhysicalDeviceTimelineSemaphoreFeatures timelines = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
		.pNext = (void *)info->pNext,
		.timelineSemaphore = VK_TRUE,
	};
	VkDeviceCreateInfo own = *info;
	PFN_vkCreateDevice create;
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)link->pNext;
	if (!device || !names)
		abort();
	create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(instance->handle,
										    "vkCreateDevice");
	device->proc_addr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	own.queueCreateInfoCount = 1;
	own.pQueueCreateInfos = &queue;
	/* Semaphores that can be exported are timeline semaphores of the driver. */
	device->hides_timelines = !has_timelines(instance, info);
	if (device->hides_timelines) {
		for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
			names[i] = info->ppEnabledExtensionNames[i];
		names[own.enabledExtensionCount++] = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
		own.ppEnabledExtensionNames = names;
		own.pNext = &timelines;
	}
	result = create(physical, &own, allocator, handle);
	free(names);
	if (result != VK_SUCCESS) {
		free(device);
		return result;
	}
	device->handle = *handle;
	device->key = key_of(*handle);
#define FIND(name) \
	device->vk.name = (PFN_vk##name)device->proc_addr(*handle, "vk" #name); \
	if (!device->vk.name) \
		device->vk.name = (PFN_vk##name)device->proc_addr(*handle, "vk" #name "KHR");
	DEVICE_FUNCTIONS(FIND)
#undef FIND
	pthread_mutex_init(&device->queues_lock, NULL);
	device->vk.GetDeviceQueue(*handle, 0, 0, &device->queue);
	*(void **)device->queue = device->key;
	for (uint32_t i = 0; i < QUEUES; i++)
		device->queues[i] = (struct queue) { device->key, device };
	pthread_mutex_lock(&lock);
	device->next = devices;
	devices = device;
	pthread_mutex_unlock(&lock);
	return VK_SUCCESS;
}

static uint32_t count_ends(void)
{
	return ends;
}

static VKAPI_ATTR VkResult VKAPI_CALL node_DeviceWaitIdle(VkDevice handle)
{
	ends++;
	return device_of(handle)->vk.DeviceWaitIdle(handle);
}

static VKAPI_ATTR void VKAPI_CALL node_DestroyDevice(VkDevice handle,
						     const VkAllocationCallbacks *allocator)
{
	struct device **link = &devices, *device;

	if (!handle)
		return;
	ends++;
	device = device_of(handle);
	while (device->shared)
		end_sharing(device->shared);
	pthread_mutex_lock(&lock);
	while (*link != device)
		link = &(*link)->next;
	*link = device->next;
	pthread_mutex_unlock(&lock);
	device->vk.DestroyDevice(handle, allocator);
	free(device->timelines);
	free(device);
}

/* ---- Which function comes from whom ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL node_GetDeviceProcAddr(VkDevice handle,
								       const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL node_GetInstanceProcAddr(VkInstance handle,
									 const char *name);

#define FUNCTION(name)		{ "vk" #name, (PFN_vkVoidFunction)node_##name }
#define FUNCTION_KHR(name)	FUNCTION(name), { "vk" #name "KHR", (PFN_vkVoidFunction)node_##name }

struct function {
	const char *name;
	PFN_vkVoidFunction address;
};

static const struct function of_instance[] = {
	FUNCTION(CreateDevice),
	FUNCTION(CreateInstance),
	FUNCTION(DestroyInstance),
	FUNCTION(EnumerateDeviceExtensionProperties),
	FUNCTION(GetInstanceProcAddr),
	FUNCTION_KHR(GetPhysicalDeviceExternalSemaphoreProperties),
	FUNCTION_KHR(GetPhysicalDeviceProperties2),
	FUNCTION(GetPhysicalDeviceQueueFamilyProperties),
	FUNCTION_KHR(GetPhysicalDeviceQueueFamilyProperties2),
	FUNCTION(GetPhysicalDeviceSurfaceSupportKHR),
};

static const struct function of_device[] = {
	FUNCTION(CreateCommandPool),
	FUNCTION(CreateSemaphore),
	FUNCTION(DestroyDevice),
	FUNCTION(DestroySemaphore),
	FUNCTION(DeviceWaitIdle),
	FUNCTION(GetDeviceProcAddr),
	FUNCTION(GetDeviceQueue),
	FUNCTION(GetDeviceQueue2),
	FUNCTION(GetPrivateData),
	FUNCTION(GetSemaphoreFdKHR),
	FUNCTION(ImportSemaphoreFdKHR),
	FUNCTION(QueueBeginDebugUtilsLabelEXT),
	FUNCTION(QueueBindSparse),
	FUNCTION(QueueEndDebugUtilsLabelEXT),
	FUNCTION(QueueInsertDebugUtilsLabelEXT),
	FUNCTION(QueuePresentKHR),
	FUNCTION(QueueSubmit),
	FUNCTION(QueueWaitIdle),
	FUNCTION(SetDebugUtilsObjectNameEXT),
	FUNCTION(SetDebugUtilsObjectTagEXT),
	FUNCTION(SetPrivateData),
	FUNCTION_KHR(GetSemaphoreCounterValue),
	FUNCTION_KHR(QueueSubmit2),
	FUNCTION_KHR(SignalSemaphore),
};

static PFN_vkVoidFunction find(const struct function *functions, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(functions[i].name, name))
			return functions[i].address;
	}
	return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL node_GetDeviceProcAddr(VkDevice handle,
								       const char *name)
{
	PFN_vkVoidFunction found = find(of_device, COUNT(of_device), name);
	const struct device *device = device_of(handle);
	PFN_vkVoidFunction next = device->proc_addr(handle, name);

	if (device->hides_timelines &&
	    (!strcmp(name, "vkGetSemaphoreCounterValueKHR") ||
	     !strcmp(name, "vkSignalSemaphoreKHR") || !strcmp(name, "vkWaitSemaphoresKHR")))
		return NULL;
	if (!strcmp(name, "vkFailTEST"))
		return (PFN_vkVoidFunction)fake_fail;
	if (!strcmp(name, "vkDelayTEST"))
		return (PFN_vkVoidFunction)fake_order_delay;
	if (!strcmp(name, "vkHoldTEST"))
		return (PFN_vkVoidFunction)fake_order_hold;
	if (!strcmp(name, "vkFailOrderTEST"))
		return (PFN_vkVoidFunction)fake_order_fail;
	if (!strcmp(name, "vkTakenTEST"))
		return (PFN_vkVoidFunction)fake_order_taken;
	if (!strcmp(name, "vkEndsTEST"))
		return (PFN_vkVoidFunction)count_ends;
	/* What the driver does not have is not there, but for what this layer is for. */
	return found && (next || strstr(name, "SemaphoreFdKHR")) ? found : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL node_GetInstanceProcAddr(VkInstance handle,
									 const char *name)
{
	PFN_vkVoidFunction found = find(of_instance, COUNT(of_instance), name);
	PFN_vkVoidFunction next;
	struct instance *instance;

	/* The loader asks for vkCreateInstance by the instance that it is going to create. */
	instance = handle ? instance_of(handle) : NULL;
	if (!instance)
		return found;
	next = instance->proc_addr(handle, name);
	if (found && next)
		return found;
	found = find(of_device, COUNT(of_device), name);
	return found && (next || strstr(name, "SemaphoreFdKHR")) ? found : next;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
	version->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
	version->pfnGetInstanceProcAddr = node_GetInstanceProcAddr;
	version->pfnGetDeviceProcAddr = node_GetDeviceProcAddr;
	version->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
