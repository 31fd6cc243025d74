// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "instances.h"
#include "layer.h"
#include "pools.h"

#define WAIT_NS		20000000
#define NS_PER_S	1000000000

/* Guards all pools, and what is in them but for counts of memory that is constant. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Trees of all pools by number, and of those that are not sessions by handle. */
static void *by_number;
static void *by_handle;
/* The last number of a pool, and the last ticket. */
static uint64_t numbers;
static uint64_t tickets;

static int compare_numbers(const void *a, const void *b)
{
	const struct query_pool *first = a, *second = b;

	return (first->number > second->number) - (first->number < second->number);
}

/* Handles are those of a device. */
static int compare_handles(const void *a, const void *b)
{
	const struct query_pool *first = a, *second = b;

	if (first->device != second->device)
		return first->device > second->device ? 1 : -1;
	return (first->handle > second->handle) - (first->handle < second->handle);
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

/**
 * pool_wait() - Wait until some result has changed, or for a short time
 *
 * The lock is held, and released meanwhile.
 */
void pool_wait(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += WAIT_NS;
	if (end.tv_nsec >= NS_PER_S) {
		end.tv_nsec -= NS_PER_S;
		end.tv_sec++;
	}
	pthread_cond_timedwait(&changed, &lock, &end);
}

static void free_result(struct query_result *result)
{
	free(result->counters);
	free(result->values);
	free(result->instances);
	result->counters = NULL;
	result->values = NULL;
	result->instances = NULL;
	result->counter_count = 0;
}

static void free_pool(struct query_pool *pool)
{
	for (uint32_t i = 0; i < pool->count; i++)
		free_result(&pool->results[i]);
	free(pool);
}

static void remove_locked(struct query_pool *pool)
{
	struct query_pool **link = &pool->device->query_pools;

	tdelete(pool, &by_number, compare_numbers);
	if (pool->handle)
		tdelete(pool, &by_handle, compare_handles);
	while (*link && *link != pool)
		link = &(*link)->next;
	if (*link)
		*link = pool->next;
}

/**
 * pool_create() - Create a pool
 * @device: Its device.
 * @handle: The driver's pool that stands for it; or %VK_NULL_HANDLE.
 * @count: Number of its queries.
 * @selection: The counters of the GPU.
 *
 * Return: The pool; %NULL: there is no memory.
 */
struct query_pool *pool_create(struct device *device, VkQueryPool handle, uint32_t count,
			       const struct panthor_perf_selection *selection)
{
	struct query_pool *pool = calloc(1, sizeof(*pool) +
					 (size_t)count * sizeof(pool->results[0]));
	bool added;

	if (!pool)
		return NULL;
	pool->device = device;
	pool->handle = handle;
	pool->count = count;
	pool->selection = selection;
	pthread_mutex_lock(&lock);
	pool->number = ++numbers;
	added = tsearch(pool, &by_number, compare_numbers) &&
		(!handle || tsearch(pool, &by_handle, compare_handles));
	if (added) {
		pool->next = device->query_pools;
		device->query_pools = pool;
	} else {
		remove_locked(pool);
	}
	pthread_mutex_unlock(&lock);
	if (added)
		return pool;
	free_pool(pool);
	return NULL;
}

/** pool_destroy() - Destroy a pool. Samples that are on their way for it are dropped. */
void pool_destroy(struct query_pool *pool)
{
	pthread_mutex_lock(&lock);
	remove_locked(pool);
	pthread_mutex_unlock(&lock);
	free_pool(pool);
}

/** pool_of_handle() - The pool of a handle; %NULL: it is one of the driver's own. */
struct query_pool *pool_of_handle(struct device *device, VkQueryPool handle)
{
	const struct query_pool key = { .device = device, .handle = handle };
	struct query_pool **found;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &by_handle, compare_handles);
	pthread_mutex_unlock(&lock);
	return found ? *found : NULL;
}

static struct query_pool *find_locked(uint64_t number)
{
	const struct query_pool key = { .number = number };
	struct query_pool **found = tfind(&key, &by_number, compare_numbers);

	return found ? *found : NULL;
}

/** pool_of_number() - The pool of a device with a number; %NULL: there is none. */
struct query_pool *pool_of_number(const struct device *device, uint64_t number)
{
	struct query_pool *pool;

	pthread_mutex_lock(&lock);
	pool = find_locked(number);
	pthread_mutex_unlock(&lock);
	return pool && pool->device == device ? pool : NULL;
}

/**
 * pool_find_instances() - Values of single blocks
 * @pool: The pool.
 * @result: A query of it.
 * @position: A counter of the query, from 0.
 * @count: Where the number of blocks is returned.
 *
 * Return: Where they begin in &query_result.instances.
 */
size_t pool_find_instances(const struct query_pool *pool, const struct query_result *result,
			   uint32_t position, uint32_t *count)
{
	size_t at = 0;

	*count = 0;
	for (uint32_t i = 0; i <= position && i < result->counter_count; i++) {
		at += *count;
		*count = instances_count(pool->selection,
					 panthor_perf_selection_item(pool->selection,
								     result->counters[i]));
	}
	return at;
}

