/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORDING_CLOCKS_H
#define PANTHOR_PERF_RECORDING_CLOCKS_H

#include "recording.h"

/**
 * struct clock_snapshot - clocks of the system at one time, in ns
 */
struct clock_snapshot {
	/** @raw_ns: CLOCK_MONOTONIC_RAW. */
	uint64_t raw_ns;

	/** @monotonic_ns: CLOCK_MONOTONIC. */
	uint64_t monotonic_ns;

	/** @has_others: The recording knows those that follow. */
	bool has_others;

	/** @boottime_ns: CLOCK_BOOTTIME. */
	uint64_t boottime_ns;

	/** @realtime_ns: CLOCK_REALTIME. */
	uint64_t realtime_ns;
};

/**
 * struct clock_reader - goes through the snapshots of a recording
 */
struct clock_reader {
	/** @recording: The recording. All else is 0 at the beginning. */
	const struct recording *recording;

	/** @next: Numbers of the next START, clocks and STOP. */
	uint64_t next[3];

	/** @others: The newest record of other clocks. */
	struct raw_other_clocks others;

	/** @has_others: There was one. */
	bool has_others;
};

/**
 * clock_reader_next() - The next snapshot
 * @reader: The reader.
 * @snapshot: Where it is returned.
 *
 * There is one before each START, about one a second, and one behind each STOP. They come in the
 * order of CLOCK_MONOTONIC_RAW.
 *
 * Return: Whether there is one.
 */
bool clock_reader_next(struct clock_reader *reader, struct clock_snapshot *snapshot);

#endif /* PANTHOR_PERF_RECORDING_CLOCKS_H */
