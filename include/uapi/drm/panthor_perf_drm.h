/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef _PANTHOR_PERF_DRM_H_
#define _PANTHOR_PERF_DRM_H_

#include "drm.h"
#include "panthor_drm.h"

/*
 * A panthor_drm.h that brings the performance counter interface itself wins:
 * then this header defines nothing at all, DRM_PANTHOR_PERF_OUT_OF_TREE
 * included, and the names below have the distribution's meaning. Its numbers may
 * be enumerators, which the preprocessor does not see: there, the macro
 * DRM_PANTHOR_PERF_ABI says so.
 */
#if !defined(DRM_IOCTL_PANTHOR_PERF_SETUP) && !defined(DRM_PANTHOR_PERF_ABI)

/**
 * define DRM_PANTHOR_PERF_OUT_OF_TREE - the private numbers are in use
 *
 * Defined when the names of this header stand for the ioctl and query numbers
 * of the out-of-tree component rather than for those of mainline.
 */
#define DRM_PANTHOR_PERF_OUT_OF_TREE	1

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Overview
 *
 * Performance counters of Mali CSF GPUs. A client queries the counter
 * configuration with %DRM_PANTHOR_DEV_QUERY_PERF_INFO, creates two buffer
 * objects (a ring of samples and a control object with two indices), and sets
 * up a session on them. The session counts from START to STOP. Every SAMPLE (or
 * every period) publishes one sample, which holds the counts since the previous
 * sample. STOP publishes a final sample.
 *
 * Counters belong to the GPU, not to a process: a sample holds the counts of the
 * work of all processes. Sessions are independent of each other. The counter
 * masks of a session are a filter on its own samples.
 *
 * %DRM_PANTHOR_DEV_QUERY_PERF_INFO fails where the driver does not have this
 * interface. The version number of the driver does not depend on it.
 */

/**
 * DOC: Rules
 *
 * - A client uses the interface only if &drm_panthor_perf_info.abi is
 *   %DRM_PANTHOR_PERF_ABI.
 * - Every field is naturally aligned, every structure's size is a multiple of
 *   8 bytes, and the layout is the same for 32-bit and 64-bit user space.
 * - Fields named pad must be zero; so must all bits of a flags field that are
 *   not defined here. Anything else is -EINVAL.
 * - A structure may grow at its end, except for
 *   &struct drm_panthor_perf_ring_control. A field that is added later has an
 *   effect only with a flag bit that was introduced with it and that
 *   &drm_panthor_perf_info.flags advertises.
 * - Headers in a sample may grow at their end, and block types may be added.
 *   A client steps through a sample with the sizes that PERF_INFO reports and
 *   skips the block types that it does not know.
 * - The flags and events of a sample and the states of a block may get more
 *   bits, and clocks more values. A client ignores unknown bits and values. The
 *   counts of a sample without ERROR and OVERFLOW are exact whatever other bits it
 *   has, except for the counts of shader cores in a sample with CORE_OFF_LOST.
 * - Flags and events of a sample concern the GPU. They do not depend on the
 *   counters that the session requested.
 */

/**
 * DOC: Why the layout is reported
 *
 * A client cannot compute the layout of a sample from the GPU's identity:
 *
 * - Firmware decides whether there are blocks of the firmware and of the command
 *   stream groups, and whether the blocks of shader cores are packed or have room
 *   for cores that are absent (GLB_PRFCNT_SIZE). User space cannot read that.
 * - The kernel writes the headers, and a later kernel may write larger ones.
 * - A library runs on older and on newer kernels than the one that it was built
 *   for.
 *
 * A section names its block type, so that further types and more counters of a
 * block need no further structure. A session names its counter set, because the
 * same index means another event in each set.
 *
 * A file may have several sessions. Each has one period, one selection of
 * counters and one ring. One process may hold several clients that do not know
 * of each other and share the file of the driver, for example a layer, an overlay
 * and the application itself.
 */

/**
 * DOC: Ring contract
 *
 * The control object holds, at control_offset::
 *
 *	offset 0   u64 extract_idx   written by user space, read by the kernel
 *	offset 8   u64 insert_idx    written by the kernel, read by user space
 *
 * Both count samples, start at 0 with SETUP, run freely over the whole 64
 * bits and are never wrapped to the ring; sample number i lies at
 * (i & (sample_slots - 1)) * sample_size in the ring. The ring is empty when
 * the indices are equal, and holds insert_idx - extract_idx samples otherwise.
 *
 * ====================================  =====================================
 * kernel                                user space
 * ====================================  =====================================
 * writes the sample                     loads extract_idx (its own)
 * stores insert_idx with release        loads insert_idx with acquire
 * adds one to the eventfd (see below)   reads the samples in between
 * loads extract_idx with acquire        stores extract_idx with release
 * ====================================  =====================================
 *
 * The store to extract_idx is one plain, single-copy-atomic 64-bit store, no
 * read-modify-write: the page may be mapped write-combined. The kernel keeps
 * its own insert index and never reads back what user space can write, the
 * extract index excepted. It ignores an extract index outside of [last valid
 * one, insert_idx], and reports it as %DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT in the
 * next sample.
 *
 * Programs of 32 bits use plain loads and stores with a fence, too. 64-bit atomic
 * functions of their compiler may be exclusive accesses (ldrexd and strexd), which
 * need not work on a write-combined page. A compiler may split a plain 64-bit
 * access into two. Then an index tears when its lower half wraps, that is after
 * 2^32 samples:
 *
 * - A client that loads a torn insert_idx sees insert_idx - extract_idx larger than
 *   sample_slots. It loads insert_idx again.
 * - A torn extract_idx is invalid for the kernel, too. The next sample may have
 *   %DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT, and nothing else happens.
 *
 * The eventfd gets one count for each sample. With
 * %DRM_PANTHOR_PERF_SETUP_WAKEUP it gets one
 *
 * - when a sample is published and wakeup_samples are unread then,
 * - for the final sample of STOP, and
 * - when the GPU goes away.
 *
 * A count covers all samples up to insert_idx. While extract_idx does not move,
 * these samples do not cause another count. Once it has moved, the kernel counts
 * all unread samples again when it publishes the next one, including samples that
 * the client left in the ring on purpose. So a client may read as many samples as
 * it likes, and wait again.
 *
 * A client limits its waiting with a time-out of poll() on the eventfd. It loads
 * insert_idx when poll() returns, also without a count. If the ring was empty
 * before poll(), no unread sample is then older than the time-out.
 */

