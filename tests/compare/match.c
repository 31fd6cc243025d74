// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "times.h"

#define NS_PER_S	1000000000ull

/* How far a reading of the GPU's clocks is off at best. */
#define LEAST_ERROR_NS	500

/* Where the blocks of a type begin in an array of a sample's blocks. */
static uint32_t first_of(const struct recording *recording, unsigned int type)
{
	uint32_t first = 0;

	while (--type)
		first += recording->blocks[type];
	return first;
}

/* Events of which one has to be told with each kind of loss. */
static const uint32_t loss_events[LOSS_COUNT] = {
	[LOSS_RESET] = DRM_PANTHOR_PERF_EVENT_RESET,
	[LOSS_DISABLE] = DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT | DRM_PANTHOR_PERF_EVENT_FW_ERROR |
			 DRM_PANTHOR_PERF_EVENT_SUSPEND,
	[LOSS_OVERFLOW] = DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW | DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT,
	[LOSS_HANG] = DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT | DRM_PANTHOR_PERF_EVENT_RESET |
		      DRM_PANTHOR_PERF_EVENT_FW_ERROR,
	[LOSS_CORE_OFF] = DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST,
	[LOSS_SKIPPED] = DRM_PANTHOR_PERF_EVENT_FW_ERROR,
};

static bool is_error(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	return header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR;
}

static uint64_t timestamp_of(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	return header.gpu_timestamp;
}

/* Where a block lies among all blocks of a full sample. Returns false if the recording lacks it. */
static bool home_of(const struct match *match, unsigned int type, unsigned int idx, uint32_t *home)
{
	const uint32_t rank = truth_rank(match->truth, type, idx);

	*home = first_of(match->recording, type) + rank;
	return rank < match->recording->blocks[type];
}

/* Adds what the GPU wrote with a sample, by block and counter, filtered by what was asked for. */
static void add_sample(const struct match *match, size_t index, uint64_t *sums)
{
	const struct recording *recording = match->recording;
	uint32_t counters = recording->info.counters_per_block;
	const struct truth *truth = match->truth;
	const struct truth_sample *sample = &truth->samples[index];
	size_t i;

	for (i = sample->first_block; i < sample->first_block + sample->block_count; i++) {
		const struct truth_block *block = &truth->blocks[i];
		const uint8_t *enabled = recording->enabled[block->type];
		uint32_t home, counter;
		uint64_t *sum;

		if (!home_of(match, block->type, block->idx, &home) ||
		    !set_has(match->recording->counter_set, block->type))
			continue;
		sum = sums + (size_t)home * counters;
		for (counter = HEADER_COUNTERS; counter < counters; counter++)
			if (enabled[counter])
				sum[counter] += block->values[counter - HEADER_COUNTERS];
		if (match->skew.block == i && enabled[match->skew.counter])
			sum[match->skew.counter]++;
	}
}

static size_t sums_size(const struct match *match)
{
	return (size_t)match->recording->block_count *
	       match->recording->info.counters_per_block * sizeof(uint64_t);
}

/* What a sample has of a sum. */
static uint64_t expected(const struct recording *recording, unsigned int type, uint32_t counter,
			 uint64_t sum)
{
	return recording->enabled[type][counter] ? sum : 0;
}

/* How many counters of a sample do not have these sums. LIMIT ends the count. */
static size_t misfits(const struct match *match, size_t sample, const uint64_t *sums, size_t limit)
{
	const struct recording *recording = match->recording;
	uint32_t counters = recording->info.counters_per_block;
	uint32_t position = 0, idx, counter;
	unsigned int type;
	size_t count = 0;

	for (type = 1; type < TYPE_COUNT; type++)
		for (idx = 0; idx < recording->blocks[type]; idx++, position++)
			for (counter = 0; counter < counters && count < limit; counter++)
				count += recording_counter(recording, sample, position, counter) !=
					 expected(recording, type, counter,
						  sums[(size_t)position * counters + counter]);
	return count;
}

