// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_sampler_test.h"

static void adds_beyond_32_bits(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

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
	struct sampler_user a;

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
	const struct panthor_fw_global_input_iface *input = &f->fake.input;
	const u32 all = shape->block_words == 64 ? 0xffff : 0xffffffff;
	struct sampler_user a;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, input->perfcnt_fw_enable, all);
	KUNIT_EXPECT_EQ(test, input->perfcnt_csg_enable, all);
	KUNIT_EXPECT_EQ(test, input->perfcnt_csf_enable, all);
	KUNIT_EXPECT_EQ(test, input->perfcnt_tiler_enable, all);
	KUNIT_EXPECT_EQ(test, input->perfcnt_mmu_l2_enable, all);
	KUNIT_EXPECT_EQ(test, input->perfcnt_shader_enable, all);
	KUNIT_EXPECT_EQ(test, !!f->fake.control.perfcnt_features, shape->metadata);
	KUNIT_EXPECT_EQ(test, input->perfcnt_config, PANTHOR_PERF_FW_RING_SLOTS);
	KUNIT_EXPECT_EQ(test, f->layout->entry_size, f->fake.entry_words * 4);
	KUNIT_EXPECT_EQ(test, input->perfcnt_csg_select, shape->groups == 31 ? 0x7fffffff : 0xff);
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
	struct sampler_user a;

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
	struct sampler_user a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 10, 1000);
	sample(f, &a);
	autos(f, 1);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_block(&f->fake, SHADER, 2)->off = true;

	/* Once around the ring and more: what lies in its slots is old. */
	for (u32 i = 0; i < 140; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i + 1);
		sample(f, &a);
	}
	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 2, 10), 1000);

	panthor_perf_fake_fw_block(&f->fake, SHADER, 2)->off = false;
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
	struct sampler_user a;

	attach_on(f, &a);
	sample(f, &a);
	panthor_perf_fake_fw_block(&f->fake, CSHW, 0)->off = true;
	count(f, 5);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 5);
	KUNIT_EXPECT_EQ(test, f->sampler.counts.sum.gpu_timestamp,
			f->fake.timestamp + FAKE_BLOCK_DELAY);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void reports_saturated_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

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

static void folds_automatic_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

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
	struct sampler_user a;

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

/* The same without a request: counts that had no room appear in the next sample. */
static void recovers_from_automatic_overflow(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

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

static void reads_a_full_ring(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a;

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
	struct sampler_user a;

	attach_on(f, &a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(f, &a);
	}

	WRITE_ONCE(f->fake.output.perfcnt_insert, c->insert);
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

static void one_enable_for_all_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b, c;

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

static void one_set_at_a_time(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), 0);
	detach(f, &b);
	KUNIT_EXPECT_EQ(test, f->fake.input.perfcnt_config & GENMASK(9, 8), 0);

	/* The counters still run with the old set when the new one comes. */
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 2), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_EQ(test, f->fake.input.perfcnt_config & GENMASK(9, 8), 2 << 8);
	sample(f, &b);
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 0), -EBUSY);
	detach(f, &b);
	panthor_perf_fixture_run(f);

	/* And when they do not run. */
	KUNIT_EXPECT_EQ(test, attach_set(f, &a, 1), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.input.perfcnt_config & GENMASK(9, 8), 1 << 8);
	detach(f, &a);
}

/* Flags and events are reported to the clients that are attached, and to each of them once. */
static void incidents_belong_to_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user a, b, c;

	attach_on(f, &a);
	attach_on(f, &b);
	WRITE_ONCE(f->fake.output.perfcnt_insert, 1000);
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
	struct sampler_user a;
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

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE(adds_beyond_32_bits),
	KUNIT_CASE_PARAM(adds_every_counter, shape_gen_params),
	KUNIT_CASE_PARAM(enables_everything, shape_gen_params),
	KUNIT_CASE_PARAM(synchronises_what_it_touches, shape_gen_params),
	KUNIT_CASE(ignores_blocks_without_power),
	KUNIT_CASE(ignores_front_end_without_power),
	KUNIT_CASE(reports_saturated_counters),
	KUNIT_CASE(folds_automatic_samples),
	KUNIT_CASE(acknowledges_threshold),
	KUNIT_CASE(recovers_from_automatic_overflow),
	KUNIT_CASE(reads_a_full_ring),
	KUNIT_CASE_PARAM(distrusts_insert, insert_gen_params),
	KUNIT_CASE(one_enable_for_all_clients),
	KUNIT_CASE(one_set_at_a_time),
	KUNIT_CASE(incidents_belong_to_clients),
	KUNIT_CASE(is_quiet),
	{}
};

static struct kunit_suite sampler_suite = {
	.name = "panthor_perf_sampler",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = sampler_cases,
};

kunit_test_suite(sampler_suite);
