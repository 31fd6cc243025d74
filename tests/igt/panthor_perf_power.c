// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Sessions and the GPU's power
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: power
 */
#include "panthor_perf_sysfs.h"

IGT_TEST_DESCRIPTION("A started session keeps the GPU awake, no other does; system suspend");

static char device[PATH_MAX];

static void test_started(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	perf_wait_runtime(device, "suspended");
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 50; i++) {
		igt_assert(perf_runtime_is(device, "active"));
		perf_sleep_ms(10);
	}
	perf_finish(&s, 1);
	perf_wait_runtime(device, "suspended");
	perf_close(&s);
}

static void test_teardown(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert(perf_runtime_is(device, "active"));
	perf_close(&s);
	perf_wait_runtime(device, "suspended");
}

static void test_close(int fd)
{
	int own = perf_reopen(fd);
	struct perf_session s;

	perf_open(&s, own, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert(perf_runtime_is(device, "active"));
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.setup.eventfd);
	close(own);
	perf_wait_runtime(device, "suspended");
}

static void test_failed_start(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint32_t i = 0; i < slots - 1; i++) {
		igt_assert_eq(perf_sample(&s, i), 0);
		perf_wait(&s, i + 1);
	}
	igt_assert_eq(perf_stop(&s, 9), 0);
	perf_wait(&s, slots);
	perf_wait_runtime(device, "suspended");
	for (int i = 0; i < 5; i++)
		igt_assert_eq(perf_start(&s, 0), -EBUSY);
	perf_wait_runtime(device, "suspended");
	perf_close(&s);
}

/* The last of several lets it sleep. */
static void test_many(int fd)
{
	struct perf_session sessions[3];

	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], 0), 0);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_sleep_ms(200);
		igt_assert(perf_runtime_is(device, "active"));
		perf_finish(&sessions[i], 0);
	}
	perf_wait_runtime(device, "suspended");
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++)
		perf_close(&sessions[i]);
}

static void test_cycles(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	for (int i = 0; i < 8; i++) {
		igt_assert_eq(perf_start(&s, i), 0);
		perf_assert_exact(perf_take(&s, 10 + i));
		perf_assert_exact(perf_finish(&s, 20 + i));
		perf_wait_runtime(device, "suspended");
	}
	perf_close(&s);
}

static void test_suspend(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	sample = perf_take(&s, 1);
	igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND, 0);
	perf_suspend_devices();
	sample = perf_take(&s, 2);
	igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	igt_assert_eq_u64(sample->user_data, 2);
	igt_assert_eq_u64(sample->sample_nr, 1);
	perf_assert_exact(sample);
	sample = perf_take(&s, 3);
	igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND, 0);
	perf_assert_exact(sample);
	perf_close(&s);
}

static void test_suspend_stopped(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	perf_suspend_devices();
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq_u32(perf_finish(&s, 1)->events & DRM_PANTHOR_PERF_EVENT_SUSPEND, 0);
	perf_close(&s);
}

static void test_suspend_periodic(int fd)
{
	struct perf_session s;
	uint64_t nr = 0;
	uint32_t events = 0;

	igt_require_f(perf_info(fd).min_period_ns, "no periodic sessions\n");
	perf_open(&s, fd, 256, 20 * NS_PER_MS);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait(&s, 3);
	perf_suspend_devices();
	perf_wait(&s, perf_insert(&s) + 3);
	igt_assert_eq(perf_stop(&s, 99), 0);
	while (perf_slot(&s, perf_insert(&s) - 1)->user_data != 99)
		perf_sleep_ms(1);
	for (uint64_t i = 0; i < perf_insert(&s); i++) {
		igt_assert_eq_u64(perf_slot(&s, i)->sample_nr, nr++);
		perf_assert_exact(perf_slot(&s, i));
		events |= perf_slot(&s, i)->events;
	}
	igt_assert(events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		perf_device_path(fd, device);
	}

	igt_describe("The GPU is awake from START to STOP, and not by a session as such.");
	igt_subtest("started")
		test_started(fd);

	igt_describe("TEARDOWN of a started session lets the GPU suspend.");
	igt_subtest("teardown")
		test_teardown(fd);

	igt_describe("Closing the file of a started session lets the GPU suspend.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("A START that fails does not keep the GPU awake.");
	igt_subtest("failed-start")
		test_failed_start(fd);

	igt_describe("The GPU is awake until the last session stops.");
	igt_subtest("many")
		test_many(fd);

	igt_describe("Sessions are exact after each sleep of the GPU.");
	igt_subtest("cycles")
		test_cycles(fd);

	igt_describe("System suspend under a started session: one exact sample reports it.");
	igt_subtest("suspend")
		test_suspend(fd);

	igt_describe("System suspend is not reported to a stopped session.");
	igt_subtest("suspend-stopped")
		test_suspend_stopped(fd);

	igt_describe("System suspend under a periodic session.");
	igt_subtest("suspend-periodic")
		test_suspend_periodic(fd);

	igt_fixture()
		drm_close_driver(fd);
}
