// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The layer's own interface, panthor_perf_vulkan.h, as a program uses it: samples of counters and of times around
 * work with known costs, where a sample cannot be, results by number and size, copies of results between submissions
 * without a wait, and clock modes.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "panthor_perf_vulkan.h"
#include "steps.h"
#include "vk.h"

#define MAX_COUNTERS	1024
#define MAX_BLOCKS	16
#define SAMPLES		4
#define PATIENCE_S	30

/* Work groups of the two indirect dispatches. */
#define BEFORE		3
#define AFTER		5

static PFN_vkGetPerfPropertiesPANTHOR get_properties;
static PFN_vkGetPerfClocksPANTHOR get_clocks;
static PFN_vkSetPerfClockModePANTHOR set_clock_mode;
static PFN_vkCreatePerfSessionPANTHOR create_session;
static PFN_vkDestroyPerfSessionPANTHOR destroy_session;
static PFN_vkResetPerfSessionPANTHOR reset_session;
static PFN_vkCmdBeginPerfSamplePANTHOR begin_sample;
static PFN_vkCmdEndPerfSamplePANTHOR end_sample;
static PFN_vkCmdCopyPerfSessionResultsPANTHOR copy_results;
static PFN_vkGetPerfSessionStatusPANTHOR get_status;
static PFN_vkGetPerfSessionResultsPANTHOR get_results;

/* Compute jobs, warps and fragment jobs. */
static uint32_t counters_of_jobs[3];
static uint32_t counter_count;

static void *find(struct vk *vk, const char *name)
{
	void *found = (void *)vkGetDeviceProcAddr(vk->device, name);

	if (!found)
		vk_check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
	return found;
}

static void find_functions(struct vk *vk)
{
	get_properties = find(vk, "vkGetPerfPropertiesPANTHOR");
	get_clocks = find(vk, "vkGetPerfClocksPANTHOR");
	set_clock_mode = find(vk, "vkSetPerfClockModePANTHOR");
	create_session = find(vk, "vkCreatePerfSessionPANTHOR");
	destroy_session = find(vk, "vkDestroyPerfSessionPANTHOR");
	reset_session = find(vk, "vkResetPerfSessionPANTHOR");
	begin_sample = find(vk, "vkCmdBeginPerfSamplePANTHOR");
	end_sample = find(vk, "vkCmdEndPerfSamplePANTHOR");
	copy_results = find(vk, "vkCmdCopyPerfSessionResultsPANTHOR");
	get_status = find(vk, "vkGetPerfSessionStatusPANTHOR");
	get_results = find(vk, "vkGetPerfSessionResultsPANTHOR");
}

