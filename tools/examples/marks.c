// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counts each of several workloads by itself, as a layer does that runs them one after the other:
 * a mark before a workload is given to the GPU, and one when the GPU has finished it. The id of the
 * mark says which workload the sample is of.
 *
 *	cc marks.c $(pkg-config --cflags --libs libpanthor-perf) -o marks
 *	./marks [DEVICE]
 *
 * A mark encloses the workload only if nothing of it is still running: wait for its fence before
 * the second mark. What other programs do on the GPU meanwhile is counted too.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <panthor_perf.h>

#define WORKLOADS	4
#define TIMEOUT_MS	10000

/* Ids are the caller's: the upper half says what the mark is, the lower half of what. */
#define MARK_BEGIN	(UINT64_C(1) << 32)
#define MARK_END	(UINT64_C(2) << 32)

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "marks: %s: %s\n", what, strerror(-ret));
	exit(1);
}

/* Stands for: submit a command buffer, and wait for its fence. */
static void run_workload(unsigned int n)
{
	usleep(1000 * (n + 1));
}

static uint64_t sum_of(const struct panthor_perf_sample *sample)
{
	struct panthor_perf_block block = { 0 };
	uint64_t sum = 0;
	uint32_t i;

	while (panthor_perf_sample_next_block(sample, &block))
		for (i = 0; i < block.counter_count; i++)
			sum += block.counters[i];
	return sum;
}

int main(int argc, char **argv)
{
	/* Counter 4 of the front end: the cycles in which the GPU was active. */
	static const struct drm_panthor_perf_section section = {
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
		.mask = 1 << 4,
	};
	const struct panthor_perf_session_config config = {
		.sections = &section,
		.section_count = 1,
	};
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_sample sample;
	unsigned int n;

	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device), "opening the GPU");
	check(panthor_perf_session_create(device, &config, &session), "creating a session");
	check(panthor_perf_session_start(session, 0), "starting");
	for (n = 0; n < WORKLOADS; n++) {
		/* What lies between the workloads is in this sample, and of no interest. */
		check(panthor_perf_session_mark(session, MARK_BEGIN | n, TIMEOUT_MS, &sample),
		      "marking the begin");
		run_workload(n);
		check(panthor_perf_session_mark(session, MARK_END | n, TIMEOUT_MS, &sample),
		      "marking the end");
		printf("workload %u: id 0x%" PRIx64 ", %" PRIu64 " cycles%s\n", n,
		       (uint64_t)sample.header.user_data, sum_of(&sample),
		       sample.header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR ? ", not exact" : "");
	}
	check(panthor_perf_session_stop(session, 0), "stopping");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
	return 0;
}
