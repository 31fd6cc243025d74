/*
 * QTest of the virtual Arm Mali CSF GPU: memory and registers of random
 * machines
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-random.h"

#define PAGE                    4096ull
#define NUM_AS                  8
#define AS_FIRST                0x2400
#define AS_LAST                 0x27ff
#define OUTPUT_MASK             0x0000fffffffff000ull
#define MODE_UNMAPPED           1
#define MODE_IDENTITY           2
/* Milliseconds: the CPU is a thread of a host that may be a busy one. */
#define MAINTAIN_TRIES          20000

/*
 * Folders of page tables, by level: no table is ever read at two levels, so
 * that none is a page that a GPU can write, unless a loop is wanted.
 */
static const struct {
    uint64_t offset;
    unsigned pages;
} folder[4] = {
    { 0x00000, 16 }, { 0x10000, 16 }, { 0x20000, 32 }, { 0x40000, 64 },
};

/* Registers; a pair counts twice. 0x1000 and up are not the GPU's alone. */
static const uint32_t known[] = {
    0x000, 0x004, 0x008, 0x00c, 0x010, 0x014, 0x018, 0x01c, 0x020, 0x024,
    0x028, 0x02c, 0x030, 0x030, 0x030, 0x034, 0x03c, 0x040, 0x044, 0x048,
    0x050, 0x054, 0x058, 0x060, 0x064, 0x068, 0x088, 0x08c, 0x090, 0x094,
    0x098, 0x09c, 0x0a0, 0x0a4, 0x0a8, 0x0ac, 0x0b0, 0x0bc, 0x100, 0x104,
    0x110, 0x120, 0x140, 0x150, 0x160, 0x180, 0x184, 0x190, 0x1a0, 0x1c0,
    0x1c4, 0x1d0, 0x1e0, 0x200, 0x220, 0x240, 0x280, 0x300, 0x304, 0x700,
    0x700, 0x704, 0x800, 0x804, 0x808, 0x80c, 0x820, 0x824, 0x828, 0x828,
    0x830, 0x834, 0x900, 0x908, 0x940, 0x948, 0xa00, 0xa08, 0xa0c, 0xa40,
    0xa48, 0xb80, 0xe00, 0xf00, 0x1000, 0x1004, 0x1008, 0x100c, 0x2000,
    0x2004, 0x2008, 0x200c, 0x2400, 0x2404, 0x2408, 0x2410, 0x2418, 0x241c,
    0x2420, 0x2428, 0x2430, 0x2434, 0x2438, 0x2458, 0x2498, 0x2600, 0x10000,
    0x40000, 0x80000, 0x90000, 0x1f0000, 0x1f0004, 0x1f0008, 0x1ffffc,
};

/* ---- Memory ---- */

void *ram(Machine *m, uint64_t pa)
{
    g_assert_cmphex(pa - RAM_PA, <, RAM_BYTES);
    return m->ram + (pa - RAM_PA);
}

uint32_t word(Machine *m, uint64_t pa)
{
    uint32_t value = ldl_le_p(ram(m, pa));

    m->shared->digest = m->shared->digest * 31 + value;
    return value;
}

void set_word(Machine *m, uint64_t pa, uint32_t value)
{
    stl_le_p(ram(m, pa), value);
}

void set_long(Machine *m, uint64_t pa, uint64_t value)
{
    stq_le_p(ram(m, pa), value);
}

/* ---- Registers ---- */

uint32_t reg(Machine *m, Unit *u, uint32_t offset)
{
    uint32_t value = rd(u->g, offset);

    m->shared->ops++;
    m->shared->digest = m->shared->digest * 31 + value;
    return value;
}

void set_reg(Machine *m, Unit *u, uint32_t offset, uint32_t value)
{
    m->shared->ops++;
    switch (offset) {
    case JOB_IRQ + RAWSTAT:
        u->raised[RAISED_JOB] |= value;
        break;
    case MMU_IRQ + RAWSTAT:
        u->raised[RAISED_MMU] |= value;
        break;
    case GPU_IRQ + RAWSTAT:
        u->raised[RAISED_GPU] |= value;
        break;
    case PWR_IRQ + RAWSTAT:
        u->raised[RAISED_PWR] |= value;
        break;
    }
    wr(u->g, offset, value);
}

