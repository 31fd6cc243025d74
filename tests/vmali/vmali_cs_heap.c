/*
 * Virtual Arm Mali CSF GPU: tiler heaps
 *
 * The tiler's data is not written, but takes room: as much for each vertex and
 * tiling job as a property says.  A heap begins without room.  A job that finds
 * none does not end until the host has added a chunk, which is checked, or a
 * render pass has given room back.
 *
 * What a heap has is kept in its heap context, in the group's memory, so that
 * all streams of a group that use the heap see it.  The format is the model's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_cs.h"

#define CHUNK_HEADER            64
#define PAGE_BITS               12

/**
 * Context: heap context
 * @vt_start: render passes that were started
 * @vt_end: those that were tiled
 * @frag_end: those that are complete
 * @chunks: that the host has added
 * @used: bytes
 * @room: bytes in all chunks
 */
typedef struct Context {
    uint32_t vt_start;
    uint32_t vt_end;
    uint32_t frag_end;
    uint32_t chunks;
    uint64_t used;
    uint64_t room;
} Context;
QEMU_BUILD_BUG_ON(sizeof(Context) != 32);

/* What the host knows of a stream without memory */
enum {
    ASKED_NOT,
    ASKED_NOT_YET,                      /* it has not answered the last time */
    ASKED,
};

/* Why a job with a need does not end */
enum {
    OOM_NONE,
    OOM_HOST,                           /* it has to answer */
    OOM_PASS,                           /* one has to be complete */
};

static bool load(VMaliState *s, VMaliCs *cs, uint64_t va, Context *c)
{
    return vmali_as_rw(s, cs->group->as, va, c, sizeof(*c), false);
}

static bool save(VMaliState *s, VMaliCs *cs, uint64_t va, const Context *c)
{
    return vmali_as_rw(s, cs->group->as, va, (void *)c, sizeof(*c), true);
}

static void show(VMaliCs *cs, const Context *c)
{
    cs->st.vt_start = c->vt_start;
    cs->st.vt_end = c->vt_end;
    cs->st.frag_end = c->frag_end;
}

bool vmali_heap_set(VMaliState *s, VMaliCs *cs, uint64_t va)
{
    Context c = { 0 };

    if (va && !load(s, cs, va, &c)) {
        return false;
    }
    cs->st.heap = va;
    show(cs, &c);
    return true;
}

/* ---- Jobs without memory ---- */

/* They try again. */
static void retry(VMaliState *s, VMaliCs *cs, unsigned reason)
{
    unsigned i;

    for (i = 0; i < cs->st.ops; i++) {
        VMaliOp *op = &cs->st.op[i];

        if (op->oom == reason) {
            op->oom = OOM_NONE;
            vmali_ops_look(s);
        }
    }
}

/* Streams of the same address space use the same memory. */
static void retry_all(VMaliState *s, unsigned as)
{
    unsigned i, n;

    for (i = 0; i < s->prop.groups; i++) {
        for (n = 0; s->csg[i].running && s->csg[i].as == as &&
                    n < s->prop.streams; n++) {
            retry(s, &s->csg[i].cs[n], OOM_PASS);
        }
    }
}

static void ask(VMaliState *s, VMaliCs *cs)
{
    cs->st.oom = ASKED;
    if (vmali_cs_oom_event(s, cs)) {
        s->heap_ooms++;
    } else {
        cs->st.oom = ASKED_NOT_YET;
    }
}

bool vmali_heap_take(VMaliState *s, VMaliCs *cs, VMaliOp *op, bool report)
{
    Context c;

    if (!load(s, cs, op->va, &c)) {
        /* The fault is the job's; there is nothing left to wait for. */
        if (!cs->st.trap) {
            vmali_cs_fatal(s, cs, CS_EXC_BUS, op->va);
        }
        op->need = 0;
        return false;
    }
    if (c.used <= c.room && op->need <= c.room - c.used) {
        c.used += op->need;
        save(s, cs, op->va, &c);
        return true;
    }
    if (!report) {
        return false;
    }
    op->oom = OOM_HOST;
    if (!cs->st.oom) {
        cs->st.oom_heap = op->va;
        show(cs, &c);
        ask(s, cs);
    }
    return false;
}

/* ---- What streams say of their render passes ---- */

/* A pass gives back its part of what those that were tiled use. */
static void release(Context *c)
{
    uint32_t passes = c->vt_end - c->frag_end;

    c->used -= passes ? c->used / passes : c->used;
}

