// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "print/lines.h"

const struct panthor_perf_counter *table_hardware(const struct panthor_perf_table *table,
						  uint32_t number)
{
	return panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_HARDWARE, number);
}

const struct panthor_perf_counter *table_derived(const struct panthor_perf_table *table,
						 uint32_t number)
{
	return panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_DERIVED, number);
}

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

void print_meaning(FILE *out, const struct event *event, int columns)
{
	char place[40] = "";

	if (event->counter && event->type)
		snprintf(place, sizeof(place), " (%s:%u)", panthor_perf_block_name(event->type),
			 event->index);
	columns -= strlen(place);
	if (columns < 0)
		return;
	print_cut(out, event_title(event), columns);
	fputs(place, out);
}

/* Has the GPU this counter, in the selected set? */
static bool is_there(const struct gpu_view *view, const struct panthor_perf_counter *counter)
{
	const uint32_t *inputs;
	uint32_t count, i;

	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
		return counter->set == view->set &&
		       counter->index < view->info.counters_per_block &&
		       panthor_perf_gpu_block_count(view->object, counter->type);
	inputs = panthor_perf_expr_inputs(counter->expr, &count);
	for (i = 0; i < count; i++)
		if (!is_there(view, table_hardware(view->table, inputs[i])))
			return false;
	return true;
}

bool events_has_names(const struct gpu_view *view)
{
	uint32_t i;

	for (i = 0; view->table && table_hardware(view->table, i); i++)
		if (is_there(view, table_hardware(view->table, i)))
			return true;
	return false;
}

unsigned int event_block_type(const struct event *event, const struct gpu_view *view)
{
	return event_is_derived(event) ?
	       panthor_perf_counter_block_type(view->table, event->counter) : event->type;
}

unsigned int event_block_count(const struct event *event, const struct gpu_view *view)
{
	return panthor_perf_gpu_instance_count(view->object, event_block_type(event, view));
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

/* Adds the counters that were selected, unless they are in the list already. */
static int add_items(struct event_list *list, const struct panthor_perf_selection *selection)
{
	const struct panthor_perf_item *item;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && (item = panthor_perf_selection_item(selection, i)); i++) {
		struct event event = {
			.counter = item->counter,
			.type = item->type,
			.index = item->index,
			.named = !item->by_pattern,
		};

		snprintf(event.name, sizeof(event.name), "%s", item->name);
		ret = add(list, &event);
	}
	return ret;
}

static int selection_for(const struct event_list *list, struct panthor_perf_selection **selection)
{
	const struct gpu_view *view = list->view;

	return panthor_perf_selection_create(view->object, view->table, view->set, selection, NULL);
}

int events_add_counters(struct event_list *list)
{
	struct panthor_perf_selection *added;
	int ret = selection_for(list, &added);

	if (ret)
		return ret;
	ret = panthor_perf_selection_add_all(added, NULL);
	if (!ret)
		ret = panthor_perf_selection_add_all(list->selection, NULL);
	if (!ret)
		ret = add_items(list, added);
	panthor_perf_selection_destroy(added);
	return ret;
}

static int add_all_derived(struct event_list *list, bool defaults, bool *found)
{
	const struct panthor_perf_table *table = list->view->table;
	const struct panthor_perf_counter *counter;
	uint32_t i;
	int ret;

	for (i = 0; table && (counter = table_derived(table, i)); i++) {
		struct event event = { .counter = counter };

		if ((defaults && !counter->is_default) || !is_there(list->view, counter))
			continue;
		*found = true;
		snprintf(event.name, sizeof(event.name), "%s", counter->name);
		ret = panthor_perf_selection_add(list->selection, counter->name, NULL);
		if (!ret)
			ret = add(list, &event);
		if (ret)
			return ret;
	}
	return 0;
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

int events_add(struct event_list *list, const char *text, struct panthor_perf_error *error)
{
	struct panthor_perf_selection *added;
	int ret = selection_for(list, &added);

	/* What the list has already is not named by this text. */
	if (ret)
		return ret;
	ret = panthor_perf_selection_add(added, text, error);
	if (!ret)
		ret = panthor_perf_selection_add(list->selection, text, error);
	if (!ret)
		ret = add_items(list, added);
	panthor_perf_selection_destroy(added);
	return ret;
}

int events_init(struct event_list *list, const struct gpu_view *view)
{
	*list = (struct event_list) { .view = view };
	return selection_for(list, &list->selection);
}

void events_fini(struct event_list *list)
{
	panthor_perf_selection_destroy(list->selection);
	free(list->events);
	*list = (struct event_list) { 0 };
}
