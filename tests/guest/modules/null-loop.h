/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef NULL_LOOP_H
#define NULL_LOOP_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct null_loop_start - begin to signal periods
 */
struct null_loop_start {
	/** @period_ns: Period in ns, from 10000 on. */
	__u64 period_ns;

	/** @eventfd: Gets one count for each signalled period. */
	__s32 eventfd;

	/** @pad: 0. */
	__u32 pad;
};

/**
 * struct null_loop_told - what was signalled since START
 */
struct null_loop_told {
	/** @signalled: Counts of the eventfd. */
	__u64 signalled;

	/** @merged: Periods that passed beyond the first of each count. */
	__u64 merged;
};

/* -EBUSY if started, -EINVAL for a period that is too short or a pad, -EBADF. */
#define NULL_LOOP_START	_IOW('N', 0x50, struct null_loop_start)
/* Both tell; -EINVAL if not started. */
#define NULL_LOOP_STOP	_IOR('N', 0x51, struct null_loop_told)
#define NULL_LOOP_TELL	_IOR('N', 0x52, struct null_loop_told)

#endif
