// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The memory of a submission is counted first, and then filled: struct submission, what it waits
 * for and signals, its command buffers with all of their parts, memory for what the driver gets,
 * and a copy of the application's chains.
 *
 * Where a chain has a structure that is not known, the copy goes on with the application's memory.
 * Such a submission is handed to the driver before its call returns.
 */

#include <stdlib.h>
#include <string.h>

#include "chains.h"
#include "commands.h"
#include "driver.h"
#include "gpu.h"
#include "labels.h"
#include "layer.h"
#include "settings.h"
#include "submissions.h"
#include "units.h"

/* What the memory of a submission has to be enough for. */
struct counts {
	uint32_t waits;
	uint32_t works;
	uint32_t signals;
	size_t chains;
};

/* Number of command buffers that the driver has for one of the application. */
static uint32_t count_parts(struct queue *queue, VkCommandBuffer handle)
{
	const struct cmd *cmd = commands_find(queue->device, handle);

	return cmd ? cmd->part_count : 1;
}

static struct counts count(struct queue *queue, enum submission_kind kind, const void *info)
{
	const VkSubmitInfo *submit = info;
	const VkSubmitInfo2 *submit2 = info;
	const VkBindSparseInfo *bind = info;
	struct chain_copy copy = { 0 };
	struct counts counts = { 0 };

	if (!info)
		return counts;
	switch (kind) {
	case SUBMIT:
		counts.waits = submit->waitSemaphoreCount;
		counts.signals = submit->signalSemaphoreCount;
		for (uint32_t i = 0; i < submit->commandBufferCount; i++)
			counts.works += count_parts(queue, submit->pCommandBuffers[i]);
		chain_copy(&copy, submit->pNext);
		break;
	case SUBMIT2:
		counts.waits = submit2->waitSemaphoreInfoCount;
		counts.signals = submit2->signalSemaphoreInfoCount;
		for (uint32_t i = 0; i < counts.waits; i++)
			chain_copy(&copy, submit2->pWaitSemaphoreInfos[i].pNext);
		for (uint32_t i = 0; i < counts.signals; i++)
			chain_copy(&copy, submit2->pSignalSemaphoreInfos[i].pNext);
		for (uint32_t i = 0; i < submit2->commandBufferInfoCount; i++) {
			const VkCommandBufferSubmitInfo *cmd = &submit2->pCommandBufferInfos[i];

			counts.works += count_parts(queue, cmd->commandBuffer);
			chain_copy(&copy, cmd->pNext);
		}
		chain_copy(&copy, submit2->pNext);
		break;
	case BIND_SPARSE:
		counts.waits = bind->waitSemaphoreCount;
		counts.signals = bind->signalSemaphoreCount;
		chain_copy(&copy, bind);
		break;
	}
	counts.chains = copy.size;
	return counts;
}

/* Adds the parts of a command buffer, each with the mask and the chain of the whole. */
static void add_works(struct submission *submission, VkCommandBuffer handle, uint32_t mask,
		      const void *next)
{
	const struct cmd *cmd = commands_find(submission->queue->device, handle);
	struct work *work = &submission->works[submission->work_count];

	if (!cmd) {
		work->cmd = handle;
		work->device_mask = mask;
		work->next = next;
		work->works = true;
		submission->work_count++;
		return;
	}
	query_events_copy(&submission->query_events, &cmd->events, submission->work_count);
	for (unsigned int i = 0; i < cmd->part_count; i++, work++) {
		const struct part *part = &cmd->parts[i];

		work->cmd = part->handle;
		work->device_mask = mask;
		work->next = next;
		work->works = part->works;
		work->types = part->types;
		work->joined = part->joined;
		work->query = part->query;
		submission->profiled |= !!part->query.pool;
		if (submission->profiled)
			work->label = labels_of_part(submission->queue, cmd, part);
	}
	if (submission->carries)
		labels_carry(submission->queue, cmd);
	submission->work_count += cmd->part_count;
	submission->rebuilt |= cmd->part_count > 1;
}

static uint64_t value_at(const uint64_t *values, uint32_t count, uint32_t i)
{
	return values && i < count ? values[i] : 0;
}

