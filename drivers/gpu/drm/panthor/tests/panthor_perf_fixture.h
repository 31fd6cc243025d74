/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_FIXTURE_H__
#define __PANTHOR_PERF_FIXTURE_H__

#include <kunit/test.h>

#include "panthor_perf_device.h"
#include "panthor_perf_fake_fw.h"
#include "panthor_perf_sampler.h"

/**
 * struct panthor_perf_fixture - A sampler on a fake firmware
 */
struct panthor_perf_fixture {
	/** @test: Test that runs. */
	struct kunit *test;

	/** @fake: The firmware. */
	struct panthor_perf_fake_fw fake;

	/** @layout: What the driver made of the sizes. */
	struct panthor_perf_layout *layout;

	union {
		/** @perf: What a device has, for the suites of the ioctls. */
		struct panthor_perf perf;

		/** @sampler: The sampler, which it begins with. */
		struct panthor_perf_sampler sampler;
	};

	/** @priv: What a suite adds. */
	void *priv;
};

static_assert(!offsetof(struct panthor_perf, sampler));

struct panthor_perf_fixture *
panthor_perf_fixture_create(struct kunit *test, const struct panthor_perf_fake_shape *shape);
void panthor_perf_fixture_destroy(struct panthor_perf_fixture *fixture);
int panthor_perf_fixture_init(struct kunit *test);
void panthor_perf_fixture_exit(struct kunit *test);

void panthor_perf_fixture_sleep_to_phase(u64 period, u32 percent);

/* The worker */
void panthor_perf_fixture_run(struct panthor_perf_fixture *fixture);
void panthor_perf_fixture_let_go(struct panthor_perf_fixture *fixture);
void panthor_perf_fixture_overdue(struct panthor_perf_fixture *fixture);
void panthor_perf_fixture_watchdog(struct panthor_perf_fixture *fixture);

/* The hooks, on the path of fence signalling */
void panthor_perf_fixture_suspend(struct panthor_perf_fixture *fixture);
void panthor_perf_fixture_resume(struct panthor_perf_fixture *fixture, bool cold);
void panthor_perf_fixture_pre_reset(struct panthor_perf_fixture *fixture);
void panthor_perf_fixture_post_reset(struct panthor_perf_fixture *fixture, bool failed);
void panthor_perf_fixture_unplug(struct panthor_perf_fixture *fixture);

/* The numbers */
u64 panthor_perf_fixture_total(struct panthor_perf_fixture *fixture, u8 type, u32 rank,
			       u32 counter);
void panthor_perf_fixture_expect_exact(struct panthor_perf_fixture *fixture);

#endif
