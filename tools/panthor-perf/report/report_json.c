// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Reports for programs: JSON. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters/limit.h"
#include "print/text.h"
#include "recording/recording_meta.h"
#include "report_json.h"

struct json_object *json_value(const struct value *value)
{
	char text[40];

	if (!value->valid)
		return NULL;
	if (value->exact)
		return json_object_new_uint64(value->count);
	return json_object_new_double_s(value->number, value_plain(value, text, sizeof(text)));
}

static void add_text(struct json_object *object, const char *key, const char *value)
{
	json_object_object_add(object, key, text_json(value));
}

static void add_number(struct json_object *object, const char *key, uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static struct json_object *json_names(uint32_t bits, const char *(*name)(unsigned int bit))
{
	struct json_object *array = json_object_new_array();
	unsigned int bit;
	char text[16];

	for (bit = 0; bit < 32; bit++) {
		if (!(bits >> bit & 1))
			continue;
		snprintf(text, sizeof(text), "bit-%u", bit);
		json_object_array_add(array, text_json(name(bit) ? name(bit) : text));
	}
	return array;
}

struct json_object *json_quality(const struct raw_end *end)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "samples", end->samples);
	add_number(object, "errors", end->errors);
	add_number(object, "overflows", end->overflows);
	add_number(object, "stretched", end->stretched);
	add_number(object, "merged", end->merged);
	add_number(object, "late", end->late);
	add_number(object, "lost", end->lost);
	json_object_object_add(object, "events", json_names(end->events, panthor_perf_event_name));
	return object;
}

struct json_object *json_recording(const struct column_list *list)
{
	const struct recording_view *view = list->view;
	const struct raw_header *header = recording_header(view->recording);
	struct json_object *object = json_object_new_object();
	struct json_object *metadata = NULL;
	struct json_tokener *tokener = json_tokener_new();
	char name[64], *copy;
	const char *text;
	size_t size;

	text = recording_metadata(view->recording, &size);
	copy = text ? strndup(text, size) : NULL;
	if (copy && tokener) {
		text_utf8(copy);
		metadata = json_tokener_parse_ex(tokener, copy, strlen(copy));
	}
	if (tokener)
		json_tokener_free(tokener);
	free(copy);
	add_text(object, "file", view->path);
	add_text(object, "gpu", gpu_name(&view->gpu, name, sizeof(name)));
	snprintf(name, sizeof(name), "0x%0*" PRIx64, gpu_id_digits(view->gpu.gpu_id),
		 view->gpu.gpu_id);
	add_text(object, "gpu_id", name);
	add_text(object, "set", panthor_perf_set_name(header->counter_set) ?: "unknown");
	add_number(object, "period_ns", header->sample_period_ns);
	json_object_object_add(object, "finished",
			       json_object_new_boolean(!!recording_end(view->recording)));
	add_number(object, "first_sample", list->range.first);
	add_number(object, "start_ns", list->total.quality.start_ns);
	add_number(object, "end_ns", list->total.quality.end_ns);
	add_number(object, "time_ns", list->total.time_ns);
	json_object_object_add(object, "metadata", metadata);
	return object;
}

static struct json_object *json_column(const struct column_list *list, size_t *i)
{
	const struct column *column = &list->columns[*i];
	const struct event *event = column->event;
	struct json_object *object = json_object_new_object(), *instances = NULL;
	struct value rate = column_rate(list, column);

	add_text(object, "name", event->name);
	add_text(object, "title", event_title(event));
	add_text(object, "unit", event_unit(event));
	json_object_object_add(object, "derived", json_object_new_boolean(event_is_derived(event)));
	if (event->type) {
		add_text(object, "block", panthor_perf_block_name(event->type) ?: "unknown");
		add_number(object, "index", event->index);
	}
	json_object_object_add(object, "total", json_value(&column->total));
	json_object_object_add(object, "per_second", json_value(&rate));
	json_object_object_add(object, "min", json_value(&column->min));
	json_object_object_add(object, "max", json_value(&column->max));
	for (++*i; *i < list->count && list->columns[*i].instance != VALUE_SUM; ++*i) {
		if (!instances)
			instances = json_object_new_array();
		json_object_array_add(instances, json_value(&list->columns[*i].total));
	}
	if (instances)
		json_object_object_add(object, "instances", instances);
	return object;
}

static struct json_object *json_row(struct column_list *list, const struct row *row)
{
	const struct drm_panthor_perf_sample_header *header = &row->sample.header;
	struct json_object *object = json_object_new_object();
	struct json_object *values = json_object_new_array();
	char id[24];
	size_t i;

	add_number(object, "sample", row->sample.number);
	add_number(object, "start_ns", header->timestamp_start_ns);
	add_number(object, "end_ns", header->timestamp_end_ns);
	/* Readers of JSON may keep 53 bits of a number. */
	snprintf(id, sizeof(id), "%" PRIu64, (uint64_t)header->user_data);
	add_text(object, "user_data", id);
	add_number(object, "merged", header->merged);
	json_object_object_add(object, "flags", json_names(header->flags, panthor_perf_flag_name));
	json_object_object_add(object, "events",
			       json_names(header->events, panthor_perf_event_name));
	if (row->has_mark)
		add_text(object, "mark", row->mark.name);
	for (i = 0; i < list->count; i++) {
		struct value value = values_get(&list->values, list->columns[i].event,
						list->columns[i].instance);

		json_object_array_add(values, json_value(&value));
	}
	json_object_object_add(object, "values", values);
	return object;
}

static void add_name(struct json_object *array, const char *name)
{
	json_object_array_add(array, text_json(name));
}

void json_print(struct json_object *object)
{
	text_put_json(object, JSON_C_TO_STRING_PLAIN, stdout);
}

/* Samples are written one by one: a recording may be larger than memory. */
int report_json(struct column_list *list, const struct report_options *options)
{
	struct json_object *counters = json_object_new_array();
	struct json_object *columns = json_object_new_array();
	struct row row = { 0 };
	const char *separator = "\n";
	int status = EXIT_OK;
	char text[128];
	size_t i;

	for (i = 0; i < list->count; i++)
		add_name(columns, column_name(list, &list->columns[i], text, sizeof(text)));
	for (i = 0; i < list->count;)
		json_object_array_add(counters, json_column(list, &i));
	printf("{\"schema\":%d,\"recording\":", JSON_SCHEMA);
	json_print(json_recording(list));
	printf(",\n\"quality\":");
	json_print(json_quality(&list->total.quality));
	printf(",\n\"verdict\":");
	json_print(verdict_json(&list->limits));
	printf(",\n\"limits\":");
	json_print(limits_json(&list->limits));
	printf(",\n\"counters\":");
	json_print(counters);
	if (options->samples || options->marks) {
		printf(",\n\"columns\":");
		json_print(columns);
		printf(",\n\"samples\":[");
		while (report_next(list, options, &row, &status)) {
			fputs(separator, stdout);
			json_print(json_row(list, &row));
			separator = ",\n";
		}
		putchar(']');
	} else {
		json_object_put(columns);
	}
	puts("}");
	return status;
}
