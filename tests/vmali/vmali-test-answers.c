/*
 * QTest of the virtual Arm Mali CSF GPU: what firmware may do in several ways
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali-test-prfcnt.h"

#define ANSWER_NS       150000
#define CSHW_EN         (RING_PA + 256 + 8)

/* ---- The time of an answer ---- */

static void test_late(void)
{
    Gpu *g = gpu_boot(PLAIN ",answers=late");

    configure(g, 4);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    qtest_clock_step(g->qts, ANSWER_NS - 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    qtest_clock_step(g->qts, 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);

    /* Another doorbell does not make it faster. */
    gpu_toggle(g, GLB_SAMPLE);
    qtest_clock_step(g->qts, ANSWER_NS - 1);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
    qtest_clock_step(g->qts, 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_true(gpu_irq(g, SPI_JOB));
    check_entry(g, &layouts[0], 0, 1);
    gpu_stop(g, 0, 0);
}

/* Sleep or halt, with its own sample, before a requested one. */
static void test_overtaken(void)
{
    unsigned acks;

    for (acks = 0; acks < 2; acks++) {
        g_autofree char *properties =
            g_strdup_printf(PLAIN ",answers=late,overtaken-acks=%s",
                            acks ? "on" : "off");
        Gpu *g = gpu_boot(properties);

        configure(g, 4);
        gpu_request(g, GLB_ENABLE, GLB_ENABLE);
        qtest_clock_step(g->qts, ANSWER_NS);
        gpu_toggle(g, GLB_SAMPLE);
        gpu_set(g, "x-sleep", 1);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
        g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==,
                        (acks ? 0 : GLB_SAMPLE));
        g_assert_cmpuint(gpu_truth_count(g, "sample nr=1 enable=1 insert=0 "
                                         "reason=sleep "), ==, 1);
        qtest_clock_step(g->qts, 10 * ANSWER_NS);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);

        /* It wakes up, and serves what is still pending. */
        wr(g, DOORBELL(0), 1);
        qtest_clock_step(g->qts, ANSWER_NS);
        g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, acks ? 1 : 2);
        gpu_stop(g, 0, 0);
    }
}

/* ---- Cores that lose power ---- */

#define REQUESTS        60

/* Requests, and how many entries lack the block of the front end. */
static unsigned run(Gpu *g)
{
    unsigned i, without = 0;

    enable(g, 128);
    for (i = 0; i < REQUESTS; i++) {
        uint32_t extract = mem(g, g->in + EXTRACT);

        sample(g);
        for (; extract != mem(g, g->out + INSERT); extract++) {
            without += !mem(g, CSHW_EN + extract % 128 * G610_ENTRY);
        }
        consume(g, G610_ENTRY, 256, 128);
    }
    return without;
}

/* Entries in which this core was not written */
static unsigned lacking(Gpu *g, unsigned core)
{
    g_autofree char *line = g_strdup_printf("block SHADER %u ", core);

    return gpu_truth_count(g, "sample ") - gpu_truth_count(g, line);
}

static void test_core_off_one(void)
{
    Gpu *g = gpu_boot("core-off-sample=one,seed=7");
    unsigned without = run(g);

    /* Samples of cores that go off have nothing else, and lose nothing. */
    g_assert_cmpuint(without, >, 5);
    g_assert_cmpuint(gpu_truth_count(g, "sample ") -
                     gpu_truth_count(g, "block CSHW "), ==, without);
    g_assert_cmpuint(gpu_truth_count(g, "block TILER "), ==,
                     gpu_truth_count(g, "block CSHW "));
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_core_off_busy(void)
{
    Gpu *g = gpu_boot("core-off-sample=busy,seed=7,core-off=off");

    /* Cores are left out of samples, though none ever goes off. */
    g_assert_cmpuint(run(g), ==, 0);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
    g_assert_cmpuint(lacking(g, 0), >, 5);
    g_assert_cmpuint(lacking(g, 18), >, 5);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_core_off_none(void)
{
    Gpu *g = gpu_boot("core-off-sample=none,seed=7,auto-samples=0");

    run(g);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, REQUESTS);
    g_assert_cmpuint(lacking(g, 0), >, 3);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off "), >, 5);
    g_assert_cmpuint(gpu_truth_field(g, "lost ", "visible"), ==, 1);
    gpu_stop(g, 0, 0);

    /* Behind an automatic sample, nobody can see it. */
    g = gpu_boot("core-off-sample=none,seed=7");
    run(g);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), >, REQUESTS);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off "), >, 5);
    gpu_stop(g, 0, 0);
}

static void test_core_off_after(void)
{
    Gpu *g = gpu_boot("core-off-sample=after,seed=7");

    run(g);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), >, REQUESTS);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off "), >, 5);
    gpu_stop(g, 0, 0);
}

/* ---- A ring without room ---- */

static void overflow(Gpu *g)
{
    unsigned i;

    enable(g, 2);
    for (i = 0; i < 2; i++) {
        sample(g);
    }
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    consume(g, G610_ENTRY, 256, 2);
    put(g, REQ, mem(g, g->in + REQ) ^ GLB_OVERFLOW);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
}

static void test_full_ring(void)
{
    g_autofree char *properties = NULL;
    Gpu *g = gpu_boot(PLAIN);
    unsigned seed = 1;

    overflow(g);
    check_entry(g, &layouts[0], 0, 3);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);
    gpu_stop(g, 0, 0);

    g = gpu_boot(PLAIN ",full-ring=lose");
    overflow(g);
    check_entry(g, &layouts[0], 0, 4);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow enable=1 "
                                     "after=2"), ==, 1);
    gpu_stop(g, 0, 0);

    /* Only a core that goes off meanwhile loses anything. */
    while (cores_off(seed, 1, ~0ull) || !cores_off(seed, 3, ~0ull)) {
        seed++;
    }
    properties = g_strdup_printf("auto-samples=0,full-ring=lose-off,seed=%u",
                                 seed);
    g = gpu_boot(properties);
    overflow(g);
    check_cores(g, 0, cores_off(seed, 3, ~0ull));
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow enable=1 "
                                     "after=2 cores=0x"), ==, 1);
    gpu_stop(g, 0, 0);
}

void add_answer_tests(void)
{
    qtest_add_func("/vmali/answers/late", test_late);
    qtest_add_func("/vmali/answers/overtaken", test_overtaken);
    qtest_add_func("/vmali/core-off-sample/one", test_core_off_one);
    qtest_add_func("/vmali/core-off-sample/busy", test_core_off_busy);
    qtest_add_func("/vmali/core-off-sample/none", test_core_off_none);
    qtest_add_func("/vmali/core-off-sample/after", test_core_off_after);
    qtest_add_func("/vmali/full-ring", test_full_ring);
}
