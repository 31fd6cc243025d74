/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What is bound and set in a command buffer: the commands that have set it.
 *
 * Everything that a command can set has a slot: a viewport, a descriptor set of a bind point, a
 * word of push constants. A slot belongs to the last command that has set it. The record of a
 * command without slots is removed. The others are recorded again in the order of the application,
 * so that each command finds what it found before. The time to record a command does not depend on
 * what came before. Most commands set what the same command has set before, and reuse its record.
 */
#ifndef VULKAN_LAYER_STATE_H
#define VULKAN_LAYER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "slots.h"

struct device;

/** state_replay_fn - records a command with its saved arguments again */
typedef void (*state_replay_fn)(struct device *device, VkCommandBuffer handle, const void *args);

/**
 * struct record - a command that has set something
 */
struct record {
	/** @next: Another one of the state, or another one that is not used. */
	struct record *next;

	/** @link: What links it. */
	struct record **link;

	/** @sequence: Goes up from command to command. */
	uint64_t sequence;

	/** @replay: Records it again. */
	state_replay_fn replay;

	/** @slots: Number of slots that belong to it. */
	uint32_t slots;

	/** @kind: Size of it: a number of &state.unused; or %LARGE_RECORD. */
	uint32_t kind;

	/** @args: Its arguments. */
	uint64_t args[];
};

/* Records of 64, 128, ... bytes come from chunks. */
#define RECORD_UNIT	64
#define RECORD_KINDS	8
#define RECORD_KIND(size) ((sizeof(struct record) + (size) - 1) / RECORD_UNIT)
#define LARGE_RECORD	RECORD_KINDS

/* Descriptors that are pushed at a time. A command buffer with more of them is not split. */
#define MAX_PUSHED	512

/**
 * struct pushed - a descriptor that is pushed
 */
struct pushed {
	/** @set: Set and bind point. */
	uint32_t set;

	/** @binding: Binding. */
	uint32_t binding;

	/** @element: Array element. */
	uint32_t element;

	/** @record: The command that has pushed it. */
	struct record *record;
};

/**
 * struct state - what is bound and set in a command buffer
 */
struct state {
	/** @pool_next: Next one that is not in use. */
	struct state *pool_next;

	/** @records: The commands, in any order. */
	struct record *records;

	/** @record_count: Their number. */
	unsigned int record_count;

	/** @sequence: That of the last command. */
	uint64_t sequence;

	/** @sorted: The commands in their order. */
	struct record **sorted;

	/** @sorted_size: Room in @sorted. */
	unsigned int sorted_size;

	/** @slots: The command that each slot belongs to. May be %NULL. */
	struct record *slots[SLOT_COUNT];

	/** @unused: Records of each size that are not used. */
	struct record *unused[RECORD_KINDS];

	/** @chunks: Where records come from. */
	struct chunk *chunks;

	/** @pushed: Descriptors that are pushed. */
	struct pushed *pushed;

	/** @pushed_count: Their number. */
	unsigned int pushed_count;

	/** @pushed_size: Room in @pushed. */
	unsigned int pushed_size;

	/** @pushed_next: Where the next one is expected. */
	unsigned int pushed_next;
};

struct state *state_get(struct device *device);
void state_put(struct device *device, struct state *state);
void state_fini(struct device *device);
void state_clear(struct state *state);
bool state_reserve(struct state *state);
void state_replay(struct state *state, struct device *device, VkCommandBuffer handle);

struct record *state_record_slow(struct state *state, size_t size);
bool state_own_pushed(struct state *state, struct record *record, uint32_t set, uint32_t binding,
		      uint32_t element);
void state_forget(struct state *state, struct record *record);

/**
 * state_record() - Save a command
 * @state: The state.
 * @replay: Records it again.
 * @size: Bytes of its arguments.
 *
 * Behind it come state_own() and the like for what it sets, and state_recorded() at the end.
 *
 * Return: The record. %NULL: there is no memory.
 */
static inline struct record *state_record(struct state *state, state_replay_fn replay, size_t size)
{
	const size_t kind = RECORD_KIND(size);
	struct record *record;

	if (kind < RECORD_KINDS && state->unused[kind]) {
		record = state->unused[kind];
		state->unused[kind] = record->next;
	} else {
		record = state_record_slow(state, size);
		if (!record)
			return NULL;
	}
	record->sequence = ++state->sequence;
	record->replay = replay;
	record->slots = 0;
	record->next = state->records;
	record->link = &state->records;
	if (record->next)
		record->next->link = &record->next;
	state->records = record;
	state->record_count++;
	return record;
}

