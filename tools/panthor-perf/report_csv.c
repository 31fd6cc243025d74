// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Reports for programs: CSV (RFC 4180, but with LF). */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static void csv_text(const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static void csv_value(const struct value *value)
{
	char text[40];

	printf(",%s", value_plain(value, text, sizeof(text)));
}

static void csv_columns(const struct column_list *list)
{
	size_t i;

	puts("counter,block,index,instance,unit,total,per_second,min,max,title");
	for (i = 0; i < list->count; i++) {
		const struct column *column = &list->columns[i];
		struct value rate = column_rate(list, column);

		csv_text(column->event->name);
		printf(",%s,", column_block(list, column));
		if (column->event->type)
			printf("%u", column->event->index);
		putchar(',');
		if (column->instance != VALUE_SUM)
			printf("%d", column->instance);
		putchar(',');
		csv_text(event_unit(column->event));
		csv_value(&column->total);
		csv_value(&rate);
		csv_value(&column->min);
		csv_value(&column->max);
		putchar(',');
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

	printf("sample,start_ns,end_ns,user_data,merged,flags,events,mark");
	for (i = 0; i < list->count; i++) {
		putchar(',');
		csv_text(column_name(list, &list->columns[i], text, sizeof(text)));
	}
	putchar('\n');
	while (report_next(list, options, &row, &status)) {
		const struct drm_panthor_perf_sample_header *header = &row.sample.header;

		printf("%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%s,", row.sample.number,
		       (uint64_t)header->timestamp_start_ns, (uint64_t)header->timestamp_end_ns,
		       (uint64_t)header->user_data, header->merged,
		       bits_text(header->flags, panthor_perf_flag_name, text, sizeof(text)));
		printf("%s,", bits_text(header->events, panthor_perf_event_name, text,
					sizeof(text)));
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
	if (options->samples || options->marks)
		return csv_samples(list, options);
	csv_columns(list);
	return EXIT_OK;
}
