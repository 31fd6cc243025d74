// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "cycles.h"
#include "defects.h"
#include "times.h"

/*
 * Cycles count while counters do: from one sample on request to another of the same enable, and at
 * the begin of an enable from some time between it and its first sample on request on. The driver
 * reads the cycle counter when a request is answered, which is before the next request, and
 * interpolates to the end of the sample: where the rate has changed meanwhile, that is off by up to
 * the difference of the rates, for as long as the answer took.
 */

#define NS_PER_S	1000000000ull

/**
 * struct bounds - what a number of cycles may be
 */
struct bounds {
	/** @low: At least this. */
	double low;

	/** @high: At most this. */
	double high;

	/** @changed: The rate changed around one of its ends. */
	bool changed;
};

/**
 * struct mark - an end of a sample on the GPU's clock
 */
struct mark {
	/** @index: The GPU's sample that it belongs to. */
	size_t index;

	/** @behind: Ticks behind that sample: more than 0 where the host's time was taken. */
	struct span behind;
};

static uint64_t rate_at(const struct truth *truth, unsigned int clock, uint64_t timestamp)
{
	size_t behind = truth_first_rate(truth, clock, timestamp);

	return behind ? truth->rates[clock][behind - 1].hz : 0;
}

/* The largest difference of rates from one time to another, and the largest rate. */
static uint64_t rates_differ(const struct truth *truth, unsigned int clock, uint64_t from,
			     uint64_t to, uint64_t *most)
{
	const struct truth_rate *rates = truth->rates[clock];
	uint64_t low = rate_at(truth, clock, from), high = low;
	size_t i;

	for (i = truth_first_rate(truth, clock, from);
	     i < truth->rate_counts[clock] && rates[i].timestamp <= to; i++) {
		low = rates[i].hz < low ? rates[i].hz : low;
		high = rates[i].hz > high ? rates[i].hz : high;
	}
	*most = high;
	return high - low;
}

static double integral(const struct truth *truth, unsigned int clock, uint64_t from, uint64_t to)
{
	const struct truth_rate *rates = truth->rates[clock];
	uint64_t hz = rate_at(truth, clock, from);
	double cycles = 0;
	size_t i;

	for (i = truth_first_rate(truth, clock, from);
	     i < truth->rate_counts[clock] && rates[i].timestamp <= to; i++) {
		cycles += (double)hz * (rates[i].timestamp - from);
		from = rates[i].timestamp;
		hz = rates[i].hz;
	}
	return (cycles + (double)hz * (to - from)) / truth->timestamp_hz;
}

/* From one sample of the GPU to another one of the same enable. */
static double between(const struct truth *truth, unsigned int clock, size_t from, size_t to)
{
	const struct truth_sample *a = &truth->samples[from], *b = &truth->samples[to];

	if (clock == DRM_PANTHOR_PERF_CLOCK_TOPLEVEL)
		return (double)b->cycles - (double)a->cycles;
	return integral(truth, clock, a->timestamp, b->timestamp);
}

/* What an end of a sample leaves in doubt. */
static double doubt_at(const struct match *match, unsigned int clock, const struct mark *mark,
		       uint64_t reading_ns, bool *changed)
{
	const struct truth *truth = match->truth;
	uint64_t at = truth->samples[mark->index].timestamp, from = at, to = at, most, differ;
	uint64_t error = (reading_ns * truth->timestamp_hz + NS_PER_S - 1) / NS_PER_S;
	size_t near = truth->samples[mark->index].manual_before;

	if (near != SIZE_MAX)
		from = truth->samples[near].timestamp;
	near = truth->samples[mark->index].manual_behind;
	to = near == SIZE_MAX ? UINT64_MAX : truth->samples[near].timestamp;
	differ = rates_differ(truth, clock, from, to, &most);
	*changed |= differ;
	error += mark->behind.high - mark->behind.low;
	if (to == UINT64_MAX)
		to = at + truth->timestamp_hz;
	return (double)most * error / truth->timestamp_hz +
	       (double)differ * (to - at) / truth->timestamp_hz + 2;
}

