// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "instances.h"
#include "settings.h"

/**
 * instances_count() - Number of instances of a counter, those without a block included
 * @selection: The counters.
 * @item: One of them.
 *
 * Return: panthor_perf_gpu_instance_count() of its type; 0: one alone, whose value is the sum, or a
 * derived counter that is of no type.
 */
unsigned int instances_count(const struct panthor_perf_selection *selection,
			     const struct panthor_perf_item *item)
{
	unsigned int type = item->type, count;

	if (!type)
		type = panthor_perf_counter_block_type(panthor_perf_selection_table(selection),
						       item->counter);
	if (!type)
		return 0;
	count = panthor_perf_gpu_instance_count(panthor_perf_selection_gpu(selection), type);
	return count > 1 ? count : 0;
}

/** instances_in_rows() - Number of instances of a counter that have values of their own in rows. */
int instances_in_rows(const struct panthor_perf_selection *selection,
		      const struct panthor_perf_item *item)
{
	return settings_get()->instances ? instances_count(selection, item) : 0;
}

/**
 * instances_value() - The value of a counter
 * @values: The values.
 * @item: The counter.
 * @block: Number of a block; or %PANTHOR_PERF_ALL_BLOCKS.
 *
 * Return: The value.
 */
struct number instances_value(const struct panthor_perf_values *values,
			      const struct panthor_perf_item *item, int block)
{
	struct number number = { .is_count = item->type };

	if (!item->type)
		number.there = panthor_perf_values_number(values, item->counter, block,
							  &number.value);
	else if (item->counter)
		number.there = panthor_perf_values_count(values, item->counter, block,
							 &number.count);
	else
		number.there = panthor_perf_values_raw(values, item->type, block, item->index,
						       &number.count);
	return number;
}
