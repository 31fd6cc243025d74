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
 *	PERF_ALL	every session asks for all counters
 *	PERF_FAULTS	the firmware may fail, and then START and SAMPLE
 *	PERF_KEEP	sessions are set up only once, which no limit can prevent then
 *	PERF_PAUSE	each process pauses so many ms on average between two calls
 *
 * The samples go to FOLDER, a raw sample file for each session that was set up, to be compared
 * with the GPU's own totals outside. The user data of the samples tell when the calls were made, as
 * the comparer's --call-times wants it.
 */

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "perf.h"
#include "random.h"

#define MAX_PROCESSES	64
#define MAX_SESSIONS	16
#define SLOTS_MAX	16
#define MAX_COMPLAINTS	10
#define NO_HANDLE	0xfffffff0u
#define POISON		0xa5
#define UNKNOWN_LENGTH	(~0ull << 40)

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

	/** @file: Its samples since it was set up. */
	FILE *file;

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

	/** @sample_nr: Number that the next sample to be read has. */
	uint64_t sample_nr;

	/** @fresh: No sample was asked for since START. */
	bool fresh;

	/** @window: User data for the first sample of the run: when START was called. */
	uint64_t window;

	/** @start: Nanoseconds before and behind each START whose first sample was not read yet. */
	struct {
		uint64_t before, behind;
	} start[SLOTS_MAX + 1];

	/** @first_start: The oldest of them, modulo their number. */
	unsigned int first_start;

	/** @next_start: Where the next one goes, likewise. */
	unsigned int next_start;

	/** @last: Unread samples that are the last ones of their run, a bit for each slot. */
	uint32_t last;

	/** @end_ns: End of the sample that was read last. */
	uint64_t end_ns;
};

static struct tally *tally;
static unsigned int process;
static struct drm_panthor_perf_info info;
static struct drm_panthor_gpu_info gpu;
static const char *folder;
static unsigned long long seed;
static bool faults;
static bool keep;
static bool all;
static unsigned int pause_ms;
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
	check(false, "process %u session %u setup %u: %s - seed %llu", process, c->number,
	      c->setups, text, seed);
}

static void on_term(int signal)
{
	(void)signal;
	terminated = 1;
}

static uint64_t ticks(void)
{
	uint64_t now;

	/* The GPU's timestamp is that of the CPUs' timer. */
	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (now) : : "memory");
	return now;
}

static uint64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* ---- Raw sample files ---- */

static void put_file(FILE *file, const void *bytes, size_t size)
{
	if (fwrite(bytes, size, 1, file) != 1)
		die("writing a raw sample file");
}

static void open_file(struct client *c)
{
	uint32_t sections = c->session.setup.sections.count;
	const struct {
		char magic[8];
		uint32_t version, header_size, info_size, section_size, section_count, sample_size;
		uint32_t block_set, gpu_id;
		uint64_t period_ns, shader_present, pad;
	} header = {
		.magic = "PTPRFRAW",
		.version = 1,
		.header_size = 64 + sizeof(info) + sections * sizeof(c->session.sections[0]),
		.info_size = sizeof(info),
		.section_size = sizeof(c->session.sections[0]),
		.section_count = sections,
		.sample_size = c->session.setup.sample_size,
		.gpu_id = gpu.gpu_id,
		.shader_present = gpu.shader_present,
	};
	char path[256];

	_Static_assert(sizeof(header) == 64, "the header of a raw sample file");
	snprintf(path, sizeof(path), "%s/%u.%u.%u.raw", folder, process, c->number, c->setups);
	c->file = fopen(path, "wb");
	if (!c->file)
		die(path);
	put_file(c->file, &header, sizeof(header));
	put_file(c->file, &info, sizeof(info));
	if (sections)
		put_file(c->file, c->session.sections, sections * sizeof(c->session.sections[0]));
}

static void close_file(struct client *c)
{
	if (c->file && fclose(c->file))
		die("closing a raw sample file");
	c->file = NULL;
}

/* ---- Samples ---- */

