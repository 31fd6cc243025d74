/*
 * Virtual Arm Mali CSF GPU: instructions of command streams
 *
 * Those that take time are issued here, and end in vmali_cs_end(): loads and
 * stores, flushes, and all that wait for slots of the scoreboard.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali_cs.h"
#include "vmali_work.h"

/* Fields that instructions have in common */
FIELD(INSN, IMM16, 0, 16)
FIELD(INSN, IMM32, 0, 32)
FIELD(INSN, IMM48, 0, 48)
FIELD(INSN, MASK, 16, 16)
FIELD(INSN, PROGRESS, 32, 1)
FIELD(INSN, B, 32, 8)
FIELD(INSN, A, 40, 8)
FIELD(INSN, DST, 48, 8)
FIELD(INSN, OPCODE, 56, 8)

FIELD(WAIT, INDIRECT, 33, 1)               /* from architecture 11 on */
FIELD(DEFER, SLOT, 48, 4)
FIELD(DEFER, INDIRECT, 52, 1)              /* from architecture 11 on */
FIELD(ALU, SUBOP, 32, 8)
FIELD(ALU_REG, SUBOP, 24, 8)
FIELD(LOGIC, MODE, 0, 4)
FIELD(LOGIC, INDEX, 4, 1)
FIELD(BRANCH, CONDITION, 28, 4)
FIELD(SB_ENTRY, ENDPOINT, 0, 4)
FIELD(SB_ENTRY, OTHER, 4, 4)
FIELD(PROGRESS_WAIT, QUEUE, 0, 5)
FIELD(STATE, NAME, 32, 8)
FIELD(RESOURCE, MASK, 0, 4)
FIELD(SYNC, PROPAGATE, 0, 1)
FIELD(SYNC, SCOPE, 1, 2)
FIELD(SYNC, CONDITION, 28, 4)
#define SYNC_SCOPE_CSG          2
FIELD(STORE_STATE, STATE, 32, 8)
FIELD(HEAP, OPERATION, 32, 2)
/* Steps of the GPU that operations take: the model's idea */
#define LOAD_STEPS              8       /* less: it can overtake a store */
#define STORE_STEPS             24
#define FLUSH_STEPS             32
#define DEFERRED_STEPS          8

#define get32                   vmali_cs_get32
#define get64                   vmali_cs_get64

static void set32(VMaliCs *cs, unsigned reg, uint32_t value)
{
    cs->st.reg[reg] = value;
}

static void set64(VMaliCs *cs, unsigned reg, uint64_t value)
{
    cs->st.reg[reg] = value;
    cs->st.reg[reg + 1] = value >> 32;
}

static uint64_t get(const VMaliCs *cs, unsigned reg, bool wide)
{
    return wide ? get64(cs, reg) : get32(cs, reg);
}

static void set(VMaliCs *cs, unsigned reg, bool wide, uint64_t value)
{
    if (wide) {
        set64(cs, reg, value);
    } else {
        set32(cs, reg, value);
    }
}

static unsigned opcode(uint64_t insn)
{
    return FIELD_EX64(insn, INSN, OPCODE);
}

static unsigned dst(uint64_t insn)
{
    return FIELD_EX64(insn, INSN, DST);
}

static unsigned reg_a(uint64_t insn)
{
    return FIELD_EX64(insn, INSN, A);
}

static unsigned reg_b(uint64_t insn)
{
    return FIELD_EX64(insn, INSN, B);
}

static VMaliStep invalid(VMaliState *s, VMaliCs *cs)
{
    return vmali_cs_fatal(s, cs, CS_EXC_INVALID_INSTRUCTION, vmali_cs_pc(cs));
}

/* ---- Registers ---- */

