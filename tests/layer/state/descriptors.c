// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"

/* Of extensions that headers may be older than. */
#define TYPE_INLINE_BLOCK	1000138000
#define TYPE_STRUCTURE_KHR	1000150000
#define TYPE_STRUCTURE_NV	1000165000
#define POINT_RAY_TRACING	1000165000
#define RAY_STAGES		0x3f00

static uint64_t value_of(const void *handle)
{
	uint64_t value;

	memcpy(&value, handle, sizeof(value));
	return value;
}

/* ---- Layouts ---- */

/** descriptors_set_layout() - Save the definition of a layout of descriptor sets. */
struct set_layout *descriptors_set_layout(const VkDescriptorSetLayoutCreateInfo *info)
{
	struct set_layout *layout = calloc(1, sizeof(*layout));
	char text[1024];
	size_t length = 0;

	layout->flags = info->flags;
	length += snprintf(text, sizeof(text), "%x", info->flags);
	for (uint32_t i = 0; i < info->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];

		layout->counts[binding->binding] = binding->descriptorCount;
		if (binding->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
		    binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
			layout->dynamic += binding->descriptorCount;
		length += snprintf(text + length, sizeof(text) - length, " %u:%ux%u/%x",
				   binding->binding, binding->descriptorType,
				   binding->descriptorCount, binding->stageFlags);
	}
	layout->text = strdup(text);
	return layout;
}

/** descriptors_pipeline_layout() - Save the definition of a layout of pipelines. */
struct pipeline_layout *descriptors_pipeline_layout(const VkPipelineLayoutCreateInfo *info)
{
	struct pipeline_layout *layout = calloc(1, sizeof(*layout));
	char text[256];
	size_t length = 0;

	length += snprintf(text, sizeof(text), "%x", info->flags);
	layout->set_count = info->setLayoutCount;
	for (uint32_t i = 0; i < info->setLayoutCount && i < MAX_SETS; i++) {
		const struct object *object = mock_object(value_of(&info->pSetLayouts[i]));

		layout->sets[i] = object ? object->data : NULL;
	}
	layout->range_count = info->pushConstantRangeCount;
	for (uint32_t i = 0; i < info->pushConstantRangeCount && i < MAX_RANGES; i++) {
		layout->ranges[i] = info->pPushConstantRanges[i];
		length += snprintf(text + length, sizeof(text) - length, " %x:%u+%u",
				   layout->ranges[i].stageFlags, layout->ranges[i].offset,
				   layout->ranges[i].size);
	}
	layout->text = strdup(text);
	return layout;
}

/* Are layouts compatible for push constants, and for all sets up to a number? */
static bool are_compatible(const struct pipeline_layout *a, const struct pipeline_layout *b,
			   unsigned int number)
{
	if (a == b)
		return true;
	if (!a || !b || number >= a->set_count || number >= b->set_count ||
	    strcmp(a->text, b->text))
		return false;
	for (unsigned int i = 0; i <= number; i++) {
		if (!a->sets[i] || !b->sets[i] || strcmp(a->sets[i]->text, b->sets[i]->text))
			return false;
	}
	return true;
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 16777619;
	return hash;
}

/* Equal for layouts that are compatible for a set. */
static uint32_t layout_class(const struct pipeline_layout *layout, unsigned int number)
{
	uint32_t hash = 2166136261;

	if (!layout)
		return 0;
	hash = hash_text(hash, layout->text);
	for (unsigned int i = 0; i <= number && i < layout->set_count; i++)
		hash = hash_text(hash, layout->sets[i] ? layout->sets[i]->text : "none");
	return hash;
}

