// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>

#include "internal.h"

/* Beyond this it is no description of a GPU. */
#define MAX_QUERY_SIZE	65536

/**
 * struct panthor_perf_device - an open GPU
 */
struct panthor_perf_device {
	/** @users: Its sessions. */
	unsigned int users;

	/** @fd: The open node. */
	int fd;

	/** @path: Its path, %NULL if not known. */
	char *path;

	/** @version: The driver's version: major, minor, patch level. */
	int version[3];

	/** @numbers: The numbers of the interface that the driver knows. */
	const struct panthor_perf_numbers *numbers;

	/** @known: The driver knows any. Else @numbers are the first ones. */
	bool known;

	/** @gpu: The GPU and its counter configuration, %NULL if there is none. */
	struct panthor_perf_gpu *gpu;

	/** @gpu_error: Why there is none. */
	struct panthor_perf_error gpu_error;
};

int panthor_perf_ioctl(const struct panthor_perf_device *device, unsigned long request, void *arg)
{
	return drmIoctl(device->fd, request, arg) ? -errno : 0;
}

const struct panthor_perf_numbers *
panthor_perf_numbers_of(const struct panthor_perf_device *device)
{
	return device->numbers;
}

/*
 * A driver that does not know the query returns EINVAL. A driver that knows the query returns
 * EOPNOTSUPP on a GPU without counters.
 */
static int find_numbers(struct panthor_perf_device *device)
{
	const struct panthor_perf_numbers *numbers;
	int ret = -EINVAL;
	unsigned int n;

	device->numbers = panthor_perf_numbers_get(0);
	for (n = 0; (numbers = panthor_perf_numbers_get(n)); n++) {
		struct drm_panthor_dev_query args = { .type = numbers->info };

		ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);
		if (!ret || ret == -EOPNOTSUPP) {
			device->numbers = numbers;
			device->known = true;
			return 0;
		}
	}
	return ret == -EINVAL ? -ENOSYS : ret;
}

/* Reads all that the kernel knows of a structure, whatever the library knows of it. */
static int query(const struct panthor_perf_device *device, uint32_t type, void **data, size_t *size)
{
	struct drm_panthor_dev_query args = { .type = type };
	int ret;

	ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);
	if (ret)
		return ret;
	if (args.size > MAX_QUERY_SIZE)
		return -EPROTO;
	*data = calloc(1, args.size + 1);
	if (!*data)
		return -ENOMEM;
	*size = args.size;
	args.pointer = (uintptr_t)*data;
	ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);
	if (ret) {
		free(*data);
		*data = NULL;
	}
	return ret;
}

static int query_failed(int ret, struct panthor_perf_error *error)
{
	switch (ret) {
	case -ENOSYS:
		return panthor_perf_fail(error, ret,
					 "the driver of this kernel has no performance counters");
	case -EOPNOTSUPP:
		return panthor_perf_fail(error, ret, "the GPU or its firmware has no performance "
					 "counters that the driver can use");
	case -ENODEV:
		return panthor_perf_fail(error, ret, "the GPU is gone");
	case -ENOMEM:
		return panthor_perf_fail_memory(error);
	default:
		return panthor_perf_fail_errno(error, ret, "the driver does not describe the GPU");
	}
}

static int read_gpu(struct panthor_perf_device *device, struct panthor_perf_error *error)
{
	void *gpu = NULL, *info = NULL;
	size_t gpu_size = 0, info_size = 0;
	int ret = find_numbers(device);

	if (!ret)
		ret = query(device, device->numbers->info, &info, &info_size);
	if (!ret)
		ret = query(device, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &gpu, &gpu_size);
	if (ret)
		ret = query_failed(ret, error);
	else
		ret = panthor_perf_gpu_create(gpu, gpu_size, info, info_size, &device->gpu, error);
	free(gpu);
	free(info);
	return ret;
}

static int read_driver(struct panthor_perf_device *device, struct panthor_perf_error *error)
{
	const char *what = device->path ? device->path : "the descriptor";
	drmVersionPtr version = drmGetVersion(device->fd);
	int ret = 0;

	if (!version)
		return panthor_perf_fail(error, -ENOTTY, "%s: this is no DRM node", what);
	if (version->name && !strcmp(version->name, DRIVER_NAME)) {
		device->version[0] = version->version_major;
		device->version[1] = version->version_minor;
		device->version[2] = version->version_patchlevel;
	} else {
		ret = panthor_perf_fail(error, -EOPNOTSUPP, "%s: the driver of this node is %s, "
					"not " DRIVER_NAME, what,
					version->name ? version->name : "unknown");
	}
	drmFreeVersion(version);
	return ret;
}

/* Takes over fd and path, in case of an error too. */
static int device_create(int fd, char *path, struct panthor_perf_device **device,
			 struct panthor_perf_error *error)
{
	struct panthor_perf_device *dev = calloc(1, sizeof(*dev));
	int ret;

	if (!dev) {
		ret = panthor_perf_fail_memory(error);
		goto err_release;
	}
	dev->fd = fd;
	dev->path = path;
	ret = read_driver(dev, error);
	if (ret)
		goto err_release;
	/* A GPU without counters can be opened. */
	dev->gpu_error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	read_gpu(dev, &dev->gpu_error);
	*device = dev;
	return 0;

err_release:
	free(dev);
	free(path);
	close(fd);
	return ret;
}

