// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Counter sets and permissions
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: sets and permissions
 */
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Who may sample which set of counters, and one set at a time");

#define PARANOID	"/proc/sys/dev/panthor/perf_paranoid"
#define CAP_PERFMON_NR	38
#define PERFMON_PERIOD_NS	1000000

/* What it was before the test. */
static char paranoid_before;

static int open_paranoid(int flags)
{
	int file = open(PARANOID, flags | O_CLOEXEC);

	igt_assert_f(file >= 0, "no sysctl dev.panthor.perf_paranoid\n");
	return file;
}

static void set_paranoid(char value)
{
	int file = open_paranoid(O_WRONLY);

	igt_assert_eq(write(file, &value, 1), 1);
	close(file);
}

static char get_paranoid(void)
{
	int file = open_paranoid(O_RDONLY);
	char value;

	igt_assert_eq(read(file, &value, 1), 1);
	close(file);
	return value;
}

static void reset_paranoid(int sig)
{
	int file = open(PARANOID, O_WRONLY | O_CLOEXEC);

	if (file >= 0 && write(file, &paranoid_before, 1) == 1)
		close(file);
}

static void save_paranoid(void)
{
	paranoid_before = get_paranoid();
	igt_install_exit_handler(reset_paranoid);
}

/* Only this capability of the many that root has. */
static void keep_perfmon_only(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	data[CAP_PERFMON_NR / 32].effective = 1u << CAP_PERFMON_NR % 32;
	data[CAP_PERFMON_NR / 32].permitted = 1u << CAP_PERFMON_NR % 32;
	igt_assert_eq(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), 0);
	igt_assert_eq(setresgid(65534, 65534, 65534), 0);
	igt_assert_eq(setresuid(65534, 65534, 65534), 0);
	igt_assert_eq(syscall(SYS_capset, &header, data), 0);
}

static void require_set(int fd, uint32_t set)
{
	igt_require_f(perf_info(fd).supported_sets & 1u << set, "the GPU does not offer set %u\n",
		      set);
}

static void prepare_set(struct perf_session *s, int fd, uint32_t set)
{
	perf_prepare(s, fd, PERF_SLOTS, 0);
	s->setup.counter_set = set;
}

static void test_set(int fd, uint32_t set)
{
	const struct drm_panthor_perf_sample_header *sample;
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;

	require_set(fd, set);
	prepare_set(&s, fd, set);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 3; i++) {
		sample = perf_take(&s, i);
		igt_assert_eq_u32(sample->counter_set, set);
		perf_assert_exact(sample);
		perf_for_each_block(block, &s, sample) {
			if (!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE))
				continue;
			for (uint32_t c = 0; c < s.info.counters_per_block; c++)
				igt_assert_eq_u64(perf_counters(&s, block)[c], 0);
		}
	}
	igt_assert(perf_counts(&s, sample));
	perf_close(&s);
}

static void test_unsupported(int fd)
{
	uint32_t sets = perf_info(fd).supported_sets;
	struct perf_session s;
	unsigned int missing = 0;

	for (uint32_t set = 0; set <= DRM_PANTHOR_PERF_SET_TERTIARY; set++) {
		if (sets & 1u << set)
			continue;
		prepare_set(&s, fd, set);
		igt_assert_eq(perf_setup(&s), -EOPNOTSUPP);
		perf_free(&s);
		missing++;
	}
	/* Those that can be had are the subject of the other subtests. */
	igt_assert_eq(missing, 3 - __builtin_popcount(sets & 7));
}

static void test_as_user(int gpu, uint32_t set, bool perfmon, int error)
{
	int fd = perf_reopen(gpu);

	require_set(fd, set);
	igt_fork(child, 1) {
		struct perf_session s;

		if (perfmon)
			keep_perfmon_only();
		else
			igt_drop_root();
		prepare_set(&s, fd, set);
		igt_assert_eq(perf_setup(&s), error);
		if (!error) {
			igt_assert_eq(perf_start(&s, 0), 0);
			perf_assert_exact(perf_finish(&s, 1));
			perf_close(&s);
		}
	}
	igt_waitchildren();
	close(fd);
}

/* All holders of a file can use its sessions. */
static void test_passed_on(int fd)
{
	struct perf_session s;

	require_set(fd, DRM_PANTHOR_PERF_SET_SECONDARY);
	prepare_set(&s, fd, DRM_PANTHOR_PERF_SET_SECONDARY);
	igt_assert_eq(perf_setup(&s), 0);
	igt_fork(child, 1) {
		igt_drop_root();
		igt_assert_eq(perf_start(&s, 0), 0);
		igt_assert_eq_u64(perf_finish(&s, 1)->user_data, 1);
	}
	igt_waitchildren();
	perf_close(&s);
}

