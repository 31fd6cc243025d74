// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/ratelimit.h>

#include <drm/drm_print.h>
#include <drm/panthor_perf_drm.h>

#include "panthor_perf_hw.h"
#include "panthor_perf_sampler.h"
#include "panthor_perf_time.h"
#include "panthor_perf_trace.h"

/**
 * DOC: The sampler
 *
 * One sampler per GPU drains the firmware's ring and adds each sample's 32-bit
 * deltas to 64-bit running totals, once for any number of sessions.
 *
 * Only the worker accesses running firmware, but for the attach of a client with
 * another counter set, which disables the counters with the lock held. The
 * interrupt, clients and the worker's own deadlines queue the worker. The worker
 * takes steps until no step is possible, and never waits for an acknowledge. These
 * are the states of the sampler::
 *
 *	 OFF --first client--> ENABLING --ack--> ON
 *	  ^                                      |
 *	  +--ack-- DISABLING <--last client gone-+
 *
 *	 any but OFF --second failure in a row--> DEAD --resume or reset--> OFF
 *
 * A client that needs the totals as of now queues a request. The worker requests a
 * sample of the firmware when none is pending. Firmware requests are numbered, and
 * a client's request has the number of the first one that is made after it. So a
 * firmware sample that is pending already does not complete it, and a later one
 * completes all requests that were queued before.
 *
 * An acknowledge completes a firmware request, and makes the requests of clients up to its
 * number due. The worker completes MAX_COMPLETIONS of them in a step, and adds no sample to
 * the totals before all are complete. If an acknowledge comes without a sample, the next
 * step reads the ring once more. If there is still none, the next sample of every client has
 * ERROR.
 *
 * When an acknowledge has timed out, the worker disables and enables the counters,
 * and the next sample of every client has ERROR. After a second failure in a row
 * the sampler is dead: requests fail with -EIO. Counters never reset the GPU, since
 * any user could then cause resets. Instead a dead sampler puts the GPU's power. The
 * next resume or reset restarts the firmware and the counters.
 *
 * Suspend, reset and unplug set the blocked flag, wait until the worker is idle,
 * and then access the firmware themselves.
 */

/**
 * DOC: Requests that wait
 *
 * A request may wait for a fence. The callback of the fence queues the worker, which
 * moves the request to the others. It then gets its number, so that the firmware's
 * sample is requested after the fence has signalled.
 */

/**
 * DOC: Deadlines of clients
 *
 * A client with a period has a deadline, at which a request is queued for it.
 * One timer waits for the earliest deadline and only queues the worker. Requests
 * that are due together are served by the same firmware sample.
 *
 * The worker makes at most one firmware request in each interval of the shortest
 * period. All clients share it, with any number of periods and SAMPLE calls.
 */

/* Time after which a request to the firmware has timed out. */
#define ANSWER_TIMEOUT_MS		500

/* The same for hooks, which wait for the acknowledge. */
#define HOOK_TIMEOUT_MS			100

/* Interval of polling for an acknowledge, in case its interrupt is lost. */
#define POLL_INTERVAL_MS		100

/* Longest time without a request for a sample. FAST applies if counters may saturate in NEAR. */
#define WATCHDOG_MS			1000
#define WATCHDOG_FAST_MS		500
#define SATURATION_NEAR_MS		1500

/* Largest increment of a counter in one cycle. */
#define MAX_EVENTS_PER_CYCLE		4

/* Clock rate in Hz to assume if the platform does not report one. */
#define DEFAULT_MAX_RATE		1000000000UL

/* Failures in a row after which the sampler is dead. */
#define MAX_FAILURES			2

/* Steps after which the worker waits for a jiffy. */
#define MAX_STEPS			32

/* Requests that are completed in one hold of the lock. */
#define MAX_COMPLETIONS			32

/* Add flags and events to the next sample of each client. */
static void report_event_locked(struct panthor_perf_sampler *sampler, u32 flags, u32 events)
{
	struct panthor_perf_client *client;

	lockdep_assert_held(&sampler->lock);

	trace_panthor_perf_event(&sampler->fw, flags, events);
	list_for_each_entry(client, &sampler->clients, node) {
		client->flags |= flags;
		client->events |= events;
	}
}

static void queue_request_locked(struct panthor_perf_sampler *sampler,
				 struct panthor_perf_request *req)
{
	req->target = sampler->issued + 1;
	list_add_tail(&req->node, &sampler->requests);
}

/* Called with the fence's lock held: the sampler's lock cannot be taken here. */
static void wait_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct panthor_perf_request *req = container_of(cb, struct panthor_perf_request, wait_cb);

	panthor_perf_sampler_queue_work(req->sampler);
}

/*
 * Have the fence of a client's first waiting request call back. The others complete behind that one
 * and need no callback. Returns false if there is no fence, or if it has signalled.
 */
static bool start_waiting(struct panthor_perf_request *req)
{
	if (!req->wait || dma_fence_is_signaled(req->wait))
		return false;

	/*
	 * The callback is added once: its node is in the fence's list until the fence signals. The
	 * fence is marked before the list is emptied, so that no second callback can be added.
	 */
	return !list_empty(&req->wait_cb.node) ||
	       !dma_fence_add_callback(req->wait, &req->wait_cb, wait_signalled);
}

/* Queue the requests of all clients whose fences have signalled, in the order of the calls. */
static void queue_ready_locked(struct panthor_perf_sampler *sampler)
{
	struct panthor_perf_client *client;
	struct panthor_perf_request *req;

	list_for_each_entry(client, &sampler->clients, node) {
		while ((req = list_first_entry_or_null(&client->waiting, typeof(*req), node)) &&
		       !start_waiting(req)) {
			list_del(&req->node);
			queue_request_locked(sampler, req);
		}
	}
}

