/*
 * QTest of the virtual Arm Mali CSF GPU: groups of command streams
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define SYNC_VA         (DATA_VA + 0x800)
#define MS              1000000ll

static void clear_irqs(Gpu *g)
{
    wr(g, JOB_IRQ + CLEAR, ~0);
}

static bool is_idle(Gpu *g, unsigned csg)
{
    return mem(g, CSG_OUT(csg) + STATUS_STATE) & 1;
}

/* ---- A job as the kernel and a user would write it ---- */

static const uint64_t store_job[] = {
    MOVE48(68, DATA_VA), MOVE32(70, 0xdeadbeef), STORE(70, 68, 1, 0), WAIT_ALL,
    MOVE32(70, 0), FLUSH(70) | 1ull << 48, WAIT_ALL, CODE_END,
};

static void test_job(void)
{
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, store_job);

    group_start(g, 2, 1);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1 << 2);
    g_assert_cmphex(mem(g, CS_OUT(2, 0)) & 7, ==, 1);
    /* Nothing to do yet. */
    g_assert_cmphex(group_pending(g, 2, CSG_SYNC | CSG_IDLE), ==, CSG_IDLE);
    group_rearm(g, 2);
    g_assert_true(is_idle(g, 2));
    clear_irqs(g);

    emit_job(g, 2, 0, CODE_VA, n, SYNC_VA);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 0);
    submit(g, 2, 0);
    g_assert_cmphex(data32(g, DATA_VA), ==, 0xdeadbeef);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    g_assert_cmphex(data32(g, SYNC_VA + 8), ==, 0);
    g_assert_cmphex(extract_of(g, 2, 0), ==, 8 * JOB_WORDS);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, JOB_WORDS + 7);
    g_assert_cmpuint(gpu_get(g, "lsu-cycles"), ==, 3);
    g_assert_cmpuint(gpu_get(g, "cache-flushes"), ==, 2);
    g_assert_cmpuint(rd(g, 0x10000), ==, 3);
    g_assert_cmphex(group_pending(g, 2, CSG_SYNC | CSG_IDLE), ==,
                    CSG_SYNC | CSG_IDLE);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1 << 2);
    g_assert_true(gpu_irq(g, SPI_JOB));
    g_assert_true(is_idle(g, 2));
    group_rearm(g, 2);
    clear_irqs(g);
    group_request(g, 2, CSG_START, CSG_STATUS);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1 << 2);
    g_assert_cmphex(mem(g, CS_OUT(2, 0) + BLOCKED), ==, 0);
    g_assert_cmphex(qtest_readq(g->qts, CS_OUT(2, 0) + CMD_PTR), ==,
                    RING_VA_OF(16) + 8 * JOB_WORDS);

    group_request(g, 2, CSG_TERMINATE, 0);
    g_assert_cmphex(mem(g, CS_OUT(2, 0)) & 7, ==, 0);
    /* Nobody is there any more. */
    emit(g, 2, 0, NOP);
    submit(g, 2, 0);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, JOB_WORDS + 7);
    gpu_stop(g, 0, 0);
}

/* As many groups as there can be: each has a doorbell and an interrupt. */
static void test_all_groups(void)
{
    Gpu *g = cs_boot("groups=16");
    unsigned n = put_code(g, CODE_VA, store_job);
    unsigned csg;

    for (csg = 0; csg < 16; csg++) {
        group_start(g, csg, 8);
        group_rearm(g, csg);
        clear_irqs(g);
        emit_job(g, csg, 7, CODE_VA, n, SYNC_VA + 16 * csg);
        submit(g, csg, 7);
        g_assert_cmpuint(data64(g, SYNC_VA + 16 * csg), ==, 1);
        g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1u << csg);
    }
    gpu_stop(g, 0, 0);
}

static void test_too_many_groups(void)
{
    g_autofree char *said = gpu_refused("-device vmali,groups=17");

    g_assert_nonnull(strstr(said, ": groups: must be 3 to 16\n"));
}

