/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FAKE_FW_H__
#define __PANTHOR_PERF_FAKE_FW_H__

#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_layout.h"

/** define PANTHOR_PERF_FAKE_TIMESTAMP_RATE - Ticks per second of the GPU timestamp at first. */
#define PANTHOR_PERF_FAKE_TIMESTAMP_RATE	62500000

/**
 * struct panthor_perf_fake_shape - What the fake GPU is made of
 */
struct panthor_perf_fake_shape {
	/** @name: Name for a table of test cases. */
	const char *name;

	/** @arch: Major architecture number. */
	u32 arch;

	/** @block_words: Words of a block of counters, its header included. */
	u32 block_words;

	/** @metadata: Samples start with a metadata block, if the driver enables it. */
	bool metadata;

	/** @fw_block: The firmware has a block of its own. */
	bool fw_block;

	/** @csg_blocks: The firmware has a block for each command stream group. */
	bool csg_blocks;

	/** @groups: Number of command stream groups. */
	u32 groups;

	/** @l2_slices: Number of L2 slices. */
	u32 l2_slices;

	/** @shader_present: Mask of the shader cores. */
	u64 shader_present;

	/** @shader_withheld: Those of them that clients of the GPU may not use. */
	u64 shader_withheld;

	/** @neural_present: Mask of those with a neural accelerator, on architecture 14. */
	u64 neural_present;

	/** @clocks: Clock domains that have a clock, bits of &enum drm_panthor_perf_clock. */
	u32 clocks;

	/** @packed: Only cores that are present have a block in a sample. */
	bool packed;
};

/**
 * enum panthor_perf_fake_answers - In which order the firmware answers a request for a sample
 */
enum panthor_perf_fake_answers {
	/** @FAKE_AT_ONCE: Blocks, index and acknowledge with the doorbell. */
	FAKE_AT_ONCE,

	/** @FAKE_LATE: All of them later; enables and disables as well. */
	FAKE_LATE,

	/** @FAKE_ACK_FIRST: The acknowledge with the doorbell, the others later. */
	FAKE_ACK_FIRST,
};

/**
 * enum panthor_perf_fake_core_off - What the sample has that is taken when a block loses power
 */
enum panthor_perf_fake_core_off {
	/** @FAKE_OFF_ALL: It comes before that, with all blocks. */
	FAKE_OFF_ALL,

	/** @FAKE_OFF_ONE: It comes before that, with this block alone. */
	FAKE_OFF_ONE,

	/** @FAKE_OFF_BUSY: It comes before that, without shader cores that have counted nothing. */
	FAKE_OFF_BUSY,

	/** @FAKE_OFF_NONE: There is none: the block's counts are lost. */
	FAKE_OFF_NONE,

	/** @FAKE_OFF_AFTER: It comes after that: the block's counts are lost. */
	FAKE_OFF_AFTER,
};

/* Ticks by which other blocks than the front end are stamped later, for each rank from 1. */
#define FAKE_BLOCK_DELAY	0x100000001ull

/**
 * struct panthor_perf_fake_block - A block of the fake GPU
 */
struct panthor_perf_fake_block {
	/** @type: One of &enum drm_panthor_perf_block_type. */
	u8 type;

	/** @rank: Number of the block among those of its type that are present. */
	u32 rank;

	/** @word: Where the block starts in a sample without metadata, in words. */
	u32 word;

	/** @off: Without power: samples leave the block alone. */
	bool off;

	/** @counts: What the block counted since the last sample, per counter. */
	u32 *counts;

	/** @reported: Sum of the values in samples, per counter. */
	u64 *reported;
};

/**
 * struct panthor_perf_fake_config - The words of the global interface that configure counters
 */
struct panthor_perf_fake_config {
	/** @as: Address space. */
	u32 as;

	/** @base: Address of the ring. */
	u64 base;

	/** @config: Ring size, set and metadata. */
	u32 config;

	/** @csg_select: Mask of groups. */
	u32 csg_select;

	/** @enables: Enable masks, by block type. */
	u32 enables[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];
};

/**
 * struct panthor_perf_fake_counter - A register that counts time
 */
struct panthor_perf_fake_counter {
	/** @base: Value at @base_ns. */
	u64 base;

	/** @base_ns: CLOCK_MONOTONIC_RAW, ns. */
	u64 base_ns;

	/** @rate: Counts per second. 0: stands still. */
	u64 rate;

