/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_SAMPLE_H
#define PANTHOR_PERF_SAMPLE_H

#include "internal.h"

/**
 * struct sample_layout - where the counters of samples are
 *
 * A compact sample has only blocks of types with an enabled counter, and of each block only the
 * enabled counters.
 */
struct sample_layout {
	/** @compact: Samples are compact. If they are not, what follows is not used. */
	bool compact;

	/** @indices: By block type: the counters, rising; %NULL: the sample has no such blocks. */
	uint16_t *indices[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @count: Their number. */
	uint32_t count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @size: Bytes of a sample. */
	size_t size;
};

/**
 * sample_layout_init() - Where the counters of samples are
 * @layout: The layout.
 * @compact: Counters of compact samples; %NULL: the samples are not compact.
 *
 * Return: 0; -EINVAL if samples would be too large for this machine; -ENOMEM.
 */
int sample_layout_init(struct sample_layout *layout, const struct panthor_perf_selection *compact);

/**
 * sample_layout_fini() - Free what a layout consists of
 * @layout: The layout.
 */
void sample_layout_fini(struct sample_layout *layout);

/**
 * struct panthor_perf_block - one block of a sample
 */
struct panthor_perf_block {
	/** @header: The block header; members that the kernel does not know are 0. */
	struct drm_panthor_perf_block_header header;

	/** @counters: The counters, by index unless there are @indices. */
	const uint64_t *counters;

	/** @counter_count: Number of elements of @counters. */
	uint32_t counter_count;

	/** @indices: In a compact sample: the index of each element of @counters, rising. */
	const uint16_t *indices;
};

/**
 * struct panthor_perf_sample - one sample
 */
struct panthor_perf_sample {
	/** @gpu: The GPU. */
	const struct panthor_perf_gpu *gpu;

	/** @layout: Where the counters are. */
	const struct sample_layout *layout;

	/** @own_layout: The layout of a sample of panthor_perf_sample_create(). */
	struct sample_layout own_layout;

	/** @header: The sample header; members that the kernel does not know are 0. */
	struct drm_panthor_perf_sample_header header;

	/** @data: The bytes of the sample as the kernel wrote them, %NULL: there are none. */
	const void *data;

	/** @size: Bytes at @data. */
	size_t size;

	/** @blocks: The blocks. */
	struct panthor_perf_block *blocks;

	/** @block_count: Their number. */
	size_t block_count;

	/** @block_room: Number of elements of @blocks. */
	size_t block_room;
};

/**
 * sample_read_header() - Read the header of a sample
 * @gpu: The GPU.
 * @data: The bytes of the sample.
 * @header: Where the header is returned.
 */
void sample_read_header(const struct panthor_perf_gpu *gpu, const void *data,
			struct drm_panthor_perf_sample_header *header);

#endif /* PANTHOR_PERF_SAMPLE_H */
