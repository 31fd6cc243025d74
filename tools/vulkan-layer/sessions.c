// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A session is a pool of queries, each of which has counters of its own. The clock is held by a
 * counter session without counters.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

#include "gpu.h"
#include "layer.h"
#include "panthor_perf_vulkan.h"
#include "pools.h"
#include "queries.h"
#include "sessions.h"
#include "settings.h"
#include "split.h"

#define MAX_SAMPLES	65536

/* The handle is the number of the pool. %NULL: the device has no such session. */
static struct query_pool *session_of(const struct device *device,
				     struct VkPerfSessionPANTHOR *handle)
{
	struct query_pool *pool = pool_of_number(device, (uintptr_t)handle);

	return pool && !pool->handle ? pool : NULL;
}

/* ---- What there is ---- */

static void describe_block(const struct panthor_perf_selection *selection, unsigned int type,
			   struct VkPerfBlockPropertiesPANTHOR *block)
{
	const struct panthor_perf_item *item;
	const char *name = panthor_perf_block_name(type);

	memset(block, 0, sizeof(*block));
	block->blockType = type;
	block->instanceCount =
		panthor_perf_gpu_instance_count(panthor_perf_selection_gpu(selection), type);
	for (size_t i = 0; (item = panthor_perf_selection_item(selection, i)); i++)
		block->counterCount += item->type == type;
	snprintf(block->name, sizeof(block->name), "%s", name ? name : "");
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetPerfPropertiesPANTHOR(VkDevice handle, struct VkPerfPropertiesPANTHOR *properties)
{
	const struct device *device = device_of(handle);
	const struct panthor_perf_selection *selection = gpu_selection(device->gpu);
	const struct panthor_perf_gpu *gpu = panthor_perf_selection_gpu(selection);
	uint32_t count = 0, room;

	if (properties->structSize < offsetof(struct VkPerfPropertiesPANTHOR, gpuId))
		return VK_ERROR_INITIALIZATION_FAILED;
	if (properties->structSize >= sizeof(*properties))
		properties->gpuId = panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID);
	room = properties->blockCount;
	properties->clockModes = !!(panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_FEATURES) &
				    DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT);
	properties->maxSamples = MAX_SAMPLES;
	for (unsigned int type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		if (!panthor_perf_gpu_block_count(gpu, type))
			continue;
		if (properties->pBlocks && count < room)
			describe_block(selection, type, &properties->pBlocks[count]);
		count++;
	}
	properties->blockCount = properties->pBlocks && room < count ? room : count;
	return properties->blockCount < count ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- Clocks ---- */

static VkResult result_of(int error)
{
	switch (error) {
	case 0:
		return VK_SUCCESS;
	case -EACCES:
		return VK_ERROR_NOT_PERMITTED_EXT;
	case -EOPNOTSUPP:
		return VK_ERROR_FEATURE_NOT_PRESENT;
	case -EBUSY:
		return VK_NOT_READY;
	case -ENODEV:
		return VK_ERROR_DEVICE_LOST;
	default:
		return VK_ERROR_INITIALIZATION_FAILED;
	}
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_GetPerfClocksPANTHOR(VkDevice handle,
								 struct VkPerfClocksPANTHOR *clocks)
{
	const struct device *device = device_of(handle);
	struct drm_panthor_perf_clocks rates;
	int ret;

	if (clocks->structSize < sizeof(*clocks))
		return VK_ERROR_INITIALIZATION_FAILED;
	ret = panthor_perf_device_clocks(gpu_device(device->gpu), &rates, sizeof(rates), NULL);
	if (ret)
		return result_of(ret);
	clocks->currentHz = rates.toplevel.rate_hz;
	clocks->profilingHz = rates.toplevel.profiling_hz;
	clocks->lowestHz = rates.toplevel.lowest_hz;
	clocks->highestHz = rates.toplevel.highest_hz;
	return VK_SUCCESS;
}

/* A started session without counters, with the mode. */
static int hold_clock(struct device *device, uint32_t mode, struct panthor_perf_error *error)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_session *session = NULL;
	struct panthor_perf_selection *none;
	int ret;

	ret = panthor_perf_selection_create
		(panthor_perf_selection_gpu(gpu_selection(device->gpu)), NULL,
		 DRM_PANTHOR_PERF_SET_PRIMARY, &none, error);
	if (ret)
		return ret;
	config.selection = none;
	config.clock_mode = mode;
	ret = panthor_perf_session_create(gpu_device(device->gpu), &config, &session, error);
	if (!ret)
		ret = panthor_perf_session_start(session, 0, error);
	if (ret)
		panthor_perf_session_destroy(session);
	else
		device->clock = session;
	panthor_perf_selection_destroy(none);
	return ret;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_SetPerfClockModePANTHOR(VkDevice handle, enum VkPerfClockModePANTHOR mode)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct device *device = device_of(handle);
	int ret = 0;

	if ((uint32_t)mode > VK_PERF_CLOCK_MODE_HIGHEST_PANTHOR)
		return VK_ERROR_INITIALIZATION_FAILED;
	pthread_mutex_lock(&device->lock);
	/* Modes do not agree with each other, also those of one process. */
	panthor_perf_session_destroy(device->clock);
	device->clock = NULL;
	if (mode != VK_PERF_CLOCK_MODE_DEFAULT_PANTHOR)
		ret = hold_clock(device, mode, &error);
	pthread_mutex_unlock(&device->lock);
	if (ret)
		say("the clock is not held: %s", error.text);
	return result_of(ret);
}

