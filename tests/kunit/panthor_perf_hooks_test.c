// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the driver calls of the counters: the hooks into its life, for a GPU with counters and for
 * one without.
 */

#include <linux/clk-provider.h>
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>

#include "panthor_fw.h"
#include "panthor_fw_regs.h"
#include "panthor_perf_ioctl_test.h"
#include "panthor_perf_rawdump.h"

struct one {
	struct client client;
	struct owner u;
};

/* A hook has released all locks and annotations that it took. */
static void expect_nothing_held(struct kunit *test, const char *after)
{
#ifdef CONFIG_LOCKDEP
	KUNIT_EXPECT_EQ_MSG(test, current->lockdep_depth, 0, "after %s", after);
#endif
}

static void suspend(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	panthor_perf_suspend(one->client.ptdev);
	expect_nothing_held(test, "suspend");
	panthor_perf_fake_fw_shut_down(&f->fake);
}

static void resume(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	panthor_perf_fake_fw_restart(&f->fake, false);
	panthor_perf_resume(one->client.ptdev);
	expect_nothing_held(test, "resume");
	panthor_perf_fixture_run(f);
}

static void pre_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	panthor_perf_pre_reset(one->client.ptdev);
	expect_nothing_held(test, "pre_reset");
	panthor_perf_fake_fw_shut_down(&f->fake);
}

static void post_reset(struct kunit *test, bool failed)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	if (!failed)
		panthor_perf_fake_fw_restart(&f->fake, true);
	panthor_perf_post_reset(one->client.ptdev, failed);
	expect_nothing_held(test, "post_reset");
	panthor_perf_fixture_run(f);
}

/* Counts before the suspend and behind it are in the one sample that STOP takes. */
static void session_over_a_suspend(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct owner *u = &one->u;

	owner_setup(u);
	owner_start(u);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 5);
	suspend(test);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);

	resume(test);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 7);

	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, value_at(f, &u->p, 0, FW, 0, 9), 5 + 7);
	KUNIT_EXPECT_TRUE(test, header_at(&u->p, 0)->events & DRM_PANTHOR_PERF_EVENT_SUSPEND);
}

/* What lies in the ring is read before the reset, and counters run again behind it. */
static void session_over_a_reset(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct owner *u = &one->u;

	owner_setup(u);
	owner_start(u);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 5);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	pre_reset(test);
	post_reset(test, false);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 7);

	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, value_at(f, &u->p, 0, FW, 0, 9), 5 + 7);
	KUNIT_EXPECT_TRUE(test, header_at(&u->p, 0)->events & DRM_PANTHOR_PERF_EVENT_RESET);
}

/* A firmware that does not boot again starts no session. */
static void reset_that_failed(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct owner *u = &one->u;

	owner_setup(u);
	pre_reset(test);
	post_reset(test, true);
	KUNIT_EXPECT_EQ(test, do_start(u, 0), -EIO);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);
}

/* After a resume that has failed, SAMPLE fails, and STOP ends with all counts. */
static void resume_that_failed(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct owner *u = &one->u;

	owner_setup(u);
	owner_start(u);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 5);
	suspend(test);
	panthor_perf_resume_failed(one->client.ptdev);
	expect_nothing_held(test, "resume_failed");
	KUNIT_EXPECT_EQ(test, do_sample(u, 0), -EIO);
	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, value_at(f, &u->p, 0, FW, 0, 9), 5);
	KUNIT_EXPECT_EQ(test, header_at(&u->p, 0)->flags, DRM_PANTHOR_PERF_SAMPLE_FINAL);

	resume(test);
	owner_start(u);
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 7);
	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, value_at(f, &u->p, 1, FW, 0, 9), 7);
}

/* An interrupt of the firmware queues the worker while counters run, and at no other time. */
static void interrupts(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct panthor_device *ptdev = one->client.ptdev;
	struct owner *u = &one->u;

	panthor_perf_report_irq(ptdev, JOB_INT_GLOBAL_IF);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&f->sampler.work));

	owner_setup(u);
	owner_start(u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, do_sample(u, 0), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fake_fw_let_go(&f->fake);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 0);

	/* Of a group of command streams. */
	panthor_perf_report_irq(ptdev, BIT(0));
	KUNIT_EXPECT_TRUE(test, timer_pending(&f->sampler.work.timer));

	panthor_perf_report_irq(ptdev, JOB_INT_GLOBAL_IF | BIT(0));
	KUNIT_EXPECT_FALSE(test, timer_pending(&f->sampler.work.timer));
	flush_delayed_work(&f->sampler.work);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
}

/* A GPU without counters has the same life. */
static void hooks_without_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct panthor_device *ptdev = one->client.ptdev;

	ptdev->perf = NULL;
	panthor_perf_report_irq(ptdev, JOB_INT_GLOBAL_IF);
	panthor_perf_suspend(ptdev);
	panthor_perf_resume(ptdev);
	panthor_perf_resume_failed(ptdev);
	panthor_perf_pre_reset(ptdev);
	panthor_perf_post_reset(ptdev, false);
	panthor_perf_post_reset(ptdev, true);
	panthor_perf_unplug(ptdev);
	panthor_perf_free_ring(ptdev);
	expect_nothing_held(test, "all of them");
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, 0);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&f->sampler.work));
}

