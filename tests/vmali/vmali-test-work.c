/*
 * QTest of the virtual Arm Mali CSF GPU: counters of the work that was done
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"
#include "vmali-test-prfcnt.h"

#define WORK            "counters=work,auto-samples=0"
#define BARE            WORK ",mcu-cost=off"
#define SYNC_VA         (DATA_VA + 0x800)

/* Blocks of an entry of a G610, in their order */
enum { AT_FW, AT_FRONT, AT_TILER, AT_L2, AT_SHADER = AT_L2 + 4 };

static uint32_t counter(Gpu *g, uint32_t slot, unsigned at, unsigned word)
{
    return mem(g, RING_PA + slot * G610_ENTRY + at * 256 + 4 * word);
}

typedef struct {
    unsigned at;
    unsigned word;
    uint32_t value;
} Want;

/* All counters of an entry that are not named have to be 0. */
static void check_counters(Gpu *g, uint32_t slot, const Want *want,
                           unsigned count)
{
    unsigned at, word, i;

    for (at = AT_FW; at < AT_SHADER + 19; at++) {
        if (at >= AT_SHADER && !(0x50005 >> (at - AT_SHADER) & 1)) {
            continue;
        }
        g_assert_cmphex(counter(g, slot, at, 2), ==, 0xffff);
        for (word = 4; word < 64; word++) {
            uint32_t value = 0;

            for (i = 0; i < count; i++) {
                if (want[i].at == at && want[i].word == word) {
                    value = want[i].value;
                }
            }
            if (counter(g, slot, at, word) != value) {
                g_error("entry %u block %u word %u: %u, not %u", slot, at,
                        word, counter(g, slot, at, word), value);
            }
        }
    }
}

static const uint64_t store_job[] = {
    MOVE48(68, DATA_VA), MOVE32(70, 0xdeadbeef), STORE(70, 68, 1, 0), WAIT_ALL,
    MOVE32(70, 0), FLUSH(70), WAIT_ALL, CODE_END,
};

/* The job of the test that IGT has, which everybody can count by hand. */
static void test_example(void)
{
    /* The sync object's line is in slice 0, as the data's; one write each. */
    static const Want want[] = {
        { AT_FRONT, 40, 23 },           /* CEU_ACTIVE: 16 + 7 */
        { AT_FRONT, 45, 3 },            /* LSU_ACTIVE: store 1, sync 2 */
        { AT_FRONT, 12, 200 }, { AT_FRONT, 13, 2 },     /* CACHE_FLUSH */
        { AT_FRONT, 48, 23 },           /* CSHWIF0_ENABLED */
        { AT_FRONT, 51, 3 },            /* _WAIT_BLOCKED: two flushes, store */
        { AT_FRONT, 4, 23 + 3 + 200 },  /* GPU_ACTIVE */
        /* GPU_IRQ: acknowledge of the enable, and the job */
        { AT_FRONT, 10, 2 }, { AT_FRONT, 11, 2 },
        /* A store; a load and two stores of the sync object, status and all */
        { AT_L2, 4, 4 }, { AT_L2, 25, 4 },
        { AT_L2, 16, 1 }, { AT_L2, 26, 1 }, { AT_L2, 29, 1 },
        { AT_L2, 32, 4 },
        { AT_L2, 18, 3 }, { AT_L2, 27, 3 },
        /* The flush behind the store */
        { AT_L2, 42, 1 }, { AT_L2, 47, 4 },
    };
    static const Want flushed[] = {
        { AT_FRONT, 12, 100 }, { AT_FRONT, 13, 1 }, { AT_FRONT, 4, 100 },
        { AT_FRONT, 10, 1 }, { AT_FRONT, 11, 1 },       /* the last sample */
        { AT_L2, 42, 1 }, { AT_L2, 47, 4 },
    };
    Gpu *g = cs_boot(BARE);
    unsigned n = put_code(g, CODE_VA, store_job);

    group_start(g, 0, 1);
    group_rearm(g, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
    enable(g, 8);
    emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
    submit(g, 0, 0);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    sample(g);
    check_counters(g, 0, want, ARRAY_SIZE(want));
    g_assert_cmpuint(gpu_truth_count(g, "block CSHW 0 en=0x0000ffff 226 0 0 0 "
                                     "0 0 2 2 200 2 "), ==, 1);

    /* What the sync object left dirty goes out with the host's flush. */
    wr(g, JOB_IRQ + CLEAR, ~0);
    wr(g, GPU_COMMAND, 0x23304);
    gpu_toggle(g, GLB_SAMPLE);
    check_counters(g, 1, flushed, ARRAY_SIZE(flushed));
    sample(g);
    gpu_stop(g, 0, 0);
}

/* What the firmware does itself: 10 a doorbell, 2 an acknowledge. */
static void test_mcu(void)
{
    static const Want first[] = {
        { AT_FRONT, 4, 12 + 12 + 10 + 2 }, { AT_FRONT, 5, 12 + 12 + 10 + 2 },
    };
    static const Want second[] = {
        { AT_FRONT, 4, 12 }, { AT_FRONT, 5, 12 },
    };
    Gpu *g = cs_boot(WORK);

    configure(g, 8);
    set_mem(g, g->in + ACK_IRQ_MASK, 0);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);     /* its acknowledge: 2 */
    gpu_toggle(g, GLB_PING);
    gpu_toggle(g, GLB_PING);
    gpu_toggle(g, GLB_SAMPLE);
    check_counters(g, 0, first, ARRAY_SIZE(first));
    gpu_toggle(g, GLB_SAMPLE);
    check_counters(g, 1, second, ARRAY_SIZE(second));
    gpu_stop(g, 0, 0);
}

