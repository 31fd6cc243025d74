/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_RING_H__
#define __PANTHOR_PERF_RING_H__

#include <linux/types.h>

struct drm_panthor_perf_ring_control;

/**
 * struct panthor_perf_ring - The kernel's side of a ring shared with user space
 *
 * User space may write to both mappings at any time. All fields that decide where the kernel writes
 * are private to the kernel. The kernel reads only the extract index of the shared memory. The
 * header of the uAPI documents the memory ordering. Calls are serialised by the caller.
 */
struct panthor_perf_ring {
	/** @data: Kernel mapping of the slots. */
	void *data;

	/** @control: Kernel mapping of the shared indices. */
	struct drm_panthor_perf_ring_control *control;

	/** @insert: Number of slots published since panthor_perf_ring_init(). */
	u64 insert;

	/** @extract: Last valid extract index read. */
	u64 extract;

	/** @slots: Number of slots, a power of two. */
	u32 slots;

	/** @slot_size: Size of a slot, in bytes. */
	u32 slot_size;

	/** @bad_extract: An invalid extract index was read. The session clears the flag. */
	bool bad_extract;

	/**
	 * @wakeup_samples: Number of unread samples at which the client is signalled, below @slots.
	 * 0: the client is signalled for each sample.
	 */
	u32 wakeup_samples;

	/** @signalled: Insert index at the last signal. */
	u64 signalled;

	/** @signalled_extract: Extract index at the last signal. */
	u64 signalled_extract;
};

void panthor_perf_ring_init(struct panthor_perf_ring *ring, void *data,
			    struct drm_panthor_perf_ring_control *control, u32 slots,
			    u32 slot_size);
u32 panthor_perf_ring_free_slots(struct panthor_perf_ring *ring);
void *panthor_perf_ring_slot(struct panthor_perf_ring *ring);
void panthor_perf_ring_publish(struct panthor_perf_ring *ring);
bool panthor_perf_ring_signal_due(struct panthor_perf_ring *ring, bool final);

#endif
