// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amounts.h"
#include "report.h"

static unsigned int instances_of(const struct column_list *list, const struct event *event)
{
	return event_block_count(event, &list->view->gpu);
}

static int make_columns(struct column_list *list, bool instances)
{
	size_t room = 0, i;

	for (i = 0; i < list->events.count; i++)
		room += 1 + (instances ? instances_of(list, &list->events.events[i]) : 0);
	list->columns = calloc(room, sizeof(*list->columns));
	if (!list->columns)
		return -ENOMEM;
	for (i = 0; i < list->events.count; i++) {
		const struct event *event = &list->events.events[i];
		int count = instances ? instances_of(list, event) : 0;
		bool amount = event_is_amount(event);
		int instance;

		/* The only one is the sum. */
		if (count == 1)
			count = 0;
		for (instance = VALUE_SUM; instance < count; instance++)
			list->columns[list->count++] = (struct column) {
				.event = event,
				.instance = instance,
				.amount = amount,
			};
	}
	return 0;
}

int columns_init(struct column_list *list, const struct recording_view *view,
		 const char *const *texts, unsigned int text_count, bool summary, bool instances)
{
	int ret, status;

	*list = (struct column_list) { .view = view };
	status = recording_view_select(view, texts, text_count, summary, &list->events);
	if (status)
		return status;
	ret = make_columns(list, instances);
	if (!ret)
		ret = values_init(&list->values, &view->gpu, view->counted);
	if (!ret)
		ret = total_init(&list->total, view);
	if (!ret)
		ret = limits_init(&list->limits, &view->gpu);
	return ret ? fail(ret, "%s", view->path) : EXIT_OK;
}

void columns_fini(struct column_list *list)
{
	events_fini(&list->events);
	values_fini(&list->values);
	total_fini(&list->total);
	limits_fini(&list->limits);
	free(list->columns);
	*list = (struct column_list) { 0 };
}

static bool is_below(const struct value *a, const struct value *b)
{
	return a->exact && b->exact ? a->count < b->count : a->number < b->number;
}

/* Mean and squares by Welford's method, which does not lose small deviations of large values. */
static void add_value(struct column *column, const struct value *value)
{
	double distance = value->number - column->mean;

	if (!value->valid)
		return;
	if (!column->count++ || is_below(value, &column->min))
		column->min = *value;
	if (column->count == 1 || is_below(&column->max, value))
		column->max = *value;
	column->mean += distance / column->count;
	column->squares += distance * (value->number - column->mean);
}

static void reset(struct column *column)
{
	*column = (struct column) {
		.event = column->event,
		.instance = column->instance,
		.amount = column->amount,
	};
}

int columns_add_up(struct column_list *list, const struct range *range)
{
	struct progress progress = { .what = "reading", .total = range->count };
	struct recording_sample sample;
	uint64_t i;
	int status;
	size_t j;

	total_clear(&list->total);
	limits_clear(&list->limits);
	list->limits.zero_ns = list->view->zero_ns;
	list->range = *range;
	for (j = 0; j < list->count; j++)
		reset(&list->columns[j]);
	for (i = range->first; i < range->first + range->count; i++) {
		status = recording_view_sample(list->view, i, range->first, &sample);
		if (status)
			return status;
		total_add(&list->total, sample.sample);
		values_set(&list->values, sample.sample);
		limits_add(&list->limits, &list->values);
		for (j = 0; j < list->count; j++) {
			struct column *column = &list->columns[j];
			struct value value = values_get(&list->values, column->event,
							column->instance);

			add_value(column, &value);
		}
		progress_show(&progress, i - range->first);
	}
	progress_remove();
	limits_end(&list->limits, &list->total.values);
	for (j = 0; j < list->count; j++)
		list->columns[j].total = values_get(&list->total.values, list->columns[j].event,
						    list->columns[j].instance);
	return EXIT_OK;
}

const char *column_name(const struct column_list *list, const struct column *column, char *text,
			size_t size)
{
	(void)list;
	if (column->instance == VALUE_SUM)
		snprintf(text, size, "%s", column->event->name);
	else
		snprintf(text, size, "%s[%d]", column->event->name, column->instance);
	return text;
}

const char *column_block(const struct column_list *list, const struct column *column)
{
	const char *name = panthor_perf_block_name(event_block_type(column->event,
								    &list->view->gpu));

	return name ? name : "";
}

bool column_is_zero(const struct column *column)
{
	return !column->count || (column->min.number == 0 && column->max.number == 0);
}

struct value column_rate(const struct column_list *list, const struct column *column)
{
	return column->amount ? amount_rate(column->total, list->total.time_ns) :
				(struct value) { 0 };
}

struct value column_shown(const struct column *column, struct value value, uint64_t time_ns)
{
	return column->amount ? amount_rate(value, time_ns) : value;
}

const char *column_shown_unit(const struct column *column, char *text, size_t size)
{
	return column->amount ? amount_rate_unit(column->event, text, size) :
				event_unit(column->event);
}

struct value column_deviation(const struct column *column)
{
	struct value deviation = { .valid = column->count > 1 };

	if (deviation.valid)
		deviation.number = sqrt(column->squares / (column->count - 1));
	return deviation;
}

/* The mark of a sample: both are in the order of the file. */
static void find_row_mark(const struct column_list *list, struct row *row)
{
	const struct recording *recording = list->view->recording;

	row->has_mark = false;
	while (recording_mark(recording, row->next_mark, &row->mark)) {
		if (row->mark.sample > row->sample.number)
			return;
		row->next_mark++;
		row->has_mark = row->mark.sample == row->sample.number;
		if (row->has_mark)
			return;
	}
}

bool report_next(struct column_list *list, const struct report_options *options, struct row *row,
		 int *status)
{
	const struct range *range = &list->range;
	uint64_t number;

	*status = EXIT_OK;
	if (!options->samples && !options->marks)
		return false;
	do {
		number = row->begun ? row->sample.number + 1 : range->first;
		if (number >= range->first + range->count)
			return false;
		*status = recording_view_sample(list->view, number, row->begun ? 0 : number,
						&row->sample);
		if (*status)
			return false;
		row->begun = true;
		find_row_mark(list, row);
	} while (!options->samples && !row->has_mark);
	values_set(&list->values, row->sample.sample);
	return true;
}
