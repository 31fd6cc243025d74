// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_file.h>
#include <drm/panthor_drm.h>
#include <drm/panthor_perf_drm.h>

#include "panthor_device.h"
#include "panthor_perf.h"
#include "panthor_perf_control.h"
#include "panthor_perf_device.h"
#include "panthor_perf_ioctl.h"
#include "panthor_perf_session.h"

/**
 * DOC: PERF_CONTROL
 *
 * Programs exist for an older interface, in which one ioctl has all calls. They are served by the
 * same sessions: the calls are those of panthor_perf_ioctl.c with other arguments, and the samples
 * have another form. Not for mainline.
 */

/* Calls */
enum {
	CONTROL_SETUP,
	CONTROL_TEARDOWN,
	CONTROL_START,
	CONTROL_STOP,
	CONTROL_SAMPLE,
};

/* Flags of the query, and of a sample */
#define INFO_BLOCK_STATES		BIT(0)
#define SAMPLE_LOST			BIT(0)
#define SAMPLE_STRETCHED		BIT(1)

/* Reply to the query */
struct control_info {
	u32 counters_per_block;
	u32 sample_header_size;
	u32 block_header_size;
	u32 sample_size;
	u32 flags;
	u32 supported_clocks;
	u32 fw_blocks;
	u32 cshw_blocks;
	u32 tiler_blocks;
	u32 memsys_blocks;
	u32 shader_blocks;
	u32 neural_blocks;
};

#define MASKS		DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL

/* Arguments of SETUP. Older programs do not have the last mask. */
struct control_setup {
	u8 set;
	u8 pad[7];
	u32 eventfd;
	u32 ring_handle;
	u32 control_handle;
	u32 sample_slots;
	u64 control_offset;
	u64 sample_period_ns;
	u64 masks[MASKS][PANTHOR_PERF_MASK_WORDS];
};

#define MIN_SETUP_SIZE	offsetof(struct control_setup, masks[MASKS - 1])

struct control_sample_header {
	u64 timestamp_start_ns;
	u64 timestamp_end_ns;
	u8 set;
	u8 pad[3];
	u32 flags;
	u64 user_data;
	u64 toplevel_clock_cycles;
	u64 coregroup_clock_cycles;
	u64 shader_clock_cycles;
	u64 neural_clock_cycles;
};

struct control_block_header {
	u8 type;
	u8 idx;
	u8 states;
	u8 clock;
	u8 pad[4];
	u64 enabled[PANTHOR_PERF_MASK_WORDS];
};

static_assert(sizeof(struct control_info) == 48);
static_assert(sizeof(struct control_setup) == 136);
static_assert(MIN_SETUP_SIZE == 120);
static_assert(sizeof(struct control_sample_header) == 64);
static_assert(sizeof(struct control_block_header) == 24);

/* Samples have no others: a program ends its search at a block of a type that it does not know. */
static bool type_is_known(u32 type)
{
	return type <= DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL;
}

static u32 sample_size(const struct panthor_perf_layout *layout)
{
	u32 blocks = 0;

	for (u32 nr = 0; nr < layout->block_count; nr++)
		blocks += type_is_known(layout->blocks[nr].type);

	return sizeof(struct control_sample_header) +
	       blocks * (sizeof(struct control_block_header) + layout->counters * sizeof(u64));
}

/* Programs refuse a sample with one of the flags. */
static u32 flags_of(const struct drm_panthor_perf_sample_header *header)
{
	u32 flags = 0;

	if (header->flags & (DRM_PANTHOR_PERF_SAMPLE_OVERFLOW | DRM_PANTHOR_PERF_SAMPLE_ERROR))
		flags |= SAMPLE_LOST;
	if (header->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED)
		flags |= SAMPLE_STRETCHED;

	return flags;
}

/* &panthor_perf_format.write: with the perf mutex held. Updates the session's snapshot. */
static void write_sample(struct panthor_perf_session *session,
			 const struct drm_panthor_perf_sample_header *from, void *to)
{
	const struct panthor_perf_counts *counts = &session->sampler->counts;
	const struct panthor_perf_layout *layout = counts->fw->layout;
	const struct control_sample_header header = {
		.timestamp_start_ns = from->timestamp_start_ns,
		.timestamp_end_ns = from->timestamp_end_ns,
		.set = from->counter_set,
		.flags = flags_of(from),
		.user_data = from->user_data,
		.toplevel_clock_cycles = from->toplevel_clock_cycles,
		.coregroup_clock_cycles = from->coregroup_clock_cycles,
		.shader_clock_cycles = from->shader_clock_cycles,
	};

	memcpy(to, &header, sizeof(header));
	to += sizeof(header);

	for (u32 nr = 0; nr < layout->block_count; nr++) {
		const struct panthor_perf_block *block = &layout->blocks[nr];
		const u64 *mask = session->config.masks[block->type];
		struct control_block_header block_header = {
			.type = block->type,
			.idx = block->idx,
			.states = panthor_perf_states_since(&counts->states, nr, from->counter_set,
							    session->snapshot.states_nr),
			.clock = block->clock,
		};

		if (!type_is_known(block->type))
			continue;

		memcpy(block_header.enabled, mask, sizeof(block_header.enabled));
		memcpy(to, &block_header, sizeof(block_header));
		to = panthor_perf_select_write_values(counts, &session->snapshot, nr, mask,
						      to + sizeof(block_header));
	}
}

const struct panthor_perf_format panthor_perf_control_format = {
	.size = sample_size,
	.write = write_sample,
};

/**
 * panthor_perf_control_query() - Answer the query
 * @ptdev: Device.
 * @args: Arguments of DEV_QUERY.
 *
 * A program gets as much as it has room for.
 *
 * Return: 0; -EINVAL if the GPU has no counters; -EFAULT.
 */
