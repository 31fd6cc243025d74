// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/* A timer of this kernel may come a tick late, which is a small part of the period. */
#define PERIOD		(100 * NSEC_PER_MSEC)

#define START_DATA	0x1234
#define STOP_DATA	0x5678

static struct profiler *profiler_with_period(struct kunit *test, u64 period, u32 slots)
{
	struct profiler *p = profiler_create(test, all_masks, slots, true, 0);

	p->session->config.period_ns = period;
	p->user_data = START_DATA;
	return p;
}

/* Time between two readings of a clock, by which the conversion is off. */
#define CONVERSION_NS	1000

/* CLOCK_MONOTONIC of a time of CLOCK_MONOTONIC_RAW not long ago, about. */
static u64 to_mono(u64 raw_ns)
{
	return ktime_get_ns() - (ktime_get_raw_ns() - raw_ns);
}

struct ledger {
	u64 periods;
	u32 samples;
	u32 merged;
	u32 flags;
	u32 events;
};

/* Read all samples of a run that has ended, and check the rules that hold for each sample. */
static struct ledger read_run(struct kunit *test, struct profiler *p, u64 first)
{
	const u64 period = p->session->config.period_ns;
	const u64 inserted = p->control->insert_idx;
	struct ledger ledger = {};
	u64 start, end = 0;

	KUNIT_ASSERT_GT(test, inserted, first);
	KUNIT_ASSERT_LE(test, inserted - first, p->slots);
	for (u64 i = first; i < inserted; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(p, i);
		const bool last = i == inserted - 1;
		u64 phase = to_mono(header->timestamp_end_ns) % period;

		KUNIT_EXPECT_EQ(test, header->sample_nr, i - first);
		KUNIT_EXPECT_EQ(test, header->user_data, last ? STOP_DATA : START_DATA);
		KUNIT_EXPECT_EQ(test, !!(header->flags & STRETCHED), header->merged > 0);
		KUNIT_EXPECT_EQ(test, !!(header->flags & FINAL), last);
		KUNIT_EXPECT_GE(test, header->timestamp_end_ns, header->timestamp_start_ns);
		if (i > first)
			KUNIT_EXPECT_EQ(test, header->timestamp_start_ns, end);
		if (!last && !header->merged && !(header->events & LATE))
			KUNIT_EXPECT_LT(test, phase, period / 2);

		end = header->timestamp_end_ns;
		ledger.periods += 1 + header->merged;
		ledger.merged += header->merged;
		ledger.flags |= header->flags & ~FINAL;
		ledger.events |= header->events;
		ledger.samples++;
	}

	start = to_mono(header_at(p, first)->timestamp_start_ns);
	end = to_mono(end);
	KUNIT_EXPECT_GE(test, ledger.periods,
			(end - CONVERSION_NS) / period - (start + CONVERSION_NS) / period + 1);
	KUNIT_EXPECT_LE(test, ledger.periods,
			(end + CONVERSION_NS) / period - (start - CONVERSION_NS) / period + 1);
	KUNIT_EXPECT_EQ(test, p->session->ring.insert, inserted);
	return ledger;
}

/* Time passes, by the clock and not by the ticks of this kernel. */
static void pass(u32 periods)
{
	for (u32 i = 0; i < periods; i++)
		panthor_perf_fixture_sleep_to_phase(PERIOD, 40);
}

static void start_in_the_middle(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_sleep_to_phase(PERIOD, 40);
	start(test, p);
}

static void samples_lie_on_the_grid(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 16);
	struct ledger ledger;
	u32 samples;

	start_in_the_middle(test, u);
	samples = f->fake.samples;
	for (u32 i = 0; i < 10; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		pass(1);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, signals(u), 1);
	}

	stop(test, u, STOP_DATA);
	ledger = read_run(test, u, 0);
	KUNIT_EXPECT_EQ(test, ledger.samples, 11);
	KUNIT_EXPECT_EQ(test, ledger.merged, 0);
	KUNIT_EXPECT_EQ(test, ledger.flags, 0);
	KUNIT_EXPECT_EQ(test, ledger.events, 0);
	/* One of the firmware for each of the session's. */
	KUNIT_EXPECT_EQ(test, f->fake.samples - samples, 11);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static void equal_periods_share_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 16);
	struct profiler *v = profiler_with_period(test, PERIOD, 16);
	struct profiler *w = profiler_with_period(test, PERIOD, 16);
	u32 samples;

	start_in_the_middle(test, u);
	start(test, v);
	start(test, w);
	samples = f->fake.samples;
	for (u32 i = 0; i < 8; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		pass(1);
	}
	KUNIT_EXPECT_EQ(test, f->fake.samples - samples, 8);
	for (u32 i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, header_at(u, i)->timestamp_end_ns,
				header_at(v, i)->timestamp_end_ns);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->gpu_timestamp,
				header_at(w, i)->gpu_timestamp);
	}

	stop(test, u, STOP_DATA);
	stop(test, v, STOP_DATA);
	stop(test, w, STOP_DATA);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	read_run(test, u, 0);
	read_run(test, v, 0);
	read_run(test, w, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
	profiler_destroy(test, w);
}

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

