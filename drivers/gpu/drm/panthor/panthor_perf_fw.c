// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitfield.h>
#include <linux/bits.h>

#include "panthor_fw_regs.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_layout.h"

/**
 * DOC: The counter protocol of the firmware
 *
 * Firmware writes samples into a ring in the address space of the MCU. INSERT,
 * written by firmware, and EXTRACT, written by the driver, count samples modulo
 * 2^32. Both are 0 when counters are enabled. Firmware writes a sample when the
 * host toggles PRFCNT_SAMPLE, and acknowledges it after the update of INSERT:
 * kbase, Arm's own driver, adds the samples up to an INSERT that it reads once
 * after the acknowledge. Firmware also writes automatic samples before counting
 * stops, without an acknowledge. So the driver always reads all samples up to
 * INSERT.
 *
 * THRESHOLD reports that the ring is half full, OVERFLOW that the ring had no
 * room for a sample. Both stay pending until the host has copied the bit from
 * the acknowledge word to the request word.
 *
 * Word 2 of each block is the mask of the counters that were written. Firmware
 * does not write the block of a core without power. So the host clears the word
 * after use.
 *
 * The configuration may only change while counters are disabled, and a disable
 * loses the counters' values. So the driver always enables all counters, and
 * firmware does not know which of them the sessions have requested.
 */

#define GLB_PRFCNT_CONFIG_SIZE			GENMASK(7, 0)
#define GLB_PRFCNT_CONFIG_SET_SELECT		GENMASK(9, 8)

/* Enable mask of the neural accelerators: a word that panthor reserves behind the others. */
#define GLB_PRFCNT_NEURAL_EN			0x60

#define PRFCNT_REQS				(GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE)
#define PRFCNT_EVENTS				(GLB_PERFCNT_THRESHOLD | GLB_PERFCNT_OVERFLOW)
#define PRFCNT_IRQS				(PRFCNT_REQS | PRFCNT_EVENTS)

static_assert(PANTHOR_PERF_FW_RING_SLOTS <= 128);
static_assert((PANTHOR_PERF_FW_RING_SLOTS & (PANTHOR_PERF_FW_RING_SLOTS - 1)) == 0);
static_assert(offsetof(struct panthor_fw_global_input_iface, reserved4) == GLB_PRFCNT_NEURAL_EN);

/**
 * panthor_perf_fw_init() - Initialise the protocol's state
 * @fw: Protocol state, all zero. The caller sets &panthor_perf_fw.drm.
 * @iface: Global interface of the firmware.
 * @layout: Layout of a sample. Must outlive @fw.
 */
void panthor_perf_fw_init(struct panthor_perf_fw *fw, struct panthor_fw_global_iface *iface,
			  const struct panthor_perf_layout *layout)
{
	u32 csg_count = min_t(u32, READ_ONCE(iface->control->group_num), MAX_CSGS);

	fw->iface = iface;
	fw->layout = layout;
	fw->slots = PANTHOR_PERF_FW_RING_SLOTS;
	fw->csg_mask = BIT(csg_count) - 1;
}

static u32 entry_offset(struct panthor_perf_fw *fw, u32 index)
{
	return index % fw->slots * fw->layout->entry_size;
}

/* Mark all blocks as not written: firmware marks those that it writes. */
static void clear_entry(struct panthor_perf_fw *fw, u32 index)
{
	for (u32 i = 0; i < fw->layout->block_count; i++) {
		const u32 word = fw->layout->blocks[i].offset + PANTHOR_PERF_BLOCK_EN_WORD;
		const u32 offset = entry_offset(fw, index) + word * sizeof(u32);

		WRITE_ONCE(*(u32 *)(fw->ring + offset), 0);
		panthor_perf_hw_sync_for_device(fw, offset, sizeof(u32));
	}
}

/**
 * panthor_perf_fw_is_disabled() - Check whether counters may be configured
 * @fw: Protocol state.
 *
 * Return: true if the firmware reports that counters are disabled.
 */
bool panthor_perf_fw_is_disabled(struct panthor_perf_fw *fw)
{
	return !(READ_ONCE(fw->iface->output->ack) & GLB_PERFCNT_EN);
}

/**
 * panthor_perf_fw_configure() - Configure all counters, with an empty ring
 * @fw: Protocol state, with a ring and with counters disabled.
 * @set: Counter set.
 */
