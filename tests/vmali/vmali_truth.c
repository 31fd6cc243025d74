/*
 * Virtual Arm Mali CSF GPU: the truth log
 *
 * One record per line, fields separated by one space; README.md lists them.
 * The log is read from outside of the guest while or after the machine runs,
 * so every record is flushed when it is whole: that of a sample with those of
 * its blocks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/units.h"
#include "trace.h"
#include "vmali_internal.h"

/* More than the records of a sample: nobody sees a part of a line. */
#define BUFFER_SIZE     (1 * MiB)

const char *const vmali_block_name[VMALI_NUM_BLOCK_TYPES] = {
    [VMALI_BLOCK_METADATA] = "METADATA",
    [VMALI_BLOCK_FW] = "FW",
    [VMALI_BLOCK_CSG] = "CSG",
    [VMALI_BLOCK_CSHW] = "CSHW",
    [VMALI_BLOCK_TILER] = "TILER",
    [VMALI_BLOCK_MEMSYS] = "MEMSYS",
    [VMALI_BLOCK_SHADER] = "SHADER",
    [VMALI_BLOCK_NEURAL] = "NEURAL",
};

const char *const vmali_reason_name[VMALI_NUM_REASONS] = {
    [VMALI_REASON_NONE] = "none",
    [VMALI_REASON_MANUAL] = "manual",
    [VMALI_REASON_POWER_ON] = "power-on",
    [VMALI_REASON_POWER_OFF] = "power-off",
    [VMALI_REASON_HALT] = "halt",
    [VMALI_REASON_BURST] = "burst",
    [VMALI_REASON_SLEEP] = "sleep",
    [VMALI_REASON_BOOT] = "boot",
};

const char *const vmali_loss_name[VMALI_NUM_LOSSES] = {
    [VMALI_LOSS_RESET] = "reset",
    [VMALI_LOSS_DISABLE] = "disable",
    [VMALI_LOSS_OVERFLOW] = "overflow",
    [VMALI_LOSS_HANG] = "hang",
    [VMALI_LOSS_CORE_OFF] = "core-off",
    [VMALI_LOSS_SKIPPED] = "skipped",
};

/* A run without its log is of no use, and the log shows that it has no end. */
static void G_GNUC_PRINTF(2, 3) stop_run(VMaliState *s, const char *fmt, ...)
{
    g_autofree char *why = NULL;
    va_list args;

    va_start(args, fmt);
    why = g_strdup_vprintf(fmt, args);
    va_end(args);

    error_report("vmali: the run ends, since its truth log '%s' %s",
                 s->prop.truth, why);
    fclose(s->truth.file);
    s->truth.file = NULL;
    if (!s->truth.ended) {
        exit(EXIT_FAILURE);
    }
}

void vmali_truth_flush(VMaliState *s)
{
    int error;

    if (!s->truth.file) {
        return;
    }
    error = fflush(s->truth.file) ? errno : 0;
    if (error || ferror(s->truth.file)) {
        stop_run(s, "cannot be written: %s", strerror(error ?: EIO));
    } else if (s->truth.size >= s->prop.truth_size) {
        stop_run(s, "has reached truth-size, %" PRIu64 " bytes",
                 s->prop.truth_size);
    }
}

void vmali_truth(VMaliState *s, const char *fmt, ...)
{
    va_list args;

    if (s->truth.file) {
        va_start(args, fmt);
        s->truth.size += vfprintf(s->truth.file, fmt, args) + 1;
        va_end(args);
        fputc('\n', s->truth.file);
        vmali_truth_flush(s);
    }
}

/* BLOCK:INDEX:COUNTER, for example SHADER:16:4 */
static bool parse_skew(VMaliState *s, Error **errp)
{
    g_auto(GStrv) part = g_strsplit(s->prop.skew, ":", 0);
    VMaliSkew *skew = &s->skew;
    unsigned i;

    if (g_strv_length(part) == 3 &&
        !qemu_strtoui(part[1], NULL, 0, &skew->index) &&
        !qemu_strtoui(part[2], NULL, 0, &skew->counter) &&
        skew->counter >= VMALI_HEADER_WORDS &&
        skew->counter < s->block_words) {
        for (i = VMALI_BLOCK_FW; i < VMALI_NUM_BLOCK_TYPES; i++) {
            if (!strcmp(part[0], vmali_block_name[i])) {
                if (!vmali_prfcnt_has_block(s, i, skew->index)) {
                    error_setg(errp, "x-skew: this GPU has no %s %u", part[0],
                               skew->index);
                    return false;
                }
                skew->type = i;
                skew->active = true;
                return true;
            }
        }
    }
    error_setg(errp, "x-skew: '%s' is not BLOCK:INDEX:COUNTER with a block "
               "type and a counter from %u to %u", s->prop.skew,
               VMALI_HEADER_WORDS, s->block_words - 1);
    return false;
}

