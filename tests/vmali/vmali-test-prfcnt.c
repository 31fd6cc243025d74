/*
 * QTest of the virtual Arm Mali CSF GPU: performance counters
 *
 * Expected values are computed here from the rules in README.md, without any
 * part of the model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/host-utils.h"
#include "vmali-test.h"

#define POISON          0xdeadbeef
#define ALL_EVENTS      (GLB_ENABLE | GLB_SAMPLE | GLB_THRESHOLD | \
                         GLB_OVERFLOW)

/* Block types as the rules number them */
enum { METADATA, FW, CSG, CSHW, TILER, MEMSYS, SHADER, NUM_TYPES };

/* Properties that fix how often automatic samples and idle cores come */
#define PLAIN           "auto-samples=0,core-off=off"

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

static uint32_t delta(uint64_t seed, uint64_t nr, int type, int index,
                      int word)
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

static bool core_is_off(uint64_t seed, uint64_t nr, int core)
{
    return number(seed, nr, 0x40000000 + core) < 1ull << 61;
}

static unsigned automatic(uint64_t seed, uint64_t nr, unsigned max)
{
    return (number(seed, nr, 0x41000000) >> 32) % (max + 1);
}

static bool is_power_on(uint64_t seed, uint64_t nr)
{
    return number(seed, nr, 0x42000000) >> 63;
}

/* ---- Counters as a host uses them ---- */

/* What the host writes before an enable, and may get wrong. */
typedef struct {
    uint32_t offset;
    uint32_t value;
} InputWord;

static const InputWord good_config[] = {
    { ACK_IRQ_MASK, ALL_EVENTS }, { JASID, 0 }, { BASE, RING_VA },
    { BASE + 4, 0 }, { EXTRACT, 0 }, { CONFIG, 4 }, { CSG_SELECT, ~0 },
    { FW_EN, ~0 }, { CSG_EN, ~0 }, { CSF_EN, ~0 }, { SHADER_EN, ~0 },
    { TILER_EN, ~0 }, { MMU_L2_EN, ~0 },
};

static void put(Gpu *g, uint32_t offset, uint32_t value)
{
    set_mem(g, g->in + offset, value);
}

static void configure(Gpu *g, uint32_t config)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(good_config); i++) {
        put(g, good_config[i].offset, good_config[i].value);
    }
    put(g, CONFIG, config);
}

static void enable(Gpu *g, uint32_t config)
{
    configure(g, config);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_cmphex(mem(g, g->out + INSERT), ==, 0);
    wr(g, JOB_IRQ + CLEAR, ~0);
}

static void disable(Gpu *g)
{
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
}

/* A request that must be answered at once. */
static void sample(Gpu *g)
{
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, JOB_GLB);
    g_assert_true(gpu_irq(g, SPI_JOB));
}

