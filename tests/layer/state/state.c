// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"
#include "state.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define HASH_SIZE	(4 * MAX_KEYS)
/* More elements than the tests set. */
#define MAX_ELEMENTS	32
#define GRAPHICS_STAGES	(VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_NV | \
			 VK_SHADER_STAGE_MESH_BIT_NV)

/* Keys have numbers for the whole run. */
static struct {
	char *name;
	/* A graphics pipeline without both of these states sets the value. */
	VkDynamicState core[2];
	/* A graphics pipeline may set it. */
	bool dynamic;
} keys[MAX_KEYS];

static unsigned int key_count;
static unsigned int hash[HASH_SIZE];

/** key_name() - The name of a key. */
const char *key_name(unsigned int key)
{
	return keys[key].name;
}

/** key_number() - The number of a key. */
unsigned int key_number(const char *format, ...)
{
	uint32_t at = 2166136261;
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	for (const char *c = name; *c; c++)
		at = (at ^ (uint8_t)*c) * 16777619;
	for (at %= HASH_SIZE; hash[at]; at = (at + 1) % HASH_SIZE) {
		if (!strcmp(keys[hash[at] - 1].name, name))
			return hash[at] - 1;
	}
	if (key_count == MAX_KEYS)
		abort();
	keys[key_count].name = strdup(name);
	keys[key_count].core[0] = NO_DYNAMIC_STATE;
	keys[key_count].core[1] = NO_DYNAMIC_STATE;
	hash[at] = ++key_count;
	return key_count - 1;
}

/* A key of dynamic state. */
static unsigned int dynamic_key(const struct command *command, unsigned int key)
{
	memcpy(keys[key].core, command->core, sizeof(keys[key].core));
	keys[key].dynamic = command->dynamic;
	return key;
}

/** state_error() - Something is not legal. */
void state_error(struct state *state, const char *format, ...)
{
	char text[512];
	va_list args;

	if (state->error)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	state->error = arena_print(state->arena, "%s", text);
}

/* All is undefined. */
static void clear(struct state *state)
{
	/* Keys that there are not yet have no value. */
	memset(state->values, 0, key_count * sizeof(state->values[0]));
	for (unsigned int i = 0; i < POINT_COUNT * MAX_SETS; i++) {
		(&state->bound[0][0])[i].kind = BOUND_NONE;
		(&state->bound[0][0])[i].layout = NULL;
		(&state->bound[0][0])[i].unsure = false;
		(&state->bound[0][0])[i].pushed_count = 0;
	}
	state->buffer_count = 0;
	state->pipeline = NULL;
	state->input_strides = 0;
}

/** state_init() - A command buffer begins: all is undefined. */
void state_init(struct state *state, struct arena *arena)
{
	clear(state);
	state->arena = arena;
	state->passes = 0;
	state->codings = 0;
	state->scopes = 0;
	state->error = NULL;
}

/** state_set() - A key has a value. */
void state_set(struct state *state, unsigned int key, const char *text)
{
	state->values[key].text = text;
	state->values[key].unsure = false;
}

static bool has_prefix(unsigned int key, const char *prefix)
{
	return !strncmp(keys[key].name, prefix, strlen(prefix));
}

/** state_unsure() - It is not clear whether keys with a prefix are valid. */
void state_unsure(struct state *state, const char *prefix)
{
	for (unsigned int i = 0; i < key_count; i++) {
		if (state->values[i].text && has_prefix(i, prefix))
			state->values[i].unsure = true;
	}
}

/** state_remove() - Keys with a prefix are undefined. */
void state_remove(struct state *state, const char *prefix)
{
	for (unsigned int i = 0; i < key_count; i++) {
		if (state->values[i].text && has_prefix(i, prefix))
			state->values[i].text = NULL;
	}
}

/* ---- Values of commands ---- */

static const char *family_of(const struct command *command)
{
	return command->family ? command->family : command->original;
}

/* All arguments but one. */
static const char *print_args(struct state *state, const struct entry *entry, const char *without)
{
	const struct type *type = entry->command->args;
	struct text text = { .arena = state->arena };
	struct member members[MAX_ENTRIES];
	struct type rest = *type;

	rest.members = members;
	rest.member_count = 0;
	for (unsigned int i = 0; i < type->member_count; i++) {
		if (!without || strcmp(type->members[i].name, without))
			members[rest.member_count++] = type->members[i];
	}
	reflect_print(&text, &rest, entry->args);
	return text.data;
}

