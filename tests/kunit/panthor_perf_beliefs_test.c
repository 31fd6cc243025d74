// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/prandom.h>

#include "panthor_perf_session_test.h"

/*
 * No source describes all of what firmware does. Each row is a firmware that does these things in
 * another combination, and any two answers to two questions are together in at least one row. The
 * driver does not know which of them it has: its samples are right with all of them.
 */

#define SLOTS		16
#define OPERATIONS	400
#define ANSWERS		2
#define CORE_OFFS	5
#define ROWS		(ANSWERS * CORE_OFFS)
#define QUESTIONS	5
#define MOST_ANSWERS	5

/* Entries of the firmware's ring, at most. */
#define RING		128

struct belief {
	u32 row;
	enum panthor_perf_fake_answers answers;
	enum panthor_perf_fake_core_off core_off;
	bool full_ring_loses, keep_enable, cycles_always;
};

/* The last three answers differ between the two rows of each core_off. */
static void get_belief(struct belief *b, u32 row)
{
	const u32 a = row / CORE_OFFS, c = row % CORE_OFFS;

	*b = (struct belief) {
		.row = row,
		.answers = a,
		.core_off = c,
		.full_ring_loses = (a + c) % 2,
		.keep_enable = (a + c / 2) % 2,
		.cycles_always = (a + c / 4) % 2,
	};
}

static void answer_of(const struct belief *b, u8 *answer)
{
	answer[0] = b->answers;
	answer[1] = b->core_off;
	answer[2] = b->full_ring_loses;
	answer[3] = b->keep_enable;
	answer[4] = b->cycles_always;
}

static void all_pairs_are_there(struct kunit *test)
{
	static const u8 answers[QUESTIONS] = { ANSWERS, CORE_OFFS, 2, 2, 2 };
	bool seen[QUESTIONS][QUESTIONS][MOST_ANSWERS][MOST_ANSWERS] = {};
	u8 answer[QUESTIONS];
	struct belief b;

	for (u32 row = 0; row < ROWS; row++) {
		get_belief(&b, row);
		answer_of(&b, answer);
		for (u32 i = 0; i < QUESTIONS; i++) {
			for (u32 k = 0; k < QUESTIONS; k++)
				seen[i][k][answer[i]][answer[k]] = true;
		}
	}

	for (u32 i = 0; i < QUESTIONS; i++) {
		for (u32 k = i + 1; k < QUESTIONS; k++) {
			for (u32 n = 0; n < answers[i] * answers[k]; n++)
				KUNIT_EXPECT_TRUE_MSG(test,
						      seen[i][k][n / answers[k]][n % answers[k]],
						      "questions %u and %u, answers %u", i, k, n);
		}
	}
}

static void believe(struct panthor_perf_fixture *f, const struct belief *b)
{
	f->fake.answers = b->answers;
	f->fake.core_off = b->core_off;
	f->fake.full_ring_loses = b->full_ring_loses;
	f->fake.keep_enable = b->keep_enable;
	f->fake.cycles_always = b->cycles_always;
}

struct watcher {
	struct profiler *p;

	/* The number of reasons for ERROR when a sample was last read. */
	u32 reasons;

	/* The run has a sample with ERROR. */
	bool lossy;
};

struct world {
	struct panthor_perf_fixture *f;
	const struct belief *belief;
	struct rnd_state rnd;
	struct watcher watchers[2];

	/* Times that counts were lost, or may have been for all that the driver can know. */
	u32 reasons;
};

static u32 random_below(struct world *w, u32 limit)
{
	return prandom_u32_state(&w->rnd) % limit;
}

/* ERROR appears only where there was a reason since the sample before. */
static void look_at(struct kunit *test, struct world *w, struct watcher *watcher)
{
	struct profiler *p = watcher->p;

	for (u64 i = p->next; i < p->control->insert_idx; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(p, i);

		if (header->flags & ERROR) {
			KUNIT_EXPECT_TRUE_MSG(test, watcher->reasons < w->reasons,
					      "sample %llu has ERROR, events %#x",
					      header->sample_nr, header->events);
			watcher->lossy = true;
		}
		KUNIT_EXPECT_EQ(test, header->flags & OVERFLOW, 0);
	}
	if (drain(w->f, p))
		watcher->reasons = w->reasons;
}

static void do_start(struct kunit *test, struct world *w, struct watcher *watcher)
{
	if (watcher->p->session->state == PANTHOR_PERF_SESSION_STARTED)
		return;

	start(test, watcher->p);
	watcher->lossy = false;
	watcher->reasons = w->reasons;
}

static void do_stop(struct kunit *test, struct world *w, struct watcher *watcher)
{
	if (watcher->p->session->state != PANTHOR_PERF_SESSION_STARTED)
		return;

	stop(test, watcher->p, 0);
	KUNIT_EXPECT_EQ(test, watcher->p->session->state, PANTHOR_PERF_SESSION_STOPPED);
	look_at(test, w, watcher);
	if (!watcher->lossy)
		expect_conserved(test, watcher->p);
	/* The next run starts from 0. */
	memset(watcher->p->sums, 0, BLOCKS * COUNTERS * sizeof(u64));
}

static void do_sample(struct kunit *test, struct world *w, struct watcher *watcher)
{
	if (watcher->p->session->state == PANTHOR_PERF_SESSION_STARTED)
		sample(test, watcher->p, 0);
}

static void fill_ring(struct world *w)
{
	for (u32 i = 0; i < RING + 2; i++)
		panthor_perf_fake_fw_auto_sample(&w->f->fake);
	panthor_perf_fixture_run(w->f);
	w->reasons++;
}