static uint32_t number_at(const uint32_t *numbers, uint32_t count, uint32_t i, uint32_t otherwise)
{
	return numbers && i < count ? numbers[i] : otherwise;
}

static bool is_dropped(const struct submission *submission, const VkBaseOutStructure *at)
{
	if (chain_is_boundary(at))
		return submission->queue->device->hides_boundaries;
	switch (at->sType) {
	/* The values, indices and masks are those of each piece. */
	case VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO:
	case VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO:
		return true;
	/* The driver does not have the extension that the layer offers. */
	case VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR:
		return settings_get()->mode == MODE_QUERIES;
	default:
		return false;
	}
}

/* Makes the chains of pieces of a copied one. A frame ends behind the last piece only. */
static void sort_chain(struct submission *submission, void *chain)
{
	VkBaseOutStructure *at = chain, *all = NULL, **all_end = &all, *last = NULL,
			   **last_end = &last;

	while (at && chain_is_known(at)) {
		VkBaseOutStructure *next = at->pNext;

		if (is_dropped(submission, at)) {
			submission->rebuilt |= chain_is_boundary(at) || at->sType ==
				VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR;
		} else if (chain_is_boundary(at)) {
			*last_end = at;
			last_end = &at->pNext;
		} else {
			*all_end = at;
			all_end = &at->pNext;
		}
		at = next;
	}
	/* What could not be copied. */
	*all_end = at;
	*last_end = all;
	submission->chain = all;
	submission->last_chain = last;
	submission->own_points = chain_find(at, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
	submission->own_group = chain_find(at, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO);
}

/* What vkQueueSubmit() and vkQueueBindSparse() have in common. */
static void fill_semaphores(struct submission *submission, const void *chain,
			    uint32_t wait_count, const VkSemaphore *waits,
			    uint32_t signal_count, const VkSemaphore *signals)
{
	static const VkTimelineSemaphoreSubmitInfo no_points;
	const VkTimelineSemaphoreSubmitInfo *points =
		chain_find(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);

	if (!points)
		points = &no_points;
	submission->wait_count = wait_count;
	for (uint32_t i = 0; i < wait_count; i++) {
		submission->waits[i].semaphore = waits[i];
		submission->waits[i].value = value_at(points->pWaitSemaphoreValues,
						      points->waitSemaphoreValueCount, i);
	}
	submission->signal_count = signal_count;
	for (uint32_t i = 0; i < signal_count; i++) {
		submission->signals[i].semaphore = signals[i];
		submission->signals[i].value = value_at(points->pSignalSemaphoreValues,
							points->signalSemaphoreValueCount, i);
	}
}

static void fill_submit(struct submission *submission, const VkSubmitInfo *info,
			struct chain_copy *copy)
{
	static const VkDeviceGroupSubmitInfo no_group;
	const VkDeviceGroupSubmitInfo *group =
		chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO);

	submission->group = group;
	if (!group)
		group = &no_group;
	fill_semaphores(submission, info->pNext, info->waitSemaphoreCount, info->pWaitSemaphores,
			info->signalSemaphoreCount, info->pSignalSemaphores);
	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
		submission->waits[i].stages = info->pWaitDstStageMask[i];
		submission->waits[i].device_index = number_at(group->pWaitSemaphoreDeviceIndices,
							      group->waitSemaphoreCount, i, 0);
	}
	for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
		submission->signals[i].device_index =
			number_at(group->pSignalSemaphoreDeviceIndices,
				  group->signalSemaphoreCount, i, 0);
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		add_works(submission, info->pCommandBuffers[i],
			  number_at(group->pCommandBufferDeviceMasks, group->commandBufferCount, i,
				    1), NULL);
	sort_chain(submission, chain_copy(copy, info->pNext));
}

static void fill_op(struct semaphore_op *op, const VkSemaphoreSubmitInfo *info,
		    struct chain_copy *copy)
{
	op->semaphore = info->semaphore;
	op->value = info->value;
	op->stages = info->stageMask;
	op->device_index = info->deviceIndex;
	op->next = chain_copy(copy, info->pNext);
}

