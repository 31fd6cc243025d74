// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/poison.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_ring.h"

#define SLOTS		8
#define SLOT_SIZE	1000

/* Slots that cannot be read or written: the functions of a ring access its indices only. */
static void * const no_slots = (void *)(0x1000 + POISON_POINTER_DELTA);

static struct drm_panthor_perf_ring_control control;

static void ring_init(struct panthor_perf_ring *ring)
{
	*ring = (struct panthor_perf_ring) {
		.data = no_slots, .control = &control, .slots = SLOTS, .slot_size = SLOT_SIZE,
	};

	/* User space may have left anything in there. */
	control.extract_idx = 0x1234567890abcdef;
	control.insert_idx = 0xfedcba0987654321;
	panthor_perf_ring_init_indices(ring);
}

/* A ring that has run for long: @extract and @insert are what was published and consumed. */
static void ring_init_at(struct panthor_perf_ring *ring, u64 extract, u64 insert)
{
	ring_init(ring);
	ring->extract = extract;
	ring->insert = insert;
	control.extract_idx = extract;
	control.insert_idx = insert;
}

static void starts_empty(struct kunit *test)
{
	struct panthor_perf_ring ring;

	memset(&ring, 0xa5, sizeof(ring));
	ring_init(&ring);
	KUNIT_EXPECT_EQ(test, control.extract_idx, 0);
	KUNIT_EXPECT_EQ(test, control.insert_idx, 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
	KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring), no_slots);
}

static void fills_up(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init(&ring);
	for (u32 i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8 - i);
		KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring), no_slots + 1000 * i);
		KUNIT_EXPECT_EQ(test, control.insert_idx, i);
		panthor_perf_ring_publish(&ring);
		KUNIT_EXPECT_EQ(test, control.insert_idx, i + 1);
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 0);
	KUNIT_EXPECT_EQ(test, control.extract_idx, 0);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

static void gives_slots_back(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init(&ring);
	for (u32 i = 0; i < 8; i++)
		panthor_perf_ring_publish(&ring);

	control.extract_idx = 3;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 3);
	KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring), no_slots);
	panthor_perf_ring_publish(&ring);
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 2);
	KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring), no_slots + 1000);
	control.extract_idx = 9;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

static void keeps_slots_in_order(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init(&ring);
	for (u32 i = 0; i < 100; i++) {
		KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring),
				    no_slots + 1000 * (i % 8));
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8);
		panthor_perf_ring_publish(&ring);
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 7);
		control.extract_idx = i + 1;
	}

	KUNIT_EXPECT_EQ(test, control.insert_idx, 100);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

/* The indices run over the end of 64 bits, and the slots go on as before. */
static void wraps_at_64_bits(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init_at(&ring, 0xfffffffffffffffd, 0xfffffffffffffffd);
	for (u32 i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8 - i);
		KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring),
				    no_slots + 1000 * ((5 + i) % 8));
		panthor_perf_ring_publish(&ring);
	}

	KUNIT_EXPECT_EQ(test, control.insert_idx, 5);
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 0);
	control.extract_idx = 0xffffffffffffffff;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 2);
	control.extract_idx = 0;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 3);
	control.extract_idx = 5;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

/* The same in the indices' lower halves, which are all that an implementation may get right. */
static void wraps_at_32_bits(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init_at(&ring, 0xfffffffc, 0xfffffffe);
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 6);
	for (u32 i = 0; i < 4; i++)
		panthor_perf_ring_publish(&ring);

	KUNIT_EXPECT_EQ(test, control.insert_idx, 0x100000002);
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 2);
	control.extract_idx = 0x100000001;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 7);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
	control.extract_idx = 2;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 7);
	KUNIT_EXPECT_TRUE(test, ring.bad_extract);
}

static void signals_every_sample(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init(&ring);
	for (u32 i = 0; i < 8; i++) {
		panthor_perf_ring_publish(&ring);
		KUNIT_EXPECT_TRUE(test, panthor_perf_ring_take_signal(&ring, false));
	}
}

/* The numbers of unread samples stay right where the indices wrap. */
static void signals_every_third(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init_at(&ring, U64_MAX - 1, U64_MAX - 1);
	ring.wakeup_samples = 3;
	for (u32 i = 1; i <= 7; i++) {
		panthor_perf_ring_publish(&ring);
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_take_signal(&ring, false), !(i % 3));
	}

	KUNIT_EXPECT_TRUE(test, panthor_perf_ring_take_signal(&ring, true));
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

struct extract_case {
	const char *name;
	u64 extract, insert;
	u64 hostile;
	u32 free;
	bool bad;
};

