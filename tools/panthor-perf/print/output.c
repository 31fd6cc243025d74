// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "database/xml.h"
#include "output.h"

/* Runs of a comparison, and tables. */
#define MAX_PROTECTED	256

static const char *protected[MAX_PROTECTED];
static unsigned int protected_count;

void output_protect(const char *path)
{
	if (protected_count < MAX_PROTECTED)
		protected[protected_count++] = path;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of a folder, tables and databases are read. */
static bool is_read(const FTSENT *entry)
{
	return entry->fts_info == FTS_F &&
	       (!entry->fts_level || !fnmatch("*.counters", entry->fts_name, FNM_CASEFOLD) ||
		!fnmatch("*.xml", entry->fts_name, FNM_CASEFOLD));
}

static bool is_within(const char *path, const struct stat *output)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	unsigned int entries = 0;
	bool found = false;
	FTSENT *entry;

	while (tree && !found && entries++ < XML_MAX_ENTRIES && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D && entry->fts_level > XML_MAX_LEVELS)
			fts_set(tree, entry, FTS_SKIP);
		found = is_read(entry) && is_same(entry->fts_statp, output);
	}
	if (tree)
		fts_close(tree);
	return found;
}

int output_check(const char *path)
{
	struct stat output;
	unsigned int i;

	if (stat(path, &output) || !S_ISREG(output.st_mode))
		return EXIT_OK;
	for (i = 0; i < protected_count; i++) {
		if (!is_within(protected[i], &output))
			continue;
		fail(0, "%s is not written: this command reads it%s%s", path,
		     strcmp(path, protected[i]) ? " as " : "",
		     strcmp(path, protected[i]) ? protected[i] : "");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

int output_open(const char *path, FILE **file)
{
	int status = output_check(path);

	if (status)
		return status;
	*file = fopen(path, "we");
	return *file ? EXIT_OK : fail(-errno, "writing %s", path);
}
