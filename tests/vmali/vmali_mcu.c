/*
 * Virtual Arm Mali CSF GPU: firmware
 *
 * What the microcontroller of a real GPU does in software is C here.  It
 * acts inside the host's register write, so that a request is acknowledged
 * before the doorbell write returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "trace.h"
#include "vmali_cs.h"
#include "vmali_work.h"

#define INSTR_FEATURES          0x71

/* 96 or 128 registers, 8 scoreboards; compute, fragment and tiler work */
#define STREAM_FEATURES_V10     0x0007085f
#define STREAM_FEATURES_V12     0x0007087f

/*
 * A request that is this long without a doorbell has none.  The host's two
 * instructions may be far apart when its CPU threads are starved.
 */
#define WATCH_PERIOD_NS         (500 * SCALE_MS)

/* Requests that are done by being acknowledged */
#define REQ_PLAIN               (R_GLB_CFG_PROGRESS_TIMER_MASK | \
                                 R_GLB_CFG_ALLOC_EN_MASK | \
                                 R_GLB_CFG_PWROFF_TIMER_MASK | \
                                 R_GLB_COUNTER_ENABLE_MASK | \
                                 R_GLB_FIRMWARE_CONFIG_UPDATE_MASK | \
                                 R_GLB_IDLE_ENABLE_MASK | \
                                 R_GLB_CFG_EVICTION_TIMER_MASK)

/* Requests that do more, and events that the host re-arms */
#define REQ_SPECIAL             (R_GLB_HALT_MASK | \
                                 R_GLB_PRFCNT_ENABLE_MASK | \
                                 R_GLB_PRFCNT_SAMPLE_MASK | \
                                 R_GLB_SLEEP_MASK | R_GLB_PING_MASK)
#define REQ_EVENTS              (R_GLB_PRFCNT_THRESHOLD_MASK | \
                                 R_GLB_PRFCNT_OVERFLOW_MASK | \
                                 R_GLB_IDLE_EVENT_MASK)

/* Requests that have a doorbell of their own; events are re-armed without. */
#define REQ_WATCHED             (R_GLB_PRFCNT_ENABLE_MASK | \
                                 R_GLB_PRFCNT_SAMPLE_MASK)

/* ---- Shared section ---- */

static void set_status(VMaliState *s, uint32_t status)
{
    if (s->mcu_status == status) {
        return;
    }
    trace_vmali_mcu_status(status);
    s->mcu_status = status;
    vmali_irq_raise(s, VMALI_IRQ_GPU, R_GPU_IRQ_MCU_STATUS_MASK);
}

uint32_t vmali_iface_read(VMaliState *s, uint32_t offset)
{
    uint32_t value;

    if (!vmali_as_read32(s, VMALI_MCU_AS, IFACE_VA + offset, &value)) {
        set_status(s, MCU_STATUS_FATAL);
    }
    return value;
}

uint64_t vmali_iface_read64(VMaliState *s, uint32_t offset)
{
    uint64_t low = vmali_iface_read(s, offset);

    return low | (uint64_t)vmali_iface_read(s, offset + 4) << 32;
}

void vmali_iface_write(VMaliState *s, uint32_t offset, uint32_t value)
{
    if (!vmali_as_write32(s, VMALI_MCU_AS, IFACE_VA + offset, value)) {
        set_status(s, MCU_STATUS_FATAL);
    }
}

static uint32_t group_stride(const VMaliState *s)
{
    return ROUND_UP(CSG_STREAM_CONTROL + s->prop.streams * CS_CONTROL_SIZE,
                    IFACE_BLOCK_STRIDE);
}

static void write_stream_control(VMaliState *s, uint32_t at, unsigned csg,
                                 unsigned cs)
{
    vmali_iface_write(s, at + CS_FEATURES, vmali_arch_major(s) >= 12 ?
                      STREAM_FEATURES_V12 : STREAM_FEATURES_V10);
    vmali_iface_write(s, at + CS_INPUT_VA, IFACE_VA + vmali_cs_in(s, csg, cs));
    vmali_iface_write(s, at + CS_OUTPUT_VA,
                      IFACE_VA + vmali_cs_out(s, csg, cs));
}

