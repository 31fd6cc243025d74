// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Ordered samples
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: fences
 */
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include "panthor_perf_job.h"
#include "panthor_perf_sync.h"
#include "panthor_perf_sysfs.h"

IGT_TEST_DESCRIPTION("SAMPLE with operations on syncobjs: samples between jobs, by fences alone");

#define SLOTS		8
#define MAX_OPS		64

/* Words of data: the gate, and what streams leave. */
#define GATE		0
#define LEFT		16

/* What a fence may take once its sample's waits are over. */
#define SYNCS		DRM_PANTHOR_PERF_SAMPLE_SYNCS
#define SIGNAL_MS	2000

/* Nothing has to happen in this time. */
#define NOTHING_MS	60

/* A load of a word. To the branch's offset from the next instruction, if the register is 0. */
#define CS_LOAD(reg, address)		(20ull << 56 | (uint64_t)(reg) << 48 | \
					 (uint64_t)(address) << 40 | 1ull << 16)
#define CS_BRANCH_ZERO(reg, offset)	(22ull << 56 | (uint64_t)(reg) << 40 | 2ull << 28 | \
					 (uint16_t)(offset))

/* As in vgem_drm.h, which not every libdrm has. */
struct perf_vgem_attach {
	uint32_t handle, flags, fence, pad;
};

struct perf_vgem_signal {
	uint32_t fence, flags;
};

#define VGEM_ATTACH	_IOWR('d', 0x41, struct perf_vgem_attach)
#define VGEM_SIGNAL	_IOW('d', 0x42, struct perf_vgem_signal)
#define VGEM_WRITE	1

static void expect_signal(int fd, uint32_t handle, uint64_t value)
{
	igt_assert_eq(perf_wait_value(fd, handle, value, SIGNAL_MS), 0);
}

static void expect_no_signal(int fd, uint32_t handle, uint64_t value)
{
	igt_assert_eq(perf_wait_value(fd, handle, value, NOTHING_MS), -ETIME);
}

/**
 * struct ordered - a started session, jobs, and a timeline for both
 */
struct ordered {
	/** @q: A group of one queue. */
	struct perf_job_queue q;

	/** @s: Manual session. */
	struct perf_session s;

	/** @timeline: Syncobj. */
	uint32_t timeline;

	/** @point: The last one that a job or a sample signals. */
	uint64_t point;

	/** @place: Where the next stream lies. */
	uint32_t place;
};

static void ordered_open(struct ordered *t, int fd, uint32_t slots)
{
	memset(t, 0, sizeof(*t));
	perf_job_open(&t->q, fd);
	t->timeline = syncobj_create(fd, 0);
	perf_open(&t->s, fd, slots, 0);
	igt_assert_eq(perf_start(&t->s, 0), 0);
}

static void ordered_close(struct ordered *t)
{
	int fd = t->q.fd;

	perf_close(&t->s);
	syncobj_destroy(fd, t->timeline);
	perf_job_close(&t->q);
}

static uint32_t *word_at(struct ordered *t, uint32_t nr)
{
	return (uint32_t *)((char *)t->q.bo.map + JOB_DATA_OFFSET) + nr;
}

static uint32_t word(struct ordered *t, uint32_t nr)
{
	return __atomic_load_n(word_at(t, nr), __ATOMIC_ACQUIRE);
}

static uint64_t word_va(uint32_t nr)
{
	return JOB_DATA_VA + sizeof(uint32_t) * nr;
}

static void submit(struct ordered *t, const uint64_t *words, uint32_t count,
		   const struct drm_panthor_sync_op *ops, uint32_t op_count)
{
	perf_job_submit_at(&t->q, t->place++ % JOB_PLACES, words, count, ops, op_count);
}

/* A stream that runs until the gate is opened, and then signals this. */
static void close_gate(struct ordered *t, uint32_t signal, uint64_t value)
{
	const uint64_t words[] = {
		CS_MOVE48(68, word_va(GATE)), CS_LOAD(70, 68), CS_WAIT(0xff),
		CS_BRANCH_ZERO(70, -3),
	};
	const struct drm_panthor_sync_op op = perf_signal_op(signal, value);

	*word_at(t, GATE) = 0;
	submit(t, words, ARRAY_SIZE(words), &op, 1);
}

static void open_gate(struct ordered *t)
{
	__atomic_store_n(word_at(t, GATE), 1, __ATOMIC_RELEASE);
}

/* The gate signals the first point of the timeline. */
static void close_first(struct ordered *t)
{
	close_gate(t, t->timeline, ++t->point);
}

/* A sample behind what was queued last. */
static void sample_next(struct ordered *t, uint64_t user_data)
{
	igt_assert_eq(perf_sample_between(&t->s, user_data, t->timeline, t->point, t->timeline,
					  t->point + 1), 0);
	t->point++;
}

/* A stream behind what was queued last, which stores a value. */
static void store_next(struct ordered *t, uint32_t nr, uint32_t value)
{
	const uint64_t words[] = {
		CS_MOVE48(68, word_va(nr)), CS_MOVE32(70, value), CS_STORE(70, 68), CS_WAIT(0xff),
	};
	const struct drm_panthor_sync_op ops[] = {
		perf_wait_op(t->timeline, t->point), perf_signal_op(t->timeline, t->point + 1),
	};

	*word_at(t, nr) = 0;
	submit(t, words, ARRAY_SIZE(words), t->point ? ops : ops + 1, t->point ? 2 : 1);
	t->point++;
}

static void expect_samples(struct perf_session *s, uint64_t count)
{
	perf_sleep_ms(NOTHING_MS);
	igt_assert_eq_u64(perf_insert(s), count);
}

/* The sample in this slot is like any other. */
static void expect_sample(struct perf_session *s, uint64_t index, uint64_t user_data)
{
	const struct drm_panthor_perf_sample_header *sample = perf_slot(s, index);

	igt_assert_eq_u64(sample->user_data, user_data);
	igt_assert_eq_u64(sample->sample_nr, index);
	igt_assert_eq_u32(sample->flags, 0);
	igt_assert_eq_u32(sample->events & DRM_PANTHOR_PERF_EVENT_CANCELLED, 0);
}

