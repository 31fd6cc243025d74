// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Submissions: command buffers several times in one call and again, elements without command buffers, calls without elements,
 * chains, fences and semaphores that are signalled in order, and vkQueueBindSparse between submissions.
 */

#include <stdio.h>

#include "outside.h"

struct submits {
	struct app app;
	struct buffer buffer;
	VkPipeline mixer;
	uint32_t expected;
};

static VkCommandBuffer record(struct submits *submits, VkCommandBufferUsageFlags flags,
			      uint32_t value)
{
	struct app *app = &submits->app;
	VkCommandBuffer cmd = new_command_buffer(app, app->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	begin(cmd, flags);
	app_barrier(cmd);
	app_write(app, cmd, submits->mixer, &submits->buffer, 0, value);
	app_barrier(cmd);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void expect(struct submits *submits, uint32_t value)
{
	submits->expected = MIX(submits->expected, value);
}

static void verify(struct submits *submits, const char *text)
{
	check_words(submits->buffer.words, PART, submits->expected, text);
}

static void several_times(struct submits *submits)
{
	VkCommandBuffer twice = record(submits, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 5);
	VkCommandBuffer once = record(submits, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 6);
	const VkCommandBuffer cmds[] = { twice, once, twice, twice };
	struct app *app = &submits->app;
	VkSemaphore binary = new_semaphore(app, VK_SEMAPHORE_TYPE_BINARY, NULL);
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo infos[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = COUNT(cmds),
			.pCommandBuffers = cmds,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.signalSemaphoreCount = 1,
			.pSignalSemaphores = &binary,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.waitSemaphoreCount = 1,
			.pWaitSemaphores = &binary,
			.pWaitDstStageMask = &stage,
			.commandBufferCount = 1,
			.pCommandBuffers = &twice,
			.signalSemaphoreCount = 1,
			.pSignalSemaphores = &binary,
		},
	};
	const VkSubmitInfo wait = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &binary,
		.pWaitDstStageMask = &stage,
	};
	VkFence fence = new_fence(app, 0);

	need(vkQueueSubmit(app->queue, COUNT(infos), infos, fence), "vkQueueSubmit");
	need(vkQueueSubmit(app->queue, 1, &wait, VK_NULL_HANDLE), "vkQueueSubmit");
	need(vkQueueSubmit(app->queue, 0, NULL, VK_NULL_HANDLE), "vkQueueSubmit of nothing");
	need(vkQueueSubmit2(app->queue, 0, NULL, VK_NULL_HANDLE), "vkQueueSubmit2 of nothing");
	need(vkWaitForFences(app->device, 1, &fence, VK_FALSE, UINT64_MAX), "vkWaitForFences");
	expect(submits, 5);
	expect(submits, 6);
	expect(submits, 5);
	expect(submits, 5);
	expect(submits, 5);
	verify(submits, "one buffer several times in one call");
	/* One that was submitted once is recorded again without being reset, and freed behind its fence. */
	need(vkResetFences(app->device, 1, &fence), "vkResetFences");
	begin(once, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	app_write(app, once, submits->mixer, &submits->buffer, 0, 9);
	to_host(once);
	app_end(once);
	for (uint32_t i = 0; i < 2; i++)
		app_submit(app, twice);
	submit_between(app, once, (struct point) { 0 }, (struct point) { 0 }, fence);
	need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	vkFreeCommandBuffers(app->device, app->pool, 1, &once);
	expect(submits, 5);
	expect(submits, 5);
	expect(submits, 9);
	verify(submits, "the same buffers again");
	need(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
	vkFreeCommandBuffers(app->device, app->pool, 1, &twice);
	vkDestroySemaphore(app->device, binary, NULL);
	vkDestroyFence(app->device, fence, NULL);
}

/* Signals of fences and semaphores are in the order of the submissions. */
static void in_order(struct submits *submits)
{
	struct app *app = &submits->app;
	VkSemaphore timeline = new_timeline(app);
	VkFence fences[8];
	VkCommandBuffer cmd = record(submits, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 2);
	bool right = true, reached = true;

	for (uint32_t i = 0; i < COUNT(fences); i++) {
		fences[i] = new_fence(app, 0);
		/* Each third one has no command buffer. */
		submit_between(app, i % 3 == 2 ? NULL : cmd, (struct point) { 0 },
			       (struct point) { timeline, 10 * (i + 1) }, fences[i]);
		if (i % 3 != 2)
			expect(submits, 2);
	}
	for (uint32_t i = 0; i < COUNT(fences); i += 2) {
		need(vkWaitForFences(app->device, 1, &fences[i], VK_TRUE, TIMEOUT_NS),
		     "vkWaitForFences");
		/* Mesa signals a fence a moment before a timeline semaphore of the same submission. */
		reached &= counter(app, timeline) >= 10 * i;
		for (uint32_t j = 0; j < i; j++)
			right &= vkGetFenceStatus(app->device, fences[j]) == VK_SUCCESS;
	}
	check(right, "a fence is signalled behind all fences before it");
	check(reached, "a fence is signalled behind all semaphores before it");
	need(wait_for(app, timeline, 80, UINT64_MAX), "vkWaitSemaphores");
	check(counter(app, timeline) == 80, "the value of the last submission");
	check(vkGetFenceStatus(app->device, fences[6]) == VK_SUCCESS,
	      "a semaphore is signalled behind fences before it");
	need(vkWaitForFences(app->device, COUNT(fences), fences, VK_TRUE, TIMEOUT_NS),
	     "vkWaitForFences");
	verify(submits, "work behind fences");
	need(vkResetFences(app->device, COUNT(fences), fences), "vkResetFences");
	check(vkGetFenceStatus(app->device, fences[3]) == VK_NOT_READY, "a fence that was reset");
	need(vkQueueSubmit(app->queue, 0, NULL, fences[3]), "vkQueueSubmit of a fence");
	need(vkQueueSubmit2(app->queue, 0, NULL, fences[4]), "vkQueueSubmit2 of a fence");
	check(!vkWaitForFences(app->device, COUNT(fences), fences, VK_FALSE, TIMEOUT_NS),
	      "one of several fences");
	need(vkWaitForFences(app->device, 2, fences + 3, VK_TRUE, TIMEOUT_NS), "two fences");
	check(vkGetFenceStatus(app->device, fences[0]) == VK_NOT_READY, "the others are not");
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
	for (uint32_t i = 0; i < COUNT(fences); i++)
		vkDestroyFence(app->device, fences[i], NULL);
	vkDestroySemaphore(app->device, timeline, NULL);
}

/* Binary and timeline semaphores in one element, and each structure that may be in the chain. */
static void chains(struct submits *submits)
{
	struct app *app = &submits->app;
	VkCommandBuffer cmds[] = { record(submits, 0, 11), record(submits, 0, 12) };
	const VkSemaphore semaphores[] = {
		new_semaphore(app, VK_SEMAPHORE_TYPE_BINARY, NULL), new_timeline(app),
		new_timeline(app),
	};
	const VkPipelineStageFlags stages[] = { VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
						VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
						VK_PIPELINE_STAGE_TRANSFER_BIT };
	const uint64_t zeros[3] = { 0 }, first[] = { 12345, 7, 70 }, second[] = { 0, 7, 70 };
	const uint32_t indices[3] = { 0 }, masks[] = { 1, 1 };
	VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBufferDeviceMasks = masks,
		.signalSemaphoreCount = 3,
		.pSignalSemaphoreDeviceIndices = indices,
	};
	const VkProtectedSubmitInfo protected = {
		.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
		.pNext = &group,
	};
	const VkTimelineSemaphoreSubmitInfo signals = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.pNext = &protected,
		.signalSemaphoreValueCount = 3,
		.pSignalSemaphoreValues = first,
	};
	const VkTimelineSemaphoreSubmitInfo waits = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 3,
		.pWaitSemaphoreValues = second,
		/* Ignored: there is none. */
		.signalSemaphoreValueCount = 0,
		.pSignalSemaphoreValues = zeros,
	};
	const VkSubmitInfo infos[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &signals,
			.commandBufferCount = 1,
			.pCommandBuffers = cmds,
			.signalSemaphoreCount = 3,
			.pSignalSemaphores = semaphores,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &waits,
			.waitSemaphoreCount = 3,
			.pWaitSemaphores = semaphores,
			.pWaitDstStageMask = stages,
			.commandBufferCount = 1,
			.pCommandBuffers = cmds + 1,
		},
	};

	need(vkQueueSubmit(app->queue, COUNT(infos), infos, VK_NULL_HANDLE), "vkQueueSubmit");
	app_wait(app);
	expect(submits, 11);
	expect(submits, 12);
	verify(submits, "elements with chains");
	check(counter(app, semaphores[1]) == 7, "the first value");
	check(counter(app, semaphores[2]) == 70, "the second value");
	for (uint32_t i = 0; i < COUNT(semaphores); i++)
		vkDestroySemaphore(app->device, semaphores[i], NULL);
	vkFreeCommandBuffers(app->device, app->pool, 2, cmds);
}

