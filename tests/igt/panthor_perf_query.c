// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: What PERF_INFO says of the counters
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: query
 */
#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("The counter configuration that DRM_PANTHOR_DEV_QUERY_PERF_INFO reports");

#define KNOWN_CLOCKS \
	(1u << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL | 1u << DRM_PANTHOR_PERF_CLOCK_COREGROUP | \
	 1u << DRM_PANTHOR_PERF_CLOCK_SHADER)
#define KNOWN_SETS \
	(1u << DRM_PANTHOR_PERF_SET_PRIMARY | 1u << DRM_PANTHOR_PERF_SET_SECONDARY | \
	 1u << DRM_PANTHOR_PERF_SET_TERTIARY)
#define GUARD	0xa5

static bool power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

static uint32_t blocks(const struct drm_panthor_perf_info *info)
{
	uint32_t sum = 0;

	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		sum += perf_blocks_of(info, type);
	return sum;
}

static struct drm_panthor_gpu_info gpu_info(int fd)
{
	struct drm_panthor_gpu_info gpu = { 0 };

	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &gpu, sizeof(gpu)), 0);
	return gpu;
}

static void test_size(int fd)
{
	struct drm_panthor_dev_query query = { .type = DRM_PANTHOR_DEV_QUERY_PERF_INFO };

	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query), 0);
	igt_assert_lte_u32(sizeof(struct drm_panthor_perf_info), query.size);
	igt_assert_eq_u32(query.size % 8, 0);
}

/* Refused, or filled as far as it goes; memory behind the size is not touched. */
static void test_short(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	uint8_t bytes[sizeof(info)];

	for (uint32_t size = 4; size < sizeof(info); size += 4) {
		int ret;

		memset(bytes, GUARD, sizeof(bytes));
		ret = perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, bytes, size);
		igt_assert(!ret || ret == -EINVAL);
		if (!ret)
			igt_assert_eq(memcmp(bytes, &info, size), 0);
		for (uint32_t i = ret ? 0 : size; i < sizeof(bytes); i++)
			igt_assert_eq(bytes[i], GUARD);
	}
}

static void test_long(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	uint8_t bytes[2 * sizeof(info)] = { 0 };

	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, bytes, sizeof(bytes)), 0);
	igt_assert_eq(memcmp(bytes, &info, sizeof(info)), 0);
}

static void test_bad_pointer(int fd)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(page != MAP_FAILED);
	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, page,
				 sizeof(struct drm_panthor_perf_info)), -EFAULT);
	munmap(page, 4096);
}

static void test_constant(int fd)
{
	struct drm_panthor_perf_info first = perf_info(fd), again;
	struct perf_session s;
	int other = perf_reopen(fd);

	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	again = perf_info(other);
	igt_assert_eq(memcmp(&first, &again, sizeof(first)), 0);
	perf_close(&s);
	again = perf_info(fd);
	igt_assert_eq(memcmp(&first, &again, sizeof(first)), 0);
	close(other);
}

/*
 * The shader blocks that are for use are the GPU's cores, in order, and all blocks are ranked, an
 * accelerator as its core.
 */
static void test_ranks(int fd)
{
	const struct drm_panthor_perf_sample_header *sample;
	const struct drm_panthor_perf_block_header *block;
	uint32_t next[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = { 0 };
	uint32_t count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = { 0 };
	struct drm_panthor_gpu_info gpu = gpu_info(fd);
	uint32_t available = 0;
	struct perf_session s;

	igt_require(perf_info(fd).flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT);
	perf_open(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_start(&s, 0), 0);
	sample = perf_finish(&s, 1);
	perf_for_each_block(block, &s, sample) {
		igt_assert_lt_u32(block->type, DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT);
		next[block->type] = perf_assert_idx(&s.info, block->type, block->idx,
						    next[block->type]);
		count[block->type]++;
		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER)
			available += !!(block->states & DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE);
	}
	for (uint8_t type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		igt_assert_eq_u32(count[type], perf_blocks_of(&s.info, type));
	igt_assert_eq_u32(available, __builtin_popcountll(gpu.shader_present));
	perf_close(&s);
}

static void test_sizes(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	uint64_t size;

	igt_assert_lte_u32(sizeof(struct drm_panthor_perf_sample_header), info.sample_header_size);
	igt_assert_lte_u32(sizeof(struct drm_panthor_perf_block_header), info.block_header_size);
	igt_assert_eq_u32(info.sample_header_size % 8, 0);
	igt_assert_eq_u32(info.block_header_size % 8, 0);
	igt_assert_lt_u32(4, info.counters_per_block);
	size = info.sample_header_size +
	       (uint64_t)blocks(&info) *
	       (info.block_header_size + info.counters_per_block * sizeof(uint64_t));
	igt_assert_eq_u64(info.sample_size, size);
}

static void test_limits(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);

	igt_assert(power_of_two(info.min_sample_slots));
	igt_assert(power_of_two(info.max_sample_slots));
	igt_assert_lte_u32(info.min_sample_slots, info.max_sample_slots);
	igt_assert_lt_u32(0, info.max_sessions);
	igt_assert_eq_u32(info.abi, DRM_PANTHOR_PERF_ABI);
}

