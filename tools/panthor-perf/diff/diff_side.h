/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_DIFF_SIDE_H
#define PANTHOR_PERF_DIFF_SIDE_H

#include "commands/reader_args.h"
#include "diff_stats.h"

/** define DIFF_BATCHES - parts that a recording is divided into, at most */
#define DIFF_BATCHES	32

/**
 * struct run - a recording, or a part of one
 */
struct run {
	/** @name: The argument: FILE or FILE@FROM-TO. */
	const char *name;

	/** @text: Copy of @name, which @view and @range point to. */
	char *text;

	/** @range: The part. */
	struct range_options range;

	/** @view: The recording. */
	struct recording_view view;

	/** @list: Its columns, added up. */
	struct column_list list;
};

/**
 * struct side - one of the two sides of a comparison: one run or several
 */
struct side {
	/** @runs: The runs. */
	struct run *runs;

	/** @count: Their number. */
	unsigned int count;

	/** @observations: How the columns of the first run spread, one for each. */
	struct observations *observations;

	/** @values: Values of these columns that are shown. */
	struct value *values;
};

/**
 * side_add() - Add a run
 * @side: The side.
 * @name: FILE or FILE@FROM-TO. Must stay.
 *
 * Return: 0; -ENOMEM.
 */
int side_add(struct side *side, const char *name);

/**
 * side_open() - Open the recordings of a side, and add up their columns
 * @side: The side.
 * @args: The command line. Its range is that of the runs that have none of their own.
 *
 * A file that exists by the whole name of a run is read as a whole. Otherwise the longest part of
 * the name in front of a '@' that is the name of a file is the file, and the rest is the range.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int side_open(struct side *side, const struct reader_args *args);

/**
 * side_observe() - Compute the values of a side, and how they spread
 * @side: The side.
 * @totals: Values of amounts are totals instead of means per second.
 *
 * Each of several runs is an observation, and the mean of the runs is the value. A single run is
 * divided into at most %DIFF_BATCHES parts of equal numbers of consecutive samples, each of which
 * is an observation: consecutive samples are correlated, and such parts are less so. A column that
 * one of the runs does not have has no value.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int side_observe(struct side *side, bool totals);

/**
 * run_column() - Find a column of a run by its name
 * @run: The run.
 * @name: The name.
 *
 * Return: The column; %NULL if there is none.
 */
const struct column *run_column(const struct run *run, const char *name);

/**
 * side_fini() - Close the recordings of a side
 * @side: The side.
 */
void side_fini(struct side *side);

#endif /* PANTHOR_PERF_DIFF_SIDE_H */
