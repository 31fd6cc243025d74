// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "panthor_perf_sampler_test.h"

/*
 * Answers
 */

static void waits_for_a_late_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	count(f, 12);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 12);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* Automatic samples arrive while the answer is late: they are no answer. */
static void automatic_samples_are_no_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	count(f, 5);
	autos(f, 3);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, counted(f), 5);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	count(f, 6);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, counted(f), 11);
	detach(f, &a);
}

/* The answer comes while the worker reads what was there before: it is read before it counts. */
static void answer_comes_while_reading(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	count(f, 5);
	autos(f, 1);
	count(f, 6);
	f->fake.answer_in_sync = true;
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.counted, 11);
	detach(f, &a);
}

static void finds_an_answer_without_interrupt(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	panthor_perf_fake_fw_let_go(&f->fake);
	msleep(250);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static void restarts_then_gives_up(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;
	u32 doorbells;

	attach_on(f, &a);
	request_unanswered(f, &a);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	expect_incidents(f, &a, ERROR, FW_TIMEOUT);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);

	/* The GPU may be suspended, which might help. The firmware is left alone. */
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);
	doorbells = f->fake.doorbells;
	KUNIT_EXPECT_EQ(test, request_sample(f, &a), -EIO);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -EIO);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);

	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	count(f, 8);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 8);
	detach(f, &a);
}

static void die(struct panthor_perf_fixture *f, struct sampler_user *a)
{
	request_unanswered(f, a);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(f->test, a->status, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(f->test, request_sample(f, a), -EIO);
	f->fake.hold = 0;
}

/* An idle GPU is suspended when its counters are dead. Its resume starts them again. */
static void boot(struct panthor_perf_fixture *f, bool cold)
{
	KUNIT_EXPECT_EQ(f->test, f->fake.power, 1);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(f->test, f->fake.power, 1);
	panthor_perf_fixture_resume(f, cold);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(f->test, f->fake.power, 2);
}

static void boots_start_again(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < 6; i++) {
		KUNIT_EXPECT_TRUE(test, f->fake.enabled);
		die(f, &a);
		boot(f, i % 2);
	}
	count(f, 6);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 6);
	detach(f, &a);
}

/* A dead GPU may be busy until it is suspended: the sample after the resume lacks these counts. */
static void counts_between_death_and_suspend(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	die(f, &a);
	/* The sample of the failed request has them. */
	expect_incidents(f, &a, ERROR, FW_TIMEOUT);
	a.client.flags = 0;
	a.client.events = 0;
	boot(f, true);
	sample(f, &a);
	expect_incidents(f, &a, ERROR, FW_TIMEOUT | SUSPEND);
	detach(f, &a);
}

static void forgives_failures_apart(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < 4; i++) {
		request_unanswered(f, &a);
		panthor_perf_fixture_overdue(f);
		KUNIT_EXPECT_EQ(test, a.answers, 0);
		panthor_perf_fixture_let_go(f);
		KUNIT_EXPECT_EQ(test, a.answers, 1);
		KUNIT_EXPECT_EQ(test, a.status, 0);
	}

	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 5);
	expect_incidents(f, &a, ERROR, FW_TIMEOUT);
	detach(f, &a);
}

static void gives_up_without_answer_to_enable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void waits_for_a_late_enable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* The GPU stays powered until firmware has acknowledged the disable, or has timed out. */
static void keeps_power_until_disabled(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
}

static void gives_up_without_answer_to_disable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	f->fake.hold = 0;
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
}

/* One sample completes all requests that were queued before it was requested. */
static void one_sample_serves_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b, c;

	attach_on(f, &a);
	attach_on(f, &b);
	attach_on(f, &c);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	KUNIT_ASSERT_EQ(test, request_sample(f, &b), 0);
	KUNIT_ASSERT_EQ(test, request_sample(f, &c), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers + b.answers + c.answers, 3);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	detach(f, &a);
	detach(f, &b);
	detach(f, &c);
}

/* A sample that was requested earlier does not complete a request. */
static void older_sample_does_not_serve(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	request_unanswered(f, &a);
	KUNIT_ASSERT_EQ(test, request_sample(f, &b), 0);
	panthor_perf_fixture_run(f);

	/* Firmware takes the sample for A. Counts after it are in the sample for B only. */
	panthor_perf_fake_fw_let_go(&f->fake);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	count(f, 40);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, b.answers, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 0);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, b.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 2);
	KUNIT_EXPECT_EQ(test, counted(f), 40);
	detach(f, &a);
	detach(f, &b);
}

static void cancelled_request_is_not_answered(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	mutex_lock(&f->sampler.lock);
	KUNIT_EXPECT_FALSE(test, list_empty(&a.request.node));
	list_del_init(&a.request.node);
	mutex_unlock(&f->sampler.lock);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	sample(f, &a);
	KUNIT_EXPECT_TRUE(test, list_empty(&a.request.node));
	detach(f, &a);
}

/*
 * The watchdog
 */

static void watchdog_takes_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 0);
	count(f, 4);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, counted(f), 4);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* Without requests and interrupts, there is a sample twice a second at 1 GHz. */
static void watchdog_keeps_time(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 8; i++) {
		count(f, 0x80000000);
		msleep(500);
	}
	msleep(300);
	KUNIT_EXPECT_GE(test, f->fake.samples, 7);
	KUNIT_EXPECT_LE(test, f->fake.samples, 9);
	KUNIT_EXPECT_EQ(test, counted(f), 0x400000000);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static void watchdog_needs_a_client(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;
	u32 doorbells;

	attach_on(f, &a);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	doorbells = f->fake.doorbells;
	msleep(3000);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 0);
}

struct late_call {
	struct panthor_perf_request request;
	int ret;
};

