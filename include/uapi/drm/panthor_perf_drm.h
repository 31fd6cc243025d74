/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef _PANTHOR_PERF_DRM_H_
#define _PANTHOR_PERF_DRM_H_

#include "drm.h"
#include "panthor_drm.h"

/*
 * A panthor_drm.h that has the interface itself wins: then this header defines nothing at all. Its
 * numbers may be enumerators, which the preprocessor does not see, but not DRM_PANTHOR_PERF_ABI.
 */
#if !defined(DRM_IOCTL_PANTHOR_PERF_SETUP) && !defined(DRM_PANTHOR_PERF_ABI)

/* The names of this header stand for the private numbers of the out-of-tree component. */
#define DRM_PANTHOR_PERF_OUT_OF_TREE	1

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Performance counters
 *
 * Performance counters of Mali CSF GPUs. A client queries the counter
 * configuration with %DRM_PANTHOR_DEV_QUERY_PERF_INFO, creates two buffer
 * objects (a ring of samples and a control object with two indices), and sets
 * up a session on them. The session counts from START to STOP. Every SAMPLE (or
 * every period) publishes one sample, which holds the counts since the previous
 * sample. STOP publishes a final sample.
 *
 * Counters belong to the GPU, not to a process: a sample holds the counts of the
 * work of all processes. Sessions are independent of each other. The counter
 * masks of a session are a filter on its own samples.
 *
 * Documentation/gpu/panthor-perf.rst has more about the ring, the errors of each
 * call, the effects of power management and resets, and who may count. Names in
 * quotes below are its sections.
 */

/**
 * DOC: Counter rules
 *
 * - A client uses the interface only if &drm_panthor_perf_info.abi is
 *   %DRM_PANTHOR_PERF_ABI.
 * - Counters 0 to 3 of a block, the words of the hardware's own header, always
 *   read 0 and cannot be requested.
 * - Every field is naturally aligned, every structure's size is a multiple of
 *   8 bytes, and the layout is the same for 32-bit and 64-bit user space.
 * - Pads must be zero; so must all bits of a flags field that are not defined
 *   here. Anything else is -EINVAL.
 * - A structure may grow at its end, except for
 *   &struct drm_panthor_perf_ring_control. A field that is added later has an
 *   effect only with a flag bit that was introduced with it and that
 *   &drm_panthor_perf_info.flags advertises.
 * - Headers in a sample may grow at their end, and block types may be added.
 *   A client steps through a sample with the sizes that PERF_INFO reports and
 *   skips the block types that it does not know.
 * - A client ignores pads, and unknown bits and values, in a sample. A sample without
 *   ERROR and OVERFLOW is exact whatever else it has, but for the counts of
 *   shader cores and neural accelerators in a sample with CORE_OFF_LOST.
 * - Flags and events do not depend on the counters that the session requested.
 */

/**
 * DOC: Sample ring contract
 *
 * The indices of &struct drm_panthor_perf_ring_control start at 0 with SETUP and run freely over 64
 * bits. Sample i lies at (i & (sample_slots - 1)) * sample_size in the ring. The kernel writes the
 * sample, stores insert_idx with release, adds one to the eventfd, and loads extract_idx with
 * acquire. The client loads insert_idx with acquire, reads the samples, and stores extract_idx with
 * release: one plain 64-bit store, since the page may be mapped write-combined.
 */

/**
 * define DRM_PANTHOR_DEV_QUERY_PERF_INFO - query &struct drm_panthor_perf_info
 *
 * Fails with -EOPNOTSUPP, for the query of the size too, where the GPU has no usable counters, and
 * with -EINVAL where the driver knows nothing about counters.
 */
#define DRM_PANTHOR_DEV_QUERY_PERF_INFO	0x3ffffff0

/**
 * define DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS - query &struct drm_panthor_perf_clocks
 *
 * Fails as %DRM_PANTHOR_DEV_QUERY_PERF_INFO does.
 */
#define DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS	0x3ffffff1

/**
 * define DRM_PANTHOR_PERF_ABI - the version of the interface that this header has
 *
 * A client refuses a driver that has another value in &drm_panthor_perf_info.abi, larger or
 * smaller. Additions do not change it: flags and sizes report them.
 */
