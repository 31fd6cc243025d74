/*
 * QTest of the virtual Arm Mali CSF GPU: the firmware's interface and counters,
 * as random machines use them
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-random.h"

#define GLB_IN_OFFSET           0x6000
#define GLB_OUT_OFFSET          0x7000

/* Words of the global input block */
static const uint32_t glb_words[] = {
    REQ, REQ, ACK_IRQ_MASK, DB_REQ, DB_REQ, 0x10, PWROFF_TIMER, 0x18, 0x1c,
    0x20, JASID, BASE, BASE + 4, EXTRACT, CONFIG, CSG_SELECT, FW_EN, CSG_EN,
    CSF_EN, SHADER_EN, TILER_EN, MMU_L2_EN, NEURAL_EN, 0x80, 0x84,
};

uint64_t glb_in(Unit *u, uint32_t offset)
{
    return u->window + OFF_SHARED + GLB_IN_OFFSET + offset;
}

uint64_t glb_out(Unit *u, uint32_t offset)
{
    return u->window + OFF_SHARED + GLB_OUT_OFFSET + offset;
}

/* ---- Boot ---- */

bool fw_boot(Machine *m, Unit *u)
{
    memset(ram(m, u->window + OFF_SHARED), 0, SHARED_SIZE);
    set_reg(m, u, MCU_CONTROL, 0);
    set_reg(m, u, MCU_CONTROL, 2);
    return reg(m, u, MCU_STATUS) == 1;
}

static void revive(Machine *m, Unit *u)
{
    bool cold = chance(m, 50);

    note(m, "gpu%u %s boot", u->g->nr, cold ? "cold" : "warm");
    set_reg(m, u, MCU_CONTROL, 0);
    if (cold) {
        tables_init(m, u);
    }
    power_init(m, u);
    as_init(m, u);
    set_reg(m, u, MMU_IRQ + CLEAR, ~0);
    set_reg(m, u, JOB_IRQ + MASK, ~0);
    if (cold) {
        fw_boot(m, u);
    } else {
        set_reg(m, u, MCU_CONTROL, 1 + below(m, 2));
    }
}

void act_boot(Machine *m, Unit *u)
{
    uint32_t value = chance(m, 80) ? below(m, 3) : interesting(m);

    if (reg(m, u, MCU_STATUS) != 1) {
        revive(m, u);
        return;
    }
    if (chance(m, 30)) {
        note(m, "gpu%u MCU_CONTROL 0x%x", u->g->nr, value);
        set_reg(m, u, MCU_CONTROL, value);
    }
}

/* ---- Words and requests ---- */

void act_interface(Machine *m, Unit *u)
{
    unsigned n = 1 + below(m, 3);

    while (n--) {
        uint64_t at = glb_in(u, pick(m, glb_words));
        uint32_t value = interesting(m);

        /* Groups' words, streams' words, control and output blocks */
        switch (below(m, 10)) {
        case 0:
        case 1:
            at = csg_in(u, below(m, u->groups)) + 4 * below(m, 24);
            break;
        case 2:
            at = u->window + OFF_SHARED + 0x10000 + (below(m, 0x20000) & ~3ull);
            break;
        case 3:
            at = u->window + OFF_SHARED + (below(m, SHARED_SIZE) & ~3ull);
            break;
        }
        note(m, "gpu%u interface 0x%x: 0x%x", u->g->nr,
             (unsigned)(at - u->window - OFF_SHARED), value);
        set_word(m, at, value);
    }
    if (chance(m, 60)) {
        doorbell(m, u, chance(m, 80) ? 0 : below(m, 24));
    }
}

/* Make requests differ from what was acknowledged. */
void act_request(Machine *m, Unit *u)
{
    static const uint32_t bits[] = {
        1 << 1, 1 << 2, 1 << 3, 1 << 4, GLB_ENABLE, GLB_SAMPLE, GLB_SAMPLE,
        GLB_COUNTER, GLB_PING, 1 << 9, 1 << 10, GLB_SLEEP, 1 << 16,
        GLB_THRESHOLD, GLB_OVERFLOW, 1 << 26, GLB_HALT,
    };
    uint32_t req = word(m, glb_in(u, REQ)), ack = word(m, glb_out(u, ACK));
    unsigned n = 1 + below(m, 3);

    while (n--) {
        uint32_t bit = pick(m, bits);

        req = (req & ~bit) | (~ack & bit);
    }
    /* Events are mostly acknowledged. */
    if (chance(m, 70)) {
        const uint32_t events = GLB_THRESHOLD | GLB_OVERFLOW | 1 << 26;

        req = (req & ~events) | (ack & events);
    }
    note(m, "gpu%u GLB_REQ 0x%x", u->g->nr, req);
    set_word(m, glb_in(u, REQ), req);
    set_word(m, glb_in(u, ACK_IRQ_MASK), interesting(m));
    doorbell(m, u, 0);
    if (chance(m, 20)) {
        set_reg(m, u, MCU_CONTROL, 1);          /* doorbells wake it again */
    }
}

