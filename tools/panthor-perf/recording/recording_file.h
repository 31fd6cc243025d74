/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORDING_FILE_H
#define PANTHOR_PERF_RECORDING_FILE_H

#include "recording.h"

/* For the parts of the reader alone; others use recording.h. */

/** define RECORDING_TYPES - block types that a reader knows, and 0 */
#define RECORDING_TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

/** define RECORDING_MAX_COUNTERS - counters per block that a reader believes, at most */
#define RECORDING_MAX_COUNTERS	16384

/**
 * struct place - where a record lies
 */
struct place {
	/** @number: Its number among those of its kind. */
	uint64_t number;

	/** @time_ns: As in &struct raw_index_entry. */
	uint64_t time_ns;

	/** @offset: Offset in the file. */
	uint64_t offset;
};

/**
 * struct places - records of a kind, in the order of the file
 */
struct places {
	/** @list: All of them; of samples, some. */
	struct place *list;

	/** @count: Number of elements of @list. */
	size_t count;

	/** @room: Elements for which there is memory. */
	size_t room;
};

/**
 * struct recording - a recording that is read
 */
struct recording {
	/** @data: Content of the file. */
	const unsigned char *data;

	/** @size: Its bytes. */
	uint64_t size;

	/** @mapped: It is to be unmapped: the file, or memory with what was decompressed. */
	bool mapped;

	/** @next_mapped: Another one that is mapped. */
	struct recording *next_mapped;

	/** @path: Its file, if that is mapped. */
	char *path;

	/** @header: Header of the file. */
	struct raw_header header;

	/** @info: Counter configuration. */
	struct drm_panthor_perf_info info;

	/** @enabled: The enabled counters, a bit for each, by type. */
	uint64_t enabled[RECORDING_TYPES][RECORDING_MAX_COUNTERS / 64];

	/** @object: The GPU for the functions of the library. */
	struct panthor_perf_gpu *object;

	/** @sample: The sample that was read last. */
	struct panthor_perf_sample *sample;

	/** @places: Where records lie, by &enum raw_kind. */
	struct places places[RAW_KINDS];

	/** @sample_count: Number of samples. */
	uint64_t sample_count;

	/** @metadata: Offset of the record of metadata, 0 for none. */
	uint64_t metadata;

	/** @gpu: Offset of the record of GPU_INFO, 0 for none. */
	uint64_t gpu;

	/** @table: Offset of the record of the counter table, 0 for none. */
	uint64_t table;

	/** @has_end: There is an end. */
	bool has_end;

	/** @end: The end. */
	struct raw_end end;

	/** @whole: Offset behind the last whole record. */
	uint64_t whole;

	/** @error: Where a message is written. */
	char *error;

	/** @error_size: Bytes at @error. */
	size_t error_size;
};

/**
 * recording_bad() - Say what is wrong with a file
 * @rec: The recording, with @error set.
 * @format: The message, as printf().
 *
 * Return: -EINVAL.
 */
int recording_bad(struct recording *rec, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * recording_make_object() - Prepare for samples, when the header and the offsets are known
 * @rec: The recording, with @error set.
 *
 * Return: 0; -EINVAL or -ENOMEM with a message.
 */
int recording_make_object(struct recording *rec);

/**
 * recording_read_header() - Read what stands in front of the records
 * @rec: The recording, with @data, @size and @error set.
 *
 * Fills in the header, PERF_INFO and what follows from the sections.
 *
 * Return: 0; -EINVAL or -ENOMEM with a message.
 */
int recording_read_header(struct recording *rec);

#endif /* PANTHOR_PERF_RECORDING_FILE_H */