static void test_compute(void)
{
    /*
     * 5 x 4 x 3 workgroups of 8 x 5 x 1 threads, two in a task along x: 3 x
     * 4 x 3 tasks, 60 times three warps, over four cores.
     */
    static const Want want[] = {
        { AT_FRONT, 24, 3600 }, { AT_FRONT, 25, 1 }, { AT_FRONT, 26, 36 },
        { AT_FRONT, 6, 3600 }, { AT_FRONT, 40, 6 }, { AT_FRONT, 52, 6 },
        { AT_FRONT, 55, 1 }, { AT_FRONT, 4, 3606 },
        { AT_SHADER + 0, 22, 900 }, { AT_SHADER + 0, 23, 9 },
        { AT_SHADER + 0, 24, 45 }, { AT_SHADER + 0, 26, 900 },
        { AT_SHADER + 0, 53, 900 },
        { AT_SHADER + 2, 22, 900 }, { AT_SHADER + 2, 23, 9 },
        { AT_SHADER + 2, 24, 45 }, { AT_SHADER + 2, 26, 900 },
        { AT_SHADER + 2, 53, 900 },
        { AT_SHADER + 16, 22, 900 }, { AT_SHADER + 16, 23, 9 },
        { AT_SHADER + 16, 24, 45 }, { AT_SHADER + 16, 26, 900 },
        { AT_SHADER + 16, 53, 900 },
        { AT_SHADER + 18, 22, 900 }, { AT_SHADER + 18, 23, 9 },
        { AT_SHADER + 18, 24, 45 }, { AT_SHADER + 18, 26, 900 },
        { AT_SHADER + 18, 53, 900 },
    };
    Gpu *g = cs_boot(BARE);

    group_start(g, 0, 2);
    group_rearm(g, 0);
    enable(g, 8);
    /* The second stream: its interface is the second one. */
    emit(g, 0, 1, MOVE32(33, 7 | 4 << 10));
    emit(g, 0, 1, MOVE32(37, 5));
    emit(g, 0, 1, MOVE32(38, 4));
    emit(g, 0, 1, MOVE32(39, 3));
    emit(g, 0, 1, INSN(4, 2));
    emit(g, 0, 1, WAIT_ALL);
    submit(g, 0, 1);
    gpu_toggle(g, GLB_SAMPLE);
    /* Acknowledge of the enable, and the group became idle */
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 11), ==, 2);
    set_mem(g, RING_PA + 256 + 4 * 10, 0);
    set_mem(g, RING_PA + 256 + 4 * 11, 0);
    check_counters(g, 0, want, ARRAY_SIZE(want));
    gpu_stop(g, 0, 0);
}

/* Work only goes to cores that the group may use and that have power. */
static void test_allowed_cores(void)
{
    Gpu *g = cs_boot(BARE);
    unsigned core;

    group_setup(g, 0, 1);
    qtest_writeq(g->qts, CSG_IN(0) + 0x28, 0x50001);
    group_request(g, 0, CSG_START, CSG_EP_CFG);
    gpu_set(g, "x-core-power", ~0x10000u);
    enable(g, 8);
    /* 33 x 16 pixels: from the second tile to the fourth, one high */
    emit(g, 0, 0, MOVE32(42, 16 | 16 << 16));
    emit(g, 0, 0, MOVE32(43, 48 | 31 << 16));
    emit(g, 0, 0, INSN(7, 0));
    submit(g, 0, 0);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 32), ==, 600);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 33), ==, 1);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 34), ==, 3);
    for (core = 0; core < 19; core++) {
        unsigned tiles = core == 0 ? 2 : core == 18;

        if (0x40005 >> core & 1) {
            g_assert_cmpuint(counter(g, 0, AT_SHADER + core, 18), ==, tiles);
            g_assert_cmpuint(counter(g, 0, AT_SHADER + core, 4), ==,
                             (tiles ? 300 : 0));
            g_assert_cmpuint(counter(g, 0, AT_SHADER + core, 53), ==,
                             (tiles ? 300 : 0));
        }
    }
    /* That one's block was not written. */
    g_assert_cmphex(counter(g, 0, AT_SHADER + 16, 2), ==, 0);
    gpu_stop(g, 0, 0);
}

