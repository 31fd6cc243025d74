// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Sessions that let the GPU be suspended. The file PERF_STATUS tells whether it is.
 *
 *	manual FILE		SAMPLE and STOP while it sleeps, START, and others who wake it up
 *	periods UNIT FILE	a period of UNIT ms
 *	end			it goes away while it sleeps; writes "asleep" to PERF_STATE
 */
#include "raw.h"

#define SLOTS		32
#define START_DATA	0x534c4550ull
#define STOP_DATA	0x53544f50ull

static bool status_is(const char *status)
{
	const char *path = getenv("PERF_STATUS");
	FILE *file = path ? fopen(path, "r") : NULL;
	char text[32] = "";

	if (!file || !fgets(text, sizeof(text), file))
		die("PERF_STATUS");
	fclose(file);
	text[strcspn(text, "\n")] = 0;
	return !strcmp(text, status);
}

static void wait_asleep(void)
{
	for (int i = 0; i < 1000 && !status_is("suspended"); i++)
		usleep(10000);
	check(status_is("suspended"), "the GPU sleeps");
}

/**
 * struct sleeper - a session that lets the GPU sleep
 */
struct sleeper {
	/** @s: The session. */
	struct session s;

	/** @raw: Where its samples go. */
	struct raw_file raw;

	/** @extract: Samples that were read. */
	uint64_t extract;

	/** @last: Header of the newest. */
	struct drm_panthor_perf_sample_header last;
};

static void setup(struct sleeper *p, int fd, uint64_t period)
{
	memset(p, 0, sizeof(*p));
	session_prepare(&p->s, fd, SLOTS);
	p->s.setup.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	p->s.setup.sample_period_ns = period;
	check_errno("SETUP", session_setup(&p->s), 0);
}

static void start(struct sleeper *p, const char *path)
{
	struct raw_call call = { .user_data = START_DATA, .before = clocks_now() };

	check_errno("START", session_start(&p->s, START_DATA), 0);
	call.after = clocks_now();
	if (path)
		raw_open(&p->raw, path, &p->s);
	raw_call(&p->raw, RAW_START, &call);
}

static void stop(struct sleeper *p)
{
	struct raw_call call = { .user_data = STOP_DATA, .before = clocks_now() };

	check_errno("STOP", session_stop(&p->s, STOP_DATA), 0);
	call.after = clocks_now();
	raw_call(&p->raw, RAW_STOP, &call);
}

/* Read all there is. Returns the number of samples. */
static uint64_t drain(struct sleeper *p)
{
	uint64_t before = p->extract;

	while (p->extract < session_insert(&p->s)) {
		p->last = *session_slot(&p->s, p->extract);
		raw_sample(&p->raw, session_slot(&p->s, p->extract));
		session_consume(&p->s, ++p->extract);
	}
	return p->extract - before;
}

/* Events that may come in addition, of other firmware than usual. */
static uint32_t may_have;

/* One more sample, published by a call that has returned. */
static void check_at_once(struct sleeper *p, const char *what, uint32_t flags)
{
	const uint32_t events = DRM_PANTHOR_PERF_EVENT_SUSPEND | DRM_PANTHOR_PERF_EVENT_HOST_TIME;

	check(drain(p) == 1, "%s: its sample is there", what);
	check_eq("its events", p->last.events & ~may_have, events);
	check_eq("its flags", p->last.flags & ~DRM_PANTHOR_PERF_SAMPLE_STRETCHED, flags);
	check_eq("a signal", session_signals(&p->s), 1);
	check(status_is("suspended"), "the GPU sleeps on");
}

/* Somebody who keeps the GPU awake. */
static void wake(struct session *other, int fd)
{
	session_prepare(other, fd, SLOTS);
	check_errno("SETUP of another", session_setup(other), 0);
	check_errno("START of another", session_start(other, 0), 0);
	check(status_is("active"), "the GPU is awake");
}

static void let_go(struct session *other)
{
	const struct drm_panthor_perf_sample_header *header;

	check_errno("STOP of the other", session_stop(other, 0), 0);
	check(session_wait(other, 1, WAIT_MS), "the final sample of the other");
	header = session_slot(other, 0);
	check_eq("its flags", header->flags, DRM_PANTHOR_PERF_SAMPLE_FINAL);
	check_errno("TEARDOWN of the other", session_teardown(other), 0);
	session_release(other);
}

