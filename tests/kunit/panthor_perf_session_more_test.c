// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/prandom.h>

#include "panthor_perf_session_test.h"

static const struct words_case {
	const char *name;
	u32 flags;
	/* Size of a sample, and where the shader core's counters 5 and 127 are in it. */
	u32 size, low, high;
} words_cases[] = {
	/* Four blocks of 128 counters: the last is the shader core's. */
	{ "full", 0, 80 + 4 * (8 + 1024), 80 + 3 * (8 + 1024) + 8 + 5 * 8,
	  80 + 3 * (8 + 1024) + 8 + 127 * 8 },
	{ "compact", DRM_PANTHOR_PERF_SETUP_COMPACT, 80 + 8 + 2 * 8, 80 + 8, 80 + 8 + 8 },
};

KUNIT_ARRAY_PARAM_DESC(words, words_cases, name);

/* Counters beyond 63 are in the mask's second word. */
static void masks_have_two_words(struct kunit *test)
{
	static const struct panthor_perf_fake_shape shape = {
		.arch = 11, .block_words = 128, .l2_slices = 1, .groups = 8, .shader_present = 0x1,
	};
	const struct words_case *c = test->param_value;
	struct panthor_perf_session_config config = {
		.masks[SHADER] = { BIT_ULL(5), BIT_ULL(63) },
		.flags = c->flags,
	};
	struct panthor_perf_fixture *outer = test->priv;
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shape);
	struct panthor_perf_start_wait wait;
	struct panthor_perf_session *session;
	struct drm_panthor_perf_ring_control control;
	u8 *ring = kunit_kmalloc(test, 2 * c->size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, session);
	KUNIT_ASSERT_EQ(test, session->sample_size, c->size);
	session_init_ring(session, ring, &control, 2, c->size);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_power_get(&f->sampler.fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_hw_alloc_ring(&f->sampler.fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start(session, &wait), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(session, &wait), 0);

	for (u32 nr = 0; nr < 2; nr++, ring += c->size) {
		const u64 *values = (void *)ring;
		u64 sum = 0;

		for (u32 k = 4; k < 128; k++)
			panthor_perf_fake_fw_count(&f->fake, SHADER, 0, k, 1000 * nr + 100 + k);
		KUNIT_ASSERT_EQ(test, nr ? panthor_perf_session_stop(session, 0) :
				try_sample(session, 0), 0);
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, values[c->low / 8], 1000 * nr + 105);
		KUNIT_EXPECT_EQ(test, values[c->high / 8], 1000 * nr + 227);

		/* And no others: headers apart, which are the first of a block's 129 words. */
		for (u32 at = 80; at < c->size; at += 8)
			sum += (at - 80) % (8 + 1024) ? values[at / 8] : 0;
		KUNIT_EXPECT_EQ(test, sum, 2000 * nr + 105 + 227);
	}

	mutex_lock(&f->sampler.lock);
	panthor_perf_session_kill_locked(session, false);
	mutex_unlock(&f->sampler.lock);
	panthor_perf_session_put(session);
	panthor_perf_fixture_destroy(f);
	KUNIT_EXPECT_EQ(test, outer->fake.doorbells, 0);
}

/* Flags and events are reported once to each started session, and to no other. */
static void incidents_are_reported_to_each(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);
	struct profiler *w = profiler_of_all(test);

	start(test, u);
	start(test, v);
	f->fake.burst = 64;
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_OVERFLOW);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	start(test, w);
	sample(test, u, 0);
	sample(test, v, 0);
	sample(test, w, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, header_at(v, 0)->events, FW_OVERFLOW);
	KUNIT_EXPECT_EQ(test, header_at(w, 0)->events, 0);
	drain(f, u);
	drain(f, v);
	drain(f, w);
	expect_conserved(test, u);
	expect_conserved(test, v);
	expect_conserved(test, w);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
	profiler_destroy(test, w);
}

#define SESSIONS		6
#define STEPS	600

struct random_case {
	const char *name;
	u32 seed;
};

static const struct random_case random_cases[] = {
	{ "seed 1", 1 }, { "seed 2", 2 }, { "seed 3", 3 }, { "seed 4", 4 },
};

KUNIT_ARRAY_PARAM_DESC(random, random_cases, name);

