/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * For tests of the right to use the counters: processes with different identities, the calls that need the right, and
 * a snapshot of everything that a refused call must leave unchanged.
 */
#ifndef PERF_TEST_ACCESS_H
#define PERF_TEST_ACCESS_H

#include <grp.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "older.h"
#include "perf.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define SLOTS			8
#define PERF_PARANOID		"/proc/sys/dev/panthor/perf_paranoid"
#define PERF_EVENT_PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define PMUS			"/sys/bus/event_source/devices/panthor_*"
#define DEBUGFS			"/sys/kernel/debug/dri/*/panthor_perf"

/* Objects of the older interface are larger by its headers: at most 16 bytes a block. */
#define OLDER_EXTRA		(64 * 1024)

/* The tests give the render node to this group. */
#define RENDER_GROUP		107
#define USER			1000
#define NOBODY			65534

/* ---- Text files ---- */

/* Reads up to size - 1 bytes. An empty string: the file cannot be read. */
static inline void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got, used = 0;

	while (fd >= 0 && (got = read(fd, text + used, size - 1 - used)) > 0)
		used += got;
	text[used] = 0;
	if (fd >= 0)
		close(fd);
}

/* Returns 0 or the errno. */
static inline int try_write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	close(fd);
	return error;
}

static inline void write_text(const char *path, const char *text)
{
	errno = try_write_text(path, text);
	if (errno)
		die(path);
}

static inline void write_number(const char *path, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", value);
	write_text(path, text);
}

/* The one path that matches. */
static inline void find_path(const char *pattern, char *path, size_t size)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		die(pattern);
	snprintf(path, size, "%s", found.gl_pathv[0]);
	globfree(&found);
}

/* ---- Identities ---- */

#define PERFMON		(1ull << CAP_PERFMON)
#define ADMIN		(1ull << CAP_SYS_ADMIN)
#define ALL_CAPS	(~0ull)

/**
 * struct identity - a kind of process
 */
struct identity {
	/** @name: Name. */
	const char *name;

	/** @user: User ID. */
	uid_t user;

	/** @render: Member of the group of the render node. */
	bool render;

	/** @inherits: Uses a file that root has opened, and in which root has had a session. */
	bool inherits;

	/** @user_ns: Root of a user namespace of its own, with all capabilities there. */
	bool user_ns;

	/** @caps: Capabilities in the initial user namespace. */
	uint64_t caps;
};

static const struct identity identities[] = {
	{ .name = "root", .render = true, .caps = ALL_CAPS },
	{ .name = "root without capabilities", .render = true },
	{ .name = "user with CAP_PERFMON", .user = USER, .render = true, .caps = PERFMON },
	{ .name = "user with CAP_SYS_ADMIN", .user = USER, .render = true, .caps = ADMIN },
	{ .name = "user of the render node", .user = USER, .render = true },
	{ .name = "nobody", .user = NOBODY },
	{ .name = "nobody with an inherited file", .user = NOBODY, .inherits = true },
	{ .name = "root of a user namespace", .user = USER, .render = true, .user_ns = true },
};

#define IDENTITIES	ARRAY_SIZE(identities)
#define ROOT		(&identities[0])
#define PLAIN_USER	(&identities[4])
#define NOBODY_AT_ALL	(&identities[5])
#define NAMESPACE_ROOT	(&identities[7])

static inline void set_caps(uint64_t caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	if (syscall(SYS_capset, &header, data))
		die("capset");
}

static inline void enter_user_ns(uid_t user)
{
	char map[32];

	/* A process that has changed its user cannot write its own files in /proc. */
	if (prctl(PR_SET_DUMPABLE, 1) || unshare(CLONE_NEWUSER))
		die("a user namespace");
	snprintf(map, sizeof(map), "0 %u 1", user);
	write_text("/proc/self/setgroups", "deny");
	write_text("/proc/self/uid_map", map);
	write_text("/proc/self/gid_map", map);
	if (setuid(0))
		die("root of a user namespace");
}

