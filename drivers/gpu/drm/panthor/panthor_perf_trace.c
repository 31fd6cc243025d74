// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/device.h>

#include <drm/drm_device.h>

#include "panthor_perf_fw.h"

/* Without tracepoints, nothing uses it. */
static __maybe_unused const char *panthor_perf_trace_name(const struct panthor_perf_fw *fw)
{
	return fw->drm ? dev_name(fw->drm->dev) : "no device";
}

#define CREATE_TRACE_POINTS
#include "panthor_perf_trace.h"
