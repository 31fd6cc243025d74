/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_SESSION_ARGS_H
#define PANTHOR_PERF_SESSION_ARGS_H

#include "child.h"
#include "cmd.h"

/** define HELP_EXIT_COMMAND - exit statuses of sub-commands that run a command, for their help */
#define HELP_EXIT_COMMAND \
	HELP_EXIT " With COMMAND and nothing of that: the exit status of COMMAND, 128 + N if " \
	"signal N ended it, 126 if it cannot be run and 127 if it does not exist."

/**
 * struct session_options - what the command lines of commands that take samples have in common
 */
struct session_options {
	/** @common: Options that all sub-commands have. */
	struct common_options common;

	/** @events: -e. */
	struct event_options events;

	/** @samples: Number of samples (-n), 0 for no limit. */
	uint64_t samples;

	/** @has_interval: There is a -I. */
	bool has_interval;

	/** @interval_ns: Time between samples in ns (-I). */
	uint64_t interval_ns;

	/** @delay_ns: Time before the first sample in ns (--delay). */
	uint64_t delay_ns;

	/** @duration_ns: Time that is measured in ns (--duration), 0 for no limit. */
	uint64_t duration_ns;

	/** @set: Counter set (--set). */
	uint32_t set;

	/** @clock_mode: Of &enum drm_panthor_perf_clock_mode (--clocks). */
	uint32_t clock_mode;

	/** @slots: Slots of the ring (--slots); 0: as many as are right. */
	uint32_t slots;

	/** @command: The command to run, or %NULL. */
	char **command;

	/** @flags: Of &enum drm_panthor_perf_setup_flags. */
	uint32_t flags;

	/** @wakeup_samples: Samples that wake this program (--wakeup); 0: those of a full ring. */
	uint32_t wakeup_samples;

	/** @wakeup_ns: Longest time that this program waits for them, in ns; 0: any. */
	uint64_t wakeup_ns;
};

/**
 * enum session_key - keys of the options of these commands that have no letter
 */
enum session_key {
	/** @SESSION_SET: --set */
	SESSION_SET = 0x480,

	/** @SESSION_SLOTS: --slots */
	SESSION_SLOTS,

	/** @SESSION_CLOCKS: --clocks, with a mode or without */
	SESSION_CLOCKS,
};

/*
 * Children of the parser of such a command: --duration, --delay, --wakeup, --compact and
 * --allow-suspend, and the options that all sub-commands have.
 */
extern const struct argp_child session_children[];

/**
 * session_parse() - Parse what commands that take samples have in common
 * @key: As for a parser of argp.
 * @arg: As for a parser of argp.
 * @state: As for a parser of argp.
 * @session: Where it is returned.
 *
 * The parser of a command calls this for each key that it does not handle itself. The command has
 * the options -e, -n, -I, %SESSION_SET, %SESSION_SLOTS and %SESSION_CLOCKS in its own table,
 * because their help differs.
 *
 * A command that has other children sets their inputs at ARGP_KEY_INIT itself.
 *
 * Return: 0; ARGP_ERR_UNKNOWN for another key.
 */
error_t session_parse(int key, char *arg, struct argp_state *state,
		      struct session_options *session);

/**
 * session_open() - Create a session with these options, with a message if that cannot be
 * @session: What the user wants.
 * @device: The GPU.
 * @config: The session's configuration with its period, slots and selection; the flags and wake-ups
 *	are set.
 * @result: Where the session is returned.
 *
 * Without a period there are no wake-ups for several samples, and a ring that is small because few
 * are wanted wakes this program when it is full.
 *
 * Return: %EXIT_OK; %EXIT_USAGE if the driver does not offer such a session; %EXIT_ERROR.
 */
int session_open(const struct session_options *session, struct panthor_perf_device *device,
		 struct panthor_perf_session_config *config, struct panthor_perf_session **result);

/**
 * session_error() - Print why a session cannot be created, and what allows it if that is missing
 * @path: Path of the GPU's node.
 * @sysctl: The session needs no CAP_PERFMON while dev.panthor.perf_paranoid is 0.
 * @error: What panthor_perf_session_create() said.
 *
 * Return: %EXIT_USAGE if the driver does not offer such a session; %EXIT_ERROR.
 */
int session_error(const char *path, bool sysctl, const struct panthor_perf_error *error);

/**
 * session_before_start() - Do what comes before the session's start
 * @session: What the user wants.
 * @child: Signals. The command runs there during the time of --delay.
 *
 * Return: %EXIT_OK; with a message %EXIT_ERROR if the end came first, or a status of
 * session_spawn().
 */
int session_before_start(const struct session_options *session, struct child *child);

/**
 * session_after_start() - Do what comes after the session's start
 * @session: What the user wants.
 * @child: Where the command runs from now on. It ends waiting when the time of --duration is over.
 *
 * Return: %EXIT_OK, or a status of session_spawn().
 */
int session_after_start(const struct session_options *session, struct child *child);

/**
 * session_spawn() - Run the command, with a message if it cannot be run
 * @session: What the user wants.
 * @child: Where it runs.
 *
 * Return: %EXIT_OK, %EXIT_NOT_FOUND or %EXIT_CANNOT_RUN.
 */
int session_spawn(const struct session_options *session, struct child *child);

/**
 * session_command_status() - Exit status of the program by that of the command
 * @session: What the user wants.
 * @child: Where it ran.
 *
 * Return: The status; %EXIT_OK without a command, and if the time of --duration was over first.
 */
int session_command_status(const struct session_options *session, const struct child *child);

/**
 * session_room() - Slots with room for what comes while this program wakes up
 * @session: What the user wants.
 * @slots: Slots that there would be otherwise, not 0.
 *
 * Return: @slots or a higher power of two.
 */
uint32_t session_room(const struct session_options *session, uint32_t slots);

/**
 * session_wakeup_time() - When to check for samples even if nothing wakes this program
 * @session: What the user wants.
 * @period_ns: Period in ns.
 * @left: Samples by period that are still wanted, 0 for no limit: the last ones may be too few for
 *	--wakeup.
 *
 * Return: CLOCK_MONOTONIC in ns; 0: never.
 */
uint64_t session_wakeup_time(const struct session_options *session, uint64_t period_ns,
			     uint64_t left);

#endif /* PANTHOR_PERF_SESSION_ARGS_H */
