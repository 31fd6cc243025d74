/*
 * Virtual Arm Mali CSF GPU: MMIO registers
 *
 * Offsets from the start of the 2 MiB register window.  All registers are
 * 32 bits wide; a 64-bit quantity is a pair, low word first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_REGS_H
#define VMALI_REGS_H

#include "hw/misc/vmali_compat.h"

#define VMALI_MMIO_SIZE         0x200000

/* Identification and features: constant */
REG32(GPU_ID, 0x000)
    FIELD(GPU_ID, ARCH_MAJOR, 28, 4)
REG32(L2_FEATURES, 0x004)
REG32(CORE_FEATURES, 0x008)
REG32(TILER_FEATURES, 0x00c)
REG32(MEM_FEATURES, 0x010)
    FIELD(MEM_FEATURES, COHERENT_CORE_GROUP, 0, 1)
    FIELD(MEM_FEATURES, L2_SLICES, 8, 4)        /* minus one */
REG32(MMU_FEATURES, 0x014)
    FIELD(MMU_FEATURES, VA_BITS, 0, 8)
    FIELD(MMU_FEATURES, PA_BITS, 8, 8)
REG32(AS_PRESENT, 0x018)
REG32(CSF_ID, 0x01c)
REG32(L2_CONFIG, 0x048)
REG32(GPU_FEATURES_LO, 0x060)
    FIELD(GPU_FEATURES_LO, NEURAL, 4, 1)
REG32(GPU_FEATURES_HI, 0x064)
REG32(PRFCNT_FEATURES, 0x068)
    FIELD(PRFCNT_FEATURES, BLOCK_SIZE, 0, 8)    /* units of 256 bytes */
REG32(THREAD_MAX_THREADS, 0x0a0)
REG32(THREAD_MAX_WORKGROUP_SIZE, 0x0a4)
REG32(THREAD_MAX_BARRIER_SIZE, 0x0a8)
REG32(THREAD_FEATURES, 0x0ac)
REG32(TEXTURE_FEATURES_0, 0x0b0)
REG32(TEXTURE_FEATURES_1, 0x0b4)
REG32(TEXTURE_FEATURES_2, 0x0b8)
REG32(TEXTURE_FEATURES_3, 0x0bc)
REG32(REVID, 0x280)
REG32(COHERENCY_FEATURES, 0x300)
    FIELD(COHERENCY_FEATURES, ACE_LITE, 0, 1)
REG32(COHERENCY_ENABLE, 0x304)

/*
 * Interrupt groups: RAWSTAT latches events, CLEAR drops them, STAT is what
 * MASK lets through, and the line is high while STAT is not 0.
 */
REG32(GPU_IRQ_RAWSTAT, 0x020)
    FIELD(GPU_IRQ, GPU_FAULT, 0, 1)
    FIELD(GPU_IRQ, RESET_COMPLETED, 8, 1)
    FIELD(GPU_IRQ, POWER_CHANGED_SINGLE, 9, 1)
    FIELD(GPU_IRQ, POWER_CHANGED_ALL, 10, 1)
    FIELD(GPU_IRQ, CLEAN_CACHES_COMPLETED, 17, 1)
    FIELD(GPU_IRQ, DOORBELL_MIRROR, 18, 1)
    FIELD(GPU_IRQ, MCU_STATUS, 19, 1)
    FIELD(GPU_IRQ, FLUSH_PA_RANGE_COMPLETED, 20, 1)
REG32(JOB_IRQ_RAWSTAT, 0x1000)
    FIELD(JOB_IRQ, GLB, 31, 1)
REG32(MMU_IRQ_RAWSTAT, 0x2000)
    FIELD(MMU_IRQ, PAGE_FAULT, 0, 16)
#define IRQ_RAWSTAT             0x0
#define IRQ_CLEAR               0x4
#define IRQ_MASK                0x8
#define IRQ_STAT                0xc

