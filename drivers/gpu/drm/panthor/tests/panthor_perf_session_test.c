// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_session_test.h"

static void sample_sizes(struct kunit *test)
{
	static const struct panthor_perf_fake_shape large = {
		.arch = 12, .block_words = 128, .fw_block = true, .csg_blocks = true,
		.groups = 31, .l2_slices = 16, .shader_present = U64_MAX,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fixture *g = panthor_perf_fixture_create(test, &large);

	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(f->layout), SAMPLE_SIZE);
	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(g->layout), 117728);
	panthor_perf_fixture_destroy(g);
}

static void start_takes_the_zero(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *other = profiler_of_all(test);

	start(test, other);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fake_fw_count_all(&f->fake, 2);

	/* What was counted before, read or not, is none of its. */
	start(test, u);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_EQ(test, u->control->extract_idx, 0);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 20, 17);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, SHADER, 1, 20), 17);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, SHADER, 1, 21), 0);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, CSHW, 0, 4), 0);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

static void headers_are_complete(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	u64 end = 0;

	start(test, u);
	for (u64 i = 0; i < 20; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);
		const u64 before = ktime_get_raw_ns();
		u64 expected_cycles;

		panthor_perf_fake_fw_count(&f->fake, FW, 0, 4, i + 1);
		msleep(20);
		if (i < 19)
			sample(test, u, 1000 + i);
		else
			stop(test, u, 0xfeedfacecafebeef);

		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, header->sample_nr, i);
		KUNIT_EXPECT_EQ(test, header->user_data,
				i < 19 ? 1000 + i : 0xfeedfacecafebeef);
		KUNIT_EXPECT_EQ(test, header->flags, i < 19 ? 0 : FINAL);
		KUNIT_EXPECT_EQ(test, header->events, 0);
		KUNIT_EXPECT_EQ(test, header->merged, 0);
		KUNIT_EXPECT_EQ(test, header->counter_set, 0);
		KUNIT_EXPECT_EQ(test, header->pad[0] | header->pad[1] | header->pad[2], 0);
		/* 500 MHz, and the two clocks are not read at the same time. */
		expected_cycles = (header->timestamp_end_ns - header->timestamp_start_ns) / 2;
		KUNIT_EXPECT_GE(test, header->toplevel_clock_cycles, expected_cycles - 2000);
		KUNIT_EXPECT_LE(test, header->toplevel_clock_cycles, expected_cycles + 2000);
		KUNIT_EXPECT_EQ(test, header->coregroup_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header->shader_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header->gpu_timestamp, f->fake.timestamp);
		KUNIT_EXPECT_GE(test, header->timestamp_end_ns, before);
		KUNIT_EXPECT_LE(test, header->timestamp_end_ns, ktime_get_raw_ns());
		KUNIT_EXPECT_GT(test, header->timestamp_start_ns, 0);
		KUNIT_EXPECT_LE(test, header->timestamp_start_ns, before);
		if (i)
			KUNIT_EXPECT_EQ(test, header->timestamp_start_ns, end);
		end = header->timestamp_end_ns;

		KUNIT_EXPECT_EQ(test, value_at(f, u, i, FW, 0, 4), i + 1);
		u->control->extract_idx = i + 1;
	}

	profiler_destroy(test, u);
}

static void blocks_are_labelled(struct kunit *test)
{
	static const struct {
		u8 type, idx;
	} expected[BLOCKS] = {
		{ FW, 0 }, { CSHW, 0 }, { TILER, 0 }, { MEMSYS, 0 }, { MEMSYS, 1 }, { MEMSYS, 2 },
		{ MEMSYS, 3 }, { SHADER, 0 }, { SHADER, 1 }, { SHADER, 2 }, { SHADER, 3 },
	};
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	stop(test, u, 0);
	for (u32 i = 0; i < BLOCKS; i++) {
		const struct drm_panthor_perf_block_header *block =
			u->ring + HEADER_SIZE + i * SAMPLE_BLOCK_SIZE;

		KUNIT_EXPECT_EQ(test, block->type, expected[i].type);
		KUNIT_EXPECT_EQ(test, block->idx, expected[i].idx);
		KUNIT_EXPECT_EQ(test, block->pad, 0);
		KUNIT_EXPECT_EQ(test, block->states,
				DRM_PANTHOR_PERF_BLOCK_STATE_ON |
				DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE |
				DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL);
		if (block->type == CSHW)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
		if (block->type == MEMSYS)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_COREGROUP);
		if (block->type == SHADER)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_SHADER);
	}

	profiler_destroy(test, u);
}

