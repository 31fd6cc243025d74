/*
 * QTest of the virtual Arm Mali CSF GPU: instructions of command streams
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define MAX_CODE        24
#define RESULT          20      /* pair that the cases leave their result in */
#define REG_DATA        8       /* pair with the address of the data page */

/* ---- What instructions do ---- */

typedef struct {
    const char *name;
    const char *properties;
    uint64_t code[MAX_CODE];    /* ends with 0: NOP has a value of its own */
    uint64_t result;
} Case;

/* NOPs in the code of a case, which ends with 0 */
#define NOP_            INSN(0, 1)

static const Case cases[] = {
    { "nop", "", { NOP_, MOVE32(20, 3), NOP_ }, 3 },
    { "move32", "", { MOVE48(20, 0xffffffffffffull), MOVE32(20, 0x80000001) },
      0xffff80000001ull },
    { "move48", "", { MOVE32(21, ~0), MOVE48(20, 0x123456789abcull) },
      0x123456789abcull },
    { "add32", "", { MOVE48(20, 0xffff00000005ull), ADD32(20, 20, -7) },
      0xfffffffffffeull },
    { "add64", "", { MOVE48(10, 0x1ffffffffull), ADD64(20, 10, 1) },
      0x200000000ull },
    { "add64-negative", "", { MOVE48(10, 0x100000000ull), ADD64(20, 10, -1) },
      0xffffffff },
    { "umin", "", { MOVE32(10, 0x80000000), MOVE32(11, 5),
      INSN(18, 20ull << 48 | 10ull << 40 | 11ull << 32) }, 5 },
    { "load", "", { MOVE32(30, 11), MOVE32(32, 33), STORE(30, 8, 0x5, 16),
      WAIT_ALL, LOAD(20, 8, 3, 20), WAIT_ALL, LOAD(20, 8, 1, 16) },
      33ull << 32 | 11 },
    { "branch-taken", "", { MOVE32(10, -1), BRANCH(COND_LT, 10, 1),
      MOVE32(20, 1), ADD32(20, 20, 2) }, 2 },
    { "branch-not-taken", "", { MOVE32(10, 0), BRANCH(COND_LT, 10, 1),
      MOVE32(20, 1), ADD32(20, 20, 2) }, 3 },
    { "branch-conditions", "", { MOVE32(10, 0), MOVE32(11, 1),
      BRANCH(COND_LE, 10, 1), MOVE32(20, 99), BRANCH(COND_GT, 11, 1),
      MOVE32(20, 98), BRANCH(COND_EQ, 10, 1), MOVE32(20, 97),
      BRANCH(COND_NE, 11, 1), MOVE32(20, 96), BRANCH(COND_GE, 10, 1),
      MOVE32(20, 95), BRANCH(COND_ALWAYS, 11, 1), MOVE32(20, 94),
      BRANCH(COND_GT, 10, 1), ADD32(20, 20, 1) }, 1 },
    { "loop", "", { MOVE32(10, 100), ADD32(20, 20, 3), ADD32(10, 10, -1),
      BRANCH(COND_GT, 10, -3) }, 300 },
    { "loop-over-slices", "cs-budget=16", { MOVE32(10, 100),
      ADD32(20, 20, 3), ADD32(10, 10, -1), BRANCH(COND_GT, 10, -3) }, 300 },
    { "branch-to-end", "", { MOVE32(20, 7), BRANCH(COND_ALWAYS, 20, 1),
      MOVE32(20, 1) }, 7 },
    { "settings", "", { INSN(23, 0x21), INSN(34, 0xf), INSN(41, 2),
      INSN(50, 0), INSN(3, 1ull << 32 | 0xffffull << 16), MOVE32(20, 1) }, 1 },
    { "progress", "", { INSN(3, 1ull << 32), INSN(3, 1ull << 32),
      INSN(43, 20ull << 48) }, 2 },
    { "progress-store", "", { MOVE48(10, 0x500000000ull),
      INSN(42, 10ull << 40), INSN(24, 10ull << 40), INSN(43, 20ull << 48) },
      0x500000000ull },
    { "sync-add32", "", { MOVE32(30, -1), STORE(30, 8, 1, 0), MOVE32(31, 2),
      WAIT_ALL, SYNC(37, 8, 31, 0), LOAD(20, 8, 3, 0) }, 1 },
    { "sync-set32", "", { MOVE32(30, 5), STORE(30, 8, 3, 0), WAIT_ALL,
      MOVE32(31, 9), SYNC(38, 8, 31, 0), LOAD(20, 8, 1, 0) }, 9 },
    { "sync-add64", "", { MOVE32(30, -1), STORE(30, 8, 1, 0), WAIT_ALL,
      MOVE48(30, 2), SYNC(51, 8, 30, 0), LOAD(20, 8, 3, 0) }, 1ull << 32 | 1 },
    { "sync-set64", "", { MOVE48(30, 0x123400000001ull), SYNC(52, 8, 30, 1),
      LOAD(20, 8, 3, 0) }, 0x123400000001ull },
    { "sync-wait32", "", { MOVE32(30, 5), STORE(30, 8, 1, 0), WAIT_ALL,
      MOVE32(31, 4), SYNC(39, 8, 31, 1ull << 28), SYNC(39, 8, 30, 0),
      MOVE32(20, 1) }, 1 },
    { "sync-wait64", "", { MOVE48(30, 0x500000000ull), STORE(30, 8, 3, 0),
      WAIT_ALL, MOVE48(32, 0x4ffffffffull), SYNC(53, 8, 32, 1ull << 28),
      SYNC(53, 8, 30, 0), MOVE32(20, 1) }, 1 },
    { "heap", "", { MOVE48(10, DATA_VA + 0x400), INSN(48, 10ull << 40),
      INSN(49, 0),
      INSN(49, 1ull << 32), INSN(49, 3ull << 32), INSN(11, 1),
      INSN(25, 10ull << 40 | 2), MOVE32(20, 1) }, 1 },
    { "exception-handler", "gpu-id=0xc8700008,shader-present=0x550555",
      { INSN(25, 10ull << 40 | 2), MOVE32(20, 1) }, 1 },
    { "work", "", { INSN(4, 1), INSN(5, 0), INSN(6, 0), INSN(7, 0),
      INSN(8, 0), INSN(9, 0), INSN(44, 1), MOVE32(20, 1) }, 1 },
    { "error-status", "", { STORE_STATE(8, 3), LOAD(20, 8, 3, 0) }, 0 },
    { "logic", "gpu-id=0xb8520000,shader-present=0x7ff", { MOVE32(10, 0xff0),
      MOVE32(11, 0x0ff), INSN(19, 20ull << 48 | 10ull << 40 | 11ull << 32 |
                              6) }, 0xf0f },
    { "logic-index", "gpu-id=0xb8520000,shader-present=0x7ff",
      { MOVE32(10, 0xff0), MOVE32(11, 4),
        INSN(19, 20ull << 48 | 10ull << 40 | 11ull << 32 | 0x12) }, 0xfe0 },
    { "set-state", "gpu-id=0xb8520000,shader-present=0x7ff",
      { INSN(28, 1ull << 32 | 3), INSN(26, 0), INSN(30, 0), INSN(31, 0),
        INSN(27, 2ull << 32), MOVE32(20, 1) }, 1 },
    { "sync-wait-ge", "gpu-id=0xb8520000,shader-present=0x7ff",
      { MOVE32(30, 5), STORE(30, 8, 1, 0), WAIT_ALL,
        SYNC(39, 8, 30, 5ull << 28), MOVE32(20, 1) }, 1 },
    { "r127", "gpu-id=0xc8700008,shader-present=0x550555",
      { MOVE32(127, 8), ADD32(20, 127, 0), INSN(12, 0) }, 8 },
    { "shift", "gpu-id=0xd8300015,shader-present=0xee0077",
      { MOVE32(10, 0x81), INSN(16, 20ull << 48 | 10ull << 40 | 1ull << 32 |
                               24) }, 0x81000000 },
    { "shift-signed", "gpu-id=0xd8300015,shader-present=0xee0077",
      { MOVE32(10, 0x80000000), INSN(16, 20ull << 48 | 10ull << 40 |
                                     3ull << 32 | 28) }, 0xfffffff8 },
    { "sub", "gpu-id=0xd8300015,shader-present=0xee0077",
      { MOVE32(10, 3), MOVE32(11, 5), INSN(18, 20ull << 48 | 10ull << 40 |
                                           11ull << 32 | 2 << 24) },
      0xfffffffe },
};

