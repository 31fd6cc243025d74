/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Jobs of a few instructions, as many as the counters are to be compared with.
 */
#ifndef PANTHOR_PERF_JOB_H
#define PANTHOR_PERF_JOB_H

#include "panthor_perf.h"

#define JOB_VA		0x1000000ull
#define JOB_SIZE	65536
#define JOB_DATA_OFFSET	32768
#define JOB_DATA_VA	(JOB_VA + JOB_DATA_OFFSET)
#define JOB_WAIT_MS	60000

/* Streams that are in flight at the same time, and the instructions that each may have. */
#define JOB_PLACES	64
#define JOB_PLACE_WORDS	64

/* What the driver gives a job. */
#define JOB_TIMEOUT_MS	5000

/* Groups that the kernel gives up before their time, one after the other: more are no accident. */
#define JOB_MAX_FALSE_TIMEOUTS	5

/* Instructions of the command streams. */
#define CS_NOP()			0ull
#define CS_MOVE48(reg, value)		(1ull << 56 | (uint64_t)(reg) << 48 | (value))
#define CS_MOVE32(reg, value)		(2ull << 56 | (uint64_t)(reg) << 48 | (uint32_t)(value))
#define CS_WAIT(mask)			(3ull << 56 | (uint64_t)(mask) << 16)
#define CS_RUN_COMPUTE()		(4ull << 56 | 1)
#define CS_STORE(reg, address)		(21ull << 56 | (uint64_t)(reg) << 48 | \
					 (uint64_t)(address) << 40 | 1ull << 16)
#define CS_BRANCH_ALWAYS(offset)	(22ull << 56 | 6ull << 28 | (uint16_t)(offset))
#define CS_FLUSH(reg)			(36ull << 56 | (uint64_t)(reg) << 40 | 0x233)

/**
 * struct perf_job_queue - a group of one queue, and its memory
 */
struct perf_job_queue {
	/** @fd: The GPU. */
	int fd;

	/** @vm: Address space. */
	uint32_t vm;

	/** @group: The group. */
	uint32_t group;

	/** @syncobj: Signalled by the newest job. */
	uint32_t syncobj;

	/** @bo: Instructions, and data at JOB_DATA_OFFSET. */
	struct perf_bo bo;
};

/* A stream that lies at this word of the buffer object, with these operations. */
static inline void perf_job_submit_ops(struct perf_job_queue *q, uint32_t word,
				       const uint64_t *words, uint32_t count,
				       const struct drm_panthor_sync_op *ops, uint32_t op_count)
{
	struct drm_panthor_queue_submit job = {
		.stream_size = 8 * count,
		.stream_addr = JOB_VA + 8 * word,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(op_count, ops),
	};
	struct drm_panthor_group_submit submit = {
		.group_handle = q->group,
		.queue_submits = DRM_PANTHOR_OBJ_ARRAY(1, &job),
	};

	igt_assert_lte_u32(8 * (word + count), JOB_DATA_OFFSET);
	memcpy((uint64_t *)q->bo.map + word, words, 8 * count);
	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_PANTHOR_GROUP_SUBMIT, &submit), 0);
}

/* One of several that are in flight. */
static inline void perf_job_submit_at(struct perf_job_queue *q, uint32_t place,
				      const uint64_t *words, uint32_t count,
				      const struct drm_panthor_sync_op *ops, uint32_t op_count)
{
	igt_assert_lt_u32(place, JOB_PLACES);
	igt_assert_lte_u32(count, JOB_PLACE_WORDS);
	perf_job_submit_ops(q, place * JOB_PLACE_WORDS, words, count, ops, op_count);
}

static inline void perf_job_submit(struct perf_job_queue *q, const uint64_t *words, uint32_t count)
{
	const struct drm_panthor_sync_op op = {
		.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ | DRM_PANTHOR_SYNC_OP_SIGNAL,
		.handle = q->syncobj,
	};

	perf_job_submit_ops(q, 0, words, count, &op, 1);
}

/* Has the newest job ended, one way or the other, within this time? */
static inline bool perf_job_done(struct perf_job_queue *q, uint64_t ms)
{
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&q->syncobj,
		.count_handles = 1,
		.timeout_nsec = perf_clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS,
	};

	return perf_call(q->fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait) == 0;
}

static inline uint32_t perf_job_group_state(struct perf_job_queue *q)
{
	struct drm_panthor_group_get_state state = { .group_handle = q->group };

	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_PANTHOR_GROUP_GET_STATE, &state), 0);
	return state.state;
}

