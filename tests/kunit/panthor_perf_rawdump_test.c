// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "panthor_perf_rawdump.h"
#include "panthor_perf_sampler_test.h"

/* Experiments with the firmware, over the fake one. */

/* What the fake firmware puts where a mask excludes a word. */
#define EXCLUDED	0xdeadbeef

/* Words of an entry of the RK3588: firmware, front end, tiler, 4 L2 slices, 19 shader slots. */
#define BLOCK_WORDS	64
#define CSHW_WORD	BLOCK_WORDS
#define TILER_WORD	(2 * BLOCK_WORDS)
#define SHADER_WORD	(7 * BLOCK_WORDS)
#define ENTRY_WORDS	(26 * BLOCK_WORDS)

#define COUNTER_BITS	(GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE | GLB_PERFCNT_THRESHOLD | \
			 GLB_PERFCNT_OVERFLOW)

static struct panthor_perf_rawdump *run(struct panthor_perf_fixture *f, const char *line)
{
	struct panthor_perf_rawdump_params params;
	struct panthor_perf_fw *fw = &f->sampler.fw;
	struct panthor_perf_rawdump *dump = NULL;
	char text[128];

	strscpy(text, line);
	KUNIT_ASSERT_EQ_MSG(f->test, panthor_perf_rawdump_parse(text, &params), 0, "%s", line);
	KUNIT_ASSERT_EQ(f->test, panthor_perf_hw_power_get(fw), 0);
	KUNIT_ASSERT_EQ(f->test, panthor_perf_hw_alloc_ring(fw), 0);
	KUNIT_EXPECT_EQ_MSG(f->test, panthor_perf_rawdump_run(&f->sampler, &params, &dump), 0, "%s",
			    line);
	panthor_perf_hw_power_put(fw);
	KUNIT_ASSERT_NOT_NULL(f->test, dump);
	return dump;
}

static int run_fails_with(struct panthor_perf_fixture *f,
			  const struct panthor_perf_rawdump_params *params)
{
	struct panthor_perf_rawdump *dump = NULL;
	int ret = panthor_perf_rawdump_run(&f->sampler, params, &dump);

	KUNIT_EXPECT_NULL(f->test, dump);
	panthor_perf_rawdump_free(dump);
	return ret;
}

static int run_fails(struct panthor_perf_fixture *f)
{
	return run_fails_with(f, &(struct panthor_perf_rawdump_params) { .requests = 1 });
}

/* Nothing is enabled or pending, and clients can attach. */
static void expect_restored_at(struct panthor_perf_fixture *f, int line)
{
	KUNIT_EXPECT_FALSE_MSG(f->test, f->fake.enabled, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(f->test, pending_bits(f), 0, "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(f->test, f->fake.input.ack_irq_mask & COUNTER_BITS, 0, "in line %d",
			    line);
	KUNIT_EXPECT_TRUE_MSG(f->test, list_empty(&f->sampler.clients), "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(f->test, f->fake.power, 0, "in line %d", line);
}

#define expect_restored(f) expect_restored_at(f, __LINE__)

/* A session after an experiment counts as before. */
static void expect_counts(struct panthor_perf_fixture *f)
{
	struct sampler_user user;

	for (u32 i = 0; i < f->fake.block_count; i++) {
		struct panthor_perf_fake_block *block = &f->fake.blocks[i];

		for (u32 k = 0; k < BLOCK_WORDS; k++)
			block->reported[k] = panthor_perf_fixture_total(f, block->type,
									block->rank, k);
	}
	attach_on(f, &user);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(f, &user);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &user);
	panthor_perf_fixture_run(f);
}

static void lines_are_understood(struct kunit *test)
{
	static const char * const good[] = {
		"", "\n", "requests=3", " requests=128 wait-us=100000 entries=80 set=2\n",
		"fw=0x3 csg=3 cshw=0xffffffff tiler=7 memsys=1 shader=0 neural=0x1f",
		"keep=1 overflow=1 fill=64", "metadata=1",
	};
	static const char * const bad[] = {
		"requests", "requests=", "requests=129", "requests=-1", "wait-us=100001",
		"entries=81", "set=3", "keep=2", "overflow=1", "fill=3", "keep=1 fill=65",
		"size=0", "fw=4294967296", "requests=3 x", "metadata=2",
	};
	struct panthor_perf_rawdump_params params;
	char text[96];

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		strscpy(text, good[i]);
		KUNIT_EXPECT_EQ_MSG(test, panthor_perf_rawdump_parse(text, &params), 0, "'%s'",
				    good[i]);
	}
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		strscpy(text, bad[i]);
		KUNIT_EXPECT_EQ_MSG(test, panthor_perf_rawdump_parse(text, &params), -EINVAL,
				    "'%s'", bad[i]);
	}

	strscpy(text, "tiler=0x10 requests=7 keep=1");
	KUNIT_ASSERT_EQ(test, panthor_perf_rawdump_parse(text, &params), 0);
	KUNIT_EXPECT_EQ(test, params.masks.tiler, 0x10);
	KUNIT_EXPECT_EQ(test, params.masks.fw, U32_MAX);
	KUNIT_EXPECT_EQ(test, params.requests, 7);
	KUNIT_EXPECT_EQ(test, params.keep, 1);
	KUNIT_EXPECT_EQ(test, params.entries, 0);
	KUNIT_EXPECT_EQ(test, params.metadata, 0);
}

