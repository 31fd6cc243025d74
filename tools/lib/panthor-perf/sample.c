// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "panthor_perf_select.h"
#include "sample.h"

#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

static size_t block_stride(const struct panthor_perf_gpu *gpu)
{
	return gpu->info.block_header_size + (size_t)gpu->info.counters_per_block * 8;
}

static int layout_add_type(struct sample_layout *layout,
			   const struct panthor_perf_selection *compact, unsigned int type)
{
	uint32_t count = panthor_perf_selection_count(compact, type), i, n = 0;

	if (!count)
		return 0;
	layout->indices[type] = calloc(count, sizeof(*layout->indices[type]));
	if (!layout->indices[type])
		return -ENOMEM;
	layout->count[type] = count;
	for (i = 0; n < count; i++)
		if (panthor_perf_selection_has(compact, type, i))
			layout->indices[type][n++] = i;
	return 0;
}

int sample_layout_init(struct sample_layout *layout, const struct panthor_perf_selection *compact)
{
	unsigned int type;

	memset(layout, 0, sizeof(*layout));
	if (!compact)
		return 0;
	layout->compact = true;
	layout->size = panthor_perf_selection_sample_size(compact);
	if (!layout->size)
		return -EINVAL;
	for (type = 1; type < TYPES; type++) {
		if (layout_add_type(layout, compact, type)) {
			sample_layout_fini(layout);
			return -ENOMEM;
		}
	}
	return 0;
}

void sample_layout_fini(struct sample_layout *layout)
{
	unsigned int type;

	for (type = 0; type < TYPES; type++)
		free(layout->indices[type]);
	memset(layout, 0, sizeof(*layout));
}

int panthor_perf_sample_create(const struct panthor_perf_gpu *gpu,
			       const struct panthor_perf_selection *compact,
			       struct panthor_perf_sample **sample,
			       struct panthor_perf_error *error)
{
	struct panthor_perf_sample *made;
	int ret;

	if (!gpu)
		return panthor_perf_fail(error, -EINVAL, "there is no GPU");
	made = calloc(1, sizeof(*made));
	if (!made)
		return panthor_perf_fail_memory(error);
	made->gpu = gpu;
	made->layout = &made->own_layout;
	ret = sample_layout_init(&made->own_layout, compact);
	if (ret) {
		free(made);
		return ret == -ENOMEM ? panthor_perf_fail_memory(error) :
		       panthor_perf_fail(error, ret, "samples are too large for this machine");
	}
	panthor_perf_use(&gpu->users);
	*sample = made;
	return 0;
}

void panthor_perf_sample_destroy(struct panthor_perf_sample *sample)
{
	if (!sample)
		return;
	panthor_perf_unuse(&sample->gpu->users);
	sample_layout_fini(&sample->own_layout);
	free(sample->blocks);
	free(sample);
}

void sample_read_header(const struct panthor_perf_gpu *gpu, const void *data,
			struct drm_panthor_perf_sample_header *header)
{
	panthor_perf_copy_known(header, sizeof(*header), data, gpu->info.sample_header_size);
}

static struct panthor_perf_block *add_block(struct panthor_perf_sample *sample)
{
	if (sample->block_count == sample->block_room) {
		size_t room = sample->block_room ? 2 * sample->block_room : 16;
		struct panthor_perf_block *blocks = reallocarray(sample->blocks, room,
								 sizeof(*blocks));

		if (!blocks)
			return NULL;
		sample->blocks = blocks;
		sample->block_room = room;
	}
	return &sample->blocks[sample->block_count++];
}

/* Finds the blocks. Of their memory it reads the headers alone. */
static int parse_blocks(struct panthor_perf_sample *sample)
{
	const struct drm_panthor_perf_info *info = &sample->gpu->info;
	const struct sample_layout *layout = sample->layout;
	const char *pos = (const char *)sample->data + info->sample_header_size;
	const char *end = (const char *)sample->data + sample->size;
	size_t stride = block_stride(sample->gpu);

	sample->block_count = 0;
	while ((size_t)(end - pos) >= info->block_header_size) {
		const unsigned int type = *(const uint8_t *)pos;
		const bool known = panthor_perf_block_name(type);
		uint32_t count = info->counters_per_block;
		struct panthor_perf_block *block;

		if (layout->compact) {
			count = known ? layout->count[type] : 0;
			/* The size of a block without enabled counters is not known. */
			if (!count)
				return 0;
			stride = info->block_header_size + 8 * (size_t)count;
		}
		if ((size_t)(end - pos) < stride)
			return 0;
		if (known) {
			block = add_block(sample);
			if (!block)
				return -ENOMEM;
			panthor_perf_copy_known(&block->header, sizeof(block->header), pos,
						info->block_header_size);
			block->counters = (const uint64_t *)(pos + info->block_header_size);
			block->counter_count = count;
			block->indices = layout->compact ? layout->indices[type] : NULL;
		}
		pos += stride;
	}
	return 0;
}

