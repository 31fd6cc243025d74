// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Push descriptors. They accumulate: a command pushes some descriptors of a set, and the others
 * stay. Each write is saved by itself. The data of a template is saved as the writes that
 * it stands for, because the template may be destroyed while the command buffer is recorded.
 */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "push.h"
#include "split.h"
#include "state.h"

/* Structures of VK_KHR_maintenance6, which older headers do not have. */

/** struct push_info - VkPushDescriptorSetInfo */
struct push_info {
	/** @sType: Type. */
	VkStructureType sType;

	/** @pNext: Chain. */
	const void *pNext;

	/** @stageFlags: Stages, which stand for bind points. */
	VkShaderStageFlags stageFlags;

	/** @layout: Layout. */
	VkPipelineLayout layout;

	/** @set: Set. */
	uint32_t set;

	/** @descriptorWriteCount: Number of writes. */
	uint32_t descriptorWriteCount;

	/** @pDescriptorWrites: The writes. */
	const VkWriteDescriptorSet *pDescriptorWrites;
};

/** struct push_template_info - VkPushDescriptorSetWithTemplateInfo */
struct push_template_info {
	/** @sType: Type. */
	VkStructureType sType;

	/** @pNext: Chain. */
	const void *pNext;

	/** @descriptorUpdateTemplate: Template. */
	VkDescriptorUpdateTemplate descriptorUpdateTemplate;

	/** @layout: Layout. */
	VkPipelineLayout layout;

	/** @set: Set. */
	uint32_t set;

	/** @pData: Data of the template. */
	const void *pData;
};

typedef void (VKAPI_PTR *push_fn)(VkCommandBuffer handle, const struct push_info *info);
typedef void (VKAPI_PTR *push_template_fn)(VkCommandBuffer handle,
					   const struct push_template_info *info);

/**
 * struct push - where descriptors are pushed to
 */
struct push {
	/** @points: Bind points, as bits. */
	unsigned int points;

	/** @layout: Layout. */
	VkPipelineLayout layout;

	/** @set: Set. */
	uint32_t set;
};

/**
 * struct push_args - a write; the descriptors come behind it
 */
struct push_args {
	/** @push: Where it goes. */
	struct push push;

	/** @write: The write. */
	VkWriteDescriptorSet write;

	/** @structures: In its chain, if it is of acceleration structures. */
	VkWriteDescriptorSetAccelerationStructureKHR structures;
};

/**
 * struct descriptors - the descriptors of a write
 */
struct descriptors {
	/** @first: The first of them. */
	const char *first;

	/** @stride: Bytes from one to the next. */
	size_t stride;

	/** @size: Size of one. 0: those of the type cannot be saved. */
	size_t size;
};

/**
 * struct template - a template of push descriptors
 */
struct template {
	/** @handle: Handle. */
	VkDescriptorUpdateTemplate handle;

	/** @point: Bind point. */
	VkPipelineBindPoint point;

	/** @count: Number of entries. */
	uint32_t count;

	/** @entries: The entries. */
	VkDescriptorUpdateTemplateEntry entries[];
};

static size_t descriptor_size(VkDescriptorType type)
{
	switch (type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return sizeof(VkDescriptorImageInfo);
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return sizeof(VkBufferView);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return sizeof(VkDescriptorBufferInfo);
	case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
		return sizeof(VkAccelerationStructureKHR);
	default:
		return 0;
	}
}

/* What a write refers to. */
static struct descriptors descriptors_of(const VkWriteDescriptorSet *write)
{
	const VkWriteDescriptorSetAccelerationStructureKHR *structures = write->pNext;
	const void *first = NULL;
	size_t size = descriptor_size(write->descriptorType);

	switch (write->descriptorType) {
	case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
		if (structures && !structures->pNext && structures->sType ==
		    VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR)
			first = structures->pAccelerationStructures;
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		first = write->pTexelBufferView;
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		first = write->pBufferInfo;
		break;
	default:
		first = write->pImageInfo;
		break;
	}
	if (!first || (write->pNext && first != structures->pAccelerationStructures))
		size = 0;
	return (struct descriptors) { first, size, size };
}

