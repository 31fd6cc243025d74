// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-refused unchanged|late|loops ROUNDS|endless|files|limit
 *
 * Calls that are refused, many times:
 *
 *	unchanged	events with wrong arguments change nothing, on a suspended and on a powered GPU
 *	late		events that perf refuses after the driver has opened them leave nothing behind
 *	loops		another process makes refused calls without a pause, while root has ROUNDS sessions of the
 *			secondary set, one after another, all of which must work
 *	endless		a user without capabilities makes calls for events of all sets until the process is killed
 *	files		files that only root may write, or read
 *	limit		the largest number of events of a GPU
 */

#include <signal.h>
#include <sys/resource.h>

#include "access.h"

#define REPEATS		20
#define MAX_EVENTS	4096

/* ---- Events with wrong arguments ---- */

/**
 * struct wrong_event - an event that is refused to root, too
 */
struct wrong_event {
	/** @name: What is wrong. */
	const char *name;

	/** @change: Sets the wrong argument. */
	void (*change)(struct perf_event_attr *attr);

	/** @pid: Process. */
	pid_t pid;

	/** @cpu: CPU. */
	int cpu;
};

/* &struct perf_event_attr of the newest kernel: that of this program's headers may be shorter. */
union long_attr {
	struct perf_event_attr attr;
	uint64_t words[18];
};

/* Sets a member by its offset. */
static void set_word(struct perf_event_attr *attr, size_t offset)
{
	const uint64_t value = 1;

	attr->size = sizeof(union long_attr);
	memcpy((char *)attr + offset, &value, sizeof(value));
}

#define CHANGE(name, statement) \
	static void name(struct perf_event_attr *attr) { statement; }

CHANGE(right, (void)attr)
CHANGE(no_user, attr->exclude_user = 1)
CHANGE(no_kernel, attr->exclude_kernel = 1)
CHANGE(no_hypervisor, attr->exclude_hv = 1)
CHANGE(no_idle, attr->exclude_idle = 1)
CHANGE(no_host, attr->exclude_host = 1)
CHANGE(no_guest, attr->exclude_guest = 1)
CHANGE(period, attr->sample_period = 1000)
CHANGE(frequency, attr->freq = 1; attr->sample_freq = 100)
CHANGE(branches, attr->sample_type = PERF_SAMPLE_BRANCH_STACK; attr->branch_sample_type = PERF_SAMPLE_BRANCH_ANY)
CHANGE(unknown_bit, attr->config |= 1ull << 18)
CHANGE(set_3, attr->config |= 3 << 16)
CHANGE(block_0, attr->config &= ~0xffull)
CHANGE(block_255, attr->config |= 0xff)
CHANGE(counter_3, attr->config = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW | 3 << 8)
CHANGE(counter_255, attr->config |= 0xff00)
CHANGE(instance, attr->config1 = 1ull << 63)
CHANGE(config2, attr->config2 = 1)
CHANGE(config3, set_word(attr, 128))
CHANGE(config4, set_word(attr, 136))

static const struct wrong_event wrong_events[] = {
	{ "exclude_user", no_user, -1, 0 },
	{ "exclude_kernel", no_kernel, -1, 0 },
	{ "exclude_hv", no_hypervisor, -1, 0 },
	{ "exclude_idle", no_idle, -1, 0 },
	{ "exclude_host", no_host, -1, 0 },
	{ "exclude_guest", no_guest, -1, 0 },
	{ "sample_period", period, -1, 0 },
	{ "sample_freq", frequency, -1, 0 },
	{ "branch stack", branches, -1, 0 },
	{ "an unknown bit", unknown_bit, -1, 0 },
	{ "set 3", set_3, -1, 0 },
	{ "block 0", block_0, -1, 0 },
	{ "block 255", block_255, -1, 0 },
	{ "counter 3", counter_3, -1, 0 },
	{ "counter 255", counter_255, -1, 0 },
	{ "instance 63", instance, -1, 0 },
	{ "config2", config2, -1, 0 },
	{ "config3", config3, -1, 0 },
	{ "config4", config4, -1, 0 },
	{ "a process", right, 0, -1 },
	{ "a process on a CPU", right, 0, 0 },
	{ "no CPU", right, -1, -1 },
	{ "CPU 65535", right, -1, 65535 },
};

/* Returns 0 or the errno. */
static int call_wrong_event(const struct wrong_event *wrong, uint32_t set)
{
	union long_attr event = { .words = {} };
	int fd;

	event.attr = event_attr(set);
	wrong->change(&event.attr);
	fd = open_event(&event.attr, wrong->pid, wrong->cpu, -1, 0);
	if (fd < 0)
		/* Only the newest kernels have this member. */
		return errno == E2BIG && wrong->change == config4 ? EINVAL : errno;
	close(fd);
	return 0;
}

