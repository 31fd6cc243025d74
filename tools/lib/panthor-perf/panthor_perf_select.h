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
 * A selection collects the counters that are wanted, by name or by place, for
 * &panthor_perf_session_config.selection::
 *
 *	panthor_perf_selection_create()
 *	panthor_perf_selection_add()		"MaliGPUActiveCy,shader:4-9"
 *	panthor_perf_selection_item()		what was selected, in this order
 *	panthor_perf_selection_destroy()
 *
 * The text is a list of items, separated by commas:
 *
 * ==============  ================================================================
 * NAME            a hardware or derived counter of the table, in any case
 * PATTERN         all counters of the table whose name matches: with * ? and [...]
 * @GROUP          the derived counters of a group of the table: the beginning of its name, of which
 *                 only letters and digits count, in any case
 * @default        the derived counters that are shown by default
 * BLOCK:INDEX     a counter by its place: the name of a block type and a number
 * BLOCK:A-B       the counters from A to B
 * BLOCK:*         all counters of the blocks of this type
 * ==============  ================================================================
 *
 * A derived counter enables the hardware counters that its formula needs. Each counter that was
 * selected is an item of the selection, once, whether it has a name or not. A selection may be used
 * by one thread at a time.
 */

/** define PANTHOR_PERF_FIRST_COUNTER - the first counter of a block that counts */
#define PANTHOR_PERF_FIRST_COUNTER	4

/** define PANTHOR_PERF_MAX_COUNTERS - counters of a block beyond which a selection does not go */
#define PANTHOR_PERF_MAX_COUNTERS	1024

/**
 * struct panthor_perf_item - a counter that was selected
 *
 * The library provides it. Later versions may add members at the end.
 */
struct panthor_perf_item {
	/** @name: Its name; BLOCK:INDEX if the table does not know it. */
	const char *name;

	/** @counter: What the table says about it; %NULL if it does not know it. */
	const struct panthor_perf_counter *counter;

	/** @type: One of &enum drm_panthor_perf_block_type; 0 for a derived counter. */
	unsigned int type;

	/** @index: Index in the block; 0 for a derived counter. */
	unsigned int index;

	/** @by_pattern: It was selected by patterns, groups, ranges or BLOCK:* alone. */
	bool by_pattern;
};

/**
 * panthor_perf_selection_create() - Begin to select counters
 * @gpu: The GPU. Must outlive the selection.
 * @table: Table of the GPU; %NULL: none, and then there are no names. Must outlive the selection.
 * @counter_set: Counter set of the session, one of &enum drm_panthor_perf_counter_set.
 * @selection: Where the empty selection is returned. To be destroyed.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_selection_create(const struct panthor_perf_gpu *gpu,
				  const struct panthor_perf_table *table, unsigned int counter_set,
				  struct panthor_perf_selection **selection,
				  struct panthor_perf_error *error);

/**
 * panthor_perf_selection_destroy() - Free a selection
 * @selection: The selection. May be %NULL.
 */
void panthor_perf_selection_destroy(struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_add() - Select the counters of a text
 * @selection: The selection.
 * @text: The items, separated by commas.
 * @error: What is wrong, with the column of @text. May be %NULL.
 *
 * Counters of a pattern or group that the GPU does not have, or that are of another counter set,
 * are left out; a pattern or group that leaves none is an error.
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
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -EINVAL if the GPU has no such counter; -ENOMEM.
 */
int panthor_perf_selection_add_counter(struct panthor_perf_selection *selection, unsigned int type,
				       unsigned int index, struct panthor_perf_error *error);

/**
 * panthor_perf_selection_add_all() - Select all counters of all blocks of the GPU
 * @selection: The selection.
 * @error: What is wrong. May be %NULL.
 *
 * They are selected as by patterns.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_selection_add_all(struct panthor_perf_selection *selection,
				   struct panthor_perf_error *error);

/**
 * panthor_perf_selection_add_sections() - Select the counters of sections
 * @selection: The selection.
 * @sections: Elements that begin with a struct drm_panthor_perf_section of the kernel.
 * @section_size: Bytes of an element.
 * @count: Their number.
 * @error: What is wrong. May be %NULL.
 *
 * For samples that were saved with the sections of their session. Counters that the GPU does not
 * have, and types that the library does not know, are left out.
 *
 * Return: 0; -EINVAL if an element is smaller than that structure; -ENOMEM.
 */
int panthor_perf_selection_add_sections(struct panthor_perf_selection *selection,
					const void *sections, size_t section_size, size_t count,
					struct panthor_perf_error *error);

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
 * panthor_perf_selection_count() - Number of enabled counters of a block type
 * @selection: The selection.
 * @type: Block type.
 *
 * Return: The number, per block.
 */
unsigned int panthor_perf_selection_count(const struct panthor_perf_selection *selection,
					  unsigned int type);

/**
 * panthor_perf_selection_counter_set() - Counter set of a selection
 * @selection: The selection.
 *
 * Return: One of &enum drm_panthor_perf_counter_set.
 */
unsigned int panthor_perf_selection_counter_set(const struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_gpu() - GPU of a selection
 * @selection: The selection.
 *
 * Return: The GPU.
 */
const struct panthor_perf_gpu *
panthor_perf_selection_gpu(const struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_table() - Table of a selection
 * @selection: The selection.
 *
 * Return: The table; %NULL if there is none.
 */
const struct panthor_perf_table *
panthor_perf_selection_table(const struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_sections() - A selection as the kernel takes it
 * @selection: The selection.
 * @sections: Where elements are written that begin with a struct drm_panthor_perf_section of the
 *	kernel, sorted by type and counter. May be %NULL if @count is 0.
 * @section_size: Bytes of an element. The rest of an element is set to 0.
 * @count: Elements at @sections.
 *
 * Return: Number of sections of the selection. If it is above @count, the rest was not written.
 */
size_t panthor_perf_selection_sections(const struct panthor_perf_selection *selection,
				       void *sections, size_t section_size, size_t count);

/**
 * panthor_perf_selection_sample_size() - Size of compact samples of a selection
 * @selection: The selection.
 *
 * Return: Bytes of each sample; 0 if that is more than this machine can hold.
 */
size_t panthor_perf_selection_sample_size(const struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_item_count() - Number of counters that were selected
 * @selection: The selection.
 *
 * Return: The number of items. Counters that only a formula needs are not among them.
 */
size_t panthor_perf_selection_item_count(const struct panthor_perf_selection *selection);

/**
 * panthor_perf_selection_item() - A counter that was selected
 * @selection: The selection.
 * @number: Its number, from 0: items are in the order in which they were selected first, those of a
 *	pattern in that of the table, hardware counters first, those of a range by index.
 *
 * Return: The item, valid until the selection is changed or destroyed; %NULL if there are not so
 * many.
 */
const struct panthor_perf_item *
panthor_perf_selection_item(const struct panthor_perf_selection *selection, size_t number);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_SELECTION_H */
