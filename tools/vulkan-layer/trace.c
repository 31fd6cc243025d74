// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The part of Perfetto's trace format that is written, with the numbers of its public schema:
 *
 *	Trace		1 packet
 *	TracePacket	6 clock_snapshot, 8 timestamp, 10 trusted_packet_sequence_id,
 *			11 track_event, 13 sequence_flags, 58 timestamp_clock_id,
 *			60 track_descriptor
 *	ClockSnapshot	1 clocks (1 clock_id, 2 timestamp), 2 primary_trace_clock
 *	TrackDescriptor	1 uuid, 2 name, 5 parent_uuid, 8 counter (6 unit_name)
 *	TrackEvent	4 debug_annotations (3 uint_value, 6 string_value, 10 name), 9 type,
 *			11 track_uuid, 23 name, 30 counter_value, 44 double_counter_value
 *
 * tools/panthor-perf/perfetto.proto has the same part as a schema.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "instances.h"
#include "layer.h"
#include "report.h"
#include "settings.h"
#include "trace.h"
#include "types.h"

#define CLOCK_OF_TRACE	5	/* BUILTIN_CLOCK_MONOTONIC_RAW */
#define CLOCK_OF_OTHERS	3	/* BUILTIN_CLOCK_MONOTONIC */
#define SEQUENCE	1
/* What was said before about the writer does not count. */
#define FLAG_BEGIN	1

/* Frames of two devices overlap. So each has tracks of its own, in one that is the device. */
#define DEVICE_TRACK(device)	(UINT64_C(0x7061000000000000) + ((uint64_t)(device) << 32))
#define UNIT_TRACK(device)	(DEVICE_TRACK(device) + 1)
#define COUNTER_TRACK(device)	(DEVICE_TRACK(device) + 2)

/* Wire types */
#define VARINT		0
#define FIXED64		1
#define BYTES		2

/** enum event_type - TrackEvent.Type */
enum event_type {
	/** @EVENT_BEGIN: A slice begins. */
	EVENT_BEGIN = 1,

	/** @EVENT_END: The innermost one ends. */
	EVENT_END = 2,

	/** @EVENT_COUNTER: The value of a counter from here on. */
	EVENT_COUNTER = 4,
};

/**
 * struct message - a message that is being encoded
 */
struct message {
	/** @data: Its bytes. */
	uint8_t *data;

	/** @size: Number of bytes. */
	size_t size;

	/** @room: Bytes that fit. */
	size_t room;
};

/**
 * struct trace - a trace that is being written
 */
struct trace {
	/** @file: The file. */
	FILE *file;

	/** @selection: The counters. */
	const struct panthor_perf_selection *selection;

	/** @gpu: Name of the GPU. */
	const char *gpu;

	/** @devices: Numbers of the devices that have tracks. */
	struct message devices;

	/** @packet: The packet. */
	struct message packet;

	/** @body: What is in the packet. */
	struct message body;

	/** @part: What is in the body. */
	struct message part;

	/** @begun: There is a packet in the file. */
	bool begun;

	/** @failed: There was no memory: nothing is written any longer. */
	bool failed;
};

/* ---- Encoding ---- */

static void put(struct trace *trace, struct message *message, const void *data, size_t size)
{
	const size_t room = 2 * (message->size + size);
	uint8_t *larger;

	if (message->size + size > message->room) {
		larger = realloc(message->data, room);
		if (!larger) {
			trace->failed = true;
			return;
		}
		message->data = larger;
		message->room = room;
	}
	if (size)
		memcpy(message->data + message->size, data, size);
	message->size += size;
}

static size_t encode(uint8_t bytes[10], uint64_t value)
{
	size_t size = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[size++] = 0x80 | (value & 0x7f);
	bytes[size++] = value;
	return size;
}

static void put_varint(struct trace *trace, struct message *message, uint64_t value)
{
	uint8_t bytes[10];

	put(trace, message, bytes, encode(bytes, value));
}

static void put_number(struct trace *trace, struct message *message, uint32_t field, uint64_t value)
{
	put_varint(trace, message, field << 3 | VARINT);
	put_varint(trace, message, value);
}

