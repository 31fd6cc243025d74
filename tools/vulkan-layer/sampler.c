// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The timeline is a syncobj of the session's file. Its points are taken one after the other: the
 * next one is signalled either by a submission or by a sample, which waits for the point before.
 *
 * Of a sampler, all functions but sampler_create() and the last ones of its life are called by one
 * thread. Any thread may call a function that says so, and sampler_is_reached() while this thread
 * has nothing to do.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>
#include <xf86drm.h>

#include "frames.h"
#include "layer.h"
#include "pools.h"
#include "report.h"
#include "sampler.h"
#include "semaphores.h"
#include "settings.h"

#define SLOTS		64
/*
 * The driver takes a submission, and the kernel a sample: longer than the kernel needs to reset a
 * GPU.
 */
#ifndef ANSWER_NS
#define ANSWER_NS	INT64_C(10000000000)
#endif
#define READ_MS		100
#define FINISH_MS	5000
#define FINISH_NS	(FINISH_MS * INT64_C(1000000))

/**
 * struct sampler - a session and its timeline
 */
struct sampler {
	/** @device: The node, open. */
	struct panthor_perf_device *device;

	/** @table: What its counters mean. May be %NULL. */
	struct panthor_perf_table *table;

	/** @selection: The counters. */
	struct panthor_perf_selection *selection;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @values: The values of one sample. */
	struct panthor_perf_values *values;

	/** @report: Where rows go. */
	struct report *report;

	/** @syncobj: The timeline. */
	uint32_t syncobj;

	/** @point: Its last point that something signals. */
	uint64_t point;

	/** @started: The session counts. */
	bool started;

	/** @broken: Samples cannot be taken any longer. Any thread may read it. */
	atomic_bool broken;

	/** @units: Units so far. */
	uint64_t units;

	/** @rows: Units whose sample is not there yet. */
	struct row *rows;

	/** @last_row: Where the next one is linked. */
	struct row **last_row;
};

static void free_row(struct row *row)
{
	frame_start_put(row->start);
	free(row);
}

static void account(struct sampler *sampler, const struct panthor_perf_sample *sample)
{
	struct row *row = sampler->rows;

	if (!row || panthor_perf_sample_user_data(sample) != row->number) {
		report_between(sampler->report, sample);
		return;
	}
	sampler->rows = row->next;
	if (!sampler->rows)
		sampler->last_row = &sampler->rows;
	if (row->query.pool) {
		panthor_perf_values_clear(sampler->values);
		panthor_perf_values_add(sampler->values, sample);
		query_complete(&row->query, sampler->values, sample);
	} else {
		report_row(sampler->report, row, sample);
	}
	free_row(row);
}

/**
 * sampler_read() - Report the samples that are there
 * @sampler: The sampler.
 * @timeout_ms: Longest time to wait for the first one.
 */
void sampler_read(struct sampler *sampler, int timeout_ms)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample;

	if (panthor_perf_session_wait(sampler->session, timeout_ms, &error) <= 0)
		return;
	while (panthor_perf_session_read(sampler->session, &sample, &error) == 1)
		account(sampler, sample);
}

/** sampler_device() - The GPU of the counter session. */
struct panthor_perf_device *sampler_device(const struct sampler *sampler)
{
	return sampler->device;
}

/** sampler_node() - The open node of the GPU. */
int sampler_node(const struct sampler *sampler)
{
	return panthor_perf_device_fd(sampler->device);
}

/** sampler_fd() - Becomes readable when there are samples. */
int sampler_fd(const struct sampler *sampler)
{
	return panthor_perf_session_fd(sampler->session);
}

/** sampler_syncobj() - The timeline. */
uint32_t sampler_syncobj(const struct sampler *sampler)
{
	return sampler->syncobj;
}

/** sampler_selection() - The counters. */
const struct panthor_perf_selection *sampler_selection(const struct sampler *sampler)
{
	return sampler->selection;
}

/** sampler_point() - The last point of the timeline; 0: there is none. */
uint64_t sampler_point(const struct sampler *sampler)
{
	return sampler->point;
}

/** sampler_advance() - The driver has a submission that signals the next point. */
void sampler_advance(struct sampler *sampler)
{
	sampler->point++;
}

/** sampler_is_reached() - Has the GPU reached the last point? */
bool sampler_is_reached(const struct sampler *sampler)
{
	return !sampler->point || sampler_has_reached(sampler, sampler->point);
}

/** sampler_has_reached() - Has the GPU reached a point? Any thread may call this. */
bool sampler_has_reached(const struct sampler *sampler, uint64_t point)
{
	uint32_t syncobj = sampler->syncobj;
	uint64_t reached = 0;

	return !drmSyncobjQuery(sampler_node(sampler), &syncobj, &reached, 1) && reached >= point;
}