static VMaliStep exec_nop(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_move48(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    set64(cs, dst(insn), FIELD_EX64(insn, INSN, IMM48));
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_move32(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    set32(cs, dst(insn), FIELD_EX64(insn, INSN, IMM32));
    return VMALI_STEP_NEXT;
}

/* What @value has with some of its bits from @bits on, lowest first */
static uint64_t bitfield(uint64_t value, unsigned width, uint32_t imm,
                         bool is_signed)
{
    unsigned start = imm & 0xff, length = imm >> 8 & 0xff;

    if (start >= width || !length) {
        return 0;
    }
    length = MIN(length, width - start);
    return is_signed ? sextract64(value, start, length) :
                       extract64(value, start, length);
}

/*
 * The operation of an immediate, which later architectures can choose: how a
 * bit field is described, position in the low byte and length above it, is
 * the model's idea.
 */
static VMaliStep exec_add_immediate(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    bool wide = opcode(insn) & 1;
    unsigned width = wide ? 64 : 32;
    uint32_t imm = FIELD_EX64(insn, INSN, IMM32);
    uint64_t a = get(cs, reg_a(insn), wide);
    unsigned subop = vmali_arch_major(s) >= 13 ?
                     FIELD_EX64(insn, ALU, SUBOP) : 0;
    uint64_t result;

    switch (subop) {
    case 0:
        result = a + (int64_t)(int32_t)imm;
        break;
    case 1:
        result = imm < width ? a << imm : 0;
        break;
    case 2:
        result = imm < width ? a >> imm : 0;
        break;
    case 3:
        result = sextract64(a, 0, width) >> MIN(imm, width - 1);
        break;
    case 4:
    case 5:
        result = bitfield(a, width, imm, subop == 5);
        break;
    case 7:
        result = MIN(a, imm);
        break;
    default:
        return invalid(s, cs);
    }
    set(cs, dst(insn), wide, result);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_alu(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t a = get32(cs, reg_a(insn)), b = get32(cs, reg_b(insn));
    unsigned subop = vmali_arch_major(s) >= 13 ?
                     FIELD_EX64(insn, ALU_REG, SUBOP) : 0;
    uint32_t result;

    switch (subop) {
    case 0:
        result = MIN(a, b);
        break;
    case 1:
        result = a + b;
        break;
    case 2:
        result = a - b;
        break;
    case 3:
        result = b < 32 ? a << b : 0;
        break;
    case 4:
        result = b < 32 ? a >> b : 0;
        break;
    case 5:
        result = (int32_t)a >> MIN(b, 31);
        break;
    default:
        return invalid(s, cs);
    }
    set32(cs, dst(insn), result);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_logic(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t a = get32(cs, reg_a(insn)), b = get32(cs, reg_b(insn));
    unsigned mode = FIELD_EX64(insn, LOGIC, MODE);

    if (FIELD_EX64(insn, LOGIC, INDEX)) {
        b = b < 32 ? 1u << b : 0;
    }
    set32(cs, dst(insn), (mode & 1 ? a & b : 0) | (mode & 2 ? a & ~b : 0) |
                         (mode & 4 ? ~a & b : 0) | (mode & 8 ? ~a & ~b : 0));
    return VMALI_STEP_NEXT;
}

/* ---- Control flow ---- */

static VMaliStep exec_branch(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    int32_t value = get32(cs, reg_a(insn));
    bool taken;

    switch (FIELD_EX64(insn, BRANCH, CONDITION) &
            (vmali_arch_major(s) >= 11 ? 0xf : 0x7)) {
    case 0:
        taken = value <= 0;
        break;
    case 1:
        taken = value > 0;
        break;
    case 2:
        taken = value == 0;
        break;
    case 3:
        taken = value != 0;
        break;
    case 4:
        taken = value < 0;
        break;
    case 5:
        taken = value >= 0;
        break;
    case 6:
        taken = true;
        break;
    default:
        return invalid(s, cs);
    }
    return taken ?
           vmali_cs_branch(s, cs, (int16_t)FIELD_EX64(insn, INSN, IMM16)) :
           VMALI_STEP_NEXT;
}

static VMaliStep exec_call(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    return vmali_cs_call(s, cs, get64(cs, reg_a(insn)),
                         get32(cs, reg_b(insn)));
}

static VMaliStep exec_jump(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    return vmali_cs_jump(s, cs, get64(cs, reg_a(insn)),
                         get32(cs, reg_b(insn)));
}

static VMaliStep exec_error_barrier(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    if (!cs->st.depth) {
        cs->st.skipping = false;
        cs->st.exception = 0;
    }
    return VMALI_STEP_NEXT;
}

/* ---- Scoreboard, progress, settings ---- */

void vmali_cs_progress(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    if (FIELD_EX64(insn, INSN, PROGRESS)) {
        cs->st.progress++;
        vmali_csg_recheck(s);
    }
}

static VMaliStep exec_wait(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t slots = FIELD_EX64(insn, INSN, MASK);

    if (vmali_arch_major(s) >= 11 && FIELD_EX64(insn, WAIT, INDIRECT)) {
        slots = cs->st.wait_mask;
    }
    if (vmali_ops_busy(cs) & slots) {
        return vmali_ops_wait(cs, slots);
    }
    vmali_cs_progress(s, cs, insn);
    return VMALI_STEP_NEXT;
}

/* No other stream has part in a slot. */
static VMaliStep exec_shared_slot(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    vmali_cs_progress(s, cs, insn);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_progress_wait(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    unsigned queue = FIELD_EX64(insn, PROGRESS_WAIT, QUEUE);
    uint64_t ref = get64(cs, reg_a(insn));

    if (queue >= s->prop.streams) {
        return invalid(s, cs);
    }
    if (cs->group->cs[queue].st.progress >= ref) {
        return VMALI_STEP_NEXT;
    }
    cs->wait.reason = CS_BLOCKED_PROGRESS;
    cs->wait.ref = ref;
    return VMALI_STEP_BLOCKED;
}

static VMaliStep exec_progress_store(VMaliState *s, VMaliCs *cs,
                                     uint64_t insn)
{
    cs->st.progress = get64(cs, reg_a(insn));
    vmali_csg_recheck(s);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_progress_load(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    set64(cs, dst(insn), cs->st.progress);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_set_sb_entry(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    cs->st.endpoint_slot = FIELD_EX64(insn, SB_ENTRY, ENDPOINT);
    cs->st.other_slot = FIELD_EX64(insn, SB_ENTRY, OTHER);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_set_state(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t value = opcode(insn) == 27 ? get32(cs, reg_a(insn)) :
                                          FIELD_EX64(insn, INSN, IMM32);

    switch (FIELD_EX64(insn, STATE, NAME)) {
    case 0:
        cs->st.endpoint_slot = value & 0xf;
        break;
    case 1:
        cs->st.other_slot = value & 0xf;
        break;
    case 2:
        cs->st.deferred_slot = value & 0xf;
        break;
    case 9:
        cs->st.wait_mask = value & 0xffff;
        break;
    case 8:                             /* stream mask */
        break;
    default:
        return invalid(s, cs);
    }
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_req_resource(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    cs->st.resources = FIELD_EX64(insn, RESOURCE, MASK);
    if (s->prop.neural_present) {
        cs->st.resources |= insn & R_RESOURCE_NEURAL_MASK;
    }
    return VMALI_STEP_NEXT;
}

/* ---- Memory ---- */

static VMaliStep end(VMaliState *s, VMaliCs *cs, const VMaliOp *op);

static VMaliStep bus_fault(VMaliState *s, VMaliCs *cs, uint64_t va)
{
    return vmali_cs_fatal(s, cs, CS_EXC_BUS, va);
}

/* Words of a load or store, one by one. Return: VMALI_STEP_NEXT or a fault */
static VMaliStep move_words(VMaliState *s, VMaliCs *cs, uint64_t insn,
                            uint64_t va)
{
    bool is_store = opcode(insn) == 21;
    uint32_t mask = FIELD_EX64(insn, INSN, MASK);
    unsigned i;

    for (i = 0; mask >> i; i++) {
        uint64_t at = va + i * sizeof(uint32_t);
        uint64_t value;

        if (!(mask & (1u << i))) {
            continue;
        }
        if (is_store) {
            if (!vmali_cs_store(s, cs, at, sizeof(uint32_t),
                                get32(cs, dst(insn) + i))) {
                return bus_fault(s, cs, at);
            }
        } else {
            if (!vmali_cs_load(s, cs, at, sizeof(uint32_t), &value)) {
                return bus_fault(s, cs, at);
            }
            set32(cs, dst(insn) + i, value);
        }
        vmali_work_lsu(s, 1);
    }
    return VMALI_STEP_NEXT;
}

/*
 * The addresses are translated at the issue, so that a fault is that of the
 * instruction.  Registers are read, or written, at the end.
 */
static VMaliStep exec_load_store(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t mask = FIELD_EX64(insn, INSN, MASK);
    uint64_t va = get64(cs, reg_a(insn)) +
                  (int16_t)FIELD_EX64(insn, INSN, IMM16);
    unsigned i;

    if (mask && dst(insn) + 31 - clz32(mask) >= vmali_cs_regs(s)) {
        return invalid(s, cs);
    }
    if (va % sizeof(uint32_t)) {
        return vmali_cs_fault(s, cs, CS_EXC_ADDRESS_RANGE, va);
    }
    for (i = 0; mask >> i; i++) {
        uint64_t at = va + i * sizeof(uint32_t);
        hwaddr pa;

        if ((mask & (1u << i)) &&
            !vmali_as_translate(s, cs->group->as, at, sizeof(uint32_t),
                                opcode(insn) == 21, &pa)) {
            return bus_fault(s, cs, at);
        }
    }
    return vmali_op_issue(s, cs, (VMaliOp) {
        .insn = insn, .va = va, .slot = cs->st.other_slot,
        .latency = opcode(insn) == 21 ? STORE_STEPS : LOAD_STEPS,
    });
}

/**
 * defer: instructions that may wait for slots of the scoreboard
 *
 * Those that do not are carried out at once, and have no slot.
 */
static VMaliStep defer(VMaliState *s, VMaliCs *cs, uint64_t insn, uint64_t va,
                       uint64_t data)
{
    VMaliOp op = {
        .insn = insn, .va = va, .data = data,
        .wait = FIELD_EX64(insn, INSN, MASK),
        .slot = FIELD_EX64(insn, DEFER, SLOT), .latency = DEFERRED_STEPS,
    };

    if (vmali_arch_major(s) >= 11 && FIELD_EX64(insn, DEFER, INDIRECT)) {
        op.wait = cs->st.wait_mask;
        op.slot = cs->st.deferred_slot;
    }
    return op.wait ? vmali_op_issue(s, cs, op) : end(s, cs, &op);
}

static VMaliStep exec_flush(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    return vmali_op_issue(s, cs, (VMaliOp) {
        .insn = insn, .wait = FIELD_EX64(insn, INSN, MASK),
        .slot = FIELD_EX64(insn, DEFER, SLOT), .latency = FLUSH_STEPS,
    });
}

static unsigned state_of(const VMaliState *s, uint64_t insn)
{
    return FIELD_EX64(insn, STORE_STATE, STATE) &
           (vmali_arch_major(s) >= 11 ? 0xff : 0x3);
}

static VMaliStep store_state(VMaliState *s, VMaliCs *cs, uint64_t insn,
                             uint64_t va)
{
    uint64_t value = 0;                 /* the counter was never disjoint */

    switch (state_of(s, insn)) {
    case 0:
        value = vmali_timestamp(s);
        break;
    case 1:
        value = vmali_cycles_at(s, vmali_now());
        break;
    case 3:
        value = cs->st.exception;
        break;
    }
    if (!vmali_cs_store(s, cs, va, sizeof(uint64_t), value)) {
        return bus_fault(s, cs, va);
    }
    vmali_work_lsu(s, 2);
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_store_state(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint64_t va = get64(cs, reg_a(insn)) +
                  (int16_t)FIELD_EX64(insn, INSN, IMM16);

    if (state_of(s, insn) > 3) {
        return invalid(s, cs);
    }
    if (va % sizeof(uint64_t)) {
        return vmali_cs_fault(s, cs, CS_EXC_ADDRESS_RANGE, va);
    }
    return defer(s, cs, insn, va, 0);
}

/* ---- Sync objects: the value, and behind it the status word ---- */

static unsigned sync_size(uint64_t insn)
{
    return opcode(insn) >= 51 ? sizeof(uint64_t) : sizeof(uint32_t);
}

static VMaliStep sync_update(VMaliState *s, VMaliCs *cs, uint64_t insn,
                             uint64_t va, uint64_t data)
{
    bool is_set = opcode(insn) == 38 || opcode(insn) == 52;
    unsigned size = sync_size(insn);
    uint64_t old = 0;

    if ((!is_set && !vmali_cs_load(s, cs, va, size, &old)) ||
        (FIELD_EX64(insn, SYNC, PROPAGATE) &&
         !vmali_cs_store(s, cs, va + size, sizeof(uint32_t),
                         cs->st.exception)) ||
        !vmali_cs_store(s, cs, va, size, old + data)) {
        return bus_fault(s, cs, va);
    }
    vmali_work_lsu(s, size / sizeof(uint32_t));
    vmali_csg_recheck(s);
    if (FIELD_EX64(insn, SYNC, SCOPE) != SYNC_SCOPE_CSG) {
        vmali_csg_sync_update(s, cs->group);
    }
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_sync_update(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    unsigned size = sync_size(insn);
    uint64_t va = get64(cs, reg_a(insn));

    if (va % size) {
        return vmali_cs_fault(s, cs, CS_EXC_ADDRESS_RANGE, va);
    }
    return defer(s, cs, insn, va,
                 get(cs, reg_b(insn), size == sizeof(uint64_t)));
}

static VMaliStep exec_sync_wait(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    unsigned size = sync_size(insn);
    bool wide = size == sizeof(uint64_t);
    uint64_t va = get64(cs, reg_a(insn));
    uint64_t ref = get(cs, reg_b(insn), wide);
    unsigned condition = FIELD_EX64(insn, SYNC, CONDITION);
    uint64_t value, status;
    bool over;

    if (va % size) {
        return vmali_cs_fault(s, cs, CS_EXC_ADDRESS_RANGE, va);
    }
    if (!vmali_cs_load(s, cs, va, size, &value) ||
        !vmali_cs_load(s, cs, va + size, sizeof(uint32_t), &status)) {
        return bus_fault(s, cs, va);
    }
    vmali_work_lsu(s, size / sizeof(uint32_t));
    switch (condition) {
    case 0:
        over = value <= ref;
        break;
    case 1:
        over = value > ref;
        break;
    case 5:
        over = value >= ref;
        if (vmali_arch_major(s) >= 11) {
            break;
        }
        /* fall through */
    default:
        return invalid(s, cs);
    }
    if (over && status && FIELD_EX64(insn, SYNC, PROPAGATE)) {
        return vmali_cs_fault(s, cs, CS_EXC_INHERITED, va);
    }
    if (over) {
        return VMALI_STEP_NEXT;
    }
    cs->wait = (VMaliCsWait) {
        .reason = CS_BLOCKED_SYNC, .va = va, .ref = ref,
        .condition = condition, .wide = wide,
    };
    return VMALI_STEP_BLOCKED;
}

/* ---- Tiler heap ---- */

static VMaliStep exec_exception_handler(VMaliState *s, VMaliCs *cs,
                                        uint64_t insn)
{
    cs->st.handler = get64(cs, reg_a(insn));
    cs->st.handler_length = get32(cs, reg_b(insn));
    return VMALI_STEP_NEXT;
}

static VMaliStep exec_heap_set(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint64_t va = get64(cs, reg_a(insn));

    return vmali_heap_set(s, cs, va) ? VMALI_STEP_NEXT : bus_fault(s, cs, va);
}

static VMaliStep heap_operation(VMaliState *s, VMaliCs *cs,
                                VMaliHeapOperation what)
{
    return vmali_heap_count(s, cs, what) ? VMALI_STEP_NEXT :
                                           bus_fault(s, cs, cs->st.heap);
}

static VMaliStep exec_heap_operation(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    switch (FIELD_EX64(insn, HEAP, OPERATION)) {
    case VMALI_HEAP_STARTED:
    case VMALI_HEAP_TILED:
    case VMALI_HEAP_COMPLETED:
        return defer(s, cs, insn, 0, 0);
    default:
        return invalid(s, cs);
    }
}

static VMaliStep exec_finish_fragment(VMaliState *s, VMaliCs *cs,
                                      uint64_t insn)
{
    return defer(s, cs, insn, 0, 0);
}

/* ---- What has taken its time ---- */

static VMaliStep end(VMaliState *s, VMaliCs *cs, const VMaliOp *op)
{
    uint64_t insn = op->insn;

    switch (opcode(insn)) {
    case 20:
    case 21:
        return move_words(s, cs, insn, op->va);
    case 36:
        vmali_flush_caches(s);
        return VMALI_STEP_NEXT;
    case 37:
    case 38:
    case 51:
    case 52:
        return sync_update(s, cs, insn, op->va, op->data);
    case 40:
        return store_state(s, cs, insn, op->va);
    case 49:
        return heap_operation(s, cs, FIELD_EX64(insn, HEAP, OPERATION));
    case 11:
        return heap_operation(s, cs, insn & 1 ? VMALI_HEAP_COMPLETED :
                                                VMALI_HEAP_RELEASED);
    default:                            /* a job */
        vmali_cs_progress(s, cs, insn);
        return VMALI_STEP_NEXT;
    }
}

void vmali_cs_end(VMaliState *s, VMaliCs *cs, const VMaliOp *op)
{
    end(s, cs, op);
}

/* ---- Table ---- */

/* Registers that an instruction names; a pair has an even number. */
enum {
    DST = 1 << 0,
    DST_PAIR = 1 << 1,
    A = 1 << 2,
    A_PAIR = 1 << 3,
    B = 1 << 4,
    B_PAIR = 1 << 5,
    /* Changes only registers: also done between fault and error barrier */
    QUIET = 1 << 6,
    /* There, it is done if it propagates errors. */
    PROPAGATES = 1 << 7,
    /* May become an operation beside its stream */
    ISSUES = 1 << 8,
};

static const struct {
    VMaliStep (*exec)(VMaliState *s, VMaliCs *cs, uint64_t insn);
    unsigned flags;
    unsigned first_arch;                /* 0: all */
    unsigned last_arch;
} op[256] = {
    [0] = { exec_nop, QUIET },
    [1] = { exec_move48, DST_PAIR | QUIET },
    [2] = { exec_move32, DST | QUIET },
    [3] = { exec_wait, QUIET },
    [4] = { vmali_cs_compute, ISSUES },
    [5] = { vmali_cs_tiler, ISSUES, .last_arch = 10 },
    [6] = { vmali_cs_tiler, ISSUES, .last_arch = 11 },
    [7] = { vmali_cs_fragment, ISSUES },
    [8] = { vmali_cs_other_work, ISSUES },
    [9] = { vmali_cs_other_work, ISSUES },
    [11] = { exec_finish_fragment, ISSUES },
    [12] = { vmali_cs_tiler, ISSUES, .first_arch = 12 },
    [16] = { exec_add_immediate, DST | A | QUIET },
    [17] = { exec_add_immediate, DST_PAIR | A_PAIR | QUIET },
    [18] = { exec_alu, DST | A | B | QUIET },
    [19] = { exec_logic, DST | A | B | QUIET, .first_arch = 11 },
    [20] = { exec_load_store, DST | A_PAIR | ISSUES },
    [21] = { exec_load_store, DST | A_PAIR | ISSUES },
    [22] = { exec_branch, A },
    [23] = { exec_set_sb_entry, QUIET },
    [24] = { exec_progress_wait, A_PAIR },
    [25] = { exec_exception_handler, A_PAIR | B },
    [26] = { exec_nop, QUIET, .first_arch = 11 },
    [27] = { exec_set_state, A | QUIET, .first_arch = 11 },
    [28] = { exec_set_state, QUIET, .first_arch = 11 },
    [30] = { exec_shared_slot, QUIET, .first_arch = 11 },
    [31] = { exec_shared_slot, QUIET, .first_arch = 11 },
    [32] = { exec_call, A_PAIR | B },
    [33] = { exec_jump, A_PAIR | B },
    [34] = { exec_req_resource },
    [36] = { exec_flush, A | ISSUES },
    [37] = { exec_sync_update, A_PAIR | B | PROPAGATES | ISSUES },
    [38] = { exec_sync_update, A_PAIR | B | PROPAGATES | ISSUES },
    [39] = { exec_sync_wait, A_PAIR | B },
    [40] = { exec_store_state, A_PAIR | ISSUES },
    [41] = { exec_nop },
    [42] = { exec_progress_store, A_PAIR },
    [43] = { exec_progress_load, DST_PAIR },
    [44] = { vmali_cs_compute, ISSUES },
    [47] = { exec_error_barrier, QUIET },
    [48] = { exec_heap_set, A_PAIR },
    [49] = { exec_heap_operation, ISSUES },
    [50] = { exec_nop },
    [51] = { exec_sync_update, A_PAIR | B_PAIR | PROPAGATES | ISSUES },
    [52] = { exec_sync_update, A_PAIR | B_PAIR | PROPAGATES | ISSUES },
    [53] = { exec_sync_wait, A_PAIR | B_PAIR },
};

static bool is_there(const VMaliState *s, unsigned code)
{
    unsigned arch = vmali_arch_major(s);

    return op[code].exec && arch >= op[code].first_arch &&
           (!op[code].last_arch || arch <= op[code].last_arch);
}

static bool is_register(const VMaliState *s, unsigned reg, bool single,
                        bool pair)
{
    if (pair && reg % 2) {
        return false;
    }
    return !(single || pair) || reg < vmali_cs_regs(s);
}

bool vmali_cs_is_op(const VMaliState *s, uint64_t insn)
{
    unsigned code = opcode(insn);
    uint32_t mask = FIELD_EX64(insn, INSN, MASK);

    if (!is_there(s, code) || !(op[code].flags & ISSUES)) {
        return false;
    }
    /* Only those have registers that are used at the end. */
    return (code != 20 && code != 21) || !mask ||
           dst(insn) + 31 - clz32(mask) < vmali_cs_regs(s);
}

VMaliStep vmali_cs_execute(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    unsigned code = opcode(insn);
    unsigned flags = op[code].flags;

    if (!is_there(s, code)) {
        return invalid(s, cs);
    }
    if (cs->st.skipping && !(flags & QUIET) &&
        !((flags & PROPAGATES) && FIELD_EX64(insn, SYNC, PROPAGATE))) {
        return VMALI_STEP_NEXT;
    }
    if (!is_register(s, dst(insn), flags & DST, flags & DST_PAIR) ||
        !is_register(s, reg_a(insn), flags & A, flags & A_PAIR) ||
        !is_register(s, reg_b(insn), flags & B, flags & B_PAIR)) {
        return invalid(s, cs);
    }
    if ((flags & ISSUES) && cs->st.ops == VMALI_CS_OPS) {
        return vmali_ops_wait(cs, 0);
    }
    return op[code].exec(s, cs, insn);
}
