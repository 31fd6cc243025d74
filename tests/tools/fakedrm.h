/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef TESTS_TOOLS_FAKEDRM_H
#define TESTS_TOOLS_FAKEDRM_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/panthor_perf_drm.h>

/**
 * DOC: A panthor driver in this process
 *
 * Stands in for libdrm and the kernel: links instead of -ldrm. A DRM node is a
 * regular file, whose name says what driver it has (NAME.panthor, NAME.other),
 * and whose content is the memory of buffer objects. The GPU behind it has a
 * firmware block, three shader cores with holes, which may have neural
 * accelerators, and deltas that are a function of the sample's number. Periods end
 * in a thread of their own, on time. Programs that cannot reach &fake set it by
 * environment variables:
 *
 *	FAKE_NODES	nodes that exist, separated by colons: the render nodes of as many GPUs
 *	FAKE_BUSES	where these GPUs are, separated by spaces: pci=DOMAIN:BUS:DEV.FUNC or
 *			platform=PATH; else, the n-th is platform=/fake/gpu@N, from 0
 *	FAKE_TRUTH	where the log of the GPU is written
 *	FAKE_SETTINGS	NAME=NUMBER,... for the fields of &struct fake_settings
 *	FAKE_LOAD	a script of what the GPU counts: see fake_read_load()
 */

/**
 * enum fake_numbers - bits of &fake_settings.numbers
 */
enum fake_numbers {
	/** @FAKE_PRIVATE: The driver knows the numbers of the out-of-tree component. */
	FAKE_PRIVATE = 1 << 0,

	/** @FAKE_MAINLINE: It knows those of the panthor_drm.h, if it has any. */
	FAKE_MAINLINE = 1 << 1,
};

/**
 * struct fake_settings - how the driver behaves
 */
struct fake_settings {
	/** @info_errno: PERF_INFO fails with it. 0: it does not. */
	unsigned int info_errno;

	/** @info_size: Size of the driver's PERF_INFO structure. */
	unsigned int info_size;

	/** @counters: Counters per block. */
	unsigned int counters;

	/** @sample_header: Bytes of a sample header. */
	unsigned int sample_header;

	/** @block_header: Bytes of a block header. */
	unsigned int block_header;

	/** @unknown_blocks: Blocks of a type that nobody knows, at the end of each sample. */
	unsigned int unknown_blocks;

	/** @fail_at: The ioctl of this number fails, from 1. 0: none does. */
	unsigned int fail_at;

	/** @fail_errno: ... with this. */
	unsigned int fail_errno;

	/** @silent: Requests are accepted, but nothing is ever published. */
	unsigned int silent;

	/** @error_at: A reset makes this sample, from 1, have the flag ERROR. 0: none. */
	unsigned int error_at;

	/** @mix_up: Samples carry the user data of another request. */
	unsigned int mix_up;

	/** @neural: Shader cores with a neural accelerator, a bit for each of the three. */
	unsigned int neural;

	/** @gpu_id: GPU_ID, or its lower half. */
	unsigned int gpu_id;

	/** @gpu_id_high: Upper half of a GPU_ID of 64 bits, if panthor_drm.h has a place for it. */
	unsigned int gpu_id_high;

	/** @abi: Version of the interface. */
	unsigned int abi;

	/** @min_period_ns: Shortest period. 0: there are no periodic sessions. */
	unsigned int min_period_ns;

	/** @sets: Counter sets, a bit for each. */
	unsigned int sets;

	/** @no_perfmon: The caller lacks CAP_PERFMON. */
	unsigned int no_perfmon;

	/** @paranoid: The primary set needs it as well: the sysctl is 1. */
	unsigned int paranoid;

	/** @clocks: Clocks whose cycles are told, a bit for each. */
	unsigned int clocks;

	/** @cycles: Cycles of the top-level clock in each sample of the GPU. */
	unsigned int cycles;

	/** @suspend_ms: When CLOCK_BOOTTIME jumps by 100 s, after its first read; 0: never. */
	unsigned int suspend_ms;

	/** @shader_cycles: Those of the shader cores' clock. */
	unsigned int shader_cycles;

	/** @states: The states of blocks are told. */
	unsigned int states;

	/** @deaf_at: The firmware does not answer from this grid point, from 1. 0: it does. */
	unsigned int deaf_at;

	/** @deaf: ... for so many of them. */
	unsigned int deaf;

	/** @unplug_at: The GPU goes away at this grid point, from 1. 0: it stays. */
	unsigned int unplug_at;

	/** @length_ns: Length of each sample of a session without a period. */
	unsigned int length_ns;

	/** @l2_features: L2_FEATURES: bits 31 to 24: logarithm of the width of the bus in bits. */
	unsigned int l2_features;

	/** @mem_features: MEM_FEATURES: bits 11 to 8 are the number of L2 slices, minus 1. */
	unsigned int mem_features;

	/**
	 * @features: Of &enum drm_panthor_perf_feat_flags: COMPACT, ALLOW_SUSPEND, WAKEUP (by
	 * number and the final sample; time passes unnoticed), SYNCS and CLOCK_MODE.
	 */
	unsigned int features;

	/** @numbers: The numbers that the driver knows, of &enum fake_numbers. */
	unsigned int numbers;

	/** @max_slots: Most slots of a ring, a power of two. */
	unsigned int max_slots;
};

/**
 * struct fake - the driver
 */
struct fake {
	/** @settings: How it behaves. */
	struct fake_settings settings;

	/** @ioctls: Calls so far. */
	unsigned int ioctls;

	/** @syncs: Operations of the last ordered sample. */
	struct drm_panthor_sync_op syncs[64];

	/** @sync_count: Their number. */
	unsigned int sync_count;

	/** @clocks: Reply to PERF_CLOCKS, with CLOCK_MODE in the features. */
	struct drm_panthor_perf_clocks clocks;

	/** @objects: GEM handles that are open. */
	unsigned int objects;

	/** @sessions: Sessions that exist. */
	unsigned int sessions;
};

extern struct fake fake;

/**
 * fake_reset() - Start anew, with the default settings
 */
void fake_reset(void);

/**
 * fake_publish() - Publish a sample of a session that nobody asked for
 */
void fake_publish(void);

/**
 * fake_unplug() - Take the GPU away
 *
 * Each session gets its extra count; ioctls fail with ENODEV.
 */
void fake_unplug(void);

#endif /* TESTS_TOOLS_FAKEDRM_H */
