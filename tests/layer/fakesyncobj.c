// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>

#include "fakesyncobj.h"

/**
 * struct fake_syncobj - a syncobj
 */
struct fake_syncobj {
	/** @next: Next of the process. */
	struct fake_syncobj *next;

	/** @handle: Its handle, the same in all nodes. */
	uint32_t handle;

	/** @handles: Handles that are open. */
	unsigned int handles;

	/** @file: A file that descriptors of it refer to; -1: there is none yet. */
	int file;

	/** @value: The highest point that has signalled. */
	uint64_t value;

	/** @promised: The highest point that has a fence. */
	uint64_t promised;

	/** @reset: Of a binary one: the fences up to this one were taken away. */
	uint64_t reset;

	/** @listeners: Those that are called. */
	struct fake_listener *listeners;
};

/* Guards all syncobjs. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct fake_syncobj *syncobjs;
static uint32_t last_handle;

static void __attribute__((constructor)) begin(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attr);
	pthread_condattr_destroy(&attr);
}

/* Those of devices that the application has not destroyed are still in use. */
static void __attribute__((destructor)) end(void)
{
	struct fake_syncobj **link = &syncobjs;

	pthread_mutex_lock(&lock);
	while (*link) {
		struct fake_syncobj *syncobj = *link;

		if (syncobj->listeners) {
			link = &syncobj->next;
			continue;
		}
		*link = syncobj->next;
		if (syncobj->file >= 0)
			close(syncobj->file);
		free(syncobj);
	}
	pthread_mutex_unlock(&lock);
}

static struct fake_syncobj *create_locked(uint64_t value)
{
	struct fake_syncobj *syncobj = calloc(1, sizeof(*syncobj));

	if (!syncobj)
		abort();
	syncobj->handle = ++last_handle;
	syncobj->file = -1;
	syncobj->value = value;
	syncobj->promised = value;
	syncobj->next = syncobjs;
	syncobjs = syncobj;
	return syncobj;
}

static struct fake_syncobj *find_locked(uint32_t handle)
{
	struct fake_syncobj *syncobj = syncobjs;

	while (syncobj && (syncobj->handle != handle || !syncobj->handles))
		syncobj = syncobj->next;
	return syncobj;
}

static struct fake_syncobj *of_fd_locked(int fd)
{
	struct fake_syncobj *syncobj;
	struct stat own, other;

	if (fstat(fd, &other))
		return NULL;
	for (syncobj = syncobjs; syncobj; syncobj = syncobj->next) {
		if (syncobj->file >= 0 && !fstat(syncobj->file, &own) && own.st_dev == other.st_dev &&
		    own.st_ino == other.st_ino)
			return syncobj;
	}
	return NULL;
}

static int fd_locked(struct fake_syncobj *syncobj)
{
	if (syncobj->file < 0)
		syncobj->file = memfd_create("syncobj", MFD_CLOEXEC);
	return syncobj->file < 0 ? -1 : fcntl(syncobj->file, F_DUPFD_CLOEXEC, 0);
}

static void signal_locked(struct fake_syncobj *syncobj, uint64_t point,
			  const struct fake_listener *from)
{
	struct fake_listener *listener;

	if (point <= syncobj->value)
		return;
	syncobj->value = point;
	if (point > syncobj->promised)
		syncobj->promised = point;
	for (listener = syncobj->listeners; listener; listener = listener->next) {
		if (listener != from)
			listener->signalled(listener, point);
	}
	pthread_cond_broadcast(&changed);
}

/* What a semaphore has reached is reached, though the thread that waits for it may not have seen it. */
static uint64_t value_locked(struct fake_syncobj *syncobj)
{
	struct fake_listener *listener;

	for (listener = syncobj->listeners; listener; listener = listener->next)
		signal_locked(syncobj, listener->value(listener), listener);
	return syncobj->value;
}

/** fake_syncobj_create() - Create a syncobj without a handle. */
struct fake_syncobj *fake_syncobj_create(uint64_t value)
{
	struct fake_syncobj *syncobj;

	pthread_mutex_lock(&lock);
	syncobj = create_locked(value);
	pthread_mutex_unlock(&lock);
	return syncobj;
}

/** fake_syncobj_of_fd() - The syncobj that a file descriptor stands for. May be %NULL. */
struct fake_syncobj *fake_syncobj_of_fd(int fd)
{
	struct fake_syncobj *syncobj;

	pthread_mutex_lock(&lock);
	syncobj = of_fd_locked(fd);
	pthread_mutex_unlock(&lock);
	return syncobj;
}

/** fake_syncobj_fd() - A file descriptor that stands for a syncobj. -1: there are too many. */
int fake_syncobj_fd(struct fake_syncobj *syncobj)
{
	int fd;

	pthread_mutex_lock(&lock);
	fd = fd_locked(syncobj);
	pthread_mutex_unlock(&lock);
	return fd;
}

