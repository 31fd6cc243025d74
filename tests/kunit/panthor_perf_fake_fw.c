// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/debug_locks.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "panthor_perf_fake_fw.h"
#include "panthor_perf_fake_mcu.h"
#include "panthor_perf_hw.h"

/* No test may take these values for counts. */
#define CPU_POISON		0xc5
#define DEV_POISON		0xa5

/* What the clocks are like. The lower half of the time stamp is about to wrap. */
#define TIMESTAMP_AT_FIRST	0x7fffffff00ull
#define CYCLE_RATE		500000000

/* What a reading may take at worst. */
#define SLOW_US			1000

const struct panthor_perf_fake_shape panthor_perf_rk3588 = {
	.name = "rk3588",
	.arch = 10,
	.block_words = 64,
	.fw_block = true,
	.groups = 8,
	.l2_slices = 4,
	.shader_present = 0x50005,
	.clocks = BIT(DRM_PANTHOR_PERF_CLOCK_COREGROUP) | BIT(DRM_PANTHOR_PERF_CLOCK_SHADER),
};

static struct panthor_perf_fake_fw *to_fake(struct panthor_perf_fw *fw)
{
	return container_of(fw->iface, struct panthor_perf_fake_fw, iface);
}

void panthor_perf_hw_doorbell(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	fake->doorbells++;
	if (fake->on)
		fake_mcu_serve(fake);
	else
		fake_mcu_violation(fake, "doorbell of a GPU without power");
}

int panthor_perf_hw_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	if (fake->wait_ms)
		msleep(fake->wait_ms);

	guard(spinlock)(&fake->lock);
	fake->waits++;
#ifdef CONFIG_LOCKDEP
	if (debug_locks && fake->perf_lock && lockdep_is_held(fake->perf_lock))
		fake_mcu_violation(fake, "waits for the firmware with the perf mutex held");
#endif
	if (!timeout_ms || timeout_ms > 1000)
		fake_mcu_violation(fake, "waits for %u ms", timeout_ms);
	if (!fake->on)
		fake_mcu_violation(fake, "waits for a GPU without power");

	if (fake->answer_in_wait) {
		fake->hold = 0;
		fake_mcu_serve(fake);
	}
	fake_mcu_settle(fake);

	return fake_mcu_is_pending(fake, reqs) ? -ETIMEDOUT : 0;
}

int panthor_perf_hw_power_get(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	guard(spinlock)(&fake->lock);
	if (fake->power_error)
		return fake->power_error;

	fake->power++;
	fake->on = true;
	return 0;
}

void panthor_perf_hw_power_get_async(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (!fake->on)
		fake_mcu_violation(fake, "keeps a GPU powered that is not");
	fake->power++;
}

void panthor_perf_hw_power_put(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (--fake->power < 0)
		fake_mcu_violation(fake, "gives up power that it does not hold");
}

int panthor_perf_hw_alloc_ring(struct panthor_perf_fw *fw)
{
	const size_t size = fw->slots * fw->layout->entry_size;
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	if (fw->ring)
		return 0;
	if (fake->alloc_error)
		return fake->alloc_error;
	fake->cpu_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	fake->dev_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	if (!fake->cpu_ring || !fake->dev_ring)
		return -ENOMEM;

	memset(fake->cpu_ring, CPU_POISON, size);
	memset(fake->dev_ring, DEV_POISON, size);
	fake->ring_bytes = size;
	fw->ring = fake->cpu_ring;
	fw->ring_va = FAKE_RING_VA;
	return 0;
}

void panthor_perf_hw_free_ring(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	if (!fw->ring)
		return;
	if (fake->on && fake->enabled)
		fake_mcu_violation(fake, "frees the ring of enabled counters");

	kunit_kfree(fake->test, fake->cpu_ring);
	kunit_kfree(fake->test, fake->dev_ring);
	fake->cpu_ring = NULL;
	fake->dev_ring = NULL;
	fake->ring_bytes = 0;
	fw->ring = NULL;
	fw->ring_va = 0;
}

static bool in_ring(struct panthor_perf_fake_fw *fake, u32 offset, u32 size)
{
	if (fake->dev_ring && size <= fake->ring_bytes && offset <= fake->ring_bytes - size)
		return true;

	fake_mcu_violation(fake, "synchronises %u bytes at %u", size, offset);
	return false;
}

void panthor_perf_hw_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (in_ring(fake, offset, size))
		memcpy((void *)fake->cpu_ring + offset, (void *)fake->dev_ring + offset, size);
	fake->cpu_bytes += size;

	if (fake->answer_in_sync) {
		fake->answer_in_sync = false;
		fake->hold = 0;
		fake_mcu_serve(fake);
	}
}

