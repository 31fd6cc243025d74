/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_ENTRY_H__
#define __PANTHOR_PERF_ENTRY_H__

#include <linux/types.h>

struct panthor_perf_layout;

bool panthor_perf_entry_is_protected_exit(const struct panthor_perf_layout *layout,
					  const u32 *entry);
bool panthor_perf_entry_add(const struct panthor_perf_layout *layout, const u32 *entry, u64 *totals,
			    u64 *gpu_timestamp);

#endif
