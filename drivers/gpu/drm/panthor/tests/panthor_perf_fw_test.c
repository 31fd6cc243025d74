// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/slab.h>

#include "panthor_perf_fake_fw.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_layout.h"

/* Bits of the request and acknowledge words. */
#define EN		GLB_PERFCNT_EN
#define SAMPLE		GLB_PERFCNT_SAMPLE
#define HALF		GLB_PERFCNT_THRESHOLD
#define FULL		GLB_PERFCNT_OVERFLOW
#define CYCLES		GLB_COUNTER_EN
#define COUNTERS_ALL	(EN | SAMPLE | HALF | FULL)

#define SLOTS		64

/**
 * struct protocol - The protocol with a fake firmware, without a sampler
 */
struct protocol {
	/** @fake: Firmware. */
	struct panthor_perf_fake_fw fake;

	/** @fw: State of the driver. */
	struct panthor_perf_fw fw;
};

static void set_words(struct protocol *p, u32 req, u32 ack)
{
	WRITE_ONCE(p->fake.input.req, req);
	WRITE_ONCE(p->fake.output.ack, ack);
}

static void enable(struct kunit *test, struct protocol *p)
{
	panthor_perf_fw_configure(&p->fw, 0);
	panthor_perf_fw_enable(&p->fw);
	KUNIT_ASSERT_TRUE(test, p->fake.enabled);
	KUNIT_ASSERT_FALSE(test, panthor_perf_fw_is_disabled(&p->fw));
}

/*
 * Words of the interface
 */

struct words {
	const char *name;
	u32 req, ack;
	u32 polled;
};

static const struct words words[] = {
	{ "nothing", 0, 0, EN | SAMPLE },
	{ "enable", EN, 0, SAMPLE },
	{ "enabled", EN, EN, EN | SAMPLE },
	{ "disable", 0, EN, SAMPLE },
	{ "sample", EN | SAMPLE, EN, EN },
	{ "sampled", EN | SAMPLE, EN | SAMPLE, EN | SAMPLE },
	{ "next sample", EN, EN | SAMPLE, EN },
	{ "half full", EN, EN | HALF, EN | SAMPLE | HALF },
	{ "half full, acknowledged", EN | HALF, EN | HALF, EN | SAMPLE },
	{ "half full again", EN | HALF, EN, EN | SAMPLE | HALF },
	{ "full", EN | SAMPLE, EN | HALF | FULL, EN | HALF | FULL },
	{ "both requests pending, both events", EN | SAMPLE, HALF | FULL, HALF | FULL },
	{ "other bits", (u32)~COUNTERS_ALL, 0, EN | SAMPLE },
};

KUNIT_ARRAY_PARAM_DESC(words, words, name);

static void polls(struct kunit *test)
{
	const struct words *c = test->param_value;
	struct protocol *p = test->priv;

	set_words(p, c->req, c->ack);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_poll(&p->fw), c->polled);
}

struct groups {
	const char *name;
	u32 number;
	u32 mask;
};

static const struct groups groups[] = {
	{ "none", 0, 0 },
	{ "one", 1, 0x1 },
	{ "eight", 8, 0xff },
	{ "all that panthor knows", 31, 0x7fffffff },
	{ "more", 32, 0x7fffffff },
	{ "impossible", U32_MAX, 0x7fffffff },
};

KUNIT_ARRAY_PARAM_DESC(groups, groups, name);

static void selects_all_groups(struct kunit *test)
{
	const struct groups *c = test->param_value;
	struct protocol *p = test->priv;
	struct panthor_perf_fw fw = {};

	p->fake.control.group_num = c->number;
	panthor_perf_fw_init(&fw, p->fw.iface, p->fw.layout);
	KUNIT_EXPECT_EQ(test, fw.csg_mask, c->mask);
}

/*
 * Requests
 */

/* Whatever was pending before, counters start without a request for a sample and without events. */
static void enables_from_any_state(struct kunit *test)
{
	static const u32 bits[] = { SAMPLE, HALF, FULL };
	struct protocol *p = test->priv;

	for (u32 state = 0; state < 64; state++) {
		u32 req = 0, ack = 0;

		for (u32 i = 0; i < ARRAY_SIZE(bits); i++) {
			req |= state & BIT(i) ? bits[i] : 0;
			ack |= state & BIT(i + 3) ? bits[i] : 0;
		}
		set_words(p, req, ack);

		enable(test, p);
		KUNIT_EXPECT_EQ(test, panthor_perf_fw_poll(&p->fw), EN | SAMPLE);
		KUNIT_EXPECT_EQ(test, p->fake.samples, 0);
		KUNIT_EXPECT_EQ(test, p->fake.input.ack_irq_mask, COUNTERS_ALL);
		panthor_perf_fw_disable(&p->fw);
		KUNIT_EXPECT_TRUE(test, panthor_perf_fw_is_disabled(&p->fw));
		KUNIT_EXPECT_EQ(test, p->fake.input.ack_irq_mask, EN);
	}
	KUNIT_EXPECT_EQ(test, p->fake.enable_edges, 64);
	KUNIT_EXPECT_EQ(test, p->fake.masked, 0);
}

