/*
 * QTest of the virtual Arm Mali CSF GPU: a host that uses the counters
 *
 * Expected values are computed here from the rules in README.md, without any
 * part of the model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-prfcnt.h"

/* ---- The rules, once more ---- */

static uint64_t scramble(uint64_t v)
{
    static const struct {
        int shift;
        uint64_t factor;
    } step[] = {
        { 32, 0xd6e8feb86659fd93ull }, { 29, 0x9fb21c651e98df25ull },
    };
    int i;

    for (i = 0; i < 2; i++) {
        v = (v ^ v >> step[i].shift) * step[i].factor;
    }
    return v ^ v >> 32;
}

static uint64_t number(uint64_t seed, uint64_t nr, uint64_t what)
{
    uint64_t per_sample = scramble(seed + nr * 0x9e3779b97f4a7c15ull);

    return scramble(per_sample + what);
}

uint32_t delta(uint64_t seed, uint64_t nr, int type, int index, int word)
{
    uint64_t v = number(seed, nr, type * 0x1000000 + index * 0x100 + word);
    unsigned range = v >> 60;

    if (range < 3) {
        return 0;
    }
    if (range == 15) {
        return 0xfffffffe - (v & 0xff);
    }
    return v & (range == 14 ? 0xfffffff : 0xffffff);
}

bool core_is_off(uint64_t seed, uint64_t nr, int core)
{
    return number(seed, nr, 0x40000000 + core) < 1ull << 61;
}

unsigned automatic(uint64_t seed, uint64_t nr, unsigned max)
{
    return (number(seed, nr, 0x41000000) >> 32) % (max + 1);
}

bool is_power_on(uint64_t seed, uint64_t nr)
{
    return number(seed, nr, 0x42000000) >> 63;
}

/* ---- Counters as a host uses them ---- */

static const InputWord good_config[] = {
    { ACK_IRQ_MASK, ALL_EVENTS }, { PWROFF_TIMER, 1 }, { JASID, 0 },
    { BASE, RING_VA },
    { BASE + 4, 0 }, { EXTRACT, 0 }, { CONFIG, 4 }, { CSG_SELECT, ~0 },
    { FW_EN, ~0 }, { CSG_EN, ~0 }, { CSF_EN, ~0 }, { SHADER_EN, ~0 },
    { TILER_EN, ~0 }, { MMU_L2_EN, ~0 }, { NEURAL_EN, ~0 },
};

void put(Gpu *g, uint32_t offset, uint32_t value)
{
    set_mem(g, g->in + offset, value);
}

void configure(Gpu *g, uint32_t config)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(good_config); i++) {
        put(g, good_config[i].offset, good_config[i].value);
    }
    put(g, CONFIG, config);
}

void enable(Gpu *g, uint32_t config)
{
    configure(g, config);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_cmphex(mem(g, g->out + INSERT), ==, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
}

void disable(Gpu *g)
{
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
}

/* A request that must be answered at once. */
void sample(Gpu *g)
{
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, JOB_GLB);
    g_assert_true(gpu_irq(g, SPI_JOB));
}

/* Read nothing, but leave the entries as a correct host does. */
void consume(Gpu *g, uint32_t entry_bytes, uint32_t block_bytes,
             uint32_t entries)
{
    uint32_t insert = mem(g, g->out + INSERT);
    uint32_t extract = mem(g, g->in + EXTRACT);

    for (; extract != insert; extract++) {
        uint64_t at = RING_PA + extract % entries * entry_bytes;
        uint32_t off;

        for (off = 0; off < entry_bytes; off += block_bytes) {
            set_mem(g, at + off + 8, 0);
        }
    }
    put(g, EXTRACT, extract);
}

void consume_g610(Gpu *g)
{
    consume(g, G610_ENTRY, 256, 4);
}

/* ---- Contents ---- */

