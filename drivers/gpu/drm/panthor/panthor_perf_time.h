/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_TIME_H__
#define __PANTHOR_PERF_TIME_H__

#include <linux/limits.h>
#include <linux/types.h>

/** define PANTHOR_PERF_NEVER - No deadline: a time in ns that is never reached. */
#define PANTHOR_PERF_NEVER	U64_MAX

u64 panthor_perf_grid_next(u64 period_ns, u64 now_ns);
u64 panthor_perf_grid_passed(u64 period_ns, u64 next_ns, u64 now_ns);

#endif
