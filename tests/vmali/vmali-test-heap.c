/*
 * QTest of the virtual Arm Mali CSF GPU: tiler heaps
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define SYNC_VA         (DATA_VA + 0x800)
#define CONTEXT_VA      (DATA_VA + 0x1000)
#define CHUNK_VA(i)     (CODE_VA + 0x20000 * (i))
#define CHUNK(i)        (CHUNK_VA(i) | 0x20)            /* pages: 128 KiB */

#define OOM_BIT         (1u << 26)
#define HEAP_START      0x20
#define HEAP_END        0x28
#define VT_START        0xc0
#define VT_END          0xc4
#define FRAG_END        0xcc
#define HEAP_ADDRESS    0xd0

#define HEAP_SET        INSN(48, 8ull << 40)
#define PASS_STARTED    INSN(49, 0ull << 32)
#define PASS_TILED      INSN(49, 1ull << 32)
#define PASS_COMPLETED  INSN(49, 3ull << 32)
#define FINISH_FRAGMENT INSN(11, 0)
#define RUN_IDVS        INSN(6, 8)

static void run(Gpu *g, unsigned cs, const uint64_t *code)
{
    unsigned i;

    for (i = 0; code[i] != CODE_END; i++) {
        emit(g, 0, cs, code[i]);
    }
    submit(g, 0, cs);
}

/* Streams with a heap; a job of the first one needs @use bytes. */
static Gpu *start(unsigned use)
{
    static const uint64_t setup[] = {
        MOVE48(8, CONTEXT_VA), HEAP_SET, MOVE48(10, SYNC_VA), MOVE48(12, 1),
        MOVE32(33, 64 * 4), CODE_END,
    };
    Gpu *g = cs_boot("");

    gpu_set(g, "heap-use", use / 4);
    group_start(g, 0, 2);
    run(g, 0, setup);
    run(g, 1, setup);
    group_rearm(g, 0);
    return g;
}

static const uint64_t pass[] = {
    PASS_STARTED, RUN_IDVS, WAIT_ALL, PASS_TILED, SYNC(51, 10, 12, 0),
    CODE_END,
};

static const uint64_t complete[] = { PASS_COMPLETED, CODE_END };

static void check_oom(Gpu *g, uint32_t started, uint32_t tiled, uint32_t done)
{
    uint64_t out = CS_OUT(0, 0);

    g_assert_cmphex(stream_pending(g, 0, 0, OOM_BIT), ==, OOM_BIT);
    g_assert_cmphex((mem(g, CSG_IN(0) + 0x0c) ^ mem(g, CSG_OUT(0) + 0x0c)) & 1,
                    ==, 1);
    g_assert_cmphex(rd(g, JOB_IRQ + RAWSTAT) & 1, ==, 1);
    g_assert_cmphex(qtest_readq(g->qts, out + HEAP_ADDRESS), ==, CONTEXT_VA);
    g_assert_cmpuint(mem(g, out + VT_START), ==, started);
    g_assert_cmpuint(mem(g, out + VT_END), ==, tiled);
    g_assert_cmpuint(mem(g, out + FRAG_END), ==, done);
}

static void answer(Gpu *g, uint64_t chunk)
{
    wr(g, JOB_IRQ + CLEAR, ~0);
    qtest_writeq(g->qts, CS_IN(0, 0) + HEAP_START, chunk);
    qtest_writeq(g->qts, CS_IN(0, 0) + HEAP_END, chunk);
    group_rearm(g, 0);
}

static uint64_t passes(Gpu *g)
{
    return data64(g, SYNC_VA);
}

/* Without a use of heaps, nothing runs out; counters are those of the heap. */
static void test_none(void)
{
    Gpu *g = start(0);
    unsigned i;

    for (i = 0; i < 5; i++) {
        run(g, 0, pass);
    }
    run(g, 1, complete);
    run(g, 1, complete);
    g_assert_cmpuint(passes(g), ==, 5);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmpuint(mem(g, CS_OUT(0, 1) + VT_START), ==, 5);
    g_assert_cmpuint(mem(g, CS_OUT(0, 1) + VT_END), ==, 5);
    g_assert_cmpuint(mem(g, CS_OUT(0, 1) + FRAG_END), ==, 2);
    g_assert_cmpuint(gpu_get(g, "heap-ooms"), ==, 0);
    gpu_stop(g, 0, 0);
}

/* A chunk has a header: two of them are not enough for their size. */
static void test_grow(void)
{
    Gpu *g = start(0x40000);

    run(g, 0, pass);
    check_oom(g, 1, 0, 0);
    g_assert_cmphex(mem(g, CSG_OUT(0) + STATUS_STATE) & 1, ==, 0);
    qtest_clock_step(g->qts, 100000000);
    g_assert_cmpuint(passes(g), ==, 0);
    answer(g, CHUNK(0));
    check_oom(g, 1, 0, 0);
    answer(g, CHUNK(1));
    check_oom(g, 1, 0, 0);
    g_assert_cmpuint(passes(g), ==, 0);
    answer(g, CHUNK(2));
    g_assert_cmphex(stream_pending(g, 0, 0, OOM_BIT), ==, 0);
    g_assert_cmpuint(passes(g), ==, 1);
    g_assert_cmpuint(gpu_get(g, "heap-ooms"), ==, 3);
    g_assert_cmpuint(gpu_get(g, "heap-chunks"), ==, 3);

    /* What a pass has used is there for the next one, once it is complete. */
    run(g, 1, complete);
    run(g, 0, pass);
    g_assert_cmpuint(passes(g), ==, 2);
    run(g, 0, pass);
    check_oom(g, 3, 2, 1);
    gpu_stop(g, 0, 0);
}

