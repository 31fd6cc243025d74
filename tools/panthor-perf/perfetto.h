/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_H
#define PANTHOR_PERF_PERFETTO_H

#include "report.h"

/**
 * DOC: Perfetto traces
 *
 * A trace is a row of packets, each with a time of CLOCK_MONOTONIC_RAW, as samples have
 * it (builtin clock 5). Clock snapshots convert it to CLOCK_MONOTONIC (3).
 *
 * A value stands at the start of its sample: a viewer draws it to the next value, which is the time
 * that it was counted in. At the end of a run there is a 0, and where a formula divides by 0.
 * Amounts are per second, so that a sample of merged periods has the height of its neighbours.
 * A sample with flags or events is a slice on a track of its own, and so is a sample that has a
 * mark, on another.
 *
 * ::
 *
 *	GPU counters		GpuCounterEvent: what all blocks of a type counted, derived counters
 *	Mali-G610		TrackDescriptor
 *	  samples		slices: flags and events
 *	  marks			slices: from the sample before to the mark
 *	  shader 0		a block
 *	    MaliFragWarp	TrackEvent of TYPE_COUNTER: what this block counted
 */

/** define PERFETTO_SEQUENCE - trusted_packet_sequence_id of all packets */
#define PERFETTO_SEQUENCE	1

/** define PERFETTO_GPU_TRACK - uuid of the track of the GPU */
#define PERFETTO_GPU_TRACK	0x7061000000000000ull

/** define PERFETTO_SAMPLE_TRACK - uuid of the track of samples with flags or events */
#define PERFETTO_SAMPLE_TRACK	(PERFETTO_GPU_TRACK + 1)

/** define PERFETTO_MARK_TRACK - uuid of the track of marks */
#define PERFETTO_MARK_TRACK	(PERFETTO_GPU_TRACK + 2)

/**
 * perfetto_block_track() - Track of a block
 * @type: Its type.
 * @instance: Its number among those of the type.
 *
 * Return: The uuid.
 */
uint64_t perfetto_block_track(unsigned int type, int instance);

/**
 * perfetto_export() - Write a Perfetto trace
 * @list: The columns; those of instances become tracks.
 * @range: The samples.
 * @path: Path of the file; one that exists is overwritten.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int perfetto_export(struct column_list *list, const struct range *range, const char *path);

#endif /* PANTHOR_PERF_PERFETTO_H */
