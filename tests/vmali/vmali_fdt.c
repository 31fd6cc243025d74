/*
 * Virtual Arm Mali CSF GPU: on the platform bus of a board
 *
 * The driver wants a clock, an operating point for it and, on some kernel
 * versions, a regulator with the voltage of that operating point.  More clocks
 * and operating points are a matter of properties.
 *
 * Names of clocks and regulators are unique in a kernel.  They contain the
 * GPU's address on the platform bus, since a machine may have several GPUs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/arm/fdt.h"
#include "qemu/module.h"
#include "vmali_internal.h"

#define SUPPLY_MICROVOLT        750000

static uint32_t add_fixed_clock(VMaliState *s, void *fdt, hwaddr addr,
                                unsigned clock)
{
    const char *name = vmali_clock_name[clock];
    g_autofree char *node = g_strdup_printf("/vmali-%s-clock-%" HWADDR_PRIx,
                                            name, addr);
    g_autofree char *output = g_strdup_printf("vmali-%s-%" HWADDR_PRIx, name,
                                              addr);
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", "fixed-clock");
    qemu_fdt_setprop_cell(fdt, node, "#clock-cells", 0);
    qemu_fdt_setprop_cell(fdt, node, "clock-frequency", s->time.hz[clock]);
    qemu_fdt_setprop_string(fdt, node, "clock-output-names", output);
    qemu_fdt_setprop_cell(fdt, node, "phandle", phandle);
    return phandle;
}

/* The page of clock registers, for a driver of the guest's own */
static uint32_t add_clock_provider(void *fdt, const char *parent, hwaddr addr,
                                   const GString *names)
{
    g_autofree char *node = g_strdup_printf("%s/clock-controller@%"
                                            HWADDR_PRIx, parent, addr);
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible",
                            "panthor-perf,vmali-clocks");
    qemu_fdt_setprop_cells(fdt, node, "reg", addr, CLOCK_PAGE_SIZE);
    qemu_fdt_setprop_cell(fdt, node, "#clock-cells", 1);
    qemu_fdt_setprop(fdt, node, "clock-output-names", names->str, names->len);
    qemu_fdt_setprop_cell(fdt, node, "phandle", phandle);
    return phandle;
}

/* Properties clocks and clock-names of the GPU's node, and what is behind */
static void add_clocks(VMaliState *s, void *fdt, const char *parent,
                       const char *gpu, hwaddr addr)
{
    g_autoptr(GString) names = g_string_new(NULL);
    uint32_t cell[2 * VMALI_NUM_CLOCKS];
    uint32_t provider = 0;
    unsigned i, n = 0;

    for (i = 0; i < s->prop.clocks; i++) {
        g_string_append_len(names, vmali_clock_name[i],
                            strlen(vmali_clock_name[i]) + 1);
    }
    if (s->prop.clock_provider) {
        provider = add_clock_provider(fdt, parent, addr + CLOCK_PAGE_BASE,
                                      names);
    }
    for (i = 0; i < s->prop.clocks; i++) {
        if (provider) {
            cell[n++] = cpu_to_be32(provider);
            cell[n++] = cpu_to_be32(i);
        } else {
            cell[n++] = cpu_to_be32(add_fixed_clock(s, fdt, addr, i));
        }
    }
    qemu_fdt_setprop(fdt, gpu, "clocks", cell, n * sizeof(cell[0]));
    qemu_fdt_setprop(fdt, gpu, "clock-names", names->str, names->len);
}

static uint32_t add_supply(void *fdt, hwaddr addr)
{
    g_autofree char *node = g_strdup_printf("/vmali-supply-%" HWADDR_PRIx,
                                            addr);
    const char *name = node + 1;
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", "regulator-fixed");
    qemu_fdt_setprop_string(fdt, node, "regulator-name", name);
    qemu_fdt_setprop_cell(fdt, node, "regulator-min-microvolt",
                          SUPPLY_MICROVOLT);
    qemu_fdt_setprop_cell(fdt, node, "regulator-max-microvolt",
                          SUPPLY_MICROVOLT);
    qemu_fdt_setprop_cell(fdt, node, "phandle", phandle);
    return phandle;
}

