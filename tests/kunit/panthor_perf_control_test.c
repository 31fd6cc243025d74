// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/prandom.h>

#include "panthor_perf_control.h"
#include "panthor_perf_ioctl_test.h"

/*
 * The older interface. Its structures are written down here once more, by their offsets.
 */

#define OLD_SLOTS		32
#define OLD_HEADER		64
#define OLD_BLOCK_HEADER	24
#define OLD_BLOCK		(OLD_BLOCK_HEADER + COUNTERS * 8)
#define OLD_SAMPLE		(OLD_HEADER + BLOCKS * OLD_BLOCK)
#define OLD_SETUP		136

enum {
	SETUP,
	TEARDOWN,
	START,
	STOP,
	SAMPLE,
};

struct old {
	struct client client;
	struct object ring, control;
	struct file *eventfd;
	u8 __user *page;
	u8 setup[OLD_SETUP];
	int fd;
};

static void put32(u8 *at, u32 value)
{
	memcpy(at, &value, sizeof(value));
}

static void put64(u8 *at, u64 value)
{
	memcpy(at, &value, sizeof(value));
}

static int call(struct old *o, u32 cmd, u32 handle, u64 size, u64 pointer)
{
	struct drm_panthor_perf_control args = {
		.cmd = cmd, .handle = handle, .size = size, .pointer = pointer,
	};

	return panthor_ioctl_perf_control(&o->client.ptdev->base, &args, o->client.file);
}

static int call_with(struct old *o, u32 cmd, u32 handle, u64 user_data)
{
	KUNIT_ASSERT_EQ(o->client.test, copy_to_user(o->page, &user_data, sizeof(user_data)), 0);
	return call(o, cmd, handle, sizeof(user_data), (uintptr_t)o->page);
}

static int set_up(struct old *o, u64 size)
{
	KUNIT_ASSERT_EQ(o->client.test, copy_to_user(o->page, o->setup, sizeof(o->setup)), 0);
	return call(o, SETUP, 0, size, (uintptr_t)o->page);
}

static const u8 *slot_of(struct old *o, u32 nr)
{
	return o->ring.map.vaddr + nr % OLD_SLOTS * OLD_SAMPLE;
}

