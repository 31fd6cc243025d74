/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PAGER_H
#define PANTHOR_PERF_PAGER_H

#include <stdbool.h>

/**
 * pager_start() - Show what is printed to the standard output in a pager
 *
 * Nothing happens if the standard output is no terminal, or one that cannot move its cursor.
 * Whether there are colours is to be read before. If the pager ends before it has read all, the
 * program ends at the next write.
 */
void pager_start(void);

/**
 * pager_is_used() - Is the standard output shown in a pager?
 *
 * Return: Whether it is.
 */
bool pager_is_used(void);

/**
 * pager_end() - Wait until the user has left the pager
 *
 * What is printed later goes to the terminal. Returns at once without a pager.
 *
 * Return: Whether the output could be shown.
 */
bool pager_end(void);

#endif /* PANTHOR_PERF_PAGER_H */
