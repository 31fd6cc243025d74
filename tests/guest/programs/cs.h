/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Jobs for the GPU, through the driver's own interface: one VM with one buffer object, groups of
 * two queues, streams of a few instructions.
 */
#ifndef CS_TEST_H
#define CS_TEST_H

#include <linux/sync_file.h>

#include "perf.h"

#define QUEUES		2

/* Where the one buffer object is for the GPU: instructions first, then data. */
#define BO_SIZE		65536
#define BO_VA		0x1000000ull
#define DATA_OFFSET	32768
#define DATA_VA		(BO_VA + DATA_OFFSET)
#define NOWHERE_VA	0x8000000ull
#define STREAM_WORDS	16
#define WAIT_NS		(30 * 1000000000ll)
#define JOB_TIMEOUT_NS	(5 * 1000000000ll)

/* Of the first job of a group: behind those of the tests */
#define FIRST_STREAM	200
#define FIRST_WORD	1000

/* Instructions */
#define MOVE48(dst, value)	(1ull << 56 | (uint64_t)(dst) << 48 | (value))
#define MOVE32(dst, value)	(2ull << 56 | (uint64_t)(dst) << 48 | (uint32_t)(value))
#define WAIT(mask)		(3ull << 56 | (uint64_t)(mask) << 16)
#define STORE(data, address)	(21ull << 56 | (uint64_t)(data) << 48 | \
				 (uint64_t)(address) << 40 | 1ull << 16)
#define BRANCH_ALWAYS(offset)	(22ull << 56 | 6ull << 28 | (uint16_t)(offset))
#define FLUSH(id)		(36ull << 56 | (uint64_t)(id) << 40 | 0x233)
#define SYNC_ADD64(address, data) \
				(51ull << 56 | (uint64_t)(address) << 40 | (uint64_t)(data) << 32)
#define SYNC_WAIT64_GT(address, data) \
				(53ull << 56 | (uint64_t)(address) << 40 | \
				 (uint64_t)(data) << 32 | 1ull << 28)
#define NO_INSTRUCTION		(200ull << 56)

static int gpu;
static uint32_t vm;
static struct object object;

static inline volatile uint32_t *data(unsigned int word)
{
	return (uint32_t *)((char *)object.map + DATA_OFFSET) + word;
}

static inline uint64_t data_va(unsigned int word)
{
	return DATA_VA + 4 * word;
}

static inline void call(const char *what, unsigned long request, void *arg)
{
	int error = perf_call(gpu, request, arg);

	if (error) {
		errno = error;
		die(what);
	}
}

static inline void make_vm(void)
{
	struct drm_panthor_vm_create create = { 0 };
	struct drm_panthor_vm_bind_op op = {
		.flags = DRM_PANTHOR_VM_BIND_OP_TYPE_MAP,
		.va = BO_VA,
		.size = BO_SIZE,
	};
	struct drm_panthor_vm_bind bind = {
		.ops = DRM_PANTHOR_OBJ_ARRAY(1, &op),
	};

	call("VM_CREATE", DRM_IOCTL_PANTHOR_VM_CREATE, &create);
	vm = create.id;
	object = object_map(gpu, BO_SIZE);
	op.bo_handle = object.handle;
	bind.vm_id = vm;
	call("VM_BIND", DRM_IOCTL_PANTHOR_VM_BIND, &bind);
	memset(object.map, 0, BO_SIZE);
}

static inline uint32_t make_group(void)
{
	struct drm_panthor_queue_create queues[QUEUES] = {
		{ .priority = 1, .ringbuf_size = 4096 }, { .priority = 2, .ringbuf_size = 4096 },
	};
	struct drm_panthor_group_create create = {
		.queues = DRM_PANTHOR_OBJ_ARRAY(QUEUES, queues),
		.max_compute_cores = 1,
		.max_fragment_cores = 1,
		.max_tiler_cores = 1,
		.priority = PANTHOR_GROUP_PRIORITY_MEDIUM,
		.compute_core_mask = 1,
		.fragment_core_mask = 1,
		.tiler_core_mask = 1,
		.vm_id = vm,
	};

	call("GROUP_CREATE", DRM_IOCTL_PANTHOR_GROUP_CREATE, &create);
	return create.group_handle;
}

static inline void destroy_group(uint32_t group)
{
	struct drm_panthor_group_destroy destroy = { .group_handle = group };

	call("GROUP_DESTROY", DRM_IOCTL_PANTHOR_GROUP_DESTROY, &destroy);
}

static inline uint32_t make_syncobj(void)
{
	struct drm_syncobj_create create = { 0 };

	call("SYNCOBJ_CREATE", DRM_IOCTL_SYNCOBJ_CREATE, &create);
	return create.handle;
}

