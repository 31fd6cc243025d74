/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Folders with files for tests. What goes wrong with them ends the program. */

#ifndef TESTS_TOOLS_FOLDER_H
#define TESTS_TOOLS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

/* Makes a folder of a template, as mkdtemp(). */
static void folder_make(char *folder)
{
	if (!mkdtemp(folder)) {
		printf("Bail out! cannot make %s\n", folder);
		exit(1);
	}
}

static void folder_write(const char *folder, const char *name, const char *text)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
}

static void folder_remove(const char *folder)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command)) {
		printf("Bail out! cannot remove %s\n", folder);
		exit(1);
	}
}

#endif /* TESTS_TOOLS_FOLDER_H */
