// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * All ways to bind descriptors and push constants in one command buffer, each with a dispatch behind it that needs what was
 * bound long before: push descriptors in parts and by templates, dynamic offsets, descriptor buffers. Layouts are destroyed
 * once the command buffer is recorded. All functions come from vkGetDeviceProcAddr.
 */

#include <stdio.h>
#include <stdlib.h>

#include "outside.h"

#define DISPATCHES	32
/* Words between two uniform values. */
#define STEP		64
#define STORAGE		VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define UNIFORM		VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
#define DYNAMIC		VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
#define COMPUTE		VK_PIPELINE_BIND_POINT_COMPUTE

static const uint32_t sum_code[] = {
#include "outside-sum.comp.h"
};

/* Functions of the device. */
#define FUNCTIONS(one)				\
	one(vkCmdBindDescriptorBuffersEXT)	\
	one(vkCmdBindDescriptorSets)		\
	one(vkCmdBindDescriptorSets2)		\
	one(vkCmdBindPipeline)			\
	one(vkCmdDispatch)			\
	one(vkCmdDispatchBase)			\
	one(vkCmdDispatchIndirect)		\
	one(vkCmdPushConstants)			\
	one(vkCmdPushConstants2)		\
	one(vkCmdPushDescriptorSet)		\
	one(vkCmdPushDescriptorSet2)		\
	one(vkCmdPushDescriptorSetWithTemplate)	\
	one(vkCmdPushDescriptorSetWithTemplate2)	\
	one(vkCmdSetDescriptorBufferOffsetsEXT)	\
	one(vkCmdUpdateBuffer)			\
	one(vkGetDescriptorEXT)			\
	one(vkGetDescriptorSetLayoutBindingOffsetEXT)	\
	one(vkGetDescriptorSetLayoutSizeEXT)

#define MEMBER(name)	PFN_##name name;

struct binding {
	struct app app;
	FUNCTIONS(MEMBER)
	struct buffer words;
	struct buffer uniforms;
	struct buffer descriptors;
	VkDescriptorSetLayout push_set;
	VkDescriptorSetLayout dynamic_set;
	VkDescriptorSetLayout buffer_set;
	VkPipelineLayout push_layout;
	VkPipelineLayout dynamic_layout;
	VkPipelineLayout buffer_layout;
	VkPipeline push;
	VkPipeline dynamic;
	VkPipeline buffer;
	VkDescriptorUpdateTemplate whole;
	VkDescriptorUpdateTemplate part;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkDeviceSize set_size;
	uint32_t count;
	uint32_t expected[DISPATCHES];
};

static VkDescriptorSetLayout new_set_layout(struct app *app, VkDescriptorType uniform,
					    VkDescriptorSetLayoutCreateFlags flags)
{
	const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, STORAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, uniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 2, uniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
	};
	const VkDescriptorSetLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = flags,
		.bindingCount = COUNT(bindings),
		.pBindings = bindings,
	};
	VkDescriptorSetLayout layout;

	need(vkCreateDescriptorSetLayout(app->device, &info, NULL, &layout), "a set's layout");
	return layout;
}

static VkPipelineLayout new_layout(struct app *app, VkDescriptorSetLayout set)
{
	const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 8 };
	const VkPipelineLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &set,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range,
	};
	VkPipelineLayout layout;

	need(vkCreatePipelineLayout(app->device, &info, NULL, &layout), "a pipeline's layout");
	return layout;
}

/* The code is in the chain instead of a module. */
static VkPipeline new_pipeline(struct app *app, VkPipelineLayout layout,
			       VkPipelineCreateFlags flags)
{
	VkShaderModuleCreateInfo code = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(sum_code),
		.pCode = sum_code,
	};
	const VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = flags,
		.stage = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.pNext = &code,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main",
		},
		.layout = layout,
	};
	VkPipeline pipeline;

	need(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	     "vkCreateComputePipelines");
	return pipeline;
}

/* Two uniform values are anywhere in the data; the third descriptor is that of the storage buffer. */
struct data {
	uint32_t other[3];
	VkDescriptorBufferInfo words;
	VkDescriptorBufferInfo uniforms[2];
};

