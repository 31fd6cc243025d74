/*
 * QTest of the virtual Arm Mali CSF GPU: neural accelerators
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"
#include "vmali-test-prfcnt.h"

/* Cores 0, 2, 16 and 18; the third one has no accelerator. */
#define G1              "gpu-id=0xe8800000,packed-slots=on," \
                        "neural-present=0x40005,"

/* Places in an entry of it */
enum { AT_FRONT = 1, AT_SHADER = 7, AT_NEURAL = 11, G1_BLOCKS = 15 };

#define BLOCK           512

#define FEATURES        0x60
#define NEURAL_PRESENT  0xa40
#define NEURAL_READY    0xa48

static uint32_t counter(Gpu *g, uint32_t slot, unsigned at, unsigned word)
{
    return mem(g, RING_PA + (slot * G1_BLOCKS + at) * BLOCK + 4 * word);
}

static void test_registers(void)
{
    Gpu *g = gpu_boot(G1 PLAIN);

    g_assert_cmphex(rd(g, FEATURES), ==, 0x10);
    g_assert_cmphex(rd(g, NEURAL_PRESENT), ==, 0x40005);
    g_assert_cmphex(rd(g, NEURAL_PRESENT + 4), ==, 0);
    g_assert_cmphex(rd(g, NEURAL_READY), ==, 0x40005);
    gpu_stop(g, 0, 0);

    /* A GPU without reads 0, and does not know the domain. */
    g = gpu_boot("gpu-id=0xe8800000," PLAIN);
    g_assert_cmphex(rd(g, FEATURES), ==, 0);
    g_assert_cmphex(rd(g, NEURAL_PRESENT), ==, 0);
    g_assert_cmphex(rd(g, NEURAL_READY), ==, 0);
    gpu_stop(g, 0, 0);
}

/* Without its mask, no accelerator is in a sample. */
static void test_mask(void)
{
    Gpu *g = gpu_boot(G1 PLAIN);

    configure(g, 4);
    put(g, NEURAL_EN, 0);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, "violation enable: NEURAL_EN 0x0 "
                                     "lacks bits 0 and 1"), ==, 1);
    sample(g);
    g_assert_cmphex(counter(g, 0, AT_SHADER, 2), ==, ~0u);
    g_assert_cmphex(counter(g, 0, AT_NEURAL, 2), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "block NEURAL"), ==, 0);

    put(g, NEURAL_EN, ~0);
    wr(g, DOORBELL(0), 1);
    g_assert_cmpuint(gpu_truth_count(g, "violation NEURAL_EN changed from "),
                     ==, 1);
    gpu_stop(g, 2, 0);
}

typedef struct {
    const char *name;
    const char *properties;
    bool core_gone[6];          /* core 2 is not in this sample */
    bool neural_gone[6];        /* nor is its accelerator */
    uint32_t ready;             /* in the end */
} Power;

/*
 * Samples: a requested one; one before the core goes off; two requested; an
 * automatic one; a requested one.
 */
static const Power power[] = {
    { "with-core", "", { 0, 0, 1, 1, 1, 1 }, { 0, 0, 1, 1, 1, 1 }, 0x40001 },
    { "after-core", "neural-off=after-core,", { 0, 0, 1, 1, 1, 1 },
      { 0, 0, 0, 0, 0, 1 }, 0x40001 },
    { "always", "neural-off=always,", { 0, 0, 1, 1, 1, 1 },
      { 1, 1, 1, 1, 1, 1 }, 0 },
};

static void test_power(const void *data)
{
    const Power *p = data;
    g_autofree char *properties = g_strdup_printf(G1 "%s" PLAIN,
                                                  p->properties);
    Gpu *g = gpu_boot(properties);
    unsigned i;

    enable(g, 16);
    sample(g);
    gpu_set(g, "x-core-power", ~0x4u);
    sample(g);
    sample(g);
    gpu_set(g, "x-auto-burst", 1);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 6);
    for (i = 0; i < 6; i++) {
        g_assert_cmphex(counter(g, i, AT_SHADER + 1, 2), ==,
                        (p->core_gone[i] ? 0 : ~0u));
        g_assert_cmphex(counter(g, i, AT_NEURAL + 1, 2), ==,
                        (p->neural_gone[i] ? 0 : ~0u));
    }
    /* What a next requested sample would find */
    g_assert_cmphex(rd(g, NEURAL_READY), ==, p->ready);
    gpu_stop(g, 0, 0);
}

