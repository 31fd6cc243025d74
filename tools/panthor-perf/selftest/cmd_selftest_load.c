// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <xf86drm.h>

#include "cmd_selftest.h"

/*
 * A load without shaders and without memory traffic: command streams that count down a register.
 * It needs nothing of a user space driver, and its length is known.
 */

/* Where the one buffer object is for the GPU: instructions, then what they store. */
#define BO_SIZE		65536
#define BO_VA		0x1000000ull
#define DATA_OFFSET	32768
#define STREAM_BYTES	128
#define RING_BYTES	4096
#define MAX_JOBS	64

/* For all jobs. The driver gives each five seconds, so that one that hangs ends by itself. */
#define WAIT_NS		60000000000ull

/*
 * drm/sched of Linux 6.12 may take a job for timed out that was submitted a moment ago, and panthor
 * ends its group. A job that has run for less than this has not timed out.
 */
#define TIMEOUT_NS	4000000000ull

/* Such time-outs after which it is no accident any more. */
#define MAX_FALSE	5

/* Instructions */
#define MOVE48(dst, value)	(1ull << 56 | (uint64_t)(dst) << 48 | (value))
#define MOVE32(dst, value)	(2ull << 56 | (uint64_t)(dst) << 48 | (uint32_t)(value))
#define WAIT(mask)		(3ull << 56 | (uint64_t)(mask) << 16)
#define ADD32(dst, src, value)	(16ull << 56 | (uint64_t)(dst) << 48 | (uint64_t)(src) << 40 | \
				 (uint32_t)(value))
#define STORE(data, address)	(21ull << 56 | (uint64_t)(data) << 48 | \
				 (uint64_t)(address) << 40 | 1ull << 16)
#define BRANCH_GT(value, offset) (22ull << 56 | (uint64_t)(value) << 40 | 1ull << 28 | \
				 (uint16_t)(offset))
#define FLUSH(id)		(36ull << 56 | (uint64_t)(id) << 40 | 0x233)

/**
 * struct load - a queue for jobs
 */
struct load {
	/** @fd: The node. */
	int fd;

	/** @vm: Address space. */
	uint32_t vm;

	/** @group: Group of one queue. */
	uint32_t group;

	/** @bo: Handle of the buffer object. */
	uint32_t bo;

	/** @syncobj: Signalled by the last job. */
	uint32_t syncobj;

	/** @map: Mapping of the buffer object. */
	char *map;

	/** @cores: Shader cores of the group. */
	uint64_t cores;

	/** @lost: Groups that the driver has ended. */
	unsigned int lost;
};

static int call(struct load *load, unsigned long request, void *arg)
{
	return drmIoctl(load->fd, request, arg) ? -errno : 0;
}

static int make_memory(struct load *load)
{
	struct drm_panthor_vm_create vm = { 0 };
	struct drm_panthor_bo_create bo = { .size = BO_SIZE };
	struct drm_panthor_bo_mmap_offset offset = { 0 };
	struct drm_panthor_vm_bind_op op = {
		.flags = DRM_PANTHOR_VM_BIND_OP_TYPE_MAP,
		.va = BO_VA,
		.size = BO_SIZE,
	};
	struct drm_panthor_vm_bind bind = { .ops = DRM_PANTHOR_OBJ_ARRAY(1, &op) };
	void *map;
	int ret;

	ret = call(load, DRM_IOCTL_PANTHOR_VM_CREATE, &vm);
	if (ret)
		return ret;
	load->vm = vm.id;
	ret = call(load, DRM_IOCTL_PANTHOR_BO_CREATE, &bo);
	if (ret)
		return ret;
	load->bo = bo.handle;
	op.bo_handle = bo.handle;
	bind.vm_id = load->vm;
	ret = call(load, DRM_IOCTL_PANTHOR_VM_BIND, &bind);
	if (ret)
		return ret;
	offset.handle = bo.handle;
	ret = call(load, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset);
	if (ret)
		return ret;
	map = mmap(NULL, BO_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, load->fd, offset.offset);
	if (map == MAP_FAILED)
		return -errno;
	load->map = map;
	memset(map, 0, BO_SIZE);
	return 0;
}

