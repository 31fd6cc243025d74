/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_RECORDING_H
#define COMPARE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "panthor_perf_drm.h"

/** define TYPE_COUNT - one more than the highest block type that is known */
#define TYPE_COUNT	DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

/**
 * struct offset - how far a clock is ahead of another, at least and at most
 */
struct offset {
	/** @low: At least so many ns. */
	int64_t low;

	/** @high: At most so many ns. */
	int64_t high;
};

/**
 * struct gpu_time - CLOCK_MONOTONIC_RAW and the GPU's timestamp, read together
 */
struct gpu_time {
	/** @raw_ns: CLOCK_MONOTONIC_RAW before @timestamp was read. */
	uint64_t raw_ns;

	/** @uncertainty_ns: What it had advanced by when @timestamp had been read. */
	uint64_t uncertainty_ns;

	/** @timestamp: GPU timestamp. */
	uint64_t timestamp;
};

/**
 * struct span - where a value lies
 */
struct span {
	/** @low: At least here. */
	int64_t low;

	/** @high: At most here. */
	int64_t high;
};

/**
 * struct call - a call that the recorder made
 */
struct call {
	/** @user_data: What was given to it. */
	uint64_t user_data;

	/** @before_ns: CLOCK_MONOTONIC_RAW before it. */
	uint64_t before_ns;

	/** @after_ns: CLOCK_MONOTONIC_RAW behind it. */
	uint64_t after_ns;

	/** @known: It is in the file. */
	bool known;
};

/**
 * struct run - what comes of one START
 */
struct run {
	/** @start: START. */
	struct call start;

	/** @stop: STOP. */
	struct call stop;

	/** @offset: CLOCK_MONOTONIC - CLOCK_MONOTONIC_RAW from START to STOP. */
	struct offset offset;

	/** @first: Number of its first sample. */
	size_t first;

	/** @count: Number of its samples. */
	size_t count;
};

/**
 * struct recording - a raw sample file
 */
struct recording {
	/** @file: Content of the file. */
	unsigned char *file;

	/** @info: Counter configuration. */
	struct drm_panthor_perf_info info;

	/** @gpu_id: GPU_ID. */
	uint32_t gpu_id;

	/** @counter_set: The session's counter set. */
	uint32_t counter_set;

	/** @period_ns: The session's period in ns, 0 for none. */
	uint64_t period_ns;

	/** @sleeps: The session let the GPU be suspended. */
	bool sleeps;

	/** @compact: Samples have the counters that SETUP asked for alone. */
	bool compact;

	/** @info_blocks: Blocks of the GPU, by type. */
	uint32_t info_blocks[TYPE_COUNT];

	/** @blocks: Blocks of a sample, by type. */
	uint32_t blocks[TYPE_COUNT];

	/** @layout: Where the first block of a type lies in a sample, and the bytes of each. */
	struct {
		uint64_t first, size;
	} layout[TYPE_COUNT];

	/** @block_count: Blocks of a sample. */
	uint32_t block_count;

	/** @enabled: Bytes that say for each type and counter whether it was asked for. */
	uint8_t *enabled[TYPE_COUNT];

	/** @samples: The samples: where each of them lies in @file. */
	const unsigned char **samples;

	/** @read_ns: CLOCK_MONOTONIC_RAW when each was read, in ns; 0 if it is not told. */
	uint64_t *read_ns;

	/** @sample_size: Bytes of each. */
	size_t sample_size;

	/** @sample_count: Their number. */
	size_t sample_count;

	/** @told: The calls are in the file, with the clocks around them. */
	bool told;

	/** @torn_down: TEARDOWN came before the final sample of the last run. */
	bool torn_down;

	/** @gpu_times: Readings of the GPU's timestamp, by time. */
	struct gpu_time *gpu_times;

	/** @gpu_time_count: Their number. */
	size_t gpu_time_count;

	/** @timer_hz: They are of the CPUs' timer, which has this rate; 0: of the GPU itself. */
	uint64_t timer_hz;

	/** @runs: What came of each START, in their order. */
	struct run *runs;

	/** @run_count: Number of runs. */
	size_t run_count;
};

/**
 * recording_load() - Read a raw sample file
 * @recording: Where it is returned.
 * @path: Path of the file.
 *
 * Ends in a message if the file does not have the format, or contradicts itself
 * so that its samples cannot be found.
 *
 * Return: Whether it could be read.
 */
bool recording_load(struct recording *recording, const char *path);

/**
 * recording_free() - Free a raw sample file
 * @recording: The file, read or all zeroes.
 */
void recording_free(struct recording *recording);

/**
 * recording_header() - Header of a sample
 * @recording: The file.
 * @sample: Number of the sample.
 * @header: Where it is returned.
 */
void recording_header(const struct recording *recording, size_t sample,
		      struct drm_panthor_perf_sample_header *header);

/**
 * recording_block() - Header of a block
 * @recording: The file.
 * @sample: Number of the sample.
 * @position: Position of the block in the sample.
 * @header: Where it is returned.
 */
void recording_block(const struct recording *recording, size_t sample, uint32_t position,
		     struct drm_panthor_perf_block_header *header);

/**
 * recording_run() - The run that a sample belongs to
 * @recording: The file.
 * @sample: Number of the sample.
 *
 * Return: The run.
 */
const struct run *recording_run(const struct recording *recording, size_t sample);

/**
 * recording_is_final() - Is a sample that of STOP?
 * @recording: The file.
 * @sample: Number of the sample.
 *
 * Return: Whether it is the last one of a run that STOP ended, and TEARDOWN did not come before.
 */
bool recording_is_final(const struct recording *recording, size_t sample);

/**
 * recording_raw_of() - When a GPU timestamp was
 * @recording: The file.
 * @hz: Ticks per second of the GPU timestamp.
 * @timestamp: GPU timestamp.
 * @raw: Where CLOCK_MONOTONIC_RAW is returned, in ns.
 *
 * By the nearest reading that the recorder made. It does not ask the driver.
 *
 * Return: Whether there is a reading.
 */
bool recording_raw_of(const struct recording *recording, uint64_t hz, uint64_t timestamp,
		      struct span *raw);

/**
 * recording_ticks_of() - What the GPU timestamp was at a time
 * @recording: The file.
 * @hz: Ticks per second of the GPU timestamp.
 * @raw_ns: CLOCK_MONOTONIC_RAW in ns.
 * @ticks: Where the GPU timestamp is returned.
 *
 * Return: Whether there is a reading.
 */
bool recording_ticks_of(const struct recording *recording, uint64_t hz, uint64_t raw_ns,
			struct span *ticks);

/**
 * recording_has() - Is there a place for a counter in each sample?
 * @recording: The file.
 * @type: Block type.
 * @counter: Index of the counter.
 *
 * Return: Whether there is.
 */
bool recording_has(const struct recording *recording, unsigned int type, uint32_t counter);

/**
 * recording_counter() - A counter
 * @recording: The file.
 * @sample: Number of the sample.
 * @position: Position of the block in the sample.
 * @counter: Index of the counter.
 *
 * Return: Its value, 0 if there is no place for it.
 */
uint64_t recording_counter(const struct recording *recording, size_t sample, uint32_t position,
			   uint32_t counter);

#endif /* COMPARE_RECORDING_H */
