/*
 * QTest of the virtual Arm Mali CSF GPU: operations beside their streams
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define SYNC_VA         (DATA_VA + 0x800)
#define MS              1000000ll
/* When operations are over that nobody waits for */
#define TAIL            (25 * MS)

#define SET_SLOTS(run, other) \
                        INSN(23, (run) | (other) << 4)
#define RUN_COMPUTE     INSN(4, 1)
/* SYNC_ADD64 behind slots of the scoreboard, with a slot of its own */
#define SYNC_BEHIND(a, d, slots, slot) \
                        (SYNC(51, a, d, (uint64_t)(slots) << 16) | \
                         (uint64_t)(slot) << 48)

static Gpu *start(const char *properties)
{
    Gpu *g = cs_boot(properties);

    group_start(g, 0, 1);
    group_rearm(g, 0);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    emit(g, 0, 0, MOVE48(10, SYNC_VA));
    emit(g, 0, 0, MOVE48(12, 1));
    emit(g, 0, 0, MOVE32(20, 5));
    submit(g, 0, 0);
    group_rearm(g, 0);
    return g;
}

static void run(Gpu *g, const uint64_t *code)
{
    unsigned i;

    for (i = 0; code[i] != CODE_END; i++) {
        emit(g, 0, 0, code[i]);
    }
    submit(g, 0, 0);
}

/* ---- What is missing without a WAIT ---- */

typedef struct {
    const char *name;
    uint64_t code[10];
    uint32_t without;           /* word 1 of the data, if there is no WAIT */
    uint32_t with;
} Missing;

/* NOP_ is a WAIT for all slots in one of two runs, and nothing in the other. */
#define NOP_            INSN(0, 1)

static const Missing missing[] = {
    { "store-load", { STORE(20, 8, 1, 0), NOP_, LOAD(21, 8, 1, 0), WAIT_ALL,
      STORE(21, 8, 1, 4), WAIT_ALL, CODE_END }, 0, 5 },
    { "load-use", { STORE(20, 8, 1, 0), WAIT_ALL, MOVE32(21, 9),
      LOAD(21, 8, 1, 0), NOP_, ADD32(22, 21, 1), STORE(22, 8, 1, 4), WAIT_ALL,
      CODE_END }, 10, 6 },
    { "store-overwrite", { STORE(20, 8, 1, 4), NOP_, MOVE32(20, 7), WAIT_ALL,
      CODE_END }, 7, 5 },
    { "deferred-load", { STORE(20, 8, 1, 0x10), SYNC_BEHIND(8, 12, 1, 1), NOP_,
      LOAD(22, 8, 1, 0), WAIT_ALL, STORE(22, 8, 1, 4), WAIT_ALL, CODE_END },
      0, 1 },
};

static void test_missing(const void *data)
{
    const Missing *m = data;
    unsigned wait, i;

    for (wait = 0; wait <= 1; wait++) {
        Gpu *g = start("");

        for (i = 0; m->code[i] != CODE_END; i++) {
            emit(g, 0, 0, m->code[i] == NOP_ && wait ? WAIT_ALL : m->code[i]);
        }
        submit(g, 0, 0);
        g_assert_cmpuint(data32(g, DATA_VA + 4), ==,
                         (wait ? m->with : m->without));
        gpu_stop(g, 0, 0);
    }
}

/* The host is told of the end of a job, whose store is still under way. */
static void test_early_sync(void)
{
    static const uint64_t code[] = {
        STORE(20, 8, 1, 0), SYNC(51, 10, 12, 0), CODE_END,
    };
    Gpu *g = start("");

    wr(g, JOB_IRQ + CLEAR, ~0);
    run(g, code);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1);
    g_assert_cmphex(group_pending(g, 0, CSG_SYNC), ==, CSG_SYNC);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 0);
    /* It is no idle group either. */
    g_assert_cmphex(group_pending(g, 0, CSG_IDLE), ==, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    qtest_clock_step(g->qts, TAIL);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 5);
    g_assert_cmphex(group_pending(g, 0, CSG_IDLE), ==, CSG_IDLE);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 0);
    gpu_stop(g, 0, 0);
}

