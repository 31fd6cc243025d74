// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/minmax.h>

#include "panthor_perf_client.h"
#include "panthor_perf_clock.h"

/**
 * DOC: Clients of the sampler, and their requests
 *
 * Firmware requests are numbered. A client's request names the first number that
 * will do: one that was not made yet when the client asked. So a firmware sample
 * that is on its way serves nobody who asked after it, and one that is made later
 * serves all who asked before.
 */

/**
 * panthor_perf_clients_init() - Initialise a set of clients
 * @clients: Set, empty afterwards.
 */
void panthor_perf_clients_init(struct panthor_perf_clients *clients)
{
	INIT_LIST_HEAD(&clients->attached);
	INIT_LIST_HEAD(&clients->requests);
	clients->tick_ns = PANTHOR_PERF_NEVER;
}

/**
 * panthor_perf_clients_tell() - Tell all clients that something happened
 * @clients: Clients.
 * @flags: A combination of &enum drm_panthor_perf_sample_header_flags.
 * @events: A combination of &enum drm_panthor_perf_event.
 */
void panthor_perf_clients_tell(struct panthor_perf_clients *clients, u32 flags, u32 events)
{
	struct panthor_perf_client *client;

	list_for_each_entry(client, &clients->attached, node) {
		client->flags |= flags;
		client->events |= events;
	}
}

/**
 * panthor_perf_clients_queue() - Queue a request
 * @clients: Clients.
 * @req: Request that is not pending.
 * @target: Number of the first firmware request that will do. Never goes back.
 */
void panthor_perf_clients_queue(struct panthor_perf_clients *clients,
				struct panthor_perf_request *req, u64 target)
{
	req->target = target;
	list_add_tail(&req->node, &clients->requests);
}

/**
 * panthor_perf_clients_serve() - Complete the requests that a firmware sample serves
 * @clients: Clients.
 * @done: Number of the newest firmware request that was answered.
 */
void panthor_perf_clients_serve(struct panthor_perf_clients *clients, u64 done)
{
	struct panthor_perf_request *req;

	while ((req = list_first_entry_or_null(&clients->requests, typeof(*req), node)) &&
	       req->target <= done) {
		list_del_init(&req->node);
		req->complete(req, 0);
	}
}

/**
 * panthor_perf_clients_fail() - Complete all requests without a firmware sample
 * @clients: Clients.
 * @status: Why, a negative error.
 */
void panthor_perf_clients_fail(struct panthor_perf_clients *clients, int status)
{
	struct panthor_perf_request *req;

	while ((req = list_first_entry_or_null(&clients->requests, typeof(*req), node))) {
		list_del_init(&req->node);
		req->complete(req, status);
	}
}

/**
 * panthor_perf_clients_take_sleeping() - Take a request off the list that may be served asleep
 * @clients: Clients.
 *
 * Return: The first one, for the caller to complete, or NULL.
 */
struct panthor_perf_request *
panthor_perf_clients_take_sleeping(struct panthor_perf_clients *clients)
{
	struct panthor_perf_request *req;

	list_for_each_entry(req, &clients->requests, node) {
		if (req->sleeps) {
			list_del_init(&req->node);
			return req;
		}
	}

	return NULL;
}

/**
 * panthor_perf_clients_keep_power() - Whether the GPU has to stay powered
 * @clients: Clients.
 *
 * Return: true if there is a client that does not let it be suspended.
 */
bool panthor_perf_clients_keep_power(const struct panthor_perf_clients *clients)
{
	const struct panthor_perf_client *client;

	list_for_each_entry(client, &clients->attached, node) {
		if (!client->sleeps)
			return true;
	}

	return false;
}

/**
 * panthor_perf_clients_tick() - Queue the requests of all clients whose deadline has come
 * @clients: Clients.
 * @now_ns: CLOCK_MONOTONIC.
 * @target: Number of the firmware request that will do for them.
 */
void panthor_perf_clients_tick(struct panthor_perf_clients *clients, u64 now_ns, u64 target)
{
	struct panthor_perf_client *client;

	if (now_ns < clients->tick_ns)
		return;

	clients->tick_ns = PANTHOR_PERF_NEVER;
	list_for_each_entry(client, &clients->attached, node) {
		if (client->deadline_ns <= now_ns) {
			client->deadline_ns = PANTHOR_PERF_NEVER;
			panthor_perf_clients_queue(clients, &client->tick, target);
		}
		clients->tick_ns = min(clients->tick_ns, client->deadline_ns);
	}
}

/**
 * panthor_perf_client_init() - Initialise a client
 * @client: Client, detached afterwards.
 */
void panthor_perf_client_init(struct panthor_perf_client *client)
{
	INIT_LIST_HEAD(&client->node);
	client->flags = 0;
	client->events = 0;
	client->sleeps = false;
	client->deadline_ns = PANTHOR_PERF_NEVER;
	INIT_LIST_HEAD(&client->tick.node);
	client->tick.sleeps = false;
}

/**
 * panthor_perf_request_init() - Initialise a request
 * @req: Request.
 * @complete: Called when it is served, see &struct panthor_perf_request.
 */
void panthor_perf_request_init(struct panthor_perf_request *req,
			       void (*complete)(struct panthor_perf_request *req, int status))
{
	INIT_LIST_HEAD(&req->node);
	req->target = 0;
	req->sleeps = false;
	req->complete = complete;
}

/**
 * panthor_perf_request_pending_locked() - Whether a request is queued
 * @req: Request. The sampler's lock is held.
 *
 * Return: true from panthor_perf_sampler_request_locked() until it is completed or cancelled.
 */
bool panthor_perf_request_pending_locked(const struct panthor_perf_request *req)
{
	return !list_empty(&req->node);
}

/**
 * panthor_perf_request_cancel_locked() - Withdraw a request
 * @req: Request, pending or not. The sampler's lock is held.
 */
void panthor_perf_request_cancel_locked(struct panthor_perf_request *req)
{
	list_del_init(&req->node);
}
