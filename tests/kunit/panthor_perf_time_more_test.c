// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/time64.h>

#include "panthor_perf_time.h"
#include "panthor_perf_u128_test.h"

static const u64 periods[] = {
	1, 2, 3, 7, 64, 99999, 100000, 100001, 333333, 1000000, 16666667, 1000000000, 0xffffffff,
	0x100000000, 0x100000001, 1ull << 62, KTIME_MAX - 1, KTIME_MAX, (u64)KTIME_MAX + 1,
	U64_MAX - 1, U64_MAX,
};

/* Where numbers wrap on their way: nowhere, in 32 bits, in a double, in ktime_t. */
static const u64 wraps[] = {
	0, 1ull << 31, 1ull << 32, 1ull << 53, 1ull << 62, 1ull << 63,
};

#define PHASES	9

static u64 phase_of(u64 period, u32 nr)
{
	const u64 phases[PHASES] = {
		0, 1, period / 3, period / 2 - 1, period / 2, period / 2 + 1, period - 2,
		period - 1, period,
	};

	return phases[nr];
}

static u64 multiple(u64 period, u64 now)
{
	return u128_mul(u128_div((struct u128){ .lo = now }, period).lo, period).lo;
}

static void expect_grid(struct kunit *test, u64 period, u64 now)
{
	const u64 next = panthor_perf_grid_next(period, now);
	const struct u128 long_after = u128_mul(period, 999);
	u64 then = next + long_after.lo;

	KUNIT_ASSERT_EQ_MSG(test, next, next_of(period, now), "period %llu now %llu", period, now);
	if (next == PANTHOR_PERF_NEVER)
		return;

	KUNIT_ASSERT_GT(test, next, now);
	KUNIT_ASSERT_LE(test, next - now, period);
	KUNIT_ASSERT_EQ(test, multiple(period, next), next);

	/* Nothing has passed until it has. */
	KUNIT_ASSERT_EQ(test, panthor_perf_grid_passed(period, next, now), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_grid_passed(period, next, next - 1), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_grid_passed(period, next, next), 1);
	if (long_after.hi || then < next)
		return;

	KUNIT_ASSERT_EQ(test, panthor_perf_grid_passed(period, next, then - 1), 999);
	KUNIT_ASSERT_EQ(test, panthor_perf_grid_passed(period, next, then), 1000);
}

/* Every period, every phase, around every wrap: the point comes, is counted once, and is gone. */
static void grid_around_wraps(struct kunit *test)
{
	u32 judged = 0;

	for (u32 i = 0; i < ARRAY_SIZE(periods); i++)
		for (u32 w = 0; w < ARRAY_SIZE(wraps); w++)
			for (u32 k = 0; k < PHASES; k++) {
				const u64 phase = phase_of(periods[i], k);
				const u64 point = multiple(periods[i], wraps[w]);

				/* Neither a wrapped time nor a phase that there is not. */
				if (phase > periods[i] || point + phase < point)
					continue;

				expect_grid(test, periods[i], point + phase);
				judged++;
			}

	KUNIT_EXPECT_GT(test, judged, 800);
}

struct drift {
	const char *name;
	s64 ppm;
};

static const struct drift drifts[] = {
	{ "none", 0 }, { "1 ppm", 1 }, { "-1 ppm", -1 }, { "20 ppm", 20 }, { "-20 ppm", -20 },
	{ "100 ppm", 100 }, { "-100 ppm", -100 }, { "1000 ppm", 1000 }, { "-1000 ppm", -1000 },
};

KUNIT_ARRAY_PARAM_DESC(drift, drifts, name);

static u64 distance(u64 a, u64 b)
{
	return a < b ? b - a : a - b;
}

#define RATE		62500000
#define TICK_NS		16
#define STEP_NS		(97 * NSEC_PER_MSEC + 11)

/*
 * A GPU's clock that is not as fast as it says. With an anchor that is at most a second old, a
 * stamp is off by the drift of that second and by a tick, after an hour as at first.
 */
static void drift_does_not_add_up(struct kunit *test)
{
	const struct drift *c = test->param_value;
	const u64 rate = RATE + RATE / 1000000 * c->ppm + RATE % 1000000 * c->ppm / 1000000;
	const u64 bound = abs(c->ppm) * 1000 + 2 * TICK_NS;
	struct panthor_perf_anchor anchor = {};
	const u64 epoch = 5 * NSEC_PER_SEC, base = U64_MAX - RATE;
	u64 worst = 0, without = 0;

	anchor.gpu_timestamp = base;
	anchor.raw_ns = epoch;
	for (u64 ns = 0; ns < 3600ull * NSEC_PER_SEC; ns += STEP_NS) {
		const struct panthor_perf_anchor first = { .gpu_timestamp = base, .raw_ns = epoch };
		u64 ticks = base + u128_div(u128_mul(ns, rate), NSEC_PER_SEC).lo, raw_ns;

		KUNIT_ASSERT_TRUE(test, panthor_perf_anchor_to_raw(&anchor, RATE, ticks, &raw_ns));
		worst = max(worst, distance(raw_ns, epoch + ns));
		KUNIT_ASSERT_TRUE(test, panthor_perf_anchor_to_raw(&first, RATE, ticks, &raw_ns));
		without = max(without, distance(raw_ns, epoch + ns));

		if (epoch + ns + STEP_NS - anchor.raw_ns >= NSEC_PER_SEC) {
			anchor.gpu_timestamp = ticks;
			anchor.raw_ns = epoch + ns;
		}
	}

	KUNIT_EXPECT_LE(test, worst, bound);
	/* The test sees what it is for. */
	if (c->ppm)
		KUNIT_EXPECT_GT(test, without, 1000 * bound);
}

static struct kunit_case time_more_cases[] = {
	KUNIT_CASE(grid_around_wraps),
	KUNIT_CASE_PARAM(drift_does_not_add_up, drift_gen_params),
	{}
};

static struct kunit_suite time_more_suite = {
	.name = "panthor_perf_time_more",
	.test_cases = time_more_cases,
};

kunit_test_suite(time_more_suite);
