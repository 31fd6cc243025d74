/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_DIFF_STATS_H
#define PANTHOR_PERF_DIFF_STATS_H

#include "report.h"

/** define DIFF_BATCHES - parts that a recording is cut into, at most */
#define DIFF_BATCHES	32

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
 * By Welch's t-test, two-sided. If nothing spreads, it is 1 for equal means and 0 for others.
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

/**
 * struct side - one of the recordings
 */
struct side {
	/** @view: The recording. */
	struct recording_view view;

	/** @list: Its columns. */
	struct column_list list;

	/** @observations: How the columns spread, one for each. */
	struct observations *observations;
};

/**
 * side_observe() - Go through the samples of a recording
 * @side: The recording and its columns, added up.
 *
 * Cuts them into at most %DIFF_BATCHES parts of equal numbers of consecutive samples; each
 * gives an observation for each column: a counter's mean per second, or a formula's value.
 * Samples that follow on one another are alike, and parts are less so.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int side_observe(struct side *side);

#endif /* PANTHOR_PERF_DIFF_STATS_H */
