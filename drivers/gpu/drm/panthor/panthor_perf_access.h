/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_ACCESS_H__
#define __PANTHOR_PERF_ACCESS_H__

#include <linux/types.h>

/* Largest number of sessions of one file. */
#define PANTHOR_PERF_FILE_SESSIONS	16

/* Largest number of sessions of one GPU, and the part reserved for processes with the right. */
#define PANTHOR_PERF_GPU_SESSIONS	64
#define PANTHOR_PERF_RESERVED_SESSIONS	16

bool panthor_perf_access_needs_right(u32 set);
bool panthor_perf_access_has_right(bool needed);
u32 panthor_perf_access_session_limit(u32 gpu_sessions, bool right);

#endif