static void full_ring_merges(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 4);
	const struct drm_panthor_perf_sample_header *header;

	start_in_the_middle(test, u);
	for (u32 i = 0; i < 7; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		pass(1);
	}

	/* The last free slot is the final sample's. */
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3);
	KUNIT_EXPECT_EQ(test, drain(f, u), 3);
	pass(1);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	header = header_at(u, 3);
	KUNIT_EXPECT_EQ(test, header->merged, 4);
	KUNIT_EXPECT_EQ(test, header->flags, STRETCHED);
	KUNIT_EXPECT_EQ(test, header->events, RING_FULL);
	KUNIT_EXPECT_EQ(test, drain(f, u), 1);

	/* The period has ended and its sample is published. */
	pass(1);
	header = header_at(u, 4);
	KUNIT_EXPECT_EQ(test, header->merged, 0);
	KUNIT_EXPECT_EQ(test, header->events, 0);

	/* Full up to the end: the final sample has the rest. */
	pass(5);
	panthor_perf_fake_fw_count_all(&f->fake, 9);
	stop(test, u, STOP_DATA);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 8);
	header = header_at(u, 7);
	KUNIT_EXPECT_EQ(test, header->merged, 3);
	KUNIT_EXPECT_EQ(test, header->flags, STRETCHED | FINAL);
	KUNIT_EXPECT_EQ(test, header->events, RING_FULL);
	KUNIT_EXPECT_EQ(test, header->user_data, STOP_DATA);
	drain(f, u);
	expect_conserved(test, u);
	KUNIT_EXPECT_EQ(test, u->session->ring.insert, 8);
	KUNIT_EXPECT_EQ(test, u->session->merged, 7);
	KUNIT_EXPECT_EQ(test, u->session->erroneous, 0);
	profiler_destroy(test, u);
}

static void period_is_nobodys_to_cut(struct kunit *test)
{
	struct profiler *u = profiler_with_period(test, PERIOD, 8);

	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), -EINVAL);
	start_in_the_middle(test, u);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), -EINVAL);
	panthor_perf_fixture_run(test->priv);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	stop(test, u, STOP_DATA);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, read_run(test, u, 0).samples, 1);
	profiler_destroy(test, u);
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

/* No sample is taken while the GPU is suspended. The periods are merged into one sample. */
static void suspend_merges(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 16);
	struct ledger ledger;
	u32 samples;

	start_in_the_middle(test, u);
	pass(2);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fixture_suspend(f);
	samples = f->fake.samples;
	pass(5);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, f->fake.samples, samples);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	pass(3);
	stop(test, u, STOP_DATA);

	ledger = read_run(test, u, 0);
	KUNIT_EXPECT_EQ(test, ledger.periods, 11);
	KUNIT_EXPECT_GE(test, ledger.merged, 4);
	KUNIT_EXPECT_LE(test, ledger.merged, 5);
	KUNIT_EXPECT_EQ(test, ledger.flags, STRETCHED);
	KUNIT_EXPECT_EQ(test, ledger.events & ~LATE, SUSPEND);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static void reset_merges(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_with_period(test, PERIOD, 16);
	struct ledger ledger;

	start_in_the_middle(test, u);
	pass(2);
	panthor_perf_fixture_pre_reset(f);
	pass(5);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	panthor_perf_fixture_post_reset(f, false);
	pass(3);
	stop(test, u, STOP_DATA);

	ledger = read_run(test, u, 0);
	KUNIT_EXPECT_EQ(test, ledger.periods, 11);
	KUNIT_EXPECT_EQ(test, ledger.flags, STRETCHED | ERROR);
	KUNIT_EXPECT_EQ(test, ledger.events & ~LATE, RESET);
	profiler_destroy(test, u);
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

static struct kunit_case periodic_cases[] = {
	KUNIT_CASE(ticks_are_no_more_than_needed),
	KUNIT_CASE(samples_lie_on_the_grid),
	KUNIT_CASE(equal_periods_share_samples),
	KUNIT_CASE(long_period_costs_little),
	KUNIT_CASE(full_ring_merges),
	KUNIT_CASE(period_is_nobodys_to_cut),
	KUNIT_CASE(manual_session_beside),
	KUNIT_CASE(suspend_merges),
	KUNIT_CASE(reset_merges),
	KUNIT_CASE(silence_merges),
	KUNIT_CASE(death_merges),
	KUNIT_CASE(teardown_in_a_period),
	KUNIT_CASE_PARAM(any_period_adds_up, period_gen_params),
	KUNIT_CASE(stop_around_a_point),
	{}
};

static int periodic_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void periodic_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite periodic_suite = {
	.name = "panthor_perf_periodic",
	.init = periodic_init,
	.exit = periodic_exit,
	.test_cases = periodic_cases,
};

kunit_test_suite(periodic_suite);
