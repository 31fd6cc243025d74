/*
 * Virtual Arm Mali CSF GPU: the counter ring, and what the host does to it
 *
 * An entry is a row of blocks without padding:
 *
 *   [metadata] [firmware [group 0 ...]] front end, tiler, L2 slice 0 ...,
 *   shader slot 0 ... up to the highest core that exists,
 *   [neural slot 0 ..., as many as shader slots]
 *
 * A slot without a core is a hole, or is left out (packed-slots).  The slot of
 * a core without an accelerator is always a hole.
 * Holes and all words that were not written since the counters were enabled
 * hold a poison value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali_internal.h"
#include "vmali_prfcnt.h"

#define RING_ALIGNMENT          2048
#define RING_PAGE_SIZE          4096

/* A block without header and first counters cannot be recognised. */
#define ENABLE_MINIMUM          (ENABLE_HEADER | ENABLE_COUNTERS)

static const struct {
    const char *name;
    uint32_t offset;
} enable_reg[VMALI_NUM_BLOCK_TYPES] = {
    [VMALI_BLOCK_FW] = { "FW_EN", GLB_PRFCNT_FW_EN },
    [VMALI_BLOCK_CSG] = { "CSG_EN", GLB_PRFCNT_CSG_EN },
    [VMALI_BLOCK_CSHW] = { "CSF_EN", GLB_PRFCNT_CSHW_EN },
    [VMALI_BLOCK_TILER] = { "TILER_EN", GLB_PRFCNT_TILER_EN },
    [VMALI_BLOCK_MEMSYS] = { "MMU_L2_EN", GLB_PRFCNT_MEMSYS_EN },
    [VMALI_BLOCK_SHADER] = { "SHADER_EN", GLB_PRFCNT_SHADER_EN },
    [VMALI_BLOCK_NEURAL] = { "NEURAL_EN", GLB_PRFCNT_NEURAL_EN },
};

/* ---- Layout ---- */

uint32_t vmali_ring_block_size(const VMaliState *s)
{
    return s->block_words * sizeof(uint32_t);
}

/* Instances of a type in an entry, holes included. */
static uint32_t block_count(const VMaliState *s, VMaliBlockType type,
                            uint32_t config)
{
    switch (type) {
    case VMALI_BLOCK_METADATA:
        return s->prop.metadata &&
               FIELD_EX32(config, PRFCNT_CONFIG, METADATA_ENABLE);
    case VMALI_BLOCK_FW:
        return s->prop.fw_counters;
    case VMALI_BLOCK_CSG:
        return s->prop.csg_counters ? s->prop.groups : 0;
    case VMALI_BLOCK_CSHW:
    case VMALI_BLOCK_TILER:
        return 1;
    case VMALI_BLOCK_MEMSYS:
        return s->prop.l2_slices;
    case VMALI_BLOCK_NEURAL:
        if (!s->prop.neural_present) {
            return 0;
        }
        /* fall through */
    case VMALI_BLOCK_SHADER:
        return s->prop.packed_slots ? ctpop64(s->prop.shader_present) :
                                      64 - clz64(s->prop.shader_present);
    default:
        g_assert_not_reached();
    }
}

uint32_t vmali_ring_blocks(const VMaliState *s, uint32_t config)
{
    uint32_t sum = 0;
    unsigned type;

    for (type = 0; type < VMALI_NUM_BLOCK_TYPES; type++) {
        sum += block_count(s, type, config);
    }
    return sum;
}

static bool is_of_core(VMaliBlockType type)
{
    return type == VMALI_BLOCK_SHADER || type == VMALI_BLOCK_NEURAL;
}

static bool is_hole(const VMaliState *s, VMaliBlockType type, uint32_t index)
{
    uint64_t present = type == VMALI_BLOCK_SHADER ? s->prop.shader_present :
                                                    s->prop.neural_present;

    return is_of_core(type) && !extract64(present, index, 1);
}

bool vmali_prfcnt_has_block(const VMaliState *s, VMaliBlockType type,
                            uint32_t index)
{
    return is_of_core(type) ?
           index < 64 && !is_hole(s, type, index) :
           index < block_count(s, type, 0);
}

