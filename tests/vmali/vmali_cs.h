/*
 * Virtual Arm Mali CSF GPU: groups of command streams
 *
 *   vmali_csg.c      groups: life cycle, events, status, suspend buffers
 *   vmali_cs.c       streams: rings, calls, faults, slices of execution
 *   vmali_cs_exec.c  instructions
 *   vmali_cs_ops.c   what goes on beside them, scoreboard
 *   vmali_cs_jobs.c  work for shader cores and tiler
 *   vmali_cs_heap.c  tiler heaps
 *   vmali_work.c     counters of what they do
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_CS_H
#define VMALI_CS_H

#include "vmali_internal.h"

#define VMALI_CS_REGS           128
#define VMALI_CS_DEPTH          8       /* buffers, the ring among them */
#define VMALI_CS_INSN           sizeof(uint64_t)
#define VMALI_CS_OPS            16      /* operations under way */
#define VMALI_CS_SLOTS          8       /* of the scoreboard */
#define VMALI_CS_FOREVER        INT64_MAX       /* a time without end */

/* A resource that a stream requests; from architecture 14 on */
FIELD(RESOURCE, NEURAL, 4, 1)

/* Exceptions of a stream */
enum {
    CS_EXC_TERMINATED = 0x0f,
    CS_EXC_CONFIG = 0x40,
    CS_EXC_BUS = 0x48,
    CS_EXC_INVALID_INSTRUCTION = 0x49,
    CS_EXC_CALL_STACK_OVERFLOW = 0x4a,
    CS_EXC_INHERITED = 0x4b,
    CS_EXC_INVALID_PC = 0x50,
    CS_EXC_ADDRESS_RANGE = 0x5a,
    CS_EXC_FIRMWARE = 0x68,
};

/* Why a stream cannot go on; values of the status word */
enum {
    CS_BLOCKED_NONE = 0,
    CS_BLOCKED_SCOREBOARD = 1,
    CS_BLOCKED_PROGRESS = 2,
    CS_BLOCKED_SYNC = 3,
};

/* What became of an instruction */
typedef enum VMaliStep {
    VMALI_STEP_NEXT,            /* done, on to the next */
    VMALI_STEP_JUMPED,          /* done, the stream is where it wants to be */
    VMALI_STEP_BLOCKED,         /* not done, it will be tried again */
    VMALI_STEP_TRAPPED,         /* not done: fault or fatal */
} VMaliStep;

/* An exception that the host has to hear of */
typedef enum VMaliTrap {
    VMALI_TRAP_NONE,
    VMALI_TRAP_FAULT,
    VMALI_TRAP_FATAL,
} VMaliTrap;

/* Operations on a tiler heap; values of the instruction */
typedef enum VMaliHeapOperation {
    VMALI_HEAP_STARTED = 0,
    VMALI_HEAP_TILED = 1,
    VMALI_HEAP_COMPLETED = 3,
    VMALI_HEAP_RELEASED,        /* not counted: memory of a part of a pass */
} VMaliHeapOperation;

/**
 * VMaliFrame: a called buffer
 * @start: address of its first instruction
 * @pc: of the current one
 * @end: behind the last one
 */
typedef struct VMaliFrame {
    uint64_t start;
    uint64_t pc;
    uint64_t end;
} VMaliFrame;

/**
 * VMaliOp: an operation that its stream has issued, and that has not ended
 * @insn: instruction
 * @va: address that it was issued with
 * @data: operand that it was issued with
 * @end: step that ends it
 * @need: bytes of the tiler heap at @va that it needs to end
 * @time: virtual time from start to end, in nanoseconds
 * @until: virtual time, not before which it ends
 * @wait: slots of older operations that have to be free before it starts
 * @slot: its own slot
 * @latency: steps from start to end
 * @started: it has
 * @oom: the bytes that it needs are not there
 * @pad: 0, so that a suspend buffer has no byte that was not written
 */
typedef struct VMaliOp {
    uint64_t insn;
    uint64_t va;
    uint64_t data;
    uint64_t end;
    uint64_t need;
    int64_t time;
    int64_t until;
    uint32_t wait;
    uint32_t slot;
    uint32_t latency;
    uint32_t started;
    uint32_t oom;
    uint32_t pad;
} VMaliOp;

