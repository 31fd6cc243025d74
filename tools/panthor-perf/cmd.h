/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_CMD_H
#define PANTHOR_PERF_CMD_H

#include <argp.h>
#include <stdio.h>

#include "counters/events.h"

/** define ARRAY_SIZE - number of elements of an array */
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * enum exit_code - exit statuses of the program
 */
enum exit_code {
	/** @EXIT_OK: Done. */
	EXIT_OK = 0,

	/** @EXIT_ERROR: An operation failed. */
	EXIT_ERROR = 1,

	/**
	 * @EXIT_USAGE: Wrong command line. That includes a request for an ability that the driver
	 * or the GPU does not have.
	 */
	EXIT_USAGE = 2,

	/** @EXIT_NO_COUNTERS: The GPU or its firmware has no usable counters. */
	EXIT_NO_COUNTERS = 3,

	/** @EXIT_NO_DRIVER: The driver has no counter support, or another version of it. */
	EXIT_NO_DRIVER = 4,

	/** @EXIT_NO_DEVICE: There is no such GPU. */
	EXIT_NO_DEVICE = 5,

	/** @EXIT_CANNOT_RUN: The command to measure cannot be run. */
	EXIT_CANNOT_RUN = 126,

	/** @EXIT_NOT_FOUND: The command to measure does not exist. */
	EXIT_NOT_FOUND = 127,

	/** @EXIT_SIGNAL: The command to measure ended by the signal that is added to this. */
	EXIT_SIGNAL = 128,
};

/** define HELP_EXIT - the exit statuses that all sub-commands share, for their help texts */
#define HELP_EXIT \
	"Exit status: 0 done; 1 an operation failed; 2 wrong command line, or the driver or the " \
	"GPU does not have what it requests; 3 the GPU or its firmware has no usable " \
	"performance counters; 4 the kernel's panthor driver has no support for performance " \
	"counters; 5 there is no such GPU."