/* Read nothing, but leave the entries as a correct host does. */
static void consume(Gpu *g, uint32_t entry_bytes, uint32_t block_bytes,
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

#define G610_ENTRY      (26 * 256)

static void consume_g610(Gpu *g)
{
    consume(g, G610_ENTRY, 256, 4);
}

/* ---- Contents ---- */

typedef struct {
    const char *name;
    const char *properties;
    uint32_t size_word;
    uint32_t words;                     /* per block */
    uint32_t count[NUM_TYPES];          /* instances, holes included */
    uint64_t shader_present;
    uint32_t config;
} Layout;

static const Layout layouts[] = {
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
    { "g715", "gpu-id=0xb8520000,shader-present=0x7ff", 2 << 16 | 34, 128,
      { 0, 1, 0, 1, 1, 4, 11 }, 0x7ff, 8 | 1 << 8 },
    { "g715-coherent", "gpu-id=0xb8520000,shader-present=0x7ff,coherent=on",
      2 << 16 | 34, 128, { 0, 1, 0, 1, 1, 4, 11 }, 0x7ff, 8 | 2 << 8 },
    { "g610-coherent", "coherent=on", 1 << 16 | 25, 64,
      { 0, 1, 0, 1, 1, 4, 19 }, 0x50005, 4 },
    { "arch12", "gpu-id=0xc8700008,shader-present=0x550555,csg-counters=on,"
      "groups=16", 34 << 16 | 58, 128,
      { 0, 1, 16, 1, 1, 4, 23 }, 0x550555, 2 },
};

static void check_block(Gpu *g, const Layout *l, uint64_t pa, uint64_t nr,
                        int type, int index, uint64_t timestamp)
{
    g_autofree uint32_t *word = g_new(uint32_t, l->words);
    bool hole = type == SHADER && !(l->shader_present >> index & 1);
    uint32_t all = l->words == 64 ? 0xffff : 0xffffffff;
    unsigned i;

    qtest_memread(g->qts, pa, word, l->words * 4);
    for (i = 0; i < l->words; i++) {
        uint32_t value = le32_to_cpu(word[i]);
        uint32_t want;

        if (hole) {
            /* consume() clears that word of holes, too. */
            want = i == 2 && !value ? 0 : POISON;
        } else if (i < 2) {
            want = timestamp >> 32 * i;
        } else if (i == 2) {
            want = type == METADATA ? 0 : all;
        } else if (i == 3) {
            want = type == METADATA;            /* reason 1: requested */
        } else {
            want = type == METADATA ? 0 : delta(1, nr, type, index, i);
        }
        if (value != want) {
            g_error("sample %" PRIu64 " type %d index %d word %u: 0x%x, "
                    "not 0x%x", nr, type, index, i, value, want);
        }
    }
}

static void check_entry(Gpu *g, const Layout *l, uint32_t slot, uint64_t nr)
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

static void test_layout(const void *data)
{
    const Layout *l = data;
    g_autofree char *properties = g_strdup_printf("%s%s" PLAIN, l->properties,
                                                  *l->properties ? "," : "");
    uint32_t entries = l->config & 0xff, total = 0, i;
    Gpu *g = gpu_boot(properties);

    /* The size word knows nothing of the metadata block. */
    for (i = FW; i < NUM_TYPES; i++) {
        total += l->count[i];
    }
    i = mem(g, SHARED_PA + 0x18);
    g_assert_cmphex(i, ==, l->size_word);
    g_assert_cmphex((i >> 16) + (i & 0xffff), ==, total * l->words / 64);
    total += l->count[METADATA];
    g_assert_cmphex(mem(g, SHARED_PA + 0x20), ==,
                    (strstr(l->properties, "metadata") ? l->words / 64 : 0));

    enable(g, l->config);
    for (i = 0; i < entries + 1; i++) {
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, i + 1);
        check_entry(g, l, i % entries, i + 1);
        if (l->count[METADATA]) {
            set_mem(g, RING_PA + (i % entries) * total * l->words * 4 + 12, 0);
        }
        consume(g, total * l->words * 4, l->words * 4, entries);
        /* A correct host answers events by copying, without a doorbell. */
        put(g, REQ, (mem(g, g->in + REQ) & ~GLB_THRESHOLD) |
                    (mem(g, g->out + ACK) & GLB_THRESHOLD));
    }
    disable(g);
    gpu_stop(g, 0, 0);
}

static void test_masks(void)
{
    Gpu *g = gpu_boot(PLAIN);
    uint64_t cshw = RING_PA + 256, tiler = RING_PA + 2 * 256;

    configure(g, 4);
    put(g, CSF_EN, 0x83);
    put(g, TILER_EN, 0);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    sample(g);
    g_assert_cmphex(mem(g, cshw + 8), ==, 0x83);
    g_assert_cmphex(mem(g, cshw + 4 * 4), ==, delta(1, 1, CSHW, 0, 4));
    g_assert_cmphex(mem(g, cshw + 4 * 8), ==, 0);
    g_assert_cmphex(mem(g, cshw + 4 * 31), ==, delta(1, 1, CSHW, 0, 31));
    g_assert_cmphex(mem(g, tiler + 8), ==, 0);
    g_assert_cmphex(mem(g, tiler + 4 * 4), ==, POISON);
    g_assert_cmpuint(gpu_truth_count(g, "block CSHW 0 en=0x00000083 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "block TILER"), ==, 0);
    gpu_stop(g, 1, 0);          /* the empty mask is one */
}

/* Cores that are off in sample @nr, if @may_go_off are free to. */
static uint64_t cores_off(uint64_t seed, uint64_t nr, uint64_t may_go_off)
{
    uint64_t off = 0;
    int core;

    for (core = 0; core < 19; core++) {
        off |= (uint64_t)core_is_off(seed, nr, core) << core;
    }
    return off & may_go_off & 0x50005;
}

static void check_cores(Gpu *g, uint32_t slot, uint64_t off)
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

static void test_core_off(void)
{
    Gpu *g = gpu_boot("auto-samples=2,seed=7");
    unsigned i, went = 0, came = 0, stayed = 0, blocks = 0;
    uint64_t may_go_off = ~0ull, was_off = 0, nr = 1;

    enable(g, 128);
    for (i = 0; i < 60; i++) {
        unsigned n = automatic(7, nr, 2);
        uint64_t first = nr;

        sample(g);
        for (; nr <= first + n; nr++) {
            uint64_t off = cores_off(7, nr, may_go_off);

            check_cores(g, (nr - 1) % 128, off);
            went += ctpop64(off & ~was_off);
            came += ctpop64(was_off & ~off);
            stayed += ctpop64(was_off & off);
            blocks += 4 - ctpop64(off);
            may_go_off = nr == first + n ? off : ~0ull;
            was_off = off;
        }
        consume(g, G610_ENTRY, 256, 128);
    }
    g_assert_cmpuint(went, >, 10);
    g_assert_cmpuint(came, >, 10);
    g_assert_cmpuint(stayed, >, 0);
    g_assert_cmpuint(gpu_truth_count(g, "block SHADER "), ==, blocks);
    gpu_stop(g, 0, 0);
}

/* Behind requested samples nothing goes off; a new enable starts anew. */
static void test_core_stays_on(void)
{
    Gpu *g = gpu_boot("auto-samples=0,seed=7");
    uint64_t may_go_off = ~0ull, nr;

    enable(g, 4);
    for (nr = 1; nr <= 40; nr++) {
        sample(g);
        may_go_off = cores_off(7, nr, may_go_off);
        check_cores(g, (nr - 1) % 4, may_go_off);
        consume_g610(g);
    }
    g_assert_cmphex(may_go_off, ==, 0);

    while (!cores_off(7, nr, ~0ull)) {
        sample(g);
        check_cores(g, (nr - 1) % 4, 0);
        consume_g610(g);
        nr++;
    }
    disable(g);
    enable(g, 4);
    sample(g);
    check_cores(g, 0, cores_off(7, nr, ~0ull));
    gpu_stop(g, 0, 0);
}

static void test_automatic(void)
{
    Gpu *g = gpu_boot("auto-samples=3,core-off=off,seed=3");
    uint64_t nr = 1, last = 0;
    unsigned on = 0, i, n;

    enable(g, 128);
    for (i = 0; i < 16; i++) {
        uint32_t before = mem(g, g->out + INSERT);

        n = automatic(3, nr, 3);
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, before + n + 1);
        g_assert_cmphex(mem(g, g->out + STATUS), ==, 0);
        for (; n; n--) {
            on += is_power_on(3, nr++);
        }
        nr++;
    }
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, nr - 1);
    for (i = 0; i < nr - 1; i++) {
        uint64_t at = RING_PA + i * G610_ENTRY;
        uint64_t t = mem(g, at) | (uint64_t)mem(g, at + 4) << 32;

        g_assert_cmphex(mem(g, at + 16), ==, delta(3, i + 1, FW, 0, 4));
        g_assert_cmpuint(t, >, last);
        last = t;
    }
    g_assert_cmpuint(on, >, 0);
    gpu_stop(g, 0, 0);
}

