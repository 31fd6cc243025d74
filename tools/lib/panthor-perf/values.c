// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "panthor_perf_values.h"
#include "sample.h"
#include "table.h"

#define TYPES	DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT
#define CLOCKS	3

/**
 * struct type_values - the counters of the blocks of a type
 */
struct type_values {
	/** @indices: The enabled counters, rising. */
	uint16_t *indices;

	/** @count: Number of @indices. */
	uint32_t count;

	/** @position: By index: position in @indices + 1, 0: the counter is not enabled. */
	uint16_t *position;

	/** @blocks: Number of blocks, gaps between their indices included. */
	uint32_t blocks;

	/** @seen: By block: a sample had it. */
	bool *seen;

	/** @raw: By block and position: the sum of the samples. */
	uint64_t *raw;
};

/**
 * struct panthor_perf_values - what samples say about counters
 */
struct panthor_perf_values {
	/** @gpu: The GPU. */
	const struct panthor_perf_gpu *gpu;

	/** @table: Table of the GPU, %NULL if there is none. */
	const struct panthor_perf_table *table;

	/** @counter_set: Counter set. */
	unsigned int counter_set;

	/** @types: By block type. */
	struct type_values types[TYPES];

	/** @samples: Number of samples. */
	uint64_t samples;

	/** @time_ns: Time that they span. */
	uint64_t time_ns;

	/** @cycles: By clock: its cycles. */
	uint64_t cycles[CLOCKS];

	/** @flags: Flags of the samples. */
	uint32_t flags;

	/** @events: Events of the samples. */
	uint32_t events;

	/** @inputs: By number of a hardware counter of the table: value, for a formula. */
	uint64_t *inputs;

	/** @known: By the same number: whether there is one. */
	bool *known;
};

static int type_init(struct type_values *type, const struct panthor_perf_selection *selection,
		     const struct panthor_perf_gpu *gpu, unsigned int number)
{
	uint32_t index, n = 0;

	type->count = panthor_perf_selection_count(selection, number);
	type->blocks = panthor_perf_gpu_instance_count(gpu, number);
	if (!type->count || !type->blocks)
		return 0;
	type->indices = calloc(type->count, sizeof(*type->indices));
	type->position = calloc(PANTHOR_PERF_MAX_COUNTERS, sizeof(*type->position));
	type->seen = calloc(type->blocks, sizeof(*type->seen));
	type->raw = calloc((size_t)type->blocks * type->count, sizeof(*type->raw));
	if (!type->indices || !type->position || !type->seen || !type->raw)
		return -ENOMEM;
	for (index = 0; index < PANTHOR_PERF_MAX_COUNTERS; index++) {
		if (!panthor_perf_selection_has(selection, number, index))
			continue;
		type->indices[n++] = index;
		type->position[index] = n;
	}
	return 0;
}

int panthor_perf_values_create(const struct panthor_perf_selection *selection,
			       struct panthor_perf_values **values,
			       struct panthor_perf_error *error)
{
	struct panthor_perf_values *made;
	uint32_t counters = 0;
	unsigned int type;
	int ret = 0;

	if (!selection)
		return panthor_perf_fail(error, -EINVAL, "there is no selection");
	made = calloc(1, sizeof(*made));
	if (!made)
		return panthor_perf_fail_memory(error);
	made->gpu = panthor_perf_selection_gpu(selection);
	made->table = panthor_perf_selection_table(selection);
	panthor_perf_use(&made->gpu->users);
	if (made->table)
		panthor_perf_use(&made->table->users);
	made->counter_set = panthor_perf_selection_counter_set(selection);
	if (made->table)
		counters = panthor_perf_table_counter_count(made->table,
							    PANTHOR_PERF_COUNTER_HARDWARE);
	made->inputs = calloc(counters + 1, sizeof(*made->inputs));
	made->known = calloc(counters + 1, sizeof(*made->known));
	if (!made->inputs || !made->known)
		ret = -ENOMEM;
	for (type = 1; type < TYPES && !ret; type++)
		ret = type_init(&made->types[type], selection, made->gpu, type);
	if (ret) {
		panthor_perf_values_destroy(made);
		return panthor_perf_fail_memory(error);
	}
	*values = made;
	return 0;
}

void panthor_perf_values_destroy(struct panthor_perf_values *values)
{
	unsigned int type;

	if (!values)
		return;
	panthor_perf_unuse(&values->gpu->users);
	if (values->table)
		panthor_perf_unuse(&values->table->users);
	for (type = 0; type < TYPES; type++) {
		free(values->types[type].indices);
		free(values->types[type].position);
		free(values->types[type].seen);
		free(values->types[type].raw);
	}
	free(values->inputs);
	free(values->known);
	free(values);
}

void panthor_perf_values_clear(struct panthor_perf_values *values)
{
	unsigned int i;

	for (i = 0; i < TYPES; i++) {
		struct type_values *type = &values->types[i];

		if (!type->raw)
			continue;
		memset(type->seen, 0, type->blocks * sizeof(*type->seen));
		memset(type->raw, 0, (size_t)type->blocks * type->count * sizeof(*type->raw));
	}
	memset(values->cycles, 0, sizeof(values->cycles));
	values->samples = 0;
	values->time_ns = 0;
	values->flags = 0;
	values->events = 0;
}

static void add_block(struct type_values *type, const struct panthor_perf_block *block)
{
	uint64_t *raw = &type->raw[(size_t)block->header.idx * type->count];
	uint32_t i, position;

	type->seen[block->header.idx] = true;
	if (!block->indices) {
		for (i = 0; i < type->count && type->indices[i] < block->counter_count; i++)
			raw[i] += block->counters[type->indices[i]];
		return;
	}
	for (i = 0; i < block->counter_count; i++) {
		position = type->position[block->indices[i]];
		if (position)
			raw[position - 1] += block->counters[i];
	}
}

