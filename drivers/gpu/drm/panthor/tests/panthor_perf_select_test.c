// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_select_test.h"

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

static struct kunit_case select_cases[] = {
	KUNIT_CASE_PARAM(compact_samples, shape_gen_params),
	{}
};

static struct kunit_suite select_suite = {
	.name = "panthor_perf_select",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = select_cases,
};

kunit_test_suite(select_suite);