/* The host has no more: the job waits for a pass, or the stream has a fault. */
static void test_no_more(void)
{
    Gpu *g = start(0x1f000);

    run(g, 0, pass);
    answer(g, CHUNK(0));
    run(g, 0, pass);
    check_oom(g, 2, 1, 0);
    answer(g, 0);
    g_assert_cmphex(stream_pending(g, 0, 0, OOM_BIT | CS_FAULT_BIT), ==, 0);
    qtest_clock_step(g->qts, 100000000);
    g_assert_cmpuint(passes(g), ==, 1);
    run(g, 1, complete);
    qtest_clock_step(g->qts, 100000000);
    g_assert_cmpuint(passes(g), ==, 2);

    run(g, 1, complete);
    gpu_set(g, "heap-use", 0x10000);
    run(g, 0, pass);
    check_oom(g, 3, 2, 2);
    answer(g, 0);
    check_trap(g, 0, 0, false, 0x0f, CONTEXT_VA);
    gpu_stop(g, 0, 0);
}

/* A part of a pass gives back what it has used. */
static void test_release(void)
{
    static const uint64_t part[] = { FINISH_FRAGMENT, CODE_END };
    Gpu *g = start(0x1f000);

    run(g, 0, pass);
    answer(g, CHUNK(0));
    run(g, 1, part);
    run(g, 0, pass);
    g_assert_cmpuint(passes(g), ==, 2);
    g_assert_cmpuint(gpu_get(g, "heap-ooms"), ==, 1);
    gpu_stop(g, 0, 0);
}

/* Answers that no host should give */
static void test_bad_chunks(void)
{
    static const struct {
        uint64_t chunk;
        const char *says;
    } bad[] = {
        { CHUNK_VA(0), "is no memory of 0x0 bytes" },
        { HOLE_VA | 0x20, "is no memory of 0x20000 bytes" },
        { (BOX_VA + BOX_SIZE - 0x1000) | 2, "is no memory of 0x2000 bytes" },
        { ~0xfffull | 2, "is no memory of 0x2000 bytes" },
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(bad); i++) {
        Gpu *g = start(0x1000);
        g_autofree char *line = g_strdup_printf(
            "violation stream 0 of group 0: heap chunk 0x%" PRIx64 " %s",
            (uint64_t)(bad[i].chunk & ~0xfffull), bad[i].says);

        run(g, 0, pass);
        answer(g, bad[i].chunk);
        qtest_clock_step(g->qts, 100000000);
        g_assert_cmpuint(passes(g), ==, 0);
        g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
        gpu_stop(g, 1, 0);
    }
}

static void test_twice(void)
{
    Gpu *g = start(0x40000);

    run(g, 0, pass);
    answer(g, CHUNK(0));
    answer(g, CHUNK(0));
    g_assert_cmpuint(gpu_truth_count(g, "violation stream 0 of group 0: heap "
                                     "chunk"), ==, 1);
    g_assert_cmpuint(gpu_get(g, "heap-chunks"), ==, 1);
    gpu_stop(g, 1, 0);
}

/* A group that is suspended meanwhile asks again, and loses nothing. */
static void test_suspend(void)
{
    static const uint64_t code[] = {
        PASS_STARTED, RUN_IDVS,
        SYNC(51, 10, 12, 1ull << 16) | 3ull << 48,      /* behind the job */
        WAIT_ALL, PASS_TILED, CODE_END,
    };
    Gpu *g = start(0x1000);

    run(g, 0, code);
    check_oom(g, 1, 0, 0);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1 | 1 << 3);
    group_rearm(g, 0);
    group_setup(g, 0, 2);
    group_request(g, 0, CSG_RESUME, 0);
    check_oom(g, 1, 0, 0);
    g_assert_cmpuint(passes(g), ==, 0);
    answer(g, CHUNK(0));
    g_assert_cmpuint(passes(g), ==, 1);
    g_assert_cmpuint(gpu_get(g, "heap-ooms"), ==, 2);
    gpu_stop(g, 0, 0);
}

/* The context is memory of the group. */
static void test_no_context(void)
{
    static const uint64_t code[] = {
        MOVE48(8, HOLE_VA), HEAP_SET, CODE_END,
    };
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    group_rearm(g, 0);
    run(g, 0, code);
    check_trap(g, 0, 0, true, 0x48, HOLE_VA);
    gpu_stop(g, 0, 0);
}

void add_heap_tests(void)
{
    qtest_add_func("/vmali/heap/none", test_none);
    qtest_add_func("/vmali/heap/grow", test_grow);
    qtest_add_func("/vmali/heap/no-more", test_no_more);
    qtest_add_func("/vmali/heap/release", test_release);
    qtest_add_func("/vmali/heap/bad-chunks", test_bad_chunks);
    qtest_add_func("/vmali/heap/twice", test_twice);
    qtest_add_func("/vmali/heap/suspend", test_suspend);
    qtest_add_func("/vmali/heap/no-context", test_no_context);
}
