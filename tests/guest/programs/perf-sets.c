// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counter sets, and who may use them:
 *
 *	permissions 0|1	SETUP of each set by processes with and without CAP_PERFMON, while the sysctl
 *			perf_paranoid has this value
 *	switch		the sysctl is written while there are sessions
 *	limits		the numbers of sessions, which are the same with and without the right
 *	conflict	sessions of different sets at a time, and what is in their samples
 *	inherited	what a command has that "panthor-perf run" executes
 *	user GROUP COMMAND	COMMAND as another user without capabilities, in the group with this number
 *	setcap FILE	gives the file of a program CAP_PERFMON
 */
#include <grp.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "perf.h"

#define SLOTS		8
#define SETS		3
#define OTHER_USER	1000
#define PARANOID	"/proc/sys/dev/panthor/perf_paranoid"
#define GPU_SESSIONS	64
/* Shorter periods need CAP_PERFMON. */
#define PERFMON_PERIOD_NS	1000000

static const char * const set_name[SETS] = { "primary", "secondary", "tertiary" };

/* ---- Who ---- */

/* Change what the process is allowed to; what is not permitted any more stays so. */
static void set_caps(uint64_t effective, uint64_t permitted)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = effective, .permitted = permitted },
		{ .effective = effective >> 32, .permitted = permitted >> 32 },
	};

	if (syscall(SYS_capset, &header, data))
		die("capset");
}

