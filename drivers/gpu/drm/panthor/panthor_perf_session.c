// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/time64.h>
#include <linux/time_namespace.h>

#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_perf_clock_mode.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_session.h"
#include "panthor_perf_trace.h"

/**
 * DOC: Sessions
 *
 * A session publishes the difference between the sampler's totals and a snapshot
 * of them, filtered by its masks, and updates the snapshot in the same pass. Each
 * session has a snapshot of its own, so that sessions cannot affect each other. ::
 *
 *	            START            the baseline is taken
 *	 STOPPED ----------> STARTING ----------------> STARTED
 *	    ^  ^                |                          |
 *	    |  +----failure-----+                          | STOP
 *	    |                                              v
 *	    +----------the final sample is published-- STOPPING
 *
 * TEARDOWN, close and unplug lead from every state to DEAD.
 *
 * A periodic session has a request at each multiple of its period, and publishes
 * a sample at its completion. A period that cannot be published is merged into
 * the next sample, whose header has the number of merged periods.
 *
 * A manual session has a list of pending samples, in the order of the calls. Each
 * has a slot of the ring, a request that may wait for a fence, and a fence that
 * signals when the sample is in the ring. Nothing is allocated after the call.
 *
 * From START to the final sample a session is attached to the sampler. The ioctls
 * only queue requests. The worker completes them with the sampler's lock held.
 *
 * START keeps the GPU powered until it is completed. Afterwards the sampler does,
 * unless the session allows suspend or the counters are dead. A suspended GPU
 * counts nothing: SAMPLE and STOP publish the current totals at once, and periods
 * are merged until the GPU is resumed.
 */

/* Longest wait of START: more than the time of two failures of the firmware in a row. */
#define START_TIMEOUT_MS	5000

static const char * const state_names[] = {
	[PANTHOR_PERF_SESSION_STOPPED] = "stopped",
	[PANTHOR_PERF_SESSION_STARTING] = "starting",
	[PANTHOR_PERF_SESSION_STARTED] = "started",
	[PANTHOR_PERF_SESSION_STOPPING] = "stopping",
	[PANTHOR_PERF_SESSION_DEAD] = "dead",
};

/* Start the next sample at the end of this one. The snapshot has the totals of that end already. */
static void begin_sample_locked(struct panthor_perf_session *session)
{
	struct panthor_perf_counts *counts = &session->sampler->counts;

	memcpy(session->cycles, counts->clocks.totals, sizeof(session->cycles));
	session->start_ns = counts->end.raw_ns;
	session->total_entries = counts->total_entries;
	session->snapshot.states_nr = counts->states.nr;
	session->unpublished = 0;
	session->client.flags = 0;
	/* A GPU that is still suspended is reported again. */
	session->client.events = session->sampler->suspended ? DRM_PANTHOR_PERF_EVENT_SUSPEND : 0;
}

/* Cycles of a clock since the end of the previous sample. */
static u64 cycles_of(struct panthor_perf_session *session, u32 clock)
{
	return session->sampler->counts.clocks.totals[clock] - session->cycles[clock];
}

static void write_sample_locked(struct panthor_perf_session *session,
				const struct drm_panthor_perf_sample_header *header, void *slot)
{
	struct panthor_perf_session_config *config = &session->config;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
	if (config->format) {
		config->format->write(session, header, slot);
		return;
	}
#endif

	memcpy(slot, header, sizeof(*header));
	panthor_perf_select_write(&session->sampler->counts, &session->snapshot, config->set,
				  config->masks, config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT,
				  slot + sizeof(*header));
}

/*
 * Publish a sample with the counts since the snapshot, and signal the client. A manual sample has
 * @periods 1. @events are reported in addition to those of the client, and @status is that of the
 * request. START, SAMPLE and the periods have checked that a slot is free.
 */
