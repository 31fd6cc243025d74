/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_OUTPUT_H
#define PANTHOR_PERF_OUTPUT_H

#include <stdio.h>

/**
 * output_protect() - A command reads a file or a folder, and must not write there
 * @path: Its path, which stays valid.
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
 * output_open() - Create a file, or empty one that exists
 * @path: Its path.
 * @file: Where the file is returned.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int output_open(const char *path, FILE **file);

#endif /* PANTHOR_PERF_OUTPUT_H */
