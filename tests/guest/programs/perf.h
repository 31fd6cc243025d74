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
#include <glob.h>
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

/* This file has the device of the port to the runner. */
#define CONTROL_FILE	"/run/control"
#define WAIT_MS		5000
#define OPEN_MS		60000

/* Of calls beside a firmware that fails now and then, at most one in MOST_FAILED may fail with it. */
#define MOST_FAILED	4

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

/* That a call succeeds is a step of a test and no result of it; that it fails as it has to is one. */
static inline void check_errno(const char *what, int got, int want)
{
	if (got != want)
		check(false, "%s - got %s, want %s", what, errno_name(got), errno_name(want));
	else if (want)
		check(true, "%s: %s", what, errno_name(want));
}

/* Ask the runner, as lib.sh does. The reply is "ok", "ok TEXT" or why not. */
static inline bool ask_host(const char *request, char *reply, size_t size)
{
	char device[64] = "";
	size_t used = 0;
	const char *gpu = getenv("GPU_NR");
	FILE *file;
	int port;

	file = fopen(CONTROL_FILE, "r");
	if (!file || fscanf(file, "%63s", device) != 1)
		die(CONTROL_FILE);
	fclose(file);
	port = open(device, O_RDWR | O_CLOEXEC);
	if (port < 0 || dprintf(port, gpu ? "gpu%s %s\n" : "%s%s\n", gpu ?: "", request) < 0)
		die("asking the runner");
	while (used < size - 1 && read(port, reply + used, 1) == 1)
		if (reply[used++] == '\n')
			break;
	reply[used] = 0;
	close(port);
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

/* Programs that leave little time to others may have to be nice, as PERF_NICE says. */
static inline void be_nice(void)
{
	const char *niceness = getenv("PERF_NICE");

	errno = 0;
	if (niceness && nice(atoi(niceness)) == -1 && errno)
		die("PERF_NICE");
}

/* The sum of the calls of several programs, in the file PERF_TOTAL if there is one. */
static inline uint64_t *common_total(void)
{
	const char *path = getenv("PERF_TOTAL");
	uint64_t *total;
	int fd;

	if (!path)
		return NULL;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*total)))
		die(path);
	total = mmap(NULL, sizeof(*total), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (total == MAP_FAILED)
		die(path);
	close(fd);
	return total;
}

/*
 * The render node of the GPU; there is one in these guests. Where PERF_GPU is the folder of its
 * device, it comes and goes, and may have another number then. -1: none.
 */
static inline int try_open_gpu(void)
{
	const char *path = getenv("PERF_NODE"), *gpu = getenv("PERF_GPU");
	char pattern[256], node[64];
	glob_t found;
	int fd = -1;

	if (!gpu)
		return open(path ? path : "/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	snprintf(pattern, sizeof(pattern), "%s/drm/renderD*", gpu);
	if (glob(pattern, 0, NULL, &found))
		return -1;
	snprintf(node, sizeof(node), "/dev/dri/%s", strrchr(found.gl_pathv[0], '/') + 1);
	fd = open(node, O_RDWR | O_CLOEXEC);
	globfree(&found);
	return fd;
}

static inline int open_gpu(void)
{
	int fd = try_open_gpu();

	for (int waited = 0; fd < 0 && getenv("PERF_GPU") && waited < OPEN_MS; waited += 10) {
		usleep(10000);
		fd = try_open_gpu();
	}
	if (fd < 0)
		die("opening the render node");
	return fd;
}

/* Returns 0 or the errno. */
static inline int try_query(int fd, uint32_t type, void *info, uint32_t size)
{
	struct drm_panthor_dev_query query = {
		.type = type,
		.size = size,
		.pointer = (uintptr_t)info,
	};

	return ioctl(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query) ? errno : 0;
}

static inline struct drm_panthor_perf_info perf_info(int fd)
{
	struct drm_panthor_perf_info info = { 0 };

	if (try_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, &info, sizeof(info)))
		die("PERF_INFO");
	if (info.abi != DRM_PANTHOR_PERF_ABI)
		die("the version of the interface");
	return info;
}

