// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <strings.h>

#include "internal.h"

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
	[DRM_PANTHOR_PERF_CLOCK_NEURAL] = "neural",
};

static const char *const clock_mode_names[] = {
	[DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT] = "default",
	[DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING] = "profiling",
	[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] = "lowest",
	[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] = "highest",
};

/* By number of the bit. */
static const char *const feature_names[] = {
	"block-states", "compact", "allow-suspend", "wakeup", [5] = "syncs", [6] = "clock-mode",
};

static const char *const flag_names[] = { "OVERFLOW", "ERROR", "STRETCHED", "FINAL" };

static const char *const event_names[] = {
	"ring-full", "bad-extract", "late", "fw-overflow", "fw-timeout", "reset", "suspend",
	"protected", "core-off-lost", "fw-error", "host-time", "cancelled", "clock-missed",
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

const char *panthor_perf_clock_mode_name(unsigned int mode)
{
	return name_of(clock_mode_names, ARRAY_SIZE(clock_mode_names), mode);
}

int panthor_perf_clock_mode_find(const char *name)
{
	unsigned int mode;

	for (mode = 0; mode < ARRAY_SIZE(clock_mode_names); mode++)
		if (!strcasecmp(name, clock_mode_names[mode]))
			return mode;
	return -ENOENT;
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