static const struct extract_case extract_cases[] = {
	{ "nothing new", 10, 14, 10, 4, false },
	{ "one slot back", 10, 14, 11, 5, false },
	{ "all slots back", 10, 14, 14, 8, false },
	{ "one beyond insert", 10, 14, 15, 4, true },
	{ "one backwards", 10, 14, 9, 4, true },
	{ "a whole ring backwards", 10, 14, 2, 4, true },
	{ "a whole ring beyond insert", 10, 14, 22, 4, true },
	{ "zero", 10, 14, 0, 4, true },
	{ "all ones", 10, 14, U64_MAX, 4, true },
	{ "sign bit", 10, 14, BIT_ULL(63), 4, true },
	{ "right in its lower half only", 10, 14, 0x10000000c, 4, true },
	{ "empty, one beyond", 14, 14, 15, 8, true },
	{ "empty, one backwards", 14, 14, 13, 8, true },
	{ "full, unchanged", 6, 14, 6, 0, false },
	{ "full, one backwards", 6, 14, 5, 0, true },
	{ "full, one beyond", 6, 14, 15, 0, true },
	{ "new ring, all ones", 0, 0, U64_MAX, 8, true },
	{ "new ring, one beyond", 0, 0, 1, 8, true },
	{ "before the wrap, one beyond", U64_MAX - 1, U64_MAX, 0, 7, true },
	{ "across the wrap, one beyond", U64_MAX - 1, 2, 3, 4, true },
	{ "across the wrap, one backwards", U64_MAX - 1, 2, U64_MAX - 2, 4, true },
	{ "across the wrap, valid", U64_MAX - 1, 2, 0, 6, false },
};

KUNIT_ARRAY_PARAM_DESC(extract, extract_cases, name);

static void judges_extract(struct kunit *test)
{
	const struct extract_case *c = test->param_value;
	struct panthor_perf_ring ring;

	ring_init_at(&ring, c->extract, c->insert);
	control.extract_idx = c->hostile;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), c->free);
	KUNIT_EXPECT_EQ(test, ring.bad_extract, c->bad);

	/* What was valid before is still known. */
	control.extract_idx = c->bad ? c->extract : c->hostile;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), c->free);
	KUNIT_EXPECT_EQ(test, ring.bad_extract, c->bad);
}

static void forgets_bad_extract(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init_at(&ring, 10, 14);
	control.extract_idx = 20;
	panthor_perf_ring_free_slots(&ring);
	KUNIT_EXPECT_TRUE(test, ring.bad_extract);

	ring.bad_extract = false;
	control.extract_idx = 13;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 7);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);

	/* Backwards, though it would have been valid before. */
	control.extract_idx = 12;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 7);
	KUNIT_EXPECT_TRUE(test, ring.bad_extract);
}

/* A report of the ring reads what user space has stored, and changes nothing in the kernel. */
static void report_changes_nothing(struct kunit *test)
{
	struct panthor_perf_ring ring, before;

	ring_init_at(&ring, 10, 14);
	before = ring;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_unread(&ring), 4);
	control.extract_idx = 13;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_unread(&ring), 1);
	control.extract_idx = 20;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_unread(&ring), 4);
	control.extract_idx = 9;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_unread(&ring), 4);
	KUNIT_EXPECT_MEMEQ(test, &ring, &before, sizeof(ring));

	/* Backwards from what was reported, and valid. */
	control.extract_idx = 12;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), ring.slots - 2);
	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

/* Whatever user space writes over the insert index, the kernel knows better. */
static void never_reads_insert(struct kunit *test)
{
	static const u64 hostile[] = { 0, 1, 7, 0xffffffff, BIT_ULL(63), U64_MAX };
	struct panthor_perf_ring ring;

	ring_init(&ring);
	for (u32 i = 0; i < ARRAY_SIZE(hostile); i++) {
		control.insert_idx = hostile[i];
		KUNIT_EXPECT_EQ(test, panthor_perf_ring_free_slots(&ring), 8 - i);
		KUNIT_EXPECT_PTR_EQ(test, panthor_perf_ring_slot(&ring), no_slots + 1000 * i);
		KUNIT_EXPECT_EQ(test, control.insert_idx, hostile[i]);
		panthor_perf_ring_publish(&ring);
		KUNIT_EXPECT_EQ(test, control.insert_idx, i + 1);
	}

	KUNIT_EXPECT_FALSE(test, ring.bad_extract);
}

/* The distance of two slots does not overflow in the largest ring of the largest samples. */
static void reaches_far_slots(struct kunit *test)
{
	struct panthor_perf_ring ring;

	ring_init(&ring);
	ring.slots = 4096;
	ring.slot_size = 0x200000;
	ring.insert = 4095;
	KUNIT_EXPECT_EQ(test, panthor_perf_ring_slot(&ring) - no_slots, 0x1ffe00000);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(starts_empty),
	KUNIT_CASE(fills_up),
	KUNIT_CASE(gives_slots_back),
	KUNIT_CASE(keeps_slots_in_order),
	KUNIT_CASE(wraps_at_64_bits),
	KUNIT_CASE(wraps_at_32_bits),
	KUNIT_CASE(signals_every_sample),
	KUNIT_CASE(signals_every_third),
	KUNIT_CASE_PARAM(judges_extract, extract_gen_params),
	KUNIT_CASE(forgets_bad_extract),
	KUNIT_CASE(report_changes_nothing),
	KUNIT_CASE(never_reads_insert),
	KUNIT_CASE(reaches_far_slots),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "panthor_perf_ring",
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
