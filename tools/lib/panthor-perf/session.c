// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "internal.h"
#include "layout.h"
#include "ring.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

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

	/** @info: Its counter configuration. */
	struct drm_panthor_perf_info info;

	/** @slots: Memory of the ring's slots. */
	struct mapped_bo slots;

	/** @control: Memory of the ring's indices. */
	struct mapped_bo control;

	/** @ring: The consumer's side of the ring. */
	struct panthor_perf_ring ring;

	/** @layout: What is in a compact sample; %NULL: samples are not compact. */
	struct panthor_perf_layout *layout;

	/** @sample: Copy of the newest sample that was read. */
	uint64_t *sample;

	/** @compact: Room for a compact sample. */
	uint64_t *compact;

	/** @sample_size: Bytes at @sample. */
	uint32_t sample_size;

	/** @wakeup: A count of the eventfd may stand for several samples. */
	bool wakeup;

	/** @suspect: There was such a count, which may be that of a GPU that went away. */
	bool suspect;

	/** @gone: It was. */
	bool gone;

	/** @ledger: Statistics of the samples that were read. */
	struct panthor_perf_ledger ledger;

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

static int session_setup(struct panthor_perf_session *session,
			 const struct panthor_perf_session_config *config, uint32_t slot_count)
{
	struct drm_panthor_perf_setup setup = {
		.counter_set = config->counter_set,
		.eventfd = session->eventfd,
		.ring_handle = session->slots.handle,
		.control_handle = session->control.handle,
		.sample_slots = slot_count,
		.flags = config->flags,
		.sample_period_ns = config->sample_period_ns,
		.wakeup_samples = config->wakeup_samples,
		.sections = {
			.stride = sizeof(config->sections[0]),
			.count = config->section_count,
			.array = (uintptr_t)config->sections,
		},
	};
	int ret;

	ret = panthor_perf_ioctl(session->device, session->numbers->setup, &setup);
	if (ret)
		return ret;
	session->handle = setup.handle;
	if (setup.sample_size < session->info.sample_header_size || setup.sample_size % 8 ||
	    (uint64_t)setup.sample_size * slot_count > session->slots.size)
		return -EPROTO;

	session->sample_size = setup.sample_size;
	if (session->layout) {
		if (setup.sample_size != session->layout->size)
			return -EPROTO;
		session->sample_size = session->layout->expanded_size;
		session->compact = malloc(setup.sample_size);
		if (!session->compact)
			return -ENOMEM;
	}
	session->sample = malloc(session->sample_size);
	if (!session->sample)
		return -ENOMEM;
	panthor_perf_ring_init(&session->ring, session->slots.map, session->control.map, slot_count,
			       setup.sample_size);
	return 0;
}

static void set_reason(unsigned int set, int err, char *text, size_t size)
{
	const char *name = panthor_perf_set_name(set);
	char number[24];

	if (!name) {
		snprintf(number, sizeof(number), "number %u", set);
		name = number;
	}
	if (err != -EACCES)
		snprintf(text, size, "the GPU does not offer the counter set %s", name);
	else if (set == DRM_PANTHOR_PERF_SET_PRIMARY)
		snprintf(text, size, "performance counters need CAP_PERFMON while the sysctl "
			 "dev.panthor.perf_paranoid is 1");
	else
		snprintf(text, size, "the counter set %s needs CAP_PERFMON", name);
}

/* Names what is not offered; returns whether there is anything. */
static bool flags_reason(const struct drm_panthor_perf_info *info, uint32_t flags, char *text,
			 size_t size)
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
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (flags & features[i].flag && !(info->flags & features[i].support)) {
			snprintf(text, size, "%s", features[i].what);
			return true;
		}
	}
	return false;
}

static void period_reason(const struct drm_panthor_perf_info *info, uint64_t period_ns, char *text,
			  size_t size)
{
	if (!info->min_period_ns)
		snprintf(text, size, "the driver has no periodic sessions");
	else
		snprintf(text, size, "a period of %" PRIu64 " ns is below the shortest, %" PRIu64
			 " ns", period_ns, (uint64_t)info->min_period_ns);
}

void panthor_perf_session_reason(const struct drm_panthor_perf_info *info,
				 const struct panthor_perf_session_config *config, int err,
				 char *text, size_t size)
{
	uint64_t period_ns = config->sample_period_ns;
	bool refused = err == -EINVAL || err == -EOPNOTSUPP;
	bool has_set = config->counter_set < 32 && info->supported_sets >> config->counter_set & 1;

	if (err == -EACCES || (refused && !has_set))
		set_reason(config->counter_set, err, text, size);
	else if (refused && period_ns && (!info->min_period_ns || period_ns < info->min_period_ns))
		period_reason(info, period_ns, text, size);
	else if (refused && flags_reason(info, config->flags, text, size))
		return;
	else if (err == -EPROTONOSUPPORT)
		snprintf(text, size, "the driver has version %u of the interface, the library "
			 "knows version %u alone", info->abi, DRM_PANTHOR_PERF_ABI);
	else if (err == -ENOSPC)
		snprintf(text, size, "no session is free: an open file has %u, and without "
			 "CAP_PERFMON the GPU has fewer", info->max_sessions);
	else
		snprintf(text, size, "%s", strerror(-err));
}

