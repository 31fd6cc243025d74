// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Runs a program that needs a terminal, of 100 columns and 30 lines:
 *
 *	terminal FILE SECONDS KEYS COMMAND...
 *
 * What the program shows goes to FILE. After SECONDS, KEYS are typed. The exit status is that of the
 * program; 125 if the program does not end within 10 s of that, or if there is no terminal.
 */

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAILED		125
#define END_S		10

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Copies what the program shows until it ends: 0, or -1 if it does not end. */
static int show(int terminal, int file, double seconds, const char *keys)
{
	const double typed = now_s() + seconds;
	struct pollfd wait = { .fd = terminal, .events = POLLIN };
	char text[4096];
	ssize_t size;

	for (;;) {
		if (keys && now_s() >= typed) {
			if (write(terminal, keys, strlen(keys)) < 0)
				return -1;
			keys = NULL;
		}
		if (now_s() > typed + END_S)
			return -1;
		if (poll(&wait, 1, 50) <= 0)
			continue;
		size = read(terminal, text, sizeof(text));
		/* The end of the program is an error of the terminal. */
		if (size <= 0)
			return 0;
		if (write(file, text, size) != size)
			return -1;
	}
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	int terminal, file, status;
	pid_t pid;

	if (argc < 5) {
		fprintf(stderr, "usage: terminal FILE SECONDS KEYS COMMAND...\n");
		return FAILED;
	}
	file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	pid = file < 0 ? -1 : forkpty(&terminal, NULL, NULL, &size);
	if (pid < 0) {
		perror("terminal");
		return FAILED;
	}
	if (!pid) {
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	if (show(terminal, file, atof(argv[2]), argv[3])) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return FAILED;
	}
	if (waitpid(pid, &status, 0) != pid)
		return FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