/* Memory that the MCU may write to is not freed. */
static void ring_stays_until_the_mcu_stops(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fw *fw = &f->sampler.fw;
	struct one *one = f->priv;

	owner_setup(&one->u);
	owner_start(&one->u);
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_unplug(one->client.ptdev);
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	KUNIT_EXPECT_NOT_NULL(test, fw->ring);

	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_free_ring(one->client.ptdev);
	KUNIT_EXPECT_NULL(test, fw->ring);
}

static void unplug_in_the_middle(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	owner_setup(&one->u);
	owner_start(&one->u);
	panthor_perf_unplug(one->client.ptdev);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
}

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_RAWDUMP)
/* An experiment of another thread, as the file in debugfs does it. */
struct experimenter {
	struct work_struct work;
	struct panthor_device *ptdev;
	struct panthor_perf_rawdump *dump;
	int ret;
};

static void experiment_work(struct work_struct *work)
{
	static const struct panthor_perf_rawdump_params params = {
		.requests = PANTHOR_PERF_RAWDUMP_MAX_REQUESTS,
		.wait_us = PANTHOR_PERF_RAWDUMP_MAX_WAIT_US,
	};
	struct experimenter *e = container_of(work, struct experimenter, work);
	struct panthor_perf_sampler *sampler = &e->ptdev->perf->sampler;
	int cookie;

	if (!drm_dev_enter(&e->ptdev->base, &cookie))
		return;

	panthor_perf_hw_power_get(&sampler->fw);
	e->ret = panthor_perf_hw_alloc_ring(&sampler->fw);
	if (!e->ret)
		e->ret = panthor_perf_rawdump_run(sampler, &params, &e->dump);
	panthor_perf_hw_power_put(&sampler->fw);
	drm_dev_exit(cookie);
}

/* The DRM core waits for running calls before it calls the hook. */
static void unplug_during_an_experiment(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct experimenter e = { .ptdev = one->client.ptdev, .ret = -EINVAL };
	u64 before;

	f->sampler.fw.drm = &e.ptdev->base;
	INIT_WORK_ONSTACK(&e.work, experiment_work);
	queue_work(system_unbound_wq, &e.work);
	msleep(150);
	KUNIT_EXPECT_EQ(test, f->sampler.counts.set, PANTHOR_PERF_RESERVED_SET);
	before = ktime_get_ns();
	drm_dev_unplug(&e.ptdev->base);
	KUNIT_EXPECT_LT(test, ktime_get_ns() - before, NSEC_PER_SEC);
	flush_work(&e.work);
	destroy_work_on_stack(&e.work);
	KUNIT_EXPECT_EQ(test, e.ret, 0);
	KUNIT_ASSERT_NOT_NULL(test, e.dump);
	KUNIT_EXPECT_TRUE(test, e.dump->aborted);
	panthor_perf_rawdump_free(e.dump);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	panthor_perf_unplug(e.ptdev);
}
#endif

/*
 * A reset that fails while the device probes has unplugged the device: nothing would unplug
 * counters that are initialised afterwards.
 */
static void init_of_an_unplugged_device(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct panthor_device *ptdev = one->client.ptdev;
	struct panthor_perf_layout_params params;

	panthor_perf_fake_fw_params(&f->fake, &params);
	f->fake.control.perfcnt_size = params.prfcnt_size;
	ptdev->gpu_info.gpu_id = params.gpu_id;
	ptdev->gpu_info.mem_features = params.mem_features;
	/* Only panthor_fw.c knows the structure, whose first members are those that are used. */
	ptdev->fw = kunit_kzalloc(test, SZ_64K, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ptdev->fw);
	*panthor_fw_get_glb_iface(ptdev) = f->fake.iface;

	ptdev->perf = NULL;
	KUNIT_EXPECT_EQ(test, panthor_perf_init(ptdev), 0);
	KUNIT_EXPECT_NOT_NULL(test, ptdev->perf);
	panthor_perf_unplug(ptdev);

	ptdev->perf = NULL;
	drm_dev_unplug(&ptdev->base);
	KUNIT_EXPECT_EQ(test, panthor_perf_init(ptdev), 0);
	KUNIT_EXPECT_NULL(test, ptdev->perf);
	ptdev->perf = &f->perf;
}

static void info_is_there_with_counters(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;

	KUNIT_EXPECT_PTR_EQ(test, panthor_perf_info(one->client.ptdev), &f->perf.info);
	one->client.ptdev->perf = NULL;
	KUNIT_EXPECT_PTR_EQ(test, panthor_perf_info(one->client.ptdev), ERR_PTR(-EOPNOTSUPP));
	one->client.ptdev->perf = &f->perf;
}