#define DRM_PANTHOR_PERF_ABI	1

#define DRM_PANTHOR_PERF_SETUP		0x50
#define DRM_PANTHOR_PERF_TEARDOWN	0x51
#define DRM_PANTHOR_PERF_START		0x52
#define DRM_PANTHOR_PERF_STOP		0x53
#define DRM_PANTHOR_PERF_SAMPLE		0x54

/*
 * Reserved: ioctls 0x55 to 0x5d and queries 0x3ffffff2 to 0x3ffffffd of this interface; ioctl
 * 0x5e and queries 0x3ffffffe and 0x3fffffff of an older one.
 */

#define DRM_IOCTL_PANTHOR_PERF_SETUP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SETUP, struct drm_panthor_perf_setup)
#define DRM_IOCTL_PANTHOR_PERF_TEARDOWN \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_TEARDOWN, struct drm_panthor_perf_teardown)
#define DRM_IOCTL_PANTHOR_PERF_START \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_START, struct drm_panthor_perf_start)
#define DRM_IOCTL_PANTHOR_PERF_STOP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_STOP, struct drm_panthor_perf_stop)
#define DRM_IOCTL_PANTHOR_PERF_SAMPLE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SAMPLE, struct drm_panthor_perf_sample)

/**
 * enum drm_panthor_perf_block_type - what a block of counters belongs to
 *
 * There is no type 0, so that a section that was not filled in is refused. New types are added
 * before the count, which stays last.
 */
enum drm_panthor_perf_block_type {
	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_FW: The CSF firmware. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_FW = 1,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW: The command stream hardware (front end). */
	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_TILER: The tiler. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS: An L2 cache slice with its MMU part. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER: A shader core. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL: The neural accelerator of a shader core. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_CSG: A command stream group slot, counted by firmware. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_CSG,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT: One more than the last type. Stays last. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT,
};

/**
 * enum drm_panthor_perf_clock - clock domains
 *
 * The GPU counts the cycles of the top level. The kernel computes those of the other domains from
 * the rates of the board's clocks. A block of a domain without a clock of its own has the next
 * domain with one, in the order SHADER, COREGROUP, TOPLEVEL.
 */
enum drm_panthor_perf_clock {
	/** @DRM_PANTHOR_PERF_CLOCK_TOPLEVEL: Top level: front end and tiler. */
	DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,

	/** @DRM_PANTHOR_PERF_CLOCK_COREGROUP: Core group: MMU and L2 cache. */
	DRM_PANTHOR_PERF_CLOCK_COREGROUP,

	/** @DRM_PANTHOR_PERF_CLOCK_SHADER: Shader cores (stacks). */
	DRM_PANTHOR_PERF_CLOCK_SHADER,

	/** @DRM_PANTHOR_PERF_CLOCK_NEURAL: Neural accelerators. No sample has its cycles. */
	DRM_PANTHOR_PERF_CLOCK_NEURAL,
};

/**
 * enum drm_panthor_perf_counter_set - sets of counters
 *
 * The same index of a counter means another event in each set. The primary set is the only one that
 * defines the counters of all blocks. A block without counters in the set has zeros.
 *
 * The whole GPU uses one set at a time, from the first START to the last final sample. So START
 * fails with -EBUSY while a session of another set is started. SETUP does not: sessions of
 * different sets may exist, and take turns.
 */
enum drm_panthor_perf_counter_set {
	/** @DRM_PANTHOR_PERF_SET_PRIMARY: For general use. See "Permissions". */
	DRM_PANTHOR_PERF_SET_PRIMARY,

	/** @DRM_PANTHOR_PERF_SET_SECONDARY: Always needs CAP_PERFMON. */
	DRM_PANTHOR_PERF_SET_SECONDARY,

	/** @DRM_PANTHOR_PERF_SET_TERTIARY: Always needs CAP_PERFMON. */
	DRM_PANTHOR_PERF_SET_TERTIARY,
};

/**
 * enum drm_panthor_perf_feat_flags - bits of &drm_panthor_perf_info.flags
 */
