// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gnuplot.h"

#define ROOM	65536

static void exec_gnuplot(int script, int out, int ready)
{
	int err;

	/* No picture is wanted any longer. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* For the encoding: names of files may be anything. */
	setenv("LC_ALL", "C.UTF-8", 1);
	dup2(script, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execlp("gnuplot", "gnuplot", "-", NULL);
	err = errno;
	if (write(ready, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

/* The second pipe closes by itself when gnuplot runs; otherwise it carries the reason. */
static pid_t start(int script, int out, int *err)
{
	int ready[2];
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC)) {
		*err = errno;
		return -1;
	}
	pid = fork();
	if (!pid)
		exec_gnuplot(script, out, ready[1]);
	*err = pid < 0 ? errno : 0;
	close(ready[1]);
	if (pid > 0)
		while (read(ready[0], err, sizeof(*err)) < 0 && errno == EINTR)
			;
	close(ready[0]);
	return pid;
}

static int read_picture(int fd, struct picture *picture)
{
	size_t room = 0;
	ssize_t got;

	do {
		if (room - picture->size < ROOM) {
			char *data = realloc(picture->data, 2 * room + ROOM);

			if (!data)
				return -ENOMEM;
			picture->data = data;
			room = 2 * room + ROOM;
		}
		got = read(fd, picture->data + picture->size, room - picture->size);
		if (got > 0)
			picture->size += got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	return got < 0 ? -errno : 0;
}

static bool picture_ends_with(const struct picture *picture, const char *end, size_t size)
{
	return picture->size >= size &&
	       !memcmp(picture->data + picture->size - size, end, size);
}

/* The last element of SVG, the last chunk of PNG. */
static bool is_whole(const struct picture *picture)
{
	static const char png_end[] = "IEND\xae\x42\x60\x82";

	return picture_ends_with(picture, "</svg>\n", 7) ||
	       picture_ends_with(picture, "</svg>\n\n", 8) ||
	       picture_ends_with(picture, png_end, sizeof(png_end) - 1);
}

int gnuplot_run(int script, struct picture *picture)
{
	int fds[2], err, ret, ended = 0;
	pid_t pid;

	*picture = (struct picture) { 0 };
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = start(script, fds[1], &err);
	close(fds[1]);
	ret = pid > 0 && !err ? read_picture(fds[0], picture) : -err;
	close(fds[0]);
	if (pid > 0)
		waitpid(pid, &ended, 0);
	if (!ret && (!WIFEXITED(ended) || WEXITSTATUS(ended) || !is_whole(picture)))
		ret = -EPROTO;
	return ret;
}
