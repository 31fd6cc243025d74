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

	/** @starts: For each sample the GPU's sample after which it counts, or %NO_SAMPLE. */
	size_t *starts;

	/** @guessed: For each sample: its start is no more than what fits best. */
	bool *guessed;

	/** @floor: The GPU's sample before which the run being looked at cannot have begun. */
	size_t floor;

	/** @zero: The GPU's sample whose end is the zero of the last run, or %NO_SAMPLE. */
	size_t zero;

	/** @zero_fits: Every zero makes the first sample behind it exact. */
	bool zero_fits;

	/** @guesses: Zeroes of which nothing but the counts tells that they are right. */
	size_t guesses;

	/** @timed: User data tells the time of calls, see match_init(). */
	bool timed;

	/** @reading_ns: How far most readings of the GPU's clocks may be off, in ns. */
	uint64_t reading_ns;

	/** @limit_ns: How far any of them may be off. */
	uint64_t limit_ns;

	/** @runs: Times that the session was started. */
	size_t runs;

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

	/** @unfounded: Samples with the flag ERROR though no counts of theirs were lost. */
	size_t unfounded;

	/** @untold: Samples without the flag ERROR though counts of theirs were lost. */
	size_t untold;

	/** @misnamed: Samples with the flag ERROR whose events do not say why. */
	size_t misnamed;

	/** @stale: Samples that the GPU took before the call that they are for. */
	size_t stale;

	/** @lost: Samples that were left out as it is not known where they start or end. */
	size_t lost;
};

/**
 * define CALL_TIME_BITS - bits of user data that are the GPU timestamp of a call
 *
 * The bits above are the time until it returned, in units of %CALL_LENGTH_UNIT ticks; all ones if
 * that is longer or not told.
 */
#define CALL_TIME_BITS		40

/** define CALL_LENGTH_UNIT - ticks per unit of the length of a call in user data */
#define CALL_LENGTH_UNIT	16

/**
 * match_init() - Find out which samples of the GPU belong to each sample
 * @match: The match, with @recording, @truth and @timed set.
 *
 * A run begins with sample number 0 and ends with the sample before the next 0. A file of version 2
 * tells when START and STOP were called. Of any other, with @timed, the user data of a run's first
 * sample tells when START was called and how long it took, and that of every other one when the
 * call was made that the sample is the answer to.
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
 * match_asleep() - Does a sample end while the GPU sleeps?
 * @match: What was matched.
 * @sample: Number of the sample.
 *
 * Return: Whether it says so, of a session that lets the GPU sleep, behind the last sample of the
 * GPU before its counters went off.
 */
bool match_asleep(const struct match *match, size_t sample);

/**
 * match_given_up() - Check whether a sample ends because firmware did not answer
 * @header: The sample's header.
 *
 * Return: Whether it ends with the host's time, and has ERROR and FW_TIMEOUT.
 */
bool match_given_up(const struct drm_panthor_perf_sample_header *header);

/**
 * match_few() - Get the number of samples of a recording that a busy host may have disturbed
 * @samples: Samples of the recording.
 *
 * A guest that waits for its CPU while it reads the GPU's clocks reads them with a larger error.
 * One such reading is the end of one sample and the start of the next.
 *
 * Return: The number.
 */
static inline size_t match_few(size_t samples)
{
	return 2 + samples / 50;
}

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
