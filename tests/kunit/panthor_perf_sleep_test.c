// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

#define PERIOD		(100 * NSEC_PER_MSEC)
#define PERIOD_MS	100

/* A session with ALLOW_SUSPEND. */
static struct profiler *sleeper_create(struct kunit *test, u64 period)
{
	const struct panthor_perf_session_config config = {
		.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND,
	};
	struct profiler *p = profiler_create_with(test, all_masks, 16, true, config);

	p->session->config.period_ns = period;
	return p;
}

/* The newest sample: flags, events, and what the states of all blocks have to have and not to. */
static void expect_newest_at(struct kunit *test, struct profiler *p, u64 nr, u32 flags, u32 events,
			     u32 states, u32 not_states, int line)
{
	struct panthor_perf_fixture *f = test->priv;
	const struct drm_panthor_perf_sample_header *header;

	KUNIT_ASSERT_EQ_MSG(test, p->control->insert_idx, nr + 1, "in line %d", line);
	header = header_at(p, nr);
	KUNIT_EXPECT_EQ_MSG(test, header->flags, flags, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, header->events, events, "in line %d", line);
	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 is = states_at(f, p, nr, block->type, block->rank);

		KUNIT_EXPECT_EQ_MSG(test, is & states, states, "in line %d", line);
		KUNIT_EXPECT_EQ_MSG(test, is & not_states, 0, "in line %d", line);
	}
}

#define expect_newest(test, p, nr, flags, events, states, not_states) \
	expect_newest_at(test, p, nr, flags, events, states, not_states, __LINE__)

/* START keeps the GPU powered until the baseline is taken. Afterwards the GPU may be suspended. */
static void holds_no_power(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	expect_power(test, 1);
	panthor_perf_fixture_let_go(f);
	f->fake.hold = 0;
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	remember_zero(f, u);
	expect_power(test, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(test, u, 1);
	expect_newest(test, u, 0, 0, 0, IS_ON, IS_OFF);
	expect_power(test, 0);
	stop(test, u, 2);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static void failed_start_gives_power_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	f->fake.hold = 0;
	profiler_destroy(test, u);
}

/* A session without ALLOW_SUSPEND keeps the GPU powered while it counts, and no longer. */
static void beside_others(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0), *v = profiler_of_all(test);

	start(test, u);
	expect_power(test, 0);
	for (u32 i = 0; i < 3; i++) {
		start(test, v);
		expect_power(test, 1);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
		sample(test, v, i);
		stop(test, v, i);
		expect_power(test, 0);
		KUNIT_EXPECT_EQ(test, drain(f, v), 2);
		expect_conserved(test, v);
	}

	/* The other way round. */
	start(test, v);
	stop(test, u, 4);
	expect_power(test, 1);
	stop(test, v, 5);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	drain(f, u);
	drain(f, v);
	expect_conserved(test, u);
	expect_conserved(test, v);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* SAMPLE and STOP on a suspended GPU are served at once, are exact, and do not resume it. */
static void sampled_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);
	u32 doorbells;
	u64 now;

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	doorbells = f->fake.doorbells;

	msleep(100);
	now = ktime_get_raw_ns();
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 11), 0);
	expect_newest(test, u, 0, 0, SUSPEND | HOST_TIME, IS_OFF, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 11);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, f->fake.timestamp);
	KUNIT_EXPECT_GE(test, header_at(u, 0)->timestamp_end_ns, now);
	KUNIT_EXPECT_EQ(test, signals(u), 1);

	/* Nothing since: neither counts, nor a sample of the GPU, nor a block that was on. */
	msleep(100);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 12), 0);
	expect_newest(test, u, 1, 0, SUSPEND | HOST_TIME, IS_OFF, IS_ON | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->gpu_timestamp, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->timestamp_start_ns,
			header_at(u, 0)->timestamp_end_ns);
	KUNIT_EXPECT_GT(test, header_at(u, 1)->timestamp_end_ns,
			header_at(u, 0)->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->toplevel_clock_cycles, 0);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);

	/* The first sample after the resume began during the suspend, the second one did not. */
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	sample(test, u, 13);
	expect_newest(test, u, 2, 0, SUSPEND, IS_OFF | IS_ON, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	sample(test, u, 14);
	expect_newest(test, u, 3, 0, 0, IS_ON, IS_OFF);

	panthor_perf_fake_fw_count_all(&f->fake, 4);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 15), 0);
	expect_newest(test, u, 4, FINAL, SUSPEND | HOST_TIME, IS_OFF | IS_ON, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->user_data, 15);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 5);
	expect_power(test, 0);
	drain(f, u);
	expect_conserved(test, u);

	/* No session counts at the resume. START enables the counters again. */
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	start(test, u);
	stop(test, u, 17);
	profiler_destroy(test, u);
}

static void full_ring_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	panthor_perf_fixture_suspend(f);
	for (u32 i = 0; i < 15; i++)
		KUNIT_EXPECT_EQ(test, try_sample(u->session, i), 0);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 15), -EBUSY);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 16), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 16);
	for (u32 i = 0; i < 16; i++)
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, i == 15 ? FINAL : 0);
	panthor_perf_fixture_resume(f, true);
	profiler_destroy(test, u);
}