/* Work that was there before the group; the kernel's doorbell; a full lap. */
static void test_ring(void)
{
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, store_job);
    unsigned i;

    emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
    submit(g, 0, 0);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 0);
    group_start(g, 0, 1);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);

    for (i = 2; i < 100; i++) {
        emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
        if (i % 2) {
            submit(g, 0, 0);
        } else {
            qtest_writeq(g->qts, PAGES_PA, insert_of(g, 0, 0));
            set_mem(g, CSG_IN(0) + 0x08, ~mem(g, CSG_OUT(0) + 0x08) & 1);
            group_request(g, 0, CSG_START, 0);
        }
        g_assert_cmpuint(data64(g, SYNC_VA), ==, i);
        group_rearm(g, 0);
    }
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * JOB_WORDS * 99);
    gpu_stop(g, 0, 0);
}

static void test_bad_ring(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 2);
    qtest_writeq(g->qts, PAGES_PA, RING_SIZE + 8);
    wr(g, DOORBELL(1), 1);
    check_trap(g, 0, 0, true, 0x40, RING_VA_OF(0));
    g_assert_cmpuint(gpu_truth_count(g, "violation stream 0 of group 0: INSERT"
                                     " 0x1008 is impossible"), ==, 1);
    group_request(g, 0, CSG_TERMINATE, 0);
    group_rearm(g, 0);
    qtest_writeq(g->qts, PAGES_PA, 0);

    group_setup(g, 0, 1);
    set_mem(g, CS_IN(0, 0) + 0x18, 4095);
    group_request(g, 0, CSG_START, 0);
    check_trap(g, 0, 0, true, 0x40, RING_VA_OF(0));
    gpu_stop(g, 2, 0);
}

/* ---- Events ---- */

/* What came while the host had not answered is told when it has. */
static void test_events(void)
{
    Gpu *g = cs_boot("");
    uint32_t ack;

    group_start(g, 0, 1);
    group_rearm(g, 0);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    emit(g, 0, 0, MOVE48(10, 1));
    emit(g, 0, 0, SYNC(51, 8, 10, 0));
    submit(g, 0, 0);
    ack = mem(g, CSG_OUT(0));
    g_assert_cmphex(group_pending(g, 0, CSG_SYNC), ==, CSG_SYNC);
    emit(g, 0, 0, SYNC(51, 8, 10, 0));
    submit(g, 0, 0);
    g_assert_cmphex(mem(g, CSG_OUT(0)), ==, ack);
    clear_irqs(g);
    group_rearm(g, 0);
    g_assert_cmphex(group_pending(g, 0, CSG_SYNC), ==, CSG_SYNC);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, 1);
    group_rearm(g, 0);
    g_assert_cmphex(group_pending(g, 0, CSG_SYNC | CSG_IDLE), ==, 0);

    /* Of an update for the group alone, the host does not hear. */
    emit(g, 0, 0, SYNC(51, 8, 10, 2 << 1));
    submit(g, 0, 0);
    g_assert_cmpuint(data64(g, DATA_VA), ==, 3);
    g_assert_cmphex(group_pending(g, 0, CSG_SYNC), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_idle(void)
{
    Gpu *g = cs_boot("");

    /* An empty ring counts as idle only if the host says so. */
    group_setup(g, 0, 1);
    set_mem(g, CS_IN(0, 0), 1);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(group_pending(g, 0, CSG_IDLE), ==, 0);
    g_assert_false(is_idle(g, 0));
    group_request(g, 0, CSG_TERMINATE, 0);

    /* The whole GPU is idle 2 * 1024 ticks behind the last group. */
    set_mem(g, g->in + 0x80, 2);
    set_mem(g, g->in + ACK_IRQ_MASK, 1 << 26);
    gpu_request(g, 1 << 10, 1 << 10);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE32(10, 1));
    emit(g, 0, 0, BRANCH(COND_ALWAYS, 10, -1));
    submit(g, 0, 0);
    g_assert_false(is_idle(g, 0));
    qtest_clock_step(g->qts, 5 * MS);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 0);
    clear_irqs(g);
    group_request(g, 0, CSG_TERMINATE, 0);
    qtest_clock_step(g->qts, 32000);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 0);
    qtest_clock_step(g->qts, 1000);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 1 << 26);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT) & JOB_GLB, ==, JOB_GLB);

    /* A host that asks again is told again; ticks may be single ones. */
    set_mem(g, g->in + REQ, mem(g, g->in + REQ) ^ 1 << 26);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 0);
    gpu_request(g, 1 << 10, 0);
    set_mem(g, g->in + 0x80, 625);
    set_mem(g, g->in + 0x84, 1);
    gpu_request(g, 1 << 10, 1 << 10);
    qtest_clock_step(g->qts, 9999);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 0);
    qtest_clock_step(g->qts, 1);
    g_assert_cmphex(gpu_pending(g, 1 << 26), ==, 1 << 26);
    gpu_stop(g, 0, 0);
}