/* The layout of a command: an object, or what describes one in its chain. */
static const struct pipeline_layout *layout_of(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const uint64_t handle = reflect_value(type, entry->args, "layout");
	const struct object *object = mock_object(handle);
	const VkBaseInStructure *at = NULL;

	if (object && object->kind == OBJECT_PIPELINE_LAYOUT)
		return object->data;
	if (type->member_count == 1 && type->members[0].kind == KIND_STRUCT)
		at = *(const VkBaseInStructure *const *)entry->args;
	for (; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO)
			return descriptors_pipeline_layout((const void *)at);
	}
	state_error(state, "%s has no layout", entry->command->name);
	return NULL;
}

/* ---- Descriptors that are pushed ---- */

static const char *print_descriptor(struct arena *arena, VkDescriptorType type, const void *data)
{
	const VkDescriptorImageInfo *image = data;
	const VkDescriptorBufferInfo *buffer = data;

	switch ((int)type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
		return arena_print(arena, "type %d: sampler 0x%llx", type,
				   (unsigned long long)value_of(&image->sampler));
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
		return arena_print(arena, "type %d: sampler 0x%llx view 0x%llx layout %d", type,
				   (unsigned long long)value_of(&image->sampler),
				   (unsigned long long)value_of(&image->imageView),
				   image->imageLayout);
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return arena_print(arena, "type %d: view 0x%llx layout %d", type,
				   (unsigned long long)value_of(&image->imageView),
				   image->imageLayout);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return arena_print(arena, "type %d: buffer 0x%llx + 0x%llx, %llu bytes", type,
				   (unsigned long long)value_of(&buffer->buffer),
				   (unsigned long long)buffer->offset,
				   (unsigned long long)buffer->range);
	case TYPE_INLINE_BLOCK:
		return arena_print(arena, "byte %02x", *(const uint8_t *)data);
	default:
		return arena_print(arena, "type %d: 0x%llx", type,
				   (unsigned long long)value_of(data));
	}
}

/**
 * descriptors_read_template() - Save what a command pushes with a template, which need not live
 * any longer.
 */
void descriptors_read_template(struct arena *arena, struct entry *entry)
{
	const struct type *type = entry->command->args;
	const struct template *template;
	const struct object *object;
	const char *data;

	if (!entry->command->rule || strcmp(entry->command->rule, "push-template"))
		return;
	object = mock_object(reflect_value(type, entry->args, "descriptorUpdateTemplate"));
	data = reflect_pointer(type, entry->args, "pData");
	if (!object || object->destroyed || object->kind != OBJECT_TEMPLATE) {
		mock_error("%s has no template", entry->command->name);
		return;
	}
	template = object->data;
	entry->point = template->point;
	for (uint32_t i = 0; i < template->entry_count; i++)
		entry->pushed_count += template->entries[i].descriptorCount;
	entry->pushed = arena_alloc(arena, entry->pushed_count * sizeof(*entry->pushed));
	entry->pushed_count = 0;
	for (uint32_t i = 0; i < template->entry_count; i++) {
		const VkDescriptorUpdateTemplateEntry *from = &template->entries[i];
		const size_t stride = (int)from->descriptorType == TYPE_INLINE_BLOCK ? 1 :
				      from->stride;

		for (uint32_t n = 0; n < from->descriptorCount; n++)
			entry->pushed[entry->pushed_count++] = (struct pushed){
				from->dstBinding, from->dstArrayElement + n,
				print_descriptor(arena, from->descriptorType,
						 data + from->offset + n * stride),
			};
	}
}

/* The handles of a write that are in its chain. */
static const void *chained_data(const VkWriteDescriptorSet *write, const char *name, size_t *stride)
{
	for (const VkBaseInStructure *at = write->pNext; at; at = at->pNext) {
		const struct type *type = reflect_struct(at->sType);

		if (!type || !reflect_member(type, name))
			continue;
		*stride = reflect_member(type, name)->size;
		return reflect_pointer(type, at, name);
	}
	return NULL;
}

