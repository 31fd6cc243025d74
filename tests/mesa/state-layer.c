// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A Vulkan layer for tests: writes what is bound and set at each dispatch, transfer and draw that reaches the driver to the
 * file that STATE_LAYER_OUTPUT names, a line each. It lies below the layer of panthor-perf, since that is an implicit one, and
 * this an explicit one. Objects have numbers in the order in which they are first seen, so that two runs of a program
 * have the same lines.
 *
 * For programs of one thread, with commands of Vulkan 1.0.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define EXPORT		__attribute__((visibility("default")))
#define MAX_CMDS	256
#define MAX_OBJECTS	4096
#define MAX_SETS	4
#define MAX_PUSHED	4
#define MAX_PUSH	256
#define MAX_VIEWS	4
#define MAX_BINDINGS	8

struct bind_point {
	uint64_t pipeline;
	uint64_t sets[MAX_SETS];
	uint64_t pushed[MAX_PUSHED];
};

/* What a command buffer has bound and set. */
struct state {
	VkCommandBuffer cmd;
	struct bind_point points[2];
	unsigned char push[MAX_PUSH];
	VkViewport viewports[MAX_VIEWS];
	VkRect2D scissors[MAX_VIEWS];
	uint64_t vertex_buffers[MAX_BINDINGS];
	VkDeviceSize vertex_offsets[MAX_BINDINGS];
	uint64_t index_buffer;
	VkDeviceSize index_offset;
	float line_width;
	float blend[4];
	uint32_t stencil_reference[2];
	char pass[64];
};

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static VkInstance the_instance;
static VkDevice the_device;
static struct state states[MAX_CMDS];
static unsigned int state_count;
static uint64_t objects[MAX_OBJECTS];
static unsigned int object_count;
static FILE *output;

#define NEXT(name)	((PFN_vk##name)next_device_proc(the_device, "vk" #name))
#define HANDLE(handle)	((uint64_t)(uintptr_t)(handle))

static struct state *state_of(VkCommandBuffer cmd)
{
	for (unsigned int i = 0; i < state_count; i++) {
		if (states[i].cmd == cmd)
			return &states[i];
	}
	if (state_count == MAX_CMDS)
		abort();
	states[state_count].cmd = cmd;
	return &states[state_count++];
}

/* Only what is printed has a number, so that what a layer above has created itself takes none. */
static unsigned int number_of(uint64_t object)
{
	unsigned int i = 0;

	if (!object)
		return 0;
	while (i < object_count && objects[i] != object)
		i++;
	if (i == MAX_OBJECTS)
		abort();
	if (i == object_count)
		objects[object_count++] = object;
	return i + 1;
}

static void print_point(const struct bind_point *point)
{
	fprintf(output, " pipeline %u sets", number_of(point->pipeline));
	for (int i = 0; i < MAX_SETS; i++)
		fprintf(output, " %u", number_of(point->sets[i]));
	fprintf(output, " pushed");
	for (int i = 0; i < MAX_PUSHED; i++)
		fprintf(output, " %u", number_of(point->pushed[i]));
}

static void print_work(VkCommandBuffer cmd, const char *what)
{
	const struct state *state = state_of(cmd);

	if (!output)
		return;
	fprintf(output, "%s pass '%s' compute:", what, state->pass);
	print_point(&state->points[VK_PIPELINE_BIND_POINT_COMPUTE]);
	fprintf(output, " graphics:");
	print_point(&state->points[VK_PIPELINE_BIND_POINT_GRAPHICS]);
	fprintf(output, " push");
	for (int i = 0; i < MAX_PUSH; i++) {
		if (state->push[i])
			fprintf(output, " %d:%02x", i, state->push[i]);
	}
	for (int i = 0; i < MAX_VIEWS; i++)
		fprintf(output, " view %g %g %g %g %g %g scissor %d %d %u %u", state->viewports[i].x,
			state->viewports[i].y, state->viewports[i].width, state->viewports[i].height,
			state->viewports[i].minDepth, state->viewports[i].maxDepth,
			state->scissors[i].offset.x, state->scissors[i].offset.y,
			state->scissors[i].extent.width, state->scissors[i].extent.height);
	for (int i = 0; i < MAX_BINDINGS; i++)
		fprintf(output, " vertices %u+%" PRIu64, number_of(state->vertex_buffers[i]),
			state->vertex_offsets[i]);
	fprintf(output, " indices %u+%" PRIu64 " width %g blend %g %g %g %g stencil %u %u\n",
		number_of(state->index_buffer), state->index_offset, state->line_width,
		state->blend[0], state->blend[1], state->blend[2], state->blend[3],
		state->stencil_reference[0], state->stencil_reference[1]);
	fflush(output);
}

