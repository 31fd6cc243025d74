/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_TRUTH_H
#define COMPARE_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** define HEADER_COUNTERS - words of a hardware block that are its header and never count */
#define HEADER_COUNTERS	4

/** define NO_CYCLES - stands for cycles that are not told */
#define NO_CYCLES	UINT64_MAX

/**
 * struct truth_block - a block that the GPU wrote
 */
struct truth_block {
	/** @type: Its type, of &enum drm_panthor_perf_block_type. */
	unsigned int type;

	/** @idx: Its rank among the blocks of this type that are present; of NEURAL, its core's. */
	unsigned int idx;

	/** @values: The counters from %HEADER_COUNTERS on. */
	uint32_t *values;
};

/**
 * struct truth_sample - a sample that the GPU wrote
 */
struct truth_sample {
	/** @nr: Its number, from 1. */
	uint64_t nr;

	/** @enable: Number of the enable that it belongs to. */
	uint64_t enable;

	/** @set: Counter set of this enable. */
	uint64_t set;

	/** @timestamp: GPU timestamp. */
	uint64_t timestamp;

	/** @cycles: CYCLE_COUNT, %NO_CYCLES if the log does not tell. */
	uint64_t cycles;

	/** @manual: The host asked for it. */
	bool manual;

	/** @unread: The host had not read it when it disabled the counters. */
	bool unread;

	/** @manual_before: The newest sample on request before it, or %SIZE_MAX. */
	size_t manual_before;

	/** @manual_behind: The first sample on request behind it, or %SIZE_MAX. */
	size_t manual_behind;

	/** @first_block: Index of its first block. */
	size_t first_block;

	/** @block_count: Number of its blocks. */
	size_t block_count;
};

/** define CLOCK_COUNT - clocks of &enum drm_panthor_perf_clock */
#define CLOCK_COUNT	3

/**
 * struct truth_rate - a clock gets a rate
 */
struct truth_rate {
	/** @hz: The rate from then on. */
	uint64_t hz;

	/** @timestamp: When, by the GPU's clock. */
	uint64_t timestamp;
};

/**
 * struct truth_enable - counters are enabled
 */
struct truth_enable {
	/** @nr: Number of the enable. */
	uint64_t nr;

	/** @timestamp: When, by the GPU's clock. */
	uint64_t timestamp;

	/** @disabled: When the host disabled it, 0 if the log does not tell. */
	uint64_t disabled;

	/** @first: Samples that the GPU wrote before. */
	size_t first;
};

/**
 * enum loss_reason - why the GPU discarded counts
 */
enum loss_reason {
	/** @LOSS_RESET: The GPU was reset. */
	LOSS_RESET,

	/** @LOSS_DISABLE: The host disabled the counters. */
	LOSS_DISABLE,

	/** @LOSS_OVERFLOW: The firmware's ring was full. */
	LOSS_OVERFLOW,

	/** @LOSS_HANG: The firmware stopped working. */
	LOSS_HANG,

	/** @LOSS_CORE_OFF: A core lost its power. */
	LOSS_CORE_OFF,

	/** @LOSS_SKIPPED: It acknowledged without a sample. The counts are in the next one. */
	LOSS_SKIPPED,

	/** @LOSS_COUNT: Number of reasons. */
	LOSS_COUNT,
};

/**
 * struct truth_loss - counts that the GPU discarded
 */
struct truth_loss {
	/** @reason: Why. */
	enum loss_reason reason;

	/** @position: Samples that the GPU wrote before: the loss lies behind the last of them. */
	size_t position;

	/** @line: Line of the log. */
	size_t line;
};

/**
 * struct truth - what the GPU says that it did
 */
struct truth {
	/** @gpu_id: GPU_ID. */
	uint32_t gpu_id;

	/** @shader_present: Shader cores that are present. */
	uint64_t shader_present;

	/** @neural_present: Those with a neural accelerator. */
	uint64_t neural_present;

	/** @timestamp_hz: Ticks per second of the GPU timestamp. */
	uint64_t timestamp_hz;

	/** @l2_slices: L2 cache slices. */
	unsigned int l2_slices;

	/** @counters: Words of a block, header words included. */
	unsigned int counters;

	/** @fw: There is a firmware block. */
	bool fw;

	/** @csg: Command stream group slots that have a block. */
	unsigned int csg;

	/** @samples: Samples, by time. */
	struct truth_sample *samples;