/**
 * VMaliCsState: what a suspended stream has in its group's suspend buffer
 * @started: the stream was running
 * @depth: called buffers
 * @trap: exception that the host has not answered
 * @posted: it was told
 * @skipping: instructions are left out up to the next error barrier
 * @exception: type of the last fault, 0 behind an error barrier
 * @trap_type: type of the exception
 * @resources: as requested by the last REQ_RESOURCE
 * @endpoint_slot: scoreboard slot of RUN instructions
 * @other_slot: of loads and stores
 * @deferred_slot: of instructions that take it from here
 * @wait_mask: slots that these wait for
 * @vt_start: counters of the heap, as of the last operation on it
 * @vt_end: likewise
 * @frag_end: likewise
 * @handler_length: exception handler of the tiler heap
 * @ops: operations that have not ended
 * @oom: whether the host was asked for memory of a tiler heap
 * @reg: registers
 * @op: operations that have not ended, oldest first
 * @frame: called buffers, the current one is the last
 * @extract: position in the ring
 * @progress: progress counter
 * @trap_info: detail of the exception
 * @heap: heap context
 * @oom_heap: that of the heap without memory
 * @handler: exception handler of the tiler heap
 */
typedef struct VMaliCsState {
    uint32_t started;
    uint32_t depth;
    uint32_t trap;
    uint32_t posted;
    uint32_t skipping;
    uint32_t exception;
    uint32_t trap_type;
    uint32_t resources;
    uint32_t endpoint_slot;
    uint32_t other_slot;
    uint32_t deferred_slot;
    uint32_t wait_mask;
    uint32_t vt_start;
    uint32_t vt_end;
    uint32_t frag_end;
    uint32_t handler_length;
    uint32_t ops;
    uint32_t oom;
    uint32_t reg[VMALI_CS_REGS];
    VMaliOp op[VMALI_CS_OPS];
    VMaliFrame frame[VMALI_CS_DEPTH - 1];
    uint64_t extract;
    uint64_t progress;
    uint64_t trap_info;
    uint64_t heap;
    uint64_t oom_heap;
    uint64_t handler;
} VMaliCsState;

/**
 * VMaliCsWait: what a blocked stream waits for
 * @reason: CS_BLOCKED_*
 * @va: sync object
 * @ref: value that it is compared with
 * @condition: of the instruction
 * @wide: 64 bits
 * @slots: of the scoreboard; 0: until any operation ends
 */
typedef struct VMaliCsWait {
    uint32_t reason;
    uint64_t va;
    uint64_t ref;
    uint32_t condition;
    bool wide;
    uint32_t slots;
} VMaliCsWait;

/**
 * VMaliCs: a stream
 * @group: group that it is in
 * @nr: number in that
 * @st: what survives a suspend
 * @wait: why it does not run
 * @recheck: it is blocked, but what it waits for may have come
 * @insert: end of the work in the ring, as of the last doorbell
 * @shown: position that the host was told last
 * @round: last round of the scheduler that it was served in
 * @ring_base: configuration of the start
 * @ring_size: likewise
 * @user_in: likewise
 * @user_out: likewise
 * @priority: likewise
 * @doorbell: likewise
 */
typedef struct VMaliCs {
    struct VMaliCsg *group;
    unsigned nr;
    VMaliCsState st;
    VMaliCsWait wait;
    bool recheck;
    uint64_t insert;
    uint64_t shown;
    uint64_t round;
    uint64_t ring_base;
    uint32_t ring_size;
    uint64_t user_in;
    uint64_t user_out;
    unsigned priority;
    unsigned doorbell;
} VMaliCs;

/**
 * VMaliCsg: a group slot
 * @nr: its number
 * @running: there is a group that was started or resumed
 * @idle: none of its streams has had anything to do since that was told
 * @told_idle: the status word says so
 * @progress: virtual time when a job of it was begun or ended last
 * @no_progress: the host was told that there is none
 * @missed: events that came while they were pending
 * @as: address space
 * @priority: 15 is the highest
 * @allow_compute: shader cores for compute work
 * @allow_fragment: for fragment work
 * @endpoint_req: endpoints as requested
 * @suspend_va: suspend buffer
 * @cs: streams
 */
typedef struct VMaliCsg {
    unsigned nr;
    bool running;
    bool idle;
    bool told_idle;
    int64_t progress;
    bool no_progress;
    uint32_t missed;
    unsigned as;
    unsigned priority;
    uint64_t allow_compute;
    uint64_t allow_fragment;
    uint32_t endpoint_req;
    uint64_t suspend_va;
    VMaliCs *cs;
} VMaliCsg;

static inline uint32_t vmali_csg_in(unsigned csg)
{
    return IFACE_CSG_INPUT + csg * IFACE_BLOCK_STRIDE;
}

static inline uint32_t vmali_csg_out(unsigned csg)
{
    return IFACE_CSG_OUTPUT + csg * IFACE_BLOCK_STRIDE;
}