/* Place @count words as stream number @at, and submit that; 0 or the errno of the call. */
static inline int submit(uint32_t group, unsigned int queue, unsigned int at,
			 const uint64_t *words, unsigned int count, uint32_t syncobj)
{
	struct drm_panthor_sync_op sync = {
		.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ | DRM_PANTHOR_SYNC_OP_SIGNAL,
		.handle = syncobj,
	};
	struct drm_panthor_queue_submit job = {
		.queue_index = queue,
		.stream_size = 8 * count,
		.stream_addr = BO_VA + 8 * STREAM_WORDS * at,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(1, &sync),
	};
	struct drm_panthor_group_submit submit = {
		.group_handle = group,
		.queue_submits = DRM_PANTHOR_OBJ_ARRAY(1, &job),
	};

	memcpy((uint64_t *)object.map + STREAM_WORDS * at, words, 8 * count);
	return perf_call(gpu, DRM_IOCTL_PANTHOR_GROUP_SUBMIT, &submit);
}

static inline int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Wait for the end of a job: 1 done, 0 not done in time, or the negative errno that it has. */
static inline int outcome_within(uint32_t syncobj, int64_t ns)
{
	struct sync_fence_info fence = { 0 };
	struct sync_file_info file = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	struct drm_syncobj_handle handle = {
		.handle = syncobj, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
	};
	struct drm_syncobj_wait wait = { .handles = (uintptr_t)&syncobj, .count_handles = 1 };

	wait.timeout_nsec = now_ns() + ns;
	if (perf_call(gpu, DRM_IOCTL_SYNCOBJ_WAIT, &wait))
		return 0;
	call("SYNCOBJ_HANDLE_TO_FD", DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle);
	if (ioctl(handle.fd, SYNC_IOC_FILE_INFO, &file))
		die("SYNC_IOC_FILE_INFO");
	close(handle.fd);
	return file.status;
}

static inline int outcome(uint32_t syncobj)
{
	return outcome_within(syncobj, WAIT_NS);
}

static inline void check_outcome(const char *what, uint32_t syncobj, int want)
{
	int got = outcome(syncobj);

	if (got == want)
		check(true, "%s: %s", what, want == 1 ? "done" : errno_name(-want));
	else
		check(false, "%s - outcome %d, want %d", what, got, want);
}

static inline uint32_t group_state(uint32_t group)
{
	struct drm_panthor_group_get_state state = { .group_handle = group };

	call("GROUP_GET_STATE", DRM_IOCTL_PANTHOR_GROUP_GET_STATE, &state);
	return state.state;
}

/*
 * The driver gives a job five seconds. One of a group without a slot may be declared timed out at
 * once: drm_sched_suspend_timeout() (Linux 6.12) sets a timer MAX_SCHEDULE_TIMEOUT jiffies ahead,
 * which the timer wheel takes for one of the past when its own clock is behind jiffies, as it is on
 * a CPU that has just been kept waiting. Its group goes with it.
 *
 * @since is a time before the job was submitted.
 */
static inline bool is_false_timeout(int end, int64_t since)
{
	return end == -ETIMEDOUT && now_ns() - since < JOB_TIMEOUT_NS;
}

/* Store a value, as a user would: seven instructions. */
static inline unsigned int store(uint64_t *words, uint64_t va, uint32_t value)
{
	const uint64_t stream[] = {
		MOVE48(68, va), MOVE32(70, value), STORE(70, 68), WAIT(0xff),
		MOVE32(70, 0), FLUSH(70), WAIT(0xff),
	};

	memcpy(words, stream, sizeof(stream));
	return sizeof(stream) / sizeof(*stream);
}

/* The first job of a group: false if it timed out too early, or the group did behind its end. */
static inline bool run_first(uint32_t group)
{
	uint64_t words[STREAM_WORDS];
	unsigned int count = store(words, data_va(FIRST_WORD), 1);
	uint32_t syncobj = make_syncobj();
	int64_t begin = now_ns();
	int end;

	if (submit(group, 0, FIRST_STREAM, words, count, syncobj))
		die("submitting the first job of a group");
	end = outcome(syncobj);
	if (end != 1 && !is_false_timeout(end, begin))
		die("the first job of a group");
	usleep(20000);
	return end == 1 && !group_state(group);
}

/* Groups that the kernel gives up before their time, one after the other: more are no accident. */
#define MAX_FALSE_TIMEOUTS	5

/* A group whose jobs take the full time to time out, as long as no others want its slot. */
static inline uint32_t make_group_with_slot(void)
{
	uint32_t group = make_group();

	for (int tries = 1; !run_first(group); tries++) {
		printf("group %u timed out too early, number %d\n", group, tries);
		if (tries == MAX_FALSE_TIMEOUTS)
			die("groups that time out too early");
		destroy_group(group);
		group = make_group();
	}
	return group;
}

#endif
