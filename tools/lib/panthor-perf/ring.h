/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RING_H
#define PANTHOR_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

#include <drm/panthor_perf_drm.h>

/**
 * struct panthor_perf_ring - the consumer's side of a ring of samples
 *
 * Knows memory alone: neither ioctls nor what is in a sample. The contract is
 * written down in panthor_perf_drm.h.
 */
struct panthor_perf_ring {
	/** @slots: The slots, possibly mapped write-combined. */
	const void *slots;

	/** @control: The indices, possibly mapped write-combined. */
	struct drm_panthor_perf_ring_control *control;

	/** @extract: The consumer's own copy of the extract index. */
	uint64_t extract;

	/** @slot_count: Number of slots, a power of two. */
	uint32_t slot_count;

	/** @slot_size: Bytes of a slot, a multiple of 8. */
	uint32_t slot_size;
};

/**
 * panthor_perf_ring_init() - Begin to consume a ring
 * @ring: The ring.
 * @slots: Its slots.
 * @control: Its indices.
 * @slot_count: Number of slots, a power of two.
 * @slot_size: Bytes of a slot, a multiple of 8.
 */
void panthor_perf_ring_init(struct panthor_perf_ring *ring, const void *slots, void *control,
			    uint32_t slot_count, uint32_t slot_size);

/**
 * panthor_perf_ring_fill() - Number of samples that can be read
 * @ring: The ring.
 * @insert: Where the insert index is returned. May be %NULL.
 *
 * Return: The number; -EPROTO if the insert index is impossible.
 */
int panthor_perf_ring_fill(const struct panthor_perf_ring *ring, uint64_t *insert);

/**
 * panthor_perf_ring_take() - Copy the oldest sample and free its slot
 * @ring: The ring, which must not be empty.
 * @sample: Room for a slot, 8-byte aligned.
 */
void panthor_perf_ring_take(struct panthor_perf_ring *ring, void *sample);

#endif /* PANTHOR_PERF_RING_H */
