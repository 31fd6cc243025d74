// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_sampler_test.h"

/*
 * Suspend and resume
 */

static void suspend_takes_a_last_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 4; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		count(f, 50);
		KUNIT_EXPECT_TRUE(test, delayed_work_pending(&f->sampler.work));
		panthor_perf_fixture_suspend(f);
		KUNIT_EXPECT_FALSE(test, delayed_work_pending(&f->sampler.work));
		KUNIT_EXPECT_EQ(test, f->fake.disable_edges, i);
		KUNIT_EXPECT_EQ(test, f->fake.samples, i);
		KUNIT_EXPECT_EQ(test, f->fake.unread, 0);
		KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
		KUNIT_EXPECT_GT(test, counted(f), 50 * i);
		panthor_perf_fixture_expect_exact(f);
		expect_incidents(f, &a, 0, SUSPEND);

		/* Nothing is due: an access to the GPU is a violation. */
		panthor_perf_fixture_run(f);
		panthor_perf_fixture_watchdog(f);
		panthor_perf_fixture_overdue(f);
		panthor_perf_fixture_resume(f, i & 1);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, i + 1);
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, f->fake.samples, i);
	}

	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	detach(f, &a);
}

/* The worker has not run since the resume, but the firmware counts. */
static void suspend_right_after_resume(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	a.client.events = 0;
	panthor_perf_fixture_resume(f, true);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	count(f, 66);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 66);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* Counts between an acknowledge that the worker has not read yet and the suspend are kept. */
static void suspend_after_an_unseen_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fake_fw_let_go(&f->fake);
	count(f, 77);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 77);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

static void suspend_waits_for_the_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	count(f, 78);
	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 78);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* An acknowledge without a sample ends the request as well. */
static void suspend_without_a_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	const u64 *cycles = &f->sampler.counts.clocks.totals[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL];
	struct sampler_user a;
	u64 before;

	attach_on(f, &a);
	sample(f, &a);
	before = *cycles;
	f->fake.no_sample = 1;
	panthor_perf_fake_fw_set_cycles(&f->fake, 0, NSEC_PER_SEC);
	usleep_range(5000, 6000);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.no_sample, 0);
	KUNIT_EXPECT_EQ(test, f->sampler.done, f->sampler.issued);
	KUNIT_EXPECT_GE(test, *cycles, before + 4 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, f->sampler.missing, 1);
	expect_incidents(f, &a, ERROR, FW_ERROR | SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* The sample comes right behind its acknowledge: it is read all the same. */
static void suspend_with_a_sample_behind_its_acknowledge(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.answers = FAKE_ACK_FIRST;
	count(f, 77);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 77);
	KUNIT_EXPECT_EQ(test, f->sampler.missing, 0);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

static void suspend_with_a_full_ring(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.burst = f->fake.slots;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, f->fake.unread, 0);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_OVERFLOW);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* Automatic samples that firmware writes during the disable are read as well. */
static void suspend_reads_parting_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.automatic = 3;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.autos, 3);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* Silent firmware delays a suspend by a bounded time, and lost counts are reported. */
static void suspend_of_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	/* Twice for the request, which may have found a full ring; once for the disable. */
	KUNIT_EXPECT_EQ(test, f->fake.waits, 2);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_TIMEOUT);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	/* The first sample after the resume completes the request. */
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	detach(f, &a);
}

static void suspend_with_a_spoilt_index(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fake_fw_spoil_insert(&f->fake, 500);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_ERROR);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* The same behind the last sample: automatic samples of the disable may be lost. */
static void suspend_with_an_index_spoilt_by_the_disable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.insert_of_disable = 500;
	panthor_perf_fixture_suspend(f);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_ERROR);
	f->fake.insert_of_disable = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void suspend_while_enabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	/* The index of the previous enable, from which nothing may be read. */
	panthor_perf_fake_fw_spoil_insert(&f->fake, 5);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->sampler.fw.extract, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

static void requested_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	detach(f, &a);
}

