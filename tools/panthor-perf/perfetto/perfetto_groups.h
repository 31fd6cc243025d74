/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_GROUPS_H
#define PANTHOR_PERF_PERFETTO_GROUPS_H

#include "counters/events.h"

/**
 * enum perfetto_group - categories of counters, with the numbers of Perfetto's GpuCounterGroup
 */
enum perfetto_group {
	/** @GROUP_UNCLASSIFIED: Unknown block type, and no known name. */
	GROUP_UNCLASSIFIED = 0,

	/** @GROUP_SYSTEM: The GPU as a whole, its firmware and its command streams. */
	GROUP_SYSTEM = 1,

	/** @GROUP_VERTICES: Vertex work: its queue, position and varying shading. */
	GROUP_VERTICES = 2,

	/** @GROUP_FRAGMENTS: Fragment work: its queue, rasterisation, depth test, blending. */
	GROUP_FRAGMENTS = 3,

	/** @GROUP_PRIMITIVES: Primitives and the tiler. */
	GROUP_PRIMITIVES = 4,

	/** @GROUP_MEMORY: Loads and stores, caches, MMU, buses. */
	GROUP_MEMORY = 5,

	/** @GROUP_COMPUTE: Programmable execution, texture unit, compute queue, neural engine. */
	GROUP_COMPUTE = 6,

	/** @GROUP_RAY_TRACING: The ray tracing unit. */
	GROUP_RAY_TRACING = 7,
};

/**
 * perfetto_group() - Category of an event
 * @event: The event.
 * @table: The counter table; %NULL if there is none.
 *
 * The name decides, then the type of the block. A derived counter without a name of Arm's has the
 * category of the counters in its formula.
 *
 * Return: The category.
 */
enum perfetto_group perfetto_group(const struct event *event,
				   const struct panthor_perf_table *table);

#endif /* PANTHOR_PERF_PERFETTO_GROUPS_H */
