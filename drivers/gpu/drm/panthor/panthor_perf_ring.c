// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/overflow.h>
#include <linux/sizes.h>

#include <drm/drm_gem.h>
#include <drm/panthor_perf_drm.h>

#include "panthor_device.h"
#include "panthor_gem.h"
#include "panthor_perf_ring.h"

/**
 * DOC: Signals for new samples
 *
 * A client that is signalled for each sample spends more time on wakeups than on
 * reading. A client with WAKEUP is signalled when wakeup_samples samples are
 * unread.
 *
 * A sample is not counted for a second signal while the extract index is the
 * same as at the first one. Once the client has moved the index, all unread
 * samples count, those of earlier signals included. So a client may read any
 * part of the ring and wait again: it is signalled before the ring is full.
 */

/* Largest size of an object beyond its slots, in bytes. */
#define MAX_SPARE_SIZE		SZ_1M

/*
 * Map a whole object, of at most @max_size. Refuses an imported one, which is mapped by the rules
 * of its exporter, and one with NO_MMAP, which user space cannot map.
 */
static int map_bo(struct panthor_perf_ring_bo *bo, struct drm_file *file, u32 handle,
		  u64 min_size, u64 max_size)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	int ret;

	if (!obj)
		return -ENOENT;

	if (obj->import_attach || to_panthor_bo(obj)->flags & DRM_PANTHOR_BO_NO_MMAP ||
	    obj->size < min_size || obj->size > max_size)
		ret = -EINVAL;
	else
		ret = drm_gem_vmap(obj, &bo->map);

	if (ret)
		drm_gem_object_put(obj);
	else
		bo->obj = obj;

	return ret;
}

static void unmap_bo(struct panthor_perf_ring_bo *bo)
{
	if (!bo->obj)
		return;

	drm_gem_vunmap(bo->obj, &bo->map);
	drm_gem_object_put(bo->obj);
	bo->obj = NULL;
}

/**
 * panthor_perf_ring_map() - Map the user's buffer objects as a ring
 * @ring: Ring, all zero but for what the caller sets.
 * @file: DRM file.
 * @args: Arguments of SETUP, validated except for the objects and their sizes.
 * @slot_size: Size of a slot, in bytes.
 *
 * May take the objects' reservation locks: not with the perf mutex held. The contents of the
 * objects are not accessed. After a failure panthor_perf_ring_unmap() must be called as well.
 *
 * Return: 0; -ENOENT if an object does not exist; -EINVAL if an object does not fit; -ENOMEM.
 */
int panthor_perf_ring_map(struct panthor_perf_ring *ring, struct drm_file *file,
			  const struct drm_panthor_perf_setup *args, u32 slot_size)
{
	const u64 ring_size = (u64)args->sample_slots * slot_size;
	const bool shared = args->control_handle == args->ring_handle;
	u64 ring_max = ring_size + MAX_SPARE_SIZE;
	u64 control_end;
	int ret;

	if (check_add_overflow(args->control_offset, sizeof(*ring->control), &control_end))
		return -EINVAL;

	/* Before SETUP, a client does not know the size of compact samples, and allocates more. */
	if (ring->full_size > slot_size)
		ring_max = (u64)args->sample_slots * ring->full_size + MAX_SPARE_SIZE;

	ret = map_bo(&ring->data_bo, file, args->ring_handle, ring_size, ring_max);
	if (!ret)
		ret = map_bo(&ring->control_bo, file, args->control_handle, control_end,
			     shared ? ring_max : MAX_SPARE_SIZE);
	if (ret)
		return ret;

	if (ring->data_bo.map.is_iomem || ring->control_bo.map.is_iomem)
		return -EINVAL;

	/* Two handles may name one object. In one object, the indices lie behind the slots. */
	if (ring->data_bo.obj == ring->control_bo.obj && args->control_offset < ring_size)
		return -EINVAL;

	ring->data = ring->data_bo.map.vaddr;
	ring->control = ring->control_bo.map.vaddr + args->control_offset;
	ring->slots = args->sample_slots;
	ring->slot_size = slot_size;
	ring->wakeup_samples = args->wakeup_samples;
	return 0;
}

/**
 * panthor_perf_ring_unmap() - Put the user's buffer objects
 * @ring: Ring, of panthor_perf_ring_map() or of memory without objects.
 *
 * May take the objects' reservation locks: not with the perf mutex held.
 */