#define MHZ	1000000ul

static void clk_remove(void *data)
{
	struct clk *clk = data;
	struct clk_hw *hw = __clk_get_hw(clk);

	clk_put(clk);
	clk_hw_unregister_fixed_rate(hw);
}

static struct clk *clk_of_rate(struct kunit *test, const char *name, unsigned long hz)
{
	struct clk_hw *hw = clk_hw_register_fixed_rate(NULL, name, NULL, 0, hz);
	struct clk *clk;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, hw);
	clk = clk_hw_get_clk(hw, "test");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, clk);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, clk_remove, clk), 0);
	return clk;
}

/* The rates of the clocks, until the GPU is gone. The query does not delay that. */
static void rates_of_the_clocks(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct panthor_device *ptdev = one->client.ptdev;
	struct drm_panthor_perf_clocks clocks, zero = {};

	/* The core group has no clock of its own. */
	ptdev->clks.core = clk_of_rate(test, "core", 700 * MHZ);
	ptdev->clks.stacks = clk_of_rate(test, "stacks", 200 * MHZ);
	f->perf.clock_mode.rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] = 300 * MHZ;
	f->perf.clock_mode.rates[DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING] = 600 * MHZ;
	f->perf.clock_mode.rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] = 900 * MHZ;
	memset(&clocks, 0xff, sizeof(clocks));
	KUNIT_EXPECT_EQ(test, panthor_perf_query_clocks(ptdev, &clocks), 0);
	KUNIT_EXPECT_EQ(test, clocks.toplevel.rate_hz, 700 * MHZ);
	KUNIT_EXPECT_EQ(test, clocks.toplevel.lowest_hz, 300 * MHZ);
	KUNIT_EXPECT_EQ(test, clocks.toplevel.profiling_hz, 600 * MHZ);
	KUNIT_EXPECT_EQ(test, clocks.toplevel.highest_hz, 900 * MHZ);
	KUNIT_EXPECT_EQ(test, clocks.shader.rate_hz, 200 * MHZ);
	KUNIT_EXPECT_MEMEQ(test, &clocks.coregroup, &zero.coregroup, sizeof(zero.coregroup));

	ptdev->perf = NULL;
	KUNIT_EXPECT_EQ(test, panthor_perf_query_clocks(ptdev, &clocks), -EOPNOTSUPP);
	ptdev->perf = &f->perf;
	drm_dev_unplug(&ptdev->base);
	KUNIT_EXPECT_EQ(test, panthor_perf_query_clocks(ptdev, &clocks), -ENODEV);
}

/* The indices are at the offset of SETUP. The rest of the object is not written. */
static void indices_at_an_offset(struct kunit *test)
{
	const u32 offset = 264, indices = 16;
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = f->priv;
	struct owner *u = &one->u;
	const u8 *bytes = u->control.map.vaddr;

	u->setup.control_offset = offset;
	u->p.control = u->control.map.vaddr + offset;
	owner_setup(u);
	owner_start(u);
	KUNIT_EXPECT_EQ(test, do_stop(u, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, u->p.control->extract_idx, 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(bytes, 0xee, offset));
	KUNIT_EXPECT_NULL(test, memchr_inv(bytes + offset + indices, 0xee,
					   CONTROL_SIZE - offset - indices));
}

static struct kunit_case hooks_cases[] = {
	KUNIT_CASE(session_over_a_suspend),
	KUNIT_CASE(session_over_a_reset),
	KUNIT_CASE(reset_that_failed),
	KUNIT_CASE(resume_that_failed),
	KUNIT_CASE(interrupts),
	KUNIT_CASE(hooks_without_counters),
	KUNIT_CASE(ring_stays_until_the_mcu_stops),
	KUNIT_CASE(unplug_in_the_middle),
#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_RAWDUMP)
	KUNIT_CASE(unplug_during_an_experiment),
#endif
	KUNIT_CASE(init_of_an_unplugged_device),
	KUNIT_CASE(info_is_there_with_counters),
	KUNIT_CASE(rates_of_the_clocks),
	KUNIT_CASE(indices_at_an_offset),
	{}
};

static int hooks_init(struct kunit *test)
{
	struct panthor_device *ptdev = gpu_create(test);
	struct panthor_perf_fixture *f = test->priv;
	struct one *one = kunit_kzalloc(test, sizeof(*one), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, one);
	f->priv = one;
	client_open(test, ptdev, &one->client);
	owner_prepare(&one->client, &one->u);
	return 0;
}

static void hooks_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct one *one;

	if (!f)
		return;

	one = f->priv;
	if (one) {
		client_close(&one->client);
		owner_release(&one->u);
	}
	panthor_perf_fixture_destroy(f);
}

static struct kunit_suite hooks_suite = {
	.name = "panthor_perf_hooks",
	.init = hooks_init,
	.exit = hooks_exit,
	.test_cases = hooks_cases,
};

kunit_test_suite(hooks_suite);
