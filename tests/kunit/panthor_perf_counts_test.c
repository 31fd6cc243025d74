// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fake_fw.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_layout.h"

#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER

/**
 * struct adder - Running totals of a fake firmware's samples, without a sampler
 */
struct adder {
	/** @fake: Firmware. */
	struct panthor_perf_fake_fw fake;

	/** @fw: State of the protocol. */
	struct panthor_perf_fw fw;

	/** @counts: Running totals. */
	struct panthor_perf_counts counts;
};

static void enable(struct kunit *test, struct adder *a)
{
	panthor_perf_fw_configure(&a->fw, 0);
	panthor_perf_fw_enable(&a->fw);
	KUNIT_ASSERT_TRUE(test, a->fake.enabled);
	panthor_perf_counts_on(&a->counts);
}

static void request(struct adder *a)
{
	panthor_perf_counts_request(&a->counts);
	panthor_perf_fw_request_sample(&a->fw);
}

static int read_ring(struct adder *a)
{
	return panthor_perf_counts_read(&a->counts);
}

/* As the sampler does. */
static void acknowledge(struct adder *a)
{
	panthor_perf_counts_end_now(&a->counts);
	panthor_perf_counts_acknowledged(&a->counts);
}

/* Every total is the sum of firmware's samples. */
static void expect_exact(struct kunit *test, struct adder *a)
{
	const u32 words = a->fake.shape.block_words;

	for (u32 i = 0; i < a->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &a->fake.blocks[i];
		const u32 at = panthor_perf_fake_fw_position(&a->fake, block->type, block->rank);

		KUNIT_EXPECT_MEMEQ(test, a->counts.sum.totals + at * words, block->reported,
				   words * sizeof(u64));
	}
}

static u64 total(struct adder *a, u8 type, u32 rank, u32 counter)
{
	const u32 at = panthor_perf_fake_fw_position(&a->fake, type, rank);

	return a->counts.sum.totals[at * a->fake.shape.block_words + counter];
}

/*
 * Totals
 */

static void adds_all_samples(struct kunit *test)
{
	struct adder *a = test->priv;

	enable(test, a);
	KUNIT_EXPECT_EQ(test, read_ring(a), 0);
	request(a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&a->fake, i);
		panthor_perf_fake_fw_auto_sample(&a->fake);
	}
	KUNIT_EXPECT_EQ(test, read_ring(a), 4);
	KUNIT_EXPECT_EQ(test, read_ring(a), 0);
	KUNIT_EXPECT_GT(test, total(a, SHADER, 3, 63), 0);
	expect_exact(test, a);
	KUNIT_EXPECT_EQ(test, a->counts.sum.stamps, 4);
	KUNIT_EXPECT_EQ(test, a->counts.entries, 4);
	KUNIT_EXPECT_FALSE(test, a->counts.saturated);
	KUNIT_EXPECT_FALSE(test, a->counts.core_off_lost);
}

/* The sum of samples has 64 bits. A counter with its largest value may have saturated. */
static void adds_beyond_32_bits(struct kunit *test)
{
	struct adder *a = test->priv;

	enable(test, a);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count(&a->fake, TILER, 0, 4, U32_MAX - 1);
		panthor_perf_fake_fw_auto_sample(&a->fake);
	}
	KUNIT_EXPECT_EQ(test, read_ring(a), 3);
	KUNIT_EXPECT_EQ(test, total(a, TILER, 0, 4), 0x2fffffffaull);
	KUNIT_EXPECT_FALSE(test, a->counts.saturated);

	panthor_perf_fake_fw_count(&a->fake, TILER, 0, 4, U32_MAX);
	panthor_perf_fake_fw_auto_sample(&a->fake);
	KUNIT_EXPECT_EQ(test, read_ring(a), 1);
	KUNIT_EXPECT_EQ(test, total(a, TILER, 0, 4), 0x3fffffff9ull);
	KUNIT_EXPECT_TRUE(test, a->counts.saturated);
}

/* Nothing is added of a ring whose index is impossible. */
static void refuses_an_impossible_index(struct kunit *test)
{
	struct adder *a = test->priv;

	enable(test, a);
	panthor_perf_fake_fw_count_all(&a->fake, 1);
	panthor_perf_fake_fw_auto_sample(&a->fake);
	panthor_perf_fake_fw_spoil_insert(&a->fake, a->fw.slots + 1);
	KUNIT_EXPECT_EQ(test, read_ring(a), -EIO);
	KUNIT_EXPECT_EQ(test, a->counts.sum.stamps, 0);
	KUNIT_EXPECT_EQ(test, total(a, SHADER, 3, 63), 0);

	panthor_perf_fake_fw_spoil_insert(&a->fake, 1);
	KUNIT_EXPECT_EQ(test, read_ring(a), 1);
	expect_exact(test, a);
}

/*
 * Answers and their time
 */

struct stamp {
	const char *name;

	/* Error of the firmware's time stamp, in seconds. */
	s64 error_s;
	bool sample, host_time;
};

static const struct stamp stamps[] = {
	{ "right", 0, true, false },
	{ "before the request", -1, true, true },
	{ "later than now", 1, true, true },
	{ "no sample", 0, false, true },
};