/* Tasks of a stream that has the resource keep accelerators busy. */
static void test_work(void)
{
    Gpu *g = cs_boot(G1 "neural-clock=175,counters=work,auto-samples=0,"
                     "mcu-cost=off");
    unsigned round, core, word;

    group_start(g, 0, 1);
    enable(g, 4);
    for (round = 0; round < 2; round++) {
        /* 3 x 4 x 3 tasks; compute alone, then the accelerators, too */
        emit(g, 0, 0, INSN(34, round ? 0x11 : 0x1));
        emit(g, 0, 0, MOVE32(33, 7 | 4 << 10));
        emit(g, 0, 0, MOVE32(37, 5));
        emit(g, 0, 0, MOVE32(38, 4));
        emit(g, 0, 0, MOVE32(39, 3));
        emit(g, 0, 0, INSN(4, 2));
        submit(g, 0, 0);
        sample(g);
        g_assert_cmpuint(counter(g, round, AT_FRONT, 32), ==, 3600);
        g_assert_cmpuint(counter(g, round, AT_FRONT, 72), ==, round * 3600);
        g_assert_cmpuint(counter(g, round, AT_FRONT, 73), ==, round);
        g_assert_cmpuint(counter(g, round, AT_FRONT, 74), ==, round * 36);
        g_assert_cmpuint(counter(g, round, AT_FRONT, 4), ==,
                         3606 + round * 3600);
        for (core = 0; core < 4; core++) {
            unsigned tasks = core == 2 ? 0 : round * 12;

            g_assert_cmpuint(counter(g, round, AT_SHADER + core, 22), ==,
                             900);
            g_assert_cmpuint(counter(g, round, AT_SHADER + core, 70), ==,
                             tasks * 100);
            if (core == 2) {
                /* A slot without an accelerator is never written. */
                g_assert_cmphex(counter(g, round, AT_NEURAL + core, 2), ==,
                                POISON);
                continue;
            }
            for (word = 4; word < 128; word++) {
                g_assert_cmpuint(counter(g, round, AT_NEURAL + core, word), ==,
                                 (word == 4 ? tasks * 175 :
                                  word == 27 || word == 28 ? tasks : 0));
            }
        }
    }
    gpu_stop(g, 0, 0);
}

/* The accelerators of a core that loses its counts lose theirs. */
static void test_lost(void)
{
    Gpu *g = cs_boot(G1 "counters=work,auto-samples=0,mcu-cost=off");

    group_start(g, 0, 1);
    enable(g, 4);
    sample(g);
    consume(g, G1_BLOCKS * BLOCK, BLOCK, 4);
    emit(g, 0, 0, INSN(34, 0x11));
    emit(g, 0, 0, MOVE32(37, 3));
    emit(g, 0, 0, MOVE32(38, 1));
    emit(g, 0, 0, MOVE32(39, 1));
    emit(g, 0, 0, INSN(4, 1));
    submit(g, 0, 0);
    gpu_set(g, "x-lose-cores", 1);
    sample(g);
    g_assert_cmpuint(counter(g, 1, AT_NEURAL, 27), ==, 1);
    g_assert_cmphex(counter(g, 1, AT_NEURAL + 3, 2), ==, 0);
    consume(g, G1_BLOCKS * BLOCK, BLOCK, 4);
    sample(g);
    g_assert_cmphex(counter(g, 2, AT_NEURAL + 3, 2), ==, ~0u);
    g_assert_cmpuint(counter(g, 2, AT_NEURAL + 3, 27), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off "), ==, 1);
    gpu_stop(g, 0, 0);
}

void add_neural_tests(void)
{
    unsigned i;

    qtest_add_func("/vmali/neural/registers", test_registers);
    qtest_add_func("/vmali/neural/mask", test_mask);
    for (i = 0; i < ARRAY_SIZE(power); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/neural/power/%s",
                                                power[i].name);

        qtest_add_data_func(path, &power[i], test_power);
    }
    qtest_add_func("/vmali/neural/work", test_work);
    qtest_add_func("/vmali/neural/lost", test_lost);
}
