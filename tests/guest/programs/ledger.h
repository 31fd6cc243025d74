/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the headers of a session's samples must say, one after the other.
 *
 * Period points are multiples of the period on CLOCK_MONOTONIC. Each sample stands for 1 + merged
 * of them, in order; the final one's last point is the one that STOP did not wait for.
 */
#ifndef PERF_TEST_LEDGER_H
#define PERF_TEST_LEDGER_H

#include <inttypes.h>

#include "clocks.h"
#include "perf.h"

/*
 * The kernel reads the two clocks one after the other, and something may come in between: a point
 * that is as close as this to the end of a sample may be on either side of it.
 */
#define GRID_SLACK_NS	10000

/**
 * struct run - a run from START to STOP
 */
struct run {
	/** @user_data: What START was given. */
	uint64_t user_data;

	/** @before: The clocks before START. */
	struct clocks before;

	/** @after: The clocks when START had returned. */
	struct clocks after;
};

/**
 * struct ledger - what was read of a session
 */
struct ledger {
	/** @period_ns: Its period, 0 for none. */
	uint64_t period_ns;

	/** @run: The run of the sample that was read last. */
	struct run run;

	/** @sample_nr: Number that the next sample has. */
	uint64_t sample_nr;

	/** @end_ns: End of the sample that was read last. */
	uint64_t end_ns;

	/** @point: Number of the newest period point that is in a sample. */
	uint64_t point;

	/** @doubt: By so many, @point may be too low. */
	uint64_t doubt;

	/** @published: Samples. */
	uint64_t published;

	/** @merged: Points in them beyond one for each. */
	uint64_t merged;

	/** @erroneous: Samples with the flag ERROR. */
	uint64_t erroneous;

	/** @on_point: Samples that a period point ended, neither late nor merged. */
	uint64_t on_point;

	/** @late: Samples with LATE. */
	uint64_t late;

	/** @ring_full: Samples with RING_FULL. */
	uint64_t ring_full;

	/** @text: What is wrong. */
	char text[240];
};

static inline void __attribute__((format(printf, 2, 3)))
ledger_wrong(struct ledger *ledger, const char *format, ...)
{
	va_list args;

	/* The first one says most. */
	if (ledger->text[0])
		return;
	va_start(args, format);
	vsnprintf(ledger->text, sizeof(ledger->text), format, args);
	va_end(args);
}

/* The first point that no sample stands for yet is number ledger->point + 1. */
static inline void ledger_grid(struct ledger *ledger,
			       const struct drm_panthor_perf_sample_header *header, bool final)
{
	struct clocks now = clocks_now();
	struct offset offset = offset_join(offset_join(offset_of(&ledger->run.before),
						       offset_of(&ledger->run.after)),
					   offset_of(&now));
	uint64_t period = ledger->period_ns, low;
	uint64_t high, point, behind;
	bool late = header->events & DRM_PANTHOR_PERF_EVENT_LATE;

	offset.low -= GRID_SLACK_NS;
	offset.high += GRID_SLACK_NS;
	low = header->timestamp_end_ns + offset.low;
	high = header->timestamp_end_ns + offset.high;
	if (!header->sample_nr) {
		uint64_t first = (header->timestamp_start_ns + offset.low) / period;
		uint64_t last = (header->timestamp_start_ns + offset.high) / period;

		/* Where the zero lies beside a point, what comes of it decides the side. */
		ledger->point = first;
		ledger->doubt = last - first;
	}
	ledger->point += header->merged + !final;
	for (; ledger->doubt && !late && low / period > ledger->point; ledger->doubt--)
		ledger->point++;
	/* A point beyond the end of the clock does not come. */
	if (__builtin_mul_overflow(ledger->point, period, &point)) {
		ledger_wrong(ledger, "sample %" PRIu64 " stands for point %" PRIu64,
			     (uint64_t)header->sample_nr, ledger->point);
		return;
	}
	behind = low > point ? low - point : 0;
	if (high < point)
		ledger_wrong(ledger, "sample %" PRIu64 " ends %" PRIu64 " ns before its point %"
			     PRIu64, (uint64_t)header->sample_nr, point - high, ledger->point);
	else if (!late && !final && !header->merged && behind >= period / 2)
		ledger_wrong(ledger, "sample %" PRIu64 " ends %" PRIu64
			     " ns behind its point, and is not LATE",
			     (uint64_t)header->sample_nr, behind);
	else if (!late && behind >= period)
		ledger_wrong(ledger, "sample %" PRIu64 " ends %" PRIu64
			     " ns behind its newest point, merged %u",
			     (uint64_t)header->sample_nr, behind, header->merged);
	ledger->on_point += !late && !final && !header->merged;
}

