// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_file.h"

/* Does another process write the file of this name? File systems without locks say no. */
static bool is_being_written(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return busy;
}

static int create_beside(struct new_file *file, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	if (fchmod(file->fd, old ? old->st_mode & 0777 : 0666 & ~mask)) {
		int ret = -errno;

		unlink(file->temporary);
		close(file->fd);
		return ret;
	}
	flock(file->fd, LOCK_EX | LOCK_NB);
	return 0;
}

static int create(struct new_file *file, const char *path)
{
	struct stat old;
	bool exists;

	if (!strcmp(path, "-")) {
		file->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		return file->fd < 0 ? -errno : 0;
	}
	exists = !stat(path, &old);
	/* A device or a pipe. A link to nothing ends at what is created now. */
	if (exists ? !S_ISREG(old.st_mode) : !lstat(path, &old)) {
		file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		return file->fd < 0 ? -errno : 0;
	}
	if (exists && access(path, W_OK))
		return -errno;
	if (exists && is_being_written(path))
		return -EBUSY;
	file->path = exists ? realpath(path, NULL) : strdup(path);
	return file->path ? create_beside(file, exists ? &old : NULL) : -errno;
}

static void forget_names(struct new_file *file)
{
	free(file->path);
	free(file->temporary);
	file->path = NULL;
	file->temporary = NULL;
}

int new_file_create(struct new_file *file, const char *path)
{
	int ret;

	*file = (struct new_file) { .fd = -1 };
	ret = create(file, path);
	if (ret)
		forget_names(file);
	return ret;
}

int new_file_publish(struct new_file *file)
{
	if (!file->temporary)
		return 0;
	if (is_being_written(file->path))
		return -EBUSY;
	if (rename(file->temporary, file->path))
		return -errno;
	forget_names(file);
	return 0;
}

int new_file_close(struct new_file *file)
{
	int ret = 0;

	if (file->temporary && unlink(file->temporary))
		ret = -errno;
	forget_names(file);
	if (close(file->fd) && !ret)
		ret = -errno;
	return ret;
}