void panthor_perf_fw_configure(struct panthor_perf_fw *fw, u32 set)
{
	const u32 all = GENMASK(fw->layout->counters / PANTHOR_PERF_COUNTERS_PER_EN - 1, 0);
	struct panthor_fw_global_input_iface *input = fw->iface->input;

	for (u32 i = 0; i < fw->slots; i++)
		clear_entry(fw, i);

	fw->extract = 0;
	fw->in_use = true;
	WRITE_ONCE(input->perfcnt_as, panthor_perf_hw_as(fw));
	WRITE_ONCE(input->perfcnt_base, fw->ring_va);
	WRITE_ONCE(input->perfcnt_extract, 0);
	WRITE_ONCE(input->perfcnt_config, FIELD_PREP(GLB_PRFCNT_CONFIG_SIZE, fw->slots) |
					  FIELD_PREP(GLB_PRFCNT_CONFIG_SET_SELECT, set));
	WRITE_ONCE(input->perfcnt_csg_select, fw->csg_mask);
	WRITE_ONCE(input->perfcnt_fw_enable, all);
	WRITE_ONCE(input->perfcnt_csg_enable, all);
	WRITE_ONCE(input->perfcnt_csf_enable, all);
	WRITE_ONCE(input->perfcnt_shader_enable, all);
	WRITE_ONCE(input->perfcnt_tiler_enable, all);
	WRITE_ONCE(input->perfcnt_mmu_l2_enable, all);
	if (fw->layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL])
		WRITE_ONCE(input->reserved4[0], all);
}

/*
 * The cycle counter runs only while it is requested. If it was requested before, the release does
 * not stop it.
 */
static void request_cycles(struct panthor_perf_fw *fw)
{
	fw->cycles_req = ~READ_ONCE(fw->iface->input->req) & GLB_COUNTER_EN;
	panthor_fw_update_reqs(fw->iface, req, fw->cycles_req, fw->cycles_req);
}

static void release_cycles(struct panthor_perf_fw *fw)
{
	panthor_fw_update_reqs(fw->iface, req, 0, fw->cycles_req);
	fw->cycles_req = 0;
}

/**
 * panthor_perf_fw_enable() - Request that counters start
 * @fw: Protocol state, with configured counters.
 *
 * Counting begins with the firmware's acknowledge, %PANTHOR_PERF_FW_ENABLE_ACKED.
 */
void panthor_perf_fw_enable(struct panthor_perf_fw *fw)
{
	struct panthor_fw_global_iface *iface = fw->iface;

	/* No request and no event is pending when counters start. */
	panthor_fw_update_reqs(iface, req, READ_ONCE(iface->output->ack),
			       GLB_PERFCNT_SAMPLE | PRFCNT_EVENTS);
	panthor_fw_update_reqs(iface, ack_irq_mask, PRFCNT_IRQS, PRFCNT_IRQS);

	request_cycles(fw);

	/* Order the ring and its configuration before the request. */
	dma_wmb();
	panthor_fw_update_reqs(iface, req, GLB_PERFCNT_EN, GLB_PERFCNT_EN);
	panthor_perf_hw_doorbell(fw);
}

/**
 * panthor_perf_fw_disable() - Request that counters stop
 * @fw: Protocol state.
 *
 * Counts since the last sample are lost.
 */
void panthor_perf_fw_disable(struct panthor_perf_fw *fw)
{
	/* Of the interrupts, only that of the acknowledge of the disable is left. */
	panthor_fw_update_reqs(fw->iface, ack_irq_mask, GLB_PERFCNT_EN, PRFCNT_IRQS);
	panthor_fw_update_reqs(fw->iface, req, 0, GLB_PERFCNT_EN);
	release_cycles(fw);
	panthor_perf_hw_doorbell(fw);
}

/**
 * panthor_perf_fw_request_sample() - Request a sample
 * @fw: Protocol state, with counters enabled and no sample request pending.
 */
void panthor_perf_fw_request_sample(struct panthor_perf_fw *fw)
{
	panthor_fw_toggle_reqs(fw->iface, req, ack, GLB_PERFCNT_SAMPLE);
	panthor_perf_hw_doorbell(fw);
}