/* Each sub-command has a file of its own, and a line in the table of main.c. */
int cmd_diff(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_prometheus(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_top(int argc, char **argv);

/**
 * enum color_mode - whether output is coloured
 */
enum color_mode {
	/** @COLOR_AUTO: On a terminal, unless the environment has NO_COLOR. */
	COLOR_AUTO,

	/** @COLOR_ALWAYS: In any case. */
	COLOR_ALWAYS,

	/** @COLOR_NEVER: Never. */
	COLOR_NEVER,
};

/**
 * struct common_options - options that most sub-commands have
 */
struct common_options {
	/** @device: Path of the GPU's node (-d), %NULL for the first GPU. */
	const char *device;

	/** @counters: File or folder of counter tables (--counters), %NULL for those built in. */
	const char *counters;

	/** @color: Whether output is coloured (--color, --no-color). */
	enum color_mode color;
};

/*
 * Parser of -d, --counters, --color and --no-color. A sub-command names it among its children, and
 * sets their input to a &struct common_options at ARGP_KEY_INIT.
 */
extern const struct argp common_argp;

/* That alone, as children of the parser of a sub-command. */
extern const struct argp_child common_children[];

/* The same without -d, for sub-commands that read a recording. */
extern const struct argp reader_argp;

/* The option -h, as a child of parsers that have none of the above. */
extern const struct argp_child help_children[];

/* Parser of --color and --no-color alone, with the same input. */
extern const struct argp color_argp;

/** define MAX_EVENT_OPTIONS - options -e that there may be */
#define MAX_EVENT_OPTIONS	64

/**
 * struct event_options - counters that a user selects with -e
 */
struct event_options {
	/** @texts: Arguments of -e. */
	const char *texts[MAX_EVENT_OPTIONS];

	/** @count: Their number. */
	unsigned int count;
};

/**
 * use_color() - Is output to be coloured?
 * @options: What the user wants.
 * @out: Where it goes.
 *
 * Return: Whether it is.
 */
bool use_color(const struct common_options *options, FILE *out);

/**
 * fail() - Print an error message
 * @err: Negative errno that is printed after the message, or 0 for none.
 * @format: What failed, as printf().
 *
 * Return: %EXIT_ERROR.
 */
int fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * progress_line() - Show progress in a line of the terminal that the standard error is
 * @format: What the line has instead of what it had, as printf(). A message removes it.
 */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * progress_remove() - Remove the line of progress_line(), if there is one
 */
void progress_remove(void);

/**
 * note_that() - Print something that is good to know
 * @format: The text, as printf().
 */
void note_that(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * note_default_file() - Print the name of a file that the user did not choose
 * @path: Path of the file, which was written.
 */
void note_default_file(const char *path);

/**
 * open_device() - Open a GPU, with a message if it cannot be
 * @path: Path of its node, or %NULL for the first.
 * @device: Where the device is returned.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int open_device(const char *path, struct panthor_perf_device **device);

/**
 * gpu_error() - Exit status if a GPU has no counters to use
 * @error: What panthor_perf_device_gpu() said.
 *
 * Return: The exit status of the program.
 */
int gpu_error(const struct panthor_perf_error *error);

/**
 * load_table() - What the counters of a GPU mean, with a message if that cannot be read
 * @path: File or folder of tables, %NULL for those built in.
 * @gpu_id: GPU_ID.
 * @table: Where the table is returned, to be freed; %NULL if no table has this GPU.
 *
 * If a folder has no table for this GPU, the built-in tables are used. A file has to be for it.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int load_table(const char *path, uint64_t gpu_id, struct panthor_perf_table **table);

/**
 * add_formulas() - Add the formulas of -e to a table, with a message if that cannot be
 * @table: The table, which is replaced; %NULL after an error.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int add_formulas(struct panthor_perf_table **table);

/**
 * open_view() - A GPU and what its counters mean, with a message if that cannot be had
 * @options: What the user wants.
 * @device: The GPU.
 * @view: Where they are returned. To be closed by close_view().
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int open_view(const struct common_options *options, const struct panthor_perf_device *device,
	      struct gpu_view *view);

/**
 * close_view() - Free what open_view() has allocated
 * @view: The view.
 */
void close_view(struct gpu_view *view);

/**
 * product_name() - Name of a GPU by its GPU_ID alone
 * @gpu_id: Its GPU_ID.
 *
 * Return: "Mali-G610" and the like, %NULL for an unknown one. Stays until the next call.
 */
const char *product_name(uint64_t gpu_id);

/**
 * gpu_id_digits() - Digits that a GPU_ID is printed with
 * @gpu_id: The id.
 *
 * Return: 8, or 16 for one of 64 bits.
 */
int gpu_id_digits(uint64_t gpu_id);

/**
 * gpu_name() - Name of a GPU
 * @view: The GPU.
 * @text: Where it is written if it has to be made.
 * @size: Bytes at @text.
 *
 * Return: "Mali-G610" and the like; "GPU 0x..." for one that is in no table; "GPU of unknown id".
 */
const char *gpu_name(const struct gpu_view *view, char *text, size_t size);

/**
 * has_suffix() - Does the name of a file end so?
 * @path: The name.
 * @suffix: The end, with its dot.
 *
 * Return: Whether it does, and is more than that.
 */
bool has_suffix(const char *path, const char *suffix);

/**
 * parse_interval() - Milliseconds with decimals, exactly
 * @state: State of the parser, for a message if @arg is wrong.
 * @arg: The text.
 *
 * Return: Nanoseconds.
 */
uint64_t parse_interval(struct argp_state *state, const char *arg);

/**
 * parse_arguments() - Parse a command line
 * @argp: The parser.
 * @argc: Number of arguments.
 * @argv: The arguments.
 * @flags: As for argp_parse().
 * @input: What the parser fills in.
 *
 * Messages show arguments as they were given: they do not control a terminal.
 *
 * Return: As argp_parse().
 */
error_t parse_arguments(const struct argp *argp, int argc, char **argv, unsigned int flags,
			void *input);

/**
 * parse_number() - A number within limits
 * @state: State of the parser, for a message if @arg is wrong.
 * @what: What it is, for the message.
 * @arg: The text.
 * @min: Smallest one.
 * @max: Largest one.
 *
 * Return: The number.
 */
uint64_t parse_number(struct argp_state *state, const char *what, const char *arg, uint64_t min,
		      uint64_t max);

/**
 * parse_separator() - What stands between the fields of CSV
 * @state: State of the parser, for a message if @arg is wrong.
 * @arg: The text.
 *
 * Return: @arg.
 */
const char *parse_separator(struct argp_state *state, const char *arg);

/**
 * parse_event() - One more -e
 * @state: State of the parser, for a message if there are too many.
 * @options: Where it is added.
 * @arg: Its argument.
 */
void parse_event(struct argp_state *state, struct event_options *options, const char *arg);

/**
 * add_events() - Add the counters that a user selects with -e to a list, with a message on failure
 * @list: The list.
 * @options: The options of the user.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int add_events(struct event_list *list, const struct event_options *options);

/**
 * sections_of() - The sections of a selection
 * @selection: The selection.
 * @count: Where their number is returned.
 *
 * Return: The sections, to be freed; %NULL if there is no memory.
 */
struct drm_panthor_perf_section *sections_of(const struct panthor_perf_selection *selection,
					     size_t *count);

/**
 * define JSON_SCHEMA - version of the JSON that the commands print
 *
 * It increases when a member gets another meaning or goes. New members do not change it.
 */
#define JSON_SCHEMA	1

/**
 * block_title() - Block type in words
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: The words; "unknown" for an unknown one.
 */
const char *block_title(unsigned int type);

#endif /* PANTHOR_PERF_CMD_H */
