/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The GPU's device in sysfs: its power, and its driver.
 */
#ifndef PANTHOR_PERF_SYSFS_H
#define PANTHOR_PERF_SYSFS_H

#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "panthor_perf.h"

#define PERF_PM_TEST		"/sys/power/pm_test"
#define PERF_PM_STATE		"/sys/power/state"
#define PERF_PM_TEST_DELAY	"/sys/module/suspend/parameters/pm_test_delay"

/* Path of the platform device that an open file belongs to. */
static inline void perf_device_path(int fd, char path[PATH_MAX])
{
	char link[64];
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	igt_assert(realpath(link, path));
}

/* Write a word; 0 or the errno, negative. */
static inline int perf_write_file(const char *path, const char *word)
{
	int file = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (file < 0)
		return -errno;
	if (write(file, word, strlen(word)) < 0)
		ret = -errno;
	close(file);
	errno = 0;
	return ret;
}

static inline bool perf_runtime_is(const char *device, const char *status)
{
	char path[PATH_MAX + 32], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/power/runtime_status", device);
	file = fopen(path, "r");
	igt_assert(file);
	igt_assert(fgets(text, sizeof(text), file));
	fclose(file);
	return !strncmp(text, status, strlen(status));
}

static inline void perf_wait_runtime(const char *device, const char *status)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_WAIT_MS * NS_PER_MS;

	while (!perf_runtime_is(device, status)) {
		igt_assert_f(perf_clock_ns(CLOCK_MONOTONIC) < end, "the GPU is not %s\n", status);
		perf_sleep_ms(10);
	}
}

static inline void perf_restore_pm_test(int sig)
{
	perf_write_file(PERF_PM_TEST, "none");
}

/* Devices are suspended and resumed, without the sleep itself. */
static inline void perf_suspend_devices(void)
{
	const char *wake = getenv("PANTHOR_PERF_HOST_WAKE");

	igt_require_f(!perf_write_file(PERF_PM_TEST, "devices"),
		      "no tests of suspend in this kernel\n");
	igt_install_exit_handler(perf_restore_pm_test);
	perf_write_file(PERF_PM_TEST_DELAY, "1");
	igt_assert_eq(perf_write_file(PERF_PM_STATE, "freeze"), 0);
	igt_assert_eq(perf_write_file(PERF_PM_TEST, "none"), 0);
	igt_assert_f(!wake || !system(wake), "%s failed\n", wake);
}

#endif