	/** @stopped: Stands still for now, whatever the rate. */
	bool stopped;

	/** @reads: Number of readings by the driver. */
	u32 reads;

	/** @slow_read: Which of these takes a millisecond, counted from 1. 0: none. */
	u32 slow_read;

	/** @slow_us: Time that each of the others takes, in us. */
	u32 slow_us;
};

/**
 * struct panthor_perf_fake_fw - A firmware with performance counters and without a GPU
 *
 * Keeps two copies of the ring, as a device that is not coherent does: the firmware works on its
 * own copy, the driver sees what it synchronised. Where things lie in a sample is worked out here,
 * without the code under test.
 *
 * Acts when the driver rings the doorbell or waits, or when a test requests it, and checks the
 * driver each time.
 */
struct panthor_perf_fake_fw {
	/** @test: Test that runs. */
	struct kunit *test;

	/** @lock: Guards all below against the driver's worker. */
	spinlock_t lock;

	/** @iface: The global interface, as the driver knows it. */
	struct panthor_fw_global_iface iface;

	/** @control: Memory of the control block. */
	struct panthor_fw_global_control_iface control;

	/** @input: Memory of the input block. */
	struct panthor_fw_global_input_iface input;

	/** @output: Memory of the output block. */
	struct panthor_fw_global_output_iface output;

	/** @perf_lock: A lock that must not be held while waiting for the firmware. */
	struct mutex *perf_lock;

	/** @shape: What the GPU is made of. */
	struct panthor_perf_fake_shape shape;

	/** @blocks: Blocks in the order in which they lie in a sample. */
	struct panthor_perf_fake_block *blocks;

	/** @block_count: Number of @blocks. */
	u32 block_count;

	/** @entry_words: Words of a sample without metadata. */
	u32 entry_words;

	/** @metadata_allowed: The driver may enable the metadata block. */
	bool metadata_allowed;

	/** @metadata_words: Words of the metadata block, 0 while it is not enabled. */
	u32 metadata_words;

	/** @cpu_ring: The CPU's copy of the ring. */
	u32 *cpu_ring;

	/** @dev_ring: The device's copy of the ring. */
	u32 *dev_ring;

	/** @ring_bytes: Size of each copy. */
	size_t ring_bytes;

	/** @cpu_bytes: Bytes that were synchronised for the CPU. */
	size_t cpu_bytes;

	/** @dev_bytes: Bytes that were synchronised for the device. */
	size_t dev_bytes;

	/** @enabled: Counters run. */
	bool enabled;

	/** @config: What they were enabled with. */
	struct panthor_perf_fake_config config;

	/** @slots: Slots of the ring, as configured. */
	u32 slots;

	/** @insert: The firmware's index. */
	u32 insert;

	/** @extract: The driver's index when the firmware last read it. */
	u32 extract;

	/** @timestamp: GPU timestamp of the newest sample. */
	u64 timestamp;

	/** @timestamp_before: That of the sample before. */
	u64 timestamp_before;

	/** @timestamp_error: Ticks by which samples are stamped wrong. */
	s64 timestamp_error;

	/** @ticks: What TIMESTAMP shows. */
	struct panthor_perf_fake_counter ticks;

	/** @cycles: Value of CYCLE_COUNT, which counts while GLB_COUNTER_EN is requested. */
	struct panthor_perf_fake_counter cycles;

	/** @hold: Request bits that stay without an answer. */
	u32 hold;

	/** @answer_in_wait: What is held is let go when the driver waits. */
	bool answer_in_wait;

	/** @wait_ms: How long each wait for an acknowledge takes, in ms. */
	u32 wait_ms;

	/** @answer_in_sync: What is held is let go when the driver has begun to read the ring. */
	bool answer_in_sync;

	/**
	 * @burst: Automatic samples that the firmware writes at the next doorbell, before it reads
	 * requests. Counter 4 of each block counts one event in each.
	 */
	u32 burst;

	/** @automatic: The same before the firmware acknowledges the next disable. */
	u32 automatic;

	/** @insert_of_disable: Insert index that a disable leaves, 0 for the true one. */
	u32 insert_of_disable;

	/** @deaf_after_overflow: A sample request without room in the ring is never served. */
	bool deaf_after_overflow;

	/** @no_sample: Number of requests for a sample that are acknowledged without one. */
	u32 no_sample;