static void apply_value(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;

	state_set(state, dynamic_key(command, key_number("%s", family_of(command))),
		  print_args(state, entry, NULL));
}

/* Until the next render pass instance. */
static void apply_pass_value(struct state *state, const struct entry *entry)
{
	state_set(state, key_number("pass %s", family_of(entry->command)),
		  print_args(state, entry, NULL));
}

/* An element of all arrays of the arguments. */
static const char *print_element(struct state *state, const struct entry *entry, uint64_t index)
{
	const struct type *type = entry->command->args;
	struct text text = { .arena = state->arena };

	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		const char *array;

		if (!member->stars)
			continue;
		array = *(const char *const *)((const char *)entry->args + member->offset);
		text_add(&text, "%s", text.length ? " " : "");
		if (array)
			reflect_print_element(&text, member, array + index * member->size);
		else if (!strcmp(member->name, "pSizes"))
			text_add(&text, "%llu", (unsigned long long)VK_WHOLE_SIZE);
		else
			text_add(&text, "NULL");
	}
	return text.data;
}

static void apply_array(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;
	const struct type *type = command->args;
	const uint64_t first = command->first ? reflect_value(type, entry->args, command->first) :
						0;
	const uint64_t count = reflect_value(type, entry->args, command->count);

	for (uint64_t i = 0; i < count; i++)
		state_set(state,
			  dynamic_key(command, key_number("%s[%u]", family_of(command),
							  (unsigned int)(first + i))),
			  print_element(state, entry, i));
}

/* What is behind the last element may be undefined. */
static void apply_whole_array(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;

	apply_array(state, entry);
	for (uint64_t i = reflect_value(command->args, entry->args, command->count);
	     i < MAX_ELEMENTS; i++)
		state->values[key_number("%s[%u]", family_of(command), (unsigned int)i)].unsure =
			true;
}

/*
 * vkCmdSetViewport and vkCmdSetViewportWithCount set the same viewports, but a pipeline may need
 * that the first one was called.
 */
static void apply_viewport(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;
	const uint64_t first = reflect_value(command->args, entry->args, command->first);
	const uint64_t count = reflect_value(command->args, entry->args, command->count);

	apply_array(state, entry);
	for (uint64_t i = 0; i < count; i++)
		state_set(state,
			  dynamic_key(command,
				      key_number("%s[%u] without count", family_of(command),
						 (unsigned int)(first + i))),
			  "set");
}

static void apply_with_count(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;

	apply_whole_array(state, entry);
	state_set(state, dynamic_key(command, key_number("%s count", family_of(command))),
		  arena_print(state->arena, "%u",
			      (unsigned int)reflect_value(command->args, entry->args,
							  command->count)));
}

static void apply_faces(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;
	const uint64_t faces = reflect_value(command->args, entry->args, "faceMask");
	const char *value = print_args(state, entry, "faceMask");

	if (faces & VK_STENCIL_FACE_FRONT_BIT)
		state_set(state, dynamic_key(command, key_number("%s front", family_of(command))),
			  value);
	if (faces & VK_STENCIL_FACE_BACK_BIT)
		state_set(state, dynamic_key(command, key_number("%s back", family_of(command))),
			  value);
}

/* vkCmdSetDepthBias is vkCmdSetDepthBias2EXT without a representation. */
static void apply_depth_bias(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;
	const struct type *type = command->args;
	struct text text = { .arena = state->arena };
	uint32_t representation[2] = { 0 };
	const VkBaseInStructure *at = NULL;

	text_add(&text, "%x %x %x",
		 (unsigned int)reflect_value(type, entry->args, "depthBiasConstantFactor"),
		 (unsigned int)reflect_value(type, entry->args, "depthBiasClamp"),
		 (unsigned int)reflect_value(type, entry->args, "depthBiasSlopeFactor"));
	if (!strcmp(type->members[0].name, "pDepthBiasInfo"))
		at = (*(const VkBaseInStructure *const *)entry->args)->pNext;
	for (; at; at = at->pNext) {
		const struct type *of = reflect_struct(at->sType);

		if (!of || strcmp(of->name, "VkDepthBiasRepresentationInfoEXT")) {
			reflect_print_chain(&text, at);
			break;
		}
		representation[0] = reflect_value(of, at, "depthBiasRepresentation");
		representation[1] = reflect_value(of, at, "depthBiasExact");
	}
	text_add(&text, " as %u %u", representation[0], representation[1]);
	state_set(state, dynamic_key(command, key_number("depth-bias")), text.data);
}

