/*
 * Virtual Arm Mali CSF GPU: the firmware interface in shared memory
 *
 * The shared section starts at GPU address 0x04000000 of address space 0.
 * Where the firmware places the input and output blocks inside is its own
 * business; it tells the host in the control structures.
 *
 *   0x00000  global control
 *   0x01000  group controls, each followed by its stream controls
 *   0x06000  global input          0x07000  global output
 *   0x08000  group inputs          0x0a000  group outputs
 *   0x10000  stream inputs         0x50000  stream outputs
 *   0x90000  end
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_IFACE_H
#define VMALI_IFACE_H

#include "hw/misc/vmali_compat.h"

#define IFACE_VA                0x04000000
#define IFACE_SIZE              0x90000

#define IFACE_GLB_CONTROL       0x00000
#define IFACE_CSG_CONTROL       0x01000
#define IFACE_GLB_INPUT         0x06000
#define IFACE_GLB_OUTPUT        0x07000
#define IFACE_CSG_INPUT         0x08000
#define IFACE_CSG_OUTPUT        0x0a000
#define IFACE_CS_INPUT          0x10000
#define IFACE_CS_OUTPUT         0x50000
#define IFACE_BLOCK_STRIDE      0x100

#define IFACE_MIN_GROUPS        3
#define IFACE_MAX_GROUPS        16      /* doorbell pages but the first one */
#define IFACE_MIN_STREAMS       8
#define IFACE_MAX_STREAMS       32

/* Global control block */
#define GLB_VERSION             0x00
#define GLB_FEATURES            0x04
#define GLB_INPUT_VA            0x08
#define GLB_OUTPUT_VA           0x0c
#define GLB_GROUP_NUM           0x10
#define GLB_GROUP_STRIDE        0x14
#define GLB_PRFCNT_SIZE         0x18
#define GLB_INSTR_FEATURES      0x1c
#define GLB_PRFCNT_FEATURES     0x20

/* Group control block */
#define CSG_FEATURES            0x00
#define CSG_INPUT_VA            0x04
#define CSG_OUTPUT_VA           0x08
#define CSG_SUSPEND_SIZE        0x0c
#define CSG_PROTM_SUSPEND_SIZE  0x10
#define CSG_STREAM_NUM          0x14
#define CSG_STREAM_STRIDE       0x18
#define CSG_STREAM_CONTROL      0x40

/* Stream control block */
#define CS_FEATURES             0x00
#define CS_INPUT_VA             0x04
#define CS_OUTPUT_VA            0x08
#define CS_CONTROL_SIZE         0x0c

/* Global input block */
#define GLB_REQ                 0x00
#define GLB_ACK_IRQ_MASK        0x04
#define GLB_DB_REQ              0x08
#define GLB_PROGRESS_TIMER      0x10    /* units of 1024 cycles, 0: off */
#define GLB_PWROFF_TIMER        0x14
#define GLB_CORE_EN_MASK        0x18
#define GLB_PRFCNT_JASID        0x24
#define GLB_PRFCNT_BASE         0x28
#define GLB_PRFCNT_EXTRACT      0x30
#define GLB_PRFCNT_CONFIG       0x40
#define GLB_PRFCNT_CSG_SELECT   0x44
#define GLB_PRFCNT_FW_EN        0x48
#define GLB_PRFCNT_CSG_EN       0x4c
#define GLB_PRFCNT_CSHW_EN      0x50
#define GLB_PRFCNT_SHADER_EN    0x54
#define GLB_PRFCNT_TILER_EN     0x58
#define GLB_PRFCNT_MEMSYS_EN    0x5c
#define GLB_PRFCNT_NEURAL_EN    0x60
#define GLB_IDLE_TIMER          0x80
#define GLB_IDLE_TIMER_CONFIG   0x84

FIELD(PWROFF_TIMER, PERIOD, 0, 31)              /* 0: the host switches cores */
FIELD(PWROFF_TIMER, CORE_CLOCK, 31, 1)
FIELD(IDLE_TIMER, PERIOD, 0, 31)                /* units of 1024 ticks */
FIELD(IDLE_TIMER, CORE_CLOCK, 31, 1)            /* of that or the time stamp */
FIELD(IDLE_TIMER_CONFIG, NO_MODIFIER, 0, 1)     /* units of one tick */

FIELD(PRFCNT_CONFIG, SIZE, 0, 8)
FIELD(PRFCNT_CONFIG, SET_SELECT, 8, 2)
FIELD(PRFCNT_CONFIG, METADATA_ENABLE, 10, 1)
FIELD(PRFCNT_CONFIG, RESERVED, 11, 21)

/* Global output block */
#define GLB_ACK                 0x00
#define GLB_DB_ACK              0x08
#define GLB_HALT_STATUS         0x10
#define GLB_PRFCNT_INSERT       0x18

