/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_FORMULAS_H
#define PANTHOR_PERF_FORMULAS_H

#include <panthor_perf_counters.h>

/**
 * DOC: Formulas of users
 *
 * -e NAME=FORMULA, and -e FORMULA, which begins with a number or has an operator, is one more
 * derived counter of each table that the program uses.
 */

/**
 * formulas_define() - Keep the formula of an option
 * @text: Argument of -e, which stays valid.
 *
 * Return: The name of the derived counter; %NULL: this is no formula, or there is no memory.
 */
const char *formulas_define(const char *text);

/**
 * formulas_apply() - Add all formulas to a table
 * @table: The table, which is replaced; %NULL: there is none.
 * @error: What is wrong, with the formula's name in place of a file's.
 *
 * Return: 0; -EINVAL for a wrong formula, or one without a table; -ENOMEM. @table stays, then.
 */
int formulas_apply(struct panthor_perf_table **table, struct panthor_perf_error *error);

#endif /* PANTHOR_PERF_FORMULAS_H */
