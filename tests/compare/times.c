// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "defects.h"
#include "times.h"

/*
 * The recorder has read the GPU's timestamp and the clock of the samples together now and then. The
 * driver has done so by itself: both have to come to the same time, but for what passed while
 * they read. The host's time, with HOST_TIME or of a driver without clocks, is not before that of
 * the GPU.
 */

/* The GPU's time of its sample against a time that was told for it. */
static void check_time(const struct match *match, size_t sample, size_t index, uint64_t told,
		       const char *what, bool maybe_host, struct times *times)
{
	const struct truth *truth = match->truth;
	int64_t early = 0, late = 0, error;
	struct span raw;

	if (!recording_raw_of(match->recording, truth->timestamp_hz,
			      truth->samples[index].timestamp, &raw))
		return;
	if ((int64_t)told < raw.low)
		early = raw.low - told;
	if ((int64_t)told > raw.high && !maybe_host)
		late = told - raw.high;
	error = early > late ? early : late;
	times->checked += !maybe_host;
	if (!maybe_host && (uint64_t)error > times->worst_ns)
		times->worst_ns = error;
	if ((uint64_t)(raw.high - raw.low) > times->unsure_ns)
		times->unsure_ns = raw.high - raw.low;
	times->far += (uint64_t)error > match->reading_ns;
	check((uint64_t)error <= match->limit_ns, "sample %zu: %s at %" PRIu64 " ns, %" PRId64
	      " ns %s the GPU took its sample", sample, what, told, error,
	      early ? "before" : "after");
}

static void check_sample(const struct match *match, size_t sample, struct times *times)
{
	const struct recording *recording = match->recording;
	struct drm_panthor_perf_sample_header header;
	uint64_t read_ns = recording->read_ns[sample];
	bool host;

	recording_header(recording, sample, &header);
	/* A driver that reports no clock knows no other time, and has no event for it. */
	host = header.events & DRM_PANTHOR_PERF_EVENT_HOST_TIME ||
	       !recording->info.supported_clocks;
	check(!read_ns || header.timestamp_end_ns <= read_ns,
	      "sample %zu: ends at %" PRIu64 " ns, but was read at %" PRIu64 " ns", sample,
	      (uint64_t)header.timestamp_end_ns, read_ns);
	check(header.gpu_timestamp || host || !recording->gpu_time_count ||
	      header.timestamp_end_ns == header.timestamp_start_ns,
	      "sample %zu: lasts %" PRIu64 " ns without a sample of the GPU, and has no HOST_TIME",
	      sample, (uint64_t)(header.timestamp_end_ns - header.timestamp_start_ns));
	if (header.gpu_timestamp && match->ends[sample] != NO_SAMPLE)
		check_time(match, sample, match->ends[sample], header.timestamp_end_ns, "ends",
			   host, times);
	/* Whether START got the host's time, nothing tells. */
	if (!header.sample_nr && match->starts[sample] != NO_SAMPLE && !match->guessed[sample])
		check_time(match, sample, match->starts[sample], header.timestamp_start_ns,
			   "starts", true, times);
}

size_t check_times(const struct match *match, const char *where, struct times *times)
{
	const size_t samples = match->recording->sample_count;
	size_t sample;

	defects_begin(where);
	times->far = 0;
	for (sample = 0; sample < samples; sample++)
		check_sample(match, sample, times);
	check(times->far <= match_few(samples), "%zu times of %zu samples are more than %" PRIu64
	      " ns from the GPU's", times->far, samples, match->reading_ns);
	return defects_end();
}