static void compare_block(struct match *match, size_t sample, uint32_t position, uint32_t home,
			  const struct drm_panthor_perf_block_header *block, const uint64_t *sums)
{
	const struct recording *recording = match->recording;
	uint32_t counters = recording->info.counters_per_block;
	uint32_t counter;

	for (counter = 0; counter < counters; counter++) {
		struct difference difference = {
			.cell = { sample, block->type, block->idx, counter },
			.expected = expected(recording, block->type, counter,
					     sums[(size_t)home * counters + counter]),
			.got = recording_counter(recording, sample, position, counter),
		};

		if (recording->enabled[block->type][counter])
			match->compared++;
		else
			match->zeroes += recording_has(recording, block->type, counter);
		if (difference.expected == difference.got)
			continue;
		match->differ++;
		if (match->report)
			match->report(&difference, match->data);
	}
}

bool match_given_up(const struct drm_panthor_perf_sample_header *header)
{
	return header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR &&
	       header->events & DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT &&
	       header->events & DRM_PANTHOR_PERF_EVENT_HOST_TIME;
}

/*
 * Was a loss, or a full ring, told by a sample before? The first of one that starts where the other
 * ended may be: that end is the host's time then, and lies behind the loss. Between the two there
 * may be others that were published without a sample of the GPU, because it slept.
 */
static bool told_before(const struct match *match, size_t sample, enum loss_reason reason,
			size_t position)
{
	const uint32_t wanted = loss_events[reason] | DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT;
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	if (!sample || !header.sample_nr || match->starts[sample] == NO_SAMPLE ||
	    position != match->starts[sample] + 1)
		return false;
	do {
		recording_header(match->recording, --sample, &header);
		if (header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR && header.events & wanted &&
		    header.events & DRM_PANTHOR_PERF_EVENT_HOST_TIME)
			return true;
	} while (sample && header.sample_nr && !header.gpu_timestamp);
	return false;
}

/*
 * Is there a loss in a range that neither the sample before nor this one has told? That of a core
 * without power needs no ERROR. Whether a full ring loses counts the driver cannot know.
 */
static bool has_own_loss(const struct match *match, size_t sample, size_t first, size_t last)
{
	const struct truth_loss *end = match->truth->losses + match->truth->loss_count;
	const struct truth_loss *loss = truth_loss_in(match->truth, first, last);
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	for (; loss && loss < end && loss->position <= last; loss++)
		if (!told_before(match, sample, loss->reason, loss->position) &&
		    (loss->reason != LOSS_CORE_OFF ||
		     !(header.events & DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST)))
			return true;
	if (told_before(match, sample, LOSS_OVERFLOW, first))
		first++;
	return truth_was_full(match->truth, first, last);
}

/*
 * Firmware that does not answer may or may not have counted until it was suspended or given up: the
 * driver cannot know.
 */
static bool ended_without_answer(const struct drm_panthor_perf_sample_header *header)
{
	if (header->events & DRM_PANTHOR_PERF_EVENT_SUSPEND)
		return header->events & (DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT |
					 DRM_PANTHOR_PERF_EVENT_FW_ERROR);

	return match_given_up(header);
}

/* Did the GPU skip the sample of START? Then the first sample has ERROR, whatever it has. */
static bool start_was_skipped(const struct truth *truth, size_t start,
			      const struct drm_panthor_perf_sample_header *header)
{
	const struct truth_loss *end = truth->losses + truth->loss_count;
	const struct truth_loss *loss = truth_loss_in(truth, start, start);

	while (loss && loss < end && loss->position == start && loss->reason != LOSS_SKIPPED)
		loss++;
	return !header->sample_nr && header->events & DRM_PANTHOR_PERF_EVENT_FW_ERROR && loss &&
	       loss < end && loss->position == start;
}

/* Was the ring full in the range of a sample up to LAST, or about there? */
static bool was_full(const struct match *match, size_t sample, size_t start, size_t last,
		     const struct drm_panthor_perf_sample_header *header)
{
	if (sample && header->sample_nr && match->starts[sample - 1] != NO_SAMPLE)
		start = match->starts[sample - 1] + 1;
	return header->events & DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW &&
	       truth_was_full(match->truth, start, last + 1);
}

