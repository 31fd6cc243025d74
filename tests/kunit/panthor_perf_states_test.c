// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/* A core that goes off behind an automatic sample, and comes back. */
static void cores_go_off_and_on(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 1);
	sample(test, u, 0);
	sample(test, u, 1);
	panthor_perf_fake_fw_power_on(&f->fake, SHADER, 1);
	sample(test, u, 2);

	KUNIT_EXPECT_EQ(test, states_at(f, u, 0, SHADER, 1),
			IS_ON | IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 1, SHADER, 1), IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 2, SHADER, 1), IS_ON | IS_THERE | IS_NORMAL);
	for (u32 i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, states_at(f, u, i, SHADER, 0), IS_ON | IS_THERE | IS_NORMAL);
		KUNIT_EXPECT_EQ(test, states_at(f, u, i, CSHW, 0), IS_ON | IS_THERE | IS_NORMAL);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, 0);
	}
	profiler_destroy(test, u);
}

/* A core is written in a requested sample, and not in the very next sample. */
static void core_without_automatic_sample_is_reported(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	sample(test, u, 0);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 20, 500);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 2);
	sample(test, u, 1);
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);
	/* That counts were lost is likely and not known: it is an event, and no error. */
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, CORE_OFF_LOST);
	/* Once: then it is known to be off. */
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	profiler_destroy(test, u);
}

/* The automatic sample came after the requested one, before the worker has read either. */
static void core_with_automatic_sample_is_not_reported(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_let_go(&f->fake);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 2);
	panthor_perf_fixture_run(f);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	profiler_destroy(test, u);
}

/* A stamp that lies before the request or after now is not believed. */
static void impossible_stamps_are_replaced(struct kunit *test)
{
	static const s64 errors[] = { 62500000, -62500000, S64_MAX, S64_MIN, 0 };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	for (u32 i = 0; i < ARRAY_SIZE(errors); i++) {
		const u64 before = ktime_get_raw_ns();

		f->fake.timestamp_error = errors[i];
		sample(test, u, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, errors[i] ? HOST_TIME : 0);
		KUNIT_EXPECT_GE(test, header_at(u, i)->timestamp_end_ns, before);
		KUNIT_EXPECT_LE(test, header_at(u, i)->timestamp_end_ns, ktime_get_raw_ns());
	}
	profiler_destroy(test, u);
}

static void suspended_blocks_were_off(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	sample(test, u, 0);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 0, FW, 0), IS_ON | IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 0, SHADER, 3),
			IS_ON | IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 1, FW, 0), IS_ON | IS_THERE | IS_NORMAL);
	profiler_destroy(test, u);
}

/* The request is acknowledged without a sample: the counts are in the next one. */
static void acknowledge_without_a_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.no_sample = 1;
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, f->fake.no_sample, 0);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_ERROR | HOST_TIME);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, 0);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 0, SHADER, 0), IS_THERE);
	KUNIT_EXPECT_EQ(test, f->sampler.missing, 1);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, f->sampler.missing, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* Without a sample, the limits of a session are not certain. */
static void start_and_stop_without_a_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test), *other = profiler_of_all(test);

	start(test, other);
	f->fake.no_sample = 1;
	start(test, u);
	KUNIT_EXPECT_EQ(test, f->fake.no_sample, 0);
	sample(test, u, 0);
	sample(test, u, 1);
	f->fake.no_sample = 1;
	stop(test, u, 2);
	KUNIT_EXPECT_EQ(test, f->fake.no_sample, 0);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 3);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, ERROR | FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, FW_ERROR | HOST_TIME);

	/* The sample over all of this time is complete. It cannot know that. */
	stop(test, other, 3);
	KUNIT_EXPECT_EQ(test, header_at(other, 0)->flags, ERROR | FINAL);
	KUNIT_EXPECT_EQ(test, header_at(other, 0)->events, FW_ERROR);
	drain(f, other);
	expect_conserved(test, other);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

struct set_case {
	const char *name;
	u32 set;
	bool tiler;
	bool memsys;
};

static const struct set_case set_cases[] = {
	{ "primary", 0, true, true },
	{ "secondary", 1, false, true },
	{ "tertiary", 2, false, false },
};

KUNIT_ARRAY_PARAM_DESC(set, set_cases, name);