static void push_one(struct device *device, VkCommandBuffer handle, VkPipelineBindPoint point,
		     const struct push_args *args)
{
	const PFN_vkCmdPushDescriptorSetKHR push =
		(PFN_vkCmdPushDescriptorSetKHR)(device->commands.CmdPushDescriptorSetKHR ?
						(void *)device->commands.CmdPushDescriptorSetKHR :
						(void *)device->commands.CmdPushDescriptorSet);

	push(handle, point, args->push.layout, args->push.set, 1, &args->write);
}

static void replay_push(struct device *device, VkCommandBuffer handle, const void *data)
{
	static const VkPipelineBindPoint points[] = {
		VK_PIPELINE_BIND_POINT_GRAPHICS,
		VK_PIPELINE_BIND_POINT_COMPUTE,
		VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
		VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI,
		BIND_POINT_DATA_GRAPH,
	};
	const struct push_args *args = data;

	for (unsigned int i = 0; i < COUNT(points); i++) {
		if (args->push.points & 1 << i)
			push_one(device, handle, points[i], args);
	}
}

static bool own(struct state *state, struct record *record, const struct push *push,
		const VkWriteDescriptorSet *write)
{
	for (unsigned int point = 0; point < POINTS; point++) {
		for (uint32_t i = 0; push->points & 1 << point && i < write->descriptorCount; i++) {
			if (!state_own_pushed(state, record, push->set * POINTS + point,
					      write->dstBinding, write->dstArrayElement + i))
				return false;
		}
	}
	return true;
}

/* Returns whether the write is saved. */
static bool record_write(struct state *state, const struct push *push,
			 const VkWriteDescriptorSet *write, const struct descriptors *from)
{
	const size_t size = write->descriptorCount * from->size;
	struct push_args *args;
	struct record *record;
	bool owned;
	char *copy;

	if (!write->descriptorCount)
		return true;
	if (!from->size || write->descriptorCount > MAX_PUSHED || !push->points)
		return false;
	record = state_record(state, replay_push, ALIGNED(sizeof(*args)) + size);
	if (!record)
		return false;
	args = (void *)record->args;
	args->push = *push;
	args->write = *write;
	args->write.pNext = NULL;
	copy = (char *)args + ALIGNED(sizeof(*args));
	for (uint32_t i = 0; i < write->descriptorCount; i++)
		memcpy(copy + i * from->size, from->first + i * from->stride, from->size);
	if (write->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) {
		args->structures = (VkWriteDescriptorSetAccelerationStructureKHR) {
			VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, NULL,
			write->descriptorCount, (void *)copy,
		};
		args->write.pNext = &args->structures;
	}
	/* The others are not read for its type. */
	args->write.pImageInfo = (void *)copy;
	args->write.pBufferInfo = (void *)copy;
	args->write.pTexelBufferView = (void *)copy;
	owned = own(state, record, push, write);
	state_recorded(state, record);
	return owned;
}

static void record_writes(const struct target *target, const struct push *push, uint32_t count,
			  const VkWriteDescriptorSet *writes)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct descriptors from = descriptors_of(&writes[i]);

		if (!record_write(target->state, push, &writes[i], &from)) {
			split_whole(target);
			return;
		}
	}
}

/* ---- Templates ---- */