static void reset(struct world *w)
{
	panthor_perf_fixture_pre_reset(w->f);
	panthor_perf_fixture_post_reset(w->f, false);
	panthor_perf_fixture_run(w->f);
	w->reasons++;
}

static void suspend(struct world *w)
{
	panthor_perf_fixture_suspend(w->f);
	panthor_perf_fixture_resume(w->f, random_below(w, 2));
	panthor_perf_fixture_run(w->f);
}

static void act(struct kunit *test, struct world *w)
{
	static const u8 types[] = { FW, CSHW, TILER, MEMSYS, SHADER };
	struct watcher *watcher = &w->watchers[random_below(w, ARRAY_SIZE(w->watchers))];

	switch (random_below(w, 40)) {
	case 0 ... 1:
		do_start(test, w, watcher);
		break;
	case 2 ... 9:
		do_sample(test, w, watcher);
		break;
	case 10:
		do_stop(test, w, watcher);
		break;
	case 11 ... 13:
		panthor_perf_fake_fw_core_off(&w->f->fake, random_below(w, 4));
		break;
	case 14 ... 16:
		panthor_perf_fake_fw_power_on(&w->f->fake, SHADER, random_below(w, 4));
		break;
	case 17:
		panthor_perf_fake_fw_auto_sample(&w->f->fake);
		break;
	case 18:
		if (!random_below(w, 4))
			fill_ring(w);
		break;
	case 20:
		if (!random_below(w, 4))
			reset(w);
		break;
	case 21:
		suspend(w);
		break;
	case 22:
		panthor_perf_fixture_run(w->f);
		break;
	default:
		panthor_perf_fake_fw_count(&w->f->fake,
					   types[random_below(w, ARRAY_SIZE(types))], 0,
					   4 + random_below(w, COUNTERS - 4),
					   random_below(w, 1000));
		break;
	}
}

static void belief_desc(struct belief *b, char *desc)
{
	static const char *const answers[] = { "at once", "late" };
	static const char *const core_offs[] = { "all", "one", "busy", "none", "after" };

	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, core off %s%s%s%s", answers[b->answers],
		 core_offs[b->core_off], b->full_ring_loses ? ", full ring loses" : "",
		 b->keep_enable ? ", boot keeps" : "", b->cycles_always ? ", cycles run" : "");
}

static struct belief beliefs[ROWS];

KUNIT_ARRAY_PARAM(belief, beliefs, belief_desc);

static void samples_are_right(struct kunit *test)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->f = test->priv;
	w->belief = test->param_value;
	prandom_seed_state(&w->rnd, w->belief->row);
	believe(w->f, w->belief);
	for (u32 i = 0; i < ARRAY_SIZE(w->watchers); i++) {
		w->watchers[i].p = profiler_create(test, all_masks, SLOTS, false, 0);
		do_start(test, w, &w->watchers[i]);
	}

	for (u32 i = 0; i < OPERATIONS; i++) {
		act(test, w);
		for (u32 k = 0; k < ARRAY_SIZE(w->watchers); k++)
			look_at(test, w, &w->watchers[k]);
	}

	for (u32 i = 0; i < ARRAY_SIZE(w->watchers); i++) {
		do_stop(test, w, &w->watchers[i]);
		profiler_destroy(test, w->watchers[i].p);
	}
	KUNIT_EXPECT_NE(test, w->f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
}

/* Counts of a core that goes off are in a sample, or it has CORE_OFF_LOST. No sample has ERROR. */
static void core_goes_off(struct kunit *test)
{
	const struct belief *b = test->param_value;
	const bool loses = b->core_off == FAKE_OFF_NONE || b->core_off == FAKE_OFF_AFTER;
	struct panthor_perf_fixture *f = test->priv;
	const u32 at = panthor_perf_fake_fw_position(&f->fake, SHADER, 2) * COUNTERS + 40;
	struct profiler *p = profiler_of_all(test);
	u32 events[2];

	believe(f, b);
	start(test, p);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 40, 3);
	sample(test, p, 0);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 40, 5);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 40, 7);
	panthor_perf_fake_fw_core_off(&f->fake, 2);
	sample(test, p, 1);

	for (u32 i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, header_at(p, i)->flags, 0);
		events[i] = header_at(p, i)->events;
	}
	KUNIT_EXPECT_EQ(test, events[0], 0);
	if (b->core_off == FAKE_OFF_ALL)
		KUNIT_EXPECT_EQ(test, events[1], 0);
	else if (loses)
		KUNIT_EXPECT_EQ(test, events[1], CORE_OFF_LOST);
	else
		KUNIT_EXPECT_EQ(test, events[1] & ~CORE_OFF_LOST, 0);
	drain(f, p);
	KUNIT_EXPECT_EQ(test, p->sums[at], loses ? 3 : 8);
	KUNIT_EXPECT_EQ(test, p->sums[at - COUNTERS], 7);
	stop(test, p, 0);
	drain(f, p);
	expect_conserved(test, p);
	profiler_destroy(test, p);
}

static struct kunit_case beliefs_cases[] = {
	KUNIT_CASE(all_pairs_are_there),
	KUNIT_CASE_PARAM(core_goes_off, belief_gen_params),
	KUNIT_CASE_PARAM(samples_are_right, belief_gen_params),
	{}
};

static int beliefs_suite_init(struct kunit_suite *suite)
{
	for (u32 row = 0; row < ROWS; row++)
		get_belief(&beliefs[row], row);

	return 0;
}

static struct kunit_suite beliefs_suite = {
	.name = "panthor_perf_beliefs",
	.suite_init = beliefs_suite_init,
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = beliefs_cases,
};

kunit_test_suite(beliefs_suite);
