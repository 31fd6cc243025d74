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

#include "panthor_perf_clock_mode.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_session.h"
#include "panthor_perf_time.h"
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
 * A session has a list of pending samples, in the order of the SAMPLE calls. Each
 * has a slot of the ring and a request. Nothing is allocated after the call.
 *
 * From START to the final sample a session is attached to the sampler. The ioctls
 * only queue requests. The worker completes them with the sampler's lock held.
 *
 * START keeps the GPU powered until it is completed. Afterwards the sampler does,
 * unless the counters are dead.
 */

/**
 * DOC: Periodic sessions
 *
 * A periodic session has a request at each multiple of its period, and publishes
 * a sample at its completion. A period that cannot be published is merged into
 * the next sample, whose header has the number of merged periods.
 */

/**
 * DOC: Sessions that allow suspend
 *
 * The sampler does not keep the GPU powered for such a session. A suspended GPU
 * counts nothing: SAMPLE and STOP publish the current totals at once, and periods
 * are merged until the GPU is resumed.
 */

/**
 * DOC: Fences of samples
 *
 * The request of a pending sample may wait for a fence, and the sample may have a
 * fence that signals when it is in the ring, or with an error at the end of the
 * session. A holder of the sampler's lock signals it. So for this reason, too,
 * each holder is on the path that signals fences.
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

/* Begin the next sample at the end of the counts. The snapshot has their totals already. */
static void begin_sample_locked(struct panthor_perf_session *session)
{
	struct panthor_perf_counts *counts = &session->sampler->counts;

	session->start_ns = counts->end_ns;
	session->stamps = counts->sum.stamps;
	session->unpublished = 0;
	session->client.flags = 0;
#ifdef PANTHOR_PERF_WITH_CLOCKS
	memcpy(session->cycles, counts->clocks.totals, sizeof(session->cycles));
#endif
#ifdef PANTHOR_PERF_WITH_STATES
	session->snapshot.states_nr = counts->states.nr;
#endif
	/* A GPU that is still suspended is reported again. */
	session->client.events = session->sampler->suspended ? DRM_PANTHOR_PERF_EVENT_SUSPEND : 0;
}

/* Cycles of a clock since the end of the previous sample. */
static u64 cycles_of(struct panthor_perf_session *session, u32 clock)
{
	return session->sampler->counts.clocks.totals[clock] - session->cycles[clock];
}

/* Add the cycles of all clock domains, and whether the end is the host's time. */
static void add_cycles(struct panthor_perf_session *session,
		       struct drm_panthor_perf_sample_header *header)
{
	header->toplevel_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
	header->coregroup_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_COREGROUP);
	header->shader_clock_cycles = cycles_of(session, DRM_PANTHOR_PERF_CLOCK_SHADER);
	if (session->sampler->counts.host_time)
		header->events |= DRM_PANTHOR_PERF_EVENT_HOST_TIME;
}

/* The first period of a sample is not merged. A manual sample has no second one. */
static void add_merged(const struct panthor_perf_session *session,
		       struct drm_panthor_perf_sample_header *header)
{
	if (session->unpublished <= 1)
		return;

	header->merged = min_t(u64, session->unpublished - 1, U32_MAX);
	header->flags |= DRM_PANTHOR_PERF_SAMPLE_STRETCHED;
}

