// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#ifdef HAVE_PROTOBUF_C

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfetto_describe.h"
#include "perfetto_groups.h"
#include "print/text.h"

#define UNIT(name)	PERFETTO__PROTOS__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__##name
#define BACKWARDS	PERFETTO__PROTOS__GPU_COUNTER_DESCRIPTOR__VALUE_DIRECTION__BACKWARDS
#define CounterSpec	Perfetto__Protos__GpuCounterDescriptor__GpuCounterSpec
#define GroupSpec	Perfetto__Protos__GpuCounterDescriptor__GpuCounterGroupSpec
#define MeasureUnit	Perfetto__Protos__GpuCounterDescriptor__MeasureUnit
#define CounterGroup	Perfetto__Protos__GpuCounterDescriptor__GpuCounterGroup

/* Bytes of the description of a counter. */
#define TITLE_SIZE	256

/**
 * struct described - what is said of a counter
 */
struct described {
	/** @spec: The message. */
	CounterSpec spec;

	/** @title: Its description. */
	char title[TITLE_SIZE];

	/** @groups: Its groups. */
	CounterGroup groups[GROUP_COUNT];

	/** @numerator: Its unit. */
	MeasureUnit numerator;

	/** @denominator: What that is divided by. */
	MeasureUnit denominator;
};

static const struct {
	const char *name;
	MeasureUnit numerator;
	MeasureUnit denominator;
} units[] = {
	{ "bytes", UNIT(BYTE), UNIT(NONE) },
	{ "bytes/s", UNIT(BYTE), UNIT(SECOND) },
	{ "cycles/s", UNIT(HERTZ), UNIT(NONE) },
	{ "hertz", UNIT(HERTZ), UNIT(NONE) },
	{ "instructions", UNIT(INSTRUCTION), UNIT(NONE) },
	{ "instructions/s", UNIT(INSTRUCTION), UNIT(SECOND) },
	{ "percent", UNIT(PERCENT), UNIT(NONE) },
	{ "pixels", UNIT(PIXEL), UNIT(NONE) },
	{ "pixels/s", UNIT(PIXEL), UNIT(SECOND) },
	{ "primitives", UNIT(PRIMITIVE), UNIT(NONE) },
	{ "primitives/s", UNIT(PRIMITIVE), UNIT(SECOND) },
	{ "seconds", UNIT(SECOND), UNIT(NONE) },
};

/* A viewer makes folders of the groups that have a name. */
static const char *const group_names[GROUP_COUNT] = {
	[GROUP_UNCLASSIFIED] = "Unclassified",
	[GROUP_SYSTEM] = "System",
	[GROUP_VERTICES] = "Vertices",
	[GROUP_FRAGMENTS] = "Fragments",
	[GROUP_PRIMITIVES] = "Primitives",
	[GROUP_MEMORY] = "Memory",
	[GROUP_COMPUTE] = "Compute",
	[GROUP_RAY_TRACING] = "Ray tracing",
};

/* Perfetto has no units for most of what is counted. */
static bool find_units(struct described *counter, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, name))
			continue;
		counter->numerator = units[i].numerator;
		counter->denominator = units[i].denominator;
		return true;
	}
	return false;
}

static void describe_column(struct description *desc, const struct column_list *list, size_t i)
{
	const struct event *event = list->columns[i].event;
	struct described *counter = &desc->counters[i];
	const unsigned int groups = perfetto_groups(event);
	const char *unit = event_unit(event);
	unsigned int number;
	CounterSpec *spec = &counter->spec;
	GroupSpec *group;

	perfetto__protos__gpu_counter_descriptor__gpu_counter_spec__init(spec);
	spec->has_counter_id = true;
	spec->counter_id = i;
	spec->name = (char *)event->name;
	spec->n_numerator_units = find_units(counter, unit);
	spec->numerator_units = &counter->numerator;
	spec->n_denominator_units = counter->denominator != UNIT(NONE);
	spec->denominator_units = &counter->denominator;
	if (spec->n_numerator_units || !*unit)
		snprintf(counter->title, TITLE_SIZE, "%s", event_title(event));
	else
		snprintf(counter->title, TITLE_SIZE, "%s (%s)", event_title(event), unit);
	/* It may have been cut within a character. */
	text_utf8(counter->title);
	spec->description = counter->title;
	spec->has_value_direction = true;
	spec->value_direction = BACKWARDS;
	spec->groups = counter->groups;
	for (number = 0; number < GROUP_COUNT; number++) {
		if (!(groups >> number & 1))
			continue;
		counter->groups[spec->n_groups++] = (CounterGroup)number;
		group = &desc->groups[number];
		desc->ids[number][group->n_counter_ids++] = i;
	}
	desc->specs[desc->descriptor.n_specs++] = spec;
}

static void add_groups(struct description *desc)
{
	unsigned int i;

	for (i = 0; i < GROUP_COUNT; i++) {
		GroupSpec *group = &desc->groups[i];

		if (!group->n_counter_ids)
			continue;
		group->has_group_id = true;
		group->group_id = i;
		group->name = (char *)group_names[i];
		group->counter_ids = desc->ids[i];
		desc->group_pointers[desc->descriptor.n_counter_groups++] = group;
	}
}

int description_init(struct description *desc, const struct column_list *list)
{
	bool memory;
	size_t i;

	*desc = (struct description) { 0 };
	perfetto__protos__gpu_counter_descriptor__init(&desc->descriptor);
	desc->counters = calloc(list->count, sizeof(*desc->counters));
	desc->specs = calloc(list->count, sizeof(*desc->specs));
	memory = desc->counters && desc->specs;
	for (i = 0; i < GROUP_COUNT; i++) {
		perfetto__protos__gpu_counter_descriptor__gpu_counter_group_spec__init
			(&desc->groups[i]);
		desc->ids[i] = calloc(list->count, sizeof(*desc->ids[i]));
		memory = memory && desc->ids[i];
	}
	if (!memory)
		return -ENOMEM;
	for (i = 0; i < list->count; i++)
		if (list->columns[i].instance == VALUE_SUM)
			describe_column(desc, list, i);
	add_groups(desc);
	desc->descriptor.specs = desc->specs;
	desc->descriptor.counter_groups = desc->group_pointers;
	desc->descriptor.has_min_sampling_period_ns = true;
	desc->descriptor.min_sampling_period_ns = list->view->gpu.info.min_period_ns;
	return 0;
}

void description_fini(struct description *desc)
{
	unsigned int i;

	for (i = 0; i < GROUP_COUNT; i++)
		free(desc->ids[i]);
	free(desc->counters);
	free(desc->specs);
}

#endif /* HAVE_PROTOBUF_C */
