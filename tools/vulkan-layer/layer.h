/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The instances, devices and queues of an application that the layer is loaded into.
 *
 * A device whose GPU can be profiled has a struct gpu. For any other device the layer returns the
 * functions of the next layer, so that nothing of it is called.
 */
#ifndef VULKAN_LAYER_H
#define VULKAN_LAYER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "command_functions.h"
#include "frames.h"

struct panthor_perf_session;
struct query_pool;

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define ALIGNED(size)	(((size) + 7) & ~(size_t)7)

/* Functions of the next layer that the layer calls. */
#define INSTANCE_FUNCTIONS(X) \
	X(DestroyInstance) \
	X(EnumerateDeviceExtensionProperties) \
	X(EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR) \
	X(GetPhysicalDeviceFeatures2) \
	X(GetPhysicalDeviceFeatures2KHR) \
	X(GetPhysicalDeviceProperties2) \
	X(GetPhysicalDeviceProperties2KHR) \
	X(GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR) \
	X(GetPhysicalDeviceQueueFamilyProperties) \

#define DEVICE_FUNCTIONS(X) \
	X(AcquireNextImage2KHR) \
	X(AcquireNextImageKHR) \
	X(AllocateCommandBuffers) \
	X(BeginCommandBuffer) \
	X(CmdBeginDebugUtilsLabelEXT) \
	X(CmdDebugMarkerBeginEXT) \
	X(CmdDebugMarkerEndEXT) \
	X(CmdDebugMarkerInsertEXT) \
	X(CmdEndDebugUtilsLabelEXT) \
	X(CmdExecuteCommands) \
	X(CmdInsertDebugUtilsLabelEXT) \
	X(CreateCommandPool) \
	X(CreateDescriptorUpdateTemplate) \
	X(CreateDescriptorUpdateTemplateKHR) \
	X(CreateFence) \
	X(CreateQueryPool) \
	X(CreateSemaphore) \
	X(DebugMarkerSetObjectNameEXT) \
	X(DestroyCommandPool) \
	X(DestroyDescriptorUpdateTemplate) \
	X(DestroyDescriptorUpdateTemplateKHR) \
	X(DestroyDevice) \
	X(DestroyFence) \
	X(DestroyQueryPool) \
	X(DestroySemaphore) \
	X(DeviceWaitIdle) \
	X(EndCommandBuffer) \
	X(FreeCommandBuffers) \
	X(GetDeviceQueue) \
	X(GetDeviceQueue2) \
	X(GetFenceFdKHR) \
	X(GetFenceStatus) \
	X(GetQueryPoolResults) \
	X(GetSemaphoreFdKHR) \
	X(ImportSemaphoreFdKHR) \
	X(QueueBeginDebugUtilsLabelEXT) \
	X(QueueBindSparse) \
	X(QueueEndDebugUtilsLabelEXT) \
	X(QueueInsertDebugUtilsLabelEXT) \
	X(QueuePresentKHR) \
	X(QueueSubmit) \
	X(QueueSubmit2) \
	X(QueueSubmit2KHR) \
	X(QueueWaitIdle) \
	X(ResetCommandBuffer) \
	X(ResetCommandPool) \
	X(ResetQueryPool) \
	X(ResetQueryPoolEXT) \
	X(SetDebugUtilsObjectNameEXT) \
	X(SignalSemaphore) \
	X(SignalSemaphoreKHR) \
	X(WaitForFences) \
	X(WaitSemaphores) \
	X(WaitSemaphoresKHR) \

#define FUNCTION_POINTER(name)	PFN_vk##name name;

/** enum layer_name - the layers of the library, each of which has a manifest */
enum layer_name {
	/** @LAYER_PERF: VK_LAYER_PANTHOR_perf. */
	LAYER_PERF,

	/** @LAYER_PERF_QUERY: VK_LAYER_PANTHOR_perf_query. */
	LAYER_PERF_QUERY,
};

/**
 * struct physical - a physical device
 */
struct physical {
	/** @next: Next of the instance. */
	struct physical *next;

