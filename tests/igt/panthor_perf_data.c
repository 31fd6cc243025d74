// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: What samples hold
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: data
 */
#include "panthor_perf_truth.h"

IGT_TEST_DESCRIPTION("The blocks of a sample, the masks of counters, and the counts");

#define PERIOD_NS	(40 * NS_PER_MS)

static const struct {
	uint8_t type;
	const char *name;
} types[] = {
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_FW, "fw" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, "cshw" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, "tiler" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, "memsys" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, "shader" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, "neural" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, "csg" },
};

static void test_blocks(int fd)
{
	uint32_t count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = { 0 };
	const struct drm_panthor_perf_sample_header *sample;
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;
	uint32_t next[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = { 0 };
	uint8_t last = 0;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	sample = perf_take(&s, 1);
	perf_for_each_block(block, &s, sample) {
		igt_assert_lt_u32(0, block->type);
		igt_assert_lt_u32(block->type, DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT);
		igt_assert_lte_u32(last, block->type);
		next[block->type] = perf_assert_idx(&s.info, block->type, block->idx,
						    next[block->type]);
		count[block->type]++;
		last = block->type;
	}
	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		igt_assert_eq_u32(count[type], perf_blocks_of(&s.info, type));
	perf_close(&s);
}

/* The next clock domain that the board has a clock for. */
static uint8_t clock_of(const struct drm_panthor_perf_info *info, uint8_t type)
{
	bool coregroup = info->supported_clocks & 1u << DRM_PANTHOR_PERF_CLOCK_COREGROUP;
	bool shader = info->supported_clocks & 1u << DRM_PANTHOR_PERF_CLOCK_SHADER;

	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		return DRM_PANTHOR_PERF_CLOCK_NEURAL;
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER && shader)
		return DRM_PANTHOR_PERF_CLOCK_SHADER;
	if ((type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER ||
	     type == DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS) && coregroup)
		return DRM_PANTHOR_PERF_CLOCK_COREGROUP;
	return DRM_PANTHOR_PERF_CLOCK_TOPLEVEL;
}

static void test_block_headers(int fd)
{
	const uint32_t known = DRM_PANTHOR_PERF_BLOCK_STATE_ON | DRM_PANTHOR_PERF_BLOCK_STATE_OFF |
			       DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE |
			       DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE |
			       DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL;
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 5; i++) {
		perf_for_each_block(block, &s, perf_take(&s, i)) {
			igt_assert_eq(block->clock, clock_of(&s.info, block->type));
			igt_assert_eq_u32(block->states & ~known, 0);
			igt_assert_eq(block->pad, 0);
			if (!(s.info.flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT))
				continue;
			/* One of the two; only cores and accelerators can be withheld or off. */
			igt_assert_eq(!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE),
				      !!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE));
			if (!perf_is_of_core(block->type)) {
				igt_assert(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE);
				igt_assert(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_ON);
				igt_assert(!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_OFF));
			}
			igt_assert(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL);
		}
	}
	perf_close(&s);
}

/* A core counts only while it is on. */
static void test_off_cores(int fd)
{
	const struct drm_panthor_perf_block_header *block;
	unsigned int off = 0;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_require_f(s.info.flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT, "no block states\n");
	igt_assert_eq(perf_start(&s, 0), 0);
	/* Few cores are off for all the time of a sample. */
	for (int i = 0; i < 30 || (i < 1000 && !off); i++) {
		perf_for_each_block(block, &s, perf_take(&s, i)) {
			const uint64_t *counters = perf_counters(&s, block);

			if (block->states & DRM_PANTHOR_PERF_BLOCK_STATE_ON)
				continue;
			off++;
			for (uint32_t c = 0; c < s.info.counters_per_block; c++)
				igt_assert_eq_u64(counters[c], 0);
		}
	}
	perf_close(&s);
	igt_require_f(off, "no core was off\n");
}

/* The hardware's own block header is never shown. */
static void test_header_counters(int fd)
{
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 10; i++)
		perf_for_each_block(block, &s, perf_take(&s, i))
			for (int c = 0; c < HEADER_COUNTERS; c++)
				igt_assert_eq_u64(perf_counters(&s, block)[c], 0);
	perf_close(&s);
}

static bool enabled(const struct perf_session *s, uint8_t type, uint32_t counter)
{
	for (uint32_t i = 0; i < s->setup.sections.count; i++) {
		const struct drm_panthor_perf_section *section = &s->sections[i];

		if (section->block_type == type && counter >= section->first_counter &&
		    counter < section->first_counter + 64u &&
		    section->mask >> (counter - section->first_counter) & 1)
			return true;
	}
	return false;
}

