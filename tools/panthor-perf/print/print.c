// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* What the formats have in common. */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lines.h"
#include "print.h"
#include "recording/recording_view.h"

void print_bits(FILE *out, const char *title, uint32_t mask,
		const char *(*name)(unsigned int bit))
{
	unsigned int bit;

	fprintf(out, "%s", title);
	if (!mask)
		fputs(" none", out);
	for (bit = 0; bit < 32; bit++) {
		if (!(mask & (1u << bit)))
			continue;
		if (name(bit))
			fprintf(out, " %s", name(bit));
		else
			fprintf(out, " bit-%u", bit);
	}
}

/* Limits are for people with time to read, and for programs that read objects. */
static bool has_limits(const struct printer *printer)
{
	return printer->options.format == PRINT_TABLE || printer->options.format == PRINT_JSON;
}

int printer_init(struct printer *printer)
{
	int ret = values_init(&printer->values, printer->view, printer->events->selection);

	printer->columns = line_limit(printer->out);
	if (!ret)
		ret = values_init(&printer->total, printer->view, printer->events->selection);
	if (!ret)
		ret = limits_init(&printer->limits, printer->view);
	if (ret)
		return ret;
	if (printer->options.format == PRINT_CSV && !printer->options.repeats)
		csv_begin(printer);
	if (printer->options.format == PRINT_JSON)
		json_begin(printer);
	return 0;
}

static void take_values(struct printer *printer, const struct panthor_perf_sample *sample)
{
	values_set(&printer->values, sample);
	if (!has_limits(printer))
		return;
	values_add(&printer->total, sample);
	limits_add(&printer->limits, &printer->values);
}

static void print_limits(struct printer *printer)
{
	/* Not those of the memory that print_judged() prints to. */
	int columns = printer->columns < INT_MAX ? printer->columns : line_columns(printer->out);

	limits_end(&printer->limits, &printer->total);
	printer->skewed |= limits_print(&printer->limits, printer->out, columns,
					printer->options.color);
	if (printer->options.repeats && limits_are_known(&printer->limits))
		fputs("All runs together are judged; the table has means of runs.\n",
		      printer->out);
}

static int lines_of(const char *text)
{
	int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* What a function prints; NULL without memory. */
static char *printed(struct printer *printer, void (*print)(struct printer *printer))
{
	FILE *out = printer->out;
	char *text = NULL;
	size_t size;

	printer->out = open_memstream(&text, &size);
	if (printer->out) {
		print(printer);
		if (fclose(printer->out)) {
			free(text);
			text = NULL;
		}
	}
	printer->out = out;
	return text;
}

/* The verdict comes first, unless the table moves it out of the terminal. */
static void print_judged(struct printer *printer, void (*print_table)(struct printer *printer))
{
	char *verdict = printed(printer, print_limits), *table = NULL;
	bool fits = true;

	if (verdict)
		table = printed(printer, print_table);
	/* The quality and the prompt follow. */
	if (table)
		fits = lines_of(verdict) + lines_of(table) + 2 <= line_count(printer->out);
	free(table);
	free(verdict);
	if (fits)
		print_limits(printer);
	print_table(printer);
	if (!fits)
		print_limits(printer);
}

void print_sample(struct printer *printer, const struct panthor_perf_sample *sample)
{
	take_values(printer, sample);
	if (!printer->printed)
		printer->zero_ns = panthor_perf_sample_start_ns(sample);
	switch (printer->options.format) {
	case PRINT_TABLE:
		if (printer->options.single)
			print_judged(printer, table_sample);
		else
			table_sample(printer);
		break;
	case PRINT_BRIEF:
		brief_sample(printer);
		break;
	case PRINT_CSV:
		csv_sample(printer);
		break;
	case PRINT_JSON:
		json_sample(printer);
		break;
	}
	printer->printed++;
	fflush(printer->out);
}

static void add_run(struct run_value *run, double value)
{
	double difference = value - run->mean;

	if (!run->count || value < run->min)
		run->min = value;
	if (!run->count || value > run->max)
		run->max = value;
	run->count++;
	run->mean += difference / run->count;
	run->squares += difference * (value - run->mean);
}

double run_deviation(const struct run_value *run)
{
	return run->count < 2 ? 0 : sqrt(run->squares / (run->count - 1));
}

int print_add_run(struct printer *printer, const struct panthor_perf_sample *sample)
{
	uint64_t ns;
	size_t i;

	take_values(printer, sample);
	if (!printer->runs) {
		printer->runs = calloc(printer->events->count + 1, sizeof(*printer->runs));
		if (!printer->runs)
			return -ENOMEM;
	}
	for (i = 0; i < printer->events->count; i++) {
		struct value value = values_get(&printer->values, &printer->events->events[i],
						VALUE_SUM);

		if (value.valid)
			add_run(&printer->runs[i], value.number);
	}
	ns = panthor_perf_sample_end_ns(sample) - panthor_perf_sample_start_ns(sample);
	add_run(&printer->runs[i], ns / 1e9);
	return 0;
}

void print_runs(struct printer *printer)
{
	switch (printer->options.format) {
	case PRINT_CSV:
		csv_runs(printer);
		break;
	case PRINT_JSON:
		json_runs(printer);
		break;
	default:
		if (has_limits(printer))
			print_judged(printer, table_runs);
		else
			table_runs(printer);
		break;
	}
}

bool print_has_states(const struct printer *printer)
{
	return printer->view->info.flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT;
}

static void print_quality(const struct printer *printer, FILE *out,
			  const struct panthor_perf_quality *quality)
{
	struct raw_end end = {
		.samples = quality->samples,
		.errors = quality->errors,
		.overflows = quality->overflows,
		.merged = quality->merged,
		.late = quality->late,
		.lost = quality->lost,
		.events = quality->events,
	};
	char text[QUALITY_SIZE];

	print_wrapped(out, quality_text(&end, printer->options.periods, text, sizeof(text)),
		      out == stderr ? strlen("panthor-perf: ") : 0, 2, line_limit(out));
}

void printer_end(struct printer *printer, const struct panthor_perf_quality *quality)
{
	bool pending = quality && !printer->options.single && !printer->options.repeats;

	switch (printer->options.format) {
	case PRINT_JSON:
		limits_end(&printer->limits, &printer->total);
		json_end(printer, quality);
		break;
	case PRINT_CSV:
		if (!quality || !(quality->errors || quality->overflows || quality->lost))
			break;
		fputs("panthor-perf: ", stderr);
		print_quality(printer, stderr, quality);
		break;
	default:
		if (pending && has_limits(printer))
			print_limits(printer);
		if (printer->skewed)
			fprintf(printer->out, "%s\n", SKEW_NOTE);
		if (quality)
			print_quality(printer, printer->out, quality);
		break;
	}
}

void printer_fini(struct printer *printer)
{
	values_fini(&printer->values);
	values_fini(&printer->total);
	limits_fini(&printer->limits);
	free(printer->runs);
	printer->runs = NULL;
}
