// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

#define SLOTS		8

/* A session whose reader is woken up for several samples. */
static struct profiler *sleeper_create(struct kunit *test, u32 samples)
{
	struct profiler *p = profiler_create(test, all_masks, SLOTS, true, 0);

	p->session->ring.wakeup_samples = samples;
	return p;
}

/* Take samples one by one. Bit n of the result: there was a count behind sample n. */
static u32 counts_of(struct kunit *test, struct profiler *p, u32 samples)
{
	struct panthor_perf_fixture *f = test->priv;
	u32 counts = 0;

	for (u32 i = 0; i < samples; i++) {
		u64 count;

		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, p, i);
		count = signals(p);
		KUNIT_EXPECT_LE(test, count, 1);
		counts |= count << i;
	}

	return counts;
}

/* Read so many samples more, and give their slots back. */
static void consume(struct profiler *p, u32 samples)
{
	p->control->extract_idx += samples;
}

static void one_count_per_number(struct kunit *test)
{
	struct profiler *u, *v = profiler_create(test, all_masks, 64, true, 0);

	start(test, v);
	for (u32 number = 1; number < SLOTS; number++) {
		u = sleeper_create(test, number);
		start(test, u);
		for (u32 round = 0; round < 3; round++) {
			KUNIT_EXPECT_EQ(test, counts_of(test, u, number), BIT(number - 1));
			consume(u, number);
		}
		/* A session without WAKEUP is signalled for each sample. */
		KUNIT_EXPECT_EQ(test, signals(v), 0);
		sample(test, v, 0);
		KUNIT_EXPECT_EQ(test, signals(v), 1);
		profiler_destroy(test, u);
	}
	profiler_destroy(test, v);
}

/* The same samples are signalled once, and new ones when there are as many again. */
static void reader_that_does_not_read(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 2);

	start(test, u);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 7), BIT(1) | BIT(3) | BIT(5));
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 0), -EBUSY);
	profiler_destroy(test, u);
}

/* A reader that leaves samples in the ring is signalled again: the ring may become full soon. */
static void reader_that_reads_a_part(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 7);

	start(test, u);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 7), BIT(6));
	consume(u, 3);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 3), BIT(2));
	consume(u, 1);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 1), BIT(0));
	profiler_destroy(test, u);
}

static void reader_that_leaves_more_than_it_wants(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 2);

	start(test, u);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 6), BIT(1) | BIT(3) | BIT(5));
	consume(u, 1);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), BIT(0));
	profiler_destroy(test, u);
}

/* A reader that polls the index needs no signals. */
static void reader_that_does_not_wait(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 3);

	start(test, u);
	for (u32 i = 0; i < 20; i++) {
		KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), 0);
		consume(u, 2);
	}
	profiler_destroy(test, u);
}

static void stop_always_reports(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 5);

	for (u32 run = 0; run < 6; run++) {
		start(test, u);
		KUNIT_EXPECT_EQ(test, counts_of(test, u, run), run == 5 ? BIT(4) : 0);
		stop(test, u, 1);
		KUNIT_EXPECT_EQ(test, signals(u), 1);

		/* That was for all of them. */
		KUNIT_EXPECT_EQ(test, drain(f, u), run + 1);
		expect_conserved(test, u);
	}
	profiler_destroy(test, u);
}

/* With a SAMPLE pending, the final sample is signalled, once. */
static void stop_behind_sample_signals_once(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 5);

	start(test, u);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	panthor_perf_fixture_run(test->priv);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	profiler_destroy(test, u);
}

static void stop_of_a_dead_firmware_reports(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 5);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	profiler_destroy(test, u);
}

static void death_always_reports(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 5);
	struct profiler *v = sleeper_create(test, 5);

	start(test, u);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), 0);
	panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, true);
	kill_profiler(test, v, true);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	KUNIT_EXPECT_EQ(test, signals(v), 1);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* TEARDOWN does not signal the reader. */
