/*
 * QTest of the virtual Arm Mali CSF GPU: several GPUs in one machine
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-prfcnt.h"

/* ---- Registers, interrupts, counters and logs ---- */

static void test_apart(void)
{
    static const uint32_t id[] = { 0xa8670005, 0xb8520000 };
    const Layout *layout[2] = { &layouts[0], &layouts[0] };
    const char *properties[2] = {
        PLAIN, "gpu-id=0xb8520000,shader-present=0x7ff," PLAIN
    };
    unsigned i, n;
    Gpu *g[2];

    while (strcmp(layout[1]->name, "g715")) {
        layout[1]++;
    }
    gpu_start_several(g, 2, "", properties);
    for (i = 0; i < 2; i++) {
        g_assert_cmphex(rd(g[i], 0), ==, id[i]);
        gpu_boot_up(g[i]);
        enable(g[i], layout[i]->config);
    }
    /* The first one has one sample, the second one two. */
    for (i = 0; i < 2; i++) {
        for (n = 0; n <= i; n++) {
            sample(g[i]);
            check_entry(g[i], layout[i], n, n + 1);
            g_assert_false(gpu_irq(g[!i], SPI_JOB));
        }
        wr(g[i], JOB_IRQ + CLEAR, ~0);
    }
    wr(g[1], 0, 1);
    for (i = 0; i < 2; i++) {
        g_assert_cmpuint(gpu_truth_count(g[i], "sample "), ==, i + 1);
        g_assert_cmphex(gpu_truth_field(g[i], "gpu ", "id"), ==, id[i]);
        g_assert_cmpuint(gpu_get(g[i], "violations"), ==, i);
    }
    /* A reset of one */
    wr(g[1], GPU_COMMAND, 0x101);
    g_assert_cmphex(rd(g[1], MCU_STATUS), ==, 0);
    g_assert_cmphex(rd(g[0], MCU_STATUS), ==, 1);
    qtest_quit(g[0]->qts);
    gpu_stopped(g[0], 0, 0);
    gpu_stopped(g[1], 1, 0);
}

/* ---- Names in the device tree ---- */

static void add_name(GHashTable *names, Gpu *g, const char *node,
                     unsigned nr, const char *property)
{
    g_autofree char *path = g_strdup_printf("/%s-%x", node,
                                            (unsigned)(nr * MMIO_SIZE));
    uint32_t size;
    uint8_t *name = gpu_fdt(g, path, property, &size);

    g_assert_nonnull(name);
    g_assert_true(g_hash_table_add(names, name));
}

/* A kernel has only one clock, and only one regulator, of a name. */
static void test_names(void)
{
    static const char *const properties[4] = {
        "clocks=3", "clocks=3", "", "coherent=on"
    };
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash,
                                                        g_str_equal, g_free,
                                                        NULL);
    unsigned i;
    Gpu *g[4];

    gpu_start_several(g, 4, "", properties);
    for (i = 0; i < 4; i++) {
        add_name(names, g[0], "vmali-core-clock", i, "clock-output-names");
        add_name(names, g[0], "vmali-supply", i, "regulator-name");
    }
    for (i = 0; i < 2; i++) {
        add_name(names, g[0], "vmali-stacks-clock", i, "clock-output-names");
    }
    qtest_quit(g[0]->qts);
    for (i = 0; i < 4; i++) {
        gpu_stopped(g[i], 0, 0);
    }
}

/* ---- A truth log has one writer ---- */

static void check_refused(const char *first, const char *second)
{
    g_autofree char *arguments = g_strdup_printf("-device vmali,truth=%s "
                                                 "-device vmali,truth=%s",
                                                 first, second);
    g_autofree char *want = g_strdup_printf("vmali,truth=%s: truth: '%s' is "
                                            "the truth log of another GPU\n",
                                            second, second);
    g_autofree char *said = gpu_refused(arguments);

    g_assert_nonnull(strstr(said, want));
}