/*
 * Make all queued requests due, with an error. This counts as one more firmware request, which is
 * complete, since their targets are up to issued + 1. Later requests are not due.
 */
static void fail_requests_locked(struct panthor_perf_sampler *sampler, int status)
{
	panthor_perf_counts_end_now(&sampler->counts);
	sampler->done = ++sampler->issued;
	sampler->status = status;
}

/* Find the oldest request, if it needs no further answer of the firmware. */
static struct panthor_perf_request *find_due_locked(struct panthor_perf_sampler *sampler)
{
	struct panthor_perf_request *req =
		list_first_entry_or_null(&sampler->requests, typeof(*req), node);

	return req && req->target <= sampler->done ? req : NULL;
}

/*
 * Get the oldest request that is completed without a resume, and move the end of the totals to now
 * for it, as a suspended GPU counts nothing. It is completed before older ones of other clients.
 * Older ones of its own client allow suspend as well, or are the tick of a session, which the
 * session's final sample replaces.
 */
static struct panthor_perf_request *
next_in_suspend_locked(struct panthor_perf_sampler *sampler)
{
	struct panthor_perf_request *req;

	if (!sampler->suspended)
		return NULL;

	list_for_each_entry(req, &sampler->requests, node) {
		if (req->allows_suspend) {
			panthor_perf_counts_end_now(&sampler->counts);
			panthor_perf_states_off(&sampler->counts.states);
			return req;
		}
	}

	return NULL;
}

/*
 * Complete some of the requests that need no further answer of the firmware. They have the totals
 * of now, so no sample is added to the totals before all are complete. Returns true if there may be
 * more: the caller then releases the lock, since thousands of requests can be due at once.
 */
static bool complete_due_locked(struct panthor_perf_sampler *sampler)
{
	for (u32 count = 0; count < MAX_COMPLETIONS; count++) {
		struct panthor_perf_request *req = find_due_locked(sampler);

		/* All that were due are complete, and the status was theirs. */
		if (!req)
			sampler->status = 0;
		if (!req)
			req = next_in_suspend_locked(sampler);
		if (!req)
			return false;

		list_del_init(&req->node);
		req->complete(req, sampler->status);
	}

	return true;
}

/* For hooks: all requests that are due now. */
static void complete_due(struct panthor_perf_sampler *sampler)
{
	bool more;

	do {
		scoped_guard(panthor_perf_sampler, sampler)
			more = complete_due_locked(sampler);
	} while (more);
}

/* Queue the requests of all clients whose deadline has come. */
static void queue_ticks_locked(struct panthor_perf_sampler *sampler)
{
	struct panthor_perf_client *client;
	const u64 now_ns = ktime_get_ns();

	if (now_ns < sampler->tick_ns)
		return;

	sampler->tick_ns = PANTHOR_PERF_NEVER;
	list_for_each_entry(client, &sampler->clients, node) {
		if (client->deadline_ns <= now_ns) {
			client->deadline_ns = PANTHOR_PERF_NEVER;
			queue_request_locked(sampler, &client->tick);
		}
		sampler->tick_ns = min(sampler->tick_ns, client->deadline_ns);
	}
}

/* Check whether there are clients, and all allow a suspend. */
static bool clients_allow_suspend(const struct panthor_perf_sampler *sampler)
{
	const struct panthor_perf_client *client;

	list_for_each_entry(client, &sampler->clients, node) {
		if (!client->allows_suspend)
			return false;
	}

	return !list_empty(&sampler->clients);
}

/* Check whether the GPU has to stay powered for a client. */
static bool clients_keep_power(const struct panthor_perf_sampler *sampler)
{
	if (clients_allow_suspend(sampler))
		return false;

	return !list_empty(&sampler->clients);
}

static void power_get_locked(struct panthor_perf_sampler *sampler)
{
	if (!sampler->powered) {
		panthor_perf_hw_power_get_async(&sampler->fw);
		sampler->powered = true;
	}
}

static void power_put_locked(struct panthor_perf_sampler *sampler)
{
	if (sampler->powered) {
		sampler->powered = false;
		panthor_perf_hw_power_put(&sampler->fw);
	}
}

/*
 * Change the state, and set its deadline and the watchdog. A pending firmware request is dropped:
 * the requests of clients stay queued, and the next firmware request completes them.
 */
static void set_state_locked(struct panthor_perf_sampler *sampler,
			     enum panthor_perf_sampler_state state)
{
	/* Counters stop: all blocks are off. */
	if (sampler->state == PANTHOR_PERF_SAMPLER_ON)
		panthor_perf_states_off(&sampler->counts.states);
	if (state == PANTHOR_PERF_SAMPLER_ON) {
		sampler->enabled = true;
		panthor_perf_counts_on(&sampler->counts);
	}

	WRITE_ONCE(sampler->state, state);
	sampler->deadline = jiffies + msecs_to_jiffies(ANSWER_TIMEOUT_MS);
	sampler->watchdog = jiffies + sampler->watchdog_interval;
	sampler->fw_request = PANTHOR_PERF_FW_REQUEST_COMPLETE;
}

static void disable_locked(struct panthor_perf_sampler *sampler)
{
	panthor_perf_fw_disable(&sampler->fw);
	set_state_locked(sampler, PANTHOR_PERF_SAMPLER_DISABLING);
}

/*
 * The GPU may be suspended if the counters are dead. Without clients nothing changes: the sampler
 * keeps the GPU powered until the counters are disabled, see step_locked().
 */
static void update_power_locked(struct panthor_perf_sampler *sampler)
{
	if (sampler->state == PANTHOR_PERF_SAMPLER_DEAD)
		power_put_locked(sampler);
	else if (clients_keep_power(sampler))
		power_get_locked(sampler);

	/* The GPU may be suspended as well if all clients allow it. */
	if (clients_allow_suspend(sampler))
		power_put_locked(sampler);
}

