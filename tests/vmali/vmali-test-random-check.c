/*
 * QTest of the virtual Arm Mali CSF GPU: what is true of every random machine
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-random.h"
#include "vmali-test-cs.h"

#define ANSWER_NS               3000000
/* A CPU that runs has the time of a host that may be a busy one. */
#define TRIES(m)                ((m)->caches ? 3000 : 10)
#define HEALTH_ENTRIES          8
#define HEALTH_VALUE            0x600df00d

/* ---- Interrupts ---- */

static void check_group(Machine *m, Unit *u, const char *name, uint32_t base,
                        uint32_t bits, uint32_t *stat)
{
    uint32_t raw = reg(m, u, base + RAWSTAT);
    uint32_t mask = reg(m, u, base + MASK);

    *stat = reg(m, u, base + STAT);
    if (raw & ~bits) {
        finding(m, "gpu%u: RAWSTAT of group %s is 0x%x", u->g->nr, name, raw);
    }
    if (*stat != (raw & mask)) {
        finding(m, "gpu%u: STAT of group %s is 0x%x, not 0x%x & 0x%x",
                u->g->nr, name, *stat, raw, mask);
    }
}

static void check_line(Machine *m, Unit *u, const char *name, int spi,
                       uint32_t stat)
{
    if (gpu_irq(u->g, spi) != !!stat) {
        finding(m, "gpu%u: line %s is %s, STAT is 0x%x", u->g->nr, name,
                stat ? "low" : "high", stat);
    }
}

void check_lines(Machine *m, Unit *u)
{
    uint32_t groups = (1u << u->groups) - 1;
    uint32_t job, mmu, gpu, pwr = 0, status;

    /* A CPU that runs lets timers come in between. */
    if (m->caches) {
        return;
    }
    check_group(m, u, "JOB", JOB_IRQ, groups | JOB_GLB |
                u->raised[RAISED_JOB], &job);
    check_group(m, u, "MMU", MMU_IRQ, 0xff | u->raised[RAISED_MMU], &mmu);
    /*
     * Fault, reset, power (2), caches, doorbell, MCU, range; from architecture
     * 14 on, reset and power are in a group of their own.
     */
    check_group(m, u, "GPU", GPU_IRQ, 0x1e0701 | u->raised[RAISED_GPU], &gpu);
    if (u->arch >= 14) {
        check_group(m, u, "PWR", PWR_IRQ, 0xc000003f | u->raised[RAISED_PWR],
                    &pwr);
    }
    check_line(m, u, "JOB", SPI_JOB, job);
    check_line(m, u, "MMU", SPI_MMU, mmu);
    check_line(m, u, "GPU", SPI_GPU, gpu | pwr);
    status = reg(m, u, MCU_STATUS);
    if (status > 3) {
        finding(m, "gpu%u: MCU_STATUS is %u", u->g->nr, status);
    }
    if (reg(m, u, 0) >> 28 != u->arch) {
        finding(m, "gpu%u: GPU_ID has changed", u->g->nr);
    }
}

/* ---- Memory ---- */

static uint64_t guard_word(uint64_t pa)
{
    return pa * 0x9e3779b97f4a7c15ull ^ pa >> 7;
}

/* A guard in front of all windows, and one behind each */
static uint64_t guard_pa(unsigned i)
{
    return i ? WINDOW_PA(i - 1) + WINDOW_SIZE : LOW_GUARD_PA;
}

void guards_init(Machine *m)
{
    unsigned i;
    uint64_t pa;

    if (!m->closed) {
        return;
    }
    for (i = 0; i <= m->count; i++) {
        for (pa = guard_pa(i); pa < guard_pa(i) + GUARD_SIZE; pa += 8) {
            set_long(m, pa, guard_word(pa));
        }
    }
    m->tables = g_malloc0(m->count * TABLES_SIZE);
}

void check_memory(Machine *m)
{
    unsigned i;
    uint64_t pa;

    if (!m->closed) {
        return;
    }
    for (i = 0; i <= m->count; i++) {
        for (pa = guard_pa(i); pa < guard_pa(i) + GUARD_SIZE; pa += 8) {
            if (ldq_le_p(ram(m, pa)) != guard_word(pa)) {
                finding(m, "memory outside of the windows has changed at 0x%"
                        PRIx64 ": 0x%" PRIx64, pa, ldq_le_p(ram(m, pa)));
            }
        }
    }
    for (i = 0; i < m->count; i++) {
        const uint8_t *now = ram(m, m->unit[i].window);
        const uint8_t *want = m->tables + i * TABLES_SIZE;

        if (memcmp(now, want, TABLES_SIZE)) {
            unsigned at = 0;

            while (now[at] == want[at]) {
                at++;
            }
            finding(m, "gpu%u: a page table has changed at 0x%x", i, at);
        }
    }
}

/* ---- Health ---- */

static void expect(Machine *m, Unit *u, bool good, const char *what)
{
    if (!good) {
        finding(m, "gpu%u behind a reset: %s", u->g->nr, what);
    }
}

static void let_answers_come(Machine *m, Unit *u)
{
    if (m->caches) {
        g_usleep(3000);
    } else {
        m->passed += ANSWER_NS;
        qtest_clock_step(u->g->qts, ANSWER_NS);
    }
}

static bool is_pending(Machine *m, Unit *u, uint32_t bits)
{
    return (word(m, glb_in(u, REQ)) ^ word(m, glb_out(u, ACK))) & bits;
}

