/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Command buffers that are split into one part for each dispatch, transfer and render pass. */
#ifndef VULKAN_LAYER_SPLIT_H
#define VULKAN_LAYER_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "commands.h"
#include "layer.h"

struct state;

/**
 * struct target - where a command goes
 */
struct target {
	/** @device: Device. */
	struct device *device;

	/** @cmd: The application's command buffer. May be %NULL. */
	struct cmd *cmd;

	/** @handle: The driver's command buffer. */
	VkCommandBuffer handle;

	/** @state: Where what is set has to be saved. May be %NULL. */
	struct state *state;
};

struct target split_other(VkCommandBuffer handle);

/**
 * split_target() - Where a command goes
 * @handle: The application's command buffer.
 *
 * Return: The part that is recorded.
 */
static inline __attribute__((always_inline)) struct target
split_target(VkCommandBuffer handle)
{
	const struct cmd_cache *cache = commands_cached(handle);
	struct cmd *cmd = cache->cmd;

	if (cache->handle != handle || cache->removals != commands_removals)
		return split_other(handle);
	return (struct target) { cmd->device, cmd, cmd->recorded, cmd->state };
}

/* Push constants are some words mostly: two copies that overlap need no call. */
static inline __attribute__((always_inline)) void split_copy_words(char *to, const char *from,
								   size_t size)
{
	if (size >= 16 && size <= 32) {
		memcpy(to, from, 16);
		memcpy(to + size - 16, from + size - 16, 16);
	} else if (size >= 4 && size <= 8) {
		memcpy(to, from, 4);
		memcpy(to + size - 4, from + size - 4, 4);
	} else {
		memcpy(to, from, size);
	}
}

/**
 * split_copy() - Copy an array behind the arguments
 * @at: Where it goes, and then what is behind it.
 * @from: The array. May be %NULL.
 * @count: Number of elements, mostly 1.
 * @size: Bytes of one.
 *
 * Return: The copy, or %NULL.
 */
static inline __attribute__((always_inline)) void *
split_copy(char **at, const void *from, size_t count, size_t size)
{
	void *to = *at;

	if (!from)
		return NULL;
	if (count == 1)
		memcpy(to, from, size);
	else if (size == 1)
		split_copy_words(to, from, count);
	else
		memcpy(to, from, count * size);
	*at += ALIGNED(count * size);
	return to;
}

struct target split_work(VkCommandBuffer handle, const char *what, uint32_t types);
struct target split_draw(VkCommandBuffer handle, const char *what, uint32_t types);
struct target split_begin_scope(VkCommandBuffer handle);
struct target split_end_scope(VkCommandBuffer handle);
struct target split_begin_pass(VkCommandBuffer handle, VkRenderingFlags flags);
struct target split_end_pass(VkCommandBuffer handle);
struct target split_unknown(VkCommandBuffer handle, const char *command);
bool split_begin_query(struct target *target, const struct query *query);
bool split_end_query(struct target *target, const struct query *query);
void split_query_event(const struct target *target, enum query_event_kind kind,
		       const struct query *first, uint32_t count);
void split_whole(const struct target *target);

bool split_has_chain(const void *first, uint32_t count, size_t size);

void split_begin(struct device *device, struct cmd *cmd, const VkCommandBufferBeginInfo *info);
VkResult split_end(struct device *device, struct cmd *cmd);
void split_reset(struct cmd *cmd);

#endif
