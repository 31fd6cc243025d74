// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "panthor_perf_fake_mcu.h"

/* Words of a block's header. */
#define TIMESTAMP_LO_WORD	0
#define TIMESTAMP_HI_WORD	1
#define ENABLE_WORD		2
#define HEADER_WORDS		FAKE_HEADER_WORDS

/* Word of the metadata block. */
#define REASON_WORD		3
#define REASON_REQUEST		0x11
#define REASON_AUTO		0x12

/* What the address of the ring must be. */
#define BASE_ALIGNMENT		2048

/* No test may take this value for a count. */
#define HOLE_POISON		0xdeadbeef

#define EVENTS			(GLB_PERFCNT_THRESHOLD | GLB_PERFCNT_OVERFLOW)

/**
 * fake_mcu_violation() - Note that the driver broke the protocol
 * @fake: Fake firmware.
 * @fmt: Format of what it did, of which the first one's is kept.
 */
void fake_mcu_violation(struct panthor_perf_fake_fw *fake, const char *fmt, ...)
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

/**
 * fake_mcu_is_pending() - Check whether a request is not acknowledged yet
 * @fake: Fake firmware, whose lock the caller holds.
 * @bit: Request bits.
 *
 * Return: Whether one of them does.
 */
bool fake_mcu_is_pending(const struct panthor_perf_fake_fw *fake, u32 bit)
{
	return (READ_ONCE(fake->input.req) ^ fake->output.ack) & bit;
}

static u32 *entry_of(struct panthor_perf_fake_fw *fake, u32 index)
{
	return fake->dev_ring +
	       (size_t)(index % fake->slots) * (fake->metadata_words + fake->entry_words);
}

static u32 *block_of(struct panthor_perf_fake_fw *fake, u32 *entry,
		     const struct panthor_perf_fake_block *block)
{
	return entry + fake->metadata_words + block->word;
}

/**
 * fake_mcu_counter_value() - Value of a register that counts time
 * @counter: The register.
 * @now_ns: CLOCK_MONOTONIC_RAW, ns.
 *
 * Return: What it shows at that time.
 */
u64 fake_mcu_counter_value(const struct panthor_perf_fake_counter *counter, u64 now_ns)
{
	u64 rate = counter->stopped ? 0 : counter->rate;

	return counter->base + mul_u64_u64_div_u64(now_ns - counter->base_ns, rate, NSEC_PER_SEC);
}

/**
 * fake_mcu_set_counter() - Have a register count like this from now on
 * @counter: The register.
 * @now: Its value.
 * @rate: Counts per second.
 * @stopped: It stands still for now.
 */
void fake_mcu_set_counter(struct panthor_perf_fake_counter *counter, u64 now, u64 rate,
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

	run |= fake->cycles_always;
	if (cycles->stopped == run)
		fake_mcu_set_counter(cycles, fake_mcu_counter_value(cycles, ktime_get_raw_ns()),
				     cycles->rate, !run);
}

/* Called once for each sample. */
static void stamp(struct panthor_perf_fake_fw *fake)
{
	fake->timestamp_before = fake->timestamp;
	fake->timestamp = fake_mcu_counter_value(&fake->ticks, ktime_get_raw_ns());
	fake->timestamp += fake->timestamp_error;
}

static void read_config(const struct panthor_perf_fake_fw *fake,
			struct panthor_perf_fake_config *config)
{
	const struct panthor_fw_global_input_iface *input = &fake->input;
	/* panthor has no name for this word of the input block. */
	const u32 neural = ((const u32 *)input)[0x60 / sizeof(u32)];

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
			[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = neural,
		},
	};
}

static void check_cleared(struct panthor_perf_fake_fw *fake, u32 index, const char *when)
{
	u32 *entry = entry_of(fake, index);

	if (fake->metadata_words && (entry[ENABLE_WORD] || entry[REASON_WORD]))
		fake_mcu_violation(fake, "metadata of sample %u not cleared %s", index, when);

	for (u32 i = 0; i < fake->block_count; i++) {
		if (block_of(fake, entry, &fake->blocks[i])[ENABLE_WORD])
			fake_mcu_violation(fake,
					   "enable word of sample %u, block %u not cleared %s",
					   index, i, when);
	}
}

