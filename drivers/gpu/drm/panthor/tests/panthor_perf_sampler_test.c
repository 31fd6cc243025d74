// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/jiffies.h>

#include "panthor_perf_fixture.h"
#include "panthor_perf_sampler.h"

#define FW		DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSG		DRM_PANTHOR_PERF_BLOCK_TYPE_CSG
#define CSHW		DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER		DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS		DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER		DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER

#define OVERFLOW	DRM_PANTHOR_PERF_SAMPLE_OVERFLOW
#define ERROR		DRM_PANTHOR_PERF_SAMPLE_ERROR

#define FW_OVERFLOW	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW
#define FW_TIMEOUT	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT
#define RESET		DRM_PANTHOR_PERF_EVENT_RESET
#define SUSPEND		DRM_PANTHOR_PERF_EVENT_SUSPEND
#define PROTECTED	DRM_PANTHOR_PERF_EVENT_PROTECTED

#define NO_STATUS	1

/* Someone who wants samples. */
struct asker {
	struct panthor_perf_client client;
	struct panthor_perf_request request;
	u32 answers;
	int status;
};

static void asker_complete(struct panthor_perf_request *req, int status)
{
	struct asker *asker = container_of(req, typeof(*asker), request);

	asker->answers++;
	asker->status = status;
}

static int attach_set(struct panthor_perf_fixture *f, struct asker *asker, u32 set)
{
	struct panthor_perf_fw *fw = &f->sampler.fw;
	int ret;

	/* As START does. */
	KUNIT_ASSERT_EQ(f->test, fw->ops->power_get(fw), 0);
	KUNIT_ASSERT_EQ(f->test, panthor_perf_fw_alloc_ring(fw), 0);
	memset(asker, 0, sizeof(*asker));
	panthor_perf_client_init(&asker->client);
	panthor_perf_request_init(&asker->request, asker_complete);
	asker->status = NO_STATUS;

	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_attach_locked(&f->sampler, &asker->client, set);
	mutex_unlock(&f->sampler.lock);
	if (ret)
		fw->ops->power_put(fw);

	return ret;
}

static void attach(struct panthor_perf_fixture *f, struct asker *asker)
{
	KUNIT_ASSERT_EQ(f->test, attach_set(f, asker, 0), 0);
}

/* Attach, and have the counters run. */
static void attach_on(struct panthor_perf_fixture *f, struct asker *asker)
{
	attach(f, asker);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_TRUE(f->test, f->fake.enabled);
}

static void detach(struct panthor_perf_fixture *f, struct asker *asker)
{
	mutex_lock(&f->sampler.lock);
	panthor_perf_request_cancel_locked(&asker->request);
	panthor_perf_sampler_detach_locked(&f->sampler, &asker->client);
	mutex_unlock(&f->sampler.lock);
	f->sampler.fw.ops->power_put(&f->sampler.fw);
}

static int ask(struct panthor_perf_fixture *f, struct asker *asker)
{
	int ret;

	asker->answers = 0;
	asker->status = NO_STATUS;
	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_request_locked(&f->sampler, &asker->request);
	mutex_unlock(&f->sampler.lock);
	return ret;
}