static void set_defines_blocks(struct kunit *test)
{
	const u32 good = IS_ON | IS_THERE | IS_NORMAL;
	const struct set_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, false, c->set);
	const u8 types[] = { FW, CSHW, TILER, MEMSYS, SHADER };

	start(test, u);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++)
		panthor_perf_fake_fw_count(&f->fake, types[i], 0, 40, 10 + i);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->counter_set, c->set);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		bool has = types[i] == TILER ? c->tiler : types[i] == MEMSYS ? c->memsys : true;

		KUNIT_EXPECT_EQ_MSG(test, states_at(f, u, 0, types[i], 0),
				    has ? good : IS_WITHHELD, "type %u", types[i]);
		KUNIT_EXPECT_EQ_MSG(test, value_at(f, u, 0, types[i], 0, 40), has ? 10 + i : 0,
				    "type %u", types[i]);
	}
	profiler_destroy(test, u);
}

#define NORMAL_ON	(IS_THERE | IS_ON | IS_NORMAL)

/*
 * Which sample the one in question was
 */

struct sequence {
	const char *name;

	/* Automatic samples of the firmware before it serves the request, and after. */
	u32 before, after;
	bool lost;
};

static const struct sequence sequences[] = {
	{ "alone", 0, 0, true },
	{ "one before", 1, 0, false },
	{ "one after", 0, 1, false },
	{ "both", 1, 1, false },
	{ "many before", 5, 0, false },
	{ "many after", 0, 5, false },
};

KUNIT_ARRAY_PARAM_DESC(sequence, sequences, name);

/*
 * A sample is known to be the requested one only if it came alone with its acknowledge. Otherwise
 * the last sample may be the automatic one of the core before power-off, and nothing was lost.
 */
static void loss_is_reported_when_it_is_certain(struct kunit *test)
{
	const struct sequence *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	for (u32 i = 0; i < c->before; i++)
		panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fake_fw_let_go(&f->fake);
	for (u32 i = 0; i < c->after; i++)
		panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);

	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 20, 500);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 2);
	sample(test, u, 1);
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, c->lost ? CORE_OFF_LOST : 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, 0);
	profiler_destroy(test, u);
}

/* The automatic sample was read before, on its own: the requested one still came alone. */
static void sample_read_before_does_not_count(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	sample(test, u, 0);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 2);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, CORE_OFF_LOST);
	profiler_destroy(test, u);
}

/*
 * Cores that clients may not use
 */

struct withheld {
	const char *name;
	u64 withheld;

	/* Those of the four cores that are, as bits of their rank. */
	u32 ranks;
};

static const struct withheld withheld_cases[] = {
	{ "none", 0, 0x0 },
	{ "the first", 0x1, 0x1 },
	{ "the second, behind a hole", 0x4, 0x2 },
	{ "the last", 0x40000, 0x8 },
	{ "two", 0x10004, 0x6 },
	{ "all", 0x50005, 0xf },
};

KUNIT_ARRAY_PARAM_DESC(withheld, withheld_cases, name);

static void withheld_cores_are_reported(struct kunit *test)
{
	const struct withheld *c = test->param_value;
	struct panthor_perf_fake_shape shape = panthor_perf_rk3588;
	struct panthor_perf_fixture *f;
	struct profiler *u;

	panthor_perf_fixture_destroy(test->priv);
	shape.shader_withheld = c->withheld;
	f = panthor_perf_fixture_create(test, &shape);
	test->priv = f;

	u = profiler_of_all(test);
	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(test, u, 0);
	for (u32 rank = 0; rank < 4; rank++)
		KUNIT_EXPECT_EQ_MSG(test, states_at(f, u, 0, SHADER, rank),
				    (c->ranks & BIT(rank) ? IS_WITHHELD : IS_THERE) | IS_ON |
				    IS_NORMAL, "rank %u", rank);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 0, MEMSYS, 0), NORMAL_ON);

	/* They have their blocks, at the same place, and count all the same. */
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static struct kunit_case states_cases[] = {
	KUNIT_CASE(cores_go_off_and_on),
	KUNIT_CASE(core_without_automatic_sample_is_reported),
	KUNIT_CASE(core_with_automatic_sample_is_not_reported),
	KUNIT_CASE(impossible_stamps_are_replaced),
	KUNIT_CASE(suspended_blocks_were_off),
	KUNIT_CASE(acknowledge_without_a_sample),
	KUNIT_CASE(start_and_stop_without_a_sample),
	KUNIT_CASE_PARAM(set_defines_blocks, set_gen_params),
	KUNIT_CASE_PARAM(loss_is_reported_when_it_is_certain, sequence_gen_params),
	KUNIT_CASE(sample_read_before_does_not_count),
	KUNIT_CASE_PARAM(withheld_cores_are_reported, withheld_gen_params),
	{}
};

static struct kunit_suite states_suite = {
	.name = "panthor_perf_states",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = states_cases,
};

kunit_test_suite(states_suite);
