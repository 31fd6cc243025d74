/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Every offset, size and constant of panthor_perf_drm.h in version 1 of the interface, as literals:
 * compiles for C and C++, and for each ABI, or the interface has changed. tests/uapi/run.sh also
 * checks that nothing of the header is missing here.
 */

#include "panthor_perf_drm.h"

#if defined(__cplusplus)
#define ASSERT(condition, text)	static_assert(condition, text)
#else
#define ASSERT(condition, text)	_Static_assert(condition, text)
#endif

#define SIZE(name, bytes) \
	ASSERT(sizeof(struct name) == (bytes), "size of struct " #name); \
	ASSERT(sizeof(struct name) % 8 == 0, "size of struct " #name " is a multiple of 8")

#define FIELD(name, field, offset, bytes) \
	ASSERT(__builtin_offsetof(struct name, field) == (offset), "offset of " #name "." #field); \
	ASSERT(sizeof(((struct name *)0)->field) == (bytes), "size of " #name "." #field)

#define SIGNED(name, field) \
	ASSERT((__typeof__(((struct name *)0)->field))-1 < 0, #name "." #field " is signed")

#define VALUE(name, value) \
	ASSERT((name) == (value), "value of " #name)

VALUE(DRM_PANTHOR_PERF_OUT_OF_TREE, 1);
VALUE(DRM_PANTHOR_DEV_QUERY_PERF_INFO, 0x3ffffff0);
VALUE(DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS, 0x3ffffff1);
VALUE(DRM_PANTHOR_PERF_ABI, 1);

VALUE(DRM_PANTHOR_PERF_SETUP, 0x50);
VALUE(DRM_PANTHOR_PERF_TEARDOWN, 0x51);
VALUE(DRM_PANTHOR_PERF_START, 0x52);
VALUE(DRM_PANTHOR_PERF_STOP, 0x53);
VALUE(DRM_PANTHOR_PERF_SAMPLE, 0x54);
VALUE(DRM_IOCTL_PANTHOR_PERF_SETUP, 0xc0506490);
VALUE(DRM_IOCTL_PANTHOR_PERF_TEARDOWN, 0xc0086491);
VALUE(DRM_IOCTL_PANTHOR_PERF_START, 0xc0106492);
VALUE(DRM_IOCTL_PANTHOR_PERF_STOP, 0xc0106493);
VALUE(DRM_IOCTL_PANTHOR_PERF_SAMPLE, 0xc0206494);

VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_FW, 1);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 2);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, 3);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, 4);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 5);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, 6);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, 7);
VALUE(DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT, 8);

VALUE(DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, 0);
VALUE(DRM_PANTHOR_PERF_CLOCK_COREGROUP, 1);
VALUE(DRM_PANTHOR_PERF_CLOCK_SHADER, 2);
VALUE(DRM_PANTHOR_PERF_CLOCK_NEURAL, 3);

VALUE(DRM_PANTHOR_PERF_SET_PRIMARY, 0);
VALUE(DRM_PANTHOR_PERF_SET_SECONDARY, 1);
VALUE(DRM_PANTHOR_PERF_SET_TERTIARY, 2);

VALUE(DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT, 0x1);
VALUE(DRM_PANTHOR_PERF_COMPACT_SUPPORT, 0x2);
VALUE(DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT, 0x4);
VALUE(DRM_PANTHOR_PERF_WAKEUP_SUPPORT, 0x8);
VALUE(DRM_PANTHOR_PERF_SYNCS_SUPPORT, 0x20);
VALUE(DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT, 0x40);

