// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "panthor_perf_select.h"
#include "ring.h"
#include "sample.h"

/* Shorter periods need CAP_PERFMON, whatever the sysctl says. */
#define PERFMON_PERIOD_NS	1000000

/**
 * struct mapped_bo - a buffer object and where it is mapped
 */
struct mapped_bo {
	/** @map: The mapping, %NULL if there is none. */
	void *map;

	/** @size: Bytes of the object and of the mapping. */
	size_t size;

	/** @handle: GEM handle, 0 if there is none. */
	uint32_t handle;
};

/**
 * struct panthor_perf_session - a session on a device
 */
struct panthor_perf_session {
	/** @device: The device. */
	struct panthor_perf_device *device;

	/** @numbers: The numbers of its interface. */
	const struct panthor_perf_numbers *numbers;

	/** @gpu: Its GPU. */
	const struct panthor_perf_gpu *gpu;

	/** @owner: The process that created the session. */
	pid_t owner;

	/** @slots: Memory of the ring's slots. */
	struct mapped_bo slots;

	/** @control: Memory of the ring's indices. */
	struct mapped_bo control;

	/** @has_period: It takes a sample at the end of each period. */
	bool has_period;

	/** @ring: The consumer's side of the ring. */
	struct panthor_perf_ring ring;

	/** @layout: Where the counters of a sample are. */
	struct sample_layout layout;

	/** @data: Copy of the newest sample that was read. */
	uint64_t *data;

	/** @sample: That sample. */
	struct panthor_perf_sample sample;

	/** @peeked: By slot: the sample that was read in place there. */
	struct panthor_perf_sample *peeked;

	/** @wakeup: A count of the eventfd may stand for several samples. */
	bool wakeup;

	/** @suspect: There was such a count, which may be that of a GPU that went away. */
	bool suspect;

	/** @gone: It was. */
	bool gone;

	/** @quality: Data quality of the samples that were read. */
	struct panthor_perf_quality quality;

	/** @finals: Final samples of calls to STOP that were not read yet. */
	unsigned int finals;

	/** @next_nr: Number that the next sample has if none is missing. */
	uint64_t next_nr;

	/** @signals: Counts that were read from @eventfd. */
	uint64_t signals;

	/** @eventfd: Counts published samples. */
	int eventfd;

	/** @handle: The kernel's handle of the session, 0 if there is none. */
	uint32_t handle;
};

static int bo_create(struct panthor_perf_device *device, struct mapped_bo *bo, uint64_t size,
		     int prot)
{
	struct drm_panthor_bo_create create = { .size = size };
	struct drm_panthor_bo_mmap_offset offset = { 0 };
	void *map;
	int ret;

	ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_BO_CREATE, &create);
	if (ret)
		return ret;
	bo->handle = create.handle;
	if (create.size > SIZE_MAX)
		return -ENOMEM;

	offset.handle = create.handle;
	ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset);
	if (ret)
		return ret;
	map = mmap(NULL, create.size, prot, MAP_SHARED, panthor_perf_device_fd(device),
		   offset.offset);
	if (map == MAP_FAILED)
		return -errno;
	bo->map = map;
	bo->size = create.size;
	return 0;
}

static void bo_close_handle(struct panthor_perf_device *device, struct mapped_bo *bo)
{
	if (bo->handle)
		drmCloseBufferHandle(panthor_perf_device_fd(device), bo->handle);
	bo->handle = 0;
}

static void bo_destroy(struct panthor_perf_device *device, struct mapped_bo *bo)
{
	bo_close_handle(device, bo);
	if (bo->map)
		munmap(bo->map, bo->size);
	bo->map = NULL;
}

static uint32_t default_slots(const struct drm_panthor_perf_info *info)
{
	uint32_t slots = PANTHOR_PERF_DEFAULT_SLOTS;

	if (info->max_sample_slots && slots > info->max_sample_slots)
		slots = info->max_sample_slots;
	if (slots < info->min_sample_slots)
		slots = info->min_sample_slots;
	return slots;
}

