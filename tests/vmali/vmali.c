/*
 * Virtual Arm Mali CSF GPU: registers, interrupts, power, reset
 *
 * The driver sees a GPU whose firmware is C inside this device: register
 * writes take effect before they return, power-ups and flushes included.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "trace.h"
#include "vmali_cs.h"
#include "vmali_load.h"
#include "vmali_work.h"

static const char *const irq_name[VMALI_NUM_IRQS] = {
    [VMALI_IRQ_JOB] = "job",
    [VMALI_IRQ_MMU] = "mmu",
    [VMALI_IRQ_GPU] = "gpu",
    [VMALI_IRQ_PWR] = "pwr",
};

/* ---- Interrupts ---- */

static void irq_update(VMaliState *s, unsigned group)
{
    VMaliIrq *irq = &s->irq[group];
    bool level = irq->rawstat & irq->mask;

    trace_vmali_irq(irq_name[group], irq->rawstat, irq->mask, level);
    if (group == VMALI_IRQ_GPU || group == VMALI_IRQ_PWR) {
        const VMaliIrq *gpu = &s->irq[VMALI_IRQ_GPU];
        const VMaliIrq *pwr = &s->irq[VMALI_IRQ_PWR];

        qemu_set_irq(gpu->line, (gpu->rawstat & gpu->mask) ||
                                (pwr->rawstat & pwr->mask));
        return;
    }
    qemu_set_irq(irq->line, level);
}

void vmali_irq_raise(VMaliState *s, unsigned group, uint32_t events)
{
    if (group == VMALI_IRQ_JOB) {
        vmali_work_irqs(s, ctpop32(events & ~s->irq[group].rawstat));
    }
    s->irq[group].rawstat |= events;
    irq_update(s, group);
}

static uint32_t irq_read(VMaliState *s, unsigned group, hwaddr reg)
{
    const VMaliIrq *irq = &s->irq[group];

    switch (reg) {
    case IRQ_RAWSTAT:
        return irq->rawstat;
    case IRQ_MASK:
        return irq->mask;
    case IRQ_STAT:
        return irq->rawstat & irq->mask;
    default:
        return 0;
    }
}

static void irq_write(VMaliState *s, unsigned group, hwaddr reg,
                      uint32_t value)
{
    VMaliIrq *irq = &s->irq[group];

    switch (reg) {
    case IRQ_RAWSTAT:
        irq->rawstat |= value;
        break;
    case IRQ_CLEAR:
        irq->rawstat &= ~value;
        break;
    case IRQ_MASK:
        irq->mask = value;
        break;
    default:
        vmali_violation(s, "write to read-only register %s STAT",
                        irq_name[group]);
        return;
    }
    irq_update(s, group);
}

/* ---- Power ---- */

static void domain_set(VMaliState *s, unsigned domain, uint64_t ready)
{
    VMaliDomain *d = &s->domain[domain];

    ready &= d->present;
    if (ready == d->ready) {
        return;
    }
    trace_vmali_power(domain, d->ready, ready);
    d->ready = ready;
    if (vmali_pwr_exists(s)) {
        vmali_irq_raise(s, VMALI_IRQ_PWR,
                        R_PWR_IRQ_POWER_CHANGED_SINGLE_MASK |
                        R_PWR_IRQ_POWER_CHANGED_ALL_MASK);
        return;
    }
    vmali_irq_raise(s, VMALI_IRQ_GPU, R_GPU_IRQ_POWER_CHANGED_SINGLE_MASK |
                                      R_GPU_IRQ_POWER_CHANGED_ALL_MASK);
}

void vmali_cores_power(VMaliState *s, bool tiler, uint64_t shader_mask,
                       uint64_t neural_mask)
{
    if (vmali_pwr_is_delegated(s, VMALI_DOMAIN_TILER)) {
        domain_set(s, VMALI_DOMAIN_TILER, tiler ? ~0ull : 0);
    }
    if (vmali_pwr_is_delegated(s, VMALI_DOMAIN_SHADER)) {
        domain_set(s, VMALI_DOMAIN_SHADER, shader_mask);
        domain_set(s, VMALI_DOMAIN_NEURAL, neural_mask);
    }
}

