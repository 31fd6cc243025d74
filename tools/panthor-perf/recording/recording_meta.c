// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include <json-c/json.h>

#include "cmd.h"
#include "print/text.h"
#include "recording_meta.h"

static void add_string(struct json_object *object, const char *key, const char *value)
{
	if (value)
		json_object_object_add(object, key, text_json(value));
}

static void add_place(struct json_object *object, const struct recording_description *description)
{
	const struct gpu_view *view = description->view;
	time_t now = time(NULL);
	struct utsname kernel;
	char text[256];
	struct tm tm;

	if (view->table)
		add_string(object, "table", panthor_perf_table_name(view->table));
	add_string(object, "product", gpu_name(view, text, sizeof(text)));
	if (!uname(&kernel)) {
		snprintf(text, sizeof(text), "%s %s %s", kernel.sysname, kernel.release,
			 kernel.machine);
		add_string(object, "kernel", text);
	}
	add_string(object, "tool", "panthor-perf " PANTHOR_PERF_VERSION);
	add_string(object, "device", description->device);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	add_string(object, "date", text);
}

char *recording_describe(const struct recording_description *description)
{
	struct json_object *object = json_object_new_object();
	struct json_object *command = json_object_new_array();
	struct json_object *counters = json_object_new_array();
	char *text;
	unsigned int i;
	int arg;

	add_place(object, description);
	for (arg = 0; arg < description->argc; arg++)
		json_object_array_add(command, text_json(description->argv[arg]));
	json_object_object_add(object, "command", command);
	for (i = 0; i < description->event_count; i++)
		json_object_array_add(counters, text_json(description->events[i]));
	if (!description->event_count)
		json_object_array_add(counters, text_json("all"));
	json_object_object_add(object, "counters", counters);
	text = strdup(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
	return text;
}

static void append(char *text, size_t size, const char *string, size_t length)
{
	const size_t used = strlen(text);

	snprintf(text + used, size - used, "%.*s", (int)length, string);
}

/* As a shell takes it. */
static void append_quoted(char *text, size_t size, const char *string)
{
	size_t length;

	append(text, size, "'", 1);
	for (; *string; string += length) {
		length = strcspn(string, "'");
		append(text, size, string, length);
		if (!string[length])
			break;
		append(text, size, "'\\''", 4);
		length++;
	}
	append(text, size, "'", 1);
}

static bool is_plain(const char *string)
{
	size_t size = 0;

	while (isalnum((unsigned char)string[size]) ||
	       (string[size] && strchr("_-+=:,./@%", string[size])))
		size++;
	return size && !string[size];
}

/* Appends a string, or a word of a command. */
static void append_string(char *text, size_t size, struct json_object *value, bool is_word)
{
	const char *string;

	if (!json_object_is_type(value, json_type_string))
		return;
	string = json_object_get_string(value);
	if (*text)
		append(text, size, " ", 1);
	if (is_word && !is_plain(string))
		append_quoted(text, size, string);
	else
		append(text, size, string, strlen(string));
	/* A file must not control the terminal. */
	text_printable(text);
}

bool recording_meta(const struct recording *recording, const char *key, char *text, size_t size)
{
	struct json_object *object, *value;
	struct json_tokener *tokener;
	const char *json;
	size_t length, i;
	bool found;

	*text = 0;
	json = recording_metadata(recording, &length);
	if (!json || length > INT_MAX)
		return false;
	tokener = json_tokener_new();
	if (!tokener)
		return false;
	object = json_tokener_parse_ex(tokener, json, length);
	json_tokener_free(tokener);
	found = json_object_is_type(object, json_type_object) &&
		json_object_object_get_ex(object, key, &value);
	if (found && json_object_is_type(value, json_type_array))
		for (i = 0; i < json_object_array_length(value); i++)
			append_string(text, size, json_object_array_get_idx(value, i), i > 0);
	else if (found)
		append_string(text, size, value, false);
	json_object_put(object);
	return found && *text;
}
