// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"
#include "script.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define MAX_OVERRIDES	12
#define POINT_RAY_TRACING	1000165000
#define POINT_SUBPASS_SHADING	1000369003
#define POINT_DATA_GRAPH	1000507000
#define STAGE_RAYGEN		0x100
#define TYPE_STRUCTURE_KHR	1000150000
#define MAX_WRITES	3

static bool is(const struct command *command, const char *rule)
{
	return command->rule && !strcmp(command->rule, rule);
}

static bool is_named(const struct command *command, const char *name)
{
	return !strcmp(command->original, name);
}

static bool has(const struct command *command, const char *member)
{
	return reflect_member(command->args, member);
}

/* ---- Choices ---- */

#define POINTS	4
static const struct {
	VkPipelineBindPoint point;
	VkShaderStageFlags stages;
} points[POINTS] = {
	{ VK_PIPELINE_BIND_POINT_GRAPHICS, VK_SHADER_STAGE_ALL_GRAPHICS },
	{ VK_PIPELINE_BIND_POINT_COMPUTE, VK_SHADER_STAGE_COMPUTE_BIT },
	{ (VkPipelineBindPoint)POINT_RAY_TRACING, STAGE_RAYGEN },
	/* With stages, several at once. */
	{ (VkPipelineBindPoint)POINT_SUBPASS_SHADING,
	  VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT | STAGE_RAYGEN },
};

static const enum layout_name set_layouts[] = {
	LAYOUT_FIRST, LAYOUT_SAME, LAYOUT_ONE, LAYOUT_PUSH, LAYOUT_CONSTANTS, LAYOUT_SETS,
};

static const enum layout_name push_layouts[] = {
	LAYOUT_FIRST, LAYOUT_SAME, LAYOUT_PUSH, LAYOUT_ONE, LAYOUT_CONSTANTS,
};

static const enum layout_name buffer_layouts[] = {
	LAYOUT_BUFFERS, LAYOUT_BUFFERS_SAME, LAYOUT_BUFFERS_OTHER,
};

static const unsigned int firsts[] = { 0, 1, 2, 3 };
static const unsigned int counts[] = { 2, 1, 3 };

/* Writes of push descriptors: binding, first element, number of them. */
struct push {
	struct {
		uint32_t binding;
		uint32_t element;
		uint32_t count;
	} writes[MAX_WRITES];
	unsigned int count;
};

static const struct push other_pushes[] = {
	{ { { 0, 0, 2 } }, 1 },
	{ { { 0, 1, 1 } }, 1 },
	{ { { 1, 0, 1 } }, 1 },
};

static const struct push pushes[] = {
	{ { { 1, 0, 2 } }, 1 },
	{ { { 1, 0, 1 } }, 1 },
	{ { { 1, 1, 1 } }, 1 },
	{ { { 1, 2, 2 } }, 1 },
	{ { { 1, 0, 4 } }, 1 },
	{ { { 0, 0, 1 } }, 1 },
	{ { { 2, 0, 2 } }, 1 },
	{ { { 2, 1, 1 } }, 1 },
	{ { { 3, 0, 1 } }, 1 },
	{ { { 4, 0, 1 } }, 1 },
	{ { { 5, 0, 1 } }, 1 },
	{ { { 6, 0, 2 } }, 1 },
	{ { { 6, 1, 1 } }, 1 },
	{ { { 7, 0, 1 } }, 1 },
	{ { { 8, 0, 1 } }, 1 },
	{ { { 9, 0, 2 } }, 1 },
	{ { { 9, 1, 1 } }, 1 },
	{ { { 0, 0, 1 }, { 1, 3, 1 }, { 2, 0, 1 } }, 3 },
	/* Continues in the next binding. */
	{ { { 10, 1, 2 } }, 1 },
	{ { { 11, 0, 1 } }, 1 },
};