SIZE(drm_panthor_perf_info, 96);
FIELD(drm_panthor_perf_info, counters_per_block, 0, 4);
FIELD(drm_panthor_perf_info, sample_header_size, 4, 4);
FIELD(drm_panthor_perf_info, block_header_size, 8, 4);
FIELD(drm_panthor_perf_info, sample_size, 12, 4);
FIELD(drm_panthor_perf_info, flags, 16, 4);
FIELD(drm_panthor_perf_info, supported_clocks, 20, 4);
FIELD(drm_panthor_perf_info, fw_blocks, 24, 4);
FIELD(drm_panthor_perf_info, cshw_blocks, 28, 4);
FIELD(drm_panthor_perf_info, tiler_blocks, 32, 4);
FIELD(drm_panthor_perf_info, memsys_blocks, 36, 4);
FIELD(drm_panthor_perf_info, shader_blocks, 40, 4);
FIELD(drm_panthor_perf_info, neural_blocks, 44, 4);
FIELD(drm_panthor_perf_info, csg_blocks, 48, 4);
FIELD(drm_panthor_perf_info, supported_sets, 52, 4);
FIELD(drm_panthor_perf_info, min_sample_slots, 56, 4);
FIELD(drm_panthor_perf_info, max_sample_slots, 60, 4);
FIELD(drm_panthor_perf_info, max_sessions, 64, 4);
FIELD(drm_panthor_perf_info, abi, 68, 4);
FIELD(drm_panthor_perf_info, min_period_ns, 72, 8);
FIELD(drm_panthor_perf_info, gpu_timestamp_frequency, 80, 8);
FIELD(drm_panthor_perf_info, max_pending_samples, 88, 4);
FIELD(drm_panthor_perf_info, pad, 92, 4);

VALUE(DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT, 0);
VALUE(DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING, 1);
VALUE(DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST, 2);
VALUE(DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST, 3);

SIZE(drm_panthor_perf_clock_rates, 32);
FIELD(drm_panthor_perf_clock_rates, rate_hz, 0, 8);
FIELD(drm_panthor_perf_clock_rates, lowest_hz, 8, 8);
FIELD(drm_panthor_perf_clock_rates, highest_hz, 16, 8);
FIELD(drm_panthor_perf_clock_rates, profiling_hz, 24, 8);

SIZE(drm_panthor_perf_clocks, 96);
FIELD(drm_panthor_perf_clocks, toplevel, 0, 32);
FIELD(drm_panthor_perf_clocks, coregroup, 32, 32);
FIELD(drm_panthor_perf_clocks, shader, 64, 32);

VALUE(DRM_PANTHOR_PERF_SAMPLE_OVERFLOW, 0x1);
VALUE(DRM_PANTHOR_PERF_SAMPLE_ERROR, 0x2);
VALUE(DRM_PANTHOR_PERF_SAMPLE_STRETCHED, 0x4);
VALUE(DRM_PANTHOR_PERF_SAMPLE_FINAL, 0x8);

VALUE(DRM_PANTHOR_PERF_EVENT_RING_FULL, 0x1);
VALUE(DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT, 0x2);
VALUE(DRM_PANTHOR_PERF_EVENT_LATE, 0x4);
VALUE(DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW, 0x8);
VALUE(DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT, 0x10);
VALUE(DRM_PANTHOR_PERF_EVENT_RESET, 0x20);
VALUE(DRM_PANTHOR_PERF_EVENT_SUSPEND, 0x40);
VALUE(DRM_PANTHOR_PERF_EVENT_PROTECTED, 0x80);
VALUE(DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST, 0x100);
VALUE(DRM_PANTHOR_PERF_EVENT_FW_ERROR, 0x200);
VALUE(DRM_PANTHOR_PERF_EVENT_HOST_TIME, 0x400);
VALUE(DRM_PANTHOR_PERF_EVENT_CANCELLED, 0x800);
VALUE(DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED, 0x1000);

SIZE(drm_panthor_perf_sample_header, 80);
FIELD(drm_panthor_perf_sample_header, timestamp_start_ns, 0, 8);
FIELD(drm_panthor_perf_sample_header, timestamp_end_ns, 8, 8);
FIELD(drm_panthor_perf_sample_header, counter_set, 16, 1);
FIELD(drm_panthor_perf_sample_header, pad, 17, 3);
FIELD(drm_panthor_perf_sample_header, flags, 20, 4);
FIELD(drm_panthor_perf_sample_header, user_data, 24, 8);
FIELD(drm_panthor_perf_sample_header, toplevel_clock_cycles, 32, 8);
FIELD(drm_panthor_perf_sample_header, coregroup_clock_cycles, 40, 8);
FIELD(drm_panthor_perf_sample_header, shader_clock_cycles, 48, 8);
FIELD(drm_panthor_perf_sample_header, gpu_timestamp, 56, 8);
FIELD(drm_panthor_perf_sample_header, sample_nr, 64, 8);
FIELD(drm_panthor_perf_sample_header, merged, 72, 4);
FIELD(drm_panthor_perf_sample_header, events, 76, 4);

VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_UNKNOWN, 0x0);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_ON, 0x1);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_OFF, 0x2);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE, 0x4);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE, 0x8);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL, 0x10);
VALUE(DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED, 0x20);

SIZE(drm_panthor_perf_block_header, 8);
FIELD(drm_panthor_perf_block_header, type, 0, 1);
FIELD(drm_panthor_perf_block_header, idx, 1, 1);
FIELD(drm_panthor_perf_block_header, clock, 2, 1);
FIELD(drm_panthor_perf_block_header, pad, 3, 1);
FIELD(drm_panthor_perf_block_header, states, 4, 4);

SIZE(drm_panthor_perf_ring_control, 16);
FIELD(drm_panthor_perf_ring_control, extract_idx, 0, 8);
FIELD(drm_panthor_perf_ring_control, insert_idx, 8, 8);

SIZE(drm_panthor_perf_section, 16);
FIELD(drm_panthor_perf_section, block_type, 0, 1);
FIELD(drm_panthor_perf_section, pad, 1, 1);
FIELD(drm_panthor_perf_section, first_counter, 2, 2);
FIELD(drm_panthor_perf_section, pad2, 4, 4);
FIELD(drm_panthor_perf_section, mask, 8, 8);

VALUE(DRM_PANTHOR_PERF_SETUP_COMPACT, 0x1);
VALUE(DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, 0x2);
VALUE(DRM_PANTHOR_PERF_SETUP_WAKEUP, 0x4);
VALUE(DRM_PANTHOR_PERF_SETUP_CLOCK_MODE, 0x10);

SIZE(drm_panthor_perf_setup, 80);
FIELD(drm_panthor_perf_setup, counter_set, 0, 4);
FIELD(drm_panthor_perf_setup, flags, 4, 4);
FIELD(drm_panthor_perf_setup, eventfd, 8, 4);
SIGNED(drm_panthor_perf_setup, eventfd);
FIELD(drm_panthor_perf_setup, ring_handle, 12, 4);
FIELD(drm_panthor_perf_setup, control_handle, 16, 4);
FIELD(drm_panthor_perf_setup, sample_slots, 20, 4);
FIELD(drm_panthor_perf_setup, control_offset, 24, 8);
FIELD(drm_panthor_perf_setup, sample_period_ns, 32, 8);
FIELD(drm_panthor_perf_setup, wakeup_samples, 40, 4);
FIELD(drm_panthor_perf_setup, pad, 44, 4);
FIELD(drm_panthor_perf_setup, sections, 48, 16);
FIELD(drm_panthor_perf_setup, sections.stride, 48, 4);
FIELD(drm_panthor_perf_setup, sections.count, 52, 4);
FIELD(drm_panthor_perf_setup, sections.array, 56, 8);
FIELD(drm_panthor_perf_setup, handle, 64, 4);
FIELD(drm_panthor_perf_setup, sample_size, 68, 4);
FIELD(drm_panthor_perf_setup, clock_mode, 72, 4);
FIELD(drm_panthor_perf_setup, pad2, 76, 4);

SIZE(drm_panthor_perf_teardown, 8);
FIELD(drm_panthor_perf_teardown, handle, 0, 4);
FIELD(drm_panthor_perf_teardown, flags, 4, 4);

SIZE(drm_panthor_perf_start, 16);
FIELD(drm_panthor_perf_start, handle, 0, 4);
FIELD(drm_panthor_perf_start, flags, 4, 4);
FIELD(drm_panthor_perf_start, user_data, 8, 8);

SIZE(drm_panthor_perf_stop, 16);
FIELD(drm_panthor_perf_stop, handle, 0, 4);
FIELD(drm_panthor_perf_stop, flags, 4, 4);
FIELD(drm_panthor_perf_stop, user_data, 8, 8);

VALUE(DRM_PANTHOR_PERF_SAMPLE_SYNCS, 0x1);
SIZE(drm_panthor_perf_sample, 32);
FIELD(drm_panthor_perf_sample, handle, 0, 4);
FIELD(drm_panthor_perf_sample, flags, 4, 4);
FIELD(drm_panthor_perf_sample, user_data, 8, 8);
FIELD(drm_panthor_perf_sample, syncs, 16, 16);