static void find_counters(struct vk *vk)
{
	static const char *const names[] = { "MaliCompQueueJob", "MaliNonFragWarp", "MaliFragQueueJob" };
	static VkPerformanceCounterKHR counters_of_gpu[MAX_COUNTERS];
	static VkPerformanceCounterDescriptionKHR texts[MAX_COUNTERS];
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR get =
		(PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		vkGetInstanceProcAddr(vk->instance,
				      "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");

	for (uint32_t i = 0; i < MAX_COUNTERS; i++) {
		counters_of_gpu[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	counter_count = MAX_COUNTERS;
	vk_check(get(vk->gpu, 0, &counter_count, counters_of_gpu, texts), "the counters");
	for (size_t i = 0; i < COUNT(names); i++) {
		while (counters_of_jobs[i] < counter_count && strcmp(texts[counters_of_jobs[i]].name, names[i]))
			counters_of_jobs[i]++;
		check(counters_of_jobs[i] < counter_count, "%s is there", names[i]);
	}
}

static void check_properties(struct vk *vk)
{
	struct VkPerfBlockPropertiesPANTHOR blocks[MAX_BLOCKS];
	struct VkPerfPropertiesPANTHOR properties = { .structSize = sizeof(properties) };
	uint32_t counters_of_blocks = 0, cores = 0;

	vk_check(get_properties(vk->device, &properties), "the number of block types");
	check(properties.blockCount >= 5 && properties.blockCount < MAX_BLOCKS && properties.maxSamples >= 1024,
	      "%u types of blocks, at most %u samples", properties.blockCount, properties.maxSamples);
	properties.pBlocks = blocks;
	properties.blockCount = 1;
	check(get_properties(vk->device, &properties) == VK_INCOMPLETE && properties.blockCount == 1,
	      "room for one: one, and VK_INCOMPLETE");
	properties.blockCount = MAX_BLOCKS;
	vk_check(get_properties(vk->device, &properties), "the block types");
	for (uint32_t i = 0; i < properties.blockCount; i++) {
		counters_of_blocks += blocks[i].counterCount;
		if (!strcmp(blocks[i].name, "shader"))
			cores = blocks[i].instanceCount;
	}
	check(cores == 4, "%u shader cores", cores);
	check(counters_of_blocks > 100 && counters_of_blocks < counter_count, "%u of %u counters are those of blocks",
	      counters_of_blocks, counter_count);
}

static void check_clocks(struct vk *vk)
{
	struct VkPerfClocksPANTHOR clocks = { .structSize = sizeof(clocks) }, now = clocks;
	const enum VkPerfClockModePANTHOR modes[] = {
		VK_PERF_CLOCK_MODE_LOWEST_PANTHOR, VK_PERF_CLOCK_MODE_HIGHEST_PANTHOR,
		VK_PERF_CLOCK_MODE_PROFILING_PANTHOR,
	};
	struct VkPerfPropertiesPANTHOR properties = { .structSize = sizeof(properties) };

	vk_check(get_properties(vk->device, &properties), "the properties");
	vk_check(get_clocks(vk->device, &clocks), "the clocks");
	check(properties.clockModes && clocks.lowestHz < clocks.profilingHz && clocks.profilingHz < clocks.highestHz,
	      "clocks of %llu, %llu and %llu Hz", (unsigned long long)clocks.lowestHz,
	      (unsigned long long)clocks.profilingHz, (unsigned long long)clocks.highestHz);
	for (size_t i = 0; i < COUNT(modes); i++) {
		const uint64_t rates[] = { 0, clocks.profilingHz, clocks.lowestHz, clocks.highestHz };

		vk_check(set_clock_mode(vk->device, modes[i]), "vkSetPerfClockModePANTHOR");
		vk_check(get_clocks(vk->device, &now), "the clocks");
		check(now.currentHz == rates[modes[i]], "clock mode %u holds %llu Hz", modes[i],
		      (unsigned long long)now.currentHz);
	}
	check(set_clock_mode(vk->device, 4) == VK_ERROR_INITIALIZATION_FAILED, "there is no clock mode 4");
	vk_check(set_clock_mode(vk->device, VK_PERF_CLOCK_MODE_DEFAULT_PANTHOR), "the default clock mode");
}

static uint32_t begin(VkCommandBuffer cmd, struct VkPerfSessionPANTHOR *session, enum VkPerfSampleTypePANTHOR type, uint32_t count)
{
	const struct VkPerfSampleBeginInfoPANTHOR info = {
		.structSize = sizeof(info),
		.sampleType = type,
		.counterIndexCount = count,
		.pCounterIndices = counters_of_jobs,
	};
	uint32_t id = UINT32_MAX;

	vk_check(begin_sample(cmd, session, &info, &id), "vkCmdBeginPerfSamplePANTHOR");
	return id;
}

static VkResult refused(VkCommandBuffer cmd, struct VkPerfSessionPANTHOR *session, enum VkPerfSampleTypePANTHOR type, uint32_t count,
			const uint32_t *counters_wanted)
{
	const struct VkPerfSampleBeginInfoPANTHOR info = {
		.structSize = sizeof(info),
		.sampleType = type,
		.counterIndexCount = count,
		.pCounterIndices = counters_wanted,
	};
	uint32_t id;

	return begin_sample(cmd, session, &info, &id);
}

static void bind(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->compute);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &vk->set, 0, NULL);
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

static struct VkPerfSessionPANTHOR *new_session(struct vk *vk, uint32_t samples, struct VkPerfSessionPANTHOR *source)
{
	const struct VkPerfSessionCreateInfoPANTHOR info = {
		.structSize = sizeof(info),
		.maxSamples = samples,
		.copySource = source,
	};
	struct VkPerfSessionPANTHOR *session = NULL;

	vk_check(create_session(vk->device, &info, &session), "vkCreatePerfSessionPANTHOR");
	return session;
}

static void submit(struct vk *vk, VkCommandBuffer cmd)
{
	vk_submit(vk, vk->queues[0], &cmd, 1, NULL, 0, NULL, 0, NULL);
}

/* The status is that of the session once it is not VK_NOT_READY, which the layer does not wait for. */
static void wait_for_results(struct vk *vk, struct VkPerfSessionPANTHOR *session)
{
	const struct timespec pause = { 0, 1000000 };
	VkResult status = VK_NOT_READY;

	for (int i = 0; i < PATIENCE_S * 1000 && status == VK_NOT_READY; i++) {
		status = get_status(vk->device, session);
		nanosleep(&pause, NULL);
	}
	vk_check(status, "vkGetPerfSessionStatusPANTHOR");
}

static void check_costs(struct vk *vk, struct VkPerfSessionPANTHOR *session, uint32_t id, const char *what, uint64_t compute,
			uint64_t warps, uint64_t fragment)
{
	VkPerformanceCounterResultKHR results[COUNT(counters_of_jobs)];
	size_t size = sizeof(results);

	vk_check(get_results(vk->device, session, id, &size, results), "vkGetPerfSessionResultsPANTHOR");
	check(size == sizeof(results) && results[0].uint64 == compute && results[1].uint64 == warps &&
	      results[2].uint64 == fragment, "%s: %llu compute jobs, %llu warps, %llu fragment jobs", what,
	      (unsigned long long)results[0].uint64, (unsigned long long)results[1].uint64,
	      (unsigned long long)results[2].uint64);
}

/* A dispatch, a render pass, times of both, and where a sample cannot begin. */
static void check_samples(struct vk *vk)
{
	struct VkPerfSessionPANTHOR *session = new_session(vk, SAMPLES, NULL);
	VkCommandBuffer cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkCommandBuffer secondary = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
	VkPerformanceCounterResultKHR one;
	uint32_t ids[SAMPLES], wrong = counter_count;
	struct VkPerfTimingPANTHOR times;
	size_t size;

	check(refused(secondary, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, counters_of_jobs) ==
	      VK_ERROR_FEATURE_NOT_PRESENT, "no sample begins in a secondary command buffer");
	vk_end(vk, secondary);
	check(refused(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, &wrong) ==
	      VK_ERROR_INITIALIZATION_FAILED, "there is no counter %u", wrong);
	check(refused(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 0, NULL) ==
	      VK_ERROR_INITIALIZATION_FAILED, "a sample without counters");
	check(refused(cmd, session, 2, 1, counters_of_jobs) == VK_ERROR_INITIALIZATION_FAILED,
	      "a sample of an unknown type");
	bind(vk, cmd);
	vkCmdDispatch(cmd, 7, 1, 1);
	ids[0] = begin(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, COUNT(counters_of_jobs));
	vkCmdDispatch(cmd, 2, 1, 1);
	check(refused(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, counters_of_jobs) ==
	      VK_ERROR_FEATURE_NOT_PRESENT, "no sample begins within another");
	end_sample(cmd, session, ids[0]);
	vkCmdDispatch(cmd, 7, 1, 1);
	ids[1] = begin(cmd, session, VK_PERF_SAMPLE_TYPE_TIMING_PANTHOR, 0);
	vkCmdDispatch(cmd, 3, 1, 1);
	end_sample(cmd, session, ids[1]);
	ids[2] = begin(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, COUNT(counters_of_jobs));
	begin_pass(vk, cmd);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRenderPass(cmd);
	end_sample(cmd, session, ids[2]);
	begin_pass(vk, cmd);
	check(refused(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, counters_of_jobs) ==
	      VK_ERROR_FEATURE_NOT_PRESENT, "no sample begins in a render pass");
	vkCmdEndRenderPass(cmd);
	ids[3] = begin(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1);
	end_sample(cmd, session, ids[3]);
	check(refused(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, counters_of_jobs) ==
	      VK_ERROR_TOO_MANY_OBJECTS, "there is no room for another sample");
	vk_end(vk, cmd);
	for (uint32_t i = 0; i < SAMPLES; i++)
		check(ids[i] == i, "sample %u has number %u", i, ids[i]);

	check(get_status(vk->device, session) == VK_NOT_READY, "no results before the submission");
	size = sizeof(one);
	check(get_results(vk->device, session, 3, &size, &one) == VK_NOT_READY, "no result of a sample either");
	check(get_results(vk->device, session, SAMPLES, &size, &one) == VK_ERROR_INITIALIZATION_FAILED,
	      "there is no sample %u", SAMPLES);
	submit(vk, cmd);
	wait_for_results(vk, session);

	check_costs(vk, session, ids[0], "a dispatch", 1, WARPS(2), 0);
	check_costs(vk, session, ids[2], "a render pass", 0, 0, 1);
	size = 0;
	vk_check(get_results(vk->device, session, ids[0], &size, NULL), "the size of a result");
	check(size == COUNT(counters_of_jobs) * sizeof(one), "it is %zu bytes", size);
	size = sizeof(one);
	one.uint64 = 0;
	check(get_results(vk->device, session, ids[0], &size, &one) == VK_INCOMPLETE && size == sizeof(one) &&
	      one.uint64 == 1, "room for one counter: one, and VK_INCOMPLETE");
	size = sizeof(one);
	vk_check(get_results(vk->device, session, ids[3], &size, &one), "an empty sample");
	check(!one.uint64, "an empty sample: no compute jobs");
	size = sizeof(times);
	vk_check(get_results(vk->device, session, ids[1], &size, &times), "times");
	check(size == sizeof(times) && times.beginNs && times.beginNs < times.endNs &&
	      times.endNs - times.beginNs < 10000000000ull, "a dispatch takes less than 10 s");

	vk_wait(vk);
	vk_check(reset_session(vk->device, session), "vkResetPerfSessionPANTHOR");
	vk_check(get_status(vk->device, session), "nothing is pending after a reset");
	check(get_results(vk->device, session, 0, &size, &times) == VK_ERROR_INITIALIZATION_FAILED,
	      "there are no samples after a reset");
	destroy_session(vk->device, session);
}

/* A command buffer that may be pending several times. */
static VkCommandBuffer begin_shared(struct vk *vk)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk->pool,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo flags = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	};
	VkCommandBuffer cmd;

	vk_check(vkAllocateCommandBuffers(vk->device, &info, &cmd), "vkAllocateCommandBuffers");
	vk_check(vkBeginCommandBuffer(cmd, &flags), "vkBeginCommandBuffer");
	return cmd;
}