	/** @lose: Request bits that are served without an acknowledge. */
	u32 lose;

	/** @false_events: THRESHOLD events without a cause, one each time the firmware acts. */
	u32 false_events;

	/** @answers: Order of what follows a request for a sample. */
	enum panthor_perf_fake_answers answers;

	/** @owed: A part of an answer, which comes when time passes. */
	enum { FAKE_NOTHING, FAKE_SERVICE, FAKE_ENTRY } owed;

	/** @core_off: What becomes of a block that loses power. */
	enum panthor_perf_fake_core_off core_off;

	/** @full_ring_loses: A sample without room in the ring loses its counts. */
	bool full_ring_loses;

	/** @cycles_always: CYCLE_COUNT runs whether GLB_COUNTER_EN is requested or not. */
	bool cycles_always;

	/** @losses: Times that counts were lost. */
	u32 losses;

	/** @keep_enable: Enabled counters go on after a warm boot. */
	bool keep_enable;

	/** @deaf: The pending request for a sample is never served. */
	bool deaf;

	/** @enable_word: Enable word to write instead of the configured one, 0: none. */
	u32 enable_word;

	/** @power_error: What the next attempt to power the GPU returns. */
	int power_error;

	/** @alloc_error: What the next allocation of the ring returns. */
	int alloc_error;

	/** @on: The GPU has power. */
	bool on;

	/** @power: References to the GPU's power. */
	int power;

	/** @enable_edges: Times that counters were enabled. */
	u32 enable_edges;

	/** @disable_edges: Times that they were disabled. */
	u32 disable_edges;

	/** @doorbells: Times that the doorbell rang. */
	u32 doorbells;

	/** @samples: Samples written on request. */
	u32 samples;

	/** @autos: Samples written without request. */
	u32 autos;

	/** @overflows: Samples that found no room. */
	u32 overflows;

	/** @thresholds: THRESHOLD events raised. */
	u32 thresholds;

	/** @unread: Samples that were in the ring when counters were disabled. */
	u32 unread;

	/** @waits: Times that the driver waited. */
	u32 waits;

	/** @irqs: Interrupts raised. */
	u32 irqs;

	/** @masked: Answers whose interrupt was masked. */
	u32 masked;

	/** @violations: Times that the driver broke the protocol. */
	u32 violations;

	/** @violation: The first of these. */
	char violation[96];
};

/* A G610 as in the RK3588: four cores with holes between them. */
extern const struct panthor_perf_fake_shape panthor_perf_rk3588;

void panthor_perf_fake_fw_init(struct kunit *test, struct panthor_perf_fake_fw *fake,
			       const struct panthor_perf_fake_shape *shape);
void panthor_perf_fake_fw_params(const struct panthor_perf_fake_fw *fake,
				 struct panthor_perf_layout_params *params);
void panthor_perf_fake_fw_connect(struct panthor_perf_fake_fw *fake, struct panthor_perf_fw *fw);

/* What the GPU does */
void panthor_perf_fake_fw_count(struct panthor_perf_fake_fw *fake, u8 type, u32 rank, u32 counter,
				u32 events);
void panthor_perf_fake_fw_count_all(struct panthor_perf_fake_fw *fake, u32 seed);
void panthor_perf_fake_fw_power_off(struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
void panthor_perf_fake_fw_power_on(struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
void panthor_perf_fake_fw_set_timestamp(struct panthor_perf_fake_fw *fake, u64 now, u64 rate);
void panthor_perf_fake_fw_set_cycles(struct panthor_perf_fake_fw *fake, u64 now, u64 rate);

/* What the firmware does on its own */
void panthor_perf_fake_fw_auto_sample(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_core_off(struct panthor_perf_fake_fw *fake, u32 rank);
bool panthor_perf_fake_fw_settle(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_let_go(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_spoil_insert(struct panthor_perf_fake_fw *fake, u32 insert);
void panthor_perf_fake_fw_shut_down(struct panthor_perf_fake_fw *fake);
void panthor_perf_fake_fw_restart(struct panthor_perf_fake_fw *fake, bool cold);

/* What it knows */
struct panthor_perf_fake_block *
panthor_perf_fake_fw_block(struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
u32 panthor_perf_fake_fw_position(const struct panthor_perf_fake_fw *fake, u8 type, u32 rank);
u32 panthor_perf_fake_fw_fill(struct panthor_perf_fake_fw *fake);

#endif
