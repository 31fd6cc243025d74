/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counters of GPUs that the panthor driver runs, for Mesa's counter library, by libpanthor-perf.
 *
 * A back-end is created for a file of the driver, and then enabled, dumped any number of times, and
 * disabled. A dump has what the GPU counted since the dump before, or since the enable.
 */
#ifndef PAN_PERF_PANTHOR_H
#define PAN_PERF_PANTHOR_H

#include <stdbool.h>
#include <stdint.h>

/* Blocks that Mesa calls categories, in their order: front end, tiler, memory system, shader cores. */
#define PAN_PERF_PANTHOR_CATEGORIES 4

/* Values of a category. */
#define PAN_PERF_PANTHOR_VALUES 128

struct pan_perf_panthor;

/**
 * pan_perf_open() - Open the render node of the first GPU with counters
 *
 * Return: File, or a negative errno.
 */
int pan_perf_open(void);

/**
 * pan_perf_panthor_create() - Create a back-end
 * @fd: File of a DRM device. Must stay open.
 * @backend: Set to the back-end.
 *
 * Return: 0; -ENOTSUP if another driver has the device; -ENOSYS if the driver knows no counters;
 * -ENOMEM. Errors but the first are printed.
 */
int pan_perf_panthor_create(int fd, struct pan_perf_panthor **backend);

/**
 * pan_perf_panthor_destroy() - Free a back-end, disable it if necessary
 * @backend: Back-end, or NULL.
 */
void pan_perf_panthor_destroy(struct pan_perf_panthor *backend);

/**
 * pan_perf_panthor_table() - Get the name of the GPU's table of counters
 * @backend: Back-end.
 *
 * Return: Name, as in the tables that counters_xml.py makes: "panthor_G710". NULL if there is none.
 */
const char *pan_perf_panthor_table(const struct pan_perf_panthor *backend);

/**
 * pan_perf_panthor_enable() - Start to count
 * @backend: Back-end, not enabled.
 *
 * Return: 0 or a negative errno. -EACCES: counting needs a right, which is printed.
 */
int pan_perf_panthor_enable(struct pan_perf_panthor *backend);

/**
 * pan_perf_panthor_disable() - Stop to count
 * @backend: Back-end.
 *
 * Return: 0 or a negative errno.
 */
int pan_perf_panthor_disable(struct pan_perf_panthor *backend);

/**
 * pan_perf_panthor_dump() - Get the counts since the dump before
 * @backend: Back-end, enabled.
 * @values: %PAN_PERF_PANTHOR_CATEGORIES times %PAN_PERF_PANTHOR_VALUES values. Each is the sum over
 *          the blocks of a category, at most UINT32_MAX.
 *
 * Waits for the GPU's sample, for at most 10 s.
 *
 * Return: 0 or a negative errno.
 */
int pan_perf_panthor_dump(struct pan_perf_panthor *backend, uint32_t *values);

#endif
