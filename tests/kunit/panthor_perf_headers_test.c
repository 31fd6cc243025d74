// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>

#include "panthor_perf_control.h"
#include "panthor_perf_session_test.h"

/* Each byte of each header of both interfaces, on GPUs with 64 and with 128 counters in a block. */

#define GROUPS		3
#define SLICES		2
#define MAX_SAMPLE	(HEADER_SIZE + 24 * (24 + 128 * 8))
#define SLOTS		4
#define PERIOD_NS	(20 * NSEC_PER_MSEC)

#define FLAGS_OF_COMPACT	DRM_PANTHOR_PERF_SETUP_COMPACT

static const struct panthor_perf_fake_shape wide = {
	.name = "128 counters",
	.arch = 12,
	.block_words = 128,
	.fw_block = true,
	.csg_blocks = true,
	.groups = GROUPS,
	.l2_slices = SLICES,
	.shader_present = 0x15,
	.shader_withheld = 0x4,
	.clocks = BIT(DRM_PANTHOR_PERF_CLOCK_TOPLEVEL) | BIT(DRM_PANTHOR_PERF_CLOCK_COREGROUP) |
		  BIT(DRM_PANTHOR_PERF_CLOCK_SHADER),
};

/* A row of blocks in the order of a sample. */
struct blocks {
	u8 type, count, clock;
};

static const struct headers_case {
	const char *name;
	const struct panthor_perf_fake_shape *shape;
	u32 counters;
	struct blocks blocks[6];

	/* Shader cores that are withheld, by rank. */
	u32 withheld;
	u32 flags, set;

	/* The older interface has other headers, and no blocks of groups. */
	bool older;
} headers_cases[] = {
#define NARROW .shape = &panthor_perf_rk3588, .counters = 64, .blocks = {			\
	{ FW, 1, 0 }, { CSHW, 1, 0 }, { TILER, 1, 0 }, { MEMSYS, 4, 1 }, { SHADER, 4, 2 } }
#define WIDE .shape = &wide, .counters = 128, .withheld = BIT(1), .blocks = {			\
	{ FW, 1, 0 }, { CSHW, 1, 0 }, { TILER, 1, 0 }, { MEMSYS, SLICES, 1 },			\
	{ SHADER, 3, 2 }, { CSG, GROUPS, 0 } }
	{ .name = "64", NARROW },
	{ .name = "64, compact", NARROW, .flags = FLAGS_OF_COMPACT },
	{ .name = "64, secondary", NARROW, .set = 1 },
	{ .name = "64, tertiary", NARROW, .set = 2 },
	{ .name = "128", WIDE },
	{ .name = "128, compact", WIDE, .flags = FLAGS_OF_COMPACT },
	{ .name = "128, secondary", WIDE, .set = 1 },
	{ .name = "128, tertiary", WIDE, .set = 2 },
	{ .name = "64, older", NARROW, .older = true },
	{ .name = "64, older, secondary", NARROW, .older = true, .set = 1 },
	{ .name = "128, older", WIDE, .older = true },
	{ .name = "128, older, tertiary", WIDE, .older = true, .set = 2 },
};

KUNIT_ARRAY_PARAM_DESC(headers, headers_cases, name);

struct subject {
	struct panthor_perf_session *session;
	struct panthor_perf_start_wait wait;
	struct drm_panthor_perf_ring_control control;
	u32 size;
	u8 *ring;
};

static struct subject *subject_create(struct kunit *test, const struct headers_case *c, u64 period)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_session_config config = {
		.set = c->set, .flags = c->flags, .period_ns = period,
		.format = c->older ? &panthor_perf_control_format : NULL,
	};
	struct subject *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	for (u32 i = 0; i < ARRAY_SIZE(c->blocks) && c->blocks[i].count; i++) {
		/* One counter of each half. */
		config.masks[c->blocks[i].type][0] = BIT_ULL(20);
		if (c->counters == 128)
			config.masks[c->blocks[i].type][1] = BIT_ULL(30);
	}
	s->session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s->session);
	s->size = s->session->sample_size;
	KUNIT_ASSERT_LE(test, s->size, MAX_SAMPLE);
	s->ring = kunit_kmalloc(test, SLOTS * s->size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s->ring);
	memset(s->ring, 0xff, SLOTS * s->size);
	session_init_ring(s->session, s->ring, &s->control, SLOTS, s->size);
	return s;
}

static void subject_start(struct kunit *test, struct subject *s, u64 user_data)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fw *fw = &f->sampler.fw;

	KUNIT_ASSERT_EQ(test, panthor_perf_hw_power_get(fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_alloc_ring(fw), 0);
	s->wait.user_data = user_data;
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start(s->session, &s->wait), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(s->session, &s->wait), 0);
}

static void subject_destroy(struct kunit *test, struct subject *s)
{
	struct panthor_perf_fixture *f = test->priv;

	scoped_guard(panthor_perf_sampler, &f->sampler)
		panthor_perf_session_kill_locked(s->session, false);
	panthor_perf_session_put(s->session);
}

