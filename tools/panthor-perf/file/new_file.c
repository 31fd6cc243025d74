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

static bool is_prefix(const char *path, const char *prefix)
{
	return !strncmp(path, prefix, strlen(prefix));
}

/*
 * The path that links lead to. A file that a process names by a descriptor is written, not
 * replaced: the descriptor stays that of the file. It may have no other name any longer.
 */
static char *path_of(const char *path, const struct stat *old, bool *simple)
{
	char *name = realpath(path, NULL);
	bool found = name && is_name_of(name, old);

	if (!found || is_prefix(path, "/dev/fd/") || is_prefix(path, "/proc/"))
		*simple = false;
	if (found)
		return name;
	free(name);
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
	if (exists) {
		file->old = open(file->path, O_PATH | O_CLOEXEC);
		file->old_time = old.st_mtim;
	}
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
	if (file->old >= 0)
		close(file->old);
	file->old = -1;
}

int new_file_create(struct new_file *file, const char *path)
{
	int ret;

	*file = (struct new_file) { .fd = -1, .old = -1 };
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
	const bool exists = !access(file->path, F_OK);
	int fd = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	char *made;
	int ret;

	if (fd < 0)
		return -errno;
	ret = lock(fd) ? copy(file->fd, fd) : -EALREADY;
	if (ret) {
		/* Not the link that led to it. */
		made = exists ? NULL : realpath(file->path, NULL);
		if (made)
			unlink(made);
		free(made);
		close(fd);
		return ret;
	}
	if (file->temporary)
		unlink(file->temporary);
	close(file->fd);
	file->fd = fd;
	return 0;
}

/* The other file is open, so that no new one gets its number. */
static bool is_as_it_was(const struct new_file *file)
{
	struct stat old, named;

	if (stat(file->path, &named))
		return true;
	return file->old >= 0 && !fstat(file->old, &old) && is_name_of(file->path, &old) &&
	       named.st_mtim.tv_sec == file->old_time.tv_sec &&
	       named.st_mtim.tv_nsec == file->old_time.tv_nsec;
}

/* Of two that have done it at once, one has lost its name. */
static bool has_name(const struct new_file *file)
{
	struct stat own;

	return fstat(file->fd, &own) || access(file->path, F_OK) || is_name_of(file->path, &own);
}

static int move_to_name(struct new_file *file)
{
	/* Where there was no file, none is replaced. Some file systems have no such call. */
	if (file->old < 0) {
		if (!renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE))
			return 0;
		if (errno == EEXIST)
			return -EEXIST;
	}
	if (rename(file->temporary, file->path))
		return copy_to_name(file);
	if (has_name(file))
		return 0;
	free(file->temporary);
	file->temporary = NULL;
	return -EALREADY;
}

/* What has no name gets one beside the other file, if that can be. */
static void keep(struct new_file *file)
{
	struct new_file beside = { .path = file->path };

	if (!file->temporary && !create_beside(&beside, NULL)) {
		if (copy(file->fd, beside.fd)) {
			unlink(beside.temporary);
			free(beside.temporary);
		} else {
			file->temporary = beside.temporary;
		}
		close(beside.fd);
	}
	file->kept = file->temporary;
}

int new_file_publish(struct new_file *file)
{
	int ret;

	if (!file->path)
		return 0;
	if (new_file_is_written(file->path))
		ret = -EALREADY;
	else if (!is_as_it_was(file))
		ret = -EEXIST;
	else
		ret = file->temporary ? move_to_name(file) : copy_to_name(file);
	if (ret)
		keep(file);
	else
		forget_names(file);
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

static int write_and_rename(int fd, const char *temporary, const char *path,
			    void (*put)(FILE *out, void *arg), void *arg)
{
	FILE *out = fdopen(fd, "w");
	int ret = 0;

	if (!out) {
		ret = -errno;
		close(fd);
		return ret;
	}
	errno = 0;
	put(out, arg);
	if (fflush(out) || ferror(out) || fchmod(fd, 0644))
		ret = errno ? -errno : -EIO;
	if (fclose(out) && !ret)
		ret = errno ? -errno : -EIO;
	return !ret && rename(temporary, path) ? -errno : ret;
}

int new_file_replace(const char *path, void (*put)(FILE *out, void *arg), void *arg)
{
	char *temporary;
	int ret, fd;

	if (asprintf(&temporary, "%s.tmp", path) < 0)
		return -ENOMEM;
	/* One that a program left which was killed, and never what a link points to. */
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0) {
		ret = -errno;
	} else {
		ret = write_and_rename(fd, temporary, path, put, arg);
		if (ret)
			unlink(temporary);
	}
	free(temporary);
	return ret;
}
