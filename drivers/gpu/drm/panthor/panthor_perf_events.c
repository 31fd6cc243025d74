// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/processor.h>
#include <linux/slab.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_device.h"
#include "panthor_perf_events.h"

/**
 * DOC: Events
 *
 * An event is a counter of a type of blocks: the sum of all of them, or of some. Its total is at
 * hand for readers that must not sleep. While an event is open, the counters run, and a firmware
 * sample is requested every refresh interval while the GPU is powered. Behind the sample, the
 * worker stores the totals of all events. Between panthor_perf_events_freeze() and
 * panthor_perf_events_thaw() they stay those of one sample.
 *
 * Events do not power the GPU. The last sample before a suspend updates them, too.
 */

/* Time to the next request after a failure. */
#define RETRY_NS		(100 * NSEC_PER_MSEC)

/* Limit for the first event, while a reset of the GPU may be going on. */
#define OPEN_TIMEOUT_MS		5000

/* First counter of a block: those below are its header. */
#define FIRST_COUNTER		PANTHOR_PERF_BLOCK_HEADER_WORDS

static u64 total_of(const struct panthor_perf *perf, const struct panthor_perf_event *event)
{
	const struct panthor_perf_layout *layout = perf->layout;
	const u64 *totals = perf->sampler.counts.sum.totals;
	u64 total = 0;
	u32 block;

	for_each_set_bit(block, event->blocks.bits, layout->block_count)
		total += totals[block * layout->counters + event->counter];

	return total;
}

/* With the latch, too. */
static void update_totals_locked(struct panthor_perf_events *events,
				 const struct panthor_perf *perf)
{
	struct panthor_perf_event *event;

	lockdep_assert_held(&perf->sampler.lock);
	lockdep_assert_held(&events->latch);

	list_for_each_entry(event, &events->open, node) {
		event->newest = total_of(perf, event);
		if (!events->frozen)
			event->total = event->newest;
	}
}

static void store_totals_locked(struct panthor_perf_events *events, const struct panthor_perf *perf)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&events->latch, flags);
	update_totals_locked(events, perf);
	raw_spin_unlock_irqrestore(&events->latch, flags);
}

/* The totals of all events are those of one sample from now on, though other clients had some. */
static void add_event_locked(struct panthor_perf_events *events, const struct panthor_perf *perf,
			     struct panthor_perf_event *event)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&events->latch, flags);
	/* Other CPUs read a few events. */
	while (events->frozen) {
		raw_spin_unlock_irqrestore(&events->latch, flags);
		cpu_relax();
		raw_spin_lock_irqsave(&events->latch, flags);
	}
	list_add_tail(&event->node, &events->open);
	update_totals_locked(events, perf);
	raw_spin_unlock_irqrestore(&events->latch, flags);
}

/**
 * panthor_perf_events_freeze() - Keep the totals of events as they are
 * @events: Events.
 *
 * For a few events that are read one after another: with interrupts disabled until
 * panthor_perf_events_thaw(). Several CPUs may do so at once, and nest it.
 */
void panthor_perf_events_freeze(struct panthor_perf_events *events)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&events->latch, flags);
	events->frozen++;
	raw_spin_unlock_irqrestore(&events->latch, flags);
}

/**
 * panthor_perf_events_thaw() - Let the totals of events change
 * @events: Events.
 */
void panthor_perf_events_thaw(struct panthor_perf_events *events)
{
	struct panthor_perf_event *event;
	unsigned long flags;

	raw_spin_lock_irqsave(&events->latch, flags);
	if (!--events->frozen) {
		list_for_each_entry(event, &events->open, node)
			event->total = event->newest;
	}
	raw_spin_unlock_irqrestore(&events->latch, flags);
}

/* A deadline that passes while the GPU is suspended is met at its resume. */
static void set_deadline_locked(struct panthor_perf_events *events, int status)
{
	u64 next_ns = ktime_get_ns() + (u64)READ_ONCE(events->refresh_us) * NSEC_PER_USEC;

	if (status)
		next_ns += RETRY_NS;

	panthor_perf_client_set_deadline_locked(&events->perf->sampler, &events->client, next_ns);
}

