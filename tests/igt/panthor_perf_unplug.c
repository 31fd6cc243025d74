// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Sessions of a GPU that goes away
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: unplug
 */
#include <libgen.h>

#include "panthor_perf_sysfs.h"

IGT_TEST_DESCRIPTION("The driver is unbound from its GPU, with sessions in every state");

#define RACERS	2

static char device[PATH_MAX];
static char unbind_path[PATH_MAX + 32];
static char bind_path[PATH_MAX + 32];
static char name[NAME_MAX + 1];

static void rebind(int sig)
{
	perf_write_file(bind_path, name);
}

static void find_paths(int fd)
{
	char link[PATH_MAX + 16], driver[PATH_MAX];

	perf_device_path(fd, device);
	snprintf(name, sizeof(name), "%s", basename(device));
	perf_device_path(fd, device);
	snprintf(link, sizeof(link), "%s/driver", device);
	igt_assert(realpath(link, driver));
	snprintf(unbind_path, sizeof(unbind_path), "%s/unbind", driver);
	snprintf(bind_path, sizeof(bind_path), "%s/bind", driver);
	igt_install_exit_handler(rebind);
}

static void unplug(void)
{
	igt_assert_eq(perf_write_file(unbind_path, name), 0);
}

/* Bound again, and in use at once. */
static void plug(void)
{
	struct perf_session s;
	int fd;

	igt_assert_eq(perf_write_file(bind_path, name), 0);
	fd = perf_open_gpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_assert_exact(perf_take(&s, 2));
	perf_assert_exact(perf_finish(&s, 3));
	perf_close(&s);
	drm_close_driver(fd);
}

/* Nothing can be done with the file but to close it. */
static void expect_dead(struct perf_session *s)
{
	struct drm_panthor_perf_info info;

	igt_assert_eq(perf_start(s, 0), -ENODEV);
	igt_assert_eq(perf_sample(s, 0), -ENODEV);
	igt_assert_eq(perf_stop(s, 0), -ENODEV);
	igt_assert_eq(perf_teardown(s), -ENODEV);
	igt_assert_eq(perf_setup(s), -ENODEV);
	igt_assert_eq(perf_query(s->fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, &info, sizeof(info)),
		      -ENODEV);
}

static void forget(struct perf_session *s)
{
	munmap(s->ring.map, s->ring.size);
	munmap(s->control.map, s->control.size);
	close(s->setup.eventfd);
}

static void test_stopped(void)
{
	struct perf_session s;
	int fd = perf_open_gpu();

	perf_open(&s, fd, PERF_SLOTS, 0);
	unplug();
	perf_expect_signals(&s, 1);
	expect_dead(&s);
	forget(&s);
	drm_close_driver(fd);
	plug();
}

static void test_started(void)
{
	struct perf_session s;
	int fd = perf_open_gpu();

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	perf_expect_signals(&s, 1);
	unplug();
	/* A count without a sample. */
	perf_expect_signals(&s, 1);
	igt_assert_eq_u64(perf_insert(&s), 1);
	expect_dead(&s);
	/* What was published can be read on. */
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 2);
	forget(&s);
	drm_close_driver(fd);
	plug();
}

static void test_pending(void)
{
	struct perf_session s;
	int fd = perf_open_gpu();

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_vgpu("x-delay-samples", 1);
	igt_assert_eq(perf_sample(&s, 2), 0);
	unplug();
	perf_vgpu("x-delay-samples", 0);
	perf_expect_signals(&s, 1 + perf_insert(&s));
	igt_assert_lte_u64(perf_insert(&s), 1);
	expect_dead(&s);
	forget(&s);
	drm_close_driver(fd);
	plug();
}

