/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* What the user gets: a row for each unit while the application runs, and a summary at its end. */
#ifndef VULKAN_LAYER_REPORT_H
#define VULKAN_LAYER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>

#include "pools.h"

struct report;

/** enum frame_state - whether the row of a frame has all of its own work, and nothing else */
enum frame_state {
	/** @FRAME_WHOLE: It has. This is so for other units. */
	FRAME_WHOLE,

	/** @FRAME_OVERLAPPED: The GPU may have begun it, or the next one, before the sample. */
	FRAME_OVERLAPPED,

	/** @FRAME_SHIFTED: Some work that came in a frame was counted in a later one. */
	FRAME_SHIFTED,

	/** @FRAME_UNFINISHED: The device was destroyed before the frame has ended. */
	FRAME_UNFINISHED,
};

/**
 * struct row - a unit that is counted
 */
struct row {
	/** @next: The next unit. */
	struct row *next;

	/** @number: Its number, from 1: the user data of the sample behind it. */
	uint64_t number;

	/** @frame: Its frame. */
	uint64_t frame;

	/** @device: Number of its device. */
	unsigned int device;

	/** @query: The query that it is. Then it has no row. */
	struct query query;

	/** @queue: Number of its queue. */
	unsigned int queue;

	/** @start_ns: Its begin, on CLOCK_MONOTONIC_RAW. Set by the report, as is the end. */
	uint64_t start_ns;

	/** @end_ns: Its end. */
	uint64_t end_ns;

	/** @opens: The next frame of its device is profiled, which begins with the sample. */
	bool opens;

	/** @closes: It is a frame that ends with the sample. */
	bool closes;

	/** @frame_state: Of a frame: whether it has all of its own work alone. */
	enum frame_state frame_state;

	/** @start: Of a frame: the start of the next one. May be %NULL. */
	struct frame_start *start;

	/** @types: Types of its workloads, see TYPE_BIT(). */
	uint32_t types;

	/** @label: Its labels. */
	const char *label;
};

struct report *report_create(const struct panthor_perf_selection *selection, const char *gpu);
void report_destroy(struct report *report);
void report_row(struct report *report, struct row *row,
		const struct panthor_perf_sample *sample);
void report_between(struct report *report, const struct panthor_perf_sample *sample);

#endif