enum drm_panthor_perf_feat_flags {
	/** @DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT: Block headers report states. */
	DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT = 1 << 0,

	/** @DRM_PANTHOR_PERF_COMPACT_SUPPORT: %DRM_PANTHOR_PERF_SETUP_COMPACT is accepted. */
	DRM_PANTHOR_PERF_COMPACT_SUPPORT = 1 << 1,

	/** @DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT: %DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, too. */
	DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT = 1 << 2,

	/** @DRM_PANTHOR_PERF_WAKEUP_SUPPORT: %DRM_PANTHOR_PERF_SETUP_WAKEUP is accepted. */
	DRM_PANTHOR_PERF_WAKEUP_SUPPORT = 1 << 3,

	/* Bit 4 is reserved. */

	/** @DRM_PANTHOR_PERF_SYNCS_SUPPORT: %DRM_PANTHOR_PERF_SAMPLE_SYNCS is accepted. */
	DRM_PANTHOR_PERF_SYNCS_SUPPORT = 1 << 5,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT: %DRM_PANTHOR_PERF_SETUP_CLOCK_MODE is accepted. */
	DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT = 1 << 6,
};

/**
 * struct drm_panthor_perf_info - the counter configuration of the GPU
 *
 * Constant while the device exists. The sizes follow from the GPU, its firmware and the driver.
 */
struct drm_panthor_perf_info {
	/** @counters_per_block: Counters of a block. The first four read 0, see "Counter rules". */
	__u32 counters_per_block;

	/** @sample_header_size: Bytes of &struct drm_panthor_perf_sample_header in a sample. */
	__u32 sample_header_size;

	/** @block_header_size: Bytes of &struct drm_panthor_perf_block_header in a sample. */
	__u32 block_header_size;

	/** @sample_size: Bytes of a sample that holds every available block. */
	__u32 sample_size;

	/** @flags: A combination of &enum drm_panthor_perf_feat_flags. */
	__u32 flags;

	/** @supported_clocks: Bit n: samples have the cycles of &enum drm_panthor_perf_clock n. */
	__u32 supported_clocks;

	/** @fw_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_FW. */
	__u32 fw_blocks;

	/** @cshw_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW. */
	__u32 cshw_blocks;

	/** @tiler_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_TILER. */
	__u32 tiler_blocks;

	/** @memsys_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS. */
	__u32 memsys_blocks;

	/** @shader_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER. */
	__u32 shader_blocks;

	/** @neural_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL. */
	__u32 neural_blocks;

	/** @csg_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_CSG. */
	__u32 csg_blocks;

	/** @supported_sets: Bit n: set n of &enum drm_panthor_perf_counter_set can be used. */
	__u32 supported_sets;

	/** @min_sample_slots: Smallest ring, in samples. A power of two. */
	__u32 min_sample_slots;

	/** @max_sample_slots: Largest ring, in samples. A power of two. */
	__u32 max_sample_slots;

	/** @max_sessions: Largest number of sessions of one file. */
	__u32 max_sessions;

	/** @abi: Version of this interface, %DRM_PANTHOR_PERF_ABI. */
	__u32 abi;

	/** @min_period_ns: Shortest period, in ns. 0: there are no periodic sessions. */
	__u64 min_period_ns;

	/** @gpu_timestamp_frequency: Ticks per second of the GPU timestamp. 0: not known. */
	__u64 gpu_timestamp_frequency;

	/** @max_pending_samples: Largest number of pending samples of a session. 0: one. */
	__u32 max_pending_samples;

	/** @pad: 0. */
	__u32 pad;
};

/**
 * enum drm_panthor_perf_clock_mode - rates at which a session holds the core clock
 */
enum drm_panthor_perf_clock_mode {
	/** @DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT: No rate: it changes as without the session. */
	DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING: The highest one up to 2/3 of the highest. */
	DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST: The lowest operating point. */
	DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST: The highest operating point. */
	DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST,
};

/**
 * struct drm_panthor_perf_clock_rates - rates of a clock, in Hz
 *
 * Does not grow.
 */
struct drm_panthor_perf_clock_rates {
	/** @rate_hz: Rate now. 0: not known, or no clock of its own. */
	__u64 rate_hz;

