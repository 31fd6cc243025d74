// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Life of a session
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: life cycle
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Every edge of a session's state diagram, and who may use its handle");

#define UNKNOWN_HANDLE	0x7fffffff

static void test_stopped(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_sample(&s, 1), -EINVAL);
	igt_assert_eq(perf_stop(&s, 2), -EINVAL);
	perf_sleep_ms(20);
	igt_assert_eq_u64(perf_insert(&s), 0);
	igt_assert_eq_u64(perf_signals(&s), 0);
	perf_close(&s);
}

static void test_started(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq(perf_start(&s, 2), -EINVAL);
	igt_assert_eq_u64(perf_take(&s, 3)->user_data, 3);
	igt_assert_eq_u64(perf_finish(&s, 4)->user_data, 4);
	igt_assert_eq(perf_stop(&s, 5), -EINVAL);
	igt_assert_eq(perf_sample(&s, 6), -EINVAL);
	igt_assert_eq_u64(perf_insert(&s), 2);
	perf_close(&s);
}

/* The final sample is withheld: what STOPPING answers. */
static void test_stopping(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_vgpu("x-delay-samples", 1);
	igt_assert_eq(perf_stop(&s, 2), 0);
	igt_assert_eq(perf_start(&s, 3), -EBUSY);
	igt_assert_eq(perf_sample(&s, 4), -EINVAL);
	igt_assert_eq(perf_stop(&s, 5), -EINVAL);
	igt_assert_eq_u64(perf_insert(&s), 0);
	perf_vgpu("x-ack-now", 1);
	perf_wait(&s, 1);
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 2);
	igt_assert_eq(perf_start(&s, 6), 0);
	perf_close(&s);
}

static void test_teardown_stopping(int fd)
{
	struct perf_session s;

	perf_require_vgpu();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_vgpu("x-delay-samples", 1);
	igt_assert_eq(perf_stop(&s, 2), 0);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_vgpu("x-ack-now", 1);
	perf_sleep_ms(50);
	igt_assert_eq_u64(perf_insert(&s), 0);
	igt_assert_eq_u64(perf_signals(&s), 0);
	perf_free(&s);
}

static void test_teardown_started(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_sleep_ms(50);
	igt_assert_eq_u64(perf_insert(&s), 0);
	igt_assert_eq_u64(perf_signals(&s), 0);
	perf_free(&s);
}

/* Its sample may come or not, but not behind the end of TEARDOWN. */
static void test_teardown_pending(int fd)
{
	struct perf_session s;
	uint64_t insert;

	for (int i = 0; i < 10; i++) {
		perf_open(&s, fd, PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&s, 1), 0);
		igt_assert_eq(perf_sample(&s, 2), 0);
		igt_assert_eq(perf_teardown(&s), 0);
		insert = perf_insert(&s);
		memset(s.ring.map, 0x5a, s.setup.sample_size);
		perf_sleep_ms(20);
		igt_assert_eq_u64(perf_insert(&s), insert);
		for (uint32_t byte = 0; byte < s.setup.sample_size; byte++)
			igt_assert_eq(((uint8_t *)s.ring.map)[byte], 0x5a);
		perf_free(&s);
	}
}

static void test_restart(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	for (uint64_t run = 0; run < 5; run++) {
		igt_assert_eq(perf_start(&s, run), 0);
		sample = perf_take(&s, 10 + run);
		igt_assert_eq_u64(sample->sample_nr, 0);
		igt_assert_eq_u64(sample->user_data, 10 + run);
		sample = perf_finish(&s, 20 + run);
		igt_assert_eq_u64(sample->sample_nr, 1);
		igt_assert_eq_u64(sample->user_data, 20 + run);
		igt_assert_eq_u64(perf_insert(&s), 2 * (run + 1));
	}
	perf_close(&s);
}

/* What happens between the runs belongs to none of them. */
static void test_zero_of_restart(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_session s;
	uint64_t before;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_finish(&s, 2);
	perf_sleep_ms(100);
	before = perf_clock_ns(CLOCK_MONOTONIC_RAW);
	igt_assert_eq(perf_start(&s, 3), 0);
	sample = perf_finish(&s, 4);
	igt_assert_lte_u64(before, sample->timestamp_start_ns);
	perf_close(&s);
}