static void publish_locked(struct panthor_perf_session *session, u64 user_data, u64 periods,
			   u32 events, int status)
{
	struct panthor_perf_session_config *config = &session->config;
	struct panthor_perf_sampler *sampler = session->sampler;
	const struct panthor_perf_counts *counts = &sampler->counts;
	struct drm_panthor_perf_sample_header header = {
		.timestamp_start_ns = session->start_ns + session->time_offset_ns,
		.timestamp_end_ns = counts->end.raw_ns + session->time_offset_ns,
		.counter_set = config->set,
		.flags = session->client.flags,
		.user_data = user_data,
		.toplevel_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL),
		.coregroup_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_COREGROUP),
		.shader_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_SHADER),
		.sample_nr = session->sample_nr++,
		.merged = min_t(u64, periods - 1, U32_MAX),
		.events = session->client.events | events,
	};
	void *slot;

	lockdep_assert_held(&sampler->lock);

	if (WARN_ON_ONCE(panthor_perf_ring_is_full(&session->ring)))
		return;

	slot = panthor_perf_ring_slot(&session->ring);

	/*
	 * 0 means that no ring entry was added since the previous sample. A time stamp of 0 from
	 * firmware is published as 1.
	 */
	if (counts->total_entries != session->total_entries)
		header.gpu_timestamp = max(counts->sum.gpu_timestamp, 1);

	if (header.merged)
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_STRETCHED;

	if (session->clock_mode &&
	    panthor_perf_clock_mode_missed(session->clock_mode, &session->clock_changes))
		header.events |= DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED;

	if (counts->host_time)
		header.events |= DRM_PANTHOR_PERF_EVENT_HOST_TIME;

	/* The counters are dead, which is reported as a time-out whatever the first fault was. */
	if (status) {
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		header.events |= DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT;
	}

	if (session->ring.bad_extract) {
		header.events |= DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT;
		session->ring.bad_extract = false;
	}

	session->merged += header.merged;
	if (header.flags & (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		session->erroneous++;

	write_sample_locked(session, &header, slot);
	trace_panthor_perf_publish(&sampler->fw, session->id, &header);
	begin_sample_locked(session);
	panthor_perf_ring_publish(&session->ring);

	if (config->eventfd &&
	    panthor_perf_ring_signal_due(&session->ring,
					 header.flags & DRM_PANTHOR_PERF_SAMPLE_FINAL))
		eventfd_signal(config->eventfd);
}

/* Put the power reference of a START that is not completed yet, and wake up its waiter. */
static void complete_start_locked(struct panthor_perf_session *session, int status)
{
	struct panthor_perf_start_wait *wait = session->start_wait;

	if (!wait)
		return;

	session->start_wait = NULL;
	panthor_perf_hw_power_put(&session->sampler->fw);
	wait->status = status;
	complete(&wait->done);
}

/* Count the periods that have ended by the newest firmware sample. */
static void count_periods_locked(struct panthor_perf_session *session)
{
	const u64 period = session->config.period_ns;
	const u64 end = session->sampler->counts.end.mono_ns;

	if (!period)
		return;

	session->unpublished += panthor_perf_grid_passed(period, session->point_ns, end);
	session->point_ns = panthor_perf_grid_next(period, end);
}

/* Sessions hold their clock mode as long as they are attached. */
static void detach_locked(struct panthor_perf_session *session)
{
	if (!list_empty(&session->client.node))
		panthor_perf_clock_mode_put(session->clock_mode);
	panthor_perf_sampler_detach_locked(session->sampler, &session->client);
}

static void start_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_session *session = container_of(req, typeof(*session), start);
	struct panthor_perf_sampler *sampler = session->sampler;

	if (status) {
		session->state = PANTHOR_PERF_SESSION_STOPPED;
		detach_locked(session);
		complete_start_locked(session, status);
		return;
	}

	session->state = PANTHOR_PERF_SESSION_STARTED;
	session->sample_nr = 0;
	/* Changes of the rate until now are not those of the first sample. */
	if (session->clock_mode)
		panthor_perf_clock_mode_missed(session->clock_mode, &session->clock_changes);
	memcpy(session->snapshot.totals, sampler->counts.sum.totals,
	       panthor_perf_layout_values(sampler->fw.layout) * sizeof(u64));
	begin_sample_locked(session);
	/*
	 * Firmware acknowledged the request for the baseline without a sample: the first sample
	 * includes work from before START. This was reported before the first sample began.
	 */
	if (!sampler->counts.entries) {
		session->client.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		session->client.events |= DRM_PANTHOR_PERF_EVENT_FW_ERROR;
	}
	if (session->config.period_ns) {
		session->point_ns = panthor_perf_grid_next(session->config.period_ns,
							   sampler->counts.end.mono_ns);
		panthor_perf_client_set_deadline_locked(sampler, &session->client,
							session->point_ns);
	}

	/* From here on the sampler keeps the GPU powered, unless the session allows suspend. */
	complete_start_locked(session, 0);
}

static const char *fence_driver_name(struct dma_fence *fence)
{
	return "panthor";
}