static inline void become(const struct identity *who)
{
	const gid_t group = RENDER_GROUP;

	if (who->caps == ALL_CAPS)
		return;
	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(who->render, &group) ||
	    setresgid(who->user, who->user, who->user) ||
	    setresuid(who->user, who->user, who->user))
		die("changing the user");
	set_caps(who->caps);
	if (who->user_ns)
		enter_user_ns(who->user);
}

/* ---- Calls ---- */

enum kind { KIND_SETUP, KIND_OLDER, KIND_EVENT };

/**
 * struct entry - a call that needs the right
 */
struct entry {
	/** @name: Name. */
	const char *name;

	/** @kind: Which call. */
	enum kind kind;

	/** @set: Counter set. */
	uint32_t set;

	/** @period_ns: Period, or 0. */
	uint64_t period_ns;

	/** @clock_mode: With a clock mode. */
	bool clock_mode;

	/** @exclude: With an exclude bit, which the PMU does not have. */
	bool exclude;
};

#define SHORT_PERIOD_NS	999999
#define LONG_PERIOD_NS	1000000

#define PRIMARY		DRM_PANTHOR_PERF_SET_PRIMARY
#define SECONDARY	DRM_PANTHOR_PERF_SET_SECONDARY
#define TERTIARY	DRM_PANTHOR_PERF_SET_TERTIARY

static const struct entry entries[] = {
	{ .name = "SETUP primary", .kind = KIND_SETUP, .set = PRIMARY },
	{ .name = "SETUP secondary", .kind = KIND_SETUP, .set = SECONDARY },
	{ .name = "SETUP tertiary", .kind = KIND_SETUP, .set = TERTIARY },
	{ .name = "SETUP 1 ms", .kind = KIND_SETUP, .set = PRIMARY,
	  .period_ns = LONG_PERIOD_NS },
	{ .name = "SETUP 0.999999 ms", .kind = KIND_SETUP, .set = PRIMARY,
	  .period_ns = SHORT_PERIOD_NS },
	{ .name = "SETUP clock mode", .kind = KIND_SETUP, .set = PRIMARY,
	  .clock_mode = true },
	{ .name = "older SETUP primary", .kind = KIND_OLDER, .set = PRIMARY },
	{ .name = "older SETUP secondary", .kind = KIND_OLDER, .set = SECONDARY },
	{ .name = "older SETUP tertiary", .kind = KIND_OLDER, .set = TERTIARY },
	{ .name = "older SETUP 0.999999 ms", .kind = KIND_OLDER, .set = PRIMARY,
	  .period_ns = SHORT_PERIOD_NS },
	{ .name = "event primary", .kind = KIND_EVENT, .set = PRIMARY },
	{ .name = "event secondary", .kind = KIND_EVENT, .set = SECONDARY },
	{ .name = "event tertiary", .kind = KIND_EVENT, .set = TERTIARY },
	{ .name = "event exclude_kernel", .kind = KIND_EVENT, .set = TERTIARY,
	  .exclude = true },
};

#define ENTRIES		ARRAY_SIZE(entries)

/* The patches for mainline do not have the older interface. */
static inline bool has_entry(const struct entry *entry)
{
	return entry->kind != KIND_OLDER || !getenv("PERF_MAINLINE");
}

/**
 * struct caller - what a process makes its calls with
 */
struct caller {
	/** @fd: The render node. */
	int fd;

	/** @open_error: Why it could not be opened, or 0. */
	int open_error;

	/** @ring: Ring object. */
	uint32_t ring;

	/** @control: Control object. */
	uint32_t control;

	/** @eventfd: Eventfd. */
	int eventfd;
};

static inline int pmu_type(void)
{
	static int type;
	char path[256], text[16];

	if (!type) {
		find_path(PMUS "/type", path, sizeof(path));
		read_text(path, text, sizeof(text));
		type = atoi(text);
	}
	return type;
}

/* With fd -1, the caller opens the render node itself. */
static inline struct caller caller_create(int fd)
{
	struct caller c = { .fd = fd < 0 ? try_open_gpu() : fd };
	struct drm_panthor_perf_info info;

	if (c.fd < 0) {
		c.open_error = errno;
		return c;
	}
	info = perf_info(c.fd);
	c.ring = object_create(c.fd, SLOTS * info.sample_size + OLDER_EXTRA, 0);
	c.control = object_create(c.fd, 4096, 0);
	c.eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return c;
}