void doorbell(Machine *m, Unit *u, unsigned page)
{
    note(m, "gpu%u doorbell %u", u->g->nr, page);
    set_reg(m, u, DOORBELL(page), 1);
}

/* Could this make a closed machine an open one? */
static bool opens(Machine *m, uint64_t offset, unsigned size)
{
    return m->closed && offset + size > AS_FIRST && offset <= AS_LAST;
}

/* An access of any size at any place, which need not be there */
static void any_access(Machine *m, Unit *u)
{
    QTestState *qts = u->g->qts;
    uint64_t offset = chance(m, 50) ? pick(m, known) + below(m, 8) :
                                      below(m, MMIO_SIZE - 8);
    unsigned size = 1u << below(m, 4);
    uint64_t value = interesting(m), got = 0;
    uint64_t at = u->g->mmio + offset;
    unsigned i;

    m->shared->ops++;
    if (chance(m, 50) || opens(m, offset, size)) {
        note(m, "gpu%u read %u bytes at 0x%" PRIx64, u->g->nr, size, offset);
        got = size == 1 ? qtest_readb(qts, at) :
              size == 2 ? qtest_readw(qts, at) :
              size == 4 ? qtest_readl(qts, at) : qtest_readq(qts, at);
        m->shared->digest = m->shared->digest * 31 + got;
        return;
    }
    note(m, "gpu%u write %u bytes at 0x%" PRIx64 ": 0x%" PRIx64, u->g->nr,
         size, offset, value);
    for (i = 0; i < ARRAY_SIZE(u->raised); i++) {
        static const uint32_t base[] = { JOB_IRQ, MMU_IRQ, GPU_IRQ, PWR_IRQ };

        if (offset < base[i] + 4 && offset + size > base[i]) {
            u->raised[i] = ~0;
        }
    }
    switch (size) {
    case 1:
        qtest_writeb(qts, at, value);
        break;
    case 2:
        qtest_writew(qts, at, value);
        break;
    case 4:
        qtest_writel(qts, at, value);
        break;
    default:
        qtest_writeq(qts, at, value);
    }
}

void act_register(Machine *m, Unit *u)
{
    uint32_t offset = pick(m, known), value = interesting(m);

    if (chance(m, 30)) {
        any_access(m, u);
    } else if (chance(m, 50) || opens(m, offset, 4)) {
        note(m, "gpu%u read 0x%x", u->g->nr, offset);
        reg(m, u, offset);
    } else {
        note(m, "gpu%u write 0x%x: 0x%x", u->g->nr, offset, value);
        set_reg(m, u, offset, value);
    }
}

void act_irq(Machine *m, Unit *u)
{
    static const uint32_t base[] = { JOB_IRQ, MMU_IRQ, GPU_IRQ };
    static const uint32_t what[] = { CLEAR, CLEAR, CLEAR, MASK, RAWSTAT };
    uint32_t offset = pick(m, base) + pick(m, what);
    uint32_t value = chance(m, 60) ? ~0u : interesting(m);

    note(m, "gpu%u write 0x%x: 0x%x", u->g->nr, offset, value);
    set_reg(m, u, offset, value);
}

void power_init(Machine *m, Unit *u)
{
    if (u->arch < 14) {
        set_reg(m, u, L2_PWRON, 1);
        return;
    }
    set_reg(m, u, PWR_CMDARG, 1);
    set_reg(m, u, PWR_CMDARG + 4, 0);
    set_reg(m, u, PWR_COMMAND, PWR_UP | PWR_L2 << 8);
    set_reg(m, u, PWR_COMMAND, PWR_DELEGATE | PWR_TILER << 8);
    set_reg(m, u, PWR_COMMAND, PWR_DELEGATE | PWR_SHADER << 8);
}

