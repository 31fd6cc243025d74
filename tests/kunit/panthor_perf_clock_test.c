// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/clk-provider.h>
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/prandom.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time64.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_u128_test.h"

#define TOPLEVEL	DRM_PANTHOR_PERF_CLOCK_TOPLEVEL
#define COREGROUP	DRM_PANTHOR_PERF_CLOCK_COREGROUP
#define SHADER_CLOCK	DRM_PANTHOR_PERF_CLOCK_SHADER

#define MHZ		1000000ull

/* Cycles of a rate in a time, rounded down. */
static u64 __maybe_unused cycles_in(u64 hz, u64 ns)
{
	return u128_div(u128_mul(hz, ns), NSEC_PER_SEC).lo;
}

/*
 * A counter of the hardware, read twice
 */

struct counter {
	u64 raw_ns;
	u64 count;
};

struct reading {
	const char *name;
	struct counter from, to;
	u64 raw_ns;
	u64 cycles;
};

static const struct reading readings[] = {
	{ "at the first reading", { 1000, 50 }, { 2000, 150 }, 1000, 0 },
	{ "before it", { 1000, 50 }, { 2000, 150 }, 0, 0 },
	{ "a ns after it", { 1000, 50 }, { 2000, 150 }, 1001, 0 },
	{ "a cycle after it", { 1000, 50 }, { 2000, 150 }, 1010, 1 },
	{ "half way", { 1000, 50 }, { 2000, 150 }, 1500, 50 },
	{ "a ns before the second", { 1000, 50 }, { 2000, 150 }, 1999, 99 },
	{ "at the second reading", { 1000, 50 }, { 2000, 150 }, 2000, 100 },
	{ "after it", { 1000, 50 }, { 2000, 150 }, U64_MAX, 100 },
	{ "stands still", { 1000, 50 }, { 2000, 50 }, 1500, 0 },
	{ "stands still, at the end", { 1000, 50 }, { 2000, 50 }, 2000, 0 },
	{ "set back", { 1000, 50 }, { 2000, 49 }, 1500, 0 },
	{ "set back to 0", { 1000, U64_MAX }, { 2000, 0 }, 2000, 0 },
	{ "no time between", { 1000, 50 }, { 1000, 60 }, 1000, 0 },
	{ "no time between, later", { 1000, 50 }, { 1000, 60 }, 1001, 10 },
	{ "all of 64 bits", { 0, 0 }, { U64_MAX, U64_MAX }, U64_MAX - 1, U64_MAX - 1 },
	{ "half of 64 bits", { 0, 0 }, { U64_MAX, U64_MAX }, 1ull << 63, 1ull << 63 },
	{ "more than 64 bits on the way", { 5, 7 }, { 5 + (1ull << 40), 7 + (1ull << 60) },
	  5 + (1ull << 39), 1ull << 59 },
};

KUNIT_ARRAY_PARAM_DESC(reading, readings, name);

/* Cycles of the top level from a reading to a time, interpolated with another reading. */
static u64 cycles_between(const struct counter *from, const struct counter *to, u64 raw_ns)
{
	struct panthor_perf_clocks clocks = {};

	panthor_perf_clocks_init(&clocks, NULL, NULL);
	panthor_perf_clocks_restart(&clocks, from->count, from->raw_ns);
	panthor_perf_clocks_advance(&clocks, to->count, to->raw_ns, raw_ns);
	panthor_perf_clocks_fini(&clocks);
	return clocks.totals[TOPLEVEL];
}

static void interpolates(struct kunit *test)
{
	const struct reading *c = test->param_value;

	KUNIT_EXPECT_EQ(test, cycles_between(&c->from, &c->to, c->raw_ns), c->cycles);
}

static void interpolates_anything(struct kunit *test)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 4711);
	for (u32 i = 0; i < 5000; i++) {
		u64 ns = prandom_u32_state(&rnd) | (u64)(prandom_u32_state(&rnd) >> 8) << 32;
		u64 cycles = prandom_u32_state(&rnd) |
			     (u64)(prandom_u32_state(&rnd) >> (i & 31)) << 32;
		const struct counter from = {
			.raw_ns = prandom_u32_state(&rnd), .count = prandom_u32_state(&rnd),
		};
		const struct counter to = {
			.raw_ns = from.raw_ns + ns + 1,
			.count = cycles < U64_MAX - from.count ? from.count + cycles : U64_MAX,
		};
		u64 after = prandom_u32_state(&rnd) % (ns + 1);
		u64 expected = u128_div(u128_mul(to.count - from.count, after), ns + 1).lo;

		KUNIT_ASSERT_EQ(test, cycles_between(&from, &to, from.raw_ns + after), expected);
	}
}