static uint64_t all_caps(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		die("capget");
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

static const uint64_t perfmon = 1ull << CAP_PERFMON;
static const uint64_t admin = 1ull << CAP_SYS_ADMIN;

static void root_without(void)
{
	uint64_t caps = all_caps() & ~(perfmon | admin);

	set_caps(caps, caps);
}

/* CAP_SYS_ADMIN was what one needed before there was CAP_PERFMON, and is as good. */
static void root_with_admin(void)
{
	uint64_t caps = all_caps() & ~perfmon;

	set_caps(caps, caps);
}

static void root_with_perfmon(void)
{
	set_caps(perfmon, perfmon);
}

static void root(void)
{
}

static void other_user(void)
{
	if (setgid(OTHER_USER) || setuid(OTHER_USER))
		die("changing the user");
}

static void other_user_with_perfmon(void)
{
	if (prctl(PR_SET_KEEPCAPS, 1))
		die("PR_SET_KEEPCAPS");
	other_user();
	set_caps(perfmon, perfmon);
}

static const struct person {
	const char *name;
	void (*become)(void);
	bool perfmon;
} people[] = {
	{ "root", root, true },
	{ "root without CAP_PERFMON and CAP_SYS_ADMIN", root_without, false },
	{ "root with CAP_SYS_ADMIN", root_with_admin, true },
	{ "root with CAP_PERFMON alone", root_with_perfmon, true },
	{ "another user", other_user, false },
	{ "another user with CAP_PERFMON", other_user_with_perfmon, true },
};

static int setup_of(struct session *s, int fd, uint32_t set)
{
	session_prepare(s, fd, SLOTS);
	s->setup.counter_set = set;
	return session_setup(s);
}

/* Periods and clock modes of the primary set. A mode that the GPU lacks is reported after the right. */
static void try_primary(const struct person *person, bool paranoid, int fd, const char *whose)
{
	const bool allowed = person->perfmon || !paranoid;
	struct session s;
	char what[128];
	int error;

	for (int shorter = 0; shorter < 2; shorter++) {
		snprintf(what, sizeof(what), "%s, %s, a period of 1 ms%s", person->name, whose,
			 shorter ? " less 1 ns" : "");
		session_prepare(&s, fd, SLOTS);
		s.setup.sample_period_ns = PERFMON_PERIOD_NS - shorter;
		error = session_setup(&s);
		check_errno(what, error, person->perfmon || (allowed && !shorter) ? 0 : EACCES);
		if (!error)
			session_teardown(&s);
		session_release(&s);
	}

	snprintf(what, sizeof(what), "%s, %s, a clock mode", person->name, whose);
	session_prepare(&s, fd, SLOTS);
	s.setup.flags |= DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	s.setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST;
	error = session_setup(&s);
	check(person->perfmon ? !error || error == EOPNOTSUPP : error == EACCES, "%s: %s", what,
	      errno_name(error));
	if (!error)
		session_teardown(&s);
	session_release(&s);
}

/* The right of the caller counts; not that of the opener, nor that of an earlier SETUP. */
static void try_sets(const struct person *person, bool paranoid, int fd, const char *whose)
{
	for (uint32_t set = 0; set < SETS; set++) {
		bool allowed = person->perfmon ||
			       (set == DRM_PANTHOR_PERF_SET_PRIMARY && !paranoid);
		struct session s;
		char what[128];
		int error;

		snprintf(what, sizeof(what), "%s, %s, %s set", person->name, whose, set_name[set]);
		error = setup_of(&s, fd, set);
		check_errno(what, error, allowed ? 0 : EACCES);
		/* Nothing but SETUP asks. */
		if (!error && (session_start(&s, 0) || session_stop(&s, 0) ||
			       !session_wait(&s, 1, WAIT_MS) || session_teardown(&s)))
			check(false, "%s: the session works", what);
		session_release(&s);
	}
	try_primary(person, paranoid, fd, whose);
}

/* A file in which root has set up a session of each set, and removed them. */
static int open_used(void)
{
	int fd = open_gpu();
	struct session s;

	for (uint32_t set = 0; set < SETS; set++) {
		if (setup_of(&s, fd, set) || session_teardown(&s))
			die("a session of root");
		session_release(&s);
	}
	return fd;
}

static int permissions(bool paranoid)
{
	for (size_t i = 0; i < sizeof(people) / sizeof(people[0]); i++) {
		int inherited = open_gpu(), used = open_used();
		pid_t child = fork();
		int status;

		if (child < 0)
			die("fork");
		if (!child) {
			people[i].become();
			try_sets(&people[i], paranoid, open_gpu(), "own file");
			try_sets(&people[i], paranoid, inherited, "root's file");
			try_sets(&people[i], paranoid, used, "root's file after sessions of root");
			exit(0);
		}
		close(inherited);
		close(used);
		check(waitpid(child, &status, 0) == child && !status, "%s came to the end",
		      people[i].name);
	}
	return 0;
}

/* ---- The sysctl ---- */

static void set_paranoid(const char *value)
{
	char now[2] = "";
	int fd = open(PARANOID, O_RDWR | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1 || pread(fd, now, 1, 0) != 1)
		die(PARANOID);
	close(fd);
	check(now[0] == value[0], "perf_paranoid is %s", value);
}

static int switch_paranoid(void)
{
	const uint64_t permitted = all_caps();
	const uint64_t without = permitted & ~(perfmon | admin);
	struct session before, other;
	int fd = open_gpu(), second = open_gpu();

	set_paranoid("0");
	set_caps(without, permitted);
	check_errno("0: SETUP", setup_of(&before, fd, 0), 0);
	set_paranoid("1");
	check_errno("1: SETUP", setup_of(&other, fd, 0), EACCES);
	check_errno("1: START of the session from before", session_start(&before, 0), 0);
	check_errno("1: its SAMPLE", session_sample(&before, 1), 0);
	check(session_wait(&before, 1, WAIT_MS), "1: its sample");
	check_errno("1: its STOP", session_stop(&before, 2), 0);
	check(session_wait(&before, 2, WAIT_MS), "1: its final sample");
	set_caps(permitted, permitted);
	check_errno("1: SETUP with the capability", setup_of(&other, second, 0), 0);
	set_caps(without, permitted);
	check_errno("1: START of that without it", session_start(&other, 0), 0);
	check_errno("1: and TEARDOWN", session_teardown(&other), 0);
	set_paranoid("0");
	check_errno("0: SETUP", setup_of(&other, fd, 0), 0);
	check_errno("0: SETUP of the secondary set", setup_of(&other, fd, 1), EACCES);
	check_errno("0: in the file of a session with it", setup_of(&other, second, 1), EACCES);
	close(fd);
	close(second);
	set_paranoid("1");
	return 0;
}

/* ---- Limits ---- */

/* Fills files of their own with sessions until SETUP fails; returns how many there are. */
static uint32_t fill(int *fds, uint32_t files, int *error)
{
	uint32_t count = 0;
	struct session s;

	for (uint32_t i = 0; i < files; i++) {
		fds[i] = open_gpu();
		while (!(*error = setup_of(&s, fds[i], 0))) {
			count++;
			/* A mapping would keep the file. */
			session_release(&s);
		}
		session_release(&s);
	}
	return count;
}

static int limits(void)
{
	const uint64_t permitted = all_caps();
	int user[8], root_file, error, fd = open_gpu();
	const uint32_t share = perf_info(fd).max_sessions;
	struct session s;

	close(fd);
	check_eq("sessions of a file", share, 16);
	set_paranoid("0");
	set_caps(permitted & ~(perfmon | admin), permitted);
	check_eq("sessions without the right", fill(user, 8, &error), GPU_SESSIONS);
	check_errno("without the right: SETUP of one more", error, ENOSPC);
	set_caps(permitted, permitted);
	check_eq("with it: sessions of another file", fill(&root_file, 1, &error), 0);
	check_errno("with it: SETUP of one more", error, ENOSPC);
	for (uint32_t i = 0; i < 8; i++)
		close(user[i]);
	fd = open_gpu();
	check_errno("SETUP behind the close of them all", setup_of(&s, fd, 0), 0);
	session_release(&s);
	close(fd);
	close(root_file);
	set_paranoid("1");
	return 0;
}

/* ---- panthor-perf run ---- */

static void check_status(const char *line)
{
	FILE *file = fopen("/proc/self/status", "r");
	char found[256];
	bool same = false;

	if (!file)
		die("/proc/self/status");
	while (!same && fgets(found, sizeof(found), file)) {
		found[strcspn(found, "\n")] = 0;
		same = !strcmp(found, line);
	}
	fclose(file);
	check(same, "run: %s", line);
}

static int inherited(void)
{
	static const struct person command = { "the command of run", NULL, true };
	static const char * const lines[] = {
		"Uid:\t1000\t1000\t1000\t1000", "Gid:\t1000\t1000\t1000\t1000", "Groups:\t1000 ",
		"CapInh:\t0000004000000000", "CapPrm:\t0000004000000000",
		"CapEff:\t0000004000000000", "CapAmb:\t0000004000000000",
	};
	const char *number = getenv("PANTHOR_PERF_FD"), *path = getenv("LD_LIBRARY_PATH");

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check_status(lines[i]);
	check_eq("run: AT_SECURE", getauxval(AT_SECURE), 0);
	check(path && !strcmp(path, "/absent"), "run: LD_LIBRARY_PATH stays");
	check(setuid(0) && setgid(0), "run: there is no way back to root");
	check(!!number, "run: there is a file");
	if (number)
		try_sets(&command, true, atoi(number), "run's file");
	try_sets(&command, true, open_gpu(), "own file");
	return 0;
}

static int as_user(gid_t group, char **command)
{
	if (setgroups(1, &group))
		die("changing the groups");
	other_user();
	execvp(command[0], command);
	die(command[0]);
	return 1;
}

static int give_capability(const char *path)
{
	const struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[CAP_PERFMON / 32].permitted = 1u << CAP_PERFMON % 32,
	};

	if (setxattr(path, "security.capability", &data, XATTR_CAPS_SZ_2, 0))
		die(path);
	return 0;
}