/*
 * Operations that are refused
 */

struct bad_op {
	const char *name, *describe;
	uint32_t flags, handle;
	uint64_t value;
	int error;
};

/* A handle that stands for the empty syncobj of the test. */
#define EMPTY	0xffff

#define BINARY		DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ
#define TIMELINE	DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ
#define SIGNAL		((uint32_t)DRM_PANTHOR_SYNC_OP_SIGNAL)

static const struct bad_op bad_ops[] = {
	{ "unknown-flag", "An operation with a flag that is not defined.",
	  BINARY | SIGNAL | 1 << 30, EMPTY, 0, -EINVAL },
	{ "unknown-handle-type", "A handle of a type that is not defined.",
	  2 | SIGNAL, EMPTY, 0, -EINVAL },
	{ "signal-binary-with-value", "A SIGNAL of a binary syncobj with a point.",
	  BINARY | SIGNAL, EMPTY, 1, -EINVAL },
	{ "wait-binary-with-value", "A WAIT for a binary syncobj with a point.",
	  BINARY, EMPTY, 1, -EINVAL },
	{ "signal-point-0", "A SIGNAL of the point 0 of a timeline.",
	  TIMELINE | SIGNAL, EMPTY, 0, -EINVAL },
	{ "wait-empty", "A WAIT for a syncobj without a fence.", BINARY, EMPTY, 0, -EINVAL },
	{ "wait-point-without-fence", "A WAIT for a point that has no fence yet.",
	  TIMELINE, EMPTY, 1000, -EINVAL },
	{ "signal-handle-0", "A SIGNAL of the syncobj 0.", BINARY | SIGNAL, 0, 0, -ENOENT },
	{ "signal-unknown-handle", "A SIGNAL of a syncobj that does not exist.",
	  TIMELINE | SIGNAL, 0xdead, 1, -ENOENT },
	{ "wait-unknown-handle", "A WAIT for a syncobj that does not exist.",
	  BINARY, 0xdead, 0, -ENOENT },
};

/* Alone, as the first and as the last of many: nothing is sampled, and nothing gets a fence. */
static void test_bad_op(int fd, const struct bad_op *bad)
{
	struct drm_panthor_sync_op ops[MAX_OPS];
	uint32_t others[MAX_OPS];
	struct perf_session s;
	uint32_t empty = syncobj_create(fd, 0);
	struct drm_panthor_sync_op op = {
		.flags = bad->flags,
		.handle = bad->handle == EMPTY ? empty : bad->handle,
		.timeline_value = bad->value,
	};

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_ops(&s, 1, &op, 1), bad->error);
	for (unsigned int i = 0; i < MAX_OPS; i++) {
		others[i] = syncobj_create(fd, 0);
		ops[i] = perf_signal_op(others[i], i % 2 ? i : 0);
	}
	for (unsigned int bad_at = 0; bad_at < MAX_OPS; bad_at += MAX_OPS - 1) {
		struct drm_panthor_sync_op good = ops[bad_at];

		ops[bad_at] = op;
		igt_assert_eq(perf_sample_ops(&s, 1, ops, MAX_OPS), bad->error);
		ops[bad_at] = good;
	}
	expect_samples(&s, 0);
	for (unsigned int i = 0; i < MAX_OPS; i++) {
		igt_assert_eq(perf_wait_value(fd, others[i], i % 2 ? i : 0, 0), -EINVAL);
		syncobj_destroy(fd, others[i]);
	}
	igt_assert_eq(perf_wait_value(fd, empty, 0, 0), -EINVAL);
	igt_assert_eq_u64(perf_take(&s, 2)->sample_nr, 0);
	perf_close(&s);
	syncobj_destroy(fd, empty);
}

/* The array itself. */
static void test_bad_array(int fd)
{
	struct wide_op {
		struct drm_panthor_sync_op op;
		uint64_t more;
	} wide = { .more = 1 };
	struct drm_panthor_sync_op ops[MAX_OPS + 1];
	struct drm_panthor_perf_sample args;
	struct perf_session s;
	uint32_t syncobj = syncobj_create(fd, 0);
	struct {
		uint32_t flags, stride, count;
		uint64_t array;
		int error;
	} cases[] = {
		/* Operations without the flag, and a flag that is not defined */
		{ 0, sizeof(*ops), 1, (uintptr_t)ops, -EINVAL },
		{ 0, sizeof(*ops), 0, 0, -EINVAL },
		{ 1 << 1, 0, 0, 0, -EINVAL },
		/* Too many, too narrow, wider than a page */
		{ SYNCS, sizeof(*ops), MAX_OPS + 1, (uintptr_t)ops, -EINVAL },
		{ SYNCS, sizeof(*ops), UINT32_MAX, (uintptr_t)ops, -EINVAL },
		{ SYNCS, sizeof(*ops) - 8, 1, (uintptr_t)ops, -EINVAL },
		{ SYNCS, 1 << 20, 1, (uintptr_t)ops, -EINVAL },
		/* More than this driver knows */
		{ SYNCS, sizeof(wide), 1, (uintptr_t)&wide, -EINVAL },
		/* Not there, and not the caller's */
		{ SYNCS, sizeof(*ops), 1, 0, -EFAULT },
		{ SYNCS, sizeof(*ops), 1, ~0xffffull, -EFAULT },
	};

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (unsigned int i = 0; i <= MAX_OPS; i++)
		ops[i] = perf_signal_op(syncobj, 0);
	wide.op = ops[0];
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		args = (struct drm_panthor_perf_sample){
			.handle = s.setup.handle,
			.flags = cases[i].flags,
			.syncs = {
				.stride = cases[i].stride,
				.count = cases[i].count,
				.array = cases[i].array,
			},
		};
		igt_debug("case %u\n", i);
		igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args),
			      cases[i].error);
	}
	expect_samples(&s, 0);
	igt_assert_eq(perf_wait_value(fd, syncobj, 0, 0), -EINVAL);

	/* What is wider than the driver knows is taken if it says no more. */
	wide.more = 0;
	args = (struct drm_panthor_perf_sample){
		.handle = s.setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.syncs = { .stride = sizeof(wide), .count = 1, .array = (uintptr_t)&wide },
	};
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args), 0);
	expect_signal(fd, syncobj, 0);
	igt_assert_eq_u64(perf_insert(&s), 1);
	perf_close(&s);
	syncobj_destroy(fd, syncobj);
}

