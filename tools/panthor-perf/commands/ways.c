// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <panthor_drm.h>
#include <panthor_perf.h>
#include <xf86drm.h>

#include "ways.h"

#define PMUS	"/sys/bus/event_source/devices"

/* The query of the older interface. */
#define QUERY_PERF_CONTROL	0x3ffffffe

/* The PMU has the name of the device up to the first dot. */
static void find_pmu(int fd, struct ways *ways)
{
	char link[64], path[PATH_MAX], *name;
	struct stat stat;

	if (fstat(fd, &stat) || !S_ISCHR(stat.st_mode))
		return;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(stat.st_rdev),
		 minor(stat.st_rdev));
	if (!realpath(link, path))
		return;
	name = strrchr(path, '/') + 1;
	name[strcspn(name, ".")] = 0;
	for (char *colon = strchr(name, ':'); colon; colon = strchr(colon, ':'))
		*colon = '_';
	snprintf(ways->pmu, sizeof(ways->pmu), "panthor_%.48s", name);
	snprintf(path, sizeof(path), PMUS "/%s", ways->pmu);
	if (access(path, F_OK))
		ways->pmu[0] = 0;
}

/**
 * find_ways() - Find the ways to the counters of a GPU
 * @device: The GPU.
 * @ways: Set to them.
 */
void find_ways(const struct panthor_perf_device *device, struct ways *ways)
{
	struct drm_panthor_dev_query query = { .type = QUERY_PERF_CONTROL };
	int fd = panthor_perf_device_fd(device);

	memset(ways, 0, sizeof(*ways));
	find_pmu(fd, ways);
	ways->control = !drmIoctl(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query);
}
