// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_sampler_test.h"

/*
 * Adding up
 */

static void adds_beyond_32_bits(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		count(f, 0xf0000000);
		sample(f, &a);
	}

	KUNIT_EXPECT_EQ(test, counted(f), 0x2d0000000);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static const struct panthor_perf_fake_shape shapes[] = {
	{
		.name = "rk3588", .arch = 10, .block_words = 64, .fw_block = true, .groups = 8,
		.l2_slices = 4, .shader_present = 0x50005,
	},
	{
		.name = "without firmware block", .arch = 10, .block_words = 64, .groups = 8,
		.l2_slices = 1, .shader_present = 0x1,
	},
	{
		.name = "with groups", .arch = 10, .block_words = 64, .fw_block = true,
		.csg_blocks = true, .groups = 31, .l2_slices = 2, .shader_present = 0x7,
	},
	{
		.name = "with metadata", .arch = 10, .block_words = 64, .metadata = true,
		.fw_block = true, .groups = 8, .l2_slices = 2, .shader_present = 0x7,
	},
	{
		.name = "128 counters", .arch = 11, .block_words = 128, .fw_block = true,
		.groups = 8, .l2_slices = 4, .shader_present = 0x50005,
	},
	{
		.name = "128 counters, packed, metadata, groups", .arch = 14, .block_words = 128,
		.metadata = true, .fw_block = true, .csg_blocks = true, .groups = 8,
		.l2_slices = 4, .shader_present = 0x50005, .packed = true,
	},
	{
		.name = "all there may be", .arch = 12, .block_words = 128, .fw_block = true,
		.csg_blocks = true, .groups = 31, .l2_slices = 16, .shader_present = U64_MAX,
	},
};

KUNIT_ARRAY_PARAM_DESC(shape, shapes, name);

static void adds_every_counter(struct kunit *test)
{
	const struct panthor_perf_fake_shape *shape = test->param_value;
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, shape);
	const u32 last = shape->block_words - 1;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 5; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i + 1);
		sample(f, &a);
	}

	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, CSHW, 0, 4), 0);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, MEMSYS, shape->l2_slices - 1, last), 0);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
	panthor_perf_fixture_destroy(f);
}

/*
 * All counters are enabled, in the primary set, for all groups, whatever clients want. The metadata
 * block is not, whether the firmware offers one or not, and entries have no room for it.
 */
static void enables_everything(struct kunit *test)
{
	const struct panthor_perf_fake_shape *shape = test->param_value;
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, shape);
	const struct panthor_perf_fake_config *config = &f->fake.config;
	const u32 all = shape->block_words == 64 ? 0xffff : 0xffffffff;
	struct asker a;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, config->enables[FW], all);
	KUNIT_EXPECT_EQ(test, config->enables[CSG], all);
	KUNIT_EXPECT_EQ(test, config->enables[CSHW], all);
	KUNIT_EXPECT_EQ(test, config->enables[TILER], all);
	KUNIT_EXPECT_EQ(test, config->enables[MEMSYS], all);
	KUNIT_EXPECT_EQ(test, config->enables[SHADER], all);
	KUNIT_EXPECT_EQ(test, !!f->fake.control.perfcnt_features, shape->metadata);
	KUNIT_EXPECT_EQ(test, config->config, PANTHOR_PERF_FW_RING_SLOTS);
	KUNIT_EXPECT_EQ(test, f->layout->entry_size, f->fake.entry_words * 4);
	KUNIT_EXPECT_EQ(test, config->csg_select, shape->groups == 31 ? 0x7fffffff : 0xff);
	detach(f, &a);
	panthor_perf_fixture_destroy(f);
}

/*
 * An entry is read as a whole, and its enable words once more. Of what is written back, nothing but
 * the enable words is touched.
 */
