/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Push descriptors of command buffers that are split. */
#ifndef VULKAN_LAYER_PUSH_H
#define VULKAN_LAYER_PUSH_H

struct device;

void push_fini(struct device *device);

#endif
