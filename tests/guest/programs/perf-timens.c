// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-timens session SECONDS NS
 *	  perf-timens mixed SECONDS NS
 *	  perf-timens in SECONDS NS COMMAND...
 *
 * Time namespaces, in which CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW are ahead of those of the
 * initial one by an offset, which may be negative. Times of samples are those that the task reads
 * which called SETUP; periods are those of the initial namespace's clock:
 *
 *	session		sessions of a task in such a namespace: manual, with a period, and on a GPU
 *			that is suspended (PERF_STATUS is the file of its runtime status)
 *	mixed		SETUP in one namespace and the other calls in another, both ways
 *	in		run a command in such a namespace
 */
#include <sched.h>
#include <sys/wait.h>

#include "clocks.h"
#include "perf.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME	0x00000080
#endif

#define SLOTS		64
#define SAMPLES		3

/* Of a period, whose grid the offset has to miss. */
#define PERIOD_NS	20000000ull
#define PERIODS		40

/* What the driver may be wrong in a time of the GPU. The offsets are seconds. */
#define TIME_ERROR_NS	5000000ull

/**
 * struct shift - what the clocks of a namespace are ahead of those of the initial one
 */
struct shift {
	/** @seconds: Seconds, maybe less than 0. */
	int64_t seconds;

	/** @ns: Nanoseconds beyond @seconds, 0 to 999,999,999. */
	int64_t ns;
};

static int64_t shift_ns(const struct shift *shift)
{
	return shift->seconds * (int64_t)NS_PER_S + shift->ns;
}

/* From here on, children of this task are in a namespace of their own. */
static void make_namespace(const struct shift *shift)
{
	int fd;

	if (unshare(CLONE_NEWTIME))
		die("unshare");
	fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || dprintf(fd, "monotonic %lld %lld\n", (long long)shift->seconds,
			      (long long)shift->ns) < 0)
		die("/proc/self/timens_offsets");
	close(fd);
}

static pid_t split(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	return pid;
}

/* The exit status of a child, or 1. */
static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Whether a time is between two, but for what the driver may be wrong. */
static bool is_between(uint64_t time, uint64_t from, uint64_t to)
{
	return time + TIME_ERROR_NS >= from && time <= to + TIME_ERROR_NS;
}

static void check_between(const char *what, uint64_t time, uint64_t from, uint64_t to)
{
	if (is_between(time, from, to))
		check(true, "%s", what);
	else
		check(false, "%s - %lld ns, not between %lld and %lld: %lld ns off", what,
		      (long long)time, (long long)from, (long long)to,
		      (long long)(time < from ? time - from : time - to));
}

/*
 * START, samples and STOP of a session. What the caller reads is behind the clock of the samples
 * by @behind.
 */
static void count_and_check(struct session *s, int64_t behind, const char *who)
{
	const struct drm_panthor_perf_sample_header *sample;
	const uint64_t first = session_insert(s);
	uint64_t before, after, end = 0;
	unsigned int gaps = 0;
	char what[96];

	before = raw_ns() + behind;
	check_errno("START", session_start(s, 0), 0);
	after = raw_ns() + behind;
	for (uint64_t i = first; i <= first + SAMPLES; i++) {
		uint64_t call = raw_ns() + behind;
		bool final = i == first + SAMPLES;

		check_errno("SAMPLE or STOP", final ? session_stop(s, i) : session_sample(s, i), 0);
		if (!session_wait(s, i + 1, WAIT_MS))
			die("waiting for a sample");
		sample = session_slot(s, i);
		if (i == first) {
			snprintf(what, sizeof(what), "%s: the first sample starts with START", who);
			check_between(what, sample->timestamp_start_ns, before, after);
		} else {
			gaps += sample->timestamp_start_ns != end;
		}
		end = sample->timestamp_end_ns;
		snprintf(what, sizeof(what), "%s: sample %llu ends with its call", who,
			 (unsigned long long)(i - first));
		check_between(what, end, call, raw_ns() + behind);
		session_consume(s, i + 1);
	}
	snprintf(what, sizeof(what), "%s: each sample starts where the one before ended", who);
	check_eq(what, gaps, 0);
}