/* Enable the counters, or disable them first if they are enabled: the worker enables them then. */
static void enable_locked(struct panthor_perf_sampler *sampler)
{
	update_power_locked(sampler);

	/* The client of this set uses the firmware itself. */
	if (sampler->counts.set == PANTHOR_PERF_RESERVED_SET)
		return;

	/* Firmware that has kept its state over a suspend may still be enabled. */
	if (!panthor_perf_fw_is_disabled(&sampler->fw)) {
		disable_locked(sampler);
		return;
	}

	panthor_perf_fw_configure(&sampler->fw, sampler->counts.set);
	panthor_perf_fw_enable(&sampler->fw);
	sampler->enabled = false;
	set_state_locked(sampler, PANTHOR_PERF_SAMPLER_ENABLING);
}

/* Have the next request wait until this interval ends. */
static void limit_requests_locked(struct panthor_perf_sampler *sampler)
{
	if (sampler->request_interval_ns)
		sampler->next_request_ns = panthor_perf_grid_next(sampler->request_interval_ns,
								  ktime_get_ns());
}

/*
 * Request a sample. None is pending. Firmware has to acknowledge it by the deadline. If no other
 * request follows by the time of the watchdog, the worker makes one, so that no counter saturates.
 */
static void request_sample_locked(struct panthor_perf_sampler *sampler)
{
	panthor_perf_counts_request(&sampler->counts);
	sampler->issued++;
	sampler->fw_request = PANTHOR_PERF_FW_REQUEST_PENDING;
	sampler->deadline = jiffies + msecs_to_jiffies(ANSWER_TIMEOUT_MS);
	sampler->watchdog = jiffies + sampler->watchdog_interval;
	limit_requests_locked(sampler);
	trace_panthor_perf_request(&sampler->fw, sampler->issued);
	panthor_perf_fw_request_sample(&sampler->fw);
}

/* Print all data for a report of the fault in one line. */
static void warn_locked(struct panthor_perf_sampler *sampler, u32 events)
{
	static DEFINE_RATELIMIT_STATE(limit, DEFAULT_RATELIMIT_INTERVAL, DEFAULT_RATELIMIT_BURST);
	const struct panthor_fw_global_iface *iface = sampler->fw.iface;

	if (!__ratelimit(&limit))
		return;

	drm_warn(sampler->fw.drm,
		 "firmware counters failed: events %#x state %d set %u request %llu completed %llu failures %u; GPU %#x version %#x size %#x features %#x req %#x ack %#x insert %u extract %u status %#x\n",
		 events, sampler->state, sampler->counts.set, sampler->issued, sampler->done,
		 sampler->failures, sampler->fw.layout->gpu_id,
		 READ_ONCE(iface->control->version), READ_ONCE(iface->control->perfcnt_size),
		 READ_ONCE(iface->control->perfcnt_features), READ_ONCE(iface->input->req),
		 READ_ONCE(iface->output->ack), READ_ONCE(iface->output->perfcnt_insert),
		 sampler->fw.extract, READ_ONCE(iface->output->perfcnt_status));
}

/* Counts are missing: restart the counters, or stop until a resume or a reset of the GPU. */
static void fail_locked(struct panthor_perf_sampler *sampler, u32 events)
{
	warn_locked(sampler, events);
	report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR, events);

	if (++sampler->failures < MAX_FAILURES) {
		disable_locked(sampler);
		return;
	}

	/* Firmware that is only late sees with the doorbell that counters are disabled. */
	panthor_perf_fw_drop_requests(&sampler->fw);
	panthor_perf_hw_doorbell(&sampler->fw);
	set_state_locked(sampler, PANTHOR_PERF_SAMPLER_DEAD);
	/* Dead counters are reported as a time-out, whatever the fault was. */
	report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
			    DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT);
	fail_requests_locked(sampler, -ETIMEDOUT);
	power_put_locked(sampler);
}

/* Firmware may have lost the counts of a sample without room in the ring, or may keep them. */
static void report_overflow_locked(struct panthor_perf_sampler *sampler, u32 answers)
{
	if (answers & PANTHOR_PERF_FW_OVERFLOW)
		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
				    DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW);
}

/* Drain the ring, and report faults of its samples. Returns the number of samples, or an error. */
static int drain_locked(struct panthor_perf_sampler *sampler)
{
	struct panthor_perf_counts *counts = &sampler->counts;
	int ret = panthor_perf_counts_read(counts);

	if (counts->saturated)
		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_OVERFLOW, 0);
	if (counts->core_off_lost)
		report_event_locked(sampler, 0, DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST);
	counts->saturated = false;
	counts->core_off_lost = false;
	return ret;
}

/* Complete the acknowledged firmware request. The ring is drained. */
static void complete_sample_locked(struct panthor_perf_sampler *sampler)
{
	/* An acknowledge shows that firmware runs, even one without a sample. */
	sampler->failures = 0;
	if (!sampler->counts.entries) {
		/* Not seen in practice. The next step reads the ring once more. */
		if (sampler->fw_request != PANTHOR_PERF_FW_REQUEST_EMPTY) {
			sampler->fw_request = PANTHOR_PERF_FW_REQUEST_EMPTY;
			return;
		}

		sampler->missing++;
		warn_locked(sampler, DRM_PANTHOR_PERF_EVENT_FW_ERROR);
		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
				    DRM_PANTHOR_PERF_EVENT_FW_ERROR);
	}

	sampler->fw_request = PANTHOR_PERF_FW_REQUEST_COMPLETE;
	sampler->done = sampler->issued;
	panthor_perf_counts_end_now(&sampler->counts);
	panthor_perf_counts_acknowledged(&sampler->counts);
}

static bool fw_request_is_pending(const struct panthor_perf_sampler *sampler)
{
	return sampler->fw_request != PANTHOR_PERF_FW_REQUEST_COMPLETE;
}

