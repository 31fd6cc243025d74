/*
 * Virtual Arm Mali CSF GPU: groups of command streams
 *
 * A group has a slot from its start or resume to its suspend or termination.
 * Requests are answered before any stream runs, so that an endless one cannot
 * delay them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/host-utils.h"
#include "trace.h"
#include "vmali_cs.h"
#include "vmali_work.h"

/* Bits of CSG_REQ that mean something: state, requests, events */
#define CSG_REQ_KNOWN           (R_CSG_STATE_MASK | R_CSG_EP_CFG_MASK | \
                                 R_CSG_STATUS_UPDATE_MASK | \
                                 R_CSG_EVENTS_MASK)

#define SUSPEND_MAGIC           0x6d616c69
#define SUSPEND_ALIGN           4096

/**
 * SuspendHeader: start of a suspend buffer, the states of all streams follow
 * @magic: there is a suspended group
 * @streams: number of states
 * @sum: of all of their bytes
 */
typedef struct SuspendHeader {
    uint32_t magic;
    uint32_t streams;
    uint64_t sum;
} SuspendHeader;

/* ---- Slots ---- */

void vmali_csg_init(VMaliState *s)
{
    unsigned i, n;

    s->csg = g_new0(VMaliCsg, s->prop.groups);
    for (i = 0; i < s->prop.groups; i++) {
        VMaliCsg *g = &s->csg[i];

        g->nr = i;
        g->cs = g_new0(VMaliCs, s->prop.streams);
        for (n = 0; n < s->prop.streams; n++) {
            g->cs[n].group = g;
            g->cs[n].nr = n;
        }
    }
}

void vmali_csg_free(VMaliState *s)
{
    unsigned i;

    for (i = 0; s->csg && i < s->prop.groups; i++) {
        g_free(s->csg[i].cs);
    }
    g_free(s->csg);
    s->csg = NULL;
}

void vmali_csg_forget(VMaliState *s)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        s->csg[i].running = false;
        s->csg[i].missed = 0;
        for (n = 0; n < s->prop.streams; n++) {
            s->csg[i].cs[n].st.started = false;
            vmali_ops_drop(s, &s->csg[i].cs[n]);
        }
    }
    s->busy = false;
    timer_del(s->cs_timer);
    timer_del(s->ops_timer);
    timer_del(s->idle_timer);
}

/* ---- Events ---- */

/* An event stays pending until the host copies its ACK bit to REQ. */
static void group_event(VMaliState *s, VMaliCsg *g, uint32_t mask)
{
    uint32_t in = vmali_csg_in(g->nr), out = vmali_csg_out(g->nr);
    uint32_t ack = vmali_iface_read(s, out + CSG_ACK);

    if ((vmali_iface_read(s, in + CSG_REQ) ^ ack) & mask) {
        g->missed |= mask;
        return;
    }
    g->missed &= ~mask;
    trace_vmali_csg_event(g->nr, mask);
    /* A host that sees the event sees what it is about. */
    smp_wmb();
    vmali_iface_write(s, out + CSG_ACK, ack ^ mask);
    if (vmali_iface_read(s, in + CSG_ACK_IRQ_MASK) & mask) {
        vmali_irq_raise(s, VMALI_IRQ_JOB, 1u << g->nr);
    }
}

void vmali_csg_sync_update(VMaliState *s, VMaliCsg *g)
{
    group_event(s, g, R_CSG_SYNC_UPDATE_MASK);
}

void vmali_csg_no_progress(VMaliState *s, VMaliCsg *g)
{
    group_event(s, g, R_CSG_PROGRESS_TIMER_MASK);
}

void vmali_csg_recheck(VMaliState *s)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; n < s->prop.streams; n++) {
            s->csg[i].cs[n].recheck = true;
        }
    }
}

static void status_of_stream(VMaliState *s, VMaliCs *cs);