static void test_user_primary(int fd)
{
	save_paranoid();
	set_paranoid('0');
	test_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, false, 0);
	set_paranoid(paranoid_before);
}

static void test_paranoid(int fd)
{
	struct perf_session s;

	save_paranoid();
	set_paranoid('1');
	test_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, false, -EACCES);
	test_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, true, 0);
	perf_open(&s, fd, PERF_SLOTS, 0);
	perf_close(&s);
	set_paranoid('0');
	test_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, false, 0);
	set_paranoid(paranoid_before);
}

/* Values that are none, from a driver whose value is one of two. */
static void test_paranoid_values(void)
{
	static const char * const values[] = { "2", "-1", "x", "4294967296" };
	int file;

	save_paranoid();
	for (char value = '0'; value <= '1'; value++) {
		set_paranoid(value);
		igt_assert_eq(get_paranoid(), value);
		for (int i = 0; i < 4; i++) {
			file = open_paranoid(O_WRONLY);
			igt_assert_eq(write(file, values[i], strlen(values[i])), -1);
			igt_assert_eq(errno, EINVAL);
			close(file);
			igt_assert_eq(get_paranoid(), value);
		}
	}
	set_paranoid(paranoid_before);
}

static void setup_as_user(int fd, uint32_t set, int error)
{
	igt_fork(child, 1) {
		struct perf_session s;

		igt_drop_root();
		prepare_set(&s, fd, set);
		igt_assert_eq(perf_setup(&s), error);
		perf_free(&s);
	}
	igt_waitchildren();
}

/* Neither the right of the opener nor that of an earlier SETUP stays in the file. */
static void test_file(int gpu)
{
	int fd = perf_reopen(gpu);
	struct perf_session s;

	save_paranoid();
	set_paranoid('1');
	setup_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, -EACCES);
	perf_prepare(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_setup(&s), 0);
	setup_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, -EACCES);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_free(&s);
	for (uint32_t set = 0; set <= DRM_PANTHOR_PERF_SET_TERTIARY; set++)
		setup_as_user(fd, set, -EACCES);
	set_paranoid('0');
	setup_as_user(fd, DRM_PANTHOR_PERF_SET_SECONDARY, -EACCES);
	setup_as_user(fd, DRM_PANTHOR_PERF_SET_PRIMARY, 0);
	set_paranoid(paranoid_before);
	close(fd);
}

/* A period below 1 ms is a side channel even where the primary set is open to all. */
static void test_short_period(int gpu)
{
	int fd = perf_reopen(gpu);
	const uint64_t shortest = perf_info(fd).min_period_ns;

	igt_require_f(shortest && shortest < PERFMON_PERIOD_NS, "no periods below 1 ms\n");
	save_paranoid();
	set_paranoid('0');
	igt_fork(child, 1) {
		struct perf_session s;

		igt_drop_root();
		perf_prepare(&s, fd, PERF_SLOTS, PERFMON_PERIOD_NS - 1);
		igt_assert_eq(perf_setup(&s), -EACCES);
		s.setup.sample_period_ns = PERFMON_PERIOD_NS;
		igt_assert_eq(perf_setup(&s), 0);
		perf_close(&s);
	}
	igt_waitchildren();
	set_paranoid(paranoid_before);
	close(fd);
}

/* From then on: sessions that were there go on. */
static void test_paranoid_later(int gpu)
{
	int started[2], set[2], fd = perf_reopen(gpu);
	struct perf_session s;
	char word;

	save_paranoid();
	set_paranoid('0');
	igt_assert_eq(pipe(started), 0);
	igt_assert_eq(pipe(set), 0);
	igt_fork(child, 1) {
		igt_drop_root();
		perf_open(&s, fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&s, 0), 0);
		igt_assert_eq_u64(perf_take(&s, 1)->user_data, 1);
		igt_assert_eq(write(started[1], "s", 1), 1);
		igt_assert_eq(read(set[0], &word, 1), 1);
		for (int i = 0; i < 5; i++)
			igt_assert_eq_u64(perf_take(&s, i)->user_data, i);
		igt_assert_eq_u64(perf_finish(&s, 99)->user_data, 99);
		/* Stopped and started again: the check is at SETUP. */
		igt_assert_eq(perf_start(&s, 0), 0);
		igt_assert_eq_u64(perf_finish(&s, 98)->user_data, 98);
		perf_close(&s);
		perf_prepare(&s, fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_setup(&s), -EACCES);
		perf_free(&s);
	}
	close(started[1]);
	/* Nothing comes of a child that failed. */
	if (read(started[0], &word, 1) == 1) {
		set_paranoid('1');
		igt_assert_eq(write(set[1], "s", 1), 1);
	}
	igt_waitchildren();
	set_paranoid(paranoid_before);
	close(fd);
	close(started[0]);
	close(set[0]);
	close(set[1]);
}