/* A client or a timer queues the worker. It has nothing to do, and must not queue itself again. */
static void worker_rests_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	panthor_perf_sampler_queue_work(&f->sampler);
	flush_delayed_work(&f->sampler.work);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&f->sampler.work));
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

static void client_goes_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void suspend_without_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
}

/* The last client detaches, and the GPU is suspended before firmware has acknowledged. */
static void suspend_while_disabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
}

/* Another set disables counters that firmware has not enabled yet: its ring is an older one. */
static void suspend_of_a_set_that_never_counted(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b, c;

	attach_on(f, &a);
	/* More samples than the ring has slots: as a fill level, this index is impossible. */
	for (u32 i = 0; i <= PANTHOR_PERF_FW_RING_SLOTS; i++)
		sample(f, &a);
	detach(f, &a);
	panthor_perf_fixture_run(f);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, attach_set(f, &b, 0), 0);
	panthor_perf_fixture_run(f);
	detach(f, &b);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_ENABLING);
	KUNIT_ASSERT_EQ(test, attach_set(f, &c, 1), 0);
	KUNIT_ASSERT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DISABLING);
	panthor_perf_fixture_suspend(f);
	expect_incidents(f, &c, 0, SUSPEND);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	detach(f, &c);
}

/* All was read, but who knows what is counted until the next boot disables the counters. */
static void suspend_without_answer_to_disable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	count(f, 9);
	f->fake.hold = GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 9);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_TIMEOUT);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* A firmware that kept its counters enabled over a suspend: what it counted there is missing. */
static void resume_of_enabled_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	a.client.flags = 0;
	a.client.events = 0;
	f->fake.hold = 0;
	f->fake.on = true;
	count(f, 5);
	panthor_perf_sampler_restart(&f->sampler, false);
	panthor_perf_fixture_run(f);
	expect_incidents(f, &a, ERROR, FW_ERROR);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	count(f, 6);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 6);
	detach(f, &a);
}

/* No request waits for a resume that has failed, and a later one starts the counters again. */
static void resume_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	count(f, 3);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	panthor_perf_sampler_restart(&f->sampler, true);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -EIO);
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), -EIO);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	count(f, 4);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 3 + 4);
	expect_incidents(f, &a, 0, SUSPEND);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/*
 * Reset
 */

static void reset_keeps_what_was_written(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	u32 doorbells;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	autos(f, 1);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	autos(f, 1);
	doorbells = f->fake.doorbells;
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
	KUNIT_EXPECT_EQ(test, pending_bits(f) & GLB_PERFCNT_SAMPLE, 0);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_GT(test, counted(f), 0);
	expect_incidents(f, &a, ERROR, RESET);

	panthor_perf_fixture_run(f);
	panthor_perf_fixture_watchdog(f);
	panthor_perf_fixture_post_reset(f, false);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	detach(f, &a);
}

static void reset_with_a_spoilt_index(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	panthor_perf_fake_fw_spoil_insert(&f->fake, 66);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_expect_exact(f);
	panthor_perf_fixture_post_reset(f, false);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void reset_with_a_request_on_its_way(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, ERROR, RESET);
	detach(f, &a);
}

/* Restarted firmware may fail once before the next reset, as before the restart. */
static void reset_forgives_failures(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < 4; i++) {
		request_unanswered(f, &a);
		panthor_perf_fixture_overdue(f);
		KUNIT_EXPECT_EQ(test, a.answers, 0);
		KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);

		/* Silent to the end: nothing but the boot forgives. */
		if (i & 1) {
			f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
			panthor_perf_fixture_suspend(f);
			f->fake.hold = 0;
			panthor_perf_fixture_resume(f, true);
		} else {
			panthor_perf_fixture_pre_reset(f);
			f->fake.hold = GLB_PERFCNT_SAMPLE;
			panthor_perf_fixture_post_reset(f, false);
			panthor_perf_fixture_run(f);
			panthor_perf_fixture_overdue(f);
			KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
		}
		panthor_perf_fixture_let_go(f);
		KUNIT_EXPECT_EQ(test, a.answers, 1);
		KUNIT_EXPECT_EQ(test, a.status, 0);
	}
	detach(f, &a);
}

