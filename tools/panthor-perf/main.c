// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "print/output.h"

/**
 * struct command - a sub-command
 */
struct command {
	/** @name: What it is called by. */
	const char *name;

	/** @run: Runs it; returns the exit status. */
	int (*run)(int argc, char **argv);

	/** @summary: What it does, in a few words. */
	const char *summary;

	/** @title: Title of this command and those that follow, %NULL: as before. */
	const char *title;
};

/* Commands that show something first, then recordings, then what is needed rarely. */
static const struct command commands[] = {
	{ "list", cmd_list, "list counters and derived counters by name", "Commands" },
	{ "info", cmd_info, "show the GPU and its counters" },
	{ "stat", cmd_stat, "count events of the whole GPU, for a time or during a command" },
	{ "top", cmd_top, "show what the GPU does, live" },
	{ "record", cmd_record, "write samples to a file, while a command runs or until SIGINT" },
	{ "report", cmd_report, "show what a recording holds: table, CSV or JSON" },
	{ "export", cmd_export, "convert a recording to a web page or to a Perfetto trace" },
	{ "plot", cmd_plot, "draw a recording, with gnuplot" },
	{ "diff", cmd_diff, "compare two recordings, counter by counter" },
	{ "prometheus", cmd_prometheus, "write totals for Prometheus' node exporter" },
	{ "run", cmd_run, "as root, run a command as a user, with the permission to count" },
	{ "selftest", cmd_selftest, "find out on a board what is not documented",
	  "For developers" },
};

#define COMMAND_COUNT	ARRAY_SIZE(commands)

const char *argp_program_version = "panthor-perf " PANTHOR_PERF_VERSION;

static const char doc[] =
	"Performance counters of Arm Mali CSF GPUs under the Linux panthor driver.\v"
	HELP_EXIT "\n\n"
	"`panthor-perf COMMAND --help' and `panthor-perf help COMMAND' explain a command.";

/* Puts the table of sub-commands in front of the text that follows the options. */
static char *help_filter(int key, const char *text, void *input)
{
	size_t size, used, i;
	char *help;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC || !text)
		return (char *)text;

	size = strlen(text) + 16;
	for (i = 0; i < COMMAND_COUNT; i++)
		size += strlen(commands[i].summary) + 64;
	help = malloc(size);
	if (!help)
		return (char *)text;
	for (i = 0, used = 0; i < COMMAND_COUNT; i++) {
		if (commands[i].title)
			used += snprintf(help + used, size - used, "%s%s:\n", i ? "\n" : "",
					 commands[i].title);
		used += snprintf(help + used, size - used, "  %-10s %s\n", commands[i].name,
				 commands[i].summary);
	}
	snprintf(help + used, size - used, "\n%s", text);
	return help;
}

struct choice {
	const struct command *command;
	int argc;
	char **argv;
};

/* The command that begins as a wrong one does, in two letters at least; NULL: there is none. */
static const char *similar_command(const char *name)
{
	const char *similar = NULL;
	size_t longest = 1, size, i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		for (size = 0; name[size] && name[size] == commands[i].name[size]; size++)
			;
		if (size > longest) {
			longest = size;
			similar = commands[i].name;
		}
	}
	return similar;
}

static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct choice *choice = state->input;
	const char *similar;
	size_t i;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!strcmp(arg, "help")) {
			if (state->next < state->argc)
				arg = state->argv[state->next];
			if (!strcmp(arg, "help") || !strcmp(arg, "--help"))
				argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
			/* As COMMAND --help. */
			state->argv[state->next] = "--help";
			state->argv[state->next - 1] = arg;
		}
		for (i = 0; i < COMMAND_COUNT; i++)
			if (!strcmp(arg, commands[i].name))
				choice->command = &commands[i];
		if (!choice->command) {
			similar = similar_command(arg);
			argp_error(state, "unknown command '%s'%s%s%s", arg,
				   similar ? ": is it '" : "", similar ? similar : "",
				   similar ? "'?" : "");
		}
		choice->argc = state->argc - state->next + 1;
		choice->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no command given");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse_main,
	.args_doc = "COMMAND [ARGUMENT...]",
	.doc = doc,
	.help_filter = help_filter,
	.children = help_children,
};

/* Writing fails then, like that to a full disk. A program that is run has its own way again. */
static void on_file_limit(int number)
{
	(void)number;
}

/* What is opened later has no number of a standard stream. Writing to one that is closed fails. */
static void open_streams(void)
{
	int fd;

	do {
		fd = open(fcntl(STDIN_FILENO, F_GETFD) < 0 ? "/dev/null" : "/dev/full", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static bool has_ended;

/* Behind --help and --version, argp ends the program with its own status. */
static void on_exit_by_argp(void)
{
	if (has_ended || output_end(EXIT_OK) == EXIT_OK)
		return;
	fflush(NULL);
	_exit(EXIT_ERROR);
}

int main(int argc, char **argv)
{
	struct choice choice = { 0 };
	char name[64];
	int status;

	open_streams();
	if (signal(SIGXFSZ, on_file_limit) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	argp_err_exit_status = EXIT_USAGE;
	atexit(on_exit_by_argp);
	if (parse_arguments(&argp, argc, argv, ARGP_IN_ORDER, &choice))
		return EXIT_USAGE;

	/* What argp prints as the name of the program in messages and usage lines. */
	snprintf(name, sizeof(name), "panthor-perf %s", choice.command->name);
	choice.argv[0] = name;
	status = choice.command->run(choice.argc, choice.argv);
	has_ended = true;
	return output_end(status);
}
