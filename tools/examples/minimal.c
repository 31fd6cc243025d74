// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counts what the GPU does while a function runs, and prints the counters that are wanted.
 *
 *	cc minimal.c $(pkg-config --cflags --libs libpanthor-perf) -o minimal
 *	./minimal [DEVICE [COUNTERS]]
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

/*
 * Cycles in which a queue was active, and those of the tiler. Counter 4 of the front end, "GPU
 * active", of a Mali-G715 also counts while all work is idle.
 */
#define COUNTERS	"cshw:6,tiler:4"
#define TIMEOUT_MS	10000

static struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "minimal: %s: %s\n", what, error.text);
	exit(1);
}

/* What is to be measured: put your own work here, and have it wait for the GPU at its end. */
static void work(void)
{
	usleep(100000);
}

static int add_sample(const struct panthor_perf_sample *sample, void *values)
{
	panthor_perf_values_add(values, sample);
	return 0;
}

static void print_values(const struct panthor_perf_selection *selection,
			 const struct panthor_perf_values *values)
{
	const struct panthor_perf_item *item;
	size_t i;

	printf("%.3f ms\n", panthor_perf_values_time_ns(values) / 1e6);
	if (panthor_perf_values_flags(values) &
	    (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		printf("not exact: events 0x%x\n", panthor_perf_values_events(values));
	for (i = 0; (item = panthor_perf_selection_item(selection, i)); i++) {
		double number;
		uint64_t raw;

		if (item->counter && panthor_perf_values_number(values, item->counter,
								PANTHOR_PERF_ALL_BLOCKS, &number))
			printf("%s: %.10g %s (%s)\n", item->name, number, item->counter->unit,
			       item->counter->title);
		else if (panthor_perf_values_raw(values, item->type, PANTHOR_PERF_ALL_BLOCKS,
						 item->index, &raw))
			printf("%s: %" PRIu64 " (raw)\n", item->name, raw);
		else
			printf("%s: no value\n", item->name);
	}
}

int main(int argc, char **argv)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection;
	struct panthor_perf_table *table = NULL;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_values *values;
	const struct panthor_perf_gpu *gpu;

	/* The GPU, and what is known about it. A GPU without a table works by BLOCK:INDEX. */
	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device, &error),
	      "opening the GPU");
	check(panthor_perf_device_gpu(device, &gpu, &error), "asking for counters");
	panthor_perf_table_create_for_gpu(panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID),
					  &table, NULL);

	/* The counters that are wanted. */
	check(panthor_perf_selection_create(gpu, table, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					    &error), "selecting counters");
	check(panthor_perf_selection_add(selection, argc > 2 ? argv[2] : COUNTERS, &error),
	      "selecting counters");
	check(panthor_perf_values_create(selection, &values, &error), "selecting counters");

	/* What is counted between start and finish is in the sample that finish makes. */
	config.selection = selection;
	check(panthor_perf_session_create(device, &config, &session, &error),
	      "creating a session");
	check(panthor_perf_session_start(session, 0, &error), "starting");
	work();
	check(panthor_perf_session_finish(session, 0, TIMEOUT_MS, add_sample, values, &error),
	      "counting");
	print_values(selection, values);

	panthor_perf_values_destroy(values);
	panthor_perf_selection_destroy(selection);
	panthor_perf_table_destroy(table);
	panthor_perf_device_close(device);
	return 0;
}
