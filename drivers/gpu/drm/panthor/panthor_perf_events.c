// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <asm/barrier.h>
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_device.h"
#include "panthor_perf_events.h"
#include "panthor_perf_hw.h"

/**
 * DOC: perf events
 *
 * An event is a counter of a type of blocks: the sum of all of them, or of some; or the cycles of a
 * clock while counters run. Its total is at hand for readers that must not sleep. While an event
 * is open, the counters run, and a firmware sample is requested every refresh interval while the
 * GPU is powered. Behind the sample, the worker copies the totals of all counters and clocks
 * into the latch, however many events are open.
 *
 * The latch has two copies and a sequence number, whose lowest bit selects the copy for readers.
 * The worker writes the other one, and then increments the number. A reader adds up the blocks of
 * its event, and reads again if the number has changed. A CPU that reads a group pins the copy that
 * it reads from: all values are those of one sample. The worker skips an update whose copy is
 * pinned. No CPU waits with interrupts disabled.
 *
 * Events do not power the GPU. The last sample before a suspend updates them, too.
 */

/* Limit for the first event, while a reset of the GPU may be going on. */
#define OPEN_TIMEOUT_MS		5000

/* Largest number of open events of a GPU. */
#define MAX_EVENTS		4096

/**
 * struct panthor_perf_latch - Totals of all counters for readers in any context
 *
 * Each event has a reference: it keeps its value when its GPU is gone.
 */
struct panthor_perf_latch {
	/** @refcount: References: one of each event, and one of the events of the GPU. */
	struct kref refcount;

	/** @rcu: For its end. A CPU pins a copy with interrupts disabled. */
	struct rcu_head rcu;

	/** @values: Number of totals in a copy: of the blocks, then of the clocks. Constant. */
	u32 values;

	/** @counters: Number of counters of a block. Constant. */
	u32 counters;

	/** @seq: Number of updates. The lowest bit is the number of the copy for readers. */
	u32 seq;

	/** @pins: Number of CPUs that have pinned each copy. */
	atomic_t pins[2];

	/** @totals: Two copies: totals of &panthor_perf_entry_sum, then of &panthor_perf_clocks. */
	u64 totals[];
};

/**
 * struct panthor_perf_pin - Copy that a CPU has pinned
 */
struct panthor_perf_pin {
	/** @depth: Number of calls of panthor_perf_events_freeze() without a thaw. */
	u32 depth;

	/** @seq: &panthor_perf_latch.seq of the copy. */
	u32 seq;

	/** @latch: Latch, NULL if there was none. */
	struct panthor_perf_latch *latch;
};

static void free_latch(struct kref *kref)
{
	struct panthor_perf_latch *latch = container_of(kref, typeof(*latch), refcount);

	kvfree_rcu(latch, rcu);
}

static void put_latch(struct panthor_perf_latch *latch)
{
	if (latch)
		kref_put(&latch->refcount, free_latch);
}

static u64 *copy_of(struct panthor_perf_latch *latch, u32 seq)
{
	return latch->totals + (seq & 1) * latch->values;
}

/* Update the latch if an event is open. Returns false if a CPU has pinned the copy to write. */
static bool store_totals_locked(struct panthor_perf_events *events, const struct panthor_perf *perf)
{
	const struct panthor_perf_counts *counts = &perf->sampler.counts;
	const u32 first_clock = panthor_perf_layout_values(perf->layout);
	struct panthor_perf_latch *latch;
	u32 next;

	lockdep_assert_held(&perf->sampler.lock);

	if (!events->open)
		return true;

	/* The latch is replaced only while there is no GPU, and then no event is open. */
	latch = rcu_dereference_protected(events->latch, lockdep_is_held(&perf->sampler.lock));
	next = latch->seq + 1;

	/*
	 * The last update of @seq took the copy that is written below from the readers. The barrier
	 * orders it before the read of @pins: either this function sees the pin of a CPU, or
	 * pin_copy() on that CPU sees the update, and unpins. It orders the update before the
	 * writes as well: a reader that sees one of them sees that @seq has changed.
	 */
	smp_mb();
	if (atomic_read(&latch->pins[next & 1]))
		return false;

	memcpy(copy_of(latch, next), counts->sum.totals, first_clock * sizeof(u64));
	memcpy(copy_of(latch, next) + first_clock, counts->clocks.totals,
	       sizeof(counts->clocks.totals));
	/* Pairs with the acquire of readers. */
	smp_store_release(&latch->seq, next);
	return true;
}

