/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_TOP_H
#define PANTHOR_PERF_TOP_H

#include "counters/limit.h"
#include "counters/values.h"

/**
 * enum top_list - what top shows
 */
enum top_list {
	/** @TOP_EVENTS: The counters of -e. */
	TOP_EVENTS,

	/** @TOP_SUMMARY: The most important derived counters. */
	TOP_SUMMARY,

	/** @TOP_DERIVED: All derived counters. */
	TOP_DERIVED,

	/** @TOP_COUNTERS: All counters. */
	TOP_COUNTERS,

	/** @TOP_LISTS: Number of lists. */
	TOP_LISTS,
};

/**
 * enum top_sort - in which order
 */
enum top_sort {
	/** @TOP_BY_TABLE: In that of the table. */
	TOP_BY_TABLE,

	/** @TOP_BY_VALUE: The largest first: percentages, then other values, then none. */
	TOP_BY_VALUE,

	/** @TOP_BY_NAME: By name. */
	TOP_BY_NAME,

	/** @TOP_SORTS: Number of orders. */
	TOP_SORTS,
};

/**
 * struct top_row - a line
 */
struct top_row {
	/** @event: What it shows. */
	const struct event *event;

	/** @number: Position in the list. */
	size_t number;

	/** @instance: Number of a block, or %VALUE_SUM. */
	int instance;

	/** @value: Its value. */
	struct value value;

	/** @sum: The value of all blocks, by which lines are sorted. */
	struct value sum;

	/** @full: The value of a full bar. */
	double full;
};

/**
 * struct top - what top shows, without the terminal
 */
struct top {
	/** @view: The GPU. */
	const struct gpu_view *view;

	/** @gpu: Name of the GPU. */
	const char *gpu;

	/** @device: Path of its node. */
	const char *device;

	/** @lists: What can be shown. */
	struct event_list lists[TOP_LISTS];

	/** @list: What is shown, one of &enum top_list. */
	unsigned int list;

	/** @sort: The order, one of &enum top_sort. */
	unsigned int sort;

	/** @reverse: The other way round. */
	bool reverse;

	/** @instances: With a line per block. */
	bool instances;

	/** @zero: Counters that are 0 are shown, too. */
	bool zero;

	/** @paused: The values stay as they are. */
	bool paused;

	/** @filter: What names and titles are searched for; "" for nothing. */
	char filter[64];

	/** @values: The values of the sample that is shown. */
	struct values values;

	/** @limits: What limits the load in that sample. */
	struct limits limits;

	/** @has_sample: There is one. */
	bool has_sample;

	/** @peaks: By list and event, the largest value so far. */
	double *peaks[TOP_LISTS];

	/** @rows: The lines. */
	struct top_row *rows;

	/** @row_count: Their number. */
	size_t row_count;

	/** @row_room: Lines that there is room for. */
	size_t row_room;
};

/**
 * top_init() - Begin with nothing to show
 * @top: The state, with @view, @gpu and @device set.
 * @events: The counters of -e; %NULL: none. Its events are taken over.
 *
 * Return: 0; -ENOMEM.
 */
int top_init(struct top *top, struct event_list *events);

/**
 * top_set() - Take in a sample
 * @top: The state.
 * @sample: The sample. Its data must stay until the next one is taken in.
 */
void top_set(struct top *top, const struct panthor_perf_sample *sample);

/**
 * top_update() - Rebuild the lines
 * @top: The state.
 *
 * Return: 0; -ENOMEM.
 */
int top_update(struct top *top);

/**
 * top_next_list() - Show the next list that has something
 * @top: The state.
 */
void top_next_list(struct top *top);

/**
 * top_fini() - Free what was allocated
 * @top: The state.
 */
void top_fini(struct top *top);

/**
 * top_list_name() - Name of a list
 * @list: One of &enum top_list.
 *
 * Return: The name.
 */
const char *top_list_name(unsigned int list);

/**
 * top_sort_name() - Name of an order
 * @sort: One of &enum top_sort.
 *
 * Return: The name.
 */
const char *top_sort_name(unsigned int sort);

/**
 * struct screen - the terminal
 */
struct screen {
	/** @color: With colours. */
	bool color;

	/** @help: The keys are explained instead. */
	bool help;

	/** @typing: The filter is being typed. */
	bool typing;

	/** @typed: What was typed of it. */
	char typed[64];

	/** @scroll: First line that is shown. */
	size_t scroll;

	/** @limit_lines: Lines below the verdict for limits: the most that were needed. */
	int limit_lines;

	/** @handle: Of ncurses. */
	void *handle;
};

/**
 * screen_open() - Take over the terminal
 * @screen: The terminal, with @color set.
 *
 * Return: 0; -ENOTTY if there is none that serves.
 */
int screen_open(struct screen *screen);

/**
 * screen_close() - Give the terminal back as it was
 * @screen: The terminal.
 */
void screen_close(struct screen *screen);

/**
 * screen_draw() - Draw everything
 * @screen: The terminal.
 * @top: What there is to draw.
 */
void screen_draw(struct screen *screen, const struct top *top);

/**
 * screen_keys() - Act on the keys that were pressed
 * @screen: The terminal.
 * @top: What they change.
 *
 * Return: 1 if the user wants to leave; 0; -ENOMEM.
 */
int screen_keys(struct screen *screen, struct top *top);

#endif /* PANTHOR_PERF_TOP_H */
