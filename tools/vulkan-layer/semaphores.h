/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* The timeline semaphores of a device. The lock of the GPU guards them. */
#ifndef VULKAN_LAYER_SEMAPHORES_H
#define VULKAN_LAYER_SEMAPHORES_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/** enum semaphore_state - whether a submission can wait for a point of a semaphore */
enum semaphore_state {
	/** @SEMAPHORE_BINARY: It is no timeline semaphore. */
	SEMAPHORE_BINARY,

	/** @SEMAPHORE_PROMISED: The point is reached, or the driver has what signals it. */
	SEMAPHORE_PROMISED,

	/** @SEMAPHORE_OPEN: The application has yet to signal or to submit it. */
	SEMAPHORE_OPEN,

	/** @SEMAPHORE_OPEN_SHARED: Likewise, or others. */
	SEMAPHORE_OPEN_SHARED,
};

void semaphores_add(void **all, VkSemaphore handle, uint64_t value);
void semaphores_remove(void **all, int node, VkSemaphore handle);
void semaphores_share(void **all, int node, VkSemaphore handle, int fd);
void semaphores_promise(void **all, VkSemaphore handle, uint64_t value);
enum semaphore_state semaphores_state(void **all, int node, VkSemaphore handle, uint64_t value);
bool semaphores_is_shared(void **all, VkSemaphore handle);
void semaphores_fini(void **all);

bool syncobj_has_fence(int node, uint32_t syncobj, uint64_t point, int64_t timeout_ns);
int64_t deadline_ns(int64_t ns);

#endif