void panthor_perf_ring_unmap(struct panthor_perf_ring *ring)
{
	unmap_bo(&ring->control_bo);
	unmap_bo(&ring->data_bo);
}

/**
 * panthor_perf_ring_init_indices() - Set the shared indices to 0
 * @ring: Ring whose memory is mapped and that is not in use yet.
 */
void panthor_perf_ring_init_indices(struct panthor_perf_ring *ring)
{
	WRITE_ONCE(ring->control->extract_idx, 0);
	WRITE_ONCE(ring->control->insert_idx, 0);
}

static u64 load_extract(const struct panthor_perf_ring *ring)
{
	/* Pairs with the release of user space, which has read the slots that it releases. */
	return smp_load_acquire(&ring->control->extract_idx);
}

/* Check whether an index is between the last valid one and the insert index, modulo 2^64. */
static bool extract_is_valid(const struct panthor_perf_ring *ring, u64 extract)
{
	return extract - ring->extract <= ring->insert - ring->extract;
}

static void read_extract(struct panthor_perf_ring *ring)
{
	const u64 extract = load_extract(ring);

	if (extract_is_valid(ring, extract))
		ring->extract = extract;
	else
		ring->bad_extract = true;
}

/**
 * panthor_perf_ring_unread() - Get the number of slots that user space has not released
 * @ring: Ring.
 *
 * For debugfs. Changes nothing: an invalid extract index counts as the last valid one.
 *
 * Return: 0 to &panthor_perf_ring.slots.
 */
u32 panthor_perf_ring_unread(const struct panthor_perf_ring *ring)
{
	const u64 extract = load_extract(ring);

	return ring->insert - (extract_is_valid(ring, extract) ? extract : ring->extract);
}

/**
 * panthor_perf_ring_is_full() - Check whether no slot is free, without reading the extract index
 * @ring: Ring.
 *
 * Return: true if no slot is free as of the last reading of the extract index.
 */
bool panthor_perf_ring_is_full(const struct panthor_perf_ring *ring)
{
	return ring->insert - ring->extract >= ring->slots;
}

/**
 * panthor_perf_ring_free_slots() - Get the number of free slots
 * @ring: Ring.
 *
 * Reads the extract index once. An index that is not between the last valid one and the insert
 * index is ignored, and sets &panthor_perf_ring.bad_extract. Only panthor_perf_ring_publish()
 * decreases the number of free slots.
 *
 * Return: 0 to &panthor_perf_ring.slots.
 */
u32 panthor_perf_ring_free_slots(struct panthor_perf_ring *ring)
{
	read_extract(ring);
	return ring->slots - (u32)(ring->insert - ring->extract);
}

/**
 * panthor_perf_ring_slot() - Get the slot to publish next
 * @ring: Ring with a free slot.
 *
 * Return: Address of the slot. For writing only.
 */
void *panthor_perf_ring_slot(struct panthor_perf_ring *ring)
{
	u32 slot = ring->insert & (ring->slots - 1);

	return ring->data + (size_t)slot * ring->slot_size;
}

/**
 * panthor_perf_ring_publish() - Publish the slot of panthor_perf_ring_slot()
 * @ring: Ring. The caller has written the slot.
 */
void panthor_perf_ring_publish(struct panthor_perf_ring *ring)
{
	ring->insert++;

	/* Pairs with the acquire of user space: a client that reads the index sees the sample. */
	smp_store_release(&ring->control->insert_idx, ring->insert);
}

/**
 * panthor_perf_ring_take_signal() - Take the signal that is due for a new sample, if one is
 * @ring: Ring, with a new sample published.
 * @final: No sample follows. The client is signalled for any number of unread samples.
 *
 * If wakeup_samples is set, reads the extract index, and records the signal.
 *
 * Return: true if the caller has to signal the client.
 */
bool panthor_perf_ring_take_signal(struct panthor_perf_ring *ring, bool final)
{
	u64 counted_from;

	if (!ring->wakeup_samples)
		return true;

	/* Samples that were signalled count again when the client has released some of them. */
	read_extract(ring);
	counted_from = ring->extract == ring->signalled_extract ? ring->signalled : ring->extract;
	if (!final && ring->insert - counted_from < ring->wakeup_samples)
		return false;

	ring->signalled = ring->insert;
	ring->signalled_extract = ring->extract;
	return true;
}
