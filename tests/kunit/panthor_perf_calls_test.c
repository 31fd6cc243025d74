// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>

#include "panthor_perf_session_test.h"

/*
 * What may be called when
 */

static int do_start(struct kunit *test, struct profiler *p)
{
	int ret = begin(test, p);

	if (ret)
		return ret;

	panthor_perf_fixture_run(test->priv);
	return panthor_perf_session_start_wait(p->session, &p->wait);
}

static void expect_calls_at(struct kunit *test, struct profiler *p, int start_ret,
			    int sample_ret, int stop_ret, int line)
{
	KUNIT_EXPECT_EQ_MSG(test, try_sample(p->session, 1), sample_ret,
			    "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, panthor_perf_session_stop(p->session, 2), stop_ret,
			    "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, begin(test, p), start_ret, "in line %d", line);
}

#define expect_calls(test, p, start_ret, sample_ret, stop_ret) \
	expect_calls_at(test, p, start_ret, sample_ret, stop_ret, __LINE__)

static void stopped_session(struct kunit *test)
{
	struct profiler *u = profiler_of_all(test);

	for (u32 i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, try_sample(u->session, 0), -EINVAL);
		KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
		KUNIT_EXPECT_EQ(test, do_start(test, u), 0);
		stop(test, u, 0);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
		expect_power(test, 0);
	}

	profiler_destroy(test, u);
}

static void starting_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_start_wait other;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start(u->session, &other), -EINVAL);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	profiler_destroy(test, u);
}

static void started_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	KUNIT_EXPECT_EQ(test, begin(test, u), -EINVAL);
	expect_power(test, 1);

	/* Each pending sample has a slot, and so has the final one. */
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < 7; i++) {
		KUNIT_EXPECT_EQ(test, try_sample(u->session, 10 + i), 0);
		panthor_perf_fixture_run(f);
	}
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 20), -EBUSY);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 7);
	for (u32 i = 0; i < 7; i++)
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, 10 + i);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 21), -EBUSY);
	u->control->extract_idx = 1;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 22), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, header_at(u, 7)->user_data, 22);
	profiler_destroy(test, u);
}

static void stopping_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 77), 0);
	expect_calls(test, u, -EBUSY, -EINVAL, -EINVAL);
	panthor_perf_fixture_run(f);
	expect_calls(test, u, -EBUSY, -EINVAL, -EINVAL);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 77);
	KUNIT_EXPECT_EQ(test, do_start(test, u), 0);
	profiler_destroy(test, u);
}

static void torn_down_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	kill_profiler(test, u, false);
	expect_calls(test, u, -ENOENT, -ENOENT, -ENOENT);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

static void unplugged_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, true);
	expect_power(test, 0);
	expect_calls(test, u, -ENODEV, -ENODEV, -ENODEV);
	profiler_destroy(test, u);
}

/* Between the end of the sampler and that of its sessions. */
static void session_being_unplugged(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, begin(test, v), -ENODEV);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	kill_profiler(test, u, true);
	kill_profiler(test, v, true);
	expect_power(test, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void make_firmware_dead(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, try_sample(p->session, 5), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	f->fake.hold = 0;
}

static void session_on_dead_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	make_firmware_dead(test, u);

	/* The sample that was promised is there, and says what it is worth. */
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 5);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_TIMEOUT | HOST_TIME);

	KUNIT_EXPECT_EQ(test, try_sample(u->session, 6), -EIO);
	KUNIT_EXPECT_EQ(test, begin(test, v), -EIO);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);

	/* The final sample needs no firmware. */
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 7), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 7);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->sample_nr, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, ERROR | FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, FW_TIMEOUT | HOST_TIME);
	expect_power(test, 0);

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	drain(f, u);
	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void sessions_use_one_set(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_create(test, all_masks, 2, false, 1);

	start(test, u);
	KUNIT_EXPECT_EQ(test, begin(test, v), -EBUSY);
	expect_power(test, 1);
	stop(test, u, 0);
	start(test, v);
	stop(test, v, 0);
	KUNIT_EXPECT_EQ(test, header_at(v, 0)->counter_set, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* START needs one free slot, SAMPLE two: the last one is the final sample's. */
static void keeps_a_slot_for_the_final_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);

	start(test, u);
	for (u32 i = 0; i < 3; i++)
		sample(test, u, i);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 9), -EBUSY);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3);
	stop(test, u, 3);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	for (u32 i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);

	KUNIT_EXPECT_EQ(test, begin(test, u), -EBUSY);
	expect_power(test, 0);
	u->control->extract_idx = 1;
	start(test, u);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 9), -EBUSY);
	u->control->extract_idx = 2;
	sample(test, u, 10);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 9), -EBUSY);
	stop(test, u, 11);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 6);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->user_data, 10);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->sample_nr, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 5)->user_data, 11);
	KUNIT_EXPECT_EQ(test, header_at(u, 5)->sample_nr, 1);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	profiler_destroy(test, u);
}