/** sampler_wait() - Wait until the GPU has reached a point. Any thread may call this. */
bool sampler_wait(const struct sampler *sampler, uint64_t point, int64_t timeout_ns)
{
	uint32_t syncobj = sampler->syncobj;

	return !drmSyncobjTimelineWait(sampler_node(sampler), &syncobj, &point, 1,
				       deadline_ns(timeout_ns), 0, NULL);
}

/** sampler_is_started() - Does the session count? */
bool sampler_is_started(const struct sampler *sampler)
{
	return sampler->started;
}

/** sampler_is_broken() - Can samples not be taken any longer? Any thread may call this. */
bool sampler_is_broken(const struct sampler *sampler)
{
	return sampler->broken;
}

/* Units whose sample does not come. */
static void drop_rows(struct sampler *sampler)
{
	while (sampler->rows) {
		struct row *row = sampler->rows;

		sampler->rows = row->next;
		if (row->query.pool)
			query_fail(&row->query);
		free_row(row);
	}
	sampler->last_row = &sampler->rows;
}

static void give_up(struct sampler *sampler, const char *why)
{
	say("%s; nothing is profiled any longer", why);
	sampler->broken = true;
	/* What waits for it goes on. */
	drmSyncobjTimelineSignal(sampler_node(sampler), &sampler->syncobj, &sampler->point, 1);
	drop_rows(sampler);
}

/**
 * sampler_start() - Start counting, if that is not so yet
 * @sampler: The sampler.
 *
 * Return: Whether it counts. If not, there was a message that says why.
 */
bool sampler_start(struct sampler *sampler)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	if (sampler->started)
		return true;
	if (panthor_perf_session_start(sampler->session, NO_UNIT, &error)) {
		give_up(sampler, error.text);
		return false;
	}
	sampler->started = true;
	return true;
}

/* Until all units have their sample, or none comes any longer. */
static void read_all(struct sampler *sampler)
{
	const struct row *row = NULL;
	int64_t end = 0;

	while (sampler->rows && (sampler->rows != row || deadline_ns(0) < end)) {
		/* The sample before a unit may come alone. */
		if (sampler->rows != row)
			end = deadline_ns(FINISH_NS);
		row = sampler->rows;
		sampler_read(sampler, READ_MS);
	}
	drop_rows(sampler);
}

/** sampler_stop() - Stop counting, so that the GPU may be suspended. All samples are read. */
void sampler_stop(struct sampler *sampler)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	read_all(sampler);
	if (!panthor_perf_session_stop(sampler->session, NO_UNIT, &error))
		sampler_read(sampler, FINISH_MS);
	sampler->started = false;
}

static struct drm_panthor_sync_op wait_for(uint32_t syncobj, uint64_t point)
{
	return (struct drm_panthor_sync_op) {
		.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ |
			 DRM_PANTHOR_SYNC_OP_WAIT,
		.handle = syncobj,
		.timeline_value = point,
	};
}

/* @ops: room for what the sample signals, and for the last point; then @count waits. */
static void order_sample(struct sampler *sampler, uint64_t unit, struct drm_panthor_sync_op *ops,
			 unsigned int count)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const int64_t end = deadline_ns(ANSWER_NS);
	int ret;

	ops[0] = (struct drm_panthor_sync_op) {
		.flags = DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ |
			 DRM_PANTHOR_SYNC_OP_SIGNAL,
		.handle = sampler->syncobj,
		.timeline_value = sampler->point + 1,
	};
	/* Without a last point, the other waits take its place. */
	if (sampler->point)
		ops[1] = wait_for(sampler->syncobj, sampler->point);
	else
		memmove(ops + 1, ops + 2, count * sizeof(*ops));
	count += 1 + !!sampler->point;
	/* The driver may have a thread of its own, which submits later. */
	for (unsigned int i = 1; i < count; i++) {
		if (!syncobj_has_fence(sampler_node(sampler), ops[i].handle,
				       ops[i].timeline_value, ANSWER_NS)) {
			give_up(sampler, "the driver has not submitted a command buffer");
			return;
		}
	}
	for (;;) {
		ret = panthor_perf_session_sample_ordered(sampler->session, unit, ops, count,
							  &error);
		/* As many as there can be are pending. */
		if (ret != -EBUSY || deadline_ns(0) > end)
			break;
		sampler_read(sampler, READ_MS);
	}
	if (ret)
		give_up(sampler, error.text);
	else
		sampler->point++;
}

/**
 * sampler_sample() - Have a sample taken at the last point of the timeline
 * @sampler: The sampler, started.
 * @unit: The unit in front of it; or %NO_UNIT.
 *
 * The sample signals the next point. If it cannot be taken, nothing is profiled any longer, and a
 * message says why.
 */
void sampler_sample(struct sampler *sampler, uint64_t unit)
{
	struct drm_panthor_sync_op ops[2];

	order_sample(sampler, unit, ops, 0);
}

