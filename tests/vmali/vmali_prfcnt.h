/*
 * Virtual Arm Mali CSF GPU: the counter ring, for those who write to it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_PRFCNT_H
#define VMALI_PRFCNT_H

#include "vmali_internal.h"

/* Block header */
#define WORD_TIMESTAMP_LO       0
#define WORD_TIMESTAMP_HI       1
#define WORD_PRFCNT_EN          2
#define WORD_REASON             3       /* metadata block only */

/* Header and first counters */
#define ENABLE_HEADER           0x1
#define ENABLE_COUNTERS         0x2

/**
 * VMaliBlock: one place in a ring entry
 * @type: what it counts
 * @index: which of its type
 * @hole: a slot without a core, or without an accelerator
 */
typedef struct VMaliBlock {
    VMaliBlockType type;
    uint32_t index;
    bool hole;
} VMaliBlock;

/** vmali_ring_block_size: bytes in a block */
uint32_t vmali_ring_block_size(const VMaliState *s);

/** vmali_ring_blocks: blocks in an entry, holes included */
uint32_t vmali_ring_blocks(const VMaliState *s, uint32_t config);

/** vmali_ring_block_at: what is at place @n of an entry? */
VMaliBlock vmali_ring_block_at(const VMaliState *s, uint32_t n);

/** vmali_ring_va: address of place @n of the entry with this raw index */
uint64_t vmali_ring_va(const VMaliState *s, uint32_t raw_index, uint32_t n);

/** vmali_ring_rw: access the ring, as the GPU sees it */
bool vmali_ring_rw(VMaliState *s, uint64_t va, void *buf, size_t size,
                   bool is_write);

/** vmali_ring_cache: put a cache between the CPUs and the ring (ring-cache) */
void vmali_ring_cache(VMaliState *s);

/** vmali_ring_read_config: the configuration as the host has it now */
VMaliPrfcntConfig vmali_ring_read_config(VMaliState *s);

/** vmali_ring_check_config: can counters be enabled with it? */
bool vmali_ring_check_config(VMaliState *s, const VMaliPrfcntConfig *c);

/** vmali_ring_check_unchanged: what counts is what was there at the enable */
void vmali_ring_check_unchanged(VMaliState *s);

/** vmali_ring_check_cleared: has the host cleared what tells old from new? */
void vmali_ring_check_cleared(VMaliState *s, uint32_t raw_index,
                              const char *when);

/** vmali_ring_look_at_extract: take the host's index over, and check it */
void vmali_ring_look_at_extract(VMaliState *s);

#endif /* VMALI_PRFCNT_H */