static void stop_with_a_sample_pending(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 100), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 200), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 100);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->sample_nr, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 200);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->sample_nr, 1);

	/* STOP came after the request of the first: the second is another of the firmware's. */
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, f->fake.timestamp_before);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->gpu_timestamp, f->fake.timestamp);
	drain(f, u);
	expect_conserved(test, u);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

/* The same with both calls before a run of the worker: still two samples, in order. */
static void stop_right_after_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	KUNIT_EXPECT_EQ(test, try_sample(u->session, 100), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 200), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 100);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 200);

	/* One sample of the firmware serves both, and nothing is left for the second. */
	KUNIT_EXPECT_EQ(test, f->fake.samples, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->gpu_timestamp, f->fake.timestamp);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->gpu_timestamp, 0);
	KUNIT_EXPECT_GT(test, value_at(f, u, 0, FW, 0, 5), 0);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 1, FW, 0, 5), 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->timestamp_start_ns,
			header_at(u, 1)->timestamp_end_ns);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* sample_nr restarts at 0, indices never do, and no counts of an earlier run appear. */
static void starts_again(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);

	for (u32 i = 0; i < 5; i++) {
		start(test, u);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, 1);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i)->sample_nr, 0);
		sample(test, u, 2);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i + 1)->sample_nr, 1);
		stop(test, u, 3);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i + 2)->sample_nr, 2);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3 * i + 3);
		KUNIT_EXPECT_EQ(test, drain(f, u), 3);
		expect_conserved(test, u);
	}

	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 5);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 5);
	profiler_destroy(test, u);
}

/*
 * START and a firmware in trouble
 */

static void start_on_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);

	KUNIT_EXPECT_EQ(test, begin(test, u), -EIO);
	expect_power(test, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	start(test, u);
	profiler_destroy(test, u);
}

static void start_without_answer_to_the_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

/* No acknowledge can come, since the GPU is suspended: START times out. */
static void start_gives_up(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	unsigned long before;

	panthor_perf_fixture_suspend(f);
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	before = jiffies;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_LE(test, jiffies_to_msecs(jiffies - before), 10000);
	expect_power(test, 0);

	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	start(test, u);
	profiler_destroy(test, u);
}

static void start_is_killed(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	allow_signal(SIGKILL);
	send_sig(SIGKILL, current, 1);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -EINTR);
	flush_signals(current);
	disallow_signal(SIGKILL);

	panthor_perf_fixture_let_go(f);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	start(test, u);
	profiler_destroy(test, u);
}

/* The acknowledge came before the signal was handled: START succeeds. */
static void start_is_killed_too_late(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	/* As if the wait had been broken off: it does not see that the start is complete. */
	try_wait_for_completion(&u->wait.done);
	allow_signal(SIGKILL);
	send_sig(SIGKILL, current, 1);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	flush_signals(current);
	disallow_signal(SIGKILL);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	profiler_destroy(test, u);
}

static void start_without_power(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.alloc_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, begin(test, u), -ENOMEM);
	expect_power(test, 0);
	KUNIT_EXPECT_PTR_EQ(test, f->sampler.fw.ring, NULL);
	f->fake.alloc_error = 0;
	start(test, u);
	profiler_destroy(test, u);
}

/*
 * Kill
 */

enum kill_state {
	KILL_STOPPED,
	KILL_QUEUED,
	KILL_STARTING,
	KILL_STARTED,
	KILL_SAMPLING,
	KILL_STOPPING,
	KILL_BOTH,
};

struct kill_case {
	const char *name;
	enum kill_state state;
	bool unplug;
};

static const struct kill_case kill_cases[] = {
	{ "stopped", KILL_STOPPED, false },
	{ "start queued", KILL_QUEUED, false },
	{ "starting", KILL_STARTING, false },
	{ "started", KILL_STARTED, false },
	{ "sample pending", KILL_SAMPLING, false },
	{ "stopping", KILL_STOPPING, false },
	{ "stopping, sample pending", KILL_BOTH, false },
	{ "stopped, unplug", KILL_STOPPED, true },
	{ "start queued, unplug", KILL_QUEUED, true },
	{ "starting, unplug", KILL_STARTING, true },
	{ "started, unplug", KILL_STARTED, true },
	{ "sample pending, unplug", KILL_SAMPLING, true },
	{ "stopping, unplug", KILL_STOPPING, true },
	{ "stopping, sample pending, unplug", KILL_BOTH, true },
};

KUNIT_ARRAY_PARAM_DESC(kill, kill_cases, name);