static inline uint32_t vmali_cs_in(const VMaliState *s, unsigned csg,
                                   unsigned cs)
{
    return IFACE_CS_INPUT + (csg * s->prop.streams + cs) * IFACE_BLOCK_STRIDE;
}

static inline uint32_t vmali_cs_out(const VMaliState *s, unsigned csg,
                                    unsigned cs)
{
    return IFACE_CS_OUTPUT + (csg * s->prop.streams + cs) * IFACE_BLOCK_STRIDE;
}

/* Registers of a stream; the control structure tells the host. */
static inline unsigned vmali_cs_regs(const VMaliState *s)
{
    return vmali_arch_major(s) >= 12 ? 128 : 96;
}

/* vmali_csg.c */

/** vmali_csg_init: slots without groups */
void vmali_csg_init(VMaliState *s);
void vmali_csg_free(VMaliState *s);

/** vmali_csg_forget: all groups are gone, without a trace in memory */
void vmali_csg_forget(VMaliState *s);

/** vmali_csg_suspend_size: bytes of a suspend buffer */
uint32_t vmali_csg_suspend_size(const VMaliState *s);

/** vmali_csg_doorbell: the host wants something of a group */
void vmali_csg_doorbell(VMaliState *s, unsigned csg);

/** vmali_csg_user_doorbell: streams that have this doorbell page have work */
void vmali_csg_user_doorbell(VMaliState *s, unsigned page);

/** vmali_csg_look: all streams look for work and for answers to events */
void vmali_csg_look(VMaliState *s);

/** vmali_csg_idle_tick: timer callback: all groups have been idle for long */
void vmali_csg_idle_tick(void *opaque);

/** vmali_csg_settle: tell the host which groups have become idle or busy */
void vmali_csg_settle(VMaliState *s);

/** vmali_csg_watch_idle: the host wants to hear when all groups are idle */
void vmali_csg_watch_idle(VMaliState *s);

/** vmali_csg_sync_update: tell the host that a sync object has a new value */
void vmali_csg_sync_update(VMaliState *s, VMaliCsg *g);

/** vmali_csg_no_progress: tell the host that jobs do not end */
void vmali_csg_no_progress(VMaliState *s, VMaliCsg *g);

/** vmali_csg_recheck: what blocked streams wait for may have come */
void vmali_csg_recheck(VMaliState *s);

/** vmali_cs_event: tell the host of a trap, if the last one is answered */
void vmali_cs_event(VMaliState *s, VMaliCs *cs);

/**
 * vmali_cs_oom_event: tell the host that the tiler heap is used up
 *
 * Return: false if it has not answered the last time.
 */
bool vmali_cs_oom_event(VMaliState *s, VMaliCs *cs);

/* vmali_cs.c */

/**
 * vmali_cs_start: take the configuration over
 * @fresh: it begins where the host says, not where it was suspended
 */
void vmali_cs_start(VMaliState *s, VMaliCs *cs, bool fresh);

/** vmali_cs_stop: at an instruction boundary */
void vmali_cs_stop(VMaliState *s, VMaliCs *cs);

/** vmali_cs_look: is there work in the ring, and was a trap answered? */
void vmali_cs_look(VMaliState *s, VMaliCs *cs);

/** vmali_cs_has_work: the ring is not empty, or a buffer was called */
bool vmali_cs_has_work(const VMaliCs *cs);

/** vmali_cs_pc: address of the current instruction */
uint64_t vmali_cs_pc(const VMaliCs *cs);

/** vmali_cs_show: tell the host how far the ring was read */
void vmali_cs_show(VMaliState *s, VMaliCs *cs);

/** vmali_cs_kick: let streams run for a while, and go on later if need be */
void vmali_cs_kick(VMaliState *s);

/** vmali_cs_tick: timer callback */
void vmali_cs_tick(void *opaque);

/** vmali_cs_fault: skip to the next error barrier once the host has answered */
VMaliStep vmali_cs_fault(VMaliState *s, VMaliCs *cs, unsigned type,
                         uint64_t info);

/** vmali_cs_fatal: the stream does not go on */
VMaliStep vmali_cs_fatal(VMaliState *s, VMaliCs *cs, unsigned type,
                         uint64_t info);

VMaliStep vmali_cs_call(VMaliState *s, VMaliCs *cs, uint64_t va,
                        uint32_t length);
VMaliStep vmali_cs_jump(VMaliState *s, VMaliCs *cs, uint64_t va,
                        uint32_t length);

/** vmali_cs_branch: @offset instructions from the next one */
VMaliStep vmali_cs_branch(VMaliState *s, VMaliCs *cs, int offset);

