// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/dma-fence-chain.h>
#include <linux/dma-fence-unwrap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>
#include <drm/panthor_drm.h>

#include "panthor_perf_syncs.h"

/**
 * DOC: Operations on syncobjs
 *
 * SAMPLE does everything that may fail or allocate memory before it queues the
 * sample: it finds the fences of its WAIT operations and merges them into one,
 * allocates the points of timelines, and merges the fence that the SIGNAL
 * operations install. The installation cannot fail. ::
 *
 *	WAIT fences --merge--> wait --callback--> worker --firmware--> sample's fence
 *	                         |                                           |
 *	                         +------------------merge--------------------+
 *	                                              |
 *	                                     SIGNAL operations
 *
 * A fence that exists signals some day, without any help of user space. That holds
 * for the merged one as well: the worker neither allocates memory nor waits, and
 * the sampler's deadlines end a sample that firmware does not answer. Nothing in
 * the driver waits for a sample's fence.
 */

#define MAX_SYNCS	64

/* Size of an operation in ABI 1: the least stride that a client may pass. */
#define MIN_SYNC_SIZE	offsetofend(struct drm_panthor_sync_op, timeline_value)

#define SYNC_FLAGS	(DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_MASK | (u32)DRM_PANTHOR_SYNC_OP_SIGNAL)

/**
 * struct panthor_perf_signal - SIGNAL operation
 */
struct panthor_perf_signal {
	/** @syncobj: Syncobj, with a reference. */
	struct drm_syncobj *syncobj;

	/** @chain: Memory for the point of a timeline. NULL for a binary syncobj. */
	struct dma_fence_chain *chain;

	/** @point: Point of the timeline. */
	u64 point;
};

static int check_op(const struct drm_panthor_sync_op *op)
{
	const bool signal = op->flags & DRM_PANTHOR_SYNC_OP_SIGNAL;

	if (op->flags & ~SYNC_FLAGS)
		return -EINVAL;

	switch (op->flags & DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_MASK) {
	case DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ:
		return op->timeline_value ? -EINVAL : 0;

	case DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ:
		return signal && !op->timeline_value ? -EINVAL : 0;

	default:
		return -EINVAL;
	}
}

static int add_signal(struct panthor_perf_syncs *syncs, struct drm_file *file,
		      const struct drm_panthor_sync_op *op)
{
	struct panthor_perf_signal *signal = &syncs->signals[syncs->signal_count];
	const u32 type = op->flags & DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_MASK;

	signal->syncobj = drm_syncobj_find(file, op->handle);
	if (!signal->syncobj)
		return -ENOENT;

	/* From here on panthor_perf_syncs_fini() puts the syncobj. */
	syncs->signal_count++;
	if (type == DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ)
		return 0;

	signal->point = op->timeline_value;
	signal->chain = dma_fence_chain_alloc();
	return signal->chain ? 0 : -ENOMEM;
}

static int add_wait(struct panthor_perf_syncs *syncs, struct drm_file *file,
		    const struct drm_panthor_sync_op *op)
{
	struct dma_fence *fence, *merged;
	int ret = drm_syncobj_find_fence(file, op->handle, op->timeline_value, 0, &fence);

	if (ret)
		return ret;

	if (!syncs->wait) {
		syncs->wait = fence;
		return 0;
	}

	merged = dma_fence_unwrap_merge(syncs->wait, fence);
	dma_fence_put(fence);
	if (!merged)
		return -ENOMEM;

	dma_fence_put(syncs->wait);
	syncs->wait = merged;
	return 0;
}

/**
 * panthor_perf_syncs_init() - Read and look up the operations of a call
 * @syncs: Zeroed. To be released with panthor_perf_syncs_fini(), also after an error.
 * @file: DRM file of the syncobjs.
 * @array: Array of &struct drm_panthor_sync_op in user space.
 *
 * Return: 0; -EINVAL if an operation is invalid, or if a fence does not exist; -E2BIG if bytes are
 * not 0 beyond those that the driver knows; -ENOENT if a syncobj does not exist; -EFAULT; -ENOMEM.
 */
int panthor_perf_syncs_init(struct panthor_perf_syncs *syncs, struct drm_file *file,
			    const struct drm_panthor_obj_array *array)
{
	void __user *user = u64_to_user_ptr(array->array);

	if (!array->count)
		return 0;

	if (array->count > MAX_SYNCS || array->stride > PAGE_SIZE || array->stride < MIN_SYNC_SIZE)
		return -EINVAL;

	syncs->signals = kcalloc(array->count, sizeof(*syncs->signals), GFP_KERNEL_ACCOUNT);
	if (!syncs->signals)
		return -ENOMEM;

	for (u32 i = 0; i < array->count; i++) {
		struct drm_panthor_sync_op op;
		int ret;

		ret = copy_struct_from_user(&op, sizeof(op), user + (size_t)i * array->stride,
					    array->stride);
		if (!ret)
			ret = check_op(&op);
		if (!ret)
			ret = op.flags & DRM_PANTHOR_SYNC_OP_SIGNAL ?
			      add_signal(syncs, file, &op) : add_wait(syncs, file, &op);
		if (ret)
			return ret;
	}

	return 0;
}

/**
 * panthor_perf_syncs_merge() - Prepare the fence that the SIGNAL operations install
 * @syncs: Operations.
 * @fence: Fence of the sample.
 *
 * The result signals after @fence and after the fences of the WAIT operations: the sample may be
 * cancelled before these signal.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_syncs_merge(struct panthor_perf_syncs *syncs, struct dma_fence *fence)
{
	if (!syncs->signal_count)
		return 0;

	syncs->fence = syncs->wait ? dma_fence_unwrap_merge(fence, syncs->wait) :
				     dma_fence_get(fence);
	return syncs->fence ? 0 : -ENOMEM;
}

/**
 * panthor_perf_syncs_install() - Install the merged fence in the syncobjs
 * @syncs: Operations, with a merged fence if there are SIGNAL operations.
 *
 * Does not fail.
 */
void panthor_perf_syncs_install(struct panthor_perf_syncs *syncs)
{
	for (u32 i = 0; i < syncs->signal_count; i++) {
		struct panthor_perf_signal *signal = &syncs->signals[i];

		if (signal->chain)
			drm_syncobj_add_point(signal->syncobj, signal->chain, syncs->fence,
					      signal->point);
		else
			drm_syncobj_replace_fence(signal->syncobj, syncs->fence);
		/* The timeline has the chain now. */
		signal->chain = NULL;
	}
}

/**
 * panthor_perf_syncs_fini() - Release all references
 * @syncs: Operations, installed or not.
 */
void panthor_perf_syncs_fini(struct panthor_perf_syncs *syncs)
{
	for (u32 i = 0; i < syncs->signal_count; i++) {
		dma_fence_chain_free(syncs->signals[i].chain);
		drm_syncobj_put(syncs->signals[i].syncobj);
	}

	kfree(syncs->signals);
	dma_fence_put(syncs->fence);
	dma_fence_put(syncs->wait);
}
