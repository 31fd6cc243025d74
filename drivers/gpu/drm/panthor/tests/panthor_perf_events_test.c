// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_events_test.h"

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
	{ .name = "cache, second set", .type = MEMSYS, .counter = 4, .set = 1 },
	{ .name = "cache, third set", .type = MEMSYS, .counter = 4, .set = 2, .error = -EINVAL },
	{ .name = "tiler, second set", .type = TILER, .counter = 4, .set = 1, .error = -EINVAL },
	{ .name = "header", .type = CSHW, .counter = 3, .error = -EINVAL },
	{ .name = "counter beyond the block", .type = CSHW, .counter = 64, .error = -EINVAL },
	{ .name = "no clock", .type = 0, .counter = 4, .error = -EINVAL },
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
	struct sampler_user a;
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

/* The first event waits for the counters, and no longer. */
static void opens_at_once(struct kunit *test)
{
	ktime_t begin = ktime_get();

	close(test, open(test, MEMSYS, 63, 0));
	close(test, open(test, MEMSYS, 63, 0));
	KUNIT_EXPECT_LT(test, ktime_ms_delta(ktime_get(), begin), 100);
}

static void one_set_for_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_event *event = open(test, MEMSYS, 63, 0), *other;
	struct sampler_user a;

	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 1, 0)), -EBUSY);
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), -EBUSY);
	close(test, event);

	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EBUSY);
	event = try_open(test, MEMSYS, 63, 1, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	KUNIT_EXPECT_EQ(test, PTR_ERR(try_open(test, MEMSYS, 63, 0, 0)), -EBUSY);
	other = try_open(test, CSHW, 6, 1, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	close(test, other);
	close(test, event);
	detach(f, &a);
}

static struct kunit_case events_cases[] = {
	KUNIT_CASE_PARAM(opens_what_there_is, config_gen_params),
	KUNIT_CASE(adds_instances),
	KUNIT_CASE(begins_at_open),
	KUNIT_CASE(frozen_totals_are_of_one_sample),
	KUNIT_CASE(refreshes_at_its_interval),
	KUNIT_CASE(opens_at_once),
	KUNIT_CASE(one_set_for_all),
	{}
};

static struct kunit_suite events_suite = {
	.name = "panthor_perf_events",
	.init = events_init,
	.exit = events_exit,
	.test_cases = events_cases,
};

kunit_test_suite(events_suite);
