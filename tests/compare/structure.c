// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "defects.h"
#include "structure.h"

#define KNOWN_FLAGS	(DRM_PANTHOR_PERF_SAMPLE_OVERFLOW | DRM_PANTHOR_PERF_SAMPLE_ERROR | \
			 DRM_PANTHOR_PERF_SAMPLE_STRETCHED | DRM_PANTHOR_PERF_SAMPLE_FINAL)
/* The driver sets neither event (bit 7) nor state of protected mode: no series has them. */
#define KNOWN_EVENTS	(((DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED << 1) - 1) & ~(1u << 7))
#define KNOWN_STATES	((DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL << 1) - 1)

static void check_info(const struct recording *recording, const struct truth *truth)
{
	const struct drm_panthor_perf_info *info = &recording->info;
	unsigned int shaders = __builtin_popcountll(truth->shader_present);
	unsigned int accelerators = __builtin_popcountll(truth->neural_present);

	check(recording->gpu_id == truth->gpu_id, "GPU_ID 0x%08x, the GPU has 0x%08x",
	      recording->gpu_id, truth->gpu_id);
	check(info->fw_blocks == truth->fw, "%u FW blocks, the GPU has %u", info->fw_blocks,
	      truth->fw);
	check(info->cshw_blocks == 1, "%u CSHW blocks, the GPU has 1", info->cshw_blocks);
	check(info->tiler_blocks == 1, "%u TILER blocks, the GPU has 1", info->tiler_blocks);
	check(info->memsys_blocks == truth->l2_slices, "%u MEMSYS blocks, the GPU has %u",
	      info->memsys_blocks, truth->l2_slices);
	check(info->shader_blocks == shaders, "%u SHADER blocks, the GPU has %u",
	      info->shader_blocks, shaders);
	check(info->neural_blocks == accelerators, "%u NEURAL blocks, the GPU has %u",
	      info->neural_blocks, accelerators);
	check(info->csg_blocks == truth->csg, "%u CSG blocks, the GPU has %u", info->csg_blocks,
	      truth->csg);
	check(!info->gpu_timestamp_frequency ||
	      info->gpu_timestamp_frequency == truth->timestamp_hz,
	      "GPU timestamp frequency %" PRIu64 " Hz, the GPU's is %" PRIu64 " Hz",
	      (uint64_t)info->gpu_timestamp_frequency, truth->timestamp_hz);
	check(info->supported_sets >> recording->counter_set & 1, "set %u is not offered",
	      recording->counter_set);
}

/* How a sample follows on the one before. */
static void check_order(size_t sample, const struct drm_panthor_perf_sample_header *header,
			const struct drm_panthor_perf_sample_header *before, bool several)
{
	if (!before || (several && !header->sample_nr)) {
		check(!header->sample_nr, "sample %zu: sample_nr is %" PRIu64, sample,
		      (uint64_t)header->sample_nr);
		check(!before || header->timestamp_start_ns >= before->timestamp_end_ns,
		      "sample %zu: starts at %" PRIu64 " ns, the last run ended at %" PRIu64 " ns",
		      sample, (uint64_t)header->timestamp_start_ns,
		      before ? (uint64_t)before->timestamp_end_ns : 0);
		return;
	}
	check(header->sample_nr == before->sample_nr + 1, "sample %zu: sample_nr is %" PRIu64,
	      sample, (uint64_t)header->sample_nr);
	check(header->timestamp_start_ns == before->timestamp_end_ns,
	      "sample %zu: starts at %" PRIu64 " ns, the sample before ends at %" PRIu64 " ns",
	      sample, (uint64_t)header->timestamp_start_ns, (uint64_t)before->timestamp_end_ns);
}

/*
 * The last sample of a run has FINAL and no other one has it. Of the last sample in the file, only
 * the calls tell whether it is the last of its run.
 */
static void check_final(const struct recording *recording, size_t sample,
			const struct drm_panthor_perf_sample_header *header, bool several)
{
	bool final = header->flags & DRM_PANTHOR_PERF_SAMPLE_FINAL;
	struct drm_panthor_perf_sample_header next;

	if (sample + 1 < recording->sample_count) {
		recording_header(recording, sample + 1, &next);
		check(final == (several && !next.sample_nr),
		      "sample %zu: FINAL is %s, but a sample of %s run follows", sample,
		      final ? "set" : "not set", final ? "the same" : "another");
	} else if (recording->told) {
		check(final == recording_is_final(recording, sample),
		      "sample %zu: FINAL is %s, but the run has %s sample of STOP", sample,
		      final ? "set" : "not set", final ? "no" : "a");
	}
}

