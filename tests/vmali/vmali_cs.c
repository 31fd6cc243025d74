/*
 * Virtual Arm Mali CSF GPU: command streams
 *
 * All streams that can run take turns, each for a few instructions, those of
 * groups with a high priority first.  They run inside the doorbell that gave
 * them work, but not for longer than a slice: what is left then goes on in a
 * timer, so that no stream can keep the machine from running.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "trace.h"
#include "vmali_cs.h"
#include "vmali_work.h"

#define TURN                    64
#define SLICE_PERIOD_NS         (1 * SCALE_MS)
#define MIN_RING_SIZE           64

/* ---- Pages that the host and the firmware share for a ring ---- */

static uint64_t page_read(VMaliState *s, uint64_t va)
{
    uint64_t value = 0;

    vmali_as_rw(s, VMALI_MCU_AS, va, &value, sizeof(value), false);
    return le64_to_cpu(value);
}

static void page_write(VMaliState *s, uint64_t va, uint64_t value)
{
    value = cpu_to_le64(value);
    vmali_as_rw(s, VMALI_MCU_AS, va, &value, sizeof(value), true);
}

void vmali_cs_show(VMaliState *s, VMaliCs *cs)
{
    if (cs->shown != cs->st.extract) {
        cs->shown = cs->st.extract;
        page_write(s, cs->user_out + CS_USER_EXTRACT, cs->shown);
    }
}

/* The acknowledge word has events beside the state. */
static void show_state(VMaliState *s, VMaliCs *cs)
{
    uint32_t at = vmali_cs_out(s, cs->group->nr, cs->nr) + CS_ACK;

    page_write(s, cs->user_out + CS_USER_ACTIVE, cs->st.started);
    vmali_iface_write(s, at, FIELD_DP32(vmali_iface_read(s, at), CS, STATE,
                                        cs->st.started));
}

/* ---- Where a stream is ---- */

bool vmali_cs_has_work(const VMaliCs *cs)
{
    return cs->st.depth || cs->st.extract != cs->insert;
}

uint64_t vmali_cs_pc(const VMaliCs *cs)
{
    return cs->st.depth ? cs->st.frame[cs->st.depth - 1].pc :
           cs->ring_base + (cs->st.extract & (cs->ring_size - 1));
}

/* Return from buffers that have come to their end. */
static void leave_frames(VMaliCs *cs)
{
    VMaliCsState *st = &cs->st;

    while (st->depth &&
           st->frame[st->depth - 1].pc == st->frame[st->depth - 1].end) {
        st->depth--;
        if (!st->depth) {
            /* Until now, the ring stood at the call. */
            st->extract += VMALI_CS_INSN;
        }
    }
}

static void advance(VMaliCs *cs)
{
    if (cs->st.depth) {
        cs->st.frame[cs->st.depth - 1].pc += VMALI_CS_INSN;
    } else {
        cs->st.extract += VMALI_CS_INSN;
    }
    leave_frames(cs);
}

static bool is_buffer(uint64_t va, uint32_t length)
{
    return va % VMALI_CS_INSN == 0 && length % VMALI_CS_INSN == 0 &&
           va <= UINT64_MAX - length;
}

VMaliStep vmali_cs_call(VMaliState *s, VMaliCs *cs, uint64_t va,
                        uint32_t length)
{
    VMaliCsState *st = &cs->st;

    if (!is_buffer(va, length)) {
        return vmali_cs_fault(s, cs, CS_EXC_INVALID_PC, va);
    }
    if (st->depth == VMALI_CS_DEPTH - 1) {
        return vmali_cs_fatal(s, cs, CS_EXC_CALL_STACK_OVERFLOW,
                              vmali_cs_pc(cs));
    }
    if (st->depth) {
        st->frame[st->depth - 1].pc += VMALI_CS_INSN;
    }
    st->frame[st->depth++] = (VMaliFrame) {
        .start = va, .pc = va, .end = va + length,
    };
    leave_frames(cs);
    return VMALI_STEP_JUMPED;
}