/**
 * DOC: Runtime suspend
 *
 * A started session keeps the GPU powered, unless it was set up with
 * %DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND. The GPU may be suspended when it is idle
 * and all started sessions have this flag:
 *
 * - START resumes a suspended GPU for its baseline. Then the GPU may be suspended
 *   again.
 * - The kernel reads the counters before it suspends the GPU. No count is lost.
 *   When something else resumes the GPU, the counters start before that work runs.
 * - A period does not resume the GPU. Periods that end while it is suspended are
 *   merged into the first sample after the resume.
 * - SAMPLE and STOP do not resume the GPU either. While it is suspended, they
 *   publish their sample before the call returns. The sample holds the counts up to
 *   the suspend and ends with the call, on the host's clock (HOST_TIME). It is as
 *   exact as other samples, since a suspended GPU does not count.
 * - %DRM_PANTHOR_PERF_EVENT_SUSPEND is in each sample during a part of which the
 *   GPU was suspended. The states of all blocks that the counter set defines have
 *   OFF then; they have ON too if the block counted during another part. Cycles of
 *   clocks do not count while the GPU is suspended.
 *
 * A suspend of the whole system suspends the GPU under every session. The
 * requests of sessions without the flag wait for the resume.
 */

/**
 * DOC: Ordered samples
 *
 * SAMPLE with %DRM_PANTHOR_PERF_SAMPLE_SYNCS takes a sample in the order of the
 * GPU's work, without a wait of the CPU. It has an array of
 * &struct drm_panthor_sync_op, as VM_BIND and GROUP_SUBMIT have:
 *
 * - WAIT operations: the kernel requests the firmware's sample when their fences
 *   have signalled. A fence must exist at the call, or the call fails with -EINVAL.
 *   A fence with an error counts as signalled.
 * - SIGNAL operations: their fences signal when the sample is in the ring, and not
 *   before the fences of the WAIT operations.
 *
 * Job A, a sample that waits for A's fence, and job B that waits for the sample's
 * fence: then the sample has all counts of A and none of B. It also has the counts
 * of any other work that ran meanwhile.
 *
 * A session may have several pending samples, with or without fences. They
 * complete in the order of their calls: a sample also waits for the samples before
 * it. Each has a slot of the ring from its call on, and so has the final sample: a
 * ring of n slots has room for n - 1 pending samples. At most
 * &drm_panthor_perf_info.max_pending_samples may be pending.
 *
 * A sample whose fences have signalled completes within 2 s, or 6 s in protected
 * mode, whatever the firmware does:
 *
 * ==================  ========================================================
 * answer in time      sample as usual
 * no answer           sample with ERROR and FW_TIMEOUT
 * reset of the GPU    sample after the reset, with ERROR and RESET
 * suspended GPU       a sample with a SIGNAL operation, and those before it, do
 *                     not wait for the resume. A suspended GPU does not count:
 *                     the sample is exact. So do samples of sessions with
 *                     %DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND.
 * STOP                samples that wait for fences are published at once, with
 *                     CANCELLED and without waiting. The final sample follows.
 * TEARDOWN, close,    no sample
 * unplug
 * ==================  ========================================================
 *
 * The sample's own fence has the error -ECANCELED in the last two cases. The fence
 * that the SIGNAL operations install still waits for those of the WAIT operations,
 * so that the order of the jobs does not change.
 *
 * START and STOP have no operations. START returns when the firmware has taken the
 * baseline, which is before any later submission. A sample with operations before
 * STOP has the counts that STOP with operations would have.
 */

/**
 * DOC: Clock modes
 *
 * The rate of the GPU's clock changes with its load and its temperature, and counts
 * per second change with it. A session with %DRM_PANTHOR_PERF_SETUP_CLOCK_MODE
 * holds the rate of the core clock, %DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, from START to
 * the final sample:
 *
 * - START returns when the clock has the rate of the mode.
 * - Started sessions with different modes exclude each other: the later START fails
 *   with -EBUSY. Mode DEFAULT holds no rate, and excludes no other mode.
 * - The final sample, TEARDOWN and close, also that of a process that is killed, give
 *   the clock back soon.
 * - A rate of the GPU is shared by all processes. So a mode always needs CAP_PERFMON.
 *
 * The kernel requests the lowest and the highest rate of the device (PM QoS). Where
 * another request has a lower highest rate, for example that of a thermal zone, the
 * clock has that rate. A sample during a part of which the clock had another rate
 * than that of the mode has %DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED. A difference of up
 * to 1 % is no other rate. A change that the hardware makes on its own and that the
 * kernel does not see is not reported.
 *
 * The rates are operating points of the board, and
 * %DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS reports them. A GPU with less than two has no
 * clock modes.
 */

