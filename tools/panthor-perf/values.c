// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "values.h"

/* Beyond this a double does not hold all integers. */
#define EXACT_LIMIT	9007199254740992.0

int values_init(struct values *values, const struct gpu_view *view)
{
	*values = (struct values) { .view = view };
	if (view->table)
		panthor_perf_table_counters(view->table, PANTHOR_PERF_COUNTER_HARDWARE,
					    &values->named_count);
	values->sums = calloc(values->named_count + 1, sizeof(*values->sums));
	values->mixed = calloc(values->named_count + 1, sizeof(*values->mixed));
	if (values->sums && values->mixed)
		return 0;
	values_fini(values);
	return -ENOMEM;
}

int values_set(struct values *values, const struct panthor_perf_sample *sample)
{
	const struct gpu_view *view = values->view;
	struct panthor_perf_block block = { 0 };

	values->sample = *sample;
	values->block_count = 0;
	memset(values->sums, 0, (values->named_count + 1) * sizeof(*values->sums));
	panthor_perf_constants_set(&values->constants, &view->gpu,
				   sample->header.timestamp_end_ns -
				   sample->header.timestamp_start_ns);
	while (panthor_perf_sample_next_block(sample, &block)) {
		struct panthor_perf_block *blocks = realloc(values->blocks,
							    (values->block_count + 1) *
							    sizeof(*blocks));

		if (!blocks)
			return -ENOMEM;
		values->blocks = blocks;
		blocks[values->block_count++] = block;
		if (view->table)
			panthor_perf_table_add_block(view->table, view->set, &block, values->sums);
	}
	return 0;
}

static const struct panthor_perf_block *find_block(const struct values *values, unsigned int type,
						   int instance)
{
	size_t i;

	for (i = 0; i < values->block_count; i++)
		if (values->blocks[i].header.type == type && !instance--)
			return &values->blocks[i];
	return NULL;
}

static struct value get_counter(const struct values *values, const struct event *event,
				int instance)
{
	struct value value = { .exact = true };
	size_t i;

	for (i = 0; i < values->block_count; i++) {
		const struct panthor_perf_block *block = &values->blocks[i];
		uint64_t count;

		if (block->header.type != event->type ||
		    !panthor_perf_block_counter(block, event->index, &count))
			continue;
		if (instance > 0 && instance--)
			continue;
		value.valid = true;
		value.count += count;
		if (!instance)
			break;
	}
	if (event->counter)
		value.count = panthor_perf_counter_value(event->counter, value.count);
	value.number = value.count;
	return value;
}

static struct value get_derived(const struct values *values, const struct event *event,
				int instance)
{
	struct panthor_perf_constants constants = values->constants;
	const struct panthor_perf_counter *all;
	const struct panthor_perf_block *block;
	const uint64_t *sums = values->sums;
	struct value value = { 0 };
	unsigned int type;
	uint32_t count, i;

	if (instance != VALUE_SUM) {
		type = event_block_type(event, values->view);
		block = find_block(values, type, instance);
		if (!block)
			return value;
		all = panthor_perf_table_counters(values->view->table,
						  PANTHOR_PERF_COUNTER_HARDWARE, &count);
		for (i = 0; i < count; i++)
			values->mixed[i] = all[i].type == type ? 0 : sums[i];
		panthor_perf_table_add_block(values->view->table, values->view->set, block,
					     values->mixed);
		sums = values->mixed;
		if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER)
			constants.core_count = 1;
		else
			constants.l2_slices = 1;
	}
	value.valid = panthor_perf_expr_value(event->counter->expr, sums, NULL, &constants,
					      &value.number);
	return value;
}

struct value values_get(const struct values *values, const struct event *event, int instance)
{
	return event_is_derived(event) ? get_derived(values, event, instance) :
					 get_counter(values, event, instance);
}

void values_fini(struct values *values)
{
	free(values->blocks);
	free(values->sums);
	free(values->mixed);
	*values = (struct values) { 0 };
}

/* 1234567 becomes 1,234,567. */
static void group(uint64_t number, bool negative, char *text, size_t size)
{
	char digits[24], grouped[40];
	size_t length, used = 0, i;

	length = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	for (i = 0; i < length; i++) {
		if (i && !((length - i) % 3))
			grouped[used++] = ',';
		grouped[used++] = digits[i];
	}
	grouped[used] = 0;
	snprintf(text, size, "%s%s", negative ? "-" : "", grouped);
}

static const char *format_rate(double number, const char *const units[4], char *text, size_t size)
{
	unsigned int i = 0;

	while (i < 3 && fabs(number) >= 1000) {
		number /= 1000;
		i++;
	}
	snprintf(text, size, "%.3f", number);
	return units[i];
}

const char *value_format(const struct value *value, const char *unit, char *text, size_t size)
{
	static const char *const bytes[] = { "B/s", "kB/s", "MB/s", "GB/s" };
	static const char *const hertz[] = { "Hz", "kHz", "MHz", "GHz" };
	double number = value->number;

	if (!value->valid)
		snprintf(text, size, "-");
	else if (value->exact)
		group(value->count, false, text, size);
	else if (!strcmp(unit, "bytes/s"))
		return format_rate(number, bytes, text, size);
	else if (!strcmp(unit, "hertz"))
		return format_rate(number, hertz, text, size);
	else if (!strcmp(unit, "percent"))
		snprintf(text, size, "%.2f", fabs(number) < 0.005 ? 0 : number);
	else if (fabs(number) < EXACT_LIMIT && (number == floor(number) || fabs(number) >= 1e5))
		group(fabs(round(number)), number < 0, text, size);
	else if (fabs(number) < 0.1 || fabs(number) >= EXACT_LIMIT)
		snprintf(text, size, "%.4g", number);
	else
		snprintf(text, size, "%.3f", number);
	return !strcmp(unit, "percent") ? "%" : unit;
}

const char *value_plain(const struct value *value, char *text, size_t size)
{
	if (!value->valid)
		*text = 0;
	else if (value->exact)
		snprintf(text, size, "%" PRIu64, value->count);
	else
		snprintf(text, size, "%.10g", value->number);
	return text;
}
