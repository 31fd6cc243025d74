// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Samples that are asked for
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: manual sampling
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Manual sessions: SAMPLE publishes exactly one sample, STOP the final one");

static void test_one(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	sample = perf_take(&s, 2);
	igt_assert_eq_u64(sample->sample_nr, 0);
	igt_assert_eq_u64(sample->user_data, 2);
	igt_assert_eq_u32(sample->counter_set, DRM_PANTHOR_PERF_SET_PRIMARY);
	igt_assert_eq_u32(sample->merged, 0);
	igt_assert_eq_u32(sample->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(sample->pad); i++)
		igt_assert_eq(sample->pad[i], 0);
	perf_assert_exact(sample);
	perf_sleep_ms(100);
	igt_assert_eq_u64(perf_insert(&s), 1);
	perf_close(&s);
}

static void test_start_is_silent(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_sleep_ms(1500);
	igt_assert_eq_u64(perf_insert(&s), 0);
	igt_assert_eq_u64(perf_signals(&s), 0);
	perf_close(&s);
}

/* Longer than the time after which the kernel samples by itself, so that counters do not wrap. */
static void test_long(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_sleep_ms(2500);
	sample = perf_take(&s, 2);
	igt_assert_eq_u64(sample->sample_nr, 0);
	igt_assert_lte_u64(2400 * NS_PER_MS,
			   sample->timestamp_end_ns - sample->timestamp_start_ns);
	perf_assert_exact(sample);
	igt_assert(perf_counts(&s, sample));
	perf_close(&s);
}

static void test_sequence(int fd)
{
	struct perf_session s;
	uint64_t end = 0;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 40; i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&s, 7 * i);

		igt_assert_eq_u64(sample->sample_nr, i);
		igt_assert_eq_u64(sample->user_data, 7 * i);
		igt_assert_lte_u64(sample->timestamp_start_ns, sample->timestamp_end_ns);
		if (i)
			igt_assert_eq_u64(sample->timestamp_start_ns, end);
		end = sample->timestamp_end_ns;
		perf_assert_exact(sample);
	}
	igt_assert_eq_u64(perf_finish(&s, 1)->timestamp_start_ns, end);
	perf_close(&s);
}

/* The zero is taken within START, a sample's end within the wait for it. */
static void test_times(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	uint64_t before, after;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	before = perf_clock_ns(CLOCK_MONOTONIC_RAW);
	igt_assert_eq(perf_start(&s, 0), 0);
	after = perf_clock_ns(CLOCK_MONOTONIC_RAW);
	for (int i = 0; i < 10; i++) {
		uint64_t asked = perf_clock_ns(CLOCK_MONOTONIC_RAW);

		sample = perf_take(&s, i);
		if (!i) {
			igt_assert_lte_u64(before, sample->timestamp_start_ns);
			igt_assert_lte_u64(sample->timestamp_start_ns, after);
		}
		igt_assert_lte_u64(asked, sample->timestamp_end_ns);
		igt_assert_lte_u64(sample->timestamp_end_ns, perf_clock_ns(CLOCK_MONOTONIC_RAW));
		perf_sleep_ms(5);
	}
	perf_close(&s);
}

static void test_gpu_timestamp(int fd)
{
	uint64_t frequency = perf_info(fd).gpu_timestamp_frequency;
	struct perf_session s;
	uint64_t last = 0;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 10; i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&s, i);

		igt_assert_lt_u64(last, sample->gpu_timestamp);
		last = sample->gpu_timestamp;
		/* Without the frequency an end is the host's time, as HOST_TIME reports. */
		if (!frequency)
			igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_HOST_TIME);
		igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_LATE, 0);
	}
	perf_close(&s);
}

static void test_user_data(int fd)
{
	static const uint64_t values[] = { 0, 1, 1ull << 32, 1ull << 63, UINT64_MAX };
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0x1234), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(values); i++)
		igt_assert_eq_u64(perf_take(&s, values[i])->user_data, values[i]);
	igt_assert_eq_u64(perf_finish(&s, UINT64_MAX)->user_data, UINT64_MAX);
	perf_close(&s);
}

static void test_pending(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-delay-samples", 1);
	for (unsigned int i = 0; i < PERF_SLOTS - 1; i++)
		igt_assert_eq(perf_sample(&s, i), 0);
	igt_assert_eq(perf_sample(&s, 99), -EBUSY);
	igt_assert_eq_u64(perf_insert(&s), 0);
	perf_vgpu("x-ack-now", 1);
	perf_wait(&s, PERF_SLOTS - 1);
	for (unsigned int i = 0; i < PERF_SLOTS - 1; i++)
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, i);
	perf_close(&s);
}

