/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_DESCRIBE_H
#define PANTHOR_PERF_PERFETTO_DESCRIBE_H

#include "perfetto/perfetto.pb-c.h"
#include "perfetto_groups.h"
#include "report/report.h"

/**
 * struct description - what the counters of a trace are
 *
 * A counter's id is the number of its column. The fields are for the functions below, but for
 * @descriptor.
 */
struct description {
	/** @descriptor: The message. */
	Perfetto__Protos__GpuCounterDescriptor descriptor;

	/** @counters: What is said of each. */
	struct described *counters;

	/** @specs: All counters. */
	Perfetto__Protos__GpuCounterDescriptor__GpuCounterSpec **specs;

	/** @groups: Groups that have a name. */
	Perfetto__Protos__GpuCounterDescriptor__GpuCounterGroupSpec groups[GROUP_COUNT];

	/** @group_pointers: Those that have counters. */
	struct Perfetto__Protos__GpuCounterDescriptor__GpuCounterGroupSpec
		*group_pointers[GROUP_COUNT];

	/** @ids: Counters of each group, room for all. */
	uint32_t *ids[GROUP_COUNT];
};

/**
 * description_init() - Describe the columns that are sums
 * @desc: The description, for description_fini() in any case.
 * @list: The columns.
 *
 * Return: 0 or -ENOMEM.
 */
int description_init(struct description *desc, const struct column_list *list);

/**
 * description_fini() - Free a description
 * @desc: The description.
 */
void description_fini(struct description *desc);

#endif /* PANTHOR_PERF_PERFETTO_DESCRIBE_H */