/* Power on or off, resets, and other commands */
void act_power(Machine *m, Unit *u)
{
    static const uint32_t commands[] = {
        0x001, 0x101, 0x201, 0x301, 0x003, 0x103, 0x23304, 0x007, 0x008,
    };
    static const uint32_t codes[] = {
        PWR_UP, PWR_DOWN, PWR_DELEGATE, PWR_RETRACT, PWR_SOFT_RESET,
        PWR_FAST_RESET, PWR_INSPECT, 0x77,
    };
    static const uint32_t domains[] = { PWR_L2, PWR_TILER, PWR_SHADER, 9, 77 };
    static const uint32_t bases[] = { 0x180, 0x190, 0x1a0, 0x1c0, 0x1d0,
                                      0x1e0 };
    uint32_t offset = pick(m, bases), value = interesting(m);

    if (chance(m, 40)) {
        offset = GPU_COMMAND;
        value = pick(m, commands);
    } else if (u->arch >= 14) {
        offset = PWR_COMMAND;
        value = pick(m, codes) | pick(m, domains) << 8;
        set_reg(m, u, PWR_CMDARG, interesting(m));
    }
    note(m, "gpu%u write 0x%x: 0x%x", u->g->nr, offset, value);
    set_reg(m, u, offset, value);
}

/* ---- Page tables ---- */

static uint64_t table(Unit *u, unsigned level, unsigned page)
{
    return u->window + folder[level].offset + page * PAGE;
}

static void set_pte(Machine *m, Unit *u, uint64_t pa, uint64_t pte)
{
    set_long(m, pa, pte);
    if (m->tables) {
        stq_le_p(m->tables + u->g->nr * TABLES_SIZE + (pa - u->window), pte);
    }
}

static uint64_t slot(uint64_t va, unsigned level)
{
    return 8 * (va >> (39 - 9 * level) & 0x1ff);
}

/* Each address space has a root, and tables for its first 5 GiB. */
static void map(Machine *m, Unit *u, unsigned as, uint64_t va, unsigned level,
                uint64_t pte)
{
    unsigned second = 2 * as + (va >= V_BOX);

    set_pte(m, u, table(u, 0, as) + slot(va, 0), table(u, 1, as) | PTE_TABLE);
    set_pte(m, u, table(u, 1, as) + slot(va, 1),
            table(u, 2, second) | PTE_TABLE);
    if (level == 2) {
        set_pte(m, u, table(u, 2, second) + slot(va, 2), pte);
        return;
    }
    set_pte(m, u, table(u, 2, second) + slot(va, 2),
            table(u, 3, as) | PTE_TABLE);
    set_pte(m, u, table(u, 3, as) + slot(va, 3), pte);
}

void tables_init(Machine *m, Unit *u)
{
    const uint64_t block = PTE_BLOCK | PTE_AF;
    uint64_t w = u->window, off;
    unsigned as;

    memset(ram(m, w), 0, TABLES_SIZE);
    if (m->tables) {
        memset(m->tables + u->g->nr * TABLES_SIZE, 0, TABLES_SIZE);
    }
    for (off = 0; off < SHARED_SIZE; off += PAGE) {
        map(m, u, 0, V_SHARED + off, 3,
            (w + OFF_SHARED + off) | PTE_PAGE | PTE_AF);
    }
    for (off = 0; off < 0x400000; off += 0x200000) {
        map(m, u, 0, V_RING + off, 2, (w + OFF_RING + off) | block);
        map(m, u, 0, V_PAGES + off, 2, (w + OFF_PAGES + off) | block);
    }
    map(m, u, 0, V_SUSPEND, 2, (w + OFF_SUSPEND) | block);
    for (as = 0; as < NUM_AS; as++) {
        map(m, u, as, V_BOX, 2, (w + OFF_BOX) | block);
    }
}

static void set_reg64(Machine *m, Unit *u, uint32_t offset, uint64_t value)
{
    set_reg(m, u, offset, value);
    set_reg(m, u, offset + 4, value >> 32);
}

static void as_set(Machine *m, Unit *u, unsigned as, uint64_t root,
                   uint64_t transcfg, uint64_t memattr)
{
    set_reg64(m, u, AS_REG(as, TRANSTAB), root);
    set_reg64(m, u, AS_REG(as, MEMATTR), memattr);
    set_reg64(m, u, AS_REG(as, TRANSCFG), transcfg);
    set_reg(m, u, AS_REG(as, COMMAND), 1);
}