/* ---- What sets state ---- */

static VKAPI_ATTR VkResult VKAPI_CALL state_BeginCommandBuffer(VkCommandBuffer cmd,
							       const VkCommandBufferBeginInfo *info)
{
	struct state *state = state_of(cmd);

	memset(state, 0, sizeof(*state));
	state->cmd = cmd;
	return NEXT(BeginCommandBuffer)(cmd, info);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdBindPipeline(VkCommandBuffer cmd, VkPipelineBindPoint point,
							VkPipeline pipeline)
{
	state_of(cmd)->points[point].pipeline = HANDLE(pipeline);
	NEXT(CmdBindPipeline)(cmd, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdBindDescriptorSets(VkCommandBuffer cmd,
							      VkPipelineBindPoint point,
							      VkPipelineLayout layout, uint32_t first,
							      uint32_t count, const VkDescriptorSet *sets,
							      uint32_t offset_count,
							      const uint32_t *offsets)
{
	for (uint32_t i = 0; i < count; i++)
		state_of(cmd)->points[point].sets[first + i] = HANDLE(sets[i]);
	NEXT(CmdBindDescriptorSets)(cmd, point, layout, first, count, sets, offset_count, offsets);
}

/* Of buffers, one for each binding. */
static VKAPI_ATTR void VKAPI_CALL state_CmdPushDescriptorSetKHR(VkCommandBuffer cmd, VkPipelineBindPoint point,
								VkPipelineLayout layout, uint32_t set,
								uint32_t count,
								const VkWriteDescriptorSet *writes)
{
	for (uint32_t i = 0; i < count; i++)
		state_of(cmd)->points[point].pushed[writes[i].dstBinding] = HANDLE(writes[i].pBufferInfo->buffer);
	NEXT(CmdPushDescriptorSetKHR)(cmd, point, layout, set, count, writes);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdPushConstants(VkCommandBuffer cmd, VkPipelineLayout layout,
							 VkShaderStageFlags stages, uint32_t offset,
							 uint32_t size, const void *values)
{
	memcpy(state_of(cmd)->push + offset, values, size);
	NEXT(CmdPushConstants)(cmd, layout, stages, offset, size, values);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdSetViewport(VkCommandBuffer cmd, uint32_t first,
						       uint32_t count, const VkViewport *viewports)
{
	memcpy(state_of(cmd)->viewports + first, viewports, count * sizeof(*viewports));
	NEXT(CmdSetViewport)(cmd, first, count, viewports);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdSetScissor(VkCommandBuffer cmd, uint32_t first, uint32_t count,
						      const VkRect2D *scissors)
{
	memcpy(state_of(cmd)->scissors + first, scissors, count * sizeof(*scissors));
	NEXT(CmdSetScissor)(cmd, first, count, scissors);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdSetLineWidth(VkCommandBuffer cmd, float width)
{
	state_of(cmd)->line_width = width;
	NEXT(CmdSetLineWidth)(cmd, width);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdSetBlendConstants(VkCommandBuffer cmd, const float constants[4])
{
	memcpy(state_of(cmd)->blend, constants, sizeof(state_of(cmd)->blend));
	NEXT(CmdSetBlendConstants)(cmd, constants);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdSetStencilReference(VkCommandBuffer cmd, VkStencilFaceFlags faces,
							       uint32_t reference)
{
	if (faces & VK_STENCIL_FACE_FRONT_BIT)
		state_of(cmd)->stencil_reference[0] = reference;
	if (faces & VK_STENCIL_FACE_BACK_BIT)
		state_of(cmd)->stencil_reference[1] = reference;
	NEXT(CmdSetStencilReference)(cmd, faces, reference);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdBindVertexBuffers(VkCommandBuffer cmd, uint32_t first,
							     uint32_t count, const VkBuffer *buffers,
							     const VkDeviceSize *offsets)
{
	for (uint32_t i = 0; i < count; i++) {
		state_of(cmd)->vertex_buffers[first + i] = HANDLE(buffers[i]);
		state_of(cmd)->vertex_offsets[first + i] = offsets[i];
	}
	NEXT(CmdBindVertexBuffers)(cmd, first, count, buffers, offsets);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdBindIndexBuffer(VkCommandBuffer cmd, VkBuffer buffer,
							   VkDeviceSize offset, VkIndexType type)
{
	state_of(cmd)->index_buffer = HANDLE(buffer);
	state_of(cmd)->index_offset = offset;
	NEXT(CmdBindIndexBuffer)(cmd, buffer, offset, type);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdBeginRenderPass(VkCommandBuffer cmd,
							   const VkRenderPassBeginInfo *info,
							   VkSubpassContents contents)
{
	snprintf(state_of(cmd)->pass, sizeof(state_of(cmd)->pass), "%u %u",
		 number_of(HANDLE(info->renderPass)), number_of(HANDLE(info->framebuffer)));
	NEXT(CmdBeginRenderPass)(cmd, info, contents);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdEndRenderPass(VkCommandBuffer cmd)
{
	print_work(cmd, "end of a pass");
	*state_of(cmd)->pass = '\0';
	NEXT(CmdEndRenderPass)(cmd);
}

/* ---- Work ---- */

static VKAPI_ATTR void VKAPI_CALL state_CmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
	char what[64];

	snprintf(what, sizeof(what), "dispatch %u %u %u", x, y, z);
	print_work(cmd, what);
	NEXT(CmdDispatch)(cmd, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdDraw(VkCommandBuffer cmd, uint32_t vertices, uint32_t instances,
						uint32_t first_vertex, uint32_t first_instance)
{
	char what[64];

	snprintf(what, sizeof(what), "draw %u %u %u %u", vertices, instances, first_vertex, first_instance);
	print_work(cmd, what);
	NEXT(CmdDraw)(cmd, vertices, instances, first_vertex, first_instance);
}

static VKAPI_ATTR void VKAPI_CALL state_CmdCopyBuffer(VkCommandBuffer cmd, VkBuffer from, VkBuffer to,
						      uint32_t count, const VkBufferCopy *regions)
{
	char what[64];

	snprintf(what, sizeof(what), "copy %u %u %u", number_of(HANDLE(from)), number_of(HANDLE(to)), count);
	print_work(cmd, what);
	NEXT(CmdCopyBuffer)(cmd, from, to, count, regions);
}

/* ---- The chain ---- */

static void *find_link(const void *chain, VkStructureType type)
{
	const VkLayerInstanceCreateInfo *at = chain;

	while (at && (at->sType != type || at->function != VK_LAYER_LINK_INFO))
		at = at->pNext;
	return (void *)at;
}

static VKAPI_ATTR VkResult VKAPI_CALL state_CreateInstance(const VkInstanceCreateInfo *info,
							   const VkAllocationCallbacks *allocator,
							   VkInstance *instance)
{
	VkLayerInstanceCreateInfo *link = find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
	const char *path = getenv("STATE_LAYER_OUTPUT");
	VkResult result;

	next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateInstance)next_instance_proc(NULL, "vkCreateInstance"))(info, allocator, instance);
	the_instance = *instance;
	if (path && !output)
		output = fopen(path, "we");
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL state_CreateDevice(VkPhysicalDevice physical,
							 const VkDeviceCreateInfo *info,
							 const VkAllocationCallbacks *allocator,
							 VkDevice *device)
{
	VkLayerDeviceCreateInfo *link = find_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
	PFN_vkCreateDevice create;
	VkResult result;

	create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(the_instance, "vkCreateDevice");
	next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = create(physical, info, allocator, device);
	the_device = *device;
	return result;
}

#define OWN(name)	{ "vk" #name, (PFN_vkVoidFunction)state_##name }

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL state_GetDeviceProcAddr(VkDevice device, const char *name)
{
	static const struct {
		const char *name;
		PFN_vkVoidFunction address;
	} own[] = {
		OWN(BeginCommandBuffer), OWN(CmdBeginRenderPass), OWN(CmdBindDescriptorSets),
		OWN(CmdBindIndexBuffer), OWN(CmdBindPipeline), OWN(CmdBindVertexBuffers),
		OWN(CmdCopyBuffer), OWN(CmdDispatch), OWN(CmdDraw), OWN(CmdEndRenderPass),
		OWN(CmdPushConstants), OWN(CmdPushDescriptorSetKHR), OWN(CmdSetBlendConstants), OWN(CmdSetLineWidth),
		OWN(CmdSetScissor), OWN(CmdSetStencilReference), OWN(CmdSetViewport),
		OWN(GetDeviceProcAddr),
	};

	for (size_t i = 0; i < COUNT(own); i++) {
		if (!strcmp(own[i].name, name))
			return own[i].address;
	}
	return next_device_proc(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL state_GetInstanceProcAddr(VkInstance instance, const char *name)
{
	if (!strcmp(name, "vkCreateInstance"))
		return (PFN_vkVoidFunction)state_CreateInstance;
	if (!strcmp(name, "vkCreateDevice"))
		return (PFN_vkVoidFunction)state_CreateDevice;
	return instance ? next_instance_proc(instance, name) : NULL;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
	version->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
	version->pfnGetInstanceProcAddr = state_GetInstanceProcAddr;
	version->pfnGetDeviceProcAddr = state_GetDeviceProcAddr;
	version->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
