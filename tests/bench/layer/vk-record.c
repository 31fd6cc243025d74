// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-record [ROUNDS]
 *
 * Records command buffers on the first Vulkan device and prints what a command costs, in ns: the least of ROUNDS (20);
 * and what memory all of that takes.
 *
 *	record-1 NS	viewports, scissors, push constants and barriers, by one thread
 *	record-4 NS	by four threads, each with a pool of its own: time of all of them, divided by the number
 *			of commands of one
 *	index NS	100000 binds of an index buffer, each at another offset
 *	memory MB	the most memory that the program has had
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <vulkan/vulkan.h>

#define COMMANDS	10000
#define BINDS		100000
#define THREADS		4

static VkDevice device;
static VkPipelineLayout layout;
static VkBuffer buffer;
static pthread_barrier_t barrier;

struct recorder {
	VkCommandPool pool;
	VkCommandBuffer cmd;
	unsigned int rounds;
};

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "vk-record: %s: VkResult %d\n", what, result);
	exit(1);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void create_objects(void)
{
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
	};
	const VkInstanceCreateInfo instance_info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app,
	};
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo device_info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};
	const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 64 };
	const VkPipelineLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range,
	};
	const VkBufferCreateInfo buffer_info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = 4 * BINDS,
		.usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
	};
	VkMemoryRequirements needs;
	VkPhysicalDevice physical;
	VkInstance instance;
	VkDeviceMemory memory;
	uint32_t count = 1;
	VkResult result;

	check(vkCreateInstance(&instance_info, NULL, &instance), "vkCreateInstance");
	result = vkEnumeratePhysicalDevices(instance, &count, &physical);
	check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
	check(count ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED, "finding a device");
	check(vkCreateDevice(physical, &device_info, NULL, &device), "vkCreateDevice");
	check(vkCreatePipelineLayout(device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
	check(vkCreateBuffer(device, &buffer_info, NULL, &buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(device, buffer, &needs);
	check(vkAllocateMemory(device, &(VkMemoryAllocateInfo) {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
		.memoryTypeIndex = __builtin_ctz(needs.memoryTypeBits),
	}, NULL, &memory), "vkAllocateMemory");
	check(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
}

static void create_recorder(struct recorder *recorder, unsigned int rounds)
{
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};
	VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};

	check(vkCreateCommandPool(device, &pool, NULL, &recorder->pool), "vkCreateCommandPool");
	info.commandPool = recorder->pool;
	check(vkAllocateCommandBuffers(device, &info, &recorder->cmd), "vkAllocateCommandBuffers");
	recorder->rounds = rounds;
}

static void begin(const struct recorder *recorder)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};

	check(vkResetCommandPool(device, recorder->pool, 0), "vkResetCommandPool");
	check(vkBeginCommandBuffer(recorder->cmd, &info), "vkBeginCommandBuffer");
}

static void record_commands(VkCommandBuffer cmd)
{
	static const VkViewport viewport = { 0, 0, 64, 64, 0, 1 };
	static const VkRect2D scissor = { { 0, 0 }, { 64, 64 } };
	static const VkMemoryBarrier memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER };
	static const uint32_t values[4];

	for (unsigned int i = 0; i < COMMANDS / 4; i++) {
		vkCmdSetViewport(cmd, 0, 1, &viewport);
		vkCmdSetScissor(cmd, 0, 1, &scissor);
		vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 16 * (i % 4),
				   sizeof(values), values);
		vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
				     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &memory, 0, NULL, 0,
				     NULL);
	}
}

static void bind_indices(VkCommandBuffer cmd)
{
	for (unsigned int i = 0; i < BINDS; i++)
		vkCmdBindIndexBuffer(cmd, buffer, 4 * i, VK_INDEX_TYPE_UINT32);
}

/* Least time of a round, in ns. */
static double measure(const struct recorder *recorder, void (*record)(VkCommandBuffer cmd))
{
	double least = 0;

	for (unsigned int i = 0; i < recorder->rounds; i++) {
		double start, ns;

		begin(recorder);
		start = now_ns();
		record(recorder->cmd);
		ns = now_ns() - start;
		check(vkEndCommandBuffer(recorder->cmd), "vkEndCommandBuffer");
		if (!i || ns < least)
			least = ns;
	}
	return least;
}

static void *run(void *arg)
{
	const struct recorder *recorder = arg;

	pthread_barrier_wait(&barrier);
	for (unsigned int i = 0; i < recorder->rounds; i++) {
		begin(recorder);
		record_commands(recorder->cmd);
		check(vkEndCommandBuffer(recorder->cmd), "vkEndCommandBuffer");
	}
	pthread_barrier_wait(&barrier);
	return NULL;
}

static double measure_threads(unsigned int rounds)
{
	struct recorder recorders[THREADS];
	pthread_t threads[THREADS];
	double start, ns;

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (unsigned int i = 0; i < THREADS; i++) {
		create_recorder(&recorders[i], rounds);
		if (pthread_create(&threads[i], NULL, run, &recorders[i]))
			check(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	}
	pthread_barrier_wait(&barrier);
	start = now_ns();
	pthread_barrier_wait(&barrier);
	ns = now_ns() - start;
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return ns / rounds;
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 20;
	struct recorder recorder;
	struct rusage usage;

	if (argc > 2 || rounds < 1) {
		fprintf(stderr, "usage: vk-record [ROUNDS]\n");
		return 2;
	}
	create_objects();
	create_recorder(&recorder, rounds);
	printf("record-1 %.1f\n", measure(&recorder, record_commands) / COMMANDS);
	printf("record-4 %.1f\n", measure_threads(rounds) / COMMANDS);
	printf("index %.1f\n", measure(&recorder, bind_indices) / BINDS);
	getrusage(RUSAGE_SELF, &usage);
	printf("memory %.1f\n", usage.ru_maxrss / 1e3);
	return 0;
}
