/*
 * Virtual Arm Mali CSF GPU: properties that are fixed at creation
 *
 * Those that can be set at run time are in vmali_time.c and vmali_inject.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/util.h"
#include "qemu/units.h"
#include "vmali_internal.h"
#include "hw/core/qdev-prop-internal.h"

#define PROP_DEFAULT            UINT32_MAX
/* Of the parts from architecture 12 on that Mesa knows */
#define CORE_VARIANT            4
#define MAX_AUTO_SAMPLES        1024
#define MAX_JOB_TIME_NS         (1000 * NANOSECONDS_PER_SECOND)

/* ---- Enumerations ---- */

#define ENUM_INFO(type_, ...) \
    static const QEnumLookup type_##_lookup = { \
        .array = (const char *const[]) { __VA_ARGS__ }, \
        .size = ARRAY_SIZE(((const char *const[]) { __VA_ARGS__ })), \
    }; \
    static const PropertyInfo type_##_info = { \
        .VMALI_PROPERTY_TYPE = #type_, \
        .enum_table = &type_##_lookup, \
        .get = qdev_propinfo_get_enum, \
        .set = qdev_propinfo_set_enum, \
        .set_default_value = qdev_propinfo_set_default_value_enum, \
    }

#define DEFINE_ENUM(name_, field_, type_, default_) \
    DEFINE_PROP_UNSIGNED(name_, VMaliState, prop.field_, default_, \
                         type_##_info, type_)

ENUM_INFO(VMaliCounters,
          [VMALI_COUNTERS_PATTERN] = "pattern",
          [VMALI_COUNTERS_WORK] = "work",
          [VMALI_COUNTERS_LOAD] = "load");
ENUM_INFO(VMaliCoreOff,
          [VMALI_CORE_OFF_ALL] = "all",
          [VMALI_CORE_OFF_ONE] = "one",
          [VMALI_CORE_OFF_BUSY] = "busy",
          [VMALI_CORE_OFF_NONE] = "none",
          [VMALI_CORE_OFF_AFTER] = "after");
ENUM_INFO(VMaliFullRing,
          [VMALI_FULL_RING_WAIT] = "wait",
          [VMALI_FULL_RING_LOSE] = "lose",
          [VMALI_FULL_RING_LOSE_OFF] = "lose-off");
ENUM_INFO(VMaliIdleOff,
          [VMALI_IDLE_OFF_NONE] = "none",
          [VMALI_IDLE_OFF_CORES] = "cores",
          [VMALI_IDLE_OFF_TILER] = "tiler");
ENUM_INFO(VMaliNeuralOff,
          [VMALI_NEURAL_OFF_WITH_CORE] = "with-core",
          [VMALI_NEURAL_OFF_AFTER_CORE] = "after-core",
          [VMALI_NEURAL_OFF_ALWAYS] = "always");
ENUM_INFO(VMaliAnswers,
          [VMALI_ANSWERS_AT_ONCE] = "at-once",
          [VMALI_ANSWERS_LATE] = "late");

static VMaliProperty vmali_props[] = {
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
    DEFINE_PROP_UINT32("x-prfcnt-size", VMaliState, prop.prfcnt_size,
                       PROP_DEFAULT),
    DEFINE_PROP_UINT64("seed", VMaliState, prop.seed, 1),
    DEFINE_PROP_UINT32("auto-samples", VMaliState, prop.auto_samples, 2),
    DEFINE_PROP_UINT32("counters-per-enable", VMaliState,
                       prop.counters_per_enable, 4),
    DEFINE_PROP_BOOL("keep-excluded", VMaliState, prop.keep_excluded, false),
    DEFINE_PROP_UINT32("threshold-quarters", VMaliState,
                       prop.threshold_quarters, 2),
    DEFINE_PROP_BOOL("core-off", VMaliState, prop.core_off, true),
    DEFINE_ENUM("core-off-sample", core_off_sample, VMaliCoreOff,
                VMALI_CORE_OFF_ALL),
    DEFINE_ENUM("full-ring", full_ring, VMaliFullRing, VMALI_FULL_RING_WAIT),
    DEFINE_ENUM("idle-off", idle_off, VMaliIdleOff, VMALI_IDLE_OFF_NONE),
    DEFINE_ENUM("neural-off", neural_off, VMaliNeuralOff,
                VMALI_NEURAL_OFF_WITH_CORE),
    DEFINE_ENUM("answers", answers, VMaliAnswers, VMALI_ANSWERS_AT_ONCE),
    DEFINE_PROP_BOOL("overtaken-acks", VMaliState, prop.overtaken_acks, false),
    DEFINE_PROP_BOOL("keep-enable", VMaliState, prop.keep_enable, true),
    DEFINE_PROP_BOOL("cycles-always", VMaliState, prop.cycles_always, false),
    DEFINE_PROP_BOOL("x-saturate", VMaliState, prop.saturate, false),
    DEFINE_PROP_UINT32("core-features", VMaliState, prop.core_features,
                       PROP_DEFAULT),
    DEFINE_PROP_UINT32("timestamp-hz", VMaliState, prop.timestamp_hz,
                       62500000),
    DEFINE_PROP_UINT32("clocks", VMaliState, prop.clocks, 1),
    DEFINE_PROP_BOOL("clock-provider", VMaliState, prop.clock_provider, false),
    DEFINE_ENUM("counters", counters, VMaliCounters, VMALI_COUNTERS_PATTERN),
    DEFINE_PROP_STRING("load", VMaliState, prop.load),
    DEFINE_PROP_BOOL("mcu-cost", VMaliState, prop.mcu_cost, true),
    DEFINE_PROP_UINT32("cs-budget", VMaliState, prop.cs_budget, 2048),
    DEFINE_PROP_UINT64("job-time", VMaliState, prop.job_time, 0),
    DEFINE_PROP_STRING("truth", VMaliState, prop.truth),
    DEFINE_PROP_SIZE("truth-size", VMaliState, prop.truth_size, 32 * GiB),
    DEFINE_PROP_STRING("x-skew", VMaliState, prop.skew),
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
    { "x-prfcnt-size", "control word GLB_PRFCNT_SIZE; 0xffffffff: what is "
      "right" },
    { "seed", "seed of the counter values" },
    { "auto-samples", "most automatic samples before a requested one" },
    { "counters-per-enable", "words of a block for a bit of an enable mask: 4 "
      "or 2" },
    { "keep-excluded", "words that an enable mask excludes are not written" },
    { "threshold-quarters", "quarters of the ring that are unread at "
      "THRESHOLD" },
    { "core-off", "shader cores are off in some samples" },
    { "core-off-sample", "all/one/busy/none/after: the sample when a core "
      "loses power" },
    { "full-ring", "wait/lose/lose-off: counts of a sample without room" },
    { "idle-off", "none/cores/tiler: what loses power without work" },
    { "neural-off", "with-core/after-core/always: when an accelerator is "
      "off" },
    { "answers", "at-once/late: answers to requests for samples" },
    { "overtaken-acks", "a sample that sleep or halt overtakes is "
      "acknowledged" },
    { "keep-enable", "enabled counters survive a warm boot" },
    { "cycles-always", "the cycle counter runs without a request" },
    { "x-saturate", "some counters stand at their end" },
    { "core-features", "CORE_FEATURES register, whose low byte is the variant "
      "of the cores; 0xffffffff: 4 from architecture 12 on, 0 before" },
    { "timestamp-hz", "frequency of the TIMESTAMP register" },
    { "clocks", "number of clocks: core, coregroup, stacks" },
    { "clock-provider", "a driver of the guest provides the clocks" },
    { "counters", "pattern/work/load: values from the seed, from the work of "
      "streams, or from a file" },
    { "load", "file of phases and rates of counters" },
    { "mcu-cost", "the firmware's own work counts, too" },
    { "cs-budget", "instructions of streams in a millisecond" },
    { "job-time", "nanoseconds of virtual time that a job of shader cores or "
      "tiler takes" },
    { "truth", "file for the truth log" },
    { "truth-size", "size of the truth log that ends the run" },
    { "x-skew", "BLOCK:INDEX:COUNTER that the truth log shall get wrong once" },
};

void vmali_props_class_init(ObjectClass *klass)
{
    unsigned i;

    device_class_set_props(DEVICE_CLASS(klass), vmali_props);
    for (i = 0; i < ARRAY_SIZE(property_help); i++) {
        object_class_property_set_description(klass, property_help[i].name,
                                              property_help[i].text);
    }
}

bool vmali_props_check(VMaliState *s, Error **errp)
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
    if (s->prop.counters == VMALI_COUNTERS_LOAD && !s->prop.load) {
        error_setg(errp, "counters=load: needs load=FILE, a file such as "
                   "tests/demo/game.load");
        return false;
    }
    if (s->prop.load && s->prop.counters != VMALI_COUNTERS_LOAD) {
        error_setg(errp, "load: needs counters=load");
        return false;
    }
    if (s->prop.idle_off != VMALI_IDLE_OFF_NONE &&
        s->prop.counters == VMALI_COUNTERS_PATTERN) {
        error_setg(errp, "idle-off: goes with counters=work or load");
        return false;
    }
    if (s->prop.neural_off == VMALI_NEURAL_OFF_AFTER_CORE &&
        (s->prop.core_off_sample == VMALI_CORE_OFF_NONE ||
         s->prop.core_off_sample == VMALI_CORE_OFF_AFTER)) {
        error_setg(errp, "neural-off: after-core needs a sample before cores "
                   "go off");
        return false;
    }
    if (!s->prop.cs_budget) {
        error_setg(errp, "cs-budget: must not be 0");
        return false;
    }
    if (s->prop.job_time > MAX_JOB_TIME_NS) {
        error_setg(errp, "job-time: must be at most %" PRIu64,
                   (uint64_t)MAX_JOB_TIME_NS);
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