/*
 * Store the last totals before a suspend or unplug, or those at the open of an event. No refresh
 * follows soon, so the update is repeated until it succeeds. May sleep.
 */
static void store_totals(struct panthor_perf_events *events, struct panthor_perf *perf)
{
	bool stored;

	for (;;) {
		scoped_guard(panthor_perf_sampler, &perf->sampler)
			stored = store_totals_locked(events, perf);
		if (stored)
			return;

		/* A CPU that reads a group has pinned the copy, with interrupts disabled. */
		usleep_range(10, 100);
	}
}

/*
 * Keep the newest copy from being written. If @seq has changed meanwhile, the worker may not have
 * seen the pin, and may be writing to that copy: try the other one. Returns the copy's @seq.
 */
static u32 pin_copy(struct panthor_perf_latch *latch)
{
	for (;;) {
		const u32 seq = READ_ONCE(latch->seq);

		atomic_inc(&latch->pins[seq & 1]);
		/* Pairs with the barrier in store_totals_locked(). */
		smp_mb__after_atomic();
		if (READ_ONCE(latch->seq) == seq)
			return seq;

		atomic_dec(&latch->pins[seq & 1]);
	}
}

/**
 * panthor_perf_events_freeze() - Keep the totals of events on this CPU as they are
 * @events: Events.
 *
 * Pins the newest copy for a few events that are read one after another. Interrupts are disabled
 * until panthor_perf_events_thaw(). Calls may nest, and several CPUs may pin a copy at once.
 */
void panthor_perf_events_freeze(struct panthor_perf_events *events)
{
	struct panthor_perf_pin *pin = this_cpu_ptr(events->pins);

	if (!pin->depth) {
		/* With interrupts disabled, RCU does not free the latch before the thaw. */
		pin->latch = rcu_dereference_raw(events->latch);
		if (pin->latch)
			pin->seq = pin_copy(pin->latch);
		/* An NMI that reads the new depth must find the members above set. */
		barrier();
	}
	WRITE_ONCE(pin->depth, pin->depth + 1);
}

/**
 * panthor_perf_events_thaw() - Let the totals of events on this CPU change
 * @events: Events.
 *
 * Interrupts have been disabled since panthor_perf_events_freeze(). The last of nested calls puts
 * the pin. An NMI may read events, but calls neither function.
 */
void panthor_perf_events_thaw(struct panthor_perf_events *events)
{
	struct panthor_perf_pin *pin = this_cpu_ptr(events->pins);

	WRITE_ONCE(pin->depth, pin->depth - 1);
	if (pin->depth || !pin->latch)
		return;

	/* Order the reads of the copy before its release. */
	smp_mb__before_atomic();
	atomic_dec(&pin->latch->pins[pin->seq & 1]);
}

/* Set the time of the next refresh. If it passes during a suspend, the resume refreshes. */
static void set_refresh_locked(struct panthor_perf_events *events)
{
	u64 next_ns = ktime_get_ns() + (u64)READ_ONCE(events->refresh_us) * NSEC_PER_USEC;

	lockdep_assert_held(&events->perf->sampler.lock);

	panthor_perf_client_set_deadline_locked(&events->perf->sampler, &events->client, next_ns);
}

/* A failure does not end the refreshes: a later resume or reset may restart the counters. */
static void complete_refresh(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_events *events = container_of(req, typeof(*events), client.tick);

	/* An update that is skipped is made up for by the next one. */
	store_totals_locked(events, events->perf);
	set_refresh_locked(events);
}