static inline int call_setup(const struct caller *c, const struct entry *entry)
{
	struct drm_panthor_perf_setup setup = {
		.counter_set = entry->set,
		.eventfd = c->eventfd,
		.ring_handle = c->ring,
		.control_handle = c->control,
		.sample_slots = SLOTS,
		.sample_period_ns = entry->period_ns,
	};
	struct drm_panthor_perf_teardown teardown = { 0 };
	int error;

	if (entry->clock_mode) {
		setup.flags = DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
		setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
	}
	error = perf_call(c->fd, DRM_IOCTL_PANTHOR_PERF_SETUP, &setup);
	teardown.handle = setup.handle;
	return error ?: perf_call(c->fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &teardown);
}

static inline int call_older(const struct caller *c, const struct entry *entry)
{
	struct older_setup setup = {
		.set = entry->set,
		.fd = c->eventfd,
		.ring = c->ring,
		.control = c->control,
		.slots = SLOTS,
		.period_ns = entry->period_ns,
	};
	struct older_control args = { OLDER_SETUP, 0, sizeof(setup), (uintptr_t)&setup };
	uint8_t rest[OLDER_TEARDOWN_SIZE] = { 0 };
	int handle = ioctl(c->fd, OLDER_CONTROL, &args);

	if (handle < 0)
		return errno;
	args = (struct older_control){ OLDER_TEARDOWN, handle, sizeof(rest), (uintptr_t)rest };
	return ioctl(c->fd, OLDER_CONTROL, &args) < 0 ? errno : 0;
}

static inline struct perf_event_attr event_attr(uint32_t set)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = pmu_type(),
		.config = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW | 4 << 8 | set << 16,
	};
}

static inline int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
			     unsigned long flags)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, flags | PERF_FLAG_FD_CLOEXEC);
}

static inline int call_event(const struct entry *entry)
{
	struct perf_event_attr attr = event_attr(entry->set);
	int fd;

	attr.exclude_kernel = entry->exclude;
	fd = open_event(&attr, -1, 0, -1, 0);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Makes the call, and undoes it if it succeeds. Returns 0 or the errno. */
static inline int call_entry(const struct caller *c, const struct entry *entry)
{
	if (entry->kind == KIND_EVENT)
		return call_event(entry);
	if (c->open_error)
		return c->open_error;
	return entry->kind == KIND_SETUP ? call_setup(c, entry) : call_older(c, entry);
}

/* ---- The rules ---- */

static inline bool linux_is(int version, int patchlevel)
{
	struct utsname name;
	int v, p;

	uname(&name);
	if (sscanf(name.release, "%d.%d", &v, &p) != 2)
		die("the kernel's release");
	return v * 1000 + p >= version * 1000 + patchlevel;
}

/*
 * What the call has to return. @beside is the set of a session that is started, or -1. The driver has no part in the
 * first two rules for events: there, Debian's kernels have 3, which needs CAP_SYS_ADMIN for all calls, and perf needs
 * CAP_PERFMON from 2 on for events that include the kernel's.
 */
static inline int expected(const struct identity *who, const struct entry *entry, int paranoid,
			   int event_paranoid, int beside)
{
	const bool right = who->caps & (PERFMON | ADMIN);
	bool needs_right = entry->set != PRIMARY;

	if (entry->kind == KIND_EVENT) {
		if (event_paranoid >= 3 && !(who->caps & ADMIN))
			return EACCES;
		if (event_paranoid >= 2 && !entry->exclude && !right)
			return EACCES;
		if (entry->exclude)
			return EINVAL;
		needs_right |= !linux_is(7, 3) || event_paranoid > 0;
		if (needs_right && !right)
			return EACCES;
		return beside >= 0 && (uint32_t)beside != entry->set ? EBUSY : 0;
	}

	if (!who->render && !who->inherits)
		return EACCES;
	needs_right |= paranoid || entry->clock_mode ||
		       (entry->period_ns && entry->period_ns < LONG_PERIOD_NS);
	return needs_right && !right ? EACCES : 0;
}

/* ---- What a refused call must not change ---- */

/**
 * struct snapshot - the state of the GPU and of its counters
 */
struct snapshot {
	/** @lines: Lines of the virtual GPU's log, except for changes of its clocks. */
	unsigned long lines;

	/** @active_ms: How long a suspended GPU has been powered. */
	char active_ms[32];

	/** @status: Its state of runtime PM. */
	char status[32];

	/** @usage: References to its power. */
	char usage[32];

	/** @state: The sampler, requests and all sessions. */
	char state[6144];

	/** @shmem_kb: Memory of buffer objects, and of files of the tests. */
	long shmem_kb;
};

static inline unsigned long truth_count(const char *regex)
{
	char request[128], reply[64];
	unsigned long count;

	snprintf(request, sizeof(request), "truth-count %s", regex);
	if (!ask_host(request, reply, sizeof(reply)) || sscanf(reply, "ok %lu", &count) != 1)
		die("the log of the virtual GPU");
	return count;
}

static inline long shmem_kb(void)
{
	char text[4096], *line;

	/* Sums up what each CPU has counted. */
	read_text("/proc/sys/vm/stat_refresh", text, sizeof(text));
	read_text("/proc/meminfo", text, sizeof(text));
	line = strstr(text, "Shmem:");
	return line ? strtol(line + strlen("Shmem:"), NULL, 10) : 0;
}

static inline const char *gpu_folder(void)
{
	static char folder[256];

	if (!folder[0])
		find_path("/sys/class/drm/renderD*/device", folder, sizeof(folder));
	return folder;
}

static inline void read_power(const char *name, char *text, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/power/%s", gpu_folder(), name);
	read_text(path, text, size);
	text[strcspn(text, "\n")] = 0;
}

/* Whether the GPU stays powered. */
static inline void keep_powered(bool on)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/power/control", gpu_folder());
	write_text(path, on ? "on" : "auto");
}