/* Does a sample say that counts of it were lost if and only if they were? */
static void check_loss(struct match *match, size_t sample)
{
	const struct truth *truth = match->truth;
	const struct truth_loss *end = truth->losses + truth->loss_count;
	size_t start = match->starts[sample], last = match->ends[sample], behind = NO_SAMPLE;
	struct drm_panthor_perf_sample_header header;
	const struct truth_loss *loss;
	bool sure = start != NO_SAMPLE && last != NO_SAMPLE;
	bool inside, full, excused;

	recording_header(match->recording, sample, &header);
	if (!(header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR)) {
		if (start < last && last != NO_SAMPLE &&
		    has_own_loss(match, sample, start + 1, last))
			match->untold++;
		return;
	}

	if (start == NO_SAMPLE)
		start = match->floor;
	if (last == NO_SAMPLE)
		last = SIZE_MAX - 1;
	loss = truth_loss_in(truth, start + 1, last);
	inside = loss;
	/*
	 * Or it was published as the firmware did not answer, without a sample of the GPU: then
	 * the loss follows on the last one.
	 */
	full = was_full(match, sample, start, last + !inside, &header);
	if ((!inside || (!sure && ended_without_answer(&header))) &&
	    match->ends[sample] != NO_SAMPLE) {
		behind = ++last;
		loss = truth_loss_in(truth, inside ? start + 1 : last, last);
	}
	excused = full || (!inside && (start_was_skipped(truth, start, &header) ||
				       ended_without_answer(&header)));
	if (!loss) {
		match->unfounded += !excused;
		return;
	}
	for (; loss < end && loss->position <= last; loss++) {
		uint32_t also = loss->position == behind ? DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT : 0;
		bool named = header.events & (loss_events[loss->reason] | also) ||
			     told_before(match, sample, loss->reason, loss->position);

		/* Of an uncertain range, others may belong to the samples beside this one. */
		if (named && !sure)
			return;
		if (!named && sure)
			break;
	}
	/* A loss behind the end, or of an uncertain range, may not be what ERROR is for. */
	if (!sure || (loss < end && loss->position <= last))
		match->misnamed += !excused || (sure && inside);
}

/*
 * Was the sample before given up as the counters were dead? What the host had not read when it
 * disabled them lies behind the last sample that it has read, and is lost.
 */
static bool dead_before(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	if (!sample || !header.sample_nr)
		return false;
	recording_header(match->recording, sample - 1, &header);
	return match_given_up(&header);
}

/*
 * Was the GPU asleep all the time? There is no sample of it since START, and the sample before
 * ended in that sleep. No block counted.
 */
static bool slept_through(const struct match *match, size_t sample)
{
	const uint32_t events = DRM_PANTHOR_PERF_EVENT_SUSPEND |
				DRM_PANTHOR_PERF_EVENT_HOST_TIME;
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	if (!header.sample_nr || header.gpu_timestamp || (header.events & events) != events)
		return false;
	recording_header(match->recording, sample - 1, &header);
	return !header.gpu_timestamp && (header.events & events) == events;
}

/* Did STOP cancel it before the GPU had taken a sample since the one before? It has no counts. */
static bool cancelled_at_once(const struct match *match, size_t sample)
{
	struct drm_panthor_perf_sample_header header;

	recording_header(match->recording, sample, &header);
	return !header.gpu_timestamp && header.events & DRM_PANTHOR_PERF_EVENT_CANCELLED;
}

static void compare_sample(struct match *match, size_t sample, uint64_t *sums)
{
	const struct recording *recording = match->recording;
	size_t start = match->starts[sample];
	size_t end = match->ends[sample];
	uint32_t position;
	size_t i;

	if (is_error(match, sample)) {
		match->errors++;
		return;
	}
	memset(sums, 0, sums_size(match));
	if (start != NO_SAMPLE && end != NO_SAMPLE && end >= start) {
		i = start + 1;
		if (dead_before(match, sample))
			while (i <= end && match->truth->samples[i].unread)
				i++;
		for (; i <= end; i++)
			add_sample(match, i, sums);
	} else if (!slept_through(match, sample) && !cancelled_at_once(match, sample)) {
		match->lost++;
		return;
	}

	/* A block whose header names none of the GPU's is a defect that is told elsewhere. */
	for (position = 0; position < recording->block_count; position++) {
		struct drm_panthor_perf_block_header block;
		uint32_t home;

		recording_block(recording, sample, position, &block);
		if (block.type && block.type < TYPE_COUNT &&
		    home_of(match, block.type, block.idx, &home))
			compare_block(match, sample, position, home, &block, sums);
	}
}

