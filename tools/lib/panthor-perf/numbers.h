/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_NUMBERS_H
#define PANTHOR_PERF_NUMBERS_H

#include <stdint.h>

#include <drm/panthor_perf_drm.h>

/**
 * DOC: Numbers
 *
 * The same interface may stand behind different ioctl and query numbers: mainline's, once it has
 * the interface, and the private ones of the component that is built outside of it. A
 * program that was built with a panthor_drm.h of the first kind has to work on a kernel of the
 * second, and the private numbers have no names in that header. So the library has a table of sets
 * of numbers, queries PERF_INFO by each of them when a device is opened, and uses the first one
 * that the driver knows. It tries no other ioctl.
 */

/** define PANTHOR_PERF_PRIVATE_QUERY - PERF_INFO outside of mainline */
#define PANTHOR_PERF_PRIVATE_QUERY	0x3ffffff0

/** define PANTHOR_PERF_PRIVATE_CLOCKS - PERF_CLOCKS outside of mainline */
#define PANTHOR_PERF_PRIVATE_CLOCKS	0x3ffffff1

/** define PANTHOR_PERF_PRIVATE_BASE - ioctl of SETUP outside of mainline; the others follow */
#define PANTHOR_PERF_PRIVATE_BASE	0x50

/**
 * struct panthor_perf_numbers - a set of numbers of the interface
 */
struct panthor_perf_numbers {
	/** @name: Whose they are. */
	const char *name;

	/** @info: Type of the query PERF_INFO. */
	uint32_t info;

	/** @clocks: Type of the query PERF_CLOCKS. */
	uint32_t clocks;

	/** @setup: Request SETUP. */
	unsigned long setup;

	/** @teardown: Request TEARDOWN. */
	unsigned long teardown;

	/** @start: Request START. */
	unsigned long start;

	/** @stop: Request STOP. */
	unsigned long stop;

	/** @sample: Request SAMPLE. */
	unsigned long sample;
};

/**
 * panthor_perf_numbers_get() - A set of numbers
 * @n: Which, from 0, in the order in which they are tried.
 *
 * Return: The set; %NULL behind the last one.
 */
const struct panthor_perf_numbers *panthor_perf_numbers_get(unsigned int n);

#endif /* PANTHOR_PERF_NUMBERS_H */
