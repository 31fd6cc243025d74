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
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#define WORKLOADS	4
#define TIMEOUT_MS	10000

/* Counter 6 of the front end: the cycles in which a queue was active. */
#define COUNTER		"cshw:6"

/* Ids are the caller's: the upper half says what the mark is, the lower half of what. */
#define MARK_BEGIN	(UINT64_C(1) << 32)
#define MARK_END	(UINT64_C(2) << 32)

static struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "marks: %s: %s\n", what, error.text);
	exit(1);
}

/* Stands for: submit a command buffer, and wait for its fence. */
static void run_workload(unsigned int n)
{
	usleep(1000 * (n + 1));
}

int main(int argc, char **argv)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_values *values;
	const struct panthor_perf_gpu *gpu;
	unsigned int n;

	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device, &error),
	      "opening the GPU");
	check(panthor_perf_device_gpu(device, &gpu, &error), "asking for counters");
	check(panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					    &error), "selecting counters");
	check(panthor_perf_selection_add(selection, COUNTER, &error), "selecting counters");
	check(panthor_perf_values_create(selection, &values, &error), "selecting counters");
	config.selection = selection;
	check(panthor_perf_session_create(device, &config, &session, &error),
	      "creating a session");
	check(panthor_perf_session_start(session, 0, &error), "starting");
	for (n = 0; n < WORKLOADS; n++) {
		uint64_t cycles = 0;

		/* What lies between the workloads is in this sample, and of no interest. */
		check(panthor_perf_session_mark(session, MARK_BEGIN | n, TIMEOUT_MS, &sample,
						&error), "marking the begin");
		run_workload(n);
		check(panthor_perf_session_mark(session, MARK_END | n, TIMEOUT_MS, &sample,
						&error), "marking the end");
		panthor_perf_values_clear(values);
		panthor_perf_values_add(values, sample);
		panthor_perf_values_raw(values, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
					PANTHOR_PERF_ALL_BLOCKS, 6, &cycles);
		printf("workload %u: id 0x%" PRIx64 ", %" PRIu64 " cycles%s\n", n,
		       panthor_perf_sample_user_data(sample), cycles,
		       panthor_perf_sample_flags(sample) & DRM_PANTHOR_PERF_SAMPLE_ERROR ?
		       ", not exact" : "");
	}
	check(panthor_perf_session_finish(session, 0, TIMEOUT_MS, NULL, NULL, &error), "stopping");
	panthor_perf_values_destroy(values);
	panthor_perf_selection_destroy(selection);
	panthor_perf_device_close(device);
	return 0;
}