static const char *fence_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct panthor_perf_sample, fence)->timeline;
}

#ifdef PANTHOR_PERF_FENCES_PIN_MODULE

/*
 * Here a fence uses its operations after it was signalled, and a sync_file may keep it after the
 * file of the session was closed. So each fence has a reference to the module. RCU calls this
 * function with softirqs disabled: the unload of the module waits for its return.
 */
static void free_sample(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct panthor_perf_sample, fence.rcu));
	module_put(THIS_MODULE);
}

static void fence_release(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, free_sample);
}

#endif

static const struct dma_fence_ops sample_fence_ops = {
	.get_driver_name = fence_driver_name,
	.get_timeline_name = fence_timeline_name,
#ifdef PANTHOR_PERF_FENCES_PIN_MODULE
	.release = fence_release,
#endif
};

/* Signal the fence of a sample that is in the ring, or of one that will never be. */
static void end_sample_locked(struct panthor_perf_sample *sample, int error)
{
	list_del(&sample->node);
	sample->session->pending_count--;
	panthor_perf_request_remove_locked(&sample->req);
	dma_fence_put(sample->req.wait);
	if (error)
		dma_fence_set_error(&sample->fence, error);
	dma_fence_signal(&sample->fence);
	dma_fence_put(&sample->fence);
}

static void sample_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_sample *sample = container_of(req, typeof(*sample), req);
	const u32 events = sample->cancelled ? DRM_PANTHOR_PERF_EVENT_CANCELLED : 0;

	if (status != -ENODEV)
		publish_locked(sample->session, sample->user_data, 1, events, status);

	end_sample_locked(sample, status == -ENODEV || events ? -ECANCELED : 0);
}

/*
 * Complete the samples whose fences have not signalled, without a firmware sample of their own.
 * They are the last ones of @pending: the one before each is queued, or was cancelled just now, and
 * both end together. Without one, it ends with the newest completed firmware request: a later end
 * would change the times of other sessions.
 */
static void cancel_waiting_locked(struct panthor_perf_session *session)
{
	struct panthor_perf_request *req;

	while ((req = list_first_entry_or_null(&session->client.waiting, typeof(*req), node))) {
		struct panthor_perf_sample *sample = container_of(req, typeof(*sample), req);
		struct panthor_perf_request *before = NULL;

		if (!list_is_first(&sample->node, &session->pending))
			before = &list_prev_entry(sample, node)->req;

		sample->cancelled = true;
		panthor_perf_request_remove_locked(req);
		panthor_perf_sampler_request_cancelled_locked(session->sampler, req, before);
	}
}

static void tick_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_session *session = container_of(req, typeof(*session), client.tick);

	if (status == -ENODEV)
		return;

	count_periods_locked(session);

	/* The last free slot is reserved for the final sample. */
	if (status || panthor_perf_ring_free_slots(&session->ring) < 2) {
		if (!status)
			session->client.events |= DRM_PANTHOR_PERF_EVENT_RING_FULL;
		trace_panthor_perf_merge(&session->sampler->fw, session->id, session->unpublished,
					 status);
	} else if (session->unpublished) {
		/* Half of the current period or more has passed. */
		const bool late = session->point_ns - session->sampler->counts.end.mono_ns <=
				  session->config.period_ns / 2;

		publish_locked(session, session->start_user_data, session->unpublished,
			       late ? DRM_PANTHOR_PERF_EVENT_LATE : 0, 0);
	}

	if (session->state == PANTHOR_PERF_SESSION_STARTED)
		panthor_perf_client_set_deadline_locked(session->sampler, &session->client,
							session->point_ns);
}

static void stop_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_session *session = container_of(req, typeof(*session), stop);

	if (status != -ENODEV) {
		count_periods_locked(session);
		session->client.flags |= DRM_PANTHOR_PERF_SAMPLE_FINAL;
		/* The current period, which STOP ends early, counts as one more. */
		publish_locked(session, session->stop_user_data, session->unpublished + 1, 0,
			       status);
	}

	session->state = PANTHOR_PERF_SESSION_STOPPED;
	detach_locked(session);
}

/**
 * panthor_perf_session_create() - Create a session
 * @sampler: Sampler. Must outlive the session.
 * @config: Validated configuration. The session copies it and puts its eventfd.
 *
 * The times of the session's samples are those of the calling task's time namespace.
 *
 * Before other calls can use the session, the caller initialises &panthor_perf_session.ring and
 * &panthor_perf_session.owner. If the session has a clock mode, it also sets
 * &panthor_perf_session.clock_mode.
 *
 * Return: The session with one reference, or ERR_PTR(-ENOMEM).
 */