static void update_statistics(struct panthor_perf_session *session,
			      const struct drm_panthor_perf_sample_header *header)
{
	session->merged += header->merged;
	if (header->flags & (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		session->erroneous++;
}

/* Write a sample to a slot, and update the totals of the snapshot. */
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
#ifdef PANTHOR_PERF_WITH_COMPACT
	if (config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT) {
		panthor_perf_select_write_compact(&session->sampler->counts, &session->snapshot,
						  config->masks, slot + sizeof(*header));
		return;
	}

#endif
	panthor_perf_select_write(&session->sampler->counts, &session->snapshot, config->masks,
				  slot + sizeof(*header));
}

/*
 * Publish a sample with the counts since the snapshot, and signal the client. @status is that of
 * the request. A slot is free: it was reserved, or checked just now.
 */
static void publish_locked(struct panthor_perf_session *session, u64 user_data, int status)
{
	struct panthor_perf_session_config *config = &session->config;
	struct panthor_perf_sampler *sampler = session->sampler;
	const struct panthor_perf_counts *counts = &sampler->counts;
	struct drm_panthor_perf_sample_header header = {
		.timestamp_start_ns = session->start_ns + session->time_offset_ns,
		.timestamp_end_ns = counts->end_ns + session->time_offset_ns,
		.counter_set = config->set,
		.flags = session->client.flags,
		.user_data = user_data,
		.sample_nr = session->sample_nr++,
		.events = session->client.events,
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
	if (counts->sum.stamps != session->stamps)
		header.gpu_timestamp = max(counts->sum.gpu_timestamp, 1);

	add_cycles(session, &header);
	add_merged(session, &header);
	if (panthor_perf_clock_mode_take_missed(session->clock_mode, &session->clock_changes))
		header.events |= DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED;

	/* The counters are dead, which is reported as a time-out whatever the first fault was. */
	if (status) {
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		header.events |= DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT;
	}

	if (session->ring.bad_extract) {
		header.events |= DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT;
		session->ring.bad_extract = false;
	}

	update_statistics(session, &header);
	write_sample_locked(session, &header, slot);
	trace_panthor_perf_publish(&sampler->fw, session->id, &header);
	begin_sample_locked(session);
	panthor_perf_ring_publish(&session->ring);

#ifdef PANTHOR_PERF_WITH_COMPACT
	if (!panthor_perf_ring_take_signal(&session->ring,
					   header.flags & DRM_PANTHOR_PERF_SAMPLE_FINAL))
		return;

#endif
	if (config->eventfd)
		eventfd_signal(config->eventfd);
}

/* End the START that is in progress, if any: put its power reference, and wake up its waiter. */
static void end_start_locked(struct panthor_perf_session *session, int status)
{
	struct panthor_perf_start_wait *wait = session->start_wait;

	if (!wait)
		return;

	session->start_wait = NULL;
	panthor_perf_hw_power_put(&session->sampler->fw);
	wait->status = status;
	complete(&wait->done);
}

static void start_periods_locked(struct panthor_perf_session *session)
{
	struct panthor_perf_sampler *sampler = session->sampler;

	if (!session->config.period_ns)
		return;

	session->point_ns = panthor_perf_grid_next(session->config.period_ns,
						   sampler->counts.end_mono_ns);
	panthor_perf_client_set_deadline_locked(sampler, &session->client, session->point_ns);
}

/* Count the periods that have ended by the end of the counts. */
static void count_periods_locked(struct panthor_perf_session *session)
{
	const u64 period = session->config.period_ns;
	const u64 end = session->sampler->counts.end_mono_ns;

	if (!period)
		return;

	session->unpublished += panthor_perf_grid_passed(period, session->point_ns, end);
	session->point_ns = panthor_perf_grid_next(period, end);
}

static void detach_locked(struct panthor_perf_session *session)
{
	/* Sessions hold their clock mode as long as they are attached. */
	if (!list_empty(&session->client.node))
		panthor_perf_clock_mode_put(session->clock_mode);
	panthor_perf_sampler_detach_locked(session->sampler, &session->client);
}

/* As all completions of requests, called with the sampler's lock held. */
static void start_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_session *session = container_of(req, typeof(*session), start);
	struct panthor_perf_sampler *sampler = session->sampler;

	if (status) {
		session->state = PANTHOR_PERF_SESSION_STOPPED;
		detach_locked(session);
		end_start_locked(session, status);
		return;
	}

	session->state = PANTHOR_PERF_SESSION_STARTED;
	session->sample_nr = 0;
	/* Drop the changes of the rate until now: they are not of the first sample. */
	panthor_perf_clock_mode_take_missed(session->clock_mode, &session->clock_changes);
	memcpy(session->snapshot.totals, sampler->counts.sum.totals,
	       panthor_perf_layout_values(sampler->fw.layout) * sizeof(u64));
	begin_sample_locked(session);
	/*
	 * Firmware acknowledged the request for the baseline without a sample: the first sample
	 * includes work from before START. The report of that was cleared just now.
	 */
	if (!sampler->counts.entries) {
		session->client.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		session->client.events |= DRM_PANTHOR_PERF_EVENT_FW_ERROR;
	}
	start_periods_locked(session);

	/* From here on only the sampler keeps the GPU powered. */
	end_start_locked(session, 0);
}

static const char *fence_driver_name(struct dma_fence *fence)
{
	return "panthor";
}

static const char *fence_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct panthor_perf_fence, base)->timeline;
}

#ifdef PANTHOR_PERF_FENCES_PIN_MODULE

/*
 * On this kernel a fence uses its operations after it was signalled, and a sync_file may keep it
 * after the file of the session was closed. So each fence has a reference to the module. RCU calls
 * this function with softirqs disabled: the unload of the module waits for its return.
 */
