// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Which points of timeline semaphores will be signalled without another call of the application?
 *
 * The layer sees all calls that signal a point. Where other devices or processes have the
 * semaphore, too, it is a syncobj, of which the kernel knows. That holds for binary semaphores as
 * well, whose signal is the fence that the syncobj has.
 *
 * A submission keeps what is known of its semaphores: the application may destroy a semaphore, and
 * create another one with the same handle, as soon as the GPU has executed the submission.
 */

#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <xf86drm.h>

#include "gpu.h"
#include "layer.h"
#include "semaphores.h"

/**
 * struct semaphore - a semaphore of the application
 */
struct semaphore {
	/** @handle: Handle. */
	VkSemaphore handle;

	/** @refs: References: of submissions, and of the set while it is not destroyed. */
	atomic_uint refs;

	/** @timeline: It is a timeline semaphore. */
	bool timeline;

	/** @gone: The application has destroyed it: all that was submitted with it is done. */
	bool gone;

	/**
	 * @replaced: The next wait for a binary semaphore is for a payload that came by an import
	 * or from a swapchain, and not for its syncobj.
	 */
	bool replaced;

	/** @ends_frame: What signals it next, or did last, ends a frame. */
	bool ends_frame;

	/** @value: The highest point that is reached, or that the driver has a submission for. */
	uint64_t value;

	/** @node: The open DRM node. */
	int node;

	/** @syncobj: It as a syncobj, since others may signal it; 0: it is the device's alone. */
	uint32_t syncobj;
};

/** deadline_ns() - A time of CLOCK_MONOTONIC, so many ns from now. */
int64_t deadline_ns(int64_t ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + ns;
}

/**
 * syncobj_has_fence() - Has the kernel a fence for a point of a syncobj?
 * @node: The open DRM node.
 * @syncobj: The syncobj.
 * @point: The point.
 * @timeout_ns: Longest time to wait for it.
 *
 * Return: Whether it has.
 */
bool syncobj_has_fence(int node, uint32_t syncobj, uint64_t point, int64_t timeout_ns)
{
	return !drmSyncobjTimelineWait(node, &syncobj, &point, 1, deadline_ns(timeout_ns),
				       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
				       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE, NULL);
}

