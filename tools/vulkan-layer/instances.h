/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Values of single blocks, such as shader cores, beside the sum over all of them. */
#ifndef VULKAN_LAYER_INSTANCES_H
#define VULKAN_LAYER_INSTANCES_H

#include <stdbool.h>
#include <stdint.h>

struct panthor_perf_item;
struct panthor_perf_selection;
struct panthor_perf_values;

/**
 * struct number - a value of a counter
 */
struct number {
	/** @there: There is one. */
	bool there;

	/** @is_count: It is @count, and not @value. */
	bool is_count;

	/** @count: Of a hardware counter. */
	uint64_t count;

	/** @value: Of a derived one. */
	double value;
};

unsigned int instances_count(const struct panthor_perf_selection *selection,
			     const struct panthor_perf_item *item);
int instances_in_rows(const struct panthor_perf_selection *selection,
		      const struct panthor_perf_item *item);
struct number instances_value(const struct panthor_perf_values *values,
			      const struct panthor_perf_item *item, int block);

#endif
