// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/string.h>

#include "panthor_perf_session_test.h"

/*
 * Every fault in every state of a session, with another session beside it. The tables state the
 * expected samples of both sessions.
 */

/* Amounts counted: in the firmware's ring when the fault comes, not sampled yet, during, after. */
#define IN_RING		BIT(0)
#define BEFORE		BIT(1)
#define DURING		BIT(2)
#define AFTER		BIT(3)
#define EVERYTHING	(IN_RING | BEFORE | DURING | AFTER)

/* What counts them. */
#define THE_BLOCK	MEMSYS
#define THE_COUNTER	63

/* More samples than the ring of the firmware holds. */
#define FULL_RING	64
#define STORM		200

enum session_state {
	STOPPED,
	STARTING,
	STARTED,
	PENDING,
	STOPPING,
	TORN_DOWN,
	STATES,
};

static const char * const state_names[STATES] = {
	[STOPPED] = "stopped",
	[STARTING] = "starting",
	[STARTED] = "started",
	[PENDING] = "sample pending",
	[STOPPING] = "stopping",
	[TORN_DOWN] = "torn down",
};

/* Who is there. */
struct scene {
	struct kunit *test;
	struct panthor_perf_fixture *f;
	struct profiler *subject;
	struct profiler *bystander;
};

enum fault_end {
	/* The counters work again. */
	RECOVERED,

	/* They will after a reset, nothing can be had before. */
	REFUSES,

	/* The GPU is gone. */
	GONE,
};

/* What becomes of a session. */
struct outcome {
	/* Its state after the fault. */
	enum panthor_perf_session_state state;

	/* What START returns that was waiting. */
	int start_ret;

	/* Samples published by the end of the fault. */
	u32 published;

	/* The first sample from the fault on. */
	u32 flags, events;

	/* The one after it. */
	u32 later_flags, later_events;

	/* Which of the amounts are in its samples. */
	u32 kept;
};

struct fault {
	const char *name;
	void (*strike)(struct scene *scene);
	enum fault_end end;

	/* State in which the fault meets the other session, whose outcome is that of the state. */
	enum session_state bystander;

	struct outcome outcomes[STATES];
};

static void count(struct scene *scene, u32 amount)
{
	panthor_perf_fake_fw_count(&scene->f->fake, THE_BLOCK, 0, THE_COUNTER, amount);
}

/* The other session wants a sample, so that a request is on its way in any case. */
static void provoke(struct scene *scene)
{
	KUNIT_ASSERT_EQ(scene->test, try_sample(scene->bystander->session, 0), 0);
}

/*
 * The faults. Each ends with the firmware in order again, if it ever will be.
 */

static void enable_is_not_answered(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	f->fake.answer_in_wait = false;
	f->fake.hold = GLB_PERFCNT_EN;
	panthor_perf_fixture_resume(f, true);
	count(scene, DURING);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_let_go(f);
}

static void answer_is_lost(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	provoke(scene);
	f->fake.lose = GLB_PERFCNT_SAMPLE;
	panthor_perf_fixture_let_go(f);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
	f->fake.lose = 0;
	panthor_perf_fixture_overdue(f);
}

static void ring_overflows(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	count(scene, DURING);
	f->fake.burst = FULL_RING;
	provoke(scene);
	panthor_perf_fixture_let_go(f);
}

static void insert_runs_ahead(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	f->fake.hold = 0;
	panthor_perf_fake_fw_spoil_insert(&f->fake, f->fake.insert + 1000);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
}

static void insert_goes_backward(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	f->fake.hold = 0;
	panthor_perf_fake_fw_spoil_insert(&f->fake, f->fake.input.perfcnt_extract - 1);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
}

/* Enable words of the previous sample in the same slot of the ring. */
static void enable_words_are_stale(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	for (u32 turn = 0; turn < 4; turn++) {
		for (u32 i = 0; i < FULL_RING / 2; i++) {
			for (u32 core = 0; core < 4; core++)
				panthor_perf_fake_fw_count(&f->fake, SHADER, core, 20, i + 1);
			panthor_perf_fake_fw_auto_sample(&f->fake);
		}
		panthor_perf_fixture_run(f);
		panthor_perf_fake_fw_power_off(&f->fake, SHADER, turn);
	}

	count(scene, DURING);
	panthor_perf_fixture_let_go(f);
	for (u32 core = 0; core < 4; core++)
		panthor_perf_fake_fw_power_on(&f->fake, SHADER, core);
}