static uint64_t *alloc_sums(const struct match *match)
{
	size_t count = (size_t)match->recording->block_count *
		       match->recording->info.counters_per_block;

	return calloc(count ? count : 1, sizeof(uint64_t));
}

static void reset_counts(struct match *match)
{
	match->compared = 0;
	match->zeroes = 0;
	match->differ = 0;
	match->errors = 0;
	match->lost = 0;
}

/**
 * struct window - when a call was made
 */
struct window {
	/** @entry: GPU timestamp at its entry. */
	uint64_t entry;

	/** @exit: GPU timestamp at its return, UINT64_MAX if it is not told. */
	uint64_t exit;
};

/* By the records of the calls and the recorder's own readings of the GPU's timestamp. */
static bool window_of_call(const struct match *match, const struct call *call,
			   struct window *window)
{
	const struct recording *recording = match->recording;
	uint64_t hz = match->truth->timestamp_hz;
	struct span before, after;

	if (!call->known || !recording_ticks_of(recording, hz, call->before_ns, &before) ||
	    !recording_ticks_of(recording, hz, call->after_ns, &after))
		return false;
	window->entry = before.low > 0 ? before.low : 0;
	window->exit = after.high > 0 ? after.high : 0;
	return true;
}

/* When START was called, of the first sample of a run, or else the call that the sample is for. */
static struct window window_of(const struct match *match, size_t sample, bool first)
{
	const uint64_t unknown = UINT64_MAX >> CALL_TIME_BITS;
	const struct recording *recording = match->recording;
	struct drm_panthor_perf_sample_header header;
	struct window window = { 0, UINT64_MAX };
	uint64_t length;

	if (recording->told) {
		const struct run *run = recording_run(recording, sample);

		if (first)
			window_of_call(match, &run->start, &window);
		else if (recording_is_final(recording, sample))
			window_of_call(match, &run->stop, &window);
		if (first || !match->timed || window.entry)
			return window;
	}
	if (!match->timed)
		return window;
	recording_header(recording, sample, &header);
	window.entry = header.user_data & ((1ull << CALL_TIME_BITS) - 1);
	length = header.user_data >> CALL_TIME_BITS;
	if (length != unknown)
		window.exit = window.entry + (length + 1) * CALL_LENGTH_UNIT;
	return window;
}

/* Is a sample of the GPU the one that START asked for, or has come by itself right behind that? */
static bool is_asked_for(const struct match *match, size_t i, const struct window *start)
{
	const struct truth *truth = match->truth;
	size_t request = truth->samples[i].manual ? i : truth->samples[i].manual_before;

	return request != SIZE_MAX && request >= match->floor &&
	       truth->samples[request].timestamp <= start->exit;
}

/*
 * The GPU's samples about the time at which the first sample says that it starts: the driver's
 * reading of both clocks is no better than that. One may have come by itself, right behind the one
 * that START asked for. Returns their number, and the last of them.
 */
static size_t near_time(const struct match *match, size_t sample, const struct window *start,
			const struct span *ticks, uint64_t error_ns, size_t *zero)
{
	const struct truth *truth = match->truth;
	int64_t error = error_ns * truth->timestamp_hz / NS_PER_S;
	int64_t low = ticks->low - error, high = ticks->high + error;
	size_t count = 0, i;

	if (start->exit < INT64_MAX && high > (int64_t)start->exit)
		high = start->exit;
	i = truth_first(truth, low > 0 ? low : 0);
	for (; i < match->ends[sample] && (int64_t)truth->samples[i].timestamp <= high; i++) {
		if (!is_asked_for(match, i, start))
			continue;
		*zero = i;
		count++;
	}
	return count;
}

/*
 * The driver took the host's time, when it had read all samples of the GPU: the zero is the last
 * one before that. With one behind it that came by itself, it is not sure which of them it read.
 */
static size_t zero_before(const struct match *match, size_t sample, const struct window *start,
			  const struct span *ticks)
{
	const struct truth *truth = match->truth;
	size_t i = truth_first(truth, ticks->high + 1);

	if (!i-- || i < match->floor || i >= match->ends[sample] || !truth->samples[i].manual ||
	    truth->samples[i].timestamp < start->entry ||
	    (int64_t)truth->samples[i].timestamp > ticks->low)
		return NO_SAMPLE;
	return i;
}

