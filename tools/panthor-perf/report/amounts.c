// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>
#include <stdlib.h>

#include "amounts.h"

/* Sets of inputs with which a formula is evaluated. */
#define ROUNDS		16

#define ALL_CLOCKS \
	(1u << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL | 1u << DRM_PANTHOR_PERF_CLOCK_COREGROUP | \
	 1u << DRM_PANTHOR_PERF_CLOCK_SHADER)

/**
 * struct inputs - what a formula is evaluated with
 */
struct inputs {
	/** @values: Values of hardware counters by number. */
	uint64_t *values;

	/** @known: All true. */
	bool *known;

	/** @count: Number of elements of both. */
	uint32_t count;

	/** @constants: Number of blocks, time and cycles. */
	struct panthor_perf_constants constants;
};

/* From 1 to 2^31, the same numbers in each run of the program. */
static uint64_t next_number(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return 1 + (*state >> 33);
}

static void fill(struct inputs *inputs, uint64_t *state)
{
	uint32_t i;

	for (i = 0; i < inputs->count; i++)
		inputs->values[i] = next_number(state);
	inputs->constants.time_span_ns = next_number(state);
	inputs->constants.toplevel_cycles = next_number(state);
	inputs->constants.coregroup_cycles = next_number(state);
	inputs->constants.shader_cycles = next_number(state);
}

static void double_all(struct inputs *inputs)
{
	uint32_t i;

	for (i = 0; i < inputs->count; i++)
		inputs->values[i] *= 2;
	inputs->constants.time_span_ns *= 2;
	inputs->constants.toplevel_cycles *= 2;
	inputs->constants.coregroup_cycles *= 2;
	inputs->constants.shader_cycles *= 2;
}

static bool doubles(const struct panthor_perf_expr *expr, struct inputs *inputs)
{
	unsigned int round, found = 0;
	uint64_t state = 1;
	double one, two;

	for (round = 0; round < ROUNDS; round++) {
		fill(inputs, &state);
		if (!panthor_perf_expr_value(expr, inputs->values, inputs->known,
					     &inputs->constants, &one) || one == 0)
			continue;
		double_all(inputs);
		if (!panthor_perf_expr_value(expr, inputs->values, inputs->known,
					     &inputs->constants, &two) || two != 2 * one)
			return false;
		found++;
	}
	return found;
}

bool event_is_amount(const struct event *event)
{
	struct inputs inputs = { .constants = PANTHOR_PERF_CONSTANTS_INIT };
	const uint32_t *numbers;
	bool amount = false;
	uint32_t i;

	if (!event_is_derived(event))
		return true;
	/* The numbers rise. */
	numbers = panthor_perf_expr_inputs(event->counter->expr, &i);
	inputs.count = i ? numbers[i - 1] + 1 : 1;
	inputs.values = calloc(inputs.count, sizeof(*inputs.values));
	inputs.known = calloc(inputs.count, sizeof(*inputs.known));
	inputs.constants.core_count = 3;
	inputs.constants.l2_slices = 2;
	inputs.constants.bus_bytes = 16;
	inputs.constants.neural_count = 5;
	inputs.constants.clocks = ALL_CLOCKS;
	if (inputs.values && inputs.known) {
		for (i = 0; i < inputs.count; i++)
			inputs.known[i] = true;
		amount = doubles(event->counter->expr, &inputs);
	}
	free(inputs.values);
	free(inputs.known);
	return amount;
}

struct value amount_rate(struct value value, uint64_t time_ns)
{
	struct value rate = { .valid = value.valid && time_ns };

	if (rate.valid)
		rate.number = value.number * 1e9 / time_ns;
	return rate;
}

const char *amount_rate_unit(const struct event *event, char *text, size_t size)
{
	const char *unit = event_unit(event);

	snprintf(text, size, "%s/s", *unit ? unit : "events");
	return text;
}