	/** @lowest_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST. 0: not known. */
	__u64 lowest_hz;

	/** @highest_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST. 0: not known. */
	__u64 highest_hz;

	/** @profiling_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING. 0: not known. */
	__u64 profiling_hz;
};

/**
 * struct drm_panthor_perf_clocks - rates of the GPU's clocks
 *
 * The rate is that at the query. The other rates are constant, and known of @toplevel alone.
 */
struct drm_panthor_perf_clocks {
	/** @toplevel: %DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, the core clock. */
	struct drm_panthor_perf_clock_rates toplevel;

	/** @coregroup: %DRM_PANTHOR_PERF_CLOCK_COREGROUP. */
	struct drm_panthor_perf_clock_rates coregroup;

	/** @shader: %DRM_PANTHOR_PERF_CLOCK_SHADER. */
	struct drm_panthor_perf_clock_rates shader;
};

/**
 * enum drm_panthor_perf_sample_header_flags - bits of &drm_panthor_perf_sample_header.flags
 *
 * Without ERROR, the counters are exactly what the hardware reported. With OVERFLOW the hardware
 * itself may have lost count. STRETCHED and FINAL do not concern the counts.
 */
enum drm_panthor_perf_sample_header_flags {
	/** @DRM_PANTHOR_PERF_SAMPLE_OVERFLOW: A 32-bit counter of the GPU may have saturated. */
	DRM_PANTHOR_PERF_SAMPLE_OVERFLOW = 1 << 0,

	/** @DRM_PANTHOR_PERF_SAMPLE_ERROR: Counts of this sample are missing or unreliable. */
	DRM_PANTHOR_PERF_SAMPLE_ERROR = 1 << 1,

	/** @DRM_PANTHOR_PERF_SAMPLE_STRETCHED: Covers more periods than one: merged is not 0. */
	DRM_PANTHOR_PERF_SAMPLE_STRETCHED = 1 << 2,

	/** @DRM_PANTHOR_PERF_SAMPLE_FINAL: The final sample of STOP, the last one of a run. */
	DRM_PANTHOR_PERF_SAMPLE_FINAL = 1 << 3,
};

/**
 * enum drm_panthor_perf_event - bits of &drm_panthor_perf_sample_header.events
 *
 * Events of the GPU or of this session since the previous sample: the reasons of the flags.
 */
enum drm_panthor_perf_event {
	/** @DRM_PANTHOR_PERF_EVENT_RING_FULL: A period had no free slot, and was merged. */
	DRM_PANTHOR_PERF_EVENT_RING_FULL = 1 << 0,

	/** @DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT: An extract index was invalid, and ignored. */
	DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT = 1 << 1,

	/** @DRM_PANTHOR_PERF_EVENT_LATE: Of a period: half a period or more behind its end. */
	DRM_PANTHOR_PERF_EVENT_LATE = 1 << 2,

	/** @DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW: The firmware's ring was full. With ERROR. */
	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW = 1 << 3,

	/** @DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT: The firmware did not answer in time. */
	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT = 1 << 4,

	/** @DRM_PANTHOR_PERF_EVENT_RESET: The GPU was reset. */
	DRM_PANTHOR_PERF_EVENT_RESET = 1 << 5,

	/** @DRM_PANTHOR_PERF_EVENT_SUSPEND: The GPU was suspended, or still is. */
	DRM_PANTHOR_PERF_EVENT_SUSPEND = 1 << 6,

	/** @DRM_PANTHOR_PERF_EVENT_PROTECTED: Never set by this driver. */
	DRM_PANTHOR_PERF_EVENT_PROTECTED = 1 << 7,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST: A shader core, or its neural accelerator, lost
	 * power and its last counts.
	 */
	DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST = 1 << 8,

	/** @DRM_PANTHOR_PERF_EVENT_FW_ERROR: The firmware broke its interface. */
	DRM_PANTHOR_PERF_EVENT_FW_ERROR = 1 << 9,

	/** @DRM_PANTHOR_PERF_EVENT_HOST_TIME: The end is the host's time, not the firmware's. */
	DRM_PANTHOR_PERF_EVENT_HOST_TIME = 1 << 10,

