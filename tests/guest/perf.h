/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the programs of the guest tests share: the bare ioctls, a session with its two buffer
 * objects, and the runner's control port. On purpose none of the library that users get: these
 * programs show the kernel's answers to calls which the library would never make.
 */
#ifndef PERF_TEST_H
#define PERF_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "panthor_perf_drm.h"

/* The port that init has opened for the tests. */
#define CONTROL_FD	8
#define WAIT_MS		5000

static inline void die(const char *what)
{
	printf("not ok %s - %s\n", what, strerror(errno));
	exit(1);
}

static inline void check(bool passed, const char *format, ...)
{
	va_list args;

	printf(passed ? "ok " : "not ok ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

static inline void check_eq(const char *what, uint64_t got, uint64_t want)
{
	if (got == want)
		check(true, "%s", what);
	else
		check(false, "%s - got %llu, want %llu", what, (unsigned long long)got,
		      (unsigned long long)want);
}

/* The outcome of a call: 0 or its errno. */
static inline int perf_call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret && errno == EINTR);
	return ret ? errno : 0;
}

static inline const char *errno_name(int error)
{
	return error ? strerrorname_np(error) : "success";
}

static inline void check_errno(const char *what, int got, int want)
{
	if (got == want)
		check(true, "%s: %s", what, errno_name(want));
	else
		check(false, "%s - got %s, want %s", what, errno_name(got), errno_name(want));
}

/* Ask the runner, as lib.sh does. The reply is "ok", "ok TEXT" or why not. */
static inline bool ask_host(const char *request, char *reply, size_t size)
{
	size_t used = 0;

	if (dprintf(CONTROL_FD, "%s\n", request) < 0)
		die("asking the runner");
	while (used < size - 1 && read(CONTROL_FD, reply + used, 1) == 1)
		if (reply[used++] == '\n')
			break;
	reply[used] = 0;
	return !strncmp(reply, "ok", 2);
}

static inline bool host(const char *request)
{
	char reply[128];

	if (ask_host(request, reply, sizeof(reply)))
		return true;
	printf("not ok host %s - %s", request, reply);
	return false;
}

/* Tell the shell that waits, in the file PERF_STATE. */
static inline void tell(const char *state)
{
	const char *path = getenv("PERF_STATE");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		die("PERF_STATE");
	fprintf(file, "%s\n", state);
	fclose(file);
}

/* The render node of the GPU; there is one in these guests. */
static inline int open_gpu(void)
{
	const char *path = getenv("PERF_NODE");
	int fd = open(path ? path : "/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("opening the render node");
	return fd;
}

static inline struct drm_panthor_perf_info perf_info(int fd)
{
	struct drm_panthor_perf_info info = { 0 };
	struct drm_panthor_dev_query query = {
		.type = DRM_PANTHOR_DEV_QUERY_PERF_INFO,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};

	if (ioctl(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query))
		die("PERF_INFO");
	return info;
}

/**
 * struct object - a buffer object
 */
struct object {
	/** @handle: GEM handle. */
	uint32_t handle;

	/** @size: In bytes. */
	uint64_t size;

	/** @map: Where it is mapped. */
	void *map;
};

static inline uint32_t object_create(int fd, uint64_t size, uint32_t flags)
{
	struct drm_panthor_bo_create create = { .size = size, .flags = flags };

	if (ioctl(fd, DRM_IOCTL_PANTHOR_BO_CREATE, &create))
		die("creating a buffer object");
	return create.handle;
}

static inline struct object object_map(int fd, uint64_t size)
{
	long page = sysconf(_SC_PAGESIZE);
	struct object object = { .size = (size + page - 1) & ~(uint64_t)(page - 1) };
	struct drm_panthor_bo_mmap_offset offset;

	object.handle = object_create(fd, object.size, 0);
	offset = (struct drm_panthor_bo_mmap_offset){ .handle = object.handle };
	if (ioctl(fd, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset))
		die("the offset of a buffer object");
	object.map = mmap(NULL, object.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset.offset);
	if (object.map == MAP_FAILED)
		die("mapping a buffer object");
	return object;
}

/**
 * struct session - a manual session and its objects
 */
struct session {
	/** @fd: The render node. */
	int fd;

	/** @eventfd: What the samples are signalled by. */
	int eventfd;

	/** @ring: The samples. */
	struct object ring;

	/** @control: The indices. */
	struct object control;

	/** @setup: As it was passed, and what came back. */
	struct drm_panthor_perf_setup setup;

	/** @sections: All counters of every type that the GPU has. */
	struct drm_panthor_perf_section sections[16];
};

/* Everything that SETUP needs, valid, so that a test can spoil one thing. */
static inline void session_prepare(struct session *s, int fd, uint32_t slots)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	const struct {
		uint8_t type;
		uint32_t blocks;
	} types[] = {
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_FW, info.fw_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, info.cshw_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, info.tiler_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, info.memsys_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, info.shader_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, info.csg_blocks },
	};
	uint32_t count = 0;

	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->ring = object_map(fd, (uint64_t)slots * info.sample_size);
	s->control = object_map(fd, 4096);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (uint32_t first = 0; types[i].blocks && first < info.counters_per_block;
		     first += 64)
			s->sections[count++] = (struct drm_panthor_perf_section){
				.block_type = types[i].type,
				.first_counter = first,
				.mask = first ? ~0ull : ~0xfull,
			};
	}
	s->setup = (struct drm_panthor_perf_setup){
		.block_set = DRM_PANTHOR_PERF_SET_PRIMARY,
		.eventfd = s->eventfd,
		.ring_handle = s->ring.handle,
		.control_handle = s->control.handle,
		.sample_slots = slots,
		.sections = DRM_PANTHOR_OBJ_ARRAY(count, s->sections),
	};
}

