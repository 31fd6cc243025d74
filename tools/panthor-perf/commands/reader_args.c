// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the command line that report, export, plot and diff have in common. */

#include <errno.h>

#include "print/output.h"
#include "reader_args.h"

static const struct argp_option range_options[] = {
	{ "from", 'f', "POINT", 0, "Begin there: seconds, or a number with s, ms, us or ns, since "
	  "the start of the recording; #N: sample N; @MARK: after a mark, by name or id", 2 },
	{ "to", 't', "POINT", 0, "End there, likewise: up to a time, with sample N, at a mark", 2 },
	{ 0 },
};

static error_t parse_range(int key, char *arg, struct argp_state *state)
{
	struct range_options *options = state->input;

	switch (key) {
	case 'f':
		options->from = arg;
		return 0;
	case 't':
		options->to = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp range_argp = {
	.options = range_options,
	.parser = parse_range,
};

const struct argp_child reader_children[] = {
	{ .argp = &range_argp },
	{ .argp = &reader_argp },
	{ 0 },
};

error_t reader_parse(int key, char *arg, struct argp_state *state, struct reader_args *args)
{
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->range;
		state->child_inputs[1] = &args->common;
		return 0;
	case 'e':
		parse_event(state, &args->events, arg);
		return 0;
	case 'i':
		args->instances = true;
		return 0;
	case READER_CSV:
		if (!args->separator)
			args->separator = ",";
		return 0;
	case 'x':
		args->separator = parse_separator(state, arg);
		return 0;
	case 'j':
		args->json = true;
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= args->file_limit)
			argp_error(state, "unexpected argument '%s'", arg);
		args->files[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->separator && args->json)
			argp_error(state, "give only one of --csv and --json");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int reader_open_output(const struct reader_args *args)
{
	return args->output ? output_redirect(args->output) : EXIT_OK;
}

int reader_columns(const struct reader_args *args, const struct recording_view *view, bool summary,
		   struct column_list *list)
{
	struct range range;
	int status;

	*list = (struct column_list) { 0 };
	status = recording_view_range(view, &args->range, &range);
	if (!status)
		status = columns_init(list, view, args->events.texts, args->events.count, summary,
				      args->instances);
	if (!status)
		status = columns_add_up(list, &range);
	return status;
}
