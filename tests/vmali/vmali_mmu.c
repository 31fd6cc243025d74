/*
 * Virtual Arm Mali CSF GPU: address spaces
 *
 * Page tables are the 64-bit long-descriptor format with 4 KiB granule and
 * 48-bit input addresses.  Each access walks them, and is given the translation
 * that vmali_tlb.c has kept, if there is one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/rcu.h"
#include "trace.h"
#include "vmali_mmu.h"

#define PAGE_BITS               VMALI_PAGE_BITS
#define LEVEL_BITS              9
#define LAST_LEVEL              3

FIELD(PTE, TYPE, 0, 2)
enum {
    PTE_TYPE_BLOCK = 1,
    PTE_TYPE_TABLE = 3,                 /* at the last level: page */
};
FIELD(PTE, ATTR_INDEX, 2, 3)
FIELD(PTE, READ_ONLY, 7, 1)
FIELD(PTE, ACCESS_FLAG, 10, 1)
FIELD(PTE, NO_EXEC, 53, 2)              /* both bits: not executable */
#define PTE_NO_EXEC             3
#define PTE_OUTPUT_MASK         MAKE_64BIT_MASK(PAGE_BITS, 36)

/* An attribute byte with these bits makes each access fault. */
#define MEMATTR_FAULT           0xc0

/* Only RAM: the GPU shall never reach a device, itself included. */
static bool is_ram(hwaddr pa, hwaddr size, bool is_write)
{
    hwaddr xlat, len = size;
    MemoryRegion *mr;

    RCU_READ_LOCK_GUARD();
    mr = address_space_translate(&address_space_memory, pa, &xlat, &len,
                                 is_write, MEMTXATTRS_UNSPECIFIED);
    return len >= size && vmali_access_is_direct(mr, is_write);
}

static bool load_pte(hwaddr pa, uint64_t *pte)
{
    if (!is_ram(pa, sizeof(*pte), false)) {
        return false;
    }
    *pte = address_space_ldq_le(&address_space_memory, pa,
                                MEMTXATTRS_UNSPECIFIED, NULL);
    return true;
}

static VMaliWalk walk_4k(const VMaliAs *as, uint64_t va)
{
    unsigned va_bits = 55 - FIELD_EX64(as->active_transcfg, AS_TRANSCFG,
                                       INA_BITS);
    hwaddr table = as->active_transtab & PTE_OUTPUT_MASK;
    VMaliWalk w = { 0 };
    unsigned level;

    if (va >> MIN(va_bits, VMALI_VA_BITS)) {
        w.fault = AS_FAULT_ADDRESS_SIZE_IN;
        return w;
    }
    for (level = 0; level <= LAST_LEVEL; level++) {
        unsigned shift = PAGE_BITS + LEVEL_BITS * (LAST_LEVEL - level);
        unsigned slot = extract64(va, shift, LEVEL_BITS);
        unsigned type, attr;
        uint64_t pte;

        if (!load_pte(table + 8 * slot, &pte)) {
            qemu_log_mask(LOG_GUEST_ERROR, "vmali: level %u table at 0x%"
                          HWADDR_PRIx " is not in RAM\n", level, table);
            w.fault = AS_FAULT_TRANSLATION + level;
            return w;
        }
        type = FIELD_EX64(pte, PTE, TYPE);
        if (type == PTE_TYPE_TABLE && level < LAST_LEVEL) {
            table = pte & PTE_OUTPUT_MASK;
            continue;
        }
        if (type != (level == LAST_LEVEL ? PTE_TYPE_TABLE : PTE_TYPE_BLOCK) ||
            level == 0) {
            w.fault = AS_FAULT_TRANSLATION + level;
            return w;
        }

        w.pa = pte & PTE_OUTPUT_MASK & MAKE_64BIT_MASK(shift, 64 - shift);
        w.pa += va & MAKE_64BIT_MASK(0, shift);
        w.left = (1ull << shift) - (va & MAKE_64BIT_MASK(0, shift));
        w.level = level;
        w.read_only = FIELD_EX64(pte, PTE, READ_ONLY);
        w.no_exec = FIELD_EX64(pte, PTE, NO_EXEC) == PTE_NO_EXEC;
        attr = FIELD_EX64(pte, PTE, ATTR_INDEX);
        if (w.pa >> VMALI_PA_BITS) {
            w.fault = AS_FAULT_ADDRESS_SIZE_OUT + level;
        } else if (!FIELD_EX64(pte, PTE, ACCESS_FLAG)) {
            w.fault = AS_FAULT_ACCESS_FLAG + level;
        } else if ((extract64(as->active_memattr, 8 * attr, 8) &
                    MEMATTR_FAULT) == MEMATTR_FAULT) {
            w.fault = AS_FAULT_MEMORY_ATTRIBUTE + level;
        }
        return w;
    }
    g_assert_not_reached();
}

