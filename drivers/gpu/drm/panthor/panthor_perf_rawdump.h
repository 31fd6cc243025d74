/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_RAWDUMP_H__
#define __PANTHOR_PERF_RAWDUMP_H__

#include <linux/kconfig.h>
#include <linux/types.h>

#include "panthor_perf_fw.h"
#include "panthor_perf_sampler.h"

struct dentry;
struct panthor_device;

/** define PANTHOR_PERF_RAWDUMP_MAX_REQUESTS - Largest number of requests of an experiment. */
#define PANTHOR_PERF_RAWDUMP_MAX_REQUESTS	(2 * PANTHOR_PERF_FW_RING_SLOTS)

/** define PANTHOR_PERF_RAWDUMP_MAX_ENTRIES - Largest number of entries that are copied. */
#define PANTHOR_PERF_RAWDUMP_MAX_ENTRIES	(PANTHOR_PERF_FW_RING_SLOTS + 16)

/** define PANTHOR_PERF_RAWDUMP_MAX_WAIT_US - Longest pause before each request, in us. */
#define PANTHOR_PERF_RAWDUMP_MAX_WAIT_US	100000

/** define PANTHOR_PERF_RAWDUMP_POISON - Value of words that firmware has not written. */
#define PANTHOR_PERF_RAWDUMP_POISON		0x5a5a5a5a

/**
 * struct panthor_perf_rawdump_masks - Enable masks of an experiment
 *
 * A bit stands for %PANTHOR_PERF_COUNTERS_PER_EN words of each block of a type. Bits 0 and 1 must
 * be set: otherwise the enable word of a block does not show whether firmware wrote the block.
 */
struct panthor_perf_rawdump_masks {
	/** @fw: Mask of the firmware's block. */
	u32 fw;

	/** @csg: Mask of the blocks of command stream groups. */
	u32 csg;

	/** @cshw: Mask of the front end. */
	u32 cshw;

	/** @tiler: Mask of the tiler. */
	u32 tiler;

	/** @memsys: Mask of the L2 slices. */
	u32 memsys;

	/** @shader: Mask of the shader cores. */
	u32 shader;

	/** @neural: Mask of the neural accelerators, not used without any. */
	u32 neural;
};

/**
 * struct panthor_perf_rawdump_params - Parameters of an experiment
 */
struct panthor_perf_rawdump_params {
	/** @set: Counter set, 0 to 2. */
	u32 set;

	/** @masks: Enable masks. Bits 0 and 1 of each mask are always set. */
	struct panthor_perf_rawdump_masks masks;

	/** @requests: Number of requests, at most %PANTHOR_PERF_RAWDUMP_MAX_REQUESTS. */
	u32 requests;

	/** @wait_us: Pause before each request, at most %PANTHOR_PERF_RAWDUMP_MAX_WAIT_US us. */
	u32 wait_us;

	/** @entries: Number of entries to copy, at most %PANTHOR_PERF_RAWDUMP_MAX_ENTRIES. */
	u32 entries;

	/** @keep: Consume no sample and acknowledge no event, so that the ring fills. 0 or 1. */
	u32 keep;

	/**
	 * @overflow: With @keep, request one sample of a full ring, then drain the ring and wait
	 * for the acknowledge. 0 or 1.
	 */
	u32 overflow;

	/** @fill: With @keep, stop at that many entries. 0: stop when the ring is full. */
	u32 fill;

	/** @metadata: Enable the metadata block. 0 or 1. */
	u32 metadata;
};

/**
 * struct panthor_perf_rawdump_request - Result of a request for a sample
 */
struct panthor_perf_rawdump_request {
	/** @answer_ns: Time from the doorbell to the acknowledge, in ns. */
	u64 answer_ns;

	/** @timestamp_before: TIMESTAMP before the doorbell. */
	u64 timestamp_before;

	/** @timestamp_after: TIMESTAMP after the acknowledge. */
	u64 timestamp_after;

	/** @cycles: CYCLE_COUNT after the acknowledge. */
	u64 cycles;

	/** @insert_before: INSERT before the doorbell. */
	u32 insert_before;

	/** @insert_after: INSERT after the acknowledge. */
	u32 insert_after;

	/** @status: GLB_PRFCNT_STATUS after the acknowledge. */
	u32 status;

	/** @events: A combination of &enum panthor_perf_fw_event after the acknowledge. */
	u32 events;

	/** @ret: 0; -ETIMEDOUT if there was no acknowledge. */
	int ret;

	/** @drained: 0 if @ret is 0 or the acknowledge came after a drain of the full ring. */
	int drained;
};

/**
 * struct panthor_perf_rawdump - Result of an experiment
 */
struct panthor_perf_rawdump {
	/** @params: Parameters. */
	struct panthor_perf_rawdump_params params;

	/** @layout: Layout of the entries, with the metadata block if it is enabled. */
	struct panthor_perf_layout *layout;

	/** @sampler: Sampler. */
	struct panthor_perf_sampler *sampler;

	/** @client: Client with %PANTHOR_PERF_RESERVED_SET, attached during the experiment. */
	struct panthor_perf_client client;

	/** @fw: Protocol state during the experiment: a copy of the sampler's, with @layout. */
	struct panthor_perf_fw fw;

	/** @counter_enabled: The cycle counter was enabled in GLB_REQ before the experiment. */
	bool counter_enabled;

	/** @cycles_off: Two readings of CYCLE_COUNT before counters were enabled, 1 ms apart. */
	u64 cycles_off[2];

	/** @timestamps_off: TIMESTAMP at the two readings of @cycles_off. */
	u64 timestamps_off[2];

	/** @insert_off: INSERT before counters were enabled. */
	u32 insert_off;

	/** @insert_on: INSERT when enable was acknowledged. */
	u32 insert_on;

	/** @enable_ns: Time until enable was acknowledged, in ns. */
	u64 enable_ns;

	/** @disable_ns: Time until disable was acknowledged, in ns. */
	u64 disable_ns;

	/** @enable_ret: 0, or -ETIMEDOUT. */
	int enable_ret;

	/** @disable_ret: 0, or -ETIMEDOUT. */
	int disable_ret;

	/** @aborted: A reset or unplug of the GPU has ended the experiment. */
	bool aborted;

	/** @request_count: Number of elements of @requests. */
	u32 request_count;

	/** @requests: Result of each request. */
	struct panthor_perf_rawdump_request requests[PANTHOR_PERF_RAWDUMP_MAX_REQUESTS];

	/** @entry_words: Number of words of an entry. */
	u32 entry_words;

	/** @entry_count: Number of entries in @words. */
	u32 entry_count;

	/** @entries_seen: Number of entries that firmware wrote, automatic samples included. */
	u32 entries_seen;

	/** @words: Copy of the first entries of the ring. */
	u32 *words;
};

int panthor_perf_rawdump_parse(char *text, struct panthor_perf_rawdump_params *params);
int panthor_perf_rawdump_run(struct panthor_perf_sampler *sampler,
			     const struct panthor_perf_rawdump_params *params,
			     struct panthor_perf_rawdump **result);
void panthor_perf_rawdump_free(struct panthor_perf_rawdump *dump);

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_RAWDUMP)
void panthor_perf_rawdump_debugfs_init(struct dentry *dir, struct panthor_device *ptdev);
#else
static inline void panthor_perf_rawdump_debugfs_init(struct dentry *dir,
						     struct panthor_device *ptdev) {}
#endif

#endif
