// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/*
 * Time and cycles of samples: what the GPU's clocks say, if they are believed, and the host's time
 * otherwise.
 */

#define RATE		PANTHOR_PERF_FAKE_TIMESTAMP_RATE
#define TICK_NS		16

/* When the host's time is read and when the GPU's is takes a little. */
#define READING_NS	3000

/* Time between the request and the firmware's stamp, and from there to its answer. */
#define HELD_MS		30

static u64 distance(u64 a, u64 b)
{
	return a < b ? b - a : a - b;
}

/*
 * A sample that the firmware takes in the middle of the time between request and answer. Returns
 * CLOCK_MONOTONIC_RAW of the stamp.
 */
static u64 sample_in_the_middle(struct kunit *test, struct profiler *p, u64 user_data)
{
	struct panthor_perf_fixture *f = test->priv;
	u64 stamped;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(p->session, user_data), 0);
	panthor_perf_fixture_run(f);
	msleep(HELD_MS);
	stamped = ktime_get_raw_ns();
	/* Firmware has served the request, and the worker has not run. */
	panthor_perf_fake_fw_let_go(&f->fake);
	msleep(HELD_MS);
	panthor_perf_fixture_run(f);
	return stamped;
}

struct drift {
	const char *name;
	s64 ppm;
};

static const struct drift drifts[] = {
	{ "none", 0 }, { "20 ppm", 20 }, { "-20 ppm", -20 }, { "500 ppm", 500 },
	{ "-500 ppm", -500 },
};

KUNIT_ARRAY_PARAM_DESC(drift, drifts, name);

/* The GPU's clock is not what it says: ends stay right, since each sample has its own anchor. */
static void ends_do_not_drift(struct kunit *test)
{
	const struct drift *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	const u64 rate = RATE + (s64)RATE * c->ppm / 1000000;
	/* The clock drifts from the stamp to the answer, of which a tick of 10 ms may be a part. */
	u64 bound = abs(c->ppm) * (HELD_MS + 20) + READING_NS + 2 * TICK_NS;

	panthor_perf_fake_fw_set_timestamp(&f->fake, 1ull << 50, rate);
	start(test, u);
	f->fake.ticks.reads = 0;
	f->fake.cycles.reads = 0;
	for (u32 i = 0; i < 60; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);
		u64 stamped = sample_in_the_middle(test, u, i);

		KUNIT_ASSERT_EQ(test, u->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, header->events, 0);
		KUNIT_EXPECT_EQ(test, header->gpu_timestamp, f->fake.timestamp);
		KUNIT_EXPECT_LE_MSG(test, distance(header->timestamp_end_ns, stamped), bound,
				    "sample %u", i);
		drain(f, u);
		msleep(200);
	}

	KUNIT_EXPECT_EQ(test, f->fake.ticks.reads, 60);
	KUNIT_EXPECT_EQ(test, f->fake.cycles.reads, 60);
	profiler_destroy(test, u);
}

/*
 * The rule: a stamp counts if it lies between the request and now, and the host's time otherwise.
 */

struct stamp {
	const char *name;

	/* By how much the stamp is wrong, which is true in the middle of the wait. */
	s64 error_ns;
	bool believed;
};

#define HELD_NS		(HELD_MS * NSEC_PER_MSEC)

/* A tick of this kernel is 10 ms: what is held back lies behind by one or two more. */
static const struct stamp stamps[] = {
	{ "true", 0, true },
	{ "10 ms early", -10 * (s64)NSEC_PER_MSEC, true },
	{ "25 ms early", -25 * (s64)NSEC_PER_MSEC, true },
	{ "10 ms late", 10 * NSEC_PER_MSEC, true },
	{ "25 ms late", 25 * NSEC_PER_MSEC, true },
	{ "before the request", -100 * (s64)NSEC_PER_MSEC, false },
	{ "after now", 60 * NSEC_PER_MSEC, false },
	{ "a second before", -(s64)NSEC_PER_SEC, false },
	{ "a second after", NSEC_PER_SEC, false },
	{ "a day before", -86400 * (s64)NSEC_PER_SEC, false },
	{ "a day after", 86400 * (s64)NSEC_PER_SEC, false },
	{ "a century after", 3155760000 * (s64)NSEC_PER_SEC, false },
};

