/*
 * Virtual Arm Mali CSF GPU: what boards and the device-tree code need to know
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_MISC_VMALI_H
#define HW_MISC_VMALI_H

#include "hw/misc/vmali_compat.h"

#define TYPE_VMALI "vmali"

/**
 * vmali_add_fdt_node: describe the GPU in the guest's device tree
 * @sbdev: the device
 * @fdt: the device tree
 * @parent: path of the platform bus node
 * @pbus: the platform bus that the device was plugged into
 * @irq_start: first interrupt of the platform bus at its interrupt controller
 *
 * Adds the GPU below @parent and, beside it, the clocks, the operating points
 * and the fixed regulator that the node refers to.
 */
void vmali_add_fdt_node(SysBusDevice *sbdev, void *fdt, const char *parent,
                        PlatformBusDevice *pbus, int irq_start);

#endif /* HW_MISC_VMALI_H */
