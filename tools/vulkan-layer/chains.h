/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Copies of the structures of a submission, with all that their pointers refer to. */
#ifndef VULKAN_LAYER_CHAINS_H
#define VULKAN_LAYER_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/**
 * struct chain_copy - memory that copies are put into
 */
struct chain_copy {
	/** @memory: The memory, aligned to 8 bytes. %NULL: only @size is counted. */
	char *memory;

	/** @size: Bytes of it that are in use. */
	size_t size;

	/** @unknown: A structure is not known. */
	bool unknown;
};

bool chain_is_known(const void *chain);
void *chain_copy(struct chain_copy *copy, const void *chain);
const void *chain_find(const void *chain, VkStructureType type);
bool chain_is_boundary(const void *chain);
bool chain_frame(const void *chain, uint64_t *id);
bool chain_ends_frame(const void *chain, uint64_t *id);
bool chain_remove_boundaries(void *chain);

#endif
