/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORD_ARGS_H
#define PANTHOR_PERF_RECORD_ARGS_H

#include "session_args.h"

/** define RECORD_MAX_EVENTS - options -e that there may be */
#define RECORD_MAX_EVENTS	64

/**
 * struct record_args - the command line of panthor-perf record
 */
struct record_args {
	/** @common: Options that all sub-commands have. */
	struct common_options common;

	/** @session: How the kernel is to deliver samples. */
	struct session_options session;

	/** @output: File to write. */
	const char *output;

	/** @events: Arguments of -e. */
	const char *events[RECORD_MAX_EVENTS];

	/** @event_count: Their number. */
	unsigned int event_count;

	/** @samples: Number of samples, 0 for no limit. */
	uint64_t samples;

	/** @has_period: There is a -I. */
	bool has_period;

	/** @period_ns: Time between samples in ns. */
	uint64_t period_ns;

	/** @set: Counter set. */
	uint32_t set;

	/** @slots: Slots of the ring; 0: as many as are right. */
	uint32_t slots;

	/** @mark: FIFO of marks, or %NULL. */
	const char *mark;

	/** @mark_ack: FIFO of their acknowledgements, or %NULL. */
	const char *mark_ack;

	/** @quiet: Tell neither progress nor the result. */
	bool quiet;

	/** @command: The command to run, or %NULL. */
	char **command;
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
