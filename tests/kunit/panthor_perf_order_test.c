// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kthread.h>

#include "panthor_perf_job_test.h"
#include "panthor_perf_session_test.h"

/*
 * All orders of what can happen to a session with pending samples, and the number of samples that
 * are completed in one hold of the lock.
 */

/* What the samples of a run have as user_data. */
#define AFTER_JOB	1
#define BEHIND_IT	2
#define FINAL_ONE	3

enum { DEATH, SUSPEND_GPU, SIGNAL, STOP, START, RESUME, STEPS };

struct order_case {
	const char *name;

	/* Flags of SETUP. */
	u32 flags;

	/* The sample that waits for the job has a SIGNAL operation. */
	bool signals;
};

static const struct order_case order_cases[] = {
	{ "no flag", 0, false },
	{ "signals", 0, true },
	{ "ALLOW_SUSPEND", DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, false },
	{ "ALLOW_SUSPEND, signals", DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, true },
};

KUNIT_ARRAY_PARAM_DESC(order, order_cases, name);

/* One order: a session that is started and has two pending samples. */
struct order {
	struct kunit *test;
	struct panthor_perf_fixture *f;
	struct profiler *p;
	struct dma_fence *job;
	bool suspended;

	/* A START that is not known to have ended. */
	bool starting;

	/* The steps in their order, for messages. */
	char text[STEPS + 1];
};

static void let_die(struct order *o)
{
	if (o->suspended)
		return;

	o->f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	for (u32 i = 0; i < 2; i++) {
		panthor_perf_fixture_watchdog(o->f);
		panthor_perf_fixture_overdue(o->f);
	}
	o->f->fake.hold = 0;
}

static void suspend_gpu(struct order *o)
{
	if (!o->suspended)
		panthor_perf_fixture_suspend(o->f);
	o->suspended = true;
}

static void resume_gpu(struct order *o)
{
	if (!o->suspended)
		return;

	o->suspended = false;
	panthor_perf_fixture_resume(o->f, true);
	panthor_perf_fixture_run(o->f);
}

static void start_again(struct order *o)
{
	/* The START before has to end first: its waiter has one place. */
	if (o->starting)
		return;

	/* START resumes the GPU. */
	if (panthor_perf_session_check_start(o->p->session))
		return;

	resume_gpu(o);
	o->starting = !begin(o->test, o->p);
	panthor_perf_fixture_run(o->f);
}

static void step(struct order *o, u32 what)
{
	switch (what) {
	case DEATH:
		let_die(o);
		break;
	case SUSPEND_GPU:
		suspend_gpu(o);
		break;
	case SIGNAL:
		dma_fence_signal(o->job);
		break;
	case STOP:
		panthor_perf_session_stop(o->p->session, FINAL_ONE);
		break;
	case START:
		start_again(o);
		break;
	case RESUME:
		resume_gpu(o);
		break;
	}
}

/* The ring never has more samples than slots, and a stopped session has no pending sample. */
static void expect_consistent(struct order *o)
{
	const struct panthor_perf_session *session = o->p->session;

	KUNIT_EXPECT_LE_MSG(o->test, o->p->control->insert_idx, o->p->slots, "%s", o->text);
	if (session->state == PANTHOR_PERF_SESSION_STOPPED ||
	    session->state == PANTHOR_PERF_SESSION_STARTING)
		KUNIT_EXPECT_EQ_MSG(o->test, session->pending_count, 0, "%s", o->text);
}

/* The samples of a run are in the order of the calls, and the final one is the last. */
static void expect_ordered(struct order *o)
{
	u64 last = 0;

	for (u64 i = 0; i < o->p->control->insert_idx; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(o->p, i);
		const bool final = header->flags & FINAL;

		if (!header->sample_nr)
			last = 0;
		KUNIT_EXPECT_GT_MSG(o->test, header->user_data, last, "%s: sample %llu", o->text,
				    i);
		KUNIT_EXPECT_EQ_MSG(o->test, final, header->user_data == FINAL_ONE,
				    "%s: sample %llu", o->text, i);
		last = header->user_data;
	}
}