/* ---- Counters ---- */

void prfcnt_configure(Machine *m, Unit *u, uint32_t config)
{
    static const uint32_t enables[] = {
        FW_EN, CSG_EN, CSF_EN, SHADER_EN, TILER_EN, MMU_L2_EN, NEURAL_EN,
    };
    unsigned i;

    set_word(m, glb_in(u, JASID), 0);
    set_long(m, glb_in(u, BASE), V_RING);
    set_word(m, glb_in(u, EXTRACT), 0);
    set_word(m, glb_in(u, CONFIG), config);
    set_word(m, glb_in(u, CSG_SELECT), ~0);
    for (i = 0; i < ARRAY_SIZE(enables); i++) {
        set_word(m, glb_in(u, enables[i]), ~0);
    }
}

/* One thing of a good configuration becomes odd. */
static void spoil(Machine *m, Unit *u)
{
    static const uint64_t bases[] = {
        V_RING + 0x800, V_RING + 0x1000, V_RING + 4, V_RING + V_RING_SIZE -
        0x800, V_BOX, V_SHARED, V_SHARED + 0x6000, V_PAGES, V_SUSPEND, V_HOLE,
        0xfffffffffffff800ull, 0x7ffffffff800ull,
    };
    static const uint32_t sizes[] = { 0, 1, 3, 64, 128, 255, 0x1ff, 0x304 };

    switch (below(m, 5)) {
    case 0:
        set_long(m, glb_in(u, BASE), chance(m, 70) ? pick(m, bases) :
                                                     interesting(m));
        break;
    case 1:
        set_word(m, glb_in(u, CONFIG), chance(m, 70) ? pick(m, sizes) :
                                                       interesting(m));
        break;
    case 2:
        set_word(m, glb_in(u, JASID), below(m, 17));
        if (chance(m, 50)) {
            set_long(m, glb_in(u, BASE), V_BOX + BOX_DATA);
        }
        break;
    case 3:
        set_word(m, glb_in(u, EXTRACT), interesting(m));
        break;
    default:
        set_word(m, glb_in(u, FW_EN + 4 * below(m, 7)), interesting(m));
    }
}

void act_counters(Machine *m, Unit *u)
{
    uint32_t req = word(m, glb_in(u, REQ));
    bool on = chance(m, 75);

    if (on) {
        prfcnt_configure(m, u, 1u << below(m, 7) | below(m, 3) << 8 |
                               below(m, 2) << 10);
        if (chance(m, 30)) {
            spoil(m, u);
        }
        if (chance(m, 80)) {
            set_word(m, glb_in(u, REQ), req & ~GLB_ENABLE);
            doorbell(m, u, 0);
        }
    }
    req = (req & ~GLB_ENABLE) | (on ? GLB_ENABLE : 0);
    note(m, "gpu%u counters %s: base 0x%" PRIx64 " config 0x%x", u->g->nr,
         on ? "on" : "off", ldq_le_p(ram(m, glb_in(u, BASE))),
         word(m, glb_in(u, CONFIG)));
    set_word(m, glb_in(u, REQ), req);
    doorbell(m, u, 0);
}

/* Samples, and a host that consumes them, nearly as it must */
void act_extract(Machine *m, Unit *u)
{
    uint32_t insert = word(m, glb_out(u, INSERT));
    uint32_t ack = word(m, glb_out(u, ACK)), req = word(m, glb_in(u, REQ));
    unsigned n = below(m, 256);
    uint64_t at = u->window + OFF_RING;

    /* Blocks are marked as read, or look as if a sample were in them. */
    for (; n; n--, at += 256) {
        set_word(m, at + 8, chance(m, 95) ? 0 : interesting(m));
    }
    if (chance(m, 15)) {
        insert = chance(m, 50) ? insert + below(m, 256) - 128 : interesting(m);
    }
    note(m, "gpu%u EXTRACT %u, sample", u->g->nr, insert);
    set_word(m, glb_in(u, EXTRACT), insert);
    req = (req & ~(GLB_SAMPLE | GLB_THRESHOLD | GLB_OVERFLOW)) |
          (~ack & GLB_SAMPLE) | (ack & (GLB_THRESHOLD | GLB_OVERFLOW));
    set_word(m, glb_in(u, REQ), req);
    doorbell(m, u, 0);
}
