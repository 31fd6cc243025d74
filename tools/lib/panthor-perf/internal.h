/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_INTERNAL_H
#define PANTHOR_PERF_INTERNAL_H

#include <errno.h>
#include <stddef.h>

#include "gpu.h"
#include "numbers.h"
#include "panthor_perf.h"

/** define DRIVER_NAME - the DRM driver of these GPUs */
#define DRIVER_NAME	"panthor"

/** define ARRAY_SIZE - number of elements of an array */
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/** define ERROR_FIRST_SIZE - bytes of &struct panthor_perf_error in the first version */
#define ERROR_FIRST_SIZE	(offsetof(struct panthor_perf_error, text) + 256)

/** define QUALITY_FIRST_SIZE - bytes of &struct panthor_perf_quality in the first version */
#define QUALITY_FIRST_SIZE	(offsetof(struct panthor_perf_quality, reserved) + sizeof(uint32_t))

/** define CONSTANTS_FIRST_SIZE - bytes of &struct panthor_perf_constants in the first version */
#define CONSTANTS_FIRST_SIZE \
	(offsetof(struct panthor_perf_constants, shader_cycles) + sizeof(uint64_t))

/**
 * panthor_perf_use() - Another object needs one
 * @users: Its number of users.
 */
static inline void panthor_perf_use(const unsigned int *users)
{
	__atomic_add_fetch((unsigned int *)users, 1, __ATOMIC_RELAXED);
}

/**
 * panthor_perf_unuse() - The opposite of panthor_perf_use()
 * @users: The number of users.
 */
static inline void panthor_perf_unuse(const unsigned int *users)
{
	__atomic_sub_fetch((unsigned int *)users, 1, __ATOMIC_RELAXED);
}

/**
 * panthor_perf_unused() - An object is destroyed: no other object may need it
 * @users: Its number of users.
 * @what: What it is, for the message of a build with PANTHOR_PERF_DEBUG, which ends the program.
 */
void panthor_perf_unused(const unsigned int *users, const char *what);

/**
 * panthor_perf_fail_at() - Fail with a message about a place in a text
 * @error: Where the error is written. May be %NULL.
 * @code: The negative errno.
 * @file: The file; %NULL: none.
 * @line: Line of the file; 0: none.
 * @column: Column; 0: none.
 * @format: The message, as for printf().
 *
 * Return: @code.
 */
__attribute__((format(printf, 6, 7)))
int panthor_perf_fail_at(struct panthor_perf_error *error, int code, const char *file,
			 unsigned int line, unsigned int column, const char *format, ...);

/**
 * panthor_perf_fail() - Fail with a message
 * @error: Where the error is written. May be %NULL.
 * @code: The negative errno.
 *
 * Return: @code.
 */
#define panthor_perf_fail(error, code, ...) \
	panthor_perf_fail_at(error, code, NULL, 0, 0, __VA_ARGS__)

/**
 * panthor_perf_fail_errno() - Fail with the system's message
 * @error: Where the error is written. May be %NULL.
 * @code: The negative errno.
 * @what: What was tried.
 *
 * Return: @code.
 */
int panthor_perf_fail_errno(struct panthor_perf_error *error, int code, const char *what);

/**
 * panthor_perf_fail_memory() - Fail because there is no memory
 * @error: Where the error is written. May be %NULL.
 *
 * Return: -ENOMEM.
 */
int panthor_perf_fail_memory(struct panthor_perf_error *error);

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
 * panthor_perf_device_use() - A session needs a device
 * @device: The device.
 */
void panthor_perf_device_use(const struct panthor_perf_device *device);

/**
 * panthor_perf_device_unuse() - The opposite of panthor_perf_device_use()
 * @device: The device.
 */
void panthor_perf_device_unuse(const struct panthor_perf_device *device);

/**
 * panthor_perf_open_path() - Open a node
 * @path: Its path.
 * @device: Where the device is returned.
 * @error: What is wrong. May be %NULL.
 *
 * Return: As panthor_perf_device_open().
 */
int panthor_perf_open_path(const char *path, struct panthor_perf_device **device,
			   struct panthor_perf_error *error);

/**
 * panthor_perf_open_first() - Open the first GPU of a name
 * @name: The name as panthor_perf_device_open() takes it, no path; %NULL: any.
 * @device: Where the device is returned.
 * @error: What is wrong. May be %NULL.
 *
 * Return: As panthor_perf_device_open().
 */
int panthor_perf_open_first(const char *name, struct panthor_perf_device **device,
			    struct panthor_perf_error *error);

#endif /* PANTHOR_PERF_INTERNAL_H */
