/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Pools of queries: what an application has counted within its command buffers, by
 * VK_KHR_performance_query or by panthor_perf_vulkan.h. A query is a part of a command buffer, and
 * the sample behind this part is its result.
 *
 * A pool has a number that no other one has, also after its end: command buffers, submissions and
 * samples that are on their way have it in place of a pointer. Whatever is submitted gets a ticket.
 * A query has the result with the highest ticket: one that comes behind a reset, or behind the
 * result of a later submission, is dropped.
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

	/** @submitted: Ticket of its last submission. */
	uint64_t submitted;

	/** @done: Ticket of its last result, failure or reset. */
	uint64_t done;

	/** @point: Point of the GPU's timeline at its end; 0: the driver does not have it yet. */
	uint64_t point;

	/** @valid: The values are those of a sample since the last reset. */
	bool valid;

	/** @counter_count: Number of counters. */
	uint32_t counter_count;

	/** @counters: The counters: numbers of items of the selection. */
	uint32_t *counters;

	/** @values: Their values. */
	VkPerformanceCounterResultKHR *values;

	/** @instances: Of a session: those of single blocks, one counter after the other. */
	VkPerformanceCounterResultKHR *instances;

	/** @start_ns: Begin of the sample, on CLOCK_MONOTONIC_RAW, in ns. */
	uint64_t start_ns;

	/** @end_ns: Its end. */
	uint64_t end_ns;
};

/**
 * struct query_pool - a pool of queries
 */
struct query_pool {
	/** @number: Its number, from 1. */
	uint64_t number;

	/** @device: Its device. */
	struct device *device;

	/** @next: Next pool of the device. */
	struct query_pool *next;

	/** @handle: The driver's pool that stands for it. %VK_NULL_HANDLE: it is a session. */
	VkQueryPool handle;

	/** @selection: The counters of the GPU. */
	const struct panthor_perf_selection *selection;

	/** @source: Number of the pool whose results are copied; 0: none. */
	uint64_t source;

	/** @copy_submitted: Ticket of the last copy that was submitted. */
	uint64_t copy_submitted;

	/** @copy_done: Ticket of the last one that was done or has failed. */
	uint64_t copy_done;

	/** @copy_failed: A copy was not done. */
	bool copy_failed;

	/** @used: Queries that are in use. */
	uint32_t used;

	/** @count: Number of queries. */
	uint32_t count;

	/** @results: The result of each. */
	struct query_result results[];
};

/**
 * struct query - a query of a pool, or a submission of it
 */
struct query {
	/** @pool: Number of its pool; 0: none. */
	uint64_t pool;

	/** @index: Its number in the pool; or %QUERY_COPY. */
	uint32_t index;

	/** @ticket: The ticket of the submission. */
	uint64_t ticket;
};

/** enum query_event_kind - what happens to queries beside that they are counted */
enum query_event_kind {
	/** @QUERY_EVENT_RESET: They are reset. */
	QUERY_EVENT_RESET,

	/** @QUERY_EVENT_REFUSE: They begin and end where nothing can be counted. */
	QUERY_EVENT_REFUSE,
};

/**
 * struct query_event - what a command buffer or a submission does to queries
 */
struct query_event {
	/** @kind: What it does. */
	enum query_event_kind kind;

	/** @part: Number of the part that it is in, of the command buffer or submission. */
	unsigned int part;

	/** @first: The first query. */
	struct query first;

	/** @count: Number of queries. */
	uint32_t count;
};

/**
 * struct query_events - a list of these, in order
 */
struct query_events {
	/** @list: They. */
	struct query_event *list;

	/** @count: Their number. */
	unsigned int count;
};

struct query_pool *pool_create(struct device *device, VkQueryPool handle, uint32_t count,
			       const struct panthor_perf_selection *selection);
void pool_destroy(struct query_pool *pool);
struct query_pool *pool_of_handle(struct device *device, VkQueryPool handle);
struct query_pool *pool_of_number(const struct device *device, uint64_t number);
bool pool_set_counters(struct query_pool *pool, uint32_t index, uint32_t count,
		       const uint32_t *counters);
size_t pool_find_instances(const struct query_pool *pool, const struct query_result *result,
			   uint32_t position, uint32_t *count);
void pool_reset(struct query_pool *pool, uint32_t first, uint32_t count);

void pool_lock(void);
void pool_unlock(void);
void pool_wait(void);

void query_submitted(struct query *query);
void query_running(const struct query *query, uint64_t point);
void query_complete(const struct query *query, const struct panthor_perf_values *values,
		    const struct panthor_perf_sample *sample);
void query_fail(const struct query *query);

bool query_events_add(struct query_events *events, enum query_event_kind kind, unsigned int part,
		      const struct query *first, uint32_t count);
void query_events_append(struct query_events *events, const struct query_events *others,
			 unsigned int part);
void query_events_copy(struct query_events *events, const struct query_events *others,
		       unsigned int first);
void query_events_clear(struct query_events *events);
void query_events_submit(struct query_events *events, unsigned int part, unsigned int *next);
void query_events_run(const struct query_events *events);

#endif
