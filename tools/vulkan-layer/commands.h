/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Command buffers: their labels, and the parts that the layer has split them into.
 *
 * The application may record a command buffer in one thread only, so that what recording changes
 * has no lock. The lock of the device guards the set of them.
 */
#ifndef VULKAN_LAYER_COMMANDS_H
#define VULKAN_LAYER_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "pools.h"

struct device;

/* Labels of a command buffer beyond this are "...". */
#define MAX_LABELS	512
/* Labels within each other beyond this are left out. */
#define MAX_DEPTH	32
#define MORE_LABELS	" + ..."

/**
 * struct label_stack - labels that are open
 */
struct label_stack {
	/** @text: They, separated by "/". */
	char text[MAX_LABELS];

	/** @lengths: Length of @text without the label of each depth, and those in it. */
	uint16_t lengths[MAX_DEPTH];

	/** @depth: Number of open labels. Those beyond the deepest one are not in @text. */
	unsigned int depth;
};

/**
 * struct labels - labels of a unit
 */
struct labels {
	/** @text: They, separated by " + ". */
	char text[MAX_LABELS + sizeof(MORE_LABELS)];
};

/**
 * struct part - a part of a command buffer
 */
struct part {
	/** @handle: The driver's command buffer: the application's for the first part. */
	VkCommandBuffer handle;

	/** @labels: Labels of the work in it. */
	struct labels labels;

	/** @works: The GPU has something to do for it. */
	bool works;

	/** @joined: The next command buffer of the submission continues its render pass. */
	bool joined;

	/** @query: The query of performance counters that it is. */
	struct query query;
};

/**
 * struct cmd - a command buffer
 */
struct cmd {
	/** @handle: Handle. */
	VkCommandBuffer handle;

	/** @pool: Its pool. */
	VkCommandPool pool;

	/** @primary: It is a primary one. */
	bool primary;

	/** @name: The application's name for it. May be %NULL. */
	char *name;

	/** @open: Labels that are open. */
	struct label_stack open;

	/** @leaf: The innermost open label has no other within. */
	bool leaf;

	/** @parts: The parts, in order. Those beyond @part_count were of an earlier recording. */
	struct part *parts;

	/** @part_count: Their number. */
	unsigned int part_count;

	/** @parts_allocated: Number of parts that have a command buffer. */
	unsigned int parts_allocated;

	/** @usage: As the application has begun it. */
	VkCommandBufferUsageFlags usage;

	/** @whole: It is not split from here on. */
	bool whole;

	/** @scopes: Queries and the like that are open. */
	unsigned int scopes;

	/** @in_pass: A render pass instance is open. */
	bool in_pass;

	/** @suspending: That instance will be resumed by another one. */
	bool suspending;

	/** @state: Commands that have set what is set: a list of struct record. */
	struct record *state;

	/** @last_state: Where the next one is linked. */
	struct record **last_state;

	/** @result: What has failed while it was split. */
	VkResult result;
};

struct cmd *commands_find(struct device *device, VkCommandBuffer handle);
void commands_add(struct device *device, const VkCommandBufferAllocateInfo *info,
		  VkCommandBuffer handle);
void commands_remove(struct device *device, VkCommandBuffer handle);
void commands_remove_pool(struct device *device, VkCommandPool pool);
void commands_fini(struct device *device);

#endif
