// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* What the formats have in common. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "print.h"

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

int printer_init(struct printer *printer)
{
	int ret = values_init(&printer->values, printer->view);

	if (ret)
		return ret;
	if (printer->options.format == PRINT_CSV && !printer->options.repeats)
		csv_begin(printer);
	if (printer->options.format == PRINT_JSON)
		json_begin(printer);
	return 0;
}

int print_sample(struct printer *printer, const struct panthor_perf_sample *sample)
{
	int ret = values_set(&printer->values, sample);

	if (ret)
		return ret;
	if (!printer->printed)
		printer->zero_ns = sample->header.timestamp_start_ns;
	switch (printer->options.format) {
	case PRINT_TABLE:
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
	return 0;
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
	int ret = values_set(&printer->values, sample);
	uint64_t ns;
	size_t i;

	if (ret)
		return ret;
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
	ns = sample->header.timestamp_end_ns - sample->header.timestamp_start_ns;
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
		table_runs(printer);
		break;
	}
}

static void print_ledger(const struct printer *printer, FILE *out,
			 const struct panthor_perf_ledger *ledger)
{
	fprintf(out, "%" PRIu64 " sample%s, %" PRIu64 " with ERROR, %" PRIu64 " with OVERFLOW",
		ledger->samples, ledger->samples == 1 ? "" : "s", ledger->errors,
		ledger->overflows);
	if (printer->options.periods)
		fprintf(out, ", %" PRIu64 " period%s merged, %" PRIu64 " late", ledger->merged,
			ledger->merged == 1 ? "" : "s", ledger->late);
	if (ledger->lost)
		fprintf(out, ", %" PRIu64 " LOST", ledger->lost);
	else
		fputs(", none lost", out);
	if (ledger->events)
		print_bits(out, "; events", ledger->events, panthor_perf_event_name);
	fputc('\n', out);
}

void printer_end(struct printer *printer, const struct panthor_perf_ledger *ledger)
{
	switch (printer->options.format) {
	case PRINT_JSON:
		json_end(printer, ledger);
		break;
	case PRINT_CSV:
		if (!ledger || !(ledger->errors || ledger->overflows || ledger->lost))
			break;
		fputs("panthor-perf: ", stderr);
		print_ledger(printer, stderr, ledger);
		break;
	default:
		if (ledger)
			print_ledger(printer, printer->out, ledger);
		break;
	}
}

void printer_fini(struct printer *printer)
{
	values_fini(&printer->values);
	free(printer->runs);
	printer->runs = NULL;
}
