// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>

#include "internal.h"
#include "ring.h"

/*
 * The indices are read and written by one plain access of 64 bits each. Where the compiler would
 * rather use exclusive accesses, which need not work on a write-combined page, say it by hand: a
 * 32-bit program beside a CSF GPU runs on a CPU with LPAE, whose ldrd and strd are single-copy
 * atomic.
 */
#if defined(__arm__)
static uint64_t load_acquire(const __u64 *index)
{
	uint64_t value;

	__asm__ volatile("ldrd %Q0, %R0, %1\n\tdmb ish" : "=r" (value) : "Q" (*index) : "memory");
	return value;
}

static void store_release(__u64 *index, uint64_t value)
{
	__asm__ volatile("dmb ish\n\tstrd %Q1, %R1, %0" : "=Q" (*index) : "r" (value) : "memory");
}
#elif UINTPTR_MAX == UINT32_MAX
/* These may tear when the lower half wraps, see "Sample ring contract" in panthor_perf_drm.h. */
static uint64_t load_acquire(const __u64 *index)
{
	uint64_t value = *(const volatile __u64 *)index;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return value;
}

static void store_release(__u64 *index, uint64_t value)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile __u64 *)index = value;
}
#else
static uint64_t load_acquire(const __u64 *index)
{
	return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static void store_release(__u64 *index, uint64_t value)
{
	__atomic_store_n(index, value, __ATOMIC_RELEASE);
}
#endif

void panthor_perf_ring_init(struct panthor_perf_ring *ring, const void *slots, void *control,
			    uint32_t slot_count, uint32_t slot_size)
{
	ring->slots = slots;
	ring->control = control;
	ring->extract = ring->control->extract_idx;
	ring->slot_count = slot_count;
	ring->slot_size = slot_size;
	ring->limited = false;
}

static void free_slots(struct panthor_perf_ring *ring)
{
	uint64_t free = ring->extract;

	if (ring->limited && (int64_t)(free - ring->limit) > 0)
		free = ring->limit;
	store_release(&ring->control->extract_idx, free);
}

void panthor_perf_ring_limit(struct panthor_perf_ring *ring, uint64_t count)
{
	ring->limit = ring->extract + count - ring->slot_count;
	ring->limited = true;
}

void panthor_perf_ring_unlimit(struct panthor_perf_ring *ring)
{
	ring->limited = false;
	free_slots(ring);
}

int panthor_perf_ring_fill(const struct panthor_perf_ring *ring, uint64_t *insert)
{
	uint64_t idx = load_acquire(&ring->control->insert_idx);

	/* Torn: a second load is right. */
	if (idx - ring->extract > ring->slot_count)
		idx = load_acquire(&ring->control->insert_idx);
	if (idx - ring->extract > ring->slot_count)
		return -EPROTO;
	if (insert)
		*insert = idx;
	return idx - ring->extract;
}

const void *panthor_perf_ring_peek(const struct panthor_perf_ring *ring, uint32_t n)
{
	size_t slot = (ring->extract + n) & (ring->slot_count - 1);

	return (const char *)ring->slots + slot * ring->slot_size;
}

void panthor_perf_ring_release(struct panthor_perf_ring *ring, uint32_t count)
{
	ring->extract += count;
	free_slots(ring);
}

void panthor_perf_ring_take(struct panthor_perf_ring *ring, void *sample)
{
	panthor_perf_copy(sample, panthor_perf_ring_peek(ring, 0), ring->slot_size);
	panthor_perf_ring_release(ring, 1);
}
