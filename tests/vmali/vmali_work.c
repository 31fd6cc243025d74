/*
 * Virtual Arm Mali CSF GPU: counters of the work that was done
 *
 * Each rule is a line of a table in README.md: they know of executed
 * instructions and their operands alone, never of time.  Counters stop at
 * their end, as real ones do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali_work.h"

#define LINE_SHIFT              6
#define LINE_BITS               (8 << LINE_SHIFT)
#define MAX_DIRTY_LINES         65536

#define DOORBELL_CYCLES         10
#define ACK_CYCLES              2
#define FLUSH_CYCLES            100
#define TASK_CYCLES             100
#define TILE_CYCLES             200
#define TILER_CYCLES            1000
#define MAX_CORES               64

/* Counters of the front end; those of a stream's interface in steps */
typedef struct FrontEnd {
    uint8_t gpu_active;
    uint8_t mcu_active;
    uint8_t iter_active;
    uint8_t irq_active;
    uint8_t irq_count;
    uint8_t flush_cycles;
    uint8_t flush_count;
    uint8_t iter_tiler;                 /* then jobs, tasks */
    uint8_t iter_compute;
    uint8_t iter_fragment;
    uint8_t iter_neural;                /* architecture 14 */
    uint8_t ceu_active;
    uint8_t lsu_active;
    uint8_t interface_0;
    uint8_t interface_step;
    uint8_t interface_blocked;
    uint8_t interfaces;
} FrontEnd;

static const FrontEnd front_end_g610 = {
    .gpu_active = 4, .mcu_active = 5, .iter_active = 6, .irq_active = 10,
    .irq_count = 11, .flush_cycles = 12, .flush_count = 13, .iter_tiler = 16,
    .iter_compute = 24, .iter_fragment = 32, .ceu_active = 40,
    .lsu_active = 45, .interface_0 = 48, .interface_step = 4,
    .interface_blocked = 3, .interfaces = 4,
};

static const FrontEnd front_end_g725 = {
    .gpu_active = 4, .mcu_active = 5, .iter_active = 6, .irq_active = 10,
    .irq_count = 11, .flush_cycles = 12, .flush_count = 13, .iter_tiler = 64,
    .iter_compute = 32, .iter_fragment = 48, .iter_neural = 72,
    .ceu_active = 16, .lsu_active = 21, .interface_0 = 80, .interface_step = 6,
    .interface_blocked = 4, .interfaces = 6,
};

/* Of the other blocks */
enum {
    L2_MMU_REQUESTS = 4,
    L2_RD_MSG_IN = 16,
    L2_WR_MSG_IN = 18,
    L2_ANY_LOOKUP = 25,
    L2_READ_LOOKUP = 26,
    L2_WRITE_LOOKUP = 27,
    L2_EXT_READ = 29,
    L2_EXT_READ_BEATS = 32,
    L2_EXT_WRITE = 42,
    L2_EXT_WRITE_BEATS = 47,

    TILER_ACTIVE = 4,
    TILER_TRIANGLES = 6,
    TILER_LINES = 7,
    TILER_POINTS = 8,
    TILER_VISIBLE = 11,

    SC_FRAG_ACTIVE = 4,
    SC_FRAG_PTILES = 18,
    SC_COMPUTE_ACTIVE = 22,
    SC_COMPUTE_TASKS = 23,
    SC_COMPUTE_WARPS = 24,
    SC_EXEC_CORE_ACTIVE = 26,
    SC_CORE_ACTIVE = 53,
    SC_NEURAL_ACTIVE = 70,

    NE_ACTIVE = 4,
    NE_TASK_ACCEPTED = 27,
    NE_TASK_COMPLETE = 28,
};

/* Types of primitive */
enum {
    PRIMITIVE_POINTS = 1,
    PRIMITIVE_LINES = 2,
    PRIMITIVE_LINE_STRIP = 4,
    PRIMITIVE_LINE_LOOP = 6,
    PRIMITIVE_TRIANGLE_STRIP = 10,
    PRIMITIVE_TRIANGLE_FAN = 12,
};

/**
 * VMaliWork: counters since the last sample
 * @fe: where the front end has what
 * @front: front end
 * @tiler: tiler
 * @l2: slices of the L2 cache
 * @core: shader cores
 * @neural: their neural accelerators
 * @dirty: lines that were written since the last flush
 */
