/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_RING_H__
#define __PANTHOR_PERF_RING_H__

#include <linux/types.h>

struct drm_panthor_perf_ring_control;

/**
 * struct panthor_perf_ring - The kernel's side of a ring shared with user space
 *
 * Both mappings are writable by user space at any time. All that decides where the kernel writes
 * is in here; of what is shared, only the extract index is ever read. The memory ordering is
 * written down in the header of the uAPI. Serialised by the caller.
 */
struct panthor_perf_ring {
	/** @data: Kernel mapping of the slots. */
	void *data;

	/** @control: Kernel mapping of the shared indices. */
	struct drm_panthor_perf_ring_control *control;

	/** @insert: Number of slots published since the ring exists. */
	u64 insert;

	/** @extract: Last valid extract index read. */
	u64 extract;

	/** @slots: Number of slots, a power of two. */
	u32 slots;

	/** @slot_size: Size of a slot, in bytes. */
	u32 slot_size;

	/** @bad_extract: An invalid extract index was read. Cleared by its reader. */
	bool bad_extract;

	/**
	 * @wakeup_samples: Unread samples that the client is signalled for, below @slots. 0: it is
	 * signalled for each sample.
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
