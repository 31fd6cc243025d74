/*
 * QTest of the virtual Arm Mali CSF GPU: properties of random machines
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "vmali-test-random.h"

#define DEFAULT_TRUTH_SIZE      (256ull << 20)
#define SMALL_TRUTH_SIZE        (1ull << 20)

static const char load_text[] =
    "phase 2 first\n"
    "    cshw:4 500000\n"
    "    shader:53 480000\n"
    "phase 1 second\n"
    "    tiler:4 100000\n"
    "    memsys:26 9\n";

/*
 * The CPU of a machine with caches: a mailbox has an address, and behind it an
 * instruction; it clears the address when it has maintained that line.
 */
static const uint32_t cpu_code[] = {
    0xd2a80400,         /*     movz x0, #0x4020, lsl #16 */
    0xf9400001,         /* 1:  ldr  x1, [x0]             */
    0xb4ffffe1,         /*     cbz  x1, 1b               */
    0xf9400402,         /*     ldr  x2, [x0, #8]         */
    0xb40000a2,         /*     cbz  x2, 2f               */
    0xd1000442,         /*     sub  x2, x2, #1           */
    0xb40000a2,         /*     cbz  x2, 3f               */
    0xd5087621,         /*     dc   ivac, x1             */
    0x14000004,         /*     b    4f                   */
    0xd50b7e21,         /* 2:  dc   civac, x1            */
    0x14000002,         /*     b    4f                   */
    0xd50b7a21,         /* 3:  dc   cvac, x1             */
    0xf900001f,         /* 4:  str  xzr, [x0]            */
    0x17fffff4,         /*     b    1b                   */
};