static void suspend(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	f->fake.answer_in_wait = true;
	panthor_perf_fixture_suspend(f);
	f->fake.answer_in_wait = false;
	panthor_perf_fixture_resume(f, false);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
}

static void suspend_in_silence(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	panthor_perf_fixture_resume(f, true);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
}

static void reset(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	panthor_perf_fixture_pre_reset(f);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	count(scene, DURING);
	panthor_perf_fixture_run(f);
}

static void failed_reset(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	panthor_perf_fixture_pre_reset(f);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, true);
	panthor_perf_fixture_run(f);
}

static void unplug(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	panthor_perf_fixture_unplug(f);
	kill_profiler(scene->test, scene->subject, true);
	kill_profiler(scene->test, scene->bystander, true);
	f->fake.hold = 0;
	panthor_perf_fixture_run(f);
}

static void answers_are_withheld(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;

	provoke(scene);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	count(scene, DURING);
	KUNIT_EXPECT_NE(scene->test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(scene->test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	f->fake.hold = 0;
}

static void threshold_storm(struct scene *scene)
{
	struct panthor_perf_fixture *f = scene->f;
	const u32 doorbells = f->fake.doorbells;

	f->fake.false_events = STORM;
	count(scene, DURING);
	provoke(scene);
	panthor_perf_fixture_let_go(f);
	for (u32 i = 0; i < STORM / 8; i++)
		panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(scene->test, f->fake.false_events, 0);
	KUNIT_EXPECT_LE(scene->test, f->fake.doorbells - doorbells, STORM + 8);
}

/*
 * The table
 */

#define NOTHING_HAPPENS \
	[STOPPED] = { .state = PANTHOR_PERF_SESSION_STOPPED }, \
	[TORN_DOWN] = { .state = PANTHOR_PERF_SESSION_DEAD }

/* START completes after the trouble: it is none of the session's. */
#define STARTS_AFTERWARDS \
	[STARTING] = { .state = PANTHOR_PERF_SESSION_STARTED, .kept = AFTER }

/* The first sample comes after the fault, and reports it. */
#define STARTED_REPORTS(FLAGS, EVENTS, KEPT) \
	[STARTED] = { \
		.state = PANTHOR_PERF_SESSION_STARTED, \
		.flags = (FLAGS), .events = (EVENTS), .kept = (KEPT), \
	}

#define PENDING_REPORTS(FLAGS, EVENTS, KEPT) \
	[PENDING] = { \
		.state = PANTHOR_PERF_SESSION_STARTED, .published = 1, \
		.flags = (FLAGS), .events = (EVENTS), .kept = (KEPT), \
	}

#define STOPPING_REPORTS(FLAGS, EVENTS, KEPT) \
	[STOPPING] = { \
		.state = PANTHOR_PERF_SESSION_STOPPED, .published = 1, \
		.flags = (FLAGS), .events = (EVENTS), .kept = (KEPT), \
	}

static const struct fault faults[] = {
	{
		.name = "enable is not acknowledged",
		.strike = enable_is_not_answered,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			/* The suspend that comes first answers what is pending. */
			[STARTING] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.flags = ERROR, .events = SUSPEND | FW_TIMEOUT,
				.kept = AFTER,
			},
			[STARTED] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.flags = ERROR, .events = SUSPEND | FW_TIMEOUT,
				.kept = IN_RING | BEFORE | AFTER,
			},
			[PENDING] = {
				.state = PANTHOR_PERF_SESSION_STARTED, .published = 1,
				.later_flags = ERROR, .later_events = SUSPEND | FW_TIMEOUT,
				.kept = IN_RING | BEFORE | AFTER,
			},
			[STOPPING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .published = 1,
				.kept = IN_RING | BEFORE,
			},
		},
	},
	{
		.name = "answer to a sample is lost",
		.strike = answer_is_lost,
		.end = RECOVERED,
		.bystander = PENDING,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, FW_TIMEOUT, IN_RING | BEFORE | AFTER),
			PENDING_REPORTS(ERROR, FW_TIMEOUT, IN_RING | BEFORE | AFTER),
			STOPPING_REPORTS(ERROR, FW_TIMEOUT, IN_RING | BEFORE),
		},
	},
	{
		.name = "overflow that keeps counts",
		.strike = ring_overflows,
		.end = RECOVERED,
		.bystander = PENDING,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, FW_OVERFLOW, EVERYTHING),
			PENDING_REPORTS(ERROR, FW_OVERFLOW, EVERYTHING),
			STOPPING_REPORTS(ERROR, FW_OVERFLOW, EVERYTHING & ~AFTER),
		},
	},
	{
		.name = "insert runs ahead",
		.strike = insert_runs_ahead,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, FW_ERROR, AFTER),
			PENDING_REPORTS(ERROR, FW_ERROR, AFTER),
			STOPPING_REPORTS(ERROR, FW_ERROR, 0),
		},
	},
	{
		.name = "insert goes backward",
		.strike = insert_goes_backward,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, FW_ERROR, AFTER),
			PENDING_REPORTS(ERROR, FW_ERROR, AFTER),
			STOPPING_REPORTS(ERROR, FW_ERROR, 0),
		},
	},
	{
		.name = "enable words are stale",
		.strike = enable_words_are_stale,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(0, 0, EVERYTHING),
			PENDING_REPORTS(0, 0, EVERYTHING),
			STOPPING_REPORTS(0, 0, EVERYTHING & ~AFTER),
		},
	},
	{
		.name = "suspend",
		.strike = suspend,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			[STARTING] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.events = SUSPEND, .kept = DURING | AFTER,
			},
			[STARTED] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.events = SUSPEND, .kept = EVERYTHING,
			},
			/* The answer comes first, then the GPU goes to sleep. */
			[PENDING] = {
				.state = PANTHOR_PERF_SESSION_STARTED, .published = 1,
				.later_events = SUSPEND, .kept = EVERYTHING,
			},
			[STOPPING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .published = 1,
				.kept = IN_RING | BEFORE,
			},
		},
	},
	{
		.name = "suspend of a silent firmware",
		.strike = suspend_in_silence,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, SUSPEND | FW_TIMEOUT, IN_RING | DURING | AFTER),
			PENDING_REPORTS(ERROR, SUSPEND | FW_TIMEOUT, IN_RING | DURING | AFTER),
			STOPPING_REPORTS(ERROR, SUSPEND | FW_TIMEOUT, IN_RING | DURING),
		},
	},
	{
		.name = "reset",
		.strike = reset,
		.end = RECOVERED,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(ERROR, RESET, IN_RING | DURING | AFTER),
			PENDING_REPORTS(ERROR, RESET, IN_RING | DURING | AFTER),
			STOPPING_REPORTS(ERROR, RESET, IN_RING | DURING),
		},
	},
	{
		.name = "failed reset",
		.strike = failed_reset,
		.end = REFUSES,
		.bystander = STARTED,
		.outcomes = {
			NOTHING_HAPPENS,
			[STARTING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .start_ret = -EIO,
			},
			[STARTED] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.flags = ERROR, .events = RESET, .kept = IN_RING | AFTER,
			},
			[PENDING] = {
				.state = PANTHOR_PERF_SESSION_STARTED, .published = 1,
				.flags = ERROR, .events = RESET | FW_TIMEOUT | HOST_TIME,
				.later_flags = ERROR, .later_events = RESET,
				.kept = IN_RING | AFTER,
			},
			[STOPPING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .published = 1,
				.flags = ERROR, .events = RESET | FW_TIMEOUT | HOST_TIME,
				.kept = IN_RING,
			},
		},
	},
	{
		.name = "unplug",
		.strike = unplug,
		.end = GONE,
		.bystander = STARTED,
		.outcomes = {
			[STOPPED] = { .state = PANTHOR_PERF_SESSION_DEAD },
			[STARTING] = {
				.state = PANTHOR_PERF_SESSION_DEAD, .start_ret = -ENODEV,
			},
			[STARTED] = { .state = PANTHOR_PERF_SESSION_DEAD },
			[PENDING] = { .state = PANTHOR_PERF_SESSION_DEAD },
			[STOPPING] = { .state = PANTHOR_PERF_SESSION_DEAD },
			[TORN_DOWN] = { .state = PANTHOR_PERF_SESSION_DEAD },
		},
	},
	{
		.name = "answers to samples are withheld",
		.strike = answers_are_withheld,
		.end = REFUSES,
		.bystander = PENDING,
		.outcomes = {
			NOTHING_HAPPENS,
			[STARTING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .start_ret = -ETIMEDOUT,
			},
			[STARTED] = {
				.state = PANTHOR_PERF_SESSION_STARTED,
				.flags = ERROR, .events = FW_TIMEOUT | RESET,
				.kept = IN_RING | AFTER,
			},
			[PENDING] = {
				.state = PANTHOR_PERF_SESSION_STARTED, .published = 1,
				.flags = ERROR, .events = FW_TIMEOUT | HOST_TIME,
				.later_flags = ERROR, .later_events = RESET,
				.kept = IN_RING | AFTER,
			},
			[STOPPING] = {
				.state = PANTHOR_PERF_SESSION_STOPPED, .published = 1,
				.flags = ERROR, .events = FW_TIMEOUT | HOST_TIME, .kept = IN_RING,
			},
		},
	},
	{
		.name = "false threshold events",
		.strike = threshold_storm,
		.end = RECOVERED,
		.bystander = PENDING,
		.outcomes = {
			NOTHING_HAPPENS,
			STARTS_AFTERWARDS,
			STARTED_REPORTS(0, 0, EVERYTHING),
			PENDING_REPORTS(0, 0, EVERYTHING),
			STOPPING_REPORTS(0, 0, EVERYTHING & ~AFTER),
		},
	},
};