/* ---- Faults ---- */

static void test_fault(void)
{
    /* The store is to no word; what follows it in the buffer is left out. */
    static const uint64_t code[] = {
        MOVE48(8, DATA_VA + 2), STORE(8, 8, 1, 0), MOVE48(8, DATA_VA),
        MOVE32(10, 1), STORE(10, 8, 1, 4), CODE_END,
    };
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, code);

    put_code(g, CODE_VA + 0x1000, store_job);
    group_start(g, 0, 2);
    group_rearm(g, 0);
    emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
    emit_job(g, 0, 0, CODE_VA + 0x1000, 7, SYNC_VA);
    submit(g, 0, 0);
    check_trap(g, 0, 0, false, 0x5a, DATA_VA + 2);

    /* Until the host has answered, the position is that of the job. */
    qtest_clock_step(g->qts, 10 * MS);
    wr(g, DOORBELL(1), 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 5);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 0);
    g_assert_false(is_idle(g, 0));

    /* Another stream is not concerned. */
    emit_job(g, 0, 1, CODE_VA + 0x1000, 7, SYNC_VA + 16);
    submit(g, 0, 1);
    g_assert_cmpuint(data64(g, SYNC_VA + 16), ==, 1);
    set_data32(g, DATA_VA, 0);

    /* The object of the job says so, and the next job is a job again. */
    group_rearm(g, 0);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 2);
    g_assert_cmphex(data32(g, SYNC_VA + 8), ==, 0);     /* of the second */
    g_assert_cmphex(data32(g, DATA_VA + 4), ==, 0);
    g_assert_cmphex(data32(g, DATA_VA), ==, 0xdeadbeef);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 2 * JOB_WORDS);

    emit_job(g, 0, 0, CODE_VA, n, SYNC_VA);
    submit(g, 0, 0);
    group_rearm(g, 0);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 3);
    g_assert_cmphex(data32(g, SYNC_VA + 8), ==, 0x5a);

    /* Who waits for it and rejects errors inherits this one. */
    emit(g, 0, 1, MOVE48(8, SYNC_VA));
    emit(g, 0, 1, MOVE48(10, 3));
    emit(g, 0, 1, SYNC(53, 8, 10, 0));
    emit(g, 0, 1, SYNC(53, 8, 10, 1));
    emit(g, 0, 1, ERROR_BARRIER);
    submit(g, 0, 1);
    check_trap(g, 0, 1, false, 0x4b, SYNC_VA);
    g_assert_cmphex(extract_of(g, 0, 1), ==, 8 * (JOB_WORDS + 3));
    group_rearm(g, 0);
    g_assert_cmphex(extract_of(g, 0, 1), ==, 8 * (JOB_WORDS + 5));
    gpu_stop(g, 0, 0);
}

