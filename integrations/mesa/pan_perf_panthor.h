/*
 * Copyright (c) 2026 The panthor-perf developers
 * SPDX-License-Identifier: MIT
 *
 * Counters of the GPUs that the panthor kernel driver runs.
 *
 * A back-end is created for a device, and then enabled, dumped any number of
 * times, and disabled. A dump has what the GPU counted since the dump before,
 * or since the enable. Other processes may count at the same time.
 */

#ifndef PAN_PERF_PANTHOR_H
#define PAN_PERF_PANTHOR_H

#include <stdbool.h>
#include <stdint.h>

struct pan_kmod_dev;
struct pan_perf_panthor;

/* Open the render node of the first GPU with counters. Returns the file, or a
 * negative errno.
 */
int pan_perf_open(void);

/* Whether the file belongs to the panthor driver. */
bool pan_perf_panthor_probe(int fd);

/* Create a back-end as a child of a ralloc context. Returns NULL if memory
 * runs out. Freeing the context disables it.
 */
struct pan_perf_panthor *pan_perf_panthor_create(const void *mem_ctx,
                                                 struct pan_kmod_dev *dev);

/* Start to count. Returns 0 or a negative errno: -EOPNOTSUPP if the kernel or
 * the GPU has no counters, -EACCES if the process must not use them.
 */
int pan_perf_panthor_enable(struct pan_perf_panthor *panthor);

/* Stop to count. Does nothing without an enable before. */
void pan_perf_panthor_disable(struct pan_perf_panthor *panthor);

/* Write the counts since the last dump to values: PAN_PERF_MAX_COUNTERS for
 * each of PAN_PERF_MAX_CATEGORIES. Each is the sum over the blocks of the
 * category, at most UINT32_MAX. Waits for the sample of the GPU. Returns 0 or
 * a negative errno: -EIO if the GPU lost counts.
 */
int pan_perf_panthor_dump(struct pan_perf_panthor *panthor, uint32_t *values);

#endif
