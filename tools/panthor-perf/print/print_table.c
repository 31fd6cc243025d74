// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Samples as tables. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "lines.h"
#include "print.h"
#include "recording/recording_view.h"

#define NS_PER_MS	UINT64_C(1000000)
#define NS_PER_S	UINT64_C(1000000000)
#define VALUE_COLUMNS	20
#define UNIT_COLUMNS	14
#define DEVIATION_COLUMNS	17
#define MIN_VALUE	12
#define MIN_NAME	16

#define BOLD		"\033[1m"
#define DIM		"\033[2m"
#define RED		"\033[31m"
#define YELLOW		"\033[33m"
#define PLAIN		"\033[0m"

static const char *paint(const struct printer *printer, const char *color)
{
	return printer->options.color ? color : "";
}

static void print_header(const struct printer *printer)
{
	const struct drm_panthor_perf_sample_header *header = &printer->values.header;
	const bool bad = header->flags & (DRM_PANTHOR_PERF_SAMPLE_ERROR |
					  DRM_PANTHOR_PERF_SAMPLE_OVERFLOW);
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	uint64_t at = header->timestamp_end_ns - printer->zero_ns;
	char text[768], flags[256], events[256];
	size_t size;

	size = snprintf(text, sizeof(text), "sample %" PRIu64 ": ", (uint64_t)header->sample_nr);
	if (printer->options.times)
		size += snprintf(text + size, sizeof(text) - size, "at %" PRIu64 ".%09" PRIu64
				 " s, ", at / NS_PER_S, at % NS_PER_S);
	bits_text(header->flags, panthor_perf_flag_name, flags, sizeof(flags));
	bits_text(header->events, panthor_perf_event_name, events, sizeof(events));
	size += snprintf(text + size, sizeof(text) - size, "%" PRIu64 ".%06" PRIu64
			 " ms, GPU timestamp %" PRIu64 "; flags %s; events %s", ns / NS_PER_MS,
			 ns % NS_PER_MS, (uint64_t)header->gpu_timestamp, *flags ? flags : "none",
			 *events ? events : "none");
	if (header->merged)
		snprintf(text + size, sizeof(text) - size, "; %u period%s merged", header->merged,
			 header->merged == 1 ? "" : "s");
	fputs(bad ? paint(printer, RED) : "", printer->out);
	print_wrapped(printer->out, text, 0, 2, printer->columns);
	fputs(bad ? paint(printer, PLAIN) : "", printer->out);
}

static void print_clocks(const struct printer *printer)
{
	const struct panthor_perf_sample *sample = printer->values.sample;
	char text[512] = "";
	size_t size = 0;
	uint64_t ns = panthor_perf_sample_end_ns(sample) - panthor_perf_sample_start_ns(sample);
	unsigned int clock;
	uint64_t cycles;

	for (clock = 0; panthor_perf_clock_name(clock); clock++) {
		if (!panthor_perf_sample_cycles(sample, clock, &cycles))
			continue;
		size += snprintf(text + size, sizeof(text) - size, "%s%s %" PRIu64,
				 size ? ", " : "", panthor_perf_clock_name(clock), cycles);
		if (ns)
			size += snprintf(text + size, sizeof(text) - size, " (%.3f MHz)",
					 cycles * 1e3 / ns);
	}
	print_wrapped(printer->out, size ? text : "the driver does not report them",
		      fprintf(printer->out, "  cycles: "), 4, printer->columns);
}

/* Of what is expected, available, no word; several states at once are joined by +. */
static void print_state_words(FILE *out, uint32_t states)
{
	const char *separator = " ";
	unsigned int bit;

	states &= ~DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE;
	if (!states)
		fputs(" -", out);
	for (bit = 0; bit < 32; bit++) {
		if (!(states >> bit & 1))
			continue;
		if (panthor_perf_state_name(bit))
			fprintf(out, "%s%s", separator, panthor_perf_state_name(bit));
		else
			fprintf(out, "%sbit-%u", separator, bit);
		separator = "+";
	}
}