KUNIT_ARRAY_PARAM_DESC(stamp, stamps, name);

static void stamp_is_judged(struct kunit *test)
{
	const struct stamp *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	const struct drm_panthor_perf_sample_header *header = header_at(u, 1);
	u64 stamped, now;
	u32 samples;

	/* A day earlier is a positive time, too. */
	panthor_perf_fake_fw_set_timestamp(&f->fake, 1ull << 50, RATE);
	start(test, u);
	sample(test, u, 0);
	samples = f->fake.samples;
	f->fake.timestamp_error = c->error_ns / TICK_NS;
	panthor_perf_fake_fw_count_all(&f->fake, 4);
	stamped = sample_in_the_middle(test, u, 1);
	now = ktime_get_raw_ns();
	f->fake.timestamp_error = 0;

	KUNIT_EXPECT_EQ(test, f->fake.samples, samples + 1);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header->events, c->believed ? 0 : HOST_TIME);
	KUNIT_EXPECT_EQ(test, header->flags, 0);
	KUNIT_EXPECT_EQ(test, header->gpu_timestamp, f->fake.timestamp);
	KUNIT_EXPECT_GE(test, header->timestamp_end_ns, header->timestamp_start_ns);
	if (c->believed)
		KUNIT_EXPECT_LE(test, distance(header->timestamp_end_ns, stamped + c->error_ns),
				READING_NS);
	else
		KUNIT_EXPECT_LE(test, distance(header->timestamp_end_ns, now), READING_NS);

	/* The next one is none the worse for it. */
	stamped = sample_in_the_middle(test, u, 2);
	header = header_at(u, 2);
	KUNIT_EXPECT_EQ(test, header->events, 0);
	KUNIT_EXPECT_LE(test, distance(header->timestamp_end_ns, stamped), READING_NS);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* The margin is the error of the anchor, and no more: right at the request, and right now. */
static void stamp_at_the_edge(struct kunit *test)
{
	static const struct {
		s64 error_ns;
		bool believed;
	} edges[] = {
		{ 0, true }, { -5000, false }, { 5000, false }, { -100000, false },
		{ 100000, false },
	};
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	for (u32 i = 0; i < ARRAY_SIZE(edges); i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);

		/* Requested, stamped and read without any time in between. */
		msleep(50);
		f->fake.timestamp_error = edges[i].error_ns / TICK_NS;
		sample(test, u, i);
		KUNIT_EXPECT_EQ_MSG(test, header->events, edges[i].believed ? 0 : HOST_TIME,
				    "%lld ns", edges[i].error_ns);
	}

	profiler_destroy(test, u);
}

/* An anchor is off by half of the time that it took: one that took too long converts no stamp. */
static void ends_of_a_vague_anchor(struct kunit *test)
{
	static const struct {
		u32 took_us;
		bool believed;
	} anchors[] = {
		{ 0, true }, { 190, true }, { 210, false }, { 1000, false }, { 0, true },
	};
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	for (u32 i = 0; i < ARRAY_SIZE(anchors); i++) {
		const u64 took_ns = anchors[i].took_us * NSEC_PER_USEC;
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);
		u64 stamped;

		f->fake.ticks.slow_us = anchors[i].took_us;
		panthor_perf_fake_fw_count_all(&f->fake, i);
		stamped = sample_in_the_middle(test, u, i);
		f->fake.ticks.slow_us = 0;
		KUNIT_EXPECT_LE(test, distance(f->sampler.counts.anchor.error_ns, took_ns / 2),
				READING_NS);
		KUNIT_EXPECT_EQ_MSG(test, header->events, anchors[i].believed ? 0 : HOST_TIME,
				    "%u us", anchors[i].took_us);
		if (anchors[i].believed)
			KUNIT_EXPECT_LE(test, distance(header->timestamp_end_ns, stamped),
					took_ns / 2 + READING_NS);
		else
			KUNIT_EXPECT_GE(test, header->timestamp_end_ns,
					stamped + (HELD_MS - 10) * NSEC_PER_MSEC);
		KUNIT_EXPECT_LE(test, header->timestamp_end_ns, ktime_get_raw_ns());
	}

	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* A single interruption is no reason to go without the firmware's time: it is read once more. */
