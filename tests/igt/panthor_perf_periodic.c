// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Samples by the clock
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: periodic sampling
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Periodic sessions: the grid of periods, merged ones, and sessions beside");

#define PERIOD_NS	(20 * NS_PER_MS)
#define START_DATA	0x1111
#define STOP_DATA	0x2222

/**
 * struct run - what a run's samples add up to
 */
struct run {
	/** @first: Limits of the number of multiples of the period before START's zero. */
	uint64_t first[2];

	/** @last: Limits of that number at STOP. */
	uint64_t last[2];

	/** @periods: Sum of 1 + merged. */
	uint64_t periods;

	/** @samples: Samples. */
	uint64_t samples;

	/** @end_ns: End of the newest. */
	uint64_t end_ns;

	/** @events: Of all. */
	uint32_t events;
};

static void require_periodic(int fd)
{
	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
}

static void run_start(struct perf_session *s, struct run *run)
{
	*run = (struct run){ 0 };
	run->first[0] = perf_clock_ns(CLOCK_MONOTONIC) / s->setup.sample_period_ns;
	igt_assert_eq(perf_start(s, START_DATA), 0);
	run->first[1] = perf_clock_ns(CLOCK_MONOTONIC) / s->setup.sample_period_ns;
}

static void run_add(struct perf_session *s, struct run *run,
		    const struct drm_panthor_perf_sample_header *sample)
{
	bool stretched = sample->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED;

	igt_assert_eq_u64(sample->sample_nr, run->samples);
	igt_assert_eq(stretched, sample->merged > 0);
	if (run->samples)
		igt_assert_eq_u64(sample->timestamp_start_ns, run->end_ns);
	igt_assert_lte_u64(sample->timestamp_start_ns, sample->timestamp_end_ns);
	perf_assert_exact(sample);
	run->samples++;
	run->periods += 1 + sample->merged;
	run->end_ns = sample->timestamp_end_ns;
	run->events |= sample->events;
}

/* Read all that is there. */
static void run_read(struct perf_session *s, struct run *run)
{
	uint64_t insert = perf_insert(s);

	for (uint64_t i = perf_extract(s); i < insert; i++) {
		igt_assert_eq_u64(perf_slot(s, i)->user_data, START_DATA);
		igt_assert(!perf_is_final(perf_slot(s, i)));
		run_add(s, run, perf_slot(s, i));
	}
	perf_consume(s, insert);
}

/* The final sample, and the count of all periods. */
static void run_stop(struct perf_session *s, struct run *run)
{
	uint64_t end, left, i = perf_extract(s);

	run->last[0] = perf_clock_ns(CLOCK_MONOTONIC) / s->setup.sample_period_ns;
	igt_assert_eq(perf_stop(s, STOP_DATA), 0);
	end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_WAIT_MS * NS_PER_MS;
	for (left = 1; left;) {
		for (; i < perf_insert(s); i++) {
			run_add(s, run, perf_slot(s, i));
			left = perf_slot(s, i)->user_data != STOP_DATA;
			igt_assert_eq(perf_is_final(perf_slot(s, i)), !left);
		}
		igt_assert_lt_u64(perf_clock_ns(CLOCK_MONOTONIC), end);
		perf_sleep_ms(1);
	}
	run->last[1] = perf_clock_ns(CLOCK_MONOTONIC) / s->setup.sample_period_ns;
	perf_consume(s, i);
	perf_sleep_ms(30);
	igt_assert_eq_u64(perf_insert(s), i);
	igt_assert_lte_u64(run->last[0] - run->first[1] + 1, run->periods);
	igt_assert_lte_u64(run->periods, run->last[1] - run->first[0] + 1);
}

static void read_for(struct perf_session *s, struct run *run, unsigned int ms)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS;

	while (perf_clock_ns(CLOCK_MONOTONIC) < end) {
		run_read(s, run);
		perf_sleep_ms(2);
	}
}

