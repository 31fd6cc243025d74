// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-steps [FILE]
 *
 * One step for each thing that a Vulkan command buffer can do, on an unmodified driver, and a sample of
 * a manual session behind each. What a step costs the GPU is known from the step: so many dispatches are
 * so many compute jobs. FILE gets the samples, for the comparer. Without it, nothing is counted.
 *
 * Of a step that the driver may do in several ways, such as a fill by a shader or by a command, only the
 * costs are judged that all ways have.
 */

#include "raw.h"
#include "vk.h"

#define SLOTS		8
#define TILE		16
#define TILES		((TARGET_SIZE / TILE) * (TARGET_SIZE / TILE))
#define WARP		16
#define GROUP		64
#define GROUPS		4096
#define MANY		50
#define ANY		UINT64_MAX
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct cost - what a step costs the GPU
 *
 * %ANY: that is up to the driver.
 */
struct cost {
	/** @compute: Compute jobs. */
	uint64_t compute;

	/** @warps: Warps of these. */
	uint64_t warps;

	/** @tiler: Vertex and tiler jobs. */
	uint64_t tiler;

	/** @triangles: Triangles of these. */
	uint64_t triangles;

	/** @fragment: Fragment jobs. */
	uint64_t fragment;

	/** @tiles: Tiles of these. */
	uint64_t tiles;
};