/*
 * A clock with a reported rate
 */

struct change {
	u64 ns;
	u64 hz;
};

struct integral {
	const char *name;
	u64 hz;

	/* Changes, by the time since the one before. The last one is only the end. */
	u32 number;
	struct change changes[3];
	u64 cycles;
};

static const struct integral integrals[] = {
	{ "one rate", 500 * MHZ, 1, { { 2 * NSEC_PER_SEC } }, 1000 * MHZ },
	{ "no time", 500 * MHZ, 1, { { 0 } }, 0 },
	{ "a ns of a GHz", 1000 * MHZ, 1, { { 1 } }, 1 },
	{ "a ns of less", 999999999, 1, { { 1 } }, 0 },
	{ "up", 500 * MHZ, 2, { { NSEC_PER_SEC, 800 * MHZ }, { NSEC_PER_SEC } }, 1300 * MHZ },
	{ "down", 800 * MHZ, 2, { { NSEC_PER_SEC, 200 * MHZ }, { 3 * NSEC_PER_SEC } }, 1400 * MHZ },
	{ "up and down", 100 * MHZ, 3,
	  { { NSEC_PER_MSEC, 800 * MHZ }, { NSEC_PER_MSEC, 100 * MHZ }, { NSEC_PER_MSEC } },
	  1000000 },
	{ "the same again", 100 * MHZ, 3, { { 1000, 100 * MHZ }, { 1000, 100 * MHZ }, { 1000 } },
	  300 },
	{ "twice at once", 100 * MHZ, 3, { { 1000, 900 * MHZ }, { 0, 200 * MHZ }, { 1000 } }, 300 },
	{ "at once", 100 * MHZ, 2, { { 0, 900 * MHZ }, { 1000 } }, 900 },
	{ "stopped", 100 * MHZ, 2, { { 1000, 0 }, { 3600 * NSEC_PER_SEC } }, 100 },
	{ "stopped and started", 100 * MHZ, 3,
	  { { 1000, 0 }, { 3600 * NSEC_PER_SEC, 100 * MHZ }, { 1000 } }, 200 },
	{ "a century of 5 GHz", 5000 * MHZ, 1, { { 3155760000ull * NSEC_PER_SEC } },
	  5000 * MHZ * 3155760000ull },
	{ "half a cycle too little", 1, 1, { { 1999999999 } }, 1 },
};

KUNIT_ARRAY_PARAM_DESC(integral, integrals, name);

static void start_domain(struct panthor_perf_domain *domain, u64 hz, u64 raw_ns)
{
	memset(domain, 0, sizeof(*domain));
	spin_lock_init(&domain->lock);
	panthor_perf_domain_update(domain, hz, raw_ns);
}

static u64 domain_cycles(struct panthor_perf_domain *domain, u64 raw_ns)
{
	guard(spinlock)(&domain->lock);
	return panthor_perf_domain_cycles_locked(domain, raw_ns);
}

static void integrates(struct kunit *test)
{
	static const u64 epochs[] = { 0, 1, 123456789012345, 1ull << 60 };
	const struct integral *c = test->param_value;

	for (u32 e = 0; e < ARRAY_SIZE(epochs); e++) {
		struct panthor_perf_domain domain;
		u64 now = epochs[e];

		start_domain(&domain, c->hz, now);
		KUNIT_EXPECT_EQ(test, domain_cycles(&domain, now), 0);
		for (u32 i = 0; i < c->number; i++) {
			const struct change *change = &c->changes[i];
			u64 before;

			now += change->ns;
			before = domain_cycles(&domain, now);
			if (i == c->number - 1)
				break;

			/* A change is no cycle, neither more nor less. */
			panthor_perf_domain_update(&domain, change->hz, now);
			KUNIT_EXPECT_EQ(test, domain_cycles(&domain, now), before);
		}
		KUNIT_EXPECT_EQ(test, domain_cycles(&domain, now), c->cycles);
	}
}