static void call_wrong_events(const char *gpu)
{
	struct snapshot before, after;

	take_snapshot(&before, true);
	for (size_t i = 0; i < ARRAY_SIZE(wrong_events); i++) {
		const struct wrong_event *wrong = &wrong_events[i];
		const char *changed;
		int error = EINVAL;

		for (int n = 0; n < REPEATS && error == EINVAL; n++)
			error = call_wrong_event(wrong, n % 3);
		take_snapshot(&after, true);
		changed = snapshot_changed(&before, &after);
		check(error == EINVAL && !changed, "%s: an event with %s%s%s%s", gpu,
		      wrong->name, error == EINVAL && !changed ? "" : " - ",
		      error == EINVAL ? "" : errno_name(error), changed ?: "");
		if (changed) {
			usleep(300000);
			take_snapshot(&before, true);
		}
	}
}

static int unchanged(void)
{
	wait_until_suspended();
	call_wrong_events("a suspended GPU");
	keep_powered(true);
	usleep(300000);
	call_wrong_events("a powered GPU");
	keep_powered(false);
	return 0;
}

/* ---- Sessions of root ---- */

/* A session from SETUP to TEARDOWN. Returns what failed, or NULL. */
static const char *try_session(struct session *s)
{
	static char text[128];
	const struct drm_panthor_perf_sample_header *header;
	int error = session_setup(s);

	if (error) {
		snprintf(text, sizeof(text), "SETUP: %s", errno_name(error));
		return text;
	}
	error = session_start(s, 0);
	if (error) {
		session_teardown(s);
		snprintf(text, sizeof(text), "START: %s", errno_name(error));
		return text;
	}
	session_stop(s, 0);
	if (!session_wait(s, 1, WAIT_MS)) {
		session_teardown(s);
		return "no final sample";
	}
	header = session_slot(s, 0);
	snprintf(text, sizeof(text), "flags %#x, events %#x", header->flags, header->events);
	error = header->flags != DRM_PANTHOR_PERF_SAMPLE_FINAL || header->events;
	session_teardown(s);
	return error ? text : NULL;
}

/* ---- Events that perf refuses ---- */

static int call_with_cgroup(void)
{
	struct perf_event_attr attr = event_attr(PRIMARY);

	return open_event(&attr, 0, 0, -1, PERF_FLAG_PID_CGROUP);
}

static int call_with_aux_output(void)
{
	struct perf_event_attr attr = event_attr(PRIMARY);

	attr.aux_output = 1;
	return open_event(&attr, -1, 0, -1, 0);
}

static int call_with_clock(void)
{
	struct perf_event_attr attr = event_attr(PRIMARY);

	attr.use_clockid = 1;
	attr.clockid = 255;
	return open_event(&attr, -1, 0, -1, 0);
}

