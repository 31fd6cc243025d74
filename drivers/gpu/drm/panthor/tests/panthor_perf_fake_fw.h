/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FAKE_FW_H__
#define __PANTHOR_PERF_FAKE_FW_H__

#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_layout.h"

/* Ticks per second of the GPU's timestamp, one each 16 ns. */
#define PANTHOR_PERF_FAKE_TIMESTAMP_RATE	62500000

/* Ticks by which other blocks than the front end are stamped later, for each rank from 1. */
#define FAKE_BLOCK_DELAY	0x100000001ull

/* What the fake GPU is made of. Sizes of blocks are in words, with their headers. */
struct panthor_perf_fake_shape {
	const char *name;
	u32 arch, block_words, groups, l2_slices;
	u64 shader_present;
	u32 clocks;
	bool fw_block, csg_blocks, packed;
	bool metadata;
};

/* A block of the fake GPU, the rank-th of its type, which begins at a word of a sample. */
struct panthor_perf_fake_block {
	u8 type;
	u32 rank, word;

	/* Without power: samples leave the block alone. */
	bool off;

	/* By counter: what it has counted since the last sample, and what samples had. */
	u32 *counts;
	u64 *reported;
};

/*
 * A firmware with performance counters and without a GPU. It serves requests when the driver rings
 * the doorbell, or when a test has it do so. It has two copies of the ring, as a device that is not
 * coherent: the driver sees of it what the driver has synchronised.
 */
struct panthor_perf_fake_fw {
	struct kunit *test;

	/* Guards all of it. */
	spinlock_t lock;

	/* The interface, as the driver knows it. */
	struct panthor_fw_global_iface iface;
	struct panthor_fw_global_control_iface control;
	struct panthor_fw_global_input_iface input;
	struct panthor_fw_global_output_iface output;

	/* A lock that must not be held while the driver waits for the firmware. */
	struct mutex *perf_lock;

	struct panthor_perf_fake_shape shape;
	struct panthor_perf_fake_block *blocks;
	u32 block_count, entry_words;

	/* The two copies of the ring, and the bytes that were synchronised. */
	u32 *cpu_ring, *dev_ring;
	size_t dev_bytes;
	size_t cpu_bytes;

	bool enabled;
	u32 slots, insert;

	/* Request bits that stay without an answer. */
	u32 hold;

	/* The stamp of the newest sample. */
	u64 timestamp;

	bool on;
	int power;

	/* What happened, and what the driver did wrong first. */
	u32 enable_edges, disable_edges, doorbells, irqs, masked;
	u32 samples, autos, overflows, thresholds, violations;
	u32 waits;
	u32 unread;
	char violation[96];
};

/* A G610 as in the RK3588: four cores with holes between them. */
extern const struct panthor_perf_fake_shape panthor_perf_rk3588;

void panthor_perf_fake_fw_init(struct kunit *test, struct panthor_perf_fake_fw *fake,
			       const struct panthor_perf_fake_shape *shape);
void panthor_perf_fake_fw_params(const struct panthor_perf_fake_fw *fake,
				 struct panthor_perf_layout_params *params);

/* What the GPU does */
void panthor_perf_fake_fw_count(struct panthor_perf_fake_fw *fake, u8 type, u32 rank, u32 counter,
				u32 events);
void panthor_perf_fake_fw_count_all(struct panthor_perf_fake_fw *fake, u32 seed);

/* What the firmware does */
void panthor_perf_fake_fw_auto_sample(struct panthor_perf_fake_fw *fake);
bool panthor_perf_fake_fw_settle(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_let_go(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_shut_down(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_restart(struct panthor_perf_fake_fw *fake, bool cold);

/* What it knows */
struct panthor_perf_fake_block *
panthor_perf_fake_fw_block(struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
u32 panthor_perf_fake_fw_position(const struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
u32 panthor_perf_fake_fw_fill(struct panthor_perf_fake_fw *fake);

#endif