/* Neighbours that are in the same states are named together. */
void table_states(const struct printer *printer)
{
	const struct panthor_perf_sample *sample = printer->values.sample;
	const struct panthor_perf_block *block, *first;
	FILE *out = printer->out;
	const char *separator = "";

	if (!print_has_states(printer)) {
		fputs("  states: the driver does not report them\n", out);
		return;
	}
	fputs("  states: ", out);
	for (first = panthor_perf_sample_next_block(sample, NULL); first; first = block) {
		unsigned int type = panthor_perf_block_type(first);
		unsigned int number = panthor_perf_block_number(first), last = number;
		uint32_t states = panthor_perf_block_states(first);

		for (block = panthor_perf_sample_next_block(sample, first);
		     block && panthor_perf_block_type(block) == type &&
		     panthor_perf_block_states(block) == states;
		     block = panthor_perf_sample_next_block(sample, block))
			last = panthor_perf_block_number(block);
		fprintf(out, "%s%s", separator, panthor_perf_block_name(type));
		if (last != number)
			fprintf(out, "[%u-%u]", number, last);
		else if (panthor_perf_gpu_block_count(printer->view->object, type) > 1)
			fprintf(out, "[%u]", last);
		print_state_words(out, states);
		separator = ", ";
	}
	fputc('\n', out);
}

/* One line per block type: how many counters of all its blocks counted, and their sum. */
void table_types(const struct printer *printer)
{
	const struct panthor_perf_selection *selection = printer->events->selection;
	unsigned int limit = printer->view->info.counters_per_block;
	FILE *out = printer->out;
	unsigned int type;

	fprintf(out, "  %-8s %6s %9s %9s %22s\n", "block", "blocks", "counters", "non-zero",
		"total");
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		const struct panthor_perf_gpu *gpu = printer->view->object;
		unsigned int blocks = panthor_perf_gpu_instance_count(gpu, type);
		unsigned int counters = 0, nonzero = 0, block, i;
		uint64_t total = 0, count;

		for (block = 0; block < blocks; block++) {
			for (i = 0; i < limit; i++) {
				if (!panthor_perf_selection_has(selection, type, i) ||
				    !panthor_perf_values_raw(printer->values.sums, type, block, i,
							     &count))
					continue;
				counters++;
				nonzero += count != 0;
				total += count;
			}
		}
		if (counters)
			fprintf(out, "  %-8s %6u %9u %9u %22" PRIu64 "\n",
				panthor_perf_block_name(type),
				panthor_perf_gpu_block_count(gpu, type), counters, nonzero, total);
	}
}

static int name_width(const struct printer *printer)
{
	int width = MIN_NAME;
	size_t i;

	for (i = 0; i < printer->events->count; i++) {
		int length = strlen(printer->events->events[i].name);

		if (length > width)
			width = length;
	}
	return width + 1;
}

/* Columns of a name, a value and its unit. */
static int row_columns(int width)
{
	return 2 + width + 1 + VALUE_COLUMNS + 1 + UNIT_COLUMNS;
}

/* On a terminal, a line has room for all that is behind the value. */
static int value_columns(const struct printer *printer, int width)
{
	int left = printer->columns - row_columns(width) + VALUE_COLUMNS -
		   (printer->options.repeats ? DEVIATION_COLUMNS : 0);

	return left < MIN_VALUE ? MIN_VALUE : left < VALUE_COLUMNS ? left : VALUE_COLUMNS;
}

/* The text of a value; in a warning colour from the threshold of the table on. */
static void print_text(const struct printer *printer, const struct event *event,
		       const struct value *value, const char *text, int width)
{
	bool high = value_is_high(value, event);

	fprintf(printer->out, "%s%*s%s", high ? paint(printer, YELLOW) : "",
		value_columns(printer, width), text,
		high ? paint(printer, PLAIN) : "");
}

static void print_value(struct printer *printer, const struct event *event, int instance, int width)
{
	struct value value = values_get(&printer->values, event, instance);
	char name[24], text[40];
	const char *unit;

	printer->skewed |= value_is_skewed(&value, event_unit(event));
	unit = value_format(&value, event_unit(event), text, sizeof(text));
	if (instance == VALUE_SUM) {
		fprintf(printer->out, "  %s%-*s%s ", paint(printer, BOLD), width, event->name,
			paint(printer, PLAIN));
		print_text(printer, event, &value, text, width);
		if (event->counter) {
			fprintf(printer->out, " %-*s ", UNIT_COLUMNS, unit);
			print_meaning(printer->out, event,
				      printer->options.line - row_columns(width) - 1);
		}
		fputc('\n', printer->out);
		return;
	}
	snprintf(name, sizeof(name), "  %s[%d]",
		 panthor_perf_block_name(event_block_type(event, printer->view)), instance);
	fprintf(printer->out, "  %-*s ", width, name);
	print_text(printer, event, &value, text, width);
	fputc('\n', printer->out);
}