int panthor_perf_sample_parse(struct panthor_perf_sample *sample, const void *data, size_t size,
			      struct panthor_perf_error *error)
{
	const struct drm_panthor_perf_info *info = &sample->gpu->info;

	sample->data = NULL;
	sample->size = 0;
	sample->block_count = 0;
	if ((uintptr_t)data % 8)
		return panthor_perf_fail(error, -EINVAL, "the sample is not aligned to 8 bytes");
	if (sample->layout->compact ? size != sample->layout->size :
	    size < info->sample_header_size ||
	    (size - info->sample_header_size) % block_stride(sample->gpu))
		return panthor_perf_fail(error, -EINVAL, "%zu bytes are not a sample of this GPU "
					 "and these counters", size);
	sample->data = data;
	sample->size = size;
	sample_read_header(sample->gpu, data, &sample->header);
	return parse_blocks(sample) ? panthor_perf_fail_memory(error) : 0;
}

const void *panthor_perf_sample_data(const struct panthor_perf_sample *sample, size_t *size)
{
	if (size)
		*size = sample->size;
	return sample->data;
}

uint64_t panthor_perf_sample_start_ns(const struct panthor_perf_sample *sample)
{
	return sample->header.timestamp_start_ns;
}

uint64_t panthor_perf_sample_end_ns(const struct panthor_perf_sample *sample)
{
	return sample->header.timestamp_end_ns;
}

uint64_t panthor_perf_sample_gpu_timestamp(const struct panthor_perf_sample *sample)
{
	return sample->header.gpu_timestamp;
}

uint64_t panthor_perf_sample_user_data(const struct panthor_perf_sample *sample)
{
	return sample->header.user_data;
}

uint64_t panthor_perf_sample_number(const struct panthor_perf_sample *sample)
{
	return sample->header.sample_nr;
}

uint32_t panthor_perf_sample_merged(const struct panthor_perf_sample *sample)
{
	return sample->header.merged;
}

uint32_t panthor_perf_sample_flags(const struct panthor_perf_sample *sample)
{
	return sample->header.flags;
}

uint32_t panthor_perf_sample_events(const struct panthor_perf_sample *sample)
{
	return sample->header.events;
}

unsigned int panthor_perf_sample_counter_set(const struct panthor_perf_sample *sample)
{
	return sample->header.counter_set;
}

bool panthor_perf_sample_cycles(const struct panthor_perf_sample *sample, unsigned int clock,
				uint64_t *cycles)
{
	if (clock >= 32 || !(sample->gpu->info.supported_clocks >> clock & 1))
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

const struct panthor_perf_block *
panthor_perf_sample_next_block(const struct panthor_perf_sample *sample,
			       const struct panthor_perf_block *block)
{
	const struct panthor_perf_block *next = block ? block + 1 : sample->blocks;

	return sample->block_count && next < sample->blocks + sample->block_count ? next : NULL;
}

unsigned int panthor_perf_block_type(const struct panthor_perf_block *block)
{
	return block->header.type;
}

unsigned int panthor_perf_block_number(const struct panthor_perf_block *block)
{
	return block->header.idx;
}

unsigned int panthor_perf_block_clock(const struct panthor_perf_block *block)
{
	return block->header.clock;
}

uint32_t panthor_perf_block_states(const struct panthor_perf_block *block)
{
	return block->header.states;
}

const uint64_t *panthor_perf_block_counters(const struct panthor_perf_block *block,
					    const uint16_t **indices, uint32_t *count)
{
	if (indices)
		*indices = block->indices;
	*count = block->counter_count;
	return block->counters;
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
