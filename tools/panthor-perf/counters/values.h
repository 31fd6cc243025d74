/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_CMD_VALUES_H
#define PANTHOR_PERF_CMD_VALUES_H

#include <panthor_perf_values.h>

#include "events.h"

/** define VALUE_SUM - for values_get(): of all blocks */
#define VALUE_SUM	PANTHOR_PERF_ALL_BLOCKS

/**
 * struct value - the value of an event
 */
struct value {
	/** @valid: There is one. */
	bool valid;

	/** @exact: It is @count, not just @number. */
	bool exact;

	/** @count: What a counter counted, shifted. */
	uint64_t count;

	/** @number: The same as a floating-point number, or the value of a derived counter. */
	double number;
};

/**
 * struct values - what samples say about counters
 */
struct values {
	/** @view: The GPU. */
	const struct gpu_view *view;

	/** @sums: The counters of the samples. */
	struct panthor_perf_values *sums;

	/** @sample: The newest sample, as long as its memory stays. */
	const struct panthor_perf_sample *sample;

	/** @header: Its header. */
	struct drm_panthor_perf_sample_header header;
};

/**
 * formula_types() - Of which blocks a formula has the counters
 * @table: The table.
 * @expr: The formula.
 *
 * Return: A bit for each &enum drm_panthor_perf_block_type. Counters of the MMU, which are in the
 * block of the first L2 slice alone, are of none.
 */
unsigned int formula_types(const struct panthor_perf_table *table,
			   const struct panthor_perf_expr *expr);

/**
 * values_init() - Prepare for samples of a GPU
 * @values: The values.
 * @view: The GPU. Must stay.
 * @counted: The counters that the samples have.
 *
 * Return: 0; -ENOMEM.
 */
int values_init(struct values *values, const struct gpu_view *view,
		const struct panthor_perf_selection *counted);

/**
 * values_set() - Take the values from a sample
 * @values: The values.
 * @sample: The sample.
 */
void values_set(struct values *values, const struct panthor_perf_sample *sample);

/**
 * values_clear() - Remove all samples
 * @values: The values.
 */
void values_clear(struct values *values);

/**
 * values_add() - Add the values of a sample to those of others
 * @values: The values.
 * @sample: The sample.
 */
void values_add(struct values *values, const struct panthor_perf_sample *sample);

/**
 * values_get() - The value of an event
 * @values: The values.
 * @event: The event.
 * @instance: Number of the block of event_block_type(), or %VALUE_SUM.
 *
 * For one block, a derived counter takes this block's counters and the sums of the other types, and
 * what it divides by the number of shader cores or L2 slices is that of one.
 *
 * Return: The value.
 */
struct value values_get(const struct values *values, const struct event *event, int instance);

/**
 * values_fini() - Free what was allocated
 * @values: The values.
 */
void values_fini(struct values *values);

/** define SKEW_NOTE - what a table says if one of its values is skewed */
#define SKEW_NOTE	"~ slightly below 0 or above 100: the GPU counts the parts of a share " \
			"at different moments"

/**
 * value_is_skewed() - Is a value a share that is slightly below 0 or above 100?
 * @value: The value.
 * @unit: Its unit.
 *
 * The hardware counts the parts of a share at slightly different moments: a quad may be rasterized
 * in one sample, and its warp be created in the next one.
 *
 * Return: Whether value_format() shows it as 0 or 100, with a mark.
 */
bool value_is_skewed(const struct value *value, const char *unit);

/**
 * value_is_high() - Has a percentage reached the threshold of the table?
 * @value: The value.
 * @event: The event that it is of.
 *
 * Return: Whether it has; false without a threshold.
 */
bool value_is_high(const struct value *value, const struct event *event);

/**
 * unit_has_prefix() - Does a value for people have a unit with a prefix of its own?
 * @unit: The unit of the counter.
 *
 * Return: Whether it is of bytes per second, or a frequency.
 */
bool unit_has_prefix(const char *unit);

/**
 * value_fit() - A value for people that fits into a column
 * @value: The value.
 * @unit: Its unit, which is a part of the text if unit_has_prefix().
 * @width: Columns. A longer value is one in thousands (k), millions (M), ...; JSON and CSV have all
 *	digits.
 * @text: Where it is written.
 * @size: Bytes at @text.
 */
void value_fit(const struct value *value, const char *unit, int width, char *text, size_t size);

/**
 * value_format() - A value for people
 * @value: The value.
 * @unit: Its unit.
 * @text: Where the number is written.
 * @size: Bytes at @text.
 *
 * From 1,000 on, digits are grouped, and there are no decimals; a smaller number has three, unless
 * it is an integer. Below 0.1, it has four significant digits instead. A percentage has two
 * decimals: 0.00~ or 100.00~ if value_is_skewed() is true. Rates have a prefix such as M, and "-"
 * stands for no value.
 *
 * Return: The unit with its prefix, for static use.
 */
const char *value_format(const struct value *value, const char *unit, char *text, size_t size);

/**
 * number_plain() - A number for programs, as short as it is exact
 * @number: The number, which is finite.
 * @text: Where it is written.
 * @size: Bytes at @text, at least 32.
 *
 * Return: @text, which strtod() makes the same number of.
 */
const char *number_plain(double number, char *text, size_t size);

/**
 * value_plain() - A value for programs
 * @value: The value.
 * @text: Where the number is written, "" for no value.
 * @size: Bytes at @text.
 *
 * Return: @text.
 */
const char *value_plain(const struct value *value, char *text, size_t size);

#endif /* PANTHOR_PERF_CMD_VALUES_H */