static void synchronises_what_it_touches(struct kunit *test)
{
	const struct panthor_perf_fake_shape *shape = test->param_value;
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, shape);
	struct asker a;

	attach_on(f, &a);
	f->fake.cpu_bytes = 0;
	f->fake.dev_bytes = 0;
	for (u32 i = 0; i < 3; i++)
		sample(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.cpu_bytes, 3 * f->fake.entry_words * sizeof(u32));
	KUNIT_EXPECT_EQ(test, f->fake.dev_bytes, 3 * f->fake.block_count * sizeof(u32));
	detach(f, &a);
	panthor_perf_fixture_destroy(f);
}

static void ignores_blocks_without_power(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 10, 1000);
	sample(f, &a);
	autos(f, 1);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 2);

	/* Once around the ring and more: what lies in its slots is old. */
	for (u32 i = 0; i < 140; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i + 1);
		sample(f, &a);
	}
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 2, 10), 1000);

	panthor_perf_fake_fw_power_on(&f->fake, SHADER, 2);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 10, 7);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 2, 10), 1007);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* A front end without power does not make the sample invalid: the first block stamps it. */
static void ignores_front_end_without_power(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	sample(f, &a);
	panthor_perf_fake_fw_power_off(&f->fake, CSHW, 0);
	count(f, 5);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 5);
	KUNIT_EXPECT_EQ(test, f->sampler.counts.sum.gpu_timestamp,
			f->fake.timestamp + FAKE_BLOCK_DELAY);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void adds_what_was_written(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	/* The header's group, counters 4 to 7, 8 to 11, and 60 to 63. */
	f->fake.enable_word = 0x8007;
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);

	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, SHADER, 0, 11), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 0, 12), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 0, 59), 0);
	KUNIT_EXPECT_GT(test, panthor_perf_fixture_total(f, SHADER, 0, 60), 0);
	detach(f, &a);
}

/* Each type of block has another enable word. */
static void adds_groups_of_each_type(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_fw_global_input_iface *input = &f->fake.input;
	const struct {
		u8 type;
		u32 *word;
		u32 en;
	} words[] = {
		{ FW, &input->perfcnt_fw_enable, 0x8003 },
		{ CSHW, &input->perfcnt_csf_enable, 0x4007 },
		{ TILER, &input->perfcnt_tiler_enable, 0x000e },
		{ MEMSYS, &input->perfcnt_mmu_l2_enable, 0xaaaa },
		{ SHADER, &input->perfcnt_shader_enable, 0x5557 },
	};
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		*words[i].word = words[i].en;
		f->fake.config.enables[words[i].type] = words[i].en;
	}
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
		panthor_perf_fixture_expect_exact(f);
	}
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		for (u32 counter = 4; counter < 64; counter++)
			KUNIT_EXPECT_EQ_MSG(test, !panthor_perf_fixture_total(f, words[i].type, 0,
									      counter),
					    !(words[i].en >> counter / 4 & 1), "type %u, %u",
					    words[i].type, counter);
	}
	detach(f, &a);
}

/* Without the first group of counters a block was not written, whatever else the word says. */
static void ignores_blocks_without_first_group(struct kunit *test)
{
	static const u32 words[] = { 0x0001, 0xfffd, 0x8000, 0xfffffffc };
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fake_block *block = panthor_perf_fake_fw_block(&f->fake, TILER, 0);
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		panthor_perf_fake_fw_count(&f->fake, TILER, 0, 8, 99);
		f->fake.config.enables[TILER] = words[i];
		f->fake.input.perfcnt_tiler_enable = words[i];
		sample(f, &a);
		KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, TILER, 0, 8), 0);
	}

	/* The rest of these samples was taken. */
	KUNIT_EXPECT_GT(test, block->reported[8], 0);
	count(f, 3);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 3);
	detach(f, &a);
}

static void tells_saturated_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	count(f, 0xfffffffe);
	sample(f, &a);
	expect_incidents(f, &a, 0, 0);
	count(f, 0xffffffff);
	count(f, 0xffffffff);
	sample(f, &a);
	expect_incidents(f, &a, OVERFLOW, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 0x1fffffffd);
	detach(f, &a);
}

