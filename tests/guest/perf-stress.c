// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Many sessions in many processes, at random.
 *
 *	perf-stress PROCESSES SESSIONS CALLS SEED FOLDER
 *
 * Each process opens the GPU by itself and has its own sessions, each with counters of its own.
 * All of them together make that number of calls: SETUP, START, SAMPLE, STOP, TEARDOWN, mostly
 * where they make sense and now and then where they do not. Each process knows the state that its
 * sessions are in, and so the outcome of each call and what each sample's header must say.
 *
 * SIGTERM ends it early. In the environment:
 *
 *	PERF_ALL	every session asks for all counters, and each process begins with a sample
 *	PERF_FDINFO	the kernel's ledger in fdinfo is compared with what was read
 *	PERF_FAULTS	the firmware may fail, and then START and SAMPLE
 *	PERF_KEEP	sessions are set up only once, which no limit can prevent then
 *	PERF_PAUSE	each process pauses so many ms on average between two calls
 *	PERF_PERIODS	so many of a hundred sessions have a period, from the shortest to a second
 *	PERF_SAMPLES	the end comes when so many samples were read
 *
 * The samples go to FOLDER, a raw sample file for each session that was set up, to be compared
 * with the GPU's own totals outside. The user data of the samples tell when the calls were made, as
 * the comparer's --call-times wants it.
 */

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ledger.h"
#include "random.h"
#include "raw.h"

#define MAX_PROCESSES	64
#define MAX_SESSIONS	16
#define SLOTS_MAX	16
#define MAX_COMPLAINTS	10
#define NO_HANDLE	0xfffffff0u
#define POISON		0xa5
#define UNKNOWN_LENGTH	(~0ull << 40)
#define LONGEST_NS	NS_PER_S
#define RUNS		(SLOTS_MAX + 2)

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

	/** @setups: Sessions that were set up. */
	uint64_t setups;

	/** @starts: Times that a session was started. */
	uint64_t starts;

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

	/** @ledgers: Times that the kernel's ledger was compared. */
	uint64_t ledgers;

	/** @complaints: What was not as it must be. */
	uint64_t complaints;
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

	/** @calls: The calls whose samples are still to come. */
	struct call calls[2];

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
};

static struct tally *tally;
static unsigned int process;
static struct drm_panthor_perf_info info;
static const char *folder;
static unsigned long long seed;
static bool faults;
static bool keep;
static bool all;
static unsigned int pause_ms;
static unsigned int periods;
static bool fdinfo;
static uint64_t samples_wanted;
static volatile sig_atomic_t terminated;

#define ADD(field, n)	__atomic_add_fetch(&tally->field, n, __ATOMIC_RELAXED)

static void __attribute__((format(printf, 2, 3)))
complain(const struct client *c, const char *format, ...)
{
	char text[200];
	va_list args;

	if (ADD(complaints, 1) > MAX_COMPLAINTS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	check(false, "process %u session %u setup %u period %" PRIu64 ": %s - seed %llu", process,
	      c->number, c->setups, (uint64_t)c->session.setup.sample_period_ns, text, seed);
}

static void on_term(int signal)
{
	(void)signal;
	terminated = 1;
}

static bool is_periodic(const struct client *c)
{
	return c->session.setup.sample_period_ns;
}

/* ---- Samples ---- */

static void check_header(struct client *c, const struct drm_panthor_perf_sample_header *header,
			 const struct call *call)
{
	struct ledger before = c->ledger, *ledger = &c->ledger;
	bool error = header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR;
	const char *wrong;

	wrong = ledger_check(ledger, header, call->run, call->user_data, call->stop);
	if (wrong)
		complain(c, "%s", wrong);
	if (!error && header->timestamp_end_ns < call->ns)
		complain(c, "ends %" PRIu64 " ns before it was asked for",
			 (uint64_t)(call->ns - header->timestamp_end_ns));
	if (!error && header->gpu_timestamp && header->gpu_timestamp < call->ticks)
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
		c->calls[0] = c->calls[1];
		c->call_count--;
		if (c->state == STOPPING && !c->call_count)
			c->state = STOPPED;
	}
	c->seen++;
	return true;
}

/* What was published since the last look, but not behind a final sample: that is another run's. */
static void look(struct client *c)
{
	uint64_t insert = session_insert(&c->session), first = c->seen;
	enum state before = c->state;
	bool good = insert >= c->seen && insert <= c->extract + c->session.setup.sample_slots;

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
}

static void drain(struct client *c, uint64_t most)
{
	look(c);
	while (c->extract != c->seen && most--)
		read_sample(c);
	session_consume(&c->session, c->extract);
}