static void test_case(const void *data)
{
    const Case *c = data;
    Gpu *g = cs_boot(c->properties);
    uint64_t code[MAX_CODE + 8];
    unsigned n = 0, i;

    code[n++] = MOVE48(REG_DATA, DATA_VA);
    for (i = 0; i < MAX_CODE && c->code[i]; i++) {
        code[n++] = c->code[i];
    }
    code[n++] = WAIT_ALL;
    code[n++] = MOVE48(REG_DATA, DATA_VA + 0x100);
    code[n++] = STORE(RESULT, REG_DATA, 3, 0);
    code[n] = CODE_END;
    put_code(g, CODE_VA, code);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(RESULT, 0));
    emit_job(g, 0, 0, CODE_VA, n, DATA_VA + 0x200);
    submit(g, 0, 0);
    qtest_clock_step(g->qts, 100000000);
    g_assert_cmphex(stream_pending(g, 0, 0, CS_FATAL_BIT | CS_FAULT_BIT), ==,
                    0);
    g_assert_cmphex(data64(g, DATA_VA + 0x100), ==, c->result);
    g_assert_cmpuint(data64(g, DATA_VA + 0x200), ==, 1);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * (JOB_WORDS + 1));
    gpu_stop(g, 0, 0);
}

/* ---- What is no instruction ---- */

