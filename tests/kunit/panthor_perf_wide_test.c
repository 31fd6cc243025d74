// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/slab.h>

#include "panthor_perf_session_test.h"

/*
 * Blocks of 128 counters: a section has 64 of them.
 */

#define WIDE_COUNTERS	128
#define WIDE_BLOCK	(8 + WIDE_COUNTERS * 8)
#define GROUPS		3
#define SLICES		2
#define CORES		3
#define WIDE_BLOCKS	(1 + GROUPS + 1 + 1 + SLICES + CORES)
#define WIDE_SIZE	(HEADER_SIZE + WIDE_BLOCKS * WIDE_BLOCK)

static const struct panthor_perf_fake_shape wide = {
	.name = "128 counters",
	.arch = 12,
	.block_words = WIDE_COUNTERS,
	.fw_block = true,
	.csg_blocks = true,
	.groups = GROUPS,
	.l2_slices = SLICES,
	.shader_present = 0x15,
};

/* Types in the order of a sample, with the number of their blocks. */
static const struct wide_type {
	const char *name;
	u8 type;
	u32 blocks;
} types[] = {
	{ "firmware", FW, 1 },
	{ "front end", CSHW, 1 },
	{ "tiler", TILER, 1 },
	{ "L2 slices", MEMSYS, SLICES },
	{ "shader cores", SHADER, CORES },
	{ "groups", DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, GROUPS },
};

static void wide_desc(const struct wide_type *t, char *desc)
{
	strscpy(desc, t->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wide, types, wide_desc);

/* Counters 4, 63, 64, 65, 100 and 127: the ends of both sections, and one in the middle. */
static const u64 low = BIT_ULL(4) | BIT_ULL(63);
static const u64 high = BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(36) | BIT_ULL(63);
static const u32 wanted[] = { 4, 63, 64, 65, 100, 127 };

static u32 events_of(u8 type, u32 rank, u32 counter)
{
	return 1000000 * type + 1000 * (rank + 1) + counter;
}

/* Every counter of every block counts another number of events. */
static void count_wide(struct panthor_perf_fixture *f)
{
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		for (u32 rank = 0; rank < types[i].blocks; rank++) {
			for (u32 k = 4; k < WIDE_COUNTERS; k++)
				panthor_perf_fake_fw_count(&f->fake, types[i].type, rank, k,
							   events_of(types[i].type, rank, k));
		}
	}
}

static struct profiler *wide_create(struct kunit *test, u8 type, u32 flags)
{
	const struct drm_panthor_perf_section sections[] = {
		{ .block_type = type, .first_counter = 64, .mask = high },
		{ .block_type = type, .mask = low },
	};
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_session_config config = { .flags = flags };
	struct profiler *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	const size_t values = BLOCKS * COUNTERS;
	u32 size;

	KUNIT_ASSERT_NOT_NULL(test, p);
	for (u32 i = 0; i < ARRAY_SIZE(sections); i++)
		KUNIT_ASSERT_EQ(test, panthor_perf_select_add(config.masks, f->layout,
							      &sections[i]), 0);

	size = flags & DRM_PANTHOR_PERF_SETUP_COMPACT ?
	       panthor_perf_select_compact_size(f->layout, config.masks) :
	       panthor_perf_select_size(f->layout);
	p->slots = 2;
	/* As large as it must be: KASAN sees what goes beyond. */
	p->ring = kunit_kmalloc(test, p->slots * size, GFP_KERNEL);
	p->control = kunit_kmalloc(test, sizeof(*p->control), GFP_KERNEL);
	p->sums = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	p->zero = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->ring);
	KUNIT_ASSERT_NOT_NULL(test, p->control);
	KUNIT_ASSERT_NOT_NULL(test, p->sums);
	KUNIT_ASSERT_NOT_NULL(test, p->zero);
	memset(p->ring, 0xff, p->slots * size);
	p->session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p->session);
	session_init_ring(p->session, p->ring, p->control, p->slots, size);
	return p;
}

/* Like start(), whose sums are of 64 counters. */
static void wide_start(struct kunit *test, struct profiler *p)
{
	KUNIT_ASSERT_EQ(test, begin(test, p), 0);
	panthor_perf_fixture_run(test->priv);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(p->session, &p->wait), 0);
}

/* The counters that were requested, of the blocks of one type; all others read 0. */
static void upper_counters(struct kunit *test)
{
	const struct wide_type *t = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *p = wide_create(test, t->type, 0);
	const void *at = p->ring + HEADER_SIZE;

	wide_start(test, p);
	count_wide(f);
	sample(test, p, 0);
	KUNIT_ASSERT_EQ(test, p->control->insert_idx, 1);
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		for (u32 rank = 0; rank < types[i].blocks; rank++, at += WIDE_BLOCK) {
			const struct drm_panthor_perf_block_header *header = at;
			const u64 *values = at + sizeof(*header);
			u64 expected[WIDE_COUNTERS] = {};

			for (u32 k = 0; types[i].type == t->type && k < ARRAY_SIZE(wanted); k++)
				expected[wanted[k]] = events_of(t->type, rank, wanted[k]);
			KUNIT_EXPECT_EQ(test, header->type, types[i].type);
			KUNIT_EXPECT_EQ(test, header->idx, rank);
			KUNIT_EXPECT_MEMEQ(test, values, expected, sizeof(expected));
		}
	}

	KUNIT_EXPECT_EQ(test, at - p->ring, WIDE_SIZE);
	profiler_destroy(test, p);
}

/* Blocks of that type alone, and in them the counters that were requested alone. */
static void upper_counters_compact(struct kunit *test)
{
	const struct wide_type *t = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *p = wide_create(test, t->type, DRM_PANTHOR_PERF_SETUP_COMPACT);
	const void *at = p->ring + HEADER_SIZE;

	wide_start(test, p);
	count_wide(f);
	sample(test, p, 0);
	KUNIT_ASSERT_EQ(test, p->control->insert_idx, 1);
	for (u32 rank = 0; rank < t->blocks; rank++) {
		const struct drm_panthor_perf_block_header *header = at;
		const u64 *values = at + sizeof(*header);

		KUNIT_EXPECT_EQ(test, header->type, t->type);
		KUNIT_EXPECT_EQ(test, header->idx, rank);
		for (u32 k = 0; k < ARRAY_SIZE(wanted); k++)
			KUNIT_EXPECT_EQ(test, values[k], events_of(t->type, rank, wanted[k]));
		at = values + ARRAY_SIZE(wanted);
	}

	profiler_destroy(test, p);
}

static struct kunit_case wide_cases[] = {
	KUNIT_CASE_PARAM(upper_counters, wide_gen_params),
	KUNIT_CASE_PARAM(upper_counters_compact, wide_gen_params),
	{}
};

static int wide_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &wide);
	return 0;
}

static void wide_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite wide_suite = {
	.name = "panthor_perf_wide",
	.init = wide_init,
	.exit = wide_exit,
	.test_cases = wide_cases,
};

kunit_test_suite(wide_suite);
