/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FW_H__
#define __PANTHOR_PERF_FW_H__

#include <linux/types.h>

struct panthor_device;
struct panthor_fw_global_iface;
struct panthor_perf_fw;
struct panthor_perf_layout;

/** define PANTHOR_PERF_FW_RING_SLOTS - Firmware samples in the firmware's ring, a power of two. */
#define PANTHOR_PERF_FW_RING_SLOTS	64

/** define PANTHOR_PERF_FW_DESCRIPTION - Bytes of what panthor_perf_fw_describe() may say. */
#define PANTHOR_PERF_FW_DESCRIPTION	200

/**
 * struct panthor_perf_fw_ops - What the counter protocol needs from below
 *
 * There are two implementations: the GPU's, and the fake firmware of the KUnit suites.
 */
struct panthor_perf_fw_ops {
	/**
	 * @power_get: Resume the GPU and keep it so. May sleep. Returns 0 or a negative error.
	 */
	int (*power_get)(struct panthor_perf_fw *fw);

	/** @power_get_async: Take a reference to the GPU's power; resume it later if needed. */
	void (*power_get_async)(struct panthor_perf_fw *fw);

	/** @power_put: Give up one @power_get or @power_get_async. Does not wait. */
	void (*power_put)(struct panthor_perf_fw *fw);

	/**
	 * @ring_alloc: Allocate @size bytes for the firmware's ring, map them for the MCU and for
	 * the CPU, and set &panthor_perf_fw.ring and &panthor_perf_fw.ring_va. May sleep and
	 * allocate. Returns 0 or a negative error.
	 */
	int (*ring_alloc)(struct panthor_perf_fw *fw, size_t size);

	/** @ring_free: Undo @ring_alloc. May sleep. */
	void (*ring_free)(struct panthor_perf_fw *fw);

	/** @ring_sync_for_cpu: Make what the firmware wrote to a part of the ring visible. */
	void (*ring_sync_for_cpu)(struct panthor_perf_fw *fw, u32 offset, u32 size);

	/** @ring_sync_for_device: Make what the CPU wrote to a part of the ring visible. */
	void (*ring_sync_for_device)(struct panthor_perf_fw *fw, u32 offset, u32 size);

	/** @as: Address space of the MCU, in which the ring is mapped. */
	u32 (*as)(struct panthor_perf_fw *fw);

	/** @read_timestamp: Read the GPU's TIMESTAMP, of a powered GPU. */
	u64 (*read_timestamp)(struct panthor_perf_fw *fw);

	/** @read_cycles: Read the GPU's CYCLE_COUNT, of a powered GPU. */
	u64 (*read_cycles)(struct panthor_perf_fw *fw);

	/** @doorbell: Ring the global doorbell. */
	void (*doorbell)(struct panthor_perf_fw *fw);

	/**
	 * @wait: Sleep until the acknowledges of @reqs equal the requests, @timeout_ms at most.
	 * Returns 0 or -ETIMEDOUT.
	 */
	int (*wait)(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms);

	/** @stop: Stop the MCU for good: whatever its firmware does, it leaves the ring alone. */
	void (*stop)(struct panthor_perf_fw *fw);
};

/**
 * struct panthor_perf_fw - The counter part of the firmware's global interface
 *
 * Has no lock of its own: calls are serialised by the caller.
 */
struct panthor_perf_fw {
	/** @ops: How to reach the firmware. */
	const struct panthor_perf_fw_ops *ops;

	/** @ptdev: Device. NULL in the KUnit suites. */
	struct panthor_device *ptdev;

	/** @iface: Global interface. Its lock guards the request word. */
	struct panthor_fw_global_iface *iface;

	/** @layout: Layout of the entries. */
	const struct panthor_perf_layout *layout;

	/** @slots: Entries of the ring, a power of two. */
	u32 slots;

	/** @csg_mask: Mask of all command stream group interfaces. */
	u32 csg_mask;

	/** @ring: CPU mapping of the ring. NULL before the first START. */
	void *ring;

	/** @ring_va: Address of the ring in the MCU's address space. */
	u64 ring_va;

	/** @ring_priv: The implementation's handle of the ring. */
	void *ring_priv;

	/** @extract: The kernel's extract index, a copy of what the firmware was told. */
	u32 extract;

	/** @cycles_on: Counters had the GPU's cycle counter switched on. */
	bool cycles_on;

