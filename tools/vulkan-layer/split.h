/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Command buffers that are split into one part for each dispatch, transfer and render pass. */
#ifndef VULKAN_LAYER_SPLIT_H
#define VULKAN_LAYER_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct cmd;
struct device;
struct query;

/* Arguments that distinguish states that one command sets. */
#define MAX_KEYS	8
#define ALIGNED(size)	(((size) + 7) & ~(size_t)7)

/** split_replay_fn - records a command with its saved arguments again */
typedef void (*split_replay_fn)(struct device *device, VkCommandBuffer handle, const void *data);

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

	/** @records: State has to be saved. */
	bool records;
};

struct target split_target(VkCommandBuffer handle);
struct target split_work(VkCommandBuffer handle, const char *what);
struct target split_draw(VkCommandBuffer handle, const char *what);
struct target split_begin_scope(VkCommandBuffer handle);
struct target split_end_scope(VkCommandBuffer handle);
struct target split_begin_pass(VkCommandBuffer handle, VkRenderingFlags flags);
struct target split_end_pass(VkCommandBuffer handle);
bool split_begin_query(struct target *target, const struct query *query);
void split_end_query(struct target *target);
void split_whole(const struct target *target);

void *split_record(const struct target *target, split_replay_fn replay,
		   const uint64_t key[MAX_KEYS], size_t size);
void *split_copy(char **at, const void *from, size_t size);
bool split_has_chain(const void *first, uint32_t count, size_t size);
void split_clear_state(struct cmd *cmd);

void split_begin(struct device *device, struct cmd *cmd, const VkCommandBufferBeginInfo *info);
VkResult split_end(struct device *device, struct cmd *cmd);

#endif