static int fail_set(unsigned int set, int err, struct panthor_perf_error *error)
{
	const char *name = panthor_perf_set_name(set);

	if (err != -EACCES && name)
		return panthor_perf_fail(error, err, "the GPU does not offer the counter set %s",
					 name);
	if (err != -EACCES)
		return panthor_perf_fail(error, err, "the GPU does not offer the counter set "
					 "number %u", set);
	if (set == DRM_PANTHOR_PERF_SET_PRIMARY)
		return panthor_perf_fail(error, err, "performance counters need CAP_PERFMON while "
					 "the sysctl dev.panthor.perf_paranoid is 1");
	return panthor_perf_fail(error, err, "the counter set %s needs CAP_PERFMON",
				 name ? name : "of another number");
}

/* Names the flag that is not offered; NULL if all are. */
static const char *missing_feature(const struct drm_panthor_perf_info *info, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		uint32_t support;
		const char *what;
	} features[] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, DRM_PANTHOR_PERF_COMPACT_SUPPORT,
		  "the driver has no compact samples" },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT,
		  "the driver keeps the GPU powered while a session is started" },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, DRM_PANTHOR_PERF_WAKEUP_SUPPORT,
		  "the driver wakes up for each sample" },
		{ DRM_PANTHOR_PERF_SETUP_CLOCK_MODE, DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT,
		  "the GPU's clock has a single rate, or the driver has no clock modes" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(features); i++)
		if (flags & features[i].flag && !(info->flags & features[i].support))
			return features[i].what;
	return NULL;
}

static int fail_period(const struct drm_panthor_perf_info *info, uint64_t period_ns, int err,
		       struct panthor_perf_error *error)
{
	if (!info->min_period_ns)
		return panthor_perf_fail(error, err, "the driver has no periodic sessions");
	return panthor_perf_fail(error, err, "a period of %" PRIu64 " ns is below the shortest, %"
				 PRIu64 " ns", period_ns, (uint64_t)info->min_period_ns);
}

/* The driver says by a number alone what it refuses: this finds out what it was. */
static int fail_setup(const struct panthor_perf_session *session,
		      const struct drm_panthor_perf_setup *setup, int err,
		      struct panthor_perf_error *error)
{
	const struct drm_panthor_perf_info *info = &session->gpu->info;
	uint64_t period_ns = setup->sample_period_ns;
	bool refused = err == -EINVAL || err == -EOPNOTSUPP;
	bool has_set = setup->counter_set < 32 && info->supported_sets >> setup->counter_set & 1;
	const char *missing = missing_feature(info, setup->flags);
	uint32_t slots = setup->sample_slots;

	/* The primary set alone needs CAP_PERFMON only if the sysctl says so. */
	if (err == -EACCES && setup->counter_set == DRM_PANTHOR_PERF_SET_PRIMARY) {
		if (setup->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE)
			return panthor_perf_fail(error, err, "a clock mode needs CAP_PERFMON");
		if (period_ns && period_ns < PERFMON_PERIOD_NS)
			return panthor_perf_fail(error, err,
						 "a period below 1 ms needs CAP_PERFMON");
	}
	if (err == -EACCES || (refused && !has_set))
		return fail_set(setup->counter_set, err, error);
	if (refused && period_ns && (!info->min_period_ns || period_ns < info->min_period_ns))
		return fail_period(info, period_ns, err, error);
	if (refused && missing)
		return panthor_perf_fail(error, err, "%s", missing);
	if (refused && (slots < info->min_sample_slots || slots > info->max_sample_slots))
		return panthor_perf_fail(error, err, "a ring of %u slots is not within %u to %u",
					 slots, info->min_sample_slots, info->max_sample_slots);
	if (refused && setup->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP &&
	    (!setup->wakeup_samples || setup->wakeup_samples >= slots))
		return panthor_perf_fail(error, err, "a wake-up for %u samples is not within 1 to "
					 "%u", setup->wakeup_samples, slots - 1);
	if (err == -ENOSPC)
		return panthor_perf_fail(error, err, "no session is free: an open file has %u, and "
					 "all files of the GPU share a limit", info->max_sessions);
	return panthor_perf_fail_errno(error, err, "the driver refuses the session");
}

static int session_setup(struct panthor_perf_session *session,
			 const struct panthor_perf_session_config *config, uint32_t slot_count,
			 struct panthor_perf_error *error)
{
	struct drm_panthor_perf_setup setup = {
		.eventfd = session->eventfd,
		.ring_handle = session->slots.handle,
		.control_handle = session->control.handle,
		.sample_slots = slot_count,
		.flags = config->flags,
		.sample_period_ns = config->sample_period_ns,
		.wakeup_samples = config->wakeup_samples,
		.clock_mode = config->clock_mode,
	};
	struct drm_panthor_perf_section *sections = NULL;
	size_t count = 0;
	int ret;

