// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counts what the GPU does while a function runs, and prints a counter and a derived one.
 *
 *	cc minimal.c $(pkg-config --cflags --libs libpanthor-perf) -o minimal
 *	./minimal [DEVICE]
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

#define COUNTERS	"cshw:4,tiler:4"
#define TIMEOUT_MS	10000

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "minimal: %s: %s\n", what, strerror(-ret));
	exit(1);
}

/* What is to be measured: put your own work here, and have it wait for the GPU at its end. */
static void work(void)
{
	usleep(100000);
}

static void print_sample(const struct panthor_perf_table *table,
			 const struct panthor_perf_selection *selection,
			 const struct panthor_perf_sample *sample)
{
	const struct drm_panthor_perf_sample_header *header = &sample->header;
	struct panthor_perf_block block = { 0 };
	unsigned int i;

	printf("%.3f ms\n", (header->timestamp_end_ns - header->timestamp_start_ns) / 1e6);
	if (header->flags & (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		printf("not exact: events 0x%x\n", header->events);

	while (panthor_perf_sample_next_block(sample, &block)) {
		unsigned int type = block.header.type;

		for (i = PANTHOR_PERF_FIRST_COUNTER; i < block.counter_count; i++) {
			const struct panthor_perf_counter *counter = NULL;

			if (!panthor_perf_selection_has(selection, type, i))
				continue;
			if (table)
				counter = panthor_perf_table_counter_at(table, header->counter_set,
									type, i);
			printf("%s %u, counter %u: %" PRIu64 " %s\n", panthor_perf_block_name(type),
			       block.header.idx, i,
			       counter ? panthor_perf_counter_value(counter, block.counters[i]) :
					 block.counters[i],
			       counter ? counter->title : "(raw)");
		}
	}
}

int main(int argc, char **argv)
{
	struct panthor_perf_session_config config = { 0 };
	struct panthor_perf_selection *selection;
	struct panthor_perf_table *table = NULL;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct panthor_perf_sample sample;
	struct panthor_perf_error error;
	struct drm_panthor_perf_info info;
	struct drm_panthor_gpu_info gpu;

	/* The GPU, and what is known about it. A GPU without a table works by BLOCK:INDEX. */
	check(panthor_perf_device_open(argc > 1 ? argv[1] : NULL, &device), "opening the GPU");
	check(panthor_perf_device_gpu_info(device, &gpu), "asking the GPU");
	check(panthor_perf_device_info(device, &info, NULL), "asking for counters");
	panthor_perf_table_for_gpu(gpu.gpu_id, &table);

	/* The counters that are wanted. */
	check(panthor_perf_selection_create(&info, table, DRM_PANTHOR_PERF_SET_PRIMARY, &selection),
	      "selecting counters");
	if (panthor_perf_selection_add(selection, COUNTERS, &error) < 0) {
		fprintf(stderr, "minimal: %s\n", error.message);
		return 1;
	}
	config.sections = panthor_perf_selection_sections(selection, &config.section_count);

	/* What is counted between start and stop is in the sample that stop makes. */
	check(panthor_perf_session_create(device, &config, &session), "creating a session");
	check(panthor_perf_session_start(session, 0), "starting");
	work();
	check(panthor_perf_session_stop(session, 0), "stopping");
	if (panthor_perf_session_wait(session, TIMEOUT_MS) != 1 ||
	    panthor_perf_session_read(session, &sample) != 1) {
		fprintf(stderr, "minimal: no sample came\n");
		return 1;
	}
	print_sample(table, selection, &sample);

	panthor_perf_session_destroy(session);
	panthor_perf_selection_free(selection);
	panthor_perf_table_free(table);
	panthor_perf_device_close(device);
	return 0;
}
