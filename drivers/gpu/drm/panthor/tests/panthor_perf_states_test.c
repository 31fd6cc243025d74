// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_session_test.h"

#define IS_ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define IS_OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define IS_THERE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define IS_WITHHELD	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE
#define IS_NORMAL	DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL
#define IS_PROTECTED	DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED

static u32 states_at(struct panthor_perf_fixture *f, struct profiler *p, u64 index, u8 type,
		     u32 rank)
{
	const struct drm_panthor_perf_block_header *block =
		p->ring + (index % p->slots) * SAMPLE_SIZE + HEADER_SIZE +
		panthor_perf_fixture_position(f, type, rank) * SAMPLE_BLOCK_SIZE;

	return block->states;
}

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

/* Written in a sample that was asked for, and not in the very next one. */
static void core_without_automatic_sample_is_told(struct kunit *test)
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
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, CORE_OFF_LOST);
	/* Once: then it is known to be off. */
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	profiler_destroy(test, u);
}

/* The automatic sample came behind the one asked for, before anybody looked. */
static void core_with_automatic_sample_is_not_told(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, panthor_perf_session_sample(u->session, 0), 0);
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
		KUNIT_EXPECT_EQ(test, header_at(u, i)->events, errors[i] ? LATE : 0);
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

struct status_case {
	const char *name;
	u32 status;
	u32 flags;
	u32 events;
};

static const struct status_case status_cases[] = {
	{ "nothing", 0x0, 0, 0 },
	{ "failed", 0x1, ERROR, FW_ERROR },
	{ "power on", 0x2, 0, 0 },
	{ "power off", 0x4, 0, 0 },
	{ "protected", 0x8, 0, PROTECTED },
	{ "failed and protected", 0x9, ERROR, FW_ERROR | PROTECTED },
	{ "one bit too many", 0x11, 0, 0 },
	{ "poison", 0xdeadbeef, 0, 0 },
	{ "all ones", 0xffffffff, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(status, status_cases, name);

static void status_word(struct kunit *test)
{
	const struct status_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	bool told = c->events & PROTECTED;

	start(test, u);
	WRITE_ONCE(f->fake.output.perfcnt_status, c->status);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(test, u, 0);
	WRITE_ONCE(f->fake.output.perfcnt_status, 0);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, c->flags);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, c->events);
	KUNIT_EXPECT_EQ(test, !!(states_at(f, u, 0, SHADER, 0) & IS_PROTECTED), told);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, states_at(f, u, 1, SHADER, 0), IS_ON | IS_THERE | IS_NORMAL);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
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
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->block_set, c->set);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		bool has = types[i] == TILER ? c->tiler : types[i] == MEMSYS ? c->memsys : true;

		KUNIT_EXPECT_EQ_MSG(test, states_at(f, u, 0, types[i], 0),
				    has ? good : IS_WITHHELD, "type %u", types[i]);
		KUNIT_EXPECT_EQ_MSG(test, value_at(f, u, 0, types[i], 0, 40), has ? 10 + i : 0,
				    "type %u", types[i]);
	}
	profiler_destroy(test, u);
}

static struct kunit_case states_cases[] = {
	KUNIT_CASE(cores_go_off_and_on),
	KUNIT_CASE(core_without_automatic_sample_is_told),
	KUNIT_CASE(core_with_automatic_sample_is_not_told),
	KUNIT_CASE(impossible_stamps_are_replaced),
	KUNIT_CASE(suspended_blocks_were_off),
	KUNIT_CASE_PARAM(status_word, status_gen_params),
	KUNIT_CASE_PARAM(set_defines_blocks, set_gen_params),
	{}
};

static int states_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void states_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite states_suite = {
	.name = "panthor_perf_states",
	.init = states_init,
	.exit = states_exit,
	.test_cases = states_cases,
};

kunit_test_suite(states_suite);
