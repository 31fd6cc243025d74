// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/time64.h>

#include "panthor_perf_session_test.h"

/*
 * The firmware boots inside resume. A kernel that has a reset to make before or during a suspend
 * may leave it to that boot: then neither pre_reset nor post_reset is called, and the firmware has
 * kept its state or lost it. Each row is one such path, with its lost counts and reported events.
 */

/* Amounts counted: in the ring of the firmware, not sampled yet, right after the boot, later. */
#define IN_RING		BIT(0)
#define BEFORE		BIT(1)
#define AT_BOOT		BIT(2)
#define AFTER		BIT(3)
#define EVERYTHING	(IN_RING | BEFORE | AT_BOOT | AFTER)

/* What counts them. */
#define THE_BLOCK	SHADER
#define THE_RANK	2
#define THE_COUNTER	40

/* Duration of a suspend. */
#define SLEEP_MS	300

#define CYCLES_PER_US	500

struct boot {
	const char *name;

	/* From counters that run to a firmware that has booted. */
	void (*go)(struct panthor_perf_fixture *f);

	/* Flags and events of the first sample after it. */
	u32 flags, events;

	/* Which of the amounts are in the samples. */
	u32 kept;

	/* Times that counters were enabled by then, and that they had been disabled properly. */
	u32 enable_edges, disable_edges;

	/* It is the same boot as before: nothing was lost, nor set back. */
	bool same_boot;

	/* Counters survived the boot: they are disabled before they are enabled again. */
	bool survived;
};

static void sleep_and_boot(struct panthor_perf_fixture *f, bool cold)
{
	panthor_perf_fixture_suspend(f);
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, cold);
}

static void cold_boot(struct panthor_perf_fixture *f)
{
	sleep_and_boot(f, true);
}

static void warm_boot(struct panthor_perf_fixture *f)
{
	sleep_and_boot(f, false);
}

/* All counters of the GPU restart at 0, the time stamp included. */
static void cold_boot_of_all_clocks(struct panthor_perf_fixture *f)
{
	panthor_perf_fixture_suspend(f);
	msleep(SLEEP_MS);
	panthor_perf_fake_fw_set_timestamp(&f->fake, 1, PANTHOR_PERF_FAKE_TIMESTAMP_RATE);
	panthor_perf_fixture_resume(f, true);
}

/* The clocks had been running for years. */
static void warm_boot_of_old_clocks(struct panthor_perf_fixture *f)
{
	panthor_perf_fixture_suspend(f);
	msleep(SLEEP_MS);
	panthor_perf_fake_fw_set_timestamp(&f->fake, U64_MAX - 1000000,
					   PANTHOR_PERF_FAKE_TIMESTAMP_RATE);
	panthor_perf_fake_fw_set_cycles(&f->fake, U64_MAX / 2, CYCLES_PER_US * 1000000);
	panthor_perf_fixture_resume(f, false);
}

static void boot_again_and_again(struct panthor_perf_fixture *f)
{
	for (u32 i = 0; i < 3; i++)
		sleep_and_boot(f, i & 1);
}

/* The suspend does not come to its end: the firmware goes on as it is. */
static void suspend_is_called_off(struct panthor_perf_fixture *f)
{
	panthor_perf_sampler_suspend(&f->sampler, false);
	panthor_perf_sampler_restart(&f->sampler, false);
}

static void firmware_dies(struct panthor_perf_fixture *f)
{
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	for (u32 i = 0; i < 2; i++) {
		panthor_perf_fixture_watchdog(f);
		panthor_perf_fixture_overdue(f);
	}
}

/* The driver has detected the fault, and the GPU is suspended before a reset. */
static void dead_when_suspended(struct panthor_perf_fixture *f)
{
	firmware_dies(f);
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, true);
}

static void dead_when_suspended_warm(struct panthor_perf_fixture *f)
{
	firmware_dies(f);
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, false);
}

