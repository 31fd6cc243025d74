/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_EVENTS_H__
#define __PANTHOR_PERF_EVENTS_H__

#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "panthor_perf_layout.h"
#include "panthor_perf_sampler.h"

struct panthor_perf;
struct panthor_perf_latch;
struct panthor_perf_pin;

/**
 * struct panthor_perf_event_config - What an event counts
 */
struct panthor_perf_event_config {
	/** @type: &enum drm_panthor_perf_block_type. 0: @counter is a clock. */
	u32 type;

	/** @counter: Index of the counter in a block, or &enum drm_panthor_perf_clock. */
	u32 counter;

	/** @set: &enum drm_panthor_perf_counter_set. */
	u32 set;

	/** @instances: Mask of the blocks that are added. 0: all of them. */
	u64 instances;

	/** @factor: What the total is multiplied by. 1 for a counter. */
	u32 factor;
};

/**
 * struct panthor_perf_event - Open event
 */
struct panthor_perf_event {
	/** @latch: Totals of the GPU that the event counts on, with a reference. Constant. */
	struct panthor_perf_latch *latch;

	/** @counter: Index of the value in a copy of all totals, for the first block. Constant. */
	u32 counter;

	/** @factor: What the sum is multiplied by. Constant. */
	u32 factor;

	/** @blocks: Blocks of the layout whose values are added. Constant. */
	struct panthor_perf_block_map blocks;
};

/**
 * struct panthor_perf_events - Events of a GPU
 */
struct panthor_perf_events {
	/** @lock: Serialises opening, closing and unplugging. Outside of the perf mutex. */
	struct mutex lock;

	/** @perf: Counters of the GPU. NULL: the GPU is gone. Constant while attached. */
	struct panthor_perf *perf;

	/** @client: Attached while an event is open. */
	struct panthor_perf_client client;

	/** @first: Request of the first event, for its baseline. */
	struct panthor_perf_request first;

	/** @counting: Completed with @status when @first is. */
	struct completion counting;

	/** @status: Status of @first. */
	int status;

	/**
	 * @open: Number of open events, without those of a GPU that is gone. Written with @lock and
	 * the perf mutex held.
	 */
	u32 open;

	/** @latch: Totals of the GPU, or of the last one. NULL before the first one. */
	struct panthor_perf_latch __rcu *latch;

	/** @pins: What each CPU has pinned. */
	struct panthor_perf_pin __percpu *pins;

	/** @refresh_us: Longest interval between samples while the GPU runs, in us. */
	u32 refresh_us;
};

int panthor_perf_events_init(struct panthor_perf_events *events, u32 refresh_us);
void panthor_perf_events_fini(struct panthor_perf_events *events);
int panthor_perf_events_plug(struct panthor_perf_events *events, struct panthor_perf *perf);
void panthor_perf_events_unplug(struct panthor_perf_events *events);
void panthor_perf_events_suspend(struct panthor_perf_events *events, struct panthor_perf *perf);

void panthor_perf_events_freeze(struct panthor_perf_events *events);
void panthor_perf_events_thaw(struct panthor_perf_events *events);

struct panthor_perf_event *
panthor_perf_event_open(struct panthor_perf_events *events,
			const struct panthor_perf_event_config *config);
void panthor_perf_event_close(struct panthor_perf_events *events, struct panthor_perf_event *event);
u64 panthor_perf_event_total(struct panthor_perf_events *events,
			     const struct panthor_perf_event *event);

#endif
