// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Has the kernel take samples periodically, reads them where they lie in the ring, in a poll loop
 * of the program's own, and tells at the end what there was of merged and late periods.
 *
 *	cc periodic.c $(pkg-config --cflags --libs libpanthor-perf) -o periodic
 *	./periodic [DEVICE]
 */

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>

#define PERIOD_NS	10000000
#define SAMPLES		10
#define TIMEOUT_MS	10000
#define FINAL		1

/* Counter 6 of the front end: the cycles in which a queue was active. */
#define COUNTER		"cshw:6"
#define QUEUE_ACTIVE	6

static struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "periodic: %s: %s\n", what, error.text);
	exit(1);
}

static void print_sample(const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	uint64_t cycles = 0, count;

	/* The ring is read in place: each counter once. */
	while ((block = panthor_perf_sample_next_block(sample, block)))
		if (panthor_perf_block_type(block) == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW &&
		    panthor_perf_block_counter(block, QUEUE_ACTIVE, &count))
			cycles += count;
	printf("sample %" PRIu64 ": %.3f ms, %u merged, %" PRIu64 " cycles\n",
	       panthor_perf_sample_number(sample),
	       (panthor_perf_sample_end_ns(sample) - panthor_perf_sample_start_ns(sample)) / 1e6,
	       panthor_perf_sample_merged(sample), cycles);
}

/* Prints what is in the ring and frees it. Returns whether the final sample was there. */
static int drain(struct panthor_perf_session *session, unsigned int *count)
{
	const struct panthor_perf_sample *sample;
	int final = 0, got;

	while ((got = panthor_perf_session_peek(session, 0, &sample, &error)) == 1) {
		print_sample(sample);
		final = panthor_perf_sample_user_data(sample) == FINAL;
		check(panthor_perf_session_release(session, 1, &error), "releasing a sample");
		++*count;
	}
	check(got, "reading the ring");
	return final;
}

int main(int argc, char **argv)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	struct panthor_perf_selection *selection;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct pollfd pollfd = { .events = POLLIN };
	const struct panthor_perf_gpu *gpu;
	unsigned int count = 0;
	int stopped = 0;

	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device, &error),
	      "opening the GPU");
	check(panthor_perf_device_gpu(device, &gpu, &error), "asking for counters");
	check(panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					    &error), "selecting counters");
	check(panthor_perf_selection_add(selection, COUNTER, &error), "selecting counters");
	config.selection = selection;
	config.sample_period_ns = PERIOD_NS;
	check(panthor_perf_session_create(device, &config, &session, &error),
	      "creating a session");
	panthor_perf_selection_destroy(selection);
	check(panthor_perf_session_start(session, 0, &error), "starting");
	pollfd.fd = panthor_perf_session_fd(session);

	for (;;) {
		if (poll(&pollfd, 1, TIMEOUT_MS) <= 0) {
			fprintf(stderr, "periodic: no sample came\n");
			return 1;
		}
		/* Takes the counts out of the descriptor, and tells of a GPU that went away. */
		check(panthor_perf_session_wait(session, 0, &error), "waiting for samples");
		if (drain(session, &count))
			break;
		if (count >= SAMPLES && !stopped) {
			check(panthor_perf_session_stop(session, FINAL, &error), "stopping");
			stopped = 1;
		}
	}

	panthor_perf_session_quality(session, &quality);
	printf("%" PRIu64 " samples, %" PRIu64 " merged periods, %" PRIu64 " late, %" PRIu64
	       " not exact, %" PRIu64 " missing\n", quality.samples, quality.merged, quality.late,
	       quality.errors + quality.overflows, quality.lost);
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
	return 0;
}