/* The driver learns of it when it wants a last sample. */
static void hung_when_suspended(struct panthor_perf_fixture *f)
{
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, true);
}

/* Firmware never sees the disable, and goes on with the ring after its boot. */
static void survive_a_suspend(struct panthor_perf_fixture *f)
{
	f->fake.keep_enable = true;
	f->fake.hold = GLB_PERFCNT_SAMPLE | GLB_PERFCNT_EN;
	panthor_perf_fixture_suspend(f);
	f->fake.hold = 0;
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, false);
}

/* The same, and the counters were disabled as they should be. */
static void nothing_to_survive(struct panthor_perf_fixture *f)
{
	f->fake.keep_enable = true;
	warm_boot(f);
}

/* A reset does not wait for firmware, which may have kept its memory. */
static void survive_a_reset(struct panthor_perf_fixture *f)
{
	f->fake.keep_enable = true;
	panthor_perf_fixture_pre_reset(f);
	msleep(SLEEP_MS);
	panthor_perf_fake_fw_restart(&f->fake, false);
	panthor_perf_sampler_restart(&f->sampler, false);
}

static void failed_reset_then_boot(struct panthor_perf_fixture *f)
{
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	panthor_perf_fixture_suspend(f);
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, true);
}

static void reset_right_after_boot(struct panthor_perf_fixture *f)
{
	sleep_and_boot(f, true);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
}

/* The reset comes before firmware has acknowledged the enable of the resume. */
static void reset_of_a_silent_boot(struct panthor_perf_fixture *f)
{
	panthor_perf_fixture_suspend(f);
	msleep(SLEEP_MS);
	f->fake.hold = GLB_PERFCNT_EN;
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_pre_reset(f);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
}

/* The reset is under way when the system is suspended, and is finished by the boot. */
static void reset_ends_in_resume(struct panthor_perf_fixture *f)
{
	panthor_perf_fixture_pre_reset(f);
	msleep(SLEEP_MS);
	panthor_perf_fixture_resume(f, true);
}

/* Another suspend before the worker has run after the first boot. */
static void suspend_right_after_boot(struct panthor_perf_fixture *f)
{
	sleep_and_boot(f, true);
	sleep_and_boot(f, true);
}

static const struct boot boots[] = {
	{
		.name = "cold",
		.go = cold_boot,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "warm",
		.go = warm_boot,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "cold, clocks restart",
		.go = cold_boot_of_all_clocks,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "warm, old clocks",
		.go = warm_boot_of_old_clocks,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "three times",
		.go = boot_again_and_again,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 4, .disable_edges = 3,
	}, {
		.name = "called off",
		.go = suspend_is_called_off,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
		.same_boot = true,
	}, {
		.name = "dead when suspended, cold",
		.go = dead_when_suspended,
		.flags = ERROR, .events = FW_TIMEOUT | SUSPEND,
		.kept = IN_RING | AT_BOOT | AFTER,
		.enable_edges = 3, .disable_edges = 2,
	}, {
		.name = "dead when suspended, warm",
		.go = dead_when_suspended_warm,
		.flags = ERROR, .events = FW_TIMEOUT | SUSPEND,
		.kept = IN_RING | AT_BOOT | AFTER,
		.enable_edges = 3, .disable_edges = 2,
	}, {
		.name = "hung when suspended",
		.go = hung_when_suspended,
		.flags = ERROR, .events = FW_TIMEOUT | SUSPEND,
		.kept = IN_RING | AT_BOOT | AFTER,
		.enable_edges = 2, .disable_edges = 0,
	}, {
		.name = "survived a suspend",
		.go = survive_a_suspend,
		.flags = ERROR, .events = FW_TIMEOUT | FW_ERROR | SUSPEND,
		.kept = IN_RING | AFTER,
		.enable_edges = 2, .disable_edges = 1,
		.survived = true,
	}, {
		.name = "nothing to survive",
		.go = nothing_to_survive,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "survived a reset",
		.go = survive_a_reset,
		.flags = ERROR, .events = FW_ERROR | RESET,
		.kept = IN_RING | AFTER,
		.enable_edges = 2, .disable_edges = 1,
		.survived = true,
	}, {
		.name = "after a failed reset",
		.go = failed_reset_then_boot,
		.flags = ERROR, .events = RESET | FW_TIMEOUT | SUSPEND,
		.kept = IN_RING | AT_BOOT | AFTER,
		.enable_edges = 2, .disable_edges = 0,
	}, {
		.name = "reset right after",
		.go = reset_right_after_boot,
		.flags = ERROR, .events = SUSPEND | RESET,
		.kept = EVERYTHING,
		.enable_edges = 3, .disable_edges = 1,
	}, {
		.name = "silent, then reset",
		.go = reset_of_a_silent_boot,
		.flags = ERROR, .events = SUSPEND | RESET,
		.kept = EVERYTHING,
		.enable_edges = 2, .disable_edges = 1,
	}, {
		.name = "reset that ends in it",
		.go = reset_ends_in_resume,
		.flags = ERROR, .events = RESET,
		.kept = IN_RING | AT_BOOT | AFTER,
		.enable_edges = 2, .disable_edges = 0,
	}, {
		.name = "suspended again",
		.go = suspend_right_after_boot,
		.events = SUSPEND, .kept = EVERYTHING,
		.enable_edges = 3, .disable_edges = 2,
	},
};

