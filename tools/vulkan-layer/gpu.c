// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A GPU, its thread, and what calls of the application do with it. The thread gives submissions
 * their turn, see turns.c.
 */

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

#include "driver.h"
#include "gpu.h"
#include "gpu_parts.h"
#include "layer.h"
#include "marks.h"
#include "sampler.h"
#include "semaphores.h"
#include "settings.h"
#include "submissions.h"

#define FINISH_S		5
/* Period of the checks for a point that another process or device signals. */
#define SHARED_MS		1
/* A call waits no longer than that until the driver has what others wait for. */
#define SHARED_S		1
/* Of gpu_wait_some(). */
#define SOME_NS			1000000
#define NS_PER_S		1000000000

static pthread_mutex_t gpus_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu *gpus;

/** gpu_lock() - Begin to use what the lock of a GPU guards. */
void gpu_lock(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->lock);
}

/** gpu_unlock() - The opposite of gpu_lock(). */
void gpu_unlock(struct gpu *gpu)
{
	pthread_mutex_unlock(&gpu->lock);
}

/** gpu_wake() - What submissions wait for may have changed. */
void gpu_wake(struct gpu *gpu)
{
	eventfd_write(gpu->wake, 1);
}

/*
 * Waits until the thread has given a turn to all that can have one and that came before, if some of
 * it signals a semaphore that others have. @end: of CLOCK_REALTIME; %NULL: none. @first: only while
 * one of these, linked, waits for such a semaphore; %NULL: in any case.
 */
static void wait_for_signals_locked(struct gpu *gpu, const struct timespec *end,
				    const struct submission *first)
{
	const uint64_t change = ++gpu->changes;

	gpu_wake(gpu);
	while (gpu->seen < change && pending_is_expected(&gpu->pending) &&
	       (!first || pending_expects(first))) {
		if (end ? pthread_cond_timedwait(&gpu->done, &gpu->lock, end) :
			  pthread_cond_wait(&gpu->done, &gpu->lock))
			break;
	}
}

/**
 * gpu_changed_locked() - More submissions may have their turn after a call of the application
 * @gpu: The GPU, locked.
 *
 * If one of them signals a semaphore that other devices or processes have, these expect its fence
 * when the call returns. Then the function waits for the thread, but no longer than %SHARED_S.
 */
void gpu_changed_locked(struct gpu *gpu)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SHARED_S;
	wait_for_signals_locked(gpu, &end, NULL);
}

/** gpu_node() - The open node of a GPU. */
int gpu_node(const struct gpu *gpu)
{
	return sampler_node(gpu->sampler);
}

static void run_done(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->lock);
	gpu->pending.current = NULL;
	gpu->ordered = settings_are_ordered() && sampler_point(gpu->sampler);
	pthread_cond_broadcast(&gpu->done);
	pthread_mutex_unlock(&gpu->lock);
}

/* The turn of a submission. */
static void run(struct gpu *gpu, struct submission *submission)
{
	struct piece whole = driver_piece_whole(submission);
	const bool ordered = submission->work_count && settings_are_ordered();

	if (submission->profiled && submission->work_count && !sampler_is_broken(gpu->sampler) &&
	    sampler_start(gpu->sampler))
		turn_submit_profiled(gpu, submission);
	else
		turn_submit(gpu, &whole, ordered, false);
	if (!submission->handed)
		turn_handed_over(gpu, submission, ordered);
	if (sampler_is_started(gpu->sampler))
		sampler_read(gpu->sampler, 0);
	submission_fail_queries(submission);
	run_done(gpu);
	submission_free(submission);
}

static bool is_unordered(struct gpu *gpu, const struct queue *queue)
{
	bool unordered;

	pthread_mutex_lock(&gpu->lock);
	unordered = queue->unordered;
	pthread_mutex_unlock(&gpu->lock);
	return unordered;
}

/*
 * Hands a submission to the driver that may have to wait for the application. Its queue cannot be
 * put in order behind it.
 */
static void run_urgent(struct gpu *gpu, struct submission *submission)
{
	struct piece whole = driver_piece_whole(submission);

	if (is_unordered(gpu, submission->queue))
		turn_order_queues(gpu);
	turn_submit(gpu, &whole, false, false);
	marks_handed_over(gpu, submission);
	submission_fail_queries(submission);
	pthread_mutex_lock(&gpu->lock);
	submission->queue->pending--;
	pthread_mutex_unlock(&gpu->lock);
	run_done(gpu);
}