static size_t zero_by_time(const struct match *match, size_t sample, const struct window *start)
{
	struct drm_panthor_perf_sample_header header;
	size_t zero = NO_SAMPLE;
	uint64_t error_ns;
	struct span ticks;

	recording_header(match->recording, sample, &header);
	if (!match->recording->told ||
	    !recording_ticks_of(match->recording, match->truth->timestamp_hz,
				header.timestamp_start_ns, &ticks))
		return NO_SAMPLE;
	/* Without clocks, no time of the driver is the GPU's. */
	if (!match->recording->info.supported_clocks)
		return zero_before(match, sample, start, &ticks);
	/* No other one is nearly as close. */
	for (error_ns = LEAST_ERROR_NS; error_ns < 2 * match->limit_ns; error_ns *= 2) {
		size_t count = near_time(match, sample, start, &ticks,
					 error_ns < match->limit_ns ? error_ns : match->limit_ns,
					 &zero);

		if (count)
			return count == 1 ? zero : NO_SAMPLE;
	}
	return zero_before(match, sample, start, &ticks);
}

/* Is it at about that time? The driver's reading of both clocks is no better than that. */
static bool is_near_zero(const struct match *match, size_t sample, size_t i)
{
	const struct truth *truth = match->truth;
	struct drm_panthor_perf_sample_header header;
	struct span raw;

	recording_header(match->recording, sample, &header);
	return match->recording->told &&
	       recording_raw_of(match->recording, truth->timestamp_hz,
				truth->samples[i].timestamp, &raw) &&
	       (int64_t)header.timestamp_start_ns >= raw.low - (int64_t)match->limit_ns &&
	       (int64_t)header.timestamp_start_ns <= raw.high + (int64_t)match->limit_ns;
}

/*
 * The zero is the end of a sample that the host asked for, maybe of an earlier enable: the host
 * may have halted the GPU meanwhile. Other sessions ask for samples too. Where its time does not
 * tell which it is, this is a guess: the latest that fits, or fits best.
 */
static bool find_zero(struct match *match, size_t sample, const struct window *start)
{
	const struct truth_sample *samples = match->truth->samples;
	size_t end = match->ends[sample];
	size_t best = SIZE_MAX;
	uint64_t *sums;
	size_t i;

	match->zero = zero_by_time(match, sample, start);
	match->guessed[sample] = match->zero == NO_SAMPLE;
	if (match->zero != NO_SAMPLE)
		return true;
	match->guesses++;
	sums = alloc_sums(match);
	if (!sums)
		return false;
	for (i = end; best && i-- > match->floor; ) {
		size_t count;

		add_sample(match, i + 1, sums);
		if (!is_asked_for(match, i, start))
			continue;
		if (!samples[i].manual && !is_near_zero(match, sample, i))
			continue;
		count = misfits(match, sample, sums, best);
		if (count < best) {
			best = count;
			match->zero = i;
		}
	}
	free(sums);
	if (best)
		match->zero_fits = false;
	return true;
}

bool match_asleep(const struct match *match, size_t sample)
{
	const uint32_t events = DRM_PANTHOR_PERF_EVENT_SUSPEND |
				DRM_PANTHOR_PERF_EVENT_HOST_TIME;
	const struct truth *truth = match->truth;
	struct drm_panthor_perf_sample_header header;
	size_t end = match->ends[sample];

	recording_header(match->recording, sample, &header);
	return match->recording->sleeps && (header.events & events) == events &&
	       end != NO_SAMPLE && (end + 1 == truth->sample_count ||
				    truth->samples[end].enable != truth->samples[end + 1].enable);
}

/* Was the GPU asleep up to a call, for which it takes no sample then? */
static bool slept_on(const struct match *match, size_t sample, const struct window *call)
{
	size_t next = match->ends[sample] + 1;

	return match_asleep(match, sample) && (next == match->truth->sample_count ||
					       match->truth->samples[next].timestamp > call->entry);
}