static void fill_submit2(struct submission *submission, const VkSubmitInfo2 *info,
			 struct chain_copy *copy)
{
	submission->flags = info->flags;
	submission->wait_count = info->waitSemaphoreInfoCount;
	for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
		fill_op(&submission->waits[i], &info->pWaitSemaphoreInfos[i], copy);
	submission->signal_count = info->signalSemaphoreInfoCount;
	for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
		fill_op(&submission->signals[i], &info->pSignalSemaphoreInfos[i], copy);
	for (uint32_t i = 0; i < info->commandBufferInfoCount; i++) {
		const VkCommandBufferSubmitInfo *cmd = &info->pCommandBufferInfos[i];

		add_works(submission, cmd->commandBuffer, cmd->deviceMask,
			  chain_copy(copy, cmd->pNext));
	}
	sort_chain(submission, chain_copy(copy, info->pNext));
}

static void fill_bind(struct submission *submission, const VkBindSparseInfo *info,
		      struct chain_copy *copy)
{
	VkBindSparseInfo *bind;

	submission->profiled = false;
	fill_semaphores(submission, info->pNext, info->waitSemaphoreCount, info->pWaitSemaphores,
			info->signalSemaphoreCount, info->pSignalSemaphores);
	bind = chain_copy(copy, info);
	submission->bind = bind;
	if (submission->queue->device->hides_boundaries)
		submission->rebuilt |= chain_remove_boundaries(bind);
}

static void find_semaphores(struct submission *submission)
{
	struct device *device = submission->queue->device;

	gpu_lock(device->gpu);
	for (uint32_t i = 0; i < submission->wait_count; i++) {
		struct semaphore_op *op = &submission->waits[i];

		op->object = semaphore_get(semaphores_find(device, op->semaphore));
		op->replaced = op->object && semaphore_is_replaced(op->object);
	}
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		struct semaphore_op *op = &submission->signals[i];

		op->object = semaphore_get(semaphores_find(device, op->semaphore));
	}
	gpu_unlock(device->gpu);
}

/* Where the parts of a submission are in its memory. The last one is for copies. */
static size_t lay_out(struct submission *submission, enum submission_kind kind,
		      const struct counts *counts)
{
	const size_t waits = ALIGNED(sizeof(*submission));
	const size_t signals = waits + (counts->waits + 1) * sizeof(struct semaphore_op);
	const size_t works = signals + (counts->signals + 1) * sizeof(struct semaphore_op);
	const size_t scratch = works + counts->works * sizeof(struct work);

	if (submission) {
		submission->waits = (void *)((char *)submission + waits);
		submission->signals = (struct semaphore_op *)((char *)submission + signals) + 1;
		submission->works = (void *)((char *)submission + works);
		submission->scratch = (char *)submission + scratch;
	}
	return scratch + driver_size(kind, counts->waits + 1, counts->works, counts->signals + 1);
}

/**
 * submission_size() - Bytes that submission_fill() needs
 * @queue: The queue.
 * @kind: The call.
 * @info: Its structure: VkSubmitInfo, VkSubmitInfo2, VkBindSparseInfo; %NULL: a fence alone.
 *
 * Return: The number of bytes.
 */
size_t submission_size(struct queue *queue, enum submission_kind kind, const void *info)
{
	const struct counts counts = count(queue, kind, info);

	return lay_out(NULL, kind, &counts) + counts.chains;
}

/**
 * submission_fill() - Copy a submission into memory
 * @memory: The memory, which is zero.
 * @queue: The queue.
 * @kind: The call.
 * @info: Its structure.
 * @frames: Frames that end before it in the call.
 * @carries: Labels that its command buffers begin are those of the next ones of the queue.
 *
 * It has no other effect before submission_accept().
 *
 * Return: The submission, to be released by submission_release().
 */
