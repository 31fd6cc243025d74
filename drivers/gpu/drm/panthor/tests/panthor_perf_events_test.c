// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_events.h"
#include "panthor_perf_sampler_test.h"

/* Timers of this kernel are those of its ticks, of 10 ms. */
#define REFRESH_US	50000

/* Longer than any test, so that no sample is taken in between. */
#define NEVER_US	1000000000

/* A powered GPU, and its events. */
struct events_test {
	struct panthor_perf_fixture *f;
	struct panthor_perf_events events;
};

static struct events_test *events_of(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	return f->priv;
}

static struct panthor_perf_event *try_open(struct kunit *test, u32 type, u32 counter, u32 set,
					   u64 instances)
{
	const struct panthor_perf_event_config config = {
		.type = type, .counter = counter, .set = set, .instances = instances,
	};

	return panthor_perf_event_open(&events_of(test)->events, &config);
}

static struct panthor_perf_event *open(struct kunit *test, u32 type, u32 counter, u64 instances)
{
	struct panthor_perf_event *event = try_open(test, type, counter, 0, instances);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	return event;
}

static void close(struct kunit *test, struct panthor_perf_event *event)
{
	panthor_perf_event_close(&events_of(test)->events, event);
}

static u64 total(struct kunit *test, struct panthor_perf_event *event)
{
	return panthor_perf_event_total(&events_of(test)->events, event);
}

/* Twice the longest age of a value. */
static void refresh(void)
{
	usleep_range(2 * REFRESH_US, 2 * REFRESH_US + 100);
}

struct config_case {
	const char *name;
	u32 type;
	u32 counter;
	u32 set;
	u64 instances;
	int error;
};

/* The GPU has a firmware block, one front end, one tiler, 4 slices of the cache and 4 cores. */
static const struct config_case config_cases[] = {
	{ .name = "first counter", .type = CSHW, .counter = 4 },
	{ .name = "last counter", .type = TILER, .counter = 63 },
	{ .name = "all cores, each named", .type = SHADER, .counter = 4, .instances = 0xf },
	{ .name = "last slice", .type = MEMSYS, .counter = 32, .instances = 0x8 },
	{ .name = "third set", .type = CSHW, .counter = 4, .set = 2 },
	{ .name = "header", .type = CSHW, .counter = 3, .error = -EINVAL },
	{ .name = "counter beyond the block", .type = CSHW, .counter = 64, .error = -EINVAL },
	{ .name = "no type", .type = 0, .counter = 4, .error = -EINVAL },
	{
		.name = "type beyond the last", .type = DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT,
		.counter = 4, .error = -EINVAL,
	},
	{ .name = "type beyond all", .type = 255, .counter = 4, .error = -EINVAL },
	{ .name = "absent type", .type = CSG, .counter = 4, .error = -EINVAL },
	{ .name = "fourth set", .type = CSHW, .counter = 4, .set = 3, .error = -EINVAL },
	{
		.name = "absent core", .type = SHADER, .counter = 4, .instances = 0x10,
		.error = -EINVAL,
	},
	{
		.name = "absent core beside present ones", .type = SHADER, .counter = 4,
		.instances = BIT_ULL(63) | 1, .error = -EINVAL,
	},
};

KUNIT_ARRAY_PARAM_DESC(config, config_cases, name);

static void opens_what_there_is(struct kunit *test)
{
	const struct config_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event = try_open(test, c->type, c->counter, c->set,
						    c->instances);

	if (c->error) {
		KUNIT_EXPECT_EQ(test, PTR_ERR(event), c->error);
		KUNIT_EXPECT_FALSE(test, f->fake.enabled);
		return;
	}

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	close(test, event);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
}

/* The cores count 1, 10, 100 and 1000, and the slices of the cache the double of each. */
static void adds_instances(struct kunit *test)
{
	static const struct {
		u32 type;
		u64 instances;
		u64 sum;
	} cases[] = {
		{ SHADER, 0, 1111 }, { SHADER, 0x1, 1 }, { SHADER, 0x8, 1000 },
		{ SHADER, 0x6, 110 }, { SHADER, 0xf, 1111 }, { MEMSYS, 0, 2222 },
		{ MEMSYS, 0x5, 202 },
	};
	struct panthor_perf_event *events[ARRAY_SIZE(cases)];
	struct panthor_perf_fixture *f = test->priv;
	u32 events_nr = 1;

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++)
		events[i] = open(test, cases[i].type, 20, cases[i].instances);
	for (u32 rank = 0; rank < 4; rank++, events_nr *= 10) {
		panthor_perf_fake_fw_count(&f->fake, SHADER, rank, 20, events_nr);
		panthor_perf_fake_fw_count(&f->fake, MEMSYS, rank, 20, 2 * events_nr);
		/* Not theirs. */
		panthor_perf_fake_fw_count(&f->fake, SHADER, rank, 21, 7);
	}
	panthor_perf_fake_fw_count(&f->fake, CSHW, 0, 20, 7);
	refresh();
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ(test, total(test, events[i]), cases[i].sum);
		close(test, events[i]);
	}
}

/* What was counted before an event was opened is no part of it, though the counters ran. */
static void begins_at_open(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;
	struct asker a;
	u64 before;

	attach_on(f, &a);
	count(f, 5);
	sample(f, &a);
	count(f, 70);
	event = open(test, MEMSYS, 63, 0);
	before = total(test, event);
	KUNIT_EXPECT_EQ(test, before, 75);
	count(f, 900);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, event) - before, 900);
	close(test, event);
	detach(f, &a);
}