VMaliStep vmali_cs_jump(VMaliState *s, VMaliCs *cs, uint64_t va,
                        uint32_t length)
{
    VMaliCsState *st = &cs->st;

    if (!st->depth || !is_buffer(va, length)) {
        return vmali_cs_fault(s, cs, CS_EXC_INVALID_PC, va);
    }
    st->frame[st->depth - 1] = (VMaliFrame) {
        .start = va, .pc = va, .end = va + length,
    };
    leave_frames(cs);
    return VMALI_STEP_JUMPED;
}

VMaliStep vmali_cs_branch(VMaliState *s, VMaliCs *cs, int offset)
{
    VMaliCsState *st = &cs->st;
    uint64_t way = ((int64_t)offset + 1) * (int64_t)VMALI_CS_INSN;

    if (st->depth) {
        VMaliFrame *f = &st->frame[st->depth - 1];

        if (f->pc + way - f->start > f->end - f->start) {
            return vmali_cs_fault(s, cs, CS_EXC_INVALID_PC, f->pc + way);
        }
        f->pc += way;
        leave_frames(cs);
    } else {
        /* What lies behind in the ring is the host's again. */
        if (way > cs->insert - st->extract) {
            return vmali_cs_fault(s, cs, CS_EXC_INVALID_PC,
                                  vmali_cs_pc(cs) + way);
        }
        st->extract += way;
    }
    return VMALI_STEP_JUMPED;
}

/* ---- Exceptions ---- */

static VMaliStep trap(VMaliState *s, VMaliCs *cs, VMaliTrap kind,
                      unsigned type, uint64_t info)
{
    trace_vmali_cs_trap(cs->group->nr, cs->nr, type, info,
                        kind == VMALI_TRAP_FATAL ? "fatal" : "fault");
    cs->st.trap = kind;
    cs->st.trap_type = type;
    cs->st.trap_info = info;
    cs->st.posted = false;
    cs->st.exception = type;
    s->faults++;
    vmali_cs_event(s, cs);
    return VMALI_STEP_TRAPPED;
}

VMaliStep vmali_cs_fault(VMaliState *s, VMaliCs *cs, unsigned type,
                         uint64_t info)
{
    return trap(s, cs, VMALI_TRAP_FAULT, type, info);
}

VMaliStep vmali_cs_fatal(VMaliState *s, VMaliCs *cs, unsigned type,
                         uint64_t info)
{
    return trap(s, cs, VMALI_TRAP_FATAL, type, info);
}

/*
 * A fault stands still until the host has answered: that looks at the position
 * in the ring to see which job it was.
 */
static void look_at_trap(VMaliState *s, VMaliCs *cs)
{
    VMaliCsState *st = &cs->st;
    unsigned csg = cs->group->nr;
    uint32_t req, ack;

    if (!st->trap) {
        return;
    }
    if (!st->posted) {
        vmali_cs_event(s, cs);
        return;
    }
    req = vmali_iface_read(s, vmali_cs_in(s, csg, cs->nr) + CS_REQ);
    ack = vmali_iface_read(s, vmali_cs_out(s, csg, cs->nr) + CS_ACK);
    if (st->trap == VMALI_TRAP_FAULT && !((req ^ ack) & R_CS_FAULT_MASK)) {
        st->trap = VMALI_TRAP_NONE;
        st->depth = 0;
        st->extract += VMALI_CS_INSN;
        st->skipping = true;
    }
}

/* ---- Start, stop, doorbell ---- */

