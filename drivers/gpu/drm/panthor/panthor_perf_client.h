/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_CLIENT_H__
#define __PANTHOR_PERF_CLIENT_H__

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct panthor_perf_request - Someone's wish for a firmware sample
 */
struct panthor_perf_request {
	/** @node: Node in &panthor_perf_clients.requests, empty while not queued. */
	struct list_head node;

	/** @target: Number of the first firmware request that will do. */
	u64 target;

	/** @sleeps: While the GPU is suspended, the totals as they are will do. Constant. */
	bool sleeps;

	/**
	 * @complete: Called once with the sampler's lock held, after the request was taken off the
	 * list. @status is 0; -ETIMEDOUT if the firmware does not answer; -EIO if it is dead until
	 * the next reset; -ENODEV if the GPU is gone.
	 */
	void (*complete)(struct panthor_perf_request *req, int status);
};

/**
 * struct panthor_perf_client - Someone who wants the counters to run
 */
struct panthor_perf_client {
	/** @node: Node in &panthor_perf_clients.attached, empty while detached. */
	struct list_head node;

	/** @flags: &enum drm_panthor_perf_sample_header_flags since the client cleared them. */
	u32 flags;

	/** @events: &enum drm_panthor_perf_event gathered since the client cleared them. */
	u32 events;

	/** @sleeps: The GPU may be suspended meanwhile. Constant. */
	bool sleeps;

	/** @deadline_ns: CLOCK_MONOTONIC at which @tick is queued, or %PANTHOR_PERF_NEVER. */
	u64 deadline_ns;

	/** @tick: Request that is queued at @deadline_ns. */
	struct panthor_perf_request tick;
};

/**
 * struct panthor_perf_clients - Who wants what of a sampler
 *
 * Guarded by the sampler's lock.
 */
struct panthor_perf_clients {
	/** @attached: Attached clients. */
	struct list_head attached;

	/** @requests: Requests in the order of their making. */
	struct list_head requests;

	/** @tick_ns: No client's deadline is earlier. */
	u64 tick_ns;
};

void panthor_perf_clients_init(struct panthor_perf_clients *clients);
void panthor_perf_clients_tell(struct panthor_perf_clients *clients, u32 flags, u32 events);
void panthor_perf_clients_queue(struct panthor_perf_clients *clients,
				struct panthor_perf_request *req, u64 target);
void panthor_perf_clients_serve(struct panthor_perf_clients *clients, u64 done);
void panthor_perf_clients_fail(struct panthor_perf_clients *clients, int status);
struct panthor_perf_request *
panthor_perf_clients_take_sleeping(struct panthor_perf_clients *clients);
bool panthor_perf_clients_keep_power(const struct panthor_perf_clients *clients);
void panthor_perf_clients_tick(struct panthor_perf_clients *clients, u64 now_ns, u64 target);

void panthor_perf_client_init(struct panthor_perf_client *client);

void panthor_perf_request_init(struct panthor_perf_request *req,
			       void (*complete)(struct panthor_perf_request *req, int status));
bool panthor_perf_request_pending_locked(const struct panthor_perf_request *req);
void panthor_perf_request_cancel_locked(struct panthor_perf_request *req);

#endif
