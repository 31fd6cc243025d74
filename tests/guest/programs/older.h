/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Calls of the older interface, as its programs make them: nothing of the driver's headers.
 */
#ifndef PERF_TEST_OLDER_H
#define PERF_TEST_OLDER_H

#include <stdint.h>

#define OLDER_QUERY		0x3FFFFFFE
#define OLDER_CONTROL		0xC018649E

enum { OLDER_SETUP, OLDER_TEARDOWN, OLDER_START, OLDER_STOP, OLDER_SAMPLE };

#define OLDER_TYPES		6
/* What a client of 64-bit sends with TEARDOWN: the size of something else. */
#define OLDER_TEARDOWN_SIZE	128
/* SETUP without the last masks. */
#define OLDER_SHORT_SETUP	120

struct older_control {
	uint32_t cmd, handle;
	uint64_t size, pointer;
};

struct older_setup {
	uint8_t set, pad[7];
	uint32_t fd, ring, control, slots;
	uint64_t control_offset, period_ns;
	uint64_t masks[OLDER_TYPES][2];
};

_Static_assert(sizeof(struct older_control) == 24 && sizeof(struct older_setup) == 136, "sizes");

#endif
