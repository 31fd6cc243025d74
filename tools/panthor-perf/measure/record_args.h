/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORD_ARGS_H
#define PANTHOR_PERF_RECORD_ARGS_H

#include "session_args.h"

/**
 * struct record_args - the command line of panthor-perf record
 */
struct record_args {
	/** @session: What it has in common with other commands. */
	struct session_options session;

	/** @output: File to write. */
	const char *output;

	/** @mark: FIFO of marks, or %NULL. */
	const char *mark;

	/** @mark_ack: FIFO of their acknowledgments, or %NULL. */
	const char *mark_ack;

	/** @level: Level of compression, 0 for none. */
	int level;

	/** @quiet: Print neither progress nor result. */
	bool quiet;
};

/**
 * record_parse() - Parse a command line
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 * @args: Where it is returned.
 *
 * Return: %EXIT_OK or %EXIT_USAGE, with a message.
 */
int record_parse(int argc, char **argv, struct record_args *args);

#endif /* PANTHOR_PERF_RECORD_ARGS_H */
