/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SESSION_H__
#define __PANTHOR_PERF_SESSION_H__

#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_layout.h"
#include "panthor_perf_ring.h"
#include "panthor_perf_sampler.h"
#include "panthor_perf_select.h"

struct drm_printer;
struct eventfd_ctx;
struct panthor_file;
struct panthor_perf_clock_mode;

/**
 * define PANTHOR_PERF_MAX_PENDING - Largest number of pending samples of a session
 *
 * One firmware sample may complete all of them, of all sessions, and the worker then publishes them
 * in a row. A workload has two samples: a client may be 32 workloads ahead of the GPU.
 */
#define PANTHOR_PERF_MAX_PENDING	64

/**
 * enum panthor_perf_session_state - State of a session
 */
enum panthor_perf_session_state {
	/** @PANTHOR_PERF_SESSION_STOPPED: Not counting. All samples are published. */
	PANTHOR_PERF_SESSION_STOPPED,

	/** @PANTHOR_PERF_SESSION_STARTING: START has requested the baseline. */
	PANTHOR_PERF_SESSION_STARTING,

	/** @PANTHOR_PERF_SESSION_STARTED: Counting. */
	PANTHOR_PERF_SESSION_STARTED,

	/** @PANTHOR_PERF_SESSION_STOPPING: The final sample is not published yet. */
	PANTHOR_PERF_SESSION_STOPPING,

	/** @PANTHOR_PERF_SESSION_DEAD: Torn down, or the GPU is unplugged. */
	PANTHOR_PERF_SESSION_DEAD,
};

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
struct panthor_perf_session;

/**
 * struct panthor_perf_format - Form of samples that is not that of the uAPI
 */
struct panthor_perf_format {
	/** @size: Returns the size of a sample, in bytes. */
	u32 (*size)(const struct panthor_perf_layout *layout);

	/** @write: Writes a sample to a slot, and updates the snapshot. */
	void (*write)(struct panthor_perf_session *session,
		      const struct drm_panthor_perf_sample_header *header, void *slot);
};
#endif

/**
 * struct panthor_perf_session_config - Configuration of a session
 */
struct panthor_perf_session_config {
	/** @set: Counter set. */
	u32 set;

	/** @flags: A combination of &enum drm_panthor_perf_setup_flags. */
	u32 flags;

	/** @clock_mode: Clock mode, of &enum drm_panthor_perf_clock_mode. */
	u32 clock_mode;

	/** @period_ns: Period of a periodic session, in ns. 0: a manual session. */
	u64 period_ns;

	/** @masks: Requested counters of each block type. */
	u64 masks[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][PANTHOR_PERF_MASK_WORDS];

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
	/** @format: Form of the samples. NULL: that of the uAPI. */
	const struct panthor_perf_format *format;
#endif

	/** @eventfd: Signalled for samples. The session puts it. NULL: none. */
	struct eventfd_ctx *eventfd;
};

/**
 * struct panthor_perf_start_wait - START waiter, on the stack
 */
struct panthor_perf_start_wait {
	/** @done: Completed with @status. */
	struct completion done;

	/** @status: Return value of START. */
	int status;

	/** @user_data: user_data of START, for periodic samples. */
	u64 user_data;
};

/**
 * struct panthor_perf_fence - Fence of a sample
 *
 * Freed with the last reference to @base, which may outlive the session and the device.
 */
struct panthor_perf_fence {
	/** @base: Signals when the sample is in the ring, or with an error when there is none. */
	struct dma_fence base;

	/** @lock: Lock of @base. */
	spinlock_t lock;

	/** @timeline: Name of the timeline of @base. */
	char timeline[32];
};

/**
 * struct panthor_perf_sample - Sample of a SAMPLE call that is not in the ring yet
 */
struct panthor_perf_sample {
	/** @node: Node in &panthor_perf_session.pending. */
	struct list_head node;

	/** @session: Session. */
	struct panthor_perf_session *session;

	/** @req: Request. */
	struct panthor_perf_request req;

	/** @user_data: user_data of SAMPLE. */
	u64 user_data;

	/** @fence: Fence that work waits for, with a reference. NULL: none. */
	struct panthor_perf_fence *fence;

	/** @error: Error for @fence, or 0. Set before the completion only if STOP cancels @req. */
	int error;
};

/**
 * struct panthor_perf_session - Session
 *
 * The sampler's lock guards all fields that are not constant.
 */
struct panthor_perf_session {
	/** @refcount: References: one of the handle, and one of each running call. */
	struct kref refcount;

	/**
	 * @node: Node in the device's list of sessions, empty when dead. A session that is dead but
	 * not freed yet does not count in the limits.
	 */
	struct list_head node;

	/**
	 * @owner: File of the session, for the limit of its sessions. Constant. Valid until the
	 * session is dead.
	 */
	const struct panthor_file *owner;

