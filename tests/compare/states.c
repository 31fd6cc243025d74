// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "defects.h"
#include "states.h"

/*
 * A block that the GPU wrote was on. A shader core or an accelerator that it did not write was off;
 * so were all blocks while counters were off, which is where one enable ends and the next begins.
 */

#define ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define AVAILABLE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define UNAVAILABLE	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE
#define NORMAL		DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL

static bool is_written(const struct truth *truth, const struct truth_sample *sample,
		       unsigned int type, unsigned int idx)
{
	size_t i;

	for (i = sample->first_block; i < sample->first_block + sample->block_count; i++)
		if (truth->blocks[i].type == type && truth->blocks[i].idx == idx)
			return true;
	return false;
}

static bool is_break(const struct truth *truth, size_t before)
{
	return before + 1 >= truth->sample_count ||
	       truth->samples[before].enable != truth->samples[before + 1].enable;
}

/* The states of a block in the GPU's samples behind start up to end, and those that may be. */
static uint32_t states_of(const struct truth *truth, size_t start, size_t end, unsigned int type,
			  unsigned int idx, uint32_t *maybe)
{
	uint32_t states = AVAILABLE;
	size_t i;

	*maybe = 0;
	if (start == end)
		return states;
	for (i = start + 1; i <= end; i++) {
		states |= NORMAL;
		if ((type != DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER &&
		     type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL) ||
		    is_written(truth, &truth->samples[i], type, idx))
			states |= ON;
		else
			states |= OFF;
		if (i < end && is_break(truth, i))
			states |= OFF;
	}
	/* Right at an end of the sample it may belong to this one or to its neighbour. */
	if (is_break(truth, start) || is_break(truth, end))
		*maybe = OFF;
	return states;
}

static void check_sample(const struct match *match, size_t sample)
{
	const struct recording *recording = match->recording;
	size_t start = match->starts[sample], end = match->ends[sample];
	uint32_t position;

	for (position = 0; position < recording->block_count; position++) {
		struct drm_panthor_perf_block_header block;
		uint32_t want = UNAVAILABLE, maybe = 0;

		recording_block(recording, sample, position, &block);
		if (set_has(recording->counter_set, block.type))
			want = states_of(match->truth, start, end, block.type, block.idx, &maybe);
		/* Without a sample of the GPU, counters may have gone off all the same. */
		if (start == end)
			maybe |= OFF;
		/*
		 * One whose start is a guess may have begun earlier, where few counters were asked
		 * for and none of them counted meanwhile.
		 */
		if (match->guessed[sample] && (match->timed || recording->gpu_time_count))
			maybe |= ON | OFF;
		check((block.states | maybe) == (want | maybe),
		      "sample %zu: %s[%u] has states 0x%x instead of 0x%x", sample,
		      type_name(block.type), block.idx, block.states, want);
	}
}

size_t check_states(const struct match *match, const char *where)
{
	const struct recording *recording = match->recording;
	size_t sample;

	if (!(recording->info.flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT))
		return 0;
	defects_begin(where);
	for (sample = 0; sample < recording->sample_count; sample++) {
		struct drm_panthor_perf_sample_header header;

		recording_header(recording, sample, &header);
		/* What came with an incident, and when, only the driver knows. */
		if (header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR ||
		    match->starts[sample] == NO_SAMPLE || match->ends[sample] == NO_SAMPLE ||
		    match->ends[sample] < match->starts[sample])
			continue;
		check_sample(match, sample);
	}
	return defects_end();
}