/* The counters count, or @status is the reason why they do not: attach() waits for this. */
static void complete_first(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_events *events = container_of(req, typeof(*events), first);

	events->status = status;
	if (!status)
		set_refresh_locked(events);
	complete(&events->counting);
}

/**
 * panthor_perf_events_init() - Initialise the events of a GPU
 * @events: Events. None can be opened before panthor_perf_events_plug().
 * @refresh_us: Longest interval between samples while the GPU runs, in us.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_events_init(struct panthor_perf_events *events, u32 refresh_us)
{
	*events = (struct panthor_perf_events) { .refresh_us = refresh_us };
	events->pins = alloc_percpu(struct panthor_perf_pin);
	if (!events->pins)
		return -ENOMEM;

	mutex_init(&events->lock);
	init_completion(&events->counting);
	panthor_perf_client_init(&events->client);
	panthor_perf_request_init(&events->client.tick, complete_refresh);
	panthor_perf_request_init(&events->first, complete_first);
	events->first.client = &events->client;
	/* The GPU may be suspended with open events, and while the first one is opened. */
	events->client.allows_suspend = true;
	events->first.allows_suspend = true;
	return 0;
}

/**
 * panthor_perf_events_fini() - Free the events of a GPU
 * @events: Events, none of which is open.
 */
void panthor_perf_events_fini(struct panthor_perf_events *events)
{
	put_latch(rcu_dereference_protected(events->latch, true));
	mutex_destroy(&events->lock);
	free_percpu(events->pins);
}

/**
 * panthor_perf_events_plug() - Have events count on a GPU
 * @events: Events, of no GPU.
 * @perf: Counters of the GPU.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_events_plug(struct panthor_perf_events *events, struct panthor_perf *perf)
{
	const u32 values = panthor_perf_layout_values(perf->layout) + PANTHOR_PERF_CLOCKS;
	struct panthor_perf_latch *latch;

	latch = kvzalloc(struct_size(latch, totals, 2 * values), GFP_KERNEL);
	if (!latch)
		return -ENOMEM;

	kref_init(&latch->refcount);
	latch->values = values;
	latch->counters = perf->layout->counters;

	guard(mutex)(&events->lock);
	put_latch(rcu_replace_pointer(events->latch, latch, lockdep_is_held(&events->lock)));
	events->perf = perf;
	return 0;
}

/**
 * panthor_perf_events_unplug() - The GPU is gone: the totals of open events stand still
 * @events: Events of a GPU whose sampler was unplugged: its totals do not change any more.
 *
 * Open events keep their latch, and the last totals with it.
 */
void panthor_perf_events_unplug(struct panthor_perf_events *events)
{
	struct panthor_perf *perf;

	guard(mutex)(&events->lock);
	perf = events->perf;
	/* panthor_perf_events_plug() has failed. */
	if (!perf)
		return;

	store_totals(events, perf);
	guard(panthor_perf_sampler)(&perf->sampler);
	if (events->open)
		panthor_perf_sampler_detach_locked(&perf->sampler, &events->client);
	events->open = 0;
	events->perf = NULL;
}

/**
 * panthor_perf_events_suspend() - Include the last sample before a suspend
 * @events: Events.
 * @perf: Counters of the GPU, which is suspended.
 */
void panthor_perf_events_suspend(struct panthor_perf_events *events, struct panthor_perf *perf)
{
	store_totals(events, perf);
}

