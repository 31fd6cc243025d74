// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "panthor_perf_layout.h"

#define FW	DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSG	DRM_PANTHOR_PERF_BLOCK_TYPE_CSG
#define CSHW	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define NEURAL	DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL

#define ARCH(major)	((u32)(major) << 28)
#define L2_SLICES(n)	(((n) - 1) << 8)

/* GLB_PRFCNT_SIZE of so many units of 256 bytes. */
#define SIZES(fw, hw)	((u32)(fw) << 16 | (hw))

struct expected_block {
	u8 type;
	u8 idx;
	u32 word;
};

struct accepted_case {
	const char *name;
	struct panthor_perf_layout_params params;
	u32 counters;
	u32 entry_size;

	/* Of FW, CSHW, TILER, MEMSYS, SHADER, CSG. */
	u32 counts[6];

	/* Some blocks, or all of them if there are as many as there are. */
	struct expected_block blocks[20];
};

/* What the G610 of the RK3588 says: 0x50005 leaves 15 holes in 19 shader slots. */
#define RK3588							\
	.gpu_id = ARCH(10) | 0x8670005,				\
	.mem_features = L2_SLICES(4),				\
	.csg_count = 8,						\
	.shader_present = 0x50005

static const struct accepted_case accepted_cases[] = {
	{
		.name = "rk3588",
		.params = { RK3588, .prfcnt_size = SIZES(1, 25) },
		.counters = 64,
		.entry_size = 6656,
		.counts = { 1, 1, 1, 4, 4, 0 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 64 }, { TILER, 0, 128 },
			{ MEMSYS, 0, 192 }, { MEMSYS, 1, 256 }, { MEMSYS, 2, 320 },
			{ MEMSYS, 3, 384 },
			{ SHADER, 0, 448 }, { SHADER, 1, 576 }, { SHADER, 2, 1472 },
			{ SHADER, 3, 1600 },
		},
	},
	{
		.name = "rk3588 without firmware block",
		.params = { RK3588, .prfcnt_size = SIZES(0, 25) },
		.counters = 64,
		.entry_size = 6400,
		.counts = { 0, 1, 1, 4, 4, 0 },
		.blocks = {
			{ CSHW, 0, 0 }, { TILER, 0, 64 },
			{ MEMSYS, 0, 128 }, { MEMSYS, 1, 192 }, { MEMSYS, 2, 256 },
			{ MEMSYS, 3, 320 },
			{ SHADER, 0, 384 }, { SHADER, 1, 512 }, { SHADER, 2, 1408 },
			{ SHADER, 3, 1536 },
		},
	},
	{
		.name = "rk3588 with groups",
		.params = { RK3588, .prfcnt_size = SIZES(9, 25) },
		.counters = 64,
		.entry_size = 8704,
		.counts = { 1, 1, 1, 4, 4, 8 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 576 }, { TILER, 0, 640 },
			{ MEMSYS, 0, 704 }, { MEMSYS, 1, 768 }, { MEMSYS, 2, 832 },
			{ MEMSYS, 3, 896 },
			{ SHADER, 0, 960 }, { SHADER, 1, 1088 }, { SHADER, 2, 1984 },
			{ SHADER, 3, 2112 },
			{ CSG, 0, 64 }, { CSG, 1, 128 }, { CSG, 2, 192 }, { CSG, 3, 256 },
			{ CSG, 4, 320 }, { CSG, 5, 384 }, { CSG, 6, 448 }, { CSG, 7, 512 },
		},
	},
	{
		/* The register with the size of a block is not architecture 10's. */
		.name = "rk3588 with noise",
		.params = {
			RK3588, .prfcnt_size = SIZES(1, 25),
			.gpu_prfcnt_features = 0xffffffff,
		},
		.counters = 64,
		.entry_size = 6656,
		.counts = { 1, 1, 1, 4, 4, 0 },
		.blocks = { { FW, 0, 0 }, { SHADER, 3, 1600 } },
	},
	{
		.name = "rk3588 without groups",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(4), .csg_count = 0,
			.shader_present = 0x50005, .prfcnt_size = SIZES(1, 25),
		},
		.counters = 64,
		.entry_size = 6656,
		.counts = { 1, 1, 1, 4, 4, 0 },
		.blocks = { { FW, 0, 0 }, { SHADER, 3, 1600 } },
	},
	{
		.name = "dense, 64 counters",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(2), .csg_count = 8,
			.shader_present = 0x7, .prfcnt_size = SIZES(1, 7),
		},
		.counters = 64,
		.entry_size = 2048,
		.counts = { 1, 1, 1, 2, 3, 0 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 64 }, { TILER, 0, 128 },
			{ MEMSYS, 0, 192 }, { MEMSYS, 1, 256 },
			{ SHADER, 0, 320 }, { SHADER, 1, 384 }, { SHADER, 2, 448 },
		},
	},
	{
		.name = "dense, 128 counters",
		.params = {
			.gpu_id = ARCH(11), .mem_features = L2_SLICES(2), .csg_count = 8,
			.shader_present = 0x7, .prfcnt_size = SIZES(2, 14),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 4096,
		.counts = { 1, 1, 1, 2, 3, 0 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 128 }, { TILER, 0, 256 },
			{ MEMSYS, 0, 384 }, { MEMSYS, 1, 512 },
			{ SHADER, 0, 640 }, { SHADER, 1, 768 }, { SHADER, 2, 896 },
		},
	},
	{
		.name = "architecture 11, 64 counters",
		.params = {
			.gpu_id = ARCH(11), .mem_features = L2_SLICES(1), .csg_count = 8,
			.shader_present = 0x1, .prfcnt_size = SIZES(0, 4),
			.gpu_prfcnt_features = 0xffffff01,
		},
		.counters = 64,
		.entry_size = 1024,
		.counts = { 0, 1, 1, 1, 1, 0 },
		.blocks = {
			{ CSHW, 0, 0 }, { TILER, 0, 64 }, { MEMSYS, 0, 128 }, { SHADER, 0, 192 },
		},
	},
	{
		.name = "sparse, 128 counters, groups",
		.params = {
			.gpu_id = ARCH(13), .mem_features = L2_SLICES(1), .csg_count = 2,
			.shader_present = 0xa, .prfcnt_size = SIZES(6, 14),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 5120,
		.counts = { 1, 1, 1, 1, 2, 2 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 384 }, { TILER, 0, 512 }, { MEMSYS, 0, 640 },
			{ SHADER, 0, 896 }, { SHADER, 1, 1152 }, { CSG, 0, 128 }, { CSG, 1, 256 },
		},
	},
	{
		.name = "packed, 64 counters",
		.params = { RK3588, .prfcnt_size = SIZES(1, 10) },
		.counters = 64,
		.entry_size = 2816,
		.counts = { 1, 1, 1, 4, 4, 0 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 64 }, { TILER, 0, 128 },
			{ MEMSYS, 0, 192 }, { MEMSYS, 1, 256 }, { MEMSYS, 2, 320 },
			{ MEMSYS, 3, 384 },
			{ SHADER, 0, 448 }, { SHADER, 1, 512 }, { SHADER, 2, 576 },
			{ SHADER, 3, 640 },
		},
	},
	{
		.name = "the last architecture with sparse slots",
		.params = {
			.gpu_id = 0xe83fffff, .mem_features = L2_SLICES(1), .csg_count = 2,
			.shader_present = 0xa, .prfcnt_size = SIZES(6, 14),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 5120,
		.counts = { 1, 1, 1, 1, 2, 2 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 384 }, { TILER, 0, 512 }, { MEMSYS, 0, 640 },
			{ SHADER, 0, 896 }, { SHADER, 1, 1152 }, { CSG, 0, 128 }, { CSG, 1, 256 },
		},
	},
	{
		.name = "the first without, with packed ones",
		.params = {
			.gpu_id = 0xe8400000, .mem_features = L2_SLICES(1), .csg_count = 2,
			.shader_present = 0xa, .prfcnt_size = SIZES(6, 10),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 4096,
		.counts = { 1, 1, 1, 1, 2, 2 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 384 }, { TILER, 0, 512 }, { MEMSYS, 0, 640 },
			{ SHADER, 0, 768 }, { SHADER, 1, 896 }, { CSG, 0, 128 }, { CSG, 1, 256 },
		},
	},
	{
		.name = "packed, 128 counters",
		.params = {
			.gpu_id = ARCH(14), .mem_features = L2_SLICES(4), .csg_count = 8,
			.shader_present = 0x50005, .prfcnt_size = SIZES(2, 20),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 5632,
		.counts = { 1, 1, 1, 4, 4, 0 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 128 }, { TILER, 0, 256 },
			{ MEMSYS, 0, 384 }, { MEMSYS, 1, 512 }, { MEMSYS, 2, 640 },
			{ MEMSYS, 3, 768 },
			{ SHADER, 0, 896 }, { SHADER, 1, 1024 }, { SHADER, 2, 1152 },
			{ SHADER, 3, 1280 },
		},
	},
	{
		.name = "full mask",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(16), .csg_count = 31,
			.shader_present = U64_MAX, .prfcnt_size = SIZES(32, 82),
		},
		.counters = 64,
		.entry_size = 29184,
		.counts = { 1, 1, 1, 16, 64, 31 },
		.blocks = {
			{ FW, 0, 0 }, { CSHW, 0, 2048 }, { TILER, 0, 2112 },
			{ MEMSYS, 0, 2176 }, { MEMSYS, 15, 3136 },
			{ SHADER, 0, 3200 }, { SHADER, 63, 7232 },
			{ CSG, 0, 64 }, { CSG, 30, 1984 },
		},
	},
	{
		.name = "full mask, 128 counters",
		.params = {
			.gpu_id = ARCH(12), .mem_features = L2_SLICES(16), .csg_count = 31,
			.shader_present = U64_MAX, .prfcnt_size = SIZES(0, 164),
			.gpu_prfcnt_features = 2,
		},
		.counters = 128,
		.entry_size = 41984,
		.counts = { 0, 1, 1, 16, 64, 0 },
		.blocks = { { SHADER, 0, 2304 }, { SHADER, 32, 6400 }, { SHADER, 63, 10368 } },
	},
	{
		.name = "last core alone",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(16),
			.shader_present = BIT_ULL(63), .prfcnt_size = SIZES(0, 82),
		},
		.counters = 64,
		.entry_size = 20992,
		.counts = { 0, 1, 1, 16, 1, 0 },
		.blocks = { { CSHW, 0, 0 }, { TILER, 0, 64 }, { SHADER, 0, 5184 } },
	},
	{
		.name = "last core alone, packed",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(16),
			.shader_present = BIT_ULL(63), .prfcnt_size = SIZES(0, 19),
		},
		.counters = 64,
		.entry_size = 4864,
		.counts = { 0, 1, 1, 16, 1, 0 },
		.blocks = { { CSHW, 0, 0 }, { TILER, 0, 64 }, { SHADER, 0, 1152 } },
	},
	{
		.name = "cores on both sides of bit 32",
		.params = {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(1),
			.shader_present = 0x180000000ull, .prfcnt_size = SIZES(0, 36),
		},
		.counters = 64,
		.entry_size = 9216,
		.counts = { 0, 1, 1, 1, 2, 0 },
		.blocks = {
			{ CSHW, 0, 0 }, { TILER, 0, 64 }, { MEMSYS, 0, 128 },
			{ SHADER, 0, 2176 }, { SHADER, 1, 2240 },
		},
	},
};

