// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Signals for several samples
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: wake-up
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Sessions whose eventfd stands for several samples");

#define WATERMARK	4

static int setup_wakeup(struct perf_session *s, int fd, uint64_t period_ns, uint32_t samples)
{
	perf_prepare(s, fd, PERF_SLOTS, period_ns);
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP;
	s->setup.wakeup_samples = samples;
	return perf_setup(s);
}

static void open_started(struct perf_session *s, int fd, uint64_t period_ns, uint32_t samples)
{
	igt_assert_eq(setup_wakeup(s, fd, period_ns, samples), 0);
	igt_assert_eq(perf_start(s, 0), 0);
}

/* Samples that are left in the ring. */
static void pile_up(struct perf_session *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint64_t index = perf_insert(s);

		igt_assert_eq(perf_sample(s, index), 0);
		perf_wait(s, index + 1);
	}
}

static void expect_invalid(int fd, uint32_t samples)
{
	struct perf_session s;

	igt_assert_eq(setup_wakeup(&s, fd, 0, samples), -EINVAL);
	igt_assert_eq(perf_sessions(fd), 0);
	perf_free(&s);
}

static void test_no_eventfd(int fd)
{
	struct perf_session s;
	int eventfd;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	eventfd = s.setup.eventfd;
	s.setup.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP;
	s.setup.wakeup_samples = 1;
	s.setup.eventfd = -1;
	igt_assert_eq(perf_setup(&s), -EINVAL);
	s.setup.eventfd = eventfd;
	perf_free(&s);
}

static void test_limits(int fd)
{
	struct perf_session s;

	igt_assert_eq(setup_wakeup(&s, fd, 0, PERF_SLOTS - 1), 0);
	perf_close(&s);
	igt_assert_eq(setup_wakeup(&s, fd, 0, 1), 0);
	perf_close(&s);
}

static void test_samples(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, WATERMARK);
	for (unsigned int round = 0; round < 3; round++) {
		pile_up(&s, WATERMARK - 1);
		perf_expect_signals(&s, 0);
		pile_up(&s, 1);
		perf_expect_signals(&s, 1);
		perf_consume(&s, perf_insert(&s));
	}
	perf_close(&s);
}

/* One of one is a signal for each. */
static void test_one(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, 1);
	for (unsigned int i = 0; i < 5; i++) {
		perf_take(&s, i);
		perf_expect_signals(&s, 1);
	}
	perf_close(&s);
}

/* What a count stood for does not count again. */
static void test_unread(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, WATERMARK);
	pile_up(&s, WATERMARK);
	perf_expect_signals(&s, 1);
	pile_up(&s, WATERMARK - 1);
	perf_expect_signals(&s, 0);
	pile_up(&s, 1);
	perf_expect_signals(&s, 1);
	perf_close(&s);
}

/* A client that leaves some in the ring on purpose: they count with the next. */
static void test_left(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, WATERMARK);
	pile_up(&s, WATERMARK);
	perf_expect_signals(&s, 1);
	perf_consume(&s, perf_insert(&s) - 2);
	perf_expect_signals(&s, 0);
	pile_up(&s, WATERMARK - 3);
	perf_expect_signals(&s, 0);
	pile_up(&s, 1);
	perf_expect_signals(&s, 1);
	perf_close(&s);
}

/* Fewer samples than WATERMARK: a time-out ends the wait, and the index has them. */
static void test_timeout(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, WATERMARK);
	for (unsigned int round = 0; round < 3; round++) {
		struct pollfd pollfd = { .fd = s.setup.eventfd, .events = POLLIN };

		pile_up(&s, WATERMARK - 1);
		igt_assert_eq(poll(&pollfd, 1, 50), 0);
		igt_assert_eq_u64(perf_insert(&s), (round + 1) * (WATERMARK - 1));
		perf_consume(&s, perf_insert(&s));
	}
	perf_close(&s);
}