int panthor_perf_values_add(struct panthor_perf_values *values,
			    const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	unsigned int clock;
	uint64_t cycles;

	if (!values || !sample || !gpu_is_same(values->gpu, sample->gpu))
		return -EINVAL;
	values->samples++;
	/* Those of a damaged file can be anything. */
	if (sample->header.timestamp_end_ns > sample->header.timestamp_start_ns)
		values->time_ns += sample->header.timestamp_end_ns -
				   sample->header.timestamp_start_ns;
	values->flags |= sample->header.flags;
	values->events |= sample->header.events;
	for (clock = 0; clock < CLOCKS; clock++)
		if (panthor_perf_sample_cycles(sample, clock, &cycles))
			values->cycles[clock] += cycles;
	while ((block = panthor_perf_sample_next_block(sample, block))) {
		struct type_values *type = &values->types[block->header.type];

		if (type->raw && block->header.idx < type->blocks)
			add_block(type, block);
	}
	return 0;
}

uint64_t panthor_perf_values_samples(const struct panthor_perf_values *values)
{
	return values->samples;
}

uint64_t panthor_perf_values_time_ns(const struct panthor_perf_values *values)
{
	return values->time_ns;
}

uint32_t panthor_perf_values_flags(const struct panthor_perf_values *values)
{
	return values->flags;
}

uint32_t panthor_perf_values_events(const struct panthor_perf_values *values)
{
	return values->events;
}

bool panthor_perf_values_cycles(const struct panthor_perf_values *values, unsigned int clock,
				uint64_t *cycles)
{
	if (clock >= CLOCKS || !(values->gpu->info.supported_clocks >> clock & 1) ||
	    !values->samples)
		return false;
	*cycles = values->cycles[clock];
	return true;
}

bool panthor_perf_values_raw(const struct panthor_perf_values *values, unsigned int type, int block,
			     unsigned int index, uint64_t *count)
{
	const struct type_values *of_type;
	uint32_t first, end, n, position;
	bool seen = false;
	uint64_t sum = 0;

	if (type >= TYPES || index >= PANTHOR_PERF_MAX_COUNTERS)
		return false;
	of_type = &values->types[type];
	if (!of_type->raw || !of_type->position[index])
		return false;
	position = of_type->position[index] - 1;
	first = block == PANTHOR_PERF_ALL_BLOCKS ? 0 : block;
	end = block == PANTHOR_PERF_ALL_BLOCKS ? of_type->blocks : first + 1;
	if (first >= of_type->blocks)
		return false;
	for (n = first; n < end; n++) {
		seen |= of_type->seen[n];
		sum += of_type->raw[(size_t)n * of_type->count + position];
	}
	if (seen)
		*count = sum;
	return seen;
}

bool panthor_perf_values_count(const struct panthor_perf_values *values,
			       const struct panthor_perf_counter *counter, int block,
			       uint64_t *count)
{
	uint64_t raw;

	if (counter->kind != PANTHOR_PERF_COUNTER_HARDWARE || counter->set != values->counter_set ||
	    !panthor_perf_values_raw(values, counter->type, block, counter->index, &raw))
		return false;
	*count = panthor_perf_counter_value(counter, raw);
	return true;
}

/* Of the blocks of @type the one, of all others the sum. */
static bool value_of(const struct panthor_perf_values *values, const struct panthor_perf_expr *expr,
		     unsigned int type, int block, double *number)
{
	struct panthor_perf_constants constants = PANTHOR_PERF_CONSTANTS_INIT;
	const uint32_t *inputs;
	uint32_t count, i;

	inputs = panthor_perf_expr_inputs(expr, &count);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input =
			panthor_perf_table_counter_by_number(values->table,
							     PANTHOR_PERF_COUNTER_HARDWARE,
							     inputs[i]);

		values->known[inputs[i]] =
			panthor_perf_values_count(values, input, input->type == type ?
						  block : PANTHOR_PERF_ALL_BLOCKS,
						  &values->inputs[inputs[i]]);
	}
	panthor_perf_constants_set(&constants, values->gpu, values->time_ns);
	constants.clocks = values->gpu->info.supported_clocks;
	constants.toplevel_cycles = values->cycles[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL];
	constants.coregroup_cycles = values->cycles[DRM_PANTHOR_PERF_CLOCK_COREGROUP];
	constants.shader_cycles = values->cycles[DRM_PANTHOR_PERF_CLOCK_SHADER];
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER)
		constants.core_count = 1;
	else if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		constants.neural_count = 1;
	else if (type)
		constants.l2_slices = 1;
	return panthor_perf_expr_value(expr, values->inputs, values->known, &constants, number);
}

bool panthor_perf_values_number(const struct panthor_perf_values *values,
				const struct panthor_perf_counter *counter, int block,
				double *number)
{
	unsigned int type = 0;
	uint64_t count;

	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE) {
		if (!panthor_perf_values_count(values, counter, block, &count))
			return false;
		*number = count;
		return true;
	}
	if (!values->table || !values->samples)
		return false;
	if (block != PANTHOR_PERF_ALL_BLOCKS) {
		type = panthor_perf_counter_block_type(values->table, counter);
		if (!type || block < 0 || (uint32_t)block >= values->types[type].blocks)
			return false;
	}
	return value_of(values, counter->expr, type, block, number);
}

bool panthor_perf_values_expr(const struct panthor_perf_values *values,
			      const struct panthor_perf_expr *expr, double *number)
{
	return values->table && values->samples && value_of(values, expr, 0, 0, number);
}
