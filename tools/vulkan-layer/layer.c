// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The layer as the Vulkan loader sees it: instances, devices, and which function comes from whom.
 *
 * The library is two layers. An instance may have both, with others between them, so that each has
 * functions of its own where the loader calls it: what they do depends on their place in the chain.
 * The one nearer to the driver does the work, and the other one passes everything through.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "commands.h"
#include "create.h"
#include "gpu.h"
#include "layer.h"
#include "offered.h"
#include "queries.h"
#include "sessions.h"
#include "settings.h"
#include "extensions.h"

#define EXPORT	__attribute__((visibility("default")))

/**
 * struct entry - the functions of a layer that the loader calls before there is a device
 */
struct entry {
	/** @get_instance_proc_addr: vkGetInstanceProcAddr(). */
	PFN_vkGetInstanceProcAddr get_instance_proc_addr;

	/** @get_device_proc_addr: vkGetDeviceProcAddr(). */
	PFN_vkGetDeviceProcAddr get_device_proc_addr;

	/** @create_instance: vkCreateInstance(). */
	PFN_vkCreateInstance create_instance;

	/** @create_device: vkCreateDevice(). */
	PFN_vkCreateDevice create_device;
};

static const struct entry entries[2];

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
/* The layer nearer to the driver comes behind the other one. */
static struct instance *instances;
static struct device *devices;

/** say() - Print a message of the layer. */
void say(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "panthor-perf-layer: %s\n", text);
}

/** find_function() - Find a function in a table. */
PFN_vkVoidFunction find_function(const struct function *functions, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(functions[i].name, name))
			return functions[i].address;
	}
	return NULL;
}

static void *key_of(const void *handle)
{
	return *(void *const *)handle;
}

/** instance_of() - The instance of an instance or a physical device. */
struct instance *instance_of(const void *handle)
{
	struct instance *instance;

	pthread_rwlock_rdlock(&lock);
	instance = instances;
	while (instance && (instance->key != key_of(handle) || instance->passive))
		instance = instance->next;
	pthread_rwlock_unlock(&lock);
	return instance;
}

/**
 * device_of() - The device of a dispatchable handle
 * @handle: A device, queue or command buffer.
 *
 * Return: The device.
 */
struct device *device_of(const void *handle)
{
	struct device *device;

	pthread_rwlock_rdlock(&lock);
	device = devices;
	while (device && (device->key != key_of(handle) || device->passive))
		device = device->next;
	pthread_rwlock_unlock(&lock);
	return device;
}

/* The instance of an instance or a physical device, as a layer has it. */
static struct instance *find_instance(enum layer_name layer, const void *handle)
{
	struct instance *instance;

	pthread_rwlock_rdlock(&lock);
	instance = instances;
	while (instance && (instance->key != key_of(handle) || instance->layer != layer))
		instance = instance->next;
	pthread_rwlock_unlock(&lock);
	return instance;
}

static struct device *find_device(enum layer_name layer, VkDevice handle)
{
	struct device *device;

	pthread_rwlock_rdlock(&lock);
	device = devices;
	while (device && (device->key != key_of(handle) || device->layer != layer))
		device = device->next;
	pthread_rwlock_unlock(&lock);
	return device;
}

static struct queue *add_queue_locked(struct device *device, VkQueue handle)
{
	struct queue *queue = calloc(1, sizeof(*queue));

	if (!queue)
		return NULL;
	queue->handle = handle;
	queue->device = device;
	pthread_mutex_init(&queue->calls, NULL);
	queue->number = device->queue_count++;
	queue->next = device->queues;
	device->queues = queue;
	return queue;
}

/**
 * queue_of() - The queue of a handle
 * @device: Its device.
 * @handle: The handle.
 *
 * One that is seen for the first time becomes known.
 *
 * Return: The queue; %NULL: there is no memory.
 */
struct queue *queue_of(struct device *device, VkQueue handle)
{
	struct queue *queue;