static void test_mmu_fault(void)
{
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, store_job);

    group_start(g, 1, 2);
    group_rearm(g, 1);
    emit(g, 1, 0, MOVE48(8, HOLE_VA));
    emit(g, 1, 0, STORE(8, 8, 1, 16));
    emit(g, 1, 0, NOP);
    submit(g, 1, 0);
    g_assert_cmphex(rd(g, MMU_IRQ + STAT), ==, 1 << GROUP_AS);
    g_assert_cmphex(rd64(g, AS_REG(GROUP_AS, FAULTADDRESS)), ==, HOLE_VA + 16);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x3c1);
    check_trap(g, 1, 0, true, 0x48, HOLE_VA + 16);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);

    /* The address space stands still until the host has set it up anew. */
    emit_job(g, 1, 1, CODE_VA, n, SYNC_VA);
    submit(g, 1, 1);
    wr(g, MMU_IRQ + CLEAR, ~0);
    submit(g, 1, 1);
    wr(g, AS_REG(GROUP_AS, TRANSCFG), 1);
    wr(g, AS_REG(GROUP_AS, COMMAND), 1);
    qtest_clock_step(g->qts, 10 * MS);
    g_assert_cmphex(extract_of(g, 1, 1), ==, 0);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    group_request(g, 1, CSG_START, CSG_STATUS);
    group_request(g, 1, CSG_TERMINATE, 0);
    group_rearm(g, 1);

    wr(g, AS_REG(GROUP_AS, TRANSCFG), TRANSCFG_4K);
    wr(g, AS_REG(GROUP_AS, COMMAND), 1);
    /* The first stream has nothing left. */
    qtest_writeq(g->qts, PAGES_PA + 0x2000 * 8 + 0x1000, insert_of(g, 1, 0));
    group_start(g, 1, 2);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);
    gpu_stop(g, 0, 0);
}

/* A ring, or a called buffer, that is not mapped or is no memory. */
static void test_fetch_fault(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, HOLE_VA));
    emit(g, 0, 0, MOVE32(10, 64));
    emit(g, 0, 0, CALL(8, 10));
    submit(g, 0, 0);
    check_trap(g, 0, 0, true, 0x48, HOLE_VA);
    g_assert_cmphex(rd(g, AS_REG(GROUP_AS, FAULTSTATUS)) & 0x3ff, ==, 0x2c1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 16);
    gpu_stop(g, 0, 0);
}

/* ---- Streams that wait ---- */

static void test_sync_wait(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    group_start(g, 3, 1);
    emit(g, 0, 0, MOVE48(8, SYNC_VA));
    emit(g, 0, 0, MOVE48(10, 0x500000000ull));
    emit(g, 0, 0, MOVE48(12, DATA_VA));
    emit(g, 0, 0, SYNC(53, 8, 10, 1ull << 28));
    emit(g, 0, 0, STORE(10, 12, 3, 0));
    emit(g, 0, 0, WAIT_ALL);
    submit(g, 0, 0);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 24);
    g_assert_true(is_idle(g, 0));
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 3);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 1u << 31 | 1 << 30 |
                                                     1 << 24);
    g_assert_cmphex(qtest_readq(g->qts, CS_OUT(0, 0) + SYNC_PTR), ==, SYNC_VA);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + SYNC_VALUE), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + 0x64), ==, 5);

    /* A host that writes it without a word is not noticed. */
    qtest_writeq(g->qts, TO_PA(SYNC_VA), 0x500000000ull);
    qtest_clock_step(g->qts, 100 * MS);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 24);

    /* Another group that adds one is. */
    emit(g, 3, 0, MOVE48(8, SYNC_VA));
    emit(g, 3, 0, MOVE48(10, 1));
    emit(g, 3, 0, SYNC(51, 8, 10, 0));
    submit(g, 3, 0);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 48);
    g_assert_cmphex(data64(g, DATA_VA), ==, 0x500000000ull);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(3, 0) + BLOCKED), ==, 0);

    /* A host that rings is noticed, too. */
    emit(g, 0, 0, SYNC(39, 8, 11, 0));
    submit(g, 0, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 0);
    emit(g, 0, 0, SYNC(39, 8, 11, 1ull << 28));
    submit(g, 0, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 1u << 31 | 1 << 24);
    set_data32(g, SYNC_VA, 6);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 8);
    gpu_stop(g, 0, 0);
}