static void entries_are_what_the_firmware_wrote(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;
	const u32 *words;

	panthor_perf_fake_fw_power_off(&f->fake, SHADER, 1);
	dump = run(f, "requests=3 entries=2 wait-us=10");
	KUNIT_EXPECT_EQ(test, dump->enable_ret, 0);
	KUNIT_EXPECT_EQ(test, dump->disable_ret, 0);
	KUNIT_EXPECT_FALSE(test, dump->aborted);
	KUNIT_EXPECT_EQ(test, dump->insert_on, 0);
	KUNIT_EXPECT_EQ(test, dump->request_count, 3);
	KUNIT_EXPECT_EQ(test, dump->entries_seen, 3);
	KUNIT_EXPECT_EQ(test, dump->entry_words, ENTRY_WORDS);
	KUNIT_ASSERT_EQ(test, dump->entry_count, 2);
	for (u32 i = 0; i < 3; i++) {
		const struct panthor_perf_rawdump_request *request = &dump->requests[i];

		KUNIT_EXPECT_EQ(test, request->ret, 0);
		KUNIT_EXPECT_EQ(test, request->insert_before, i);
		KUNIT_EXPECT_EQ(test, request->insert_after, i + 1);
		KUNIT_EXPECT_EQ(test, request->events & (PANTHOR_PERF_FW_THRESHOLD |
							 PANTHOR_PERF_FW_OVERFLOW), 0);
		KUNIT_EXPECT_LE(test, request->timestamp_before, request->timestamp_after);
	}

	/* The second entry. Of the cores 0, 2, 16 and 18, the second has no power. */
	words = dump->words + ENTRY_WORDS;
	KUNIT_EXPECT_EQ(test, words[CSHW_WORD + 2], U32_MAX);
	KUNIT_EXPECT_GE(test, words[CSHW_WORD] | (u64)words[CSHW_WORD + 1] << 32,
			dump->requests[1].timestamp_before);
	KUNIT_EXPECT_LE(test, words[CSHW_WORD] | (u64)words[CSHW_WORD + 1] << 32,
			dump->requests[1].timestamp_after);
	KUNIT_EXPECT_EQ(test, words[SHADER_WORD + 2], U32_MAX);
	KUNIT_EXPECT_EQ(test, words[SHADER_WORD + 2 * BLOCK_WORDS + 2], 0);
	KUNIT_EXPECT_EQ(test, words[SHADER_WORD + 2 * BLOCK_WORDS + 5],
			PANTHOR_PERF_RAWDUMP_POISON);
	/* A hole. */
	KUNIT_EXPECT_EQ(test, words[SHADER_WORD + BLOCK_WORDS], PANTHOR_PERF_RAWDUMP_POISON);
	KUNIT_EXPECT_EQ(test, words[SHADER_WORD + BLOCK_WORDS + 2], 0);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	expect_counts(f);
}