static u64 word(const u8 *at)
{
	u64 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Find a block, and return its value. Blocks lie in any order. */
static u64 value_of(struct old *o, u32 nr, u8 type, u8 idx, u32 counter)
{
	for (u32 i = 0; i < BLOCKS; i++) {
		const u8 *block = slot_of(o, nr) + OLD_HEADER + i * OLD_BLOCK;

		if (block[0] == type && block[1] == idx)
			return word(block + OLD_BLOCK_HEADER + 8 * counter);
	}
	return U64_MAX;
}

static u64 inserted(struct old *o)
{
	return word(o->control.map.vaddr + 8);
}

static int query(struct old *o, u32 *size, uintptr_t pointer)
{
	struct drm_panthor_dev_query args = { .size = *size, .pointer = pointer };
	int ret = panthor_perf_control_query(o->client.ptdev, &args);

	*size = args.size;
	return ret;
}

/* 48 bytes, or as many of them as a program has room for. */
static void answers_the_query(struct kunit *test)
{
	static const u32 info[] = {
		61, OLD_HEADER, OLD_BLOCK_HEADER, OLD_SAMPLE, 1, 62, 63, 64, 65, 66, 67, 68,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	struct panthor_perf *perf = o->client.ptdev->perf;
	u8 reply[52];
	u32 size = 0;

	perf->info.counters_per_block = 61;
	perf->info.supported_clocks = 62;
	perf->info.fw_blocks = 63;
	perf->info.cshw_blocks = 64;
	perf->info.tiler_blocks = 65;
	perf->info.memsys_blocks = 66;
	perf->info.shader_blocks = 67;
	perf->info.neural_blocks = 68;
	KUNIT_EXPECT_EQ(test, query(o, &size, 0), 0);
	KUNIT_EXPECT_EQ(test, size, 48);
	for (u32 room = 44; room <= 52; room += 4) {
		memset(reply, 0xee, sizeof(reply));
		KUNIT_ASSERT_EQ(test, copy_to_user(o->page, reply, sizeof(reply)), 0);
		size = room;
		KUNIT_EXPECT_EQ(test, query(o, &size, (uintptr_t)o->page), 0);
		KUNIT_EXPECT_EQ(test, size, min(room, 48));
		KUNIT_ASSERT_EQ(test, copy_from_user(reply, o->page, sizeof(reply)), 0);
		KUNIT_EXPECT_MEMEQ(test, reply, info, size);
		KUNIT_EXPECT_EQ(test, reply[size], 0xee);
	}
	KUNIT_EXPECT_EQ(test, query(o, &size, (uintptr_t)o->page + PAGE_SIZE), -EFAULT);

	o->client.ptdev->perf = NULL;
	KUNIT_EXPECT_EQ(test, query(o, &size, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, call_with(o, START, 0, 0), -EOPNOTSUPP);
	o->client.ptdev->perf = perf;
}

static void one_sample_per_call(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	int handle = set_up(o, OLD_SETUP);
	const u8 *sample;

	KUNIT_ASSERT_GE(test, handle, 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 5), 0);
	KUNIT_EXPECT_EQ(test, inserted(o), 0);

	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 20, 7);
	panthor_perf_fake_fw_count(&f->fake, MEMSYS, 3, 63, 9);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 4, 11);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0x1122334455667788), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, inserted(o), 1);
	sample = slot_of(o, 0);
	KUNIT_EXPECT_LE(test, word(sample), word(sample + 8));
	KUNIT_EXPECT_EQ(test, word(sample + 16), 0);
	KUNIT_EXPECT_EQ(test, word(sample + 24), 0x1122334455667788);
	KUNIT_EXPECT_EQ(test, word(sample + 56), 0);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, SHADER, 2, 20), 7);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, SHADER, 1, 20), 0);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, MEMSYS, 3, 63), 9);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, FW, 0, 4), 11);
	for (u32 i = 0; i < BLOCKS; i++) {
		const u8 *block = sample + OLD_HEADER + i * OLD_BLOCK;

		KUNIT_EXPECT_GE(test, block[0], 1);
		KUNIT_EXPECT_LE(test, block[0], 6);
		KUNIT_EXPECT_EQ(test, block[2], 0x15);
		KUNIT_EXPECT_EQ(test, word(block + 8), ALL_COUNTERS);
		for (u32 k = 0; k < 4; k++)
			KUNIT_EXPECT_EQ(test, word(block + OLD_BLOCK_HEADER + 8 * k), 0);
	}

	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 20, 1);
	KUNIT_EXPECT_EQ(test, call_with(o, STOP, handle, 6), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, inserted(o), 2);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 1)), word(sample + 8));
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 1) + 16), 0);
	KUNIT_EXPECT_EQ(test, value_of(o, 1, SHADER, 2, 20), 1);
	KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 5), -ENOENT);
}

/* Bits of what is lost: the first one for errors as well, and never the second. */
static void reports_what_is_lost(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	int handle = set_up(o, 120);

	KUNIT_ASSERT_GE(test, handle, 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 0), 0);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_fixture_post_reset(f, false);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 0) + 16), 1ull << 32);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 1) + 16), 0);
	KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
}

/* The sample behind a ring that was full has more than one period. */
static void reports_what_is_stretched(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	int handle;

	put64(o->setup + 32, 100 * NSEC_PER_MSEC);
	handle = set_up(o, OLD_SETUP);
	KUNIT_ASSERT_GE(test, handle, 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 0), 0);
	msleep(100 * (OLD_SLOTS + 10));
	KUNIT_EXPECT_EQ(test, inserted(o), OLD_SLOTS - 1);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 0) + 16), 0);
	put64(o->control.map.vaddr, OLD_SLOTS - 1);
	msleep(200);
	KUNIT_EXPECT_GE(test, inserted(o), OLD_SLOTS);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, OLD_SLOTS - 1) + 16), 2ull << 32);
	KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
}

