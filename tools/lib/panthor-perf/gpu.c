// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "internal.h"

void panthor_perf_copy_known(void *dst, size_t dst_size, const void *src, size_t src_size)
{
	size_t size = src_size < dst_size ? src_size : dst_size;

	if (size)
		memcpy(dst, src, size);
	if (size < dst_size)
		memset((char *)dst + size, 0, dst_size - size);
}

/* What the steps through a sample rely on. */
static int check_info(const struct drm_panthor_perf_info *info, size_t kernel_size,
		      struct panthor_perf_error *error)
{
	uint64_t stride = info->block_header_size + 8ull * info->counters_per_block;
	const char *what = NULL;

	if (kernel_size < offsetof(struct drm_panthor_perf_info, neural_blocks))
		return panthor_perf_fail(error, -EPROTO,
					 "PERF_INFO of the driver is cut off at %zu bytes",
					 kernel_size);
	/* Nothing else means what it does here. A structure too short for the member has 0. */
	if (info->abi != DRM_PANTHOR_PERF_ABI)
		return panthor_perf_fail(error, -EPROTONOSUPPORT,
					 "the driver has version %u of the interface, the library "
					 "knows version %u alone", info->abi, DRM_PANTHOR_PERF_ABI);
	if (info->sample_header_size % 8 || !info->sample_header_size)
		what = "sample header";
	else if (info->block_header_size % 8 || !info->block_header_size)
		what = "block header";
	else if (!info->counters_per_block)
		what = "block";
	else if (info->sample_size < info->sample_header_size ||
		 (info->sample_size - info->sample_header_size) % stride)
		what = "sample";
	if (what)
		return panthor_perf_fail(error, -EPROTO, "PERF_INFO of the driver has an "
					 "impossible size of a %s", what);
	return 0;
}

static int copy_bytes(void **bytes, const void *data, size_t size)
{
	if (!size)
		return 0;
	*bytes = malloc(size);
	if (!*bytes)
		return -ENOMEM;
	memcpy(*bytes, data, size);
	return 0;
}

/*
 * Architecture 15 has ids of 64 bits. Two forms of the kernel's structure have been proposed:
 * gpu_id 0 and another member with the whole id, or a member with the upper half. No kernel has one
 * yet, so the header that this is built with decides which members there are.
 */
uint64_t panthor_perf_gpu_info_id(const void *info, size_t size)
{
	struct drm_panthor_gpu_info gpu;

	panthor_perf_copy_known(&gpu, sizeof(gpu), info, info ? size : 0);
	/* The lower half of an id of 64 bits begins with 0xf. */
	if (gpu.gpu_id >> 28 == 0xf) {
#ifdef PANTHOR_HAS_gpu_id_hi
		if (gpu.gpu_id_hi)
			return (uint64_t)gpu.gpu_id_hi << 32 | gpu.gpu_id;
#endif
		return 0;
	}
#ifdef PANTHOR_HAS_gpu_wide_id
	if (!gpu.gpu_id)
		return gpu.gpu_wide_id;
#endif
	return gpu.gpu_id;
}

int panthor_perf_gpu_create(const void *gpu_info, size_t gpu_info_size, const void *perf_info,
			    size_t perf_info_size, struct panthor_perf_gpu **gpu,
			    struct panthor_perf_error *error)
{
	struct panthor_perf_gpu *made = calloc(1, sizeof(*made));
	int ret;

	if (!made)
		return panthor_perf_fail_memory(error);
	made->gpu_size = gpu_info ? gpu_info_size : 0;
	made->info_size = perf_info_size;
	panthor_perf_copy_known(&made->gpu, sizeof(made->gpu), gpu_info, made->gpu_size);
	panthor_perf_copy_known(&made->info, sizeof(made->info), perf_info, made->info_size);
	ret = check_info(&made->info, made->info_size, error);
	if (!ret && (copy_bytes(&made->gpu_bytes, gpu_info, made->gpu_size) ||
		     copy_bytes(&made->info_bytes, perf_info, made->info_size)))
		ret = panthor_perf_fail_memory(error);
	if (ret)
		panthor_perf_gpu_destroy(made);
	else
		*gpu = made;
	return ret;
}

