/*
 * Virtual Arm Mali CSF GPU: performance counters
 *
 * The host gives the firmware a ring of entries.  The firmware writes a
 * sample into the next entry, counters restarting at 0 with each, and moves
 * INSERT; the host reads, clears the PRFCNT_EN word of each block and moves
 * EXTRACT.  Both indices count entries and never wrap to the ring size.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/host-utils.h"
#include "trace.h"
#include "vmali_internal.h"
#include "vmali_prfcnt.h"
#include "vmali_load.h"
#include "vmali_work.h"

#define POISON                  0xdeadbeef

/* ---- Losses ---- */

/* What was counted since the last sample is gone. */
static void lost(VMaliState *s, VMaliLoss loss)
{
    vmali_truth(s, "lost reason=%s enable=%" PRIu64 " after=%" PRIu64,
                vmali_loss_name[loss], s->prfcnt.enable_nr,
                s->prfcnt.sample_nr);
}

/*
 * The host switched counters off, and now it is clear what for: @loss if the
 * GPU went on, or is not known to have been idle.
 */
static void settle_off(VMaliState *s, VMaliLoss loss)
{
    if (s->prfcnt.off) {
        s->prfcnt.off = false;
        lost(s, loss);
    }
}

static void forget_answer(VMaliState *s);

/* ---- Enable and disable ---- */

static void poison_block(VMaliState *s, uint64_t va, const VMaliBlock *b)
{
    uint32_t words[VMALI_MAX_BLOCK_WORDS];
    uint32_t i;

    for (i = 0; i < s->block_words; i++) {
        words[i] = cpu_to_le32(POISON);
    }
    if (!b->hole) {
        uint32_t seen;

        /* What was not cleared looks like a sample, and stays as it is. */
        if (!vmali_ring_rw(s, va + WORD_PRFCNT_EN * sizeof(seen), &seen,
                           sizeof(seen), false) || seen) {
            return;
        }
        words[WORD_PRFCNT_EN] = 0;
    }
    vmali_ring_rw(s, va, words, vmali_ring_block_size(s), true);
}

/*
 * Poison the ring but for the words that the host must have cleared: a host
 * that reads what no sample wrote gets nonsense that shows.
 */
static void poison_ring(VMaliState *s)
{
    const VMaliPrfcnt *p = &s->prfcnt;
    uint32_t i, n;

    for (n = 0; n < p->entry_size / vmali_ring_block_size(s); n++) {
        VMaliBlock b = vmali_ring_block_at(s, n);

        for (i = 0; i < p->entries; i++) {
            poison_block(s, vmali_ring_va(s, i, n), &b);
        }
    }
}

static bool enable(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;
    VMaliPrfcntConfig c = vmali_ring_read_config(s);
    uint64_t violations;
    uint32_t i;

    if (!vmali_ring_check_config(s, &c)) {
        return false;
    }
    settle_off(s, VMALI_LOSS_DISABLE);
    p->cfg = c;
    p->seen = c;
    p->entries = FIELD_EX32(c.config, PRFCNT_CONFIG, SIZE);
    p->entry_size = vmali_ring_blocks(s, c.config) * vmali_ring_block_size(s);
    p->insert = 0;
    p->extract = 0;
    p->extract_seen = vmali_iface_read(s, IFACE_GLB_INPUT +
                                          GLB_PRFCNT_EXTRACT);
    if (p->extract_seen) {
        vmali_violation(s, "enable: EXTRACT is %u, not 0", p->extract_seen);
    }
    vmali_ring_cache(s);
    /* One stale entry tells enough. */
    violations = s->truth.violations;
    for (i = 0; i < p->entries && violations == s->truth.violations; i++) {
        vmali_ring_check_cleared(s, i, "enable");
    }
    poison_ring(s);
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_PRFCNT_INSERT, 0);
    p->burst_done = false;
    p->last_pending = false;
    p->ack_withheld = false;
    p->may_go_off = ~0ull;
    p->was_off = ~0ull;
    p->neural_may_go_off = ~0ull;
    p->was_full = false;
    p->alone = false;
    p->enabled = true;
    vmali_work_clear_all(s);
    vmali_load_start(s, vmali_now());
    p->enable_nr++;
    vmali_prfcnt_cores_ready(s);
    trace_vmali_prfcnt_enable(p->enable_nr, c.base, p->entries,
                              p->entry_size);
    vmali_truth(s, "enable nr=%" PRIu64 " set=%u entries=%u timestamp=%"
                PRIu64, p->enable_nr,
                FIELD_EX32(c.config, PRFCNT_CONFIG, SET_SELECT), p->entries,
                vmali_timestamp(s));
    return true;
}

