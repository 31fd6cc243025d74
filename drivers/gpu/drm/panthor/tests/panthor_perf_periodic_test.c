// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_periodic_test.h"

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

static void expect_statistics(struct kunit *test, struct profiler *p, u64 merged, u64 erroneous)
{
	KUNIT_EXPECT_EQ(test, p->session->merged, merged);
	KUNIT_EXPECT_EQ(test, p->session->erroneous, erroneous);
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
	expect_statistics(test, u, 7, 0);
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

static struct kunit_case periodic_cases[] = {
	KUNIT_CASE(samples_lie_on_the_grid),
	KUNIT_CASE(equal_periods_share_samples),
	KUNIT_CASE(full_ring_merges),
	KUNIT_CASE(period_is_nobodys_to_cut),
	KUNIT_CASE(suspend_merges),
	KUNIT_CASE(reset_merges),
	{}
};

static struct kunit_suite periodic_suite = {
	.name = "panthor_perf_periodic",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = periodic_cases,
};

kunit_test_suite(periodic_suite);
