/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_PERIODS_H
#define COMPARE_PERIODS_H

#include "recording.h"

/**
 * check_periods() - Find what is wrong with the periods of a session
 * @recording: The samples.
 * @where: Text in front of each defect, "" for none.
 *
 * STRETCHED and merged periods, user data, and ends on the grid, as far as the file tells what
 * they have to be. Prints the first defects.
 *
 * Return: The number of defects.
 */
size_t check_periods(const struct recording *recording, const char *where);

#endif /* COMPARE_PERIODS_H */