static void stop_counting(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;

    p->enabled = false;
    p->burst_done = false;
    p->last_pending = false;
    p->ack_withheld = false;
    p->disable_ignored = false;
    vmali_prfcnt_cores_ready(s);
}

static void log_disable(VMaliState *s)
{
    const VMaliPrfcnt *p = &s->prfcnt;

    vmali_truth(s, "disable nr=%" PRIu64 " timestamp=%" PRIu64 " unread=%u",
                p->enable_nr, vmali_timestamp(s), p->insert - p->extract);
}

/* An event stays pending until the host copies its ACK bit to REQ. */
static bool event_pending(VMaliState *s, uint32_t mask)
{
    return (vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ) ^
            vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK)) & mask;
}

static void disable_by_host(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (p->enabled) {
        p->off = true;
        p->off_pending = event_pending(s, R_GLB_PRFCNT_SAMPLE_MASK);
        stop_counting(s);
        log_disable(s);
    }
}

void vmali_prfcnt_overtaken(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (p->enabled && s->prop.overtaken_acks && !p->ack_withheld &&
        event_pending(s, R_GLB_PRFCNT_SAMPLE_MASK)) {
        p->last_pending = false;
        p->burst_done = false;
        vmali_mcu_ack(s, R_GLB_PRFCNT_SAMPLE_MASK,
                      vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ));
    }
}

void vmali_prfcnt_halted(VMaliState *s)
{
    /* A host that halts has left nothing to do, and took a last sample. */
    if (s->prfcnt.off_pending) {
        settle_off(s, VMALI_LOSS_DISABLE);
    }
    s->prfcnt.off = false;
}

void vmali_prfcnt_stop(VMaliState *s, VMaliLoss loss)
{
    VMaliPrfcnt *p = &s->prfcnt;

    settle_off(s, loss);
    if (p->enabled && (s->mcu_status != MCU_STATUS_HALTED || s->asleep)) {
        lost(s, loss);
    }
    forget_answer(s);
    if (p->enabled) {
        stop_counting(s);
        p->stopped = s->prop.keep_enable;
        if (!p->stopped) {
            log_disable(s);
        }
    }
    p->enable_withheld = false;
}

/*
 * Counters that the host has not disabled go on after a warm boot, from 0, in
 * the same ring.  A cold boot finds another acknowledge word.
 */
void vmali_prfcnt_boot(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (!p->stopped) {
        return;
    }
    p->stopped = false;
    if (!(vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK) &
          R_GLB_PRFCNT_ENABLE_MASK)) {
        log_disable(s);
        return;
    }
    p->enabled = true;
    p->may_go_off = ~0ull;
    p->was_off = ~0ull;
    p->neural_may_go_off = ~0ull;
    p->was_full = false;
    p->alone = false;
    vmali_work_clear_all(s);
    vmali_load_clear_all(s, vmali_now());
    vmali_ring_cache(s);
    vmali_prfcnt_auto_sample(s, VMALI_REASON_BOOT);
}

/* ---- Samples ---- */

static void raise_event(VMaliState *s, uint32_t mask)
{
    if (!event_pending(s, mask)) {
        vmali_mcu_ack(s, mask,
                      ~vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK));
    }
}

static void check_threshold(VMaliState *s)
{
    const VMaliPrfcnt *p = &s->prfcnt;

    if (p->insert - p->extract >=
        MAX(p->entries * s->prop.threshold_quarters / 4, 1)) {
        raise_event(s, R_GLB_PRFCNT_THRESHOLD_MASK);
    }
}