static void reset_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -EIO);
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), -EIO);
	panthor_perf_fixture_run(f);

	/* Unplug follows, and all clients put their references. */
	f->fake.on = true;
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -EIO);
	f->fake.on = false;
	panthor_perf_fixture_unplug(f);
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/* The resume after this suspend resets the GPU: its firmware may hang, and gets no request. */
static void suspend_with_a_reset_pending(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	f->fake.hold |= GLB_PERFCNT_EN;
	f->fake.waits = 0;
	panthor_perf_sampler_suspend(&f->sampler, true);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
	KUNIT_EXPECT_EQ(test, pending_bits(f) & GLB_PERFCNT_SAMPLE, 0);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fake_fw_shut_down(&f->fake);

	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, ERROR, RESET | SUSPEND);
	detach(f, &a);
}

static void reset_without_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/*
 * Unplug
 */

static void unplug_ends_everything(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;
	u32 doorbells;

	attach_on(f, &a);
	request_unanswered(f, &a);
	f->fake.hold = 0;
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);

	doorbells = f->fake.doorbells;
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), -ENODEV);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -ENODEV);
	panthor_perf_fixture_run(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void unplug_of_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 1);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void unplug_during_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
}

/* The firmware hangs: it may still write to the ring. */
static void unplug_of_a_dead_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fixture_overdue(f);
	f->fake.hold |= GLB_PERFCNT_EN;
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	panthor_perf_fixture_unplug(f);
	detach(f, &a);
}

/* Whatever comes after unplug leaves the GPU alone. */
static void nothing_revives_after_unplug(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;
	u32 doorbells;

	attach_on(f, &a);
	panthor_perf_fixture_unplug(f);
	doorbells = f->fake.doorbells;
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), -ENODEV);
	detach(f, &a);
}

static struct kunit_case power_cases[] = {
	KUNIT_CASE(suspend_takes_a_last_sample),
	KUNIT_CASE(suspend_right_after_resume),
	KUNIT_CASE(suspend_after_an_unseen_answer),
	KUNIT_CASE(suspend_waits_for_the_answer),
	KUNIT_CASE(suspend_without_a_sample),
	KUNIT_CASE(suspend_with_a_sample_behind_its_acknowledge),
	KUNIT_CASE(suspend_with_a_full_ring),
	KUNIT_CASE(suspend_reads_parting_samples),
	KUNIT_CASE(suspend_of_a_silent_firmware),
	KUNIT_CASE(suspend_with_a_spoilt_index),
	KUNIT_CASE(suspend_with_an_index_spoilt_by_the_disable),
	KUNIT_CASE(suspend_while_enabling),
	KUNIT_CASE(requested_while_suspended),
	KUNIT_CASE(worker_rests_while_suspended),
	KUNIT_CASE(client_goes_while_suspended),
	KUNIT_CASE(suspend_without_clients),
	KUNIT_CASE(suspend_while_disabling),
	KUNIT_CASE(suspend_of_a_set_that_never_counted),
	KUNIT_CASE(suspend_without_answer_to_disable),
	KUNIT_CASE(resume_of_enabled_counters),
	KUNIT_CASE(reset_keeps_what_was_written),
	KUNIT_CASE(reset_with_a_spoilt_index),
	KUNIT_CASE(reset_with_a_request_on_its_way),
	KUNIT_CASE(reset_forgives_failures),
	KUNIT_CASE(resume_fails),
	KUNIT_CASE(reset_fails),
	KUNIT_CASE(suspend_with_a_reset_pending),
	KUNIT_CASE(reset_without_clients),
	KUNIT_CASE(unplug_ends_everything),
	KUNIT_CASE(unplug_of_a_silent_firmware),
	KUNIT_CASE(unplug_during_reset),
	KUNIT_CASE(unplug_of_a_dead_firmware),
	KUNIT_CASE(nothing_revives_after_unplug),
	{}
};

static struct kunit_suite power_suite = {
	.name = "panthor_perf_power",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = power_cases,
};

kunit_test_suite(power_suite);
