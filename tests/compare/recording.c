// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "recording.h"

#define HEADER_SIZE	64
#define MAX_COUNTERS	16384
#define MAX_BLOCKS	1024
#define MAX_SECTIONS	65536

/* Offsets of the file's header, whose numbers are little endian. */
enum {
	OFFSET_MAGIC = 0,
	OFFSET_VERSION = 8,
	OFFSET_HEADER_SIZE = 12,
	OFFSET_INFO_SIZE = 16,
	OFFSET_SECTION_SIZE = 20,
	OFFSET_SECTION_COUNT = 24,
	OFFSET_SAMPLE_SIZE = 28,
	OFFSET_BLOCK_SET = 32,
	OFFSET_GPU_ID = 36,
	OFFSET_PERIOD = 40,
	OFFSET_PAD = 56,
};

static uint64_t number_at(const unsigned char *bytes, unsigned int size)
{
	uint64_t number = 0;

	while (size--)
		number = number << 8 | bytes[size];
	return number;
}

__attribute__((format(printf, 2, 3)))
static bool bad(const char *path, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error("%s: %s", path, text);
	return false;
}

static void copy_known(void *dst, size_t dst_size, const void *src, size_t src_size)
{
	memset(dst, 0, dst_size);
	memcpy(dst, src, src_size < dst_size ? src_size : dst_size);
}

static uint64_t block_stride(const struct drm_panthor_perf_info *info)
{
	return info->block_header_size + 8ull * info->counters_per_block;
}

static bool check_info(struct recording *recording, const char *path)
{
	const struct drm_panthor_perf_info *info = &recording->info;
	const uint32_t blocks[TYPE_COUNT] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = info->fw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = info->cshw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = info->tiler_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = info->memsys_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = info->shader_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = info->neural_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = info->csg_blocks,
	};
	uint64_t size = info->sample_header_size;
	unsigned int type;

	if (info->counters_per_block < 5 || info->counters_per_block > MAX_COUNTERS)
		return bad(path, "PERF_INFO: %u counters per block", info->counters_per_block);
	if (info->sample_header_size < sizeof(struct drm_panthor_perf_sample_header) ||
	    info->sample_header_size % 8 || info->sample_header_size > 65536)
		return bad(path, "PERF_INFO: a sample header of %u bytes",
			   info->sample_header_size);
	if (info->block_header_size < sizeof(struct drm_panthor_perf_block_header) ||
	    info->block_header_size % 8 || info->block_header_size > 65536)
		return bad(path, "PERF_INFO: a block header of %u bytes", info->block_header_size);
	for (type = 1; type < TYPE_COUNT; type++) {
		if (blocks[type] > MAX_BLOCKS)
			return bad(path, "PERF_INFO: %u blocks of type %u", blocks[type], type);
		recording->blocks[type] = blocks[type];
		recording->block_count += blocks[type];
		size += blocks[type] * block_stride(info);
	}
	if (info->sample_size != size)
		return bad(path, "PERF_INFO: a sample of %u bytes, header and blocks are %llu",
			   info->sample_size, (unsigned long long)size);
	return true;
}

static bool read_section(struct recording *recording, const char *path, const unsigned char *bytes)
{
	uint64_t first = number_at(bytes + 2, 2);
	uint64_t mask = number_at(bytes + 8, 8);
	unsigned int type = bytes[0];
	unsigned int bit;

	if (!type || type >= TYPE_COUNT || !recording->blocks[type])
		return bad(path, "a section for block type %u, which the GPU does not have", type);
	if (number_at(bytes + 1, 1) || number_at(bytes + 4, 4))
		return bad(path, "a section with a pad that is not 0");
	if (first % 64)
		return bad(path, "a section that begins at counter %llu",
			   (unsigned long long)first);
	for (bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (first + bit < 4 || first + bit >= recording->info.counters_per_block)
			return bad(path, "a section asks for counter %llu",
				   (unsigned long long)first + bit);
		recording->enabled[type][first + bit] = 1;
	}
	return true;
}