typedef struct VMaliWork {
    const FrontEnd *fe;
    uint32_t front[VMALI_MAX_BLOCK_WORDS];
    uint32_t tiler[VMALI_MAX_BLOCK_WORDS];
    uint32_t l2[VMALI_MAX_L2_SLICES][VMALI_MAX_BLOCK_WORDS];
    uint32_t core[MAX_CORES][VMALI_MAX_BLOCK_WORDS];
    uint32_t neural[MAX_CORES][VMALI_MAX_BLOCK_WORDS];
    GHashTable *dirty;
} VMaliWork;

void vmali_work_init(VMaliState *s)
{
    s->work = g_new0(VMaliWork, 1);
    s->work->fe = vmali_arch_major(s) >= 13 ? &front_end_g725 :
                                              &front_end_g610;
    s->work->dirty = g_hash_table_new(NULL, NULL);
}

void vmali_work_free(VMaliState *s)
{
    if (s->work) {
        g_hash_table_destroy(s->work->dirty);
        g_free(s->work);
        s->work = NULL;
    }
}

static uint32_t *block(const VMaliState *s, VMaliBlockType type,
                       uint32_t index)
{
    VMaliWork *w = s->work;

    switch (type) {
    case VMALI_BLOCK_CSHW:
        return w->front;
    case VMALI_BLOCK_TILER:
        return w->tiler;
    case VMALI_BLOCK_MEMSYS:
        return w->l2[index];
    case VMALI_BLOCK_SHADER:
        return w->core[index];
    case VMALI_BLOCK_NEURAL:
        return w->neural[index];
    default:
        return NULL;
    }
}

uint32_t vmali_work_value(const VMaliState *s, VMaliBlockType type,
                          uint32_t index, uint32_t word)
{
    const uint32_t *words = block(s, type, index);

    return words ? words[word] : 0;
}

void vmali_work_clear(VMaliState *s, VMaliBlockType type, uint32_t index)
{
    uint32_t *words = s->work ? block(s, type, index) : NULL;

    if (words) {
        memset(words, 0, VMALI_MAX_BLOCK_WORDS * sizeof(*words));
    }
}

void vmali_work_clear_all(VMaliState *s)
{
    VMaliWork *w = s->work;

    if (w) {
        memset(w->front, 0, sizeof(w->front));
        memset(w->tiler, 0, sizeof(w->tiler));
        memset(w->l2, 0, sizeof(w->l2));
        memset(w->core, 0, sizeof(w->core));
        memset(w->neural, 0, sizeof(w->neural));
    }
}

/* ---- Front end ---- */

static bool counts(const VMaliState *s)
{
    return s->work && s->prfcnt.enabled;
}

static void add(uint32_t *counter, uint64_t n)
{
    *counter = MIN(*counter + MIN(n, UINT32_MAX), UINT32_MAX);
}

/* Units of the front end work one after the other. */
static void add_active(VMaliState *s, uint8_t counter, uint64_t cycles)
{
    add(&s->work->front[counter], cycles);
    add(&s->work->front[s->work->fe->gpu_active], cycles);
}

void vmali_work_doorbell(VMaliState *s)
{
    if (counts(s) && s->prop.mcu_cost) {
        add_active(s, s->work->fe->mcu_active, DOORBELL_CYCLES);
    }
}

void vmali_work_acks(VMaliState *s, unsigned count)
{
    if (counts(s) && s->prop.mcu_cost) {
        add_active(s, s->work->fe->mcu_active, ACK_CYCLES * count);
    }
}

void vmali_work_irqs(VMaliState *s, unsigned count)
{
    if (counts(s)) {
        add(&s->work->front[s->work->fe->irq_active], count);
        add(&s->work->front[s->work->fe->irq_count], count);
    }
}

static uint32_t *interface(VMaliState *s, unsigned cs)
{
    const FrontEnd *fe = s->work->fe;

    return s->work->front + fe->interface_0 +
           fe->interface_step * (cs % fe->interfaces);
}

void vmali_work_instruction(VMaliState *s, unsigned cs)
{
    if (counts(s)) {
        add_active(s, s->work->fe->ceu_active, 1);
        add(interface(s, cs), 1);
    }
}

