/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FW_H__
#define __PANTHOR_PERF_FW_H__

#include <linux/spinlock.h>
#include <linux/types.h>

#include "panthor_fw.h"

struct panthor_device;
struct panthor_perf_fw;
struct panthor_perf_layout;

/** define GPU_PRFCNT_FEATURES - Register of the GPU that panthor does not declare. */
#define GPU_PRFCNT_FEATURES	0x68

/** define PANTHOR_PERF_FW_RING_SLOTS - Number of entries of the firmware's ring, a power of two. */
#define PANTHOR_PERF_FW_RING_SLOTS	64

/** define PANTHOR_PERF_FW_DESCRIPTION - Largest text of panthor_perf_fw_describe(), in bytes. */
#define PANTHOR_PERF_FW_DESCRIPTION	200

/**
 * struct panthor_perf_fw_ops - Access to the firmware for the counter protocol
 *
 * There are two implementations: the GPU, and the fake firmware of the KUnit suites.
 */
struct panthor_perf_fw_ops {
	/**
	 * @power_get: Resume the GPU and take a reference to its power. May sleep. Returns 0 or a
	 * negative error.
	 */
	int (*power_get)(struct panthor_perf_fw *fw);

	/** @power_get_async: Take a reference to the GPU's power, queue a resume. Any context. */
	void (*power_get_async)(struct panthor_perf_fw *fw);

	/** @power_put: Put a reference of @power_get or @power_get_async. Does not wait. */
	void (*power_put)(struct panthor_perf_fw *fw);

	/**
	 * @ring_alloc: Allocate the firmware's ring, if there is none yet: map it for the MCU and
	 * for the CPU, and set &panthor_perf_fw.ring and &panthor_perf_fw.ring_va. The GPU may be
	 * suspended. May sleep and allocate: not for the suspend and reset paths. Returns 0 or a
	 * negative error.
	 */
	int (*ring_alloc)(struct panthor_perf_fw *fw);

	/** @ring_free: Free the ring, if there is one, with the MCU stopped. May sleep. */
	void (*ring_free)(struct panthor_perf_fw *fw);

	/** @ring_sync_for_cpu: Make the firmware's writes to a part of the ring visible. */
	void (*ring_sync_for_cpu)(struct panthor_perf_fw *fw, u32 offset, u32 size);

	/** @ring_sync_for_device: Make the CPU's writes to a part of the ring visible. */
	void (*ring_sync_for_device)(struct panthor_perf_fw *fw, u32 offset, u32 size);

	/** @as: Get the number of the MCU's address space, in which the ring is mapped. */
	u32 (*as)(struct panthor_perf_fw *fw);

	/** @read_timestamp: Read the TIMESTAMP of a powered GPU. */
	u64 (*read_timestamp)(struct panthor_perf_fw *fw);

	/** @read_cycles: Read the CYCLE_COUNT of a powered GPU. */
	u64 (*read_cycles)(struct panthor_perf_fw *fw);

	/** @doorbell: Ring the global doorbell. */
	void (*doorbell)(struct panthor_perf_fw *fw);

	/**
	 * @wait: Sleep until the acknowledges of @reqs equal the requests, @timeout_ms at most.
	 * Returns 0 or -ETIMEDOUT.
	 */
	int (*wait)(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms);
};

/**
 * struct panthor_perf_fw - State of the counter protocol of the firmware's global interface
 *
 * Calls are serialised by the caller.
 */
struct panthor_perf_fw {
	/** @ops: Access to the firmware. */
	const struct panthor_perf_fw_ops *ops;

	/** @ptdev: Device. NULL in the KUnit suites. */
	struct panthor_device *ptdev;

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

	/** @ring_priv: Private data of @ops about the ring. */
	void *ring_priv;

	/** @extract: Extract index, up to the last consumed sample. */
	u32 extract;

	/** @cycles_req: GLB_COUNTER_EN if the enable has requested the cycle counter, or 0. */
	u32 cycles_req;

	/** @in_use: Firmware may use the ring, so the driver releases consumed slots. */
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

extern const struct panthor_perf_fw_ops panthor_perf_fw_gpu_ops;

const char *panthor_perf_fw_name(struct panthor_perf_fw *fw);
void panthor_perf_fw_describe(struct panthor_perf_fw *fw, char *text, size_t size);

/* Life cycle */
void panthor_perf_fw_init(struct panthor_perf_fw *fw, const struct panthor_perf_fw_ops *ops,
			  struct panthor_fw_global_iface *iface,
			  const struct panthor_perf_layout *layout);

/* The GPU */
u64 panthor_perf_shader_present(struct panthor_device *ptdev);

/* Requests */
bool panthor_perf_fw_is_disabled(struct panthor_perf_fw *fw);
void panthor_perf_fw_configure(struct panthor_perf_fw *fw, u32 set);
void panthor_perf_fw_enable(struct panthor_perf_fw *fw);
void panthor_perf_fw_disable(struct panthor_perf_fw *fw);
void panthor_perf_fw_request_sample(struct panthor_perf_fw *fw);
void panthor_perf_fw_drop_requests(struct panthor_perf_fw *fw);

/* Acknowledges and events */
u32 panthor_perf_fw_poll(struct panthor_perf_fw *fw);
int panthor_perf_fw_wait(struct panthor_perf_fw *fw, enum panthor_perf_fw_event event);
void panthor_perf_fw_ack_events(struct panthor_perf_fw *fw, u32 events);

/* Samples */
int panthor_perf_fw_pending(struct panthor_perf_fw *fw, u32 *count);
const u32 *panthor_perf_fw_peek(struct panthor_perf_fw *fw);
void panthor_perf_fw_consume(struct panthor_perf_fw *fw);
void panthor_perf_fw_release(struct panthor_perf_fw *fw);

#endif
