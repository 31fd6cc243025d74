/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_TABLE_H
#define PANTHOR_PERF_TABLE_H

#include "panthor_perf_counters.h"

/** define TABLE_MAX_WORDS - counters of the largest block that a table may have */
#define TABLE_MAX_WORDS		1024

/** define TABLE_MAX_FORMULAS - derived counters, and definitions, of a table */
#define TABLE_MAX_FORMULAS	4096

/** define TABLE_MAX_OPS - operations of all formulas of a table */
#define TABLE_MAX_OPS		262144

/** define TABLE_MAX_PRODUCTS - names of GPUs of a table */
#define TABLE_MAX_PRODUCTS	256

/** define TABLE_MAX_NAME - bytes of the longest name */
#define TABLE_MAX_NAME		63

/** define TABLE_FIRST_INDEX - the counters below it are the header of a block */
#define TABLE_FIRST_INDEX	4

/** define TABLE_SETS - number of counter sets */
#define TABLE_SETS		3

/** define TABLE_TYPES - block types, 0 included */
#define TABLE_TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

/** struct table_product - a GPU that a table is for */
struct table_product {
	/** @arch_major: Major number of its architecture. */
	unsigned int arch_major;

	/** @product_major: Number of the product. */
	unsigned int product_major;

	/** @below: The name holds for fewer cores than this; 0: for any number. */
	unsigned int below;

	/** @name: The name. */
	const char *name;

	/** @line: Where it stands. */
	unsigned int line;
};

/** struct table_list - the counters of a kind */
struct table_list {
	/** @counters: The counters. */
	struct panthor_perf_counter *counters;

	/** @count: Their number. */
	uint32_t count;

	/** @room: Elements that @counters has room for. */
	uint32_t room;
};

/** struct table_slot - an entry of the index of names */
struct table_slot {
	/** @name: The name; %NULL: the slot is free. */
	const char *name;

	/** @kind: Kind of the counter. */
	uint8_t kind;

	/** @is_source: @name is the counter's source. */
	bool is_source;

	/** @number: Number of the counter among those of @kind. */
	uint32_t number;
};

/** struct panthor_perf_table - what the counters of a GPU mean */
struct panthor_perf_table {
	/** @users: Selections, values and formulas that need it. */
	unsigned int users;

	/** @text: The text that it was made of, with a 0 behind it. */
	char *text;

	/** @size: Bytes of @text. */
	size_t size;

	/** @strings: A copy of @text, with zeroes behind the words that counters point to. */
	char *strings;

	/** @file: File that it was read from; "": none. */
	char *file;

	/** @name: Name of the table. */
	const char *name;

	/** @words: Counters of a block. */
	unsigned int words;

	/** @products: GPUs that the table is for. */
	struct table_product products[TABLE_MAX_PRODUCTS];

	/** @product_count: Number of @products. */
	unsigned int product_count;

	/** @lists: Counters by kind. */
	struct table_list lists[PANTHOR_PERF_COUNTER_KINDS];

	/** @op_count: Operations of all formulas. */
	uint32_t op_count;

	/** @slots: Index of names, a hash by name in any case. */
	struct table_slot *slots;

	/** @slot_count: Number of @slots, a power of two. */
	uint32_t slot_count;

	/** @slots_used: Number of @slots that are used. */
	uint32_t slots_used;

	/** @places: By table_place(): number of the hardware counter + 1; 0: none. */
	uint32_t *places;
};

#pragma GCC visibility push(hidden)

/* The texts that are compiled in, and what stands behind them. */
extern const char table_text_G1[], table_end_G1[];
extern const char table_text_G2[], table_end_G2[];
extern const char table_text_G710[], table_end_G710[];
extern const char table_text_G715[], table_end_G715[];
extern const char table_text_G720[], table_end_G720[];
extern const char table_text_G725[], table_end_G725[];

#pragma GCC visibility pop

/**
 * table_place() - Where in &panthor_perf_table.places a counter is
 * @table: The table.
 * @set: Counter set.
 * @type: Block type.
 * @index: Index in the block.
 *
 * Return: The position.
 */
static inline size_t table_place(const struct panthor_perf_table *table, unsigned int set,
				 unsigned int type, unsigned int index)
{
	return ((size_t)type * TABLE_SETS + set) * table->words + index;
}

/**
 * table_index() - Add a name of a counter to the index
 * @table: The table.
 * @counter: The counter, in its list already.
 * @is_source: Add its source rather than its name.
 *
 * Return: 0; -EEXIST if there is such a name, or such a source; -ENOMEM.
 */
int table_index(struct panthor_perf_table *table, const struct panthor_perf_counter *counter,
		bool is_source);

/**
 * table_reindex() - Rebuild the index of names, after counters have moved
 * @table: The table.
 */
void table_reindex(struct panthor_perf_table *table);

/**
 * table_find() - Find a counter or definition
 * @table: The table.
 * @name: Its name, or source; in any case.
 * @size: Bytes of @name.
 * @defines: Whether definitions are to be found.
 *
 * Of several the one wins whose name is right to the case, then its source, then name and source
 * in any case.
 *
 * Return: The counter; %NULL if there is none.
 */
const struct panthor_perf_counter *table_find(const struct panthor_perf_table *table,
					      const char *name, size_t size, bool defines);

/**
 * table_nearest() - The counter that was probably meant
 * @table: The table.
 * @name: The name.
 * @size: Bytes of @name.
 * @defines: Whether definitions count.
 *
 * Return: The counter; %NULL if none is similar.
 */
const struct panthor_perf_counter *table_nearest(const struct panthor_perf_table *table,
						 const char *name, size_t size, bool defines);

/**
 * table_unit() - Find a unit
 * @name: Its name.
 * @size: Bytes of @name.
 *
 * Return: Its name; %NULL if there is none.
 */
const char *table_unit(const char *name, size_t size);

#endif /* PANTHOR_PERF_TABLE_H */
