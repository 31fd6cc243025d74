/*
 * Virtual Arm Mali CSF GPU: what a test can do to it while it runs
 *
 * Properties that are set through the monitor.  Some change what the firmware
 * will do, others make it do something at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "vmali_internal.h"

#define MAX_BURST               1024

static void set_auto_burst(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint32_t count;

    if (!visit_type_uint32(v, name, &count, errp)) {
        return;
    }
    if (!s->prfcnt.enabled || !vmali_mcu_runs(s)) {
        error_setg(errp, "x-auto-burst: nothing is counted");
        return;
    }
    if (count > MAX_BURST) {
        error_setg(errp, "x-auto-burst: at most %u samples", MAX_BURST);
        return;
    }
    while (count-- && s->prfcnt.enabled) {
        vmali_prfcnt_auto_sample(s, VMALI_REASON_BURST);
    }
}

static void set_ack_now(Object *obj, Visitor *v, const char *name,
                        void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint32_t value;

    if (!visit_type_uint32(v, name, &value, errp)) {
        return;
    }
    if (value) {
        s->delay_samples = 0;
        vmali_prfcnt_ack_now(s);
    }
}

static void set_bad_insert(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint32_t value;

    if (!visit_type_uint32(v, name, &value, errp)) {
        return;
    }
    if (!s->prfcnt.enabled) {
        error_setg(errp, "x-bad-insert: counters are not enabled");
        return;
    }
    vmali_prfcnt_bad_insert(s, value);
}

static void set_hang(Object *obj, Visitor *v, const char *name,
                     void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint32_t value;

    if (visit_type_uint32(v, name, &value, errp)) {
        s->hung = value;
    }
}

static void set_sleep(Object *obj, Visitor *v, const char *name,
                      void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint32_t value;

    if (!visit_type_uint32(v, name, &value, errp) || !value) {
        return;
    }
    if (!vmali_mcu_runs(s)) {
        error_setg(errp, "x-sleep: the firmware does not run");
        return;
    }
    vmali_mcu_sleep(s);
}

static void get_core_power(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    visit_type_uint64(v, name, &VMALI_GPU(obj)->core_power, errp);
}

/* Before a core goes off, the firmware takes a sample. */
static void set_core_power(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    VMaliState *s = VMALI_GPU(obj);
    uint64_t mask;

    if (!visit_type_uint64(v, name, &mask, errp)) {
        return;
    }
    if (!DEVICE(s)->realized) {
        s->core_power = mask;
        return;
    }
    if (!vmali_mcu_runs(s)) {
        error_setg(errp, "x-core-power: the firmware does not run");
        return;
    }
    if ((s->core_power & ~mask & s->prop.shader_present) &&
        !vmali_prfcnt_auto_sample(s, VMALI_REASON_POWER_OFF)) {
        error_setg(errp, "x-core-power: no room for the sample before");
        return;
    }
    s->core_power = mask;
    vmali_power_changed(s);
}

/* Setting one of these does something at once. */
static const struct {
    const char *name;
    ObjectPropertyAccessor *set;
    const char *text;
} action[] = {
    { "x-auto-burst", set_auto_burst,
      "write this number of automatic samples" },
    { "x-ack-now", set_ack_now, "1: give withheld acknowledges" },
    { "x-bad-insert", set_bad_insert, "tell the host this INSERT index" },
    { "x-sleep", set_sleep, "1: the firmware sleeps until a doorbell" },
    { "x-hang", set_hang, "1: the firmware does nothing until it is stopped" },
};

