/*
 * QTest of the virtual Arm Mali CSF GPU: what can be done to its counters
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-prfcnt.h"

static void test_injection(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    gpu_set(g, "x-delay-samples", 2);
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmpuint(gpu_get(g, "x-delay-samples"), ==, 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    gpu_set(g, "x-ack-now", 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_true(gpu_irq(g, SPI_JOB));
    sample(g);

    gpu_set(g, "x-auto-burst", 3);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    g_assert_cmpuint(gpu_truth_count(g, "overflow "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_delay_enables(void)
{
    Gpu *g = gpu_boot(PLAIN);

    /* Counters are on, only the answer is missing; taken back, they go off. */
    gpu_set(g, "x-delay-enables", 1);
    configure(g, 4);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_get(g, "x-delay-enables"), ==, 0);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, "enable nr=1 "), ==, 1);
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);

    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=1 "
                                     "after=0"), ==, 1);
    gpu_set(g, "x-delay-enables", 1);
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=2 "), ==, 1);
    g_assert_false(gpu_irq(g, SPI_JOB));
    gpu_set(g, "x-ack-now", 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_true(gpu_irq(g, SPI_JOB));
    gpu_stop(g, 0, 0);
}

static void test_clear_overflows(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 4);
    for (i = 0; i < 4; i++) {
        sample(g);
    }
    gpu_set(g, "x-clear-overflows", 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    consume_g610(g);
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, ALL_EVENTS), ==, 0);
    check_entry(g, &layouts[0], 0, 6);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=5 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow enable=1 "
                                     "after=4"), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=5 "), ==, 0);
    gpu_stop(g, 0, 0);
}

/* All that is new, from entry @first of a ring of eight, finds @off off. */
static void consume_cores(Gpu *g, uint32_t first, uint64_t off)
{
    uint32_t i;

    g_assert_cmpuint(mem(g, g->in + EXTRACT), ==, first);
    for (i = first; i < mem(g, g->out + INSERT); i++) {
        check_cores(g, i % 8, off);
    }
    g_assert_cmpuint(i, >, first);
    consume(g, G610_ENTRY, 256, 8);
}

static void test_lose_cores(void)
{
    const uint64_t last = RING_PA + (7 + 18) * 256;
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 8);
    gpu_set(g, "x-lose-cores", 2);

    /*
     * Not in the first sample, nor before its predecessor was consumed, nor
     * behind an automatic one, nor behind two, nor where the acknowledge came
     * later.
     */
    sample(g);
    sample(g);
    consume_cores(g, 0, 0);
    gpu_set(g, "x-auto-burst", 1);
    consume_cores(g, 2, 0);
    gpu_set(g, "x-auto-burst", 1);
    sample(g);
    consume_cores(g, 3, 0);
    gpu_set(g, "x-delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    gpu_set(g, "x-ack-now", 1);
    consume_cores(g, 5, 0);
    sample(g);
    consume_cores(g, 6, 0);
    g_assert_cmpuint(gpu_get(g, "x-lose-cores"), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);

    /* Then at once, in a sample of either kind. */
    gpu_set(g, "x-auto-burst", 1);
    g_assert_cmphex(mem(g, last + 7 * G610_ENTRY + 16), ==, POISON);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off enable=1 "
                                     "after=7"), ==, 1);
    consume_cores(g, 7, 1 << 18);
    sample(g);
    consume_cores(g, 8, 0);
    sample(g);
    consume_cores(g, 9, 1 << 18);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off enable=1 "
                                     "after=9"), ==, 1);

    /* It is back, and nothing is left of the fault. */
    sample(g);
    consume_cores(g, 10, 0);
    g_assert_cmpuint(gpu_get(g, "x-lose-cores"), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 2);
    gpu_stop(g, 0, 0);
}

/* The block of a core that is off keeps what a careless host left there. */
static void test_stale_core(void)
{
    const uint64_t last = RING_PA + (7 + 18) * 256;
    g_autofree char *properties = NULL;
    unsigned seed = 1;
    Gpu *g;

    while (!core_is_off(seed, 1, 18)) {
        seed++;
    }
    properties = g_strdup_printf("auto-samples=0,seed=%u", seed);
    g = gpu_boot(properties);
    set_mem(g, last + 8, 0xffff);
    set_mem(g, last + 16, 4711);
    enable(g, 4);
    sample(g);
    g_assert_cmphex(mem(g, last + 8), ==, 0xffff);
    g_assert_cmpuint(mem(g, last + 16), ==, 4711);
    g_assert_cmpuint(gpu_truth_count(g, "violation enable: entry 0 has 0xffff "
                                     "in PRFCNT_EN of SHADER 18"), ==, 1);
    gpu_stop(g, 1, 0);
}