/* Check that the GPU has what an event counts. Users of an index clamp it against speculation. */
static int check_config(const struct panthor_perf *perf,
			const struct panthor_perf_event_config *config)
{
	const struct panthor_perf_layout *layout = perf->layout;
	const u32 clocks = perf->sampler.counts.clocks.supported;
	u64 present = 0;

	if (config->type >= DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT ||
	    config->set > DRM_PANTHOR_PERF_SET_TERTIARY)
		return -EINVAL;

	if (!config->type) {
		if (config->counter >= PANTHOR_PERF_CLOCKS || config->instances ||
		    !(clocks & BIT(config->counter)))
			return -EINVAL;

		return 0;
	}

	/* The totals do not include such blocks. */
	if (!panthor_perf_set_has(config->set, config->type))
		return -EINVAL;

	if (config->counter < PANTHOR_PERF_BLOCK_HEADER_WORDS ||
	    config->counter >= layout->counters)
		return -EINVAL;

	for (u32 i = 0; i < layout->block_count; i++) {
		if (layout->blocks[i].type == config->type)
			present |= BIT_ULL(layout->blocks[i].idx);
	}

	if (!present || config->instances & ~present)
		return -EINVAL;

	return 0;
}

static struct panthor_perf_event *create_event(struct panthor_perf_latch *latch,
					       const struct panthor_perf_layout *layout,
					       const struct panthor_perf_event_config *config)
{
	const u64 instances = config->instances ?: U64_MAX;
	struct panthor_perf_event *event = kzalloc_obj(*event, GFP_KERNEL_ACCOUNT);

	if (!event)
		return NULL;

	kref_get(&latch->refcount);
	event->latch = latch;
	event->factor = config->factor;
	if (!config->type) {
		/* A clock is read as a counter of block 0 with an index behind all blocks. */
		event->counter = panthor_perf_layout_values(layout) +
				 array_index_nospec(config->counter, PANTHOR_PERF_CLOCKS);
		__set_bit(0, event->blocks.bits);
		return event;
	}

	event->counter = array_index_nospec(config->counter, layout->counters);
	for (u32 i = 0; i < layout->block_count; i++) {
		const struct panthor_perf_block *block = &layout->blocks[i];

		if (block->type == config->type && instances & BIT_ULL(block->idx))
			__set_bit(i, event->blocks.bits);
	}
	return event;
}

static void free_event(struct panthor_perf_event *event)
{
	put_latch(event->latch);
	kfree(event);
}

/*
 * Attach the client, and wait until the counters count. If the GPU is suspended, the first request
 * completes at once, and the counters are enabled at the resume.
 *
 * Not in the unplug section: the ring is freed only after panthor_perf_events_unplug(), which takes
 * the lock of the events. The sampler has failed @first by then, which ends the wait below.
 */
static int attach(struct panthor_perf_events *events, u32 set)
{
	struct panthor_perf_sampler *sampler = &events->perf->sampler;
	int ret;

	lockdep_assert_held(&events->lock);

	scoped_guard(mutex, &events->perf->alloc_lock)
		ret = panthor_perf_hw_alloc_ring(&sampler->fw);
	if (ret)
		return ret;

	scoped_guard(panthor_perf_sampler, sampler) {
		ret = panthor_perf_sampler_attach_locked(sampler, &events->client, set);
		if (ret)
			return ret;

		reinit_completion(&events->counting);
		/* The result if the wait times out. Otherwise complete_first() replaces it. */
		events->status = -ETIMEDOUT;
		panthor_perf_sampler_request_locked(sampler, &events->first);
	}

	if (wait_for_completion_killable_timeout(&events->counting,
						 msecs_to_jiffies(OPEN_TIMEOUT_MS)) < 0)
		ret = -EINTR;

	guard(panthor_perf_sampler)(sampler);
	/* @first is still queued if it was not completed. */
	list_del_init(&events->first.node);
	ret = ret ?: events->status;
	if (ret)
		panthor_perf_sampler_detach_locked(sampler, &events->client);

	return ret;
}

/**
 * panthor_perf_event_open() - Open an event
 * @events: Events of the GPU.
 * @config: What the event counts.
 *
 * May sleep. The first event waits for the counters: what the GPU does later is counted.
 *
 * Return: The event, which panthor_perf_event_close() frees; or ERR_PTR() of -EINVAL if the GPU
 * does not have such a counter or clock or one of the instances, or the set no counters of the
 * block, -EBUSY if another counter set is in use, -ENOSPC if too many events are open, -ENODEV if
 * the GPU is gone, -ETIMEDOUT or -EIO if firmware does not answer, -EINTR if the caller is killed,
 * or -ENOMEM.
 */