	if (config->clock_mode)
		setup.flags |= DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	if (config->selection) {
		setup.counter_set = panthor_perf_selection_counter_set(config->selection);
		count = panthor_perf_selection_sections(config->selection, NULL, 0, 0);
		sections = calloc(count + 1, sizeof(*sections));
		if (!sections)
			return panthor_perf_fail_memory(error);
		panthor_perf_selection_sections(config->selection, sections, sizeof(*sections),
						count);
	}
	setup.sections.stride = sizeof(*sections);
	setup.sections.count = count;
	setup.sections.array = (uintptr_t)sections;
	ret = panthor_perf_ioctl(session->device, session->numbers->setup, &setup);
	free(sections);
	if (ret)
		return fail_setup(session, &setup, ret, error);
	session->handle = setup.handle;
	if (setup.sample_size < session->gpu->info.sample_header_size || setup.sample_size % 8 ||
	    (uint64_t)setup.sample_size * slot_count > session->slots.size ||
	    (session->layout.compact && setup.sample_size != session->layout.size))
		return panthor_perf_fail(error, -EPROTO, "the driver has samples of an impossible "
					 "size, %u bytes", setup.sample_size);

	session->data = malloc(setup.sample_size);
	session->peeked = calloc(slot_count, sizeof(*session->peeked));
	if (!session->data || !session->peeked)
		return panthor_perf_fail_memory(error);
	panthor_perf_ring_init(&session->ring, session->slots.map, session->control.map, slot_count,
			       setup.sample_size);
	return 0;
}

/* What is not left to the kernel. */
static int check_config(const struct drm_panthor_perf_info *info,
			const struct panthor_perf_session_config *config, uint32_t slot_count,
			struct panthor_perf_error *error)
{
	/* 0 is no shortest period that any period would be above. */
	if (config->sample_period_ns && !info->min_period_ns)
		return fail_period(info, config->sample_period_ns, -EOPNOTSUPP, error);
	if (!panthor_perf_clock_mode_name(config->clock_mode))
		return panthor_perf_fail(error, -EINVAL, "there is no clock mode number %u",
					 config->clock_mode);
	/* The kernel knows the limits; this is what the ring itself cannot do without. */
	if (slot_count & (slot_count - 1) || slot_count > INT_MAX)
		return panthor_perf_fail(error, -EINVAL, "a ring has a power of two of slots, not "
					 "%u", slot_count);
	return 0;
}

/* Creates what a session consists of. On an error, the caller frees what is there already. */
static int session_build(struct panthor_perf_session *session,
			 const struct panthor_perf_session_config *config,
			 struct panthor_perf_error *error)
{
	const struct drm_panthor_perf_info *info = &session->gpu->info;
	const struct panthor_perf_selection *selection = config->selection;
	uint32_t slot_count = config->sample_slots ? config->sample_slots : default_slots(info);
	int ret = check_config(info, config, slot_count, error);
	struct panthor_perf_selection *empty = NULL;
	uint64_t size;

	if (ret)
		return ret;
	session->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (session->eventfd < 0)
		return panthor_perf_fail_errno(error, -errno, "creating an eventfd");
	session->has_period = config->sample_period_ns;
	session->wakeup = config->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP;
	if (config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT) {
		if (!selection) {
			ret = panthor_perf_selection_create(session->gpu, NULL, 0, &empty, error);
			if (ret)
				return ret;
			selection = empty;
		}
		ret = sample_layout_init(&session->layout, selection);
		panthor_perf_selection_destroy(empty);
		if (ret)
			return panthor_perf_fail_errno(error, ret, "compact samples");
	}
	size = session->layout.compact ? session->layout.size : info->sample_size;
	ret = bo_create(session->device, &session->slots, slot_count * size, PROT_READ);
	if (!ret)
		ret = bo_create(session->device, &session->control,
				sizeof(struct drm_panthor_perf_ring_control),
				PROT_READ | PROT_WRITE);
	if (ret)
		return panthor_perf_fail_errno(error, ret, "creating the ring");
	ret = session_setup(session, config, slot_count, error);
	if (ret)
		return ret;