static void add(GString *p, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

static void add(GString *p, const char *fmt, ...)
{
    va_list args;

    if (p->len) {
        g_string_append_c(p, ',');
    }
    va_start(args, fmt);
    g_string_append_vprintf(p, fmt, args);
    va_end(args);
}

/* In two of three cases, a property has its default. */
static bool draws(Machine *m)
{
    return chance(m, 34);
}

static void add_switch(Machine *m, GString *p, const char *name)
{
    if (draws(m)) {
        add(p, "%s=%s", name, chance(m, 50) ? "on" : "off");
    }
}

static void add_number(Machine *m, GString *p, const char *name, uint64_t first,
                       uint64_t last)
{
    if (draws(m)) {
        add(p, "%s=%" PRIu64, name, first + below(m, last - first + 1));
    }
}

static const char *add_word(Machine *m, GString *p, const char *name,
                            const char *const *words)
{
    const char *value = words[0];

    if (draws(m)) {
        value = words[below(m, g_strv_length((char **)words))];
        add(p, "%s=%s", name, value);
    }
    return value;
}

/* Sparse, dense, one, all */
static uint64_t draw_cores(Machine *m)
{
    switch (below(m, 5)) {
    case 0:
        return 0x50005;
    case 1:
        return draw(m) | 1ull << below(m, 64);
    case 2:
        return (1ull << (1 + below(m, 20))) - 1;
    case 3:
        return 1ull << below(m, 64);
    default:
        return below(m, 4) ? 0x550555 : ~0ull;
    }
}

static void draw_cores_and_parts(Machine *m, Unit *u, GString *p)
{
    static const uint32_t ids[] = {
        0xa8670005, 0xb8520000, 0xc8700008, 0xd8300000, 0xe8800000, 0xe8300000,
    };
    uint32_t id = chance(m, 80) ? pick(m, ids) :
                  (10 + below(m, 5)) << 28 | (draw(m) & 0x0fffffff);
    uint64_t cores = draw_cores(m), neural = draw(m) & draw_cores(m) & cores;

    u->arch = id >> 28;
    add(p, "gpu-id=0x%x,shader-present=0x%" PRIx64, id, cores);
    if (u->arch >= 14 && neural && chance(m, 70)) {
        add(p, "neural-present=0x%" PRIx64, neural);
        add_number(m, p, "neural-clock", 1, 1000);
    }
    u->groups = 8;
    u->streams = 8;
    if (draws(m)) {
        u->groups = 3 + below(m, 14);
        add(p, "groups=%u", u->groups);
    }
    if (draws(m)) {
        u->streams = 8 + below(m, 25);
        add(p, "streams=%u", u->streams);
    }
    add_number(m, p, "l2-slices", 1, 16);
}

static void draw_counters(Machine *m, GString *p)
{
    static const char *const core_off[] = {
        "all", "one", "busy", "none", "after", NULL
    };
    static const char *const full_ring[] = { "wait", "lose", "lose-off", NULL };
    static const char *const counters[] = { "work", "pattern", "load", NULL };
    static const char *const idle_off[] = { "none", "cores", "tiler", NULL };
    static const char *const neural_off[] = {
        "with-core", "always", "after-core", NULL
    };
    static const char *const answers[] = { "at-once", "late", NULL };
    const char *source = counters[below(m, 3)];
    const char *off;

    add(p, "counters=%s", source);
    if (g_str_equal(source, "load")) {
        if (!m->load) {
            m->load = temporary_file();
            g_assert_true(g_file_set_contents(m->load, load_text, -1, NULL));
        }
        add(p, "load=%s", m->load);
    }
    if (!g_str_equal(source, "pattern")) {
        add_word(m, p, "idle-off", idle_off);
    }
    off = add_word(m, p, "core-off-sample", core_off);
    if (g_str_equal(off, "none") || g_str_equal(off, "after")) {
        add(p, "neural-off=%s", neural_off[below(m, 2)]);
    } else {
        add_word(m, p, "neural-off", neural_off);
    }
    add_word(m, p, "full-ring", full_ring);
    add_word(m, p, "answers", answers);
    if (draws(m)) {
        add(p, "csg-counters=on");
    } else {
        add_switch(m, p, "fw-counters");
    }
    if (draws(m)) {
        add(p, "counters-per-enable=%u", chance(m, 50) ? 2 : 4);
    }
    if (draws(m)) {
        add(p, "prfcnt-features=0x%x", (uint32_t)interesting(m));
    }
    if (draws(m)) {
        add(p, "x-prfcnt-size=0x%x", (uint32_t)interesting(m));
    }
    add_number(m, p, "auto-samples", 0, 5);
    add_number(m, p, "threshold-quarters", 1, 4);
    add_switch(m, p, "metadata");
    add_switch(m, p, "packed-slots");
    add_switch(m, p, "keep-excluded");
    add_switch(m, p, "core-off");
    add_switch(m, p, "overtaken-acks");
    add_switch(m, p, "keep-enable");
    add_switch(m, p, "x-saturate");
}

static char *draw_properties(Machine *m, Unit *u)
{
    g_autoptr(GString) p = g_string_new(NULL);

    draw_cores_and_parts(m, u, p);
    draw_counters(m, p);
    add(p, "seed=%" PRIu64, below(m, 1000));
    if (m->caches) {
        add(p, "ring-cache=on");
    } else {
        add_switch(m, p, "coherent");
    }
    add_switch(m, p, "mcu-cost");
    add_switch(m, p, "cycles-always");
    add_switch(m, p, "clock-provider");
    add_number(m, p, "clocks", 1, 3);
    add_number(m, p, "cs-budget", 1, 4096);
    add_number(m, p, "iface-version", 0, 0x03ffffff);
    if (draws(m)) {
        add(p, "timestamp-hz=%u", (uint32_t)interesting(m) ?: 1);
    }
    if (draws(m)) {
        add(p, "timestamp-offset=%" PRIu64, interesting(m));
    }
    if (draws(m)) {
        add(p, "core-features=0x%x", (uint32_t)interesting(m));
    }
    add(p, "truth-size=%" PRIu64, m->truth_size);
    return g_strdup(p->str);
}

static char *cpu_arguments(Machine *m)
{
    uint32_t code_word[ARRAY_SIZE(cpu_code)];
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(cpu_code); i++) {
        code_word[i] = cpu_to_le32(cpu_code[i]);
    }
    m->code = temporary_file();
    g_assert_true(g_file_set_contents(m->code, (char *)code_word,
                                      sizeof(code_word), NULL));
    return g_strdup_printf("-accel tcg -cpu cortex-a57 -kernel %s", m->code);
}

void props_draw(Machine *m)
{
    static const unsigned counts[] = { 1, 1, 1, 1, 2, 2, 3, 4 };
    unsigned i;

    m->closed = chance(m, 50);
    m->caches = chance(m, 12);
    m->count = pick(m, counts);
    m->truth_size = chance(m, 5) ? SMALL_TRUTH_SIZE : DEFAULT_TRUTH_SIZE;
    m->arguments = m->caches ? cpu_arguments(m) : g_strdup("");
    for (i = 0; i < m->count; i++) {
        m->properties[i] = draw_properties(m, &m->unit[i]);
    }
}