static void put_double(struct trace *trace, struct message *message, uint32_t field, double value)
{
	put_varint(trace, message, field << 3 | FIXED64);
	/* Both are little-endian on the machines of these GPUs. */
	put(trace, message, &value, sizeof(value));
}

static void put_bytes(struct trace *trace, struct message *message, uint32_t field,
		      const void *data, size_t size)
{
	put_varint(trace, message, field << 3 | BYTES);
	put_varint(trace, message, size);
	put(trace, message, data, size);
}

static void put_text(struct trace *trace, struct message *message, uint32_t field, const char *text)
{
	put_bytes(trace, message, field, text, strlen(text));
}

static void put_message(struct trace *trace, struct message *message, uint32_t field,
			struct message *inner)
{
	put_bytes(trace, message, field, inner->data, inner->size);
	inner->size = 0;
}

/* ---- Packets ---- */

/* Writes the packet with the body. */
static void write_packet(struct trace *trace, uint32_t field)
{
	uint8_t head[11];
	size_t size;

	put_number(trace, &trace->packet, 10, SEQUENCE);
	if (!trace->begun)
		put_number(trace, &trace->packet, 13, FLAG_BEGIN);
	put_message(trace, &trace->packet, field, &trace->body);
	trace->begun = true;
	head[0] = 1 << 3 | BYTES;
	size = 1 + encode(head + 1, trace->packet.size);
	if (!trace->failed) {
		fwrite(head, size, 1, trace->file);
		fwrite(trace->packet.data, trace->packet.size, 1, trace->file);
	}
	trace->packet.size = 0;
}

static void set_time(struct trace *trace, uint64_t raw_ns)
{
	put_number(trace, &trace->packet, 8, raw_ns);
	put_number(trace, &trace->packet, 58, CLOCK_OF_TRACE);
}

static void add_clock(struct trace *trace, uint32_t number, clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	put_number(trace, &trace->part, 1, number);
	put_number(trace, &trace->part, 2, now.tv_sec * UINT64_C(1000000000) + now.tv_nsec);
	put_message(trace, &trace->body, 1, &trace->part);
}

static void write_clocks(struct trace *trace)
{
	add_clock(trace, CLOCK_OF_TRACE, CLOCK_MONOTONIC_RAW);
	add_clock(trace, CLOCK_OF_OTHERS, CLOCK_MONOTONIC);
	put_number(trace, &trace->body, 2, CLOCK_OF_TRACE);
	write_packet(trace, 6);
}

/* @parent: the track that it is in; 0: none. */
static void write_track(struct trace *trace, uint64_t uuid, uint64_t parent, const char *name,
			const char *unit)
{
	put_number(trace, &trace->body, 1, uuid);
	put_text(trace, &trace->body, 2, name);
	if (parent)
		put_number(trace, &trace->body, 5, parent);
	if (unit) {
		put_text(trace, &trace->part, 6, unit);
		put_message(trace, &trace->body, 8, &trace->part);
	}
	write_packet(trace, 60);
}

static void begin_event(struct trace *trace, uint64_t raw_ns, enum event_type type, uint64_t track)
{
	set_time(trace, raw_ns);
	put_number(trace, &trace->body, 9, type);
	put_number(trace, &trace->body, 11, track);
}

static void add_number(struct trace *trace, const char *name, uint64_t value)
{
	put_number(trace, &trace->part, 3, value);
	put_text(trace, &trace->part, 10, name);
	put_message(trace, &trace->body, 4, &trace->part);
}

static void add_text(struct trace *trace, const char *name, const char *value)
{
	put_text(trace, &trace->part, 6, value);
	put_text(trace, &trace->part, 10, name);
	put_message(trace, &trace->body, 4, &trace->part);
}

static void write_counter(struct trace *trace, uint64_t raw_ns, uint64_t track, uint64_t count,
			  const double *number)
{
	begin_event(trace, raw_ns, EVENT_COUNTER, track);
	if (number)
		put_double(trace, &trace->body, 44, *number);
	else
		put_number(trace, &trace->body, 30, count);
	write_packet(trace, 11);
}