/* The host owns an entry from the firmware's INSERT on, until EXTRACT is beyond it. */
static bool is_unread(const struct panthor_perf_fake_fw *fake, u32 offset)
{
	const u32 slot = offset / sizeof(u32) / (fake->metadata_words + fake->entry_words);
	const u32 extract = READ_ONCE(fake->input.perfcnt_extract);

	return fake->slots && (slot - extract) % fake->slots < fake->insert - extract;
}

void panthor_perf_hw_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (fake->on && fake->enabled && fake->entry_words && !is_unread(fake, offset))
		fake_mcu_violation(fake, "clears an entry that the firmware may write");
	if (in_ring(fake, offset, size))
		memcpy((void *)fake->dev_ring + offset, (void *)fake->cpu_ring + offset, size);
	fake->dev_bytes += size;
}

u32 panthor_perf_hw_as(struct panthor_perf_fw *fw)
{
	return FAKE_RING_AS;
}

static u64 read_counter(struct panthor_perf_fake_fw *fake,
			struct panthor_perf_fake_counter *counter)
{
	guard(spinlock)(&fake->lock);
	if (!fake->on)
		fake_mcu_violation(fake, "reads a register of a GPU without power");

	/* Time passes before the register is read, and after a clock that the driver has read. */
	udelay(++counter->reads == counter->slow_read ? SLOW_US : counter->slow_us);
	return fake_mcu_counter_value(counter, ktime_get_raw_ns());
}

u64 panthor_perf_hw_timestamp(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	return read_counter(fake, &fake->ticks);
}

u64 panthor_perf_hw_cycles(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	return read_counter(fake, &fake->cycles);
}

u64 panthor_perf_hw_shader_present(struct panthor_device *ptdev)
{
	return panthor_perf_rk3588.shader_present;
}

u32 panthor_perf_hw_block_features(struct panthor_device *ptdev)
{
	return panthor_perf_rk3588.block_words * sizeof(u32) / 256;
}

u32 panthor_perf_hw_features(struct panthor_device *ptdev)
{
	return 0;
}

u64 panthor_perf_hw_neural_present(struct panthor_device *ptdev)
{
	return 0;
}

static void add_block(struct kunit *test, struct panthor_perf_fake_fw *fake, u8 type, u32 rank,
		      u32 word)
{
	struct panthor_perf_fake_block *block = &fake->blocks[fake->block_count++];
	const u32 words = fake->shape.block_words;

	block->type = type;
	block->rank = rank;
	block->word = word;
	block->counts = kunit_kcalloc(test, words, sizeof(*block->counts), GFP_KERNEL);
	block->reported = kunit_kcalloc(test, words, sizeof(*block->reported), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, block->counts);
	KUNIT_ASSERT_NOT_NULL(test, block->reported);
}

/*
 * A slot for each core up to the last one or for each that is present, for the core or its
 * accelerator. The rank is that of the core. Returns the first word behind.
 */
static u32 add_cores(struct kunit *test, struct panthor_perf_fake_fw *fake, u8 type, u64 mask,
		     u32 word)
{
	const struct panthor_perf_fake_shape *shape = &fake->shape;
	u32 rank = 0;

	for (u32 core = 0; core < 64 && shape->shader_present >> core; core++) {
		const bool present = shape->shader_present >> core & 1;

		if (mask >> core & 1)
			add_block(test, fake, type, rank, word);
		rank += present;
		if (present || !shape->packed)
			word += shape->block_words;
	}
	return word;
}

/* Firmware, groups, front end, tiler, L2 slices, shader cores, neural accelerators. */
static void add_blocks(struct kunit *test, struct panthor_perf_fake_fw *fake)
{
	const struct panthor_perf_fake_shape *shape = &fake->shape;
	const u32 words = shape->block_words;
	u32 word = 0;

	if (shape->fw_block) {
		add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_FW, 0, word);
		word += words;
	}
	for (u32 i = 0; shape->csg_blocks && i < shape->groups; i++, word += words)
		add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, i, word);

	add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 0, word);
	word += words;
	add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, 0, word);
	word += words;
	for (u32 i = 0; i < shape->l2_slices; i++, word += words)
		add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, i, word);

	word = add_cores(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, shape->shader_present,
			 word);
	if (shape->neural_present)
		word = add_cores(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL,
				 shape->neural_present, word);

	fake->entry_words = word;
}

/**
 * panthor_perf_fake_fw_init() - Make a fake firmware that lives as long as the test
 * @test: Test.
 * @fake: What to initialise.
 * @shape: What its GPU is made of.
 */
