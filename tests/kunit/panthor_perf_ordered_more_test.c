// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_ordered_test.h"

/* Firmware takes its time with each sample, and the GPU counts between the calls. */
static void counts_between_calls(struct kunit *test)
{
	static const u32 counts[] = { 3, 5, 7 };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	for (u32 i = 0; i < ARRAY_SIZE(counts); i++) {
		count(f, counts[i]);
		if (i < 2)
			KUNIT_ASSERT_EQ(test, try_sample(u->session, i + 1), 0);
		else
			KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 3), 0);

		/* Firmware takes the sample. The driver does not read it before the GPU counts. */
		panthor_perf_fake_fw_let_go(&f->fake);
		count(f, 100);
		f->fake.hold = GLB_PERFCNT_SAMPLE;
		panthor_perf_fixture_run(f);
		KUNIT_ASSERT_EQ(test, u->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, count_of(f, u, i), counts[i] + (i ? 100 : 0));
		KUNIT_EXPECT_EQ(test, header_at(u, i)->gpu_timestamp, f->fake.timestamp);
	}
	panthor_perf_fixture_let_go(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 4);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 3), 100);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* Other sessions have moved the totals: a cancelled sample ends where they did. */
static void stop_cancels_while_others_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test), *other = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence;
	const struct drm_panthor_perf_sample_header *last;

	start(test, u);
	start(test, other);
	fence = sample_after(test, u, 0, job);
	for (u32 i = 0; i < 3; i++) {
		count(f, 10);
		sample(test, other, i);
	}
	last = header_at(other, 2);
	count(f, 7);
	usleep_range(5000, 6000);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 1), 0);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, CANCELLED);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->timestamp_end_ns, last->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, last->gpu_timestamp);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 0), 30);
	expect_fence(test, fence, -ECANCELED);

	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 1), 7);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->timestamp_start_ns, last->timestamp_end_ns);
	/* The others do not notice. */
	sample(test, other, 3);
	KUNIT_EXPECT_EQ(test, header_at(other, 3)->timestamp_start_ns, last->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header_at(other, 3)->events, 0);
	KUNIT_EXPECT_EQ(test, count_of(f, other, 3), 7);
	stop(test, other, 4);
	drain(f, u);
	drain(f, other);
	expect_conserved(test, u);
	expect_conserved(test, other);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
	job_destroy(test, job);
}

/* What firmware has written by itself since the end of the sample before is a cancelled one's. */
static void stop_cancels_behind_automatic_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence;
	u64 end;

	start(test, u);
	fence = sample_after(test, u, 0, job);
	count(f, 9);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	count(f, 4);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 1), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, CANCELLED);
	end = header_at(u, 0)->timestamp_end_ns;
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->timestamp_start_ns, end);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->timestamp_start_ns, end);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 0), 9);
	KUNIT_EXPECT_EQ(test, count_of(f, u, 1), 4);
	expect_fence(test, fence, -ECANCELED);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

static void stop_behind_requests(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *first, *fences[2];

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	first = sample_after(test, u, 0, NULL);
	panthor_perf_fixture_run(f);
	for (u32 i = 0; i < 2; i++)
		fences[i] = sample_after(test, u, 1 + i, job);
	count(f, 3);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 3), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	panthor_perf_fixture_let_go(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 4);
	expect_fence(test, first, 1);
	for (u32 i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, !!(header_at(u, i)->events & CANCELLED), i == 1 || i == 2);
	}
	for (u32 i = 0; i < 2; i++)
		expect_fence(test, fences[i], -ECANCELED);
	/* The first answer ended three of them, the second one the run. */
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->timestamp_end_ns, header_at(u, 0)->timestamp_end_ns);
	KUNIT_EXPECT_GT(test, header_at(u, 3)->timestamp_end_ns, header_at(u, 0)->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->flags, FINAL);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/* Dead counters, and a sample that waits for a job. */
static void die_with_a_waiting_sample(struct kunit *test, struct profiler *u, struct dma_fence *job)
{
	struct panthor_perf_fixture *f = test->priv;
	struct dma_fence *first;

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	first = sample_after(test, u, 0, NULL);
	/* A sample with a SIGNAL operation would not wait for a suspended GPU. */
	KUNIT_ASSERT_EQ(test, try_sample_after(u->session, 1, job, NULL), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);
	expect_fence(test, first, 1);
}

