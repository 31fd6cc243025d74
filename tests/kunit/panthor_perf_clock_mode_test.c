// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/clk-provider.h>
#include <linux/clk.h>
#include <linux/devfreq.h>
#include <linux/pm_opp.h>
#include <linux/pm_qos.h>

#include "panthor_perf_clock_mode.h"
#include "panthor_perf_session_test.h"

#define MHZ		1000000ul
#define MAX_OPPS	5

#define PROFILING	DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING
#define LOWEST		DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST
#define HIGHEST		DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST

/* A board: a device with operating points, a clock, and the kernel's devfreq, which sets it. */
struct board {
	struct device *dev;
	struct clk_hw hw;
	struct clk *clk;
	struct devfreq_dev_profile profile;
	struct devfreq *devfreq;
	struct panthor_perf_clock_mode cm;
	unsigned long rate;

	/* What the clock makes of a rate: that many parts of 1000 less. */
	unsigned int slower;

	/* Load in percent. */
	unsigned long load;
};

static unsigned long board_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	return container_of(hw, struct board, hw)->rate;
}

static int board_determine_rate(struct clk_hw *hw, struct clk_rate_request *req)
{
	req->rate -= req->rate / 1000 * container_of(hw, struct board, hw)->slower;
	return 0;
}

static int board_set_rate(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate)
{
	container_of(hw, struct board, hw)->rate = rate;
	return 0;
}

static const struct clk_ops board_ops = {
	.recalc_rate = board_recalc_rate,
	.determine_rate = board_determine_rate,
	.set_rate = board_set_rate,
};

static int board_target(struct device *dev, unsigned long *hz, u32 flags)
{
	struct board *board = dev_get_drvdata(dev);
	struct dev_pm_opp *opp = devfreq_recommended_opp(dev, hz, flags);

	if (IS_ERR(opp))
		return PTR_ERR(opp);

	dev_pm_opp_put(opp);
	return clk_set_rate(board->clk, *hz);
}

static int board_status(struct device *dev, struct devfreq_dev_status *status)
{
	struct board *board = dev_get_drvdata(dev);

	status->current_frequency = board->rate;
	status->total_time = 100;
	status->busy_time = board->load;
	return 0;
}

static struct board *board_create(struct kunit *test, const unsigned long *opps)
{
	const struct clk_init_data init = {
		.name = "core", .ops = &board_ops, .flags = CLK_GET_RATE_NOCACHE,
	};
	struct board *board = kunit_kzalloc(test, sizeof(*board), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, board);
	board->dev = kunit_device_register(test, "panthor-perf-board");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, board->dev);
	dev_set_drvdata(board->dev, board);
	board->rate = opps[0] ?: 100 * MHZ;
	for (u32 i = 0; i < MAX_OPPS && opps[i]; i++) {
		KUNIT_ASSERT_EQ(test, dev_pm_opp_add(board->dev, opps[i], 0), 0);
		board->rate = max(board->rate, opps[i]);
	}
	board->load = 100;

	board->hw.init = &init;
	KUNIT_ASSERT_EQ(test, clk_hw_register(NULL, &board->hw), 0);
	board->clk = clk_hw_get_clk(&board->hw, "test");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, board->clk);

	board->profile = (struct devfreq_dev_profile) {
		.initial_freq = board->rate,
		.target = board_target,
		.get_dev_status = board_status,
	};
	if (opps[0]) {
		board->devfreq = devfreq_add_device(board->dev, &board->profile,
						    DEVFREQ_GOV_SIMPLE_ONDEMAND, NULL);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, board->devfreq);
	}
	panthor_perf_clock_mode_init(&board->cm, board->dev, board->clk);
	return board;
}

static void board_destroy(struct board *board)
{
	panthor_perf_clock_mode_fini(&board->cm);
	if (board->devfreq)
		devfreq_remove_device(board->devfreq);
	clk_put(board->clk);
	clk_hw_unregister(&board->hw);
	dev_pm_opp_remove_all_dynamic(board->dev);
}

/* That of a large SoC, in Hz. */
static const unsigned long soc[MAX_OPPS] = {
	300 * MHZ, 500 * MHZ, 650 * MHZ, 800 * MHZ, 1000 * MHZ,
};

/* Requests that ended are removed by then. */
static void settle(struct board *board)
{
	flush_work(&board->cm.work);
}