/* Each fault in each state. */
static struct fault_case {
	const struct fault *fault;
	enum session_state state;
} fault_cases[ARRAY_SIZE(faults) * STATES];

static void fault_desc(struct fault_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s, %s", c->fault->name, state_names[c->state]);
}

KUNIT_ARRAY_PARAM(fault, fault_cases, fault_desc);

static void enter(struct scene *scene, enum session_state state)
{
	struct panthor_perf_fixture *f = scene->f;
	struct profiler *p = scene->subject;
	struct kunit *test = scene->test;

	if (state == STARTING) {
		f->fake.hold = GLB_PERFCNT_SAMPLE;
		KUNIT_ASSERT_EQ(test, begin(test, p), 0);
	} else if (state != STOPPED) {
		start(test, p);
	}

	if (state == PENDING || state == STOPPING)
		f->fake.hold = GLB_PERFCNT_SAMPLE;
	if (state == PENDING)
		KUNIT_ASSERT_EQ(test, try_sample(p->session, 0), 0);
	if (state == STOPPING)
		KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->session, 0), 0);
	if (state == TORN_DOWN)
		kill_profiler(test, p, false);

	panthor_perf_fixture_run(f);
	remember_zero(f, p);
	remember_zero(f, scene->bystander);
}

/* What was there when the fault was over. */
static void expect_state(struct scene *scene, struct profiler *p, enum session_state was,
			 const struct outcome *o, enum fault_end end)
{
	struct kunit *test = scene->test;
	const bool dies = end == GONE && was != TORN_DOWN;

	KUNIT_EXPECT_EQ(test, p->session->state, o->state);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, o->published);
	KUNIT_EXPECT_EQ(test, signals(p), o->published + dies);
	if (was == STARTING)
		KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(p->session, &p->wait),
				o->start_ret);
	if (!o->published)
		KUNIT_EXPECT_PTR_EQ(test, memchr_inv(p->ring, 0xff, p->slots * SAMPLE_SIZE), NULL);
}