/* A request that the firmware does not answer yet. */
static void ask_in_vain(struct panthor_perf_fixture *f, struct asker *asker)
{
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(f->test, ask(f, asker), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(f->test, asker->answers, 0);
}

/* A sample that the firmware answers at once. */
static void sample(struct panthor_perf_fixture *f, struct asker *asker)
{
	KUNIT_ASSERT_EQ(f->test, ask(f, asker), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(f->test, asker->answers, 1);
	KUNIT_ASSERT_EQ(f->test, asker->status, 0);
}

/* A counter that no test but the one at hand cares for. */
static void count(struct panthor_perf_fixture *f, u32 events)
{
	panthor_perf_fake_fw_count(&f->fake, SHADER, 3, 63, events);
}

static u64 counted(struct panthor_perf_fixture *f)
{
	return panthor_perf_fixture_total(f, SHADER, 3, 63);
}

static void autos(struct panthor_perf_fixture *f, u32 number)
{
	for (u32 i = 0; i < number; i++)
		panthor_perf_fake_fw_auto_sample(&f->fake);
}

static void expect_incidents_at(struct panthor_perf_fixture *f, const struct asker *asker,
				u32 flags, u32 events, int line)
{
	KUNIT_EXPECT_EQ_MSG(f->test, asker->client.flags, flags, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(f->test, asker->client.events, events, "in line %d", line);
}

#define expect_incidents(f, asker, flags, events) \
	expect_incidents_at(f, asker, flags, events, __LINE__)

static u32 pending_bits(struct panthor_perf_fixture *f)
{
	return (f->fake.input.req ^ f->fake.output.ack) &
	       (GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE | GLB_PERFCNT_THRESHOLD |
		GLB_PERFCNT_OVERFLOW);
}

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

/* Everything is enabled, in the primary set, for all groups, whoever wants what. */
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
	KUNIT_EXPECT_EQ(test, config->config & GENMASK(9, 8), 0);
	KUNIT_EXPECT_EQ(test, config->csg_select, shape->groups == 31 ? 0x7fffffff : 0xff);
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

/* A front end without power makes neither the sample nor its time stamp invalid. */
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
	KUNIT_EXPECT_NE(test, f->sampler.gpu_timestamp, 0xa5a5a5a5a5a5a5a5);
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

static void ignores_values_after_protected_mode(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	u64 timestamp;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	timestamp = f->fake.timestamp;
	panthor_perf_fake_fw_protected_exit(&f->fake);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_fake_fw_fill(&f->fake), 0);
	panthor_perf_fixture_expect_exact(f);
	expect_incidents(f, &a, 0, PROTECTED);
	KUNIT_EXPECT_EQ(test, f->sampler.gpu_timestamp, timestamp);

	panthor_perf_fake_fw_count_all(&f->fake, 2);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, f->sampler.gpu_timestamp, timestamp + 2000);
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

	/* Whatever made the worker look: it reads all. */
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

/* The ring fills up between the worker's last look and its request. */
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
		expect_incidents(f, &a, 0, FW_OVERFLOW);
		panthor_perf_fixture_expect_exact(f);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, FW, 0, 4) -
			      panthor_perf_fake_fw_block(&f->fake, FW, 0)->reported[4], 0);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 3);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	detach(f, &a);
}

/* The same with nobody who asked: what found no room appears in the next sample. */
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
	expect_incidents(f, &a, 0, FW_OVERFLOW);

	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 33);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

/* A firmware that forgets a request which met a full ring. */
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
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
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
	expect_incidents(f, &a, ERROR, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	panthor_perf_fixture_expect_exact(f);

	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	detach(f, &a);
}

/* The index is spoilt while a request is on its way: it is answered after the restart. */
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
	expect_incidents(f, &a, ERROR, 0);
	detach(f, &a);
}

/*
 * Answers
 */

static void waits_for_a_late_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	count(f, 12);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 12);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* Automatic samples arrive while the answer is late: they are no answer. */
static void automatic_samples_are_no_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	count(f, 5);
	autos(f, 3);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, counted(f), 5);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	count(f, 6);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, counted(f), 11);
	detach(f, &a);
}

static void finds_an_answer_without_interrupt(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fake_fw_let_go(&f->fake);
	msleep(250);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static void restarts_then_gives_up(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;
	u32 doorbells;

	attach_on(f, &a);
	ask_in_vain(f, &a);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	expect_incidents(f, &a, ERROR, FW_TIMEOUT);

	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);

	/* Until the reset nothing can be had, and the firmware is left alone. */
	doorbells = f->fake.doorbells;
	KUNIT_EXPECT_EQ(test, ask(f, &a), -EIO);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -EIO);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);

	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	count(f, 8);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 8);
	detach(f, &a);
}

