// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counts each of many Vulkan submissions by itself, without a wait of the CPU between them: those
 * of a batch are in flight together, with a sample between each two. One timeline semaphore puts
 * them in order. Submission n waits for its point 2n and signals point 2n + 1; the sample of it
 * waits for that one, and signals point 2n + 2.
 *
 *	cc ordered.c $(pkg-config --cflags --libs libpanthor-perf vulkan libdrm) -o ordered
 *	./ordered [SUBMISSIONS [DEVICE]]
 *
 * The Vulkan driver exports the semaphore as a syncobj. The work of other programs on the GPU
 * during this time is counted as well.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>
#include <vulkan/vulkan.h>
#include <xf86drm.h>

#define SUBMISSIONS	12
#define SLOTS		32
/* A slot is kept for the final sample. */
#define BATCH		(SLOTS - 1)
#define TIMEOUT_MS	60000
#define TIMEOUT_NS	(TIMEOUT_MS * UINT64_C(1000000))
#define VENDOR_ARM	0x13b5

/* Cycles in which a queue was active, and warps of compute shaders */
#define QUEUE_ACTIVE	6
#define COMPUTE_WARPS	24

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A compute shader with work groups of 64 invocations: a barrier, so that it is not empty. */
static const uint32_t shader[] = {
	0x07230203, 0x00010000, 0, 8, 0,
	0x00020011, 1,				/* OpCapability Shader */
	0x0003000e, 0, 1,			/* OpMemoryModel Logical GLSL450 */
	0x0005000f, 5, 1, 0x6e69616d, 0,	/* OpEntryPoint GLCompute %1 "main" */
	0x00060010, 1, 17, 64, 1, 1,		/* OpExecutionMode %1 LocalSize 64 1 1 */
	0x00020013, 2,				/* %2 = OpTypeVoid */
	0x00030021, 3, 2,			/* %3 = OpTypeFunction %2 */
	0x00040015, 5, 32, 0,			/* %5 = OpTypeInt 32 0 */
	0x0004002b, 5, 6, 2,			/* %6 = OpConstant %5 Workgroup */
	0x0004002b, 5, 7, 0x108,		/* %7 = ... AcquireRelease | WorkgroupMemory */
	0x00050036, 2, 1, 0, 3,			/* %1 = OpFunction %2 None %3 */
	0x000200f8, 4,				/* %4 = OpLabel */
	0x000400e0, 6, 6, 7,			/* OpControlBarrier %6 %6 %7 */
	0x000100fd,				/* OpReturn */
	0x00010038,				/* OpFunctionEnd */
};

static struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

static VkDevice vk;
static VkQueue queue;
static VkCommandPool pool;
static VkPipeline pipeline;
static VkSemaphore timeline;

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "ordered: %s: %s\n", what, error.text);
	exit(1);
}

static void check_vk(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "ordered: %s: VkResult %d\n", what, result);
	exit(1);
}

static void create_device(void)
{
	static const char *const extensions[] = {
		VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
		VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
	};
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
	};
	const VkInstanceCreateInfo instance_info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app,
	};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue_info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkPhysicalDeviceTimelineSemaphoreFeatures feature = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
		.timelineSemaphore = VK_TRUE,
	};
	const VkDeviceCreateInfo device_info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &feature,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue_info,
		.enabledExtensionCount = COUNT(extensions),
		.ppEnabledExtensionNames = extensions,
	};
	const VkCommandPoolCreateInfo pool_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};
	VkPhysicalDevice gpus[8], gpu = VK_NULL_HANDLE;
	VkPhysicalDeviceProperties properties;
	uint32_t count = COUNT(gpus);
	VkInstance instance;

	check_vk(vkCreateInstance(&instance_info, NULL, &instance), "vkCreateInstance");
	vkEnumeratePhysicalDevices(instance, &count, gpus);
	for (uint32_t i = 0; i < count && !gpu; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (properties.vendorID == VENDOR_ARM)
			gpu = gpus[i];
	}
	check_vk(gpu ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED, "finding a Mali GPU");
	check_vk(vkCreateDevice(gpu, &device_info, NULL, &vk), "vkCreateDevice");
	vkGetDeviceQueue(vk, 0, 0, &queue);
	check_vk(vkCreateCommandPool(vk, &pool_info, NULL, &pool), "vkCreateCommandPool");
}

static void create_pipeline(void)
{
	const VkShaderModuleCreateInfo module_info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(shader),
		.pCode = shader,
	};
	const VkPipelineLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
	};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main",
		},
	};

	check_vk(vkCreateShaderModule(vk, &module_info, NULL, &info.stage.module),
		 "vkCreateShaderModule");
	check_vk(vkCreatePipelineLayout(vk, &layout_info, NULL, &info.layout),
		 "vkCreatePipelineLayout");
	check_vk(vkCreateComputePipelines(vk, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		 "vkCreateComputePipelines");
}