static VkSemaphore create_timeline(struct vk *vk)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	VkSemaphore semaphore;

	vk_check(vkCreateSemaphore(vk->device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

/*
 * A command buffer that is submitted twice, with a copy of the first results in between. All is submitted at
 * once, but the second time waits for the program: when the copy is there, it gets other work.
 */
static void check_copies(struct vk *vk)
{
	const VkDispatchIndirectCommand first = { BEFORE, 1, 1 }, second = { AFTER, 1, 1 };
	struct VkPerfSessionPANTHOR *session = new_session(vk, SAMPLES, NULL);
	struct VkPerfSessionPANTHOR *clone = new_session(vk, SAMPLES, session);
	PFN_vkSignalSemaphoreKHR signal_semaphore = find(vk, "vkSignalSemaphoreKHR");
	VkDispatchIndirectCommand *groups = vk_map(vk, 1);
	const VkSemaphore timeline = create_timeline(vk);
	const uint64_t point = 1;
	const VkTimelineSemaphoreSubmitInfo wait = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &point,
	};
	const VkSemaphoreSignalInfo go = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = timeline,
		.value = point,
	};
	VkCommandBuffer cmd, copy;
	uint32_t id;

	*groups = first;
	cmd = begin_shared(vk);
	bind(vk, cmd);
	id = begin(cmd, session, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, COUNT(counters_of_jobs));
	vkCmdDispatchIndirect(cmd, vk->words[1], 0);
	end_sample(cmd, session, id);
	vk_end(vk, cmd);
	copy = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	check(copy_results(copy, session) == VK_ERROR_INITIALIZATION_FAILED, "nothing is copied to a session itself");
	check(refused(copy, clone, VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR, 1, counters_of_jobs) ==
	      VK_ERROR_INITIALIZATION_FAILED, "a copy has no samples of its own");
	vk_check(copy_results(copy, clone), "vkCmdCopyPerfSessionResultsPANTHOR");
	vk_end(vk, copy);

	submit(vk, cmd);
	submit(vk, copy);
	vk_submit(vk, vk->queues[0], &cmd, 1, &wait, 1, &timeline, 0, NULL);
	wait_for_results(vk, clone);
	check(get_status(vk->device, session) == VK_NOT_READY, "the session waits for its second submission");
	*groups = second;
	vkUnmapMemory(vk->device, vk->memory[1]);
	vk_check(signal_semaphore(vk->device, &go), "vkSignalSemaphoreKHR");
	wait_for_results(vk, session);
	check_costs(vk, clone, id, "the copy: the first submission", 1, WARPS(BEFORE), 0);
	check_costs(vk, session, id, "the session: the second submission", 1, WARPS(AFTER), 0);
	vk_wait(vk);
	destroy_session(vk->device, clone);
	destroy_session(vk->device, session);
	vkDestroySemaphore(vk->device, timeline, NULL);
}

int main(int argc, char **argv)
{
	const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	struct vk vk = {
		.extension = VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME,
		.features = &features,
	};

	if (argc > 1) {
		fprintf(stderr, "usage: vk-sessions\n");
		return 2;
	}
	setlinebuf(stdout);
	vk_create_instance(&vk);
	find_counters(&vk);
	vk_create_device(&vk);
	find_functions(&vk);
	check_properties(&vk);
	check_clocks(&vk);
	check_samples(&vk);
	check_copies(&vk);
	printf("ok the end\n");
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