static void free_fence(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct panthor_perf_fence, base.rcu));
	module_put(THIS_MODULE);
}

static void fence_release(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, free_fence);
}

#endif

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = fence_driver_name,
	.get_timeline_name = fence_timeline_name,
#ifdef PANTHOR_PERF_FENCES_PIN_MODULE
	.release = fence_release,
#endif
};

static void signal_fence(struct panthor_perf_sample *sample)
{
	if (!sample->fence)
		return;

	if (sample->error)
		dma_fence_set_error(&sample->fence->base, sample->error);
	dma_fence_signal(&sample->fence->base);
}

/* When this function returns, the fence of the request does not call back any more. */
static void stop_waiting(struct panthor_perf_request *req)
{
	if (req->wait)
		dma_fence_remove_callback(req->wait, &req->wait_cb);
}

/* End a sample that is in the ring, or that will never be, and free it. */
static void end_sample_locked(struct panthor_perf_sample *sample)
{
	list_del(&sample->node);
	sample->session->pending_count--;
	list_del_init(&sample->req.node);
	stop_waiting(&sample->req);
	signal_fence(sample);
	panthor_perf_sample_free(sample);
}

static void sample_complete(struct panthor_perf_request *req, int status)
{
	struct panthor_perf_sample *sample = container_of(req, typeof(*sample), req);

	/* STOP has not waited for the fence of the request. */
	if (sample->error)
		sample->session->client.events |= DRM_PANTHOR_PERF_EVENT_CANCELLED;
	if (status == -ENODEV)
		sample->error = -ECANCELED;
	if (status != -ENODEV)
		publish_locked(sample->session, sample->user_data, status);

	end_sample_locked(sample);
}

/*
 * Complete the samples whose fences have not signalled, without a firmware sample of their own.
 * They are the last ones of @pending. Each has the end of the sample before it, which is queued or
 * was cancelled just now. If it is the first of @pending, it has the end of the newest completed
 * firmware request: a later end would change the times of other sessions.
 */
static void cancel_waiting_locked(struct panthor_perf_session *session)
{
	struct panthor_perf_request *req;

	while ((req = list_first_entry_or_null(&session->client.waiting, typeof(*req), node))) {
		struct panthor_perf_sample *sample = container_of(req, typeof(*sample), req);
		struct panthor_perf_request *before = NULL;

		if (!list_is_first(&sample->node, &session->pending))
			before = &list_prev_entry(sample, node)->req;

		sample->error = -ECANCELED;
		list_del_init(&req->node);
		stop_waiting(req);
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
		/* Half a period or more late: at most half of the current period is left. */
		if (session->point_ns - session->sampler->counts.end_mono_ns <=
		    session->config.period_ns / 2)
			session->client.events |= DRM_PANTHOR_PERF_EVENT_LATE;

		publish_locked(session, session->start_user_data, 0);
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
		/* The current period, which STOP ends early, counts as one more. */
		session->unpublished++;
		session->client.flags |= DRM_PANTHOR_PERF_SAMPLE_FINAL;
		publish_locked(session, session->stop_user_data, status);
	}

	session->state = PANTHOR_PERF_SESSION_STOPPED;
	detach_locked(session);
}

/**
 * panthor_perf_session_create() - Create a session
 * @sampler: Sampler. Must outlive the session.
 * @config: Validated configuration. The session copies it, and puts its eventfd when it is freed.
 *
 * The times of the session's samples are those of the calling task's time namespace.
 *
 * Before other calls can use the session, the caller initialises &panthor_perf_session.ring and
 * &panthor_perf_session.owner, and other members that it has a use for.
 *
 * Return: The session with one reference, or ERR_PTR(-ENOMEM).
 */
