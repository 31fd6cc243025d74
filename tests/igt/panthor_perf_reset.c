// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Sessions and resets of the GPU
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: reset
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("A GPU that is reset, and a firmware that does not do what it should");

/* The driver pings its firmware every so often, and resets the GPU when there is no answer. */
static void announce(void)
{
	perf_announce("FW ping timeout, scheduling a reset");
}

static void test_reset(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;
	uint64_t count;

	perf_require_vgpu();
	announce();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-drop-pings", 1);
	count = perf_wait_reset(&s);
	for (int i = 0; i < 5; i++) {
		sample = perf_take(&s, i);
		igt_assert_eq_u64(sample->sample_nr, count + i);
		igt_assert(!perf_tells_reset(sample));
		perf_assert_exact(sample);
	}
	igt_assert(perf_counts(&s, sample));
	perf_assert_exact(perf_finish(&s, 9));
	perf_close(&s);
}

/* All that are started learn of it, once each; who starts later does not. */
static void test_many(int fd)
{
	struct perf_session sessions[3], later;

	perf_require_vgpu();
	announce();
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], 0), 0);
	}
	perf_vgpu("x-drop-pings", 1);
	perf_wait_reset(&sessions[0]);
	perf_open(&later, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&later, 0), 0);
	perf_assert_exact(perf_finish(&later, 1));
	for (unsigned int i = 1; i < ARRAY_SIZE(sessions); i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&sessions[i], 1);

		igt_assert(perf_tells_reset(sample));
		igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
		sample = perf_take(&sessions[i], 2);
		igt_assert(!perf_tells_reset(sample));
		perf_assert_exact(sample);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
		perf_close(&sessions[i]);
	perf_close(&later);
}

static void test_periodic(int fd)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_RESET_WAIT_MS * NS_PER_MS;
	uint64_t next = 0, errors = 0, resets = 0, behind = 0;
	struct perf_session s;

	perf_require_vgpu();
	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	announce();
	perf_open(&s, fd, 256, 50 * NS_PER_MS);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-drop-pings", 1);
	while (behind < 5) {
		igt_assert_f(perf_clock_ns(CLOCK_MONOTONIC) < end, "no sample told of a reset\n");
		perf_sleep_ms(50);
		for (; next < perf_insert(&s); next++) {
			const struct drm_panthor_perf_sample_header *sample = perf_slot(&s, next);

			igt_assert_eq_u64(sample->sample_nr, next);
			resets += perf_tells_reset(sample);
			errors += !!(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
			behind += resets && !perf_tells_reset(sample);
		}
		perf_consume(&s, next);
	}
	igt_assert_eq_u64(resets, 1);
	igt_assert_eq_u64(errors, 1);
	perf_close(&s);
}

/* Without an acknowledge there is no zero. */
static void test_silent_start(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	perf_vgpu("x-delay-samples", 1000);
	igt_assert_eq(perf_start(&s, 0), -ETIMEDOUT);
	igt_assert_eq(perf_stop(&s, 0), -EINVAL);
	perf_vgpu("x-delay-samples", 0);
	perf_vgpu("x-ack-now", 1);
	perf_start_when_alive(&s);
	perf_assert_exact(perf_finish(&s, 1));
	perf_close(&s);
}

/* A sample that the firmware does not take: told, and the next is exact again. */
static void test_silent_sample(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-delay-samples", 1);
	sample = perf_take(&s, 1);
	igt_assert_eq_u64(sample->user_data, 1);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT);
	igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	perf_vgpu("x-delay-samples", 0);
	perf_take(&s, 2);
	sample = perf_take(&s, 3);
	perf_assert_exact(sample);
	igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT, 0);
	perf_close(&s);
}

static void test_skipped_sample(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_assert_exact(perf_take(&s, 1));
	perf_vgpu("x-skip-samples", 1);
	sample = perf_take(&s, 2);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_FW_ERROR);
	igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	perf_assert_exact(perf_take(&s, 3));
	perf_close(&s);
}

static void test_bad_insert(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;
	uint32_t events = 0;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_assert_exact(perf_take(&s, 1));
	perf_vgpu("x-bad-insert", 0x80000000);
	for (int i = 0; i < 3; i++) {
		sample = perf_take(&s, 2);
		events |= sample->events;
		if (sample->events & DRM_PANTHOR_PERF_EVENT_FW_ERROR)
			igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	}
	igt_assert(events & DRM_PANTHOR_PERF_EVENT_FW_ERROR);
	perf_assert_exact(perf_take(&s, 3));
	perf_close(&s);
}

static void test_overflow(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_assert_exact(perf_take(&s, 1));
	/* More samples at once than the firmware's ring can hold. */
	perf_vgpu("x-auto-burst", 1024);
	sample = perf_take(&s, 2);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW);
	igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	perf_take(&s, 3);
	perf_assert_exact(perf_take(&s, 4));
	perf_close(&s);
}

static void test_lost_core(int fd)
{
	struct perf_session s;
	uint32_t events = 0;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-lose-cores", 1);
	for (int i = 0; i < 60 && !(events & DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST); i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&s, i);

		events = sample->events;
		igt_assert_eq_u32(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR, 0);
	}
	igt_assert(events & DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST);
	perf_assert_exact(perf_take(&s, 99));
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("One sample tells of a reset and of lost counts; those behind it are exact.");
	igt_subtest("reset")
		test_reset(fd);

	igt_describe("Every started session is told once, others are not.");
	igt_subtest("reset-many")
		test_many(fd);

	igt_describe("A periodic session goes on after a reset.");
	igt_subtest("reset-periodic")
		test_periodic(fd);

	igt_describe("START without an answer of the firmware is -ETIMEDOUT, and not started.");
	igt_subtest("silent-start")
		test_silent_start(fd);

	igt_describe("A sample without an answer of the firmware says FW_TIMEOUT and ERROR.");
	igt_subtest("silent-sample")
		test_silent_sample(fd);

	igt_describe("An acknowledge of the firmware without a sample says FW_ERROR and ERROR.");
	igt_subtest("skipped-sample")
		test_skipped_sample(fd);

	igt_describe("An impossible index of the firmware says FW_ERROR and ERROR.");
	igt_subtest("bad-insert")
		test_bad_insert(fd);

	igt_describe("A firmware ring that was full says FW_OVERFLOW and ERROR, for a while.");
	igt_subtest("firmware-overflow")
		test_overflow(fd);

	igt_describe("A core that lost its counts says CORE_OFF_LOST, which is no ERROR.");
	igt_subtest("core-off-lost")
		test_lost_core(fd);

	igt_fixture()
		drm_close_driver(fd);
}
