/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* VK_KHR_performance_query. */
#ifndef VULKAN_LAYER_QUERIES_H
#define VULKAN_LAYER_QUERIES_H

#include <stdbool.h>
#include <stdint.h>

#include <panthor_perf_values.h>
#include <vulkan/vulkan.h>

struct query_pool;

/**
 * struct query - a query of a pool
 */
struct query {
	/** @pool: Its pool. %NULL: none. */
	struct query_pool *pool;

	/** @index: Its number in the pool. */
	uint32_t index;
};

void queries_submitted(const struct query *query);
void queries_complete(const struct query *query, const struct panthor_perf_values *values);
void queries_fail(const struct query *query);
bool queries_are_wanted(const VkDeviceCreateInfo *info);
void queries_remove_extension(VkDeviceCreateInfo *info, const char **names);

#endif