void panthor_perf_fake_fw_init(struct kunit *test, struct panthor_perf_fake_fw *fake,
			       const struct panthor_perf_fake_shape *shape)
{
	const u32 max_blocks = 3 + shape->groups + shape->l2_slices + 2 * 64;

	memset(fake, 0, sizeof(*fake));
	fake->test = test;
	fake->shape = *shape;
	fake->timestamp = TIMESTAMP_AT_FIRST;
	fake_mcu_set_counter(&fake->ticks, TIMESTAMP_AT_FIRST, PANTHOR_PERF_FAKE_TIMESTAMP_RATE,
			     false);
	fake_mcu_set_counter(&fake->cycles, 0, CYCLE_RATE, true);
	spin_lock_init(&fake->lock);
	spin_lock_init(&fake->iface.lock);
	fake->iface.control = &fake->control;
	fake->iface.input = &fake->input;
	fake->iface.output = &fake->output;
	fake->control.group_num = shape->groups;
	fake->control.perfcnt_features = shape->metadata ? shape->block_words / 64 : 0;

	fake->blocks = kunit_kcalloc(test, max_blocks, sizeof(*fake->blocks), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake->blocks);
	add_blocks(test, fake);
}

/**
 * panthor_perf_fake_fw_params() - What the GPU and the firmware say of their sizes
 * @fake: Fake firmware.
 * @params: Where to store it.
 */
void panthor_perf_fake_fw_params(const struct panthor_perf_fake_fw *fake,
				 struct panthor_perf_layout_params *params)
{
	const struct panthor_perf_fake_shape *shape = &fake->shape;
	const u32 units = shape->block_words / 64;
	const u32 fw_units = (shape->fw_block + (shape->csg_blocks ? shape->groups : 0)) * units;

	*params = (struct panthor_perf_layout_params) {
		.prfcnt_size = fw_units << 16 | (fake->entry_words / 64 - fw_units),
		.gpu_id = shape->arch << 28,
		.gpu_prfcnt_features = shape->arch >= 11 ? units : 0,
		.mem_features = (shape->l2_slices - 1) << 8,
		.csg_count = shape->groups,
		.shader_present = shape->shader_present,
		.gpu_features = shape->neural_present ? BIT(4) : 0,
		.neural_present = shape->neural_present,
		.shader_available = shape->shader_present & ~shape->shader_withheld,
	};
}

static void free_layout(void *layout)
{
	kfree(layout);
}

/**
 * panthor_perf_fake_fw_connect() - Set up the protocol, for tests without a sampler
 * @fake: Fake firmware.
 * @fw: Protocol state to initialise. The GPU has power, and the ring is allocated.
 */
void panthor_perf_fake_fw_connect(struct panthor_perf_fake_fw *fake, struct panthor_perf_fw *fw)
{
	struct panthor_perf_layout_params params;
	struct panthor_perf_layout *layout;

	panthor_perf_fake_fw_params(fake, &params);
	layout = panthor_perf_layout_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(fake->test, layout);
	KUNIT_ASSERT_EQ(fake->test, kunit_add_action_or_reset(fake->test, free_layout, layout), 0);
	panthor_perf_layout_set_clocks(layout, fake->shape.clocks);

	panthor_perf_fw_init(fw, &fake->iface, layout);
	KUNIT_ASSERT_EQ(fake->test, panthor_perf_hw_power_get(fw), 0);
	KUNIT_ASSERT_EQ(fake->test, panthor_perf_hw_alloc_ring(fw), 0);
}

/**
 * panthor_perf_fake_fw_count() - Something happens that the GPU counts, if counters are enabled
 * @fake: Fake firmware.
 * @type: Type of the block.
 * @rank: Number of the block among those of its type.
 * @counter: Index of the counter, from 4.
 * @events: Number of events.
 */
void panthor_perf_fake_fw_count(struct panthor_perf_fake_fw *fake, u8 type, u32 rank, u32 counter,
				u32 events)
{
	struct panthor_perf_fake_block *block = panthor_perf_fake_fw_block(fake, type, rank);

	guard(spinlock)(&fake->lock);
	fake_mcu_count(fake, block, counter, events);
}

/**
 * panthor_perf_fake_fw_count_all() - Every counter of every block counts
 * @fake: Fake firmware.
 * @seed: What the pseudo-random numbers of events follow from.
 */
