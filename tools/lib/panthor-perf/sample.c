// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "layout.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static const char *const block_names[] = {
	[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = "fw",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = "cshw",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = "tiler",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = "memsys",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = "shader",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = "neural",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = "csg",
};

static const char *const set_names[] = {
	[DRM_PANTHOR_PERF_SET_PRIMARY] = "primary",
	[DRM_PANTHOR_PERF_SET_SECONDARY] = "secondary",
	[DRM_PANTHOR_PERF_SET_TERTIARY] = "tertiary",
};

static const char *const clock_names[] = {
	[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL] = "toplevel",
	[DRM_PANTHOR_PERF_CLOCK_COREGROUP] = "coregroup",
	[DRM_PANTHOR_PERF_CLOCK_SHADER] = "shader",
};

/* By number of the bit. */
static const char *const feature_names[] = {
	"block-states", "compact", "allow-suspend", "wakeup",
};

static const char *const flag_names[] = { "OVERFLOW", "ERROR", "STRETCHED", "FINAL" };

static const char *const event_names[] = {
	"ring-full", "bad-extract", "late", "fw-overflow", "fw-timeout", "reset", "suspend",
	"protected", "core-off-lost", "fw-error", "host-time",
};

static const char *const state_names[] = {
	"on", "off", "available", "unavailable", "normal", "protected",
};

static const char *name_of(const char *const *names, size_t count, unsigned int number)
{
	return number < count ? names[number] : NULL;
}

const char *panthor_perf_block_name(unsigned int type)
{
	return name_of(block_names, ARRAY_SIZE(block_names), type);
}

const char *panthor_perf_set_name(unsigned int set)
{
	return name_of(set_names, ARRAY_SIZE(set_names), set);
}

int panthor_perf_set_find(const char *name)
{
	unsigned int set;

	for (set = 0; set < ARRAY_SIZE(set_names); set++)
		if (!strcasecmp(name, set_names[set]))
			return set;
	return -ENOENT;
}

const char *panthor_perf_clock_name(unsigned int clock)
{
	return name_of(clock_names, ARRAY_SIZE(clock_names), clock);
}

const char *panthor_perf_feature_name(unsigned int bit)
{
	return name_of(feature_names, ARRAY_SIZE(feature_names), bit);
}

const char *panthor_perf_flag_name(unsigned int bit)
{
	return name_of(flag_names, ARRAY_SIZE(flag_names), bit);
}

const char *panthor_perf_event_name(unsigned int bit)
{
	return name_of(event_names, ARRAY_SIZE(event_names), bit);
}

const char *panthor_perf_state_name(unsigned int bit)
{
	return name_of(state_names, ARRAY_SIZE(state_names), bit);
}

uint32_t panthor_perf_block_count(const struct drm_panthor_perf_info *info, unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
		return info->fw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
		return info->cshw_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return info->tiler_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return info->memsys_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return info->shader_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return info->neural_blocks;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return info->csg_blocks;
	default:
		return 0;
	}
}

/* Copies what both sides know of a structure and sets the rest to 0. */
static void copy_known(void *dst, size_t dst_size, const void *src, size_t src_size)
{
	memset(dst, 0, dst_size);
	memcpy(dst, src, src_size < dst_size ? src_size : dst_size);
}

static size_t block_stride(const struct panthor_perf_sample *sample)
{
	return sample->block_header_size + (size_t)sample->counters_per_block * sizeof(uint64_t);
}

int panthor_perf_sample_init(const struct drm_panthor_perf_info *info, const void *data,
			     size_t size, struct panthor_perf_sample *sample)
{
	if ((uintptr_t)data % 8 || info->sample_header_size % 8 || info->block_header_size % 8)
		return -EINVAL;

	sample->data = data;
	sample->size = size;
	sample->header_size = info->sample_header_size;
	sample->block_header_size = info->block_header_size;
	sample->counters_per_block = info->counters_per_block;
	sample->layout = NULL;
	if (size < sample->header_size || !block_stride(sample) ||
	    (size - sample->header_size) % block_stride(sample))
		return -EINVAL;
	copy_known(&sample->header, sizeof(sample->header), data, sample->header_size);
	return 0;
}

int panthor_perf_sample_init_compact(const struct drm_panthor_perf_info *info,
				     const struct panthor_perf_layout *layout, const void *data,
				     size_t size, struct panthor_perf_sample *sample)
{
	/* It has no whole number of blocks of the usual size: its header has. */
	if (size != layout->size ||
	    panthor_perf_sample_init(info, data, info->sample_header_size, sample))
		return -EINVAL;
	sample->size = size;
	sample->layout = layout;
	return 0;
}

bool panthor_perf_sample_cycles(const struct drm_panthor_perf_info *info,
				const struct panthor_perf_sample *sample, unsigned int clock,
				uint64_t *cycles)
{
	if (clock >= 32 || !(info->supported_clocks >> clock & 1))
		return false;
	switch (clock) {
	case DRM_PANTHOR_PERF_CLOCK_TOPLEVEL:
		*cycles = sample->header.toplevel_clock_cycles;
		return true;
	case DRM_PANTHOR_PERF_CLOCK_COREGROUP:
		*cycles = sample->header.coregroup_clock_cycles;
		return true;
	case DRM_PANTHOR_PERF_CLOCK_SHADER:
		*cycles = sample->header.shader_clock_cycles;
		return true;
	default:
		return false;
	}
}

int panthor_perf_sample_next_block(const struct panthor_perf_sample *sample,
				   struct panthor_perf_block *block)
{
	size_t offset = block->offset ? block->offset : sample->header_size;
	const struct panthor_perf_layout *layout = sample->layout;
	size_t stride = block_stride(sample);

	while (offset < sample->size && sample->size - offset >= sample->block_header_size) {
		const char *data = (const char *)sample->data + offset;
		const bool known = panthor_perf_block_name(*(const uint8_t *)data);
		const unsigned int type = *(const uint8_t *)data;
		uint32_t count = sample->counters_per_block;

		if (layout) {
			count = known ? layout->count[type] : 0;
			/* The size of a block without enabled counters is not known. */
			if (!count)
				return 0;
			stride = sample->block_header_size + 8 * (size_t)count;
		}
		if (sample->size - offset < stride)
			return 0;
		offset += stride;
		if (!known)
			continue;
		copy_known(&block->header, sizeof(block->header), data, sample->block_header_size);
		block->counters = (const uint64_t *)(data + sample->block_header_size);
		block->counter_count = count;
		block->indices = layout ? layout->indices[type] : NULL;
		block->offset = offset;
		return 1;
	}
	return 0;
}

bool panthor_perf_block_counter(const struct panthor_perf_block *block, uint32_t index,
				uint64_t *value)
{
	uint32_t first = 0, end = block->counter_count;

	*value = 0;
	if (!block->indices) {
		if (index >= end)
			return false;
		*value = block->counters[index];
		return true;
	}
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (block->indices[middle] == index) {
			*value = block->counters[middle];
			return true;
		}
		if (block->indices[middle] < index)
			first = middle + 1;
		else
			end = middle;
	}
	return false;
}
