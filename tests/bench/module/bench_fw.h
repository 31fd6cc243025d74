/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef BENCH_FW_H
#define BENCH_FW_H

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_layout.h"

/**
 * struct bench_fw - A firmware that completes requests at once
 *
 * It stands in for panthor_perf_hw.c, and does not check the driver. The fake firmware of the KUnit suites does.
 */
struct bench_fw {
	/** @iface: The global interface, as the driver knows it. */
	struct panthor_fw_global_iface iface;

	/** @control: Its control block. */
	struct panthor_fw_global_control_iface control;

	/** @input: What the driver writes. */
	struct panthor_fw_global_input_iface input;

	/** @output: What the firmware writes. */
	struct panthor_fw_global_output_iface output;

	/** @layout: Layout of a sample. */
	const struct panthor_perf_layout *layout;

	/** @ring: The ring. Its counters are written once, a sample writes the headers of its blocks. */
	u32 *ring;

	/** @samples: Samples that the driver requested. */
	u64 samples;

	/** @synced: Bytes of the ring that were made visible to the CPU. */
	u64 synced;

	/** @doorbells: Number of doorbells. */
	u64 doorbells;
};

void bench_fw_init(struct bench_fw *bench, const struct panthor_perf_layout *layout);
void bench_fw_write_entry(const struct panthor_perf_layout *layout, u32 *entry);

#endif