struct panthor_perf_session *
panthor_perf_session_create(struct panthor_perf_sampler *sampler,
			    const struct panthor_perf_session_config *config)
{
	static atomic_t next_id = ATOMIC_INIT(0);
	const bool allows_suspend = config->flags & DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	struct panthor_perf_session *session;
	struct timespec64 offset = {};

	session = kzalloc_obj(*session, GFP_KERNEL_ACCOUNT);
	if (!session)
		return ERR_PTR(-ENOMEM);

	session->snapshot.totals = kvcalloc(panthor_perf_layout_values(sampler->fw.layout),
					    sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (!session->snapshot.totals) {
		kfree(session);
		return ERR_PTR(-ENOMEM);
	}

	kref_init(&session->refcount);
	INIT_LIST_HEAD(&session->node);
	session->sampler = sampler;
	session->config = *config;
	session->id = atomic_inc_return(&next_id);
	timens_add_monotonic(&offset);
	session->time_offset_ns = timespec64_to_ns(&offset);
	panthor_perf_client_init(&session->client, allows_suspend, tick_complete);
	panthor_perf_request_init(&session->start, &session->client, false, start_complete);
	panthor_perf_request_init(&session->stop, &session->client, allows_suspend, stop_complete);
	mutex_init(&session->sample_lock);
	INIT_LIST_HEAD(&session->pending);
	session->fence_context = dma_fence_context_alloc(1);
	return session;
}

/**
 * panthor_perf_session_sample_size() - Size of the session's samples
 * @session: Session.
 *
 * Return: Size in bytes, a multiple of 8.
 */
u32 panthor_perf_session_sample_size(struct panthor_perf_session *session)
{
	const struct panthor_perf_layout *layout = session->sampler->fw.layout;
	struct panthor_perf_session_config *config = &session->config;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
	/* Samples of the older interface always have all counters. */
	if (config->format)
		return config->format->size(layout);
#endif

	return panthor_perf_select_size(layout, config->masks,
					config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT);
}

static void session_free(struct kref *kref)
{
	struct panthor_perf_session *session = container_of(kref, typeof(*session), refcount);

	if (session->config.eventfd)
		eventfd_ctx_put(session->config.eventfd);

	panthor_perf_ring_unmap(&session->ring);
	mutex_destroy(&session->sample_lock);
	kvfree(session->snapshot.totals);
	kfree(session);
}

/**
 * panthor_perf_session_get() - Take a reference
 * @session: Session.
 *
 * Return: @session.
 */
struct panthor_perf_session *panthor_perf_session_get(struct panthor_perf_session *session)
{
	kref_get(&session->refcount);
	return session;
}

/**
 * panthor_perf_session_put() - Put a reference
 * @session: Session, dead at the put of the last reference. May sleep then. NULL and errors are
 * ignored.
 */
void panthor_perf_session_put(struct panthor_perf_session *session)
{
	if (!IS_ERR_OR_NULL(session))
		kref_put(&session->refcount, session_free);
}

static int check_state_locked(const struct panthor_perf_session *session,
			      enum panthor_perf_session_state needed)
{
	struct panthor_device *ptdev = session->sampler->fw.ptdev;

	if (session->state == needed)
		return 0;

	drm_dbg(ptdev ? &ptdev->base : NULL, "session %u is %s, not %s\n", session->id,
		state_names[session->state], state_names[needed]);

	if (session->state == PANTHOR_PERF_SESSION_DEAD)
		return session->sampler->gone ? -ENODEV : -ENOENT;

	/* START fails until the final sample is published. */
	if (session->state == PANTHOR_PERF_SESSION_STOPPING &&
	    needed == PANTHOR_PERF_SESSION_STOPPED)
		return -EBUSY;

	return -EINVAL;
}

static int check_start_locked(struct panthor_perf_session *session)
{
	const struct panthor_perf_sampler *sampler = session->sampler;
	int ret = check_state_locked(session, PANTHOR_PERF_SESSION_STOPPED);

	if (ret)
		return ret;

	if (!panthor_perf_ring_free_slots(&session->ring))
		return -EBUSY;

	/* The resume of a suspended GPU restarts the counters. */
	return sampler->state == PANTHOR_PERF_SAMPLER_DEAD && !sampler->gone &&
	       !sampler->suspended ? -EIO : 0;
}

/**
 * panthor_perf_session_check_start() - Check whether a session may start, without the GPU's power
 * @session: Session.
 *
 * The caller checks before it takes a reference to the GPU's power: clients that repeat START with
 * dead counters then do not prevent the suspend after which counters are restarted.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_perf_session_check_start(struct panthor_perf_session *session)
{
	guard(panthor_perf_sampler)(session->sampler);
	return check_start_locked(session);
}

/**
 * panthor_perf_session_start() - Queue the request for the baseline
 * @session: Session.
 * @user_data: user_data of periodic samples.
 * @wait: START waiter for panthor_perf_session_start_wait(), which must follow on success.
 *
 * The caller holds a reference to the GPU's power, and the session's clock mode if it has one. On
 * success the session takes over both. It puts the reference when START is completed, and gives up
 * the mode with the final sample.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_perf_session_start(struct panthor_perf_session *session, u64 user_data,
			       struct panthor_perf_start_wait *wait)
{
	struct panthor_perf_sampler *sampler = session->sampler;
	int ret;

	guard(panthor_perf_sampler)(sampler);
	ret = check_start_locked(session);
	if (ret)
		return ret;

	ret = panthor_perf_sampler_attach_locked(sampler, &session->client, session->config.set);
	if (ret)
		return ret;

	init_completion(&wait->done);
	session->state = PANTHOR_PERF_SESSION_STARTING;
	session->start_user_data = user_data;
	session->start_wait = wait;
	panthor_perf_sampler_request_locked(sampler, &session->start);
	return 0;
}

/**
 * panthor_perf_session_start_wait() - Wait until the session counts
 * @session: Session.
 * @wait: START waiter of panthor_perf_session_start().
 *
 * Return: 0 if the session is started; -ETIMEDOUT; -EIO; -EINTR after a fatal signal; -ENODEV if
 * the GPU is gone; -ENOENT if the session was torn down.
 */
int panthor_perf_session_start_wait(struct panthor_perf_session *session,
				    struct panthor_perf_start_wait *wait)
{
	long left = wait_for_completion_killable_timeout(&wait->done,
							 msecs_to_jiffies(START_TIMEOUT_MS));

	if (left > 0)
		return wait->status;

	guard(panthor_perf_sampler)(session->sampler);
	/* If the worker has completed START after the timeout, its status counts. */
	if (session->start_wait == wait) {
		list_del_init(&session->start.node);
		start_complete(&session->start, left ? -EINTR : -ETIMEDOUT);
	}

	return wait->status;
}

/**
 * panthor_perf_sample_create() - Create a sample for panthor_perf_session_sample()
 * @session: Session. Its &panthor_perf_session.sample_lock is held until the sample is queued.
 * @user_data: user_data of the sample.
 * @wait: Fence that must signal before the firmware's request, or NULL.
 *
 * Return: The sample, or ERR_PTR(-ENOMEM). dma_fence_put() of its fence releases it.
 */
struct panthor_perf_sample *panthor_perf_sample_create(struct panthor_perf_session *session,
						       u64 user_data, struct dma_fence *wait)
{
	struct panthor_perf_sample *sample = kzalloc_obj(*sample, GFP_KERNEL_ACCOUNT);

	lockdep_assert_held(&session->sample_lock);

	if (!sample)
		return ERR_PTR(-ENOMEM);

#ifdef PANTHOR_PERF_FENCES_PIN_MODULE
	__module_get(THIS_MODULE);
#endif
	/* Without ops.release(), the fence frees this structure, whose first field it is. */
	BUILD_BUG_ON(offsetof(struct panthor_perf_sample, fence));
	spin_lock_init(&sample->lock);
	dma_fence_init(&sample->fence, &sample_fence_ops, &sample->lock, session->fence_context,
		       ++session->fence_seqno);
	snprintf(sample->timeline, sizeof(sample->timeline), "perf-session-%u", session->id);
	sample->session = session;
	sample->user_data = user_data;
	panthor_perf_request_init(&sample->req, &session->client,
				  session->client.allows_suspend, sample_complete);
	sample->req.wait = wait;
	return sample;
}

static int check_sample_locked(struct panthor_perf_session *session)
{
	int ret = check_state_locked(session, PANTHOR_PERF_SESSION_STARTED);

	if (ret)
		return ret;

	/* A session with a period has no samples but those of its periods. */
	if (session->config.period_ns)
		return -EINVAL;

	if (session->pending_count >= PANTHOR_PERF_MAX_PENDING)
		return -EBUSY;

	/* One slot for each pending sample, one for this one and one for the final one. */
	if (panthor_perf_ring_free_slots(&session->ring) < session->pending_count + 2)
		return -EBUSY;

	return 0;
}

/**
 * panthor_perf_session_sample() - Queue a sample
 * @session: Session.
 * @sample: Sample of panthor_perf_sample_create().
 * @signals: Work waits for the fence of the sample: it is completed while the GPU is suspended.
 *
 * Takes references to the fences of the sample. If the GPU is suspended, this call may publish
 * samples.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_perf_session_sample(struct panthor_perf_session *session,
				struct panthor_perf_sample *sample, bool signals)
{
	struct panthor_perf_sample *earlier;
	int ret;

	guard(panthor_perf_sampler)(session->sampler);
	ret = check_sample_locked(session);
	if (ret)
		return ret;

	sample->req.allows_suspend |= signals;
	ret = panthor_perf_sampler_check_request_locked(session->sampler, &sample->req);
	if (ret)
		return ret;

	dma_fence_get(&sample->fence);
	dma_fence_get(sample->req.wait);
	list_add_tail(&sample->node, &session->pending);
	session->pending_count++;
	/* Samples complete in their order: those before it must not wait for a resume either. */
	if (signals) {
		list_for_each_entry(earlier, &session->pending, node)
			earlier->req.allows_suspend = true;
	}

	panthor_perf_sampler_request_locked(session->sampler, &sample->req);
	return 0;
}

