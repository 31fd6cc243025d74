/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * perf-stress: what a process knows of its sessions, and what follows for the samples and counts of
 * the eventfd that it sees.
 */
#ifndef PERF_TEST_STRESS_CLIENT_H
#define PERF_TEST_STRESS_CLIENT_H

#include <signal.h>

#include "ledger.h"
#include "random.h"
#include "raw.h"
#include "sync.h"

#define SLOTS_MAX	16
#define MAX_COMPLAINTS	10
#define NO_HANDLE	0xfffffff0u
#define RUNS		(SLOTS_MAX + 2)
#define SETTLE_NS	(60 * NS_PER_S)
#define POLL_MS		10

/**
 * struct tally - what all processes have done
 */
struct tally {
	/** @calls: Calls. */
	uint64_t calls;

	/** @refused: Those that failed, as they had to. */
	uint64_t refused;

	/** @failed: Those that failed with the firmware. */
	uint64_t failed;

	/** @crowded: SETUPs that found no session left. */
	uint64_t crowded;

	/** @setups: Sessions that were set up. */
	uint64_t setups;

	/** @starts: Times that a session was started. */
	uint64_t starts;

	/** @lives: Times that a process opened the GPU. */
	uint64_t lives;

	/** @buried: Sessions that the GPU went away under. */
	uint64_t buried;

	/** @samples: Samples that were read. */
	uint64_t samples;

	/** @errors: Those with the flag ERROR. */
	uint64_t errors;

	/** @periodic: Those of sessions with a period. */
	uint64_t periodic;

	/** @on_point: Of these, those that end with one period, in time. */
	uint64_t on_point;

	/** @late: Those with LATE. */
	uint64_t late;

	/** @stretched: Those with several periods. */
	uint64_t stretched;

	/** @merged: Periods in them beyond the first. */
	uint64_t merged;

	/** @ring_full: Those with RING_FULL. */
	uint64_t ring_full;

	/** @compact: Those that are compact. */
	uint64_t compact;

	/** @slept: Those with SUSPEND of sessions that let the GPU sleep. */
	uint64_t slept;

	/** @batched: Those of sessions that are woken up for several. */
	uint64_t batched;

	/** @wakeups: Counts that these got. */
	uint64_t wakeups;

	/** @ledgers: Times that the kernel's ledger was compared. */
	uint64_t ledgers;

	/** @fences: Samples that signalled a fence. */
	uint64_t fences;

	/** @complaints: What was not as it must be. */
	uint64_t complaints;

	/** @quiet: Sessions that keep the GPU awake are to be stopped for a while. */
	volatile bool quiet;
};

/**
 * enum state - what a client knows of its session
 */
enum state {
	/** @NONE: It is not set up. */
	NONE,

	/** @STOPPED: Neither started nor does a final sample come. */
	STOPPED,

	/** @STARTED: It counts. */
	STARTED,

	/** @STOPPING: The final sample has not been seen yet. */
	STOPPING,
};

/**
 * struct call - a call that a sample is the answer to
 */
struct call {
	/** @user_data: What was given to it. */
	uint64_t user_data;

	/** @ticks: GPU timestamp before it. */
	uint64_t ticks;

	/** @ns: CLOCK_MONOTONIC_RAW before it. */
	uint64_t ns;

	/** @run: The run that it belongs to. */
	const struct run *run;

	/** @stop: It is STOP. */
	bool stop;

	/** @point: Point of the timeline that its sample signals; 0: none. */
	uint64_t point;

	/** @extract: Samples that had been read at some time before the sample became due. */
	uint64_t extract;
};

/**
 * struct client - one session and what its client knows of it
 */
struct client {
	/** @session: The session. */
	struct session session;

	/** @state: Its state. */
	enum state state;

	/** @number: Number among the sessions of the process. */
	unsigned int number;

	/** @has_objects: It has buffer objects. */
	bool has_objects;

	/** @has_handles: They still have handles. */
	bool has_handles;

	/** @setups: Times that it was set up. */
	unsigned int setups;