static void call_again(struct panthor_perf_request *req, int status)
{
	container_of(req, struct late_call, request)->ret =
		panthor_perf_sampler_check_locked(req->sampler);
}

/*
 * A request that unplug finds due is completed before the counters are disabled. A call that comes
 * at that moment is let in no more: its request might fail as one of dead counters does.
 */
static void call_during_unplug(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_sampler *sampler = &f->sampler;
	struct late_call late = { .ret = NO_STATUS };
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_request_init(&late.request, call_again);
	late.request.sampler = sampler;
	mutex_lock(&sampler->lock);
	late.request.target = sampler->done;
	list_add(&late.request.node, &sampler->requests);
	mutex_unlock(&sampler->lock);

	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, late.ret, -ENODEV);
	detach(f, &a);
}

struct other_set {
	struct panthor_perf_request request;
	struct panthor_perf_client other;
	int ret;
};

static void attach_other(struct panthor_perf_request *req, int status)
{
	struct other_set *late = container_of(req, struct other_set, request);

	panthor_perf_sampler_detach_locked(req->sampler, req->client);
	late->ret = panthor_perf_sampler_attach_locked(req->sampler, &late->other, 1);
}

/*
 * The last client of a set leaves, and one of another set comes, while a suspend takes the last
 * sample: what it counts is still the first set.
 */
static void other_set_during_suspend(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_sampler *sampler = &f->sampler;
	struct other_set late = { .ret = NO_STATUS };
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_client_init(&late.other);
	late.other.allows_suspend = true;
	panthor_perf_request_init(&late.request, attach_other);
	late.request.client = &a.client;
	late.request.allows_suspend = true;
	late.request.sampler = sampler;
	mutex_lock(&sampler->lock);
	late.request.target = sampler->issued + 1;
	list_add(&late.request.node, &sampler->requests);
	mutex_unlock(&sampler->lock);

	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, late.ret, -EBUSY);
	mutex_lock(&sampler->lock);
	KUNIT_EXPECT_EQ(test, panthor_perf_sampler_attach_locked(sampler, &late.other, 1), 0);
	mutex_unlock(&sampler->lock);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	mutex_lock(&sampler->lock);
	panthor_perf_sampler_detach_locked(sampler, &late.other);
	mutex_unlock(&sampler->lock);
	panthor_perf_hw_power_put(&sampler->fw);
}

struct rate_case {
	const char *name;
	unsigned long rate;
	u32 at_most_ms;
};

/* Four events a cycle reach 2^32 in 2147, 1500, 1499, 1074 and 537 ms. */
static const struct rate_case rate_cases[] = {
	{ "500 MHz", 500000000, 1000 },
	{ "716 MHz", 715827882, 1000 },
	{ "1 Hz more", 715827883, 500 },
	{ "1 GHz", 1000000000, 500 },
	{ "2 GHz", 2000000000, 500 },
	{ "not known", 0, 500 },
};

KUNIT_ARRAY_PARAM_DESC(rate, rate_cases, name);

static void watchdog_is_fast_enough(struct kunit *test)
{
	const struct rate_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_sampler *sampler;

	sampler = kunit_kzalloc(test, sizeof(*sampler), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sampler);
	panthor_perf_fw_init(&sampler->fw, &f->fake.iface, f->layout);
	KUNIT_ASSERT_EQ(test, panthor_perf_sampler_init(sampler, c->rate), 0);
	KUNIT_EXPECT_EQ(test, jiffies_to_msecs(sampler->watchdog_interval), c->at_most_ms);
	panthor_perf_sampler_unplug(sampler);
	KUNIT_EXPECT_EQ(test, sampler->state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_sampler_fini(sampler);
}

/* No sample was read for so long that a counter may have saturated, 1074 ms at 1 GHz. */
static void reports_counters_read_too_late(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	cancel_delayed_work_sync(&f->sampler.work);
	msleep(1020);
	sample(f, &a);
	expect_incidents(f, &a, 0, 0);

	cancel_delayed_work_sync(&f->sampler.work);
	msleep(1120);
	sample(f, &a);
	expect_incidents(f, &a, OVERFLOW, 0);
	detach(f, &a);
}

static struct kunit_case answers_cases[] = {
	KUNIT_CASE(waits_for_a_late_answer),
	KUNIT_CASE(automatic_samples_are_no_answer),
	KUNIT_CASE(answer_comes_while_reading),
	KUNIT_CASE(finds_an_answer_without_interrupt),
	KUNIT_CASE(restarts_then_gives_up),
	KUNIT_CASE(boots_start_again),
	KUNIT_CASE(counts_between_death_and_suspend),
	KUNIT_CASE(forgives_failures_apart),
	KUNIT_CASE(gives_up_without_answer_to_enable),
	KUNIT_CASE(waits_for_a_late_enable),
	KUNIT_CASE(keeps_power_until_disabled),
	KUNIT_CASE(gives_up_without_answer_to_disable),
	KUNIT_CASE(one_sample_serves_all),
	KUNIT_CASE(older_sample_does_not_serve),
	KUNIT_CASE(cancelled_request_is_not_answered),
	KUNIT_CASE(watchdog_takes_samples),
	KUNIT_CASE(watchdog_keeps_time),
	KUNIT_CASE(watchdog_needs_a_client),
	KUNIT_CASE_PARAM(watchdog_is_fast_enough, rate_gen_params),
	KUNIT_CASE(reports_counters_read_too_late),
	KUNIT_CASE(call_during_unplug),
	KUNIT_CASE(other_set_during_suspend),
	{}
};

static struct kunit_suite answers_suite = {
	.name = "panthor_perf_answers",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = answers_cases,
};

kunit_test_suite(answers_suite);