/* ---- Ring ---- */

static void test_threshold(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    /* Pending: the next one does not take it back. */
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    put(g, REQ, mem(g, g->in + REQ) ^ GLB_THRESHOLD);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    consume_g610(g);
    sample(g);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, 0);
    gpu_stop(g, 0, 0);
}

static void test_overflow(void)
{
    const Layout *l = &layouts[0];
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 4);
    for (i = 0; i < 4; i++) {
        sample(g);
    }
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 1);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_true(gpu_irq(g, SPI_JOB));

    /* Neither another doorbell nor room alone help. */
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    consume_g610(g);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);

    /* Acknowledged, with room, and rung: served, nothing was lost. */
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, ALL_EVENTS), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 5);
    check_entry(g, l, 0, 5);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=5 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=5 "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_automatic_overflow(void)
{
    /*
     * A sample that three automatic ones would come before finds no room;
     * when it is tried again, by its number there would be some again.
     */
    unsigned seed = 1;
    g_autofree char *properties = NULL;
    Gpu *g;

    while (automatic(seed, 1, 3) != 3 || !automatic(seed, 3, 3)) {
        seed++;
    }
    properties = g_strdup_printf("auto-samples=3,core-off=off,seed=%u", seed);
    g = gpu_boot(properties);
    enable(g, 2);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);

    /* With room, the request comes first: no automatic one is taken again. */
    consume(g, G610_ENTRY, 256, 2);
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=3 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=1 insert=2 "
                                     "reason=manual "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_disable(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    sample(g);
    disable(g);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);
    wr(g, DOORBELL(0), 1);

    /* Numbers go on, indices start again; unread entries must be cleared. */
    consume_g610(g);
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 3);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=2 insert=0 "), ==,
                     1);
    gpu_stop(g, 0, 0);
}

static void test_wrap(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 1);
    for (i = 1; i <= 9; i++) {
        sample(g);
        g_assert_cmpuint(mem(g, g->out + INSERT), ==, i);
        check_entry(g, &layouts[0], 0, i);
        consume(g, G610_ENTRY, 256, 1);
        put(g, REQ, (mem(g, g->in + REQ) & ~GLB_THRESHOLD) |
                    (mem(g, g->out + ACK) & GLB_THRESHOLD));
    }
    gpu_stop(g, 0, 0);
}

static void test_halt_sample(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    gpu_request(g, GLB_HALT, GLB_HALT);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=1 enable=1 insert=0 "
                                     "reason=halt "), ==, 1);
    wr(g, MCU_CONTROL, 0);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);

    /* The enable does not survive, and a host that thinks so is told. */
    set_mem(g, g->in + REQ, GLB_ENABLE);
    wr(g, MCU_CONTROL, 2);
    wr(g, DOORBELL(0), 1);
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_ENABLE was left "),
                     ==, 1);
    gpu_stop(g, 1, 0);
}