/* A sample with all counters, and one of the same time with some: equal where enabled, else 0. */
static void expect_filtered(const struct perf_session *all, const void *all_sample,
			    const struct perf_session *some, const void *some_sample)
{
	const struct drm_panthor_perf_block_header *a, *b;

	for (unsigned int place = 0; (a = perf_block_at(all, all_sample, place)); place++) {
		b = perf_block_at(some, some_sample, place);
		igt_assert(b);
		igt_assert_eq(a->type, b->type);
		igt_assert_eq(a->idx, b->idx);
		for (uint32_t c = 0; c < all->info.counters_per_block; c++)
			igt_assert_eq_u64(perf_counters(some, b)[c],
					  enabled(some, b->type, c) ?
					  perf_counters(all, a)[c] : 0);
	}
}

/* Sessions of one period have samples of the same time: those can be compared. */
static void expect_same(struct perf_session *all, struct perf_session *some)
{
	unsigned int compared = 0;
	bool counted = false;

	igt_assert_eq(perf_start(all, 0), 0);
	igt_assert_eq(perf_start(some, 0), 0);
	perf_wait(all, 8);
	igt_assert_eq(perf_stop(all, 0), 0);
	igt_assert_eq(perf_stop(some, 0), 0);
	perf_wait(some, 2);
	perf_sleep_ms(200);
	for (uint64_t i = 1; i < perf_insert(all); i++) {
		for (uint64_t j = 1; j < perf_insert(some); j++) {
			if (perf_slot(all, i)->gpu_timestamp != perf_slot(some, j)->gpu_timestamp ||
			    perf_slot(all, i - 1)->gpu_timestamp !=
			    perf_slot(some, j - 1)->gpu_timestamp)
				continue;
			perf_assert_exact(perf_slot(all, i));
			perf_assert_exact(perf_slot(some, j));
			expect_filtered(all, perf_slot(all, i), some, perf_slot(some, j));
			counted |= perf_counts(some, perf_slot(some, j));
			compared++;
		}
	}
	igt_assert_lt(2, compared);
	igt_assert(counted || !some->setup.sections.count);
}

static void test_mask(int fd, void (*select)(struct perf_session *s, uint8_t type), uint8_t type)
{
	struct perf_session all, some;

	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	perf_open(&all, fd, 64, PERIOD_NS);
	perf_prepare(&some, fd, 64, PERIOD_NS);
	some.setup.sections.count = 0;
	select(&some, type);
	igt_assert_eq(perf_setup(&some), 0);
	expect_same(&all, &some);
	perf_close(&some);
	perf_close(&all);
}

static void select_type(struct perf_session *s, uint8_t type)
{
	igt_require_f(perf_blocks_of(&s->info, type), "the GPU has no block of this type\n");
	perf_enable(s, type);
}

static void select_all(struct perf_session *s, uint8_t type)
{
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		if (perf_blocks_of(&s->info, type))
			perf_enable(s, type);
}

static void select_single(struct perf_session *s, uint8_t type)
{
	s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
		.mask = 1ull << 17,
	};
}

static void select_last(struct perf_session *s, uint8_t type)
{
	uint32_t last = s->info.counters_per_block - 1;

	s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
		.first_counter = last / 64 * 64,
		.mask = 1ull << last % 64,
	};
}

/* Masks of one type in several sections, that overlap: together they are what counts. */
static void select_overlapping(struct perf_session *s, uint8_t type)
{
	static const uint64_t masks[] = { 0x00ff00f0, 0x0ff00ff0, 1ull << 63, 0x00ff00f0, 0 };

	for (unsigned int i = 0; i < ARRAY_SIZE(masks); i++)
		s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
			.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
			.mask = masks[i],
		};
}

static void select_random(struct perf_session *s, uint8_t type)
{
	uint64_t x = 88172645463325252ull;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (perf_blocks_of(&s->info, type))
			s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
				.block_type = type,
				.mask = x & ~0xfull,
			};
	}
}

/* What was started later and stopped earlier has counted no more. */
static void test_nested(int fd)
{
	const struct drm_panthor_perf_block_header *a, *b;
	struct perf_session outer, inner;

	perf_open(&outer, fd, PERF_SLOTS, 0);
	perf_open(&inner, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&outer, 0), 0);
	igt_assert_eq(perf_start(&inner, 0), 0);
	perf_sleep_ms(50);
	perf_finish(&inner, 1);
	perf_finish(&outer, 1);
	perf_assert_exact(perf_slot(&inner, 0));
	perf_assert_exact(perf_slot(&outer, 0));
	for (unsigned int i = 0; (a = perf_block_at(&outer, perf_slot(&outer, 0), i)); i++) {
		b = perf_block_at(&inner, perf_slot(&inner, 0), i);
		for (uint32_t c = 0; c < outer.info.counters_per_block; c++)
			igt_assert_lte_u64(perf_counters(&inner, b)[c],
					   perf_counters(&outer, a)[c]);
	}
	perf_close(&inner);
	perf_close(&outer);
}

