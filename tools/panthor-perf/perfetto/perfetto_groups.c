// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <string.h>

#include "cmd.h"
#include "perfetto_groups.h"

/* Parts of names of the counter tables. The first part that a name contains decides. */
static const struct {
	const char *part;
	enum perfetto_group group;
} parts[] = {
	{ "NonFrag", GROUP_COMPUTE },
	{ "CompOrBinning", GROUP_COMPUTE },
	{ "CompQueue", GROUP_COMPUTE },
	{ "FragQueue", GROUP_FRAGMENTS },
	{ "MainQueue", GROUP_FRAGMENTS },
	{ "VertQueue", GROUP_VERTICES },
	{ "BinningQueue", GROUP_VERTICES },
	{ "TilerQueue", GROUP_PRIMITIVES },
	{ "MaliExtBus", GROUP_MEMORY },
	{ "MaliL2Cache", GROUP_MEMORY },
	{ "MaliMMU", GROUP_MEMORY },
	{ "MaliSCBus", GROUP_MEMORY },
	{ "MaliLS", GROUP_MEMORY },
	{ "MaliTilerRd", GROUP_MEMORY },
	{ "MaliRTU", GROUP_RAY_TRACING },
	{ "PosShad", GROUP_VERTICES },
	{ "VarShad", GROUP_VERTICES },
	{ "PosCache", GROUP_VERTICES },
	{ "VarCache", GROUP_VERTICES },
	{ "MaliAttr", GROUP_VERTICES },
	{ "MaliTiler", GROUP_PRIMITIVES },
	{ "MaliGeom", GROUP_PRIMITIVES },
	{ "MaliFrag", GROUP_FRAGMENTS },
	{ "MaliMain", GROUP_FRAGMENTS },
	{ "MaliVar", GROUP_FRAGMENTS },
	{ "Blend", GROUP_FRAGMENTS },
	{ "MaliGPUPix", GROUP_FRAGMENTS },
	{ "PerPix", GROUP_FRAGMENTS },
	{ "MaliCS", GROUP_SYSTEM },
	{ "MaliGPU", GROUP_SYSTEM },
};

static enum perfetto_group group_of_name(const char *name)
{
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(parts); i++)
		if (strstr(name, parts[i].part))
			return parts[i].group;
	return GROUP_UNCLASSIFIED;
}

static enum perfetto_group group_of_block(unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return GROUP_SYSTEM;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return GROUP_PRIMITIVES;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return GROUP_MEMORY;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return GROUP_COMPUTE;
	default:
		return GROUP_UNCLASSIFIED;
	}
}

static enum perfetto_group group_of_hardware(const char *name, unsigned int type)
{
	enum perfetto_group group = group_of_name(name);

	return group != GROUP_UNCLASSIFIED ? group : group_of_block(type);
}

/* Many formulas divide by cycles of the GPU: any other counter says more. */
static enum perfetto_group group_of_inputs(const struct panthor_perf_counter *derived,
					   const struct panthor_perf_table *table)
{
	const uint32_t *inputs;
	uint32_t count, i;

	inputs = panthor_perf_expr_inputs(derived->expr, &count);
	for (i = 0; table && i < count; i++) {
		const struct panthor_perf_counter *input = table_hardware(table, inputs[i]);
		enum perfetto_group group = group_of_hardware(input->name, input->type);

		if (group != GROUP_SYSTEM && group != GROUP_UNCLASSIFIED)
			return group;
	}
	return GROUP_SYSTEM;
}

enum perfetto_group perfetto_group(const struct event *event,
				   const struct panthor_perf_table *table)
{
	enum perfetto_group group;

	if (!event_is_derived(event))
		return group_of_hardware(event->counter ? event->counter->name : NULL, event->type);
	group = group_of_name(event->counter->source);
	if (group != GROUP_UNCLASSIFIED)
		return group;
	/* Execution: names that begin with the name of a unit of the shader core. */
	if (event->counter->source && !strncmp(event->counter->source, "Mali", 4))
		return GROUP_COMPUTE;
	if (!strncmp(event->counter->unit, "bytes", 5))
		return GROUP_MEMORY;
	return group_of_inputs(event->counter, table);
}