/* Words of push constants, and the stages that have them in each layout. */
static const struct {
	enum layout_name layout;
	VkShaderStageFlags stages;
	uint32_t offset;
	uint32_t size;
} constants[] = {
#define GRAPHICS	(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)
#define COMPUTE		VK_SHADER_STAGE_COMPUTE_BIT
	{ LAYOUT_FIRST, GRAPHICS, 0, 8 },
	{ LAYOUT_FIRST, GRAPHICS, 8, 8 },
	{ LAYOUT_FIRST, GRAPHICS, 4, 8 },
	{ LAYOUT_FIRST, GRAPHICS, 4, 4 },
	{ LAYOUT_FIRST, GRAPHICS, 0, 16 },
	{ LAYOUT_FIRST, GRAPHICS, 0, 4 },
	{ LAYOUT_SAME, GRAPHICS, 0, 4 },
	{ LAYOUT_FIRST, COMPUTE, 16, 8 },
	{ LAYOUT_FIRST, COMPUTE, 20, 28 },
	{ LAYOUT_SAME, COMPUTE, 16, 32 },
	{ LAYOUT_CONSTANTS, GRAPHICS | COMPUTE, 0, 4 },
	{ LAYOUT_CONSTANTS, GRAPHICS | COMPUTE, 8, 16 },
	{ LAYOUT_CONSTANTS, GRAPHICS | COMPUTE, 0, 64 },
};

#define V	VK_SHADER_STAGE_VERTEX_BIT
#define F	VK_SHADER_STAGE_FRAGMENT_BIT
#define C	VK_SHADER_STAGE_COMPUTE_BIT
static const VkShaderStageFlagBits stage_lists[][8] = {
	{ V },
	{ F },
	{ V, F },
	{ F, V },
	{ C },
	{ V, C, F },
	{ V, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
	  VK_SHADER_STAGE_GEOMETRY_BIT, F, VK_SHADER_STAGE_TASK_BIT_NV,
	  VK_SHADER_STAGE_MESH_BIT_NV },
};
#undef V
#undef F
#undef C

/* Pipelines of other bind points are made up. */
static const struct {
	VkPipelineBindPoint point;
	uint64_t pipeline;
} other_pipelines[] = {
	{ VK_PIPELINE_BIND_POINT_COMPUTE, 0x700000c01 },
	{ VK_PIPELINE_BIND_POINT_COMPUTE, 0x700000c02 },
	{ (VkPipelineBindPoint)POINT_RAY_TRACING, 0x700000a01 },
	{ (VkPipelineBindPoint)POINT_SUBPASS_SHADING, 0x700000a02 },
	{ (VkPipelineBindPoint)POINT_DATA_GRAPH, 0x700000a03 },
};

static bool has_optional(const struct command *command)
{
	const struct type *type = command->args;

	for (unsigned int i = 0; i < type->member_count; i++) {
		if (type->members[i].stars && type->members[i].flags & MEMBER_OPTIONAL &&
		    type->members[i].flags & MEMBER_ONE)
			return true;
	}
	return false;
}

/**
 * script_dimensions() - What selects what a command sets
 * @command: The command.
 * @dimensions: Where the answer goes.
 *
 * Return: Number of @dimensions.
 */
