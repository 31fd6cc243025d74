// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Reports for programs: CSV (RFC 4180, but with LF). */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/text.h"
#include "report.h"

/* What separates fields. */
static const char *separator;

static void csv_quoted(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* A terminal is not controlled by what a recording says. */
static void csv_text(const char *text)
{
	char *printable = isatty(STDOUT_FILENO) ? text_copy(text) : NULL;
	const char *shown = printable ? printable : text;

	if (strpbrk(shown, "\"\r\n") || strstr(shown, separator))
		csv_quoted(shown);
	else
		fputs(shown, stdout);
	free(printable);
}

static void csv_number(uint64_t number)
{
	printf("%" PRIu64 "%s", number, separator);
}

static void csv_value(const struct value *value)
{
	char text[40];

	printf("%s%s", separator, value_plain(value, text, sizeof(text)));
}

/* Names of columns, separated by blanks. */
static void csv_names(const char *names)
{
	for (; *names; names++) {
		if (*names == ' ')
			fputs(separator, stdout);
		else
			putchar(*names);
	}
}

static void csv_columns(const struct column_list *list)
{
	size_t i;

	csv_names("name block index instance unit total per_second min max title");
	putchar('\n');
	for (i = 0; i < list->count; i++) {
		const struct column *column = &list->columns[i];
		struct value rate = column_rate(list, column);

		csv_text(column->event->name);
		printf("%s%s%s", separator, column_block(list, column), separator);
		if (column->event->type)
			printf("%u", column->event->index);
		fputs(separator, stdout);
		if (column->instance != VALUE_SUM)
			printf("%d", column->instance);
		fputs(separator, stdout);
		csv_text(event_unit(column->event));
		csv_value(&column->total);
		csv_value(&rate);
		csv_value(&column->min);
		csv_value(&column->max);
		fputs(separator, stdout);
		csv_text(event_title(column->event));
		putchar('\n');
	}
}

static int csv_samples(struct column_list *list, const struct report_options *options)
{
	struct row row = { 0 };
	char text[320];
	size_t i;
	int status;

	csv_names("sample start_ns end_ns user_data merged flags events mark");
	for (i = 0; i < list->count; i++) {
		fputs(separator, stdout);
		csv_text(column_name(list, &list->columns[i], text, sizeof(text)));
	}
	putchar('\n');
	while (report_next(list, options, &row, &status)) {
		const struct drm_panthor_perf_sample_header *header = &row.sample.header;

		csv_number(row.sample.number);
		csv_number(header->timestamp_start_ns);
		csv_number(header->timestamp_end_ns);
		csv_number(header->user_data);
		csv_number(header->merged);
		printf("%s%s", bits_text(header->flags, panthor_perf_flag_name, text, sizeof(text)),
		       separator);
		printf("%s%s", bits_text(header->events, panthor_perf_event_name, text,
					 sizeof(text)), separator);
		if (row.has_mark)
			csv_text(row.mark.name);
		for (i = 0; i < list->count; i++) {
			struct value value = values_get(&list->values,
							list->columns[i].event,
							list->columns[i].instance);

			csv_value(&value);
		}
		putchar('\n');
	}
	return status;
}

int report_csv(struct column_list *list, const struct report_options *options)
{
	separator = options->separator;
	if (options->samples || options->marks)
		return csv_samples(list, options);
	csv_columns(list);
	return EXIT_OK;
}