/* Memory for the values of single blocks of all counters. Queries have none of them. */
static bool add_instances(const struct query_pool *pool, struct query_result *result)
{
	uint32_t count;
	size_t at;

	if (pool->handle || !result->counter_count)
		return true;
	at = pool_find_instances(pool, result, result->counter_count - 1, &count);
	result->instances = calloc(at + count + 1, sizeof(*result->instances));
	return result->instances;
}

static bool set_counters(const struct query_pool *pool, struct query_result *result,
			 uint32_t count, const uint32_t *counters)
{
	uint32_t *copy = calloc((size_t)count + 1, sizeof(*copy));
	VkPerformanceCounterResultKHR *values = calloc((size_t)count + 1, sizeof(*values));

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
	if (add_instances(pool, result))
		return true;
	free_result(result);
	return false;
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
	done = set_counters(pool, &pool->results[index], count, counters);
	pthread_mutex_unlock(&lock);
	return done;
}

/* Discards the results of what has an older ticket. */
static void reset_locked(struct query_pool *pool, uint32_t first, uint32_t count, uint64_t ticket)
{
	for (uint32_t i = first; i < pool->count && i - first < count; i++) {
		struct query_result *result = &pool->results[i];

		if (ticket <= result->done)
			continue;
		result->done = ticket;
		result->valid = false;
		result->state = result->submitted > ticket ? QUERY_PENDING : QUERY_RESET;
	}
}

/**
 * pool_reset() - Discard results, also those of samples that are on their way
 * @pool: The pool.
 * @first: First query.
 * @count: Number of queries.
 */
