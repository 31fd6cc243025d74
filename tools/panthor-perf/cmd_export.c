// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <string.h>

#include "perfetto.h"
#include "reader_args.h"

#define DEFAULT_TRACE	"panthor-perf.perfetto-trace"

static const char doc[] =
	"Convert a recording for other programs.\v--perfetto writes a trace for "
	"https://ui.perfetto.dev and trace_processor. The GPU counters of the trace are the sums "
	"over all blocks of a type, and derived counters. Below the GPU's name there is a track "
	"for each block with the counters of this block; --no-instances omits these tracks. The "
	"trace omits counters that are 0 in all samples, unless -e selects them. Samples with the "
	"flags ERROR, OVERFLOW or STRETCHED, or with events, are slices on a separate track. Marks "
	"are slices on another track. Times are those of the samples, on CLOCK_MONOTONIC_RAW.\n\n"
	"Exit status: 0 done; 1 the recording cannot be read, or the trace cannot be written; 2 "
	"wrong command line.";

enum {
	OPTION_PERFETTO = 0x200,
	OPTION_NO_INSTANCES,
};

static const struct argp_option options[] = {
	{ "perfetto", OPTION_PERFETTO, NULL, 0, "Write a Perfetto trace", 0 },
	{ "output", 'o', "TRACE", 0, "File to write (default: " DEFAULT_TRACE ")", 0 },
	{ "event", 'e', "EVENTS", 0, "Counters to export (default: all that were recorded, and "
	  "the derived counters that have what they need)", 0 },
	{ "no-instances", OPTION_NO_INSTANCES, NULL, 0, "Without tracks for blocks: the trace is "
	  "several times smaller", 0 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	const char *output;
	bool perfetto;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'o':
		args->output = arg;
		return 0;
	case OPTION_PERFETTO:
		args->perfetto = true;
		return 0;
	case OPTION_NO_INSTANCES:
		args->reader.instances = false;
		return 0;
	case ARGP_KEY_END:
		if (!args->perfetto)
			argp_error(state, "give the format: --perfetto");
		return 0;
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[FILE]",
	.doc = doc,
	.children = reader_children,
};

/* Leaves out what is 0, or has no value, in all samples. */
static void drop_zeros(struct column_list *list)
{
	size_t i, kept = 0;

	for (i = 0; i < list->count; i++)
		if (list->columns[i].event->named || !column_is_zero(&list->columns[i]))
			list->columns[kept++] = list->columns[i];
	list->count = kept;
}

static int export(const struct recording_view *view, const struct arguments *args)
{
	struct column_list list;
	int status;

	status = reader_columns(&args->reader, view, false, &list);
	if (!status) {
		drop_zeros(&list);
		status = perfetto_export(&list, &list.range, args->output);
	}
	columns_fini(&list);
	return status;
}

/**
 * cmd_export() - The sub-command export
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_export(int argc, char **argv)
{
	struct arguments args = {
		.reader = { .file_limit = 1, .instances = true },
		.output = DEFAULT_TRACE,
	};
	struct recording_view view;
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &args))
		return EXIT_USAGE;
	status = recording_view_open(&view, args.reader.files[0], args.reader.common.counters);
	if (status)
		return status;
	status = export(&view, &args);
	recording_view_close(&view);
	return status;
}
