/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_H
#define PANTHOR_PERF_PERFETTO_H

#include "report/report.h"

/**
 * DOC: Perfetto traces
 *
 * A trace is a row of packets, each with a time of CLOCK_MONOTONIC_RAW, as samples have
 * it (builtin clock 5). Clock snapshots convert it to CLOCK_MONOTONIC (3), and in recordings that
 * have them to CLOCK_BOOTTIME (6), which ftrace has, and CLOCK_REALTIME (1).
 *
 * Perfetto shows a value of a GPU counter up to its time, from that of the value before (since v51
 * without a choice): values stand at the ends of samples, and a 0 at the begin of each run. It
 * shows a value of a track event from its time on: values stand at the starts of samples, and a 0
 * at the end of each run. A value is 0 where a formula divides by 0.
 *
 * Amounts are what was counted in the sample, as integers: they are exact, their sum is that of the
 * recording, and they have half the size of rates. A sample of merged periods is higher than its
 * neighbours; it is as much longer. A sample with flags or events is a slice on a track of its
 * own, and so are a gap between two samples, and, on another one, a sample that has a mark.
 *
 * ::
 *
 *	GPU Frequency		ftrace event gpu_frequency: mean clock of the top level
 *	GPU counters		GpuCounterEvent: what all blocks of a type counted, derived counters
 *	Mali-G610		TrackDescriptor
 *	  samples		slices: flags and events, gaps
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