/* Where the counters of a cost are, up to architecture 12 and from 13 on. */
static const struct {
	const char *name;
	uint8_t block;
	uint8_t word[2];
} counters[] = {
	{ "compute jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 25, 33 } },
	{ "warps", DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, { 24, 24 } },
	{ "tiler jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 17, 65 } },
	{ "triangles", DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, { 6, 6 } },
	{ "fragment jobs", DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, { 33, 49 } },
	{ "tiles", DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, { 18, 18 } },
};

_Static_assert(sizeof(struct cost) == COUNT(counters) * sizeof(uint64_t), "the counters of a cost");

/* ---- Steps in one command buffer ---- */

static void record_nothing(struct vk *vk, VkCommandBuffer cmd)
{
}

static void record_event(struct vk *vk, VkCommandBuffer cmd)
{
	const VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	static VkEvent event;

	/* It lives as long as the device. */
	vk_check(vkCreateEvent(vk->device, &info, NULL, &event), "vkCreateEvent");
	vkCmdSetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	vkCmdWaitEvents(cmd, 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
	vkCmdResetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
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
	VkCommandBuffer secondary = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY);

	bind_compute(vk, secondary);
	vkCmdDispatch(secondary, 1, 1, 1);
	vk_end(secondary);
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
	vk_end(cmd);
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
	vk_check(wait(vk->device, &wait_info, 30000000000ull), "vkWaitSemaphores");
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
 * struct step - what a step does and costs
 */
struct step {
	/** @name: Name. */
	const char *name;

	/** @record: Records a command buffer, which is submitted once; or NULL. */
	void (*record)(struct vk *vk, VkCommandBuffer cmd);

	/** @run: Submits, and waits. */
	void (*run)(struct vk *vk);

	/** @cost: Cost. */
	struct cost cost;
};

#define WARPS(groups)	((groups) * GROUP / WARP)

static const struct step steps[] = {
	{ "an empty submission", record_nothing },
	{ "an event", record_event },
	{ "a fill", record_fill, .cost = { ANY, ANY } },
	{ "an update", record_update, .cost = { ANY, ANY } },
	{ "a copy", record_copy, .cost = { ANY, ANY } },
	{ "a dispatch", record_dispatch, .cost = { 1, WARPS(GROUPS) } },
	{ "50 dispatches", record_many, .cost = { MANY, WARPS(MANY) } },
	{ "an indirect dispatch", record_indirect, .cost = { 1, WARPS(8 * 4 * 2) } },
	{ "a clear", record_clear, .cost = { .fragment = 1, .tiles = TILES } },
	{ "a draw", record_draw,
	  .cost = { .tiler = 1, .triangles = 1, .fragment = 1, .tiles = TILES } },
	{ "an occlusion query", record_occlusion,
	  .cost = { ANY, ANY, 1, 1, 1, TILES } },
	{ "time stamps", record_timestamps, .cost = { 1, WARPS(1) } },
	{ "a secondary command buffer, twice", record_secondary, .cost = { 2, WARPS(2) } },
	{ "a timeline semaphore", NULL, submit_timeline, .cost = { 2, WARPS(2) } },
	{ "two queues", NULL, submit_queues, .cost = { 2, WARPS(2) } },
};

static void run(struct vk *vk, const struct step *step)
{
	VkCommandBuffer cmd;

	if (step->run) {
		step->run(vk);
		return;
	}
	cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	step->record(vk, cmd);
	vk_end(cmd);
	vk_submit(vk, vk->queues[0], &cmd, 1, NULL, 0, NULL, 0, NULL);
	vk_wait(vk);
	vkFreeCommandBuffers(vk->device, vk->pool, 1, &cmd);
}

/* ---- What the GPU counted ---- */

/* The sum of a counter over the blocks of a type. */
static uint64_t sum_of(const void *sample, const struct drm_panthor_perf_info *info, uint8_t type,
		       uint8_t word)
{
	const char *at = (const char *)sample + info->sample_header_size;
	const size_t size = info->block_header_size + 8 * info->counters_per_block;
	uint64_t sum = 0;

	for (; at + size <= (const char *)sample + info->sample_size; at += size) {
		const struct drm_panthor_perf_block_header *block = (const void *)at;
		const uint64_t *values = (const void *)(at + info->block_header_size);

		if (block->type == type)
			sum += values[word];
	}
	return sum;
}

static void check_cost(const struct step *step, const void *sample,
		       const struct drm_panthor_perf_info *info, bool new_words)
{
	const uint64_t *cost = (const uint64_t *)&step->cost;
	char text[256] = "";
	bool right = true;

	for (size_t i = 0; i < COUNT(counters); i++) {
		uint64_t got = sum_of(sample, info, counters[i].block, counters[i].word[new_words]);
		size_t length = strlen(text);

		if (cost[i] != ANY && cost[i] != got) {
			right = false;
			snprintf(text + length, sizeof(text) - length, ", %llu %s instead of %llu",
				 (unsigned long long)got, counters[i].name,
				 (unsigned long long)cost[i]);
		} else if (got) {
			snprintf(text + length, sizeof(text) - length, ", %llu %s",
				 (unsigned long long)got, counters[i].name);
		}
	}
	check(right, "step %s: %s", step->name, *text ? text + 2 : "no jobs");
}

/* The counters beside the steps, if there is a file for them. */
static struct {
	struct session session;
	struct drm_panthor_perf_info info;
	struct raw_file raw;
	uint64_t nr;
	bool new_words;
} perf;

static void perf_start(const char *path)
{
	struct raw_call call = { 0 };
	int gpu = open_gpu();

	perf.info = perf_info(gpu);
	perf.new_words = gpu_info(gpu).gpu_id >> 28 >= 13;
	session_prepare(&perf.session, gpu, SLOTS);
	check_errno("SETUP", session_setup(&perf.session), 0);
	call.before = clocks_now();
	check_errno("START", session_start(&perf.session, 0), 0);
	call.after = clocks_now();
	raw_open(&perf.raw, path, &perf.session);
	raw_call(&perf.raw, RAW_START, &call);
}

static const void *next_sample(void)
{
	if (!session_wait(&perf.session, perf.nr + 1, WAIT_MS))
		die("a sample");
	raw_sample(&perf.raw, session_slot(&perf.session, perf.nr));
	session_consume(&perf.session, perf.nr + 1);
	return session_slot(&perf.session, perf.nr++);
}

static void perf_step(const struct step *step)
{
	check_errno("SAMPLE", session_sample(&perf.session, perf.nr), 0);
	check_cost(step, next_sample(), &perf.info, perf.new_words);
}

static void perf_stop(void)
{
	struct raw_call call = { .before = clocks_now() };

	check_errno("STOP", session_stop(&perf.session, 0), 0);
	call.after = clocks_now();
	next_sample();
	raw_call(&perf.raw, RAW_STOP, &call);
	raw_close(&perf.raw);
	check_errno("TEARDOWN", session_teardown(&perf.session), 0);
	session_release(&perf.session);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : NULL;
	struct vk vk = { 0 };

	if (argc > 2) {
		fprintf(stderr, "usage: vk-steps [FILE]\n");
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
			printf("# %s: the driver has none\n", steps[i].name);
			continue;
		}
		run(&vk, &steps[i]);
		if (path)
			perf_step(&steps[i]);
		else
			printf("# %s\n", steps[i].name);
	}
	if (path)
		perf_stop();
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
