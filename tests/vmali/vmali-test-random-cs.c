/*
 * QTest of the virtual Arm Mali CSF GPU: groups and streams of random machines
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-random.h"
#include "vmali-test-cs.h"

#define BLOCK                   0x100
#define PAGE                    4096ull
#define SUSPEND_HEADER          16
#define SUSPEND_STREAMS         4       /* where the header has their number */
#define SUSPEND_SUM             8
#define SUSPEND_FILL            0xa5

/* ---- Where things are ---- */

uint64_t csg_in(Unit *u, unsigned csg)
{
    return u->window + OFF_SHARED + 0x8000 + BLOCK * csg;
}

uint64_t csg_out(Unit *u, unsigned csg)
{
    return u->window + OFF_SHARED + 0xa000 + BLOCK * csg;
}

static uint64_t cs_in(Unit *u, unsigned csg, unsigned cs)
{
    return u->window + OFF_SHARED + 0x10000 + BLOCK * (csg * u->streams + cs);
}

static uint64_t cs_out(Unit *u, unsigned csg, unsigned cs)
{
    return u->window + OFF_SHARED + 0x50000 + BLOCK * (csg * u->streams + cs);
}

/* Streams of large GPUs share rings. */
static unsigned ring_of(Unit *u, unsigned csg, unsigned cs)
{
    return (csg * u->streams + cs) % BOX_RINGS;
}

static uint64_t pages_of(Unit *u, unsigned csg, unsigned cs)
{
    return OFF_PAGES + 2 * PAGE * (csg * u->streams + cs);
}

uint64_t stream_extract(Machine *m, Unit *u, unsigned csg, unsigned cs)
{
    return ldq_le_p(ram(m, u->window + pages_of(u, csg, cs) + PAGE));
}

/* ---- Groups ---- */

void group_configure(Machine *m, Unit *u, unsigned csg)
{
    unsigned cs;

    for (cs = 0; cs < u->streams; cs++) {
        uint64_t in = cs_in(u, csg, cs);
        uint64_t page = u->window + pages_of(u, csg, cs);
        uint64_t va = V_PAGES + pages_of(u, csg, cs) - OFF_PAGES;
        uint64_t *insert = &u->insert[ring_of(u, csg, cs)];

        *insert = ldq_le_p(ram(m, page + PAGE)) & ~7ull;
        set_long(m, page, *insert);
        set_long(m, page + 8, *insert);
        set_word(m, in + 0x04, (csg + 1) << 8 | below(m, 16));
        set_word(m, in + 0x0c, ~0);
        set_long(m, in + 0x10, V_BOX + BOX_RING_SIZE * ring_of(u, csg, cs));
        set_word(m, in + 0x18, BOX_RING_SIZE);
        set_long(m, in + 0x30, va);
        set_long(m, in + 0x38, va + PAGE);
        set_word(m, in, (word(m, in) & 0xf0000000) | 1 | below(m, 2) << 8 |
                        below(m, 2) << 10);
    }
    set_word(m, csg_in(u, csg) + 0x04, ~0);
    set_long(m, csg_in(u, csg) + 0x20, ~0ull);
    set_long(m, csg_in(u, csg) + 0x28, ~0ull);
    set_word(m, csg_in(u, csg) + 0x34, 0x10404 | below(m, 16) << 28);
    set_long(m, csg_in(u, csg) + 0x40, V_SUSPEND + V_SUSPEND_SIZE * csg);
    set_word(m, csg_in(u, csg) + 0x50, 1 + below(m, 7));
}

static void ring_group(Machine *m, Unit *u, unsigned csg)
{
    set_word(m, glb_in(u, DB_REQ), word(m, glb_out(u, DB_REQ)) ^ 1u << csg);
    set_reg(m, u, DOORBELL(0), 1);
}

void group_state(Machine *m, Unit *u, unsigned csg, uint32_t state)
{
    uint64_t in = csg_in(u, csg);

    note(m, "gpu%u group %u state %u", u->g->nr, csg, state);
    set_word(m, in, (word(m, in) & ~7u) | state);
    ring_group(m, u, csg);
}