static bool is_node(const struct stat *file, const char *path)
{
	struct stat node;

	if (stat(path, &node))
		return false;
	if (S_ISCHR(file->st_mode) && S_ISCHR(node.st_mode))
		return file->st_rdev == node.st_rdev;
	return file->st_dev == node.st_dev && file->st_ino == node.st_ino;
}

/*
 * Uses the open file that the environment names, if it is one of this node; %NULL: of any. A setcap
 * program must not use it: the caller, who has less rights, could use the sessions of the program.
 */
static bool open_inherited(const char *path, struct panthor_perf_device **device)
{
	const char *text = secure_getenv(PANTHOR_PERF_FD_VARIABLE);
	struct stat file;
	unsigned long fd;

	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return false;
	errno = 0;
	fd = strtoul(text, NULL, 10);
	if (errno || fd > INT_MAX || fstat(fd, &file) || (path && !is_node(&file, path)))
		return false;
	return !panthor_perf_device_open_fd(fd, device, NULL);
}

int panthor_perf_open_path(const char *path, struct panthor_perf_device **device,
			   struct panthor_perf_error *error)
{
	char *copy;
	int fd, ret;

	if (open_inherited(path, device))
		return 0;
	copy = strdup(path);
	if (!copy)
		return panthor_perf_fail_memory(error);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = panthor_perf_fail_errno(error, -errno, path);
		free(copy);
		return ret;
	}
	return device_create(fd, copy, device, error);
}

int panthor_perf_device_open(const char *name, struct panthor_perf_device **device,
			     struct panthor_perf_error *error)
{
	struct panthor_perf_error path_error = PANTHOR_PERF_ERROR_INIT;
	int ret;

	if (!name && open_inherited(NULL, device))
		return 0;
	if (!name)
		return panthor_perf_open_first(NULL, device, error);
	if (!*name)
		return panthor_perf_fail(error, -ENOENT, "the name of the GPU is empty");
	/* A name that is no path is no error yet. */
	ret = panthor_perf_open_path(name, device, &path_error);
	if (ret == -ENOENT) {
		ret = panthor_perf_open_first(name, device, error);
		if (ret != -ENOENT || *name != '/')
			return ret;
	}
	return ret ? panthor_perf_fail(error, ret, "%s", path_error.text) : 0;
}

int panthor_perf_device_open_fd(int fd, struct panthor_perf_device **device,
				struct panthor_perf_error *error)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0)
		return panthor_perf_fail_errno(error, -errno, "the descriptor of the GPU");
	return device_create(copy, drmGetDeviceNameFromFd2(fd), device, error);
}

void panthor_perf_device_use(const struct panthor_perf_device *device)
{
	panthor_perf_use(&device->users);
}

void panthor_perf_device_unuse(const struct panthor_perf_device *device)
{
	panthor_perf_unuse(&device->users);
}

void panthor_perf_device_close(struct panthor_perf_device *device)
{
	if (!device)
		return;
	panthor_perf_unused(&device->users, "device");
	panthor_perf_gpu_destroy(device->gpu);
	close(device->fd);
	free(device->path);
	free(device);
}

int panthor_perf_device_fd(const struct panthor_perf_device *device)
{
	return device->fd;
}

const char *panthor_perf_device_path(const struct panthor_perf_device *device)
{
	return device->path ? device->path : "";
}

const char *panthor_perf_device_interface(const struct panthor_perf_device *device)
{
	return device->known ? device->numbers->name : NULL;
}

void panthor_perf_device_driver(const struct panthor_perf_device *device, int *major, int *minor,
				int *patch)
{
	if (major)
		*major = device->version[0];
	if (minor)
		*minor = device->version[1];
	if (patch)
		*patch = device->version[2];
}

int panthor_perf_device_gpu_info(const struct panthor_perf_device *device, void *info, size_t size,
				 struct panthor_perf_error *error)
{
	void *data = NULL;
	size_t known = 0;
	int ret = query(device, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &data, &known);

	panthor_perf_copy_known(info, size, data, known);
	free(data);
	return ret ? query_failed(ret, error) : 0;
}

int panthor_perf_device_clocks(const struct panthor_perf_device *device, void *clocks, size_t size,
			       struct panthor_perf_error *error)
{
	const struct panthor_perf_gpu *gpu;
	void *data = NULL;
	size_t known = 0;
	int ret = panthor_perf_device_gpu(device, &gpu, error);

	if (ret)
		return ret;
	ret = query(device, device->numbers->clocks, &data, &known);
	panthor_perf_copy_known(clocks, size, data, known);
	free(data);
	if (ret == -EINVAL)
		return panthor_perf_fail(error, -EOPNOTSUPP, "the driver does not report the rates "
					 "of clocks");
	return ret ? query_failed(ret, error) : 0;
}

int panthor_perf_device_gpu(const struct panthor_perf_device *device,
			    const struct panthor_perf_gpu **gpu, struct panthor_perf_error *error)
{
	*gpu = device->gpu;
	if (device->gpu)
		return 0;
	return panthor_perf_fail(error, device->gpu_error.code, "%s", device->gpu_error.text);
}