/* Words of the event that @cs is trapped for */
static void write_exception(VMaliState *s, VMaliCs *cs)
{
    bool fatal = cs->st.trap == VMALI_TRAP_FATAL;
    uint32_t out = vmali_cs_out(s, cs->group->nr, cs->nr);
    uint32_t info = out + (fatal ? CS_FATAL_INFO : CS_FAULT_INFO);

    vmali_iface_write(s, out + (fatal ? CS_FATAL : CS_FAULT),
                      cs->st.trap_type);
    vmali_iface_write(s, info, cs->st.trap_info);
    vmali_iface_write(s, info + 4, cs->st.trap_info >> 32);
}

static bool is_pending(VMaliState *s, VMaliCs *cs, uint32_t mask)
{
    unsigned csg = cs->group->nr;

    return (vmali_iface_read(s, vmali_cs_in(s, csg, cs->nr) + CS_REQ) ^
            vmali_iface_read(s, vmali_cs_out(s, csg, cs->nr) + CS_ACK)) & mask;
}

/* An event of a stream whose words are written */
static void stream_event(VMaliState *s, VMaliCs *cs, uint32_t mask)
{
    unsigned csg = cs->group->nr;
    uint32_t in = vmali_cs_in(s, csg, cs->nr);
    uint32_t out = vmali_cs_out(s, csg, cs->nr);
    uint32_t ack = vmali_iface_read(s, out + CS_ACK);
    uint32_t irq = vmali_iface_read(s, vmali_csg_out(csg) + CSG_IRQ_REQ);
    uint32_t irq_ack = vmali_iface_read(s, vmali_csg_in(csg) + CSG_IRQ_ACK);

    /* A host that sees the event sees what it is about. */
    smp_wmb();
    vmali_iface_write(s, out + CS_ACK, ack ^ mask);
    if (!((irq ^ irq_ack) & (1u << cs->nr))) {
        vmali_iface_write(s, vmali_csg_out(csg) + CSG_IRQ_REQ,
                          irq ^ (1u << cs->nr));
    }
    if (vmali_iface_read(s, in + CS_ACK_IRQ_MASK) & mask) {
        vmali_irq_raise(s, VMALI_IRQ_JOB, 1u << csg);
    }
}

void vmali_cs_event(VMaliState *s, VMaliCs *cs)
{
    uint32_t mask = cs->st.trap == VMALI_TRAP_FATAL ? R_CS_FATAL_MASK :
                                                      R_CS_FAULT_MASK;

    if (is_pending(s, cs, mask)) {
        return;
    }
    cs->st.posted = true;
    vmali_cs_show(s, cs);
    status_of_stream(s, cs);
    write_exception(s, cs);
    stream_event(s, cs, mask);
}

bool vmali_cs_oom_event(VMaliState *s, VMaliCs *cs)
{
    if (is_pending(s, cs, R_CS_TILER_OOM_MASK)) {
        return false;
    }
    vmali_cs_show(s, cs);
    status_of_stream(s, cs);
    stream_event(s, cs, R_CS_TILER_OOM_MASK);
    return true;
}

/* ---- Status ---- */

static uint32_t wait_word(const VMaliCsWait *w)
{
    uint32_t word = 0;

    switch (w->reason) {
    case CS_BLOCKED_SYNC:
        word = FIELD_DP32(word, CS_STATUS_WAIT, SYNC, 1);
        word = FIELD_DP32(word, CS_STATUS_WAIT, SYNC_64, w->wide);
        return FIELD_DP32(word, CS_STATUS_WAIT, CONDITION, w->condition);
    case CS_BLOCKED_SCOREBOARD:
        word = FIELD_DP32(word, CS_STATUS_WAIT, SB_MASK, w->slots);
        return FIELD_DP32(word, CS_STATUS_WAIT, SB_SOURCE, SB_SOURCE_WAIT);
    case CS_BLOCKED_PROGRESS:
        return FIELD_DP32(word, CS_STATUS_WAIT, PROGRESS, 1);
    default:
        return 0;
    }
}

