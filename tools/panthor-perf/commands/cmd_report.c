// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <limits.h>
#include <unistd.h>

#include "print/lines.h"
#include "reader_args.h"

static const char doc[] =
	"Show the contents of a recording of `panthor-perf record'.\vWithout --by-sample and "
	"--by-mark there is a line for each counter: the total over all samples of the range, the mean per "
	"second, and the smallest and largest value of a sample. The total of a derived counter is "
	"its formula over the totals, not a mean of values. Only amounts, such as cycles and bytes, "
	"have a mean per second. The value of a counter is the sum over "
	"all blocks of its type. With --per-instance each block has a line as well.\n\n"
	"FILE may also be a raw sample file of `panthor-perf stat --raw'. If a recording is "
	"incomplete, because the disk was full or the program was killed, the program reads it up "
	"to its last complete record.\n\n"
	"On a terminal, a pager shows the tables: $PAGER, less or more.\n\n"
	"Exit status: 0 done; 1 the recording cannot be read; 2 wrong command line, or the recording does not "
	"have what was selected.";

enum {
	OPTION_ZEROS = 0x200,
};

static const struct argp_option options[] = {
	{ "event", 'e', "EVENTS", 0, "Counters to show: NAME,... or BLOCK:INDEX,... (default: all "
	  "that were recorded, and the derived counters that have what they need; with --by-sample "
	  "and --by-mark, the most important derived counters)", 0 },
	{ "per-instance", 'i', NULL, 0, "Show the blocks one by one, too", 0 },
	{ "by-sample", 's', NULL, 0, "Show each sample in a row", 0 },
	{ "by-mark", 'm', NULL, 0, "Show each sample of a mark in a row", 0 },
	{ "zeros", OPTION_ZEROS, NULL, 0, "Show counters that are 0, too", 0 },
	{ "wide", 'w', NULL, 0, "Show the title of each counter behind its unit; without this "
	  "option, titles are shown where the terminal has room for them", 0 },
	{ "csv", READER_CSV, NULL, 0, "Print comma-separated values", 1 },
	{ "separator", 'x', "SEP", 0, "As --csv, with SEP between the fields", 1 },
	{ "json", 'j', NULL, 0, "Print JSON", 1 },
	{ "output", 'o', "FILE", 0, "Print to FILE instead of the standard output", 1 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	struct report_options show;
};

static error_t parse_report(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 's':
		args->show.samples = true;
		return 0;
	case 'm':
		args->show.marks = true;
		return 0;
	case 'w':
		args->show.line = INT_MAX;
		return 0;
	case OPTION_ZEROS:
		args->show.zeros = true;
		return 0;
	case ARGP_KEY_END:
		if (args->show.samples && args->show.marks)
			argp_error(state, "give only one of --by-sample and --by-mark");
		return reader_parse(key, arg, state, &args->reader);
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_report,
	.args_doc = "[FILE]",
	.doc = doc,
	.children = reader_children,
};

/* Without this note, a list without rows looks like an error. */
static void note_no_marks(const struct recording_view *view, const struct column_list *list)
{
	const struct range *range = &list->range;
	struct recording_mark mark;
	uint64_t i;

	for (i = 0; recording_mark(view->recording, i, &mark); i++)
		if (mark.sample >= range->first && mark.sample < range->first + range->count)
			return;
	note_that("no sample of %s%s has a mark", view->path, i ? " in this range" : "");
}

static int report(const struct recording_view *view, struct arguments *args)
{
	/* Rows for people have room for the summary alone. */
	bool summary = (args->show.samples || args->show.marks) && !args->reader.separator &&
		       !args->reader.json;
	struct column_list list;
	int status;

	status = reader_columns(&args->reader, view, summary, &list);
	if (!status && args->show.marks)
		note_no_marks(view, &list);
	if (!status && args->reader.separator)
		status = report_csv(&list, &args->show);
	else if (!status && args->reader.json)
		status = report_json(&list, &args->show);
	else if (!status)
		status = report_table(&list, &args->show);
	columns_fini(&list);
	return status;
}

/**
 * cmd_report() - The sub-command report
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_report(int argc, char **argv)
{
	struct recording_view view;
	struct arguments args = { .reader.file_limit = 1 };
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &args))
		return EXIT_USAGE;
	status = recording_view_open(&view, args.reader.files[0], args.reader.common.counters);
	if (status)
		return status;
	status = reader_open_output(&args.reader);
	args.show.color = use_color(&args.reader.common, stdout);
	if (!args.show.line)
		args.show.line = line_columns(stdout);
	args.show.terminal = isatty(STDOUT_FILENO);
	args.show.separator = args.reader.separator;
	if (!status)
		status = report(&view, &args);
	recording_view_close(&view);
	return status;
}