/* Where a byte of SETUP is changed, and what the call returns then. */
static void refuses_what_is_wrong(struct kunit *test)
{
	static const struct {
		u32 at, value;
		int error;
	} cases[] = {
		{ 0, 3, -EINVAL }, { 1, 1, -EINVAL }, { 7, 1, -EINVAL }, { 8, 99, -EBADF },
		{ 12, 99, -ENOENT }, { 16, 99, -ENOENT }, { 20, 31, -EINVAL }, { 20, 1, -EINVAL },
		{ 24, 4, -EINVAL }, { 32, 1, -EINVAL }, { 48, 1, -EINVAL }, { 120, 16, -EINVAL },
	};
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	const u64 one = 1;
	u8 before;
	int ret;
	u32 fd;

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		before = o->setup[cases[i].at];
		o->setup[cases[i].at] = cases[i].value;
		ret = set_up(o, OLD_SETUP);
		KUNIT_EXPECT_EQ_MSG(test, ret, cases[i].error, "byte %u", cases[i].at);
		o->setup[cases[i].at] = before;
	}

	/* That is no way to have no eventfd. */
	memcpy(&fd, o->setup + 8, sizeof(fd));
	put32(o->setup + 8, -1);
	KUNIT_EXPECT_EQ(test, set_up(o, OLD_SETUP), -EBADF);
	put32(o->setup + 8, fd);

	KUNIT_ASSERT_EQ(test, copy_to_user(o->page + OLD_SETUP, &one, sizeof(one)), 0);
	KUNIT_EXPECT_EQ(test, set_up(o, OLD_SETUP + 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, set_up(o, 119), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(o, SETUP, 1, OLD_SETUP, (uintptr_t)o->page), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(o, SETUP, 0, OLD_SETUP, (uintptr_t)o->page + PAGE_SIZE),
			-EFAULT);
	KUNIT_EXPECT_EQ(test, call(o, SETUP, 0, PAGE_SIZE + 8, (uintptr_t)o->page), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(o, START, 1, 0, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, call(o, START, 1, 8, (uintptr_t)o->page + PAGE_SIZE), -EFAULT);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE + 1, 1, 0), -EINVAL);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->perf.sessions));
}

/* Header words of a mask are no counters, and those that are not requested are 0. */
static void counts_what_is_requested(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	int handle;

	memset(o->setup + 40, 0, 96);
	put64(o->setup + 40 + 16 * (SHADER - 1), BIT_ULL(20) | 0xf);
	handle = set_up(o, OLD_SETUP);
	KUNIT_ASSERT_GE(test, handle, 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 0), 0);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 20, 1000000);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_GE(test, value_of(o, 0, SHADER, 1, 20), 1000000);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, SHADER, 1, 21), 0);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, MEMSYS, 1, 20), 0);
	KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
}

/* As many blocks as the RK3588, of which the cores 0, 2, 3 and 5. The second has no accelerator. */
static const struct panthor_perf_fake_shape neural_shape = {
	.arch = 14, .block_words = COUNTERS, .fw_block = true, .groups = 8, .l2_slices = 1,
	.shader_present = 0x2d, .neural_present = 0x29, .packed = true,
};

/* Older programs have no mask of accelerators: they find the blocks, without counts. */
static void has_accelerators(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;

	put64(o->setup + 40 + 16 * (NEURAL - 1), ALL_COUNTERS);
	for (u32 size = 120; size <= OLD_SETUP; size += 16) {
		const bool counts = size == OLD_SETUP;
		int handle = set_up(o, size);

		KUNIT_ASSERT_GE(test, handle, 0);
		KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 0), 0);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, 0, 10, 3);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, 2, 10, 5);
		panthor_perf_fake_fw_count(&f->fake, NEURAL, 3, 63, 7);
		panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 10, 9);
		KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0), 0);
		panthor_perf_fixture_run(f);
		KUNIT_ASSERT_EQ(test, inserted(o), 1);
		KUNIT_EXPECT_EQ(test, value_of(o, 0, SHADER, 1, 10), 9);
		KUNIT_EXPECT_EQ(test, value_of(o, 0, NEURAL, 0, 10), counts ? 3 : 0);
		KUNIT_EXPECT_EQ(test, value_of(o, 0, NEURAL, 1, 10), U64_MAX);
		KUNIT_EXPECT_EQ(test, value_of(o, 0, NEURAL, 2, 10), counts ? 5 : 0);
		KUNIT_EXPECT_EQ(test, value_of(o, 0, NEURAL, 3, 63), counts ? 7 : 0);
		KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
		panthor_perf_fixture_run(f);
	}
}

