// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <string.h>

#include "perfetto/perfetto.h"
#include "reader_args.h"
#include "report/html.h"

#define DEFAULT_TRACE	"panthor-perf.perfetto-trace"
#define DEFAULT_PAGE	"panthor-perf.html"

static const char doc[] =
	"Convert a recording for other programs.\v--perfetto writes a trace for "
	"https://ui.perfetto.dev and trace_processor. The GPU counters of the trace are the sums "
	"over all blocks of a type, and derived counters. Below the GPU's name there is a track "
	"for each block with the counters of this block; --no-instances omits these tracks. The "
	"trace omits counters that are 0 in all samples, unless -e selects them. Samples with the "
	"flags ERROR, OVERFLOW or STRETCHED, or with events, are slices on a separate track. Marks "
	"are slices on another track. Times are those of the samples, on CLOCK_MONOTONIC_RAW.\n\n"
	"--html writes one HTML file with interactive charts for web browsers. The file contains "
	"all that it needs; it uses no network. It shows amounts per second, shares and ratios as "
	"they are, and marks samples with the flags ERROR, OVERFLOW and STRETCHED. It contains the "
	"same counters as a trace; --per-instance adds the values of the blocks.\n\n"
	"Exit status: 0 done; 1 the recording cannot be read, or the file cannot be written; 2 "
	"wrong command line, or the recording does not have what was selected.";

enum {
	OPTION_PERFETTO = 0x200,
	OPTION_NO_INSTANCES,
	OPTION_HTML,
};

static const struct argp_option options[] = {
	{ "perfetto", OPTION_PERFETTO, NULL, 0, "Write a Perfetto trace", 0 },
	{ "html", OPTION_HTML, NULL, 0, "Write an HTML page with interactive charts", 0 },
	{ "output", 'o', "OUT", 0, "File to write (default: " DEFAULT_TRACE ", " DEFAULT_PAGE "); "
	  "its suffix .html, .perfetto-trace or .pftrace is the format if no option is", 0 },
	{ "event", 'e', "EVENTS", 0, "Counters to export (default: all that were recorded, and "
	  "the derived counters that have what they need)", 0 },
	{ "per-instance", 'i', NULL, 0, "HTML: include the values of each block", 0 },
	{ "no-instances", OPTION_NO_INSTANCES, NULL, 0, "Perfetto: leave out the tracks of "
	  "blocks; the trace is then several times smaller", 0 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	const char *output;
	bool perfetto;
	bool html;
	bool no_instances;
};

/* The name of the file says what it is, if no option does. */
static void choose_format(struct arguments *args)
{
	if (!args->output)
		return;
	args->html = has_suffix(args->output, ".html");
	args->perfetto = has_suffix(args->output, ".perfetto-trace") ||
			 has_suffix(args->output, ".pftrace");
}

static error_t parse_export(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'o':
		args->output = arg;
		return 0;
	case OPTION_PERFETTO:
		args->perfetto = true;
		return 0;
	case OPTION_HTML:
		args->html = true;
		return 0;
	case OPTION_NO_INSTANCES:
		args->no_instances = true;
		return 0;
	case ARGP_KEY_END:
		if (!args->perfetto && !args->html)
			choose_format(args);
		if (!args->perfetto && !args->html)
			argp_error(state, "give the format: --perfetto or --html, or -o with a "
				   "suffix of theirs: .html, .perfetto-trace or .pftrace");
		if (args->perfetto && args->html)
			argp_error(state, "give only one of --perfetto and --html");
		if (args->html && args->no_instances)
			argp_error(state, "a page has values of blocks with -i only: omit "
				   "--no-instances");
		if (args->perfetto && args->reader.instances)
			argp_error(state, "a trace has the values of blocks: omit -i, or use "
				   "--no-instances to leave them out");
		if (args->perfetto)
			args->reader.instances = !args->no_instances;
		return 0;
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_export,
	.args_doc = "[FILE]",
	.doc = doc,
	.children = reader_children,
};

/*
 * Leaves out what is 0, or has no value, in all samples. A page has all instances of a counter that
 * it has, or none: they have no numbers of their own there.
 */
static void drop_zeros(struct column_list *list, bool html)
{
	bool keep = false;
	size_t i, kept = 0;

	for (i = 0; i < list->count; i++) {
		if (!html || list->columns[i].instance == VALUE_SUM)
			keep = list->columns[i].event->named || !column_is_zero(&list->columns[i]);
		if (keep)
			list->columns[kept++] = list->columns[i];
	}
	list->count = kept;
}

static int export(const struct recording_view *view, const struct arguments *args)
{
	const char *output = args->output;
	struct column_list list;
	int status;

	status = reader_columns(&args->reader, view, false, &list);
	if (!status) {
		drop_zeros(&list, args->html);
		if (!output)
			output = args->html ? DEFAULT_PAGE : DEFAULT_TRACE;
		status = args->html ? html_export(&list, output) :
				      perfetto_export(&list, &list.range, output);
	}
	if (!status && !args->output)
		note_default_file(output);
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
		.reader = { .file_limit = 1 },
	};
	struct recording_view view;
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &args))
		return EXIT_USAGE;
	status = recording_view_open(&view, args.reader.files[0], args.reader.common.counters);
	if (status)
		return status;
	status = export(&view, &args);
	recording_view_close(&view);
	return status;
}
