// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "panthor_perf_fixture.h"

/*
 * Memory reclaim may wait for fences, so that nothing that signals one may allocate memory that can
 * be reclaimed. Lockdep learns that here, also in a kernel in which no driver has shown it yet.
 */
static void teach_lockdep(void)
{
	struct dma_fence *fence = dma_fence_get_stub();

	fs_reclaim_acquire(GFP_KERNEL);
	dma_fence_wait(fence, false);
	fs_reclaim_release(GFP_KERNEL);
	dma_fence_put(fence);
}

/**
 * panthor_perf_fixture_create() - Make a sampler on a fake firmware, as long as the test runs
 * @test: Test.
 * @shape: What the GPU is made of.
 *
 * Return: The fixture, with a GPU without power and without clients.
 */
struct panthor_perf_fixture *
panthor_perf_fixture_create(struct kunit *test, const struct panthor_perf_fake_shape *shape)
{
	struct panthor_perf_layout_params params;
	struct panthor_perf_fixture *fixture;

	teach_lockdep();

	fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fixture);
	fixture->test = test;

	panthor_perf_fake_fw_init(test, &fixture->fake, shape);
	panthor_perf_fake_fw_params(&fixture->fake, &params);
	fixture->layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fixture->layout);
	KUNIT_ASSERT_EQ(test, fixture->layout->entry_size, fixture->fake.entry_words * 4);
	panthor_perf_layout_set_clocks(fixture->layout, fixture->fake.shape.clocks);

	panthor_perf_fw_init(&fixture->sampler.fw, &fixture->fake.iface, fixture->layout);
	KUNIT_ASSERT_EQ(test, panthor_perf_sampler_init(&fixture->sampler, 0), 0);
	fixture->sampler.counts.timestamp_frequency = PANTHOR_PERF_FAKE_TIMESTAMP_RATE;
	fixture->fake.perf_lock = &fixture->sampler.lock;
	return fixture;
}

/* What a test that was broken off left in lists lay on its stack. */
static void forget_leftovers(struct panthor_perf_fixture *fixture)
{
	struct panthor_perf_sampler *sampler = &fixture->sampler;
	bool clean;

	cancel_delayed_work_sync(&sampler->work);
	mutex_lock(&sampler->lock);
	clean = list_empty(&sampler->clients) && list_empty(&sampler->requests);
	INIT_LIST_HEAD(&sampler->clients);
	INIT_LIST_HEAD(&sampler->requests);
	mutex_unlock(&sampler->lock);
	KUNIT_EXPECT_TRUE_MSG(fixture->test, clean, "clients or requests are left");
}

/**
 * panthor_perf_fixture_destroy() - End a fixture, and judge what is left
 * @fixture: Fixture, without sessions and clients.
 */
void panthor_perf_fixture_destroy(struct panthor_perf_fixture *fixture)
{
	struct panthor_perf_fake_fw *fake = &fixture->fake;

	forget_leftovers(fixture);
	panthor_perf_fixture_unplug(fixture);
	/* Panthor stops the MCU. */
	panthor_perf_fake_fw_shut_down(&fixture->fake);
	panthor_perf_hw_free_ring(&fixture->sampler.fw);
	panthor_perf_sampler_fini(&fixture->sampler);
	kfree(fixture->layout);

	KUNIT_EXPECT_EQ_MSG(fixture->test, fake->power, 0, "power references are left");
	KUNIT_EXPECT_EQ_MSG(fixture->test, fake->violations, 0, "first: %s", fake->violation);
}

/**
 * panthor_perf_fixture_init() - Begin a test of a suite with a fixture, of an RK3588
 * @test: Test, whose @priv becomes the fixture.
 *
 * Return: 0.
 */
int panthor_perf_fixture_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

/**
 * panthor_perf_fixture_exit() - End a test of such a suite
 * @test: Test.
 */
void panthor_perf_fixture_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

/**
 * panthor_perf_fixture_sleep_to_phase() - Sleep until a part of a period has passed
 * @period: Period of CLOCK_MONOTONIC, in ns.
 * @percent: Part.
 *
 * In the middle of a period, nothing depends on what is first: an action or the end of the period.
 */
void panthor_perf_fixture_sleep_to_phase(u64 period, u32 percent)
{
	u64 phase = period / 100 * percent, now = ktime_get_ns();
	u64 target = now - now % period + phase;

	if (target <= now)
		target += period;
	/* Long sleeps by the timer wheel may end far behind. */
	usleep_range((target - now) / NSEC_PER_USEC + 1, (target - now) / NSEC_PER_USEC + 100);
}

/**
 * panthor_perf_fixture_run() - Run the worker, again after interrupts, and wait for its end
 * @fixture: Fixture.
 */
void panthor_perf_fixture_run(struct panthor_perf_fixture *fixture)
{
	u32 irqs;

	do {
		irqs = fixture->fake.irqs;
		panthor_perf_sampler_queue_work(&fixture->sampler);
		flush_delayed_work(&fixture->sampler.work);
	} while (panthor_perf_fake_fw_settle(&fixture->fake) || fixture->fake.irqs != irqs);
}

/**
 * panthor_perf_fixture_let_go() - The firmware answers what it held back, and interrupts
 * @fixture: Fixture.
 */
void panthor_perf_fixture_let_go(struct panthor_perf_fixture *fixture)
{
	panthor_perf_fake_fw_let_go(&fixture->fake);
	panthor_perf_fixture_run(fixture);
}

/**
 * panthor_perf_fixture_overdue() - The time for the firmware's answer passes
 * @fixture: Fixture.
 */