int panthor_perf_control_query(struct panthor_device *ptdev, struct drm_panthor_dev_query *args)
{
	const struct drm_panthor_perf_info *from = panthor_perf_info(ptdev);
	struct control_info info = {};

	if (IS_ERR(from))
		return -EINVAL;

	if (!args->pointer) {
		args->size = sizeof(info);
		return 0;
	}

	info = (struct control_info) {
		.counters_per_block = from->counters_per_block,
		.sample_header_size = sizeof(struct control_sample_header),
		.block_header_size = sizeof(struct control_block_header),
		.sample_size = sample_size(ptdev->perf->layout),
		.flags = INFO_BLOCK_STATES,
		.supported_clocks = from->supported_clocks,
		.fw_blocks = from->fw_blocks,
		.cshw_blocks = from->cshw_blocks,
		.tiler_blocks = from->tiler_blocks,
		.memsys_blocks = from->memsys_blocks,
		.shader_blocks = from->shader_blocks,
		.neural_blocks = from->neural_blocks,
	};
	args->size = min_t(u32, args->size, sizeof(info));
	return copy_to_user(u64_to_user_ptr(args->pointer), &info, args->size) ? -EFAULT : 0;
}

/* The argument of START, STOP and SAMPLE is one 64-bit word. */
static int get_user_data(const struct drm_panthor_perf_control *args, u64 *user_data)
{
	if (args->size != sizeof(*user_data))
		return -EINVAL;

	return copy_from_user(user_data, u64_to_user_ptr(args->pointer), sizeof(*user_data)) ?
	       -EFAULT : 0;
}

static int get_setup(const struct drm_panthor_perf_control *args, struct control_setup *setup)
{
	int ret;

	if (args->handle || args->size < MIN_SETUP_SIZE || args->size > PAGE_SIZE)
		return -EINVAL;

	ret = copy_struct_from_user(setup, sizeof(*setup), u64_to_user_ptr(args->pointer),
				    args->size);
	if (!ret && memchr_inv(setup->pad, 0, sizeof(setup->pad)))
		ret = -EINVAL;
	/* This interface needs an eventfd: -1 is no number of a file, and not "none". */
	if (!ret && setup->eventfd > S32_MAX)
		ret = -EBADF;

	return ret;
}

/* A mask has a bit for each word of a block: those of its header are no counters. */
static int add_mask(struct panthor_perf_session_config *config,
		    const struct panthor_perf_layout *layout, u32 type, const u64 *mask)
{
	const u64 header = GENMASK_ULL(PANTHOR_PERF_BLOCK_HEADER_WORDS - 1, 0);

	for (u32 word = 0; word < PANTHOR_PERF_MASK_WORDS; word++) {
		struct drm_panthor_perf_section section = {
			.block_type = type,
			.first_counter = 64 * word,
			.mask = mask[word],
		};
		int ret;

		if (!word)
			section.mask &= ~header;
		if (!section.mask)
			continue;

		ret = panthor_perf_select_add(config->masks, layout, &section);
		if (ret)
			return ret;
	}

	return 0;
}

static int setup_session(struct drm_file *file, const struct control_setup *setup)
{
	struct panthor_file *pfile = file->driver_priv;
	const struct panthor_perf_layout *layout = pfile->ptdev->perf->layout;
	struct panthor_perf_session_config config = { .format = &panthor_perf_control_format };
	struct drm_panthor_perf_setup args = {
		.counter_set = setup->set,
		.eventfd = setup->eventfd,
		.ring_handle = setup->ring_handle,
		.control_handle = setup->control_handle,
		.sample_slots = setup->sample_slots,
		.control_offset = setup->control_offset,
		.sample_period_ns = setup->sample_period_ns,
	};
	int ret;

	/* Block types begin at 1. */
	for (u32 type = 1; type <= MASKS; type++) {
		ret = add_mask(&config, layout, type, setup->masks[type - 1]);
		if (ret)
			return ret;
	}

	ret = panthor_perf_setup(file, &args, &config);
	return ret ?: args.handle;
}

/**
 * panthor_ioctl_perf_control() - Run one call of the older interface
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_control.
 * @file: DRM file.
 *
 * Return: The handle of the session for SETUP, 0 for the other calls. On failure, the negative
 * error of the ioctl that serves the call, or -EINVAL for an unknown call.
 */
int panthor_ioctl_perf_control(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_control *args = data;
	struct drm_panthor_perf_teardown teardown = { .handle = args->handle };
	struct drm_panthor_perf_sample sample = { .handle = args->handle };
	struct drm_panthor_perf_start start = { .handle = args->handle };
	struct drm_panthor_perf_stop stop = { .handle = args->handle };
	struct panthor_file *pfile = file->driver_priv;
	struct control_setup setup;

	if (!pfile->ptdev->perf)
		return -EOPNOTSUPP;

	switch (args->cmd) {
	case CONTROL_SETUP:
		return get_setup(args, &setup) ?: setup_session(file, &setup);
	case CONTROL_TEARDOWN:
		/* It has no arguments. Programs pass a size all the same, which is ignored. */
		return panthor_ioctl_perf_teardown(ddev, &teardown, file);
	case CONTROL_START:
		return get_user_data(args, &start.user_data) ?:
		       panthor_ioctl_perf_start(ddev, &start, file);
	case CONTROL_STOP:
		return get_user_data(args, &stop.user_data) ?:
		       panthor_ioctl_perf_stop(ddev, &stop, file);
	case CONTROL_SAMPLE:
		return get_user_data(args, &sample.user_data) ?:
		       panthor_ioctl_perf_sample(ddev, &sample, file);
	default:
		return -EINVAL;
	}
}