	/** @sample_count: Their number. */
	size_t sample_count;

	/** @blocks: Blocks of all samples. */
	struct truth_block *blocks;

	/** @block_count: Their number. */
	size_t block_count;

	/** @tells_losses: All losses are told by lines of their own. */
	bool tells_losses;

	/** @losses: Counts that were discarded, by position. */
	struct truth_loss *losses;

	/** @loss_count: Their number. */
	size_t loss_count;

	/** @rates: Rates of each clock, by time. */
	struct truth_rate *rates[CLOCK_COUNT];

	/** @rate_counts: Their numbers. */
	size_t rate_counts[CLOCK_COUNT];

	/** @enables: Times that counters were enabled. */
	struct truth_enable *enables;

	/** @enable_count: Their number. */
	size_t enable_count;

	/** @full: Where the GPU skipped samples as its ring was full: samples written before. */
	size_t *full;

	/** @overflows: Their number. */
	size_t overflows;

	/** @violations: Times that the host broke the protocol. */
	size_t violations;

	/** @unimplemented: Accesses of the host to what the GPU lacks. */
	size_t unimplemented;

	/** @unknown: Lines that were skipped. */
	size_t unknown;
};

/**
 * truth_load() - Read the log of the virtual GPU
 * @truth: Where it is returned.
 * @path: Path of the log.
 *
 * A log that cannot be read or understood ends in a message that names its line.
 * Lines of violations and of unimplemented registers are printed.
 *
 * Return: Whether it could be read.
 */
bool truth_load(struct truth *truth, const char *path);

/**
 * truth_free() - Free the log
 * @truth: The log, read or all zeroes.
 */
void truth_free(struct truth *truth);

/**
 * truth_find() - Find the sample of a time
 * @truth: The log.
 * @timestamp: GPU timestamp of the sample.
 * @index: Where its index is returned.
 *
 * Return: Whether there is one.
 */
bool truth_find(const struct truth *truth, uint64_t timestamp, size_t *index);

/**
 * truth_first() - Find the first sample that is not before a time
 * @truth: The log.
 * @timestamp: GPU timestamp.
 *
 * Return: Its index, or the number of samples.
 */
size_t truth_first(const struct truth *truth, uint64_t timestamp);

/**
 * truth_loss_in() - Find a loss in a range
 * @truth: The log.
 * @first: The lowest position.
 * @last: The highest position.
 *
 * Return: The first loss of the range, or %NULL. Those that follow it in the array, up to the
 * last one of the range, are in the range as well.
 */
const struct truth_loss *truth_loss_in(const struct truth *truth, size_t first, size_t last);

/**
 * truth_first_rate() - Find the first change of a clock behind a time
 * @truth: The log.
 * @clock: One of &enum drm_panthor_perf_clock.
 * @timestamp: GPU timestamp.
 *
 * Return: Its index in the rates of the clock, or their number.
 */
size_t truth_first_rate(const struct truth *truth, unsigned int clock, uint64_t timestamp);

/**
 * truth_enable_of() - The enable that a sample belongs to
 * @truth: The log.
 * @index: Index of the sample.
 *
 * Return: The enable.
 */
const struct truth_enable *truth_enable_of(const struct truth *truth, size_t index);

/**
 * truth_rank() - How many blocks of a type come before a block
 * @truth: The log.
 * @type: Type of the block.
 * @idx: Its index as in samples, which for NEURAL has gaps.
 *
 * Return: The number; %UINT32_MAX if @idx is that of a core without an accelerator.
 */
uint32_t truth_rank(const struct truth *truth, unsigned int type, unsigned int idx);

/**
 * set_has() - Does a counter set define counters of a block type?
 * @set: The set.
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: Whether it does. The GPU's counters of other blocks mean nothing.
 */
bool set_has(unsigned int set, unsigned int type);

/**
 * truth_was_full() - Was the firmware's ring full?
 * @truth: Truth.
 * @first: First position to look at.
 * @last: Last position to look at.
 *
 * Return: Whether the GPU skipped a sample there.
 */
bool truth_was_full(const struct truth *truth, size_t first, size_t last);

/**
 * loss_name() - Name of a reason in the log
 * @reason: One of &enum loss_reason.
 *
 * Return: The name.
 */
const char *loss_name(enum loss_reason reason);

/**
 * type_name() - Name of a block type in the log
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: The name.
 */
const char *type_name(unsigned int type);

#endif /* COMPARE_TRUTH_H */