static VkDescriptorUpdateTemplate new_template(struct binding *binding, uint32_t first,
					       uint32_t count)
{
	const VkDescriptorUpdateTemplateEntry entries[] = {
		{ 0, 0, 1, STORAGE, offsetof(struct data, words), 0 },
		{ 1, 0, 1, UNIFORM, offsetof(struct data, uniforms[0]), 0 },
		{ 2, 0, 1, UNIFORM, offsetof(struct data, uniforms[1]), 0 },
	};
	const VkDescriptorUpdateTemplateCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
		.descriptorUpdateEntryCount = count,
		.pDescriptorUpdateEntries = entries + first,
		.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
		.pipelineBindPoint = COMPUTE,
		.pipelineLayout = binding->push_layout,
	};
	VkDescriptorUpdateTemplate template;

	need(vkCreateDescriptorUpdateTemplate(binding->app.device, &info, NULL, &template),
	     "vkCreateDescriptorUpdateTemplate");
	return template;
}

static VkDescriptorBufferInfo uniform(struct binding *binding, uint32_t value)
{
	return (VkDescriptorBufferInfo) { binding->uniforms.buffer, value * STEP * 4, 16 };
}

static void push_sets(struct binding *binding, VkCommandBuffer cmd, uint32_t first, uint32_t count,
		      uint32_t a, uint32_t b, bool by_info)
{
	const VkDescriptorBufferInfo infos[] = {
		{ binding->words.buffer, 0, VK_WHOLE_SIZE }, uniform(binding, a),
		uniform(binding, b),
	};
	VkWriteDescriptorSet writes[3];
	const VkPushDescriptorSetInfo info = {
		.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
		.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
		.layout = binding->push_layout,
		.descriptorWriteCount = count,
		.pDescriptorWrites = writes,
	};

	for (uint32_t i = 0; i < count; i++)
		writes[i] = (VkWriteDescriptorSet) {
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			/* The set is ignored. */
			.dstBinding = first + i,
			.descriptorCount = 1,
			.descriptorType = first + i ? UNIFORM : STORAGE,
			.pBufferInfo = &infos[first + i],
		};
	if (by_info)
		binding->vkCmdPushDescriptorSet2(cmd, &info);
	else
		binding->vkCmdPushDescriptorSet(cmd, COMPUTE, binding->push_layout, 0, count,
						writes);
	memset(writes, 0xff, sizeof(writes));
}

static void push_template(struct binding *binding, VkCommandBuffer cmd,
			  VkDescriptorUpdateTemplate template, uint32_t a, uint32_t b, bool by_info)
{
	/* Not on the stack: it is gone behind the call. */
	struct data *data = calloc(1, sizeof(*data));
	const VkPushDescriptorSetWithTemplateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO,
		.descriptorUpdateTemplate = template,
		.layout = binding->push_layout,
		.pData = data,
	};

	if (!data)
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "calloc");
	data->words = (VkDescriptorBufferInfo) { binding->words.buffer, 0, VK_WHOLE_SIZE };
	data->uniforms[0] = uniform(binding, a);
	data->uniforms[1] = uniform(binding, b);
	if (by_info)
		binding->vkCmdPushDescriptorSetWithTemplate2(cmd, &info);
	else
		binding->vkCmdPushDescriptorSetWithTemplate(cmd, template, binding->push_layout, 0,
							    data);
	free(data);
}

/* The next part, of which only the first word is pushed: the value is that of before. */
static void dispatch(struct binding *binding, VkCommandBuffer cmd, VkPipelineLayout layout,
		     uint32_t expected)
{
	uint32_t first = binding->count * PART;

	binding->vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &first);
	binding->vkCmdDispatch(cmd, PART, 1, 1);
	binding->expected[binding->count++] = expected;
}

static void push_value(struct binding *binding, VkCommandBuffer cmd, VkPipelineLayout layout,
		       uint32_t value)
{
	const VkPushConstantsInfo info = {
		.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
		.layout = layout,
		.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
		.offset = 4,
		.size = 4,
		.pValues = &value,
	};

	binding->vkCmdPushConstants2(cmd, &info);
}