static void bind_sparse(struct app *app, VkBuffer buffer, const VkSparseMemoryBind *bind,
			struct point wait, struct point signal, VkFence fence)
{
	const VkTimelineSemaphoreSubmitInfo timeline = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = wait.semaphore ? 1 : 0,
		.pWaitSemaphoreValues = &wait.value,
		.signalSemaphoreValueCount = signal.semaphore ? 1 : 0,
		.pSignalSemaphoreValues = &signal.value,
	};
	const VkSparseBufferMemoryBindInfo binds = { buffer, 1, bind };
	const VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = &timeline,
		.waitSemaphoreCount = timeline.waitSemaphoreValueCount,
		.pWaitSemaphores = &wait.semaphore,
		.bufferBindCount = bind ? 1 : 0,
		.pBufferBinds = &binds,
		.signalSemaphoreCount = timeline.signalSemaphoreValueCount,
		.pSignalSemaphores = &signal.semaphore,
	};

	need(vkQueueBindSparse(app->queue, 1, &info, fence), "vkQueueBindSparse");
}

/* A buffer has one memory, then another one, then the first one again. */
static void sparse(struct submits *submits)
{
	struct app *app = &submits->app;
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
		.size = 65536,
		.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
	};
	struct buffer result = app_buffer(app);
	VkSemaphore timeline = new_timeline(app);
	VkFence fence = new_fence(app, 0);
	VkSparseMemoryBind binds[3] = { 0 };
	VkCommandBuffer cmds[3];
	VkMemoryRequirements needs;
	VkBuffer buffer;

	need(vkCreateBuffer(app->device, &info, NULL, &buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(app->device, buffer, &needs);
	for (uint32_t i = 0; i < 3; i++) {
		const VkBufferCopy copy = { 0, i * PART * 4, PART * 4 };

		binds[i].size = needs.size;
		binds[i].memory = i == 2 ? binds[0].memory :
					   new_memory(app, needs.size, needs.memoryTypeBits, NULL);
		cmds[i] = app_begin(app);
		if (i < 2)
			vkCmdFillBuffer(cmds[i], buffer, 0, VK_WHOLE_SIZE, 100 + i);
		app_barrier(cmds[i]);
		vkCmdCopyBuffer(cmds[i], buffer, result.buffer, 1, &copy);
		to_host(cmds[i]);
		app_end(cmds[i]);
	}
	/* All of it waits for the host. */
	for (uint32_t i = 0; i < 3; i++) {
		bind_sparse(app, buffer, &binds[i], (struct point) { timeline, 10 * i + 1 },
			    (struct point) { timeline, 10 * i + 2 }, VK_NULL_HANDLE);
		submit_between(app, cmds[i], (struct point) { timeline, 10 * i + 2 },
			       (struct point) { timeline, 10 * i + 11 }, VK_NULL_HANDLE);
	}
	bind_sparse(app, buffer, NULL, (struct point) { timeline, 31 },
		    (struct point) { timeline, 40 }, VK_NULL_HANDLE);
	need(vkQueueBindSparse(app->queue, 0, NULL, fence), "vkQueueBindSparse of a fence");
	check(vkWaitForFences(app->device, 1, &fence, VK_TRUE, 1000000) == VK_TIMEOUT,
	      "vkQueueBindSparse waits");
	host_signal(app, timeline, 1);
	need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS), "vkWaitForFences");
	check(counter(app, timeline) == 40, "vkQueueBindSparse has signalled");
	check_words(result.words, PART, 100, "the first memory");
	check_words(result.words + PART, PART, 101, "the second memory");
	check_words(result.words + 2 * PART, PART, 100, "the first memory again");
	vkDestroyBuffer(app->device, buffer, NULL);
	for (uint32_t i = 0; i < 2; i++)
		vkFreeMemory(app->device, binds[i].memory, NULL);
	vkFreeCommandBuffers(app->device, app->pool, 3, cmds);
	vkDestroySemaphore(app->device, timeline, NULL);
	vkDestroyFence(app->device, fence, NULL);
	app_free_buffer(app, &result);
}

int main(void)
{
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
	};
	VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features13,
		.timelineSemaphore = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features12,
		.features.sparseBinding = VK_TRUE,
	};
	struct submits submits = { .app.features = &features };
	struct app *app = &submits.app;

	app_start(app);
	submits.buffer = app_buffer(app);
	submits.mixer = new_mixer(app);
	several_times(&submits);
	in_order(&submits);
	chains(&submits);
	sparse(&submits);
	vkDestroyPipeline(app->device, submits.mixer, NULL);
	app_free_buffer(app, &submits.buffer);
	app_finish(app);
	return 0;
}
