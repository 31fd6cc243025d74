// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_selftest.h"

/* What sessions show: how fast and how regularly samples come, and what moves in them. */

#define SESSION_STARTS		20
#define SESSION_SAMPLES		100
#define PERIOD_SLOTS		64
#define WAIT_MS			5000
#define IDLE_MS			500
#define CLOCK_MS		3000
#define CLOCK_TRIES		20
#define MS			1000000ull

/* Words of the front end, the same on all architectures. */
#define GPU_ACTIVE		4

/* Most counters that are named. */
#define NAMED			12

int selftest_create(struct selftest *st, const struct panthor_perf_selection *selection,
		    uint64_t period_ns, uint32_t slots, struct panthor_perf_session **session)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;

	config.selection = selection;
	config.sample_period_ns = period_ns;
	config.sample_slots = slots;
	return panthor_perf_session_create(st->device, &config, session, NULL);
}

uint64_t selftest_counter(const struct panthor_perf_block *block, unsigned int index)
{
	uint64_t value;

	panthor_perf_block_counter(block, index, &value);
	return value;
}

/* All counters of a type of blocks, of all types if it is 0. */
static int make_session(struct selftest *st, unsigned int only, uint64_t period_ns, uint32_t slots,
			struct panthor_perf_session **session)
{
	struct panthor_perf_selection *selection;
	char all[24];
	int ret;

	ret = panthor_perf_selection_create(st->object, NULL, DRM_PANTHOR_PERF_SET_PRIMARY,
					    &selection, NULL);
	if (ret)
		return ret;
	if (only) {
		snprintf(all, sizeof(all), "%s:*", panthor_perf_block_name(only));
		ret = panthor_perf_selection_add(selection, all, NULL);
	} else {
		ret = panthor_perf_selection_add_all(selection, NULL);
	}
	if (!ret)
		ret = selftest_create(st, selection, period_ns, slots, session);
	panthor_perf_selection_destroy(selection);
	return ret;
}

int selftest_take(struct panthor_perf_session *session, const struct panthor_perf_sample **sample)
{
	int ret = panthor_perf_session_wait(session, WAIT_MS, NULL);

	if (ret <= 0)
		return ret ? ret : -ETIMEDOUT;
	return panthor_perf_session_read(session, sample, NULL) == 1 ? 0 : -EPROTO;
}

int selftest_ask(struct panthor_perf_session *session, const struct panthor_perf_sample **sample)
{
	int ret = panthor_perf_session_sample(session, 0, NULL);

	return ret ? ret : selftest_take(session, sample);
}

static int finish(struct panthor_perf_session *session, const struct panthor_perf_sample **sample)
{
	int ret = panthor_perf_session_stop(session, 0, NULL);

	return ret ? ret : selftest_take(session, sample);
}

/**
 * check_latency() - How long the calls take
 * @st: The self-test.
 */
void check_latency(struct selftest *st)
{
	uint64_t start[SESSION_STARTS], stop[SESSION_STARTS], ask_ns[SESSION_SAMPLES];
	const unsigned int each = SESSION_SAMPLES / SESSION_STARTS;
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	unsigned int i, k, missing = 0;
	int ret = make_session(st, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 0, 0, &session);

	if (ret) {
		selftest_failed(st, "a session cannot be created: %s", strerror(-ret));
		return;
	}
	for (i = 0; !ret && i < SESSION_STARTS; i++) {
		start[i] = selftest_now(CLOCK_MONOTONIC);
		ret = panthor_perf_session_start(session, 0, NULL);
		start[i] = selftest_now(CLOCK_MONOTONIC) - start[i];
		for (k = 0; !ret && k < each; k++) {
			uint64_t *ns = &ask_ns[i * each + k];

			*ns = selftest_now(CLOCK_MONOTONIC);
			ret = selftest_ask(session, &sample);
			*ns = selftest_now(CLOCK_MONOTONIC) - *ns;
			if (!ret)
				missing += panthor_perf_sample_events(sample) &
						   DRM_PANTHOR_PERF_EVENT_FW_ERROR &&
					   !panthor_perf_sample_gpu_timestamp(sample);
		}
		if (ret)
			break;
		stop[i] = selftest_now(CLOCK_MONOTONIC);
		ret = finish(session, &sample);
		stop[i] = selftest_now(CLOCK_MONOTONIC) - stop[i];
	}
	if (ret) {
		selftest_failed(st, "a session does not count: %s", strerror(-ret));
	} else {
		selftest_times(st, "START, first with power-up", start, 1);
		selftest_times(st, "START", start + 1, SESSION_STARTS - 1);
		selftest_times(st, "SAMPLE to eventfd", ask_ns, SESSION_SAMPLES);
		selftest_times(st, "STOP to eventfd", stop, SESSION_STARTS);
		selftest_decide(st, "acknowledge-sample", !missing,
				"%u of %u samples came without one of the firmware", missing,
				SESSION_SAMPLES);
	}
	panthor_perf_session_destroy(session);
}

