/*
 * QTest of the virtual Arm Mali CSF GPU: a guest that does anything
 *
 *   vmali-random-test.c        machines as processes, their ends, the results
 *   vmali-test-random-props.c  properties of a machine
 *   vmali-test-random-mmu.c    memory, registers, page tables
 *   vmali-test-random-cs.c     groups, streams, instructions, suspend buffers
 *   vmali-test-random-fw.c     the firmware's interface, counters
 *   vmali-test-random-check.c  what must be true in spite of all that
 *
 * A machine is a function of its seed: what the guest does, when, and the
 * properties of its GPUs. The memory of the machine is mapped by the test.
 *
 * Memory of GPU i, from 0x41000000 + i * 0x1c00000 on, 16 MiB, "its window":
 *
 *   0x000000  page tables, a folder for each level
 *   0x200000  the firmware's interface
 *   0x400000  counter ring
 *   0x800000  pages of the rings of streams
 *   0xc00000  suspend buffers
 *   0xe00000  rings, code, data
 *
 * In a "closed" machine, no entry of a page table leads to a page table, nor to
 * memory outside of the windows, and no address space goes without tables.
 * The GPUs then must not change anything but windows without their tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_TEST_RANDOM_H
#define VMALI_TEST_RANDOM_H

#include "vmali-test.h"

#define MAX_GPUS                4

#define RAM_PA                  0x40000000ull
#define RAM_BYTES               0x10000000ull

#define WINDOW_PA(i)            (0x41000000ull + (i) * 0x1c00000ull)
#define WINDOW_SIZE             0x1000000ull
#define TABLES_SIZE             0x100000ull
#define OFF_SHARED              0x200000ull
#define OFF_RING                0x400000ull
#define OFF_PAGES               0x800000ull
#define OFF_SUSPEND             0xc00000ull
#define OFF_BOX                 0xe00000ull

/* Address space 0 */
#define V_SHARED                0x04000000ull
#define V_RING                  0x05000000ull
#define V_RING_SIZE             0x400000ull
#define V_PAGES                 0x05800000ull
#define V_SUSPEND               0x05c00000ull
#define V_SUSPEND_SIZE          0x20000ull
/* All others */
#define V_BOX                   0x100000000ull
#define V_BOX_SIZE              0x200000ull
#define BOX_RING_SIZE           0x1000ull
#define BOX_RINGS               128
#define BOX_CODE                0x100000ull
#define BOX_CODE_SIZE           0x40000ull
#define BOX_DATA                0x180000ull
#define V_HOLE                  0x200000000ull

/*
 * Memory that no GPU has any business with; a board that starts a program has
 * the device tree at 0x48000000
 */
#define GUARD_SIZE              0x100000ull
#define LOW_GUARD_PA            0x40e00000ull

/* Of a machine whose CPU maintains caches */
#define CACHE_MAILBOX_PA        0x40200000ull

#define TRAIL_LINES             40
#define TRAIL_WIDTH             160
#define MAX_LAYOUT              400

/* What has happened in a machine */
enum {
    DEED_INSTRUCTION,
    DEED_FAULT,
    DEED_BOOT,
    DEED_ENABLE,
    DEED_SAMPLE,
    DEED_VIOLATION,
    DEED_RESUME,
    NUM_DEEDS,
};

/**
 * Shared: what the process of a machine leaves behind, however it ends
 * @step: number of the current one, from 1
 * @steps: so many were done
 * @stuck: the step is one that must not end
 * @ops: accesses to registers
 * @digest: of everything that the guest has read
 * @reset_checks: times that a GPU was found healthy behind a reset
 * @done: how often each DEED_* was done
 * @clock: CPU time of the longest step in nanoseconds
 * @clock_step: number of that
 * @qemu: process
 * @memory: name of the file that is the machine's memory
 * @log: names of the truth logs
 * @properties: those of all GPUs
 * @trail: last actions, a ring
 * @lines: number of actions so far
 * @why: finding
 */
typedef struct Shared {
    uint32_t step;
    uint32_t steps;
    bool stuck;
    uint64_t ops;
    uint64_t digest;
    uint32_t reset_checks;
    uint64_t done[NUM_DEEDS];
    uint64_t clock;
    uint32_t clock_step;
    pid_t qemu;
    char memory[128];
    char log[MAX_GPUS][128];
    char properties[2048];
    char trail[TRAIL_LINES][TRAIL_WIDTH];
    uint64_t lines;
    char why[256];
} Shared;

/**
 * Unit: a GPU of the machine
 * @g: it
 * @window: physical address of its window
 * @arch: architecture
 * @groups: number of groups
 * @streams: command streams of a group
 * @saved: bytes of a stream in a suspend buffer, 0: not known yet
 * @raised: bits that the guest wrote into RAWSTAT, by interrupt group
 * @insert: end of the ring of each stream
 */
typedef struct Unit {
    Gpu *g;
    uint64_t window;
    unsigned arch;
    unsigned groups;
    unsigned streams;
    uint32_t saved;
    uint32_t raised[4];
    uint64_t insert[BOX_RINGS];
} Unit;

/**
 * Machine: a virtual machine
 * @seed: of everything
 * @state: of the generator of random numbers
 * @closed: see above
 * @caches: its CPU runs, and maintains caches
 * @passed: time in this step, in nanoseconds of the guest
 * @truth_size: most bytes of a truth log
 * @properties: those of the GPUs
 * @arguments: for QEMU, besides
 * @count: number of GPUs
 * @unit: GPUs
 * @ram: the machine's memory
 * @tables: copy of all page tables, for closed machines
 * @shared: see above
 * @load: name of a file of a load, or NULL
 * @code: likewise of the program of the CPU
 */
