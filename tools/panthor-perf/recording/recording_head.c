// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* What a recording begins with. */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <panthor_perf_select.h>

#include "cmd.h"
#include "recording_file.h"

#define MAX_BLOCKS	1024
#define MAX_SECTIONS	65536
#define MAX_HEADER	65536

int recording_bad(struct recording *rec, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(rec->error, rec->error_size, format, args);
	va_end(args);
	return -EINVAL;
}

/* The blocks of the type that has most of them. */
static uint32_t most_blocks(const struct drm_panthor_perf_info *info)
{
	const uint32_t counts[] = {
		info->fw_blocks, info->cshw_blocks, info->tiler_blocks, info->memsys_blocks,
		info->shader_blocks, info->neural_blocks, info->csg_blocks,
	};
	uint32_t most = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (counts[i] > most)
			most = counts[i];
	return most;
}

static int read_info(struct recording *rec)
{
	struct drm_panthor_perf_info *info = &rec->info;
	uint64_t size = rec->header.info_size;

	memcpy(info, rec->data + sizeof(rec->header), size < sizeof(*info) ? size : sizeof(*info));
	if (info->counters_per_block > RECORDING_MAX_COUNTERS)
		return recording_bad(rec, "PERF_INFO has %u counters per block",
				     info->counters_per_block);
	if (info->sample_header_size < offsetof(struct drm_panthor_perf_sample_header, user_data) ||
	    info->sample_header_size % 8 || info->sample_header_size > MAX_HEADER)
		return recording_bad(rec, "PERF_INFO has a sample header of %u bytes",
				     info->sample_header_size);
	if (info->block_header_size < sizeof(struct drm_panthor_perf_block_header) ||
	    info->block_header_size % 8 || info->block_header_size > MAX_HEADER)
		return recording_bad(rec, "PERF_INFO has a block header of %u bytes",
				     info->block_header_size);
	if (most_blocks(info) > MAX_BLOCKS)
		return recording_bad(rec, "PERF_INFO has %u blocks of a type", most_blocks(info));
	size = rec->header.sample_size;
	if (size < info->sample_header_size || size % 8 ||
	    (!(rec->header.flags & DRM_PANTHOR_PERF_SETUP_COMPACT) &&
	     (size - info->sample_header_size) %
	     (info->block_header_size + 8ull * info->counters_per_block)))
		return recording_bad(rec,
				     "samples of %" PRIu64 " bytes are no header and whole blocks",
				     size);
	return 0;
}

static int read_section(struct recording *rec, const unsigned char *at)
{
	struct drm_panthor_perf_section section;
	unsigned int bit;

	memcpy(&section, at, sizeof(section));
	if (!section.block_type || section.block_type >= RECORDING_TYPES)
		return 0;
	if (section.first_counter % 64 || section.first_counter >= RECORDING_MAX_COUNTERS)
		return recording_bad(rec, "a section begins at counter %u", section.first_counter);
	for (bit = 0; bit < 64; bit++)
		if (section.mask >> bit & 1 &&
		    section.first_counter + bit >= rec->info.counters_per_block)
			return recording_bad(rec, "a section has counter %u of %u",
					     section.first_counter + bit,
					     rec->info.counters_per_block);
	rec->enabled[section.block_type][section.first_counter / 64] |= section.mask;
	return 0;
}

int recording_add_counters(const struct recording *recording,
			   struct panthor_perf_selection *selection)
{
	struct drm_panthor_perf_section sections[RECORDING_TYPES * (RECORDING_MAX_COUNTERS / 64)];
	unsigned int type, word;
	size_t count = 0;

	for (type = 1; type < RECORDING_TYPES; type++)
		for (word = 0; word < RECORDING_MAX_COUNTERS / 64; word++)
			if (recording->enabled[type][word])
				sections[count++] = (struct drm_panthor_perf_section) {
					.block_type = type,
					.first_counter = word * 64,
					.mask = recording->enabled[type][word],
				};
	return panthor_perf_selection_add_sections(selection, sections, sizeof(sections[0]), count,
						   NULL);
}

/* Samples for the enabled counters. */
static int make_sample(struct recording *rec, struct panthor_perf_error *error)
{
	struct panthor_perf_selection *selection;
	bool compact = rec->header.flags & DRM_PANTHOR_PERF_SETUP_COMPACT;
	int ret;

	ret = panthor_perf_selection_create(rec->object, NULL, rec->header.counter_set, &selection,
					    error);
	if (ret)
		return ret;
	ret = recording_add_counters(rec, selection);
	if (!ret)
		ret = panthor_perf_sample_create(rec->object, compact ? selection : NULL,
						 &rec->sample, error);
	if (!ret && compact &&
	    panthor_perf_selection_sample_size(selection) != rec->header.sample_size) {
		snprintf(error->text, sizeof(error->text),
			 "compact samples of %u bytes do not match the sections",
			 rec->header.sample_size);
		ret = -EINVAL;
	}
	panthor_perf_selection_destroy(selection);
	return ret;
}

int recording_make_object(struct recording *rec)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct drm_panthor_gpu_info gpu;
	int ret;

	recording_gpu(rec, &gpu);
	ret = panthor_perf_gpu_create(&gpu, sizeof(gpu), rec->data + sizeof(rec->header),
				      rec->header.info_size, &rec->object, &error);
	if (!ret)
		ret = make_sample(rec, &error);
	if (ret)
		recording_bad(rec, "%s", error.text);
	return ret;
}

int recording_read_header(struct recording *rec)
{
	struct raw_header *header = &rec->header;
	const unsigned char *at;
	uint64_t size;
	uint32_t i;
	int ret;

	if (rec->size < sizeof(header->magic) ||
	    memcmp(rec->data, RAW_MAGIC, sizeof(header->magic)))
		return recording_bad(rec,
				     "this is no recording: it does not begin with " RAW_MAGIC);
	if (rec->size < sizeof(*header))
		return recording_bad(rec, "it was cut off in its header");
	memcpy(header, rec->data, sizeof(*header));
	if (header->version != RAW_VERSION)
		return recording_bad(rec, "version %u of the format is not known: this program "
				     "reads version %u", header->version, RAW_VERSION);
	if (header->section_size < sizeof(struct drm_panthor_perf_section) ||
	    header->section_size % 8 || header->section_count > MAX_SECTIONS)
		return recording_bad(rec, "its header has %u sections of %u bytes",
				     header->section_count, header->section_size);
	size = sizeof(*header) + (uint64_t)header->info_size +
	       (uint64_t)header->section_size * header->section_count;
	if (header->info_size < offsetof(struct drm_panthor_perf_info, neural_blocks) ||
	    header->info_size % 8 || size != header->header_size)
		return recording_bad(rec, "the parts of its header do not add up to %u bytes",
				     header->header_size);
	if (size > rec->size)
		return recording_bad(rec, "it was cut off in its header");
	ret = read_info(rec);
	at = rec->data + sizeof(*header) + header->info_size;
	for (i = 0; i < header->section_count && !ret; i++)
		ret = read_section(rec, at + (uint64_t)i * header->section_size);
	return ret;
}