static void test_progress_wait(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 2);
    emit(g, 0, 0, MOVE48(10, 2));
    emit(g, 0, 0, INSN(24, 10ull << 40 | 1));
    submit(g, 0, 0);
    emit(g, 0, 1, INSN(3, 1ull << 32));
    submit(g, 0, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 2);
    g_assert_false(is_idle(g, 0));
    emit(g, 0, 1, INSN(7, 1ull << 32));
    submit(g, 0, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 16);
    gpu_stop(g, 0, 0);
}

/* Between a lock and its end, no stream touches the address space. */
static void test_lock(void)
{
    static const uint32_t end[] = { 3, 4, 5, 1 };
    Gpu *g = cs_boot("");
    unsigned i;

    group_start(g, 0, 1);
    for (i = 0; i < ARRAY_SIZE(end); i++) {
        wr(g, AS_REG(GROUP_AS, LOCKADDR), 63);
        wr(g, AS_REG(GROUP_AS, COMMAND), 2);
        emit(g, 0, 0, NOP);
        submit(g, 0, 0);
        qtest_clock_step(g->qts, 5 * MS);
        g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * i);
        wr(g, AS_REG(GROUP_AS, COMMAND), end[i]);
        qtest_clock_step(g->qts, 1000);
        g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * (i + 1));
    }
    gpu_stop(g, 0, 0);
}

/* ---- Streams that never end ---- */

static void start_endless(Gpu *g, unsigned csg, unsigned cs)
{
    emit(g, csg, cs, MOVE32(10, 1));
    emit(g, csg, cs, BRANCH(COND_ALWAYS, 10, -1));
    submit(g, csg, cs);
}

static void test_endless(void)
{
    Gpu *g = cs_boot("cs-budget=100");
    unsigned n = put_code(g, CODE_VA, store_job);
    uint64_t count;

    group_start(g, 0, 1);
    start_endless(g, 0, 0);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 100);
    /* Doorbells do not make more of it. */
    wr(g, DOORBELL(1), 1);
    gpu_toggle(g, GLB_PING);
    g_assert_cmphex(gpu_pending(g, GLB_PING), ==, 0);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 100);
    qtest_clock_step(g->qts, 10 * MS);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 1100);

    /* Others have their share, and come to their end. */
    group_start(g, 1, 1);
    emit_job(g, 1, 0, CODE_VA, n, SYNC_VA);
    submit(g, 1, 0);
    /* Three waits of it take a turn of the other stream each. */
    qtest_clock_step(g->qts, 4 * MS);
    g_assert_cmpuint(data64(g, SYNC_VA), ==, 1);

    /* Requests are answered, and the end is the end. */
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_false(is_idle(g, 0));
    group_request(g, 0, CSG_TERMINATE, 0);
    count = gpu_get(g, "instructions");
    qtest_clock_step(g->qts, 100 * MS);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, count);
    gpu_stop(g, 0, 0);
}

/* However many never end, all of them go on. */
static void test_fair(void)
{
    Gpu *g = cs_boot("cs-budget=100");
    unsigned i;

    for (i = 0; i < 8; i++) {
        group_setup(g, i, 1);
        set_mem(g, CSG_IN(i) + 0x34, 1 | (i + 1u) << 28);
        group_request(g, i, CSG_START, CSG_EP_CFG);
        start_endless(g, i, 0);
    }
    qtest_clock_step(g->qts, 10 * MS);
    for (i = 0; i < 8; i++) {
        g_assert_cmphex(extract_of(g, i, 0), ==, 8);
    }
    gpu_stop(g, 0, 0);
}