/**
 * state_again() - A command sets what the same one has set before
 * @state: The state.
 * @replay: Records it again.
 * @size: Bytes of its arguments.
 * @slot: First slot of what it sets.
 * @count: Number of slots.
 *
 * Return: The record of the one before, for the arguments of this one. %NULL: it is not so.
 */
static inline __attribute__((always_inline)) struct record *
state_again(struct state *state, state_replay_fn replay, size_t size, unsigned int slot,
	    uint32_t count)
{
	struct record *record = state->slots[slot];

	if (!record || record->replay != replay || record->slots != count ||
	    record->kind != RECORD_KIND(size) || record->kind == LARGE_RECORD)
		return NULL;
	for (unsigned int i = slot + count - 1; i > slot; i--) {
		if (state->slots[i] != record)
			return NULL;
	}
	record->sequence = ++state->sequence;
	return record;
}

/** state_lose() - A slot does not belong to a command any longer. */
static inline void state_lose(struct state *state, struct record *record)
{
	if (!--record->slots)
		state_forget(state, record);
}

/** state_own() - A command has set what a slot stands for. */
static inline void state_own(struct state *state, struct record *record, unsigned int slot)
{
	struct record *before = state->slots[slot];

	state->slots[slot] = record;
	record->slots++;
	if (before)
		state_lose(state, before);
}

/**
 * state_own_range() - A command has set what several slots stand for
 * @state: The state.
 * @record: The command.
 * @slot: The slot of number 0.
 * @max: Number of slots.
 * @first: First number.
 * @count: How many.
 *
 * Return: Whether there are so many.
 */
static inline bool state_own_range(struct state *state, struct record *record, unsigned int slot,
				   uint32_t max, uint32_t first, uint32_t count)
{
	if (first > max || count > max - first)
		return false;
	for (uint32_t i = first; i < first + count; i++)
		state_own(state, record, slot + i);
	return true;
}

/** state_end_range() - What several slots stand for is not valid any longer. */
static inline void state_end_range(struct state *state, unsigned int slot, unsigned int count)
{
	for (unsigned int i = slot; i < slot + count; i++) {
		struct record *record = state->slots[i];

		state->slots[i] = NULL;
		if (record)
			state_lose(state, record);
	}
}

/** state_recorded() - A command has got all its slots. */
static inline void state_recorded(struct state *state, struct record *record)
{
	if (!record->slots)
		state_forget(state, record);
}

/* Bind points, as bits. The last one is for stages that belong to none of which the layer knows. */
#define POINT_GRAPHICS		0x01
#define POINT_COMPUTE		0x02
#define POINT_RAY_TRACING	0x04
#define POINT_SUBPASS_SHADING	0x08
#define POINT_DATA_GRAPH	0x10
#define POINT_UNKNOWN		0x20
#define POINTS			6

/* Newer than some headers. */
#define BIND_POINT_DATA_GRAPH	((VkPipelineBindPoint)1000507000)

/** state_point() - The bit of a bind point; 0: the layer does not know it. */
static inline unsigned int state_point(VkPipelineBindPoint point)
{
	switch ((uint32_t)point) {
	case VK_PIPELINE_BIND_POINT_GRAPHICS:
		return POINT_GRAPHICS;
	case VK_PIPELINE_BIND_POINT_COMPUTE:
		return POINT_COMPUTE;
	case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR:
		return POINT_RAY_TRACING;
	case VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI:
		return POINT_SUBPASS_SHADING;
	case BIND_POINT_DATA_GRAPH:
		return POINT_DATA_GRAPH;
	default:
		return 0;
	}
}

/** state_points() - The bits of the bind points of shader stages. */
static inline unsigned int state_points(VkShaderStageFlags stages)
{
	const VkShaderStageFlags graphics = VK_SHADER_STAGE_ALL_GRAPHICS |
					    VK_SHADER_STAGE_TASK_BIT_EXT |
					    VK_SHADER_STAGE_MESH_BIT_EXT |
					    VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI;
	const VkShaderStageFlags rays = VK_SHADER_STAGE_RAYGEN_BIT_KHR |
					VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
					VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
					VK_SHADER_STAGE_MISS_BIT_KHR |
					VK_SHADER_STAGE_INTERSECTION_BIT_KHR |
					VK_SHADER_STAGE_CALLABLE_BIT_KHR;
	const VkShaderStageFlags known = graphics | rays | VK_SHADER_STAGE_COMPUTE_BIT |
					 VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;

	return (stages & graphics ? POINT_GRAPHICS : 0) |
	       (stages & VK_SHADER_STAGE_COMPUTE_BIT ? POINT_COMPUTE : 0) |
	       (stages & rays ? POINT_RAY_TRACING : 0) |
	       (stages & VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI ? POINT_SUBPASS_SHADING : 0) |
	       (stages & ~known ? POINT_UNKNOWN : 0);
}

#endif