void vmali_work_blocked(VMaliState *s, unsigned cs)
{
    if (counts(s)) {
        add(interface(s, cs) + s->work->fe->interface_blocked, 1);
    }
}

void vmali_work_lsu(VMaliState *s, unsigned cycles)
{
    s->lsu_cycles += cycles;
    if (counts(s)) {
        add_active(s, s->work->fe->lsu_active, cycles);
    }
}

/* A job of one of the iterators, which never work at the same time */
static void add_job(VMaliState *s, uint8_t iterator, uint64_t cycles,
                    uint64_t tasks)
{
    uint32_t *front = s->work->front;

    add_active(s, iterator, cycles);
    add(&front[s->work->fe->iter_active], cycles);
    add(&front[iterator + 1], 1);
    add(&front[iterator + 2], tasks);
}

/* ---- L2 cache ---- */

static uint32_t *slice_of(VMaliState *s, uint64_t line)
{
    return s->work->l2[line % s->prop.l2_slices];
}

/* Beats of the bus that a line takes */
static unsigned beats(const VMaliState *s)
{
    return LINE_BITS / (vmali_arch_major(s) >= 12 ? 256 : 128);
}

static void write_back(VMaliState *s, uint64_t line)
{
    uint32_t *l2 = slice_of(s, line);

    if (counts(s)) {
        add(&l2[L2_EXT_WRITE], 1);
        add(&l2[L2_EXT_WRITE_BEATS], beats(s));
    }
}

static void write_back_entry(gpointer key, gpointer value, gpointer opaque)
{
    write_back(opaque, GPOINTER_TO_SIZE(key));
}

void vmali_work_access(VMaliState *s, hwaddr pa, bool is_write)
{
    uint64_t line = pa >> LINE_SHIFT;
    uint32_t *l2;

    if (!s->work) {
        return;
    }
    if (is_write) {
        if (g_hash_table_size(s->work->dirty) < MAX_DIRTY_LINES) {
            g_hash_table_add(s->work->dirty, GSIZE_TO_POINTER(line));
        } else if (!g_hash_table_contains(s->work->dirty,
                                          GSIZE_TO_POINTER(line))) {
            write_back(s, line);
        }
    }
    if (!counts(s)) {
        return;
    }
    l2 = slice_of(s, line);
    add(&l2[L2_MMU_REQUESTS], 1);
    add(&l2[L2_ANY_LOOKUP], 1);
    if (is_write) {
        add(&l2[L2_WR_MSG_IN], 1);
        add(&l2[L2_WRITE_LOOKUP], 1);
    } else {
        /* Nothing is ever found in it. */
        add(&l2[L2_RD_MSG_IN], 1);
        add(&l2[L2_READ_LOOKUP], 1);
        add(&l2[L2_EXT_READ], 1);
        add(&l2[L2_EXT_READ_BEATS], beats(s));
    }
}

void vmali_work_flush(VMaliState *s)
{
    s->flushes++;
    if (!s->work) {
        return;
    }
    g_hash_table_foreach(s->work->dirty, write_back_entry, s);
    g_hash_table_remove_all(s->work->dirty);
    if (counts(s)) {
        add_active(s, s->work->fe->flush_cycles, FLUSH_CYCLES);
        add(&s->work->front[s->work->fe->flush_count], 1);
    }
}

/* ---- Tiler and shader cores ---- */

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* Cores that a job gets: those that it may use, if they have power. */
static uint64_t cores_of(const VMaliState *s, uint64_t allowed)
{
    uint64_t all = s->prop.shader_present;
    uint64_t on = all & s->core_power & s->core_enable;

    if (allowed & on) {
        return allowed & on;
    }
    return allowed & all ? allowed & all : all;
}

/*
 * One word of each core in @cores, or of its accelerator: equal parts, the rest
 * one by one.
 */
static void deal_to(VMaliState *s, VMaliBlockType type, uint64_t cores,
                    unsigned word, uint64_t n, uint64_t unit)
{
    unsigned count = ctpop64(cores);
    uint64_t part = n / count, rest = n % count;

    for (; cores; cores &= cores - 1) {
        uint64_t mine = part + (rest ? 1 : 0);

        add(&block(s, type, ctz64(cores))[word], product(mine, unit));
        rest -= rest ? 1 : 0;
    }
}

