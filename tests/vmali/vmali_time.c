/*
 * Virtual Arm Mali CSF GPU: time stamp, cycle counter and clocks
 *
 * Rates can change while the machine runs, by the monitor or by the guest:
 * a page of the register window, which no GPU has and no GPU driver touches,
 * lets a driver of the guest be the provider of the GPU's clocks.  The cycle
 * counter is the exact sum over all rates that the core clock has had.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "trace.h"
#include "vmali_internal.h"

const char *const vmali_clock_name[VMALI_NUM_CLOCKS] = {
    [VMALI_CLOCK_CORE] = "core",
    [VMALI_CLOCK_COREGROUP] = "coregroup",
    [VMALI_CLOCK_STACKS] = "stacks",
};

int64_t vmali_now(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

/* ---- Time stamp ---- */

uint64_t vmali_timestamp_at(const VMaliState *s, int64_t now)
{
    return muldiv64(now, s->prop.timestamp_hz, NANOSECONDS_PER_SECOND) +
           s->time.board_offset + s->time.offset;
}

uint64_t vmali_timestamp(const VMaliState *s)
{
    return vmali_timestamp_at(s, vmali_now());
}

/* ---- Cycle counter ---- */

/* Cycles until @now, and in @remainder billionths of the one begun. */
static uint64_t cycles_until(const VMaliState *s, int64_t now,
                             uint32_t *remainder)
{
    const VMaliTime *t = &s->time;
    uint64_t passed = t->counting ? now - t->since : 0;
    uint64_t hz = t->hz[VMALI_CLOCK_CORE];
    uint64_t part = passed % NANOSECONDS_PER_SECOND * hz + t->remainder;

    *remainder = part % NANOSECONDS_PER_SECOND;
    return t->cycles + passed / NANOSECONDS_PER_SECOND * hz +
           part / NANOSECONDS_PER_SECOND;
}

uint64_t vmali_cycles_at(const VMaliState *s, int64_t now)
{
    uint32_t remainder;

    return cycles_until(s, now, &remainder);
}

/* From here on, another rate or none. */
static void cycles_settle(VMaliState *s, int64_t now)
{
    VMaliTime *t = &s->time;

    t->cycles = cycles_until(s, now, &t->remainder);
    t->since = now;
}

static void log_cycles(VMaliState *s, const char *state, int64_t now)
{
    vmali_truth(s, "cycle-count state=%s cycles=%" PRIu64 " timestamp=%"
                PRIu64, state, vmali_cycles_at(s, now),
                vmali_timestamp_at(s, now));
}

void vmali_cycles_enable(VMaliState *s, bool on)
{
    int64_t now = vmali_now();

    on |= s->prop.cycles_always;
    if (on == s->time.counting) {
        return;
    }
    cycles_settle(s, now);
    s->time.counting = on;
    log_cycles(s, on ? "on" : "off", now);
}

void vmali_cycles_reset(VMaliState *s)
{
    VMaliTime *t = &s->time;

    vmali_cycles_enable(s, false);
    cycles_settle(s, vmali_now());
    t->remainder = 0;
    if (t->cycles) {
        t->cycles = 0;
        log_cycles(s, "zero", vmali_now());
    }
}

/* ---- Clocks ---- */

static void log_clock(VMaliState *s, unsigned clock, int64_t now)
{
    vmali_truth(s, "clock name=%s hz=%u timestamp=%" PRIu64 " cycles=%" PRIu64,
                vmali_clock_name[clock], s->time.hz[clock],
                vmali_timestamp_at(s, now), vmali_cycles_at(s, now));
}

void vmali_clocks_log(VMaliState *s)
{
    int64_t now = vmali_now();
    unsigned i;

    for (i = 0; i < s->prop.clocks; i++) {
        log_clock(s, i, now);
    }
}

static void set_rate(VMaliState *s, unsigned clock, uint32_t hz)
{
    int64_t now = vmali_now();

    if (hz == s->time.hz[clock]) {
        return;
    }
    trace_vmali_clock(vmali_clock_name[clock], s->time.hz[clock], hz);
    if (clock == VMALI_CLOCK_CORE) {
        cycles_settle(s, now);
    }
    s->time.hz[clock] = hz;
    log_clock(s, clock, now);
}

