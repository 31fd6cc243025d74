// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Settings come from the application, by VK_EXT_layer_settings; from a JSON file; and from the
 * environment. A later one in this order takes the place of the same setting before, and of those
 * that say the same in other words. One source must not say it in both. A setting that a source
 * has and the layer does not know is an error.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json.h>
#include <vulkan/vulkan.h>

#include "layer.h"
#include "settings.h"
#include "sources.h"

#define LAYER_SETTINGS	((VkStructureType)1000496000)
#define PERF_LAYER	"VK_LAYER_PANTHOR_perf"
#define QUERY_LAYER	"VK_LAYER_PANTHOR_perf_query"
#define MAX_FILE	1048576

/** enum value_type - VkLayerSettingTypeEXT */
enum value_type {
	/** @VALUE_BOOL: VkBool32. */
	VALUE_BOOL,

	/** @VALUE_INT32: int32_t. */
	VALUE_INT32,

	/** @VALUE_INT64: int64_t. */
	VALUE_INT64,

	/** @VALUE_UINT32: uint32_t. */
	VALUE_UINT32,

	/** @VALUE_UINT64: uint64_t. */
	VALUE_UINT64,

	/** @VALUE_FLOAT32: float. */
	VALUE_FLOAT32,

	/** @VALUE_FLOAT64: double. */
	VALUE_FLOAT64,

	/** @VALUE_STRING: A text. */
	VALUE_STRING,
};

/**
 * struct layer_setting - VkLayerSettingEXT, which the oldest headers do not have
 */
struct layer_setting {
	/** @layer: Name of the layer. */
	const char *layer;

	/** @name: Name of the setting. */
	const char *name;

	/** @type: One of &enum value_type. */
	int type;

	/** @count: Number of @values. */
	uint32_t count;

	/** @values: The values. */
	const void *values;
};

/**
 * struct layer_settings - VkLayerSettingsCreateInfoEXT
 */
struct layer_settings {
	/** @type: %LAYER_SETTINGS. */
	VkStructureType type;

	/** @next: The next structure. */
	const void *next;

	/** @count: Number of @settings. */
	uint32_t count;

	/** @settings: The settings. */
	const struct layer_setting *settings;
};

const struct setting_key setting_keys[SET_COUNT] = {
	[SET_MODE] = { "mode", SETTING_MODE, SETTING_TEXT, SET_MODE },
	[SET_COUNTERS] = { "counters", SETTING_COUNTERS, SETTING_TEXT, SET_COUNTERS },
	[SET_OUTPUT] = { "output", SETTING_OUTPUT, SETTING_TEXT, SET_OUTPUT },
	[SET_SIGNAL] = { "signal", SETTING_SIGNAL, SETTING_TEXT, SET_SIGNAL },
	[SET_CLOCKS] = { "clocks", SETTING_CLOCKS, SETTING_TEXT, SET_CLOCKS },
	[SET_COLUMNS] = { "columns", SETTING_COLUMNS, SETTING_TEXT, SET_COLUMNS },
	[SET_INSTANCES] = { "instances", SETTING_INSTANCES, SETTING_BOOL, SET_INSTANCES },
	[SET_UNIT] = { "unit", SETTING_UNIT, SETTING_TEXT, SET_UNIT },
	[SET_SAMPLE_MODE] = { "sample_mode", NULL, SETTING_TEXT, SET_UNIT },
	[SET_FRAMES] = { "frames", SETTING_FRAMES, SETTING_TEXT, SET_FRAMES },
	[SET_FRAME_MODE] = { "frame_mode", NULL, SETTING_TEXT, SET_FRAMES },
	[SET_PERIODIC_FRAME] = { "periodic_frame", NULL, SETTING_NUMBER, SET_FRAMES },
	[SET_PERIODIC_MIN_FRAME] = { "periodic_min_frame", NULL, SETTING_NUMBER, SET_FRAMES },
	[SET_FRAME_LIST] = { "frame_list", NULL, SETTING_NUMBERS, SET_FRAMES },
	[SET_FRAME_SERIALIZATION] = { "frame_serialization", NULL, SETTING_BOOL,
				      SET_FRAME_SERIALIZATION },
	[SET_LAYER] = { "layer", NULL, SETTING_TEXT, SET_LAYER },
};

static enum setting find(const char *name)
{
	enum setting i = 0;

	while (i < SET_COUNT && strcmp(setting_keys[i].name, name))
		i++;
	return i;
}

/** sources_free() - Free settings. */
void sources_free(struct given given[SET_COUNT])
{
	for (int i = 0; i < SET_COUNT; i++) {
		free(given[i].text);
		given[i].text = NULL;
	}
}

/** sources_no_memory() - Say that there is no memory for settings. Return: %false. */
bool sources_no_memory(void)
{
	say("there is no memory for the settings; nothing is profiled");
	return false;
}

/**
 * sources_append() - Append a value to a text
 * @text: The text, to be freed. If it is %NULL, it becomes a copy of the value. Otherwise a comma
 *	is between them.
 * @value: The value.
 *
 * Return: Whether there was memory. Otherwise there was a message that says so.
 */