/* ---- One set at a time ---- */

static bool set_has(uint32_t set, uint8_t type)
{
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_TILER)
		return set == DRM_PANTHOR_PERF_SET_PRIMARY;
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS)
		return set != DRM_PANTHOR_PERF_SET_TERTIARY;
	return true;
}

/* The last sample of a session: its set, and the blocks that the set does not define. */
static void look(struct session *s, uint64_t count)
{
	const struct drm_panthor_perf_info info = perf_info(s->fd);
	const struct drm_panthor_perf_sample_header *header;
	unsigned int undefined = 0, wrong = 0, nonzero = 0;
	uint32_t set = s->setup.counter_set;
	const char *pos, *end;

	if (!session_wait(s, count, WAIT_MS)) {
		check(false, "%s: a sample", set_name[set]);
		return;
	}
	header = session_slot(s, count - 1);
	check_eq("the set in its header", header->counter_set, set);
	pos = (const char *)header + info.sample_header_size;
	end = (const char *)header + s->setup.sample_size;
	for (; pos < end; pos += info.block_header_size + info.counters_per_block * sizeof(uint64_t)) {
		const struct drm_panthor_perf_block_header *block = (const void *)pos;
		const uint64_t *counters = (const void *)(pos + info.block_header_size);
		bool has = set_has(set, block->type);
		bool any = false;

		for (uint32_t i = 0; i < info.counters_per_block; i++)
			any |= counters[i];
		undefined += !has;
		nonzero += has && any;
		if (has)
			wrong += !!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE);
		else
			wrong += any || block->states != DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;
	}
	check_eq("blocks that the set does not define", undefined,
		 !set_has(set, DRM_PANTHOR_PERF_BLOCK_TYPE_TILER) * info.tiler_blocks +
		 !set_has(set, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS) * info.memsys_blocks);
	check_eq("blocks that do not look like it", wrong, 0);
	check(nonzero, "%s: %u blocks have counted", set_name[set], nonzero);
}