static void record_push(struct binding *binding, VkCommandBuffer cmd, bool templates)
{
	VkPipelineLayout layout = binding->push_layout;

	binding->vkCmdBindPipeline(cmd, COMPUTE, binding->push);
	push_value(binding, cmd, layout, 5);
	push_sets(binding, cmd, 0, 3, 1, 2, false);
	dispatch(binding, cmd, layout, 10205);
	dispatch(binding, cmd, layout, 10205);
	/* Only some of the descriptors change. */
	push_sets(binding, cmd, 2, 1, 0, 3, false);
	dispatch(binding, cmd, layout, 10305);
	push_sets(binding, cmd, 1, 1, 4, 0, templates);
	dispatch(binding, cmd, layout, 40305);
	if (templates)
		push_template(binding, cmd, binding->whole, 6, 7, false);
	else
		push_sets(binding, cmd, 0, 3, 6, 7, false);
	dispatch(binding, cmd, layout, 60705);
	dispatch(binding, cmd, layout, 60705);
	if (templates)
		push_template(binding, cmd, binding->part, 8, 0, false);
	else
		push_sets(binding, cmd, 1, 1, 8, 0, false);
	dispatch(binding, cmd, layout, 80705);
	push_value(binding, cmd, layout, 9);
	push_sets(binding, cmd, 2, 1, 0, 9, templates);
	dispatch(binding, cmd, layout, 80909);
	if (templates)
		push_template(binding, cmd, binding->part, 1, 0, true);
	else
		push_sets(binding, cmd, 1, 1, 1, 0, false);
	dispatch(binding, cmd, layout, 10909);
}

static void record_dynamic(struct binding *binding, VkCommandBuffer cmd)
{
	const uint32_t offsets[] = { 3 * STEP * 4, 4 * STEP * 4 };
	const VkBindDescriptorSetsInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
		.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
		.layout = binding->dynamic_layout,
		.descriptorSetCount = 1,
		.pDescriptorSets = &binding->set,
		.dynamicOffsetCount = 2,
		.pDynamicOffsets = offsets,
	};
	VkPipelineLayout layout = binding->dynamic_layout;

	binding->vkCmdBindPipeline(cmd, COMPUTE, binding->dynamic);
	/* The same ranges of push constants, but another set: the value is kept, and pushed again. */
	push_value(binding, cmd, layout, 11);
	binding->vkCmdBindDescriptorSets(cmd, COMPUTE, layout, 0, 1, &binding->set, 2,
					 (uint32_t[]) { STEP * 4, 2 * STEP * 4 });
	dispatch(binding, cmd, layout, 10211);
	dispatch(binding, cmd, layout, 10211);
	binding->vkCmdBindDescriptorSets2(cmd, &info);
	dispatch(binding, cmd, layout, 30411);
	push_value(binding, cmd, layout, 12);
	dispatch(binding, cmd, layout, 30412);
	/* Sizes of dispatches from a buffer that is written before, and from a base. */
	binding->vkCmdUpdateBuffer(cmd, binding->uniforms.buffer, 20 * STEP * 4, 12,
				   (uint32_t[]) { PART, 1, 1 });
	app_barrier(cmd);
	binding->vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
				    (uint32_t[]) { binding->count * PART });
	binding->vkCmdDispatchIndirect(cmd, binding->uniforms.buffer, 20 * STEP * 4);
	binding->expected[binding->count++] = 30412;
	/* Two parts further back than pushed. */
	binding->vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
				    (uint32_t[]) { (binding->count - 2) * PART });
	binding->vkCmdDispatchBase(cmd, 2 * PART, 0, 0, PART, 1, 1);
	binding->expected[binding->count++] = 30412;
}