static void complete_refresh(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_events *events = container_of(req, typeof(*events), client.tick);

	store_totals_locked(events, events->perf);
	set_deadline_locked(events, status);
}

static void complete_first(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_events *events = container_of(req, typeof(*events), first);

	events->status = status;
	set_deadline_locked(events, status);
	complete(&events->counting);
}

/**
 * panthor_perf_events_init() - Initialise the events of a GPU
 * @events: Events. There are none before panthor_perf_events_plug().
 * @refresh_us: Longest interval between samples while the GPU runs, in us.
 */
void panthor_perf_events_init(struct panthor_perf_events *events, u32 refresh_us)
{
	*events = (struct panthor_perf_events) {
		.open = LIST_HEAD_INIT(events->open),
		.refresh_us = refresh_us,
	};
	mutex_init(&events->lock);
	raw_spin_lock_init(&events->latch);
	init_completion(&events->counting);
	panthor_perf_client_init(&events->client, true, complete_refresh);
	panthor_perf_request_init(&events->first, &events->client, true, complete_first);
}

/**
 * panthor_perf_events_plug() - Have events count on a GPU
 * @events: Events, of no GPU.
 * @perf: Counters of the GPU.
 */
void panthor_perf_events_plug(struct panthor_perf_events *events, struct panthor_perf *perf)
{
	guard(mutex)(&events->lock);
	events->perf = perf;
}

/**
 * panthor_perf_events_unplug() - The GPU is gone: the totals of open events stand still
 * @events: Events.
 */
void panthor_perf_events_unplug(struct panthor_perf_events *events)
{
	struct panthor_perf_event *event, *next;
	struct panthor_perf *perf;
	unsigned long flags;

	guard(mutex)(&events->lock);
	perf = events->perf;
	guard(panthor_perf_sampler)(&perf->sampler);
	store_totals_locked(events, perf);
	if (!list_empty(&events->open))
		panthor_perf_sampler_detach_locked(&perf->sampler, &events->client);

	raw_spin_lock_irqsave(&events->latch, flags);
	list_for_each_entry_safe(event, next, &events->open, node) {
		event->total = event->newest;
		list_del_init(&event->node);
	}
	raw_spin_unlock_irqrestore(&events->latch, flags);
	events->perf = NULL;
}

/**
 * panthor_perf_events_suspend() - Include the last sample before a suspend
 * @events: Events.
 * @perf: Counters of the GPU, which is suspended.
 */
void panthor_perf_events_suspend(struct panthor_perf_events *events, struct panthor_perf *perf)
{
	guard(panthor_perf_sampler)(&perf->sampler);
	store_totals_locked(events, perf);
}

static int check_config(const struct panthor_perf_layout *layout,
			const struct panthor_perf_event_config *config)
{
	u32 count;

	if (config->type >= DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT ||
	    config->set > DRM_PANTHOR_PERF_SET_TERTIARY ||
	    config->counter < FIRST_COUNTER || config->counter >= layout->counters)
		return -EINVAL;

	count = layout->type_count[config->type];
	if (!count || (count < BITS_PER_TYPE(config->instances) && config->instances >> count))
		return -EINVAL;

	return 0;
}

static struct panthor_perf_event *create_event(const struct panthor_perf_layout *layout,
					       const struct panthor_perf_event_config *config)
{
	const u64 instances = config->instances ?: U64_MAX;
	struct panthor_perf_event *event = kzalloc_obj(*event, GFP_KERNEL);

	if (!event)
		return NULL;

	event->counter = config->counter;
	for (u32 i = 0; i < layout->block_count; i++) {
		const struct panthor_perf_block *block = &layout->blocks[i];

		if (block->type == config->type && instances & BIT_ULL(block->idx))
			__set_bit(i, event->blocks.bits);
	}
	return event;
}

