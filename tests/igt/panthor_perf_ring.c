// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: The ring that kernel and user share
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: ring
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("The ring's indices, of readers that keep the contract and of hostile ones");

/* Publish a sample, without reading it. */
static void publish(struct perf_session *s, uint64_t user_data)
{
	uint64_t index = perf_insert(s);

	igt_assert_eq(perf_sample(s, user_data), 0);
	perf_wait(s, index + 1);
}

static void expect_bad_extract(struct perf_session *s, uint64_t index, bool bad)
{
	const struct drm_panthor_perf_sample_header *sample = perf_slot(s, index);

	igt_assert_f(!(sample->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT) == !bad,
		     "sample %" PRIu64 " has events %#x\n", index, sample->events);
	perf_assert_exact(sample);
}

static void test_wrap(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 3 * slots + 1; i++) {
		const struct drm_panthor_perf_sample_header *sample = perf_take(&s, 100 + i);

		igt_assert_eq_u64(sample->sample_nr, i);
		igt_assert_eq_u64(sample->user_data, 100 + i);
		igt_assert_eq_u64(perf_insert(&s), i + 1);
	}
	perf_close(&s);
}

/* A slot that was not read is not written again. */
static void test_full(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint32_t i = 0; i < slots - 1; i++)
		publish(&s, 100 + i);
	igt_assert_eq(perf_sample(&s, 1), -EBUSY);
	perf_consume(&s, 1);
	publish(&s, 100 + slots - 1);
	igt_assert_eq(perf_sample(&s, 2), -EBUSY);
	for (uint32_t i = 1; i < slots; i++)
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, 100 + i);
	perf_close(&s);
}

/* The slot of the final sample is free, whatever the reader does. */
static void test_final_slot(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint32_t i = 0; i < slots - 1; i++)
		publish(&s, i);
	igt_assert_eq(perf_sample(&s, 1), -EBUSY);
	igt_assert_eq(perf_stop(&s, 99), 0);
	perf_wait(&s, slots);
	igt_assert_eq_u64(perf_slot(&s, slots - 1)->user_data, 99);
	perf_assert_exact(perf_slot(&s, slots - 1));
	/* The ring is full now: there is no slot for another run's. */
	igt_assert_eq(perf_start(&s, 1), -EBUSY);
	perf_consume(&s, 1);
	igt_assert_eq(perf_start(&s, 2), 0);
	igt_assert_eq(perf_sample(&s, 3), -EBUSY);
	perf_close(&s);
}

static void test_beyond_insert(int fd, uint64_t ahead)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	publish(&s, 1);
	publish(&s, 2);
	perf_consume(&s, 1);
	publish(&s, 3);
	perf_consume(&s, perf_insert(&s) + ahead);
	publish(&s, 4);
	expect_bad_extract(&s, 3, true);
	/* The last valid one holds until there is another. */
	perf_consume(&s, 4);
	publish(&s, 5);
	publish(&s, 6);
	expect_bad_extract(&s, 5, false);
	perf_close(&s);
}

static void test_backwards(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	publish(&s, 1);
	publish(&s, 2);
	perf_consume(&s, 2);
	publish(&s, 3);
	expect_bad_extract(&s, 2, false);
	perf_consume(&s, 1);
	publish(&s, 4);
	expect_bad_extract(&s, 3, true);
	perf_consume(&s, 4);
	publish(&s, 5);
	publish(&s, 6);
	expect_bad_extract(&s, 5, false);
	perf_close(&s);
}

/* An index that is not valid does not free slots. */
static void test_hostile_full(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint32_t i = 0; i < slots - 1; i++)
		publish(&s, 100 + i);
	perf_consume(&s, UINT64_MAX);
	igt_assert_eq(perf_sample(&s, 1), -EBUSY);
	perf_consume(&s, 1ull << 63);
	igt_assert_eq(perf_sample(&s, 2), -EBUSY);
	for (uint32_t i = 0; i < slots - 1; i++)
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, 100 + i);
	perf_close(&s);
}

/* The kernel has its own. */
static void test_overwritten_insert(int fd)
{
	static const uint64_t wrong[] = { 0, 1, 1000, 1ull << 32, UINT64_MAX };
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++) {
		uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_WAIT_MS * NS_PER_MS;

		__atomic_store_n(&perf_indices(&s)->insert_idx, wrong[i], __ATOMIC_RELEASE);
		igt_assert_eq(perf_sample(&s, 100 + i), 0);
		while (perf_insert(&s) != i + 1 && perf_clock_ns(CLOCK_MONOTONIC) < end)
			perf_sleep_ms(1);
		perf_expect_signals(&s, 1);
		igt_assert_eq_u64(perf_insert(&s), i + 1);
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, 100 + i);
	}
	perf_close(&s);
}

/* Garbage in the slots changes no sample: all of a slot is written. */
static void test_overwritten_slots(int fd)
{
	uint32_t slots = perf_info(fd).min_sample_slots;
	const struct drm_panthor_perf_block_header *block;
	struct perf_session s;

	perf_open(&s, fd, slots, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 2 * slots; i++) {
		const struct drm_panthor_perf_sample_header *sample;

		memset(s.ring.map, 0xff, (uint64_t)slots * s.setup.sample_size);
		sample = perf_take(&s, i);
		igt_assert_eq_u64(sample->sample_nr, i);
		igt_assert_eq_u64(sample->user_data, i);
		perf_assert_exact(sample);
		perf_for_each_block(block, &s, sample) {
			igt_assert_lt_u32(block->type, DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT);
			for (uint32_t c = 0; c < s.info.counters_per_block; c++)
				igt_assert_neq_u64(perf_counters(&s, block)[c], UINT64_MAX);
		}
	}
	perf_close(&s);
}