static void masks_are_the_firmware_s(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;

	dump = run(f, "requests=1 entries=1 cshw=0x10 tiler=0");
	KUNIT_ASSERT_EQ(test, dump->entry_count, 1);
	KUNIT_EXPECT_EQ(test, dump->words[CSHW_WORD + 2], 0x13);
	KUNIT_EXPECT_EQ(test, dump->words[CSHW_WORD + 8], EXCLUDED);
	KUNIT_EXPECT_EQ(test, dump->words[CSHW_WORD + 16], 0);
	KUNIT_EXPECT_EQ(test, dump->words[TILER_WORD + 2], 0x3);
	KUNIT_EXPECT_EQ(test, dump->words[TILER_WORD + 7], 0);
	KUNIT_EXPECT_EQ(test, dump->words[TILER_WORD + 8], EXCLUDED);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
	expect_counts(f);
}

/* 4 packed cores, the second one without an accelerator. */
static void accelerators_have_a_mask(struct kunit *test)
{
	static const struct panthor_perf_fake_shape shape = {
		.arch = 14, .block_words = BLOCK_WORDS, .groups = 8, .l2_slices = 2,
		.shader_present = 0x2d, .neural_present = 0x29, .packed = true,
	};
	static const u32 ens[] = {
		0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x13, 0, 0x13, 0x13,
	};
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shape);
	struct panthor_perf_rawdump *dump = run(f, "requests=1 entries=1 neural=0x10");

	KUNIT_ASSERT_EQ(test, dump->entry_count, 1);
	KUNIT_ASSERT_EQ(test, dump->entry_words, ARRAY_SIZE(ens) * BLOCK_WORDS);
	for (u32 i = 0; i < ARRAY_SIZE(ens); i++)
		KUNIT_EXPECT_EQ_MSG(test, dump->words[i * BLOCK_WORDS + 2] & 0xffff, ens[i],
				    "slot %u", i);
	panthor_perf_rawdump_free(dump);

	dump = run(f, "requests=1 entries=1");
	KUNIT_ASSERT_EQ(test, dump->entry_count, 1);
	KUNIT_EXPECT_EQ(test, dump->words[8 * BLOCK_WORDS + 2] & 0xffff, 0xffff);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
	expect_counts(f);
	panthor_perf_fixture_destroy(f);
}

/* Only an experiment that says so enables the metadata block, and all blocks are behind it then. */
static void metadata_is_an_experiment(struct kunit *test)
{
	static const struct panthor_perf_rawdump_params params = { .requests = 1, .metadata = 1 };
	struct panthor_perf_fake_shape shape = panthor_perf_rk3588;
	struct panthor_perf_rawdump *dump;
	struct panthor_perf_fixture *f;

	/* Firmware that does not offer it, or in a size that is not known. */
	f = test->priv;
	KUNIT_EXPECT_EQ(test, run_fails_with(f, &params), -EOPNOTSUPP);
	f->fake.control.perfcnt_features = 2;
	KUNIT_EXPECT_EQ(test, run_fails_with(f, &params), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);

	shape.metadata = true;
	f = panthor_perf_fixture_create(test, &shape);
	panthor_perf_rawdump_free(run(f, "requests=3"));

	/* More than once around the ring, which has half the entries. */
	f->fake.metadata_allowed = true;
	dump = run(f, "requests=70 entries=2 metadata=1");
	KUNIT_EXPECT_EQ(test, f->fake.slots, PANTHOR_PERF_FW_RING_SLOTS / 2);
	KUNIT_EXPECT_EQ(test, dump->entries_seen, 70);
	KUNIT_ASSERT_EQ(test, dump->entry_count, 2);
	KUNIT_ASSERT_EQ(test, dump->entry_words, BLOCK_WORDS + ENTRY_WORDS);
	for (u32 i = 0; i < 2; i++) {
		const u32 *words = dump->words + i * dump->entry_words;

		KUNIT_EXPECT_EQ(test, words[3], 0x11);
		KUNIT_EXPECT_EQ(test, words[4], PANTHOR_PERF_RAWDUMP_POISON);
		KUNIT_EXPECT_EQ(test, words[BLOCK_WORDS + CSHW_WORD + 2], U32_MAX);
		KUNIT_EXPECT_EQ(test, words[BLOCK_WORDS + SHADER_WORD + 2], U32_MAX);
	}
	panthor_perf_rawdump_free(dump);
	expect_restored(f);

	dump = run(f, "requests=128 keep=1 fill=40 metadata=1");
	KUNIT_EXPECT_EQ(test, dump->entries_seen, PANTHOR_PERF_FW_RING_SLOTS / 2);
	panthor_perf_rawdump_free(dump);
	f->fake.metadata_allowed = false;
	expect_counts(f);
	panthor_perf_fixture_destroy(f);
}

