/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PRINT_H
#define PANTHOR_PERF_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "select.h"

/**
 * struct print_options - what is shown of a sample, and how
 */
struct print_options {
	/** @each: The counters, with a value per block, instead of the block types. */
	bool each;

	/** @brief: A line per sample instead of a table. */
	bool brief;

	/** @clocks: The cycles of the clocks. */
	bool clocks;

	/** @states: The states of the blocks. */
	bool states;

	/** @times: When the sample ended. */
	bool times;
};

/**
 * print_sample() - Print a sample
 * @out: Where to.
 * @info: Counter configuration.
 * @sample: The sample.
 * @selection: The counters that were asked for.
 * @options: What is shown, and how.
 * @zero_ns: Start of the first sample.
 */
void print_sample(FILE *out, const struct drm_panthor_perf_info *info,
		  const struct panthor_perf_sample *sample, const struct selection *selection,
		  const struct print_options *options, uint64_t zero_ns);

#endif /* PANTHOR_PERF_PRINT_H */
