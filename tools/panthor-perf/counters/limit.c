// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"

/* In a sample in which the GPU does next to nothing, shares say nothing. */
#define MIN_BUSY	10.0

/* A limit that lasts for less than this share of the time is not worth a sentence. */
#define RELEVANT	0.05

/* So many samples of others do not end a part of the time: a value near its threshold wavers. */
#define GAP		4

/* What is above that is no share, not even one whose parts are counted at different moments. */
#define MAX_SHARE	101.0

/* Has a formula counters of the shader cores and of the front end? */
static bool mixes_clocks(const struct panthor_perf_table *table,
			 const struct panthor_perf_counter *counter)
{
	const unsigned int both = 1u << DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER |
				  1u << DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW;

	return counter->kind == PANTHOR_PERF_COUNTER_DERIVED &&
	       (formula_types(table, counter->expr) & both) == both &&
	       /* It knows itself. */
	       !(panthor_perf_expr_constants(counter->expr) & PANTHOR_PERF_CONSTANT_SHADER_CYCLES);
}

static void add_counter(struct limits *limits, const struct panthor_perf_table *table,
			const struct panthor_perf_counter *counter)
{
	struct limit *limit = &limits->limits[limits->count++];

	*limit = (struct limit) { .counter = counter };
	while (counter && limit->part_count < LIMIT_PARTS) {
		limit->parts[limit->part_count++] = counter;
		counter = counter->of ? panthor_perf_table_counter(table, counter->of) : NULL;
	}
	limit->mixes_clocks = mixes_clocks(table, limit->parts[limit->part_count - 1]);
	if (limit->counter->limit == PANTHOR_PERF_LIMIT_BUSY)
		limits->busy = limit;
}

int limits_init(struct limits *limits, const struct gpu_view *view)
{
	const struct panthor_perf_table *table = view->table;
	const struct panthor_perf_counter *counter;
	unsigned int room = 0;
	uint32_t i;

	*limits = (struct limits) { 0 };
	if (!table)
		return 0;
	for (i = 0; (counter = table_derived(table, i)); i++)
		room += counter->limit != PANTHOR_PERF_LIMIT_NONE;
	for (i = 0; (counter = table_hardware(table, i)); i++)
		room += counter->limit != PANTHOR_PERF_LIMIT_NONE;
	if (!room)
		return 0;
	limits->limits = calloc(room, sizeof(*limits->limits));
	if (!limits->limits)
		return -ENOMEM;
	for (i = 0; (counter = table_derived(table, i)); i++)
		if (counter->limit)
			add_counter(limits, table, counter);
	for (i = 0; (counter = table_hardware(table, i)); i++)
		if (counter->limit)
			add_counter(limits, table, counter);
	return 0;
}

void limits_clear(struct limits *limits)
{
	unsigned int i;

	for (i = 0; i < limits->count; i++) {
		limits->limits[i].times = (struct limit_times) { 0 };
		limits->limits[i].bound = 0;
		limits->limits[i].valid = false;
	}
	limits->samples = 0;
	limits->time_ns = 0;
	limits->busy_ns = 0;
	limits->waiting_ns = 0;
	limits->unknown_ns = 0;
	limits->merged_ns = 0;
	limits->suspended = false;
}

void limits_fini(struct limits *limits)
{
	free(limits->limits);
	*limits = (struct limits) { 0 };
}

/*
 * Shader cores have a clock of their own. If it runs at half the rate of the GPU's, they have half
 * of its cycles when they are always active: the share of the time is twice that of the cycles.
 */
static double clock_ratio(const struct values *values)
{
	uint64_t toplevel, shader;

	if (!panthor_perf_values_cycles(values->sums, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,
					&toplevel) ||
	    !panthor_perf_values_cycles(values->sums, DRM_PANTHOR_PERF_CLOCK_SHADER, &shader) ||
	    !toplevel || !shader)
		return 1;
	return (double)toplevel / shader;
}

/* The value of a derived counter as a share of the last counter of its row. */
static bool find_share(const struct values *values, struct limit *limit, double *share)
{
	double number;
	unsigned int i;

	*share = 100;
	for (i = 0; i < limit->part_count; i++) {
		if (!panthor_perf_values_number(values->sums, limit->parts[i], VALUE_SUM, &number))
			return false;
		*share = *share * number / 100;
	}
	if (limit->mixes_clocks)
		*share *= clock_ratio(values);
	return true;
}

static bool compare_blocks(const struct values *values, struct limit *limit, double *share)
{
	const struct panthor_perf_counter *counter = limit->counter;
	unsigned int blocks = panthor_perf_gpu_instance_count(values->view->object, counter->type);
	uint64_t largest = 0, count;
	unsigned int block;
	double sum = 0;

	limit->block_count = 0;
	for (block = 0; block < blocks; block++) {
		if (!panthor_perf_values_count(values->sums, counter, block, &count))
			continue;
		if (count > largest) {
			largest = count;
			limit->block = block;
		}
		limit->block_count++;
		sum += count;
	}
	if (limit->block_count < 2 || !largest)
		return false;
	*share = 100 * (limit->block_count * (double)largest - sum) / sum;
	return true;
}

