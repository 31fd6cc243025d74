// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"

/* What a shell returns if it cannot run a command. */
#define NOT_EXECUTABLE	126
#define NOT_FOUND	127

static pid_t pager;

/* Without $PAGER, the first of these that is installed. */
static void exec_pager(const char *command, int input)
{
	/* Output of one screen ends at once and stays visible, and colours are shown. */
	setenv("LESS", "FRX", 0);
	dup2(input, STDIN_FILENO);
	if (command) {
		execl("/bin/sh", "sh", "-c", command, NULL);
	} else {
		execlp("less", "less", NULL);
		execlp("more", "more", NULL);
		execlp("cat", "cat", NULL);
	}
	_exit(NOT_FOUND);
}

void pager_start(void)
{
	const char *command = getenv("PAGER");
	int fds[2];

	if (!isatty(STDOUT_FILENO) || (command && (!*command || !strcmp(command, "cat"))) ||
	    pipe2(fds, O_CLOEXEC))
		return;
	fflush(stdout);
	pager = fork();
	if (!pager)
		exec_pager(command, fds[0]);
	if (pager > 0) {
		/* Ctrl-C is a key of the pager, which may also end before it has read all. */
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
		dup2(fds[1], STDOUT_FILENO);
	}
	close(fds[0]);
	close(fds[1]);
}

bool pager_is_used(void)
{
	return pager > 0;
}

bool pager_end(void)
{
	int status = 0;

	if (!pager_is_used())
		return true;
	fclose(stdout);
	while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
		;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != NOT_EXECUTABLE &&
				      WEXITSTATUS(status) != NOT_FOUND);
}