void vmali_domain_command(VMaliState *s, unsigned domain, uint64_t units,
                          bool up)
{
    uint64_t ready = s->domain[domain].ready;

    if (up) {
        domain_set(s, domain, ready | units);
        return;
    }
    domain_set(s, domain, ready & ~units);
    if (domain == VMALI_DOMAIN_L2 && !s->domain[domain].ready) {
        domain_set(s, VMALI_DOMAIN_TILER, 0);
        domain_set(s, VMALI_DOMAIN_SHADER, 0);
        domain_set(s, VMALI_DOMAIN_NEURAL, 0);
        vmali_cycles_reset(s);
    }
}

static uint32_t power_read(VMaliState *s, hwaddr offset)
{
    unsigned shift = FIELD_EX32(offset, POWER, HIGH) * 32;
    unsigned domain = FIELD_EX32(offset, POWER, DOMAIN);
    const VMaliDomain *d = &s->domain[domain];

    switch (POWER_ROLE(offset)) {
    case POWER_PRESENT:
        return d->present >> shift;
    case POWER_READY:
    case POWER_PWRACTIVE:
        return d->ready >> shift;
    default:
        /* Commands read as 0, and no transition is ever under way. */
        return 0;
    }
}

static bool power_write(VMaliState *s, hwaddr offset, uint32_t value)
{
    unsigned shift = FIELD_EX32(offset, POWER, HIGH) * 32;
    unsigned domain = FIELD_EX32(offset, POWER, DOMAIN);
    uint64_t bits = (uint64_t)value << shift;

    switch (POWER_ROLE(offset)) {
    case POWER_PWRON:
        /* The tiler has no power without the L2 cache. */
        if (domain == VMALI_DOMAIN_TILER) {
            domain_set(s, VMALI_DOMAIN_L2, ~0ull);
        }
        vmali_domain_command(s, domain, bits, true);
        return true;
    case POWER_PWROFF:
        vmali_domain_command(s, domain, bits, false);
        return true;
    default:
        return false;
    }
}

static bool is_power(const VMaliState *s, hwaddr offset)
{
    return !vmali_pwr_exists(s) && offset >= POWER_BASE &&
           offset < POWER_END && !(offset & 0x8) &&
           FIELD_EX32(offset, POWER, DOMAIN) < VMALI_NUM_OLD_DOMAINS;
}

/* ---- Commands ---- */

/* What every kind of reset does to the GPU. */
static void gpu_reset(VMaliState *s)
{
    unsigned i;

    vmali_mcu_reset(s);
    vmali_mmu_reset(s);
    for (i = 0; i < VMALI_NUM_DOMAINS; i++) {
        s->domain[i].ready = 0;
    }
    vmali_pwr_reset(s);
    vmali_cycles_reset(s);
    s->gpu_fault_status = 0;
    s->gpu_fault_address = 0;
    s->l2_config = 0;
    s->coherency_enable = 0;
    s->time.offset = 0;
    s->irq[VMALI_IRQ_JOB].rawstat = 0;
    s->irq[VMALI_IRQ_JOB].mask = 0;
    s->irq[VMALI_IRQ_MMU].rawstat = 0;
    s->irq[VMALI_IRQ_MMU].mask = 0;
    irq_update(s, VMALI_IRQ_JOB);
    irq_update(s, VMALI_IRQ_MMU);
}

void vmali_flush_caches(VMaliState *s)
{
    /* 24 bits, never 0, which means "flush always" to the host. */
    s->flush_id = (s->flush_id + 1) & 0xffffff ?: 1;
    vmali_work_flush(s);
}

void vmali_gpu_reset(VMaliState *s, const char *kind)
{
    gpu_reset(s);
    vmali_truth(s, "reset kind=%s timestamp=%" PRIu64, kind,
                vmali_timestamp(s));
}

