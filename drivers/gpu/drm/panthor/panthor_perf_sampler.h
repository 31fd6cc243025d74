/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SAMPLER_H__
#define __PANTHOR_PERF_SAMPLER_H__

#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"

/**
 * struct panthor_perf_request - Request of a client for a firmware sample
 */
struct panthor_perf_request {
	/**
	 * @node: Node in a list of the sampler. Empty while not queued. A client that removes a
	 * request from the list does not get its completion.
	 */
	struct list_head node;

	/** @client: Client. Constant. NULL for &panthor_perf_client.tick. */
	struct panthor_perf_client *client;

	/** @sampler: Sampler, for @wait_cb. Valid while queued. */
	struct panthor_perf_sampler *sampler;

	/** @wait: Fence that must signal before the firmware's request. NULL: none. */
	struct dma_fence *wait;

	/** @wait_cb: Queues the worker when @wait signals. Only of a client's first request. */
	struct dma_fence_cb wait_cb;

	/** @target: Number of the first firmware request that completes this request. */
	u64 target;

	/**
	 * @allows_suspend: Completed at once while the GPU is suspended, unless many requests are
	 * due before. It may be queued then, also if the counters are dead.
	 */
	bool allows_suspend;

	/**
	 * @complete: Called once with the sampler's lock held, after the request was removed from
	 * the list. @status is 0; -ETIMEDOUT if firmware did not acknowledge; -EIO if it is dead
	 * until the next resume or reset; -ENODEV if the GPU is gone; or what a client has that
	 * completes its request itself.
	 */
	void (*complete)(struct panthor_perf_request *req, int status);
};

/**
 * struct panthor_perf_client - User of the sampler: the counters run while one is attached
 */
struct panthor_perf_client {
	/** @node: Node in &panthor_perf_sampler.clients, empty while detached. */
	struct list_head node;

	/**
	 * @waiting: Requests whose fence, or that of a request before them, has not signalled. They
	 * are moved to &panthor_perf_sampler.requests.
	 */
	struct list_head waiting;

	/** @flags: &enum drm_panthor_perf_sample_header_flags since the client cleared them. */
	u32 flags;

	/** @events: &enum drm_panthor_perf_event since the client cleared them. */
	u32 events;

	/**
	 * @allows_suspend: The GPU may be suspended while the client is attached, and when it is
	 * attached: the caller needs no reference to its power then. Constant.
	 */
	bool allows_suspend;

	/** @deadline_ns: CLOCK_MONOTONIC at which @tick is queued, or %PANTHOR_PERF_NEVER. */
	u64 deadline_ns;

	/** @tick: Request that is queued at @deadline_ns. */
	struct panthor_perf_request tick;
};

/**
 * enum panthor_perf_sampler_state - State of the counters in the firmware
 */
enum panthor_perf_sampler_state {
	/** @PANTHOR_PERF_SAMPLER_OFF: Disabled. */
	PANTHOR_PERF_SAMPLER_OFF,

	/** @PANTHOR_PERF_SAMPLER_ENABLING: Enable requested, not acknowledged yet. */
	PANTHOR_PERF_SAMPLER_ENABLING,

	/** @PANTHOR_PERF_SAMPLER_ON: Counting. */
	PANTHOR_PERF_SAMPLER_ON,

	/** @PANTHOR_PERF_SAMPLER_DISABLING: Disable requested, not acknowledged yet. */
	PANTHOR_PERF_SAMPLER_DISABLING,

	/** @PANTHOR_PERF_SAMPLER_DEAD: Firmware failed twice in a row, or does not run. */
	PANTHOR_PERF_SAMPLER_DEAD,
};

/**
 * enum panthor_perf_fw_request_state - State of firmware request &panthor_perf_sampler.issued
 */
enum panthor_perf_fw_request_state {
	/** @PANTHOR_PERF_FW_REQUEST_COMPLETE: None is pending. */
	PANTHOR_PERF_FW_REQUEST_COMPLETE,

	/** @PANTHOR_PERF_FW_REQUEST_PENDING: Not acknowledged yet. */
	PANTHOR_PERF_FW_REQUEST_PENDING,

	/** @PANTHOR_PERF_FW_REQUEST_DRAINED: The same, with a new deadline after a full ring. */
	PANTHOR_PERF_FW_REQUEST_DRAINED,

	/** @PANTHOR_PERF_FW_REQUEST_EMPTY: Acknowledged, without a sample in the ring so far. */
	PANTHOR_PERF_FW_REQUEST_EMPTY,
};

/**
 * define PANTHOR_PERF_RESERVED_SET - Set of a client that uses the firmware's counters itself
 *
 * The sampler does not access the firmware while such a client is attached. As for other sets, no
 * client with another set can attach.
 */
#define PANTHOR_PERF_RESERVED_SET	U32_MAX

/**
 * struct panthor_perf_sampler - Firmware samples to 64-bit running totals, once per GPU
 */
struct panthor_perf_sampler {
	/** @fw: Protocol state. Guarded by @lock, or by @blocked for the hook that has set it. */
	struct panthor_perf_fw fw;

