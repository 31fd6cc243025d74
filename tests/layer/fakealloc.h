/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Failures that a program has planned, by a function of a device: "vkFailTEST", a PFN_fake_fail.
 * Only the layer of panthor-perf has these functions in place of those of the C library.
 * FAKE_FAIL=N is for a program that has no device yet: the N-th allocation of its thread fails,
 * with the line %FAKE_FAILED on stderr.
 */
#ifndef TESTS_LAYER_FAKEALLOC_H
#define TESTS_LAYER_FAKEALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_FAILED	"fakealloc: no memory"

/** enum fake_failure - what fails */
enum fake_failure {
	/** @FAKE_FAIL_NOTHING: Nothing. */
	FAKE_FAIL_NOTHING,

	/** @FAKE_FAIL_OWN: The n-th allocation of the thread that says so, from 1. */
	FAKE_FAIL_OWN,

	/** @FAKE_FAIL_OTHERS: All allocations of other threads. */
	FAKE_FAIL_OTHERS,

	/** @FAKE_FAIL_SUBMISSIONS: The next n submissions that the driver would get. */
	FAKE_FAIL_SUBMISSIONS,
};

/**
 * fake_fail() - Plan failures
 * @what: What fails.
 * @number: Which one, or how many.
 *
 * Return: How many there were since the last call.
 */
uint32_t fake_fail(enum fake_failure what, uint32_t number);

/** PFN_fake_fail - fake_fail() */
typedef uint32_t (*PFN_fake_fail)(enum fake_failure what, uint32_t number);

bool fake_is_refused(void);
bool fake_fails(void);
void *fake_calloc(size_t count, size_t size);
void *fake_malloc(size_t size);

#endif
