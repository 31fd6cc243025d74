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
 *	| sample 0, sample_size bytes               |
 *	+-------------------------------------------+ header_size + sample_size
 *	| sample 1                                  |
 *	:                                           :
 *
 * info_size and section_size are multiples of 8. The file ends behind the
 * last sample; a shorter rest is a sample that could not be written.
 */

/** define RAW_MAGIC - the first 8 bytes of the file, without the end of the string */
#define RAW_MAGIC	"PTPRFRAW"

/** define RAW_VERSION - version of the format */
#define RAW_VERSION	1

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
 * struct raw_writer - a raw sample file that is being written
 */
struct raw_writer {
	/** @fd: The file. */
	int fd;

	/** @sample_size: Bytes of each sample. */
	uint32_t sample_size;
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
 * raw_write() - Append a sample
 * @writer: The writer.
 * @sample: The bytes of a sample.
 *
 * Return: 0 or a negative errno.
 */
int raw_write(struct raw_writer *writer, const void *sample);

/**
 * raw_close() - Close a raw sample file
 * @writer: The writer.
 *
 * Return: 0 or a negative errno: the file may not be complete.
 */
int raw_close(struct raw_writer *writer);

#endif /* PANTHOR_PERF_RAW_H */