static void record_buffers(struct binding *binding, VkCommandBuffer cmd)
{
	const VkDescriptorBufferBindingInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
		.address = address_of(&binding->app, &binding->descriptors),
		.usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT,
	};
	VkPipelineLayout layout = binding->buffer_layout;
	VkDeviceSize offset = 0;

	binding->vkCmdBindPipeline(cmd, COMPUTE, binding->buffer);
	binding->vkCmdBindDescriptorBuffersEXT(cmd, 1, &info);
	binding->vkCmdSetDescriptorBufferOffsetsEXT(cmd, COMPUTE, layout, 0, 1, (uint32_t[1]) { 0 },
						    &offset);
	push_value(binding, cmd, layout, 21);
	dispatch(binding, cmd, layout, 50621);
	dispatch(binding, cmd, layout, 50621);
	offset = binding->set_size;
	binding->vkCmdSetDescriptorBufferOffsetsEXT(cmd, COMPUTE, layout, 0, 1, (uint32_t[1]) { 0 },
						    &offset);
	offset = ~0ull;
	dispatch(binding, cmd, layout, 60721);
	push_value(binding, cmd, layout, 22);
	dispatch(binding, cmd, layout, 60722);
}

static void descriptor(struct binding *binding, uint32_t set, uint32_t number, uint32_t value,
		       size_t size)
{
	const VkDescriptorAddressInfoEXT address = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
		.address = number ? address_of(&binding->app, &binding->uniforms) +
				    value * STEP * 4 : address_of(&binding->app, &binding->words),
		.range = number ? 16 : WORDS * 4,
	};
	const VkDescriptorGetInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
		.type = number ? UNIFORM : STORAGE,
		.data = number ? (VkDescriptorDataEXT) { .pUniformBuffer = &address } :
				 (VkDescriptorDataEXT) { .pStorageBuffer = &address },
	};
	VkDeviceSize offset;

	binding->vkGetDescriptorSetLayoutBindingOffsetEXT(binding->app.device, binding->buffer_set,
							  number, &offset);
	binding->vkGetDescriptorEXT(binding->app.device, &info, size,
				    (char *)binding->descriptors.words + set * binding->set_size +
				    offset);
}

static void fill_descriptors(struct binding *binding)
{
	VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &sizes,
	};
	VkDeviceSize align;

	vkGetPhysicalDeviceProperties2(binding->app.gpu, &properties);
	binding->vkGetDescriptorSetLayoutSizeEXT(binding->app.device, binding->buffer_set,
						 &binding->set_size);
	align = sizes.descriptorBufferOffsetAlignment;
	binding->set_size = (binding->set_size + align - 1) / align * align;
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t j = 0; j < 3; j++)
			descriptor(binding, i, j, 5 + i + (j == 2), j ?
				   sizes.uniformBufferDescriptorSize :
				   sizes.storageBufferDescriptorSize);
}

static void fill_set(struct binding *binding)
{
	const VkDescriptorPoolSize sizes[] = { { STORAGE, 1 }, { DYNAMIC, 2 } };
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 2,
		.pPoolSizes = sizes,
	};
	VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
		.pSetLayouts = &binding->dynamic_set,
	};
	const VkDescriptorBufferInfo infos[] = {
		{ binding->words.buffer, 0, VK_WHOLE_SIZE }, uniform(binding, 0),
		uniform(binding, 0),
	};
	VkWriteDescriptorSet writes[3];

	need(vkCreateDescriptorPool(binding->app.device, &pool, NULL, &binding->pool), "a pool");
	info.descriptorPool = binding->pool;
	need(vkAllocateDescriptorSets(binding->app.device, &info, &binding->set), "a set");
	for (uint32_t i = 0; i < 3; i++)
		writes[i] = (VkWriteDescriptorSet) {
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			.dstSet = binding->set,
			.dstBinding = i,
			.descriptorCount = 1,
			.descriptorType = i ? DYNAMIC : STORAGE,
			.pBufferInfo = &infos[i],
		};
	vkUpdateDescriptorSets(binding->app.device, 3, writes, 0, NULL);
}