/* ---- Rates ---- */

/**
 * struct row - samples in a row
 */
struct row {
	/** @samples: Samples. */
	unsigned int samples;

	/** @broken: Samples that do not begin where the last ended, or end before they begin. */
	unsigned int broken;

	/** @gaps: Samples whose number is not the next. */
	unsigned int gaps;

	/** @backwards: Samples whose GPU timestamp is not behind that of the one before. */
	unsigned int backwards;

	/** @periods: Periods in the samples. */
	uint64_t periods;

	/** @end_ns: End of the last. */
	uint64_t end_ns;

	/** @gpu: GPU timestamp of the last. */
	uint64_t gpu;
};

static void look_at_row(struct row *row, const struct panthor_perf_sample *sample)
{
	uint64_t start_ns = panthor_perf_sample_start_ns(sample);
	uint64_t end_ns = panthor_perf_sample_end_ns(sample);
	uint64_t gpu = panthor_perf_sample_gpu_timestamp(sample);

	if (row->samples) {
		row->broken += start_ns != row->end_ns;
		row->backwards += gpu && gpu <= row->gpu;
	}
	row->broken += end_ns < start_ns;
	row->gaps += panthor_perf_sample_number(sample) != row->samples;
	row->samples++;
	row->periods += 1 + panthor_perf_sample_merged(sample);
	row->end_ns = end_ns;
	if (gpu)
		row->gpu = gpu;
}

static void judge_row(struct selftest *st, const char *what, const struct row *row)
{
	if (row->broken || row->gaps || row->backwards)
		selftest_failed(st, "%s: of %u samples, %u do not start at the end of the previous "
				"one, %u have a wrong number, %u go back in the GPU's time", what,
				row->samples, row->broken, row->gaps, row->backwards);
}

/* Without reading while it runs, a small ring merges: nothing may be lost. */
static void check_full_ring(struct selftest *st)
{
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	struct row row = { 0 };
	int ret = make_session(st, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, st->info.min_period_ns * 10,
			       st->info.min_sample_slots, &session);

	if (ret)
		return;
	ret = panthor_perf_session_start(session, 0, NULL);
	selftest_sleep_ms(50);
	if (!ret)
		ret = panthor_perf_session_stop(session, 0, NULL);
	if (!ret && panthor_perf_session_wait_count(session, 1, WAIT_MS, NULL) > 0) {
		selftest_sleep_ms(20);
		while (panthor_perf_session_read(session, &sample, NULL) == 1)
			look_at_row(&row, sample);
		panthor_perf_session_quality(session, &quality);
		selftest_figure(st, "full ring",
				"%u slots, no reader: %u samples hold %" PRIu64 " periods, %"
				PRIu64 " lost", st->info.min_sample_slots,
				row.samples, row.periods, quality.lost);
		judge_row(st, "full ring", &row);
	}
	panthor_perf_session_destroy(session);
}

static void check_period(struct selftest *st, uint64_t period_ns, unsigned int wanted,
			 const char *name)
{
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	struct row row = { 0 };
	const uint32_t slots = st->info.max_sample_slots < PERIOD_SLOTS ?
			       st->info.max_sample_slots : PERIOD_SLOTS;
	bool stopped = false;
	int ret = make_session(st, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, period_ns, slots, &session);

	if (ret) {
		selftest_failed(st, "%s: %s", name, strerror(-ret));
		return;
	}
	ret = panthor_perf_session_start(session, 0, NULL);
	while (!ret) {
		ret = selftest_take(session, &sample);
		if (ret)
			break;
		look_at_row(&row, sample);
		if (stopped && panthor_perf_sample_user_data(sample))
			break;
		if (row.samples >= wanted && !stopped) {
			ret = panthor_perf_session_stop(session, 1, NULL);
			stopped = true;
		}
	}
	if (ret) {
		selftest_failed(st, "%s: %s", name, strerror(-ret));
	} else {
		panthor_perf_session_quality(session, &quality);
		selftest_figure(st, name,
				"%u samples hold %" PRIu64 " periods; %" PRIu64 " merged, %" PRIu64
				" late, %" PRIu64 " with errors", row.samples, row.periods,
				quality.merged, quality.late, quality.errors);
		judge_row(st, name, &row);
	}
	panthor_perf_session_destroy(session);
}