static bool find_value(const struct values *values, struct limit *limit, double *value)
{
	if (limit->counter->limit == PANTHOR_PERF_LIMIT_IMBALANCE)
		return compare_blocks(values, limit, value);
	return find_share(values, limit, value);
}

/* An imbalance is no share. */
static bool is_possible(const struct limit *limit, double value)
{
	return limit->counter->limit == PANTHOR_PERF_LIMIT_IMBALANCE || value <= MAX_SHARE;
}

static void add_time(struct limit_times *times, uint64_t number, const struct values *values,
		     double ns)
{
	times->ns += ns;
	if (!times->count || number > times->last + GAP + 1) {
		if (times->count < LIMIT_TIMES)
			times->start_ns[times->count] = values->header.timestamp_start_ns;
		times->count++;
	}
	if (times->count <= LIMIT_TIMES)
		times->end_ns[times->count - 1] = values->header.timestamp_end_ns;
	times->last = number;
}

void limits_add(struct limits *limits, const struct values *values)
{
	const struct drm_panthor_perf_sample_header *header = &values->header;
	double ns = header->timestamp_end_ns - header->timestamp_start_ns;
	bool bound = false, waiting = true, reached;
	double busy = 100, limit_ns, value;
	unsigned int i;

	if (!limits->samples++ && !limits->zero_ns)
		limits->zero_ns = header->timestamp_start_ns;
	if (header->events & DRM_PANTHOR_PERF_EVENT_SUSPEND)
		limits->suspended = true;
	if (limits->busy && find_share(values, limits->busy, &value)) {
		busy = value < 0 ? 0 : value > 100 ? 100 : value;
		bound = limits->busy->counter->high && value >= limits->busy->counter->high &&
			is_possible(limits->busy, value);
		if (bound)
			add_time(&limits->busy->times, limits->samples, values, ns);
	}
	limits->time_ns += ns;
	limits->busy_ns += ns * busy / 100;
	limits->merged_ns += header->merged ? ns : 0;
	if (busy < MIN_BUSY)
		return;
	for (i = 0; i < limits->count; i++) {
		struct limit *limit = &limits->limits[i];

		if (limit == limits->busy || !find_value(values, limit, &value))
			continue;
		limit_ns = ns * busy / 100;
		reached = limit->counter->high && value >= limit->counter->high &&
			  is_possible(limit, value);
		if (limit->counter->limit == PANTHOR_PERF_LIMIT_QUEUE) {
			reached = reached && bound;
			waiting = waiting && !reached;
			limit->bound += bound ? value * ns : 0;
			/* Its share is of the GPU bound time. */
			limit_ns = ns;
		}
		if (reached)
			add_time(&limit->times, limits->samples, values, limit_ns);
	}
	/* Merged periods are a mean of what may have been busy one after the other. */
	if (bound && waiting)
		*(header->merged ? &limits->unknown_ns : &limits->waiting_ns) += ns;
}

void limits_end(struct limits *limits, const struct values *total)
{
	unsigned int i;

	for (i = 0; i < limits->count; i++) {
		struct limit *limit = &limits->limits[i];

		limit->valid = find_value(total, limit, &limit->value);
	}
}

bool limit_is_possible(const struct limit *limit)
{
	return !limit->valid || is_possible(limit, limit->value);
}

bool limit_is_likely(const struct limits *limits, const struct limit *limit)
{
	double whole_ns = limit == limits->busy ? limits->time_ns : limits->busy_ns;

	if (!limit->valid || !limit_is_possible(limit) || !limit->counter->high)
		return false;
	return limit->value >= limit->counter->high ||
	       (limit->times.ns > 0 && limit->times.ns >= RELEVANT * whole_ns);
}

const struct limit *limits_largest(const struct limits *limits, unsigned int kind)
{
	bool all = kind == PANTHOR_PERF_LIMIT_UNIT || kind == PANTHOR_PERF_LIMIT_STALL;
	const struct limit *largest = NULL;
	unsigned int i;

	for (i = 0; i < limits->count; i++) {
		const struct limit *limit = &limits->limits[i];

		if (limit->counter->limit != kind)
			continue;
		/* If a value is missing, it is not known which one is the largest. */
		if (!limit->valid && all)
			return NULL;
		if (!limit->valid)
			continue;
		if (!largest || limit->value > largest->value)
			largest = limit;
		/* Of what the table has in several ways, the first one. */
		if (!all)
			break;
	}
	/* If all units are idle, none is the busiest. */
	if (largest && kind == PANTHOR_PERF_LIMIT_UNIT && largest->value <= 0)
		return NULL;
	return largest;
}