static void expect_failed_in_suspend(struct kunit *test, struct profiler *u)
{
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, SUSPEND | FW_TIMEOUT | HOST_TIME);
	expect_power(test, 0);
}

/* Nothing resumes a GPU whose counters are dead: another device's fence still ends the wait. */
static void job_ends_on_a_suspended_dead_gpu(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test);

	die_with_a_waiting_sample(test, u, job);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);

	dma_fence_signal(job);
	panthor_perf_fixture_run(f);
	expect_failed_in_suspend(test, u);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

struct busy_work {
	struct work_struct work;
	struct completion over;
};

static void stay_busy(struct work_struct *work)
{
	wait_for_completion(&container_of(work, struct busy_work, work)->over);
}

/* The same if the suspend cancels the worker that the fence has queued. */
static void suspend_cancels_the_worker_of_a_dead_gpu(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test);
	struct busy_work busy;

	die_with_a_waiting_sample(test, u, job);
	/* The queue is ordered: the worker does not begin. */
	INIT_WORK_ONSTACK(&busy.work, stay_busy);
	init_completion(&busy.over);
	queue_work(f->sampler.wq, &busy.work);
	dma_fence_signal(job);
	panthor_perf_fixture_suspend(f);
	complete(&busy.over);
	flush_work(&busy.work);
	destroy_work_on_stack(&busy.work);

	/* Only if it is queued: nothing else queues it. */
	flush_delayed_work(&f->sampler.work);
	expect_failed_in_suspend(test, u);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/*
 * The ways to end, in each state of two samples: the first is requested of the firmware, the
 * second waits for a job, which is done afterwards or never.
 */

static void is_torn_down(struct kunit *test, struct profiler *p)
{
	kill_profiler(test, p, false);
}

static void is_unplugged(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_unplug(test->priv);
	kill_profiler(test, p, true);
}

static void is_reset(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
}

static void fails_to_reset(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_pre_reset(test->priv);
	panthor_perf_fixture_post_reset(test->priv, true);
}

static void is_suspended(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_suspend(test->priv);
}

static void is_suspended_in_silence(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.deaf = true;
	panthor_perf_fixture_suspend(f);
}

static void dies(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_overdue(test->priv);
	panthor_perf_fixture_overdue(test->priv);
}

static void is_stopped(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, 9), 0);
	f->fake.hold = 0;
	panthor_perf_fixture_let_go(f);
}

#define NEVER	(-1u)

struct end_case {
	const char *name;
	void (*end)(struct kunit *test, struct profiler *p);

	/* Of the two fences behind the end, and of the second one when its job is done. */
	int requested, waiting, done;

	/* Flags and events of the two samples. %NEVER: there is none. */
	u32 flags[2], events[2];
};

static const struct end_case end_cases[] = {
	{ "TEARDOWN", is_torn_down, -ECANCELED, -ECANCELED, -ECANCELED, { NEVER, NEVER } },
	{ "unplug", is_unplugged, -ECANCELED, -ECANCELED, -ECANCELED, { NEVER, NEVER } },
	{ "reset", is_reset, 1, 0, 1, { ERROR, 0 }, { RESET, 0 } },
	{ "failed reset", fails_to_reset, 1, 0, 1, { ERROR, ERROR },
	  { RESET | FW_TIMEOUT | HOST_TIME, FW_TIMEOUT | HOST_TIME } },
	{ "suspend", is_suspended, 1, 0, 1, { 0, 0 }, { 0, SUSPEND | HOST_TIME } },
	{ "suspend in silence", is_suspended_in_silence, 1, 0, 1, { ERROR, 0 },
	  { SUSPEND | FW_TIMEOUT | HOST_TIME, SUSPEND | HOST_TIME } },
	{ "no answer", dies, 1, 0, 1, { ERROR, ERROR },
	  { FW_TIMEOUT | HOST_TIME, FW_TIMEOUT | HOST_TIME } },
	{ "STOP", is_stopped, 1, -ECANCELED, -ECANCELED, { 0, 0 }, { 0, CANCELLED } },
};

KUNIT_ARRAY_PARAM_DESC(end, end_cases, name);