static bool needs_sample(struct panthor_perf_sampler *sampler)
{
	return !list_empty(&sampler->requests) ||
	       time_after_eq(jiffies, sampler->watchdog);
}

/*
 * Read acknowledges and events of the firmware, and drain the ring. Complete the firmware request
 * if it is acknowledged, else acknowledge the events. The caller has completed all due requests of
 * clients. Returns 1 if the request was acknowledged, 0 if not, or -EIO.
 */
static int handle_answers_locked(struct panthor_perf_sampler *sampler)
{
	const u32 answers = panthor_perf_fw_poll(&sampler->fw);
	int ret;

	report_overflow_locked(sampler, answers);

	/* The acknowledges were read first: the acknowledged samples are in the ring by now. */
	ret = drain_locked(sampler);
	if (ret < 0)
		return ret;

	/*
	 * Leave OVERFLOW pending. The next call acknowledges it and reports it once more, for the
	 * next sample: the firmware sample that found no room may be newer than this one.
	 */
	if (fw_request_is_pending(sampler) && (answers & PANTHOR_PERF_FW_SAMPLE_ACKED)) {
		complete_sample_locked(sampler);
		return 1;
	}

	if (!(answers & (PANTHOR_PERF_FW_THRESHOLD | PANTHOR_PERF_FW_OVERFLOW)))
		return 0;

	/*
	 * A pending request gets one new deadline, at the first OVERFLOW: firmware that reports it
	 * without end would move the deadline each time. Later events stay pending until the
	 * request is complete. Only firmware that takes back an acknowledge gets here with EMPTY.
	 */
	if (sampler->fw_request == PANTHOR_PERF_FW_REQUEST_DRAINED ||
	    sampler->fw_request == PANTHOR_PERF_FW_REQUEST_EMPTY)
		return 0;

	panthor_perf_fw_ack_events(&sampler->fw, answers);

	/* The ring has room now. A request that found none gets a new deadline. */
	if (answers & PANTHOR_PERF_FW_OVERFLOW && fw_request_is_pending(sampler)) {
		sampler->fw_request = PANTHOR_PERF_FW_REQUEST_DRAINED;
		sampler->deadline = jiffies + msecs_to_jiffies(ANSWER_TIMEOUT_MS);
	}

	return 0;
}

/* As step_locked(), with counters on. */
static bool step_on_locked(struct panthor_perf_sampler *sampler)
{
	int ret = handle_answers_locked(sampler);

	if (ret < 0) {
		fail_locked(sampler, DRM_PANTHOR_PERF_EVENT_FW_ERROR);
		return true;
	}

	/* The clients have this sample before another one is requested. */
	if (ret > 0)
		return true;

	/* Requests that are due together share a firmware sample. */
	queue_ticks_locked(sampler);

	if (fw_request_is_pending(sampler)) {
		if (time_before(jiffies, sampler->deadline))
			return false;

		fail_locked(sampler, DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT);
		return true;
	}

	if (list_empty(&sampler->clients)) {
		disable_locked(sampler);
		return true;
	}

	if (!needs_sample(sampler))
		return false;

#ifdef PANTHOR_PERF_WITH_PERIODS
	/* The timer is started for that time. */
	if (ktime_get_ns() < sampler->next_request_ns)
		return false;

#endif
	request_sample_locked(sampler);
	return true;
}

/* Take the next step that needs no waiting. Returns false if there is none. */
static bool step_locked(struct panthor_perf_sampler *sampler)
{
	bool acked;

	switch (sampler->state) {
	case PANTHOR_PERF_SAMPLER_OFF:
		if (list_empty(&sampler->clients)) {
			power_put_locked(sampler);
			return false;
		}

		if (sampler->counts.set == PANTHOR_PERF_RESERVED_SET)
			return false;

		enable_locked(sampler);
		return true;

	case PANTHOR_PERF_SAMPLER_ON:
		return step_on_locked(sampler);

	case PANTHOR_PERF_SAMPLER_DEAD:
		return false;

	case PANTHOR_PERF_SAMPLER_ENABLING:
	case PANTHOR_PERF_SAMPLER_DISABLING:
		acked = panthor_perf_fw_poll(&sampler->fw) & PANTHOR_PERF_FW_ENABLE_ACKED;
		if (!acked && time_before(jiffies, sampler->deadline))
			return false;

		if (!acked)
			fail_locked(sampler, DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT);
		else if (sampler->state == PANTHOR_PERF_SAMPLER_ENABLING)
			set_state_locked(sampler, PANTHOR_PERF_SAMPLER_ON);
		else
			set_state_locked(sampler, PANTHOR_PERF_SAMPLER_OFF);
		return true;
	}

	return false;
}

/*
 * Have the timer queue the worker at the earliest deadline of the clients, or at the end of the
 * interval in which a sample that is needed may not be requested.
 */
static void start_timer_locked(struct panthor_perf_sampler *sampler)
{
	u64 tick_ns = sampler->tick_ns;

	if (!fw_request_is_pending(sampler) && needs_sample(sampler))
		tick_ns = min(tick_ns, sampler->next_request_ns);

	if (tick_ns == PANTHOR_PERF_NEVER)
		hrtimer_try_to_cancel(&sampler->timer);
	else
		hrtimer_start(&sampler->timer, ns_to_ktime(tick_ns), HRTIMER_MODE_ABS);
}

/* Firmware may count from the enable to the acknowledge of the disable. */
static bool firmware_may_count(const struct panthor_perf_sampler *sampler)
{
	return sampler->state != PANTHOR_PERF_SAMPLER_OFF &&
	       sampler->state != PANTHOR_PERF_SAMPLER_DEAD;
}

