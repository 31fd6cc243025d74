/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SESSION_TEST_H__
#define __PANTHOR_PERF_SESSION_TEST_H__

/* What the suites of sessions share. Not a header for others: its names are short. */

#include <kunit/test.h>
#include <linux/eventfd.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/syscalls.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_fixture.h"
#include "panthor_perf_session.h"

#define FW		DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSHW		DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER		DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS		DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER		DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define NEURAL		DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL
#define CSG		DRM_PANTHOR_PERF_BLOCK_TYPE_CSG
#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

#define ERROR		DRM_PANTHOR_PERF_SAMPLE_ERROR

#define OVERFLOW	DRM_PANTHOR_PERF_SAMPLE_OVERFLOW
#define STRETCHED	DRM_PANTHOR_PERF_SAMPLE_STRETCHED
#define FINAL		DRM_PANTHOR_PERF_SAMPLE_FINAL

#define RING_FULL	DRM_PANTHOR_PERF_EVENT_RING_FULL
#define LATE		DRM_PANTHOR_PERF_EVENT_LATE
#define CORE_OFF_LOST	DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST
#define BAD_EXTRACT	DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT
#define HOST_TIME	DRM_PANTHOR_PERF_EVENT_HOST_TIME
#define FW_ERROR	DRM_PANTHOR_PERF_EVENT_FW_ERROR
#define FW_OVERFLOW	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW
#define FW_TIMEOUT	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT
#define RESET		DRM_PANTHOR_PERF_EVENT_RESET
#define SUSPEND		DRM_PANTHOR_PERF_EVENT_SUSPEND
#define CANCELLED	DRM_PANTHOR_PERF_EVENT_CANCELLED
#define CLOCK_MISSED	DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED

#define IS_ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define IS_OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define IS_THERE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define IS_WITHHELD	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE
#define IS_NORMAL	DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL

/* What the uAPI says of a sample of the RK3588: 11 blocks of 64 counters. */
#define HEADER_SIZE		80
#define SAMPLE_BLOCK_SIZE	520
#define SAMPLE_SIZE		5800
#define BLOCKS			11
#define COUNTERS		64

#define ALL_COUNTERS	0xfffffffffffffff0ull

/* Who has a session, with memory of its own. */
struct profiler {
	struct panthor_perf_session *session;
	struct panthor_perf_start_wait wait;
	struct drm_panthor_perf_ring_control *control;
	void *ring;
	u32 slots;
	u64 user_data;
	u64 next;
	u64 *sums;
	u64 *zero;
	u64 masks[TYPES];
	struct file *eventfd;
};

#if IS_BUILTIN(CONFIG_DRM_PANTHOR) && !defined(CONFIG_ARCH_HAS_SYSCALL_WRAPPER)
/* The kernel makes eventfds for system calls only; where these are plain functions, one will do. */
static inline struct file *eventfd_create(struct kunit *test)
{
	int fd = sys_eventfd2(0, EFD_NONBLOCK);
	struct file *file;

	KUNIT_ASSERT_GE(test, fd, 0);
	file = fget(fd);
	close_fd(fd);
	KUNIT_ASSERT_NOT_NULL(test, file);
	return file;
}
#else
static inline struct file *eventfd_create(struct kunit *test)
{
	kunit_skip(test, "no way to create an eventfd in this kernel");
	return NULL;
}
#endif

/* What was signalled since the last call. */
static inline u64 signals(struct profiler *p)
{
	loff_t pos = 0;
	u64 count;

	if (kernel_read(p->eventfd, &count, sizeof(count), &pos) != sizeof(count))
		return 0;

	return count;
}

/* A ring as that of SETUP, but in memory that is no buffer object. */
static inline void session_init_ring(struct panthor_perf_session *session, void *data,
				     struct drm_panthor_perf_ring_control *control, u32 slots,
				     u32 slot_size)
{
	session->ring = (struct panthor_perf_ring) {
		.data = data, .control = control, .slots = slots, .slot_size = slot_size,
	};
	panthor_perf_ring_init_indices(&session->ring);
}

/* As SETUP with these counters, and with the rest of a configuration. */
static inline struct profiler *
profiler_create_with(struct kunit *test, const u64 *masks, u32 slots, bool eventfd,
		     struct panthor_perf_session_config config)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	const size_t values = BLOCKS * COUNTERS;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->slots = slots;
	/* As large as it must be and no larger: KASAN sees what goes beyond. */
	p->ring = kunit_kmalloc(test, slots * SAMPLE_SIZE, GFP_KERNEL);
	p->control = kunit_kmalloc(test, sizeof(*p->control), GFP_KERNEL);
	p->sums = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	p->zero = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->ring);
	KUNIT_ASSERT_NOT_NULL(test, p->control);
	KUNIT_ASSERT_NOT_NULL(test, p->sums);
	KUNIT_ASSERT_NOT_NULL(test, p->zero);
	memset(p->ring, 0xff, slots * SAMPLE_SIZE);

	for (u32 type = 0; type < TYPES; type++) {
		p->masks[type] = masks ? masks[type] : 0;
		config.masks[type][0] = p->masks[type];
	}
	if (eventfd) {
		p->eventfd = eventfd_create(test);
		config.eventfd = eventfd_ctx_fileget(p->eventfd);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, config.eventfd);
	}

	p->session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p->session);
	session_init_ring(p->session, p->ring, p->control, slots, SAMPLE_SIZE);
	return p;
}

static inline struct profiler *profiler_create(struct kunit *test, const u64 *masks, u32 slots,
					       bool eventfd, u32 set)
{
	return profiler_create_with(test, masks, slots, eventfd,
				    (struct panthor_perf_session_config) { .set = set });
}