static void a_ring_fills(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;
	u32 first = 0;

	dump = run(f, "requests=128 keep=1 fill=40 entries=4");
	KUNIT_EXPECT_EQ(test, dump->request_count, 40);
	while (first < 40 && !(dump->requests[first].events & PANTHOR_PERF_FW_THRESHOLD))
		first++;
	KUNIT_EXPECT_EQ(test, first, PANTHOR_PERF_FW_RING_SLOTS / 2 - 1);
	KUNIT_EXPECT_EQ(test, dump->entries_seen, 40);
	KUNIT_EXPECT_EQ(test, dump->entry_count, 4);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);

	/* To the last slot, and no further. */
	dump = run(f, "requests=128 keep=1");
	KUNIT_EXPECT_EQ(test, dump->request_count, PANTHOR_PERF_FW_RING_SLOTS);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 0);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
	expect_counts(f);
}

static void a_full_ring_overflows(struct kunit *test)
{
	const u32 last = PANTHOR_PERF_FW_RING_SLOTS;
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;

	dump = run(f, "requests=128 keep=1 overflow=1");
	KUNIT_ASSERT_EQ(test, dump->request_count, last + 1);
	KUNIT_EXPECT_EQ(test, dump->requests[last - 1].ret, 0);
	KUNIT_EXPECT_EQ(test, dump->requests[last].ret, -ETIMEDOUT);
	KUNIT_EXPECT_NE(test, dump->requests[last].events & PANTHOR_PERF_FW_OVERFLOW, 0);
	KUNIT_EXPECT_EQ(test, dump->requests[last].drained, 0);
	KUNIT_EXPECT_EQ(test, dump->entries_seen, last + 1);
	KUNIT_EXPECT_EQ(test, f->fake.overflows, 1);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
	expect_counts(f);

	/* Firmware that drops the request. */
	f->fake.deaf_after_overflow = true;
	dump = run(f, "requests=128 keep=1 overflow=1");
	KUNIT_EXPECT_EQ(test, dump->requests[last].drained, -ETIMEDOUT);
	panthor_perf_rawdump_free(dump);
	f->fake.deaf_after_overflow = false;
	expect_restored(f);
	expect_counts(f);
}

static void a_silent_firmware_is_reported(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	dump = run(f, "requests=5");
	KUNIT_EXPECT_EQ(test, dump->request_count, 1);
	KUNIT_EXPECT_EQ(test, dump->requests[0].ret, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, dump->requests[0].drained, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, dump->disable_ret, 0);
	/* 100 ms in slices of 10. */
	KUNIT_EXPECT_EQ(test, f->fake.waits, 10);
	panthor_perf_rawdump_free(dump);
	f->fake.hold = 0;
	expect_restored(f);

	f->fake.hold = GLB_PERFCNT_EN;
	dump = run(f, "requests=5");
	KUNIT_EXPECT_EQ(test, dump->enable_ret, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, dump->request_count, 0);
	panthor_perf_rawdump_free(dump);
	f->fake.hold = 0;
	expect_restored(f);
	expect_counts(f);
}

/* The experiment ends when the firmware has disabled the counters, not before. */
static void a_late_firmware_is_waited_for(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;

	f->fake.answers = FAKE_LATE;
	dump = run(f, "requests=1");
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	expect_restored(f);
	KUNIT_EXPECT_EQ(test, dump->enable_ret, 0);
	KUNIT_EXPECT_EQ(test, dump->requests[0].ret, 0);
	KUNIT_EXPECT_EQ(test, dump->disable_ret, 0);
	panthor_perf_rawdump_free(dump);
	f->fake.answers = FAKE_AT_ONCE;
	expect_counts(f);
}