/** fake_syncobj_listen() - Have a listener called; at once if the syncobj has signalled. */
void fake_syncobj_listen(struct fake_syncobj *syncobj, struct fake_listener *listener)
{
	pthread_mutex_lock(&lock);
	listener->next = syncobj->listeners;
	syncobj->listeners = listener;
	if (syncobj->value)
		listener->signalled(listener, syncobj->value);
	pthread_mutex_unlock(&lock);
}

/** fake_syncobj_unlisten() - Have a listener called no longer. */
void fake_syncobj_unlisten(struct fake_syncobj *syncobj, struct fake_listener *listener)
{
	struct fake_listener **link = &syncobj->listeners;

	pthread_mutex_lock(&lock);
	while (*link && *link != listener)
		link = &(*link)->next;
	if (*link)
		*link = listener->next;
	pthread_mutex_unlock(&lock);
}

static void promise_locked(struct fake_syncobj *syncobj, uint64_t point)
{
	if (point > syncobj->promised)
		syncobj->promised = point;
	pthread_cond_broadcast(&changed);
}

/** fake_syncobj_promise() - Something was submitted that signals a point. */
void fake_syncobj_promise(struct fake_syncobj *syncobj, uint64_t point)
{
	pthread_mutex_lock(&lock);
	promise_locked(syncobj, point);
	pthread_mutex_unlock(&lock);
}

/** fake_syncobj_value() - The highest point that has signalled. */
uint64_t fake_syncobj_value(struct fake_syncobj *syncobj)
{
	uint64_t value;

	pthread_mutex_lock(&lock);
	value = value_locked(syncobj);
	pthread_mutex_unlock(&lock);
	return value;
}

/** fake_syncobj_next() - Something was submitted that signals a binary syncobj: by this point. */
uint64_t fake_syncobj_next(struct fake_syncobj *syncobj)
{
	uint64_t point;

	pthread_mutex_lock(&lock);
	point = syncobj->promised + 1;
	promise_locked(syncobj, point);
	pthread_mutex_unlock(&lock);
	return point;
}

/**
 * fake_syncobj_take() - Something is to be submitted that waits for a binary syncobj
 * @syncobj: The syncobj, which has no fence then.
 *
 * Return: The point to wait for; 0: nothing signals it.
 */
uint64_t fake_syncobj_take(struct fake_syncobj *syncobj)
{
	uint64_t point;

	pthread_mutex_lock(&lock);
	point = syncobj->promised > syncobj->reset ? syncobj->promised : 0;
	syncobj->reset = syncobj->promised;
	pthread_mutex_unlock(&lock);
	return point;
}

/** fake_syncobj_signal() - A point is reached. The listener @from is not called. */
void fake_syncobj_signal(struct fake_syncobj *syncobj, uint64_t point,
			 const struct fake_listener *from)
{
	pthread_mutex_lock(&lock);
	signal_locked(syncobj, point, from);
	pthread_mutex_unlock(&lock);
}

/**
 * fake_syncobj_wait_promise() - Wait until something will signal a syncobj
 * @syncobj: The syncobj.
 * @ends: The wait ends when this is set, and fake_syncobj_wake() called.
 *
 * Return: The next point that is not signalled; 0: @ends is set.
 */
uint64_t fake_syncobj_wait_promise(struct fake_syncobj *syncobj, const bool *ends)
{
	uint64_t point;

	pthread_mutex_lock(&lock);
	while (!*ends && syncobj->promised <= syncobj->value)
		pthread_cond_wait(&changed, &lock);
	point = *ends ? 0 : syncobj->value + 1;
	pthread_mutex_unlock(&lock);
	return point;
}