static void add_operating_point(void *fdt, const char *table, uint32_t hz)
{
    g_autofree char *node = g_strdup_printf("%s/opp-%u", table, hz);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_u64(fdt, node, "opp-hz", hz);
    qemu_fdt_setprop_cell(fdt, node, "opp-microvolt", SUPPLY_MICROVOLT);
}

/* Clocks that can be set have three more points, down to half of the rate. */
static uint32_t add_operating_points(VMaliState *s, void *fdt, hwaddr addr)
{
    g_autofree char *table = g_strdup_printf("/vmali-opp-table-%" HWADDR_PRIx,
                                             addr);
    uint32_t hz = s->time.hz[VMALI_CLOCK_CORE];
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);

    qemu_fdt_add_subnode(fdt, table);
    qemu_fdt_setprop_string(fdt, table, "compatible", "operating-points-v2");
    qemu_fdt_setprop_cell(fdt, table, "phandle", phandle);
    add_operating_point(fdt, table, hz);
    if (s->prop.clock_provider) {
        add_operating_point(fdt, table, hz / 4 * 3);
        add_operating_point(fdt, table, hz / 8 * 5);
        add_operating_point(fdt, table, hz / 2);
    }
    return phandle;
}

static void add_fdt_node(SysBusDevice *sbdev, void *fdt, const char *parent,
                         PlatformBusDevice *pbus, int irq_start)
{
    static const char irq_names[] = "job\0mmu\0gpu";
    VMaliState *s = VMALI_GPU(sbdev);
    hwaddr addr = platform_bus_get_mmio_addr(pbus, sbdev, 0);
    g_autofree char *node = g_strdup_printf("%s/gpu@%" HWADDR_PRIx, parent,
                                            addr);
    uint32_t supply = add_supply(fdt, addr);
    uint32_t opp = add_operating_points(s, fdt, addr);
    uint32_t irq[3 * VMALI_NUM_LINES];
    unsigned i;

    for (i = 0; i < VMALI_NUM_LINES; i++) {
        uint32_t spi = irq_start + platform_bus_get_irqn(pbus, sbdev, i);

        irq[3 * i] = cpu_to_be32(GIC_FDT_IRQ_TYPE_SPI);
        irq[3 * i + 1] = cpu_to_be32(spi);
        irq[3 * i + 2] = cpu_to_be32(GIC_FDT_IRQ_FLAGS_LEVEL_HI);
    }

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", "arm,mali-valhall-csf");
    qemu_fdt_setprop_cells(fdt, node, "reg", addr, VMALI_MMIO_SIZE);
    qemu_fdt_setprop(fdt, node, "interrupts", irq, sizeof(irq));
    qemu_fdt_setprop(fdt, node, "interrupt-names", irq_names,
                     sizeof(irq_names));
    add_clocks(s, fdt, parent, node, addr);
    qemu_fdt_setprop_cell(fdt, node, "operating-points-v2", opp);
    qemu_fdt_setprop_cell(fdt, node, "mali-supply", supply);
    /* The machine's root node may say dma-coherent for all: QEMU 10's does. */
    qemu_fdt_setprop(fdt, node,
                     s->prop.coherent ? "dma-coherent" : "dma-noncoherent",
                     NULL, 0);
}

static void vmali_class_init(ObjectClass *klass, VMaliClassData *data)
{
    DEVICE_CLASS(klass)->user_creatable = true;
    VMALI_CLASS(klass)->add_fdt_node = add_fdt_node;
}

static const TypeInfo vmali_info = {
    .name = TYPE_VMALI,
    .parent = TYPE_VMALI_GPU,
    .class_size = sizeof(VMaliClass),
    .class_init = vmali_class_init,
};

static void vmali_register_types(void)
{
    type_register_static(&vmali_info);
}
type_init(vmali_register_types)