static void test_stop_pending(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_vgpu("x-delay-samples", 1);
	igt_assert_eq(perf_sample(&s, 1), 0);
	igt_assert_eq(perf_stop(&s, 2), 0);
	igt_assert_eq_u64(perf_insert(&s), 0);
	perf_vgpu("x-ack-now", 1);
	perf_wait(&s, 2);
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 1);
	igt_assert_eq_u64(perf_slot(&s, 0)->sample_nr, 0);
	igt_assert_eq_u64(perf_slot(&s, 1)->user_data, 2);
	igt_assert_eq_u64(perf_slot(&s, 1)->sample_nr, 1);
	igt_assert(!perf_is_final(perf_slot(&s, 0)));
	igt_assert(perf_is_final(perf_slot(&s, 1)));
	perf_expect_signals(&s, 2);
	perf_close(&s);
}

/* Without waiting in between, wherever the firmware is. */
static void test_stop_at_once(int fd)
{
	struct perf_session s;
	uint64_t index = 0;

	perf_open(&s, fd, PERF_SLOTS, 0);
	for (uint64_t i = 0; i < 30; i++) {
		perf_consume(&s, index);
		igt_assert_eq(perf_start(&s, i), 0);
		igt_assert_eq(perf_sample(&s, 100 + i), 0);
		igt_assert_eq(perf_stop(&s, 200 + i), 0);
		perf_wait(&s, index + 2);
		igt_assert_eq_u64(perf_slot(&s, index)->user_data, 100 + i);
		igt_assert_eq_u64(perf_slot(&s, index + 1)->user_data, 200 + i);
		igt_assert(!perf_is_final(perf_slot(&s, index)));
		igt_assert(perf_is_final(perf_slot(&s, index + 1)));
		perf_assert_exact(perf_slot(&s, index));
		perf_assert_exact(perf_slot(&s, index + 1));
		index += 2;
	}
	perf_expect_signals(&s, 60);
	perf_close(&s);
}

/* All sessions that wait are served, each by its own sample. */
static void test_many_pending(int fd)
{
	struct perf_session sessions[6];

	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], 0), 0);
	}
	for (uint64_t round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
			igt_assert_eq(perf_sample(&sessions[i], 10 * i + round), 0);
		for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
			perf_wait(&sessions[i], round + 1);
			igt_assert_eq_u64(perf_slot(&sessions[i], round)->user_data,
					  10 * i + round);
			perf_assert_exact(perf_slot(&sessions[i], round));
		}
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
		perf_close(&sessions[i]);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("SAMPLE publishes exactly one sample, whose header is as documented.");
	igt_subtest("one")
		test_one(fd);

	igt_describe("START publishes and signals nothing, however long there is no SAMPLE.");
	igt_subtest("start-is-silent")
		test_start_is_silent(fd);

	igt_describe("A sample of seconds is exact: the kernel collects counts in between.");
	igt_subtest("long")
		test_long(fd);

	igt_describe("Samples are numbered, and start where the one before has ended.");
	igt_subtest("sequence")
		test_sequence(fd);

	igt_describe("Start and end lie within the calls that they belong to, on MONOTONIC_RAW.");
	igt_subtest("times")
		test_times(fd);

	igt_describe("The GPU's time stamps grow; HOST_TIME reports those without a conversion.");
	igt_subtest("gpu-timestamp")
		test_gpu_timestamp(fd);

	igt_describe("user_data comes back, all 64 bits.");
	igt_subtest("user-data")
		test_user_data(fd);

	igt_describe("Each pending SAMPLE has a slot; without a free one the next is -EBUSY.");
	igt_subtest("pending")
		test_pending(fd);

	igt_describe("STOP with a SAMPLE pending publishes both, in order, the second with FINAL.");
	igt_subtest("stop-pending")
		test_stop_pending(fd);

	igt_describe("START, SAMPLE and STOP in a row publish two samples each time.");
	igt_subtest("stop-at-once")
		test_stop_at_once(fd);

	igt_describe("Samples that many sessions request at once all come.");
	igt_subtest("many-pending")
		test_many_pending(fd);

	igt_fixture()
		drm_close_driver(fd);
}