	/* The session in the kernel and the mappings hold the objects from here on. */
	bo_close_handle(session->device, &session->slots);
	bo_close_handle(session->device, &session->control);
	return 0;
}

static bool rest_is_zero(const void *bytes, size_t known, size_t size)
{
	const unsigned char *byte = bytes;

	for (; known < size; known++)
		if (byte[known])
			return false;
	return true;
}

int panthor_perf_session_create(struct panthor_perf_device *device,
				const struct panthor_perf_session_config *config,
				struct panthor_perf_session **session,
				struct panthor_perf_error *error)
{
	struct panthor_perf_session_config known = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_session *ses;
	int ret;

	if (!device)
		return panthor_perf_fail(error, -EINVAL, "there is no device");
	if (config && config->size < sizeof(known))
		return panthor_perf_fail(error, -EINVAL, "the configuration was not initialised "
					 "with PANTHOR_PERF_SESSION_CONFIG_INIT");
	if (config)
		known = *config;
	if (config && !rest_is_zero(config, sizeof(known), config->size))
		return panthor_perf_fail(error, -EINVAL, "the configuration has a member that this "
					 "version of the library does not know");
	ses = calloc(1, sizeof(*ses));
	if (!ses)
		return panthor_perf_fail_memory(error);
	ses->device = device;
	panthor_perf_device_use(device);
	ses->numbers = panthor_perf_numbers_of(device);
	ses->owner = getpid();
	ses->eventfd = -1;
	ret = panthor_perf_device_gpu(device, &ses->gpu, error);
	if (!ret && known.selection &&
	    !gpu_is_same(ses->gpu, panthor_perf_selection_gpu(known.selection)))
		ret = panthor_perf_fail(error, -EINVAL, "the selection is of another GPU");
	if (!ret)
		ret = session_build(ses, &known, error);
	if (ret) {
		panthor_perf_session_destroy(ses);
		return ret;
	}
	ses->sample.gpu = ses->gpu;
	ses->sample.layout = &ses->layout;
	*session = ses;
	return 0;
}

static bool is_owner(const struct panthor_perf_session *session)
{
	return session->owner == getpid();
}

static int check_owner(const struct panthor_perf_session *session, struct panthor_perf_error *error)
{
	if (is_owner(session))
		return 0;
	return panthor_perf_fail(error, -EPERM, "the session belongs to process %d, which created "
				 "it", (int)session->owner);
}

void panthor_perf_session_destroy(struct panthor_perf_session *session)
{
	uint32_t slot;

	if (!session)
		return;
	/* In a child, the session in the kernel is the parent's. */
	if (session->handle && is_owner(session)) {
		struct drm_panthor_perf_teardown args = { .handle = session->handle };

		/* Fails when the GPU is gone: then closing the device frees the rest. */
		panthor_perf_ioctl(session->device, session->numbers->teardown, &args);
	}
	bo_destroy(session->device, &session->slots);
	bo_destroy(session->device, &session->control);
	if (session->eventfd >= 0)
		close(session->eventfd);
	sample_layout_fini(&session->layout);
	for (slot = 0; session->peeked && slot < session->ring.slot_count; slot++)
		free(session->peeked[slot].blocks);
	free(session->peeked);
	free(session->sample.blocks);
	free(session->data);
	panthor_perf_device_unuse(session->device);
	free(session);
}

/* What the driver says by a number alone, for the calls of a session. */
static int call_failed(int err, const char *invalid, const char *busy,
		       struct panthor_perf_error *error)
{
	switch (err) {
	case 0:
		return 0;
	case -EINVAL:
		return panthor_perf_fail(error, err, "%s", invalid);
	case -EBUSY:
		return panthor_perf_fail(error, err, "%s", busy);
	case -ENODEV:
		return panthor_perf_fail(error, err, "the GPU is gone");
	case -ETIMEDOUT:
		return panthor_perf_fail(error, err, "the GPU's firmware does not answer");
	case -EIO:
		return panthor_perf_fail(error, err, "the GPU's firmware does not count until the "
					 "GPU is resumed or reset");
	default:
		return panthor_perf_fail_errno(error, err, "the driver refuses the call");
	}
}

int panthor_perf_session_start(struct panthor_perf_session *session, uint64_t user_data,
			       struct panthor_perf_error *error)
{
	/* For the samples of a period alone: a driver without periods refuses another value. */
	struct drm_panthor_perf_start args = {
		.handle = session->handle,
		.user_data = session->has_period ? user_data : 0,
	};
	int ret = check_owner(session, error);

