// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "print.h"

#define LINE_COLUMNS	100
#define VALUES_COLUMN	38
#define NS_PER_MS	UINT64_C(1000000)
#define NS_PER_S	UINT64_C(1000000000)

static void print_bits(FILE *out, const char *title, uint32_t mask,
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

static void print_header(FILE *out, const struct drm_panthor_perf_sample_header *header,
			 const struct print_options *options, uint64_t zero_ns)
{
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	uint64_t at = header->timestamp_end_ns - zero_ns;

	fprintf(out, "sample %" PRIu64 ": ", (uint64_t)header->sample_nr);
	if (options->times)
		fprintf(out, "at %" PRIu64 ".%09" PRIu64 " s, ", at / NS_PER_S, at % NS_PER_S);
	fprintf(out, "%" PRIu64 ".%06" PRIu64 " ms, GPU timestamp %" PRIu64, ns / NS_PER_MS,
		ns % NS_PER_MS, (uint64_t)header->gpu_timestamp);
	print_bits(out, "; flags", header->flags, panthor_perf_flag_name);
	print_bits(out, "; events", header->events, panthor_perf_event_name);
	if (header->merged)
		fprintf(out, "; %u period%s merged", header->merged,
			header->merged == 1 ? "" : "s");
	fputc('\n', out);
}

static void print_clocks(FILE *out, const struct drm_panthor_perf_info *info,
			 const struct panthor_perf_sample *sample)
{
	uint64_t ns = sample->header.timestamp_end_ns - sample->header.timestamp_start_ns;
	const char *separator = " ";
	unsigned int clock;
	uint64_t cycles;

	fputs("  cycles:", out);
	for (clock = 0; panthor_perf_clock_name(clock); clock++) {
		if (!panthor_perf_sample_cycles(info, sample, clock, &cycles))
			continue;
		fprintf(out, "%s%s %" PRIu64, separator, panthor_perf_clock_name(clock), cycles);
		if (ns)
			fprintf(out, " (%.3f MHz)", cycles * 1e3 / ns);
		separator = ", ";
	}
	fputs(*separator == ' ' ? " the driver does not tell them\n" : "\n", out);
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
static void print_states(FILE *out, const struct drm_panthor_perf_info *info,
			 const struct panthor_perf_sample *sample)
{
	struct panthor_perf_block block = { 0 }, first;
	const char *separator = "";
	bool more;

	if (!(info->flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT)) {
		fputs("  states: the driver does not tell them\n", out);
		return;
	}
	fputs("  states: ", out);
	more = panthor_perf_sample_next_block(sample, &block);
	while (more) {
		unsigned int last = block.header.idx;

		first = block;
		while ((more = panthor_perf_sample_next_block(sample, &block)) &&
		       block.header.type == first.header.type &&
		       block.header.states == first.header.states)
			last = block.header.idx;
		fprintf(out, "%s%s", separator, panthor_perf_block_name(first.header.type));
		if (last != first.header.idx)
			fprintf(out, "[%u-%u]", first.header.idx, last);
		else if (panthor_perf_block_count(info, first.header.type) > 1)
			fprintf(out, "[%u]", last);
		print_state_words(out, first.header.states);
		separator = ", ";
	}
	fputc('\n', out);
}

/* One line per block type: how many counters of all its blocks counted, and their sum. */
static void print_types(FILE *out, const struct panthor_perf_sample *sample,
			const struct selection *selection)
{
	unsigned int type;

	fprintf(out, "  %-8s %6s %9s %9s %22s\n", "block", "blocks", "counters", "non-zero",
		"total");
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		unsigned int blocks = 0, counters = 0, nonzero = 0, i;
		struct panthor_perf_block block = { 0 };
		uint64_t total = 0;

		while (panthor_perf_sample_next_block(sample, &block)) {
			if (block.header.type != type)
				continue;
			blocks++;
			for (i = 0; i < block.counter_count; i++) {
				if (!selection_has(selection, type, i))
					continue;
				counters++;
				nonzero += block.counters[i] != 0;
				total += block.counters[i];
			}
		}
		if (counters)
			fprintf(out, "  %-8s %6u %9u %9u %22" PRIu64 "\n",
				panthor_perf_block_name(type), blocks, counters, nonzero, total);
	}
}

static uint64_t sum(const struct panthor_perf_sample *sample, unsigned int type, unsigned int index)
{
	struct panthor_perf_block block = { 0 };
	uint64_t total = 0;

	while (panthor_perf_sample_next_block(sample, &block))
		if (block.header.type == type)
			total += block.counters[index];
	return total;
}

/* Columns that the widest value of a block type's selected counters takes. */
static int value_width(const struct panthor_perf_sample *sample, const struct selection *selection,
		       unsigned int type)
{
	struct panthor_perf_block block = { 0 };
	uint64_t widest = 0;
	unsigned int i;

	while (panthor_perf_sample_next_block(sample, &block))
		for (i = 0; block.header.type == type && i < block.counter_count; i++)
			if (selection_has(selection, type, i) && block.counters[i] > widest)
				widest = block.counters[i];
	return snprintf(NULL, 0, "%" PRIu64, widest);
}

static void print_counter(FILE *out, const struct panthor_perf_sample *sample, unsigned int type,
			  unsigned int index, uint64_t total, int width)
{
	struct panthor_perf_block block = { 0 };
	char name[24];
	int column;

	snprintf(name, sizeof(name), "%s:%u", panthor_perf_block_name(type), index);
	column = fprintf(out, "  %-12s %21" PRIu64 " =", name, total);
	while (panthor_perf_sample_next_block(sample, &block)) {
		if (block.header.type != type)
			continue;
		if (column + 1 + width > LINE_COLUMNS)
			column = fprintf(out, "\n%*s", VALUES_COLUMN, "") - 1;
		column += fprintf(out, " %*" PRIu64, width, block.counters[index]);
	}
	fputc('\n', out);
}

/* Counters that were named are shown in any case, those of a range or a * where they counted. */
static void print_counters(FILE *out, const struct panthor_perf_sample *sample,
			   const struct selection *selection)
{
	unsigned int hidden = 0, type, i;

	fprintf(out, "  %-12s %21s   %s\n", "counter", "total", "per block");
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		int width = value_width(sample, selection, type);

		for (i = 0; i < sample->counters_per_block; i++) {
			uint64_t total;

			if (!selection_has(selection, type, i))
				continue;
			total = sum(sample, type, i);
			if (total || selection_is_named(selection, type, i))
				print_counter(out, sample, type, i, total, width);
			else
				hidden++;
		}
	}
	if (hidden)
		fprintf(out, "  %u more are 0 in every block\n", hidden);
}

