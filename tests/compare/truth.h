/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_TRUTH_H
#define COMPARE_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** define HEADER_COUNTERS - words of a hardware block that are its header and never count */
#define HEADER_COUNTERS	4

/**
 * struct truth_block - a block that the GPU wrote
 */
struct truth_block {
	/** @type: Its type, of &enum drm_panthor_perf_block_type. */
	unsigned int type;

	/** @idx: Its rank among the blocks of this type that are present. */
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

	/** @manual: The host asked for it. */
	bool manual;

	/** @first_block: Index of its first block. */
	size_t first_block;

	/** @block_count: Number of its blocks. */
	size_t block_count;
};

/**
 * struct truth - what the GPU says that it did
 */
struct truth {
	/** @gpu_id: GPU_ID. */
	uint32_t gpu_id;

	/** @shader_present: Shader cores that are present. */
	uint64_t shader_present;

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

	/** @overflows: Samples that the GPU skipped as its ring was full. */
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
 * type_name() - Name of a block type in the log
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: The name.
 */
const char *type_name(unsigned int type);

#endif /* COMPARE_TRUTH_H */