/* Have the worker run at its next deadline. Interrupts and requests have it run earlier. */
static void arm_worker_locked(struct panthor_perf_sampler *sampler)
{
	const unsigned long now = jiffies;
	unsigned long next = now + msecs_to_jiffies(POLL_INTERVAL_MS);

	if (!firmware_may_count(sampler))
		return;

	if (sampler->state == PANTHOR_PERF_SAMPLER_ON)
		start_timer_locked(sampler);

	if (sampler->state == PANTHOR_PERF_SAMPLER_ON && !fw_request_is_pending(sampler))
		next = sampler->watchdog;
	else if (time_before(sampler->deadline, next))
		next = sampler->deadline;

	queue_delayed_work(sampler->wq, &sampler->work, time_after(next, now) ? next - now : 0);
}

/* Take one step, with the lock held for that step only. Returns false if there is none. */
static bool worker_step(struct panthor_perf_sampler *sampler)
{
	guard(panthor_perf_sampler)(sampler);
	queue_ready_locked(sampler);
	if (complete_due_locked(sampler))
		return true;

	/* Also while the GPU is suspended: perhaps nothing resumes it. */
	if (sampler->state == PANTHOR_PERF_SAMPLER_DEAD && !list_empty(&sampler->requests)) {
		fail_requests_locked(sampler, sampler->gone ? -ENODEV : -EIO);
		return true;
	}

	/* restart_locked() queues the worker again. */
	if (sampler->blocked)
		return false;

	update_power_locked(sampler);
	if (step_locked(sampler))
		return true;

	arm_worker_locked(sampler);
	return false;
}

static void sampler_work(struct work_struct *work)
{
	struct panthor_perf_sampler *sampler =
		container_of(work, struct panthor_perf_sampler, work.work);

	for (u32 steps = 0; steps < MAX_STEPS; steps++) {
		if (!worker_step(sampler))
			return;
		cond_resched();
	}

	queue_delayed_work(sampler->wq, &sampler->work, 1);
}

/* Runs in hard interrupt context: only the worker accesses the firmware. */
static enum hrtimer_restart sampler_timer(struct hrtimer *timer)
{
	panthor_perf_sampler_queue_work(container_of(timer, struct panthor_perf_sampler, timer));
	return HRTIMER_NORESTART;
}

/**
 * panthor_perf_sampler_queue_work() - Queue the worker now
 * @sampler: Sampler.
 *
 * Any context.
 */
void panthor_perf_sampler_queue_work(struct panthor_perf_sampler *sampler)
{
	mod_delayed_work(sampler->wq, &sampler->work, 0);
}

/**
 * panthor_perf_sampler_init() - Initialise a sampler
 * @sampler: Sampler, with &panthor_perf_sampler.fw initialised. All that this function does not set
 *           is zero or set by the caller.
 * @max_rate: Highest clock rate of the GPU in Hz, 0 if not known.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_sampler_init(struct panthor_perf_sampler *sampler, unsigned long max_rate)
{
	/* The shortest time in which a 32-bit counter may saturate. */
	const u64 events_per_s = (u64)(max_rate ?: DEFAULT_MAX_RATE) * MAX_EVENTS_PER_CYCLE;
	const u32 saturation_ms = div64_u64((u64)U32_MAX * MSEC_PER_SEC, events_per_s);

	if (panthor_perf_counts_init(&sampler->counts, &sampler->fw))
		return -ENOMEM;

	/*
	 * High priority: samples end when the worker reads them. A rescuer: reclaim may wait for
	 * fences of jobs, which wait for a reset, whose hooks wait for the worker.
	 */
	sampler->wq = alloc_ordered_workqueue("panthor-perf", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!sampler->wq) {
		panthor_perf_counts_fini(&sampler->counts);
		return -ENOMEM;
	}

	mutex_init(&sampler->lock);
	INIT_DELAYED_WORK(&sampler->work, sampler_work);
	INIT_LIST_HEAD(&sampler->clients);
	INIT_LIST_HEAD(&sampler->requests);
	sampler->tick_ns = PANTHOR_PERF_NEVER;
	hrtimer_setup(&sampler->timer, sampler_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	sampler->counts.saturation = msecs_to_jiffies(saturation_ms);
	sampler->watchdog_interval = msecs_to_jiffies(saturation_ms < SATURATION_NEAR_MS ?
						      WATCHDOG_FAST_MS : WATCHDOG_MS);
	return 0;
}

/**
 * panthor_perf_sampler_fini() - Free the resources of a sampler
 * @sampler: Sampler, unplugged and without clients.
 */
void panthor_perf_sampler_fini(struct panthor_perf_sampler *sampler)
{
	hrtimer_cancel(&sampler->timer);
	cancel_delayed_work_sync(&sampler->work);
	destroy_workqueue(sampler->wq);
	mutex_destroy(&sampler->lock);
	panthor_perf_counts_fini(&sampler->counts);
}

/*
 * The hooks of suspend, reset and unplug. They set the blocked flag, and then access the firmware
 * in place of the worker. The functions named *_blocked belong to them: they take the lock
 * themselves, and may wait for firmware while they do not hold it. Meanwhile the worker only
 * completes requests, so that the state is the hook's own.
 */

/*
 * Set the blocked flag, wait for the end of the worker or cancel it, and complete the requests that
 * it has left due, before the hook adds samples.
 */
static void block_worker(struct panthor_perf_sampler *sampler)
{
	scoped_guard(panthor_perf_sampler, sampler)
		WRITE_ONCE(sampler->blocked, true);

	/* The timer does not start again while the worker is blocked. */
	hrtimer_cancel(&sampler->timer);
	cancel_delayed_work_sync(&sampler->work);
	complete_due(sampler);
}

/*
 * Complete all due requests, then handle the firmware's answers. STOP may make further requests due
 * in between: they must not get the totals of later samples.
 */
