/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* What the user wants of the layer, see sources.h. */
#ifndef VULKAN_LAYER_SETTINGS_H
#define VULKAN_LAYER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define SETTING_MODE		"PANTHOR_PERF_LAYER"
#define SETTING_UNIT		"PANTHOR_PERF_LAYER_UNIT"
#define SETTING_COUNTERS	"PANTHOR_PERF_LAYER_COUNTERS"
#define SETTING_OUTPUT		"PANTHOR_PERF_LAYER_OUTPUT"
#define SETTING_FRAMES		"PANTHOR_PERF_LAYER_FRAMES"
#define SETTING_SIGNAL		"PANTHOR_PERF_LAYER_SIGNAL"
#define SETTING_CLOCKS		"PANTHOR_PERF_LAYER_CLOCKS"
#define SETTING_COLUMNS		"PANTHOR_PERF_LAYER_COLUMNS"
#define SETTING_INSTANCES	"PANTHOR_PERF_LAYER_INSTANCES"
#define SETTING_FILE		"PANTHOR_PERF_LAYER_CONFIG"
#define SETTING_DISABLE		"PANTHOR_PERF_LAYER_DISABLE"

/** enum unit_kind - what gets a row of its own */
enum unit_kind {
	/** @UNIT_SUBMISSION: A submission: an element of vkQueueSubmit. */
	UNIT_SUBMISSION,

	/** @UNIT_COMMAND_BUFFER: A primary command buffer of a submission. */
	UNIT_COMMAND_BUFFER,

	/** @UNIT_WORKLOAD: A dispatch, a transfer or a render pass instance. */
	UNIT_WORKLOAD,

	/** @UNIT_FRAME: All between the ends of two frames, in no order. */
	UNIT_FRAME,
};

/** enum output_format - what the file for the rows is */
enum output_format {
	/** @FORMAT_CSV: A line for each row, with a head. */
	FORMAT_CSV,

	/** @FORMAT_JSON: A JSON object on each line. */
	FORMAT_JSON,

	/** @FORMAT_PERFETTO: A trace for Perfetto. */
	FORMAT_PERFETTO,
};

/** enum layer_mode - what the layer does */
enum layer_mode {
	/** @MODE_OFF: It passes everything through. */
	MODE_OFF,

	/** @MODE_PROFILE: It counts units, and writes rows. */
	MODE_PROFILE,

	/** @MODE_QUERIES: The application has VK_KHR_performance_query. */
	MODE_QUERIES,
};

/** struct frame_range - frames to profile */
struct frame_range {
	/** @first: The first one. */
	uint64_t first;

	/** @last: The last one. */
	uint64_t last;

	/** @step: Every which of them. */
	uint64_t step;
};

/** struct settings - the settings of the process */
struct settings {
	/** @mode: What the layer does. */
	enum layer_mode mode;

	/** @unit: What gets a row. */
	enum unit_kind unit;

	/** @counters: A text for panthor_perf_selection_add(). */
	const char *counters;

	/** @output: The file for the rows, see settings_output(); %NULL: none. */
	char *output;

	/** @format: What the rows are. */
	enum output_format format;

	/** @arm: Columns of CSV are called as by Arm's libGPULayers. */
	bool arm;

	/** @instances: Rows have values of single blocks. */
	bool instances;

	/** @clock_mode: One of &enum drm_panthor_perf_clock_mode. */
	int clock_mode;

	/** @frames: Frames to profile. */
	struct frame_range *frames;

	/** @frame_ranges: Number of these; 0: all frames, or with @signal none. */
	unsigned int frame_ranges;

	/** @signal: A signal that selects a frame; 0: none. */
	int signal;
};

void settings_begin(const void *chain);
const struct settings *settings_get(void);
char *settings_output(void);
bool settings_are_ordered(void);
bool settings_frame(const struct settings *settings, uint64_t frame);

#endif