/* The group of the highest priority comes first, and in it the stream. */
static void test_priority(void)
{
    Gpu *g = cs_boot("cs-budget=4");
    unsigned csg, cs, i, done;
    static const struct {
        unsigned group;
        unsigned stream;
    } priority[2][2] = { { { 3, 9 }, { 3, 1 } }, { { 8, 2 }, { 8, 5 } } };
    static const unsigned order[2][2] = { { 3, 4 }, { 2, 1 } };

    /* Each has the instructions of one slice; they start when the lock ends. */
    wr(g, AS_REG(GROUP_AS, LOCKADDR), 63);
    wr(g, AS_REG(GROUP_AS, COMMAND), 2);
    for (csg = 0; csg < 2; csg++) {
        group_setup(g, csg, 2);
        set_mem(g, CSG_IN(csg) + 0x34, priority[csg][0].group << 28);
        for (cs = 0; cs < 2; cs++) {
            set_mem(g, CS_IN(csg, cs) + 0x04, (csg + 1) << 8 |
                                              priority[csg][cs].stream);
            for (i = 0; i < 4; i++) {
                emit(g, csg, cs, NOP);
            }
            submit(g, csg, cs);
        }
        group_request(g, csg, CSG_START, CSG_EP_CFG);
    }
    wr(g, AS_REG(GROUP_AS, COMMAND), 3);
    qtest_clock_step(g->qts, 1000);
    for (done = 1; done <= 4; done++) {
        for (i = 0; i < 4; i++) {
            g_assert_cmphex(extract_of(g, i / 2, i % 2), ==,
                            (order[i / 2][i % 2] <= done ? 8 * 4 : 0));
        }
        qtest_clock_step(g->qts, 1 * MS);
    }
    gpu_stop(g, 0, 0);
}

/* ---- Suspend and resume ---- */

/* What a stream waited for has come, but it has not had its turn since. */
static void test_suspend_wait_over(void)
{
    Gpu *g = cs_boot("cs-budget=8");

    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, SYNC_VA));
    emit(g, 0, 0, SYNC(39, 8, 11, 1ull << 28));
    submit(g, 0, 0);
    group_request(g, 0, CSG_START, CSG_STATUS);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 3);
    g_assert_true(is_idle(g, 0));

    group_start(g, 1, 1);
    emit(g, 1, 0, MOVE48(8, SYNC_VA));
    emit(g, 1, 0, MOVE32(11, 1));
    emit(g, 1, 0, SYNC(37, 8, 11, 0));
    start_endless(g, 1, 0);
    g_assert_cmpuint(data32(g, SYNC_VA), ==, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + WAIT), ==, 0);
    g_assert_false(is_idle(g, 0));

    group_request(g, 0, CSG_RESUME, 0);
    qtest_clock_step(g->qts, 10 * MS);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 16);
    group_request(g, 1, CSG_TERMINATE, 0);
    gpu_stop(g, 0, 0);
}