unsigned int script_dimensions(const struct command *command, struct dimension *dimensions)
{
	unsigned int count = 0;

#define ADD(...)	dimensions[count++] = (struct dimension){ __VA_ARGS__ }
	if (command->first)
		ADD(command->first, COUNT(firsts));
	if (command->count)
		ADD(command->count, COUNT(counts));
	if (is(command, "faces"))
		ADD("faceMask", 3);
	if (is(command, "array") && has(command, "pSizes"))
		ADD("pSizes", 2);
	if (is(command, "vertex-buffers") && has(command, "pSizes"))
		ADD("pSizes", 2);
	if (is(command, "vertex-buffers") &&
	    (has(command, "pStrides") || has(command, "pBindingInfos")))
		ADD("pStrides", 2);
	if (is(command, "vertex-input"))
		ADD("vertexBindingDescriptionCount", 4);
	if (is(command, "pipeline") && has(command, "groupIndex")) {
		ADD("pipeline", GRAPHICS_PIPELINES);
		ADD("groupIndex", 2);
	} else if (is(command, "pipeline")) {
		ADD("pipeline", GRAPHICS_PIPELINES + COUNT(other_pipelines));
	}
	if (is(command, "shaders")) {
		ADD("pStages", COUNT(stage_lists));
		ADD("pShaders", 2);
	}
	if (is(command, "sets") || is(command, "push") || is(command, "offsets") ||
	    is(command, "samplers"))
		ADD("bind point", POINTS);
	if (is(command, "push-template"))
		ADD("bind point", 2);
	if (is(command, "sets")) {
		ADD("layout", COUNT(set_layouts));
		ADD("firstSet", 4);
		ADD("descriptorSetCount", COUNT(counts));
	}
	if (is(command, "push") || is(command, "push-template")) {
		ADD("layout", COUNT(push_layouts));
		ADD("writes", COUNT(pushes));
	}
	if (is(command, "push-template"))
		ADD("stride", 2);
	if (is(command, "buffers"))
		ADD("bufferCount", COUNT(counts));
	if (is(command, "offsets")) {
		ADD("layout", COUNT(buffer_layouts));
		ADD("firstSet", 4);
		ADD("setCount", 2);
		ADD("pBufferIndices", 3);
	}
	if (is(command, "samplers"))
		ADD("layout", COUNT(buffer_layouts));
	if (is(command, "constants"))
		ADD("offset", COUNT(constants));
	if (is(command, "push-data"))
		ADD("offset", 5);
	if (is(command, "value") && has(command, "samples"))
		ADD("samples", 3);
	if (is(command, "value") && has(command, "depthClampMode"))
		ADD("depthClampMode", 2);
	else if (is(command, "value") && has_optional(command))
		ADD("NULL", 2);
#undef ADD
	return count;
}

/* ---- Scripts ---- */

/** script_init() - Begin a script. */
void script_init(struct script *script, const char *format, ...)
{
	va_list args;

	memset(script, 0, sizeof(*script));
	va_start(args, format);
	vsnprintf(script->name, sizeof(script->name), format, args);
	va_end(args);
}

static struct step *add(struct script *script, const struct step *step)
{
	if (script->count == MAX_STEPS) {
		fprintf(stderr, "state: a script with more than %d steps\n", MAX_STEPS);
		abort();
	}
	script->steps[script->count] = *step;
	return &script->steps[script->count++];
}

/*
 * No draw may see state that was set behind a pipeline that has it, too: such a pipeline is bound
 * again.
 */
static void before_draw(struct script *script)
{
	const struct step pipeline = script->pipeline;

	if (pipeline.command && script->dirty)
		add(script, &pipeline);
	script->dirty = false;
}

/** script_add() - Add a step that is no command. */
void script_add(struct script *script, enum step_kind kind)
{
	if (kind == STEP_DRAW || kind == STEP_PASS)
		before_draw(script);
	if (kind >= STEP_EXECUTE && kind <= STEP_BEGIN) {
		script->buffers = 0;
		script->pipeline.command = NULL;
	}
	if (kind == STEP_BEGIN_PASS || kind == STEP_END_PASS)
		script->in_pass = kind == STEP_BEGIN_PASS;
	/* In the mode "queries", these are what is split. */
	if (kind == STEP_DISPATCH && world.with_queries)
		add(script, &(struct step){ .kind = STEP_BEGIN_QUERY, .seed = script->count });
	add(script, &(struct step){ .kind = kind, .seed = script->count, .chain = CHAIN_NONE });
	if (kind == STEP_DISPATCH && world.with_queries)
		add(script, &(struct step){ .kind = STEP_END_QUERY });
}

