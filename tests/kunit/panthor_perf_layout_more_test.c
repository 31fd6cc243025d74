// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "panthor_perf_layout.h"

/* GLB_PRFCNT_SIZE of so many units of 256 bytes. */
#define SIZES(fw, hw)	((u32)(fw) << 16 | (hw))

/*
 * Blocks of all accepted sizes are aligned to 64 bits, also in a ring of entries of any size. The
 * time stamps are aligned as well.
 */
static void pairs_are_aligned(struct kunit *test)
{
	u32 accepted = 0;

	for (u32 i = 0; i < 256 * 8; i++) {
		const u32 units = i % 256, csgs = i & 0x100 ? 7 : 0;
		const u64 shaders = i & 0x200 ? 0x8000000000000003 : 0x7;
		const u32 slots = 2 + 3 + (i & 0x400 ? hweight64(shaders) : fls64(shaders));
		const struct panthor_perf_layout_params params = {
			.prfcnt_size = SIZES((u16)(units * (1 + csgs)), (u16)(units * slots)),
			.gpu_id = 12u << 28,
			.gpu_prfcnt_features = units,
			.mem_features = (3 - 1) << 8,
			.csg_count = csgs,
			.shader_present = shaders,
			.shader_available = shaders,
		};
		struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);
		u32 odd = 0;

		if (IS_ERR(layout))
			continue;

		for (u32 nr = 0; nr < layout->block_count; nr++)
			odd |= layout->blocks[nr].offset % 2;
		KUNIT_EXPECT_EQ_MSG(test, odd, 0, "%u units, case %#x", units, i);
		KUNIT_EXPECT_EQ(test, layout->entry_size % sizeof(u64), 0);
		KUNIT_EXPECT_EQ(test, layout->counters % 64, 0);
		accepted++;
		kfree(layout);
	}

	/* Of 64 and of 128 counters, and of each kind. */
	KUNIT_EXPECT_EQ(test, accepted, 2 * 8);
}

static struct kunit_case layout_more_cases[] = {
	KUNIT_CASE(pairs_are_aligned),
	{}
};

static struct kunit_suite layout_more_suite = {
	.name = "panthor_perf_layout_more",
	.test_cases = layout_more_cases,
};

kunit_test_suite(layout_more_suite);
