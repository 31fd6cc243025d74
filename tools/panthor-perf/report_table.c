// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Reports for people. */

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "limit.h"
#include "recording_meta.h"
#include "report.h"

#define MIN_NAME	20
#define NUMBER_COLUMNS	16
#define UNIT_COLUMNS	12
#define SAMPLE_COLUMNS	16
#define NAME_COLUMNS	64

#define BOLD	"\033[1m"
#define DIM	"\033[2m"
#define RED	"\033[31m"
#define PLAIN	"\033[0m"

static const char *paint(const struct report_options *options, const char *color)
{
	return options->color ? color : "";
}

static void print_meta(const struct recording_view *view, const char *title, const char *key)
{
	char text[512];

	if (recording_meta(view->recording, key, text, sizeof(text)))
		printf("%-10s %s\n", title, text);
}

static void print_head(const struct column_list *list, const struct report_options *options)
{
	const struct recording_view *view = list->view;
	const struct raw_header *header = recording_header(view->recording);
	uint64_t begin = list->total.quality.start_ns - view->zero_ns;
	char name[64];

	printf("%s%s%s: %s, counter set %s, ", paint(options, BOLD), view->path,
	       paint(options, PLAIN), gpu_name(&view->gpu, name, sizeof(name)),
	       panthor_perf_set_name(header->counter_set) ?: "unknown");
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
	printf("\nquality    ");
	if (list->total.quality.errors || list->total.quality.overflows || list->total.quality.lost)
		fputs(paint(options, RED), stdout);
	print_totals(stdout, &list->total.quality, header->sample_period_ns);
	fputs(paint(options, PLAIN), stdout);
	if (!events_has_names(&view->gpu))
		printf("note       names of counters are not known %s: BLOCK:INDEX\n",
		       view->gpu.table ? "for this counter set" : "for this GPU");
}

static int name_width(const struct column_list *list)
{
	char text[NAME_COLUMNS + 16];
	int width = MIN_NAME;
	size_t i;

	for (i = 0; i < list->count; i++) {
		int length = strlen(column_name(list, &list->columns[i], text, sizeof(text)));

		if (length > width)
			width = length;
	}
	return width;
}

static bool is_shown(const struct column *column, const struct report_options *options)
{
	return options->zeros || column->event->named || !column_is_zero(column);
}

/* What a group of rows has in common. */
static const char *heading(const struct column_list *list, const struct column *column)
{
	if (event_is_derived(column->event))
		return column->event->counter->group ? column->event->counter->group : "Derived";
	return column_block(list, column);
}

/* Is the unit of a value printed with the value, because it has a prefix? */
static bool has_prefix(const char *unit)
{
	return !strcmp(unit, "bytes/s") || !strcmp(unit, "hertz");
}

/* With its unit where that has a prefix of its own. Returns whether the value is skewed. */
static bool print_number(const struct column *column, const struct value *value, int width)
{
	const char *unit = event_unit(column->event), *own;
	char text[40], number[64];

	own = value_format(value, unit, text, sizeof(text));
	if (value->valid && has_prefix(unit))
		snprintf(number, sizeof(number), "%s %s", text, own);
	else
		snprintf(number, sizeof(number), "%s", text);
	printf(" %*s", width, number);
	return value_is_skewed(value, unit);
}

/* On a terminal, lines are as long as that is wide. */
static int title_width(int width)
{
	int used = width + 4 * (NUMBER_COLUMNS + 1) + UNIT_COLUMNS + 2;
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return INT_MAX;
	return size.ws_col > used ? size.ws_col - used : 0;
}

