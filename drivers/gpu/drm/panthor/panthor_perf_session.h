/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SESSION_H__
#define __PANTHOR_PERF_SESSION_H__

#include <linux/bits.h>
#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_layout.h"
#include "panthor_perf_ring.h"
#include "panthor_perf_sampler.h"
#include "panthor_perf_select.h"

struct drm_printer;
struct eventfd_ctx;

/**
 * enum panthor_perf_session_state - State of a session
 */
enum panthor_perf_session_state {
	/** @PANTHOR_PERF_SESSION_STOPPED: Not counting; every sample is published. */
	PANTHOR_PERF_SESSION_STOPPED,

	/** @PANTHOR_PERF_SESSION_STARTING: Waiting for the sample that is its zero. */
	PANTHOR_PERF_SESSION_STARTING,

	/** @PANTHOR_PERF_SESSION_STARTED: Counting. */
	PANTHOR_PERF_SESSION_STARTED,

	/** @PANTHOR_PERF_SESSION_STOPPING: The final sample is not published yet. */
	PANTHOR_PERF_SESSION_STOPPING,

	/** @PANTHOR_PERF_SESSION_DEAD: Torn down, or the GPU is gone. */
	PANTHOR_PERF_SESSION_DEAD,
};

/**
 * struct panthor_perf_session_config - What a session is made of
 */
struct panthor_perf_session_config {
	/** @set: Counter set. */
	u32 set;

	/** @flags: A combination of &enum drm_panthor_perf_setup_flags. */
	u32 flags;

	/** @period_ns: Period of a periodic session, in ns. 0: a manual session. */
	u64 period_ns;

	/** @masks: Counters wanted of each block type. */
	u64 masks[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][PANTHOR_PERF_MASK_WORDS];

	/**
	 * @eventfd: Signalled as panthor_perf_ring_signal_due() says. The session's to put. NULL:
	 * none.
	 */
	struct eventfd_ctx *eventfd;
};

/**
 * struct panthor_perf_stats - What a session has got
 */
struct panthor_perf_stats {
	/** @published: Samples. */
	u64 published;

	/** @merged: Periods that were merged into a sample beyond its first. */
	u64 merged;

	/** @erroneous: Samples with ERROR or OVERFLOW. */
	u64 erroneous;
};

/**
 * struct panthor_perf_start_wait - Someone who waits in START, on the stack
 */
struct panthor_perf_start_wait {
	/** @done: Completed with @status. */
	struct completion done;

	/** @status: What START returns. */
	int status;
};

/**
 * struct panthor_perf_session - A client's view of the counters
 *
 * All but the constant fields is guarded by the sampler's lock.
 */
struct panthor_perf_session {
	/** @refcount: References: one of the handle, and one of each call in flight. */
	struct kref refcount;

	/** @node: Node in the device's list of sessions, empty when dead. */
	struct list_head node;

	/** @sampler: Sampler. Constant. */
	struct panthor_perf_sampler *sampler;

	/** @config: What user space asked for. Constant. */
	struct panthor_perf_session_config config;

	/** @release: Called when the last reference is gone, from process context. Constant. */
	void (*release)(struct panthor_perf_session *session);

	/** @release_data: For @release. Constant. */
	void *release_data;

	/** @state: State. */
	enum panthor_perf_session_state state;

	/** @client: Attached from START to the final sample. */
	struct panthor_perf_client client;

	/** @start: Request for the sample that is the session's zero. */
	struct panthor_perf_request start;

	/** @sample: Request of SAMPLE. */
	struct panthor_perf_request sample;

	/** @stop: Request of STOP. */
	struct panthor_perf_request stop;

	/** @start_wait: Who waits in START, while the session is starting. */
	struct panthor_perf_start_wait *start_wait;

	/** @id: Number of the session, for who follows it in a trace. Constant. */
	u32 id;

	/** @start_user_data: What START gave, for the samples of periods. */
	u64 start_user_data;

	/** @sample_user_data: What SAMPLE gave. */
	u64 sample_user_data;

	/** @stop_user_data: What STOP gave. */
	u64 stop_user_data;

	/** @powered: The session holds a reference to the GPU's power, until START is completed. */
	bool powered;

	/** @ring: The user's ring. */
	struct panthor_perf_ring ring;

	/** @sample_nr: Number of the next sample. */
	u64 sample_nr;

	/** @start_ns: End of the sample before, CLOCK_MONOTONIC_RAW. */
	u64 start_ns;

	/** @samples: Firmware samples added by that time. */
	u64 samples;

	/** @snapshot: The counters' totals, and the blocks' states, at that time. */
	struct panthor_perf_snapshot snapshot;

	/** @cycles: Cycles of the clock domains at that time. */
	u64 cycles[PANTHOR_PERF_CLOCKS];

	/** @point_ns: CLOCK_MONOTONIC of the first end of a period that is not counted yet. */
	u64 point_ns;

	/** @unpublished: Periods that have ended since the sample before. */
	u64 unpublished;

	/** @stats: What became of the session's periods and samples since SETUP. */
	struct panthor_perf_stats stats;
};

u32 panthor_perf_session_config_sample_size(struct panthor_perf_session_config *config,
					    const struct panthor_perf_layout *layout);

struct panthor_perf_session *
panthor_perf_session_create(struct panthor_perf_sampler *sampler,
			    const struct panthor_perf_session_config *config);
struct panthor_perf_session *panthor_perf_session_get(struct panthor_perf_session *session);
void panthor_perf_session_put(struct panthor_perf_session *session);

int panthor_perf_session_check_start(struct panthor_perf_session *session);
int panthor_perf_session_start(struct panthor_perf_session *session, u64 user_data,
			       struct panthor_perf_start_wait *wait);
int panthor_perf_session_start_wait(struct panthor_perf_session *session,
				    struct panthor_perf_start_wait *wait);
int panthor_perf_session_sample(struct panthor_perf_session *session, u64 user_data);
int panthor_perf_session_stop(struct panthor_perf_session *session, u64 user_data);
void panthor_perf_session_print_locked(struct panthor_perf_session *session,
				       struct drm_printer *p);
void panthor_perf_session_kill_locked(struct panthor_perf_session *session, bool notify);

#endif
