/*
 * QTest of the virtual Arm Mali CSF GPU: registers, address spaces, firmware
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test.h"

/* ---- Registers ---- */

typedef struct {
    uint32_t offset;
    uint32_t value;
} Register;

static void check_registers(Gpu *g, const Register *r, unsigned count)
{
    unsigned i;

    for (i = 0; i < count; i++) {
        if (rd(g, r[i].offset) != r[i].value) {
            g_error("register 0x%x is 0x%x, not 0x%x", r[i].offset,
                    rd(g, r[i].offset), r[i].value);
        }
    }
}

static void test_features(void)
{
    static const Register g610[] = {
        { 0x000, 0xa8670005 }, { 0x004, 0x07120306 }, { 0x008, 0 },
        { 0x00c, 0x809 }, { 0x010, 0x301 }, { 0x014, 0x2830 },
        { 0x018, 0xff }, { 0x060, 0 }, { 0x064, 0 }, { 0x068, 0 },
        { 0x100, 0x50005 }, { 0x104, 0 }, { 0x110, 1 }, { 0x114, 0 },
        { 0x120, 1 }, { 0x124, 0 }, { 0x300, 0 }, { 0x10000, 1 },
    };
    static const Register g720[] = {
        { 0x000, 0xc8700008 }, { 0x004, 0x08130306 }, { 0x008, 4 },
        { 0x010, 0x101 }, { 0x068, 2 }, { 0x100, 0x55 },
        { 0x104, 0x80000000 }, { 0x300, 1 },
    };
    Gpu *g = gpu_start("");

    check_registers(g, g610, ARRAY_SIZE(g610));
    gpu_stop(g, 0, 0);

    g = gpu_start("gpu-id=0xc8700008,l2-slices=2,coherent=on,"
                  "shader-present=0x8000000000000055");
    check_registers(g, g720, ARRAY_SIZE(g720));
    gpu_stop(g, 0, 0);

    g = gpu_start("core-features=0x102");
    g_assert_cmphex(rd(g, 0x008), ==, 0x102);
    gpu_stop(g, 0, 0);
}

static void test_unknown_registers(void)
{
    Gpu *g = gpu_start("");

    /* Registers of features that are absent can be read. */
    g_assert_cmphex(rd(g, 0xe00), ==, 0);
    g_assert_cmphex(rd(g, 0xf0c), ==, 0);
    g_assert_cmphex(rd(g, 0x40000), ==, 0);
    g_assert_cmphex(rd(g, 0x058), ==, 0);
    g_assert_cmpuint(gpu_get(g, "unimplemented"), ==, 0);

    g_assert_cmphex(rd(g, 0xe48), ==, 0);
    wr(g, 0xf00, 1);
    g_assert_cmphex(rd(g, 0x2600), ==, 0);      /* address space 8 */
    g_assert_cmpuint(gpu_get(g, "unimplemented"), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "unimplemented read 0xe48"), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "unimplemented write 0xf00"), ==, 1);

    wr(g, 0x000, 1);
    wr(g, JOB_IRQ + STAT, 1);
    wr(g, GPU_COMMAND, 0x301);                  /* a fourth kind of reset */
    g_assert_cmpuint(gpu_get(g, "violations"), ==, 3);
    gpu_stop(g, 3, 3);
}