static void test_suspend(void)
{
    /* Waits inside of a buffer that was called from a buffer. */
    static const uint64_t outer[] = {
        CALL(14, 16), STORE(20, 12, 1, 4), CODE_END,
    };
    static const uint64_t inner[] = {
        SYNC(53, 8, 10, 1ull << 28), ADD32(20, 20, 1), STORE(20, 12, 1, 0),
        CODE_END,
    };
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, outer);

    put_code(g, CODE_VA + 0x1000, inner);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, SYNC_VA));
    emit(g, 0, 0, MOVE48(10, 0));
    emit(g, 0, 0, MOVE48(12, DATA_VA));
    emit(g, 0, 0, MOVE48(14, CODE_VA + 0x1000));
    emit(g, 0, 0, MOVE32(16, 24));
    emit(g, 0, 0, MOVE32(20, 41));
    emit_job(g, 0, 0, CODE_VA, n, SYNC_VA + 16);
    submit(g, 0, 0);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * (6 + 5));
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0)) & 7, ==, 0);
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 3);
    g_assert_cmphex(qtest_readq(g->qts, CS_OUT(0, 0) + SYNC_PTR), ==, SYNC_VA);
    g_assert_true(is_idle(g, 0));
    g_assert_cmphex(mem(g, PAGES_PA + 0x1008), ==, 0);

    /* Another group in the slot, which leaves other registers behind. */
    group_setup(g, 0, 1);
    qtest_writeq(g->qts, CSG_IN(0) + 0x40, SUSPEND_VA + SUSPEND_MAX * 7);
    qtest_writeq(g->qts, CS_IN(0, 0) + 0x10, RING_VA_OF(63));
    qtest_writeq(g->qts, CS_IN(0, 0) + 0x30, PAGES_VA + 0x2000 * 63);
    qtest_writeq(g->qts, CS_IN(0, 0) + 0x38, PAGES_VA + 0x2000 * 63 + 0x1000);
    emit(g, 7, 7, MOVE32(20, 0));
    emit(g, 7, 7, MOVE48(12, 0));
    qtest_writeq(g->qts, PAGES_PA + 0x2000 * 63, 16);
    group_request(g, 0, CSG_START, 0);
    g_assert_cmphex(extract_of(g, 7, 7), ==, 16);
    group_request(g, 0, CSG_TERMINATE, 0);

    /* In another slot, it goes on where it was. */
    set_data32(g, SYNC_VA, 1);
    group_setup(g, 5, 1);
    qtest_writeq(g->qts, CSG_IN(5) + 0x40, SUSPEND_VA);
    qtest_writeq(g->qts, CS_IN(5, 0) + 0x10, RING_VA_OF(0));
    qtest_writeq(g->qts, CS_IN(5, 0) + 0x30, PAGES_VA);
    qtest_writeq(g->qts, CS_IN(5, 0) + 0x38, PAGES_VA + 0x1000);
    group_request(g, 5, CSG_RESUME, 0);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 42);
    g_assert_cmpuint(data32(g, DATA_VA + 4), ==, 42);
    g_assert_cmpuint(data64(g, SYNC_VA + 16), ==, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * (6 + JOB_WORDS));
    gpu_stop(g, 0, 0);
}

static void test_suspend_endless(void)
{
    Gpu *g = cs_boot("cs-budget=100");

    group_start(g, 0, 1);
    start_endless(g, 0, 0);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_false(is_idle(g, 0));
    g_assert_cmphex(mem(g, CS_OUT(0, 0) + BLOCKED), ==, 0);
    qtest_clock_step(g->qts, 10 * MS);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 100);
    group_request(g, 0, CSG_RESUME, 0);
    qtest_clock_step(g->qts, 10 * MS);
    g_assert_cmpuint(gpu_get(g, "instructions"), >, 1000);
    gpu_stop(g, 0, 0);
}

static void test_bad_suspend_buffer(void)
{
    Gpu *g = cs_boot("");
    unsigned offset[] = { 0, 16, 16 + 20 };     /* magic, states */
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(offset); i++) {
        uint64_t at = SUSPEND_PA + offset[i];

        group_start(g, 0, 1);
        group_request(g, 0, CSG_SUSPEND, 0);
        set_mem(g, at, mem(g, at) ^ 4);
        group_setup(g, 0, 1);
        group_request(g, 0, CSG_RESUME, 0);
        check_trap(g, 0, 0, true, 0x68, SUSPEND_VA);
        group_request(g, 0, CSG_TERMINATE, 0);
        group_rearm(g, 0);
    }
    g_assert_cmpuint(gpu_truth_count(g, "violation group 0: its suspend buffer"
                                     " is not what"), ==, 3);
    group_setup(g, 0, 1);
    qtest_writeq(g->qts, CSG_IN(0) + 0x40, 0);
    group_request(g, 0, CSG_START, 0);
    group_request(g, 0, CSG_SUSPEND, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    gpu_stop(g, 4, 0);
}

/* Sizes of suspend buffers are enough for all that is saved. */
static void test_suspend_size(void)
{
    Gpu *g = gpu_boot("streams=32");

    g_assert_cmpuint(mem(g, SHARED_PA + 0x1000 + 0x0c), >=,
                     32 * (96 * 4 + 7 * 8 * 2));
    g_assert_cmpuint(mem(g, SHARED_PA + 0x1000 + 0x0c) % 4096, ==, 0);
    gpu_stop(g, 0, 0);

    g = gpu_boot("");
    g_assert_cmpuint(mem(g, SHARED_PA + 0x1000 + 0x0c), <=, SUSPEND_MAX);
    gpu_stop(g, 0, 0);
}

