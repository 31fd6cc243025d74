// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Submissions as the driver gets them, by the call that the application has used. The memory for
 * it is the submission's, so that nothing can fail here but the driver.
 */

#include <time.h>

#include "driver.h"
#include "frames.h"
#include "layer.h"

/* A driver that has no memory gets a submission so many times, with so many ns between. */
#define TRIES		20
#define TRY_NS		50000000

/**
 * struct scratch - memory that is given out in aligned pieces
 */
struct scratch {
	/** @memory: The memory. %NULL: only @size is counted. */
	char *memory;

	/** @size: Bytes that were given out. */
	size_t size;
};

static void *give(struct scratch *scratch, size_t count, size_t size)
{
	char *given = scratch->memory ? scratch->memory + scratch->size : NULL;

	scratch->size += ALIGNED(count * size);
	return given;
}

/**
 * struct arrays - what a call of the driver gets, beside structures that are on the stack
 */
struct arrays {
	/** @ops: Waits, and then signals, of vkQueueSubmit2(). */
	VkSemaphoreSubmitInfo *ops;

	/** @infos: Command buffers of vkQueueSubmit2(). */
	VkCommandBufferSubmitInfo *infos;

	/** @semaphores: Waits, and then signals, of vkQueueSubmit(). */
	VkSemaphore *semaphores;

	/** @values: Their points. */
	uint64_t *values;

	/** @indices: Their devices. */
	uint32_t *indices;

	/** @stages: Stages of the waits. */
	VkPipelineStageFlags *stages;

	/** @cmds: Command buffers of vkQueueSubmit(). */
	VkCommandBuffer *cmds;

	/** @masks: Their devices. */
	uint32_t *masks;
};

static struct arrays lay_out(struct scratch *scratch, enum submission_kind kind, uint32_t waits,
			     uint32_t works, uint32_t signals)
{
	const size_t ops = (size_t)waits + signals;
	struct arrays arrays = { 0 };

	switch (kind) {
	case SUBMIT:
		arrays.semaphores = give(scratch, ops, sizeof(*arrays.semaphores));
		arrays.values = give(scratch, ops, sizeof(*arrays.values));
		arrays.indices = give(scratch, ops, sizeof(*arrays.indices));
		arrays.stages = give(scratch, waits, sizeof(*arrays.stages));
		arrays.cmds = give(scratch, works, sizeof(*arrays.cmds));
		arrays.masks = give(scratch, works, sizeof(*arrays.masks));
		break;
	case SUBMIT2:
		arrays.ops = give(scratch, ops, sizeof(*arrays.ops));
		arrays.infos = give(scratch, works, sizeof(*arrays.infos));
		break;
	case BIND_SPARSE:
		break;
	}
	return arrays;
}

/**
 * driver_size() - Bytes of memory that a submission has for driver_submit()
 * @kind: By which call it came.
 * @waits: Most waits of a piece.
 * @works: Most command buffers.
 * @signals: Most signals.
 *
 * Return: The number of bytes.
 */
size_t driver_size(enum submission_kind kind, uint32_t waits, uint32_t works, uint32_t signals)
{
	struct scratch scratch = { 0 };

	lay_out(&scratch, kind, waits, works, signals);
	return scratch.size;
}

static const struct semaphore_op *op_of(const struct piece *piece, uint32_t i)
{
	return i < piece->wait_count ? &piece->waits[i] : &piece->signals[i - piece->wait_count];
}

static VkResult submit2(const struct piece *piece, const struct arrays *arrays)
{
	struct device *device = piece->submission->queue->device;
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.pNext = piece->chain,
		.flags = piece->submission->flags,
		.waitSemaphoreInfoCount = piece->wait_count,
		.pWaitSemaphoreInfos = arrays->ops,
		.commandBufferInfoCount = piece->work_count,
		.pCommandBufferInfos = arrays->infos,
		.signalSemaphoreInfoCount = piece->signal_count,
		.pSignalSemaphoreInfos = arrays->ops + piece->wait_count,
	};

	for (uint32_t i = 0; i < piece->wait_count + piece->signal_count; i++) {
		const struct semaphore_op *op = op_of(piece, i);

		arrays->ops[i] = (VkSemaphoreSubmitInfo) {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
			.pNext = op->next,
			.semaphore = op->semaphore,
			.value = op->value,
			.stageMask = op->stages,
			.deviceIndex = op->device_index,
		};
	}
	for (uint32_t i = 0; i < piece->work_count; i++) {
		arrays->infos[i] = (VkCommandBufferSubmitInfo) {
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.pNext = piece->works[i].next,
			.commandBuffer = piece->works[i].cmd,
			.deviceMask = piece->works[i].device_mask,
		};
	}
	return (device->vk.QueueSubmit2 ? device->vk.QueueSubmit2 : device->vk.QueueSubmit2KHR)
		(piece->submission->queue->handle, 1, &info, piece->fence);
}

