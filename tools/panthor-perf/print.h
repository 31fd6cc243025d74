/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PRINT_H
#define PANTHOR_PERF_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "select.h"

/**
 * print_sample() - Print a sample as a table
 * @out: Where to.
 * @info: Counter configuration.
 * @sample: The sample.
 * @selection: The counters that were asked for.
 * @each: One line per counter with a value per block, instead of one per block type.
 */
void print_sample(FILE *out, const struct drm_panthor_perf_info *info,
		  const struct panthor_perf_sample *sample, const struct selection *selection,
		  bool each);

#endif /* PANTHOR_PERF_PRINT_H */
