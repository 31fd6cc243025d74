/*
 * Virtual Arm Mali CSF GPU: power of what has no work
 *
 * With the property idle-off, shader cores, and the tiler too, lose power when
 * they had no work for the time in GLB_PWROFF_TIMER.  Work brings it back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "vmali_internal.h"
#include "vmali_load.h"

#define TICK_NS                 SCALE_MS

/* Time without work before something goes off, 0: nothing does */
static int64_t patience(VMaliState *s)
{
    uint32_t word = vmali_iface_read(s, IFACE_GLB_INPUT + GLB_PWROFF_TIMER);
    uint32_t hz = FIELD_EX32(word, PWROFF_TIMER, CORE_CLOCK) ?
                  s->time.hz[VMALI_CLOCK_CORE] : s->prop.timestamp_hz;

    return muldiv64((uint64_t)FIELD_EX32(word, PWROFF_TIMER, PERIOD) << 10,
                    NANOSECONDS_PER_SECOND, hz);
}

void vmali_power_changed(VMaliState *s)
{
    vmali_truth(s, "cores on=0x%" PRIx64 " tiler=%u timestamp=%" PRIu64,
                s->core_power & ~s->power.cores_off & s->prop.shader_present,
                !s->power.tiler_off, vmali_timestamp(s));
    vmali_prfcnt_cores_ready(s);
}

/*
 * The counts of a core are in a sample before it goes off, or as
 * core-off-sample has it.  A tiler without power keeps its counts.
 */
static void go_off(VMaliState *s, uint64_t cores, bool tiler)
{
    VMaliPower *p = &s->power;
    bool before = s->prop.core_off_sample != VMALI_CORE_OFF_NONE &&
                  s->prop.core_off_sample != VMALI_CORE_OFF_AFTER;

    p->cores_leaving = cores;
    p->tiler_leaving = tiler;
    if (before && !vmali_prfcnt_auto_sample(s, VMALI_REASON_POWER_OFF) &&
        s->prop.full_ring == VMALI_FULL_RING_WAIT) {
        /* There is no room: later. */
        cores = 0;
        tiler = false;
    }
    p->cores_leaving = 0;
    p->tiler_leaving = false;
    if (!cores && !tiler) {
        return;
    }
    p->cores_off |= cores;
    p->tiler_off |= tiler;
    vmali_power_changed(s);
    if (s->prop.core_off_sample == VMALI_CORE_OFF_AFTER) {
        vmali_prfcnt_auto_sample(s, VMALI_REASON_POWER_OFF);
    }
}

static void come_on(VMaliState *s, uint64_t cores, bool tiler)
{
    VMaliPower *p = &s->power;

    cores &= p->cores_off;
    tiler = tiler && p->tiler_off;
    if (!cores && !tiler) {
        return;
    }
    vmali_prfcnt_auto_sample(s, VMALI_REASON_POWER_ON);
    p->cores_off &= ~cores;
    p->tiler_off &= !tiler;
    vmali_power_changed(s);
}

void vmali_power_work(VMaliState *s, uint64_t cores, bool tiler)
{
    VMaliPower *p = &s->power;
    int64_t now = vmali_now();
    uint64_t left;

    if (s->prop.idle_off == VMALI_IDLE_OFF_NONE) {
        return;
    }
    for (left = cores; left; left &= left - 1) {
        p->worked[ctz64(left)] = now;
    }
    if (tiler) {
        p->tiler_worked = now;
    }
    come_on(s, cores, tiler);
}

/* Of a load, it is known at any time what has work. */
static void load_work(VMaliState *s)
{
    int64_t now = vmali_now();
    uint64_t cores = 0, left;

    for (left = s->prop.shader_present; left; left &= left - 1) {
        if (vmali_load_works(s, VMALI_BLOCK_SHADER, ctz64(left), now)) {
            cores |= 1ull << ctz64(left);
        }
    }
    vmali_power_work(s, cores, vmali_load_works(s, VMALI_BLOCK_TILER, 0, now));
}

static void power_tick(void *opaque)
{
    VMaliState *s = opaque;
    VMaliPower *p = &s->power;
    uint64_t cores = 0, left;
    int64_t now, since;
    bool tiler;

    if (!vmali_mcu_runs(s)) {
        return;
    }
    if (s->load && s->prfcnt.enabled) {
        load_work(s);
    }
    now = vmali_now();
    timer_mod(p->timer, now + TICK_NS);
    since = now - patience(s);
    if (since == now) {
        return;
    }
    for (left = s->prop.shader_present & ~p->cores_off; left;
         left &= left - 1) {
        if (p->worked[ctz64(left)] <= since) {
            cores |= 1ull << ctz64(left);
        }
    }
    tiler = s->prop.idle_off == VMALI_IDLE_OFF_TILER && !p->tiler_off &&
            p->tiler_worked <= since;
    if (cores || tiler) {
        go_off(s, cores, tiler);
    }
}

void vmali_power_boot(VMaliState *s)
{
    VMaliPower *p = &s->power;
    unsigned i;

    p->cores_off = 0;
    p->tiler_off = false;
    for (i = 0; i < ARRAY_SIZE(p->worked); i++) {
        p->worked[i] = vmali_now();
    }
    p->tiler_worked = vmali_now();
    vmali_power_go_on(s);
}

void vmali_power_go_on(VMaliState *s)
{
    if (s->prop.idle_off != VMALI_IDLE_OFF_NONE) {
        timer_mod(s->power.timer, vmali_now() + TICK_NS);
    }
}

void vmali_power_stop(VMaliState *s)
{
    timer_del(s->power.timer);
    s->power.cores_off = 0;
    s->power.tiler_off = false;
}

void vmali_power_init(VMaliState *s)
{
    s->power.timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, power_tick, s);
}

void vmali_power_free(VMaliState *s)
{
    timer_free(s->power.timer);
}
