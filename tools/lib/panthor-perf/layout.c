// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT
#define MAX_INDICES	(UINT16_MAX + 1)

/* The counters of a type that sections enable, a bit for each; false if there are none. */
static bool collect(const struct drm_panthor_perf_section *sections, size_t count,
		    unsigned int type, uint64_t *masks)
{
	uint64_t any = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (sections[i].block_type != type || sections[i].first_counter % 64)
			continue;
		masks[sections[i].first_counter / 64] |= sections[i].mask;
		any |= sections[i].mask;
	}
	return any;
}

static int add_type(struct panthor_perf_layout *layout, const struct drm_panthor_perf_info *info,
		    const struct drm_panthor_perf_section *sections, size_t count,
		    unsigned int type)
{
	uint64_t masks[MAX_INDICES / 64] = { 0 };
	uint32_t limit = info->counters_per_block, i;
	uint16_t *indices;

	if (limit > MAX_INDICES)
		limit = MAX_INDICES;
	if (!limit || !collect(sections, count, type, masks))
		return 0;
	indices = calloc(limit, sizeof(*indices));
	if (!indices)
		return -ENOMEM;
	layout->indices[type] = indices;
	for (i = 0; i < limit; i++)
		if (masks[i / 64] >> (i % 64) & 1)
			indices[layout->count[type]++] = i;
	return 0;
}

int panthor_perf_layout_create(const struct drm_panthor_perf_info *info,
			       const struct drm_panthor_perf_section *sections, size_t count,
			       struct panthor_perf_layout **layout)
{
	uint64_t full = info->block_header_size + 8ull * info->counters_per_block;
	uint64_t size = info->sample_header_size, expanded = size;
	struct panthor_perf_layout *lay = calloc(1, sizeof(*lay));
	unsigned int type;
	int ret;

	if (!lay)
		return -ENOMEM;
	for (type = 1; type < TYPES; type++) {
		uint64_t blocks = panthor_perf_block_count(info, type);

		ret = add_type(lay, info, sections, count, type);
		if (ret) {
			panthor_perf_layout_free(lay);
			return ret;
		}
		if (!lay->count[type])
			continue;
		size += blocks * (info->block_header_size + 8ull * lay->count[type]);
		expanded += blocks * full;
	}
	if (expanded > INT_MAX) {
		panthor_perf_layout_free(lay);
		return -EINVAL;
	}
	lay->size = size;
	lay->expanded_size = expanded;
	*layout = lay;
	return 0;
}

uint32_t panthor_perf_layout_size(const struct panthor_perf_layout *layout)
{
	return layout->size;
}

void panthor_perf_layout_free(struct panthor_perf_layout *layout)
{
	unsigned int type;

	if (!layout)
		return;
	for (type = 0; type < TYPES; type++)
		free(layout->indices[type]);
	free(layout);
}

int panthor_perf_layout_expand(const struct panthor_perf_layout *layout,
			       const struct drm_panthor_perf_info *info, const void *compact,
			       void *data)
{
	const size_t full = info->block_header_size + 8 * (size_t)info->counters_per_block;
	const char *from = compact, *from_end = from + layout->size;
	char *to = data, *to_end = to + layout->expanded_size;

	memset(data, 0, layout->expanded_size);
	memcpy(to, from, info->sample_header_size);
	from += info->sample_header_size;
	to += info->sample_header_size;
	while (from < from_end) {
		unsigned int type = *(const uint8_t *)from;
		uint64_t *counters;
		uint32_t i;

		if (type >= TYPES || !layout->count[type] || (size_t)(to_end - to) < full ||
		    (size_t)(from_end - from) < info->block_header_size + 8 * layout->count[type])
			return -EPROTO;
		memcpy(to, from, info->block_header_size);
		from += info->block_header_size;
		counters = (uint64_t *)(to + info->block_header_size);
		for (i = 0; i < layout->count[type]; i++, from += sizeof(*counters))
			memcpy(&counters[layout->indices[type][i]], from, sizeof(*counters));
		to += full;
	}
	return to == to_end ? 0 : -EPROTO;
}