struct mask_case {
	const char *name;
	u64 masks[TYPES];
};

static const struct mask_case mask_cases[] = {
	{ "nothing", { 0 } },
	{ "one counter", { [SHADER] = BIT_ULL(4) } },
	{ "the last counter", { [CSHW] = BIT_ULL(63) } },
	{ "both halves of a mask", { [MEMSYS] = BIT_ULL(31) | BIT_ULL(32) } },
	{ "some of each", {
		[FW] = 0xf0, [CSHW] = 0xff00, [TILER] = 0xf0f0f0, [SHADER] = BIT_ULL(50),
	} },
	{ "every other", { [FW] = 0x5555555555555550, [SHADER] = 0xaaaaaaaaaaaaaaa0 } },
	{ "everything", {
		[FW] = ALL_COUNTERS, [CSHW] = ALL_COUNTERS, [TILER] = ALL_COUNTERS,
		[MEMSYS] = ALL_COUNTERS, [SHADER] = ALL_COUNTERS,
	} },
};

KUNIT_ARRAY_PARAM_DESC(mask, mask_cases, name);

static void masks_are_a_filter(struct kunit *test)
{
	const struct mask_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, c->masks, 4, false, 0);

	panthor_perf_fake_fw_count_all(&f->fake, 1);
	start(test, u);
	for (u32 i = 0; i < 10; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i + 2);
		if (i % 3 == 1)
			panthor_perf_fake_fw_auto_sample(&f->fake);
		if (i < 9)
			sample(test, u, 0);
		else
			stop(test, u, 0);
		KUNIT_EXPECT_EQ(test, drain(f, u), 1);
	}

	expect_conserved(test, u);
	profiler_destroy(test, u);
}

struct section_case {
	const char *name;
	struct drm_panthor_perf_section section;
	int ret;
	u64 words[2];
};

static const struct section_case section_cases[] = {
	{ "all", { .block_type = SHADER, .mask = ALL_COUNTERS }, 0, { ALL_COUNTERS, 0 } },
	{ "none", { .block_type = SHADER }, 0, { 0, 0 } },
	{ "second half", { .block_type = SHADER, .first_counter = 64, .mask = 1 }, 0, { 0, 1 } },
	{
		"second half, all", {
			.block_type = SHADER, .first_counter = 64, .mask = U64_MAX,
		}, 0, { 0, U64_MAX },
	},
	{ "type 0", { .block_type = 0, .mask = 0x10 }, -EINVAL },
	{ "type that is not there", { .block_type = NEURAL, .mask = 0x10 }, -EINVAL },
	{ "another that is not there", { .block_type = CSG, .mask = 0x10 }, -EINVAL },
	{ "type after the last", { .block_type = TYPES, .mask = 0x10 }, -EINVAL },
	{ "type 255", { .block_type = 255, .mask = 0x10 }, -EINVAL },
	{ "counter 0", { .block_type = SHADER, .mask = 0x11 }, -EINVAL },
	{ "counter 3", { .block_type = SHADER, .mask = 0x18 }, -EINVAL },
	{ "odd first counter", { .block_type = SHADER, .first_counter = 63 }, -EINVAL },
	{ "first counter 32", { .block_type = SHADER, .first_counter = 32 }, -EINVAL },
	{ "first counter 128", { .block_type = SHADER, .first_counter = 128 }, -EINVAL },
	{ "first counter 65472", { .block_type = SHADER, .first_counter = 65472 }, -EINVAL },
	{ "pad", { .block_type = SHADER, .pad = 1 }, -EINVAL },
	{ "second pad", { .block_type = SHADER, .pad2 = 1 }, -EINVAL },
};

KUNIT_ARRAY_PARAM_DESC(section, section_cases, name);