static void apply_index_buffer(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const char *value;

	if (reflect_member(type, "buffer"))
		value = arena_print(state->arena, "buffer 0x%llx + 0x%llx, %llu bytes, type %u",
				    (unsigned long long)reflect_value(type, entry->args, "buffer"),
				    (unsigned long long)reflect_value(type, entry->args, "offset"),
				    reflect_member(type, "size") ?
				    (unsigned long long)reflect_value(type, entry->args, "size") :
				    (unsigned long long)VK_WHOLE_SIZE,
				    (unsigned int)reflect_value(type, entry->args, "indexType"));
	else
		value = print_args(state, entry, NULL);
	state_set(state, key_number("index buffer"), value);
}

/* The stride of a vertex binding is dynamic state, the buffer is not. */
static void set_stride(struct state *state, unsigned int binding, uint64_t stride)
{
	static const struct command stride_command = {
		.core = { VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
			  VK_DYNAMIC_STATE_VERTEX_INPUT_EXT },
		.dynamic = true,
	};

	state_set(state, dynamic_key(&stride_command, key_number("vertex stride[%u]", binding)),
		  arena_print(state->arena, "%llu", (unsigned long long)stride));
}

static void apply_vertex_buffers(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;
	const struct type *type = command->args;
	const unsigned int first = reflect_value(type, entry->args, command->first);
	const unsigned int count = reflect_value(type, entry->args, command->count);
	const VkDeviceSize *offsets = reflect_pointer(type, entry->args, "pOffsets");
	const VkDeviceSize *sizes = reflect_pointer(type, entry->args, "pSizes");
	const VkDeviceSize *strides = reflect_pointer(type, entry->args, "pStrides");
	const VkBuffer *buffers = reflect_pointer(type, entry->args, "pBuffers");
	const struct member *infos = reflect_member(type, "pBindingInfos");
	const char *at = infos ? reflect_pointer(type, entry->args, "pBindingInfos") : NULL;

	for (unsigned int i = 0; i < count; i++) {
		struct text text = { .arena = state->arena };
		uint64_t buffer = 0;

		if (infos) {
			const char *info = at + i * infos->size;
			const struct member *range = reflect_member(infos->type, "addressRange");

			text_add(&text, "address 0x%llx, %llu bytes, flags %llu",
				 (unsigned long long)reflect_value(range->type,
								   info + range->offset, "address"),
				 (unsigned long long)reflect_value(range->type,
								   info + range->offset, "size"),
				 (unsigned long long)reflect_value(infos->type, info,
								   "addressFlags"));
			if (reflect_value(infos->type, info, "setStride"))
				set_stride(state, first + i, reflect_value(range->type,
									   info + range->offset,
									   "stride"));
			state->input_strides &= ~(reflect_value(infos->type, info, "setStride") ?
						  1u << (first + i) : 0);
			reflect_print_chain(&text, ((const VkBaseInStructure *)info)->pNext);
		} else {
			memcpy(&buffer, &buffers[i], sizeof(buffer));
			text_add(&text, "buffer 0x%llx + 0x%llx, %llu bytes",
				 (unsigned long long)buffer, (unsigned long long)offsets[i],
				 sizes ? (unsigned long long)sizes[i] :
				 (unsigned long long)VK_WHOLE_SIZE);
			if (strides)
				set_stride(state, first + i, strides[i]);
			state->input_strides &= ~(strides ? 1u << (first + i) : 0);
		}
		state_set(state, key_number("vertex buffer[%u]", first + i), text.data);
	}
}

