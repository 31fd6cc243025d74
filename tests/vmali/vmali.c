/*
 * Virtual Arm Mali CSF GPU: registers, interrupts, power, reset, properties
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
#include "qemu/units.h"
#include "trace.h"
#include "vmali_cs.h"
#include "vmali_load.h"
#include "vmali_work.h"

#define PROP_DEFAULT            UINT32_MAX
/* Of the parts from architecture 12 on that Mesa knows */
#define CORE_VARIANT            4
#define MAX_AUTO_SAMPLES        1024

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

static void vmali_reset(DeviceState *dev)
{
    VMaliState *s = VMALI(dev);

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

static const char *const core_off_sample_name[VMALI_NUM_CORE_OFFS] = {
    [VMALI_CORE_OFF_ALL] = "all",
    [VMALI_CORE_OFF_ONE] = "one",
    [VMALI_CORE_OFF_BUSY] = "busy",
    [VMALI_CORE_OFF_NONE] = "none",
    [VMALI_CORE_OFF_AFTER] = "after",
};

static const char *const full_ring_name[VMALI_NUM_FULL_RINGS] = {
    [VMALI_FULL_RING_WAIT] = "wait",
    [VMALI_FULL_RING_LOSE] = "lose",
    [VMALI_FULL_RING_LOSE_OFF] = "lose-off",
};

static const char *const idle_off_name[VMALI_NUM_IDLE_OFFS] = {
    [VMALI_IDLE_OFF_NONE] = "none",
    [VMALI_IDLE_OFF_CORES] = "cores",
    [VMALI_IDLE_OFF_TILER] = "tiler",
};

static const char *const neural_off_name[VMALI_NUM_NEURAL_OFFS] = {
    [VMALI_NEURAL_OFF_WITH_CORE] = "with-core",
    [VMALI_NEURAL_OFF_AFTER_CORE] = "after-core",
    [VMALI_NEURAL_OFF_ALWAYS] = "always",
};

static const char *const answers_name[VMALI_NUM_ANSWERS] = {
    [VMALI_ANSWERS_AT_ONCE] = "at-once",
    [VMALI_ANSWERS_LATE] = "late",
};

/* Which of these words is it? */
static bool choose(const char *word, const char *const *names, unsigned count,
                   unsigned *choice)
{
    for (*choice = 0; *choice < count; ++*choice) {
        if (!strcmp(word, names[*choice])) {
            return true;
        }
    }
    return false;
}

static bool check_properties(VMaliState *s, Error **errp)
{
    unsigned arch = vmali_arch_major(s);
    uint32_t size;

    if (arch < 10 || arch > 14) {
        error_setg(errp, "gpu-id: architecture %u is not modelled, only 10 "
                   "to 14", arch);
        return false;
    }
    if (s->prop.iface_version >= 0x04000000) {
        error_setg(errp, "iface-version: interfaces from 4.0.0 on are not "
                   "modelled");
        return false;
    }
    if (!s->prop.shader_present) {
        error_setg(errp, "shader-present: there must be a shader core");
        return false;
    }
    if (s->prop.neural_present & ~s->prop.shader_present) {
        error_setg(errp, "neural-present: an accelerator without a core");
        return false;
    }
    if (s->prop.neural_present && arch < 14) {
        error_setg(errp, "neural-present: architecture %u has no accelerators",
                   arch);
        return false;
    }
    if (!s->prop.neural_clock) {
        error_setg(errp, "neural-clock: must not be 0");
        return false;
    }
    if (!s->prop.l2_slices || s->prop.l2_slices > VMALI_MAX_L2_SLICES) {
        error_setg(errp, "l2-slices: must be 1 to %u", VMALI_MAX_L2_SLICES);
        return false;
    }
    if (s->prop.groups < IFACE_MIN_GROUPS ||
        s->prop.groups > IFACE_MAX_GROUPS) {
        error_setg(errp, "groups: must be %u to %u", IFACE_MIN_GROUPS,
                   IFACE_MAX_GROUPS);
        return false;
    }
    if (s->prop.streams < IFACE_MIN_STREAMS ||
        s->prop.streams > IFACE_MAX_STREAMS) {
        error_setg(errp, "streams: must be %u to %u", IFACE_MIN_STREAMS,
                   IFACE_MAX_STREAMS);
        return false;
    }
    if (s->prop.csg_counters && !s->prop.fw_counters) {
        error_setg(errp, "csg-counters: needs fw-counters");
        return false;
    }
    if (s->prop.auto_samples > MAX_AUTO_SAMPLES) {
        error_setg(errp, "auto-samples: must be at most %u", MAX_AUTO_SAMPLES);
        return false;
    }
    if (s->prop.counters_per_enable != 2 && s->prop.counters_per_enable != 4) {
        error_setg(errp, "counters-per-enable: must be 2 or 4");
        return false;
    }
    if (!s->prop.threshold_quarters || s->prop.threshold_quarters > 4) {
        error_setg(errp, "threshold-quarters: must be 1 to 4");
        return false;
    }
    if (strcmp(s->prop.counters, "pattern") &&
        strcmp(s->prop.counters, "work") &&
        strcmp(s->prop.counters, "load")) {
        error_setg(errp, "counters: must be pattern, work or load");
        return false;
    }
    if (!strcmp(s->prop.counters, "load") != !!s->prop.load) {
        error_setg(errp, "load: a file of a load goes with counters=load");
        return false;
    }
    if (!choose(s->prop.core_off_sample, core_off_sample_name,
                VMALI_NUM_CORE_OFFS, (unsigned *)&s->core_off_sample)) {
        error_setg(errp, "core-off-sample: must be all, one, busy, none or "
                   "after");
        return false;
    }
    if (!choose(s->prop.full_ring, full_ring_name, VMALI_NUM_FULL_RINGS,
                (unsigned *)&s->full_ring)) {
        error_setg(errp, "full-ring: must be wait, lose or lose-off");
        return false;
    }
    if (!choose(s->prop.idle_off, idle_off_name, VMALI_NUM_IDLE_OFFS,
                (unsigned *)&s->idle_off)) {
        error_setg(errp, "idle-off: must be none, cores or tiler");
        return false;
    }
    if (s->idle_off != VMALI_IDLE_OFF_NONE &&
        !strcmp(s->prop.counters, "pattern")) {
        error_setg(errp, "idle-off: goes with counters=work or load");
        return false;
    }
    if (!choose(s->prop.neural_off, neural_off_name, VMALI_NUM_NEURAL_OFFS,
                (unsigned *)&s->neural_off)) {
        error_setg(errp, "neural-off: must be with-core, after-core or always");
        return false;
    }
    if (s->neural_off == VMALI_NEURAL_OFF_AFTER_CORE &&
        (s->core_off_sample == VMALI_CORE_OFF_NONE ||
         s->core_off_sample == VMALI_CORE_OFF_AFTER)) {
        error_setg(errp, "neural-off: after-core needs a sample before cores "
                   "go off");
        return false;
    }
    if (!choose(s->prop.answers, answers_name, VMALI_NUM_ANSWERS,
                (unsigned *)&s->answers)) {
        error_setg(errp, "answers: must be at-once or late");
        return false;
    }
    if (!s->prop.cs_budget) {
        error_setg(errp, "cs-budget: must not be 0");
        return false;
    }
    if (!s->prop.timestamp_hz) {
        error_setg(errp, "timestamp-hz: must not be 0");
        return false;
    }
    if (!s->prop.clocks || s->prop.clocks > VMALI_NUM_CLOCKS) {
        error_setg(errp, "clocks: must be 1 to %u", VMALI_NUM_CLOCKS);
        return false;
    }

    if (s->prop.core_features == PROP_DEFAULT) {
        s->prop.core_features = arch >= 12 ? CORE_VARIANT : 0;
    }
    if (s->prop.prfcnt_features == PROP_DEFAULT) {
        s->prop.prfcnt_features = arch >= 11 ? 2 : 0;
    }
    /*
     * The register may be set to nonsense on purpose; the blocks have a size
     * that exists.
     */
    size = FIELD_EX32(s->prop.prfcnt_features, PRFCNT_FEATURES, BLOCK_SIZE);
    s->block_words = arch >= 11 && size != 1 ? 128 : 64;
    return true;
}

static void vmali_realize(DeviceState *dev, Error **errp)
{
    VMaliState *s = VMALI(dev);

    if (!s->prop.counters) {
        s->prop.counters = g_strdup("pattern");
    }
    if (!s->prop.core_off_sample) {
        s->prop.core_off_sample = g_strdup("all");
    }
    if (!s->prop.full_ring) {
        s->prop.full_ring = g_strdup("wait");
    }
    if (!s->prop.idle_off) {
        s->prop.idle_off = g_strdup("none");
    }
    if (!s->prop.neural_off) {
        s->prop.neural_off = g_strdup("with-core");
    }
    if (!s->prop.answers) {
        s->prop.answers = g_strdup("at-once");
    }
    if (!check_properties(s, errp) || !vmali_cache_init(s, errp) ||
        !vmali_truth_open(s, errp)) {
        return;
    }
    if (s->prop.load && !vmali_load_open(s, errp)) {
        return;
    }
    vmali_csg_init(s);
    if (!strcmp(s->prop.counters, "work")) {
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
    s->cs_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_cs_tick, s);
    s->idle_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, vmali_csg_idle_tick, s);
}

