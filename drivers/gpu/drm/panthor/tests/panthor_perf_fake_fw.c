// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/debug_locks.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/string.h>

#include "panthor_perf_fake_fw.h"

/* Words of a block's header. */
#define TIMESTAMP_LO_WORD	0
#define TIMESTAMP_HI_WORD	1
#define ENABLE_WORD		2
#define HEADER_WORDS		4

/* Word of the metadata block. */
#define REASON_WORD		3
#define REASON_REQUEST		0x11
#define REASON_AUTO		0x12

/* Where the ring lies for the MCU, in which address space, and what its address must be. */
#define RING_VA			0x4000800ull
#define RING_AS			0
#define BASE_ALIGNMENT		2048

/* Nobody may take these for counts. */
#define CPU_POISON		0xc5
#define DEV_POISON		0xa5
#define HOLE_POISON		0xdeadbeef

#define PROTECTED_EXIT		1
#define EVENTS			(GLB_PERFCNT_THRESHOLD | GLB_PERFCNT_OVERFLOW)

/* What the clocks are like. The lower half of the time stamp is about to wrap. */
#define TIMESTAMP_AT_FIRST	0x7fffffff00ull
#define CYCLE_RATE		500000000

/* What a reading may take at worst. */
#define SLOW_US			1000

static struct panthor_perf_fake_fw *to_fake(struct panthor_perf_fw *fw)
{
	return container_of(fw->iface, struct panthor_perf_fake_fw, iface);
}

static __printf(2, 3) void violation(struct panthor_perf_fake_fw *fake, const char *fmt, ...)
{
	va_list args;

	if (!fake->violations++) {
		va_start(args, fmt);
		vscnprintf(fake->violation, sizeof(fake->violation), fmt, args);
		va_end(args);
	}
}

static void answer(struct panthor_perf_fake_fw *fake, u32 bit)
{
	WRITE_ONCE(fake->output.ack, fake->output.ack ^ bit);
	if (fake->input.ack_irq_mask & bit)
		fake->irqs++;
	else
		fake->masked++;
}

static bool is_pending(const struct panthor_perf_fake_fw *fake, u32 bit)
{
	return (READ_ONCE(fake->input.req) ^ fake->output.ack) & bit;
}

static u32 *entry_of(struct panthor_perf_fake_fw *fake, u32 index)
{
	return fake->dev_ring + (size_t)(index % fake->slots) * fake->entry_words;
}

static u64 counter_value(const struct panthor_perf_fake_counter *counter, u64 now_ns)
{
	u64 rate = counter->stopped ? 0 : counter->rate;

	return counter->base + mul_u64_u64_div_u64(now_ns - counter->base_ns, rate, NSEC_PER_SEC);
}

/* From now on it counts like this. */
static void set_counter(struct panthor_perf_fake_counter *counter, u64 now, u64 rate,
			bool stopped)
{
	counter->base = now;
	counter->base_ns = ktime_get_raw_ns();
	counter->rate = rate;
	counter->stopped = stopped;
}

static void run_cycles(struct panthor_perf_fake_fw *fake, bool run)
{
	struct panthor_perf_fake_counter *cycles = &fake->cycles;

	if (cycles->stopped == run)
		set_counter(cycles, counter_value(cycles, ktime_get_raw_ns()), cycles->rate, !run);
}

/* Called once for each sample. */
static void stamp(struct panthor_perf_fake_fw *fake)
{
	fake->timestamp_before = fake->timestamp;
	fake->timestamp = counter_value(&fake->ticks, ktime_get_raw_ns()) + fake->timestamp_error;
}

static void read_config(const struct panthor_perf_fake_fw *fake,
			struct panthor_perf_fake_config *config)
{
	const struct panthor_fw_global_input_iface *input = &fake->input;