bool sources_append(char **text, const char *value)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *text ? *text : "", *text ? "," : "", value) < 0)
		return sources_no_memory();
	free(*text);
	*text = longer;
	return true;
}

/* Settings of a source take the place of those before it. */
static bool merge(struct given given[SET_COUNT], struct given own[SET_COUNT])
{
	for (int i = 0; i < SET_COUNT; i++) {
		const enum setting group = setting_keys[i].group;

		if (!own[i].text || (int)group == i || !own[group].text)
			continue;
		say("%s and %s say the same in other words; nothing is profiled",
		    own[group].where, setting_keys[i].name);
		sources_free(own);
		return false;
	}
	for (int i = 0; i < SET_COUNT; i++) {
		for (int k = 0; k < SET_COUNT && own[i].text; k++) {
			if (setting_keys[k].group != setting_keys[i].group)
				continue;
			free(given[k].text);
			given[k].text = NULL;
		}
	}
	for (int i = 0; i < SET_COUNT; i++) {
		if (own[i].text)
			given[i] = own[i];
		own[i].text = NULL;
	}
	return true;
}

/* ---- The environment ---- */

/* Is a text of the environment a variable of the layer that it does not have? */
static bool is_unknown(const char *text)
{
	static const char *const others[] = { SETTING_FILE, SETTING_DISABLE };
	const size_t length = strcspn(text, "=");

	if (strncmp(text, SETTING_MODE, strlen(SETTING_MODE)) || !text[length] ||
	    !text[length + 1])
		return false;
	for (int i = 0; i < SET_COUNT; i++) {
		const char *name = setting_keys[i].variable;

		if (name && strlen(name) == length && !strncmp(name, text, length))
			return false;
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		if (strlen(others[i]) == length && !strncmp(others[i], text, length))
			return false;
	}
	return true;
}

/**
 * sources_add_environment() - Add what variables say
 * @given: The settings.
 *
 * An empty variable is not set.
 *
 * Return: Whether there is no error, for which there was a message otherwise.
 */
bool sources_add_environment(struct given given[SET_COUNT])
{
	struct given own[SET_COUNT] = { 0 };

	for (char **at = environ; *at; at++) {
		if (!is_unknown(*at))
			continue;
		say("there is no variable %.*s; nothing is profiled", (int)strcspn(*at, "="), *at);
		return false;
	}

	for (int i = 0; i < SET_COUNT; i++) {
		const char *name = setting_keys[i].variable, *text = name ? getenv(name) : NULL;

		if (!text || !*text)
			continue;
		if (!sources_append(&own[i].text, text)) {
			sources_free(own);
			return false;
		}
		snprintf(own[i].where, sizeof(own[i].where), "%s", name);
	}
	return merge(given, own);
}

/* ---- VK_EXT_layer_settings ---- */

/* A value as a text. Fails for what no setting can be. */
static bool print_value(const struct layer_setting *setting, uint32_t i, char text[32])
{
	switch (setting->type) {
	case VALUE_BOOL:
		snprintf(text, 32, "%s",
			 ((const VkBool32 *)setting->values)[i] ? "true" : "false");
		return true;
	case VALUE_INT32:
		snprintf(text, 32, "%" PRId32, ((const int32_t *)setting->values)[i]);
		return true;
	case VALUE_INT64:
		snprintf(text, 32, "%" PRId64, ((const int64_t *)setting->values)[i]);
		return true;
	case VALUE_UINT32:
		snprintf(text, 32, "%" PRIu32, ((const uint32_t *)setting->values)[i]);
		return true;
	case VALUE_UINT64:
		snprintf(text, 32, "%" PRIu64, ((const uint64_t *)setting->values)[i]);
		return true;
	default:
		return false;
	}
}

static bool add_setting(struct given own[SET_COUNT], const struct layer_setting *setting)
{
	const enum setting key = find(setting->name);
	char number[32];

	if (key == SET_COUNT) {
		say("%s: there is no setting '%s'; nothing is profiled", setting->layer,
		    setting->name);
		return false;
	}
	free(own[key].text);
	own[key].text = NULL;
	snprintf(own[key].where, sizeof(own[key].where), "%s: %s", setting->layer, setting->name);
	for (uint32_t i = 0; i < setting->count; i++) {
		const char *text = number;

		if (setting->type == VALUE_STRING) {
			text = ((const char *const *)setting->values)[i];
		} else if (!print_value(setting, i, number)) {
			say("%s has a type that no setting has; nothing is profiled",
			    own[key].where);
			return false;
		}
		if (!sources_append(&own[key].text, text))
			return false;
	}
	return own[key].text || sources_append(&own[key].text, "");
}

/**
 * sources_add_chain() - Add what an application says by VK_EXT_layer_settings
 * @given: The settings.
 * @chain: Chain of vkCreateInstance().
 *
 * Return: Whether there is no error, for which there was a message otherwise.
 */
