// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-steps [FILE]
 *        vk-steps --short SECONDS PAUSE_MS
 *        vk-steps --costs
 *
 * One step for each thing that a Vulkan command buffer can do, on an unmodified driver, and a sample of
 * a manual session behind each. What a step costs the GPU is known from the step: so many dispatches are
 * so many compute jobs. FILE gets the samples, for the comparer. Without it, nothing is counted.
 *
 * Of a step that the driver may do in several ways, such as a fill by a shader or by a command, only the
 * costs are judged that all ways have.
 *
 * The command buffers of a step have its name as a label. --costs prints what each step costs: its name, and the number
 * of each thing that it costs, separated by tabs; "-" is up to the driver.
 */

#include "steps.h"
#include "vk.h"

/* ---- Steps in one command buffer ---- */

static void record_nothing(struct vk *vk, VkCommandBuffer cmd)
{
}

static void record_event(struct vk *vk, VkCommandBuffer cmd)
{
	const VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };

	vk_check(vkCreateEvent(vk->device, &info, NULL, &vk->event), "vkCreateEvent");
	vkCmdSetEvent(cmd, vk->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	vkCmdWaitEvents(cmd, 1, &vk->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
	vkCmdResetEvent(cmd, vk->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

static void record_fill(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdFillBuffer(cmd, vk->words[1], 0, VK_WHOLE_SIZE, 0x12345678);
}

static void record_update(struct vk *vk, VkCommandBuffer cmd)
{
	static const uint32_t words[64] = { 1, 2, 3 };

	vkCmdUpdateBuffer(cmd, vk->words[1], 0, sizeof(words), words);
}

static void record_copy(struct vk *vk, VkCommandBuffer cmd)
{
	const VkBufferCopy region = { 0, 0, WORDS_SIZE };

	vkCmdCopyBuffer(cmd, vk->words[0], vk->words[1], 1, &region);
}

static void bind_compute(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->compute);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &vk->set, 0,
				NULL);
}

static void record_dispatch(struct vk *vk, VkCommandBuffer cmd)
{
	bind_compute(vk, cmd);
	vkCmdDispatch(cmd, GROUPS, 1, 1);
}

static void record_many(struct vk *vk, VkCommandBuffer cmd)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
	};

	bind_compute(vk, cmd);
	for (int i = 0; i < MANY; i++) {
		vkCmdDispatch(cmd, 1, 1, 1);
		vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
				     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL,
				     0, NULL);
	}
}

static void record_indirect(struct vk *vk, VkCommandBuffer cmd)
{
	const VkDispatchIndirectCommand groups = { 8, 4, 2 };

	memcpy(vk_map(vk, 1), &groups, sizeof(groups));
	vkUnmapMemory(vk->device, vk->memory[1]);
	bind_compute(vk, cmd);
	vkCmdDispatchIndirect(cmd, vk->words[1], 0);
}

static void begin_pass(struct vk *vk, VkCommandBuffer cmd)
{
	const VkClearValue clear = { .color.float32 = { 0, 0.5f, 1, 1 } };
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = vk->render_pass,
		.framebuffer = vk->framebuffer,
		.renderArea = { { 0, 0 }, { TARGET_SIZE, TARGET_SIZE } },
		.clearValueCount = 1,
		.pClearValues = &clear,
	};

	vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void record_clear(struct vk *vk, VkCommandBuffer cmd)
{
	begin_pass(vk, cmd);
	vkCmdEndRenderPass(cmd);
}

static void record_draw(struct vk *vk, VkCommandBuffer cmd)
{
	begin_pass(vk, cmd);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRenderPass(cmd);
}

static void record_occlusion(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdResetQueryPool(cmd, vk->occlusion, 0, 1);
	begin_pass(vk, cmd);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
	vkCmdBeginQuery(cmd, vk->occlusion, 0, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndQuery(cmd, vk->occlusion, 0);
	vkCmdEndRenderPass(cmd);
}

static void record_timestamps(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdResetQueryPool(cmd, vk->timestamps, 0, 2);
	vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, vk->timestamps, 0);
	bind_compute(vk, cmd);
	vkCmdDispatch(cmd, 1, 1, 1);
	vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, vk->timestamps, 1);
}