static void teardown_signals_nothing(struct kunit *test)
{
	struct profiler *u = sleeper_create(test, 5);

	start(test, u);
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), 0);
	kill_profiler(test, u, false);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	profiler_destroy(test, u);
}

/* An impossible index does not make the kernel signal more or less often. */
static void hostile_index(struct kunit *test)
{
	static const u64 indices[] = { 1000, U64_MAX, 100, (u64)S64_MAX };
	struct profiler *u = sleeper_create(test, 2);

	start(test, u);
	for (u32 i = 0; i < 3; i++) {
		u->control->extract_idx = indices[i];
		KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), BIT(1));
		KUNIT_EXPECT_EQ(test, header_at(u, 2 * i)->events, BAD_EXTRACT);
	}
	u->control->extract_idx = 6;
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), BIT(1));
	/* Back is as wrong as far ahead. */
	u->control->extract_idx = 1;
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), BIT(1));
	u->control->extract_idx = indices[3];
	KUNIT_EXPECT_EQ(test, counts_of(test, u, 2), BIT(1));
	profiler_destroy(test, u);
}

static void periods_are_signalled_together(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = sleeper_create(test, 4);
	struct profiler *v = profiler_create(test, all_masks, 64, true, 0);
	u64 signalled = 0;

	u->session->config.period_ns = 100 * NSEC_PER_MSEC;
	v->session->config.period_ns = 100 * NSEC_PER_MSEC;
	start(test, u);
	start(test, v);
	for (u32 i = 0; i < 60; i++) {
		u64 count;

		/* Not more than 32 bits hold between two samples. */
		if (!(i % 3))
			panthor_perf_fake_fw_count_all(&f->fake, i);
		msleep(30);
		count = signals(u);
		signalled += count;
		if (count) {
			KUNIT_EXPECT_EQ(test, u->control->insert_idx % 4, 0);
			KUNIT_EXPECT_EQ(test, drain(f, u), 4);
		}
	}
	KUNIT_EXPECT_EQ(test, signalled, u->control->insert_idx / 4);
	KUNIT_EXPECT_GE(test, signalled, 4);
	KUNIT_EXPECT_EQ(test, v->control->insert_idx, u->control->insert_idx);
	KUNIT_EXPECT_EQ(test, signals(v), v->control->insert_idx);
	stop(test, u, 0);
	stop(test, v, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	KUNIT_EXPECT_EQ(test, signals(v), 1);
	drain(f, u);
	drain(f, v);
	expect_conserved(test, u);
	expect_conserved(test, v);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* There is no eventfd to signal. */
static void without_an_eventfd(struct kunit *test)
{
	struct profiler *u = profiler_of_all(test);

	u->session->ring.wakeup_samples = 2;
	start(test, u);
	sample(test, u, 1);
	sample(test, u, 2);
	stop(test, u, 3);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3);
	profiler_destroy(test, u);
}

static struct kunit_case wakeup_cases[] = {
	KUNIT_CASE(one_count_per_number),
	KUNIT_CASE(reader_that_does_not_read),
	KUNIT_CASE(reader_that_reads_a_part),
	KUNIT_CASE(reader_that_leaves_more_than_it_wants),
	KUNIT_CASE(reader_that_does_not_wait),
	KUNIT_CASE(stop_always_reports),
	KUNIT_CASE(stop_behind_sample_signals_once),
	KUNIT_CASE(stop_of_a_dead_firmware_reports),
	KUNIT_CASE(death_always_reports),
	KUNIT_CASE(teardown_signals_nothing),
	KUNIT_CASE(hostile_index),
	KUNIT_CASE(periods_are_signalled_together),
	KUNIT_CASE(without_an_eventfd),
	{}
};

static struct kunit_suite wakeup_suite = {
	.name = "panthor_perf_wakeup",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = wakeup_cases,
};

kunit_test_suite(wakeup_suite);