static inline void read_state(char *text, size_t size)
{
	static char folder[256];
	char path[512];

	if (!folder[0])
		find_path(DEBUGFS, folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/state", folder);
	read_text(path, text, size);
}

/*
 * Of a GPU whose counters are not in use. What the runner counts and the kernel sums up takes longer: it is read with
 * @whole only.
 */
static inline void take_snapshot(struct snapshot *s, bool whole)
{
	if (whole) {
		s->lines = truth_count("^(?!clock)");
		s->shmem_kb = shmem_kb();
	}
	read_power("runtime_status", s->status, sizeof(s->status));
	if (!strcmp(s->status, "suspended"))
		read_power("runtime_active_time", s->active_ms, sizeof(s->active_ms));
	else
		s->active_ms[0] = 0;
	read_power("runtime_usage", s->usage, sizeof(s->usage));
	read_state(s->state, sizeof(s->state));
}

/* What is different, or NULL. */
static inline const char *snapshot_changed(const struct snapshot *a, const struct snapshot *b)
{
	static char text[256];
	const struct {
		const char *name, *a, *b;
	} texts[] = {
		{ "runtime_active_time", a->active_ms, b->active_ms },
		{ "runtime_status", a->status, b->status },
		{ "runtime_usage", a->usage, b->usage },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(texts[i].a, texts[i].b)) {
			snprintf(text, sizeof(text), "%s %s -> %s", texts[i].name, texts[i].a,
				 texts[i].b);
			return text;
		}
	}
	if (a->lines != b->lines) {
		snprintf(text, sizeof(text), "%lu lines in the GPU's log", b->lines - a->lines);
		return text;
	}
	if (strcmp(a->state, b->state))
		return "debugfs";
	/* Less than the firmware's ring. */
	if (labs(b->shmem_kb - a->shmem_kb) >= 64) {
		snprintf(text, sizeof(text), "%ld KiB of objects", b->shmem_kb - a->shmem_kb);
		return text;
	}
	return NULL;
}

static inline bool is_suspended(void)
{
	char status[32];

	read_power("runtime_status", status, sizeof(status));
	return !strcmp(status, "suspended");
}

static inline void wait_until_suspended(void)
{
	for (int waited = 0; !is_suspended(); waited += 10) {
		if (waited > 10000)
			die("the GPU is not suspended");
		usleep(10000);
	}
}

#endif
