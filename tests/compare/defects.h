/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_DEFECTS_H
#define COMPARE_DEFECTS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * defects_begin() - Begin to look for defects of a kind
 * @where: Text in front of each defect, "" for none. Must stay until defects_end().
 */
void defects_begin(const char *where);

/**
 * check() - Count a defect unless something is as it has to be
 * @good: It is.
 * @format: The defect, as printf(). The first 20 are printed.
 */
void check(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * defects_end() - Print how many defects are not shown
 *
 * Return: The number of defects since defects_begin().
 */
size_t defects_end(void);

#endif /* COMPARE_DEFECTS_H */