static void one_interruption_costs_nothing(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	u64 stamped;

	start(test, u);
	f->fake.ticks.slow_read = f->fake.ticks.reads + 1;
	stamped = sample_in_the_middle(test, u, 0);
	KUNIT_EXPECT_EQ(test, f->fake.ticks.reads, f->fake.ticks.slow_read + 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);
	KUNIT_EXPECT_LE(test, distance(header_at(u, 0)->timestamp_end_ns, stamped), READING_NS);
	profiler_destroy(test, u);
}

/* The register stands still: nothing but the host's time is left, and counts are what they are. */
static void frozen_timestamp(struct kunit *test)
{
	static const u64 frozen[] = { 1, 777777, U64_MAX };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	for (u32 i = 0; i < ARRAY_SIZE(frozen); i++) {
		panthor_perf_fake_fw_set_timestamp(&f->fake, frozen[i], 0);
		start(test, u);
		for (u32 k = 0; k < 4; k++) {
			const u64 index = u->next;
			const struct drm_panthor_perf_sample_header *header = header_at(u, index);
			u64 before, now;

			msleep(300);
			before = ktime_get_raw_ns();
			panthor_perf_fake_fw_count_all(&f->fake, k);
			sample_in_the_middle(test, u, k);
			now = ktime_get_raw_ns();
			KUNIT_ASSERT_EQ(test, u->control->insert_idx, index + 1);
			KUNIT_EXPECT_EQ(test, header->flags, 0);
			KUNIT_EXPECT_EQ(test, header->events & ~HOST_TIME, 0);
			KUNIT_EXPECT_GE(test, header->timestamp_end_ns, before);
			KUNIT_EXPECT_LE(test, header->timestamp_end_ns, now);
			/* There was a hardware sample in it, and that is its stamp. */
			KUNIT_EXPECT_EQ(test, header->gpu_timestamp, frozen[i]);
			KUNIT_EXPECT_EQ(test, drain(f, u), 1);
		}
		expect_conserved(test, u);
		stop(test, u, 0);
		drain(f, u);
	}

	profiler_destroy(test, u);
}

/* The platform does not report the frequency of the GPU's clock: the clock is not used. */
static void unknown_frequency(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	u64 end = 0;

	f->sampler.counts.timestamp_frequency = 0;
	start(test, u);
	for (u32 i = 0; i < 5; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);
		u64 now;

		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample_in_the_middle(test, u, i);
		now = ktime_get_raw_ns();
		KUNIT_EXPECT_EQ(test, header->flags, 0);
		KUNIT_EXPECT_EQ(test, header->events, HOST_TIME);
		KUNIT_EXPECT_EQ(test, header->gpu_timestamp, f->fake.timestamp);
		KUNIT_EXPECT_LE(test, distance(header->timestamp_end_ns, now), READING_NS);
		if (i)
			KUNIT_EXPECT_EQ(test, header->timestamp_start_ns, end);
		end = header->timestamp_end_ns;
		drain(f, u);
	}

	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* A GPU timestamp of 0 is that of no firmware sample, and such a sample has no counts. */
static void zero_is_no_stamp(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	panthor_perf_fake_fw_set_timestamp(&f->fake, 0, 0);
	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 5);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, f->fake.timestamp, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, 1);
	panthor_perf_fake_fw_count_all(&f->fake, 6);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->gpu_timestamp, 1);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* The end of a sample never lies before its start, whatever the stamps do. */
static void ends_never_go_back(struct kunit *test)
{
	static const s64 errors_ms[] = { 25, -25, 0, -60, 25, -25, 60, -25, 0 };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 16, false, 0);

	start(test, u);
	for (u32 i = 0; i < ARRAY_SIZE(errors_ms); i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);

		f->fake.timestamp_error = errors_ms[i] * (s64)NSEC_PER_MSEC / TICK_NS;
		sample_in_the_middle(test, u, i);
		KUNIT_EXPECT_GE(test, header->timestamp_end_ns, header->timestamp_start_ns);
		KUNIT_EXPECT_LE(test, header->timestamp_end_ns, ktime_get_raw_ns());
		if (i)
			KUNIT_EXPECT_EQ(test, header->timestamp_start_ns,
					header_at(u, i - 1)->timestamp_end_ns);
	}
	profiler_destroy(test, u);
}