static void test_irq(void)
{
    static const struct {
        uint32_t base;
        int spi;
    } group[] = {
        { JOB_IRQ, SPI_JOB }, { MMU_IRQ, SPI_MMU }, { GPU_IRQ, SPI_GPU },
    };
    Gpu *g = gpu_start("");
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(group); i++) {
        uint32_t base = group[i].base;
        int spi = group[i].spi;

        g_assert_cmphex(rd(g, base + MASK), ==, 0);
        wr(g, base + RAWSTAT, 0x11);
        g_assert_cmphex(rd(g, base + RAWSTAT), ==, 0x11);
        g_assert_cmphex(rd(g, base + STAT), ==, 0);
        g_assert_false(gpu_irq(g, spi));

        wr(g, base + MASK, 0x10);
        g_assert_cmphex(rd(g, base + STAT), ==, 0x10);
        g_assert_true(gpu_irq(g, spi));

        /* The hard handler masks: that alone drops the line. */
        wr(g, base + MASK, 0);
        g_assert_false(gpu_irq(g, spi));
        g_assert_cmphex(rd(g, base + RAWSTAT), ==, 0x11);
        wr(g, base + MASK, 0x11);
        g_assert_true(gpu_irq(g, spi));

        wr(g, base + CLEAR, 0x10);
        g_assert_cmphex(rd(g, base + STAT), ==, 0x01);
        g_assert_true(gpu_irq(g, spi));
        wr(g, base + CLEAR, 0x01);
        g_assert_false(gpu_irq(g, spi));
        g_assert_cmphex(rd(g, base + CLEAR), ==, 0);
    }
    gpu_stop(g, 0, 0);
}

