// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The order of work and samples.
 *
 * All submissions to a GPU, of all queues and devices of the process, take turns on one timeline:
 * that of the sampler, which each device has as a semaphore. With the timeline at point n:
 *
 *	an empty submission	waits for n, and for the application's semaphores; signals n + 1
 *	a sample		waits for n + 1; signals n + 2
 *	the unit		waits for n + 2; signals n + 3, and the application's semaphores
 *	a sample		waits for n + 3; signals n + 4: the unit's row
 *
 * The first sample is left out if the one of the unit before is still to come: then it is also the
 * one before this unit. The empty submission is left out if there is nothing to wait for. No CPU
 * takes part.
 *
 * A thread hands submissions to the driver. One that waits for a point of a timeline semaphore that
 * no submission signals yet gets no turn, because it may wait for those behind it; the first one of
 * another queue has its turn. So the calls of the application return at once.
 */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

#include "driver.h"
#include "gpu.h"
#include "layer.h"
#include "sampler.h"
#include "semaphores.h"
#include "settings.h"

#define FINISH_S		5
/* Period of the checks for a point that another process or device signals. */
#define SHARED_MS		1
/* The application waits no longer than that until the driver has what others wait for. */
#define SHARED_S		1
#define MAX_LABEL		1024
/* Of gpu_wait_some(). */
#define SOME_NS			1000000
#define NS_PER_S		1000000000

/**
 * struct gpu - a GPU that is profiled
 */
struct gpu {
	/** @next: Next of the process. */
	struct gpu *next;

	/** @major: Number of its render node. */
	int64_t major;

	/** @minor: Number of its render node. */
	int64_t minor;

	/** @owner: The process. */
	pid_t owner;

	/** @sampler: Its counters and its timeline. Of the thread. */
	struct sampler *sampler;

	/** @wake: An eventfd that wakes the thread. */
	int wake;

	/** @thread: The thread. */
	pthread_t thread;

	/** @devices_lock: No device is added or removed. Taken before @lock. */
	pthread_mutex_t devices_lock;

	/** @lock: Guards all that follows, and the semaphores and queues of devices. */
	pthread_mutex_t lock;

	/** @done: A submission was handed to the driver. */
	pthread_cond_t done;

	/** @ends: The thread is to end. */
	bool ends;

	/** @locks: Holders of the profiling lock. */
	unsigned int locks;

	/** @lock_wanted: The thread is to start counting, for so many that wait on @done. */
	unsigned int lock_wanted;

	/** @lock_held: It counts for holders of the lock. */
	bool lock_held;

	/** @ordered: Submissions that are not profiled must wait for the timeline, too. */
	bool ordered;

	/** @devices: Devices of the application. Changed only with @devices_lock. */
	struct device *devices;

	/** @device_count: Devices that were added, ever. */
	unsigned int device_count;

	/** @first: Submissions that the driver does not have yet, the oldest first. */
	struct submission *first;

	/** @last: Where the next one is linked. */
	struct submission **last;

	/** @current: The one that the thread hands to the driver. */
	struct submission *current;
};

static pthread_mutex_t gpus_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu *gpus;

/** submission_free() - Free a submission. */
void submission_free(struct submission *submission)
{
	for (uint32_t i = 0; i < submission->work_count; i++)
		free(submission->works[i].label);
	free(submission->label);
	query_events_clear(&submission->query_events);
	free(submission);
}

static void wake(struct gpu *gpu)
{
	eventfd_write(gpu->wake, 1);
}

/* ---- Semaphores of the application ---- */

/** gpu_add_semaphore() - The application has created a timeline semaphore. */
void gpu_add_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle, uint64_t value)
{
	pthread_mutex_lock(&gpu->lock);
	semaphores_add(&device->semaphores, handle, value);
	pthread_mutex_unlock(&gpu->lock);
}

/** gpu_remove_semaphore() - The application destroys a semaphore. */
void gpu_remove_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle)
{
	pthread_mutex_lock(&gpu->lock);
	semaphores_remove(&device->semaphores, sampler_node(gpu->sampler), handle);
	pthread_mutex_unlock(&gpu->lock);
}

/** gpu_share_semaphore() - A semaphore is imported or exported as @fd: others may signal it. */
void gpu_share_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle, int fd)
{
	pthread_mutex_lock(&gpu->lock);
	semaphores_share(&device->semaphores, sampler_node(gpu->sampler), handle, fd);
	pthread_mutex_unlock(&gpu->lock);
	wake(gpu);
}

