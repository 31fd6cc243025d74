/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_LIMIT_H
#define PANTHOR_PERF_LIMIT_H

#include <stdio.h>

#include "values.h"

/**
 * DOC: Limits
 *
 * What probably limits the speed of a load: first whether it is the GPU at all, and which of its
 * queues; then units, stalls on memory, imbalance between blocks, and the used share of the
 * bandwidth. The counter table marks the counters for these, and has the thresholds. Each sample is
 * judged by itself, because a mean over idle and busy parts is below the thresholds of both.
 * Without such counters, or if they were not enabled, there are no limits.
 */

/** define LIMIT_PARTS - counters that a limit names, at most */
#define LIMIT_PARTS	8

/** define LIMIT_TIMES - parts of the time that are kept of a limit, at most */
#define LIMIT_TIMES	3

/**
 * struct limit_times - when something reached its threshold
 */
struct limit_times {
	/**
	 * @ns: How long together: of a unit, a stall, an imbalance or the bandwidth, only the busy
	 *	share of each sample.
	 */
	double ns;

	/**
	 * @start_ns: CLOCK_MONOTONIC_RAW at the begin of the first parts of the time. A few samples
	 * below the threshold do not end a part.
	 */
	uint64_t start_ns[LIMIT_TIMES];

	/** @end_ns: The same at their ends. */
	uint64_t end_ns[LIMIT_TIMES];

	/** @last: Number of the last sample of the last part, from 1. */
	uint64_t last;

	/** @count: Number of parts, which may be more than are kept. */
	uint64_t count;
};

/**
 * struct limit - a counter that may be the limit
 */
struct limit {
	/** @counter: The counter that the table has for it. */
	const struct panthor_perf_counter *counter;

	/** @parts: @counter, and those that it is a share of. */
	const struct panthor_perf_counter *parts[LIMIT_PARTS];

	/** @part_count: Number of @parts. */
	unsigned int part_count;

	/** @mixes_clocks: The last of @parts has counters of two clocks. */
	bool mixes_clocks;

	/** @valid: There is a @value. */
	bool valid;

	/** @value: The value of all samples together, in percent. */
	double value;

	/** @block: Imbalance: number of the block with the largest value. */
	unsigned int block;

	/** @block_count: Imbalance: number of blocks. */
	unsigned int block_count;

	/**
	 * @times: The samples that reached the threshold; of a queue, those that the GPU reached,
	 *	too.
	 */
	struct limit_times times;

	/** @bound: Of a queue: its value in the samples in which the GPU is the limit, by time. */
	double bound;
};

/**
 * struct limits - the limits of a load
 */
struct limits {
	/** @limits: All counters of the table that may be one. */
	struct limit *limits;

	/** @count: Number of @limits. */
	unsigned int count;

	/** @busy: That of %PANTHOR_PERF_LIMIT_BUSY; %NULL without one. */
	struct limit *busy;

	/** @samples: Number of samples. */
	uint64_t samples;

	/** @zero_ns: CLOCK_MONOTONIC_RAW from which times are counted. */
	uint64_t zero_ns;

	/** @time_ns: Time of the samples. */
	double time_ns;

	/** @busy_ns: Time in which the GPU was busy. */
	double busy_ns;

	/** @waiting_ns: Time in which the GPU is the limit, but none of its queues. */
	double waiting_ns;

	/** @unknown_ns: The same in samples with merged periods: a mean hides which queue is it. */
	double unknown_ns;

	/** @merged_ns: Time of samples with merged periods. */
	double merged_ns;

	/** @suspended: The GPU was suspended at times, which do not count. */
	bool suspended;
};

struct json_object;

/**
 * limits_init() - Prepare for samples
 * @limits: The limits. To be freed, in case of an error too.
 * @view: The GPU.
 *
 * Return: 0; -ENOMEM.
 */
int limits_init(struct limits *limits, const struct gpu_view *view);

/**
 * limits_tell() - Does a sentence about a limit name a counter?
 * @limits: The limits.
 * @counter: The counter. May be %NULL.
 *
 * Return: Whether one does.
 */
bool limits_tell(const struct limits *limits, const struct panthor_perf_counter *counter);

