// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* A line for each value. */

#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "print.h"
#include "recording/recording_view.h"

#define NS_PER_S	UINT64_C(1000000000)

/* A field, in quotes where it would not be one otherwise. */
static void put(const struct printer *printer, const char *text)
{
	if (!strstr(text, printer->options.separator) && !strpbrk(text, "\"\n")) {
		fputs(text, printer->out);
		return;
	}
	fputc('"', printer->out);
	for (; *text; text++)
		fprintf(printer->out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', printer->out);
}

static void put_names(const struct printer *printer, const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(printer->out, "%s%s", i ? printer->options.separator : "", names[i]);
	fputc('\n', printer->out);
}

void csv_begin(const struct printer *printer)
{
	static const char *const names[] = {
		"sample", "time_s", "length_s", "merged", "flags", "name", "instance", "value",
		"unit",
	};

	put_names(printer, names, ARRAY_SIZE(names));
	if (printer->options.states && !print_has_states(printer))
		fail(0, "the driver does not report the states of blocks");
}

static void put_start(const struct printer *printer)
{
	const struct drm_panthor_perf_sample_header *header = &printer->values.header;
	uint64_t at = header->timestamp_end_ns - printer->zero_ns;
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	const char *separator = printer->options.separator, *bar = "";
	unsigned int bit;

	fprintf(printer->out, "%" PRIu64 "%s%" PRIu64 ".%09" PRIu64 "%s%" PRIu64 ".%09" PRIu64
		"%s%u%s", (uint64_t)header->sample_nr, separator, at / NS_PER_S, at % NS_PER_S,
		separator, ns / NS_PER_S, ns % NS_PER_S, separator, header->merged, separator);
	for (bit = 0; bit < 32; bit++) {
		if (!(header->flags >> bit & 1))
			continue;
		if (panthor_perf_flag_name(bit))
			fprintf(printer->out, "%s%s", bar, panthor_perf_flag_name(bit));
		else
			fprintf(printer->out, "%sbit-%u", bar, bit);
		bar = "|";
	}
	fputs(separator, printer->out);
}

static void put_line(const struct printer *printer, const char *name, const char *instance,
		     const char *value, const char *unit)
{
	put_start(printer);
	put(printer, name);
	fprintf(printer->out, "%s%s%s%s%s", printer->options.separator, instance,
		printer->options.separator, value, printer->options.separator);
	put(printer, unit);
	fputc('\n', printer->out);
}

static void put_value(const struct printer *printer, const struct event *event, int instance)
{
	struct value value = values_get(&printer->values, event, instance);
	char text[40], number[16] = "";

	if (instance != VALUE_SUM)
		snprintf(number, sizeof(number), "%d", instance);
	put_line(printer, event->name, number, value_plain(&value, text, sizeof(text)),
		 event_unit(event));
}

static void put_clocks(const struct printer *printer)
{
	char name[32], text[24];
	unsigned int clock;
	uint64_t cycles;

	for (clock = 0; panthor_perf_clock_name(clock); clock++) {
		if (!panthor_perf_sample_cycles(printer->values.sample,
						clock, &cycles))
			continue;
		snprintf(name, sizeof(name), "clock:%s", panthor_perf_clock_name(clock));
		snprintf(text, sizeof(text), "%" PRIu64, cycles);
		put_line(printer, name, "", text, "cycles");
	}
}

static void put_states(const struct printer *printer)
{
	const struct panthor_perf_block *block = NULL;
	char name[32], number[16], text[128];

	while ((block = panthor_perf_sample_next_block(printer->values.sample, block))) {
		snprintf(name, sizeof(name), "state:%s",
			 panthor_perf_block_name(panthor_perf_block_type(block)));
		snprintf(number, sizeof(number), "%u", panthor_perf_block_number(block));
		bits_text(panthor_perf_block_states(block), panthor_perf_state_name, text,
			  sizeof(text));
		put_line(printer, name, number, text, "");
	}
}

void csv_sample(const struct printer *printer)
{
	int instance, count;
	size_t i;

	if (printer->options.clocks)
		put_clocks(printer);
	if (printer->options.states && print_has_states(printer))
		put_states(printer);
	for (i = 0; i < printer->events->count; i++) {
		const struct event *event = &printer->events->events[i];

		put_value(printer, event, VALUE_SUM);
		if (!printer->options.instances)
			continue;
		count = event_block_count(event, printer->view);
		for (instance = 0; instance < count; instance++)
			put_value(printer, event, instance);
	}
}

static void put_run(const struct printer *printer, const char *name, const char *unit,
		    const struct run_value *run)
{
	double numbers[] = { run->mean, run_deviation(run), run->min, run->max };
	char text[32];
	size_t i;

	put(printer, name);
	fprintf(printer->out, "%s%" PRIu64, printer->options.separator, run->count);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		fputs(printer->options.separator, printer->out);
		if (run->count)
			fputs(number_plain(numbers[i], text, sizeof(text)), printer->out);
	}
	fputs(printer->options.separator, printer->out);
	put(printer, unit);
	fputc('\n', printer->out);
}

void csv_runs(const struct printer *printer)
{
	static const char *const names[] = {
		"name", "runs", "mean", "deviation", "min", "max", "unit",
	};
	size_t i;

	put_names(printer, names, ARRAY_SIZE(names));
	for (i = 0; i < printer->events->count; i++)
		put_run(printer, printer->events->events[i].name,
			event_unit(&printer->events->events[i]), &printer->runs[i]);
	put_run(printer, "length", "seconds", &printer->runs[i]);
}
