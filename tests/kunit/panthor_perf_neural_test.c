// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "panthor_perf_events.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_session_test.h"

/*
 * Layouts
 */

/* GLB_PRFCNT_SIZE of so many units of 256 bytes. */
#define SIZES(fw, hw)	((u32)(fw) << 16 | (hw))

/* Blocks of 128 counters, two units each. */
#define GPU(id, slices, size)						\
	.gpu_id = (id), .gpu_prfcnt_features = 2, .csg_count = 8,	\
	.mem_features = ((slices) - 1) << 8, .prfcnt_size = (size)

#define CORES(mask)		.shader_present = (mask)
#define NE(mask)		.gpu_features = 0x10, .neural_present = (mask)

struct layout_case {
	const char *name;
	struct panthor_perf_layout_params params;
	u32 entry_size, cores, accelerators;

	/* Some of the blocks. */
	struct {
		u8 type, idx;
		u32 word;
	} blocks[8];
};

static const struct layout_case layout_cases[] = {
	{
		.name = "12 packed cores with accelerators",
		.params = { GPU(0xe8400000, 4, SIZES(0, 60)), CORES(0xee0077), NE(0xee0077) },
		.entry_size = 15360, .cores = 12, .accelerators = 12,
		.blocks = {
			{ SHADER, 0, 768 }, { SHADER, 11, 2176 }, { NEURAL, 0, 2304 },
			{ NEURAL, 5, 2944 }, { NEURAL, 11, 3712 },
		},
	},
	{
		.name = "the same size: 24 slots without",
		.params = { GPU(0xd8300015, 4, SIZES(0, 60)), CORES(0xee0077) },
		.entry_size = 15360, .cores = 12,
		.blocks = { { SHADER, 0, 768 }, { SHADER, 3, 1280 }, { SHADER, 11, 3712 } },
	},
	{
		.name = "the same size: 24 slots without, architecture 14.8.3",
		.params = { GPU(0xe8300000, 4, SIZES(0, 60)), CORES(0xee0077) },
		.entry_size = 15360, .cores = 12,
		.blocks = { { SHADER, 0, 768 }, { SHADER, 3, 1280 }, { SHADER, 11, 3712 } },
	},
	{
		.name = "the same size: 12 packed cores, architecture 14.8.3",
		.params = { GPU(0xe8300000, 4, SIZES(0, 60)), CORES(0xee0077), NE(0xee0077) },
		.entry_size = 15360, .cores = 12, .accelerators = 12,
		.blocks = { { SHADER, 3, 1152 }, { NEURAL, 0, 2304 }, { NEURAL, 11, 3712 } },
	},
	{
		.name = "packed, at every second core",
		.params = { GPU(0xe8400000, 4, SIZES(0, 60)), CORES(0xee0077), NE(0xa40052) },
		.entry_size = 15360, .cores = 12, .accelerators = 6,
		.blocks = {
			{ SHADER, 11, 2176 }, { NEURAL, 1, 2432 }, { NEURAL, 3, 2688 },
			{ NEURAL, 5, 2944 }, { NEURAL, 7, 3200 }, { NEURAL, 9, 3456 },
			{ NEURAL, 11, 3712 },
		},
	},
	{
		.name = "packed, at the last core alone",
		.params = { GPU(0xe8400000, 1, SIZES(0, 22)), CORES(0x50005), NE(0x40000) },
		.entry_size = 5632, .cores = 4, .accelerators = 1,
		.blocks = { { SHADER, 3, 768 }, { NEURAL, 3, 1280 } },
	},
	{
		.name = "sparse slots, architecture 14.8.3",
		.params = { GPU(0xe8300000, 1, SIZES(0, 82)), CORES(0x50005), NE(0x50005) },
		.entry_size = 20992, .cores = 4, .accelerators = 4,
		.blocks = {
			{ SHADER, 1, 640 }, { SHADER, 2, 2432 }, { NEURAL, 0, 2816 },
			{ NEURAL, 1, 3072 }, { NEURAL, 2, 4864 }, { NEURAL, 3, 5120 },
		},
	},
	{
		.name = "sparse slots, two accelerators",
		.params = { GPU(0xe8300000, 1, SIZES(0, 82)), CORES(0x50005), NE(0x10004) },
		.entry_size = 20992, .cores = 4, .accelerators = 2,
		.blocks = { { NEURAL, 1, 3072 }, { NEURAL, 2, 4864 } },
	},
	{
		.name = "10 cores, 2 slices",
		.params = { GPU(0xe8810000, 2, SIZES(0, 0x30)), CORES(0x3ff), NE(0x3ff) },
		.entry_size = 12288, .cores = 10, .accelerators = 10,
		.blocks = { { SHADER, 9, 1664 }, { NEURAL, 0, 1792 }, { NEURAL, 9, 2944 } },
	},
	{
		.name = "4 cores without",
		.params = { GPU(0xe8810000, 1, SIZES(0, 0x0e)), CORES(0xf) },
		.entry_size = 3584, .cores = 4,
		.blocks = { { SHADER, 0, 384 }, { SHADER, 3, 768 } },
	},
	{
		.name = "groups beside",
		.params = { GPU(0xe8400000, 1, SIZES(18, 18)), CORES(0x7), NE(0x5) },
		.entry_size = 9216, .cores = 3, .accelerators = 2,
		.blocks = {
			{ FW, 0, 0 }, { CSG, 0, 128 }, { CSG, 7, 1024 }, { CSHW, 0, 1152 },
			{ SHADER, 2, 1792 }, { NEURAL, 0, 1920 }, { NEURAL, 2, 2176 },
		},
	},
	{
		.name = "as many as there can be",
		.params = { GPU(0xe8400000, 16, SIZES(18, 292)), CORES(U64_MAX), NE(U64_MAX) },
		.entry_size = 79360, .cores = 64, .accelerators = 64,
		.blocks = { { SHADER, 63, 11520 }, { NEURAL, 0, 11648 }, { NEURAL, 63, 19712 } },
	},
	{
		.name = "other features",
		.params = {
			GPU(0xe8400000, 4, SIZES(0, 36)), CORES(0xee0077),
			.gpu_features = 0xffffffef,
		},
		.entry_size = 9216, .cores = 12,
		.blocks = { { SHADER, 11, 2176 } },
	},
};