/* A session that cannot take samples now sets no fence. */
static void test_bad_state(int fd)
{
	uint32_t syncobj = syncobj_create(fd, 0);
	struct perf_session s;

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_sample_between(&s, 1, 0, 0, syncobj, 0), -EINVAL);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_finish(&s, 2);
	igt_assert_eq(perf_sample_between(&s, 3, 0, 0, syncobj, 0), -EINVAL);
	perf_close(&s);
	igt_assert_eq(perf_sample_between(&s, 4, 0, 0, syncobj, 0), -ENOENT);

	perf_open(&s, fd, SLOTS, NS_PER_S);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 5, 0, 0, syncobj, 0), -EINVAL);
	perf_close(&s);
	igt_assert_eq(perf_wait_value(fd, syncobj, 0, 0), -EINVAL);
	syncobj_destroy(fd, syncobj);
}

/*
 * SIGNAL
 */

static void test_query(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);

	igt_assert(info.flags & DRM_PANTHOR_PERF_SYNCS_SUPPORT);
	igt_assert_lt_u32(0, info.max_pending_samples);
}

static void test_without_operations(int fd)
{
	struct perf_session s;

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_ops(&s, 7, NULL, 0), 0);
	perf_wait(&s, 1);
	expect_sample(&s, 0, 7);
	perf_close(&s);
}

/* The sample is there when its fence has signalled. */
static void test_signal(int fd, uint64_t step)
{
	uint32_t syncobj = syncobj_create(fd, 0);
	struct perf_session s;

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 20; i++) {
		igt_assert_eq(perf_sample_between(&s, i, 0, 0, syncobj, step * (i + 1)), 0);
		expect_signal(fd, syncobj, step * (i + 1));
		igt_assert_eq_u64(perf_insert(&s), i + 1);
		expect_sample(&s, i, i);
		perf_consume(&s, i + 1);
	}
	perf_expect_signals(&s, 20);
	perf_close(&s);
	syncobj_destroy(fd, syncobj);
}

/* As many operations as there may be, half of them waits. */
static void test_most(int fd)
{
	struct drm_panthor_sync_op ops[MAX_OPS];
	uint32_t syncobjs[MAX_OPS / 2], timeline;
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	timeline = syncobj_create(fd, 0);
	close_first(&t);
	for (uint64_t i = 0; i < MAX_OPS / 2; i++) {
		uint64_t point = i + 1;

		syncobjs[i] = syncobj_create(fd, 0);
		/* Signals stand before waits. */
		ops[i] = perf_signal_op(syncobjs[i], i % 2 ? 100 + i : 0);
		if (i)
			syncobj_timeline_signal(fd, &timeline, &point, 1);
		ops[MAX_OPS / 2 + i] = i ? perf_wait_op(timeline, point) :
					   perf_wait_op(t.timeline, 1);
	}
	igt_assert_eq(perf_sample_ops(&t.s, 5, ops, MAX_OPS), 0);
	expect_samples(&t.s, 0);
	open_gate(&t);
	for (unsigned int i = 0; i < MAX_OPS / 2; i++) {
		expect_signal(fd, syncobjs[i], i % 2 ? 100 + i : 0);
		syncobj_destroy(fd, syncobjs[i]);
	}
	expect_sample(&t.s, 0, 5);
	syncobj_destroy(fd, timeline);
	ordered_close(&t);
}

/* A binary syncobj gets the fence of the newest sample, whichever it had. */
static void test_replace(int fd)
{
	uint32_t syncobj = syncobj_create(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	igt_assert_eq(perf_sample_between(&t.s, 0, t.timeline, 1, syncobj, 0), 0);
	expect_no_signal(fd, syncobj, 0);
	igt_assert_eq(perf_sample_between(&t.s, 1, syncobj, 0, syncobj, 0), 0);
	expect_no_signal(fd, syncobj, 0);
	open_gate(&t);
	expect_signal(fd, syncobj, 0);
	igt_assert_eq_u64(perf_insert(&t.s), 2);
	ordered_close(&t);
	syncobj_destroy(fd, syncobj);
}

/*
 * WAIT
 */

static void test_signalled(int fd)
{
	uint32_t syncobj = syncobj_create(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
	uint32_t done = syncobj_create(fd, 0);
	struct perf_session s;

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 3, syncobj, 0, done, 0), 0);
	expect_signal(fd, done, 0);
	expect_sample(&s, 0, 3);
	perf_close(&s);
	syncobj_destroy(fd, syncobj);
	syncobj_destroy(fd, done);
}

static void test_wait(int fd, uint64_t value)
{
	uint32_t gate = syncobj_create(fd, 0), done = syncobj_create(fd, 0);
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_gate(&t, gate, value);
	igt_assert_eq(perf_sample_between(&t.s, 3, gate, value, done, value), 0);
	expect_no_signal(fd, done, value);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	open_gate(&t);
	expect_signal(fd, done, value);
	expect_sample(&t.s, 0, 3);
	ordered_close(&t);
	syncobj_destroy(fd, gate);
	syncobj_destroy(fd, done);
}

/* Without a fence to signal: the eventfd and the index show the sample. */
static void test_wait_alone(int fd)
{
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	igt_assert_eq(perf_sample_between(&t.s, 3, t.timeline, 1, 0, 0), 0);
	expect_samples(&t.s, 0);
	igt_assert_eq_u64(perf_signals(&t.s), 0);
	open_gate(&t);
	perf_wait(&t.s, 1);
	perf_expect_signals(&t.s, 1);
	expect_sample(&t.s, 0, 3);
	ordered_close(&t);
}

