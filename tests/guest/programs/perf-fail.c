// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Each allocation and each copy from or to the program that a call makes fails once, by the
 * kernel's fault injection: the call fails with -ENOMEM or -EFAULT, or does without, and nothing
 * else has changed.
 */

#include "sync.h"

#define SLOTS		8
#define FILE_LIMIT	16
#define MOST		500
#define SWEEPS		5

static int knob;

/* Of ordered samples: a syncobj, and its last point. */
static uint32_t timeline;
static uint64_t point;

/* Let the n-th opportunity from now on fail. */
static void arm(unsigned int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(knob, text, size, 0) != size)
		die("arming the fault");
}

/* Returns whether it has failed; looking is an opportunity itself. */
static bool disarm(void)
{
	char text[16] = "";
	bool pending = pread(knob, text, sizeof(text) - 1, 0) < 0 || atoi(text);

	while (pwrite(knob, "0", 1, 0) != 1)
		;
	return !pending;
}

static bool acceptable(int error)
{
	return !error || error == ENOMEM || error == EFAULT;
}

/**
 * struct faults - what the faults of a call did
 */
struct faults {
	/** @places: Opportunities to fail. */
	unsigned int places;

	/** @told: Calls that failed. */
	unsigned int told;

	/** @wrong: Calls that failed with another error than the fault's. */
	unsigned int wrong;

	/** @done: Failed calls that did something, or the other way round. */
	unsigned int done;

	/** @copies: Calls that did everything and could not copy their result back. */
	unsigned int copies;
};

static void sweep(const char *name, struct session *s, int (*call)(struct session *s),
		  bool (*undo)(struct session *s), struct faults *faults)
{
	unsigned int n;

	for (n = 1; n < MOST; n++) {
		bool hit, undone;
		int error;

		arm(n);
		error = call(s);
		hit = disarm();
		if (!hit) {
			faults->wrong += error != 0;
			break;
		}
		faults->told += error != 0;
		if (!acceptable(error)) {
			printf("%s with fault %u: %s\n", name, n, errno_name(error));
			faults->wrong++;
		}
		undone = undo && undo(s);
		if (undone && error == EFAULT)
			faults->copies++;
		else if (undo && undone != !error)
			faults->done++;
	}
	faults->places = n;
}

/*
 * All faults of a call in turn. undo() takes back what the call has done, if anything, and says
 * whether it did; %NULL for a call that does nothing. A call that fails has done nothing, but for
 * one that could not copy its result back: that is the last thing, and not the driver's. It is one
 * place of each call; only that some calls need another page than others puts it at two numbers in
 * one sweep, but hardly in all of them.
 */
static void try(const char *name, struct session *s, int (*call)(struct session *s),
		bool (*undo)(struct session *s))
{
	struct faults faults = { 0 };
	unsigned int copies = MOST;

	for (unsigned int i = 0; i < SWEEPS && copies > 1; i++) {
		faults.copies = 0;
		faults.told = 0;
		sweep(name, s, call, undo, &faults);
		if (faults.copies < copies)
			copies = faults.copies;
	}
	check(faults.places < MOST && faults.told,
	      "%s: %u places that can fail, %u of which it tells", name, faults.places - 1,
	      faults.told);
	check_eq("wrong errors", faults.wrong, 0);
	check_eq("failed calls that did something, or the other way round", faults.done, 0);
	check(copies <= 1, "%u results that could not be copied back", copies);
}

static bool undo_setup(struct session *s)
{
	unsigned int undone = 0;

	/* Also one whose handle did not come back; the file has no other. */
	for (s->setup.handle = 1; s->setup.handle < 5; s->setup.handle++)
		undone += !session_teardown(s);
	return undone == 1;
}

static int call_start(struct session *s)
{
	return session_start(s, 1);
}

static bool undo_start(struct session *s)
{
	uint64_t insert = session_insert(s);

	if (session_stop(s, 2))
		return false;
	if (!session_wait(s, insert + 1, WAIT_MS))
		die("the final sample");
	session_consume(s, insert + 1);
	return true;
}

static int call_sample(struct session *s)
{
	return session_sample(s, 3);
}

/* A sample that waits for the one before it, and signals a fence. */
static int call_ordered(struct session *s)
{
	const struct sync sync = { timeline, point, point + 1 };
	int error = session_sample_with(s, 3, &sync);

	if (!error)
		point++;
	return error;
}

static bool undo_sample(struct session *s)
{
	uint64_t extract = session_indices(s)->extract_idx;

	if (!session_wait(s, extract + 1, 500))
		return false;
	session_consume(s, session_insert(s));
	return true;
}

/* The fence of a sample that came has signalled, and there is no other. */
static bool undo_ordered(struct session *s)
{
	uint64_t signalled = 0;
	bool undone = undo_sample(s);

	/* Of a call that could not copy its result back: another point of a timeline has no fence. */
	if (undone && !point_wait(s->fd, timeline, point + 1, WAIT_MS * 1000000ll))
		point++;
	if (undone && point_wait(s->fd, timeline, point, WAIT_MS * 1000000ll))
		die("the fence of a sample");
	if (point_signalled(s->fd, timeline, &signalled) || signalled != point)
		die("the points of the timeline");
	return undone;
}

static int call_stop(struct session *s)
{
	return session_stop(s, 4);
}

static bool undo_stop(struct session *s)
{
	return undo_sample(s) && !session_start(s, 5);
}

static bool undo_teardown(struct session *s)
{
	return session_stop(s, 6) == ENOENT && !session_setup(s);
}

static int call_query(struct session *s)
{
	struct drm_panthor_perf_info info;
	struct drm_panthor_dev_query query = {
		.type = DRM_PANTHOR_DEV_QUERY_PERF_INFO,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query);
}

int main(void)
{
	struct session s, all[FILE_LIMIT + 1];
	int gpu = open_gpu(), error = 0;
	unsigned int count;

	knob = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (knob < 0)
		die("the kernel's fault injection");
	session_prepare(&s, gpu, SLOTS);
	try("PERF_INFO", &s, call_query, NULL);
	try("SETUP", &s, session_setup, undo_setup);
	try("START", &s, call_start, undo_start);
	try("SAMPLE", &s, call_sample, undo_sample);
	undo_sample(&s);
	if (syncobj_create(gpu, &timeline))
		die("a syncobj");
	try("ordered SAMPLE", &s, call_ordered, undo_ordered);
	undo_ordered(&s);
	try("STOP", &s, call_stop, undo_stop);
	undo_sample(&s);
	try("TEARDOWN", &s, session_teardown, undo_teardown);
	session_release(&s);

	for (count = 0; count <= FILE_LIMIT; count++) {
		session_prepare(&all[count], gpu, SLOTS);
		error = session_setup(&all[count]);
		if (error)
			break;
	}
	check_eq("sessions that can still be set up", count, FILE_LIMIT);
	check_errno("one more", error, ENOSPC);
	for (count = 0; count <= FILE_LIMIT; count++) {
		if (count < FILE_LIMIT)
			session_teardown(&all[count]);
		session_release(&all[count]);
	}
	close(gpu);
	return 0;
}
