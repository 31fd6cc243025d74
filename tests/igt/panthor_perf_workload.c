// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Counters of known work
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: workload
 */
#include "panthor_perf_job.h"
#include "panthor_perf_sync.h"

IGT_TEST_DESCRIPTION("Jobs under a session: counters known in advance, and a job without end");

/* Front end of GPUs up to architecture 12, and what the driver wraps around a job. */
#define CACHE_FLUSH_CYCLES	12
#define CACHE_FLUSH		13
#define COMPUTE_JOBS		25
#define COMPUTE_TASKS		26
#define CEU_ACTIVE		40
#define LSU_ACTIVE		45
#define WRAPPER_WORDS		16
#define WRAPPER_LSU		2
#define WRAPPER_FLUSHES		1

/* Counters are what streams did, exactly, on the virtual GPU alone, if it is asked to. */
static void require_work(void)
{
	char request[64], reply[64];

	snprintf(request, sizeof(request), "qom-get %s counters", perf_vgpu_name());
	perf_ask(request, reply, sizeof(reply));
	igt_require_f(strstr(reply, "work"), "the virtual GPU's counters are patterns\n");
}

static uint64_t front_end(const struct perf_session *s, const void *sample, unsigned int counter)
{
	const struct drm_panthor_perf_block_header *block;

	perf_for_each_block(block, s, sample)
		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			return perf_counters(s, block)[counter];
	igt_assert_f(false, "no front end in the sample\n");
	return 0;
}

static void expect_front_end(const struct perf_session *s,
			     const struct drm_panthor_perf_sample_header *sample, uint64_t words,
			     uint64_t lsu, uint64_t flushes)
{
	perf_assert_exact(sample);
	igt_assert_eq_u64(front_end(s, sample, CEU_ACTIVE), words);
	igt_assert_eq_u64(front_end(s, sample, LSU_ACTIVE), lsu);
	igt_assert_eq_u64(front_end(s, sample, CACHE_FLUSH), flushes);
	igt_assert_eq_u64(front_end(s, sample, CACHE_FLUSH_CYCLES), 100 * flushes);
}

static void run(struct perf_job_queue *q, const uint64_t *words, uint32_t count)
{
	perf_job_submit(q, words, count);
	igt_assert(perf_job_done(q, JOB_WAIT_MS));
	igt_assert_eq_u32(perf_job_group_state(q), 0);
}

static void run_store(struct perf_job_queue *q, uint32_t value)
{
	const uint64_t words[] = {
		CS_MOVE48(68, JOB_DATA_VA), CS_MOVE32(70, value), CS_STORE(70, 68),
		CS_WAIT(0xff), CS_MOVE32(70, 0), CS_FLUSH(70), CS_WAIT(0xff),
	};

	run(q, words, ARRAY_SIZE(words));
	igt_assert_eq_u32(perf_job_data(q), value);
}