/* The slot is that of the store, and a WAIT for others is no WAIT. */
static void test_slots(void)
{
    static const uint64_t code[] = {
        SET_SLOTS(2, 3), STORE(20, 8, 1, 0), WAIT_SLOTS(0xf7),
        SYNC(51, 10, 12, 0), CODE_END,
    };
    static const uint64_t other[] = {
        STORE(20, 8, 1, 4), WAIT_SLOTS(0x8), SYNC(51, 10, 12, 0), CODE_END,
    };
    Gpu *g = start("");

    run(g, code);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1 << 3);
    run(g, other);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 2);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 5);
    g_assert_cmpuint(data32(g, DATA_VA + 4), ==, 5);
    gpu_stop(g, 0, 0);
}

/* ---- Instructions that wait by themselves ---- */

static void test_deferred(void)
{
    static const uint64_t code[] = {
        STORE(20, 8, 1, 0), SYNC_BEHIND(10, 12, 1 << 0, 4), MOVE48(12, 7),
        MOVE48(10, DATA_VA + 0x10), SYNC(51, 10, 12, 0), CODE_END,
    };
    Gpu *g = start("");

    run(g, code);
    /* The second one has overtaken them; operands are those of the issue. */
    g_assert_cmpuint(data64(g, DATA_VA + 0x10), ==, 7);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1 << 4 | 1);
    emit(g, 0, 0, WAIT_SLOTS(1 << 4));
    submit(g, 0, 0);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 5);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    gpu_stop(g, 0, 0);
}

/* Slots that a later architecture takes from settings */
static void test_indirect(void)
{
    static const uint64_t code[] = {
        INSN(28, 1ull << 32 | 5), INSN(28, 2ull << 32 | 6),
        INSN(28, 9ull << 32 | 1 << 5), STORE(20, 8, 1, 0),
        SYNC(51, 10, 12, 0) | 1ull << 52, CODE_END,
    };
    Gpu *g = start("gpu-id=0xb8520000,shader-present=0x7ff");

    run(g, code);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1 << 5 | 1 << 6);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    /* WAIT with the mask of the settings */
    emit(g, 0, 0, INSN(3, 1ull << 33));
    emit(g, 0, 0, LOAD(22, 8, 1, 0));
    emit(g, 0, 0, INSN(3, 1ull << 33));
    emit(g, 0, 0, STORE(22, 8, 1, 4));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
    g_assert_cmpuint(data32(g, DATA_VA + 4), ==, 5);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    gpu_stop(g, 0, 0);
}

/* ---- Limits ---- */

/* More operations than a stream can have under way; each is carried out. */
static void test_many(void)
{
    Gpu *g = start("");
    unsigned i;

    for (i = 0; i < 100; i++) {
        emit(g, 0, 0, STORE(20, 8, 1, 4 * i));
    }
    emit(g, 0, 0, WAIT_ALL);
    emit(g, 0, 0, SYNC(51, 10, 12, 0));
    submit(g, 0, 0);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    for (i = 0; i < 100; i++) {
        g_assert_cmpuint(data32(g, DATA_VA + 4 * i), ==, 5);
    }
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 4 + 102);
    g_assert_cmpuint(gpu_get(g, "lsu-cycles"), ==, 102);
    gpu_stop(g, 0, 0);
}

/* ---- Time ---- */