KUNIT_ARRAY_PARAM_DESC(accepted, accepted_cases, name);

static const struct panthor_perf_block *find_block(const struct panthor_perf_layout *layout,
						   u8 type, u8 idx)
{
	for (u32 i = 0; i < layout->block_count; i++) {
		if (layout->blocks[i].type == type && layout->blocks[i].idx == idx)
			return &layout->blocks[i];
	}

	return NULL;
}

/* Blocks are sorted by type, then index without holes, and share no word. */
static void expect_sane(struct kunit *test, const struct panthor_perf_layout *layout)
{
	const u32 words = layout->entry_size / 4;
	unsigned long *used = kunit_kcalloc(test, BITS_TO_LONGS(words), sizeof(long), GFP_KERNEL);
	u32 seen[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = {};
	u8 last = 0;

	KUNIT_ASSERT_NOT_NULL(test, used);
	for (u32 i = 0; i < layout->block_count; i++) {
		const struct panthor_perf_block *block = &layout->blocks[i];
		const u32 end = block->offset + layout->counters;

		KUNIT_EXPECT_GE(test, block->type, last);
		KUNIT_ASSERT_LT(test, block->type, DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT);
		KUNIT_EXPECT_EQ(test, block->idx, seen[block->type]++);
		KUNIT_ASSERT_LE(test, end, words);
		KUNIT_EXPECT_GE_MSG(test, find_next_bit(used, words, block->offset), end,
				    "block %u overlaps another", i);
		bitmap_set(used, block->offset, layout->counters);
		last = block->type;
	}

	for (u32 type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		KUNIT_EXPECT_EQ_MSG(test, layout->type_count[type], seen[type], "type %u", type);
}

static void accepts(struct kunit *test)
{
	static const u8 types[] = { FW, CSHW, TILER, MEMSYS, SHADER, CSG };
	const struct accepted_case *c = test->param_value;
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&c->params);
	u32 blocks = 0;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	KUNIT_EXPECT_EQ(test, layout->counters, c->counters);
	KUNIT_EXPECT_EQ(test, layout->entry_size, c->entry_size);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		KUNIT_EXPECT_EQ_MSG(test, layout->type_count[types[i]], c->counts[i], "type %u",
				    types[i]);
		blocks += c->counts[i];
	}
	KUNIT_EXPECT_EQ(test, layout->type_count[NEURAL], 0);
	KUNIT_EXPECT_EQ(test, layout->block_count, blocks);

	for (u32 i = 0; i < ARRAY_SIZE(c->blocks) && c->blocks[i].type; i++) {
		const struct expected_block *expected = &c->blocks[i];
		const struct panthor_perf_block *block = find_block(layout, expected->type,
								    expected->idx);

		KUNIT_EXPECT_NOT_NULL_MSG(test, block, "type %u index %u", expected->type,
					  expected->idx);
		if (block)
			KUNIT_EXPECT_EQ_MSG(test, block->offset, expected->word,
					    "type %u index %u", expected->type, expected->idx);
	}

	expect_sane(test, layout);
	kfree(layout);
}

