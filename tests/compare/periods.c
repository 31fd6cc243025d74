// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "defects.h"
#include "periods.h"

/*
 * Periods end at the multiples of the period on CLOCK_MONOTONIC, the first of a run at the first
 * multiple behind its zero. Every sample of a run covers the next 1 + merged of them; the final
 * one covers those that had not been published, and the rest. The samples' times are those
 * of another clock: what the recorder read of both bounds them from both sides.
 */

/*
 * The driver reads CLOCK_MONOTONIC first and CLOCK_MONOTONIC_RAW second. What passes in between, in
 * a starved guest some us, a sample seems to be later from here than to the driver. Where that
 * decides on a point of the grid or on LATE, so much is allowed, but no more than an eighth of the
 * period.
 */
#define SLACK_NS	20000

/**
 * struct grid - the periods of a run
 */
struct grid {
	/** @period: Period in ns. */
	uint64_t period;

	/** @offset: From the samples' clock to that of the grid. */
	struct offset offset;

	/** @low: Number of the newest point that was covered, at least. */
	uint64_t low;

	/** @high: Number of the newest point that was covered, at most. */
	uint64_t high;
};

static uint64_t earliest(const struct grid *grid, uint64_t raw_ns)
{
	uint64_t slack = grid->period / 8 < SLACK_NS ? grid->period / 8 : SLACK_NS;

	return raw_ns + grid->offset.low - slack;
}

static uint64_t latest(const struct grid *grid, uint64_t raw_ns)
{
	return raw_ns + grid->offset.high;
}

/* Time from a point of the grid to the latest time that a sample may have ended at, or 0. */
static uint64_t after(uint64_t ns, uint64_t point_ns)
{
	return ns > point_ns ? ns - point_ns : 0;
}

static void check_end(struct grid *grid, size_t sample,
		      const struct drm_panthor_perf_sample_header *header, bool final)
{
	uint64_t first = earliest(grid, header->timestamp_end_ns) / grid->period;
	uint64_t last = latest(grid, header->timestamp_end_ns) / grid->period;
	bool late = header->events & DRM_PANTHOR_PERF_EVENT_LATE;
	uint64_t passed = header->merged + (uint64_t)!final;

	grid->low += passed;
	grid->high += passed;
	check(last >= grid->low, "sample %zu: ends before point %" PRIu64
	      " of the grid, which it covers", sample, grid->low);
	if (last < grid->low || (late && !final))
		return;
	check(first <= grid->high, "sample %zu: ends behind point %" PRIu64
	      " of the grid, which it does not cover", sample, grid->high + 1);
	if (!final && !header->merged)
		check(after(earliest(grid, header->timestamp_end_ns), grid->high * grid->period) <
		      grid->period - grid->period / 2,
		      "sample %zu: ends half a period behind its point of the grid, without LATE",
		      sample);

	/* What the samples told narrows down what is not known about the first one's point. */
	if (grid->low < first)
		grid->low = first;
	if (grid->high > last)
		grid->high = last;
}

static void check_stop(const struct grid *grid, const struct run *run)
{
	uint64_t passed = earliest(grid, run->stop.before_ns) / grid->period;

	check(passed <= grid->high, "run from sample %zu: STOP was called behind point %" PRIu64
	      " of the grid, samples cover %" PRIu64 " and no more", run->first, passed,
	      grid->high);
}

static void check_run(const struct recording *recording, const struct run *run)
{
	struct drm_panthor_perf_sample_header header;
	struct grid grid = { .period = recording->period_ns, .offset = run->offset };
	size_t i;

	recording_header(recording, run->first, &header);
	check(header.timestamp_start_ns >= run->start.before_ns &&
	      header.timestamp_start_ns <= run->start.after_ns,
	      "sample %zu: starts at %" PRIu64 " ns, START lasted from %" PRIu64 " to %" PRIu64,
	      run->first, (uint64_t)header.timestamp_start_ns, run->start.before_ns,
	      run->start.after_ns);
	grid.low = earliest(&grid, header.timestamp_start_ns) / grid.period;
	grid.high = latest(&grid, header.timestamp_start_ns) / grid.period;

	for (i = run->first; i < run->first + run->count; i++) {
		bool final = recording_is_final(recording, i);
		const struct call *call = final ? &run->stop : &run->start;

		recording_header(recording, i, &header);
		check(header.user_data == call->user_data, "sample %zu: user data %#" PRIx64
		      " instead of %#" PRIx64 ", that of %s", i, (uint64_t)header.user_data,
		      call->user_data, final ? "STOP" : "START");
		check(!final || !(header.events & DRM_PANTHOR_PERF_EVENT_LATE),
		      "sample %zu: LATE, but STOP asked for it and no period", i);
		check_end(&grid, i, &header, final);
	}
	if (run->stop.known)
		check_stop(&grid, run);
}

size_t check_periods(const struct recording *recording, const char *where)
{
	struct drm_panthor_perf_sample_header header;
	size_t i;

	defects_begin(where);
	if (!recording->info.min_period_ns)
		return 0;
	for (i = 0; i < recording->sample_count; i++) {
		recording_header(recording, i, &header);
		check(!(header.flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED) == !header.merged,
		      "sample %zu: %u periods merged, STRETCHED is %s", i, header.merged,
		      header.flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED ? "set" : "not set");
		check(!(header.events & DRM_PANTHOR_PERF_EVENT_RING_FULL) || header.merged,
		      "sample %zu: RING_FULL without merged periods", i);
	}
	check(!recording->period_ns || recording->period_ns >= recording->info.min_period_ns,
	      "a period of %" PRIu64 " ns, the shortest is %" PRIu64 " ns", recording->period_ns,
	      (uint64_t)recording->info.min_period_ns);
	for (i = 0; recording->told && recording->period_ns && i < recording->run_count; i++)
		check_run(recording, &recording->runs[i]);
	return defects_end();
}