/* A job that takes time: a stream that waits for it is seen to wait. */
static void test_job_time(void)
{
    static const uint64_t code[] = {
        SET_SLOTS(2, 0), RUN_COMPUTE, WAIT_SLOTS(1 << 2), SYNC(51, 10, 12, 0),
        CODE_END,
    };
    Gpu *g = start("job-time=3000000");

    run(g, code);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 1);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 1 << 2 | 8 << 16);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 1 << 2);
    g_assert_cmphex(mem(g, CSG_OUT(0) + STATUS_STATE) & 1, ==, 0);
    qtest_clock_step(g->qts, 3 * MS - 1);
    wr(g, DOORBELL(1), 1);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    qtest_clock_step(g->qts, 1);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_bad_job_time(void)
{
    g_autofree char *said = gpu_refused("-device vmali,job-time="
                                        "1000000000001");

    g_assert_nonnull(strstr(said, ": job-time: must be at most "
                                  "1000000000000\n"));
}

/* ---- Jobs without end ---- */

#define PROGRESS        (1u << 31)
#define GLB_PROGRESS    (1u << 1)
/* 1000 units of 1024 cycles of 500 MHz */
#define UNITS           1000
#define LIMIT_NS        2048000

static void set_timer(Gpu *g, uint32_t units)
{
    set_mem(g, g->in + 0x10, units);
    gpu_toggle(g, GLB_PROGRESS);
    g_assert_cmphex(gpu_pending(g, GLB_PROGRESS), ==, 0);
}

static void test_no_progress(void)
{
    static const uint64_t code[] = {
        RUN_COMPUTE, WAIT_ALL, SYNC(51, 10, 12, 0), CODE_END,
    };
    static const uint64_t again[] = { RUN_COMPUTE, WAIT_ALL, CODE_END };
    Gpu *g = start("");

    set_timer(g, UNITS);
    gpu_set(g, "x-hang-jobs", 1);
    run(g, code);
    qtest_clock_step(g->qts, LIMIT_NS - 1);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
    qtest_clock_step(g->qts, 1);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, PROGRESS);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1);
    /* Once, and the job is still there. */
    group_rearm(g, 0);
    qtest_clock_step(g->qts, 10 * LIMIT_NS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 1);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);

    /* Another group in the slot is told of its own. */
    group_request(g, 0, CSG_TERMINATE, 0);
    qtest_writeq(g->qts, PAGES_PA + 0x1000, insert_of(g, 0, 0));
    group_start(g, 0, 1);
    group_rearm(g, 0);
    run(g, again);
    qtest_clock_step(g->qts, 10 * LIMIT_NS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, 0);
    gpu_set(g, "x-hang-jobs", 1);
    run(g, again);
    qtest_clock_step(g->qts, LIMIT_NS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, PROGRESS);
    gpu_stop(g, 0, 0);
}

/* Jobs that take their time, but end one after the other */
static void test_progress(void)
{
    Gpu *g = start("job-time=1500000");
    unsigned i;

    set_timer(g, UNITS);
    for (i = 0; i < 10; i++) {
        emit(g, 0, 0, RUN_COMPUTE);
        emit(g, 0, 0, WAIT_ALL);
    }
    submit(g, 0, 0);
    qtest_clock_step(g->qts, 20 * MS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS | CSG_IDLE), ==, CSG_IDLE);

    /* Without a timer, or with a slow clock, a job may take for ever. */
    gpu_set(g, "core-hz", 1);
    gpu_set(g, "x-hang-jobs", 1);
    emit(g, 0, 0, RUN_COMPUTE);
    submit(g, 0, 0);
    qtest_clock_step(g->qts, 500 * LIMIT_NS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, 0);
    gpu_set(g, "core-hz", 500000000);
    set_timer(g, 0);
    qtest_clock_step(g->qts, 500 * LIMIT_NS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, 0);
    set_timer(g, UNITS);
    g_assert_cmphex(group_pending(g, 0, PROGRESS), ==, PROGRESS);
    gpu_stop(g, 0, 0);
}

/* A suspended group keeps it. */
static void test_suspend_hung(void)
{
    static const uint64_t code[] = {
        RUN_COMPUTE, WAIT_ALL, SYNC(51, 10, 12, 0), CODE_END,
    };
    Gpu *g = start("");

    gpu_set(g, "x-hang-jobs", 1);
    run(g, code);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 1);
    group_request(g, 0, CSG_RESUME, 0);
    qtest_clock_step(g->qts, TAIL);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    gpu_stop(g, 0, 0);
}

