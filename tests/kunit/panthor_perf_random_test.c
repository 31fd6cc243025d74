// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/prandom.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/*
 * Random calls on sessions of all kinds, while the GPU is suspended, is reset and delays
 * acknowledges. The rules for samples and signals hold in any order of these.
 */

#define CLIENTS		6
#define SLOTS		16
#define OPERATIONS	3000

struct random_client {
	struct profiler *p;

	/* WAKEUP. */
	u32 samples;

	/* The run. */
	bool lossy;
	u64 sample_nr, end_ns;
	bool final;

	/* Signals seen, and what was there at the last one. */
	u64 signalled, seen_insert, seen_extract;

	/* Insert index when the extract index moved last. */
	u64 moved_at;
};

struct world {
	struct panthor_perf_fixture *f;
	struct rnd_state rnd;
	struct random_client clients[CLIENTS];
	bool suspended;
};

static u32 random_below(struct world *s, u32 limit)
{
	return prandom_u32_state(&s->rnd) % limit;
}

static void init_client(struct kunit *test, struct world *s, struct random_client *a)
{
	const struct panthor_perf_session_config config = {
		.flags = random_below(s, 2) ? DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND : 0,
	};

	*a = (struct random_client) {
		.p = profiler_create_with(test, all_masks, SLOTS, true, config),
	};
	if (random_below(s, 2))
		a->p->session->config.period_ns = (20 + random_below(s, 100)) * NSEC_PER_MSEC;
	if (random_below(s, 2))
		a->samples = 1 + random_below(s, SLOTS - 1);
	a->p->session->ring.wakeup_samples = a->samples;
}

static void read_sample(struct kunit *test, struct random_client *a, u64 index)
{
	const struct drm_panthor_perf_sample_header *header = header_at(a->p, index);

	if (!header->sample_nr)
		a->sample_nr = 0;
	else
		KUNIT_EXPECT_EQ(test, header->timestamp_start_ns, a->end_ns);
	KUNIT_EXPECT_EQ(test, header->sample_nr, a->sample_nr);
	KUNIT_EXPECT_LE(test, header->timestamp_start_ns, header->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header->merged > 0, !!(header->flags & STRETCHED));
	KUNIT_EXPECT_EQ(test, header->events & BAD_EXTRACT, 0);
	/* After the final sample, only another START leads to samples. */
	if (index)
		KUNIT_EXPECT_EQ(test, a->final, !header->sample_nr);
	a->final = header->flags & FINAL;
	a->sample_nr++;
	a->end_ns = header->timestamp_end_ns;
	a->lossy |= header->flags & (ERROR | OVERFLOW);
}

/* Read what is there, without giving it back. */
static u64 read_all(struct kunit *test, struct random_client *a)
{
	struct profiler *p = a->p;
	const u64 extract = p->control->extract_idx, before = p->next;

	for (u64 i = p->next; i < p->control->insert_idx; i++)
		read_sample(test, a, i);
	drain(test->priv, p);
	p->control->extract_idx = extract;
	KUNIT_EXPECT_LE(test, p->next - extract, SLOTS);
	return p->next - before;
}

/* Unread samples that have not led to a signal. */
static u64 unsignalled_from(const struct random_client *a)
{
	const struct drm_panthor_perf_ring_control *control = a->p->control;

	return control->extract_idx == a->seen_extract ? a->seen_insert : control->extract_idx;
}

static void expect_signalled(struct kunit *test, struct random_client *a)
{
	const u64 insert = a->p->control->insert_idx, first = unsignalled_from(a);

	if (insert == first)
		return;

	/* What was left behind counts with the next sample. */
	if (insert == a->moved_at)
		return;

	KUNIT_EXPECT_LT(test, insert - first, a->samples);
}

static void check_client(struct kunit *test, struct random_client *a)
{
	u64 published = read_all(test, a), count = signals(a->p);

	a->signalled += count;
	if (!a->samples) {
		KUNIT_EXPECT_EQ(test, count, published);
		return;
	}

	if (count) {
		a->seen_insert = a->p->control->insert_idx;
		a->seen_extract = a->p->control->extract_idx;
	}
	KUNIT_EXPECT_LE(test, a->signalled, a->p->control->insert_idx);
	expect_signalled(test, a);
}

static void resume(struct world *s)
{
	if (s->suspended)
		panthor_perf_fixture_resume(s->f, random_below(s, 2));
	s->suspended = false;
}

static void suspend(struct world *s)
{
	if (!s->suspended)
		panthor_perf_fixture_suspend(s->f);
	s->suspended = true;
}

static bool is_dead(const struct world *s)
{
	return s->f->sampler.state == PANTHOR_PERF_SAMPLER_DEAD;
}

static void reset(struct world *s)
{
	resume(s);
	panthor_perf_fixture_pre_reset(s->f);
	panthor_perf_fixture_post_reset(s->f, false);
}