KUNIT_ARRAY_PARAM_DESC(stamp, stamps, name);

/* The end of the counts lies between the request and the acknowledge. */
static void time_of_the_counts(struct kunit *test)
{
	const struct stamp *c = test->param_value;
	struct adder *a = test->priv;
	u64 before, after, end, mono;

	enable(test, a);
	a->fake.timestamp_error = c->error_s * PANTHOR_PERF_FAKE_TIMESTAMP_RATE;
	a->fake.no_sample = !c->sample;
	before = ktime_get_raw_ns();
	request(a);
	KUNIT_EXPECT_EQ(test, read_ring(a), c->sample);
	acknowledge(a);
	after = ktime_get_raw_ns();
	end = a->counts.end_ns;
	KUNIT_EXPECT_EQ(test, a->counts.host_time, c->host_time);
	KUNIT_EXPECT_EQ(test, a->counts.entries, c->sample);
	KUNIT_EXPECT_EQ(test, a->counts.states.requested, c->sample);
	KUNIT_EXPECT_GE(test, end, before);
	KUNIT_EXPECT_LE(test, end, after);
	mono = ktime_get_ns();
	KUNIT_EXPECT_GE(test, a->counts.end_mono_ns, a->counts.request_mono_ns);
	KUNIT_EXPECT_LE(test, a->counts.end_mono_ns, mono);

	/* It never goes back, also where the time of the next sample is not known. */
	a->fake.timestamp_error = -(s64)PANTHOR_PERF_FAKE_TIMESTAMP_RATE;
	request(a);
	KUNIT_EXPECT_EQ(test, read_ring(a), 1);
	acknowledge(a);
	KUNIT_EXPECT_TRUE(test, a->counts.host_time);
	KUNIT_EXPECT_GE(test, a->counts.end_ns, after);
	after = ktime_get_raw_ns();
	panthor_perf_counts_end_now(&a->counts);
	KUNIT_EXPECT_TRUE(test, a->counts.host_time);
	KUNIT_EXPECT_GE(test, a->counts.end_ns, after);
	KUNIT_EXPECT_GE(test, a->counts.end_mono_ns, mono);
}

/* A counter may have saturated since the last reading. */
static void late_reading_is_an_overflow(struct kunit *test)
{
	struct adder *a = test->priv;

	enable(test, a);
	a->counts.last_read = jiffies - a->counts.saturation - 1;
	KUNIT_EXPECT_EQ(test, read_ring(a), 0);
	KUNIT_EXPECT_FALSE(test, a->counts.saturated);
	panthor_perf_fake_fw_auto_sample(&a->fake);
	KUNIT_EXPECT_EQ(test, read_ring(a), 1);
	KUNIT_EXPECT_TRUE(test, a->counts.saturated);

	a->counts.saturated = false;
	panthor_perf_fake_fw_auto_sample(&a->fake);
	KUNIT_EXPECT_EQ(test, read_ring(a), 1);
	KUNIT_EXPECT_FALSE(test, a->counts.saturated);
}

/*
 * The record of states. The core is number 3; the other blocks are always written.
 */

/* Events: a sample with or without the core, known to be requested or not, and others. */
enum happening {
	END,
	WITH,
	REQUESTED_WITH,
	WITHOUT,
	REQUESTED_WITHOUT,
	OFF,
	CHECK,
};

struct history {
	const char *name;
	enum happening happenings[8];

	/* States of the core and of the tiler since the last CHECK, or since the beginning. */
	u32 core, tiler;

	/* Events that reported lost counts of the core, as bits. */
	u32 lost;
};

#define IS_ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define IS_OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define IS_THERE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define IS_WITHHELD	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE
#define IS_NORMAL	DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL

#define NORMAL_ON	(IS_THERE | IS_ON | IS_NORMAL)
#define NORMAL_OFF	(IS_THERE | IS_OFF | IS_NORMAL)