/** gpu_signalled() - The application has signalled a point of a timeline semaphore. */
void gpu_signalled(struct gpu *gpu, struct device *device, VkSemaphore handle, uint64_t value)
{
	pthread_mutex_lock(&gpu->lock);
	semaphores_promise(&device->semaphores, handle, value);
	pthread_mutex_unlock(&gpu->lock);
	wake(gpu);
}

static void submitted_locked(const struct submission *submission)
{
	query_events_run(&submission->query_events);
	for (uint32_t i = 0; i < submission->signal_count; i++)
		semaphores_promise(&submission->queue->device->semaphores,
				   submission->signals[i].semaphore, submission->signals[i].value);
}

/** gpu_submitted() - The driver has got a submission by the application's own call. */
void gpu_submitted(struct gpu *gpu, const struct submission *submission)
{
	pthread_mutex_lock(&gpu->lock);
	submitted_locked(submission);
	pthread_mutex_unlock(&gpu->lock);
	wake(gpu);
}

/* ---- Which submission is next ---- */

static bool signals(const struct submission *submission, VkSemaphore semaphore)
{
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		if (submission->signals[i].semaphore == semaphore)
			return true;
	}
	return false;
}

/*
 * Does a submission signal a binary semaphore, which came before @submission and is not handed to
 * the driver?
 */
static bool comes_later(const struct gpu *gpu, const struct submission *submission,
			VkSemaphore semaphore)
{
	for (const struct submission *at = gpu->first; at && at != submission; at = at->next) {
		if (at->queue->device == submission->queue->device && signals(at, semaphore))
			return true;
	}
	return false;
}

/* *@shared is set if it waits for what others may signal. */
static bool is_ready(struct gpu *gpu, const struct submission *submission, bool *shared)
{
	struct device *device = submission->queue->device;

	for (uint32_t i = 0; i < submission->wait_count; i++) {
		const struct semaphore_op *op = &submission->waits[i];

		switch (semaphores_state(&device->semaphores, sampler_node(gpu->sampler),
					 op->semaphore, op->value)) {
		case SEMAPHORE_BINARY:
			if (comes_later(gpu, submission, op->semaphore))
				return false;
			break;
		case SEMAPHORE_PROMISED:
			break;
		case SEMAPHORE_OPEN_SHARED:
			*shared = true;
			return false;
		case SEMAPHORE_OPEN:
			return false;
		}
	}
	return true;
}

/* Takes the first submission that can be handed to the driver. */
static struct submission *take(struct gpu *gpu, bool *shared)
{
	struct submission *at, **link;

	for (at = gpu->first; at; at = at->next)
		at->queue->blocked = false;
	for (link = &gpu->first; *link; link = &(*link)->next) {
		at = *link;
		if (!at->queue->blocked && is_ready(gpu, at, shared)) {
			*link = at->next;
			if (!*link)
				gpu->last = link;
			gpu->current = at;
			return at;
		}
		at->queue->blocked = true;
	}
	return NULL;
}

/* ---- What the driver gets ---- */

/*
 * Hands a part of a submission to the driver. @ordered: it waits for the last point of the
 * timeline, and @signal: it signals the next one.
 */
static bool submit(struct gpu *gpu, const struct submission *submission, bool ordered, bool signal,
		   uint32_t wait_count, const struct work *works, uint32_t work_count,
		   uint32_t signal_count, VkFence fence)
{
	const uint64_t point = sampler_point(gpu->sampler);
	struct queue *queue = submission->queue;
	struct device *device = queue->device;
	struct semaphore_op *ops = calloc(wait_count + signal_count + 2, sizeof(*ops));
	struct semaphore_op *behind = ops + wait_count + 1;
	VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;

	if (ops) {
		for (uint32_t i = 0; i < wait_count; i++)
			ops[i] = submission->waits[i];
		for (uint32_t i = 0; i < signal_count; i++)
			behind[i] = submission->signals[i];
		if (ordered && point)
			ops[wait_count++] = (struct semaphore_op) {
				device->timeline, point, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			};
		if (signal)
			behind[signal_count++] = (struct semaphore_op) {
				device->timeline, point + 1, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			};
		result = driver_submit(queue, submission->version2, ops, wait_count, works,
				       work_count, behind, signal_count, fence);
	}
	free(ops);
	if (result == VK_SUCCESS) {
		if (signal)
			sampler_advance(gpu->sampler);
		return true;
	}
	if (device->lost == VK_SUCCESS) {
		say("queue %u: the driver refuses a submission (VkResult %d)", queue->number,
		    result);
		device->lost = result;
	}
	return false;
}

