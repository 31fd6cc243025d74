/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FW_H__
#define __PANTHOR_PERF_FW_H__

#include <linux/spinlock.h>
#include <linux/types.h>

#include "panthor_fw.h"

struct drm_device;
struct panthor_perf_hw_memory;
struct panthor_perf_layout;

/** define PANTHOR_PERF_FW_RING_SLOTS - Number of entries of the firmware's ring, a power of two. */
#define PANTHOR_PERF_FW_RING_SLOTS	64

/**
 * struct panthor_perf_fw - State of the counter protocol of the firmware's global interface
 *
 * Calls are serialised by the caller.
 */
struct panthor_perf_fw {
	/** @drm: DRM device. NULL in the KUnit suites. */
	struct drm_device *drm;

	/** @iface: Global interface. Its lock guards the request word. */
	struct panthor_fw_global_iface *iface;

	/** @layout: Layout of a sample. */
	const struct panthor_perf_layout *layout;

	/** @slots: Number of entries of the ring, a power of two. */
	u32 slots;

	/** @csg_mask: Mask of all command stream group interfaces. */
	u32 csg_mask;

	/** @ring: CPU mapping of the ring. NULL before the first START. */
	void *ring;

	/** @ring_va: Address of the ring in the MCU's address space. */
	u64 ring_va;

	/** @memory: Memory of @ring. */
	struct panthor_perf_hw_memory *memory;

	/** @extract: Extract index, up to the last consumed sample. */
	u32 extract;

	/** @cycles_req: GLB_COUNTER_EN if the enable has requested the cycle counter, or 0. */
	u32 cycles_req;

	/** @in_use: From the configuration until requests are dropped: the driver frees slots. */
	bool in_use;
};

/**
 * enum panthor_perf_fw_event - Events of the firmware, as returned by panthor_perf_fw_poll()
 *
 * The values are bits of GLB_REQ and GLB_ACK.
 */
enum panthor_perf_fw_event {
	/** @PANTHOR_PERF_FW_ENABLE_ACKED: No enable or disable is pending. */
	PANTHOR_PERF_FW_ENABLE_ACKED = GLB_PERFCNT_EN,

	/** @PANTHOR_PERF_FW_SAMPLE_ACKED: No sample request is pending. */
	PANTHOR_PERF_FW_SAMPLE_ACKED = GLB_PERFCNT_SAMPLE,

	/** @PANTHOR_PERF_FW_THRESHOLD: The ring was half full. */
	PANTHOR_PERF_FW_THRESHOLD = GLB_PERFCNT_THRESHOLD,

	/** @PANTHOR_PERF_FW_OVERFLOW: The ring was full. Firmware has not written a sample. */
	PANTHOR_PERF_FW_OVERFLOW = GLB_PERFCNT_OVERFLOW,
};

/* Life cycle */
void panthor_perf_fw_init(struct panthor_perf_fw *fw, struct panthor_fw_global_iface *iface,
			  const struct panthor_perf_layout *layout);

/* Requests */
bool panthor_perf_fw_is_disabled(struct panthor_perf_fw *fw);
void panthor_perf_fw_configure(struct panthor_perf_fw *fw, u32 set);
void panthor_perf_fw_enable(struct panthor_perf_fw *fw);
void panthor_perf_fw_disable(struct panthor_perf_fw *fw);
void panthor_perf_fw_request_sample(struct panthor_perf_fw *fw);
void panthor_perf_fw_drop_requests(struct panthor_perf_fw *fw);

/* Acknowledges and events */
u32 panthor_perf_fw_poll(struct panthor_perf_fw *fw);
void panthor_perf_fw_ack_events(struct panthor_perf_fw *fw, u32 events);

/* Samples */
int panthor_perf_fw_pending(struct panthor_perf_fw *fw, u32 *count);
const u32 *panthor_perf_fw_peek(struct panthor_perf_fw *fw);
void panthor_perf_fw_consume(struct panthor_perf_fw *fw);
void panthor_perf_fw_release(struct panthor_perf_fw *fw);

#endif