/** sessions_remove_device() - The application destroys a device. */
void sessions_remove_device(struct device *device)
{
	panthor_perf_session_destroy(device->clock);
	device->clock = NULL;
}

/* ---- Sessions ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CreatePerfSessionPANTHOR(VkDevice handle, const struct VkPerfSessionCreateInfoPANTHOR *info,
			       struct VkPerfSessionPANTHOR **session)
{
	struct device *device = device_of(handle);
	const struct query_pool *source;
	struct query_pool *pool;

	if (info->structSize < sizeof(*info) || !info->maxSamples ||
	    info->maxSamples > MAX_SAMPLES)
		return VK_ERROR_INITIALIZATION_FAILED;
	source = session_of(device, info->copySource);
	if ((info->copySource && !source) || !queries_lock_profiling(device))
		return VK_ERROR_INITIALIZATION_FAILED;
	pool = pool_create(device, VK_NULL_HANDLE, info->maxSamples, gpu_selection(device->gpu));
	if (!pool) {
		queries_unlock_profiling(device);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (source)
		pool->source = source->number;
	*session = (struct VkPerfSessionPANTHOR *)(uintptr_t)pool->number;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
layer_DestroyPerfSessionPANTHOR(VkDevice handle, struct VkPerfSessionPANTHOR *session)
{
	struct device *device = device_of(handle);
	struct query_pool *pool = session_of(device, session);

	if (!pool)
		return;
	pool_destroy(pool);
	queries_unlock_profiling(device);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_ResetPerfSessionPANTHOR(VkDevice handle, struct VkPerfSessionPANTHOR *session)
{
	struct query_pool *pool = session_of(device_of(handle), session);

	if (!pool)
		return VK_ERROR_INITIALIZATION_FAILED;
	pool_reset(pool, 0, pool->count);
	pool_lock();
	pool->used = 0;
	pool->copy_failed = false;
	pool_unlock();
	return VK_SUCCESS;
}

/* ---- Samples ---- */