/* Of a clock that the driver is told of: a change is noticed late. */
static double notice_doubt(const struct truth *truth, unsigned int clock, uint64_t from,
			   uint64_t to)
{
	uint64_t notice = (uint64_t)NOTICE_NS * truth->timestamp_hz / NS_PER_S, most, differ;
	double doubt = 0;
	size_t i;

	if (clock == DRM_PANTHOR_PERF_CLOCK_TOPLEVEL)
		return 0;
	from = from > notice ? from - notice : 0;
	for (i = truth_first_rate(truth, clock, from); i < truth->rate_counts[clock]; i++) {
		uint64_t at = truth->rates[clock][i].timestamp;

		if (at > to)
			break;
		differ = rates_differ(truth, clock, at - 1, at, &most);
		doubt += (double)differ * NOTICE_NS / NS_PER_S;
	}
	return doubt;
}

/* The last request that was answered before the counters went off, not before a sample. */
static size_t last_answer(const struct truth *truth, size_t index)
{
	size_t i = index, last = index;

	while (++i < truth->sample_count &&
	       truth->samples[i].enable == truth->samples[index].enable)
		if (truth->samples[i].manual)
			last = i;
	return last;
}

/*
 * Cycles behind the last answer before the counters went off. If the host had not read its sample
 * by then, it may have taken its own time for the end, up to the disable. Otherwise it may have
 * read it late, with samples that the firmware took behind it.
 */
static double until_disable(const struct truth *truth, unsigned int clock, size_t last)
{
	uint64_t disabled = truth_enable_of(truth, last)->disabled;
	const struct truth_sample *samples = truth->samples;
	size_t newest = last;

	if (samples[last].unread)
		return disabled <= samples[last].timestamp ? 0 :
		       integral(truth, clock, samples[last].timestamp, disabled);

	while (newest + 1 < truth->sample_count && !samples[newest + 1].unread &&
	       samples[newest + 1].enable == samples[last].enable)
		newest++;
	return between(truth, clock, last, newest);
}

/* Cycles while the counters that were off come on, and up to a sample of that enable. */
static bool from_enable(const struct truth *truth, unsigned int clock, size_t index,
			struct bounds *bounds)
{
	const struct truth_enable *enable = truth_enable_of(truth, index);
	size_t first = enable->first;
	double cycles;

	while (first < index && !truth->samples[first].manual)
		first++;
	cycles = between(truth, clock, first, index);
	bounds->low += cycles;
	bounds->high += cycles + integral(truth, clock, enable->timestamp,
					  truth->samples[first].timestamp) + 2;
	return first == enable->first || truth->samples[first].manual;
}

/* Cycles from one end of a sample to the other, over all enables between. */
static bool expected(const struct match *match, unsigned int clock, const struct mark *from,
		     const struct mark *to, uint64_t reading_ns, struct bounds *bounds)
{
	const struct truth *truth = match->truth;
	const struct truth_sample *samples = truth->samples;
	uint64_t start = samples[from->index].timestamp, end = samples[to->index].timestamp;
	size_t at = from->index;
	double doubt, part;

	*bounds = (struct bounds) { 0 };
	while (samples[at].enable != samples[to->index].enable) {
		size_t last = last_answer(truth, at), next = last;

		part = between(truth, clock, at, last);
		bounds->low += part;
		bounds->high += part + until_disable(truth, clock, last);
		while (samples[next].enable == samples[at].enable)
			next++;
		/* The whole of an enable in between is for the next turn. */
		at = next;
		if (samples[at].enable == samples[to->index].enable)
			break;
		if (!from_enable(truth, clock, at, bounds))
			return false;
	}
	if (samples[from->index].enable == samples[to->index].enable) {
		part = between(truth, clock, at, to->index);
		bounds->low += part;
		bounds->high += part;
	} else if (!from_enable(truth, clock, to->index, bounds)) {
		return false;
	}
	doubt = doubt_at(match, clock, from, reading_ns, &bounds->changed) +
		doubt_at(match, clock, to, reading_ns, &bounds->changed) +
		notice_doubt(truth, clock, start, end + to->behind.high);
	part = integral(truth, clock, end, end + to->behind.low) -
	       integral(truth, clock, start, start + from->behind.low);
	bounds->low += part - doubt;
	bounds->high += part + doubt;
	return true;
}