/**
 * vmali_cs_load: @size bytes, 4 or 8, of the group's address space
 *
 * Return: false after a fault.
 */
bool vmali_cs_load(VMaliState *s, VMaliCs *cs, uint64_t va, unsigned size,
                   uint64_t *value);
bool vmali_cs_store(VMaliState *s, VMaliCs *cs, uint64_t va, unsigned size,
                    uint64_t value);

/* vmali_cs_exec.c */

/** vmali_cs_execute: one instruction */
VMaliStep vmali_cs_execute(VMaliState *s, VMaliCs *cs, uint64_t insn);

/** vmali_cs_end: an operation ends: what it does to memory and registers */
void vmali_cs_end(VMaliState *s, VMaliCs *cs, const VMaliOp *op);

/** vmali_cs_is_op: is this an operation, of registers that exist? */
bool vmali_cs_is_op(const VMaliState *s, uint64_t insn);

/** vmali_cs_progress: an instruction or job with this bit counts as progress */
void vmali_cs_progress(VMaliState *s, VMaliCs *cs, uint64_t insn);

/** vmali_cs_get32, vmali_cs_get64: registers */
static inline uint32_t vmali_cs_get32(const VMaliCs *cs, unsigned reg)
{
    return cs->st.reg[reg];
}

static inline uint64_t vmali_cs_get64(const VMaliCs *cs, unsigned reg)
{
    return cs->st.reg[reg] | (uint64_t)cs->st.reg[reg + 1] << 32;
}

/* vmali_cs_jobs.c */

/** vmali_cs_is_job: is it work for shader cores or tiler? */
bool vmali_cs_is_job(uint64_t insn);

VMaliStep vmali_cs_compute(VMaliState *s, VMaliCs *cs, uint64_t insn);
VMaliStep vmali_cs_fragment(VMaliState *s, VMaliCs *cs, uint64_t insn);
VMaliStep vmali_cs_tiler(VMaliState *s, VMaliCs *cs, uint64_t insn);
VMaliStep vmali_cs_other_work(VMaliState *s, VMaliCs *cs, uint64_t insn);

/* vmali_cs_heap.c */

/** vmali_heap_set: HEAP_SET. Return: false after an MMU fault */
bool vmali_heap_set(VMaliState *s, VMaliCs *cs, uint64_t va);

/** vmali_heap_count: an operation on the heap. Return: as above */
bool vmali_heap_count(VMaliState *s, VMaliCs *cs, VMaliHeapOperation what);

/**
 * vmali_heap_take: memory that a job needs to end
 * @report: ask the host for it if it is not there
 *
 * Return: false if it is not, and the job cannot end.
 */
bool vmali_heap_take(VMaliState *s, VMaliCs *cs, VMaliOp *op, bool report);

/** vmali_heap_look: has the host answered? */
void vmali_heap_look(VMaliState *s, VMaliCs *cs);

/* vmali_cs_ops.c */

/** vmali_ops_busy: slots of the scoreboard that are in use */
uint32_t vmali_ops_busy(const VMaliCs *cs);

/**
 * vmali_op_issue: an operation goes on beside its stream
 *
 * There must be room for it.  Return: VMALI_STEP_NEXT
 */
VMaliStep vmali_op_issue(VMaliState *s, VMaliCs *cs, VMaliOp op);

/** vmali_ops_wait: block until slots are free. Return: VMALI_STEP_BLOCKED */
VMaliStep vmali_ops_wait(VMaliCs *cs, uint32_t slots);

/** vmali_ops_block: the stream waits for slots that are in use */
bool vmali_ops_block(const VMaliCs *cs);

/** vmali_ops_step: a step of the GPU is over, and maybe operations are, too */
void vmali_ops_step(VMaliState *s);

/**
 * vmali_ops_skip: no stream has anything to do, but some wait
 *
 * Return: whether operations have ended.
 */
bool vmali_ops_skip(VMaliState *s);

/** vmali_ops_watch: nobody has anything to do: operations end later */
void vmali_ops_watch(VMaliState *s);

/** vmali_ops_drain: those of a stream end now */
void vmali_ops_drain(VMaliState *s, VMaliCs *cs);

/** vmali_ops_restore: those of a suspended stream start anew */
void vmali_ops_restore(VMaliState *s, VMaliCs *cs);

/** vmali_ops_drop: those of a stream are gone */
void vmali_ops_drop(VMaliState *s, VMaliCs *cs);

/** vmali_ops_look: those of an address space may end again */
void vmali_ops_look(VMaliState *s);

/** vmali_ops_tick: timer callback */
void vmali_ops_tick(void *opaque);

#endif /* VMALI_CS_H */