static unsigned int free_slots(const struct client *c, uint64_t insert)
{
	return c->session.setup.sample_slots - (insert - c->extract);
}

static void count_signals(struct client *c)
{
	c->signals += session_signals(&c->session);
	look(c);
	if (c->signals > c->seen)
		complain(c, "%" PRIu64 " counts of the eventfd, %" PRIu64 " samples", c->signals,
			 c->seen);
}

/* Wait until all that was asked for is there, and signalled. */
static void settle(struct client *c)
{
	struct pollfd wait = { .fd = c->session.eventfd, .events = POLLIN };

	/* Points' samples go on coming, and are nothing to wait for. */
	while (c->call_count ||
	       (c->signals != c->seen && !(is_periodic(c) && c->state == STARTED))) {
		int ready = poll(&wait, 1, 20000);

		/* The signal that ends a run without an end. */
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready != 1) {
			complain(c, "%" PRIu64 " counts of the eventfd, %" PRIu64
				 " samples, %" PRIu64 " of them seen, %u to come", c->signals,
				 session_insert(&c->session), c->seen, c->call_count);
			exit(1);
		}
		count_signals(c);
	}
}

/* ---- Calls ---- */

static void outcome(struct client *c, const char *name, int got, int want)
{
	ADD(calls, 1);
	ADD(refused, got != 0);
	if (faults && !want && (got == EIO || got == ETIMEDOUT)) {
		ADD(failed, 1);
		return;
	}
	if (got != want)
		complain(c, "%s: %s, not %s (state %d, %u to come, %u free)", name, errno_name(got),
			 errno_name(want), c->state, c->call_count, free_slots(c, c->seen));
}

static uint64_t random_mask(uint32_t first)
{
	uint64_t mask = 0;

	switch (all ? 1 : random_below(4)) {
	case 0:
		break;
	case 1:
		mask = ~0ull;
		break;
	case 2:
		mask = 1ull << random_below(64);
		break;
	default:
		mask = random_u64();
		break;
	}
	return first ? mask : mask & ~0xfull;
}

static void make_objects(struct client *c, int fd)
{
	uint32_t slots = 2u << random_below(4);

	if (!c->has_objects)
		session_prepare(&c->session, fd, slots);
	c->has_objects = true;
	c->has_handles = true;
}

static void free_objects(struct client *c)
{
	if (c->has_objects && c->has_handles) {
		session_release(&c->session);
	} else if (c->has_objects) {
		munmap(c->session.ring.map, c->session.ring.size);
		munmap(c->session.control.map, c->session.control.size);
		close(c->session.eventfd);
	}
	c->has_objects = false;
}

static void close_handles(struct client *c)
{
	struct drm_gem_close ring = { .handle = c->session.ring.handle };
	struct drm_gem_close control = { .handle = c->session.control.handle };

	if (ioctl(c->session.fd, DRM_IOCTL_GEM_CLOSE, &ring) ||
	    ioctl(c->session.fd, DRM_IOCTL_GEM_CLOSE, &control))
		complain(c, "closing the handles of a session's objects fails");
	c->has_handles = false;
}

/* Behind TEARDOWN nobody writes to the objects. */
static void check_poison(struct client *c)
{
	const struct object *objects[] = { &c->session.ring, &c->session.control };

	for (size_t i = 0; i < 2; i++) {
		const unsigned char *bytes = objects[i]->map;

		for (size_t at = 0; at < objects[i]->size; at++) {
			if (bytes[at] == POISON)
				continue;
			complain(c, "byte %zu of the %s was written behind TEARDOWN", at,
				 i ? "indices" : "ring");
			return;
		}
	}
}

/* Some periods are many sessions' own, the others of any length: as many short as long ones. */
static uint64_t random_period(void)
{
	uint64_t shortest = info.min_period_ns, period = shortest;

	if (random_below(100) >= periods)
		return 0;
	switch (random_below(8)) {
	case 0:
		return shortest;
	case 1:
		return LONGEST_NS;
	case 2:
		return LONGEST_NS / 100;
	default:
		break;
	}
	while (period < LONGEST_NS && random_below(8))
		period *= 2;
	period += random_u64() % period;
	return period < LONGEST_NS ? period : LONGEST_NS;
}