/* What queues have in no order comes first: the end of each is a point of the timeline. */
static bool order_queues(struct gpu *gpu)
{
	struct submission nothing = { 0 };
	bool any = false;

	pthread_mutex_lock(&gpu->devices_lock);
	for (struct device *device = gpu->devices; device; device = device->gpu_next) {
		struct queue *queue;

		/* Queues are added in front of the first one, and stay as long as the device. */
		pthread_mutex_lock(&device->lock);
		queue = device->queues;
		pthread_mutex_unlock(&device->lock);
		for (; queue; queue = queue->next) {
			bool unordered;

			pthread_mutex_lock(&gpu->lock);
			unordered = queue->unordered;
			queue->unordered = false;
			pthread_mutex_unlock(&gpu->lock);
			nothing.queue = queue;
			any |= unordered &&
			       submit(gpu, &nothing, true, true, 0, NULL, 0, 0, VK_NULL_HANDLE);
		}
	}
	pthread_mutex_unlock(&gpu->devices_lock);
	return any;
}

static void append(char *text, size_t size, const char *separator, const char *label)
{
	const size_t length = strlen(text);

	snprintf(text + length, size - length, "%s%s", length ? separator : "", label);
}

/* The labels of a unit: those of the queue, and those of the command buffers in it. */
static void label_of(const struct submission *submission, uint32_t first, uint32_t count,
		     char *text, size_t size)
{
	const char *separator = "/", *before = NULL;

	snprintf(text, size, "%s", submission->label ? submission->label : "");
	for (uint32_t i = first; i < first + count; i++) {
		const char *label = submission->works[i].label;

		if (!label || (before && !strcmp(label, before)))
			continue;
		append(text, size, separator, label);
		separator = " + ";
		before = label;
	}
	if (!*text)
		snprintf(text, size, "(no label)");
}

/* The end of the unit that begins at a command buffer. *@counted: it has a row. */
static uint32_t unit_end(const struct submission *submission, uint32_t first, bool *counted)
{
	const enum unit_kind unit = settings_get()->unit;
	uint32_t end = first;

	if (settings_get()->mode == MODE_QUERIES) {
		/* A query is not suspended: what is joined has none. */
		*counted = submission->works[first].query.pool;
		do {
			end++;
		} while (end < submission->work_count && submission->works[end - 1].joined);
		return end;
	}
	*counted = unit != UNIT_WORKLOAD;
	do {
		*counted |= submission->works[end].works;
		end++;
	} while (end < submission->work_count &&
		 (unit == UNIT_SUBMISSION || submission->works[end - 1].joined));
	return end;
}

/* A queue has work behind the last sample. */
static void order_later(struct gpu *gpu, struct queue *queue)
{
	pthread_mutex_lock(&gpu->lock);
	queue->unordered = true;
	pthread_mutex_unlock(&gpu->lock);
}

/* Hands a submission to the driver, with samples between its units. */
static void submit_profiled(struct gpu *gpu, const struct submission *submission)
{
	const struct queue *queue = submission->queue;
	bool sample_before = order_queues(gpu), counted;
	uint32_t first, end;

	if (submission->wait_count) {
		sample_before = true;
		if (!submit(gpu, submission, true, true, submission->wait_count, NULL, 0, 0,
			    VK_NULL_HANDLE))
			return;
	}
	/*
	 * If the sample of the unit before is still to come, it is also the one before this unit.
	 */
	sample_before |= sampler_is_reached(gpu->sampler);
	for (first = 0; first < submission->work_count; first = end) {
		char label[MAX_LABEL];
		uint64_t unit;
		bool last;

		end = unit_end(submission, first, &counted);
		last = end == submission->work_count;
		if (counted && sample_before && !sampler_is_broken(gpu->sampler))
			sampler_sample(gpu->sampler, NO_UNIT);
		if (!submit(gpu, submission, true, true, 0, &submission->works[first], end - first,
			    last ? submission->signal_count : 0,
			    last ? submission->fence : VK_NULL_HANDLE))
			return;
		if (counted)
			query_running(&submission->works[first].query, sampler_point(gpu->sampler));
		sample_before = !counted;
		if (!counted || sampler_is_broken(gpu->sampler))
			continue;
		label_of(submission, first, end - first, label, sizeof(label));
		unit = sampler_add_unit(gpu->sampler, label, submission->frame,
					queue->device->number, queue->number,
					&submission->works[first].query);
		sampler_sample(gpu->sampler, unit);
	}
	/*
	 * The next submission has to begin with a sample: this one had something behind the last.
	 */
	if (sample_before)
		order_later(gpu, submission->queue);
}