struct refused_case {
	const char *name;
	struct panthor_perf_layout_params params;
};

#define G715(fw, hw, block)					\
	.gpu_id = ARCH(11), .mem_features = L2_SLICES(4),	\
	.csg_count = 8, .shader_present = 0x7f,			\
	.prfcnt_size = SIZES(fw, hw), .gpu_prfcnt_features = (block)

static const struct refused_case refused_cases[] = {
	{ "no sizes at all", { RK3588, .prfcnt_size = 0 } },
	{ "hardware size zero", { RK3588, .prfcnt_size = SIZES(1, 0) } },
	{ "one block short", { RK3588, .prfcnt_size = SIZES(1, 24) } },
	{ "one block too many", { RK3588, .prfcnt_size = SIZES(1, 26) } },
	{ "packed, one block short", { RK3588, .prfcnt_size = SIZES(1, 9) } },
	{ "packed, one block too many", { RK3588, .prfcnt_size = SIZES(1, 11) } },
	{
		"slots of neural accelerators, as many as of absent cores", {
			.gpu_id = 0xe8400000, .mem_features = L2_SLICES(4), .csg_count = 8,
			.shader_present = 0xee0077, .prfcnt_size = SIZES(2, 60),
			.gpu_prfcnt_features = 2,
		},
	},
	{ "two firmware blocks", { RK3588, .prfcnt_size = SIZES(2, 25) } },
	{ "groups without firmware block", { RK3588, .prfcnt_size = SIZES(8, 25) } },
	{ "one group too many", { RK3588, .prfcnt_size = SIZES(10, 25) } },
	{ "hardware size huge", { RK3588, .prfcnt_size = SIZES(1, 0xffff) } },
	{ "firmware size huge", { RK3588, .prfcnt_size = SIZES(0xffff, 25) } },
	{ "all ones", { RK3588, .prfcnt_size = 0xffffffff } },
	{ "halves swapped", { RK3588, .prfcnt_size = SIZES(25, 1) } },
	{
		"no shader cores", {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(4), .csg_count = 8,
			.shader_present = 0, .prfcnt_size = SIZES(1, 6),
		},
	},
	{
		"another number of slices", {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(3), .csg_count = 8,
			.shader_present = 0x50005, .prfcnt_size = SIZES(1, 25),
		},
	},
	{
		"one group more than panthor has", {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(4), .csg_count = 32,
			.shader_present = 0x50005, .prfcnt_size = SIZES(33, 25),
		},
	},
	{
		"as many groups as the word can say", {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(4), .csg_count = 65534,
			.shader_present = 0x50005, .prfcnt_size = SIZES(65535, 25),
		},
	},
	{
		"number of groups that wraps", {
			.gpu_id = ARCH(10), .mem_features = L2_SLICES(4), .csg_count = U32_MAX,
			.shader_present = 0x50005, .prfcnt_size = SIZES(2, 25),
		},
	},
	{ "block size zero", { G715(2, 26, 0) } },
	{ "block size of 192 counters", { G715(3, 39, 3) } },
	{ "block size of 256 counters", { G715(4, 52, 4) } },
	{ "block size of 16320 counters", { G715(255, 3315, 255) } },
	{ "odd hardware size", { G715(2, 27, 2) } },
	{ "odd firmware size", { G715(1, 26, 2) } },
	{ "sizes of 64 counters for 128", { G715(1, 13, 2) } },
	{ "sizes of 128 counters for 64", { G715(2, 26, 1) } },
};

