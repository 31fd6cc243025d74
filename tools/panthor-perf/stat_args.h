/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_STAT_ARGS_H
#define PANTHOR_PERF_STAT_ARGS_H

#include "cmd.h"
#include "print.h"
#include "session_args.h"

/** define STAT_MAX_EVENTS - options -e that there may be */
#define STAT_MAX_EVENTS	64

/**
 * struct stat_args - the command line of panthor-perf stat
 */
struct stat_args {
	/** @common: Options that all sub-commands have. */
	struct common_options common;

	/** @events: Arguments of -e. */
	const char *events[STAT_MAX_EVENTS];

	/** @event_count: Their number. */
	unsigned int event_count;

	/** @all: Show all counters. */
	bool all;

	/** @samples: Number of samples, 0 for no limit. */
	uint64_t samples;

	/** @runs: Number of runs; 0: no means are asked for. */
	uint64_t runs;

	/** @has_interval: There is a -I. */
	bool has_interval;

	/** @interval_ns: Time between samples in ns. */
	uint64_t interval_ns;

	/** @manual: Ask for samples, whatever the driver can do. */
	bool manual;

	/** @set: Counter set. */
	uint32_t set;

	/** @print: What is shown, and how. */
	struct print_options print;

	/** @output: File to print to; %NULL: the standard output. */
	const char *output;

	/** @raw: File for the samples as they are, or %NULL. */
	const char *raw;

	/** @slots: Slots of the ring; 0: as many as are right. */
	uint32_t slots;

	/** @session: How the kernel is to deliver samples. */
	struct session_options session;

	/** @command: The command to measure, or %NULL. */
	char **command;
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
