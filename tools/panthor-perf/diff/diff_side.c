// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diff_side.h"

int side_add(struct side *side, const char *name)
{
	struct run *runs = realloc(side->runs, (side->count + 1) * sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	side->runs = runs;
	runs[side->count++] = (struct run) { .name = name };
	return 0;
}

/* FROM-TO, either of which may be missing. The first '-' is the one between them. */
static int parse_run_range(struct run *run, char *text)
{
	char *dash = strchr(text, '-');

	if (!dash) {
		fail(0, "'%s' is no range: FROM-TO is expected, such as 0.1-0.2, 20ms- or -#9",
		     text);
		return EXIT_USAGE;
	}
	*dash = 0;
	run->range.from = *text ? text : NULL;
	run->range.to = dash[1] ? dash + 1 : NULL;
	return EXIT_OK;
}

/* Divides the name of a run into file and range. */
static int parse_name(struct run *run)
{
	char *at;

	if (!access(run->text, F_OK))
		return EXIT_OK;
	for (at = run->text + strlen(run->text); at > run->text; at--) {
		bool exists;

		if (*at != '@')
			continue;
		*at = 0;
		exists = !access(run->text, F_OK);
		if (exists)
			return parse_run_range(run, at + 1);
		*at = '@';
	}
	/* The message on the missing file has the whole name. */
	return EXIT_OK;
}

static int open_run(struct run *run, const struct reader_args *args)
{
	struct reader_args own = *args;
	int status;

	run->text = strdup(run->name);
	if (!run->text)
		return fail(-ENOMEM, "%s", run->name);
	run->range = args->range;
	status = parse_name(run);
	if (status)
		return status;
	own.range = run->range;
	status = recording_view_open(&run->view, run->text, args->common.counters);
	if (status)
		return status;
	status = reader_columns(&own, &run->view, false, &run->list);
	/* Of two files, one may have the formula that is named. */
	if (status == EXIT_USAGE)
		note_that("-e was looked up in %s", run->text);
	return status;
}

int side_open(struct side *side, const struct reader_args *args)
{
	int status = EXIT_OK;
	unsigned int i;

	for (i = 0; i < side->count && !status; i++)
		status = open_run(&side->runs[i], args);
	return status;
}

const struct column *run_column(const struct run *run, const char *name)
{
	char text[96];
	size_t i;

	for (i = 0; i < run->list.count; i++)
		if (!strcmp(column_name(&run->list, &run->list.columns[i], text, sizeof(text)),
			    name))
			return &run->list.columns[i];
	return NULL;
}

static void observe_total(struct side *side, const struct total *total)
{
	struct column_list *list = &side->runs[0].list;
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct column *column = &list->columns[i];
		struct value value = values_get(&total->values, column->event, column->instance);

		value = column_shown(column, value, total->time_ns);
		if (value.valid)
			observations_add(&side->observations[i], value.number);
	}
}

static int observe_parts(struct side *side)
{
	struct run *run = &side->runs[0];
	const struct range *range = &run->list.range;
	struct progress progress = { .what = "comparing", .total = range->count };
	uint64_t batches = range->count < DIFF_BATCHES ? range->count : DIFF_BATCHES;
	struct recording_sample sample;
	uint64_t i, batch = 0;
	struct total total;
	int ret, status = EXIT_OK;

	ret = total_init(&total, &run->view);
	if (ret)
		return fail(ret, "%s", run->name);
	for (i = 0; i < range->count && !status; i++) {
		status = recording_view_sample(&run->view, range->first + i, range->first, &sample);
		if (status)
			break;
		total_add(&total, sample.sample);
		progress_show(&progress, i);
		if (i + 1 < (batch + 1) * range->count / batches)
			continue;
		observe_total(side, &total);
		total_clear(&total);
		batch++;
	}
	progress_remove();
	total_fini(&total);
	return status;
}

static struct value run_value(const struct run *run, const struct column *column, bool totals)
{
	return totals ? column->total :
			column_shown(column, column->total, run->list.total.time_ns);
}

/* The values of all runs in which a column has one, and their mean. */
static void observe_runs(struct side *side, size_t i, bool totals)
{
	const struct column_list *list = &side->runs[0].list;
	struct observations *observations = &side->observations[i];
	char name[96];
	unsigned int j;

	column_name(list, &list->columns[i], name, sizeof(name));
	for (j = 0; j < side->count; j++) {
		const struct column *column = run_column(&side->runs[j], name);
		struct value value = { 0 };

		if (column)
			value = run_value(&side->runs[j], column, totals);
		if (value.valid)
			observations_add(observations, value.number);
	}
	side->values[i].valid = observations->count;
	side->values[i].number = observations->mean;
}

int side_observe(struct side *side, bool totals)
{
	const struct run *run = &side->runs[0];
	size_t i;

	side->observations = calloc(run->list.count, sizeof(*side->observations));
	side->values = calloc(run->list.count, sizeof(*side->values));
	if (!side->observations || !side->values)
		return fail(-ENOMEM, "%s", run->name);
	for (i = 0; i < run->list.count; i++) {
		if (side->count > 1)
			observe_runs(side, i, totals);
		else
			side->values[i] = run_value(run, &run->list.columns[i], totals);
	}
	return side->count > 1 ? EXIT_OK : observe_parts(side);
}

void side_fini(struct side *side)
{
	unsigned int i;

	for (i = 0; i < side->count; i++) {
		columns_fini(&side->runs[i].list);
		if (side->runs[i].view.recording)
			recording_view_close(&side->runs[i].view);
		free(side->runs[i].text);
	}
	free(side->runs);
	free(side->observations);
	free(side->values);
	*side = (struct side) { 0 };
}
