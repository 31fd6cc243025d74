/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_RAWDUMP_H__
#define __PANTHOR_PERF_RAWDUMP_H__

#include <linux/kconfig.h>
#include <linux/types.h>

#include "panthor_perf_fw.h"

struct dentry;
struct panthor_device;
struct panthor_perf_sampler;

/** define PANTHOR_PERF_RAWDUMP_MAX_REQUESTS - Samples that one experiment may request. */
#define PANTHOR_PERF_RAWDUMP_MAX_REQUESTS	(2 * PANTHOR_PERF_FW_RING_SLOTS)

/** define PANTHOR_PERF_RAWDUMP_MAX_ENTRIES - Entries of the ring that one experiment may copy. */
#define PANTHOR_PERF_RAWDUMP_MAX_ENTRIES	16

/** define PANTHOR_PERF_RAWDUMP_MAX_WAIT_US - Longest pause in front of each request, in us. */
#define PANTHOR_PERF_RAWDUMP_MAX_WAIT_US	100000

/** define PANTHOR_PERF_RAWDUMP_POISON - What the ring holds before the firmware writes to it. */
#define PANTHOR_PERF_RAWDUMP_POISON		0x5a5a5a5a

/**
 * struct panthor_perf_rawdump_params - What an experiment does
 */
struct panthor_perf_rawdump_params {
	/** @set: Counter set, 0 to 2. */
	u32 set;

	/** @masks: Enable masks. Bits 0 and 1 of each are set in any case. */
	struct panthor_perf_fw_masks masks;

	/** @requests: Samples to request, %PANTHOR_PERF_RAWDUMP_MAX_REQUESTS at most. */
	u32 requests;

	/** @wait_us: Pause in front of each, us, %PANTHOR_PERF_RAWDUMP_MAX_WAIT_US at most. */
	u32 wait_us;

	/** @entries: First entries to copy, %PANTHOR_PERF_RAWDUMP_MAX_ENTRIES at most. */
	u32 entries;

	/** @keep: Consume nothing, and acknowledge no event, so that the ring fills. 0 or 1. */
	u32 keep;

	/**
	 * @overflow: With @keep, request one sample of a full ring, then empty it and see whether
	 * that request is answered. 0: stop at the full ring. 0 or 1.
	 */
	u32 overflow;

	/** @fill: With @keep, stop at that many entries. 0: at the full ring. */
	u32 fill;

	/** @metadata: Enable the metadata block. 0 or 1. */
	u32 metadata;
};

/**
 * struct panthor_perf_rawdump_request - How a request for a sample went
 */
struct panthor_perf_rawdump_request {
	/** @answer_ns: From the doorbell to the look that found the acknowledge, ns. */
	u64 answer_ns;

	/** @timestamp_before: TIMESTAMP before the doorbell. */
	u64 timestamp_before;

	/** @timestamp_after: TIMESTAMP after the acknowledge. */
	u64 timestamp_after;

	/** @cycles: CYCLE_COUNT after the acknowledge. */
	u64 cycles;

	/** @insert_before: INSERT before the doorbell. */
	u32 insert_before;

	/** @insert_after: INSERT at the look that found the acknowledge. */
	u32 insert_after;

	/** @status: GLB_PRFCNT_STATUS then. */
	u32 status;

	/** @events: A combination of &enum panthor_perf_fw_event then. */
	u32 events;

	/** @ret: 0; -ETIMEDOUT if there was no acknowledge. */
	int ret;

	/** @drained: The full ring was emptied, and the request answered (0) or not. */
	int drained;
};

/**
 * struct panthor_perf_rawdump - What an experiment saw
 */
struct panthor_perf_rawdump {
	/** @params: What it did. */
	struct panthor_perf_rawdump_params params;

	/** @layout: Layout of its entries: of the driver's, or with a metadata block in front. */
	struct panthor_perf_layout *layout;

	/** @sampler: Sampler, whose counters are claimed meanwhile. */
	struct panthor_perf_sampler *sampler;

	/** @fw: Protocol state meanwhile: the sampler's, with @layout. */
	struct panthor_perf_fw fw;

	/** @counter_enabled: GLB_REQ had the cycle counter on before. */
	bool counter_enabled;

	/** @cycles_off: CYCLE_COUNT before counters were enabled, 1 ms apart. */
	u64 cycles_off[2];

	/** @timestamps_off: TIMESTAMP at these times. */
	u64 timestamps_off[2];

	/** @insert_off: INSERT before counters were enabled. */
	u32 insert_off;

	/** @insert_on: INSERT when enable was acknowledged. */
	u32 insert_on;

	/** @enable_ns: Until enable was acknowledged, ns. */
	u64 enable_ns;

	/** @disable_ns: Until disable was acknowledged, ns. */
	u64 disable_ns;

	/** @enable_ret: 0, or -ETIMEDOUT. */
	int enable_ret;

	/** @disable_ret: 0, or -ETIMEDOUT. */
	int disable_ret;

	/** @aborted: The GPU was suspended, reset or unplugged meanwhile. */
	bool aborted;

	/** @request_count: Elements of @requests. */
	u32 request_count;

	/** @requests: How each request went. */
	struct panthor_perf_rawdump_request requests[PANTHOR_PERF_RAWDUMP_MAX_REQUESTS];

	/** @entry_words: Words of an entry. */
	u32 entry_words;

	/** @entry_count: Entries in @words. */
	u32 entry_count;

	/** @entries_seen: All entries that the firmware wrote, requested and automatic ones. */
	u32 entries_seen;

	/** @words: The first entries, as they lay in the ring. */
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
