/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_EVENTS_H
#define PANTHOR_PERF_EVENTS_H

#include <stdio.h>

#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

/**
 * struct gpu_view - a GPU, and what its counters mean
 */
struct gpu_view {
	/** @object: What the library knows of it. */
	const struct panthor_perf_gpu *object;

	/** @info: Counter configuration. */
	struct drm_panthor_perf_info info;

	/** @gpu: Features. */
	struct drm_panthor_gpu_info gpu;

	/** @gpu_id: GPU_ID, 0 for one that is not known. */
	uint64_t gpu_id;

	/** @table: What the counters mean; %NULL if there is no table. */
	const struct panthor_perf_table *table;

	/** @set: The selected counter set. */
	unsigned int set;
};

/**
 * struct event - something to show: a counter or a derived counter
 */
struct event {
	/** @counter: What the table says; %NULL for a counter that it does not know. */
	const struct panthor_perf_counter *counter;

	/** @type: Block type of a counter; 0 for a derived one. */
	unsigned int type;

	/** @index: Index of a counter in the block. */
	unsigned int index;

	/** @named: Selected by name or number, not by a pattern: is shown where it is 0 too. */
	bool named;

	/** @name: Its name; BLOCK:INDEX without a table. */
	char name[64];
};

/**
 * struct event_list - what is to be shown, in this order
 */
struct event_list {
	/** @view: The GPU. */
	const struct gpu_view *view;

	/** @selection: The counters that have to be read for it. */
	struct panthor_perf_selection *selection;

	/** @events: The events. */
	struct event *events;

	/** @count: Their number. */
	size_t count;
};

/**
 * table_hardware() - A hardware counter by its number
 * @table: The table.
 * @number: The number, from 0.
 *
 * Return: The counter; %NULL if there are not so many.
 */
const struct panthor_perf_counter *table_hardware(const struct panthor_perf_table *table,
						  uint32_t number);

/**
 * table_derived() - A derived counter by its number
 * @table: The table.
 * @number: The number, from 0.
 *
 * Return: The counter; %NULL if there are not so many.
 */
const struct panthor_perf_counter *table_derived(const struct panthor_perf_table *table,
						 uint32_t number);

/**
 * events_init() - Begin with nothing
 * @list: The list.
 * @view: The GPU. Must stay.
 *
 * Return: 0; -ENOMEM.
 */
int events_init(struct event_list *list, const struct gpu_view *view);

/**
 * events_add() - Add the counters that a user selects
 * @list: The list.
 * @text: As for panthor_perf_selection_add().
 * @error: The error in @text.
 *
 * Events that are in the list already are not added again.
 *
 * Return: 0; -EINVAL with a message; -ENOMEM.
 */
int events_add(struct event_list *list, const char *text, struct panthor_perf_error *error);

/**
 * events_add_summary() - Add the most important derived counters
 * @list: The list.
 *
 * Adds all derived counters if the table marks none, and nothing without a table.
 *
 * Return: 0; -ENOMEM.
 */
int events_add_summary(struct event_list *list);

/**
 * events_add_derived() - Add all derived counters
 * @list: The list.
 *
 * Return: 0; -ENOMEM.
 */
int events_add_derived(struct event_list *list);

/**
 * events_add_counters() - Add all counters of all blocks
 * @list: The list.
 *
 * Return: 0; -ENOMEM.
 */
int events_add_counters(struct event_list *list);

/**
 * events_has_names() - Are names of counters known for this GPU and this set?
 * @view: The GPU.
 *
 * Return: Whether they are.
 */
bool events_has_names(const struct gpu_view *view);

/**
 * events_fini() - Free a list
 * @list: The list.
 */
void events_fini(struct event_list *list);

/**
 * event_unit() - Unit of an event
 * @event: The event.
 *
 * Return: The unit, "" if it is not known.
 */
const char *event_unit(const struct event *event);

/**
 * event_title() - What an event means
 * @event: The event.
 *
 * Return: The words, "" if it is not known.
 */
const char *event_title(const struct event *event);

/**
 * print_meaning() - Print what an event means, and where a counter that has a name is found
 * @out: Where to.
 * @event: The event.
 * @columns: Columns that are left in the line. The words are cut if they are too long.
 */
void print_meaning(FILE *out, const struct event *event, int columns);

/**
 * event_is_derived() - Is it a derived counter?
 * @event: The event.
 *
 * Return: Whether it is.
 */
bool event_is_derived(const struct event *event);

/**
 * event_block_type() - Block type by whose instances an event can be shown
 * @event: The event.
 * @view: The GPU.
 *
 * A derived counter of one type of blocks, with counters of the front end and the tiler beside it,
 * has a value for each block of that type.
 *
 * Return: The block type; 0 if there is none.
 */
unsigned int event_block_type(const struct event *event, const struct gpu_view *view);

/**
 * event_block_count() - Number of blocks by whose instances an event can be shown
 * @event: The event.
 * @view: The GPU.
 *
 * Return: The number of blocks of event_block_type().
 */
unsigned int event_block_count(const struct event *event, const struct gpu_view *view);

/**
 * pattern_matches() - Does a name match a pattern of the user?
 * @pattern: A name or a pattern with *, ? or [], in any case.
 * @name: The name; may be %NULL, which matches nothing.
 *
 * Return: Whether it does.
 */
bool pattern_matches(const char *pattern, const char *name);

/**
 * is_pattern() - Is it a pattern?
 * @text: A name or a pattern.
 *
 * Return: Whether it has one of *, ? and [.
 */
bool is_pattern(const char *text);

#endif /* PANTHOR_PERF_EVENTS_H */
