// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_time.h"
#include "panthor_perf_u128_test.h"

static const u64 periods[] = {
	1, 2, 3, 7, 64, 99999, 100000, 100001, 333333, 1000000, 16666667, 1000000000, 0xffffffff,
	0x100000000, 0x100000001, 1ull << 62, KTIME_MAX - 1, KTIME_MAX, (u64)KTIME_MAX + 1,
	U64_MAX - 1, U64_MAX,
};

static const u64 times[] = {
	0, 1, 2, 63, 99999, 100000, 1000000007, 0xffffffff, 0x100000000, 123456789012345678,
	1ull << 62, KTIME_MAX - 1, KTIME_MAX, (u64)KTIME_MAX + 1, U64_MAX - 1, U64_MAX,
};

static void next_is_the_first_multiple(struct kunit *test)
{
	/* Every phase of every short period. */
	for (u64 period = 1; period <= 64; period++) {
		u64 point = period;

		for (u64 now = 0; now < 300; now++) {
			if (now == point)
				point += period;
			KUNIT_ASSERT_EQ_MSG(test, panthor_perf_grid_next(period, now), point,
					    "period %llu now %llu", period, now);
		}
	}

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++) {
		for (u32 k = 0; k < ARRAY_SIZE(times); k++)
			for (u64 phase = 0; phase < 3; phase++) {
				u64 now = times[k] + phase * (periods[i] / 2);

				KUNIT_ASSERT_EQ_MSG(test, panthor_perf_grid_next(periods[i], now),
						    next_of(periods[i], now),
						    "period %llu now %llu", periods[i], now);
			}
	}

	/* The last one that a timer can wait for, and none after it. */
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(KTIME_MAX, 0), KTIME_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(KTIME_MAX, KTIME_MAX), U64_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(1, KTIME_MAX - 1), KTIME_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(1, KTIME_MAX), U64_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next((u64)KTIME_MAX + 1, 5), U64_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(1, U64_MAX), U64_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_next(U64_MAX, U64_MAX), U64_MAX);
}

static void passed_are_the_multiples_up_to_now(struct kunit *test)
{
	for (u64 period = 1; period <= 32; period++) {
		for (u64 first = period; first <= 3 * period; first += period) {
			u64 passed = 0;

			for (u64 now = 0; now < 200; now++) {
				passed += now >= first && now % period == 0;
				KUNIT_ASSERT_EQ_MSG(test, panthor_perf_grid_passed(period, first,
										   now),
						    passed, "period %llu first %llu now %llu",
						    period, first, now);
			}
		}
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_grid_passed(1, 1, U64_MAX), U64_MAX);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_passed(KTIME_MAX, KTIME_MAX, U64_MAX), 2);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_passed(100000, U64_MAX, U64_MAX), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_grid_passed(100000, U64_MAX, 0), 0);
}

/* However the time is cut into pieces: each point is counted once. */
static void next_and_passed_agree(struct kunit *test)
{
	for (u32 i = 0; i < ARRAY_SIZE(periods); i++) {
		const u64 period = periods[i];
		u64 next, counted = 0, now = 5;
		const u64 before = now / period;

		next = panthor_perf_grid_next(period, now);
		for (u64 step = 1; step < 1ull << 40; step = step * 3 + 1) {
			u64 passed;

			now += step;
			passed = panthor_perf_grid_passed(period, next, now);
			if (passed)
				next = panthor_perf_grid_next(period, now);
			counted += passed;
		}
		KUNIT_EXPECT_EQ_MSG(test, counted, now / period - before, "period %llu", period);
	}
}

struct conversion {
	const char *name;
	u64 frequency;
};

static const struct conversion conversions[] = {
	{ "1 Hz", 1 },
	{ "19.2 MHz", 19200000 },
	{ "24 MHz", 24000000 },
	{ "62.5 MHz", 62500000 },
	{ "62.5 MHz and 10 ppm", 62500625 },
	{ "100 MHz less 1", 99999999 },
	{ "1 GHz", 1000000000 },
	{ "1 GHz and 1", 1000000001 },
};

KUNIT_ARRAY_PARAM_DESC(conversion, conversions, name);

/* What it should be, or false if that is no u64. */
static bool convert(const struct panthor_perf_anchor *anchor, u64 frequency, bool before,
		    u64 ticks, u64 *raw_ns)
{
	struct u128 ns = u128_div(u128_mul(ticks, NSEC_PER_SEC), frequency);

	*raw_ns = before ? anchor->raw_ns - ns.lo : anchor->raw_ns + ns.lo;
	return !ns.hi && (before ? ns.lo <= anchor->raw_ns : *raw_ns >= ns.lo);
}

static void converts_both_ways_from_the_anchor(struct kunit *test)
{
	static const u64 anchors[] = { 0, 1, 0xffffffff, 0x7fffffff00, S64_MAX, U64_MAX - 3 };
	static const u64 raws[] = { 0, 1, 1000000000, 86400000000000ull, 1ull << 62, U64_MAX - 9 };
	static const u64 distances[] = {
		0, 1, 2, 15, 16, 17, 625, 62499999, 62500000, 62500001, 0xffffffff, 0x100000000,
		1ull << 40, 1ull << 53, (1ull << 62) - 1, S64_MAX,
	};
	const struct conversion *c = test->param_value;
	u32 converted = 0, refused = 0;

	for (u32 a = 0; a < ARRAY_SIZE(anchors); a++)
		for (u32 r = 0; r < ARRAY_SIZE(raws); r++)
			for (u32 d = 0; d < 2 * ARRAY_SIZE(distances); d++) {
				const struct panthor_perf_anchor anchor = {
					.gpu_timestamp = anchors[a], .raw_ns = raws[r],
				};
				u64 ticks = distances[d / 2], expected, raw_ns = 42;
				bool before = d & 1, can, ret;

				can = convert(&anchor, c->frequency, before, ticks, &expected);
				/* The GPU's clock wraps where it likes. */
				ret = panthor_perf_anchor_to_raw(&anchor, c->frequency,
								 before ? anchors[a] - ticks :
									  anchors[a] + ticks,
								 &raw_ns);
				KUNIT_ASSERT_EQ_MSG(test, ret, can, "anchor %llu %llu ticks %llu",
						    anchors[a], raws[r], ticks);
				if (can)
					KUNIT_ASSERT_EQ(test, raw_ns, expected);
				converted += can;
				refused += !can;
			}

	KUNIT_EXPECT_GT(test, converted, 100);
	KUNIT_EXPECT_GT(test, refused, 10);
}

static void needs_a_frequency(struct kunit *test)
{
	const struct panthor_perf_anchor anchor = { .gpu_timestamp = 100, .raw_ns = 1000 };
	u64 raw_ns;

	KUNIT_EXPECT_FALSE(test, panthor_perf_anchor_to_raw(&anchor, 0, 100, &raw_ns));
	KUNIT_EXPECT_FALSE(test, panthor_perf_anchor_to_raw(&anchor, 0, 200, &raw_ns));
}

static struct kunit_case time_cases[] = {
	KUNIT_CASE(next_is_the_first_multiple),
	KUNIT_CASE(passed_are_the_multiples_up_to_now),
	KUNIT_CASE(next_and_passed_agree),
	KUNIT_CASE_PARAM(converts_both_ways_from_the_anchor, conversion_gen_params),
	KUNIT_CASE(needs_a_frequency),
	{}
};

static struct kunit_suite time_suite = {
	.name = "panthor_perf_time",
	.test_cases = time_cases,
};

kunit_test_suite(time_suite);