static const void *descriptors_of(const VkWriteDescriptorSet *write, size_t *stride)
{
	switch ((int)write->descriptorType) {
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		*stride = sizeof(*write->pTexelBufferView);
		return write->pTexelBufferView;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		*stride = sizeof(*write->pBufferInfo);
		return write->pBufferInfo;
	case TYPE_INLINE_BLOCK:
		return chained_data(write, "pData", stride);
	case TYPE_STRUCTURE_KHR:
	case TYPE_STRUCTURE_NV:
		return chained_data(write, "pAccelerationStructures", stride);
	default:
		*stride = sizeof(*write->pImageInfo);
		return write->pImageInfo;
	}
}

static void push(struct bound *bound, struct pushed pushed)
{
	unsigned int i = 0;

	while (i < bound->pushed_count && (bound->pushed[i].binding != pushed.binding ||
					   bound->pushed[i].element != pushed.element))
		i++;
	if (i == MAX_PUSHED)
		return;
	bound->pushed[i] = pushed;
	if (i == bound->pushed_count)
		bound->pushed_count++;
}

/* Elements behind the last one of a binding are those of the next binding. */
static struct pushed at_element(const struct set_layout *layout, uint32_t binding, uint32_t element,
				const char *value)
{
	while (layout && binding + 1 < MAX_BINDINGS && element >= layout->counts[binding]) {
		element -= layout->counts[binding];
		binding++;
	}
	return (struct pushed){ binding, element, value };
}

/* ---- Bind points ---- */

static const char *const point_names[] = { "graphics", "compute", "ray tracing", "other" };

/* The bind points of a command, a bit for each. */
static unsigned int points_of(const struct entry *entry)
{
	const struct type *type = entry->command->args;
	unsigned int points = 0;
	uint64_t stages;

	if (reflect_member(type, "pipelineBindPoint") || entry->pushed) {
		const uint64_t point = entry->pushed ? entry->point :
				       reflect_value(type, entry->args, "pipelineBindPoint");

		return 1 << (point == VK_PIPELINE_BIND_POINT_GRAPHICS ? POINT_GRAPHICS :
			     point == VK_PIPELINE_BIND_POINT_COMPUTE ? POINT_COMPUTE :
			     point == POINT_RAY_TRACING ? POINT_RAYS : POINT_OTHER);
	}
	stages = reflect_value(type, entry->args, "stageFlags");
	if (stages & (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_NV |
		      VK_SHADER_STAGE_MESH_BIT_NV))
		points |= 1 << POINT_GRAPHICS;
	if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
		points |= 1 << POINT_COMPUTE;
	if (stages & RAY_STAGES)
		points |= 1 << POINT_RAYS;
	return points;
}

/* A set is not valid any longer, or it is not clear whether it is. */
static void disturb(struct bound *bound, const struct pipeline_layout *layout, bool sure)
{
	if (bound->kind == BOUND_NONE)
		return;
	if (bound->kind == BOUND_DISTURBED || (sure && bound->kind == BOUND_SET)) {
		bound->kind = BOUND_DISTURBED;
		bound->layout = layout;
	} else {
		bound->unsure = true;
	}
}

/*
 * "Pipeline Layout Compatibility": binding a set disturbs lower ones whose layout is not
 * compatible, and higher ones if the layout is not compatible with that of the set that was bound
 * there before. The text is about descriptor sets. That the others follow it is likely, but not
 * said.
 */
static struct bound *bind(struct state *state, enum point point, unsigned int number,
			  const struct pipeline_layout *layout, enum bound_kind kind)
{
	struct bound *sets = state->bound[point];
	const bool sure = kind == BOUND_SET;
	struct bound *bound = &sets[number];

	for (unsigned int i = 0; i < number; i++) {
		if (!are_compatible(sets[i].layout, layout, i))
			disturb(&sets[i], layout, sure);
	}
	for (unsigned int i = number + 1; i < MAX_SETS; i++) {
		if (bound->kind == BOUND_NONE) {
			if (!are_compatible(sets[i].layout, layout, number))
				disturb(&sets[i], layout, false);
		} else if (!are_compatible(bound->layout, layout, number)) {
			disturb(&sets[i], layout, sure && (bound->kind == BOUND_SET ||
							   bound->kind == BOUND_DISTURBED));
		}
	}
	if (kind == BOUND_PUSH && bound->kind == BOUND_PUSH && layout && bound->layout &&
	    number < layout->set_count && !strcmp(bound->layout->sets[number]->text,
						  layout->sets[number]->text)) {
		/* All that was pushed stays. */
		bound->unsure |= !are_compatible(bound->layout, layout, number);
	} else {
		bound->unsure = false;
		bound->pushed_count = 0;
	}
	bound->kind = kind;
	bound->layout = layout;
	return bound;
}

