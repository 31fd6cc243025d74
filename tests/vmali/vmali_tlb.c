/*
 * Virtual Arm Mali CSF GPU: translations that the MMU keeps
 *
 * A translation that was used once is used until the host invalidates it, or
 * until another one takes its place.  A host that changes a table entry and
 * forgets the invalidation gets the old page, and its old permissions.  Each
 * use of a kept translation is compared with the tables, too: the first one
 * that is out of date becomes a violation in the log.
 *
 * What invalidates is what the drivers rely on: the end of a lock of the
 * region (UNLOCK, FLUSH_PT, FLUSH_MEM) and UPDATE.  A flush of the caches
 * with GPU_COMMAND does not.  Invalid entries are never kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_mmu.h"

#define ENTRY_BITS              8
#define HASH_FACTOR             0x9e3779b97f4a7c15ull
QEMU_BUILD_BUG_ON(1 << ENTRY_BITS != VMALI_TLB_ENTRIES);

static VMaliTlbEntry *entry_of(VMaliAs *as, uint64_t page)
{
    /* Pages that programs use are often at round addresses. */
    return &as->tlb[page * HASH_FACTOR >> (64 - ENTRY_BITS)];
}

static bool is_same(const VMaliWalk *w, const VMaliTlbEntry *e, uint64_t offset)
{
    return !w->fault && w->pa - offset == e->pa &&
           w->read_only == e->read_only && w->no_exec == e->no_exec;
}

static void report_stale(VMaliState *s, unsigned nr, const VMaliTlbEntry *e,
                         const VMaliWalk *w, uint64_t offset)
{
    s->stale_translations++;
    if (w->fault) {
        vmali_violation(s, "address space %u: 0x%" PRIx64 " is still at 0x%"
                        HWADDR_PRIx ", the tables changed without a flush: "
                        "fault 0x%x", nr, e->page << VMALI_PAGE_BITS, e->pa,
                        w->fault);
    } else {
        vmali_violation(s, "address space %u: 0x%" PRIx64 " is still at 0x%"
                        HWADDR_PRIx "%s%s, the tables changed without a "
                        "flush: 0x%" HWADDR_PRIx "%s%s", nr,
                        e->page << VMALI_PAGE_BITS, e->pa,
                        e->read_only ? " read-only" : "",
                        e->no_exec ? " no-execute" : "", w->pa - offset,
                        w->read_only ? " read-only" : "",
                        w->no_exec ? " no-execute" : "");
    }
}

void vmali_tlb_translate(VMaliState *s, unsigned nr, uint64_t va, VMaliWalk *w)
{
    uint64_t offset = va & MAKE_64BIT_MASK(0, VMALI_PAGE_BITS);
    uint64_t page = va >> VMALI_PAGE_BITS;
    VMaliTlbEntry *e = entry_of(&s->as[nr], page);

    if (!e->valid || e->page != page) {
        if (!w->fault) {
            *e = (VMaliTlbEntry) {
                .page = page, .pa = w->pa - offset, .valid = true,
                .read_only = w->read_only, .no_exec = w->no_exec,
                .level = w->level,
            };
        }
        return;
    }
    if (is_same(w, e, offset)) {
        return;
    }
    if (!e->reported) {
        e->reported = true;
        report_stale(s, nr, e, w, offset);
    }
    *w = (VMaliWalk) {
        .pa = e->pa + offset, .left = (1 << VMALI_PAGE_BITS) - offset,
        .read_only = e->read_only, .no_exec = e->no_exec, .level = e->level,
    };
}

void vmali_tlb_invalidate(VMaliAs *as, uint64_t first, uint64_t last)
{
    unsigned i;

    for (i = 0; i < VMALI_TLB_ENTRIES; i++) {
        VMaliTlbEntry *e = &as->tlb[i];

        if (e->page >= first >> VMALI_PAGE_BITS &&
            e->page <= last >> VMALI_PAGE_BITS) {
            e->valid = false;
        }
    }
}
