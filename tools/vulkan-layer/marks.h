/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Samples at the ends of frames. */
#ifndef VULKAN_LAYER_MARKS_H
#define VULKAN_LAYER_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct device;
struct gpu;
struct mark;
struct queue;
struct submission;

void marks_begin(struct gpu *gpu, struct device *device);
void marks_submitted(struct gpu *gpu, const struct submission *first, uint32_t count);
void marks_handed_over(struct gpu *gpu, struct submission *submission);
void marks_presented(struct gpu *gpu, struct device *device, struct queue *queue,
		     const VkPresentInfoKHR *info);
void marks_wait(struct gpu *gpu, const struct device *device);
void marks_fini(struct gpu *gpu, struct device *device);
void marks_finish(struct gpu *gpu);
bool marks_run(struct gpu *gpu);

#endif
