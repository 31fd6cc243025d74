/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* The header needs nothing before it, and may come twice. */

#include "panthor_perf_drm.h"
#include "panthor_perf_drm.h"

#ifndef DRM_PANTHOR_PERF_OUT_OF_TREE
#error "the private numbers must be in use here"
#endif

int use(struct drm_panthor_perf_setup *setup, struct drm_panthor_bo_create *bo);

int use(struct drm_panthor_perf_setup *setup, struct drm_panthor_bo_create *bo)
{
	return setup->eventfd + (int)bo->handle;
}
