// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_ioctl_test.h"

/* Calls that fail, more often than any limit: they release all that they have taken. */

#define FILE_SESSIONS	16
#define GPU_SESSIONS	20
#define OFTEN		100

static int setup_again(struct owner *u)
{
	u->setup.handle = NO_HANDLE;
	return do_setup(u);
}

struct setup_case {
	const char *name;
	int error;
	void (*spoil)(struct owner *u);
};

static void without_ring(struct owner *u)
{
	u->setup.ring_handle = 12345;
}

static void without_control(struct owner *u)
{
	u->setup.control_handle = 12345;
}

static void without_eventfd(struct owner *u)
{
	u->setup.eventfd = 12345;
}

static void without_counters(struct owner *u)
{
	u->setup.sections.array = (uintptr_t)u->page + PAGE_SIZE;
}

static const struct setup_case setup_cases[] = {
	{ "no ring", -ENOENT, without_ring },
	{ "no control object", -ENOENT, without_control },
	{ "no eventfd", -EBADF, without_eventfd },
	{ "no sections", -EFAULT, without_counters },
};

/* A file gets all of its sessions, with the lowest handles, and the GPU serves all that it may. */
static void setup_gives_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);

	f->perf.max_sessions = GPU_SESSIONS;
	for (u32 i = 0; i < ARRAY_SIZE(setup_cases); i++) {
		const struct drm_panthor_perf_setup good = two->u.setup;

		setup_cases[i].spoil(&two->u);
		for (u32 k = 0; k < OFTEN; k++)
			KUNIT_ASSERT_EQ_MSG(test, setup_again(&two->u), setup_cases[i].error, "%s",
					    setup_cases[i].name);
		two->u.setup = good;
	}

	for (u32 i = 1; i <= FILE_SESSIONS; i++) {
		KUNIT_ASSERT_EQ(test, setup_again(&two->u), 0);
		KUNIT_EXPECT_EQ(test, two->u.setup.handle, i);
	}
	for (u32 k = 0; k < OFTEN; k++)
		KUNIT_ASSERT_EQ(test, setup_again(&two->u), -ENOSPC);

	for (u32 i = FILE_SESSIONS + 1; i <= GPU_SESSIONS; i++)
		KUNIT_ASSERT_EQ(test, setup_again(&two->o), 0);
	for (u32 k = 0; k < OFTEN; k++)
		KUNIT_ASSERT_EQ(test, setup_again(&two->o), -ENOSPC);

	/* One place that is free again is free for each file. */
	two->u.setup.handle = 7;
	KUNIT_ASSERT_EQ(test, do_teardown(&two->u), 0);
	KUNIT_EXPECT_EQ(test, setup_again(&two->o), 0);
	KUNIT_EXPECT_EQ(test, two->o.setup.handle, GPU_SESSIONS - FILE_SESSIONS + 1);
	KUNIT_EXPECT_EQ(test, setup_again(&two->u), -ENOSPC);
	KUNIT_ASSERT_EQ(test, do_teardown(&two->o), 0);
	KUNIT_EXPECT_EQ(test, setup_again(&two->u), 0);
	KUNIT_EXPECT_EQ(test, two->u.setup.handle, 7);
}

/* The power and the counter set are free, and the session can start. */
static void start_gives_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);

	two->o.setup.counter_set = DRM_PANTHOR_PERF_SET_SECONDARY;
	owner_setup(&two->u);
	owner_setup(&two->o);
	for (u32 k = 0; k < OFTEN; k++) {
		f->fake.power_error = -EIO;
		KUNIT_ASSERT_EQ(test, do_start(&two->u, 0), -EIO);
		f->fake.power_error = 0;
		f->fake.alloc_error = -ENOMEM;
		KUNIT_ASSERT_EQ(test, do_start(&two->u, 0), -ENOMEM);
		f->fake.alloc_error = 0;
	}
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	owner_start(&two->o);
	for (u32 k = 0; k < OFTEN; k++)
		KUNIT_ASSERT_EQ(test, do_start(&two->u, 0), -EBUSY);
	KUNIT_ASSERT_EQ(test, do_stop(&two->o, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
	owner_start(&two->u);
}

/* Each slot but that of the final sample can have a pending sample. */
static void sample_gives_back(struct kunit *test)
{
	struct drm_panthor_perf_sample bad = {
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.syncs = { .stride = sizeof(struct drm_panthor_sync_op), .count = 1 },
	};
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);
	struct owner *u = &two->u;
	struct drm_device *ddev = &u->client->ptdev->base;
	struct drm_file *file = u->client->file;

	owner_setup(u);
	owner_start(u);
	bad.handle = u->setup.handle;
	bad.syncs.array = (uintptr_t)u->page + PAGE_SIZE;
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < SLOTS - 1; i++) {
		for (u32 k = 0; k < OFTEN; k++)
			KUNIT_ASSERT_EQ(test, panthor_ioctl_perf_sample(ddev, &bad, file), -EFAULT);
		KUNIT_ASSERT_EQ(test, do_sample(u, i), 0);
	}
	for (u32 k = 0; k < OFTEN; k++)
		KUNIT_ASSERT_EQ(test, do_sample(u, 99), -EBUSY);
	KUNIT_ASSERT_EQ(test, do_stop(u, SLOTS - 1), 0);
	for (u32 k = 0; k < OFTEN; k++) {
		KUNIT_ASSERT_EQ(test, do_stop(u, 99), -EINVAL);
		KUNIT_ASSERT_EQ(test, do_sample(u, 99), -EINVAL);
		KUNIT_ASSERT_EQ(test, do_start(u, 99), -EBUSY);
	}
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_let_go(f);
	KUNIT_ASSERT_EQ(test, u->p.control->insert_idx, SLOTS);
	for (u32 i = 0; i < SLOTS; i++)
		KUNIT_EXPECT_EQ(test, header_at(&u->p, i)->user_data, i);
	KUNIT_EXPECT_EQ(test, f->fake.power, 0);
}

/* Samples that dead counters refuse have no slot. */
static void dead_counters_give_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = two_of(test);
	struct owner *u = &two->u;

	owner_setup(u);
	owner_start(u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, do_sample(u, 0), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	for (u32 k = 0; k < OFTEN; k++)
		KUNIT_ASSERT_EQ(test, do_sample(u, 99), -EIO);
	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	u->p.control->extract_idx = 1;
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < SLOTS - 1; i++)
		KUNIT_ASSERT_EQ(test, do_sample(u, i), 0);
	KUNIT_EXPECT_EQ(test, do_sample(u, 99), -EBUSY);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, SLOTS);
}

static struct kunit_case limits_cases[] = {
	KUNIT_CASE(setup_gives_back),
	KUNIT_CASE(start_gives_back),
	KUNIT_CASE(sample_gives_back),
	KUNIT_CASE(dead_counters_give_back),
	{}
};

static struct kunit_suite limits_suite = {
	.name = "panthor_perf_limits",
	.init = two_init,
	.exit = two_exit,
	.test_cases = limits_cases,
};

kunit_test_suite(limits_suite);