static void record_secondary(struct vk *vk, VkCommandBuffer cmd)
{
	const char *label = vk->label;
	VkCommandBuffer secondary;

	/* The label is that of the primary one. */
	vk->label = NULL;
	secondary = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
	bind_compute(vk, secondary);
	vkCmdDispatch(secondary, 1, 1, 1);
	vk_end(vk, secondary);
	vk->label = label;
	/* It lives as long as its pool. */
	vkCmdExecuteCommands(cmd, 1, &secondary);
	vkCmdExecuteCommands(cmd, 1, &secondary);
}

/* ---- Steps of several submissions ---- */

static VkCommandBuffer dispatch(struct vk *vk)
{
	VkCommandBuffer cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	bind_compute(vk, cmd);
	vkCmdDispatch(cmd, 1, 1, 1);
	vk_end(vk, cmd);
	return cmd;
}

/* The second submission comes first, and waits for the first one. The host waits for both. */
static void submit_timeline(struct vk *vk)
{
	const VkSemaphoreTypeCreateInfoKHR type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE_KHR,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	const uint64_t one = 1, two = 2, three = 3;
	const VkTimelineSemaphoreSubmitInfoKHR first = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO_KHR,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &one,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &two,
	};
	const VkTimelineSemaphoreSubmitInfoKHR second = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO_KHR,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &two,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &three,
	};
	PFN_vkWaitSemaphoresKHR wait =
		(PFN_vkWaitSemaphoresKHR)vkGetDeviceProcAddr(vk->device, "vkWaitSemaphoresKHR");
	PFN_vkSignalSemaphoreKHR signal =
		(PFN_vkSignalSemaphoreKHR)vkGetDeviceProcAddr(vk->device, "vkSignalSemaphoreKHR");
	VkSemaphoreSignalInfoKHR signal_info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO_KHR,
		.value = one,
	};
	VkSemaphoreWaitInfoKHR wait_info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO_KHR,
		.semaphoreCount = 1,
		.pValues = &three,
	};
	const VkCommandBuffer cmds[] = { dispatch(vk), dispatch(vk) };
	VkSemaphore timeline;

	vk_check(vkCreateSemaphore(vk->device, &info, NULL, &timeline), "vkCreateSemaphore");
	vk_submit(vk, vk->queues[0], &cmds[0], 1, &first, 1, &timeline, 1, &timeline);
	vk_submit(vk, vk->queues[0], &cmds[1], 1, &second, 1, &timeline, 1, &timeline);
	signal_info.semaphore = timeline;
	vk_check(signal(vk->device, &signal_info), "vkSignalSemaphore");
	wait_info.pSemaphores = &timeline;
	vk_check(wait(vk->device, &wait_info, TIMEOUT_NS), "vkWaitSemaphores");
	vk_wait(vk);
	vkDestroySemaphore(vk->device, timeline, NULL);
}

/* A chain of two queues, if there are two. */
static void submit_queues(struct vk *vk)
{
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	const VkCommandBuffer cmds[] = { dispatch(vk), dispatch(vk) };
	VkQueue other = vk->queues[1] ? vk->queues[1] : vk->queues[0];
	VkSemaphore done;

	vk_check(vkCreateSemaphore(vk->device, &info, NULL, &done), "vkCreateSemaphore");
	vk_submit(vk, vk->queues[0], &cmds[0], 1, NULL, 0, NULL, 1, &done);
	vk_submit(vk, other, &cmds[1], 1, NULL, 1, &done, 0, NULL);
	vk_wait(vk);
	vkDestroySemaphore(vk->device, done, NULL);
}

/**
 * struct vk_step - how a step is done
 */
