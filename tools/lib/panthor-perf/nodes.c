// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

#include "internal.h"

#define MAX_BUS_NAME	600
#define DRIVER_FOLDER	"/sys/bus/platform/drivers/" DRIVER_NAME

typedef int (*device_fn)(drmDevicePtr device, void *arg);

/* Calls FN with each device of libdrm's list until it returns something else than 0. */
static int walk_devices(device_fn fn, void *arg)
{
	int count = drmGetDevices2(0, NULL, 0);
	drmDevicePtr *devices;
	int i, ret = 0;

	if (count <= 0)
		return count == -ENOENT ? 0 : count;
	devices = calloc(count, sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	/* There may be more or fewer by now. */
	ret = drmGetDevices2(0, devices, count);
	if (ret < 0) {
		free(devices);
		return ret;
	}
	count = ret < count ? ret : count;
	for (i = 0, ret = 0; i < count && !ret; i++)
		ret = fn(devices[i], arg);
	drmFreeDevices(devices, count);
	free(devices);
	return ret;
}

static const char *node_of(drmDevicePtr device, int type)
{
	return device->available_nodes & (1 << type) ? device->nodes[type] : NULL;
}

static void bus_name(drmDevicePtr device, char *name, size_t size)
{
	switch (device->bustype) {
	case DRM_BUS_PCI:
		snprintf(name, size, "pci:%04x:%02x:%02x.%u", device->businfo.pci->domain,
			 device->businfo.pci->bus, device->businfo.pci->dev,
			 device->businfo.pci->func);
		break;
	case DRM_BUS_PLATFORM:
		snprintf(name, size, "platform:%s", device->businfo.platform->fullname);
		break;
	default:
		*name = 0;
		break;
	}
}

static const char *behind(const char *text, char what)
{
	const char *found = strrchr(text, what);

	return found ? found + 1 : text;
}

/* With or without the bus's kind; of a platform device's path, its last part is enough. */
static bool is_called(drmDevicePtr device, const char *name)
{
	char bus[MAX_BUS_NAME];
	int i;

	for (i = 0; i < DRM_NODE_MAX; i++) {
		const char *node = node_of(device, i);

		if (node && (!strcmp(name, node) || !strcmp(name, behind(node, '/'))))
			return true;
	}
	bus_name(device, bus, sizeof(bus));
	if (!*bus)
		return false;
	return !strcmp(name, bus) || !strcmp(name, strchr(bus, ':') + 1) ||
	       (device->bustype == DRM_BUS_PLATFORM && !strcmp(name, behind(bus, '/')));
}

/* The driver of a node that cannot be opened. */
static bool may_be_panthor(const char *node)
{
	char link[64], target[512];
	struct stat stat_buf;
	ssize_t size;

	if (stat(node, &stat_buf))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device/driver",
		 major(stat_buf.st_rdev), minor(stat_buf.st_rdev));
	size = readlink(link, target, sizeof(target) - 1);
	if (size < 0)
		return true;
	target[size] = 0;
	return !strcmp(behind(target, '/'), DRIVER_NAME);
}

/* It has links to its devices, and to its module. */
static bool driver_has_device(void)
{
	DIR *folder = opendir(DRIVER_FOLDER);
	struct dirent *entry;
	bool found = false;

	while (folder && !found && (entry = readdir(folder)))
		found = entry->d_type == DT_LNK && strcmp(entry->d_name, "module");
	if (folder)
		closedir(folder);
	return found;
}

/**
 * struct opening - a search for a GPU
 */
struct opening {
	/** @name: The name that it must have, %NULL: any. */
	const char *name;

	/** @device: Where it is returned. */
	struct panthor_perf_device **device;

	/** @error: Error to return if there is none. */
	struct panthor_perf_error error;
};

/*
 * A node that cannot be opened may be the requested GPU. The function returns its error if there is
 * no other suitable node.
 */
static int open_if(drmDevicePtr drm, void *arg)
{
	const char *node = node_of(drm, DRM_NODE_RENDER);
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct opening *opening = arg;
	int err;

	if (!node || (opening->name && !is_called(drm, opening->name)))
		return 0;
	err = panthor_perf_open_path(node, opening->device, &error);
	if (!err)
		return 1;
	if (opening->name || err == -ENOMEM || err == -EMFILE ||
	    ((err == -EACCES || err == -EPERM) && may_be_panthor(node)))
		opening->error = error;
	return 0;
}

int panthor_perf_open_first(const char *name, struct panthor_perf_device **device,
			    struct panthor_perf_error *error)
{
	struct opening opening = {
		.name = name,
		.device = device,
		.error = PANTHOR_PERF_ERROR_INIT,
	};
	int ret;

	if (name)
		panthor_perf_fail(&opening.error, -ENOENT, "there is neither a file nor a GPU "
				  "of the driver " DRIVER_NAME " of the name '%s'", name);
	else if (driver_has_device())
		panthor_perf_fail(&opening.error, -ENODEV, "the driver " DRIVER_NAME " has a GPU, "
				  "but there is no node of it in /dev/dri: a container has "
				  "to be given it");
	else
		panthor_perf_fail(&opening.error, -ENODEV, "there is no GPU of the driver "
				  DRIVER_NAME);
	ret = walk_devices(open_if, &opening);
	if (ret < 0)
		return panthor_perf_fail_errno(error, ret, "the search for GPUs");
	if (ret)
		return 0;
	return panthor_perf_fail(error, opening.error.code, "%s", opening.error.text);
}

/**
 * struct listing - a walk over all GPUs
 */
struct listing {
	/** @fn: The caller's function. */
	int (*fn)(const struct panthor_perf_node *node, void *arg);

	/** @arg: Its argument. */
	void *arg;
};

static int list_if(drmDevicePtr drm, void *arg)
{
	struct panthor_perf_device *device;
	struct listing *listing = arg;
	char bus[MAX_BUS_NAME];
	struct panthor_perf_node node = {
		.render = node_of(drm, DRM_NODE_RENDER),
		.primary = node_of(drm, DRM_NODE_PRIMARY),
		.bus = bus,
	};

	if (!node.render)
		return 0;
	node.err = panthor_perf_open_path(node.render, &device, NULL);
	if (!node.err)
		panthor_perf_device_close(device);
	else if ((node.err != -EACCES && node.err != -EPERM) || !may_be_panthor(node.render))
		return 0;
	bus_name(drm, bus, sizeof(bus));
	return listing->fn(&node, listing->arg);
}

int panthor_perf_device_enumerate(int (*fn)(const struct panthor_perf_node *node, void *arg),
				  void *arg, struct panthor_perf_error *error)
{
	struct listing listing = { .fn = fn, .arg = arg };
	int ret = walk_devices(list_if, &listing);

	return ret < 0 ? panthor_perf_fail_errno(error, ret, "the search for GPUs") : ret;
}
