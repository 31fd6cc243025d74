/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_XML_H
#define PANTHOR_PERF_XML_H

#include <fts.h>

#include <panthor_perf_counters.h>

/** define XML_MAX_LEVELS - folders of a database below the one that is named, at most */
#define XML_MAX_LEVELS	6

/** define XML_MAX_ENTRIES - files and folders that are read; a database has some hundred */
#define XML_MAX_ENTRIES	10000

/**
 * xml_next_file() - The next file of a folder of tables or of a database
 * @tree: The folder, or a file alone.
 * @entries: Files and folders that were read, 0 at the beginning. More than %XML_MAX_ENTRIES: there
 *	are so many that the rest was not read.
 *
 * Return: The file; %NULL if there is none.
 */
FTSENT *xml_next_file(FTS *tree, unsigned int *entries);

/**
 * counters_open() - What the counters of a GPU mean, by what the user has or the library knows
 * @path: What --counters says: a file or folder of tables, or of Arm's database in XML; %NULL: what
 *	the library knows.
 * @gpu_id: GPU_ID of the GPU.
 * @table: Where the table is returned. To be freed.
 * @error: What is wrong.
 *
 * A folder that has nothing for this GPU leaves it to the library. Prints a note for what of a
 * database had to be left out.
 *
 * Return: 0; -ENXIO if nothing is known about this GPU; otherwise as
 * panthor_perf_table_create_from_file(), or
 * -EOPNOTSUPP for XML without libxml2. @error has a message for each.
 */
int counters_open(const char *path, uint64_t gpu_id, struct panthor_perf_table **table,
		  struct panthor_perf_error *error);

/**
 * xml_is_xml() - Is a file or folder one of XML?
 * @path: The file or folder.
 *
 * A file is by its first character, a folder by having a file *.xml in it or below it, and no file
 * *.counters.
 *
 * Return: Whether it is.
 */
bool xml_is_xml(const char *path);

/**
 * xml_load() - Read a table from Arm's counter database
 * @path: A folder of the database's XML files, with folders in it; or one file.
 * @gpu_id: GPU_ID of the GPU.
 * @table: Where the table is returned. To be freed.
 * @note: What had to be left out, in words; %NULL: nothing. To be freed.
 * @error: What is wrong.
 *
 * Return: 0; -ENXIO if the database has nothing for this GPU; -EINVAL if it is wrong; -EOPNOTSUPP
 * without libxml2; -ENOMEM; otherwise the error of opening or reading.
 */
int xml_load(const char *path, uint64_t gpu_id, struct panthor_perf_table **table, char **note,
	     struct panthor_perf_error *error);

#endif /* PANTHOR_PERF_XML_H */
