// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* What panthor-perf top shows, and in which order. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "top.h"

const char *top_list_name(unsigned int list)
{
	static const char *const names[TOP_LISTS] = {
		[TOP_EVENTS] = "events",
		[TOP_SUMMARY] = "summary",
		[TOP_DERIVED] = "derived",
		[TOP_COUNTERS] = "counters",
	};

	return names[list];
}

const char *top_sort_name(unsigned int sort)
{
	static const char *const names[TOP_SORTS] = {
		[TOP_BY_TABLE] = "table",
		[TOP_BY_VALUE] = "value",
		[TOP_BY_NAME] = "name",
	};

	return names[sort];
}

int top_init(struct top *top, struct event_list *events)
{
	unsigned int i;
	int ret;

	for (i = 0; i < TOP_LISTS; i++) {
		if (i == TOP_EVENTS && events) {
			top->lists[i] = *events;
			*events = (struct event_list) { 0 };
		} else {
			ret = events_init(&top->lists[i], top->view);
			if (ret)
				return ret;
		}
	}
	ret = events_add_summary(&top->lists[TOP_SUMMARY]);
	if (!ret)
		ret = events_add_derived(&top->lists[TOP_DERIVED]);
	if (!ret)
		ret = events_add_counters(&top->lists[TOP_COUNTERS]);
	if (!ret)
		ret = values_init(&top->values, top->view,
				  top->lists[TOP_COUNTERS].selection);
	if (!ret)
		ret = limits_init(&top->limits, top->view);
	for (i = 0; i < TOP_LISTS && !ret; i++) {
		top->peaks[i] = calloc(top->lists[i].count + 1, sizeof(double));
		if (!top->peaks[i])
			ret = -ENOMEM;
	}
	if (!ret && !top->lists[top->list].count)
		top_next_list(top);
	return ret;
}

void top_fini(struct top *top)
{
	unsigned int i;

	for (i = 0; i < TOP_LISTS; i++) {
		events_fini(&top->lists[i]);
		free(top->peaks[i]);
	}
	values_fini(&top->values);
	limits_fini(&top->limits);
	free(top->rows);
}

void top_next_list(struct top *top)
{
	unsigned int i;

	for (i = 0; i < TOP_LISTS; i++) {
		top->list = (top->list + 1) % TOP_LISTS;
		if (top->lists[top->list].count)
			return;
	}
}

void top_set(struct top *top, const struct panthor_perf_sample *sample)
{
	unsigned int list;
	size_t i;

	values_set(&top->values, sample);
	limits_clear(&top->limits);
	limits_add(&top->limits, &top->values);
	limits_end(&top->limits, &top->values);
	top->has_sample = true;
	for (list = 0; list < TOP_LISTS; list++) {
		for (i = 0; i < top->lists[list].count; i++) {
			struct value value = values_get(&top->values, &top->lists[list].events[i],
							VALUE_SUM);

			if (value.valid && value.number > top->peaks[list][i])
				top->peaks[list][i] = value.number;
		}
	}
}

static bool passes_filter(const struct top *top, const struct event *event)
{
	const char *filter = top->filter;

	if (!*filter)
		return true;
	if (is_pattern(filter))
		return pattern_matches(filter, event->name);
	return strcasestr(event->name, filter) || strcasestr(event_title(event), filter);
}

static int add_top_row(struct top *top, const struct top_row *row)
{
	if (top->row_count == top->row_room) {
		size_t room = 2 * top->row_room + 64;
		struct top_row *rows = realloc(top->rows, room * sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		top->rows = rows;
		top->row_room = room;
	}
	top->rows[top->row_count++] = *row;
	return 0;
}

static int add_rows(struct top *top, size_t number)
{
	const struct event *event = &top->lists[top->list].events[number];
	struct top_row row = { .event = event, .number = number, .instance = VALUE_SUM };
	unsigned int type = event_block_type(event, top->view);
	int count, ret;

	if (top->has_sample)
		row.value = values_get(&top->values, event, VALUE_SUM);
	if (!passes_filter(top, event))
		return 0;
	if (top->list == TOP_COUNTERS && !top->zero && !row.value.number)
		return 0;
	row.sum = row.value;
	row.full = strcmp(event_unit(event), "percent") ? top->peaks[top->list][number] : 100;
	ret = add_top_row(top, &row);
	count = top->instances ? panthor_perf_gpu_instance_count(top->view->object, type) : 0;
	for (row.instance = 0; row.instance < count && !ret; row.instance++) {
		if (top->has_sample)
			row.value = values_get(&top->values, event, row.instance);
		ret = add_top_row(top, &row);
	}
	return ret;
}

/* Percentages first, since other values do not compare with them; then what has no value. */
static int value_class(const struct top_row *row)
{
	if (!row->sum.valid)
		return 2;
	return strcmp(event_unit(row->event), "percent") ? 1 : 0;
}

static int compare_values(const struct top_row *a, const struct top_row *b)
{
	int class = value_class(a) - value_class(b);

	if (class)
		return class;
	return (a->sum.number < b->sum.number) - (a->sum.number > b->sum.number);
}

static int compare(const void *one, const void *other, void *arg)
{
	const struct top_row *a = one, *b = other;
	const struct top *top = arg;
	int order = 0;

	if (a->number == b->number)
		return a->instance - b->instance;
	if (top->sort == TOP_BY_NAME)
		order = strcasecmp(a->event->name, b->event->name);
	else if (top->sort == TOP_BY_VALUE)
		order = compare_values(a, b);
	if (!order)
		order = a->number < b->number ? -1 : 1;
	return top->reverse ? -order : order;
}

int top_update(struct top *top)
{
	size_t i;
	int ret;

	top->row_count = 0;
	for (i = 0; i < top->lists[top->list].count; i++) {
		ret = add_rows(top, i);
		if (ret)
			return ret;
	}
	if (top->row_count)
		qsort_r(top->rows, top->row_count, sizeof(*top->rows), compare, top);
	return 0;
}