void vmali_cs_start(VMaliState *s, VMaliCs *cs, bool fresh)
{
    uint32_t in = vmali_cs_in(s, cs->group->nr, cs->nr);
    uint32_t config = vmali_iface_read(s, in + CS_CONFIG);

    cs->priority = FIELD_EX32(config, CS_CONFIG, PRIORITY);
    cs->doorbell = FIELD_EX32(config, CS_CONFIG, USER_DOORBELL);
    cs->ring_base = vmali_iface_read64(s, in + CS_RING_BASE);
    cs->ring_size = vmali_iface_read(s, in + CS_RING_SIZE);
    cs->user_in = vmali_iface_read64(s, in + CS_USER_INPUT);
    cs->user_out = vmali_iface_read64(s, in + CS_USER_OUTPUT);
    cs->wait = (VMaliCsWait) { 0 };
    if (fresh) {
        cs->st.extract = page_read(s, cs->user_in + CS_USER_EXTRACT_INIT);
    }
    cs->insert = cs->st.extract;
    cs->shown = ~cs->st.extract;
    leave_frames(cs);
    vmali_cs_show(s, cs);
    show_state(s, cs);
    if (cs->ring_size < MIN_RING_SIZE || !is_power_of_2(cs->ring_size) ||
        cs->ring_base % MIN_RING_SIZE || cs->group->as >= VMALI_NUM_AS ||
        cs->st.extract % VMALI_CS_INSN) {
        vmali_violation(s, "stream %u of group %u: no ring at 0x%" PRIx64
                        " of 0x%x bytes in address space %u", cs->nr,
                        cs->group->nr, cs->ring_base, cs->ring_size,
                        cs->group->as);
        vmali_cs_fatal(s, cs, CS_EXC_CONFIG, cs->ring_base);
    }
    vmali_cs_look(s, cs);
}

void vmali_cs_stop(VMaliState *s, VMaliCs *cs)
{
    vmali_cs_show(s, cs);
    cs->st.started = false;
    show_state(s, cs);
}

void vmali_cs_look(VMaliState *s, VMaliCs *cs)
{
    if (!cs->st.started) {
        return;
    }
    look_at_trap(s, cs);
    vmali_heap_look(s, cs);
    if (cs->st.trap == VMALI_TRAP_FATAL) {
        return;
    }
    cs->recheck = true;
    cs->insert = page_read(s, cs->user_in + CS_USER_INSERT);
    if (cs->insert % VMALI_CS_INSN ||
        cs->insert - cs->st.extract > cs->ring_size) {
        vmali_violation(s, "stream %u of group %u: INSERT 0x%" PRIx64
                        " is impossible (EXTRACT 0x%" PRIx64 ")", cs->nr,
                        cs->group->nr, cs->insert, cs->st.extract);
        cs->insert = cs->st.extract;
        vmali_cs_fatal(s, cs, CS_EXC_CONFIG, cs->ring_base);
    }
}

/* ---- Memory of the group ---- */

static bool fetch(VMaliState *s, VMaliCs *cs, uint64_t *insn)
{
    hwaddr pa;

    if (!vmali_as_translate(s, cs->group->as, vmali_cs_pc(cs), sizeof(*insn),
                            false, &pa)) {
        return false;
    }
    *insn = address_space_ldq_le(&address_space_memory, pa,
                                 MEMTXATTRS_UNSPECIFIED, NULL);
    return true;
}

bool vmali_cs_load(VMaliState *s, VMaliCs *cs, uint64_t va, unsigned size,
                   uint64_t *value)
{
    hwaddr pa;

    if (!vmali_as_translate(s, cs->group->as, va, size, false, &pa)) {
        return false;
    }
    vmali_work_access(s, pa, false);
    *value = size == 8 ?
             address_space_ldq_le(&address_space_memory, pa,
                                  MEMTXATTRS_UNSPECIFIED, NULL) :
             address_space_ldl_le(&address_space_memory, pa,
                                  MEMTXATTRS_UNSPECIFIED, NULL);
    return true;
}

bool vmali_cs_store(VMaliState *s, VMaliCs *cs, uint64_t va, unsigned size,
                    uint64_t value)
{
    hwaddr pa;

    if (!vmali_as_translate(s, cs->group->as, va, size, true, &pa)) {
        return false;
    }
    vmali_work_access(s, pa, true);
    if (size == 8) {
        address_space_stq_le(&address_space_memory, pa, value,
                             MEMTXATTRS_UNSPECIFIED, NULL);
    } else {
        address_space_stl_le(&address_space_memory, pa, value,
                             MEMTXATTRS_UNSPECIFIED, NULL);
    }
    return true;
}

/* ---- Execution ---- */