static void run(struct gpu *gpu, const struct submission *submission)
{
	if (submission->profiled && submission->work_count && !sampler_is_broken(gpu->sampler) &&
	    sampler_start(gpu->sampler)) {
		submit_profiled(gpu, submission);
	} else {
		if (submission->work_count)
			order_later(gpu, submission->queue);
		submit(gpu, submission, submission->work_count, false, submission->wait_count,
		       submission->works, submission->work_count, submission->signal_count,
		       submission->fence);
	}
	if (sampler_is_started(gpu->sampler))
		sampler_read(gpu->sampler, 0);
}

/* Without a sample they have no result. */
static void fail_queries(const struct submission *submission)
{
	for (uint32_t i = 0; i < submission->work_count; i++) {
		if (submission->works[i].query.pool)
			query_fail(&submission->works[i].query);
	}
}

static void run_and_free(struct gpu *gpu, struct submission *submission)
{
	run(gpu, submission);
	if (sampler_is_broken(gpu->sampler) || !sampler_is_started(gpu->sampler) ||
	    submission->queue->device->lost != VK_SUCCESS)
		fail_queries(submission);
	pthread_mutex_lock(&gpu->lock);
	submitted_locked(submission);
	submission->queue->pending--;
	gpu->current = NULL;
	gpu->ordered = sampler_point(gpu->sampler);
	pthread_cond_broadcast(&gpu->done);
	pthread_mutex_unlock(&gpu->lock);
	submission_free(submission);
}

static void start_for_lock(struct gpu *gpu)
{
	const bool started = !sampler_is_broken(gpu->sampler) && sampler_start(gpu->sampler);

	pthread_mutex_lock(&gpu->lock);
	gpu->lock_held = started;
	if (started)
		gpu->locks += gpu->lock_wanted;
	gpu->lock_wanted = 0;
	pthread_cond_broadcast(&gpu->done);
	pthread_mutex_unlock(&gpu->lock);
}

static void *thread_main(void *arg)
{
	struct gpu *gpu = arg;
	struct pollfd fds[] = {
		{ .fd = gpu->wake, .events = POLLIN },
		{ .fd = sampler_fd(gpu->sampler), .events = POLLIN },
	};
	struct submission *submission;
	bool shared, ends, unused, locks;
	eventfd_t count;

	for (;;) {
		shared = false;
		pthread_mutex_lock(&gpu->lock);
		submission = take(gpu, &shared);
		ends = gpu->ends;
		unused = !gpu->devices ||
			 (settings_get()->mode == MODE_QUERIES && !gpu->locks && !gpu->lock_wanted);
		locks = gpu->lock_wanted;
		pthread_mutex_unlock(&gpu->lock);
		if (locks)
			start_for_lock(gpu);
		if (submission) {
			run_and_free(gpu, submission);
			continue;
		}
		if (ends)
			return NULL;
		if (unused && sampler_is_started(gpu->sampler))
			sampler_stop(gpu->sampler);
		poll(fds, COUNT(fds), shared ? SHARED_MS : -1);
		if (fds[0].revents & POLLIN)
			eventfd_read(gpu->wake, &count);
		if (fds[1].revents)
			sampler_read(gpu->sampler, 0);
	}
}

/* ---- What the application's calls do ---- */

/**
 * gpu_begin_direct() - May the application's own call hand a submission to the driver?
 * @gpu: The GPU.
 * @submission: The submission.
 * @must: It cannot be copied, and those before it were waited for.
 *
 * Return: Whether it may. The work of its queue is in no order with samples then.
 */