/* Attach the client, and wait until the counters count or the GPU is suspended. */
static int attach(struct panthor_perf_events *events, u32 set)
{
	struct panthor_perf_sampler *sampler = &events->perf->sampler;
	int ret;

	scoped_guard(mutex, &events->perf->alloc_lock)
		ret = sampler->fw.ops->ring_alloc(&sampler->fw);
	if (ret)
		return ret;

	scoped_guard(panthor_perf_sampler, sampler) {
		ret = panthor_perf_sampler_attach_locked(sampler, &events->client, set);
		if (ret)
			return ret;

		reinit_completion(&events->counting);
		events->status = -ETIMEDOUT;
		ret = panthor_perf_sampler_request_locked(sampler, &events->first);
	}

	if (!ret && wait_for_completion_killable_timeout(&events->counting,
							 msecs_to_jiffies(OPEN_TIMEOUT_MS)) < 0)
		ret = -EINTR;

	guard(panthor_perf_sampler)(sampler);
	panthor_perf_request_remove_locked(&events->first);
	ret = ret ?: events->status;
	if (ret) {
		panthor_perf_sampler_detach_locked(sampler, &events->client);
		return ret;
	}

	events->set = set;
	return 0;
}

/**
 * panthor_perf_event_open() - Open an event
 * @events: Events of the GPU.
 * @config: What the event counts.
 *
 * May sleep. The first event waits for the counters: what the GPU does later is counted.
 *
 * Return: The event, which panthor_perf_event_close() frees; or ERR_PTR() of -EINVAL if the GPU
 * does not have such a counter or one of the instances, -EBUSY if another counter set is in use,
 * -ENODEV if the GPU is gone, -ETIMEDOUT or -EIO if firmware does not answer, -EINTR if the caller
 * is killed, or -ENOMEM.
 */
struct panthor_perf_event *
panthor_perf_event_open(struct panthor_perf_events *events,
			const struct panthor_perf_event_config *config)
{
	struct panthor_perf_event *event;
	int ret;

	guard(mutex)(&events->lock);
	if (!events->perf)
		return ERR_PTR(-ENODEV);

	ret = check_config(events->perf->layout, config);
	if (ret)
		return ERR_PTR(ret);

	event = create_event(events->perf->layout, config);
	if (!event)
		return ERR_PTR(-ENOMEM);

	if (list_empty(&events->open))
		ret = attach(events, config->set);
	else if (config->set != events->set)
		ret = -EBUSY;
	if (ret) {
		kfree(event);
		return ERR_PTR(ret);
	}

	guard(panthor_perf_sampler)(&events->perf->sampler);
	add_event_locked(events, events->perf, event);
	return event;
}

/**
 * panthor_perf_event_close() - Close an event
 * @events: Events of the GPU.
 * @event: Event, which is not read any more.
 */
void panthor_perf_event_close(struct panthor_perf_events *events, struct panthor_perf_event *event)
{
	unsigned long flags;

	guard(mutex)(&events->lock);
	if (!list_empty(&event->node)) {
		struct panthor_perf_sampler *sampler = &events->perf->sampler;

		guard(panthor_perf_sampler)(sampler);
		raw_spin_lock_irqsave(&events->latch, flags);
		list_del(&event->node);
		raw_spin_unlock_irqrestore(&events->latch, flags);
		if (list_empty(&events->open))
			panthor_perf_sampler_detach_locked(sampler, &events->client);
	}
	kfree(event);
}

/**
 * panthor_perf_event_total() - Read the total of an event
 * @events: Events of the GPU.
 * @event: Open event.
 *
 * In any context. Between panthor_perf_events_freeze() and panthor_perf_events_thaw(), the totals
 * of all events are those of one sample.
 *
 * Return: The total at the end of a sample. Only its growth has a meaning.
 */
u64 panthor_perf_event_total(struct panthor_perf_events *events,
			     const struct panthor_perf_event *event)
{
	unsigned long flags;
	u64 total;

	raw_spin_lock_irqsave(&events->latch, flags);
	total = event->total;
	raw_spin_unlock_irqrestore(&events->latch, flags);
	return total;
}
