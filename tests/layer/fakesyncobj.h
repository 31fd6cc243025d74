/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Syncobjs in this process. A timeline syncobj has a value, and the highest point that has a fence: what was submitted
 * will signal it. A binary one has a fence or none; here, each of its fences is a point, and the last one counts.
 *
 * They live as long as the process: a file descriptor may have any of them.
 */
#ifndef TESTS_LAYER_FAKESYNCOBJ_H
#define TESTS_LAYER_FAKESYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

struct fake_syncobj;

/**
 * struct fake_listener - a semaphore of the driver that has the same points as a syncobj
 */
struct fake_listener {
	/** @next: Next of the syncobj. */
	struct fake_listener *next;

	/** @signalled: The syncobj has a new value. Called with the lock of all syncobjs held. */
	void (*signalled)(struct fake_listener *listener, uint64_t value);

	/** @value: Returns the value of the semaphore. Called likewise. */
	uint64_t (*value)(struct fake_listener *listener);
};

struct fake_syncobj *fake_syncobj_create(uint64_t value);
struct fake_syncobj *fake_syncobj_of_fd(int fd);
int fake_syncobj_fd(struct fake_syncobj *syncobj);

void fake_syncobj_listen(struct fake_syncobj *syncobj, struct fake_listener *listener);
void fake_syncobj_unlisten(struct fake_syncobj *syncobj, struct fake_listener *listener);

void fake_syncobj_promise(struct fake_syncobj *syncobj, uint64_t point);
void fake_syncobj_signal(struct fake_syncobj *syncobj, uint64_t point,
			 const struct fake_listener *from);
uint64_t fake_syncobj_value(struct fake_syncobj *syncobj);
uint64_t fake_syncobj_next(struct fake_syncobj *syncobj);
uint64_t fake_syncobj_take(struct fake_syncobj *syncobj);
uint64_t fake_syncobj_wait_promise(struct fake_syncobj *syncobj, const bool *ends);
void fake_syncobj_end(bool *ends);
int fake_syncobj_promised(uint32_t handle, uint64_t point);
void fake_syncobj_promise_handle(uint32_t handle, uint64_t point);

#endif