/* A sample between two jobs: the second does not run before it is there. */
static void test_job_waits(int fd)
{
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	for (uint64_t i = 0; i < 5; i++) {
		close_first(&t);
		sample_next(&t, i);
		store_next(&t, LEFT, i + 1);
		perf_sleep_ms(NOTHING_MS);
		igt_assert_eq_u32(word(&t, LEFT), 0);
		igt_assert_eq_u64(perf_insert(&t.s), i);
		open_gate(&t);
		while (!word(&t, LEFT))
			;
		igt_assert_eq_u64(perf_insert(&t.s), i + 1);
		expect_signal(fd, t.timeline, t.point);
		perf_consume(&t.s, i + 1);
	}
	ordered_close(&t);
}

/* What a syncobj has when the call is made counts, whatever becomes of it. */
static void test_gone(int fd, bool destroyed)
{
	uint32_t gate = syncobj_create(fd, 0), done = syncobj_create(fd, 0), kept;
	struct ordered t;
	int copy;

	ordered_open(&t, fd, SLOTS);
	close_gate(&t, gate, 0);
	igt_assert_eq(perf_sample_between(&t.s, 3, gate, 0, done, 0), 0);
	copy = syncobj_handle_to_fd(fd, done, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
	if (destroyed) {
		syncobj_destroy(fd, gate);
		syncobj_destroy(fd, done);
	} else {
		syncobj_reset(fd, &gate, 1);
		syncobj_signal(fd, &done, 1);
	}
	expect_samples(&t.s, 0);
	open_gate(&t);
	perf_wait(&t.s, 1);
	expect_sample(&t.s, 0, 3);
	kept = syncobj_create(fd, 0);
	syncobj_import_sync_file(fd, kept, copy);
	close(copy);
	expect_signal(fd, kept, 0);
	syncobj_destroy(fd, kept);
	if (!destroyed) {
		syncobj_destroy(fd, gate);
		syncobj_destroy(fd, done);
	}
	ordered_close(&t);
}

/* Syncobjs that another open file made. */
static void test_other_file(int fd)
{
	int other = perf_reopen(fd), gate_fd, done_fd;
	uint32_t gate = syncobj_create(fd, 0), done = syncobj_create(fd, 0);
	uint32_t their_gate, their_done;
	struct perf_session s;
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	gate_fd = syncobj_handle_to_fd(fd, gate, 0);
	done_fd = syncobj_handle_to_fd(fd, done, 0);
	/* The handles of the two files differ. */
	syncobj_create(other, 0);
	their_gate = syncobj_fd_to_handle(other, gate_fd, 0);
	their_done = syncobj_fd_to_handle(other, done_fd, 0);
	perf_open(&s, other, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	close_gate(&t, gate, 0);
	igt_assert_eq(perf_sample_between(&s, 3, their_gate, 0, their_done, 0), 0);
	expect_no_signal(fd, done, 0);
	open_gate(&t);
	expect_signal(fd, done, 0);
	expect_sample(&s, 0, 3);
	perf_close(&s);
	close(other);
	close(gate_fd);
	close(done_fd);
	ordered_close(&t);
	syncobj_destroy(fd, gate);
	syncobj_destroy(fd, done);
}

/* A wait for a sync_file, merged of two, and a sample's fence as a sync_file that is polled. */
static void test_sync_file(int fd)
{
	uint32_t gate = syncobj_create(fd, 0), both = syncobj_create(fd, 0);
	uint32_t signalled = syncobj_create(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
	uint32_t done = syncobj_create(fd, 0);
	struct sync_merge_data merge = { .name = "both" };
	struct pollfd pollfd = { .events = POLLIN };
	struct ordered t;
	int files[2];

	ordered_open(&t, fd, SLOTS);
	close_gate(&t, gate, 0);
	files[0] = syncobj_handle_to_fd(fd, gate, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
	files[1] = syncobj_handle_to_fd(fd, signalled,
					DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
	merge.fd2 = files[1];
	igt_assert_eq(ioctl(files[0], SYNC_IOC_MERGE, &merge), 0);
	syncobj_import_sync_file(fd, both, merge.fence);
	igt_assert_eq(perf_sample_between(&t.s, 3, both, 0, done, 0), 0);
	pollfd.fd = syncobj_handle_to_fd(fd, done, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
	igt_assert_eq(poll(&pollfd, 1, NOTHING_MS), 0);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	open_gate(&t);
	igt_assert_eq(poll(&pollfd, 1, SIGNAL_MS), 1);
	expect_sample(&t.s, 0, 3);
	close(pollfd.fd);
	close(merge.fence);
	close(files[0]);
	close(files[1]);
	ordered_close(&t);
	syncobj_destroy(fd, gate);
	syncobj_destroy(fd, both);
	syncobj_destroy(fd, signalled);
	syncobj_destroy(fd, done);
}

/* The fence of a sample as a point of a timeline. */
static void test_transfer(int fd)
{
	uint32_t done = syncobj_create(fd, 0), timeline = syncobj_create(fd, 0);
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	igt_assert_eq(perf_sample_between(&t.s, 0, t.timeline, 1, done, 0), 0);
	syncobj_binary_to_timeline(fd, timeline, 5, done);
	igt_assert_eq(perf_sample_between(&t.s, 1, timeline, 5, timeline, 6), 0);
	expect_no_signal(fd, timeline, 6);
	open_gate(&t);
	expect_signal(fd, timeline, 6);
	igt_assert_eq_u64(perf_insert(&t.s), 2);
	ordered_close(&t);
	syncobj_destroy(fd, done);
	syncobj_destroy(fd, timeline);
}

/*
 * Fences of another device, which user space signals. After ten seconds that device does.
 */

/* A slow machine is not as late as that with a signal of its own. */
#define VGEM_NS		(9 * NS_PER_S)

struct vgem {
	int fd;
	uint32_t handle, fence;
	uint64_t made_ns;
};

/* A syncobj of the GPU with a fence of the other device. */
static uint32_t vgem_syncobj(struct vgem *v, int fd)
{
	struct drm_mode_create_dumb dumb = { .width = 64, .height = 64, .bpp = 32 };
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC };
	struct perf_vgem_attach attach = { .flags = VGEM_WRITE };
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_RW };
	uint32_t syncobj = syncobj_create(fd, 0);

	v->fd = drm_open_driver(DRIVER_VGEM);
	do_ioctl(v->fd, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
	v->handle = dumb.handle;
	prime.handle = dumb.handle;
	do_ioctl(v->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
	attach.handle = dumb.handle;
	do_ioctl(v->fd, VGEM_ATTACH, &attach);
	v->fence = attach.fence;
	v->made_ns = perf_clock_ns(CLOCK_MONOTONIC);
	igt_assert_eq(ioctl(prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), 0);
	syncobj_import_sync_file(fd, syncobj, export.fd);
	close(export.fd);
	close(prime.fd);
	return syncobj;
}

static bool vgem_has_given_up(const struct vgem *v)
{
	return perf_clock_ns(CLOCK_MONOTONIC) - v->made_ns > VGEM_NS;
}

static void vgem_signal(struct vgem *v)
{
	struct perf_vgem_signal signal = { .fence = v->fence };

	do_ioctl(v->fd, VGEM_SIGNAL, &signal);
}

static void test_other_device(int fd)
{
	uint32_t done = syncobj_create(fd, 0), theirs;
	struct perf_session s;
	struct vgem v;

	theirs = vgem_syncobj(&v, fd);
	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 3, theirs, 0, done, 0), 0);
	expect_no_signal(fd, done, 0);
	igt_assert_eq_u64(perf_insert(&s), 0);
	vgem_signal(&v);
	expect_signal(fd, done, 0);
	expect_sample(&s, 0, 3);
	perf_close(&s);
	close(v.fd);
	syncobj_destroy(fd, theirs);
	syncobj_destroy(fd, done);
}

/* A fence that ends with an error is no reason not to sample. */
static void test_failed_fence(int fd)
{
	uint32_t done = syncobj_create(fd, 0), theirs;
	struct perf_session s;
	struct vgem v;

	theirs = vgem_syncobj(&v, fd);
	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 3, theirs, 0, done, 0), 0);
	igt_assert_eq(perf_wait_value(fd, done, 0, 15000), 0);
	perf_wait(&s, 1);
	expect_sample(&s, 0, 3);
	perf_close(&s);
	close(v.fd);
	syncobj_destroy(fd, theirs);
	syncobj_destroy(fd, done);
}

/*
 * Several
 */

static void test_most_pending(int fd)
{
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	for (unsigned int run = 0; run < 3; run++) {
		uint64_t first = perf_insert(&t.s);

		perf_consume(&t.s, first);
		close_first(&t);
		for (unsigned int i = 0; i < SLOTS - 1; i++)
			sample_next(&t, i);
		igt_assert_eq(perf_sample_between(&t.s, 9, t.timeline, t.point, 0, 0), -EBUSY);
		igt_assert_eq(perf_sample(&t.s, 9), -EBUSY);
		expect_samples(&t.s, first);
		open_gate(&t);
		expect_signal(fd, t.timeline, t.point);
		igt_assert_eq_u64(perf_insert(&t.s), first + SLOTS - 1);
		for (unsigned int i = 0; i < SLOTS - 1; i++)
			expect_sample(&t.s, first + i, i);
	}
	ordered_close(&t);
}

/* A sample without waits does not overtake those before it, and neither does its fence. */
static void test_order(int fd)
{
	uint32_t done = syncobj_create(fd, 0);
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	sample_next(&t, 0);
	igt_assert_eq(perf_sample_between(&t.s, 1, 0, 0, done, 0), 0);
	igt_assert_eq(perf_sample(&t.s, 2), 0);
	expect_no_signal(fd, done, 0);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	open_gate(&t);
	perf_wait(&t.s, 3);
	expect_signal(fd, done, 0);
	for (unsigned int i = 0; i < 3; i++)
		expect_sample(&t.s, i, i);
	ordered_close(&t);
	syncobj_destroy(fd, done);
}

/* Sessions do not wait for each other. */
static void test_other_session(int fd)
{
	struct perf_session other;
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	perf_open(&other, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&other, 0), 0);
	close_first(&t);
	sample_next(&t, 0);
	for (unsigned int i = 0; i < 5; i++)
		igt_assert_eq_u64(perf_take(&other, i)->user_data, i);
	perf_finish(&other, 9);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	open_gate(&t);
	expect_signal(fd, t.timeline, t.point);
	perf_close(&other);
	ordered_close(&t);
}

/* Samples of two sessions that wait for the same job share a sample of the firmware. */
static void test_same_fence(int fd)
{
	struct perf_session sessions[4];
	uint32_t done = syncobj_create(fd, 0);
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		perf_open(&sessions[i], fd, SLOTS, 0);
		igt_assert_eq(perf_start(&sessions[i], 0), 0);
		igt_assert_eq(perf_sample_between(&sessions[i], i, t.timeline, 1, done, i + 1), 0);
	}
	expect_no_signal(fd, done, 1);
	open_gate(&t);
	expect_signal(fd, done, ARRAY_SIZE(sessions));
	for (unsigned int i = 0; i < ARRAY_SIZE(sessions); i++) {
		expect_sample(&sessions[i], 0, i);
		perf_close(&sessions[i]);
	}
	ordered_close(&t);
	syncobj_destroy(fd, done);
}