static void do_setup(struct client *c, int fd)
{
	int got;

	if (c->has_objects && c->setups)
		check_poison(c);
	if (random_below(4) == 0 || !c->has_handles)
		free_objects(c);
	make_objects(c, fd);
	for (uint32_t i = 0; i < c->session.setup.sections.count; i++)
		c->session.sections[i].mask = random_mask(c->session.sections[i].first_counter);
	c->session.setup.control_offset = 8 * random_below(511);
	c->session.setup.sample_period_ns = random_period();
	c->session.setup.handle = 0;

	got = session_setup(&c->session);
	outcome(c, "SETUP", got, 0);
	if (got)
		exit(1);
	ADD(setups, 1);
	c->setups++;
	c->state = STOPPED;
	c->extract = 0;
	c->seen = 0;
	c->signals = 0;
	c->call_count = 0;
	c->looked = 0;
	c->batch = 0;
	c->ledger = (struct ledger){ .period_ns = c->session.setup.sample_period_ns };
	if (random_below(4) == 0)
		close_handles(c);
}

static void do_teardown(struct client *c)
{
	uint32_t handle = c->session.setup.handle;

	if (c->state == NONE) {
		c->session.setup.handle = NO_HANDLE;
		outcome(c, "TEARDOWN", session_teardown(&c->session), ENOENT);
		return;
	}
	outcome(c, "TEARDOWN", session_teardown(&c->session), 0);
	count_signals(c);
	if (c->signals != c->seen)
		complain(c, "TEARDOWN: %" PRIu64 " counts of the eventfd, %" PRIu64 " samples",
			 c->signals, c->seen);
	c->session.setup.handle = handle;
	outcome(c, "TEARDOWN again", session_teardown(&c->session), ENOENT);
	drain(c, UINT64_MAX);
	if (c->state == STOPPING && c->raw.file)
		raw_teardown(&c->raw);
	raw_close(&c->raw);
	memset(c->session.ring.map, POISON, c->session.ring.size);
	memset(c->session.control.map, POISON, c->session.control.size);
	c->session.setup.handle = NO_HANDLE;
	c->state = NONE;
}

static struct call new_call(struct client *c)
{
	struct call call = { .ticks = ticks(), .ns = raw_ns(), .run = &c->runs[c->run] };

	call.user_data = call.ticks | UNKNOWN_LENGTH;
	return call;
}

/* Of a manual session, the first sample tells when START was called. */
static struct call new_call_for_sample(struct client *c)
{
	struct call call = new_call(c);

	if (c->fresh && !is_periodic(c))
		call.user_data = c->window;
	return call;
}

static void add_call(struct client *c, const struct call *call)
{
	c->calls[c->call_count++] = *call;
	c->fresh = false;
}

/* START has succeeded, and the final sample of the run before was seen. */
static void begin_run(struct client *c, const struct raw_call *raw, const struct call *call,
		      uint64_t length)
{
	char path[256];

	if (!c->raw.file) {
		snprintf(path, sizeof(path), "%s/%u.%u.%u.raw", folder, process, c->number,
			 c->setups);
		raw_open(&c->raw, path, &c->session);
	}
	raw_call(&c->raw, RAW_START, raw);
	c->run = (c->run + 1) % RUNS;
	c->runs[c->run] = (struct run){ raw->user_data, raw->before, raw->after };
	c->begun = *call;
	c->begun.run = &c->runs[c->run];
	c->window = call->ticks | (length < 0xffffff ? length << 40 : UNKNOWN_LENGTH);
	c->fresh = true;
	c->state = STARTED;
	ADD(starts, 1);
}

static void do_start(struct client *c)
{
	struct raw_call raw = { .before = clocks_now() };
	enum state before;
	struct call call;
	uint64_t length;
	int got;

	if (c->state != NONE)
		look(c);
	before = c->state;
	call = new_call(c);
	raw.user_data = call.user_data;
	got = session_start(&c->session, call.user_data);
	length = (ticks() - call.ticks) / 16;
	raw.after = clocks_now();
	if (before == STOPPING) {
		/* The final sample may just have come, before START or behind it. */
		look(c);
		if (c->state == STOPPING || !free_slots(c, c->seen) || got == EBUSY)
			outcome(c, "START before the final sample", got, EBUSY);
		else
			outcome(c, "START behind the final sample", got, 0);
	} else {
		outcome(c, "START", got, before == NONE ? ENOENT : before == STARTED ? EINVAL :
			free_slots(c, c->seen) ? 0 : EBUSY);
	}
	if (!got)
		begin_run(c, &raw, &call, length);
}