static void forgives_failures_apart(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 0; i < 4; i++) {
		ask_in_vain(f, &a);
		panthor_perf_fixture_overdue(f);
		KUNIT_EXPECT_EQ(test, a.answers, 0);
		panthor_perf_fixture_let_go(f);
		KUNIT_EXPECT_EQ(test, a.answers, 1);
		KUNIT_EXPECT_EQ(test, a.status, 0);
	}

	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 5);
	expect_incidents(f, &a, ERROR, FW_TIMEOUT);
	detach(f, &a);
}

static void gives_up_without_answer_to_enable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void waits_for_a_late_enable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* The GPU stays powered until the firmware has answered, or there is no hope that it will. */
static void keeps_power_until_disabled(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
}

static void gives_up_without_answer_to_disable(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	f->fake.hold = 0;
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
}

/* One sample serves all that was asked for before it was. */
static void one_sample_serves_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b, c;

	attach_on(f, &a);
	attach_on(f, &b);
	attach_on(f, &c);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	KUNIT_ASSERT_EQ(test, ask(f, &b), 0);
	KUNIT_ASSERT_EQ(test, ask(f, &c), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers + b.answers + c.answers, 3);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	detach(f, &a);
	detach(f, &b);
	detach(f, &c);
}

/* What was asked for before a request was made does not serve it. */
static void older_sample_does_not_serve(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;

	attach_on(f, &a);
	attach_on(f, &b);
	ask_in_vain(f, &a);
	KUNIT_ASSERT_EQ(test, ask(f, &b), 0);
	panthor_perf_fixture_run(f);

	/* The firmware takes the sample for A; what is counted next is for B alone. */
	panthor_perf_fake_fw_let_go(&f->fake);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	count(f, 40);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, b.answers, 0);
	KUNIT_EXPECT_EQ(test, counted(f), 0);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, b.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 2);
	KUNIT_EXPECT_EQ(test, counted(f), 40);
	detach(f, &a);
	detach(f, &b);
}

static void cancelled_request_is_not_answered(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	mutex_lock(&f->sampler.lock);
	KUNIT_EXPECT_TRUE(test, panthor_perf_request_pending_locked(&a.request));
	panthor_perf_request_cancel_locked(&a.request);
	KUNIT_EXPECT_FALSE(test, panthor_perf_request_pending_locked(&a.request));
	mutex_unlock(&f->sampler.lock);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	sample(f, &a);
	KUNIT_EXPECT_FALSE(test, panthor_perf_request_pending_locked(&a.request));
	detach(f, &a);
}

/*
 * The watchdog
 */

static void watchdog_takes_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 0);
	count(f, 4);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, counted(f), 4);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

/* Nobody asks, nothing interrupts: at a GHz there is a sample twice a second. */
static void watchdog_keeps_time(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 8; i++) {
		count(f, 0x80000000);
		msleep(500);
	}
	msleep(300);
	KUNIT_EXPECT_GE(test, f->fake.samples, 7);
	KUNIT_EXPECT_LE(test, f->fake.samples, 9);
	KUNIT_EXPECT_EQ(test, counted(f), 0x400000000);
	expect_incidents(f, &a, 0, 0);
	detach(f, &a);
}

static void watchdog_needs_a_client(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;
	u32 doorbells;

	attach_on(f, &a);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	doorbells = f->fake.doorbells;
	msleep(3000);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 0);
}

struct rate_case {
	const char *name;
	unsigned long rate;
	u32 at_most_ms;
};

/* Four events a cycle reach 2^32 in 2147, 1074 and 537 ms. */
static const struct rate_case rate_cases[] = {
	{ "500 MHz", 500000000, 1000 },
	{ "1 GHz", 1000000000, 500 },
	{ "2 GHz", 2000000000, 500 },
	{ "not known", 0, 500 },
};

KUNIT_ARRAY_PARAM_DESC(rate, rate_cases, name);