static int compare(const void *a, const void *b)
{
	const struct template *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static struct template *find_locked(struct device *device, VkDescriptorUpdateTemplate handle)
{
	const struct template key = { .handle = handle };
	struct template **found = tfind(&key, &device->templates, compare);

	return found ? *found : NULL;
}

static void add_template(struct device *device, const VkDescriptorUpdateTemplateCreateInfo *info,
			 VkDescriptorUpdateTemplate handle)
{
	const uint32_t count = info->descriptorUpdateEntryCount;
	const size_t size = count * sizeof(*info->pDescriptorUpdateEntries);
	struct template *template = malloc(sizeof(*template) + size);

	if (!template)
		return;
	template->handle = handle;
	template->point = info->pipelineBindPoint;
	template->count = count;
	memcpy(template->entries, info->pDescriptorUpdateEntries, size);
	pthread_mutex_lock(&device->lock);
	if (!tsearch(template, &device->templates, compare))
		free(template);
	pthread_mutex_unlock(&device->lock);
}

static VKAPI_ATTR VkResult VKAPI_CALL
push_CreateDescriptorUpdateTemplate(VkDevice handle,
				    const VkDescriptorUpdateTemplateCreateInfo *info,
				    const VkAllocationCallbacks *allocator,
				    VkDescriptorUpdateTemplate *template)
{
	struct device *device = device_of(handle);
	VkResult result = (device->vk.CreateDescriptorUpdateTemplate ?
			   device->vk.CreateDescriptorUpdateTemplate :
			   device->vk.CreateDescriptorUpdateTemplateKHR)(handle, info, allocator,
									 template);

	if (result == VK_SUCCESS &&
	    info->templateType == VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR)
		add_template(device, info, *template);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL
push_DestroyDescriptorUpdateTemplate(VkDevice handle, VkDescriptorUpdateTemplate template_handle,
				     const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);
	struct template *template;

	pthread_mutex_lock(&device->lock);
	template = find_locked(device, template_handle);
	if (template)
		tdelete(template, &device->templates, compare);
	pthread_mutex_unlock(&device->lock);
	free(template);
	(device->vk.DestroyDescriptorUpdateTemplate ? device->vk.DestroyDescriptorUpdateTemplate :
	 device->vk.DestroyDescriptorUpdateTemplateKHR)(handle, template_handle, allocator);
}

/** push_fini() - Free what is known of the templates of a device. */
void push_fini(struct device *device)
{
	tdestroy(device->templates, free);
	device->templates = NULL;
}

static bool record_template(struct state *state, const struct template *template,
			    VkPipelineLayout layout, uint32_t set, const void *data)
{
	const struct push push = { state_point(template->point), layout, set };

	for (uint32_t i = 0; i < template->count; i++) {
		const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i];
		const VkWriteDescriptorSet write = {
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			.dstBinding = entry->dstBinding,
			.dstArrayElement = entry->dstArrayElement,
			.descriptorCount = entry->descriptorCount,
			.descriptorType = entry->descriptorType,
		};
		const struct descriptors from = {
			(const char *)data + entry->offset, entry->stride,
			descriptor_size(entry->descriptorType),
		};

		if (!record_write(state, &push, &write, &from))
			return false;
	}
	return true;
}

static void record_with_template(const struct target *target, VkDescriptorUpdateTemplate handle,
				 VkPipelineLayout layout, uint32_t set, const void *data)
{
	const struct template *template;

	if (!target->state)
		return;
	/* The application must not destroy it during the call. */
	pthread_mutex_lock(&target->device->lock);
	template = find_locked(target->device, handle);
	pthread_mutex_unlock(&target->device->lock);
	if (!template || !record_template(target->state, template, layout, set, data))
		split_whole(target);
}

/* ---- Commands ---- */

static void record_set(const struct target *target, VkPipelineBindPoint point,
		       VkPipelineLayout layout, uint32_t set, uint32_t count,
		       const VkWriteDescriptorSet *writes)
{
	const struct push push = { state_point(point), layout, set };

	if (target->state)
		record_writes(target, &push, count, writes);
}

static void record_set2(const struct target *target, const struct push_info *info)
{
	/* Some stages have no bind point of which the layer knows. */
	const struct push push = {
		state_points(info->stageFlags) & ~POINT_UNKNOWN, info->layout, info->set,
	};

	if (!target->state)
		return;
	if (info->pNext)
		split_whole(target);
	else
		record_writes(target, &push, info->descriptorWriteCount, info->pDescriptorWrites);
}

