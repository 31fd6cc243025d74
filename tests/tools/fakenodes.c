// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the fake libdrm that knows nodes: which ones there are, and what they are. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>

/*
 * The driver's name is what stands behind the last dot of the node's, up to the " (deleted)" of a
 * file without a name.
 */
drmVersionPtr drmGetVersion(int fd)
{
	drmVersionPtr version;
	char link[64], path[512];
	struct stat stat;
	ssize_t size;
	char *dot;

	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode))
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, sizeof(path) - 1);
	path[size < 0 ? 0 : size] = 0;
	dot = strrchr(path, '.');
	version = calloc(1, sizeof(*version));
	if (!version)
		return NULL;
	version->version_major = 1;
	version->version_minor = 3;
	version->name = dot ? strndup(dot + 1, strcspn(dot + 1, " ")) : strdup("");
	return version;
}

void drmFreeVersion(drmVersionPtr version)
{
	if (version)
		free(version->name);
	free(version);
}

static void set_bus(drmDevicePtr device, const char *bus, int n)
{
	unsigned int domain, number, dev, func;

	if (bus && sscanf(bus, "pci=%x:%x:%x.%u", &domain, &number, &dev, &func) == 4) {
		device->bustype = DRM_BUS_PCI;
		device->businfo.pci = calloc(1, sizeof(*device->businfo.pci));
		*device->businfo.pci = (drmPciBusInfo) { domain, number, dev, func };
		return;
	}
	device->bustype = DRM_BUS_PLATFORM;
	device->businfo.platform = calloc(1, sizeof(*device->businfo.platform));
	if (bus && !strncmp(bus, "platform=", 9))
		snprintf(device->businfo.platform->fullname, DRM_PLATFORM_DEVICE_NAME_LEN, "%s",
			 bus + 9);
	else
		snprintf(device->businfo.platform->fullname, DRM_PLATFORM_DEVICE_NAME_LEN,
			 "/fake/gpu@%d", n);
}

int drmGetDevices2(uint32_t flags, drmDevicePtr devices[], int max_devices)
{
	const char *nodes = getenv("FAKE_NODES"), *buses = getenv("FAKE_BUSES");
	char *copy = strdup(nodes ? nodes : ""), *bus_copy = strdup(buses ? buses : "");
	char *rest = copy, *bus_rest = bus_copy, *node;
	int count = 0;

	(void)flags;
	while (rest && (node = strsep(&rest, ":"))) {
		char *bus = bus_rest ? strsep(&bus_rest, " ") : NULL;

		if (!*node)
			continue;
		if (devices && count < max_devices) {
			drmDevicePtr device = calloc(1, sizeof(*device));
			char card[32];

			snprintf(card, sizeof(card), "/fake/card%d", count);
			device->nodes = calloc(DRM_NODE_MAX, sizeof(char *));
			device->nodes[DRM_NODE_PRIMARY] = strdup(card);
			device->nodes[DRM_NODE_RENDER] = strdup(node);
			device->available_nodes = 1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER;
			set_bus(device, bus, count);
			devices[count] = device;
		}
		count++;
	}
	free(copy);
	free(bus_copy);
	return count;
}

void drmFreeDevices(drmDevicePtr devices[], int count)
{
	while (count-- > 0) {
		free(devices[count]->nodes[DRM_NODE_PRIMARY]);
		free(devices[count]->nodes[DRM_NODE_RENDER]);
		free(devices[count]->nodes);
		free(devices[count]->businfo.pci);
		free(devices[count]);
	}
}

char *drmGetDeviceNameFromFd2(int fd)
{
	char link[64], path[512];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, sizeof(path) - 1);
	if (size < 0)
		return NULL;
	path[size] = 0;
	return strdup(path);
}
