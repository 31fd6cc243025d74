// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Calls under failing allocations
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: fault injection
 */
#include "panthor_perf_sync.h"
#include "panthor_perf_sysfs.h"

IGT_TEST_DESCRIPTION("Each allocation and each copy of a call fails once, and nothing is changed");

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define DEBUGFS		"/sys/kernel/debug"
#define MOST		500

static int knob = -1;

/* All allocations may fail, not those that cannot wait alone, and without a stack in the log. */
static void prepare_faults(void)
{
	static const char *const kinds[] = { "failslab", "fail_page_alloc", "fail_usercopy" };
	char path[64];

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(path, sizeof(path), DEBUGFS "/%s/verbose", kinds[i]);
		perf_write_file(path, "0");
		snprintf(path, sizeof(path), DEBUGFS "/%s/ignore-gfp-wait", kinds[i]);
		perf_write_file(path, "0");
		snprintf(path, sizeof(path), DEBUGFS "/%s/min-order", kinds[i]);
		perf_write_file(path, "0");
	}
	knob = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	igt_require_f(knob >= 0, "no fault injection in this kernel\n");
	/* It says so and goes on; where it cannot go on, the leaks are nobody's to see. */
	perf_announce("kmemleak: Cannot allocate a scan area");
}

/* The n-th opportunity from now on fails. */
static void arm(unsigned int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	igt_assert_eq(pwrite(knob, text, size, 0), size);
}

/* Has it failed? Looking is an opportunity itself. */
static bool disarm(void)
{
	char text[16] = "";
	bool pending = pread(knob, text, sizeof(text) - 1, 0) < 0 || atoi(text);

	while (pwrite(knob, "0", 1, 0) != 1)
		;
	errno = 0;
	return !pending;
}

/*
 * Walk the fault through the call until it has no opportunity left. undo() takes back what a call
 * did and says whether it did something.
 */
static void walk(struct perf_session *s, int (*call)(struct perf_session *s),
		 bool (*undo)(struct perf_session *s))
{
	unsigned int n, failed = 0;

	for (n = 1; n < MOST; n++) {
		bool hit, done;
		int ret;

		arm(n);
		ret = call(s);
		hit = disarm();
		igt_assert_f(!ret || (hit && (ret == -ENOMEM || ret == -EFAULT)),
			     "fault %u: %d\n", n, ret);
		failed += ret != 0;
		done = undo(s);
		/* A result that cannot be copied back: the call is done all the same. */
		igt_assert_f(done == !ret || (done && ret == -EFAULT),
			     "fault %u: %d, and the call was %sdone\n", n, ret, done ? "" : "not ");
		if (!hit)
			break;
	}
	igt_info("%u opportunities, %u calls failed\n", n - 1, failed);
	igt_assert_lt(n, MOST);
	igt_assert_lt(0, failed);
}

static bool undo_setup(struct perf_session *s)
{
	/* Handles count from 1; one that was made and not told is found. */
	for (uint32_t handle = 1; perf_sessions(s->fd) > 0; handle++) {
		struct drm_panthor_perf_teardown args = { .handle = handle };

		igt_assert_lt_u32(handle, 4 * MOST);
		if (!perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &args))
			return true;
	}
	return false;
}

static void test_setup(int fd, uint64_t period_ns)
{
	struct perf_session s;

	prepare_faults();
	perf_prepare(&s, fd, PERF_SLOTS, period_ns);
	walk(&s, perf_setup, undo_setup);
	igt_assert_eq(perf_sessions(fd), 0);
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_close(&s);
}

static int call_start(struct perf_session *s)
{
	return perf_start(s, 1);
}

static bool undo_start(struct perf_session *s)
{
	uint64_t insert = perf_insert(s);
	int ret;

	perf_consume(s, insert);
	ret = perf_stop(s, 2);
	igt_assert(!ret || ret == -EINVAL);
	if (!ret)
		perf_wait(s, insert + 1);
	return !ret;
}

static void test_start(int fd)
{
	struct perf_session s;

	prepare_faults();
	perf_open(&s, fd, PERF_SLOTS, 0);
	walk(&s, call_start, undo_start);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_assert_exact(perf_take(&s, 2));
	perf_assert_exact(perf_finish(&s, 3));
	perf_close(&s);
}

