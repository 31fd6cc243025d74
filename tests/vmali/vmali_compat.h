/*
 * Virtual Arm Mali CSF GPU: what differs between versions of QEMU
 *
 * The model builds with QEMU 7.2 and later.  This header has all that depends
 * on the version, which no other file checks.  The tests include it too: it
 * says nothing about the GPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_MISC_VMALI_COMPAT_H
#define HW_MISC_VMALI_COMPAT_H

#define VMALI_QEMU_BEFORE(major, minor) \
    (QEMU_VERSION_MAJOR < (major) || \
     (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR < (minor)))

/* ---- Headers that have moved ---- */

#if VMALI_QEMU_BEFORE(10, 0)
#include "qapi/qmp/qdict.h"
#include "qapi/qmp/qlist.h"
#include "qapi/qmp/qnum.h"
#include "sysemu/device_tree.h"
#include "sysemu/sysemu.h"
#include "sysemu/tcg.h"
#else
#include "qobject/qdict.h"
#include "qobject/qlist.h"
#include "qobject/qnum.h"
#include "system/device_tree.h"
#include "system/system.h"
#include "system/tcg.h"
#endif

#if VMALI_QEMU_BEFORE(10, 1)
#include "exec/address-spaces.h"
#include "exec/memory.h"
#else
#include "system/address-spaces.h"
#include "system/memory.h"
#endif

#if VMALI_QEMU_BEFORE(11, 0)
#include "hw/irq.h"
#include "hw/platform-bus.h"
#include "hw/qdev-properties.h"
#include "hw/registerfields.h"
#include "hw/sysbus.h"
#else
#include "hw/core/irq.h"
#include "hw/core/platform-bus.h"
#include "hw/core/qdev-properties.h"
#include "hw/core/registerfields.h"
#include "hw/core/sysbus.h"
#endif

/* ---- Classes of devices ---- */

/**
 * VMaliClassData: what the second argument of a class_init() points to
 */
#if VMALI_QEMU_BEFORE(10, 1)
typedef void VMaliClassData;
#else
typedef const void VMaliClassData;
#endif

/**
 * VMaliProperty: element of the array for device_class_set_props()
 *
 * The array ends with VMALI_PROPERTIES_END, without a comma. The member
 * VMALI_PROPERTY_TYPE of PropertyInfo is the name of a property's type.
 */
#if VMALI_QEMU_BEFORE(10, 0)
typedef Property VMaliProperty;
#define VMALI_PROPERTIES_END    DEFINE_PROP_END_OF_LIST()
#define VMALI_PROPERTY_TYPE     name
#else
typedef const Property VMaliProperty;
#define VMALI_PROPERTIES_END
#define VMALI_PROPERTY_TYPE     type
#endif

/**
 * VMALI_RESET_ARGS: arguments of the hold phase of a reset
 */
#if VMALI_QEMU_BEFORE(9, 1)
#define VMALI_RESET_ARGS        Object *obj
#else
#define VMALI_RESET_ARGS        Object *obj, ResetType type
#endif

/* ---- Memory ---- */

/** vmali_tcg_enabled: QEMU translates the instructions of the guest */
static inline bool vmali_tcg_enabled(void)
{
    return tcg_enabled();
}

/**
 * vmali_access_is_direct: whether accesses to a region reach RAM or ROM alone
 * @mr: the region
 * @is_write: whether they are writes
 */
static inline bool vmali_access_is_direct(MemoryRegion *mr, bool is_write)
{
#if VMALI_QEMU_BEFORE(10, 0)
    return memory_access_is_direct(mr, is_write);
#else
    return memory_access_is_direct(mr, is_write, MEMTXATTRS_UNSPECIFIED);
#endif
}

#endif /* HW_MISC_VMALI_COMPAT_H */