/* A job's counts are in the sample around it, those before and behind have none. */
static void test_store(int fd)
{
	struct perf_job_queue q;
	struct perf_session s;

	require_work();
	perf_job_open(&q, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	expect_front_end(&s, perf_take(&s, 1), 0, 0, 0);
	run_store(&q, 0xdeadbeef);
	expect_front_end(&s, perf_take(&s, 2), WRAPPER_WORDS + 7, WRAPPER_LSU + 1,
			 WRAPPER_FLUSHES + 1);
	expect_front_end(&s, perf_take(&s, 3), 0, 0, 0);
	perf_close(&s);
	perf_job_close(&q);
}

static void test_lengths(int fd)
{
	static uint64_t nops[600];
	struct perf_job_queue q;
	struct perf_session s;

	require_work();
	perf_job_open(&q, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint32_t count = 1; count <= ARRAY_SIZE(nops); count = 3 * count + 1) {
		run(&q, nops, count);
		expect_front_end(&s, perf_take(&s, count), WRAPPER_WORDS + count, WRAPPER_LSU,
				 WRAPPER_FLUSHES);
	}
	perf_close(&s);
	perf_job_close(&q);
}

/*
 * Jobs and samples by turns, all of them in flight: each sample has the instructions of the job
 * before it, and nothing of those behind it.
 */
static void test_ordered(int fd)
{
	static uint64_t nops[JOB_PLACE_WORDS];
	uint32_t timeline = syncobj_create(fd, 0);
	struct perf_job_queue q;
	struct perf_session s;
	uint64_t point = 0;

	require_work();
	perf_job_open(&q, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_require_f(s.info.flags & DRM_PANTHOR_PERF_SYNCS_SUPPORT,
		      "the driver has no ordered samples\n");
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t first = 0; first < 60; first += PERF_SLOTS - 1) {
		for (uint32_t i = 0; i < PERF_SLOTS - 1; i++, point += 2) {
			const struct drm_panthor_sync_op ops[] = {
				perf_signal_op(timeline, point + 1), perf_wait_op(timeline, point),
			};

			perf_job_submit_at(&q, i, nops, 1 + 4 * i, ops, point ? 2 : 1);
			igt_assert_eq(perf_sample_between(&s, i, timeline, point + 1,
							  timeline, point + 2), 0);
		}
		igt_assert_eq(perf_wait_value(fd, timeline, point, PERF_WAIT_MS), 0);
		igt_assert_eq_u64(perf_insert(&s), first + PERF_SLOTS - 1);
		for (uint32_t i = 0; i < PERF_SLOTS - 1; i++)
			expect_front_end(&s, perf_slot(&s, first + i), WRAPPER_WORDS + 1 + 4 * i,
					 WRAPPER_LSU, WRAPPER_FLUSHES);
		perf_consume(&s, perf_insert(&s));
	}
	perf_close(&s);
	perf_job_close(&q);
	syncobj_destroy(fd, timeline);
}

/* The sum over a periodic session is the work, wherever its periods fall. */
static void test_periodic(int fd)
{
	const uint64_t jobs = 20;
	uint64_t ceu = 0, lsu = 0;
	struct perf_job_queue q;
	struct perf_session s;

	require_work();
	perf_job_open(&q, fd);
	perf_open(&s, fd, 1024, 5 * NS_PER_MS);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < jobs; i++)
		run_store(&q, i);
	igt_assert_eq(perf_stop(&s, 99), 0);
	while (!perf_insert(&s) || perf_slot(&s, perf_insert(&s) - 1)->user_data != 99)
		perf_sleep_ms(1);
	for (uint64_t i = 0; i < perf_insert(&s); i++) {
		perf_assert_exact(perf_slot(&s, i));
		ceu += front_end(&s, perf_slot(&s, i), CEU_ACTIVE);
		lsu += front_end(&s, perf_slot(&s, i), LSU_ACTIVE);
	}
	igt_assert_eq_u64(ceu, jobs * (WRAPPER_WORDS + 7));
	igt_assert_eq_u64(lsu, jobs * (WRAPPER_LSU + 1));
	perf_close(&s);
	perf_job_close(&q);
}