static void test_one_truth(void)
{
    g_autofree char *name = temporary_file();
    g_autofree char *other = g_strdup_printf("%s-link", name);
    g_autofree char *third = temporary_file();
    static const char *const unlogged[2] = { "truth=/dev/null",
                                             "truth=/dev/null" };
    Gpu *g[2];

    check_refused(name, name);
    g_assert_cmpint(link(name, other), ==, 0);
    check_refused(name, other);
    unlink(other);
    unlink(name);

    /* Nor do two processes; the log of the first one stays whole. */
    gpu_start_several(g, 2, "", unlogged);
    qtest_quit(g[0]->qts);
    unlink(g[0]->truth);
    unlink(g[1]->truth);
    g[0] = gpu_start("");
    check_refused(third, g[0]->truth);
    g_assert_cmpuint(gpu_truth_count(g[0], "vmali-truth 1"), ==, 1);
    gpu_stop(g[0], 0, 0);
    unlink(third);
}

/* ---- The cache of the ring ---- */

#define MAILBOX_PA      0x40200000ull

/* A CPU that cleans and invalidates the line whose address it finds there */
static const uint32_t cpu_code[] = {
    0xd2a80400,         /*     movz x0, #0x4020, lsl #16 */
    0xf9400001,         /* 1:  ldr  x1, [x0]             */
    0xb4ffffe1,         /*     cbz  x1, 1b               */
    0xd50b7e21,         /*     dc   civac, x1            */
    0xf900001f,         /*     str  xzr, [x0]            */
    0x17fffffc,         /*     b    1b                   */
};

static void maintain(Gpu *g, uint64_t pa)
{
    qtest_writeq(g->qts, MAILBOX_PA, g->ram + pa);
    while (qtest_readq(g->qts, MAILBOX_PA)) {
        g_usleep(100);
    }
}

/* Does the CPU see the enable mask of the front end in this entry? */
static bool sees_sample(Gpu *g, uint64_t ring_pa, unsigned slot)
{
    return mem(g, ring_pa + slot * G610_ENTRY + 256 + 8) == 0xffff;
}

static void test_ring_cache(void)
{
    static const char *const properties[2] = {
        "ring-cache=on," PLAIN, "ring-cache=on," PLAIN
    };
    const unsigned other = 0x100000;
    g_autofree char *code = temporary_file();
    g_autofree char *arguments = g_strdup_printf("-accel tcg -cpu cortex-a57 "
                                                 "-kernel %s", code);
    uint32_t word[ARRAY_SIZE(cpu_code)];
    unsigned i;
    Gpu *g[2];

    for (i = 0; i < ARRAY_SIZE(word); i++) {
        word[i] = cpu_to_le32(cpu_code[i]);
    }
    g_assert_true(g_file_set_contents(code, (char *)word, sizeof(word), NULL));
    gpu_start_several(g, 2, arguments, properties);
    for (i = 0; i < 2; i++) {
        gpu_boot_up(g[i]);
        enable(g[i], 4);
    }
    for (i = 0; i < 2; i++) {
        sample(g[i]);
        g_assert_false(sees_sample(g[i], RING_PA, 0));
    }
    for (i = 0; i < 2; i++) {
        maintain(g[i], RING_PA + 256);
        g_assert_true(sees_sample(g[i], RING_PA, 0));
    }

    /* A GPU has the pages of one ring only. */
    sample(g[0]);
    sample(g[1]);
    disable(g[0]);
    configure(g[0], 4);
    put(g[0], BASE, RING_VA + other);
    gpu_request(g[0], GLB_ENABLE, GLB_ENABLE);
    g_assert_true(sees_sample(g[0], RING_PA, 1));
    g_assert_false(sees_sample(g[1], RING_PA, 1));
    sample(g[0]);
    g_assert_false(sees_sample(g[0], RING_PA + other, 0));
    maintain(g[0], RING_PA + other + 256);
    g_assert_true(sees_sample(g[0], RING_PA + other, 0));

    qtest_quit(g[0]->qts);
    gpu_stopped(g[0], 0, 0);
    gpu_stopped(g[1], 0, 0);
    unlink(code);
}

void add_several_tests(void)
{
    qtest_add_func("/vmali/several/apart", test_apart);
    qtest_add_func("/vmali/several/names", test_names);
    qtest_add_func("/vmali/several/one-truth", test_one_truth);
    qtest_add_func("/vmali/several/ring-cache", test_ring_cache);
}
