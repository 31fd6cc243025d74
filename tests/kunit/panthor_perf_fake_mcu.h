/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FAKE_MCU_H__
#define __PANTHOR_PERF_FAKE_MCU_H__

#include "panthor_perf_fake_fw.h"

/* Where the ring lies for the MCU, and in which address space. */
#define FAKE_RING_VA	0x4000800ull
#define FAKE_RING_AS	0

/* Words before the counters of a block. */
#define FAKE_HEADER_WORDS	4

void __printf(2, 3) fake_mcu_violation(struct panthor_perf_fake_fw *fake, const char *fmt, ...);

bool fake_mcu_is_pending(const struct panthor_perf_fake_fw *fake, u32 bit);
void fake_mcu_serve(struct panthor_perf_fake_fw *fake);
bool fake_mcu_settle(struct panthor_perf_fake_fw *fake);
void fake_mcu_core_off(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block);
void fake_mcu_auto_sample(struct panthor_perf_fake_fw *fake);
void fake_mcu_power_off(struct panthor_perf_fake_fw *fake);
void fake_mcu_boot(struct panthor_perf_fake_fw *fake, bool cold);

void fake_mcu_count(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
		    u32 counter, u32 events);
u64 fake_mcu_counter_value(const struct panthor_perf_fake_counter *counter, u64 now_ns);
void fake_mcu_set_counter(struct panthor_perf_fake_counter *counter, u64 now, u64 rate,
			  bool stopped);

#endif