	if (ret)
		return ret;
	return call_failed(panthor_perf_ioctl(session->device, session->numbers->start, &args),
			   "the session is started already",
			   "the ring is full, the final sample of the last run is not there yet, or "
			   "another session counts another counter set or holds another clock mode",
			   error);
}

int panthor_perf_session_sample(struct panthor_perf_session *session, uint64_t user_data,
				struct panthor_perf_error *error)
{
	struct drm_panthor_perf_sample args = {
		.handle = session->handle,
		.user_data = user_data,
	};
	int ret = check_owner(session, error);

	if (ret)
		return ret;
	return call_failed(panthor_perf_ioctl(session->device, session->numbers->sample, &args),
			   "the session is not started, or has a period",
			   "the ring has no free slot beside those of pending samples", error);
}

int panthor_perf_session_sample_ordered(struct panthor_perf_session *session, uint64_t user_data,
					const struct drm_panthor_sync_op *ops, uint32_t count,
					struct panthor_perf_error *error)
{
	struct drm_panthor_perf_sample args = {
		.handle = session->handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = {
			.stride = sizeof(*ops),
			.count = count,
			.array = (uintptr_t)ops,
		},
	};
	int ret = check_owner(session, error);

	if (ret)
		return ret;
	if (!(session->gpu->info.flags & DRM_PANTHOR_PERF_SYNCS_SUPPORT))
		return panthor_perf_fail(error, -EOPNOTSUPP, "the driver has no ordered samples");
	ret = panthor_perf_ioctl(session->device, session->numbers->sample, &args);
	if (ret == -ENOENT)
		return panthor_perf_fail(error, ret, "a syncobj does not exist");
	return call_failed(ret, "the session is not started or has a period, an operation is not "
			   "valid, or there is no fence to wait for",
			   "the ring has no free slot beside those of pending samples", error);
}

int panthor_perf_session_stop(struct panthor_perf_session *session, uint64_t user_data,
			      struct panthor_perf_error *error)
{
	struct drm_panthor_perf_stop args = {
		.handle = session->handle,
		.user_data = user_data,
	};
	int ret = check_owner(session, error);

	if (ret)
		return ret;
	ret = panthor_perf_ioctl(session->device, session->numbers->stop, &args);
	session->finals += !ret;
	return call_failed(ret, "the session is not started", "the session cannot be stopped",
			   error);
}

int panthor_perf_session_fd(const struct panthor_perf_session *session)
{
	return session->eventfd;
}

uint32_t panthor_perf_session_sample_size(const struct panthor_perf_session *session)
{
	return session->ring.slot_size;
}

uint32_t panthor_perf_session_slots(const struct panthor_perf_session *session)
{
	return session->ring.slot_count;
}

/*
 * Each count of the eventfd was added after the sample that it stands for was published, so
 * that more counts than samples can only mean the one extra count of a GPU that went away. With
 * WAKEUP there are fewer counts than samples: the driver is asked then, once for each count that
 * brought less than what is waited for.
 */
static bool is_gone(struct panthor_perf_session *session)
{
	struct drm_panthor_dev_query args = { .type = session->numbers->info };
	uint64_t insert;

	if (session->wakeup) {
		if (session->suspect && !session->gone)
			session->gone = panthor_perf_ioctl(session->device,
							   DRM_IOCTL_PANTHOR_DEV_QUERY, &args) ==
					-ENODEV;
		session->suspect = false;
		return session->gone;
	}
	return panthor_perf_ring_fill(&session->ring, &insert) >= 0 && session->signals > insert;
}