KUNIT_ARRAY_PARAM_DESC(layouts, layout_cases, name);

static void accepts(struct kunit *test)
{
	const struct layout_case *c = test->param_value;
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&c->params);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	KUNIT_EXPECT_EQ(test, layout->entry_size, c->entry_size);
	KUNIT_EXPECT_EQ(test, layout->type_count[SHADER], c->cores);
	KUNIT_EXPECT_EQ(test, layout->type_count[NEURAL], c->accelerators);
	for (u32 i = 0; i < ARRAY_SIZE(c->blocks) && c->blocks[i].type; i++) {
		u32 found = 0;

		for (u32 nr = 0; nr < layout->block_count; nr++) {
			const struct panthor_perf_block *block = &layout->blocks[nr];

			if (block->type != c->blocks[i].type || block->idx != c->blocks[i].idx)
				continue;
			KUNIT_EXPECT_EQ_MSG(test, block->offset, c->blocks[i].word,
					    "type %u index %u", block->type, block->idx);
			found++;
		}
		KUNIT_EXPECT_EQ_MSG(test, found, 1, "type %u index %u", c->blocks[i].type,
				    c->blocks[i].idx);
	}
	kfree(layout);
}

static const struct layout_case refused_cases[] = {
	{
		.name = "feature without an accelerator",
		.params = {
			GPU(0xe8400000, 4, SIZES(0, 60)), CORES(0xee0077), .gpu_features = 0x10,
		},
	},
	{
		.name = "accelerators without the feature",
		.params = {
			GPU(0xe8400000, 4, SIZES(0, 60)), CORES(0xee0077),
			.neural_present = 0xee0077,
			.gpu_features = 0xffffffef,
		},
	},
	{
		.name = "accelerators without the feature, and a size without",
		.params = {
			GPU(0xe8400000, 4, SIZES(0, 36)), CORES(0xee0077),
			.neural_present = 0xee0077,
		},
	},
	{
		.name = "accelerator of an absent core",
		.params = { GPU(0xe8400000, 4, SIZES(0, 60)), CORES(0xee0077), NE(0xff0077) },
	},
	{
		.name = "size without accelerators",
		.params = { GPU(0xe8400000, 4, SIZES(0, 36)), CORES(0xee0077), NE(0xee0077) },
	},
	{
		.name = "size of the accelerators that are there",
		.params = { GPU(0xe8400000, 4, SIZES(0, 48)), CORES(0xee0077), NE(0xa40052) },
	},
	{
		.name = "one block short",
		.params = { GPU(0xe8400000, 4, SIZES(0, 58)), CORES(0xee0077), NE(0xee0077) },
	},
	{
		.name = "one block too many",
		.params = { GPU(0xe8400000, 4, SIZES(0, 62)), CORES(0xee0077), NE(0xee0077) },
	},
	{
		.name = "two blocks short",
		.params = { GPU(0xe8400000, 4, SIZES(0, 56)), CORES(0xee0077), NE(0xee0077) },
	},
	{
		.name = "sparse slots on architecture 14.8.4",
		.params = { GPU(0xe8400000, 4, SIZES(0, 108)), CORES(0xee0077), NE(0xee0077) },
	},
	{
		.name = "size zero",
		.params = { GPU(0xe8400000, 4, SIZES(0, 0)), CORES(0xee0077), NE(0xee0077) },
	},
};