/* A driver may be newer than this test. */
static void test_features(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);

	igt_assert(info.supported_clocks & 1u << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
	igt_assert_eq_u32(info.supported_clocks & ~KNOWN_CLOCKS, 0);
	igt_assert_eq_u32(info.supported_sets & ~KNOWN_SETS, 0);
	if (info.flags & ~PERF_KNOWN_FLAGS)
		igt_info("features that are not known here: %#x\n",
			 info.flags & ~PERF_KNOWN_FLAGS);
	igt_assert(info.supported_sets & 1u << DRM_PANTHOR_PERF_SET_PRIMARY);
}

/* Instances of blocks are those that the GPU's registers report. */
static void test_blocks(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	struct drm_panthor_gpu_info gpu = gpu_info(fd);

	igt_assert_lt_u32(0, info.cshw_blocks);
	igt_assert_lt_u32(0, info.tiler_blocks);
	igt_assert_eq_u32(info.memsys_blocks, ((gpu.mem_features >> 8) & 0xf) + 1);
	/* Cores that the board withholds from clients may have blocks all the same. */
	igt_assert_lte_u32(__builtin_popcountll(gpu.shader_present), info.shader_blocks);
}

static void test_unprivileged(int fd)
{
	struct drm_panthor_perf_info info = perf_info(fd);

	igt_fork(child, 1) {
		struct drm_panthor_perf_info own;

		igt_drop_root();
		own = perf_info(fd);
		igt_assert_eq(memcmp(&info, &own, sizeof(info)), 0);
	}
	igt_waitchildren();
}

/* Types beside PERF_INFO and PERF_CLOCKS are none of this interface's. */
static void test_unknown_type(int fd)
{
	uint8_t bytes[256];

	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO - 1, bytes, sizeof(bytes)),
		      -EINVAL);
	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS + 1, bytes, sizeof(bytes)),
		      -EINVAL);
}

/* The rates of the modes are in order, and there are modes if they differ. */
static void test_clocks(int fd)
{
	const bool modes = perf_info(fd).flags & DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT;
	struct drm_panthor_perf_clocks clocks = { 0 };

	igt_assert_eq(perf_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS, &clocks, sizeof(clocks)),
		      0);
	igt_assert_lte_u64(clocks.toplevel.lowest_hz, clocks.toplevel.profiling_hz);
	igt_assert_lte_u64(clocks.toplevel.profiling_hz, clocks.toplevel.highest_hz);
	igt_assert_eq(clocks.toplevel.lowest_hz < clocks.toplevel.highest_hz, modes);
	if (clocks.toplevel.profiling_hz != clocks.toplevel.lowest_hz)
		igt_assert_lte_u64(3 * clocks.toplevel.profiling_hz,
				   2 * clocks.toplevel.highest_hz);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	igt_describe("The size that a query without a pointer reports holds all fields.");
	igt_subtest("size")
		test_size(fd);

	igt_describe("A structure that is too short is refused or filled, and nothing behind it.");
	igt_subtest("short")
		test_short(fd);

	igt_describe("A newer client's longer structure starts with what this driver knows.");
	igt_subtest("long")
		test_long(fd);

	igt_describe("A pointer that cannot be written is -EFAULT.");
	igt_subtest("bad-pointer")
		test_bad_pointer(fd);

	igt_describe("PERF_INFO is the same for every file, while sessions come and go.");
	igt_subtest("constant")
		test_constant(fd);

	igt_describe("Available shader blocks are the cores of GPU_INFO; no rank is missing.");
	igt_subtest("ranks")
		test_ranks(fd);

	igt_describe("A sample is its header and all blocks; sizes hold the known headers.");
	igt_subtest("sizes")
		test_sizes(fd);

	igt_describe("Limits of rings are powers of two, in order.");
	igt_subtest("limits")
		test_limits(fd);

	igt_describe("Clocks and sets have known bits, with the primary set in them.");
	igt_subtest("features")
		test_features(fd);

	igt_describe("L2 slices and shader cores are counted as GPU_INFO has them.");
	igt_subtest("blocks")
		test_blocks(fd);

	igt_describe("Asking needs no privilege.");
	igt_subtest("unprivileged")
		test_unprivileged(fd);

	igt_describe("The rates of the clock modes are in order.");
	igt_subtest("clocks")
		test_clocks(fd);

	igt_describe("Query types around PERF_INFO and PERF_CLOCKS are unknown.");
	igt_subtest("unknown-type")
		test_unknown_type(fd);

	igt_fixture()
		drm_close_driver(fd);
}