/* ---- The firmware's end ---- */

static void test_reset(void)
{
    Gpu *g = cs_boot("cs-budget=100");
    uint64_t count;

    group_start(g, 0, 1);
    start_endless(g, 0, 0);
    wr(g, GPU_COMMAND, 0x101);
    count = gpu_get(g, "instructions");
    qtest_clock_step(g->qts, 100 * MS);
    wr(g, DOORBELL(1), 1);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, count);
    gpu_stop(g, 0, 0);
}

static void test_hang(void)
{
    Gpu *g = cs_boot("cs-budget=100");
    uint64_t count;

    group_start(g, 0, 1);
    start_endless(g, 0, 0);
    gpu_set(g, "x-hang", 1);
    count = gpu_get(g, "instructions");
    qtest_clock_step(g->qts, 100 * MS);
    wr(g, DOORBELL(1), 1);
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, count);
    gpu_stop(g, 0, 0);
}

/* A doorbell wakes the firmware, which finds its groups as they were. */
static void test_sleep(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    gpu_set(g, "x-sleep", 1);
    emit(g, 0, 0, NOP);
    submit(g, 0, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8);
    gpu_stop(g, 0, 0);
}

static void test_bad_requests(void)
{
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    set_mem(g, CSG_IN(0), (mem(g, CSG_IN(0)) & ~7u) | 5 | 1 << 8);
    set_mem(g, g->in + DB_REQ, mem(g, g->out + DB_ACK) ^ 1);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(mem(g, CSG_OUT(0)) & 7, ==, CSG_START);
    g_assert_cmpuint(gpu_truth_count(g, "violation group 0: no state 5"), ==,
                     1);
    group_setup(g, 1, 1);
    qtest_writeq(g->qts, CSG_IN(1) + 0x20, 0x80005);
    group_request(g, 1, CSG_START, 0);
    g_assert_cmpuint(gpu_truth_count(g, "violation group 1: allowed cores"),
                     ==, 1);
    gpu_stop(g, 2, 1);
}

void add_cs_tests(void)
{
    qtest_add_func("/vmali/cs/job", test_job);
    qtest_add_func("/vmali/cs/ring", test_ring);
    qtest_add_func("/vmali/cs/all-groups", test_all_groups);
    qtest_add_func("/vmali/cs/too-many-groups", test_too_many_groups);
    qtest_add_func("/vmali/cs/bad-ring", test_bad_ring);
    qtest_add_func("/vmali/cs/events", test_events);
    qtest_add_func("/vmali/cs/idle", test_idle);
    qtest_add_func("/vmali/cs/fault", test_fault);
    qtest_add_func("/vmali/cs/mmu-fault", test_mmu_fault);
    qtest_add_func("/vmali/cs/fetch-fault", test_fetch_fault);
    qtest_add_func("/vmali/cs/sync-wait", test_sync_wait);
    qtest_add_func("/vmali/cs/progress-wait", test_progress_wait);
    qtest_add_func("/vmali/cs/lock", test_lock);
    qtest_add_func("/vmali/cs/endless", test_endless);
    qtest_add_func("/vmali/cs/fair", test_fair);
    qtest_add_func("/vmali/cs/priority", test_priority);
    qtest_add_func("/vmali/cs/suspend", test_suspend);
    qtest_add_func("/vmali/cs/suspend-wait-over", test_suspend_wait_over);
    qtest_add_func("/vmali/cs/suspend-endless", test_suspend_endless);
    qtest_add_func("/vmali/cs/bad-suspend-buffer", test_bad_suspend_buffer);
    qtest_add_func("/vmali/cs/suspend-size", test_suspend_size);
    qtest_add_func("/vmali/cs/reset", test_reset);
    qtest_add_func("/vmali/cs/hang", test_hang);
    qtest_add_func("/vmali/cs/sleep", test_sleep);
    qtest_add_func("/vmali/cs/bad-request", test_bad_requests);
}
