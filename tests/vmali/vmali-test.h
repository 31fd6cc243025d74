/*
 * QTest of the virtual Arm Mali CSF GPU: a host without an operating system
 *
 * Offsets and bit numbers are written down here a second time on purpose:
 * the tests share no header with the model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_TEST_H
#define VMALI_TEST_H

#include "libqtest.h"

/* Where the platform bus of the machine puts its first device, and the next */
#define MMIO            0x0c000000ull
#define MMIO_SIZE       0x200000ull
#define SPI_JOB         112
#define SPI_MMU         113
#define SPI_GPU         114
#define NUM_SPIS        3

/*
 * Guest RAM: page tables, the firmware's shared section, the counter ring, as
 * the first GPU has them; those of the next are behind
 */
#define RAM_OF_GPU      0x03000000ull
#define TABLES_PA       0x41000000ull
#define SHARED_PA       0x42000000ull
#define SHARED_VA       0x04000000ull
#define SHARED_SIZE     0x90000
#define FDT_PA          0x40000000ull
#define RING_PA         0x43000000ull
#define RING_VA         0x05000000ull
#define RING_MAX        0x400000

/* Page-table entries */
#define PTE_PAGE        0x3ull
#define PTE_BLOCK       0x1ull
#define PTE_TABLE       0x3ull
#define PTE_RO          (1ull << 7)
#define PTE_AF          (1ull << 10)

/* Registers */
#define GPU_IRQ         0x0020
#define JOB_IRQ         0x1000
#define MMU_IRQ         0x2000
#define RAWSTAT         0x0
#define CLEAR           0x4
#define MASK            0x8
#define STAT            0xc
#define GPU_COMMAND     0x0030
#define L2_PWRON        0x01a0
#define L2_PWROFF       0x01e0
#define L2_READY        0x0160
#define MCU_CONTROL     0x0700
#define MCU_STATUS      0x0704
#define AS_REG(n, reg)  (0x2400 + 0x40 * (n) + (reg))
#define TRANSTAB        0x00
#define MEMATTR         0x08
#define LOCKADDR        0x10
#define COMMAND         0x18
#define FAULTSTATUS     0x1c
#define FAULTADDRESS    0x20
#define TRANSCFG        0x30
#define DOORBELL(n)     (0x80000 + 0x10000 * (n))

#define TRANSCFG_4K     0x420001c6
#define MEMATTR_NORMAL  0x4c9f4cull

/* Global input and output blocks */
#define REQ             0x00
#define ACK_IRQ_MASK    0x04
#define DB_REQ          0x08
#define PWROFF_TIMER    0x14
#define JASID           0x24
#define BASE            0x28
#define EXTRACT         0x30
#define CONFIG          0x40
#define CSG_SELECT      0x44
#define FW_EN           0x48
#define CSG_EN          0x4c
#define CSF_EN          0x50
#define SHADER_EN       0x54
#define TILER_EN        0x58
#define MMU_L2_EN       0x5c
#define NEURAL_EN       0x60
#define ACK             0x00
#define DB_ACK          0x08
#define INSERT          0x18

#define GLB_HALT        (1u << 0)
#define GLB_ENABLE      (1u << 5)
#define GLB_SAMPLE      (1u << 6)
#define GLB_COUNTER     (1u << 7)
#define GLB_PING        (1u << 8)
#define GLB_SLEEP       (1u << 12)
#define GLB_THRESHOLD   (1u << 24)
#define GLB_OVERFLOW    (1u << 25)
#define JOB_GLB         (1u << 31)

/**
 * Gpu: a GPU of a virtual machine
 * @qts: connection
 * @nr: which of the machine's GPUs
 * @mmio: address of its registers
 * @ram: what is added to the addresses of the first GPU's memory
 * @truth: name of the truth log
 * @next_table: where the next page table goes
 * @group_root: root of the page tables of groups
 * @in: physical address of the global input block
 * @out: physical address of the global output block
 * @insert: how far each ring of command streams was filled
 */
typedef struct Gpu {
    QTestState *qts;
    unsigned nr;
    uint64_t mmio;
    uint64_t ram;
    char *truth;
    uint64_t next_table;
    uint64_t group_root;
    uint64_t in;
    uint64_t out;
    uint64_t insert[128];
} Gpu;

/* The power control block of architecture 14, and its commands and domains */
#define PWR_IRQ         0x800
#define PWR_STATUS      0x820
#define PWR_COMMAND     0x828
#define PWR_CMDARG      0x830
#define PWR_L2_READY    0x908
#define PWR_TILER_READY 0x948
#define PWR_SHADER_PRESENT 0xa00
#define PWR_SHADER_READY 0xa08
enum {
    PWR_L2 = 0,
    PWR_TILER = 1,
    PWR_SHADER = 8,
    PWR_UP = 0x10,
    PWR_DOWN = 0x11,
    PWR_DELEGATE = 0x20,
    PWR_RETRACT = 0x21,
    PWR_SOFT_RESET = 0x31,
    PWR_FAST_RESET = 0x32,
    PWR_INSPECT = 0xf0,
};