typedef struct {
    const char *name;
    unsigned type;
    unsigned word;              /* of the tiler block */
    uint32_t primitives;        /* of 100 indices */
} Primitive;

static const Primitive primitives[] = {
    { "points", 1, 8, 100 }, { "lines", 2, 7, 50 },
    { "line-strip", 4, 7, 99 }, { "line-loop", 6, 7, 100 },
    { "triangles", 8, 6, 33 }, { "triangle-strip", 10, 6, 98 },
    { "triangle-fan", 12, 6, 98 }, { "unknown", 0, 6, 33 },
};

static void test_primitive(const void *data)
{
    const Primitive *p = data;
    Gpu *g = cs_boot(BARE);
    unsigned word;

    group_start(g, 0, 1);
    enable(g, 8);
    emit(g, 0, 0, MOVE32(33, 100));
    emit(g, 0, 0, MOVE32(56, 0));
    emit(g, 0, 0, INSN(6, p->type));
    submit(g, 0, 0);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 16), ==, 1000);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 17), ==, 1);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 18), ==, 2);
    g_assert_cmpuint(counter(g, 0, AT_TILER, 4), ==, 1000);
    for (word = 6; word <= 14; word++) {
        g_assert_cmpuint(counter(g, 0, AT_TILER, word), ==,
                         (word == p->word || word == 11 ? p->primitives : 0));
    }
    gpu_stop(g, 0, 0);
}

/* The front end of the last architecture has its counters elsewhere. */
static void test_g725(void)
{
    Gpu *g = cs_boot("gpu-id=0xd8300015,shader-present=0xee0077," BARE);
    /* Firmware first, blocks of 512 bytes */
    uint64_t front = RING_PA + 512;

    group_start(g, 0, 6);
    enable(g, 4);
    emit(g, 0, 5, MOVE48(8, DATA_VA));
    emit(g, 0, 5, LOAD(10, 8, 7, 0));
    emit(g, 0, 5, WAIT_ALL);
    emit(g, 0, 5, SYNC(53, 8, 10, 1ull << 28));
    submit(g, 0, 5);
    sample(g);
    g_assert_cmpuint(mem(g, front + 4 * 16), ==, 3);
    g_assert_cmpuint(mem(g, front + 4 * 21), ==, 5);
    g_assert_cmpuint(mem(g, front + 4 * 110), ==, 3);
    g_assert_cmpuint(mem(g, front + 4 * 114), ==, 2);
    g_assert_cmpuint(mem(g, front + 4 * 40), ==, 0);
    /* The bus is twice as wide. */
    g_assert_cmpuint(mem(g, RING_PA + 3 * 512 + 4 * 29), ==, 5);
    g_assert_cmpuint(mem(g, RING_PA + 3 * 512 + 4 * 32), ==, 10);
    gpu_stop(g, 0, 0);
}

/* Addresses choose the slice, and a line is written back once a flush. */
static void test_slices(void)
{
    Gpu *g = cs_boot(BARE);
    unsigned i;

    group_start(g, 0, 1);
    enable(g, 8);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    for (i = 0; i < 8; i++) {
        /* Line i gets a word, the last four another one. */
        emit(g, 0, 0, STORE(10, 8, i < 4 ? 1 : 3, 64 * i));
    }
    emit(g, 0, 0, WAIT_ALL);
    emit(g, 0, 0, FLUSH(10));
    emit(g, 0, 0, WAIT_ALL);
    emit(g, 0, 0, STORE(10, 8, 1, 64 * 3));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
    sample(g);
    for (i = 0; i < 4; i++) {
        g_assert_cmpuint(counter(g, 0, AT_L2 + i, 18), ==, 3 + (i == 3));
        g_assert_cmpuint(counter(g, 0, AT_L2 + i, 42), ==, 2);
        g_assert_cmpuint(counter(g, 0, AT_L2 + i, 47), ==, 8);
        g_assert_cmpuint(counter(g, 0, AT_L2 + i, 29), ==, 0);
    }
    gpu_stop(g, 0, 0);
}