/**
 * script_add_command() - Add a command
 * @script: The script.
 * @command: The command.
 * @picks: The choice for each of its dimensions. %NULL: the first ones.
 * @seed: Of its other arguments.
 * @chain: What is in its chain.
 *
 * What it needs comes before it.
 */
void script_add_command(struct script *script, const struct command *command,
			const unsigned int *picks, uint64_t seed, int chain)
{
	static const unsigned int three[MAX_DIMENSIONS] = { 2 };
	struct step step = { STEP_COMMAND, command, { 0 }, seed, chain };

	if (picks)
		memcpy(step.picks, picks, sizeof(step.picks));
	if (is(command, "offsets") && script->buffers <= step.picks[4])
		script_add_command(script, command_named("vkCmdBindDescriptorBuffersEXT"), three,
				   seed, CHAIN_NONE);
	if (is(command, "buffers"))
		script->buffers = counts[step.picks[0]];
	if (is(command, "pipeline") && step.picks[0] < GRAPHICS_PIPELINES) {
		script->pipeline = step;
		if (step.picks[0] == PIPELINE_DYNAMIC)
			script->pipeline.command = NULL;
		script->dirty = false;
	} else if (is(command, "shaders") &&
		   stage_lists[step.picks[0]][0] != VK_SHADER_STAGE_COMPUTE_BIT) {
		script->pipeline.command = NULL;
	}
	script->dirty |= command->dynamic || is(command, "vertex-buffers");
	add(script, &step);
}

/* ---- Arguments ---- */

struct overrides {
	struct override list[MAX_OVERRIDES];
	unsigned int count;
};

static void override(struct overrides *overrides, const char *name, uint64_t value)
{
	if (overrides->count + 1 == MAX_OVERRIDES)
		abort();
	overrides->list[overrides->count++] = (struct override){ name, value };
}

static uint64_t value_of(const void *handle)
{
	uint64_t value;

	memcpy(&value, handle, sizeof(value));
	return value;
}

static void override_layout(struct overrides *overrides, enum layout_name name)
{
	override(overrides, "layout", value_of(&world.layouts[name]));
}

static void override_point(struct overrides *overrides, unsigned int pick)
{
	override(overrides, "pipelineBindPoint", points[pick].point);
	override(overrides, "stageFlags", points[pick].stages);
}

static void choose_sets(const struct step *step, struct overrides *overrides)
{
	const enum layout_name name = set_layouts[step->picks[1]];
	const struct pipeline_layout *layout = mock_object(value_of(&world.layouts[name]))->data;
	/* The last set is bound only if it has no push descriptors. */
	const unsigned int all = name == LAYOUT_SETS ? 4 : SET_PUSH;
	unsigned int first = step->picks[2], count = counts[step->picks[3]], dynamic = 0;

	if (first >= all)
		first = 0;
	if (first + count > all)
		count = all - first;
	for (unsigned int i = first; i < first + count; i++)
		dynamic += layout->sets[i]->dynamic;
	override_point(overrides, step->picks[0]);
	override_layout(overrides, name);
	override(overrides, "firstSet", first);
	override(overrides, "descriptorSetCount", count);
	override(overrides, "dynamicOffsetCount", dynamic);
}

static size_t descriptor_size(VkDescriptorType type)
{
	switch ((int)type) {
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
	case TYPE_STRUCTURE_KHR:
		return sizeof(uint64_t);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return sizeof(VkDescriptorBufferInfo);
	default:
		return sizeof(VkDescriptorImageInfo);
	}
}

