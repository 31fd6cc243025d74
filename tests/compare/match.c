// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "match.h"

/* Where the blocks of a type begin in an array of a sample's blocks. */
static uint32_t first_of(const struct recording *recording, unsigned int type)
{
	uint32_t first = 0;

	while (--type)
		first += recording->blocks[type];
	return first;
}

static bool is_error(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	return header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR;
}

static uint64_t timestamp_of(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	return header.gpu_timestamp;
}

/* The GPU's sample after which a sample counts. */
static size_t start_of(const struct match *match, size_t sample)
{
	while (sample-- > 0)
		if (timestamp_of(match, sample))
			return match->ends[sample];
	return match->zero;
}

/* Adds up what the GPU wrote for a sample, by block and counter, filtered by what was asked for. */
static void expect(const struct match *match, size_t start, size_t end, uint64_t *sums)
{
	const struct recording *recording = match->recording;
	uint32_t counters = recording->info.counters_per_block;
	const struct truth *truth = match->truth;
	size_t i, j;

	memset(sums, 0, (size_t)recording->block_count * counters * sizeof(*sums));
	for (i = start + 1; i <= end; i++) {
		const struct truth_sample *sample = &truth->samples[i];

		for (j = sample->first_block; j < sample->first_block + sample->block_count; j++) {
			const struct truth_block *block = &truth->blocks[j];
			uint32_t position = first_of(recording, block->type) + block->idx;
			uint32_t counter;

			if (block->idx >= recording->blocks[block->type])
				continue;
			for (counter = HEADER_COUNTERS; counter < counters; counter++)
				if (recording->enabled[block->type][counter])
					sums[(size_t)position * counters + counter] +=
						(uint64_t)block->values[counter - HEADER_COUNTERS] +
						(match->skew.block == j &&
						 match->skew.counter == counter);
		}
	}
}

static void compare_block(struct match *match, size_t sample, uint32_t position,
			  const struct drm_panthor_perf_block_header *block, const uint64_t *sums)
{
	const struct recording *recording = match->recording;
	uint32_t counters = recording->info.counters_per_block;
	uint32_t home = first_of(recording, block->type) + block->idx;
	uint32_t counter;

	for (counter = 0; counter < counters; counter++) {
		struct difference difference = {
			.cell = { sample, block->type, block->idx, counter },
			.expected = sums[(size_t)home * counters + counter],
			.got = recording_counter(recording, sample, position, counter),
		};

		if (recording->enabled[block->type][counter])
			match->compared++;
		else
			match->zeroes++;
		if (difference.expected == difference.got)
			continue;
		match->differ++;
		if (match->report)
			match->report(&difference, match->data);
	}
}

static void compare_sample(struct match *match, size_t sample, uint64_t *sums)
{
	const struct recording *recording = match->recording;
	size_t start = start_of(match, sample);
	size_t end = match->ends[sample];
	uint32_t position;

	if (is_error(match, sample)) {
		match->errors++;
		return;
	}
	if (!timestamp_of(match, sample))
		start = end = 0;
	if (start == NO_SAMPLE || end == NO_SAMPLE || end < start) {
		match->lost++;
		return;
	}
	expect(match, start, end, sums);

	/* A block whose header names none of the GPU's is a defect that is told elsewhere. */
	for (position = 0; position < recording->block_count; position++) {
		struct drm_panthor_perf_block_header block;

		recording_block(recording, sample, position, &block);
		if (block.type && block.type < TYPE_COUNT &&
		    block.idx < recording->blocks[block.type])
			compare_block(match, sample, position, &block, sums);
	}
}

static uint64_t *alloc_sums(const struct match *match)
{
	size_t count = (size_t)match->recording->block_count *
		       match->recording->info.counters_per_block;

	return calloc(count ? count : 1, sizeof(uint64_t));
}

static void reset_counts(struct match *match)
{
	match->compared = 0;
	match->zeroes = 0;
	match->differ = 0;
	match->errors = 0;
	match->lost = 0;
}

/*
 * The zero is the end of a sample that the host asked for, of the same enable as the first
 * sample that the session got. Other sessions ask for samples too: take the latest that fits.
 */
static bool find_zero(struct match *match, size_t sample)
{
	const struct truth_sample *samples = match->truth->samples;
	size_t end = match->ends[sample];
	uint64_t *sums = alloc_sums(match);
	size_t nearest = NO_SAMPLE;
	size_t i;

	if (!sums)
		return false;
	for (i = end; i-- > 0 && samples[i].enable == samples[end].enable; ) {
		if (!samples[i].manual)
			continue;
		if (nearest == NO_SAMPLE)
			nearest = i;
		match->zero = i;
		reset_counts(match);
		compare_sample(match, sample, sums);
		if (!match->differ) {
			match->zero_fits = true;
			break;
		}
	}
	if (!match->zero_fits)
		match->zero = nearest;
	free(sums);
	return true;
}

bool match_init(struct match *match)
{
	const struct recording *recording = match->recording;
	size_t first = NO_SAMPLE;
	size_t sample;

	match->zero = NO_SAMPLE;
	match->zero_fits = false;
	match->skew.block = NO_SAMPLE;
	match->ends = calloc(recording->sample_count + 1, sizeof(*match->ends));
	if (!match->ends)
		return false;
	for (sample = 0; sample < recording->sample_count; sample++) {
		uint64_t timestamp = timestamp_of(match, sample);

		if (!timestamp || !truth_find(match->truth, timestamp, &match->ends[sample]))
			match->ends[sample] = NO_SAMPLE;
		if (timestamp && first == NO_SAMPLE)
			first = sample;
	}
	if (first == NO_SAMPLE || match->ends[first] == NO_SAMPLE || is_error(match, first))
		return true;
	return find_zero(match, first);
}

void match_free(struct match *match)
{
	free(match->ends);
}

bool match_run(struct match *match)
{
	uint64_t *sums = alloc_sums(match);
	size_t sample;

	if (!sums)
		return false;
	reset_counts(match);
	for (sample = 0; sample < match->recording->sample_count; sample++)
		compare_sample(match, sample, sums);
	free(sums);
	return true;
}

/* A counter in the middle of those that were asked for of a block, 0 if there is none. */
static unsigned int middle_counter(const struct recording *recording, unsigned int type)
{
	unsigned int counter, left = 0;

	for (counter = 0; counter < recording->info.counters_per_block; counter++)
		left += recording->enabled[type][counter];
	if (!left)
		return 0;
	left = left / 2 + 1;
	for (counter = 0; left; counter++)
		left -= recording->enabled[type][counter];
	return counter - 1;
}

bool match_pick(const struct match *match, struct skew *skew, struct cell *cell)
{
	const struct recording *recording = match->recording;
	const struct truth *truth = match->truth;
	size_t count = recording->sample_count;
	size_t n, i, j;

	for (n = 0; n < count; n++) {
		size_t sample = (count / 2 + n) % count;
		size_t start = start_of(match, sample);
		size_t end = match->ends[sample];

		if (start == NO_SAMPLE || end == NO_SAMPLE || is_error(match, sample))
			continue;
		for (i = end; i > start; i--) {
			const struct truth_sample *from = &truth->samples[i];

			for (j = from->first_block + from->block_count; j-- > from->first_block; ) {
				const struct truth_block *block = &truth->blocks[j];

				if (block->idx >= recording->blocks[block->type])
					continue;
				skew->block = j;
				skew->counter = middle_counter(recording, block->type);
				cell->sample = sample;
				cell->type = block->type;
				cell->idx = block->idx;
				cell->counter = skew->counter;
				if (skew->counter)
					return true;
			}
		}
	}
	return false;
}
