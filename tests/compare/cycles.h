/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_CYCLES_H
#define COMPARE_CYCLES_H

#include "match.h"

/**
 * define NOTICE_NS - how long after a change of a clock's rate the driver may know of it, in ns
 *
 * The clock framework tells of a change when it was made: what passes between the write to the
 * clock's register and that may be a time slice of another process or two.
 */
#define NOTICE_NS	100000000

/**
 * struct cycles - what was seen of the samples' cycles
 */
struct cycles {
	/** @checked: Cycles of a clock of a sample that were compared. */
	uint64_t checked;

	/** @far: Samples of the last recording with a larger error than most may have. */
	size_t far;

	/** @exact: Those of which no more was in doubt than a reading may be off. */
	uint64_t exact;

	/** @most: The largest number of cycles that one of the latter was off. */
	uint64_t most;
};

/**
 * check_cycles() - Find samples whose clock cycles the log contradicts
 * @match: The samples and the log, after match_init().
 * @where: Text in front of each defect, "" for none.
 * @cycles: What was seen is added here.
 *
 * Those of the top level are what CYCLE_COUNT says in the log at the GPU's samples, those of other
 * clocks the integral of the rates in the log. The time of an end is off by no more than
 * &struct match.limit_ns, and in all but match_few() samples by no more than
 * &struct match.reading_ns. Prints the first defects.
 *
 * Return: The number of defects.
 */
size_t check_cycles(const struct match *match, const char *where, struct cycles *cycles);

#endif /* COMPARE_CYCLES_H */