static void whoever_counts_comes_first(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user user;

	attach_on(f, &user);
	KUNIT_EXPECT_EQ(test, run_fails(f), -EBUSY);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	sample(f, &user);
	panthor_perf_fixture_expect_exact(f);
	detach(f, &user);
	panthor_perf_fixture_run(f);
	panthor_perf_rawdump_free(run(f, "requests=1"));
	expect_restored(f);
}

/* Experiments of another thread, with pauses that let others run. */
struct other {
	struct work_struct work;
	struct panthor_perf_fixture *fixture;
	struct panthor_perf_rawdump *dump;
	int ret;
};

static void other_work(struct work_struct *work)
{
	static const struct panthor_perf_rawdump_params params = {
		.requests = PANTHOR_PERF_RAWDUMP_MAX_REQUESTS,
		.wait_us = PANTHOR_PERF_RAWDUMP_MAX_WAIT_US,
	};
	struct other *other = container_of(work, struct other, work);
	struct panthor_perf_fw *fw = &other->fixture->sampler.fw;

	panthor_perf_hw_power_get(fw);
	other->ret = panthor_perf_hw_alloc_ring(fw);
	if (!other->ret)
		other->ret = panthor_perf_rawdump_run(&other->fixture->sampler, &params,
						      &other->dump);
	panthor_perf_hw_power_put(fw);
}

static void other_begin(struct panthor_perf_fixture *f, struct other *other)
{
	other->fixture = f;
	other->dump = NULL;
	INIT_WORK_ONSTACK(&other->work, other_work);
	queue_work(system_unbound_wq, &other->work);
	msleep(150);
	KUNIT_ASSERT_EQ(f->test, f->sampler.counts.set, PANTHOR_PERF_RESERVED_SET);
}

static void other_end(struct other *other)
{
	flush_work(&other->work);
	destroy_work_on_stack(&other->work);
}

static void others_wait_for_the_end_of_an_experiment(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct sampler_user user;
	struct other other;

	other_begin(f, &other);
	for (u32 set = 0; set < 3; set++)
		KUNIT_EXPECT_EQ(test, attach_set(f, &user, set), -EBUSY);
	KUNIT_EXPECT_EQ(test, run_fails(f), -EBUSY);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 0);
	panthor_perf_sampler_pre_reset(&f->sampler);
	other_end(&other);
	panthor_perf_rawdump_free(other.dump);
	panthor_perf_fake_fw_shut_down(&f->fake);
	panthor_perf_fixture_post_reset(f, false);
}

/* In front of an experiment the time stamp runs on, and the cycles stand still. */
static void clocks_are_read_while_counters_are_off(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_rawdump *dump;
	u64 before = f->fake.timestamp;

	f->fake.cycles.base = 12345;
	dump = run(f, "requests=1");
	KUNIT_EXPECT_EQ(test, dump->cycles_off[0], 12345);
	KUNIT_EXPECT_EQ(test, dump->cycles_off[1], 12345);
	KUNIT_EXPECT_GE(test, dump->timestamps_off[0], before);
	/* A pause of 1 ms lies in between. */
	KUNIT_EXPECT_GE(test, dump->timestamps_off[1] - dump->timestamps_off[0],
			PANTHOR_PERF_FAKE_TIMESTAMP_RATE / 1000);
	panthor_perf_rawdump_free(dump);

	/* INSERT is what the experiment before left, until counters are enabled. */
	dump = run(f, "requests=3");
	KUNIT_EXPECT_EQ(test, dump->insert_off, 1);
	KUNIT_EXPECT_EQ(test, dump->insert_on, 0);
	panthor_perf_rawdump_free(dump);
	expect_restored(f);
}

static void an_impossible_index_ends_it(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct other other;

	other_begin(f, &other);
	f->fake.no_sample = U32_MAX;
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	other_end(&other);
	KUNIT_EXPECT_EQ(test, other.ret, -EIO);
	KUNIT_EXPECT_NULL(test, other.dump);
	panthor_perf_rawdump_free(other.dump);
	f->fake.no_sample = 0;
	expect_restored(f);
	expect_counts(f);
}