/* The core that a packed slot belongs to. */
static uint32_t core_of_slot(const VMaliState *s, uint32_t slot)
{
    uint64_t cores = s->prop.shader_present;

    while (slot--) {
        cores &= cores - 1;
    }
    return ctz64(cores);
}

/* What is at place @n of an entry? */
VMaliBlock vmali_ring_block_at(const VMaliState *s, uint32_t n)
{
    uint32_t config = s->prfcnt.cfg.config;
    VMaliBlock b = { .index = n };

    while (b.index >= block_count(s, b.type, config)) {
        b.index -= block_count(s, b.type, config);
        b.type++;
    }
    if (is_of_core(b.type) && s->prop.packed_slots) {
        b.index = core_of_slot(s, b.index);
    }
    b.hole = is_hole(s, b.type, b.index);
    return b;
}

uint64_t vmali_ring_va(const VMaliState *s, uint32_t raw_index, uint32_t n)
{
    const VMaliPrfcnt *p = &s->prfcnt;

    return p->cfg.base + (uint64_t)(raw_index % p->entries) * p->entry_size +
           n * vmali_ring_block_size(s);
}

bool vmali_ring_rw(VMaliState *s, uint64_t va, void *buf, size_t size,
                   bool is_write)
{
    while (size) {
        size_t n = MIN(size, RING_PAGE_SIZE - va % RING_PAGE_SIZE);
        hwaddr pa;

        if (!vmali_as_translate(s, s->prfcnt.cfg.as, va, n, is_write, &pa)) {
            return false;
        }
        vmali_cache_rw(s, pa, buf, n, is_write);
        va += n;
        buf += n;
        size -= n;
    }
    return true;
}

void vmali_ring_cache(VMaliState *s)
{
    const VMaliPrfcnt *p = &s->prfcnt;
    uint64_t va, end = vmali_ring_va(s, p->entries - 1, 0) + p->entry_size;
    hwaddr pa;

    for (va = QEMU_ALIGN_DOWN(p->cfg.base, RING_PAGE_SIZE); va < end;
         va += RING_PAGE_SIZE) {
        if (vmali_as_translate(s, p->cfg.as, va, 1, true, &pa)) {
            vmali_cache_add(s, pa);
        }
    }
    vmali_cache_added(s);
}

uint32_t vmali_prfcnt_size_word(const VMaliState *s)
{
    uint32_t fw, all;

    if (s->prop.prfcnt_size != UINT32_MAX) {
        return s->prop.prfcnt_size;
    }
    fw = block_count(s, VMALI_BLOCK_FW, 0) +
         block_count(s, VMALI_BLOCK_CSG, 0);
    all = vmali_ring_blocks(s, 0);
    return (fw * vmali_ring_block_size(s) >> 8) << 16 |
           (all - fw) * vmali_ring_block_size(s) >> 8;
}

uint32_t vmali_prfcnt_features_word(const VMaliState *s)
{
    return s->prop.metadata ? vmali_ring_block_size(s) >> 8 : 0;
}

/* ---- Checks of the host ---- */

VMaliPrfcntConfig vmali_ring_read_config(VMaliState *s)
{
    const uint32_t in = IFACE_GLB_INPUT;
    VMaliPrfcntConfig c = {
        .as = vmali_iface_read(s, in + GLB_PRFCNT_JASID) & 0xf,
        .base = vmali_iface_read64(s, in + GLB_PRFCNT_BASE),
        .config = vmali_iface_read(s, in + GLB_PRFCNT_CONFIG),
        .csg_select = vmali_iface_read(s, in + GLB_PRFCNT_CSG_SELECT),
    };
    unsigned type;

    for (type = VMALI_BLOCK_FW; type < VMALI_NUM_BLOCK_TYPES; type++) {
        c.enable[type] = vmali_iface_read(s, in + enable_reg[type].offset);
    }
    return c;
}

static void check_word(VMaliState *s, const char *name, uint64_t *seen,
                       uint64_t now)
{
    if (*seen != now) {
        vmali_violation(s, "%s changed from 0x%" PRIx64 " to 0x%" PRIx64
                        " while counters were enabled", name, *seen, now);
        *seen = now;
    }
}

static void check_word32(VMaliState *s, const char *name, uint32_t *seen,
                         uint32_t now)
{
    uint64_t wide = *seen;

    check_word(s, name, &wide, now);
    *seen = wide;
}