struct panthor_perf_session *
panthor_perf_session_create(struct panthor_perf_sampler *sampler,
			    const struct panthor_perf_session_config *config)
{
	const struct panthor_perf_layout *layout = sampler->fw.layout;
	static atomic_t next_id = ATOMIC_INIT(0);
	struct panthor_perf_session *session;
	struct timespec64 offset = {};

	session = kzalloc_obj(*session, GFP_KERNEL_ACCOUNT);
	if (!session)
		return ERR_PTR(-ENOMEM);

	session->snapshot.totals = kvcalloc(panthor_perf_layout_values(layout), sizeof(u64),
					    GFP_KERNEL_ACCOUNT);
	if (!session->snapshot.totals) {
		kfree(session);
		return ERR_PTR(-ENOMEM);
	}

	kref_init(&session->refcount);
	INIT_LIST_HEAD(&session->node);
	session->sampler = sampler;
	session->config = *config;
	session->sample_size = panthor_perf_select_size(layout);
	if (config->flags & DRM_PANTHOR_PERF_SETUP_COMPACT)
		session->sample_size = panthor_perf_select_compact_size(layout,
									session->config.masks);
#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
	/* Samples of the older interface always have all counters. */
	if (config->format)
		session->sample_size = config->format->size(layout);
#endif
	session->id = atomic_inc_return(&next_id);
	timens_add_monotonic(&offset);
	session->time_offset_ns = timespec64_to_ns(&offset);
	panthor_perf_client_init(&session->client);
	panthor_perf_request_init(&session->client.tick, tick_complete);
	panthor_perf_request_init(&session->start, start_complete);
	panthor_perf_request_init(&session->stop, stop_complete);
	session->start.client = &session->client;
	session->stop.client = &session->client;
	session->client.allows_suspend = config->flags & DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	INIT_LIST_HEAD(&session->pending);
#ifdef PANTHOR_PERF_WITH_SYNCS
	mutex_init(&session->sample_lock);
	session->fence_context = dma_fence_context_alloc(1);
#endif
	return session;
}

static void session_free(struct kref *kref)
{
	struct panthor_perf_session *session = container_of(kref, typeof(*session), refcount);

	if (session->config.eventfd)
		eventfd_ctx_put(session->config.eventfd);

	panthor_perf_ring_unmap(&session->ring);
#ifdef PANTHOR_PERF_WITH_SYNCS
	mutex_destroy(&session->sample_lock);
#endif
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
	if (session->state == needed)
		return 0;

	drm_dbg(session->sampler->fw.drm, "session %u is %s, not %s\n", session->id,
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
	int ret = check_state_locked(session, PANTHOR_PERF_SESSION_STOPPED);

	if (ret)
		return ret;

	if (!panthor_perf_ring_free_slots(&session->ring))
		return -EBUSY;

	ret = panthor_perf_sampler_check_locked(session->sampler);
	/* The resume of a suspended GPU restarts dead counters. */
	return ret == -EIO && session->sampler->suspended ? 0 : ret;
}

/**
 * panthor_perf_session_check_start() - Check whether a session may start, without the GPU's power
 * @session: Session.
 *
 * The caller checks before it takes a reference to the GPU's power: clients that repeat START with
 * dead counters then do not prevent the suspend after which counters are restarted.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_perf_session_check_start(struct panthor_perf_session *session)
{
	guard(panthor_perf_sampler)(session->sampler);
	return check_start_locked(session);
}

/**
 * panthor_perf_session_start() - Queue the request for the baseline
 * @session: Session.
 * @wait: START waiter for panthor_perf_session_start_wait(), which must follow on success.
 *
 * The caller holds a reference to the GPU's power. On success the session takes it over, and puts
 * it when START is completed.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_perf_session_start(struct panthor_perf_session *session,
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
	session->start_user_data = wait->user_data;
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
 * @session: Session.
 * @user_data: user_data of the sample.
 *
 * Return: The sample, or ERR_PTR(-ENOMEM).
 */
struct panthor_perf_sample *panthor_perf_sample_create(struct panthor_perf_session *session,
						       u64 user_data)
{
	struct panthor_perf_sample *sample = kzalloc_obj(*sample, GFP_KERNEL_ACCOUNT);

	if (!sample)
		return ERR_PTR(-ENOMEM);

	sample->session = session;
	sample->user_data = user_data;
	panthor_perf_request_init(&sample->req, sample_complete);
	sample->req.client = &session->client;
	sample->req.allows_suspend = session->client.allows_suspend;
	return sample;
}

/**
 * panthor_perf_sample_free() - Free a sample
 * @sample: Sample that is not queued.
 */
void panthor_perf_sample_free(struct panthor_perf_sample *sample)
{
#ifdef PANTHOR_PERF_WITH_SYNCS
	dma_fence_put(sample->req.wait);
	if (sample->fence)
		dma_fence_put(&sample->fence->base);
#endif
	kfree(sample);
}

/**
 * panthor_perf_sample_add_fence() - Add a fence that signals when the sample is in the ring
 * @sample: Sample, not queued yet. The caller holds &panthor_perf_session.sample_lock, and queues
 *          the sample before it releases the lock.
 *
 * As work waits for the fence, neither the sample nor those before it wait for the resume of a
 * suspended GPU.
 *
 * Return: The fence, which belongs to the sample, or ERR_PTR(-ENOMEM).
 */
struct dma_fence *panthor_perf_sample_add_fence(struct panthor_perf_sample *sample)
{
	struct panthor_perf_fence *fence = kzalloc_obj(*fence, GFP_KERNEL_ACCOUNT);
	struct panthor_perf_session *session = sample->session;

	lockdep_assert_held(&session->sample_lock);

	if (!fence)
		return ERR_PTR(-ENOMEM);

#ifdef PANTHOR_PERF_FENCES_PIN_MODULE
	__module_get(THIS_MODULE);
#endif
	/* Without ops.release(), the fence frees this structure, whose first field it is. */
	BUILD_BUG_ON(offsetof(struct panthor_perf_fence, base));
	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, &fence_ops, &fence->lock, session->fence_context,
		       ++session->fence_seqno);
	snprintf(fence->timeline, sizeof(fence->timeline), "perf-session-%u", session->id);
	sample->fence = fence;
	sample->req.allows_suspend = true;
	return &fence->base;
}