/* The timeline semaphore, as a syncobj of @fd. */
static uint32_t create_timeline(int fd)
{
	const VkExportSemaphoreCreateInfo export_info = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
		.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.pNext = &export_info,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	VkSemaphoreGetFdInfoKHR fd_info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
		.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	PFN_vkGetSemaphoreFdKHR get_fd =
		(PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(vk, "vkGetSemaphoreFdKHR");
	uint32_t handle;
	int exported;

	check_vk(vkCreateSemaphore(vk, &info, NULL, &timeline), "vkCreateSemaphore");
	fd_info.semaphore = timeline;
	check_vk(get_fd(vk, &fd_info, &exported), "vkGetSemaphoreFdKHR");
	if (drmSyncobjFDToHandle(fd, exported, &handle)) {
		perror("ordered: the semaphore is no syncobj");
		exit(1);
	}
	close(exported);
	return handle;
}

/* Submit work groups that run when the timeline is at @point, and move it to the next point. */
static void submit(VkCommandBuffer cmd, uint32_t groups, uint64_t point)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const uint64_t next = point + 1;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		/* It is at point 0 from the beginning. */
		.waitSemaphoreValueCount = point > 0,
		.pWaitSemaphoreValues = &point,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &next,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = point > 0,
		.pWaitSemaphores = &timeline,
		.pWaitDstStageMask = &stages,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &timeline,
	};

	check_vk(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	vkCmdDispatch(cmd, groups, 1, 1);
	check_vk(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
	check_vk(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Have a sample taken when the timeline is at @point, which moves it to the next point. */
static void sample_at(struct panthor_perf_session *session, uint32_t syncobj, uint64_t point,
		      uint64_t id)
{
	const struct drm_panthor_sync_op ops[] = {
		{
			.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ |
				 DRM_PANTHOR_SYNC_OP_WAIT,
			.handle = syncobj,
			.timeline_value = point,
		}, {
			.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ |
				 DRM_PANTHOR_SYNC_OP_SIGNAL,
			.handle = syncobj,
			.timeline_value = point + 1,
		},
	};

	check(panthor_perf_session_sample_ordered(session, id, ops, COUNT(ops), &error),
	      "requesting a sample");
}

static void wait_for(uint64_t point)
{
	PFN_vkWaitSemaphoresKHR wait =
		(PFN_vkWaitSemaphoresKHR)vkGetDeviceProcAddr(vk, "vkWaitSemaphoresKHR");
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &timeline,
		.pValues = &point,
	};

	check_vk(wait(vk, &info, TIMEOUT_NS), "vkWaitSemaphoresKHR");
}

static uint32_t groups_of(unsigned int n)
{
	return 16 + 16 * (n % 7);
}

int main(int argc, char **argv)
{
	unsigned int total = argc > 1 ? strtoul(argv[1], NULL, 0) : SUBMISSIONS, n, i, batch;
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_values *values;
	const struct panthor_perf_gpu *gpu;
	VkCommandBufferAllocateInfo cmd_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = BATCH,
	};
	VkCommandBuffer cmds[BATCH];
	uint32_t syncobj;

	check(panthor_perf_device_open(argc > 2 ? argv[2] : NULL, &device, &error),
	      "opening the GPU");
	check(panthor_perf_device_gpu(device, &gpu, &error), "querying the counters");
	check(panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					    &error), "selecting counters");
	check(panthor_perf_selection_add(selection, "cshw:6", &error), "selecting counters");
	check(panthor_perf_selection_add(selection, "shader:24", &error), "selecting counters");
	check(panthor_perf_values_create(selection, &values, &error), "selecting counters");
	config.selection = selection;
	config.sample_slots = SLOTS;
	check(panthor_perf_session_create(device, &config, &session, &error),
	      "creating a session");

	create_device();
	create_pipeline();
	syncobj = create_timeline(panthor_perf_device_fd(device));
	cmd_info.commandPool = pool;
	check_vk(vkAllocateCommandBuffers(vk, &cmd_info, cmds), "vkAllocateCommandBuffers");

	check(panthor_perf_session_start(session, 0, &error), "starting");
	for (n = 0; n < total; n += batch) {
		batch = total - n < BATCH ? total - n : BATCH;
		for (i = n; i < n + batch; i++) {
			submit(cmds[i - n], groups_of(i), 2 * i);
			sample_at(session, syncobj, 2 * i + 1, i);
		}
		/* The only wait. All samples of the batch are in the ring then. */
		wait_for(2 * i);
		for (i = n; i < n + batch; i++) {
			uint64_t cycles = 0, warps = 0;

			if (panthor_perf_session_read(session, &sample, &error) != 1) {
				fprintf(stderr, "ordered: sample %u is not there\n", i);
				return 1;
			}
			panthor_perf_values_clear(values);
			panthor_perf_values_add(values, sample);
			panthor_perf_values_raw(values, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
						PANTHOR_PERF_ALL_BLOCKS, QUEUE_ACTIVE, &cycles);
			panthor_perf_values_raw(values, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
						PANTHOR_PERF_ALL_BLOCKS, COMPUTE_WARPS, &warps);
			printf("submission %" PRIu64 ": %u work groups, %" PRIu64 " warps, %"
			       PRIu64 " cycles%s\n", panthor_perf_sample_user_data(sample),
			       groups_of(i), warps, cycles,
			       panthor_perf_sample_flags(sample) & DRM_PANTHOR_PERF_SAMPLE_ERROR ?
			       ", not exact" : "");
		}
	}
	check(panthor_perf_session_finish(session, 0, TIMEOUT_MS, NULL, NULL, &error), "stopping");
	panthor_perf_values_destroy(values);
	panthor_perf_selection_destroy(selection);
	drmSyncobjDestroy(panthor_perf_device_fd(device), syncobj);
	panthor_perf_device_close(device);
	return 0;
}