/* Counters that a pattern or a range brought in are shown where they counted. */
static bool is_hidden(const struct printer *printer, const struct event *event)
{
	return !event->named && !event_is_derived(event) &&
	       !values_get(&printer->values, event, VALUE_SUM).count;
}

static void print_table_heading(const struct printer *printer, const struct event *event,
				const char **group)
{
	const char *heading = "Counters";

	if (event_is_derived(event))
		heading = event->counter->group ? event->counter->group : "Derived counters";
	if (!printer->options.headings || (*group && !strcmp(*group, heading)))
		return;
	fprintf(printer->out, " %s%s%s\n", paint(printer, DIM), heading, paint(printer, PLAIN));
	*group = heading;
}

static void print_events(struct printer *printer)
{
	int width = name_width(printer);
	const char *group = NULL;
	unsigned int hidden = 0;
	size_t i;

	for (i = 0; i < printer->events->count; i++) {
		const struct event *event = &printer->events->events[i];
		int instance, count;

		if (is_hidden(printer, event)) {
			hidden++;
			continue;
		}
		print_table_heading(printer, event, &group);
		print_value(printer, event, VALUE_SUM, width);
		if (!printer->options.instances)
			continue;
		count = event_block_count(event, printer->view);
		for (instance = 0; instance < count; instance++)
			print_value(printer, event, instance, width);
	}
	if (hidden)
		fprintf(printer->out, "  %u more are 0 in every block\n", hidden);
}

void table_sample(struct printer *printer)
{
	print_header(printer);
	if (printer->options.clocks)
		print_clocks(printer);
	if (printer->options.states)
		table_states(printer);
	if (printer->options.types)
		table_types(printer);
	else
		print_events(printer);
}

static void print_deviation(FILE *out, const struct run_value *run)
{
	char text[32];

	if (run->count < 2 || (!run->mean && run->squares > 0))
		snprintf(text, sizeof(text), "-");
	else
		snprintf(text, sizeof(text), "%.2f",
			 run->mean ? 100 * run_deviation(run) / fabs(run->mean) : 0);
	fprintf(out, "  ( +- %6s %% )", text);
}

void table_runs(struct printer *printer)
{
	const struct run_value *span = &printer->runs[printer->events->count];
	int width = name_width(printer);
	const char *group = NULL;
	unsigned int hidden = 0;
	size_t i;

	fprintf(printer->out, "%" PRIu64 " runs, %.6f ms on average", span->count,
		span->mean * 1e3);
	print_deviation(printer->out, span);
	fputc('\n', printer->out);
	for (i = 0; i < printer->events->count; i++) {
		const struct event *event = &printer->events->events[i];
		const struct run_value *run = &printer->runs[i];
		struct value value = { .valid = run->count, .number = run->mean };
		const char *unit;
		char text[40];

		if (!event->named && !event_is_derived(event) && !run->max) {
			hidden++;
			continue;
		}
		print_table_heading(printer, event, &group);
		printer->skewed |= value_is_skewed(&value, event_unit(event));
		unit = value_format(&value, event_unit(event), text, sizeof(text));
		fprintf(printer->out, "  %s%-*s%s ", paint(printer, BOLD), width, event->name,
			paint(printer, PLAIN));
		print_text(printer, event, &value, text, width);
		fprintf(printer->out, " %-*s", UNIT_COLUMNS, unit);
		print_deviation(printer->out, run);
		if (event->counter) {
			fputs("  ", printer->out);
			print_meaning(printer->out, event, printer->options.line -
				      row_columns(width) - DEVIATION_COLUMNS - 2);
		}
		fputc('\n', printer->out);
	}
	if (hidden)
		fprintf(printer->out, "  %u more are 0 in every block of every run\n", hidden);
}