/*
 * Reading the ring
 */

static void folds_automatic_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 5; i++) {
		count(f, 100);
		autos(f, 1);
	}
	KUNIT_EXPECT_EQ(test, counted(f), 0);

	/* The worker reads all samples, whatever the reason for its run. */
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, counted(f), 500);
	KUNIT_EXPECT_EQ(test, panthor_perf_fake_fw_fill(&f->fake), 0);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 0);

	count(f, 20);
	autos(f, 1);
	count(f, 1);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 521);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, f->fake.autos, 6);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static void acknowledges_threshold(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 3; i++) {
		count(f, 10);
		autos(f, f->fake.slots / 2 - 1);
		KUNIT_EXPECT_EQ(test, f->fake.thresholds, i - 1);
		autos(f, 1);
		KUNIT_EXPECT_EQ(test, f->fake.thresholds, i);
		KUNIT_EXPECT_EQ(test, pending_bits(f), GLB_PERFCNT_THRESHOLD);

		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
		KUNIT_EXPECT_EQ(test, panthor_perf_fake_fw_fill(&f->fake), 0);
		KUNIT_EXPECT_EQ(test, counted(f), 10 * i);
	}

	KUNIT_EXPECT_EQ(test, f->fake.overflows, 0);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* The ring becomes full between the worker's last check and its request. */
static void recovers_from_overflow(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		f->fake.burst = f->fake.slots;
		sample(f, &a);
		KUNIT_EXPECT_EQ(test, f->fake.overflows, i);
		expect_incidents(f, &a, ERROR, FW_OVERFLOW);
		panthor_perf_fixture_expect_exact(f);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, FW, 0, 4) -
			      panthor_perf_fake_fw_block(&f->fake, FW, 0)->reported[4], 0);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 3);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	detach(f, &a);
}

/* The same without a request: counts that had no room appear in the next sample. */
static void recovers_from_automatic_overflow(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	autos(f, f->fake.slots);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 0);
	count(f, 33);
	autos(f, 1);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	KUNIT_EXPECT_EQ(test, counted(f), 0);
	expect_incidents(f, &a, ERROR, FW_OVERFLOW);

	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 33);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

/* The ring becomes full while the worker reads it, after its check of the events. */
static void overflow_while_reading(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	autos(f, f->fake.slots / 2);
	KUNIT_EXPECT_EQ(test, pending_bits(f), GLB_PERFCNT_THRESHOLD);
	f->fake.burst = f->fake.slots;
	f->fake.answer_in_sync = true;
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	expect_incidents(f, &a, ERROR, FW_OVERFLOW);

	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* A reset comes before the worker. */
static void overflow_before_a_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	autos(f, f->fake.slots + 1);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	expect_incidents(f, &a, ERROR, RESET | FW_OVERFLOW);
	detach(f, &a);
}

/* Firmware that drops a request which had no room in the ring. */
static void restarts_after_lost_request(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	f->fake.deaf_after_overflow = true;
	f->fake.burst = f->fake.slots;
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	expect_incidents(f, &a, ERROR, FW_OVERFLOW | FW_TIMEOUT);
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, CSHW, 0, 4), 64);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void reads_a_full_ring(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		for (u32 k = 0; k < 64; k++) {
			count(f, 1);
			autos(f, 1);
		}
		KUNIT_EXPECT_EQ(test, panthor_perf_fake_fw_fill(&f->fake), 64);
		panthor_perf_fixture_run(f);
	}

	KUNIT_EXPECT_EQ(test, counted(f), 192);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 0);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

struct insert_case {
	const char *name;
	u32 insert;
};

/* After three samples in a ring of 64. */
static const struct insert_case insert_cases[] = {
	{ "one more than the ring holds", 68 },
	{ "backwards by one", 2 },
	{ "zero", 0 },
	{ "half of the range ahead", 0x80000003 },
	{ "all ones", 0xffffffff },
	{ "poison", 0xdeadbeef },
};

