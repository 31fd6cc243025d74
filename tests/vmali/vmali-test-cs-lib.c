/*
 * QTest of the virtual Arm Mali CSF GPU: a host that gives streams work
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"

#define PAGE            4096
#define STREAMS         8
/* Of a stream: TILER_OOM, FATAL, FAULT */
#define CS_EVENTS       (1u << 26 | CS_FATAL_BIT | CS_FAULT_BIT)

/* All streams have a ring of their own. */
static unsigned ring_of(unsigned csg, unsigned cs)
{
    return csg * STREAMS + cs;
}

static uint64_t input_page(unsigned csg, unsigned cs)
{
    return PAGES_PA + 2 * PAGE * ring_of(csg, cs);
}

static uint64_t output_page(unsigned csg, unsigned cs)
{
    return input_page(csg, cs) + PAGE;
}

Gpu *cs_boot(const char *properties)
{
    Gpu *g = gpu_boot(properties);
    uint64_t root = g->next_table;

    g->next_table += PAGE;
    g->group_root = root;
    gpu_map(g, PAGES_VA, 2, PAGES_PA | PTE_BLOCK | PTE_AF);
    gpu_map(g, SUSPEND_VA, 2, SUSPEND_PA | PTE_BLOCK | PTE_AF);
    gpu_map_in(g, root, BOX_VA, 2, BOX_PA | PTE_BLOCK | PTE_AF);
    gpu_as_enable_nr(g, GROUP_AS, root, TRANSCFG_4K);
    wr(g, MMU_IRQ + MASK, 0xffff);
    return g;
}

void group_setup(Gpu *g, unsigned csg, unsigned streams)
{
    uint64_t cores = rd64(g, rd(g, 0) >> 28 >= 14 ? PWR_SHADER_PRESENT : 0x100);
    unsigned cs;

    for (cs = 0; cs < streams; cs++) {
        uint64_t in = CS_IN(csg, cs);
        uint64_t va = input_page(csg, cs) - PAGES_PA + PAGES_VA;

        qtest_writeq(g->qts, input_page(csg, cs) + 8, extract_of(g, csg, cs));
        set_mem(g, in + 0x04, (csg + 1) << 8);
        set_mem(g, in + 0x0c, ~0);
        qtest_writeq(g->qts, in + 0x10, RING_VA_OF(ring_of(csg, cs)));
        set_mem(g, in + 0x18, RING_SIZE);
        qtest_writeq(g->qts, in + 0x30, va);
        qtest_writeq(g->qts, in + 0x38, va + PAGE);
        /* Start; a wait for a sync object and an empty ring count as idle. */
        set_mem(g, in, (mem(g, in) & CS_EVENTS) | 1 | 1 << 8 | 1 << 10);
    }
    set_mem(g, CSG_IN(csg) + 0x04, ~0);
    qtest_writeq(g->qts, CSG_IN(csg) + 0x20, cores);
    qtest_writeq(g->qts, CSG_IN(csg) + 0x28, cores);
    set_mem(g, CSG_IN(csg) + 0x30, 1);
    set_mem(g, CSG_IN(csg) + 0x34, 4 | 4 << 8 | 1 << 16);
    qtest_writeq(g->qts, CSG_IN(csg) + 0x40, SUSPEND_VA + SUSPEND_MAX * csg);
    set_mem(g, CSG_IN(csg) + 0x50, GROUP_AS);
}

void group_request(Gpu *g, unsigned csg, uint32_t state, uint32_t toggle)
{
    uint32_t requests = CSG_EP_CFG | CSG_STATUS;
    uint32_t req = mem(g, CSG_IN(csg));

    req = (req & ~(7 | requests)) | state |
          ((mem(g, CSG_OUT(csg)) ^ toggle) & requests);
    set_mem(g, CSG_IN(csg), req);
    set_mem(g, g->in + DB_REQ, mem(g, g->out + DB_ACK) ^ 1u << csg);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(mem(g, g->out + DB_ACK), ==, mem(g, g->in + DB_REQ));
    g_assert_cmphex(mem(g, CSG_OUT(csg)) & (7 | requests), ==,
                    req & (7 | requests));
}

void group_start(Gpu *g, unsigned csg, unsigned streams)
{
    group_setup(g, csg, streams);
    group_request(g, csg, CSG_START, CSG_EP_CFG);
}

uint32_t group_pending(Gpu *g, unsigned csg, uint32_t bits)
{
    return (mem(g, CSG_IN(csg)) ^ mem(g, CSG_OUT(csg))) & bits;
}

uint32_t stream_pending(Gpu *g, unsigned csg, unsigned cs, uint32_t bits)
{
    return (mem(g, CS_IN(csg, cs)) ^ mem(g, CS_OUT(csg, cs))) & bits;
}

