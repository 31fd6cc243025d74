// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Submissions as the driver gets them, by the call that the application has used. */

#include <stdlib.h>

#include "driver.h"
#include "gpu.h"
#include "layer.h"

static VkResult submit2(struct queue *queue, const struct semaphore_op *waits, uint32_t wait_count,
			const struct work *works, uint32_t work_count,
			const struct semaphore_op *signals, uint32_t signal_count, VkFence fence)
{
	VkSemaphoreSubmitInfo *infos = calloc(wait_count + signal_count + 1, sizeof(*infos));
	VkCommandBufferSubmitInfo *cmds = calloc(work_count + 1, sizeof(*cmds));
	VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.waitSemaphoreInfoCount = wait_count,
		.pWaitSemaphoreInfos = infos,
		.commandBufferInfoCount = work_count,
		.pCommandBufferInfos = cmds,
		.signalSemaphoreInfoCount = signal_count,
		.pSignalSemaphoreInfos = infos + wait_count,
	};
	struct device *device = queue->device;
	VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;

	if (infos && cmds) {
		for (uint32_t i = 0; i < wait_count + signal_count; i++) {
			const struct semaphore_op *op = i < wait_count ? &waits[i] :
							&signals[i - wait_count];

			infos[i].sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
			infos[i].semaphore = op->semaphore;
			infos[i].value = op->value;
			infos[i].stageMask = op->stages;
		}
		for (uint32_t i = 0; i < work_count; i++) {
			cmds[i].sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
			cmds[i].commandBuffer = works[i].cmd;
		}
		result = (device->vk.QueueSubmit2 ? device->vk.QueueSubmit2 :
			  device->vk.QueueSubmit2KHR)(queue->handle, 1, &info, fence);
	}
	free(infos);
	free(cmds);
	return result;
}

static VkResult submit1(struct queue *queue, const struct semaphore_op *waits, uint32_t wait_count,
			const struct work *works, uint32_t work_count,
			const struct semaphore_op *signals, uint32_t signal_count, VkFence fence)
{
	const uint32_t ops = wait_count + signal_count;
	VkPipelineStageFlags *stages = calloc(wait_count + 1, sizeof(*stages));
	VkSemaphore *semaphores = calloc(ops + 1, sizeof(*semaphores));
	VkCommandBuffer *cmds = calloc(work_count + 1, sizeof(*cmds));
	uint64_t *values = calloc(ops + 1, sizeof(*values));
	VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = wait_count,
		.pWaitSemaphoreValues = values,
		.signalSemaphoreValueCount = signal_count,
		.pSignalSemaphoreValues = values + wait_count,
	};
	VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = wait_count,
		.pWaitSemaphores = semaphores,
		.pWaitDstStageMask = stages,
		.commandBufferCount = work_count,
		.pCommandBuffers = cmds,
		.signalSemaphoreCount = signal_count,
		.pSignalSemaphores = semaphores + wait_count,
	};
	VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;

	if (stages && semaphores && cmds && values) {
		for (uint32_t i = 0; i < ops; i++) {
			const struct semaphore_op *op = i < wait_count ? &waits[i] :
							&signals[i - wait_count];

			semaphores[i] = op->semaphore;
			values[i] = op->value;
			if (i < wait_count)
				stages[i] = op->stages;
		}
		for (uint32_t i = 0; i < work_count; i++)
			cmds[i] = works[i].cmd;
		result = queue->device->vk.QueueSubmit(queue->handle, 1, &info, fence);
	}
	free(stages);
	free(semaphores);
	free(cmds);
	free(values);
	return result;
}

/**
 * driver_submit() - Hand a submission to the driver
 * @queue: The queue.
 * @version2: By vkQueueSubmit2(), as the application did.
 * @waits: Semaphores to wait for.
 * @wait_count: Their number.
 * @works: Command buffers.
 * @work_count: Their number.
 * @signals: Semaphores to signal.
 * @signal_count: Their number.
 * @fence: Fence to signal, or %VK_NULL_HANDLE.
 *
 * Return: as vkQueueSubmit().
 */
VkResult driver_submit(struct queue *queue, bool version2, const struct semaphore_op *waits,
		       uint32_t wait_count, const struct work *works, uint32_t work_count,
		       const struct semaphore_op *signals, uint32_t signal_count, VkFence fence)
{
	VkResult result;

	queue_begin_call(queue);
	result = version2 ? submit2(queue, waits, wait_count, works, work_count, signals,
				    signal_count, fence) :
			    submit1(queue, waits, wait_count, works, work_count, signals,
				    signal_count, fence);
	queue_end_call(queue);
	return result;
}
