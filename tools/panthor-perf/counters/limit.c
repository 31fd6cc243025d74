// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <json.h>
#include <string.h>

#include "limit.h"
#include "print/lines.h"
#include "print/text.h"

#define INDENT		2

#define BOLD		"\033[1m"
#define YELLOW		"\033[33m"
#define PLAIN		"\033[0m"

/* Has a formula counters of the shader cores and of the front end? */
static bool mixes_clocks(const struct panthor_perf_table *table,
			 const struct panthor_perf_counter *counter)
{
	const unsigned int both = 1u << DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER |
				  1u << DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW;

	return counter->kind == PANTHOR_PERF_COUNTER_DERIVED &&
	       (formula_types(table, counter->expr) & both) == both;
}

/*
 * Shader cores have a clock of their own. If it runs at half the rate of the GPU's, they have half
 * of its cycles when they are always active: the share of the time is twice that of the cycles.
 */
static double clock_ratio(const struct values *values, const struct panthor_perf_counter *base)
{
	uint64_t toplevel, shader;

	if (!mixes_clocks(values->view->table, base) ||
	    /* It knows itself. */
	    panthor_perf_expr_constants(base->expr) & PANTHOR_PERF_CONSTANT_SHADER_CYCLES ||
	    !panthor_perf_values_cycles(values->sums, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,
					&toplevel) ||
	    !panthor_perf_values_cycles(values->sums, DRM_PANTHOR_PERF_CLOCK_SHADER, &shader) ||
	    !toplevel || !shader)
		return 1;
	return (double)toplevel / shader;
}

/* The value of a derived counter as a share of the last counter of its row. */
static bool find_share(const struct values *values, const struct panthor_perf_counter *counter,
		       struct limit *limit)
{
	const struct panthor_perf_table *table = values->view->table;
	double share = 100, number;

	*limit = (struct limit) { .counter = counter };
	while (counter) {
		if (!panthor_perf_values_number(values->sums, counter, VALUE_SUM, &number))
			return false;
		share = share * number / 100;
		if (limit->part_count < LIMIT_PARTS)
			limit->parts[limit->part_count++] = counter;
		counter = counter->of ? panthor_perf_table_counter(table, counter->of) : NULL;
	}
	limit->value = share * clock_ratio(values, limit->parts[limit->part_count - 1]);
	return true;
}

/* The largest one. If a value is missing, it is not known which one that is. */
static bool find_largest(const struct values *values, unsigned int kind, struct limit *limit)
{
	const struct panthor_perf_counter *counter;
	struct limit other;
	bool found = false;
	uint32_t i;

	for (i = 0; (counter = table_derived(values->view->table, i)); i++) {
		if (counter->limit != kind)
			continue;
		if (!find_share(values, counter, &other))
			return false;
		if (!found || other.value > limit->value)
			*limit = other;
		found = true;
	}
	return found;
}

/* The first one that has a value. */
static bool find_first(const struct values *values, unsigned int kind, struct limit *limit)
{
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = table_derived(values->view->table, i)); i++)
		if (counter->limit == kind && find_share(values, counter, limit))
			return true;
	return false;
}

static bool compare_blocks(const struct values *values, const struct panthor_perf_counter *counter,
			   struct limit *limit)
{
	unsigned int blocks = panthor_perf_gpu_block_count(values->view->object, counter->type);
	uint64_t largest = 0, count;
	unsigned int block;
	double sum = 0;

	*limit = (struct limit) { .counter = counter, .parts = { counter }, .part_count = 1 };
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
	limit->value = 100 * (limit->block_count * (double)largest - sum) / sum;
	return true;
}

static bool find_imbalance(const struct values *values, struct limit *limit)
{
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = table_hardware(values->view->table, i)); i++)
		if (counter->limit == PANTHOR_PERF_LIMIT_IMBALANCE &&
		    compare_blocks(values, counter, limit))
			return true;
	return false;
}

void limits_find(const struct values *values, struct limits *limits)
{
	struct limit *next = limits->limits;

	limits->count = 0;
	if (!values->view->table)
		return;
	/* If all units are idle, none is the busiest. */
	if (find_largest(values, PANTHOR_PERF_LIMIT_UNIT, next) && next->value > 0)
		next++;
	if (find_largest(values, PANTHOR_PERF_LIMIT_STALL, next))
		next++;
	if (find_imbalance(values, next))
		next++;
	if (find_first(values, PANTHOR_PERF_LIMIT_BANDWIDTH, next))
		next++;
	limits->count = next - limits->limits;
}

/* An imbalance is no share. */
static bool is_skewed(const struct limit *limit)
{
	struct value value = { .valid = true, .number = limit->value };

	return limit->counter->limit != PANTHOR_PERF_LIMIT_IMBALANCE &&
	       value_is_skewed(&value, "percent");
}

