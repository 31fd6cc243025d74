// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Samples at the ends of frames, for the unit of frames.
 *
 * Submissions are handed to the driver as they are, and take no turns. Where a frame ends, each
 * queue that has got something since the end before gets an empty submission, which signals a
 * point of the queue's own timeline. The sample waits for all of these points and for the sample
 * before; nothing waits for the sample. So the GPU goes on with the next frame, and what it
 * executes of that before the sample counts for this one: if the driver has got some of it by then,
 * the rows of both are marked as overlapped. Only the first submission of a device waits: what the
 * GPU executes before the first sample counts for no frame.
 *
 * A submission is for the frame in which the driver gets it, and ends it there. The empty
 * submissions are those of the call that hands the last submission of the frame to the driver, or
 * of the thread that does so: what comes behind is behind them. The thread has the sample taken.
 *
 * Work that came before the end of a frame may be executed behind the sample:
 *
 * - The thread keeps a submission that waits for a later call of the application.
 * - A queue gets no empty submission while the driver has work of it that waits for a later
 *   submission, or while another thread calls the driver with it: the sample would wait as long.
 * - The driver gets all elements of a call before the sample of a frame that ends between them.
 *
 * The row of the frame is marked as shifted then, and so is each one behind it, up to the first end
 * of a frame at which nothing is late.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <xf86drm.h>

#include "frames.h"
#include "gpu.h"
#include "gpu_parts.h"
#include "layer.h"
#include "marks.h"
#include "report.h"
#include "sampler.h"
#include "settings.h"
#include "submissions.h"

/* Longest time for which the first submission of a device waits for the first sample. */
#define BEGIN_NS	INT64_C(1000000000)

/**
 * struct mark - a sample to be taken
 */
struct mark {
	/** @next: The next one. */
	struct mark *next;

	/** @device: The device. */
	struct device *device;

	/** @row: What is known of the frame that ends, and whether the next one is profiled. */
	struct row row;

	/**
	 * @ordered: Where the point of the timeline that the sample signals is returned; 0: none.
	 * May be %NULL.
	 */
	uint64_t *ordered;

	/** @count: Number of @points. */
	unsigned int count;

	/** @points: What it waits for. */
	struct sample_point points[];
};

/* Has the queue signal the next point of its timeline, which it gets first. */
static bool mark_queue(struct gpu *gpu, struct queue *queue, struct sample_point *point)
{
	struct device *device = queue->device;
	const uint64_t value = queue->mark_point + 1;
	const VkTimelineSemaphoreSubmitInfo values = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &value,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &values,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &queue->mark_timeline,
	};
	VkResult result;

	if (!queue->mark_syncobj &&
	    drmSyncobjCreate(gpu_node(gpu), 0, &queue->mark_syncobj)) {
		queue->mark_syncobj = 0;
		return false;
	}
	if (!queue->mark_timeline &&
	    gpu_import_timeline(gpu, device, queue->mark_syncobj, &queue->mark_timeline))
		return false;
	if (gpu_is_waiting(gpu, queue) || pthread_mutex_trylock(&queue->calls))
		return false;
	result = device->vk.QueueSubmit(queue->handle, 1, &info, VK_NULL_HANDLE);
	queue_end_call(queue);
	if (result != VK_SUCCESS)
		return false;
	queue->mark_point = value;
	*point = (struct sample_point) { queue->mark_syncobj, value };
	return true;
}

static void add_locked(struct gpu *gpu, struct mark *mark)
{
	*gpu->last_mark = mark;
	gpu->last_mark = &mark->next;
	gpu_wake(gpu);
}

static struct mark *create_mark(struct device *device, const struct row *row, unsigned int queues)
{
	struct mark *mark = calloc(1, sizeof(*mark) + queues * sizeof(*mark->points));
	struct frame_start *start = frame_start_create();

	if (!mark || !start) {
		say_once("there is no memory for the sample of a frame: it has no row");
		frame_start_put(start);
		free(mark);
		return NULL;
	}
	mark->device = device;
	mark->row = *row;
	mark->row.device = device->number;
	mark->row.start = start;
	mark->row.label = "frame";
	return mark;
}

/* The sample at the begin of the first frame. */
static void begin_first_frame(struct gpu *gpu, struct device *device)
{
	const struct row row = { .opens = true };
	struct mark *mark = create_mark(device, &row, 0);
	uint64_t point = 0;

	if (!mark)
		return;
	mark->ordered = &point;
	device->mark_open = true;
	gpu_lock(gpu);
	add_locked(gpu, mark);
	gpu_unlock(gpu);
	marks_wait(gpu, device);
	if (!point || sampler_wait(gpu->sampler, point, BEGIN_NS))
		return;
	/* It may wait for work of another device. */
	say_once("the first frame of a device has begun before its sample");
	device->mark_late = true;
}

