/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Where settings come from. Each is a text, whatever its type was there: numbers of a list are
 * separated by commas.
 */
#ifndef VULKAN_LAYER_SOURCES_H
#define VULKAN_LAYER_SOURCES_H

#include <stdbool.h>

/** enum setting - what can be set */
enum setting {
	/** @SET_MODE: What the layer does. */
	SET_MODE,

	/** @SET_COUNTERS: The counters. */
	SET_COUNTERS,

	/** @SET_OUTPUT: The file for rows. */
	SET_OUTPUT,

	/** @SET_SIGNAL: The signal that selects a frame. */
	SET_SIGNAL,

	/** @SET_CLOCKS: The clock mode. */
	SET_CLOCKS,

	/** @SET_COLUMNS: How columns are called. */
	SET_COLUMNS,

	/** @SET_INSTANCES: Whether rows have values of single blocks. */
	SET_INSTANCES,

	/** @SET_UNIT: What has a row. */
	SET_UNIT,

	/** @SET_SAMPLE_MODE: Likewise, in Arm's words. */
	SET_SAMPLE_MODE,

	/** @SET_FRAMES: The frames. */
	SET_FRAMES,

	/** @SET_FRAME_MODE: Which frames, in Arm's words. */
	SET_FRAME_MODE,

	/** @SET_PERIODIC_FRAME: Period of frames of mode "periodic". */
	SET_PERIODIC_FRAME,

	/** @SET_PERIODIC_MIN_FRAME: The first of these. */
	SET_PERIODIC_MIN_FRAME,

	/** @SET_FRAME_LIST: Frames of mode "list". */
	SET_FRAME_LIST,

	/** @SET_FRAME_SERIALIZATION: Frames do not overlap. */
	SET_FRAME_SERIALIZATION,

	/** @SET_LAYER: Name of the layer that a file is for. */
	SET_LAYER,

	/** @SET_COUNT: Their number. */
	SET_COUNT,
};

/** enum setting_type - what a setting is in a file */
enum setting_type {
	/** @SETTING_TEXT: A string. */
	SETTING_TEXT,

	/** @SETTING_NUMBER: A number that is not negative. */
	SETTING_NUMBER,

	/** @SETTING_NUMBERS: A list of such numbers. */
	SETTING_NUMBERS,

	/** @SETTING_BOOL: true or false. */
	SETTING_BOOL,
};

/**
 * struct setting_key - how a setting is called
 */
struct setting_key {
	/** @name: Name in files and of VK_EXT_layer_settings. */
	const char *name;

	/** @variable: Variable of the environment. %NULL: there is none. */
	const char *variable;

	/** @type: What it is in a file. */
	enum setting_type type;

	/** @group: The first setting of those that say the same in other words. */
	enum setting group;
};

/**
 * struct given - a setting that a source has
 */
struct given {
	/** @text: Its value. %NULL: it is not set. */
	char *text;

	/** @where: Name of it there, for messages. */
	char where[128];
};

extern const struct setting_key setting_keys[SET_COUNT];

bool sources_add_chain(struct given given[SET_COUNT], const void *chain);
bool sources_add_file(struct given given[SET_COUNT], const char *path);
bool sources_add_environment(struct given given[SET_COUNT]);
bool sources_no_memory(void);
bool sources_append(char **text, const char *value);
void sources_free(struct given given[SET_COUNT]);

#endif