static int manual(const char *path)
{
	int fd = open_gpu();
	struct session other;
	struct sleeper p;

	check(perf_info(fd).flags & DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT,
	      "PERF_INFO offers ALLOW_SUSPEND");
	setup(&p, fd, 0);
	for (int round = 0; round < 2; round++) {
		/* START wakes it up, and lets it go. */
		start(&p, round ? NULL : path);
		check_errno("SAMPLE", session_sample(&p.s, 1), 0);
		check(session_wait(&p.s, p.extract + 1, WAIT_MS), "a sample");
		drain(&p);
		session_signals(&p.s);
		wait_asleep();

		check_errno("SAMPLE while it sleeps", session_sample(&p.s, 2), 0);
		check_at_once(&p, "SAMPLE", 0);
		check_errno("SAMPLE once more", session_sample(&p.s, 3), 0);
		check_at_once(&p, "SAMPLE once more", 0);
		check_eq("without a sample of the GPU", p.last.gpu_timestamp, 0);

		wake(&other, fd);
		usleep(300000);
		check(status_is("active"), "the other keeps it awake");
		check_errno("SAMPLE while it is awake", session_sample(&p.s, 4), 0);
		check(session_wait(&p.s, p.extract + 1, WAIT_MS), "a sample");
		drain(&p);
		check(p.last.events & DRM_PANTHOR_PERF_EVENT_SUSPEND, "tells that it slept");
		check_errno("SAMPLE while it is awake", session_sample(&p.s, 5), 0);
		check(session_wait(&p.s, p.extract + 1, WAIT_MS), "a sample");
		drain(&p);
		check(!(p.last.events & DRM_PANTHOR_PERF_EVENT_SUSPEND), "tells nothing");
		session_signals(&p.s);
		let_go(&other);
		wait_asleep();
		stop(&p);
		check_at_once(&p, "STOP", DRM_PANTHOR_PERF_SAMPLE_FINAL);
	}
	raw_close(&p.raw);
	check_errno("TEARDOWN", session_teardown(&p.s), 0);
	session_release(&p.s);
	close(fd);
	return 0;
}

/*
 * Twenty periods of a suspended GPU. After a resume panthor's scheduler resumes it once more if its
 * tick comes late: then another time. A period that wakes it up does so each time.
 */
static bool sleeps_on(struct sleeper *p, uint64_t unit)
{
	for (int try = 0; try < 5; try++) {
		int i;

		wait_asleep();
		drain(p);
		for (i = 0; i < 20 && status_is("suspended"); i++)
			usleep(unit * 1000);
		if (status_is("suspended"))
			return true;
		printf("# try %d: resumed after %d periods\n", try + 1, i);
	}
	return false;
}

static int periods(uint64_t unit, const char *path)
{
	int fd = open_gpu();
	struct session other;
	struct sleeper p;

	setup(&p, fd, unit * 1000000);
	start(&p, path);
	for (int round = 0; round < 2; round++) {
		check(sleeps_on(&p, unit), "no period wakes it up");
		check_eq("nor publishes", drain(&p), 0);
		wake(&other, fd);
		check(session_wait(&p.s, p.extract + 1, WAIT_MS), "one does when it is awake");
		p.last = *session_slot(&p.s, p.extract);
		check(p.last.merged >= 20, "and has %u more", p.last.merged);
		check_eq("flags", p.last.flags, DRM_PANTHOR_PERF_SAMPLE_STRETCHED);
		check(p.last.events & DRM_PANTHOR_PERF_EVENT_SUSPEND, "SUSPEND is told");
		check(session_wait(&p.s, p.extract + 4, WAIT_MS), "they go on");
		drain(&p);
		let_go(&other);
	}
	wait_asleep();
	usleep(5 * unit * 1000);
	drain(&p);
	session_signals(&p.s);
	stop(&p);
	check_at_once(&p, "STOP", DRM_PANTHOR_PERF_SAMPLE_FINAL);
	check(p.last.merged >= 4, "with %u periods more", p.last.merged);
	raw_close(&p.raw);
	check_errno("TEARDOWN", session_teardown(&p.s), 0);
	session_release(&p.s);
	close(fd);
	return 0;
}

static int end(void)
{
	int fd = open_gpu();
	struct pollfd wait;
	struct sleeper p;

	setup(&p, fd, 0);
	check_errno("START", session_start(&p.s, START_DATA), 0);
	wait_asleep();
	tell("asleep");
	wait = (struct pollfd){ .fd = p.s.eventfd, .events = POLLIN };
	check(poll(&wait, 1, 10 * WAIT_MS) == 1, "the end of the GPU is told");
	check_eq("once", session_signals(&p.s), 1);
	check_errno("SAMPLE", session_sample(&p.s, 1), ENODEV);
	check_eq("nothing is published", session_insert(&p.s), 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *core_off = getenv("PERF_CORE_OFF");

	if (core_off && *core_off)
		may_have = DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST;
	if (argc == 3 && !strcmp(argv[1], "manual"))
		return manual(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "periods"))
		return periods(strtoull(argv[2], NULL, 0), argv[3]);
	if (argc == 2 && !strcmp(argv[1], "end"))
		return end();
	fprintf(stderr, "usage: perf-sleep manual FILE | periods UNIT FILE | end\n");
	return 2;
}