/* All calls fail, and change nothing. */
static void expect_refusal(struct scene *scene, struct profiler *p, enum fault_end end)
{
	const enum panthor_perf_session_state state = p->session->state;
	const int gone = end == GONE ? -ENODEV : -EIO;
	const u64 inserted = p->control->insert_idx;
	struct kunit *test = scene->test;
	bool dead = state == PANTHOR_PERF_SESSION_DEAD;
	bool started = state == PANTHOR_PERF_SESSION_STARTED;
	int dead_ret = end == GONE ? -ENODEV : -ENOENT;

	KUNIT_EXPECT_EQ(test, begin(test, p), dead ? dead_ret : started ? -EINVAL : gone);
	KUNIT_EXPECT_EQ(test, try_sample(p->session, 0),
			dead ? dead_ret : started ? gone : -EINVAL);
	if (!started)
		KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, 0),
				dead ? dead_ret : -EINVAL);

	KUNIT_EXPECT_EQ(test, p->session->state, state);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, inserted);
	KUNIT_EXPECT_EQ(test, signals(p), 0);
}

/* A sample for each who can have one. */
static void take_samples(struct scene *scene, struct profiler *p)
{
	if (p->session->state != PANTHOR_PERF_SESSION_STARTED)
		return;

	sample(scene->test, p, 0);
	sample(scene->test, p, 0);
	stop(scene->test, p, 0);
}

