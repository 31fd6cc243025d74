/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Submissions as the driver gets them. */
#ifndef VULKAN_LAYER_DRIVER_H
#define VULKAN_LAYER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "submissions.h"

/**
 * struct piece - a part of a submission that the driver gets by one call
 */
struct piece {
	/** @submission: The submission. */
	const struct submission *submission;

	/** @chain: Its chain. */
	const void *chain;

	/** @waits: Semaphores to wait for. */
	const struct semaphore_op *waits;

	/** @works: Command buffers. */
	const struct work *works;

	/** @signals: Semaphores to signal. */
	const struct semaphore_op *signals;

	/** @wait_count: Number of @waits. */
	uint32_t wait_count;

	/** @work_count: Number of @works. */
	uint32_t work_count;

	/** @signal_count: Number of @signals. */
	uint32_t signal_count;

	/** @fence: Fence to signal, or %VK_NULL_HANDLE. */
	VkFence fence;
};

size_t driver_size(enum submission_kind kind, uint32_t waits, uint32_t works, uint32_t signals);
VkResult driver_submit(const struct piece *piece);
VkResult driver_submit_surely(const struct piece *piece);
struct piece driver_piece_whole(const struct submission *submission);

#endif