/* Does an enable mask leave out a word of a block? */
static bool is_excluded(const VMaliState *s, uint32_t en, uint32_t word)
{
    uint32_t bit = word / s->prop.counters_per_enable;

    return bit >= 32 || !(en & (1u << bit));
}

/* Is a sample about @only these cores, and what leaves with them? */
static bool is_about(const VMaliState *s, const VMaliBlock *b, uint64_t only)
{
    return b->type == VMALI_BLOCK_SHADER || b->type == VMALI_BLOCK_NEURAL ?
           extract64(only, b->index, 1) :
           b->type == VMALI_BLOCK_TILER && s->power.tiler_leaving;
}

/*
 * PRFCNT_EN of a block in a sample that finds the cores @off without power, and
 * the accelerators of the cores @neural_off; 0: the block is not touched.
 * @only: cores that the sample is about, 0: it is about everything.
 */
static uint32_t block_enable(const VMaliState *s, const VMaliBlock *b,
                             uint64_t off, uint64_t neural_off, uint64_t only)
{
    const VMaliPrfcntConfig *c = &s->prfcnt.cfg;
    uint32_t groups = MAKE_64BIT_MASK(0, MIN(s->block_words /
                                             s->prop.counters_per_enable, 32));

    if (b->type == VMALI_BLOCK_METADATA) {
        return ENABLE_HEADER;
    }
    if (b->hole ||
        (only && !is_about(s, b, only)) ||
        (b->type == VMALI_BLOCK_TILER && s->power.tiler_off) ||
        (b->type == VMALI_BLOCK_CSG && !(c->csg_select & (1u << b->index))) ||
        (b->type == VMALI_BLOCK_SHADER && extract64(off, b->index, 1)) ||
        (b->type == VMALI_BLOCK_NEURAL &&
         extract64(neural_off, b->index, 1))) {
        return 0;
    }
    return c->enable[b->type] & groups;
}

/* What a counter of work or of a load has come to since it was cleared */
static uint32_t counter_value(const VMaliState *s, VMaliBlockType type,
                              uint32_t index, uint32_t word, int64_t now)
{
    return s->work ? vmali_work_value(s, type, index, word) :
                     vmali_load_value(s, type, index, word, now);
}

static void fill_block(const VMaliState *s, const VMaliBlock *b, uint64_t nr,
                       int64_t now, uint64_t timestamp, uint32_t en,
                       VMaliReason reason, uint32_t *words)
{
    /* kbase r54p1 has more numbers: 4 suspend, 5 yield */
    static const uint32_t reason_word[VMALI_NUM_REASONS] = {
        [VMALI_REASON_HALT] = 2,
        [VMALI_REASON_SLEEP] = 3,
        [VMALI_REASON_BOOT] = 6,
    };
    bool metadata = b->type == VMALI_BLOCK_METADATA;
    uint32_t i;

    words[WORD_TIMESTAMP_LO] = timestamp;
    words[WORD_TIMESTAMP_HI] = timestamp >> 32;
    words[WORD_PRFCNT_EN] = en;
    words[WORD_REASON] = metadata ? reason_word[reason] : 0;
    for (i = VMALI_HEADER_WORDS; i < s->block_words; i++) {
        if (metadata || is_excluded(s, en, i)) {
            words[i] = 0;
        } else if (s->work || s->load) {
            words[i] = counter_value(s, b->type, b->index, i, now);
        } else {
            words[i] = vmali_pattern_delta(s, nr, b->type, b->index, i);
        }
    }
}

static bool write_block(VMaliState *s, uint64_t va, const VMaliBlock *b,
                        const uint32_t *words)
{
    bool keep = s->prop.keep_excluded && b->type != VMALI_BLOCK_METADATA;
    uint32_t le[VMALI_MAX_BLOCK_WORDS];
    uint32_t i;

    if (keep && !vmali_ring_rw(s, va, le, vmali_ring_block_size(s), false)) {
        return false;
    }
    for (i = 0; i < s->block_words; i++) {
        if (!keep || i < VMALI_HEADER_WORDS ||
            !is_excluded(s, words[WORD_PRFCNT_EN], i)) {
            le[i] = cpu_to_le32(words[i]);
        }
    }
    return vmali_ring_rw(s, va, le, vmali_ring_block_size(s), true);
}