	pthread_mutex_lock(&device->lock);
	queue = device->queues;
	while (queue && queue->handle != handle)
		queue = queue->next;
	if (!queue)
		queue = add_queue_locked(device, handle);
	pthread_mutex_unlock(&device->lock);
	return queue;
}

/**
 * queue_begin_call() - A function of the next layer is going to be called with a queue
 * @queue: The queue. %NULL: one that is not known, such as that of a device that is not profiled.
 */
void queue_begin_call(struct queue *queue)
{
	if (queue)
		pthread_mutex_lock(&queue->calls);
}

/** queue_end_call() - It has returned. */
void queue_end_call(struct queue *queue)
{
	if (queue)
		pthread_mutex_unlock(&queue->calls);
}

/* ---- Instances ---- */

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
	const VkLayerInstanceCreateInfo *at = info->pNext;

	while (at && (at->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
		      at->function != VK_LAYER_LINK_INFO))
		at = at->pNext;
	return (VkLayerInstanceCreateInfo *)at;
}

static VkResult create_instance(enum layer_name layer, const VkInstanceCreateInfo *info,
				const VkAllocationCallbacks *allocator, VkInstance *handle)
{
	VkLayerInstanceCreateInfo *link = instance_link(info);
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO };
	VkInstanceCreateInfo own = *info;
	PFN_vkGetInstanceProcAddr proc_addr;
	PFN_vkCreateInstance create;
	struct instance *instance;
	VkResult result;
	bool passive;

	if (!link)
		return VK_ERROR_INITIALIZATION_FAILED;
	settings_begin(info->pNext);
	passive = !settings_get()->mode;
	proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	for (const VkLayerInstanceLink *at = link->u.pLayerInfo; at; at = at->pNext)
		passive |= at->pfnNextGetInstanceProcAddr ==
			   entries[!layer].get_instance_proc_addr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	create = (PFN_vkCreateInstance)proc_addr(NULL, "vkCreateInstance");
	instance = calloc(1, sizeof(*instance));
	if (!create || !instance) {
		free(instance);
		return create ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
	}
	if (!passive) {
		/* Exported semaphores are of Vulkan 1.1. */
		if (info->pApplicationInfo)
			app = *info->pApplicationInfo;
		if (app.apiVersion < VK_API_VERSION_1_1)
			app.apiVersion = VK_API_VERSION_1_1;
		own.pApplicationInfo = &app;
	}
	result = create(&own, allocator, handle);
	if (result != VK_SUCCESS) {
		free(instance);
		return result;
	}
	instance->handle = *handle;
	instance->key = key_of(*handle);
	instance->layer = layer;
	instance->passive = passive;
	instance->next_proc_addr = proc_addr;
#define FIND(name)	instance->vk.name = (PFN_vk##name)proc_addr(*handle, "vk" #name);
	INSTANCE_FUNCTIONS(FIND)
#undef FIND
	pthread_rwlock_wrlock(&lock);
	instance->next = instances;
	instances = instance;
	pthread_rwlock_unlock(&lock);
	return VK_SUCCESS;
}

/* Of each layer: the other one is called by the next function, and finds its own then. */
static VKAPI_ATTR void VKAPI_CALL layer_DestroyInstance(VkInstance handle,
							const VkAllocationCallbacks *allocator)
{
	struct instance *instance, **link;

	if (!handle)
		return;
	pthread_rwlock_wrlock(&lock);
	link = &instances;
	while (*link && (*link)->key != key_of(handle))
		link = &(*link)->next;
	instance = *link;
	if (instance)
		*link = instance->next;
	pthread_rwlock_unlock(&lock);
	if (!instance)
		return;
	instance->vk.DestroyInstance(handle, allocator);
	while (instance->physical) {
		struct physical *physical = instance->physical;

		instance->physical = physical->next;
		free(physical);
	}
	free(instance);
}

/* ---- Devices ---- */

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info,
					    VkLayerFunction function)
{
	const VkLayerDeviceCreateInfo *at = info->pNext;

	while (at && (at->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
		      at->function != function))
		at = at->pNext;
	return (VkLayerDeviceCreateInfo *)at;
}