static void vmali_unrealize(DeviceState *dev)
{
    VMaliState *s = VMALI(dev);

    timer_free(s->watch);
    vmali_prfcnt_free(s);
    vmali_power_free(s);
    timer_free(s->cs_timer);
    timer_free(s->idle_timer);
    vmali_csg_free(s);
    vmali_cache_free(s);
    vmali_work_free(s);
    vmali_load_close(s);
    vmali_truth_close(s);
}

static void vmali_init(Object *obj)
{
    VMaliState *s = VMALI(obj);
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);
    unsigned i;

    memory_region_init_io(&s->mmio, obj, &vmali_ops, s, TYPE_VMALI,
                          VMALI_MMIO_SIZE);
    sysbus_init_mmio(sbd, &s->mmio);
    for (i = 0; i < VMALI_NUM_LINES; i++) {
        sysbus_init_irq(sbd, &s->irq[i].line);
    }
    vmali_inject_init(s);
}

static VMaliProperty vmali_properties[] = {
    DEFINE_PROP_UINT32("gpu-id", VMaliState, prop.gpu_id, 0xa8670005),
    DEFINE_PROP_UINT64("shader-present", VMaliState, prop.shader_present,
                       0x50005),
    DEFINE_PROP_UINT64("neural-present", VMaliState, prop.neural_present, 0),
    DEFINE_PROP_UINT32("neural-clock", VMaliState, prop.neural_clock, 150),
    DEFINE_PROP_UINT32("l2-slices", VMaliState, prop.l2_slices, 4),
    DEFINE_PROP_UINT32("groups", VMaliState, prop.groups, 8),
    DEFINE_PROP_UINT32("streams", VMaliState, prop.streams, 8),
    DEFINE_PROP_BOOL("coherent", VMaliState, prop.coherent, false),
    DEFINE_PROP_BOOL("ring-cache", VMaliState, prop.ring_cache, false),
    DEFINE_PROP_UINT32("iface-version", VMaliState, prop.iface_version,
                       0x01010000),
    DEFINE_PROP_BOOL("fw-counters", VMaliState, prop.fw_counters, true),
    DEFINE_PROP_BOOL("csg-counters", VMaliState, prop.csg_counters, false),
    DEFINE_PROP_BOOL("metadata", VMaliState, prop.metadata, false),
    DEFINE_PROP_BOOL("packed-slots", VMaliState, prop.packed_slots, false),
    DEFINE_PROP_UINT32("prfcnt-features", VMaliState, prop.prfcnt_features,
                       PROP_DEFAULT),
    DEFINE_PROP_UINT32("prfcnt-size", VMaliState, prop.prfcnt_size,
                       PROP_DEFAULT),
    DEFINE_PROP_UINT64("seed", VMaliState, prop.seed, 1),
    DEFINE_PROP_UINT32("auto-samples", VMaliState, prop.auto_samples, 2),
    DEFINE_PROP_UINT32("counters-per-enable", VMaliState,
                       prop.counters_per_enable, 4),
    DEFINE_PROP_BOOL("keep-excluded", VMaliState, prop.keep_excluded, false),
    DEFINE_PROP_UINT32("threshold-quarters", VMaliState,
                       prop.threshold_quarters, 2),
    DEFINE_PROP_BOOL("core-off", VMaliState, prop.core_off, true),
    DEFINE_PROP_STRING("core-off-sample", VMaliState, prop.core_off_sample),
    DEFINE_PROP_STRING("full-ring", VMaliState, prop.full_ring),
    DEFINE_PROP_STRING("idle-off", VMaliState, prop.idle_off),
    DEFINE_PROP_STRING("neural-off", VMaliState, prop.neural_off),
    DEFINE_PROP_STRING("answers", VMaliState, prop.answers),
    DEFINE_PROP_BOOL("overtaken-acks", VMaliState, prop.overtaken_acks, false),
    DEFINE_PROP_BOOL("keep-enable", VMaliState, prop.keep_enable, true),
    DEFINE_PROP_BOOL("cycles-always", VMaliState, prop.cycles_always, false),
    DEFINE_PROP_BOOL("saturate", VMaliState, prop.saturate, false),
    DEFINE_PROP_UINT32("core-features", VMaliState, prop.core_features,
                       PROP_DEFAULT),
    DEFINE_PROP_UINT32("timestamp-hz", VMaliState, prop.timestamp_hz,
                       62500000),
    DEFINE_PROP_UINT32("clocks", VMaliState, prop.clocks, 1),
    DEFINE_PROP_BOOL("clock-provider", VMaliState, prop.clock_provider, false),
    DEFINE_PROP_STRING("counters", VMaliState, prop.counters),
    DEFINE_PROP_STRING("load", VMaliState, prop.load),
    DEFINE_PROP_BOOL("mcu-cost", VMaliState, prop.mcu_cost, true),
    DEFINE_PROP_UINT32("cs-budget", VMaliState, prop.cs_budget, 2048),
    DEFINE_PROP_STRING("truth", VMaliState, prop.truth),
    DEFINE_PROP_SIZE("truth-size", VMaliState, prop.truth_size, 32 * GiB),
    DEFINE_PROP_STRING("skew", VMaliState, prop.skew),
    VMALI_PROPERTIES_END
};