/**
 * marks_begin() - A device gets its first submission
 * @gpu: The GPU.
 * @device: The device.
 *
 * The first frame begins with a sample if it is profiled. The function waits until it is taken.
 */
void marks_begin(struct gpu *gpu, struct device *device)
{
	if (settings_are_ordered() || device->marks_begun)
		return;
	/* Other threads wait with their submissions, too. */
	pthread_mutex_lock(&device->marking);
	if (!device->marks_begun && !sampler_is_broken(gpu->sampler) &&
	    settings_frame(settings_get(), frames_number(device)))
		begin_first_frame(gpu, device);
	device->marks_begun = true;
	pthread_mutex_unlock(&device->marking);
}

/*
 * The end of each queue that has something behind the mark before. Returns whether some work that
 * came before the submission with a number is late.
 */
static bool mark_queues(struct gpu *gpu, struct queue *queue, uint64_t before, struct mark *mark)
{
	bool any = false;

	for (; queue; queue = queue->next) {
		/* First: a submission that is handed over meanwhile has set @mark_used by then. */
		bool late = gpu_holds_work(gpu, queue, before);

		if (atomic_exchange(&queue->mark_used, false)) {
			if (mark_queue(gpu, queue, &mark->points[mark->count])) {
				mark->count++;
			} else {
				queue->mark_used = true;
				late = true;
			}
		}
		any |= late;
	}
	return any;
}

/*
 * The sample at the end of a frame, with @marking. @before: as for gpu_holds_work(). @late: some
 * work is late anyway.
 */
static void add_mark(struct gpu *gpu, struct device *device, struct row row, uint64_t before,
		     bool late)
{
	struct mark *mark = NULL;
	struct queue *queues;
	unsigned int count;

	pthread_mutex_lock(&device->lock);
	queues = device->queues;
	count = device->queue_count;
	pthread_mutex_unlock(&device->lock);
	row.closes = device->mark_open;
	if ((row.closes || row.opens) && !sampler_is_broken(gpu->sampler))
		mark = create_mark(device, &row, count);
	device->mark_open = mark && row.opens;
	if (!mark)
		return;
	/* First: what a call hands over meanwhile is late, or before the sample, or starts it. */
	frames_set_start(device, mark->row.start);
	late |= mark_queues(gpu, queues, before, mark);
	if (row.frame_state == FRAME_WHOLE) {
		if (late)
			say_once("work of frame %" PRIu64 " is counted in another frame",
				 row.frame);
		if (late || device->mark_late)
			mark->row.frame_state = FRAME_SHIFTED;
	}
	device->mark_late = late;
	gpu_lock(gpu);
	add_locked(gpu, mark);
	gpu_unlock(gpu);
}

/* A frame has ended. Parameters are those of add_mark(). */
static void end_frame(struct gpu *gpu, struct queue *queue, uint64_t frame, uint32_t types,
		      uint64_t before, bool late)
{
	struct row row = { .frame = frame, .queue = queue->number, .types = types };

	queue->mark_used = true;
	/* A signal that came during the frame that ends selects the next one. */
	settings_frame(settings_get(), frame);
	row.opens = settings_frame(settings_get(), frame + 1);
	add_mark(gpu, queue->device, row, before, late);
}

/**
 * marks_submitted() - The driver has got submissions
 * @gpu: The GPU.
 * @first: The submissions, linked, of one queue.
 * @count: Their number.
 *
 * If a frame ends within them, it ends with all of them.
 */
void marks_submitted(struct gpu *gpu, const struct submission *first, uint32_t count)
{
	struct queue *queue = first->queue;
	struct device *device = queue->device;
	const struct submission *at = first;
	uint32_t works = 0, types;
	uint64_t frame;

	if (settings_are_ordered())
		return;
	for (uint32_t i = 0; i < count; i++, at = at->next)
		works += submission_has_work(at);
	if (works)
		queue->mark_used = true;
	at = first;
	for (uint32_t i = 0; i < count; i++, at = at->next) {
		/* What is left is executed before the sample. */
		works -= submission_has_work(at);
		pthread_mutex_lock(&device->marking);
		if (frames_count_submission(at, &frame, &types))
			end_frame(gpu, queue, frame, types, at->number, works);
		pthread_mutex_unlock(&device->marking);
	}
}

/**
 * marks_handed_over() - The thread has handed a submission to the driver
 * @gpu: The GPU.
 * @submission: The submission.
 */
void marks_handed_over(struct gpu *gpu, struct submission *submission)
{
	/* Before the end of a frame in another thread takes it for handed over. */
	if (submission_has_work(submission))
		submission->queue->mark_used = true;
	gpu_lock(gpu);
	submission->handed = true;
	gpu_unlock(gpu);
	marks_submitted(gpu, submission, 1);
}

