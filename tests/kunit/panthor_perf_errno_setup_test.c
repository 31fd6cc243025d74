// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_errno_test.h"

/*
 * Every error of PERF_INFO and SETUP; those of the calls that take a session are in
 * panthor_perf_errno_test.c, which also says what is tested elsewhere.
 */

/* Share of one file. */

/* What is wrong with an argument of SETUP, or with a section. */
#define SPOIL(NAME, FIELD, VALUE) \
	static void NAME(struct scene *s) \
	{ \
		s->subject.FIELD = (VALUE); \
	}

static int setup(struct scene *s)
{
	return do_setup(&s->subject);
}

static int setup_as_nobody(struct scene *s)
{
	return do_setup_as_nobody(&s->subject);
}

SPOIL(pad, setup.pad, 1)
SPOIL(unknown_flag, setup.flags, BIT(3))
SPOIL(top_flag, setup.flags, BIT(31))
SPOIL(wakeup_samples, setup.wakeup_samples, 1)
SPOIL(set_three, setup.counter_set, 3)
SPOIL(set_huge, setup.counter_set, 0x80000000)
SPOIL(secondary, setup.counter_set, 1)
SPOIL(tertiary, setup.counter_set, 2)

static void paranoid(struct scene *s)
{
	set_paranoid(true);
}

SPOIL(minus_two, setup.eventfd, -2)
SPOIL(closed_eventfd, setup.eventfd, 1020)
SPOIL(no_slots, setup.sample_slots, 0)
SPOIL(one_slot, setup.sample_slots, 1)
SPOIL(odd_slots, setup.sample_slots, 6)
SPOIL(many_slots, setup.sample_slots, 8192)
SPOIL(huge_slots, setup.sample_slots, BIT(31))
SPOIL(short_period, setup.sample_period_ns, 99999)
SPOIL(tiny_period, setup.sample_period_ns, 1)

SPOIL(ring_zero, setup.ring_handle, 0)
SPOIL(ring_unknown, setup.ring_handle, 0xfffffff0)

static void ring_foreign(struct scene *s)
{
	/* A number that only the other file has. */
	for (u32 i = 0; i < 8; i++)
		s->subject.setup.ring_handle = object_handle(&s->neighbour, CONTROL_SIZE, 0);
}

SPOIL(ring_small, setup.ring_handle, object_handle(&s->caller, RING_SIZE / 2, 0))

static void ring_no_mmap(struct scene *s)
{
	s->subject.setup.ring_handle = object_handle(&s->caller, RING_SIZE,
						     DRM_PANTHOR_BO_NO_MMAP);
}

/* What the header allows. */
#define RING_MAX	round_down(RING_SIZE + SZ_1M, PAGE_SIZE)
#define CONTROL_MAX	SZ_1M

SPOIL(ring_large, setup.ring_handle, object_handle(&s->caller, RING_MAX + 1, 0))
SPOIL(control_large, setup.control_handle, object_handle(&s->caller, CONTROL_MAX + 1, 0))

static void one_large(struct scene *s)
{
	ring_large(s);
	s->subject.setup.control_handle = s->subject.setup.ring_handle;
	s->subject.setup.control_offset = RING_SIZE;
}

/* The indices are within the object, and that they are far does not make it fit. */
static void control_far(struct scene *s)
{
	control_large(s);
	s->subject.setup.control_offset = CONTROL_MAX;
}

/* Another handle's object: the limit of the ring is not that of the indices. */
static void control_as_ring(struct scene *s)
{
	s->subject.setup.sample_slots = 512;
	s->subject.setup.ring_handle = object_handle(&s->caller, 512 * SAMPLE_SIZE, 0);
	s->subject.setup.control_handle = object_handle(&s->caller, 512 * SAMPLE_SIZE, 0);
}

SPOIL(control_zero, setup.control_handle, 0)
SPOIL(control_unknown, setup.control_handle, 0x7fffffff)

static void control_no_mmap(struct scene *s)
{
	s->subject.setup.control_handle = object_handle(&s->caller, CONTROL_SIZE,
							DRM_PANTHOR_BO_NO_MMAP);
}

