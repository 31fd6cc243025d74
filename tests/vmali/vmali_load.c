/*
 * Virtual Arm Mali CSF GPU: counters of a load that a file describes
 *
 * A load is a list of phases, each with rates of counters, that begins when
 * counters are enabled and starts again when it is over.  What has been counted
 * at a time is a function of that time alone, rounded down; a sample has the
 * difference of two of these, so that nothing is lost by rounding.  README.md
 * has the format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qapi/error.h"
#include "vmali_load.h"

#define NS_PER_MS               1000000
#define MAX_PHASES              256
#define MAX_INDEX               64

static const char * const type_name[VMALI_NUM_BLOCK_TYPES] = {
    [VMALI_BLOCK_FW] = "fw",
    [VMALI_BLOCK_CSG] = "csg",
    [VMALI_BLOCK_CSHW] = "cshw",
    [VMALI_BLOCK_TILER] = "tiler",
    [VMALI_BLOCK_MEMSYS] = "memsys",
    [VMALI_BLOCK_SHADER] = "shader",
    [VMALI_BLOCK_NEURAL] = "neural",
};

/**
 * Phase: a part of the load
 * @ns: length
 * @per_ms: counts per ms
 */
typedef struct Phase {
    uint64_t ns;
    uint32_t per_ms[VMALI_NUM_BLOCK_TYPES][MAX_INDEX][VMALI_MAX_BLOCK_WORDS];
} Phase;

/**
 * VMaliLoad: the load
 * @phases: of Phase pointers
 * @ns: length of all
 * @start: when it began
 * @cleared: when a block was cleared, in ns since @start
 */
typedef struct VMaliLoad {
    GPtrArray *phases;
    uint64_t ns;
    int64_t start;
    uint64_t cleared[VMALI_NUM_BLOCK_TYPES][MAX_INDEX];
} VMaliLoad;

/* What a counter has come to @ns after the start */
static uint64_t total_at(const VMaliLoad *load, VMaliBlockType type,
                         uint32_t index, uint32_t word, uint64_t ns)
{
    uint64_t rounds = ns / load->ns, rest = ns % load->ns;
    uint64_t total = 0;
    unsigned i;

    for (i = 0; i < load->phases->len; i++) {
        const Phase *phase = g_ptr_array_index(load->phases, i);
        uint32_t per_ms = phase->per_ms[type][index][word];
        uint64_t part = MIN(rest, phase->ns);

        rest -= part;
        total += muldiv64(rounds * phase->ns + part, per_ms, NS_PER_MS);
    }
    return total;
}

uint32_t vmali_load_value(const VMaliState *s, VMaliBlockType type,
                          uint32_t index, uint32_t word, int64_t now)
{
    const VMaliLoad *load = s->load;
    uint64_t value = total_at(load, type, index, word, now - load->start) -
                     total_at(load, type, index, word,
                              load->cleared[type][index]);

    /* Counters stop at their end. */
    return MIN(value, UINT32_MAX);
}

bool vmali_load_works(const VMaliState *s, VMaliBlockType type,
                      uint32_t index, int64_t now)
{
    uint64_t at = (now - s->load->start) % s->load->ns;
    unsigned i, word;

    for (i = 0; i < s->load->phases->len; i++) {
        const Phase *phase = g_ptr_array_index(s->load->phases, i);

        if (at >= phase->ns) {
            at -= phase->ns;
            continue;
        }
        for (word = VMALI_HEADER_WORDS; word < VMALI_MAX_BLOCK_WORDS; word++) {
            if (phase->per_ms[type][index][word]) {
                return true;
            }
        }
        break;
    }
    return false;
}

void vmali_load_clear(VMaliState *s, VMaliBlockType type, uint32_t index,
                      int64_t now)
{
    if (s->load) {
        s->load->cleared[type][index] = now - s->load->start;
    }
}