static void test_one_at_a_time(int fd)
{
	struct perf_session primary, secondary, another;

	require_set(fd, DRM_PANTHOR_PERF_SET_SECONDARY);
	perf_open(&primary, fd, PERF_SLOTS, 0);
	prepare_set(&secondary, fd, DRM_PANTHOR_PERF_SET_SECONDARY);
	prepare_set(&another, fd, DRM_PANTHOR_PERF_SET_SECONDARY);
	igt_assert_eq(perf_start(&primary, 0), 0);
	/* Setting up is free, starting is not. */
	igt_assert_eq(perf_setup(&secondary), 0);
	igt_assert_eq(perf_setup(&another), 0);
	igt_assert_eq(perf_start(&secondary, 0), -EBUSY);
	igt_assert_eq_u64(perf_finish(&primary, 1)->user_data, 1);
	igt_assert_eq(perf_start(&secondary, 0), 0);
	igt_assert_eq(perf_start(&another, 0), 0);
	igt_assert_eq(perf_start(&primary, 0), -EBUSY);
	igt_assert_eq_u64(perf_finish(&secondary, 2)->user_data, 2);
	igt_assert_eq(perf_start(&primary, 0), -EBUSY);
	igt_assert_eq(perf_teardown(&another), 0);
	igt_assert_eq(perf_start(&primary, 0), 0);
	perf_assert_exact(perf_finish(&primary, 3));
	perf_close(&primary);
	perf_close(&secondary);
	perf_free(&another);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("The secondary set is counted; blocks that it does not define read 0.");
	igt_subtest("set-secondary")
		test_set(fd, DRM_PANTHOR_PERF_SET_SECONDARY);

	igt_describe("The tertiary set is counted; blocks that it does not define read 0.");
	igt_subtest("set-tertiary")
		test_set(fd, DRM_PANTHOR_PERF_SET_TERTIARY);

	igt_describe("Sets that PERF_INFO does not offer are -EOPNOTSUPP.");
	igt_subtest("set-unsupported")
		test_unsupported(fd);

	igt_describe("All started sessions use one set: START of another one is -EBUSY.");
	igt_subtest("set-in-use")
		test_one_at_a_time(fd);

	igt_describe("With perf_paranoid 0, every user may sample the primary set.");
	igt_subtest("user-primary")
		test_user_primary(fd);

	igt_describe("The secondary set is -EACCES without CAP_PERFMON.");
	igt_subtest("user-secondary")
		test_as_user(fd, DRM_PANTHOR_PERF_SET_SECONDARY, false, -EACCES);

	igt_describe("The tertiary set is -EACCES without CAP_PERFMON.");
	igt_subtest("user-tertiary")
		test_as_user(fd, DRM_PANTHOR_PERF_SET_TERTIARY, false, -EACCES);

	igt_describe("CAP_PERFMON alone is enough for the secondary set.");
	igt_subtest("perfmon-secondary")
		test_as_user(fd, DRM_PANTHOR_PERF_SET_SECONDARY, true, 0);

	igt_describe("The permission is that of who sets up a session.");
	igt_subtest("passed-on")
		test_passed_on(fd);

	igt_describe("With perf_paranoid 1, the primary set needs CAP_PERFMON as well.");
	igt_subtest("paranoid")
		test_paranoid(fd);

	igt_describe("perf_paranoid is 0 or 1.");
	igt_subtest("paranoid-values")
		test_paranoid_values();

	igt_describe("A session with the right gives no right to the holders of the file.");
	igt_subtest("file")
		test_file(fd);

	igt_describe("A period below 1 ms needs CAP_PERFMON with perf_paranoid 0 as well.");
	igt_subtest("short-period")
		test_short_period(fd);

	igt_describe("perf_paranoid does not end sessions that are there.");
	igt_subtest("paranoid-later")
		test_paranoid_later(fd);

	igt_fixture()
		drm_close_driver(fd);
}
