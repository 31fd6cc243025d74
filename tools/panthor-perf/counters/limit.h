/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_LIMIT_H
#define PANTHOR_PERF_LIMIT_H

#include <stdio.h>

#include "values.h"

/**
 * DOC: Limits
 *
 * What probably limits the speed of a load: the busiest unit, stalls on memory, imbalance between
 * blocks, and the used share of the bandwidth. The counter table marks the counters for these, and
 * has the thresholds. Without such counters, or if they were not enabled, there are no limits.
 */

/** define LIMIT_PARTS - counters that a limit names, at most */
#define LIMIT_PARTS	8

/**
 * struct limit - a limit
 */
struct limit {
	/** @counter: The counter that the table has for it. */
	const struct panthor_perf_counter *counter;

	/** @parts: @counter, and those that it is a share of. */
	const struct panthor_perf_counter *parts[LIMIT_PARTS];

	/** @part_count: Number of @parts. */
	unsigned int part_count;

	/** @value: The value in percent. */
	double value;

	/** @block: Imbalance: number of the block with the largest value. */
	unsigned int block;

	/** @block_count: Imbalance: number of blocks. */
	unsigned int block_count;
};

/**
 * struct limits - the limits of a load
 */
struct limits {
	/** @limits: The limits, at most one of each kind, by &enum panthor_perf_limit. */
	struct limit limits[PANTHOR_PERF_LIMITS];

	/** @count: Number of @limits. */
	unsigned int count;
};

struct json_object;

/**
 * limits_find() - Find the limits of a load
 * @values: What the samples of the load counted.
 * @limits: Where the limits are returned; none if nothing is known.
 */
void limits_find(const struct values *values, struct limits *limits);

/**
 * limit_is_likely() - Has a limit reached its threshold?
 * @limit: The limit.
 *
 * Return: Whether it has.
 */
bool limit_is_likely(const struct limit *limit);

/**
 * limits_print() - Print limits for people
 * @limits: The limits.
 * @out: Where to print. Nothing is printed without limits.
 * @color: With colours.
 * @skewed: A value of the table above is skewed: value_is_skewed().
 *
 * Prints %SKEW_NOTE once, below the last part that has a skewed value.
 */
void limits_print(const struct limits *limits, FILE *out, bool color, bool skewed);

/**
 * limits_json() - Limits for programs
 * @limits: The limits.
 *
 * Return: An array.
 */
struct json_object *limits_json(const struct limits *limits);

#endif /* PANTHOR_PERF_LIMIT_H */
