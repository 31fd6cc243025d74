// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Counters that change while a session is started
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: update
 */
#include "panthor_perf_truth.h"

IGT_TEST_DESCRIPTION("UPDATE replaces the counters that samples tell by others of those of SETUP");

#define PERIOD_NS	(40 * NS_PER_MS)
#define GENERATIONS	300

static const struct drm_panthor_perf_section few[] = {
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, .mask = 0xff00f0 },
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, .mask = 1ull << 63 | 0x70 },
};

static const struct drm_panthor_perf_section others[] = {
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, .mask = ~0xfull },
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, .mask = 0xff80 },
};

static int update(struct perf_session *s, const struct drm_panthor_perf_section *sections,
		  uint32_t count, uint32_t *generation)
{
	struct drm_panthor_perf_update args = {
		.handle = s->setup.handle,
		.sections = DRM_PANTHOR_OBJ_ARRAY(count, sections),
	};
	int ret = perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &args);

	*generation = args.generation;
	return ret;
}

static void expect_update(struct perf_session *s, const struct drm_panthor_perf_section *sections,
			  uint32_t count, uint32_t want)
{
	uint32_t generation;

	igt_assert_eq(update(s, sections, count, &generation), 0);
	igt_assert_eq_u32(generation, want);
}

static void expect_generation(const struct perf_session *s, const void *sample, uint8_t generation)
{
	const struct drm_panthor_perf_block_header *block;

	perf_for_each_block(block, s, sample)
		igt_assert_eq_u32(block->generation, generation);
}

/* A sample that tells these counters, and the next one starts where it ends. */
static void take_told(struct perf_session *s, uint64_t *since,
		      const struct drm_panthor_perf_section *told, uint32_t count,
		      uint8_t generation)
{
	const struct drm_panthor_perf_sample_header *sample = perf_take(s, generation);

	igt_assert_eq_u64(sample->user_data, generation);
	expect_generation(s, sample, generation);
	perf_expect_told(s, *since, sample, told, count);
	*since = sample->gpu_timestamp;
}

/* Manual, started, with all counters; from the first sample on it is known what is counted. */
static void open_started(struct perf_session *s, int fd, uint64_t *since)
{
	perf_open(s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(s, 0), 0);
	*since = perf_take(s, 0)->gpu_timestamp;
}

static void test_manual(int fd)
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	take_told(&s, &since, s.sections, s.setup.sections.count, 0);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	take_told(&s, &since, few, ARRAY_SIZE(few), 1);
	take_told(&s, &since, few, ARRAY_SIZE(few), 1);
	expect_update(&s, others, ARRAY_SIZE(others), 2);
	take_told(&s, &since, others, ARRAY_SIZE(others), 2);
	expect_update(&s, NULL, 0, 3);
	take_told(&s, &since, NULL, 0, 3);
	/* All that was counted since the sample before, told or not. */
	expect_update(&s, s.sections, s.setup.sections.count, 4);
	take_told(&s, &since, s.sections, s.setup.sections.count, 4);
	perf_close(&s);
}

/* Of several, the last one before the sample. */
static void test_last(int fd)
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	expect_update(&s, NULL, 0, 2);
	expect_update(&s, others, ARRAY_SIZE(others), 3);
	take_told(&s, &since, others, ARRAY_SIZE(others), 3);
	perf_close(&s);
}

static void test_final(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	sample = perf_finish(&s, 9);
	expect_generation(&s, sample, 1);
	perf_expect_told(&s, since, sample, few, ARRAY_SIZE(few));
	perf_close(&s);
}

/* Where it is not started, the next START's samples; no START sets the number back. */
static void test_stopped(int fd)
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	for (uint32_t i = 1; i <= 3; i++) {
		igt_assert_eq(perf_start(&s, 0), 0);
		since = perf_take(&s, 0)->gpu_timestamp;
		take_told(&s, &since, i % 2 ? few : others, ARRAY_SIZE(few), i);
		expect_generation(&s, perf_finish(&s, 9), i);
		expect_update(&s, i % 2 ? others : few, ARRAY_SIZE(few), i + 1);
	}
	perf_close(&s);
}

/* The sample that is pending is told as before. */
static void test_pending(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;
	uint64_t since, index;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	index = perf_insert(&s);
	perf_vgpu("delay-samples", 1);
	igt_assert_eq(perf_sample(&s, 7), 0);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	perf_vgpu("delay-samples", 0);
	perf_vgpu("ack-now", 1);
	perf_wait(&s, index + 1);
	sample = perf_slot(&s, index);
	igt_assert_eq_u64(sample->user_data, 7);
	expect_generation(&s, sample, 0);
	since = perf_take(&s, 8)->gpu_timestamp;
	take_told(&s, &since, few, ARRAY_SIZE(few), 1);
	perf_close(&s);
}