static void write_group_control(VMaliState *s, unsigned csg)
{
    uint32_t at = IFACE_CSG_CONTROL + csg * group_stride(s);
    unsigned cs;

    vmali_iface_write(s, at + CSG_FEATURES, 0);
    vmali_iface_write(s, at + CSG_INPUT_VA, IFACE_VA + vmali_csg_in(csg));
    vmali_iface_write(s, at + CSG_OUTPUT_VA, IFACE_VA + vmali_csg_out(csg));
    vmali_iface_write(s, at + CSG_SUSPEND_SIZE, vmali_csg_suspend_size(s));
    vmali_iface_write(s, at + CSG_PROTM_SUSPEND_SIZE,
                      vmali_csg_suspend_size(s));
    vmali_iface_write(s, at + CSG_STREAM_NUM, s->prop.streams);
    vmali_iface_write(s, at + CSG_STREAM_STRIDE, CS_CONTROL_SIZE);
    for (cs = 0; cs < s->prop.streams; cs++) {
        write_stream_control(s, at + CSG_STREAM_CONTROL + cs * CS_CONTROL_SIZE,
                             csg, cs);
    }
}

/* The version goes last: with it the structures are valid. */
static void write_control(VMaliState *s)
{
    unsigned csg;

    for (csg = 0; csg < s->prop.groups; csg++) {
        write_group_control(s, csg);
    }
    vmali_iface_write(s, GLB_FEATURES, 0);
    vmali_iface_write(s, GLB_INPUT_VA, IFACE_VA + IFACE_GLB_INPUT);
    vmali_iface_write(s, GLB_OUTPUT_VA, IFACE_VA + IFACE_GLB_OUTPUT);
    vmali_iface_write(s, GLB_GROUP_NUM, s->prop.groups);
    vmali_iface_write(s, GLB_GROUP_STRIDE, group_stride(s));
    vmali_iface_write(s, GLB_PRFCNT_SIZE, vmali_prfcnt_size_word(s));
    vmali_iface_write(s, GLB_INSTR_FEATURES, INSTR_FEATURES);
    vmali_iface_write(s, GLB_PRFCNT_FEATURES, vmali_prfcnt_features_word(s));
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_HALT_STATUS, 0);
    /* The cycle counter stopped, and a request to start it is a new one. */
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_ACK,
                      vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK) &
                      ~R_GLB_COUNTER_ENABLE_MASK);
    /* A host that sees the version sees the rest. */
    smp_wmb();
    vmali_iface_write(s, GLB_VERSION, s->prop.iface_version);
}

/* ---- Start and stop ---- */

/* What it was that ends with a stop or a reset. */
static VMaliLoss loss_of_stop(const VMaliState *s)
{
    return s->hung || s->mcu_status == MCU_STATUS_FATAL ?
           VMALI_LOSS_HANG : VMALI_LOSS_RESET;
}

static void stop(VMaliState *s)
{
    vmali_prfcnt_stop(s, loss_of_stop(s));
    vmali_csg_forget(s);
    s->hung = false;
    s->asleep = false;
    s->doorbells_off = false;
    s->core_enable = 0;
    vmali_power_stop(s);
    timer_del(s->watch);
    vmali_cycles_enable(s, false);
    vmali_cores_power(s, false, 0, 0);
}

static void boot(VMaliState *s)
{
    if (!s->domain[VMALI_DOMAIN_L2].ready) {
        vmali_violation(s, "MCU enabled without power in the L2 domain");
        return;
    }
    if (s->fail_boots) {
        s->fail_boots--;
        vmali_truth(s, "boot-failed timestamp=%" PRIu64, vmali_timestamp(s));
        return;
    }
    /* A warm boot finds the input and output blocks as they were. */
    set_status(s, MCU_STATUS_ENABLED);
    write_control(s);
    if (s->mcu_status != MCU_STATUS_ENABLED) {
        return;
    }
    s->last_glb_req = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ);
    s->watch_req = s->last_glb_req;
    s->first_doorbell = true;
    s->ping_dropped = false;
    s->core_enable = ~0ull;
    s->progress_units = 0;
    vmali_power_boot(s);
    vmali_prfcnt_cores_ready(s);
    timer_mod(s->watch, vmali_now() + WATCH_PERIOD_NS);
    vmali_truth(s, "boot timestamp=%" PRIu64, vmali_timestamp(s));
    vmali_prfcnt_boot(s);
    vmali_irq_raise(s, VMALI_IRQ_JOB, R_JOB_IRQ_GLB_MASK);
}