/*
 * The ends of a session, while samples wait
 */

static void test_stop(int fd)
{
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	for (unsigned int run = 0; run < 3; run++) {
		uint64_t first = perf_insert(&t.s);

		perf_consume(&t.s, first);
		close_first(&t);
		for (unsigned int i = 0; i < 3; i++)
			sample_next(&t, i);
		expect_samples(&t.s, first);
		igt_assert_eq(perf_stop(&t.s, 99), 0);
		perf_wait(&t.s, first + 4);
		for (unsigned int i = 0; i < 3; i++) {
			const struct drm_panthor_perf_sample_header *sample =
				perf_slot(&t.s, first + i);

			igt_assert_eq_u64(sample->user_data, i);
			igt_assert_eq_u32(sample->flags, 0);
			igt_assert(sample->events & DRM_PANTHOR_PERF_EVENT_CANCELLED);
		}
		igt_assert_eq_u64(perf_slot(&t.s, first + 3)->user_data, 99);
		igt_assert_eq_u32(perf_slot(&t.s, first + 3)->flags,
				  DRM_PANTHOR_PERF_SAMPLE_FINAL);
		/* No job runs before the fence that the sample waited for. */
		expect_no_signal(fd, t.timeline, t.point);
		open_gate(&t);
		expect_signal(fd, t.timeline, t.point);
		igt_assert_eq_u64(perf_insert(&t.s), first + 4);
		igt_assert_eq(perf_start(&t.s, 0), 0);
	}
	ordered_close(&t);
}