static void test_stopping(int fd)
{
	struct perf_session s;
	uint32_t generation;
	uint64_t since, index;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	index = perf_insert(&s);
	perf_vgpu("delay-samples", 1);
	igt_assert_eq(perf_stop(&s, 7), 0);
	igt_assert_eq(update(&s, few, ARRAY_SIZE(few), &generation), -EBUSY);
	perf_vgpu("delay-samples", 0);
	perf_vgpu("ack-now", 1);
	perf_wait(&s, index + 1);
	expect_generation(&s, perf_slot(&s, index), 0);
	perf_expect_signals(&s, 2);
	/* The one that was refused is no generation. */
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	perf_close(&s);
}

static void test_generations(int fd)
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	for (uint32_t i = 1; i <= GENERATIONS; i++)
		expect_update(&s, i % 2 ? few : others, ARRAY_SIZE(few), i);
	igt_assert_eq_u64(perf_take(&s, 1)->sample_nr, 1);
	expect_generation(&s, perf_slot(&s, perf_insert(&s) - 1), GENERATIONS & 0xff);
	perf_close(&s);
}

/* Samples of periods: none has counters of two selections, and none goes back. */
static void test_periodic(int fd)
{
	struct perf_session s;
	uint8_t last = 0;

	perf_require_vgpu();
	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	perf_open(&s, fd, 64, PERIOD_NS);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait(&s, 3);
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	perf_wait(&s, perf_insert(&s) + 3);
	expect_update(&s, others, ARRAY_SIZE(others), 2);
	perf_wait(&s, perf_insert(&s) + 3);
	igt_assert_eq(perf_stop(&s, 99), 0);
	while (perf_slot(&s, perf_insert(&s) - 1)->user_data != 99)
		perf_sleep_ms(1);
	igt_assert_lte_u64(perf_insert(&s), 64);
	for (uint64_t i = 1; i < perf_insert(&s); i++) {
		uint8_t generation = perf_block_at(&s, perf_slot(&s, i), 0)->generation;
		const struct drm_panthor_perf_section *const told[] = { s.sections, few, others };
		const uint32_t count[] = {
			s.setup.sections.count, ARRAY_SIZE(few), ARRAY_SIZE(others),
		};

		igt_assert_lte_u32(last, generation);
		igt_assert_lt_u32(generation, ARRAY_SIZE(told));
		last = generation;
		expect_generation(&s, perf_slot(&s, i), generation);
		perf_expect_told(&s, perf_slot(&s, i - 1)->gpu_timestamp, perf_slot(&s, i),
				 told[generation], count[generation]);
	}
	igt_assert_eq_u32(last, 2);
	perf_close(&s);
}

/* Layouts stay as they were set up. */
static void test_compact(int fd)
{
	struct perf_session s;
	uint64_t since;

	perf_require_vgpu();
	igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_COMPACT_SUPPORT,
		      "COMPACT is not offered\n");
	perf_prepare(&s, fd, PERF_SLOTS, 0);
	s.setup.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	since = perf_take(&s, 0)->gpu_timestamp;
	for (uint32_t i = 1; i <= 4; i++) {
		const struct drm_panthor_perf_sample_header *sample;

		expect_update(&s, i % 2 ? few : others, ARRAY_SIZE(few), i);
		sample = perf_take(&s, i);
		perf_expect_told(&s, since, sample, i % 2 ? few : others, ARRAY_SIZE(few));
		since = sample->gpu_timestamp;
	}
	perf_close(&s);
}

/* Another session goes on as if nothing was. */
static void test_beside(int fd)
{
	struct perf_session s, other;
	uint64_t since, own;

	perf_require_vgpu();
	open_started(&s, fd, &since);
	open_started(&other, fd, &own);
	for (uint32_t i = 1; i <= 3; i++) {
		expect_update(&s, i % 2 ? few : others, ARRAY_SIZE(few), i);
		take_told(&other, &own, other.sections, other.setup.sections.count, 0);
		take_told(&s, &since, i % 2 ? few : others, ARRAY_SIZE(few), i);
	}
	perf_close(&other);
	perf_close(&s);
}

