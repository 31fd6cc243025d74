/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORDING_H
#define PANTHOR_PERF_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raw.h"

/**
 * DOC: Recordings
 *
 * A recording is a raw sample file (raw.h) that describes itself and can be
 * searched. Readers of raw sample files can read recordings: they have further
 * kinds of records, in this order::
 *
 *	header, PERF_INFO, sections	of a raw sample file
 *	metadata			JSON, see below
 *	GPU_INFO			struct drm_panthor_gpu_info
 *	table				text of the counter table, if the GPU has one
 *	START, samples, clocks, marks	as they come, with an index now and then
 *	STOP, samples
 *	index				of what came since the index before
 *	end				totals, and where the newest index is
 *
 * An index is written every %RECORDING_INDEX_ENTRIES entries. Each names the one
 * before it, the end names the newest: a reader finds the end by the size of the
 * file, and from there everything else. A file without an end (the disk was full, the
 * machine died) is read from its beginning, up to its last whole record.
 *
 * Metadata is one JSON object in UTF-8 with strings "product", "table" (of
 * counters), "kernel", "tool", "device", "date" (ISO 8601, UTC, of the beginning),
 * "command" (an array: the program's arguments) and "counters" (the selection of -e). Further
 * members may come; all may be missing.
 *
 * Nothing that the file says is trusted: offsets, sizes and numbers are checked
 * before they are used, and an index that is wrong is not used.
 */

/** define RECORDING_INDEX_ENTRIES - entries of an index, at most */
#define RECORDING_INDEX_ENTRIES	256

/** define RECORDING_INDEX_STRIDE - every so many samples one has an entry */
#define RECORDING_INDEX_STRIDE	64

/** define RECORDING_MAX_NAME - bytes of the name of a mark, at most */
#define RECORDING_MAX_NAME	255

/** define RECORDING_BUFFER_SIZE - bytes that a writer collects before it writes */
#define RECORDING_BUFFER_SIZE	1048576

/**
 * struct recording_setup - what a recording begins with
 */
struct recording_setup {
	/** @level: As for raw_create(). */
	int level;

	/** @header: As for raw_create(). */
	struct raw_header header;

	/** @info: Counter configuration of the GPU. */
	const struct drm_panthor_perf_info *info;

	/** @sections: The session's sections, as many as @header says. */
	const struct drm_panthor_perf_section *sections;

	/** @gpu: Identity and features of the GPU. */
	const struct drm_panthor_gpu_info *gpu;

	/** @metadata: JSON text. */
	const char *metadata;

	/** @table: Text of the counter table; %NULL for none. */
	const char *table;
};

/**
 * struct recording_writer - a recording that is being written
 *
 * Its size does not depend on what was written. The fields are for the functions below alone.
 */
struct recording_writer {
	/** @raw: The file. */
	struct raw_writer raw;

	/** @end: What was written so far. */
	struct raw_end end;

	/** @numbers: Records so far, by &enum raw_kind. */
	uint64_t numbers[RAW_KINDS];

	/** @entries: The index that is written next. */
	struct raw_index_entry entries[RECORDING_INDEX_ENTRIES];

	/** @entry_count: Number of @entries. */
	unsigned int entry_count;
};

/**
 * recording_create() - Create a recording
 * @writer: The writer.
 * @path: Path of the file; one that exists is overwritten.
 * @setup: What it begins with.
 *
 * Return: 0 or a negative errno, and then there is nothing to be finished.
 */
int recording_create(struct recording_writer *writer, const char *path,
		     const struct recording_setup *setup);

/**
 * recording_write_sample() - Append a sample
 * @writer: The writer.
 * @sample: A sample of the session, which was read just now.
 *
 * Adds clocks about once a second. Appended records stay in memory until there are enough of
 * them, or until recording_flush().
 *
 * Return: 0 or a negative errno, as raw_flush(); then recording_finish() is all that can be done.
 */
int recording_write_sample(struct recording_writer *writer,
			   const struct panthor_perf_sample *sample);

/**
 * recording_write_call() - Append a call
 * @writer: The writer.
 * @kind: %RAW_START or %RAW_STOP.
 * @call: The call.
 *
 * Return: As recording_write_sample().
 */
int recording_write_call(struct recording_writer *writer, enum raw_kind kind,
			 const struct raw_call *call);

/**
 * recording_write_mark() - Append a mark; its sample must be the next to be appended
 * @writer: The writer.
 * @id: The id.
 * @name: Its name in UTF-8; "" for none. It is cut off after %RECORDING_MAX_NAME bytes.
 * @raw_ns: CLOCK_MONOTONIC_RAW when it was received, in ns.
 *
 * Return: As recording_write_sample().
 */