/* Where a sample starts, that of the sample before being known. */
static bool find_start(struct match *match, size_t sample, bool first)
{
	size_t before = first ? NO_SAMPLE : match->ends[sample - 1];
	struct window call = window_of(match, sample, first);
	bool has_end = timestamp_of(match, sample);

	if (first) {
		size_t floor = truth_first(match->truth, call.entry);

		match->runs++;
		if (sample && match->ends[sample - 1] != NO_SAMPLE &&
		    floor <= match->ends[sample - 1])
			floor = match->ends[sample - 1] + 1;
		match->floor = floor;
	}
	if (has_end && !truth_find(match->truth, timestamp_of(match, sample), &match->ends[sample]))
		match->ends[sample] = NO_SAMPLE;
	else if (!has_end)
		match->ends[sample] = before;

	match->starts[sample] = before;
	if (before == NO_SAMPLE && match->ends[sample] != NO_SAMPLE && !is_error(match, sample)) {
		struct window any = { 0, UINT64_MAX };

		if (!find_zero(match, sample, first ? &call : &any))
			return false;
		match->starts[sample] = match->zero;
	}
	if (first && match->recording->told)
		call = window_of(match, sample, false);
	if ((!first || match->recording->told) && !is_error(match, sample) &&
	    match->ends[sample] != NO_SAMPLE &&
	    match->truth->samples[match->ends[sample]].timestamp < call.entry &&
	    !slept_on(match, sample, &call))
		match->stale++;
	check_loss(match, sample);
	return true;
}

bool match_init(struct match *match)
{
	size_t count = match->recording->sample_count;
	size_t sample;

	match->zero = NO_SAMPLE;
	match->zero_fits = true;
	match->skew.block = NO_SAMPLE;
	match->ends = calloc(count + 1, sizeof(*match->ends));
	match->starts = calloc(count + 1, sizeof(*match->starts));
	match->guessed = calloc(count + 1, sizeof(*match->guessed));
	if (!match->ends || !match->starts || !match->guessed)
		return false;
	for (sample = 0; sample < count; sample++) {
		struct drm_panthor_perf_sample_header header;

		recording_header(match->recording, sample, &header);
		if (!find_start(match, sample, !sample || !header.sample_nr))
			return false;
	}
	return true;
}

void match_free(struct match *match)
{
	free(match->ends);
	free(match->starts);
	free(match->guessed);
}

bool match_run(struct match *match)
{
	uint64_t *sums = alloc_sums(match);
	size_t sample;

	if (!sums)
		return false;
	reset_counts(match);
	for (sample = 0; sample < match->recording->sample_count; sample++)
		compare_sample(match, sample, sums);
	free(sums);
	return true;
}

/* A counter in the middle of those that were asked for of a block, 0 if there is none. */
static unsigned int middle_counter(const struct recording *recording, unsigned int type)
{
	unsigned int counter, left = 0;

	for (counter = 0; counter < recording->info.counters_per_block; counter++)
		left += recording->enabled[type][counter];
	if (!left)
		return 0;
	left = left / 2 + 1;
	for (counter = 0; left; counter++)
		left -= recording->enabled[type][counter];
	return counter - 1;
}

bool match_pick(const struct match *match, struct skew *skew, struct cell *cell)
{
	const struct recording *recording = match->recording;
	const struct truth *truth = match->truth;
	size_t count = recording->sample_count;
	size_t n, i, j;

	for (n = 0; n < count; n++) {
		size_t sample = (count / 2 + n) % count;
		size_t start = match->starts[sample];
		size_t end = match->ends[sample];

		if (start == NO_SAMPLE || end == NO_SAMPLE || is_error(match, sample))
			continue;
		for (i = end; i > start; i--) {
			const struct truth_sample *from = &truth->samples[i];

			for (j = from->first_block + from->block_count; j-- > from->first_block; ) {
				const struct truth_block *block = &truth->blocks[j];
				uint32_t home;

				if (!home_of(match, block->type, block->idx, &home) ||
				    !set_has(match->recording->counter_set, block->type))
					continue;
				skew->block = j;
				skew->counter = middle_counter(recording, block->type);
				cell->sample = sample;
				cell->type = block->type;
				cell->idx = block->idx;
				cell->counter = skew->counter;
				if (skew->counter)
					return true;
			}
		}
	}
	return false;
}
