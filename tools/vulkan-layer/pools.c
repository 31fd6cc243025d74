// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "layer.h"
#include "pools.h"

/* Guards all pools, and what is in them but for counts of memory that is constant. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void *pools;

static int compare(const void *a, const void *b)
{
	return (a > b) - (a < b);
}

/** pool_lock() - Begin to read results. */
void pool_lock(void)
{
	pthread_mutex_lock(&lock);
}

/** pool_unlock() - The opposite of pool_lock(). */
void pool_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/** pool_wait() - Wait until some result has changed. The lock is held, and released meanwhile. */
void pool_wait(void)
{
	pthread_cond_wait(&changed, &lock);
}

static void free_result(struct query_result *result)
{
	free(result->counters);
	free(result->values);
	*result = (struct query_result) { .state = result->state };
}

static void free_pool(struct query_pool *pool)
{
	for (uint32_t i = 0; i < pool->count; i++)
		free_result(&pool->results[i]);
	free(pool);
}

/**
 * pool_create() - Create a pool
 * @count: Number of its queries.
 * @selection: The counters of the GPU.
 *
 * Return: The pool; %NULL: there is no memory.
 */
struct query_pool *pool_create(uint32_t count, const struct panthor_perf_selection *selection)
{
	struct query_pool *pool = calloc(1, sizeof(*pool) +
					 (size_t)count * sizeof(pool->results[0]));

	if (!pool)
		return NULL;
	pool->count = count;
	pool->selection = selection;
	pthread_mutex_lock(&lock);
	if (!tsearch(pool, &pools, compare)) {
		free_pool(pool);
		pool = NULL;
	}
	pthread_mutex_unlock(&lock);
	return pool;
}

static bool is_pending(const struct query_pool *pool)
{
	for (uint32_t i = 0; i < pool->count; i++) {
		if (pool->results[i].state == QUERY_PENDING)
			return true;
	}
	return pool->copies;
}

/**
 * pool_destroy() - Destroy a pool
 * @pool: The pool.
 *
 * The GPU has executed what is submitted; its samples may be on their way, and are waited for.
 */
void pool_destroy(struct query_pool *pool)
{
	pthread_mutex_lock(&lock);
	while (is_pending(pool))
		pthread_cond_wait(&changed, &lock);
	tdelete(pool, &pools, compare);
	pthread_mutex_unlock(&lock);
	free_pool(pool);
}

/** pool_find() - The pool of a handle; %NULL: it is none. */
struct query_pool *pool_find(uint64_t handle)
{
	struct query_pool *pool = (struct query_pool *)(uintptr_t)handle;
	bool found;

	pthread_mutex_lock(&lock);
	found = tfind(pool, &pools, compare);
	pthread_mutex_unlock(&lock);
	return found ? pool : NULL;
}

static bool set_counters(struct query_result *result, uint32_t count, const uint32_t *counters)
{
	uint32_t *copy = calloc(count + 1, sizeof(*copy));
	VkPerformanceCounterResultKHR *values = calloc(count + 1, sizeof(*values));

	if (!copy || !values) {
		free(copy);
		free(values);
		return false;
	}
	free_result(result);
	if (count)
		memcpy(copy, counters, count * sizeof(*copy));
	result->counter_count = count;
	result->counters = copy;
	result->values = values;
	return true;
}

/**
 * pool_set_counters() - Set what a query counts
 * @pool: The pool.
 * @index: The query.
 * @count: Number of counters.
 * @counters: Numbers of items of the selection.
 *
 * Return: Whether there was memory.
 */
bool pool_set_counters(struct query_pool *pool, uint32_t index, uint32_t count,
		       const uint32_t *counters)
{
	bool done;

	pthread_mutex_lock(&lock);
	done = set_counters(&pool->results[index], count, counters);
	pthread_mutex_unlock(&lock);
	return done;
}

