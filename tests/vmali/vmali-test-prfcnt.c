/*
 * QTest of the virtual Arm Mali CSF GPU: performance counters
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali-test-prfcnt.h"

static void test_layout(const void *data)
{
    const Layout *l = data;
    g_autofree char *properties = g_strdup_printf("%s%s" PLAIN, l->properties,
                                                  *l->properties ? "," : "");
    uint32_t entries = l->config & 0xff, total = 0, i;
    Gpu *g = gpu_boot(properties);

    /* The size word knows nothing of the metadata block. */
    for (i = FW; i < NUM_TYPES; i++) {
        total += l->count[i];
    }
    i = mem(g, SHARED_PA + 0x18);
    g_assert_cmphex(i, ==, l->size_word);
    g_assert_cmphex((i >> 16) + (i & 0xffff), ==, total * l->words / 64);
    total += l->count[METADATA];
    g_assert_cmphex(mem(g, SHARED_PA + 0x20), ==,
                    (strstr(l->properties, "metadata") ? l->words / 64 : 0));

    enable(g, l->config);
    for (i = 0; i < entries + 1; i++) {
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, i + 1);
        check_entry(g, l, i % entries, i + 1);
        consume(g, total * l->words * 4, l->words * 4, entries);
        /* A correct host answers events by copying, without a doorbell. */
        put(g, REQ, (mem(g, g->in + REQ) & ~GLB_THRESHOLD) |
                    (mem(g, g->out + ACK) & GLB_THRESHOLD));
    }
    disable(g);
    gpu_stop(g, 0, 0);
}

static void test_masks(void)
{
    Gpu *g = gpu_boot(PLAIN);
    uint64_t cshw = RING_PA + 256, tiler = RING_PA + 2 * 256;

    configure(g, 4);
    put(g, CSF_EN, 0x83);
    put(g, TILER_EN, 0);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    sample(g);
    g_assert_cmphex(mem(g, cshw + 8), ==, 0x83);
    g_assert_cmphex(mem(g, cshw + 4 * 4), ==, delta(1, 1, CSHW, 0, 4));
    g_assert_cmphex(mem(g, cshw + 4 * 8), ==, 0);
    g_assert_cmphex(mem(g, cshw + 4 * 31), ==, delta(1, 1, CSHW, 0, 31));
    g_assert_cmphex(mem(g, tiler + 8), ==, 0);
    g_assert_cmphex(mem(g, tiler + 4 * 4), ==, POISON);
    g_assert_cmpuint(gpu_truth_count(g, "block CSHW 0 en=0x00000083 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "block TILER"), ==, 0);
    gpu_stop(g, 1, 0);          /* the empty mask is one */
}

/* A bit of a mask stands for two words; the others keep what they had. */
static void test_narrow_masks(void)
{
    Gpu *g = gpu_boot("counters-per-enable=2,keep-excluded=on," PLAIN);
    uint64_t cshw = RING_PA + 256;

    configure(g, 4);
    put(g, CSF_EN, 0x80000087);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    sample(g);
    g_assert_cmphex(mem(g, cshw + 8), ==, 0x80000087);
    g_assert_cmphex(mem(g, cshw + 4 * 4), ==, delta(1, 1, CSHW, 0, 4));
    g_assert_cmphex(mem(g, cshw + 4 * 5), ==, delta(1, 1, CSHW, 0, 5));
    g_assert_cmphex(mem(g, cshw + 4 * 6), ==, POISON);
    g_assert_cmphex(mem(g, cshw + 4 * 13), ==, POISON);
    g_assert_cmphex(mem(g, cshw + 4 * 14), ==, delta(1, 1, CSHW, 0, 14));
    g_assert_cmphex(mem(g, cshw + 4 * 16), ==, POISON);
    g_assert_cmphex(mem(g, cshw + 4 * 61), ==, POISON);
    g_assert_cmphex(mem(g, cshw + 4 * 63), ==, delta(1, 1, CSHW, 0, 63));
    gpu_stop(g, 0, 0);
}

/* THRESHOLD comes with the third of four entries, not with the second. */
static void test_late_threshold(void)
{
    Gpu *g = gpu_boot("threshold-quarters=3," PLAIN);

    enable(g, 4);
    sample(g);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    gpu_stop(g, 0, 0);
}

/* With a timer of 0 the host switches cores, and nothing goes off. */
static void test_host_power(void)
{
    Gpu *g = gpu_boot("auto-samples=2,seed=7");
    unsigned i;

    configure(g, 128);
    put(g, PWROFF_TIMER, 0);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    for (i = 0; i < 20; i++) {
        sample(g);
    }
    for (i = 0; i < mem(g, g->out + INSERT); i++) {
        check_cores(g, i, 0);
    }
    g_assert_cmpuint(i, >, 20);
    gpu_stop(g, 0, 0);
}

static void test_core_off(void)
{
    Gpu *g = gpu_boot("auto-samples=2,seed=7");
    unsigned i, went = 0, came = 0, stayed = 0, blocks = 0;
    uint64_t may_go_off = ~0ull, was_off = 0, nr = 1;

    enable(g, 128);
    for (i = 0; i < 60; i++) {
        unsigned n = automatic(7, nr, 2);
        uint64_t first = nr;

        sample(g);
        for (; nr <= first + n; nr++) {
            uint64_t off = cores_off(7, nr, may_go_off);

            check_cores(g, (nr - 1) % 128, off);
            went += ctpop64(off & ~was_off);
            came += ctpop64(was_off & ~off);
            stayed += ctpop64(was_off & off);
            blocks += 4 - ctpop64(off);
            may_go_off = nr == first + n ? off : ~0ull;
            was_off = off;
        }
        consume(g, G610_ENTRY, 256, 128);
    }
    g_assert_cmpuint(went, >, 10);
    g_assert_cmpuint(came, >, 10);
    g_assert_cmpuint(stayed, >, 0);
    g_assert_cmpuint(gpu_truth_count(g, "block SHADER "), ==, blocks);
    gpu_stop(g, 0, 0);
}

/* Behind requested samples nothing goes off; a new enable starts anew. */
static void test_core_stays_on(void)
{
    Gpu *g = gpu_boot("auto-samples=0,seed=7");
    uint64_t may_go_off = ~0ull, nr;

    enable(g, 4);
    for (nr = 1; nr <= 40; nr++) {
        sample(g);
        may_go_off = cores_off(7, nr, may_go_off);
        check_cores(g, (nr - 1) % 4, may_go_off);
        consume_g610(g);
    }
    g_assert_cmphex(may_go_off, ==, 0);

    while (!cores_off(7, nr, ~0ull)) {
        sample(g);
        check_cores(g, (nr - 1) % 4, 0);
        consume_g610(g);
        nr++;
    }
    disable(g);
    enable(g, 4);
    sample(g);
    check_cores(g, 0, cores_off(7, nr, ~0ull));
    gpu_stop(g, 0, 0);
}

static void test_automatic(void)
{
    Gpu *g = gpu_boot("auto-samples=3,core-off=off,seed=3");
    uint64_t nr = 1, last = 0;
    unsigned on = 0, i, n;

    enable(g, 128);
    for (i = 0; i < 16; i++) {
        uint32_t before = mem(g, g->out + INSERT);

        n = automatic(3, nr, 3);
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, before + n + 1);
        for (; n; n--) {
            on += is_power_on(3, nr++);
        }
        nr++;
    }
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, nr - 1);
    for (i = 0; i < nr - 1; i++) {
        uint64_t at = RING_PA + i * G610_ENTRY;
        uint64_t t = mem(g, at) | (uint64_t)mem(g, at + 4) << 32;

        g_assert_cmphex(mem(g, at + 16), ==, delta(3, i + 1, FW, 0, 4));
        g_assert_cmpuint(t, >, last);
        last = t;
    }
    g_assert_cmpuint(on, >, 0);
    gpu_stop(g, 0, 0);
}

