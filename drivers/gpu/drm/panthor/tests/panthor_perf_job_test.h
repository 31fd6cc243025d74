/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_JOB_TEST_H__
#define __PANTHOR_PERF_JOB_TEST_H__

/* Jobs that samples wait for, as fences. Not a header for others: its names are short. */

#include <kunit/test.h>
#include <linux/dma-fence.h>
#include <linux/slab.h>

#include "panthor_perf_session.h"

struct job {
	struct dma_fence fence;

	/* That of the fence. */
	spinlock_t lock;
};

static inline const char *job_name(struct dma_fence *fence)
{
	return "job";
}

static const struct dma_fence_ops job_ops = {
	.get_driver_name = job_name,
	.get_timeline_name = job_name,
};

static inline struct dma_fence *job_create(struct kunit *test)
{
	struct job *job = kzalloc(sizeof(*job), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, job);
	spin_lock_init(&job->lock);
	dma_fence_init(&job->fence, &job_ops, &job->lock, dma_fence_context_alloc(1), 1);
	return &job->fence;
}

/* The only reference that is left is that of the test. NULL is ignored. */
static inline void job_destroy(struct kunit *test, struct dma_fence *job)
{
	if (!job)
		return;

	KUNIT_EXPECT_EQ(test, kref_read(&job->refcount), 1);
	dma_fence_signal(job);
	dma_fence_put(job);
}

/*
 * SAMPLE with a job to wait for, or NULL. Unless it is NULL, @fence becomes a reference to the
 * fence of the sample.
 */
static inline int try_sample_after(struct panthor_perf_session *session, u64 user_data,
				   struct dma_fence *job, struct dma_fence **fence)
{
	struct dma_fence *own = NULL;
	struct panthor_perf_sample *sample;
	int ret;

	guard(mutex)(&session->sample_lock);
	sample = panthor_perf_sample_create(session, user_data);
	if (IS_ERR(sample))
		return PTR_ERR(sample);

	sample->req.wait = dma_fence_get(job);
	if (fence) {
		own = panthor_perf_sample_add_fence(sample);
		if (IS_ERR(own)) {
			panthor_perf_sample_free(sample);
			return PTR_ERR(own);
		}
		dma_fence_get(own);
	}

	ret = panthor_perf_session_sample(session, sample);
	if (ret) {
		panthor_perf_sample_free(sample);
		dma_fence_put(own);
	} else if (fence) {
		*fence = own;
	}
	return ret;
}

#endif