/* What the tables say; @kept: what the MMU has kept of them goes first. */
static VMaliWalk translate(VMaliState *s, unsigned nr, uint64_t va,
                           unsigned access, bool kept)
{
    const VMaliAs *as = &s->as[nr];
    VMaliWalk w = { 0 };

    switch (FIELD_EX64(as->active_transcfg, AS_TRANSCFG, MODE)) {
    case AS_MODE_AARCH64_4K:
        w = walk_4k(as, va);
        if (kept) {
            vmali_tlb_translate(s, nr, va, &w);
        }
        break;
    case AS_MODE_IDENTITY:
        w.pa = va;
        w.left = (1ull << VMALI_PA_BITS) - va;
        if (va >> VMALI_PA_BITS) {
            w.fault = AS_FAULT_ADDRESS_SIZE_OUT;
        }
        break;
    default:
        w.fault = AS_FAULT_TRANSLATION;
    }
    if (!w.fault && ((access == AS_ACCESS_WRITE && w.read_only) ||
                     (access == AS_ACCESS_EXECUTE && w.no_exec))) {
        w.fault = AS_FAULT_PERMISSION + w.level;
    }
    return w;
}

/* Nothing goes through after a fault until the host clears its interrupt. */
static bool is_faulted(const VMaliState *s, unsigned nr)
{
    return s->irq[VMALI_IRQ_MMU].rawstat & (1u << nr);
}

static void report_fault(VMaliState *s, unsigned nr, uint64_t va,
                         uint32_t type, unsigned access)
{
    VMaliAs *as = &s->as[nr];
    uint32_t status = 0;

    status = FIELD_DP32(status, AS_FAULTSTATUS, TYPE, type);
    status = FIELD_DP32(status, AS_FAULTSTATUS, ACCESS, access);
    trace_vmali_as_fault(nr, va, status);
    as->fault_status = status;
    as->fault_address = va;
    as->broken = true;
    vmali_irq_raise(s, VMALI_IRQ_MMU, 1u << nr);
}

void vmali_as_fault(VMaliState *s, unsigned as, uint64_t va)
{
    report_fault(s, as, va, AS_FAULT_TRANSLATION + 3, AS_ACCESS_WRITE);
}

static void report_bus_error(VMaliState *s, hwaddr pa, unsigned access)
{
    uint32_t status = 0;

    status = FIELD_DP32(status, GPU_FAULTSTATUS, TYPE, GPU_FAULT_BUS);
    status = FIELD_DP32(status, GPU_FAULTSTATUS, ACCESS, access);
    status = FIELD_DP32(status, GPU_FAULTSTATUS, ADDRESS_VALID, 1);
    qemu_log_mask(LOG_GUEST_ERROR, "vmali: 0x%" HWADDR_PRIx " is not RAM\n",
                  pa);
    s->gpu_fault_status = status;
    s->gpu_fault_address = pa;
    vmali_irq_raise(s, VMALI_IRQ_GPU, R_GPU_IRQ_GPU_FAULT_MASK);
}

bool vmali_as_probe(VMaliState *s, unsigned as, uint64_t va, uint64_t size)
{
    if (as >= VMALI_NUM_AS || is_faulted(s, as)) {
        return false;
    }
    while (size) {
        VMaliWalk w = translate(s, as, va, AS_ACCESS_WRITE, false);
        uint64_t n = MIN(w.left, size);

        if (w.fault || !is_ram(w.pa, n, true)) {
            return false;
        }
        va += n;
        size -= n;
    }
    return true;
}