static int call_on(int fd, unsigned int call, uint32_t handle, uint32_t flags)
{
	struct drm_panthor_perf_teardown teardown = { .handle = handle, .flags = flags };
	struct drm_panthor_perf_start start = { .handle = handle, .flags = flags };
	struct drm_panthor_perf_stop stop = { .handle = handle, .flags = flags };
	struct drm_panthor_perf_sample sample = { .handle = handle, .flags = flags };

	switch (call) {
	case DRM_PANTHOR_PERF_TEARDOWN:
		return perf_call(fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &teardown);
	case DRM_PANTHOR_PERF_START:
		return perf_call(fd, DRM_IOCTL_PANTHOR_PERF_START, &start);
	case DRM_PANTHOR_PERF_STOP:
		return perf_call(fd, DRM_IOCTL_PANTHOR_PERF_STOP, &stop);
	default:
		return perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &sample);
	}
}

static void expect_all_calls(int fd, uint32_t handle, uint32_t flags, int error)
{
	for (unsigned int call = DRM_PANTHOR_PERF_TEARDOWN; call <= DRM_PANTHOR_PERF_SAMPLE; call++)
		igt_assert_f(call_on(fd, call, handle, flags) == error,
			     "call %#x on handle %u: not %d\n", call, handle, error);
}

static void test_unknown_handle(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	expect_all_calls(fd, 0, 0, -ENOENT);
	expect_all_calls(fd, UNKNOWN_HANDLE, 0, -ENOENT);
	expect_all_calls(fd, UINT32_MAX, 0, -ENOENT);
	perf_close(&s);
}

static void test_dead_handle(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_teardown(&s), 0);
	expect_all_calls(fd, s.setup.handle, 0, -ENOENT);
	perf_free(&s);
}

static void test_foreign_handle(int fd)
{
	int other = perf_reopen(fd);
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	expect_all_calls(other, s.setup.handle, 0, -ENOENT);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	perf_close(&s);
	close(other);
}

static void test_flags(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	expect_all_calls(fd, s.setup.handle, 1u << 1, -EINVAL);
	expect_all_calls(fd, s.setup.handle, 1u << 31, -EINVAL);
	/* None of them has done anything. */
	igt_assert_eq(perf_sessions(fd), 1);
	igt_assert_eq(perf_start(&s, 1), 0);
	expect_all_calls(fd, s.setup.handle, 1u << 1, -EINVAL);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	igt_assert_eq_u64(perf_insert(&s), 1);
	perf_close(&s);
}

static void test_bad_pointer(int fd)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(page != MAP_FAILED);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, page), -EFAULT);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_START, page), -EFAULT);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_STOP, page), -EFAULT);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, page), -EFAULT);
	munmap(page, 4096);
}

/* Every holder of the open file may use the handle. */
static void test_fork(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_fork(child, 1) {
		igt_assert_eq(perf_start(&s, 2), -EINVAL);
		igt_assert_eq_u64(perf_take(&s, 3)->user_data, 3);
	}
	igt_waitchildren();
	/* The child's end did not end the session. */
	igt_assert_eq_u64(perf_insert(&s), 1);
	igt_assert_eq_u64(perf_finish(&s, 4)->user_data, 4);
	perf_close(&s);
}

static void test_dup(int fd)
{
	int first = perf_reopen(fd);
	struct perf_session s;

	perf_open(&s, first, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	s.fd = dup(first);
	igt_assert_fd(s.fd);
	close(first);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	igt_assert_eq_u64(perf_finish(&s, 3)->user_data, 3);
	perf_close(&s);
	close(s.fd);
}

/* What was published can be read on, and nothing follows. */
static void test_close(int fd)
{
	int own = perf_reopen(fd);
	struct perf_session s;

	perf_open(&s, own, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	perf_expect_signals(&s, 1);
	/* A mapping holds the open file as a descriptor does. */
	close(own);
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 2);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	igt_assert_eq_u64(perf_signals(&s), 0);
	close(s.setup.eventfd);
	igt_assert_eq(perf_sessions(fd), 0);
}

/* A process that ends in the middle leaves nothing to others. */
static void test_exit(int fd, int sig)
{
	struct perf_session s;
	int status;

	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		igt_assert_lte(0, pid);
		if (!pid) {
			int own = perf_reopen(fd);

			perf_open(&s, own, PERF_SLOTS, perf_info(fd).min_period_ns * 10);
			if (perf_start(&s, 1))
				_exit(1);
			if (sig)
				raise(sig);
			_exit(0);
		}
		igt_assert_eq(waitpid(pid, &status, 0), pid);
		if (sig)
			igt_assert(WIFSIGNALED(status) && WTERMSIG(status) == sig);
		else
			igt_assert(WIFEXITED(status) && !WEXITSTATUS(status));
	}
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	perf_assert_exact(perf_finish(&s, 2));
	perf_close(&s);
}