/* The configuration that counts is the one of the enable. */
void vmali_ring_check_unchanged(VMaliState *s)
{
    VMaliPrfcntConfig now = vmali_ring_read_config(s);
    VMaliPrfcntConfig *seen = &s->prfcnt.seen;
    unsigned type;

    check_word32(s, "JASID", &seen->as, now.as);
    check_word(s, "BASE", &seen->base, now.base);
    check_word32(s, "CONFIG", &seen->config, now.config);
    check_word32(s, "CSG_SELECT", &seen->csg_select, now.csg_select);
    for (type = VMALI_BLOCK_FW; type < VMALI_NUM_BLOCK_TYPES; type++) {
        check_word32(s, enable_reg[type].name, &seen->enable[type],
                     now.enable[type]);
    }
}

/* Has the host cleared what tells a written block from a stale one? */
void vmali_ring_check_cleared(VMaliState *s, uint32_t raw_index,
                              const char *when)
{
    const VMaliPrfcnt *p = &s->prfcnt;
    uint32_t n, count = p->entry_size / vmali_ring_block_size(s);

    for (n = 0; n < count; n++) {
        VMaliBlock b = vmali_ring_block_at(s, n);
        uint32_t value;

        if (b.hole) {
            continue;
        }
        if (!vmali_ring_rw(s, vmali_ring_va(s, raw_index, n) +
                           WORD_PRFCNT_EN * sizeof(value), &value,
                           sizeof(value), false)) {
            return;
        }
        value = le32_to_cpu(value);
        if (value) {
            vmali_violation(s, "%s: entry %u has 0x%x in PRFCNT_EN of %s %u",
                            when, raw_index % p->entries, value,
                            vmali_block_name[b.type], b.index);
            return;
        }
    }
}

/* Take over the host's index if it is possible, and look behind it. */
void vmali_ring_look_at_extract(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t now = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_PRFCNT_EXTRACT);

    if (now == p->extract_seen) {
        return;
    }
    p->extract_seen = now;
    if (now - p->extract > p->insert - p->extract) {
        vmali_violation(s, "EXTRACT %u is %s (INSERT %u, EXTRACT was %u)",
                        now, (int32_t)(now - p->insert) > 0 ?
                        "beyond INSERT" : "backwards", p->insert, p->extract);
        return;
    }
    while (p->extract != now) {
        vmali_ring_check_cleared(s, p->extract, "EXTRACT moved past");
        p->extract++;
    }
}

/* Can counters be enabled with this configuration? */
bool vmali_ring_check_config(VMaliState *s, const VMaliPrfcntConfig *c)
{
    uint32_t entries = FIELD_EX32(c->config, PRFCNT_CONFIG, SIZE);
    uint64_t bytes;
    unsigned type;

    for (type = VMALI_BLOCK_FW; type < VMALI_NUM_BLOCK_TYPES; type++) {
        if (block_count(s, type, c->config) &&
            (c->enable[type] & ENABLE_MINIMUM) != ENABLE_MINIMUM) {
            vmali_violation(s, "enable: %s 0x%x lacks bits 0 and 1",
                            enable_reg[type].name, c->enable[type]);
        }
    }
    if (FIELD_EX32(c->config, PRFCNT_CONFIG, SET_SELECT) > 2) {
        vmali_violation(s, "enable: counter set 3 does not exist");
    }
    if (FIELD_EX32(c->config, PRFCNT_CONFIG, RESERVED)) {
        vmali_violation(s, "enable: CONFIG 0x%x has reserved bits", c->config);
    }
    if (!is_power_of_2(entries)) {
        vmali_violation(s, "enable: %u entries are not a power of two",
                        entries);
        return false;
    }
    if (c->base % RING_ALIGNMENT) {
        vmali_violation(s, "enable: BASE 0x%" PRIx64 " is not a multiple of "
                        "%u", c->base, RING_ALIGNMENT);
        return false;
    }
    bytes = (uint64_t)entries * vmali_ring_blocks(s, c->config) *
            vmali_ring_block_size(s);
    if (!vmali_as_probe(s, c->as, c->base, bytes)) {
        vmali_violation(s, "enable: address space %u cannot be written from "
                        "0x%" PRIx64 " for 0x%" PRIx64 " bytes", c->as,
                        c->base, bytes);
        return false;
    }
    return true;
}