/* Another process writes nonsense all the time; a session beside does not notice. */
static void test_concurrent_writers(int fd)
{
	struct perf_session hostile, other;
	uint64_t *words;
	pid_t pid[2];

	perf_open(&hostile, fd, PERF_SLOTS, 0);
	perf_open(&other, fd, PERF_SLOTS, 0);
	words = (void *)perf_indices(&hostile);
	igt_assert_eq(perf_start(&hostile, 0), 0);
	igt_assert_eq(perf_start(&other, 0), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(pid); i++) {
		pid[i] = fork();
		igt_assert_lte(0, pid[i]);
		for (uint64_t x = i + 1; !pid[i]; x = x * 6364136223846793005ull + 1)
			__atomic_store_n(&words[(x >> 40) & 1], x, __ATOMIC_RELAXED);
	}
	for (uint64_t i = 0; i < 50; i++) {
		const struct drm_panthor_perf_sample_header *sample;
		int ret = perf_sample(&hostile, i);

		igt_assert(!ret || ret == -EBUSY);
		sample = perf_take(&other, i);
		igt_assert_eq_u64(sample->sample_nr, i);
		igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT, 0);
		perf_assert_exact(sample);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(pid); i++) {
		kill(pid[i], SIGKILL);
		igt_assert_eq(waitpid(pid[i], NULL, 0), pid[i]);
	}
	igt_assert_eq_u64(perf_finish(&other, 99)->sample_nr, 50);
	perf_close(&other);
	perf_close(&hostile);
}

static void test_signals(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq_u64(perf_signals(&s), 0);
	for (int i = 0; i < 5; i++)
		publish(&s, i);
	perf_expect_signals(&s, 5);
	perf_finish(&s, 9);
	perf_expect_signals(&s, 1);
	perf_close(&s);
}

static void test_signals_shared(int fd)
{
	struct perf_session a, b;

	perf_open(&a, fd, PERF_SLOTS, 0);
	perf_prepare(&b, fd, PERF_SLOTS, 0);
	close(b.setup.eventfd);
	b.setup.eventfd = dup(a.setup.eventfd);
	igt_assert_eq(perf_setup(&b), 0);
	igt_assert_eq(perf_start(&a, 0), 0);
	igt_assert_eq(perf_start(&b, 0), 0);
	publish(&a, 1);
	publish(&b, 1);
	publish(&b, 2);
	perf_expect_signals(&a, 3);
	perf_close(&b);
	perf_close(&a);
}

static void test_signals_closed(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	close(s.setup.eventfd);
	igt_assert_eq_u64(perf_take(&s, 1)->user_data, 1);
	igt_assert_eq_u64(perf_finish(&s, 2)->user_data, 2);
	s.setup.eventfd = eventfd(0, EFD_CLOEXEC);
	perf_close(&s);
}

/* An eventfd that is full does not hold up the samples. */
static void test_signals_full(int fd)
{
	uint64_t most = UINT64_MAX - 1;
	struct perf_session s;

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(write(s.setup.eventfd, &most, sizeof(most)), sizeof(most));
	igt_assert_eq(perf_start(&s, 0), 0);
	for (int i = 0; i < 3; i++)
		publish(&s, i);
	igt_assert_eq_u64(perf_finish(&s, 9)->user_data, 9);
	perf_close(&s);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("Indices run on while the slots are used again and again.");
	igt_subtest("wrap")
		test_wrap(fd);

	igt_describe("SAMPLE with fewer than two free slots is -EBUSY; unread slots stay.");
	igt_subtest("full")
		test_full(fd);

	igt_describe("The final sample always has a slot; START without one for it is -EBUSY.");
	igt_subtest("final-slot")
		test_final_slot(fd);

	igt_describe("An extract index one beyond the insert index is ignored and reported.");
	igt_subtest("extract-beyond")
		test_beyond_insert(fd, 1);

	igt_describe("An extract index half of all numbers ahead is ignored and reported.");
	igt_subtest("extract-far-beyond")
		test_beyond_insert(fd, 1ull << 63);

	igt_describe("An extract index that is a ring ahead is ignored and reported.");
	igt_subtest("extract-ring-beyond")
		test_beyond_insert(fd, PERF_SLOTS);

	igt_describe("An extract index that goes back is ignored and reported.");
	igt_subtest("extract-backwards")
		test_backwards(fd);

	igt_describe("No index makes the kernel write over samples that were not read.");
	igt_subtest("extract-hostile-full")
		test_hostile_full(fd);

	igt_describe("An insert index that is overwritten is right with the next sample.");
	igt_subtest("insert-overwritten")
		test_overwritten_insert(fd);

	igt_describe("What a user writes into the slots does not come back.");
	igt_subtest("slots-overwritten")
		test_overwritten_slots(fd);

	igt_describe("Other sessions do not notice one whose indices are written all the time.");
	igt_subtest("concurrent-writers")
		test_concurrent_writers(fd);

	igt_describe("The eventfd gets exactly one count for each sample.");
	igt_subtest("signals")
		test_signals(fd);

	igt_describe("Two sessions may share an eventfd, whose counts add up.");
	igt_subtest("signals-shared")
		test_signals_shared(fd);

	igt_describe("Closing the eventfd is harmless.");
	igt_subtest("signals-closed")
		test_signals_closed(fd);

	igt_describe("An eventfd that cannot take more counts is harmless.");
	igt_subtest("signals-full")
		test_signals_full(fd);

	igt_fixture()
		drm_close_driver(fd);
}
