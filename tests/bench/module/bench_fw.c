// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bits.h>
#include <linux/ktime.h>
#include <linux/vmalloc.h>

#include "bench_fw.h"
#include "panthor_perf_hw.h"

#define RING_VA		0x4000000

static struct bench_fw *to_bench(struct panthor_perf_fw *fw)
{
	return container_of(fw->iface, struct bench_fw, iface);
}

/**
 * bench_fw_write_entry() - Write the headers of all blocks of a sample
 * @layout: Layout of the sample.
 * @entry: The sample.
 */
void bench_fw_write_entry(const struct panthor_perf_layout *layout, u32 *entry)
{
	const u32 groups = layout->counters / PANTHOR_PERF_COUNTERS_PER_EN;
	const u64 now = ktime_get_raw_ns();

	for (u32 i = 0; i < layout->block_count; i++) {
		u32 *words = entry + layout->blocks[i].offset;

		words[0] = lower_32_bits(now);
		words[1] = upper_32_bits(now);
		words[PANTHOR_PERF_BLOCK_EN_WORD] = GENMASK(groups - 1, 0);
	}
}

void panthor_perf_hw_doorbell(struct panthor_perf_fw *fw)
{
	struct bench_fw *bench = to_bench(fw);
	u32 pending = bench->input.req ^ bench->output.ack;

	bench->doorbells++;
	if (pending & GLB_PERFCNT_EN)
		bench->output.perfcnt_insert = 0;
	if (pending & GLB_PERFCNT_SAMPLE) {
		u32 slot = bench->output.perfcnt_insert % PANTHOR_PERF_FW_RING_SLOTS;

		bench_fw_write_entry(fw->layout, (void *)bench->ring + slot * fw->layout->entry_size);
		bench->output.perfcnt_insert++;
		bench->samples++;
	}
	WRITE_ONCE(bench->output.ack, bench->output.ack ^ pending);
}

int panthor_perf_hw_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms)
{
	struct bench_fw *bench = to_bench(fw);

	return (bench->input.req ^ bench->output.ack) & reqs ? -ETIMEDOUT : 0;
}

u64 panthor_perf_hw_shader_present(struct panthor_device *ptdev)
{
	return 1;
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

int panthor_perf_hw_power_get(struct panthor_perf_fw *fw)
{
	return 0;
}

void panthor_perf_hw_power_get_async(struct panthor_perf_fw *fw)
{
}

void panthor_perf_hw_power_put(struct panthor_perf_fw *fw)
{
}

int panthor_perf_hw_alloc_ring(struct panthor_perf_fw *fw)
{
	const size_t size = fw->slots * fw->layout->entry_size;
	struct bench_fw *bench = to_bench(fw);

	bench->ring = vmalloc(size);
	if (!bench->ring)
		return -ENOMEM;

	for (u32 i = 0; i < size / sizeof(u32); i++)
		bench->ring[i] = i + 1;
	fw->ring = bench->ring;
	fw->ring_va = RING_VA;
	return 0;
}

void panthor_perf_hw_free_ring(struct panthor_perf_fw *fw)
{
	vfree(to_bench(fw)->ring);
	fw->ring = NULL;
}

void panthor_perf_hw_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	to_bench(fw)->synced += size;
}

void panthor_perf_hw_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
}

u32 panthor_perf_hw_as(struct panthor_perf_fw *fw)
{
	return 0;
}

u64 panthor_perf_hw_timestamp(struct panthor_perf_fw *fw)
{
	return ktime_get_raw_ns();
}

u64 panthor_perf_hw_cycles(struct panthor_perf_fw *fw)
{
	return ktime_get_raw_ns();
}

/**
 * bench_fw_init() - Initialise a firmware
 * @bench: Firmware.
 * @layout: Layout of its samples.
 */
void bench_fw_init(struct bench_fw *bench, const struct panthor_perf_layout *layout)
{
	memset(bench, 0, sizeof(*bench));
	bench->layout = layout;
	bench->control.group_num = 8;
	spin_lock_init(&bench->iface.lock);
	bench->iface.control = &bench->control;
	bench->iface.input = &bench->input;
	bench->iface.output = &bench->output;
}