KUNIT_ARRAY_PARAM_DESC(refused, refused_cases, name);

static void refuses(struct kunit *test)
{
	const struct refused_case *c = test->param_value;
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&c->params);

	KUNIT_EXPECT_PTR_EQ(test, (void *)layout, ERR_PTR(-EOPNOTSUPP));
	if (!IS_ERR_OR_NULL(layout))
		kfree(layout);
}

/* One unit more or less in either half of the word fits nothing that it should not fit. */
static void refuses_neighbours(struct kunit *test)
{
	for (u32 fw = 0; fw < 40; fw++) {
		for (u32 hw = 0; hw < 40; hw++) {
			const struct panthor_perf_layout_params params = {
				RK3588, .prfcnt_size = SIZES(fw, hw),
			};
			struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);
			bool fits = (fw == 0 || fw == 1 || fw == 9) && (hw == 10 || hw == 25);

			KUNIT_EXPECT_EQ_MSG(test, !IS_ERR(layout), fits, "sizes %u and %u", fw, hw);
			if (!IS_ERR(layout))
				kfree(layout);
		}
	}
}

static struct kunit_case layout_cases[] = {
	KUNIT_CASE_PARAM(accepts, accepted_gen_params),
	KUNIT_CASE_PARAM(refuses, refused_gen_params),
	KUNIT_CASE(refuses_neighbours),
	{}
};

static struct kunit_suite layout_suite = {
	.name = "panthor_perf_layout",
	.test_cases = layout_cases,
};

kunit_test_suite(layout_suite);