static void play(struct order *o, const struct order_case *c, const u8 *steps)
{
	static const char letters[] = "DZsTSR";
	struct dma_fence *fence = NULL;

	for (u32 i = 0; i < STEPS; i++)
		o->text[i] = letters[steps[i]];

	/* Two pending samples, two final ones, and none more. */
	o->p = profiler_create_with(o->test, all_masks, 4, false,
				    (struct panthor_perf_session_config) { .flags = c->flags });
	o->job = job_create(o->test);
	start(o->test, o->p);
	KUNIT_ASSERT_EQ(o->test, try_sample_after(o->p->session, AFTER_JOB, o->job,
						  c->signals ? &fence : NULL), 0);
	KUNIT_ASSERT_EQ(o->test, try_sample(o->p->session, BEHIND_IT), 0);

	for (u32 i = 0; i < STEPS; i++) {
		step(o, steps[i]);
		expect_consistent(o);
		/* Some orders are fast: the worker has not run. */
		if (i & 1)
			panthor_perf_fixture_run(o->f);
		expect_consistent(o);
	}

	/* Everything ends. */
	resume_gpu(o);
	flush_delayed_work(&o->f->sampler.work);
	panthor_perf_fixture_run(o->f);
	if (o->starting)
		panthor_perf_session_start_wait(o->p->session, &o->p->wait);
	if (o->p->session->state == PANTHOR_PERF_SESSION_STARTED)
		panthor_perf_session_stop(o->p->session, FINAL_ONE);
	panthor_perf_fixture_run(o->f);
	KUNIT_EXPECT_EQ_MSG(o->test, o->p->session->state, PANTHOR_PERF_SESSION_STOPPED, "%s",
			    o->text);
	expect_consistent(o);
	expect_ordered(o);
	/* Each sample of the first run and its final one: no order loses one. */
	KUNIT_EXPECT_GE_MSG(o->test, o->p->control->insert_idx, 3, "%s", o->text);
	if (fence) {
		KUNIT_EXPECT_TRUE_MSG(o->test, dma_fence_is_signaled(fence), "%s", o->text);
		dma_fence_put(fence);
	}

	profiler_destroy(o->test, o->p);
	KUNIT_EXPECT_EQ_MSG(o->test, kref_read(&o->job->refcount), 1, "%s", o->text);
	dma_fence_signal(o->job);
	dma_fence_put(o->job);
	KUNIT_EXPECT_EQ_MSG(o->test, o->f->fake.power, 0, "%s", o->text);
	/* Dead counters start again. */
	panthor_perf_fixture_suspend(o->f);
	panthor_perf_fixture_resume(o->f, true);
	panthor_perf_fixture_run(o->f);
}

/* The next permutation in lexical order. Returns false after the last one. */
static bool permute(u8 *steps)
{
	int i = STEPS - 2, k = STEPS - 1;

	while (i >= 0 && steps[i] > steps[i + 1])
		i--;
	if (i < 0)
		return false;

	while (steps[k] < steps[i])
		k--;
	swap(steps[i], steps[k]);
	for (i++, k = STEPS - 1; i < k; i++, k--)
		swap(steps[i], steps[k]);
	return true;
}

static void every_order(struct kunit *test)
{
	u8 steps[STEPS] = { 0, 1, 2, 3, 4, 5 };
	u32 orders = 0;

	do {
		struct order o = { .test = test, .f = test->priv };

		play(&o, test->param_value, steps);
		orders++;
	} while (permute(steps));

	KUNIT_EXPECT_EQ(test, orders, 720);
}

/* Sessions that all wait for one job. */
#define SESSIONS	48
#define PENDING		PANTHOR_PERF_MAX_PENDING

/* Limit of the driver. */
#define IN_ONE_HOLD	32

/*
 * After so many steps the worker pauses. The time of this kernel stands still while the worker
 * runs, so that this is the first moment at which another thread has the lock.
 */
#define STEPS_TO_PAUSE	32

struct watcher {
	struct panthor_perf_fixture *f;
	struct profiler **profilers;
	u32 most, holds;
};

static u32 published(struct profiler **profilers)
{
	u32 sum = 0;

	for (u32 i = 0; i < SESSIONS; i++)
		sum += profilers[i]->control->insert_idx;

	return sum;
}