/* If the cycle counter was requested before, it stays requested. */
static void leaves_the_cycle_counter_as_it_was(struct kunit *test)
{
	struct protocol *p = test->priv;

	enable(test, p);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & CYCLES, CYCLES);
	panthor_perf_fw_disable(&p->fw);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & CYCLES, 0);

	set_words(p, CYCLES, CYCLES);
	enable(test, p);
	panthor_perf_fw_disable(&p->fw);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & CYCLES, CYCLES);

	enable(test, p);
	panthor_perf_fw_drop_requests(&p->fw);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & CYCLES, CYCLES);
}

static void acknowledges_the_events_given(struct kunit *test)
{
	struct protocol *p = test->priv;
	u32 doorbells;

	enable(test, p);
	set_words(p, EN, EN | HALF | FULL);
	doorbells = p->fake.doorbells;
	panthor_perf_fw_ack_events(&p->fw, EN | SAMPLE | HALF);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & COUNTERS_ALL, EN | HALF);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_poll(&p->fw), EN | SAMPLE | FULL);
	panthor_perf_fw_ack_events(&p->fw, FULL);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_poll(&p->fw), EN | SAMPLE);
	KUNIT_EXPECT_EQ(test, p->fake.doorbells, doorbells + 2);
}

/* Firmware that is started again finds no request. The driver does not write to the ring then. */
static void drops_all_requests(struct kunit *test)
{
	struct protocol *p = test->priv;
	u32 doorbells, pending;
	size_t written;

	enable(test, p);
	panthor_perf_fake_fw_auto_sample(&p->fake);
	p->fake.hold = SAMPLE;
	panthor_perf_fw_request_sample(&p->fw);
	set_words(p, p->fake.input.req, p->fake.output.ack ^ (HALF | FULL));
	doorbells = p->fake.doorbells;
	panthor_perf_fw_drop_requests(&p->fw);

	KUNIT_EXPECT_EQ(test, p->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, p->fake.input.req & (EN | CYCLES), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_poll(&p->fw), SAMPLE);
	KUNIT_EXPECT_EQ(test, p->fake.input.ack_irq_mask, 0);

	/* The sample can be read, and nothing is written. */
	written = p->fake.dev_bytes;
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_pending(&p->fw, &pending), 0);
	KUNIT_EXPECT_EQ(test, pending, 1);
	panthor_perf_fw_consume(&p->fw);
	panthor_perf_fw_release(&p->fw);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_pending(&p->fw, &pending), 0);
	KUNIT_EXPECT_EQ(test, pending, 0);
	KUNIT_EXPECT_EQ(test, p->fake.dev_bytes, written);
	KUNIT_EXPECT_EQ(test, p->fake.input.perfcnt_extract, 0);
}

static void waits_for_the_acknowledge(struct kunit *test)
{
	struct protocol *p = test->priv;

	enable(test, p);
	p->fake.hold = SAMPLE;
	panthor_perf_fw_request_sample(&p->fw);
	KUNIT_EXPECT_EQ(test, panthor_perf_hw_wait(&p->fw, PANTHOR_PERF_FW_SAMPLE_ACKED, 100),
			-ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, panthor_perf_hw_wait(&p->fw, PANTHOR_PERF_FW_ENABLE_ACKED, 100), 0);
	panthor_perf_fake_fw_let_go(&p->fake);
	KUNIT_EXPECT_EQ(test, panthor_perf_hw_wait(&p->fw, PANTHOR_PERF_FW_SAMPLE_ACKED, 100), 0);
}

/*
 * The ring
 */

struct indices {
	const char *name;
	u32 extract, insert;
	int ret;
	u32 pending;
};

static const struct indices indices[] = {
	{ "empty", 0, 0, 0, 0 },
	{ "one", 0, 1, 0, 1 },
	{ "full", 0, SLOTS, 0, SLOTS },
	{ "more than full", 0, SLOTS + 1, -EIO, 0 },
	{ "behind", 1, 0, -EIO, 0 },
	{ "far away", 1000, 0x80000000, -EIO, 0 },
	{ "empty at the wrap", U32_MAX, U32_MAX, 0, 0 },
	{ "one at the wrap", U32_MAX, 0, 0, 1 },
	{ "full across the wrap", U32_MAX - 10, SLOTS - 11, 0, SLOTS },
	{ "more than full across the wrap", U32_MAX - 10, SLOTS - 10, -EIO, 0 },
	{ "behind across the wrap", 0, U32_MAX, -EIO, 0 },
};