SPOIL(offset_odd, setup.control_offset, 4)
SPOIL(offset_end, setup.control_offset, CONTROL_SIZE)
SPOIL(offset_near, setup.control_offset, CONTROL_SIZE - 8)
SPOIL(offset_wraps, setup.control_offset, U64_MAX - 7)

static void indices_in_slots(struct scene *s)
{
	s->subject.setup.control_handle = s->subject.setup.ring_handle;
	s->subject.setup.control_offset = RING_SIZE - 8;
}

static int no_memory(struct drm_gem_object *obj, struct iosys_map *map)
{
	return -ENOMEM;
}

static void make_poor(struct scene *s, struct object *object)
{
	s->poor = *object->obj->funcs;
	s->poor.vmap = no_memory;
	object->obj->funcs = &s->poor;
}

static void ring_poor(struct scene *s)
{
	make_poor(s, &s->subject.ring);
}

static void control_poor(struct scene *s)
{
	make_poor(s, &s->subject.control);
}

SPOIL(type_zero, sections[0].block_type, 0)
SPOIL(type_absent, sections[0].block_type, NEURAL)
SPOIL(type_unknown, sections[4].block_type, TYPES)
SPOIL(type_huge, sections[4].block_type, 255)
SPOIL(section_pad, sections[1].pad, 1)
SPOIL(section_pad2, sections[4].pad2, BIT(31))
SPOIL(odd_first, sections[0].first_counter, 32)
SPOIL(far_first, sections[0].first_counter, 64)
SPOIL(counter_zero, sections[0].mask, 1)

static void counter_three(struct scene *s)
{
	s->subject.sections[2].mask |= 8;
}

SPOIL(many_sections, setup.sections.count, 257)
SPOIL(huge_sections, setup.sections.count, U32_MAX)
SPOIL(narrow_sections, setup.sections.stride, 15)
SPOIL(stride_zero, setup.sections.stride, 0)
SPOIL(wide_sections, setup.sections.stride, PAGE_SIZE + 8)
SPOIL(sections_at_null, setup.sections.array, 0)
SPOIL(sections_in_kernel, setup.sections.array, (uintptr_t)s->subject.sections)

static void sections_at_end(struct scene *s)
{
	/* The first is readable, the second is not. */
	s->subject.setup.sections.array += PAGE_SIZE - sizeof(s->subject.sections[0]);
	KUNIT_ASSERT_EQ(s->test, copy_to_user(u64_to_user_ptr(s->subject.setup.sections.array),
					      s->subject.sections,
					      sizeof(s->subject.sections[0])), 0);
}

/* What a newer program would want to say with larger sections, and this driver does not know. */
static void wide_and_not_zero(struct scene *s)
{
	s->subject.setup.sections.stride = 2 * sizeof(s->subject.sections[0]);
	s->subject.setup.sections.count = 2;
}

static int setup_with_no_eventfd(struct scene *s)
{
	int fd = get_unused_fd_flags(0), ret;

	KUNIT_ASSERT_GE(s->test, fd, 0);
	get_file(s->caller.filp);
	fd_install(fd, s->caller.filp);
	s->subject.setup.eventfd = fd;
	ret = do_setup(&s->subject);
	close_fd(fd);
	return ret;
}

static void set_up_others(struct scene *s, u32 number)
{
	for (s->others = 0; s->others < number; s->others++)
		KUNIT_ASSERT_EQ(s->test, do_setup(&s->subject), 0);
	s->subject.setup.handle = NO_HANDLE;
}

static void file_is_full(struct scene *s)
{
	set_up_others(s, PANTHOR_PERF_FILE_SESSIONS);
}

static void gpu_is_full(struct scene *s)
{
	s->f->perf.max_sessions = 5;
	set_up_others(s, 3);
}

static void period_below_1_ms(struct scene *s)
{
	set_paranoid(false);
	s->subject.setup.sample_period_ns = NSEC_PER_MSEC - 1;
}

