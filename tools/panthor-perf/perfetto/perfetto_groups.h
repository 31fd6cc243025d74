/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_GROUPS_H
#define PANTHOR_PERF_PERFETTO_GROUPS_H

#include "counters/events.h"

/**
 * enum perfetto_group - categories of counters, with the numbers of Perfetto's GpuCounterGroup
 */
enum perfetto_group {
	/** @GROUP_UNCLASSIFIED: None of the others. */
	GROUP_UNCLASSIFIED = 0,

	/** @GROUP_SYSTEM: The GPU as a whole. */
	GROUP_SYSTEM = 1,

	/** @GROUP_VERTICES: Vertex work. */
	GROUP_VERTICES = 2,

	/** @GROUP_FRAGMENTS: Fragment work. */
	GROUP_FRAGMENTS = 3,

	/** @GROUP_PRIMITIVES: Primitives and the tiler. */
	GROUP_PRIMITIVES = 4,

	/** @GROUP_MEMORY: Caches, MMU, buses. */
	GROUP_MEMORY = 5,

	/** @GROUP_COMPUTE: Compute work, and execution of all shaders. */
	GROUP_COMPUTE = 6,

	/** @GROUP_RAY_TRACING: The ray tracing unit. */
	GROUP_RAY_TRACING = 7,

	/** @GROUP_COUNT: One more than the last one. */
	GROUP_COUNT,
};

/**
 * struct perfetto_groups_of - the groups of a counter
 */
struct perfetto_groups_of {
	/** @name: Its name in Arm's database. */
	const char *name;

	/** @groups: A bit for each of &enum perfetto_group. */
	unsigned int groups;
};

extern const struct perfetto_groups_of perfetto_groups_table[];
extern const unsigned int perfetto_groups_count;

/**
 * perfetto_groups() - Groups of an event
 * @event: The event.
 *
 * A counter that Arm's database has is in its groups there. Others are in that of their block.
 *
 * Return: A bit for each of &enum perfetto_group, at least one.
 */
unsigned int perfetto_groups(const struct event *event);

#endif /* PANTHOR_PERF_PERFETTO_GROUPS_H */