/* Another client had a sample after the first event was opened. */
static void open_events_have_totals_of_one_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *first, *second;
	struct asker a;

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

/* An event may be closed meanwhile. */
static void frozen_totals_are_of_one_sample(struct kunit *test)
{
	struct panthor_perf_events *events = &events_of(test)->events;
	struct panthor_perf_event *first = open(test, MEMSYS, 63, 0), *second, *third;
	struct panthor_perf_fixture *f = test->priv;

	second = open(test, MEMSYS, 63, 0);
	third = open(test, MEMSYS, 63, 0);
	count(f, 5);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, first), 5);

	panthor_perf_events_freeze(events);
	panthor_perf_events_freeze(events);
	count(f, 70);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, first), 5);
	KUNIT_EXPECT_EQ(test, total(test, second), 5);
	KUNIT_EXPECT_EQ(test, total(test, third), 5);
	close(test, third);
	panthor_perf_events_thaw(events);
	KUNIT_EXPECT_EQ(test, total(test, second), 5);
	panthor_perf_events_thaw(events);
	KUNIT_EXPECT_EQ(test, total(test, first), 75);
	KUNIT_EXPECT_EQ(test, total(test, second), 75);

	count(f, 900);
	refresh();
	KUNIT_EXPECT_EQ(test, total(test, first), 975);
	close(test, second);
	close(test, first);
}

/* One sample for each interval, for any number of events, and none without an event. */
static void refreshes_at_its_interval(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *one = open(test, MEMSYS, 63, 0), *other;
	u32 samples;

	other = open(test, TILER, 6, 0);
	samples = f->fake.samples;
	usleep_range(20 * REFRESH_US, 20 * REFRESH_US + 10);
	KUNIT_EXPECT_GE(test, f->fake.samples - samples, 16);
	KUNIT_EXPECT_LE(test, f->fake.samples - samples, 21);

	WRITE_ONCE(events_of(test)->events.refresh_us, 5 * REFRESH_US);
	refresh();
	samples = f->fake.samples;
	usleep_range(20 * REFRESH_US, 20 * REFRESH_US + 10);
	KUNIT_EXPECT_GE(test, f->fake.samples - samples, 3);
	KUNIT_EXPECT_LE(test, f->fake.samples - samples, 5);

	close(test, one);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	close(test, other);
	panthor_perf_fixture_run(f);
	samples = f->fake.samples;
	usleep_range(20 * REFRESH_US, 20 * REFRESH_US + 10);
	KUNIT_EXPECT_EQ(test, f->fake.samples, samples);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
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

/* The first event waits for the counters, and no longer. */
static void opens_at_once(struct kunit *test)
{
	ktime_t begin = ktime_get();

	close(test, open(test, MEMSYS, 63, 0));
	close(test, open(test, MEMSYS, 63, 0));
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), begin), 100);
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

static void one_set_for_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event = open(test, MEMSYS, 63, 0), *other;
	struct asker a;

	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 1, 0)), -EBUSY);
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), -EBUSY);
	close(test, event);

	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EBUSY);
	event = try_open(test, MEMSYS, 63, 1, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EBUSY);
	other = try_open(test, TILER, 6, 1, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	close(test, other);
	close(test, event);
	detach(f, &a);
}

/* Without answers there is no first event. After a reset there is. */
static void silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event;

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EIO);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->sampler.clients));

	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	event = open(test, MEMSYS, 63, 0);
	close(test, event);
}

/* Firmware that becomes silent leaves totals as they are. After a reset they go on. */
static void falls_silent(struct kunit *test)
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
	struct asker a;

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

static struct kunit_case events_cases[] = {
	KUNIT_CASE_PARAM(opens_what_there_is, config_gen_params),
	KUNIT_CASE(adds_instances),
	KUNIT_CASE(begins_at_open),
	KUNIT_CASE(open_events_have_totals_of_one_sample),
	KUNIT_CASE(frozen_totals_are_of_one_sample),
	KUNIT_CASE(refreshes_at_its_interval),
	KUNIT_CASE(includes_the_last_sample),
	KUNIT_CASE(sleeps_with_the_gpu),
	KUNIT_CASE(opens_at_once),
	KUNIT_CASE(opens_during_a_reset),
	KUNIT_CASE(opens_while_suspended),
	KUNIT_CASE(survives_a_reset),
	KUNIT_CASE(one_set_for_all),
	KUNIT_CASE(silent_firmware),
	KUNIT_CASE(falls_silent),
	KUNIT_CASE(outlives_the_gpu),
	KUNIT_CASE(frozen_events_delay_nobody),
	KUNIT_CASE(has_a_limit),
	KUNIT_CASE(no_memory_for_the_ring),
	{}
};

static int events_init(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	struct events_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;

	t->f = f;
	f->priv = t;
	f->perf.layout = f->layout;
	mutex_init(&f->perf.alloc_lock);
	KUNIT_ASSERT_EQ(test, panthor_perf_events_init(&t->events, REFRESH_US), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_events_plug(&t->events, &f->perf), 0);
	test->priv = f;
	return panthor_perf_hw_power_get(&f->sampler.fw);
}

static void events_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	if (!f)
		return;

	panthor_perf_hw_power_put(&f->sampler.fw);
	panthor_perf_events_fini(&events_of(test)->events);
	panthor_perf_fixture_destroy(f);
}

static struct kunit_suite events_suite = {
	.name = "panthor_perf_events",
	.init = events_init,
	.exit = events_exit,
	.test_cases = events_cases,
};

kunit_test_suite(events_suite);