/* ---- Suspend, termination, lock, fault ---- */

static void test_suspend(void)
{
    static const uint64_t code[] = {
        STORE(20, 8, 1, 0), RUN_COMPUTE, SYNC_BEHIND(10, 12, 1, 1), WAIT_ALL,
        STORE(20, 8, 1, 4), WAIT_ALL, CODE_END,
    };
    Gpu *g = start("job-time=3000000");

    run(g, code);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SCOREBOARDS), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 5);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    g_assert_cmpuint(data32(g, DATA_VA + 4), ==, 0);
    group_request(g, 0, CSG_RESUME, 0);
    g_assert_cmpuint(data32(g, DATA_VA + 4), ==, 5);
    gpu_stop(g, 0, 0);
}

static void test_terminate(void)
{
    static const uint64_t code[] = { STORE(20, 8, 1, 0), CODE_END };
    Gpu *g = start("");

    run(g, code);
    group_request(g, 0, CSG_TERMINATE, 0);
    qtest_clock_step(g->qts, TAIL);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_lock(void)
{
    static const uint64_t code[] = { STORE(20, 8, 1, 0), CODE_END };
    Gpu *g = start("");

    run(g, code);
    wr(g, AS_REG(GROUP_AS, LOCKADDR), 63);
    wr(g, AS_REG(GROUP_AS, COMMAND), 2);
    qtest_clock_step(g->qts, 2 * TAIL);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 0);
    wr(g, AS_REG(GROUP_AS, COMMAND), 3);
    qtest_clock_step(g->qts, 2 * TAIL);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 5);
    gpu_stop(g, 0, 0);
}

/* The page is gone when the store comes. */
static void test_late_fault(void)
{
    static const uint64_t code[] = {
        MOVE48(14, HOLE_VA), STORE(20, 14, 1, 4), CODE_END,
    };
    Gpu *g = start("");

    gpu_map_in(g, g->group_root, HOLE_VA, 3,
               (BOX_PA + 0x1c0000) | PTE_PAGE | PTE_AF);
    run(g, code);
    g_assert_cmphex(stream_pending(g, 0, 0, CS_FATAL_BIT), ==, 0);
    gpu_map_in(g, g->group_root, HOLE_VA, 3, 0);
    wr(g, AS_REG(GROUP_AS, LOCKADDR), 63);
    wr(g, AS_REG(GROUP_AS, COMMAND), 2);
    wr(g, AS_REG(GROUP_AS, COMMAND), 4);
    qtest_clock_step(g->qts, TAIL);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x3c3);
    check_trap(g, 0, 0, true, 0x48, HOLE_VA + 4);
    gpu_stop(g, 0, 0);
}

void add_ops_tests(void)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(missing); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/ops/missing/%s",
                                                missing[i].name);

        qtest_add_data_func(path, &missing[i], test_missing);
    }
    qtest_add_func("/vmali/ops/early-sync", test_early_sync);
    qtest_add_func("/vmali/ops/slots", test_slots);
    qtest_add_func("/vmali/ops/deferred", test_deferred);
    qtest_add_func("/vmali/ops/indirect", test_indirect);
    qtest_add_func("/vmali/ops/many", test_many);
    qtest_add_func("/vmali/ops/job-time", test_job_time);
    qtest_add_func("/vmali/ops/bad-job-time", test_bad_job_time);
    qtest_add_func("/vmali/ops/no-progress", test_no_progress);
    qtest_add_func("/vmali/ops/progress", test_progress);
    qtest_add_func("/vmali/ops/suspend-hung", test_suspend_hung);
    qtest_add_func("/vmali/ops/suspend", test_suspend);
    qtest_add_func("/vmali/ops/terminate", test_terminate);
    qtest_add_func("/vmali/ops/lock", test_lock);
    qtest_add_func("/vmali/ops/late-fault", test_late_fault);
}