static void record_with_template2(const struct target *target,
				  const struct push_template_info *info)
{
	if (info->pNext)
		split_whole(target);
	else
		record_with_template(target, info->descriptorUpdateTemplate, info->layout,
				     info->set, info->pData);
}

/* The same function of the extension and of Vulkan 1.4. */
#define PUSH_FUNCTIONS(suffix) \
static VKAPI_ATTR void VKAPI_CALL \
push_CmdPushDescriptorSet##suffix(VkCommandBuffer handle, VkPipelineBindPoint point, \
				  VkPipelineLayout layout, uint32_t set, uint32_t count, \
				  const VkWriteDescriptorSet *writes) \
{ \
	const struct target target = split_target(handle); \
\
	((PFN_vkCmdPushDescriptorSetKHR)target.device->commands.CmdPushDescriptorSet##suffix) \
		(target.handle, point, layout, set, count, writes); \
	record_set(&target, point, layout, set, count, writes); \
} \
\
static VKAPI_ATTR void VKAPI_CALL \
push_CmdPushDescriptorSet2##suffix(VkCommandBuffer handle, const struct push_info *info) \
{ \
	const struct target target = split_target(handle); \
\
	((push_fn)target.device->commands.CmdPushDescriptorSet2##suffix)(target.handle, info); \
	record_set2(&target, info); \
} \
\
static VKAPI_ATTR void VKAPI_CALL \
push_CmdPushDescriptorSetWithTemplate##suffix(VkCommandBuffer handle, \
					      VkDescriptorUpdateTemplate template, \
					      VkPipelineLayout layout, uint32_t set, \
					      const void *data) \
{ \
	const struct target target = split_target(handle); \
\
	((PFN_vkCmdPushDescriptorSetWithTemplateKHR) \
	 target.device->commands.CmdPushDescriptorSetWithTemplate##suffix) \
		(target.handle, template, layout, set, data); \
	record_with_template(&target, template, layout, set, data); \
} \
\
static VKAPI_ATTR void VKAPI_CALL \
push_CmdPushDescriptorSetWithTemplate2##suffix(VkCommandBuffer handle, \
					       const struct push_template_info *info) \
{ \
	const struct target target = split_target(handle); \
\
	((push_template_fn)target.device->commands.CmdPushDescriptorSetWithTemplate2##suffix) \
		(target.handle, info); \
	record_with_template2(&target, info); \
}

PUSH_FUNCTIONS()
PUSH_FUNCTIONS(KHR)

#define PUSH_FUNCTION(name)	{ "vk" #name, (PFN_vkVoidFunction)push_##name }

static const struct function functions[] = {
	PUSH_FUNCTION(CmdPushDescriptorSet),
	PUSH_FUNCTION(CmdPushDescriptorSet2),
	PUSH_FUNCTION(CmdPushDescriptorSet2KHR),
	PUSH_FUNCTION(CmdPushDescriptorSetKHR),
	PUSH_FUNCTION(CmdPushDescriptorSetWithTemplate),
	PUSH_FUNCTION(CmdPushDescriptorSetWithTemplate2),
	PUSH_FUNCTION(CmdPushDescriptorSetWithTemplate2KHR),
	PUSH_FUNCTION(CmdPushDescriptorSetWithTemplateKHR),
	PUSH_FUNCTION(CreateDescriptorUpdateTemplate),
	PUSH_FUNCTION(DestroyDescriptorUpdateTemplate),
	{ "vkCreateDescriptorUpdateTemplateKHR",
	  (PFN_vkVoidFunction)push_CreateDescriptorUpdateTemplate },
	{ "vkDestroyDescriptorUpdateTemplateKHR",
	  (PFN_vkVoidFunction)push_DestroyDescriptorUpdateTemplate },
};

/** push_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction push_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
