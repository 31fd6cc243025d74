// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A frame ends with a submission that has VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT, or when it is
 * presented. An application may do both for one frame. It is the same frame, and counts once,
 *
 * - if both have a VkFrameBoundaryEXT with the same frameID, whichever comes first;
 * - if the presentation has none, and waits for a semaphore that the submission signals;
 * - if the presentation has none, and nothing was submitted since the submission.
 *
 * An application that presents some frames and marks others has all of them then.
 *
 * Two frames overlap if the driver gets the first work of a frame before the sample between them is
 * taken: the GPU may have begun it then.
 */

#include <stdlib.h>
#include <string.h>

#include "chains.h"
#include "frames.h"
#include "gpu.h"
#include "layer.h"
#include "semaphores.h"
#include "submissions.h"
#include "units.h"

static void add(struct frame_ids *ids, uint64_t id)
{
	if (ids->count == FRAMES_HALF) {
		ids->count--;
		memmove(ids->ids, ids->ids + 1, ids->count * sizeof(*ids->ids));
	}
	ids->ids[ids->count++] = id;
}

static bool has(const struct frame_ids *ids, uint64_t id)
{
	for (unsigned int i = 0; i < ids->count; i++) {
		if (ids->ids[i] == id)
			return true;
	}
	return false;
}

/* The oldest one: an application may use a number again. */
static bool take(struct frame_ids *ids, uint64_t id)
{
	for (unsigned int i = 0; i < ids->count; i++) {
		if (ids->ids[i] != id)
			continue;
		ids->count--;
		memmove(ids->ids + i, ids->ids + i + 1, (ids->count - i) * sizeof(*ids->ids));
		return true;
	}
	return false;
}

/** frames_number() - Number of the frame that is now, from 0. */
uint64_t frames_number(struct device *device)
{
	uint64_t number;

	pthread_mutex_lock(&device->lock);
	number = device->frames.number;
	pthread_mutex_unlock(&device->lock);
	return number;
}

/** frames_will_end() - Will a submission with a chain end a frame that has not ended? */
bool frames_will_end(struct device *device, const void *chain)
{
	uint64_t id;
	bool ends;

	if (!chain_ends_frame(chain, &id))
		return false;
	pthread_mutex_lock(&device->lock);
	ends = !has(&device->frames.presented, id);
	pthread_mutex_unlock(&device->lock);
	return ends;
}

/* The frame that is now ends. Returns the types of its workloads. */
static uint32_t end_locked(struct frames *frames)
{
	const uint32_t types = frames->types;

	frames->types = 0;
	frames->number++;
	return types;
}

/** frames_end() - The frame that is now ends with its device. Returns its number and its types. */
void frames_end(struct device *device, uint64_t *number, uint32_t *types)
{
	pthread_mutex_lock(&device->lock);
	*number = device->frames.number;
	*types = end_locked(&device->frames);
	pthread_mutex_unlock(&device->lock);
}

/** frames_accept_submission() - A submission comes. @ends: it ends a frame that has not ended. */
void frames_accept_submission(struct device *device, bool ends)
{
	pthread_mutex_lock(&device->lock);
	device->frames.idle = ends;
	pthread_mutex_unlock(&device->lock);
}

/**
 * frames_count_submission() - Count a submission for the frame that is now, which it may end
 * @submission: The submission.
 * @frame: Where the number of the frame is returned.
 * @types: Where the types of the frame's workloads are returned if it ends.
 *
 * Return: Whether a frame ends which has not ended before.
 */
bool frames_count_submission(const struct submission *submission, uint64_t *frame, uint32_t *types)
{
	struct device *device = submission->queue->device;
	struct frames *frames = &device->frames;
	bool ends;

	pthread_mutex_lock(&device->lock);
	*frame = frames->number;
	frames->types |= unit_types(submission, 0, submission->work_count);
	ends = submission->marks_end && !take(&frames->presented, submission->frame_id);
	if (ends) {
		*types = end_locked(frames);
		add(&frames->submitted, submission->frame_id);
	}
	pthread_mutex_unlock(&device->lock);
	return ends;
}

/* Does a presentation wait for a submission that has ended its frame? */
static bool waits_for_end(struct device *device, const VkPresentInfoKHR *info)
{
	bool waits = false;

	gpu_lock(device->gpu);
	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
		struct semaphore *semaphore = semaphores_find(device, info->pWaitSemaphores[i]);

		waits |= semaphore && semaphore_ends_frame(semaphore);
	}
	gpu_unlock(device->gpu);
	return waits;
}

/**
 * frames_end_presentation() - A frame is presented
 * @device: Its device.
 * @info: The presentation.
 * @frame: Where its number is returned.
 * @types: Where the types of its workloads are returned.
 *
 * Return: Whether it is another one than those that have ended before.
 */
bool frames_end_presentation(struct device *device, const VkPresentInfoKHR *info, uint64_t *frame,
			     uint32_t *types)
{
	const bool waits = waits_for_end(device, info);
	bool named, ends;
	uint64_t id;

	named = chain_frame(info->pNext, &id);
	pthread_mutex_lock(&device->lock);
	if (named)
		ends = !take(&device->frames.submitted, id);
	else
		ends = !waits && !device->frames.idle;
	if (ends && named)
		add(&device->frames.presented, id);
	*frame = device->frames.number;
	if (ends)
		*types = end_locked(&device->frames);
	/* It belongs to one presentation. */
	device->frames.idle = false;
	pthread_mutex_unlock(&device->lock);
	return ends;
}

/* ---- Starts ---- */

/* Guards what starts have but for their references and points. */
static pthread_mutex_t starts_lock = PTHREAD_MUTEX_INITIALIZER;

/** frame_start_create() - A frame behind a sample has not started. May return %NULL. */
struct frame_start *frame_start_create(void)
{
	struct frame_start *start = calloc(1, sizeof(*start));

	if (start)
		start->refs = 1;
	return start;
}

/** frame_start_get() - Keep a start until frame_start_put(). May be %NULL. */
struct frame_start *frame_start_get(struct frame_start *start)
{
	if (start)
		start->refs++;
	return start;
}

/** frame_start_put() - The opposite of frame_start_get(). */
void frame_start_put(struct frame_start *start)
{
	if (start && !--start->refs)
		free(start);
}

/**
 * frame_start_end() - The sample before a frame is taken
 * @start: The start of the frame, which is behind the sample unless it was recorded.
 *
 * Return: Whether the frame has started before.
 */
bool frame_start_end(struct frame_start *start)
{
	bool overlaps;

	pthread_mutex_lock(&starts_lock);
	start->started = true;
	overlaps = start->overlaps;
	pthread_mutex_unlock(&starts_lock);
	return overlaps;
}

/** frames_set_start() - The next work starts the frame behind a sample; %NULL: there is none. */
void frames_set_start(struct device *device, struct frame_start *start)
{
	struct frame_start *before;

	pthread_mutex_lock(&starts_lock);
	before = device->frames.start;
	device->frames.start = frame_start_get(start);
	pthread_mutex_unlock(&starts_lock);
	frame_start_put(before);
}

/** frames_record_start() - The driver is about to get work of a device. */
void frames_record_start(struct device *device)
{
	struct frame_start *start;

	pthread_mutex_lock(&starts_lock);
	start = device->frames.start;
	if (start && !start->started) {
		start->started = true;
		start->overlaps = !start->point || !gpu_has_reached(device->gpu, start->point);
	}
	pthread_mutex_unlock(&starts_lock);
}
