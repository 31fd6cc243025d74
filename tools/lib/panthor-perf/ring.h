/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RING_H
#define PANTHOR_PERF_RING_H

#include <stdbool.h>
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

	/** @extract: The consumer's own extract index: samples that were taken. */
	uint64_t extract;

	/** @limit: Where the extract index in memory stops if @limited. */
	uint64_t limit;

	/** @limited: There is a limit. */
	bool limited;

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
 * panthor_perf_ring_peek() - Read a sample in place in the ring
 * @ring: The ring.
 * @n: Number of the sample, counted from the oldest: less than panthor_perf_ring_fill() said.
 *
 * Return: The slot of the sample.
 */
const void *panthor_perf_ring_peek(const struct panthor_perf_ring *ring, uint32_t n);

/**
 * panthor_perf_ring_release() - Free the slots of the oldest samples
 * @ring: The ring.
 * @count: Number of samples: not more than panthor_perf_ring_fill() said.
 *
 * The slots beyond the limit stay occupied.
 */
void panthor_perf_ring_release(struct panthor_perf_ring *ring, uint32_t count);

/**
 * panthor_perf_ring_take() - Copy the oldest sample and free its slot
 * @ring: The ring, which must not be empty.
 * @sample: Room for a slot, 8-byte aligned.
 *
 * The slot stays occupied beyond the limit.
 */
void panthor_perf_ring_take(struct panthor_perf_ring *ring, void *sample);

/**
 * panthor_perf_ring_limit() - Occupy slots, so that the ring is full when a number of samples came
 * @ring: The ring.
 * @count: Samples, counted from the next one to be taken, not fewer than there are slots.
 */
void panthor_perf_ring_limit(struct panthor_perf_ring *ring, uint64_t count);

/**
 * panthor_perf_ring_unlimit() - Free the slots of all samples that were taken
 * @ring: The ring.
 */
void panthor_perf_ring_unlimit(struct panthor_perf_ring *ring);

#endif /* PANTHOR_PERF_RING_H */
