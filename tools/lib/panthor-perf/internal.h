/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_INTERNAL_H
#define PANTHOR_PERF_INTERNAL_H

#include "panthor_perf.h"

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

#endif /* PANTHOR_PERF_INTERNAL_H */