/* Where an end is that was told in ns; false where it may be the host's time and nothing tells. */
static bool find_mark(const struct match *match, size_t index, uint64_t told_ns, bool maybe_host,
		      struct mark *mark)
{
	const struct truth *truth = match->truth;
	int64_t at = truth->samples[index].timestamp;
	struct span ticks;

	mark->index = index;
	mark->behind = (struct span) { 0, 0 };
	if (!maybe_host)
		return true;
	if (!recording_ticks_of(match->recording, truth->timestamp_hz, told_ns, &ticks))
		return false;
	if (ticks.low > at)
		mark->behind.low = ticks.low - at;
	mark->behind.high = ticks.high > at + mark->behind.low ? ticks.high - at :
			    mark->behind.low;
	return true;
}

static const char *const clock_names[] = {
	[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL] = "top level",
	[DRM_PANTHOR_PERF_CLOCK_COREGROUP] = "core group",
	[DRM_PANTHOR_PERF_CLOCK_SHADER] = "shader",
};

static void check_sample(const struct match *match, size_t sample, const struct mark *from,
			 const struct mark *to, struct cycles *cycles)
{
	const struct recording *recording = match->recording;
	const struct truth *truth = match->truth;
	struct drm_panthor_perf_sample_header header;
	unsigned int clock;
	bool far = false;

	recording_header(recording, sample, &header);
	for (clock = 0; clock <= DRM_PANTHOR_PERF_CLOCK_SHADER; clock++) {
		const uint64_t got[] = {
			header.toplevel_clock_cycles,
			header.coregroup_clock_cycles,
			header.shader_clock_cycles,
		};
		struct bounds bounds, most;
		double off;

		if (!(recording->info.supported_clocks >> clock & 1) ||
		    !rate_at(truth, clock, truth->samples[to->index].timestamp) ||
		    !expected(match, clock, from, to, match->reading_ns, &bounds) ||
		    !expected(match, clock, from, to, match->limit_ns, &most))
			continue;
		cycles->checked++;
		check((double)got[clock] >= most.low && (double)got[clock] <= most.high,
		      "sample %zu: %" PRIu64 " cycles of the %s clock instead of %.0f to %.0f",
		      sample, got[clock], clock_names[clock], most.low > 0 ? most.low : 0,
		      most.high);
		far |= (double)got[clock] < bounds.low || (double)got[clock] > bounds.high;
		off = (bounds.low + bounds.high) / 2 - got[clock];
		if (bounds.changed || bounds.high - bounds.low > 5.0 * match->reading_ns)
			continue;
		off = off < 0 ? -off : off;
		cycles->exact++;
		if (off > cycles->most)
			cycles->most = off;
	}
	cycles->far += far;
}

size_t check_cycles(const struct match *match, const char *where, struct cycles *cycles)
{
	const struct recording *recording = match->recording;
	struct drm_panthor_perf_sample_header header;
	struct mark from = { 0 }, to = { 0 };
	size_t sample;
	bool known = false;

	if (!match->truth->sample_count || match->truth->samples[0].cycles == NO_CYCLES)
		return 0;
	defects_begin(where);
	cycles->far = 0;
	for (sample = 0; sample < recording->sample_count; sample++) {
		size_t start = match->starts[sample], end = match->ends[sample];

		recording_header(recording, sample, &header);
		/* Of START, nothing tells whether it got the host's time. */
		if (!header.sample_nr)
			known = start != NO_SAMPLE && !match->guessed[sample] &&
				find_mark(match, start, header.timestamp_start_ns, true, &from);
		if (end == NO_SAMPLE ||
		    !find_mark(match, end, header.timestamp_end_ns,
			       header.events & DRM_PANTHOR_PERF_EVENT_HOST_TIME, &to)) {
			known = false;
			continue;
		}
		/* No cycles pass from the last sample before a sleep on. */
		if (match_asleep(match, sample))
			to.behind = (struct span) { 0, 0 };
		if (known && !(header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR) && end >= start)
			check_sample(match, sample, &from, &to, cycles);
		from = to;
		/* Where counters were given up, cycles end before the sample does. */
		known = !match_given_up(&header);
	}
	check(cycles->far <= match_few(recording->sample_count), "%zu of %zu samples have other "
	      "clock cycles than within %" PRIu64 " ns of the GPU's", cycles->far,
	      recording->sample_count, match->reading_ns);
	return defects_end();
}