static void check_config(struct panthor_perf_fake_fw *fake)
{
	const struct panthor_perf_fake_config *config = &fake->config;
	const u32 groups = fake->shape.groups;

	if (config->as != FAKE_RING_AS)
		fake_mcu_violation(fake, "address space %u", config->as);
	if (!config->base || config->base % BASE_ALIGNMENT || config->base != FAKE_RING_VA)
		fake_mcu_violation(fake, "ring address %#llx", config->base);
	if (config->config & ~GENMASK(10, 0))
		fake_mcu_violation(fake, "unknown bits in configuration %#x", config->config);
	if (fake->slots < 2 || fake->slots > 128 || !is_power_of_2(fake->slots))
		fake_mcu_violation(fake, "ring of %u slots", fake->slots);
	if (fake->ring_bytes <
	    (size_t)fake->slots * (fake->metadata_words + fake->entry_words) * sizeof(u32))
		fake_mcu_violation(fake, "ring of %zu bytes for %u slots", fake->ring_bytes,
				   fake->slots);
	if (fake->metadata_words && !fake->metadata_allowed)
		fake_mcu_violation(fake, "metadata in configuration %#x", config->config);
	if (config->csg_select != (groups ? GENMASK(groups - 1, 0) : 0))
		fake_mcu_violation(fake, "group mask %#x", config->csg_select);
	if (fake->input.perfcnt_extract)
		fake_mcu_violation(fake, "enabled with extract %u", fake->input.perfcnt_extract);
}

static void clear_counts(struct panthor_perf_fake_fw *fake)
{
	for (u32 i = 0; i < fake->block_count; i++)
		memset(fake->blocks[i].counts, 0, fake->shape.block_words * sizeof(u32));
}