static void truth_end(Notifier *notifier, void *data)
{
    VMaliState *s = container_of(notifier, VMaliState, truth.exit);

    s->truth.ended = true;
    vmali_truth(s, "end violations=%" PRIu64 " unimplemented=%" PRIu64,
                s->truth.violations, s->truth.unimplemented);
}

/*
 * The lock holds against other devices of this process, too: they have another
 * open file description.  File systems without locks are none of our business.
 */
static bool take_file(const char *name, int fd, Error **errp)
{
#ifndef _WIN32
    int ret = qemu_lock_fd(fd, 0, 0, true);

    if (ret == -EAGAIN || ret == -EACCES) {
        error_setg(errp, "truth: '%s' is the truth log of another GPU", name);
        return false;
    }
#endif
    if (ftruncate(fd, 0)) {
        error_setg_errno(errp, errno, "truth: cannot empty '%s'", name);
        return false;
    }
    return true;
}

static bool open_file(VMaliState *s, Error **errp)
{
    int fd = qemu_create(s->prop.truth, O_WRONLY, 0666, errp);
    struct stat st;

    if (fd < 0) {
        return false;
    }
    /* Several devices may write to /dev/null. */
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
        !take_file(s->prop.truth, fd, errp)) {
        close(fd);
        return false;
    }
    s->truth.file = fdopen(fd, "w");
    setvbuf(s->truth.file, NULL, _IOFBF, BUFFER_SIZE);
    s->truth.size = fprintf(s->truth.file, "vmali-truth 1\n");
    if (fflush(s->truth.file)) {
        error_setg_errno(errp, errno, "truth: cannot write '%s'",
                         s->prop.truth);
        fclose(s->truth.file);
        s->truth.file = NULL;
        return false;
    }
    return true;
}

bool vmali_truth_open(VMaliState *s, Error **errp)
{
    if (s->prop.skew && !parse_skew(s, errp)) {
        return false;
    }
    if (s->prop.truth && !open_file(s, errp)) {
        return false;
    }
    s->truth.exit.notify = truth_end;
    qemu_add_exit_notifier(&s->truth.exit);

    vmali_truth(s, "gpu id=0x%08x shader_present=0x%" PRIx64 " l2_slices=%u "
                "counters=%u fw=%u csg=%u metadata=%u timestamp_hz=%u lost=1 "
                "neural_present=0x%" PRIx64,
                s->prop.gpu_id, s->prop.shader_present, s->prop.l2_slices,
                s->block_words, s->prop.fw_counters,
                s->prop.csg_counters ? s->prop.groups : 0, s->prop.metadata,
                s->prop.timestamp_hz, s->prop.neural_present);
    return true;
}

void vmali_truth_close(VMaliState *s)
{
    qemu_remove_exit_notifier(&s->truth.exit);
    if (s->truth.file) {
        fclose(s->truth.file);
        s->truth.file = NULL;
    }
}

/* A space and the number. A guest waits while its samples are logged. */
static char *put_number(char *to, uint32_t value)
{
    char digits[10];
    unsigned n = 0;

    do {
        digits[n++] = '0' + value % 10;
        value /= 10;
    } while (value);
    *to++ = ' ';
    while (n) {
        *to++ = digits[--n];
    }
    return to;
}

/* To be followed by vmali_truth_flush() */
void vmali_truth_block(VMaliState *s, VMaliBlockType type, uint32_t index,
                       uint32_t enable, const uint32_t *words)
{
    char line[VMALI_MAX_BLOCK_WORDS * (1 + 10) + 1];
    char *end = line;
    uint32_t i;

    if (!s->truth.file) {
        return;
    }
    s->truth.size += fprintf(s->truth.file, "block %s %u en=0x%08x",
                             vmali_block_name[type], index, enable);
    for (i = VMALI_HEADER_WORDS; i < s->block_words; i++) {
        uint32_t value = words[i];

        if (s->skew.active && s->skew.armed && s->skew.type == type &&
            s->skew.index == index && s->skew.counter == i) {
            s->skew.active = false;
            value++;
        }
        end = put_number(end, value);
    }
    *end++ = '\n';
    s->truth.size += fwrite(line, 1, end - line, s->truth.file);
}

void vmali_violation(VMaliState *s, const char *fmt, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, fmt);
    text = g_strdup_vprintf(fmt, args);
    va_end(args);

    s->truth.violations++;
    trace_vmali_violation(text);
    qemu_log_mask(LOG_GUEST_ERROR, "vmali: %s\n", text);
    vmali_truth(s, "violation %s", text);
}

void vmali_unimplemented(VMaliState *s, const char *fmt, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, fmt);
    text = g_strdup_vprintf(fmt, args);
    va_end(args);

    s->truth.unimplemented++;
    trace_vmali_unimplemented(text);
    qemu_log_mask(LOG_UNIMP, "vmali: unimplemented %s\n", text);
    vmali_truth(s, "unimplemented %s", text);
}