static void watchdog_is_fast_enough(struct kunit *test)
{
	const struct rate_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_sampler *sampler;

	sampler = kunit_kzalloc(test, sizeof(*sampler), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sampler);
	panthor_perf_fw_init(&sampler->fw, &panthor_perf_fake_fw_ops, &f->fake.iface, f->layout);
	KUNIT_ASSERT_EQ(test, panthor_perf_sampler_init(sampler, c->rate), 0);
	KUNIT_EXPECT_EQ(test, jiffies_to_msecs(sampler->watchdog_interval), c->at_most_ms);
	panthor_perf_sampler_unplug(sampler);
	panthor_perf_sampler_fini(sampler);
}

/* Nobody read for so long that a counter may have come to its end, at a GHz in 1074 ms. */
static void tells_counters_read_too_late(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	cancel_delayed_work_sync(&f->sampler.work);
	msleep(1020);
	sample(f, &a);
	expect_incidents(f, &a, 0, 0);

	cancel_delayed_work_sync(&f->sampler.work);
	msleep(1120);
	sample(f, &a);
	expect_incidents(f, &a, OVERFLOW, 0);
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

/* Counters are enabled while the disable of the last client's end is not answered yet. */
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

	attach_on(f, &a);
	/* Within one turn of the worker. */
	mutex_lock(&f->sampler.lock);
	panthor_perf_sampler_detach_locked(&f->sampler, &a.client);
	KUNIT_EXPECT_EQ(test, panthor_perf_sampler_attach_locked(&f->sampler, &a.client, 0), 0);
	mutex_unlock(&f->sampler.lock);
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

/* Incidents are told to those who are there, and to them once they look. */
static void incidents_belong_to_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b, c;

	attach_on(f, &a);
	attach_on(f, &b);
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	panthor_perf_fixture_run(f);
	expect_incidents(f, &a, ERROR, 0);
	expect_incidents(f, &b, ERROR, 0);
	attach_on(f, &c);
	expect_incidents(f, &c, 0, 0);
	a.client.flags = 0;
	sample(f, &a);
	expect_incidents(f, &a, 0, 0);
	expect_incidents(f, &b, ERROR, 0);
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

/*
 * Suspend and resume
 */

static void suspend_takes_a_last_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	for (u32 i = 1; i <= 4; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		count(f, 50);
		panthor_perf_fixture_suspend(f);
		KUNIT_EXPECT_EQ(test, f->fake.disable_edges, i);
		KUNIT_EXPECT_EQ(test, f->fake.samples, i);
		KUNIT_EXPECT_EQ(test, f->fake.unread, 0);
		KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
		KUNIT_EXPECT_EQ(test, pending_bits(f), 0);
		KUNIT_EXPECT_GT(test, counted(f), 50 * i);
		panthor_perf_fixture_expect_exact(f);
		expect_incidents(f, &a, 0, SUSPEND);

		/* The worker keeps off the GPU, or the fake firmware tells. */
		panthor_perf_fixture_run(f);
		panthor_perf_fixture_watchdog(f);
		panthor_perf_fixture_overdue(f);
		panthor_perf_fixture_resume(f, i & 1);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, i + 1);
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, f->fake.samples, i);
	}

	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	detach(f, &a);
}

/* Nobody has looked since the resume, but the firmware counts. */
static void suspend_right_after_resume(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	a.client.events = 0;
	panthor_perf_fixture_resume(f, true);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	count(f, 66);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 66);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* What is counted between an answer that nobody looked at yet and the suspend is not lost. */
static void suspend_after_an_unseen_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fake_fw_let_go(&f->fake);
	count(f, 77);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 77);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

static void suspend_waits_for_the_answer(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	count(f, 78);
	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, counted(f), 78);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, 0, SUSPEND);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

static void suspend_with_a_full_ring(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.burst = f->fake.slots;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	KUNIT_EXPECT_EQ(test, f->fake.samples, 1);
	KUNIT_EXPECT_EQ(test, f->fake.unread, 0);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, a.client.flags, 0);
	panthor_perf_fixture_resume(f, true);
	detach(f, &a);
}

