// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fakealloc.h"

#define VARIABLE	"FAKE_FAIL"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum fake_failure failure;
static pthread_t caller;
static uint32_t rest, failed;

uint32_t fake_fail(enum fake_failure what, uint32_t number)
{
	uint32_t before;

	pthread_mutex_lock(&lock);
	before = failed;
	failed = 0;
	failure = what;
	rest = number;
	caller = pthread_self();
	pthread_mutex_unlock(&lock);
	return before;
}

bool fake_is_refused(void)
{
	bool refused;

	pthread_mutex_lock(&lock);
	refused = failure == FAKE_FAIL_SUBMISSIONS && rest;
	if (refused) {
		rest--;
		failed++;
	}
	pthread_mutex_unlock(&lock);
	return refused;
}

/** fake_fails() - Has an allocation to fail that is made now? */
bool fake_fails(void)
{
	bool now = false;

	pthread_mutex_lock(&lock);
	if (failure == FAKE_FAIL_OWN && pthread_equal(caller, pthread_self()))
		now = rest && !--rest;
	else if (failure == FAKE_FAIL_OTHERS)
		now = !pthread_equal(caller, pthread_self());
	failed += now;
	if (now && getenv(VARIABLE))
		fprintf(stderr, "%s\n", FAKE_FAILED);
	pthread_mutex_unlock(&lock);
	return now;
}

void *fake_calloc(size_t count, size_t size)
{
	return fake_fails() ? NULL : calloc(count, size);
}

void *fake_malloc(size_t size)
{
	return fake_fails() ? NULL : malloc(size);
}

static void __attribute__((constructor)) begin(void)
{
	const char *number = getenv(VARIABLE);

	if (number)
		fake_fail(FAKE_FAIL_OWN, atoi(number));
}
