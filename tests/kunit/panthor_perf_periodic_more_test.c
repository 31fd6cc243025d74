// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_periodic_test.h"

static void long_period_costs_little(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 64);
	struct profiler *v = profiler_with_period(test, 10ull * PERIOD, 16);
	u32 samples;

	panthor_perf_fixture_sleep_to_phase(10ull * PERIOD, 4);
	start(test, u);
	start(test, v);
	samples = f->fake.samples;
	pass(40);
	/* The grid of the one lies on that of the other. */
	KUNIT_EXPECT_EQ(test, f->fake.samples - samples, 40);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 40);
	KUNIT_EXPECT_EQ(test, v->control->insert_idx, 4);
	stop(test, u, STOP_DATA);
	stop(test, v, STOP_DATA);
	read_run(test, u, 0);
	read_run(test, v, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* Firmware that stops to acknowledge, is restarted, and acknowledges again. */
static void silence_merges(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 32);
	struct ledger ledger;

	start_in_the_middle(test, u);
	pass(2);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	pass(3);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	f->fake.hold = 0;
	pass(10);
	stop(test, u, STOP_DATA);

	ledger = read_run(test, u, 0);
	KUNIT_EXPECT_EQ(test, ledger.periods, 16);
	KUNIT_EXPECT_GT(test, ledger.merged, 2);
	KUNIT_EXPECT_EQ(test, ledger.flags, STRETCHED | ERROR);
	KUNIT_EXPECT_EQ(test, ledger.events & ~LATE, FW_TIMEOUT);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	profiler_destroy(test, u);
}

/* A firmware that is dead: STOP ends the run all the same, with all periods in the final sample. */
static void death_merges(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 32);
	struct ledger ledger;

	start_in_the_middle(test, u);
	pass(2);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	pass(20);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	stop(test, u, STOP_DATA);

	ledger = read_run(test, u, 0);
	KUNIT_EXPECT_EQ(test, ledger.samples, 3);
	KUNIT_EXPECT_EQ(test, ledger.periods, 23);
	KUNIT_EXPECT_EQ(test, ledger.flags, STRETCHED | ERROR);
	KUNIT_EXPECT_EQ(test, ledger.events, FW_TIMEOUT | HOST_TIME);
	profiler_destroy(test, u);
}

/* TEARDOWN while the firmware sample of a period is pending: nothing of the session remains. */
static void teardown_in_a_period(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *m = profiler_create(test, all_masks, 8, false, 0);
	struct profiler *u = profiler_with_period(test, PERIOD, 16);

	start(test, m);
	start_in_the_middle(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	pass(1);
	KUNIT_EXPECT_FALSE(test, list_empty(&u->session->client.tick.node));
	profiler_destroy(test, u);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->sampler.requests));
	f->fake.hold = 0;
	panthor_perf_fake_fw_let_go(&f->fake);
	panthor_perf_fixture_run(f);
	sample(test, m, 1);
	KUNIT_EXPECT_EQ(test, m->control->insert_idx, 1);
	profiler_destroy(test, m);
}

struct period_case {
	const char *name;
	u64 period;
};

/* Shorter than a tick of this kernel, odd, and longer than a timer can wait. */
static const struct period_case period_cases[] = {
	{ "shortest", 100000 },
	{ "odd", 100003 },
	{ "a frame", 16666667 },
	{ "an hour", 3600ull * NSEC_PER_SEC },
	{ "longest of a timer", KTIME_MAX },
	{ "beyond a timer", (u64)KTIME_MAX + 1 },
	{ "longest", U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(period, period_cases, name);

static void any_period_adds_up(struct kunit *test)
{
	const struct period_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, c->period, 256);

	for (u32 run = 0; run < 3; run++) {
		u64 first = u->control->insert_idx;

		if (c->period < NSEC_PER_SEC)
			panthor_perf_fixture_sleep_to_phase(c->period, 40);
		start(test, u);
		for (u32 i = 0; i < 7; i++) {
			/* Not more than 32 bits hold without a sample in between. */
			if (i < 3)
				panthor_perf_fake_fw_count_all(&f->fake, i);
			usleep_range(9173, 9174);
		}
		if (c->period < NSEC_PER_SEC)
			panthor_perf_fixture_sleep_to_phase(c->period, 40);
		stop(test, u, STOP_DATA);
		if (c->period > NSEC_PER_SEC)
			KUNIT_EXPECT_EQ(test, u->control->insert_idx, first + 1);
		KUNIT_EXPECT_EQ(test, read_run(test, u, first).flags & ~STRETCHED, 0);
		drain(f, u);
		expect_conserved(test, u);
	}

	profiler_destroy(test, u);
}

/* STOP around the end of a period: the period is counted once, by the tick or by STOP. */
static void stop_around_a_point(struct kunit *test)
{
	static const u32 phases[] = { 1, 50, 96, 98, 99 };
	struct profiler *u = profiler_with_period(test, PERIOD, 64);

	for (u32 i = 0; i < ARRAY_SIZE(phases); i++) {
		u64 first = u->control->insert_idx;

		start(test, u);
		pass(1);
		panthor_perf_fixture_sleep_to_phase(PERIOD, phases[i]);
		stop(test, u, STOP_DATA);
		KUNIT_EXPECT_EQ(test, read_run(test, u, first).flags & ~STRETCHED, 0);
		drain(test->priv, u);
	}

	profiler_destroy(test, u);
}

static void expect_next_tick(struct kunit *test, const struct profiler *u)
{
	struct panthor_perf_fixture *f = test->priv;

	mutex_lock(&f->sampler.lock);
	KUNIT_EXPECT_EQ(test, f->sampler.tick_ns, u->session->client.deadline_ns);
	mutex_unlock(&f->sampler.lock);
}

/* The next tick is that of the earliest deadline that has not come. */
static void ticks_are_no_more_than_needed(struct kunit *test)
{
	struct profiler *u = profiler_with_period(test, PERIOD, 64);
	struct profiler *v = profiler_with_period(test, 1000 * PERIOD, 64);

	start(test, v);
	expect_next_tick(test, v);
	start(test, u);
	pass(2);
	expect_next_tick(test, u);
	profiler_destroy(test, u);
	pass(2);
	expect_next_tick(test, v);
	profiler_destroy(test, v);
}

static void manual_session_beside(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 16);
	struct profiler *m = profiler_of_all(test);

	start_in_the_middle(test, u);
	start(test, m);
	for (u32 i = 0; i < 6; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, m, i);
		pass(1);
		KUNIT_EXPECT_EQ(test, m->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
	}
	stop(test, m, 0);
	stop(test, u, STOP_DATA);
	KUNIT_EXPECT_EQ(test, read_run(test, u, 0).merged, 0);
	drain(f, u);
	drain(f, m);
	expect_conserved(test, u);
	expect_conserved(test, m);
	profiler_destroy(test, u);
	profiler_destroy(test, m);
}

static struct kunit_case periodic_more_cases[] = {
	KUNIT_CASE(ticks_are_no_more_than_needed),
	KUNIT_CASE(long_period_costs_little),
	KUNIT_CASE(silence_merges),
	KUNIT_CASE(death_merges),
	KUNIT_CASE(teardown_in_a_period),
	KUNIT_CASE_PARAM(any_period_adds_up, period_gen_params),
	KUNIT_CASE(stop_around_a_point),
	KUNIT_CASE(manual_session_beside),
	{}
};

static struct kunit_suite periodic_more_suite = {
	.name = "panthor_perf_periodic_more",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = periodic_more_cases,
};

kunit_test_suite(periodic_more_suite);
