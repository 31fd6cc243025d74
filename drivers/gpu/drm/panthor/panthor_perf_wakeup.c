// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "panthor_perf_ring.h"
#include "panthor_perf_wakeup.h"

/**
 * DOC: Wake-ups
 *
 * A reader that is woken up for each sample has more to do with waking up than
 * with reading. One that asked for it is woken up for several, when so many are
 * unread.
 *
 * Samples that it was woken up for do not count again while it leaves its extract
 * index where it was: it is not told twice. Once it has moved the index, all that
 * is unread counts, also what it has left behind: it may go to sleep whatever it
 * has read, and does not sleep through a full ring.
 */

/**
 * panthor_perf_wakeup_due() - Whether the reader has to be woken up
 * @wakeup: The reader's wishes.
 * @ring: The ring. Its extract index is read.
 *
 * Return: true if so many samples are unread.
 */
bool panthor_perf_wakeup_due(const struct panthor_perf_wakeup *wakeup,
			     struct panthor_perf_ring *ring)
{
	u64 first;

	if (!wakeup->samples)
		return true;

	panthor_perf_ring_free_slots(ring);
	first = ring->extract == wakeup->extract ? wakeup->told : ring->extract;
	return ring->insert - first >= wakeup->samples;
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