/* ---- Commands ---- */

static void apply_sets(struct state *state, const struct entry *entry, enum point point,
		       const struct pipeline_layout *layout)
{
	const struct type *type = entry->command->args;
	const unsigned int first = reflect_value(type, entry->args, "firstSet");
	const unsigned int count = reflect_value(type, entry->args, "descriptorSetCount");
	const uint64_t *sets = reflect_pointer(type, entry->args, "pDescriptorSets");
	const unsigned int offset_count = reflect_value(type, entry->args, "dynamicOffsetCount");
	const uint32_t *offsets = reflect_pointer(type, entry->args, "pDynamicOffsets");
	unsigned int used = 0;

	for (unsigned int i = first; i < first + count; i++) {
		const struct set_layout *set = layout && i < layout->set_count ? layout->sets[i] :
									       NULL;
		struct text text = { .arena = state->arena };

		if (!set) {
			state_error(state, "%s binds a set that the layout does not have",
				    entry->command->name);
			return;
		}
		text_add(&text, "set 0x%llx", (unsigned long long)sets[i - first]);
		for (uint32_t n = 0; n < set->dynamic && used < offset_count; n++)
			text_add(&text, " + %u", offsets[used++]);
		bind(state, point, i, layout, BOUND_SET)->value = text.data;
	}
	if (used != offset_count)
		state_error(state, "%s has %u dynamic offsets, of which %u belong to the sets",
			    entry->command->name, offset_count, used);
}

static void apply_push(struct state *state, const struct entry *entry, enum point point,
		       const struct pipeline_layout *layout)
{
	const struct type *type = entry->command->args;
	const unsigned int number = reflect_value(type, entry->args, "set");
	const struct set_layout *set = layout && number < layout->set_count ? layout->sets[number] :
									    NULL;
	const VkWriteDescriptorSet *writes = reflect_pointer(type, entry->args,
							     "pDescriptorWrites");
	const unsigned int count = reflect_value(type, entry->args, "descriptorWriteCount");
	struct bound *bound;

	if (!set || !(set->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR)) {
		state_error(state, "%s has no set to push to", entry->command->name);
		return;
	}
	bound = bind(state, point, number, layout, BOUND_PUSH);
	bound->value = "push descriptors";
	for (unsigned int i = 0; i < entry->pushed_count; i++)
		push(bound, at_element(set, entry->pushed[i].binding, entry->pushed[i].element,
				       entry->pushed[i].value));
	for (unsigned int i = 0; writes && i < count; i++) {
		const VkWriteDescriptorSet *write = &writes[i];
		size_t stride = 0;
		const char *data = descriptors_of(write, &stride);

		for (uint32_t n = 0; n < write->descriptorCount && data; n++)
			push(bound, at_element(set, write->dstBinding, write->dstArrayElement + n,
					       print_descriptor(state->arena,
								write->descriptorType,
								data + n * stride)));
	}
}

