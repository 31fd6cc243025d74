// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * There are two processes besides the program: the pager, and a helper that keeps the pipe open for
 * as long as the pager runs. If the pager cannot be run, the helper shows what is in the pipe. When
 * the helper has ended, the pipe has no reader, and the program ends when it writes.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "lines.h"
#include "pager.h"

/* What a shell returns if it cannot run a command. */
#define NOT_EXECUTABLE	126
#define NOT_FOUND	127

/* The helper. */
static pid_t helper;

/* The standard output without a pager. */
static int terminal;

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Without $PAGER, the first of these that is installed. */
static void exec_pager(const char *command)
{
	/* Output of one screen ends at once and stays visible, and colours are shown. */
	setenv("LESS", "FRX", 0);
	if (command) {
		execl("/bin/sh", "sh", "-c", command, NULL);
	} else {
		execlp("less", "less", "-R", NULL);
		execlp("more", "more", NULL);
		execlp("cat", "cat", NULL);
	}
	_exit(NOT_FOUND);
}

static void run_helper(const char *command, int input)
{
	sighandler_t interrupt;
	int status;
	pid_t pid;

	dup2(input, STDIN_FILENO);
	pid = fork();
	if (!pid)
		exec_pager(command);
	interrupt = signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	status = pid < 0 ? NOT_EXECUTABLE : wait_for(pid);
	if (status != NOT_EXECUTABLE && status != NOT_FOUND)
		_exit(0);
	if (command)
		fail(0, "the pager '%s' (PAGER) cannot be run: the output follows without one",
		     command);
	signal(SIGINT, interrupt);
	execlp("cat", "cat", NULL);
	_exit(NOT_FOUND);
}

/* The user has left the pager, which may be before it has read all. */
static void on_broken_pipe(int number)
{
	(void)number;
	_exit(wait_for(helper) ? EXIT_ERROR : EXIT_OK);
}

/* Without a terminal that can move its cursor, a pager only waits for keys. */
static bool has_pager(const char *command)
{
	const char *type = getenv("TERM");

	return isatty(STDOUT_FILENO) && type && *type && strcmp(type, "dumb") &&
	       !(command && (!*command || !strcmp(command, "cat")));
}

void pager_start(void)
{
	const char *command = getenv("PAGER");
	int fds[2];

	if (!has_pager(command) || pipe2(fds, O_CLOEXEC))
		return;
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	fflush(stdout);
	helper = terminal < 0 ? -1 : fork();
	if (!helper) {
		close(fds[1]);
		run_helper(command, fds[0]);
	}
	if (helper > 0) {
		/* Ctrl-C is a key of the pager. */
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
		signal(SIGPIPE, on_broken_pipe);
		line_columns_of_stdout(line_columns(stdout));
		dup2(fds[1], STDOUT_FILENO);
	}
	close(fds[0]);
	close(fds[1]);
}

bool pager_is_used(void)
{
	return helper > 0;
}

bool pager_end(void)
{
	pid_t pid = helper;

	if (!pager_is_used())
		return true;
	fflush(stdout);
	dup2(terminal, STDOUT_FILENO);
	close(terminal);
	line_columns_of_stdout(0);
	helper = 0;
	return !wait_for(pid);
}