static void kill_in_each_state(struct kunit *test)
{
	const struct kill_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *other = profiler_of_all(test);
	bool starting = c->state == KILL_QUEUED || c->state == KILL_STARTING;

	/* Another session, which must not notice unless the GPU goes away. */
	start(test, other);
	panthor_perf_fake_fw_count_all(&f->fake, 1);

	if (starting) {
		f->fake.hold = GLB_PERFCNT_SAMPLE;
		KUNIT_ASSERT_EQ(test, begin(test, u), 0);
		if (c->state == KILL_STARTING)
			panthor_perf_fixture_run(f);
	} else if (c->state != KILL_STOPPED) {
		start(test, u);
	}

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	if (c->state == KILL_SAMPLING || c->state == KILL_BOTH)
		KUNIT_ASSERT_EQ(test, try_sample(u->session, 1), 0);
	if (c->state == KILL_STOPPING || c->state == KILL_BOTH)
		KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	if (c->state != KILL_QUEUED)
		panthor_perf_fixture_run(f);

	memset(u->ring, 0x3c, u->slots * SAMPLE_SIZE);
	f->fake.hold = 0;
	if (c->unplug)
		panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, c->unplug);
	KUNIT_EXPECT_EQ(test, signals(u), c->unplug ? 1 : 0);
	if (starting)
		KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait),
				c->unplug ? -ENODEV : -ENOENT);

	/* Again, as close does after unplug: nothing is put or signalled twice. */
	kill_profiler(test, u, c->unplug);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x3c, u->slots * SAMPLE_SIZE), NULL);

	if (c->unplug) {
		kill_profiler(test, other, true);
		expect_power(test, 0);
	} else {
		expect_power(test, 1);
		stop(test, other, 0);
		KUNIT_EXPECT_EQ(test, header_at(other, 0)->flags, FINAL);
		drain(f, other);
		expect_conserved(test, other);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	}

	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/*
 * Hostile users
 */

static void bad_extract_is_reported_once(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, false, 0);

	start(test, u);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);

	u->control->extract_idx = 2;
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 90);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, BAD_EXTRACT);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 1, FW, 0, 9), 90);

	u->control->extract_idx = 2;
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	profiler_destroy(test, u);
}

static void hostile_indices_change_nothing(struct kunit *test)
{
	static const u64 hostile[] = {
		1, 7, 8, 9, 100, 0xffffffff, 0x100000000, BIT_ULL(63), U64_MAX - 7, U64_MAX,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);
	struct profiler *other = profiler_of_all(test);

	start(test, other);
	start(test, u);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
	}
	memset(u->ring, 0x77, 4 * SAMPLE_SIZE);

	/* Whatever is in the indices: there is one slot left, and it is the final sample's. */
	for (u32 i = 0; i < ARRAY_SIZE(hostile); i++) {
		u->control->insert_idx = hostile[i];
		u->control->extract_idx = hostile[i] > 3 ? hostile[i] : U64_MAX / 2;
		KUNIT_EXPECT_EQ(test, try_sample(u->session, 9), -EBUSY);
	}
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x77, 4 * SAMPLE_SIZE), NULL);

	stop(test, u, 4);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->sample_nr, 3);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->events, BAD_EXTRACT);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x77, 3 * SAMPLE_SIZE), NULL);

	stop(test, other, 0);
	KUNIT_EXPECT_EQ(test, header_at(other, 0)->events, 0);
	drain(f, other);
	expect_conserved(test, other);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/* What a user writes into its samples never comes back. */
static void memory_is_not_read_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	for (u32 i = 0; i < 6; i++) {
		memset(u->ring, 0xff, 2 * SAMPLE_SIZE);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->sample_nr, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, value_at(f, u, i, CSHW, 0, 0), 0);
		KUNIT_EXPECT_EQ(test, drain(f, u), 1);
	}

	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static struct kunit_case calls_cases[] = {
	KUNIT_CASE(stopped_session),
	KUNIT_CASE(starting_session),
	KUNIT_CASE(started_session),
	KUNIT_CASE(stopping_session),
	KUNIT_CASE(torn_down_session),
	KUNIT_CASE(unplugged_session),
	KUNIT_CASE(session_being_unplugged),
	KUNIT_CASE(session_on_dead_firmware),
	KUNIT_CASE(sessions_use_one_set),
	KUNIT_CASE(keeps_a_slot_for_the_final_sample),
	KUNIT_CASE(stop_with_a_sample_pending),
	KUNIT_CASE(stop_right_after_sample),
	KUNIT_CASE(starts_again),
	KUNIT_CASE(start_on_a_silent_firmware),
	KUNIT_CASE(start_without_answer_to_the_sample),
	KUNIT_CASE(start_gives_up),
	KUNIT_CASE(start_is_killed),
	KUNIT_CASE(start_is_killed_too_late),
	KUNIT_CASE(start_without_power),
	KUNIT_CASE_PARAM(kill_in_each_state, kill_gen_params),
	KUNIT_CASE(bad_extract_is_reported_once),
	KUNIT_CASE(hostile_indices_change_nothing),
	KUNIT_CASE(memory_is_not_read_back),
	{}
};

static struct kunit_suite calls_suite = {
	.name = "panthor_perf_calls",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = calls_cases,
};

kunit_test_suite(calls_suite);