bool vmali_heap_count(VMaliState *s, VMaliCs *cs, VMaliHeapOperation what)
{
    uint64_t heap = cs->st.heap;
    Context c = {
        .vt_start = cs->st.vt_start, .vt_end = cs->st.vt_end,
        .frag_end = cs->st.frag_end,
    };

    if (heap && !load(s, cs, heap, &c)) {
        return false;
    }
    switch (what) {
    case VMALI_HEAP_STARTED:
        c.vt_start++;
        break;
    case VMALI_HEAP_TILED:
        c.vt_end++;
        break;
    case VMALI_HEAP_COMPLETED:
        release(&c);
        c.frag_end++;
        break;
    case VMALI_HEAP_RELEASED:
        release(&c);
        break;
    }
    show(cs, &c);
    if (heap && !save(s, cs, heap, &c)) {
        return false;
    }
    if (heap && what >= VMALI_HEAP_COMPLETED) {
        retry_all(s, cs->group->as);
    }
    return true;
}

/* ---- The host's answer ---- */

/* Return: false if it is no chunk */
static bool add_chunk(VMaliState *s, VMaliCs *cs, uint64_t word)
{
    uint64_t va = word & ~MAKE_64BIT_MASK(0, PAGE_BITS);
    uint64_t size = FIELD_EX64(word, HEAP_CHUNK, PAGES) << PAGE_BITS;
    unsigned as = cs->group->as;
    uint64_t header;
    Context c;

    if (!size || va > UINT64_MAX - size || !vmali_as_probe(s, as, va, size)) {
        vmali_violation(s, "stream %u of group %u: heap chunk 0x%" PRIx64
                        " is no memory of 0x%" PRIx64 " bytes", cs->nr,
                        cs->group->nr, va, size);
        return false;
    }
    if (!vmali_as_rw(s, as, va, &header, sizeof(header), false) ||
        !load(s, cs, cs->st.oom_heap, &c)) {
        return false;
    }
    if (header) {
        vmali_violation(s, "stream %u of group %u: heap chunk 0x%" PRIx64
                        " is in use", cs->nr, cs->group->nr, va);
        return false;
    }
    /* The model does not need the list, but another use of the chunk shows. */
    header = cpu_to_le64(word);
    c.room += size - CHUNK_HEADER;
    c.chunks++;
    s->heap_chunks++;
    return vmali_as_rw(s, as, va, &header, sizeof(header), true) &&
           save(s, cs, cs->st.oom_heap, &c);
}

/* No memory: there may be some when a pass that was tiled is complete. */
static void wait_for_pass(VMaliState *s, VMaliCs *cs)
{
    Context c = { 0 };
    unsigned i;

    load(s, cs, cs->st.oom_heap, &c);
    for (i = 0; i < cs->st.ops; i++) {
        if (cs->st.op[i].oom == OOM_HOST) {
            cs->st.op[i].oom = OOM_PASS;
        }
    }
    if (c.vt_end == c.frag_end && !cs->st.trap) {
        vmali_cs_fault(s, cs, CS_EXC_TERMINATED, cs->st.oom_heap);
        /* The jobs end without what they needed. */
        for (i = 0; i < cs->st.ops; i++) {
            if (cs->st.op[i].oom == OOM_PASS) {
                cs->st.op[i].oom = OOM_NONE;
                cs->st.op[i].need = 0;
            }
        }
        vmali_ops_look(s);
    }
}

void vmali_heap_look(VMaliState *s, VMaliCs *cs)
{
    uint32_t in = vmali_cs_in(s, cs->group->nr, cs->nr);
    uint32_t out = vmali_cs_out(s, cs->group->nr, cs->nr);
    uint64_t start, end;

    if (cs->st.oom == ASKED_NOT) {
        return;
    }
    if ((vmali_iface_read(s, in + CS_REQ) ^
         vmali_iface_read(s, out + CS_ACK)) & R_CS_TILER_OOM_MASK) {
        return;
    }
    if (cs->st.oom == ASKED_NOT_YET) {
        ask(s, cs);
        return;
    }
    cs->st.oom = ASKED_NOT;
    start = vmali_iface_read64(s, in + CS_HEAP_START);
    end = vmali_iface_read64(s, in + CS_HEAP_END);
    if (start != end) {
        vmali_unimplemented(s, "request several chunks for a heap, from 0x%"
                            PRIx64 " to 0x%" PRIx64, start, end);
    }
    if (!start) {
        wait_for_pass(s, cs);
    } else if (add_chunk(s, cs, start)) {
        retry(s, cs, OOM_HOST);
    }
}