bool gpu_begin_direct(struct gpu *gpu, const struct submission *submission, bool must)
{
	bool shared = false, ready, direct;

	pthread_mutex_lock(&gpu->lock);
	/* With what waits for a later submission in it, the queue cannot be put in order. */
	ready = is_ready(gpu, submission, &shared);
	direct = ready && !gpu->first && !gpu->current;
	if (direct && gpu->ordered)
		gpu->ordered = !sampler_is_reached(gpu->sampler);
	direct = must || (direct && !gpu->ordered);
	submission->queue->unordered |= direct && ready && submission->work_count;
	pthread_mutex_unlock(&gpu->lock);
	return direct;
}

static bool signals_shared(const struct submission *submission)
{
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		if (semaphores_is_shared(&submission->queue->device->semaphores,
					 submission->signals[i].semaphore))
			return true;
	}
	return false;
}

/**
 * gpu_enqueue() - Have submissions handed to the driver
 * @gpu: The GPU.
 * @first: The submissions, linked, of one queue. They are the thread's then.
 *
 * If they signal a semaphore that others have, these expect its fence when the call of the
 * application returns. Then the function waits until the driver has the submissions, unless they
 * themselves wait for something that is not there yet.
 */
void gpu_enqueue(struct gpu *gpu, struct submission *first)
{
	struct queue *queue = first->queue;
	bool shared = false, wanted = false;
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SHARED_S;
	pthread_mutex_lock(&gpu->lock);
	for (const struct submission *at = first; at && is_ready(gpu, at, &shared); at = at->next)
		wanted |= signals_shared(at);
	*gpu->last = first;
	for (; first; first = first->next) {
		queue->pending++;
		gpu->last = &first->next;
	}
	wake(gpu);
	while (wanted && queue->pending)
		wanted = !pthread_cond_timedwait(&gpu->done, &gpu->lock, &end);
	pthread_mutex_unlock(&gpu->lock);
}

/** gpu_wait_queue() - Wait until the driver has all submissions of a queue. */
void gpu_wait_queue(struct gpu *gpu, struct queue *queue)
{
	pthread_mutex_lock(&gpu->lock);
	while (queue->pending)
		pthread_cond_wait(&gpu->done, &gpu->lock);
	pthread_mutex_unlock(&gpu->lock);
}

/** gpu_wait_device() - Wait until the driver has all submissions of a device. */
void gpu_wait_device(struct gpu *gpu, struct device *device)
{
	pthread_mutex_lock(&device->lock);
	for (struct queue *queue = device->queues; queue; queue = queue->next) {
		pthread_mutex_unlock(&device->lock);
		gpu_wait_queue(gpu, queue);
		pthread_mutex_lock(&device->lock);
	}
	pthread_mutex_unlock(&device->lock);
}

static bool will_signal(const struct submission *at, const struct device *device,
			VkSemaphore semaphore, VkFence fence)
{
	return at->queue->device == device &&
	       ((semaphore && signals(at, semaphore)) || (fence && at->fence == fence));
}

static bool is_pending(const struct gpu *gpu, const struct device *device, VkSemaphore semaphore,
		       VkFence fence)
{
	for (const struct submission *at = gpu->first; at; at = at->next) {
		if (will_signal(at, device, semaphore, fence))
			return true;
	}
	return gpu->current && will_signal(gpu->current, device, semaphore, fence);
}

/**
 * gpu_wait_signal() - Wait until the driver has what signals a binary semaphore or a fence
 * @gpu: The GPU.
 * @device: The device.
 * @semaphore: The semaphore, or %VK_NULL_HANDLE.
 * @fence: The fence, or %VK_NULL_HANDLE.
 */
void gpu_wait_signal(struct gpu *gpu, struct device *device, VkSemaphore semaphore, VkFence fence)
{
	pthread_mutex_lock(&gpu->lock);
	while (is_pending(gpu, device, semaphore, fence))
		pthread_cond_wait(&gpu->done, &gpu->lock);
	pthread_mutex_unlock(&gpu->lock);
}

/**
 * gpu_wait_some() - Wait until the driver gets another submission of a device, or for 1 ms
 * @gpu: The GPU.
 * @device: The device.
 *
 * Return: Whether there was one that the driver did not have.
 */