/* Bits of GLB_REQ, GLB_ACK and GLB_ACK_IRQ_MASK */
FIELD(GLB, HALT, 0, 1)
FIELD(GLB, CFG_PROGRESS_TIMER, 1, 1)
FIELD(GLB, CFG_ALLOC_EN, 2, 1)
FIELD(GLB, CFG_PWROFF_TIMER, 3, 1)
FIELD(GLB, PROTM_ENTER, 4, 1)
FIELD(GLB, PRFCNT_ENABLE, 5, 1)
FIELD(GLB, PRFCNT_SAMPLE, 6, 1)
FIELD(GLB, COUNTER_ENABLE, 7, 1)
FIELD(GLB, PING, 8, 1)
FIELD(GLB, FIRMWARE_CONFIG_UPDATE, 9, 1)
FIELD(GLB, IDLE_ENABLE, 10, 1)
FIELD(GLB, SLEEP, 12, 1)
FIELD(GLB, CFG_EVICTION_TIMER, 16, 1)
FIELD(GLB, PRFCNT_THRESHOLD, 24, 1)
FIELD(GLB, PRFCNT_OVERFLOW, 25, 1)
FIELD(GLB, IDLE_EVENT, 26, 1)

/* Group input and output blocks */
#define CSG_REQ                 0x00
#define CSG_ACK_IRQ_MASK        0x04
#define CSG_DB_REQ              0x08
#define CSG_IRQ_ACK             0x0c
#define CSG_ALLOW_COMPUTE       0x20
#define CSG_ALLOW_FRAGMENT      0x28
#define CSG_EP_REQ              0x34
#define CSG_SUSPEND_BUF         0x40
#define CSG_CONFIG              0x50
#define CSG_ACK                 0x00
#define CSG_DB_ACK              0x08
#define CSG_IRQ_REQ             0x0c
#define CSG_STATUS_EP_CURRENT   0x10
#define CSG_STATUS_EP_REQ       0x14
#define CSG_STATUS_STATE        0x18
#define CSG_RESOURCE_DEP        0x1c

FIELD(CSG, STATE, 0, 3)
FIELD(CSG, EP_CFG, 4, 1)
FIELD(CSG, STATUS_UPDATE, 5, 1)
FIELD(CSG, SYNC_UPDATE, 28, 1)
FIELD(CSG, IDLE, 29, 1)
FIELD(CSG, PROGRESS_TIMER, 31, 1)
FIELD(CSG, EVENTS, 28, 4)
enum {
    CSG_STATE_TERMINATE = 0,
    CSG_STATE_START = 1,
    CSG_STATE_SUSPEND = 2,
    CSG_STATE_RESUME = 3,
};
FIELD(CSG_CONFIG, AS, 0, 4)
FIELD(CSG_EP_REQ, COMPUTE, 0, 8)
FIELD(CSG_EP_REQ, FRAGMENT, 8, 8)
FIELD(CSG_EP_REQ, TILER, 16, 4)
FIELD(CSG_EP_REQ, PRIORITY, 28, 4)
FIELD(CSG_STATUS_STATE, IDLE, 0, 1)

/* Stream input and output blocks, and the pages that they point to */
#define CS_REQ                  0x00
#define CS_CONFIG               0x04
#define CS_ACK_IRQ_MASK         0x0c
#define CS_RING_BASE            0x10
#define CS_RING_SIZE            0x18
#define CS_HEAP_START           0x20
#define CS_HEAP_END             0x28
#define CS_USER_INPUT           0x30
#define CS_USER_OUTPUT          0x38
#define CS_ACK                  0x00
#define CS_STATUS_CMD_PTR       0x40
#define CS_STATUS_WAIT          0x48
#define CS_STATUS_RESOURCE      0x4c
#define CS_STATUS_SYNC_PTR      0x50
#define CS_STATUS_SYNC_VALUE    0x58
#define CS_STATUS_SCOREBOARDS   0x5c
#define CS_STATUS_BLOCKED       0x60
#define CS_STATUS_SYNC_VALUE_HI 0x64
#define CS_FAULT                0x80
#define CS_FATAL                0x84
#define CS_FAULT_INFO           0x88
#define CS_FATAL_INFO           0x90
#define CS_HEAP_VT_START        0xc0
#define CS_HEAP_VT_END          0xc4
#define CS_HEAP_FRAG_END        0xcc
#define CS_HEAP_ADDRESS         0xd0
FIELD(CS, STATE, 0, 3)
FIELD(CS, IDLE_SYNC_WAIT, 8, 1)
FIELD(CS, IDLE_EMPTY, 10, 1)
FIELD(CS, TILER_OOM, 26, 1)
FIELD(CS, FATAL, 30, 1)
FIELD(CS, FAULT, 31, 1)
FIELD(HEAP_CHUNK, PAGES, 0, 12)                 /* size, below the address */
FIELD(CS_CONFIG, PRIORITY, 0, 4)
FIELD(CS_CONFIG, USER_DOORBELL, 8, 8)
FIELD(CS_STATUS_WAIT, SB_MASK, 0, 16)
FIELD(CS_STATUS_WAIT, SB_SOURCE, 16, 4)
#define SB_SOURCE_WAIT          8       /* the instruction of that name */
FIELD(CS_STATUS_WAIT, CONDITION, 24, 4)
FIELD(CS_STATUS_WAIT, PROGRESS, 28, 1)
FIELD(CS_STATUS_WAIT, SYNC_64, 30, 1)
FIELD(CS_STATUS_WAIT, SYNC, 31, 1)
FIELD(CS_STATUS_RESOURCE, REQUESTED, 0, 5)
FIELD(CS_STATUS_RESOURCE, GRANTED, 16, 5)
#define CS_USER_INSERT          0x0
#define CS_USER_EXTRACT_INIT    0x8
#define CS_USER_EXTRACT         0x0
#define CS_USER_ACTIVE          0x8

#endif /* VMALI_IFACE_H */
