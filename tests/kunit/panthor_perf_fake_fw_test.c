// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "panthor_perf_fake_fw.h"
#include "panthor_perf_layout.h"

static const struct panthor_perf_block *find_block(const struct panthor_perf_layout *layout,
						   u32 type, u32 rank)
{
	for (u32 nr = 0; nr < layout->block_count; nr++) {
		if (layout->blocks[nr].type == type && layout->blocks[nr].idx == rank)
			return &layout->blocks[nr];
	}

	return NULL;
}

static void expect_like_fake(struct kunit *test, const struct panthor_perf_fake_shape *shape)
{
	struct panthor_perf_fake_fw *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	struct panthor_perf_layout_params params;
	struct panthor_perf_layout *layout;

	KUNIT_ASSERT_NOT_NULL(test, fake);
	panthor_perf_fake_fw_init(test, fake, shape);
	panthor_perf_fake_fw_params(fake, &params);
	layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);

	KUNIT_EXPECT_EQ(test, layout->entry_size, fake->entry_words * 4);
	KUNIT_EXPECT_EQ(test, layout->block_count, fake->block_count);
	for (u32 i = 0; i < fake->block_count; i++) {
		const struct panthor_perf_fake_block *block = &fake->blocks[i];
		const struct panthor_perf_block *found = find_block(layout, block->type,
								    block->rank);

		KUNIT_ASSERT_NOT_NULL(test, found);
		KUNIT_EXPECT_EQ(test, found->offset, block->word);
	}
	kfree(layout);
}

/* The fake firmware works its positions out on its own: both agree for GPUs of all kinds. */
static void agrees_with_fake(struct kunit *test)
{
	static const u64 masks[] = {
		0x1, 0x2, 0x7, 0xf, 0x50005, 0xaaaa, 0xffff, 0x8000000000000001, U64_MAX,
	};

	for (u32 i = 0; i < ARRAY_SIZE(masks) * 64; i++) {
		const struct panthor_perf_fake_shape shape = {
			.arch = i & 1 ? 11 : 10,
			.block_words = i & 1 ? 128 : 64,
			.metadata = i & 2,
			.fw_block = i & 12,
			.csg_blocks = i & 8,
			.packed = i & 16,
			.l2_slices = i & 32 ? 3 : 1,
			.groups = i & 32 ? 8 : 2,
			.shader_present = masks[i / 64],
		};

		expect_like_fake(test, &shape);
	}
}

static void agrees_with_fake_of_accelerators(struct kunit *test)
{
	static const struct {
		u64 shader, neural;
	} masks[] = {
		{ 0x1, 0x1 }, { 0x7, 0x5 }, { 0xf, 0x8 }, { 0xee0077, 0xee0077 },
		{ 0x50005, 0x40001 }, { 0x8000000000000001, 0x8000000000000000 },
		{ U64_MAX, U64_MAX }, { U64_MAX, 0xaaaaaaaaaaaaaaaa },
	};

	for (u32 i = 0; i < ARRAY_SIZE(masks) * 16; i++) {
		const struct panthor_perf_fake_shape shape = {
			.arch = 14,
			.block_words = 128,
			.fw_block = i & 3,
			.csg_blocks = i & 2,
			.packed = i & 4,
			.l2_slices = i & 8 ? 3 : 1,
			.groups = 8,
			.shader_present = masks[i / 16].shader,
			.neural_present = masks[i / 16].neural,
		};

		expect_like_fake(test, &shape);
	}
}

static struct kunit_case fake_fw_cases[] = {
	KUNIT_CASE(agrees_with_fake),
	KUNIT_CASE(agrees_with_fake_of_accelerators),
	{}
};

static struct kunit_suite fake_fw_suite = {
	.name = "panthor_perf_fake_fw",
	.test_cases = fake_fw_cases,
};

kunit_test_suite(fake_fw_suite);