/* Random rates and times: each change may cost a part of a cycle, and nothing is made up. */
static void rounding_costs_a_cycle_at_most(struct kunit *test)
{
	struct panthor_perf_domain domain;
	struct u128 exact = {};
	struct rnd_state rnd;
	u64 now = 1ull << 50, hz = 1000 * MHZ;

	prandom_seed_state(&rnd, 99);
	start_domain(&domain, hz, now);
	for (u32 i = 0; i < 10000; i++) {
		u64 ns = prandom_u32_state(&rnd) >> (i % 32), cycles, expected;
		struct u128 more = u128_mul(hz, ns);

		now += ns;
		exact.lo += more.lo;
		exact.hi += more.hi + (exact.lo < more.lo);
		cycles = domain_cycles(&domain, now);
		expected = u128_div(exact, NSEC_PER_SEC).lo;
		KUNIT_ASSERT_LE(test, cycles, expected);
		KUNIT_ASSERT_GE(test, cycles + i + 1, expected);
		hz = i % 7 ? prandom_u32_state(&rnd) : 0;
		panthor_perf_domain_update(&domain, hz, now);
	}
}

/* The end of a sample may be before a change of the rate that was reported meanwhile. */
static void looks_back_over_a_change(struct kunit *test)
{
	struct panthor_perf_domain domain;

	start_domain(&domain, 100 * MHZ, 0);
	panthor_perf_domain_update(&domain, 800 * MHZ, 10000);
	panthor_perf_domain_update(&domain, 200 * MHZ, 20000);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 10000), 1000);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 15000), 5000);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 19999), 9000);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 20000), 9000);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 25000), 10000);

	/* Farther than a change ago it is a guess, but never below nothing. */
	start_domain(&domain, 800 * MHZ, 10000);
	panthor_perf_domain_update(&domain, 1 * MHZ, 10010);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 0), 0);
	KUNIT_EXPECT_EQ(test, domain_cycles(&domain, 10000), 0);
}

/*
 * All domains of a GPU, in which only the top level has a clock
 */

static void toplevel_adds_up(struct kunit *test)
{
	struct panthor_perf_clocks clocks = {};
	u64 now = 1ull << 40, count = U64_MAX - 1000000, total = 0;
	struct rnd_state rnd;

	panthor_perf_clocks_init(&clocks, NULL, NULL);
	KUNIT_EXPECT_EQ(test, clocks.supported, 1);

	/* What was before does not count. */
	panthor_perf_clocks_restart(&clocks, 12345, now - 1000);
	panthor_perf_clocks_restart(&clocks, count, now);
	KUNIT_EXPECT_EQ(test, clocks.totals[TOPLEVEL], 0);

	prandom_seed_state(&rnd, 5);
	for (u32 i = 0; i < 500; i++) {
		const u64 before = clocks.totals[TOPLEVEL];
		u32 ns = 2 + prandom_u32_state(&rnd) % 1000, cycles = ns / 2;
		u64 end = now + prandom_u32_state(&rnd) % (ns + 1);

		/* It comes to its end, and is set back: what passed in between is not known. */
		if (count + cycles < count) {
			count = 0;
			cycles = 0;
		}
		panthor_perf_clocks_advance(&clocks, count + cycles, now + ns, end);
		KUNIT_ASSERT_GE(test, clocks.totals[TOPLEVEL], before);
		KUNIT_ASSERT_GE(test, clocks.totals[TOPLEVEL], total);
		KUNIT_ASSERT_LE(test, clocks.totals[TOPLEVEL], total + cycles);
		if (end == now + ns)
			KUNIT_ASSERT_EQ(test, clocks.totals[TOPLEVEL], total + cycles);

		total += cycles;
		count += cycles;
		now += ns;
	}

	/* What an end left over is in the next one. */
	panthor_perf_clocks_advance(&clocks, count + 10, now + 10, now + 10);
	KUNIT_EXPECT_EQ(test, clocks.totals[TOPLEVEL], total + 10);
	KUNIT_EXPECT_EQ(test, clocks.totals[COREGROUP], 0);
	KUNIT_EXPECT_EQ(test, clocks.totals[SHADER_CLOCK], 0);
	panthor_perf_clocks_fini(&clocks);
}

