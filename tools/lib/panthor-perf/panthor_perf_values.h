/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_VALUES_H
#define PANTHOR_PERF_VALUES_H

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

#if defined(__cplusplus)
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * DOC: Values
 *
 * Values add up samples and say what they mean, for the GPU or for one of its blocks::
 *
 *	panthor_perf_values_create()		for a selection
 *	panthor_perf_values_add()		for each sample
 *	panthor_perf_values_count()		a hardware counter
 *	panthor_perf_values_number()		any counter, as a floating-point number
 *	panthor_perf_values_clear()		start again, such as for each sample
 *	panthor_perf_values_destroy()
 *
 * The value of a hardware counter is shifted as &panthor_perf_counter.shift says. A counter that
 * was not enabled, and a derived one that needs it, has no value. Values may be used by one thread
 * at a time.
 */

/** define PANTHOR_PERF_ALL_BLOCKS - instead of the number of a block: the whole GPU */
#define PANTHOR_PERF_ALL_BLOCKS	(-1)

/** struct panthor_perf_values - what samples say about counters; opaque */
struct panthor_perf_values;

/**
 * panthor_perf_values_create() - Values of the counters of a selection
 * @selection: The selection that the session was created with. Not used when the call has returned,
 *	but its GPU and table must outlive the values.
 * @values: Where the values are returned, without a sample. To be destroyed.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_values_create(const struct panthor_perf_selection *selection,
			       struct panthor_perf_values **values,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_values_destroy() - Free values
 * @values: The values. May be %NULL.
 */
void panthor_perf_values_destroy(struct panthor_perf_values *values);

/**
 * panthor_perf_values_clear() - Remove all samples
 * @values: The values.
 */
void panthor_perf_values_clear(struct panthor_perf_values *values);

/**
 * panthor_perf_values_add() - Add a sample
 * @values: The values.
 * @sample: A sample of a session with the same selection, or with more counters. Each of its
 *	counters is read once, in rising order.
 *
 * Return: 0; -EINVAL, and nothing is added: @sample is %NULL or of another GPU.
 */
int panthor_perf_values_add(struct panthor_perf_values *values,
			    const struct panthor_perf_sample *sample);

/**
 * panthor_perf_values_samples() - Number of samples
 * @values: The values.
 *
 * Return: How many were added.
 */
uint64_t panthor_perf_values_samples(const struct panthor_perf_values *values);

/**
 * panthor_perf_values_time_ns() - Time that was counted
 * @values: The values.
 *
 * Return: The sum of the times that the samples span, in ns.
 */
uint64_t panthor_perf_values_time_ns(const struct panthor_perf_values *values);

/**
 * panthor_perf_values_flags() - Flags of the samples
 * @values: The values.
 *
 * Return: As panthor_perf_sample_flags(), ORed. Without ERROR and OVERFLOW the values are exact.
 */
uint32_t panthor_perf_values_flags(const struct panthor_perf_values *values);

/**
 * panthor_perf_values_events() - What happened during the samples
 * @values: The values.
 *
 * Return: As panthor_perf_sample_events(), ORed.
 */
uint32_t panthor_perf_values_events(const struct panthor_perf_values *values);

/**
 * panthor_perf_values_cycles() - Cycles of a clock during the samples
 * @values: The values.
 * @clock: One of &enum drm_panthor_perf_clock.
 * @cycles: Where they are returned.
 *
 * Return: Whether the samples have them.
 */
bool panthor_perf_values_cycles(const struct panthor_perf_values *values, unsigned int clock,
				uint64_t *cycles);

/**
 * panthor_perf_values_raw() - A counter by its place, as the hardware counts it
 * @values: The values.
 * @type: Block type.
 * @block: Number of the block, or %PANTHOR_PERF_ALL_BLOCKS: the sum.
 * @index: Index of the counter.
 * @count: Where the sum over the samples is returned, not shifted.
 *
 * Return: Whether there is a value: the counter was enabled, and a sample has such a block.
 */
bool panthor_perf_values_raw(const struct panthor_perf_values *values, unsigned int type, int block,
			     unsigned int index, uint64_t *count);

/**
 * panthor_perf_values_count() - A hardware counter
 * @values: The values.
 * @counter: A hardware counter of the table.
 * @block: Number of the block, or %PANTHOR_PERF_ALL_BLOCKS: the sum.
 * @count: Where the sum over the samples is returned, shifted.
 *
 * Return: Whether there is a value. There is none for counters of other kinds or sets.
 */
bool panthor_perf_values_count(const struct panthor_perf_values *values,
			       const struct panthor_perf_counter *counter, int block,
			       uint64_t *count);

/**
 * panthor_perf_values_number() - A hardware or derived counter
 * @values: The values.
 * @counter: A counter of the table.
 * @block: Number of a block of panthor_perf_counter_block_type(), or %PANTHOR_PERF_ALL_BLOCKS.
 * @number: Where the value over all samples is returned, always finite.
 *
 * For one block, a derived counter takes this block's counters and the sums of the other types, and
 * what it divides by the number of shader cores or L2 slices is that of one.
 *
 * Return: Whether there is a value. See panthor_perf_expr_value() for formulas without one.
 */
bool panthor_perf_values_number(const struct panthor_perf_values *values,
				const struct panthor_perf_counter *counter, int block,
				double *number);

/**
 * panthor_perf_values_expr() - A formula of the caller's own
 * @values: The values.
 * @expr: A formula over the table.
 * @number: As for panthor_perf_values_number().
 *
 * Return: Whether there is a value.
 */
bool panthor_perf_values_expr(const struct panthor_perf_values *values,
			      const struct panthor_perf_expr *expr, double *number);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_VALUES_H */