static void test_grid(int fd, uint64_t period_ns, unsigned int ms)
{
	struct perf_session s;
	struct run run;

	require_periodic(fd);
	perf_open(&s, fd, 64, period_ns);
	run_start(&s, &run);
	read_for(&s, &run, ms);
	run_stop(&s, &run);
	igt_info("%" PRIu64 " periods in %" PRIu64 " samples\n", run.periods, run.samples);
	perf_expect_signals(&s, run.samples);
	perf_close(&s);
}

static void test_shortest(int fd)
{
	require_periodic(fd);
	test_grid(fd, perf_info(fd).min_period_ns, 200);
}

static void test_sample_refused(int fd)
{
	struct perf_session s;

	require_periodic(fd);
	perf_open(&s, fd, PERF_SLOTS, NS_PER_S * 1000);
	igt_assert_eq(perf_sample(&s, 1), -EINVAL);
	igt_assert_eq(perf_start(&s, START_DATA), 0);
	igt_assert_eq(perf_sample(&s, 2), -EINVAL);
	igt_assert_eq(perf_start(&s, 3), -EINVAL);
	igt_assert_eq_u64(perf_finish(&s, STOP_DATA)->user_data, STOP_DATA);
	perf_close(&s);
}

/* The periods that found no room are in the final sample. */
static void test_full(int fd)
{
	const struct drm_panthor_perf_sample_header *last;
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;
	struct run run;

	require_periodic(fd);
	perf_open(&s, fd, slots, PERIOD_NS);
	run_start(&s, &run);
	perf_wait(&s, slots - 1);
	perf_sleep_ms(200);
	igt_assert_eq_u64(perf_insert(&s), slots - 1);
	run_stop(&s, &run);
	last = perf_slot(&s, slots - 1);
	igt_assert_eq_u64(last->user_data, STOP_DATA);
	igt_assert(last->events & DRM_PANTHOR_PERF_EVENT_RING_FULL);
	igt_assert_lt_u32(0, last->merged);
	perf_close(&s);
}

static void test_full_goes_on(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;
	struct run run;

	require_periodic(fd);
	perf_open(&s, fd, slots, PERIOD_NS);
	run_start(&s, &run);
	for (int round = 0; round < 3; round++) {
		perf_wait(&s, perf_extract(&s) + slots - 1);
		perf_sleep_ms(100);
		run_read(&s, &run);
	}
	run_stop(&s, &run);
	igt_assert(run.events & DRM_PANTHOR_PERF_EVENT_RING_FULL);
	perf_close(&s);
}

static void test_no_point(int fd, uint64_t period_ns)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	require_periodic(fd);
	perf_open(&s, fd, PERF_SLOTS, period_ns);
	igt_assert_eq(perf_start(&s, START_DATA), 0);
	perf_sleep_ms(50);
	igt_assert_eq_u64(perf_insert(&s), 0);
	sample = perf_finish(&s, STOP_DATA);
	igt_assert_eq_u64(sample->user_data, STOP_DATA);
	igt_assert_eq_u64(sample->sample_nr, 0);
	igt_assert_eq_u32(sample->merged, 0);
	perf_assert_exact(sample);
	perf_close(&s);
}

/* Equal periods end together: such samples cover the same time of the GPU. */
static void test_shared(int fd)
{
	struct perf_session a, b;
	unsigned int equal = 0;

	require_periodic(fd);
	perf_open(&a, fd, 64, 2 * PERIOD_NS);
	perf_open(&b, fd, 64, 2 * PERIOD_NS);
	igt_assert_eq(perf_start(&a, START_DATA), 0);
	igt_assert_eq(perf_start(&b, START_DATA), 0);
	perf_wait(&a, 12);
	igt_assert_eq(perf_stop(&a, STOP_DATA), 0);
	igt_assert_eq(perf_stop(&b, STOP_DATA), 0);
	perf_sleep_ms(100);
	for (uint64_t i = 0; i < perf_insert(&a); i++)
		for (uint64_t j = 0; j < perf_insert(&b); j++)
			equal += perf_slot(&a, i)->gpu_timestamp == perf_slot(&b, j)->gpu_timestamp;
	igt_assert_lte(10, equal);
	perf_close(&a);
	perf_close(&b);
}