/* Translate @size bytes that do not cross a page, and report what is wrong. */
static bool resolve(VMaliState *s, unsigned as, uint64_t va, uint64_t size,
                    unsigned access, hwaddr *pa)
{
    VMaliWalk w;

    if (as >= VMALI_NUM_AS || is_faulted(s, as)) {
        return false;
    }
    w = translate(s, as, va, access, true);
    if (w.fault) {
        report_fault(s, as, va, w.fault, access);
        return false;
    }
    if (w.left < size || !is_ram(w.pa, size, access == AS_ACCESS_WRITE)) {
        report_bus_error(s, w.pa, access);
        return false;
    }
    *pa = w.pa;
    return true;
}

static unsigned access_of(bool is_write)
{
    return is_write ? AS_ACCESS_WRITE : AS_ACCESS_READ;
}

bool vmali_as_translate(VMaliState *s, unsigned as, uint64_t va, unsigned size,
                        bool is_write, hwaddr *pa)
{
    return resolve(s, as, va, size, access_of(is_write), pa);
}

bool vmali_as_can_execute(VMaliState *s, unsigned as, uint64_t va)
{
    hwaddr pa;

    return resolve(s, as, va, 1, AS_ACCESS_EXECUTE, &pa);
}

bool vmali_as_rw(VMaliState *s, unsigned as, uint64_t va, void *buf,
                 size_t size, bool is_write)
{
    while (size) {
        size_t page_left = (1u << PAGE_BITS) - extract64(va, 0, PAGE_BITS);
        size_t n = MIN(size, page_left);
        hwaddr pa;

        if (!resolve(s, as, va, n, access_of(is_write), &pa) ||
            address_space_rw(&address_space_memory, pa, MEMTXATTRS_UNSPECIFIED,
                             buf, n, is_write) != MEMTX_OK) {
            return false;
        }
        va += n;
        buf += n;
        size -= n;
    }
    return true;
}

bool vmali_as_read32(VMaliState *s, unsigned as, uint64_t va, uint32_t *value)
{
    hwaddr pa;

    *value = 0;
    if (!resolve(s, as, va, sizeof(*value), AS_ACCESS_READ, &pa)) {
        return false;
    }
    *value = address_space_ldl_le(&address_space_memory, pa,
                                  MEMTXATTRS_UNSPECIFIED, NULL);
    return true;
}

bool vmali_as_write32(VMaliState *s, unsigned as, uint64_t va, uint32_t value)
{
    hwaddr pa;

    if (!resolve(s, as, va, sizeof(value), AS_ACCESS_WRITE, &pa)) {
        return false;
    }
    address_space_stl_le(&address_space_memory, pa, value,
                         MEMTXATTRS_UNSPECIFIED, NULL);
    return true;
}

/* ---- Registers ---- */

/* The pair that @reg belongs to, or NULL. */
static uint64_t *pair(VMaliAs *as, hwaddr reg)
{
    switch (reg & ~4) {
    case AS_TRANSTAB:
        return &as->transtab;
    case AS_MEMATTR:
        return &as->memattr;
    case AS_LOCKADDR:
        return &as->lockaddr;
    case AS_TRANSCFG:
        return &as->transcfg;
    default:
        return NULL;
    }
}

uint32_t vmali_mmu_read(VMaliState *s, hwaddr offset)
{
    unsigned nr = (offset - AS_BASE) / AS_STRIDE;
    hwaddr reg = (offset - AS_BASE) % AS_STRIDE;
    uint64_t *p;
    VMaliAs *as;

    if (nr >= VMALI_NUM_AS) {
        vmali_unimplemented(s, "read 0x%" HWADDR_PRIx, offset);
        return 0;
    }
    as = &s->as[nr];
    p = pair(as, reg);
    if (p) {
        return reg & 4 ? *p >> 32 : *p;
    }
    switch (reg) {
    case AS_FAULTSTATUS:
        return as->fault_status;
    case AS_FAULTADDRESS:
        return as->fault_address;
    case AS_FAULTADDRESS + 4:
        return as->fault_address >> 32;
    case AS_STATUS:
        /* Commands complete in the write. */
    case AS_COMMAND:
    case AS_FAULTEXTRA:
    case AS_FAULTEXTRA + 4:
        return 0;
    default:
        vmali_unimplemented(s, "read 0x%" HWADDR_PRIx, offset);
        return 0;
    }
}