static void manual(int fd)
{
	struct session s;

	session_prepare(&s, fd, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	count_and_check(&s, 0, "manual");
	/* The second START has a baseline, too. */
	count_and_check(&s, 0, "again");
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

/* The periods end on the grid of the initial namespace's clock. */
static void periodic(int fd, const struct shift *shift)
{
	struct offset offset;
	struct clocks clocks;
	unsigned int near_grid = 0, late = 0, samples = 0, outside = 0;
	uint64_t before, after;
	struct session s;

	session_prepare(&s, fd, SLOTS);
	s.setup.sample_period_ns = PERIOD_NS;
	check_errno("SETUP with a period", session_setup(&s), 0);
	before = raw_ns();
	check_errno("START", session_start(&s, 0), 0);
	clocks = clocks_now();
	offset = offset_of(&clocks);
	while (samples < PERIODS) {
		const struct drm_panthor_perf_sample_header *sample;
		uint64_t mono;

		if (!session_wait(&s, samples + 1, WAIT_MS))
			die("waiting for a period");
		after = raw_ns();
		sample = session_slot(&s, samples);
		outside += !is_between(sample->timestamp_start_ns, before, after) ||
			   !is_between(sample->timestamp_end_ns, before, after);
		/* CLOCK_MONOTONIC of the initial namespace */
		mono = sample->timestamp_end_ns + offset.low - shift_ns(shift);
		late += !!(sample->events & DRM_PANTHOR_PERF_EVENT_LATE);
		near_grid += (mono + TIME_ERROR_NS / 10) % PERIOD_NS < PERIOD_NS / 4;
		session_consume(&s, ++samples);
	}
	check_errno("STOP", session_stop(&s, 0), 0);
	check_eq("samples of periods outside of the time of the session", outside, 0);
	check(near_grid > (samples - late) / 2,
	      "%u of %u samples, %u of them late, end at a multiple of the period", near_grid,
	      samples, late);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

static void wait_suspended(void)
{
	const char *path = getenv("PERF_STATUS");
	char text[16] = "";

	if (!path)
		die("PERF_STATUS");
	for (int i = 0; i < 200 && strncmp(text, "suspended", 9); i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		usleep(100000);
		if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
			die(path);
		close(fd);
	}
	check(!strncmp(text, "suspended", 9), "the GPU is suspended");
}

/* There the end is the host's time. */
static void suspended(int fd)
{
	uint64_t before, after;
	struct session s;

	session_prepare(&s, fd, SLOTS);
	s.setup.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	wait_suspended();
	before = raw_ns();
	check_errno("SAMPLE", session_sample(&s, 0), 0);
	after = raw_ns();
	check_eq("the sample of a suspended GPU is there", session_insert(&s), 1);
	check(session_slot(&s, 0)->events & DRM_PANTHOR_PERF_EVENT_HOST_TIME,
	      "it has the host's time");
	check_between("which is that of the call", session_slot(&s, 0)->timestamp_end_ns, before,
		      after);
	check_errno("STOP", session_stop(&s, 0), 0);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

static int session_in(const struct shift *shift)
{
	pid_t pid;

	make_namespace(shift);
	pid = split();
	if (!pid) {
		int fd = open_gpu();

		manual(fd);
		periodic(fd, shift);
		suspended(fd);
		close(fd);
		fflush(stdout);
		_exit(0);
	}
	return status_of(pid);
}

/* Calls of a child with a file and a session of its parent. */
static int mixed(const struct shift *shift)
{
	struct session *s = mmap(NULL, 2 * sizeof(*s), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = open_gpu();
	pid_t pid;
	int status;

	if (s == MAP_FAILED)
		die("memory of two processes");
	session_prepare(&s[0], fd, SLOTS);
	session_prepare(&s[1], fd, SLOTS);
	check_errno("SETUP in the initial namespace", session_setup(&s[0]), 0);
	make_namespace(shift);
	pid = split();
	if (!pid) {
		count_and_check(&s[0], -shift_ns(shift), "a session of the initial namespace");
		check_errno("SETUP in the namespace", session_setup(&s[1]), 0);
		fflush(stdout);
		_exit(0);
	}
	status = status_of(pid);
	count_and_check(&s[0], 0, "the same, in the initial namespace");
	count_and_check(&s[1], shift_ns(shift), "a session of the other namespace");
	check_errno("TEARDOWN", session_teardown(&s[0]), 0);
	check_errno("TEARDOWN", session_teardown(&s[1]), 0);
	close(fd);
	return status;
}

static int run_in(const struct shift *shift, char **command)
{
	pid_t pid;

	make_namespace(shift);
	pid = split();
	if (!pid) {
		execvp(command[0], command);
		die(command[0]);
	}
	return status_of(pid);
}

int main(int argc, char **argv)
{
	struct shift shift;

	if (argc < 4)
		die("session|mixed|in SECONDS NS [COMMAND...]");
	shift = (struct shift){ strtoll(argv[2], NULL, 0), strtoll(argv[3], NULL, 0) };
	if (argc == 4 && !strcmp(argv[1], "session"))
		return session_in(&shift);
	if (argc == 4 && !strcmp(argv[1], "mixed"))
		return mixed(&shift);
	if (argc > 4 && !strcmp(argv[1], "in"))
		return run_in(&shift, argv + 4);
	die("session|mixed|in SECONDS NS [COMMAND...]");
	return 2;
}