static void boot_again(Gpu *g)
{
    set_mem(g, g->in + REQ, 0);
    set_mem(g, g->out + ACK, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
}

static void test_size_at_boot(void)
{
    Gpu *g = gpu_boot(PLAIN);

    gpu_set(g, "x-size-at-boot", 0x20034);
    g_assert_cmphex(mem(g, SHARED_PA + 0x18), ==, 0x10019);
    wr(g, MCU_CONTROL, 0);
    boot_again(g);
    g_assert_cmphex(mem(g, SHARED_PA + 0x18), ==, 0x20034);
    /* It is a lie: samples are what they were. */
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 1);
    gpu_stop(g, 0, 0);
}

static void test_hang(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "x-hang", 1);
    gpu_toggle(g, GLB_SAMPLE | GLB_PING);
    gpu_request(g, GLB_ENABLE | GLB_HALT, GLB_HALT);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE | GLB_PING | GLB_ENABLE), ==,
                    GLB_SAMPLE | GLB_PING | GLB_ENABLE);
    qtest_clock_step(g->qts, 3000000000ll);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "disable "), ==, 0);

    wr(g, MCU_CONTROL, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=hang enable=1 after=1"),
                     ==, 1);
    consume_g610(g);
    boot_again(g);
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 2);
    gpu_stop(g, 0, 0);
}

static void test_ring_fault(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "x-ring-faults", 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 1);
    g_assert_cmphex(rd(g, AS_REG(0, FAULTADDRESS)), ==, RING_VA + G610_ENTRY);
    /* Translation fault at level 3, of a write */
    g_assert_cmphex(rd(g, AS_REG(0, FAULTSTATUS)) & 0x3ff, ==, 0x3c3);
    /* The firmware did not survive that. */
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=hang enable=1 after=1"),
                     ==, 1);
    gpu_stop(g, 0, 0);
}

/* Which of the ways to switch counters off lose what was counted? */
static void test_lost(void)
{
    Gpu *g = gpu_boot(PLAIN);

    /* Halted behind a sample: none. */
    enable(g, 4);
    sample(g);
    disable(g);
    gpu_request(g, GLB_HALT, GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    consume_g610(g);
    boot_again(g);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);

    /* Halted with a sample that was not answered. */
    enable(g, 4);
    gpu_set(g, "x-delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    disable(g);
    gpu_request(g, GLB_HALT, GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    consume_g610(g);
    boot_again(g);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=2 "
                                     "after=2"), ==, 1);

    /* Off and on. */
    enable(g, 4);
    disable(g);
    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=3 "
                                     "after=2"), ==, 1);

    /* Reset while they are on, and while they are off. */
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=reset enable=4 after=2"),
                     ==, 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 3);
    gpu_stop(g, 0, 0);
}

static void test_bad_insert(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "x-bad-insert", 12345);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 12345);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    gpu_stop(g, 0, 0);
}

static void test_saturate(void)
{
    Gpu *g = gpu_boot(PLAIN ",x-saturate=on");
    unsigned i, full = 0;

    enable(g, 4);
    sample(g);
    for (i = 4; i < 64; i++) {
        uint32_t value = mem(g, RING_PA + 256 + 4 * i);
        uint32_t plain = delta(1, 1, CSHW, 0, i);

        g_assert_cmphex(value, ==, plain >> 28 == 0xf ? UINT32_MAX : plain);
        full += value == UINT32_MAX;
    }
    g_assert_cmpuint(full, >, 0);
    gpu_stop(g, 0, 0);
}

static void test_skew(void)
{
    Gpu *g = gpu_boot(PLAIN ",x-skew=MEMSYS:2:4");
    uint32_t i;

    enable(g, 4);
    for (i = 0; i < 3; i++) {
        sample(g);
        check_entry(g, &layouts[0], i, i + 1);
    }
    /* The first requested sample is where a host begins to count. */
    for (i = 0; i < 3; i++) {
        g_autofree char *line =
            g_strdup_printf("block MEMSYS 2 en=0x0000ffff %u ",
                            delta(1, i + 1, MEMSYS, 2, 4) + (i == 1));

        g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    }
    gpu_stop(g, 0, 0);
}

/* An acknowledge without a sample: the counts are in the next one. */
static void test_skip_samples(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "x-skip-samples", 1);
    gpu_set(g, "x-auto-burst", 1);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    g_assert_cmpuint(gpu_get(g, "x-skip-samples"), ==, 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    g_assert_cmpuint(gpu_get(g, "x-skip-samples"), ==, 0);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    check_entry(g, &layouts[0], 2, 3);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=skipped enable=1 "
                                     "after=2"), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* A disable without effect and answer: counters survive halt and boot. */
