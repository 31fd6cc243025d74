/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_CHILD_H
#define PANTHOR_PERF_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * enum wake_reason - why child_pause() returned
 */
enum wake_reason {
	/** @WAKE_TIME: The time has come. */
	WAKE_TIME,

	/**
	 * @WAKE_END: The command ended, or without one, the user wants an end; or the time of
	 * &struct child.end_ns has come.
	 */
	WAKE_END,

	/** @WAKE_READY: The descriptor is readable. */
	WAKE_READY,
};

/**
 * struct child - signals, and the command that is measured if there is one
 */
struct child {
	/** @old_mask: Signal mask of the program as it was found. */
	sigset_t old_mask;

	/** @signal_fd: Delivers SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM and SIGCHLD. */
	int signal_fd;

	/** @pid: The command that runs, 0 for none. */
	pid_t pid;

	/** @asked: It was sent SIGTERM. */
	bool asked;

	/** @status: What waitpid() said when it ended. */
	int status;

	/** @end_ns: CLOCK_MONOTONIC in ns when the measurement ends by itself; 0: never. */
	uint64_t end_ns;

	/** @timed_out: That time has come while the command was running. */
	bool timed_out;
};

/**
 * child_init() - Catch the signals that end a measurement
 * @child: The state.
 *
 * Return: 0 or a negative errno.
 */
int child_init(struct child *child);

/**
 * child_spawn() - Run a command
 * @child: The state.
 * @argv: The command and its arguments, %NULL at the end.
 *
 * Return: 0; the negative errno of execvp() if the command cannot be run;
 * another negative errno.
 */
int child_spawn(struct child *child, char **argv);

/**
 * child_pause() - Wait for a point of time, a descriptor or the end
 * @child: The state.
 * @until_ns: CLOCK_MONOTONIC in ns; 0 for none.
 * @fd: The descriptor; -1 for none.
 *
 * With a command, its end is the end. SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM send it SIGTERM,
 * the second time SIGKILL, but for SIGINT and SIGQUIT of a terminal, which has sent them to the
 * command as well. Without a command, these signals are the end. SIGHUP and SIGPIPE stay ignored
 * if they were.
 *
 * Return: An &enum wake_reason, or a negative errno.
 */
int child_pause(struct child *child, uint64_t until_ns, int fd);

/**
 * child_fini() - Give the signals back, and wait for a command that still runs
 * @child: The state. The command is sent SIGTERM; when another signal comes, SIGKILL.
 */
void child_fini(struct child *child);

/**
 * now_ns() - The time
 *
 * Return: CLOCK_MONOTONIC in ns.
 */
uint64_t now_ns(void);

#endif /* PANTHOR_PERF_CHILD_H */
