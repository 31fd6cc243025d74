// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_events_test.h"

/* Another client had a sample after the first event was opened. */
static void open_events_have_totals_of_one_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *first, *second;
	struct sampler_user a;

	events_of(test)->events.refresh_us = NEVER_US;
	first = open(test, MEMSYS, 63, 0);
	attach_on(f, &a);
	count(f, 5);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, total(test, first), 0);
	second = open(test, MEMSYS, 63, 0);
	KUNIT_EXPECT_EQ(test, total(test, first), 5);
	KUNIT_EXPECT_EQ(test, total(test, second), 5);
	close(test, second);
	close(test, first);
	detach(f, &a);
}

/* The last sample before a suspend is taken in, however long the interval is. */
static void includes_the_last_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event *event;

	WRITE_ONCE(events->refresh_us, NEVER_US);
	event = open(test, MEMSYS, 63, 0);
	refresh();
	count(f, 3);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 0);
	panthor_perf_fixture_suspend(f);
	panthor_perf_events_suspend(events, &f->perf);
	KUNIT_EXPECT_EQ(test, total(test, event), 3);
	panthor_perf_fixture_resume(f, true);
	close(test, event);
}

/* A reset that takes too long for the first event. */
static void opens_during_a_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;

	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ETIMEDOUT);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->sampler.clients));
	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_fixture_post_reset(f, false);
	event = open(test, MEMSYS, 63, 0);
	count(f, 5);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 5);
	close(test, event);
}

/* Without answers there is no first event; then the counters are dead, and firmware answers. */
static void die_at_open(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EIO);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->sampler.clients));
	f->fake.hold = 0;
}

/* After a reset there is a first event. */
static void firmware_without_answers(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;

	die_at_open(test);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	event = open(test, MEMSYS, 63, 0);
	close(test, event);
}

/* Dead counters end with a suspend: the first event of a suspended GPU counts from its resume. */
static void opens_while_suspended_with_dead_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;

	die_at_open(test);
	/* Another set than that of before, too. */
	panthor_perf_fixture_suspend(f);
	event = try_open(test, MEMSYS, 63, 1, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	count(f, 6);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 6);
	close(test, event);
}

/* Firmware that becomes silent leaves totals as they are. After a reset they go on. */
static void stops_answering(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event = open(test, MEMSYS, 63, 0);

	count(f, 5);
	refresh();
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	count(f, 6);
	msleep(20000);
	KUNIT_EXPECT_EQ(test, total(test, event), 5);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);

	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	count(f, 70);
	msleep(200);
	KUNIT_EXPECT_EQ(test, total(test, event), 75);
	close(test, event);
}

static void outlives_the_gpu(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event *event;
	struct sampler_user a;

	WRITE_ONCE(events->refresh_us, NEVER_US);
	event = open(test, MEMSYS, 63, 0);
	attach_on(f, &a);
	count(f, 8);
	sample(f, &a);
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, total(test, event), 0);
	/* Another CPU reads a group meanwhile. */
	panthor_perf_events_freeze(events);
	panthor_perf_fixture_unplug(f);
	panthor_perf_events_unplug(events);
	panthor_perf_events_thaw(events);
	KUNIT_EXPECT_NULL(test, events->perf);
	KUNIT_EXPECT_EQ(test, total(test, event), 8);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->sampler.clients));
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ENODEV);

	/* Another GPU: the event keeps its value, and is none of that GPU's events. */
	KUNIT_EXPECT_EQ(test, panthor_perf_events_plug(events, &f->perf), 0);
	KUNIT_EXPECT_EQ(test, events->open, 0);
	KUNIT_EXPECT_EQ(test, total(test, event), 8);
	close(test, event);
	KUNIT_EXPECT_EQ(test, events->open, 0);
}

/* The worker does not wait for readers of a group: the next sample is for those behind them. */
static void frozen_events_delay_nobody(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event *first, *second;

	WRITE_ONCE(events->refresh_us, NEVER_US);
	first = open(test, MEMSYS, 63, 0);
	count(f, 8);
	panthor_perf_events_freeze(events);
	panthor_perf_events_freeze(events);
	/* Opening stores the newest totals, which include those of an automatic sample. */
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	second = open(test, MEMSYS, 63, 0);
	KUNIT_EXPECT_EQ(test, total(test, first), 0);
	KUNIT_EXPECT_EQ(test, total(test, second), 0);
	panthor_perf_events_thaw(events);
	KUNIT_EXPECT_EQ(test, total(test, first), 0);
	panthor_perf_events_thaw(events);
	KUNIT_EXPECT_EQ(test, total(test, first), 8);
	KUNIT_EXPECT_EQ(test, total(test, second), 8);
	close(test, second);
	close(test, first);
}

static void has_a_limit(struct kunit *test)
{
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event **many, *one;
	const u32 limit = 4096;

	many = kunit_kcalloc(test, limit, sizeof(*many), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, many);
	for (u32 i = 0; i < limit; i++)
		many[i] = open(test, MEMSYS, 63, 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ENOSPC);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 64, 0, 0)), -EINVAL);

	close(test, many[limit - 1]);
	one = open(test, MEMSYS, 63, 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ENOSPC);
	close(test, one);
	for (u32 i = 0; i + 1 < limit; i++)
		close(test, many[i]);
	KUNIT_EXPECT_EQ(test, events->open, 0);
}