static const struct history histories[] = {
	{ "nothing", { END }, IS_THERE, IS_THERE, 0 },
	{ "with", { WITH }, NORMAL_ON, NORMAL_ON, 0 },
	{ "without", { WITHOUT }, NORMAL_OFF, NORMAL_ON, 0 },
	{ "with, without", { WITH, WITHOUT }, NORMAL_ON | IS_OFF, NORMAL_ON, 0 },
	{ "without, with", { WITHOUT, WITH }, NORMAL_ON | IS_OFF, NORMAL_ON, 0 },
	{ "requested with, without", { REQUESTED_WITH, WITHOUT }, NORMAL_ON | IS_OFF,
	  NORMAL_ON, BIT(1) },
	{ "requested with, requested without", { REQUESTED_WITH, REQUESTED_WITHOUT },
	  NORMAL_ON | IS_OFF, NORMAL_ON, BIT(1) },
	{ "requested with, with, without", { REQUESTED_WITH, WITH, WITHOUT }, NORMAL_ON | IS_OFF,
	  NORMAL_ON, 0 },
	{ "requested without, without", { REQUESTED_WITHOUT, WITHOUT }, NORMAL_OFF, NORMAL_ON, 0 },
	{ "lost once", { REQUESTED_WITH, REQUESTED_WITHOUT, REQUESTED_WITHOUT }, NORMAL_ON | IS_OFF,
	  NORMAL_ON, BIT(1) },
	{ "lost twice", { REQUESTED_WITH, WITHOUT, REQUESTED_WITH, WITHOUT }, NORMAL_ON | IS_OFF,
	  NORMAL_ON, BIT(1) | BIT(3) },
	{ "the end of counting is no loss", { REQUESTED_WITH, OFF, WITHOUT }, NORMAL_ON | IS_OFF,
	  NORMAL_ON | IS_OFF, 0 },
	{ "counting begins again", { OFF, CHECK, WITH }, NORMAL_ON, NORMAL_ON, 0 },
	{ "off alone", { WITH, CHECK, OFF }, IS_THERE | IS_OFF, IS_THERE | IS_OFF, 0 },
	{ "states before the check", { WITHOUT, OFF, CHECK, WITH }, NORMAL_ON, NORMAL_ON, 0 },
	{ "nothing since", { WITH, WITHOUT, CHECK }, IS_THERE, IS_THERE, 0 },
};

KUNIT_ARRAY_PARAM_DESC(history, histories, name);

static void record_of_states(struct kunit *test)
{
	const struct history *c = test->param_value;
	struct adder *a = test->priv;
	const u32 core = panthor_perf_fake_fw_position(&a->fake, SHADER, 2);
	const u32 tiler = panthor_perf_fake_fw_position(&a->fake, TILER, 0);
	struct panthor_perf_states states;
	u64 looked = 0;
	u32 lost = 0;

	KUNIT_ASSERT_EQ(test, panthor_perf_states_init(&states, a->fw.layout), 0);
	for (u32 i = 0; i < ARRAY_SIZE(c->happenings); i++) {
		const enum happening now = c->happenings[i];
		struct panthor_perf_block_map written = {};

		bitmap_fill(written.bits, a->fake.block_count);
		switch (now) {
		case WITHOUT:
		case REQUESTED_WITHOUT:
			clear_bit(core, written.bits);
			fallthrough;
		case WITH:
		case REQUESTED_WITH:
			if (panthor_perf_states_add(&states, &written))
				lost |= BIT(i);
			KUNIT_EXPECT_FALSE(test, states.requested);
			states.requested = now == REQUESTED_WITH || now == REQUESTED_WITHOUT;
			break;
		case OFF:
			panthor_perf_states_off(&states);
			break;
		case CHECK:
			looked = states.nr;
			break;
		case END:
			break;
		}
	}

	KUNIT_EXPECT_EQ(test, lost, c->lost);
	KUNIT_EXPECT_EQ(test, panthor_perf_states_since(&states, core, 0, looked), c->core);
	KUNIT_EXPECT_EQ(test, panthor_perf_states_since(&states, tiler, 0, looked), c->tiler);
	/* The tertiary set does not define the tiler: there is nothing more to be said of it. */
	KUNIT_EXPECT_EQ(test, panthor_perf_states_since(&states, core, 2, looked), c->core);
	KUNIT_EXPECT_EQ(test, panthor_perf_states_since(&states, tiler, 2, looked), IS_WITHHELD);
	panthor_perf_states_fini(&states);
}

static struct kunit_case counts_cases[] = {
	KUNIT_CASE(adds_all_samples),
	KUNIT_CASE(adds_beyond_32_bits),
	KUNIT_CASE(refuses_an_impossible_index),
	KUNIT_CASE_PARAM(time_of_the_counts, stamp_gen_params),
	KUNIT_CASE(late_reading_is_an_overflow),
	KUNIT_CASE_PARAM(record_of_states, history_gen_params),
	{}
};

static int counts_init(struct kunit *test)
{
	struct adder *a = kunit_kzalloc(test, sizeof(*a), GFP_KERNEL);
	int ret;

	if (!a)
		return -ENOMEM;

	panthor_perf_fake_fw_init(test, &a->fake, &panthor_perf_rk3588);
	panthor_perf_fake_fw_connect(&a->fake, &a->fw);
	ret = panthor_perf_counts_init(&a->counts, &a->fw);
	if (ret)
		return ret;

	panthor_perf_clocks_init(&a->counts.clocks, NULL, NULL);
	a->counts.timestamp_frequency = PANTHOR_PERF_FAKE_TIMESTAMP_RATE;
	a->counts.saturation = 3600 * HZ;
	test->priv = a;
	return 0;
}

static void counts_exit(struct kunit *test)
{
	struct adder *a = test->priv;

	if (!a)
		return;

	panthor_perf_clocks_fini(&a->counts.clocks);
	panthor_perf_counts_fini(&a->counts);
	KUNIT_EXPECT_EQ_MSG(test, a->fake.violations, 0, "first: %s", a->fake.violation);
}

static struct kunit_suite counts_suite = {
	.name = "panthor_perf_counts",
	.init = counts_init,
	.exit = counts_exit,
	.test_cases = counts_cases,
};

kunit_test_suite(counts_suite);