/* Commands, status, time */
REG32(GPU_COMMAND, 0x030)
    FIELD(GPU_COMMAND, CODE, 0, 8)
    FIELD(GPU_COMMAND, PAYLOAD, 8, 24)
enum {
    GPU_COMMAND_NOP = 0,
    GPU_COMMAND_RESET = 1,
    GPU_COMMAND_CYCLE_COUNT = 3,
    GPU_COMMAND_FLUSH_CACHES = 4,
    GPU_COMMAND_CLEAR_FAULT = 7,
    GPU_COMMAND_FLUSH_PA_RANGE = 8,
};
REG32(GPU_STATUS, 0x034)
REG32(GPU_FAULTSTATUS, 0x03c)
    FIELD(GPU_FAULTSTATUS, TYPE, 0, 8)
    FIELD(GPU_FAULTSTATUS, ACCESS, 8, 2)
    FIELD(GPU_FAULTSTATUS, ADDRESS_VALID, 10, 1)
#define GPU_FAULT_BUS           0x80
REG32(GPU_FAULTADDRESS_LO, 0x040)
REG32(GPU_FAULTADDRESS_HI, 0x044)
REG32(PWR_KEY, 0x050)
REG32(PWR_OVERRIDE0, 0x054)
REG32(PWR_OVERRIDE1, 0x058)
REG32(TIMESTAMP_OFFSET_LO, 0x088)
REG32(TIMESTAMP_OFFSET_HI, 0x08c)
REG32(CYCLE_COUNT_LO, 0x090)
REG32(CYCLE_COUNT_HI, 0x094)
REG32(TIMESTAMP_LO, 0x098)
REG32(TIMESTAMP_HI, 0x09c)

/* Core power: one 64-bit register per domain and role */
#define POWER_BASE              0x100
#define POWER_END               0x280
REG32(POWER, 0x100)
    FIELD(POWER, HIGH, 2, 1)
    FIELD(POWER, DOMAIN, 4, 2)                  /* VMALI_DOMAIN_* */
#define POWER_PRESENT           0x100
#define POWER_READY             0x140
#define POWER_PWRON             0x180
#define POWER_PWROFF            0x1c0
#define POWER_PWRTRANS          0x200
#define POWER_PWRACTIVE         0x240
#define POWER_ROLE(offset)      ((offset) & ~0x3f)

/* Power control, from architecture 14 on */
#define PWR_BASE                0x800
REG32(PWR_IRQ_RAWSTAT, 0x800)
    FIELD(PWR_IRQ, POWER_CHANGED_SINGLE, 0, 1)
    FIELD(PWR_IRQ, POWER_CHANGED_ALL, 1, 1)
    FIELD(PWR_IRQ, DELEGATION_CHANGED, 2, 1)
    FIELD(PWR_IRQ, RESET_COMPLETED, 3, 1)
    FIELD(PWR_IRQ, RETRACT_COMPLETED, 4, 1)
    FIELD(PWR_IRQ, INSPECT_COMPLETED, 5, 1)
    FIELD(PWR_IRQ, COMMAND_NOT_ALLOWED, 30, 1)
    FIELD(PWR_IRQ, COMMAND_INVALID, 31, 1)
REG32(PWR_STATUS, 0x820)
#define PWR_STATUS_DELEGATED_SHIFT 16
#define PWR_STATUS_ALLOW_RESETS (3ull << 33)
REG32(PWR_COMMAND, 0x828)
    FIELD(PWR_COMMAND, CODE, 0, 8)
    FIELD(PWR_COMMAND, DOMAIN, 8, 8)