/* Sessions and cores come and go, samples are taken on request and without, all at random. */
static void random_sessions_are_exact(struct kunit *test)
{
	const struct random_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *users[SESSIONS];
	bool started[SESSIONS] = {};
	struct rnd_state rnd;
	u32 samples = 0;

	prandom_seed_state(&rnd, c->seed);
	for (u32 i = 0; i < SESSIONS; i++) {
		u64 masks[TYPES];

		for (u32 type = FW; type <= SHADER; type++)
			masks[type] = ((u64)prandom_u32_state(&rnd) << 32 |
				       prandom_u32_state(&rnd)) & ALL_COUNTERS;
		masks[0] = 0;
		masks[NEURAL] = 0;
		masks[CSG] = 0;
		users[i] = profiler_create(test, masks, 4, false, 0);
	}
	/* One stays, so that counters are enabled once. */
	start(test, users[0]);
	started[0] = true;

	for (u32 step = 0; step < STEPS; step++) {
		u32 who = prandom_u32_state(&rnd) % SESSIONS;
		struct profiler *u = users[who];

		panthor_perf_fake_fw_count_all(&f->fake, step);
		switch (prandom_u32_state(&rnd) % 8) {
		case 0:
		case 1:
			panthor_perf_fake_fw_auto_sample(&f->fake);
			break;
		case 2:
			panthor_perf_fake_fw_power_off(&f->fake, SHADER, who % 4);
			break;
		case 3:
			panthor_perf_fake_fw_power_on(&f->fake, SHADER, who % 4);
			break;
		case 4:
			panthor_perf_fixture_run(f);
			break;
		case 5:
			if (!started[who]) {
				start(test, u);
				started[who] = true;
				break;
			}
			fallthrough;
		case 6:
			if (!started[who])
				break;
			sample(test, u, step);
			KUNIT_EXPECT_EQ(test, drain(f, u), 1);
			samples++;
			break;
		case 7:
			if (!started[who] || !who)
				break;
			stop(test, u, step);
			KUNIT_EXPECT_EQ(test, drain(f, u), 1);
			expect_conserved(test, u);
			started[who] = false;
			samples++;
			break;
		}
	}

	KUNIT_EXPECT_GT(test, samples, STEPS / 8);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	for (u32 i = 0; i < SESSIONS; i++) {
		if (started[i]) {
			stop(test, users[i], 0);
			drain(f, users[i]);
			expect_conserved(test, users[i]);
		}
		profiler_destroy(test, users[i]);
	}
	expect_power(test, 0);
}

/* The cycles of each clock domain have a field of their own. */
static void cycles_of_each_domain(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	u64 *totals = f->sampler.counts.clocks.totals;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	totals[DRM_PANTHOR_PERF_CLOCK_COREGROUP] += 200;
	totals[DRM_PANTHOR_PERF_CLOCK_SHADER] += 700;
	sample(test, u, 0);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->coregroup_clock_cycles, 200);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->shader_clock_cycles, 700);
	profiler_destroy(test, u);
}

/* Sessions that are sampled together and apart, and one that ends early. */
static void snapshots_are_private(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *p[4];

	for (u32 i = 0; i < ARRAY_SIZE(p); i++) {
		p[i] = profiler_of_all(test);
		panthor_perf_fake_fw_count_all(&f->fake, i + 1);
		start(test, p[i]);
	}

	panthor_perf_fake_fw_count_all(&f->fake, 10);
	for (u32 i = 0; i < ARRAY_SIZE(p); i++)
		KUNIT_ASSERT_EQ(test, try_sample(p[i]->session, 0), 0);
	panthor_perf_fixture_run(f);

	for (u32 i = 0; i < ARRAY_SIZE(p); i++) {
		panthor_perf_fake_fw_count_all(&f->fake, 100 + i);
		sample(test, p[i], 0);
	}

	profiler_destroy(test, p[1]);
	panthor_perf_fake_fw_count_all(&f->fake, 1000);
	for (u32 i = 0; i < ARRAY_SIZE(p); i++) {
		if (i == 1)
			continue;
		stop(test, p[i], 0);
		KUNIT_EXPECT_EQ(test, drain(f, p[i]), 3);
		expect_conserved(test, p[i]);
		profiler_destroy(test, p[i]);
	}
}

/* The GPU does not come back: who waits gets an answer, and unplug finds nothing left. */
static void reset_that_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, begin(test, v), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(v->session, &v->wait), -EIO);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, signals(u), 1);

	panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, true);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	expect_power(test, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static struct kunit_case session_more_cases[] = {
	KUNIT_CASE_PARAM(masks_have_two_words, words_gen_params),
	KUNIT_CASE(incidents_are_reported_to_each),
	KUNIT_CASE_PARAM(random_sessions_are_exact, random_gen_params),
	KUNIT_CASE(cycles_of_each_domain),
	KUNIT_CASE(snapshots_are_private),
	KUNIT_CASE(reset_that_fails),
	{}
};

static struct kunit_suite session_more_suite = {
	.name = "panthor_perf_session_more",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = session_more_cases,
};

kunit_test_suite(session_more_suite);
