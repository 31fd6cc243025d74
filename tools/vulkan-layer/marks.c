// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Samples at the ends of frames, for the unit of frames.
 *
 * Submissions are handed to the driver as they are, and take no turns. Where a frame ends, each
 * queue that has got something since the end before gets an empty submission, which signals a
 * point of the queue's own timeline. The sample waits for all of these points and for the sample
 * before; nothing waits for the sample. So the GPU goes on with the next frame, and what it
 * executes of that before the sample counts for this one.
 *
 * The empty submissions are those of the call that ends the frame, or of the thread that hands the
 * last submission of the frame to the driver: what comes behind is behind them. The thread has the
 * sample taken.
 *
 * A queue gets none while the driver has work of it that waits for a later submission, or while
 * another thread calls the driver with it: the sample would wait as long. Its work then counts for
 * the frame in which the queue gets the next one.
 */

#include <stdlib.h>
#include <unistd.h>

#include <xf86drm.h>

#include "gpu.h"
#include "gpu_parts.h"
#include "layer.h"
#include "marks.h"
#include "report.h"
#include "sampler.h"
#include "settings.h"

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

	/** @count: Number of @points. */
	unsigned int count;

	/** @points: What it waits for. */
	struct sample_point points[];
};

static bool is_used(void)
{
	return settings_get()->mode == MODE_PROFILE && settings_get()->unit == UNIT_FRAME;
}

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

static struct mark *create_mark(struct device *device, unsigned int queues)
{
	struct mark *mark = calloc(1, sizeof(*mark) + queues * sizeof(*mark->points));

	if (mark) {
		mark->device = device;
		mark->row.device = device->number;
		mark->row.label = "frame";
	}
	return mark;
}

/**
 * marks_begin() - A device gets its first submission
 * @gpu: The GPU.
 * @device: The device.
 *
 * The first frame begins with a sample if it is profiled. The function waits until the GPU counts.
 */
void marks_begin(struct gpu *gpu, struct device *device)
{
	struct mark *mark = NULL;

	if (!is_used() || device->marks_begun)
		return;
	/* Another thread goes on with its submission, or ends the frame, behind the mark. */
	pthread_mutex_lock(&device->marking);
	if (!device->marks_begun && settings_frame(settings_get(), frames_number(device)))
		mark = create_mark(device, 0);
	if (mark) {
		mark->row.opens = true;
		device->mark_open = true;
		gpu_lock(gpu);
		add_locked(gpu, mark);
		gpu_unlock(gpu);
	}
	device->marks_begun = true;
	pthread_mutex_unlock(&device->marking);
	if (mark)
		marks_wait(gpu, device);
}

/* The end of each queue that has something behind the mark before, which is one of its own. */
static void mark_queues(struct gpu *gpu, struct device *device, struct mark *mark)
{
	struct queue *queue;

	pthread_mutex_lock(&device->lock);
	queue = device->queues;
	pthread_mutex_unlock(&device->lock);
	for (; queue; queue = queue->next) {
		if (!atomic_exchange(&queue->mark_used, false))
			continue;
		if (mark_queue(gpu, queue, &mark->points[mark->count])) {
			mark->count++;
		} else {
			queue->mark_used = true;
			say_once("work of queue %u may be counted in the next frame",
				 queue->number);
		}
	}
}

/**
 * marks_end_frame() - A frame has ended
 * @gpu: The GPU.
 * @queue: The queue with its end.
 * @frame: Its number.
 * @types: Types of its workloads.
 */
void marks_end_frame(struct gpu *gpu, struct queue *queue, uint64_t frame, uint32_t types)
{
	struct device *device = queue->device;
	struct mark *mark;
	unsigned int queues;
	bool next;

	if (!is_used())
		return;
	queue->mark_used = true;
	pthread_mutex_lock(&device->marking);
	/* A signal that came during the frame that ends selects the next one. */
	settings_frame(settings_get(), frame);
	next = settings_frame(settings_get(), frame + 1);
	pthread_mutex_lock(&device->lock);
	queues = device->queue_count;
	pthread_mutex_unlock(&device->lock);
	mark = device->mark_open || next ? create_mark(device, queues) : NULL;
	if (mark) {
		mark->row.frame = frame;
		mark->row.queue = queue->number;
		mark->row.closes = device->mark_open;
		mark->row.opens = next;
		mark->row.types = types;
		mark_queues(gpu, device, mark);
	}
	device->mark_open = mark && next;
	if (mark) {
		gpu_lock(gpu);
		add_locked(gpu, mark);
		gpu_unlock(gpu);
	}
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

/** marks_fini() - A device is destroyed, none of whose work is pending but that of marks. */
void marks_fini(struct gpu *gpu, struct device *device)
{
	bool waited = false;

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

static void run(struct gpu *gpu, const struct mark *mark)
{
	uint64_t unit;

	if (sampler_is_broken(gpu->sampler) || !sampler_start(gpu->sampler))
		return;
	unit = sampler_add_unit(gpu->sampler, &mark->row);
	sampler_sample_behind(gpu->sampler, unit, mark->points, mark->count);
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
	free(mark);
	return true;
}