/* Virtual time may stand still between two samples; their times do not. */
static uint64_t next_timestamp(VMaliState *s, int64_t now)
{
    return MAX(vmali_timestamp_at(s, now), s->prfcnt.last_timestamp + 1);
}

static void sample_lost(VMaliState *s)
{
    vmali_truth(s, "overflow nr=%" PRIu64 " timestamp=%" PRIu64,
                s->prfcnt.sample_nr + 1, next_timestamp(s, vmali_now()));
    s->prfcnt.was_full = true;
    if (s->prop.full_ring == VMALI_FULL_RING_LOSE_OFF) {
        s->prfcnt.may_go_off = ~0ull;
    }
    if (s->clear_overflows || s->prop.full_ring == VMALI_FULL_RING_LOSE) {
        s->clear_overflows -= s->clear_overflows != 0;
        lost(s, VMALI_LOSS_OVERFLOW);
        vmali_work_clear_all(s);
        vmali_load_clear_all(s, vmali_now());
        s->prfcnt.sample_nr++;
    }
    raise_event(s, R_GLB_PRFCNT_OVERFLOW_MASK);
    check_threshold(s);
}

/* Shader cores that are off from the last sample to the next */
static uint64_t cores_off_now(VMaliState *s)
{
    const VMaliPrfcnt *p = &s->prfcnt;
    uint64_t off = ~s->core_power | s->power.cores_off;

    /* Where work is counted, no core goes off that has some. */
    if (p->enabled && !s->work && !s->load &&
        FIELD_EX32(vmali_iface_read(s, IFACE_GLB_INPUT + GLB_PWROFF_TIMER),
                   PWROFF_TIMER, PERIOD)) {
        off |= vmali_pattern_cores_off(s, p->sample_nr + 1, p->may_go_off);
    }
    return off;
}

/*
 * Accelerators that are off in the next sample, which finds the cores @off.
 * One that goes off after its core does so in the sample behind, if that needs
 * no further sample before it.
 */
static uint64_t neural_off_with(const VMaliState *s, uint64_t off)
{
    const VMaliPrfcnt *p = &s->prfcnt;

    switch (s->prop.neural_off) {
    case VMALI_NEURAL_OFF_ALWAYS:
        return ~0ull;
    case VMALI_NEURAL_OFF_AFTER_CORE:
        return off & p->was_off & p->neural_may_go_off;
    default:
        return off;
    }
}

void vmali_prfcnt_cores_ready(VMaliState *s)
{
    uint64_t off = cores_off_now(s);

    vmali_cores_power(s, !s->power.tiler_off, s->core_enable & ~off,
                      s->core_enable & ~neural_off_with(s, off));
}

/* What these cores have counted since the last sample is gone. */
static void lose_cores(VMaliState *s, uint64_t cores, VMaliLoss loss,
                       bool visible)
{
    vmali_truth(s, "lost reason=%s enable=%" PRIu64 " after=%" PRIu64
                " cores=0x%" PRIx64 " visible=%u", vmali_loss_name[loss],
                s->prfcnt.enable_nr, s->prfcnt.sample_nr, cores, visible);
    for (; cores; cores &= cores - 1) {
        vmali_work_clear(s, VMALI_BLOCK_SHADER, ctz64(cores));
        vmali_load_clear(s, VMALI_BLOCK_SHADER, ctz64(cores), vmali_now());
        if (s->prop.neural_off == VMALI_NEURAL_OFF_WITH_CORE) {
            vmali_work_clear(s, VMALI_BLOCK_NEURAL, ctz64(cores));
            vmali_load_clear(s, VMALI_BLOCK_NEURAL, ctz64(cores), vmali_now());
        }
    }
}

/* Does the firmware take no sample before a core goes off? */
static bool loses_cores(const VMaliState *s)
{
    return s->prop.core_off_sample == VMALI_CORE_OFF_NONE ||
           s->prop.core_off_sample == VMALI_CORE_OFF_AFTER;
}

