// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>

#include "panthor_perf_errno_test.h"

/*
 * Every error that a call can return, by the ioctls themselves, and that it changed nothing:
 * neither for the session it was made for nor for two others of another file, one of which
 * is started. PERF_INFO and SETUP are in panthor_perf_errno_setup_test.c.
 *
 * Not here, since no call gets to them without user space, the DRM core or another kernel:
 *
 * - -ENODEV of a call that comes after unplug, and any of TEARDOWN's: drm_ioctl() lets none in
 *   (tests/guest/tests/perf-rebind.sh). Calls that entered before unplug are here.
 * - -EINVAL of a driver that knows nothing of counters, and structures of another size, which
 *   drm_ioctl() cuts or fills (tests/guest/programs/perf-errno.c).
 * - -EINVAL of an imported object, which takes another driver (tests/guest/programs/perf-errno.c).
 * - -ENOMEM of each single allocation, which takes a kernel that injects faults
 *   (tests/guest/programs/perf-fail.c). Two of SETUP and one of START are here.
 *
 * No call makes a file descriptor, and the only wait ends early for fatal signals alone: there is
 * no -EMFILE and no -ERESTARTSYS.
 */

/* When something happens to who waits in START. */
#define LATER_MS	20

static void no_counters(struct scene *s)
{
	s->ptdev->perf = NULL;
}

static void is_set_up(struct scene *s)
{
	owner_setup(&s->subject);
}

static void is_started(struct scene *s)
{
	is_set_up(s);
	owner_start(&s->subject);
}

static void is_starting(struct scene *s)
{
	is_set_up(s);
	s->f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(s->test, begin(s->test, &s->subject.p), 0);
	panthor_perf_fixture_run(s->f);
}

static void is_stopping(struct scene *s)
{
	is_started(s);
	s->f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(s->test, do_stop(&s->subject, 0), 0);
	panthor_perf_fixture_run(s->f);
}

static void has_all_slots_pending(struct scene *s)
{
	is_started(s);
	s->f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < SLOTS - 1; i++)
		KUNIT_ASSERT_EQ(s->test, do_sample(&s->subject, i), 0);
	panthor_perf_fixture_run(s->f);
}

static void has_one_free_slot(struct scene *s)
{
	is_started(s);
	for (u32 i = 0; i < SLOTS - 1; i++) {
		KUNIT_ASSERT_EQ(s->test, do_sample(&s->subject, i), 0);
		panthor_perf_fixture_run(s->f);
	}
}

static void has_a_full_ring(struct scene *s)
{
	has_one_free_slot(s);
	KUNIT_ASSERT_EQ(s->test, do_stop(&s->subject, 9), 0);
	panthor_perf_fixture_run(s->f);
}

static void is_periodic(struct scene *s)
{
	s->subject.setup.sample_period_ns = 3600ull * NSEC_PER_SEC;
	is_started(s);
}

static void is_of_another_set(struct scene *s)
{
	s->subject.setup.counter_set = 1;
	is_set_up(s);
}

static void is_torn_down(struct scene *s)
{
	is_started(s);
	KUNIT_ASSERT_EQ(s->test, do_teardown(&s->subject), 0);
	s->subject.p.session = NULL;
}

static void is_zero(struct scene *s)
{
	is_set_up(s);
	s->subject.setup.handle = 0;
}

static void is_unknown(struct scene *s)
{
	is_set_up(s);
	s->subject.setup.handle = 12345;
}

/* The session of the other file has a handle that this one does not have. */
static void is_foreign(struct scene *s)
{
	is_set_up(s);
	KUNIT_ASSERT_NE(s->test, s->stopped.setup.handle, s->subject.setup.handle);
	s->subject.setup.handle = s->stopped.setup.handle;
}

