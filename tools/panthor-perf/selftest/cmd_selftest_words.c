// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <inttypes.h>

#include "cmd_selftest.h"

/* What the GPU and its firmware say about themselves. */

#define UNIT			256

#define COHERENCY_ACE_LITE	0x1u
#define COHERENCY_ACE		0x2u
#define GLB_FEATURES_KNOWN	0xfu
#define METADATA_SIZE		0xfu
#define INSTRUCTION_FEATURES	0x71

/* Architecture 14.8.4, as in the top bits of GPU_ID. */
#define PACKED_SINCE		0xe84u

#define INTERFACE(major, minor)	((uint32_t)(major) << 24 | (uint32_t)(minor) << 16)

static unsigned int arch(const struct selftest *st)
{
	unsigned int major;

	panthor_perf_gpu_arch(st->gpu_id, &major, NULL);
	return major;
}

static void expect(struct selftest *st, const char *id, uint32_t got, uint32_t want)
{
	selftest_decide(st, id, got == want, "0x%" PRIx32, got);
}

static void check_streams(struct selftest *st)
{
	const struct drm_panthor_csif_info *csif = &st->csif;
	const unsigned int registers = arch(st) >= 12 ? 128 : 96;

	if (st->csif_error) {
		selftest_leave(st, "groups-and-streams", "the driver does not report it");
		selftest_leave(st, "command-registers", "the driver does not report it");
		selftest_leave(st, "scoreboards", "the driver does not report it");
		return;
	}
	selftest_decide(st, "groups-and-streams",
			csif->csg_slot_count == 8 && csif->cs_slot_count == 8,
			"%u groups of %u streams", csif->csg_slot_count, csif->cs_slot_count);
	selftest_decide(st, "command-registers", csif->cs_reg_count == registers, "%u",
			csif->cs_reg_count);
	selftest_decide(st, "scoreboards", csif->scoreboard_slot_count == 8, "%u",
			csif->scoreboard_slot_count);
}

/**
 * check_identity() - Registers that the driver passes on
 * @st: The self-test.
 */
void check_identity(struct selftest *st)
{
	const struct drm_panthor_gpu_info *gpu = &st->gpu;
	const bool newer = arch(st) >= 12;
	const bool g310 = arch(st) == 10 && DRM_PANTHOR_PRODUCT_MAJOR(st->gpu_id) == 4;

	expect(st, "core-features", gpu->core_features, newer);
	expect(st, "l2-features", gpu->l2_features,
	       newer ? 0x08130306 : g310 ? 0x07110306 : 0x07120306);
	expect(st, "thread-features", gpu->thread_features, newer ? 0x10010000 : 0x04010000);
	selftest_decide(st, "thread-limits",
			gpu->max_threads >= 1024 && gpu->max_threads <= 2048 &&
			gpu->thread_max_workgroup_size <= 1024 &&
			gpu->thread_max_barrier_size <= 1024,
			"%u threads, workgroup %u, barrier %u", gpu->max_threads,
			gpu->thread_max_workgroup_size, gpu->thread_max_barrier_size);
	selftest_decide(st, "texture-features",
			gpu->texture_features[0] == 0xfffff && gpu->texture_features[1] == 0xffff &&
			gpu->texture_features[2] == 0x9f81ffff && !gpu->texture_features[3],
			"0x%x 0x%x 0x%x 0x%x", gpu->texture_features[0], gpu->texture_features[1],
			gpu->texture_features[2], gpu->texture_features[3]);
	expect(st, "gpu-revision", gpu->gpu_rev, 0);
	expect(st, "csf-id", gpu->csf_id, 0);
	selftest_decide(st, "coherency-features",
			!(gpu->coherency_features & ~(COHERENCY_ACE_LITE | COHERENCY_ACE)),
			"0x%x", gpu->coherency_features);
	check_streams(st);
	selftest_figure(st, "shader cores", "%d, mask 0x%llx%s",
			__builtin_popcountll(gpu->shader_present),
			(unsigned long long)gpu->shader_present,
			gpu->shader_present & (gpu->shader_present + 1) ? ", with holes" : "");
	selftest_figure(st, "registers", "TILER_FEATURES 0x%x, MEM_FEATURES 0x%x, MMU_FEATURES "
			"0x%x, AS_PRESENT 0x%x, L2_PRESENT 0x%llx, TILER_PRESENT 0x%llx",
			gpu->tiler_features, gpu->mem_features, gpu->mmu_features, gpu->as_present,
			(unsigned long long)gpu->l2_present,
			(unsigned long long)gpu->tiler_present);
}

