// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>

#include "panthor_perf_fixture.h"
#include "panthor_perf_sampler.h"

#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER

/* Someone who wants samples. */
struct asker {
	struct panthor_perf_client client;
	struct panthor_perf_request request;
	u32 answers;
	int status;
};

static void asker_complete(struct panthor_perf_request *req, int status)
{
	struct asker *asker = container_of(req, typeof(*asker), request);

	asker->answers++;
	asker->status = status;
}

static int attach_set(struct panthor_perf_fixture *f, struct asker *asker, u32 set)
{
	struct panthor_perf_fw *fw = &f->sampler.fw;
	int ret;

	/* As START does. */
	KUNIT_ASSERT_EQ(f->test, fw->ops->power_get(fw), 0);
	KUNIT_ASSERT_EQ(f->test, panthor_perf_fw_alloc_ring(fw), 0);
	memset(asker, 0, sizeof(*asker));
	panthor_perf_client_init(&asker->client);
	panthor_perf_request_init(&asker->request, asker_complete);
	asker->status = 1;

	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_attach_locked(&f->sampler, &asker->client, set);
	mutex_unlock(&f->sampler.lock);
	if (ret)
		fw->ops->power_put(fw);

	return ret;
}

static void attach(struct panthor_perf_fixture *f, struct asker *asker)
{
	KUNIT_ASSERT_EQ(f->test, attach_set(f, asker, 0), 0);
}

static void detach(struct panthor_perf_fixture *f, struct asker *asker)
{
	mutex_lock(&f->sampler.lock);
	panthor_perf_request_cancel_locked(&asker->request);
	panthor_perf_sampler_detach_locked(&f->sampler, &asker->client);
	mutex_unlock(&f->sampler.lock);
	f->sampler.fw.ops->power_put(&f->sampler.fw);
}

static int ask(struct panthor_perf_fixture *f, struct asker *asker)
{
	int ret;

	asker->answers = 0;
	asker->status = 1;
	mutex_lock(&f->sampler.lock);
	ret = panthor_perf_sampler_request_locked(&f->sampler, &asker->request);
	mutex_unlock(&f->sampler.lock);
	return ret;
}

/* A sample that the firmware answers at once. */
static void sample(struct panthor_perf_fixture *f, struct asker *asker)
{
	KUNIT_ASSERT_EQ(f->test, ask(f, asker), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(f->test, asker->answers, 1);
	KUNIT_ASSERT_EQ(f->test, asker->status, 0);
}

static struct panthor_perf_fixture *fixture(struct kunit *test)
{
	return test->priv;
}

static void adds_beyond_32_bits(struct kunit *test)
{
	struct panthor_perf_fixture *f = fixture(test);
	struct asker a;

	attach(f, &a);
	panthor_perf_fixture_run(f);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count(&f->fake, SHADER, 3, 63, 0xf0000000);
		sample(f, &a);
	}

	KUNIT_EXPECT_EQ(test, panthor_perf_fixture_total(f, SHADER, 3, 63), 0x2d0000000);
	panthor_perf_fixture_expect_exact(f);
	KUNIT_EXPECT_EQ(test, a.client.flags, 0);
	KUNIT_EXPECT_EQ(test, a.client.events, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	detach(f, &a);
}

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE(adds_beyond_32_bits),
	{}
};

static int sampler_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void sampler_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite sampler_suite = {
	.name = "panthor_perf_sampler",
	.init = sampler_init,
	.exit = sampler_exit,
	.test_cases = sampler_cases,
};

kunit_test_suite(sampler_suite);
