/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_TRACKS_H
#define PANTHOR_PERF_PERFETTO_TRACKS_H

#include "perfetto_out.h"
#include "report/report.h"

/**
 * trace_tracks() - Describe the tracks of the GPU, of its blocks and of their counters
 * @out: The trace.
 * @list: The columns.
 *
 * Return: 0 or a negative errno.
 */
int trace_tracks(struct trace_out *out, const struct column_list *list);

/**
 * trace_instance() - A value of a block, from a time on
 * @out: The trace.
 * @list: The columns.
 * @column: Number of the column, which is no sum.
 * @raw_ns: CLOCK_MONOTONIC_RAW in ns.
 * @value: The value.
 *
 * Return: 0 or a negative errno.
 */
int trace_instance(struct trace_out *out, const struct column_list *list, size_t column,
		   uint64_t raw_ns, struct value value);

/**
 * trace_slices() - What a sample says about itself, and its marks
 * @out: The trace.
 * @recording: The recording.
 * @next_mark: Number of the mark that is searched for next; 0 at the beginning.
 * @sample: The sample.
 * @start_ns: CLOCK_MONOTONIC_RAW in ns from which on it is shown.
 *
 * Return: 0 or a negative errno.
 */
int trace_slices(struct trace_out *out, const struct recording *recording, uint64_t *next_mark,
		 const struct recording_sample *sample, uint64_t start_ns);

/**
 * trace_gap() - A time in which nothing was counted, between two samples
 * @out: The trace.
 * @start_ns: CLOCK_MONOTONIC_RAW in ns at its begin.
 * @end_ns: That at its end.
 *
 * Return: 0 or a negative errno.
 */
int trace_gap(struct trace_out *out, uint64_t start_ns, uint64_t end_ns);

#endif /* PANTHOR_PERF_PERFETTO_TRACKS_H */