KUNIT_ARRAY_PARAM_DESC(refused, refused_cases, name);

static void refuses(struct kunit *test)
{
	const struct layout_case *c = test->param_value;
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&c->params);

	KUNIT_EXPECT_PTR_EQ(test, (void *)layout, ERR_PTR(-EOPNOTSUPP));
	if (!IS_ERR_OR_NULL(layout))
		kfree(layout);
}

/* What clients may not use of a core, they may not use of its accelerator. */
static void withheld_with_the_core(struct kunit *test)
{
	struct panthor_perf_layout_params params = {
		GPU(0xe8400000, 1, SIZES(0, 22)), CORES(0x50005), NE(0x50001)
	};
	struct panthor_perf_layout *layout;

	params.shader_available = 0x40005;
	layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	for (u32 nr = 0; nr < layout->block_count; nr++) {
		const struct panthor_perf_block *block = &layout->blocks[nr];
		const bool of_core = block->type == SHADER || block->type == NEURAL;

		KUNIT_EXPECT_EQ(test, block->available, !of_core || block->idx != 2);
	}
	kfree(layout);
}

/*
 * Sessions. The GPU has as many blocks as the RK3588, so that the helpers serve: of its cores 0, 2,
 * 3 and 5, the second one has no accelerator.
 */

static const struct panthor_perf_fake_shape shapes[] = {
	{
		.name = "packed", .arch = 14, .block_words = 64, .groups = 8, .l2_slices = 2,
		.shader_present = 0x2d, .neural_present = 0x29, .packed = true,
	},
	{
		.name = "sparse", .arch = 14, .block_words = 64, .groups = 8, .l2_slices = 2,
		.shader_present = 0x2d, .neural_present = 0x29,
	},
};

KUNIT_ARRAY_PARAM_DESC(shapes, shapes, name);

static const u32 accelerators[] = { 0, 2, 3 };

static const u64 neural_masks[TYPES] = {
	[CSHW] = ALL_COUNTERS,
	[TILER] = ALL_COUNTERS,
	[MEMSYS] = ALL_COUNTERS,
	[SHADER] = ALL_COUNTERS,
	[NEURAL] = ALL_COUNTERS,
};

/* Offset and value of the enable mask of 64 counters. */
#define NEURAL_EN	0x60
#define NEURAL_EN_ALL	0xffff

static u32 *enable_word(struct panthor_perf_fixture *f)
{
	return (void *)&f->fake.input + NEURAL_EN;
}

static void enable_word_is_written_each_time(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shapes[0]);
	struct profiler *p;

	test->priv = f;
	p = profiler_create(test, neural_masks, 4, false, 0);
	*enable_word(f) = 0x5a;
	start(test, p);
	KUNIT_EXPECT_EQ(test, *enable_word(f), NEURAL_EN_ALL);
	panthor_perf_fixture_suspend(f);
	*enable_word(f) = 0x5a;
	panthor_perf_fixture_resume(f, false);
	KUNIT_EXPECT_EQ(test, *enable_word(f), NEURAL_EN_ALL);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	KUNIT_EXPECT_EQ(test, *enable_word(f), NEURAL_EN_ALL);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 3);
	stop(test, p, 0);
	profiler_destroy(test, p);
	panthor_perf_fixture_run(f);

	*enable_word(f) = 0;
	p = profiler_create(test, neural_masks, 4, false, 2);
	start(test, p);
	KUNIT_EXPECT_EQ(test, *enable_word(f), NEURAL_EN_ALL);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 4);
	profiler_destroy(test, p);
}

/* What the word is for is not known of a GPU without accelerators. */
static void word_of_others_is_left_alone(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	struct profiler *p;

	test->priv = f;
	p = profiler_of_all(test);
	*enable_word(f) = 0x5a;
	start(test, p);
	KUNIT_EXPECT_EQ(test, *enable_word(f), 0x5a);
	profiler_destroy(test, p);
}

