// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_sampler_test.h"

static void adds_what_was_written(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	/* The header's group, counters 4 to 7, 8 to 11, and 60 to 63. */
	f->fake.enable_word = 0x8007;
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);

	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, SHADER, 0, 11), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 0, 12), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 0, 59), 0);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, SHADER, 0, 60), 0);
	detach(f, &a);
}

/* Each type of block has another enable word. */
static void adds_groups_of_each_type(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_fw_global_input_iface *input = &f->fake.input;
	const struct {
		u8 type;
		u32 *word;
		u32 en;
	} words[] = {
		{ FW, &input->perfcnt_fw_enable, 0x8003 },
		{ CSHW, &input->perfcnt_csf_enable, 0x4007 },
		{ TILER, &input->perfcnt_tiler_enable, 0x000e },
		{ MEMSYS, &input->perfcnt_mmu_l2_enable, 0xaaaa },
		{ SHADER, &input->perfcnt_shader_enable, 0x5557 },
	};
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		*words[i].word = words[i].en;
		f->fake.config.enables[words[i].type] = words[i].en;
	}
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
		panthor_perf_fixture_expect_exact(f);
	}
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		for (u32 counter = 4; counter < 64; counter++)
			KUNIT_EXPECT_EQ_MSG(test, !panthor_perf_fixture_total(f, words[i].type, 0,
									      counter),
					    !(words[i].en >> counter / 4 & 1), "type %u, %u",
					    words[i].type, counter);
	}
	detach(f, &a);
}

/* Without the first group of counters a block was not written, whatever else the word says. */
static void ignores_blocks_without_first_group(struct kunit *test)
{
	static const u32 words[] = { 0x0001, 0xfffd, 0x8000, 0xfffffffc };
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fake_block *block = panthor_perf_fake_fw_block(&f->fake, TILER, 0);
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		panthor_perf_fake_fw_count(&f->fake, TILER, 0, 8, 99);
		f->fake.config.enables[TILER] = words[i];
		f->fake.input.perfcnt_tiler_enable = words[i];
		sample(f, &a);
		KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, TILER, 0, 8), 0);
	}

	/* The rest of these samples was taken. */
	KUNIT_EXPECT_GT(test, block->reported[8], 0);
	count(f, 3);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 3);
	detach(f, &a);
}

/* The ring becomes full between the worker's last check and its request. */
static void recovers_from_overflow(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		f->fake.burst = f->fake.slots;
		sample(f, &a);
		KUNIT_EXPECT_EQ(test, f->fake.overflows, i);
		expect_incidents(f, &a, ERROR, FW_OVERFLOW);
		panthor_perf_fixture_expect_exact(f);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, FW, 0, 4) -
			      panthor_perf_fake_fw_block(&f->fake, FW, 0)->reported[4], 0);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 3);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	detach(f, &a);
}

/* The ring becomes full while the worker reads it, after its check of the events. */
static void overflow_while_reading(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	autos(f, f->fake.slots / 2);
	KUNIT_EXPECT_EQ(test, pending_bits(f), GLB_PERFCNT_THRESHOLD);
	f->fake.burst = f->fake.slots;
	f->fake.answer_in_sync = true;
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	expect_incidents(f, &a, ERROR, FW_OVERFLOW);

	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* A reset comes before the worker. */
static void overflow_before_a_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	autos(f, f->fake.slots + 1);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	expect_incidents(f, &a, ERROR, RESET | FW_OVERFLOW);
	detach(f, &a);
}

