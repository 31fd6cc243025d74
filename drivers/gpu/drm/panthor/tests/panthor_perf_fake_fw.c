// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/debug_locks.h>
#include <linux/ktime.h>
#include <linux/prandom.h>
#include <linux/slab.h>

#include "panthor_perf_fake_fw.h"

/* Where the ring lies for the MCU, and what no test may take for counts. */
#define RING_VA			0x4000800ull
#define RING_AS			0
#define CPU_POISON		0xc5
#define DEV_POISON		0xa5

/* The lower half of the time stamp is about to wrap. */
#define TIMESTAMP_AT_FIRST	0x7fffffff00ull
#define NS_PER_TICK		16
#define NS_PER_CYCLE		2

/* Words of a block. */
#define TIMESTAMP_LO		0
#define TIMESTAMP_HI		1
#define ENABLE_WORD		2
#define HEADER_WORDS		4

const struct panthor_perf_fake_shape panthor_perf_rk3588 = {
	.name = "rk3588", .arch = 10, .block_words = 64, .fw_block = true, .groups = 8,
	.l2_slices = 4, .shader_present = 0x50005,
	.clocks = BIT(DRM_PANTHOR_PERF_CLOCK_COREGROUP) | BIT(DRM_PANTHOR_PERF_CLOCK_SHADER),
};

static struct panthor_perf_fake_fw *to_fake(struct panthor_perf_fw *fw)
{
	return container_of(fw->iface, struct panthor_perf_fake_fw, iface);
}

/* The driver breaks the protocol if this is true. */
static void check_not(struct panthor_perf_fake_fw *fake, bool wrong, const char *what)
{
	if (wrong && !fake->violations++)
		strscpy(fake->violation, what);
}

static u32 pending(const struct panthor_perf_fake_fw *fake)
{
	return READ_ONCE(fake->input.req) ^ fake->output.ack;
}

static void answer(struct panthor_perf_fake_fw *fake, u32 bit)
{
	WRITE_ONCE(fake->output.ack, fake->output.ack ^ bit);
	if (fake->input.ack_irq_mask & bit)
		fake->irqs++;
	else
		fake->masked++;
}

static u64 read_timestamp(void)
{
	return TIMESTAMP_AT_FIRST + ktime_get_raw_ns() / NS_PER_TICK;
}

static void raise_event(struct panthor_perf_fake_fw *fake, u32 bit, u32 *number)
{
	if (pending(fake) & bit)
		return;

	++*number;
	answer(fake, bit);
}

static void write_block(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block)
{
	u32 *words = fake->dev_ring + fake->insert % fake->slots * fake->entry_words + block->word;
	u64 stamp = fake->timestamp;

	check_not(fake, words[ENABLE_WORD], "an enable word is not cleared");
	if (block->off)
		return;

	if (block->type != DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
		stamp += FAKE_BLOCK_DELAY * (1 + block->rank);
	words[TIMESTAMP_LO] = lower_32_bits(stamp);
	words[TIMESTAMP_HI] = upper_32_bits(stamp);
	words[ENABLE_WORD] = fake->input.perfcnt_shader_enable;
	for (u32 i = HEADER_WORDS; i < fake->shape.block_words; i++) {
		words[i] = block->counts[i];
		block->reported[i] += block->counts[i];
		block->counts[i] = 0;
	}
}

/* Returns false if the ring has no room. */
static bool write_sample(struct panthor_perf_fake_fw *fake)
{
	const bool full = panthor_perf_fake_fw_fill(fake) >= fake->slots;

	if (full) {
		raise_event(fake, GLB_PERFCNT_OVERFLOW, &fake->overflows);
	} else {
		fake->timestamp = read_timestamp();
		for (u32 i = 0; i < fake->block_count; i++)
			write_block(fake, &fake->blocks[i]);
		WRITE_ONCE(fake->output.perfcnt_insert, ++fake->insert);
	}
	if (panthor_perf_fake_fw_fill(fake) >= fake->slots / 2)
		raise_event(fake, GLB_PERFCNT_THRESHOLD, &fake->thresholds);
	return !full;
}

static void enable(struct panthor_perf_fake_fw *fake)
{
	const struct panthor_fw_global_input_iface *input = &fake->input;

	fake->slots = input->perfcnt_config & 0xff;
	check_not(fake, fake->slots != PANTHOR_PERF_FW_RING_SLOTS, "enables another ring");
	check_not(fake, input->perfcnt_base != RING_VA || input->perfcnt_as != RING_AS,
		  "enables counters with another address");
	check_not(fake, input->perfcnt_extract, "enables counters with an extract index");

	for (u32 i = 0; i < fake->block_count; i++)
		memset(fake->blocks[i].counts, 0, fake->shape.block_words * sizeof(u32));
	fake->enable_edges++;
	fake->enabled = true;
	fake->insert = 0;
	WRITE_ONCE(fake->output.perfcnt_insert, 0);
}

static void serve(struct panthor_perf_fake_fw *fake)
{
	const u32 todo = pending(fake) & ~fake->hold;
	const u32 unread = panthor_perf_fake_fw_fill(fake);

	check_not(fake, fake->enabled && unread > fake->slots, "extracts beyond insert");
	if (todo & GLB_PERFCNT_EN) {
		if (fake->input.req & GLB_PERFCNT_EN) {
			enable(fake);
		} else {
			fake->unread += fake->enabled ? unread : 0;
			fake->disable_edges++;
			fake->enabled = false;
		}
		answer(fake, GLB_PERFCNT_EN);
	}
	if (todo & GLB_PERFCNT_SAMPLE && fake->enabled && write_sample(fake)) {
		fake->samples++;
		answer(fake, GLB_PERFCNT_SAMPLE);
	}
}

/*
 * In place of panthor_perf_hw.c
 */

void panthor_perf_hw_doorbell(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	fake->doorbells++;
	check_not(fake, !fake->on, "rings the doorbell of a GPU without power");
	if (fake->on)
		serve(fake);
}

int panthor_perf_hw_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	guard(spinlock)(&fake->lock);
	fake->waits++;
#ifdef CONFIG_LOCKDEP
	check_not(fake, debug_locks && fake->perf_lock && lockdep_is_held(fake->perf_lock),
		  "waits with the perf mutex held");
#endif
	check_not(fake, !fake->on, "waits for a GPU without power");
	return pending(fake) & reqs ? -ETIMEDOUT : 0;
}

