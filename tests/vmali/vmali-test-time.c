/*
 * QTest of the virtual Arm Mali CSF GPU: time, clocks, device tree
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test.h"

#define TIMESTAMP_OFFSET 0x88
#define CYCLE_COUNT     0x90
#define TIMESTAMP       0x98
#define CLOCK_RATE(n)   (0x1f0000 + 4 * (n))

#define BUS_NODE        "/platform-bus@c000000"
#define GPU_NODE        BUS_NODE "/gpu@0"
#define CLOCKS_NODE     BUS_NODE "/clock-controller@1f0000"

#define SECOND          1000000000ll

static void test_timestamp(void)
{
    Gpu *g = gpu_boot("timestamp-hz=1000000,timestamp-offset=7000000000");
    uint64_t t0 = rd64(g, TIMESTAMP);

    g_assert_cmpuint(t0, >=, 7000000000);
    qtest_clock_step(g->qts, SECOND);
    g_assert_cmpuint(rd64(g, TIMESTAMP), ==, t0 + 1000000);
    wr(g, TIMESTAMP_OFFSET, 5);
    wr(g, TIMESTAMP_OFFSET + 4, 1);
    g_assert_cmphex(rd64(g, TIMESTAMP_OFFSET), ==, 0x100000005);
    g_assert_cmpuint(rd64(g, TIMESTAMP), ==, t0 + 1000000 + 0x100000005);

    /* What the host wrote ends with a reset, what the board adds does not. */
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(rd64(g, TIMESTAMP), ==, t0 + 1000000);
    gpu_set(g, "timestamp-offset", 0);
    g_assert_cmpuint(rd64(g, TIMESTAMP), ==, t0 + 1000000 - 7000000000);
    gpu_set(g, "timestamp-offset", 9);
    g_assert_cmpuint(gpu_truth_field(g, "timestamp offset=9 ", "timestamp"),
                     ==, rd64(g, TIMESTAMP));
    gpu_stop(g, 0, 0);
}

/* What GPU_ACK says about the cycle counter is what it does. */
static void check_counting(Gpu *g, bool on, uint64_t hz)
{
    uint64_t before = rd64(g, CYCLE_COUNT);

    g_assert_cmphex(mem(g, g->out + ACK) & GLB_COUNTER, ==,
                    (on ? GLB_COUNTER : 0));
    qtest_clock_step(g->qts, SECOND / 1000);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==,
                     before + (on ? hz / 1000 : 0));
}

static void test_cycle_count(void)
{
    Gpu *g = gpu_boot("core-hz=2000000");

    check_counting(g, false, 2000000);
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    g_assert_cmphex(gpu_pending(g, GLB_COUNTER), ==, 0);
    check_counting(g, true, 2000000);
    gpu_request(g, GLB_COUNTER, 0);
    check_counting(g, false, 2000000);
    g_assert_cmpuint(gpu_truth_field(g, "cycle-count state=off", "cycles"),
                     ==, 2000);

    /* It goes on from there, and stops with the firmware. */
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    check_counting(g, true, 2000000);
    wr(g, MCU_CONTROL, 0);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 4000);
    wr(g, MCU_CONTROL, 2);
    check_counting(g, false, 2000000);
    g_assert_cmphex(gpu_pending(g, GLB_COUNTER), ==, GLB_COUNTER);
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    check_counting(g, true, 2000000);
    g_assert_cmpuint(gpu_truth_count(g, "cycle-count state=on "), ==, 3);

    /* Nothing is left behind a reset, and behind a loss of power. */
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "cycle-count state=zero cycles=0 "),
                     ==, 1);
    gpu_power_on(g);
    gpu_as_enable(g, TRANSCFG_4K);
    wr(g, MCU_CONTROL, 2);
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    check_counting(g, true, 2000000);
    wr(g, MCU_CONTROL, 0);
    wr(g, L2_PWROFF, 1);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "cycle-count state=zero cycles=0 "),
                     ==, 2);
    gpu_stop(g, 0, 0);
}