/** gpu_start: a machine with a GPU that has these properties */
Gpu *gpu_start(const char *properties);

/** gpu_start_several: a machine with more arguments and @count GPUs */
void gpu_start_several(Gpu **g, unsigned count, const char *arguments,
                       const char *const *properties);

/** gpu_refused: what QEMU says that does not start with these arguments */
char *gpu_refused(const char *arguments);

/**
 * gpu_run: what QEMU says that ends while the host breaks a rule 2000 times
 * @before: shell commands before it starts
 * @properties: those of its GPU
 */
char *gpu_run(const char *before, const char *properties);

/** temporary_file: name of an empty file; to be removed and freed */
char *temporary_file(void);

/** gpu_boot_up: power, page tables and firmware boot */
void gpu_boot_up(Gpu *g);

/** gpu_boot: gpu_start(), then gpu_boot_up() */
Gpu *gpu_boot(const char *properties);

/** gpu_stop: end of the machine; violations and unimplemented must agree */
void gpu_stop(Gpu *g, unsigned violations, unsigned unimplemented);

/** gpu_stopped: likewise, when the machine has ended */
void gpu_stopped(Gpu *g, unsigned violations, unsigned unimplemented);

uint32_t rd(Gpu *g, uint32_t offset);
void wr(Gpu *g, uint32_t offset, uint32_t value);
uint64_t rd64(Gpu *g, uint32_t offset);
uint32_t mem(Gpu *g, uint64_t pa);
void set_mem(Gpu *g, uint64_t pa, uint32_t value);

/** gpu_map: one page-table entry of address space 0 */
void gpu_map(Gpu *g, uint64_t va, unsigned level, uint64_t entry);

/** gpu_map_in: one of the tables that have their root at @root */
void gpu_map_in(Gpu *g, uint64_t root, uint64_t va, unsigned level,
                uint64_t entry);

/** gpu_as_enable: give address space 0 its tables */
void gpu_as_enable(Gpu *g, uint64_t transcfg);

/** gpu_as_enable_nr: likewise any other, with the tables at @root */
void gpu_as_enable_nr(Gpu *g, unsigned as, uint64_t root, uint64_t transcfg);

/** gpu_power_on: L2 cache */
void gpu_power_on(Gpu *g);

/** gpu_irq: level of an interrupt line */
bool gpu_irq(Gpu *g, int spi);

/** gpu_toggle: make request bits differ from their acknowledge, and ring */
void gpu_toggle(Gpu *g, uint32_t bits);

/** gpu_request: set request bits to a value, and ring */
void gpu_request(Gpu *g, uint32_t bits, uint32_t value);

/** gpu_pending: request bits that are not acknowledged */
uint32_t gpu_pending(Gpu *g, uint32_t bits);

/** gpu_set: run-time property */
void gpu_set(Gpu *g, const char *property, unsigned value);
uint64_t gpu_get(Gpu *g, const char *property);

/** gpu_truth: the log so far; free it */
char *gpu_truth(Gpu *g);

/** gpu_truth_count: lines that start with @prefix */
unsigned gpu_truth_count(Gpu *g, const char *prefix);

/** gpu_truth_field: number behind @key in the last line with @prefix */
uint64_t gpu_truth_field(Gpu *g, const char *prefix, const char *key);

/**
 * gpu_fdt: property of a node of the guest's device tree
 *
 * Return: a copy of its value, to be freed, or NULL if there is none.
 */
uint8_t *gpu_fdt(Gpu *g, const char *path, const char *name, uint32_t *size);

/* vmali-test-time.c */
void add_time_tests(void);

/* vmali-test-cs.c */
void add_cs_tests(void);

/* vmali-test-cs-insn.c */
void add_cs_insn_tests(void);

/* vmali-test-heap.c */
void add_heap_tests(void);

/* vmali-test-ops.c */
void add_ops_tests(void);

/* vmali-test-tlb.c */
void add_tlb_tests(void);

/* vmali-test-work.c */
void add_work_tests(void);

/* vmali-test-neural.c */
void add_neural_tests(void);

/* vmali-test-load.c */
void add_load_tests(void);

/* vmali-test-power.c */
void add_power_tests(void);

/* vmali-test-prfcnt.c */
void add_prfcnt_tests(void);

/* vmali-test-answers.c */
void add_answer_tests(void);

/* vmali-test-inject.c */
void add_inject_tests(void);

/* vmali-test-props.c */
void add_props_tests(void);

/* vmali-test-truth.c */
void add_truth_tests(void);

/* vmali-test-several.c */
void add_several_tests(void);

#endif /* VMALI_TEST_H */