/* The GPU's time and ours, with as little as possible between them. */
static int read_times(struct panthor_perf_session *session, uint64_t *gpu, uint64_t *host,
		      uint64_t *error)
{
	const struct panthor_perf_sample *sample;
	unsigned int i;

	*error = UINT64_MAX;
	for (i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = selftest_now(CLOCK_MONOTONIC_RAW), after;
		int ret = selftest_ask(session, &sample);

		if (ret)
			return ret;
		after = selftest_now(CLOCK_MONOTONIC_RAW);
		if (after - before >= *error || !panthor_perf_sample_gpu_timestamp(sample))
			continue;
		*error = after - before;
		*gpu = panthor_perf_sample_gpu_timestamp(sample);
		*host = before + *error / 2;
	}
	return *error == UINT64_MAX ? -ETIMEDOUT : 0;
}

static void check_timestamp(struct selftest *st)
{
	struct panthor_perf_session *session;
	uint64_t gpu[2], host[2], error[2];
	double rate, wide, want = st->info.gpu_timestamp_frequency;
	int ret = make_session(st, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 0, 0, &session);

	if (ret)
		return;
	ret = panthor_perf_session_start(session, 0, NULL);
	if (!ret)
		ret = read_times(session, &gpu[0], &host[0], &error[0]);
	selftest_sleep_ms(CLOCK_MS);
	if (!ret)
		ret = read_times(session, &gpu[1], &host[1], &error[1]);
	panthor_perf_session_destroy(session);
	if (ret) {
		selftest_leave(st, "timestamp-rate", "no time stamps: %s", strerror(-ret));
		return;
	}
	rate = 1e9 * (gpu[1] - gpu[0]) / (host[1] - host[0]);
	st->timestamp_rate = rate;
	wide = 100.0 * (error[0] + error[1]) / 2 / (host[1] - host[0]);
	selftest_figure(st, "GPU timestamp", "%.0f Hz within %.3f %%, against CLOCK_MONOTONIC_RAW; "
			"the driver says %.0f Hz", rate, wide, want);
	if (!want)
		selftest_leave(st, "timestamp-rate", "%.0f Hz; the driver knows none", rate);
	else if (wide > 0.1)
		selftest_leave(st, "timestamp-rate", "%.0f Hz, known within %.2f %% only", rate,
			       wide);
	else
		selftest_decide(st, "timestamp-rate",
				rate > 0.999 * want && rate < 1.001 * want,
				"%.0f Hz within %.3f %%, the CPUs' timer has %.0f Hz", rate, wide,
				want);
}

/**
 * check_rates() - Periods, order and the rate of the GPU's time
 * @st: The self-test.
 */
void check_rates(struct selftest *st)
{
	if (st->info.min_period_ns) {
		check_period(st, 10 * MS, 50, "period of 10 ms");
		check_period(st, 1 * MS, 300, "period of 1 ms");
		check_period(st, st->info.min_period_ns, 500, "shortest period");
		check_full_ring(st);
	}
	check_timestamp(st);
}

/* ---- Idle ---- */

static const char *name_of(const struct panthor_perf_block *block)
{
	return panthor_perf_block_name(panthor_perf_block_type(block));
}

static void name_counters(struct selftest *st, const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	unsigned int moved = 0, blocks = 0, used = 0;
	char text[SELFTEST_TEXT] = "";
	uint32_t i;

	while ((block = panthor_perf_sample_next_block(sample, block))) {
		blocks++;
		for (i = 4; i < st->info.counters_per_block; i++) {
			uint64_t count = selftest_counter(block, i);

			if (!count)
				continue;
			if (moved++ < NAMED)
				used += snprintf(text + used, sizeof(text) - used,
						 " %s%u:%u=%" PRIu64, name_of(block),
						 panthor_perf_block_number(block), i, count);
		}
	}
	selftest_figure(st, "moving at idle", "%u counters of %u blocks in %u ms:%s%s", moved,
			blocks, IDLE_MS, text, moved > NAMED ? " ..." : "");
}