static int handle_answers_blocked(struct panthor_perf_sampler *sampler)
{
	/* The lock is released in between. */
	for (;;) {
		guard(panthor_perf_sampler)(sampler);
		if (!complete_due_locked(sampler))
			return handle_answers_locked(sampler);
	}
}

/*
 * Wait until the pending request is complete. That may take several waits, each of which changes
 * the request's state: a full ring is drained, and a ring without a new sample is read once more.
 */
static int wait_sample_blocked(struct panthor_perf_sampler *sampler)
{
	enum panthor_perf_fw_request_state before;
	int ret;

	while (fw_request_is_pending(sampler)) {
		before = sampler->fw_request;
		/* The state says whether the wait has timed out. */
		panthor_perf_hw_wait(&sampler->fw, PANTHOR_PERF_FW_SAMPLE_ACKED, HOOK_TIMEOUT_MS);
		ret = handle_answers_blocked(sampler);
		if (ret < 0)
			return ret;

		if (sampler->fw_request == before)
			return -ETIMEDOUT;
	}

	return 0;
}

/* Take a last sample. A pending request is older, and completes first. */
static int take_last_sample_blocked(struct panthor_perf_sampler *sampler)
{
	int ret = wait_sample_blocked(sampler);

	/* A ring that was full has room now: firmware must know before the last request. */
	if (!ret)
		ret = handle_answers_blocked(sampler);
	if (ret < 0)
		return ret;

	scoped_guard(panthor_perf_sampler, sampler)
		request_sample_locked(sampler);
	return wait_sample_blocked(sampler);
}

/* Counting begins with the acknowledge, even if the worker has not read it yet. */
static void finish_enable_locked(struct panthor_perf_sampler *sampler)
{
	if (sampler->state == PANTHOR_PERF_SAMPLER_ENABLING &&
	    panthor_perf_fw_poll(&sampler->fw) & PANTHOR_PERF_FW_ENABLE_ACKED)
		set_state_locked(sampler, PANTHOR_PERF_SAMPLER_ON);
}

/*
 * Disable counters that may run with a bounded wait, withdraw the firmware requests and drain the
 * ring. Returns an error if firmware does not acknowledge the disable, or if samples are lost.
 */
static int disable_blocked(struct panthor_perf_sampler *sampler)
{
	int ret, drained = 0;

	if (!firmware_may_count(sampler))
		return 0;

	panthor_perf_fw_disable(&sampler->fw);
	ret = panthor_perf_hw_wait(&sampler->fw, PANTHOR_PERF_FW_ENABLE_ACKED, HOOK_TIMEOUT_MS);

	/* Complete all due requests first, as handle_answers_blocked() does. */
	for (;;) {
		guard(panthor_perf_sampler)(sampler);
		if (complete_due_locked(sampler))
			continue;

		report_overflow_locked(sampler, panthor_perf_fw_poll(&sampler->fw));
		panthor_perf_fw_drop_requests(&sampler->fw);
		/*
		 * Firmware may have added automatic samples. Those before its insert index are
		 * whole, even if it does not acknowledge the disable. Before it has acknowledged
		 * the enable, the index may still be that of the previous enable.
		 */
		if (sampler->enabled)
			drained = drain_locked(sampler);
		set_state_locked(sampler, PANTHOR_PERF_SAMPLER_OFF);
		return ret ?: min(drained, 0);
	}
}

/*
 * Block the worker, take a last sample of running counters, and disable them. If the disable times
 * out, firmware may still count after the resume, until enable_locked() disables the counters.
 */
static int stop_counters(struct panthor_perf_sampler *sampler)
{
	int ret = 0, stopped;

	block_worker(sampler);
	if (sampler->state == PANTHOR_PERF_SAMPLER_ENABLING)
		ret = panthor_perf_hw_wait(&sampler->fw, PANTHOR_PERF_FW_ENABLE_ACKED,
					   HOOK_TIMEOUT_MS);

	scoped_guard(panthor_perf_sampler, sampler)
		finish_enable_locked(sampler);
	if (sampler->state == PANTHOR_PERF_SAMPLER_ON)
		ret = take_last_sample_blocked(sampler);

	stopped = disable_blocked(sampler);
	return ret ?: stopped;
}

static void restart_locked(struct panthor_perf_sampler *sampler)
{
	/* After unplug the worker stays blocked. */
	if (sampler->gone)
		return;

	WRITE_ONCE(sampler->blocked, false);
	sampler->failures = 0;
	set_state_locked(sampler, PANTHOR_PERF_SAMPLER_OFF);
	/*
	 * A session that took a sample during the suspend has had the OFF that the suspend
	 * recorded. Its next sample begins in the suspend: record another one.
	 */
	if (sampler->suspended)
		panthor_perf_states_off(&sampler->counts.states);
	sampler->suspended = false;

	/* Enable counters here and not in the worker, so that jobs that follow are counted. */
	if (!list_empty(&sampler->clients)) {
		/*
		 * Firmware that has kept its state over the suspend is still enabled. It is
		 * disabled first, and the counts up to then are lost.
		 */
		if (!panthor_perf_fw_is_disabled(&sampler->fw))
			report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
					    DRM_PANTHOR_PERF_EVENT_FW_ERROR);
		enable_locked(sampler);
	}

	panthor_perf_sampler_queue_work(sampler);
}

static void suspend_locked(struct panthor_perf_sampler *sampler, int ret)
{
	report_event_locked(sampler, 0, DRM_PANTHOR_PERF_EVENT_SUSPEND);
	if (sampler->state == PANTHOR_PERF_SAMPLER_DEAD) {
		/* Jobs were not counted since the counters died. */
		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
				    DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT);
		/* The worker completes what is left: perhaps nothing resumes the GPU. */
		panthor_perf_sampler_queue_work(sampler);
	}
	if (ret) {
		u32 event = ret == -ETIMEDOUT ? DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT :
						DRM_PANTHOR_PERF_EVENT_FW_ERROR;

		warn_locked(sampler, event);
		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR, event);
	}
	if (list_empty(&sampler->clients))
		power_put_locked(sampler);
	sampler->suspended = true;
	/* A fence may have queued the worker that block_worker() has cancelled. */
	queue_ready_locked(sampler);
}