typedef struct {
    const char *name;
    const char *properties;
    uint8_t code[80];           /* all that exist */
} Opcodes;

static const Opcodes opcodes[] = {
    { "arch10", "",
      { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 17, 18, 20, 21, 22, 23, 24, 25,
        32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44, 47, 48, 49, 50, 51,
        52, 53 } },
    { "arch11", "gpu-id=0xb8520000,shader-present=0x7ff",
      { 0, 1, 2, 3, 4, 6, 7, 8, 9, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44,
        47, 48, 49, 50, 51, 52, 53 } },
    { "arch12", "gpu-id=0xc8700008,shader-present=0x550555",
      { 0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44,
        47, 48, 49, 50, 51, 52, 53 } },
};

static bool exists(const Opcodes *o, unsigned code)
{
    unsigned i;

    for (i = 1; i < ARRAY_SIZE(o->code); i++) {
        if (o->code[i] == code) {
            return true;
        }
    }
    return code == 0;
}

static void test_opcodes(const void *data)
{
    const Opcodes *o = data;
    Gpu *g = cs_boot(o->properties);
    unsigned code;

    for (code = 0; code < 256; code++) {
        uint64_t faults = gpu_get(g, "faults");
        uint64_t at = insert_of(g, 0, 0);

        if (exists(o, code)) {
            continue;
        }
        group_start(g, 0, 1);
        emit(g, 0, 0, INSN(code, 0));
        submit(g, 0, 0);
        check_trap(g, 0, 0, true, 0x49, RING_VA_OF(0) + at % RING_SIZE);
        g_assert_cmpuint(gpu_get(g, "faults"), ==, faults + 1);
        group_rearm(g, 0);
        /* It stops for good, and the group can start again behind it. */
        wr(g, DOORBELL(1), 1);
        g_assert_cmphex(extract_of(g, 0, 0), ==, at);
        group_request(g, 0, CSG_TERMINATE, 0);
        qtest_writeq(g->qts, PAGES_PA + 0x1000, at + 8);
    }
    gpu_stop(g, 0, 0);
}

typedef struct {
    const char *name;
    uint64_t insn;
    bool fatal;
    unsigned type;
    uint64_t info;              /* 0: the instruction's address */
} Bad;

