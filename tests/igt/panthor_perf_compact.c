// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Samples of the requested counters
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: compact samples
 */
#include "panthor_perf_truth.h"

IGT_TEST_DESCRIPTION("Sessions whose samples hold only the counters that SETUP requested");

#define PERIOD_NS	(40 * NS_PER_MS)

static void select_counters(struct perf_session *s, uint8_t type, uint16_t first, uint64_t mask)
{
	s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
		.block_type = type,
		.first_counter = first,
		.mask = mask,
	};
}

static void select_all(struct perf_session *s)
{
	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		if (perf_blocks_of(&s->info, type))
			perf_enable(s, type);
}

static void select_one_type(struct perf_session *s)
{
	perf_enable(s, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS);
}

static void select_single(struct perf_session *s)
{
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 0, 1ull << 17);
}

/* The first and the last that there are. */
static void select_ends(struct perf_session *s)
{
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 0, 1ull << HEADER_COUNTERS);
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, s->info.counters_per_block - 64,
			1ull << 63);
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 0, 1ull << HEADER_COUNTERS);
}

/* Not in the order of the samples, and some of them twice. */
static void select_unordered(struct perf_session *s)
{
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 0, 0xf0f0f0f0f0ull);
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 0, 0x0123456789abcdf0ull);
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 0, 1ull << 63 | 0xf0);
	select_counters(s, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, 0, 0);
}

static void select_none(struct perf_session *s)
{
}

static const struct {
	const char *name;
	void (*select)(struct perf_session *s);
	const char *text;
} selections[] = {
	{ "all", select_all, "Everything: as by default, without the counters of headers." },
	{ "one-type", select_one_type, "All of one type: no block of others." },
	{ "single", select_single, "One counter of one type." },
	{ "ends", select_ends, "The first and the last counter of a block." },
	{ "unordered", select_unordered, "Sections in any order, some twice, one empty." },
	{ "none", select_none, "Nothing: samples are their header." },
};

/* What the samples of these sections have to be, by the documentation. */
static uint64_t size_of(const struct perf_session *s)
{
	uint64_t size = s->info.sample_header_size;

	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		uint32_t asked = perf_asked(s, type);

		if (asked)
			size += perf_blocks_of(&s->info, type) *
				(s->info.block_header_size + sizeof(uint64_t) * asked);
	}
	return size;
}

static void prepare(struct perf_session *s, int fd, uint64_t period_ns,
		    void (*select)(struct perf_session *s))
{
	uint64_t size;

	perf_prepare(s, fd, PERF_SLOTS, period_ns);
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	s->setup.sections.count = 0;
	select(s);
	size = size_of(s);
	/* A ring that is as long as it has to be. */
	perf_bo_free(fd, &s->ring);
	s->ring = perf_bo_create_mapped(fd, PERF_SLOTS * size);
	s->setup.ring_handle = s->ring.handle;
}

static void test_size(int fd, void (*select)(struct perf_session *s))
{
	struct perf_session s;

	prepare(&s, fd, 0, select);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq_u64(s.setup.sample_size, size_of(&s));
	perf_close(&s);
}

/* The ring may be as small as the samples, and no smaller. */
static void test_ring(int fd)
{
	struct perf_session s;
	uint64_t size;

	prepare(&s, fd, 0, select_all);
	size = (s.ring.size - 1) / perf_page_size() * perf_page_size();
	igt_require_f(size, "a page holds the whole ring\n");
	perf_bo_free(fd, &s.ring);
	s.ring = perf_bo_create_mapped(fd, size);
	s.setup.ring_handle = s.ring.handle;
	igt_assert_eq(perf_setup(&s), -EINVAL);
	igt_assert_eq(perf_sessions(fd), 0);
	perf_free(&s);
}

static void test_truth(int fd, void (*select)(struct perf_session *s))
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	prepare(&s, fd, 0, select);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	since = perf_take(&s, 0)->gpu_timestamp;
	/* More than once around the ring. */
	for (uint64_t i = 1; i < PERF_SLOTS + 4; i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&s, i);

		igt_assert_eq_u64(sample->user_data, i);
		igt_assert_eq_u64(sample->sample_nr, i);
		perf_expect_truth(&s, since, sample);
		since = sample->gpu_timestamp;
	}
	perf_expect_truth(&s, since, perf_finish(&s, 99));
	perf_close(&s);
}

static void test_periodic(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	prepare(&s, fd, PERIOD_NS, select_unordered);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait(&s, 6);
	igt_assert_eq(perf_stop(&s, 99), 0);
	while (perf_slot(&s, perf_insert(&s) - 1)->user_data != 99)
		perf_sleep_ms(1);
	for (uint64_t i = 1; i < perf_insert(&s); i++)
		perf_expect_truth(&s, perf_slot(&s, i - 1)->gpu_timestamp, perf_slot(&s, i));
	perf_close(&s);
}

/* Sessions of both layouts, and of two selections, have no business with each other. */
static void test_beside(int fd)
{
	struct perf_session sessions[3];
	uint64_t since[ARRAY_SIZE(sessions)];

	perf_require_vgpu();
	perf_open(&sessions[0], fd, PERF_SLOTS, 0);
	prepare(&sessions[1], fd, 0, select_unordered);
	prepare(&sessions[2], fd, 0, select_single);
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		if (i)
			igt_assert_eq(perf_setup(&sessions[i]), 0);
		igt_assert_eq(perf_start(&sessions[i], 0), 0);
		since[i] = perf_take(&sessions[i], 0)->gpu_timestamp;
	}
	for (unsigned int round = 0; round < 3; round++)
		for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
			const struct drm_panthor_perf_sample_header *sample;

			sample = perf_take(&sessions[i], round);
			perf_expect_truth(&sessions[i], since[i], sample);
			since[i] = sample->gpu_timestamp;
		}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
		perf_close(&sessions[i]);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_COMPACT_SUPPORT,
			      "COMPACT is not offered\n");
	}

	for (unsigned int i = 0; i < ARRAY_SIZE(selections); i++) {
		igt_describe_f("The size of samples. %s", selections[i].text);
		igt_subtest_f("size-%s", selections[i].name)
			test_size(fd, selections[i].select);
	}

	igt_describe("A ring that is smaller than its samples is refused.");
	igt_subtest("ring")
		test_ring(fd);

	for (unsigned int i = 0; i < ARRAY_SIZE(selections); i++) {
		igt_describe_f("Samples against the truth. %s", selections[i].text);
		igt_subtest_f("truth-%s", selections[i].name)
			test_truth(fd, selections[i].select);
	}

	igt_describe("Samples of periods against the truth.");
	igt_subtest("truth-periodic")
		test_periodic(fd);

	igt_describe("Sessions with and without it side by side, against the truth.");
	igt_subtest("truth-beside")
		test_beside(fd);

	igt_fixture()
		drm_close_driver(fd);
}