	/** @raw: Its samples since it was set up. */
	struct raw_file raw;

	/** @ledger: What they said. */
	struct ledger ledger;

	/** @extract: Samples that were read since it was set up. */
	uint64_t extract;

	/** @seen: Samples that were seen to be published. */
	uint64_t seen;

	/** @signals: What its eventfd has counted since it was set up. */
	uint64_t signals;

	/** @alive: Value of @signals before the last call that did not find the GPU gone. */
	uint64_t alive;

	/** @timeline: Of the fences of its samples: a syncobj; 0: none. */
	uint32_t timeline;

	/** @point: Last point of it that a sample signals. */
	uint64_t point;

	/** @calls: The calls whose samples are still to come, each with a slot. */
	struct call calls[SLOTS_MAX];

	/** @call_count: Their number. */
	unsigned int call_count;

	/** @unread: Calls whose samples were published and are still to be read. */
	struct call unread[SLOTS_MAX];

	/** @fresh: No sample was asked for since START. */
	bool fresh;

	/** @window: User data for the first sample of the run: when START was called. */
	uint64_t window;

	/** @runs: The newest run and those of which samples may be unread. */
	struct run runs[RUNS];

	/** @run: The newest one, modulo their number. */
	unsigned int run;

	/** @begun: The call of START, which period points are the answers to. */
	struct call begun;

	/** @looked: Value of @extract at the last look. */
	uint64_t looked;

	/** @batch: Likewise at the look before the one that saw a sample. */
	uint64_t batch;

	/** @moved: When the extract index was moved last. */
	struct {
		/** @extract: Where it was moved to. */
		uint64_t extract;

		/** @insert: The insert index right behind that. */
		uint64_t insert;

		/** @signals: Value of @signals then. */
		uint64_t signals;
	} moved;

	/** @counted: Where the extract index was when the eventfd was read last. */
	uint64_t counted;

	/** @final: The final sample was seen, and nothing behind it yet. */
	bool final;

	/** @owed_final: A count for the final sample has to come. */
	bool owed_final;

	/** @stop_signals: Value of @signals before STOP. */
	uint64_t stop_signals;
};

static struct tally *tally;
static unsigned int process;
static unsigned long long seed;
static struct drm_panthor_perf_info info;
/* May the GPU go away, and has it? */
static bool unplugs;
static bool gone;

#define ADD(field, n)	__atomic_add_fetch(&tally->field, n, __ATOMIC_RELAXED)

