/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the panthor_perf tests share: a session with its two buffer objects, the ring's reader, and
 * the way through a sample. Nothing of the library that users get: the tests show the kernel's
 * answers to calls which it would never make.
 *
 * Some subtests need the virtual GPU: whoever runs the machine answers requests on the port that
 * PANTHOR_PERF_HOST names, as scripts/lib/panthor_perf/machine.py does, and PANTHOR_PERF_GPU is the
 * device's name there. Without it they are skipped. PANTHOR_PERF_HOST_WAKE is a shell command that
 * runs after each system suspend: it makes the port usable again, where that is needed.
 */
#ifndef PANTHOR_PERF_H
#define PANTHOR_PERF_H

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "igt.h"
#include "panthor_perf_drm.h"

#define PERF_SLOTS		16
#define PERF_MAX_SECTIONS	32
#define PERF_WAIT_MS		20000
#define PERF_RESET_WAIT_MS	60000
#define PERF_CONTROL_SIZE	4096
#define PERF_KNOWN_FLAGS \
	(DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT | DRM_PANTHOR_PERF_COMPACT_SUPPORT | \
	 DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT | DRM_PANTHOR_PERF_WAKEUP_SUPPORT | \
	 DRM_PANTHOR_PERF_SYNCS_SUPPORT | DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT)
#define NS_PER_MS		1000000ull
#define NS_PER_S		1000000000ull

/* The outcome of a call: 0, or its errno as the kernel has it, negative. */
static inline int perf_call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = igt_ioctl(fd, request, arg);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	ret = ret ? -errno : 0;
	errno = 0;
	return ret;
}

static inline int perf_query(int fd, uint32_t type, void *data, uint32_t size)
{
	struct drm_panthor_dev_query query = {
		.type = type,
		.size = size,
		.pointer = (uintptr_t)data,
	};

	return perf_call(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query);
}

static inline struct drm_panthor_perf_info perf_info(int fd)
{
	struct drm_panthor_perf_info info = { 0 };

	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, &info, sizeof(info)), 0);
	return info;
}

/* Opened, with counters: a test without them is skipped. */
static inline int perf_open_gpu(void)
{
	int fd = drm_open_driver(DRIVER_PANTHOR);
	uint8_t info[sizeof(struct drm_panthor_perf_info)];
	int ret = perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, info, sizeof(info));

	igt_require_f(ret != -EINVAL, "the driver knows no performance counters\n");
	igt_require_f(ret != -EOPNOTSUPP, "the GPU has no usable performance counters\n");
	igt_assert_eq(ret, 0);
	return fd;
}

/* Another open file of the GPU. */
static inline int perf_reopen(int fd)
{
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR | O_CLOEXEC);
	igt_assert_fd(other);
	return other;
}

static inline uint64_t perf_clock_ns(clockid_t id)
{
	struct timespec now;

	igt_assert_eq(clock_gettime(id, &now), 0);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Buffer objects are of whole pages, which are larger than 4 KiB in some kernels. */
static inline uint64_t perf_page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static inline void perf_sleep_ms(unsigned int ms)
{
	struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * NS_PER_MS };

	nanosleep(&pause, NULL);
}

/**
 * struct perf_bo - a buffer object
 */
struct perf_bo {
	/** @handle: GEM handle. */
	uint32_t handle;

	/** @size: In bytes. */
	uint64_t size;

	/** @map: Where it is mapped, or %NULL. */
	void *map;
};

static inline struct perf_bo perf_bo_create(int fd, uint64_t size, uint32_t flags)
{
	struct drm_panthor_bo_create create = { .size = size, .flags = flags };

	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_BO_CREATE, &create), 0);
	return (struct perf_bo){ .handle = create.handle, .size = create.size };
}

static inline struct perf_bo perf_bo_create_mapped(int fd, uint64_t size)
{
	struct perf_bo bo = perf_bo_create(fd, size, 0);
	struct drm_panthor_bo_mmap_offset offset = { .handle = bo.handle };

	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset), 0);
	bo.map = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset.offset);
	igt_assert(bo.map != MAP_FAILED);
	return bo;
}

static inline void perf_gem_close(int fd, uint32_t handle)
{
	struct drm_gem_close args = { .handle = handle };

	igt_assert_eq(perf_call(fd, DRM_IOCTL_GEM_CLOSE, &args), 0);
}

static inline void perf_bo_free(int fd, struct perf_bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	perf_gem_close(fd, bo->handle);
	*bo = (struct perf_bo){ 0 };
}

/**
 * struct perf_session - a session and its objects
 */
struct perf_session {
	/** @fd: The GPU. */
	int fd;