static void test_injection(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    gpu_set(g, "delay-samples", 2);
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmpuint(gpu_get(g, "delay-samples"), ==, 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    gpu_set(g, "ack-now", 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_true(gpu_irq(g, SPI_JOB));
    sample(g);

    gpu_set(g, "auto-burst", 3);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    g_assert_cmpuint(gpu_truth_count(g, "overflow "), ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_delay_enables(void)
{
    Gpu *g = gpu_boot(PLAIN);

    /* Counters are on, only the answer is missing; taken back, they go off. */
    gpu_set(g, "delay-enables", 1);
    configure(g, 4);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_get(g, "delay-enables"), ==, 0);
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, "enable nr=1 "), ==, 1);
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=1 "), ==, 1);

    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=1 "
                                     "after=0"), ==, 1);
    gpu_set(g, "delay-enables", 1);
    wr(g, JOB_IRQ + CLEAR, ~0);
    gpu_request(g, GLB_ENABLE, 0);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, "disable nr=2 "), ==, 1);
    g_assert_false(gpu_irq(g, SPI_JOB));
    gpu_set(g, "ack-now", 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==, 0);
    g_assert_true(gpu_irq(g, SPI_JOB));
    gpu_stop(g, 0, 0);
}

static void test_clear_overflows(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 4);
    for (i = 0; i < 4; i++) {
        sample(g);
    }
    gpu_set(g, "clear-overflows", 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    consume_g610(g);
    gpu_request(g, GLB_THRESHOLD | GLB_OVERFLOW, mem(g, g->out + ACK));
    g_assert_cmphex(gpu_pending(g, ALL_EVENTS), ==, 0);
    check_entry(g, &layouts[0], 0, 6);
    g_assert_cmpuint(gpu_truth_count(g, "overflow nr=5 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow enable=1 "
                                     "after=4"), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=5 "), ==, 0);
    gpu_stop(g, 0, 0);
}

/* All that is new, from entry @first of a ring of eight, finds @off off. */
static void consume_cores(Gpu *g, uint32_t first, uint64_t off)
{
    uint32_t i;

    g_assert_cmpuint(mem(g, g->in + EXTRACT), ==, first);
    for (i = first; i < mem(g, g->out + INSERT); i++) {
        check_cores(g, i % 8, off);
    }
    g_assert_cmpuint(i, >, first);
    consume(g, G610_ENTRY, 256, 8);
}

static void test_lose_cores(void)
{
    const uint64_t last = RING_PA + (7 + 18) * 256;
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 8);
    gpu_set(g, "lose-cores", 2);

    /*
     * Not in the first sample, nor before its predecessor was consumed, nor
     * behind an automatic one, nor behind two, nor where the acknowledge came
     * later.
     */
    sample(g);
    sample(g);
    consume_cores(g, 0, 0);
    gpu_set(g, "auto-burst", 1);
    consume_cores(g, 2, 0);
    gpu_set(g, "auto-burst", 1);
    sample(g);
    consume_cores(g, 3, 0);
    gpu_set(g, "delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    gpu_set(g, "ack-now", 1);
    consume_cores(g, 5, 0);
    sample(g);
    consume_cores(g, 6, 0);
    g_assert_cmpuint(gpu_get(g, "lose-cores"), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);

    /* Then at once, in a sample of either kind. */
    gpu_set(g, "auto-burst", 1);
    g_assert_cmphex(mem(g, last + 7 * G610_ENTRY + 16), ==, POISON);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off enable=1 "
                                     "after=7"), ==, 1);
    consume_cores(g, 7, 1 << 18);
    sample(g);
    consume_cores(g, 8, 0);
    sample(g);
    consume_cores(g, 9, 1 << 18);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off enable=1 "
                                     "after=9"), ==, 1);

    /* It is back, and nothing is left of the fault. */
    sample(g);
    consume_cores(g, 10, 0);
    g_assert_cmpuint(gpu_get(g, "lose-cores"), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 2);
    gpu_stop(g, 0, 0);
}

/* The block of a core that is off keeps what a careless host left there. */
static void test_stale_core(void)
{
    const uint64_t last = RING_PA + (7 + 18) * 256;
    g_autofree char *properties = NULL;
    unsigned seed = 1;
    Gpu *g;

    while (!core_is_off(seed, 1, 18)) {
        seed++;
    }
    properties = g_strdup_printf("auto-samples=0,seed=%u", seed);
    g = gpu_boot(properties);
    set_mem(g, last + 8, 0xffff);
    set_mem(g, last + 16, 4711);
    enable(g, 4);
    sample(g);
    g_assert_cmphex(mem(g, last + 8), ==, 0xffff);
    g_assert_cmpuint(mem(g, last + 16), ==, 4711);
    g_assert_cmpuint(gpu_truth_count(g, "violation enable: entry 0 has 0xffff "
                                     "in PRFCNT_EN of SHADER 18"), ==, 1);
    gpu_stop(g, 1, 0);
}