/* A silent firmware holds a suspend up for a bounded time, and what is missing is told. */
static void suspend_of_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_LE(test, f->fake.waits, 5);
	KUNIT_EXPECT_GE(test, f->fake.waits, 2);
	expect_incidents(f, &a, ERROR, SUSPEND | FW_TIMEOUT);
	KUNIT_EXPECT_EQ(test, a.answers, 0);

	/* The request is answered by the first sample after it. */
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	detach(f, &a);
}

static void suspend_with_a_spoilt_index(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fake_fw_spoil_insert(&f->fake, 500);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, a.client.flags, ERROR);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void suspend_while_enabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	f->fake.hold = GLB_PERFCNT_EN;
	attach(f, &a);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

static void asked_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	KUNIT_ASSERT_EQ(test, ask(f, &a), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	detach(f, &a);
}

static void client_goes_while_suspended(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fixture_suspend(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void suspend_without_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
}

/* The last client goes, and the system is suspended before the firmware has answered. */
static void suspend_while_disabling(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	detach(f, &a);
	panthor_perf_fixture_run(f);
	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
}

/* A firmware that kept its counters enabled over a suspend. */
static void resume_of_enabled_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	f->fake.hold = GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	f->fake.hold = 0;
	f->fake.on = true;
	panthor_perf_sampler_resume(&f->sampler);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	count(f, 6);
	sample(f, &a);
	KUNIT_EXPECT_EQ(test, counted(f), 6);
	detach(f, &a);
}

/*
 * Reset
 */

static void reset_keeps_what_was_written(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	u32 doorbells;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	autos(f, 1);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	autos(f, 1);
	doorbells = f->fake.doorbells;
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
	KUNIT_EXPECT_EQ(test, pending_bits(f) & GLB_PERFCNT_SAMPLE, 0);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_GT(test, counted(f), 0);
	expect_incidents(f, &a, ERROR, RESET);

	panthor_perf_fixture_run(f);
	panthor_perf_fixture_watchdog(f);
	panthor_perf_fixture_post_reset(f, false);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 2);
	detach(f, &a);
}

static void reset_with_a_spoilt_index(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &a);
	panthor_perf_fake_fw_spoil_insert(&f->fake, 66);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_expect_exact(f);
	panthor_perf_fixture_post_reset(f, false);
	sample(f, &a);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &a);
}

static void reset_with_a_request_on_its_way(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fixture_pre_reset(f);
	KUNIT_EXPECT_EQ(test, a.answers, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, 0);
	expect_incidents(f, &a, ERROR, RESET);
	detach(f, &a);
}

static void reset_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -EIO);
	KUNIT_EXPECT_EQ(test, ask(f, &a), -EIO);
	panthor_perf_fixture_run(f);

	/* Unplug follows, and everybody gives back what they hold. */
	f->fake.on = true;
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -EIO);
	f->fake.on = false;
	panthor_perf_fixture_unplug(f);
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	f->fake.enabled = false;
}

static void reset_without_clients(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/*
 * Unplug
 */

static void unplug_ends_everything(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a, b;
	u32 doorbells;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	f->fake.hold = 0;
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.answers, 1);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.power, 1);

	doorbells = f->fake.doorbells;
	KUNIT_EXPECT_EQ(test, ask(f, &a), -ENODEV);
	KUNIT_EXPECT_EQ(test, attach_set(f, &b, 0), -ENODEV);
	panthor_perf_fixture_run(f);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

static void unplug_of_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	KUNIT_EXPECT_LE(test, f->fake.waits, 3);
	KUNIT_EXPECT_EQ(test, f->fake.input.req & GLB_PERFCNT_EN, 0);
	detach(f, &a);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	f->fake.enabled = false;
}

static void unplug_during_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;

	attach_on(f, &a);
	ask_in_vain(f, &a);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, a.status, -ENODEV);
	detach(f, &a);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	KUNIT_EXPECT_EQ(test, f->fake.waits, 0);
	f->fake.enabled = false;
}