static void start(struct binding *binding)
{
	const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
					 VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
					 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
					 VK_BUFFER_USAGE_TRANSFER_DST_BIT |
					 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
	struct app *app = &binding->app;

	app_start(app);
#define GET(name)	binding->name = (PFN_##name)vkGetDeviceProcAddr(app->device, #name);
	FUNCTIONS(GET)
	binding->words = new_buffer(app, usage);
	binding->uniforms = new_buffer(app, usage);
	binding->descriptors = new_buffer(app, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
					       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	for (uint32_t i = 0; i < 20; i++)
		binding->uniforms.words[i * STEP] = i;
	binding->push_set = new_set_layout(app, UNIFORM,
					   VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
	binding->dynamic_set = new_set_layout(app, DYNAMIC, 0);
	binding->buffer_set =
		new_set_layout(app, UNIFORM,
			       VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
	binding->push_layout = new_layout(app, binding->push_set);
	binding->dynamic_layout = new_layout(app, binding->dynamic_set);
	binding->buffer_layout = new_layout(app, binding->buffer_set);
	binding->push = new_pipeline(app, binding->push_layout, 0);
	binding->dynamic = new_pipeline(app, binding->dynamic_layout,
					VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
	binding->buffer = new_pipeline(app, binding->buffer_layout,
				       VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
	binding->whole = new_template(binding, 0, 3);
	binding->part = new_template(binding, 1, 1);
	fill_descriptors(binding);
	fill_set(binding);
}

static void destroy_layouts(struct binding *binding)
{
	struct app *app = &binding->app;

	vkDestroyPipelineLayout(app->device, binding->push_layout, NULL);
	vkDestroyPipelineLayout(app->device, binding->dynamic_layout, NULL);
	vkDestroyPipelineLayout(app->device, binding->buffer_layout, NULL);
	vkDestroyDescriptorSetLayout(app->device, binding->push_set, NULL);
	vkDestroyDescriptorSetLayout(app->device, binding->dynamic_set, NULL);
	vkDestroyDescriptorSetLayout(app->device, binding->buffer_set, NULL);
	vkDestroyDescriptorUpdateTemplate(app->device, binding->whole, NULL);
	vkDestroyDescriptorUpdateTemplate(app->device, binding->part, NULL);
}

static void finish(struct binding *binding)
{
	struct app *app = &binding->app;

	vkDestroyPipeline(app->device, binding->push, NULL);
	vkDestroyPipeline(app->device, binding->dynamic, NULL);
	vkDestroyPipeline(app->device, binding->buffer, NULL);
	vkDestroyDescriptorPool(app->device, binding->pool, NULL);
	app_free_buffer(app, &binding->words);
	app_free_buffer(app, &binding->uniforms);
	app_free_buffer(app, &binding->descriptors);
	app_finish(app);
}

int main(void)
{
	VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
		.descriptorBuffer = VK_TRUE,
	};
	VkPhysicalDeviceVulkan14Features features14 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
		.pNext = &buffers,
		.maintenance5 = VK_TRUE,
		.maintenance6 = VK_TRUE,
		.pushDescriptor = VK_TRUE,
	};
	const VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features14,
		.timelineSemaphore = VK_TRUE,
		.bufferDeviceAddress = VK_TRUE,
	};
	struct binding binding = {
		.app.names = { VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME },
		.app.features = &features12,
	};
	struct app *app = &binding.app;
	VkCommandBuffer cmd;
	char text[32];

	start(&binding);
	cmd = app_begin(app);
	record_push(&binding, cmd, false);
	record_dynamic(&binding, cmd);
	record_buffers(&binding, cmd);
	/* And back. */
	record_push(&binding, cmd, true);
	to_host(cmd);
	app_end(cmd);
	destroy_layouts(&binding);
	for (uint32_t i = 0; i < 2; i++) {
		app_submit(app, cmd);
		app_wait(app);
		for (uint32_t j = 0; j < binding.count; j++) {
			snprintf(text, sizeof(text), "dispatch %u", j);
			check_words(binding.words.words + j * PART, PART, binding.expected[j],
				    text);
		}
		memset(binding.words.words, 0, WORDS * sizeof(uint32_t));
	}
	finish(&binding);
	return 0;
}