int panthor_perf_session_create(struct panthor_perf_device *device,
				const struct panthor_perf_session_config *config,
				struct panthor_perf_session **session)
{
	struct panthor_perf_session *ses;
	uint32_t slot_count;
	int ret;

	if (config->section_count > UINT32_MAX)
		return -EINVAL;
	ses = calloc(1, sizeof(*ses));
	if (!ses)
		return -ENOMEM;
	ses->device = device;
	ses->numbers = panthor_perf_numbers_of(device);
	ses->eventfd = -1;

	ret = panthor_perf_device_info(device, &ses->info, NULL);
	if (ret)
		goto err_destroy;
	/* Not left to the kernel: 0 is no shortest period that any period would be above. */
	if (config->sample_period_ns && !ses->info.min_period_ns) {
		ret = -EOPNOTSUPP;
		goto err_destroy;
	}
	slot_count = config->sample_slots ? config->sample_slots : default_slots(&ses->info);
	/* The kernel knows the limits; this is what the ring itself cannot do without. */
	if (slot_count & (slot_count - 1) || slot_count > INT_MAX) {
		ret = -EINVAL;
		goto err_destroy;
	}

	ses->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ses->eventfd < 0) {
		ret = -errno;
		goto err_destroy;
	}
	ses->wakeup = config->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP;
	if (config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT) {
		ret = panthor_perf_layout_create(&ses->info, config->sections,
						 config->section_count, &ses->layout);
		if (ret)
			goto err_destroy;
	}
	ret = bo_create(device, &ses->slots, (uint64_t)slot_count *
			(ses->layout ? ses->layout->size : ses->info.sample_size), PROT_READ);
	if (ret)
		goto err_destroy;
	ret = bo_create(device, &ses->control, sizeof(struct drm_panthor_perf_ring_control),
			PROT_READ | PROT_WRITE);
	if (ret)
		goto err_destroy;
	ret = session_setup(ses, config, slot_count);
	if (ret)
		goto err_destroy;

	/* The session in the kernel and the mappings hold the objects from here on. */
	bo_close_handle(device, &ses->slots);
	bo_close_handle(device, &ses->control);
	*session = ses;
	return 0;

err_destroy:
	panthor_perf_session_destroy(ses);
	return ret;
}

void panthor_perf_session_destroy(struct panthor_perf_session *session)
{
	if (!session)
		return;
	if (session->handle) {
		struct drm_panthor_perf_teardown args = { .handle = session->handle };

		/* Fails when the GPU is gone: then closing the device frees the rest. */
		panthor_perf_ioctl(session->device, session->numbers->teardown, &args);
	}
	bo_destroy(session->device, &session->slots);
	bo_destroy(session->device, &session->control);
	if (session->eventfd >= 0)
		close(session->eventfd);
	panthor_perf_layout_free(session->layout);
	free(session->compact);
	free(session->sample);
	free(session);
}

int panthor_perf_session_start(struct panthor_perf_session *session, uint64_t user_data)
{
	struct drm_panthor_perf_start args = {
		.handle = session->handle,
		.user_data = user_data,
	};

	return panthor_perf_ioctl(session->device, session->numbers->start, &args);
}

int panthor_perf_session_sample(struct panthor_perf_session *session, uint64_t user_data)
{
	struct drm_panthor_perf_sample args = {
		.handle = session->handle,
		.user_data = user_data,
	};

	return panthor_perf_ioctl(session->device, session->numbers->sample, &args);
}

int panthor_perf_session_stop(struct panthor_perf_session *session, uint64_t user_data)
{
	struct drm_panthor_perf_stop args = {
		.handle = session->handle,
		.user_data = user_data,
	};

	return panthor_perf_ioctl(session->device, session->numbers->stop, &args);
}

int panthor_perf_session_fd(const struct panthor_perf_session *session)
{
	return session->eventfd;
}

uint32_t panthor_perf_session_sample_size(const struct panthor_perf_session *session)
{
	return session->sample_size;
}

uint32_t panthor_perf_session_slot_size(const struct panthor_perf_session *session)
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

