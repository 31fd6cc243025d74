/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_RING_H__
#define __PANTHOR_PERF_RING_H__

#include <linux/iosys-map.h>
#include <linux/types.h>

struct drm_file;
struct drm_gem_object;
struct drm_panthor_perf_ring_control;
struct drm_panthor_perf_setup;

/**
 * struct panthor_perf_ring_bo - Buffer object of user space, mapped for the kernel
 *
 * User space may change the contents of the mapping at any time.
 */
struct panthor_perf_ring_bo {
	/** @obj: Object, with a reference. NULL if nothing is mapped. */
	struct drm_gem_object *obj;

	/** @map: Mapping of the whole object. */
	struct iosys_map map;
};

/**
 * struct panthor_perf_ring - The kernel's side of a ring shared with user space
 *
 * User space may write to both mappings at any time. All fields that decide where the kernel writes
 * are private to the kernel. The kernel reads only the extract index of the shared memory. The
 * header of the uAPI documents the memory ordering. Calls are serialised by the caller.
 */
struct panthor_perf_ring {
	/** @data_bo: Object of the slots. */
	struct panthor_perf_ring_bo data_bo;

	/** @control_bo: Object of the shared indices. */
	struct panthor_perf_ring_bo control_bo;

	/** @data: Kernel mapping of the slots. */
	void *data;

	/** @control: Kernel mapping of the shared indices. */
	struct drm_panthor_perf_ring_control *control;

	/** @insert: Number of slots published since SETUP. */
	u64 insert;

	/** @extract: Last valid extract index read. */
	u64 extract;

	/** @slots: Number of slots, a power of two. */
	u32 slots;

	/** @slot_size: Size of a slot, in bytes. */
	u32 slot_size;

	/** @full_size: Size of a sample of all blocks, in bytes: the slots may have room for it. */
	u32 full_size;

	/** @bad_extract: An invalid extract index was read. The session clears the flag. */
	bool bad_extract;

	/**
	 * @wakeup_samples: Number of unread samples at which the client is signalled, below @slots.
	 * 0: the client is signalled for each sample.
	 */
	u32 wakeup_samples;

	/** @signalled: Insert index at the last signal. */
	u64 signalled;

	/** @signalled_extract: Extract index at the last signal. */
	u64 signalled_extract;
};

int panthor_perf_ring_map(struct panthor_perf_ring *ring, struct drm_file *file,
			  const struct drm_panthor_perf_setup *args, u32 slot_size);
void panthor_perf_ring_unmap(struct panthor_perf_ring *ring);
void panthor_perf_ring_init_indices(struct panthor_perf_ring *ring);
u32 panthor_perf_ring_free_slots(struct panthor_perf_ring *ring);
u32 panthor_perf_ring_unread(const struct panthor_perf_ring *ring);
bool panthor_perf_ring_is_full(const struct panthor_perf_ring *ring);
void *panthor_perf_ring_slot(struct panthor_perf_ring *ring);
void panthor_perf_ring_publish(struct panthor_perf_ring *ring);
bool panthor_perf_ring_take_signal(struct panthor_perf_ring *ring, bool final);

#endif