static void test_many_files(int fd)
{
	struct perf_session sessions[4];
	int files[ARRAY_SIZE(sessions)];

	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		files[i] = perf_reopen(fd);
		perf_open(&sessions[i], files[i], PERF_SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], i), 0);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		igt_assert_eq(perf_sessions(files[i]), 1);
		igt_assert_eq_u64(perf_take(&sessions[i], 10 + i)->user_data, 10 + i);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		igt_assert_eq_u64(perf_finish(&sessions[i], 20 + i)->user_data, 20 + i);
		perf_close(&sessions[i]);
		close(files[i]);
	}
}

/* A START that waits for the firmware is interrupted by a fatal signal. */
static void test_killed_start(int fd)
{
	struct perf_session s;
	int status;
	pid_t pid;

	perf_require_vgpu();
	perf_vgpu("x-delay-enables", 1);
	pid = fork();
	igt_assert_lte(0, pid);
	if (!pid) {
		perf_open(&s, perf_reopen(fd), PERF_SLOTS, 0);
		perf_start(&s, 1);
		_exit(0);
	}
	perf_sleep_ms(20);
	kill(pid, SIGKILL);
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	perf_vgpu("x-ack-now", 1);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq_u64(perf_finish(&s, 2)->user_data, 2);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("SAMPLE and STOP of a stopped session are -EINVAL and publish nothing.");
	igt_subtest("stopped")
		test_stopped(fd);

	igt_describe("START of a started session is -EINVAL; SAMPLE and STOP publish one each.");
	igt_subtest("started")
		test_started(fd);

	igt_describe("Before the final sample, START is -EBUSY, SAMPLE and STOP are -EINVAL.");
	igt_subtest("stopping")
		test_stopping(fd);

	igt_describe("TEARDOWN before the final sample discards it.");
	igt_subtest("teardown-stopping")
		test_teardown_stopping(fd);

	igt_describe("TEARDOWN of a started session publishes and signals nothing.");
	igt_subtest("teardown-started")
		test_teardown_started(fd);

	igt_describe("Behind TEARDOWN the kernel does not write to the objects any more.");
	igt_subtest("teardown-pending")
		test_teardown_pending(fd);

	igt_describe("Sample numbers restart with START, indices never do.");
	igt_subtest("restart")
		test_restart(fd);

	igt_describe("The zero of a second run is taken by its START.");
	igt_subtest("restart-zero")
		test_zero_of_restart(fd);

	igt_describe("Calls on handles that were never given are -ENOENT.");
	igt_subtest("unknown-handle")
		test_unknown_handle(fd);

	igt_describe("Calls on a session that was torn down are -ENOENT.");
	igt_subtest("dead-handle")
		test_dead_handle(fd);

	igt_describe("Another file's session cannot be reached.");
	igt_subtest("foreign-handle")
		test_foreign_handle(fd);

	igt_describe("A flag is -EINVAL for each call, which does nothing.");
	igt_subtest("flags")
		test_flags(fd);

	igt_describe("An argument that cannot be read is -EFAULT for each call.");
	igt_subtest("bad-pointer")
		test_bad_pointer(fd);

	igt_describe("A child uses its parent's session, and its exit does not end it.");
	igt_subtest("fork")
		test_fork(fd);

	igt_describe("A session lives as long as one descriptor of its file.");
	igt_subtest("dup")
		test_dup(fd);

	igt_describe("Closing the file ends a started session without a sample.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("A process exits with a started session.");
	igt_subtest("exit")
		test_exit(fd, 0);

	igt_describe("A process with a started session is killed.");
	igt_subtest("kill")
		test_exit(fd, SIGKILL);

	igt_describe("Handles and counts of several files do not mix.");
	igt_subtest("many-files")
		test_many_files(fd);

	igt_describe("A fatal signal ends a START that waits; the next one works.");
	igt_subtest("killed-start")
		test_killed_start(fd);

	igt_fixture()
		drm_close_driver(fd);
}