void as_init(Machine *m, Unit *u)
{
    unsigned as;

    for (as = 0; as < NUM_AS; as++) {
        as_set(m, u, as, table(u, 0, as), TRANSCFG_4K, MEMATTR_NORMAL);
    }
}

void as_mend(Machine *m, Unit *u, unsigned as)
{
    note(m, "gpu%u as %u mended", u->g->nr, as);
    map(m, u, as, V_BOX, 2, (u->window + OFF_BOX) | PTE_BLOCK | PTE_AF);
    set_reg(m, u, MMU_IRQ + CLEAR, ~0);
    as_set(m, u, as, table(u, 0, as), TRANSCFG_4K, MEMATTR_NORMAL);
}

/* Where there is no RAM; below 1 GiB, and from 2 GiB on */
static uint64_t no_ram(Machine *m)
{
    static const uint64_t pa[] = {
        0, 0x04000000, 0x08000000, 0x08010000, 0x09000000, 0x09010000,
        0x0a000000, 0x0c000000, 0x0c002000, 0x0c080000, 0x10000000, 0x3eff0000,
        0x80000000, 0x4010000000, 0x8000000000, 0xfffffff000, 0x10000000000,
        0x800000000000, 0xfffffffff000,
    };

    return pick(m, pa);
}

/* An address in a window that is not that of a page table */
static uint64_t in_window(Machine *m, uint64_t align)
{
    uint64_t off = 0x200000 + below(m, WINDOW_SIZE - 0x200000);

    return WINDOW_PA(below(m, m->count)) + (off & ~(align - 1));
}

/* The output address and the type of an entry at this level */
static uint64_t draw_output(Machine *m, Unit *u, unsigned level)
{
    uint64_t leaf = level == 3 ? PTE_PAGE : PTE_BLOCK;
    uint64_t pa;

    if (level < 3 && chance(m, 50)) {
        pa = chance(m, 90) ? table(u, level + 1,
                                   below(m, folder[level + 1].pages)) :
                             no_ram(m);
        return pa | PTE_TABLE;
    }
    /* A gibibyte with RAM has all of it. */
    if (level <= 1 || chance(m, 20)) {
        pa = no_ram(m);
    } else {
        pa = in_window(m, level == 3 ? PAGE : 0x200000);
    }
    return pa | (chance(m, 90) ? leaf : below(m, 3));
}

/* An entry that may lead anywhere: to itself, for example */
static uint64_t draw_open_output(Machine *m, Unit *u)
{
    uint64_t pa;

    switch (below(m, 5)) {
    case 0:
        pa = u->window + below(m, TABLES_SIZE);
        break;
    case 1:
        pa = RAM_PA + below(m, RAM_BYTES);
        break;
    case 2:
        pa = no_ram(m);
        break;
    case 3:
        pa = in_window(m, PAGE);
        break;
    default:
        return draw(m);
    }
    return (pa & OUTPUT_MASK) | below(m, 4);
}

static uint64_t draw_flags(Machine *m)
{
    uint64_t flags = PTE_AF;

    if (chance(m, 20)) {
        flags ^= PTE_AF;
    }
    if (chance(m, 20)) {
        flags |= PTE_RO;
    }
    if (chance(m, 20)) {
        flags |= draw(m) & (0x1full << 2 | 0xffffull << 48);
    }
    return flags;
}