/* ---- Ring ---- */

static void test_threshold(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    /* Pending: the next one does not take it back. */
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    put(g, REQ, mem(g, g->in + REQ) ^ GLB_THRESHOLD);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    consume_g610(g);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_overflow(void)
{
    const Layout *l = &layouts[0];
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 4);
    for (i = 0; i < 4; i++) {
        sample(g);
    }
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_true(gpu_irq(g, SPI_JOB));

    /* Neither another doorbell nor room alone help. */
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    consume_g610(g);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);

    /* Acknowledged, with room, and rung: served, nothing was lost. */
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, ALL_EVENTS), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 5);
    check_entry(g, l, 0, 5);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=5 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=5 "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_automatic_overflow(void)
{
    /*
     * A sample that three automatic ones would come before finds no room;
     * when it is tried again, by its number there would be some again.
     */
    unsigned seed = 1;
    g_autofree char *properties = NULL;
    Gpu *g;

    while (automatic(seed, 1, 3) != 3 || !automatic(seed, 3, 3)) {
        seed++;
    }
    properties = g_strdup_printf("auto-samples=3,core-off=off,seed=%u", seed);
    g = gpu_boot(properties);
    enable(g, 2);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);

    /* With room, the request comes first: no automatic one is taken again. */
    consume(g, G610_ENTRY, 256, 2);
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=3 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=1 insert=2 "
                                     "reason=manual "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_disable(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    sample(g);
    disable(g);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    wr(g, DOORBELL(0), 1);

    /* Numbers go on, indices start again; unread entries must be cleared. */
    consume_g610(g);
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 3);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=2 insert=0 "), ==,
                     1);
    gpu_stop(g, 0, 0);
}