static void fill_descriptor(const struct step *step, VkDescriptorType type, uint64_t serial,
			    void *at)
{
	const uint64_t unique = 0x700000000 | (step->seed & 0xfff) << 12 | (serial + 1) << 4;
	VkDescriptorBufferInfo buffer = { .offset = unique & 0xfffff, .range = serial + 1 };
	VkDescriptorImageInfo image = { .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
	const uint64_t other = unique | 1;

	switch (descriptor_size(type)) {
	case sizeof(uint64_t):
		memcpy(at, &unique, sizeof(unique));
		break;
	default:
		if (type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
		    type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
			memcpy(&buffer.buffer, &unique, sizeof(buffer.buffer));
			memcpy(at, &buffer, sizeof(buffer));
		} else {
			memcpy(&image.sampler, &unique, sizeof(image.sampler));
			memcpy(&image.imageView, &other, sizeof(image.imageView));
			memcpy(at, &image, sizeof(image));
		}
		break;
	}
}

/* A layout, and the writes to it. */
static const struct push *choose_push(const struct step *step, struct overrides *overrides,
				      const struct push_binding **bindings)
{
	const bool other = push_layouts[step->picks[1]] == LAYOUT_PUSH;

	override_point(overrides, step->picks[0]);
	override_layout(overrides, push_layouts[step->picks[1]]);
	override(overrides, "set", SET_PUSH);
	*bindings = other ? push_other : push_first;
	return other ? &other_pushes[step->picks[2] % COUNT(other_pushes)] :
		       &pushes[step->picks[2]];
}

static void choose_writes(const struct step *step, struct arena *arena, struct overrides *overrides)
{
	const struct push_binding *bindings;
	const struct push *push = choose_push(step, overrides, &bindings);
	VkWriteDescriptorSet *writes = arena_alloc(arena, MAX_WRITES * sizeof(*writes));
	/* What a type does not need may be anything. */
	void *const ignored = (void *)(uintptr_t)0x6b6b6b6b6b6b6b68;
	uint64_t serial = 0;

	for (unsigned int i = 0; i < push->count; i++) {
		const uint32_t binding = push->writes[i].binding;
		const uint32_t count = push->writes[i].count;
		const VkDescriptorType type = bindings[binding].type;
		const size_t size = descriptor_size(type);
		char *data = arena_alloc(arena, count * size);

		for (uint32_t n = 0; n < count; n++)
			fill_descriptor(step, type, serial++, data + n * size);
		writes[i] = (VkWriteDescriptorSet){
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			.dstBinding = binding,
			.dstArrayElement = push->writes[i].element,
			.descriptorCount = count,
			.descriptorType = type,
			.pImageInfo = ignored,
			.pBufferInfo = ignored,
			.pTexelBufferView = ignored,
		};
		if ((int)type == TYPE_STRUCTURE_KHR) {
			VkWriteDescriptorSetAccelerationStructureKHR *chain =
				arena_alloc(arena, sizeof(*chain));

			*chain = (VkWriteDescriptorSetAccelerationStructureKHR){
				VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
				NULL, count, (void *)data,
			};
			writes[i].pNext = chain;
		} else if (size == sizeof(uint64_t)) {
			writes[i].pTexelBufferView = (void *)data;
		} else if (type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
			   type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
			writes[i].pBufferInfo = (void *)data;
		} else {
			writes[i].pImageInfo = (void *)data;
		}
	}
	override(overrides, "descriptorWriteCount", push->count);
	override(overrides, "pDescriptorWrites", (uintptr_t)writes);
}

static void choose_template(const struct step *step, const struct side *side, struct arena *arena,
			    struct overrides *overrides, VkDescriptorUpdateTemplate *template)
{
	const struct push_binding *bindings;
	const struct push *push = choose_push(step, overrides, &bindings);
	const size_t gap = step->picks[3] ? 0 : 24;
	VkDescriptorUpdateTemplateEntry entries[MAX_WRITES];
	const VkDescriptorUpdateTemplateCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
		.descriptorUpdateEntryCount = push->count,
		.pDescriptorUpdateEntries = entries,
		.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
		.pipelineBindPoint = points[step->picks[0]].point,
		.pipelineLayout = world.layouts[push_layouts[step->picks[1]]],
		.set = SET_PUSH,
	};
	size_t offset = gap, end = gap;
	uint64_t serial = 0;
	char *data;

	/* Entries are in an order of their own: the last one first. */
	for (unsigned int i = push->count; i-- > 0; offset = end) {
		const uint32_t binding = push->writes[i].binding;
		const size_t size = descriptor_size(bindings[binding].type);

		entries[i] = (VkDescriptorUpdateTemplateEntry){
			binding, push->writes[i].element, push->writes[i].count,
			bindings[binding].type, offset, size + gap,
		};
		end = offset + entries[i].descriptorCount * (size + gap);
	}
	data = arena_alloc(arena, end);
	for (unsigned int i = 0; i < push->count; i++) {
		for (uint32_t n = 0; n < entries[i].descriptorCount; n++)
			fill_descriptor(step, entries[i].descriptorType, serial++,
					data + entries[i].offset + n * entries[i].stride);
	}
	side->vk.CreateDescriptorUpdateTemplate(side->device, &info, NULL, template);
	override(overrides, "descriptorUpdateTemplate", value_of(template));
	override(overrides, "pData", (uintptr_t)data);
}