static void do_sample(struct client *c)
{
	struct call call = new_call_for_sample(c);
	bool pending;
	int got;

	if (c->state != NONE)
		look(c);
	pending = c->call_count;
	got = session_sample(&c->session, call.user_data);
	if (c->state != STARTED || is_periodic(c)) {
		outcome(c, "SAMPLE", got, c->state == NONE ? ENOENT : EINVAL);
		return;
	}
	if (pending && !got) {
		/* Then the one before was published by now. */
		if (session_insert(&c->session) == c->seen)
			complain(c, "SAMPLE while one is pending");
		else if (free_slots(c, c->seen + 1) < 2)
			complain(c, "SAMPLE with %u free slots", free_slots(c, c->seen + 1));
		ADD(calls, 1);
		add_call(c, &call);
		look(c);
		return;
	}
	outcome(c, "SAMPLE", got, pending || free_slots(c, c->seen) < 2 ? EBUSY : 0);
	if (!got)
		add_call(c, &call);
}

static void do_stop(struct client *c)
{
	struct raw_call raw = { .before = clocks_now() };
	struct call call = new_call_for_sample(c);
	int got;

	if (c->state != NONE)
		look(c);
	call.stop = true;
	raw.user_data = call.user_data;
	got = session_stop(&c->session, call.user_data);
	raw.after = clocks_now();
	outcome(c, "STOP", got, c->state == NONE ? ENOENT : c->state == STARTED ? 0 : EINVAL);
	if (got || c->state != STARTED)
		return;
	raw_call(&c->raw, RAW_STOP, &raw);
	add_call(c, &call);
	c->state = STOPPING;
}

/* ---- fdinfo ---- */

/* The kernel's ledger of a session that is not started has to be the client's. */
static void check_fdinfo(struct client *c)
{
	uint64_t period, published, merged, erroneous, unread;
	struct ledger *ledger = &c->ledger;
	char path[64], key[64], line[256];
	bool found = false, right = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", c->session.fd);
	snprintf(key, sizeof(key), "panthor-perf-session-%u:", c->session.setup.handle);
	file = fopen(path, "r");
	if (!file)
		die(path);
	while (!found && fgets(line, sizeof(line), file))
		found = !strncmp(line, key, strlen(key));
	fclose(file);
	line[strcspn(line, "\n")] = 0;
	if (found && sscanf(line + strlen(key), " stopped period=%" SCNu64 " published=%" SCNu64
			    " merged=%" SCNu64 " erroneous=%" SCNu64 " unread=%" SCNu64, &period,
			    &published, &merged, &erroneous, &unread) == 5)
		right = period == ledger->period_ns && published == c->seen &&
			unread == c->seen - c->extract &&
			(unread || (merged == ledger->merged && erroneous == ledger->erroneous));
	if (!right)
		complain(c, "fdinfo says '%s', %" PRIu64 " were published, %" PRIu64
			 " read with merged %" PRIu64 ", erroneous %" PRIu64, found ? line : "",
			 c->seen, c->extract, ledger->merged, ledger->erroneous);
	ADD(ledgers, 1);
}

/* A call that makes sense in the session's state, or any. */
static void step(struct client *c, int fd)
{
	unsigned int dice = random_below(100);

	if (random_below(12) == 0) {
		switch (random_below(keep ? 3 : 4)) {
		case 0:
			do_start(c);
			return;
		case 1:
			do_sample(c);
			return;
		case 2:
			do_stop(c);
			return;
		default:
			do_teardown(c);
			return;
		}
	}
	switch (c->state) {
	case NONE:
		do_setup(c, fd);
		return;
	case STOPPED:
		drain(c, random_below(2) ? UINT64_MAX : 1);
		if (fdinfo && random_below(8) == 0)
			check_fdinfo(c);
		if (dice < 95 || keep)
			do_start(c);
		else
			do_teardown(c);
		return;
	case STARTED:
		if (dice < 60)
			settle(c);
		if (dice % 3)
			drain(c, dice % 2 ? UINT64_MAX : random_below(3));
		if (dice < (is_periodic(c) ? 10 : 85))
			do_sample(c);
		else if (dice >= (is_periodic(c) ? 92 : 85))
			do_stop(c);
		return;
	case STOPPING:
		if (dice < 70)
			settle(c);
		drain(c, dice % 2 ? UINT64_MAX : 1);
		do_start(c);
		return;
	}
}