static void do_start(struct kunit *test, struct world *s, struct random_client *a)
{
	int ret;

	resume(s);
	ret = begin(test, a->p);
	if (ret) {
		KUNIT_EXPECT_TRUE(test, ret == -EINVAL || ret == -EBUSY);
		return;
	}

	panthor_perf_fixture_run(s->f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(a->p->session, &a->p->wait), 0);
	remember_zero(s->f, a->p);
	a->lossy = false;
}

static void consume(struct world *s, struct random_client *a)
{
	struct drm_panthor_perf_ring_control *control = a->p->control;

	control->extract_idx += random_below(s, a->p->next - control->extract_idx + 1);
	a->moved_at = control->insert_idx;
}

/* Without an answer for a while, or at all. */
static void keep_back(struct world *s)
{
	s->f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < CLIENTS; i++)
		try_sample(s->clients[i].p->session, i);
	panthor_perf_fixture_run(s->f);

	switch (random_below(s, 4)) {
	case 0:
		panthor_perf_fixture_overdue(s->f);
		break;
	case 1:
		suspend(s);
		break;
	default:
		msleep(random_below(s, 100));
		break;
	}

	s->f->fake.hold = 0;
	if (!s->suspended)
		panthor_perf_fixture_let_go(s->f);
}

/* The sampler keeps the GPU powered while a session is started that does not allow suspend. */
static void expect_power_settled(struct kunit *test, struct world *s)
{
	bool keep = false;

	if (s->suspended)
		return;

	panthor_perf_fixture_run(s->f);
	for (u32 i = 0; i < CLIENTS; i++) {
		const struct panthor_perf_session *session = s->clients[i].p->session;

		keep |= !list_empty(&session->client.node) && !session->client.allows_suspend;
	}
	KUNIT_EXPECT_EQ(test, s->f->fake.power, keep);
}

static void finish(struct kunit *test, struct world *s, struct random_client *a)
{
	const bool stops = a->p->session->state == PANTHOR_PERF_SESSION_STARTED;
	const u64 before = a->signalled;

	resume(s);
	if (stops)
		KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(a->p->session, 0), 0);
	panthor_perf_fixture_run(s->f);
	KUNIT_EXPECT_EQ(test, a->p->session->state, PANTHOR_PERF_SESSION_STOPPED);
	check_client(test, a);
	if (!stops)
		return;

	KUNIT_EXPECT_GT(test, a->signalled, before);
	if (!a->lossy)
		expect_conserved(test, a->p);
}

static void random_step(struct kunit *test, struct world *s)
{
	struct random_client *a = &s->clients[random_below(s, CLIENTS)];
	static const u8 types[] = { FW, CSHW, TILER, MEMSYS, SHADER };

	switch (random_below(s, 15)) {
	case 0:
	case 1:
		do_start(test, s, a);
		break;
	case 2:
	case 3:
	case 4:
		try_sample(a->p->session, 0);
		break;
	case 5:
		panthor_perf_session_stop(a->p->session, 0);
		break;
	case 6:
	case 7:
		consume(s, a);
		break;
	case 8:
		if (random_below(s, 2))
			suspend(s);
		else
			resume(s);
		break;
	case 9:
		msleep(random_below(s, 150));
		break;
	case 10:
		expect_power_settled(test, s);
		break;
	case 11:
		if (!random_below(s, 8))
			keep_back(s);
		if (is_dead(s) || !random_below(s, 16))
			reset(s);
		break;
	case 12:
		if (!random_below(s, 8)) {
			finish(test, s, a);
			profiler_destroy(test, a->p);
			init_client(test, s, a);
		}
		break;
	default:
		if (s->suspended)
			break;
		panthor_perf_fake_fw_count(&s->f->fake,
					   types[random_below(s, ARRAY_SIZE(types))], 0,
					   4 + random_below(s, COUNTERS - 4),
					   random_below(s, 1000));
		break;
	}
}

static const u32 seeds[] = { 1, 2, 1054, 1060, 1105, 1129 };

static void seed_desc(const u32 *seed, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "seed %u", *seed);
}

KUNIT_ARRAY_PARAM(seed, seeds, seed_desc);

static void anything_in_any_order(struct kunit *test)
{
	struct world *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	const u32 *seed = test->param_value;

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->f = test->priv;
	prandom_seed_state(&s->rnd, *seed);
	for (u32 i = 0; i < CLIENTS; i++)
		init_client(test, s, &s->clients[i]);

	for (u32 i = 0; i < OPERATIONS; i++) {
		random_step(test, s);
		for (u32 k = 0; k < CLIENTS; k++)
			check_client(test, &s->clients[k]);
	}

	if (is_dead(s))
		reset(s);
	for (u32 i = 0; i < CLIENTS; i++) {
		finish(test, s, &s->clients[i]);
		profiler_destroy(test, s->clients[i].p);
	}
}

static struct kunit_case random_cases[] = {
	KUNIT_CASE_PARAM(anything_in_any_order, seed_gen_params),
	{}
};

static struct kunit_suite random_suite = {
	.name = "panthor_perf_random",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = random_cases,
};

kunit_test_suite(random_suite);