void panthor_perf_fake_fw_count_all(struct panthor_perf_fake_fw *fake, u32 seed)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, seed);
	guard(spinlock)(&fake->lock);
	for (u32 i = 0; i < fake->block_count; i++) {
		for (u32 k = FAKE_HEADER_WORDS; k < fake->shape.block_words; k++)
			fake_mcu_count(fake, &fake->blocks[i], k, prandom_u32_state(&rnd) >> 2);
	}
}

/**
 * panthor_perf_fake_fw_power_off() - A block loses power, with what it counted unread
 * @fake: Fake firmware.
 * @type: Type of the block.
 * @rank: Number of the block among those of its type.
 */
void panthor_perf_fake_fw_power_off(struct panthor_perf_fake_fw *fake, u8 type, u32 rank)
{
	struct panthor_perf_fake_block *block = panthor_perf_fake_fw_block(fake, type, rank);

	guard(spinlock)(&fake->lock);
	block->off = true;
	memset(block->counts, 0, fake->shape.block_words * sizeof(*block->counts));
}

/**
 * panthor_perf_fake_fw_power_on() - A block gets power
 * @fake: Fake firmware.
 * @type: Type of the block.
 * @rank: Number of the block among those of its type.
 */
void panthor_perf_fake_fw_power_on(struct panthor_perf_fake_fw *fake, u8 type, u32 rank)
{
	panthor_perf_fake_fw_block(fake, type, rank)->off = false;
}

/**
 * panthor_perf_fake_fw_set_timestamp() - Have TIMESTAMP count like this from now on
 * @fake: Fake firmware.
 * @now: Its value.
 * @rate: Ticks per second. 0: it stands still.
 */
void panthor_perf_fake_fw_set_timestamp(struct panthor_perf_fake_fw *fake, u64 now, u64 rate)
{
	guard(spinlock)(&fake->lock);
	fake_mcu_set_counter(&fake->ticks, now, rate, false);
}

/**
 * panthor_perf_fake_fw_set_cycles() - Have CYCLE_COUNT count like this from now on
 * @fake: Fake firmware.
 * @now: Its value.
 * @rate: Cycles per second, while the host wants it to count. 0: it stands still.
 */
void panthor_perf_fake_fw_set_cycles(struct panthor_perf_fake_fw *fake, u64 now, u64 rate)
{
	guard(spinlock)(&fake->lock);
	fake_mcu_set_counter(&fake->cycles, now, rate, fake->cycles.stopped);
}

/**
 * panthor_perf_fake_fw_auto_sample() - The firmware takes a sample on its own
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_auto_sample(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	fake_mcu_auto_sample(fake);
}

/**
 * panthor_perf_fake_fw_core_off() - The firmware has a shader core lose power
 * @fake: Fake firmware, with counters enabled.
 * @rank: Number of the core.
 *
 * Nothing happens without room in the ring for the sample before.
 */
void panthor_perf_fake_fw_core_off(struct panthor_perf_fake_fw *fake, u32 rank)
{
	struct panthor_perf_fake_block *block =
		panthor_perf_fake_fw_block(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, rank);

	guard(spinlock)(&fake->lock);
	fake_mcu_core_off(fake, block);
}

/**
 * panthor_perf_fake_fw_settle() - Time passes: the firmware completes its answer
 * @fake: Fake firmware.
 *
 * Return: true if it had to.
 */
bool panthor_perf_fake_fw_settle(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	return fake_mcu_settle(fake);
}

/**
 * panthor_perf_fake_fw_let_go() - Answer what was held back
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_let_go(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	fake->hold = 0;
	fake_mcu_serve(fake);
}

/**
 * panthor_perf_fake_fw_spoil_insert() - Show another insert index than the true one
 * @fake: Fake firmware.
 * @insert: What to show, until the next sample or enable.
 */
void panthor_perf_fake_fw_spoil_insert(struct panthor_perf_fake_fw *fake, u32 insert)
{
	WRITE_ONCE(fake->output.perfcnt_insert, insert);
}

/**
 * panthor_perf_fake_fw_shut_down() - The GPU loses power
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_shut_down(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	fake_mcu_power_off(fake);
}

/**
 * panthor_perf_fake_fw_restart() - The MCU boots, after a reset or a suspend
 * @fake: Fake firmware.
 * @cold: The interface memory is initialised again.
 */
void panthor_perf_fake_fw_restart(struct panthor_perf_fake_fw *fake, bool cold)
{
	guard(spinlock)(&fake->lock);
	fake_mcu_boot(fake, cold);
}

/**
 * panthor_perf_fake_fw_fill() - Samples in the ring
 * @fake: Fake firmware.
 *
 * Return: Their number, as far as the firmware knows.
 */
u32 panthor_perf_fake_fw_fill(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	return fake->insert - fake->input.perfcnt_extract;
}
