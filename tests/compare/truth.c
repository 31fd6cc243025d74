// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>

#include "panthor_perf_drm.h"

#include "file.h"
#include "truth.h"

static const char *const type_names[] = {
	[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = "FW",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = "CSHW",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = "TILER",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = "MEMSYS",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = "SHADER",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = "NEURAL",
	[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = "CSG",
};

const char *type_name(unsigned int type)
{
	if (!type || type >= ARRAY_SIZE(type_names))
		return "UNKNOWN";
	return type_names[type];
}

bool set_has(unsigned int set, unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return set == DRM_PANTHOR_PERF_SET_PRIMARY;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return set <= DRM_PANTHOR_PERF_SET_SECONDARY;
	default:
		return true;
	}
}

uint32_t truth_rank(const struct truth *truth, unsigned int type, unsigned int idx)
{
	unsigned int core;

	if (type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		return idx;
	for (core = 0; core < 64; core++) {
		if (!(truth->shader_present >> core & 1) || idx--)
			continue;
		if (!(truth->neural_present >> core & 1))
			break;
		return __builtin_popcountll(truth->neural_present & ((1ull << core) - 1));
	}
	return UINT32_MAX;
}

static const char *const loss_names[LOSS_COUNT] = {
	[LOSS_RESET] = "reset",
	[LOSS_DISABLE] = "disable",
	[LOSS_OVERFLOW] = "overflow",
	[LOSS_HANG] = "hang",
	[LOSS_CORE_OFF] = "core-off",
	[LOSS_SKIPPED] = "skipped",
};

const char *loss_name(enum loss_reason reason)
{
	return loss_names[reason];
}

void truth_free(struct truth *truth)
{
	size_t i;

	for (i = 0; i < CLOCK_COUNT; i++)
		free(truth->rates[i]);
	for (i = 0; i < truth->block_count; i++)
		free(truth->blocks[i].values);
	free(truth->blocks);
	free(truth->samples);
	free(truth->losses);
	free(truth->full);
	free(truth->enables);
}

size_t truth_first(const struct truth *truth, uint64_t timestamp)
{
	size_t low = 0, high = truth->sample_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->samples[middle].timestamp < timestamp)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool truth_find(const struct truth *truth, uint64_t timestamp, size_t *index)
{
	size_t first = truth_first(truth, timestamp);

	if (first == truth->sample_count || truth->samples[first].timestamp != timestamp)
		return false;
	*index = first;
	return true;
}

const struct truth_loss *truth_loss_in(const struct truth *truth, size_t first, size_t last)
{
	size_t low = 0, high = truth->loss_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->losses[middle].position < first)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == truth->loss_count || truth->losses[low].position > last)
		return NULL;
	return &truth->losses[low];
}

bool truth_was_full(const struct truth *truth, size_t first, size_t last)
{
	size_t low = 0, high = truth->overflows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->full[middle] < first)
			low = middle + 1;
		else
			high = middle;
	}
	return low < truth->overflows && truth->full[low] <= last;
}

size_t truth_first_rate(const struct truth *truth, unsigned int clock, uint64_t timestamp)
{
	size_t low = 0, high = truth->rate_counts[clock];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->rates[clock][middle].timestamp <= timestamp)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct truth_enable *truth_enable_of(const struct truth *truth, size_t index)
{
	size_t low = 0, high = truth->enable_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (truth->enables[middle].nr <= truth->samples[index].enable)
			low = middle;
		else
			high = middle;
	}
	return &truth->enables[low];
}
