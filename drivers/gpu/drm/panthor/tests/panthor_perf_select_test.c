// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_session_test.h"

/* Types of the RK3588 in the order of its samples, with the number of their blocks. */
static const struct {
	u8 type;
	u32 blocks;
} rk3588[] = {
	{ FW, 1 }, { CSHW, 1 }, { TILER, 1 }, { MEMSYS, 4 }, { SHADER, 4 },
};

#define SLOTS	8
#define BIT4	0x10ull

/* A session whose samples are compared with those of a session with all counters. */
struct pair {
	struct profiler *u, *all;
	u32 size;

	/* Counters that SETUP requested. */
	const u64 *asked;
	bool compact;
};

static void create_pair(struct kunit *test, struct pair *p, const u64 *asked, bool compact)
{
	p->asked = asked;
	p->compact = compact;
	p->u = profiler_create(test, asked, SLOTS, false, 0);
	p->all = profiler_of_all(test);
	p->size = SAMPLE_SIZE;
	if (!compact)
		return;

	p->u->session->config.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	p->size = panthor_perf_select_size(p->u->session->sampler->fw.layout,
					   p->u->session->config.masks, true);
	/* As large as it must be: KASAN sees what goes beyond. */
	p->u->ring = kunit_kmalloc(test, SLOTS * p->size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->u->ring);
	memset(p->u->ring, 0xff, SLOTS * p->size);
	session_init_ring(p->u->session, p->u->ring, p->u->control, SLOTS, p->size);
}

static void destroy_pair(struct kunit *test, struct pair *p)
{
	profiler_destroy(test, p->u);
	profiler_destroy(test, p->all);
}

static void start_pair(struct kunit *test, struct pair *p)
{
	start(test, p->u);
	start(test, p->all);
}

/* Each counter is what the other sample says, or 0, or not there, and nothing is anywhere else. */
static void expect_sample_at(struct kunit *test, struct pair *p, u64 index, int line)
{
	struct panthor_perf_fixture *f = test->priv;
	const void *from = p->u->ring + (index % SLOTS) * p->size, *at = from + HEADER_SIZE;
	u32 wrong = 0;

	for (u32 i = 0; i < ARRAY_SIZE(rk3588); i++) {
		const u8 type = rk3588[i].type;
		const u64 asked = p->asked[type], there = p->compact ? asked : ~0ull;

		for (u32 rank = 0; there && rank < rk3588[i].blocks; rank++) {
			const struct drm_panthor_perf_block_header *header = at;
			const u64 *values = at + 8;

			wrong += header->type != type || header->idx != rank || header->pad ||
				 header->states != states_at(f, p->all, index, type, rank);
			for (u32 k = 0; k < COUNTERS; k++) {
				u64 told = value_at(f, p->all, index, type, rank, k);

				if (there >> k & 1)
					wrong += *values++ != (asked >> k & 1 ? told : 0);
			}
			at = values;
		}
	}

	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, at - from, p->size, "in line %d", line);
}

#define expect_sample(test, p, index) expect_sample_at(test, p, index, __LINE__)

/* Both take a sample of the same events. */
static void sample_pair(struct kunit *test, struct pair *p, u32 seed)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fake_fw_count_all(&f->fake, seed);
	KUNIT_ASSERT_EQ(test, try_sample(p->u->session, seed), 0);
	KUNIT_ASSERT_EQ(test, try_sample(p->all->session, seed), 0);
	panthor_perf_fixture_run(f);
}

static void stop_pair(struct kunit *test, struct pair *p)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->u->session, 0), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->all->session, 0), 0);
	panthor_perf_fixture_run(test->priv);
}

static void consume_pair(struct kunit *test, struct pair *p)
{
	p->u->control->extract_idx = p->u->control->insert_idx;
	drain(test->priv, p->all);
}

static const u64 some[TYPES] = {
	[CSHW] = 0xf000000000000010, [MEMSYS] = 0x5555555555555550, [SHADER] = 0x30,
};

static const u64 some_of_some[TYPES] = {
	[CSHW] = 0x8000000000000010, [SHADER] = 0x20,
};

/*
 * COMPACT
 */

struct shape_case {
	const char *name;
	u64 masks[TYPES];
	u32 size;
};

/* 80 bytes, and of each block 8 and 8 for each counter. */
static const struct shape_case shape_cases[] = {
	{ "nothing", {}, 80 },
	{ "one counter of one block", { [FW] = BIT4 }, 96 },
	{ "the last counter", { [TILER] = 1ull << 63 }, 96 },
	{ "one counter of many blocks", { [SHADER] = BIT4 }, 80 + 4 * 16 },
	{ "two types with one between", { [FW] = 0x30, [MEMSYS] = 0x70 }, 80 + 24 + 4 * 32 },
	{ "every other", { [MEMSYS] = 0x5555555555555550, [SHADER] = 0xaaaaaaaaaaaaaaa0 },
	  80 + 8 * (8 + 30 * 8) },
	{ "all of one type", { [CSHW] = ALL_COUNTERS }, 80 + 8 + 60 * 8 },
	{ "everything", { [FW] = ALL_COUNTERS, [CSHW] = ALL_COUNTERS, [TILER] = ALL_COUNTERS,
			  [MEMSYS] = ALL_COUNTERS, [SHADER] = ALL_COUNTERS },
	  80 + 11 * (8 + 60 * 8) },
};

KUNIT_ARRAY_PARAM_DESC(shape, shape_cases, name);

static void compact_samples(struct kunit *test)
{
	const struct shape_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct pair p;

	create_pair(test, &p, c->masks, true);
	KUNIT_EXPECT_EQ(test, p.size, c->size);
	start_pair(test, &p);
	for (u32 i = 0; i < 3 * SLOTS; i++) {
		sample_pair(test, &p, i);
		expect_sample(test, &p, i);
		KUNIT_EXPECT_EQ(test, p.u->session->sample_nr, i + 1);
		consume_pair(test, &p);
	}
	panthor_perf_fake_fw_count_all(&f->fake, 99);
	stop_pair(test, &p);
	expect_sample(test, &p, 3 * SLOTS);
	consume_pair(test, &p);
	expect_conserved(test, p.all);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	destroy_pair(test, &p);
}

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

	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(layout, masks, true), 80);
	masks[CSG][1] = 1ull << 63 | 1;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(layout, masks, true), 80 + 8 * 24);
	masks[SHADER][0] = BIT4;
	masks[SHADER][1] = ~0ull;
	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(layout, masks, true),
			80 + 8 * 24 + 10 * (8 + 65 * 8));
	KUNIT_EXPECT_EQ(test, panthor_perf_select_size(layout, masks, false),
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

static struct kunit_case select_cases[] = {
	KUNIT_CASE_PARAM(compact_samples, shape_gen_params),
	KUNIT_CASE(compact_sizes_of_a_wide_gpu),
	KUNIT_CASE(sampled_together),
	{}
};

static int select_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void select_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite select_suite = {
	.name = "panthor_perf_select",
	.init = select_init,
	.exit = select_exit,
	.test_cases = select_cases,
};

kunit_test_suite(select_suite);