KUNIT_ARRAY_PARAM_DESC(insert, insert_cases, name);

static void distrusts_insert(struct kunit *test)
{
	const struct insert_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
	}

	panthor_perf_fake_fw_spoil_insert(&f->fake, c->insert);
	panthor_perf_fixture_run(f);
	expect_incidents(f, &a, ERROR, FW_ERROR);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fixture_expect_exact(f);

	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	detach(f, &a);
}

/* A false index that could be true: nothing false is added, and the firmware gets a new start. */
static void survives_a_plausible_insert(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;
	u32 doorbells;

	/* A driver that trusts the impossible index goes beyond the true one. */
	f->violations_expected = true;
	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
	}

	panthor_perf_fake_fw_spoil_insert(&f->fake, 8);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_expect_exact(f);
	/* All cores have vanished, it seems. */
	expect_incidents(f, &a, 0, CORE_OFF_LOST);

	/* Firmware finds its ring full again and again. The worker does not loop for that. */
	doorbells = f->fake.doorbells;
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_LE(test, f->fake.doorbells - doorbells, 4);
	panthor_perf_fixture_overdue(f);
	KUNIT_ASSERT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, a.client.flags, ERROR);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

/* The index becomes impossible while a request is pending: the restart completes it. */
static void distrusts_insert_of_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	f->fake.hold = 0;
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	expect_incidents(f, &a, ERROR, FW_ERROR);
	detach(f, &a);
}

/*
 * Clients
 */

static void one_enable_for_all_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b, c;

	attach_on(f, &a);
	count(f, 1);
	attach_on(f, &b);
	sample(f, &b);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	count(f, 2);
	attach_on(f, &c);
	sample(f, &c);
	detach(f, &b);
	panthor_perf_fixture_run(f);
	count(f, 4);
	sample(f, &c);
	KUNIT_EXPECT_EQ(test, counted(f), 7);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 0);

	detach(f, &c);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_EQ(test, f->fake.unread, 0);

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	detach(f, &a);
}

/* A client attaches while the disable for the last client is not acknowledged yet. */
static void client_comes_while_disabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	detach(f, &a);
}

static void client_goes_while_enabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	panthor_perf_fixture_run(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void client_goes_and_comes_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;
	int ret;

	attach_on(f, &a);
	/* Within one turn of the worker. */
	mutex_lock(&f->sampler.lock);
	panthor_perf_sampler_detach_locked(&f->sampler, &a.client);
	a.client.flags = ERROR;
	a.client.events = RESET;
	ret = panthor_perf_sampler_attach_locked(&f->sampler, &a.client, 0);
	mutex_unlock(&f->sampler.lock);
	KUNIT_EXPECT_EQ(test, ret, 0);

	/* What happened before is none of its. */
	expect_incidents(f, &a, 0, 0);
	panthor_perf_fixture_run(f);
	count(f, 9);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 9);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

static void one_set_at_a_time(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), 0);
	detach(f, &b);
	KUNIT_EXPECT_EQ(test, f->fake.config.config & GENMASK(9, 8), 0);

	/* The counters still run with the old set when the new one comes. */
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 2), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_EQ(test, f->fake.config.config & GENMASK(9, 8), 2 << 8);
	sample(f, &b);
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 0), -EBUSY);
	detach(f, &b);
	panthor_perf_fixture_run(f);

	/* And when they do not run. */
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.config.config & GENMASK(9, 8), 1 << 8);
	detach(f, &a);
}

/* Flags and events are reported to the clients that are attached, and to each of them once. */
static void incidents_belong_to_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b, c;

	attach_on(f, &a);
	attach_on(f, &b);
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	panthor_perf_fixture_run(f);
	expect_incidents(f, &a, ERROR, FW_ERROR);
	expect_incidents(f, &b, ERROR, FW_ERROR);
	attach_on(f, &c);
	expect_incidents(f, &c, 0, 0);
	a.client.flags = 0;
	a.client.events = 0;
	sample(f, &a);
	expect_incidents(f, &a, 0, 0);
	expect_incidents(f, &b, ERROR, FW_ERROR);
	detach(f, &a);
	detach(f, &b);
	detach(f, &c);
}