/* What the newest job has stored. */
static inline uint32_t perf_job_data(struct perf_job_queue *q)
{
	return __atomic_load_n((uint32_t *)((char *)q->bo.map + JOB_DATA_OFFSET), __ATOMIC_ACQUIRE);
}

static inline void perf_job_create_group(struct perf_job_queue *q)
{
	struct drm_panthor_queue_create queue = { .priority = 1, .ringbuf_size = 4096 };
	struct drm_panthor_group_create group = {
		.queues = DRM_PANTHOR_OBJ_ARRAY(1, &queue),
		.max_compute_cores = 1,
		.max_fragment_cores = 1,
		.max_tiler_cores = 1,
		.priority = PANTHOR_GROUP_PRIORITY_MEDIUM,
		.tiler_core_mask = 1,
		.vm_id = q->vm,
	};
	struct drm_panthor_gpu_info gpu = { 0 };

	/* One core, of those that are present. */
	igt_assert_eq(perf_query(q->fd, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &gpu, sizeof(gpu)), 0);
	group.compute_core_mask = gpu.shader_present & -gpu.shader_present;
	group.fragment_core_mask = group.compute_core_mask;
	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_PANTHOR_GROUP_CREATE, &group), 0);
	q->group = group.group_handle;
}

static inline void perf_job_destroy_group(struct perf_job_queue *q)
{
	struct drm_panthor_group_destroy group = { .group_handle = q->group };

	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_PANTHOR_GROUP_DESTROY, &group), 0);
}

/*
 * The first job of a group, which has no slot yet. Linux 6.12 may declare such a group timed out:
 * drm_sched_suspend_timeout() sets a timer so far ahead that a CPU whose timers are late takes it
 * for one of the past. Return: false if that has happened.
 */
static inline bool perf_job_run_first(struct perf_job_queue *q)
{
	const uint64_t begin = perf_clock_ns(CLOCK_MONOTONIC), nop = CS_NOP();
	uint32_t state;

	perf_announce("job timeout");
	perf_job_submit(q, &nop, 1);
	igt_assert(perf_job_done(q, JOB_WAIT_MS));
	perf_sleep_ms(20);
	state = perf_job_group_state(q);
	if (state) {
		igt_assert_eq_u32(state, DRM_PANTHOR_GROUP_STATE_TIMEDOUT);
		igt_assert_lt_u64(perf_clock_ns(CLOCK_MONOTONIC) - begin,
				  JOB_TIMEOUT_MS * NS_PER_MS);
	}
	return !state;
}

/* A group that has a slot, and has run a job of one instruction. */
static inline void perf_job_open(struct perf_job_queue *q, int fd)
{
	struct drm_panthor_vm_create vm = { 0 };
	struct drm_panthor_vm_bind_op op = {
		.flags = DRM_PANTHOR_VM_BIND_OP_TYPE_MAP,
		.va = JOB_VA,
		.size = JOB_SIZE,
	};
	struct drm_panthor_vm_bind bind = { .ops = DRM_PANTHOR_OBJ_ARRAY(1, &op) };
	struct drm_syncobj_create syncobj = { 0 };

	q->fd = fd;
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_VM_CREATE, &vm), 0);
	q->vm = vm.id;
	q->bo = perf_bo_create_mapped(fd, JOB_SIZE);
	op.bo_handle = q->bo.handle;
	bind.vm_id = q->vm;
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_VM_BIND, &bind), 0);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj), 0);
	q->syncobj = syncobj.handle;
	perf_job_create_group(q);
	for (int tries = 1; !perf_job_run_first(q); tries++) {
		igt_info("group %u timed out too early, number %d\n", q->group, tries);
		igt_assert_lt(tries, JOB_MAX_FALSE_TIMEOUTS);
		perf_job_destroy_group(q);
		perf_job_create_group(q);
	}
}

static inline void perf_job_close(struct perf_job_queue *q)
{
	struct drm_panthor_vm_destroy vm = { .id = q->vm };
	struct drm_syncobj_destroy syncobj = { .handle = q->syncobj };

	perf_job_destroy_group(q);
	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_PANTHOR_VM_DESTROY, &vm), 0);
	igt_assert_eq(perf_call(q->fd, DRM_IOCTL_SYNCOBJ_DESTROY, &syncobj), 0);
	perf_bo_free(q->fd, &q->bo);
}

#endif