/**
 * marks_presented() - The driver has got a presentation
 * @gpu: The GPU.
 * @device: The device.
 * @queue: The queue. %NULL: there is no memory for it.
 * @info: The presentation.
 */
void marks_presented(struct gpu *gpu, struct device *device, struct queue *queue,
		     const VkPresentInfoKHR *info)
{
	uint32_t types;
	uint64_t frame;

	pthread_mutex_lock(&device->marking);
	if (frames_end_presentation(device, info, &frame, &types) && queue &&
	    !settings_are_ordered())
		end_frame(gpu, queue, frame, types, 0, false);
	pthread_mutex_unlock(&device->marking);
}

static bool has_marks(const struct gpu *gpu, const struct device *device)
{
	for (const struct mark *mark = gpu->first_mark; mark; mark = mark->next) {
		if (mark->device == device)
			return true;
	}
	return false;
}

/** marks_wait() - Wait until all samples of a device are ordered. */
void marks_wait(struct gpu *gpu, const struct device *device)
{
	gpu_lock(gpu);
	while (has_marks(gpu, device))
		pthread_cond_wait(&gpu->done, &gpu->lock);
	gpu_unlock(gpu);
}

/* A queue that has got something in the frame that is now. */
static const struct queue *find_used(struct device *device)
{
	const struct queue *queue;

	pthread_mutex_lock(&device->lock);
	queue = device->queues;
	pthread_mutex_unlock(&device->lock);
	while (queue && !queue->mark_used)
		queue = queue->next;
	return queue;
}

/* The last frame of a device has a row, too, if there was something. */
static void end_last_frame(struct gpu *gpu, struct device *device)
{
	const struct queue *queue = find_used(device);
	struct row row = { .frame_state = FRAME_UNFINISHED };

	pthread_mutex_lock(&device->marking);
	if (queue && device->mark_open) {
		frames_end(device, &row.frame, &row.types);
		row.queue = queue->number;
		add_mark(gpu, device, row, 0, false);
	}
	pthread_mutex_unlock(&device->marking);
}

/** marks_fini() - A device is destroyed, none of whose work is pending but that of marks. */
void marks_fini(struct gpu *gpu, struct device *device)
{
	bool waited = false;

	end_last_frame(gpu, device);
	frames_set_start(device, NULL);
	marks_wait(gpu, device);
	for (struct queue *queue = device->queues; queue; queue = queue->next) {
		if (queue->mark_timeline && !waited) {
			device->vk.DeviceWaitIdle(device->handle);
			waited = true;
		}
		if (queue->mark_timeline)
			device->vk.DestroySemaphore(device->handle, queue->mark_timeline, NULL);
		if (queue->mark_syncobj)
			drmSyncobjDestroy(gpu_node(gpu), queue->mark_syncobj);
	}
}

/** marks_finish() - The application ends before its devices: their last frames have no rows. */
void marks_finish(struct gpu *gpu)
{
	pthread_mutex_lock(&gpu->devices_lock);
	for (struct device *device = gpu->devices; device; device = device->gpu_next) {
		/* A thread of the application may still be there. */
		if (pthread_mutex_trylock(&device->marking))
			continue;
		if (device->mark_open && find_used(device) && !sampler_is_broken(gpu->sampler))
			say("frame %" PRIu64 " of device %u has not ended, and has no row",
			    frames_number(device), device->number);
		pthread_mutex_unlock(&device->marking);
	}
	pthread_mutex_unlock(&gpu->devices_lock);
}

static void run(struct gpu *gpu, const struct mark *mark)
{
	uint64_t unit;

	if (sampler_is_broken(gpu->sampler) || !sampler_start(gpu->sampler))
		return;
	/* First: the sample may be taken at once. */
	mark->row.start->point = sampler_point(gpu->sampler) + 1;
	unit = sampler_add_unit(gpu->sampler, &mark->row);
	sampler_sample_behind(gpu->sampler, unit, mark->points, mark->count);
	if (mark->ordered)
		*mark->ordered = sampler_point(gpu->sampler);
	if (sampler_is_started(gpu->sampler))
		sampler_read(gpu->sampler, 0);
}

/**
 * marks_run() - Have the next sample taken
 * @gpu: The GPU. The thread calls this.
 *
 * Return: Whether there was one.
 */
bool marks_run(struct gpu *gpu)
{
	struct mark *mark;

	gpu_lock(gpu);
	mark = gpu->first_mark;
	gpu_unlock(gpu);
	if (!mark)
		return false;
	run(gpu, mark);
	gpu_lock(gpu);
	gpu->first_mark = mark->next;
	if (!gpu->first_mark)
		gpu->last_mark = &gpu->first_mark;
	pthread_cond_broadcast(&gpu->done);
	gpu_unlock(gpu);
	frame_start_put(mark->row.start);
	free(mark);
	return true;
}