/* Nothing to do is nothing done, and all answers come with an interrupt. */
static void is_quiet(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;
	u32 doorbells;

	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	attach_on(f, &a);
	sample(f, &a);
	doorbells = f->fake.doorbells;
	for (u32 i = 0; i < 10; i++)
		panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);

	autos(f, 64);
	panthor_perf_fixture_run(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.masked, 0);
	/* Enable, sample, threshold, disable. */
	KUNIT_EXPECT_EQ(test, f->fake.irqs, 4);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
}

/* Clients that ask one after another share the firmware's requests. */
static void one_request_per_interval(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	f->sampler.request_interval_ns = 500 * NSEC_PER_MSEC;
	panthor_perf_fixture_sleep_to_phase(500 * NSEC_PER_MSEC, 40);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);

	count(f, 3);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	count(f, 4);
	KUNIT_ASSERT_EQ(test, ask(f, &b), 0);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	/* Only its timer queues the worker then. */
	msleep(700);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 2);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, b.answers, 1);
	KUNIT_EXPECT_EQ(test, a.counted, 7);
	detach(f, &a);
	detach(f, &b);
}

/* A client that waits for its turn and goes leaves no timer behind. */
static void timer_ends_with_its_request(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	f->sampler.request_interval_ns = 3600ull * NSEC_PER_SEC;
	sample(f, &a);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&f->sampler.timer));
	KUNIT_ASSERT_EQ(test, ask(f, &b), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_TRUE(test, hrtimer_active(&f->sampler.timer));
	detach(f, &b);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_FALSE(test, hrtimer_active(&f->sampler.timer));
	detach(f, &a);
}

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE(adds_beyond_32_bits),
	KUNIT_CASE_PARAM(adds_every_counter, shape_gen_params),
	KUNIT_CASE_PARAM(enables_everything, shape_gen_params),
	KUNIT_CASE_PARAM(synchronises_what_it_touches, shape_gen_params),
	KUNIT_CASE(ignores_blocks_without_power),
	KUNIT_CASE(ignores_front_end_without_power),
	KUNIT_CASE(adds_what_was_written),
	KUNIT_CASE(adds_groups_of_each_type),
	KUNIT_CASE(ignores_blocks_without_first_group),
	KUNIT_CASE(tells_saturated_counters),
	KUNIT_CASE(folds_automatic_samples),
	KUNIT_CASE(acknowledges_threshold),
	KUNIT_CASE(recovers_from_overflow),
	KUNIT_CASE(recovers_from_automatic_overflow),
	KUNIT_CASE(overflow_while_reading),
	KUNIT_CASE(overflow_before_a_reset),
	KUNIT_CASE(restarts_after_lost_request),
	KUNIT_CASE(reads_a_full_ring),
	KUNIT_CASE_PARAM(distrusts_insert, insert_gen_params),
	KUNIT_CASE(survives_a_plausible_insert),
	KUNIT_CASE(distrusts_insert_of_answer),
	KUNIT_CASE(one_enable_for_all_clients),
	KUNIT_CASE(client_comes_while_disabling),
	KUNIT_CASE(client_goes_while_enabling),
	KUNIT_CASE(client_goes_and_comes_back),
	KUNIT_CASE(one_set_at_a_time),
	KUNIT_CASE(incidents_belong_to_clients),
	KUNIT_CASE(is_quiet),
	KUNIT_CASE(one_request_per_interval),
	KUNIT_CASE(timer_ends_with_its_request),
	{}
};

static int sampler_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void sampler_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite sampler_suite = {
	.name = "panthor_perf_sampler",
	.init = sampler_init,
	.exit = sampler_exit,
	.test_cases = sampler_cases,
};

kunit_test_suite(sampler_suite);
