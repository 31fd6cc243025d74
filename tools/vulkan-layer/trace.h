/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Rows as a trace for Perfetto: of each device a track with a slice for each unit, and one for each
 * counter.
 */
#ifndef VULKAN_LAYER_TRACE_H
#define VULKAN_LAYER_TRACE_H

#include <stdint.h>
#include <stdio.h>

struct panthor_perf_sample;
struct panthor_perf_selection;
struct panthor_perf_values;
struct row;
struct trace;

struct trace *trace_create(FILE *file, const struct panthor_perf_selection *selection,
			   const char *gpu);
void trace_destroy(struct trace *trace);
void trace_row(struct trace *trace, const struct row *row, const char *quality,
	       const struct panthor_perf_values *values);

#endif
