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

static void use(struct panthor_perf_table *table, const struct panthor_perf_counter *counters,
		uint32_t count, const uint64_t *values)
{
	static const struct panthor_perf_constants constants = { 4, 2, 16, 1000000 };
	const uint32_t *inputs;
	uint32_t i, j, needed;
	double value;

	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *counter = &counters[i];

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
		if (panthor_perf_expr_value(counter->expr, values, NULL, &constants, &value))
			require(isfinite(value));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct panthor_perf_table *table;
	struct panthor_perf_error error;
	uint32_t i, count, hardware;
	uint64_t *values;
	unsigned int kind;

	if (panthor_perf_table_parse((const char *)data, size, "fuzz", &table, &error)) {
		require(error.line && error.column && *error.message && !table);
		return 0;
	}
	panthor_perf_table_counters(table, PANTHOR_PERF_COUNTER_HARDWARE, &hardware);
	values = calloc(hardware + 1, sizeof(*values));
	for (i = 0; i < hardware; i++)
		values[i] = (i * 0x9e3779b97f4a7c15ull) >> (i % 64);
	for (kind = 0; kind < PANTHOR_PERF_COUNTER_KINDS; kind++)
		use(table, panthor_perf_table_counters(table, kind, &count), count, values);
	panthor_perf_table_nearest(table, "MaliCoreActivCy");
	require(panthor_perf_table_products(table, 0) && *panthor_perf_table_name(table));
	free(values);
	panthor_perf_table_free(table);
	return 0;
}