static int run_process(unsigned int sessions, uint64_t calls)
{
	static struct client clients[MAX_SESSIONS];
	int fd = open_gpu();

	random_seed(seed * 1000003 + process);
	info = perf_info(fd);
	for (unsigned int i = 0; i < sessions; i++) {
		clients[i].number = i;
		clients[i].session.fd = fd;
		clients[i].session.setup.handle = NO_HANDLE;
		do_setup(&clients[i], fd);
	}
	/* What the GPU counts first, for anybody, is then in a sample. */
	if (all && clients[0].state == STOPPED) {
		do_start(&clients[0]);
		do_sample(&clients[0]);
		settle(&clients[0]);
	}
	while (!terminated && ADD(calls, 0) < calls && ADD(complaints, 0) < MAX_COMPLAINTS &&
	       (!samples_wanted || ADD(samples, 0) < samples_wanted)) {
		step(&clients[random_below(sessions)], fd);
		if (pause_ms)
			usleep(random_below(2000 * pause_ms));
	}

	for (unsigned int i = 0; i < sessions; i++) {
		if (clients[i].state == NONE)
			continue;
		drain(&clients[i], UINT64_MAX);
		if (clients[i].state == STARTED)
			do_stop(&clients[i]);
		if (clients[i].state == STOPPING)
			settle(&clients[i]);
		drain(&clients[i], UINT64_MAX);
		if (fdinfo)
			check_fdinfo(&clients[i]);
		do_teardown(&clients[i]);
	}
	/* Half of the processes leave the rest to the kernel. */
	if (process % 2) {
		for (unsigned int i = 0; i < sessions; i++)
			free_objects(&clients[i]);
		close(fd);
	}
	return 0;
}

static uint64_t number_of(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : 0;
}

int main(int argc, char **argv)
{
	unsigned int processes, sessions, failed = 0;
	pid_t pids[MAX_PROCESSES];
	uint64_t calls;

	if (argc != 6) {
		fprintf(stderr, "usage: %s PROCESSES SESSIONS CALLS SEED FOLDER\n", argv[0]);
		return 2;
	}
	processes = atoi(argv[1]);
	sessions = atoi(argv[2]);
	calls = strtoull(argv[3], NULL, 0);
	seed = strtoull(argv[4], NULL, 0);
	folder = argv[5];
	faults = getenv("PERF_FAULTS");
	fdinfo = getenv("PERF_FDINFO");
	keep = getenv("PERF_KEEP");
	all = getenv("PERF_ALL");
	pause_ms = number_of("PERF_PAUSE");
	periods = number_of("PERF_PERIODS");
	samples_wanted = number_of("PERF_SAMPLES");
	if (!processes || processes > MAX_PROCESSES || !sessions || sessions > MAX_SESSIONS) {
		fprintf(stderr, "%s: 1 to %u processes with 1 to %u sessions\n", argv[0],
			MAX_PROCESSES, MAX_SESSIONS);
		return 2;
	}
	printf("perf-stress: %u processes with %u sessions, %" PRIu64 " calls, seed %llu\n",
	       processes, sessions, calls, seed);
	fflush(stdout);
	if (mkdir(folder, 0755) && errno != EEXIST)
		die(folder);
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (tally == MAP_FAILED)
		die("shared memory");

	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_term }, NULL);
	for (process = 0; process < processes; process++) {
		pids[process] = fork();

		if (pids[process] < 0)
			die("fork");
		if (!pids[process]) {
			int status = run_process(sessions, calls);

			fflush(stdout);
			_exit(status);
		}
	}
	for (process = 0; process < processes; process++) {
		int status = 0;

		/* Who is told to end tells the others. */
		while (waitpid(pids[process], &status, 0) < 0 && errno == EINTR)
			for (unsigned int i = process; i < processes; i++)
				kill(pids[i], SIGTERM);
		failed += status != 0;
	}
	check_eq("processes that failed", failed, 0);
	check_eq("what was not as it must be", tally->complaints, 0);
	check(terminated || samples_wanted || tally->calls >= calls, "%" PRIu64 " calls, %" PRIu64
	      " of them refused", tally->calls, tally->refused);
	if (terminated || !samples_wanted)
		samples_wanted = tally->calls / 8;
	check(tally->samples >= samples_wanted, "%" PRIu64 " samples of %" PRIu64 " runs of %"
	      PRIu64 " sessions", tally->samples, tally->starts, tally->setups);
	if (periods)
		check(tally->on_point && tally->merged, "%" PRIu64 " samples of periodic ones: %"
		      PRIu64 " at their point, %" PRIu64 " stretched by %" PRIu64 " points, %"
		      PRIu64 " LATE, %" PRIu64 " RING_FULL", tally->periodic, tally->on_point,
		      tally->stretched, tally->merged, tally->late, tally->ring_full);
	if (fdinfo)
		check(tally->ledgers, "%" PRIu64 " ledgers of the kernel compared", tally->ledgers);
	if (faults)
		check(tally->errors, "%" PRIu64 " calls failed with the firmware, %" PRIu64
		      " samples have ERROR", tally->failed, tally->errors);
	else
		check_eq("samples with ERROR", tally->errors, 0);
	return failed || tally->complaints;
}