static void no_counters(struct scene *s)
{
	s->ptdev->perf = NULL;
}

static const struct row rows[] = {
	{ "SETUP without counters", no_counters, setup, -EOPNOTSUPP },
	{ "SETUP, pad", pad, setup, -EINVAL },
	{ "SETUP, an unknown flag", unknown_flag, setup, -EINVAL },
	{ "SETUP, flag 31", top_flag, setup, -EINVAL },
	{ "SETUP, wakeup_samples without WAKEUP", wakeup_samples, setup, -EINVAL },
	{ "SETUP, set 3", set_three, setup, -EINVAL },
	{ "SETUP, set 2^31", set_huge, setup, -EINVAL },
	{ "SETUP, eventfd -2", minus_two, setup, -EINVAL },
	{ "SETUP, an eventfd that is none", NULL, setup_with_no_eventfd, -EINVAL },
	{ "SETUP, no slots", no_slots, setup, -EINVAL },
	{ "SETUP, one slot", one_slot, setup, -EINVAL },
	{ "SETUP, slots no power of two", odd_slots, setup, -EINVAL },
	{ "SETUP, too many slots", many_slots, setup, -EINVAL },
	{ "SETUP, 2^31 slots", huge_slots, setup, -EINVAL },
	{ "SETUP, 1 ns below the shortest period", short_period, setup, -EINVAL },
	{ "SETUP, a period of 1 ns", tiny_period, setup, -EINVAL },
	{ "SETUP, a small ring", ring_small, setup, -EINVAL },
	{ "SETUP, a large ring", ring_large, setup, -EINVAL },
	{ "SETUP, a large object of indices", control_large, setup, -EINVAL },
	{ "SETUP, a large object for both", one_large, setup, -EINVAL },
	{ "SETUP, indices at the end of a large object", control_far, setup, -EINVAL },
	{ "SETUP, indices as large as a ring", control_as_ring, setup, -EINVAL },
	{ "SETUP, a NO_MMAP ring", ring_no_mmap, setup, -EINVAL },
	{ "SETUP, NO_MMAP indices", control_no_mmap, setup, -EINVAL },
	{ "SETUP, an odd offset", offset_odd, setup, -EINVAL },
	{ "SETUP, an offset at the end", offset_end, setup, -EINVAL },
	{ "SETUP, an offset near the end", offset_near, setup, -EINVAL },
	{ "SETUP, an offset that wraps", offset_wraps, setup, -EINVAL },
	{ "SETUP, indices in the slots", indices_in_slots, setup, -EINVAL },
	{ "SETUP, block type 0", type_zero, setup, -EINVAL },
	{ "SETUP, an absent block type", type_absent, setup, -EINVAL },
	{ "SETUP, an unknown block type", type_unknown, setup, -EINVAL },
	{ "SETUP, block type 255", type_huge, setup, -EINVAL },
	{ "SETUP, pad of a section", section_pad, setup, -EINVAL },
	{ "SETUP, pad2 of the last section", section_pad2, setup, -EINVAL },
	{ "SETUP, an odd first counter", odd_first, setup, -EINVAL },
	{ "SETUP, a first counter behind the last", far_first, setup, -EINVAL },
	{ "SETUP, counter 0", counter_zero, setup, -EINVAL },
	{ "SETUP, counter 3", counter_three, setup, -EINVAL },
	{ "SETUP, 257 sections", many_sections, setup, -EINVAL },
	{ "SETUP, 2^32 - 1 sections", huge_sections, setup, -EINVAL },
	{ "SETUP, narrow sections", narrow_sections, setup, -EINVAL },
	{ "SETUP, sections of no size", stride_zero, setup, -EINVAL },
	{ "SETUP, sections larger than a page", wide_sections, setup, -EINVAL },
	{ "SETUP, sections that say more", wide_and_not_zero, setup, -EINVAL },
	{ "SETUP, sections at NULL", sections_at_null, setup, -EFAULT },
	{ "SETUP, sections in the kernel", sections_in_kernel, setup, -EFAULT },
	{ "SETUP, sections across the end", sections_at_end, setup, -EFAULT },
	{ "SETUP, secondary set, not capable", secondary, setup_as_nobody, -EACCES },
	{ "SETUP, tertiary set, not capable", tertiary, setup_as_nobody, -EACCES },
	{ "SETUP, primary set, paranoid", paranoid, setup_as_nobody, -EACCES },
	{ "SETUP, ring 0", ring_zero, setup, -ENOENT },
	{ "SETUP, an unknown ring", ring_unknown, setup, -ENOENT },
	{ "SETUP, a ring of another file", ring_foreign, setup, -ENOENT },
	{ "SETUP, indices 0", control_zero, setup, -ENOENT },
	{ "SETUP, unknown indices", control_unknown, setup, -ENOENT },
	{ "SETUP, a closed eventfd", closed_eventfd, setup, -EBADF },
	{ "SETUP beyond the share of a file", file_is_full, setup, -ENOSPC },
	{ "SETUP beyond the limit of the GPU", gpu_is_full, setup, -ENOSPC },
	{ "SETUP, a period below 1 ms, not capable", period_below_1_ms, setup_as_nobody, -EACCES },
	{ "SETUP, no memory to map the ring", ring_poor, setup, -ENOMEM },
	{ "SETUP, no memory to map the indices", control_poor, setup, -ENOMEM },
	{ "SETUP, let in before unplug", leave, setup, -ENODEV, .after = GONE },
};