static void check_header(struct client *c, const struct drm_panthor_perf_sample_header *header,
			 const struct call *call)
{
	bool error = header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR;

	if (!c->sample_nr) {
		unsigned int run = c->first_start++ % (SLOTS_MAX + 1);

		if (header->timestamp_start_ns < c->start[run].before ||
		    header->timestamp_start_ns > c->start[run].behind)
			complain(c, "starts at %" PRIu64 " ns, START lasted from %" PRIu64 " to %"
				 PRIu64, (uint64_t)header->timestamp_start_ns,
				 c->start[run].before, c->start[run].behind);
	} else if (header->timestamp_start_ns != c->end_ns) {
		complain(c, "sample %" PRIu64 " starts at %" PRIu64 " ns, the one before ends at %"
			 PRIu64, c->sample_nr, (uint64_t)header->timestamp_start_ns, c->end_ns);
	}
	if (header->sample_nr != c->sample_nr)
		complain(c, "sample_nr %" PRIu64 ", not %" PRIu64, (uint64_t)header->sample_nr,
			 c->sample_nr);
	if (header->user_data != call->user_data)
		complain(c, "user data %#" PRIx64 ", not %#" PRIx64, (uint64_t)header->user_data,
			 call->user_data);
	if (!error && header->timestamp_end_ns < call->ns)
		complain(c, "ends %" PRIu64 " ns before it was asked for",
			 (uint64_t)(call->ns - header->timestamp_end_ns));
	if (header->timestamp_end_ns > raw_ns())
		complain(c, "ends in the future");
	if (!error && header->gpu_timestamp && header->gpu_timestamp < call->ticks)
		complain(c, "the GPU's sample is %" PRIu64 " ticks older than the call",
			 (uint64_t)(call->ticks - header->gpu_timestamp));
	if (header->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT)
		complain(c, "BAD_EXTRACT");
	c->end_ns = header->timestamp_end_ns;
	ADD(errors, error);
	ADD(samples, 1);
}

static uint32_t slot_bit(const struct client *c, uint64_t index)
{
	return 1u << (index & (c->session.setup.sample_slots - 1));
}

static void read_sample(struct client *c)
{
	static _Alignas(8) unsigned char sample[1 << 20];
	uint32_t size = c->session.setup.sample_size;
	unsigned int slot = c->extract & (c->session.setup.sample_slots - 1);

	if (size > sizeof(sample)) {
		errno = E2BIG;
		die("a sample");
	}
	memcpy(sample, session_slot(&c->session, c->extract), size);
	if (!c->file)
		open_file(c);
	put_file(c->file, sample, size);
	check_header(c, (const void *)sample, &c->unread[slot]);
	c->sample_nr = c->last & slot_bit(c, c->extract) ? 0 : c->sample_nr + 1;
	c->last &= ~slot_bit(c, c->extract);
	c->extract++;
}