static bool is_runnable(const VMaliState *s, const VMaliCs *cs)
{
    const VMaliAs *as;

    if (!cs->st.started || cs->st.trap || cs->group->as >= VMALI_NUM_AS) {
        return false;
    }
    /* The host is at work on the tables, or has to mend them first. */
    as = &s->as[cs->group->as];
    if (as->locked || as->broken) {
        return false;
    }
    switch (cs->wait.reason) {
    case CS_BLOCKED_NONE:
        return vmali_cs_has_work(cs);
    case CS_BLOCKED_SCOREBOARD:
        return !vmali_ops_block(cs);
    default:
        return cs->recheck;
    }
}

static bool comes_before(const VMaliCs *a, const VMaliCs *b)
{
    if (a->group->priority != b->group->priority) {
        return a->group->priority > b->group->priority;
    }
    return a->priority > b->priority;
}

/* In each round every stream has a turn. */
static VMaliCs *next_stream(VMaliState *s)
{
    VMaliCs *best = NULL, *served = NULL;
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; s->csg[i].running && n < s->prop.streams; n++) {
            VMaliCs *cs = &s->csg[i].cs[n];
            VMaliCs **p = cs->round == s->round ? &served : &best;

            if (is_runnable(s, cs) && (!*p || comes_before(cs, *p))) {
                *p = cs;
            }
        }
    }
    if (!best && served) {
        s->round++;
        best = served;
    }
    return best;
}

static VMaliStep step(VMaliState *s, VMaliCs *cs)
{
    uint64_t pc = vmali_cs_pc(cs);
    VMaliStep result;
    uint64_t insn;

    if (!fetch(s, cs, &insn)) {
        return vmali_cs_fatal(s, cs, CS_EXC_BUS, pc);
    }
    cs->wait = (VMaliCsWait) { 0 };
    result = vmali_cs_execute(s, cs, insn);
    switch (result) {
    case VMALI_STEP_NEXT:
        advance(cs);
        /* fall through */
    case VMALI_STEP_JUMPED:
        trace_vmali_cs_insn(cs->group->nr, cs->nr, pc, insn);
        s->instructions++;
        vmali_work_instruction(s, cs->nr);
        break;
    case VMALI_STEP_BLOCKED:
        cs->recheck = false;
        vmali_work_blocked(s, cs->nr);
        break;
    case VMALI_STEP_TRAPPED:
        break;
    }
    return result;
}

/* For one slice */
static void run(VMaliState *s)
{
    unsigned budget = s->prop.cs_budget;
    VMaliCs *cs = NULL;

    while (budget && vmali_mcu_runs(s) && !s->asleep) {
        unsigned turn = MIN(budget, TURN);

        cs = next_stream(s);
        if (!cs) {
            if (!vmali_ops_skip(s)) {
                break;
            }
            budget--;
            continue;
        }
        cs->round = s->round;
        cs->group->idle = false;
        s->busy = true;
        budget -= turn;
        do {
            step(s, cs);
            vmali_ops_step(s);
        } while (--turn && is_runnable(s, cs));
        budget += turn;
        vmali_cs_show(s, cs);
    }
    if (!vmali_mcu_runs(s) || s->asleep) {
        return;
    }
    vmali_csg_settle(s);
    if (next_stream(s) || (!budget && s->ops)) {
        timer_mod(s->cs_timer, vmali_now() + SLICE_PERIOD_NS);
    }
    vmali_ops_watch(s);
}

void vmali_cs_kick(VMaliState *s)
{
    /* Work that did not end goes on when its time comes, not before. */
    if (!timer_pending(s->cs_timer)) {
        run(s);
    } else if (vmali_mcu_runs(s) && !s->asleep) {
        vmali_csg_settle(s);
    }
}

void vmali_cs_later(VMaliState *s)
{
    vmali_ops_look(s);
    if (!timer_pending(s->cs_timer) && (s->ops || next_stream(s))) {
        timer_mod(s->cs_timer, vmali_now());
    }
}

void vmali_cs_tick(void *opaque)
{
    run(opaque);
}
