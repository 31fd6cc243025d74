// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Reports for people. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters/limit.h"
#include "print/lines.h"
#include "print/pager.h"
#include "print/text.h"
#include "recording/recording_meta.h"
#include "report.h"

#define HEAD_COLUMNS	11
#define MIN_NAME	20
#define SHORT_NAME	12
#define MIN_TITLE	20
#define TOTAL_COLUMNS	18
#define MIN_NUMBER	12
#define MAX_NUMBER	16
#define UNIT_COLUMNS	12
#define SAMPLE_COLUMNS	16
#define NAME_COLUMNS	64
#define TIME_COLUMNS	37
#define FLAG_COLUMNS	21

#define BOLD	"\033[1m"
#define DIM	"\033[2m"
#define RED	"\033[31m"
#define PLAIN	"\033[0m"

/* Columns of the table. */
struct widths {
	/* Names of counters. */
	int name;

	int total;

	/* Rates, minima and maxima. */
	int number;

	/* There are rates. */
	bool rates;

	/* What is left for titles. */
	int title;
};

static const char *report_paint(const struct report_options *options, const char *color)
{
	return options->color ? color : "";
}

static void print_meta(const struct recording_view *view, const char *title, const char *key)
{
	char text[512];

	if (recording_meta(view->recording, key, text, sizeof(text)))
		printf("%-*s%s\n", HEAD_COLUMNS, title, text);
}

static void print_head(const struct column_list *list, const struct report_options *options)
{
	const struct recording_view *view = list->view;
	const struct raw_header *header = recording_header(view->recording);
	uint64_t begin = list->total.quality.start_ns - view->zero_ns;
	char name[64], quality[QUALITY_SIZE], *path = text_copy(view->path);

	printf("%s%s%s: %s, counter set %s, ", report_paint(options, BOLD), path ? path : "",
	       report_paint(options, PLAIN), gpu_name(&view->gpu, name, sizeof(name)),
	       panthor_perf_set_name(header->counter_set) ?: "unknown");
	free(path);
	if (header->sample_period_ns)
		printf("period %.6g ms\n", header->sample_period_ns / 1e6);
	else
		printf("no period\n");
	print_meta(view, "recorded", "date");
	print_meta(view, "command", "command");
	print_meta(view, "tool", "tool");
	print_meta(view, "kernel", "kernel");
	printf("samples    %" PRIu64 " to %" PRIu64 " of %" PRIu64 ", from %.6f s to %.6f s",
	       list->range.first, list->range.first + list->range.count - 1,
	       recording_sample_count(view->recording), begin / 1e9,
	       (list->total.quality.end_ns - view->zero_ns) / 1e9);
	if (list->total.quality.end_ns - list->total.quality.start_ns != list->total.time_ns)
		printf(", %.6f s of them counted", list->total.time_ns / 1e9);
	printf("\n%-*s", HEAD_COLUMNS, "quality");
	if (list->total.quality.errors || list->total.quality.overflows || list->total.quality.lost)
		fputs(report_paint(options, RED), stdout);
	quality_text(&list->total.quality, header->sample_period_ns, quality, sizeof(quality));
	print_wrapped(stdout, quality, HEAD_COLUMNS, HEAD_COLUMNS, options->line);
	fputs(report_paint(options, PLAIN), stdout);
	if (!events_has_names(&view->gpu))
		printf("note       names of counters are not known %s: BLOCK:INDEX\n",
		       view->gpu.table ? "for this counter set" : "for this GPU");
}

static bool is_shown(const struct column *column, const struct report_options *options)
{
	return options->zeros || column->event->named || !column_is_zero(column);
}

static int column_name_width(const struct column_list *list, const struct report_options *options)
{
	char text[NAME_COLUMNS + 16];
	int width = MIN_NAME;
	size_t i;

	for (i = 0; i < list->count; i++) {
		int length = strlen(column_name(list, &list->columns[i], text, sizeof(text)));

		if (length > width && is_shown(&list->columns[i], options))
			width = length;
	}
	return width;
}