/**
 * limits_are_a_mean() - Does the verdict hide that the GPU may be at its limit at times?
 * @limits: The limits.
 *
 * Return: Whether it is about one sample, in which the GPU was idle at times.
 */
bool limits_are_a_mean(const struct limits *limits);

/**
 * limits_clear() - Begin with nothing again
 * @limits: The limits.
 */
void limits_clear(struct limits *limits);

/**
 * limits_add() - Judge a sample
 * @limits: The limits.
 * @values: The sample.
 */
void limits_add(struct limits *limits, const struct values *values);

/**
 * limits_end() - Judge all samples together
 * @limits: The limits.
 * @total: What the samples counted together.
 */
void limits_end(struct limits *limits, const struct values *total);

/**
 * limits_fini() - Free limits
 * @limits: The limits.
 */
void limits_fini(struct limits *limits);

/**
 * limit_is_possible() - Is the value of a limit one that a share can have?
 * @limit: The limit.
 *
 * Return: Whether it is; true without a value.
 */
bool limit_is_possible(const struct limit *limit);

/**
 * limit_is_likely() - Did a limit reach its threshold, for a relevant part of the time?
 * @limits: The limits.
 * @limit: One of them.
 *
 * Return: Whether it did. An impossible one did not.
 */
bool limit_is_likely(const struct limits *limits, const struct limit *limit);

/**
 * limits_largest() - The limit of a kind with the largest value
 * @limits: The limits.
 * @kind: The kind, one of &enum panthor_perf_limit.
 *
 * Return: The limit; %NULL if there is none, or of units and stalls, if one has no value.
 */
const struct limit *limits_largest(const struct limits *limits, unsigned int kind);

/** define SENTENCE_SIZE - bytes of the longest sentence about a limit */
#define SENTENCE_SIZE	2048

/** define VERDICT_SIZE - bytes of the longest verdict */
#define VERDICT_SIZE	1024

/**
 * limits_verdict() - Whether the GPU is the limit, in one sentence or two
 * @limits: The limits.
 * @text: Where the sentences are written, "" if that is not known.
 * @size: Bytes at @text, at least %VERDICT_SIZE.
 *
 * Return: @text.
 */
const char *limits_verdict(const struct limits *limits, char *text, size_t size);

/**
 * limits_are_known() - Is there something for limits_print() to print?
 * @limits: The limits.
 *
 * Return: Whether there is.
 */
bool limits_are_known(const struct limits *limits);

/**
 * limits_print() - Print the verdict and the limits for people
 * @limits: The limits.
 * @out: Where to print. Nothing is printed if nothing is known.
 * @columns: Columns of a line.
 * @color: With colours.
 *
 * Return: Whether a value is skewed: value_is_skewed().
 */
bool limits_print(const struct limits *limits, FILE *out, int columns, bool color);

/**
 * limits_next() - Next limit that limits_print() prints a sentence about
 * @limits: The limits.
 * @limit: The one before; %NULL for the first one.
 *
 * Return: The limit; %NULL if there is none.
 */
const struct limit *limits_next(const struct limits *limits, const struct limit *limit);

/**
 * limit_sentence() - The sentence about a limit
 * @limits: The limits.
 * @limit: One of limits_next().
 * @text: Where it is written.
 * @size: Bytes at @text, at least %SENTENCE_SIZE.
 *
 * Return: Whether it is a warning: the limit is likely, or impossible.
 */
bool limit_sentence(const struct limits *limits, const struct limit *limit, char *text,
		    size_t size);

/**
 * limits_sentences() - The limits as sentences
 * @limits: The limits.
 *
 * Return: An array of the texts that limits_print() prints behind the verdict.
 */
struct json_object *limits_sentences(const struct limits *limits);

/**
 * limits_json() - Limits for programs
 * @limits: The limits.
 *
 * Return: An array.
 */
struct json_object *limits_json(const struct limits *limits);

/**
 * verdict_json() - The verdict for programs
 * @limits: The limits.
 *
 * Return: An object; %NULL if there is no verdict.
 */
struct json_object *verdict_json(const struct limits *limits);

#endif /* PANTHOR_PERF_LIMIT_H */
