// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_errno_test.h"

/* Errors of COMPACT, WAKEUP and CLOCK_MODE. */

#define WAKEUP	DRM_PANTHOR_PERF_SETUP_WAKEUP

static int setup(struct scene *s)
{
	return do_setup(&s->subject);
}

/* SETUP with WAKEUP, but the arguments. */
static void offer_wakeup(struct scene *s, u32 samples)
{
	int fd = get_unused_fd_flags(0);

	KUNIT_ASSERT_GE(s->test, fd, 0);
	s->subject.p.eventfd = eventfd_create(s->test);
	get_file(s->subject.p.eventfd);
	fd_install(fd, s->subject.p.eventfd);
	s->subject.setup.eventfd = fd;
	s->subject.setup.flags = WAKEUP;
	s->subject.setup.wakeup_samples = samples;
}

static void wakeup_of_nothing(struct scene *s)
{
	offer_wakeup(s, 0);
}

static void wakeup_of_all_slots(struct scene *s)
{
	offer_wakeup(s, SLOTS);
}

static void wakeup_of_many(struct scene *s)
{
	offer_wakeup(s, U32_MAX);
}

static void wakeup_without_flag(struct scene *s)
{
	offer_wakeup(s, 2);
	s->subject.setup.flags = 0;
}

static void wakeup_of_nobody(struct scene *s)
{
	offer_wakeup(s, 2);
	s->subject.setup.eventfd = -1;
}

static void wakeup_and_unknown(struct scene *s)
{
	offer_wakeup(s, 2);
	s->subject.setup.flags |= BIT(3);
}

/*
 * COMPACT
 */

static void compact_setup(struct scene *s)
{
	s->subject.setup.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
}

/* Of everything, a slot is 11 blocks of 60 counters: 80 + 11 * 488 bytes. */
#define COMPACT_SIZE	5448

static void compact_in_a_small_ring(struct scene *s)
{
	compact_setup(s);
	/* One slot less. */
	s->subject.setup.ring_handle = object_handle(&s->caller, (SLOTS - 1) * COMPACT_SIZE, 0);
}

static void compact_with_indices_in_slots(struct scene *s)
{
	compact_setup(s);
	s->subject.setup.control_handle = s->subject.setup.ring_handle;
	s->subject.setup.control_offset = SLOTS * COMPACT_SIZE - 8;
}

/*
 * Clock modes
 */

static void offer_clock_mode(struct scene *s)
{
	s->f->perf.info.flags = DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT;
	s->subject.setup.flags = DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	s->subject.setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
}

static void clock_mode_not_offered(struct scene *s)
{
	offer_clock_mode(s);
	s->f->perf.info.flags = 0;
}

static void clock_mode_unknown(struct scene *s)
{
	offer_clock_mode(s);
	s->subject.setup.clock_mode = 4;
}

static void clock_mode_without_flag(struct scene *s)
{
	offer_clock_mode(s);
	s->subject.setup.flags = 0;
}

static void clock_mode_with_pad(struct scene *s)
{
	offer_clock_mode(s);
	s->subject.setup.pad2 = 1;
}

/* A mode needs the right even where the primary set needs none. */
static void clock_mode_for_all(struct scene *s)
{
	offer_clock_mode(s);
	set_paranoid(false);
}

static int setup_as_nobody(struct scene *s)
{
	int ret = do_setup_as_nobody(&s->subject);

	set_paranoid(true);
	return ret;
}

static void clock_mode_is_another(struct scene *s)
{
	struct panthor_perf_clock_mode *cm = &s->f->perf.clock_mode;

	offer_clock_mode(s);
	cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] = 300000000;
	cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] = 600000000;
	KUNIT_ASSERT_EQ(s->test, do_setup(&s->subject), 0);
	/* That of another session. */
	KUNIT_ASSERT_EQ(s->test, panthor_perf_clock_mode_get(cm,
							     DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST),
			0);
}

static int start_with_mode(struct scene *s)
{
	return do_start(&s->subject, 0);
}

static void clock_mode_of_another_set(struct scene *s)
{
	struct panthor_perf_clock_mode *cm = &s->f->perf.clock_mode;

	offer_clock_mode(s);
	cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] = 300000000;
	cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] = 600000000;
	s->subject.setup.counter_set = DRM_PANTHOR_PERF_SET_SECONDARY;
	KUNIT_ASSERT_EQ(s->test, do_setup(&s->subject), 0);
}

/* A START that fails gives up the mode. */
static int start_with_mode_of_another(struct scene *s)
{
	struct panthor_perf_clock_mode *cm = &s->f->perf.clock_mode;
	int ret = do_start(&s->subject, 0);

	KUNIT_EXPECT_EQ(s->test, panthor_perf_clock_mode_get(cm,
							     DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST),
			0);
	panthor_perf_clock_mode_put(cm);
	return ret;
}