static void boot_again(Gpu *g)
{
    set_mem(g, g->in + REQ, 0);
    set_mem(g, g->out + ACK, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
}

static void test_size_at_boot(void)
{
    Gpu *g = gpu_boot(PLAIN);

    gpu_set(g, "size-at-boot", 0x20034);
    g_assert_cmphex(mem(g, SHARED_PA + 0x18), ==, 0x10019);
    wr(g, MCU_CONTROL, 0);
    boot_again(g);
    g_assert_cmphex(mem(g, SHARED_PA + 0x18), ==, 0x20034);
    /* It is a lie: samples are what they were. */
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 1);
    gpu_stop(g, 0, 0);
}

static void test_hang(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "hang", 1);
    gpu_toggle(g, GLB_SAMPLE | GLB_PING);
    gpu_request(g, GLB_ENABLE | GLB_HALT, GLB_HALT);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE | GLB_PING | GLB_ENABLE), ==,
                    GLB_SAMPLE | GLB_PING | GLB_ENABLE);
    qtest_clock_step(g->qts, 3000000000ll);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "disable "), ==, 0);

    wr(g, MCU_CONTROL, 0);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=hang enable=1 after=1"),
                     ==, 1);
    consume_g610(g);
    boot_again(g);
    enable(g, 4);
    sample(g);
    check_entry(g, &layouts[0], 0, 2);
    gpu_stop(g, 0, 0);
}

static void test_ring_fault(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "ring-faults", 1);
    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 1);
    g_assert_cmphex(rd(g, AS_REG(0, FAULTADDRESS)), ==, RING_VA + G610_ENTRY);
    /* Translation fault at level 3, of a write */
    g_assert_cmphex(rd(g, AS_REG(0, FAULTSTATUS)) & 0x3ff, ==, 0x3c3);
    /* The firmware did not survive that. */
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "sample "), ==, 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=hang enable=1 after=1"),
                     ==, 1);
    gpu_stop(g, 0, 0);
}

/* Which of the ways to switch counters off lose what was counted? */
static void test_lost(void)
{
    Gpu *g = gpu_boot(PLAIN);

    /* Halted behind a sample: none. */
    enable(g, 4);
    sample(g);
    disable(g);
    gpu_request(g, GLB_HALT, GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    consume_g610(g);
    boot_again(g);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);

    /* Halted with a sample that was not answered. */
    enable(g, 4);
    gpu_set(g, "delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    disable(g);
    gpu_request(g, GLB_HALT, GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    consume_g610(g);
    boot_again(g);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=2 "
                                     "after=2"), ==, 1);

    /* Off and on. */
    enable(g, 4);
    disable(g);
    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=disable enable=3 "
                                     "after=2"), ==, 1);

    /* Reset while they are on, and while they are off. */
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=reset enable=4 after=2"),
                     ==, 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 3);
    gpu_stop(g, 0, 0);
}

static void test_bad_insert(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    gpu_set(g, "bad-insert", 12345);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 12345);
    g_assert_cmphex(gpu_pending(g, GLB_THRESHOLD), ==, GLB_THRESHOLD);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    gpu_stop(g, 0, 0);
}

static void test_saturate(void)
{
    Gpu *g = gpu_boot(PLAIN ",saturate=on");
    unsigned i, full = 0;

    enable(g, 4);
    sample(g);
    for (i = 4; i < 64; i++) {
        uint32_t value = mem(g, RING_PA + 256 + 4 * i);
        uint32_t plain = delta(1, 1, CSHW, 0, i);

        g_assert_cmphex(value, ==, plain >> 28 == 0xf ? UINT32_MAX : plain);
        full += value == UINT32_MAX;
    }
    g_assert_cmpuint(full, >, 0);
    gpu_stop(g, 0, 0);
}

static void test_skew(void)
{
    Gpu *g = gpu_boot(PLAIN ",skew=MEMSYS:2:4");
    uint32_t i;

    enable(g, 4);
    for (i = 0; i < 3; i++) {
        sample(g);
        check_entry(g, &layouts[0], i, i + 1);
    }
    /* The first requested sample is where a host begins to count. */
    for (i = 0; i < 3; i++) {
        g_autofree char *line =
            g_strdup_printf("block MEMSYS 2 en=0x0000ffff %u ",
                            delta(1, i + 1, MEMSYS, 2, 4) + (i == 1));

        g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    }
    gpu_stop(g, 0, 0);
}

