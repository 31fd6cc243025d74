/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* The semaphores of a device. The lock of its GPU guards them. */
#ifndef VULKAN_LAYER_SEMAPHORES_H
#define VULKAN_LAYER_SEMAPHORES_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct device;
struct semaphore;

/** enum semaphore_state - whether a submission can wait for a semaphore */
enum semaphore_state {
	/** @SEMAPHORE_BINARY: It is binary: the submission that signals it comes first. */
	SEMAPHORE_BINARY,

	/** @SEMAPHORE_BINARY_SHARED: Likewise; others have it, too, and none has signalled it. */
	SEMAPHORE_BINARY_SHARED,

	/** @SEMAPHORE_PROMISED: The point is reached, or the driver has what signals it. */
	SEMAPHORE_PROMISED,

	/** @SEMAPHORE_OPEN: The application has yet to signal or to submit it. */
	SEMAPHORE_OPEN,

	/** @SEMAPHORE_OPEN_SHARED: Likewise, or others. */
	SEMAPHORE_OPEN_SHARED,
};

bool semaphores_add(struct device *device, VkSemaphore handle, bool timeline, uint64_t value);
void semaphores_remove(struct device *device, VkSemaphore handle);
void semaphores_fini(struct device *device);
uint32_t semaphores_import(struct device *device, int fd);
void semaphores_drop(struct device *device, uint32_t syncobj);
void semaphores_share(struct device *device, VkSemaphore handle, uint32_t syncobj);
void semaphores_replace(struct device *device, VkSemaphore handle, bool replaced);
bool semaphores_is_binary(struct device *device, VkSemaphore handle);
void semaphores_signalled(struct device *device, VkSemaphore handle, uint64_t value);

/* Under the lock of the GPU, but for semaphore_put(). */
struct semaphore *semaphores_find(struct device *device, VkSemaphore handle);
struct semaphore *semaphore_get(struct semaphore *semaphore);
void semaphore_put(struct semaphore *semaphore);
void semaphore_set_replaced(struct semaphore *semaphore, bool replaced);
bool semaphore_is_replaced(const struct semaphore *semaphore);
bool semaphore_is_shared(const struct semaphore *semaphore);
void semaphore_set_ends_frame(struct semaphore *semaphore, bool ends);
bool semaphore_ends_frame(const struct semaphore *semaphore);
void semaphore_promise(struct semaphore *semaphore, uint64_t value);
enum semaphore_state semaphore_state(struct semaphore *semaphore, uint64_t value);

bool syncobj_has_fence(int node, uint32_t syncobj, uint64_t point, int64_t timeout_ns);
int64_t deadline_ns(int64_t ns);

#endif