struct vk_step {
	/** @step: Its name and cost. */
	struct step step;

	/** @record: Records a command buffer, which is submitted once; or NULL. */
	void (*record)(struct vk *vk, VkCommandBuffer cmd);

	/** @run: Submits, and waits. */
	void (*run)(struct vk *vk);
};

static const struct vk_step steps[] = {
	{ { "an empty submission" }, record_nothing },
	{ { "an event" }, record_event },
	{ { "a fill", { ANY, ANY } }, record_fill },
	{ { "an update", { ANY, ANY } }, record_update },
	{ { "a copy", { ANY, ANY } }, record_copy },
	{ { "a dispatch", { 1, WARPS(GROUPS) } }, record_dispatch },
	{ { "50 dispatches", { MANY, WARPS(MANY) } }, record_many },
	{ { "an indirect dispatch", { 1, WARPS(8 * 4 * 2) } }, record_indirect },
	{ { "a clear", { .fragment = 1, .tiles = TILES } }, record_clear },
	{ { "a draw", { .tiler = 1, .triangles = 1, .fragment = 1, .tiles = TILES } }, record_draw },
	{ { "an occlusion query", { ANY, ANY, 1, 1, 1, TILES } }, record_occlusion },
	{ { "time stamps", { 1, WARPS(1) } }, record_timestamps },
	{ { "a secondary command buffer, twice", { 2, WARPS(2) } }, record_secondary },
	{ { "a timeline semaphore", { 2, WARPS(2) } }, NULL, submit_timeline },
	{ { "two queues", { 2, WARPS(2) } }, NULL, submit_queues },
};

static void print_costs(void)
{
	for (size_t i = 0; i < COUNT(counters); i++)
		printf("\t%s", counters[i].name);
	printf("\n");
	for (size_t i = 0; i < COUNT(steps); i++) {
		const uint64_t *cost = (const uint64_t *)&steps[i].step.cost;

		printf("%s", steps[i].step.name);
		for (size_t n = 0; n < COUNT(counters); n++) {
			if (cost[n] == ANY)
				printf("\t-");
			else
				printf("\t%llu", (unsigned long long)cost[n]);
		}
		printf("\n");
	}
}

static void run(struct vk *vk, const struct vk_step *step)
{
	VkCommandBuffer cmd;

	vk->label = step->step.name;
	if (step->run) {
		step->run(vk);
		return;
	}
	cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	step->record(vk, cmd);
	vk_end(vk, cmd);
	vk_submit(vk, vk->queues[0], &cmd, 1, NULL, 0, NULL, 0, NULL);
	vk_wait(vk);
	vkFreeCommandBuffers(vk->device, vk->pool, 1, &cmd);
}

/* The GPU's time of a step lies between the samples before and behind it. */
static void check_timestamps(struct vk *vk, uint64_t before, uint64_t behind)
{
	uint64_t ticks[2] = { 0 };

	vk_check(vkGetQueryPoolResults(vk->device, vk->timestamps, 0, COUNT(ticks), sizeof(ticks),
				       ticks, sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT),
		 "vkGetQueryPoolResults");
	check(before < ticks[0] && ticks[0] < ticks[1] && ticks[1] < behind,
	      "time stamps %llu and %llu lie between those of samples, %llu and %llu",
	      (unsigned long long)ticks[0], (unsigned long long)ticks[1],
	      (unsigned long long)before, (unsigned long long)behind);
}

/*
 * The GPU loads the size of an indirect dispatch from memory that is freed: it faults, and the device is lost. The
 * counters go on, and a new device works.
 */