static void test_power(void)
{
    Gpu *g = gpu_start("");

    g_assert_cmphex(rd(g, L2_READY), ==, 0);
    wr(g, L2_PWRON, 0xff);
    g_assert_cmphex(rd(g, L2_READY), ==, 1);    /* only what is present */
    g_assert_cmphex(rd(g, 0x220), ==, 0);       /* no transition */
    g_assert_cmphex(rd(g, GPU_IRQ + RAWSTAT), ==, 0x600);
    wr(g, 0x180, 0x10007);
    g_assert_cmphex(rd(g, 0x140), ==, 0x10005);
    wr(g, 0x1c0, 0x4);
    g_assert_cmphex(rd(g, 0x140), ==, 0x10001);
    wr(g, L2_PWROFF, 1);
    g_assert_cmphex(rd(g, L2_READY), ==, 0);
    g_assert_cmphex(rd(g, 0x140), ==, 0);       /* dependent on it */
    wr(g, 0x190, 1);                            /* so is the tiler */
    g_assert_cmphex(rd(g, 0x150), ==, 1);
    g_assert_cmphex(rd(g, L2_READY), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_commands(void)
{
    Gpu *g = gpu_start("");

    wr(g, GPU_IRQ + MASK, 0x20100);
    wr(g, GPU_COMMAND, 0x23304);                /* flush */
    g_assert_cmphex(rd(g, GPU_IRQ + STAT), ==, 0x20000);
    g_assert_true(gpu_irq(g, SPI_GPU));
    g_assert_cmphex(rd(g, 0x10000), ==, 2);
    wr(g, GPU_IRQ + CLEAR, ~0);
    g_assert_cmphex(rd(g, GPU_COMMAND), ==, 0);
    wr(g, GPU_COMMAND, 0);
    g_assert_cmphex(rd(g, GPU_IRQ + RAWSTAT), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_soft_reset(void)
{
    Gpu *g = gpu_boot("");

    gpu_toggle(g, GLB_PING);
    wr(g, GPU_IRQ + MASK, 0x100);
    wr(g, GPU_IRQ + CLEAR, ~0);
    wr(g, MMU_IRQ + RAWSTAT, 1);
    wr(g, JOB_IRQ + RAWSTAT, 1);
    wr(g, GPU_COMMAND, 0x101);

    /* The completion arrives with the mask that was set before. */
    g_assert_cmphex(rd(g, GPU_IRQ + STAT), ==, 0x100);
    g_assert_true(gpu_irq(g, SPI_GPU));
    g_assert_cmphex(rd(g, JOB_IRQ + RAWSTAT), ==, 0);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    g_assert_false(gpu_irq(g, SPI_JOB));
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    g_assert_cmphex(rd(g, L2_READY), ==, 0);
    g_assert_cmphex(rd(g, 0x140), ==, 0);
    g_assert_cmphex(rd(g, AS_REG(0, TRANSTAB)), ==, 0);
    g_assert_cmphex(rd(g, AS_REG(0, TRANSCFG)), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "reset kind=soft "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* ---- Address spaces ---- */

typedef struct {
    const char *name;
    unsigned level;             /* of the entry that the test plants */
    uint64_t entry;
    uint64_t transcfg;
    uint32_t fault;             /* type of the fault, 0: the firmware boots */
} FaultCase;

/* The boot of the firmware is a write to SHARED_VA. */
static const FaultCase fault_cases[] = {
    { "none", 3, SHARED_PA | PTE_PAGE | PTE_AF, TRANSCFG_4K, 0 },
    { "no-level-0", 0, 0, TRANSCFG_4K, 0xc0 },
    { "no-level-1", 1, 0, TRANSCFG_4K, 0xc1 },
    { "no-level-2", 2, 2, TRANSCFG_4K, 0xc2 },
    { "no-page", 3, 0, TRANSCFG_4K, 0xc3 },
    { "block-at-level-0", 0, SHARED_PA | PTE_BLOCK | PTE_AF, TRANSCFG_4K,
      0xc0 },
    { "block-at-level-3", 3, SHARED_PA | PTE_BLOCK | PTE_AF, TRANSCFG_4K,
      0xc3 },
    { "read-only", 3, SHARED_PA | PTE_PAGE | PTE_AF | PTE_RO, TRANSCFG_4K,
      0xcb },
    { "no-access-flag", 3, SHARED_PA | PTE_PAGE, TRANSCFG_4K, 0xdb },
    { "output-size", 3, 1ull << 40 | PTE_PAGE | PTE_AF, TRANSCFG_4K, 0xe7 },
    { "bad-attribute", 3, SHARED_PA | PTE_PAGE | PTE_AF | 7 << 2, TRANSCFG_4K,
      0xeb },
    { "table-outside-ram", 2, 0x10000000ull | PTE_TABLE, TRANSCFG_4K, 0xc3 },
    { "input-size", 3, SHARED_PA | PTE_PAGE | PTE_AF, 0x42000006 | 31 << 6,
      0xe0 },
    { "unmapped", 3, SHARED_PA | PTE_PAGE | PTE_AF, 1, 0xc0 },
};

static void test_fault(const void *data)
{
    const FaultCase *c = data;
    Gpu *g = gpu_start("");
    uint64_t off;

    /* An attribute byte of 0xff faults. */
    for (off = 0; off < SHARED_SIZE; off += 0x1000) {
        gpu_map(g, SHARED_VA + off, 3, (SHARED_PA + off) | PTE_PAGE | PTE_AF);
    }
    for (off = 0; off < SHARED_SIZE; off += 0x1000) {
        uint64_t entry = c->entry;

        if (c->level == 3 && (entry & ~0xfffull) == SHARED_PA) {
            entry += off;
        }
        gpu_map(g, SHARED_VA + off, c->level, entry);
        if (c->level < 3) {
            break;
        }
    }
    gpu_power_on(g);
    gpu_as_enable(g, c->transcfg);
    if (!strcmp(c->name, "bad-attribute")) {
        wr(g, AS_REG(0, MEMATTR + 4), 0xff000000);
        wr(g, AS_REG(0, COMMAND), 1);
    }
    wr(g, MMU_IRQ + MASK, 0xffff);
    wr(g, MCU_CONTROL, 2);

    if (!c->fault) {
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
        g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
        g_assert_cmphex(mem(g, SHARED_PA), ==, 0x01010000);
    } else {
        uint64_t va = rd64(g, AS_REG(0, FAULTADDRESS));

        g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
        g_assert_cmphex(rd(g, MMU_IRQ + STAT), ==, 1);
        g_assert_true(gpu_irq(g, SPI_MMU));
        g_assert_cmphex(rd(g, AS_REG(0, FAULTSTATUS)), ==, c->fault | 3 << 8);
        g_assert_cmphex(va, >=, SHARED_VA);
        g_assert_cmphex(va, <, SHARED_VA + SHARED_SIZE);
        g_assert_cmphex(mem(g, SHARED_PA), ==, 0);
        /* Boot again: nothing gets worse while the fault is pending. */
        wr(g, MCU_CONTROL, 0);
        wr(g, MCU_CONTROL, 2);
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
        g_assert_cmphex(rd64(g, AS_REG(0, FAULTADDRESS)), ==, va);
    }
    gpu_stop(g, 0, 0);
}

static void test_update(void)
{
    Gpu *g = gpu_boot("");

    /* New values count only after the command. */
    wr(g, AS_REG(0, TRANSCFG), 1);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, 0);
    wr(g, AS_REG(0, COMMAND), 1);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, GLB_PING);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
    g_assert_cmphex(rd(g, AS_REG(0, FAULTSTATUS)), ==, 0xc0 | 2 << 8);
    wr(g, AS_REG(3, COMMAND), 5);               /* on one that is not set up */
    g_assert_cmphex(rd(g, AS_REG(3, 0x28)), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_bus_error(void)
{
    Gpu *g = gpu_start("");

    /* A device, not RAM: the machine's serial port. */
    gpu_map(g, SHARED_VA, 2, 0x09000000ull | PTE_BLOCK | PTE_AF);
    gpu_power_on(g);
    gpu_as_enable(g, TRANSCFG_4K);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
    g_assert_cmphex(rd(g, GPU_IRQ + RAWSTAT) & 1, ==, 1);
    g_assert_cmphex(rd(g, 0x3c), ==, 0x80 | 3 << 8 | 1 << 10);
    gpu_stop(g, 0, 0);
}

/* ---- Firmware ---- */

static void test_control(void)
{
    Gpu *g = gpu_boot("groups=5,streams=12,iface-version=0x01050002");
    unsigned stride = mem(g, SHARED_PA + 0x14), csg, cs;

    g_assert_cmphex(mem(g, SHARED_PA + 0x00), ==, 0x01050002);
    g_assert_cmphex(mem(g, SHARED_PA + 0x08), ==, SHARED_VA + 0x6000);
    g_assert_cmphex(mem(g, SHARED_PA + 0x0c), ==, SHARED_VA + 0x7000);
    g_assert_cmphex(mem(g, SHARED_PA + 0x10), ==, 5);
    /* In 256 bytes: one block of the firmware, 25 of the hardware */
    g_assert_cmphex(mem(g, SHARED_PA + 0x18), ==, 1 << 16 | 25);
    g_assert_cmphex(mem(g, SHARED_PA + 0x20), ==, 0);
    g_assert_cmphex(stride, >=, 0x40 + 12 * 12);
    for (csg = 0; csg < 5; csg++) {
        uint64_t at = SHARED_PA + 0x1000 + csg * stride;

        g_assert_cmphex(mem(g, at + 0x0c), >, 0);
        g_assert_cmphex(mem(g, at + 0x10), >, 0);
        g_assert_cmphex(mem(g, at + 0x14), ==, 12);
        for (cs = 0; cs < 12; cs++) {
            uint64_t c = at + 0x40 + cs * mem(g, at + 0x18);

            g_assert_cmphex(mem(g, c), ==, 0x0007085f);
            g_assert_cmphex(mem(g, c + 4), >=, SHARED_VA);
            g_assert_cmphex(mem(g, c + 8), <, SHARED_VA + SHARED_SIZE - 0xd8);
        }
    }
    gpu_stop(g, 0, 0);
}

static void test_boot_without_power(void)
{
    Gpu *g = gpu_start("");

    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    gpu_stop(g, 1, 0);
}

static void test_ping(void)
{
    Gpu *g = gpu_boot("");

    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, 0);
    g_assert_false(gpu_irq(g, SPI_JOB));        /* not asked for */
    set_mem(g, g->in + ACK_IRQ_MASK, GLB_PING);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, JOB_GLB);
    g_assert_true(gpu_irq(g, SPI_JOB));
    wr(g, JOB_IRQ + CLEAR, ~0);

    gpu_set(g, "x-drop-pings", 1);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, GLB_PING);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, GLB_PING);
    g_assert_false(gpu_irq(g, SPI_JOB));
    g_assert_cmpuint(gpu_truth_count(g, "ping timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "ping dropped "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* An MCU that does not start stays off, and starts at the next try. */
static void test_failed_boot(void)
{
    Gpu *g = gpu_boot("");

    gpu_request(g, GLB_HALT, GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_set(g, "x-fail-boots", 2);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    g_assert_false(gpu_irq(g, SPI_JOB));
    wr(g, MCU_CONTROL, 0);
    wr(g, MCU_CONTROL, 1);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "boot-failed timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "boot timestamp="), ==, 1);

    set_mem(g, g->in + REQ, mem(g, g->in + REQ) & ~GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "boot timestamp="), ==, 2);
    gpu_stop(g, 0, 0);
}

static void test_unknown_request(void)
{
    Gpu *g = gpu_boot("");

    gpu_request(g, 1 << 11, 1 << 11);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, 1 << 11), ==, 1 << 11);
    g_assert_cmpuint(gpu_truth_count(g, "unimplemented request GLB_REQ bits "
                                     "0x800"), ==, 1);
    gpu_stop(g, 0, 1);
}

static void test_halt(void)
{
    Gpu *g = gpu_boot("");

    gpu_request(g, GLB_HALT, GLB_HALT);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
    g_assert_cmphex(mem(g, g->out + ACK) & GLB_HALT, ==, 0);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, GLB_PING);

    /* Warm boot: the interface stays, and the old request is answered. */
    set_mem(g, g->in + REQ, mem(g, g->in + REQ) & ~GLB_HALT);
    set_mem(g, g->out + INSERT, 77);
    wr(g, MCU_CONTROL, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmphex(rd(g, JOB_IRQ + RAWSTAT), ==, JOB_GLB);
    g_assert_cmphex(mem(g, g->out + INSERT), ==, 77);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "boot "), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "halt "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* ---- A host that does anything ---- */

#define HOSTILE_STEPS   4000

static uint32_t any_register(GRand *rand)
{
    static const uint32_t range[][2] = {
        { 0x0000, 0x0400 }, { 0x0700, 0x0710 }, { 0x1000, 0x1010 },
        { 0x2000, 0x2010 }, { 0x2400, 0x2800 }, { 0x10000, 0x10004 },
        { 0x80000, 0x80004 }, { 0xa0000, 0xa0004 }, { 0x1fff00, 0x200000 },
    };
    unsigned i = g_rand_int_range(rand, 0, ARRAY_SIZE(range));

    return g_rand_int_range(rand, range[i][0], range[i][1]) & ~3;
}

/* Small numbers, single bits, sane addresses and noise. */
static uint32_t any_value(GRand *rand)
{
    switch (g_rand_int_range(rand, 0, 4)) {
    case 0:
        return g_rand_int_range(rand, 0, 9);
    case 1:
        return 1u << g_rand_int_range(rand, 0, 32);
    case 2:
        return RING_VA + g_rand_int_range(rand, -4, 4) * 0x800;
    default:
        return g_rand_int(rand);
    }
}

static void hostile_step(Gpu *g, GRand *rand)
{
    unsigned what = g_rand_int_range(rand, 0, 100);

    if (what < 20) {
        wr(g, any_register(rand), any_value(rand));
    } else if (what < 25) {
        rd(g, any_register(rand));
    } else if (what < 50) {
        /* Global input, counter configuration included */
        set_mem(g, g->in + (g_rand_int_range(rand, 0, 0x60) & ~3),
                any_value(rand));
    } else if (what < 60) {
        /* All interface blocks of groups and streams, outputs too */
        set_mem(g, SHARED_PA + 0x7000 +
                (g_rand_int_range(rand, 0, 0x4b000) & ~3), any_value(rand));
    } else if (what < 64) {
        /* Page tables */
        set_mem(g, TABLES_PA + (g_rand_int_range(rand, 0, 0x8000) & ~3),
                any_value(rand));
    } else if (what < 70) {
        /* Back to something that can work */
        gpu_as_enable(g, TRANSCFG_4K);
        wr(g, MMU_IRQ + CLEAR, ~0);
        wr(g, L2_PWRON, 1);
        wr(g, MCU_CONTROL, 0);
        wr(g, MCU_CONTROL, 2);
    } else if (what < 72) {
        set_mem(g, g->in + DB_REQ, g_rand_int(rand));
        wr(g, DOORBELL(0), 1);
    } else if (what < 75) {
        qtest_clock_step(g->qts, g_rand_int_range(rand, 1, 1000000000));
    } else if (what < 80) {
        set_mem(g, g->in + BASE, RING_VA);
        set_mem(g, g->in + BASE + 4, 0);
        set_mem(g, g->in + JASID, 0);
        set_mem(g, g->in + CONFIG, 1u << g_rand_int_range(rand, 0, 8));
        gpu_request(g, GLB_ENABLE, ~mem(g, g->out + ACK));
    } else {
        gpu_toggle(g, 1u << g_rand_int_range(rand, 5, 27));
    }
}

static void test_hostile(const void *data)
{
    GRand *rand = g_rand_new_with_seed(GPOINTER_TO_UINT(data));
    Gpu *g = gpu_boot("csg-counters=on,metadata=on");
    unsigned i;

    for (i = 0; i < HOSTILE_STEPS; i++) {
        hostile_step(g, rand);
    }
    /* Still there, and the host did get somewhere. */
    g_assert_cmphex(rd(g, 0), ==, 0xa8670005);
    qtest_quit(g->qts);
    g_test_message("%u enables, %u samples, %u violations",
                   gpu_truth_count(g, "enable "),
                   gpu_truth_count(g, "sample "),
                   gpu_truth_count(g, "violation "));
    g_assert_cmpuint(gpu_truth_count(g, "end "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "enable "), >, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), >, 1);
    g_assert_cmpuint(gpu_truth_count(g, "violation "), >, 1);
    unlink(g->truth);
    g_free(g->truth);
    g_free(g);
    g_rand_free(rand);
}

int main(int argc, char **argv)
{
    unsigned i;

    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/vmali/registers/features", test_features);
    qtest_add_func("/vmali/registers/unknown", test_unknown_registers);
    qtest_add_func("/vmali/registers/irq", test_irq);
    qtest_add_func("/vmali/registers/power", test_power);
    qtest_add_func("/vmali/registers/commands", test_commands);
    qtest_add_func("/vmali/registers/soft-reset", test_soft_reset);
    for (i = 0; i < ARRAY_SIZE(fault_cases); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/mmu/fault/%s",
                                                fault_cases[i].name);

        qtest_add_data_func(path, &fault_cases[i], test_fault);
    }
    qtest_add_func("/vmali/mmu/update", test_update);
    qtest_add_func("/vmali/mmu/bus-error", test_bus_error);
    qtest_add_func("/vmali/mcu/control", test_control);
    qtest_add_func("/vmali/mcu/no-power", test_boot_without_power);
    qtest_add_func("/vmali/mcu/ping", test_ping);
    qtest_add_func("/vmali/mcu/failed-boot", test_failed_boot);
    qtest_add_func("/vmali/mcu/unknown-request", test_unknown_request);
    qtest_add_func("/vmali/mcu/halt", test_halt);
    for (i = 1; i <= 4; i++) {
        g_autofree char *path = g_strdup_printf("/vmali/hostile/%u", i);

        qtest_add_data_func(path, GUINT_TO_POINTER(i), test_hostile);
    }
    add_cs_tests();
    add_cs_insn_tests();
    add_ops_tests();
    add_heap_tests();
    add_tlb_tests();
    add_work_tests();
    add_neural_tests();
    add_load_tests();
    add_power_tests();
    add_time_tests();
    add_prfcnt_tests();
    add_answer_tests();
    add_inject_tests();
    add_props_tests();
    add_truth_tests();
    add_several_tests();
    return g_test_run();
}
