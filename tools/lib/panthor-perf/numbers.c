// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stddef.h>

#include "internal.h"

#define REQUEST(n, type)	DRM_IOWR(DRM_COMMAND_BASE + PANTHOR_PERF_PRIVATE_BASE + (n), type)

/*
 * The private numbers stand for these structures and no others: a panthor_drm.h with other ones
 * cannot be used with them.
 */
#define SAME_STRUCTURES \
	(sizeof(struct drm_panthor_perf_setup) == 80 && \
	 sizeof(struct drm_panthor_perf_teardown) == 8 && \
	 sizeof(struct drm_panthor_perf_start) == 16 && \
	 sizeof(struct drm_panthor_perf_stop) == 16 && \
	 sizeof(struct drm_panthor_perf_sample) == 32 && \
	 sizeof(struct drm_panthor_perf_section) == 16 && \
	 sizeof(struct drm_panthor_perf_clocks) == 96 && \
	 offsetof(struct drm_panthor_perf_setup, sample_period_ns) == 32 && \
	 offsetof(struct drm_panthor_perf_setup, sections) == 48 && \
	 offsetof(struct drm_panthor_perf_setup, handle) == 64)

#ifdef DRM_PANTHOR_PERF_OUT_OF_TREE
_Static_assert(SAME_STRUCTURES, "the header and this table have grown apart");
_Static_assert(PANTHOR_PERF_PRIVATE_QUERY == DRM_PANTHOR_DEV_QUERY_PERF_INFO, "PERF_INFO");
_Static_assert(PANTHOR_PERF_PRIVATE_CLOCKS == DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS, "PERF_CLOCKS");
_Static_assert(PANTHOR_PERF_PRIVATE_BASE == DRM_PANTHOR_PERF_SETUP, "SETUP");
_Static_assert(REQUEST(4, struct drm_panthor_perf_sample) == DRM_IOCTL_PANTHOR_PERF_SAMPLE,
	       "SAMPLE");
#endif

static const struct panthor_perf_numbers sets[] = {
#ifndef DRM_PANTHOR_PERF_OUT_OF_TREE
	{
		.name = "mainline",
		.info = DRM_PANTHOR_DEV_QUERY_PERF_INFO,
		.clocks = DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS,
		.setup = DRM_IOCTL_PANTHOR_PERF_SETUP,
		.teardown = DRM_IOCTL_PANTHOR_PERF_TEARDOWN,
		.start = DRM_IOCTL_PANTHOR_PERF_START,
		.stop = DRM_IOCTL_PANTHOR_PERF_STOP,
		.sample = DRM_IOCTL_PANTHOR_PERF_SAMPLE,
	},
#endif
	{
		.name = "private",
		.info = PANTHOR_PERF_PRIVATE_QUERY,
		.clocks = PANTHOR_PERF_PRIVATE_CLOCKS,
		.setup = REQUEST(0, struct drm_panthor_perf_setup),
		.teardown = REQUEST(1, struct drm_panthor_perf_teardown),
		.start = REQUEST(2, struct drm_panthor_perf_start),
		.stop = REQUEST(3, struct drm_panthor_perf_stop),
		.sample = REQUEST(4, struct drm_panthor_perf_sample),
	},
};

const struct panthor_perf_numbers *panthor_perf_numbers_get(unsigned int n)
{
	const unsigned int count = ARRAY_SIZE(sets) - !SAME_STRUCTURES;

	return n < count ? &sets[n] : NULL;
}