int panthor_perf_hw_power_get(struct panthor_perf_fw *fw)
{
	guard(spinlock)(&to_fake(fw)->lock);
	to_fake(fw)->power++;
	to_fake(fw)->on = true;
	return 0;
}

void panthor_perf_hw_power_get_async(struct panthor_perf_fw *fw)
{
	check_not(to_fake(fw), !to_fake(fw)->on, "keeps a GPU powered that is not");
	panthor_perf_hw_power_get(fw);
}

void panthor_perf_hw_power_put(struct panthor_perf_fw *fw)
{
	guard(spinlock)(&to_fake(fw)->lock);
	to_fake(fw)->power--;
}

int panthor_perf_hw_alloc_ring(struct panthor_perf_fw *fw)
{
	const size_t size = fw->slots * fw->layout->entry_size;
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	if (fw->ring)
		return 0;

	fake->cpu_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	fake->dev_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	if (!fake->cpu_ring || !fake->dev_ring)
		return -ENOMEM;

	memset(fake->cpu_ring, CPU_POISON, size);
	memset(fake->dev_ring, DEV_POISON, size);
	fw->ring = fake->cpu_ring;
	fw->ring_va = RING_VA;
	return 0;
}

void panthor_perf_hw_free_ring(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	check_not(fake, fw->ring && fake->on && fake->enabled, "frees a ring in use");
	kunit_kfree(fake->test, fake->cpu_ring);
	kunit_kfree(fake->test, fake->dev_ring);
	fake->cpu_ring = NULL;
	fake->dev_ring = NULL;
	fw->ring = NULL;
}

void panthor_perf_hw_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	memcpy((void *)fake->cpu_ring + offset, (void *)fake->dev_ring + offset, size);
	fake->cpu_bytes += size;
}

void panthor_perf_hw_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	memcpy((void *)fake->dev_ring + offset, (void *)fake->cpu_ring + offset, size);
	fake->dev_bytes += size;
}

u32 panthor_perf_hw_as(struct panthor_perf_fw *fw)
{
	return RING_AS;
}

u64 panthor_perf_hw_timestamp(struct panthor_perf_fw *fw)
{
	check_not(to_fake(fw), !to_fake(fw)->on, "reads a register of a GPU without power");
	return read_timestamp();
}

u64 panthor_perf_hw_cycles(struct panthor_perf_fw *fw)
{
	return ktime_get_raw_ns() / NS_PER_CYCLE;
}

u64 panthor_perf_hw_shader_present(struct panthor_device *ptdev)
{
	return panthor_perf_rk3588.shader_present;
}

u32 panthor_perf_hw_block_features(struct panthor_device *ptdev)
{
	return 1;
}

u32 panthor_perf_hw_features(struct panthor_device *ptdev)
{
	return 0;
}

u64 panthor_perf_hw_neural_present(struct panthor_device *ptdev)
{
	return 0;
}

/*
 * For tests
 */