bool limit_is_likely(const struct limit *limit)
{
	return limit->counter->high && limit->value >= limit->counter->high;
}

static void make_sentence(const struct limit *limit, char *text, size_t size)
{
	const char *subject = limit->counter->limit_text;
	struct value value = { .valid = true, .number = limit->value };
	char percent[40];

	if (limit->counter->limit == PANTHOR_PERF_LIMIT_IMBALANCE)
		snprintf(percent, sizeof(percent), "%.2f", limit->value);
	else
		value_format(&value, "percent", percent, sizeof(percent));
	switch (limit->counter->limit) {
	case PANTHOR_PERF_LIMIT_UNIT:
		snprintf(text, size, "Busiest unit: %s works in %s %% of the cycles in which the "
			 "GPU is active", subject, percent);
		break;
	case PANTHOR_PERF_LIMIT_STALL:
		snprintf(text, size, "Memory: %s stall in %s %% of the cycles in which the GPU is "
			 "active", subject, percent);
		break;
	case PANTHOR_PERF_LIMIT_IMBALANCE:
		if (limit->value > 0)
			snprintf(text, size, "Imbalance: %s %u is active for %s %% more cycles "
				 "than the mean of all %u", subject, limit->block, percent,
				 limit->block_count);
		else
			snprintf(text, size, "Imbalance: each %s of %u is active for the same "
				 "number of cycles", subject, limit->block_count);
		break;
	default:
		snprintf(text, size, "Bandwidth: the external bus carries %s %% of what it can in "
			 "%s", percent, subject);
		break;
	}
}

static void print_limit(const struct limit *limit, FILE *out, bool color)
{
	bool likely = limit_is_likely(limit);
	char text[2048], *end = text + sizeof(text);
	size_t used;
	unsigned int i;

	make_sentence(limit, text, sizeof(text) / 2);
	for (i = 0; i < limit->part_count; i++) {
		used = strlen(text);
		snprintf(text + used, end - text - used, "%s%s", i ? ", " : " (",
			 limit->parts[i]->name);
	}
	used = strlen(text);
	snprintf(text + used, end - text - used, ").%s", likely ? " This is a likely limit." : "");
	fputs(color && likely ? YELLOW : "", out);
	fprintf(out, "%*s", INDENT, "");
	print_wrapped(out, text, INDENT, 2 * INDENT, LINE_COLUMNS);
	fputs(color && likely ? PLAIN : "", out);
}

void limits_print(const struct limits *limits, FILE *out, bool color, bool skewed)
{
	bool skewed_limit = false;
	unsigned int i;

	for (i = 0; i < limits->count; i++)
		skewed_limit |= is_skewed(&limits->limits[i]);
	if (skewed && !skewed_limit)
		fprintf(out, "%s\n", SKEW_NOTE);

	if (limits->count)
		fprintf(out, "%sLimits%s\n", color ? BOLD : "", color ? PLAIN : "");
	for (i = 0; i < limits->count; i++)
		print_limit(&limits->limits[i], out, color);
	if (skewed_limit)
		fprintf(out, "%s\n", SKEW_NOTE);
}

static struct json_object *limit_json(const struct limit *limit)
{
	const struct panthor_perf_counter *counter = limit->counter;
	const char *kind = panthor_perf_limit_name(counter->limit);
	struct json_object *object = json_object_new_object();
	struct json_object *names = json_object_new_array();
	struct value value = { .valid = true, .number = limit->value };
	char text[40];
	unsigned int i;

	value_plain(&value, text, sizeof(text));
	for (i = 0; i < limit->part_count; i++)
		json_object_array_add(names, text_json(limit->parts[i]->name));
	json_object_object_add(object, "limit", text_json(kind));
	json_object_object_add(object, "text", text_json(counter->limit_text));
	json_object_object_add(object, "counters", names);
	json_object_object_add(object, "value", json_object_new_double_s(limit->value, text));
	json_object_object_add(object, "unit", text_json("percent"));
	if (limit->block_count) {
		json_object_object_add(object, "instance", json_object_new_int(limit->block));
		json_object_object_add(object, "instances",
				       json_object_new_int(limit->block_count));
	}
	json_object_object_add(object, "high",
			       counter->high ? json_object_new_int(counter->high) : NULL);
	json_object_object_add(object, "likely", json_object_new_boolean(limit_is_likely(limit)));
	return object;
}

struct json_object *limits_json(const struct limits *limits)
{
	struct json_object *array = json_object_new_array();
	unsigned int i;

	for (i = 0; i < limits->count; i++)
		json_object_array_add(array, limit_json(&limits->limits[i]));
	return array;
}
