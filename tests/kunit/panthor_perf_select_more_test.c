// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_select_test.h"

static const u64 some[TYPES] = {
	[CSHW] = 0xf000000000000010, [MEMSYS] = 0x5555555555555550, [SHADER] = 0x30,
};

static const u64 some_of_some[TYPES] = {
	[CSHW] = 0x8000000000000010, [SHADER] = 0x20,
};

/* 128 counters, two words of a mask, firmware blocks of the groups. */
static void compact_sizes_of_a_wide_gpu(struct kunit *test)
{
	static const struct panthor_perf_fake_shape wide = {
		.name = "wide", .arch = 12, .block_words = 128, .fw_block = true,
		.csg_blocks = true, .groups = 8, .l2_slices = 6, .shader_present = 0x550555,
	};
	struct panthor_perf_fake_fw *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	u64 masks[TYPES][PANTHOR_PERF_MASK_WORDS] = {};
	struct panthor_perf_layout_params params;
	struct panthor_perf_layout *layout;

	KUNIT_ASSERT_NOT_NULL(test, fake);
	panthor_perf_fake_fw_init(test, fake, &wide);
	panthor_perf_fake_fw_params(fake, &params);
	layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);

	KUNIT_EXPECT_EQ(test, panthor_perf_select_compact_size(layout, masks), 80);
	masks[CSG][1] = 1ull << 63 | 1;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_compact_size(layout, masks), 80 + 8 * 24);
	masks[SHADER][0] = BIT4;
	masks[SHADER][1] = ~0ull;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_compact_size(layout, masks),
			80 + 8 * 24 + 10 * (8 + 65 * 8));
	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(layout),
			80 + (1 + 1 + 1 + 6 + 10 + 8) * (8 + 128 * 8));
	kfree(layout);
}

/*
 * Sessions of one firmware sample
 */

static const u64 everything[TYPES] = {
	[FW] = ALL_COUNTERS, [CSHW] = ALL_COUNTERS, [TILER] = ALL_COUNTERS,
	[MEMSYS] = ALL_COUNTERS, [SHADER] = ALL_COUNTERS,
};

/* Sessions of all shapes. */
static const struct {
	const u64 *shape;
	bool compact;
} sessions_of[] = {
	{ some, false }, { some, false }, { some, false },
	{ some, true }, { some, true }, { some, true },
	{ everything, true }, { everything, false }, { some, false },
	{ some_of_some, false }, { some_of_some, true }, { some_of_some, true },
};

/* One firmware sample for all sessions but one. The session with all counters comes last. */
static void sample_together(struct kunit *test, struct pair *pairs, u32 without, u32 round)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fake_fw_count_all(&f->fake, round);
	for (u32 i = 0; i < 2 * ARRAY_SIZE(sessions_of); i++) {
		struct pair *p = &pairs[i % ARRAY_SIZE(sessions_of)];
		struct profiler *u = i < ARRAY_SIZE(sessions_of) ? p->u : p->all;

		if (p != &pairs[without])
			KUNIT_ASSERT_EQ(test, try_sample(u->session, 0), 0);
	}
	panthor_perf_fixture_run(f);
}

static void sampled_together(struct kunit *test)
{
	const u32 count = ARRAY_SIZE(sessions_of);
	struct pair *pairs = kunit_kcalloc(test, count, sizeof(*pairs), GFP_KERNEL);
	struct panthor_perf_fixture *f = test->priv;
	u64 next[ARRAY_SIZE(sessions_of)] = {};
	const u32 rounds = 2 * SLOTS;

	KUNIT_ASSERT_NOT_NULL(test, pairs);
	for (u32 i = 0; i < ARRAY_SIZE(sessions_of); i++) {
		create_pair(test, &pairs[i], sessions_of[i].shape, sessions_of[i].compact);
		panthor_perf_fake_fw_count_all(&f->fake, 1000 + i);
		start_pair(test, &pairs[i]);
	}

	for (u32 round = 0; round < rounds; round++) {
		/* In every other round one of the first sessions takes no sample. */
		const u32 without = round % 2 ? round % (ARRAY_SIZE(sessions_of) - 2) :
						ARRAY_SIZE(sessions_of);

		sample_together(test, pairs, without, round);
		for (u32 i = 0; i < ARRAY_SIZE(sessions_of); i++) {
			if (i == without)
				continue;
			expect_sample(test, &pairs[i], next[i]);
			KUNIT_EXPECT_EQ(test, pairs[i].u->control->insert_idx, ++next[i]);
			consume_pair(test, &pairs[i]);
		}
	}

	panthor_perf_fake_fw_count_all(&f->fake, rounds);
	for (u32 i = 0; i < ARRAY_SIZE(sessions_of); i++) {
		stop_pair(test, &pairs[i]);
		expect_sample(test, &pairs[i], next[i]);
		consume_pair(test, &pairs[i]);
		expect_conserved(test, pairs[i].all);
		destroy_pair(test, &pairs[i]);
	}
}

static struct kunit_case select_more_cases[] = {
	KUNIT_CASE(compact_sizes_of_a_wide_gpu),
	KUNIT_CASE(sampled_together),
	{}
};

static struct kunit_suite select_more_suite = {
	.name = "panthor_perf_select_more",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = select_more_cases,
};

kunit_test_suite(select_more_suite);
