// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Any bytes are a counter table that can be used, or an error that says where. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf_counters.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void use(struct panthor_perf_table *table, unsigned int kind, const uint64_t *values,
		const bool *known)
{
	static const struct panthor_perf_constants constants = {
		sizeof(constants), 4, 2, 16, 1000000
	};
	const uint32_t *inputs;
	const struct panthor_perf_counter *counter;
	uint32_t i, j, needed;
	double value;

	for (i = 0; (counter = panthor_perf_table_counter_by_number(table, kind, i)); i++) {
		require(counter->number == i && *counter->name);
		if (counter->kind == PANTHOR_PERF_COUNTER_DEFINE)
			continue;
		require(panthor_perf_table_counter(table, counter->name) == counter);
		require(strlen(counter->title) && strlen(counter->unit));
		if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE) {
			require(panthor_perf_table_counter_at(table, counter->set, counter->type,
							      counter->index) == counter);
			continue;
		}
		inputs = panthor_perf_expr_inputs(counter->expr, &needed);
		for (j = 1; j < needed; j++)
			require(inputs[j] > inputs[j - 1]);
		require(strlen(counter->formula));
		if (panthor_perf_expr_value(counter->expr, values, known, &constants, &value))
			require(isfinite(value));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	uint32_t i, hardware;
	uint64_t *values;
	bool *known;
	unsigned int kind;

	if (panthor_perf_table_create_from_text((const char *)data, size, "fuzz", &table, &error)) {
		require(error.line && error.column && *error.text && !table);
		return 0;
	}
	hardware = panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_HARDWARE);
	values = calloc(hardware + 1, sizeof(*values));
	known = calloc(hardware + 1, sizeof(*known));
	for (i = 0; i < hardware; i++) {
		values[i] = (i * 0x9e3779b97f4a7c15ull) >> (i % 64);
		known[i] = i % 5;
	}
	for (kind = 0; kind < PANTHOR_PERF_COUNTER_KINDS; kind++)
		use(table, kind, values, known);
	panthor_perf_table_nearest(table, "MaliCoreActivCy");
	require(panthor_perf_table_products(table, 0) && *panthor_perf_table_name(table));
	free(known);
	free(values);
	panthor_perf_table_destroy(table);
	return 0;
}