/**
 * DOC: Dead counters
 *
 * When the firmware does not answer a request within half a second, the kernel
 * disables the counters and enables them again. When it does not answer a second
 * time, they are dead: pending requests are completed without counts, with ERROR
 * and FW_TIMEOUT, and START and SAMPLE fail with -EIO. STOP works, and publishes a
 * final sample with ERROR.
 *
 * Counters never reset the GPU. Instead no session keeps a GPU powered whose
 * counters are dead: it is suspended as soon as no job needs it, and resumed again
 * for the sessions without %DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND. The resume
 * restarts the firmware, and sessions that are still started continue to count.
 * Their next sample has ERROR and FW_TIMEOUT again: jobs that ran before the suspend
 * were not counted. After four failures without an answer in between, the counters
 * stay dead until the driver is bound to the GPU again.
 */

/**
 * DOC: Who may count
 *
 * Counters report what every process does on the GPU. SETUP therefore needs
 * the right to observe the whole system: CAP_PERFMON, or CAP_SYS_ADMIN, in the
 * initial user namespace. The administrator can open the primary set to every
 * process that can open the render node, with the sysctl
 * dev.panthor.perf_paranoid:
 *
 * - 1, the default: every set needs the right;
 * - 0: the primary set needs no right. The other sets, clock modes and periods
 *   below 1 ms do.
 *
 * Each SETUP checks its caller. No right stays with the open file, and the
 * credentials of the process that opened it have no effect. The other calls do
 * not check the right: every holder of the file may use its sessions, also when
 * the sysctl changes.
 *
 * Earlier drivers gave the right to all holders of a file in which a process
 * with the right had set up a session, also after TEARDOWN. A program must not
 * rely on that: it needs the right itself.
 *
 * The limits of sessions of a file and of the GPU are the same for all.
 */

/**
 * DOC: Errors
 *
 * =============  ============================================================
 * -ENODEV        the GPU is gone (unplugged); nothing can be done with the fd
 * -EOPNOTSUPP    no counters on this GPU or firmware, or a flag, set or period
 *                that the driver knows and PERF_INFO does not offer (SETUP)
 * -EINVAL        a pad or unknown flag that is not 0, a value out of its
 *                range, a size that does not fit, a call that the session's
 *                state or mode does not allow (STOP or SAMPLE while it is not
 *                started, START while it is, SAMPLE on a periodic session)
 * -EFAULT        a pointer that cannot be read or written
 * -ENOENT        no session, buffer object or syncobj of that handle in this
 *                file
 * -EBADF         eventfd is not an open file descriptor (SETUP; -EINVAL when
 *                it is open but no eventfd, or below -1)
 * -EACCES        the caller lacks the right to observe the whole system, and
 *                the set, the clock mode or the period needs it: see "Who may
 *                count" (SETUP)
 * -EBUSY         START: no free slot for the final sample, the final sample
 *                of the last STOP not published yet, a started session uses
 *                another set or clock mode, or a debugger has the counters
 *                for itself;
 *                SAMPLE: too many are pending (max_pending_samples, or one),
 *                or no slot is free beside those of the pending samples
 *                and of the final one
 * -ENOSPC        the limit of sessions of this file (max_sessions) or of the
 *                GPU (SETUP)
 * -ENOMEM        out of memory (SETUP, START)
 * -ETIMEDOUT     the firmware does not answer; the session is not started
 *                (START)
 * -EINTR         a fatal signal arrived while waiting; not started (START)
 * -EIO           the counters are dead until the GPU is resumed or reset (START,
 *                SAMPLE; see "Dead counters"), or the GPU does not resume (START)
 * =============  ============================================================
 *
 * A call that fails changes nothing, with one exception: after -EFAULT because
 * the argument cannot be written back, it has taken effect.
 */

/**
 * define DRM_PANTHOR_DEV_QUERY_PERF_INFO - query &struct drm_panthor_perf_info
 *
 * A type for DRM_IOCTL_PANTHOR_DEV_QUERY. Fails with -EOPNOTSUPP, for the
 * query of the size too, where the GPU has no usable counters, and with
 * -EINVAL where the driver knows nothing about counters.
 */
#define DRM_PANTHOR_DEV_QUERY_PERF_INFO	0x3ffffff0

/**
 * define DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS - query &struct drm_panthor_perf_clocks
 *
 * A type for DRM_IOCTL_PANTHOR_DEV_QUERY. Fails with -EOPNOTSUPP, for the query
 * of the size too, where the GPU has no usable counters, and with -EINVAL where
 * the driver does not have it.
 */
#define DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS	0x3ffffff1

/**
 * define DRM_PANTHOR_PERF_ABI - the version of the interface that this header has
 *
 * A client refuses a driver that has another value in &drm_panthor_perf_info.abi,
 * larger or smaller: what this header says does not hold there. Additions do not
 * change the value. &drm_panthor_perf_info.flags and the sizes report those.
 */
#define DRM_PANTHOR_PERF_ABI	1

#define DRM_PANTHOR_PERF_SETUP		0x50
#define DRM_PANTHOR_PERF_TEARDOWN	0x51
#define DRM_PANTHOR_PERF_START		0x52
#define DRM_PANTHOR_PERF_STOP		0x53
#define DRM_PANTHOR_PERF_SAMPLE		0x54

/*
 * Reserved: ioctls 0x55 to 0x5d and queries 0x3ffffff2 to 0x3ffffffd of this interface; ioctl
 * 0x5e and queries 0x3ffffffe and 0x3fffffff of an older one.
 */