/* Two periods and a manual session: each has what it would have alone. */
static void test_independent(int fd)
{
	const uint64_t periods[] = { PERIOD_NS, 3 * PERIOD_NS + 1 };
	struct perf_session s[2], manual;
	struct run run[2];

	require_periodic(fd);
	perf_open(&manual, fd, PERF_SLOTS, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(s); i++) {
		perf_open(&s[i], fd, 64, periods[i]);
		run_start(&s[i], &run[i]);
	}
	igt_assert_eq(perf_start(&manual, 0), 0);
	for (uint64_t round = 0; round < 10; round++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(s); i++)
			read_for(&s[i], &run[i], 25);
		igt_assert_eq_u64(perf_take(&manual, round)->sample_nr, round);
	}
	igt_assert_eq_u64(perf_finish(&manual, 99)->user_data, 99);
	for (unsigned int i = 0; i < ARRAY_SIZE(s); i++) {
		run_stop(&s[i], &run[i]);
		perf_close(&s[i]);
	}
	perf_close(&manual);
}

static void test_restart(int fd)
{
	struct perf_session s;
	struct run run;

	require_periodic(fd);
	perf_open(&s, fd, 64, PERIOD_NS);
	for (int i = 0; i < 5; i++) {
		run_start(&s, &run);
		read_for(&s, &run, 30 * i);
		run_stop(&s, &run);
	}
	perf_close(&s);
}

/* Points that pass while the firmware keeps an answer back are in the samples that follow. */
static void test_silent(int fd)
{
	struct perf_session s;
	struct run run;

	require_periodic(fd);
	perf_require_vgpu();
	perf_open(&s, fd, 64, PERIOD_NS);
	run_start(&s, &run);
	read_for(&s, &run, 100);
	perf_vgpu("x-delay-samples", 1);
	perf_sleep_ms(5 * PERIOD_NS / NS_PER_MS);
	perf_vgpu("x-ack-now", 1);
	read_for(&s, &run, 200);
	run_stop(&s, &run);
	igt_assert_lt_u64(run.samples, run.periods);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("A sample per period; the sum of 1 + merged is the number of periods and 1.");
	igt_subtest("grid")
		test_grid(fd, PERIOD_NS, 600);

	igt_describe("The grid of a period that is no whole number of milliseconds.");
	igt_subtest("grid-odd")
		test_grid(fd, 17 * NS_PER_MS + 333333, 600);

	igt_describe("The shortest period loses nothing: what comes too fast is merged.");
	igt_subtest("grid-shortest")
		test_shortest(fd);

	igt_describe("SAMPLE of a periodic session is -EINVAL.");
	igt_subtest("sample-refused")
		test_sample_refused(fd);

	igt_describe("A ring without a reader keeps a slot for the final sample, with the rest.");
	igt_subtest("ring-full")
		test_full(fd);

	igt_describe("Reading a ring that was full goes on with RING_FULL and no period lost.");
	igt_subtest("ring-full-goes-on")
		test_full_goes_on(fd);

	igt_describe("A period that does not end before STOP has one sample.");
	igt_subtest("long-period")
		test_no_point(fd, 1000000 * NS_PER_S);

	igt_describe("A period that never ends has one sample.");
	igt_subtest("endless-period")
		test_no_point(fd, UINT64_MAX);

	igt_describe("Sessions of equal periods are served by the same samples of the GPU.");
	igt_subtest("shared")
		test_shared(fd);

	igt_describe("Sessions of other periods and manual ones do not disturb each other.");
	igt_subtest("independent")
		test_independent(fd);

	igt_describe("STOP and START continue on the same grid.");
	igt_subtest("restart")
		test_restart(fd);

	igt_describe("Periods that end while the firmware is silent are merged.");
	igt_subtest("silent")
		test_silent(fd);

	igt_fixture()
		drm_close_driver(fd);
}
