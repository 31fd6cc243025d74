/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Samples against what the virtual GPU itself wrote: whoever runs the machine sums that up, from
 * its log. Layout and values of a sample are derived here from the documentation of the interface.
 */
#ifndef PANTHOR_PERF_TRUTH_H
#define PANTHOR_PERF_TRUTH_H

#include "panthor_perf.h"

#define HEADER_COUNTERS	4
#define MAX_COUNTERS	256

/* Did SETUP request a counter? */
static inline bool perf_is_asked(const struct perf_session *s, uint8_t type, uint32_t counter)
{
	for (uint32_t i = 0; i < s->setup.sections.count; i++)
		if (s->sections[i].block_type == type && counter >= s->sections[i].first_counter &&
		    counter - s->sections[i].first_counter < 64 &&
		    s->sections[i].mask >> (counter - s->sections[i].first_counter) & 1)
			return true;
	return false;
}

/* How many counters of a block of this type SETUP requested. */
static inline uint32_t perf_asked(const struct perf_session *s, uint8_t type)
{
	uint32_t count = 0;

	for (uint32_t c = HEADER_COUNTERS; c < s->info.counters_per_block; c++)
		count += perf_is_asked(s, type, c);
	return count;
}

/* Index of the hardware for an instance: shader cores are numbered with holes, as accelerators. */
static inline unsigned int perf_hardware_index(int fd, uint8_t type, unsigned int idx)
{
	struct drm_panthor_gpu_info gpu = { 0 };
	unsigned int rank = 0;

	if (!perf_is_of_core(type))
		return idx;
	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &gpu, sizeof(gpu)), 0);
	for (unsigned int bit = 0; bit < 64; bit++)
		if (gpu.shader_present >> bit & 1 && rank++ == idx)
			return bit;
	igt_assert_f(false, "core %u is not present\n", idx);
	return 0;
}

/* The cores with an accelerator, as the GPU says. */
static inline uint64_t perf_neural_present(void)
{
	static const char key[] = " neural_present=";
	char reply[512];
	const char *mask;

	perf_ask("truth-last ^gpu ", reply, sizeof(reply));
	mask = strstr(reply, key);
	igt_assert_f(mask, "no mask of accelerators in '%s'\n", reply);
	return strtoull(mask + strlen(key), NULL, 0);
}

/* One block; the one behind it is returned. */
static inline const void *perf_expect_block(const struct perf_session *s, uint64_t since,
					    const struct drm_panthor_perf_sample_header *sample,
					    const struct drm_panthor_perf_block_header *block)
{
	static const char *const names[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = "FW",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = "CSHW",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = "TILER",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = "MEMSYS",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = "SHADER",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = "NEURAL",
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = "CSG",
	};
	bool compact = s->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT;
	char request[128], reply[24 * MAX_COUNTERS], *pos = reply;
	const uint64_t *counters = perf_counters(s, block);

	snprintf(request, sizeof(request), "truth-sum %" PRIu64 " %" PRIu64 " %s %u", since,
		 (uint64_t)sample->gpu_timestamp, names[block->type],
		 perf_hardware_index(s->fd, block->type, block->idx));
	perf_ask(request, reply, sizeof(reply));
	for (uint32_t c = 0; c < s->info.counters_per_block; c++) {
		uint64_t truth = c < HEADER_COUNTERS ? 0 : strtoull(pos, &pos, 0);
		bool asked = perf_is_asked(s, block->type, c);

		if (compact && !asked)
			continue;
		if (!asked)
			truth = 0;
		igt_assert_f(*counters == truth, "sample %" PRIu64 ", %s %u, counter %u: %" PRIu64
			     " is %" PRIu64 " in '%s'\n", (uint64_t)sample->sample_nr,
			     names[block->type], block->idx, c, *counters, truth, reply);
		counters++;
	}
	return counters;
}

/* The whole sample, against what was written since then. */
static inline void perf_expect_truth(const struct perf_session *s, uint64_t since,
				     const struct drm_panthor_perf_sample_header *sample)
{
	const void *pos = (const char *)sample + s->info.sample_header_size;
	uint64_t neural = 0;

	perf_assert_exact(sample);
	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		if (s->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT && !perf_asked(s, type))
			continue;
		for (uint32_t nr = 0, next = 0; nr < perf_blocks_of(&s->info, type); nr++) {
			const struct drm_panthor_perf_block_header *block = pos;

			igt_assert_eq_u32(block->type, type);
			next = perf_assert_idx(&s->info, type, block->idx, next);
			if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
				neural |= 1ull << perf_hardware_index(s->fd, type, block->idx);
			pos = perf_expect_block(s, since, sample, block);
		}
		if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
			igt_assert_eq_u64(neural, perf_neural_present());
	}
	igt_assert_eq_u64((const char *)pos - (const char *)sample, s->setup.sample_size);
}

#endif