	/** @DRM_PANTHOR_PERF_EVENT_CANCELLED: STOP has ended it before its fences. */
	DRM_PANTHOR_PERF_EVENT_CANCELLED = 1 << 11,

	/** @DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED: The core clock left the rate of the clock mode. */
	DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED = 1 << 12,
};

/**
 * struct drm_panthor_perf_sample_header - what a sample starts with
 *
 * ::
 *
 *	+---------------+--------------+----------+--------------+----------+---
 *	| sample header | block header | counters | block header | counters | ...
 *	+---------------+--------------+----------+--------------+----------+---
 *
 * Blocks are sorted by type, then by index. Counters are u64, the number of
 * events since the previous sample. Counters that SETUP did not request read 0.
 *
 * By default a sample has every available block, with all its counters. With
 * %DRM_PANTHOR_PERF_SETUP_COMPACT it has the blocks of the types of which SETUP requested a
 * counter, and of these blocks the requested counters, without gaps: see "Smaller samples".
 */
struct drm_panthor_perf_sample_header {
	/** @timestamp_start_ns: The end of the previous sample, or of START's baseline. */
	__u64 timestamp_start_ns;

	/** @timestamp_end_ns: CLOCK_MONOTONIC_RAW of SETUP's caller, ns. Not before the start. */
	__u64 timestamp_end_ns;

	/** @counter_set: The counter set, of &enum drm_panthor_perf_counter_set. */
	__u8 counter_set;

	/** @pad: 0. */
	__u8 pad[3];

	/** @flags: A combination of &enum drm_panthor_perf_sample_header_flags. */
	__u32 flags;

	/** @user_data: Value of the SAMPLE or STOP call, or of START for samples of periods. */
	__u64 user_data;

	/** @toplevel_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, 0: not supported. */
	__u64 toplevel_clock_cycles;

	/** @coregroup_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_COREGROUP, likewise. */
	__u64 coregroup_clock_cycles;

	/** @shader_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_SHADER, likewise. */
	__u64 shader_clock_cycles;

	/**
	 * @gpu_timestamp: GPU timestamp of the newest hardware sample in this one, in ticks of
	 * &drm_panthor_perf_info.gpu_timestamp_frequency. 0 if and only if it has none, and then
	 * all counters are 0.
	 */
	__u64 gpu_timestamp;

	/** @sample_nr: Number of the sample since START, from 0, without gaps. */
	__u64 sample_nr;

	/** @merged: Periods in this sample beyond the first. */
	__u32 merged;

	/** @events: A combination of &enum drm_panthor_perf_event. */
	__u32 events;
};

/**
 * enum drm_panthor_perf_block_state - bits of &drm_panthor_perf_block_header.states
 *
 * The states that the block had at any time since the previous sample.
 */
enum drm_panthor_perf_block_state {
	/** @DRM_PANTHOR_PERF_BLOCK_STATE_UNKNOWN: The state is not known. */
	DRM_PANTHOR_PERF_BLOCK_STATE_UNKNOWN = 0,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_ON: Powered and counting. */
	DRM_PANTHOR_PERF_BLOCK_STATE_ON = 1 << 0,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_OFF: Without power, or not counting. */
	DRM_PANTHOR_PERF_BLOCK_STATE_OFF = 1 << 1,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE: For use by clients of the GPU. */
	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE = 1 << 2,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE: Withheld, or not in the set: reads 0. */
	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE = 1 << 3,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL: In normal mode. */
	DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL = 1 << 4,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED: Never set by this driver. */
	DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED = 1 << 5,
};

/**
 * struct drm_panthor_perf_block_header - what each block of a sample starts with
 */
struct drm_panthor_perf_block_header {
	/** @type: One of &enum drm_panthor_perf_block_type. */
	__u8 type;

	/**
	 * @idx: Rank among the blocks of this type that are present, without holes. Of the shader
	 * blocks, those that are AVAILABLE are, in order, the bits that are set in
	 * &drm_panthor_gpu_info.shader_present. Of a CSG block, the number of the slot. Of a NEURAL
	 * block, the @idx of its core's SHADER block: this type alone has holes, since a core may
	 * have no accelerator.
	 */
	__u8 idx;