static inline int session_setup(struct session *s)
{
	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SETUP, &s->setup);
}

static inline int session_start(struct session *s, uint64_t user_data)
{
	struct drm_panthor_perf_start start = {
		.handle = s->setup.handle,
		.user_data = user_data,
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_START, &start);
}

static inline int session_sample(struct session *s, uint64_t user_data)
{
	struct drm_panthor_perf_sample sample = {
		.handle = s->setup.handle,
		.user_data = user_data,
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &sample);
}

static inline int session_stop(struct session *s, uint64_t user_data)
{
	struct drm_panthor_perf_stop stop = {
		.handle = s->setup.handle,
		.user_data = user_data,
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_STOP, &stop);
}

static inline int session_teardown(struct session *s)
{
	struct drm_panthor_perf_teardown teardown = { .handle = s->setup.handle };

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &teardown);
}

static inline struct drm_panthor_perf_ring_control *session_indices(struct session *s)
{
	return (void *)((char *)s->control.map + s->setup.control_offset);
}

static inline uint64_t session_insert(struct session *s)
{
	return __atomic_load_n(&session_indices(s)->insert_idx, __ATOMIC_ACQUIRE);
}

static inline void session_consume(struct session *s, uint64_t extract)
{
	__atomic_store_n(&session_indices(s)->extract_idx, extract, __ATOMIC_RELEASE);
}

static inline const struct drm_panthor_perf_sample_header *session_slot(struct session *s,
									uint64_t index)
{
	uint32_t slot = index & (s->setup.sample_slots - 1);

	return (void *)((char *)s->ring.map + (uint64_t)slot * s->setup.sample_size);
}

/* Wait until the insert index is at least index. */
static inline bool session_wait(struct session *s, uint64_t index, int timeout_ms)
{
	struct timespec pause = { .tv_nsec = 5000000 };

	for (int waited = 0; waited <= timeout_ms; waited += 5) {
		if ((int64_t)(session_insert(s) - index) >= 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* The counts that the eventfd has received since it was read last. */
static inline uint64_t session_signals(struct session *s)
{
	uint64_t count = 0;

	if (read(s->eventfd, &count, sizeof(count)) != sizeof(count))
		return 0;
	return count;
}

static inline void session_release(struct session *s)
{
	struct drm_gem_close close_ring = { .handle = s->ring.handle };
	struct drm_gem_close close_control = { .handle = s->control.handle };

	munmap(s->ring.map, s->ring.size);
	munmap(s->control.map, s->control.size);
	ioctl(s->fd, DRM_IOCTL_GEM_CLOSE, &close_ring);
	ioctl(s->fd, DRM_IOCTL_GEM_CLOSE, &close_control);
	close(s->eventfd);
}

#endif
