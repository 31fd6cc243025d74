// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "perfetto_groups.h"

#define IN(group)	(1u << GROUP_##group)

/* Formulas that Arm's database does not have. */
static const struct perfetto_groups_of own[] = {
	{ "bytes_per_pixel", IN(MEMORY) },
	{ "ext_bus_active", IN(MEMORY) },
	{ "ext_bus_util", IN(MEMORY) },
	{ "gpu_active", IN(SYSTEM) },
	{ "gpu_busy", IN(SYSTEM) },
	{ "gpu_clock", IN(SYSTEM) },
	{ "gpu_freq", IN(SYSTEM) },
	{ "mmu_l3_hit", IN(MEMORY) },
	{ "prim_rate", IN(PRIMITIVES) },
	{ "shader_active", IN(COMPUTE) },
};

static int compare_names(const void *a, const void *b)
{
	const struct perfetto_groups_of *of = b;

	return strcmp(a, of->name);
}

static unsigned int find(const char *name, const struct perfetto_groups_of *table,
			 unsigned int count)
{
	const struct perfetto_groups_of *found = NULL;

	if (name)
		found = bsearch(name, table, count, sizeof(*table), compare_names);
	return found ? found->groups : 0;
}

static unsigned int group_of_block(unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return IN(SYSTEM);
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return IN(PRIMITIVES);
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return IN(MEMORY);
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return IN(COMPUTE);
	default:
		return IN(UNCLASSIFIED);
	}
}

unsigned int perfetto_groups(const struct event *event)
{
	const struct panthor_perf_counter *counter = event->counter;
	unsigned int groups = 0;

	if (counter && event_is_derived(event)) {
		groups = find(counter->source, perfetto_groups_table, perfetto_groups_count);
		if (!groups)
			groups = find(counter->name, own, ARRAY_SIZE(own));
	} else if (counter) {
		groups = find(counter->name, perfetto_groups_table, perfetto_groups_count);
	}
	return groups ? groups : group_of_block(event->type);
}
