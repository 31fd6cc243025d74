/*
 * Virtual Arm Mali CSF GPU: counter values
 *
 * Nothing here depends on time or on what the host does: whoever knows the
 * seed and the number of a sample can compute what is in it.  README.md
 * gives the rules in words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_internal.h"

/* Separate the streams of numbers that are drawn for one sample. */
enum {
    STREAM_CORE_OFF = 0x40000000,
    STREAM_AUTO_SAMPLES = 0x41000000,
    STREAM_AUTO_REASON = 0x42000000,
    STREAM_CORE_IDLE = 0x43000000,
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 29;
    x *= 0x9fb21c651e98df25ull;
    x ^= x >> 32;
    return x;
}

static uint64_t draw(uint64_t seed, uint64_t nr, uint32_t what)
{
    return mix(mix(seed + 0x9e3779b97f4a7c15ull * nr) + what);
}

uint32_t vmali_pattern_delta(const VMaliState *s, uint64_t nr,
                             VMaliBlockType type, uint32_t index,
                             uint32_t counter)
{
    uint64_t x = draw(s->prop.seed, nr, type << 24 | index << 8 | counter);
    uint32_t low = x;

    /* The top four bits choose the range, the low word the value. */
    switch (x >> 60) {
    case 0 ... 2:
        return 0;
    case 15:
        /* A counter that stands at its end may have missed events. */
        return s->prop.saturate ? UINT32_MAX : UINT32_MAX - 1 - (low & 0xff);
    case 14:
        return low & 0x0fffffff;
    default:
        return low & 0x00ffffff;
    }
}

uint64_t vmali_pattern_cores_off(const VMaliState *s, uint64_t nr,
                                 uint64_t candidates)
{
    uint64_t off = 0;
    uint32_t core;

    for (core = 0; s->prop.core_off && core < 64; core++) {
        if (draw(s->prop.seed, nr, STREAM_CORE_OFF + core) >> 61 == 0) {
            off |= 1ull << core;
        }
    }
    return off & candidates;
}

uint64_t vmali_pattern_cores_idle(const VMaliState *s, uint64_t nr)
{
    uint64_t idle = 0;
    uint32_t core;

    for (core = 0; core < 64; core++) {
        idle |= draw(s->prop.seed, nr, STREAM_CORE_IDLE + core) >> 63 << core;
    }
    return idle;
}

uint32_t vmali_pattern_auto_samples(const VMaliState *s, uint64_t nr)
{
    return (draw(s->prop.seed, nr, STREAM_AUTO_SAMPLES) >> 32) %
           ((uint64_t)s->prop.auto_samples + 1);
}

VMaliReason vmali_pattern_auto_reason(const VMaliState *s, uint64_t nr)
{
    return draw(s->prop.seed, nr, STREAM_AUTO_REASON) >> 63 ?
           VMALI_REASON_POWER_ON : VMALI_REASON_POWER_OFF;
}
