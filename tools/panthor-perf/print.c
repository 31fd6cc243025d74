// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "print.h"

#define LINE_COLUMNS	100
#define VALUES_COLUMN	38

static const char *const flag_names[] = { "OVERFLOW", "ERROR", "STRETCHED" };

static const char *const event_names[] = {
	"ring-full", "bad-extract", "late", "fw-overflow", "fw-timeout", "reset", "suspend",
	"protected", "core-off-lost", "fw-error", "fw-error",
};

static void print_bits(FILE *out, const char *title, uint32_t mask, const char *const *names,
		       unsigned int count)
{
	unsigned int bit;

	fprintf(out, "%s", title);
	if (!mask)
		fputs(" none", out);
	for (bit = 0; bit < 32; bit++) {
		if (!(mask & (1u << bit)))
			continue;
		if (bit < count)
			fprintf(out, " %s", names[bit]);
		else
			fprintf(out, " bit-%u", bit);
	}
}

static void print_header(FILE *out, const struct drm_panthor_perf_info *info,
			 const struct drm_panthor_perf_sample_header *header)
{
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;

	fprintf(out, "sample %" PRIu64 ": %" PRIu64 ".%06" PRIu64 " ms, GPU timestamp %" PRIu64,
		(uint64_t)header->sample_nr, ns / 1000000, ns % 1000000,
		(uint64_t)header->gpu_timestamp);
	print_bits(out, "; flags", header->flags, flag_names,
		   ARRAY_SIZE(flag_names));
	print_bits(out, "; events", header->events, event_names,
		   ARRAY_SIZE(event_names));
	if (header->merged)
		fprintf(out, "; %u periods merged", header->merged);
	fputc('\n', out);

	if (!info->supported_clocks)
		return;
	fputs("  cycles:", out);
	if (info->supported_clocks & 1 << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL)
		fprintf(out, " toplevel %" PRIu64, (uint64_t)header->toplevel_clock_cycles);
	if (info->supported_clocks & 1 << DRM_PANTHOR_PERF_CLOCK_COREGROUP)
		fprintf(out, " coregroup %" PRIu64, (uint64_t)header->coregroup_clock_cycles);
	if (info->supported_clocks & 1 << DRM_PANTHOR_PERF_CLOCK_SHADER)
		fprintf(out, " shader %" PRIu64, (uint64_t)header->shader_clock_cycles);
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

void print_sample(FILE *out, const struct drm_panthor_perf_info *info,
		  const struct panthor_perf_sample *sample, const struct selection *selection,
		  bool each)
{
	print_header(out, info, &sample->header);
	if (each)
		print_counters(out, sample, selection);
	else
		print_types(out, sample, selection);
}