uint32_t vmali_mcu_control_read(const VMaliState *s)
{
    return FIELD_DP32(s->mcu_control, MCU_CONTROL, DOORBELLS_OFF,
                      s->doorbells_off);
}

void vmali_mcu_control(VMaliState *s, uint32_t value)
{
    s->doorbells_off = FIELD_EX32(value, MCU_CONTROL, DOORBELLS_OFF);
    value &= ~R_MCU_CONTROL_DOORBELLS_OFF_MASK;
    switch (value) {
    case MCU_CONTROL_DISABLE:
        stop(s);
        set_status(s, MCU_STATUS_DISABLED);
        break;
    case MCU_CONTROL_ENABLE:
    case MCU_CONTROL_AUTO:
        if (s->mcu_status == MCU_STATUS_DISABLED) {
            boot(s);
        }
        break;
    default:
        vmali_violation(s, "MCU_CONTROL %u does not exist", value);
        return;
    }
    s->mcu_control = value;
}

void vmali_mcu_reset(VMaliState *s)
{
    stop(s);
    s->mcu_control = MCU_CONTROL_DISABLE;
    s->mcu_status = MCU_STATUS_DISABLED;
}

/* ---- Global interface ---- */

void vmali_mcu_ack(VMaliState *s, uint32_t mask, uint32_t value)
{
    uint32_t ack = vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK);
    uint32_t next = (ack & ~mask) | (value & mask);

    if (next == ack) {
        return;
    }
    vmali_work_acks(s, ctpop32((next ^ ack) & ~REQ_EVENTS));
    /* A host that sees the acknowledge sees its effects. */
    smp_wmb();
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_ACK, next);
    if (vmali_iface_read(s, IFACE_GLB_INPUT + GLB_ACK_IRQ_MASK) &
        (next ^ ack)) {
        vmali_irq_raise(s, VMALI_IRQ_JOB, R_JOB_IRQ_GLB_MASK);
    }
}

static void handle_ping(VMaliState *s, uint32_t req)
{
    uint32_t ack = vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK);

    if ((req ^ s->last_glb_req) & R_GLB_PING_MASK) {
        s->ping_dropped = false;
    }
    if (!((req ^ ack) & R_GLB_PING_MASK) || s->ping_dropped) {
        return;
    }
    if (s->drop_pings) {
        s->drop_pings--;
        s->ping_dropped = true;
        vmali_truth(s, "ping dropped timestamp=%" PRIu64, vmali_timestamp(s));
        return;
    }
    vmali_truth(s, "ping timestamp=%" PRIu64, vmali_timestamp(s));
    vmali_mcu_ack(s, R_GLB_PING_MASK, req);
}

static void handle_halt(VMaliState *s)
{
    vmali_prfcnt_auto_sample(s, VMALI_REASON_HALT);
    vmali_prfcnt_overtaken(s);
    vmali_prfcnt_halted(s);
    vmali_truth(s, "halt timestamp=%" PRIu64, vmali_timestamp(s));
    timer_del(s->watch);
    if (s->mcu_status == MCU_STATUS_ENABLED) {
        set_status(s, MCU_STATUS_HALTED);
    }
}

bool vmali_mcu_runs(const VMaliState *s)
{
    return s->mcu_status == MCU_STATUS_ENABLED && !s->hung;
}

void vmali_mcu_sleep(VMaliState *s)
{
    vmali_prfcnt_auto_sample(s, VMALI_REASON_SLEEP);
    vmali_prfcnt_overtaken(s);
    if (!vmali_mcu_runs(s)) {
        return;
    }
    vmali_truth(s, "sleep timestamp=%" PRIu64, vmali_timestamp(s));
    timer_del(s->watch);
    s->asleep = true;
    vmali_cores_power(s, false, 0, 0);
    set_status(s, MCU_STATUS_HALTED);
}

/* It finds everything as it left it, counters included. */
static void wake(VMaliState *s)
{
    s->asleep = false;
    vmali_truth(s, "wake timestamp=%" PRIu64, vmali_timestamp(s));
    vmali_prfcnt_cores_ready(s);
    vmali_power_go_on(s);
    timer_mod(s->watch, vmali_now() + WATCH_PERIOD_NS);
    set_status(s, MCU_STATUS_ENABLED);
    vmali_csg_look(s);
}

