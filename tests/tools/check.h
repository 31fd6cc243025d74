/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef TESTS_TOOLS_CHECK_H
#define TESTS_TOOLS_CHECK_H

#include <stdio.h>

/** define ARRAY_SIZE - number of elements of an array */
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/** check_failures - results that were not ok */
static unsigned int check_failures;

/* Prints one result; the source text of a condition that does not hold says why. */
#define CHECK(condition, ...) \
	do { \
		if (condition) { \
			printf("ok "); \
			printf(__VA_ARGS__); \
			putchar('\n'); \
		} else { \
			printf("not ok "); \
			printf(__VA_ARGS__); \
			printf(" - %s:%d: %s\n", __FILE_NAME__, __LINE__, #condition); \
			check_failures++; \
		} \
	} while (0)

#endif /* TESTS_TOOLS_CHECK_H */