enum {
    PWR_COMMAND_POWER_UP = 0x10,
    PWR_COMMAND_POWER_DOWN = 0x11,
    PWR_COMMAND_DELEGATE = 0x20,
    PWR_COMMAND_RETRACT = 0x21,
    PWR_COMMAND_RESET_SOFT = 0x31,
    PWR_COMMAND_RESET_FAST = 0x32,
    PWR_COMMAND_INSPECT = 0xf0,
};
REG32(PWR_CMDARG, 0x830)
/* From the start of the registers of a domain */
#define PWR_PRESENT             0x00
#define PWR_READY               0x08
#define PWR_TRANS               0x10
#define PWR_ACTIVE              0x18
/* Base and stack domains, which this GPU does not have */
#define PWR_ABSENT_BASE         0xb80
#define PWR_END                 0xc00

/* Microcontroller */
REG32(MCU_CONTROL, 0x700)
    FIELD(MCU_CONTROL, REQUEST, 0, 2)
    FIELD(MCU_CONTROL, DOORBELLS_OFF, 31, 1)
enum {
    MCU_CONTROL_DISABLE = 0,
    MCU_CONTROL_ENABLE = 1,
    MCU_CONTROL_AUTO = 2,
};
REG32(MCU_STATUS, 0x704)
enum {
    MCU_STATUS_DISABLED = 0,
    MCU_STATUS_ENABLED = 1,
    MCU_STATUS_HALTED = 2,
    MCU_STATUS_FATAL = 3,
};

/* Address spaces */
#define AS_BASE                 0x2400
#define AS_STRIDE               0x40
#define AS_END                  0x2800
#define AS_TRANSTAB             0x00
#define AS_MEMATTR              0x08
#define AS_LOCKADDR             0x10
#define AS_COMMAND              0x18
#define AS_FAULTSTATUS          0x1c
#define AS_FAULTADDRESS         0x20
#define AS_STATUS               0x28
#define AS_TRANSCFG             0x30
#define AS_FAULTEXTRA           0x38
enum {
    AS_COMMAND_NOP = 0,
    AS_COMMAND_UPDATE = 1,
    AS_COMMAND_LOCK = 2,
    AS_COMMAND_UNLOCK = 3,
    AS_COMMAND_FLUSH_PT = 4,
    AS_COMMAND_FLUSH_MEM = 5,
};
FIELD(AS_LOCKADDR, SIZE, 0, 6)                  /* logarithm, minus one */
#define AS_LOCK_MIN_BITS        15
FIELD(AS_TRANSCFG, MODE, 0, 4)
FIELD(AS_TRANSCFG, INA_BITS, 6, 5)              /* 55 minus address bits */
enum {
    AS_MODE_UNMAPPED = 1,
    AS_MODE_IDENTITY = 2,
    AS_MODE_AARCH64_4K = 6,
};
FIELD(AS_FAULTSTATUS, TYPE, 0, 8)
FIELD(AS_FAULTSTATUS, ACCESS, 8, 2)
enum {
    AS_FAULT_TRANSLATION = 0xc0,                /* plus level */
    AS_FAULT_PERMISSION = 0xc8,
    AS_FAULT_ACCESS_FLAG = 0xd8,
    AS_FAULT_ADDRESS_SIZE_IN = 0xe0,
    AS_FAULT_ADDRESS_SIZE_OUT = 0xe4,
    AS_FAULT_MEMORY_ATTRIBUTE = 0xe8,
};
enum {
    AS_ACCESS_EXECUTE = 1,
    AS_ACCESS_READ = 2,
    AS_ACCESS_WRITE = 3,
};

/* Pages of their own */
REG32(LATEST_FLUSH_ID, 0x10000)
#define DOORBELL_BASE           0x80000
#define DOORBELL_STRIDE         0x10000
#define DOORBELL_PAGES          17      /* the first one is the firmware's */

/* Rates of the clocks in Hz, one word each: not in any real GPU */
#define CLOCK_PAGE_BASE         0x1f0000
#define CLOCK_PAGE_SIZE         0x1000
REG32(CLOCK_RATE_0, 0x1f0000)

#endif /* VMALI_REGS_H */
