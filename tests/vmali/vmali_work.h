/*
 * Virtual Arm Mali CSF GPU: counters of the work that was done
 *
 * All of these do nothing unless the counters are those of work, and enabled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_WORK_H
#define VMALI_WORK_H

#include "vmali_internal.h"

/* Of a vertex and tiling job */
#define INDICES_PER_TASK        64

/** vmali_work_init: counters are those of work from now on */
void vmali_work_init(VMaliState *s);
void vmali_work_free(VMaliState *s);

/** vmali_work_value: what a counter has come to since it was cleared */
uint32_t vmali_work_value(const VMaliState *s, VMaliBlockType type,
                          uint32_t index, uint32_t word);

/** vmali_work_clear: the counters of a block start again at 0 */
void vmali_work_clear(VMaliState *s, VMaliBlockType type, uint32_t index);

/** vmali_work_clear_all: those of all blocks */
void vmali_work_clear_all(VMaliState *s);

/** vmali_work_doorbell: the firmware looked at its requests */
void vmali_work_doorbell(VMaliState *s);

/** vmali_work_acks: the firmware acknowledged @count requests */
void vmali_work_acks(VMaliState *s, unsigned count);

/** vmali_work_irqs: @count bits of the job interrupt were raised */
void vmali_work_irqs(VMaliState *s, unsigned count);

/** vmali_work_flush: caches were flushed */
void vmali_work_flush(VMaliState *s);

/** vmali_work_instruction: stream @cs of a group retired one */
void vmali_work_instruction(VMaliState *s, unsigned cs);

/** vmali_work_blocked: stream @cs of a group found that it has to wait */
void vmali_work_blocked(VMaliState *s, unsigned cs);

/** vmali_work_lsu: cycles of the load and store unit */
void vmali_work_lsu(VMaliState *s, unsigned cycles);

/** vmali_work_access: a stream read or wrote up to 8 bytes of one line */
void vmali_work_access(VMaliState *s, hwaddr pa, bool is_write);

/**
 * vmali_work_compute: a compute job
 * @cores: that it may use
 * @tasks: that it was cut into
 * @warps: in all of them
 */
void vmali_work_compute(VMaliState *s, uint64_t cores, uint64_t tasks,
                        uint64_t warps);

/** vmali_work_neural: a job of so many tasks for the accelerators of @cores */
void vmali_work_neural(VMaliState *s, uint64_t cores, uint64_t tasks);

/** vmali_work_fragment: a fragment job of so many tiles */
void vmali_work_fragment(VMaliState *s, uint64_t cores, uint64_t tiles);

/**
 * vmali_work_tiler: a vertex and tiling job
 * @indices: of vertices
 * @primitive: type of primitive
 */
void vmali_work_tiler(VMaliState *s, uint32_t indices, unsigned primitive);

#endif /* VMALI_WORK_H */