static void add_blocks(struct panthor_perf_fake_fw *fake, u8 type, u32 number)
{
	for (u32 rank = 0; rank < number; rank++) {
		fake->blocks[fake->block_count++] = (struct panthor_perf_fake_block) {
			.type = type, .rank = rank, .word = fake->entry_words,
			.counts = kunit_kcalloc(fake->test, fake->shape.block_words, sizeof(u32),
						GFP_KERNEL),
			.reported = kunit_kcalloc(fake->test, fake->shape.block_words, sizeof(u64),
						  GFP_KERNEL),
		};
		KUNIT_ASSERT_NOT_NULL(fake->test, fake->blocks[fake->block_count - 1].counts);
		KUNIT_ASSERT_NOT_NULL(fake->test, fake->blocks[fake->block_count - 1].reported);
		fake->entry_words += fake->shape.block_words;
	}
}

/* Make a firmware that lives as long as the test. */
void panthor_perf_fake_fw_init(struct kunit *test, struct panthor_perf_fake_fw *fake,
			       const struct panthor_perf_fake_shape *shape)
{
	u32 cores = 0;

	*fake = (struct panthor_perf_fake_fw) {
		.test = test, .shape = *shape, .control.group_num = shape->groups,
		.control.perfcnt_features = shape->metadata ? shape->block_words / 64 : 0,
	};
	spin_lock_init(&fake->lock);
	spin_lock_init(&fake->iface.lock);
	fake->iface.control = &fake->control;
	fake->iface.input = &fake->input;
	fake->iface.output = &fake->output;
	fake->blocks = kunit_kcalloc(test, 3 + shape->groups + shape->l2_slices + 64,
				     sizeof(*fake->blocks), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake->blocks);

	add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_FW, shape->fw_block);
	add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, shape->csg_blocks ? shape->groups : 0);
	add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, 1);
	add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, 1);
	add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, shape->l2_slices);
	for (u64 left = shape->shader_present; left; left >>= 1) {
		const u32 word = fake->entry_words;

		if (left & 1) {
			add_blocks(fake, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, 1);
			fake->blocks[fake->block_count - 1].rank = cores++;
		}
		if (!shape->packed)
			fake->entry_words = word + shape->block_words;
	}
}

/* What the GPU and the firmware say of their sizes. */
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
		.shader_available = shape->shader_present,
	};
}

/* Something happens that the GPU counts, if counters are enabled. Counters saturate. */
static void count(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
		  u32 counter, u32 events)
{
	if (fake->enabled && !block->off)
		block->counts[counter] = min(U32_MAX, (u64)block->counts[counter] + events);
}

void panthor_perf_fake_fw_count(struct panthor_perf_fake_fw *fake, u8 type, u32 rank, u32 counter,
				u32 events)
{
	struct panthor_perf_fake_block *block = panthor_perf_fake_fw_block(fake, type, rank);

	guard(spinlock)(&fake->lock);
	count(fake, block, counter, events);
}

/* Every counter of every block counts, so many as follow from the seed. */
void panthor_perf_fake_fw_count_all(struct panthor_perf_fake_fw *fake, u32 seed)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, seed);
	guard(spinlock)(&fake->lock);
	for (u32 i = 0; i < fake->block_count; i++) {
		for (u32 k = HEADER_WORDS; k < fake->shape.block_words; k++)
			count(fake, &fake->blocks[i], k, prandom_u32_state(&rnd) >> 2);
	}
}

/* The firmware takes a sample on its own. */
void panthor_perf_fake_fw_auto_sample(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	if (fake->enabled && write_sample(fake))
		fake->autos++;
}

/* Time passes: the firmware serves what it no longer holds. Returns whether there was something. */
bool panthor_perf_fake_fw_settle(struct panthor_perf_fake_fw *fake)
{
	u32 before;

	guard(spinlock)(&fake->lock);
	before = fake->output.ack;
	if (fake->on)
		serve(fake);
	return fake->output.ack != before;
}

void panthor_perf_fake_fw_let_go(struct panthor_perf_fake_fw *fake)
{
	fake->hold = 0;
	panthor_perf_fake_fw_settle(fake);
}

void panthor_perf_fake_fw_shut_down(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	fake->on = false;
}

/* The MCU boots. After a cold boot its memory is as at first. */
void panthor_perf_fake_fw_restart(struct panthor_perf_fake_fw *fake, bool cold)
{
	guard(spinlock)(&fake->lock);
	check_not(fake, fake->input.req & GLB_PERFCNT_EN, "boots with counters enabled");
	fake->enabled = false;
	fake->on = true;
	WRITE_ONCE(fake->output.ack, fake->output.ack & ~GLB_PERFCNT_EN);
	if (cold) {
		memset(&fake->input, 0, sizeof(fake->input));
		memset(&fake->output, 0, sizeof(fake->output));
	}
}

/* Samples in the ring. */
u32 panthor_perf_fake_fw_fill(struct panthor_perf_fake_fw *fake)
{
	return fake->insert - READ_ONCE(fake->input.perfcnt_extract);
}
