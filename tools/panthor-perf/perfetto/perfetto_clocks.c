// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#ifdef HAVE_PROTOBUF_C

#include <errno.h>

#include "perfetto_clocks.h"

#define ClockSnapshot	Perfetto__Protos__ClockSnapshot
#define ID(name)	PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_##name
#define MAX_CLOCKS	4

/**
 * struct snapshot - a message of clocks, with what it points to
 */
struct snapshot {
	/** @message: The message. */
	ClockSnapshot message;

	/** @clocks: The clocks. */
	struct Perfetto__Protos__ClockSnapshot__Clock clocks[MAX_CLOCKS];

	/** @pointers: They. */
	struct Perfetto__Protos__ClockSnapshot__Clock *pointers[MAX_CLOCKS];
};

static void add_clock(struct snapshot *snapshot, unsigned int id, uint64_t ns)
{
	struct Perfetto__Protos__ClockSnapshot__Clock *clock =
		&snapshot->clocks[snapshot->message.n_clocks];

	perfetto__protos__clock_snapshot__clock__init(clock);
	clock->has_clock_id = true;
	clock->clock_id = id;
	clock->has_timestamp = true;
	clock->timestamp = ns;
	snapshot->pointers[snapshot->message.n_clocks++] = clock;
}

static int write_snapshot(struct trace_out *out, const struct clock_snapshot *clocks)
{
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	struct snapshot snapshot = { .message = PERFETTO__PROTOS__CLOCK_SNAPSHOT__INIT };

	add_clock(&snapshot, ID(MONOTONIC_RAW), clocks->raw_ns);
	add_clock(&snapshot, ID(MONOTONIC), clocks->monotonic_ns);
	if (clocks->has_others) {
		add_clock(&snapshot, ID(BOOTTIME), clocks->boottime_ns);
		add_clock(&snapshot, ID(REALTIME), clocks->realtime_ns);
	}
	snapshot.message.clocks = snapshot.pointers;
	snapshot.message.has_primary_trace_clock = true;
	snapshot.message.primary_trace_clock = ID(MONOTONIC_RAW);
	trace_time(&packet, clocks->raw_ns);
	packet.data_case = PACKET(CLOCK_SNAPSHOT);
	packet.clock_snapshot = &snapshot.message;
	return trace_packet(out, &packet);
}

int trace_clocks(struct trace_out *out, const struct recording *recording)
{
	struct clock_reader reader = { .recording = recording };
	struct clock_snapshot snapshot;
	int ret = 0;

	while (!ret && clock_reader_next(&reader, &snapshot))
		ret = write_snapshot(out, &snapshot);
	return ret;
}

void boot_clock_init(struct boot_clock *clock, const struct recording *recording)
{
	*clock = (struct boot_clock) { .reader = { .recording = recording } };
	clock->has_next = clock_reader_next(&clock->reader, &clock->next);
}

bool boot_clock_at(struct boot_clock *clock, uint64_t raw_ns, uint64_t *boot_ns)
{
	while (clock->has_next && (clock->next.raw_ns <= raw_ns || !clock->known)) {
		if (clock->next.has_others) {
			clock->offset_ns = clock->next.boottime_ns - clock->next.raw_ns;
			clock->known = true;
		}
		clock->has_next = clock_reader_next(&clock->reader, &clock->next);
	}
	*boot_ns = raw_ns + clock->offset_ns;
	return clock->known;
}

#endif /* HAVE_PROTOBUF_C */