static void test_wrap(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 1);
    for (i = 1; i <= 9; i++) {
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, i);
        check_entry(g, &layouts[0], 0, i);
        consume(g, G610_ENTRY, 256, 1);
        put(g, REQ, (mem(g, g->in + REQ) & ~GLB_THRESHOLD) |
                    (mem(g, g->out + ACK) & GLB_THRESHOLD));
    }
    gpu_stop(g, 0, 0);
}

static void halt(Gpu *g)
{
    gpu_request(g, GLB_HALT, GLB_HALT);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
    put(g, REQ, mem(g, g->in + REQ) & ~GLB_HALT);
    wr(g, MCU_CONTROL, 0);
}

/* Counters that nobody disabled go on after a warm boot, in the same ring. */
static void test_warm_boot(void)
{
    Gpu *g = gpu_boot(PLAIN ",metadata=on");
    const uint32_t entry = G610_ENTRY + 256;

    enable(g, 8 | 1 << 10);
    sample(g);
    halt(g);
    g_assert_cmphex(mem(g, RING_PA + entry + 12), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "disable "), ==, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    g_assert_cmphex(mem(g, RING_PA + 2 * entry + 12), ==, 6);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=halt "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=1 insert=2 "
                                     "reason=boot "), ==, 1);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_cmphex(mem(g, RING_PA + 3 * entry + 12), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);

    /* A stop without a halt: what was counted is lost. */
    wr(g, MCU_CONTROL, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=reset enable=1 after=4"),
                     ==, 1);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 5);

    /* What the host disables while the firmware is stopped is disabled. */
    halt(g);
    put(g, REQ, mem(g, g->in + REQ) & ~GLB_ENABLE);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* Firmware that was loaded again knows nothing of counters. */
static void test_cold_boot(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    halt(g);
    g_assert_cmpuint(gpu_truth_count(g, "disable "), ==, 0);
    put(g, REQ, 0);
    set_mem(g, g->out + ACK, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, 1);
    consume_g610(g);
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 2);
    gpu_stop(g, 0, 0);
}

/* With keep-enable=off the enable has no effect after a boot. */
static void test_forgotten_enable(void)
{
    Gpu *g = gpu_boot(PLAIN ",keep-enable=off");

    enable(g, 4);
    halt(g);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    wr(g, MCU_CONTROL, 2);
    wr(g, DOORBELL(0), 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_SAMPLE requested "
                                     "with counters off"), ==, 1);
    gpu_stop(g, 1, 0);
}

/* ---- Hosts that break the protocol ---- */

typedef struct {
    const char *name;
    InputWord change;
    bool refused;
    const char *text;
} EnableCase;

static const EnableCase enable_cases[] = {
    { "extract", { EXTRACT, 3 }, false, "enable: EXTRACT is 3" },
    { "size-0", { CONFIG, 0 }, true, "enable: 0 entries" },
    { "size-3", { CONFIG, 3 }, true, "enable: 3 entries" },
    { "set-3", { CONFIG, 4 | 3 << 8 }, false, "enable: counter set 3" },
    { "reserved", { CONFIG, 4 | 1 << 11 }, false, "enable: CONFIG 0x804" },
    { "unaligned", { BASE, RING_VA + 1024 }, true, "enable: BASE " },
    { "unmapped", { BASE, 0x06000000 }, true, "enable: address space 0 " },
    { "read-only", { BASE, RING_VA + RING_MAX }, true, "enable: address sp" },
    { "half-mapped", { BASE, RING_VA + RING_MAX - 0x5000 }, true,
      "enable: address space 0 " },
    { "bad-as", { JASID, 9 }, true, "enable: address space 9 " },
    { "mask", { SHADER_EN, ~1u }, false, "enable: SHADER_EN 0xfffffffe" },
};

static void test_bad_enable(const void *data)
{
    const EnableCase *c = data;
    g_autofree char *line = g_strdup_printf("violation %s", c->text);
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    for (i = 0; i < 16; i++) {
        gpu_map(g, RING_VA + RING_MAX + 0x1000 * i, 3,
                (RING_PA + 0x1000 * i) | PTE_PAGE | PTE_AF | PTE_RO);
    }
    configure(g, 4);
    put(g, c->change.offset, c->change.value);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==,
                    (c->refused ? GLB_ENABLE : 0));
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    gpu_stop(g, 1, 0);
}

static void test_stale_enable(void)
{
    Gpu *g = gpu_boot(PLAIN);

    set_mem(g, RING_PA + 2 * G610_ENTRY + 256 + 8, 2);
    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "violation enable: entry 2 has 0x2 in "
                                     "PRFCNT_EN of CSHW 0"), ==, 1);
    gpu_stop(g, 1, 0);
}

