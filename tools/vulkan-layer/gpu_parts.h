/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* A GPU, for the sources that are parts of it. */
#ifndef VULKAN_LAYER_GPU_PARTS_H
#define VULKAN_LAYER_GPU_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pending.h"

struct device;
struct mark;
struct piece;
struct sampler;
struct submission;

/**
 * struct gpu - a GPU that is profiled
 */
struct gpu {
	/** @next: Next of the process. */
	struct gpu *next;

	/** @major: Number of its render node. */
	int64_t major;

	/** @minor: Number of its render node. */
	int64_t minor;

	/** @owner: The process. */
	pid_t owner;

	/** @sampler: Its counters and its timeline. Of the thread. */
	struct sampler *sampler;

	/** @wake: An eventfd that wakes the thread. */
	int wake;

	/** @thread: The thread. */
	pthread_t thread;

	/** @devices_lock: No device is added or removed. Taken before @lock. */
	pthread_mutex_t devices_lock;

	/** @lock: Guards all that follows, and the semaphores and queues of devices. */
	pthread_mutex_t lock;

	/** @done: A submission was handed to the driver. */
	pthread_cond_t done;

	/** @ends: The thread is to end. */
	bool ends;

	/** @locks: Holders of the profiling lock. */
	unsigned int locks;

	/** @lock_wanted: The thread is to start counting, for so many that wait on @done. */
	unsigned int lock_wanted;

	/** @lock_held: It counts for holders of the lock. */
	bool lock_held;

	/** @order_wanted: The thread is to put queues in order, for a call that waits on @done. */
	bool order_wanted;

	/** @ordered: Submissions that are not profiled must wait for the timeline, too. */
	bool ordered;

	/** @devices: Devices of the application. Changed only with @devices_lock. */
	struct device *devices;

	/** @device_count: Devices that were added, ever. */
	unsigned int device_count;

	/** @pending: Submissions that have not had their turn. */
	struct pending pending;

	/** @first_mark: Samples at ends of frames that are to be ordered, see marks.c. */
	struct mark *first_mark;

	/** @last_mark: Where the next one is linked. */
	struct mark **last_mark;

	/** @changes: Number of calls after which some of them may have it. */
	uint64_t changes;

	/** @seen: Those of them after which the thread has given a turn to all that can have it. */
	uint64_t seen;
};

bool turn_submit(struct gpu *gpu, struct piece *piece, bool ordered, bool signal);
bool turn_order_queues(struct gpu *gpu);
void turn_handed_over(struct gpu *gpu, struct submission *submission, bool unordered);
void turn_submit_profiled(struct gpu *gpu, struct submission *submission);

#endif