/* Reads the eventfd, then checks the ring. */
static int check_ring(struct panthor_perf_session *session)
{
	uint64_t count;
	int fill;

	if (read(session->eventfd, &count, sizeof(count)) == sizeof(count)) {
		session->signals += count;
		session->suspect = true;
	}
	fill = panthor_perf_ring_fill(&session->ring, NULL);
	return !fill && is_gone(session) ? -ENODEV : fill;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* As panthor_perf_session_wait_count(), without a message. */
static int wait_count(struct panthor_perf_session *session, uint32_t count, int timeout_ms)
{
	int64_t end = now_ms() + timeout_ms;

	for (;;) {
		struct pollfd pollfd = { .fd = session->eventfd, .events = POLLIN };
		int64_t left = -1;
		int ret = check_ring(session);

		if (ret < 0 || (uint32_t)ret >= count || is_gone(session))
			return ret;
		if (timeout_ms >= 0) {
			left = end - now_ms();
			if (left <= 0)
				return ret;
		}
		if (poll(&pollfd, 1, left) < 0)
			return -errno;
	}
}

/* As wait_count() for one sample, but a signal does not end it. */
static int wait_in_spite_of_signals(struct panthor_perf_session *session, int timeout_ms)
{
	int64_t end = now_ms() + timeout_ms;
	int ret;

	do {
		int64_t left = timeout_ms < 0 ? -1 : end - now_ms();

		ret = wait_count(session, 1, timeout_ms < 0 ? -1 : left > 0 ? left : 0);
	} while (ret == -EINTR);
	return ret;
}

static int ring_failed(int err, struct panthor_perf_error *error)
{
	switch (err) {
	case -EPROTO:
		return panthor_perf_fail(error, err, "the indices of the ring contradict each "
					 "other");
	case -ENODEV:
		return panthor_perf_fail(error, err, "the GPU is gone");
	default:
		return err < 0 ? panthor_perf_fail_errno(error, err, "waiting for samples") : err;
	}
}

int panthor_perf_session_wait_count(struct panthor_perf_session *session, uint32_t count,
				    int timeout_ms, struct panthor_perf_error *error)
{
	int ret = check_owner(session, error);

	if (ret)
		return ret;
	if (!count || count >= session->ring.slot_count)
		return panthor_perf_fail(error, -EINVAL, "%u samples are not within 1 to %u", count,
					 session->ring.slot_count - 1);
	return ring_failed(wait_count(session, count, timeout_ms), error);
}

int panthor_perf_session_wait(struct panthor_perf_session *session, int timeout_ms,
			      struct panthor_perf_error *error)
{
	return panthor_perf_session_wait_count(session, 1, timeout_ms, error);
}

/* Samples that can be read, with a message about an error. */
static int session_fill(const struct panthor_perf_session *session,
			struct panthor_perf_error *error)
{
	int ret = check_owner(session, error);

	return ret ? ret : ring_failed(panthor_perf_ring_fill(&session->ring, NULL), error);
}

int panthor_perf_session_limit(struct panthor_perf_session *session, uint64_t samples,
			       struct panthor_perf_error *error)
{
	int fill = session_fill(session, error);

	if (fill < 0)
		return fill;
	if (fill)
		return panthor_perf_fail(error, -EBUSY, "there are samples to be read");
	if (samples && samples < session->ring.slot_count)
		return panthor_perf_fail(error, -EINVAL, "a limit of %" PRIu64 " samples is below "
					 "the %u slots of the ring", samples,
					 session->ring.slot_count);
	panthor_perf_ring_unlimit(&session->ring);
	if (samples)
		panthor_perf_ring_limit(&session->ring, samples);
	return 0;
}

void panthor_perf_session_quality(const struct panthor_perf_session *session,
				  struct panthor_perf_quality *quality)
{
	/* One that was zeroed only is of the first version. */
	const size_t size = quality->size ? quality->size : QUALITY_FIRST_SIZE;

	panthor_perf_copy_known(quality, size, &session->quality, sizeof(session->quality));
	quality->size = size;
}

static void enter_sample(struct panthor_perf_session *session,
			 const struct drm_panthor_perf_sample_header *header)
{
	struct panthor_perf_quality *quality = &session->quality;

	quality->samples++;
	quality->merged += header->merged;
	quality->stretched += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED);
	quality->overflows += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_OVERFLOW);
	quality->errors += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	quality->late += !!(header->events & DRM_PANTHOR_PERF_EVENT_LATE);
	quality->events |= header->events;
	if (header->flags & DRM_PANTHOR_PERF_SAMPLE_FINAL && session->finals)
		session->finals--;
	/* A new run begins with 0. */
	if (header->sample_nr > session->next_nr)
		quality->lost += header->sample_nr - session->next_nr;
	session->next_nr = header->sample_nr + 1;
}