static void no_memory_for_the_ring(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.alloc_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ENOMEM);
	f->fake.alloc_error = 0;
	close(test, open(test, MEMSYS, 63, 0));
}

/* A suspended GPU is left alone; its totals go on after the resume. */
static void sleeps_with_the_gpu(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event *event, *later;
	u32 samples, doorbells;

	event = open(test, MEMSYS, 63, 0);
	count(f, 3);
	panthor_perf_fixture_suspend(f);
	panthor_perf_events_suspend(events, &f->perf);
	samples = f->fake.samples;
	doorbells = f->fake.doorbells;
	usleep_range(20 * REFRESH_US, 20 * REFRESH_US + 10);
	later = open(test, MEMSYS, 63, 0);
	usleep_range(20 * REFRESH_US, 20 * REFRESH_US + 10);
	KUNIT_EXPECT_EQ(test, f->fake.samples, samples);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);
	KUNIT_EXPECT_EQ(test, total(test, event), 3);
	KUNIT_EXPECT_EQ(test, total(test, later), 3);

	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	count(f, 40);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 43);
	KUNIT_EXPECT_EQ(test, total(test, later), 43);
	close(test, event);
	close(test, later);
}

/* The first event of a suspended GPU counts from the resume on. */
static void opens_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;

	panthor_perf_fixture_suspend(f);
	event = open(test, MEMSYS, 63, 0);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	count(f, 6);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 6);
	close(test, event);
}

static void survives_a_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event = open(test, MEMSYS, 63, 0);

	count(f, 5);
	refresh();
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, total(test, event), 5);
	count(f, 6);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event), 11);
	close(test, event);
}

/* The cycles of each clock that the board has, and of no other. */
static void counts_cycles_of_clocks(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	u64 *totals = f->sampler.counts.clocks.totals;
	struct panthor_perf_event *top, *coregroup;
	u64 before;

	f->sampler.counts.clocks.supported = BIT(DRM_PANTHOR_PERF_CLOCK_TOPLEVEL) |
					     BIT(DRM_PANTHOR_PERF_CLOCK_COREGROUP);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, 0, 2, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, 0, 3, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, 0, 32, 0, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, 0, 0, 0, 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, 0, 0, 3, 0)), -EINVAL);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);

	top = open(test, 0, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, 0);
	coregroup = open(test, 0, DRM_PANTHOR_PERF_CLOCK_COREGROUP, 0);
	KUNIT_EXPECT_EQ(test, total(test, coregroup), 0);
	before = total(test, top);
	totals[DRM_PANTHOR_PERF_CLOCK_COREGROUP] += 700;
	totals[DRM_PANTHOR_PERF_CLOCK_SHADER] += 30;
	count(f, 9);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, coregroup), 700);
	/* 500 MHz, from one sample to another. */
	KUNIT_EXPECT_GE(test, total(test, top) - before, REFRESH_US * 500ull / 2);
	KUNIT_EXPECT_LE(test, total(test, top) - before, REFRESH_US * 500ull * 4);
	KUNIT_EXPECT_EQ(test, total(test, top), totals[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL]);
	close(test, coregroup);
	close(test, top);
}

/* A multiple of the sum, for events that say what there could have been. */
static void multiplies_by_the_factor(struct kunit *test)
{
	const struct panthor_perf_event_config config = {
		.type = MEMSYS, .counter = 63, .factor = 64,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *plain = open(test, MEMSYS, 63, 0), *event;

	event = panthor_perf_event_open(&events_of(test)->events, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	count(f, 70000);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, plain), 70000);
	KUNIT_EXPECT_EQ(test, total(test, event), 4480000);
	close(test, event);
	close(test, plain);
}

static struct kunit_case events_more_cases[] = {
	KUNIT_CASE(open_events_have_totals_of_one_sample),
	KUNIT_CASE(includes_the_last_sample),
	KUNIT_CASE(opens_during_a_reset),
	KUNIT_CASE(firmware_without_answers),
	KUNIT_CASE(stops_answering),
	KUNIT_CASE(outlives_the_gpu),
	KUNIT_CASE(frozen_events_delay_nobody),
	KUNIT_CASE(has_a_limit),
	KUNIT_CASE(no_memory_for_the_ring),
	KUNIT_CASE(sleeps_with_the_gpu),
	KUNIT_CASE(opens_while_suspended),
	KUNIT_CASE(opens_while_suspended_with_dead_counters),
	KUNIT_CASE(survives_a_reset),
	KUNIT_CASE(counts_cycles_of_clocks),
	KUNIT_CASE(multiplies_by_the_factor),
	{}
};

static struct kunit_suite events_more_suite = {
	.name = "panthor_perf_events_more",
	.init = events_init,
	.exit = events_exit,
	.test_cases = events_more_cases,
};

kunit_test_suite(events_more_suite);