static void name_states(struct selftest *st, const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	unsigned int bit, used = 0;
	char text[SELFTEST_TEXT] = "";

	while ((block = panthor_perf_sample_next_block(sample, block)) &&
	       used < sizeof(text) - 40) {
		const char *separator = "=";

		used += snprintf(text + used, sizeof(text) - used, " %s%u",
				 name_of(block), panthor_perf_block_number(block));
		for (bit = 0; bit < 6 && used < sizeof(text) - 40; bit++) {
			if (!(panthor_perf_block_states(block) & (1u << bit)))
				continue;
			used += snprintf(text + used, sizeof(text) - used, "%s%s", separator,
					 panthor_perf_state_name(bit));
			separator = "+";
		}
	}
	selftest_figure(st, "block states", "%s", text + 1);
}

static uint64_t active_of(const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;

	while ((block = panthor_perf_sample_next_block(sample, block)))
		if (panthor_perf_block_type(block) == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			return selftest_counter(block, GPU_ACTIVE);
	return 0;
}

/**
 * check_idle() - A powered GPU without work
 * @st: The self-test.
 */
void check_idle(struct selftest *st)
{
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	uint64_t cycles = 0, active;
	int ret = make_session(st, 0, 0, 0, &session);

	if (!ret)
		ret = panthor_perf_session_start(session, 0, NULL);
	if (ret) {
		selftest_failed(st, "a session does not count: %s", strerror(-ret));
		return;
	}
	/* What the start cost is not idle. */
	selftest_sleep_ms(50);
	ret = selftest_ask(session, &sample);
	selftest_sleep_ms(IDLE_MS);
	if (!ret)
		ret = selftest_ask(session, &sample);
	if (ret) {
		selftest_failed(st, "a session does not count: %s", strerror(-ret));
		panthor_perf_session_destroy(session);
		return;
	}
	name_counters(st, sample);
	name_states(st, sample);
	panthor_perf_sample_cycles(sample, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &cycles);
	active = active_of(sample);
	/* No verdict: an erratum of G715 and G615 is known. */
	selftest_figure(st, "idle", "%" PRIu64 " cycles, %" PRIu64 " of them active, in %.1f ms",
			cycles, active, (panthor_perf_sample_end_ns(sample) -
					 panthor_perf_sample_start_ns(sample)) / 1e6);
	panthor_perf_session_destroy(session);
}

/* ---- Sets and limits ---- */

/**
 * check_sets() - What the driver allows
 * @st: The self-test.
 */
void check_sets(struct selftest *st)
{
	const struct drm_panthor_perf_info *info = &st->info;
	char text[SELFTEST_TEXT] = "";
	unsigned int set, used = 0;

	for (set = 0; set < 3; set++) {
		struct panthor_perf_selection *selection;
		struct panthor_perf_session *session;
		int ret = panthor_perf_selection_create(st->object, NULL, set, &selection, NULL);

		if (!ret) {
			ret = selftest_create(st, selection, 0, 0, &session);
			panthor_perf_selection_destroy(selection);
		}

		used += snprintf(text + used, sizeof(text) - used, "%s%s %s", set ? ", " : "",
				 panthor_perf_set_name(set), !ret ? "allowed" : strerror(-ret));
		if (!ret)
			panthor_perf_session_destroy(session);
	}
	selftest_figure(st, "counter sets", "%s", text);
	selftest_figure(st, "limits", "%u to %u slots, %u sessions per file, shortest period "
			"%.3f ms, samples of %u bytes", info->min_sample_slots,
			info->max_sample_slots, info->max_sessions, info->min_period_ns / 1e6,
			info->sample_size);
	selftest_figure(st, "blocks", "fw %u, csg %u, cshw %u, tiler %u, memsys %u, shader %u, "
			"of %u counters", info->fw_blocks, info->csg_blocks, info->cshw_blocks,
			info->tiler_blocks, info->memsys_blocks, info->shader_blocks,
			info->counters_per_block);
}