static void choose_offsets(const struct step *step, struct arena *arena,
			   struct overrides *overrides)
{
	const unsigned int count = 2 - step->picks[3];
	uint32_t *indices = arena_alloc(arena, 2 * sizeof(*indices));
	unsigned int first = step->picks[2];

	/* Not those with embedded samplers. */
	if (first == SET_SAMPLERS)
		first = 3;
	indices[0] = step->picks[4];
	indices[1] = step->picks[4] ? step->picks[4] - 1 : 0;
	override_point(overrides, step->picks[0]);
	override_layout(overrides, buffer_layouts[step->picks[1]]);
	override(overrides, "firstSet", first);
	override(overrides, "setCount", first == 0 ? count : 1);
	override(overrides, "pBufferIndices", (uintptr_t)indices);
}

static void choose_pipeline(const struct step *step, struct overrides *overrides)
{
	const unsigned int pick = step->picks[0];

	if (pick < GRAPHICS_PIPELINES) {
		override(overrides, "pipelineBindPoint", VK_PIPELINE_BIND_POINT_GRAPHICS);
		override(overrides, "pipeline", value_of(&world.pipelines[pick]));
		override(overrides, "groupIndex", step->picks[1]);
	} else {
		const unsigned int other = pick - GRAPHICS_PIPELINES;

		override(overrides, "pipelineBindPoint", other_pipelines[other].point);
		override(overrides, "pipeline", other_pipelines[other].pipeline);
	}
}

static void choose_shaders(const struct step *step, struct arena *arena,
			   struct overrides *overrides)
{
	VkShaderStageFlagBits *stages = arena_alloc(arena, sizeof(stage_lists[0]));
	unsigned int count = 0;

	memcpy(stages, stage_lists[step->picks[0]], sizeof(stage_lists[0]));
	while (count < COUNT(stage_lists[0]) && stages[count])
		count++;
	override(overrides, "stageCount", count);
	override(overrides, "pStages", (uintptr_t)stages);
	if (step->picks[1])
		override(overrides, "pShaders", 0);
}

static void choose_array(const struct step *step, struct overrides *overrides)
{
	const struct command *command = step->command;
	unsigned int at = 0;

	if (command->first)
		override(overrides, command->first, firsts[step->picks[at++]]);
	override(overrides, command->count, counts[step->picks[at++]]);
	if (has(command, "pSizes") && step->picks[at++])
		override(overrides, "pSizes", 0);
	if (has(command, "pStrides") && step->picks[at])
		override(overrides, "pStrides", 0);
	else if (is(command, "vertex-buffers") && has(command, "pBindingInfos"))
		override(overrides, "setStride", !step->picks[at]);
}

