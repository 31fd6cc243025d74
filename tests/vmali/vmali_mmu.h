/*
 * Virtual Arm Mali CSF GPU: what the table walk and kept translations share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_MMU_H
#define VMALI_MMU_H

#include "vmali_internal.h"

#define VMALI_PAGE_BITS         12

/**
 * VMaliWalk: result of a table walk
 * @pa: physical address
 * @left: bytes from there that are contiguous
 * @fault: fault type, 0 if there is none
 * @level: of the table that has the entry
 * @read_only: permissions of the page
 * @no_exec: likewise
 */
typedef struct VMaliWalk {
    hwaddr pa;
    uint64_t left;
    uint32_t fault;
    unsigned level;
    bool read_only;
    bool no_exec;
} VMaliWalk;

/**
 * vmali_tlb_translate: what the MMU takes for the translation of an address
 * @s: device
 * @nr: address space
 * @va: address
 * @w: what the tables say; replaced by the kept translation if there is one,
 *     kept from now on if there is none
 */
void vmali_tlb_translate(VMaliState *s, unsigned nr, uint64_t va,
                         VMaliWalk *w);

/** vmali_tlb_invalidate: drop translations of addresses @first to @last */
void vmali_tlb_invalidate(VMaliAs *as, uint64_t first, uint64_t last);

#endif /* VMALI_MMU_H */
