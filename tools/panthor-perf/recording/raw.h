/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RAW_H
#define PANTHOR_PERF_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <panthor_perf.h>

#include "file/new_file.h"
#include "file/zst.h"

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
 *
 * A file with metadata, an index and an end is called a recording: see recording.h.
 *
 * A file may be compressed: it is a series of frames of zstd then (RFC 8878), and
 * what is said here holds for their content. Each frame of the writer has whole records.
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

	/** @counter_set: The session's counter set. */
	uint32_t counter_set;

	/** @gpu_id: GPU_ID of the GPU, the lower half of one of 64 bits. */
	uint32_t gpu_id;

	/** @sample_period_ns: The session's period in ns, 0 if it had none. */
	uint64_t sample_period_ns;

	/** @shader_present: Shader cores of the GPU as the driver reports them. */
	uint64_t shader_present;

	/** @flags: Of &enum drm_panthor_perf_setup_flags, for samples as the kernel wrote them. */
	uint32_t flags;

	/** @gpu_id_high: Upper half of a GPU_ID of 64 bits, else 0. */
	uint32_t gpu_id_high;
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

	/**
	 * @RAW_GPU_TIME: 3 * u64: CLOCK_MONOTONIC_RAW in ns, what it had advanced by when the GPU
	 * timestamp had been read, in ns, and that timestamp in ticks.
	 */
	RAW_GPU_TIME,

	/** @RAW_TEARDOWN: TEARDOWN returned before the final sample of the last run. */
	RAW_TEARDOWN,

	/** @RAW_METADATA: JSON text about the recording, filled up with spaces. See recording.h. */
	RAW_METADATA,

	/** @RAW_GPU_INFO: &struct drm_panthor_gpu_info, as long as the writer knew it. */
	RAW_GPU_INFO,

	/** @RAW_MARK: &struct raw_mark, in front of its sample. */
	RAW_MARK,

	/** @RAW_INDEX: &struct raw_index and its entries. */
	RAW_INDEX,

	/** @RAW_END: &struct raw_end, the last record of a file that was finished. */
	RAW_END,

	/* 12 is reserved. */

	/** @RAW_TABLE: Text of the counter table, filled up with zeroes. See recording.h. */
	RAW_TABLE = 13,

	/** @RAW_CPU_TIMER: &struct raw_cpu_timer behind each call and all clocks. arm64 only. */
	RAW_CPU_TIMER,

	/**
	 * @RAW_OTHER_CLOCKS: &struct raw_other_clocks behind each call, and behind RAW_CLOCKS if
	 * the system was suspended or its time was set since the record before.
	 */
	RAW_OTHER_CLOCKS,

	/** @RAW_KINDS: One more than the last kind. Stays last. */
	RAW_KINDS,
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
 * struct raw_other_clocks - the clocks that other programs have times of, read together
 */
struct raw_other_clocks {
	/** @monotonic_ns: CLOCK_MONOTONIC in ns. */
	uint64_t monotonic_ns;

	/** @boottime_ns: CLOCK_BOOTTIME in ns. */
	uint64_t boottime_ns;

	/** @realtime_ns: CLOCK_REALTIME in ns. */
	uint64_t realtime_ns;

	/** @uncertainty_ns: What CLOCK_MONOTONIC had advanced by when all had been read. */
	uint64_t uncertainty_ns;
};

/**
 * struct raw_cpu_timer - CLOCK_MONOTONIC_RAW and the virtual counter of the CPUs' timer
 *
 * On most systems TIMESTAMP of the GPU is this counter. A reader then knows the time of the GPU's
 * sample without the driver's conversion.
 */
struct raw_cpu_timer {
	/** @raw_ns: CLOCK_MONOTONIC_RAW before @count was read, in ns. */
	uint64_t raw_ns;

	/** @uncertainty_ns: What it had advanced by when @count had been read. */
	uint64_t uncertainty_ns;

	/** @count: CNTVCT_EL0. */
	uint64_t count;

	/** @frequency: CNTFRQ_EL0: counts per second. */
	uint64_t frequency;
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
 * struct raw_mark - a sample that was requested by a name
 *
 * Behind it follow @name_size bytes of UTF-8 text, filled up with zeroes to a multiple of 8.
 */
struct raw_mark {
	/** @id: The id, which is the user data of the sample too. */
	uint64_t id;

	/** @sample: Number of the sample in the file, from 0. */
	uint64_t sample;

	/** @raw_ns: CLOCK_MONOTONIC_RAW when the mark was received, in ns. */
	uint64_t raw_ns;

	/** @name_size: Bytes of the name, 0 for none. */
	uint32_t name_size;

	/** @pad: 0. */
	uint32_t pad;
};

/**
 * struct raw_index_entry - where a record lies
 *
 * Every call, every mark and all clocks have an entry, and samples once in a while.
 */
struct raw_index_entry {
	/** @kind: One of &enum raw_kind. */
	uint32_t kind;

	/** @pad: 0. */
	uint32_t pad;

	/** @number: Number of the record among those of its kind in the file, from 0. */
	uint64_t number;

	/**
	 * @time_ns: CLOCK_MONOTONIC_RAW in ns: end of the sample, return of the call, reading of
	 * the clocks, receipt of the mark.
	 */
	uint64_t time_ns;

	/** @offset: Where the record begins in the file, in bytes. */
	uint64_t offset;
};

/**
 * struct raw_index - entries for the records since the index before
 *
 * Behind it follow @entry_count entries of @entry_size bytes, in the order of the file.
 */
struct raw_index {
	/** @previous: Offset of the record of the index before in the file, 0 if there is none. */
	uint64_t previous;

	/** @entry_size: Bytes of each entry, a multiple of 8. */
	uint32_t entry_size;