static void test_periodic(void)
{
	struct perf_session s;
	int fd = perf_open_gpu();
	uint64_t insert;

	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	perf_open(&s, fd, 256, 10 * NS_PER_MS);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_wait(&s, 3);
	unplug();
	insert = perf_insert(&s);
	perf_expect_signals(&s, insert + 1);
	perf_sleep_ms(100);
	igt_assert_eq_u64(perf_insert(&s), insert);
	expect_dead(&s);
	forget(&s);
	drm_close_driver(fd);
	plug();
}

/* Several files, several states, each reported once. */
static void test_many(void)
{
	struct perf_session sessions[6];
	int files[2] = { perf_open_gpu() };

	files[1] = perf_reopen(files[0]);
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], files[i % 2], PERF_SLOTS, 0);
		if (i >= 2)
			igt_assert_eq(perf_start(&sessions[i], i), 0);
	}
	unplug();
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_expect_signals(&sessions[i], 1);
		expect_dead(&sessions[i]);
		forget(&sessions[i]);
	}
	close(files[1]);
	drm_close_driver(files[0]);
	plug();
}

/* A process that waits in poll() wakes up. */
static void test_poll(void)
{
	struct perf_session s;
	int fd = perf_open_gpu();

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_fork(child, 1) {
		struct pollfd pollfd = { .fd = s.setup.eventfd, .events = POLLIN };

		igt_assert_eq(poll(&pollfd, 1, PERF_WAIT_MS), 1);
		igt_assert_eq_u64(perf_signals(&s), 1);
		igt_assert_eq(perf_stop(&s, 1), -ENODEV);
	}
	perf_sleep_ms(100);
	unplug();
	igt_waitchildren();
	forget(&s);
	drm_close_driver(fd);
	plug();
}

/* Calls at the moment at which it happens end one way or the other. */
static void test_race(void)
{
	for (int round = 0; round < 3; round++) {
		int fd = perf_open_gpu(), ready[2], count = 0;
		char word;

		igt_assert_eq(pipe(ready), 0);
		igt_fork(child, RACERS) {
			struct perf_session s;
			int ret = 0;

			perf_open(&s, fd, PERF_SLOTS, 0);
			igt_assert_eq(write(ready[1], "r", 1), 1);
			while (ret != -ENODEV) {
				uint64_t insert = perf_insert(&s);

				perf_consume(&s, insert);
				ret = perf_start(&s, 0);
				if (!ret)
					ret = perf_sample(&s, 1);
				if (!ret)
					ret = perf_stop(&s, 2);
				igt_assert(!ret || ret == -ENODEV || ret == -EBUSY);
				/* As a reader would, who does not wait for ever. */
				for (int i = 0; !ret && perf_insert(&s) < insert + 2 && i < 50; i++)
					perf_sleep_ms(1);
			}
		}
		close(ready[1]);
		/* All are at it, or one has failed and is found below. */
		while (count < RACERS && read(ready[0], &word, 1) == 1)
			count++;
		close(ready[0]);
		perf_sleep_ms(20 + 70 * round);
		unplug();
		igt_waitchildren();
		drm_close_driver(fd);
		plug();
	}
}

int igt_main()
{
	igt_fixture() {
		int fd = perf_open_gpu();

		find_paths(fd);
		drm_close_driver(fd);
	}

	igt_describe("A stopped session gets one count, and every call is -ENODEV.");
	igt_subtest("stopped")
		test_stopped();

	igt_describe("A started session gets a count without a sample; samples stay readable.");
	igt_subtest("started")
		test_started();

	igt_describe("A SAMPLE that is pending is published or not; the session gets its count.");
	igt_subtest("pending")
		test_pending();

	igt_describe("A periodic session publishes no more.");
	igt_subtest("periodic")
		test_periodic();

	igt_describe("All sessions of all files are signalled, once each.");
	igt_subtest("many")
		test_many();

	igt_describe("A process that waits for samples wakes up.");
	igt_subtest("poll")
		test_poll();

	igt_describe("Calls that race with it succeed or are -ENODEV.");
	igt_subtest("race")
		test_race();
}