static void test_teardown(int fd)
{
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	for (unsigned int i = 0; i < SLOTS - 1; i++)
		sample_next(&t, i);
	store_next(&t, LEFT, 1);
	igt_assert_eq(perf_teardown(&t.s), 0);
	perf_sleep_ms(NOTHING_MS);
	igt_assert_eq_u32(word(&t, LEFT), 0);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	open_gate(&t);
	expect_signal(fd, t.timeline, t.point);
	igt_assert_eq_u32(word(&t, LEFT), 1);
	igt_assert_eq_u64(perf_insert(&t.s), 0);
	igt_assert_eq(perf_setup(&t.s), 0);
	ordered_close(&t);
}

/* A session in another open file, which waits for the gate and signals the point behind it. */
static void open_waiting(struct perf_session *s, int other, int timeline_fd)
{
	uint32_t timeline = syncobj_fd_to_handle(other, timeline_fd, 0);

	perf_open(s, other, SLOTS, 0);
	igt_assert_eq(perf_start(s, 0), 0);
	igt_assert_eq(perf_sample_between(s, 1, timeline, 1, timeline, 2), 0);
}

static void test_close(int fd)
{
	int other = perf_reopen(fd), timeline_fd;
	struct perf_session s;
	struct ordered t;

	ordered_open(&t, fd, SLOTS);
	timeline_fd = syncobj_handle_to_fd(fd, t.timeline, 0);
	close_first(&t);
	open_waiting(&s, other, timeline_fd);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.setup.eventfd);
	close(other);
	expect_no_signal(fd, t.timeline, 2);
	open_gate(&t);
	expect_signal(fd, t.timeline, 2);
	close(timeline_fd);
	ordered_close(&t);
}

static void test_killed(int fd)
{
	int ready[2], timeline_fd, status;
	struct ordered t;
	char byte = 0;
	pid_t child;

	ordered_open(&t, fd, SLOTS);
	timeline_fd = syncobj_handle_to_fd(fd, t.timeline, 0);
	igt_assert_eq(pipe(ready), 0);
	close_first(&t);
	/* Not one of igt_fork(): it is to be killed. */
	child = fork();
	igt_assert(child >= 0);
	if (!child) {
		struct perf_session s;

		open_waiting(&s, perf_reopen(fd), timeline_fd);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	igt_assert_eq(read(ready[0], &byte, 1), 1);
	kill(child, SIGKILL);
	igt_assert_eq(waitpid(child, &status, 0), child);
	igt_assert(WIFSIGNALED(status));
	expect_no_signal(fd, t.timeline, 2);
	open_gate(&t);
	expect_signal(fd, t.timeline, 2);
	close(ready[0]);
	close(timeline_fd);
	ordered_close(&t);
}

/* The file of the jobs closes, and their fences end with an error: the session goes on. */
static void test_jobs_closed(int fd)
{
	int other = perf_reopen(fd), timeline_fd;
	uint32_t timeline;
	struct perf_session s;
	struct ordered t;

	perf_announce("CSG slot|timedout|job timeout|Unhandled Page fault");
	ordered_open(&t, other, SLOTS);
	timeline_fd = syncobj_handle_to_fd(other, t.timeline, 0);
	close_first(&t);
	timeline = syncobj_fd_to_handle(fd, timeline_fd, 0);
	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 1, timeline, 1, timeline, 2), 0);
	expect_no_signal(fd, timeline, 2);
	munmap(t.s.ring.map, t.s.ring.size);
	munmap(t.s.control.map, t.s.control.size);
	close(t.s.setup.eventfd);
	munmap(t.q.bo.map, t.q.bo.size);
	close(other);
	igt_assert_eq(perf_wait_value(fd, timeline, 2, PERF_WAIT_MS), 0);
	perf_wait(&s, 1);
	igt_assert_eq_u64(perf_slot(&s, 0)->user_data, 1);
	igt_assert_eq_u32(perf_slot(&s, 0)->events & DRM_PANTHOR_PERF_EVENT_CANCELLED, 0);
	perf_close(&s);
	close(timeline_fd);
	syncobj_destroy(fd, timeline);
}

/*
 * Power, firmware, reset
 */

