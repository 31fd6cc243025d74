/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the programs with steps share: what a step costs the GPU, and a manual session that takes a sample
 * behind each, into a raw sample file.
 */
#ifndef MESA_TEST_STEPS_H
#define MESA_TEST_STEPS_H

#include "raw.h"

#define SLOTS		8
#define TARGET_SIZE	256
#define TILE		16
#define TILES		((TARGET_SIZE / TILE) * (TARGET_SIZE / TILE))
#define WARP		16
#define GROUP		64
#define GROUPS		4096
#define MANY		50
#define ANY		UINT64_MAX
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct cost - what a step costs the GPU
 *
 * %ANY: that is up to the driver.
 */
struct cost {
	/** @compute: Compute jobs. */
	uint64_t compute;

	/** @warps: Warps of these. */
	uint64_t warps;

	/** @tiler: Vertex and tiler jobs. */
	uint64_t tiler;

	/** @triangles: Triangles of these. */
	uint64_t triangles;

	/** @fragment: Fragment jobs. */
	uint64_t fragment;

	/** @tiles: Tiles of these. */
	uint64_t tiles;
};

/* Where the counters of a cost are, up to architecture 12 and from 13 on. */
static const struct {
	const char *name;
	uint8_t block;
	uint8_t word[2];
} counters[] = {
	{ "compute jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 25, 33 } },
	{ "warps", DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, { 24, 24 } },
	{ "tiler jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 17, 65 } },
	{ "triangles", DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, { 6, 6 } },
	{ "fragment jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 33, 49 } },
	{ "tiles", DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, { 18, 18 } },
};

_Static_assert(sizeof(struct cost) == COUNT(counters) * sizeof(uint64_t), "the counters of a cost");

/**
 * struct step - what a step costs
 */
struct step {
	/** @name: Name. */
	const char *name;

	/** @cost: Cost. */
	struct cost cost;
};

#define WARPS(groups)	((groups) * GROUP / WARP)

/* ---- What the GPU counted ---- */

/* The sum of a counter over the blocks of a type. */
static inline uint64_t sum_of(const void *sample, const struct drm_panthor_perf_info *info, uint8_t type,
		       uint8_t word)
{
	const char *at = (const char *)sample + info->sample_header_size;
	const size_t size = info->block_header_size + 8 * info->counters_per_block;
	uint64_t sum = 0;

	for (; at + size <= (const char *)sample + info->sample_size; at += size) {
		const struct drm_panthor_perf_block_header *block = (const void *)at;
		const uint64_t *values = (const void *)(at + info->block_header_size);

		if (block->type == type)
			sum += values[word];
	}
	return sum;
}

static inline void check_cost(const struct step *step, const void *sample,
		       const struct drm_panthor_perf_info *info, bool new_words)
{
	const uint64_t *cost = (const uint64_t *)&step->cost;
	char text[256] = "";
	bool right = true;

	for (size_t i = 0; i < COUNT(counters); i++) {
		uint64_t got = sum_of(sample, info, counters[i].block, counters[i].word[new_words]);
		size_t length = strlen(text);

		if (cost[i] != ANY && cost[i] != got) {
			right = false;
			snprintf(text + length, sizeof(text) - length, ", %llu %s instead of %llu",
				 (unsigned long long)got, counters[i].name,
				 (unsigned long long)cost[i]);
		} else if (got) {
			snprintf(text + length, sizeof(text) - length, ", %llu %s",
				 (unsigned long long)got, counters[i].name);
		}
	}
	check(right, "step %s: %s", step->name, *text ? text + 2 : "no jobs");
}

/* The counters beside the steps, if there is a file for them. */
static struct {
	struct session session;
	struct drm_panthor_perf_info info;
	struct raw_file raw;
	uint64_t nr;
	bool new_words;
} perf;

static inline void perf_start(const char *path)
{
	struct raw_call call = { 0 };
	int gpu = open_gpu();

	perf.info = perf_info(gpu);
	perf.new_words = gpu_info(gpu).gpu_id >> 28 >= 13;
	session_prepare(&perf.session, gpu, SLOTS);
	check_errno("SETUP", session_setup(&perf.session), 0);
	call.before = clocks_now();
	check_errno("START", session_start(&perf.session, 0), 0);
	call.after = clocks_now();
	raw_open(&perf.raw, path, &perf.session);
	raw_call(&perf.raw, RAW_START, &call);
}

static inline const void *next_sample(void)
{
	if (!session_wait(&perf.session, perf.nr + 1, WAIT_MS))
		die("a sample");
	raw_sample(&perf.raw, session_slot(&perf.session, perf.nr));
	session_consume(&perf.session, perf.nr + 1);
	return session_slot(&perf.session, perf.nr++);
}

/* A sample behind a step. Returns its time stamp. */
static inline uint64_t perf_step(const struct step *step)
{
	const struct drm_panthor_perf_sample_header *sample;

	check_errno("SAMPLE", session_sample(&perf.session, perf.nr), 0);
	sample = next_sample();
	check_cost(step, sample, &perf.info, perf.new_words);
	return sample->gpu_timestamp;
}

static inline void perf_stop(void)
{
	struct raw_call call = { .before = clocks_now() };

	check_errno("STOP", session_stop(&perf.session, 0), 0);
	call.after = clocks_now();
	next_sample();
	raw_call(&perf.raw, RAW_STOP, &call);
	raw_close(&perf.raw);
	check_errno("TEARDOWN", session_teardown(&perf.session), 0);
	session_release(&perf.session);
}

#endif