/*
 * Which shader cores are off in the next sample?
 *
 * The firmware takes a sample before a core goes off, so that behind a
 * requested one all that were on still are.  A fault, or other firmware,
 * leaves that sample out.  A host can see it if it has read the requested
 * sample, which came alone, and so knows which of the samples that was.
 */
static uint64_t cores_off(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint64_t off = cores_off_now(s);
    uint64_t last = 1ull << (63 - clz64(s->prop.shader_present));
    bool visible = p->alone && p->extract == p->insert;
    uint64_t gone;

    if (s->lose_cores && visible && !(p->may_go_off & last)) {
        s->lose_cores--;
        off |= last;
        lose_cores(s, last, VMALI_LOSS_CORE_OFF, true);
        return off;
    }
    gone = off & ~p->was_off & s->prop.shader_present;
    if (gone && p->was_full && s->prop.full_ring == VMALI_FULL_RING_LOSE_OFF) {
        lose_cores(s, gone, VMALI_LOSS_OVERFLOW, true);
    } else if (gone && loses_cores(s)) {
        lose_cores(s, gone, VMALI_LOSS_CORE_OFF, visible);
    }
    return off;
}

/* Shader cores that have counted nothing since the last sample */
static uint64_t cores_without_counts(const VMaliState *s)
{
    int64_t now = vmali_now();
    uint64_t idle = 0, left;

    for (left = s->prop.shader_present; left; left &= left - 1) {
        unsigned core = ctz64(left), i = VMALI_HEADER_WORDS;

        while (i < s->block_words &&
               !counter_value(s, VMALI_BLOCK_SHADER, core, i, now) &&
               !counter_value(s, VMALI_BLOCK_NEURAL, core, i, now)) {
            i++;
        }
        if (i == s->block_words) {
            idle |= 1ull << core;
        }
    }
    return idle;
}

/*
 * Which cores is the sample before a power-off about?  0: about everything.
 * Cores that have nothing to tell may be left out: they are added to @off.
 */
static uint64_t cores_of_sample(VMaliState *s, VMaliReason reason,
                                uint64_t *off)
{
    uint64_t nr = s->prfcnt.sample_nr;

    if (reason != VMALI_REASON_POWER_OFF) {
        return 0;
    }
    if (s->work || s->load) {
        if (s->prop.core_off_sample == VMALI_CORE_OFF_BUSY) {
            *off |= cores_without_counts(s);
        }
        return s->prop.core_off_sample == VMALI_CORE_OFF_ONE ?
               s->power.cores_leaving : 0;
    }
    if (s->prop.core_off_sample == VMALI_CORE_OFF_ONE) {
        return (vmali_pattern_cores_off(s, nr + 2, ~0ull) | ~s->core_power) &
               ~*off & s->prop.shader_present;
    }
    if (s->prop.core_off_sample == VMALI_CORE_OFF_BUSY) {
        *off |= vmali_pattern_cores_idle(s, nr + 1);
    }
    return 0;
}

/**
 * take_sample: write the next entry
 *
 * A full ring loses nothing but the entry: values belong to the number of
 * the sample, and that number is not used up, unless a test wants it so.
 *
 * Return: true if there is a new entry.
 */
