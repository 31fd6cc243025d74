/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_ORDERED_TEST_H__
#define __PANTHOR_PERF_ORDERED_TEST_H__

/* What the suites of ordered samples share. Not a header for others: its names are short. */

#include <kunit/test.h>

#include "panthor_perf_job_test.h"
#include "panthor_perf_session_test.h"

/* SAMPLE behind a job, with a SIGNAL operation. Returns the fence of the sample. */
static inline struct dma_fence *
sample_after(struct kunit *test, struct profiler *p, u64 user_data, struct dma_fence *job)
{
	struct dma_fence *fence = NULL;

	KUNIT_ASSERT_EQ(test, try_sample_after(p->session, user_data, job, &fence), 0);
	KUNIT_ASSERT_NOT_NULL(test, fence);
	return fence;
}

static inline void
expect_fence_at(struct kunit *test, struct dma_fence *fence, int status, int line)
{
	KUNIT_EXPECT_EQ_MSG(test, dma_fence_get_status(fence), status, "in line %d", line);
	dma_fence_put(fence);
}

/* What a fence has come to: 0: nothing yet, 1: signalled, below: an error. */
#define expect_fence(test, fence, status) expect_fence_at(test, fence, status, __LINE__)

static inline u64 count_of(struct panthor_perf_fixture *f, struct profiler *p, u64 index)
{
	return value_at(f, p, index, SHADER, 1, 20);
}

static inline void count(struct panthor_perf_fixture *f, u32 n)
{
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 20, n);
}

#endif