/*
 * CYCLE_COUNT
 */

#define CYCLE_RATE	500000000ull

static void expect_cycles_at(struct kunit *test, struct profiler *p, u64 index, u64 hz, int line)
{
	const struct drm_panthor_perf_sample_header *header = header_at(p, index);
	u64 ns = header->timestamp_end_ns - header->timestamp_start_ns;
	u64 expected = ns / 1000 * (hz / 1000000), slack = READING_NS * (hz / 1000000) / 1000;

	KUNIT_EXPECT_GE_MSG(test, header->toplevel_clock_cycles + slack, expected, "in line %d",
			    line);
	KUNIT_EXPECT_LE_MSG(test, header->toplevel_clock_cycles, expected + slack, "in line %d",
			    line);
}

#define expect_cycles(test, p, index, hz) expect_cycles_at(test, p, index, hz, __LINE__)

/* Cycles belong to the time up to the stamp, not to that of the answer. */
static void cycles_are_those_of_the_end(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	u64 sum = 0, begin, ns;

	start(test, u);
	begin = f->fake.cycles.base;
	for (u32 i = 0; i < 6; i++) {
		sample_in_the_middle(test, u, i);
		expect_cycles(test, u, i, CYCLE_RATE);
		sum += header_at(u, i)->toplevel_clock_cycles;
	}
	KUNIT_EXPECT_EQ(test, begin, f->fake.cycles.base);
	ns = header_at(u, 5)->timestamp_end_ns - header_at(u, 0)->timestamp_start_ns;
	/* Nothing is lost between samples. */
	KUNIT_EXPECT_LE(test, distance(sum, ns / 2), READING_NS);
	profiler_destroy(test, u);
}

/* The firmware does not let the counter run: there are no cycles, and all else is as usual. */
static void cycles_stand_still(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_COUNTER_EN;
	start(test, u);
	for (u32 i = 0; i < 3; i++) {
		f->fake.hold |= GLB_COUNTER_EN;
		msleep(20);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->toplevel_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, 0);
	}
	drain(f, u);
	expect_conserved(test, u);

	/* It runs from the next boot on. */
	f->fake.hold = 0;
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	sample(test, u, 3);
	msleep(20);
	sample(test, u, 4);
	expect_cycles(test, u, 4, CYCLE_RATE);
	profiler_destroy(test, u);
}

/* The cycle counter is requested after every boot, and released with the counters. */
static void cycles_are_requested(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	KUNIT_EXPECT_TRUE(test, f->fake.cycles.stopped);
	start(test, u);
	for (u32 i = 0; i < 4; i++) {
		KUNIT_EXPECT_FALSE(test, f->fake.cycles.stopped);
		if (i < 2)
			panthor_perf_fixture_suspend(f);
		else
			panthor_perf_fixture_pre_reset(f);
		KUNIT_EXPECT_TRUE(test, f->fake.cycles.stopped);
		msleep(200);
		if (i < 2)
			panthor_perf_fixture_resume(f, i);
		else
			panthor_perf_fixture_post_reset(f, false);
		panthor_perf_fixture_run(f);
		sample(test, u, 2 * i);
		/* It did not run for the better part of that time. */
		KUNIT_EXPECT_LE(test, header_at(u, 2 * i)->toplevel_clock_cycles,
				CYCLE_RATE / 20);
		msleep(50);
		sample(test, u, 2 * i + 1);
		expect_cycles(test, u, 2 * i + 1, CYCLE_RATE);
		drain(f, u);
	}

	stop(test, u, 0);
	KUNIT_EXPECT_TRUE(test, f->fake.cycles.stopped);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_COUNTER_EN, 0);
	profiler_destroy(test, u);
}

