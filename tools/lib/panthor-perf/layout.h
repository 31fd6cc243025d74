/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_LAYOUT_H
#define PANTHOR_PERF_LAYOUT_H

#include "panthor_perf.h"

/**
 * struct panthor_perf_layout - where the counters of a compact sample are
 *
 * A compact sample has only blocks of types with an enabled counter, and of each block only the
 * enabled counters.
 */
struct panthor_perf_layout {
	/** @indices: By block type: the counters, rising; %NULL: the sample has no such blocks. */
	uint16_t *indices[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @count: Their number. */
	uint32_t count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @size: Bytes of a sample. */
	uint32_t size;

	/** @expanded_size: Bytes of a sample with the same blocks and all counters. */
	uint32_t expanded_size;
};

/**
 * panthor_perf_layout_expand() - Give a compact sample all counters
 * @layout: Its layout.
 * @info: Counter configuration.
 * @compact: Its bytes, &panthor_perf_layout.size.
 * @data: Where it is written, &panthor_perf_layout.expanded_size, 8-byte aligned. Counters that
 *	are not enabled are 0.
 *
 * Return: 0; -EPROTO if the sample has other blocks.
 */
int panthor_perf_layout_expand(const struct panthor_perf_layout *layout,
			       const struct drm_panthor_perf_info *info, const void *compact,
			       void *data);

#endif /* PANTHOR_PERF_LAYOUT_H */
