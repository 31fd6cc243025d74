/*
 * QTest of the virtual Arm Mali CSF GPU: translations that the MMU keeps, and
 * what may be executed
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define PTE_NX          (3ull << 53)

/* Two pages of memory, one of which is at HOLE_VA, and another address */
#define PAGE_A          (BOX_PA + 0x1c0000)
#define PAGE_B          (BOX_PA + 0x1c1000)
#define FAR_VA          (HOLE_VA + 0x40000000)

/* Regions of a lock: base, and the logarithm of the size minus one */
#define REGION_ALL      63ull
#define REGION_32K(va)  ((va) | 14)

enum {
    UPDATE = 1, LOCK = 2, UNLOCK = 3, FLUSH_PT = 4, FLUSH_MEM = 5,
};

static void command(Gpu *g, uint64_t region, uint32_t code)
{
    wr(g, AS_REG(GROUP_AS, LOCKADDR), region);
    wr(g, AS_REG(GROUP_AS, LOCKADDR + 4), region >> 32);
    wr(g, AS_REG(GROUP_AS, COMMAND), code);
}

static void flush(Gpu *g, uint64_t region, uint32_t end)
{
    command(g, region, LOCK);
    command(g, region, end);
    qtest_clock_step(g->qts, 1000);
}

static void map(Gpu *g, uint64_t va, uint64_t entry)
{
    gpu_map_in(g, g->group_root, va, 3, entry ? entry | PTE_PAGE | PTE_AF : 0);
}

static void store(Gpu *g, uint64_t va, uint32_t value)
{
    emit(g, 0, 0, MOVE48(8, va));
    emit(g, 0, 0, MOVE32(10, value));
    emit(g, 0, 0, STORE(10, 8, 1, 0));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
}

/* A group, whose stream has stored 1 to PAGE_A. */
static Gpu *start(void)
{
    Gpu *g = cs_boot("");

    map(g, HOLE_VA, PAGE_A);
    group_start(g, 0, 1);
    group_rearm(g, 0);
    store(g, HOLE_VA, 1);
    g_assert_cmpuint(mem(g, PAGE_A), ==, 1);
    return g;
}

static void check_stale(Gpu *g, unsigned count)
{
    g_assert_cmpuint(gpu_get(g, "stale-translations"), ==, count);
    g_assert_cmpuint(gpu_truth_count(g, "violation address space 1: "), ==,
                     count);
}

/* ---- Which commands make the GPU look again ---- */

static const struct {
    const char *name;
    uint64_t region;
    uint32_t end;
    bool flushes;
} flushes[] = {
    { "unlock", REGION_32K(HOLE_VA), UNLOCK, true },
    { "flush-pt", REGION_32K(HOLE_VA), FLUSH_PT, true },
    { "flush-mem", REGION_32K(HOLE_VA), FLUSH_MEM, true },
    { "all", REGION_ALL, FLUSH_PT, true },
    { "half", 62, FLUSH_PT, true },
    { "other-half", 1ull << 63 | 62, FLUSH_PT, false },
    { "next", REGION_32K(HOLE_VA + 0x8000), FLUSH_PT, false },
    { "within", (HOLE_VA + 0x20000) | 20, FLUSH_PT, true },
    { "update", REGION_32K(FAR_VA), UPDATE, true },
};

static void test_flush(const void *data)
{
    unsigned i = GPOINTER_TO_UINT(data);
    Gpu *g = start();

    map(g, HOLE_VA, PAGE_B);
    flush(g, flushes[i].region, flushes[i].end);
    store(g, HOLE_VA, 2);
    g_assert_cmpuint(mem(g, PAGE_A), ==, flushes[i].flushes ? 1 : 2);
    g_assert_cmpuint(mem(g, PAGE_B), ==, flushes[i].flushes ? 2 : 0);
    check_stale(g, !flushes[i].flushes);
    gpu_stop(g, !flushes[i].flushes, 0);
}

/* Without one, the old page is used; it is reported once. */
static void test_none(void)
{
    Gpu *g = start();

    map(g, HOLE_VA, PAGE_B);
    /* A flush of the caches is none of the MMU's. */
    wr(g, GPU_COMMAND, 0x23304);
    store(g, HOLE_VA, 2);
    store(g, HOLE_VA + 4, 3);
    g_assert_cmpuint(mem(g, PAGE_A), ==, 2);
    g_assert_cmpuint(mem(g, PAGE_A + 4), ==, 3);
    g_assert_cmpuint(mem(g, PAGE_B), ==, 0);
    check_stale(g, 1);

    /* The region is that of the lock, not what the register has later. */
    command(g, REGION_32K(HOLE_VA), LOCK);
    command(g, REGION_32K(FAR_VA), FLUSH_PT);
    store(g, HOLE_VA, 4);
    g_assert_cmpuint(mem(g, PAGE_B), ==, 4);

    /* A page that is gone is still there. */
    map(g, HOLE_VA, 0);
    store(g, HOLE_VA, 5);
    g_assert_cmpuint(mem(g, PAGE_B), ==, 5);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    check_stale(g, 2);
    flush(g, REGION_32K(HOLE_VA), FLUSH_PT);
    store(g, HOLE_VA, 6);
    g_assert_cmpuint(mem(g, PAGE_B), ==, 5);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x3c3);
    check_trap(g, 0, 0, true, 0x48, HOLE_VA);
    gpu_stop(g, 2, 0);
}