bool gpu_wait_some(struct gpu *gpu, struct device *device)
{
	const struct submission *at;
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += SOME_NS;
	end.tv_sec += end.tv_nsec / NS_PER_S;
	end.tv_nsec %= NS_PER_S;
	pthread_mutex_lock(&gpu->lock);
	at = gpu->current && gpu->current->queue->device == device ? gpu->current : gpu->first;
	while (at && at->queue->device != device)
		at = at->next;
	if (at)
		pthread_cond_timedwait(&gpu->done, &gpu->lock, &end);
	pthread_mutex_unlock(&gpu->lock);
	return at;
}

/**
 * gpu_is_fence_pending() - Has the driver yet to get what signals a fence?
 * @gpu: The GPU.
 * @device: The device.
 * @fence: The fence.
 *
 * No other function may be called with such a fence: the thread will hand it to the driver.
 *
 * Return: Whether that is so.
 */
bool gpu_is_fence_pending(struct gpu *gpu, struct device *device, VkFence fence)
{
	bool pending;

	pthread_mutex_lock(&gpu->lock);
	pending = is_pending(gpu, device, VK_NULL_HANDLE, fence);
	pthread_mutex_unlock(&gpu->lock);
	return pending;
}

/**
 * gpu_wait_fences() - Wait until the driver has what signals fences
 * @gpu: The GPU.
 * @device: The device.
 * @fences: The fences.
 * @count: Their number.
 * @end: Time of CLOCK_REALTIME at which the wait ends; %NULL: none.
 *
 * Return: Whether the driver has it for all of them.
 */
bool gpu_wait_fences(struct gpu *gpu, struct device *device, const VkFence *fences, uint32_t count,
		     const struct timespec *end)
{
	bool in_time = true;
	uint32_t i = 0;

	pthread_mutex_lock(&gpu->lock);
	while (in_time && i < count) {
		if (!is_pending(gpu, device, VK_NULL_HANDLE, fences[i]))
			i++;
		else if (end)
			in_time = !pthread_cond_timedwait(&gpu->done, &gpu->lock, end);
		else
			pthread_cond_wait(&gpu->done, &gpu->lock);
	}
	pthread_mutex_unlock(&gpu->lock);
	return i == count;
}

/** gpu_device() - The GPU of the counter session. */
struct panthor_perf_device *gpu_device(const struct gpu *gpu)
{
	return sampler_device(gpu->sampler);
}

/** gpu_selection() - The counters of a GPU. */
const struct panthor_perf_selection *gpu_selection(const struct gpu *gpu)
{
	return sampler_selection(gpu->sampler);
}

/**
 * gpu_lock_profiling() - Count until gpu_unlock_profiling()
 * @gpu: The GPU.
 *
 * Return: Whether it counts.
 */
bool gpu_lock_profiling(struct gpu *gpu)
{
	bool held;

	pthread_mutex_lock(&gpu->lock);
	gpu->lock_wanted++;
	wake(gpu);
	while (gpu->lock_wanted)
		pthread_cond_wait(&gpu->done, &gpu->lock);
	held = gpu->lock_held;
	pthread_mutex_unlock(&gpu->lock);
	return held;
}

/** gpu_unlock_profiling() - The opposite of gpu_lock_profiling(). */
void gpu_unlock_profiling(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->lock);
	if (gpu->locks)
		gpu->locks--;
	pthread_mutex_unlock(&gpu->lock);
	wake(gpu);
}

/** gpu_has_reached() - Has the GPU reached a point of its timeline? */
bool gpu_has_reached(const struct gpu *gpu, uint64_t point)
{
	return sampler_has_reached(gpu->sampler, point);
}

/* ---- Life ---- */

static void destroy(struct gpu *gpu)
{
	sampler_destroy(gpu->sampler);
	if (gpu->wake >= 0)
		close(gpu->wake);
	free(gpu);
}

static struct gpu *create(int64_t major, int64_t minor, const char *name)
{
	struct gpu *gpu = calloc(1, sizeof(*gpu));

	if (!gpu)
		return NULL;
	gpu->major = major;
	gpu->minor = minor;
	gpu->owner = getpid();
	gpu->last = &gpu->first;
	pthread_mutex_init(&gpu->lock, NULL);
	pthread_mutex_init(&gpu->devices_lock, NULL);
	pthread_cond_init(&gpu->done, NULL);
	gpu->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	gpu->sampler = sampler_create(minor, name);
	if (!gpu->sampler) {
		destroy(gpu);
		return NULL;
	}
	if (gpu->wake < 0 || pthread_create(&gpu->thread, NULL, thread_main, gpu)) {
		say("%s is not profiled: out of resources", name);
		destroy(gpu);
		return NULL;
	}
	return gpu;
}