/**
 * layer_find_gpu() - Find the GPU of a physical device
 * @instance: Its instance.
 * @handle: The physical device.
 * @gpu: Where the GPU is returned, which is opened. %NULL is returned if it cannot be counted, with
 *	a message that says why. If @gpu is %NULL, the function neither opens it nor prints a
 *	message.
 *
 * Return: Whether its driver has what the layer needs.
 */
bool layer_find_gpu(const struct instance *instance, VkPhysicalDevice handle, struct gpu **gpu)
{
	VkPhysicalDeviceDrmPropertiesEXT drm = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &drm,
	};
	static const char *const needed[] = {
		VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME,
		VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
		VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
	};
	const char *missing = NULL;

	if (gpu)
		*gpu = NULL;
	if (!instance->vk.GetPhysicalDeviceProperties2) {
		if (gpu)
			say("nothing is profiled: the instance has no "
			    "vkGetPhysicalDeviceProperties2");
		return false;
	}
	instance->vk.GetPhysicalDeviceProperties2(handle, &properties);
	for (size_t i = 0; i < COUNT(needed) && !missing; i++) {
		if (!offered_by_driver(instance, handle, needed[i]))
			missing = needed[i];
	}
	if (!missing && !drm.hasRender)
		missing = "render node";
	if (!gpu)
		return !missing;
	if (missing)
		say("%s is not profiled: its driver has no %s", properties.properties.deviceName,
		    missing);
	else
		*gpu = gpu_get(drm.renderMajor, drm.renderMinor, properties.properties.deviceName);
	return !missing;
}

/**
 * gpu_of_physical() - The GPU of a physical device
 * @handle: The physical device.
 *
 * Return: The GPU. %NULL: it is not counted, for a reason that was reported.
 */
struct gpu *gpu_of_physical(VkPhysicalDevice handle)
{
	static pthread_mutex_t physical_lock = PTHREAD_MUTEX_INITIALIZER;
	struct instance *instance = instance_of(handle);
	struct physical *physical;
	struct gpu *gpu;

	pthread_mutex_lock(&physical_lock);
	physical = instance->physical;
	while (physical && physical->handle != handle)
		physical = physical->next;
	if (physical) {
		gpu = physical->gpu;
	} else {
		layer_find_gpu(instance, handle, &gpu);
		physical = malloc(sizeof(*physical));
		if (physical) {
			*physical = (struct physical) { instance->physical, handle, gpu };
			instance->physical = physical;
		}
	}
	pthread_mutex_unlock(&physical_lock);
	return gpu;
}

/*
 * Functions of VK_EXT_debug_utils on devices: an extension of the instance, in which the loader
 * and layers search for them.
 */
static bool is_of_debug_utils(const char *name)
{
	return strstr(name, "DebugUtilsLabelEXT") || !strcmp(name, "vkSetDebugUtilsObjectNameEXT");
}

static PFN_vkVoidFunction next_function(const struct instance *instance, VkDevice handle,
					PFN_vkGetDeviceProcAddr proc_addr, const char *name)
{
	PFN_vkVoidFunction found = proc_addr(handle, name);

	return found || !is_of_debug_utils(name) ? found :
	       instance->next_proc_addr(instance->handle, name);
}

/*
 * Commands of an extension that is newer than the layer would go to the wrong part. Those of a few
 * that it knows belong to a command buffer as a whole.
 */
static bool stays_whole(const VkDeviceCreateInfo *info)
{
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		const char *name = info->ppEnabledExtensionNames[i];

		if (splits_with(name))
			continue;
		if (settings_get()->unit == UNIT_WORKLOAD)
			say("command buffers are not split: the layer cannot do it with %s", name);
		if (settings_get()->mode == MODE_QUERIES)
			say("queries have no results: the layer cannot split with %s", name);
		return true;
	}
	return false;
}

