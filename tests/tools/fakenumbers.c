// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the fake driver that knows by which numbers it is called. */

#include <stddef.h>

#include "fakedrm.h"
#include "fakeparts.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define PRIVATE(n, type)	DRM_IOWR(DRM_COMMAND_BASE + 0x50 + (n), type)

/* A panthor_drm.h without names for them does not say what mainline's numbers are. */
#ifdef DRM_PANTHOR_PERF_OUT_OF_TREE
#define HAS_MAINLINE	false
#else
#define HAS_MAINLINE	true
#endif

unsigned long fake_known_request(unsigned long request)
{
	static const unsigned long requests[][2] = {
		{ PRIVATE(0, struct drm_panthor_perf_setup), DRM_IOCTL_PANTHOR_PERF_SETUP },
		{ PRIVATE(1, struct drm_panthor_perf_teardown), DRM_IOCTL_PANTHOR_PERF_TEARDOWN },
		{ PRIVATE(2, struct drm_panthor_perf_start), DRM_IOCTL_PANTHOR_PERF_START },
		{ PRIVATE(3, struct drm_panthor_perf_stop), DRM_IOCTL_PANTHOR_PERF_STOP },
		{ PRIVATE(4, struct drm_panthor_perf_sample), DRM_IOCTL_PANTHOR_PERF_SAMPLE },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		if (fake.settings.numbers & FAKE_PRIVATE && request == requests[i][0])
			return requests[i][1];
		if (fake.settings.numbers & FAKE_MAINLINE && HAS_MAINLINE &&
		    request == requests[i][1])
			return request;
		if (request == requests[i][0] || request == requests[i][1])
			return 0;
	}
	return request;
}

bool fake_is_info(uint32_t type)
{
	return (fake.settings.numbers & FAKE_PRIVATE && type == 0x3ffffff0) ||
	       (fake.settings.numbers & FAKE_MAINLINE && HAS_MAINLINE &&
		type == DRM_PANTHOR_DEV_QUERY_PERF_INFO);
}

bool fake_is_clocks(uint32_t type)
{
	return (fake.settings.numbers & FAKE_PRIVATE && type == 0x3ffffff1) ||
	       (fake.settings.numbers & FAKE_MAINLINE && HAS_MAINLINE &&
		type == DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS);
}