/**
 * gpu_get() - The GPU of a node
 * @major: Number of its render node.
 * @minor: Number of its render node.
 * @name: Its name.
 *
 * All devices of the process share it.
 *
 * Return: The GPU. %NULL if it cannot be profiled, with a message that says why.
 */
struct gpu *gpu_get(int64_t major, int64_t minor, const char *name)
{
	struct gpu *gpu;

	pthread_mutex_lock(&gpus_lock);
	gpu = gpus;
	while (gpu && (gpu->major != major || gpu->minor != minor || gpu->owner != getpid()))
		gpu = gpu->next;
	if (!gpu) {
		gpu = create(major, minor, name);
		if (gpu) {
			gpu->next = gpus;
			gpus = gpu;
		}
	}
	pthread_mutex_unlock(&gpus_lock);
	return gpu;
}

/* The GPU's timeline as a semaphore of the device. */
static VkResult import_timeline(struct gpu *gpu, struct device *device)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	VkImportSemaphoreFdInfoKHR import = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
		.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	VkResult result;

	result = device->vk.CreateSemaphore(device->handle, &info, NULL, &device->timeline);
	if (result != VK_SUCCESS)
		return result;
	import.semaphore = device->timeline;
	result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (!drmSyncobjHandleToFD(sampler_node(gpu->sampler), sampler_syncobj(gpu->sampler),
				  &import.fd)) {
		result = device->vk.ImportSemaphoreFdKHR(device->handle, &import);
		if (result != VK_SUCCESS)
			close(import.fd);
	}
	if (result != VK_SUCCESS)
		device->vk.DestroySemaphore(device->handle, device->timeline, NULL);
	return result;
}

/**
 * gpu_add_device() - Profile a device
 * @gpu: The GPU.
 * @device: The device.
 *
 * Return: Whether it can be. Otherwise there was a message that says why.
 */
bool gpu_add_device(struct gpu *gpu, struct device *device)
{
	VkResult result = import_timeline(gpu, device);

	if (result != VK_SUCCESS) {
		say("nothing is profiled: the driver imports no syncobj (VkResult %d)", result);
		return false;
	}
	pthread_mutex_lock(&gpu->devices_lock);
	pthread_mutex_lock(&gpu->lock);
	device->number = gpu->device_count++;
	device->gpu_next = gpu->devices;
	gpu->devices = device;
	pthread_mutex_unlock(&gpu->lock);
	pthread_mutex_unlock(&gpu->devices_lock);
	return true;
}

/**
 * gpu_remove_device() - The application destroys a device
 * @gpu: The GPU.
 * @device: The device, none of whose work is pending.
 */
void gpu_remove_device(struct gpu *gpu, struct device *device)
{
	struct device **link;

	gpu_wait_device(gpu, device);
	pthread_mutex_lock(&gpu->devices_lock);
	pthread_mutex_lock(&gpu->lock);
	link = &gpu->devices;
	while (*link != device)
		link = &(*link)->gpu_next;
	*link = device->gpu_next;
	pthread_mutex_unlock(&gpu->lock);
	pthread_mutex_unlock(&gpu->devices_lock);
	wake(gpu);
	device->vk.DestroySemaphore(device->handle, device->timeline, NULL);
	semaphores_fini(&device->semaphores);
}

/* The application ends: waits for the samples that are pending, and prints the summary. */
static void finish(struct gpu *gpu)
{
	struct timespec end;

	pthread_mutex_lock(&gpu->lock);
	gpu->ends = true;
	pthread_mutex_unlock(&gpu->lock);
	wake(gpu);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += FINISH_S;
	if (pthread_timedjoin_np(gpu->thread, NULL, &end)) {
		say("submissions of the application have not ended; there is no summary");
		return;
	}
	sampler_finish(gpu->sampler);
	gpu->sampler = NULL;
	destroy(gpu);
}

__attribute__((destructor)) static void finish_all(void)
{
	while (gpus) {
		struct gpu *gpu = gpus;

		gpus = gpu->next;
		if (gpu->owner == getpid())
			finish(gpu);
	}
}