static void apply_vertex_input(struct state *state, const struct entry *entry)
{
	static const struct command input_command = {
		.core = { VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, NO_DYNAMIC_STATE },
		.dynamic = true,
	};
	const struct type *type = entry->command->args;
	const VkVertexInputBindingDescription2EXT *bindings =
		reflect_pointer(type, entry->args, "pVertexBindingDescriptions");
	const unsigned int count = reflect_value(type, entry->args,
						 "vertexBindingDescriptionCount");

	state_set(state, dynamic_key(&input_command, key_number("vertex input")),
		  print_args(state, entry, NULL));
	/* Those of an earlier vertex input may be undefined: no attribute has their bindings. */
	for (unsigned int i = 0; i < MAX_ELEMENTS; i++) {
		if (state->input_strides & 1u << i)
			state->values[key_number("vertex stride[%u]", i)].unsure = true;
	}
	state->input_strides = 0;
	for (unsigned int i = 0; i < count; i++) {
		set_stride(state, bindings[i].binding, bindings[i].stride);
		state->input_strides |= 1u << bindings[i].binding;
	}
}

/* ---- Pipelines and shader objects ---- */

static bool is_dynamic(const struct graphics_pipeline *pipeline, VkDynamicState state)
{
	for (uint32_t i = 0; i < pipeline->state_count; i++) {
		if (pipeline->states[i] == state)
			return true;
	}
	return false;
}

/* A graphics pipeline has set the value of a key, and until it is not bound any longer. */
static const char of_pipeline[] = "as in the pipeline";

static void forget_pipeline_state(struct state *state)
{
	for (unsigned int i = 0; i < key_count; i++) {
		if (state->values[i].text == of_pipeline)
			state->values[i].text = NULL;
	}
}

static bool is_static(const struct graphics_pipeline *pipeline, unsigned int key)
{
	return keys[key].dynamic && keys[key].core[0] != NO_DYNAMIC_STATE &&
	       !is_dynamic(pipeline, keys[key].core[0]) &&
	       (keys[key].core[1] == NO_DYNAMIC_STATE || !is_dynamic(pipeline, keys[key].core[1]));
}

static void set_pipeline_state(struct state *state, const struct graphics_pipeline *pipeline)
{
	for (unsigned int i = 0; i < key_count; i++) {
		if (!keys[i].dynamic)
			continue;
		if (keys[i].core[0] == NO_DYNAMIC_STATE) {
			/* It may have what it sets in a structure of an extension. */
			if (!pipeline->state_count)
				state->values[i].unsure = true;
		} else if (is_static(pipeline, i) && state->values[i].text) {
			/* Of a value that nothing has set it does not matter. */
			state_set(state, i, of_pipeline);
		}
	}
}

/* No draw may see state that was set behind a pipeline that has it, too. */
static void check_pipeline_state(struct state *state, const struct command *draw)
{
	for (unsigned int i = 0; i < key_count && state->pipeline; i++) {
		if (state->values[i].text && state->values[i].text != of_pipeline &&
		    is_static(state->pipeline, i))
			state_error(state, "at %s, %s was set behind a pipeline that has it",
				    draw->name, keys[i].name);
	}
}

static const char *point_name(uint64_t point)
{
	static const char *const names[] = { "graphics", "compute" };

	return point < COUNT(names) ? names[point] : "other";
}

static void apply_pipeline(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const uint64_t point = reflect_value(type, entry->args, "pipelineBindPoint");
	const uint64_t pipeline = reflect_value(type, entry->args, "pipeline");
	const struct object *object = mock_object(pipeline);
	const char *group = "";

	if (reflect_member(type, "groupIndex"))
		group = arena_print(state->arena, " group %u",
				    (unsigned int)reflect_value(type, entry->args, "groupIndex"));
	if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) {
		state_remove(state, "graphics shader");
		forget_pipeline_state(state);
		state->pipeline = object && object->kind == OBJECT_GRAPHICS_PIPELINE ?
				  object->data : NULL;
		if (state->pipeline)
			set_pipeline_state(state, state->pipeline);
	} else if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
		state_remove(state, "compute shader");
	}
	state_set(state, key_number("pipeline %s %u", point_name(point), (unsigned int)point),
		  arena_print(state->arena, "0x%llx%s", (unsigned long long)pipeline, group));
}