#define DRM_IOCTL_PANTHOR_PERF_SETUP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SETUP, struct drm_panthor_perf_setup)
#define DRM_IOCTL_PANTHOR_PERF_TEARDOWN \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_TEARDOWN, struct drm_panthor_perf_teardown)
#define DRM_IOCTL_PANTHOR_PERF_START \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_START, struct drm_panthor_perf_start)
#define DRM_IOCTL_PANTHOR_PERF_STOP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_STOP, struct drm_panthor_perf_stop)
#define DRM_IOCTL_PANTHOR_PERF_SAMPLE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SAMPLE, struct drm_panthor_perf_sample)

/**
 * enum drm_panthor_perf_block_type - what a block of counters belongs to
 *
 * New types are added before the count, which stays last.
 */
enum drm_panthor_perf_block_type {
	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_FW: The CSF firmware. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_FW = 1,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW: The command stream hardware (front end). */
	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_TILER: The tiler. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS: An L2 cache slice with its MMU part. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER: A shader core. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL: A neural accelerator. Reserved. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_CSG: A command stream group slot, counted by firmware. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_CSG,

	/** @DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT: One more than the last type. Stays last. */
	DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT,
};

/**
 * enum drm_panthor_perf_clock - clock domains
 *
 * The GPU counts the cycles of the top level. The kernel computes the cycles of the other domains
 * from the rates of the board's clocks. They are off by the cycles between a change of a rate and
 * its notification. Cycles count while the counters run. A block of a domain without a clock of its
 * own has the next domain with one, in the order SHADER, COREGROUP, TOPLEVEL.
 *
 * The tiler is in the domain of the front end, as in Arm's guide to the counters.
 */
enum drm_panthor_perf_clock {
	/** @DRM_PANTHOR_PERF_CLOCK_TOPLEVEL: Top level: front end and tiler. */
	DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,

	/** @DRM_PANTHOR_PERF_CLOCK_COREGROUP: Core group: MMU and L2 cache. */
	DRM_PANTHOR_PERF_CLOCK_COREGROUP,

	/** @DRM_PANTHOR_PERF_CLOCK_SHADER: Shader cores (stacks). */
	DRM_PANTHOR_PERF_CLOCK_SHADER,

	/* 3 (NEURAL) is reserved. Its cycles will be at the end of the sample header. */
};

/**
 * enum drm_panthor_perf_counter_set - sets of counters
 *
 * The same index of a counter means another event in each set. The whole GPU uses
 * one set at a time.
 */
enum drm_panthor_perf_counter_set {
	/**
	 * @DRM_PANTHOR_PERF_SET_PRIMARY: The set for general use. Needs CAP_PERFMON, unless
	 * dev.panthor.perf_paranoid is 0.
	 */
	DRM_PANTHOR_PERF_SET_PRIMARY,

	/** @DRM_PANTHOR_PERF_SET_SECONDARY: Always needs CAP_PERFMON. */
	DRM_PANTHOR_PERF_SET_SECONDARY,

	/** @DRM_PANTHOR_PERF_SET_TERTIARY: Always needs CAP_PERFMON. */
	DRM_PANTHOR_PERF_SET_TERTIARY,
};

/**
 * enum drm_panthor_perf_feat_flags - bits of &drm_panthor_perf_info.flags
 */
enum drm_panthor_perf_feat_flags {
	/** @DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT: Block headers report states. */
	DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT = 1 << 0,

	/** @DRM_PANTHOR_PERF_COMPACT_SUPPORT: %DRM_PANTHOR_PERF_SETUP_COMPACT is accepted. */
	DRM_PANTHOR_PERF_COMPACT_SUPPORT = 1 << 1,

	/**
	 * @DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT: %DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND is
	 * accepted.
	 */
	DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT = 1 << 2,

	/** @DRM_PANTHOR_PERF_WAKEUP_SUPPORT: %DRM_PANTHOR_PERF_SETUP_WAKEUP is accepted. */
	DRM_PANTHOR_PERF_WAKEUP_SUPPORT = 1 << 3,

	/* Bit 4 is reserved. */

	/** @DRM_PANTHOR_PERF_SYNCS_SUPPORT: %DRM_PANTHOR_PERF_SAMPLE_SYNCS is accepted. */
	DRM_PANTHOR_PERF_SYNCS_SUPPORT = 1 << 5,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT: %DRM_PANTHOR_PERF_SETUP_CLOCK_MODE is accepted. */
	DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT = 1 << 6,
};

/**
 * struct drm_panthor_perf_info - the counter configuration of the GPU
 *
 * Constant while the device exists. The sizes follow from the GPU, its
 * firmware and the driver: they are reported so that an old client can size
 * its buffers on a newer kernel.
 */
struct drm_panthor_perf_info {
	/**
	 * @counters_per_block: 64-bit values in each block of a sample.
	 *
	 * Includes the four words of the hardware's own block header: the
	 * counters 0 to 3 always read 0 and cannot be requested.
	 */
	__u32 counters_per_block;

	/** @sample_header_size: Bytes of &struct drm_panthor_perf_sample_header in a sample. */
	__u32 sample_header_size;

	/** @block_header_size: Bytes of &struct drm_panthor_perf_block_header in a sample. */
	__u32 block_header_size;

	/** @sample_size: Bytes of a sample that holds every available block. */
	__u32 sample_size;

	/** @flags: A combination of &enum drm_panthor_perf_feat_flags. */
	__u32 flags;

	/**
	 * @supported_clocks: Bit n: the sample header has the cycles of clock n of
	 * &enum drm_panthor_perf_clock.
	 */
	__u32 supported_clocks;

	/** @fw_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_FW. */
	__u32 fw_blocks;

	/** @cshw_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW. */
	__u32 cshw_blocks;

	/** @tiler_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_TILER. */
	__u32 tiler_blocks;

	/** @memsys_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS. */
	__u32 memsys_blocks;