static void gpu_command(VMaliState *s, uint32_t value)
{
    static const char *const kind[] = { "fast", "soft", "hard" };
    uint32_t payload = FIELD_EX32(value, GPU_COMMAND, PAYLOAD);

    switch (FIELD_EX32(value, GPU_COMMAND, CODE)) {
    case GPU_COMMAND_NOP:
        break;
    case GPU_COMMAND_RESET:
        if (payload >= ARRAY_SIZE(kind) || vmali_pwr_exists(s)) {
            vmali_violation(s, "GPU_COMMAND 0x%08x: no such reset", value);
            break;
        }
        vmali_gpu_reset(s, kind[payload]);
        /* The GPU group keeps its mask: the host waits with it. */
        vmali_irq_raise(s, VMALI_IRQ_GPU, R_GPU_IRQ_RESET_COMPLETED_MASK);
        break;
    case GPU_COMMAND_CYCLE_COUNT:
        vmali_cycles_enable(s, payload & 1);
        break;
    case GPU_COMMAND_FLUSH_CACHES:
        vmali_flush_caches(s);
        vmali_irq_raise(s, VMALI_IRQ_GPU,
                        R_GPU_IRQ_CLEAN_CACHES_COMPLETED_MASK);
        break;
    case GPU_COMMAND_CLEAR_FAULT:
        s->gpu_fault_status = 0;
        s->gpu_fault_address = 0;
        break;
    case GPU_COMMAND_FLUSH_PA_RANGE:
        vmali_irq_raise(s, VMALI_IRQ_GPU,
                        R_GPU_IRQ_FLUSH_PA_RANGE_COMPLETED_MASK);
        break;
    default:
        vmali_unimplemented(s, "write 0x%x (command 0x%08x)", A_GPU_COMMAND,
                            value);
    }
}

/* ---- Register window ---- */

/**
 * feature_read: constant registers
 *
 * Values of a G610 unless the architecture says otherwise.
 *
 * Return: false if @offset is no such register.
 */
static bool feature_read(const VMaliState *s, hwaddr offset, uint32_t *value)
{
    unsigned arch = vmali_arch_major(s);
    uint32_t v = 0;

    switch (offset) {
    case A_GPU_ID:
        v = s->prop.gpu_id;
        break;
    case A_L2_FEATURES:
        v = arch >= 12 ? 0x08130306 : 0x07120306;
        break;
    case A_CORE_FEATURES:
        v = s->prop.core_features;
        break;
    case A_TILER_FEATURES:
        v = 0x809;
        break;
    case A_MEM_FEATURES:
        v = FIELD_DP32(v, MEM_FEATURES, COHERENT_CORE_GROUP, 1);
        v = FIELD_DP32(v, MEM_FEATURES, L2_SLICES, s->prop.l2_slices - 1);
        break;
    case A_MMU_FEATURES:
        v = FIELD_DP32(v, MMU_FEATURES, VA_BITS, VMALI_VA_BITS);
        v = FIELD_DP32(v, MMU_FEATURES, PA_BITS, VMALI_PA_BITS);
        break;
    case A_AS_PRESENT:
        v = MAKE_64BIT_MASK(0, VMALI_NUM_AS);
        break;
    case A_PRFCNT_FEATURES:
        v = s->prop.prfcnt_features;
        break;
    case A_THREAD_MAX_THREADS:
        v = 0x800;
        break;
    case A_THREAD_MAX_WORKGROUP_SIZE:
    case A_THREAD_MAX_BARRIER_SIZE:
        v = 0x400;
        break;
    case A_THREAD_FEATURES:
        v = arch >= 12 ? 0x10010000 : 0x04010000;
        break;
    case A_TEXTURE_FEATURES_0:
        v = 0x000fffff;
        break;
    case A_TEXTURE_FEATURES_1:
        v = 0x0000ffff;
        break;
    case A_TEXTURE_FEATURES_2:
        v = 0x9f81ffff;
        break;
    case A_COHERENCY_FEATURES:
        v = FIELD_DP32(v, COHERENCY_FEATURES, ACE_LITE, s->prop.coherent);
        break;
    case A_GPU_FEATURES_LO:
        v = FIELD_DP32(v, GPU_FEATURES_LO, NEURAL, !!s->prop.neural_present);
        break;
    case A_CSF_ID:
    case A_GPU_FEATURES_HI:
    case A_TEXTURE_FEATURES_3:
    case A_REVID:
        break;
    default:
        return false;
    }
    *value = v;
    return true;
}

/* Registers of features that the GPU does not have: they read as 0. */
static bool is_absent(hwaddr offset)
{
    static const struct {
        hwaddr first;
        hwaddr last;
    } range[] = {
        { A_PWR_OVERRIDE0, A_PWR_OVERRIDE1 },
        { 0x000d0, 0x000dc },
        { 0x00320, 0x0035c },
        { 0x00e00, 0x00e44 },
        { 0x00f00, 0x00f0c },
        { 0x40000, 0x4fffc },
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(range); i++) {
        if (offset >= range[i].first && offset <= range[i].last) {
            return true;
        }
    }
    return false;
}