	/** @entry_count: Number of entries. */
	uint32_t entry_count;
};

/** define RAW_END_MAGIC - the last 8 bytes of a file that was finished */
#define RAW_END_MAGIC	"PTPRFEND"

/**
 * struct raw_end - what the file holds altogether
 */
struct raw_end {
	/** @samples: Samples. */
	uint64_t samples;

	/** @merged: Periods in them beyond the first of each. */
	uint64_t merged;

	/** @stretched: Samples with the flag STRETCHED. */
	uint64_t stretched;

	/** @overflows: Samples with the flag OVERFLOW. */
	uint64_t overflows;

	/** @errors: Samples with the flag ERROR. */
	uint64_t errors;

	/** @late: Samples with the event LATE. */
	uint64_t late;

	/** @lost: Samples that are missing by their numbers. */
	uint64_t lost;

	/** @marks: Marks. */
	uint64_t marks;

	/** @start_ns: Start of the first sample, CLOCK_MONOTONIC_RAW in ns; 0 without samples. */
	uint64_t start_ns;

	/** @end_ns: End of the last sample, likewise. */
	uint64_t end_ns;

	/** @index: Offset of the record of the newest index in the file, 0 if there is none. */
	uint64_t index;

	/** @events: All events of the samples, ORed. */
	uint32_t events;

	/** @pad: 0. */
	uint32_t pad;

	/** @magic: %RAW_END_MAGIC. */
	char magic[8];
};

/**
 * struct raw_writer - a raw sample file that is being written
 */
struct raw_writer {
	/** @file: The file. */
	struct new_file file;

	/** @samples: Samples in the file. With the first, it has the name that it is to have. */
	uint64_t samples;

	/** @sample_size: Bytes of each sample. */
	uint32_t sample_size;

	/** @clocks_ns: CLOCK_MONOTONIC_RAW of the newest clocks in the file, in ns. */
	uint64_t clocks_ns;

	/** @other_clocks: The newest other clocks in the file. */
	struct raw_other_clocks other_clocks;

	/** @offset: Offset of the next record in the content of the file, in bytes. */
	uint64_t offset;

	/** @size: Bytes of the file so far. */
	uint64_t size;

	/** @zst: Compression of the file, or %NULL. */
	struct zst *zst;

	/** @limit: Bytes that are collected at most; 0: each record is written at once. */
	size_t limit;

	/** @buffer: What is not written yet. */
	char *buffer;

	/** @room: Bytes at @buffer. */
	size_t room;

	/** @buffered: Bytes of @buffer that are in use. */
	size_t buffered;

	/** @failed: The error that ended the file, 0 for none. */
	int failed;
};

/**
 * raw_create() - Create a raw sample file
 * @writer: The writer.
 * @path: Path of the file, "-" for the standard output. A file that exists stays what it is until
 *	the first sample is written.
 * @level: Level of compression, 0 for none.
 * @header: The header. magic, version, header_size, info_size, section_size are filled in here.
 * @info: Counter configuration.
 * @sections: The session's sections, as many as @header says.
 *
 * Return: 0 or a negative errno, as new_file_create() and zst_create().
 */
int raw_create(struct raw_writer *writer, const char *path, int level, struct raw_header *header,
	       const struct drm_panthor_perf_info *info,
	       const struct drm_panthor_perf_section *sections);

/**
 * raw_buffer() - Collect records and write many at once
 * @writer: The writer, just created.
 * @size: Bytes that are collected. A larger record is written at once.
 */
void raw_buffer(struct raw_writer *writer, size_t size);

/**
 * raw_flush() - Write the records that were collected
 * @writer: The writer.
 *
 * A record that does not fit on the disk is cut off: the file ends behind the last whole one, and
 * nothing is written any more. With compression, so is all that was collected.
 *
 * Return: 0 or a negative errno: -ENOSPC or -EDQUOT if the disk is full.
 */
int raw_flush(struct raw_writer *writer);

/**
 * raw_write_record() - Append a record
 * @writer: The writer.
 * @kind: One of &enum raw_kind.
 * @content: Its content.
 * @size: Bytes at @content.
 * @more: What follows on @content.
 * @more_size: Bytes at @more. @size + @more_size is a multiple of 8.
 *
 * After an error every call fails with it.
 *
 * Return: 0 or a negative errno.
 */
int raw_write_record(struct raw_writer *writer, enum raw_kind kind, const void *content,
		     size_t size, const void *more, size_t more_size);

/**
 * raw_now_ns() - The clock of samples
 *
 * Return: CLOCK_MONOTONIC_RAW in ns.
 */
uint64_t raw_now_ns(void);

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
 * raw_write_more_clocks() - Write what belongs behind a call or the clocks
 * @writer: The writer.
 * @call: It is behind a call.
 *
 * That is a record of the CPUs' timer, if it is known, and one of other clocks.
 *
 * Return: 0 or a negative errno.
 */
int raw_write_more_clocks(struct raw_writer *writer, bool call);

/**
 * raw_sample_header() - What a sample says about itself
 * @sample: The sample.
 * @header: Where it is returned.
 */
void raw_sample_header(const struct panthor_perf_sample *sample,
		       struct drm_panthor_perf_sample_header *header);

/**
 * raw_end_add() - Add what a sample says about itself to totals
 * @end: The totals.
 * @header: Header of the sample.
 */
void raw_end_add(struct raw_end *end, const struct drm_panthor_perf_sample_header *header);

/**
 * raw_close() - Close a raw sample file, with what was collected; one without samples is removed
 * @writer: The writer.
 *
 * Return: 0 or a negative errno: the file may not be complete.
 */
int raw_close(struct raw_writer *writer);

#endif /* PANTHOR_PERF_RAW_H */