/* What a suspended GPU has counted is known: it is not resumed. */
static void test_suspended(int fd)
{
	static char device[PATH_MAX];
	uint32_t done = syncobj_create(fd, 0);
	struct perf_session s;

	perf_device_path(fd, device);
	perf_prepare(&s, fd, SLOTS, 0);
	s.setup.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	igt_assert_eq(perf_setup(&s), 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	perf_wait_runtime(device, "suspended");
	igt_assert_eq(perf_sample_between(&s, 3, 0, 0, done, 0), 0);
	expect_signal(fd, done, 0);
	igt_assert(perf_runtime_is(device, "suspended"));
	expect_sample(&s, 0, 3);
	igt_assert(perf_slot(&s, 0)->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
	perf_close(&s);
	syncobj_destroy(fd, done);
}

/* Samples that wait for each other, and the first for another device, over a system suspend. */
static void test_system_suspend(int fd)
{
	uint32_t done = syncobj_create(fd, 0), theirs;
	struct perf_session s;
	struct vgem v;
	bool late;

	theirs = vgem_syncobj(&v, fd);
	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_sample_between(&s, 0, theirs, 0, done, 1), 0);
	for (uint64_t i = 1; i < 4; i++)
		igt_assert_eq(perf_sample_between(&s, i, done, i, done, i + 1), 0);
	perf_suspend_devices();
	late = vgem_has_given_up(&v);
	if (!late) {
		expect_no_signal(fd, done, 1);
		igt_assert_eq_u64(perf_insert(&s), 0);
		vgem_signal(&v);
	}
	expect_signal(fd, done, 4);
	for (uint64_t i = 0; i < 4; i++) {
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, i);
		if (!late)
			igt_assert_eq(!!(perf_slot(&s, i)->events &
					 DRM_PANTHOR_PERF_EVENT_SUSPEND), !i);
		perf_assert_exact(perf_slot(&s, i));
	}
	perf_close(&s);
	close(v.fd);
	syncobj_destroy(fd, theirs);
	syncobj_destroy(fd, done);
}