/* One word of a good configuration becomes odd. */
static void spoil(Machine *m, Unit *u, unsigned csg)
{
    static const uint32_t group_words[] = {
        0x00, 0x04, 0x08, 0x0c, 0x20, 0x24, 0x28, 0x34, 0x40, 0x44, 0x50,
    };
    static const uint32_t stream_words[] = {
        0x00, 0x04, 0x0c, 0x10, 0x14, 0x18, 0x30, 0x34, 0x38, 0x3c,
    };
    unsigned cs = below(m, u->streams);
    uint64_t page = u->window + pages_of(u, csg, cs);
    uint32_t value = interesting(m);

    switch (below(m, 3)) {
    case 0:
        set_word(m, csg_in(u, csg) + pick(m, group_words), value);
        break;
    case 1:
        set_word(m, cs_in(u, csg, cs) + pick(m, stream_words), value);
        break;
    default:
        set_long(m, page + 8 * below(m, 2), interesting(m));
    }
}

void act_group(Machine *m, Unit *u)
{
    static const uint32_t states[] = {
        CSG_START, CSG_START, CSG_START, CSG_SUSPEND, CSG_RESUME, CSG_TERMINATE,
        5,
    };
    unsigned csg = chance(m, 70) ? below(m, 2) : below(m, u->groups);
    uint32_t state = pick(m, states);
    uint64_t in = csg_in(u, csg);

    if (state == CSG_START) {
        group_configure(m, u, csg);
        if (chance(m, 25)) {
            spoil(m, u, csg);
        }
    }
    if (chance(m, 30)) {
        set_word(m, in, word(m, in) ^ (chance(m, 80) ? CSG_EP_CFG | CSG_STATUS :
                                                       interesting(m)));
    }
    if (chance(m, 20)) {
        set_word(m, in + 0x08, interesting(m));
    }
    group_state(m, u, csg, state);
}

/* The host takes note of all events of a group, or says that it does. */
void act_events(Machine *m, Unit *u)
{
    unsigned csg = chance(m, 70) ? below(m, 2) : below(m, u->groups), cs;
    uint64_t in = csg_in(u, csg), out = csg_out(u, csg);
    uint32_t wrong = chance(m, 20) ? interesting(m) : 0;

    note(m, "gpu%u group %u: events acknowledged", u->g->nr, csg);
    set_word(m, in + 0x0c, word(m, out + 0x0c) ^ wrong);
    set_word(m, in, (word(m, in) & 0x0fffffff) | (word(m, out) & 0xf0000000));
    for (cs = 0; cs < u->streams; cs++) {
        uint64_t at = cs_in(u, csg, cs);

        set_word(m, at, (word(m, at) & 0x0fffffff) |
                        (word(m, cs_out(u, csg, cs)) & 0xf0000000));
    }
    set_word(m, in + 0x08, ~word(m, out + 0x08));
    ring_group(m, u, csg);
}

/* ---- Instructions ---- */

/* Mostly where the stream may read and write */
static uint64_t draw_va(Machine *m)
{
    switch (below(m, 20)) {
    case 0:
        return V_BOX + BOX_RING_SIZE * below(m, BOX_RINGS) + 8 * below(m, 512);
    case 1:
        return V_BOX + V_BOX_SIZE - 4 * below(m, 8);
    case 2:
        return V_HOLE + below(m, 4096);
    case 3:
        return interesting(m) & 0xffffffffffffull;
    case 4:
    case 5:
    case 6:
        return V_BOX + BOX_CODE + 8 * below(m, 512);
    default:
        return V_BOX + BOX_DATA + 8 * below(m, 64);
    }
}

/* Few registers, so that they meet: pairs; and those that describe jobs */
static unsigned draw_pair(Machine *m)
{
    static const uint8_t pairs[] = { 10, 10, 12, 12, 14, 16, 40, 84, 92, 94 };

    return pick(m, pairs);
}

static unsigned draw_reg(Machine *m)
{
    static const uint8_t regs[] = { 33, 37, 38, 39, 42, 43, 56 };

    return chance(m, 50) ? draw_pair(m) : pick(m, regs);
}

/* Instructions whose fields may be anything; registers may not */
static uint64_t insn_of(Machine *m, unsigned opcode)
{
    return INSN(opcode, (uint64_t)draw_pair(m) << 48 |
                        (uint64_t)draw_pair(m) << 40 |
                        (uint64_t)draw_pair(m) << 32 |
                        (interesting(m) & 0xffffffff));
}

static uint64_t any_insn(Machine *m)
{
    return chance(m, 50) ? draw(m) :
           INSN(below(m, 64), draw(m) & 0xffffffffffffffull);
}