static uint64_t sum_of_type(const struct panthor_perf_sample *sample,
			    const struct selection *selection, unsigned int type)
{
	struct panthor_perf_block block = { 0 };
	uint64_t total = 0;
	unsigned int i;

	while (panthor_perf_sample_next_block(sample, &block))
		for (i = 0; block.header.type == type && i < block.counter_count; i++)
			if (selection_has(selection, type, i))
				total += block.counters[i];
	return total;
}

/* A column for each counter or block type: its name, or without a sample its sum. */
static void print_columns(FILE *out, const struct drm_panthor_perf_info *info,
			  const struct panthor_perf_sample *sample,
			  const struct selection *selection, const struct print_options *options,
			  bool title)
{
	unsigned int type, i;
	char name[24];

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		const char *block = panthor_perf_block_name(type);

		if (!panthor_perf_block_count(info, type) || !selection_count(selection, type))
			continue;
		if (!options->each) {
			if (title)
				fprintf(out, " %15s", block);
			else
				fprintf(out, " %15" PRIu64, sum_of_type(sample, selection, type));
			continue;
		}
		for (i = 0; i < sample->counters_per_block; i++) {
			if (!selection_has(selection, type, i))
				continue;
			snprintf(name, sizeof(name), "%s:%u", block, i);
			if (title)
				fprintf(out, " %15s", name);
			else
				fprintf(out, " %15" PRIu64, sum(sample, type, i));
		}
	}
}

static void print_brief(FILE *out, const struct drm_panthor_perf_info *info,
			const struct panthor_perf_sample *sample, const struct selection *selection,
			const struct print_options *options, uint64_t zero_ns)
{
	const struct drm_panthor_perf_sample_header *header = &sample->header;
	uint64_t at = header->timestamp_end_ns - zero_ns;
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	unsigned int clock;
	uint64_t cycles;

	if (!header->sample_nr) {
		fprintf(out, "# %14s %12s %6s", "time/s", "length/ms", "merged");
		print_columns(out, info, sample, selection, options, true);
		for (clock = 0; options->clocks && panthor_perf_clock_name(clock); clock++)
			if (panthor_perf_sample_cycles(info, sample, clock, &cycles))
				fprintf(out, " %15s", panthor_perf_clock_name(clock));
		fputc('\n', out);
	}
	fprintf(out, "%6" PRIu64 ".%09" PRIu64 " %5" PRIu64 ".%06" PRIu64 " %6u", at / NS_PER_S,
		at % NS_PER_S, ns / NS_PER_MS, ns % NS_PER_MS, header->merged);
	print_columns(out, info, sample, selection, options, false);
	for (clock = 0; options->clocks && panthor_perf_clock_name(clock); clock++)
		if (panthor_perf_sample_cycles(info, sample, clock, &cycles))
			fprintf(out, " %15" PRIu64, cycles);
	if (header->flags)
		print_bits(out, "", header->flags, panthor_perf_flag_name);
	if (header->events)
		print_bits(out, "", header->events, panthor_perf_event_name);
	fputc('\n', out);
}

void print_sample(FILE *out, const struct drm_panthor_perf_info *info,
		  const struct panthor_perf_sample *sample, const struct selection *selection,
		  const struct print_options *options, uint64_t zero_ns)
{
	if (options->brief) {
		print_brief(out, info, sample, selection, options, zero_ns);
		if (options->states)
			print_states(out, info, sample);
		return;
	}
	print_header(out, &sample->header, options, zero_ns);
	if (options->clocks)
		print_clocks(out, info, sample);
	if (options->states)
		print_states(out, info, sample);
	if (options->each)
		print_counters(out, sample, selection);
	else
		print_types(out, sample, selection);
}