	/** @handle: Handle. */
	VkPhysicalDevice handle;

	/** @gpu: Its GPU. %NULL: it is not counted. */
	struct gpu *gpu;
};

/**
 * struct instance - an instance, as one of the layers has it
 */
struct instance {
	/** @next: Next of the list. */
	struct instance *next;

	/** @key: What the loader keeps at the start of each of its dispatchable handles. */
	void *key;

	/** @handle: Handle. */
	VkInstance handle;

	/** @layer: The layer. */
	enum layer_name layer;

	/** @passive: The layer passes everything through. */
	bool passive;

	/** @next_proc_addr: Finds the functions of the next layer. */
	PFN_vkGetInstanceProcAddr next_proc_addr;

	/** @physical: Physical devices that are known. */
	struct physical *physical;

	/** @vk: Functions of the next layer. %NULL: it has none. */
	struct {
		INSTANCE_FUNCTIONS(FUNCTION_POINTER)
	} vk;
};

/**
 * struct device - a device, as one of the layers has it
 */
struct device {
	/** @next: Next of the list. */
	struct device *next;

	/** @key: What the loader keeps at the start of each of its dispatchable handles. */
	void *key;

	/** @handle: Handle. */
	VkDevice handle;

	/** @layer: The layer. */
	enum layer_name layer;

	/** @passive: The layer passes everything through. */
	bool passive;

	/** @physical: Its physical device. */
	VkPhysicalDevice physical;

	/** @next_proc_addr: Finds the functions of the next layer. */
	PFN_vkGetDeviceProcAddr next_proc_addr;

	/** @vk: Functions of the next layer. %NULL: it has none. */
	struct {
		DEVICE_FUNCTIONS(FUNCTION_POINTER)
	} vk;

	/** @commands: Commands of the next layer, if the device is profiled. */
	struct command_functions commands;

	/** @whole: Command buffers are not split: it has commands that the layer does not know. */
	bool whole;

	/** @hides_timelines: The application has not enabled VK_KHR_timeline_semaphore. */
	bool hides_timelines;

	/** @hides_fds: The application has not enabled VK_KHR_external_semaphore_fd. */
	bool hides_fds;

	/** @hides_boundaries: The driver does not have VK_EXT_frame_boundary, but the layer. */
	bool hides_boundaries;

	/** @set_loader_data: Has the loader know a command buffer that the layer has allocated. */
	PFN_vkSetDeviceLoaderData set_loader_data;

	/** @number: Number among those of the GPU, from 0. */
	unsigned int number;

	/** @gpu_next: Next device of the GPU. */
	struct device *gpu_next;

	/** @gpu: The GPU that is profiled. %NULL: the layer passes everything through. */
	struct gpu *gpu;

	/** @timeline: The semaphore that puts submissions and samples in order. */
	VkSemaphore timeline;

	/** @clock: Holds the rate of the clock. May be %NULL. Guarded by @lock. */
	struct panthor_perf_session *clock;

	/** @query_pools: Pools of queries and sessions, see pools.h. */
	struct query_pool *query_pools;

	/** @profiling_locks: How often it holds the profiling lock. */
	atomic_uint profiling_locks;

	/** @marks_begun: It has got a submission. */
	atomic_bool marks_begun;

	/** @marking: A frame ends. Guards what marks.c has of the device and its queues. */
	pthread_mutex_t marking;

	/** @mark_open: The frame that is now is profiled as a unit. */
	bool mark_open;

	/** @mark_late: Work that came before the last mark was counted behind it. */
	bool mark_late;

	/** @lost: Result of a submission that the driver has refused after the call returned. */
	_Atomic VkResult lost;

	/** @lock: Guards all that follows but for @semaphores. */
	pthread_mutex_t lock;

	/** @queues: Queues that the application has got. */
	struct queue *queues;

	/** @queue_count: Their number. */
	unsigned int queue_count;

	/** @frames: Its frames. */
	struct frames frames;

	/** @cmds: Command buffers: a tree of struct cmd. */
	void *cmds;

