// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/time64.h>

#include <drm/drm_print.h>

#include "panthor_perf_session_test.h"

/*
 * What a session has got: the totals that debugfs shows, and how many periods a sample stands for.
 */

static void print_text(struct drm_printer *p, struct va_format *vaf)
{
	vsnprintf(p->arg, 128, vaf->fmt, *vaf->va);
}

static void expect_text_at(struct kunit *test, struct profiler *p, const char *expected, int line)
{
	char text[128] = "";
	struct drm_printer printer = { .printfn = print_text, .arg = text };

	mutex_lock(&p->session->sampler->lock);
	panthor_perf_session_print_locked(p->session, &printer);
	mutex_unlock(&p->session->sampler->lock);
	KUNIT_EXPECT_STREQ_MSG(test, text, expected, "in line %d", line);
}

#define expect_text(test, p, text) expect_text_at(test, p, text " pending=0\n", __LINE__)

/* Erroneous are samples with ERROR or OVERFLOW, once each, and no others. */
static void erroneous_samples_are_counted(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 32, false, 0);
	struct profiler *other = profiler_create(test, all_masks, 32, false, 0);

	start(test, other);
	expect_text(test, u, "stopped period=0 published=0 merged=0 erroneous=0 unread=0");
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	expect_text(test, u, "starting period=0 published=0 merged=0 erroneous=0 unread=0");
	panthor_perf_fixture_let_go(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	expect_text(test, u, "started period=0 published=0 merged=0 erroneous=0 unread=0");

	sample(test, u, 0);
	expect_text(test, u, "started period=0 published=1 merged=0 erroneous=0 unread=1");

	/* A reset: ERROR. */
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	sample(test, u, 0);
	expect_text(test, u, "started period=0 published=2 merged=0 erroneous=1 unread=2");
	sample(test, u, 0);
	expect_text(test, u, "started period=0 published=3 merged=0 erroneous=1 unread=3");

	/* A counter at its end: OVERFLOW. */
	panthor_perf_fake_fw_count(&f->fake, CSHW, 0, 5, U32_MAX);
	panthor_perf_fake_fw_count(&f->fake, CSHW, 0, 5, 1);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->flags, OVERFLOW);
	expect_text(test, u, "started period=0 published=4 merged=0 erroneous=2 unread=4");

	/* Both in one sample count once. */
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_count(&f->fake, CSHW, 0, 5, U32_MAX);
	panthor_perf_fake_fw_count(&f->fake, CSHW, 0, 5, 1);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->flags, OVERFLOW | ERROR);
	expect_text(test, u, "started period=0 published=5 merged=0 erroneous=3 unread=5");

	/* Events alone are no error. */
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, true);
	u->control->extract_idx = 100;
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 5)->events, SUSPEND | BAD_EXTRACT);
	u->control->extract_idx = 2;
	expect_text(test, u, "started period=0 published=6 merged=0 erroneous=3 unread=4");

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	expect_text(test, u, "stopping period=0 published=6 merged=0 erroneous=3 unread=4");
	panthor_perf_fixture_let_go(f);
	/* Nor is FINAL. */
	KUNIT_EXPECT_EQ(test, header_at(u, 6)->flags, FINAL);
	expect_text(test, u, "stopped period=0 published=7 merged=0 erroneous=3 unread=5");

	/* Totals go on with the next run. The other session has its own. */
	start(test, u);
	stop(test, u, 0);
	expect_text(test, u, "stopped period=0 published=8 merged=0 erroneous=3 unread=6");
	expect_text(test, other, "started period=0 published=0 merged=0 erroneous=0 unread=0");
	stop(test, other, 0);
	expect_text(test, other, "stopped period=0 published=1 merged=0 erroneous=1 unread=1");

	kill_profiler(test, u, false);
	expect_text(test, u, "dead period=0 published=8 merged=0 erroneous=3 unread=6");
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/*
 * What becomes of a tick, by where the sample's end lies on the grid. Times are set by hand.
 */