/* From the begin of the unit to its end: then nothing is known until the next one. */
static void write_value(struct trace *trace, uint64_t track, const struct panthor_perf_item *item,
			int block, const struct row *row, const struct panthor_perf_values *values)
{
	const struct number number = instances_value(values, item, block);
	static const double nothing;

	if (!number.there)
		return;
	write_counter(trace, row->start_ns, track, number.count,
		      number.is_count ? NULL : &number.value);
	write_counter(trace, row->end_ns, track, 0, number.is_count ? NULL : &nothing);
}

static void write_tracks(struct trace *trace, unsigned int device)
{
	const uint64_t parent = DEVICE_TRACK(device);
	const struct panthor_perf_item *item;
	uint64_t track = COUNTER_TRACK(device);
	char name[256];

	snprintf(name, sizeof(name), "%s, device %u", trace->gpu, device);
	write_track(trace, parent, 0, device ? name : trace->gpu, NULL);
	write_track(trace, UNIT_TRACK(device), parent, "units", NULL);
	for (size_t i = 0; (item = panthor_perf_selection_item(trace->selection, i)); i++) {
		const char *unit = item->counter ? item->counter->unit : "";

		write_track(trace, track++, parent, item->name, unit);
		for (int block = 0; block < instances_in_rows(trace->selection, item); block++) {
			snprintf(name, sizeof(name), "%s/%d", item->name, block);
			write_track(trace, track++, parent, name, unit);
		}
	}
}

/* The first row of a device. */
static void add_device(struct trace *trace, unsigned int device)
{
	const unsigned int *devices = (const void *)trace->devices.data;

	for (size_t i = 0; i < trace->devices.size / sizeof(device); i++) {
		if (devices[i] == device)
			return;
	}
	put(trace, &trace->devices, &device, sizeof(device));
	write_tracks(trace, device);
}

/**
 * trace_create() - Begin a trace
 * @file: The file.
 * @selection: The counters. Must outlive the trace.
 * @gpu: Name of the GPU. Must outlive the trace.
 *
 * Return: The trace; %NULL: there is no memory.
 */
struct trace *trace_create(FILE *file, const struct panthor_perf_selection *selection,
			   const char *gpu)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->file = file;
	trace->selection = selection;
	trace->gpu = gpu;
	write_clocks(trace);
	return trace;
}

/** trace_destroy() - End a trace. The file stays open. May be %NULL. */
void trace_destroy(struct trace *trace)
{
	if (!trace)
		return;
	free(trace->devices.data);
	free(trace->packet.data);
	free(trace->body.data);
	free(trace->part.data);
	free(trace);
}

/**
 * trace_row() - Write a unit
 * @trace: The trace.
 * @row: The unit.
 * @quality: Whether the counts are exact.
 * @values: Its values.
 */
void trace_row(struct trace *trace, const struct row *row, const char *quality,
	       const struct panthor_perf_values *values)
{
	const struct panthor_perf_item *item;
	uint64_t track = COUNTER_TRACK(row->device);
	char types[TYPES_SIZE];

	add_device(trace, row->device);
	types_text(row->types, types);
	begin_event(trace, row->start_ns, EVENT_BEGIN, UNIT_TRACK(row->device));
	put_text(trace, &trace->body, 23, row->label);
	add_number(trace, "unit", row->number);
	add_number(trace, "frame", row->frame);
	add_number(trace, "device", row->device);
	add_number(trace, "queue", row->queue);
	add_text(trace, "type", types);
	add_text(trace, "quality", quality);
	write_packet(trace, 11);
	for (size_t i = 0; (item = panthor_perf_selection_item(trace->selection, i)); i++) {
		write_value(trace, track++, item, PANTHOR_PERF_ALL_BLOCKS, row, values);
		for (int block = 0; block < instances_in_rows(trace->selection, item); block++)
			write_value(trace, track++, item, block, row, values);
	}
	begin_event(trace, row->end_ns, EVENT_END, UNIT_TRACK(row->device));
	write_packet(trace, 11);
}