static void check_metadata(struct selftest *st)
{
	const struct raw_identity *raw = &st->raw;
	const uint32_t size = (raw->perfcnt_features & METADATA_SIZE) * UNIT;
	const bool known = raw->version >= INTERFACE(1, 1);

	selftest_decide(st, "metadata-word", !(raw->perfcnt_features & ~METADATA_SIZE), "0x%x",
			raw->perfcnt_features);
	if (size) {
		selftest_decide(st, "metadata-size", size == raw->block_words * 4,
				"%u bytes, other blocks %u", size, raw->block_words * 4);
		selftest_leave(st, "metadata-absent", "the word reads 0x%x", raw->perfcnt_features);
		selftest_decide(st, "metadata-since", known, "interface %u.%u.%u has one",
				raw->version >> 24, raw->version >> 16 & 0xff,
				raw->version & 0xffff);
	} else {
		selftest_leave(st, "metadata-size", "there is no metadata block");
		selftest_decide(st, "metadata-absent", !raw->perfcnt_features, "0x%x",
				raw->perfcnt_features);
		selftest_leave(st, "metadata-since", "interface %u.%u.%u has none",
			       raw->version >> 24, raw->version >> 16 & 0xff,
			       raw->version & 0xffff);
	}
}

/**
 * check_words() - Words of the firmware's control structures
 * @st: The self-test, with experiments.
 */
void check_words(struct selftest *st)
{
	const struct raw_identity *raw = &st->raw;
	const unsigned int l2_slices = (st->gpu.mem_features >> 8 & 0xf) + 1;
	const unsigned int packed = __builtin_popcountll(raw->shader_present);
	const unsigned int sparse = raw->shader_present ?
				    64 - __builtin_clzll(raw->shader_present) : 0;
	const unsigned int accelerators = __builtin_popcountll(raw->neural_present);
	/* An accelerator has a slot for each one of the shader cores. */
	const unsigned int kinds = accelerators ? 2 : 1;
	const uint32_t hardware = (raw->perfcnt_size & 0xffff) * UNIT;
	const uint32_t firmware = (raw->perfcnt_size >> 16) * UNIT;
	const uint32_t block = raw->block_words * 4;
	const uint32_t size = (raw->gpu_prfcnt_features & 0xff);
	const bool fits_sparse = hardware == (2 + l2_slices + kinds * sparse) * block;
	const bool fits_packed = hardware == (2 + l2_slices + kinds * packed) * block;

	selftest_figure(st, "size words", "GLB_PRFCNT_SIZE 0x%08x (hardware %u bytes, firmware %u "
			"bytes), word 0x20 0x%08x, PRFCNT_FEATURES 0x%08x", raw->perfcnt_size,
			hardware, firmware, raw->perfcnt_features, raw->gpu_prfcnt_features);
	selftest_figure(st, "sample", "%u bytes, blocks of %u words; a metadata block of %u bytes "
			"is left off", raw->entry_size, raw->block_words, raw->metadata_size);
	selftest_figure(st, "group controls", "CSG_FEATURES 0x%x, CS_FEATURES 0x%x, protected "
			"suspend buffer %u bytes", raw->csg_features, raw->cs_features,
			raw->protected_suspend_size);
	selftest_decide(st, "prfcnt-features",
			arch(st) >= 11 ? size == 2 : !raw->gpu_prfcnt_features,
			"0x%x on architecture %u", raw->gpu_prfcnt_features, arch(st));
	selftest_decide(st, "interface-version",
			raw->version >= INTERFACE(1, 1) && raw->version < INTERFACE(4, 0),
			"%u.%u.%u", raw->version >> 24, raw->version >> 16 & 0xff,
			raw->version & 0xffff);
	selftest_decide(st, "global-features", !(raw->features & ~GLB_FEATURES_KNOWN), "0x%x",
			raw->features);
	expect(st, "instruction-features", raw->instr_features, INSTRUCTION_FEATURES);
	selftest_decide(st, "group-stride", raw->group_stride == 256, "%u bytes",
			raw->group_stride);
	selftest_decide(st, "stream-stride", raw->stream_stride == 12, "%u bytes",
			raw->stream_stride);
	selftest_decide(st, "suspend-size", raw->suspend_size == 8192, "%u bytes",
			raw->suspend_size);
	selftest_decide(st, "size-words",
			(fits_sparse || fits_packed) &&
			(!firmware || firmware == block ||
			 firmware == (1 + raw->group_num) * block),
			"hardware %u blocks, firmware %u blocks of %u bytes; %u L2 slices, shader "
			"cores up to %u, %u present, %u neural accelerators, %u groups",
			hardware / block, firmware / block, block, l2_slices, sparse, packed,
			accelerators, raw->group_num);
	if (sparse == packed) {
		selftest_leave(st, "sparse-slots", "no shader core is absent below the highest");
		selftest_leave(st, "packed-slots", "no shader core is absent below the highest");
	} else {
		const bool newer = st->gpu_id >> 20 >= PACKED_SINCE;

		selftest_leave(st, newer ? "sparse-slots" : "packed-slots",
			       "the architecture is %s than 14.8.4", newer ? "not older" : "older");
		selftest_decide(st, newer ? "packed-slots" : "sparse-slots",
				newer ? fits_packed : fits_sparse,
				"%u slots for %u cores, the highest of number %u",
				(hardware / block - 2 - l2_slices) / kinds, packed, sparse - 1);
	}
	check_metadata(st);
}