/* A system suspend right behind SAMPLE: the sample comes before it, in it or behind it. */
static void test_system_suspend_soon(int fd)
{
	uint32_t done = syncobj_create(fd, 0);
	struct perf_session s;

	perf_open(&s, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	for (uint64_t i = 0; i < 3; i++) {
		igt_assert_eq(perf_sample_between(&s, i, 0, 0, done, i + 1), 0);
		perf_suspend_devices();
		expect_signal(fd, done, i + 1);
		igt_assert_eq_u64(perf_slot(&s, i)->user_data, i);
		perf_assert_exact(perf_slot(&s, i));
	}
	perf_close(&s);
	syncobj_destroy(fd, done);
}

/* Firmware that does not answer: the fence signals in time, and so do those behind it. */
static void test_silent(int fd)
{
	uint32_t done = syncobj_create(fd, 0);
	uint64_t begin, took;
	struct perf_session s;
	struct ordered t;

	perf_require_vgpu();
	ordered_open(&t, fd, SLOTS);
	close_first(&t);
	sample_next(&t, 0);
	sample_next(&t, 1);
	igt_assert_eq(perf_sample_between(&t.s, 2, t.timeline, t.point, done, 0), 0);
	expect_samples(&t.s, 0);
	perf_vgpu("x-delay-samples", 1000);
	begin = perf_clock_ns(CLOCK_MONOTONIC);
	open_gate(&t);
	igt_assert_eq(perf_wait_value(fd, done, 0, PERF_WAIT_MS), 0);
	took = perf_clock_ns(CLOCK_MONOTONIC) - begin;
	igt_info("the last fence signalled after %" PRIu64 " us\n", took / 1000);
	igt_assert_lte_u64(took, SIGNAL_MS * NS_PER_MS);
	igt_assert_eq_u64(perf_insert(&t.s), 3);
	for (unsigned int i = 0; i < 3; i++) {
		igt_assert_eq_u64(perf_slot(&t.s, i)->user_data, i);
		igt_assert(perf_slot(&t.s, i)->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	}
	perf_vgpu("x-delay-samples", 0);
	perf_vgpu("x-ack-now", 1);
	ordered_close(&t);
	syncobj_destroy(fd, done);

	perf_open(&s, fd, SLOTS, 0);
	perf_start_when_alive(&s);
	perf_close(&s);
}

/*
 * A reset cancels nothing: the sample that waited follows, with RESET. VGEM gives up on a fence
 * after 10 seconds, and the ping without an answer may be later: there is a younger fence then.
 */
static void test_reset(int fd)
{
	uint64_t end = perf_clock_ns(CLOCK_MONOTONIC) + PERF_RESET_WAIT_MS * NS_PER_MS;
	const struct drm_panthor_perf_sample_header *sample;
	uint32_t done = syncobj_create(fd, 0), theirs[16];
	uint64_t samples, next, now, due = 0, taken = 0;
	struct vgem v[ARRAY_SIZE(theirs)];
	struct perf_session s, other;
	unsigned int count = 0;

	perf_require_vgpu();
	perf_announce("FW ping timeout, scheduling a reset");
	perf_open(&s, fd, ARRAY_SIZE(theirs), 0);
	perf_open(&other, fd, SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	igt_assert_eq(perf_start(&other, 0), 0);
	perf_vgpu("x-drop-pings", 1);
	do {
		now = perf_clock_ns(CLOCK_MONOTONIC);
		igt_assert_f(now < end, "no sample has RESET\n");
		if (now >= due && count < ARRAY_SIZE(theirs)) {
			theirs[count] = vgem_syncobj(&v[count], fd);
			count++;
			igt_assert_eq(perf_sample_between(&s, count, theirs[count - 1], 0,
							  done, count), 0);
			due = now + 4 * NS_PER_S;
		}
		perf_sleep_ms(100);
		sample = perf_take(&other, taken++);
	} while (!perf_tells_reset(sample));

	next = perf_insert(&s);
	igt_assert_lt_u64(next, count);
	for (unsigned int i = next; i < count; i++)
		vgem_signal(&v[i]);
	expect_signal(fd, done, count);
	samples = perf_insert(&s);
	igt_assert_eq_u64(samples, count);
	for (uint64_t i = 0; i < samples; i++) {
		sample = perf_slot(&s, i);
		igt_assert_eq_u64(sample->user_data, i + 1);
		igt_assert_eq(perf_tells_reset(sample), i == next);
		igt_assert_eq(!!(sample->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR), i == next);
	}
	perf_close(&other);
	perf_close(&s);
	for (unsigned int i = 0; i < count; i++) {
		close(v[i].fd);
		syncobj_destroy(fd, theirs[i]);
	}
	syncobj_destroy(fd, done);
}

/* Processes that sample, stop and close at any time: every fence signals. */
static void test_many(int fd)
{
	igt_fork(child, 4) {
		int own = perf_reopen(fd);
		uint32_t timeline = syncobj_create(own, 0);
		uint64_t point = 0;
		struct perf_session s;

		srandom(child);
		for (unsigned int run = 0; run < 30; run++) {
			unsigned int count = random() % SLOTS;

			perf_open(&s, own, SLOTS, 0);
			igt_assert_eq(perf_start(&s, 0), 0);
			for (unsigned int i = 0; i < count; i++, point++)
				igt_assert_eq(perf_sample_between(&s, i, point ? timeline : 0,
								  point, timeline, point + 1), 0);
			if (random() % 2)
				igt_assert_eq(perf_stop(&s, 99), 0);
			if (random() % 2) {
				igt_assert_eq(perf_wait_value(own, timeline, point, SIGNAL_MS), 0);
				igt_assert_lte_u64(count, perf_insert(&s));
			}
			perf_close(&s);
			igt_assert_eq(perf_wait_value(own, timeline, point, SIGNAL_MS), 0);
		}
		close(own);
	}
	igt_waitchildren();
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = perf_open_gpu();
		igt_require_f(perf_info(fd).flags & DRM_PANTHOR_PERF_SYNCS_SUPPORT,
			      "the driver has no ordered samples\n");
	}

	for (const struct bad_op *bad = bad_ops; bad < bad_ops + ARRAY_SIZE(bad_ops); bad++) {
		igt_describe(bad->describe);
		igt_subtest_f("bad-%s", bad->name)
			test_bad_op(fd, bad);
	}

	igt_describe("Arrays of operations that are refused, and one of a later header.");
	igt_subtest("bad-array")
		test_bad_array(fd);

	igt_describe("Sessions that take no samples now.");
	igt_subtest("bad-state")
		test_bad_state(fd);

	igt_describe("PERF_INFO has how many samples may be pending.");
	igt_subtest("query")
		test_query(fd);

	igt_describe("The flag without an operation.");
	igt_subtest("without-operations")
		test_without_operations(fd);

	igt_describe("A sample is in the ring when its fence has signalled: a binary syncobj.");
	igt_subtest("signal-binary")
		test_signal(fd, 0);

	igt_describe("The same with points of a timeline.");
	igt_subtest("signal-timeline")
		test_signal(fd, 3);

	igt_describe("As many operations as a call may have, in an order of their own.");
	igt_subtest("most-operations")
		test_most(fd);

	igt_describe("A syncobj that has a fence gets that of the sample instead.");
	igt_subtest("signal-replaces")
		test_replace(fd);

	igt_describe("A wait that is over.");
	igt_subtest("wait-signalled")
		test_signalled(fd);

	igt_describe("A wait for a job, by a binary syncobj.");
	igt_subtest("wait-binary")
		test_wait(fd, 0);

	igt_describe("A wait for a job, by a point of a timeline.");
	igt_subtest("wait-timeline")
		test_wait(fd, 7);

	igt_describe("A wait without a signal.");
	igt_subtest("wait-alone")
		test_wait_alone(fd);

	igt_describe("A job that waits for a sample that waits for a job.");
	igt_subtest("job-sample-job")
		test_job_waits(fd);

	igt_describe("The syncobjs are destroyed behind the call.");
	igt_subtest("destroyed-syncobjs")
		test_gone(fd, true);

	igt_describe("The syncobjs get other fences behind the call.");
	igt_subtest("replaced-fences")
		test_gone(fd, false);

	igt_describe("Syncobjs of another open file.");
	igt_subtest("other-file")
		test_other_file(fd);

	igt_describe("Sync files: one merged of two as a wait, and one of the sample to poll.");
	igt_subtest("sync-files")
		test_sync_file(fd);

	igt_describe("The sample's fence is transferred to a timeline.");
	igt_subtest("transfer")
		test_transfer(fd);

	igt_describe("A fence of another device.");
	igt_subtest("other-device")
		test_other_device(fd);

	igt_describe("A fence of another device that ends with an error.");
	igt_subtest("failed-fence")
		test_failed_fence(fd);

	igt_describe("As many pending samples as the ring has room for, and one more.");
	igt_subtest("most-pending")
		test_most_pending(fd);

	igt_describe("Samples of a session stay in the order of the calls.");
	igt_subtest("order")
		test_order(fd);

	igt_describe("A session whose sample waits does not delay others.");
	igt_subtest("other-session")
		test_other_session(fd);

	igt_describe("Samples of several sessions wait for one job.");
	igt_subtest("same-fence")
		test_same_fence(fd);

	igt_describe("STOP while samples wait.");
	igt_subtest("stop")
		test_stop(fd);

	igt_describe("TEARDOWN while samples wait.");
	igt_subtest("teardown")
		test_teardown(fd);

	igt_describe("The file is closed while a sample waits.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("The process is killed while a sample waits.");
	igt_subtest("killed")
		test_killed(fd);

	igt_describe("The file of the job that a sample waits for is closed.");
	igt_subtest("jobs-closed")
		test_jobs_closed(fd);

	igt_describe("A suspended GPU is not resumed for a sample.");
	igt_subtest("suspended")
		test_suspended(fd);

	igt_describe("System suspend while samples wait for a fence: they follow, exact.");
	igt_subtest("system-suspend")
		test_system_suspend(fd);

	igt_describe("System suspend right behind SAMPLE: its fence signals.");
	igt_subtest("system-suspend-soon")
		test_system_suspend_soon(fd);

	igt_describe("Firmware does not answer: fences signal all the same.");
	igt_subtest("silent-firmware")
		test_silent(fd);

	igt_describe("The GPU is reset while a sample waits.");
	igt_subtest("reset")
		test_reset(fd);

	igt_describe("Several processes at once, which end their sessions at any time.");
	igt_subtest("many")
		test_many(fd);

	igt_fixture()
		drm_close_driver(fd);
}
