// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Many sessions at once
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: stress
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Sessions of many processes in any order; lengths are numbers of operations");

#define PROCESSES	4
#define OPERATIONS	60

/* More than any GPU has. */
#define MAX_SESSIONS	1024

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void test_start_stop(int fd)
{
	igt_fork(child, PROCESSES) {
		struct perf_session s;

		perf_open(&s, perf_reopen(fd), PERF_SLOTS, 0);
		for (uint64_t i = 0; i < OPERATIONS; i++) {
			igt_assert_eq(perf_start(&s, i), 0);
			igt_assert_eq_u64(perf_finish(&s, i)->user_data, i);
			perf_assert_exact(perf_slot(&s, i));
		}
		perf_close(&s);
	}
	igt_waitchildren();
	igt_assert_eq(perf_sessions(fd), 0);
}

static void test_setup_teardown(int fd)
{
	igt_fork(child, PROCESSES) {
		int own = perf_reopen(fd);
		struct perf_session s;

		for (uint64_t i = 0; i < OPERATIONS; i++) {
			perf_open(&s, own, PERF_SLOTS, 0);
			if (i & 1)
				igt_assert_eq(perf_start(&s, i), 0);
			if (i & 2)
				igt_assert(perf_sample(&s, i) == (i & 1 ? 0 : -EINVAL));
			perf_close(&s);
		}
		igt_assert_eq(perf_sessions(own), 0);
	}
	igt_waitchildren();
}

static void test_sample(int fd)
{
	igt_fork(child, PROCESSES) {
		struct perf_session s;

		perf_open(&s, perf_reopen(fd), PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&s, 0), 0);
		for (uint64_t i = 0; i < OPERATIONS; i++) {
			const struct drm_panthor_perf_sample_header *sample = perf_take(&s, i);

			igt_assert_eq_u64(sample->sample_nr, i);
			igt_assert_eq_u64(sample->user_data, i);
			perf_assert_exact(sample);
		}
		igt_assert_eq_u64(perf_finish(&s, 9)->sample_nr, OPERATIONS);
		perf_close(&s);
	}
	igt_waitchildren();
}

/* One session, several processes that know nothing of each other. */
static void test_shared_handle(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_fork(child, PROCESSES) {
		uint64_t x = 977 + child;

		for (int i = 0; i < 2 * OPERATIONS; i++) {
			int ret;

			switch (next_random(&x) % 4) {
			case 0:
				ret = perf_start(&s, i);
				break;
			case 1:
				ret = perf_stop(&s, i);
				break;
			case 2:
				perf_consume(&s, perf_insert(&s));
				ret = 0;
				break;
			default:
				ret = perf_sample(&s, i);
				break;
			}
			igt_assert(!ret || ret == -EINVAL || ret == -EBUSY);
		}
	}
	igt_waitchildren();
	igt_assert_eq(perf_teardown(&s), 0);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_assert_exact(perf_finish(&s, 2));
	perf_close(&s);
}

/* Every process has sessions of each kind, in an order of its own. */
static void test_mixed(int fd)
{
	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	igt_fork(child, PROCESSES) {
		int own = perf_reopen(fd);
		uint64_t x = 4711 + child;

		for (int i = 0; i < OPERATIONS / 4; i++) {
			bool periodic = next_random(&x) % 2;
			uint64_t period = periodic ? (1 + next_random(&x) % 9) * NS_PER_MS : 0;
			struct perf_session s;
			uint64_t insert = 0;

			perf_open(&s, own, 32, period);
			igt_assert_eq(perf_start(&s, 1), 0);
			if (!period)
				igt_assert_eq(perf_sample(&s, 2), 0);
			perf_sleep_ms(next_random(&x) % 20);
			igt_assert_eq(perf_stop(&s, 3), 0);
			while (!insert || perf_slot(&s, insert - 1)->user_data != 3) {
				perf_sleep_ms(1);
				insert = perf_insert(&s);
			}
			for (uint64_t index = 0; index < insert; index++) {
				igt_assert_eq_u64(perf_slot(&s, index)->sample_nr, index);
				perf_assert_exact(perf_slot(&s, index));
			}
			perf_close(&s);
		}
	}
	igt_waitchildren();
}

/* As many as the GPU has, in as many files as that takes, all started. */
static void test_all_sessions(int fd)
{
	uint32_t share = perf_info(fd).max_sessions, count = 0;
	struct perf_session *sessions = calloc(MAX_SESSIONS, sizeof(*sessions));
	int file = -1;

	igt_assert(sessions);
	while (count < MAX_SESSIONS) {
		struct perf_session *s = &sessions[count];
		int ret;

		if (file < 0)
			file = perf_reopen(fd);
		perf_prepare(s, file, perf_info(fd).min_sample_slots, 0);
		ret = perf_setup(s);
		if (ret) {
			igt_assert_eq(ret, -ENOSPC);
			perf_free(s);
			/* A file without sessions has met the limit of the GPU. */
			if (!perf_sessions(file))
				break;
			/* This file is full; another one goes on. */
			igt_assert_lte_u32(perf_sessions(file), share);
			file = -1;
			continue;
		}
		igt_assert_eq(perf_start(s, count), 0);
		count++;
	}
	igt_assert_lt_u32(share, count);
	for (uint32_t i = 0; i < count; i++)
		igt_assert_eq_u64(perf_finish(&sessions[i], i)->user_data, i);
	for (uint32_t i = 0; i < count; i++) {
		perf_assert_exact(perf_slot(&sessions[i], 0));
		perf_close(&sessions[i]);
	}
	free(sessions);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("Processes that start and stop all the time: each run has its final sample.");
	igt_subtest("start-stop")
		test_start_stop(fd);

	igt_describe("Processes that set up and tear down all the time, in any state.");
	igt_subtest("setup-teardown")
		test_setup_teardown(fd);

	igt_describe("Processes that sample as fast as they can: no sample is lost or mixed up.");
	igt_subtest("sample")
		test_sample(fd);

	igt_describe("Processes that use one session in any order.");
	igt_subtest("shared-handle")
		test_shared_handle(fd);

	igt_describe("Manual and periodic sessions that come and go.");
	igt_subtest("mixed")
		test_mixed(fd);

	igt_describe("All sessions that the GPU offers, at once.");
	igt_subtest("all-sessions")
		test_all_sessions(fd);

	igt_fixture()
		drm_close_driver(fd);
}