KUNIT_ARRAY_PARAM_DESC(boot, boots, name);

static void count(struct panthor_perf_fixture *f, u32 amount)
{
	panthor_perf_fake_fw_count(&f->fake, THE_BLOCK, THE_RANK, THE_COUNTER, amount);
}

/* On and off, by the end of counting; the cores as all others. */
static void expect_were_off(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];

		KUNIT_EXPECT_EQ_MSG(test, states_at(f, p, 0, block->type, block->rank),
				    IS_ON | IS_OFF | IS_THERE | IS_NORMAL, "type %u rank %u",
				    block->type, block->rank);
		KUNIT_EXPECT_EQ_MSG(test, states_at(f, p, 1, block->type, block->rank),
				    IS_ON | IS_THERE | IS_NORMAL, "type %u rank %u",
				    block->type, block->rank);
	}
}

/* The counter may restart at any value: reported cycles were counted, and are possible. */
static void expect_cycles(struct kunit *test, struct profiler *p, const struct boot *boot)
{
	const struct drm_panthor_perf_sample_header *header = header_at(p, 0);
	u64 ns = header->timestamp_end_ns - header->timestamp_start_ns;
	u64 cycles = header->toplevel_clock_cycles;

	/* The two clocks are not read at the same time. */
	KUNIT_EXPECT_LE(test, cycles, ns / 1000 * CYCLES_PER_US + 2000);
	if (!boot->same_boot)
		KUNIT_EXPECT_GE(test, ns, SLEEP_MS * NSEC_PER_MSEC);

	header = header_at(p, 1);
	ns = header->timestamp_end_ns - header->timestamp_start_ns;
	KUNIT_EXPECT_LE(test, header->toplevel_clock_cycles, ns / 1000 * CYCLES_PER_US + 2000);
	KUNIT_EXPECT_GE(test, header->toplevel_clock_cycles + 2000, ns / 1000 * CYCLES_PER_US);
}