	/** @shader_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER. */
	__u32 shader_blocks;

	/** @neural_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL. */
	__u32 neural_blocks;

	/** @csg_blocks: Blocks of %DRM_PANTHOR_PERF_BLOCK_TYPE_CSG. */
	__u32 csg_blocks;

	/** @supported_sets: Bit n: set n of &enum drm_panthor_perf_counter_set can be used. */
	__u32 supported_sets;

	/** @min_sample_slots: Smallest ring, in samples. A power of two. */
	__u32 min_sample_slots;

	/** @max_sample_slots: Largest ring, in samples. A power of two. */
	__u32 max_sample_slots;

	/** @max_sessions: Largest number of sessions of one file. */
	__u32 max_sessions;

	/**
	 * @abi: Version of this interface, %DRM_PANTHOR_PERF_ABI. A client refuses any other
	 * value.
	 */
	__u32 abi;

	/**
	 * @min_period_ns: Shortest period of a periodic session, in ns. Below 1 ms, SETUP needs
	 * CAP_PERFMON.
	 * 0: there are no periodic sessions, and any period is -EOPNOTSUPP.
	 */
	__u64 min_period_ns;

	/** @gpu_timestamp_frequency: Ticks per second of the GPU timestamp. 0: not known. */
	__u64 gpu_timestamp_frequency;

	/**
	 * @max_pending_samples: With %DRM_PANTHOR_PERF_SYNCS_SUPPORT: largest number of samples
	 * that wait for their completion in a session. 0: one.
	 */
	__u32 max_pending_samples;

	/** @pad: 0. */
	__u32 pad;
};

/**
 * enum drm_panthor_perf_clock_mode - rates at which a session holds the core clock
 */
enum drm_panthor_perf_clock_mode {
	/** @DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT: No rate: it changes as without the session. */
	DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT,

	/**
	 * @DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING: The highest operating point not above two thirds
	 * of the highest one, or the lowest: a rate that the GPU can hold under load.
	 */
	DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST: The lowest operating point. */
	DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST,

	/** @DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST: The highest operating point. */
	DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST,
};

/**
 * struct drm_panthor_perf_clock_rates - rates of a clock, in Hz
 *
 * Does not grow.
 */
struct drm_panthor_perf_clock_rates {
	/** @rate_hz: Rate now. 0: not known, or no clock of its own. */
	__u64 rate_hz;

	/** @lowest_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST. 0: not known. */
	__u64 lowest_hz;

	/** @highest_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST. 0: not known. */
	__u64 highest_hz;

	/** @profiling_hz: Rate of %DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING. 0: not known. */
	__u64 profiling_hz;
};

/**
 * struct drm_panthor_perf_clocks - rates of the GPU's clocks
 *
 * The rate of the clock is its rate at the query. The other rates are constant while the device
 * exists. Only those of @toplevel are known.
 */
struct drm_panthor_perf_clocks {
	/** @toplevel: %DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, the core clock. */
	struct drm_panthor_perf_clock_rates toplevel;

	/** @coregroup: %DRM_PANTHOR_PERF_CLOCK_COREGROUP. */
	struct drm_panthor_perf_clock_rates coregroup;

	/** @shader: %DRM_PANTHOR_PERF_CLOCK_SHADER. */
	struct drm_panthor_perf_clock_rates shader;
};

/**
 * enum drm_panthor_perf_sample_header_flags - bits of &drm_panthor_perf_sample_header.flags
 *
 * Without ERROR, the counters are exactly what the hardware reported. With OVERFLOW the hardware
 * itself may have lost count. STRETCHED and FINAL do not concern the counts.
 */
enum drm_panthor_perf_sample_header_flags {
	/**
	 * @DRM_PANTHOR_PERF_SAMPLE_OVERFLOW: A 32-bit hardware counter of the GPU may have
	 * saturated, not necessarily one that the session requested.
	 */
	DRM_PANTHOR_PERF_SAMPLE_OVERFLOW = 1 << 0,

	/** @DRM_PANTHOR_PERF_SAMPLE_ERROR: Counts of this sample are missing or unreliable. */
	DRM_PANTHOR_PERF_SAMPLE_ERROR = 1 << 1,

	/**
	 * @DRM_PANTHOR_PERF_SAMPLE_STRETCHED: Covers more periods than one, see
	 * &drm_panthor_perf_sample_header.merged. Counts are exact.
	 */
	DRM_PANTHOR_PERF_SAMPLE_STRETCHED = 1 << 2,

	/**
	 * @DRM_PANTHOR_PERF_SAMPLE_FINAL: The final sample of STOP. The last sample of each run
	 * has the flag and no other sample has it.
	 */
	DRM_PANTHOR_PERF_SAMPLE_FINAL = 1 << 3,
};

/**
 * enum drm_panthor_perf_event - bits of &drm_panthor_perf_sample_header.events
 *
 * Events of the GPU or of this session since the previous sample: the reasons of the flags. No
 * event depends on the counters that the session requested.
 */
enum drm_panthor_perf_event {
	/**
	 * @DRM_PANTHOR_PERF_EVENT_RING_FULL: A period ended with no slot but that of the final
	 * sample free, and was merged into this sample.
	 */
	DRM_PANTHOR_PERF_EVENT_RING_FULL = 1 << 0,

	/** @DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT: An invalid extract index was ignored. */
	DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT = 1 << 1,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_LATE: The end lies half a period or more behind the end of the
	 * newest period in the sample. Only samples that a period published have it.
	 */
	DRM_PANTHOR_PERF_EVENT_LATE = 1 << 2,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW: The firmware's ring was full for a while. Whether
	 * counts were lost meanwhile is not known: ERROR is set, too.
	 */
	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW = 1 << 3,