/* The shortest period that there is, or that is wanted. */
static inline uint64_t shortest_period(const struct drm_panthor_perf_info *info)
{
	const char *value = getenv("PERF_SHORTEST");
	uint64_t wanted = value ? strtoull(value, NULL, 0) : 0;

	return wanted > info->min_period_ns ? wanted : info->min_period_ns;
}

static inline struct drm_panthor_gpu_info gpu_info(int fd)
{
	struct drm_panthor_gpu_info info = { 0 };

	if (try_query(fd, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &info, sizeof(info)))
		die("GPU_INFO");
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

/* Returns 0 or the errno. */
static inline int try_object_map(int fd, uint64_t size, struct object *object)
{
	long page = sysconf(_SC_PAGESIZE);
	struct drm_panthor_bo_create create = { .size = (size + page - 1) & ~(uint64_t)(page - 1) };
	struct drm_panthor_bo_mmap_offset offset = { 0 };

	if (ioctl(fd, DRM_IOCTL_PANTHOR_BO_CREATE, &create))
		return errno;
	offset.handle = create.handle;
	if (ioctl(fd, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset))
		return errno;
	*object = (struct object){ create.handle, create.size, NULL };
	object->map = mmap(NULL, object->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   offset.offset);
	return object->map == MAP_FAILED ? errno : 0;
}

static inline struct object object_map(int fd, uint64_t size)
{
	struct object object;

	errno = try_object_map(fd, size, &object);
	if (errno)
		die("a buffer object");
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

/* What SETUP needs beside objects: all counters. */
static inline void session_ask(struct session *s, int fd, uint32_t slots,
			       const struct drm_panthor_perf_info *info)
{
	const struct {
		uint8_t type;
		uint32_t blocks;
	} types[] = {
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_FW, info->fw_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, info->cshw_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, info->tiler_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, info->memsys_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, info->shader_blocks },
		{ DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, info->csg_blocks },
	};
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (uint32_t first = 0; types[i].blocks && first < info->counters_per_block;
		     first += 64)
			s->sections[count++] = (struct drm_panthor_perf_section){
				.block_type = types[i].type,
				.first_counter = first,
				.mask = first ? ~0ull : ~0xfull,
			};
	}
	s->setup = (struct drm_panthor_perf_setup){
		.counter_set = DRM_PANTHOR_PERF_SET_PRIMARY,
		.eventfd = s->eventfd,
		.ring_handle = s->ring.handle,
		.control_handle = s->control.handle,
		.sample_slots = slots,
		.sections = DRM_PANTHOR_OBJ_ARRAY(count, s->sections),
	};
	s->fd = fd;
}

/* What SETUP needs, valid, so that a test can spoil one thing. Returns 0 or the errno. */
static inline int session_try_prepare(struct session *s, int fd, uint32_t slots,
				      const struct drm_panthor_perf_info *info)
{
	int error;

	memset(s, 0, sizeof(*s));
	error = try_object_map(fd, (uint64_t)slots * info->sample_size, &s->ring);
	if (error)
		return error;
	error = try_object_map(fd, 4096, &s->control);
	if (error) {
		munmap(s->ring.map, s->ring.size);
		return error;
	}
	s->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	session_ask(s, fd, slots, info);
	return 0;
}

static inline void session_prepare(struct session *s, int fd, uint32_t slots)
{
	struct drm_panthor_perf_info info = perf_info(fd);

	errno = session_try_prepare(s, fd, slots, &info);
	if (errno)
		die("the objects of a session");
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

/* What the header says that the size of a sample is. */
static inline uint32_t session_sample_size(const struct session *s,
					   const struct drm_panthor_perf_info *info)
{
	const uint32_t blocks[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = info->fw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = info->cshw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = info->tiler_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = info->memsys_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = info->shader_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = info->csg_blocks,
	};
	uint32_t counters[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = { 0 };
	uint32_t size = info->sample_header_size;

	if (!(s->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT))
		return info->sample_size;
	for (uint32_t i = 0; i < s->setup.sections.count; i++)
		counters[s->sections[i].block_type] += __builtin_popcountll(s->sections[i].mask);
	for (uint32_t type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		if (counters[type])
			size += blocks[type] * (info->block_header_size + 8 * counters[type]);
	return size;
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
