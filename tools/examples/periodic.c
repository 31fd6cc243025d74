// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Has the kernel take samples periodically, reads them where they lie in the ring, in a poll loop
 * of the program's own, and tells at the end what there was of merged and late periods.
 *
 *	cc periodic.c $(pkg-config --cflags --libs libpanthor-perf) -o periodic
 *	./periodic [DEVICE]
 */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf.h>

#define PERIOD_NS	10000000
#define SAMPLES		10
#define TIMEOUT_MS	10000
#define FINAL		1

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "periodic: %s: %s\n", what, strerror(-ret));
	exit(1);
}

static void print_sample(const struct panthor_perf_sample *sample)
{
	const struct drm_panthor_perf_sample_header *header = &sample->header;
	struct panthor_perf_block block = { 0 };
	uint64_t cycles = 0;

	/* The ring is read in place: each counter once. */
	while (panthor_perf_sample_next_block(sample, &block))
		if (block.header.type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			cycles += block.counters[4];
	printf("sample %" PRIu64 ": %.3f ms, %u merged, %" PRIu64 " cycles\n",
	       (uint64_t)header->sample_nr,
	       (header->timestamp_end_ns - header->timestamp_start_ns) / 1e6, header->merged,
	       cycles);
}

/* Prints what is in the ring and frees it. Returns whether the final sample was there. */
static int drain(struct panthor_perf_session *session, unsigned int *count)
{
	struct panthor_perf_sample sample;
	int final = 0;

	while (panthor_perf_session_peek(session, 0, &sample) == 1) {
		print_sample(&sample);
		final = sample.header.user_data == FINAL;
		check(panthor_perf_session_release(session, 1), "releasing a sample");
		++*count;
	}
	return final;
}

int main(int argc, char **argv)
{
	static const struct drm_panthor_perf_section section = {
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
		.mask = 1 << 4,
	};
	const struct panthor_perf_session_config config = {
		.sections = &section,
		.section_count = 1,
		.sample_period_ns = PERIOD_NS,
	};
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_ledger ledger;
	struct pollfd pollfd = { .events = POLLIN };
	unsigned int count = 0;
	int stopped = 0;

	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device), "opening the GPU");
	check(panthor_perf_session_create(device, &config, &session), "creating a session");
	check(panthor_perf_session_start(session, 0), "starting");
	pollfd.fd = panthor_perf_session_fd(session);

	for (;;) {
		if (poll(&pollfd, 1, TIMEOUT_MS) <= 0)
			check(-ETIMEDOUT, "waiting for samples");
		/* Takes the counts out of the descriptor, and tells of a GPU that went away. */
		check(panthor_perf_session_wait(session, 0), "waiting for samples");
		if (drain(session, &count))
			break;
		if (count >= SAMPLES && !stopped) {
			check(panthor_perf_session_stop(session, FINAL), "stopping");
			stopped = 1;
		}
	}

	panthor_perf_session_ledger(session, &ledger);
	printf("%" PRIu64 " samples, %" PRIu64 " merged periods, %" PRIu64 " late, %" PRIu64
	       " not exact, %" PRIu64 " missing\n", ledger.samples, ledger.merged, ledger.late,
	       ledger.errors + ledger.overflows, ledger.lost);
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
	return 0;
}
