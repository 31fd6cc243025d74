// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Sessions that allow runtime suspend
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: runtime suspend
 */
#include "panthor_perf_sysfs.h"
#include "panthor_perf_truth.h"

IGT_TEST_DESCRIPTION("Sessions that do not keep the GPU awake, and lose no counts");

#define PERIOD_NS	(20 * NS_PER_MS)

static char device[PATH_MAX];

static void open_sleeper(struct perf_session *s, int fd, uint32_t slots, uint64_t period_ns)
{
	perf_prepare(s, fd, slots, period_ns);
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	igt_assert_eq(perf_setup(s), 0);
}

/* A sample of a suspended GPU, which was not resumed. */
static void expect_asleep(const struct perf_session *s,
			  const struct drm_panthor_perf_sample_header *sample)
{
	perf_assert_exact(sample);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_HOST_TIME);
	igt_assert_lte_u64(sample->timestamp_start_ns, sample->timestamp_end_ns);
	igt_assert(perf_runtime_is(device, "suspended"));
}

static void test_sleeps(int fd)
{
	struct perf_session s;

	open_sleeper(&s, fd, PERF_SLOTS, 0);
	perf_wait_runtime(device, "suspended");
	for (uint64_t i = 0; i < 3; i++) {
		igt_assert_eq(perf_start(&s, 0), 0);
		perf_wait_runtime(device, "suspended");
		igt_assert_eq_u64(perf_finish(&s, i)->user_data, i);
	}
	perf_close(&s);
}

/* Samples are there when the call returns, and of the second one nothing was counted. */
static void test_sample(int fd)
{
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;

	open_sleeper(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait_runtime(device, "suspended");
	for (uint64_t i = 0; i < 4; i++) {
		igt_assert_eq(perf_sample(&s, 10 + i), 0);
		igt_assert_eq_u64(perf_insert(&s), i + 1);
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, 10 + i);
		igt_assert_eq_u64(perf_slot(&s, i)->sample_nr, i);
		expect_asleep(&s, perf_slot(&s, i));
		if (!i)
			continue;
		igt_assert(!perf_counts(&s, perf_slot(&s, i)));
		perf_for_each_block(block, &s, perf_slot(&s, i))
			igt_assert(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_OFF);
	}
	perf_expect_signals(&s, 4);
	perf_close(&s);
}

static void test_stop(int fd)
{
	struct perf_session s;

	open_sleeper(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait_runtime(device, "suspended");
	igt_assert_eq(perf_stop(&s, 9), 0);
	igt_assert_eq_u64(perf_insert(&s), 1);
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 9);
	igt_assert(perf_is_final(perf_slot(&s, 0)));
	expect_asleep(&s, perf_slot(&s, 0));
	/* It is stopped. */
	igt_assert_eq(perf_stop(&s, 9), -EINVAL);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_finish(&s, 8);
	perf_close(&s);
}

static void test_teardown(int fd)
{
	struct perf_session s;

	open_sleeper(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait_runtime(device, "suspended");
	perf_close(&s);
	perf_wait_runtime(device, "suspended");
}

/* Another session keeps it awake, as long as it is started. */
static void test_beside(int fd)
{
	struct perf_session s, other;

	open_sleeper(&s, fd, PERF_SLOTS, 0);
	perf_open(&other, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_start(&other, 0), 0);
	for (int i = 0; i < 30; i++) {
		igt_assert(perf_runtime_is(device, "active"));
		perf_sleep_ms(10);
	}
	perf_assert_exact(perf_take(&s, 1));
	perf_assert_exact(perf_finish(&other, 1));
	perf_wait_runtime(device, "suspended");
	perf_close(&other);
	perf_close(&s);
}

/* Periods do not wake it; those that ended meanwhile are one sample when something else does. */
static void test_periods(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s, other;
	uint64_t asleep;

	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	open_sleeper(&s, fd, 256, PERIOD_NS);
	perf_open(&other, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait_runtime(device, "suspended");
	perf_sleep_ms(50);
	asleep = perf_insert(&s);
	perf_sleep_ms(10 * PERIOD_NS / NS_PER_MS);
	igt_assert_eq_u64(perf_insert(&s), asleep);
	igt_assert(perf_runtime_is(device, "suspended"));
	igt_assert_eq(perf_start(&other, 0), 0);
	perf_wait(&s, asleep + 2);
	sample = perf_slot(&s, asleep);
	perf_assert_exact(sample);
	igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	igt_assert_lte_u32(9, sample->merged);
	perf_assert_exact(perf_slot(&s, asleep + 1));
	for (uint64_t i = 0; i < perf_insert(&s); i++)
		igt_assert_eq_u64(perf_slot(&s, i)->sample_nr, i);
	perf_close(&other);
	perf_close(&s);
}

/* One sample over two sleeps has all that was counted before, between and behind them. */
static void test_truth(int fd)
{
	struct drm_panthor_perf_sample_header *copy;
	struct perf_session s, other;
	uint64_t since;

	perf_require_vgpu();
	open_sleeper(&s, fd, PERF_SLOTS, 0);
	perf_open(&other, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&other, 0), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	since = perf_take(&s, 1)->gpu_timestamp;
	for (int i = 0; i < 2; i++) {
		perf_take(&other, i);
		perf_finish(&other, 9);
		perf_wait_runtime(device, "suspended");
		igt_assert_eq(perf_start(&other, 0), 0);
	}
	perf_finish(&other, 9);
	perf_wait_runtime(device, "suspended");
	igt_assert_eq(perf_stop(&s, 2), 0);
	expect_asleep(&s, perf_slot(&s, 1));
	/* Since then the GPU has written nothing. */
	copy = malloc(s.setup.sample_size);
	igt_assert(copy);
	memcpy(copy, perf_slot(&s, 1), s.setup.sample_size);
	copy->gpu_timestamp = INT64_MAX;
	igt_assert(perf_counts(&s, copy));
	perf_expect_truth(&s, since, copy);
	free(copy);
	perf_close(&other);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT,
			      "ALLOW_SUSPEND is not offered\n");
		perf_device_path(fd, device);
	}

	igt_describe("START wakes the GPU and lets it go.");
	igt_subtest("sleeps")
		test_sleeps(fd);

	igt_describe("SAMPLE of a suspended GPU is published at once, and does not resume it.");
	igt_subtest("sample")
		test_sample(fd);

	igt_describe("STOP of a suspended GPU is published at once.");
	igt_subtest("stop")
		test_stop(fd);

	igt_describe("TEARDOWN of a started session of a suspended GPU.");
	igt_subtest("teardown")
		test_teardown(fd);

	igt_describe("Another session keeps the GPU awake.");
	igt_subtest("beside")
		test_beside(fd);

	igt_describe("Periods that end while it sleeps are merged into the first sample after.");
	igt_subtest("periods")
		test_periods(fd);

	igt_describe("Nothing that was counted is lost over several sleeps.");
	igt_subtest("truth-sleeps")
		test_truth(fd);

	igt_fixture()
		drm_close_driver(fd);
}