int panthor_perf_session_wait_count(struct panthor_perf_session *session, uint32_t count,
				    int timeout_ms)
{
	int64_t end = now_ms() + timeout_ms;

	if (!count || count >= session->ring.slot_count)
		return -EINVAL;
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

int panthor_perf_session_wait(struct panthor_perf_session *session, int timeout_ms)
{
	return panthor_perf_session_wait_count(session, 1, timeout_ms);
}

int panthor_perf_session_limit(struct panthor_perf_session *session, uint64_t samples)
{
	int fill = panthor_perf_ring_fill(&session->ring, NULL);

	if (fill)
		return fill < 0 ? fill : -EBUSY;
	if (samples && samples < session->ring.slot_count)
		return -EINVAL;
	panthor_perf_ring_unlimit(&session->ring);
	if (samples)
		panthor_perf_ring_limit(&session->ring, samples);
	return 0;
}

void panthor_perf_session_ledger(const struct panthor_perf_session *session,
				 struct panthor_perf_ledger *ledger)
{
	*ledger = session->ledger;
}

static void enter_sample(struct panthor_perf_session *session,
			 const struct drm_panthor_perf_sample_header *header)
{
	struct panthor_perf_ledger *ledger = &session->ledger;

	ledger->samples++;
	ledger->merged += header->merged;
	ledger->stretched += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED);
	ledger->overflows += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_OVERFLOW);
	ledger->errors += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	ledger->late += !!(header->events & DRM_PANTHOR_PERF_EVENT_LATE);
	ledger->events |= header->events;
	/* A new run begins with 0. */
	if (header->sample_nr > session->next_nr)
		ledger->lost += header->sample_nr - session->next_nr;
	session->next_nr = header->sample_nr + 1;
}

static int view_sample(const struct panthor_perf_session *session, const void *data, size_t size,
		       const struct panthor_perf_layout *layout, struct panthor_perf_sample *sample)
{
	int ret;

	if (layout)
		ret = panthor_perf_sample_init_compact(&session->info, layout, data, size, sample);
	else
		ret = panthor_perf_sample_init(&session->info, data, size, sample);
	return ret ? -EPROTO : 1;
}

int panthor_perf_session_peek(const struct panthor_perf_session *session, uint32_t n,
			      struct panthor_perf_sample *sample)
{
	int fill = panthor_perf_ring_fill(&session->ring, NULL);

	if (fill < 0)
		return fill;
	if (n >= (uint32_t)fill)
		return 0;
	return view_sample(session, panthor_perf_ring_peek(&session->ring, n),
			   session->ring.slot_size, session->layout, sample);
}

int panthor_perf_session_release(struct panthor_perf_session *session, uint32_t count)
{
	int fill = panthor_perf_ring_fill(&session->ring, NULL);
	struct panthor_perf_sample sample;
	uint32_t n;

	if (fill < 0)
		return fill;
	if (count > (uint32_t)fill)
		return -EINVAL;
	for (n = 0; n < count; n++) {
		if (panthor_perf_session_peek(session, n, &sample) < 0)
			return -EPROTO;
		enter_sample(session, &sample.header);
	}
	panthor_perf_ring_release(&session->ring, count);
	return 0;
}

int panthor_perf_session_read(struct panthor_perf_session *session,
			      struct panthor_perf_sample *sample)
{
	int ret = panthor_perf_ring_fill(&session->ring, NULL);

	if (ret <= 0)
		return ret;
	panthor_perf_ring_take(&session->ring,
			       session->layout ? session->compact : session->sample);
	if (session->layout && panthor_perf_layout_expand(session->layout, &session->info,
							  session->compact, session->sample))
		return -EPROTO;
	ret = view_sample(session, session->sample, session->sample_size, NULL, sample);
	if (ret > 0)
		enter_sample(session, &sample->header);
	return ret;
}

int panthor_perf_session_read_compact(struct panthor_perf_session *session,
				      struct panthor_perf_sample *sample)
{
	uint64_t *data = session->layout ? session->compact : session->sample;
	int ret = panthor_perf_ring_fill(&session->ring, NULL);

	if (ret <= 0)
		return ret;
	panthor_perf_ring_take(&session->ring, data);
	ret = view_sample(session, data, session->ring.slot_size, session->layout, sample);
	if (ret > 0)
		enter_sample(session, &sample->header);
	return ret;
}

int panthor_perf_session_mark(struct panthor_perf_session *session, uint64_t id, int timeout_ms,
			      struct panthor_perf_sample *sample)
{
	int64_t end = now_ms() + timeout_ms;
	int ret = panthor_perf_ring_fill(&session->ring, NULL);

	if (ret)
		return ret < 0 ? ret : -EBUSY;
	ret = panthor_perf_session_sample(session, id);
	if (ret)
		return ret;
	/* The request cannot be taken back: a signal is no reason to leave its sample behind. */
	do {
		int64_t left = timeout_ms < 0 ? -1 : end - now_ms();

		ret = panthor_perf_session_wait(session, timeout_ms < 0 ? -1 : left > 0 ? left : 0);
	} while (ret == -EINTR);
	if (ret <= 0)
		return ret ? ret : -ETIMEDOUT;
	ret = panthor_perf_session_read(session, sample);
	if (ret < 0)
		return ret;
	return ret && sample->header.user_data == id ? 0 : -EPROTO;
}