struct panthor_perf_event *
panthor_perf_event_open(struct panthor_perf_events *events,
			const struct panthor_perf_event_config *config)
{
	struct panthor_perf_latch *latch;
	struct panthor_perf_event *event;
	int ret;

	guard(mutex)(&events->lock);
	if (!events->perf)
		return ERR_PTR(-ENODEV);

	ret = check_config(events->perf, config);
	if (ret)
		return ERR_PTR(ret);

	if (events->open >= MAX_EVENTS)
		return ERR_PTR(-ENOSPC);

	latch = rcu_dereference_protected(events->latch, lockdep_is_held(&events->lock));
	event = create_event(latch, events->perf->layout, config);
	if (!event)
		return ERR_PTR(-ENOMEM);

	/* The set of the sampler does not change while the client is attached. */
	if (!events->open)
		ret = attach(events, config->set);
	else if (config->set != events->perf->sampler.counts.set)
		ret = -EBUSY;
	if (ret) {
		free_event(event);
		return ERR_PTR(ret);
	}

	/*
	 * The event begins with the newest totals, which other clients may have requested. As
	 * store_totals() does nothing without an open event, this one is counted first.
	 */
	scoped_guard(panthor_perf_sampler, &events->perf->sampler)
		events->open++;
	store_totals(events, events->perf);
	return event;
}

/**
 * panthor_perf_event_close() - Close an event
 * @events: Events of the GPU.
 * @event: Event, which is not read any more.
 */
void panthor_perf_event_close(struct panthor_perf_events *events, struct panthor_perf_event *event)
{
	guard(mutex)(&events->lock);
	/* An event whose GPU is gone is not in @open, which may be that of another GPU. */
	if (events->perf && event->latch == rcu_access_pointer(events->latch)) {
		struct panthor_perf_sampler *sampler = &events->perf->sampler;

		guard(panthor_perf_sampler)(sampler);
		if (!--events->open)
			panthor_perf_sampler_detach_locked(sampler, &events->client);
	}
	free_event(event);
}

static u64 sum_blocks(const struct panthor_perf_event *event, u32 seq)
{
	const u64 *totals = copy_of(event->latch, seq) + event->counter;
	u64 total = 0;
	u32 block;

	for_each_set_bit(block, event->blocks.bits, PANTHOR_PERF_MAX_BLOCKS)
		total += READ_ONCE(totals[block * event->latch->counters]);

	return total * event->factor;
}

/**
 * panthor_perf_event_total() - Read the total of an event
 * @events: Events of the GPU.
 * @event: Open event.
 *
 * In any context, NMI included. Between panthor_perf_events_freeze() and
 * panthor_perf_events_thaw(), the totals of all events are those of one sample.
 *
 * Return: The total at the end of a sample. Only its growth has a meaning.
 */
u64 panthor_perf_event_total(struct panthor_perf_events *events,
			     const struct panthor_perf_event *event)
{
	const struct panthor_perf_pin *pin = get_cpu_ptr(events->pins);
	u64 total;
	u32 seq;

	/*
	 * The worker does not write to a pinned copy, and no other CPU changes this pin. An event
	 * of an earlier GPU has another latch, which does not change any more.
	 */
	if (READ_ONCE(pin->depth) && pin->latch == event->latch) {
		total = sum_blocks(event, pin->seq);
	} else {
		do {
			/* Pairs with the release in store_totals_locked(). */
			seq = smp_load_acquire(&event->latch->seq);
			total = sum_blocks(event, seq);
			/*
			 * Order the reads of the copy before that of the number. Pairs with
			 * smp_mb() in store_totals_locked().
			 */
			smp_rmb();
		} while (READ_ONCE(event->latch->seq) != seq);
	}

	put_cpu_ptr(events->pins);
	return total;
}
