// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS

bool is_pattern(const char *text)
{
	return text[strcspn(text, "*?[")];
}

bool pattern_matches(const char *pattern, const char *name)
{
	return name && !fnmatch(pattern, name, FNM_CASEFOLD);
}

bool event_is_derived(const struct event *event)
{
	return event->counter && event->counter->kind == PANTHOR_PERF_COUNTER_DERIVED;
}

const char *event_unit(const struct event *event)
{
	return event->counter ? event->counter->unit : "";
}

const char *event_title(const struct event *event)
{
	return event->counter ? event->counter->title : "";
}

static const struct panthor_perf_counter *hardware(const struct gpu_view *view, uint32_t *count)
{
	*count = 0;
	return view->table ? panthor_perf_table_counters(view->table, PANTHOR_PERF_COUNTER_HARDWARE,
							 count) : NULL;
}

static const struct panthor_perf_counter *derived(const struct gpu_view *view, uint32_t *count)
{
	*count = 0;
	return view->table ? panthor_perf_table_counters(view->table, PANTHOR_PERF_COUNTER_DERIVED,
							 count) : NULL;
}

/* Has the GPU this counter, in the selected set? */
static bool is_there(const struct gpu_view *view, const struct panthor_perf_counter *counter)
{
	const struct panthor_perf_counter *all;
	const uint32_t *inputs;
	uint32_t count, i;

	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
		return counter->set == view->set &&
		       counter->index < view->info.counters_per_block &&
		       panthor_perf_block_count(&view->info, counter->type);
	all = hardware(view, &count);
	inputs = panthor_perf_expr_inputs(counter->expr, &count);
	for (i = 0; i < count; i++)
		if (!is_there(view, &all[inputs[i]]))
			return false;
	return true;
}

bool events_has_names(const struct gpu_view *view)
{
	const struct panthor_perf_counter *all;
	uint32_t count, i;

	all = hardware(view, &count);
	for (i = 0; i < count; i++)
		if (is_there(view, &all[i]))
			return true;
	return false;
}

unsigned int event_block_type(const struct event *event, const struct gpu_view *view)
{
	const struct panthor_perf_counter *all;
	bool has_shader = false, has_memsys = false;
	const uint32_t *inputs;
	uint32_t count, i;

	if (!event_is_derived(event))
		return event->type;
	all = hardware(view, &count);
	inputs = panthor_perf_expr_inputs(event->counter->expr, &count);
	for (i = 0; i < count; i++) {
		has_shader |= all[inputs[i]].type == SHADER;
		has_memsys |= all[inputs[i]].type == MEMSYS;
	}
	if (has_shader == has_memsys)
		return 0;
	return has_shader ? SHADER : MEMSYS;
}

static int add(struct event_list *list, const struct event *event)
{
	struct event *events;
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct event *old = &list->events[i];

		if (event->type ? old->type == event->type && old->index == event->index :
		    old->counter == event->counter) {
			old->named |= event->named;
			return 0;
		}
	}
	events = realloc(list->events, (list->count + 1) * sizeof(*events));
	if (!events)
		return -ENOMEM;
	list->events = events;
	events[list->count++] = *event;
	return 0;
}

static int add_counter(struct event_list *list, const struct panthor_perf_counter *counter,
		       bool named)
{
	struct event event = {
		.counter = counter,
		.type = counter->type,
		.index = counter->index,
		.named = named,
	};

	snprintf(event.name, sizeof(event.name), "%s", counter->name);
	return add(list, &event);
}

/* By its place, with or without a name. */
static int add_place(struct event_list *list, unsigned int type, unsigned int index, bool named)
{
	const struct gpu_view *view = list->view;
	struct event event = { .type = type, .index = index, .named = named };

	if (view->table)
		event.counter = panthor_perf_table_counter_at(view->table, view->set, type, index);
	if (event.counter)
		return add_counter(list, event.counter, named);
	snprintf(event.name, sizeof(event.name), "%s:%u", panthor_perf_block_name(type), index);
	return add(list, &event);
}

static int add_places(struct event_list *list, const struct panthor_perf_selection *selection)
{
	unsigned int type, i;
	int ret;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		for (i = 0; i < list->view->info.counters_per_block; i++) {
			if (!panthor_perf_selection_has(selection, type, i))
				continue;
			ret = add_place(list, type, i,
					panthor_perf_selection_is_named(selection, type, i));
			if (ret)
				return ret;
		}
	}
	return 0;
}

int events_add_counters(struct event_list *list)
{
	panthor_perf_selection_add_all(list->selection);
	return add_places(list, list->selection);
}

static int add_all_derived(struct event_list *list, bool core, bool *found)
{
	const struct panthor_perf_counter *counters;
	uint32_t count, i;
	int ret = 0;

	counters = derived(list->view, &count);
	for (i = 0; i < count && !ret; i++) {
		if ((core && !counters[i].core) || !is_there(list->view, &counters[i]))
			continue;
		*found = true;
		ret = panthor_perf_selection_add(list->selection, counters[i].name, NULL);
		if (!ret)
			ret = add_counter(list, &counters[i], false);
	}
	return ret;
}

int events_add_derived(struct event_list *list)
{
	bool found;

	return add_all_derived(list, false, &found);
}

int events_add_summary(struct event_list *list)
{
	bool found = false;
	int ret = add_all_derived(list, true, &found);

	return ret || found ? ret : events_add_derived(list);
}

/* An item that is known to be right. */
static int add_item(struct event_list *list, const char *item)
{
	const struct panthor_perf_counter *const *counters;
	const struct gpu_view *view = list->view;
	struct panthor_perf_selection *selection;
	size_t count, i;
	int ret;

	ret = panthor_perf_selection_create(&view->info, view->table, view->set, &selection);
	if (ret)
		return ret;
	ret = panthor_perf_selection_add(selection, item, NULL);
	if (!ret && strchr(item, ':')) {
		ret = add_places(list, selection);
	} else if (!ret) {
		counters = panthor_perf_selection_counters(selection, &count);
		for (i = 0; i < count && !ret; i++)
			ret = add_counter(list, counters[i], !is_pattern(item));
	}
	panthor_perf_selection_free(selection);
	return ret;
}

int events_add(struct event_list *list, const char *text, struct panthor_perf_error *error)
{
	int ret = panthor_perf_selection_add(list->selection, text, error);
	char *copy, *rest, *item;

	if (ret)
		return ret;
	rest = strdup(text);
	copy = rest;
	if (!copy)
		return -ENOMEM;
	while (!ret && (item = strsep(&rest, ",")))
		ret = add_item(list, item);
	free(copy);
	return ret;
}

int events_init(struct event_list *list, const struct gpu_view *view)
{
	*list = (struct event_list) { .view = view };
	return panthor_perf_selection_create(&view->info, view->table, view->set,
					     &list->selection);
}

void events_fini(struct event_list *list)
{
	panthor_perf_selection_free(list->selection);
	free(list->events);
	*list = (struct event_list) { 0 };
}
