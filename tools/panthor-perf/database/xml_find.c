// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cmd.h"
#include "xml.h"

static bool ends_with(const char *name, const char *end)
{
	size_t size = strlen(name), end_size = strlen(end);

	return size > end_size && !strcasecmp(name + size - end_size, end);
}

/* The first character but for blanks and a byte order mark is that of a tag. */
static bool file_is_xml(const char *path)
{
	FILE *file = fopen(path, "re");
	int c = EOF;

	if (!file)
		return false;
	do
		c = fgetc(file);
	while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0xef || c == 0xbb ||
	       c == 0xbf);
	fclose(file);
	return c == '<';
}

FTSENT *xml_next_file(FTS *tree, unsigned int *entries)
{
	FTSENT *entry;

	while ((entry = fts_read(tree)) && (*entries)++ < XML_MAX_ENTRIES) {
		if (entry->fts_info == FTS_D && entry->fts_level > XML_MAX_LEVELS)
			fts_set(tree, entry, FTS_SKIP);
		if (entry->fts_info == FTS_F)
			return entry;
	}
	return NULL;
}

bool xml_is_xml(const char *path)
{
	char *const paths[] = { (char *)path, NULL };
	bool has_xml = false, has_tables = false;
	unsigned int entries = 0;
	struct stat info;
	FTSENT *entry;
	FTS *tree;

	if (stat(path, &info))
		return false;
	if (!S_ISDIR(info.st_mode))
		return S_ISREG(info.st_mode) && file_is_xml(path);
	tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	if (!tree)
		return false;
	while (!(has_xml && has_tables) && (entry = xml_next_file(tree, &entries))) {
		if (entry->fts_level == 1 && ends_with(entry->fts_name, ".counters"))
			has_tables = true;
		if (ends_with(entry->fts_name, ".xml"))
			has_xml = true;
	}
	fts_close(tree);
	/* Reading says what is wrong with one that is too large. */
	return (has_xml && !has_tables) || entries > XML_MAX_ENTRIES;
}

int counters_open(const char *path, uint64_t gpu_id, struct panthor_perf_table **table,
		  struct panthor_perf_error *error)
{
	unsigned int arch_major, product_major;
	struct stat info;
	char *found = NULL;
	int ret;

	*table = NULL;
	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	if (path) {
		if (xml_is_xml(path))
			ret = xml_load(path, gpu_id, table, &found, error);
		else
			ret = panthor_perf_table_create_from_file(path, gpu_id, table, error);
		if (found) {
			note_that("%s: %s", path, found);
			free(found);
		}
		/* A folder is for whatever GPU there is, a file was meant for this one. */
		if (ret != -ENXIO || stat(path, &info) || !S_ISDIR(info.st_mode))
			return ret;
		note_that("%s: it has nothing for this GPU: the built-in table is used", path);
	}
	ret = panthor_perf_table_create_for_gpu(gpu_id, table, NULL);
	if (ret == -ENOENT) {
		panthor_perf_gpu_arch(gpu_id, &arch_major, &product_major);
		if (!path)
			snprintf(error->text, sizeof(error->text),
				 "the names of the counters of this GPU (product %u.%u) are not known",
				 arch_major, product_major);
		return -ENXIO;
	}
	if (ret)
		snprintf(error->text, sizeof(error->text), "%s", strerror(-ret));
	return ret;
}