static void firmware_dies(struct scene *s)
{
	struct panthor_perf_fixture *f = s->f;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	panthor_perf_fixture_watchdog(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_watchdog(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_ASSERT_EQ(s->test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	f->fake.hold = 0;
}

static void is_set_up_on_dead_firmware(struct scene *s)
{
	is_set_up(s);
	firmware_dies(s);
}

static void is_started_on_dead_firmware(struct scene *s)
{
	is_started(s);
	firmware_dies(s);
}

static void reset_fails(struct scene *s)
{
	panthor_perf_fixture_pre_reset(s->f);
	panthor_perf_fixture_post_reset(s->f, true);
}

static void is_set_up_after_failed_reset(struct scene *s)
{
	is_set_up(s);
	reset_fails(s);
}

static void is_set_up_and_gone(struct scene *s)
{
	is_set_up(s);
	leave(s);
}

static void is_started_and_gone(struct scene *s)
{
	is_started(s);
	leave(s);
}

/* The sampler has ended, and it is not the turn of the sessions yet. */
static void is_started_while_leaving(struct scene *s)
{
	is_started(s);
	panthor_perf_fixture_unplug(s->f);
}

static void is_set_up_while_leaving(struct scene *s)
{
	is_set_up(s);
	panthor_perf_fixture_unplug(s->f);
}

static void is_set_up_without_counters(struct scene *s)
{
	is_set_up(s);
	no_counters(s);
}

static void is_set_up_without_power(struct scene *s)
{
	is_set_up(s);
	s->f->fake.power_error = -EIO;
}

static void is_set_up_without_memory(struct scene *s)
{
	is_set_up(s);
	s->f->fake.alloc_error = -ENOMEM;
}

static void drm_is_unplugged(struct scene *s)
{
	is_set_up(s);
	drm_dev_unplug(&s->ptdev->base);
}

static void is_set_up_on_silent_firmware(struct scene *s)
{
	is_set_up(s);
	s->f->fake.hold = GLB_PERFCNT_SAMPLE;
}

static void is_set_up_and_suspended(struct scene *s)
{
	is_set_up(s);
	panthor_perf_fixture_suspend(s->f);
}

static void torn_down_meanwhile(struct scene *s)
{
	KUNIT_EXPECT_EQ(s->test, do_teardown(&s->subject), 0);
	s->f->fake.hold = 0;
}

static void reset_fails_meanwhile(struct scene *s)
{
	reset_fails(s);
	s->f->fake.hold = 0;
}

static void leaves_meanwhile(struct scene *s)
{
	s->f->fake.hold = 0;
	leave(s);
}

/*
 * The calls
 */

static int start_call(struct scene *s) { return do_start(&s->subject, 0); }
static int stop_call(struct scene *s) { return do_stop(&s->subject, 0); }
static int sample_call(struct scene *s) { return do_sample(&s->subject, 0); }
static int teardown_call(struct scene *s) { return do_teardown(&s->subject); }

static int start_while(struct scene *s, void (*happen)(struct scene *s))
{
	int ret;

	s->happen = happen;
	schedule_delayed_work(&s->later, msecs_to_jiffies(LATER_MS));
	ret = start_call(s);
	flush_delayed_work(&s->later);
	return ret;
}

static int start_while_torn_down(struct scene *s)
{
	int ret = start_while(s, torn_down_meanwhile);

	s->subject.p.session = NULL;
	return ret;
}

static int start_while_reset_fails(struct scene *s)
{
	return start_while(s, reset_fails_meanwhile);
}

static int start_while_leaving(struct scene *s)
{
	return start_while(s, leaves_meanwhile);
}

static int start_and_be_killed(struct scene *s)
{
	int ret;

	allow_signal(SIGKILL);
	send_sig(SIGKILL, current, 1);
	ret = start_call(s);
	flush_signals(current);
	disallow_signal(SIGKILL);
	s->f->fake.hold = 0;
	return ret;
}

static int start_with_flags(struct scene *s)
{
	struct drm_panthor_perf_start args = { .handle = s->subject.setup.handle, .flags = 1 };

	return panthor_ioctl_perf_start(&s->ptdev->base, &args, s->caller.file);
}

static int stop_with_flags(struct scene *s)
{
	struct drm_panthor_perf_stop args = {
		.handle = s->subject.setup.handle, .flags = BIT(31),
	};

	return panthor_ioctl_perf_stop(&s->ptdev->base, &args, s->caller.file);
}

static int sample_with_flags(struct scene *s)
{
	struct drm_panthor_perf_sample args = { .handle = s->subject.setup.handle, .flags = 2 };

	return panthor_ioctl_perf_sample(&s->ptdev->base, &args, s->caller.file);
}

static int teardown_with_flags(struct scene *s)
{
	struct drm_panthor_perf_teardown args = { .handle = s->subject.setup.handle, .flags = 1 };

	return panthor_ioctl_perf_teardown(&s->ptdev->base, &args, s->caller.file);
}

static const struct row rows[] = {
	{ "START without counters", is_set_up_without_counters, start_call, -EOPNOTSUPP },
	{ "START without counters, flags", is_set_up_without_counters, start_with_flags,
	  -EOPNOTSUPP },
	{ "START, flags", is_set_up, start_with_flags, -EINVAL },
	{ "START, handle 0", is_zero, start_call, -ENOENT },
	{ "START, an unknown handle", is_unknown, start_call, -ENOENT },
	{ "START, a handle of another file", is_foreign, start_call, -ENOENT },
	{ "START of a session torn down", is_torn_down, start_call, -ENOENT },
	{ "START, torn down meanwhile", is_set_up_on_silent_firmware, start_while_torn_down,
	  -ENOENT },
	{ "START while starting", is_starting, start_call, -EINVAL },
	{ "START while started", is_started, start_call, -EINVAL },
	{ "START while stopping", is_stopping, start_call, -EBUSY },
	{ "START with a full ring", has_a_full_ring, start_call, -EBUSY },
	{ "START of another set", is_of_another_set, start_call, -EBUSY },
	{ "START without power", is_set_up_without_power, start_call, -EIO },
	{ "START on dead firmware", is_set_up_on_dead_firmware, start_call, -EIO,
	  .after = NEEDS_RESET },
	{ "START after a failed reset", is_set_up_after_failed_reset, start_call, -EIO,
	  .after = NEEDS_RESET },
	{ "START, a reset fails meanwhile", is_set_up_on_silent_firmware, start_while_reset_fails,
	  -EIO, .after = NEEDS_RESET, .flags = ERROR, .events = RESET },
	{ "START without memory for the firmware", is_set_up_without_memory, start_call, -ENOMEM,
	  .untouched = true },
	{ "START on silent firmware", is_set_up_on_silent_firmware, start_call, -ETIMEDOUT,
	  .after = NEEDS_RESET, .flags = ERROR, .events = FW_TIMEOUT, .edges = 1, .dies = true },
	{ "START while suspended", is_set_up_and_suspended, start_call, -ETIMEDOUT,
	  .after = SLEEPS },
	{ "START, killed", is_set_up_on_silent_firmware, start_and_be_killed, -EINTR },
	{ "START, unplugged", drm_is_unplugged, start_call, -ENODEV, .after = GONE },
	{ "START, let in before unplug", is_set_up_and_gone, start_call, -ENODEV, .after = GONE },
	{ "START while the GPU leaves", is_set_up_while_leaving, start_call, -ENODEV,
	  .after = GONE },
	{ "START, unplugged meanwhile", is_set_up_on_silent_firmware, start_while_leaving, -ENODEV,
	  .after = GONE, .kills = true },

	{ "SAMPLE without counters", is_set_up_without_counters, sample_call, -EOPNOTSUPP },
	{ "SAMPLE without counters, flags", is_set_up_without_counters, sample_with_flags,
	  -EOPNOTSUPP },
	{ "SAMPLE, flags", is_started, sample_with_flags, -EINVAL },
	{ "SAMPLE, handle 0", is_zero, sample_call, -ENOENT },
	{ "SAMPLE, an unknown handle", is_unknown, sample_call, -ENOENT },
	{ "SAMPLE, a handle of another file", is_foreign, sample_call, -ENOENT },
	{ "SAMPLE of a session torn down", is_torn_down, sample_call, -ENOENT },
	{ "SAMPLE before START", is_set_up, sample_call, -EINVAL },
	{ "SAMPLE while starting", is_starting, sample_call, -EINVAL },
	{ "SAMPLE while stopping", is_stopping, sample_call, -EINVAL },
	{ "SAMPLE of a period", is_periodic, sample_call, -EINVAL },
	{ "SAMPLE while all slots are pending", has_all_slots_pending, sample_call, -EBUSY },
	{ "SAMPLE with one free slot", has_one_free_slot, sample_call, -EBUSY },
	{ "SAMPLE on dead firmware", is_started_on_dead_firmware, sample_call, -EIO,
	  .after = NEEDS_RESET },
	{ "SAMPLE, let in before unplug", is_started_and_gone, sample_call, -ENODEV,
	  .after = GONE },
	{ "SAMPLE while the GPU leaves", is_started_while_leaving, sample_call, -ENODEV,
	  .after = GONE },

	{ "STOP without counters", is_set_up_without_counters, stop_call, -EOPNOTSUPP },
	{ "STOP without counters, flags", is_set_up_without_counters, stop_with_flags,
	  -EOPNOTSUPP },
	{ "STOP, flags", is_started, stop_with_flags, -EINVAL },
	{ "STOP, handle 0", is_zero, stop_call, -ENOENT },
	{ "STOP, an unknown handle", is_unknown, stop_call, -ENOENT },
	{ "STOP, a handle of another file", is_foreign, stop_call, -ENOENT },
	{ "STOP of a session torn down", is_torn_down, stop_call, -ENOENT },
	{ "STOP before START", is_set_up, stop_call, -EINVAL },
	{ "STOP while starting", is_starting, stop_call, -EINVAL },
	{ "STOP while stopping", is_stopping, stop_call, -EINVAL },
	{ "STOP, let in before unplug", is_started_and_gone, stop_call, -ENODEV, .after = GONE },
	{ "STOP while the GPU leaves", is_started_while_leaving, stop_call, -ENODEV,
	  .after = GONE },

	{ "TEARDOWN without counters", is_set_up_without_counters, teardown_call, -EOPNOTSUPP },
	{ "TEARDOWN without counters, flags", is_set_up_without_counters, teardown_with_flags,
	  -EOPNOTSUPP },
	{ "TEARDOWN, flags", is_started, teardown_with_flags, -EINVAL },
	{ "TEARDOWN, handle 0", is_zero, teardown_call, -ENOENT },
	{ "TEARDOWN, an unknown handle", is_unknown, teardown_call, -ENOENT },
	{ "TEARDOWN, a handle of another file", is_foreign, teardown_call, -ENOENT },
	{ "TEARDOWN again", is_torn_down, teardown_call, -ENOENT },
};

KUNIT_ARRAY_PARAM_DESC(row, rows, name);

static struct kunit_case errno_cases[] = {
	KUNIT_CASE_PARAM(error_changes_nothing, row_gen_params),
	{}
};

static struct kunit_suite errno_suite = {
	.name = "panthor_perf_errno",
	.init = scene_init,
	.exit = scene_exit,
	.test_cases = errno_cases,
};

kunit_test_suite(errno_suite);
