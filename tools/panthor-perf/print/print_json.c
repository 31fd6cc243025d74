// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* One JSON object; each sample is a line of it, so that it can be read while it grows. */

#include <inttypes.h>
#include <json.h>
#include <math.h>

#include "cmd.h"
#include "print.h"
#include "text.h"

static void put_json(const struct printer *printer, struct json_object *object)
{
	if (!text_put_json(object, JSON_C_TO_STRING_PLAIN, printer->out))
		fputs("null", printer->out);
}

static struct json_object *new_number(double number)
{
	char text[40];

	if (!isfinite(number))
		return NULL;
	return json_object_new_double_s(number, number_plain(number, text, sizeof(text)));
}

static struct json_object *new_value(const struct value *value)
{
	if (!value->valid)
		return NULL;
	return value->exact ? json_object_new_uint64(value->count) : new_number(value->number);
}

static struct json_object *new_bits(uint32_t mask, const char *(*name_of)(unsigned int bit))
{
	struct json_object *array = json_object_new_array();
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		const char *name = name_of(bit);
		char number[16];

		if (!(mask >> bit & 1))
			continue;
		snprintf(number, sizeof(number), "bit-%u", bit);
		json_object_array_add(array, text_json(name ? name : number));
	}
	return array;
}

void json_begin(const struct printer *printer)
{
	const struct gpu_view *view = printer->view;
	struct json_object *set, *table = NULL;
	char name[32];

	fprintf(printer->out, "{\"schema\":%d,\"gpu\":", JSON_SCHEMA);
	put_json(printer, text_json(gpu_name(view, name, sizeof(name))));
	fputs(",\"table\":", printer->out);
	if (view->table)
		table = text_json(panthor_perf_table_name(view->table));
	put_json(printer, table);
	fputs(",\"set\":", printer->out);
	set = text_json(panthor_perf_set_name(view->set));
	put_json(printer, set);
	fputs(printer->options.repeats ? ",\n" : ",\"samples\":[", printer->out);
}

static struct json_object *new_clocks(const struct printer *printer)
{
	struct json_object *object = json_object_new_object();
	unsigned int clock;
	uint64_t cycles;

	for (clock = 0; panthor_perf_clock_name(clock); clock++)
		if (panthor_perf_sample_cycles(printer->values.sample,
					       clock, &cycles))
			json_object_object_add(object, panthor_perf_clock_name(clock),
					       json_object_new_uint64(cycles));
	return object;
}

static struct json_object *new_states(const struct printer *printer)
{
	struct json_object *array = json_object_new_array();
	const struct panthor_perf_block *block = NULL;

	while ((block = panthor_perf_sample_next_block(printer->values.sample, block))) {
		const char *name = panthor_perf_block_name(panthor_perf_block_type(block));
		struct json_object *object = json_object_new_object();

		json_object_object_add(object, "block", text_json(name));
		json_object_object_add(object, "instance",
				       json_object_new_int(panthor_perf_block_number(block)));
		json_object_object_add(object, "states", new_bits(panthor_perf_block_states(block),
								  panthor_perf_state_name));
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *new_event(const struct printer *printer, const struct event *event)
{
	struct json_object *object = json_object_new_object();
	struct value value = values_get(&printer->values, event, VALUE_SUM);
	int count = 0, i;

	json_object_object_add(object, "name", text_json(event->name));
	json_object_object_add(object, "value", new_value(&value));
	json_object_object_add(object, "unit", text_json(event_unit(event)));
	if (printer->options.instances)
		count = event_block_count(event, printer->view);
	if (count) {
		struct json_object *array = json_object_new_array();

		for (i = 0; i < count; i++) {
			value = values_get(&printer->values, event, i);
			json_object_array_add(array, new_value(&value));
		}
		json_object_object_add(object, "instances", array);
	}
	return object;
}

void json_sample(const struct printer *printer)
{
	const struct drm_panthor_perf_sample_header *header = &printer->values.header;
	struct json_object *object = json_object_new_object();
	struct json_object *values = json_object_new_array();
	size_t i;

	json_object_object_add(object, "sample", json_object_new_uint64(header->sample_nr));
	json_object_object_add(object, "start_ns",
			       json_object_new_uint64(header->timestamp_start_ns));
	json_object_object_add(object, "end_ns", json_object_new_uint64(header->timestamp_end_ns));
	json_object_object_add(object, "gpu_timestamp",
			       json_object_new_uint64(header->gpu_timestamp));
	json_object_object_add(object, "merged", json_object_new_int64(header->merged));
	json_object_object_add(object, "flags", new_bits(header->flags, panthor_perf_flag_name));
	json_object_object_add(object, "events", new_bits(header->events, panthor_perf_event_name));
	json_object_object_add(object, "cycles", new_clocks(printer));
	if (printer->options.states)
		json_object_object_add(object, "states", print_has_states(printer) ?
				       new_states(printer) : NULL);
	for (i = 0; i < printer->events->count; i++)
		json_object_array_add(values, new_event(printer, &printer->events->events[i]));
	json_object_object_add(object, "values", values);
	fputs(printer->printed ? ",\n" : "\n", printer->out);
	put_json(printer, object);
}

static void json_measured_run(struct json_object *array, const char *name, const char *unit,
			      const struct run_value *run)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "name", text_json(name));
	json_object_object_add(object, "unit", text_json(unit));
	json_object_object_add(object, "runs", json_object_new_uint64(run->count));
	json_object_object_add(object, "mean", run->count ? new_number(run->mean) : NULL);
	json_object_object_add(object, "deviation",
			       run->count ? new_number(run_deviation(run)) : NULL);
	json_object_object_add(object, "min", run->count ? new_number(run->min) : NULL);
	json_object_object_add(object, "max", run->count ? new_number(run->max) : NULL);
	json_object_array_add(array, object);
}

void json_runs(const struct printer *printer)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < printer->events->count; i++)
		json_measured_run(array, printer->events->events[i].name,
				  event_unit(&printer->events->events[i]), &printer->runs[i]);
	json_measured_run(array, "length", "seconds", &printer->runs[i]);
	fputs("\"values\":", printer->out);
	put_json(printer, array);
	fputs(",\n", printer->out);
}

void json_end(const struct printer *printer, const struct panthor_perf_quality *quality)
{
	struct json_object *object = NULL;

	if (!printer->options.repeats)
		fputs("\n],\n", printer->out);
	fputs("\"verdict\":", printer->out);
	put_json(printer, quality ? verdict_json(&printer->limits) : NULL);
	fputs(",\n\"limits\":", printer->out);
	put_json(printer, quality ? limits_json(&printer->limits) : NULL);
	fputs(",\n", printer->out);
	if (quality) {
		object = json_object_new_object();
		json_object_object_add(object, "samples", json_object_new_uint64(quality->samples));
		json_object_object_add(object, "merged", json_object_new_uint64(quality->merged));
		json_object_object_add(object, "stretched",
				       json_object_new_uint64(quality->stretched));
		json_object_object_add(object, "overflows",
				       json_object_new_uint64(quality->overflows));
		json_object_object_add(object, "errors", json_object_new_uint64(quality->errors));
		json_object_object_add(object, "late", json_object_new_uint64(quality->late));
		json_object_object_add(object, "lost", json_object_new_uint64(quality->lost));
		json_object_object_add(object, "events", new_bits(quality->events,
								  panthor_perf_event_name));
	}
	fputs("\"quality\":", printer->out);
	put_json(printer, object);
	fputs("}\n", printer->out);
}
