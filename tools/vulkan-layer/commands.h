/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Command buffers: their labels, and the parts that the layer has split them into.
 *
 * The application may record the command buffers of a pool in one thread only, so that what
 * recording changes has no lock. The lock of the device guards the sets of command buffers and of
 * pools.
 */
#ifndef VULKAN_LAYER_COMMANDS_H
#define VULKAN_LAYER_COMMANDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "pools.h"

struct device;
struct state;

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

	/** @named: @labels are of labels, not of commands or of the command buffer. */
	bool named;

	/** @closed: Labels of earlier command buffers that end before the work in it. */
	unsigned int closed;

	/** @works: The GPU has something to do for it. */
	bool works;

	/** @types: What that is: bits of &enum workload_type. */
	uint32_t types;

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

	/** @device: Its device. */
	struct device *device;

	/** @recorded: Where commands go: the command buffer of the last part. */
	VkCommandBuffer recorded;

	/** @state: What is bound and set. %NULL: it is not split, or not any longer. */
	struct state *state;

	/** @pool: Its pool. */
	struct cmd_pool *pool;

	/** @pool_next: Next one of the pool. */
	struct cmd *pool_next;

	/** @pool_link: What links this one. */
	struct cmd **pool_link;

	/** @primary: It is a primary one. */
	bool primary;

	/** @name: The application's name for it. May be %NULL. */
	char *name;

	/** @open: Labels that are open. */
	struct label_stack open;

	/** @closed: Labels that it ends and that an earlier one has begun. */
	unsigned int closed;

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

	/** @scopes: Queries and the like that are open. */
	unsigned int scopes;

	/** @in_pass: A render pass instance is open. */
	bool in_pass;

	/** @suspending: That instance will be resumed by another one. */
	bool suspending;

	/** @resuming: The first instance resumes one of an earlier command buffer. */
	bool resuming;

	/** @events: What it does to queries beside those of its parts. */
	struct query_events events;

	/** @result: What has failed while it was split. */
	VkResult result;
};

/**
 * struct cmd_pool - a pool of command buffers
 */
struct cmd_pool {
	/** @handle: Handle. */
	VkCommandPool handle;

	/** @cmds: Its command buffers. */
	struct cmd *cmds;
};

/**
 * struct cmd_cache - what a thread has found last
 */
struct cmd_cache {
	/** @handle: A command buffer. */
	VkCommandBuffer handle;

	/** @cmd: What is known of it. */
	struct cmd *cmd;

	/** @removals: @cmd is right as long as this is &commands_removals. */
	unsigned long removals;
};

#define CMD_CACHE	4

/* In the memory that each thread has from its begin: found without a call. */
extern __thread struct cmd_cache commands_cache[CMD_CACHE]
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
extern atomic_ulong commands_removals __attribute__((visibility("hidden")));

/** commands_cached() - Where a thread keeps what it has found for a handle. */
static inline struct cmd_cache *commands_cached(VkCommandBuffer handle)
{
	return &commands_cache[((uintptr_t)handle >> 6 ^ (uintptr_t)handle >> 12) % CMD_CACHE];
}

struct cmd *commands_search(struct device *device, VkCommandBuffer handle);

/**
 * commands_find() - The command buffer of a handle
 * @device: Its device.
 * @handle: The handle.
 *
 * An application must not free a command buffer while it uses it: what was found before is right
 * unless some command buffer was removed. Most calls take no lock.
 *
 * Return: The command buffer. %NULL: it is not known, for lack of memory or because its device is
 * not profiled.
 */
static inline struct cmd *commands_find(struct device *device, VkCommandBuffer handle)
{
	const struct cmd_cache *cache = commands_cached(handle);

	if (cache->handle == handle && cache->removals == commands_removals)
		return cache->cmd;
	return commands_search(device, handle);
}

void commands_fini(struct device *device);

#endif