/* The counter stands still, then it counts, and then the firmware boots. */
static void toplevel_freezes(struct kunit *test)
{
	struct panthor_perf_clocks clocks = {};
	u64 *total = &clocks.totals[TOPLEVEL];

	panthor_perf_clocks_init(&clocks, NULL, NULL);
	panthor_perf_clocks_restart(&clocks, 700, 1000);
	panthor_perf_clocks_advance(&clocks, 700, 2000, 1500);
	panthor_perf_clocks_advance(&clocks, 700, 3000, 3000);
	KUNIT_EXPECT_EQ(test, *total, 0);
	panthor_perf_clocks_advance(&clocks, 800, 4000, 4000);
	KUNIT_EXPECT_EQ(test, *total, 100);
	panthor_perf_clocks_advance(&clocks, 800, 5000, 5000);
	KUNIT_EXPECT_EQ(test, *total, 100);

	/* Without a word of it: from 800 to 300. */
	panthor_perf_clocks_advance(&clocks, 300, 6000, 6000);
	KUNIT_EXPECT_EQ(test, *total, 100);
	panthor_perf_clocks_advance(&clocks, 400, 7000, 6500);
	KUNIT_EXPECT_EQ(test, *total, 150);

	/* Counters restart: cycles since that end are not counted. */
	panthor_perf_clocks_restart(&clocks, 5, 9000);
	KUNIT_EXPECT_EQ(test, *total, 150);
	panthor_perf_clocks_advance(&clocks, 25, 9100, 9050);
	KUNIT_EXPECT_EQ(test, *total, 160);
	panthor_perf_clocks_advance(&clocks, 25, 9200, 9200);
	KUNIT_EXPECT_EQ(test, *total, 170);
	panthor_perf_clocks_fini(&clocks);
}

/* A domain with a clock of its own, whose rate the test sets. */
static void domain_adds_up(struct kunit *test)
{
	struct panthor_perf_clocks clocks = {};
	struct panthor_perf_domain *domain = &clocks.domains[SHADER_CLOCK];
	u64 *total = &clocks.totals[SHADER_CLOCK];
	u8 clock;

	panthor_perf_clocks_init(&clocks, NULL, NULL);
	panthor_perf_domain_update(domain, 500 * MHZ, 0);
	/* Any address will do: the clock itself is not accessed. */
	domain->clk = (struct clk *)&clock;

	panthor_perf_clocks_restart(&clocks, 0, 1000);
	KUNIT_EXPECT_EQ(test, *total, 0);
	panthor_perf_clocks_advance(&clocks, 0, 3000, 2000);
	KUNIT_EXPECT_EQ(test, *total, 500);

	/* A change before the next end, and one behind it. */
	panthor_perf_domain_update(domain, 100 * MHZ, 2500);
	panthor_perf_clocks_advance(&clocks, 0, 4000, 3000);
	KUNIT_EXPECT_EQ(test, *total, 500 + 250 + 50);
	panthor_perf_domain_update(domain, 800 * MHZ, 4000);
	panthor_perf_clocks_advance(&clocks, 0, 5000, 3500);
	KUNIT_EXPECT_EQ(test, *total, 800 + 50);
	panthor_perf_clocks_advance(&clocks, 0, 6000, 5000);
	KUNIT_EXPECT_EQ(test, *total, 850 + 50 + 800);

	/* While counters rest, cycles do not count, whatever the rate. */
	panthor_perf_domain_update(domain, 900 * MHZ, 50000);
	panthor_perf_clocks_restart(&clocks, 0, 100000);
	KUNIT_EXPECT_EQ(test, *total, 1700);
	panthor_perf_clocks_advance(&clocks, 0, 101000, 101000);
	KUNIT_EXPECT_EQ(test, *total, 1700 + 900);

	/* An end that goes back is worth nothing, and costs nothing. */
	panthor_perf_clocks_advance(&clocks, 0, 101000, 100500);
	KUNIT_EXPECT_EQ(test, *total, 2600);
	panthor_perf_clocks_advance(&clocks, 0, 102000, 102000);
	KUNIT_EXPECT_EQ(test, *total, 2600 + 900);

	KUNIT_EXPECT_EQ(test, clocks.totals[COREGROUP], 0);
	KUNIT_EXPECT_EQ(test, clocks.totals[TOPLEVEL], 0);
	domain->clk = NULL;
	panthor_perf_clocks_fini(&clocks);
}

