/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Samples at the ends of frames. */
#ifndef VULKAN_LAYER_MARKS_H
#define VULKAN_LAYER_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct device;
struct gpu;
struct mark;
struct queue;

void marks_begin(struct gpu *gpu, struct device *device);
void marks_end_frame(struct gpu *gpu, struct queue *queue, uint64_t frame, uint32_t types);
void marks_wait(struct gpu *gpu, const struct device *device);
void marks_fini(struct gpu *gpu, struct device *device);
bool marks_run(struct gpu *gpu);

#endif
