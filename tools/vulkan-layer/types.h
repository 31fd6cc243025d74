/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Types of workloads, by the words of Arm's libGPULayers. The table of commands has them. */
#ifndef VULKAN_LAYER_TYPES_H
#define VULKAN_LAYER_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** enum workload_type - what a workload is */
enum workload_type {
	/** @TYPE_RENDER_PASS: A render pass instance. */
	TYPE_RENDER_PASS,

	/** @TYPE_COMPUTE: A dispatch. */
	TYPE_COMPUTE,

	/** @TYPE_DATA_GRAPH: A dispatch of a data graph. */
	TYPE_DATA_GRAPH,

	/** @TYPE_TRACE_RAYS: A dispatch of rays. */
	TYPE_TRACE_RAYS,

	/** @TYPE_IMAGE_TRANSFER: A copy, blit, resolve or clear that writes an image. */
	TYPE_IMAGE_TRANSFER,

	/** @TYPE_BUFFER_TRANSFER: One that writes a buffer, memory or a tensor. */
	TYPE_BUFFER_TRANSFER,

	/** @TYPE_AS_BUILD: A build of acceleration structures or micromaps. */
	TYPE_AS_BUILD,

	/** @TYPE_AS_TRANSFER: A copy of these, or a query of their properties. */
	TYPE_AS_TRANSFER,

	/** @TYPE_VIDEO: Video that is decoded or encoded. */
	TYPE_VIDEO,

	/** @TYPE_OTHER: Another one. */
	TYPE_OTHER,

	/** @TYPE_COUNT: Number of types. */
	TYPE_COUNT,
};

#define TYPE_BIT(type)	(UINT32_C(1) << (type))
/* Of types_text(). */
#define TYPES_SIZE	128

void types_text(uint32_t types, char text[TYPES_SIZE]);

#endif
