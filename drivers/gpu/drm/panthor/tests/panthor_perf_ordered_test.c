// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_ordered_test.h"

/* The sample has what was counted before its fence signalled, and nothing of what came behind. */
static void waits_for_the_job(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence;
	u64 issued;

	start(test, u);
	issued = f->sampler.issued;
	fence = sample_after(test, u, 7, job);
	count(f, 100);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->sampler.issued, issued);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));

	count(f, 11);
	dma_fence_signal(job);
	flush_delayed_work(&f->sampler.work);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->sampler.issued, issued + 1);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 7);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 0), 111);
	expect_fence(test, fence, 1);

	count(f, 5);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 1), 5);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/* A sample whose firmware request was made before does not count as one behind the job. */
static void pending_request_is_too_early(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test), *other = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence;
	u64 issued;

	start(test, u);
	start(test, other);
	issued = f->sampler.issued;
	fence = sample_after(test, u, 0, job);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(other->session, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->sampler.issued, issued + 1);
	dma_fence_signal(job);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, f->sampler.issued, issued + 2);
	KUNIT_EXPECT_EQ(test, other->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_GT(test, header_at(u, 0)->gpu_timestamp, header_at(other, 0)->gpu_timestamp);
	expect_fence(test, fence, 1);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
	job_destroy(test, job);
}

/* A job that is done, and one that failed, are no reason to wait. */
static void job_is_done(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *done = job_create(test), *failed = job_create(test);
	struct dma_fence *first, *second;

	start(test, u);
	dma_fence_signal(done);
	first = sample_after(test, u, 1, done);
	second = sample_after(test, u, 2, failed);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	dma_fence_set_error(failed, -EFAULT);
	dma_fence_signal(failed);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	expect_fence(test, first, 1);
	expect_fence(test, second, 1);
	profiler_destroy(test, u);
	job_destroy(test, done);
	job_destroy(test, failed);
}

/* Samples complete in the order of the calls, whatever the order of the jobs. */
static void in_the_order_of_calls(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test), *other = profiler_of_all(test);
	struct dma_fence *jobs[3], *fences[3], *others;

	start(test, u);
	start(test, other);
	for (u32 i = 0; i < ARRAY_SIZE(jobs); i++) {
		jobs[i] = job_create(test);
		fences[i] = sample_after(test, u, i, jobs[i]);
	}
	KUNIT_ASSERT_EQ(test, try_sample(u->session, 3), 0);
	others = sample_after(test, other, 0, jobs[2]);

	count(f, 1);
	dma_fence_signal(jobs[2]);
	dma_fence_signal(jobs[1]);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	/* Another session has nothing to do with that. */
	KUNIT_EXPECT_EQ(test, other->control->insert_idx, 1);
	expect_fence(test, others, 1);

	count(f, 2);
	dma_fence_signal(jobs[0]);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 4);
	for (u32 i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->sample_nr, i);
		KUNIT_EXPECT_EQ(test, count_of(f, u, i), i ? 0 : 3);
		/* All share one sample of the firmware, which the first has. */
		KUNIT_EXPECT_EQ(test, !header_at(u, i)->gpu_timestamp, i > 0);
		if (i < ARRAY_SIZE(fences)) {
			KUNIT_EXPECT_EQ(test, fences[i]->context, fences[0]->context);
			KUNIT_EXPECT_EQ(test, fences[i]->seqno, fences[0]->seqno + i);
		}
	}
	for (u32 i = ARRAY_SIZE(jobs); i--;) {
		expect_fence(test, fences[i], 1);
		job_destroy(test, jobs[i]);
	}

	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/* A ring of n slots has room for n - 1 pending samples, and for the final one. */
static void each_has_a_slot(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence = NULL;

	start(test, u);
	for (u32 i = 0; i < 7; i++)
		KUNIT_EXPECT_EQ(test, try_sample_after(u->session, i, job, NULL), 0);
	KUNIT_EXPECT_EQ(test, try_sample_after(u->session, 7, job, &fence), -EBUSY);
	KUNIT_EXPECT_NULL(test, fence);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 7), -EBUSY);
	dma_fence_signal(job);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 7);
	stop(test, u, 8);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 8);
	for (u32 i = 0; i < 7; i++)
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
	KUNIT_EXPECT_EQ(test, header_at(u, 7)->flags, FINAL);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/*
 * STOP: samples that wait are published behind those whose firmware sample is requested. The counts
 * up to STOP are in the final sample.
 */
static void stop_cancels(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fences[2];

	start(test, u);
	for (u32 i = 0; i < 2; i++)
		fences[i] = sample_after(test, u, i, job);
	count(f, 3);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 9), 0);
	/* Nothing waits for the firmware. */
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	for (u32 i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, CANCELLED);
		/* No time has passed for it. */
		KUNIT_EXPECT_EQ(test, header_at(u, i)->timestamp_end_ns,
				header_at(u, 0)->timestamp_start_ns);
		KUNIT_EXPECT_EQ(test, count_of(f, u, i), 0);
		expect_fence(test, fences[i], -ECANCELED);
	}

	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 3);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->user_data, 9);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 2), 3);
	drain(f, u);
	expect_conserved(test, u);

	/* The session can be started again, and the old job has no meaning for it. */
	start(test, u);
	dma_fence_signal(job);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/* A suspended GPU: nothing that work waits for waits for the resume, nor what comes before it. */
static void sampled_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test), *other = profiler_of_all(test);
	struct dma_fence *fence;

	start(test, u);
	start(test, other);
	count(f, 4);
	panthor_perf_fixture_suspend(f);
	KUNIT_ASSERT_EQ(test, try_sample(other->session, 0), 0);
	KUNIT_ASSERT_EQ(test, try_sample(u->session, 0), 0);
	flush_delayed_work(&f->sampler.work);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	fence = sample_after(test, u, 1, NULL);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	for (u32 i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, SUSPEND | HOST_TIME);
		KUNIT_EXPECT_EQ(test, count_of(f, u, i), i ? 0 : 4);
	}
	expect_fence(test, fence, 1);

	/* The other session has no such sample: it waits. */
	KUNIT_EXPECT_EQ(test, other->control->insert_idx, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, other->control->insert_idx, 1);
	stop(test, u, 2);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

static struct kunit_case ordered_cases[] = {
	KUNIT_CASE(waits_for_the_job),
	KUNIT_CASE(pending_request_is_too_early),
	KUNIT_CASE(job_is_done),
	KUNIT_CASE(in_the_order_of_calls),
	KUNIT_CASE(each_has_a_slot),
	KUNIT_CASE(stop_cancels),
	KUNIT_CASE(sampled_while_suspended),
	{}
};

static struct kunit_suite ordered_suite = {
	.name = "panthor_perf_ordered",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = ordered_cases,
};

kunit_test_suite(ordered_suite);
