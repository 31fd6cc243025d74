/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_XML_DATABASE_H
#define PANTHOR_PERF_XML_DATABASE_H

#include <panthor_perf_counters.h>

/** struct xml_row - a row of a hardware layout */
struct xml_row {
	/** @source: Source name of the counter. */
	char *source;

	/** @products: Names of products, or of the file. */
	char *products;

	/** @type: Block type; 0: not known. */
	unsigned int type;

	/** @index: Index in the block. */
	unsigned int index;

	/** @shift: Bits to shift its value to the left. */
	unsigned int shift;
};

/** struct xml_info - a description of a counter; lists have a newline between their elements */
struct xml_info {
	/** @machine: Machine name. */
	char *machine;

	/** @sources: Source names and other names of it; %NULL: none. */
	char *sources;

	/** @title: Title; %NULL: none. */
	char *title;

	/** @unit: Unit; %NULL: none. */
	char *unit;

	/** @equation: Equation of a derived counter; %NULL: none. */
	char *equation;

	/** @group: Group; %NULL: none. */
	char *group;

	/** @products: Products that have it; %NULL: all. */
	char *products;
};

/** struct xml_product - a product */
struct xml_product {
	/** @name: Name. */
	char *name;

	/** @key: What its layout and its counters are called; %NULL: as @name. */
	char *key;

	/** @arch_major: Major number of its architecture. */
	unsigned int arch_major;

	/** @product_major: Number of the product. */
	unsigned int product_major;
};

/** struct xml_database - what was found in the files */
struct xml_database {
	/** @rows: Rows of layouts. */
	struct xml_row *rows;

	/** @row_count: Number of @rows. */
	size_t row_count;

	/** @infos: Descriptions. */
	struct xml_info *infos;

	/** @info_count: Number of @infos. */
	size_t info_count;

	/** @products: Products. */
	struct xml_product *products;

	/** @product_count: Number of @products. */
	size_t product_count;

	/** @out_of_memory: There was no memory for all. */
	bool out_of_memory;
};

/**
 * xml_is_product() - Does a text look like the name of a GPU?
 * @text: The text.
 *
 * Return: Whether it has a G with a number behind it.
 */
bool xml_is_product(const char *text);

/**
 * xml_make_table() - The table of a GPU from a database
 * @database: The database.
 * @path: Where it is from.
 * @gpu_id: GPU_ID of the GPU.
 * @table: Where the table is returned.
 * @note: What had to be left out, in words; %NULL: nothing. To be freed.
 * @error: What is wrong.
 *
 * Return: 0; -ENXIO if there is nothing for this GPU; -EINVAL, -ENOMEM.
 */
int xml_make_table(const struct xml_database *database, const char *path, uint64_t gpu_id,
		   struct panthor_perf_table **table, char **note,
		   struct panthor_perf_error *error);

#endif /* PANTHOR_PERF_XML_DATABASE_H */