/* The counter may run whether the host wants it to or not. */
static void test_cycles_always(void)
{
    Gpu *g = gpu_boot("core-hz=2000000,cycles-always=on");
    uint64_t before = rd64(g, CYCLE_COUNT);

    qtest_clock_step(g->qts, SECOND);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT) - before, ==, 2000000);
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    qtest_clock_step(g->qts, SECOND);
    gpu_request(g, GLB_COUNTER, 0);
    qtest_clock_step(g->qts, SECOND);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT) - before, ==, 6000000);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 0);
    qtest_clock_step(g->qts, SECOND);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 2000000);
    gpu_stop(g, 0, 0);
}

static void test_rates(void)
{
    Gpu *g = gpu_boot("core-hz=3,clocks=3,stacks-hz=300000000");

    g_assert_cmpuint(rd(g, CLOCK_RATE(0)), ==, 3);
    g_assert_cmpuint(rd(g, CLOCK_RATE(1)), ==, 450000000);
    g_assert_cmpuint(rd(g, CLOCK_RATE(2)), ==, 300000000);
    g_assert_cmpuint(gpu_truth_count(g, "clock name="), ==, 3);

    /* 1.5 + 2.5 + 4294967295 / 4 cycles: parts of one are not lost. */
    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    qtest_clock_step(g->qts, SECOND / 2);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 1);
    wr(g, CLOCK_RATE(0), 5);
    g_assert_cmpuint(rd(g, CLOCK_RATE(0)), ==, 5);
    qtest_clock_step(g->qts, SECOND / 2);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 4);
    gpu_set(g, "core-hz", UINT32_MAX);
    qtest_clock_step(g->qts, SECOND / 4);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==, 4 + UINT32_MAX / 4);
    g_assert_cmpuint(gpu_truth_field(g, "clock name=core hz=5 ", "cycles"),
                     ==, 1);
    g_assert_cmpuint(gpu_truth_field(g, "clock name=core hz=4294967295 ",
                                     "cycles"), ==, 4);

    /* Long sums, and a rate that does not change. */
    qtest_clock_step(g->qts, 100000 * SECOND);
    g_assert_cmpuint(rd64(g, CYCLE_COUNT), ==,
                     4 + UINT32_MAX / 4 + 100000ull * UINT32_MAX);
    gpu_set(g, "core-hz", UINT32_MAX);
    gpu_set(g, "coregroup-hz", 7);
    wr(g, CLOCK_RATE(2), 8);
    g_assert_cmpuint(gpu_truth_count(g, "clock name=core "), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "clock name=coregroup hz=7 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "clock name=stacks hz=8 "), ==, 1);

    wr(g, CLOCK_RATE(1), 0);
    g_assert_cmpuint(rd(g, CLOCK_RATE(1)), ==, 7);
    g_assert_cmphex(rd(g, CLOCK_RATE(3)), ==, 0);
    gpu_stop(g, 1, 1);

    /* Registers of clocks that do not exist are no registers. */
    g = gpu_start("clocks=2");
    rd(g, CLOCK_RATE(1));
    rd(g, CLOCK_RATE(2));
    gpu_stop(g, 0, 1);
}

/* ---- Device tree ---- */

static void check_strings(Gpu *g, const char *node, const char *name,
                          const char *want, uint32_t want_size)
{
    uint32_t size;
    g_autofree uint8_t *value = gpu_fdt(g, node, name, &size);

    g_assert_nonnull(value);
    g_assert_cmpmem(value, size, want, want_size);
}

static void check_cell(Gpu *g, const char *node, const char *name, unsigned n,
                       uint32_t want)
{
    uint32_t size;
    g_autofree uint8_t *value = gpu_fdt(g, node, name, &size);

    g_assert_nonnull(value);
    g_assert_cmpuint(size, >, 4 * n);
    g_assert_cmphex((uint32_t)ldl_be_p(value + 4 * n), ==, want);
}

static uint32_t cells(Gpu *g, const char *node, const char *name)
{
    uint32_t size;
    g_autofree uint8_t *value = gpu_fdt(g, node, name, &size);

    return value ? size / 4 : 0;
}

