// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Runs a program that needs a terminal, of 100 columns and 30 lines:
 *
 *	terminal FILE TEXT KEYS COMMAND...
 *
 * What the program shows goes to FILE. Once TEXT is among it, KEYS are typed. The exit status is
 * that of the program; 125 if TEXT does not come within 60 s, if the program does not end within
 * 10 s of the keys, or if there is no terminal.
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
#define TEXT_S		60
#define END_S		10
#define LONGEST_TEXT	100

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Copies what the program shows until it ends: 0, or -1 if it does not end. */
static int show(int terminal, int file, const char *awaited, const char *keys)
{
	struct pollfd wait = { .fd = terminal, .events = POLLIN };
	const size_t length = strlen(awaited);
	double end = now_s() + TEXT_S;
	size_t shown = 0, before;
	char text[8192];
	ssize_t size;

	while (now_s() < end) {
		if (poll(&wait, 1, 50) <= 0)
			continue;
		/* Behind what a text may have begun in. */
		before = shown < length ? shown : length - 1;
		memmove(text, text + shown - before, before);
		size = read(terminal, text + before, sizeof(text) - before);
		/* The end of the program is an error of the terminal. */
		if (size <= 0)
			return 0;
		if (write(file, text + before, size) != size)
			return -1;
		shown = before + size;
		if (keys && memmem(text, shown, awaited, length)) {
			if (write(terminal, keys, strlen(keys)) < 0)
				return -1;
			keys = NULL;
			end = now_s() + END_S;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	int terminal, file, status;
	pid_t pid;

	if (argc < 5 || !*argv[2] || strlen(argv[2]) > LONGEST_TEXT) {
		fprintf(stderr, "usage: terminal FILE TEXT KEYS COMMAND...\n");
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
	if (show(terminal, file, argv[2], argv[3])) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return FAILED;
	}
	if (waitpid(pid, &status, 0) != pid)
		return FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