void pool_reset(struct query_pool *pool, uint32_t first, uint32_t count)
{
	pthread_mutex_lock(&lock);
	reset_locked(pool, first, count, ++tickets);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* ---- Submissions ---- */

/* The query of a submission; %NULL: of a pool that was destroyed, or of one without an index. */
static struct query_result *result_of(const struct query *query, struct query_pool **pool)
{
	*pool = query->pool ? find_locked(query->pool) : NULL;
	return *pool && query->index < (*pool)->count ? &(*pool)->results[query->index] : NULL;
}

/**
 * query_submitted() - A query is submitted
 * @query: The query. It gets a ticket.
 *
 * The query has no result until query_complete() or query_fail().
 */
void query_submitted(struct query *query)
{
	struct query_result *result;
	struct query_pool *pool;

	pthread_mutex_lock(&lock);
	query->ticket = ++tickets;
	result = result_of(query, &pool);
	if (result) {
		result->submitted = query->ticket;
		result->state = QUERY_PENDING;
		result->point = 0;
	} else if (pool && query->index == QUERY_COPY) {
		pool->copy_submitted = query->ticket;
	}
	pthread_mutex_unlock(&lock);
}

/**
 * query_running() - The driver has a query that was submitted
 * @query: The query.
 * @point: Point of the GPU's timeline that is signalled behind it.
 */
void query_running(const struct query *query, uint64_t point)
{
	struct query_result *result;
	struct query_pool *pool;

	pthread_mutex_lock(&lock);
	result = result_of(query, &pool);
	if (result && result->submitted == query->ticket)
		result->point = point;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/** query_fail() - A submission of a query has no result, unless it has one already. */
void query_fail(const struct query *query)
{
	struct query_result *result;
	struct query_pool *pool;

	pthread_mutex_lock(&lock);
	result = result_of(query, &pool);
	if (result && query->ticket > result->done) {
		result->done = query->ticket;
		result->valid = false;
		result->state = result->submitted > query->ticket ? QUERY_PENDING : QUERY_FAILED;
	} else if (pool && query->index == QUERY_COPY && query->ticket > pool->copy_done) {
		pool->copy_done = query->ticket;
		pool->copy_failed = true;
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* The extension knows no missing value: that is 0. */
static void set_value(VkPerformanceCounterResultKHR *value, const struct number *number)
{
	memset(value, 0, sizeof(*value));
	if (number->is_count)
		value->uint64 = number->count;
	else
		value->float64 = number->value;
}

static void fill(struct query_result *result, const struct panthor_perf_selection *selection,
		 const struct panthor_perf_values *values)
{
	VkPerformanceCounterResultKHR *instance = result->instances;

	for (uint32_t i = 0; i < result->counter_count; i++) {
		const struct panthor_perf_item *item =
			panthor_perf_selection_item(selection, result->counters[i]);
		const int blocks = instance ? instances_count(selection, item) : 0;
		struct number number = instances_value(values, item, PANTHOR_PERF_ALL_BLOCKS);

		set_value(&result->values[i], &number);
		for (int block = 0; block < blocks; block++) {
			number = instances_value(values, item, block);
			set_value(instance++, &number);
		}
	}
}

static void copy_instances(const struct query_pool *pool, struct query_result *to,
			   const struct query_result *from)
{
	uint32_t count;
	size_t at = pool_find_instances(pool, from, from->counter_count - 1, &count);

	memcpy(to->instances, from->instances, (at + count) * sizeof(*to->instances));
}

/* What the source has by now: its samples came before. */
static void copy(struct query_pool *pool)
{
	const struct query_pool *source = find_locked(pool->source);

	if (!source) {
		pool->copy_failed = true;
		return;
	}
	pool->used = source->used < pool->count ? source->used : pool->count;
	for (uint32_t i = 0; i < pool->used; i++) {
		const struct query_result *from = &source->results[i];
		struct query_result *to = &pool->results[i];

		if (!set_counters(pool, to, from->counter_count, from->counters)) {
			pool->copy_failed = true;
			return;
		}
		memcpy(to->values, from->values, from->counter_count * sizeof(*to->values));
		if (from->counter_count)
			copy_instances(source, to, from);
		to->start_ns = from->start_ns;
		to->end_ns = from->end_ns;
		to->valid = from->valid;
		/* What is pending was submitted behind the copy. */
		to->state = from->valid ? QUERY_AVAILABLE :
			    from->state == QUERY_FAILED ? QUERY_FAILED : QUERY_RESET;
	}
}

static void complete(struct query_pool *pool, struct query_result *result, uint64_t ticket,
		     const struct panthor_perf_values *values,
		     const struct panthor_perf_sample *sample)
{
	result->done = ticket;
	fill(result, pool->selection, values);
	result->start_ns = panthor_perf_sample_start_ns(sample);
	result->end_ns = panthor_perf_sample_end_ns(sample);
	result->valid = true;
	result->state = result->submitted > ticket ? QUERY_PENDING : QUERY_AVAILABLE;
	if (panthor_perf_sample_flags(sample) &
	    (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		say_once("the result of a query is not exact");
}

/**
 * query_complete() - The sample of a submission of a query is there
 * @query: The query.
 * @values: The values of the sample.
 * @sample: The sample.
 */
void query_complete(const struct query *query, const struct panthor_perf_values *values,
		    const struct panthor_perf_sample *sample)
{
	struct query_result *result;
	struct query_pool *pool;

	pthread_mutex_lock(&lock);
	result = result_of(query, &pool);
	if (result && query->ticket > result->done) {
		complete(pool, result, query->ticket, values, sample);
	} else if (pool && query->index == QUERY_COPY && query->ticket > pool->copy_done) {
		copy(pool);
		pool->copy_done = query->ticket;
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* ---- Events ---- */

/**
 * query_events_add() - Add an event
 * @events: The list.
 * @kind: What it is.
 * @part: Part of the command buffer that it is in.
 * @first: The first query.
 * @count: Number of queries.
 *
 * Return: Whether there was memory.
 */
bool query_events_add(struct query_events *events, enum query_event_kind kind, unsigned int part,
		      const struct query *first, uint32_t count)
{
	struct query_event *list = realloc(events->list, (events->count + 1) * sizeof(*list));

	if (!list)
		return false;
	events->list = list;
	list[events->count++] = (struct query_event) { kind, part, *first, count };
	return true;
}

/**
 * query_events_append() - Add those of a secondary command buffer
 * @events: Where they are added.
 * @others: They.
 * @part: Part that executes the command buffer.
 */
void query_events_append(struct query_events *events, const struct query_events *others,
			 unsigned int part)
{
	for (unsigned int i = 0; i < others->count; i++) {
		const struct query_event *event = &others->list[i];

		query_events_add(events, event->kind, part, &event->first, event->count);
	}
}

/**
 * query_events_copy() - Add those of a command buffer to those of a submission
 * @events: Where they are added.
 * @others: They.
 * @first: Number that the first part has in the submission.
 */
void query_events_copy(struct query_events *events, const struct query_events *others,
		       unsigned int first)
{
	for (unsigned int i = 0; i < others->count; i++) {
		const struct query_event *event = &others->list[i];

		query_events_add(events, event->kind, first + event->part, &event->first,
				 event->count);
	}
}

/** query_events_clear() - Empty a list. */
void query_events_clear(struct query_events *events)
{
	free(events->list);
	*events = (struct query_events) { 0 };
}

/**
 * query_events_submit() - A part of a submission is submitted
 * @events: The events of the submission. They get tickets.
 * @part: Number of the part. Parts come in order, and each behind its own query.
 * @next: The next event, from 0. It is changed.
 */
void query_events_submit(struct query_events *events, unsigned int part, unsigned int *next)
{
	while (*next < events->count && events->list[*next].part == part) {
		struct query_event *event = &events->list[(*next)++];

		if (event->kind == QUERY_EVENT_REFUSE) {
			query_submitted(&event->first);
			query_fail(&event->first);
			continue;
		}
		pthread_mutex_lock(&lock);
		event->first.ticket = ++tickets;
		pthread_mutex_unlock(&lock);
	}
}

/** query_events_run() - The driver has a submission. */
void query_events_run(const struct query_events *events)
{
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < events->count; i++) {
		const struct query_event *event = &events->list[i];
		struct query_pool *pool = find_locked(event->first.pool);

		if (pool && event->kind == QUERY_EVENT_RESET)
			reset_locked(pool, event->first.index, event->count, event->first.ticket);
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}
