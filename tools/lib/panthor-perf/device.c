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

/**
 * struct panthor_perf_device - an open GPU
 */
struct panthor_perf_device {
	/** @fd: The open node. */
	int fd;

	/** @path: Its path, %NULL if not known. */
	char *path;

	/** @driver: The driver's version. */
	struct panthor_perf_driver driver;

	/** @numbers: The numbers of the interface that the driver knows. */
	const struct panthor_perf_numbers *numbers;

	/** @known: The driver knows any. Else @numbers are the first ones. */
	bool known;
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
 * EOPNOTSUPP on a GPU without counters. The following calls report all other errors.
 */
static void find_numbers(struct panthor_perf_device *device)
{
	const struct panthor_perf_numbers *numbers;
	unsigned int n;

	device->numbers = panthor_perf_numbers_get(0);
	for (n = 0; (numbers = panthor_perf_numbers_get(n)); n++) {
		struct drm_panthor_dev_query args = { .type = numbers->info };
		int ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);

		if (!ret || ret == -EOPNOTSUPP) {
			device->numbers = numbers;
			device->known = true;
			return;
		}
	}
}

static int read_driver(struct panthor_perf_device *device)
{
	drmVersionPtr version = drmGetVersion(device->fd);
	int ret = 0;

	if (!version)
		return -ENOTTY;
	if (version->name && !strcmp(version->name, DRIVER_NAME)) {
		device->driver.major = version->version_major;
		device->driver.minor = version->version_minor;
		device->driver.patch = version->version_patchlevel;
	} else {
		ret = -EOPNOTSUPP;
	}
	drmFreeVersion(version);
	return ret;
}

/* Takes over fd and path, in case of an error too. */
static int device_create(int fd, char *path, struct panthor_perf_device **device)
{
	struct panthor_perf_device *dev = calloc(1, sizeof(*dev));
	int ret = -ENOMEM;

	if (!dev)
		goto err_release;
	dev->fd = fd;
	dev->path = path;
	ret = read_driver(dev);
	if (ret)
		goto err_release;
	find_numbers(dev);
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
 * program must not use it, because all holders of the open file would get its permission.
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
	return !panthor_perf_device_open_fd(fd, device);
}

int panthor_perf_open_path(const char *path, struct panthor_perf_device **device)
{
	char *copy;
	int fd, ret;

	if (open_inherited(path, device))
		return 0;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		free(copy);
		return ret;
	}
	return device_create(fd, copy, device);
}

int panthor_perf_device_open(const char *name, struct panthor_perf_device **device)
{
	int ret;

	if (!name && open_inherited(NULL, device))
		return 0;
	if (!name || !*name)
		return name ? -ENOENT : panthor_perf_open_first(NULL, device);
	ret = panthor_perf_open_path(name, device);
	if (ret == -ENOENT)
		ret = panthor_perf_open_first(name, device);
	return ret;
}

int panthor_perf_device_open_fd(int fd, struct panthor_perf_device **device)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0)
		return -errno;
	return device_create(copy, drmGetDeviceNameFromFd2(fd), device);
}

void panthor_perf_device_close(struct panthor_perf_device *device)
{
	if (!device)
		return;
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

void panthor_perf_device_driver(const struct panthor_perf_device *device,
				struct panthor_perf_driver *driver)
{
	*driver = device->driver;
}

/*
 * The function queries the size first. It shows whether the query exists, and how much of *data the
 * kernel fills. An older kernel has a smaller structure, and what it lacks reads 0; of a larger
 * one the kernel copies what fits.
 */
static int query(const struct panthor_perf_device *device, uint32_t type, void *data, uint32_t size,
		 uint32_t *kernel_size)
{
	struct drm_panthor_dev_query args = { .type = type };
	int ret;

	memset(data, 0, size);
	ret = panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);
	if (ret)
		return ret;
	*kernel_size = args.size;
	if (args.size > size)
		args.size = size;
	args.pointer = (uintptr_t)data;
	return panthor_perf_ioctl(device, DRM_IOCTL_PANTHOR_DEV_QUERY, &args);
}

int panthor_perf_device_gpu_info(const struct panthor_perf_device *device,
				 struct drm_panthor_gpu_info *gpu)
{
	uint32_t kernel_size;

	return query(device, DRM_PANTHOR_DEV_QUERY_GPU_INFO, gpu, sizeof(*gpu), &kernel_size);
}

/* What the steps through a sample rely on. */
static int check_info(const struct drm_panthor_perf_info *info, uint32_t kernel_size)
{
	uint64_t stride = info->block_header_size + 8ull * info->counters_per_block;

	if (kernel_size < offsetof(struct drm_panthor_perf_info, neural_blocks))
		return -EPROTO;
	/* Nothing else means what it does here. A structure too short for the field has 0. */
	if (info->abi != DRM_PANTHOR_PERF_ABI)
		return -EPROTONOSUPPORT;
	if (info->sample_header_size % 8 || info->block_header_size % 8 ||
	    !info->sample_header_size || !info->block_header_size || !info->counters_per_block)
		return -EPROTO;
	if (info->sample_size < info->sample_header_size ||
	    (info->sample_size - info->sample_header_size) % stride)
		return -EPROTO;
	return 0;
}

int panthor_perf_device_info(const struct panthor_perf_device *device,
			     struct drm_panthor_perf_info *info, uint32_t *kernel_size)
{
	uint32_t size;
	int ret;

	ret = query(device, device->numbers->info, info, sizeof(*info), &size);
	if (ret)
		return ret;
	if (kernel_size)
		*kernel_size = size;
	return check_info(info, size);
}