static void test_truth(int fd, uint64_t period_ns)
{
	struct perf_session s;
	bool counted = false;

	perf_require_vgpu();
	perf_open(&s, fd, 64, period_ns);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 8; i++) {
		if (!period_ns)
			igt_assert_eq(perf_sample(&s, i), 0);
		perf_wait(&s, i + 1);
		counted |= perf_counts(&s, perf_slot(&s, i));
	}
	igt_assert_eq(perf_stop(&s, 99), 0);
	while (perf_slot(&s, perf_insert(&s) - 1)->user_data != 99)
		perf_sleep_ms(1);
	igt_assert(counted);
	/* The start of the first one on the GPU's clock is not known. */
	for (uint64_t i = 1; i < perf_insert(&s); i++)
		perf_expect_truth(&s, perf_slot(&s, i - 1)->gpu_timestamp, perf_slot(&s, i));
	perf_close(&s);
}

/* Several sessions, each with what the GPU wrote in its own time. */
static void test_truth_many(int fd)
{
	struct perf_session sessions[4];
	uint64_t since[ARRAY_SIZE(sessions)];

	perf_require_vgpu();
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], i), 0);
		since[i] = perf_take(&sessions[i], i)->gpu_timestamp;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
		for (unsigned int j = 0; j <= i; j++)
			perf_take(&sessions[j], 10 * i + j);
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_finish(&sessions[i], 99);
		for (uint64_t index = 1; index < perf_insert(&sessions[i]); index++) {
			perf_expect_truth(&sessions[i], since[i], perf_slot(&sessions[i], index));
			since[i] = perf_slot(&sessions[i], index)->gpu_timestamp;
		}
		perf_close(&sessions[i]);
	}
}

/* Cycles count while the counters do, and those of clocks that the board has not are 0. */
static void test_clocks(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 5; i++) {
		const struct drm_panthor_perf_sample_header *sample;

		perf_sleep_ms(20);
		sample = perf_take(&s, i);
		igt_assert_lt_u64(0, sample->toplevel_clock_cycles);
		igt_assert_eq(!sample->coregroup_clock_cycles,
			      !(s.info.supported_clocks & 1u << DRM_PANTHOR_PERF_CLOCK_COREGROUP));
		igt_assert_eq(!sample->shader_clock_cycles,
			      !(s.info.supported_clocks & 1u << DRM_PANTHOR_PERF_CLOCK_SHADER));
	}
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("A sample has every block, sorted by type and index, without holes.");
	igt_subtest("blocks")
		test_blocks(fd);

	igt_describe("Block headers name a clock that the board has, and states that make sense.");
	igt_subtest("block-headers")
		test_block_headers(fd);

	igt_describe("A block that was never on has no counts.");
	igt_subtest("off-cores")
		test_off_cores(fd);

	igt_describe("Counters 0 to 3 read 0.");
	igt_subtest("header-counters")
		test_header_counters(fd);

	for (unsigned int i = 0; i < ARRAY_SIZE(types); i++) {
		igt_describe_f("Counters of %s blocks alone: as in a session with all, else 0.",
			       types[i].name);
		igt_subtest_f("mask-%s", types[i].name)
			test_mask(fd, select_type, types[i].type);
	}

	igt_describe("Two sessions with all counters see the same.");
	igt_subtest("mask-all")
		test_mask(fd, select_all, 0);

	igt_describe("One counter alone.");
	igt_subtest("mask-single")
		test_mask(fd, select_single, 0);

	igt_describe("The last counter of a block alone.");
	igt_subtest("mask-last")
		test_mask(fd, select_last, 0);

	igt_describe("Sections of one type that repeat and overlap are combined.");
	igt_subtest("mask-overlapping")
		test_mask(fd, select_overlapping, 0);

	igt_describe("Masks without any order.");
	igt_subtest("mask-random")
		test_mask(fd, select_random, 0);

	igt_describe("A session within another one's time has counted no more than that.");
	igt_subtest("nested")
		test_nested(fd);

	igt_describe("All counters of manual samples are what the GPU wrote, exactly.");
	igt_subtest("truth-manual")
		test_truth(fd, 0);

	igt_describe("All counters of periodic samples are what the GPU wrote, exactly.");
	igt_subtest("truth-periodic")
		test_truth(fd, PERIOD_NS);

	igt_describe("Sessions in parallel each have what the GPU wrote in their own time.");
	igt_subtest("truth-many")
		test_truth_many(fd);

	igt_describe("Cycles of clocks are reported where the board has them.");
	igt_subtest("clocks")
		test_clocks(fd);

	igt_fixture()
		drm_close_driver(fd);
}