static struct device *add_device(const struct instance *instance, VkPhysicalDevice physical,
				 VkDevice handle, PFN_vkGetDeviceProcAddr proc_addr)
{
	struct device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->handle = handle;
	device->key = key_of(handle);
	device->layer = instance->layer;
	device->passive = instance->passive;
	device->physical = physical;
	device->next_proc_addr = proc_addr;
	pthread_mutex_init(&device->lock, NULL);
	pthread_mutex_init(&device->marking, NULL);
#define FIND(name)	device->vk.name = (PFN_vk##name)next_function(instance, handle, proc_addr, \
								      "vk" #name);
	DEVICE_FUNCTIONS(FIND)
#undef FIND
	pthread_rwlock_wrlock(&lock);
	device->next = devices;
	devices = device;
	pthread_rwlock_unlock(&lock);
	return device;
}

/* Of each layer, as layer_DestroyInstance(). */
static VKAPI_ATTR void VKAPI_CALL layer_DestroyDevice(VkDevice handle,
						      const VkAllocationCallbacks *allocator)
{
	struct device *device, **link;

	if (!handle)
		return;
	pthread_rwlock_rdlock(&lock);
	device = devices;
	while (device && device->key != key_of(handle))
		device = device->next;
	pthread_rwlock_unlock(&lock);
	if (!device)
		return;
	if (device->gpu) {
		sessions_remove_device(device);
		queries_remove_device(device);
		gpu_remove_device(device->gpu, device);
	}
	pthread_rwlock_wrlock(&lock);
	link = &devices;
	while (*link != device)
		link = &(*link)->next;
	*link = device->next;
	pthread_rwlock_unlock(&lock);
	device->vk.DestroyDevice(handle, allocator);
	commands_fini(device);
	while (device->queues) {
		struct queue *queue = device->queues;

		device->queues = queue->next;
		pthread_mutex_destroy(&queue->calls);
		free(queue->labels);
		free(queue->carried);
		free(queue);
	}
	pthread_mutex_destroy(&device->marking);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

static VkResult create_device(enum layer_name layer, VkPhysicalDevice physical,
			      const VkDeviceCreateInfo *info,
			      const VkAllocationCallbacks *allocator, VkDevice *handle)
{
	const struct instance *instance = find_instance(layer, physical);
	const VkLayerDeviceCreateInfo *loader = device_link(info, VK_LOADER_DATA_CALLBACK);
	VkLayerDeviceCreateInfo *link = device_link(info, VK_LAYER_LINK_INFO);
	PFN_vkGetDeviceProcAddr proc_addr;
	VkLayerDeviceLink *next;
	PFN_vkCreateDevice create;
	struct gpu *gpu = NULL;
	struct device *device;
	const struct offered *hidden = NULL;
	bool queries, added;
	VkResult result, refused = VK_SUCCESS;

	if (!link || !instance)
		return VK_ERROR_INITIALIZATION_FAILED;
	next = link->u.pLayerInfo;
	proc_addr = next->pfnNextGetDeviceProcAddr;
	create = (PFN_vkCreateDevice)next->pfnNextGetInstanceProcAddr(instance->handle,
								      "vkCreateDevice");
	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	/* A device without queries has nothing of the layer. */
	queries = settings_get()->mode == MODE_QUERIES &&
		  create_is_enabled(info, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
	if (loader && !instance->passive && (queries || settings_get()->mode == MODE_PROFILE))
		gpu = gpu_of_physical(physical);
	if (!instance->passive && settings_get()->mode)
		hidden = offered_enabled(instance, physical, info);
	if (gpu) {
		link->u.pLayerInfo = next->pNext;
		result = create_profiled(create, physical, info, hidden, allocator, handle);
		/* Without the layer, the device does not have what it was created for. */
		if (result != VK_SUCCESS && queries) {
			say("a device with %s is refused (VkResult %d)",
			    VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, result);
			return result;
		}
		refused = result;
	}
	if (!gpu || refused != VK_SUCCESS) {
		link->u.pLayerInfo = next->pNext;
		result = create_other(create, physical, info, hidden, allocator, handle);
	}
	if (result != VK_SUCCESS)
		return result;
	if (refused != VK_SUCCESS)
		say("nothing is profiled: no device with timeline semaphores (VkResult %d)",
		    refused);
	device = add_device(instance, physical, *handle, proc_addr);
	if (!device) {
		PFN_vkDestroyDevice destroy =
			(PFN_vkDestroyDevice)proc_addr(*handle, "vkDestroyDevice");

		destroy(*handle, allocator);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (!gpu || refused != VK_SUCCESS)
		return VK_SUCCESS;
	device->whole = stays_whole(info);
	device->hides_boundaries = hidden && !queries;
	device->hides_timelines =
		!create_is_enabled(info, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
	device->hides_fds = !create_is_enabled(info, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
	device->set_loader_data = loader->u.pfnSetDeviceLoaderData;
#define FIND(name)	device->commands.name = \
			(__typeof__(device->commands.name))proc_addr(*handle, "vk" #name);
	COMMAND_FUNCTIONS(FIND)
#undef FIND
	added = gpu_add_device(gpu, device);
	if (added)
		device->gpu = gpu;
	if (added || !queries)
		return VK_SUCCESS;
	layer_DestroyDevice(*handle, allocator);
	*handle = VK_NULL_HANDLE;
	return VK_ERROR_INITIALIZATION_FAILED;
}

static VKAPI_ATTR void VKAPI_CALL layer_GetDeviceQueue(VkDevice handle, uint32_t family,
						       uint32_t index, VkQueue *queue)
{
	struct device *device = device_of(handle);

	device->vk.GetDeviceQueue(handle, family, index, queue);
	if (*queue)
		queue_of(device, *queue);
}

static VKAPI_ATTR void VKAPI_CALL layer_GetDeviceQueue2(VkDevice handle,
							const VkDeviceQueueInfo2 *info,
							VkQueue *queue)
{
	struct device *device = device_of(handle);

	device->vk.GetDeviceQueue2(handle, info, queue);
	if (*queue)
		queue_of(device, *queue);
}

/* ---- Which function comes from whom ---- */

static const struct function of_profiled[] = {
	FUNCTION(GetDeviceQueue),
	FUNCTION(GetDeviceQueue2),
};

static PFN_vkVoidFunction profiled_function(struct device *device, const char *name)
{
	PFN_vkVoidFunction found = find_function(of_profiled, COUNT(of_profiled), name);

	if (!found)
		found = submit_function(name);
	if (!found)
		found = waits_function(name);
	if (!found)
		found = commands_function(name);
	if (!found)
		found = labels_function(name);
	return found ? found : split_function(device, name);
}

/* Functions of extensions that only the layer has enabled. The application must not find them. */
static bool is_hidden(const struct device *device, const char *name)
{
	static const char *const timelines[] = {
		"vkGetSemaphoreCounterValueKHR", "vkSignalSemaphoreKHR", "vkWaitSemaphoresKHR",
	};
	static const char *const fds[] = { "vkGetSemaphoreFdKHR", "vkImportSemaphoreFdKHR" };
	bool hidden = false;

	for (size_t i = 0; i < COUNT(timelines); i++)
		hidden |= device->hides_timelines && !strcmp(name, timelines[i]);
	for (size_t i = 0; i < COUNT(fds); i++)
		hidden |= device->hides_fds && !strcmp(name, fds[i]);
	return hidden;
}

static PFN_vkVoidFunction device_proc_addr(enum layer_name layer, VkDevice handle, const char *name)
{
	struct device *device = find_device(layer, handle);
	PFN_vkVoidFunction next, own = NULL;

	if (!strcmp(name, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)entries[layer].get_device_proc_addr;
	if (!strcmp(name, "vkDestroyDevice"))
		return (PFN_vkVoidFunction)layer_DestroyDevice;
	if (!device)
		return NULL;
	next = device->next_proc_addr(handle, name);
	if (!device->gpu)
		return next;
	if (is_hidden(device, name))
		return NULL;
	own = queries_extension_function(name);
	if (!own)
		own = sessions_function(name);
	/* What the device does not have is not there with the layer either. */
	if (!own && next)
		own = queries_function(name);
	if (!own && next)
		own = profiled_function(device, name);
	return own ? own : next;
}

static PFN_vkVoidFunction instance_proc_addr(enum layer_name layer, VkInstance handle,
					     const char *name)
{
	const struct entry *entry = &entries[layer];
	const struct function own[] = {
		{ "vkCreateInstance", (PFN_vkVoidFunction)entry->create_instance },
		{ "vkCreateDevice", (PFN_vkVoidFunction)entry->create_device },
		{ "vkGetDeviceProcAddr", (PFN_vkVoidFunction)entry->get_device_proc_addr },
		{ "vkGetInstanceProcAddr", (PFN_vkVoidFunction)entry->get_instance_proc_addr },
		FUNCTION(DestroyInstance),
		FUNCTION(DestroyDevice),
	};
	PFN_vkVoidFunction found = find_function(own, COUNT(own), name);
	const struct instance *instance;
	PFN_vkVoidFunction next;

	if (found || !handle)
		return found;
	instance = find_instance(layer, handle);
	if (!instance)
		return NULL;
	next = instance->next_proc_addr(handle, name);
	if (instance->passive)
		return next;
	found = queries_instance_function(name, next);
	if (!found && next)
		found = offered_function(name);
	if (!found && next && is_of_debug_utils(name))
		found = labels_function(name);
	return found ? found : next;
}

static VkResult negotiate_version(const struct entry *entry, VkNegotiateLayerInterface *version)
{
	if (version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
	    version->loaderLayerInterfaceVersion < CURRENT_LOADER_LAYER_INTERFACE_VERSION)
		return VK_ERROR_INITIALIZATION_FAILED;
	version->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
	version->pfnGetInstanceProcAddr = entry->get_instance_proc_addr;
	version->pfnGetDeviceProcAddr = entry->get_device_proc_addr;
	version->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}

/* The functions of a layer that depend on its place. */
#define DEFINE_LAYER(layer, prefix) \
static VKAPI_ATTR VkResult VKAPI_CALL \
prefix##_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, \
			VkInstance *handle) \
{ \
	return create_instance(layer, info, allocator, handle); \
} \
\
static VKAPI_ATTR VkResult VKAPI_CALL \
prefix##_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, \
		      const VkAllocationCallbacks *allocator, VkDevice *handle) \
{ \
	return create_device(layer, physical, info, allocator, handle); \
} \
\
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL \
prefix##_GetDeviceProcAddr(VkDevice handle, const char *name) \
{ \
	return device_proc_addr(layer, handle, name); \
} \
\
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL \
prefix##_GetInstanceProcAddr(VkInstance handle, const char *name) \
{ \
	return instance_proc_addr(layer, handle, name); \
}

DEFINE_LAYER(LAYER_PERF, perf)
DEFINE_LAYER(LAYER_PERF_QUERY, query)

static const struct entry entries[2] = {
	[LAYER_PERF] = {
		perf_GetInstanceProcAddr, perf_GetDeviceProcAddr, perf_CreateInstance,
		perf_CreateDevice,
	},
	[LAYER_PERF_QUERY] = {
		query_GetInstanceProcAddr, query_GetDeviceProcAddr, query_CreateInstance,
		query_CreateDevice,
	},
};

/* The loader finds it by its name, for VK_LAYER_PANTHOR_perf. */
EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
	return negotiate_version(&entries[LAYER_PERF], version);
}

/* Likewise for VK_LAYER_PANTHOR_perf_query, whose manifest has this name. */
VKAPI_ATTR VkResult VKAPI_CALL panthor_perf_query_negotiate(VkNegotiateLayerInterface *version);

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
panthor_perf_query_negotiate(VkNegotiateLayerInterface *version)
{
	return negotiate_version(&entries[LAYER_PERF_QUERY], version);
}