/* What a group of rows has in common. */
static const char *heading(const struct column_list *list, const struct column *column)
{
	if (event_is_derived(column->event))
		return column->event->counter->group ? column->event->counter->group : "Derived";
	return column_block(list, column);
}

/*
 * A terminal that is too narrow has no rates; then totals are shorter, and in the end the names. It
 * is not less than the shortest of all.
 */
static void make_narrow(struct widths *widths, int line)
{
	int left = line - 2 * (1 + widths->number) - (1 + UNIT_COLUMNS) - 1;

	widths->rates = false;
	widths->total = left - widths->name;
	if (widths->total > TOTAL_COLUMNS)
		widths->total = TOTAL_COLUMNS;
	if (widths->total >= MIN_NUMBER)
		return;
	widths->total = MIN_NUMBER;
	widths->name = left > SHORT_NAME + MIN_NUMBER ? left - MIN_NUMBER : SHORT_NAME;
}

/* Numbers have the room that names, totals and units leave in a line, within limits. */
static struct widths widths_of(int name, const struct report_options *options)
{
	struct widths widths = { .name = name, .total = TOTAL_COLUMNS, .rates = true };
	int left = options->line - name - (1 + TOTAL_COLUMNS) - (1 + UNIT_COLUMNS);

	widths.number = left / 3 - 1;
	if (widths.number < MIN_NUMBER)
		widths.number = MIN_NUMBER;
	if (widths.number > MAX_NUMBER)
		widths.number = MAX_NUMBER;
	widths.title = left - 3 * (1 + widths.number) - 1;
	if (options->terminal && left < 3 * (1 + widths.number))
		make_narrow(&widths, options->line);
	return widths;
}

/* Returns whether the value is skewed. */
static bool print_number(const struct column *column, const struct value *value, int width)
{
	const char *unit = event_unit(column->event);
	char text[40];

	value_fit(value, unit, width, text, sizeof(text));
	printf(" %*s", width, text);
	return value_is_skewed(value, unit);
}

/* A rate of events has a unit of its own, and no prefix is added to it. */
static void print_rate(const struct value *rate, int width)
{
	char text[40];

	value_fit(rate, "", width, text, sizeof(text));
	printf(" %*s", width, rate->valid ? text : "");
}

/* Returns whether one of the values is skewed. */
static bool print_column(const struct column_list *list, const struct column *column,
			 const struct widths *widths)
{
	struct value rate = column_rate(list, column);
	const struct event *event = column->event;
	char name[NAME_COLUMNS + 16];
	const char *unit = event_unit(event);
	bool skewed;

	if (!strcmp(unit, "percent"))
		unit = "%";
	if (unit_has_prefix(unit))
		unit = "";
	print_name(stdout, column_name(list, column, name, sizeof(name)), widths->name);
	skewed = print_number(column, &column->total, widths->total);
	if (widths->rates)
		print_rate(&rate, widths->number);
	skewed |= print_number(column, &column->min, widths->number);
	skewed |= print_number(column, &column->max, widths->number);
	if (column->instance != VALUE_SUM || widths->title < MIN_TITLE) {
		printf("%s%s\n", *unit ? " " : "", unit);
		return skewed;
	}
	printf(" %-*s ", UNIT_COLUMNS, unit);
	print_meaning(stdout, event, widths->title);
	putchar('\n');
	return skewed;
}

