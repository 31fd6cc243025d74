// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "print/text.h"
#include "record_mark.h"

bool record_mark_parse(const char *line, struct mark_request *request)
{
	size_t length;
	char *end;

	line += strspn(line, " \t");
	if (*line < '0' || *line > '9')
		return false;
	errno = 0;
	request->id = strtoull(line, &end, 0);
	if (errno || (*end && !strchr(" \t\r", *end)))
		return false;
	end += strspn(end, " \t\r");
	length = strlen(end);
	while (length && strchr(" \t\r", end[length - 1]))
		length--;
	/* Not within a character. */
	if (length > RECORDING_MAX_NAME)
		for (length = RECORDING_MAX_NAME; length && (end[length] & 0xc0) == 0x80;)
			length--;
	memset(request->name, 0, sizeof(request->name));
	memcpy(request->name, end, length);
	text_utf8(request->name);
	return true;
}

/* Open for both directions, a FIFO has no end, and open() does not wait for the other side. */
static int open_fifo(const char *path, const char **made)
{
	struct stat stat;
	int fd, err;

	if (!mkfifo(path, 0600))
		*made = path;
	else if (errno != EEXIST)
		return -errno;
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = fstat(fd, &stat) ? errno : S_ISFIFO(stat.st_mode) ? 0 : EEXIST;
	if (err) {
		close(fd);
		return -err;
	}
	return fd;
}

int record_mark_open(struct record_mark *mark, const char *path, const char *ack_path)
{
	memset(mark, 0, sizeof(*mark));
	mark->ack_fd = -1;
	mark->failed_path = path;
	mark->fd = open_fifo(path, &mark->path);
	if (mark->fd >= 0 && ack_path) {
		mark->failed_path = ack_path;
		mark->ack_fd = open_fifo(ack_path, &mark->ack_path);
	}
	if (mark->fd < 0 || (ack_path && mark->ack_fd < 0)) {
		int ret = mark->fd < 0 ? mark->fd : mark->ack_fd;

		record_mark_close(mark);
		return ret;
	}
	return 0;
}

static void acknowledge(struct record_mark *mark, const char *line)
{
	size_t size = strlen(line);

	if (mark->ack_fd < 0)
		return;
	/* Short enough to be written as a whole or not at all. */
	if (write(mark->ack_fd, line, size) != (ssize_t)size)
		fail(-errno, "acknowledging line %" PRIu64 " of the marks: no process reads the "
							   "FIFO",
		     mark->line);
}

/* A line is in the buffer: is it a mark? */
static bool take_line(struct record_mark *mark, struct mark_request *request)
{
	bool good = !mark->skip;

	mark->text[mark->used] = 0;
	if (good && !mark->text[strspn(mark->text, " \t\r")])
		return false;
	good = good && strlen(mark->text) == mark->used && record_mark_parse(mark->text, request);
	if (!good) {
		fail(0, "line %" PRIu64 " of the marks is not ID [NAME]: '%.40s'", mark->line,
		     mark->text);
		acknowledge(mark, "error\n");
	}
	return good;
}

/* By the byte, so that what is behind a line stays in the FIFO until its turn has come. */
bool record_mark_next(struct record_mark *mark, struct mark_request *request)
{
	char byte;

	while (read(mark->fd, &byte, 1) == 1) {
		bool found;

		if (byte != '\n') {
			if (mark->used == MARK_LINE)
				mark->skip = true;
			else
				mark->text[mark->used++] = byte;
			continue;
		}
		mark->line++;
		request->raw_ns = raw_now_ns();
		found = take_line(mark, request);
		mark->used = 0;
		mark->skip = false;
		if (found)
			return true;
	}
	return false;
}

void record_mark_acknowledge(struct record_mark *mark, uint64_t id, uint64_t end_ns)
{
	char line[64];

	snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu64 "\n", id, end_ns);
	acknowledge(mark, line);
}

void record_mark_close(struct record_mark *mark)
{
	if (mark->fd >= 0)
		close(mark->fd);
	if (mark->ack_fd >= 0)
		close(mark->ack_fd);
	if (mark->path)
		unlink(mark->path);
	if (mark->ack_path)
		unlink(mark->ack_path);
	mark->fd = -1;
	mark->ack_fd = -1;
	mark->path = NULL;
	mark->ack_path = NULL;
}