/* What was published since the last look. */
static void look(struct client *c)
{
	uint64_t insert = session_insert(&c->session);

	if (insert < c->seen || insert > c->seen + c->call_count) {
		complain(c, "the insert index went from %" PRIu64 " to %" PRIu64
			 ", %u samples were asked for", c->seen, insert, c->call_count);
		insert = c->seen;
	}
	for (; c->seen != insert; c->seen++) {
		c->unread[c->seen & (c->session.setup.sample_slots - 1)] = c->calls[0];
		c->calls[0] = c->calls[1];
		c->call_count--;
		if (c->state == STOPPING && !c->call_count) {
			c->last |= slot_bit(c, c->seen);
			c->state = STOPPED;
		}
	}
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
	uint64_t want = c->seen + c->call_count;

	while (c->signals != want) {
		int ready = poll(&wait, 1, 20000);

		/* The signal that ends a run without an end. */
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready != 1) {
			complain(c, "%" PRIu64 " counts of the eventfd and %" PRIu64
				 " samples instead of %" PRIu64, c->signals,
				 session_insert(&c->session), want);
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
	c->sample_nr = 0;
	c->first_start = 0;
	c->next_start = 0;
	c->last = 0;
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
	close_file(c);
	memset(c->session.ring.map, POISON, c->session.ring.size);
	memset(c->session.control.map, POISON, c->session.control.size);
	c->session.setup.handle = NO_HANDLE;
	c->state = NONE;
}

static int call_start(struct client *c)
{
	uint64_t entry, length, before;
	int got;

	before = raw_ns();
	entry = ticks();
	got = session_start(&c->session, random_u64());
	length = (ticks() - entry) / 16;
	if (got)
		return got;
	c->window = entry | (length < 0xffffff ? length << 40 : UNKNOWN_LENGTH);
	c->fresh = true;
	c->start[c->next_start % (SLOTS_MAX + 1)].before = before;
	c->start[c->next_start++ % (SLOTS_MAX + 1)].behind = raw_ns();
	ADD(starts, 1);
	return 0;
}

static void do_start(struct client *c)
{
	enum state before;
	int got;

	if (c->state != NONE)
		look(c);
	before = c->state;
	got = call_start(c);
	if (before == STOPPING) {
		/* The final sample may just have come. */
		look(c);
		if (c->state == STOPPING || !free_slots(c, c->seen) || got)
			outcome(c, "START before the final sample", got, EBUSY);
		else
			outcome(c, "START behind the final sample", got, 0);
	} else {
		outcome(c, "START", got, before == NONE ? ENOENT : before == STARTED ? EINVAL :
			free_slots(c, c->seen) ? 0 : EBUSY);
	}
	if (!got)
		c->state = STARTED;
}

static struct call new_call(struct client *c)
{
	struct call call = { .ticks = ticks(), .ns = raw_ns() };

	call.user_data = c->fresh ? c->window : call.ticks | UNKNOWN_LENGTH;
	return call;
}

static void add_call(struct client *c, const struct call *call)
{
	c->calls[c->call_count++] = *call;
	c->fresh = false;
}

static void do_sample(struct client *c)
{
	struct call call = new_call(c);
	bool pending;
	int got;

	if (c->state != NONE)
		look(c);
	pending = c->call_count;
	got = session_sample(&c->session, call.user_data);
	if (c->state == STARTED && pending && !got) {
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
	if (c->state != STARTED)
		outcome(c, "SAMPLE", got, c->state == NONE ? ENOENT : EINVAL);
	else
		outcome(c, "SAMPLE", got, pending || free_slots(c, c->seen) < 2 ? EBUSY : 0);
	if (!got && c->state == STARTED)
		add_call(c, &call);
}

static void do_stop(struct client *c)
{
	struct call call = new_call(c);
	int got;

	if (c->state != NONE)
		look(c);
	got = session_stop(&c->session, call.user_data);
	outcome(c, "STOP", got, c->state == NONE ? ENOENT : c->state == STARTED ? 0 : EINVAL);
	if (got || c->state != STARTED)
		return;
	add_call(c, &call);
	c->state = STOPPING;
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
		if (dice < 85)
			do_sample(c);
		else
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
	struct drm_panthor_dev_query query = {
		.type = DRM_PANTHOR_DEV_QUERY_GPU_INFO,
		.size = sizeof(gpu),
		.pointer = (uintptr_t)&gpu,
	};
	int fd = open_gpu();

	random_seed(seed * 1000003 + process);
	info = perf_info(fd);
	if (ioctl(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query))
		die("GPU_INFO");
	for (unsigned int i = 0; i < sessions; i++) {
		clients[i].number = i;
		clients[i].session.fd = fd;
		clients[i].session.setup.handle = NO_HANDLE;
		do_setup(&clients[i], fd);
	}
	while (!terminated && ADD(calls, 0) < calls && ADD(complaints, 0) < MAX_COMPLAINTS) {
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
	keep = getenv("PERF_KEEP");
	all = getenv("PERF_ALL");
	pause_ms = getenv("PERF_PAUSE") ? atoi(getenv("PERF_PAUSE")) : 0;
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
	check(terminated || tally->calls >= calls, "%" PRIu64 " calls, %" PRIu64
	      " of them refused", tally->calls, tally->refused);
	check(tally->samples >= tally->calls / 8, "%" PRIu64 " samples of %" PRIu64 " runs of %"
	      PRIu64 " sessions", tally->samples, tally->starts, tally->setups);
	if (faults)
		check(tally->errors, "%" PRIu64 " calls failed with the firmware, %" PRIu64
		      " samples have ERROR", tally->failed, tally->errors);
	else
		check_eq("samples with ERROR", tally->errors, 0);
	return failed || tally->complaints;
}