/* Firmware that drops a request which had no room in the ring. */
static void restarts_after_lost_request(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.deaf_after_overflow = true;
	f->fake.burst = f->fake.slots;
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	expect_incidents(f, &a, ERROR, FW_OVERFLOW | FW_TIMEOUT);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, CSHW, 0, 4), 64);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* A false index that could be true: nothing false is added, and the firmware gets a new start. */
static void survives_a_plausible_insert(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;
	u32 doorbells;

	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
	}

	panthor_perf_fake_fw_spoil_insert(&f->fake, 8);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_expect_exact(f);
	/* All cores have vanished, it seems. */
	expect_incidents(f, &a, 0, CORE_OFF_LOST);

	/* Firmware finds its ring full again and again. The worker does not loop for that. */
	doorbells = f->fake.doorbells;
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_LE(test, f->fake.doorbells - doorbells, 4);
	panthor_perf_fixture_overdue(f);
	KUNIT_ASSERT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, a.client.flags, ERROR);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
	/* A driver that trusts the impossible index goes beyond the true one. */
	f->fake.violations = 0;
}

/* The index becomes impossible while a request is pending: the restart completes it. */
static void distrusts_insert_of_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	request_unanswered(f, &a);
	f->fake.hold = 0;
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	expect_incidents(f, &a, ERROR, FW_ERROR);
	detach(f, &a);
}

static void client_goes_and_comes_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;
	int ret;

	attach_on(f, &a);
	/* Within one turn of the worker. */
	mutex_lock(&f->sampler.lock);
	panthor_perf_sampler_detach_locked(&f->sampler, &a.client);
	a.client.flags = ERROR;
	a.client.events = RESET;
	ret = panthor_perf_sampler_attach_locked(&f->sampler, &a.client, 0);
	mutex_unlock(&f->sampler.lock);
	KUNIT_EXPECT_EQ(test, ret, 0);

	/* What happened before is none of its. */
	expect_incidents(f, &a, 0, 0);
	panthor_perf_fixture_run(f);
	count(f, 9);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 9);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

/* A client that waits for its turn and goes leaves no timer behind. */
static void timer_ends_with_its_request(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	f->sampler.request_interval_ns = 3600ull * NSEC_PER_SEC;
	sample(f, &a);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&f->sampler.timer));
	KUNIT_ASSERT_EQ(test, request_sample(f, &b), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_TRUE(test, hrtimer_active(&f->sampler.timer));
	detach(f, &b);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&f->sampler.timer));
	detach(f, &a);
}

static void client_goes_while_enabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	panthor_perf_fixture_run(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/* Clients that request samples one after another share the firmware's requests. */
static void one_request_per_interval(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	f->sampler.request_interval_ns = 500 * NSEC_PER_MSEC;
	panthor_perf_fixture_sleep_to_phase(500 * NSEC_PER_MSEC, 40);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);

	count(f, 3);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	count(f, 4);
	KUNIT_ASSERT_EQ(test, request_sample(f, &b), 0);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	/* Only its timer queues the worker then. */
	msleep(700);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 2);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, b.answers, 1);
	KUNIT_EXPECT_EQ(test, a.counted, 7);
	detach(f, &a);
	detach(f, &b);
}

/* A client attaches while the disable for the last client is not acknowledged yet. */
static void client_comes_while_disabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, request_sample(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	detach(f, &a);
}

static struct kunit_case sampler_more_cases[] = {
	KUNIT_CASE(adds_what_was_written),
	KUNIT_CASE(adds_groups_of_each_type),
	KUNIT_CASE(ignores_blocks_without_first_group),
	KUNIT_CASE(recovers_from_overflow),
	KUNIT_CASE(overflow_while_reading),
	KUNIT_CASE(overflow_before_a_reset),
	KUNIT_CASE(restarts_after_lost_request),
	KUNIT_CASE(survives_a_plausible_insert),
	KUNIT_CASE(distrusts_insert_of_answer),
	KUNIT_CASE(client_goes_and_comes_back),
	KUNIT_CASE(timer_ends_with_its_request),
	KUNIT_CASE(client_goes_while_enabling),
	KUNIT_CASE(one_request_per_interval),
	KUNIT_CASE(client_comes_while_disabling),
	{}
};

static struct kunit_suite sampler_more_suite = {
	.name = "panthor_perf_sampler_more",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = sampler_more_cases,
};

kunit_test_suite(sampler_more_suite);
