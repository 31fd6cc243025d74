/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_HW_H__
#define __PANTHOR_PERF_HW_H__

#include <linux/types.h>

struct panthor_device;
struct panthor_perf_fw;

/* The GPU */
u64 panthor_perf_hw_shader_present(struct panthor_device *ptdev);
u32 panthor_perf_hw_block_features(struct panthor_device *ptdev);
u32 panthor_perf_hw_features(struct panthor_device *ptdev);
u64 panthor_perf_hw_neural_present(struct panthor_device *ptdev);

/* Power */
int panthor_perf_hw_power_get(struct panthor_perf_fw *fw);
void panthor_perf_hw_power_get_async(struct panthor_perf_fw *fw);
void panthor_perf_hw_power_put(struct panthor_perf_fw *fw);

/* The firmware's ring */
int panthor_perf_hw_alloc_ring(struct panthor_perf_fw *fw);
void panthor_perf_hw_free_ring(struct panthor_perf_fw *fw);
void panthor_perf_hw_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size);
void panthor_perf_hw_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size);
u32 panthor_perf_hw_as(struct panthor_perf_fw *fw);

/* Clocks */
u64 panthor_perf_hw_timestamp(struct panthor_perf_fw *fw);
u64 panthor_perf_hw_cycles(struct panthor_perf_fw *fw);

/* Requests */
void panthor_perf_hw_doorbell(struct panthor_perf_fw *fw);
int panthor_perf_hw_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms);

#endif