static void status_of_stream(VMaliState *s, VMaliCs *cs)
{
    uint32_t out = vmali_cs_out(s, cs->group->nr, cs->nr);
    uint64_t pc = vmali_cs_pc(cs);
    /*
     * A wait that may be over is none: nobody tells the host of the object
     * once more when it has seen the stream suspended.
     */
    static const VMaliCsWait over;
    uint64_t heap = cs->st.oom ? cs->st.oom_heap : cs->st.heap;
    bool is_over = cs->wait.reason == CS_BLOCKED_SCOREBOARD ?
                   !vmali_ops_block(cs) : cs->recheck;
    const VMaliCsWait *w = is_over ? &over : &cs->wait;
    const struct {
        uint32_t offset;
        uint32_t value;
    } word[] = {
        { CS_STATUS_CMD_PTR, pc },
        { CS_STATUS_CMD_PTR + 4, pc >> 32 },
        { CS_STATUS_WAIT, wait_word(w) },
        /* What is asked for is granted. */
        { CS_STATUS_RESOURCE,
          cs->st.resources << R_CS_STATUS_RESOURCE_REQUESTED_SHIFT |
          cs->st.resources << R_CS_STATUS_RESOURCE_GRANTED_SHIFT },
        { CS_STATUS_SYNC_PTR, w->va },
        { CS_STATUS_SYNC_PTR + 4, w->va >> 32 },
        { CS_STATUS_SYNC_VALUE, w->ref },
        { CS_STATUS_SYNC_VALUE_HI, w->ref >> 32 },
        { CS_STATUS_SCOREBOARDS, vmali_ops_busy(cs) },
        { CS_STATUS_BLOCKED, w->reason },
        { CS_HEAP_VT_START, cs->st.vt_start },
        { CS_HEAP_VT_END, cs->st.vt_end },
        { CS_HEAP_FRAG_END, cs->st.frag_end },
        { CS_HEAP_ADDRESS, heap },
        { CS_HEAP_ADDRESS + 4, heap >> 32 },
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(word); i++) {
        vmali_iface_write(s, out + word[i].offset, word[i].value);
    }
}

/* The host says which kinds of waiting count as idle. */
static bool stream_is_idle(VMaliState *s, VMaliCs *cs)
{
    uint32_t req;

    if (!cs->st.started || cs->st.trap == VMALI_TRAP_FATAL) {
        return true;
    }
    if (cs->st.trap || cs->st.ops) {
        return false;
    }
    req = vmali_iface_read(s, vmali_cs_in(s, cs->group->nr, cs->nr) + CS_REQ);
    if (cs->wait.reason == CS_BLOCKED_SYNC) {
        return !cs->recheck && (req & R_CS_IDLE_SYNC_WAIT_MASK);
    }
    return !vmali_cs_has_work(cs) && (req & R_CS_IDLE_EMPTY_MASK);
}

static bool group_is_idle(VMaliState *s, VMaliCsg *g)
{
    unsigned n;

    for (n = 0; n < s->prop.streams; n++) {
        if (!stream_is_idle(s, &g->cs[n])) {
            return false;
        }
    }
    return true;
}

static void show_idle(VMaliState *s, VMaliCsg *g, bool idle)
{
    g->told_idle = idle;
    vmali_iface_write(s, vmali_csg_out(g->nr) + CSG_STATUS_STATE,
                      FIELD_DP32(0, CSG_STATUS_STATE, IDLE, idle));
}

static void group_status(VMaliState *s, VMaliCsg *g)
{
    uint32_t out = vmali_csg_out(g->nr);
    unsigned n;

    for (n = 0; n < s->prop.streams; n++) {
        if (g->cs[n].st.started) {
            vmali_cs_show(s, &g->cs[n]);
            status_of_stream(s, &g->cs[n]);
        }
    }
    vmali_iface_write(s, out + CSG_STATUS_EP_CURRENT,
                      g->running ? g->endpoint_req : 0);
    vmali_iface_write(s, out + CSG_STATUS_EP_REQ, g->endpoint_req);
    vmali_iface_write(s, out + CSG_RESOURCE_DEP, 0);
    show_idle(s, g, group_is_idle(s, g));
}