static void expect_aborted(struct kunit *test, const struct other *other)
{
	KUNIT_EXPECT_EQ(test, other->ret, 0);
	KUNIT_ASSERT_NOT_NULL(test, other->dump);
	KUNIT_EXPECT_TRUE(test, other->dump->aborted);
	KUNIT_EXPECT_LT(test, other->dump->request_count, 128);
}

/* The experiment ends by itself: a reset does not wait for it. */
static void reset_ends_an_experiment(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct other other;
	u64 before;

	other_begin(f, &other);
	before = ktime_get_ns();
	panthor_perf_sampler_pre_reset(&f->sampler);
	KUNIT_EXPECT_LT(test, ktime_get_ns() - before, NSEC_PER_MSEC);
	other_end(&other);
	expect_aborted(test, &other);
	panthor_perf_rawdump_free(other.dump);
	panthor_perf_fake_fw_shut_down(&f->fake);

	/* While the GPU is reset, there is no experiment. */
	f->fake.on = true;
	KUNIT_EXPECT_EQ(test, run_fails(f), -EBUSY);
	f->fake.on = false;
	panthor_perf_fixture_post_reset(f, false);
	expect_restored(f);
	expect_counts(f);
}

/* The reset is over before the experiment checks for it. */
static void reset_ends_an_experiment_later(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct other other;

	other_begin(f, &other);
	panthor_perf_sampler_pre_reset(&f->sampler);
	panthor_perf_sampler_restart(&f->sampler, false);
	other_end(&other);
	expect_aborted(test, &other);
	panthor_perf_rawdump_free(other.dump);
	expect_restored(f);
	expect_counts(f);
}

/* A request is pending when the GPU is reset: the index that firmware then shows has no meaning. */
static void index_after_a_reset_is_not_read(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct other other;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	f->fake.wait_ms = 50;
	other_begin(f, &other);
	for (u32 i = 0; !READ_ONCE(f->fake.waits) && i < 50; i++)
		msleep(20);
	panthor_perf_sampler_pre_reset(&f->sampler);
	panthor_perf_sampler_restart(&f->sampler, false);
	panthor_perf_fake_fw_spoil_insert(&f->fake, 1000);
	other_end(&other);
	expect_aborted(test, &other);
	KUNIT_EXPECT_EQ(test, other.dump->request_count, 1);
	panthor_perf_rawdump_free(other.dump);
}

static void unplug_ends_an_experiment(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct other other;

	other_begin(f, &other);
	panthor_perf_fixture_unplug(f);
	other_end(&other);
	KUNIT_EXPECT_FALSE(test, f->fake.enabled);
	expect_aborted(test, &other);
	panthor_perf_rawdump_free(other.dump);
	KUNIT_EXPECT_EQ(test, run_fails(f), -ENODEV);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lines_are_understood),
	KUNIT_CASE(entries_are_what_the_firmware_wrote),
	KUNIT_CASE(masks_are_the_firmware_s),
	KUNIT_CASE(accelerators_have_a_mask),
	KUNIT_CASE(metadata_is_an_experiment),
	KUNIT_CASE(a_ring_fills),
	KUNIT_CASE(a_full_ring_overflows),
	KUNIT_CASE(a_silent_firmware_is_reported),
	KUNIT_CASE(a_late_firmware_is_waited_for),
	KUNIT_CASE(clocks_are_read_while_counters_are_off),
	KUNIT_CASE(an_impossible_index_ends_it),
	KUNIT_CASE(whoever_counts_comes_first),
	KUNIT_CASE(others_wait_for_the_end_of_an_experiment),
	KUNIT_CASE(reset_ends_an_experiment),
	KUNIT_CASE(reset_ends_an_experiment_later),
	KUNIT_CASE(index_after_a_reset_is_not_read),
	KUNIT_CASE(unplug_ends_an_experiment),
	{}
};

static struct kunit_suite suite = {
	.name = "panthor_perf_rawdump",
	.init = panthor_perf_fixture_init,
	.exit = panthor_perf_fixture_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