static const struct rates_case {
	const char *name;
	unsigned long opps[MAX_OPPS];
	bool supported;
	unsigned long lowest, profiling, highest;
} rates_cases[] = {
	{ "no operating points", {}, false, 0, 0, 0 },
	{ "one", { 600 * MHZ }, false, 600 * MHZ, 600 * MHZ, 600 * MHZ },
	{ "two", { 300 * MHZ, 600 * MHZ }, true, 300 * MHZ, 300 * MHZ, 600 * MHZ },
	{ "not above two thirds", { 200 * MHZ, 400 * MHZ, 600 * MHZ }, true,
	  200 * MHZ, 400 * MHZ, 600 * MHZ },
	{ "just above two thirds", { 200 * MHZ, 400 * MHZ + 1, 600 * MHZ }, true,
	  200 * MHZ, 200 * MHZ, 600 * MHZ },
	{ "all above two thirds", { 500 * MHZ, 600 * MHZ }, true,
	  500 * MHZ, 500 * MHZ, 600 * MHZ },
	{ "in any order", { 650 * MHZ, 300 * MHZ, 1000 * MHZ, 500 * MHZ, 800 * MHZ }, true,
	  300 * MHZ, 650 * MHZ, 1000 * MHZ },
	{ "not in kHz", { 333333333, 666666667, 1000000001 }, true,
	  333333333, 666666667, 1000000001 },
};

KUNIT_ARRAY_PARAM_DESC(rates, rates_cases, name);

/* The rates of the modes, and that devfreq sets each whatever its governor wants. */
static void rates_of_modes(struct kunit *test)
{
	const struct rates_case *c = test->param_value;
	const unsigned long expected[] = {
		[PROFILING] = c->profiling, [LOWEST] = c->lowest, [HIGHEST] = c->highest,
	};
	static const unsigned long loads[] = { 100, 0, 50 };
	struct board *board = board_create(test, c->opps);

	KUNIT_EXPECT_EQ(test, !!board->cm.core, c->supported);
	for (u32 mode = PROFILING; mode <= HIGHEST; mode++) {
		KUNIT_EXPECT_EQ(test, board->cm.rates[mode], expected[mode]);
		if (!c->supported)
			continue;

		for (u32 i = 0; i < ARRAY_SIZE(loads); i++) {
			board->load = loads[i];
			KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(&board->cm, mode), 0);
			KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), expected[mode]);
			panthor_perf_clock_mode_put(&board->cm);
			settle(board);
		}
		/* The governor has the clock again. */
		board->load = 100;
		mutex_lock(&board->devfreq->lock);
		update_devfreq(board->devfreq);
		mutex_unlock(&board->devfreq->lock);
		KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), c->highest);
	}
	board_destroy(board);
}

/* Users of one mode share it. Another mode has to wait for the last of them. */
static void one_mode_at_a_time(struct kunit *test)
{
	struct board *board = board_create(test, soc);
	struct panthor_perf_clock_mode *cm = &board->cm;

	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, LOWEST), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, PROFILING), -EBUSY);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, LOWEST), 0);
	panthor_perf_clock_mode_put(cm);
	settle(board);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, HIGHEST), -EBUSY);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 300 * MHZ);

	/* The next one need not wait for the work item, which must not take its mode away. */
	panthor_perf_clock_mode_put(cm);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, PROFILING), 0);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 650 * MHZ);
	panthor_perf_clock_mode_put(cm);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, PROFILING), 0);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 650 * MHZ);
	panthor_perf_clock_mode_put(cm);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 1000 * MHZ);
	board_destroy(board);
}

static const struct equal_case {
	const char *name;
	unsigned long opps[MAX_OPPS];
} equal_cases[] = {
	{ "two operating points", { 300 * MHZ, 600 * MHZ } },
	{ "all above two thirds", { 500 * MHZ, 550 * MHZ, 600 * MHZ } },
};

KUNIT_ARRAY_PARAM_DESC(equal, equal_cases, name);

/* Two modes have the same rate: they are two modes all the same. */
static void modes_of_equal_rates(struct kunit *test)
{
	const struct equal_case *c = test->param_value;
	struct board *board = board_create(test, c->opps);
	struct panthor_perf_clock_mode *cm = &board->cm;

	KUNIT_ASSERT_EQ(test, cm->rates[LOWEST], cm->rates[PROFILING]);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, PROFILING), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, LOWEST), -EBUSY);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, HIGHEST), -EBUSY);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, PROFILING), 0);
	panthor_perf_clock_mode_put(cm);
	settle(board);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, LOWEST), -EBUSY);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), c->opps[0]);
	panthor_perf_clock_mode_put(cm);
	settle(board);
	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(cm, LOWEST), 0);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), c->opps[0]);
	panthor_perf_clock_mode_put(cm);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 600 * MHZ);
	board_destroy(board);
}

