// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Sessions whose reader is woken up for several samples at once, in units of UNIT ms:
 *
 *	errors			what SETUP refuses
 *	number			the number of unread samples decides
 *	timeout UNIT		a time-out of poll() does, with fewer
 *	periods UNIT FILE	with a period; FILE gets the samples
 *	end UNIT		the GPU goes away; writes "started" to the file PERF_STATE
 */
#include "raw.h"

#define SLOTS		16
#define NS_PER_MS	1000000ull
#define START_DATA	0x57414b45ull
#define STOP_DATA	0x53544f50ull

static void prepare(struct session *s, int fd, uint32_t samples)
{
	session_prepare(s, fd, SLOTS);
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP;
	s->setup.wakeup_samples = samples;
}

/* Is there a count within so many ms? Takes it. */
static uint64_t count_within(struct session *s, int ms)
{
	struct pollfd wait = { .fd = s->eventfd, .events = POLLIN };

	return poll(&wait, 1, ms) == 1 ? session_signals(s) : 0;
}

static void take(struct session *s, unsigned int samples)
{
	for (; samples; samples--) {
		uint64_t index = session_insert(s);

		if (session_sample(s, index))
			die("SAMPLE");
		if (!session_wait(s, index + 1, WAIT_MS))
			check(false, "sample %llu", (unsigned long long)index);
	}
}

static int errors(void)
{
	static const struct {
		const char *name;
		uint32_t flags, samples;
		int eventfd, error;
	} cases[] = {
		{ "of nothing", DRM_PANTHOR_PERF_SETUP_WAKEUP, 0, 0, EINVAL },
		{ "of all slots", DRM_PANTHOR_PERF_SETUP_WAKEUP, SLOTS, 0, EINVAL },
		{ "of 2^32 - 1 samples", DRM_PANTHOR_PERF_SETUP_WAKEUP, ~0u, 0, EINVAL },
		{ "without an eventfd", DRM_PANTHOR_PERF_SETUP_WAKEUP, 2, -1, EINVAL },
		{ "of samples without the flag", 0, 2, 0, EINVAL },
		{ "of one sample", DRM_PANTHOR_PERF_SETUP_WAKEUP, 1, 0, 0 },
		{ "of all slots but one", DRM_PANTHOR_PERF_SETUP_WAKEUP, SLOTS - 1, 0, 0 },
	};
	int fd = open_gpu();

	check(perf_info(fd).flags & DRM_PANTHOR_PERF_WAKEUP_SUPPORT, "PERF_INFO offers WAKEUP");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct session s;
		char name[80];

		prepare(&s, fd, cases[i].samples);
		s.setup.flags = cases[i].flags;
		if (cases[i].eventfd)
			s.setup.eventfd = -1;
		snprintf(name, sizeof(name), "WAKEUP %s", cases[i].name);
		check_errno(name, session_setup(&s), cases[i].error);
		if (!cases[i].error)
			check_errno("TEARDOWN", session_teardown(&s), 0);
		session_release(&s);
	}
	close(fd);
	return 0;
}