/* r8 has the address of the data page, plus 2 */
static const Bad bad[] = {
    { "register", MOVE32(96, 0), true, 0x49 },
    { "odd-pair", MOVE48(9, 0), true, 0x49 },
    { "pair-at-end", MOVE48(96, 0), true, 0x49 },
    { "register-a", ADD32(0, 100, 0), true, 0x49 },
    { "register-b", SYNC(37, 8, 200, 0), true, 0x49 },
    { "too-many", STORE(90, 8, 0x40, 0), true, 0x49 },
    { "condition", BRANCH(7, 8, 0), true, 0x49 },
    { "sync-condition", SYNC(39, 10, 8, 5ull << 28), true, 0x49 },
    { "heap-operation", INSN(49, 2ull << 32), true, 0x49 },
    { "progress-queue", INSN(24, 10ull << 40 | 20), true, 0x49 },
    { "axis", INSN(4, 3ull << 14), true, 0x49 },
    { "unaligned-store", STORE(0, 8, 1, 0), false, 0x5a, DATA_VA + 2 },
    { "unaligned-sync", SYNC(51, 12, 10, 0), false, 0x5a, DATA_VA + 4 },
    { "unaligned-wait", SYNC(53, 12, 10, 0), false, 0x5a, DATA_VA + 4 },
    { "unaligned-state", STORE_STATE(12, 0), false, 0x5a, DATA_VA + 4 },
    { "unaligned-call", CALL(12, 0), false, 0x50, DATA_VA + 4 },
    { "odd-length", CALL(10, 14), false, 0x50, DATA_VA },
    { "jump-in-ring", JUMP(10, 0), false, 0x50, DATA_VA },
    { "branch-back", BRANCH(COND_ALWAYS, 0, -2), false, 0x50,
      RING_VA_OF(0) + 8 * 3 },
    { "branch-beyond", BRANCH(COND_ALWAYS, 0, 3), false, 0x50,
      RING_VA_OF(0) + 8 * 8 },
};

static void test_bad(const void *data)
{
    const Bad *b = data;
    Gpu *g = cs_boot("");

    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, DATA_VA + 2));
    emit(g, 0, 0, MOVE48(10, DATA_VA));
    emit(g, 0, 0, MOVE48(12, DATA_VA + 4));
    emit(g, 0, 0, MOVE32(14, 4));
    emit(g, 0, 0, b->insn);
    emit(g, 0, 0, MOVE32(20, 1));
    emit(g, 0, 0, STORE(20, 10, 1, 0x40));
    submit(g, 0, 0);
    check_trap(g, 0, 0, b->fatal, b->type,
               b->info ?: RING_VA_OF(0) + 8 * 4);
    g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 4);
    g_assert_cmphex(qtest_readq(g->qts, CS_OUT(0, 0) + CMD_PTR), ==,
                    RING_VA_OF(0) + 8 * 4);
    g_assert_cmphex(data32(g, DATA_VA + 0x40), ==, 0);
    g_assert_cmphex(mem(g, CSG_OUT(0)) & 7, ==, CSG_START);
    group_rearm(g, 0);
    if (b->fatal) {
        g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 4);
    } else {
        /* Skipped to the end, for want of an error barrier. */
        g_assert_cmphex(extract_of(g, 0, 0), ==, 8 * 7);
    }
    g_assert_cmphex(data32(g, DATA_VA + 0x40), ==, 0);
    gpu_stop(g, 0, 0);
}

/* ---- Calls ---- */