static void test_compute(int fd)
{
	const uint64_t words[] = {
		CS_MOVE32(33, 0), CS_MOVE32(37, 3), CS_MOVE32(38, 5), CS_MOVE32(39, 7),
		CS_RUN_COMPUTE(), CS_WAIT(0xff),
	};
	const struct drm_panthor_perf_sample_header *sample;
	struct perf_job_queue q;
	struct perf_session s;

	require_work();
	perf_job_open(&q, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	run(&q, words, ARRAY_SIZE(words));
	sample = perf_take(&s, 1);
	expect_front_end(&s, sample, WRAPPER_WORDS + ARRAY_SIZE(words), WRAPPER_LSU,
			 WRAPPER_FLUSHES);
	igt_assert_eq_u64(front_end(&s, sample, COMPUTE_JOBS), 1);
	igt_assert_eq_u64(front_end(&s, sample, COMPUTE_TASKS), 3 * 5 * 7);
	perf_close(&s);
	perf_job_close(&q);
}

/*
 * Jobs of one process are seen by another, as counters belong to the GPU. The
 * child closes its queue and its VM behind the sample: panthor of Linux 7.2 on
 * flushes the GPU's caches for each range of a VM that goes, and the front end
 * counts these flushes.
 */
static void test_other_process(int fd)
{
	const struct drm_panthor_perf_sample_header *sample = NULL;
	struct perf_session s;
	int ready[2], go[2];
	char byte = 0;

	require_work();
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(pipe(ready), 0);
	igt_assert_eq(pipe(go), 0);
	igt_fork(child, 1) {
		struct perf_job_queue q;

		perf_job_open(&q, perf_reopen(fd));
		igt_assert_eq(write(ready[1], &byte, 1), 1);
		igt_assert_eq(read(go[0], &byte, 1), 1);
		run_store(&q, 1);
		igt_assert_eq(write(ready[1], &byte, 1), 1);
		igt_assert_eq(read(go[0], &byte, 1), 1);
		perf_job_close(&q);
	}
	close(ready[1]);
	/* Nothing comes of a child that failed. */
	if (read(ready[0], &byte, 1) == 1) {
		igt_assert_eq(perf_start(&s, 0), 0);
		igt_assert_eq(write(go[1], &byte, 1), 1);
		if (read(ready[0], &byte, 1) == 1)
			sample = perf_take(&s, 1);
		igt_assert_eq(write(go[1], &byte, 1), 1);
	}
	igt_waitchildren();
	igt_assert(sample);
	close(ready[0]);
	close(go[0]);
	close(go[1]);
	expect_front_end(&s, sample, WRAPPER_WORDS + 7, WRAPPER_LSU + 1, WRAPPER_FLUSHES + 1);
	perf_close(&s);
}

/* Jobs go on while sessions come and go, whatever the counters are of. */
static void test_beside(int fd)
{
	struct perf_job_queue q;
	struct perf_session s;

	perf_job_open(&q, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	for (uint32_t i = 1; i <= 10; i++) {
		igt_assert_eq(perf_start(&s, i), 0);
		run_store(&q, i);
		perf_assert_exact(perf_take(&s, i));
		run_store(&q, 100 + i);
		perf_assert_exact(perf_finish(&s, i));
		run_store(&q, 200 + i);
	}
	perf_close(&s);
	perf_job_close(&q);
}

/* The driver takes the job's group away after a while; a reset is reported to sessions. */
static void test_hanging(int fd)
{
	const uint64_t endless[] = { CS_MOVE32(0, 1), CS_BRANCH_ALWAYS(-1) };
	struct perf_job_queue hanging, q;
	struct perf_session s;
	uint64_t nr = 0;

	perf_announce("job timeout");
	perf_job_open(&hanging, fd);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_assert_exact(perf_take(&s, nr++));
	perf_job_submit(&hanging, endless, ARRAY_SIZE(endless));
	for (bool done = false; !done;) {
		const struct drm_panthor_perf_sample_header *sample;

		done = perf_job_done(&hanging, 200);
		sample = perf_take(&s, nr);
		igt_assert_eq_u64(sample->sample_nr, nr++);
		if (!(sample->events & DRM_PANTHOR_PERF_EVENT_RESET))
			perf_assert_exact(sample);
		igt_assert_lt_u64(nr, JOB_WAIT_MS / 200);
	}
	igt_assert_neq_u32(perf_job_group_state(&hanging), 0);
	perf_job_close(&hanging);
	perf_job_open(&q, fd);
	perf_take(&s, nr++);
	run_store(&q, 4711);
	perf_assert_exact(perf_take(&s, nr++));
	perf_assert_exact(perf_finish(&s, 99));
	perf_close(&s);
	perf_job_close(&q);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("The counters of a job are in the sample around it, to the last one.");
	igt_subtest("store")
		test_store(fd);

	igt_describe("Jobs of many lengths: as many instructions as they have.");
	igt_subtest("lengths")
		test_lengths(fd);

	igt_describe("Ordered samples: each counts the job before it, with all of them in flight.");
	igt_subtest("ordered")
		test_ordered(fd);

	igt_describe("The sum over a periodic session is what its jobs did.");
	igt_subtest("periodic")
		test_periodic(fd);

	igt_describe("A compute job counts its tasks.");
	igt_subtest("compute")
		test_compute(fd);

	igt_describe("A session sees the jobs of other processes.");
	igt_subtest("other-process")
		test_other_process(fd);

	igt_describe("Jobs are done while sessions start, sample and stop.");
	igt_subtest("beside-jobs")
		test_beside(fd);

	igt_describe("Samples go on while a job without end is taken away.");
	igt_subtest("hanging-job")
		test_hanging(fd);

	igt_fixture()
		drm_close_driver(fd);
}