int recording_write_mark(struct recording_writer *writer, uint64_t id, const char *name,
			 uint64_t raw_ns);

/**
 * recording_flush() - Write what is in memory
 * @writer: The writer.
 *
 * Return: As recording_write_sample().
 */
int recording_flush(struct recording_writer *writer);

/**
 * recording_finish() - Append index and end, and close the file
 * @writer: The writer.
 * @quality: The session's data quality, which includes lost samples.
 *
 * After an error of the other functions it only closes the file, which then ends behind its last
 * whole record.
 *
 * Return: 0 or a negative errno.
 */
int recording_finish(struct recording_writer *writer, const struct panthor_perf_quality *quality);

/** struct recording - a recording, or any raw sample file of version 2, to be read; opaque */
struct recording;

/**
 * struct recording_sample - a sample of a recording
 */
struct recording_sample {
	/**
	 * @sample: The sample, until the next one is read of the recording. Its data lives as long
	 * as the recording.
	 */
	const struct panthor_perf_sample *sample;

	/** @header: Its header. */
	struct drm_panthor_perf_sample_header header;

	/** @number: Its number in the file, from 0. */
	uint64_t number;

	/** @read_ns: CLOCK_MONOTONIC_RAW when the writer had it, in ns. */
	uint64_t read_ns;

	/** @offset: Offset of its record in the file. For the functions below. */
	uint64_t offset;
};

/**
 * struct recording_mark - a mark
 */
struct recording_mark {
	/** @id: The id. */
	uint64_t id;

	/** @sample: Number of its sample in the file. May be that of a sample that was cut off. */
	uint64_t sample;

	/** @raw_ns: CLOCK_MONOTONIC_RAW when it was received, in ns. */
	uint64_t raw_ns;

	/** @name: Its name, ended by a 0. */
	char name[RECORDING_MAX_NAME + 1];
};

/**
 * recording_open() - Open a recording to read it
 * @path: Path of the file.
 * @recording: Where it is returned.
 * @error: Where a message without the path is written if it cannot be read.
 * @error_size: Bytes at @error.
 *
 * Maps the file, or decompresses it. With an end and a sound index it reads no more than that and
 * the beginning; otherwise it goes through all records once.
 *
 * Return: 0; -EINVAL if it is no such file, or contradicts itself; the error of opening it or of
 * zst_read(), -ENOMEM.
 */
int recording_open(const char *path, struct recording **recording, char *error, size_t error_size);

/**
 * recording_open_memory() - As recording_open(), but from memory
 * @data: The content of the file, 8-byte aligned. It must stay until recording_close().
 * @size: Its bytes.
 * @recording: Where it is returned.
 * @error: Where a message is written.
 * @error_size: Bytes at @error.
 *
 * Return: As recording_open().
 */
int recording_open_memory(const void *data, size_t size, struct recording **recording, char *error,
			  size_t error_size);

/**
 * recording_close() - Close a recording
 * @recording: The recording. May be %NULL.
 */
void recording_close(struct recording *recording);

/**
 * recording_header() - Header of the file
 * @recording: The recording.
 *
 * Return: The header.
 */
const struct raw_header *recording_header(const struct recording *recording);

/**
 * recording_info() - Counter configuration of the GPU
 * @recording: The recording.
 *
 * Return: The configuration; fields that the writer did not know are 0.
 */
const struct drm_panthor_perf_info *recording_info(const struct recording *recording);

/**
 * recording_object() - The GPU for the functions of the library
 * @recording: The recording.
 *
 * Return: The GPU, which lives as long as the recording.
 */
const struct panthor_perf_gpu *recording_object(const struct recording *recording);

/**
 * recording_add_counters() - Select the counters that were enabled
 * @recording: The recording.
 * @selection: The selection.
 *
 * Return: 0; -ENOMEM.
 */
int recording_add_counters(const struct recording *recording,
			   struct panthor_perf_selection *selection);

/**
 * recording_gpu() - Identity and features of the GPU
 * @recording: The recording.
 * @gpu: Where they are returned. Without such a record they are what the header and PERF_INFO have:
 *	id, cores and L2 slices.
 *
 * Return: Whether there is such a record.
 */
bool recording_gpu(const struct recording *recording, struct drm_panthor_gpu_info *gpu);

/**
 * recording_gpu_id() - GPU_ID of the GPU
 * @recording: The recording.
 *
 * Return: The id.
 */
uint64_t recording_gpu_id(const struct recording *recording);

/**
 * recording_has_counter() - Was a counter enabled?
 * @recording: The recording.
 * @type: Block type.
 * @index: Index of the counter.
 *
 * Return: Whether a section of the session has it.
 */
