// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * VK_KHR_performance_query on a driver that has it not.
 *
 * A counter of the table is one of the extension. A query is a part of its command buffer: the
 * layer splits the command buffer where the query begins and where it ends, and the sample behind
 * the part is the result. So a query may enclose any number of dispatches, transfers and render
 * passes. One pass is enough for all counters. The profiling lock is the started session.
 *
 * Pools with these queries are pools of the driver of another type, so that each function that
 * takes the handle, such as one that names objects, may have it. None of their queries is used.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

#include "commands.h"
#include "gpu.h"
#include "layer.h"
#include "pools.h"
#include "queries.h"
#include "sampler.h"
#include "semaphores.h"
#include "settings.h"
#include "split.h"
#include "types.h"

/*
 * Longest wait for a query that nothing submitted has begun, as in drivers of Mesa; and for the
 * sample of a query that the GPU has executed, if the application does not wait itself.
 */
#define WAIT_NS		INT64_C(2000000000)

/* ---- Physical devices ---- */

static VkPerformanceCounterUnitKHR unit_of(const char *unit)
{
	static const struct {
		const char *name;
		VkPerformanceCounterUnitKHR unit;
	} units[] = {
		{ "percent", VK_PERFORMANCE_COUNTER_UNIT_PERCENTAGE_KHR },
		{ "bytes", VK_PERFORMANCE_COUNTER_UNIT_BYTES_KHR },
		{ "bytes/s", VK_PERFORMANCE_COUNTER_UNIT_BYTES_PER_SECOND_KHR },
		{ "hertz", VK_PERFORMANCE_COUNTER_UNIT_HERTZ_KHR },
		{ "cycles", VK_PERFORMANCE_COUNTER_UNIT_CYCLES_KHR },
	};

	for (size_t i = 0; i < COUNT(units); i++) {
		if (!strcmp(units[i].name, unit))
			return units[i].unit;
	}
	return VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR;
}

/* The same for a counter of a table in each version: two FNV-1a sums of both names. */
static void make_uuid(uint8_t uuid[VK_UUID_SIZE], const char *table, const char *counter)
{
	const char *const parts[] = { table, "/", counter };

	for (int half = 0; half < 2; half++) {
		uint64_t sum = UINT64_C(14695981039346656037) + half;

		for (size_t i = 0; i < COUNT(parts); i++) {
			for (const char *at = parts[i]; *at; at++)
				sum = (sum ^ (unsigned char)*at) * UINT64_C(1099511628211);
		}
		memcpy(uuid + 8 * half, &sum, sizeof(sum));
	}
}

static void describe(const struct panthor_perf_selection *selection,
		     const struct panthor_perf_item *item, VkPerformanceCounterKHR *counter,
		     VkPerformanceCounterDescriptionKHR *text)
{
	const struct panthor_perf_table *table = panthor_perf_selection_table(selection);
	const struct panthor_perf_counter *known = item->counter;
	const char *group = item->type ? panthor_perf_block_name(item->type) : known->group;

	if (counter) {
		counter->unit = unit_of(known->unit);
		counter->scope = VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR;
		counter->storage = item->type ? VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR :
						VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR;
		make_uuid(counter->uuid, panthor_perf_table_name(table), item->name);
	}
	if (!text)
		return;
	/* Other queries on the GPU wait, which is no influence on what is counted. */
	text->flags = 0;
	snprintf(text->name, sizeof(text->name), "%s", item->name);
	snprintf(text->category, sizeof(text->category), "%s", group ? group : "");
	snprintf(text->description, sizeof(text->description), "%s", known->title);
}