static void choose_value(const struct step *step, struct overrides *overrides)
{
	const struct command *command = step->command;
	static const unsigned int samples[] = { 4, 64, 1 };
	const struct type *type = command->args;

	if (has(command, "samples"))
		override(overrides, "samples", samples[step->picks[0]]);
	if (has(command, "deviceMask"))
		override(overrides, "deviceMask", 1 + 2 * (step->seed & 1));
	if (is_named(command, "vkCmdSetCoarseSampleOrderNV")) {
		/* Only a custom order has a list. */
		override(overrides, "sampleOrderType", step->seed & 1);
		override(overrides, "customSampleOrderCount", step->seed & 1 ? 2 : 0);
	}
	if (has(command, "depthClampMode")) {
		override(overrides, "depthClampMode", 1 - step->picks[0]);
		if (step->picks[0])
			override(overrides, "pDepthClampRange", 0);
		return;
	}
	for (unsigned int i = 0; i < type->member_count && step->picks[0]; i++) {
		if (type->members[i].stars && type->members[i].flags & MEMBER_OPTIONAL &&
		    type->members[i].flags & MEMBER_ONE)
			override(overrides, type->members[i].name, 0);
	}
}

static void patch_vertex_input(const struct step *step, void *args)
{
	const struct type *type = step->command->args;
	VkVertexInputBindingDescription2EXT *bindings =
		(void *)reflect_pointer(type, args, "pVertexBindingDescriptions");
	VkVertexInputAttributeDescription2EXT *attributes =
		(void *)reflect_pointer(type, args, "pVertexAttributeDescriptions");

	for (uint64_t i = 0; i < reflect_value(type, args, "vertexBindingDescriptionCount"); i++)
		bindings[i].binding = i + step->picks[0];
	for (uint64_t i = 0; i < reflect_value(type, args, "vertexAttributeDescriptionCount"); i++)
		attributes[i].location = i;
}

static const struct {
	uint32_t offset;
	uint32_t size;
} data_ranges[] = { { 0, 8 }, { 8, 8 }, { 4, 8 }, { 0, 4 }, { 0, 16 } };

static void choose(const struct step *step, const struct side *side, struct arena *arena,
		   struct overrides *overrides, VkDescriptorUpdateTemplate *template)
{
	static const unsigned int vertex_counts[] = { 2, 1, 3, 0 };
	static const VkStencilFaceFlags faces[] = {
		VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_FACE_FRONT_BIT, VK_STENCIL_FACE_BACK_BIT,
	};
	const struct command *command = step->command;

	if (command->count)
		choose_array(step, overrides);
	else if (is(command, "faces"))
		override(overrides, "faceMask", faces[step->picks[0]]);
	else if (is(command, "sets"))
		choose_sets(step, overrides);
	else if (is(command, "push"))
		choose_writes(step, arena, overrides);
	else if (is(command, "push-template"))
		choose_template(step, side, arena, overrides, template);
	else if (is(command, "offsets"))
		choose_offsets(step, arena, overrides);
	else if (is(command, "pipeline"))
		choose_pipeline(step, overrides);
	else if (is(command, "shaders"))
		choose_shaders(step, arena, overrides);
	else if (is(command, "value"))
		choose_value(step, overrides);
	if (is(command, "vertex-input"))
		override(overrides, "vertexBindingDescriptionCount", vertex_counts[step->picks[0]]);
	if (is(command, "buffers"))
		override(overrides, "bufferCount", counts[step->picks[0]]);
	if (is(command, "samplers")) {
		override_point(overrides, step->picks[0]);
		override_layout(overrides, buffer_layouts[step->picks[1]]);
		override(overrides, "set", SET_SAMPLERS);
	}
	if (is(command, "constants")) {
		override_layout(overrides, constants[step->picks[0]].layout);
		override(overrides, "stageFlags", constants[step->picks[0]].stages);
		override(overrides, "offset", constants[step->picks[0]].offset);
		override(overrides, "size", constants[step->picks[0]].size);
	}
	if (is(command, "push-data")) {
		override(overrides, "offset", data_ranges[step->picks[0]].offset);
		override(overrides, "size", data_ranges[step->picks[0]].size);
	}
}