	/** @sampler: Sampler. Constant. */
	struct panthor_perf_sampler *sampler;

	/**
	 * @clock_mode: Clock mode of the GPU if the session has a mode, else NULL. Held while
	 * @client is attached. Constant.
	 */
	struct panthor_perf_clock_mode *clock_mode;

	/** @clock_changes: Changes of the clock's rate up to the newest sample. */
	u32 clock_changes;

	/** @config: Configuration of SETUP. Constant. */
	struct panthor_perf_session_config config;

	/** @sample_size: Size of a sample, in bytes, a multiple of 8. Constant. */
	u32 sample_size;

	/** @state: State. */
	enum panthor_perf_session_state state;

	/** @client: Attached from START to the final sample. */
	struct panthor_perf_client client;

	/** @start: Request of START, for the baseline. */
	struct panthor_perf_request start;

	/** @stop: Request of STOP. */
	struct panthor_perf_request stop;

	/**
	 * @start_wait: START waiter, while the session is starting, else NULL. As long as it is
	 * set, the session holds a reference to the GPU's power.
	 */
	struct panthor_perf_start_wait *start_wait;

	/** @id: Number of the session in messages. Constant. */
	u32 id;

	/** @start_user_data: user_data of START, for periodic samples. */
	u64 start_user_data;

	/**
	 * @sample_lock: Held by SAMPLE from the number of its fence to the installation of the
	 * fence, so that both are in the order of the samples. Above the sampler's lock, and not
	 * on the fence signalling path.
	 */
	struct mutex sample_lock;

	/** @fence_context: Context of the samples' fences. Constant. */
	u64 fence_context;

	/** @fence_seqno: Number of the last fence. Guarded by @sample_lock. */
	u64 fence_seqno;

	/** @pending: Samples that are not in the ring yet, in the order of their calls. */
	struct list_head pending;

	/** @pending_count: Number of samples in @pending. Each has a slot of the ring. */
	u32 pending_count;

	/** @stop_user_data: user_data of STOP, for the final sample. */
	u64 stop_user_data;

	/** @ring: The user's ring. Its number of published slots is that of samples since SETUP. */
	struct panthor_perf_ring ring;

	/** @sample_nr: Number of the next sample. */
	u64 sample_nr;

	/** @start_ns: End of the previous sample, CLOCK_MONOTONIC_RAW. */
	u64 start_ns;

	/**
	 * @time_offset_ns: CLOCK_MONOTONIC_RAW in the time namespace of SETUP's caller, less that
	 * of the initial one. Only the times in samples have it. Constant.
	 */
	s64 time_offset_ns;

	/** @stamps: &panthor_perf_entry_sum.stamps at the end of the previous sample. */
	u64 stamps;

	/** @snapshot: Counts at the end of the previous sample. */
	struct panthor_perf_snapshot snapshot;

	/** @cycles: Cycles of the clock domains at the end of the previous sample. */
	u64 cycles[PANTHOR_PERF_CLOCKS];

	/** @point_ns: End of the first period that is not in @unpublished yet, CLOCK_MONOTONIC. */
	u64 point_ns;

	/** @unpublished: Number of periods that have ended since the previous sample. */
	u64 unpublished;

	/** @merged: Periods merged into samples since SETUP, without the first of each sample. */
	u64 merged;

	/** @erroneous: Number of samples with ERROR or OVERFLOW since SETUP. */
	u64 erroneous;
};

struct panthor_perf_session *
panthor_perf_session_create(struct panthor_perf_sampler *sampler,
			    const struct panthor_perf_session_config *config);
struct panthor_perf_session *panthor_perf_session_get(struct panthor_perf_session *session);
void panthor_perf_session_put(struct panthor_perf_session *session);

int panthor_perf_session_check_start(struct panthor_perf_session *session);
int panthor_perf_session_start(struct panthor_perf_session *session,
			       struct panthor_perf_start_wait *wait);
int panthor_perf_session_start_wait(struct panthor_perf_session *session,
				    struct panthor_perf_start_wait *wait);
struct panthor_perf_sample *panthor_perf_sample_create(struct panthor_perf_session *session,
						       u64 user_data);
void panthor_perf_sample_free(struct panthor_perf_sample *sample);
struct dma_fence *panthor_perf_sample_add_fence(struct panthor_perf_sample *sample);
int panthor_perf_session_sample(struct panthor_perf_session *session,
				struct panthor_perf_sample *sample);
int panthor_perf_session_stop(struct panthor_perf_session *session, u64 user_data);
void panthor_perf_session_print_locked(struct panthor_perf_session *session,
				       struct drm_printer *p);
void panthor_perf_session_kill_locked(struct panthor_perf_session *session, bool notify);

#endif
