/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Pools of queries: what an application has counted within its command buffers, by
 * VK_KHR_performance_query or by panthor_perf_vulkan.h. A query is a part of a command buffer, and
 * the sample behind this part is its result.
 */
#ifndef VULKAN_LAYER_POOLS_H
#define VULKAN_LAYER_POOLS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct device;
struct panthor_perf_sample;
struct panthor_perf_selection;
struct panthor_perf_values;

/* Index of a query that has nothing counted: the results of the pool's source are copied. */
#define QUERY_COPY	UINT32_MAX

/** enum query_state - what is known of a query */
enum query_state {
	/** @QUERY_RESET: It was not submitted since it was reset. */
	QUERY_RESET,

	/** @QUERY_PENDING: It was submitted, maybe again. */
	QUERY_PENDING,

	/** @QUERY_AVAILABLE: It has a result. */
	QUERY_AVAILABLE,

	/** @QUERY_FAILED: There will be no result. */
	QUERY_FAILED,
};

/**
 * struct query_result - what a query has counted
 */
struct query_result {
	/** @state: Whether there is something. */
	enum query_state state;

	/** @pending: Submissions whose sample is not there. */
	unsigned int pending;

	/** @valid: The values are those of a sample since the last reset. */
	bool valid;

	/** @counter_count: Number of counters. */
	uint32_t counter_count;

	/** @counters: The counters: numbers of items of the selection. */
	uint32_t *counters;

	/** @values: Their values. */
	VkPerformanceCounterResultKHR *values;

	/** @start_ns: Begin of the sample, on CLOCK_MONOTONIC_RAW, in ns. */
	uint64_t start_ns;

	/** @end_ns: Its end. */
	uint64_t end_ns;
};

/**
 * struct query_pool - a pool of queries
 */
struct query_pool {
	/** @selection: The counters of the GPU. */
	const struct panthor_perf_selection *selection;

	/** @source: Pool whose results are copied. May be %NULL. */
	struct query_pool *source;

	/** @copies: Copies that were submitted and not done. */
	unsigned int copies;

	/** @copy_failed: A copy will not be done. */
	bool copy_failed;

	/** @used: Queries that are in use. */
	uint32_t used;

	/** @count: Number of queries. */
	uint32_t count;

	/** @results: The result of each. */
	struct query_result results[];
};

/**
 * struct query - a query of a pool
 */
struct query {
	/** @pool: Its pool. %NULL: none. */
	struct query_pool *pool;

	/** @index: Its number in the pool; or %QUERY_COPY. */
	uint32_t index;
};

struct query_pool *pool_create(uint32_t count, const struct panthor_perf_selection *selection);
void pool_destroy(struct query_pool *pool);
struct query_pool *pool_find(uint64_t handle);
bool pool_set_counters(struct query_pool *pool, uint32_t index, uint32_t count,
		       const uint32_t *counters);
void pool_reset(struct query_pool *pool, uint32_t first, uint32_t count);

void pool_lock(void);
void pool_unlock(void);
void pool_wait(void);

void query_submitted(const struct query *query);
void query_complete(const struct query *query, const struct panthor_perf_values *values,
		    const struct panthor_perf_sample *sample);
void query_fail(const struct query *query);

#endif
