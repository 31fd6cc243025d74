/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_PERIODIC_TEST_H__
#define __PANTHOR_PERF_PERIODIC_TEST_H__

/* What the suites of periods share. Not a header for others: its names are short. */

#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/* A timer of this kernel may come a tick late, which is a small part of the period. */
#define PERIOD		(100 * NSEC_PER_MSEC)

#define START_DATA	0x1234
#define STOP_DATA	0x5678

static inline struct profiler *profiler_with_period(struct kunit *test, u64 period, u32 slots)
{
	struct profiler *p = profiler_create(test, all_masks, slots, true, 0);

	p->session->config.period_ns = period;
	p->user_data = START_DATA;
	return p;
}

/* Time between two readings of a clock, by which the conversion is off. */
#define CONVERSION_NS	1000

/* CLOCK_MONOTONIC of a time of CLOCK_MONOTONIC_RAW not long ago, about. */
static inline u64 to_mono(u64 raw_ns)
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
static inline struct ledger read_run(struct kunit *test, struct profiler *p, u64 first)
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
static inline void pass(u32 periods)
{
	for (u32 i = 0; i < periods; i++)
		panthor_perf_fixture_sleep_to_phase(PERIOD, 40);
}

static inline void start_in_the_middle(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_sleep_to_phase(PERIOD, 40);
	start(test, p);
}

#endif
