// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Ordered samples of the fake driver: a thread takes each when what it waits for has signalled, in the order of the calls.
 * And its node: whatever render node is opened, it is that of the fake driver.
 */

#define FAKE_OPEN

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <xf86drm.h>

#include <drm/panthor_perf_drm.h>

#include "fakedrm.h"
#include "fakenames.h"
#include "fakeorder.h"
#include "fakeparts.h"
#include "fakesyncobj.h"

#define RENDER_NODES	"/dev/dri/renderD"
#define WAIT_NS		50000000
#define STEP_NS		10000000

/**
 * struct order - an ordered sample
 */
struct order {
	/** @next: The next one that came. */
	struct order *next;

	/** @session: Handle of its session. */
	uint32_t session;

	/** @user_data: Its user data. */
	uint64_t user_data;

	/** @count: Number of @ops. */
	uint32_t count;

	/** @ops: What it waits for and signals. */
	struct drm_panthor_sync_op ops[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static struct order *first, **last = &first;
static pthread_t thread;
static bool has_thread;
static atomic_bool ends;
static atomic_uint delay_ms;
static atomic_uint hold_ms;
static atomic_bool fails;
/* No sample is in hand. */
static pthread_mutex_t taken_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t taken;

/**
 * fake_order_delay() - Have each ordered sample with user data be readable so many ms later than it signals
 * @ms: How many. 0 ends what is delayed, too.
 *
 * Later samples are taken when it is readable.
 */
void fake_order_delay(uint32_t ms)
{
	delay_ms = ms;
}

/**
 * fake_order_hold() - Have each ordered sample be taken so many ms later than it could be
 * @ms: How many. 0 ends what is held, too.
 */
void fake_order_hold(uint32_t ms)
{
	hold_ms = ms;
}

/** fake_order_fail() - Have each call for an ordered sample fail, or not. */
void fake_order_fail(uint32_t now)
{
	fails = now;
}

/** fake_order_taken() - How many ordered samples were taken, have signalled, and can be read. */
uint32_t fake_order_taken(void)
{
	uint32_t count;

	pthread_mutex_lock(&taken_lock);
	count = taken;
	pthread_mutex_unlock(&taken_lock);
	return count;
}

static bool is_signal(const struct drm_panthor_sync_op *op)
{
	return op->flags & DRM_PANTHOR_SYNC_OP_SIGNAL;
}

/* What was submitted may never end, but the process. */
static void wait_for(uint32_t handle, uint64_t point)
{
	int64_t end;

	do {
		end = fake_clock_ns(CLOCK_MONOTONIC) + WAIT_NS;
	} while (drmSyncobjTimelineWait(-1, &handle, &point, 1, end, 0, NULL) == -ETIME &&
		 !atomic_load(&ends));
}

static void signal_all(const struct order *order)
{
	for (uint32_t i = 0; i < order->count; i++) {
		const uint32_t handle = order->ops[i].handle;
		uint64_t point = order->ops[i].timeline_value;

		if (is_signal(&order->ops[i]))
			drmSyncobjTimelineSignal(-1, &handle, &point, 1);
	}
}

/* Until the time is over, which the program may set anew. */
static void delay(const atomic_uint *ms)
{
	const uint64_t begin = fake_clock_ns(CLOCK_MONOTONIC);

	while (fake_clock_ns(CLOCK_MONOTONIC) < begin + *ms * UINT64_C(1000000) &&
	       !atomic_load(&ends))
		nanosleep(&(struct timespec) { .tv_nsec = STEP_NS }, NULL);
}

static void run(struct order *order)
{
	for (uint32_t i = 0; i < order->count; i++) {
		if (!is_signal(&order->ops[i]))
			wait_for(order->ops[i].handle, order->ops[i].timeline_value);
	}
	delay(&hold_ms);
	if (delay_ms && order->user_data) {
		signal_all(order);
		delay(&delay_ms);
		pthread_mutex_lock(&taken_lock);
		fake_sample(order->session, order->user_data);
	} else {
		pthread_mutex_lock(&taken_lock);
		fake_sample(order->session, order->user_data);
		signal_all(order);
	}
	taken++;
	pthread_mutex_unlock(&taken_lock);
}

static void *take_samples(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!ends) {
		struct order *order = first;

		if (!order) {
			pthread_cond_wait(&came, &lock);
			continue;
		}
		first = order->next;
		if (!first)
			last = &first;
		pthread_mutex_unlock(&lock);
		run(order);
		free(order);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static int order(uint32_t session, uint64_t user_data, const struct drm_panthor_sync_op *ops,
		 uint32_t count)
{
	const size_t size = count * sizeof(*ops);
	struct order *new;
	int err;

	if (fails)
		return EIO;
	for (uint32_t i = 0; i < count; i++) {
		err = fake_syncobj_promised(ops[i].handle,
					    is_signal(&ops[i]) ? 0 : ops[i].timeline_value);
		if (err)
			return err;
	}
	new = malloc(sizeof(*new) + size);
	if (!new)
		return ENOMEM;
	new->next = NULL;
	new->session = session;
	new->user_data = user_data;
	new->count = count;
	memcpy(new->ops, ops, size);
	for (uint32_t i = 0; i < count; i++) {
		if (is_signal(&ops[i]))
			fake_syncobj_promise_handle(ops[i].handle, ops[i].timeline_value);
	}
	pthread_mutex_lock(&lock);
	*last = new;
	last = &new->next;
	if (!has_thread)
		has_thread = !pthread_create(&thread, NULL, take_samples, NULL);
	pthread_cond_signal(&came);
	pthread_mutex_unlock(&lock);
	return 0;
}

static void __attribute__((constructor)) begin(void)
{
	fake_order = order;
}

/* The library may be unloaded when the application destroys its instance. */
static void __attribute__((destructor)) end(void)
{
	pthread_mutex_lock(&lock);
	ends = true;
	pthread_cond_signal(&came);
	pthread_mutex_unlock(&lock);
	if (has_thread)
		pthread_join(thread, NULL);
	while (first) {
		struct order *next = first->next;

		free(first);
		first = next;
	}
}

int fake_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	/* The fake driver knows a node by its name. */
	if (!strncmp(path, RENDER_NODES, strlen(RENDER_NODES)))
		return memfd_create("fake.panthor", MFD_CLOEXEC);
	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	/* open() is this function. */
	return openat(AT_FDCWD, path, flags, mode);
}
