/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_CLOCKS_H
#define PANTHOR_PERF_PERFETTO_CLOCKS_H

#include "perfetto_out.h"
#include "recording/recording_clocks.h"

/**
 * trace_clocks() - Write a snapshot for all clocks of a recording
 * @out: The trace.
 * @recording: The recording.
 *
 * BOOTTIME and REALTIME are in a snapshot if the recording knows them at this time.
 *
 * Return: 0 or a negative errno.
 */
int trace_clocks(struct trace_out *out, const struct recording *recording);

/**
 * struct boot_clock - CLOCK_BOOTTIME over a recording, for times that only go up
 */
struct boot_clock {
	/** @reader: Its snapshots. */
	struct clock_reader reader;

	/** @next: The one that comes next. */
	struct clock_snapshot next;

	/** @has_next: There is one. */
	bool has_next;

	/** @offset_ns: CLOCK_BOOTTIME - CLOCK_MONOTONIC_RAW in ns at the snapshot before. */
	uint64_t offset_ns;

	/** @known: There was a snapshot. */
	bool known;
};

/**
 * boot_clock_init() - Begin before the first snapshot
 * @clock: The clock.
 * @recording: The recording.
 */
void boot_clock_init(struct boot_clock *clock, const struct recording *recording);

/**
 * boot_clock_at() - CLOCK_BOOTTIME at a time
 * @clock: The clock.
 * @raw_ns: CLOCK_MONOTONIC_RAW in ns.
 * @boot_ns: Where it is returned, in ns.
 *
 * Return: Whether the recording knows it.
 */
bool boot_clock_at(struct boot_clock *clock, uint64_t raw_ns, uint64_t *boot_ns);

#endif /* PANTHOR_PERF_PERFETTO_CLOCKS_H */