	/** @info: What PERF_INFO said. */
	struct drm_panthor_perf_info info;

	/** @ring: The samples. */
	struct perf_bo ring;

	/** @control: The indices. */
	struct perf_bo control;

	/** @setup: As it is passed, and what came back. */
	struct drm_panthor_perf_setup setup;

	/** @sections: All counters of every type that the GPU has. */
	struct drm_panthor_perf_section sections[PERF_MAX_SECTIONS];
};

static inline uint32_t perf_blocks_of(const struct drm_panthor_perf_info *info, uint8_t type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
		return info->fw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
		return info->cshw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return info->tiler_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return info->memsys_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return info->shader_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return info->neural_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return info->csg_blocks;
	default:
		return 0;
	}
}

/* Can a unit of this type lose power, or be withheld? */
static inline bool perf_is_of_core(uint8_t type)
{
	return type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER ||
	       type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL;
}

/*
 * The index of a block, at least @next: indices of a type are without gaps. Those of accelerators
 * are the ones of their cores, in ascending order. The one behind it is returned.
 */
static inline uint32_t perf_assert_idx(const struct drm_panthor_perf_info *info, uint8_t type,
				       uint32_t idx, uint32_t next)
{
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL) {
		igt_assert_lte_u32(next, idx);
		igt_assert_lt_u32(idx, info->shader_blocks);
	} else {
		igt_assert_eq_u32(idx, next);
	}
	return idx + 1;
}

/* All counters of a type that the GPU has. */
static inline void perf_enable(struct perf_session *s, uint8_t type)
{
	for (uint32_t first = 0; first < s->info.counters_per_block; first += 64) {
		igt_assert_lt_u32(s->setup.sections.count, PERF_MAX_SECTIONS);
		s->sections[s->setup.sections.count++] = (struct drm_panthor_perf_section){
			.block_type = type,
			.first_counter = first,
			.mask = first ? ~0ull : ~0xfull,
		};
	}
}

/*
 * Everything that SETUP needs, valid, with all counters and an eventfd, so that a test can change
 * one thing.
 */
static inline void perf_prepare(struct perf_session *s, int fd, uint32_t slots, uint64_t period_ns)
{
	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->info = perf_info(fd);
	s->ring = perf_bo_create_mapped(fd, (uint64_t)slots * s->info.sample_size);
	s->control = perf_bo_create_mapped(fd, PERF_CONTROL_SIZE);
	s->setup = (struct drm_panthor_perf_setup){
		.counter_set = DRM_PANTHOR_PERF_SET_PRIMARY,
		.eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		.ring_handle = s->ring.handle,
		.control_handle = s->control.handle,
		.sample_slots = slots,
		.sample_period_ns = period_ns,
		.sections = DRM_PANTHOR_OBJ_ARRAY(0, s->sections),
	};
	igt_assert_fd(s->setup.eventfd);
	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		if (perf_blocks_of(&s->info, type))
			perf_enable(s, type);
}

static inline int perf_setup(struct perf_session *s)
{
	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SETUP, &s->setup);
}

/* A session with all counters. */
static inline void perf_open(struct perf_session *s, int fd, uint32_t slots, uint64_t period_ns)
{
	perf_prepare(s, fd, slots, period_ns);
	igt_assert_eq(perf_setup(s), 0);
}

static inline int perf_start(struct perf_session *s, uint64_t user_data)
{
	struct drm_panthor_perf_start args = { .handle = s->setup.handle, .user_data = user_data };

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_START, &args);
}

/* START after firmware was silent: the counters may be dead until the GPU is resumed or reset. */
static inline void perf_start_when_alive(struct perf_session *s)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_RESET_WAIT_MS * NS_PER_MS;
	int ret;

	do {
		perf_sleep_ms(10);
		ret = perf_start(s, 0);
	} while (ret == -EIO && perf_clock_ns(CLOCK_MONOTONIC) < end);
	igt_assert_eq(ret, 0);
}

static inline int perf_stop(struct perf_session *s, uint64_t user_data)
{
	struct drm_panthor_perf_stop args = { .handle = s->setup.handle, .user_data = user_data };

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_STOP, &args);
}

static inline int perf_sample(struct perf_session *s, uint64_t user_data)
{
	struct drm_panthor_perf_sample args = { .handle = s->setup.handle, .user_data = user_data };

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

static inline int perf_teardown(struct perf_session *s)
{
	struct drm_panthor_perf_teardown args = { .handle = s->setup.handle };

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &args);
}

/* What perf_prepare() made, but not the session. */
static inline void perf_free(struct perf_session *s)
{
	perf_bo_free(s->fd, &s->ring);
	perf_bo_free(s->fd, &s->control);
	close(s->setup.eventfd);
}

