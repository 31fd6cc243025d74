/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A driver of Vulkan that saves all commands of its command buffers, and executes none. It also
 * does what the loader does for handles that can be dispatched.
 */
#ifndef STATE_MOCK_H
#define STATE_MOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "commands.h"

/* Bindings of a layout of descriptor sets, sets of a pipeline's. */
#define MAX_BINDINGS	16
#define MAX_SETS	8
#define MAX_RANGES	4
#define MAX_ENTRIES	16
/* Dynamic states of a pipeline. */
#define MAX_STATES	128

/** enum object_kind - what an object is */
enum object_kind {
	OBJECT_OTHER,
	OBJECT_SET_LAYOUT,
	OBJECT_PIPELINE_LAYOUT,
	OBJECT_TEMPLATE,
	OBJECT_GRAPHICS_PIPELINE,
	OBJECT_POOL,
	OBJECT_SEMAPHORE,
};

/** struct set_layout - a layout of descriptor sets */
struct set_layout {
	/** @flags: VkDescriptorSetLayoutCreateFlags. */
	uint32_t flags;

	/** @counts: Descriptors of each binding. */
	uint32_t counts[MAX_BINDINGS];

	/** @dynamic: Descriptors with a dynamic offset. */
	uint32_t dynamic;

	/** @text: Its definition: equal for those that are defined identically. */
	char *text;
};

/** struct pipeline_layout - a layout of pipelines */
struct pipeline_layout {
	/** @sets: Its sets. */
	const struct set_layout *sets[MAX_SETS];

	/** @set_count: Their number. */
	uint32_t set_count;

	/** @ranges: Its push constants. */
	VkPushConstantRange ranges[MAX_RANGES];

	/** @range_count: Number of @ranges. */
	uint32_t range_count;

	/** @text: Definition of the push constants. */
	char *text;
};

/** struct template - a template of descriptor updates */
struct template {
	/** @point: VkPipelineBindPoint. */
	VkPipelineBindPoint point;

	/** @entries: Its entries. */
	VkDescriptorUpdateTemplateEntry entries[MAX_ENTRIES];

	/** @entry_count: Their number. */
	uint32_t entry_count;
};

/** struct object - an object that is not dispatchable */
struct object {
	/** @kind: What it is. */
	enum object_kind kind;

	/** @destroyed: It is gone. */
	bool destroyed;

	/** @data: One of the structures above. May be %NULL. */
	void *data;
};

/** struct graphics_pipeline - a graphics pipeline */
struct graphics_pipeline {
	/** @states: Its dynamic states. */
	VkDynamicState states[MAX_STATES];

	/** @state_count: Their number. */
	uint32_t state_count;
};

/** struct pushed - a descriptor that is pushed */
struct pushed {
	/** @binding: Its binding. */
	uint32_t binding;

	/** @element: Which of the binding. */
	uint32_t element;

	/** @value: The descriptor. */
	const char *value;
};

/** struct entry - a command of a command buffer */
struct entry {
	/** @command: The command. */
	const struct command *command;

	/** @args: A copy of its arguments. */
	void *args;

	/** @pushed: Descriptors that were pushed with a template. */
	struct pushed *pushed;

	/** @pushed_count: Their number. */
	unsigned int pushed_count;

	/** @point: The template's VkPipelineBindPoint. */
	VkPipelineBindPoint point;

	/** @other: Entries of the command buffer that is an argument. */
	struct entry *other;

	/** @other_count: Their number. */
	unsigned int other_count;
};

/** struct recorded - the commands of a command buffer */
struct recorded {
	/** @handle: The command buffer. */
	VkCommandBuffer handle;

	/** @entries: The commands. */
	struct entry *entries;

	/** @count: Their number. */
	unsigned int count;
};

/** struct function - a function of the driver */
struct function {
	/** @name: Its name. */
	const char *name;

	/** @address: It. */
	PFN_vkVoidFunction address;
};

#define ENTRY(name)		{ "vk" #name, (PFN_vkVoidFunction)mock_##name }
#define ENTRY_AS(alias, name)	{ "vk" #alias, (PFN_vkVoidFunction)mock_##name }

PFN_vkVoidFunction mock_find(const struct function *functions, size_t count, const char *name);
PFN_vkVoidFunction sync_function(const char *name);
VkResult mock_create_object(void *handle, enum object_kind kind, void *data);
void mock_destroy_object(uint64_t handle);
void mock_signal(VkSemaphore handle, uint64_t value);

PFN_vkVoidFunction mock_instance_proc(VkInstance handle, const char *name);
PFN_vkVoidFunction mock_device_proc(VkDevice handle, const char *name);
VkResult mock_set_loader_data(VkDevice handle, void *object);
void mock_set_key(VkDevice device, void *object);
void mock_command(VkCommandBuffer handle, const struct command *command, const void *args);

const struct object *mock_object(uint64_t handle);
unsigned int mock_take_submitted(struct recorded *parts, unsigned int max);
bool mock_is_released(VkCommandBuffer handle);
const char *mock_take_error(void);
void mock_error(const char *format, ...) __attribute__((__format__(printf, 1, 2)));

#endif