	*config = (struct panthor_perf_fake_config) {
		.as = input->perfcnt_as,
		.base = input->perfcnt_base,
		.config = input->perfcnt_config,
		.csg_select = input->perfcnt_csg_select,
		.enables = {
			[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = input->perfcnt_fw_enable,
			[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = input->perfcnt_csg_enable,
			[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = input->perfcnt_csf_enable,
			[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = input->perfcnt_tiler_enable,
			[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = input->perfcnt_mmu_l2_enable,
			[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = input->perfcnt_shader_enable,
		},
	};
}

static void check_cleared(struct panthor_perf_fake_fw *fake, u32 index, const char *when)
{
	const u32 *entry = entry_of(fake, index);

	if (fake->shape.metadata && entry[REASON_WORD])
		violation(fake, "reason of sample %u not cleared %s", index, when);

	for (u32 i = 0; i < fake->block_count; i++) {
		if (entry[fake->blocks[i].word + ENABLE_WORD])
			violation(fake, "enable word of sample %u, block %u not cleared %s",
				  index, i, when);
	}
}

static void check_config(struct panthor_perf_fake_fw *fake)
{
	const struct panthor_perf_fake_config *config = &fake->config;
	const u32 groups = fake->shape.groups;

	if (config->as != RING_AS)
		violation(fake, "address space %u", config->as);
	if (!config->base || config->base % BASE_ALIGNMENT || config->base != RING_VA)
		violation(fake, "ring address %#llx", config->base);
	if (config->config & ~GENMASK(10, 0))
		violation(fake, "unknown bits in configuration %#x", config->config);
	if (fake->slots < 2 || fake->slots > 128 || !is_power_of_2(fake->slots))
		violation(fake, "ring of %u slots", fake->slots);
	if (fake->ring_bytes < (size_t)fake->slots * fake->entry_words * sizeof(u32))
		violation(fake, "ring of %zu bytes for %u slots", fake->ring_bytes, fake->slots);
	if (!!(config->config & BIT(10)) != fake->shape.metadata)
		violation(fake, "metadata in configuration %#x", config->config);
	if (config->csg_select != (groups ? GENMASK(groups - 1, 0) : 0))
		violation(fake, "group mask %#x", config->csg_select);
	if (fake->input.perfcnt_extract)
		violation(fake, "enabled with extract %u", fake->input.perfcnt_extract);
}

static void enable(struct panthor_perf_fake_fw *fake)
{
	read_config(fake, &fake->config);
	fake->slots = fake->config.config & 0xff;
	fake->enable_edges++;
	check_config(fake);
	if (!fake->dev_ring || !fake->slots)
		return;

	for (u32 i = 0; i < fake->slots; i++)
		check_cleared(fake, i, "before counters started");

	for (u32 i = 0; i < fake->block_count; i++)
		memset(fake->blocks[i].counts, 0, fake->shape.block_words * sizeof(u32));

	fake->enabled = true;
	fake->deaf = false;
	fake->insert = 0;
	fake->extract = 0;
	WRITE_ONCE(fake->output.perfcnt_insert, 0);
}

static void disable(struct panthor_perf_fake_fw *fake)
{
	fake->disable_edges++;
	if (fake->enabled)
		fake->unread += fake->insert - READ_ONCE(fake->input.perfcnt_extract);
	fake->enabled = false;
}

/* What the driver did to the ring and to the configuration since the firmware looked last. */
static void judge(struct panthor_perf_fake_fw *fake)
{
	const u32 extract = READ_ONCE(fake->input.perfcnt_extract);
	struct panthor_perf_fake_config config;

	if (!fake->enabled)
		return;

	read_config(fake, &config);
	if (memcmp(&config, &fake->config, sizeof(config)))
		violation(fake, "configuration changed while enabled");

	if (extract - fake->extract > fake->insert - fake->extract) {
		violation(fake, "extract went from %u to %u with insert %u", fake->extract,
			  extract, fake->insert);
		return;
	}

	while (fake->extract != extract)
		check_cleared(fake, fake->extract++, "when extract passed");
}

static void raise_events(struct panthor_perf_fake_fw *fake, u32 fill)
{
	if (fill >= fake->slots / 2 && !is_pending(fake, GLB_PERFCNT_THRESHOLD)) {
		fake->thresholds++;
		answer(fake, GLB_PERFCNT_THRESHOLD);
	}
}

static void write_block(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
			u32 *words, u32 en)
{
	words[TIMESTAMP_LO_WORD] = lower_32_bits(fake->timestamp);
	words[TIMESTAMP_HI_WORD] = upper_32_bits(fake->timestamp);
	words[ENABLE_WORD] = en;
	words[HEADER_WORDS - 1] = 0;

	for (u32 i = HEADER_WORDS; i < fake->shape.block_words; i++) {
		if (en & BIT(i / 4)) {
			words[i] = block->counts[i];
			block->reported[i] += block->counts[i];
			block->counts[i] = 0;
		} else {
			words[i] = HOLE_POISON;
		}
	}
}

/* Returns false if the ring has no room. */
static bool write_sample(struct panthor_perf_fake_fw *fake, u32 reason)
{
	u32 fill = fake->insert - READ_ONCE(fake->input.perfcnt_extract);
	u32 *entry;

	if (fake->failed_overflow)
		WRITE_ONCE(fake->output.perfcnt_status, fill >= fake->slots);

	if (fill >= fake->slots) {
		if (!is_pending(fake, GLB_PERFCNT_OVERFLOW)) {
			fake->overflows++;
			answer(fake, GLB_PERFCNT_OVERFLOW);
		}
		raise_events(fake, fill);
		return false;
	}

	check_cleared(fake, fake->insert, "when its slot was due again");
	entry = entry_of(fake, fake->insert);
	stamp(fake);
	if (fake->shape.metadata)
		entry[REASON_WORD] = reason;

	for (u32 i = 0; i < fake->block_count; i++) {
		struct panthor_perf_fake_block *block = &fake->blocks[i];
		u32 en = fake->config.enables[block->type];

		if (!block->off)
			write_block(fake, block, entry + block->word, fake->enable_word ?: en);
	}

	fake->insert++;
	WRITE_ONCE(fake->output.perfcnt_insert, fake->insert);
	raise_events(fake, fill + 1);
	return true;
}

static void count(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
		  u32 counter, u32 events)
{
	/* Counters saturate. */
	if (fake->enabled && !block->off &&
	    check_add_overflow(block->counts[counter], events, &block->counts[counter]))
		block->counts[counter] = U32_MAX;
}

static void take_samples(struct panthor_perf_fake_fw *fake, u32 *number)
{
	for (; fake->enabled && *number; --*number) {
		for (u32 i = 0; i < fake->block_count; i++)
			count(fake, &fake->blocks[i], HEADER_WORDS, 1);
		if (write_sample(fake, REASON_AUTO))
			fake->autos++;
	}
}

static void serve_enable(struct panthor_perf_fake_fw *fake)
{
	if (!is_pending(fake, GLB_PERFCNT_EN) || fake->hold & GLB_PERFCNT_EN)
		return;

	if (fake->input.req & GLB_PERFCNT_EN) {
		enable(fake);
	} else {
		take_samples(fake, &fake->parting);
		disable(fake);
	}

	answer(fake, GLB_PERFCNT_EN);
}

static void serve_sample(struct panthor_perf_fake_fw *fake)
{
	if (!is_pending(fake, GLB_PERFCNT_SAMPLE) || fake->hold & GLB_PERFCNT_SAMPLE || fake->deaf)
		return;

	if (!fake->enabled) {
		/* What was asked for before a disable dies with it. */
		if (fake->input.req & GLB_PERFCNT_EN)
			violation(fake, "sample requested before enable was answered");
		return;
	}

	if (fake->no_sample) {
		answer(fake, GLB_PERFCNT_SAMPLE);
	} else if (write_sample(fake, REASON_REQUEST)) {
		fake->samples++;
		fake->deaf = fake->lose & GLB_PERFCNT_SAMPLE;
		if (!fake->deaf)
			answer(fake, GLB_PERFCNT_SAMPLE);
	} else {
		fake->deaf = fake->deaf_after_overflow;
	}
}

/* The cycle counter runs while the host wants it to. */
static void serve_counter(struct panthor_perf_fake_fw *fake)
{
	if (!is_pending(fake, GLB_COUNTER_EN) || fake->hold & GLB_COUNTER_EN)
		return;

	run_cycles(fake, fake->input.req & GLB_COUNTER_EN);
	WRITE_ONCE(fake->output.ack, fake->output.ack ^ GLB_COUNTER_EN);
}

static void rage(struct panthor_perf_fake_fw *fake)
{
	if (fake->enabled && fake->storm && !is_pending(fake, GLB_PERFCNT_THRESHOLD)) {
		fake->storm--;
		fake->thresholds++;
		answer(fake, GLB_PERFCNT_THRESHOLD);
	}
}

static void serve(struct panthor_perf_fake_fw *fake)
{
	judge(fake);
	serve_counter(fake);
	take_samples(fake, &fake->burst);
	serve_enable(fake);
	serve_sample(fake);
	rage(fake);
}

static void fake_doorbell(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	fake->doorbells++;
	if (fake->on)
		serve(fake);
	else
		violation(fake, "doorbell of a GPU without power");
}

static int fake_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	guard(spinlock)(&fake->lock);
	fake->waits++;
#ifdef CONFIG_LOCKDEP
	if (debug_locks && fake->perf_lock && lockdep_is_held(fake->perf_lock))
		violation(fake, "waits for the firmware with the perf mutex held");
#endif
	if (!timeout_ms || timeout_ms > 1000)
		violation(fake, "waits for %u ms", timeout_ms);
	if (!fake->on)
		violation(fake, "waits for a GPU without power");

	if (fake->answer_in_wait) {
		fake->hold = 0;
		serve(fake);
	}

	return is_pending(fake, reqs) ? -ETIMEDOUT : 0;
}

static int fake_power_get(struct panthor_perf_fw *fw)
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

static void fake_power_get_noresume(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (!fake->on)
		violation(fake, "keeps a GPU powered that is not");
	fake->power++;
}

static void fake_power_put(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (--fake->power < 0)
		violation(fake, "gives up power that it does not hold");
}

static int fake_ring_alloc(struct panthor_perf_fw *fw, size_t size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	if (fake->alloc_error)
		return fake->alloc_error;
	if (!fake->on)
		violation(fake, "maps the ring of a GPU without power");

	fake->cpu_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	fake->dev_ring = kunit_kmalloc(fake->test, size, GFP_KERNEL);
	if (!fake->cpu_ring || !fake->dev_ring)
		return -ENOMEM;

	memset(fake->cpu_ring, CPU_POISON, size);
	memset(fake->dev_ring, DEV_POISON, size);
	fake->ring_bytes = size;
	fw->ring = fake->cpu_ring;
	fw->ring_va = RING_VA;
	return 0;
}

static void fake_ring_free(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	might_sleep();
	if (fake->enabled)
		violation(fake, "frees the ring of enabled counters");

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

	violation(fake, "synchronises %u bytes at %u", size, offset);
	return false;
}

static void fake_ring_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (in_ring(fake, offset, size))
		memcpy((void *)fake->cpu_ring + offset, (void *)fake->dev_ring + offset, size);

	if (fake->answer_in_sync) {
		fake->answer_in_sync = false;
		fake->hold = 0;
		serve(fake);
	}
}

static void fake_ring_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	if (in_ring(fake, offset, size))
		memcpy((void *)fake->dev_ring + offset, (void *)fake->cpu_ring + offset, size);
}

static u32 fake_as(struct panthor_perf_fw *fw)
{
	return RING_AS;
}

static u64 read_counter(struct panthor_perf_fake_fw *fake,
			struct panthor_perf_fake_counter *counter)
{
	guard(spinlock)(&fake->lock);
	if (!fake->on)
		violation(fake, "reads a register of a GPU without power");

	/* Time passes before the register is read, and after a clock that the driver has read. */
	if (++counter->reads == counter->slow_read || counter->slow)
		udelay(SLOW_US);
	return counter_value(counter, ktime_get_raw_ns());
}

static u64 fake_read_timestamp(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	return read_counter(fake, &fake->ticks);
}

static u64 fake_read_cycles(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	return read_counter(fake, &fake->cycles);
}

static void fake_schedule_reset(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	fake->resets++;
}

static void fake_stop(struct panthor_perf_fw *fw)
{
	struct panthor_perf_fake_fw *fake = to_fake(fw);

	guard(spinlock)(&fake->lock);
	fake->enabled = false;
	fake->stops++;
}

const struct panthor_perf_fw_ops panthor_perf_fake_fw_ops = {
	.power_get = fake_power_get,
	.power_get_noresume = fake_power_get_noresume,
	.power_put = fake_power_put,
	.ring_alloc = fake_ring_alloc,
	.ring_free = fake_ring_free,
	.ring_sync_for_cpu = fake_ring_sync_for_cpu,
	.ring_sync_for_device = fake_ring_sync_for_device,
	.as = fake_as,
	.read_timestamp = fake_read_timestamp,
	.read_cycles = fake_read_cycles,
	.doorbell = fake_doorbell,
	.wait = fake_wait,
	.schedule_reset = fake_schedule_reset,
	.stop = fake_stop,
};

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

/* Metadata, firmware, groups, front end, tiler, L2 slices, shader cores. */
static void add_blocks(struct kunit *test, struct panthor_perf_fake_fw *fake)
{
	const struct panthor_perf_fake_shape *shape = &fake->shape;
	const u32 words = shape->block_words;
	u32 word = shape->metadata ? words : 0;
	u32 rank = 0;

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

	for (u64 left = shape->shader_present; left; left >>= 1) {
		if (left & 1)
			add_block(test, fake, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, rank++, word);
		if (left & 1 || !shape->packed)
			word += words;
	}

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
	const u32 max_blocks = 3 + shape->groups + shape->l2_slices + 64;

	memset(fake, 0, sizeof(*fake));
	fake->test = test;
	fake->shape = *shape;
	fake->timestamp = TIMESTAMP_AT_FIRST;
	set_counter(&fake->ticks, TIMESTAMP_AT_FIRST, PANTHOR_PERF_FAKE_TIMESTAMP_RATE, false);
	set_counter(&fake->cycles, 0, CYCLE_RATE, true);
	spin_lock_init(&fake->lock);
	spin_lock_init(&fake->iface.lock);
	fake->iface.control = &fake->control;
	fake->iface.input = &fake->input;
	fake->iface.output = &fake->output;
	fake->control.group_num = shape->groups;

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
	const u32 metadata_units = shape->metadata ? units : 0;

	*params = (struct panthor_perf_layout_params) {
		.prfcnt_size = fw_units << 16 |
			       (fake->entry_words / 64 - fw_units - metadata_units),
		.prfcnt_features = metadata_units,
		.gpu_id = shape->arch << 28,
		.gpu_prfcnt_features = shape->arch >= 11 ? units : 0,
		.mem_features = (shape->l2_slices - 1) << 8,
		.csg_count = shape->groups,
		.shader_present = shape->shader_present,
		.shader_available = shape->shader_present & ~shape->shader_withheld,
		.clocks = shape->clocks,
	};
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
	count(fake, block, counter, events);
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
		for (u32 k = HEADER_WORDS; k < fake->shape.block_words; k++)
			count(fake, &fake->blocks[i], k, prandom_u32_state(&rnd) >> 2);
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
	set_counter(&fake->ticks, now, rate, false);
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
	set_counter(&fake->cycles, now, rate, fake->cycles.stopped);
}

/**
 * panthor_perf_fake_fw_auto_sample() - The firmware takes a sample without being asked
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_auto_sample(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	judge(fake);
	if (fake->enabled && write_sample(fake, REASON_AUTO))
		fake->autos++;
}

/**
 * panthor_perf_fake_fw_protected_exit() - The sample after protected mode, whose values are none
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_protected_exit(struct panthor_perf_fake_fw *fake)
{
	u32 *entry;

	guard(spinlock)(&fake->lock);
	judge(fake);
	if (!fake->enabled || fake->insert - fake->input.perfcnt_extract >= fake->slots)
		return;

	stamp(fake);
	entry = entry_of(fake, fake->insert);
	for (u32 i = 0; i < fake->block_count; i++) {
		const struct panthor_perf_fake_block *block = &fake->blocks[i];
		u32 *words = entry + block->word;

		memset32(words, HOLE_POISON, fake->shape.block_words);
		words[ENABLE_WORD] = block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW ?
				     PROTECTED_EXIT : fake->config.enables[block->type];
	}

	fake->autos++;
	fake->insert++;
	WRITE_ONCE(fake->output.perfcnt_insert, fake->insert);
}

/**
 * panthor_perf_fake_fw_let_go() - Answer what was held back
 * @fake: Fake firmware.
 */
void panthor_perf_fake_fw_let_go(struct panthor_perf_fake_fw *fake)
{
	guard(spinlock)(&fake->lock);
	fake->hold = 0;
	serve(fake);
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
	fake->on = false;
	run_cycles(fake, false);
}

/**
 * panthor_perf_fake_fw_restart() - The MCU boots, after a reset or a suspend
 * @fake: Fake firmware.
 * @cold: The interface memory is initialised again.
 */
void panthor_perf_fake_fw_restart(struct panthor_perf_fake_fw *fake, bool cold)
{
	guard(spinlock)(&fake->lock);
	if (fake->input.req & GLB_PERFCNT_EN)
		violation(fake, "boots with counters enabled");
	if (is_pending(fake, GLB_PERFCNT_SAMPLE | EVENTS))
		violation(fake, "boots with requests %#x of %#x", fake->input.req,
			  fake->output.ack);

	fake->enabled = false;
	fake->deaf = false;
	fake->on = true;
	WRITE_ONCE(fake->output.ack, fake->output.ack & ~(GLB_PERFCNT_EN | GLB_COUNTER_EN));
	run_cycles(fake, false);
	if (cold) {
		memset(&fake->input, 0, sizeof(fake->input));
		memset(&fake->output, 0, sizeof(fake->output));
		fake->cycles.base = 0;
	}
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
