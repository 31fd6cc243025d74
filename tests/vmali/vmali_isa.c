/*
 * Virtual Arm Mali CSF GPU: at a fixed address of a PC
 *
 * A PC's machine has no bus for devices that are not enumerated, but the ISA
 * bus: its address space is that of the system, and its interrupts reach the
 * IO-APIC.  The guest's kernel needs a device tree with what is said here, and
 * a driver for the interrupts; see tests/igt.
 *
 * The GPU is the child "gpu" of this device, which has all of its properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/isa/isa.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "vmali_internal.h"

#define TYPE_VMALI_ISA "vmali-isa"
OBJECT_DECLARE_SIMPLE_TYPE(VMaliIsaState, VMALI_ISA)

/* Between the local APIC's window and the firmware's flash */
#define VMALI_ISA_BASE          0xff000000

struct VMaliIsaState {
    ISADevice parent_obj;

    VMaliState gpu;
};

/* Lines that PCI's interrupts leave alone while no PCI device wants one */
static const unsigned isa_irq[VMALI_NUM_LINES] = {
    [VMALI_IRQ_JOB] = 5,
    [VMALI_IRQ_MMU] = 10,
    [VMALI_IRQ_GPU] = 11,
};

static void vmali_isa_realize(DeviceState *dev, Error **errp)
{
    VMaliIsaState *s = VMALI_ISA(dev);
    ISADevice *isa = ISA_DEVICE(dev);
    SysBusDevice *gpu = SYS_BUS_DEVICE(&s->gpu);
    unsigned i;

    if (!sysbus_realize(gpu, errp)) {
        return;
    }
    memory_region_add_subregion(isa_address_space(isa), VMALI_ISA_BASE,
                                sysbus_mmio_get_region(gpu, 0));
    for (i = 0; i < VMALI_NUM_LINES; i++) {
        sysbus_connect_irq(gpu, i, isa_get_irq(isa, isa_irq[i]));
    }
}

static void vmali_isa_init(Object *obj)
{
    VMaliIsaState *s = VMALI_ISA(obj);

    object_initialize_child(obj, "gpu", &s->gpu, TYPE_VMALI_GPU);
    qdev_alias_all_properties(DEVICE(&s->gpu), obj);
}

static const VMStateDescription vmstate_vmali_isa = {
    .name = TYPE_VMALI_ISA,
    .unmigratable = 1,
};

static void vmali_isa_class_init(ObjectClass *klass, VMaliClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Virtual Arm Mali CSF GPU at a fixed address";
    dc->realize = vmali_isa_realize;
    dc->vmsd = &vmstate_vmali_isa;
    dc->user_creatable = true;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo vmali_isa_info = {
    .name = TYPE_VMALI_ISA,
    .parent = TYPE_ISA_DEVICE,
    .instance_size = sizeof(VMaliIsaState),
    .instance_init = vmali_isa_init,
    .class_init = vmali_isa_class_init,
};

static void vmali_isa_register_types(void)
{
    type_register_static(&vmali_isa_info);
}
type_init(vmali_isa_register_types)