static bool is_valid(const struct query_pool *pool, const struct VkPerfSampleBeginInfoPANTHOR *info)
{
	const size_t items = panthor_perf_selection_item_count(pool->selection);

	if (info->structSize < sizeof(*info) || pool->source)
		return false;
	if (info->sampleType == VK_PERF_SAMPLE_TYPE_TIMING_PANTHOR)
		return !info->counterIndexCount;
	if (info->sampleType != VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR || !info->counterIndexCount)
		return false;
	for (uint32_t i = 0; i < info->counterIndexCount; i++) {
		if (info->pCounterIndices[i] >= items)
			return false;
	}
	return true;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CmdBeginPerfSamplePANTHOR(VkCommandBuffer handle, struct VkPerfSessionPANTHOR *session,
				const struct VkPerfSampleBeginInfoPANTHOR *info, uint32_t *id)
{
	struct target target = split_target(handle);
	struct query_pool *pool = session_of(target.device, session);
	struct query query = { 0 };

	if (!pool || !is_valid(pool, info))
		return VK_ERROR_INITIALIZATION_FAILED;
	query.pool = pool->number;
	query.index = pool->used;
	if (query.index == pool->count)
		return VK_ERROR_TOO_MANY_OBJECTS;
	if (!pool_set_counters(pool, query.index, info->counterIndexCount, info->pCounterIndices))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (!split_begin_query(&target, &query))
		return VK_ERROR_FEATURE_NOT_PRESENT;
	pool_lock();
	pool->used++;
	pool_unlock();
	*id = query.index;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdEndPerfSamplePANTHOR(VkCommandBuffer handle, struct VkPerfSessionPANTHOR *session,
			      uint32_t id)
{
	const struct query query = { .pool = (uintptr_t)session, .index = id };
	struct target target = split_target(handle);

	if (!split_end_query(&target, &query))
		say_once("a sample has no result: %s", NO_SPLIT_AT_END);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CmdCopyPerfSessionResultsPANTHOR(VkCommandBuffer handle, struct VkPerfSessionPANTHOR *session)
{
	struct target target = split_target(handle);
	const struct query_pool *pool = session_of(target.device, session);
	struct query query = { .index = QUERY_COPY };

	if (!pool || !pool->source)
		return VK_ERROR_INITIALIZATION_FAILED;
	query.pool = pool->number;
	if (!split_begin_query(&target, &query))
		return VK_ERROR_FEATURE_NOT_PRESENT;
	split_end_query(&target, &query);
	return VK_SUCCESS;
}

/* ---- Results ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetPerfSessionStatusPANTHOR(VkDevice handle, struct VkPerfSessionPANTHOR *session)
{
	const struct device *device = device_of(handle);
	const struct query_pool *pool = session_of(device, session);
	VkResult result = VK_SUCCESS;

	if (!pool)
		return VK_ERROR_INITIALIZATION_FAILED;
	pool_lock();
	if (pool->copy_submitted > pool->copy_done)
		result = VK_NOT_READY;
	for (uint32_t i = 0; i < pool->used; i++) {
		if (pool->results[i].state < QUERY_AVAILABLE)
			result = VK_NOT_READY;
	}
	for (uint32_t i = 0; i < pool->used; i++) {
		if (pool->results[i].state == QUERY_FAILED)
			result = VK_ERROR_DEVICE_LOST;
	}
	if (pool->copy_failed)
		result = VK_ERROR_DEVICE_LOST;
	pool_unlock();
	return device->lost != VK_SUCCESS ? VK_ERROR_DEVICE_LOST : result;
}

static VkResult give(const void *from, size_t size, size_t *room, void *to)
{
	const size_t given = *room < size ? *room : size;

	*room = to ? given : size;
	if (!to)
		return VK_SUCCESS;
	memcpy(to, from, given);
	return given < size ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetPerfSessionResultsPANTHOR(VkDevice handle, struct VkPerfSessionPANTHOR *session,
				   uint32_t id, size_t *size, void *data)
{
	const struct query_pool *pool = session_of(device_of(handle), session);
	VkResult result = VK_ERROR_INITIALIZATION_FAILED;
	const struct query_result *own;

	if (!pool)
		return result;
	pool_lock();
	if (id < pool->used) {
		own = &pool->results[id];
		if (own->state == QUERY_FAILED)
			result = VK_ERROR_DEVICE_LOST;
		else if (own->state != QUERY_AVAILABLE)
			result = VK_NOT_READY;
		else if (own->counter_count)
			result = give(own->values, own->counter_count * sizeof(*own->values), size,
				      data);
		else
			result = give(&(struct VkPerfTimingPANTHOR) { own->start_ns, own->end_ns },
				      sizeof(struct VkPerfTimingPANTHOR), size, data);
	}
	pool_unlock();
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_GetPerfSessionInstanceResultsPANTHOR(VkDevice handle, struct VkPerfSessionPANTHOR *session,
					   uint32_t id, uint32_t position, size_t *size, void *data)
{
	const struct query_pool *pool = session_of(device_of(handle), session);
	VkResult result = VK_ERROR_INITIALIZATION_FAILED;
	const struct query_result *own;
	uint32_t count;
	size_t at;

	if (!pool)
		return result;
	pool_lock();
	if (id < pool->used && position < pool->results[id].counter_count) {
		own = &pool->results[id];
		at = pool_find_instances(pool, own, position, &count);
		if (own->state == QUERY_FAILED)
			result = VK_ERROR_DEVICE_LOST;
		else if (own->state != QUERY_AVAILABLE)
			result = VK_NOT_READY;
		else if (count)
			result = give(own->instances + at, count * sizeof(*own->instances), size,
				      data);
		else
			result = give(own->values + position, sizeof(*own->values), size, data);
	}
	pool_unlock();
	return result;
}

static const struct function functions[] = {
	FUNCTION(CmdBeginPerfSamplePANTHOR),
	FUNCTION(CmdCopyPerfSessionResultsPANTHOR),
	FUNCTION(CmdEndPerfSamplePANTHOR),
	FUNCTION(CreatePerfSessionPANTHOR),
	FUNCTION(DestroyPerfSessionPANTHOR),
	FUNCTION(GetPerfClocksPANTHOR),
	FUNCTION(GetPerfPropertiesPANTHOR),
	FUNCTION(GetPerfSessionInstanceResultsPANTHOR),
	FUNCTION(GetPerfSessionResultsPANTHOR),
	FUNCTION(GetPerfSessionStatusPANTHOR),
	FUNCTION(ResetPerfSessionPANTHOR),
	FUNCTION(SetPerfClockModePANTHOR),
};

/** sessions_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction sessions_function(const char *name)
{
	if (settings_get()->mode != MODE_QUERIES)
		return NULL;
	return find_function(functions, COUNT(functions), name);
}