typedef struct Machine {
    uint64_t seed;
    uint64_t state;
    bool closed;
    bool caches;
    uint64_t passed;
    uint64_t truth_size;
    char *properties[MAX_GPUS];
    char *arguments;
    unsigned count;
    Unit unit[MAX_GPUS];
    uint8_t *ram;
    uint8_t *tables;
    Shared *shared;
    char *load;
    char *code;
} Machine;

/* Interrupt groups, as in Unit */
enum { RAISED_JOB, RAISED_MMU, RAISED_GPU, RAISED_PWR };

/* ---- vmali-random-test.c ---- */

/** draw: the next random number */
uint64_t draw(Machine *m);

/** below: one of 0 to @n - 1 */
uint64_t below(Machine *m, uint64_t n);

/** chance: true in @n of 100 cases */
bool chance(Machine *m, unsigned n);

/** pick: one of an array of numbers */
#define pick(m, array)  ((array)[below(m, ARRAY_SIZE(array))])

/** interesting: a value that programs get wrong, or any other */
uint64_t interesting(Machine *m);

/** note: what the guest does now, for the end of a report */
void note(Machine *m, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/** finding: something is wrong; the machine ends */
void G_NORETURN finding(Machine *m, const char *fmt, ...)
    G_GNUC_PRINTF(2, 3);

/* ---- vmali-test-random-props.c ---- */

/** props_draw: number of GPUs, their properties, and the kind of machine */
void props_draw(Machine *m);

/* ---- vmali-test-random-mmu.c ---- */

/** ram: bytes at a physical address, which must be in RAM */
void *ram(Machine *m, uint64_t pa);

uint32_t word(Machine *m, uint64_t pa);
void set_word(Machine *m, uint64_t pa, uint32_t value);
void set_long(Machine *m, uint64_t pa, uint64_t value);

/** reg: read a register */
uint32_t reg(Machine *m, Unit *u, uint32_t offset);

/** set_reg: write a register */
void set_reg(Machine *m, Unit *u, uint32_t offset, uint32_t value);

/** doorbell: ring page @page */
void doorbell(Machine *m, Unit *u, unsigned page);

/** tables_init: page tables with which a driver can work */
void tables_init(Machine *m, Unit *u);

/** as_init: give all address spaces their tables */
void as_init(Machine *m, Unit *u);

/** as_mend: behind a fault, what one of them needs for streams */
void as_mend(Machine *m, Unit *u, unsigned as);

/** power_init: power for the L2 cache, the rest is the firmware's */
void power_init(Machine *m, Unit *u);

void act_register(Machine *m, Unit *u);
void act_irq(Machine *m, Unit *u);
void act_tables(Machine *m, Unit *u);
void act_address_space(Machine *m, Unit *u);
void act_power(Machine *m, Unit *u);
void act_scribble(Machine *m, Unit *u);

/* ---- vmali-test-random-fw.c ---- */

/** fw_boot: cold boot with an empty interface; true if the firmware runs */
bool fw_boot(Machine *m, Unit *u);

/** glb_in: physical address of a word of the global input block; glb_out */
uint64_t glb_in(Unit *u, uint32_t offset);
uint64_t glb_out(Unit *u, uint32_t offset);

/** prfcnt_configure: the words that an enable needs */
void prfcnt_configure(Machine *m, Unit *u, uint32_t config);

void act_boot(Machine *m, Unit *u);
void act_interface(Machine *m, Unit *u);
void act_request(Machine *m, Unit *u);
void act_counters(Machine *m, Unit *u);
void act_extract(Machine *m, Unit *u);

/* ---- vmali-test-random-cs.c ---- */

uint64_t csg_in(Unit *u, unsigned csg);
uint64_t csg_out(Unit *u, unsigned csg);

/** group_configure: a group whose streams have rings */
void group_configure(Machine *m, Unit *u, unsigned csg);

/** group_state: request a state, with a doorbell */
void group_state(Machine *m, Unit *u, unsigned csg, uint32_t state);

/** stream_emit: the next instruction of a ring */
void stream_emit(Machine *m, Unit *u, unsigned csg, unsigned cs,
                 uint64_t insn);

/** stream_submit: tell of all that was emitted */
void stream_submit(Machine *m, Unit *u, unsigned csg, unsigned cs);

/** stream_extract: how far the GPU has come in a ring */
uint64_t stream_extract(Machine *m, Unit *u, unsigned csg, unsigned cs);

/** random_insn: an instruction, nearly a valid one or any */
uint64_t random_insn(Machine *m, Unit *u);

void act_group(Machine *m, Unit *u);
void act_stream(Machine *m, Unit *u);
void act_code(Machine *m, Unit *u);
void act_events(Machine *m, Unit *u);
void act_suspend_buffer(Machine *m, Unit *u);

/* ---- vmali-test-random-check.c ---- */

/** guards_init: fill memory that must stay as it is */
void guards_init(Machine *m);

/** check_lines: interrupts have known bits, and their lines agree */
void check_lines(Machine *m, Unit *u);

/** check_memory: nothing has changed that no GPU may change */
void check_memory(Machine *m);

/** check_health: behind a reset, the GPU works as on the first day */
void check_health(Machine *m, Unit *u);

/** check_log: the truth log is whole, and ends as it must */
void check_log(Machine *m, Unit *u, uint64_t violations,
               uint64_t unimplemented);

#endif /* VMALI_TEST_RANDOM_H */
