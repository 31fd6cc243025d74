/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_SELECT_H
#define PANTHOR_PERF_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include <panthor_perf.h>

/** define FIRST_COUNTER - the first counter of a block that counts */
#define FIRST_COUNTER		4

/** define MAX_COUNTERS - counters of a block beyond which a selection does not go */
#define MAX_COUNTERS		1024

/** define MAX_SECTIONS - sections that the largest selection takes */
#define MAX_SECTIONS		(DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT * MAX_COUNTERS / 64)

/**
 * struct selection - the counters that were asked for
 */
struct selection {
	/** @mask: By block type: bit n % 64 of word n / 64 is counter n. */
	uint64_t mask[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][MAX_COUNTERS / 64];

	/** @named: Those of @mask that were asked for by their number alone. */
	uint64_t named[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][MAX_COUNTERS / 64];
};

/**
 * selection_add() - Add counters to a selection
 * @selection: The selection.
 * @info: Counter configuration of the GPU.
 * @text: BLOCK:INDEX,... BLOCK is the name of a block type in any case, INDEX a
 *	number, a range A-B, or * for all.
 * @error: Where a message is written if @text is wrong.
 * @error_size: Bytes at @error.
 *
 * Return: 0, or -EINVAL with a message; the selection then is as it was.
 */
int selection_add(struct selection *selection, const struct drm_panthor_perf_info *info,
		  const char *text, char *error, size_t error_size);

/**
 * selection_add_all() - Add all counters of all blocks of the GPU
 * @selection: The selection.
 * @info: Counter configuration of the GPU.
 */
void selection_add_all(struct selection *selection, const struct drm_panthor_perf_info *info);

/**
 * selection_has() - Is a counter in a selection?
 * @selection: The selection.
 * @type: Block type.
 * @index: Index of the counter.
 *
 * Return: Whether it is.
 */
bool selection_has(const struct selection *selection, unsigned int type, unsigned int index);

/**
 * selection_is_named() - Was a counter asked for by its number alone?
 * @selection: The selection.
 * @type: Block type.
 * @index: Index of the counter.
 *
 * Return: Whether it was.
 */
bool selection_is_named(const struct selection *selection, unsigned int type, unsigned int index);

/**
 * selection_count() - Number of counters of a block type in a selection
 * @selection: The selection.
 * @type: Block type.
 *
 * Return: The number, per block.
 */
unsigned int selection_count(const struct selection *selection, unsigned int type);

/**
 * selection_sections() - A selection as the kernel takes it
 * @selection: The selection.
 * @sections: Where the sections are written, room for %MAX_SECTIONS.
 *
 * Return: Their number.
 */
size_t selection_sections(const struct selection *selection,
			  struct drm_panthor_perf_section *sections);

#endif /* PANTHOR_PERF_SELECT_H */
