/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef TESTS_TOOLS_FAKEPARTS_H
#define TESTS_TOOLS_FAKEPARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <drm/panthor_perf_drm.h>

/**
 * struct fake_object - a buffer object
 */
struct fake_object {
	/** @offset: Where it lies in the node's file. */
	uint64_t offset;

	/** @size: Its bytes. */
	uint64_t size;

	/** @open: Its handle is open. */
	bool open;
};

/**
 * fake_objects_reset() - Forget all buffer objects
 */
void fake_objects_reset(void);

/**
 * fake_object_create() - Create a buffer object
 * @fd: The node.
 * @args: What was asked for.
 *
 * Return: 0 or an errno.
 */
int fake_object_create(int fd, struct drm_panthor_bo_create *args);

/**
 * fake_object_find() - Find a buffer object
 * @handle: Its handle.
 *
 * Return: The object; %NULL if the handle is not open.
 */
struct fake_object *fake_object_find(uint32_t handle);

/**
 * fake_known_request() - Translate a request
 * @request: The request as it came.
 *
 * Return: The number of the header; 0 if the driver does not know the request by the number that it
 * came with.
 */
unsigned long fake_known_request(unsigned long request);

/**
 * fake_is_info() - Is a query that of PERF_INFO?
 * @type: The type as it came.
 *
 * Return: Whether it is, and the driver knows it by this number.
 */
bool fake_is_info(uint32_t type);

/**
 * fake_is_clocks() - Is a query that of PERF_CLOCKS?
 * @type: The type as it came.
 *
 * Return: Whether it is, and the driver knows it by this number.
 */
bool fake_is_clocks(uint32_t type);

/**
 * typedef fake_order_fn - takes an ordered sample later, by fake_sample()
 * @session: Handle of the session.
 * @user_data: As it came.
 * @ops: Its operations.
 * @count: Their number.
 *
 * Return: 0, or an errno of the ioctl.
 */
typedef int (*fake_order_fn)(uint32_t session, uint64_t user_data,
			     const struct drm_panthor_sync_op *ops, uint32_t count);

/*
 * NULL: SAMPLE takes each sample at once. Its operations have handles of this driver's only syncobj
 * then, 1, and wait for nothing.
 */
extern fake_order_fn fake_order;

/**
 * fake_sample() - Take a sample that &fake_order has accepted
 * @session: Handle of the session, which may have been stopped or be gone.
 * @user_data: As it came.
 */
void fake_sample(uint32_t session, uint64_t user_data);

/**
 * fake_clock_ns() - Read a clock
 * @id: The clock.
 *
 * Return: Its time in ns.
 */
uint64_t fake_clock_ns(clockid_t id);

/**
 * fake_raw_of() - CLOCK_MONOTONIC_RAW at a time of CLOCK_MONOTONIC
 * @mono: The time, which has just passed, in ns.
 *
 * Return: The same in ns of CLOCK_MONOTONIC_RAW.
 */
uint64_t fake_raw_of(uint64_t mono);

#endif /* TESTS_TOOLS_FAKEPARTS_H */