struct submission *submission_fill(void *memory, struct queue *queue, enum submission_kind kind,
				   const void *info, uint64_t frames, bool carries)
{
	const struct counts counts = count(queue, kind, info);
	struct submission *submission = memory;
	struct chain_copy copy = { .memory = memory };
	const void *chain;

	copy.size = lay_out(submission, kind, &counts);
	submission->queue = queue;
	submission->kind = kind;
	submission->carries = carries;
	submission->frame = frames_number(queue->device) + frames;
	submission->profiled = settings_get()->mode == MODE_PROFILE &&
			       settings_get()->unit != UNIT_FRAME &&
			       settings_frame(settings_get(), submission->frame);
	if (info) {
		/* It stands behind the type in each of these structures. */
		chain = ((const VkBaseInStructure *)info)->pNext;
		submission->marks_end = chain_ends_frame(chain, &submission->frame_id);
		submission->ends_frame = frames_will_end(queue->device, chain);
		switch (kind) {
		case SUBMIT:
			fill_submit(submission, info, &copy);
			break;
		case SUBMIT2:
			fill_submit2(submission, info, &copy);
			break;
		case BIND_SPARSE:
			fill_bind(submission, info, &copy);
			break;
		}
	}
	submission->known = !copy.unknown;
	if (submission->profiled && submission->known)
		submission->label = labels_of_queue(queue);
	find_semaphores(submission);
	return submission;
}

/**
 * submission_create() - Copy a submission
 * @queue: The queue.
 * @kind: The call.
 * @info: Its structure.
 * @frames: Frames that end before it in the call.
 *
 * Return: The submission; %NULL: there is no memory.
 */
struct submission *submission_create(struct queue *queue, enum submission_kind kind,
				     const void *info, uint64_t frames)
{
	void *memory = calloc(1, submission_size(queue, kind, info));

	return memory ? submission_fill(memory, queue, kind, info, frames, true) : NULL;
}

/** submission_has_work() - Has a submission something that the GPU executes? */
bool submission_has_work(const struct submission *submission)
{
	return submission->work_count || submission->bind;
}

/**
 * submission_accept() - The call will succeed: the queries of a submission are pending
 * @submission: The submission.
 *
 * It is for the frame that is now. For the unit of frames, that depends on when the driver gets it,
 * see marks_submitted().
 */
void submission_accept(struct submission *submission)
{
	struct device *device = submission->queue->device;
	unsigned int event = 0;
	uint64_t frame;
	uint32_t types;

	for (uint32_t i = 0; i < submission->work_count; i++) {
		if (submission->works[i].query.pool)
			query_submitted(&submission->works[i].query);
		query_events_submit(&submission->query_events, i, &event);
	}
	if (submission_has_work(submission) || submission->ends_frame)
		frames_accept_submission(device, submission->ends_frame);
	if (settings_are_ordered())
		frames_count_submission(submission, &frame, &types);
	gpu_lock(device->gpu);
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		if (submission->signals[i].object)
			semaphore_set_ends_frame(submission->signals[i].object,
						 submission->marks_end);
	}
	gpu_unlock(device->gpu);
}

/** submission_fail_queries() - Its queries that have no sample yet will have none. */
void submission_fail_queries(const struct submission *submission)
{
	for (uint32_t i = 0; i < submission->work_count; i++) {
		if (submission->works[i].query.pool)
			query_fail(&submission->works[i].query);
	}
}

/**
 * submission_promise() - What a submission signals will be signalled
 * @submission: The submission, which has its turn. The lock of the GPU is held.
 */
void submission_promise(const struct submission *submission)
{
	query_events_run(&submission->query_events);
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		if (submission->signals[i].object)
			semaphore_promise(submission->signals[i].object,
					  submission->signals[i].value);
	}
}

/** submission_release() - The opposite of submission_fill(). */
void submission_release(struct submission *submission)
{
	for (uint32_t i = 0; i < submission->wait_count; i++)
		semaphore_put(submission->waits[i].object);
	for (uint32_t i = 0; i < submission->signal_count; i++)
		semaphore_put(submission->signals[i].object);
	for (uint32_t i = 0; i < submission->work_count; i++)
		free(submission->works[i].label);
	free(submission->label);
	query_events_clear(&submission->query_events);
}

/** submission_free() - Free a submission. */
void submission_free(struct submission *submission)
{
	submission_release(submission);
	free(submission);
}