const Layout layouts[] = {
    { "g610", "", 1 << 16 | 25, 64,
      { 0, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 },
    { "dense", "shader-present=0x7,l2-slices=2,csg-counters=on",
      9 << 16 | 7, 64, { 0, 1, 8, 1, 1, 2, 3 }, 0x7, 2 },
    { "one-core", "shader-present=0x1,l2-slices=1,fw-counters=off",
      4, 64, { 0, 0, 0, 1, 1, 1, 1 }, 0x1, 128 },
    { "top-core", "shader-present=0x8000000000000001,l2-slices=16", 1 << 16 |
      82, 64, { 0, 1, 0, 1, 1, 16, 64 }, 0x8000000000000001ull, 1 },
    { "metadata", "metadata=on", 1 << 16 | 25, 64,
      { 1, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 | 1 << 10 },
    { "metadata-unused", "metadata=on", 1 << 16 | 25, 64,
      { 0, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 },
    { "metadata-absent", "", 1 << 16 | 25, 64,
      { 0, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 | 1 << 10 },
    { "g715", "gpu-id=0xb8520000,shader-present=0x7ff", 2 << 16 | 34, 128,
      { 0, 1, 0, 1, 1, 4, 11 }, 0x7ff, 8 | 1 << 8 },
    { "g715-coherent", "gpu-id=0xb8520000,shader-present=0x7ff,coherent=on",
      2 << 16 | 34, 128, { 0, 1, 0, 1, 1, 4, 11 }, 0x7ff, 8 | 2 << 8 },
    { "g610-coherent", "coherent=on", 1 << 16 | 25, 64,
      { 0, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 },
    { "packed", "packed-slots=on", 1 << 16 | 10, 64,
      { 0, 1, 0, 1, 1, 4, 4 }, 0x50005, 4, true },
    { "arch12", "gpu-id=0xc8700008,shader-present=0x550555,csg-counters=on,"
      "groups=16", 34 << 16 | 58, 128,
      { 0, 1, 16, 1, 1, 4, 23 }, 0x550555, 2 },
    { "neural", "gpu-id=0xe8800000,packed-slots=on,neural-present=0x50005",
      2 << 16 | 28, 128, { 0, 1, 0, 1, 1, 4, 4, 4 }, 0x50005, 4, true,
      0x50005 },
    { "neural-gaps", "gpu-id=0xe8800000,packed-slots=on,csg-counters=on,"
      "neural-present=0x40004", 18 << 16 | 28, 128,
      { 0, 1, 8, 1, 1, 4, 4, 4 }, 0x50005, 4 | 1 << 8, true, 0x40004 },
    { "neural-sparse", "gpu-id=0xe8300000,neural-present=0x10005",
      2 << 16 | 88, 128, { 0, 1, 0, 1, 1, 4, 19, 19 }, 0x50005, 2, false,
      0x10005 },
};
const unsigned num_layouts = ARRAY_SIZE(layouts);

static void check_block(Gpu *g, const Layout *l, uint64_t pa, uint64_t nr,
                        int type, int index, uint64_t timestamp)
{
    static const int core[] = { 0, 2, 16, 18 };
    g_autofree uint32_t *word = g_new(uint32_t, l->words);
    bool of_core = type == SHADER || type == NEURAL;
    uint32_t all = l->words == 64 ? 0xffff : 0xffffffff;
    uint64_t present;
    unsigned i;
    bool hole;

    /* Values are those of the core. */
    if (of_core && l->packed) {
        index = core[index];
    }
    present = type == NEURAL ? l->neural_present : l->shader_present;
    hole = of_core && !(present >> index & 1);
    qtest_memread(g->qts, g->ram + pa, word, l->words * 4);
    for (i = 0; i < l->words; i++) {
        uint32_t value = le32_to_cpu(word[i]);
        uint32_t want;

        if (hole) {
            /* consume() clears that word of holes, too. */
            want = i == 2 && !value ? 0 : POISON;
        } else if (i < 2) {
            want = timestamp >> 32 * i;
        } else if (i == 2) {
            want = type == METADATA ? 1 : all;
        } else if (i == 3) {
            want = 0;                   /* of metadata: it was requested */
        } else {
            want = type == METADATA ? 0 : delta(1, nr, type, index, i);
        }
        if (value != want) {
            g_error("sample %" PRIu64 " type %d index %d word %u: 0x%x, "
                    "not 0x%x", nr, type, index, i, value, want);
        }
    }
}

void check_entry(Gpu *g, const Layout *l, uint32_t slot, uint64_t nr)
{
    uint32_t block = l->words * 4, total = 0;
    uint64_t pa, timestamp;
    int type, i;

    for (type = 0; type < NUM_TYPES; type++) {
        total += l->count[type];
    }
    pa = RING_PA + (uint64_t)slot * total * block;
    timestamp = mem(g, pa) | (uint64_t)mem(g, pa + 4) << 32;
    g_assert_cmpuint(timestamp, >, 0);
    for (type = 0; type < NUM_TYPES; type++) {
        for (i = 0; i < l->count[type]; i++) {
            check_block(g, l, pa, nr, type, i, timestamp);
            pa += block;
        }
    }
}

/* Cores that are off in sample @nr, if @may_go_off are free to. */
uint64_t cores_off(uint64_t seed, uint64_t nr, uint64_t may_go_off)
{
    uint64_t off = 0;
    int core;

    for (core = 0; core < 19; core++) {
        off |= (uint64_t)core_is_off(seed, nr, core) << core;
    }
    return off & may_go_off & 0x50005;
}

void check_cores(Gpu *g, uint32_t slot, uint64_t off)
{
    int core;

    for (core = 0; core < 19; core++) {
        if (0x50005 >> core & 1) {
            g_assert_cmphex(mem(g, RING_PA + slot * G610_ENTRY +
                                (7 + core) * 256 + 8), ==,
                            (off >> core & 1 ? 0 : 0xffff));
        }
    }
}