static void test_call(void)
{
    /* Twice into a second buffer, then a jump into a third. */
    static const uint64_t outer[] = {
        ADD32(20, 20, 1), CALL(10, 14), CALL(10, 14), ADD32(20, 20, 1),
        JUMP(12, 15), ADD32(20, 20, 0x1000), CODE_END,
    };
    static const uint64_t inner[] = { ADD32(20, 20, 0x10), CODE_END };
    static const uint64_t last[] = {
        ADD32(20, 20, 0x100), STORE(20, 8, 1, 0), CODE_END,
    };
    Gpu *g = cs_boot("");
    unsigned n = put_code(g, CODE_VA, outer);

    put_code(g, CODE_VA + 0x1000, inner);
    put_code(g, CODE_VA + 0x2000, last);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    emit(g, 0, 0, MOVE48(10, CODE_VA + 0x1000));
    emit(g, 0, 0, MOVE48(12, CODE_VA + 0x2000));
    emit(g, 0, 0, MOVE32(14, 8));
    emit(g, 0, 0, MOVE32(15, 16));
    emit(g, 0, 0, MOVE32(20, 0));
    emit_job(g, 0, 0, CODE_VA, n, DATA_VA + 0x200);
    submit(g, 0, 0);
    g_assert_cmphex(data32(g, DATA_VA), ==, 0x122);
    g_assert_cmpuint(data64(g, DATA_VA + 0x200), ==, 1);
    /* 6 moves, the wrapper, 5 of the outer, 2 inner, 2 last ones */
    g_assert_cmpuint(gpu_get(g, "instructions"), ==, 6 + JOB_WORDS + 5 + 4);
    gpu_stop(g, 0, 0);
}

static void test_call_depth(void)
{
    /* Each buffer counts, then calls itself: the ring and seven of them. */
    static const uint64_t code[] = {
        ADD32(20, 20, 1), STORE(20, 8, 1, 0), WAIT_ALL, CALL(10, 14), CODE_END,
    };
    Gpu *g = cs_boot("");

    put_code(g, CODE_VA, code);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    emit(g, 0, 0, MOVE48(10, CODE_VA));
    emit(g, 0, 0, MOVE32(14, 32));
    emit(g, 0, 0, CALL(10, 14));
    submit(g, 0, 0);
    check_trap(g, 0, 0, true, 0x4a, CODE_VA + 24);
    g_assert_cmpuint(data32(g, DATA_VA), ==, 7);
    /* It stands in the ring where the first call is. */
    g_assert_cmphex(extract_of(g, 0, 0), ==, 24);
    gpu_stop(g, 0, 0);
}

static void test_store_state(void)
{
    Gpu *g = cs_boot("");
    uint64_t before, after;

    gpu_request(g, GLB_COUNTER, GLB_COUNTER);
    qtest_clock_step(g->qts, 1000000);
    before = rd64(g, 0x98);
    group_start(g, 0, 1);
    emit(g, 0, 0, MOVE48(8, DATA_VA));
    emit(g, 0, 0, STORE_STATE(8, 0));
    emit(g, 0, 0, STORE_STATE(8, 1) | 8);
    emit(g, 0, 0, MOVE32(20, 0));
    submit(g, 0, 0);
    after = rd64(g, 0x98);
    g_assert_cmpuint(data64(g, DATA_VA), >=, before);
    g_assert_cmpuint(data64(g, DATA_VA), <=, after);
    /* A millisecond of 500 MHz */
    g_assert_cmpuint(data64(g, DATA_VA + 8), ==, 500000);
    gpu_stop(g, 0, 0);
}

static void add_group(const char *group, const void *first, size_t size,
                      unsigned count, void (*fn)(const void *))
{
    const char *c = first;
    unsigned i;

    for (i = 0; i < count; i++, c += size) {
        /* Each one starts with its name. */
        g_autofree char *path = g_strdup_printf("/vmali/cs/%s/%s", group,
                                                *(const char *const *)c);

        qtest_add_data_func(path, c, fn);
    }
}

void add_cs_insn_tests(void)
{
    add_group("insn", cases, sizeof(cases[0]), ARRAY_SIZE(cases), test_case);
    add_group("opcodes", opcodes, sizeof(opcodes[0]), ARRAY_SIZE(opcodes),
              test_opcodes);
    add_group("bad", bad, sizeof(bad[0]), ARRAY_SIZE(bad), test_bad);
    qtest_add_func("/vmali/cs/call", test_call);
    qtest_add_func("/vmali/cs/call-depth", test_call_depth);
    qtest_add_func("/vmali/cs/store-state", test_store_state);
}