/**
 * panthor_perf_sampler_suspend() - Stop the counters before the firmware is halted
 * @sampler: Sampler.
 * @reset: The GPU is to be reset, at its resume: its firmware may hang.
 *
 * Takes a last sample, unless @reset is set. Waits a bounded time, with @reset not at all.
 */
void panthor_perf_sampler_suspend(struct panthor_perf_sampler *sampler, bool reset)
{
	int ret = 0;

	if (reset)
		panthor_perf_sampler_pre_reset(sampler);
	else
		ret = stop_counters(sampler);

	scoped_guard(panthor_perf_sampler, sampler)
		suspend_locked(sampler, ret);
	complete_due(sampler);
}

/**
 * panthor_perf_sampler_pre_reset() - Stop access to the firmware before a reset
 * @sampler: Sampler.
 *
 * Drains the ring. Does not wait for the firmware, which may hang.
 */
void panthor_perf_sampler_pre_reset(struct panthor_perf_sampler *sampler)
{
	block_worker(sampler);
	/* Complete all due requests first, as handle_answers_blocked() does. */
	for (;;) {
		guard(panthor_perf_sampler)(sampler);
		if (complete_due_locked(sampler))
			continue;

		if (firmware_may_count(sampler)) {
			finish_enable_locked(sampler);
			if (sampler->state == PANTHOR_PERF_SAMPLER_ON)
				drain_locked(sampler);

			report_overflow_locked(sampler, panthor_perf_fw_poll(&sampler->fw));
			panthor_perf_fw_drop_requests(&sampler->fw);
			set_state_locked(sampler, PANTHOR_PERF_SAMPLER_OFF);
		}

		report_event_locked(sampler, DRM_PANTHOR_PERF_SAMPLE_ERROR,
				    DRM_PANTHOR_PERF_EVENT_RESET);
		return;
	}
}

/**
 * panthor_perf_sampler_restart() - Restart the counters after a resume or a reset
 * @sampler: Sampler.
 * @failed: The firmware does not run.
 *
 * Does not wait.
 */
void panthor_perf_sampler_restart(struct panthor_perf_sampler *sampler, bool failed)
{
	scoped_guard(panthor_perf_sampler, sampler) {
		if (failed) {
			/* The sampler stays blocked until a resume that works, or unplug. */
			set_state_locked(sampler, PANTHOR_PERF_SAMPLER_DEAD);
			fail_requests_locked(sampler, -EIO);
		} else {
			restart_locked(sampler);
		}
	}
	complete_due(sampler);
}

/**
 * panthor_perf_sampler_unplug() - Stop the counters for good
 * @sampler: Sampler.
 *
 * All pending requests fail with -ENODEV. Waits a bounded time. Firmware may write to its ring
 * until the MCU stops.
 */
void panthor_perf_sampler_unplug(struct panthor_perf_sampler *sampler)
{
	/* The worker may fail requests as soon as the state is DEAD. */
	scoped_guard(panthor_perf_sampler, sampler)
		sampler->gone = true;
	block_worker(sampler);
	disable_blocked(sampler);

	scoped_guard(panthor_perf_sampler, sampler) {
		set_state_locked(sampler, PANTHOR_PERF_SAMPLER_DEAD);
		fail_requests_locked(sampler, -ENODEV);
		power_put_locked(sampler);
	}
	complete_due(sampler);
}

/**
 * panthor_perf_sampler_check_locked() - Check whether the counters run, or will
 * @sampler: Sampler, whose lock is held.
 *
 * Return: 0; -EIO if the counters are dead; -ENODEV if the GPU is gone.
 */
int panthor_perf_sampler_check_locked(const struct panthor_perf_sampler *sampler)
{
	lockdep_assert_held(&sampler->lock);

	if (sampler->gone)
		return -ENODEV;

	return sampler->state == PANTHOR_PERF_SAMPLER_DEAD ? -EIO : 0;
}

/**
 * panthor_perf_sampler_attach_locked() - Attach a client, enable the counters if needed
 * @sampler: Sampler, whose lock is held.
 * @client: Detached client.
 * @set: Counter set.
 *
 * The caller holds a reference to the GPU's power. The sampler keeps the GPU powered while the
 * client is attached, unless the counters are dead.
 *
 * Return: 0; -EBUSY if another client uses another set, or did so when the GPU began to suspend or
 * reset; -EIO if the counters are dead; -ENODEV if the GPU is gone.
 */
int panthor_perf_sampler_attach_locked(struct panthor_perf_sampler *sampler,
				       struct panthor_perf_client *client, u32 set)
{
	int ret = panthor_perf_sampler_check_locked(sampler);

	/* The resume of a suspended GPU restarts dead counters. */
	if (ret == -EIO && sampler->suspended && client->allows_suspend)
		ret = 0;
	if (ret)
		return ret;

	if (set != sampler->counts.set) {
		const bool running = sampler->state == PANTHOR_PERF_SAMPLER_ENABLING ||
				     sampler->state == PANTHOR_PERF_SAMPLER_ON;

		/* A hook that has blocked the worker takes the last sample of the other set. */
		if (!list_empty(&sampler->clients) || (running && sampler->blocked))
			return -EBUSY;

		sampler->counts.set = set;
		if (running)
			disable_locked(sampler);
	}

	client->flags = 0;
	client->events = 0;
	list_add_tail(&client->node, &sampler->clients);
	update_power_locked(sampler);
	panthor_perf_sampler_queue_work(sampler);
	return 0;
}