void group_rearm(Gpu *g, unsigned csg)
{
    uint32_t irq_req = mem(g, CSG_OUT(csg) + 0x0c);
    uint32_t streams = irq_req ^ mem(g, CSG_IN(csg) + 0x0c);
    uint32_t state = mem(g, CSG_IN(csg)) & 7;
    unsigned cs;

    set_mem(g, CSG_IN(csg) + 0x0c, irq_req);
    set_mem(g, CSG_IN(csg), (mem(g, CSG_IN(csg)) & 0x0fffffff) |
                            (mem(g, CSG_OUT(csg)) & 0xf0000000));
    for (cs = 0; cs < STREAMS; cs++) {
        if (streams & 1u << cs) {
            set_mem(g, CS_IN(csg, cs),
                    (mem(g, CS_IN(csg, cs)) & ~CS_EVENTS) |
                    (mem(g, CS_OUT(csg, cs)) & CS_EVENTS));
        }
    }
    set_mem(g, CSG_IN(csg) + 0x08, mem(g, CSG_OUT(csg) + 0x08) ^ streams);
    group_request(g, csg, state, 0);
    g_assert_cmphex(mem(g, CSG_OUT(csg) + 0x08), ==,
                    mem(g, CSG_IN(csg) + 0x08));
}

uint64_t insert_of(Gpu *g, unsigned csg, unsigned cs)
{
    return g->insert[ring_of(csg, cs)];
}

uint64_t extract_of(Gpu *g, unsigned csg, unsigned cs)
{
    return qtest_readq(g->qts, output_page(csg, cs));
}

void emit(Gpu *g, unsigned csg, unsigned cs, uint64_t insn)
{
    uint64_t *insert = &g->insert[ring_of(csg, cs)];

    qtest_writeq(g->qts, TO_PA(RING_VA_OF(ring_of(csg, cs))) +
                         *insert % RING_SIZE, insn);
    *insert += 8;
}

void emit_job(Gpu *g, unsigned csg, unsigned cs, uint64_t code_va,
              unsigned words, uint64_t sync_va)
{
    const uint64_t job[JOB_WORDS] = {
        MOVE32(REG_B, 0), FLUSH(REG_B), MOVE48(REG_A, code_va),
        MOVE32(REG_B, 8 * words), INSN(3, 1ull << 16), CALL(REG_A, REG_B),
        MOVE48(REG_A, sync_va), MOVE48(REG_B, 1), WAIT_ALL,
        SYNC(51, REG_A, REG_B, 1), ERROR_BARRIER,
    };
    unsigned i;

    for (i = 0; i < JOB_WORDS; i++) {
        emit(g, csg, cs, job[i]);
    }
}

void submit(Gpu *g, unsigned csg, unsigned cs)
{
    qtest_writeq(g->qts, input_page(csg, cs), insert_of(g, csg, cs));
    wr(g, DOORBELL(csg + 1), 1);
}

unsigned put_code(Gpu *g, uint64_t va, const uint64_t *code)
{
    unsigned i;

    for (i = 0; code[i] != CODE_END; i++) {
        qtest_writeq(g->qts, TO_PA(va) + 8 * i, code[i]);
    }
    return i;
}

uint32_t data32(Gpu *g, uint64_t va)
{
    return mem(g, TO_PA(va));
}

uint64_t data64(Gpu *g, uint64_t va)
{
    return qtest_readq(g->qts, TO_PA(va));
}

void set_data32(Gpu *g, uint64_t va, uint32_t value)
{
    set_mem(g, TO_PA(va), value);
}

void check_trap(Gpu *g, unsigned csg, unsigned cs, bool fatal, unsigned type,
                uint64_t info)
{
    uint64_t out = CS_OUT(csg, cs);

    g_assert_cmphex(stream_pending(g, csg, cs, CS_FATAL_BIT | CS_FAULT_BIT),
                    ==, (fatal ? CS_FATAL_BIT : CS_FAULT_BIT));
    g_assert_cmphex((mem(g, CSG_IN(csg) + 0x0c) ^
                     mem(g, CSG_OUT(csg) + 0x0c)) & 1u << cs, ==, 1u << cs);
    g_assert_cmphex(rd(g, JOB_IRQ + RAWSTAT) & 1u << csg, ==, 1u << csg);
    g_assert_cmphex(mem(g, out + (fatal ? FATAL : FAULT)), ==, type);
    g_assert_cmphex(qtest_readq(g->qts, out + (fatal ? FATAL_INFO :
                                                       FAULT_INFO)), ==, info);
}