/**
 * ledger_check() - Check the header of the next sample
 * @ledger: The ledger.
 * @header: The header.
 * @run: The run that it belongs to.
 * @user_data: What it has to have.
 * @final: It is the answer to STOP.
 *
 * Return: What is wrong, or %NULL.
 */
static inline const char *ledger_check(struct ledger *ledger,
				       const struct drm_panthor_perf_sample_header *header,
				       const struct run *run, uint64_t user_data, bool final)
{
	bool stretched = header->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED;

	ledger->text[0] = 0;
	ledger->run = *run;
	if (header->sample_nr != ledger->sample_nr)
		ledger_wrong(ledger, "sample_nr %" PRIu64 ", not %" PRIu64,
			     (uint64_t)header->sample_nr, ledger->sample_nr);
	if (header->user_data != user_data)
		ledger_wrong(ledger, "sample %" PRIu64 " has user data %#" PRIx64 ", not %#" PRIx64,
			     ledger->sample_nr, (uint64_t)header->user_data, user_data);
	if (!ledger->sample_nr) {
		if (header->timestamp_start_ns < run->before.raw_ns ||
		    header->timestamp_start_ns > run->after.raw_ns)
			ledger_wrong(ledger, "starts at %" PRIu64 " ns, START lasted from %" PRIu64
				     " to %" PRIu64, (uint64_t)header->timestamp_start_ns,
				     run->before.raw_ns, run->after.raw_ns);
	} else if (header->timestamp_start_ns != ledger->end_ns) {
		ledger_wrong(ledger, "sample %" PRIu64 " starts at %" PRIu64
			     " ns, the one before ends at %" PRIu64, ledger->sample_nr,
			     (uint64_t)header->timestamp_start_ns, ledger->end_ns);
	}
	if (header->timestamp_end_ns < header->timestamp_start_ns)
		ledger_wrong(ledger, "sample %" PRIu64 " ends %" PRIu64 " ns before it starts",
			     ledger->sample_nr, (uint64_t)(header->timestamp_start_ns -
							   header->timestamp_end_ns));
	if (header->timestamp_end_ns > raw_ns())
		ledger_wrong(ledger, "sample %" PRIu64 " ends in the future", ledger->sample_nr);
	if (stretched != !!header->merged)
		ledger_wrong(ledger, "sample %" PRIu64 " has merged %u and is%s STRETCHED",
			     ledger->sample_nr, header->merged, stretched ? "" : " not");
	if (final != !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_FINAL))
		ledger_wrong(ledger, "sample %" PRIu64 " is%s that of STOP, FINAL is%s set",
			     ledger->sample_nr, final ? "" : " not", final ? " not" : "");
	if (!(ledger->period_ns && !final) && header->events & DRM_PANTHOR_PERF_EVENT_LATE)
		ledger_wrong(ledger, "sample %" PRIu64 " is LATE, but no period published it",
			     ledger->sample_nr);
	if (!ledger->period_ns && header->merged)
		ledger_wrong(ledger, "sample %" PRIu64 " has merged %u without a period",
			     ledger->sample_nr, header->merged);
	if (ledger->period_ns)
		ledger_grid(ledger, header, final);

	ledger->sample_nr = final ? 0 : ledger->sample_nr + 1;
	ledger->end_ns = header->timestamp_end_ns;
	ledger->published++;
	ledger->merged += header->merged;
	ledger->erroneous += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	ledger->late += !!(header->events & DRM_PANTHOR_PERF_EVENT_LATE);
	ledger->ring_full += !!(header->events & DRM_PANTHOR_PERF_EVENT_RING_FULL);
	return ledger->text[0] ? ledger->text : NULL;
}

#endif