void vmali_load_clear_all(VMaliState *s, int64_t now)
{
    unsigned type, i;

    for (type = 0; type < VMALI_NUM_BLOCK_TYPES; type++) {
        for (i = 0; i < MAX_INDEX; i++) {
            vmali_load_clear(s, type, i, now);
        }
    }
}

void vmali_load_start(VMaliState *s, int64_t now)
{
    if (s->load) {
        s->load->start = now;
        memset(s->load->cleared, 0, sizeof(s->load->cleared));
    }
}

/* "phase MS [TEXT]" */
static bool parse_phase(VMaliLoad *load, const char *text)
{
    const char *end;
    Phase *phase;
    uint64_t ms;

    if (load->phases->len == MAX_PHASES ||
        qemu_strtou64(text, &end, 10, &ms) || !ms || ms > UINT32_MAX ||
        (*end && !g_ascii_isspace(*end))) {
        return false;
    }
    phase = g_new0(Phase, 1);
    phase->ns = ms * NS_PER_MS;
    g_ptr_array_add(load->phases, phase);
    load->ns += phase->ns;
    return true;
}

/* "TYPE:WORD RATE" or "TYPE[INDEX]:WORD RATE" */
static bool parse_rate(const VMaliState *s, VMaliLoad *load, const char *text)
{
    uint64_t first = 0, last = MAX_INDEX - 1, word, per_ms;
    size_t length = strcspn(text, "[:");
    const char *pos = text + length;
    unsigned type;
    Phase *phase;

    for (type = 0; type < VMALI_NUM_BLOCK_TYPES; type++) {
        const char *name = type_name[type];

        if (name && strlen(name) == length && !strncmp(name, text, length)) {
            break;
        }
    }
    if (type == VMALI_NUM_BLOCK_TYPES || !load->phases->len) {
        return false;
    }
    if (*pos == '[') {
        if (qemu_strtou64(pos + 1, &pos, 10, &first) || first >= MAX_INDEX ||
            *pos++ != ']') {
            return false;
        }
        last = first;
    }
    if (*pos++ != ':' || qemu_strtou64(pos, &pos, 10, &word) ||
        word < VMALI_HEADER_WORDS || word >= s->block_words ||
        !g_ascii_isspace(*pos) || qemu_strtou64(pos, &pos, 10, &per_ms) ||
        per_ms > UINT32_MAX || *pos) {
        return false;
    }
    phase = g_ptr_array_index(load->phases, load->phases->len - 1);
    for (; first <= last; first++) {
        phase->per_ms[type][first][word] = per_ms;
    }
    return true;
}

static bool parse_line(const VMaliState *s, VMaliLoad *load, char *line)
{
    char *text = g_strstrip(line);

    if (!*text || *text == '#') {
        return true;
    }
    if (g_str_has_prefix(text, "phase ")) {
        return parse_phase(load, text + strlen("phase "));
    }
    return parse_rate(s, load, text);
}

bool vmali_load_open(VMaliState *s, Error **errp)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    unsigned i;

    if (!g_file_get_contents(s->prop.load, &text, NULL, &error)) {
        error_setg(errp, "load: %s", error->message);
        return false;
    }
    s->load = g_new0(VMaliLoad, 1);
    s->load->phases = g_ptr_array_new_with_free_func(g_free);
    lines = g_strsplit(text, "\n", -1);
    for (i = 0; lines[i]; i++) {
        if (!parse_line(s, s->load, lines[i])) {
            error_setg(errp, "load: %s:%u: neither a phase nor a rate: %s",
                       s->prop.load, i + 1, lines[i]);
            return false;
        }
    }
    if (!s->load->ns) {
        error_setg(errp, "load: %s: there is no phase", s->prop.load);
        return false;
    }
    return true;
}

void vmali_load_close(VMaliState *s)
{
    if (s->load) {
        g_ptr_array_unref(s->load->phases);
        g_free(s->load);
        s->load = NULL;
    }
}
