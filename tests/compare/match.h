/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_MATCH_H
#define COMPARE_MATCH_H

#include "recording.h"
#include "truth.h"

/** define NO_SAMPLE - stands for no sample of the GPU */
#define NO_SAMPLE	SIZE_MAX

/**
 * struct cell - a counter of a sample
 */
struct cell {
	/** @sample: Number of the sample. */
	size_t sample;

	/** @type: Type of the block. */
	unsigned int type;

	/** @idx: Index of the block among those of its type. */
	unsigned int idx;

	/** @counter: Index of the counter. */
	unsigned int counter;
};

/**
 * struct difference - a counter that is not what the GPU says
 */
struct difference {
	/** @cell: Which one. */
	struct cell cell;

	/** @expected: What the GPU's samples add up to. */
	uint64_t expected;

	/** @got: What the sample has. */
	uint64_t got;
};

/**
 * struct skew - a value of the log that is taken as 1 more
 */
struct skew {
	/** @block: Index of the block in the log, %NO_SAMPLE for no skew. */
	size_t block;

	/** @counter: Index of the counter. */
	unsigned int counter;
};

/**
 * struct match - how samples and log belong together, and what came of comparing them
 */
struct match {
	/** @recording: The samples. */
	const struct recording *recording;

	/** @truth: The log. */
	const struct truth *truth;

	/** @ends: For each sample the GPU's sample that it ends with, or %NO_SAMPLE. */
	size_t *ends;

	/** @zero: The GPU's sample whose end is the session's zero, or %NO_SAMPLE. */
	size_t zero;

	/** @zero_fits: It makes the first sample exact. */
	bool zero_fits;

	/** @skew: The negative control. */
	struct skew skew;

	/** @report: Called for each difference. May be %NULL. */
	void (*report)(const struct difference *difference, void *data);

	/** @data: Argument of @report. */
	void *data;

	/** @compared: Counters that were asked for and compared. */
	uint64_t compared;

	/** @zeroes: Counters that were not asked for or never count, and were compared with 0. */
	uint64_t zeroes;

	/** @differ: Counters of both kinds that differ. */
	uint64_t differ;

	/** @errors: Samples that were left out as they have the flag ERROR. */
	size_t errors;

	/** @lost: Samples that were left out as it is not known where they start or end. */
	size_t lost;
};

/**
 * match_init() - Find out which samples of the GPU belong to each sample
 * @match: The match, with @recording and @truth set.
 *
 * Return: Whether there was memory.
 */
bool match_init(struct match *match);

/**
 * match_free() - Free a match
 * @match: The match.
 */
void match_free(struct match *match);

/**
 * match_run() - Compare all samples
 * @match: The match. Its counts are set.
 *
 * Return: Whether there was memory.
 */
bool match_run(struct match *match);

/**
 * match_pick() - Choose a value for the negative control
 * @match: The match.
 * @skew: Where the value of the log is returned.
 * @cell: Where the counter that must then differ is returned.
 *
 * Return: Whether there is one.
 */
bool match_pick(const struct match *match, struct skew *skew, struct cell *cell);

#endif /* COMPARE_MATCH_H */