/* Whatever comes after unplug leaves the GPU alone. */
static void nothing_revives_after_unplug(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct asker a;
	u32 doorbells;

	attach_on(f, &a);
	panthor_perf_fixture_unplug(f);
	doorbells = f->fake.doorbells;
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, ask(f, &a), -ENODEV);
	detach(f, &a);
}

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE(adds_beyond_32_bits),
	KUNIT_CASE_PARAM(adds_every_counter, shape_gen_params),
	KUNIT_CASE_PARAM(enables_everything, shape_gen_params),
	KUNIT_CASE(ignores_blocks_without_power),
	KUNIT_CASE(ignores_front_end_without_power),
	KUNIT_CASE(adds_what_was_written),
	KUNIT_CASE(ignores_blocks_without_first_group),
	KUNIT_CASE(tells_saturated_counters),
	KUNIT_CASE(ignores_values_after_protected_mode),
	KUNIT_CASE(folds_automatic_samples),
	KUNIT_CASE(acknowledges_threshold),
	KUNIT_CASE(recovers_from_overflow),
	KUNIT_CASE(recovers_from_automatic_overflow),
	KUNIT_CASE(restarts_after_lost_request),
	KUNIT_CASE(reads_a_full_ring),
	KUNIT_CASE_PARAM(distrusts_insert, insert_gen_params),
	KUNIT_CASE(distrusts_insert_of_answer),
	KUNIT_CASE(waits_for_a_late_answer),
	KUNIT_CASE(automatic_samples_are_no_answer),
	KUNIT_CASE(finds_an_answer_without_interrupt),
	KUNIT_CASE(restarts_then_gives_up),
	KUNIT_CASE(forgives_failures_apart),
	KUNIT_CASE(gives_up_without_answer_to_enable),
	KUNIT_CASE(waits_for_a_late_enable),
	KUNIT_CASE(keeps_power_until_disabled),
	KUNIT_CASE(gives_up_without_answer_to_disable),
	KUNIT_CASE(one_sample_serves_all),
	KUNIT_CASE(older_sample_does_not_serve),
	KUNIT_CASE(cancelled_request_is_not_answered),
	KUNIT_CASE(watchdog_takes_samples),
	KUNIT_CASE(watchdog_keeps_time),
	KUNIT_CASE(watchdog_needs_a_client),
	KUNIT_CASE_PARAM(watchdog_is_fast_enough, rate_gen_params),
	KUNIT_CASE(tells_counters_read_too_late),
	KUNIT_CASE(one_enable_for_all_clients),
	KUNIT_CASE(client_comes_while_disabling),
	KUNIT_CASE(client_goes_while_enabling),
	KUNIT_CASE(client_goes_and_comes_back),
	KUNIT_CASE(one_set_at_a_time),
	KUNIT_CASE(incidents_belong_to_clients),
	KUNIT_CASE(is_quiet),
	KUNIT_CASE(suspend_takes_a_last_sample),
	KUNIT_CASE(suspend_right_after_resume),
	KUNIT_CASE(suspend_after_an_unseen_answer),
	KUNIT_CASE(suspend_waits_for_the_answer),
	KUNIT_CASE(suspend_with_a_full_ring),
	KUNIT_CASE(suspend_of_a_silent_firmware),
	KUNIT_CASE(suspend_with_a_spoilt_index),
	KUNIT_CASE(suspend_while_enabling),
	KUNIT_CASE(asked_while_suspended),
	KUNIT_CASE(client_goes_while_suspended),
	KUNIT_CASE(suspend_without_clients),
	KUNIT_CASE(suspend_while_disabling),
	KUNIT_CASE(resume_of_enabled_counters),
	KUNIT_CASE(reset_keeps_what_was_written),
	KUNIT_CASE(reset_with_a_spoilt_index),
	KUNIT_CASE(reset_with_a_request_on_its_way),
	KUNIT_CASE(reset_fails),
	KUNIT_CASE(reset_without_clients),
	KUNIT_CASE(unplug_ends_everything),
	KUNIT_CASE(unplug_of_a_silent_firmware),
	KUNIT_CASE(unplug_during_reset),
	KUNIT_CASE(nothing_revives_after_unplug),
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
