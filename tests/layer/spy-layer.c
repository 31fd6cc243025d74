// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A Vulkan layer for tests, below the one of panthor-perf: a device with a queue family for
 * transfers alone, which has no queue that can be used; and what reaches the driver of render
 * passes that are suspended. There is one device at a time.
 *
 * vkGetDeviceProcAddr() finds "vkTestBrokenPasses", a function that returns the number of
 * submissions, so far, in which a render pass instance is suspended and not resumed, or resumed and
 * not suspended; and "vkTestRefuse", which has all submissions refused from then on, as those of a
 * device that is lost; and "vkTestBoundaries", which returns how many structures of
 * VK_EXT_frame_boundary, or names of it, the driver has got; and "vkTestEmpty", which returns the
 * number of submissions without a command buffer; and "vkTestOthers", which returns that of
 * submissions with one that came from another thread than the one that has created the device; and
 * "vkTestHold", which has calls of vkQueueSubmit() with one without a command buffer wait until it
 * is called with false, and "vkTestHeld", which returns whether one waits.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define EXPORT		__attribute__((visibility("default")))
#define MAX_CMDS	256
#define HOLD_US		1000

/* A command buffer: whether its first render pass instance is resumed, and its last one suspended. */
struct cmd {
	VkCommandBuffer handle;
	bool resumes;
	bool passes;
	bool suspends;
};

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static VkInstance the_instance;
static VkDevice the_device;
static struct cmd cmds[MAX_CMDS];
static unsigned int cmd_count;
static uint32_t broken_passes;
static atomic_uint boundaries;
static atomic_bool refuses;
static atomic_uint empty_submissions, other_submissions;
static atomic_bool holds, held;
static pthread_t own;

#define NEXT(name)	((PFN_vk##name)next_device_proc(the_device, "vk" #name))
#define NEXT_OF_INSTANCE(name)	((PFN_vk##name)next_instance_proc(the_instance, "vk" #name))

static struct cmd *cmd_of(VkCommandBuffer handle)
{
	for (unsigned int i = 0; i < cmd_count; i++) {
		if (cmds[i].handle == handle)
			return &cmds[i];
	}
	if (cmd_count == MAX_CMDS)
		abort();
	cmds[cmd_count].handle = handle;
	return &cmds[cmd_count++];
}

/* ---- VK_EXT_frame_boundary ---- */

/* In a chain. The numbers are those of the registry. */
static void count_boundaries(const void *chain)
{
	for (const VkBaseInStructure *at = chain; at; at = at->pNext)
		boundaries += (int)at->sType == 1000375000 || (int)at->sType == 1000375001;
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info)
{
	count_boundaries(info->pNext);
	return NEXT(QueuePresentKHR)(queue, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_QueueBindSparse(VkQueue queue, uint32_t count,
							  const VkBindSparseInfo *infos, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++)
		count_boundaries(infos[i].pNext);
	return NEXT(QueueBindSparse)(queue, count, infos, fence);
}

static void count_submission(uint32_t command_buffers)
{
	empty_submissions += !command_buffers;
	other_submissions += command_buffers && !pthread_equal(pthread_self(), own);
}

static uint32_t test_empty(void)
{
	return empty_submissions;
}

static uint32_t test_others(void)
{
	return other_submissions;
}

static void hold_submissions(uint32_t count, const VkSubmitInfo *infos)
{
	bool empty = false;

	for (uint32_t i = 0; i < count; i++)
		empty |= !infos[i].commandBufferCount;
	while (empty && holds) {
		held = true;
		usleep(HOLD_US);
	}
}

static void test_hold(VkBool32 hold)
{
	held = false;
	holds = hold;
}

static VkBool32 test_held(void)
{
	return held;
}

static uint32_t test_boundaries(void)
{
	return boundaries;
}

/* ---- Render passes ---- */

static VKAPI_ATTR VkResult VKAPI_CALL spy_BeginCommandBuffer(VkCommandBuffer handle,
							     const VkCommandBufferBeginInfo *info)
{
	*cmd_of(handle) = (struct cmd) { .handle = handle };
	return NEXT(BeginCommandBuffer)(handle, info);
}

static VKAPI_ATTR void VKAPI_CALL spy_CmdBeginRendering(VkCommandBuffer handle,
							const VkRenderingInfo *info)
{
	struct cmd *cmd = cmd_of(handle);

	cmd->resumes |= !cmd->passes && info->flags & VK_RENDERING_RESUMING_BIT;
	cmd->passes = true;
	cmd->suspends = info->flags & VK_RENDERING_SUSPENDING_BIT;
	NEXT(CmdBeginRendering)(handle, info);
}

/* What a secondary command buffer begins, resumes and suspends. */
static VKAPI_ATTR void VKAPI_CALL spy_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
							 const VkCommandBuffer *secondaries)
{
	struct cmd *cmd = cmd_of(handle);

	for (uint32_t i = 0; i < count; i++) {
		const struct cmd *secondary = cmd_of(secondaries[i]);

		if (!secondary->passes)
			continue;
		cmd->resumes |= !cmd->passes && secondary->resumes;
		cmd->passes = true;
		cmd->suspends = secondary->suspends;
	}
	NEXT(CmdExecuteCommands)(handle, count, secondaries);
}