/* 50,000 calls with any arguments, beside a session that does not notice. */
static void survives_any_call(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f->priv;
	int handle = set_up(o, OLD_SETUP);
	struct client other = {};
	struct rnd_state rnd;
	struct old hostile;

	KUNIT_ASSERT_GE(test, handle, 0);
	KUNIT_EXPECT_EQ(test, call_with(o, START, handle, 0), 0);
	client_open(test, o->client.ptdev, &other);
	hostile = *o;
	hostile.client = other;
	prandom_seed_state(&rnd, 1);
	for (u32 i = 0; i < 50000; i++) {
		static const u64 sizes[] = { 0, 8, 120, 128, 136, 137, PAGE_SIZE, U64_MAX };
		const u64 pointers[] = { 0, (uintptr_t)o->page, (uintptr_t)o->page + PAGE_SIZE - 8,
					 (uintptr_t)o->page + PAGE_SIZE, U64_MAX - 7 };
		u8 bytes[OLD_SETUP];

		memcpy(bytes, o->setup, sizeof(bytes));
		bytes[prandom_u32_state(&rnd) % sizeof(bytes)] = prandom_u32_state(&rnd);
		KUNIT_ASSERT_EQ(test, copy_to_user(o->page, bytes, sizeof(bytes)), 0);
		call(&hostile, prandom_u32_state(&rnd) % 7, prandom_u32_state(&rnd) % 4,
		     sizes[prandom_u32_state(&rnd) % ARRAY_SIZE(sizes)],
		     pointers[prandom_u32_state(&rnd) % ARRAY_SIZE(pointers)]);
	}
	client_close(&hostile.client);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 2, 20, 77);
	KUNIT_EXPECT_EQ(test, call_with(o, SAMPLE, handle, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, inserted(o), 1);
	KUNIT_EXPECT_EQ(test, word(slot_of(o, 0) + 16), 0);
	KUNIT_EXPECT_EQ(test, value_of(o, 0, SHADER, 2, 20), 77);
	KUNIT_EXPECT_EQ(test, call(o, TEARDOWN, handle, 128, 0), 0);
}

static struct kunit_case control_cases[] = {
	KUNIT_CASE(answers_the_query),
	KUNIT_CASE(one_sample_per_call),
	KUNIT_CASE(reports_what_is_lost),
	KUNIT_CASE(reports_what_is_stretched),
	KUNIT_CASE(refuses_what_is_wrong),
	KUNIT_CASE(counts_what_is_requested),
	KUNIT_CASE(survives_any_call),
	{}
};

static int control_init_as(struct kunit *test, const struct panthor_perf_fake_shape *shape)
{
	struct panthor_device *ptdev = gpu_create_as(test, shape);
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = kunit_kzalloc(test, sizeof(*o), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, o);
	f->priv = o;
	client_open(test, ptdev, &o->client);
	object_create(&o->client, OLD_SLOTS * OLD_SAMPLE, &o->ring);
	object_create(&o->client, CONTROL_SIZE, &o->control);
	o->page = user_page(test);
	o->eventfd = eventfd_create(test);
	o->fd = get_unused_fd_flags(0);
	KUNIT_ASSERT_GE(test, o->fd, 0);
	fd_install(o->fd, o->eventfd);

	put32(o->setup + 8, o->fd);
	put32(o->setup + 12, o->ring.handle);
	put32(o->setup + 16, o->control.handle);
	put32(o->setup + 20, OLD_SLOTS);
	for (u32 type = FW; type <= SHADER; type++)
		put64(o->setup + 40 + 16 * (type - 1), ALL_COUNTERS);
	return 0;
}

static int control_init(struct kunit *test)
{
	return control_init_as(test, &panthor_perf_rk3588);
}

static int neural_init(struct kunit *test)
{
	return control_init_as(test, &neural_shape);
}

static void control_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct old *o = f ? f->priv : NULL;

	if (!o)
		return;

	close_fd(o->fd);
	object_destroy(&o->ring);
	object_destroy(&o->control);
	client_close(&o->client);
	panthor_perf_fixture_destroy(f);
}

static struct kunit_suite control_suite = {
	.name = "panthor_perf_control",
	.init = control_init,
	.exit = control_exit,
	.test_cases = control_cases,
};

static struct kunit_case neural_cases[] = {
	KUNIT_CASE(has_accelerators),
	{}
};

static struct kunit_suite neural_suite = {
	.name = "panthor_perf_control_neural",
	.init = neural_init,
	.exit = control_exit,
	.test_cases = neural_cases,
};

kunit_test_suites(&control_suite, &neural_suite);