static void apply_offsets(struct state *state, const struct entry *entry, enum point point,
			  const struct pipeline_layout *layout)
{
	const struct type *type = entry->command->args;
	const unsigned int first = reflect_value(type, entry->args, "firstSet");
	const unsigned int count = reflect_value(type, entry->args, "setCount");
	const uint32_t *indices = reflect_pointer(type, entry->args, "pBufferIndices");
	const VkDeviceSize *offsets = reflect_pointer(type, entry->args, "pOffsets");

	for (unsigned int i = 0; i < count && first + i < MAX_SETS; i++) {
		struct bound *bound = bind(state, point, first + i, layout, BOUND_OFFSET);

		bound->index = indices[i];
		bound->value = arena_print(state->arena, "descriptor buffer %u + 0x%llx",
					   indices[i], (unsigned long long)offsets[i]);
		if (indices[i] >= state->buffer_count)
			state_error(state, "%s: descriptor buffer %u is not bound",
				    entry->command->name, indices[i]);
	}
}

/*
 * "Any sets that were last bound by vkCmdBindDescriptorSets are invalidated": which ones is not
 * clear.
 */
static void apply_samplers(struct state *state, const struct entry *entry, enum point point,
			   const struct pipeline_layout *layout)
{
	const unsigned int number = reflect_value(entry->command->args, entry->args, "set");

	for (unsigned int i = 0; i < POINT_COUNT * MAX_SETS; i++) {
		struct bound *other = &(&state->bound[0][0])[i];

		other->unsure |= other->kind == BOUND_SET;
	}
	if (number < MAX_SETS)
		bind(state, point, number, layout, BOUND_SAMPLERS)->value = "embedded samplers";
}

static void apply_buffers(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const struct member *infos = reflect_member(type, "pBindingInfos");
	const char *data = reflect_pointer(type, entry->args, "pBindingInfos");
	const unsigned int count = reflect_value(type, entry->args, "bufferCount");

	/*
	 * Offsets in those that are replaced are not valid, and the others are not bound any
	 * longer.
	 */
	for (unsigned int i = 0; i < POINT_COUNT * MAX_SETS; i++) {
		struct bound *bound = &(&state->bound[0][0])[i];

		if (bound->kind == BOUND_OFFSET)
			bound->kind = BOUND_DISTURBED;
	}
	state_remove(state, "descriptor buffer");
	for (unsigned int i = 0; i < count; i++) {
		struct text text = { .arena = state->arena };

		reflect_print_element(&text, infos, data + i * infos->size);
		state_set(state, key_number("descriptor buffer[%u]", i), text.data);
	}
	state->buffer_count = count;
}

static void check_constants(struct state *state, const struct entry *entry,
			    const struct pipeline_layout *layout, uint32_t stages, uint32_t word)
{
	uint32_t covered = 0, needed = 0;

	for (uint32_t i = 0; layout && i < layout->range_count; i++) {
		const VkPushConstantRange *range = &layout->ranges[i];

		if (word < range->offset || word >= range->offset + range->size)
			continue;
		covered |= range->stageFlags;
		needed |= range->stageFlags;
	}
	if (stages & ~covered || needed & ~stages)
		state_error(state, "%s: no push constants of the layout are at %u for stages %x",
			    entry->command->name, word, stages);
}

static void apply_constants(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const struct pipeline_layout *layout = layout_of(state, entry);
	const uint32_t stages = reflect_value(type, entry->args, "stageFlags");
	const uint32_t offset = reflect_value(type, entry->args, "offset");
	const uint32_t size = reflect_value(type, entry->args, "size");
	const char *data = reflect_pointer(type, entry->args, "pValues");

	for (uint32_t word = 0; word < size; word += sizeof(uint32_t)) {
		uint32_t value;
		const char *text;

		memcpy(&value, data + word, sizeof(value));
		text = arena_print(state->arena, "%08x of %s", value, layout ? layout->text : "");
		check_constants(state, entry, layout, stages, offset + word);
		for (uint32_t stage = 1; stage && stage <= stages; stage <<= 1) {
			if (stages & stage)
				state_set(state, key_number("constants %x[%u]", stage,
							    offset + word), text);
		}
	}
	state_unsure(state, "heap");
	state_unsure(state, "push data");
}

