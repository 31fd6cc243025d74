// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Any text is a formula with a finite value or none, or an error that says where. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf_counters.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct panthor_perf_table *table;

static void require(bool condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct panthor_perf_constants constants = {
		sizeof(constants), 4, 2, 16, 1000000
	};
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_expr *expr;
	uint64_t values[256];
	bool known[256];
	uint32_t i, count;
	double value;
	char *text;

	if (!table)
		require(!panthor_perf_table_create_by_name("G710", &table, NULL));
	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = 0;
	if (panthor_perf_expr_create(table, text, &expr, &error)) {
		require(error.line && error.column <= size + 1 && *error.text && !expr);
	} else {
		for (i = 0; i < 256; i++)
			values[i] = (i * 0x9e3779b97f4a7c15ull) >> (i % 64);
		memset(known, 1, sizeof(known));
		if (panthor_perf_expr_value(expr, values, known, &constants, &value))
			require(isfinite(value));
		panthor_perf_expr_inputs(expr, &count);
		require(count <= 156);
		panthor_perf_expr_destroy(expr);
	}
	free(text);
	return 0;
}
