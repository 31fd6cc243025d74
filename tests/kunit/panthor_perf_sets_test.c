// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_ioctl_test.h"

/*
 * Access to the counter sets: each set, with CAP_PERFMON and without, with each value of
 * perf_paranoid, while no other session counts and while another one uses each set.
 */

#define SETS		3
#define NOBODY		SETS

/* Bits 8 and 9 of the configuration word. */
#define SET_SELECT(config)	((config) >> 8 & 3)

/* What SETUP returns. */
static const int may[2][2][SETS] = {
	/* perf_paranoid=0: the primary set is open to all. */
	{
		{ 0, -EACCES, -EACCES },
		{ 0, 0, 0 },
	},
	/* perf_paranoid=1: no set is. */
	{
		{ -EACCES, -EACCES, -EACCES },
		{ 0, 0, 0 },
	},
};

/* What START returns, by the set and the one that is in use. */
static const int can[SETS][SETS + 1] = {
	{ 0, -EBUSY, -EBUSY, 0 },
	{ -EBUSY, 0, -EBUSY, 0 },
	{ -EBUSY, -EBUSY, 0, 0 },
};

#define CASES	(2 * 2 * SETS * (SETS + 1))

static struct set_case {
	bool paranoid, capable;
	u8 set, in_use;
} matrix[CASES];

static void set_desc(struct set_case *c, char *desc)
{
	static const char * const sets[] = { "primary", "secondary", "tertiary", "none" };

	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s set, %s, paranoid=%d, in use: %s",
		 sets[c->set], c->capable ? "capable" : "not capable", c->paranoid,
		 sets[c->in_use]);
}

KUNIT_ARRAY_PARAM(matrix, matrix, set_desc);

static void set_matrix(struct kunit *test)
{
	const struct set_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);
	struct owner *u = &two->u, *o = &two->o;
	int ret;

	if (c->in_use != NOBODY) {
		o->setup.counter_set = c->in_use;
		owner_setup(o);
		owner_start(o);
	}

	set_paranoid(c->paranoid);
	u->setup.counter_set = c->set;
	ret = c->capable ? do_setup(u) : do_setup_as_nobody(u);
	KUNIT_EXPECT_EQ(test, ret, may[c->paranoid][c->capable][c->set]);
	if (ret)
		return;

	ret = do_start(u, 0);
	KUNIT_EXPECT_EQ(test, ret, can[c->set][c->in_use]);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);

	/* Who was refused is served when the others are gone; those have not noticed. */
	if (ret) {
		KUNIT_EXPECT_EQ(test, SET_SELECT(f->fake.config.config), c->in_use);
		panthor_perf_fake_fw_count_all(&f->fake, 1);
		KUNIT_EXPECT_EQ(test, do_stop(o, 0), 0);
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, header_at(&o->p, 0)->counter_set, c->in_use);
		KUNIT_EXPECT_EQ(test, header_at(&o->p, 0)->flags, FINAL);
		KUNIT_EXPECT_EQ(test, header_at(&o->p, 0)->events, 0);
		KUNIT_EXPECT_EQ(test, do_start(u, 0), 0);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	}

	KUNIT_EXPECT_EQ(test, SET_SELECT(f->fake.config.config), c->set);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 33);
	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(&u->p, 0)->counter_set, c->set);
	KUNIT_EXPECT_EQ(test, value_at(f, &u->p, 0, FW, 0, 9), 33);
}

/* A session that was set up before keeps what it was allowed. */
static void paranoid_is_for_what_comes(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);

	set_paranoid(false);
	KUNIT_EXPECT_EQ(test, do_setup_as_nobody(&two->u), 0);
	set_paranoid(true);
	KUNIT_EXPECT_EQ(test, do_start(&two->u, 0), 0);
	KUNIT_EXPECT_EQ(test, do_sample(&two->u, 0), 0);
	KUNIT_EXPECT_EQ(test, do_stop(&two->u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, two->u.p.control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, do_teardown(&two->u), 0);
	KUNIT_EXPECT_EQ(test, do_setup_as_nobody(&two->u), -EACCES);
}

static void paranoid_by_default(struct kunit *test)
{
	struct two *two = two_of(test);

	KUNIT_EXPECT_EQ(test, do_setup_as_nobody(&two->u), -EACCES);
	KUNIT_EXPECT_EQ(test, do_setup(&two->o), 0);
}

