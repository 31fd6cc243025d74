// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* This file is compiled with the kernel's options and headers. It runs in a program. */

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/types.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_select.h"

#include "bench_loops.h"
#include "bench_user.h"

void *calloc(size_t count, size_t size);

/* Functions of the kernel that the objects call. */
void *__kmalloc_noprof(size_t size, gfp_t flags);
void *__kmalloc_noprof(size_t size, gfp_t flags)
{
	return calloc(1, size);
}

void *__kvmalloc_node_noprof(size_t size, gfp_t flags, int node);
void *__kvmalloc_node_noprof(size_t size, gfp_t flags, int node)
{
	return calloc(1, size);
}

void kvfree(const void *memory)
{
	/* The program ends soon. */
}

static const struct panthor_perf_layout_params g610 = {
	.prfcnt_size = 1 << 16 | 25,
	.gpu_id = 0xa8670005,
	.mem_features = 3 << 8,
	.csg_count = 8,
	.shader_present = 0x50005,
	.shader_available = 0x50005,
};

static const struct panthor_perf_layout_params wide = {
	.prfcnt_size = 2 << 16 | 2 * (2 + 8 + 16),
	.gpu_id = 0xc8700008,
	.gpu_prfcnt_features = 2,
	.mem_features = 7 << 8,
	.csg_count = 8,
	.shader_present = 0xffff,
	.shader_available = 0xffff,
};

static struct panthor_perf_layout *layout;
static struct panthor_perf_counts counts;
static struct panthor_perf_fw fw;
static u64 all[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][PANTHOR_PERF_MASK_WORDS];
static u64 few[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][PANTHOR_PERF_MASK_WORDS];
static u32 *entry, *packed;
static struct panthor_perf_snapshot snapshot;
static unsigned int counters;
static u64 *out;

/* Returns the number of counters of a sample, 0 if there is no memory. */
unsigned int bench_user_prepare(int is_wide)
{
	layout = panthor_perf_layout_create(is_wide ? &wide : &g610);
	if (IS_ERR(layout))
		return 0;

	entry = calloc(layout->entry_size, 1);
	packed = calloc(panthor_perf_layout_values(layout), sizeof(u32));
	counts.sum.totals = calloc(panthor_perf_layout_values(layout), sizeof(u64));
	snapshot.totals = calloc(panthor_perf_layout_values(layout), sizeof(u64));
	out = calloc(panthor_perf_select_size(layout), 1);
	fw.layout = layout;
	counts.fw = &fw;
	if (!entry || !packed || !counts.sum.totals || !snapshot.totals || !out ||
	    panthor_perf_states_init(&counts.states, layout))
		return 0;

	for (u32 type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		for (u32 word = 0; layout->type_count[type] && word < layout->counters / 64; word++) {
			all[type][word] = word ? ~0ull : ~0xfull;
			few[type][word] = 0xf0;
		}
	}

	for (u32 i = 0; i < layout->entry_size / sizeof(u32); i++)
		entry[i] = i + 1;
	for (u32 i = 0; i < layout->block_count; i++)
		entry[layout->blocks[i].offset + PANTHOR_PERF_BLOCK_EN_WORD] =
			GENMASK(layout->counters / PANTHOR_PERF_COUNTERS_PER_EN - 1, 0);
	counters = layout->block_count * (layout->counters - PANTHOR_PERF_BLOCK_HEADER_WORDS);
	return counters;
}

void bench_user_accumulate(unsigned int rounds)
{
	while (rounds--)
		panthor_perf_entry_add(layout, DRM_PANTHOR_PERF_SET_PRIMARY, entry,
				       &counts.sum);
}

void bench_user_accumulate_loop(unsigned int rounds)
{
	while (rounds--)
		bench_add_loop(counts.sum.totals, packed, layout->block_count, layout->counters);
}

void bench_user_publish(unsigned int rounds)
{
	while (rounds--)
		panthor_perf_select_write(&counts, &snapshot, all, out);
}

void bench_user_publish_few(unsigned int rounds)
{
	while (rounds--)
		panthor_perf_select_write(&counts, &snapshot, few, out);
}

void bench_user_publish_loop(unsigned int rounds)
{
	while (rounds--)
		bench_publish_loop(out, counts.sum.totals, snapshot.totals,
				   panthor_perf_layout_values(layout));
}

void bench_user_publish_compact(unsigned int rounds)
{
	while (rounds--)
		panthor_perf_select_write_compact(&counts, &snapshot, all, out);
}

void bench_user_publish_compact_loop(unsigned int rounds)
{
	while (rounds--)
		bench_publish_loop(out, counts.sum.totals, snapshot.totals, counters);
}