/* Unplug does not leave the requests to a work item that never ran. */
static void unplug_gives_back(struct kunit *test)
{
	struct board *board = board_create(test, soc);

	KUNIT_EXPECT_EQ(test, panthor_perf_clock_mode_get(&board->cm, LOWEST), 0);
	panthor_perf_clock_mode_put(&board->cm);
	panthor_perf_clock_mode_fini(&board->cm);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 1000 * MHZ);
	KUNIT_EXPECT_EQ(test, dev_pm_qos_read_value(board->dev, DEV_PM_QOS_MAX_FREQUENCY), S32_MAX);
	KUNIT_EXPECT_NULL(test, board->cm.core);
	/* The notifier is gone, too. */
	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 500 * MHZ), 0);
	KUNIT_EXPECT_NE(test, board->cm.hz, 500 * MHZ);
	board_destroy(board);
}

/* A session with a mode of the board. */
static struct profiler *profiler_with_mode(struct kunit *test, struct board *board, u32 mode)
{
	struct profiler *p = profiler_of_all(test);

	p->session->config.clock_mode = mode;
	p->session->clock_mode = &board->cm;
	return p;
}

static void start_with_mode(struct kunit *test, struct profiler *p)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_clock_mode_get(p->session->clock_mode,
							  p->session->config.clock_mode), 0);
	start(test, p);
}

static u32 events_of_sample(struct kunit *test, struct profiler *p)
{
	sample(test, p, 0);
	return header_at(p, p->control->insert_idx - 1)->events;
}

/* A lower limit than the mode's rate is an event of each sample while it lasts, and of no other. */
static void rate_is_not_held(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct board *board = board_create(test, soc);
	struct profiler *u = profiler_with_mode(test, board, PROFILING);
	struct profiler *other = profiler_of_all(test);
	struct dev_pm_qos_request hot = {};

	start(test, other);
	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);
	/* No limit for the mode. */
	KUNIT_ASSERT_GE(test, dev_pm_qos_add_request(board->dev, &hot, DEV_PM_QOS_MAX_FREQUENCY,
						     700000), 0);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);

	KUNIT_ASSERT_GE(test, dev_pm_qos_update_request(&hot, 400000), 0);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 300 * MHZ);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), CLOCK_MISSED);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), CLOCK_MISSED);
	KUNIT_EXPECT_EQ(test, header_at(u, u->control->insert_idx - 1)->flags, 0);
	drain(test->priv, u);

	dev_pm_qos_remove_request(&hot);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 650 * MHZ);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), CLOCK_MISSED);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);

	/* Between two samples, down and up again. */
	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 500 * MHZ), 0);
	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 650 * MHZ), 0);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), CLOCK_MISSED);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, other), 0);

	/* Beside another event of the sample */
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 500 * MHZ), 0);
	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 650 * MHZ), 0);
	panthor_perf_fixture_resume(f, true);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), SUSPEND | CLOCK_MISSED);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, other), SUSPEND);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
	board_destroy(board);
}

/* What was before START, or is not there at START. */
static void rate_at_start(struct kunit *test)
{
	struct board *board = board_create(test, soc);
	struct profiler *u = profiler_with_mode(test, board, HIGHEST);
	struct dev_pm_qos_request hot = {};

	KUNIT_EXPECT_EQ(test, clk_set_rate(board->clk, 500 * MHZ), 0);
	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 1000 * MHZ);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);
	stop(test, u, 0);
	drain(test->priv, u);

	KUNIT_ASSERT_GE(test, dev_pm_qos_add_request(board->dev, &hot, DEV_PM_QOS_MAX_FREQUENCY,
						     800000), 0);
	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), CLOCK_MISSED);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, u->control->insert_idx - 1)->events, CLOCK_MISSED);
	dev_pm_qos_remove_request(&hot);
	drain(test->priv, u);

	/* A run that begins with the rate does not know of the run before. */
	settle(board);
	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), 0);
	profiler_destroy(test, u);
	board_destroy(board);
}