void panthor_perf_fixture_overdue(struct panthor_perf_fixture *fixture)
{
	mutex_lock(&fixture->sampler.lock);
	fixture->sampler.deadline = jiffies - 1;
	mutex_unlock(&fixture->sampler.lock);
	panthor_perf_fixture_run(fixture);
}

/**
 * panthor_perf_fixture_watchdog() - The time without a sample passes
 * @fixture: Fixture.
 */
void panthor_perf_fixture_watchdog(struct panthor_perf_fixture *fixture)
{
	mutex_lock(&fixture->sampler.lock);
	fixture->sampler.watchdog = jiffies - 1;
	mutex_unlock(&fixture->sampler.lock);
	panthor_perf_fixture_run(fixture);
}

/**
 * panthor_perf_fixture_suspend() - The GPU is suspended
 * @fixture: Fixture.
 */
void panthor_perf_fixture_suspend(struct panthor_perf_fixture *fixture)
{
	panthor_perf_sampler_suspend(&fixture->sampler, false);
	panthor_perf_fake_fw_shut_down(&fixture->fake);
}

/**
 * panthor_perf_fixture_resume() - The GPU is resumed
 * @fixture: Fixture.
 * @cold: The firmware's memory is initialised again.
 */
void panthor_perf_fixture_resume(struct panthor_perf_fixture *fixture, bool cold)
{
	panthor_perf_fake_fw_restart(&fixture->fake, cold);
	panthor_perf_sampler_restart(&fixture->sampler, false);
}

/**
 * panthor_perf_fixture_pre_reset() - The GPU is about to be reset
 * @fixture: Fixture.
 */
void panthor_perf_fixture_pre_reset(struct panthor_perf_fixture *fixture)
{
	panthor_perf_sampler_pre_reset(&fixture->sampler);
	panthor_perf_fake_fw_shut_down(&fixture->fake);
}

/**
 * panthor_perf_fixture_post_reset() - The GPU was reset
 * @fixture: Fixture.
 * @failed: The firmware did not boot.
 */
void panthor_perf_fixture_post_reset(struct panthor_perf_fixture *fixture, bool failed)
{
	if (!failed)
		panthor_perf_fake_fw_restart(&fixture->fake, true);

	panthor_perf_sampler_restart(&fixture->sampler, failed);
}

/**
 * panthor_perf_fixture_unplug() - The GPU goes away
 * @fixture: Fixture.
 */
void panthor_perf_fixture_unplug(struct panthor_perf_fixture *fixture)
{
	panthor_perf_sampler_unplug(&fixture->sampler);
}

/**
 * panthor_perf_fake_fw_block() - Find a block
 * @fake: Fake firmware.
 * @type: One of &enum drm_panthor_perf_block_type.
 * @rank: Number among the present blocks of that type.
 *
 * Return: The block. The test ends if there is none.
 */
struct panthor_perf_fake_block *
panthor_perf_fake_fw_block(struct panthor_perf_fake_fw *fake, u8 type, u32 rank)
{
	for (u32 i = 0; i < fake->block_count; i++) {
		if (fake->blocks[i].type == type && fake->blocks[i].rank == rank)
			return &fake->blocks[i];
	}

	KUNIT_FAIL_AND_ABORT(fake->test, "no block %u of type %u", rank, type);
	return NULL;
}

/**
 * panthor_perf_fake_fw_position() - Where a block comes when blocks are sorted by type and rank
 * @fake: Fake firmware.
 * @type: Type of the block.
 * @rank: Number among the present blocks of that type, perhaps with gaps.
 *
 * Return: Number of blocks before it.
 */
u32 panthor_perf_fake_fw_position(const struct panthor_perf_fake_fw *fake, u8 type, u32 rank)
{
	u32 position = 0;

	for (u32 i = 0; i < fake->block_count; i++)
		position += fake->blocks[i].type < type ||
			    (fake->blocks[i].type == type && fake->blocks[i].rank < rank);

	return position;
}

/**
 * panthor_perf_fixture_total() - What the sampler has added up for a counter
 * @fixture: Fixture.
 * @type: Type of the block.
 * @rank: Number among the present blocks of that type.
 * @counter: Counter.
 *
 * Return: The running total.
 */
u64 panthor_perf_fixture_total(struct panthor_perf_fixture *fixture, u8 type, u32 rank,
			       u32 counter)
{
	u32 position = panthor_perf_fake_fw_position(&fixture->fake, type, rank);
	u32 words = fixture->fake.shape.block_words;

	return fixture->sampler.counts.sum.totals[position * words + counter];
}

/**
 * panthor_perf_fixture_expect_exact() - Check that every total is the sum of firmware's samples
 * @fixture: Fixture.
 */
void panthor_perf_fixture_expect_exact(struct panthor_perf_fixture *fixture)
{
	struct panthor_perf_fake_fw *fake = &fixture->fake;
	u32 wrong = 0;

	for (u32 i = 0; i < fake->block_count; i++) {
		const struct panthor_perf_fake_block *block = &fake->blocks[i];

		for (u32 k = 0; k < fake->shape.block_words; k++) {
			u64 total = panthor_perf_fixture_total(fixture, block->type, block->rank,
							       k);

			if (total == block->reported[k])
				continue;
			if (!wrong++)
				KUNIT_EXPECT_EQ_MSG(fixture->test, total, block->reported[k],
						    "type %u rank %u counter %u", block->type,
						    block->rank, k);
		}
	}

	KUNIT_EXPECT_EQ_MSG(fixture->test, wrong, 0, "counters that differ");
}
