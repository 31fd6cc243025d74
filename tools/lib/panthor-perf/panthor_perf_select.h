/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_SELECTION_H
#define PANTHOR_PERF_SELECTION_H

#include <panthor_perf.h>
#include <panthor_perf_counters.h>

#if defined(__cplusplus)
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * DOC: Selections
 *
 * A selection collects the counters that are wanted, by name or by place, and makes the sections of
 * them that a session is created with::
 *
 *	panthor_perf_selection_create()
 *	panthor_perf_selection_add()		"GPUActiveCy,shader:4-9"
 *	panthor_perf_selection_sections()	for &panthor_perf_session_config.sections
 *	panthor_perf_selection_counters()	counters selected by name, in this order
 *	panthor_perf_selection_free()
 *
 * The text is a list of items, separated by commas:
 *
 * ==============  ================================================================
 * NAME            a hardware or derived counter of the table, in any case
 * PATTERN         all counters of the table whose name matches: with * ? and [...]
 * BLOCK:INDEX     a counter by its place: the name of a block type and a number
 * BLOCK:A-B       the counters from A to B
 * BLOCK:*         all counters of the blocks of this type
 * ==============  ================================================================
 *
 * A derived counter brings the hardware counters that its formula needs. A selection may be used by
 * one thread at a time.
 */

/** define PANTHOR_PERF_FIRST_COUNTER - the first counter of a block that counts */
#define PANTHOR_PERF_FIRST_COUNTER	4

/** define PANTHOR_PERF_MAX_COUNTERS - counters of a block beyond which a selection does not go */
#define PANTHOR_PERF_MAX_COUNTERS	1024

/** struct panthor_perf_selection - the counters that are wanted; opaque */
struct panthor_perf_selection;

/**
 * panthor_perf_selection_create() - Begin to select counters
 * @info: Counter configuration of the GPU. Not used when the call has returned.
 * @table: Table of the GPU; %NULL: none, and then there are no names. Must outlive the selection.
 * @counter_set: Counter set of the session, one of &enum drm_panthor_perf_counter_set.
 * @selection: Where the empty selection is returned. To be freed.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_selection_create(const struct drm_panthor_perf_info *info,
				  const struct panthor_perf_table *table, unsigned int counter_set,
				  struct panthor_perf_selection **selection);

/**
 * panthor_perf_selection_free() - Free a selection
 * @selection: The selection. May be %NULL.
 */
void panthor_perf_selection_free(struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_add() - Select the counters of a text
 * @selection: The selection.
 * @text: The items, separated by commas.
 * @error: What is wrong, with the column of @text, when -EINVAL is returned. May be %NULL.
 *
 * Counters that a pattern matches and that the GPU does not have, or that are of another counter
 * set, are left out; a pattern that leaves none is an error.
 *
 * Return: 0; -EINVAL if @text is wrong; -ENOMEM. The selection is as it was then.
 */
int panthor_perf_selection_add(struct panthor_perf_selection *selection, const char *text,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_selection_add_counter() - Select a counter by its place
 * @selection: The selection.
 * @type: Block type.
 * @index: Index of the counter, %PANTHOR_PERF_FIRST_COUNTER or more.
 *
 * Return: 0; -EINVAL if the GPU has no such counter.
 */
int panthor_perf_selection_add_counter(struct panthor_perf_selection *selection, unsigned int type,
				       unsigned int index);

/**
 * panthor_perf_selection_add_all() - Select all counters of all blocks of the GPU
 * @selection: The selection.
 */
void panthor_perf_selection_add_all(struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_has() - Is a counter enabled by a selection?
 * @selection: The selection.
 * @type: Block type.
 * @index: Index of the counter.
 *
 * Return: Whether it is.
 */
bool panthor_perf_selection_has(const struct panthor_perf_selection *selection, unsigned int type,
				unsigned int index);

/**
 * panthor_perf_selection_is_named() - Was a counter selected by its number alone?
 * @selection: The selection.
 * @type: Block type.
 * @index: Index of the counter.
 *
 * Return: Whether it was: as BLOCK:INDEX, not as part of a range.
 */
bool panthor_perf_selection_is_named(const struct panthor_perf_selection *selection,
				     unsigned int type, unsigned int index);

/**
 * panthor_perf_selection_count() - Number of counters of a block type in a selection
 * @selection: The selection.
 * @type: Block type.
 *
 * Return: The number, per block.
 */
unsigned int panthor_perf_selection_count(const struct panthor_perf_selection *selection,
					  unsigned int type);

/**
 * panthor_perf_selection_sections() - A selection as a session takes it
 * @selection: The selection.
 * @count: Where the number of sections is returned.
 *
 * Return: The sections, sorted by type and counter, until the selection is changed or freed.
 */
const struct drm_panthor_perf_section *
panthor_perf_selection_sections(struct panthor_perf_selection *selection, size_t *count);

/**
 * panthor_perf_selection_counters() - Counters that were selected by name
 * @selection: The selection.
 * @count: Where the number of counters is returned.
 *
 * Return: The counters of the table, each once, in the order of their selection; those of
 * a pattern, in that of the table, hardware counters first. Valid until the selection is changed or
 * freed.
 */
const struct panthor_perf_counter *const *
panthor_perf_selection_counters(const struct panthor_perf_selection *selection, size_t *count);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_SELECTION_H */