/* Returns whether a value is skewed. */
static bool print_report_columns(const struct column_list *list,
				 const struct report_options *options)
{
	const struct widths widths = widths_of(column_name_width(list, options), options);
	const char *before = NULL;
	size_t hidden = 0, i;
	bool skewed = false;

	printf("\n%s%-*s %*s", report_paint(options, BOLD), widths.name, "counter", widths.total,
	       "total");
	if (widths.rates)
		printf(" %*s", widths.number, "per second");
	printf(" %*s %*s unit%s\n", widths.number, "min/sample", widths.number, "max/sample",
	       report_paint(options, PLAIN));
	for (i = 0; i < list->count; i++) {
		const struct column *column = &list->columns[i];
		const char *group = heading(list, column);

		if (!is_shown(column, options)) {
			hidden += column->instance == VALUE_SUM;
			continue;
		}
		if (!before || strcmp(before, group))
			printf("%s%s%s\n", report_paint(options, DIM), group,
			       report_paint(options, PLAIN));
		before = group;
		skewed |= print_column(list, column, &widths);
	}
	if (hidden)
		printf("%zu more that are 0 or have no value: --zeros\n", hidden);
	return skewed;
}

static int sample_width(const struct column_list *list, const struct column *column)
{
	char text[NAME_COLUMNS + 16];
	int width = strlen(column_name(list, column, text, sizeof(text)));

	return width > SAMPLE_COLUMNS ? width : SAMPLE_COLUMNS;
}

/* On a terminal, those that fit into a line; all that -e names are shown. */
static size_t fitting_columns(const struct column_list *list, const struct report_options *options)
{
	int used = TIME_COLUMNS + FLAG_COLUMNS;
	size_t i;

	if (!options->terminal)
		return list->count;
	for (i = 0; i < list->count; i++) {
		used += 1 + sample_width(list, &list->columns[i]);
		if (!list->columns[i].event->named && used > options->line && i)
			return i;
	}
	return list->count;
}

static int print_samples(struct column_list *list, const struct report_options *options)
{
	size_t shown = fitting_columns(list, options);
	struct row row = { 0 };
	bool skewed = false;
	char text[320];
	size_t i;
	int status;

	printf("\n%s%14s %10s %10s ", report_paint(options, BOLD), "end s", "length ms",
	       "user data");
	for (i = 0; i < shown; i++)
		printf(" %*s", SAMPLE_COLUMNS,
		       column_name(list, &list->columns[i], text, sizeof(text)));
	printf("  flags, events, mark%s\n", report_paint(options, PLAIN));
	while (report_next(list, options, &row, &status)) {
		const struct drm_panthor_perf_sample_header *header = &row.sample.header;

		printf("%14.6f %10.6f %10" PRIu64 " ",
		       (header->timestamp_end_ns - list->view->zero_ns) / 1e9,
		       (header->timestamp_end_ns - header->timestamp_start_ns) / 1e6,
		       (uint64_t)header->user_data);
		for (i = 0; i < shown; i++) {
			const struct column *column = &list->columns[i];
			struct value value = values_get(&list->values, column->event,
							column->instance);

			skewed |= print_number(column, &value, sample_width(list, column));
		}
		printf("  %s%s%s", report_paint(options, RED),
		       bits_text(header->flags, panthor_perf_flag_name, text, sizeof(text)),
		       report_paint(options, PLAIN));
		if (header->events)
			printf(" %s", bits_text(header->events, panthor_perf_event_name, text,
						sizeof(text)));
		if (row.has_mark) {
			text_printable(row.mark.name);
			printf(" @%s", *row.mark.name ? row.mark.name : "mark");
		}
		putchar('\n');
	}
	if (shown < list->count)
		printf("%zu more counters do not fit into the terminal: -e selects, "
		       "--csv has all\n",
		       list->count - shown);
	if (skewed)
		puts(SKEW_NOTE);
	return status;
}

int report_table(struct column_list *list, const struct report_options *options)
{
	bool skewed;

	pager_start();
	print_head(list, options);
	if (options->samples || options->marks)
		return print_samples(list, options);
	if (limits_are_known(&list->limits))
		putchar('\n');
	skewed = limits_print(&list->limits, stdout, line_columns(stdout), options->color);
	skewed |= print_report_columns(list, options);
	if (skewed)
		puts(SKEW_NOTE);
	return EXIT_OK;
}