static void test_fixed_clocks(void)
{
    Gpu *g = gpu_start("core-hz=600000000");

    check_strings(g, GPU_NODE, "clock-names", "core", 5);
    g_assert_cmpuint(cells(g, GPU_NODE, "clocks"), ==, 1);
    check_cell(g, "/vmali-core-clock-0", "clock-frequency", 0, 600000000);
    check_cell(g, "/vmali-opp-table-0/opp-600000000", "opp-hz", 1, 600000000);
    g_assert_cmpuint(cells(g, "/vmali-opp-table-0/opp-300000000", "opp-hz"),
                     ==, 0);
    g_assert_cmpuint(cells(g, CLOCKS_NODE, "reg"), ==, 0);
    gpu_stop(g, 0, 0);

    g = gpu_start("clocks=3,stacks-hz=5");
    check_strings(g, GPU_NODE, "clock-names", "core\0coregroup\0stacks", 22);
    g_assert_cmpuint(cells(g, GPU_NODE, "clocks"), ==, 3);
    check_cell(g, "/vmali-coregroup-clock-0", "clock-frequency", 0, 450000000);
    check_cell(g, "/vmali-stacks-clock-0", "clock-frequency", 0, 5);
    gpu_stop(g, 0, 0);
}

static void test_clock_provider(void)
{
    Gpu *g = gpu_start("clocks=2,clock-provider=on,core-hz=600000000");
    uint32_t size, i;
    g_autofree uint8_t *phandle = gpu_fdt(g, CLOCKS_NODE, "phandle", &size);

    g_assert_nonnull(phandle);
    check_strings(g, CLOCKS_NODE, "compatible", "panthor-perf,vmali-clocks",
                  26);
    check_strings(g, CLOCKS_NODE, "clock-output-names", "core\0coregroup", 15);
    check_cell(g, CLOCKS_NODE, "#clock-cells", 0, 1);
    check_cell(g, CLOCKS_NODE, "reg", 0, 0x1f0000);
    check_strings(g, GPU_NODE, "clock-names", "core\0coregroup", 15);
    g_assert_cmpuint(cells(g, GPU_NODE, "clocks"), ==, 4);
    for (i = 0; i < 2; i++) {
        check_cell(g, GPU_NODE, "clocks", 2 * i,
                   (uint32_t)ldl_be_p(phandle));
        check_cell(g, GPU_NODE, "clocks", 2 * i + 1, i);
    }
    check_cell(g, "/vmali-opp-table-0/opp-600000000", "opp-hz", 1, 600000000);
    check_cell(g, "/vmali-opp-table-0/opp-450000000", "opp-hz", 1, 450000000);
    check_cell(g, "/vmali-opp-table-0/opp-375000000", "opp-hz", 1, 375000000);
    check_cell(g, "/vmali-opp-table-0/opp-300000000", "opp-hz", 1, 300000000);
    g_assert_cmpuint(cells(g, "/vmali-core-clock-0", "clock-frequency"), ==,
                     0);
    gpu_stop(g, 0, 0);
}

/* Memory is coherent where both the register and the device tree say so. */
static void test_coherency(void)
{
    static const struct {
        const char *properties;
        bool coherent;
    } c[] = {
        { "", false }, { "coherent=off", false }, { "coherent=on", true },
        { "gpu-id=0xb8520000,shader-present=0x7ff", false },
        { "gpu-id=0xb8520000,shader-present=0x7ff,coherent=on", true },
    };
    uint32_t size, i;

    for (i = 0; i < ARRAY_SIZE(c); i++) {
        Gpu *g = gpu_boot(c[i].properties);
        g_autofree uint8_t *on = gpu_fdt(g, GPU_NODE, "dma-coherent", &size);
        g_autofree uint8_t *off = gpu_fdt(g, GPU_NODE, "dma-noncoherent",
                                          &size);

        g_assert_cmphex(rd(g, 0x300), ==, c[i].coherent);
        g_assert_cmpint(on != NULL, ==, c[i].coherent);
        g_assert_cmpint(off != NULL, ==, !c[i].coherent);
        gpu_stop(g, 0, 0);
    }
}

void add_time_tests(void)
{
    qtest_add_func("/vmali/time/timestamp", test_timestamp);
    qtest_add_func("/vmali/time/cycle-count", test_cycle_count);
    qtest_add_func("/vmali/time/cycles-always", test_cycles_always);
    qtest_add_func("/vmali/time/rates", test_rates);
    qtest_add_func("/vmali/fdt/fixed-clocks", test_fixed_clocks);
    qtest_add_func("/vmali/fdt/clock-provider", test_clock_provider);
    qtest_add_func("/vmali/fdt/coherency", test_coherency);
}
