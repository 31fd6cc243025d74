/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PERFETTO_OUT_H
#define PANTHOR_PERF_PERFETTO_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perfetto/perfetto.pb-c.h"

/* Names of protobuf-c that are shorter. */
#define TracePacket	Perfetto__Protos__TracePacket
#define PACKET(name)	PERFETTO__PROTOS__TRACE_PACKET__DATA_##name

/**
 * struct trace_out - packets on their way to a file
 *
 * They are collected, and written as packets that hold a series of others, compressed. All fields
 * are for the functions below.
 */
struct trace_out {
	/** @file: The file. */
	FILE *file;

	/** @begun: There was a packet. */
	bool begun;

	/** @series: Packets that are not written yet, as fields of a trace. */
	uint8_t *series;

	/** @used: Bytes at @series. */
	size_t used;

	/** @room: Bytes for which there is memory. */
	size_t room;
};

/**
 * trace_packet() - Add a packet
 * @out: Where it goes.
 * @packet: The packet. Its sequence is filled in.
 *
 * Return: 0 or a negative errno.
 */
int trace_packet(struct trace_out *out, TracePacket *packet);

/**
 * trace_time() - Set the time of a packet
 * @packet: The packet.
 * @raw_ns: CLOCK_MONOTONIC_RAW in ns.
 */
void trace_time(TracePacket *packet, uint64_t raw_ns);

/**
 * trace_finish() - Write what was collected, and free the memory
 * @out: Where packets go. Its file stays open.
 *
 * Return: 0 or a negative errno.
 */
int trace_finish(struct trace_out *out);

#endif /* PANTHOR_PERF_PERFETTO_OUT_H */