	/** @DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT: The firmware did not answer in time. */
	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT = 1 << 4,

	/** @DRM_PANTHOR_PERF_EVENT_RESET: The GPU was reset. */
	DRM_PANTHOR_PERF_EVENT_RESET = 1 << 5,

	/** @DRM_PANTHOR_PERF_EVENT_SUSPEND: The GPU was suspended, or still is. */
	DRM_PANTHOR_PERF_EVENT_SUSPEND = 1 << 6,

	/** @DRM_PANTHOR_PERF_EVENT_PROTECTED: The GPU was in protected mode, which never counts. */
	DRM_PANTHOR_PERF_EVENT_PROTECTED = 1 << 7,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST: A core lost power, and the firmware took no
	 * sample of its counts before. ERROR is not set: other blocks are exact.
	 */
	DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST = 1 << 8,

	/** @DRM_PANTHOR_PERF_EVENT_FW_ERROR: The firmware reported an impossible value. */
	DRM_PANTHOR_PERF_EVENT_FW_ERROR = 1 << 9,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_HOST_TIME: The end is the host's time. The firmware's time is
	 * missing, cannot be converted, or is not between the request and the answer.
	 */
	DRM_PANTHOR_PERF_EVENT_HOST_TIME = 1 << 10,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_CANCELLED: STOP has ended this sample, which still waited for
	 * fences. Its counts are exact, but they end with the firmware's sample of the sample
	 * before it or of another session, and so before the work that it waited for.
	 */
	DRM_PANTHOR_PERF_EVENT_CANCELLED = 1 << 11,

	/**
	 * @DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED: The core clock did not have the rate of the
	 * session's clock mode all the time, see "Clock modes". Counts are exact.
	 */
	DRM_PANTHOR_PERF_EVENT_CLOCK_MISSED = 1 << 12,
};

/**
 * struct drm_panthor_perf_sample_header - what a sample starts with
 *
 * ::
 *
 *	+---------------+--------------+----------+--------------+----------+---
 *	| sample header | block header | counters | block header | counters | ...
 *	+---------------+--------------+----------+--------------+----------+---
 *
 * Blocks are sorted by type, then by index. Counters are u64, the number of
 * events since the previous sample. Counters that SETUP did not request read 0.
 *
 * By default a sample has every available block, with all its counters. With
 * %DRM_PANTHOR_PERF_SETUP_COMPACT it has the blocks of those types of which SETUP
 * requested a counter, in the same order. After each block header it has the
 * requested counters in ascending order, without gaps. Its size is that of the
 * sample header and, for each block of such a type, that of the block header and 8
 * bytes for each requested counter. This holds for sessions with the flags of
 * &enum drm_panthor_perf_setup_flags that are defined here: a flag that is added
 * later may change the size.
 */
struct drm_panthor_perf_sample_header {
	/**
	 * @timestamp_start_ns: CLOCK_MONOTONIC_RAW, ns, in the time namespace of SETUP's caller.
	 * The end of the previous sample.
	 */
	__u64 timestamp_start_ns;

	/** @timestamp_end_ns: The same clock, ns. Never before the start. */
	__u64 timestamp_end_ns;

	/** @counter_set: The counter set, of &enum drm_panthor_perf_counter_set. */
	__u8 counter_set;

	/** @pad: 0. */
	__u8 pad[3];

	/** @flags: A combination of &enum drm_panthor_perf_sample_header_flags. */
	__u32 flags;

	/** @user_data: Value of the SAMPLE or STOP call, or of START for samples of periods. */
	__u64 user_data;

	/** @toplevel_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, 0: not supported. */
	__u64 toplevel_clock_cycles;

	/** @coregroup_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_COREGROUP, likewise. */
	__u64 coregroup_clock_cycles;

	/** @shader_clock_cycles: Cycles of %DRM_PANTHOR_PERF_CLOCK_SHADER, likewise. */
	__u64 shader_clock_cycles;

	/**
	 * @gpu_timestamp: GPU timestamp of the newest hardware sample in this one, in ticks of
	 * &drm_panthor_perf_info.gpu_timestamp_frequency. It is that of the front end's block, or
	 * of the first block where the hardware sample lacks the front end's. 0 if and only if
	 * there is no hardware sample in this one, and then all counters are 0. A timestamp of 0
	 * is reported as 1.
	 */
	__u64 gpu_timestamp;

	/** @sample_nr: Number of the sample since START, from 0, without gaps. */
	__u64 sample_nr;

	/**
	 * @merged: Periods in this sample beyond the first. The period that STOP ends early counts:
	 * over a run, the sum of 1 + @merged is the number of periods that ended, plus 1.
	 */
	__u32 merged;

	/** @events: A combination of &enum drm_panthor_perf_event. */
	__u32 events;
};

/**
 * enum drm_panthor_perf_block_state - bits of &drm_panthor_perf_block_header.states
 *
 * The states that the block had at any time since the previous sample.
 */
enum drm_panthor_perf_block_state {
	/** @DRM_PANTHOR_PERF_BLOCK_STATE_UNKNOWN: The state is not known. */
	DRM_PANTHOR_PERF_BLOCK_STATE_UNKNOWN = 0,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_ON: Powered and counting. */
	DRM_PANTHOR_PERF_BLOCK_STATE_ON = 1 << 0,

	/**
	 * @DRM_PANTHOR_PERF_BLOCK_STATE_OFF: Without power, or not counting: the GPU was suspended
	 * or reset, or its counters had to be restarted.
	 */
	DRM_PANTHOR_PERF_BLOCK_STATE_OFF = 1 << 1,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE: For use by clients of the GPU. */
	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE = 1 << 2,