static int make_group(struct load *load)
{
	struct drm_panthor_queue_create queue = { .priority = 1, .ringbuf_size = RING_BYTES };
	struct drm_panthor_group_create create = {
		.queues = DRM_PANTHOR_OBJ_ARRAY(1, &queue),
		.max_compute_cores = 1,
		.max_fragment_cores = 1,
		.max_tiler_cores = 1,
		.priority = PANTHOR_GROUP_PRIORITY_MEDIUM,
		.compute_core_mask = load->cores,
		.fragment_core_mask = load->cores,
		.tiler_core_mask = 1,
		.vm_id = load->vm,
	};
	int ret = call(load, DRM_IOCTL_PANTHOR_GROUP_CREATE, &create);

	if (!ret)
		load->group = create.group_handle;
	return ret;
}

static int make_syncobj(struct load *load)
{
	struct drm_syncobj_create syncobj = { 0 };
	int ret = call(load, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj);

	load->syncobj = syncobj.handle;
	return ret;
}

static void destroy_group(struct load *load)
{
	struct drm_panthor_group_destroy group = { .group_handle = load->group };

	if (load->group)
		call(load, DRM_IOCTL_PANTHOR_GROUP_DESTROY, &group);
	load->group = 0;
}

static bool group_is_lost(struct load *load)
{
	struct drm_panthor_group_get_state state = { .group_handle = load->group };

	return !call(load, DRM_IOCTL_PANTHOR_GROUP_GET_STATE, &state) && state.state;
}

/* A new group in place of one that the driver has ended. */
static int renew_group(struct load *load)
{
	if (++load->lost > MAX_FALSE)
		return -EIO;
	destroy_group(load);
	return make_group(load);
}

/**
 * load_create() - Make a queue for jobs
 * @st: The self-test.
 * @load: Where it is returned.
 *
 * Return: 0 or a negative errno.
 */
int load_create(struct selftest *st, struct load **load)
{
	struct load *made = calloc(1, sizeof(*made));
	int ret;

	if (!made)
		return -ENOMEM;
	made->fd = panthor_perf_device_fd(st->device);
	made->cores = st->gpu.shader_present & -st->gpu.shader_present;
	ret = make_memory(made);
	if (!ret)
		ret = make_group(made);
	if (!ret)
		ret = make_syncobj(made);
	if (ret) {
		load_destroy(made);
		return ret;
	}
	*load = made;
	return 0;
}

/**
 * load_destroy() - Undo load_create()
 * @load: The queue.
 */
void load_destroy(struct load *load)
{
	struct drm_syncobj_destroy syncobj = { .handle = load->syncobj };
	struct drm_panthor_vm_destroy vm = { .id = load->vm };
	struct drm_gem_close bo = { .handle = load->bo };

	destroy_group(load);
	if (load->syncobj)
		call(load, DRM_IOCTL_SYNCOBJ_DESTROY, &syncobj);
	if (load->vm)
		call(load, DRM_IOCTL_PANTHOR_VM_DESTROY, &vm);
	if (load->map)
		munmap(load->map, BO_SIZE);
	if (load->bo)
		call(load, DRM_IOCTL_GEM_CLOSE, &bo);
	free(load);
}

/* The stream of a number. */
static int submit_job(struct load *load, unsigned int number, uint32_t size)
{
	struct drm_panthor_sync_op sync = {
		.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ | DRM_PANTHOR_SYNC_OP_SIGNAL,
		.handle = load->syncobj,
	};
	struct drm_panthor_queue_submit job = {
		.stream_size = size,
		.stream_addr = BO_VA + number * STREAM_BYTES,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(1, &sync),
	};
	struct drm_panthor_group_submit submit = {
		.group_handle = load->group,
		.queue_submits = DRM_PANTHOR_OBJ_ARRAY(1, &job),
	};

	return call(load, DRM_IOCTL_PANTHOR_GROUP_SUBMIT, &submit);
}

