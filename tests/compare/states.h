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
 * And whether samples tell of protected mode where the GPU was in it, and only there. Does nothing
 * if the driver does not tell states, or if the GPU entered or left protected mode while counters
 * were off. Prints the first defects.
 *
 * Return: The number of defects.
 */
size_t check_states(const struct match *match, const char *where);

#endif /* COMPARE_STATES_H */