	/**
	 * @lock: Perf mutex. Guards the sampler and all sessions.
	 *
	 * Taken with guard(panthor_perf_sampler), below runtime PM and above the lock of the
	 * firmware's global interface. The hooks of suspend and reset take it, and wait for the
	 * worker, which takes it: a holder does not allocate memory, take other locks of the DRM
	 * core or wait for firmware.
	 */
	struct mutex lock;

	/** @wq: Ordered queue of @work. */
	struct workqueue_struct *wq;

	/** @work: Worker: reads acknowledges and samples, updates totals, completes requests. */
	struct delayed_work work;

	/** @timer: Queues @work at the earliest deadline of @clients. */
	struct hrtimer timer;

	/** @state: State of the counters in the firmware. */
	enum panthor_perf_sampler_state state;

	/**
	 * @blocked: The GPU is suspended, being reset or gone: only the hook that has set the flag
	 * may access the firmware.
	 */
	bool blocked;

	/** @suspended: The GPU is suspended. */
	bool suspended;

	/** @gone: The GPU is unplugged, or about to be: no call is let in. */
	bool gone;

	/** @powered: The sampler holds a reference to the GPU's power. */
	bool powered;

	/** @enabled: Firmware has acknowledged the newest enable: INSERT is not an older one's. */
	bool enabled;

	/** @fw_request: State of the newest firmware request. */
	enum panthor_perf_fw_request_state fw_request;

	/** @failures: Number of failures of firmware in a row. */
	u32 failures;

	/** @missing: Number of acknowledges without a sample. */
	u32 missing;

	/** @deadline: Time at which the pending request has timed out, in jiffies. */
	unsigned long deadline;

	/** @watchdog: Time at which the worker requests a sample against saturation, in jiffies. */
	unsigned long watchdog;

	/** @watchdog_interval: Longest time without a request for a sample, in jiffies. */
	unsigned long watchdog_interval;

	/**
	 * @request_interval_ns: Interval with at most one firmware request, in ns. 0: no limit.
	 * Constant after the initialisation.
	 */
	u64 request_interval_ns;

	/** @next_request_ns: CLOCK_MONOTONIC of the end of the interval of the last request. */
	u64 next_request_ns;

	/** @issued: Number of the newest firmware request. A failure of all requests has one. */
	u64 issued;

	/** @done: Number of the newest completed firmware request. Requests up to it are due. */
	u64 done;

	/** @status: Status of the requests that are due. Cleared when all are complete. */
	int status;

	/** @clients: Attached clients. The counters run while there is one. */
	struct list_head clients;

	/** @requests: Requests of the clients, in the order of &panthor_perf_request.target. */
	struct list_head requests;

	/** @tick_ns: Earliest deadline of all clients or an earlier time, CLOCK_MONOTONIC. */
	u64 tick_ns;

	/** @counts: Running totals and their time. */
	struct panthor_perf_counts counts;
};

/*
 * Jobs' fences signal after a reset of the GPU, and a reset waits for the holder of the lock. So
 * each holder is in a section that lockdep knows as the path that signals fences: it reports one
 * that allocates memory or waits for a fence.
 */
DEFINE_LOCK_GUARD_1(panthor_perf_sampler, struct panthor_perf_sampler,
		    ({
			_T->cookie = dma_fence_begin_signalling();
			mutex_lock(&_T->lock->lock);
		    }),
		    ({
			mutex_unlock(&_T->lock->lock);
			dma_fence_end_signalling(_T->cookie);
		    }),
		    bool cookie);

/* Life cycle */
int panthor_perf_sampler_init(struct panthor_perf_sampler *sampler, unsigned long max_rate);
void panthor_perf_sampler_fini(struct panthor_perf_sampler *sampler);
void panthor_perf_sampler_unplug(struct panthor_perf_sampler *sampler);
void panthor_perf_sampler_suspend(struct panthor_perf_sampler *sampler, bool reset);
void panthor_perf_sampler_pre_reset(struct panthor_perf_sampler *sampler);
void panthor_perf_sampler_restart(struct panthor_perf_sampler *sampler, bool failed);

/* From the interrupt */
void panthor_perf_sampler_queue_work(struct panthor_perf_sampler *sampler);

/* For clients, with the lock held */
void panthor_perf_request_init(struct panthor_perf_request *req,
			       void (*complete)(struct panthor_perf_request *req, int status));
void panthor_perf_client_init(struct panthor_perf_client *client);
void panthor_perf_client_set_deadline_locked(struct panthor_perf_sampler *sampler,
					     struct panthor_perf_client *client, u64 deadline_ns);
void panthor_perf_client_clear_deadline_locked(struct panthor_perf_client *client);
int panthor_perf_sampler_attach_locked(struct panthor_perf_sampler *sampler,
				       struct panthor_perf_client *client, u32 set);
void panthor_perf_sampler_detach_locked(struct panthor_perf_sampler *sampler,
					struct panthor_perf_client *client);
int panthor_perf_sampler_check_locked(const struct panthor_perf_sampler *sampler);
void panthor_perf_sampler_request_locked(struct panthor_perf_sampler *sampler,
					 struct panthor_perf_request *req);
void panthor_perf_sampler_finish_dead_locked(struct panthor_perf_sampler *sampler,
					     struct panthor_perf_request *req);
void panthor_perf_sampler_request_cancelled_locked(struct panthor_perf_sampler *sampler,
						   struct panthor_perf_request *req,
						   struct panthor_perf_request *before);

#endif