static inline void perf_close(struct perf_session *s)
{
	igt_assert_eq(perf_teardown(s), 0);
	perf_free(s);
}

static inline struct drm_panthor_perf_ring_control *perf_indices(struct perf_session *s)
{
	return (void *)((char *)s->control.map + s->setup.control_offset);
}

static inline uint64_t perf_insert(struct perf_session *s)
{
	return __atomic_load_n(&perf_indices(s)->insert_idx, __ATOMIC_ACQUIRE);
}

static inline uint64_t perf_extract(struct perf_session *s)
{
	return __atomic_load_n(&perf_indices(s)->extract_idx, __ATOMIC_RELAXED);
}

/* Everything before this index has been read. */
static inline void perf_consume(struct perf_session *s, uint64_t index)
{
	__atomic_store_n(&perf_indices(s)->extract_idx, index, __ATOMIC_RELEASE);
}

static inline const struct drm_panthor_perf_sample_header *perf_slot(struct perf_session *s,
								     uint64_t index)
{
	uint64_t slot = index & (s->setup.sample_slots - 1);

	return (void *)((char *)s->ring.map + slot * s->setup.sample_size);
}

/* Samples up to this index are published in time, and no more than that. */
static inline void perf_wait(struct perf_session *s, uint64_t index)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_WAIT_MS * NS_PER_MS;

	while (perf_insert(s) < index) {
		igt_assert_f(perf_clock_ns(CLOCK_MONOTONIC) < end,
			     "insert index %" PRIu64 ", %" PRIu64 " was waited for\n",
			     perf_insert(s), index);
		perf_sleep_ms(1);
	}
}

/* The counts that the eventfd has got since it was read last. */
static inline uint64_t perf_signals(struct perf_session *s)
{
	uint64_t count = 0;

	if (read(s->setup.eventfd, &count, sizeof(count)) != sizeof(count))
		igt_assert_eq(errno, EAGAIN);
	errno = 0;
	return count;
}

/* The counts come behind the samples: as many as this in time, and no more. */
static inline void perf_expect_signals(struct perf_session *s, uint64_t count)
{
	struct pollfd pollfd = { .fd = s->setup.eventfd, .events = POLLIN };
	uint64_t got = 0;

	while (got < count) {
		igt_assert_f(poll(&pollfd, 1, PERF_WAIT_MS) == 1,
			     "the eventfd was signalled %" PRIu64 " times of %" PRIu64 "\n", got,
			     count);
		got += perf_signals(s);
	}
	perf_sleep_ms(20);
	igt_assert_eq_u64(got + perf_signals(s), count);
}

static inline bool perf_is_final(const struct drm_panthor_perf_sample_header *sample)
{
	return sample->flags & DRM_PANTHOR_PERF_SAMPLE_FINAL;
}

/* One SAMPLE of a session that reads all it gets: the sample, in its slot. */
static inline const struct drm_panthor_perf_sample_header *perf_take(struct perf_session *s,
								     uint64_t user_data)
{
	uint64_t index = perf_insert(s);

	perf_consume(s, index);
	igt_assert_eq(perf_sample(s, user_data), 0);
	perf_wait(s, index + 1);
	igt_assert(!perf_is_final(perf_slot(s, index)));
	return perf_slot(s, index);
}

/* STOP of such a session: the final sample. */
static inline const struct drm_panthor_perf_sample_header *perf_finish(struct perf_session *s,
								       uint64_t user_data)
{
	uint64_t index = perf_insert(s);

	perf_consume(s, index);
	igt_assert_eq(perf_stop(s, user_data), 0);
	perf_wait(s, index + 1);
	igt_assert(perf_is_final(perf_slot(s, index)));
	return perf_slot(s, index);
}

static inline uint32_t perf_block_stride(const struct perf_session *s)
{
	return s->info.block_header_size + s->info.counters_per_block * sizeof(uint64_t);
}

/* Block by its place in the sample, and NULL behind the last. */
static inline const struct drm_panthor_perf_block_header *
perf_block_at(const struct perf_session *s, const void *sample, unsigned int place)
{
	uint64_t offset = s->info.sample_header_size + (uint64_t)place * perf_block_stride(s);

	if (offset + perf_block_stride(s) > s->setup.sample_size)
		return NULL;
	return (const void *)((const char *)sample + offset);
}

static inline const uint64_t *perf_counters(const struct perf_session *s,
					    const struct drm_panthor_perf_block_header *block)
{
	return (const void *)((const char *)block + s->info.block_header_size);
}

#define perf_for_each_block(block, s, sample) \
	for (unsigned int perf_place = 0; \
	     ((block) = perf_block_at((s), (sample), perf_place)); perf_place++)