/* A session of few counters, which gets no more than that; nothing of a refused UPDATE remains. */
static void test_beyond(int fd)
{
	struct drm_panthor_perf_section more[] = { few[0], few[1] };
	struct perf_session s;
	uint32_t generation;
	uint64_t since;

	perf_require_vgpu();
	perf_prepare(&s, fd, PERF_SLOTS, 0);
	memcpy(s.sections, few, sizeof(few));
	s.setup.sections.count = ARRAY_SIZE(few);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	since = perf_take(&s, 0)->gpu_timestamp;
	more[1].mask |= 1ull << 40;
	igt_assert_eq(update(&s, more, ARRAY_SIZE(more), &generation), -EINVAL);
	more[1] = others[0];
	igt_assert_eq(update(&s, more, ARRAY_SIZE(more), &generation), -EINVAL);
	take_told(&s, &since, few, ARRAY_SIZE(few), 0);
	perf_close(&s);
}

/* Arguments that are refused, started or not. */
static void test_invalid(int fd, bool started)
{
	static const struct {
		struct drm_panthor_perf_section section;
		int error;
	} cases[] = {
		{ { .block_type = 0, .mask = 0x10 }, -EINVAL },
		{ { .block_type = UINT8_MAX, .mask = 0x10 }, -EINVAL },
		{ { .block_type = 1, .mask = 0x1 }, -EINVAL },
		{ { .block_type = 1, .first_counter = 32, .mask = 0x10 }, -EINVAL },
		{ { .block_type = 1, .first_counter = 0x8000, .mask = 0x10 }, -EINVAL },
		{ { .block_type = 1, .pad = 1, .mask = 0x10 }, -EINVAL },
		{ { .block_type = 1, .pad2 = 1, .mask = 0x10 }, -EINVAL },
	};
	struct drm_panthor_perf_update args;
	struct perf_session s;
	uint32_t generation;

	perf_open(&s, fd, PERF_SLOTS, 0);
	if (started)
		igt_assert_eq(perf_start(&s, 0), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++)
		igt_assert_eq(update(&s, &cases[i].section, 1, &generation), cases[i].error);
	for (unsigned int field = 0; field < 5; field++) {
		args = (struct drm_panthor_perf_update){
			.handle = s.setup.handle,
			.sections = DRM_PANTHOR_OBJ_ARRAY(ARRAY_SIZE(few), few),
		};
		args.handle += field == 0;
		args.pad = field == 1;
		args.pad2 = field == 2;
		if (field == 3)
			args.sections.array = 8;
		if (field == 4)
			args.sections.count = UINT32_MAX;
		igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &args),
			      field == 0 ? -ENOENT : field == 3 ? -EFAULT : -EINVAL);
	}
	/* None of them was one. */
	expect_update(&s, few, ARRAY_SIZE(few), 1);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_UPDATE_SUPPORT,
			      "UPDATE is not offered\n");
	}

	igt_describe("The next sample tells the new counters, all of them since the one before.");
	igt_subtest("truth-manual")
		test_manual(fd);

	igt_describe("Of several UPDATEs the last one counts.");
	igt_subtest("truth-last")
		test_last(fd);

	igt_describe("The final sample of STOP is one of them.");
	igt_subtest("truth-final")
		test_final(fd);

	igt_describe("A session that is not started: from the next START on.");
	igt_subtest("truth-stopped")
		test_stopped(fd);

	igt_describe("A sample that is pending is told as before.");
	igt_subtest("pending")
		test_pending(fd);

	igt_describe("-EBUSY while the final sample is not published.");
	igt_subtest("stopping")
		test_stopping(fd);

	igt_describe("Generations are counted in 32 bits, and told in 8.");
	igt_subtest("generations")
		test_generations(fd);

	igt_describe("Periodic samples are of one selection each.");
	igt_subtest("truth-periodic")
		test_periodic(fd);

	igt_describe("With COMPACT the layout stays, too.");
	igt_subtest("truth-compact")
		test_compact(fd);

	igt_describe("No other session notices.");
	igt_subtest("truth-beside")
		test_beside(fd);

	igt_describe("Counters that SETUP did not ask for are refused.");
	igt_subtest("beyond")
		test_beyond(fd);

	igt_describe("Wrong arguments for a stopped session.");
	igt_subtest("invalid")
		test_invalid(fd, false);

	igt_describe("Wrong arguments for a started session.");
	igt_subtest("invalid-started")
		test_invalid(fd, true);

	igt_fixture()
		drm_close_driver(fd);
}