static void toggle(Machine *m, Unit *u, uint32_t bits)
{
    uint32_t req = word(m, glb_in(u, REQ)), ack = word(m, glb_out(u, ACK));
    unsigned i;

    set_word(m, glb_in(u, REQ), (req & ~bits) | (~ack & bits));
    set_reg(m, u, DOORBELL(0), 1);
    for (i = 0; i < TRIES(m) && is_pending(m, u, bits); i++) {
        let_answers_come(m, u);
    }
    expect(m, u, !is_pending(m, u, bits), "a request is not acknowledged");
}

static void check_counters(Machine *m, Unit *u)
{
    uint32_t before;

    memset(ram(m, u->window + OFF_RING), 0, V_RING_SIZE);
    prfcnt_configure(m, u, HEALTH_ENTRIES | 1 << 8);
    if (m->caches) {
        /* The GPU keeps what its memory had in lines that are not cleaned. */
        return;
    }
    toggle(m, u, GLB_ENABLE);
    expect(m, u, word(m, glb_out(u, INSERT)) == 0, "INSERT is not 0");
    toggle(m, u, GLB_SAMPLE);
    before = word(m, glb_out(u, INSERT));
    expect(m, u, before >= 1 && before <= HEALTH_ENTRIES,
           "no sample came, or too many");
    toggle(m, u, GLB_ENABLE);
}

/* A group's first stream stores a word, and adds to a sync object. */
static void check_stream(Machine *m, Unit *u)
{
    uint64_t data = V_BOX + BOX_DATA, pa = u->window + OFF_BOX + BOX_DATA;
    const uint64_t code[] = {
        MOVE48(10, data), MOVE32(12, HEALTH_VALUE), STORE(12, 10, 1, 0),
        WAIT_ALL, MOVE48(10, data + 16), MOVE48(14, 1), SYNC(51, 10, 14, 1),
    };
    unsigned i;

    set_word(m, pa, 0);
    memset(ram(m, pa + 16), 0, 16);
    group_configure(m, u, 0);
    for (i = 0; i < ARRAY_SIZE(code); i++) {
        stream_emit(m, u, 0, 0, code[i]);
    }
    group_state(m, u, 0, CSG_START);
    expect(m, u, (word(m, csg_out(u, 0)) & 7) == CSG_START,
           "a group does not start");
    stream_submit(m, u, 0, 0);
    for (i = 0; i < TRIES(m) && word(m, pa + 16) != 1; i++) {
        let_answers_come(m, u);
    }
    expect(m, u, word(m, pa) == HEALTH_VALUE, "a stream does not store");
    expect(m, u, word(m, pa + 16) == 1, "a stream does not signal");
    group_state(m, u, 0, CSG_TERMINATE);
    expect(m, u, (word(m, csg_out(u, 0)) & 7) == CSG_TERMINATE,
           "a group does not stop");
}

void check_health(Machine *m, Unit *u)
{
    note(m, "gpu%u reset and check", u->g->nr);
    if (u->arch >= 14) {
        set_reg(m, u, PWR_COMMAND, PWR_SOFT_RESET);
    } else {
        set_reg(m, u, GPU_COMMAND, 0x101);
    }
    expect(m, u, reg(m, u, MCU_STATUS) == 0, "the MCU runs");
    expect(m, u, (reg(m, u, u->arch >= 14 ? PWR_IRQ : GPU_IRQ) &
                  (u->arch >= 14 ? 0x8 : 0x100)) != 0,
           "the reset does not complete");
    expect(m, u, reg(m, u, JOB_IRQ) == 0 && reg(m, u, MMU_IRQ) == 0,
           "interrupts are left");
    u->raised[RAISED_JOB] = 0;
    u->raised[RAISED_MMU] = 0;

    tables_init(m, u);
    power_init(m, u);
    as_init(m, u);
    expect(m, u, fw_boot(m, u), "the firmware does not boot");
    expect(m, u, word(m, u->window + OFF_SHARED + 0x10) == u->groups,
           "the interface has another number of groups");
    toggle(m, u, GLB_PING);
    check_counters(m, u);
    check_stream(m, u);
    m->shared->reset_checks++;
}

/* ---- The truth log ---- */

void check_log(Machine *m, Unit *u, uint64_t violations,
               uint64_t unimplemented)
{
    g_autofree char *text = NULL;
    g_autofree char *end = g_strdup_printf("\nend violations=%" PRIu64
                                           " unimplemented=%" PRIu64 "\n",
                                           violations, unimplemented);
    uint64_t *done = m->shared->done;
    uint64_t found[2] = { 0 };
    const char *line;
    gsize size;

    if (!g_file_get_contents(u->g->truth, &text, &size, NULL)) {
        finding(m, "gpu%u: no truth log", u->g->nr);
    }
    if (!g_str_has_suffix(text, end)) {
        finding(m, "gpu%u: the truth log does not end with%s", u->g->nr, end);
    }
    if (strlen(text) != size || size > m->truth_size) {
        finding(m, "gpu%u: the truth log has zeros, or is too long",
                u->g->nr);
    }
    for (line = text; *line; line = strchr(line, '\n') + 1) {
        found[0] += g_str_has_prefix(line, "violation ");
        found[1] += g_str_has_prefix(line, "unimplemented ");
        done[DEED_BOOT] += g_str_has_prefix(line, "boot ");
        done[DEED_ENABLE] += g_str_has_prefix(line, "enable ");
        done[DEED_SAMPLE] += g_str_has_prefix(line, "sample ");
    }
    done[DEED_VIOLATION] += violations;
    if (found[0] != violations || found[1] != unimplemented) {
        finding(m, "gpu%u: %" PRIu64 " lines of violations, %" PRIu64
                " of unimplemented parts", u->g->nr, found[0], found[1]);
    }
}