static void test_ignore_disables(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 8);
    sample(g);
    gpu_set(g, "x-ignore-disables", 1);
    gpu_request(g, GLB_ENABLE, 0);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_get(g, "x-ignore-disables"), ==, 0);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    gpu_request(g, GLB_HALT, GLB_HALT);
    put(g, REQ, mem(g, g->in + REQ) & ~GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_cmpuint(gpu_truth_count(g, "disable "), ==, 0);

    /* The boot finds it again, and carries it out. */
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* ---- Sleep, power of single cores ---- */

static void test_sleep(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 8);
    sample(g);
    for (i = 0; i < 2; i++) {
        if (i) {
            gpu_toggle(g, GLB_SLEEP);
            g_assert_cmphex(gpu_pending(g, GLB_SLEEP), ==, 0);
        } else {
            gpu_set(g, "x-sleep", 1);
        }
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
        g_assert_cmphex(rd(g, 0x140), ==, 0);
            check_entry(g, &layouts[0], 2 * i + 1, 2 * i + 2);
        qtest_clock_step(g->qts, 3000000000ll);

        /* If the host asked for sleep, doorbells only tell of themselves. */
        if (i) {
            g_assert_cmphex(rd(g, MCU_CONTROL), ==, 1u << 31 | 2);
            wr(g, GPU_IRQ + CLEAR, ~0);
            wr(g, DOORBELL(0), 1);
            g_assert_cmphex(rd(g, GPU_IRQ + RAWSTAT), ==, 1 << 18);
            g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
            wr(g, MCU_CONTROL, 2);
        }
        g_assert_cmphex(rd(g, MCU_CONTROL), ==, 2);

        /* A doorbell wakes it, and counters are as they were. */
        sample(g);
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
        g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
        check_entry(g, &layouts[0], 2 * i + 2, 2 * i + 3);
    }
    g_assert_cmpuint(gpu_truth_count(g, "enable "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sleep timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "wake timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=sleep "), ==, 1);

    /* Any change of the bit is a request. */
    gpu_toggle(g, GLB_SLEEP);
    g_assert_cmphex(mem(g, g->out + ACK) & GLB_SLEEP, ==, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
    wr(g, MCU_CONTROL, 2);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);

    /* Asleep is not halted: what a reset takes is lost. */
    gpu_set(g, "x-sleep", 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=reset enable=1 after=7"),
                     ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_core_power(void)
{
    Gpu *g = gpu_boot(PLAIN);

    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
    gpu_set(g, "x-core-power", ~4u);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50001);
    gpu_set(g, "x-core-power", ~0u);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);

    /* With counters on, a sample comes before a core goes off. */
    enable(g, 8);
    sample(g);
    gpu_set(g, "x-core-power", 0x40001);
    g_assert_cmphex(rd(g, 0x140), ==, 0x40001);
    check_cores(g, 1, 0);
    sample(g);
    check_cores(g, 2, 0x10004);
    gpu_set(g, "x-core-power", ~0u);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    sample(g);
    check_cores(g, 3, 0);
    g_assert_cmpuint(gpu_truth_count(g, "cores on=0x40001 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=power-off "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* SHADER_READY has the cores that the next sample will find on. */
static void test_cores_ready(void)
{
    Gpu *g = gpu_boot("auto-samples=0,seed=7");
    uint64_t nr, off = cores_off(7, 1, ~0ull);
    unsigned seen = 0;

    enable(g, 128);
    for (nr = 1; nr <= 40; nr++) {
        g_assert_cmphex(rd(g, 0x140), ==, 0x50005 & ~off);
        seen += off != 0;
        gpu_set(g, "x-auto-burst", 1);
        check_cores(g, nr - 1, off);
        off = cores_off(7, nr + 1, ~0ull);
    }
    g_assert_cmpuint(seen, >, 5);
    disable(g);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
    gpu_stop(g, 0, 0);
}

void add_inject_tests(void)
{
    qtest_add_func("/vmali/prfcnt/injection", test_injection);
    qtest_add_func("/vmali/prfcnt/bad-insert", test_bad_insert);
    qtest_add_func("/vmali/prfcnt/delay-enables", test_delay_enables);
    qtest_add_func("/vmali/prfcnt/clear-overflows", test_clear_overflows);
    qtest_add_func("/vmali/prfcnt/lose-cores", test_lose_cores);
    qtest_add_func("/vmali/prfcnt/stale-core", test_stale_core);
    qtest_add_func("/vmali/prfcnt/size-at-boot", test_size_at_boot);
    qtest_add_func("/vmali/prfcnt/hang", test_hang);
    qtest_add_func("/vmali/prfcnt/ring-fault", test_ring_fault);
    qtest_add_func("/vmali/prfcnt/lost", test_lost);
    qtest_add_func("/vmali/prfcnt/saturate", test_saturate);
    qtest_add_func("/vmali/prfcnt/skew", test_skew);
    qtest_add_func("/vmali/prfcnt/skip-samples", test_skip_samples);
    qtest_add_func("/vmali/prfcnt/ignore-disables", test_ignore_disables);
    qtest_add_func("/vmali/prfcnt/sleep", test_sleep);
    qtest_add_func("/vmali/prfcnt/core-power", test_core_power);
    qtest_add_func("/vmali/prfcnt/cores-ready", test_cores_ready);
}
