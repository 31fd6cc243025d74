// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-unresumed system|runtime
 *
 * The GPU does not resume, since its firmware does not start, while samples wait for fences:
 * behind a suspend of the system, or for another session. No fence may stay unsignalled. Needs
 * vgem.ko. PERF_STATUS is the file of the GPU's runtime status.
 */
#include "vgem.h"

#define SLOTS		8
#define NOTHING_NS	60000000ll

/* The uAPI's bound. */
#define SIGNAL_NS	2000000000ll

static int gpu;

/* No point signals before the other device's fence does. On a slow kernel that may have been. */
static void signal_other(struct other_fence *other, const uint32_t *timelines, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		int error = point_wait(gpu, timelines[i], 1, NOTHING_NS);

		if (clock_ns(CLOCK_MONOTONIC) - other->made_ns < OTHER_NS)
			check_errno("no fence signals before those that it waits for", error,
				    ETIME);
	}
	other_fence_signal(other);
}

/* SAMPLE that waits for a binary syncobj, or for the point before; with a point to signal. */
static int sample_behind(struct session *s, uint64_t user_data, uint32_t binary, uint32_t timeline,
			 uint64_t point)
{
	const struct drm_panthor_sync_op ops[] = {
		binary ? (struct drm_panthor_sync_op) {
			.flags = DRM_PANTHOR_SYNC_OP_WAIT |
				 DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ,
			.handle = binary,
		} : sync_op(timeline, point - 1, false),
		sync_op(timeline, point, true),
	};
	struct drm_panthor_perf_sample args = {
		.handle = s->setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(2, ops),
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

static void begin(struct session *s, uint32_t flags)
{
	session_prepare(s, gpu, SLOTS);
	s->setup.flags = flags;
	check_errno("SETUP", session_setup(s), 0);
	check_errno("START", session_start(s, 0), 0);
}

static void end(struct session *s)
{
	check_errno("TEARDOWN", session_teardown(s), 0);
	session_release(s);
}

/* The samples are there, in order, exact, and of a GPU that was suspended. */
static void expect_samples(struct session *s, uint64_t count, const char *what)
{
	unsigned int wrong = 0;

	check_eq(what, session_insert(s), count);
	for (uint64_t i = 0; i < count; i++) {
		const struct drm_panthor_perf_sample_header *sample = session_slot(s, i);

		wrong += sample->user_data != i || sample->flags ||
			 !(sample->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	}
	check_eq("samples that are not as they must be", wrong, 0);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		die(path);
	/* A suspend of the system that a device does not come back from is no error of the call. */
	if (write(fd, text, strlen(text)) < 0 && errno != EIO && errno != ETIMEDOUT)
		die(path);
	close(fd);
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

/* Sessions of both kinds over a suspend of the system that the GPU does not come back from. */
static void system_suspend(void)
{
	struct other_fence other = other_fence_create(gpu);
	uint32_t first, second;
	struct session s, sleeper, third;

	check_errno("timeline", syncobj_create(gpu, &first), 0);
	check_errno("timeline", syncobj_create(gpu, &second), 0);
	begin(&s, 0);
	begin(&sleeper, DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND);
	check_errno("SAMPLE behind a fence", sample_behind(&s, 0, other.syncobj, first, 1), 0);
	check_errno("SAMPLE behind it", sample_behind(&s, 1, 0, first, 2), 0);
	check_errno("SAMPLE of the other session",
		    sample_behind(&sleeper, 0, other.syncobj, second, 1), 0);

	host("qom-set gpu0 x-fail-boots 1000");
	write_file("/sys/power/pm_test", "devices");
	write_file("/sys/power/state", "mem");
	write_file("/sys/power/pm_test", "none");
	signal_other(&other, (uint32_t[]){ first, second }, 2);
	check_errno("the fence of the first sample", point_wait(gpu, first, 1, SIGNAL_NS), 0);
	check_errno("the fence of the second sample", point_wait(gpu, first, 2, SIGNAL_NS), 0);
	check_errno("that of the other session", point_wait(gpu, second, 1, SIGNAL_NS), 0);
	expect_samples(&s, 2, "samples without a resume");
	expect_samples(&sleeper, 1, "samples of the other session");

	check_errno("SAMPLE without a resume", sample_behind(&s, 2, 0, first, 3), 0);
	check_errno("its fence", point_wait(gpu, first, 3, SIGNAL_NS), 0);
	expect_samples(&s, 3, "samples with that one");
	check_errno("STOP of the other session", session_stop(&sleeper, 0), 0);
	check_eq("its final sample is there", session_insert(&sleeper), 2);
	check_errno("SAMPLE without a fence", session_sample(&s, 3), EIO);
	check_errno("STOP", session_stop(&s, 3), 0);
	check(session_wait(&s, 3, WAIT_MS), "its final sample is there without a resume");
	check(session_slot(&s, 3)->flags == DRM_PANTHOR_PERF_SAMPLE_FINAL, "without ERROR");
	/* The ports to the runner, behind a suspend. */
	if (system(". /tests/ports.sh; ports_back"))
		die("ports");
	host("qom-set gpu0 x-fail-boots 0");
	begin(&third, 0);
	end(&sleeper);
	end(&s);
	end(&third);
	syncobj_destroy(gpu, first);
	syncobj_destroy(gpu, second);
	syncobj_destroy(gpu, other.syncobj);
}

/* A GPU that is suspended under a session, and does not resume for another one. */
static void runtime_suspend(void)
{
	struct other_fence other = other_fence_create(gpu);
	struct session s, second;
	uint32_t timeline;

	check_errno("timeline", syncobj_create(gpu, &timeline), 0);
	begin(&s, DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND);
	check_errno("SAMPLE behind a fence", sample_behind(&s, 0, other.syncobj, timeline, 1), 0);
	wait_suspended();
	host("qom-set gpu0 x-fail-boots 1000");
	session_prepare(&second, gpu, SLOTS);
	check_errno("SETUP", session_setup(&second), 0);
	check_errno("START of a second session", session_start(&second, 0), EIO);
	signal_other(&other, &timeline, 1);
	check_errno("the fence of the sample", point_wait(gpu, timeline, 1, SIGNAL_NS), 0);
	check_errno("SAMPLE behind it", sample_behind(&s, 1, 0, timeline, 2), 0);
	check_errno("its fence", point_wait(gpu, timeline, 2, SIGNAL_NS), 0);
	expect_samples(&s, 2, "samples without a resume");
	check_errno("STOP", session_stop(&s, 2), 0);
	check_eq("the final sample is there", session_insert(&s), 3);
	end(&s);
	end(&second);
	syncobj_destroy(gpu, timeline);
	syncobj_destroy(gpu, other.syncobj);
}

int main(int argc, char **argv)
{
	gpu = open_gpu();
	if (argc == 2 && !strcmp(argv[1], "system"))
		system_suspend();
	else if (argc == 2 && !strcmp(argv[1], "runtime"))
		runtime_suspend();
	else
		die("system|runtime");
	close(gpu);
	return 0;
}
