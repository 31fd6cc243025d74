// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* A line for each sample. */

#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "print.h"

#define NS_PER_MS	UINT64_C(1000000)
#define NS_PER_S	UINT64_C(1000000000)
#define MIN_COLUMNS	15

static uint64_t sum_of_type(const struct values *values,
			    const struct panthor_perf_selection *selection, unsigned int type)
{
	uint64_t total = 0, count;
	unsigned int i;

	for (i = 0; i < values->view->info.counters_per_block; i++)
		if (panthor_perf_selection_has(selection, type, i) &&
		    panthor_perf_values_raw(values->sums, type, VALUE_SUM, i, &count))
			total += count;
	return total;
}

/* The sums of the block types, or without a sample yet their names. */
static void print_types(const struct printer *printer, bool title)
{
	const struct panthor_perf_selection *selection = printer->events->selection;
	unsigned int type;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		if (!panthor_perf_gpu_block_count(printer->view->object, type) ||
		    !panthor_perf_selection_count(selection, type))
			continue;
		if (title)
			fprintf(printer->out, " %*s", MIN_COLUMNS, panthor_perf_block_name(type));
		else
			fprintf(printer->out, " %*" PRIu64, MIN_COLUMNS,
				sum_of_type(&printer->values, selection, type));
	}
}

static void print_events(const struct printer *printer, bool title)
{
	size_t i;

	for (i = 0; i < printer->events->count; i++) {
		const struct event *event = &printer->events->events[i];
		int width = strlen(event->name);
		struct value value;
		char text[40];

		if (width < MIN_COLUMNS)
			width = MIN_COLUMNS;
		if (title) {
			fprintf(printer->out, " %*s", width, event->name);
			continue;
		}
		value = values_get(&printer->values, event, VALUE_SUM);
		value_plain(&value, text, sizeof(text));
		fprintf(printer->out, " %*s", width, *text ? text : "-");
	}
}

static void print_clocks(const struct printer *printer, bool title)
{
	const struct panthor_perf_sample *sample = printer->values.sample;
	unsigned int clock;
	uint64_t cycles;

	for (clock = 0; panthor_perf_clock_name(clock); clock++) {
		if (!panthor_perf_sample_cycles(sample, clock, &cycles))
			continue;
		if (title)
			fprintf(printer->out, " %*s", MIN_COLUMNS, panthor_perf_clock_name(clock));
		else
			fprintf(printer->out, " %*" PRIu64, MIN_COLUMNS, cycles);
	}
}

static void print_columns(const struct printer *printer, bool title)
{
	if (printer->options.types)
		print_types(printer, title);
	else
		print_events(printer, title);
	if (printer->options.clocks)
		print_clocks(printer, title);
}

void brief_sample(const struct printer *printer)
{
	const struct drm_panthor_perf_sample_header *header = &printer->values.header;
	uint64_t at = header->timestamp_end_ns - printer->zero_ns;
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	FILE *out = printer->out;

	if (!printer->printed) {
		fprintf(out, "# %14s %12s %6s", "time/s", "length/ms", "merged");
		print_columns(printer, true);
		fputc('\n', out);
	}
	fprintf(out, "%6" PRIu64 ".%09" PRIu64 " %5" PRIu64 ".%06" PRIu64 " %6u", at / NS_PER_S,
		at % NS_PER_S, ns / NS_PER_MS, ns % NS_PER_MS, header->merged);
	print_columns(printer, false);
	if (header->flags)
		print_bits(out, "", header->flags, panthor_perf_flag_name);
	if (header->events)
		print_bits(out, "", header->events, panthor_perf_event_name);
	fputc('\n', out);
	if (printer->options.states)
		table_states(printer);
}
