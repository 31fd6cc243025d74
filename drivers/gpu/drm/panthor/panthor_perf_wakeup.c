// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/ktime.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "panthor_perf_ring.h"
#include "panthor_perf_time.h"
#include "panthor_perf_wakeup.h"

/**
 * DOC: Wake-ups
 *
 * A reader that is woken up for each sample has more to do with waking up than
 * with reading. One that asked for it is woken up for several: when so many are
 * unread, or when the oldest of them is so old.
 *
 * Samples that it was woken up for do not count again while it leaves its extract
 * index where it was: it is not told twice. Once it has moved the index, all that
 * is unread counts, also what it has left behind: it may go to sleep whatever it
 * has read, and does not sleep through a full ring.
 */

/**
 * panthor_perf_wakeup_init() - Have a reader woken up for several samples
 * @wakeup: What to initialise, all zero.
 * @samples: Unread samples that it is woken up for, below @slots. 0: their number does not matter.
 * @wait_ns: Age of a sample that it is woken up for, in ns. 0: ages do not matter.
 * @slots: Slots of the ring, a power of two.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_wakeup_init(struct panthor_perf_wakeup *wakeup, u32 samples, u64 wait_ns,
			     u32 slots)
{
	wakeup->samples = samples;
	wakeup->slots = slots;
	wakeup->wait_ns = wait_ns;
	if (!wait_ns)
		return 0;

	wakeup->published_ns = kvcalloc(slots, sizeof(u64), GFP_KERNEL_ACCOUNT);
	return wakeup->published_ns ? 0 : -ENOMEM;
}

/**
 * panthor_perf_wakeup_fini() - Free what panthor_perf_wakeup_init() made
 * @wakeup: Initialised, or all zero.
 */
void panthor_perf_wakeup_fini(struct panthor_perf_wakeup *wakeup)
{
	kvfree(wakeup->published_ns);
}

/**
 * panthor_perf_wakeup_published() - A sample was published
 * @wakeup: The reader's wishes.
 * @ring: The ring, with the sample.
 */
void panthor_perf_wakeup_published(struct panthor_perf_wakeup *wakeup,
				   const struct panthor_perf_ring *ring)
{
	if (wakeup->published_ns)
		wakeup->published_ns[(ring->insert - 1) & (wakeup->slots - 1)] = ktime_get_ns();
}

/**
 * panthor_perf_wakeup_due() - When the reader has to be woken up
 * @wakeup: The reader's wishes.
 * @ring: The ring. Its extract index is read.
 *
 * Return: CLOCK_MONOTONIC in ns; 0 for at once; %PANTHOR_PERF_NEVER for not before another sample.
 */
u64 panthor_perf_wakeup_due(const struct panthor_perf_wakeup *wakeup,
			    struct panthor_perf_ring *ring)
{
	u64 first, due;

	if (!wakeup->samples && !wakeup->wait_ns)
		return 0;

	panthor_perf_ring_free_slots(ring);
	first = ring->extract == wakeup->extract ? wakeup->told : ring->extract;
	if (first == ring->insert)
		return PANTHOR_PERF_NEVER;

	if (wakeup->samples && ring->insert - first >= wakeup->samples)
		return 0;

	if (!wakeup->wait_ns ||
	    check_add_overflow(wakeup->published_ns[first & (wakeup->slots - 1)],
			       wakeup->wait_ns, &due) || due > KTIME_MAX)
		return PANTHOR_PERF_NEVER;

	return due;
}

/**
 * panthor_perf_wakeup_told() - The reader is woken up
 * @wakeup: The reader's wishes.
 * @ring: The ring.
 */
void panthor_perf_wakeup_told(struct panthor_perf_wakeup *wakeup,
			      const struct panthor_perf_ring *ring)
{
	wakeup->told = ring->insert;
	wakeup->extract = ring->extract;
}