	/**
	 * @DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE: Withheld from clients of the GPU, or not
	 * defined by the counter set, and then the counters read 0.
	 */
	DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE = 1 << 3,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL: In normal mode. */
	DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL = 1 << 4,

	/** @DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED: In protected mode. */
	DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED = 1 << 5,
};

/**
 * struct drm_panthor_perf_block_header - what each block of a sample starts with
 */
struct drm_panthor_perf_block_header {
	/** @type: One of &enum drm_panthor_perf_block_type. */
	__u8 type;

	/**
	 * @idx: Index among the blocks of this type.
	 *
	 * Stable, and without holes: the rank of the instance among those that
	 * are present, also where the hardware numbers them with holes.
	 *
	 * In a counter set that defines shader blocks, those with
	 * %DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE are, in order, the bits that are
	 * set in &drm_panthor_gpu_info.shader_present. The index of a CSG block is
	 * the number of the slot.
	 */
	__u8 idx;

	/** @clock: Clock domain of the block, one of &enum drm_panthor_perf_clock. */
	__u8 clock;

	/** @pad: 0. */
	__u8 pad;

	/** @states: A combination of &enum drm_panthor_perf_block_state. */
	__u32 states;
};

/**
 * struct drm_panthor_perf_ring_control - the indices of a session's ring
 *
 * Lies in the control object at &drm_panthor_perf_setup.control_offset.
 */
struct drm_panthor_perf_ring_control {
	/** @extract_idx: Samples consumed, modulo 2^64. Written by user space alone. */
	__u64 extract_idx;

	/** @insert_idx: Samples published, modulo 2^64. Written by the kernel alone. */
	__u64 insert_idx;
};

/**
 * struct drm_panthor_perf_section - counters to enable
 *
 * Selects among 64 counters of all blocks of a type. The kernel combines the
 * masks of sections that repeat or overlap.
 */
struct drm_panthor_perf_section {
	/** @block_type: One of &enum drm_panthor_perf_block_type that the GPU has. */
	__u8 block_type;

	/** @pad: MBZ. */
	__u8 pad;

	/**
	 * @first_counter: Counter of bit 0 of @mask. A multiple of 64, below
	 * &drm_panthor_perf_info.counters_per_block.
	 */
	__u16 first_counter;

	/** @pad2: MBZ. */
	__u32 pad2;

	/** @mask: Bit n: counter @first_counter + n. Bits of counters 0 to 3 must be 0. */
	__u64 mask;
};

/**
 * enum drm_panthor_perf_setup_flags - bits of &drm_panthor_perf_setup.flags
 */
enum drm_panthor_perf_setup_flags {
	/**
	 * @DRM_PANTHOR_PERF_SETUP_COMPACT: Samples hold the requested counters only, see
	 * &struct drm_panthor_perf_sample_header.
	 */
	DRM_PANTHOR_PERF_SETUP_COMPACT = 1 << 0,

	/**
	 * @DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND: The session does not keep the GPU powered, see
	 * "Runtime suspend".
	 */
	DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND = 1 << 1,

	/**
	 * @DRM_PANTHOR_PERF_SETUP_WAKEUP: Signal the eventfd for wakeup_samples samples at once,
	 * see "Ring contract". Needs an eventfd (-EINVAL).
	 */
	DRM_PANTHOR_PERF_SETUP_WAKEUP = 1 << 2,

	/* Bit 3 (one group alone) is reserved. */

	/**
	 * @DRM_PANTHOR_PERF_SETUP_CLOCK_MODE: Hold the rate of the core clock, see "Clock modes".
	 * Needs CAP_PERFMON.
	 */
	DRM_PANTHOR_PERF_SETUP_CLOCK_MODE = 1 << 4,
};

/**
 * struct drm_panthor_perf_setup - create a session
 *
 * Both buffer objects must have been created by this driver, neither imported
 * nor with %DRM_PANTHOR_BO_NO_MMAP. The session keeps a reference to each
 * until TEARDOWN or close; their handles may be closed at once. The indices
 * are set to 0.
 *
 * The kernel maps both objects as a whole, and refuses objects that are far larger
 * than needed with -EINVAL:
 *
 * - The ring object may have up to 1 MiB more than @sample_slots *
 *   &drm_panthor_perf_info.sample_size, also if it is the control object, and
 *   also with COMPACT.
 * - A control object that is not the ring object may have up to 1 MiB.
 */
struct drm_panthor_perf_setup {
	/** @counter_set: [in] One of &enum drm_panthor_perf_counter_set that the GPU offers. */
	__u32 counter_set;

	/**
	 * @flags: [in] A combination of &enum drm_panthor_perf_setup_flags. -EOPNOTSUPP for one
	 * that the driver knows and &drm_panthor_perf_info.flags does not offer, -EINVAL for any
	 * other.
	 */
	__u32 flags;

	/**
	 * @eventfd: [in] An eventfd, or -1 for none.
	 *
	 * Gets exactly one count per published sample, after it was published, or with WAKEUP
	 * one per wake-up. It gets one more count if the GPU goes away.
	 *
	 * Without WAKEUP, the GPU has gone away if the eventfd got more counts since SETUP than
	 * insert_idx is. With WAKEUP a count without a sample does not prove it, since the client
	 * may have read the samples of a count already. Any call fails with -ENODEV when the GPU
	 * has gone away. Closing the eventfd is harmless.
	 */
	__s32 eventfd;

	/**
	 * @ring_handle: [in] Handle of the ring object, @sample_slots * @sample_size or larger,
	 * within the limit above. The slots begin at its start. Two sessions with one ring object
	 * overwrite each other's samples. The kernel does not refuse that: it never reads the
	 * slots, and the client can write to them as well.
	 */
	__u32 ring_handle;