/* So are old permissions, in either direction. */
static void test_permission(void)
{
    Gpu *g = start();

    map(g, HOLE_VA, PAGE_A | PTE_RO);
    store(g, HOLE_VA, 2);
    g_assert_cmpuint(mem(g, PAGE_A), ==, 2);
    check_stale(g, 1);
    flush(g, REGION_32K(HOLE_VA), FLUSH_PT);
    emit(g, 0, 0, LOAD(20, 8, 1, 0));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
    map(g, HOLE_VA, PAGE_A);
    store(g, HOLE_VA, 3);
    g_assert_cmpuint(mem(g, PAGE_A), ==, 2);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x3cb);
    check_stale(g, 2);
    gpu_stop(g, 2, 0);
}

/* What was not there is not kept, and a split block is the same memory. */
static void test_harmless(void)
{
    Gpu *g = start();
    uint64_t off;

    map(g, FAR_VA, PAGE_B);
    store(g, FAR_VA, 2);
    g_assert_cmpuint(mem(g, PAGE_B), ==, 2);

    store(g, DATA_VA, 3);
    gpu_map_in(g, g->group_root, BOX_VA, 2, 0);
    for (off = 0; off < BOX_SIZE; off += 0x1000) {
        map(g, BOX_VA + off, BOX_PA + off);
    }
    store(g, DATA_VA, 4);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 4);
    check_stale(g, 0);
    gpu_stop(g, 0, 0);
}

static void test_small_lock(void)
{
    Gpu *g = start();

    flush(g, HOLE_VA | 13, FLUSH_PT);
    g_assert_cmpuint(gpu_truth_count(g, "violation address space 1: lock of a "
                                     "region of 2^14 bytes, the smallest has "
                                     "2^15"), ==, 1);
    gpu_stop(g, 1, 0);
}

/* ---- Execution ---- */

#define PROGRAM_VA      (DATA_VA + 0x1000)

/* RUN_COMPUTE with the program descriptor of the third pair */
#define RUN_COMPUTE_2   INSN(4, 2ull << 42 | 1)

static void set_program(Gpu *g, uint32_t type, uint64_t binary)
{
    set_data32(g, PROGRAM_VA, type);
    qtest_writeq(g->qts, TO_PA(PROGRAM_VA) + 8, binary);
}

static void run_program(Gpu *g, uint64_t va)
{
    emit(g, 0, 0, MOVE48(20, va));
    emit(g, 0, 0, RUN_COMPUTE_2);
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
}

static void test_execute(void)
{
    Gpu *g = cs_boot("");

    map(g, HOLE_VA, PAGE_A | PTE_RO);
    /* One of the two bits is not enough. */
    map(g, HOLE_VA + 0x1000, PAGE_A | 1ull << 53);
    map(g, HOLE_VA + 0x2000, PAGE_A | PTE_NX);
    group_start(g, 0, 1);
    group_rearm(g, 0);
    set_program(g, 8, HOLE_VA + 0x80);
    run_program(g, PROGRAM_VA);
    set_program(g, 8, HOLE_VA + 0x1000);
    run_program(g, PROGRAM_VA);
    g_assert_cmpuint(gpu_get(g, "programs"), ==, 2);
    /* No descriptor, or one of something else */
    run_program(g, 0);
    set_program(g, 7, HOLE_VA + 0x2000);
    run_program(g, PROGRAM_VA);
    g_assert_cmpuint(gpu_get(g, "programs"), ==, 2);
    g_assert_cmpuint(gpu_get(g, "unknown-programs"), ==, 1);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    /* Data there is data. */
    emit(g, 0, 0, MOVE48(8, HOLE_VA + 0x2000));
    emit(g, 0, 0, LOAD(10, 8, 1, 0));
    emit(g, 0, 0, STORE(10, 8, 1, 0));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);

    set_program(g, 8, HOLE_VA + 0x2080);
    run_program(g, PROGRAM_VA);
    g_assert_cmpuint(gpu_get(g, "programs"), ==, 3);
    g_assert_cmphex(rd(g, MMU_IRQ + STAT), ==, 1 << GROUP_AS);
    g_assert_cmphex(rd64(g, AS_REG(GROUP_AS, FAULTADDRESS)), ==,
                    HOLE_VA + 0x2080);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x1cb);
    check_trap(g, 0, 0, true, 0x48, HOLE_VA + 0x2080);
    gpu_stop(g, 0, 0);
}

void add_tlb_tests(void)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(flushes); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/tlb/flush/%s",
                                                flushes[i].name);

        qtest_add_data_func(path, GUINT_TO_POINTER(i), test_flush);
    }
    qtest_add_func("/vmali/tlb/none", test_none);
    qtest_add_func("/vmali/tlb/permission", test_permission);
    qtest_add_func("/vmali/tlb/harmless", test_harmless);
    qtest_add_func("/vmali/tlb/small-lock", test_small_lock);
    qtest_add_func("/vmali/tlb/execute", test_execute);
}