KUNIT_ARRAY_PARAM_DESC(indices, indices, name);

static void counts_pending_samples(struct kunit *test)
{
	const struct indices *c = test->param_value;
	struct protocol *p = test->priv;
	u32 pending = 4711;

	p->fw.extract = c->extract;
	WRITE_ONCE(p->fake.output.perfcnt_insert, c->insert);
	KUNIT_EXPECT_EQ(test, panthor_perf_fw_pending(&p->fw, &pending), c->ret);
	KUNIT_EXPECT_EQ(test, pending, c->pending);
}

/* Word of a counter in a sample, by the fake firmware. */
static u32 word_of(struct protocol *p, u8 type, u32 rank, u32 counter)
{
	return panthor_perf_fake_fw_block(&p->fake, type, rank)->word + counter;
}

/* Three rounds, with 1 to 52 samples at a time. */
static void reads_around_the_ring(struct kunit *test)
{
	const u8 type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER;
	struct protocol *p = test->priv;
	const u32 word = word_of(p, type, 3, 63);
	u32 written = 0, read = 0, pending;

	enable(test, p);
	for (u32 some = 1; written < 3 * SLOTS; some = some % 40 + 13) {
		for (u32 i = 0; i < some; i++) {
			panthor_perf_fake_fw_count(&p->fake, type, 3, 63, ++written);
			panthor_perf_fake_fw_auto_sample(&p->fake);
		}

		KUNIT_ASSERT_EQ(test, panthor_perf_fw_pending(&p->fw, &pending), 0);
		KUNIT_ASSERT_EQ(test, pending, some);
		while (pending--) {
			KUNIT_EXPECT_EQ(test, panthor_perf_fw_peek(&p->fw)[word], ++read);
			panthor_perf_fw_consume(&p->fw);
		}
		KUNIT_EXPECT_EQ(test, p->fake.input.perfcnt_extract, written - some);
		panthor_perf_fw_release(&p->fw);
		KUNIT_EXPECT_EQ(test, p->fake.input.perfcnt_extract, written);
		panthor_perf_fw_ack_events(&p->fw, panthor_perf_fw_poll(&p->fw));
	}
	KUNIT_EXPECT_EQ(test, p->fake.autos, written);
	KUNIT_EXPECT_EQ(test, p->fake.overflows, 0);
}

static struct kunit_case fw_cases[] = {
	KUNIT_CASE_PARAM(polls, words_gen_params),
	KUNIT_CASE_PARAM(selects_all_groups, groups_gen_params),
	KUNIT_CASE(enables_from_any_state),
	KUNIT_CASE(leaves_the_cycle_counter_as_it_was),
	KUNIT_CASE(acknowledges_the_events_given),
	KUNIT_CASE(drops_all_requests),
	KUNIT_CASE(waits_for_the_acknowledge),
	KUNIT_CASE_PARAM(counts_pending_samples, indices_gen_params),
	KUNIT_CASE(reads_around_the_ring),
	{}
};

static void free_layout(void *layout)
{
	kfree(layout);
}

/* A GPU with power, and a ring. */
static void connect(struct kunit *test, struct protocol *p)
{
	struct panthor_perf_layout_params params;
	struct panthor_perf_layout *layout;

	panthor_perf_fake_fw_params(&p->fake, &params);
	layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_layout, layout), 0);

	panthor_perf_fw_init(&p->fw, &p->fake.iface, layout);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_power_get(&p->fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_alloc_ring(&p->fw), 0);
}

static int fw_init(struct kunit *test)
{
	struct protocol *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	if (!p)
		return -ENOMEM;

	test->priv = p;
	panthor_perf_fake_fw_init(test, &p->fake, &panthor_perf_rk3588);
	connect(test, p);
	return 0;
}

static void fw_exit(struct kunit *test)
{
	struct protocol *p = test->priv;

	if (p)
		KUNIT_EXPECT_EQ_MSG(test, p->fake.violations, 0, "first: %s", p->fake.violation);
}

static struct kunit_suite fw_suite = {
	.name = "panthor_perf_fw",
	.init = fw_init,
	.exit = fw_exit,
	.test_cases = fw_cases,
};

kunit_test_suite(fw_suite);