/**
 * pool_reset() - Discard results
 * @pool: The pool.
 * @first: First query.
 * @count: Number of queries.
 */
void pool_reset(struct query_pool *pool, uint32_t first, uint32_t count)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = first; i < first + count; i++) {
		pool->results[i].state = QUERY_RESET;
		pool->results[i].valid = false;
	}
	pthread_mutex_unlock(&lock);
}

/** query_submitted() - A query is submitted: it has no result until its sample is there. */
void query_submitted(const struct query *query)
{
	pthread_mutex_lock(&lock);
	if (query->index == QUERY_COPY) {
		query->pool->copies++;
	} else {
		query->pool->results[query->index].state = QUERY_PENDING;
		query->pool->results[query->index].pending++;
	}
	pthread_mutex_unlock(&lock);
}

static void fail(struct query_result *result)
{
	if (result->pending)
		result->pending--;
	if (!result->pending && result->state < QUERY_AVAILABLE)
		result->state = QUERY_FAILED;
}

/** query_fail() - A query will have no result, unless its sample comes after all. */
void query_fail(const struct query *query)
{
	struct query_pool *pool = query->pool;

	pthread_mutex_lock(&lock);
	if (query->index != QUERY_COPY) {
		fail(&pool->results[query->index]);
	} else if (pool->copies) {
		pool->copies--;
		pool->copy_failed = true;
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void fill(struct query_result *result, const struct panthor_perf_selection *selection,
		 const struct panthor_perf_values *values)
{
	for (uint32_t i = 0; i < result->counter_count; i++) {
		const struct panthor_perf_item *item =
			panthor_perf_selection_item(selection, result->counters[i]);
		VkPerformanceCounterResultKHR *value = &result->values[i];

		/* The extension knows no missing value. */
		memset(value, 0, sizeof(*value));
		if (item->type)
			panthor_perf_values_count(values, item->counter, PANTHOR_PERF_ALL_BLOCKS,
						  &value->uint64);
		else
			panthor_perf_values_number(values, item->counter, PANTHOR_PERF_ALL_BLOCKS,
						   &value->float64);
	}
}

/* What the source has by now: its samples came before. */
static void copy(struct query_pool *pool)
{
	const struct query_pool *source = pool->source;

	if (pool->copies)
		pool->copies--;
	pool->used = source->used < pool->count ? source->used : pool->count;
	for (uint32_t i = 0; i < pool->used; i++) {
		const struct query_result *from = &source->results[i];
		struct query_result *to = &pool->results[i];

		if (!set_counters(to, from->counter_count, from->counters)) {
			pool->copy_failed = true;
			return;
		}
		memcpy(to->values, from->values, from->counter_count * sizeof(*to->values));
		to->start_ns = from->start_ns;
		to->end_ns = from->end_ns;
		to->valid = from->valid;
		/* What is pending was submitted behind the copy. */
		to->state = from->valid ? QUERY_AVAILABLE :
			    from->state == QUERY_FAILED ? QUERY_FAILED : QUERY_RESET;
	}
}

/**
 * query_complete() - The sample of a query is there
 * @query: The query.
 * @values: The values of the sample.
 * @sample: The sample.
 */
void query_complete(const struct query *query, const struct panthor_perf_values *values,
		    const struct panthor_perf_sample *sample)
{
	struct query_pool *pool = query->pool;
	struct query_result *result;

	pthread_mutex_lock(&lock);
	if (query->index == QUERY_COPY) {
		copy(pool);
	} else {
		result = &pool->results[query->index];
		fill(result, pool->selection, values);
		result->start_ns = panthor_perf_sample_start_ns(sample);
		result->end_ns = panthor_perf_sample_end_ns(sample);
		if (result->pending)
			result->pending--;
		result->state = result->pending ? QUERY_PENDING : QUERY_AVAILABLE;
		result->valid = true;
		if (panthor_perf_sample_flags(sample) &
		    (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
			say("the result of a query is not exact");
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}