static const struct {
    const char *name;
    const char *text;
} property_help[] = {
    { "gpu-id", "GPU_ID register" },
    { "shader-present", "SHADER_PRESENT register, holes allowed" },
    { "neural-present", "NEURAL_PRESENT register: cores with a neural "
      "accelerator" },
    { "neural-clock", "cycles of accelerators in 100 cycles of the cores, "
      "with counters=work" },
    { "l2-slices", "number of L2 cache slices" },
    { "groups", "command stream groups of the firmware" },
    { "streams", "command streams of a group" },
    { "coherent", "ACE-Lite coherency, dma-coherent in the device tree" },
    { "ring-cache", "the counter ring is between CPUs and GPU in a cache" },
    { "iface-version", "firmware interface version" },
    { "fw-counters", "samples have a firmware block" },
    { "csg-counters", "samples have a block per group" },
    { "metadata", "samples may have a metadata block" },
    { "packed-slots", "absent shader cores have no slot in a sample" },
    { "prfcnt-features", "PRFCNT_FEATURES register; 0xffffffff: what the "
      "architecture has" },
    { "prfcnt-size", "control word GLB_PRFCNT_SIZE; 0xffffffff: what is "
      "right" },
    { "seed", "seed of the counter values" },
    { "auto-samples", "most automatic samples before a requested one" },
    { "core-off", "shader cores are off in some samples" },
    { "core-off-sample", "before a core loses power: all (live cores), one "
      "(that core), busy (cores), none; or after" },
    { "full-ring", "counts of a sample without room: wait, lose, or lose-off "
      "(of cores that go off meanwhile)" },
    { "idle-off", "without work, nothing (none), cores, or cores and tiler "
      "(tiler) lose power" },
    { "neural-off", "an accelerator is off with-core, after-core (one sample "
      "later), or always" },
    { "answers", "to requests for samples: at-once or late" },
    { "overtaken-acks", "a sample that sleep or halt overtakes is "
      "acknowledged" },
    { "keep-enable", "enabled counters survive a warm boot" },
    { "cycles-always", "the cycle counter runs without a request" },
    { "saturate", "some counters stand at their end" },
    { "core-features", "CORE_FEATURES register, whose low byte is the variant "
      "of the cores; 0xffffffff: 4 from architecture 12 on, 0 before" },
    { "timestamp-hz", "frequency of the TIMESTAMP register" },
    { "clocks", "number of clocks: core, coregroup, stacks" },
    { "clock-provider", "a driver of the guest provides the clocks" },
    { "counters", "pattern (values from the seed), work (of streams) or load "
      "(of a file)" },
    { "load", "file of phases and rates of counters" },
    { "mcu-cost", "the firmware's own work counts, too" },
    { "cs-budget", "instructions of streams in a millisecond" },
    { "truth", "file for the truth log" },
    { "truth-size", "size of the truth log that ends the run" },
    { "skew", "BLOCK:INDEX:COUNTER that the truth log shall get wrong once" },
};

static const VMStateDescription vmstate_vmali = {
    .name = TYPE_VMALI,
    .unmigratable = 1,
};

static void vmali_class_init(ObjectClass *klass, VMaliClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    unsigned i;

    dc->desc = "Virtual Arm Mali CSF GPU";
    dc->realize = vmali_realize;
    dc->unrealize = vmali_unrealize;
    device_class_set_legacy_reset(dc, vmali_reset);
    dc->vmsd = &vmstate_vmali;
    dc->user_creatable = true;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    device_class_set_props(dc, vmali_properties);
    for (i = 0; i < ARRAY_SIZE(property_help); i++) {
        object_class_property_set_description(klass, property_help[i].name,
                                              property_help[i].text);
    }
    vmali_time_class_init(klass);
    vmali_inject_class_init(klass);
}

static const TypeInfo vmali_info = {
    .name = TYPE_VMALI,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(VMaliState),
    .instance_init = vmali_init,
    .class_init = vmali_class_init,
};

static void vmali_register_types(void)
{
    type_register_static(&vmali_info);
}
type_init(vmali_register_types)
