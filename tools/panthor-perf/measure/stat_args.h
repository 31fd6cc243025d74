/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_STAT_ARGS_H
#define PANTHOR_PERF_STAT_ARGS_H

#include "cmd.h"
#include "print/print.h"
#include "session_args.h"

/**
 * struct stat_args - the command line of panthor-perf stat
 */
struct stat_args {
	/** @session: What it has in common with other commands. */
	struct session_options session;

	/** @all: Show all counters. */
	bool all;

	/** @runs: Number of runs; 0: no means are printed. */
	uint64_t runs;

	/** @manual: Request samples, whatever the driver can do. */
	bool manual;

	/** @print: What is shown, and how. */
	struct print_options print;

	/** @output: File to print to; %NULL: the standard output. */
	const char *output;

	/** @raw: File for the samples as they are, or %NULL. */
	const char *raw;
};

/**
 * stat_parse() - Parse a command line
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 * @args: Where it is returned.
 *
 * Return: %EXIT_OK or %EXIT_USAGE, with a message.
 */
int stat_parse(int argc, char **argv, struct stat_args *args);

#endif /* PANTHOR_PERF_STAT_ARGS_H */
