/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_TIMES_H
#define COMPARE_TIMES_H

#include "match.h"

/**
 * define READING_ERROR_NS - default of &struct match.reading_ns
 *
 * Most of the driver's readings are as good as that, the recorder's uncertainty aside.
 */
#define READING_ERROR_NS	10000

/**
 * define READING_LIMIT_NS - default of &struct match.limit_ns
 *
 * The driver gives up a reading with a larger error.
 */
#define READING_LIMIT_NS	100000

/**
 * struct times - what was seen of the samples' times
 */
struct times {
	/** @checked: Ends that were held against the GPU's time of the sample. */
	uint64_t checked;

	/** @worst_ns: The largest error of one, the recorder's uncertainty taken off. */
	uint64_t worst_ns;

	/** @far: Times in the last recording with a larger error than &struct match.reading_ns. */
	size_t far;

	/** @unsure_ns: The largest uncertainty of the recorder. */
	uint64_t unsure_ns;
};

/**
 * check_times() - Find samples whose times cannot be
 * @match: The samples and the log, after match_init().
 * @where: Text in front of each defect, "" for none.
 * @times: What was seen is added here.
 *
 * An end lies where the GPU took the sample that it ends with, by the recorder's own reading of
 * the GPU's clock; with the host's time not before; without a sample of the GPU, at the start.
 * No sample was read before it ended. No time is off by more than &struct match.limit_ns, and no
 * more than match_few() are off by more than &struct match.reading_ns. Prints the first defects.
 *
 * Return: The number of defects.
 */
size_t check_times(const struct match *match, const char *where, struct times *times);

#endif /* COMPARE_TIMES_H */