/* Is anything counted in this sample? */
static inline bool perf_counts(const struct perf_session *s, const void *sample)
{
	const struct drm_panthor_perf_block_header *block;

	perf_for_each_block(block, s, sample)
		for (uint32_t i = 0; i < s->info.counters_per_block; i++)
			if (perf_counters(s, block)[i])
				return true;
	return false;
}

/* Counts are as the hardware reported them. */
static inline void perf_assert_exact(const struct drm_panthor_perf_sample_header *sample)
{
	igt_assert_f(!(sample->flags & (DRM_PANTHOR_PERF_SAMPLE_ERROR |
					DRM_PANTHOR_PERF_SAMPLE_OVERFLOW)),
		     "sample %" PRIu64 " with flags %#x, events %#x\n", (uint64_t)sample->sample_nr,
		     sample->flags, sample->events);
}

/*
 * Number of sessions of this file. SAMPLE with a stride that no operation has is -ENOENT without a
 * session, and otherwise changes nothing. Handles are the lowest that are free.
 */
static inline unsigned int perf_sessions(int fd)
{
	struct drm_panthor_perf_sample args = {
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.syncs = { .stride = 1, .count = 1 },
	};
	unsigned int count = 0;

	for (args.handle = 0; args.handle < 256; args.handle++)
		count += perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args) != -ENOENT;
	return count;
}

/* Ask whoever runs the machine; the answer is behind "ok". Skipped without the virtual GPU. */
static inline void perf_ask(const char *request, char *reply, size_t size)
{
	const char *path = getenv("PANTHOR_PERF_HOST");
	size_t used = 0;
	int port;

	igt_require_f(path, "needs the virtual GPU, whose host answers on PANTHOR_PERF_HOST\n");
	port = open(path, O_RDWR | O_CLOEXEC);
	igt_assert_fd(port);
	igt_assert_lt(0, dprintf(port, "%s\n", request));
	while (used < size - 1 && read(port, reply + used, 1) == 1 && reply[used] != '\n')
		used++;
	reply[used] = 0;
	close(port);
	igt_require_f(!strstr(reply, "does not know"), "%s\n", reply);
	igt_assert_f(!strncmp(reply, "ok", 2), "%s: %s\n", request, reply);
	memmove(reply, reply + 2, used - 1);
}

/* Where the host has the virtual GPU. */
static inline const char *perf_vgpu_name(void)
{
	return getenv("PANTHOR_PERF_GPU") ?: "gpu0";
}

/*
 * The kernel may say this in this subtest. Of several announcements igt_runner takes the last
 * one: it has all of them.
 */
static inline void perf_announce(const char *regex)
{
	static char subtest[128], all[512];
	const char *name = igt_subtest_name() ?: "";
	size_t used;

	if (strcmp(subtest, name)) {
		snprintf(subtest, sizeof(subtest), "%s", name);
		all[0] = 0;
	}
	if (strstr(all, regex))
		return;
	used = strlen(all);
	snprintf(all + used, sizeof(all) - used, "%s%s", used ? "|" : "", regex);
	igt_emit_ignore_dmesg_regex(all);
}

/* Let the virtual GPU misbehave, of which the driver may tell. */
static inline void perf_vgpu(const char *property, uint64_t value)
{
	char request[64], reply[64];

	perf_announce("panthor .*firmware counters failed");
	snprintf(request, sizeof(request), "qom-set %s %s %" PRIu64, perf_vgpu_name(), property,
		 value);
	perf_ask(request, reply, sizeof(reply));
}

static inline void perf_require_vgpu(void)
{
	igt_require_f(getenv("PANTHOR_PERF_HOST"),
		      "needs the virtual GPU, whose host answers on PANTHOR_PERF_HOST\n");
}

static inline bool perf_tells_reset(const struct drm_panthor_perf_sample_header *sample)
{
	return sample->events & DRM_PANTHOR_PERF_EVENT_RESET;
}

/* Samples until one tells of the reset: the ones before it, and that one. */
static inline uint64_t perf_wait_reset(struct perf_session *s)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_RESET_WAIT_MS * NS_PER_MS;
	const struct drm_panthor_perf_sample_header *sample;
	uint64_t count = 0;

	do {
		igt_assert_f(perf_clock_ns(CLOCK_MONOTONIC) < end, "no sample told of a reset\n");
		perf_sleep_ms(300);
		sample = perf_take(s, count);
		igt_assert_eq_u64(sample->user_data, count++);
		if (!perf_tells_reset(sample))
			perf_assert_exact(sample);
	} while (!perf_tells_reset(sample));
	igt_assert(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	return count;
}

#endif