static void expect_samples(struct kunit *test, struct profiler *p, const struct boot *boot,
			   u32 last_flags)
{
	struct panthor_perf_fixture *f = test->priv;
	const u32 at = panthor_perf_fake_fw_position(&f->fake, THE_BLOCK, THE_RANK) * COUNTERS;

	KUNIT_EXPECT_EQ(test, p->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, signals(p), 2);
	KUNIT_EXPECT_EQ(test, header_at(p, 0)->flags, boot->flags);
	KUNIT_EXPECT_EQ(test, header_at(p, 0)->events, boot->events);
	KUNIT_EXPECT_EQ(test, header_at(p, 1)->flags, last_flags);
	KUNIT_EXPECT_EQ(test, header_at(p, 1)->events, 0);
	for (u32 i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test, header_at(p, i)->sample_nr, i);
	KUNIT_EXPECT_EQ(test, header_at(p, 1)->timestamp_start_ns,
			header_at(p, 0)->timestamp_end_ns);
	KUNIT_EXPECT_EQ(test, header_at(p, 1)->gpu_timestamp, f->fake.timestamp);

	expect_were_off(test, p);
	expect_cycles(test, p, boot);

	/* All counts that firmware reported are there, and they are the amounts of the row. */
	KUNIT_EXPECT_EQ(test, drain(f, p), 2);
	KUNIT_EXPECT_EQ(test, p->sums[at + THE_COUNTER], boot->kept);
	expect_conserved(test, p);
}

static void boots_in_resume(struct kunit *test)
{
	const struct boot *boot = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *v = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *w = profiler_create(test, all_masks, 8, true, 0);
	struct panthor_perf_fake_config config;

	/* Two that are started, and one that will be. */
	start(test, u);
	start(test, v);
	config = f->fake.config;

	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fake_fw_block(&f->fake, THE_BLOCK, THE_RANK)->counts[THE_COUNTER] = 0;
	count(f, IN_RING);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	count(f, BEFORE);

	boot->go(f);

	/* The firmware counts before resume is over: what is done from now on is not missed. */
	if (boot->survived) {
		count(f, AT_BOOT);
		panthor_perf_fixture_run(f);
	}
	KUNIT_EXPECT_TRUE(test, f->fake.enabled);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, boot->enable_edges);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, boot->disable_edges);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	KUNIT_EXPECT_EQ(test, memcmp(&config, &f->fake.config, sizeof(config)), 0);
	KUNIT_EXPECT_TRUE(test, f->fake.input.req & GLB_COUNTER_EN);
	if (!boot->survived)
		count(f, AT_BOOT);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->session->state, PANTHOR_PERF_SESSION_STARTED);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	expect_power(test, 1);

	count(f, AFTER);
	sample(test, u, 0);
	sample(test, v, 0);
	start(test, w);
	msleep(20);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	panthor_perf_fake_fw_block(&f->fake, THE_BLOCK, THE_RANK)->counts[THE_COUNTER] = 0;
	stop(test, u, 0);
	expect_samples(test, u, boot, FINAL);
	sample(test, v, 0);
	expect_samples(test, v, boot, 0);
	stop(test, w, 0);
	KUNIT_EXPECT_EQ(test, header_at(w, 0)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(w, 0)->events, 0);
	drain(f, w);
	expect_conserved(test, w);

	/* One enable edge for each boot, with any number of clients. */
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, boot->enable_edges);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
	profiler_destroy(test, w);
}

/* No session is started: the boot does not concern the counters, and START works afterwards. */
static void boots_without_sessions(struct kunit *test)
{
	const struct boot *boot = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	u32 doorbells;

	start(test, u);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	doorbells = f->fake.doorbells;
	f->fake.power++;
	boot->go(f);
	panthor_perf_fixture_run(f);
	f->fake.power--;
	KUNIT_EXPECT_EQ(test, f->fake.doorbells, doorbells);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_NE(test, f->sampler.state, PANTHOR_PERF_SAMPLER_DEAD);
	expect_power(test, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, FINAL);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	u->next = 1;
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static struct kunit_case reboot_cases[] = {
	KUNIT_CASE_PARAM(boots_in_resume, boot_gen_params),
	KUNIT_CASE_PARAM(boots_without_sessions, boot_gen_params),
	{}
};

static struct kunit_suite reboot_suite = {
	.name = "panthor_perf_reboot",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = reboot_cases,
};

kunit_test_suite(reboot_suite);