/* These say how often something will happen. */
static const struct {
    const char *name;
    size_t offset;
    const char *text;
} setting[] = {
    { "x-drop-pings", offsetof(VMaliState, drop_pings),
      "the next pings, so many, stay unanswered" },
    { "x-fail-boots", offsetof(VMaliState, fail_boots),
      "the firmware does not start, so many times" },
    { "x-delay-samples", offsetof(VMaliState, delay_samples),
      "the next sample acknowledges, so many, are withheld" },
    { "x-delay-enables", offsetof(VMaliState, delay_enables),
      "the next enable or disable acknowledges, so many, are withheld" },
    { "x-ignore-disables", offsetof(VMaliState, ignore_disables),
      "the next disables, so many, have no effect and no answer" },
    { "x-clear-overflows", offsetof(VMaliState, clear_overflows),
      "the next samples without room, so many, lose their counts" },
    { "x-lose-cores", offsetof(VMaliState, lose_cores),
      "so many times, the last core goes off without a sample before" },
    { "x-skip-samples", offsetof(VMaliState, skip_samples),
      "the next requests, so many, are acknowledged without a sample" },
    { "x-ring-faults", offsetof(VMaliState, ring_faults),
      "the next samples, so many, meet an MMU fault in the ring" },
    { "x-hang-jobs", offsetof(VMaliState, hang_jobs),
      "the next jobs of shader cores or tiler, so many, never end" },
    { "heap-use", offsetof(VMaliState, heap_use),
      "bytes of a tiler heap for 64 indices of a job" },
    { "x-size-at-boot", offsetof(VMaliState, prop.prfcnt_size),
      "control word GLB_PRFCNT_SIZE from the next boot on" },
};

/* These are numbers from the start of the machine on, to be read. */
static const struct {
    const char *name;
    size_t offset;
    const char *text;
} total[] = {
    { "violations", offsetof(VMaliState, truth.violations),
      "times that the host broke the protocol" },
    { "unimplemented", offsetof(VMaliState, truth.unimplemented),
      "uses of what the model does not have" },
    { "instructions", offsetof(VMaliState, instructions),
      "instructions that command streams have retired" },
    { "lsu-cycles", offsetof(VMaliState, lsu_cycles),
      "cycles of their load and store unit" },
    { "programs", offsetof(VMaliState, programs),
      "shader programs that compute jobs had, and that were checked" },
    { "unknown-programs", offsetof(VMaliState, unknown_programs),
      "what compute jobs had instead, and is no descriptor of a program" },
    { "heap-ooms", offsetof(VMaliState, heap_ooms),
      "times that a job found the tiler heap used up" },
    { "heap-chunks", offsetof(VMaliState, heap_chunks),
      "chunks that the host added to tiler heaps for that" },
    { "stale-translations", offsetof(VMaliState, stale_translations),
      "translations that were used behind a change of the tables" },
    { "cache-flushes", offsetof(VMaliState, flushes),
      "flushes of caches, by streams and by the host" },
    { "faults", offsetof(VMaliState, faults),
      "times that a command stream was stopped by what it did" },
};

void vmali_inject_init(VMaliState *s)
{
    Object *obj = OBJECT(s);
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(setting); i++) {
        object_property_add_uint32_ptr(obj, setting[i].name,
                                       (void *)s + setting[i].offset,
                                       OBJ_PROP_FLAG_READWRITE);
        object_property_set_description(obj, setting[i].name, setting[i].text);
    }
    for (i = 0; i < ARRAY_SIZE(total); i++) {
        object_property_add_uint64_ptr(obj, total[i].name,
                                       (void *)s + total[i].offset,
                                       OBJ_PROP_FLAG_READ);
        object_property_set_description(obj, total[i].name, total[i].text);
    }
}

void vmali_inject_class_init(ObjectClass *klass)
{
    ObjectProperty *prop;
    unsigned i;

    prop = object_class_property_add(klass, "x-core-power", "uint64",
                                     get_core_power, set_core_power, NULL,
                                     NULL);
    object_property_set_default_uint(prop, UINT64_MAX);
    object_class_property_set_description(klass, "x-core-power",
                                          "shader cores that have power");
    for (i = 0; i < ARRAY_SIZE(action); i++) {
        object_class_property_add(klass, action[i].name, "uint32", NULL,
                                  action[i].set, NULL, NULL);
        object_class_property_set_description(klass, action[i].name,
                                              action[i].text);
    }
}