/* A header field by field, by its offset. */
static u64 field(const u8 *at, u32 offset, u32 size)
{
	u64 value = 0;

	memcpy(&value, at + offset, size);
	return value;
}

struct expected {
	u64 start, end_from, end_to, user_data, gpu_timestamp, nr;
	u32 flags, merged, events;

	/* Most cycles of the top level. */
	u64 cycles;
};

/* Bit 0 of the older flags is for what is lost, bit 1 for a sample of several periods. */
static void expect_older_header(struct kunit *test, const u8 *at, const struct expected *e)
{
	KUNIT_EXPECT_EQ(test, field(at, 20, 4), e->flags & STRETCHED ? 2 : 0);
	/* Cycles of neural accelerators. */
	KUNIT_EXPECT_EQ(test, field(at, 56, 8), 0);
}

static void expect_own_header(struct kunit *test, const u8 *at, const struct expected *e)
{
	KUNIT_EXPECT_EQ(test, field(at, 20, 4), e->flags);
	KUNIT_EXPECT_EQ(test, field(at, 56, 8), e->gpu_timestamp);
	KUNIT_EXPECT_EQ(test, field(at, 64, 8), e->nr);
	KUNIT_EXPECT_EQ(test, field(at, 72, 4), e->merged);
	KUNIT_EXPECT_EQ(test, field(at, 76, 4), e->events);
}

/* Returns the size of the header. */
static u32 expect_sample_header(struct kunit *test, const struct headers_case *c, const u8 *at,
				const struct expected *e)
{
	KUNIT_EXPECT_EQ(test, field(at, 0, 8), e->start);
	KUNIT_EXPECT_GE(test, field(at, 8, 8), e->end_from);
	KUNIT_EXPECT_LE(test, field(at, 8, 8), e->end_to);
	KUNIT_EXPECT_EQ(test, field(at, 16, 1), c->set);
	KUNIT_EXPECT_EQ(test, field(at, 17, 3), 0);
	KUNIT_EXPECT_EQ(test, field(at, 24, 8), e->user_data);
	KUNIT_EXPECT_LE(test, field(at, 32, 8), e->cycles);
	/* The other domains have no clock here. */
	KUNIT_EXPECT_EQ(test, field(at, 40, 8), 0);
	KUNIT_EXPECT_EQ(test, field(at, 48, 8), 0);
	if (c->older)
		expect_older_header(test, at, e);
	else
		expect_own_header(test, at, e);
	return c->older ? 64 : HEADER_SIZE;
}

/* Returns the size of the header. */
static u32 expect_block_header(struct kunit *test, const struct headers_case *c, u32 row, u32 idx,
			       const u8 *at)
{
	const struct blocks *b = &c->blocks[row];
	const bool withheld = b->type == SHADER && c->withheld & BIT(idx);
	const bool undefined = (c->set && b->type == TILER) || (c->set == 2 && b->type == MEMSYS);
	const u32 states = undefined ? IS_WITHHELD :
			   (withheld ? IS_WITHHELD : IS_THERE) | IS_ON | IS_NORMAL;

	KUNIT_EXPECT_EQ_MSG(test, field(at, 0, 1), b->type, "row %u", row);
	KUNIT_EXPECT_EQ_MSG(test, field(at, 1, 1), idx, "row %u", row);
	if (!c->older) {
		KUNIT_EXPECT_EQ_MSG(test, field(at, 2, 1), b->clock, "row %u", row);
		KUNIT_EXPECT_EQ_MSG(test, field(at, 3, 1), 0, "row %u", row);
		KUNIT_EXPECT_EQ_MSG(test, field(at, 4, 4), states, "row %u", row);
		return 8;
	}

	KUNIT_EXPECT_EQ_MSG(test, field(at, 2, 1), states, "row %u", row);
	KUNIT_EXPECT_EQ_MSG(test, field(at, 3, 1), b->clock, "row %u", row);
	KUNIT_EXPECT_EQ_MSG(test, field(at, 4, 4), 0, "row %u", row);
	KUNIT_EXPECT_EQ_MSG(test, field(at, 8, 8), BIT_ULL(20), "row %u", row);
	KUNIT_EXPECT_EQ_MSG(test, field(at, 16, 8), c->counters == 128 ? BIT_ULL(30) : 0,
			    "row %u", row);
	return 24;
}

/* Blocks one behind the other, and nothing was counted. Returns the size of all. */
static u32 expect_blocks(struct kunit *test, const struct headers_case *c, const u8 *at)
{
	const u32 values = c->flags ? c->counters / 64 : c->counters;
	const u8 *first = at;

	for (u32 i = 0; i < ARRAY_SIZE(c->blocks) && c->blocks[i].count; i++) {
		if (c->older && c->blocks[i].type == CSG)
			continue;
		for (u32 idx = 0; idx < c->blocks[i].count; idx++) {
			at += expect_block_header(test, c, i, idx, at);
			for (u32 k = 0; k < values; k++, at += 8)
				KUNIT_EXPECT_EQ_MSG(test, field(at, 0, 8), 0, "row %u", i);
		}
	}
	return at - first;
}

