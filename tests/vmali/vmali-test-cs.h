/*
 * QTest of the virtual Arm Mali CSF GPU: a host that gives streams work
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_TEST_CS_H
#define VMALI_TEST_CS_H

#include "vmali-test.h"

/* Address space of the groups: rings, called buffers, data, nothing */
#define GROUP_AS        1
#define BOX_PA          0x45000000ull
#define BOX_VA          0x100000000ull
#define BOX_SIZE        0x200000
#define RING_SIZE       4096
#define RING_VA_OF(i)   (BOX_VA + RING_SIZE * (i))
#define CODE_VA         (BOX_VA + 0x100000)
#define DATA_VA         (BOX_VA + 0x180000)
#define HOLE_VA         0x200000000ull
#define TO_PA(va)       ((va) - BOX_VA + BOX_PA)

/* In address space 0: pages of the rings, two each, and suspend buffers */
#define PAGES_PA        0x44000000ull
#define PAGES_VA        0x05800000ull
#define SUSPEND_PA      0x44200000ull
#define SUSPEND_VA      0x05a00000ull
#define SUSPEND_MAX     0x8000

/* Interface blocks */
#define CSG_IN(n)       (SHARED_PA + 0x8000 + 0x100 * (n))
#define CSG_OUT(n)      (SHARED_PA + 0xa000 + 0x100 * (n))
#define CS_IN(n, i)     (SHARED_PA + 0x10000 + 0x100 * ((n) * 8 + (i)))
#define CS_OUT(n, i)    (SHARED_PA + 0x50000 + 0x100 * ((n) * 8 + (i)))

#define CSG_TERMINATE   0
#define CSG_START       1
#define CSG_SUSPEND     2
#define CSG_RESUME      3
#define CSG_EP_CFG      (1u << 4)
#define CSG_STATUS      (1u << 5)
#define CSG_SYNC        (1u << 28)
#define CSG_IDLE        (1u << 29)
#define CS_FATAL_BIT    (1u << 30)
#define CS_FAULT_BIT    (1u << 31)

/* Words of a group's and of a stream's output block */
#define STATUS_STATE    0x18
#define CMD_PTR         0x40
#define WAIT            0x48
#define RESOURCE        0x4c
#define SYNC_PTR        0x50
#define SYNC_VALUE      0x58
#define SCOREBOARDS     0x5c
#define BLOCKED         0x60
#define FAULT           0x80
#define FATAL           0x84
#define FAULT_INFO      0x88
#define FATAL_INFO      0x90

/* Instructions */
#define INSN(op, rest)  ((uint64_t)(op) << 56 | (rest))
#define NOP             0ull
#define MOVE48(d, v)    INSN(1, (uint64_t)(d) << 48 | (v))
#define MOVE32(d, v)    INSN(2, (uint64_t)(d) << 48 | (uint32_t)(v))
#define WAIT_ALL        INSN(3, 0xffull << 16)
#define WAIT_SLOTS(m)   INSN(3, (uint64_t)(m) << 16)
#define STORE(d, a, mask, off) \
                        INSN(21, (uint64_t)(d) << 48 | (uint64_t)(a) << 40 | \
                             (uint64_t)(mask) << 16 | (uint16_t)(off))
#define LOAD(d, a, mask, off) \
                        INSN(20, (uint64_t)(d) << 48 | (uint64_t)(a) << 40 | \
                             (uint64_t)(mask) << 16 | (uint16_t)(off))
#define ADD32(d, a, v)  INSN(16, (uint64_t)(d) << 48 | \
                             (uint64_t)(a) << 40 | (uint32_t)(v))
#define ADD64(d, a, v)  INSN(17, (uint64_t)(d) << 48 | \
                             (uint64_t)(a) << 40 | (uint32_t)(v))
#define BRANCH(c, a, off) \
                        INSN(22, (uint64_t)(a) << 40 | \
                             (uint64_t)(c) << 28 | (uint16_t)(off))
#define CALL(a, len)    INSN(32, (uint64_t)(a) << 40 | (uint64_t)(len) << 32)
#define JUMP(a, len)    INSN(33, (uint64_t)(a) << 40 | (uint64_t)(len) << 32)
#define FLUSH(id)       INSN(36, (uint64_t)(id) << 40 | 0x233)
#define SYNC(op, a, d, low) \
                        INSN(op, (uint64_t)(a) << 40 | \
                             (uint64_t)(d) << 32 | (low))
#define STORE_STATE(a, what) \
                        INSN(40, (uint64_t)(a) << 40 | \
                             (uint64_t)(what) << 32)
#define ERROR_BARRIER   INSN(47, 0ull)

enum {
    COND_LE, COND_GT, COND_EQ, COND_NE, COND_LT, COND_GE, COND_ALWAYS,
};

/* What a kernel's wrapper around a job keeps for itself */
#define REG_A           92
#define REG_B           94
#define JOB_WORDS       16

/** cs_boot: gpu_boot(), and the memory that groups need */
Gpu *cs_boot(const char *properties);

/** group_setup: configuration of a group with the first @streams streams */
void group_setup(Gpu *g, unsigned csg, unsigned streams);

/** group_request: a state, and a toggle of other requests, with a doorbell */
void group_request(Gpu *g, unsigned csg, uint32_t state, uint32_t toggle);

/** group_start: group_setup() and the request to start it */
void group_start(Gpu *g, unsigned csg, unsigned streams);

/** group_pending: request and event bits that are not answered */
uint32_t group_pending(Gpu *g, unsigned csg, uint32_t bits);

/** group_rearm: answer all events of a group and its streams, as a host does */
void group_rearm(Gpu *g, unsigned csg);

/** stream_pending: likewise of a stream */
uint32_t stream_pending(Gpu *g, unsigned csg, unsigned cs, uint32_t bits);

/** emit: the next instruction of a ring, without telling anybody */
void emit(Gpu *g, unsigned csg, unsigned cs, uint64_t insn);

/** emit_job: call @words of @code_va, then add 1 to the object at @sync_va */
void emit_job(Gpu *g, unsigned csg, unsigned cs, uint64_t code_va,
              unsigned words, uint64_t sync_va);

/** submit: tell of all that was emitted, with the stream's own doorbell */
void submit(Gpu *g, unsigned csg, unsigned cs);

/** put_code: instructions somewhere; they end with an instruction 0xff... */
unsigned put_code(Gpu *g, uint64_t va, const uint64_t *code);
#define CODE_END        UINT64_MAX

uint64_t extract_of(Gpu *g, unsigned csg, unsigned cs);
uint64_t insert_of(Gpu *g, unsigned csg, unsigned cs);
uint32_t data32(Gpu *g, uint64_t va);
uint64_t data64(Gpu *g, uint64_t va);
void set_data32(Gpu *g, uint64_t va, uint32_t value);

/** check_trap: the stream told of an exception of this type */
void check_trap(Gpu *g, unsigned csg, unsigned cs, bool fatal, unsigned type,
                uint64_t info);

#endif /* VMALI_TEST_CS_H */