/* The region that LOCKADDR names, which a lock command takes from it. */
static void take_region(VMaliState *s, unsigned nr)
{
    VMaliAs *as = &s->as[nr];
    unsigned bits = FIELD_EX64(as->lockaddr, AS_LOCKADDR, SIZE) + 1;

    as->lock_first = bits < 64 ? as->lockaddr & MAKE_64BIT_MASK(bits, 64 - bits)
                               : 0;
    as->lock_last = bits < 64 ? as->lock_first | MAKE_64BIT_MASK(0, bits)
                              : UINT64_MAX;
}

static void as_command(VMaliState *s, unsigned nr, uint32_t command)
{
    VMaliAs *as = &s->as[nr];
    unsigned mode;

    trace_vmali_as_command(nr, command);
    switch (command) {
    case AS_COMMAND_NOP:
        break;
    case AS_COMMAND_LOCK:
        take_region(s, nr);
        if (FIELD_EX64(as->lockaddr, AS_LOCKADDR, SIZE) + 1 <
            AS_LOCK_MIN_BITS) {
            vmali_violation(s, "address space %u: lock of a region of 2^%u "
                            "bytes, the smallest has 2^%u", nr,
                            (unsigned)FIELD_EX64(as->lockaddr, AS_LOCKADDR,
                                                 SIZE) + 1, AS_LOCK_MIN_BITS);
        }
        as->locked = true;
        break;
    case AS_COMMAND_UNLOCK:
    case AS_COMMAND_FLUSH_PT:
    case AS_COMMAND_FLUSH_MEM:
        if (!as->locked) {
            take_region(s, nr);
        }
        vmali_tlb_invalidate(as, as->lock_first, as->lock_last);
        /* Streams wait for the end of the lock. */
        as->locked = false;
        vmali_cs_later(s);
        break;
    case AS_COMMAND_UPDATE:
        vmali_tlb_invalidate(as, 0, UINT64_MAX);
        as->active_transtab = as->transtab;
        as->active_memattr = as->memattr;
        as->active_transcfg = as->transcfg;
        mode = FIELD_EX64(as->active_transcfg, AS_TRANSCFG, MODE);
        if (mode != AS_MODE_UNMAPPED) {
            as->broken = false;
        } else if (nr == s->prfcnt.cfg.as) {
            vmali_cache_drop(s);
        }
        as->locked = false;
        vmali_cs_later(s);
        if (mode != AS_MODE_UNMAPPED && mode != AS_MODE_IDENTITY &&
            mode != AS_MODE_AARCH64_4K) {
            vmali_unimplemented(s, "write 0x%x (address space mode %u)",
                                AS_BASE + nr * AS_STRIDE + AS_TRANSCFG, mode);
        }
        break;
    default:
        vmali_violation(s, "address space %u: no command %u", nr, command);
    }
}

void vmali_mmu_write(VMaliState *s, hwaddr offset, uint32_t value)
{
    unsigned nr = (offset - AS_BASE) / AS_STRIDE;
    hwaddr reg = (offset - AS_BASE) % AS_STRIDE;
    uint64_t *p;

    if (nr >= VMALI_NUM_AS) {
        vmali_unimplemented(s, "write 0x%" HWADDR_PRIx, offset);
        return;
    }
    p = pair(&s->as[nr], reg);
    if (p) {
        *p = deposit64(*p, reg & 4 ? 32 : 0, 32, value);
    } else if (reg == AS_COMMAND) {
        as_command(s, nr, value);
    } else {
        vmali_violation(s, "write to read-only register 0x%" HWADDR_PRIx,
                        offset);
    }
}

void vmali_mmu_reset(VMaliState *s)
{
    unsigned i;

    vmali_cache_drop(s);
    memset(s->as, 0, sizeof(s->as));
    for (i = 0; i < VMALI_NUM_AS; i++) {
        s->as[i].transcfg = AS_MODE_UNMAPPED;
        s->as[i].active_transcfg = AS_MODE_UNMAPPED;
    }
}