static bool read_header(struct recording *recording, const char *path, size_t size)
{
	const unsigned char *file = recording->file;
	uint64_t header_size, info_size, section_size, section_count, i;

	if (size < HEADER_SIZE)
		return bad(path, "%zu bytes are less than the header of a raw sample file", size);
	if (memcmp(file + OFFSET_MAGIC, "PTPRFRAW", 8))
		return bad(path, "this is no raw sample file: it does not begin with PTPRFRAW");
	if (number_at(file + OFFSET_VERSION, 4) != 1)
		return bad(path, "version %llu of the format is not known",
			   (unsigned long long)number_at(file + OFFSET_VERSION, 4));
	header_size = number_at(file + OFFSET_HEADER_SIZE, 4);
	info_size = number_at(file + OFFSET_INFO_SIZE, 4);
	section_size = number_at(file + OFFSET_SECTION_SIZE, 4);
	section_count = number_at(file + OFFSET_SECTION_COUNT, 4);
	recording->sample_size = number_at(file + OFFSET_SAMPLE_SIZE, 4);
	recording->block_set = number_at(file + OFFSET_BLOCK_SET, 4);
	recording->gpu_id = number_at(file + OFFSET_GPU_ID, 4);
	recording->period_ns = number_at(file + OFFSET_PERIOD, 8);

	if (number_at(file + OFFSET_PAD, 8))
		return bad(path, "the pad of the header is not 0");
	if (section_size < sizeof(struct drm_panthor_perf_section) || section_size % 8 ||
	    section_count > MAX_SECTIONS)
		return bad(path, "%llu sections of %llu bytes", (unsigned long long)section_count,
			   (unsigned long long)section_size);
	if (info_size < offsetof(struct drm_panthor_perf_info, neural_blocks) || info_size % 8 ||
	    HEADER_SIZE + info_size + section_size * section_count != header_size)
		return bad(path, "the parts of the header do not add up to its %llu bytes",
			   (unsigned long long)header_size);
	if (header_size > size)
		return bad(path, "cut off in the header: %zu bytes of %llu", size,
			   (unsigned long long)header_size);

	copy_known(&recording->info, sizeof(recording->info), file + HEADER_SIZE, info_size);
	if (!check_info(recording, path))
		return false;
	if (recording->sample_size != recording->info.sample_size)
		return bad(path, "samples of %zu bytes, PERF_INFO says %u", recording->sample_size,
			   recording->info.sample_size);

	for (i = 0; i < TYPE_COUNT; i++) {
		recording->enabled[i] = calloc(recording->info.counters_per_block, 1);
		if (!recording->enabled[i])
			return bad(path, "out of memory");
	}
	for (i = 0; i < section_count; i++)
		if (!read_section(recording, path,
				  file + HEADER_SIZE + info_size + i * section_size))
			return false;

	if ((size - header_size) % recording->sample_size)
		return bad(path, "cut off in sample %llu: %llu bytes of %zu",
			   (unsigned long long)((size - header_size) / recording->sample_size),
			   (unsigned long long)((size - header_size) % recording->sample_size),
			   recording->sample_size);
	recording->samples = file + header_size;
	recording->sample_count = (size - header_size) / recording->sample_size;
	return true;
}

bool recording_load(struct recording *recording, const char *path)
{
	size_t size;

	memset(recording, 0, sizeof(*recording));
	recording->file = read_file(path, &size);
	return recording->file && read_header(recording, path, size);
}

void recording_free(struct recording *recording)
{
	unsigned int type;

	for (type = 0; type < TYPE_COUNT; type++)
		free(recording->enabled[type]);
	free(recording->file);
}

void recording_header(const struct recording *recording, size_t sample,
		      struct drm_panthor_perf_sample_header *header)
{
	copy_known(header, sizeof(*header), recording->samples + sample * recording->sample_size,
		   recording->info.sample_header_size);
}

static const unsigned char *block_at(const struct recording *recording, size_t sample,
				     uint32_t position)
{
	return recording->samples + sample * recording->sample_size +
	       recording->info.sample_header_size + position * block_stride(&recording->info);
}

void recording_block(const struct recording *recording, size_t sample, uint32_t position,
		     struct drm_panthor_perf_block_header *header)
{
	copy_known(header, sizeof(*header), block_at(recording, sample, position),
		   recording->info.block_header_size);
}

uint64_t recording_counter(const struct recording *recording, size_t sample, uint32_t position,
			   uint32_t counter)
{
	return number_at(block_at(recording, sample, position) +
			 recording->info.block_header_size + 8ull * counter, 8);
}