bool sources_add_chain(struct given given[SET_COUNT], const void *chain)
{
	struct given own[SET_COUNT] = { 0 };

	for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
		const struct layer_settings *all = (const void *)at;

		if (at->sType != LAYER_SETTINGS)
			continue;
		for (uint32_t i = 0; i < all->count; i++) {
			const struct layer_setting *setting = &all->settings[i];

			if (strcmp(setting->layer, PERF_LAYER) &&
			    strcmp(setting->layer, QUERY_LAYER))
				continue;
			if (!add_setting(own, setting)) {
				sources_free(own);
				return false;
			}
		}
	}
	return merge(given, own);
}

/* ---- The file ---- */

static bool refuse(const char *where, const char *wanted)
{
	say("%s: %s is expected; nothing is profiled", where, wanted);
	return false;
}

static bool add_number(struct given *given, struct json_object *value, const char *wanted)
{
	char number[32];

	if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
		return refuse(given->where, wanted);
	snprintf(number, sizeof(number), "%" PRId64, json_object_get_int64(value));
	return sources_append(&given->text, number);
}

static bool add_value(struct given *given, enum setting_type type, struct json_object *value)
{
	switch (type) {
	case SETTING_TEXT:
		if (!json_object_is_type(value, json_type_string))
			return refuse(given->where, "a string");
		return sources_append(&given->text, json_object_get_string(value));
	case SETTING_NUMBER:
		return add_number(given, value, "a number that is not negative");
	case SETTING_NUMBERS:
		if (!json_object_is_type(value, json_type_array))
			return refuse(given->where, "a list of numbers");
		for (size_t i = 0; i < json_object_array_length(value); i++) {
			if (!add_number(given, json_object_array_get_idx(value, i),
					"a list of numbers"))
				return false;
		}
		return given->text || sources_append(&given->text, "");
	case SETTING_BOOL:
		if (!json_object_is_type(value, json_type_boolean))
			return refuse(given->where, "true or false");
		return sources_append(&given->text,
				      json_object_get_boolean(value) ? "true" : "false");
	}
	return false;
}

static bool add_members(struct given own[SET_COUNT], const char *path, struct json_object *object)
{
	struct json_object_iterator at = json_object_iter_begin(object);
	const struct json_object_iterator end = json_object_iter_end(object);

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);
		const enum setting key = find(name);

		if (key == SET_COUNT) {
			say("%s: there is no setting '%s'; nothing is profiled", path, name);
			return false;
		}
		snprintf(own[key].where, sizeof(own[key].where), "%.80s: %s", path, name);
		if (!add_value(&own[key], setting_keys[key].type,
			       json_object_iter_peek_value(&at)))
			return false;
	}
	return true;
}

/* The text of the file, to be freed. %NULL: it cannot be read, which was reported. */
static char *read_file(const char *path, size_t *size)
{
	char *text = malloc(MAX_FILE + 1);
	FILE *file = text ? fopen(path, "re") : NULL;
	bool failed = true;

	if (file) {
		*size = fread(text, 1, MAX_FILE + 1, file);
		failed = ferror(file) || *size > MAX_FILE;
		fclose(file);
	}
	if (!failed)
		return text;
	say("%s: the file cannot be read (%s); nothing is profiled", path,
	    file && *size > MAX_FILE ? "it is too long" : strerror(errno));
	free(text);
	return NULL;
}

static unsigned int line_of(const char *text, size_t size)
{
	unsigned int line = 1;

	for (size_t i = 0; i < size; i++)
		line += text[i] == '\n';
	return line;
}

static bool is_space(const char *text, size_t at, size_t size)
{
	while (at < size && strchr(" \t\r\n", text[at]) && text[at])
		at++;
	return at == size;
}

static const char *error_of(struct json_tokener *tokener)
{
	const enum json_tokener_error error = json_tokener_get_error(tokener);

	return error == json_tokener_continue ? "the end is missing" :
						json_tokener_error_desc(error);
}

/**
 * sources_add_file() - Add what a file says
 * @given: The settings.
 * @path: The file: a JSON object.
 *
 * Return: Whether there is no error, for which there was a message otherwise.
 */
bool sources_add_file(struct given given[SET_COUNT], const char *path)
{
	struct given own[SET_COUNT] = { 0 };
	struct json_object *object = NULL;
	struct json_tokener *tokener;
	size_t size = 0;
	char *text = read_file(path, &size);
	bool right = false;

	if (!text)
		return false;
	tokener = json_tokener_new();
	if (tokener)
		object = json_tokener_parse_ex(tokener, text, size);
	if (!tokener)
		say("there is no memory to read %s; nothing is profiled", path);
	else if (!object)
		say("%s:%u: %s; nothing is profiled", path,
		    line_of(text, json_tokener_get_parse_end(tokener)), error_of(tokener));
	else if (!is_space(text, json_tokener_get_parse_end(tokener), size))
		say("%s:%u: there is more behind the JSON object; nothing is profiled", path,
		    line_of(text, json_tokener_get_parse_end(tokener)));
	else if (!json_object_is_type(object, json_type_object))
		refuse(path, "a JSON object");
	else
		right = add_members(own, path, object);
	json_object_put(object);
	if (tokener)
		json_tokener_free(tokener);
	free(text);
	if (right)
		return merge(given, own);
	sources_free(own);
	return false;
}