/**
 * panthor_perf_session_stop() - Queue the final sample
 * @session: Session.
 * @user_data: user_data of the final sample.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_perf_session_stop(struct panthor_perf_session *session, u64 user_data)
{
	int ret;

	guard(panthor_perf_sampler)(session->sampler);
	ret = check_state_locked(session, PANTHOR_PERF_SESSION_STARTED);
	if (ret)
		return ret;

	/* The session is killed next. */
	if (session->sampler->gone)
		return -ENODEV;

	cancel_waiting_locked(session);

	/* If the GPU is suspended and the session allows it, this call publishes the sample. */
	session->state = PANTHOR_PERF_SESSION_STOPPING;
	session->stop_user_data = user_data;
	session->stop.allows_suspend = session->client.allows_suspend;
	session->client.deadline_ns = PANTHOR_PERF_NEVER;
	panthor_perf_sampler_request_final_locked(session->sampler, &session->stop);
	return 0;
}

/**
 * panthor_perf_session_print_locked() - Print the state and the statistics of a session
 * @session: Session. The sampler's lock is held.
 * @p: Printer.
 */
void panthor_perf_session_print_locked(struct panthor_perf_session *session, struct drm_printer *p)
{
	lockdep_assert_held(&session->sampler->lock);

	drm_printf(p,
		   "%s period=%llu published=%llu merged=%llu erroneous=%llu unread=%u pending=%u\n",
		   state_names[session->state], session->config.period_ns, session->ring.insert,
		   session->merged, session->erroneous,
		   panthor_perf_ring_unread(&session->ring), session->pending_count);
}

/**
 * panthor_perf_session_kill_locked() - End a session without a sample
 * @session: Session, in any state. The sampler's lock is held.
 * @notify: Signal the eventfd once.
 *
 * Afterwards the kernel does not write to the user's memory any more, the session's references to
 * the GPU's power are released, and the fences of its samples have signalled.
 */
void panthor_perf_session_kill_locked(struct panthor_perf_session *session, bool notify)
{
	struct panthor_perf_sample *sample, *next;

	lockdep_assert_held(&session->sampler->lock);

	if (session->state == PANTHOR_PERF_SESSION_DEAD)
		return;

	session->state = PANTHOR_PERF_SESSION_DEAD;
	list_del_init(&session->node);
	list_del_init(&session->start.node);
	list_del_init(&session->stop.node);
	list_for_each_entry_safe(sample, next, &session->pending, node)
		end_sample_locked(sample, -ECANCELED);
	detach_locked(session);
	complete_start_locked(session, session->sampler->gone ? -ENODEV : -ENOENT);

	if (notify && session->config.eventfd)
		eventfd_signal(session->config.eventfd);
}