typedef struct {
    const char *name;
    InputWord change;
    const char *text;
} ChangeCase;

static const ChangeCase change_cases[] = {
    { "base", { BASE, RING_VA + 0x800 }, "BASE changed from" },
    { "jasid", { JASID, 1 }, "JASID changed from" },
    { "config", { CONFIG, 8 }, "CONFIG changed from" },
    { "csg-select", { CSG_SELECT, 1 }, "CSG_SELECT changed from" },
    { "mask", { MMU_L2_EN, 3 }, "MMU_L2_EN changed from" },
    { "beyond", { EXTRACT, 3 }, "EXTRACT 3 is beyond INSERT" },
    { "backwards", { EXTRACT, -1u }, "EXTRACT 4294967295 is backwards" },
    { "uncleared", { EXTRACT, 1 }, "EXTRACT moved past: entry 0 has 0xffff in "
      "PRFCNT_EN of FW 0" },
};

static void test_bad_change(const void *data)
{
    const ChangeCase *c = data;
    g_autofree char *line = g_strdup_printf("violation %s", c->text);
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    sample(g);
    put(g, c->change.offset, c->change.value);
    wr(g, DOORBELL(0), 1);
    g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    /* Told once, and the configuration of the enable goes on. */
    sample(g);
    check_entry(g, &layouts[0], 2, 3);
    gpu_stop(g, 1, 0);
}

static void test_bad_requests(void)
{
    Gpu *g = gpu_boot(PLAIN);

    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_SAMPLE requested "
                                     "with counters off"), ==, 1);
    gpu_request(g, GLB_SAMPLE, 0);

    enable(g, 4);
    gpu_set(g, "x-delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    gpu_request(g, GLB_SAMPLE, mem(g, g->out + ACK));
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_SAMPLE was withdr"),
                     ==, 1);
    gpu_stop(g, 2, 0);
}

static void test_no_doorbell(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    qtest_clock_step(g->qts, 2000000000);
    put(g, REQ, mem(g, g->in + REQ) ^ GLB_SAMPLE);
    qtest_clock_step(g->qts, 3000000000ll);
    g_assert_cmpuint(gpu_truth_count(g, "violation GLB_REQ bits 0x40 changed "
                                     "without a doorbell"), ==, 1);
    gpu_stop(g, 1, 0);
}

static void add_cases(const char *group, const void *cases, size_t size,
                      unsigned count, void (*fn)(const void *))
{

    const char *c = cases;
    unsigned i;

    for (i = 0; i < count; i++, c += size) {
        /* Each case starts with its name. */
        g_autofree char *path = g_strdup_printf("/vmali/prfcnt/%s/%s", group,
                                                *(const char *const *)c);

        qtest_add_data_func(path, c, fn);
    }
}

void add_prfcnt_tests(void)
{
    add_cases("layout", layouts, sizeof(layouts[0]), num_layouts, test_layout);
    qtest_add_func("/vmali/prfcnt/masks", test_masks);
    qtest_add_func("/vmali/prfcnt/narrow-masks", test_narrow_masks);
    qtest_add_func("/vmali/prfcnt/late-threshold", test_late_threshold);
    qtest_add_func("/vmali/prfcnt/core-off", test_core_off);
    qtest_add_func("/vmali/prfcnt/host-power", test_host_power);
    qtest_add_func("/vmali/prfcnt/core-stays-on", test_core_stays_on);
    qtest_add_func("/vmali/prfcnt/automatic", test_automatic);
    qtest_add_func("/vmali/prfcnt/threshold", test_threshold);
    qtest_add_func("/vmali/prfcnt/overflow", test_overflow);
    qtest_add_func("/vmali/prfcnt/automatic-overflow",
                   test_automatic_overflow);
    qtest_add_func("/vmali/prfcnt/disable", test_disable);
    qtest_add_func("/vmali/prfcnt/wrap", test_wrap);
    qtest_add_func("/vmali/prfcnt/warm-boot", test_warm_boot);
    qtest_add_func("/vmali/prfcnt/cold-boot", test_cold_boot);
    qtest_add_func("/vmali/prfcnt/forgotten-enable", test_forgotten_enable);
    add_cases("bad-enable", enable_cases, sizeof(enable_cases[0]),
              ARRAY_SIZE(enable_cases), test_bad_enable);
    qtest_add_func("/vmali/prfcnt/bad-enable/stale", test_stale_enable);
    add_cases("bad-change", change_cases, sizeof(change_cases[0]),
              ARRAY_SIZE(change_cases), test_bad_change);
    qtest_add_func("/vmali/prfcnt/bad-request", test_bad_requests);
    qtest_add_func("/vmali/prfcnt/no-doorbell", test_no_doorbell);
}