static VkResult submit1(const struct piece *piece, const struct arrays *arrays)
{
	const struct submission *submission = piece->submission;
	VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.waitSemaphoreCount = piece->wait_count,
		.pWaitSemaphoreDeviceIndices = arrays->indices,
		.commandBufferCount = piece->work_count,
		.pCommandBufferDeviceMasks = arrays->masks,
		.signalSemaphoreCount = piece->signal_count,
		.pSignalSemaphoreDeviceIndices = arrays->indices + piece->wait_count,
	};
	VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = piece->wait_count,
		.pWaitSemaphoreValues = arrays->values,
		.signalSemaphoreValueCount = piece->signal_count,
		.pSignalSemaphoreValues = arrays->values + piece->wait_count,
	};
	VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = piece->chain,
		.waitSemaphoreCount = piece->wait_count,
		.pWaitSemaphores = arrays->semaphores,
		.pWaitDstStageMask = arrays->stages,
		.commandBufferCount = piece->work_count,
		.pCommandBuffers = arrays->cmds,
		.signalSemaphoreCount = piece->signal_count,
		.pSignalSemaphores = arrays->semaphores + piece->wait_count,
	};

	for (uint32_t i = 0; i < piece->wait_count + piece->signal_count; i++) {
		const struct semaphore_op *op = op_of(piece, i);

		arrays->semaphores[i] = op->semaphore;
		arrays->values[i] = op->value;
		arrays->indices[i] = op->device_index;
		if (i < piece->wait_count)
			arrays->stages[i] = op->stages;
	}
	for (uint32_t i = 0; i < piece->work_count; i++) {
		arrays->cmds[i] = piece->works[i].cmd;
		arrays->masks[i] = piece->works[i].device_mask;
	}
	/*
	 * What the application has behind a structure that is not known stays there. Masks are for
	 * its own command buffers, so that those of their parts come before it: the driver takes
	 * the first structure of a type.
	 */
	if (submission->group && (!submission->own_group || submission->rebuilt)) {
		group.pNext = info.pNext;
		info.pNext = &group;
	}
	if (!submission->own_points) {
		points.pNext = info.pNext;
		info.pNext = &points;
	}
	return submission->queue->device->vk.QueueSubmit(submission->queue->handle, 1, &info,
							 piece->fence);
}

/**
 * driver_submit() - Hand a piece of a submission to the driver
 * @piece: The piece.
 *
 * Only one thread at a time may hand pieces of a submission to the driver.
 *
 * Return: as vkQueueSubmit().
 */
VkResult driver_submit(const struct piece *piece)
{
	const struct submission *submission = piece->submission;
	struct queue *queue = submission->queue;
	struct scratch scratch = { .memory = submission->scratch };
	const struct arrays arrays = lay_out(&scratch, submission->kind, piece->wait_count,
					     piece->work_count, piece->signal_count);
	VkResult result = VK_SUCCESS;

	queue_begin_call(queue);
	if (submission_has_work(submission))
		frames_record_start(queue->device);
	switch (submission->kind) {
	case SUBMIT:
		result = submit1(piece, &arrays);
		break;
	case SUBMIT2:
		result = submit2(piece, &arrays);
		break;
	case BIND_SPARSE:
		result = queue->device->vk.QueueBindSparse(queue->handle, submission->bind ? 1 : 0,
							   submission->bind, piece->fence);
		break;
	}
	queue_end_call(queue);
	return result;
}

/**
 * driver_submit_surely() - Hand a piece of a submission to the driver, which may have no memory now
 * @piece: The piece.
 *
 * The call of the application has returned, so that a failure means a lost device. The function
 * tries several times.
 *
 * Return: as vkQueueSubmit().
 */
VkResult driver_submit_surely(const struct piece *piece)
{
	VkResult result = driver_submit(piece);

	for (unsigned int i = 1; i < TRIES && (result == VK_ERROR_OUT_OF_HOST_MEMORY ||
					       result == VK_ERROR_OUT_OF_DEVICE_MEMORY); i++) {
		nanosleep(&(struct timespec) { .tv_nsec = TRY_NS }, NULL);
		result = driver_submit(piece);
	}
	return result;
}

/** driver_piece_whole() - A submission as one piece, as the application has made it. */
struct piece driver_piece_whole(const struct submission *submission)
{
	return (struct piece) {
		.submission = submission,
		.chain = submission->last_chain,
		.waits = submission->waits,
		.wait_count = submission->wait_count,
		.works = submission->works,
		.work_count = submission->work_count,
		.signals = submission->signals,
		.signal_count = submission->signal_count,
		.fence = submission->fence,
	};
}
