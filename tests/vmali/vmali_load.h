/*
 * Virtual Arm Mali CSF GPU: counters of a load that a file describes
 *
 * All of these do nothing unless the counters are those of a load.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_LOAD_H
#define VMALI_LOAD_H

#include "vmali_internal.h"

/**
 * vmali_load_open: counters are those of the load in the file of the property
 * from now on
 *
 * Return: true, or false with @errp set if there is none in it.
 */
bool vmali_load_open(VMaliState *s, Error **errp);
void vmali_load_close(VMaliState *s);

/** vmali_load_start: the load begins, all counters are 0 */
void vmali_load_start(VMaliState *s, int64_t now);

/** vmali_load_value: what a counter has come to since it was cleared */
uint32_t vmali_load_value(const VMaliState *s, VMaliBlockType type,
                          uint32_t index, uint32_t word, int64_t now);

/**
 * vmali_load_works: has a block work now?
 *
 * Return: true if one of its counters counts.
 */
bool vmali_load_works(const VMaliState *s, VMaliBlockType type,
                      uint32_t index, int64_t now);

/** vmali_load_clear: the counters of a block start again at 0 */
void vmali_load_clear(VMaliState *s, VMaliBlockType type, uint32_t index,
                      int64_t now);

/** vmali_load_clear_all: those of all blocks */
void vmali_load_clear_all(VMaliState *s, int64_t now);

#endif /* VMALI_LOAD_H */