static int number(void)
{
	int fd = open_gpu();
	struct session s, each;

	prepare(&s, fd, 4);
	session_prepare(&each, fd, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("SETUP of another, without WAKEUP", session_setup(&each), 0);
	check_errno("START", session_start(&s, 0), 0);
	check_errno("START of the other", session_start(&each, 0), 0);
	for (int round = 0; round < 5; round++) {
		take(&s, 3);
		check_eq("no count for three samples", count_within(&s, 50), 0);
		take(&s, 1);
		check_eq("one for four", count_within(&s, WAIT_MS), 1);
		session_consume(&s, session_insert(&s));
	}

	/* Somebody who leaves some of them is told again. */
	take(&s, 4);
	check_eq("one for four", count_within(&s, WAIT_MS), 1);
	session_consume(&s, session_insert(&s) - 3);
	take(&s, 1);
	check_eq("one for three that were left and another", count_within(&s, WAIT_MS), 1);
	take(&s, 1);
	check_eq("none for one more", count_within(&s, 50), 0);

	take(&each, 3);
	check_eq("the other gets a count for each", count_within(&each, WAIT_MS), 3);
	check_errno("STOP", session_stop(&s, 1), 0);
	check_eq("STOP is told", count_within(&s, WAIT_MS), 1);
	check_eq("all samples are there", session_insert(&s), 27);
	check_errno("STOP of the other", session_stop(&each, 1), 0);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	check_errno("TEARDOWN of the other", session_teardown(&each), 0);
	session_release(&s);
	session_release(&each);
	close(fd);
	return 0;
}

/* A client that waits no longer than the time-out of poll(), and looks at the index then. */
static int timeout(uint64_t unit)
{
	int fd = open_gpu();
	struct session s;

	prepare(&s, fd, 8);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	for (int round = 0; round < 3; round++) {
		take(&s, 7);
		check_eq("no count for seven samples", count_within(&s, 4 * unit), 0);
		check_eq("they are in the ring", session_insert(&s), 7 * round + 7);
		session_consume(&s, session_insert(&s));
	}
	take(&s, 1);
	check_eq("none with those that were read", count_within(&s, 4 * unit), 0);
	check_errno("STOP", session_stop(&s, 1), 0);
	check_eq("STOP is told", count_within(&s, WAIT_MS), 1);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	close(fd);
	return 0;
}

static int periods(uint64_t unit, const char *path)
{
	struct raw_call call = { .user_data = START_DATA };
	uint64_t extract = 0, counts = 0;
	bool stopped = false, stopping = false;
	int fd = open_gpu();
	struct raw_file raw;
	struct session s;

	prepare(&s, fd, 7);
	s.setup.sample_period_ns = unit * NS_PER_MS;
	check_errno("SETUP", session_setup(&s), 0);
	call.before = clocks_now();
	check_errno("START", session_start(&s, START_DATA), 0);
	call.after = clocks_now();
	raw_open(&raw, path, &s);
	raw_call(&raw, RAW_START, &call);
	while (!stopped) {
		uint64_t count = count_within(&s, WAIT_MS);
		uint64_t insert = session_insert(&s);

		if (!count) {
			check(false, "a count in time");
			break;
		}
		counts += count;
		for (; extract < insert; extract++) {
			stopped |= session_slot(&s, extract)->user_data == STOP_DATA;
			raw_sample(&raw, session_slot(&s, extract));
		}
		session_consume(&s, extract);
		if (extract < 100 || stopping)
			continue;
		call.user_data = STOP_DATA;
		call.before = clocks_now();
		check_errno("STOP", session_stop(&s, STOP_DATA), 0);
		call.after = clocks_now();
		raw_call(&raw, RAW_STOP, &call);
		stopping = true;
	}
	check(counts <= extract / 7 + 1, "%llu counts for %llu samples",
	      (unsigned long long)counts, (unsigned long long)extract);
	raw_close(&raw);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	close(fd);
	return 0;
}

static int end(uint64_t unit)
{
	int fd = open_gpu();
	struct session s;

	prepare(&s, fd, 8);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	take(&s, 2);
	tell("started");
	check_eq("the end of the GPU is told", count_within(&s, 100 * unit), 1);
	check_errno("STOP", session_stop(&s, 1), ENODEV);
	check_eq("once", count_within(&s, 5 * unit), 0);
	check_eq("nothing is published", session_insert(&s), 2);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t unit = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;

	if (argc == 2 && !strcmp(argv[1], "errors"))
		return errors();
	if (argc == 2 && !strcmp(argv[1], "number"))
		return number();
	if (argc == 3 && !strcmp(argv[1], "timeout"))
		return timeout(unit);
	if (argc == 4 && !strcmp(argv[1], "periods"))
		return periods(unit, argv[3]);
	if (argc == 3 && !strcmp(argv[1], "end"))
		return end(unit);
	fprintf(stderr, "usage: perf-wakeup errors | number | timeout UNIT |"
		" periods UNIT FILE | end UNIT\n");
	return 2;
}
