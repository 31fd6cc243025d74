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

#include <pthread.h>

#include "driver.h"
#include "gpu_parts.h"
#include "layer.h"
#include "marks.h"
#include "report.h"
#include "sampler.h"
#include "submissions.h"
#include "units.h"

#define MAX_LABEL		1024

/**
 * turn_submit() - Hand a piece of a submission to the driver
 * @gpu: The GPU.
 * @piece: The piece.
 * @ordered: It waits for the last point of the timeline.
 * @signal: It signals the next one.
 *
 * Return: Whether the driver has it. If not, the device is lost.
 */
bool turn_submit(struct gpu *gpu, struct piece *piece, bool ordered, bool signal)
{
	const uint64_t point = sampler_point(gpu->sampler);
	const struct submission *submission = piece->submission;
	struct queue *queue = submission->queue;
	struct device *device = queue->device;
	VkResult result;

	/* There is room behind the waits, and in front of the signals. */
	if (ordered && point) {
		submission->waits[submission->wait_count] = (struct semaphore_op) {
			device->timeline, point, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		};
		if (!piece->wait_count++)
			piece->waits = &submission->waits[submission->wait_count];
	}
	if (signal) {
		submission->signals[-1] = (struct semaphore_op) {
			device->timeline, point + 1, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		};
		piece->signals = &submission->signals[-1];
		piece->signal_count++;
	}
	result = driver_submit_surely(piece);
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

/**
 * turn_order_queues() - Put what queues have in no order first
 * @gpu: The GPU.
 *
 * The end of each becomes a point of the timeline.
 *
 * Return: Whether there was something.
 */
bool turn_order_queues(struct gpu *gpu)
{
	struct semaphore_op ops[2];
	uint64_t scratch[16];
	struct submission nothing = { .waits = ops, .signals = ops + 2, .scratch = scratch };
	bool any = false;

	pthread_mutex_lock(&gpu->devices_lock);
	for (struct device *device = gpu->devices; device; device = device->gpu_next) {
		struct queue *queue;

		/* Queues are added in front of the first one, and stay as long as the device. */
		pthread_mutex_lock(&device->lock);
		queue = device->queues;
		pthread_mutex_unlock(&device->lock);
		for (; queue; queue = queue->next) {
			struct piece piece = { .submission = &nothing };
			bool unordered;

			pthread_mutex_lock(&gpu->lock);
			unordered = queue->unordered;
			queue->unordered = false;
			device->ordered |= unordered;
			pthread_mutex_unlock(&gpu->lock);
			nothing.queue = queue;
			any |= unordered && turn_submit(gpu, &piece, true, true);
		}
	}
	pthread_mutex_unlock(&gpu->devices_lock);
	return any;
}

/**
 * turn_handed_over() - The driver has all of a submission
 * @gpu: The GPU.
 * @submission: The submission.
 * @unordered: It has work behind the last sample.
 *
 * Calls that wait for it go on, while the thread may have to wait for a sample.
 */
void turn_handed_over(struct gpu *gpu, struct submission *submission, bool unordered)
{
	marks_handed_over(gpu, submission);
	pthread_mutex_lock(&gpu->lock);
	submission->queue->unordered |= unordered;
	submission->queue->pending--;
	submission_promise(submission);
	pthread_cond_broadcast(&gpu->done);
	pthread_mutex_unlock(&gpu->lock);
}

/**
 * turn_submit_profiled() - Hand a submission to the driver, with samples between its units
 * @gpu: The GPU.
 * @submission: The submission.
 *
 * If something is behind the last of these, the next submission has to begin with a sample.
 */
void turn_submit_profiled(struct gpu *gpu, struct submission *submission)
{
	const struct queue *queue = submission->queue;
	bool sample_before = turn_order_queues(gpu), counted;
	uint32_t first, end;

	if (submission->wait_count) {
		struct piece waits = {
			.submission = submission,
			.chain = submission->chain,
			.waits = submission->waits,
			.wait_count = submission->wait_count,
		};

		/* All that follows waits. */
		for (uint32_t i = 0; i < submission->wait_count; i++)
			submission->waits[i].stages |= VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
		sample_before = true;
		if (!turn_submit(gpu, &waits, true, true))
			return;
	}
	/*
	 * If the sample of the unit before is still to come, it is also the one before this unit.
	 */
	sample_before |= sampler_is_reached(gpu->sampler);
	for (first = 0; first < submission->work_count; first = end) {
		struct piece piece = driver_piece_whole(submission);
		char label[MAX_LABEL];
		struct row row;
		uint64_t unit;
		bool last;

		end = unit_end(submission, first, &counted);
		last = end == submission->work_count;
		piece.wait_count = 0;
		piece.works = &submission->works[first];
		piece.work_count = end - first;
		if (!last) {
			piece.chain = submission->chain;
			piece.signal_count = 0;
			piece.fence = VK_NULL_HANDLE;
		}
		if (counted && sample_before && !sampler_is_broken(gpu->sampler))
			sampler_sample(gpu->sampler, NO_UNIT);
		/* Before the GPU can reach the point: a result is waited for from then on. */
		if (counted)
			query_running(&submission->works[first].query,
				      sampler_point(gpu->sampler) + 1);
		if (!turn_submit(gpu, &piece, true, true))
			return;
		if (last)
			turn_handed_over(gpu, submission, !counted);
		sample_before = !counted;
		if (!counted || sampler_is_broken(gpu->sampler))
			continue;
		unit_label(submission, first, end - first, label, sizeof(label));
		row = (struct row) {
			.frame = submission->frame,
			.device = queue->device->number,
			.query = submission->works[first].query,
			.queue = queue->number,
			.types = unit_types(submission, first, end - first),
			.label = label,
		};
		unit = sampler_add_unit(gpu->sampler, &row);
		/* The sampler has it now, and completes or fails it. */
		submission->works[first].query.pool = 0;
		sampler_sample(gpu->sampler, unit);
	}
}