static void see(struct session *s, uint64_t count)
{
	check_errno("  SAMPLE", session_sample(s, 0), 0);
	look(s, count);
	session_consume(s, count);
}

static void stop(struct session *s, uint64_t count)
{
	check_errno("  STOP", session_stop(s, 0), 0);
	look(s, count);
	session_consume(s, count);
}

static int conflict(void)
{
	int fd = open_gpu(), second = open_gpu();
	struct session primary, secondary, same, tertiary, period;

	check_errno("primary: SETUP", setup_of(&primary, fd, 0), 0);
	check_errno("secondary: SETUP", setup_of(&secondary, fd, 1), 0);
	check_errno("tertiary, other file: SETUP", setup_of(&tertiary, second, 2), 0);
	session_prepare(&same, second, SLOTS);
	same.setup.counter_set = 1;
	check_errno("secondary, other file: SETUP", session_setup(&same), 0);
	session_prepare(&period, fd, SLOTS);
	period.setup.counter_set = 1;
	period.setup.sample_period_ns = 3600000000000ull;
	check_errno("secondary with a period: SETUP", session_setup(&period), 0);

	check_errno("primary: START", session_start(&primary, 0), 0);
	check_errno("secondary beside it: START", session_start(&secondary, 0), EBUSY);
	check_errno("tertiary beside it: START", session_start(&tertiary, 0), EBUSY);
	check_errno("secondary with a period beside it: START", session_start(&period, 0), EBUSY);
	check_errno("one that is not started: SAMPLE", session_sample(&secondary, 0), EINVAL);
	see(&primary, 1);
	stop(&primary, 2);

	check_errno("secondary behind it: START", session_start(&secondary, 0), 0);
	check_errno("another of the same set: START", session_start(&same, 0), 0);
	check_errno("with a period: START", session_start(&period, 0), 0);
	check_errno("primary beside them: START", session_start(&primary, 0), EBUSY);
	check_errno("tertiary beside them: START", session_start(&tertiary, 0), EBUSY);
	see(&secondary, 1);
	see(&same, 1);
	stop(&secondary, 2);
	check_errno("primary beside two of them: START", session_start(&primary, 0), EBUSY);
	stop(&period, 1);
	check_errno("primary beside one of them: START", session_start(&primary, 0), EBUSY);
	stop(&same, 2);

	check_errno("tertiary: START", session_start(&tertiary, 0), 0);
	see(&tertiary, 1);
	check_errno("primary beside it: START", session_start(&primary, 0), EBUSY);
	check_errno("its TEARDOWN", session_teardown(&tertiary), 0);
	check_errno("primary: START", session_start(&primary, 0), 0);
	see(&primary, 3);
	check_errno("secondary: START", session_start(&secondary, 0), EBUSY);
	/* A mapping would keep the file. */
	session_release(&primary);
	session_release(&secondary);
	session_release(&period);
	close(fd);
	check_errno("another file, behind the close: START", session_start(&same, 0), 0);
	see(&same, 3);
	stop(&same, 4);
	close(second);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "permissions"))
		return permissions(!strcmp(argv[2], "1"));
	if (argc == 2 && !strcmp(argv[1], "switch"))
		return switch_paranoid();
	if (argc == 2 && !strcmp(argv[1], "conflict"))
		return conflict();
	if (argc == 2 && !strcmp(argv[1], "limits"))
		return limits();
	if (argc == 2 && !strcmp(argv[1], "inherited"))
		return inherited();
	if (argc > 3 && !strcmp(argv[1], "user"))
		return as_user(atoi(argv[2]), argv + 3);
	if (argc == 3 && !strcmp(argv[1], "setcap"))
		return give_capability(argv[2]);
	fprintf(stderr, "usage: perf-sets permissions 0|1 | switch | limits | conflict | inherited | "
		"user GROUP COMMAND | setcap FILE\n");
	return 2;
}
