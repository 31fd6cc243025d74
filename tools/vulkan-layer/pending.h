/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Submissions that came and are not in order yet. The lock of the GPU guards them. */
#ifndef VULKAN_LAYER_PENDING_H
#define VULKAN_LAYER_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct device;
struct submission;

/**
 * struct pending - submissions, the oldest first
 */
struct pending {
	/** @first: The first one. */
	struct submission *first;

	/** @last: Where the next one is linked. */
	struct submission **last;

	/** @current: The one that is handed to the driver. It may be linked. */
	struct submission *current;

	/** @number: Number of the newest one. */
	uint64_t number;

	/** @urgent: Those up to this number are handed to the driver even if they have to wait. */
	uint64_t urgent;
};

void pending_init(struct pending *pending);
void pending_add(struct pending *pending, struct submission *first);
bool pending_is_empty(const struct pending *pending);
bool pending_is_ready(const struct pending *pending, struct submission *submission, bool *shared);
void pending_end_handed(struct pending *pending, bool *shared);
struct submission *pending_take(struct pending *pending, bool *shared);
struct submission *pending_take_urgent(struct pending *pending);
void pending_end_call(struct pending *pending, struct submission *first, uint32_t count,
		      bool done);
bool pending_has(const struct pending *pending, const struct device *device);
bool pending_is_expected(const struct pending *pending);
bool pending_expects(const struct submission *first);
bool pending_signals(const struct pending *pending, const struct device *device,
		     VkSemaphore semaphore, VkFence fence);
void pending_drop(struct pending *pending, const struct device *device);

#endif
