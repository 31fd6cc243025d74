/*
 * Virtual Arm Mali CSF GPU: operations beside their streams, and the scoreboard
 *
 * An operation uses a slot of the scoreboard from its issue to its end, and its
 * effects on memory and registers come at its end.  Time is counted in steps of
 * the GPU, one for each instruction of any stream: what a stream sees does not
 * depend on the speed of the machine.  When no stream has anything to do, but
 * one waits, the time until the next operation ends is skipped.  When none
 * waits either, what is still under way ends some time later, in virtual time:
 * a host that is told of the end of a job too early sees memory without it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali_cs.h"

QEMU_BUILD_BUG_ON(sizeof(VMaliOp) != 7 * 8 + 6 * 4);

/* When operations end that nobody waits for */
#define TAIL_NS                 (20 * SCALE_MS)

/* Cycles of the core clock in a unit of the progress timer */
#define PROGRESS_UNIT           1024
/* A slower clock counts as one of this rate, so that times have 64 bits. */
#define MIN_HZ                  1000

/* Limits of what a suspend buffer has */
#define MAX_STEPS               1024
#define MAX_TIME_NS             (1000 * NANOSECONDS_PER_SECOND)

static uint32_t busy_before(const VMaliCs *cs, unsigned n)
{
    uint32_t slots = 0;
    unsigned i;

    for (i = 0; i < n; i++) {
        slots |= 1u << cs->st.op[i].slot;
    }
    return slots;
}

uint32_t vmali_ops_busy(const VMaliCs *cs)
{
    return busy_before(cs, cs->st.ops);
}

/* Only older ones are waited for, so that one can always start. */
static void start_ops(VMaliState *s, VMaliCs *cs)
{
    unsigned i;

    for (i = 0; i < cs->st.ops; i++) {
        VMaliOp *op = &cs->st.op[i];

        if (op->started || (busy_before(cs, i) & op->wait)) {
            continue;
        }
        op->started = true;
        op->end = s->step + op->latency;
        s->next_end = MIN(s->next_end, op->end);
        if (op->time == VMALI_CS_FOREVER) {
            op->until = VMALI_CS_FOREVER;
        } else if (op->time) {
            op->until = vmali_now() + op->time;
            s->next_until = MIN(s->next_until, op->until);
        }
        if (vmali_cs_is_job(op->insn)) {
            cs->group->progress = vmali_now();
        }
    }
}

VMaliStep vmali_ops_wait(VMaliCs *cs, uint32_t slots)
{
    cs->wait.reason = CS_BLOCKED_SCOREBOARD;
    cs->wait.slots = slots;
    return VMALI_STEP_BLOCKED;
}

bool vmali_ops_block(const VMaliCs *cs)
{
    return cs->wait.reason == CS_BLOCKED_SCOREBOARD &&
           (cs->wait.slots ? (vmali_ops_busy(cs) & cs->wait.slots) != 0 :
                             cs->st.ops == VMALI_CS_OPS);
}

VMaliStep vmali_op_issue(VMaliState *s, VMaliCs *cs, VMaliOp op)
{
    g_assert(cs->st.ops < VMALI_CS_OPS);
    op.slot %= VMALI_CS_SLOTS;
    op.started = false;
    op.until = 0;
    op.oom = false;
    cs->st.op[cs->st.ops++] = op;
    s->ops++;
    start_ops(s, cs);
    return VMALI_STEP_NEXT;
}

/* Accesses wait for the end of a lock, and for ever behind a fault. */
static bool can_end(const VMaliState *s, const VMaliCs *cs)
{
    const VMaliAs *as;

    if (!cs->st.started || cs->group->as >= VMALI_NUM_AS) {
        return false;
    }
    as = &s->as[cs->group->as];
    return !as->locked && !as->broken;
}

static void end_op(VMaliState *s, VMaliCs *cs, unsigned i)
{
    VMaliOp op = cs->st.op[i];

    cs->st.ops--;
    s->ops--;
    memmove(&cs->st.op[i], &cs->st.op[i + 1],
            (cs->st.ops - i) * sizeof(cs->st.op[0]));
    if (vmali_cs_is_job(op.insn)) {
        cs->group->progress = vmali_now();
    }
    vmali_cs_end(s, cs, &op);
    start_ops(s, cs);
}

/* The next operation of a stream that is over, or @cs->st.ops */
static unsigned next_over(const VMaliState *s, const VMaliCs *cs, int64_t now)
{
    unsigned i;

    for (i = 0; i < cs->st.ops; i++) {
        const VMaliOp *op = &cs->st.op[i];

        if (op->started && !op->oom && op->end <= s->step &&
            op->until <= now) {
            break;
        }
    }
    return i;
}

/**
 * end_ops: end all operations that are over
 *
 * Takes the step and the time of the next ones.
 *
 * Return: whether there were any.
 */
static bool end_ops(VMaliState *s)
{
    int64_t now = vmali_now();
    bool any = false;
    unsigned i, n, k;

    s->next_end = UINT64_MAX;
    s->next_until = INT64_MAX;
    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; s->csg[i].running && n < s->prop.streams; n++) {
            VMaliCs *cs = &s->csg[i].cs[n];

            while (cs->st.ops && can_end(s, cs) &&
                   (k = next_over(s, cs, now)) < cs->st.ops) {
                if (cs->st.op[k].need &&
                    !vmali_heap_take(s, cs, &cs->st.op[k], true)) {
                    continue;
                }
                end_op(s, cs, k);
                any = true;
            }
            for (k = 0; k < cs->st.ops && can_end(s, cs); k++) {
                const VMaliOp *op = &cs->st.op[k];

                if (!op->started || op->oom) {
                    continue;
                }
                if (op->until > now) {
                    s->next_until = MIN(s->next_until, op->until);
                } else {
                    s->next_end = MIN(s->next_end, op->end);
                }
            }
        }
    }
    return any;
}