static void checks_sections(struct kunit *test)
{
	static const struct panthor_perf_layout_params params = {
		.gpu_id = 11u << 28, .gpu_prfcnt_features = 2, .prfcnt_size = 8,
		.shader_present = 1,
	};
	const struct section_case *c = test->param_value;
	struct panthor_perf_session_config *config =
		kunit_kzalloc(test, sizeof(*config), GFP_KERNEL);
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);

	KUNIT_ASSERT_NOT_NULL(test, config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	/* What is there already stays. */
	config->masks[TILER][0] = 0x30;
	config->masks[SHADER][1] = 0x100;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_add(config->masks, layout, &c->section), c->ret);
	KUNIT_EXPECT_EQ(test, config->masks[TILER][0], 0x30);
	KUNIT_EXPECT_EQ(test, config->masks[SHADER][0], c->words[0]);
	KUNIT_EXPECT_EQ(test, config->masks[SHADER][1], c->words[1] | 0x100);
	KUNIT_EXPECT_EQ(test, config->masks[CSG][0] | config->masks[NEURAL][0], 0);
	kfree(layout);
}

/* 64 counters have no second half. */
static void checks_sections_of_64_counters(struct kunit *test)
{
	struct drm_panthor_perf_section section = { .block_type = SHADER, .first_counter = 64 };
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_session_config config = {};

	KUNIT_EXPECT_EQ(test, panthor_perf_select_add(config.masks, f->layout, &section),
			-EINVAL);
	section.first_counter = 0;
	section.mask = 0x30;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_add(config.masks, f->layout, &section), 0);
	section.mask = 0xc0;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_add(config.masks, f->layout, &section), 0);
	KUNIT_EXPECT_EQ(test, config.masks[SHADER][0], 0xf0);
}

static void eventfd_counts_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);

	start(test, u);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	for (u32 i = 0; i < 3; i++)
		sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 3);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 0), 0);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 2);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 6);
	profiler_destroy(test, u);
}

static void sessions_overlap(struct kunit *test)
{
	static const u64 shader_only[TYPES] = { [SHADER] = 0xff0 };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_create(test, shader_only, 8, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(test, u, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	start(test, v);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	sample(test, v, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(test, u, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 5);
	stop(test, v, 0);
	KUNIT_EXPECT_EQ(test, drain(f, v), 2);
	expect_conserved(test, v);
	panthor_perf_fake_fw_count_all(&f->fake, 6);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, drain(f, u), 3);
	expect_conserved(test, u);

	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* Which of ON and OFF all blocks were. */
static void expect_states(struct kunit *test, struct profiler *u, u64 index, u32 states)
{
	struct panthor_perf_fixture *f = test->priv;

	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 is = states_at(f, u, index, block->type, block->rank);

		KUNIT_EXPECT_EQ(test, is & (IS_ON | IS_OFF), states);
	}
}

static void suspend_is_reported(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, SUSPEND);
	expect_states(test, u, 0, IS_ON | IS_OFF);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	stop(test, u, 0);
	expect_states(test, u, 1, IS_ON);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, drain(f, u), 2);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static void reset_is_reported(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *idle = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_pre_reset(f);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, RESET);

	/* What comes after is exact again, also for who was not there. */
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	start(test, idle);
	stop(test, idle, 0);
	KUNIT_EXPECT_EQ(test, header_at(idle, 0)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(idle, 0)->events, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, idle);
}

static struct kunit_case session_cases[] = {
	KUNIT_CASE(sample_sizes),
	KUNIT_CASE(start_takes_the_zero),
	KUNIT_CASE(headers_are_complete),
	KUNIT_CASE(blocks_are_labelled),
	KUNIT_CASE_PARAM(masks_are_a_filter, mask_gen_params),
	KUNIT_CASE_PARAM(checks_sections, section_gen_params),
	KUNIT_CASE(checks_sections_of_64_counters),
	KUNIT_CASE(eventfd_counts_samples),
	KUNIT_CASE(sessions_overlap),
	KUNIT_CASE(suspend_is_reported),
	KUNIT_CASE(reset_is_reported),
	{}
};

static struct kunit_suite session_suite = {
	.name = "panthor_perf_session",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = session_cases,
};

kunit_test_suite(session_suite);
