/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_STATES_H
#define COMPARE_STATES_H

#include "match.h"

/**
 * check_states() - Find block states that the log contradicts
 * @match: The samples and the log, after match_init().
 * @where: Text in front of each defect, "" for none.
 *
 * Does nothing if the driver does not report states. Prints the first defects.
 *
 * Return: The number of defects.
 */
size_t check_states(const struct match *match, const char *where);

#endif /* COMPARE_STATES_H */