static void test_fail_samples(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 0);
    /* Only one that was requested, and it is acknowledged. */
    gpu_set(g, "fail-samples", 1);
    gpu_set(g, "auto-burst", 1);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 0);
    sample(g);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 1);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=failed enable=1 "
                                     "after=2"), ==, 1);
    sample(g);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* ---- Protected mode, sleep, power of single cores ---- */

static void test_protected(void)
{
    const uint64_t exit_entry = RING_PA + 2 * G610_ENTRY;
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 8);
    sample(g);
    g_assert_cmphex(rd(g, 0x34), ==, 0);
    gpu_set(g, "protected", 1);
    g_assert_cmphex(rd(g, 0x34), ==, 0x80);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 8);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    check_entry(g, &layouts[0], 1, 2);

    /* No answer and no entry, until it ends. */
    gpu_toggle(g, GLB_SAMPLE);
    wr(g, DOORBELL(0), 1);
    gpu_set(g, "protected", 1);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    gpu_set(g, "protected", 0);
    g_assert_cmphex(rd(g, 0x34), ==, 0);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 4);
    check_entry(g, &layouts[0], 3, 4);

    /* What the front end of the last but one says is that it means nothing. */
    g_assert_cmphex(mem(g, exit_entry + 8), ==, 0xffff);
    g_assert_cmphex(mem(g, exit_entry + 256 + 8), ==, 1);
    for (i = 4; i < 64; i++) {
        g_assert_cmphex(mem(g, exit_entry + 4 * i), !=, delta(1, 3, FW, 0, i));
    }
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=protected-entry "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=3 enable=1 insert=2 "
                                     "reason=protected-exit "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=4 enable=1 insert=3 "
                                     "reason=manual "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "block FW "), ==, 3);
    g_assert_cmpuint(gpu_truth_count(g, "protected state=on "), ==, 1);

    /* The exit's own status, and a reset ends the mode. */
    gpu_set(g, "protected", 1);
    gpu_set(g, "protected", 0);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 8);
    gpu_set(g, "protected", 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmphex(rd(g, 0x34), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "protected state=off "), ==, 3);
    gpu_stop(g, 0, 0);
}

static void test_protected_acks(void)
{
    Gpu *g = gpu_boot(PLAIN ",protected-acks=on");

    enable(g, 8);
    gpu_set(g, "protected", 1);
    sample(g);
    sample(g);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 1);
    gpu_set(g, "protected", 0);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 2);
    sample(g);
    check_entry(g, &layouts[0], 2, 3);
    gpu_stop(g, 0, 0);
}

static void test_sleep(void)
{
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    enable(g, 8);
    sample(g);
    for (i = 0; i < 2; i++) {
        if (i) {
            gpu_request(g, GLB_SLEEP, GLB_SLEEP);
            g_assert_cmphex(gpu_pending(g, GLB_SLEEP), ==, 0);
        } else {
            gpu_set(g, "sleep", 1);
        }
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 2);
        g_assert_cmphex(rd(g, 0x140), ==, 0);
        g_assert_cmphex(mem(g, g->out + STATUS), ==, 4);
        check_entry(g, &layouts[0], 2 * i + 1, 2 * i + 2);
        qtest_clock_step(g->qts, 3000000000ll);

        /* A doorbell wakes it, and counters are as they were. */
        sample(g);
        g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
        g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
        check_entry(g, &layouts[0], 2 * i + 2, 2 * i + 3);
    }
    g_assert_cmpuint(gpu_truth_count(g, "enable "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sleep timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "wake timestamp="), ==, 2);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=sleep "), ==, 1);

    /* Asleep is not halted: what a reset takes is lost. */
    gpu_set(g, "sleep", 1);
    wr(g, GPU_COMMAND, 0x101);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=reset enable=1 after=6"),
                     ==, 1);
    gpu_stop(g, 0, 0);
}

