/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_NEW_FILE_H
#define PANTHOR_PERF_NEW_FILE_H

/**
 * struct new_file - a file that replaces another one when there is something in it
 *
 * Until new_file_publish() it has a name of its own beside the other one. Its lock says that
 * it is being written. What is no regular file is written as it is.
 */
struct new_file {
	/** @fd: The file. */
	int fd;

	/** @path: What it is going to be called, without symbolic links. */
	char *path;

	/** @temporary: What it is called; %NULL: @path. */
	char *temporary;
};

/**
 * new_file_create() - Create a file
 * @file: The file.
 * @path: What it is going to be called; "-" for the standard output.
 *
 * Return: 0 or a negative errno: -EBUSY if another process writes the file of this name; -EACCES
 * also if the file of this name may not be written.
 */
int new_file_create(struct new_file *file, const char *path);

/**
 * new_file_publish() - Give a file its name
 * @file: The file. Nothing is done if that was done before.
 *
 * Return: 0 or a negative errno, as new_file_create(). The other file is what it was, then.
 */
int new_file_publish(struct new_file *file);

/**
 * new_file_close() - Close a file; one without its name is removed
 * @file: The file.
 *
 * Return: 0 or a negative errno.
 */
int new_file_close(struct new_file *file);

#endif /* PANTHOR_PERF_NEW_FILE_H */