static const struct rounding_case {
	const char *name;
	unsigned int slower;
	u32 events;
} rounding_cases[] = {
	{ "1 part of 1000", 1, 0 },
	{ "9 parts of 1000", 9, 0 },
	{ "11 parts of 1000", 11, CLOCK_MISSED },
};

KUNIT_ARRAY_PARAM_DESC(rounding, rounding_cases, name);

/* A clock does not have each rate. */
static void clock_rounds(struct kunit *test)
{
	const struct rounding_case *c = test->param_value;
	struct board *board = board_create(test, soc);
	struct profiler *u = profiler_with_mode(test, board, LOWEST);

	board->slower = c->slower;
	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, events_of_sample(test, u), c->events);
	profiler_destroy(test, u);
	board_destroy(board);
}

/*
 * Every way in which a session ends
 */

static void end_by_stop(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, 0), 0);
	/* Up to the final sample the session has its rate. */
	KUNIT_EXPECT_EQ(test, atomic_read(&p->session->clock_mode->users), 1);
	panthor_perf_fixture_run(f);
}

static void end_by_teardown(struct kunit *test, struct profiler *p)
{
	kill_profiler(test, p, false);
}

static void end_by_stop_while_suspended(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, 0), 0);
	panthor_perf_fixture_suspend(f);
	panthor_perf_fixture_resume(f, false);
	panthor_perf_fixture_run(f);
}

static void end_by_reset(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(p->session, 0), 0);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
}

static void end_by_unplug(struct kunit *test, struct profiler *p)
{
	panthor_perf_fixture_unplug(test->priv);
	kill_profiler(test, p, true);
}

static const struct end_case {
	const char *name;
	void (*end)(struct kunit *test, struct profiler *p);
} end_cases[] = {
	{ "STOP", end_by_stop },
	{ "TEARDOWN", end_by_teardown },
	{ "STOP, then a suspend", end_by_stop_while_suspended },
	{ "STOP, then a failed reset", end_by_reset },
	{ "unplug", end_by_unplug },
};

KUNIT_ARRAY_PARAM_DESC(end, end_cases, name);

/* The rate is free again, and only then. */
static void end_gives_back(struct kunit *test)
{
	const struct end_case *c = test->param_value;
	struct board *board = board_create(test, soc);
	struct profiler *u = profiler_with_mode(test, board, LOWEST);

	start_with_mode(test, u);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 300 * MHZ);
	KUNIT_EXPECT_EQ(test, atomic_read(&board->cm.users), 1);
	c->end(test, u);
	KUNIT_EXPECT_EQ(test, atomic_read(&board->cm.users), 0);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 1000 * MHZ);
	profiler_destroy(test, u);
	KUNIT_EXPECT_EQ(test, atomic_read(&board->cm.users), 0);
	board_destroy(board);
}

/* START that fails behind the call gives the mode back itself. */
static void failed_start_gives_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct board *board = board_create(test, soc);
	struct profiler *u = profiler_with_mode(test, board, LOWEST);

	KUNIT_ASSERT_EQ(test, panthor_perf_clock_mode_get(&board->cm, LOWEST), 0);
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&board->cm.users), 1);
	/* A fatal signal, or a reset that fails meanwhile. */
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -EIO);
	KUNIT_EXPECT_EQ(test, atomic_read(&board->cm.users), 0);
	settle(board);
	KUNIT_EXPECT_EQ(test, clk_get_rate(board->clk), 1000 * MHZ);
	profiler_destroy(test, u);
	board_destroy(board);
}

static struct kunit_case clock_mode_cases[] = {
	KUNIT_CASE_PARAM(rates_of_modes, rates_gen_params),
	KUNIT_CASE(one_mode_at_a_time),
	KUNIT_CASE_PARAM(modes_of_equal_rates, equal_gen_params),
	KUNIT_CASE(unplug_gives_back),
	KUNIT_CASE(rate_is_not_held),
	KUNIT_CASE(rate_at_start),
	KUNIT_CASE_PARAM(clock_rounds, rounding_gen_params),
	KUNIT_CASE_PARAM(end_gives_back, end_gen_params),
	KUNIT_CASE(failed_start_gives_back),
	{}
};

static struct kunit_suite clock_mode_suite = {
	.name = "panthor_perf_clock_mode",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = clock_mode_cases,
};

kunit_test_suite(clock_mode_suite);