/* Of each type, the indices that a sample has, in this order. */
static const struct {
	u8 type, idx, clock;
} expected_headers[] = {
	{ CSHW, 0, 0 }, { TILER, 0, 0 }, { MEMSYS, 0, 0 }, { MEMSYS, 1, 0 },
	{ SHADER, 0, 0 }, { SHADER, 1, 0 }, { SHADER, 2, 0 }, { SHADER, 3, 0 },
	{ NEURAL, 0, 3 }, { NEURAL, 2, 3 }, { NEURAL, 3, 3 },
};

static void reads_blocks_with_gaps(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, test->param_value);
	struct profiler *p;

	test->priv = f;
	p = profiler_create(test, neural_masks, 8, false, 0);
	start(test, p);
	for (u32 i = 0; i < ARRAY_SIZE(accelerators); i++)
		panthor_perf_fake_fw_count(&f->fake, NEURAL, accelerators[i], 10, 100 + i);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 10, 7);
	sample(test, p, 0);
	KUNIT_ASSERT_EQ(test, p->control->insert_idx, 1);
	for (u32 i = 0; i < BLOCKS; i++) {
		const struct drm_panthor_perf_block_header *header =
			p->ring + HEADER_SIZE + i * SAMPLE_BLOCK_SIZE;
		const u64 *values = (const void *)(header + 1);
		u64 value = 0;

		KUNIT_EXPECT_EQ(test, header->type, expected_headers[i].type);
		KUNIT_EXPECT_EQ(test, header->idx, expected_headers[i].idx);
		KUNIT_EXPECT_EQ(test, header->clock, expected_headers[i].clock);
		KUNIT_EXPECT_EQ(test, header->states, IS_ON | IS_THERE | IS_NORMAL);
		if (header->type == NEURAL)
			value = 100 + i - 8;
		if (header->type == SHADER && header->idx == 1)
			value = 7;
		KUNIT_EXPECT_EQ(test, values[10], value);
	}

	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, p, i);
	}
	drain(f, p);
	expect_conserved(test, p);
	profiler_destroy(test, p);
}

/* The accelerators' counters alone, in the smallest sample. */
static void compact_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shapes[0]);
	const u64 masks[TYPES] = { [NEURAL] = 0x8010 };
	const u8 *at;
	struct profiler *p;

	test->priv = f;
	p = profiler_create_with(test, masks, 4, false, (struct panthor_perf_session_config) {
		.flags = DRM_PANTHOR_PERF_SETUP_COMPACT,
	});
	KUNIT_EXPECT_EQ(test, p->session->sample_size, 80 + 3 * (8 + 2 * 8));
	start(test, p);
	for (u32 i = 0; i < ARRAY_SIZE(accelerators); i++) {
		panthor_perf_fake_fw_count(&f->fake, NEURAL, accelerators[i], 4, 10 + i);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, accelerators[i], 15, 20 + i);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, accelerators[i], 16, 30 + i);
	}
	sample(test, p, 0);
	at = p->ring + HEADER_SIZE;
	for (u32 i = 0; i < ARRAY_SIZE(accelerators); i++, at += 24) {
		const u64 *values = (const void *)(at + 8);

		KUNIT_EXPECT_EQ(test, at[0], NEURAL);
		KUNIT_EXPECT_EQ(test, at[1], accelerators[i]);
		KUNIT_EXPECT_EQ(test, values[0], 10 + i);
		KUNIT_EXPECT_EQ(test, values[1], 20 + i);
	}
	profiler_destroy(test, p);
}

/* The primary and the secondary set define counters of accelerators. */
static void sets(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shapes[0]);

	test->priv = f;
	for (u32 set = 0; set < 3; set++) {
		struct profiler *p = profiler_create(test, neural_masks, 4, false, set);

		start(test, p);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, 2, 10, 5);
		sample(test, p, 0);
		KUNIT_EXPECT_EQ(test, value_at(f, p, 0, NEURAL, 2, 10), set < 2 ? 5 : 0);
		KUNIT_EXPECT_EQ(test, states_at(f, p, 0, NEURAL, 2),
				set < 2 ? IS_ON | IS_THERE | IS_NORMAL : IS_WITHHELD);
		stop(test, p, 0);
		profiler_destroy(test, p);
		panthor_perf_fixture_run(f);
	}
}