static void lose_device(struct vk *vk)
{
	static const struct vk_step again = { { "a dispatch on the next device", { 1, WARPS(GROUPS) } },
					      record_dispatch };
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkCommandBuffer cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};
	VkResult result;
	VkFence fence;

	record_indirect(vk, cmd);
	vk_end(vk, cmd);
	vkFreeMemory(vk->device, vk->memory[1], NULL);
	vk->memory[1] = VK_NULL_HANDLE;
	vk_check(vkCreateFence(vk->device, &info, NULL, &fence), "vkCreateFence");
	result = vkQueueSubmit(vk->queues[0], 1, &submit, fence);
	if (!result)
		result = vkWaitForFences(vk->device, 1, &fence, VK_TRUE, TIMEOUT_NS);
	/* A driver may notice only when it is used the next time. */
	if (!result)
		result = vkQueueSubmit(vk->queues[0], 0, NULL, VK_NULL_HANDLE);
	check(result == VK_ERROR_DEVICE_LOST, "a fault of the GPU: the device is lost (VkResult %d)", result);
	vkDestroyFence(vk->device, fence, NULL);
	vk_destroy_device(vk);
	vk_create_device(vk);
	check_errno("SAMPLE", session_sample(&perf.session, perf.nr), 0);
	next_sample();
	run(vk, &again);
	perf_step(&again.step);
}

static void vk_step(struct vk *vk, const struct vk_step *step)
{
	static uint64_t before;
	uint64_t behind = perf_step(&step->step);

	if (step->record == record_timestamps)
		check_timestamps(vk, before, behind);
	before = behind;
}

/*
 * Short submissions with pauses, in which the GPU may be suspended: how long until a fence does not signal, and the
 * device is lost?
 */
static int submit_short(struct vk *vk, unsigned int seconds, unsigned int pause_ms)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const uint64_t begin = raw_ns();
	unsigned int count = 0;
	VkResult result = VK_SUCCESS;

	while (!result && raw_ns() - begin < seconds * NS_PER_S) {
		VkCommandBuffer cmd = dispatch(vk);
		const VkSubmitInfo submit = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmd,
		};
		VkFence fence;

		vk_check(vkCreateFence(vk->device, &info, NULL, &fence), "vkCreateFence");
		result = vkQueueSubmit(vk->queues[0], 1, &submit, fence);
		if (!result)
			result = vkWaitForFences(vk->device, 1, &fence, VK_TRUE, TIMEOUT_NS);
		vkDestroyFence(vk->device, fence, NULL);
		vkFreeCommandBuffers(vk->device, vk->pool, 1, &cmd);
		count++;
		usleep(pause_ms * 1000);
	}
	printf("# %u submissions in %.1f s, the last with VkResult %d\n", count,
	       (raw_ns() - begin) / 1e9, result);
	return result != VK_SUCCESS;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : NULL;
	struct vk vk = { 0 };

	if (argc == 4 && !strcmp(path, "--short")) {
		vk_create_instance(&vk);
		vk_create_device(&vk);
		return submit_short(&vk, atoi(argv[2]), atoi(argv[3]));
	}
	if (argc == 2 && !strcmp(path, "--costs")) {
		print_costs();
		return 0;
	}
	if (argc > 2) {
		fprintf(stderr, "usage: vk-steps [FILE]\n       vk-steps --short SECONDS PAUSE_MS\n       vk-steps --costs\n");
		return 2;
	}
	setlinebuf(stdout);
	vk_create_instance(&vk);
	printf("# %s, Vulkan %u.%u, %u queues, time stamps of %u bits\n", vk.properties.deviceName,
	       VK_API_VERSION_MAJOR(vk.properties.apiVersion),
	       VK_API_VERSION_MINOR(vk.properties.apiVersion), vk.queue_count, vk.timestamp_bits);
	vk_create_device(&vk);
	if (path)
		perf_start(path);
	for (size_t i = 0; i < COUNT(steps); i++) {
		if (steps[i].record == record_timestamps && !vk.timestamp_bits) {
			printf("# %s: the driver has none\n", steps[i].step.name);
			continue;
		}
		run(&vk, &steps[i]);
		if (path)
			vk_step(&vk, &steps[i]);
		else
			printf("# %s\n", steps[i].step.name);
	}
	if (path) {
		lose_device(&vk);
		perf_stop();
	}
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