static void enable(struct panthor_perf_fake_fw *fake)
{
	read_config(fake, &fake->config);
	fake->slots = fake->config.config & 0xff;
	fake->metadata_words = fake->config.config & BIT(10) ? fake->shape.block_words : 0;
	fake->enable_edges++;
	check_config(fake);
	if (!fake->dev_ring || !fake->slots)
		return;

	for (u32 i = 0; i < fake->slots; i++)
		check_cleared(fake, i, "before counters started");

	clear_counts(fake);
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

/* Check the accesses of the driver to the ring and to the configuration since the last check. */
static void judge(struct panthor_perf_fake_fw *fake)
{
	const u32 extract = READ_ONCE(fake->input.perfcnt_extract);
	struct panthor_perf_fake_config config;

	if (!fake->enabled)
		return;

	read_config(fake, &config);
	if (memcmp(&config, &fake->config, sizeof(config)))
		fake_mcu_violation(fake, "configuration changed while enabled");

	if (extract - fake->extract > fake->insert - fake->extract) {
		fake_mcu_violation(fake, "extract went from %u to %u with insert %u", fake->extract,
				   extract, fake->insert);
		return;
	}

	while (fake->extract != extract)
		check_cleared(fake, fake->extract++, "when extract passed");
}

static void raise_events(struct panthor_perf_fake_fw *fake, u32 fill)
{
	if (fill >= fake->slots / 2 && !fake_mcu_is_pending(fake, GLB_PERFCNT_THRESHOLD)) {
		fake->thresholds++;
		answer(fake, GLB_PERFCNT_THRESHOLD);
	}
}

static void write_block(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
			u32 *words, u32 en)
{
	u64 timestamp = fake->timestamp;

	/* Blocks may be written one after another: that of the front end is the sample's. */
	if (block->type != DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
		timestamp += FAKE_BLOCK_DELAY * (1 + block->rank);

	words[TIMESTAMP_LO_WORD] = lower_32_bits(timestamp);
	words[TIMESTAMP_HI_WORD] = upper_32_bits(timestamp);
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

static bool has_counted(const struct panthor_perf_fake_fw *fake,
			const struct panthor_perf_fake_block *block)
{
	return memchr_inv(block->counts, 0, fake->shape.block_words * sizeof(*block->counts));
}

static void lose_counts(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block)
{
	fake->losses += has_counted(fake, block);
	memset(block->counts, 0, fake->shape.block_words * sizeof(*block->counts));
}

static void lose_all_counts(struct panthor_perf_fake_fw *fake)
{
	for (u32 i = 0; i < fake->block_count; i++)
		lose_counts(fake, &fake->blocks[i]);
}

/* Returns false if the ring has no room. @only: The block that is written, NULL: all. */
static bool write_blocks(struct panthor_perf_fake_fw *fake, u32 reason,
			 const struct panthor_perf_fake_block *only)
{
	const bool busy = reason == REASON_AUTO && fake->core_off == FAKE_OFF_BUSY;
	u32 fill = fake->insert - READ_ONCE(fake->input.perfcnt_extract);
	u32 *entry;

	if (fill >= fake->slots) {
		if (fake->full_ring_loses)
			lose_all_counts(fake);
		if (!fake_mcu_is_pending(fake, GLB_PERFCNT_OVERFLOW)) {
			fake->overflows++;
			answer(fake, GLB_PERFCNT_OVERFLOW);
		}
		raise_events(fake, fill);
		return false;
	}

	check_cleared(fake, fake->insert, "when its slot was due again");
	entry = entry_of(fake, fake->insert);
	stamp(fake);
	if (fake->metadata_words) {
		entry[ENABLE_WORD] = 1;
		entry[REASON_WORD] = reason;
	}

	for (u32 i = 0; i < fake->block_count; i++) {
		struct panthor_perf_fake_block *block = &fake->blocks[i];
		u32 en = fake->config.enables[block->type];

		if (block->off || (only && block != only))
			continue;
		if (busy && block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER &&
		    !has_counted(fake, block))
			continue;
		write_block(fake, block, block_of(fake, entry, block), fake->enable_word ?: en);
	}

	fake->insert++;
	WRITE_ONCE(fake->output.perfcnt_insert, fake->insert);
	raise_events(fake, fill + 1);
	return true;
}

static bool write_sample(struct panthor_perf_fake_fw *fake, u32 reason)
{
	return write_blocks(fake, reason, NULL);
}

/**
 * fake_mcu_core_off() - The firmware has a shader core lose power
 * @fake: Fake firmware, whose lock the caller holds.
 * @block: The core's block.
 */
void fake_mcu_core_off(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block)
{
	const bool one = fake->core_off == FAKE_OFF_ONE;

	fake_mcu_settle(fake);
	judge(fake);
	if (!fake->enabled || block->off)
		return;

	if (fake->core_off <= FAKE_OFF_BUSY) {
		if (!write_blocks(fake, REASON_AUTO, one ? block : NULL))
			return;
		block->off = true;
		return;
	}

	block->off = true;
	lose_counts(fake, block);
	if (fake->core_off == FAKE_OFF_AFTER)
		write_sample(fake, REASON_AUTO);
}

/**
 * fake_mcu_count() - A block counts, if counters are enabled and it has power
 * @fake: Fake firmware, whose lock the caller holds.
 * @block: Block.
 * @counter: Index of the counter.
 * @events: Number of events. Counters saturate.
 */
void fake_mcu_count(struct panthor_perf_fake_fw *fake, struct panthor_perf_fake_block *block,
		    u32 counter, u32 events)
{
	if (fake->enabled && !block->off &&
	    check_add_overflow(block->counts[counter], events, &block->counts[counter]))
		block->counts[counter] = U32_MAX;
}

static void take_samples(struct panthor_perf_fake_fw *fake, u32 *number)
{
	for (; fake->enabled && *number; --*number) {
		for (u32 i = 0; i < fake->block_count; i++)
			fake_mcu_count(fake, &fake->blocks[i], HEADER_WORDS, 1);
		if (write_sample(fake, REASON_AUTO))
			fake->autos++;
	}
}

static void serve_enable(struct panthor_perf_fake_fw *fake)
{
	if (!fake_mcu_is_pending(fake, GLB_PERFCNT_EN) || fake->hold & GLB_PERFCNT_EN)
		return;

	if (fake->input.req & GLB_PERFCNT_EN) {
		enable(fake);
	} else {
		take_samples(fake, &fake->automatic);
		disable(fake);
		if (fake->insert_of_disable)
			WRITE_ONCE(fake->output.perfcnt_insert, fake->insert_of_disable);
	}

	answer(fake, GLB_PERFCNT_EN);
}

static void serve_sample(struct panthor_perf_fake_fw *fake)
{
	if (!fake_mcu_is_pending(fake, GLB_PERFCNT_SAMPLE) || fake->deaf ||
	    fake->hold & GLB_PERFCNT_SAMPLE)
		return;

	if (!fake->enabled) {
		/* A disable drops the requests before it. */
		if (fake->input.req & GLB_PERFCNT_EN)
			fake_mcu_violation(fake, "sample requested before enable acknowledge");
		return;
	}

	if (fake->no_sample) {
		fake->no_sample--;
		answer(fake, GLB_PERFCNT_SAMPLE);
	} else if (fake->answers == FAKE_ACK_FIRST &&
		   fake->insert - READ_ONCE(fake->input.perfcnt_extract) < fake->slots) {
		answer(fake, GLB_PERFCNT_SAMPLE);
		fake->owed = FAKE_ENTRY;
	} else if (write_sample(fake, REASON_REQUEST)) {
		fake->samples++;
		fake->deaf = fake->lose & GLB_PERFCNT_SAMPLE;
		if (fake->deaf)
			return;
		answer(fake, GLB_PERFCNT_SAMPLE);
	} else {
		fake->deaf = fake->deaf_after_overflow;
	}
}

/* The cycle counter runs while the host wants it to. */
static void serve_counter(struct panthor_perf_fake_fw *fake)
{
	if (!fake_mcu_is_pending(fake, GLB_COUNTER_EN) || fake->hold & GLB_COUNTER_EN)
		return;

	run_cycles(fake, fake->input.req & GLB_COUNTER_EN);
	WRITE_ONCE(fake->output.ack, fake->output.ack ^ GLB_COUNTER_EN);
}

static void raise_false_events(struct panthor_perf_fake_fw *fake)
{
	if (fake->enabled && fake->false_events &&
	    !fake_mcu_is_pending(fake, GLB_PERFCNT_THRESHOLD)) {
		fake->false_events--;
		fake->thresholds++;
		answer(fake, GLB_PERFCNT_THRESHOLD);
	}
}

/**
 * fake_mcu_settle() - Complete an answer
 * @fake: Fake firmware, whose lock the caller holds.
 *
 * Return: true if there was something to do.
 */
bool fake_mcu_settle(struct panthor_perf_fake_fw *fake)
{
	const u32 owed = fake->owed;

	fake->owed = FAKE_NOTHING;
	switch (owed) {
	case FAKE_SERVICE:
		judge(fake);
		serve_enable(fake);
		serve_sample(fake);
		return true;

	case FAKE_ENTRY:
		fake->samples += write_sample(fake, REASON_REQUEST);
		return true;

	default:
		return false;
	}
}

/**
 * fake_mcu_serve() - Check the accesses of the driver, then serve its requests
 * @fake: Fake firmware, whose lock the caller holds.
 */
void fake_mcu_serve(struct panthor_perf_fake_fw *fake)
{
	/* Late service has its own time. Anything else that is owed comes before a new request. */
	if (fake->owed != FAKE_SERVICE)
		fake_mcu_settle(fake);

	judge(fake);
	serve_counter(fake);
	take_samples(fake, &fake->burst);
	if (fake->answers == FAKE_LATE) {
		if (fake_mcu_is_pending(fake, GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE))
			fake->owed = FAKE_SERVICE;
	} else {
		serve_enable(fake);
		serve_sample(fake);
	}
	raise_false_events(fake);
}

/**
 * fake_mcu_auto_sample() - Take a sample on its own
 * @fake: Fake firmware, whose lock the caller holds.
 */
void fake_mcu_auto_sample(struct panthor_perf_fake_fw *fake)
{
	fake_mcu_settle(fake);
	judge(fake);
	if (fake->enabled && write_sample(fake, REASON_AUTO))
		fake->autos++;
}

/**
 * fake_mcu_power_off() - The GPU loses power
 * @fake: Fake firmware, whose lock the caller holds.
 */
void fake_mcu_power_off(struct panthor_perf_fake_fw *fake)
{
	fake->on = false;
	run_cycles(fake, false);
}

/**
 * fake_mcu_boot() - Boot after a reset or a suspend
 * @fake: Fake firmware, whose lock the caller holds.
 * @cold: The interface memory is initialised again.
 *
 * Counters that go on start from 0, in the ring of before, with an automatic sample.
 */
void fake_mcu_boot(struct panthor_perf_fake_fw *fake, bool cold)
{
	const bool keep = fake->keep_enable && !cold;

	if (fake->input.req & GLB_PERFCNT_EN)
		fake_mcu_violation(fake, "boots with counters enabled");
	if (fake_mcu_is_pending(fake, GLB_PERFCNT_SAMPLE | EVENTS))
		fake_mcu_violation(fake, "boots with requests %#x of %#x", fake->input.req,
				   fake->output.ack);

	fake->enabled &= keep;
	fake->owed = FAKE_NOTHING;
	fake->deaf = false;
	fake->on = true;
	WRITE_ONCE(fake->output.ack, fake->output.ack & ~GLB_COUNTER_EN);
	if (!keep)
		WRITE_ONCE(fake->output.ack, fake->output.ack & ~GLB_PERFCNT_EN);
	run_cycles(fake, false);
	if (fake->enabled) {
		clear_counts(fake);
		fake->autos += write_sample(fake, REASON_AUTO);
	}
	if (cold) {
		memset(&fake->input, 0, sizeof(fake->input));
		memset(&fake->output, 0, sizeof(fake->output));
		fake->cycles.base = 0;
	}
}
