/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_EVENTS_TEST_H__
#define __PANTHOR_PERF_EVENTS_TEST_H__

/* What the suites of perf events share. Not a header for others: its names are short. */

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

static inline struct events_test *events_of(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	return f->priv;
}

static inline struct panthor_perf_event *
try_open(struct kunit *test, u32 type, u32 counter, u32 set, u64 instances)
{
	const struct panthor_perf_event_config config = {
		.type = type, .counter = counter, .set = set, .instances = instances, .factor = 1,
	};

	return panthor_perf_event_open(&events_of(test)->events, &config);
}

static inline struct panthor_perf_event *
open(struct kunit *test, u32 type, u32 counter, u64 instances)
{
	struct panthor_perf_event *event = try_open(test, type, counter, 0, instances);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
	return event;
}

static inline void close(struct kunit *test, struct panthor_perf_event *event)
{
	panthor_perf_event_close(&events_of(test)->events, event);
}

static inline u64 total(struct kunit *test, struct panthor_perf_event *event)
{
	return panthor_perf_event_total(&events_of(test)->events, event);
}

/* Twice the longest age of a value. */
static inline void refresh(void)
{
	usleep_range(2 * REFRESH_US, 2 * REFRESH_US + 100);
}

static inline int events_init(struct kunit *test)
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

static inline void events_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	if (!f)
		return;

	panthor_perf_hw_power_put(&f->sampler.fw);
	panthor_perf_events_fini(&events_of(test)->events);
	panthor_perf_fixture_destroy(f);
}

#endif