/**
 * panthor_perf_fw_drop_requests() - Withdraw all requests without a doorbell
 * @fw: Protocol state.
 *
 * For disabled counters; before the firmware stops, so that restarted firmware finds no pending
 * request for counters; or for firmware that does not answer: the caller then rings the doorbell.
 * Afterwards the driver may read the ring, but does not write to it any more.
 */
void panthor_perf_fw_drop_requests(struct panthor_perf_fw *fw)
{
	struct panthor_fw_global_iface *iface = fw->iface;

	fw->in_use = false;
	panthor_fw_update_reqs(iface, ack_irq_mask, 0, PRFCNT_IRQS);
	panthor_fw_update_reqs(iface, req, READ_ONCE(iface->output->ack) & ~GLB_PERFCNT_EN,
			       GLB_PERFCNT_EN | GLB_PERFCNT_SAMPLE | PRFCNT_EVENTS);
	release_cycles(fw);
}

/**
 * panthor_perf_fw_poll() - Read the firmware's acknowledges and events
 * @fw: Protocol state.
 *
 * Acknowledged samples are visible to panthor_perf_fw_pending() afterwards.
 *
 * Return: A combination of &enum panthor_perf_fw_event.
 */
u32 panthor_perf_fw_poll(struct panthor_perf_fw *fw)
{
	u32 pending = READ_ONCE(fw->iface->input->req) ^ READ_ONCE(fw->iface->output->ack);

	/* The firmware acknowledges after it has updated INSERT. */
	dma_rmb();

	/* Equal bits: the request is acknowledged. Different bits: the event is pending. */
	return (pending ^ PRFCNT_REQS) & PRFCNT_IRQS;
}

/**
 * panthor_perf_fw_ack_events() - Acknowledge THRESHOLD and OVERFLOW
 * @fw: Protocol state.
 * @events: Events that panthor_perf_fw_poll() has returned. Later events are not acknowledged:
 *          the next panthor_perf_fw_poll() reports them.
 *
 * To be called with room in the ring. Rings the doorbell: firmware then serves a sample request
 * that had no room in the ring.
 */
void panthor_perf_fw_ack_events(struct panthor_perf_fw *fw, u32 events)
{
	panthor_fw_update_reqs(fw->iface, req, READ_ONCE(fw->iface->output->ack),
			       events & PRFCNT_EVENTS);
	panthor_perf_hw_doorbell(fw);
}

/**
 * panthor_perf_fw_pending() - Get the number of samples in the ring
 * @fw: Protocol state.
 * @count: Set to the number, at most &panthor_perf_fw.slots.
 *
 * Return: 0; -EIO if the firmware's index is impossible. No sample in the ring is valid then.
 */
int panthor_perf_fw_pending(struct panthor_perf_fw *fw, u32 *count)
{
	u32 pending = READ_ONCE(fw->iface->output->perfcnt_insert) - fw->extract;

	*count = 0;
	if (pending > fw->slots)
		return -EIO;

	/* The firmware updates INSERT after it has written the sample. */
	dma_rmb();
	*count = pending;
	return 0;
}

/**
 * panthor_perf_fw_peek() - Get the oldest sample in the ring
 * @fw: Protocol state, with at least one sample pending.
 *
 * Return: Words of the sample. Firmware may change them at any time: read each word once.
 */
const u32 *panthor_perf_fw_peek(struct panthor_perf_fw *fw)
{
	const u32 offset = entry_offset(fw, fw->extract);

	panthor_perf_hw_sync_for_cpu(fw, offset, fw->layout->entry_size);
	return fw->ring + offset;
}

/**
 * panthor_perf_fw_consume() - Remove the oldest sample from the ring
 * @fw: Protocol state, with at least one sample pending.
 *
 * The next panthor_perf_fw_release() releases its slot to the firmware.
 */
void panthor_perf_fw_consume(struct panthor_perf_fw *fw)
{
	if (fw->in_use)
		clear_entry(fw, fw->extract);
	fw->extract++;
}

/**
 * panthor_perf_fw_release() - Release the slots of consumed samples to the firmware
 * @fw: Protocol state.
 */
void panthor_perf_fw_release(struct panthor_perf_fw *fw)
{
	if (!fw->in_use)
		return;

	/* Order all accesses to the samples before the release of their slots. */
	mb();
	WRITE_ONCE(fw->iface->input->perfcnt_extract, fw->extract);
}