void vmali_ops_step(VMaliState *s)
{
    s->step++;
    if (s->step >= s->next_end) {
        end_ops(s);
    }
}

static bool anyone_waits(const VMaliState *s)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; s->csg[i].running && n < s->prop.streams; n++) {
            const VMaliCs *cs = &s->csg[i].cs[n];

            if (cs->st.started && cs->wait.reason) {
                return true;
            }
        }
    }
    return false;
}

bool vmali_ops_skip(VMaliState *s)
{
    if (!s->ops || s->next_end == UINT64_MAX || !anyone_waits(s)) {
        return false;
    }
    s->step = MAX(s->step, s->next_end);
    /* None, if the one that was to end is gone; then another one is next. */
    return end_ops(s) || s->next_end != UINT64_MAX;
}

/* ---- Progress ---- */

/* A job that waits for the host is none that makes no progress. */
static bool has_job(const VMaliState *s, const VMaliCsg *g)
{
    unsigned n, i;

    for (n = 0; g->running && n < s->prop.streams; n++) {
        for (i = 0; i < g->cs[n].st.ops; i++) {
            const VMaliOp *op = &g->cs[n].st.op[i];

            if (op->started && !op->oom && vmali_cs_is_job(op->insn)) {
                return true;
            }
        }
    }
    return false;
}

/**
 * watch_progress: tell the host of groups whose jobs have not ended for long
 *
 * Return: virtual time when the next one has to be told, INT64_MAX if there is
 * none.
 */
static int64_t watch_progress(VMaliState *s)
{
    int64_t now = vmali_now(), next = INT64_MAX, limit;
    unsigned i;

    if (!s->progress_units || !s->ops) {
        return next;
    }
    limit = muldiv64((uint64_t)s->progress_units * PROGRESS_UNIT,
                     NANOSECONDS_PER_SECOND,
                     MAX(s->time.hz[VMALI_CLOCK_CORE], MIN_HZ));
    for (i = 0; i < s->prop.groups; i++) {
        VMaliCsg *g = &s->csg[i];

        if (g->no_progress || !has_job(s, g)) {
            continue;
        }
        if (now - g->progress >= limit) {
            g->no_progress = true;
            vmali_csg_no_progress(s, g);
        } else {
            next = MIN(next, g->progress + limit);
        }
    }
    return next;
}

void vmali_ops_watch(VMaliState *s)
{
    int64_t at = MIN(s->next_until, watch_progress(s));

    if (!s->ops || s->next_end == UINT64_MAX) {
        s->tail = INT64_MAX;
    } else if (s->tail == INT64_MAX) {
        s->tail = vmali_now() + TAIL_NS;
    }
    at = MIN(at, s->tail);
    if (!s->ops || at == INT64_MAX) {
        timer_del(s->ops_timer);
    } else {
        timer_mod(s->ops_timer, at);
    }
}

void vmali_ops_drain(VMaliState *s, VMaliCs *cs)
{
    unsigned i = 0;

    while (i < cs->st.ops && cs->group->as < VMALI_NUM_AS &&
           !s->as[cs->group->as].broken) {
        VMaliOp *op = &cs->st.op[i];

        /* A job without memory does not, nor what waits for it. */
        if (!op->started || op->oom || op->time == VMALI_CS_FOREVER ||
            (op->need && !vmali_heap_take(s, cs, op, false))) {
            i++;
        } else {
            end_op(s, cs, i);
            i = 0;
        }
    }
}

void vmali_ops_restore(VMaliState *s, VMaliCs *cs)
{
    unsigned i, n = 0;

    for (i = 0; i < MIN(cs->st.ops, VMALI_CS_OPS); i++) {
        VMaliOp op = cs->st.op[i];

        /* Whatever was in the buffer, it is an operation. */
        if (!vmali_cs_is_op(s, op.insn)) {
            continue;
        }
        op.slot %= VMALI_CS_SLOTS;
        op.latency = MIN(op.latency, MAX_STEPS);
        if (op.time != VMALI_CS_FOREVER) {
            op.time = MIN(MAX(op.time, 0), MAX_TIME_NS);
        }
        op.started = false;
        op.until = 0;
        op.oom = false;
        cs->st.op[n++] = op;
    }
    cs->st.ops = n;
    cs->st.oom = false;
    s->ops += n;
    start_ops(s, cs);
}

void vmali_ops_drop(VMaliState *s, VMaliCs *cs)
{
    s->ops -= cs->st.ops;
    cs->st.ops = 0;
}

void vmali_ops_look(VMaliState *s)
{
    s->next_end = s->ops ? 0 : UINT64_MAX;
}

void vmali_ops_tick(void *opaque)
{
    VMaliState *s = opaque;

    if (!vmali_mcu_runs(s) || s->asleep) {
        return;
    }
    if (vmali_now() >= s->tail) {
        s->tail = INT64_MAX;
        while (s->next_end != UINT64_MAX) {
            s->step = MAX(s->step, s->next_end);
            end_ops(s);
        }
    } else {
        end_ops(s);
    }
    vmali_cs_kick(s);
    vmali_ops_watch(s);
}
