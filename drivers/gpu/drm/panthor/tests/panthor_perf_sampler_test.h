/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SAMPLER_TEST_H__
#define __PANTHOR_PERF_SAMPLER_TEST_H__

/* What the suites of the sampler share. Not a header for others: its names are short. */

#include <kunit/test.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_fixture.h"
#include "panthor_perf_sampler.h"

#define FW		DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSG		DRM_PANTHOR_PERF_BLOCK_TYPE_CSG
#define CSHW		DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER		DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS		DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER		DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER

#define OVERFLOW	DRM_PANTHOR_PERF_SAMPLE_OVERFLOW
#define ERROR		DRM_PANTHOR_PERF_SAMPLE_ERROR

#define FW_ERROR	DRM_PANTHOR_PERF_EVENT_FW_ERROR
#define FW_OVERFLOW	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW
#define FW_TIMEOUT	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT
#define RESET		DRM_PANTHOR_PERF_EVENT_RESET
#define SUSPEND		DRM_PANTHOR_PERF_EVENT_SUSPEND
#define CORE_OFF_LOST	DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST

#define NO_STATUS	1

/* A client of the sampler. */
struct sampler_user {
	struct panthor_perf_fixture *fixture;
	struct panthor_perf_client client;
	struct panthor_perf_request request;
	u32 answers;
	int status;

	/* What counted() was when the answer came. */
	u64 counted;
};

/* A counter that no test but the one at hand cares for. */
static inline void count(struct panthor_perf_fixture *f, u32 events)
{
	panthor_perf_fake_fw_count(&f->fake, MEMSYS, 0, 63, events);
}

static inline u64 counted(struct panthor_perf_fixture *f)
{
	return panthor_perf_fixture_total(f, MEMSYS, 0, 63);
}

static inline void user_complete(struct panthor_perf_request *req, int status)
{
	struct sampler_user *user = container_of(req, typeof(*user), request);

	user->answers++;
	user->status = status;
	user->counted = counted(user->fixture);
}

static inline int attach_set(struct panthor_perf_fixture *f, struct sampler_user *user, u32 set)
{
	struct panthor_perf_fw *fw = &f->sampler.fw;
	int ret;

	/* As START does. */
	KUNIT_ASSERT_EQ(f->test, panthor_perf_hw_power_get(fw), 0);
	KUNIT_ASSERT_EQ(f->test, panthor_perf_hw_alloc_ring(fw), 0);
	memset(user, 0, sizeof(*user));
	user->fixture = f;
	panthor_perf_client_init(&user->client);
	panthor_perf_request_init(&user->request, user_complete);
	user->request.client = &user->client;
	user->status = NO_STATUS;

	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_attach_locked(&f->sampler, &user->client, set);
	mutex_unlock(&f->sampler.lock);
	if (ret)
		panthor_perf_hw_power_put(fw);

	return ret;
}

static inline void attach(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	KUNIT_ASSERT_EQ(f->test, attach_set(f, user, 0), 0);
}

/* Attach, and have the counters run. */
static inline void attach_on(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	attach(f, user);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_TRUE(f->test, f->fake.enabled);
}

static inline void detach(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	mutex_lock(&f->sampler.lock);
	list_del_init(&user->request.node);
	panthor_perf_sampler_detach_locked(&f->sampler, &user->client);
	mutex_unlock(&f->sampler.lock);
	panthor_perf_hw_power_put(&f->sampler.fw);
}

static inline int request_sample(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	int ret;

	user->answers = 0;
	user->status = NO_STATUS;
	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_check_locked(&f->sampler);
	/* As SAMPLE does. */
	if (ret == -EIO && f->sampler.suspended && user->request.allows_suspend)
		ret = 0;
	if (!ret)
		panthor_perf_sampler_request_locked(&f->sampler, &user->request);
	mutex_unlock(&f->sampler.lock);
	return ret;
}

/* A request that the firmware does not answer yet. */
static inline void request_unanswered(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(f->test, request_sample(f, user), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(f->test, user->answers, 0);
}

/* A sample that the firmware answers at once. */
static inline void sample(struct panthor_perf_fixture *f, struct sampler_user *user)
{
	KUNIT_ASSERT_EQ(f->test, request_sample(f, user), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(f->test, user->answers, 1);
	KUNIT_ASSERT_EQ(f->test, user->status, 0);
}

static inline void autos(struct panthor_perf_fixture *f, u32 number)
{
	for (u32 i = 0; i < number; i++)
		panthor_perf_fake_fw_auto_sample(&f->fake);
}

static inline void
expect_incidents_at(struct panthor_perf_fixture *f, const struct sampler_user *user, u32 flags,
		    u32 events, int line)
{
	KUNIT_EXPECT_EQ_MSG(f->test, user->client.flags, flags, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(f->test, user->client.events, events, "in line %d", line);
}

#define expect_incidents(f, user, flags, events) \
	expect_incidents_at(f, user, flags, events, __LINE__)

static inline u32 pending_bits(struct panthor_perf_fixture *f)
{
	return (f->fake.input.req ^ f->fake.output.ack) &
	       (GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE | GLB_PERFCNT_THRESHOLD |
		GLB_PERFCNT_OVERFLOW);
}

#endif