static void order_for_call(struct gpu *gpu)
{
	turn_order_queues(gpu);
	pthread_mutex_lock(&gpu->lock);
	gpu->order_wanted = false;
	pthread_mutex_unlock(&gpu->lock);
	run_done(gpu);
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
	struct submission *submission, *urgent;
	bool shared, ends, unused, locks, orders;
	eventfd_t count;

	for (;;) {
		while (marks_run(gpu))
			;
		shared = false;
		pthread_mutex_lock(&gpu->lock);
		submission = pending_take(&gpu->pending, &shared);
		urgent = submission ? NULL : pending_take_urgent(&gpu->pending);
		ends = gpu->ends;
		unused = !gpu->devices ||
			 (settings_get()->mode == MODE_QUERIES && !gpu->locks && !gpu->lock_wanted);
		locks = gpu->lock_wanted;
		orders = gpu->order_wanted;
		if (!submission && !urgent && gpu->seen != gpu->changes) {
			gpu->seen = gpu->changes;
			pthread_cond_broadcast(&gpu->done);
		}
		pthread_mutex_unlock(&gpu->lock);
		if (locks)
			start_for_lock(gpu);
		if (submission)
			run(gpu, submission);
		else if (urgent)
			run_urgent(gpu, urgent);
		else if (orders)
			order_for_call(gpu);
		if (submission || urgent || orders)
			continue;
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
 * gpu_begin_direct() - May the application's own call hand submissions to the driver?
 * @gpu: The GPU.
 * @first: The submissions of the call, linked. None has to be counted.
 *
 * Return: Whether it may. Its work has to be put in order with samples later, if they have one.
 */
bool gpu_begin_direct(struct gpu *gpu, struct submission *first)
{
	bool shared = false, works = false, direct;

	pthread_mutex_lock(&gpu->lock);
	pending_end_handed(&gpu->pending, &shared);
	direct = pending_is_empty(&gpu->pending) && !gpu->order_wanted;
	/* With what waits for a later submission in it, the queue cannot be put in order. */
	for (struct submission *at = first; at && direct; at = at->next) {
		direct = pending_is_ready(&gpu->pending, at, &shared);
		works |= at->work_count;
	}
	if (direct && works && gpu->ordered)
		gpu->ordered = !sampler_is_reached(gpu->sampler);
	direct = direct && !(works && gpu->ordered);
	first->queue->unordered |= direct && works && settings_are_ordered();
	pthread_mutex_unlock(&gpu->lock);
	return direct;
}

/**
 * gpu_is_ready() - Can the driver get a submission now, and go on without the application?
 * @gpu: The GPU.
 * @submission: The submission, none of whose queue is pending but for those that the driver has.
 *
 * Return: Whether it can.
 */
bool gpu_is_ready(struct gpu *gpu, struct submission *submission)
{
	bool ready, shared = false;

	pthread_mutex_lock(&gpu->lock);
	pending_end_handed(&gpu->pending, &shared);
	ready = pending_is_ready(&gpu->pending, submission, &shared);
	for (const struct submission *at = gpu->pending.first; at; at = at->next)
		ready &= at->queue != submission->queue;
	if (ready)
		submission->queue->unordered |= submission->work_count && settings_are_ordered();
	pthread_mutex_unlock(&gpu->lock);
	return ready;
}

/**
 * gpu_is_waiting() - Does the driver have something of a queue that waits for a later submission?
 * @gpu: The GPU.
 * @queue: The queue.
 *
 * Later work of the queue may have to wait as long.
 *
 * Return: Whether it does, or waits for the host or another process.
 */
bool gpu_is_waiting(struct gpu *gpu, const struct queue *queue)
{
	bool waiting = false, shared = false;
	struct submission *current;

	pthread_mutex_lock(&gpu->lock);
	current = gpu->pending.current;
	if (current && current->queue == queue)
		waiting = !pending_is_ready(&gpu->pending, current, &shared);
	for (struct submission *at = gpu->pending.first; at && !waiting; at = at->next)
		waiting = at->queue == queue && at->handed &&
			  !pending_is_ready(&gpu->pending, at, &shared);
	pthread_mutex_unlock(&gpu->lock);
	return waiting;
}

/**
 * gpu_holds_work() - Is there work of a queue that the driver does not have?
 * @gpu: The GPU.
 * @queue: The queue.
 * @before: Number of the submission before which it came; 0: whenever it came.
 *
 * Return: Whether there is.
 */
bool gpu_holds_work(struct gpu *gpu, const struct queue *queue, uint64_t before)
{
	const struct submission *at;
	bool holds;

	pthread_mutex_lock(&gpu->lock);
	at = gpu->pending.current;
	holds = at && at->queue == queue && !at->handed && submission_has_work(at);
	for (at = gpu->pending.first; at && !holds && (!before || at->number < before);
	     at = at->next)
		holds = at->queue == queue && !at->handed && submission_has_work(at);
	pthread_mutex_unlock(&gpu->lock);
	return holds;
}

/* The next wait for a semaphore that these wait for is for another payload. */
static void accept_locked(const struct submission *first, uint32_t count)
{
	for (const struct submission *at = first; count--; at = at->next) {
		for (uint32_t i = 0; i < at->wait_count; i++) {
			if (at->waits[i].replaced)
				semaphore_set_replaced(at->waits[i].object, false);
		}
	}
}

/** gpu_end_direct() - The driver has got submissions, linked, of gpu_begin_direct(). */
void gpu_end_direct(struct gpu *gpu, const struct submission *first, uint32_t count)
{
	pthread_mutex_lock(&gpu->lock);
	accept_locked(first, count);
	for (const struct submission *at = first; at; at = at->next) {
		/* The queue may have been put in order in the meantime. */
		at->queue->unordered |= at->work_count && settings_are_ordered();
		submission_promise(at);
	}
	gpu_changed_locked(gpu);
	pthread_mutex_unlock(&gpu->lock);
}

/**
 * gpu_enqueue() - Have submissions handed to the driver
 * @gpu: The GPU.
 * @first: The submissions, linked, of one queue. They are the thread's then.
 * @count: Their number.
 */
void gpu_enqueue(struct gpu *gpu, struct submission *first, uint32_t count)
{
	pthread_mutex_lock(&gpu->lock);
	accept_locked(first, count);
	pending_add(&gpu->pending, first);
	gpu_changed_locked(gpu);
	pthread_mutex_unlock(&gpu->lock);
}

static bool are_ready_locked(struct gpu *gpu, struct submission *first)
{
	bool shared = false, ready = true;

	pending_end_handed(&gpu->pending, &shared);
	for (struct submission *at = first; at && ready; at = at->next)
		ready = pending_is_ready(&gpu->pending, at, &shared);
	return ready;
}

/**
 * gpu_begin_call() - A call is going to hand submissions to the driver that the thread could not
 * @gpu: The GPU.
 * @first: The submissions, linked, none of whose queue is pending.
 *
 * They are kept like those of the thread: others of the queue have their turn when these need
 * nothing more to go on. If they have to wait for the application, the queue cannot be put in order
 * behind them, so that this is done before. If another device signals what they wait for, the
 * driver has to have that first.
 */
void gpu_begin_call(struct gpu *gpu, struct submission *first)
{
	pthread_mutex_lock(&gpu->lock);
	wait_for_signals_locked(gpu, NULL, first);
	while (!are_ready_locked(gpu, first) && first->queue->unordered) {
		gpu->order_wanted = true;
		gpu_wake(gpu);
		pthread_cond_wait(&gpu->done, &gpu->lock);
	}
	for (struct submission *at = first; at; at = at->next) {
		at->handed = true;
		at->calling = true;
	}
	pending_add(&gpu->pending, first);
	pthread_mutex_unlock(&gpu->lock);
}

/**
 * gpu_end_call() - The call has done so
 * @gpu: The GPU.
 * @first: The submissions. They are the thread's then.
 * @count: Their number.
 * @done: Whether the driver has them. If not, they are freed.
 */
void gpu_end_call(struct gpu *gpu, struct submission *first, uint32_t count, bool done)
{
	pthread_mutex_lock(&gpu->lock);
	if (done)
		accept_locked(first, count);
	pending_end_call(&gpu->pending, first, count, done);
	gpu_changed_locked(gpu);
	pthread_mutex_unlock(&gpu->lock);
}

static bool is_pending(struct gpu *gpu, const struct device *device, const VkSemaphore *semaphores,
		       uint32_t count, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++) {
		if (pending_signals(&gpu->pending, device, semaphores[i], VK_NULL_HANDLE))
			return true;
	}
	return fence && pending_signals(&gpu->pending, device, VK_NULL_HANDLE, fence);
}

/**
 * gpu_flush() - Have the driver get what a call needs that the thread cannot do later
 * @gpu: The GPU.
 * @device: The device.
 * @queue: All that came on this queue. May be %NULL.
 * @semaphores: What signals these binary semaphores.
 * @count: Their number.
 * @fence: What signals this fence. May be %VK_NULL_HANDLE.
 *
 * The function waits for the thread, and for nothing that the application may do later. Submissions
 * that can have their turn have it, and are counted. The others are handed over without one, with
 * all that came before them, because they may depend on it. The thread itself waits for the GPU
 * only, for room for another sample; without progress it gives up counting.
 */
void gpu_flush(struct gpu *gpu, const struct device *device, struct queue *queue,
	       const VkSemaphore *semaphores, uint32_t count, VkFence fence)
{
	uint64_t newest;

	pthread_mutex_lock(&gpu->lock);
	newest = gpu->pending.number;
	while ((queue && queue->pending) || is_pending(gpu, device, semaphores, count, fence)) {
		if (gpu->pending.urgent < newest)
			gpu->pending.urgent = newest;
		gpu_wake(gpu);
		pthread_cond_wait(&gpu->done, &gpu->lock);
	}
	pthread_mutex_unlock(&gpu->lock);
}

/**
 * gpu_wait_queue() - Wait until the driver has all submissions of a queue
 * @gpu: The GPU.
 * @queue: The queue.
 *
 * They have their turn, for which some may wait until the application signals something.
 */
void gpu_wait_queue(struct gpu *gpu, struct queue *queue)
{
	pthread_mutex_lock(&gpu->lock);
	while (queue->pending)
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
bool gpu_wait_some(struct gpu *gpu, const struct device *device)
{
	struct timespec end;
	bool some;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += SOME_NS;
	end.tv_sec += end.tv_nsec / NS_PER_S;
	end.tv_nsec %= NS_PER_S;
	pthread_mutex_lock(&gpu->lock);
	some = pending_has(&gpu->pending, device);
	if (some)
		pthread_cond_timedwait(&gpu->done, &gpu->lock, &end);
	pthread_mutex_unlock(&gpu->lock);
	return some;
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
	pending = pending_signals(&gpu->pending, device, VK_NULL_HANDLE, fence);
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
		if (!pending_signals(&gpu->pending, device, VK_NULL_HANDLE, fences[i]))
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
	gpu_wake(gpu);
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
	gpu_wake(gpu);
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
	gpu->last_mark = &gpu->first_mark;
	pending_init(&gpu->pending);
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

/**
 * gpu_import_timeline() - Have a syncobj of the GPU as a timeline semaphore of a device
 * @gpu: The GPU.
 * @device: The device.
 * @syncobj: The syncobj.
 * @semaphore: Where the semaphore is returned; %VK_NULL_HANDLE on an error.
 *
 * Return: What has failed, or %VK_SUCCESS.
 */
VkResult gpu_import_timeline(struct gpu *gpu, struct device *device, uint32_t syncobj,
			     VkSemaphore *semaphore)
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

	result = device->vk.CreateSemaphore(device->handle, &info, NULL, semaphore);
	if (result != VK_SUCCESS)
		return result;
	import.semaphore = *semaphore;
	result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (!drmSyncobjHandleToFD(sampler_node(gpu->sampler), syncobj,
				  &import.fd)) {
		result = device->vk.ImportSemaphoreFdKHR(device->handle, &import);
		if (result != VK_SUCCESS)
			close(import.fd);
	}
	if (result != VK_SUCCESS) {
		device->vk.DestroySemaphore(device->handle, *semaphore, NULL);
		*semaphore = VK_NULL_HANDLE;
	}
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
	VkResult result = gpu_import_timeline(gpu, device, sampler_syncobj(gpu->sampler),
					      &device->timeline);

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

	for (struct queue *queue = device->queues; queue; queue = queue->next)
		gpu_flush(gpu, device, queue, NULL, 0, VK_NULL_HANDLE);
	pthread_mutex_lock(&gpu->lock);
	while (gpu->pending.current && gpu->pending.current->queue->device == device)
		pthread_cond_wait(&gpu->done, &gpu->lock);
	pthread_mutex_unlock(&gpu->lock);
	marks_fini(gpu, device);
	pthread_mutex_lock(&gpu->devices_lock);
	pthread_mutex_lock(&gpu->lock);
	link = &gpu->devices;
	while (*link != device)
		link = &(*link)->gpu_next;
	*link = device->gpu_next;
	pending_drop(&gpu->pending, device);
	pthread_mutex_unlock(&gpu->lock);
	pthread_mutex_unlock(&gpu->devices_lock);
	gpu_wake(gpu);
	/* The layer's own submissions may be pending, which have put its queues in order. */
	if (device->ordered)
		device->vk.DeviceWaitIdle(device->handle);
	device->vk.DestroySemaphore(device->handle, device->timeline, NULL);
	semaphores_fini(device);
}

/* The application ends: waits for the samples that are pending, and prints the summary. */
static void finish(struct gpu *gpu)
{
	struct timespec end;

	pthread_mutex_lock(&gpu->lock);
	gpu->ends = true;
	pthread_mutex_unlock(&gpu->lock);
	gpu_wake(gpu);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += FINISH_S;
	if (pthread_timedjoin_np(gpu->thread, NULL, &end)) {
		say("submissions of the application have not ended; there is no summary");
		return;
	}
	marks_finish(gpu);
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