#ifdef CONFIG_COMMON_CLK

/* A clock of a board. */
struct board_clk {
	struct clk_hw hw;
	unsigned long rate;
};

static unsigned long board_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	return container_of(hw, struct board_clk, hw)->rate;
}

static int board_determine_rate(struct clk_hw *hw, struct clk_rate_request *req)
{
	return 0;
}

static int board_set_rate(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate)
{
	container_of(hw, struct board_clk, hw)->rate = rate;
	return 0;
}

static const struct clk_ops board_ops = {
	.recalc_rate = board_recalc_rate,
	.determine_rate = board_determine_rate,
	.set_rate = board_set_rate,
};

static struct clk *board_clk(struct kunit *test, struct device *dev, const char *name,
			     unsigned long rate)
{
	const struct clk_init_data init = {
		.name = name, .ops = &board_ops, .flags = CLK_GET_RATE_NOCACHE,
	};
	struct board_clk *board = devm_kzalloc(dev, sizeof(*board), GFP_KERNEL);
	struct clk *clk;

	KUNIT_ASSERT_NOT_NULL(test, board);
	board->rate = rate;
	board->hw.init = &init;
	KUNIT_ASSERT_EQ(test, devm_clk_hw_register(dev, &board->hw), 0);
	clk = devm_clk_hw_get_clk(dev, &board->hw, "test");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, clk);
	return clk;
}

/* The ticks of this kernel are long against the time that a call takes. */
static void expect_cycles(struct kunit *test, u64 is, u64 expected, u64 hz)
{
	const u64 slack = hz / 1000;

	KUNIT_EXPECT_GE(test, is + slack, expected);
	KUNIT_EXPECT_LE(test, is, expected + slack);
}

struct board {
	const char *name;
	unsigned long coregroup, stacks;
	u32 supported;
};

/* Rates of 0: the clock does not run, and its cycles are not reported. -1: no such clock. */
#define NO_CLOCK	(-1ul)

static const struct board board_cases[] = {
	{ "no clock of its own", NO_CLOCK, NO_CLOCK, 1 },
	{ "core group", 300 * MHZ, NO_CLOCK, 3 },
	{ "stacks", NO_CLOCK, 500 * MHZ, 5 },
	{ "both", 300 * MHZ, 500 * MHZ, 7 },
	{ "one that stands", 0, 500 * MHZ, 5 },
	{ "both stand", 0, 0, 1 },
};

KUNIT_ARRAY_PARAM_DESC(board, board_cases, name);