static const struct row rows[] = {
	{ "SETUP, COMPACT in a small ring", compact_in_a_small_ring, setup, -EINVAL },
	{ "SETUP, COMPACT with indices in the slots", compact_with_indices_in_slots, setup,
	  -EINVAL },
	{ "SETUP, WAKEUP of nothing", wakeup_of_nothing, setup, -EINVAL },
	{ "SETUP, WAKEUP of all slots", wakeup_of_all_slots, setup, -EINVAL },
	{ "SETUP, WAKEUP of 2^32 - 1 samples", wakeup_of_many, setup, -EINVAL },
	{ "SETUP, wakeup_samples without the flag", wakeup_without_flag, setup, -EINVAL },
	{ "SETUP, WAKEUP without an eventfd", wakeup_of_nobody, setup, -EINVAL },
	{ "SETUP, WAKEUP and an unknown flag", wakeup_and_unknown, setup, -EINVAL },
	{ "SETUP, CLOCK_MODE that is not offered", clock_mode_not_offered, setup, -EOPNOTSUPP },
	{ "SETUP, CLOCK_MODE with an unknown mode", clock_mode_unknown, setup, -EINVAL },
	{ "SETUP, clock_mode without the flag", clock_mode_without_flag, setup, -EINVAL },
	{ "SETUP, CLOCK_MODE with a pad", clock_mode_with_pad, setup, -EINVAL },
	{ "SETUP, CLOCK_MODE without the right", clock_mode_for_all, setup_as_nobody, -EACCES },
	{ "START, another clock mode is in use", clock_mode_is_another, start_with_mode, -EBUSY },
	{ "START with a clock mode, another set is in use", clock_mode_of_another_set,
	  start_with_mode_of_another, -EBUSY },
};

KUNIT_ARRAY_PARAM_DESC(row, rows, name);

/* What is refused nowhere: the ends of the ranges, and who is woken up when. */
static void wakeup_in_range(struct kunit *test)
{
	static const u32 numbers[] = { 1, 2, SLOTS - 1 };
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;

	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++) {
		offer_wakeup(s, numbers[i]);
		KUNIT_ASSERT_EQ(test, do_setup(&s->subject), 0);
		close_fd(s->subject.setup.eventfd);
		KUNIT_EXPECT_EQ(test, s->subject.p.session->ring.wakeup_samples, numbers[i]);
		owner_start(&s->subject);
		for (u32 k = 1; k < SLOTS; k++) {
			KUNIT_EXPECT_EQ(test, do_sample(&s->subject, k), 0);
			panthor_perf_fixture_run(f);
			KUNIT_EXPECT_EQ(test, signals(&s->subject.p), !(k % numbers[i]));
		}
		KUNIT_EXPECT_EQ(test, do_teardown(&s->subject), 0);
		fput(s->subject.p.eventfd);
		s->subject.p.eventfd = NULL;
	}
}

/* A ring that a full sample would not go into, and indices right behind the slots. */
static void compact_in_little_room(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;
	struct owner *u = &s->subject;

	compact_setup(s);
	u->sections[0] = (struct drm_panthor_perf_section) { .block_type = FW, .mask = 0x30 };
	u->sections[1] = (struct drm_panthor_perf_section) { .block_type = SHADER, .mask = 0x10 };
	u->setup.sections.count = 2;
	u->setup.ring_handle = u->control.handle;
	/* 80 + 24 + 4 * 16 bytes. */
	u->setup.control_offset = SLOTS * 168;
	KUNIT_ASSERT_EQ(test, do_setup(u), 0);
	KUNIT_EXPECT_EQ(test, u->setup.sample_size, 168);
	owner_start(u);
	for (u32 i = 0; i < SLOTS - 1; i++) {
		panthor_perf_fake_fw_count(&f->fake, FW, 0, 5, i + 1);
		panthor_perf_fake_fw_count(&f->fake, SHADER, 3, 4, i + 2);
		KUNIT_EXPECT_EQ(test, do_sample(u, i), 0);
		panthor_perf_fixture_run(f);
	}
	for (u32 i = 0; i < SLOTS - 1; i++) {
		const u64 *sample = u->control.map.vaddr + i * 168;

		KUNIT_EXPECT_EQ(test, sample[10 + 2], i + 1);
		KUNIT_EXPECT_EQ(test, sample[13 + 3 * 2 + 1], i + 2);
	}
	KUNIT_EXPECT_EQ(test, do_teardown(u), 0);
}

static struct kunit_case errno_features_cases[] = {
	KUNIT_CASE(compact_in_little_room),
	KUNIT_CASE_PARAM(error_changes_nothing, row_gen_params),
	KUNIT_CASE(wakeup_in_range),
	{}
};

static struct kunit_suite errno_features_suite = {
	.name = "panthor_perf_errno_features",
	.init = scene_init,
	.exit = scene_exit,
	.test_cases = errno_features_cases,
};

kunit_test_suite(errno_features_suite);