	/**
	 * @control_handle: [in] Handle of the control object, within the limit above. May be the
	 * ring object.
	 */
	__u32 control_handle;

	/**
	 * @sample_slots: [in] Slots of the ring. A power of two from
	 * &drm_panthor_perf_info.min_sample_slots to max_sample_slots.
	 */
	__u32 sample_slots;

	/**
	 * @control_offset: [in] Where &struct drm_panthor_perf_ring_control lies in the control
	 * object, in bytes. A multiple of 8. Must not overlap the slots if it is the ring object.
	 * Sessions may share a control object at different offsets.
	 */
	__u64 control_offset;

	/**
	 * @sample_period_ns: [in] Period in ns, at least &drm_panthor_perf_info.min_period_ns.
	 * 0: a manual session, which takes a sample for each SAMPLE. Any other value is
	 * -EOPNOTSUPP where min_period_ns is 0.
	 *
	 * Periods end at the multiples of @sample_period_ns on CLOCK_MONOTONIC of the initial
	 * time namespace, the first one at the first multiple after START. The kernel requests a
	 * firmware sample then, and publishes when the firmware has taken it. A period that cannot
	 * be published, or that ends before the firmware sample of the previous period, is merged
	 * into the next sample.
	 */
	__u64 sample_period_ns;

	/**
	 * @wakeup_samples: [in] With WAKEUP: number of unread samples to signal, from 1 to
	 * @sample_slots - 1. MBZ without WAKEUP.
	 */
	__u32 wakeup_samples;

	/** @pad: MBZ. */
	__u32 pad;

	/**
	 * @sections: [in] Array of &struct drm_panthor_perf_section, the counters to enable.
	 * At most 256. 0: samples hold headers and zeroes, with COMPACT their header alone.
	 *
	 * The stride is the size of a section as the client knows it, from 16 bytes to a page of
	 * the kernel: anything else is -EINVAL. So is a section with bytes that are not 0 beyond
	 * those that the driver knows.
	 */
	struct drm_panthor_obj_array sections;

	/** @handle: [out] Handle of the session in this file, never 0. */
	__u32 handle;

	/**
	 * @sample_size: [out] Bytes of a sample of this session, and distance of the slots. That
	 * of PERF_INFO, or with COMPACT what follows from the sections. Constant until TEARDOWN.
	 */
	__u32 sample_size;

	/**
	 * @clock_mode: [in] With CLOCK_MODE: one of &enum drm_panthor_perf_clock_mode. MBZ
	 * without CLOCK_MODE.
	 */
	__u32 clock_mode;

	/** @pad2: MBZ. */
	__u32 pad2;
};

/**
 * struct drm_panthor_perf_teardown - destroy a session
 *
 * A started session is discarded without a final sample. When the call
 * returns, the kernel does not write to the buffer objects any more.
 */
struct drm_panthor_perf_teardown {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;
};

/**
 * struct drm_panthor_perf_start - start counting
 *
 * Returns when the firmware has taken the baseline sample of the session: the
 * session counts from the end of this sample on. Publishes no sample. Needs one
 * free slot, which is reserved for the final sample.
 */
struct drm_panthor_perf_start {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;

	/** @user_data: [in] For the samples that a period publishes. */
	__u64 user_data;
};

/**
 * struct drm_panthor_perf_stop - stop counting
 *
 * Returns when the request is queued. Exactly one final sample follows, after the
 * samples of pending SAMPLE calls. It has %DRM_PANTHOR_PERF_SAMPLE_FINAL.
 */
struct drm_panthor_perf_stop {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] MBZ: none are defined. */
	__u32 flags;

	/** @user_data: [in] For the final sample. */
	__u64 user_data;
};

/**
 * enum drm_panthor_perf_sample_flags - bits of &drm_panthor_perf_sample.flags
 */
enum drm_panthor_perf_sample_flags {
	/**
	 * @DRM_PANTHOR_PERF_SAMPLE_SYNCS: The sample has operations on syncobjs, see
	 * "Ordered samples". Accepted with %DRM_PANTHOR_PERF_SYNCS_SUPPORT.
	 */
	DRM_PANTHOR_PERF_SAMPLE_SYNCS = 1 << 0,
};

/**
 * struct drm_panthor_perf_sample - take a sample
 *
 * For a started manual session. Returns when the request is queued. Exactly one
 * sample follows, which includes all counts up to the call or, with
 * %DRM_PANTHOR_PERF_SAMPLE_SYNCS, up to the signal of its fences.
 *
 * The firmware gets at most one request in each min_period_ns, whatever
 * the number of sessions: samples and periods that are due in the same interval
 * share one request.
 */
struct drm_panthor_perf_sample {
	/** @handle: [in] Handle of the session. */
	__u32 handle;

	/** @flags: [in] A combination of &enum drm_panthor_perf_sample_flags. */
	__u32 flags;

	/** @user_data: [in] For this sample. */
	__u64 user_data;

	/**
	 * @syncs: [in] With %DRM_PANTHOR_PERF_SAMPLE_SYNCS: array of &struct drm_panthor_sync_op,
	 * at most 64. All WAIT operations come before all SIGNAL operations, whatever their order
	 * in the array. The value of a SIGNAL operation on a timeline is not 0. The stride is as
	 * for &drm_panthor_perf_setup.sections. MBZ without the flag.
	 */
	struct drm_panthor_obj_array syncs;
};

#if defined(__cplusplus)
}
#endif

#endif /* the interface is not in panthor_drm.h */

#endif /* _PANTHOR_PERF_DRM_H_ */
