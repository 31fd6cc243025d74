// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A back-end for counters, as libraries and profilers have one for each driver: it opens the GPU,
 * lists the counters with name and unit, and gives their totals since the beginning whenever it is
 * asked, for the GPU and for each of its blocks.
 *
 *	cc backend.c $(pkg-config --cflags --libs libpanthor-perf) -o backend
 *	./backend [DEVICE [QUERIES]]
 *
 * Prints the totals behind the last query, for each block and counter that counted something:
 * BLOCK NUMBER INDEX TOTAL. The totals of derived counters follow.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#define TIMEOUT_MS	10000
#define QUERY_US	20000

/* What the back-end of a GPU consists of. */
struct backend {
	struct panthor_perf_device *device;
	const struct panthor_perf_gpu *gpu;
	struct panthor_perf_table *table;
	struct panthor_perf_selection *selection;
	struct panthor_perf_values *totals;
	struct panthor_perf_session *session;
};

/* Opens the GPU with all of its counters, and the derived ones that it has the counters for. */
static int backend_open(struct backend *backend, const char *name, struct panthor_perf_error *error)
{
	uint64_t gpu_id;
	int ret;

	ret = panthor_perf_device_open(name, &backend->device, error);
	if (ret)
		return ret;
	ret = panthor_perf_device_gpu(backend->device, &backend->gpu, error);
	if (ret)
		return ret;
	gpu_id = panthor_perf_gpu_property(backend->gpu, PANTHOR_PERF_GPU_ID);
	ret = panthor_perf_table_create_for_gpu(gpu_id, &backend->table, error);
	/* Without names there are the counters' places. */
	if (ret && ret != -ENOENT)
		return ret;
	ret = panthor_perf_selection_create(backend->gpu, backend->table,
					    DRM_PANTHOR_PERF_SET_PRIMARY, &backend->selection,
					    error);
	if (!ret && backend->table)
		ret = panthor_perf_selection_add(backend->selection, "*", error);
	if (!ret)
		ret = panthor_perf_selection_add_all(backend->selection, error);
	return ret ? ret : panthor_perf_values_create(backend->selection, &backend->totals, error);
}

static int backend_start(struct backend *backend, struct panthor_perf_error *error)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	int ret;

	config.selection = backend->selection;
	ret = panthor_perf_session_create(backend->device, &config, &backend->session, error);
	return ret ? ret : panthor_perf_session_start(backend->session, 0, error);
}

/* Brings the totals up to date: all that the GPU counted before the call is in them. */
static int backend_query(struct backend *backend, struct panthor_perf_error *error)
{
	const struct panthor_perf_sample *sample;
	int ret = panthor_perf_session_mark(backend->session, 0, TIMEOUT_MS, &sample, error);

	if (!ret)
		panthor_perf_values_add(backend->totals, sample);
	return ret;
}

static int add_sample(const struct panthor_perf_sample *sample, void *totals)
{
	panthor_perf_values_add(totals, sample);
	return 0;
}

static int backend_stop(struct backend *backend, struct panthor_perf_error *error)
{
	int ret = panthor_perf_session_finish(backend->session, 0, TIMEOUT_MS, add_sample,
					      backend->totals, error);

	backend->session = NULL;
	return ret;
}

static void backend_close(struct backend *backend)
{
	panthor_perf_session_destroy(backend->session);
	panthor_perf_values_destroy(backend->totals);
	panthor_perf_selection_destroy(backend->selection);
	panthor_perf_table_destroy(backend->table);
	panthor_perf_device_close(backend->device);
}

static void print_totals(const struct backend *backend)
{
	const struct panthor_perf_item *item;
	double number;
	size_t i;

	for (i = 0; (item = panthor_perf_selection_item(backend->selection, i)); i++) {
		uint32_t block, blocks = panthor_perf_gpu_instance_count(backend->gpu, item->type);
		uint64_t total;

		for (block = 0; block < blocks; block++)
			if (panthor_perf_values_raw(backend->totals, item->type, block, item->index,
						    &total) && total)
				printf("%s %u %u %" PRIu64 "\n",
				       panthor_perf_block_name(item->type), block, item->index,
				       total);
	}
	for (i = 0; (item = panthor_perf_selection_item(backend->selection, i)); i++)
		if (!item->type && panthor_perf_values_number(backend->totals, item->counter,
							      PANTHOR_PERF_ALL_BLOCKS, &number))
			printf("%s %.10g %s\n", item->name, number, item->counter->unit);
	if (panthor_perf_values_flags(backend->totals) &
	    (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
		printf("not exact: events 0x%x\n", panthor_perf_values_events(backend->totals));
}

int main(int argc, char **argv)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	unsigned long query, queries = argc > 2 ? strtoul(argv[2], NULL, 10) : 5;
	struct backend backend = { 0 };
	int ret;

	ret = backend_open(&backend, argc > 1 ? argv[1] : NULL, &error);
	if (!ret)
		ret = backend_start(&backend, &error);
	for (query = 0; query < queries && !ret; query++) {
		usleep(QUERY_US);
		ret = backend_query(&backend, &error);
	}
	if (!ret)
		ret = backend_stop(&backend, &error);
	if (ret)
		fprintf(stderr, "backend: %s\n", error.text);
	else
		print_totals(&backend);
	backend_close(&backend);
	return ret ? 1 : 0;
}