/* Another part of the driver has requested the cycle counter before: it stays on. */
static void cycles_of_others_go_on(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.input.req |= GLB_COUNTER_EN;
	panthor_perf_fake_fw_let_go(&f->fake);
	KUNIT_EXPECT_FALSE(test, f->fake.cycles.stopped);
	start(test, u);
	msleep(20);
	stop(test, u, 0);
	expect_cycles(test, u, 0, CYCLE_RATE);
	KUNIT_EXPECT_FALSE(test, f->fake.cycles.stopped);
	KUNIT_EXPECT_TRUE(test, f->fake.input.req & GLB_COUNTER_EN);
	profiler_destroy(test, u);
}

/* It requests the counter while the disable is not acknowledged: that is its own request. */
static void cycles_of_later_others_go_on(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_EN;
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DISABLING);
	f->fake.input.req |= GLB_COUNTER_EN;
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_TRUE(test, f->fake.input.req & GLB_COUNTER_EN);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	profiler_destroy(test, u);
}

/* The host is held up between its own clock and the counter: no cycle goes to the wrong side. */
static void slow_readings_shift_nothing(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	for (u32 i = 0; i < 6; i++) {
		sample_in_the_middle(test, u, i);
		/* The reading of the next sample, and one of the two that follow. */
		f->fake.cycles.slow_read = f->fake.cycles.reads + 1 + i % 3;
		expect_cycles(test, u, i, CYCLE_RATE);
	}
	profiler_destroy(test, u);
}

/* Only the times in samples are those of the client's time namespace. */
static void times_of_a_namespace(struct kunit *test)
{
	static const s64 offsets[] = { 0, 100000 * NSEC_PER_SEC, -1000, -100000 * NSEC_PER_SEC };
	struct panthor_perf_fixture *f = test->priv;

	for (u32 i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct profiler *p = profiler_of_all(test), *other = profiler_of_all(test);
		const struct drm_panthor_perf_sample_header *there, *here;

		KUNIT_EXPECT_EQ(test, p->session->time_offset_ns, 0);
		p->session->time_offset_ns = offsets[i];
		start(test, p);
		start(test, other);
		for (u32 k = 0; k < 2; k++) {
			KUNIT_ASSERT_EQ(test, try_sample(p->session, 0), 0);
			KUNIT_ASSERT_EQ(test, try_sample(other->session, 0), 0);
			panthor_perf_fixture_run(f);
			there = header_at(p, k);
			here = header_at(other, k);
			KUNIT_EXPECT_EQ(test, there->timestamp_end_ns,
					here->timestamp_end_ns + offsets[i]);
			KUNIT_EXPECT_EQ(test, there->gpu_timestamp, here->gpu_timestamp);
			if (k)
				KUNIT_EXPECT_EQ(test, there->timestamp_start_ns,
						header_at(p, k - 1)->timestamp_end_ns);
		}
		profiler_destroy(test, p);
		profiler_destroy(test, other);
	}
}

static struct kunit_case stamps_cases[] = {
	KUNIT_CASE_PARAM(ends_do_not_drift, drift_gen_params),
	KUNIT_CASE_PARAM(stamp_is_judged, stamp_gen_params),
	KUNIT_CASE(stamp_at_the_edge),
	KUNIT_CASE(ends_of_a_vague_anchor),
	KUNIT_CASE(one_interruption_costs_nothing),
	KUNIT_CASE(frozen_timestamp),
	KUNIT_CASE(unknown_frequency),
	KUNIT_CASE(zero_is_no_stamp),
	KUNIT_CASE(ends_never_go_back),
	KUNIT_CASE(cycles_are_those_of_the_end),
	KUNIT_CASE(cycles_stand_still),
	KUNIT_CASE(cycles_are_requested),
	KUNIT_CASE(cycles_of_others_go_on),
	KUNIT_CASE(cycles_of_later_others_go_on),
	KUNIT_CASE(slow_readings_shift_nothing),
	KUNIT_CASE(times_of_a_namespace),
	{}
};

static struct kunit_suite stamps_suite = {
	.name = "panthor_perf_stamps",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = stamps_cases,
};

kunit_test_suite(stamps_suite);