	/** @in_use: The firmware may use the ring: it gets back what was read of it. */
	bool in_use;
};

/**
 * enum panthor_perf_fw_event - What the firmware has to tell, as seen by panthor_perf_fw_poll()
 */
enum panthor_perf_fw_event {
	/** @PANTHOR_PERF_FW_ENABLE_ACKED: The enable bit is acknowledged, as it was requested. */
	PANTHOR_PERF_FW_ENABLE_ACKED = 1 << 0,

	/** @PANTHOR_PERF_FW_SAMPLE_ACKED: No sample request is pending. */
	PANTHOR_PERF_FW_SAMPLE_ACKED = 1 << 1,

	/** @PANTHOR_PERF_FW_THRESHOLD: The ring was half full. */
	PANTHOR_PERF_FW_THRESHOLD = 1 << 2,

	/** @PANTHOR_PERF_FW_OVERFLOW: The ring was full, a sample was not written. */
	PANTHOR_PERF_FW_OVERFLOW = 1 << 3,
};

/**
 * enum panthor_perf_fw_status - How the last firmware sample went, as the firmware tells
 */
enum panthor_perf_fw_status {
	/** @PANTHOR_PERF_FW_STATUS_FAILED: It failed. */
	PANTHOR_PERF_FW_STATUS_FAILED = 1 << 0,

	/** @PANTHOR_PERF_FW_STATUS_POWER_ON: Something gained power. */
	PANTHOR_PERF_FW_STATUS_POWER_ON = 1 << 1,

	/** @PANTHOR_PERF_FW_STATUS_POWER_OFF: Something lost power. */
	PANTHOR_PERF_FW_STATUS_POWER_OFF = 1 << 2,

	/** @PANTHOR_PERF_FW_STATUS_PROTECTED: The GPU is or was in protected mode. */
	PANTHOR_PERF_FW_STATUS_PROTECTED = 1 << 3,
};

/**
 * struct panthor_perf_fw_masks - Enable masks as the firmware takes them
 *
 * A bit stands for %PANTHOR_PERF_COUNTERS_PER_EN words of each block of a type. Bits 0 and 1 are to
 * be set: without them the enable word of a block does not tell whether it was written.
 */
struct panthor_perf_fw_masks {
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

	/** @config: More bits of GLB_PRFCNT_CONFIG. The driver itself sets none. */
	u32 config;
};

extern const struct panthor_perf_fw_ops panthor_perf_fw_gpu_ops;

const char *panthor_perf_fw_name(struct panthor_perf_fw *fw);
void panthor_perf_fw_describe(struct panthor_perf_fw *fw, char *text, size_t size);

/* Life cycle */
void panthor_perf_fw_init(struct panthor_perf_fw *fw, const struct panthor_perf_fw_ops *ops,
			  struct panthor_fw_global_iface *iface,
			  const struct panthor_perf_layout *layout);
int panthor_perf_fw_alloc_ring(struct panthor_perf_fw *fw);
void panthor_perf_fw_free_ring(struct panthor_perf_fw *fw);

/* Requests */
bool panthor_perf_fw_is_disabled(struct panthor_perf_fw *fw);
void panthor_perf_fw_enable(struct panthor_perf_fw *fw, u32 set);
void panthor_perf_fw_enable_masks(struct panthor_perf_fw *fw, u32 set,
				  const struct panthor_perf_fw_masks *masks);
void panthor_perf_fw_disable(struct panthor_perf_fw *fw);
void panthor_perf_fw_request_sample(struct panthor_perf_fw *fw);
void panthor_perf_fw_drop_requests(struct panthor_perf_fw *fw);

/* Answers */
u32 panthor_perf_fw_poll(struct panthor_perf_fw *fw);
u32 panthor_perf_fw_status(struct panthor_perf_fw *fw);
int panthor_perf_fw_wait_sample(struct panthor_perf_fw *fw);
int panthor_perf_fw_wait_enable(struct panthor_perf_fw *fw);
void panthor_perf_fw_ack_events(struct panthor_perf_fw *fw, u32 events);

/* Samples */
int panthor_perf_fw_pending(struct panthor_perf_fw *fw, u32 *count);
const u32 *panthor_perf_fw_peek(struct panthor_perf_fw *fw);
void panthor_perf_fw_consume(struct panthor_perf_fw *fw);
void panthor_perf_fw_release(struct panthor_perf_fw *fw);

#endif
