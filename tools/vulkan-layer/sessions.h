/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* The layer's own interface for applications, panthor_perf_vulkan.h. */
#ifndef VULKAN_LAYER_SESSIONS_H
#define VULKAN_LAYER_SESSIONS_H

struct device;

void sessions_remove_device(struct device *device);

#endif