bool gpu_is_same(const struct panthor_perf_gpu *a, const struct panthor_perf_gpu *b)
{
	return a == b || (!memcmp(&a->gpu, &b->gpu, sizeof(a->gpu)) &&
			  !memcmp(&a->info, &b->info, sizeof(a->info)));
}

void panthor_perf_gpu_destroy(struct panthor_perf_gpu *gpu)
{
	if (!gpu)
		return;
	panthor_perf_unused(&gpu->users, "GPU");
	free(gpu->gpu_bytes);
	free(gpu->info_bytes);
	free(gpu);
}

uint64_t panthor_perf_gpu_property(const struct panthor_perf_gpu *gpu, unsigned int property)
{
	const struct drm_panthor_perf_info *info = &gpu->info;
	unsigned int bus_bits;

	switch (property) {
	case PANTHOR_PERF_GPU_ID:
		return panthor_perf_gpu_info_id(&gpu->gpu, sizeof(gpu->gpu));
	case PANTHOR_PERF_GPU_CORE_COUNT:
		return __builtin_popcountll(gpu->gpu.shader_present);
	case PANTHOR_PERF_GPU_L2_SLICES:
		return gpu->gpu_size ? (gpu->gpu.mem_features >> 8 & 0xf) + 1 : 0;
	case PANTHOR_PERF_GPU_BUS_BYTES:
		/* The logarithm of the bits of a beat. */
		bus_bits = gpu->gpu.l2_features >> 24;
		return bus_bits >= 3 && bus_bits < 32 ? (1u << bus_bits) / 8 : 0;
	case PANTHOR_PERF_GPU_COUNTERS_PER_BLOCK:
		return info->counters_per_block;
	case PANTHOR_PERF_GPU_SETS:
		return info->supported_sets;
	case PANTHOR_PERF_GPU_CLOCKS:
		return info->supported_clocks;
	case PANTHOR_PERF_GPU_FEATURES:
		return info->flags;
	case PANTHOR_PERF_GPU_MIN_PERIOD_NS:
		return info->min_period_ns;
	case PANTHOR_PERF_GPU_MIN_SLOTS:
		return info->min_sample_slots;
	case PANTHOR_PERF_GPU_MAX_SLOTS:
		return info->max_sample_slots;
	case PANTHOR_PERF_GPU_MAX_SESSIONS:
		return info->max_sessions;
	case PANTHOR_PERF_GPU_SAMPLE_SIZE:
		return info->sample_size;
	case PANTHOR_PERF_GPU_TIMESTAMP_HZ:
		return info->gpu_timestamp_frequency;
	default:
		return 0;
	}
}

uint32_t panthor_perf_gpu_block_count(const struct panthor_perf_gpu *gpu, unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
		return gpu->info.fw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
		return gpu->info.cshw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return gpu->info.tiler_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return gpu->info.memsys_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return gpu->info.shader_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return gpu->info.neural_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return gpu->info.csg_blocks;
	default:
		return 0;
	}
}

uint32_t panthor_perf_gpu_instance_count(const struct panthor_perf_gpu *gpu, unsigned int type)
{
	const uint32_t blocks = panthor_perf_gpu_block_count(gpu, type);

	if (!blocks || type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		return blocks;
	return gpu->info.shader_blocks;
}

size_t panthor_perf_gpu_info(const struct panthor_perf_gpu *gpu, void *info, size_t size)
{
	panthor_perf_copy_known(info, size, gpu->gpu_bytes, gpu->gpu_size);
	return gpu->gpu_size;
}

size_t panthor_perf_gpu_perf_info(const struct panthor_perf_gpu *gpu, void *info, size_t size)
{
	panthor_perf_copy_known(info, size, gpu->info_bytes, gpu->info_size);
	return gpu->info_size;
}
