/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_GPU_H
#define PANTHOR_PERF_GPU_H

#include "panthor_perf.h"

/**
 * struct panthor_perf_gpu - a GPU and its counter configuration
 *
 * The kernel's structures are kept as it wrote them: a program may know more of their members than
 * the library.
 */
struct panthor_perf_gpu {
	/** @users: Selections, samples and values that need it. */
	unsigned int users;

	/** @gpu: What the library knows of GPU_INFO, 0 where the kernel does not. */
	struct drm_panthor_gpu_info gpu;

	/** @info: What the library knows of PERF_INFO. */
	struct drm_panthor_perf_info info;

	/** @gpu_bytes: GPU_INFO as the kernel wrote it. */
	void *gpu_bytes;

	/** @gpu_size: Bytes at @gpu_bytes. */
	size_t gpu_size;

	/** @info_bytes: PERF_INFO as the kernel wrote it. */
	void *info_bytes;

	/** @info_size: Bytes at @info_bytes. */
	size_t info_size;
};

/**
 * panthor_perf_copy_known() - Copy what both sides know of a structure, and set the rest to 0
 * @dst: Where to.
 * @dst_size: Bytes at @dst.
 * @src: Where from. May be %NULL if @src_size is 0.
 * @src_size: Bytes at @src.
 */
void panthor_perf_copy_known(void *dst, size_t dst_size, const void *src, size_t src_size);

/**
 * gpu_is_same() - Do two objects describe GPUs whose samples look alike?
 * @a: One.
 * @b: The other one.
 *
 * Return: Whether they do.
 */
bool gpu_is_same(const struct panthor_perf_gpu *a, const struct panthor_perf_gpu *b);

#endif /* PANTHOR_PERF_GPU_H */