/* Which interrupt group owns this register?  VMALI_NUM_IRQS: none. */
static unsigned irq_group(const VMaliState *s, hwaddr offset)
{
    switch (offset & ~0xfull) {
    case A_PWR_IRQ_RAWSTAT:
        return vmali_pwr_exists(s) ? VMALI_IRQ_PWR : VMALI_NUM_IRQS;
    case A_GPU_IRQ_RAWSTAT:
        return VMALI_IRQ_GPU;
    case A_JOB_IRQ_RAWSTAT:
        return VMALI_IRQ_JOB;
    case A_MMU_IRQ_RAWSTAT:
        return VMALI_IRQ_MMU;
    default:
        return VMALI_NUM_IRQS;
    }
}

static bool is_doorbell(hwaddr offset)
{
    return offset >= DOORBELL_BASE && offset % DOORBELL_STRIDE == 0 &&
           (offset - DOORBELL_BASE) / DOORBELL_STRIDE < DOORBELL_PAGES;
}

static uint64_t vmali_read(void *opaque, hwaddr offset, unsigned size)
{
    VMaliState *s = opaque;
    unsigned group = irq_group(s, offset);
    uint32_t value = 0;

    if (group < VMALI_NUM_IRQS) {
        value = irq_read(s, group, offset & 0xf);
    } else if (vmali_pwr_is_register(s, offset)) {
        value = vmali_pwr_read(s, offset);
    } else if (is_power(s, offset)) {
        value = power_read(s, offset);
    } else if (offset >= AS_BASE && offset < AS_END) {
        value = vmali_mmu_read(s, offset);
    } else if (!feature_read(s, offset, &value) && !is_doorbell(offset) &&
               !vmali_time_read(s, offset, &value)) {
        switch (offset) {
        case A_L2_CONFIG:
            value = s->l2_config;
            break;
        case A_COHERENCY_ENABLE:
            value = s->coherency_enable;
            break;
        case A_GPU_COMMAND:
        case A_GPU_STATUS:
            break;
        case A_GPU_FAULTSTATUS:
            value = s->gpu_fault_status;
            break;
        case A_GPU_FAULTADDRESS_LO:
            value = s->gpu_fault_address;
            break;
        case A_GPU_FAULTADDRESS_HI:
            value = s->gpu_fault_address >> 32;
            break;
        case A_MCU_CONTROL:
            value = vmali_mcu_control_read(s);
            break;
        case A_MCU_STATUS:
            value = s->mcu_status;
            break;
        case A_LATEST_FLUSH_ID:
            value = s->flush_id;
            break;
        default:
            if (!is_absent(offset)) {
                vmali_unimplemented(s, "read 0x%" HWADDR_PRIx, offset);
            }
        }
    }
    trace_vmali_read(offset, value);
    return value;
}

static void vmali_write(void *opaque, hwaddr offset, uint64_t value64,
                        unsigned size)
{
    VMaliState *s = opaque;
    unsigned group = irq_group(s, offset);
    uint32_t value = value64;
    uint32_t constant;

    trace_vmali_write(offset, value);
    if (group < VMALI_NUM_IRQS) {
        irq_write(s, group, offset & 0xf, value);
    } else if (vmali_pwr_is_register(s, offset)) {
        vmali_pwr_write(s, offset, value);
    } else if (is_power(s, offset) && power_write(s, offset, value)) {
        return;
    } else if (offset >= AS_BASE && offset < AS_END) {
        vmali_mmu_write(s, offset, value);
    } else if (is_doorbell(offset)) {
        vmali_mcu_doorbell(s, (offset - DOORBELL_BASE) / DOORBELL_STRIDE);
    } else if (vmali_time_write(s, offset, value)) {
        return;
    } else if (feature_read(s, offset, &constant)) {
        vmali_violation(s, "write to read-only register 0x%" HWADDR_PRIx,
                        offset);
    } else {
        switch (offset) {
        case A_GPU_COMMAND:
            gpu_command(s, value);
            break;
        case A_L2_CONFIG:
            s->l2_config = value;
            break;
        case A_COHERENCY_ENABLE:
            s->coherency_enable = value;
            break;
        case A_PWR_KEY:
        case A_PWR_OVERRIDE0:
        case A_PWR_OVERRIDE1:
            break;
        case A_MCU_CONTROL:
            vmali_mcu_control(s, value);
            break;
        default:
            vmali_unimplemented(s, "write 0x%" HWADDR_PRIx, offset);
        }
    }
}