/**
 * sampler_sample_behind() - Have a sample taken at points of other timelines, too
 * @sampler: The sampler, started.
 * @unit: The unit in front of it; or %NO_UNIT.
 * @points: The points.
 * @count: Their number.
 *
 * As sampler_sample().
 */
void sampler_sample_behind(struct sampler *sampler, uint64_t unit,
			   const struct sample_point *points, unsigned int count)
{
	struct drm_panthor_sync_op *ops = calloc(count + 2, sizeof(*ops));

	if (!ops) {
		give_up(sampler, "there is no memory for a sample");
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		ops[2 + i] = wait_for(points[i].syncobj, points[i].point);
	order_sample(sampler, unit, ops, count);
	free(ops);
}

/**
 * sampler_add_unit() - Begin the row of a unit
 * @sampler: The sampler.
 * @unit: What is known of it, but for its number. It is copied, with its labels.
 *
 * Return: Its number, for sampler_sample().
 */
uint64_t sampler_add_unit(struct sampler *sampler, const struct row *unit)
{
	const size_t size = strlen(unit->label) + 1;
	struct row *row = malloc(sizeof(*row) + size);

	sampler->units++;
	if (!row) {
		if (unit->query.pool)
			query_fail(&unit->query);
		return sampler->units;
	}
	*row = *unit;
	row->next = NULL;
	row->start = frame_start_get(unit->start);
	row->number = sampler->units;
	row->label = memcpy(row + 1, unit->label, size);
	*sampler->last_row = row;
	sampler->last_row = &row->next;
	return sampler->units;
}

static int create_session(struct sampler *sampler, struct panthor_perf_error *error)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	const struct panthor_perf_gpu *gpu;
	int ret;

	ret = panthor_perf_device_gpu(sampler->device, &gpu, error);
	if (ret)
		return ret;
	if (!(panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_FEATURES) &
	      DRM_PANTHOR_PERF_SYNCS_SUPPORT)) {
		snprintf(error->text, sizeof(error->text), "the kernel has no ordered samples");
		return -EOPNOTSUPP;
	}
	/* Without a table there are no names, but places. */
	panthor_perf_table_create_for_gpu(panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID),
					  &sampler->table, NULL);
	ret = panthor_perf_selection_create(gpu, sampler->table, DRM_PANTHOR_PERF_SET_PRIMARY,
					    &sampler->selection, error);
	if (!ret)
		ret = panthor_perf_selection_add(sampler->selection, settings_get()->counters,
						 error);
	if (ret)
		return ret;
	config.selection = sampler->selection;
	config.sample_slots = SLOTS;
	config.clock_mode = settings_get()->clock_mode;
	return panthor_perf_session_create(sampler->device, &config, &sampler->session, error);
}

/**
 * sampler_create() - Prepare to count
 * @minor: Number of the GPU's render node.
 * @name: Name of the GPU.
 *
 * Return: The sampler. %NULL if the GPU cannot be counted, with a message that says why.
 */
struct sampler *sampler_create(int64_t minor, const char *name)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	char path[32];

	if (!sampler)
		return NULL;
	sampler->last_row = &sampler->rows;
	snprintf(path, sizeof(path), "/dev/dri/renderD%" PRId64, minor);
	if (panthor_perf_device_open(path, &sampler->device, &error) ||
	    create_session(sampler, &error)) {
		say("%s is not profiled: %s", name, error.text);
		sampler_destroy(sampler);
		return NULL;
	}
	sampler->report = report_create(sampler->selection, name);
	if (!sampler->report ||
	    panthor_perf_values_create(sampler->selection, &sampler->values, NULL) ||
	    drmSyncobjCreate(sampler_node(sampler), 0, &sampler->syncobj)) {
		say("%s is not profiled", name);
		sampler_destroy(sampler);
		return NULL;
	}
	return sampler;
}

static int account_last(const struct panthor_perf_sample *sample, void *arg)
{
	account(arg, sample);
	return 0;
}

/** sampler_finish() - Read the samples that are left, print the summary, and end the sampler. */
void sampler_finish(struct sampler *sampler)
{
	read_all(sampler);
	panthor_perf_session_finish(sampler->session, NO_UNIT, FINISH_MS, account_last, sampler,
				    NULL);
	sampler->session = NULL;
	sampler_destroy(sampler);
}

/** sampler_destroy() - End a sampler. Samples that were not read are dropped. May be %NULL. */
void sampler_destroy(struct sampler *sampler)
{
	if (!sampler)
		return;
	drop_rows(sampler);
	report_destroy(sampler->report);
	panthor_perf_values_destroy(sampler->values);
	panthor_perf_session_destroy(sampler->session);
	panthor_perf_selection_destroy(sampler->selection);
	panthor_perf_table_destroy(sampler->table);
	if (sampler->syncobj)
		drmSyncobjDestroy(sampler_node(sampler), sampler->syncobj);
	panthor_perf_device_close(sampler->device);
	free(sampler);
}
