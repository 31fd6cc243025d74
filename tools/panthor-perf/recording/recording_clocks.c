// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "cmd.h"
#include "recording_clocks.h"

static const enum raw_kind kinds[] = { RAW_START, RAW_CLOCKS, RAW_STOP };

static bool clocks_of(const struct recording *recording, enum raw_kind kind, uint64_t number,
		      struct raw_clocks *clocks)
{
	struct raw_call call;

	if (kind == RAW_CLOCKS)
		return recording_clocks(recording, number, clocks);
	if (!recording_call(recording, kind, number, &call))
		return false;
	*clocks = kind == RAW_START ? call.before : call.after;
	return true;
}

/* Each kind has an order of its own: returns that of the earliest one. */
static int find_earliest(const struct clock_reader *reader, struct raw_clocks *earliest)
{
	struct raw_clocks clocks;
	int found = -1;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!clocks_of(reader->recording, kinds[i], reader->next[i], &clocks) ||
		    (found >= 0 && earliest->raw_ns <= clocks.raw_ns))
			continue;
		*earliest = clocks;
		found = i;
	}
	return found;
}

bool clock_reader_next(struct clock_reader *reader, struct clock_snapshot *snapshot)
{
	struct raw_clocks clocks;
	const int i = find_earliest(reader, &clocks);

	if (i < 0)
		return false;
	reader->has_others |= recording_other_clocks(reader->recording, kinds[i], reader->next[i]++,
						     &reader->others);
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
