/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_DIFF_STATS_H
#define PANTHOR_PERF_DIFF_STATS_H

#include <stdbool.h>

/**
 * struct observations - how a value spreads
 */
struct observations {
	/** @count: Number of observations. */
	unsigned int count;

	/** @mean: Their mean. */
	double mean;

	/** @squares: Sum of the squares of their distances from it. */
	double squares;
};

/**
 * observations_add() - Add an observation
 * @observations: The observations.
 * @value: One more.
 */
void observations_add(struct observations *observations, double value);

/**
 * observations_p() - Probability that two means differ so much by chance
 * @a: Some observations.
 * @b: Some others.
 * @p: Where the probability is returned, 0 to 1.
 *
 * By Welch's t-test, two-sided. It is 1 for means that are equal but for rounding. If nothing
 * spreads, it is 0 for all others.
 *
 * Return: Whether there are at least two of each.
 */
bool observations_p(const struct observations *a, const struct observations *b, double *p);

/**
 * student_tails() - Both tails of Student's distribution
 * @t: Distance from the middle, either way.
 * @freedom: Degrees of freedom, more than 0.
 *
 * Return: Probability of a larger distance, right to about 10 digits.
 */
double student_tails(double t, double freedom);

#endif /* PANTHOR_PERF_DIFF_STATS_H */