/* Half of the changes are where something is mapped. */
void act_tables(Machine *m, Unit *u)
{
    static const uint64_t used[] = {
        V_SHARED, V_SHARED + 0x6000, V_SHARED + 0x7000, V_SHARED + 0x8000,
        V_SHARED + 0x10000, V_RING, V_RING + 0x200000, V_PAGES, V_SUSPEND,
        V_BOX, V_BOX + BOX_CODE, V_BOX + BOX_DATA,
    };
    unsigned n = 1 + below(m, 4), as = below(m, NUM_AS), level, page;
    uint64_t pa, pte, va;

    while (n--) {
        level = chance(m, 70) ? 2 + below(m, 2) : below(m, 4);
        va = pick(m, used);
        page = level == 2 ? 2 * as + (va >= V_BOX) : as;
        if (chance(m, 30)) {
            page = below(m, folder[level].pages);
        }
        pa = table(u, level, page) +
             (chance(m, 50) ? slot(va, level) : 8 * below(m, 512));
        pte = m->closed || chance(m, 50) ? draw_output(m, u, level) :
                                           draw_open_output(m, u);
        pte |= draw_flags(m);
        note(m, "gpu%u level %u table %u slot %u: 0x%" PRIx64, u->g->nr, level,
             page, (unsigned)(pa % PAGE / 8), pte);
        set_pte(m, u, pa, pte);
    }
    if (chance(m, 50)) {
        note(m, "gpu%u as %u update", u->g->nr, as);
        set_reg(m, u, AS_REG(as, COMMAND), 1 + below(m, 5));
    }
}

void act_address_space(Machine *m, Unit *u)
{
    unsigned as = below(m, NUM_AS);
    uint64_t root = table(u, 0, below(m, folder[0].pages));
    uint64_t transcfg = TRANSCFG_4K, memattr = MEMATTR_NORMAL;

    switch (below(m, 8)) {
    case 0:
        note(m, "gpu%u as %u command", u->g->nr, as);
        set_reg(m, u, AS_REG(as, COMMAND), interesting(m));
        return;
    case 1:
        note(m, "gpu%u as %u lock", u->g->nr, as);
        set_reg64(m, u, AS_REG(as, 0x10), interesting(m));
        set_reg(m, u, AS_REG(as, COMMAND), 2);
        return;
    case 2:
        transcfg = MODE_UNMAPPED;
        break;
    case 3:
        memattr = draw(m);
        break;
    case 4:
        transcfg = (interesting(m) & ~0xfull) | (chance(m, 80) ? 6 :
                                                 3 + below(m, 13));
        break;
    case 5:
        if (!m->closed) {
            transcfg = MODE_IDENTITY;
        }
        break;
    case 6:
        root = no_ram(m);
        if (!m->closed) {
            root = chance(m, 50) ? draw(m) : u->window + below(m, WINDOW_SIZE);
        }
        break;
    default:
        root = table(u, 0, as);
    }
    note(m, "gpu%u as %u root 0x%" PRIx64 " transcfg 0x%" PRIx64, u->g->nr, as,
         root, transcfg);
    as_set(m, u, as, root, transcfg, memattr);
}

/* ---- What the guest writes into the GPU's memory ---- */

/* Maintenance of a line by the CPU: clean and invalidate, one of these, both */
static void maintain(Machine *m, uint64_t pa)
{
    uint64_t mailbox = CACHE_MAILBOX_PA;
    unsigned tries = MAINTAIN_TRIES;

    set_long(m, mailbox + 8, below(m, 3));
    set_long(m, mailbox, pa);
    while (ldq_le_p(ram(m, mailbox)) && --tries) {
        g_usleep(1000);
    }
    if (!tries) {
        finding(m, "the CPU does not maintain caches any more");
    }
}

void act_scribble(Machine *m, Unit *u)
{
    uint64_t at = OFF_SHARED + below(m, WINDOW_SIZE - OFF_SHARED);
    unsigned n = 1 + below(m, 64);

    if (chance(m, 60)) {
        static const uint64_t of[] = {
            OFF_SHARED + 0x6000, OFF_SHARED + 0x8000, OFF_SHARED + 0x10000,
            OFF_RING, OFF_PAGES, OFF_SUSPEND, OFF_BOX, OFF_BOX + BOX_DATA,
        };

        at = pick(m, of) + below(m, 0x1000);
    }
    at &= ~3ull;
    if (m->caches && chance(m, 50)) {
        at = OFF_RING + below(m, V_RING_SIZE);
        note(m, "gpu%u maintenance at 0x%" PRIx64, u->g->nr, at);
        maintain(m, u->window + at);
        return;
    }
    note(m, "gpu%u memory 0x%" PRIx64 ": %u words", u->g->nr, at, n);
    for (; n && at < WINDOW_SIZE; n--, at += 4) {
        set_word(m, u->window + at, interesting(m));
    }
}