/* An accelerator is on or off by its own word, whatever its core does. */
static void states_are_its_own(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, test->param_value);
	struct profiler *p;

	test->priv = f;
	p = profiler_create(test, neural_masks, 8, false, 0);
	start(test, p);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_power_off(&f->fake, NEURAL, 2);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 3);
	sample(test, p, 0);
	sample(test, p, 1);
	panthor_perf_fake_fw_power_on(&f->fake, NEURAL, 2);
	sample(test, p, 2);
	KUNIT_EXPECT_EQ(test, states_at(f, p, 1, NEURAL, 2), IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, p, 1, SHADER, 2), IS_ON | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, p, 1, NEURAL, 3), IS_ON | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, p, 1, SHADER, 3), IS_OFF | IS_THERE | IS_NORMAL);
	KUNIT_EXPECT_EQ(test, states_at(f, p, 2, NEURAL, 2), IS_ON | IS_THERE | IS_NORMAL);
	for (u32 i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, header_at(p, i)->events, 0);

	/* In a requested sample, and not in the next one. */
	panthor_perf_fake_fw_power_off(&f->fake, NEURAL, 2);
	sample(test, p, 3);
	KUNIT_EXPECT_EQ(test, header_at(p, 3)->events, CORE_OFF_LOST);
	KUNIT_EXPECT_EQ(test, header_at(p, 3)->flags, 0);
	profiler_destroy(test, p);
}

static int selects(struct kunit *test, struct panthor_perf_fixture *f, u8 type)
{
	const struct drm_panthor_perf_section section = { .block_type = type, .mask = 0x10 };
	u64 masks[TYPES][PANTHOR_PERF_MASK_WORDS] = {};

	return panthor_perf_select_add(masks, f->layout, &section);
}

static void sections(struct kunit *test)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shapes[0]);

	test->priv = f;
	KUNIT_EXPECT_EQ(test, selects(test, f, NEURAL), 0);
	KUNIT_EXPECT_EQ(test, selects(test, f, SHADER), 0);
	KUNIT_EXPECT_EQ(test, selects(test, f, CSG), -EINVAL);
}

/*
 * perf events
 */

/* A mask of instances has the bits of indices. That of a core without accelerator is refused. */
static void events_have_instances_with_gaps(struct kunit *test)
{
	static const struct {
		u64 instances, total;
	} cases[] = {
		{ 0, 111 }, { 0xd, 111 }, { 0x1, 1 }, { 0x4, 10 }, { 0x8, 100 }, { 0xc, 110 },
		{ 0x2, 0 }, { 0xf, 0 }, { 0x10, 0 },
	};
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shapes[0]);
	static const u32 counts[] = { 1, 10, 100 };
	struct panthor_perf_events *events = kunit_kzalloc(test, sizeof(*events), GFP_KERNEL);

	test->priv = f;
	KUNIT_ASSERT_NOT_NULL(test, events);
	f->perf.layout = f->layout;
	mutex_init(&f->perf.alloc_lock);
	KUNIT_ASSERT_EQ(test, panthor_perf_events_init(events, 50000), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_events_plug(events, &f->perf), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_power_get(&f->sampler.fw), 0);

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct panthor_perf_event_config config = {
			.type = NEURAL, .counter = 10, .instances = cases[i].instances, .factor = 1,
		};
		struct panthor_perf_event *event = panthor_perf_event_open(events, &config);
		u64 before;

		if (!cases[i].total) {
			KUNIT_EXPECT_PTR_EQ(test, (void *)event, ERR_PTR(-EINVAL));
			continue;
		}
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, event);
		before = panthor_perf_event_total(events, event);
		for (u32 k = 0; k < ARRAY_SIZE(accelerators); k++)
			panthor_perf_fake_fw_count(&f->fake, NEURAL, accelerators[k], 10,
						   counts[k]);
		/* Twice the longest age of a value. */
		msleep(100);
		KUNIT_EXPECT_EQ(test, panthor_perf_event_total(events, event) - before,
				cases[i].total);
		panthor_perf_event_close(events, event);
	}

	panthor_perf_hw_power_put(&f->sampler.fw);
	panthor_perf_events_fini(events);
}

static struct kunit_case neural_cases[] = {
	KUNIT_CASE_PARAM(accepts, layouts_gen_params),
	KUNIT_CASE_PARAM(refuses, refused_gen_params),
	KUNIT_CASE(withheld_with_the_core),
	KUNIT_CASE(enable_word_is_written_each_time),
	KUNIT_CASE(word_of_others_is_left_alone),
	KUNIT_CASE_PARAM(reads_blocks_with_gaps, shapes_gen_params),
	KUNIT_CASE(compact_samples),
	KUNIT_CASE(sets),
	KUNIT_CASE_PARAM(states_are_its_own, shapes_gen_params),
	KUNIT_CASE(sections),
	KUNIT_CASE(events_have_instances_with_gaps),
	{}
};

static struct kunit_suite neural_suite = {
	.name = "panthor_perf_neural",
	.exit = panthor_perf_fixture_exit,
	.test_cases = neural_cases,
};

kunit_test_suite(neural_suite);