static void global_doorbell(VMaliState *s)
{
    uint32_t req = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ);
    uint32_t ack = vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK);
    uint32_t unknown = (req ^ s->last_glb_req) &
                       ~(REQ_PLAIN | REQ_SPECIAL | REQ_EVENTS);
    uint32_t rung;
    unsigned csg;

    trace_vmali_doorbell(0, req, ack);
    if (unknown) {
        vmali_unimplemented(s, "request GLB_REQ bits 0x%x", unknown);
    }
    if ((req ^ ack) & R_GLB_COUNTER_ENABLE_MASK) {
        vmali_cycles_enable(s, req & R_GLB_COUNTER_ENABLE_MASK);
    }
    if ((req ^ ack) & R_GLB_CFG_ALLOC_EN_MASK) {
        s->core_enable = vmali_iface_read64(s, IFACE_GLB_INPUT +
                                               GLB_CORE_EN_MASK);
        vmali_prfcnt_cores_ready(s);
    }
    if ((req ^ ack) & R_GLB_CFG_PROGRESS_TIMER_MASK) {
        s->progress_units = vmali_iface_read(s, IFACE_GLB_INPUT +
                                                GLB_PROGRESS_TIMER);
        vmali_ops_watch(s);
    }
    vmali_mcu_ack(s, REQ_PLAIN, req);
    if (req & ~s->last_glb_req & R_GLB_IDLE_ENABLE_MASK) {
        vmali_csg_watch_idle(s);
    }
    handle_ping(s, req);
    vmali_prfcnt_doorbell(s, req);

    rung = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_DB_REQ) ^
           vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_DB_ACK);
    for (csg = 0; csg < s->prop.groups; csg++) {
        if (rung & (1u << csg)) {
            vmali_csg_doorbell(s, csg);
        }
    }
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_DB_ACK,
                      vmali_iface_read(s, IFACE_GLB_INPUT + GLB_DB_REQ));

    if ((req & ~s->last_glb_req) & R_GLB_HALT_MASK) {
        handle_halt(s);
    }
    s->last_glb_req = req;
    s->watch_req = req;
    s->first_doorbell = false;
    if ((req ^ ack) & R_GLB_SLEEP_MASK) {
        vmali_mcu_ack(s, R_GLB_SLEEP_MASK, req);
        if (vmali_mcu_runs(s)) {
            vmali_mcu_sleep(s);
            /* The host allows doorbells to wake the firmware again. */
            s->doorbells_off = true;
        }
    }
}

void vmali_mcu_doorbell(VMaliState *s, unsigned page)
{
    if (s->doorbells_off) {
        vmali_irq_raise(s, VMALI_IRQ_GPU, R_GPU_IRQ_DOORBELL_MIRROR_MASK);
        return;
    }
    if (s->asleep && !s->hung) {
        wake(s);
    }
    if (!vmali_mcu_runs(s)) {
        return;
    }
    if (page) {
        vmali_csg_user_doorbell(s, page);
    } else {
        vmali_work_doorbell(s);
        global_doorbell(s);
    }
    vmali_csg_recheck(s);
    vmali_cs_kick(s);
}

/* Has the host asked for something without ringing? */
static void check_silent_request(VMaliState *s)
{
    uint32_t req = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ);
    uint32_t silent = (req ^ s->last_glb_req) & REQ_WATCHED;

    if (!silent) {
        s->watch_reported = false;
    } else if (req == s->watch_req && !s->watch_reported) {
        vmali_violation(s, "GLB_REQ bits 0x%x changed without a doorbell",
                        silent);
        s->watch_reported = true;
    }
    s->watch_req = req;
}

void vmali_mcu_watch_tick(void *opaque)
{
    VMaliState *s = opaque;

    if (s->mcu_status != MCU_STATUS_ENABLED) {
        return;
    }
    /* Looking on its own account must not be what makes a fault. */
    if (!s->hung &&
        vmali_as_probe(s, VMALI_MCU_AS, IFACE_VA + IFACE_GLB_INPUT,
                       sizeof(uint32_t))) {
        check_silent_request(s);
    }
    timer_mod(s->watch, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                        WATCH_PERIOD_NS);
}
