/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SELECT_TEST_H__
#define __PANTHOR_PERF_SELECT_TEST_H__

/* What the suites of selections share. Not a header for others: its names are short. */

#include <kunit/test.h>

#include "panthor_perf_session_test.h"

/* Types of the RK3588 in the order of its samples, with the number of their blocks. */
static const struct {
	u8 type;
	u32 blocks;
} rk3588[] = {
	{ FW, 1 }, { CSHW, 1 }, { TILER, 1 }, { MEMSYS, 4 }, { SHADER, 4 },
};

#define SLOTS	8
#define BIT4	0x10ull

/* A session whose samples are compared with those of a session with all counters. */
struct pair {
	struct profiler *u, *all;
	u32 size;

	/* Counters that SETUP requested. */
	const u64 *requested;
	bool compact;
};

static inline void
create_pair(struct kunit *test, struct pair *p, const u64 *requested, bool compact)
{
	p->requested = requested;
	p->compact = compact;
	p->u = profiler_create(test, requested, SLOTS, false, 0);
	p->all = profiler_of_all(test);
	p->size = SAMPLE_SIZE;
	if (!compact)
		return;

	p->u->session->config.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	p->size = panthor_perf_select_compact_size(p->u->session->sampler->fw.layout,
						   p->u->session->config.masks);
	/* As large as it must be: KASAN sees what goes beyond. */
	p->u->ring = kunit_kmalloc(test, SLOTS * p->size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->u->ring);
	memset(p->u->ring, 0xff, SLOTS * p->size);
	session_init_ring(p->u->session, p->u->ring, p->u->control, SLOTS, p->size);
}

static inline void destroy_pair(struct kunit *test, struct pair *p)
{
	profiler_destroy(test, p->u);
	profiler_destroy(test, p->all);
}

static inline void start_pair(struct kunit *test, struct pair *p)
{
	start(test, p->u);
	start(test, p->all);
}

/* Each counter is what the other sample says, or 0, or not there, and nothing is anywhere else. */
static inline void expect_sample_at(struct kunit *test, struct pair *p, u64 index, int line)
{
	struct panthor_perf_fixture *f = test->priv;
	const void *from = p->u->ring + (index % SLOTS) * p->size, *at = from + HEADER_SIZE;
	u32 wrong = 0;

	for (u32 i = 0; i < ARRAY_SIZE(rk3588); i++) {
		const u8 type = rk3588[i].type;
		const u64 requested = p->requested[type], there = p->compact ? requested : ~0ull;

		for (u32 rank = 0; there && rank < rk3588[i].blocks; rank++) {
			const struct drm_panthor_perf_block_header *header = at;
			const u64 *values = at + 8;

			wrong += header->type != type || header->idx != rank || header->pad ||
				 header->states != states_at(f, p->all, index, type, rank);
			for (u32 k = 0; k < COUNTERS; k++) {
				u64 value = value_at(f, p->all, index, type, rank, k);

				if (there >> k & 1)
					wrong += *values++ != (requested >> k & 1 ? value : 0);
			}
			at = values;
		}
	}

	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, at - from, p->size, "in line %d", line);
}

#define expect_sample(test, p, index) expect_sample_at(test, p, index, __LINE__)

/* Both take a sample of the same events. */
static inline void sample_pair(struct kunit *test, struct pair *p, u32 seed)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fake_fw_count_all(&f->fake, seed);
	KUNIT_ASSERT_EQ(test, try_sample(p->u->session, seed), 0);
	KUNIT_ASSERT_EQ(test, try_sample(p->all->session, seed), 0);
	panthor_perf_fixture_run(f);
}

static inline void stop_pair(struct kunit *test, struct pair *p)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->u->session, 0), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->all->session, 0), 0);
	panthor_perf_fixture_run(test->priv);
}

static inline void consume_pair(struct kunit *test, struct pair *p)
{
	p->u->control->extract_idx = p->u->control->insert_idx;
	drain(test->priv, p->all);
}

#endif