static void check_header(const struct recording *recording, size_t sample,
			 const struct drm_panthor_perf_sample_header *header)
{
	uint32_t clocks = recording->info.supported_clocks;

	check(header->timestamp_start_ns <= header->timestamp_end_ns,
	      "sample %zu: ends %" PRIu64 " ns before its start", sample,
	      (uint64_t)(header->timestamp_start_ns - header->timestamp_end_ns));
	check(header->counter_set == recording->counter_set, "sample %zu: set %u instead of %u",
	      sample, header->counter_set, recording->counter_set);
	check(!header->pad[0] && !header->pad[1] && !header->pad[2], "sample %zu: pad is not 0",
	      sample);
	check(!(header->flags & ~KNOWN_FLAGS), "sample %zu: unknown flags 0x%x", sample,
	      header->flags & ~KNOWN_FLAGS);
	check(!(header->events & ~KNOWN_EVENTS), "sample %zu: unknown events 0x%x", sample,
	      header->events & ~KNOWN_EVENTS);
	check(!(header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR) || header->events,
	      "sample %zu: ERROR without an event that says why", sample);
	check(recording->period_ns || !(header->events & DRM_PANTHOR_PERF_EVENT_LATE),
	      "sample %zu: LATE, but there are no periods", sample);
	check(recording->period_ns || !header->merged,
	      "sample %zu: %u periods merged, but there are "
	      "no periods", sample, header->merged);
	check(clocks & 1 << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL || !header->toplevel_clock_cycles,
	      "sample %zu: top level cycles that are not supported", sample);
	check(clocks & 1 << DRM_PANTHOR_PERF_CLOCK_COREGROUP || !header->coregroup_clock_cycles,
	      "sample %zu: core group cycles that are not supported", sample);
	check(clocks & 1 << DRM_PANTHOR_PERF_CLOCK_SHADER || !header->shader_clock_cycles,
	      "sample %zu: shader cycles that are not supported", sample);
}

/* Accelerators have a clock of their own, all others one of those that samples tell. */
static bool clock_fits(const struct drm_panthor_perf_block_header *block)
{
	if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		return block->clock == DRM_PANTHOR_PERF_CLOCK_NEURAL;
	return block->clock <= DRM_PANTHOR_PERF_CLOCK_SHADER;
}

static void check_blocks(const struct recording *recording, const struct truth *truth,
			 size_t sample)
{
	uint32_t flags = recording->info.flags;
	uint32_t position = 0, rank;
	unsigned int type;

	for (type = 1; type < TYPE_COUNT; type++) {
		for (rank = 0; rank < recording->blocks[type]; rank++, position++) {
			struct drm_panthor_perf_block_header block;

			recording_block(recording, sample, position, &block);
			check(block.type == type && truth_rank(truth, type, block.idx) == rank,
			      "sample %zu: block %u is %s[%u] (type %u), %s[%u] belongs there",
			      sample, position, type_name(block.type), block.idx, block.type,
			      type_name(type), rank);
			check(clock_fits(&block), "sample %zu: block %u has clock %u", sample,
			      position, block.clock);
			check(!block.pad, "sample %zu: the pad of block %u is not 0", sample,
			      position);
			check(!(block.states & ~KNOWN_STATES),
			      "sample %zu: block %u has unknown states 0x%x", sample, position,
			      block.states & ~KNOWN_STATES);
			check(flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT || !block.states,
			      "sample %zu: block %u has states 0x%x, but states are not supported",
			      sample, position, block.states);
		}
	}
}

/* Returns the timestamp that the next sample has to be later than. */
static uint64_t check_end(const struct recording *recording, const struct truth *truth,
			  size_t sample, uint64_t timestamp, uint64_t before)
{
	size_t index;

	if (!timestamp)
		return before;
	check(timestamp > before, "sample %zu: GPU timestamp %" PRIu64
	      " is not later than %" PRIu64 " of the sample before", sample, timestamp, before);
	if (truth_find(truth, timestamp, &index))
		check(truth->samples[index].set == recording->counter_set,
		      "sample %zu: set %u, the GPU counted set %" PRIu64, sample,
		      recording->counter_set, truth->samples[index].set);
	else
		check(false, "sample %zu: the GPU wrote no sample at its timestamp %" PRIu64,
		      sample, timestamp);
	return timestamp;
}

size_t check_structure(const struct recording *recording, const struct truth *truth, bool several,
		       const char *where)
{
	struct drm_panthor_perf_sample_header headers[2];
	uint64_t timestamp = 0;
	size_t sample;

	defects_begin(where);
	check_info(recording, truth);
	for (sample = 0; sample < recording->sample_count; sample++) {
		struct drm_panthor_perf_sample_header *header = &headers[sample % 2];

		recording_header(recording, sample, header);
		check_order(sample, header, sample ? &headers[!(sample % 2)] : NULL, several);
		check_header(recording, sample, header);
		check_final(recording, sample, header, several);
		check_blocks(recording, truth, sample);
		timestamp = check_end(recording, truth, sample, header->gpu_timestamp, timestamp);
	}
	return defects_end();
}
