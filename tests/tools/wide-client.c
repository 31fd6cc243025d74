// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A library that was built with a panthor_drm.h which has ids of 64 bits. WIDE_MEMBER is the
 * member, WIDE its name. The expected fields are those of the registers: architecture 15.8.4,
 * product 1, version 2.3.4.
 */

#include <stddef.h>
#include <string.h>

#include "check.h"
#include "panthor_perf.h"
#include "panthor_perf_counters.h"

#define WIDE_ID		0x0f080401f0020304ull

static void set_id(struct drm_panthor_gpu_info *gpu, uint64_t id)
{
#ifdef PANTHOR_HAS_gpu_wide_id
	gpu->gpu_id = id >> 32 ? 0 : id;
	gpu->gpu_wide_id = id >> 32 ? id : 0;
#else
	gpu->gpu_id = id;
	gpu->gpu_id_hi = id >> 32;
#endif
}

static uint64_t id_of(uint64_t id, size_t size)
{
	struct drm_panthor_gpu_info gpu;

	memset(&gpu, 0x5a, sizeof(gpu));
	set_id(&gpu, id);
	return panthor_perf_gpu_info_id(&gpu, size);
}

/* Of a kernel whose structure has @low in gpu_id, and no member that this program knows. */
static uint64_t half_id(uint32_t low)
{
	struct drm_panthor_gpu_info gpu;

	memset(&gpu, 0x5a, sizeof(gpu));
	gpu.gpu_id = low;
	return panthor_perf_gpu_info_id(&gpu, offsetof(struct drm_panthor_gpu_info, WIDE_MEMBER));
}

int main(void)
{
	const size_t whole = sizeof(struct drm_panthor_gpu_info);
	const struct drm_panthor_perf_info info = {
		.abi = DRM_PANTHOR_PERF_ABI,
		.counters_per_block = 128,
		.sample_header_size = 80,
		.block_header_size = 8,
		.sample_size = 80 + 2 * (8 + 128 * 8),
	};
	struct drm_panthor_gpu_info g2 = { .shader_present = 0xfff };
	struct panthor_perf_table *table;
	struct panthor_perf_gpu *gpu;
	unsigned int arch, product;
	const char *name;
	uint64_t id;

	CHECK(id_of(WIDE_ID, whole) == WIDE_ID, WIDE ": an id of 64 bits");
	CHECK(id_of(0xe8800005, whole) == 0xe8800005, WIDE ": one of 32 bits");
	CHECK(id_of(0xa8670005, offsetof(struct drm_panthor_gpu_info, WIDE_MEMBER)) == 0xa8670005,
	      WIDE ": one of a kernel without the member");
	CHECK(!panthor_perf_gpu_info_id(NULL, 0), WIDE ": none");
	CHECK(!half_id(0xf0020304), WIDE ": the lower half alone");
	CHECK(!half_id(0), WIDE ": neither half");

	set_id(&g2, WIDE_ID);
	if (panthor_perf_gpu_create(&g2, sizeof(g2), &info, sizeof(info), &gpu, NULL))
		return 1;
	id = panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID);
	panthor_perf_gpu_arch(id, &arch, &product);
	CHECK(id == WIDE_ID && arch == 15 && product == 1, WIDE ": the GPU has it");
	if (panthor_perf_table_create_for_gpu(id, &table, NULL))
		return 1;
	name = panthor_perf_table_product(table, id, 12);
	CHECK(name && !strcmp(name, "Mali-G2-Premium"), WIDE ": its table");
	panthor_perf_table_destroy(table);
	panthor_perf_gpu_destroy(gpu);
	return !!check_failures;
}