static void expect_sample(struct kunit *test, const struct headers_case *c,
			  const struct subject *s, u32 nr, const struct expected *e)
{
	const u8 *at = s->ring + nr * s->size;
	u32 size = expect_sample_header(test, c, at, e);

	size += expect_blocks(test, c, at + size);
	KUNIT_EXPECT_EQ(test, size, s->size);
}

static void manual_samples(struct kunit *test)
{
	const struct headers_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct subject *s = subject_create(test, c, 0);
	struct expected e = {};

	subject_start(test, s, 1111);
	for (u32 i = 0; i < 3; i++) {
		const u8 *at = s->ring + i * s->size;

		usleep_range(1000, 1100);
		e.start = i ? field(at - s->size, 8, 8) : field(at, 0, 8);
		e.end_from = ktime_get_raw_ns();
		e.user_data = 0x123456789abcdef0 + i;
		e.nr = i;
		e.flags = i == 2 ? FINAL : 0;
		panthor_perf_fake_fw_set_cycles(&f->fake, f->fake.cycles.base + 5000, 0);
		e.cycles = 5000 * (i + 1);
		if (i < 2)
			KUNIT_ASSERT_EQ(test, try_sample(s->session, e.user_data), 0);
		else
			KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(s->session, e.user_data),
					0);
		panthor_perf_fixture_run(f);
		e.end_to = ktime_get_raw_ns();
		e.gpu_timestamp = f->fake.timestamp;
		KUNIT_ASSERT_EQ(test, s->control.insert_idx, i + 1);
		if (!i) {
			e.start = field(at, 0, 8);
			KUNIT_EXPECT_LT(test, e.start, e.end_from);
			KUNIT_EXPECT_GT(test, e.start, 0);
		}
		expect_sample(test, c, s, i, &e);
	}
	/* What follows is not written. */
	for (u32 i = 0; i < s->size; i++)
		KUNIT_ASSERT_EQ(test, s->ring[3 * s->size + i], 0xff);
	subject_destroy(test, s);
}

/* Periods that are merged, and the final sample. */
static void periodic_samples(struct kunit *test)
{
	const struct headers_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct subject *s = subject_create(test, c, PERIOD_NS);
	struct expected e = { .end_to = U64_MAX, .cycles = U64_MAX };
	u64 periods = 0;

	panthor_perf_fixture_sleep_to_phase(PERIOD_NS, 50);
	subject_start(test, s, 2222);
	/* All but the last slot fill up. Four more periods are merged. */
	panthor_perf_fixture_sleep_to_phase(PERIOD_NS, 50);
	for (u32 i = 0; i < SLOTS - 1 + 3; i++)
		panthor_perf_fixture_sleep_to_phase(PERIOD_NS, 50);
	KUNIT_ASSERT_EQ(test, s->control.insert_idx, SLOTS - 1);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(s->session, 3333), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, s->control.insert_idx, SLOTS);
	for (u32 i = 0; i < SLOTS; i++) {
		const u8 *at = s->ring + i * s->size;
		const bool final = i == SLOTS - 1;

		e.start = i ? field(at - s->size, 8, 8) : field(at, 0, 8);
		e.end_from = e.start + (final ? PERIOD_NS : PERIOD_NS / 4);
		e.user_data = final ? 3333 : 2222;
		e.nr = i;
		e.merged = final && !c->older ? field(at, 72, 4) : 0;
		e.flags = final ? FINAL | STRETCHED : 0;
		e.events = final ? RING_FULL : 0;
		e.gpu_timestamp = field(at, 56, 8);
		periods += 1 + e.merged;
		expect_sample(test, c, s, i, &e);
		if (i && !c->older)
			KUNIT_EXPECT_GT(test, field(at, 56, 8), field(at - s->size, 56, 8));
	}
	if (!c->older) {
		KUNIT_EXPECT_EQ(test, field(s->ring + (SLOTS - 1) * s->size, 56, 8),
				f->fake.timestamp);
		KUNIT_EXPECT_EQ(test, periods, SLOTS - 1 + 4 + 1);
	}
	subject_destroy(test, s);
}

static struct kunit_case headers_test_cases[] = {
	KUNIT_CASE_PARAM(manual_samples, headers_gen_params),
	KUNIT_CASE_PARAM(periodic_samples, headers_gen_params),
	{}
};

static int headers_init(struct kunit *test)
{
	const struct headers_case *c = test->param_value;

	test->priv = panthor_perf_fixture_create(test, c->shape);
	return 0;
}

static void headers_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite headers_suite = {
	.name = "panthor_perf_headers",
	.init = headers_init,
	.exit = headers_exit,
	.test_cases = headers_test_cases,
};

kunit_test_suite(headers_suite);