/** fake_syncobj_end() - Set a flag of fake_syncobj_wait_promise(). */
void fake_syncobj_end(bool *ends)
{
	pthread_mutex_lock(&lock);
	*ends = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/**
 * fake_syncobj_promised() - Has a point a fence?
 * @handle: Handle of the syncobj.
 * @point: The point.
 *
 * Return: 0 or an errno, as of SAMPLE.
 */
int fake_syncobj_promised(uint32_t handle, uint64_t point)
{
	const struct fake_syncobj *syncobj;
	int err;

	pthread_mutex_lock(&lock);
	syncobj = find_locked(handle);
	err = !syncobj ? ENOENT : syncobj->promised < point ? EINVAL : 0;
	pthread_mutex_unlock(&lock);
	return err;
}

/** fake_syncobj_promise_handle() - fake_syncobj_promise(), of a handle. */
void fake_syncobj_promise_handle(uint32_t handle, uint64_t point)
{
	struct fake_syncobj *syncobj;

	pthread_mutex_lock(&lock);
	syncobj = find_locked(handle);
	if (syncobj)
		promise_locked(syncobj, point);
	pthread_mutex_unlock(&lock);
}

/* ---- libdrm ---- */

int drmSyncobjCreate(int fd, uint32_t flags, uint32_t *handle)
{
	struct fake_syncobj *syncobj;

	(void)fd;
	pthread_mutex_lock(&lock);
	syncobj = create_locked(flags & DRM_SYNCOBJ_CREATE_SIGNALED ? 1 : 0);
	syncobj->handles = 1;
	*handle = syncobj->handle;
	pthread_mutex_unlock(&lock);
	return 0;
}

int drmSyncobjDestroy(int fd, uint32_t handle)
{
	struct fake_syncobj *syncobj;

	(void)fd;
	pthread_mutex_lock(&lock);
	syncobj = find_locked(handle);
	if (syncobj)
		syncobj->handles--;
	pthread_mutex_unlock(&lock);
	return syncobj ? 0 : -ENOENT;
}

int drmSyncobjHandleToFD(int fd, uint32_t handle, int *obj_fd)
{
	struct fake_syncobj *syncobj;

	(void)fd;
	pthread_mutex_lock(&lock);
	syncobj = find_locked(handle);
	*obj_fd = syncobj ? fd_locked(syncobj) : -1;
	pthread_mutex_unlock(&lock);
	return *obj_fd < 0 ? -ENOENT : 0;
}

/* In the kernel each call makes a handle, here the last one that is destroyed counts. */
int drmSyncobjFDToHandle(int fd, int obj_fd, uint32_t *handle)
{
	struct fake_syncobj *syncobj;

	(void)fd;
	pthread_mutex_lock(&lock);
	syncobj = of_fd_locked(obj_fd);
	if (syncobj) {
		syncobj->handles++;
		*handle = syncobj->handle;
	}
	pthread_mutex_unlock(&lock);
	return syncobj ? 0 : -EINVAL;
}

int drmSyncobjQuery(int fd, uint32_t *handles, uint64_t *points, uint32_t handle_count)
{
	int ret = 0;

	(void)fd;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < handle_count; i++) {
		struct fake_syncobj *syncobj = find_locked(handles[i]);

		if (syncobj)
			points[i] = value_locked(syncobj);
		else
			ret = -ENOENT;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

int drmSyncobjReset(int fd, const uint32_t *handles, uint32_t handle_count)
{
	int ret = 0;

	(void)fd;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < handle_count; i++) {
		struct fake_syncobj *syncobj = find_locked(handles[i]);

		if (syncobj)
			syncobj->reset = syncobj->promised;
		else
			ret = -ENOENT;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

int drmSyncobjTimelineSignal(int fd, const uint32_t *handles, uint64_t *points,
			     uint32_t handle_count)
{
	int ret = 0;

	(void)fd;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < handle_count; i++) {
		struct fake_syncobj *syncobj = find_locked(handles[i]);

		if (syncobj)
			signal_locked(syncobj, points[i], NULL);
		else
			ret = -ENOENT;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/* Point 0 is the newest fence that was not taken away. */
static bool is_there(const struct fake_syncobj *syncobj, uint64_t point, unsigned int flags)
{
	if (!point && syncobj->promised <= syncobj->reset)
		return false;
	if (!point)
		point = syncobj->promised;
	return point <= (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE ? syncobj->promised :
									 syncobj->value);
}

int drmSyncobjTimelineWait(int fd, uint32_t *handles, uint64_t *points, unsigned int num_handles,
			   int64_t timeout_nsec, unsigned int flags, uint32_t *first_signaled)
{
	const struct timespec end = { timeout_nsec / 1000000000, timeout_nsec % 1000000000 };
	unsigned int i = 0, first = num_handles;
	int ret = 0;

	(void)fd;
	pthread_mutex_lock(&lock);
	while (i < num_handles && !ret) {
		const struct fake_syncobj *syncobj = find_locked(handles[i]);

		if (!syncobj) {
			ret = -ENOENT;
		} else if (is_there(syncobj, points[i], flags)) {
			first = i++;
			if (!(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL))
				break;
		} else if (!(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) &&
			   !is_there(syncobj, points[i], DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)) {
			ret = -EINVAL;
		} else if (i + 1 < num_handles && !(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)) {
			i++;
		} else {
			/* Of several, each is looked at once more. */
			ret = -pthread_cond_timedwait(&changed, &lock, &end);
			if (ret == -ETIMEDOUT)
				ret = -ETIME;
			i = 0;
		}
	}
	pthread_mutex_unlock(&lock);
	if (!ret && first_signaled)
		*first_signaled = first;
	return ret;
}

int drmSyncobjWait(int fd, uint32_t *handles, unsigned int num_handles, int64_t timeout_nsec,
		   unsigned int flags, uint32_t *first_signaled)
{
	uint64_t *points = calloc(num_handles + 1, sizeof(*points));
	int ret;

	if (!points)
		return -ENOMEM;
	ret = drmSyncobjTimelineWait(fd, handles, points, num_handles, timeout_nsec, flags,
				     first_signaled);
	free(points);
	return ret;
}