struct tick {
	const char *name;

	/* Where the end lies, from the first point that is not counted: periods, and ns. */
	s64 periods;
	s64 phase;

	/* Whether a sample is published, and its fields. */
	bool published;
	u32 merged;
	bool late;

	/* Points from there to the next deadline. */
	u64 next;
};

/* The phase is of a period of P ns, of which H is half, rounded up. */
#define P	1000003
#define H	500002

static const struct tick ticks[] = {
	{ "long before", -1, 0, false, 0, false, 0 },
	{ "a ns before", 0, -1, false, 0, false, 0 },
	{ "at the point", 0, 0, true, 0, false, 1 },
	{ "a ns after", 0, 1, true, 0, false, 1 },
	{ "a ns before half a period", 0, H - 1, true, 0, false, 1 },
	{ "half a period after", 0, H, true, 0, true, 1 },
	{ "a ns before the next point", 0, P - 1, true, 0, true, 1 },
	{ "at the next point", 1, 0, true, 1, false, 2 },
	{ "half a period after that", 1, H, true, 1, true, 2 },
	{ "ten points later", 10, 5, true, 10, false, 11 },
	{ "a million points later", 1000000, H - 1, true, 1000000, false, 1000001 },
	{ "more than 32 bits", 0x100000005, 3, true, U32_MAX, false, 0x100000006 },
};

KUNIT_ARRAY_PARAM_DESC(tick, ticks, name);

/* Where times wrap on their way. */
static const u64 first_points[] = { 1, 1ull << 12, 4295, 1ull << 33, 1000000000 };

static void tick_on_the_grid(struct kunit *test)
{
	const struct tick *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_sampler *sampler = &f->sampler;

	for (u32 i = 0; i < ARRAY_SIZE(first_points); i++) {
		const u64 point = first_points[i] * P;
		struct profiler *u = profiler_of_all(test);
		const struct drm_panthor_perf_sample_header *header = header_at(u, 0);
		struct panthor_perf_session *session = u->session;
		u64 next, deadline;

		start(test, u);
		mutex_lock(&sampler->lock);
		session->config.period_ns = P;
		session->start_user_data = 77;
		session->point_ns = point;
		/* Whose time the end is does not matter for LATE. */
		sampler->counts.host_time = i & 1;
		sampler->counts.end_mono_ns = point + c->periods * P + c->phase;
		session->client.tick.complete(&session->client.tick, 0);
		next = session->point_ns;
		deadline = session->client.deadline_ns;
		panthor_perf_session_kill_locked(session, false);
		mutex_unlock(&sampler->lock);

		KUNIT_EXPECT_EQ(test, u->control->insert_idx, c->published);
		KUNIT_EXPECT_EQ(test, next, point + c->next * P);
		KUNIT_EXPECT_EQ(test, deadline, next);
		if (c->published) {
			KUNIT_EXPECT_EQ(test, header->merged, c->merged);
			KUNIT_EXPECT_EQ(test, header->flags, c->merged ? STRETCHED : 0);
			KUNIT_EXPECT_EQ(test, header->events,
					(c->late ? LATE : 0) | (i & 1 ? HOST_TIME : 0));
			KUNIT_EXPECT_EQ(test, header->user_data, 77);
			KUNIT_EXPECT_EQ(test, session->merged, c->merged);
			KUNIT_EXPECT_EQ(test, session->ring.insert, 1);
			KUNIT_EXPECT_EQ(test, session->erroneous, 0);
		}
		profiler_destroy(test, u);
	}
}

static struct kunit_case ledger_cases[] = {
	KUNIT_CASE(erroneous_samples_are_counted),
	KUNIT_CASE_PARAM(tick_on_the_grid, tick_gen_params),
	{}
};

static struct kunit_suite ledger_suite = {
	.name = "panthor_perf_ledger",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = ledger_cases,
};

kunit_test_suite(ledger_suite);