static int call_in_group(void)
{
	struct perf_event_attr attr = event_attr(PRIMARY);
	struct perf_event_attr leader = {
		.size = sizeof(leader),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	int group = open_event(&leader, -1, 1, -1, 0), fd, error;

	if (group < 0)
		die("an event of CPU 1");
	fd = open_event(&attr, -1, 0, group, 0);
	error = errno;
	close(group);
	errno = error;
	return fd;
}

static const struct {
	const char *name;
	int (*call)(void);
} late_events[] = {
	{ "of a control group", call_with_cgroup },
	{ "with aux_output", call_with_aux_output },
	{ "with clock 255", call_with_clock },
	{ "in a group of another CPU", call_in_group },
};

/* The driver cannot know these reasons: it opens the event, and perf closes it again. */
static int late(void)
{
	struct session session;
	int fd = open_gpu();

	session_prepare(&session, fd, SLOTS);
	session.setup.counter_set = SECONDARY;
	keep_powered(true);
	for (size_t i = 0; i < ARRAY_SIZE(late_events); i++) {
		unsigned long enabled = truth_count("^enable");
		const char *failed;
		int opened = 0;

		for (int n = 0; n < REPEATS; n++)
			opened += late_events[i].call() >= 0;
		printf("# an event %s: enabled %lu times by %d calls\n", late_events[i].name,
		       truth_count("^enable") - enabled, REPEATS);
		check(!opened, "an event %s is refused", late_events[i].name);
		failed = try_session(&session);
		check(!failed, "a session after an event %s%s%s", late_events[i].name,
		      failed ? " - " : "", failed ?: "");
	}
	keep_powered(false);
	session_release(&session);
	close(fd);
	return 0;
}

/* ---- Loops beside root's sessions ---- */

/**
 * struct loop - refused calls of a process
 */
struct loop {
	/** @name: Name. */
	const char *name;

	/** @who: Identity of the process. Root makes wrong calls for events. */
	const struct identity *who;

	/** @kind: Kind of the calls. */
	enum kind kind;

	/** @paranoid: Value of perf_paranoid. */
	int paranoid;

	/** @event_paranoid: Value of perf_event_paranoid. */
	int event_paranoid;
};

static const struct loop loops[] = {
	{ "events of a user, perf_event_paranoid 3", PLAIN_USER, KIND_EVENT, 1, 3 },
	{ "events of a user, perf_event_paranoid 2", PLAIN_USER, KIND_EVENT, 1, 2 },
	{ "events of a user, perf_event_paranoid 1", PLAIN_USER, KIND_EVENT, 1, 1 },
	{ "events of a user, perf_event_paranoid 0", PLAIN_USER, KIND_EVENT, 1, 0 },
	{ "events of a user, perf_event_paranoid -1", PLAIN_USER, KIND_EVENT, 1, -1 },
	{ "events of root of a user namespace", NAMESPACE_ROOT, KIND_EVENT, 1, 1 },
	{ "SETUP of a user, perf_paranoid 1", PLAIN_USER, KIND_SETUP, 1, 2 },
	{ "SETUP of a user, perf_paranoid 0", PLAIN_USER, KIND_SETUP, 0, 2 },
	{ "older SETUP of a user, perf_paranoid 1", PLAIN_USER, KIND_OLDER, 1, 2 },
	{ "older SETUP of a user, perf_paranoid 0", PLAIN_USER, KIND_OLDER, 0, 2 },
	{ "wrong events of root", ROOT, KIND_EVENT, 1, 2 },
};

/**
 * struct calls - what the other process has done
 */
struct calls {
	/** @made: Calls. */
	uint64_t made;

	/** @wrong: Calls with another result than the rules require. */
	uint64_t wrong;
};

static void make_calls(const struct loop *loop, struct calls *calls)
{
	struct caller caller;

	become(loop->who);
	caller = caller_create(-1);
	do {
		for (size_t i = 0; loop->who == ROOT && i < ARRAY_SIZE(wrong_events); i++) {
			calls->wrong += call_wrong_event(&wrong_events[i], TERTIARY) != EINVAL;
			__atomic_add_fetch(&calls->made, 1, __ATOMIC_RELEASE);
		}
		for (size_t i = 0; loop->who != ROOT && i < ENTRIES; i++) {
			const int want = expected(loop->who, &entries[i], loop->paranoid,
						  loop->event_paranoid, -1);

			if (entries[i].kind != loop->kind || !want)
				continue;
			calls->wrong += call_entry(&caller, &entries[i]) != want;
			__atomic_add_fetch(&calls->made, 1, __ATOMIC_RELEASE);
		}
	} while (true);
}

static void try_loop(const struct loop *loop, int rounds, struct session *session)
{
	struct calls *calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char first[128] = "";
	int failures = 0;
	pid_t child;

	if (calls == MAP_FAILED)
		die("mmap");
	write_number(PERF_PARANOID, loop->paranoid);
	write_number(PERF_EVENT_PARANOID, loop->event_paranoid);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		make_calls(loop, calls);
	for (int waited = 0; !__atomic_load_n(&calls->made, __ATOMIC_ACQUIRE); waited++) {
		if (waited > WAIT_MS)
			die(loop->name);
		usleep(1000);
	}
	for (int i = 0; i < rounds; i++) {
		const char *failed = try_session(session);

		if (failed && !failures++)
			snprintf(first, sizeof(first), "%s", failed);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	printf("# %s: %llu calls, %d of %d sessions failed\n", loop->name,
	       (unsigned long long)calls->made, failures, rounds);
	if (failures)
		check(false, "%s: sessions of root - %d of %d failed, %s", loop->name, failures,
		      rounds, first);
	else
		check(true, "%s: sessions of root", loop->name);
	check(!calls->wrong, "%s: its calls%s", loop->name,
	      calls->wrong ? " - some have another result" : "");
	munmap(calls, sizeof(*calls));
}

static int try_loops(int rounds)
{
	struct session session;
	char event_paranoid[16];
	int fd = open_gpu();

	read_text(PERF_EVENT_PARANOID, event_paranoid, sizeof(event_paranoid));
	session_prepare(&session, fd, SLOTS);
	session.setup.counter_set = SECONDARY;
	for (size_t i = 0; i < ARRAY_SIZE(loops); i++) {
		if (loops[i].kind != KIND_OLDER || !getenv("PERF_MAINLINE"))
			try_loop(&loops[i], rounds, &session);
	}
	session_release(&session);
	close(fd);
	write_number(PERF_PARANOID, 1);
	write_text(PERF_EVENT_PARANOID, event_paranoid);
	return 0;
}

static void call_without_end(void)
{
	static const struct entry with_exclude[] = {
		{ .kind = KIND_EVENT, .set = PRIMARY, .exclude = true },
		{ .kind = KIND_EVENT, .set = TERTIARY, .exclude = true },
		{ .kind = KIND_EVENT, .set = PRIMARY },
		{ .kind = KIND_EVENT, .set = TERTIARY },
	};

	become(PLAIN_USER);
	do {
		for (size_t i = 0; i < ARRAY_SIZE(with_exclude); i++)
			call_event(&with_exclude[i]);
	} while (true);
}

/* ---- Files ---- */

static const char * const root_writes[] = {
	PERF_PARANOID, PERF_EVENT_PARANOID, PMUS "/refresh_us", PMUS "/*", PMUS "/events/*",
	PMUS "/format/*",
};

static const char * const root_reads[] = {
	DEBUGFS, DEBUGFS "/*", "/sys/kernel/debug/tracing/trace",
	"/sys/kernel/debug/tracing/events/panthor_perf/*/enable",
};

static void find_paths(const char * const *patterns, size_t count, glob_t *found)
{
	for (size_t i = 0; i < count; i++)
		glob(patterns[i], i ? GLOB_APPEND : 0, NULL, found);
}

static void check_denied(const struct identity *who, const glob_t *found, int how, const char *what)
{
	const char *opened = NULL;
	unsigned int denied = 0;

	for (size_t i = 0; i < found->gl_pathc; i++) {
		int fd = open(found->gl_pathv[i], how | O_CLOEXEC);

		if (fd >= 0)
			close(fd);
		if (fd < 0 && (errno == EACCES || errno == EPERM || errno == EISDIR))
			denied++;
		else
			opened = found->gl_pathv[i];
	}
	if (opened)
		check(false, "%s cannot %s files - %s", who->name, what, opened);
	else
		check(denied, "%s cannot %s files: %u", who->name, what, denied);
}

static int check_files(void)
{
	static const struct identity * const users[] = { PLAIN_USER, NOBODY_AT_ALL, NAMESPACE_ROOT };
	glob_t writes, reads;

	find_paths(root_writes, ARRAY_SIZE(root_writes), &writes);
	find_paths(root_reads, ARRAY_SIZE(root_reads), &reads);
	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (!child) {
			become(users[i]);
			check_denied(users[i], &writes, O_WRONLY, "write");
			check_denied(users[i], &reads, O_RDONLY, "read");
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}

/* ---- The largest number of events ---- */

static int try_limit(void)
{
	const struct rlimit files = { 2 * MAX_EVENTS, 2 * MAX_EVENTS };
	static int fds[MAX_EVENTS + 2];
	struct perf_event_attr attr = event_attr(PRIMARY);
	unsigned int count = 0;
	int fd, error = 0;

	/* Events that are enabled would be scheduled again with each new one. */
	attr.disabled = 1;
	if (setrlimit(RLIMIT_NOFILE, &files))
		die("RLIMIT_NOFILE");
	while (count < ARRAY_SIZE(fds)) {
		fds[count] = open_event(&attr, -1, 0, -1, 0);
		if (fds[count] < 0) {
			error = errno;
			break;
		}
		count++;
	}
	check_eq("events of the GPU", count, MAX_EVENTS);
	check_errno("one more", error, ENOSPC);
	fd = open_event(&attr, -1, 1, -1, 0);
	check_errno("one more on another CPU", fd < 0 ? errno : 0, ENOSPC);
	attr.config |= SECONDARY << 16;
	fd = open_event(&attr, -1, 0, -1, 0);
	check(fd < 0 && (errno == ENOSPC || errno == EBUSY), "one more of another set");
	attr = event_attr(PRIMARY);
	attr.disabled = 1;
	close(fds[--count]);
	fds[count] = open_event(&attr, -1, 0, -1, 0);
	check(fds[count] >= 0, "one more after a close");
	count += fds[count] >= 0;
	fd = open_event(&attr, -1, 0, -1, 0);
	check_errno("and another", fd < 0 ? errno : 0, ENOSPC);
	while (count)
		close(fds[--count]);
	fd = open_event(&attr, -1, 0, -1, 0);
	check(fd >= 0, "an event after the close of them all");
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (argc == 2 && !strcmp(what, "unchanged"))
		return unchanged();
	if (argc == 2 && !strcmp(what, "late"))
		return late();
	if (argc == 3 && !strcmp(what, "loops"))
		return try_loops(atoi(argv[2]));
	if (argc == 2 && !strcmp(what, "endless"))
		call_without_end();
	if (argc == 2 && !strcmp(what, "files"))
		return check_files();
	if (argc == 2 && !strcmp(what, "limit"))
		return try_limit();
	fprintf(stderr, "usage: perf-refused unchanged|late|loops ROUNDS|endless|files|limit\n");
	return 2;
}
