// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_file.h"

/* A lock of the open file, not of flock(1). Some file systems have none. */
static bool lock(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_SETLK, &lock) || (errno != EAGAIN && errno != EACCES);
}

static bool is_locked(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

bool new_file_is_written(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool locked = fd >= 0 && is_locked(fd);

	if (fd >= 0)
		close(fd);
	return locked;
}

/* In the folder of the other file, with its owner and its mode. */
static int create_beside(struct new_file *file, const struct stat *old)
{
	mode_t mask = umask(0);
	int ret;

	umask(mask);
	if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	ret = file->fd < 0 ? -errno : 0;
	if (!ret && old && fchown(file->fd, old->st_uid, old->st_gid))
		ret = -EPERM;
	if (!ret) {
		/* Some file systems have no modes. */
		fchmod(file->fd, old ? old->st_mode & 0777 : 0666 & ~mask);
		lock(file->fd);
		return 0;
	}
	if (file->fd >= 0) {
		unlink(file->temporary);
		close(file->fd);
	}
	free(file->temporary);
	file->temporary = NULL;
	return ret;
}

static int create_in_memory(struct new_file *file)
{
	file->fd = memfd_create("panthor-perf recording", MFD_CLOEXEC);
	return file->fd < 0 ? -errno : 0;
}

static int open_as_it_is(struct new_file *file, const char *path)
{
	file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return file->fd < 0 ? -errno : 0;
}

/* Is a path the name of a file that another name has led to? */
static bool is_name_of(const char *path, const struct stat *file)
{
	struct stat named;

	return !stat(path, &named) && named.st_dev == file->st_dev && named.st_ino == file->st_ino;
}

/*
 * The path that links lead to. One of /proc to a file that is not there any longer leads nowhere:
 * then it is that path itself, to be written and not to be replaced.
 */
static char *path_of(const char *path, const struct stat *old, bool *simple)
{
	char *name = realpath(path, NULL);

	if (name && is_name_of(name, old))
		return name;
	free(name);
	*simple = false;
	return strdup(path);
}

static int create(struct new_file *file, const char *path)
{
	struct stat old, link;
	bool exists, simple;
	int ret;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")) {
		file->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		return file->fd < 0 ? -errno : 0;
	}
	exists = !stat(path, &old);
	if (exists && !S_ISREG(old.st_mode))
		return open_as_it_is(file, path);
	if (exists && access(path, W_OK))
		return -errno;
	if (exists && new_file_is_written(path))
		return -EALREADY;
	file->own = true;
	/* A link to nothing is followed when the file is published. */
	simple = exists ? old.st_nlink == 1 : lstat(path, &link);
	file->path = exists ? path_of(path, &old, &simple) : strdup(path);
	if (!file->path)
		return -errno;
	if (exists)
		file->old = old.st_ino;
	ret = simple ? create_beside(file, exists ? &old : NULL) : -EPERM;
	if (ret == -EACCES || ret == -EPERM || ret == -EROFS || ret == -ENAMETOOLONG)
		ret = exists || !simple ? create_in_memory(file) : ret;
	return ret;
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

/* There is room for all of it before anything of the other content is lost. */
static int copy(int from, int to)
{
	struct stat new, old;
	off_t size, at = 0;
	int ret = 0;

	if (fstat(from, &new) || fstat(to, &old))
		return -errno;
	size = new.st_size;
	if (old.st_size < size)
		ret = posix_fallocate(to, 0, size);
	if (ret == ENOSPC || ret == EFBIG || ret == EDQUOT) {
		if (ftruncate(to, old.st_size))
			return -errno;
		return -ret;
	}
	while (at < size) {
		ssize_t done = sendfile(to, from, &at, size - at);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (!done)
			return -EIO;
	}
	return ftruncate(to, size) ? -errno : 0;
}

/* The other file stays, with other content. */
static int copy_to_name(struct new_file *file)
{
	int fd = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	int ret;

	if (fd < 0)
		return -errno;
	ret = lock(fd) ? copy(file->fd, fd) : -EALREADY;
	if (ret) {
		close(fd);
		return ret;
	}
	if (file->temporary)
		unlink(file->temporary);
	close(file->fd);
	file->fd = fd;
	return 0;
}

/* Has another process put a file of its own there meanwhile? */
static bool was_replaced(const struct new_file *file)
{
	struct stat named;

	return file->temporary && !stat(file->path, &named) && named.st_ino != file->old;
}

/* Of two that have done it at once, one has lost its name. */
static bool has_name(const struct new_file *file)
{
	struct stat own;

	return fstat(file->fd, &own) || access(file->path, F_OK) || is_name_of(file->path, &own);
}

int new_file_publish(struct new_file *file)
{
	int ret = 0;

	if (!file->path)
		return 0;
	if (new_file_is_written(file->path))
		ret = -EALREADY;
	else if (was_replaced(file))
		ret = -EEXIST;
	else if (!file->temporary || rename(file->temporary, file->path))
		ret = copy_to_name(file);
	else if (!has_name(file))
		ret = -EALREADY;
	if (!ret)
		forget_names(file);
	else
		file->kept = file->temporary && ret != -EALREADY;
	return ret;
}

int new_file_close(struct new_file *file)
{
	int ret = 0;

	if (file->temporary && !file->kept && unlink(file->temporary) && errno != ENOENT)
		ret = -errno;
	forget_names(file);
	if (close(file->fd) && !ret)
		ret = -errno;
	return ret;
}