/* Commands of queries are those of queues for graphics or compute. */
static bool has_queries(const struct instance *instance, VkPhysicalDevice physical, uint32_t family)
{
	const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
	VkQueueFamilyProperties *families;
	uint32_t count = 0;
	bool has = false;

	instance->vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
	families = calloc(count + 1, sizeof(*families));
	if (!families)
		return false;
	instance->vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
	if (family < count)
		has = families[family].queueFlags & needed;
	free(families);
	return has;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR
		(VkPhysicalDevice physical, uint32_t family, uint32_t *count,
		 VkPerformanceCounterKHR *counters, VkPerformanceCounterDescriptionKHR *texts)
{
	const struct instance *instance = instance_of(physical);
	struct gpu *gpu = gpu_of_physical(physical);
	const struct panthor_perf_selection *selection = gpu ? gpu_selection(gpu) : NULL;
	const uint32_t total = gpu && has_queries(instance, physical, family) ?
			       panthor_perf_selection_item_count(selection) : 0;
	const uint32_t room = counters || texts ? *count : total;

	/* The driver of another GPU may have the extension itself. */
	if (!gpu && instance->vk.EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		return instance->vk.EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR
			(physical, family, count, counters, texts);
	*count = room < total ? room : total;
	for (uint32_t i = 0; i < *count && (counters || texts); i++)
		describe(selection, panthor_perf_selection_item(selection, i),
			 counters ? &counters[i] : NULL, texts ? &texts[i] : NULL);
	return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR
		(VkPhysicalDevice physical, const VkQueryPoolPerformanceCreateInfoKHR *info,
		 uint32_t *passes)
{
	const struct instance *instance = instance_of(physical);

	if (!gpu_of_physical(physical) &&
	    instance->vk.GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR)
		instance->vk.GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR(physical, info,
										   passes);
	else
		*passes = 1;
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
				   VkPhysicalDeviceProperties2 *properties)
{
	const VkStructureType type =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR;
	const struct instance *instance = instance_of(physical);

	(instance->vk.GetPhysicalDeviceProperties2 ? instance->vk.GetPhysicalDeviceProperties2 :
	 instance->vk.GetPhysicalDeviceProperties2KHR)(physical, properties);
	for (VkBaseOutStructure *at = properties->pNext; at; at = at->pNext) {
		VkPhysicalDevicePerformanceQueryPropertiesKHR *own = (void *)at;

		if (at->sType == type && gpu_of_physical(physical))
			own->allowCommandBufferQueryCopies = VK_FALSE;
	}
}

/* ---- Pools ---- */

static bool is_valid(const struct device *device, const VkQueryPoolPerformanceCreateInfoKHR *info)
{
	const size_t items = panthor_perf_selection_item_count(gpu_selection(device->gpu));

	if (!has_queries(instance_of(device->physical), device->physical, info->queueFamilyIndex))
		return false;
	for (uint32_t i = 0; i < info->counterIndexCount; i++) {
		if (info->pCounterIndices[i] >= items)
			return false;
	}
	return true;
}

static VkResult create_pool(struct device *device, const VkQueryPoolCreateInfo *info,
			    const VkQueryPoolPerformanceCreateInfoKHR *counters,
			    const VkAllocationCallbacks *allocator, VkQueryPool *handle)
{
	/* Each driver has these queries. */
	const VkQueryPoolCreateInfo stands_for = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION,
		.queryCount = info->queryCount,
	};
	struct query_pool *pool;
	VkResult result;
	bool done;

	if (!counters || !is_valid(device, counters)) {
		say_once("a pool of queries has no such counter or queue family");
		return VK_ERROR_INITIALIZATION_FAILED;
	}
	result = device->vk.CreateQueryPool(device->handle, &stands_for, allocator, handle);
	if (result != VK_SUCCESS)
		return result;
	pool = pool_create(device, *handle, info->queryCount, gpu_selection(device->gpu));
	done = pool;
	for (uint32_t i = 0; i < info->queryCount && done; i++)
		done = pool_set_counters(pool, i, counters->counterIndexCount,
					 counters->pCounterIndices);
	if (done)
		return VK_SUCCESS;
	if (pool)
		pool_destroy(pool);
	device->vk.DestroyQueryPool(device->handle, *handle, allocator);
	*handle = VK_NULL_HANDLE;
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateQueryPool(VkDevice handle,
							    const VkQueryPoolCreateInfo *info,
							    const VkAllocationCallbacks *allocator,
							    VkQueryPool *pool)
{
	const VkStructureType type = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR;
	struct device *device = device_of(handle);
	const VkBaseInStructure *at = info->pNext;

	if (info->queryType != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR)
		return device->vk.CreateQueryPool(handle, info, allocator, pool);
	while (at && at->sType != type)
		at = at->pNext;
	return create_pool(device, info, (const void *)at, allocator, pool);
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyQueryPool(VkDevice handle, VkQueryPool pool_handle,
							 const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);
	struct query_pool *pool = pool_of_handle(device, pool_handle);

	if (pool)
		pool_destroy(pool);
	device->vk.DestroyQueryPool(handle, pool_handle, allocator);
}

static VKAPI_ATTR void VKAPI_CALL layer_ResetQueryPool(VkDevice handle, VkQueryPool pool_handle,
						       uint32_t first, uint32_t count)
{
	struct device *device = device_of(handle);
	struct query_pool *pool = pool_of_handle(device, pool_handle);

	if (pool)
		pool_reset(pool, first, count);
	else
		(device->vk.ResetQueryPool ? device->vk.ResetQueryPool :
		 device->vk.ResetQueryPoolEXT)(handle, pool_handle, first, count);
}

/*
 * Has the result of a query to be waited for? It is that of a sample, which comes a little later
 * than the end of the query's submission. Without VK_QUERY_RESULT_WAIT_BIT it is waited for if the
 * GPU has executed the query: for the application it is there. This wait has an end, as the
 * application expects a call that returns at once.
 */
static bool is_awaited(const struct device *device, const struct query_result *query,
		       VkQueryResultFlags flags, int64_t end_ns)
{
	const bool waits = flags & VK_QUERY_RESULT_WAIT_BIT;

	if (query->state >= QUERY_AVAILABLE || device->lost != VK_SUCCESS)
		return false;
	/* It was submitted and will have a result, or fail. */
	if (waits && query->state == QUERY_PENDING)
		return true;
	if (deadline_ns(0) >= end_ns)
		return false;
	return waits || (query->state == QUERY_PENDING && query->point &&
			 gpu_has_reached(device->gpu, query->point));
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetQueryPoolResults(VkDevice handle, VkQueryPool pool_handle, uint32_t first, uint32_t count,
			  size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
	struct device *device = device_of(handle);
	struct query_pool *pool = pool_of_handle(device, pool_handle);
	const int64_t end_ns = deadline_ns(WAIT_NS);
	VkResult result = VK_SUCCESS;

	if (!pool)
		return waits_query_results(device, pool_handle, first, count, size, data, stride,
					   flags);
	if (first > pool->count || count > pool->count - first) {
		say_once("results of queries that a pool does not have are read");
		return VK_ERROR_UNKNOWN;
	}
	pool_lock();
	for (uint32_t i = first; i < first + count; i++) {
		const struct query_result *own = &pool->results[i];
		const size_t bytes = own->counter_count * sizeof(*own->values);
		const size_t at = (i - first) * stride;

		while (is_awaited(device, own, flags, end_ns))
			pool_wait();
		if (at > size || bytes > size - at)
			result = VK_ERROR_UNKNOWN;
		else if (own->state == QUERY_AVAILABLE)
			memcpy((char *)data + at, own->values, bytes);
		else if (own->state == QUERY_FAILED || device->lost != VK_SUCCESS)
			result = VK_ERROR_DEVICE_LOST;
		else if (result == VK_SUCCESS)
			result = VK_NOT_READY;
	}
	pool_unlock();
	return result;
}

/* ---- Commands ---- */

/* A query of a pool, for commands that begin or end it. Fails if the pool does not have it. */
static bool find_query(const struct query_pool *pool, uint32_t index, struct query *query)
{
	*query = (struct query) { .pool = pool->number, .index = index };
	if (index < pool->count)
		return true;
	say_once("a query that its pool does not have is used");
	return false;
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdResetQueryPool(VkCommandBuffer handle,
							  VkQueryPool pool_handle, uint32_t first,
							  uint32_t count)
{
	const struct target target = split_target(handle);
	const struct query_pool *pool = pool_of_handle(target.device, pool_handle);

	if (pool)
		split_query_event(&target, QUERY_EVENT_RESET,
				  &(struct query) { .pool = pool->number, .index = first }, count);
	else
		target.device->commands.CmdResetQueryPool(target.handle, pool_handle, first, count);
}

static void begin_query(struct target *target, const struct query_pool *pool, uint32_t index)
{
	struct query query;

	if (!find_query(pool, index, &query) || split_begin_query(target, &query))
		return;
	say_once("a query has no result: its command buffer cannot be split where it begins");
	split_query_event(target, QUERY_EVENT_REFUSE, &query, 1);
}

static void end_query(struct target *target, const struct query_pool *pool, uint32_t index)
{
	struct query query;

	if (find_query(pool, index, &query) && !split_end_query(target, &query))
		say_once("a query has no result: %s", NO_SPLIT_AT_END);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBeginQuery(VkCommandBuffer handle,
						      VkQueryPool pool_handle, uint32_t query,
						      VkQueryControlFlags flags)
{
	struct target target = split_target(handle);
	const struct query_pool *pool = pool_of_handle(target.device, pool_handle);

	if (pool) {
		begin_query(&target, pool, query);
		return;
	}
	target = split_begin_scope(handle);
	target.device->commands.CmdBeginQuery(target.handle, pool_handle, query, flags);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndQuery(VkCommandBuffer handle, VkQueryPool pool_handle,
						    uint32_t query)
{
	struct target target = split_target(handle);
	const struct query_pool *pool = pool_of_handle(target.device, pool_handle);

	if (pool) {
		end_query(&target, pool, query);
		return;
	}
	target = split_end_scope(handle);
	target.device->commands.CmdEndQuery(target.handle, pool_handle, query);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBeginQueryIndexedEXT(VkCommandBuffer handle,
								VkQueryPool pool_handle,
								uint32_t query,
								VkQueryControlFlags flags,
								uint32_t index)
{
	struct target target = split_target(handle);
	const struct query_pool *pool = pool_of_handle(target.device, pool_handle);

	if (pool) {
		begin_query(&target, pool, query);
		return;
	}
	target = split_begin_scope(handle);
	target.device->commands.CmdBeginQueryIndexedEXT(target.handle, pool_handle, query, flags,
							index);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndQueryIndexedEXT(VkCommandBuffer handle,
							      VkQueryPool pool_handle,
							      uint32_t query, uint32_t index)
{
	struct target target = split_target(handle);
	const struct query_pool *pool = pool_of_handle(target.device, pool_handle);

	if (pool) {
		end_query(&target, pool, query);
		return;
	}
	target = split_end_scope(handle);
	target.device->commands.CmdEndQueryIndexedEXT(target.handle, pool_handle, query, index);
}

/* What the driver's pool has would be copied: with VK_QUERY_RESULT_WAIT_BIT, the GPU would hang. */
static VKAPI_ATTR void VKAPI_CALL
layer_CmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool pool_handle, uint32_t first,
			      uint32_t count, VkBuffer buffer, VkDeviceSize offset,
			      VkDeviceSize stride, VkQueryResultFlags flags)
{
	struct target target = split_target(handle);

	if (pool_of_handle(target.device, pool_handle)) {
		say_once("no command copies results of queries (allowCommandBufferQueryCopies)");
		return;
	}
	target = split_work(handle, "vkCmdCopyQueryPoolResults",
			    TYPE_BIT(TYPE_BUFFER_TRANSFER));
	target.device->commands.CmdCopyQueryPoolResults(target.handle, pool_handle, first, count,
							buffer, offset, stride, flags);
}

/* ---- The profiling lock ---- */

/** queries_lock_profiling() - Count until queries_unlock_profiling(). Returns whether it counts. */
bool queries_lock_profiling(struct device *device)
{
	const bool locked = gpu_lock_profiling(device->gpu);

	device->profiling_locks += locked;
	return locked;
}

/** queries_unlock_profiling() - The opposite of queries_lock_profiling(). */
void queries_unlock_profiling(struct device *device)
{
	unsigned int locks = device->profiling_locks;

	while (locks && !atomic_compare_exchange_weak(&device->profiling_locks, &locks, locks - 1))
		;
	if (locks)
		gpu_unlock_profiling(device->gpu);
}

/** queries_remove_device() - The application destroys a device, perhaps with queries and locks. */
void queries_remove_device(struct device *device)
{
	while (device->query_pools)
		pool_destroy(device->query_pools);
	while (device->profiling_locks)
		queries_unlock_profiling(device);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AcquireProfilingLockKHR(VkDevice handle, const VkAcquireProfilingLockInfoKHR *info)
{
	return queries_lock_profiling(device_of(handle)) ? VK_SUCCESS : VK_TIMEOUT;
}

static VKAPI_ATTR void VKAPI_CALL layer_ReleaseProfilingLockKHR(VkDevice handle)
{
	queries_unlock_profiling(device_of(handle));
}

static const struct function of_extension[] = {
	FUNCTION(AcquireProfilingLockKHR),
	FUNCTION(ReleaseProfilingLockKHR),
};

static const struct function of_device[] = {
	FUNCTION(CmdBeginQuery),
	FUNCTION(CmdBeginQueryIndexedEXT),
	FUNCTION(CmdCopyQueryPoolResults),
	FUNCTION(CmdEndQuery),
	FUNCTION(CmdEndQueryIndexedEXT),
	FUNCTION(CmdResetQueryPool),
	FUNCTION(CreateQueryPool),
	FUNCTION(DestroyQueryPool),
	FUNCTION(GetQueryPoolResults),
	FUNCTION(ResetQueryPool),
	FUNCTION_AS(ResetQueryPoolEXT, ResetQueryPool),
};

/* Functions of the extension, for physical devices of the layer and others. */
static const struct function of_instance_extension[] = {
	FUNCTION(EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR),
	FUNCTION(GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR),
};

static const struct function of_instance[] = {
	FUNCTION(GetPhysicalDeviceProperties2),
	FUNCTION_AS(GetPhysicalDeviceProperties2KHR, GetPhysicalDeviceProperties2),
};

/** queries_extension_function() - Of a device with the extension of the layer; %NULL: not here. */
PFN_vkVoidFunction queries_extension_function(const char *name)
{
	if (settings_get()->mode != MODE_QUERIES)
		return NULL;
	return find_function(of_extension, COUNT(of_extension), name);
}

/** queries_function() - In place of a function of a device; %NULL: not here. */
PFN_vkVoidFunction queries_function(const char *name)
{
	if (settings_get()->mode != MODE_QUERIES)
		return NULL;
	return find_function(of_device, COUNT(of_device), name);
}

/**
 * queries_instance_function() - The layer's function of an instance
 * @name: Its name.
 * @next: That of the next layer. %NULL: it has none.
 *
 * Return: The function; %NULL: not here.
 */
PFN_vkVoidFunction queries_instance_function(const char *name, PFN_vkVoidFunction next)
{
	PFN_vkVoidFunction found;

	if (settings_get()->mode != MODE_QUERIES)
		return NULL;
	found = find_function(of_instance_extension, COUNT(of_instance_extension), name);
	if (!found && next)
		found = find_function(of_instance, COUNT(of_instance), name);
	return found;
}