/* Which clock has its rate there?  VMALI_NUM_CLOCKS: none. */
static unsigned clock_at(const VMaliState *s, hwaddr offset)
{
    unsigned i;

    for (i = 0; i < s->prop.clocks; i++) {
        if (offset == A_CLOCK_RATE_0 + 4 * i) {
            return i;
        }
    }
    return VMALI_NUM_CLOCKS;
}

/* ---- Registers ---- */

bool vmali_time_read(const VMaliState *s, hwaddr offset, uint32_t *value)
{
    unsigned clock = clock_at(s, offset);
    uint64_t wide;

    if (clock < VMALI_NUM_CLOCKS) {
        *value = s->time.hz[clock];
        return true;
    }
    switch (offset & ~4ull) {
    case A_TIMESTAMP_OFFSET_LO:
        wide = s->time.offset;
        break;
    case A_CYCLE_COUNT_LO:
        wide = vmali_cycles_at(s, vmali_now());
        break;
    case A_TIMESTAMP_LO:
        wide = vmali_timestamp(s);
        break;
    default:
        return false;
    }
    *value = offset & 4 ? wide >> 32 : wide;
    return true;
}

bool vmali_time_write(VMaliState *s, hwaddr offset, uint32_t value)
{
    unsigned clock = clock_at(s, offset);

    if (clock < VMALI_NUM_CLOCKS) {
        if (value) {
            set_rate(s, clock, value);
        } else {
            vmali_violation(s, "the %s clock was set to 0 Hz",
                            vmali_clock_name[clock]);
        }
        return true;
    }
    if ((offset & ~4ull) != A_TIMESTAMP_OFFSET_LO) {
        return false;
    }
    s->time.offset = deposit64(s->time.offset, offset & 4 ? 32 : 0, 32, value);
    return true;
}

/* ---- Properties, before the machine runs and while it does ---- */

static void get_rate(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);

    visit_type_uint32(v, name, &s->time.hz[GPOINTER_TO_UINT(opaque)], errp);
}

static void set_rate_property(Object *obj, Visitor *v, const char *name,
                              void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    unsigned clock = GPOINTER_TO_UINT(opaque);
    uint32_t hz;

    if (!visit_type_uint32(v, name, &hz, errp)) {
        return;
    }
    if (!hz) {
        error_setg(errp, "%s: must not be 0", name);
    } else if (!DEVICE(s)->realized) {
        s->time.hz[clock] = hz;
    } else if (clock >= s->prop.clocks) {
        error_setg(errp, "%s: there is no such clock", name);
    } else {
        set_rate(s, clock, hz);
    }
}

static void get_timestamp_offset(Object *obj, Visitor *v, const char *name,
                                 void *opaque, Error **errp)
{
    visit_type_uint64(v, name, &VMALI_GPU(obj)->time.board_offset, errp);
}

static void set_timestamp_offset(Object *obj, Visitor *v, const char *name,
                                 void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);

    if (visit_type_uint64(v, name, &s->time.board_offset, errp) &&
        DEVICE(s)->realized) {
        vmali_truth(s, "timestamp offset=%" PRIu64 " timestamp=%" PRIu64,
                    s->time.board_offset, vmali_timestamp(s));
    }
}

void vmali_time_class_init(ObjectClass *klass)
{
    static const uint32_t default_hz[VMALI_NUM_CLOCKS] = {
        [VMALI_CLOCK_CORE] = 500000000,
        [VMALI_CLOCK_COREGROUP] = 450000000,
        [VMALI_CLOCK_STACKS] = 400000000,
    };
    ObjectProperty *prop;
    unsigned i;

    for (i = 0; i < VMALI_NUM_CLOCKS; i++) {
        g_autofree char *name = g_strdup_printf("%s-hz", vmali_clock_name[i]);
        g_autofree char *text = g_strdup_printf("frequency of the %s clock",
                                                vmali_clock_name[i]);

        prop = object_class_property_add(klass, name, "uint32", get_rate,
                                         set_rate_property, NULL,
                                         GUINT_TO_POINTER(i));
        object_property_set_default_uint(prop, default_hz[i]);
        object_class_property_set_description(klass, name, text);
    }
    prop = object_class_property_add(klass, "timestamp-offset", "uint64",
                                     get_timestamp_offset,
                                     set_timestamp_offset, NULL, NULL);
    object_property_set_default_uint(prop, 0);
    object_class_property_set_description(klass, "timestamp-offset",
                                          "added to the TIMESTAMP register");
}