/* All groups are idle: the host is told some time later. */
static void arm_idle_timer(VMaliState *s)
{
    uint32_t word = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_IDLE_TIMER);
    uint32_t config = vmali_iface_read(s, IFACE_GLB_INPUT +
                                          GLB_IDLE_TIMER_CONFIG);
    uint64_t ticks = (uint64_t)FIELD_EX32(word, IDLE_TIMER, PERIOD) <<
                     (FIELD_EX32(config, IDLE_TIMER_CONFIG, NO_MODIFIER) ?
                      0 : 10);
    uint32_t hz = FIELD_EX32(word, IDLE_TIMER, CORE_CLOCK) ?
                  s->time.hz[VMALI_CLOCK_CORE] : s->prop.timestamp_hz;

    timer_mod(s->idle_timer, vmali_now() +
              muldiv64(ticks, NANOSECONDS_PER_SECOND, hz));
}

void vmali_csg_watch_idle(VMaliState *s)
{
    if (!s->busy) {
        arm_idle_timer(s);
    }
}

void vmali_csg_settle(VMaliState *s)
{
    bool busy = false;
    unsigned i;

    for (i = 0; i < s->prop.groups && vmali_mcu_runs(s); i++) {
        VMaliCsg *g = &s->csg[i];
        bool idle = !g->running || group_is_idle(s, g);

        busy |= !idle;
        if (!g->running) {
            continue;
        }
        if (idle != g->told_idle) {
            show_idle(s, g, idle);
        }
        if (idle && !g->idle) {
            group_event(s, g, R_CSG_IDLE_MASK);
        }
        g->idle = idle;
    }
    if (busy) {
        timer_del(s->idle_timer);
    } else if (s->busy) {
        arm_idle_timer(s);
    }
    s->busy = busy;
}

void vmali_csg_idle_tick(void *opaque)
{
    VMaliState *s = opaque;
    uint32_t req;

    if (!vmali_mcu_runs(s)) {
        return;
    }
    req = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ);
    if ((req & R_GLB_IDLE_ENABLE_MASK) &&
        !((req ^ vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK)) &
          R_GLB_IDLE_EVENT_MASK)) {
        vmali_mcu_ack(s, R_GLB_IDLE_EVENT_MASK, ~req);
    }
}

/* ---- Suspend buffer ---- */

uint32_t vmali_csg_suspend_size(const VMaliState *s)
{
    return ROUND_UP(sizeof(SuspendHeader) +
                    s->prop.streams * sizeof(VMaliCsState), SUSPEND_ALIGN);
}

static uint64_t state_sum(const VMaliCsState *st)
{
    const uint8_t *byte = (const uint8_t *)st;
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < sizeof(*st); i++) {
        sum = sum * 31 + byte[i];
    }
    return sum;
}

/* The format is nobody's but the firmware's. */
static void save_group(VMaliState *s, VMaliCsg *g)
{
    SuspendHeader h = { .magic = SUSPEND_MAGIC, .streams = s->prop.streams };
    uint64_t va = g->suspend_va + sizeof(h);
    unsigned n;

    if (!g->suspend_va) {
        vmali_violation(s, "group %u: suspended without a buffer", g->nr);
        return;
    }
    for (n = 0; n < s->prop.streams; n++) {
        VMaliCsState *st = &g->cs[n].st;

        h.sum += state_sum(st);
        vmali_as_rw(s, VMALI_MCU_AS, va, st, sizeof(*st), true);
        va += sizeof(*st);
    }
    vmali_as_rw(s, VMALI_MCU_AS, g->suspend_va, &h, sizeof(h), true);
}

/* Whatever was in the buffer, afterwards it is something that can be run. */
static void make_safe(VMaliCsState *st)
{
    unsigned i;

    st->depth = MIN(st->depth, VMALI_CS_DEPTH - 1);
    st->trap = MIN(st->trap, VMALI_TRAP_FATAL);
    st->extract &= ~(VMALI_CS_INSN - 1);
    for (i = 0; i < st->depth; i++) {
        VMaliFrame *f = &st->frame[i];

        if ((f->start | f->pc | f->end) % VMALI_CS_INSN ||
            f->pc < f->start || f->pc > f->end) {
            st->depth = i;
        }
    }
}