static int compare(const void *a, const void *b)
{
	const struct semaphore *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

/** semaphores_find() - What is known of a semaphore; %NULL: nothing. Under the lock of the GPU. */
struct semaphore *semaphores_find(struct device *device, VkSemaphore handle)
{
	const struct semaphore key = { .handle = handle };
	struct semaphore **found = tfind(&key, &device->semaphores, compare);

	return found ? *found : NULL;
}

static void remove_locked(struct device *device, VkSemaphore handle)
{
	struct semaphore *semaphore = semaphores_find(device, handle);

	if (!semaphore)
		return;
	tdelete(semaphore, &device->semaphores, compare);
	semaphore->gone = true;
	semaphore_put(semaphore);
}

/**
 * semaphores_add() - The application has created a semaphore
 * @device: Its device.
 * @handle: Its handle.
 * @timeline: It is a timeline semaphore.
 * @value: Its point.
 *
 * Return: Whether there was memory.
 */
bool semaphores_add(struct device *device, VkSemaphore handle, bool timeline, uint64_t value)
{
	struct semaphore *semaphore = calloc(1, sizeof(*semaphore));
	bool added;

	if (!semaphore)
		return false;
	semaphore->handle = handle;
	semaphore->refs = 1;
	semaphore->timeline = timeline;
	semaphore->value = value;
	semaphore->node = gpu_node(device->gpu);
	gpu_lock(device->gpu);
	remove_locked(device, handle);
	added = tsearch(semaphore, &device->semaphores, compare);
	gpu_unlock(device->gpu);
	if (!added)
		free(semaphore);
	return added;
}

/** semaphores_remove() - The application destroys a semaphore. */
void semaphores_remove(struct device *device, VkSemaphore handle)
{
	gpu_lock(device->gpu);
	remove_locked(device, handle);
	gpu_unlock(device->gpu);
	/* What the driver has may have waited for it. */
	gpu_wake(device->gpu);
}

static void put(void *semaphore)
{
	semaphore_put(semaphore);
}

/** semaphores_fini() - Free what is known of the semaphores of a device. */
void semaphores_fini(struct device *device)
{
	tdestroy(device->semaphores, put);
	device->semaphores = NULL;
}

/** semaphores_import() - The syncobj of a file descriptor; 0: it is none. */
uint32_t semaphores_import(struct device *device, int fd)
{
	uint32_t syncobj;

	return drmSyncobjFDToHandle(gpu_node(device->gpu), fd, &syncobj) ? 0 : syncobj;
}

/** semaphores_drop() - The opposite of semaphores_import(). */
void semaphores_drop(struct device *device, uint32_t syncobj)
{
	if (syncobj)
		drmSyncobjDestroy(gpu_node(device->gpu), syncobj);
}

/**
 * semaphores_share() - A semaphore was imported or exported: others have it, too
 * @device: Its device.
 * @handle: Its handle.
 * @syncobj: It as a syncobj, which it has then.
 */
void semaphores_share(struct device *device, VkSemaphore handle, uint32_t syncobj)
{
	struct semaphore *semaphore;
	uint32_t before = syncobj;

	gpu_lock(device->gpu);
	semaphore = semaphores_find(device, handle);
	if (semaphore) {
		before = semaphore->syncobj;
		semaphore->syncobj = syncobj;
	}
	gpu_unlock(device->gpu);
	semaphores_drop(device, before);
	gpu_wake(device->gpu);
}

/** semaphores_replace() - Has a binary semaphore another payload for the next wait? */
void semaphores_replace(struct device *device, VkSemaphore handle, bool replaced)
{
	struct semaphore *semaphore;

	gpu_lock(device->gpu);
	semaphore = semaphores_find(device, handle);
	if (semaphore) {
		semaphore->replaced = replaced;
		/* No submission has signalled the new payload. */
		if (replaced)
			semaphore->ends_frame = false;
	}
	gpu_unlock(device->gpu);
}

/** semaphores_is_binary() - Is a semaphore binary? */
bool semaphores_is_binary(struct device *device, VkSemaphore handle)
{
	const struct semaphore *semaphore;
	bool binary;

	gpu_lock(device->gpu);
	semaphore = semaphores_find(device, handle);
	binary = !semaphore || !semaphore->timeline;
	gpu_unlock(device->gpu);
	return binary;
}

/** semaphores_signalled() - The application has signalled a point of a timeline semaphore. */
void semaphores_signalled(struct device *device, VkSemaphore handle, uint64_t value)
{
	struct semaphore *semaphore;

	gpu_lock(device->gpu);
	semaphore = semaphores_find(device, handle);
	if (semaphore)
		semaphore_promise(semaphore, value);
	gpu_changed_locked(device->gpu);
	gpu_unlock(device->gpu);
}

/** semaphore_get() - Keep a semaphore until semaphore_put(). May be %NULL. */
struct semaphore *semaphore_get(struct semaphore *semaphore)
{
	if (semaphore)
		semaphore->refs++;
	return semaphore;
}

/** semaphore_put() - The opposite of semaphore_get(). Needs no lock. */
void semaphore_put(struct semaphore *semaphore)
{
	if (!semaphore || --semaphore->refs)
		return;
	if (semaphore->syncobj)
		drmSyncobjDestroy(semaphore->node, semaphore->syncobj);
	free(semaphore);
}

/** semaphore_set_replaced() - Is the next wait for another payload than that of the syncobj? */
void semaphore_set_replaced(struct semaphore *semaphore, bool replaced)
{
	semaphore->replaced = replaced;
}

/** semaphore_set_ends_frame() - Does what signals it end a frame? */
void semaphore_set_ends_frame(struct semaphore *semaphore, bool ends)
{
	semaphore->ends_frame = ends;
}

/** semaphore_ends_frame() - Does what has signalled it, or will, end a frame? */
bool semaphore_ends_frame(const struct semaphore *semaphore)
{
	return semaphore->ends_frame;
}

/** semaphore_is_replaced() - Is the next wait for another payload than that of the syncobj? */
bool semaphore_is_replaced(const struct semaphore *semaphore)
{
	return semaphore->replaced;
}

/** semaphore_is_shared() - Do others have it, too? */
bool semaphore_is_shared(const struct semaphore *semaphore)
{
	return semaphore->syncobj;
}

/** semaphore_promise() - A point is signalled, or the driver has what will signal it. */
void semaphore_promise(struct semaphore *semaphore, uint64_t value)
{
	if (value > semaphore->value)
		semaphore->value = value;
}

/**
 * semaphore_state() - Can a submission wait for a semaphore?
 * @semaphore: The semaphore.
 * @value: The point, if it is a timeline semaphore.
 *
 * Return: The state.
 */
enum semaphore_state semaphore_state(struct semaphore *semaphore, uint64_t value)
{
	if (semaphore->gone)
		return SEMAPHORE_PROMISED;
	if (!semaphore->timeline)
		return semaphore->syncobj && !syncobj_has_fence(semaphore->node,
								semaphore->syncobj, 0, 0) ?
			SEMAPHORE_BINARY_SHARED : SEMAPHORE_BINARY;
	if (value <= semaphore->value)
		return SEMAPHORE_PROMISED;
	if (!semaphore->syncobj)
		return SEMAPHORE_OPEN;
	if (!syncobj_has_fence(semaphore->node, semaphore->syncobj, value, 0))
		return SEMAPHORE_OPEN_SHARED;
	semaphore->value = value;
	return SEMAPHORE_PROMISED;
}
