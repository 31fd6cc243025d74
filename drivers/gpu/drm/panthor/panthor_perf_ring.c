// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <asm/barrier.h>
#include <linux/compiler.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_ring.h"

/**
 * DOC: Signals
 *
 * A client that is signalled for each sample spends more time on wakeups than on
 * reading. A client with WAKEUP is signalled when wakeup_samples samples are
 * unread.
 *
 * A sample is not counted for a second signal while the extract index is the
 * same as at the first one. Once the client has moved the index, all unread
 * samples count, those of earlier signals included. So a client may read any
 * part of the ring and wait again: it is signalled before the ring is full.
 */

/**
 * panthor_perf_ring_init() - Initialise a ring and its shared indices
 * @ring: Ring.
 * @data: Kernel mapping of the slots, @slots times @slot_size bytes.
 * @control: Kernel mapping of the indices.
 * @slots: Number of slots, a power of two.
 * @slot_size: Size of a slot, in bytes.
 */
void panthor_perf_ring_init(struct panthor_perf_ring *ring, void *data,
			    struct drm_panthor_perf_ring_control *control, u32 slots,
			    u32 slot_size)
{
	*ring = (struct panthor_perf_ring) {
		.data = data,
		.control = control,
		.slots = slots,
		.slot_size = slot_size,
	};

	WRITE_ONCE(control->extract_idx, 0);
	WRITE_ONCE(control->insert_idx, 0);
}

static void read_extract(struct panthor_perf_ring *ring)
{
	/* Pairs with the release of user space, which has read the slots that it releases. */
	u64 extract = smp_load_acquire(&ring->control->extract_idx);

	/* For a valid index, both differences are small, even if the indices wrap. */
	if (extract - ring->extract > ring->insert - ring->extract)
		ring->bad_extract = true;
	else
		ring->extract = extract;
}

/**
 * panthor_perf_ring_free_slots() - Get the number of free slots
 * @ring: Ring.
 *
 * Reads the extract index once. An index that is not between the last valid one and the insert
 * index is ignored, and sets &panthor_perf_ring.bad_extract. Only panthor_perf_ring_publish()
 * decreases the number of free slots.
 *
 * Return: 0 to &panthor_perf_ring.slots.
 */
u32 panthor_perf_ring_free_slots(struct panthor_perf_ring *ring)
{
	read_extract(ring);
	return ring->slots - (u32)(ring->insert - ring->extract);
}

/**
 * panthor_perf_ring_slot() - Get the slot to publish next
 * @ring: Ring with a free slot.
 *
 * Return: Address of the slot. For writing only.
 */
void *panthor_perf_ring_slot(struct panthor_perf_ring *ring)
{
	u32 slot = ring->insert & (ring->slots - 1);

	return ring->data + (size_t)slot * ring->slot_size;
}

/**
 * panthor_perf_ring_publish() - Publish the slot of panthor_perf_ring_slot()
 * @ring: Ring. The caller has written the slot.
 */
void panthor_perf_ring_publish(struct panthor_perf_ring *ring)
{
	ring->insert++;

	/* Pairs with the acquire of user space: a client that reads the index sees the sample. */
	smp_store_release(&ring->control->insert_idx, ring->insert);
}

/**
 * panthor_perf_ring_signal_due() - Check whether the client has to be signalled
 * @ring: Ring, with a new sample published.
 * @final: No sample follows. The client is signalled for any number of unread samples.
 *
 * Return: true if the caller has to signal the client. The samples up to the insert index are then
 * recorded as signalled.
 */
bool panthor_perf_ring_signal_due(struct panthor_perf_ring *ring, bool final)
{
	u64 first;

	if (!ring->wakeup_samples)
		return true;

	read_extract(ring);
	first = ring->extract == ring->signalled_extract ? ring->signalled : ring->extract;
	if (!final && ring->insert - first < ring->wakeup_samples)
		return false;

	ring->signalled = ring->insert;
	ring->signalled_extract = ring->extract;
	return true;
}
