/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_OUTPUT_H
#define PANTHOR_PERF_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/new_file.h"

/**
 * struct output - a file that gets its name when all of it is written
 */
struct output {
	/** @out: Where to write. */
	FILE *out;

	/** @file: The file. */
	struct new_file file;
};

/**
 * output_protect() - A command reads a file or a folder, and must not write there
 * @path: Its path, which stays valid.
 *
 * Without memory for it, output_check() refuses all files.
 */
void output_protect(const char *path);

/**
 * output_check() - May a command write this file? With a message if not
 * @path: Its path.
 *
 * Return: %EXIT_OK; %EXIT_USAGE if the command reads this file, by whatever name.
 */
int output_check(const char *path);

/**
 * output_is() - Are two names those of one file that is there, or of the standard output?
 * @path: A path.
 * @other: Another one.
 *
 * Return: Whether they are, by whatever links; %false for devices and pipes.
 */
bool output_is(const char *path, const char *other);

/**
 * output_open() - Create a file, or empty one that exists
 * @path: Its path. "-": the standard output.
 * @file: Where the file is returned.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int output_open(const char *path, FILE **file);

/**
 * output_create() - Create a file that is to be whole, or not to be there
 * @output: The file. A file of its name stays what it is until output_commit().
 * @path: Its path. "-": the standard output.
 *
 * One file at a time. A signal that ends the program removes it.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int output_create(struct output *output, const char *path);

/**
 * output_commit() - Write the rest of a file, give it its name, and close it
 * @output: The file of output_create().
 * @err: 0, or what went wrong: then, and if something goes wrong here, the file is removed.
 *
 * Return: @err if that is not 0; 0 or a negative errno.
 */
int output_commit(struct output *output, int err);

/**
 * output_redirect() - Print to a file instead of the standard output, with a message on failure
 * @path: Its path. "-": that of the standard output.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int output_redirect(const char *path);

/**
 * output_error() - Was all written that was printed to a file?
 * @file: The file.
 *
 * Return: 0, or the negative errno of what went wrong.
 */
int output_error(FILE *file);

/**
 * output_close() - Write the rest of a file, and close it
 * @file: The file.
 *
 * Return: As output_error().
 */
int output_close(FILE *file);

/**
 * output_end() - Write the rest of the standard output, and wait for the pager
 * @status: Exit status of the program so far.
 *
 * Return: The exit status of the program, with a message if something was not written.
 */
int output_end(int status);

/**
 * output_failed() - Say that a file could not be written
 * @file: The file, before new_file_close().
 * @name: What the user calls it.
 * @err: What went wrong: a negative errno of these functions, or of writing.
 * @samples: Samples that are in the file.
 * @lost: Samples that were read, and are not in it. Those in the ring are lost as well.
 *
 * Return: %EXIT_ERROR.
 */
int output_failed(const struct new_file *file, const char *name, int err, uint64_t samples,
		  uint64_t lost);

#endif /* PANTHOR_PERF_OUTPUT_H */