/* The clock framework reports changes. Cycles are reported for domains that have a clock. */
static void domains_follow_their_clocks(struct kunit *test)
{
	const struct board *c = test->param_value;
	struct device *dev = kunit_device_register(test, "board");
	struct panthor_perf_clocks clocks = {};
	struct clk *coregroup = NULL, *stacks = NULL;
	u64 begin, change, end;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	if (c->coregroup != NO_CLOCK)
		coregroup = board_clk(test, dev, "coregroup", c->coregroup);
	if (c->stacks != NO_CLOCK)
		stacks = board_clk(test, dev, "stacks", c->stacks);

	panthor_perf_clocks_init(&clocks, coregroup, stacks);
	KUNIT_EXPECT_EQ(test, clocks.supported, c->supported);
	msleep(50);
	begin = ktime_get_raw_ns();
	panthor_perf_clocks_restart(&clocks, 0, begin);
	msleep(100);
	change = ktime_get_raw_ns();
	if (coregroup)
		KUNIT_EXPECT_EQ(test, clk_set_rate(coregroup, 600 * MHZ), 0);
	if (stacks)
		KUNIT_EXPECT_EQ(test, clk_set_rate(stacks, 50 * MHZ), 0);
	msleep(100);
	end = ktime_get_raw_ns();

	/* An end that lies before the change, and one behind it. */
	panthor_perf_clocks_advance(&clocks, 1000, end, begin + (change - begin) / 2);
	if (c->supported & BIT(COREGROUP))
		expect_cycles(test, clocks.totals[COREGROUP],
			      cycles_in(300 * MHZ, (change - begin) / 2), 300 * MHZ);
	if (c->supported & BIT(SHADER_CLOCK))
		expect_cycles(test, clocks.totals[SHADER_CLOCK],
			      cycles_in(500 * MHZ, (change - begin) / 2), 500 * MHZ);

	panthor_perf_clocks_advance(&clocks, 1000, end, end);
	expect_cycles(test, clocks.totals[COREGROUP],
		      c->supported & BIT(COREGROUP) ?
		      cycles_in(300 * MHZ, change - begin) + cycles_in(600 * MHZ, end - change) :
		      0, 600 * MHZ);
	expect_cycles(test, clocks.totals[SHADER_CLOCK],
		      c->supported & BIT(SHADER_CLOCK) ?
		      cycles_in(500 * MHZ, change - begin) + cycles_in(50 * MHZ, end - change) :
		      0, 500 * MHZ);
	if (!(c->supported & BIT(COREGROUP)))
		KUNIT_EXPECT_EQ(test, clocks.totals[COREGROUP], 0);
	if (!(c->supported & BIT(SHADER_CLOCK)))
		KUNIT_EXPECT_EQ(test, clocks.totals[SHADER_CLOCK], 0);
	KUNIT_EXPECT_EQ(test, clocks.totals[TOPLEVEL], 1000);

	/* The notifier is unregistered. */
	panthor_perf_clocks_fini(&clocks);
	begin = clocks.domains[SHADER_CLOCK].changed_ns;
	if (stacks)
		KUNIT_EXPECT_EQ(test, clk_set_rate(stacks, 70 * MHZ), 0);
	KUNIT_EXPECT_EQ(test, clocks.domains[SHADER_CLOCK].changed_ns, begin);
	panthor_perf_clocks_fini(&clocks);
}

/* While counters do not run, cycles do not count, whatever the rate. */
static void domains_rest_with_the_counters(struct kunit *test)
{
	struct device *dev = kunit_device_register(test, "board");
	struct panthor_perf_clocks clocks = {};
	struct clk *stacks;
	u64 total, now;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	stacks = board_clk(test, dev, "stacks", 500 * MHZ);
	panthor_perf_clocks_init(&clocks, NULL, stacks);
	panthor_perf_clocks_restart(&clocks, 0, ktime_get_raw_ns());
	msleep(20);
	now = ktime_get_raw_ns();
	panthor_perf_clocks_advance(&clocks, 0, now, now);
	total = clocks.totals[SHADER_CLOCK];
	KUNIT_EXPECT_GT(test, total, 0);

	msleep(500);
	KUNIT_EXPECT_EQ(test, clk_set_rate(stacks, 900 * MHZ), 0);
	msleep(500);
	panthor_perf_clocks_restart(&clocks, 0, ktime_get_raw_ns());
	KUNIT_EXPECT_EQ(test, clocks.totals[SHADER_CLOCK], total);
	now = ktime_get_raw_ns();
	panthor_perf_clocks_advance(&clocks, 0, now, now);
	expect_cycles(test, clocks.totals[SHADER_CLOCK], total, 900 * MHZ);
	panthor_perf_clocks_fini(&clocks);
}

#endif

static struct kunit_case clock_cases[] = {
	KUNIT_CASE_PARAM(interpolates, reading_gen_params),
	KUNIT_CASE(interpolates_anything),
	KUNIT_CASE_PARAM(integrates, integral_gen_params),
	KUNIT_CASE(rounding_costs_a_cycle_at_most),
	KUNIT_CASE(looks_back_over_a_change),
	KUNIT_CASE(toplevel_adds_up),
	KUNIT_CASE(toplevel_freezes),
	KUNIT_CASE(domain_adds_up),
#ifdef CONFIG_COMMON_CLK
	KUNIT_CASE_PARAM(domains_follow_their_clocks, board_gen_params),
	KUNIT_CASE(domains_rest_with_the_counters),
#endif
	{}
};

static struct kunit_suite clock_suite = {
	.name = "panthor_perf_clock",
	.test_cases = clock_cases,
};

kunit_test_suite(clock_suite);