static bool step(bool suspended, VkCommandBuffer handle)
{
	const struct cmd *cmd = cmd_of(handle);

	if (!cmd->passes)
		return suspended;
	broken_passes += cmd->resumes != suspended;
	return cmd->suspends;
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_QueueSubmit(VkQueue queue, uint32_t count,
						      const VkSubmitInfo *infos, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++) {
		bool suspended = false;

		count_boundaries(infos[i].pNext);
		count_submission(infos[i].commandBufferCount);
		for (uint32_t n = 0; n < infos[i].commandBufferCount; n++)
			suspended = step(suspended, infos[i].pCommandBuffers[n]);
		broken_passes += suspended;
	}
	hold_submissions(count, infos);
	if (refuses)
		return VK_ERROR_DEVICE_LOST;
	return NEXT(QueueSubmit)(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_QueueSubmit2(VkQueue queue, uint32_t count,
						       const VkSubmitInfo2 *infos, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++) {
		bool suspended = false;

		count_boundaries(infos[i].pNext);
		count_submission(infos[i].commandBufferInfoCount);
		for (uint32_t n = 0; n < infos[i].commandBufferInfoCount; n++)
			suspended = step(suspended, infos[i].pCommandBufferInfos[n].commandBuffer);
		broken_passes += suspended;
	}
	if (refuses)
		return VK_ERROR_DEVICE_LOST;
	return NEXT(QueueSubmit2)(queue, count, infos, fence);
}

static VKAPI_ATTR void VKAPI_CALL test_refuse(void)
{
	refuses = true;
}

static uint32_t test_broken_passes(void)
{
	return broken_passes;
}

/* ---- Families ---- */

/* Those of the next layer, and the one for transfers. */
static VKAPI_ATTR void VKAPI_CALL
spy_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical, uint32_t *count,
					   VkQueueFamilyProperties *families)
{
	PFN_vkGetPhysicalDeviceQueueFamilyProperties next =
		NEXT_OF_INSTANCE(GetPhysicalDeviceQueueFamilyProperties);
	const uint32_t room = *count;
	uint32_t others = 0;

	next(physical, &others, NULL);
	*count = others + 1;
	if (!families)
		return;
	*count = room < others + 1 ? room : others + 1;
	if (room < others)
		others = room;
	next(physical, &others, families);
	if (*count > others)
		families[others] = (VkQueueFamilyProperties) {
			VK_QUEUE_TRANSFER_BIT, 1, 64, { 1, 1, 1 },
		};
}

/* ---- The chain ---- */

static void *find_link(const void *chain, VkStructureType type)
{
	const VkLayerInstanceCreateInfo *at = chain;

	while (at && (at->sType != type || at->function != VK_LAYER_LINK_INFO))
		at = at->pNext;
	return (void *)at;
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_CreateInstance(const VkInstanceCreateInfo *info,
							 const VkAllocationCallbacks *allocator,
							 VkInstance *instance)
{
	VkLayerInstanceCreateInfo *link =
		find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
	VkResult result;

	next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateInstance)next_instance_proc(NULL, "vkCreateInstance"))
		(info, allocator, instance);
	the_instance = *instance;
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL spy_CreateDevice(VkPhysicalDevice physical,
						       const VkDeviceCreateInfo *info,
						       const VkAllocationCallbacks *allocator,
						       VkDevice *device)
{
	VkLayerDeviceCreateInfo *link =
		find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
	PFN_vkCreateDevice create;
	VkResult result;

	create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr
		(the_instance, "vkCreateDevice");
	next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	count_boundaries(info->pNext);
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
		boundaries += !strcmp(info->ppEnabledExtensionNames[i], "VK_EXT_frame_boundary");
	result = create(physical, info, allocator, device);
	the_device = *device;
	own = pthread_self();
	return result;
}

#define OWN(name)	{ "vk" #name, (PFN_vkVoidFunction)spy_##name }

static PFN_vkVoidFunction find(const char *name)
{
	static const struct {
		const char *name;
		PFN_vkVoidFunction address;
	} functions[] = {
		OWN(BeginCommandBuffer), OWN(CmdBeginRendering), OWN(CmdExecuteCommands),
		OWN(CreateDevice), OWN(CreateInstance), OWN(GetPhysicalDeviceQueueFamilyProperties),
		OWN(QueueBindSparse), OWN(QueuePresentKHR), OWN(QueueSubmit),
		OWN(QueueSubmit2),
		{ "vkTestBrokenPasses", (PFN_vkVoidFunction)test_broken_passes },
		{ "vkTestRefuse", test_refuse },
		{ "vkTestBoundaries", (PFN_vkVoidFunction)test_boundaries },
		{ "vkTestEmpty", (PFN_vkVoidFunction)test_empty },
		{ "vkTestOthers", (PFN_vkVoidFunction)test_others },
		{ "vkTestHold", (PFN_vkVoidFunction)test_hold },
		{ "vkTestHeld", (PFN_vkVoidFunction)test_held },
	};

	for (size_t i = 0; i < COUNT(functions); i++) {
		if (!strcmp(functions[i].name, name))
			return functions[i].address;
	}
	return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL spy_GetDeviceProcAddr(VkDevice device, const char *name)
{
	PFN_vkVoidFunction found = strcmp(name, "vkGetDeviceProcAddr") ? find(name) :
				   (PFN_vkVoidFunction)spy_GetDeviceProcAddr;

	return found ? found : next_device_proc(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL spy_GetInstanceProcAddr(VkInstance instance,
									const char *name)
{
	PFN_vkVoidFunction found = find(name);

	return found || !instance ? found : next_instance_proc(instance, name);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
	version->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
	version->pfnGetInstanceProcAddr = spy_GetInstanceProcAddr;
	version->pfnGetDeviceProcAddr = spy_GetDeviceProcAddr;
	version->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