static void test_final(int fd)
{
	struct perf_session s;

	open_started(&s, fd, 0, WATERMARK);
	pile_up(&s, 1);
	perf_expect_signals(&s, 0);
	perf_finish(&s, 9);
	perf_expect_signals(&s, 1);
	perf_close(&s);
}

static void test_periodic(int fd)
{
	uint64_t counts = 0, read_to = 0, most;
	struct perf_session s;

	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	open_started(&s, fd, 10 * NS_PER_MS, WATERMARK);
	while (counts < 5) {
		struct pollfd pollfd = { .fd = s.setup.eventfd, .events = POLLIN };
		uint64_t insert;

		igt_assert_f(poll(&pollfd, 1, PERF_WAIT_MS) == 1, "no signal in time\n");
		counts += perf_signals(&s);
		insert = perf_insert(&s);
		/* No sample has two counts, even if the reader is late. */
		igt_assert_lte_u64(WATERMARK * counts, insert);
		for (; read_to < insert; read_to++)
			igt_assert_eq_u64(perf_slot(&s, read_to)->sample_nr, read_to);
		perf_consume(&s, read_to);
	}
	igt_assert_eq(perf_stop(&s, 99), 0);
	do {
		most = perf_insert(&s);
		perf_sleep_ms(1);
	} while (most == read_to || perf_slot(&s, most - 1)->user_data != 99);
	perf_sleep_ms(50);
	counts += perf_signals(&s);
	/* As many as fit, and one for the final sample. */
	igt_assert_lte_u64(counts, most / WATERMARK + 1);
	perf_close(&s);
}

/* Another session beside it has a signal for each sample. */
static void test_beside(int fd)
{
	struct perf_session s, each;

	open_started(&s, fd, 0, WATERMARK);
	perf_open(&each, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&each, 0), 0);
	for (unsigned int i = 0; i < WATERMARK; i++) {
		pile_up(&s, 1);
		pile_up(&each, 1);
	}
	perf_expect_signals(&s, 1);
	perf_expect_signals(&each, WATERMARK);
	perf_close(&each);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_WAKEUP_SUPPORT,
			      "WAKEUP is not offered\n");
	}

	igt_describe("WAKEUP without a number of samples.");
	igt_subtest("invalid-none")
		expect_invalid(fd, 0);

	igt_describe("WAKEUP by as many samples as the ring has slots.");
	igt_subtest("invalid-samples")
		expect_invalid(fd, PERF_SLOTS);

	igt_describe("WAKEUP by the largest number of samples.");
	igt_subtest("invalid-samples-most")
		expect_invalid(fd, UINT32_MAX);

	igt_describe("WAKEUP without an eventfd.");
	igt_subtest("invalid-no-eventfd")
		test_no_eventfd(fd);

	igt_describe("The least and the most that the number may be.");
	igt_subtest("limits")
		test_limits(fd);

	igt_describe("One count when so many samples are unread.");
	igt_subtest("samples")
		test_samples(fd);

	igt_describe("A number of 1 is a count for each sample.");
	igt_subtest("one")
		test_one(fd);

	igt_describe("Samples that a count stood for do not count again while they are not read.");
	igt_subtest("unread")
		test_unread(fd);

	igt_describe("Samples that are left when others are read count with the next.");
	igt_subtest("left")
		test_left(fd);

	igt_describe("No count for fewer samples, which are there when a poll() times out.");
	igt_subtest("timeout")
		test_timeout(fd);

	igt_describe("The final sample has a count, whatever is unread.");
	igt_subtest("final")
		test_final(fd);

	igt_describe("A periodic session: a count for so many samples, none of which has two.");
	igt_subtest("periodic")
		test_periodic(fd);

	igt_describe("WAKEUP of one session is none of another's.");
	igt_subtest("beside")
		test_beside(fd);

	igt_fixture()
		drm_close_driver(fd);
}