static const MemoryRegionOps vmali_ops = {
    .read = vmali_read,
    .write = vmali_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- Life of the device ---- */

static void vmali_reset_hold(VMALI_RESET_ARGS)
{
    VMaliState *s = VMALI_GPU(obj);

    gpu_reset(s);
    s->flush_id = 1;
    s->irq[VMALI_IRQ_GPU].rawstat = 0;
    s->irq[VMALI_IRQ_GPU].mask = 0;
    s->irq[VMALI_IRQ_PWR].rawstat = 0;
    s->irq[VMALI_IRQ_PWR].mask = 0;
    irq_update(s, VMALI_IRQ_GPU);
    if (s->was_reset) {
        vmali_truth(s, "reset kind=machine timestamp=%" PRIu64,
                    vmali_timestamp(s));
    }
    s->was_reset = true;
}

static void vmali_realize(DeviceState *dev, Error **errp)
{
    VMaliState *s = VMALI_GPU(dev);

    /* The log of the last run is lost only to a device that works. */
    if (!vmali_props_check(s, errp) ||
        (s->prop.load && !vmali_load_open(s, errp)) ||
        !vmali_cache_init(s, errp) || !vmali_truth_open(s, errp)) {
        vmali_cache_free(s);
        vmali_load_close(s);
        return;
    }
    vmali_csg_init(s);
    if (s->prop.counters == VMALI_COUNTERS_WORK) {
        vmali_work_init(s);
    }
    vmali_clocks_log(s);
    vmali_cycles_enable(s, false);
    s->domain[VMALI_DOMAIN_SHADER].present = s->prop.shader_present;
    s->domain[VMALI_DOMAIN_NEURAL].present = s->prop.neural_present;
    s->domain[VMALI_DOMAIN_TILER].present = 1;
    s->domain[VMALI_DOMAIN_L2].present = 1;
    s->watch = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_mcu_watch_tick, s);
    vmali_prfcnt_init(s);
    vmali_power_init(s);
    s->next_end = UINT64_MAX;
    s->next_until = INT64_MAX;
    s->tail = INT64_MAX;
    s->ops_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_ops_tick, s);
    s->cs_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_cs_tick, s);
    s->idle_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_csg_idle_tick, s);
}

static void vmali_unrealize(DeviceState *dev)
{
    VMaliState *s = VMALI_GPU(dev);

    timer_free(s->watch);
    vmali_prfcnt_free(s);
    vmali_power_free(s);
    timer_free(s->cs_timer);
    timer_free(s->ops_timer);
    timer_free(s->idle_timer);
    vmali_csg_free(s);
    vmali_cache_free(s);
    vmali_work_free(s);
    vmali_load_close(s);
    vmali_truth_close(s);
}

static void vmali_init(Object *obj)
{
    VMaliState *s = VMALI_GPU(obj);
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);
    unsigned i;

    memory_region_init_io(&s->mmio, obj, &vmali_ops, s, TYPE_VMALI_GPU,
                          VMALI_MMIO_SIZE);
    sysbus_init_mmio(sbd, &s->mmio);
    for (i = 0; i < VMALI_NUM_LINES; i++) {
        sysbus_init_irq(sbd, &s->irq[i].line);
    }
    vmali_inject_init(s);
}

static const VMStateDescription vmstate_vmali = {
    .name = TYPE_VMALI_GPU,
    .unmigratable = 1,
};

static void vmali_gpu_class_init(ObjectClass *klass, VMaliClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Virtual Arm Mali CSF GPU";
    dc->realize = vmali_realize;
    dc->unrealize = vmali_unrealize;
    RESETTABLE_CLASS(klass)->phases.hold = vmali_reset_hold;
    dc->vmsd = &vmstate_vmali;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    vmali_props_class_init(klass);
    vmali_time_class_init(klass);
    vmali_inject_class_init(klass);
}

static const TypeInfo vmali_gpu_info = {
    .name = TYPE_VMALI_GPU,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(VMaliState),
    .instance_init = vmali_init,
    .class_init = vmali_gpu_class_init,
};

static void vmali_gpu_register_types(void)
{
    type_register_static(&vmali_gpu_info);
}
type_init(vmali_gpu_register_types)