/* The first START of a GPU that sleeps: it is woken in the same call. */
static void test_start_asleep(int fd)
{
	static char device[PATH_MAX];
	struct perf_session s;
	unsigned int n;

	prepare_faults();
	perf_device_path(fd, device);
	perf_open(&s, fd, PERF_SLOTS, 0);
	for (n = 1; n < MOST; n++) {
		bool hit;
		int ret;

		perf_wait_runtime(device, "suspended");
		arm(n);
		ret = perf_start(&s, 1);
		hit = disarm();
		igt_assert_f(!ret || (hit && (ret == -ENOMEM || ret == -EFAULT)),
			     "fault %u: %d\n", n, ret);
		undo_start(&s);
		if (!hit)
			break;
	}
	igt_assert_lt(n, MOST);
	perf_close(&s);
}

static int call_sample(struct perf_session *s)
{
	return perf_sample(s, 7);
}

static bool undo_sample(struct perf_session *s)
{
	uint64_t insert = perf_extract(s);

	/* One that was asked for comes; none is asked for twice. */
	for (int i = 0; i < 200 && perf_insert(s) == insert; i++)
		perf_sleep_ms(1);
	insert = perf_insert(s) - insert;
	perf_consume(s, perf_insert(s));
	igt_assert_lte_u64(insert, 1);
	return insert;
}

static void test_sample(int fd)
{
	struct perf_session s;

	prepare_faults();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	walk(&s, call_sample, undo_sample);
	perf_assert_exact(perf_finish(&s, 3));
	perf_close(&s);
}

/* A sample that waits for the one before it, and signals the next point of the timeline. */
static uint32_t timeline;
static uint64_t point;

static int call_ordered(struct perf_session *s)
{
	int ret = perf_sample_between(s, 7, point ? timeline : 0, point, timeline, point + 1);

	if (!ret)
		point++;
	return ret;
}

static bool undo_ordered(struct perf_session *s)
{
	bool undone = undo_sample(s);

	if (point)
		igt_assert_eq(perf_wait_value(s->fd, timeline, point, PERF_WAIT_MS), 0);
	return undone;
}

static void test_sample_ordered(int fd)
{
	struct perf_session s;

	prepare_faults();
	timeline = syncobj_create(fd, 0);
	point = 0;
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	walk(&s, call_ordered, undo_ordered);
	perf_assert_exact(perf_finish(&s, 3));
	perf_close(&s);
	syncobj_destroy(fd, timeline);
}

static int call_query(struct perf_session *s)
{
	struct drm_panthor_perf_info info;

	return perf_query(s->fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, &info, sizeof(info));
}

static void test_query(int fd)
{
	struct perf_session s = { .fd = fd };
	unsigned int n;
	int ret;

	prepare_faults();
	for (n = 1; n < MOST; n++) {
		bool hit;

		arm(n);
		ret = call_query(&s);
		hit = disarm();
		igt_assert(!ret || (hit && (ret == -ENOMEM || ret == -EFAULT)));
		if (!hit)
			break;
	}
	igt_assert_lt(n, MOST);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("PERF_INFO.");
	igt_subtest("query")
		test_query(fd);

	igt_describe("SETUP of a manual session: no session is left when it fails.");
	igt_subtest("setup")
		test_setup(fd, 0);

	igt_describe("SETUP of a periodic session: no session is left when it fails.");
	igt_subtest("setup-periodic")
		test_setup(fd, 10 * NS_PER_MS);

	igt_describe("START: the session is stopped when it fails.");
	igt_subtest("start")
		test_start(fd);

	igt_describe("START of a GPU that sleeps.");
	igt_subtest("start-asleep")
		test_start_asleep(fd);

	igt_describe("SAMPLE: a sample comes if, and only if, the call succeeds.");
	igt_subtest("sample")
		test_sample(fd);

	igt_describe("SAMPLE with operations: the fence of a call that succeeds signals.");
	igt_subtest("sample-ordered")
		test_sample_ordered(fd);

	igt_fixture()
		drm_close_driver(fd);
}