	/** @cmd_pools: Their pools: a tree of struct cmd_pool. */
	void *cmd_pools;

	/** @templates: Templates of push descriptors, see push.c. */
	void *templates;

	/** @states: States that are kept for the next command buffers. */
	struct state *states;

	/** @state_count: Their number. */
	unsigned int state_count;

	/** @ordered: The layer has put its queues in order. Guarded by the GPU's lock. */
	bool ordered;

	/** @semaphores: Semaphores, see semaphores.h. Guarded by the GPU's lock. */
	void *semaphores;
};

/**
 * struct queue - a queue
 */
struct queue {
	/** @next: Next of the device. */
	struct queue *next;

	/** @handle: Handle. */
	VkQueue handle;

	/** @device: Its device. */
	struct device *device;

	/** @number: Number among those of the device, from 0. */
	unsigned int number;

	/** @calls: Held while a function of the next layer is called with the queue. */
	pthread_mutex_t calls;

	/** @labels: Its open labels. May be %NULL. */
	struct label_stack *labels;

	/** @carried: Labels that command buffers have begun and not ended. May be %NULL. */
	struct label_stack *carried;

	/** @pending: Submissions that the driver does not have yet. Guarded by the GPU's lock. */
	unsigned int pending;

	/** @blocked: The first of them waits. Of a search for the next one. */
	bool blocked;

	/** @mark_used: The driver has got something of it since the last mark, see marks.c. */
	atomic_bool mark_used;

	/** @mark_syncobj: Its own timeline; 0: it has none yet. */
	uint32_t mark_syncobj;

	/** @mark_timeline: That as a semaphore. */
	VkSemaphore mark_timeline;

	/** @mark_point: Its last point. */
	uint64_t mark_point;

	/** @unordered: Its work is to be put in order with samples. Guarded by the GPU's lock. */
	bool unordered;
};

struct instance *instance_of(const void *handle);
struct device *device_of(const void *handle);
bool layer_find_gpu(const struct instance *instance, VkPhysicalDevice handle, struct gpu **gpu);
struct gpu *gpu_of_physical(VkPhysicalDevice handle);
struct queue *queue_of(struct device *device, VkQueue handle);
void queue_begin_call(struct queue *queue);
void queue_end_call(struct queue *queue);

VkResult waits_query_results(struct device *device, VkQueryPool pool, uint32_t first,
			     uint32_t count, size_t size, void *data, VkDeviceSize stride,
			     VkQueryResultFlags flags);

/* Intercepted functions, by file */
PFN_vkVoidFunction submit_function(const char *name);
PFN_vkVoidFunction waits_function(const char *name);
PFN_vkVoidFunction labels_function(const char *name);
PFN_vkVoidFunction commands_function(const char *name);
PFN_vkVoidFunction split_function(struct device *device, const char *name);
PFN_vkVoidFunction push_function(const char *name);
PFN_vkVoidFunction queries_function(const char *name);
PFN_vkVoidFunction queries_extension_function(const char *name);
PFN_vkVoidFunction queries_instance_function(const char *name, PFN_vkVoidFunction next);
PFN_vkVoidFunction sessions_function(const char *name);

/**
 * struct function - a function that the layer replaces
 */
struct function {
	/** @name: Its name in Vulkan. */
	const char *name;

	/** @address: The layer's function. */
	PFN_vkVoidFunction address;
};

PFN_vkVoidFunction find_function(const struct function *functions, size_t count, const char *name);

#define FUNCTION(name)		{ "vk" #name, (PFN_vkVoidFunction)layer_##name }
#define FUNCTION_AS(alias, name) { "vk" #alias, (PFN_vkVoidFunction)layer_##name }

void say(const char *format, ...) __attribute__((__format__(printf, 1, 2)));

/* Prints a message when it is the first time that the process comes here. */
#define say_once(...) \
	do { \
		static atomic_flag said = ATOMIC_FLAG_INIT; \
		if (!atomic_flag_test_and_set(&said)) \
			say(__VA_ARGS__); \
	} while (0)

#endif