static void __attribute__((format(printf, 2, 3)))
complain(const struct client *c, const char *format, ...)
{
	char text[240];
	va_list args;

	if (ADD(complaints, 1) > MAX_COMPLAINTS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	check(false, "process %u session %u setup %u flags %u period %" PRIu64 ": %s - seed %llu",
	      process, c->number, c->setups, c->session.setup.flags,
	      (uint64_t)c->session.setup.sample_period_ns, text, seed);
}

static bool is_periodic(const struct client *c)
{
	return c->session.setup.sample_period_ns;
}

static bool is_batched(const struct client *c)
{
	return c->session.setup.flags & DRM_PANTHOR_PERF_SETUP_WAKEUP;
}

static bool lets_sleep(const struct client *c)
{
	return c->session.setup.flags & DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
}

/* Does the outcome of a call say that the GPU is gone, as it may? */
static bool is_lost(int error)
{
	if (error == ENODEV && unplugs)
		gone = true;
	return gone && error == ENODEV;
}

/* Any call tells. */
static bool probe(const struct client *c)
{
	struct drm_panthor_perf_teardown none = { .handle = NO_HANDLE };

	return is_lost(perf_call(c->session.fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &none));
}

/* ---- Samples ---- */

static void check_header(struct client *c, const struct drm_panthor_perf_sample_header *header,
			 const struct call *call)
{
	const uint32_t asleep = DRM_PANTHOR_PERF_EVENT_SUSPEND |
				DRM_PANTHOR_PERF_EVENT_HOST_TIME;
	struct ledger before = c->ledger, *ledger = &c->ledger;
	bool error = header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR;
	const char *wrong;

	wrong = ledger_check(ledger, header, call->run, call->user_data, call->stop);
	if (wrong)
		complain(c, "%s", wrong);
	if (!error && header->timestamp_end_ns < call->ns)
		complain(c, "ends %" PRIu64 " ns before it was asked for",
			 (uint64_t)(call->ns - header->timestamp_end_ns));
	/* Of a GPU that sleeps, the newest one is from before. */
	if (!error && header->gpu_timestamp && header->gpu_timestamp < call->ticks &&
	    !((lets_sleep(c) || c->timeline) && (header->events & asleep) == asleep))
		complain(c, "the GPU's sample is %" PRIu64 " ticks older than the call",
			 (uint64_t)(call->ticks - header->gpu_timestamp));
	if (header->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT)
		complain(c, "BAD_EXTRACT");
	/* A point is merged while but one slot is free. */
	if (header->events & DRM_PANTHOR_PERF_EVENT_RING_FULL &&
	    call->extract + c->session.setup.sample_slots > c->extract + 1)
		complain(c, "sample %" PRIu64 ": RING_FULL with %" PRIu64 " of %u slots free",
			 c->extract, call->extract + c->session.setup.sample_slots - c->extract,
			 c->session.setup.sample_slots);
	ADD(samples, 1);
	ADD(errors, error);
	ADD(periodic, is_periodic(c));
	ADD(compact, c->session.setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT);
	ADD(slept, lets_sleep(c) && header->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	ADD(batched, is_batched(c));
	ADD(merged, header->merged);
	ADD(stretched, header->merged > 0);
	ADD(on_point, ledger->on_point - before.on_point);
	ADD(late, ledger->late - before.late);
	ADD(ring_full, ledger->ring_full - before.ring_full);
}

static struct call *unread_call(struct client *c, uint64_t index)
{
	return &c->unread[index & (c->session.setup.sample_slots - 1)];
}

static void read_sample(struct client *c)
{
	static _Alignas(8) unsigned char sample[1 << 20];
	uint32_t size = c->session.setup.sample_size;

	if (size > sizeof(sample)) {
		errno = E2BIG;
		die("a sample");
	}
	memcpy(sample, session_slot(&c->session, c->extract), size);
	raw_sample(&c->raw, sample);
	check_header(c, (const void *)sample, unread_call(c, c->extract));
	c->extract++;
}

/* Sample number c->seen was published: the answer to a call that waits, or to a period. */
static bool see_sample(struct client *c)
{
	const struct drm_panthor_perf_sample_header *header = session_slot(&c->session, c->seen);
	struct call *call = unread_call(c, c->seen);
	bool point = is_periodic(c) && (c->state == STARTED || c->state == STOPPING);

	/* STOP's is the last one, but some points' may come before it. */
	if (c->state == STOPPING && header->user_data == c->calls[0].user_data)
		point = false;
	if (!point && !c->call_count)
		return false;
	*call = point ? c->begun : c->calls[0];
	if (!point) {
		c->call_count--;
		memmove(&c->calls[0], &c->calls[1], c->call_count * sizeof(c->calls[0]));
		if (c->state == STOPPING && !c->call_count) {
			c->state = STOPPED;
			c->final = true;
			c->owed_final = c->signals == c->stop_signals;
		}
	}
	c->seen++;
	return true;
}

/* The fences of samples that have not been published must not have signalled before. */
static void check_order(struct client *c, uint64_t signalled)
{
	for (unsigned int i = 0; i < c->call_count && !gone; i++)
		if (c->calls[i].point && c->calls[i].point <= signalled)
			complain(c, "point %" PRIu64 " has signalled before its sample, number %"
				 PRIu64, c->calls[i].point, c->seen + i);
}

/* Each sample that is published signals its fence, and so does each that never comes. */
static void check_fences(struct client *c)
{
	int error = c->point ? point_wait(c->session.fd, c->timeline, c->point, SETTLE_NS) : 0;

	if (error && !is_lost(error))
		complain(c, "waiting for point %" PRIu64 ": %s", c->point, errno_name(error));
}

/* What was published since the last look, but not behind a final sample: that is another run's. */
static void look(struct client *c)
{
	enum state before = c->state;
	uint64_t signalled = 0, insert, first = c->seen;
	bool good;

	if (c->point)
		is_lost(point_signalled(c->session.fd, c->timeline, &signalled));
	insert = session_insert(&c->session);
	good = insert >= c->seen && insert <= c->extract + c->session.setup.sample_slots;
	while (good && c->seen != insert && (c->state == before || c->state != STOPPED)) {
		good = see_sample(c);
		/* Since the sample before it at the earliest, the kernel has seen this. */
		if (good)
			unread_call(c, c->seen - 1)->extract =
				c->seen == first + 1 ? c->batch : c->looked;
	}
	if (!good)
		complain(c, "the insert index went from %" PRIu64 " to %" PRIu64
			 ", %u samples were asked for in state %d", c->seen, insert, c->call_count,
			 c->state);
	if (c->seen != first)
		c->batch = c->looked;
	c->looked = c->extract;
	if (good)
		check_order(c, signalled);
}

static void drain(struct client *c, uint64_t most)
{
	look(c);
	while (c->extract != c->seen && most--)
		read_sample(c);
	session_consume(&c->session, c->extract);
	if (c->extract == c->moved.extract)
		return;
	c->moved.extract = c->extract;
	c->moved.insert = session_insert(&c->session);
	c->moved.signals = c->signals;
}

static unsigned int free_slots(const struct client *c, uint64_t insert)
{
	return c->session.setup.sample_slots - (insert - c->extract);
}

/* ---- The eventfd ---- */

/* Is there a reason for a count, of a client that wants them for several samples? */
static bool may_count(struct client *c)
{
	/* So many were unread at most when it came. */
	return c->final || c->seen - c->counted >= c->session.setup.wakeup_samples;
}

/* Does a count have to come without another sample? */
static bool owes_count(const struct client *c)
{
	if (!is_batched(c))
		return c->signals != c->seen;
	if (c->owed_final && c->signals == c->stop_signals)
		return true;
	/* All that is unread counts with a sample behind the move of the index. */
	if (c->signals != c->moved.signals || c->seen <= c->moved.insert)
		return false;
	return c->seen - c->moved.extract >= c->session.setup.wakeup_samples;
}

static void count_signals(struct client *c)
{
	uint64_t count = session_signals(&c->session);

	c->signals += count;
	look(c);
	if (is_batched(c))
		ADD(wakeups, count);
	/* A count without a sample says that the GPU is gone. */
	if (c->signals > c->seen && !probe(c))
		complain(c, "%" PRIu64 " counts of the eventfd, %" PRIu64 " samples", c->signals,
			 c->seen);
	if (count && is_batched(c) && !may_count(c) && !probe(c))
		complain(c, "a count for %" PRIu64 " samples, not for %u", c->seen - c->counted,
			 c->session.setup.wakeup_samples);
	c->counted = c->moved.extract;
}

/* Wait until all that was asked for is there, and signalled, or the GPU is gone. */
static void settle(struct client *c)
{
	struct pollfd wait = { .fd = c->session.eventfd, .events = POLLIN };
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + SETTLE_NS;

	/* Points' samples go on coming, and are nothing to wait for. */
	while (!gone && (c->call_count ||
			 (owes_count(c) && !(is_periodic(c) && c->state == STARTED)))) {
		int ready = poll(&wait, 1, is_batched(c) ? POLL_MS : 100 * POLL_MS);

		count_signals(c);
		if (ready > 0 || (unplugs && probe(c)) || clock_ns(CLOCK_MONOTONIC) < end)
			continue;
		complain(c, "%" PRIu64 " counts of the eventfd, %" PRIu64
			 " samples, %" PRIu64 " of them seen, %u to come", c->signals,
			 session_insert(&c->session), c->seen, c->call_count);
		exit(1);
	}
	if (!c->call_count)
		check_fences(c);
}

#endif