static bool take_sample(VMaliState *s, VMaliReason reason)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t count = p->entry_size / vmali_ring_block_size(s);
    uint32_t words[VMALI_MAX_BLOCK_WORDS];
    int64_t now = vmali_now();
    uint64_t nr, timestamp, off, neural_off, only;
    bool alone;
    uint32_t n;

    vmali_ring_check_unchanged(s);
    vmali_ring_look_at_extract(s);
    if (p->insert - p->extract >= p->entries) {
        sample_lost(s);
        return false;
    }

    if (s->ring_faults) {
        s->ring_faults--;
        vmali_as_fault(s, p->cfg.as, vmali_ring_va(s, p->insert, 0));
        return false;
    }

    off = cores_off(s);
    only = cores_of_sample(s, reason, &off);
    neural_off = neural_off_with(s, off);
    alone = reason == VMALI_REASON_MANUAL && p->extract == p->insert;
    nr = p->sample_nr + 1;
    timestamp = next_timestamp(s, now);
    trace_vmali_prfcnt_sample(nr, p->insert, p->extract,
                              vmali_reason_name[reason]);
    vmali_truth(s, "sample nr=%" PRIu64 " enable=%" PRIu64 " insert=%u "
                "reason=%s timestamp=%" PRIu64 " cycles=%" PRIu64, nr,
                p->enable_nr, p->insert, vmali_reason_name[reason], timestamp,
                vmali_cycles_at(s, now));
    for (n = 0; n < count; n++) {
        VMaliBlock b = vmali_ring_block_at(s, n);
        uint32_t en = block_enable(s, &b, off, neural_off, only);

        if (!en) {
            continue;
        }
        fill_block(s, &b, nr, now, timestamp, en, reason, words);
        if (!write_block(s, vmali_ring_va(s, p->insert, n), &b, words)) {
            vmali_violation(s, "the ring cannot be written any more");
            return false;
        }
        if (en & ENABLE_COUNTERS) {
            vmali_work_clear(s, b.type, b.index);
            vmali_load_clear(s, b.type, b.index, now);
            vmali_truth_block(s, b.type, b.index, en, words);
        }
    }
    vmali_truth_flush(s);
    p->sample_nr = nr;
    p->last_timestamp = timestamp;
    p->may_go_off = reason == VMALI_REASON_MANUAL && !loses_cores(s) ?
                    off : ~0ull;
    p->was_off = off;
    p->neural_may_go_off = reason == VMALI_REASON_MANUAL && !loses_cores(s) ?
                           neural_off : ~0ull;
    p->was_full = false;
    p->alone = alone;
    s->skew.armed |= reason == VMALI_REASON_MANUAL;
    p->insert++;
    /* The host reads INSERT first, then what it points to. */
    smp_wmb();
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_PRFCNT_INSERT, p->insert);
    check_threshold(s);
    vmali_prfcnt_cores_ready(s);
    return true;
}

/* ---- Answers that take some time ---- */

#define ANSWER_NS               (150 * SCALE_US)

/* The firmware stops before that. */
static void forget_answer(VMaliState *s)
{
    s->prfcnt.owed_news = 0;
    s->prfcnt.owed_first = false;
    timer_del(s->answer_timer);
}

bool vmali_prfcnt_auto_sample(VMaliState *s, VMaliReason reason)
{
    return !s->prfcnt.enabled || take_sample(s, reason);
}

/* Power transitions since the last request, each with a sample of its own. */
static bool take_automatic_samples(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t count = vmali_pattern_auto_samples(s, p->sample_nr + 1);

    while (count--) {
        VMaliReason reason = vmali_pattern_auto_reason(s, p->sample_nr + 1);

        if (s->prop.core_off_sample == VMALI_CORE_OFF_NONE) {
            reason = VMALI_REASON_POWER_ON;
        }
        if (!take_sample(s, reason)) {
            return false;
        }
    }
    return true;
}

static void handle_sample(VMaliState *s, uint32_t req)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (!event_pending(s, R_GLB_PRFCNT_SAMPLE_MASK)) {
        if (p->last_pending) {
            vmali_violation(s, "PRFCNT_SAMPLE was withdrawn before it was "
                            "acknowledged");
        }
        p->last_pending = false;
        p->ack_withheld = false;
        return;
    }
    p->last_pending = true;
    if (p->ack_withheld || event_pending(s, R_GLB_PRFCNT_OVERFLOW_MASK)) {
        return;
    }
    if (s->skip_samples) {
        s->skip_samples--;
        lost(s, VMALI_LOSS_SKIPPED);
        p->last_pending = false;
        p->alone = false;
        vmali_mcu_ack(s, R_GLB_PRFCNT_SAMPLE_MASK, req);
        return;
    }
    if (!p->burst_done) {
        /* A lost one is not tried again, the request comes first then. */
        p->burst_done = true;
        if (!take_automatic_samples(s)) {
            return;
        }
    }
    if (!take_sample(s, VMALI_REASON_MANUAL)) {
        return;
    }
    p->burst_done = false;
    if (s->delay_samples) {
        s->delay_samples--;
        p->ack_withheld = true;
        p->alone = false;
        return;
    }
    p->last_pending = false;
    vmali_mcu_ack(s, R_GLB_PRFCNT_SAMPLE_MASK, req);
}

