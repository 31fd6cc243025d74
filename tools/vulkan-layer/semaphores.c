// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Which points of timeline semaphores will be signalled without another call of the application?
 *
 * The layer sees all calls that signal a point. Where other devices or processes have the
 * semaphore, too, it is a syncobj, of which the kernel knows.
 */

#include <search.h>
#include <stdlib.h>
#include <time.h>

#include <xf86drm.h>

#include "semaphores.h"

/**
 * struct semaphore - a timeline semaphore of the application
 */
struct semaphore {
	/** @handle: Handle. */
	VkSemaphore handle;

	/** @value: The highest point that is reached, or that the driver has a submission for. */
	uint64_t value;

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

static struct semaphore *find(void **all, VkSemaphore handle)
{
	const struct semaphore key = { .handle = handle };
	struct semaphore **found = tfind(&key, all, compare);

	return found ? *found : NULL;
}

/** semaphores_add() - The application has created a timeline semaphore. */
void semaphores_add(void **all, VkSemaphore handle, uint64_t value)
{
	struct semaphore *semaphore = calloc(1, sizeof(*semaphore));

	if (!semaphore)
		return;
	semaphore->handle = handle;
	semaphore->value = value;
	tsearch(semaphore, all, compare);
}

/** semaphores_remove() - The application destroys a semaphore. */
void semaphores_remove(void **all, int node, VkSemaphore handle)
{
	struct semaphore *semaphore = find(all, handle);

	if (!semaphore)
		return;
	tdelete(semaphore, all, compare);
	if (semaphore->syncobj)
		drmSyncobjDestroy(node, semaphore->syncobj);
	free(semaphore);
}

/** semaphores_share() - A semaphore is imported or exported as @fd: others may signal it. */
void semaphores_share(void **all, int node, VkSemaphore handle, int fd)
{
	struct semaphore *semaphore = find(all, handle);

	if (!semaphore)
		return;
	if (semaphore->syncobj)
		drmSyncobjDestroy(node, semaphore->syncobj);
	if (drmSyncobjFDToHandle(node, fd, &semaphore->syncobj))
		semaphore->syncobj = 0;
}

/** semaphores_promise() - A point is signalled, or the driver has what will signal it. */
void semaphores_promise(void **all, VkSemaphore handle, uint64_t value)
{
	struct semaphore *semaphore = find(all, handle);

	if (semaphore && value > semaphore->value)
		semaphore->value = value;
}

/** semaphores_state() - Will a point be signalled? */
enum semaphore_state semaphores_state(void **all, int node, VkSemaphore handle, uint64_t value)
{
	struct semaphore *semaphore = find(all, handle);

	if (!semaphore)
		return SEMAPHORE_BINARY;
	if (value <= semaphore->value)
		return SEMAPHORE_PROMISED;
	if (!semaphore->syncobj)
		return SEMAPHORE_OPEN;
	if (!syncobj_has_fence(node, semaphore->syncobj, value, 0))
		return SEMAPHORE_OPEN_SHARED;
	semaphore->value = value;
	return SEMAPHORE_PROMISED;
}

/** semaphores_is_shared() - Do others have a semaphore, too? */
bool semaphores_is_shared(void **all, VkSemaphore handle)
{
	const struct semaphore *semaphore = find(all, handle);

	return semaphore && semaphore->syncobj;
}

/** semaphores_fini() - Free what is known. Syncobjs stay until their node is closed. */
void semaphores_fini(void **all)
{
	tdestroy(*all, free);
	*all = NULL;
}