static void no_fence_is_left(struct kunit *test)
{
	const struct end_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *requested, *waiting;

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	f->fake.answer_in_wait = true;
	requested = sample_after(test, u, 0, NULL);
	panthor_perf_fixture_run(f);
	waiting = sample_after(test, u, 1, job);
	c->end(test, u);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(requested), c->requested);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(waiting), c->waiting);
	dma_fence_signal(job);
	flush_delayed_work(&f->sampler.work);
	if (!f->sampler.blocked)
		panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(waiting), c->done);

	for (u32 i = 0; i < 2; i++) {
		if (c->flags[i] == NEVER) {
			KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
			continue;
		}
		KUNIT_ASSERT_GT(test, u->control->insert_idx, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, c->flags[i]);
		/* Which of them saw a late interrupt is another matter. */
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events & ~HOST_TIME,
				c->events[i] & ~HOST_TIME);
	}

	f->fake.hold = 0;
	f->fake.deaf = false;
	dma_fence_put(requested);
	dma_fence_put(waiting);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

/* The worker is queued from a callback, by any number of jobs at once. */
static void many_jobs(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 64, false, 0);
	struct dma_fence *jobs[63], *fences[63];

	start(test, u);
	for (u32 round = 0; round < 20; round++) {
		for (u32 i = 0; i < ARRAY_SIZE(jobs); i++) {
			jobs[i] = job_create(test);
			fences[i] = sample_after(test, u, i, jobs[i]);
		}
		/* Every third one, then the rest in the order of the calls. */
		for (u32 i = 0; i < ARRAY_SIZE(jobs); i += 3)
			dma_fence_signal(jobs[i]);
		for (u32 i = 0; i < ARRAY_SIZE(jobs); i++) {
			count(f, i + 1);
			dma_fence_signal(jobs[i]);
			if (i % 3)
				panthor_perf_fixture_run(f);
		}
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, drain(f, u), ARRAY_SIZE(jobs));
		for (u32 i = 0; i < ARRAY_SIZE(jobs); i++) {
			expect_fence(test, fences[i], 1);
			job_destroy(test, jobs[i]);
		}
	}

	stop(test, u, 0);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* The fence outlives the session, and the device. */
static void fence_outlives(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fixture *g = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	struct dma_fence *job = job_create(test), *fence;
	struct profiler *u;
	char text[64];

	test->priv = g;
	u = profiler_of_all(test);
	start(test, u);
	fence = sample_after(test, u, 0, job);
	/* Newer kernels have no names of a fence that has signalled. */
	KUNIT_EXPECT_STREQ(test, fence->ops->get_driver_name(fence), "panthor");
	strscpy(text, fence->ops->get_timeline_name(fence));
	KUNIT_EXPECT_TRUE(test, strstarts(text, "perf-session-"));
	profiler_destroy(test, u);
	panthor_perf_fixture_destroy(g);
	test->priv = f;
	expect_fence(test, fence, -ECANCELED);
	job_destroy(test, job);
}

/* A job that is done during a suspend that never ends, as after a resume that fails. */
static void resume_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct dma_fence *job = job_create(test), *fence;

	start(test, u);
	fence = sample_after(test, u, 0, job);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));
	dma_fence_signal(job);
	flush_delayed_work(&f->sampler.work);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	expect_fence(test, fence, 1);
	profiler_destroy(test, u);
	job_destroy(test, job);
}

static struct kunit_case ordered_more_cases[] = {
	KUNIT_CASE(counts_between_calls),
	KUNIT_CASE(stop_cancels_while_others_sample),
	KUNIT_CASE(stop_cancels_behind_automatic_samples),
	KUNIT_CASE(stop_behind_requests),
	KUNIT_CASE(job_ends_on_a_suspended_dead_gpu),
	KUNIT_CASE(suspend_cancels_the_worker_of_a_dead_gpu),
	KUNIT_CASE_PARAM(no_fence_is_left, end_gen_params),
	KUNIT_CASE(many_jobs),
	KUNIT_CASE(fence_outlives),
	KUNIT_CASE(resume_fails),
	{}
};

static struct kunit_suite ordered_more_suite = {
	.name = "panthor_perf_ordered_more",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = ordered_more_cases,
};

kunit_test_suite(ordered_more_suite);