/* Descriptor heaps and the older ways to bind end each other: of what exactly is not clear. */
static void disturb_older(struct state *state)
{
	state_unsure(state, "constants");
	for (unsigned int i = 0; i < POINT_COUNT * MAX_SETS; i++)
		(&state->bound[0][0])[i].unsure = true;
}

static void apply_heap(struct state *state, const struct entry *entry)
{
	struct text text = { .arena = state->arena };

	disturb_older(state);
	reflect_print(&text, entry->command->args, entry->args);
	state_set(state, key_number("heap %s", entry->command->original), text.data);
}

static void apply_push_data(struct state *state, const struct entry *entry)
{
	const struct member *info = &entry->command->args->members[0];
	const char *from = *(const char *const *)entry->args;
	const struct member *data = reflect_member(info->type, "data");
	const uint32_t offset = reflect_value(info->type, from, "offset");
	const char *address = reflect_pointer(data->type, from + data->offset, "address");
	const uint32_t size = reflect_value(data->type, from + data->offset, "size");

	disturb_older(state);
	for (uint32_t word = 0; word + sizeof(uint32_t) <= size; word += sizeof(uint32_t)) {
		uint32_t value;

		memcpy(&value, address + word, sizeof(value));
		state_set(state, key_number("push data[%u]", offset + word),
			  arena_print(state->arena, "%08x", value));
	}
}

/**
 * descriptors_apply() - A command of descriptors or push constants is recorded
 * @state: The state.
 * @entry: The command.
 *
 * Return: Whether it is one.
 */
bool descriptors_apply(struct state *state, const struct entry *entry)
{
	static const struct {
		const char *name;
		void (*all)(struct state *state, const struct entry *entry);
		void (*point)(struct state *state, const struct entry *entry, enum point point,
			      const struct pipeline_layout *layout);
	} rules[] = {
		{ "buffers", apply_buffers, NULL },
		{ "constants", apply_constants, NULL },
		{ "heap", apply_heap, NULL },
		{ "push-data", apply_push_data, NULL },
		{ "sets", NULL, apply_sets },
		{ "push", NULL, apply_push },
		{ "push-template", NULL, apply_push },
		{ "offsets", NULL, apply_offsets },
		{ "samplers", NULL, apply_samplers },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct pipeline_layout *layout;
		unsigned int points;

		if (strcmp(rules[i].name, entry->command->rule))
			continue;
		if (rules[i].all) {
			rules[i].all(state, entry);
			return true;
		}
		layout = layout_of(state, entry);
		points = points_of(entry);
		for (enum point point = 0; point < POINT_COUNT && layout; point++) {
			if (points & 1 << point)
				rules[i].point(state, entry, point, layout);
		}
		state_unsure(state, "heap");
		state_unsure(state, "push data");
		return true;
	}
	return false;
}

/** descriptors_snapshot() - Have keys for what is bound. */
void descriptors_snapshot(struct state *state)
{
	state_remove(state, "bound ");
	for (enum point point = 0; point < POINT_COUNT; point++) {
		for (unsigned int i = 0; i < MAX_SETS; i++) {
			const struct bound *bound = &state->bound[point][i];
			const char *name = point_names[point];
			unsigned int key;

			if (bound->kind == BOUND_NONE || bound->kind == BOUND_DISTURBED)
				continue;
			key = key_number("bound %s set %u", name, i);
			state_set(state, key,
				  arena_print(state->arena, "%s, of layout %08x", bound->value,
					      layout_class(bound->layout, i)));
			state->values[key].unsure = bound->unsure;
			for (unsigned int n = 0; n < bound->pushed_count &&
			     bound->kind == BOUND_PUSH; n++) {
				key = key_number("bound %s set %u binding %u[%u]", name, i,
						 bound->pushed[n].binding,
						 bound->pushed[n].element);
				state_set(state, key, bound->pushed[n].value);
				state->values[key].unsure = bound->unsure;
			}
		}
	}
}