	/** @clock: Clock domain of the block, one of &enum drm_panthor_perf_clock. */
	__u8 clock;

	/** @pad: 0. */
	__u8 pad;

	/** @states: A combination of &enum drm_panthor_perf_block_state. */
	__u32 states;
};

/**
 * struct drm_panthor_perf_ring_control - the indices of a session's ring
 *
 * Lies in the control object at &drm_panthor_perf_setup.control_offset.
 */
struct drm_panthor_perf_ring_control {
	/** @extract_idx: Samples consumed, modulo 2^64. Written by user space alone. */
	__u64 extract_idx;

	/** @insert_idx: Samples published, modulo 2^64. Written by the kernel alone. */
	__u64 insert_idx;
};

/**
 * struct drm_panthor_perf_section - counters to enable
 *
 * Selects among 64 counters of all blocks of a type. The kernel combines the
 * masks of sections that repeat or overlap.
 */
struct drm_panthor_perf_section {
	/** @block_type: One of &enum drm_panthor_perf_block_type that the GPU has. */
	__u8 block_type;

	/** @pad: MBZ. */
	__u8 pad;

	/** @first_counter: Counter of bit 0 of @mask. A multiple of 64. */
	__u16 first_counter;

	/** @pad2: MBZ. */
	__u32 pad2;

	/** @mask: Bit n: counter @first_counter + n. Bits of counters 0 to 3 must be 0. */
	__u64 mask;
};

/**
 * enum drm_panthor_perf_setup_flags - bits of &drm_panthor_perf_setup.flags
 */
enum drm_panthor_perf_setup_flags {
	/** @DRM_PANTHOR_PERF_SETUP_COMPACT: See "Smaller samples". */
	DRM_PANTHOR_PERF_SETUP_COMPACT = 1 << 0,

	/** @DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND: See "Runtime suspend". */
	DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND = 1 << 1,

	/** @DRM_PANTHOR_PERF_SETUP_WAKEUP: See "Fewer wake-ups". Needs an eventfd. */
	DRM_PANTHOR_PERF_SETUP_WAKEUP = 1 << 2,

	/* Bit 3 (one group alone) is reserved. */

	/** @DRM_PANTHOR_PERF_SETUP_CLOCK_MODE: See "Clock modes". Needs CAP_PERFMON. */
	DRM_PANTHOR_PERF_SETUP_CLOCK_MODE = 1 << 4,
};

/**
 * struct drm_panthor_perf_setup - create a session
 *
 * Both buffer objects must have been created by this driver, neither imported nor with
 * %DRM_PANTHOR_BO_NO_MMAP. The session keeps a reference to each. The kernel maps them as a whole:
 * the ring object may have up to 1 MiB more than @sample_slots times the sample_size of PERF_INFO,
 * also with COMPACT, and a control object of its own up to 1 MiB. SETUP sets the indices to 0.
 */
struct drm_panthor_perf_setup {
	/** @counter_set: [in] One of &enum drm_panthor_perf_counter_set that the GPU offers. */
	__u32 counter_set;

	/** @flags: [in] Those of &enum drm_panthor_perf_setup_flags that the driver offers. */
	__u32 flags;

	/**
	 * @eventfd: [in] An eventfd, or -1 for none. Gets one count for each published sample, or
	 * with WAKEUP one for each wake-up, and one more if the GPU goes away.
	 */
	__s32 eventfd;

	/**
	 * @ring_handle: [in] Handle of the ring object, @sample_slots * @sample_size or larger. The
	 * slots begin at its start. Two sessions with one ring object overwrite each other's
	 * samples, which the kernel does not refuse: it never reads them.
	 */
	__u32 ring_handle;

	/** @control_handle: [in] Handle of the control object. May be the ring object. */
	__u32 control_handle;

	/** @sample_slots: [in] Slots of the ring: a power of two, within those of PERF_INFO. */
	__u32 sample_slots;