/**
 * panthor_perf_request_init() - Initialise a request
 * @req: Request.
 * @complete: Called at completion, see &struct panthor_perf_request.
 *
 * The caller may set other members afterwards.
 */
void panthor_perf_request_init(struct panthor_perf_request *req,
			       void (*complete)(struct panthor_perf_request *req, int status))
{
	*req = (struct panthor_perf_request) {
		.node = LIST_HEAD_INIT(req->node),
		.wait_cb.node = LIST_HEAD_INIT(req->wait_cb.node),
		.complete = complete,
	};
}

/**
 * panthor_perf_client_init() - Initialise a client
 * @client: Client, detached afterwards. The caller may set other members.
 */
void panthor_perf_client_init(struct panthor_perf_client *client)
{
	*client = (struct panthor_perf_client) {
		.node = LIST_HEAD_INIT(client->node),
		.waiting = LIST_HEAD_INIT(client->waiting),
		.deadline_ns = PANTHOR_PERF_NEVER,
		.tick.node = LIST_HEAD_INIT(client->tick.node),
	};
}

/**
 * panthor_perf_client_set_deadline_locked() - Queue the client's tick at a deadline
 * @sampler: Sampler, whose lock is held.
 * @client: Attached client, whose tick is initialised and not pending.
 * @deadline_ns: CLOCK_MONOTONIC, or %PANTHOR_PERF_NEVER.
 *
 * To be called when a request is completed: the worker starts the timer at the end of its steps. It
 * queues the tick at once if the deadline has passed, or after a suspend or a reset if the deadline
 * passes during it.
 */
void panthor_perf_client_set_deadline_locked(struct panthor_perf_sampler *sampler,
					     struct panthor_perf_client *client, u64 deadline_ns)
{
	lockdep_assert_held(&sampler->lock);

	client->deadline_ns = deadline_ns;
	sampler->tick_ns = min(sampler->tick_ns, deadline_ns);
}

/**
 * panthor_perf_client_clear_deadline_locked() - Remove the client's deadline, and its tick
 * @client: Client. The sampler's lock is held.
 */
void panthor_perf_client_clear_deadline_locked(struct panthor_perf_client *client)
{
	client->deadline_ns = PANTHOR_PERF_NEVER;
	list_del_init(&client->tick.node);
}

/**
 * panthor_perf_sampler_detach_locked() - Detach a client, disable the counters without clients
 * @sampler: Sampler, whose lock is held.
 * @client: Client, attached or not.
 */
void panthor_perf_sampler_detach_locked(struct panthor_perf_sampler *sampler,
					struct panthor_perf_client *client)
{
	lockdep_assert_held(&sampler->lock);

	list_del_init(&client->node);
	panthor_perf_client_clear_deadline_locked(client);
	if (clients_keep_power(sampler))
		return;

	/*
	 * The worker disables the counters, and puts the power then. While it is blocked, a hook
	 * disables them, and the GPU keeps its power until the hook is done.
	 */
	if (sampler->blocked)
		power_put_locked(sampler);
	panthor_perf_sampler_queue_work(sampler);
}

/**
 * panthor_perf_sampler_request_locked() - Request the totals as of now or later
 * @sampler: Sampler, whose lock is held.
 * @req: Request that is not pending, of an attached client.
 *
 * A firmware sample that is requested after this call completes the request.
 */
void panthor_perf_sampler_request_locked(struct panthor_perf_sampler *sampler,
					 struct panthor_perf_request *req)
{
	lockdep_assert_held(&sampler->lock);

#ifdef PANTHOR_PERF_WITH_SYNCS
	req->sampler = sampler;
	queue_ready_locked(sampler);
	if (!list_empty(&req->client->waiting) || start_waiting(req)) {
		list_add_tail(&req->node, &req->client->waiting);
		return;
	}

#endif
	queue_request_locked(sampler, req);
#ifdef PANTHOR_PERF_WITH_SUSPEND
	/* One that allows suspend need not wait for the worker, which completes what is left. */
	complete_due_locked(sampler);
#endif
	panthor_perf_sampler_queue_work(sampler);
}

/**
 * panthor_perf_sampler_finish_dead_locked() - Let a client of dead counters end without a resume
 * @sampler: Sampler, whose lock is held.
 * @req: Request for the end of the client, which is not queued yet.
 *
 * If the counters are dead, @req and the client's requests before it allow suspend afterwards, as
 * perhaps nothing resumes the GPU. Otherwise nothing changes.
 */
void panthor_perf_sampler_finish_dead_locked(struct panthor_perf_sampler *sampler,
					     struct panthor_perf_request *req)
{
	struct panthor_perf_request *other;

	lockdep_assert_held(&sampler->lock);

	if (sampler->state != PANTHOR_PERF_SAMPLER_DEAD)
		return;

	req->allows_suspend = true;
	list_for_each_entry(other, &sampler->requests, node) {
		/* A tick, which has no client, is merged into the final sample. */
		if (other->client == req->client)
			other->allows_suspend = true;
	}
}

/**
 * panthor_perf_sampler_request_cancelled_locked() - Complete a request without a firmware sample
 * @sampler: Sampler, whose lock is held.
 * @req: Request that is not pending, of an attached client.
 * @before: Request of the same client behind which @req completes, queued or cancelled before, or
 *          NULL.
 *
 * The request ends where @before ends, or with the newest completed firmware request, and has the
 * totals that there are then. The worker completes it, or the next call that queues a request.
 */
void panthor_perf_sampler_request_cancelled_locked(struct panthor_perf_sampler *sampler,
						   struct panthor_perf_request *req,
						   struct panthor_perf_request *before)
{
	lockdep_assert_held(&sampler->lock);

	req->sampler = sampler;
	req->target = before ? before->target : sampler->done;
	list_add(&req->node, before ? &before->node : &sampler->requests);
	panthor_perf_sampler_queue_work(sampler);
}
