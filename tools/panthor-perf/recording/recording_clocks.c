// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "recording_clocks.h"

static bool base_of(const struct recording *recording, uint64_t number, enum raw_kind *kind,
		    uint64_t *at, struct raw_clocks *clocks)
{
	const uint64_t starts = recording_call_count(recording, RAW_START);
	const uint64_t others = recording_clocks_count(recording);
	struct raw_call call;

	if (number < starts) {
		*kind = RAW_START;
		*at = number;
		recording_call(recording, RAW_START, number, &call);
		*clocks = call.before;
		return true;
	}
	number -= starts;
	if (number < others) {
		*kind = RAW_CLOCKS;
		*at = number;
		return recording_clocks(recording, number, clocks);
	}
	*kind = RAW_STOP;
	*at = number - others;
	if (!recording_call(recording, RAW_STOP, *at, &call))
		return false;
	*clocks = call.after;
	return true;
}

bool clock_reader_next(struct clock_reader *reader, struct clock_snapshot *snapshot)
{
	struct raw_clocks clocks;
	enum raw_kind kind;
	uint64_t at;

	if (!base_of(reader->recording, reader->next, &kind, &at, &clocks))
		return false;
	reader->next++;
	reader->has_others |= recording_other_clocks(reader->recording, kind, at, &reader->others);
	*snapshot = (struct clock_snapshot) {
		.raw_ns = clocks.raw_ns,
		/* Read a little earlier, by up to the uncertainty: the middle is the best guess. */
		.monotonic_ns = clocks.monotonic_ns + clocks.uncertainty_ns / 2,
		.has_others = reader->has_others,
	};
	/* Between two records, these clocks keep their distance to CLOCK_MONOTONIC. */
	if (snapshot->has_others) {
		const uint64_t passed = snapshot->monotonic_ns - reader->others.monotonic_ns;

		snapshot->boottime_ns = reader->others.boottime_ns + passed;
		snapshot->realtime_ns = reader->others.realtime_ns + passed;
	}
	return true;
}