void vmali_prfcnt_ack_now(VMaliState *s)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (p->enable_withheld) {
        p->enable_withheld = false;
        vmali_mcu_ack(s, R_GLB_PRFCNT_ENABLE_MASK,
                      vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ));
    }
    if (p->enabled && p->ack_withheld) {
        p->ack_withheld = false;
        p->last_pending = false;
        vmali_mcu_ack(s, R_GLB_PRFCNT_SAMPLE_MASK,
                      vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ));
    }
}

void vmali_prfcnt_bad_insert(VMaliState *s, uint32_t insert)
{
    vmali_iface_write(s, IFACE_GLB_OUTPUT + GLB_PRFCNT_INSERT, insert);
    raise_event(s, R_GLB_PRFCNT_THRESHOLD_MASK);
}

/* ---- Requests ---- */

static void ack_enable(VMaliState *s, uint32_t req)
{
    if (s->delay_enables) {
        s->delay_enables--;
        s->prfcnt.enable_withheld = true;
        return;
    }
    vmali_mcu_ack(s, R_GLB_PRFCNT_ENABLE_MASK, req);
}

/* @news: the request came with this doorbell */
static void handle_enable(VMaliState *s, uint32_t req, bool news)
{
    VMaliPrfcnt *p = &s->prfcnt;

    if (!event_pending(s, R_GLB_PRFCNT_ENABLE_MASK)) {
        /* Taken back before it was acknowledged. */
        if (p->enable_withheld && !(req & R_GLB_PRFCNT_ENABLE_MASK)) {
            disable_by_host(s);
        }
        p->enable_withheld = false;
        return;
    }
    if (p->enable_withheld && !news) {
        return;
    }
    if (!(req & R_GLB_PRFCNT_ENABLE_MASK)) {
        if (news) {
            p->disable_ignored = p->enabled && s->ignore_disables;
            s->ignore_disables -= p->disable_ignored;
        }
        if (!p->disable_ignored) {
            disable_by_host(s);
            ack_enable(s, req);
        }
    } else if (news && enable(s)) {
        ack_enable(s, req);
    }
}

static void serve(VMaliState *s, uint32_t req, uint32_t news, bool first)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t ack = vmali_iface_read(s, IFACE_GLB_OUTPUT + GLB_ACK);

    if (p->enabled) {
        vmali_ring_check_unchanged(s);
        vmali_ring_look_at_extract(s);
    }
    handle_enable(s, req, (news & R_GLB_PRFCNT_ENABLE_MASK) || first);
    if (p->enabled) {
        handle_sample(s, req);
    } else if ((news & R_GLB_PRFCNT_SAMPLE_MASK) &&
               !(news & R_GLB_PRFCNT_ENABLE_MASK) &&
               ((req ^ ack) & R_GLB_PRFCNT_SAMPLE_MASK)) {
        vmali_violation(s, "PRFCNT_SAMPLE requested with counters off");
    }
}

void vmali_prfcnt_doorbell(VMaliState *s, uint32_t req)
{
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t news = req ^ s->last_glb_req;

    if (s->prop.answers != VMALI_ANSWERS_LATE) {
        serve(s, req, news, s->first_doorbell);
        return;
    }
    p->owed_news |= news;
    p->owed_first |= s->first_doorbell;
    if (!timer_pending(s->answer_timer)) {
        timer_mod(s->answer_timer, vmali_now() + ANSWER_NS);
    }
}

static void answer_tick(void *opaque)
{
    VMaliState *s = opaque;
    VMaliPrfcnt *p = &s->prfcnt;
    uint32_t news = p->owed_news;
    bool first = p->owed_first;

    if (!vmali_mcu_runs(s)) {
        return;
    }
    forget_answer(s);
    serve(s, vmali_iface_read(s, IFACE_GLB_INPUT + GLB_REQ), news, first);
}

void vmali_prfcnt_init(VMaliState *s)
{
    s->answer_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, answer_tick, s);
}

void vmali_prfcnt_free(VMaliState *s)
{
    timer_free(s->answer_timer);
}