static void apply_shaders(struct state *state, const struct entry *entry)
{
	const struct type *type = entry->command->args;
	const unsigned int count = reflect_value(type, entry->args, "stageCount");
	const VkShaderStageFlagBits *stages = reflect_pointer(type, entry->args, "pStages");
	const uint64_t *shaders = reflect_pointer(type, entry->args, "pShaders");

	for (unsigned int i = 0; i < count; i++) {
		const bool graphics = stages[i] & GRAPHICS_STAGES;

		state_set(state,
			  key_number("%s shader %x", graphics ? "graphics" : "compute", stages[i]),
			  arena_print(state->arena, "0x%llx",
				      shaders ? (unsigned long long)shaders[i] : 0));
		state_remove(state, graphics ? "pipeline graphics" : "pipeline compute");
		if (!graphics)
			continue;
		forget_pipeline_state(state);
		state->pipeline = NULL;
	}
}

/* ---- Commands ---- */

static const struct {
	const char *name;
	void (*apply)(struct state *state, const struct entry *entry);
} rules[] = {
	{ "value", apply_value },
	{ "pass-value", apply_pass_value },
	{ "array", apply_array },
	{ "whole-array", apply_whole_array },
	{ "viewport", apply_viewport },
	{ "with-count", apply_with_count },
	{ "faces", apply_faces },
	{ "depth-bias", apply_depth_bias },
	{ "index-buffer", apply_index_buffer },
	{ "vertex-buffers", apply_vertex_buffers },
	{ "vertex-input", apply_vertex_input },
	{ "pipeline", apply_pipeline },
	{ "shaders", apply_shaders },
};

static void check_place(struct state *state, const struct command *command)
{
	if (command->pass == PLACE_INSIDE && !state->passes)
		state_error(state, "%s is outside of a render pass instance", command->name);
	if (command->pass == PLACE_OUTSIDE && state->passes)
		state_error(state, "%s is inside of a render pass instance", command->name);
	if (command->coding == PLACE_INSIDE && !state->codings)
		state_error(state, "%s is outside of video coding", command->name);
	if (command->coding == PLACE_OUTSIDE && state->codings)
		state_error(state, "%s is inside of video coding", command->name);
}

static void end_scope(struct state *state, unsigned int *count, const struct command *command)
{
	if (!*count)
		state_error(state, "%s without a begin", command->name);
	else
		(*count)--;
}

/** state_apply() - A command is recorded. */
void state_apply(struct state *state, const struct entry *entry)
{
	const struct command *command = entry->command;

	check_place(state, command);
	switch (command->class) {
	case CLASS_BEGIN_PASS:
		state->passes++;
		/* Locations and indices of attachments are those of the instance. */
		state_remove(state, "pass ");
		break;
	case CLASS_END_PASS:
		end_scope(state, &state->passes, command);
		state_remove(state, "pass ");
		break;
	case CLASS_BEGIN_SCOPE:
		state->scopes++;
		break;
	case CLASS_END_SCOPE:
		end_scope(state, &state->scopes, command);
		break;
	case CLASS_BEGIN_CODING:
		state->codings++;
		break;
	case CLASS_END_CODING:
		end_scope(state, &state->codings, command);
		break;
	case CLASS_EXECUTE:
		/* That of the render pass instance is not disturbed. */
		clear(state);
		break;
	case CLASS_STATE:
		for (size_t i = 0; i < COUNT(rules); i++) {
			if (!strcmp(rules[i].name, command->rule)) {
				rules[i].apply(state, entry);
				return;
			}
		}
		if (!descriptors_apply(state, entry))
			state_error(state, "%s has no function '%s'", command->name, command->rule);
		break;
	default:
		/* What commands that the GPU has made set is undefined behind them. */
		if (strstr(command->name, "ExecuteGeneratedCommands")) {
			state_unsure(state, "");
			for (unsigned int i = 0; i < POINT_COUNT * MAX_SETS; i++)
				(&state->bound[0][0])[i].unsure = true;
		}
		break;
	}
}

/** state_end() - The command buffer ends. */
void state_end(struct state *state)
{
	if (state->passes || state->codings || state->scopes)
		state_error(state,
			    "vkEndCommandBuffer within a render pass instance, query or the like");
}

/** state_snapshot() - The state that a workload sees. */
void state_snapshot(struct state *state, const struct command *workload, struct snapshot *snapshot)
{
	descriptors_snapshot(state);
	if (workload->class == CLASS_DRAW)
		check_pipeline_state(state, workload);
	snapshot->workload = workload;
	snapshot->count = key_count;
	snapshot->values = arena_alloc(state->arena, key_count * sizeof(*snapshot->values));
	memcpy(snapshot->values, state->values, key_count * sizeof(*snapshot->values));
}