static void expect_samples(struct scene *scene, struct profiler *p, const struct outcome *o)
{
	const u32 at = panthor_perf_fake_fw_position(&scene->f->fake, THE_BLOCK, 0) * COUNTERS;
	const bool stopped = p->session->state == PANTHOR_PERF_SESSION_STOPPED;
	const u64 first = p->next;
	struct kunit *test = scene->test;
	u32 taken = drain(scene->f, p);

	for (u32 i = 0; i < taken; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(p, first + i);

		KUNIT_EXPECT_EQ(test, header->sample_nr, i);
		KUNIT_EXPECT_EQ_MSG(test, header->flags & ~FINAL,
				    i == 0 ? o->flags : i == 1 ? o->later_flags : 0,
				    "sample %u", i);
		KUNIT_EXPECT_EQ_MSG(test, !!(header->flags & FINAL), stopped && i == taken - 1,
				    "sample %u", i);
		KUNIT_EXPECT_EQ_MSG(test, header->events,
				    i == 0 ? o->events : i == 1 ? o->later_events : 0,
				    "sample %u", i);
	}

	KUNIT_EXPECT_EQ(test, p->sums[at + THE_COUNTER], o->kept);
	if (o->kept == EVERYTHING)
		expect_conserved(test, p);
}

/* Whatever was: the session can be started, and all is well. */
static void expect_clean_run(struct scene *scene, struct profiler *p)
{
	struct kunit *test = scene->test;
	u64 first = p->next;

	KUNIT_ASSERT_EQ(test, p->session->state, PANTHOR_PERF_SESSION_STOPPED);
	start(test, p);
	panthor_perf_fake_fw_count_all(&scene->f->fake, 77);
	sample(test, p, 0);
	panthor_perf_fake_fw_count_all(&scene->f->fake, 78);
	stop(test, p, 0);
	KUNIT_EXPECT_EQ(test, drain(scene->f, p), 2);
	expect_conserved(test, p);
	for (u32 i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, header_at(p, first + i)->flags, i ? FINAL : 0);
		KUNIT_EXPECT_EQ(test, header_at(p, first + i)->events, 0);
	}
}

static void fault_in_each_state(struct kunit *test)
{
	const struct fault_case *c = test->param_value;
	const struct fault *fault = c->fault;
	const enum session_state state = c->state;
	const struct outcome *subject = &fault->outcomes[state];
	const struct outcome *bystander = &fault->outcomes[fault->bystander];
	struct scene scene = {
		.test = test,
		.f = test->priv,
		.subject = profiler_create(test, all_masks, 8, true, 0),
		.bystander = profiler_create(test, all_masks, 8, true, 0),
	};
	struct panthor_perf_fixture *f = scene.f;

	start(test, scene.bystander);
	enter(&scene, state);

	count(&scene, IN_RING);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	count(&scene, BEFORE);
	fault->strike(&scene);

	expect_state(&scene, scene.subject, state, subject, fault->end);
	expect_state(&scene, scene.bystander, fault->bystander, bystander, fault->end);
	if (fault->end != RECOVERED) {
		expect_refusal(&scene, scene.subject, fault->end);
		expect_refusal(&scene, scene.bystander, fault->end);
	}

	if (fault->end == REFUSES) {
		panthor_perf_fixture_pre_reset(f);
		panthor_perf_fixture_post_reset(f, false);
	}
	if (fault->end != GONE) {
		count(&scene, AFTER);
		take_samples(&scene, scene.subject);
		take_samples(&scene, scene.bystander);
		expect_samples(&scene, scene.subject, subject);
		expect_samples(&scene, scene.bystander, bystander);
		panthor_perf_fixture_run(f);
		expect_power(test, 0);
		if (state != TORN_DOWN)
			expect_clean_run(&scene, scene.subject);
		expect_clean_run(&scene, scene.bystander);
	}

	profiler_destroy(test, scene.subject);
	profiler_destroy(test, scene.bystander);
	expect_power(test, 0);
}

static struct kunit_case faults_cases[] = {
	KUNIT_CASE_PARAM(fault_in_each_state, fault_gen_params),
	{}
};

static int faults_suite_init(struct kunit_suite *suite)
{
	for (u32 i = 0; i < ARRAY_SIZE(fault_cases); i++)
		fault_cases[i] = (struct fault_case) { &faults[i / STATES], i % STATES };

	return 0;
}

static struct kunit_suite faults_suite = {
	.name = "panthor_perf_faults",
	.suite_init = faults_suite_init,
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = faults_cases,
};

kunit_test_suite(faults_suite);
