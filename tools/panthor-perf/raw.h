/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RAW_H
#define PANTHOR_PERF_RAW_H

#include <stddef.h>
#include <stdint.h>

#include <panthor_perf.h>

/**
 * DOC: Raw sample file
 *
 * What a session delivered, unchanged, behind a header that says how to read
 * it. All numbers are little endian.
 *
 * ::
 *
 *	+-------------------------------------------+ 0
 *	| struct raw_header                         |
 *	+-------------------------------------------+ 64
 *	| PERF_INFO, info_size bytes                |
 *	+-------------------------------------------+ 64 + info_size
 *	| sections, section_count * section_size    |
 *	+-------------------------------------------+ header_size
 *	| record: kind, size | content              |
 *	+-------------------------------------------+ header_size + size
 *	| record                                    |
 *	:                                           :
 *
 * info_size, section_size and the sizes of records are multiples of 8. A reader
 * skips the kinds of records that it does not know. The file ends behind the
 * last record; a shorter rest is a record that could not be written.
 *
 * A record of a call is written when the call has returned, in front of the
 * samples that come of it: the n-th START belongs to the n-th run of samples
 * from number 0 on, and so does the n-th STOP. In version 1, samples lie behind
 * the header without records.
 */

/** define RAW_MAGIC - the first 8 bytes of the file, without the end of the string */
#define RAW_MAGIC	"PTPRFRAW"

/** define RAW_VERSION - version of the format */
#define RAW_VERSION	2

/**
 * struct raw_header - what a raw sample file begins with
 */
struct raw_header {
	/** @magic: %RAW_MAGIC. */
	char magic[8];

	/** @version: %RAW_VERSION. */
	uint32_t version;

	/** @header_size: Offset of the first sample, in bytes. */
	uint32_t header_size;

	/** @info_size: Bytes of &struct drm_panthor_perf_info. */
	uint32_t info_size;

	/** @section_size: Bytes of each &struct drm_panthor_perf_section. */
	uint32_t section_size;

	/** @section_count: Number of sections. */
	uint32_t section_count;

	/** @sample_size: Bytes of each sample. */
	uint32_t sample_size;

	/** @block_set: The session's counter set. */
	uint32_t block_set;

	/** @gpu_id: GPU_ID of the GPU. */
	uint32_t gpu_id;

	/** @sample_period_ns: The session's period in ns, 0 if it had none. */
	uint64_t sample_period_ns;

	/** @shader_present: Shader cores of the GPU as the driver told them. */
	uint64_t shader_present;

	/** @pad: 0. */
	uint64_t pad;
};

/**
 * enum raw_kind - kinds of records
 */
enum raw_kind {
	/** @RAW_SAMPLE: u64: CLOCK_MONOTONIC_RAW when it was read, in ns; then the sample. */
	RAW_SAMPLE = 1,

	/** @RAW_START: START returned: &struct raw_call. */
	RAW_START,

	/** @RAW_STOP: STOP returned: &struct raw_call. */
	RAW_STOP,

	/** @RAW_CLOCKS: &struct raw_clocks at any time. */
	RAW_CLOCKS,
};

/**
 * struct raw_record - what a record begins with
 */
struct raw_record {
	/** @kind: One of &enum raw_kind. */
	uint32_t kind;

	/** @size: Bytes of the record with these, a multiple of 8. */
	uint32_t size;
};

/**
 * struct raw_clocks - two clocks, read together
 */
struct raw_clocks {
	/** @monotonic_ns: CLOCK_MONOTONIC before @raw_ns was read, in ns. */
	uint64_t monotonic_ns;

	/** @raw_ns: CLOCK_MONOTONIC_RAW in ns. */
	uint64_t raw_ns;

	/** @uncertainty_ns: What CLOCK_MONOTONIC had advanced by when @raw_ns had been read. */
	uint64_t uncertainty_ns;
};

/**
 * struct raw_call - a call of START or STOP
 */
struct raw_call {
	/** @user_data: What was given to it. */
	uint64_t user_data;

	/** @before: The clocks before the call. */
	struct raw_clocks before;

	/** @after: The clocks when it had returned. */
	struct raw_clocks after;
};

/**
 * struct raw_writer - a raw sample file that is being written
 */
struct raw_writer {
	/** @fd: The file. */
	int fd;

	/** @sample_size: Bytes of each sample. */
	uint32_t sample_size;

	/** @clocks_ns: CLOCK_MONOTONIC_RAW of the newest clocks in the file, in ns. */
	uint64_t clocks_ns;
};

/**
 * raw_create() - Create a raw sample file
 * @writer: The writer.
 * @path: Path of the file; one that exists is overwritten.
 * @header: The header. magic, version, header_size, info_size, section_size are filled in here.
 * @info: Counter configuration.
 * @sections: The session's sections, as many as @header says.
 *
 * Return: 0 or a negative errno.
 */
int raw_create(struct raw_writer *writer, const char *path, struct raw_header *header,
	       const struct drm_panthor_perf_info *info,
	       const struct drm_panthor_perf_section *sections);

/**
 * raw_clocks_read() - Read the two clocks
 * @clocks: Where they are returned.
 */
void raw_clocks_read(struct raw_clocks *clocks);

/**
 * raw_write_sample() - Append a sample
 * @writer: The writer.
 * @sample: The bytes of a sample, which was read just now.
 *
 * Return: 0 or a negative errno.
 */
int raw_write_sample(struct raw_writer *writer, const void *sample);

/**
 * raw_write_call() - Append a call
 * @writer: The writer.
 * @kind: %RAW_START or %RAW_STOP.
 * @call: The call.
 *
 * Return: 0 or a negative errno.
 */
int raw_write_call(struct raw_writer *writer, enum raw_kind kind, const struct raw_call *call);

/**
 * raw_write_clocks() - Append the clocks as they are now
 * @writer: The writer.
 *
 * Return: 0 or a negative errno.
 */
int raw_write_clocks(struct raw_writer *writer);

/**
 * raw_close() - Close a raw sample file
 * @writer: The writer.
 *
 * Return: 0 or a negative errno: the file may not be complete.
 */
int raw_close(struct raw_writer *writer);

#endif /* PANTHOR_PERF_RAW_H */