/* Each SETUP checks its caller: one with the right leaves none behind in the file. */
static void right_is_that_of_the_caller(struct kunit *test)
{
	struct two *two = two_of(test);
	struct owner *u = &two->u;

	for (u32 paranoid = 0; paranoid < 2; paranoid++) {
		set_paranoid(paranoid);
		for (u32 set = 0; set < SETS; set++) {
			u->setup.counter_set = set;
			KUNIT_EXPECT_EQ(test, do_setup(u), 0);
			KUNIT_EXPECT_EQ(test, do_setup_as_nobody(u), may[paranoid][0][set]);
			if (!may[paranoid][0][set])
				KUNIT_EXPECT_EQ(test, do_teardown(u), 0);
			KUNIT_EXPECT_EQ(test, do_setup_as_nobody(u), may[paranoid][0][set]);
			if (!may[paranoid][0][set])
				KUNIT_EXPECT_EQ(test, do_teardown(u), 0);
		}
	}
}

struct period_case {
	u64 period_ns;
	bool paranoid, capable;
	int error;
};

static const struct period_case period_cases[] = {
	{ 100000, false, true, 0 },
	{ 100000, false, false, -EACCES },
	{ 999999, false, false, -EACCES },
	{ 1000000, false, false, 0 },
	{ U64_MAX, false, false, 0 },
	{ 100000, true, true, 0 },
	{ 1000000, true, false, -EACCES },
	{ 99999, false, false, -EINVAL },
	{ 99999, false, true, -EINVAL },
};

static void period_desc(const struct period_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%llu ns, %s, paranoid=%d", c->period_ns,
		 c->capable ? "capable" : "not capable", c->paranoid);
}

KUNIT_ARRAY_PARAM(period, period_cases, period_desc);

static void short_periods_need_the_right(struct kunit *test)
{
	const struct period_case *c = test->param_value;
	struct two *two = two_of(test);
	struct owner *u = &two->u;

	set_paranoid(c->paranoid);
	u->setup.sample_period_ns = c->period_ns;
	KUNIT_EXPECT_EQ(test, c->capable ? do_setup(u) : do_setup_as_nobody(u), c->error);
}

/* No session is reserved for processes with the right. */
static void limit_is_for_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);

	f->perf.max_sessions = 3;
	set_paranoid(false);
	for (u32 count = 0; count < 3; count++)
		KUNIT_EXPECT_EQ(test, do_setup_as_nobody(&two->o), 0);
	KUNIT_EXPECT_EQ(test, do_setup_as_nobody(&two->o), -ENOSPC);
	KUNIT_EXPECT_EQ(test, do_setup(&two->u), -ENOSPC);
}

/* A session that is torn down during another call on it has its memory until that call ends. */
static void dead_session_does_not_count(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);
	struct owner *u = &two->u;
	struct panthor_perf_session *session;

	f->perf.max_sessions = 1;
	KUNIT_ASSERT_EQ(test, do_setup(u), 0);
	session = panthor_perf_session_get(u->p.session);
	KUNIT_EXPECT_EQ(test, do_setup(&two->o), -ENOSPC);

	KUNIT_EXPECT_EQ(test, do_teardown(u), 0);
	KUNIT_EXPECT_EQ(test, do_setup(&two->o), 0);
	KUNIT_EXPECT_EQ(test, do_setup(u), -ENOSPC);

	/* The references of the handle, of this test and of the session. */
	KUNIT_EXPECT_EQ(test, kref_read(&u->ring.obj->refcount), 3);
	KUNIT_EXPECT_EQ(test, kref_read(&u->control.obj->refcount), 3);
	panthor_perf_session_put(session);
	KUNIT_EXPECT_EQ(test, kref_read(&u->ring.obj->refcount), 2);
	KUNIT_EXPECT_EQ(test, kref_read(&u->control.obj->refcount), 2);
}

static struct kunit_case sets_cases[] = {
	KUNIT_CASE_PARAM(set_matrix, matrix_gen_params),
	KUNIT_CASE(paranoid_is_for_what_comes),
	KUNIT_CASE(paranoid_by_default),
	KUNIT_CASE(right_is_that_of_the_caller),
	KUNIT_CASE_PARAM(short_periods_need_the_right, period_gen_params),
	KUNIT_CASE(limit_is_for_all),
	KUNIT_CASE(dead_session_does_not_count),
	{}
};

static int sets_suite_init(struct kunit_suite *suite)
{
	struct set_case *c = matrix;

	for (u32 paranoid = 0; paranoid < 2; paranoid++)
		for (u32 capable = 0; capable < 2; capable++)
			for (u32 set = 0; set < SETS; set++)
				for (u32 in_use = 0; in_use <= SETS; in_use++)
					*c++ = (struct set_case) { paranoid, capable, set, in_use };

	return 0;
}

static void sets_exit(struct kunit *test)
{
	set_paranoid(true);
	two_exit(test);
}

static struct kunit_suite sets_suite = {
	.name = "panthor_perf_sets",
	.suite_init = sets_suite_init,
	.init = two_init,
	.exit = sets_exit,
	.test_cases = sets_cases,
};

kunit_test_suite(sets_suite);