/**
 * load_queue() - Submit jobs
 * @load: The queue, idle.
 * @iterations: Turns of each job's loop, 1 or more.
 * @jobs: Number of jobs, 64 at most.
 *
 * Starts again if the driver ends the queue in the meantime.
 *
 * Return: 0 or a negative errno.
 */
int load_queue(struct load *load, uint32_t iterations, unsigned int jobs)
{
	const uint64_t stream[] = {
		MOVE48(68, BO_VA + DATA_OFFSET), MOVE32(70, iterations),
		ADD32(70, 70, -1), BRANCH_GT(70, -2),
		MOVE32(72, iterations), STORE(72, 68), WAIT(0xff),
		MOVE32(72, 0), FLUSH(72), WAIT(0xff),
	};
	unsigned int i;
	int ret;

	_Static_assert(sizeof(stream) <= STREAM_BYTES, "a stream has its place");
	if (jobs > MAX_JOBS)
		return -EINVAL;
	do {
		ret = group_is_lost(load) ? renew_group(load) : 0;
		for (i = 0; i < jobs && !ret; i++) {
			memcpy(load->map + i * STREAM_BYTES, stream, sizeof(stream));
			ret = submit_job(load, i, sizeof(stream));
		}
	} while (ret == -EINVAL && group_is_lost(load));
	return ret;
}

/**
 * load_wait() - Wait for the end of all jobs
 * @load: The queue.
 *
 * Return: 0; -ETIME if they do not end; another negative errno. A job that failed ends, too:
 * load_stored() checks this.
 */
int load_wait(struct load *load)
{
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&load->syncobj,
		.count_handles = 1,
		.timeout_nsec = selftest_now(CLOCK_MONOTONIC) + WAIT_NS,
	};

	return call(load, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

/**
 * load_busy() - Is there work?
 * @load: The queue.
 *
 * Return: Whether a job has not ended.
 */
bool load_busy(struct load *load)
{
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&load->syncobj,
		.count_handles = 1,
	};

	return call(load, DRM_IOCTL_SYNCOBJ_WAIT, &wait) == -ETIME;
}

/**
 * load_run() - Run one job
 * @load: The queue.
 * @iterations: Turns of its loop.
 * @ns: Where the time that it took is returned.
 *
 * A job that the driver ends long before its time is run again.
 *
 * Return: 0; -EIO if it did not store what it should; another negative errno.
 */
int load_run(struct load *load, uint32_t iterations, uint64_t *ns)
{
	bool again;
	int ret;

	do {
		uint64_t start = selftest_now(CLOCK_MONOTONIC);

		memset(load->map + DATA_OFFSET, 0, 4);
		ret = load_queue(load, iterations, 1);
		if (!ret)
			ret = load_wait(load);
		*ns = selftest_now(CLOCK_MONOTONIC) - start;
		if (!ret && load_stored(load) != iterations)
			ret = -EIO;
		again = ret == -EIO && *ns < TIMEOUT_NS && load->lost < MAX_FALSE &&
			group_is_lost(load);
	} while (again);
	return ret;
}

/**
 * load_lost() - How often did the driver end the queue before its time?
 * @load: The queue.
 *
 * Return: Number of times.
 */
unsigned int load_lost(const struct load *load)
{
	return load->lost;
}

/**
 * load_stored() - What the last job stored
 * @load: The queue.
 *
 * Return: Its iterations, if it came to its end.
 */
uint32_t load_stored(const struct load *load)
{
	uint32_t stored;

	memcpy(&stored, load->map + DATA_OFFSET, sizeof(stored));
	return stored;
}