uint64_t random_insn(Machine *m, Unit *u)
{
    static const uint8_t anything[] = {
        0, 3, 4, 7, 8, 9, 11, 18, 19, 23, 26, 30, 31, 34, 36, 41, 44, 47, 49,
        50,
    };
    static const uint8_t addressed[] = { 24, 25, 42, 43, 48, 40 };
    static const uint8_t syncs[] = { 37, 38, 39, 51, 52, 53 };
    static const uint8_t added[] = { 16, 17, 28, 27 };
    unsigned a = draw_pair(m), b = draw_pair(m), d = draw_reg(m);
    unsigned mask = chance(m, 90) ? below(m, 16) : draw(m) & 0xffff;

    switch (below(m, 32)) {
    case 0:
        return any_insn(m);
    case 1:
        return insn_of(m, below(m, 64));
    case 2:
    case 3:
    case 4:
    case 5:
        return MOVE48(a, draw_va(m));
    case 6:
    case 7:
    case 8:
        return MOVE32(d, chance(m, 70) ? 8 * below(m, 16) : interesting(m));
    case 9:
    case 10:
        return STORE(d, a, mask, 4 * below(m, 16));
    case 11:
    case 12:
        return LOAD(d, a, mask, 4 * below(m, 16));
    case 13:
    case 14:
        return BRANCH(below(m, 7), d, below(m, 8) - 4);
    case 15:
    case 16:
        return CALL(a, b);
    case 17:
        return JUMP(a, b);
    case 18:
    case 19:
        return SYNC(pick(m, syncs), a, b, below(m, 8) | below(m, 2) << 28);
    case 20:
        return STORE_STATE(a, below(m, 4)) | 8 * below(m, 8);
    case 21:
        return insn_of(m, pick(m, added)) & ~(0xffull << 32);
    case 22:
        return insn_of(m, pick(m, addressed)) & ~0xffffull;
    case 23:
        return insn_of(m, u->arch >= 12 ? 12 : 6);
    default:
        return insn_of(m, pick(m, anything));
    }
}

void stream_emit(Machine *m, Unit *u, unsigned csg, unsigned cs, uint64_t insn)
{
    unsigned ring = ring_of(u, csg, cs);
    uint64_t *insert = &u->insert[ring];

    set_long(m, u->window + OFF_BOX + ring * BOX_RING_SIZE +
                (*insert & (BOX_RING_SIZE - 8)), insn);
    *insert += 8;
}

void stream_submit(Machine *m, Unit *u, unsigned csg, unsigned cs)
{
    set_long(m, u->window + pages_of(u, csg, cs),
             u->insert[ring_of(u, csg, cs)]);
    doorbell(m, u, csg + 1);
}

/* A host that wants to go on mends what is in the way. */
static void mend(Machine *m, Unit *u, unsigned csg, unsigned cs)
{
    uint32_t state = word(m, csg_out(u, csg)) & 7;
    uint32_t pending = word(m, cs_in(u, csg, cs)) ^ word(m, cs_out(u, csg, cs));
    bool runs = state == CSG_START || state == CSG_RESUME;

    if (chance(m, 50)) {
        as_mend(m, u, word(m, csg_in(u, csg) + 0x50) & 7);
    }
    if (!runs || (pending & (CS_FATAL_BIT | CS_FAULT_BIT))) {
        if (runs) {
            group_state(m, u, csg, CSG_TERMINATE);
        }
        group_configure(m, u, csg);
        group_state(m, u, csg, CSG_START);
    }
}

void act_stream(Machine *m, Unit *u)
{
    unsigned csg = chance(m, 70) ? below(m, 2) : below(m, u->groups);
    unsigned cs = chance(m, 70) ? below(m, 2) : below(m, u->streams);
    unsigned n = 1 + below(m, 24), i;
    uint64_t *insert = &u->insert[ring_of(u, csg, cs)];

    if (chance(m, 70)) {
        mend(m, u, csg, cs);
        for (i = 10; i <= 16; i += 2) {
            stream_emit(m, u, csg, cs, MOVE48(i, draw_va(m)));
        }
    }

    /* A host knows how far the GPU is, and has no more than a ring. */
    if (chance(m, 80) && *insert - stream_extract(m, u, csg, cs) >
                         BOX_RING_SIZE - 8 * n) {
        *insert = stream_extract(m, u, csg, cs) & ~7ull;
    }
    for (i = 0; i < n; i++) {
        uint64_t insn = random_insn(m, u);

        if (i < 4) {
            note(m, "gpu%u group %u stream %u: 0x%016" PRIx64, u->g->nr, csg,
                 cs, insn);
        }
        stream_emit(m, u, csg, cs, insn);
    }
    if (chance(m, 8)) {
        set_long(m, u->window + pages_of(u, csg, cs),
                 *insert + interesting(m));
        doorbell(m, u, chance(m, 50) ? 0 : csg + 1);
        return;
    }
    stream_submit(m, u, csg, cs);
}