/* Returns whether one of the values is skewed. */
static bool print_column(const struct column_list *list, const struct column *column, int width)
{
	struct value rate = column_rate(list, column);
	const struct event *event = column->event;
	char name[NAME_COLUMNS + 16], text[40], title[160];
	const char *unit = event_unit(event);
	bool skewed;

	if (!strcmp(unit, "percent"))
		unit = "%";
	if (has_prefix(unit))
		unit = "";
	printf("%-*s", width, column_name(list, column, name, sizeof(name)));
	skewed = print_number(column, &column->total, NUMBER_COLUMNS);
	/* A rate of events has a unit of its own, and no prefix is added to it. */
	value_format(&rate, "", text, sizeof(text));
	printf(" %*s", NUMBER_COLUMNS, rate.valid ? text : "");
	skewed |= print_number(column, &column->min, NUMBER_COLUMNS);
	skewed |= print_number(column, &column->max, NUMBER_COLUMNS);
	if (column->instance != VALUE_SUM) {
		printf(" %s\n", unit);
		return skewed;
	}
	if (event->counter && event->type)
		snprintf(title, sizeof(title), "%s (%s:%u)", event_title(event),
			 panthor_perf_block_name(event->type), event->index);
	else
		snprintf(title, sizeof(title), "%s", event_title(event));
	printf(" %-*s %.*s\n", UNIT_COLUMNS, unit, title_width(width), title);
	return skewed;
}

static void print_columns(const struct column_list *list, const struct report_options *options)
{
	int width = name_width(list);
	const char *before = NULL;
	size_t hidden = 0, i;
	bool skewed = false;

	printf("\n%s%-*s %*s %*s %*s %*s %-*s%s\n", paint(options, BOLD), width, "counter",
	       NUMBER_COLUMNS, "total", NUMBER_COLUMNS, "mean per second", NUMBER_COLUMNS,
	       "min per sample", NUMBER_COLUMNS, "max per sample", UNIT_COLUMNS, "unit",
	       paint(options, PLAIN));
	for (i = 0; i < list->count; i++) {
		const struct column *column = &list->columns[i];
		const char *group = heading(list, column);

		if (!is_shown(column, options)) {
			hidden += column->instance == VALUE_SUM;
			continue;
		}
		if (!before || strcmp(before, group))
			printf("%s%s%s\n", paint(options, DIM), group, paint(options, PLAIN));
		before = group;
		skewed |= print_column(list, column, width);
	}
	if (hidden)
		printf("%zu more that are 0 or have no value: --zeros\n", hidden);
	if (skewed)
		puts(SKEW_NOTE);
}

static int print_samples(struct column_list *list, const struct report_options *options)
{
	struct row row = { 0 };
	bool skewed = false;
	char text[320];
	size_t i;
	int status;

	printf("\n%s%14s %10s %10s ", paint(options, BOLD), "end s", "length ms", "user data");
	for (i = 0; i < list->count; i++)
		printf(" %*s", SAMPLE_COLUMNS,
		       column_name(list, &list->columns[i], text, sizeof(text)));
	printf("  flags, events, mark%s\n", paint(options, PLAIN));
	while (report_next(list, options, &row, &status)) {
		const struct drm_panthor_perf_sample_header *header = &row.sample.header;

		printf("%14.6f %10.6f %10" PRIu64 " ",
		       (header->timestamp_end_ns - list->view->zero_ns) / 1e9,
		       (header->timestamp_end_ns - header->timestamp_start_ns) / 1e6,
		       (uint64_t)header->user_data);
		for (i = 0; i < list->count; i++) {
			const struct column *column = &list->columns[i];
			struct value value = values_get(&list->values, column->event,
							column->instance);
			char name[NAME_COLUMNS + 16];
			int width = strlen(column_name(list, column, name, sizeof(name)));

			skewed |= print_number(column, &value,
					       width > SAMPLE_COLUMNS ? width : SAMPLE_COLUMNS);
		}
		printf("  %s%s%s", paint(options, RED),
		       bits_text(header->flags, panthor_perf_flag_name, text, sizeof(text)),
		       paint(options, PLAIN));
		if (header->events)
			printf(" %s", bits_text(header->events, panthor_perf_event_name, text,
						sizeof(text)));
		if (row.has_mark)
			printf(" @%s", *row.mark.name ? row.mark.name : "mark");
		putchar('\n');
	}
	if (skewed)
		puts(SKEW_NOTE);
	return status;
}

int report_table(struct column_list *list, const struct report_options *options)
{
	struct limits limits;

	print_head(list, options);
	if (options->samples || options->marks)
		return print_samples(list, options);
	print_columns(list, options);
	limits_find(&list->total.values, &limits);
	if (limits.count)
		putchar('\n');
	limits_print(&limits, stdout, options->color);
	return EXIT_OK;
}