static const u64 all_masks[TYPES] = {
	[FW] = ALL_COUNTERS,
	[CSHW] = ALL_COUNTERS,
	[TILER] = ALL_COUNTERS,
	[MEMSYS] = ALL_COUNTERS,
	[SHADER] = ALL_COUNTERS,
};

static inline struct profiler *profiler_of_all(struct kunit *test)
{
	return profiler_create(test, all_masks, 8, false, 0);
}

static inline void kill_profiler(struct kunit *test, struct profiler *p, bool notify)
{
	struct panthor_perf_fixture *f = test->priv;

	guard(panthor_perf_sampler)(&f->sampler);
	panthor_perf_session_kill_locked(p->session, notify);
}

/* TEARDOWN, and what must be true of it. */
static inline void profiler_destroy(struct kunit *test, struct profiler *p)
{
	kill_profiler(test, p, false);
	/* This is the last reference: the put frees the session. */
	KUNIT_EXPECT_EQ(test, kref_read(&p->session->refcount), 1);
	panthor_perf_session_put(p->session);
	if (p->eventfd) {
		/* What is left is the file's own reference: the count is the first member. */
		KUNIT_EXPECT_EQ(test, kref_read(p->eventfd->private_data), 1);
		fput(p->eventfd);
	}
}

/* The first part of START. */
static inline int begin(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fw *fw = &f->sampler.fw;
	int ret;

	p->wait.user_data = p->user_data;
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_power_get(fw), 0);
	ret = panthor_perf_hw_alloc_ring(fw);
	if (!ret)
		ret = panthor_perf_session_start(p->session, &p->wait);
	if (ret)
		panthor_perf_hw_power_put(fw);

	return ret;
}

static inline void remember_zero(struct panthor_perf_fixture *f, struct profiler *p)
{
	memset(p->sums, 0, BLOCKS * COUNTERS * sizeof(u64));
	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 at = COUNTERS *
			 panthor_perf_fake_fw_position(&f->fake, block->type, block->rank);

		memcpy(p->zero + at, block->reported, COUNTERS * sizeof(u64));
	}
}

/* START with a firmware that answers. */
static inline void start(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, begin(test, p), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(p->session, &p->wait), 0);
	remember_zero(f, p);
}

/* SAMPLE. */
static inline int try_sample(struct panthor_perf_session *session, u64 user_data)
{
	struct panthor_perf_sample *sample = panthor_perf_sample_create(session, user_data);
	int ret;

	if (IS_ERR(sample))
		return PTR_ERR(sample);

	ret = panthor_perf_session_sample(session, sample);
	if (ret)
		panthor_perf_sample_free(sample);
	return ret;
}

static inline void sample(struct kunit *test, struct profiler *p, u64 user_data)
{
	KUNIT_ASSERT_EQ(test, try_sample(p->session, user_data), 0);
	panthor_perf_fixture_run(test->priv);
}

static inline void stop(struct kunit *test, struct profiler *p, u64 user_data)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->session, user_data), 0);
	panthor_perf_fixture_run(test->priv);
}

static inline const struct drm_panthor_perf_sample_header *header_at(struct profiler *p, u64 index)
{
	return p->ring + (index % p->slots) * SAMPLE_SIZE;
}

static inline u64 value_at(struct panthor_perf_fixture *f, struct profiler *p, u64 index, u8 type,
			   u32 rank, u32 counter)
{
	u32 position = panthor_perf_fake_fw_position(&f->fake, type, rank);
	const void *sample = p->ring + (index % p->slots) * SAMPLE_SIZE;
	const u64 *values = sample + HEADER_SIZE + position * SAMPLE_BLOCK_SIZE + 8;

	return values[counter];
}

static inline u32 states_at(struct panthor_perf_fixture *f, struct profiler *p, u64 index, u8 type,
			    u32 rank)
{
	const struct drm_panthor_perf_block_header *block =
		p->ring + (index % p->slots) * SAMPLE_SIZE + HEADER_SIZE +
		panthor_perf_fake_fw_position(&f->fake, type, rank) * SAMPLE_BLOCK_SIZE;

	return block->states;
}

/* Consume all that was published, add it up, and return how many samples that was. */
static inline u32 drain(struct panthor_perf_fixture *f, struct profiler *p)
{
	u32 samples = 0;

	for (; p->next != p->control->insert_idx; p->next++, samples++) {
		const void *sample = p->ring + (p->next % p->slots) * SAMPLE_SIZE;

		for (u32 i = 0; i < BLOCKS; i++) {
			const u64 *values = sample + HEADER_SIZE + i * SAMPLE_BLOCK_SIZE + 8;

			for (u32 k = 0; k < COUNTERS; k++)
				p->sums[i * COUNTERS + k] += values[k];
		}
	}

	p->control->extract_idx = p->next;
	return samples;
}

/* The sum of the samples since START is the sum of firmware's samples since START. */
static inline void expect_conserved(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;
	u32 wrong = 0;

	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 at = COUNTERS *
			 panthor_perf_fake_fw_position(&f->fake, block->type, block->rank);

		for (u32 k = 0; k < COUNTERS; k++) {
			bool wanted = k >= 4 && p->masks[block->type] >> k & 1;
			u64 expected = wanted ? block->reported[k] - p->zero[at + k] : 0;

			if (p->sums[at + k] == expected)
				continue;
			if (!wrong++)
				KUNIT_EXPECT_EQ_MSG(test, p->sums[at + k], expected,
						    "type %u rank %u counter %u", block->type,
						    block->rank, k);
		}
	}

	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "counters that differ");
}

static inline void expect_power_at(struct kunit *test, int references, int line)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, f->fake.power, references, "in line %d", line);
}

#define expect_power(test, references) expect_power_at(test, references, __LINE__)

#endif
