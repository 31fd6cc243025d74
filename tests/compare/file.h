/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_FILE_H
#define COMPARE_FILE_H

#include <stddef.h>

/** define ARRAY_SIZE - number of elements of an array */
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * error() - Print an error message
 * @format: As printf().
 */
void error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * read_file() - Read a whole file
 * @path: Path of the file.
 * @size: Where its size is returned.
 *
 * Return: Its content, 8-byte aligned and with a 0 behind it, to be freed;
 * %NULL after a message.
 */
void *read_file(const char *path, size_t *size);

/**
 * grow() - Make room for one more element of an array
 * @array: The array or %NULL.
 * @count: Number of its elements.
 * @size: Bytes of an element.
 *
 * The room doubles whenever @count is a power of two. Ends the program when there is no memory.
 *
 * Return: The array.
 */
void *grow(void *array, size_t count, size_t size);

#endif /* COMPARE_FILE_H */
