/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_NEW_FILE_H
#define PANTHOR_PERF_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/**
 * struct new_file - a file that replaces another one when there is something in it
 *
 * Until new_file_publish() it has a name of its own beside the other one, or none if that cannot
 * be: the folder cannot be written, the other file has several names or another owner. A lock says
 * that it is being written. A device or a pipe is written directly.
 */
struct new_file {
	/** @fd: The file. */
	int fd;

	/** @own: All of its content is ours, so that it may be cut. */
	bool own;

	/** @path: What it is going to be called; %NULL: it has its name. */
	char *path;

	/** @temporary: What it is called until then; %NULL: it has no name. */
	char *temporary;

	/** @old: The other file, -1 if there was none. */
	int old;

	/** @old_time: When that was written. */
	struct timespec old_time;

	/** @kept: The file of the name @temporary stays: it could not be given its name. */
	bool kept;
};

/**
 * new_file_is_written() - Does another process write a file?
 * @path: The name of the file.
 *
 * Return: Whether one does, that has created it by new_file_create().
 */
bool new_file_is_written(const char *path);

/**
 * new_file_create() - Create a file
 * @file: The file.
 * @path: What it is going to be called; "-" or "/dev/stdout" for the standard output.
 *
 * Return: 0 or a negative errno: -EALREADY if another process writes the file of this name; -EACCES
 * also if the file of this name may not be written.
 */
int new_file_create(struct new_file *file, const char *path);

/**
 * new_file_publish() - Give a file its name
 * @file: The file. Nothing is done if that was done before.
 *
 * Return: 0 or a negative errno, as new_file_create(); -EEXIST if another process has put a file
 * there or written the other one since then. The other file is what it was then, and @kept says
 * whether the new one has a name.
 */
int new_file_publish(struct new_file *file);

/**
 * new_file_close() - Close a file; one without its name is removed unless it is @kept
 * @file: The file.
 *
 * Return: 0 or a negative errno.
 */
int new_file_close(struct new_file *file);

/**
 * new_file_replace() - Replace a file that others read at any time: it is old or new, and whole
 * @path: Its name. Until it is whole, the new file has the suffix .tmp.
 * @put: Writes it.
 * @arg: Passed to @put.
 *
 * All users can read the file.
 *
 * Return: 0 or a negative errno: the old file is what it was.
 */
int new_file_replace(const char *path, void (*put)(FILE *out, void *arg), void *arg);

#endif /* PANTHOR_PERF_NEW_FILE_H */