/* The last sample before a suspend serves the requests that were queued before. */
static void requested_before(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, FINAL);
	expect_power(test, 0);
	drain(f, u);
	expect_conserved(test, u);
	panthor_perf_fixture_resume(f, true);
	profiler_destroy(test, u);
}

/* Firmware does not acknowledge before a suspend: no request waits for the resume. */
static void requested_before_without_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0), *v = sleeper_create(test, 0);
	struct profiler *w = profiler_of_all(test);

	start(test, u);
	start(test, v);
	start(test, w);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(w->session, 1), 0);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(v->session, 3), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, SUSPEND | FW_TIMEOUT | HOST_TIME);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, SUSPEND | HOST_TIME);
	KUNIT_EXPECT_EQ(test, v->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(v, 0)->flags, ERROR | FINAL);

	/* Who keeps the GPU powered sleeps with the system, and waits. */
	KUNIT_EXPECT_EQ(test, w->control->insert_idx, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, w->control->insert_idx, 1);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
	profiler_destroy(test, w);
}

/* No period wakes the GPU up, and all that ended are in one sample behind it. */
static void periods_sleep(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, PERIOD);
	u64 periods = 0, points, first, published;
	u32 doorbells;

	start(test, u);
	first = ktime_get_ns() / PERIOD;
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	msleep(3 * PERIOD_MS);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	panthor_perf_fixture_suspend(f);
	published = u->control->insert_idx;
	doorbells = f->fake.doorbells;
	msleep(20 * PERIOD_MS);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, published);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&f->sampler.timer));
	expect_power(test, 0);

	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, published + 1);
	KUNIT_EXPECT_EQ(test, header_at(u, published)->flags, STRETCHED);
	KUNIT_EXPECT_EQ(test, header_at(u, published)->events & ~LATE, SUSPEND);
	KUNIT_EXPECT_GE(test, header_at(u, published)->merged, 19);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	msleep(2 * PERIOD_MS);
	KUNIT_EXPECT_GT(test, u->control->insert_idx, published + 1);

	/* STOP during the suspend has the remaining periods, and the one that it ends early. */
	panthor_perf_fixture_suspend(f);
	msleep(5 * PERIOD_MS);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 9), 0);
	points = ktime_get_ns() / PERIOD - first;
	for (u64 i = 0; i < u->control->insert_idx; i++)
		periods += 1 + header_at(u, i)->merged;
	KUNIT_EXPECT_EQ(test, periods, points + 1);
	drain(f, u);
	expect_conserved(test, u);
	panthor_perf_fixture_resume(f, true);
	profiler_destroy(test, u);
}

/* Suspends and resumes in a row, without a run of the worker in between. */
static void wakes_up_often(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	for (u32 i = 0; i < 40; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		if (i % 3)
			panthor_perf_fixture_run(f);
		panthor_perf_fixture_suspend(f);
		if (i % 4 == 0)
			KUNIT_EXPECT_EQ(test, try_sample(u->session, i), 0);
		panthor_perf_fixture_resume(f, i & 1);
		if (i % 5 == 0)
			sample(test, u, i);
		drain(f, u);
	}
	stop(test, u, 0);
	drain(f, u);
	expect_conserved(test, u);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

static void reset_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, SUSPEND | RESET | HOST_TIME);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	stop(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, SUSPEND);
	profiler_destroy(test, u);
}

/* A firmware that is dead when it goes to sleep is alive when it wakes up. */
static void dead_firmware_sleeps(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 2), -EIO);
	f->fake.hold = 0;
	panthor_perf_fixture_suspend(f);
	/* What the GPU did up to the suspend was not counted. */
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 3), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, SUSPEND | FW_TIMEOUT | HOST_TIME);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 4), 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	sample(test, u, 5);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->flags, 0);
	profiler_destroy(test, u);
}

static void unplugged_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0), *v = sleeper_create(test, PERIOD);

	start(test, u);
	start(test, v);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 1), -ENODEV);
	kill_profiler(test, u, true);
	kill_profiler(test, v, true);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	KUNIT_EXPECT_EQ(test, signals(v), 1);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	expect_power(test, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void torn_down_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 0);

	start(test, u);
	panthor_perf_fixture_suspend(f);
	profiler_destroy(test, u);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	expect_power(test, 0);
}

static struct kunit_case sleep_cases[] = {
	KUNIT_CASE(holds_no_power),
	KUNIT_CASE(failed_start_gives_power_back),
	KUNIT_CASE(beside_others),
	KUNIT_CASE(sampled_while_suspended),
	KUNIT_CASE(full_ring_while_suspended),
	KUNIT_CASE(requested_before),
	KUNIT_CASE(requested_before_without_answer),
	KUNIT_CASE(periods_sleep),
	KUNIT_CASE(wakes_up_often),
	KUNIT_CASE(reset_while_suspended),
	KUNIT_CASE(dead_firmware_sleeps),
	KUNIT_CASE(unplugged_while_suspended),
	KUNIT_CASE(torn_down_while_suspended),
	{}
};

static struct kunit_suite sleep_suite = {
	.name = "panthor_perf_sleep",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = sleep_cases,
};

kunit_test_suite(sleep_suite);