static void test_core_power(void)
{
    Gpu *g = gpu_boot(PLAIN);

    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
    gpu_set(g, "core-power", ~4u);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50001);
    gpu_set(g, "core-power", ~0u);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);

    /* With counters on, a sample comes before a core goes off. */
    enable(g, 8);
    sample(g);
    gpu_set(g, "core-power", 0x40001);
    g_assert_cmphex(rd(g, 0x140), ==, 0x40001);
    g_assert_cmphex(mem(g, g->out + STATUS), ==, 4);
    check_cores(g, 1, 0);
    sample(g);
    check_cores(g, 2, 0x10004);
    gpu_set(g, "core-power", ~0u);
    g_assert_cmpuint(mem(g, g->out + INSERT), ==, 3);
    sample(g);
    check_cores(g, 3, 0);
    g_assert_cmpuint(gpu_truth_count(g, "cores on=0x40001 "), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "sample nr=2 enable=1 insert=1 "
                                     "reason=power-off "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* SHADER_READY has the cores that the next sample will find on. */
static void test_cores_ready(void)
{
    Gpu *g = gpu_boot("auto-samples=0,seed=7");
    uint64_t nr, off = cores_off(7, 1, ~0ull);
    unsigned seen = 0;

    enable(g, 128);
    for (nr = 1; nr <= 40; nr++) {
        g_assert_cmphex(rd(g, 0x140), ==, 0x50005 & ~off);
        seen += off != 0;
        gpu_set(g, "auto-burst", 1);
        check_cores(g, nr - 1, off);
        off = cores_off(7, nr + 1, ~0ull);
    }
    g_assert_cmpuint(seen, >, 5);
    disable(g);
    g_assert_cmphex(rd(g, 0x140), ==, 0x50005);
    gpu_stop(g, 0, 0);
}

/* ---- Hosts that break the protocol ---- */

typedef struct {
    const char *name;
    InputWord change;
    bool refused;
    const char *text;
} EnableCase;

static const EnableCase enable_cases[] = {
    { "extract", { EXTRACT, 3 }, false, "enable: EXTRACT is 3" },
    { "size-0", { CONFIG, 0 }, true, "enable: 0 entries" },
    { "size-3", { CONFIG, 3 }, true, "enable: 3 entries" },
    { "set-3", { CONFIG, 4 | 3 << 8 }, false, "enable: counter set 3" },
    { "metadata", { CONFIG, 4 | 1 << 10 }, false, "enable: there is no meta" },
    { "reserved", { CONFIG, 4 | 1 << 11 }, false, "enable: CONFIG 0x804" },
    { "unaligned", { BASE, RING_VA + 1024 }, true, "enable: BASE " },
    { "unmapped", { BASE, 0x06000000 }, true, "enable: address space 0 " },
    { "read-only", { BASE, RING_VA + RING_MAX }, true, "enable: address sp" },
    { "half-mapped", { BASE, RING_VA + RING_MAX - 0x5000 }, true,
      "enable: address space 0 " },
    { "bad-as", { JASID, 9 }, true, "enable: address space 9 " },
    { "mask", { SHADER_EN, ~1u }, false, "enable: SHADER_EN 0xfffffffe" },
};

static void test_bad_enable(const void *data)
{
    const EnableCase *c = data;
    g_autofree char *line = g_strdup_printf("violation %s", c->text);
    Gpu *g = gpu_boot(PLAIN);
    unsigned i;

    for (i = 0; i < 16; i++) {
        gpu_map(g, RING_VA + RING_MAX + 0x1000 * i, 3,
                (RING_PA + 0x1000 * i) | PTE_PAGE | PTE_AF | PTE_RO);
    }
    configure(g, 4);
    put(g, c->change.offset, c->change.value);
    gpu_request(g, GLB_ENABLE, GLB_ENABLE);
    g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    g_assert_cmphex(gpu_pending(g, GLB_ENABLE), ==,
                    (c->refused ? GLB_ENABLE : 0));
    wr(g, DOORBELL(0), 1);
    g_assert_cmphex(rd(g, MMU_IRQ + RAWSTAT), ==, 0);
    gpu_stop(g, 1, 0);
}

static void test_stale_enable(void)
{
    Gpu *g = gpu_boot(PLAIN);

    set_mem(g, RING_PA + 2 * G610_ENTRY + 256 + 8, 2);
    enable(g, 4);
    g_assert_cmpuint(gpu_truth_count(g, "violation enable: entry 2 has 0x2 in "
                                     "PRFCNT_EN of CSHW 0"), ==, 1);
    gpu_stop(g, 1, 0);
}

typedef struct {
    const char *name;
    InputWord change;
    const char *text;
} ChangeCase;

static const ChangeCase change_cases[] = {
    { "base", { BASE, RING_VA + 0x800 }, "BASE changed from" },
    { "jasid", { JASID, 1 }, "JASID changed from" },
    { "config", { CONFIG, 8 }, "CONFIG changed from" },
    { "csg-select", { CSG_SELECT, 1 }, "CSG_SELECT changed from" },
    { "mask", { MMU_L2_EN, 3 }, "MMU_L2_EN changed from" },
    { "beyond", { EXTRACT, 3 }, "EXTRACT 3 is beyond INSERT" },
    { "backwards", { EXTRACT, -1u }, "EXTRACT 4294967295 is backwards" },
    { "uncleared", { EXTRACT, 1 }, "EXTRACT moved past: entry 0 has 0xffff in "
      "PRFCNT_EN of FW 0" },
};

static void test_bad_change(const void *data)
{
    const ChangeCase *c = data;
    g_autofree char *line = g_strdup_printf("violation %s", c->text);
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    sample(g);
    sample(g);
    put(g, c->change.offset, c->change.value);
    wr(g, DOORBELL(0), 1);
    g_assert_cmpuint(gpu_truth_count(g, line), ==, 1);
    /* Told once, and the configuration of the enable goes on. */
    sample(g);
    check_entry(g, &layouts[0], 2, 3);
    gpu_stop(g, 1, 0);
}

static void test_bad_requests(void)
{
    Gpu *g = gpu_boot(PLAIN);

    gpu_toggle(g, GLB_SAMPLE);
    g_assert_cmphex(gpu_pending(g, GLB_SAMPLE), ==, GLB_SAMPLE);
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_SAMPLE requested "
                                     "with counters off"), ==, 1);
    gpu_request(g, GLB_SAMPLE, 0);

    enable(g, 4);
    gpu_set(g, "delay-samples", 1);
    gpu_toggle(g, GLB_SAMPLE);
    gpu_request(g, GLB_SAMPLE, mem(g, g->out + ACK));
    g_assert_cmpuint(gpu_truth_count(g, "violation PRFCNT_SAMPLE was withdr"),
                     ==, 1);
    gpu_stop(g, 2, 0);
}