static void deal(VMaliState *s, uint64_t cores, unsigned word, uint64_t n,
                 uint64_t unit)
{
    deal_to(s, VMALI_BLOCK_SHADER, cores, word, n, unit);
}

static void deal_active(VMaliState *s, uint64_t cores, unsigned word,
                        uint64_t n, uint64_t unit)
{
    deal(s, cores, word, n, unit);
    deal(s, cores, SC_EXEC_CORE_ACTIVE, n, unit);
    deal(s, cores, SC_CORE_ACTIVE, n, unit);
}

void vmali_work_compute(VMaliState *s, uint64_t cores, uint64_t tasks,
                        uint64_t warps)
{
    cores = cores_of(s, cores);
    vmali_power_work(s, cores, false);
    if (!counts(s)) {
        return;
    }
    add_job(s, s->work->fe->iter_compute, product(tasks, TASK_CYCLES), tasks);
    deal_active(s, cores, SC_COMPUTE_ACTIVE, tasks, TASK_CYCLES);
    deal(s, cores, SC_COMPUTE_TASKS, tasks, 1);
    deal(s, cores, SC_COMPUTE_WARPS, warps, 1);
}

void vmali_work_neural(VMaliState *s, uint64_t cores, uint64_t tasks)
{
    const VMaliBlockType type = VMALI_BLOCK_NEURAL;
    uint64_t all = s->prop.neural_present;

    cores = cores_of(s, cores & all ? cores & all : all) & all;
    vmali_power_work(s, cores, false);
    if (!counts(s) || !cores || s->prop.neural_off == VMALI_NEURAL_OFF_ALWAYS) {
        return;
    }
    add_job(s, s->work->fe->iter_neural, product(tasks, TASK_CYCLES), tasks);
    deal(s, cores, SC_NEURAL_ACTIVE, tasks, TASK_CYCLES);
    deal_to(s, type, cores, NE_ACTIVE, tasks,
            (uint64_t)TASK_CYCLES * s->prop.neural_clock / 100);
    deal_to(s, type, cores, NE_TASK_ACCEPTED, tasks, 1);
    deal_to(s, type, cores, NE_TASK_COMPLETE, tasks, 1);
}

void vmali_work_fragment(VMaliState *s, uint64_t cores, uint64_t tiles)
{
    uint64_t cycles = product(tiles, TILE_CYCLES);

    cores = cores_of(s, cores);
    vmali_power_work(s, cores, false);
    if (!counts(s)) {
        return;
    }
    add_job(s, s->work->fe->iter_fragment, cycles, tiles);
    deal_active(s, cores, SC_FRAG_ACTIVE, cycles, 1);
    deal(s, cores, SC_FRAG_PTILES, tiles, 1);
}

void vmali_work_tiler(VMaliState *s, uint32_t indices, unsigned primitive)
{
    unsigned word = TILER_TRIANGLES;
    uint32_t n;

    vmali_power_work(s, 0, true);
    if (!counts(s)) {
        return;
    }
    switch (primitive) {
    case PRIMITIVE_POINTS:
        word = TILER_POINTS;
        n = indices;
        break;
    case PRIMITIVE_LINES:
        word = TILER_LINES;
        n = indices / 2;
        break;
    case PRIMITIVE_LINE_STRIP:
        word = TILER_LINES;
        n = indices ? indices - 1 : 0;
        break;
    case PRIMITIVE_LINE_LOOP:
        word = TILER_LINES;
        n = indices;
        break;
    case PRIMITIVE_TRIANGLE_STRIP:
    case PRIMITIVE_TRIANGLE_FAN:
        n = indices > 2 ? indices - 2 : 0;
        break;
    default:
        n = indices / 3;
    }
    add_job(s, s->work->fe->iter_tiler, TILER_CYCLES,
            DIV_ROUND_UP((uint64_t)indices, INDICES_PER_TASK));
    add(&s->work->tiler[TILER_ACTIVE], TILER_CYCLES);
    add(&s->work->tiler[word], n);
    add(&s->work->tiler[TILER_VISIBLE], n);
}
