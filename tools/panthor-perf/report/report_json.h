/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_REPORT_JSON_H
#define PANTHOR_PERF_REPORT_JSON_H

#include <json-c/json.h>

#include "report.h"

/* Parts of JSON that commands on recordings have in common. */

/**
 * json_value() - A value
 * @value: The value.
 *
 * Return: An object; %NULL, which is null, for no value.
 */
struct json_object *json_value(const struct value *value);

/**
 * json_quality() - Data quality of samples
 * @end: Statistics of their flags and events.
 *
 * Return: An object.
 */
struct json_object *json_quality(const struct raw_end *end);

/**
 * json_recording() - What a recording is, and the selected range
 * @list: Columns of it, added up.
 *
 * Return: An object.
 */
struct json_object *json_recording(const struct column_list *list);

/**
 * json_print() - Print an object, and free it
 * @object: The object.
 */
void json_print(struct json_object *object);

#endif /* PANTHOR_PERF_REPORT_JSON_H */