/* What CALL and JUMP find */
void act_code(Machine *m, Unit *u)
{
    uint64_t at = BOX_CODE + 8 * below(m, 512);
    unsigned n = 1 + below(m, 64);

    note(m, "gpu%u code at 0x%" PRIx64 ": %u instructions", u->g->nr, at, n);
    for (; n; n--, at += 8) {
        set_long(m, u->window + OFF_BOX + at, random_insn(m, u));
    }
}

/* ---- Suspend buffers ---- */

/* The firmware's checksum, of states one after the other */
static uint64_t sum_of(const uint8_t *state, uint32_t size, unsigned streams)
{
    uint64_t total = 0, sum;
    unsigned i;
    uint32_t n;

    for (i = 0; i < streams; i++) {
        for (sum = 0, n = 0; n < size; n++) {
            sum = sum * 31 + *state++;
        }
        total += sum;
    }
    return total;
}

/* How much does the firmware write for a stream?  0: it did not. */
static uint32_t learn_size(Machine *m, Unit *u, unsigned csg)
{
    uint8_t *buffer = ram(m, u->window + OFF_SUSPEND + csg * V_SUSPEND_SIZE);
    uint32_t end = V_SUSPEND_SIZE;

    memset(buffer, SUSPEND_FILL, V_SUSPEND_SIZE);
    group_configure(m, u, csg);
    group_state(m, u, csg, CSG_TERMINATE);
    group_state(m, u, csg, CSG_START);
    group_state(m, u, csg, CSG_SUSPEND);
    while (end && buffer[end - 1] == SUSPEND_FILL) {
        end--;
    }
    if (end <= SUSPEND_HEADER || (end - SUSPEND_HEADER) % u->streams ||
        ldl_le_p(buffer + SUSPEND_STREAMS) != u->streams) {
        return 0;
    }
    end = (end - SUSPEND_HEADER) / u->streams;
    if (ldq_le_p(buffer + SUSPEND_SUM) !=
        sum_of(buffer + SUSPEND_HEADER, end, u->streams)) {
        return 0;
    }
    return end;
}

/*
 * A guest that knows the firmware writes what it likes into the buffer of a
 * suspended group, and the right checksum.
 */
void act_suspend_buffer(Machine *m, Unit *u)
{
    unsigned csg = below(m, 2), n;
    uint8_t *buffer = ram(m, u->window + OFF_SUSPEND + csg * V_SUSPEND_SIZE);
    uint32_t bytes;

    if (!u->saved) {
        u->saved = learn_size(m, u, csg);
        note(m, "gpu%u: a stream has %u bytes in a suspend buffer", u->g->nr,
             u->saved);
        return;
    }
    group_state(m, u, csg, CSG_SUSPEND);
    bytes = u->saved * u->streams;
    for (n = below(m, 12); n; n--) {
        uint64_t value = interesting(m);
        unsigned at;

        /* Small words come first in a state; the first streams run. */
        if (chance(m, 60)) {
            at = u->saved * below(m, 3) + 4 * below(m, 16);
        } else {
            at = below(m, bytes) & ~3u;
        }
        note(m, "gpu%u group %u suspend buffer 0x%x: 0x%" PRIx64, u->g->nr,
             csg, at, value);
        at += SUSPEND_HEADER;
        if (chance(m, 50)) {
            stl_le_p(buffer + at, value);
        } else {
            stq_le_p(buffer + (at & ~7u), value);
        }
    }
    if (chance(m, 90)) {
        stq_le_p(buffer + SUSPEND_SUM,
                 sum_of(buffer + SUSPEND_HEADER, u->saved, u->streams));
    } else {
        stl_le_p(buffer + 4 * below(m, 4), interesting(m));
    }
    group_state(m, u, csg, CSG_RESUME);
    m->shared->done[DEED_RESUME] += (word(m, csg_out(u, csg)) & 7) ==
                                    CSG_RESUME;
    if (chance(m, 50)) {
        doorbell(m, u, csg + 1);
    }
}