	/**
	 * @control_offset: [in] Where &struct drm_panthor_perf_ring_control lies in the control
	 * object, in bytes. A multiple of 8. Must not overlap the slots if it is the ring object.
	 * Sessions may share a control object at different offsets.
	 */
	__u64 control_offset;

	/**
	 * @sample_period_ns: [in] Period in ns, at least &drm_panthor_perf_info.min_period_ns.
	 * 0: a manual session, which takes a sample for each SAMPLE. Periods end at the multiples
	 * of @sample_period_ns on CLOCK_MONOTONIC of the initial time namespace. A period that
	 * cannot be published is merged into the next sample.
	 */
	__u64 sample_period_ns;

	/** @wakeup_samples: [in] Unread samples, 1 to @sample_slots - 1. MBZ without WAKEUP. */
	__u32 wakeup_samples;

	/** @pad: MBZ. */
	__u32 pad;

	/**
	 * @sections: [in] Array of at most 256 &struct drm_panthor_perf_section, the counters to
	 * enable. The stride is the size of a section as the client knows it, from 16 bytes to a
	 * page. Bytes beyond those that the driver knows are 0.
	 */
	struct drm_panthor_obj_array sections;

	/** @handle: [out] Handle of the session in this file, never 0. */
	__u32 handle;

	/** @sample_size: [out] Bytes of a sample of this session, and distance of the slots. */
	__u32 sample_size;

	/** @clock_mode: [in] One of &enum drm_panthor_perf_clock_mode. MBZ without CLOCK_MODE. */
	__u32 clock_mode;

	/** @pad2: MBZ. */
	__u32 pad2;
};

/**
 * struct drm_panthor_perf_teardown - destroy a session
 *
 * A started session is discarded without a final sample. When the call
 * returns, the kernel does not write to the buffer objects any more.
 */
struct drm_panthor_perf_teardown {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;
};

/**
 * struct drm_panthor_perf_start - start counting
 *
 * Returns when the firmware has taken the baseline sample of the session: the session counts from
 * the end of this sample on. Publishes no sample. Needs one free slot, which is reserved for the
 * final sample (-EBUSY).
 */
struct drm_panthor_perf_start {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;

	/** @user_data: [in] For the samples that a period publishes. */
	__u64 user_data;
};

/**
 * struct drm_panthor_perf_stop - stop counting
 *
 * Returns when the request is queued. Exactly one final sample follows, after the
 * samples of pending SAMPLE calls. It has %DRM_PANTHOR_PERF_SAMPLE_FINAL.
 */
struct drm_panthor_perf_stop {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;

	/** @user_data: [in] For the final sample. */
	__u64 user_data;
};

/**
 * enum drm_panthor_perf_sample_flags - bits of &drm_panthor_perf_sample.flags
 */
enum drm_panthor_perf_sample_flags {
	/** @DRM_PANTHOR_PERF_SAMPLE_SYNCS: Operations on syncobjs: see "Ordered samples". */
	DRM_PANTHOR_PERF_SAMPLE_SYNCS = 1 << 0,
};

/**
 * struct drm_panthor_perf_sample - take a sample
 *
 * For a started manual session. Returns when the request is queued. Exactly one
 * sample follows, which includes all counts up to the call or, with
 * %DRM_PANTHOR_PERF_SAMPLE_SYNCS, up to the signal of its fences.
 *
 * The firmware gets at most one request in each min_period_ns, whatever the number of sessions.
 */
struct drm_panthor_perf_sample {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] A combination of &enum drm_panthor_perf_sample_flags. */
	__u32 flags;

	/** @user_data: [in] For this sample. */
	__u64 user_data;

	/**
	 * @syncs: [in] With %DRM_PANTHOR_PERF_SAMPLE_SYNCS: array of &struct drm_panthor_sync_op,
	 * at most 64. All WAIT operations come before all SIGNAL operations, whatever their order
	 * in the array. The value of a SIGNAL operation on a timeline is not 0. The stride is as
	 * for &drm_panthor_perf_setup.sections. MBZ without the flag.
	 */
	struct drm_panthor_obj_array syncs;
};

#if defined(__cplusplus)
}
#endif

#endif /* the interface is not in panthor_drm.h */

#endif /* _PANTHOR_PERF_DRM_H_ */