/* Return: false if there is no suspended group in the buffer */
static bool restore_group(VMaliState *s, VMaliCsg *g)
{
    SuspendHeader h = { 0 };
    uint64_t va = g->suspend_va + sizeof(h);
    uint64_t sum = 0;
    unsigned n;

    if (!g->suspend_va || !vmali_as_rw(s, VMALI_MCU_AS, g->suspend_va, &h,
                                       sizeof(h), false)) {
        return false;
    }
    for (n = 0; n < s->prop.streams; n++) {
        VMaliCsState *st = &g->cs[n].st;

        if (!vmali_as_rw(s, VMALI_MCU_AS, va, st, sizeof(*st), false)) {
            return false;
        }
        sum += state_sum(st);
        va += sizeof(*st);
        make_safe(st);
    }
    return h.magic == SUSPEND_MAGIC && h.streams == s->prop.streams &&
           h.sum == sum;
}

/* ---- Life cycle ---- */

static void take_endpoints(VMaliState *s, VMaliCsg *g)
{
    uint32_t in = vmali_csg_in(g->nr);

    g->allow_compute = vmali_iface_read64(s, in + CSG_ALLOW_COMPUTE);
    g->allow_fragment = vmali_iface_read64(s, in + CSG_ALLOW_FRAGMENT);
    g->endpoint_req = vmali_iface_read(s, in + CSG_EP_REQ);
    g->priority = FIELD_EX32(g->endpoint_req, CSG_EP_REQ, PRIORITY);
    if ((g->allow_compute | g->allow_fragment) & ~s->prop.shader_present) {
        vmali_violation(s, "group %u: allowed cores 0x%" PRIx64 " and 0x%"
                        PRIx64 " do not all exist", g->nr, g->allow_compute,
                        g->allow_fragment);
    }
}

static void stop_group(VMaliState *s, VMaliCsg *g)
{
    unsigned n;

    for (n = 0; n < s->prop.streams; n++) {
        vmali_ops_drop(s, &g->cs[n]);
        if (g->cs[n].st.started) {
            vmali_cs_stop(s, &g->cs[n]);
        }
    }
    g->running = false;
    g->missed = 0;
}

static void start_group(VMaliState *s, VMaliCsg *g, bool resume)
{
    uint32_t in = vmali_csg_in(g->nr);
    bool good = true;
    unsigned n;

    stop_group(s, g);
    g->as = FIELD_EX32(vmali_iface_read(s, in + CSG_CONFIG), CSG_CONFIG, AS);
    g->suspend_va = vmali_iface_read64(s, in + CSG_SUSPEND_BUF);
    take_endpoints(s, g);
    if (resume) {
        good = restore_group(s, g);
        if (!good) {
            vmali_violation(s, "group %u: its suspend buffer is not what the "
                            "firmware left there", g->nr);
        }
    }
    g->running = true;
    g->idle = false;
    g->no_progress = false;
    show_idle(s, g, false);
    for (n = 0; n < s->prop.streams; n++) {
        VMaliCs *cs = &g->cs[n];
        uint32_t req = vmali_iface_read(s, vmali_cs_in(s, g->nr, n) + CS_REQ);
        bool fresh = !resume || !good || !cs->st.started;

        if (fresh) {
            memset(&cs->st, 0, sizeof(cs->st));
        }
        cs->st.started = FIELD_EX32(req, CS, STATE) == 1;
        if (!cs->st.started) {
            cs->st.ops = 0;
        } else {
            vmali_ops_restore(s, cs);
            vmali_cs_start(s, cs, fresh);
            if (!good) {
                vmali_cs_fatal(s, cs, CS_EXC_FIRMWARE, g->suspend_va);
            }
        }
    }
}