bool recording_has_counter(const struct recording *recording, unsigned int type,
			   unsigned int index);

/**
 * recording_metadata() - Metadata
 * @recording: The recording.
 * @size: Where its bytes are returned. It is not ended by a 0.
 *
 * Return: JSON text, not checked; %NULL if there is none.
 */
const char *recording_metadata(const struct recording *recording, size_t *size);

/**
 * recording_table() - Text of the counter table that the writer used
 * @recording: The recording.
 * @size: Where its bytes are returned, without the zeroes behind it.
 *
 * Return: The text, not checked; %NULL if there is none.
 */
const char *recording_table(const struct recording *recording, size_t *size);

/**
 * recording_end() - Totals of a recording that was finished
 * @recording: The recording.
 *
 * Return: The end; %NULL if the file was cut off or is no recording.
 */
const struct raw_end *recording_end(const struct recording *recording);

/**
 * recording_cut() - What is behind the last whole record
 * @recording: The recording.
 *
 * Return: Bytes of a record that was cut off, 0 if there is none.
 */
uint64_t recording_cut(const struct recording *recording);

/**
 * recording_sample_count() - Number of samples
 * @recording: The recording.
 *
 * Return: The number.
 */
uint64_t recording_sample_count(const struct recording *recording);

/**
 * recording_sample() - Seek a sample
 * @recording: The recording.
 * @number: Its number in the file, from 0.
 * @sample: Where it is returned.
 *
 * Reads no more than %RECORDING_INDEX_STRIDE samples before it.
 *
 * Return: 1; 0 if there are not so many; -EINVAL if the file contradicts its index.
 */
int recording_sample(const struct recording *recording, uint64_t number,
		     struct recording_sample *sample);

/**
 * recording_next() - The sample behind another
 * @recording: The recording.
 * @sample: A sample; the next one is returned here.
 *
 * Return: As recording_sample(): 1, 0 behind the last one, or -EINVAL.
 */
int recording_next(const struct recording *recording, struct recording_sample *sample);

/**
 * recording_find() - Seek a time
 * @recording: The recording.
 * @time_ns: CLOCK_MONOTONIC_RAW in ns.
 * @number: Where the number of the first sample is returned that ends behind @time_ns; the number
 *	of samples if there is none.
 *
 * Return: 0; -EINVAL if the file contradicts its index.
 */
int recording_find(const struct recording *recording, uint64_t time_ns, uint64_t *number);

/**
 * recording_mark_count() - Number of marks
 * @recording: The recording.
 *
 * Return: The number.
 */
uint64_t recording_mark_count(const struct recording *recording);

/**
 * recording_mark() - A mark
 * @recording: The recording.
 * @number: Its number, from 0.
 * @mark: Where it is returned.
 *
 * Return: Whether there is such a mark.
 */
bool recording_mark(const struct recording *recording, uint64_t number,
		    struct recording_mark *mark);

/**
 * recording_call_count() - Number of calls
 * @recording: The recording.
 * @kind: %RAW_START or %RAW_STOP.
 *
 * Return: The number.
 */
uint64_t recording_call_count(const struct recording *recording, enum raw_kind kind);

/**
 * recording_call() - A call
 * @recording: The recording.
 * @kind: %RAW_START or %RAW_STOP.
 * @number: Its number among those of its kind, from 0.
 * @call: Where it is returned.
 *
 * Return: Whether there is such a call.
 */
bool recording_call(const struct recording *recording, enum raw_kind kind, uint64_t number,
		    struct raw_call *call);

/**
 * recording_other_clocks() - The other clocks behind a call, or behind two clocks
 * @recording: The recording.
 * @kind: %RAW_START, %RAW_STOP or %RAW_CLOCKS.
 * @number: Its number among those of its kind, from 0.
 * @clocks: Where they are returned.
 *
 * Return: Whether there are some.
 */
bool recording_other_clocks(const struct recording *recording, enum raw_kind kind, uint64_t number,
			    struct raw_other_clocks *clocks);

/**
 * recording_clocks_count() - How often the clocks were read together
 * @recording: The recording.
 *
 * Return: The number of records of clocks; those of calls are not among them.
 */
uint64_t recording_clocks_count(const struct recording *recording);

/**
 * recording_clocks() - Two clocks, read together
 * @recording: The recording.
 * @number: Number of the record, from 0.
 * @clocks: Where they are returned.
 *
 * Return: Whether there is such a record.
 */
bool recording_clocks(const struct recording *recording, uint64_t number,
		      struct raw_clocks *clocks);

#endif /* PANTHOR_PERF_RECORDING_H */