int panthor_perf_session_peek(struct panthor_perf_session *session, uint32_t n,
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error)
{
	int fill = session_fill(session, error);
	struct panthor_perf_sample *peeked;
	int ret;

	if (fill < 0)
		return fill;
	if (n >= (uint32_t)fill)
		return 0;
	peeked = &session->peeked[(session->ring.extract + n) & (session->ring.slot_count - 1)];
	peeked->gpu = session->gpu;
	peeked->layout = &session->layout;
	ret = panthor_perf_sample_parse(peeked, panthor_perf_ring_peek(&session->ring, n),
					session->ring.slot_size, error);
	if (ret)
		return ret;
	*sample = peeked;
	return 1;
}

int panthor_perf_session_release(struct panthor_perf_session *session, uint32_t count,
				 struct panthor_perf_error *error)
{
	int fill = session_fill(session, error);
	uint32_t n;

	if (fill < 0)
		return fill;
	if (count > (uint32_t)fill)
		return panthor_perf_fail(error, -EINVAL, "the ring has %d samples, not %u", fill,
					 count);
	for (n = 0; n < count; n++) {
		struct drm_panthor_perf_sample_header header;

		sample_read_header(session->gpu, panthor_perf_ring_peek(&session->ring, n),
				   &header);
		enter_sample(session, &header);
	}
	panthor_perf_ring_release(&session->ring, count);
	return 0;
}

int panthor_perf_session_read(struct panthor_perf_session *session,
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error)
{
	int ret = session_fill(session, error);

	if (ret <= 0)
		return ret;
	panthor_perf_ring_take(&session->ring, session->data);
	ret = panthor_perf_sample_parse(&session->sample, session->data, session->ring.slot_size,
					error);
	if (ret)
		return ret;
	enter_sample(session, &session->sample.header);
	*sample = &session->sample;
	return 1;
}

int panthor_perf_session_mark(struct panthor_perf_session *session, uint64_t id, int timeout_ms,
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error)
{
	int ret = session_fill(session, error);

	if (ret < 0)
		return ret;
	if (ret)
		return panthor_perf_fail(error, -EBUSY, "there are samples to be read");
	ret = panthor_perf_session_sample(session, id, error);
	if (ret)
		return ret;
	/* The request cannot be taken back: a signal is no reason to leave its sample behind. */
	ret = wait_in_spite_of_signals(session, timeout_ms);
	if (!ret)
		return panthor_perf_fail(error, -ETIMEDOUT, "the sample did not come within %d ms",
					 timeout_ms);
	if (ret < 0)
		return ring_failed(ret, error);
	ret = panthor_perf_session_read(session, sample, error);
	if (ret < 0)
		return ret;
	if (!ret || (*sample)->header.user_data != id)
		return panthor_perf_fail(error, -EPROTO, "another sample came");
	return 0;
}

/* Reads samples up to the final one; if none is to come, those that are there. */
static int read_rest(struct panthor_perf_session *session, int timeout_ms,
		     int (*fn)(const struct panthor_perf_sample *sample, void *arg), void *arg,
		     struct panthor_perf_error *error)
{
	for (;;) {
		const struct panthor_perf_sample *sample;
		int ret = 0;

		if (session->finals)
			ret = wait_in_spite_of_signals(session, timeout_ms);
		if (ret < 0)
			return ring_failed(ret, error);
		ret = panthor_perf_session_read(session, &sample, error);
		if (ret < 0)
			return ret;
		if (!ret && session->finals)
			return panthor_perf_fail(error, -ETIMEDOUT,
						 "the final sample did not come within %d ms",
						 timeout_ms);
		if (!ret)
			return 0;
		ret = fn ? fn(sample, arg) : 0;
		if (ret)
			return ret;
	}
}

int panthor_perf_session_finish(struct panthor_perf_session *session, uint64_t user_data,
				int timeout_ms,
				int (*fn)(const struct panthor_perf_sample *sample, void *arg),
				void *arg, struct panthor_perf_error *error)
{
	struct panthor_perf_error stop_error = PANTHOR_PERF_ERROR_INIT;
	int ret = check_owner(session, error);

	if (!ret) {
		panthor_perf_session_stop(session, user_data, &stop_error);
		ret = read_rest(session, timeout_ms, fn, arg, error);
		/* -EINVAL: it was not started. */
		if (!ret && stop_error.code && stop_error.code != -EINVAL)
			ret = panthor_perf_fail(error, stop_error.code, "%s", stop_error.text);
	}
	panthor_perf_session_destroy(session);
	return ret;
}
