/*
 * Virtual Arm Mali CSF GPU: what the device-tree code needs to know
 *
 * Nothing here refers to the model, which a configuration may leave out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_MISC_VMALI_H
#define HW_MISC_VMALI_H

#include "hw/misc/vmali_compat.h"

#define TYPE_VMALI "vmali"

/**
 * VMaliClass: a GPU on a platform bus
 * @add_fdt_node: describe the GPU in the guest's device tree
 *     @fdt: the device tree
 *     @parent: path of the platform bus node
 *     @pbus: the platform bus that the device was plugged into
 *     @irq_start: first interrupt of the bus at its interrupt controller
 *     Adds the GPU below @parent and, beside it, the clocks, the operating
 *     points and the fixed regulator that the node refers to.
 */
typedef struct VMaliClass {
    SysBusDeviceClass parent_class;

    void (*add_fdt_node)(SysBusDevice *sbdev, void *fdt, const char *parent,
                         PlatformBusDevice *pbus, int irq_start);
} VMaliClass;

DECLARE_CLASS_CHECKERS(VMaliClass, VMALI, TYPE_VMALI)

#endif /* HW_MISC_VMALI_H */