static int check_sample_locked(struct panthor_perf_session *session)
{
	int ret = check_state_locked(session, PANTHOR_PERF_SESSION_STARTED);

	if (ret)
		return ret;

#ifdef PANTHOR_PERF_WITH_PERIODS
	/* A session with a period has no samples but those of its periods. */
	if (session->config.period_ns)
		return -EINVAL;

#endif
	if (session->pending_count >= PANTHOR_PERF_MAX_PENDING)
		return -EBUSY;

	/* One slot for each pending sample, one for this one and one for the final one. */
	if (panthor_perf_ring_free_slots(&session->ring) < session->pending_count + 2)
		return -EBUSY;

	return 0;
}

/* Samples complete in order: if one must not wait for a resume, those before it must not either. */
static void hurry_samples_locked(struct panthor_perf_session *session,
				 const struct panthor_perf_sample *sample)
{
	struct panthor_perf_sample *earlier;

	if (!sample->fence)
		return;

	list_for_each_entry(earlier, &session->pending, node)
		earlier->req.allows_suspend = true;
}

/**
 * panthor_perf_session_sample() - Queue a sample
 * @session: Session.
 * @sample: Sample of panthor_perf_sample_create(). On success it belongs to the session, and may
 *          be published and freed when this call returns.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_perf_session_sample(struct panthor_perf_session *session,
				struct panthor_perf_sample *sample)
{
	int ret;

	guard(panthor_perf_sampler)(session->sampler);
	ret = check_sample_locked(session);
	if (ret)
		return ret;

	ret = panthor_perf_sampler_check_locked(session->sampler);
	/* The sample does not wait for the resume that restarts the counters. */
	if (ret == -EIO && session->sampler->suspended && sample->req.allows_suspend)
		ret = 0;
	if (ret)
		return ret;

	list_add_tail(&sample->node, &session->pending);
	session->pending_count++;
	hurry_samples_locked(session, sample);
	panthor_perf_sampler_request_locked(session->sampler, &sample->req);
	return 0;
}

/**
 * panthor_perf_session_stop() - Queue the final sample
 * @session: Session.
 * @user_data: user_data of the final sample.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_perf_session_stop(struct panthor_perf_session *session, u64 user_data)
{
	int ret;

	guard(panthor_perf_sampler)(session->sampler);
	ret = check_state_locked(session, PANTHOR_PERF_SESSION_STARTED);
	if (ret)
		return ret;

	/* Unplug kills the session next. */
	if (session->sampler->gone)
		return -ENODEV;

	/* Before the request is queued: the final sample is the last, and waits for no fence. */
	cancel_waiting_locked(session);

	session->state = PANTHOR_PERF_SESSION_STOPPING;
	session->stop_user_data = user_data;
	session->client.deadline_ns = PANTHOR_PERF_NEVER;
	/* If the GPU is suspended and the session allows that, this call publishes the sample. */
	session->stop.allows_suspend = session->client.allows_suspend;
	panthor_perf_sampler_finish_dead_locked(session->sampler, &session->stop);
	panthor_perf_sampler_request_locked(session->sampler, &session->stop);
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
 * Afterwards the kernel does not write to the user's memory any more, and the session has no
 * reference to the GPU's power.
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
	list_for_each_entry_safe(sample, next, &session->pending, node) {
		sample->error = -ECANCELED;
		end_sample_locked(sample);
	}
	detach_locked(session);
	end_start_locked(session, session->sampler->gone ? -ENODEV : -ENOENT);

	if (notify && session->config.eventfd)
		eventfd_signal(session->config.eventfd);
}