KUNIT_ARRAY_PARAM_DESC(row, rows, name);

static void expect_accepted(struct scene *s)
{
	KUNIT_EXPECT_EQ(s->test, setup(s), 0);
	KUNIT_EXPECT_EQ(s->test, do_teardown(&s->subject), 0);
}

/* The fewest slots, the most slots, and the shortest period */
static void first_and_last_are_accepted(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;
	struct drm_panthor_perf_setup *args = &s->subject.setup;

	args->sample_slots = 2;
	expect_accepted(s);
	args->sample_period_ns = 100000;
	expect_accepted(s);
	args->sample_slots = 4096;
	args->ring_handle = object_handle(&s->caller, 4096 * SAMPLE_SIZE, 0);
	expect_accepted(s);
}

/* The largest objects, by themselves and as one, also for samples that are smaller. */
static void limits_are_accepted(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;
	struct drm_panthor_perf_setup *args = &s->subject.setup;

	args->ring_handle = object_handle(&s->caller, RING_MAX, 0);
	args->control_handle = object_handle(&s->caller, CONTROL_MAX, 0);
	expect_accepted(s);
	args->control_offset = CONTROL_MAX - sizeof(struct drm_panthor_perf_ring_control);
	expect_accepted(s);
	args->control_handle = args->ring_handle;
	args->control_offset = round_up(RING_SIZE, 8);
	expect_accepted(s);
	args->flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	args->sections.count = 0;
	expect_accepted(s);
}

/* Sections of a page are those of a client that is much newer. */
static void wide_sections_are_accepted(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;

	memset(s->subject.sections + 1, 0, sizeof(s->subject.sections[0]) * (SECTIONS - 1));
	s->subject.setup.sections.count = 1;
	s->subject.setup.sections.stride = PAGE_SIZE;
	expect_accepted(s);
	s->subject.sections[1].mask = 1;
	KUNIT_EXPECT_EQ(test, setup(s), -EINVAL);
}

static struct kunit_case errno_setup_cases[] = {
	KUNIT_CASE(first_and_last_are_accepted),
	KUNIT_CASE(limits_are_accepted),
	KUNIT_CASE(wide_sections_are_accepted),
	KUNIT_CASE_PARAM(error_changes_nothing, row_gen_params),
	{}
};

static struct kunit_suite errno_setup_suite = {
	.name = "panthor_perf_errno_setup",
	.init = scene_init,
	.exit = scene_exit,
	.test_cases = errno_setup_cases,
};

kunit_test_suite(errno_setup_suite);
