/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_INTERNAL_H
#define PANTHOR_PERF_INTERNAL_H

#include "numbers.h"
#include "panthor_perf.h"

/** define DRIVER_NAME - the DRM driver of these GPUs */
#define DRIVER_NAME	"panthor"

/**
 * panthor_perf_ioctl() - Issue an ioctl
 * @device: The device.
 * @request: The request.
 * @arg: Its argument.
 *
 * An interrupted call is repeated.
 *
 * Return: 0 or a negative errno.
 */
int panthor_perf_ioctl(const struct panthor_perf_device *device, unsigned long request, void *arg);

/**
 * panthor_perf_numbers_of() - The numbers of the interface of a device
 * @device: The device.
 *
 * Return: The numbers that its driver knows; if it knows none, any.
 */
const struct panthor_perf_numbers *
panthor_perf_numbers_of(const struct panthor_perf_device *device);

/**
 * panthor_perf_open_path() - Open a node
 * @path: Its path.
 * @device: Where the device is returned.
 *
 * Return: As panthor_perf_device_open().
 */
int panthor_perf_open_path(const char *path, struct panthor_perf_device **device);

/**
 * panthor_perf_open_first() - Open the first GPU of a name
 * @name: The name as panthor_perf_device_open() takes it, no path; %NULL: any.
 * @device: Where the device is returned.
 *
 * Return: As panthor_perf_device_open().
 */
int panthor_perf_open_first(const char *name, struct panthor_perf_device **device);

#endif /* PANTHOR_PERF_INTERNAL_H */