/* Nothing is lost and nothing comes twice, whatever samples lie between. */
static void test_conservation(void)
{
    Gpu *g = cs_boot("counters=work,auto-samples=3,mcu-cost=off,seed=5");
    unsigned n = put_code(g, CODE_VA, store_job), i;
    uint64_t ceu = 0, writes = 0;

    group_start(g, 0, 1);
    enable(g, 128);
    for (i = 0; i < 20; i++) {
        emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
        submit(g, 0, 0);
        if (i % 3 == 0) {
            gpu_set(g, "x-auto-burst", 2);
        }
        sample(g);
    }
    g_assert_cmpuint(mem(g, g->out + INSERT), >, 34);
    for (i = 0; i < mem(g, g->out + INSERT); i++) {
        ceu += counter(g, i, AT_FRONT, 40);
        writes += counter(g, i, AT_L2, 18);
    }
    g_assert_cmpuint(ceu, ==, 20 * 23);
    g_assert_cmpuint(writes, ==, 20 * 3);

    /* A ring without room keeps them. */
    consume(g, G610_ENTRY, 256, 128);
    disable(g);
    enable(g, 1);
    gpu_set(g, "x-auto-burst", 1);
    emit(g, 0, 0, NOP);
    submit(g, 0, 0);
    gpu_set(g, "x-auto-burst", 1);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 40), ==, 0);
    emit(g, 0, 0, NOP);
    submit(g, 0, 0);
    consume(g, G610_ENTRY, 256, 1);
    gpu_request(g, GLB_OVERFLOW, mem(g, g->out + ACK));
    gpu_set(g, "x-auto-burst", 1);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 40), ==, 2);
    consume(g, G610_ENTRY, 256, 1);
    gpu_set(g, "x-auto-burst", 1);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 40), ==, 0);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 20 * 23 + 2);
    gpu_stop(g, 0, 0);
}

/* What is lost on purpose is lost, and what is off was not counted. */
static void test_losses(void)
{
    Gpu *g = cs_boot(BARE);

    group_start(g, 0, 1);
    emit(g, 0, 0, NOP);
    submit(g, 0, 0);
    enable(g, 1);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 40), ==, 0);
    emit(g, 0, 0, NOP);
    submit(g, 0, 0);
    gpu_set(g, "x-clear-overflows", 1);
    gpu_toggle(g, GLB_SAMPLE);
    consume(g, G610_ENTRY, 256, 1);
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 40), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow "), ==, 1);

    /* A compute job of four tasks: one for the core that gets lost. */
    consume(g, G610_ENTRY, 256, 1);
    gpu_request(g, GLB_THRESHOLD, mem(g, g->out + ACK));
    sample(g);
    consume(g, G610_ENTRY, 256, 1);
    emit(g, 0, 0, MOVE32(37, 4));
    emit(g, 0, 0, MOVE32(38, 1));
    emit(g, 0, 0, MOVE32(39, 1));
    emit(g, 0, 0, INSN(4, 1));
    submit(g, 0, 0);
    gpu_set(g, "x-lose-cores", 1);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_SHADER + 16, 23), ==, 1);
    g_assert_cmphex(counter(g, 0, AT_SHADER + 18, 2), ==, 0);
    consume(g, G610_ENTRY, 256, 1);
    sample(g);
    g_assert_cmphex(counter(g, 0, AT_SHADER + 18, 2), ==, 0xffff);
    g_assert_cmpuint(counter(g, 0, AT_SHADER + 18, 23), ==, 0);
    gpu_stop(g, 0, 0);
}

/* The largest job there can be: counters stand at their end. */
static void test_saturation(void)
{
    Gpu *g = cs_boot(BARE);
    unsigned i;

    group_start(g, 0, 1);
    enable(g, 8);
    for (i = 37; i <= 39; i++) {
        emit(g, 0, 0, MOVE32(i, ~0));
    }
    emit(g, 0, 0, INSN(4, 0));
    emit(g, 0, 0, INSN(4, 0));
    submit(g, 0, 0);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 4), ==, UINT32_MAX);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 25), ==, 2);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 26), ==, UINT32_MAX);
    g_assert_cmpuint(counter(g, 0, AT_SHADER, 23), ==, UINT32_MAX);
    gpu_stop(g, 0, 0);
}

void add_work_tests(void)
{
    unsigned i;

    qtest_add_func("/vmali/work/example", test_example);
    qtest_add_func("/vmali/work/mcu", test_mcu);
    qtest_add_func("/vmali/work/compute", test_compute);
    qtest_add_func("/vmali/work/allowed-cores", test_allowed_cores);
    for (i = 0; i < ARRAY_SIZE(primitives); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/work/primitive/%s",
                                                primitives[i].name);

        qtest_add_data_func(path, &primitives[i], test_primitive);
    }
    qtest_add_func("/vmali/work/g725", test_g725);
    qtest_add_func("/vmali/work/slices", test_slices);
    qtest_add_func("/vmali/work/conservation", test_conservation);
    qtest_add_func("/vmali/work/losses", test_losses);
    qtest_add_func("/vmali/work/saturation", test_saturation);
}
