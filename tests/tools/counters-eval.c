// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: counters-eval list NAME|FILE
 *	  counters-eval NAME|FILE <QUESTIONS
 *
 * Counter tables for scripts. "list" prints products, hardware counters and derived counters,
 * separated by tabs. Otherwise each line of the input is one of
 *
 *	set NAME VALUE		a counter, NCORE, NL2, BUSBYTES, NNX, TSPAN in ns; others are 0
 *	derived NAME		prints its value, or "none"
 *	inputs NAME		prints the counters that it needs
 *	expr FORMULA		as derived, of any formula
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf_counters.h>

#define MAX_VALUES	65536

static uint64_t values[MAX_VALUES];
static bool known[MAX_VALUES];

static void print_counter(const struct panthor_perf_counter *counter)
{
	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
		printf("hardware\t%s\t%u\t%s\t%s\t%s\t%u\t%s\t%s\t%d\n",
		       panthor_perf_block_name(counter->type), counter->index, counter->name,
		       counter->title, counter->unit, counter->shift,
		       panthor_perf_set_name(counter->set), counter->source ?: "",
		       counter->stable_id);
	else
		printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
		       counter->kind == PANTHOR_PERF_COUNTER_DERIVED ? "derived" : "define",
		       counter->name, counter->title, counter->unit, counter->source ?: "",
		       counter->is_default ? "default" : "", counter->group ?: "",
		       counter->formula);
}

static void list(const struct panthor_perf_table *table)
{
	unsigned int kind;
	uint32_t i;

	printf("table\t%s\t%u\n", panthor_perf_table_name(table), panthor_perf_table_words(table));
	for (i = 0; panthor_perf_table_products(table, i); i++)
		printf("product\t%s\n", panthor_perf_table_products(table, i));
	for (kind = 0; kind < PANTHOR_PERF_COUNTER_KINDS; kind++)
		for (i = 0; i < panthor_perf_table_counter_count(table, kind); i++)
			print_counter(panthor_perf_table_counter_by_number(table, kind, i));
}

static int set(const struct panthor_perf_table *table, struct panthor_perf_constants *constants,
	       const char *name, uint64_t value)
{
	const struct panthor_perf_counter *counter;

	if (!strcmp(name, "NCORE")) {
		constants->core_count = value;
	} else if (!strcmp(name, "NL2")) {
		constants->l2_slices = value;
	} else if (!strcmp(name, "BUSBYTES")) {
		constants->bus_bytes = value;
	} else if (!strcmp(name, "NNX")) {
		constants->neural_count = value;
	} else if (!strcmp(name, "TSPAN")) {
		constants->time_span_ns = value;
	} else if (!strcmp(name, "TOPCY")) {
		constants->toplevel_cycles = value;
		constants->clocks |= 1 << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL;
	} else {
		counter = panthor_perf_table_counter(table, name);
		if (!counter || counter->kind != PANTHOR_PERF_COUNTER_HARDWARE)
			return -ENOENT;
		values[counter->number] = value;
	}
	return 0;
}

static void print_value(const struct panthor_perf_expr *expr,
			const struct panthor_perf_constants *constants)
{
	double value;

	if (panthor_perf_expr_value(expr, values, known, constants, &value))
		printf("%.17g\n", value);
	else
		puts("none");
}

static void print_inputs(const struct panthor_perf_table *table,
			 const struct panthor_perf_expr *expr)
{
	const struct panthor_perf_counter *input;
	const uint32_t *numbers;
	uint32_t i, count;

	numbers = panthor_perf_expr_inputs(expr, &count);
	for (i = 0; i < count; i++) {
		input = panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_HARDWARE,
							     numbers[i]);
		printf("%s%s", i ? " " : "", input->name);
	}
	putchar('\n');
}

static int answer(const struct panthor_perf_table *table, struct panthor_perf_constants *constants,
		  char *line)
{
	char *rest = strchr(line, ' '), *number;
	const struct panthor_perf_counter *counter;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_expr *expr;
	char text[600];

	if (!rest)
		return -EINVAL;
	*rest++ = 0;
	if (!strcmp(line, "set")) {
		number = strchr(rest, ' ');
		if (!number)
			return -EINVAL;
		*number++ = 0;
		return set(table, constants, rest, strtoull(number, NULL, 10));
	}
	if (!strcmp(line, "expr")) {
		if (panthor_perf_expr_create(table, rest, &expr, &error)) {
			puts(panthor_perf_error_format(&error, text, sizeof(text)));
			return 0;
		}
		print_value(expr, constants);
		panthor_perf_expr_destroy(expr);
		return 0;
	}
	counter = panthor_perf_table_counter(table, rest);
	if (!counter || !counter->expr)
		return -ENOENT;
	if (!strcmp(line, "derived"))
		print_value(counter->expr, constants);
	else if (!strcmp(line, "inputs"))
		print_inputs(table, counter->expr);
	else
		return -EINVAL;
	return 0;
}

int main(int argc, char **argv)
{
	struct panthor_perf_constants constants = PANTHOR_PERF_CONSTANTS_INIT;
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	bool is_list = argc == 3 && !strcmp(argv[1], "list");
	char line[65536], text[600];
	int ret;

	if (argc != 2 && !is_list) {
		fputs("usage: counters-eval [list] NAME|FILE\n", stderr);
		return 2;
	}
	ret = panthor_perf_table_create_by_name(argv[argc - 1], &table, NULL);
	if (ret) {
		ret = panthor_perf_table_create_from_file(argv[argc - 1], 0, &table, &error);
		if (ret) {
			fprintf(stderr, "%s\n", panthor_perf_error_format(&error, text,
									  sizeof(text)));
			return 1;
		}
	}
	if (panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_HARDWARE) > MAX_VALUES)
		ret = -E2BIG;
	/* A counter that nobody sets was counted, and is 0. */
	memset(known, true, sizeof(known));
	if (is_list)
		list(table);
	while (!is_list && !ret && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		ret = answer(table, &constants, line);
		if (ret)
			fprintf(stderr, "%s: wrong question\n", line);
	}
	panthor_perf_table_destroy(table);
	return ret ? 1 : 0;
}