static void suspend_group(VMaliState *s, VMaliCsg *g)
{
    unsigned n;

    /* What is under way is over before, so that there is nothing to save. */
    for (n = 0; g->running && n < s->prop.streams; n++) {
        vmali_ops_drain(s, &g->cs[n]);
    }
    group_status(s, g);
    if (g->running) {
        save_group(s, g);
    }
    stop_group(s, g);
}

/* Return: the state that the group is in now */
static uint32_t change_state(VMaliState *s, VMaliCsg *g, uint32_t from,
                             uint32_t to)
{
    switch (to) {
    case CSG_STATE_START:
    case CSG_STATE_RESUME:
        start_group(s, g, to == CSG_STATE_RESUME);
        return to;
    case CSG_STATE_SUSPEND:
        suspend_group(s, g);
        return to;
    case CSG_STATE_TERMINATE:
        stop_group(s, g);
        return to;
    default:
        vmali_violation(s, "group %u: no state %u", g->nr, to);
        return from;
    }
}

/* ---- Doorbells ---- */

static void answer_requests(VMaliState *s, VMaliCsg *g)
{
    uint32_t in = vmali_csg_in(g->nr), out = vmali_csg_out(g->nr);
    uint32_t req = vmali_iface_read(s, in + CSG_REQ);
    uint32_t ack = vmali_iface_read(s, out + CSG_ACK);
    uint32_t from = FIELD_EX32(ack, CSG, STATE);
    uint32_t to = FIELD_EX32(req, CSG, STATE);
    uint32_t changed = (req ^ ack) & (R_CSG_EP_CFG_MASK |
                                      R_CSG_STATUS_UPDATE_MASK);

    trace_vmali_csg_request(g->nr, req, ack);
    if (req & ~CSG_REQ_KNOWN) {
        vmali_unimplemented(s, "request CSG_REQ bits 0x%x csg=%u",
                            req & ~CSG_REQ_KNOWN, g->nr);
    }
    if (to != from) {
        to = change_state(s, g, from, to);
        changed |= from ^ to;
    }
    if (changed & R_CSG_EP_CFG_MASK) {
        take_endpoints(s, g);
    }
    if (changed & R_CSG_STATUS_UPDATE_MASK) {
        group_status(s, g);
    }
    if (changed) {
        vmali_work_acks(s, ctpop32(changed));
        /* A host that sees the acknowledge sees its effects. */
        smp_wmb();
        vmali_iface_write(s, out + CSG_ACK,
                          vmali_iface_read(s, out + CSG_ACK) ^ changed);
        if (vmali_iface_read(s, in + CSG_ACK_IRQ_MASK) & changed) {
            vmali_irq_raise(s, VMALI_IRQ_JOB, 1u << g->nr);
        }
    }
}

void vmali_csg_doorbell(VMaliState *s, unsigned csg)
{
    uint32_t in = vmali_csg_in(csg), out = vmali_csg_out(csg);
    VMaliCsg *g = &s->csg[csg];
    uint32_t rung, missed;
    unsigned n;

    answer_requests(s, g);
    rung = vmali_iface_read(s, in + CSG_DB_REQ);
    for (n = 0; n < s->prop.streams; n++) {
        if ((rung ^ vmali_iface_read(s, out + CSG_DB_ACK)) & (1u << n)) {
            vmali_cs_look(s, &g->cs[n]);
        }
    }
    vmali_iface_write(s, out + CSG_DB_ACK, rung);
    /* Was a slot in the way of another event? */
    missed = g->missed;
    while (missed) {
        group_event(s, g, missed & -missed);
        missed &= missed - 1;
    }
}

void vmali_csg_user_doorbell(VMaliState *s, unsigned page)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; n < s->prop.streams; n++) {
            VMaliCs *cs = &s->csg[i].cs[n];

            if (cs->st.started && cs->doorbell == page) {
                vmali_cs_look(s, cs);
            }
        }
    }
}

void vmali_csg_look(VMaliState *s)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; n < s->prop.streams; n++) {
            vmali_cs_look(s, &s->csg[i].cs[n]);
        }
    }
}
