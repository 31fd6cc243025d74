/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_READER_ARGS_H
#define PANTHOR_PERF_READER_ARGS_H

#include "report/report.h"

/** define READER_MAX_FILES - recordings that a command reads, at most */
#define READER_MAX_FILES	2

/**
 * struct reader_args - what the command lines of report, export, plot and diff have in common
 */
struct reader_args {
	/** @common: Options that all sub-commands have. */
	struct common_options common;

	/** @range: --from and --to. */
	struct range_options range;

	/** @events: -e. */
	struct event_options events;

	/** @instances: --per-instance. */
	bool instances;

	/** @separator: Separator of CSV's fields (--csv, -x); %NULL: no CSV. */
	const char *separator;

	/** @json: --json. */
	bool json;

	/** @output: File for what is printed (-o); %NULL: standard output. */
	const char *output;

	/** @files: The recordings. */
	const char *files[READER_MAX_FILES];

	/** @file_limit: Recordings that the command reads; set before parsing. */
	unsigned int file_limit;
};

/**
 * enum reader_key - keys of the options of readers that have no letter
 */
enum reader_key {
	/** @READER_CSV: --csv */
	READER_CSV = 0x280,
};

/* Children of the parser of each command: --from, --to, --counters, --color and --no-color. */
extern const struct argp_child reader_children[];

/**
 * reader_parse() - Parse what the readers of recordings have in common
 * @key: As for a parser of argp.
 * @arg: As for a parser of argp.
 * @state: As for a parser of argp.
 * @args: Where it is returned.
 *
 * The parser of a command calls this for each key that it does not handle itself. The command has
 * those of the options -e, -i, -j, -o, -x and %READER_CSV that it knows in its own table, because
 * their help differs.
 *
 * Return: 0; ARGP_ERR_UNKNOWN for another key.
 */
error_t reader_parse(int key, char *arg, struct argp_state *state, struct reader_args *args);

/**
 * reader_open_output() - Print to the file of -o from now on
 * @args: The command line.
 *
 * Return: %EXIT_OK, or %EXIT_ERROR with a message.
 */
int reader_open_output(const struct reader_args *args);

/**
 * reader_columns() - Columns for a command line, added up over its range
 * @args: The command line.
 * @view: The recording.
 * @summary: As for recording_view_select().
 * @list: Where they are returned. To be freed by columns_fini(), in case of an error too.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int reader_columns(const struct reader_args *args, const struct recording_view *view, bool summary,
		   struct column_list *list);

#endif /* PANTHOR_PERF_READER_ARGS_H */
