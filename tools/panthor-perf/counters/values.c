// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "recording/raw.h"
#include "values.h"

/* Beyond this a double does not hold all integers. */
#define EXACT_LIMIT	9007199254740992.0

/* From here on, what is rounded to three decimals would have a separator. */
#define GROUPED		999.9995

/* Half of the last digit of a percentage that is shown. */
#define PERCENT_ROUNDING	0.005

/* A share that is further below 0 or above 100, in percent, is an error, and is shown as it is. */
#define PERCENT_SKEW	1.0

int values_init(struct values *values, const struct gpu_view *view,
		const struct panthor_perf_selection *counted)
{
	*values = (struct values) { .view = view };
	return panthor_perf_values_create(counted, &values->sums, NULL);
}

void values_clear(struct values *values)
{
	panthor_perf_values_clear(values->sums);
}

void values_add(struct values *values, const struct panthor_perf_sample *sample)
{
	values->sample = sample;
	raw_sample_header(sample, &values->header);
	panthor_perf_values_add(values->sums, sample);
}

void values_set(struct values *values, const struct panthor_perf_sample *sample)
{
	values_clear(values);
	values_add(values, sample);
}

/* The GPU has one MMU, whose counters are in the block of the first slice. */
static bool counter_is_of_mmu(const struct panthor_perf_counter *counter)
{
	return counter && counter->type == DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS &&
	       !strncmp(counter->name, "MaliMMU", strlen("MaliMMU"));
}

unsigned int formula_types(const struct panthor_perf_table *table,
			   const struct panthor_perf_expr *expr)
{
	unsigned int types = 0;
	const uint32_t *inputs;
	uint32_t count, i;

	inputs = panthor_perf_expr_inputs(expr, &count);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *counter = table_hardware(table, inputs[i]);

		if (!counter_is_of_mmu(counter))
			types |= 1u << counter->type;
	}
	return types;
}

static bool is_of_first_slice(const struct values *values, const struct event *event)
{
	uint32_t count;

	if (!event_is_derived(event))
		return counter_is_of_mmu(event->counter);
	panthor_perf_expr_inputs(event->counter->expr, &count);
	return count && !formula_types(values->view->table, event->counter->expr);
}

static struct value counted_value(const struct values *values, const struct event *event,
				  int instance)
{
	struct value value = { .exact = !event_is_derived(event) };

	if (!value.exact) {
		value.valid = panthor_perf_values_number(values->sums, event->counter, instance,
							 &value.number);
		return value;
	}
	value.valid = panthor_perf_values_raw(values->sums, event->type, instance, event->index,
					      &value.count);
	if (value.valid && event->counter)
		value.count = panthor_perf_counter_value(event->counter, value.count);
	value.number = value.count;
	return value;
}

struct value values_get(const struct values *values, const struct event *event, int instance)
{
	struct value value = counted_value(values, event, instance);

	/* What is counted there all the same is shown. */
	if (instance > 0 && value.number == 0 && is_of_first_slice(values, event))
		value.valid = false;
	return value;
}

void values_fini(struct values *values)
{
	panthor_perf_values_destroy(values->sums);
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

bool value_is_skewed(const struct value *value, const char *unit)
{
	double number = value->number;

	if (!value->valid || value->exact || strcmp(unit, "percent"))
		return false;
	return (number <= -PERCENT_ROUNDING && number > -PERCENT_SKEW) ||
	       (number >= 100 + PERCENT_ROUNDING && number < 100 + PERCENT_SKEW);
}

bool value_is_high(const struct value *value, const struct event *event)
{
	const struct panthor_perf_counter *counter = event->counter;

	/* That of a hardware counter is of its imbalance. */
	return value->valid && event_is_derived(event) && counter->high &&
	       value->number >= counter->high;
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
	else if (value_is_skewed(value, unit))
		snprintf(text, size, "%s~", number < 0 ? "0.00" : "100.00");
	else if (!strcmp(unit, "percent"))
		snprintf(text, size, "%.2f", fabs(number) < PERCENT_ROUNDING ? 0 : number);
	else if (fabs(number) < EXACT_LIMIT && (number == floor(number) || fabs(number) >= GROUPED))
		group(fabs(round(number)), number < 0, text, size);
	else if (fabs(number) < 0.1 || fabs(number) >= EXACT_LIMIT)
		snprintf(text, size, "%.4g", number);
	else
		snprintf(text, size, "%.3f", number);
	return !strcmp(unit, "percent") ? "%" : unit;
}

const char *number_plain(double number, char *text, size_t size)
{
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return text;
}

const char *value_plain(const struct value *value, char *text, size_t size)
{
	if (!value->valid)
		*text = 0;
	else if (value->exact)
		snprintf(text, size, "%" PRIu64, value->count);
	else
		number_plain(value->number, text, size);
	return text;
}

bool unit_has_prefix(const char *unit)
{
	return !strcmp(unit, "bytes/s") || !strcmp(unit, "hertz");
}

void value_fit(const struct value *value, const char *unit, int width, char *text, size_t size)
{
	static const char multiples[] = "kMGT";
	double number = value->exact ? (double)value->count : value->number;
	char digits[40];
	const char *own = value_format(value, unit, digits, sizeof(digits));
	bool prefix = value->valid && unit_has_prefix(unit);
	size_t i;

	if (snprintf(text, size, "%s%s%s", digits, prefix ? " " : "", prefix ? own : "") <= width)
		return;
	if (prefix) {
		snprintf(text, size, "%.3g %s", number, strcmp(unit, "hertz") ? "B/s" : "Hz");
		return;
	}
	for (i = 0; i < strlen(multiples); i++) {
		number /= 1000;
		group(fabs(round(number)), number < 0, digits, sizeof(digits));
		if (snprintf(text, size, "%s %c", digits, multiples[i]) <= width)
			return;
	}
}