/* ---- Chains ---- */

/** script_chained_struct() - The structure of a command that may have a chain. %NULL: none. */
const struct type *script_chained_struct(const struct command *command)
{
	const struct type *type = command->args;

	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];

		if (member->kind == KIND_STRUCT && member->stars == 1 &&
		    member->type->structure_type)
			return member->type;
	}
	return NULL;
}

/* A layout that is described in place of an object. */
static void describe_layout(struct arena *arena, VkPipelineLayoutCreateInfo *info, void *first)
{
	const struct type *type = reflect_struct(((VkBaseInStructure *)first)->sType);
	const struct member *layout = reflect_member(type, "layout");
	VkDescriptorSetLayout *sets = arena_alloc(arena, 4 * sizeof(*sets));
	static const VkPushConstantRange ranges[] = {
		{ VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16 },
		{ VK_SHADER_STAGE_COMPUTE_BIT, 16, 32 },
	};
	VkPushConstantRange *copy = arena_alloc(arena, sizeof(ranges));

	for (int i = 0; i < 4; i++)
		sets[i] = world_set_layout("ABCP"[i]);
	memcpy(copy, ranges, sizeof(ranges));
	*info = (VkPipelineLayoutCreateInfo){
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 4,
		.pSetLayouts = sets,
		.pushConstantRangeCount = 2,
		.pPushConstantRanges = copy,
	};
	memset((char *)first + layout->offset, 0, layout->size);
}

static void add_chain(const struct step *step, struct arena *arena, void *args)
{
	const struct type *type = step->command->args;
	struct unknown_struct *unknown;
	VkBaseOutStructure *first = NULL;
	struct fill fill = { arena, step->seed, NULL, 1000 };
	VkBaseOutStructure *chain;

	for (unsigned int i = 0; i < type->member_count && !first; i++) {
		const struct member *member = &type->members[i];

		if (member->kind == KIND_STRUCT && member->stars == 1 &&
		    member->type->structure_type)
			first = *(void **)((char *)args + member->offset);
	}
	if (!first)
		return;
	if (step->chain == CHAIN_UNKNOWN) {
		unknown = arena_alloc(arena, sizeof(*unknown));
		*unknown = (struct unknown_struct){
			UNKNOWN_TYPE, first->pNext, { step->seed, ~step->seed },
		};
		first->pNext = (void *)unknown;
		return;
	}
	chain = arena_alloc(arena, chain_types[step->chain].type->size);
	reflect_fill(&fill, chain_types[step->chain].type, chain);
	if (chain->sType == VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO)
		describe_layout(arena, (void *)chain, first);
	chain->pNext = first->pNext;
	first->pNext = chain;
}

/**
 * script_build() - The arguments of a step
 * @step: The step.
 * @side: Where it is recorded.
 * @arena: Where what they point to is.
 * @template: Set to the template that was created, if there was one.
 *
 * Return: The arguments.
 */
void *script_build(const struct step *step, const struct side *side, struct arena *arena,
		   VkDescriptorUpdateTemplate *template)
{
	void *args = arena_alloc(arena, step->command->args->size);
	struct overrides overrides = { 0 };
	struct fill fill = { .arena = arena, .seed = step->seed, .overrides = overrides.list };

	/* Suspended and resumed instances are not split. */
	if (step->command->class == CLASS_BEGIN_PASS)
		override(&overrides, "flags", 0);
	if (step->command->class == CLASS_STATE)
		choose(step, side, arena, &overrides, template);
	reflect_fill(&fill, step->command->args, args);
	if (is(step->command, "vertex-input"))
		patch_vertex_input(step, args);
	if (step->chain != CHAIN_NONE)
		add_chain(step, arena, args);
	return args;
}