/* Takes the lock, and records how many samples were published since its last hold. */
static int watch(void *data)
{
	struct watcher *w = data;
	u32 before = 0;

	while (!kthread_should_stop()) {
		scoped_guard(panthor_perf_sampler, &w->f->sampler) {
			const u32 now = published(w->profilers);

			w->most = max(w->most, now - before);
			w->holds += now != before;
			before = now;
		}
		usleep_range(100, 200);
	}

	return 0;
}

static void one_fence_completes_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *profilers[SESSIONS];
	struct watcher w = { .f = f, .profilers = profilers };
	struct dma_fence *job = job_create(test);
	struct task_struct *task;

	for (u32 i = 0; i < SESSIONS; i++) {
		struct profiler *p = profiler_create(test, NULL, 2 * PENDING, false, 0);

		profilers[i] = p;
		start(test, p);
		for (u32 k = 0; k < PENDING; k++)
			KUNIT_ASSERT_EQ(test, try_sample_after(p->session, k, job, NULL), 0);
		KUNIT_EXPECT_EQ(test, try_sample_after(p->session, 0, job, NULL), -EBUSY);
	}

	task = kthread_run(watch, &w, "watcher");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	dma_fence_signal(job);
	for (u32 i = 0; i < 100 && published(profilers) < SESSIONS * PENDING; i++) {
		flush_delayed_work(&f->sampler.work);
		msleep(20);
	}
	kthread_stop(task);
	KUNIT_EXPECT_EQ(test, published(profilers), SESSIONS * PENDING);
	KUNIT_EXPECT_LE(test, w.most, IN_ONE_HOLD * STEPS_TO_PAUSE);
	KUNIT_EXPECT_GE(test, w.holds, SESSIONS * PENDING / (IN_ONE_HOLD * STEPS_TO_PAUSE));
	kunit_info(test, "at most %u samples between two holds, in %u holds\n", w.most, w.holds);

	for (u32 i = 0; i < SESSIONS; i++) {
		for (u32 k = 0; k < PENDING; k++)
			KUNIT_EXPECT_EQ(test, header_at(profilers[i], k)->user_data, k);
		profiler_destroy(test, profilers[i]);
	}
	job_destroy(test, job);
}

/* A call completes no more than the worker does, STOP's cancelled samples included. */
static void stop_completes_few(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *p = profiler_create(test, NULL, 2 * PENDING, false, 0);
	struct dma_fence *job = job_create(test);

	start(test, p);
	for (u32 k = 0; k < PENDING; k++)
		KUNIT_ASSERT_EQ(test, try_sample_after(p->session, k, job, NULL), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, 0);

	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, PENDING), 0);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, IN_ONE_HOLD);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, p->control->insert_idx, PENDING + 1);
	for (u32 k = 0; k <= PENDING; k++) {
		KUNIT_EXPECT_EQ(test, header_at(p, k)->user_data, k);
		KUNIT_EXPECT_EQ(test, !!(header_at(p, k)->events & CANCELLED), k < PENDING);
	}

	profiler_destroy(test, p);
	job_destroy(test, job);
}

/* While the GPU is suspended, SAMPLE completes what is due before it. */
static void suspended_sample_completes_few(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	const struct panthor_perf_session_config config = {
		.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND,
	};
	struct profiler *p = profiler_create_with(test, NULL, 2 * PENDING, false, config);
	struct dma_fence *job = job_create(test);

	start(test, p);
	for (u32 k = 0; k + 1 < PENDING; k++)
		KUNIT_ASSERT_EQ(test, try_sample_after(p->session, k, job, NULL), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, 0);

	/* This kernel has one CPU: the worker that the fence queues has not run yet. */
	dma_fence_signal(job);
	KUNIT_ASSERT_EQ(test, try_sample(p->session, PENDING - 1), 0);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, IN_ONE_HOLD);
	flush_delayed_work(&f->sampler.work);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, PENDING);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	profiler_destroy(test, p);
	dma_fence_put(job);
}

static struct kunit_case order_test_cases[] = {
	KUNIT_CASE_PARAM(every_order, order_gen_params),
	KUNIT_CASE(one_fence_completes_all),
	KUNIT_CASE(stop_completes_few),
	KUNIT_CASE(suspended_sample_completes_few),
	{}
};

static struct kunit_suite order_suite = {
	.name = "panthor_perf_order",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = order_test_cases,
};

kunit_test_suite(order_suite);