static void test_no_doorbell(void)
{
    Gpu *g = gpu_boot(PLAIN);

    enable(g, 4);
    qtest_clock_step(g->qts, 2000000000);
    put(g, REQ, mem(g, g->in + REQ) ^ GLB_SAMPLE);
    qtest_clock_step(g->qts, 3000000000ll);
    g_assert_cmpuint(gpu_truth_count(g, "violation GLB_REQ bits 0x40 changed "
                                     "without a doorbell"), ==, 1);
    gpu_stop(g, 1, 0);
}

static void add_cases(const char *group, const void *cases, size_t size,
                      unsigned count, void (*fn)(const void *))
{
    const char *c = cases;
    unsigned i;

    for (i = 0; i < count; i++, c += size) {
        /* Each case starts with its name. */
        g_autofree char *path = g_strdup_printf("/vmali/prfcnt/%s/%s", group,
                                                *(const char *const *)c);

        qtest_add_data_func(path, c, fn);
    }
}

void add_prfcnt_tests(void)
{
    add_cases("layout", layouts, sizeof(layouts[0]), ARRAY_SIZE(layouts),
              test_layout);
    qtest_add_func("/vmali/prfcnt/masks", test_masks);
    qtest_add_func("/vmali/prfcnt/core-off", test_core_off);
    qtest_add_func("/vmali/prfcnt/core-stays-on", test_core_stays_on);
    qtest_add_func("/vmali/prfcnt/automatic", test_automatic);
    qtest_add_func("/vmali/prfcnt/threshold", test_threshold);
    qtest_add_func("/vmali/prfcnt/overflow", test_overflow);
    qtest_add_func("/vmali/prfcnt/automatic-overflow",
                   test_automatic_overflow);
    qtest_add_func("/vmali/prfcnt/disable", test_disable);
    qtest_add_func("/vmali/prfcnt/wrap", test_wrap);
    qtest_add_func("/vmali/prfcnt/halt", test_halt_sample);
    qtest_add_func("/vmali/prfcnt/injection", test_injection);
    qtest_add_func("/vmali/prfcnt/bad-insert", test_bad_insert);
    qtest_add_func("/vmali/prfcnt/delay-enables", test_delay_enables);
    qtest_add_func("/vmali/prfcnt/clear-overflows", test_clear_overflows);
    qtest_add_func("/vmali/prfcnt/lose-cores", test_lose_cores);
    qtest_add_func("/vmali/prfcnt/stale-core", test_stale_core);
    qtest_add_func("/vmali/prfcnt/size-at-boot", test_size_at_boot);
    qtest_add_func("/vmali/prfcnt/hang", test_hang);
    qtest_add_func("/vmali/prfcnt/ring-fault", test_ring_fault);
    qtest_add_func("/vmali/prfcnt/lost", test_lost);
    qtest_add_func("/vmali/prfcnt/saturate", test_saturate);
    qtest_add_func("/vmali/prfcnt/skew", test_skew);
    qtest_add_func("/vmali/prfcnt/fail-samples", test_fail_samples);
    qtest_add_func("/vmali/prfcnt/protected", test_protected);
    qtest_add_func("/vmali/prfcnt/protected-acks", test_protected_acks);
    qtest_add_func("/vmali/prfcnt/sleep", test_sleep);
    qtest_add_func("/vmali/prfcnt/core-power", test_core_power);
    qtest_add_func("/vmali/prfcnt/cores-ready", test_cores_ready);
    add_cases("bad-enable", enable_cases, sizeof(enable_cases[0]),
              ARRAY_SIZE(enable_cases), test_bad_enable);
    qtest_add_func("/vmali/prfcnt/bad-enable/stale", test_stale_enable);
    add_cases("bad-change", change_cases, sizeof(change_cases[0]),
              ARRAY_SIZE(change_cases), test_bad_change);
    qtest_add_func("/vmali/prfcnt/bad-request", test_bad_requests);
    qtest_add_func("/vmali/prfcnt/no-doorbell", test_no_doorbell);
}
