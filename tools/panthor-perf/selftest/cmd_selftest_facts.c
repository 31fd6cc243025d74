// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "cmd_selftest.h"

#define NOT_TRIED	"not tried: "

/* By what they are about; the report keeps this order. */
const struct fact selftest_facts[] = {
	/* Registers */
	{ "core-features", 'M', "identity",
	  "CORE_FEATURES reads 0 up to architecture 11 and 1 from 12 on" },
	{ "l2-features", 'L', "identity",
	  "L2_FEATURES reads 0x07120306 up to architecture 11 (Mali-G310: 0x07110306) and "
	  "0x08130306 from 12 on" },
	{ "thread-features", '?', "identity",
	  "THREAD_FEATURES reads 0x04010000 up to architecture 11 and 0x10010000 from 12 on" },
	{ "thread-limits", 'M', "identity",
	  "at most 1024 to 2048 threads, in workgroups and barriers of at most 1024" },
	{ "texture-features", '?', "identity",
	  "TEXTURE_FEATURES read 0xfffff, 0xffff, 0x9f81ffff and 0" },
	{ "gpu-revision", '?', "identity", "REVID reads 0" },
	{ "csf-id", '?', "identity", "CSF_ID reads 0" },
	{ "coherency-features", 'M', "identity",
	  "COHERENCY_FEATURES has no other bits than those of ACE-Lite and ACE" },
	{ "groups-and-streams", 'L', "identity", "there are 8 groups of 8 command streams" },
	{ "command-registers", 'M', "identity",
	  "a command stream has 96 registers up to architecture 11 and 128 from 12 on" },
	{ "scoreboards", 'M', "identity", "a command stream has 8 scoreboard entries" },
	{ "prfcnt-features", 'M', "words",
	  "PRFCNT_FEATURES reports a block of 2 times 256 bytes from architecture 11 on and reads "
	  "0 before" },

	/* The firmware's interface */
	{ "interface-version", 'M', "words",
	  "the firmware's interface is 1.1.0 or newer, and older than 4.0.0" },
	{ "global-features", 'M', "words",
	  "GLB_FEATURES has no other bits than 0 to 3 (suspends of compute, fragment, tiler; waits "
	  "for progress)" },
	{ "instruction-features", 'M', "words", "GLB_INSTR_FEATURES reads 0x71" },
	{ "group-stride", '?', "words", "group control structures are 256 bytes apart" },
	{ "stream-stride", '?', "words", "stream control structures are 12 bytes apart" },
	{ "suspend-size", '?', "words", "a group's suspend buffer has 8 KiB" },
	{ "fields-of-6.12", 'M', "entries",
	  "counter fields of the global interface lie where the driver of Linux 6.12 has them" },
	{ "size-words", 'H', "words",
	  "GLB_PRFCNT_SIZE is the sum of the blocks: front end, tiler, L2 slices, shader slots and "
	  "as many for neural accelerators in bits 15:0; none, 1, or 1 and the groups in bits "
	  "31:16" },
	{ "sparse-slots", 'M', "words",
	  "absent shader cores have a slot in a sample before architecture 14.8.4" },
	{ "packed-slots", 'M', "words",
	  "absent shader cores have no slot in a sample from architecture 14.8.4 on" },
	{ "block-order", 'M', "enables",
	  "blocks of a sample are in this order: firmware, groups, front end, tiler, L2 slices, "
	  "shader cores, neural accelerators" },
	{ "neural-blocks", 'M', "enables",
	  "from architecture 14 on, a GPU may have blocks of neural accelerators, with an enable "
	  "mask at 0x60 of the global interface" },
	{ "metadata-word", 'M', "words",
	  "the word at 0x20 of the global interface is the size of a metadata block in bits 3:0, "
	  "in 256 bytes, and nothing else" },
	{ "metadata-size", 'M', "words", "a metadata block is as large as any other block" },
	{ "metadata-absent", 'L', "words",
	  "the word at 0x20 reads 0 where the firmware has no metadata block" },
	{ "metadata-since", 'M', "words", "interfaces from 1.1.0 on may have a metadata block" },
	{ "metadata-first", 'M', "entries",
	  "with bit 10 of GLB_PRFCNT_CONFIG, a metadata block comes first in a sample" },
	{ "sample-reason", 'M', "entries",
	  "word 3 of the metadata block (SAMPLE_REASON) is 0 in a requested sample" },
	{ "address-space", 'M', "entries",
	  "counters reach the firmware's address space by its number, 0, in GLB_PRFCNT_JASID, "
	  "whose largest value is 7" },

	/* Enabling */
	{ "enable-granularity", 'M', "enables",
	  "a bit of an enable mask stands for 4 counters, whatever the size of a block" },
	{ "enable-width", 'M', "enables",
	  "a mask has as many bits as a block has groups of 4 words; others are ignored" },
	{ "enable-word", 'M', "enables",
	  "PRFCNT_EN of a block is the enable mask that it was written with" },
	{ "excluded-words", '?', "enables",
	  "words that the mask excludes are written as 0" },
	{ "insert-zeroed", 'M', "ring", "enabling sets INSERT to 0" },
	{ "cycles-frozen", '?', "entries",
	  "CYCLE_COUNT stands still while the host does not request it (GLB_REQ bit 7)" },

	/* Samples */
	{ "header-time", 'H', "entries",
	  "words 0 and 1 of a block are TIMESTAMP at the time of the sample, the same in all" },
	{ "header-reserved", 'M', "entries", "word 3 of a block is 0" },
	{ "time-order", 'H', "entries", "time stamps of samples grow" },
	{ "off-block-untouched", 'M', "entries",
	  "the block of a core without power is not written" },
	{ "holes-untouched", 'M', "entries",
	  "slots of absent shader cores and accelerators are not written" },
	{ "acknowledge-last", 'M', "ring",
	  "the firmware writes a sample, then INSERT, then its acknowledge" },
	{ "acknowledge-sample", 'H', "latency",
	  "the firmware acknowledges no request without a sample" },
	{ "clear-on-sample", 'M', "ring", "counters start from 0 after each sample" },
	{ "automatic-samples", 'M', "ring", "the firmware takes samples without a request" },
	{ "threshold-half", 'M', "ring", "THRESHOLD is raised when the ring is half full" },
	{ "sample-behind-threshold", '?', "ring",
	  "a sample that is requested while THRESHOLD is pending is acknowledged as any other" },
	{ "overflow-unanswered", 'M', "ring",
	  "a request that finds the ring full is not acknowledged, and OVERFLOW is raised" },
	{ "overflow-recovers", 'M', "ring",
	  "that request is acknowledged when there is room and OVERFLOW was acknowledged" },
	{ "overflow-keeps", '?', "overflow",
	  "what counts while the ring is full is in the sample that follows" },
	{ "saturation", '?', NULL, "a counter stands still at 2^32 - 1",
	  NOT_TRIED "saturation takes more than 4 s of work without a sample" },
	{ "size-zero", '?', NULL, "a ring size of 0 is refused",
	  NOT_TRIED "it may mean 256 entries, beyond the ring" },
	{ "sample-disabled", '?', NULL,
	  "a sample that is requested with counters off is not acknowledged",
	  NOT_TRIED "firmware would acknowledge the pending request at the wrong time" },

	/* Power */
	{ "suspend-counts", 'M', "power", "counters work after the GPU was suspended" },
	{ "suspend-time", 'M', "power", "TIMESTAMP goes on while the GPU is suspended" },
	{ "warm-boot", 'M', NULL,
	  "enabled counters stay enabled over a stop and warm start of the firmware",
	  NOT_TRIED "the driver disables them before each stop" },
	{ "core-off-sample", '?', "cores",
	  "before a shader core loses power, the firmware takes a sample of all cores" },

	/* Counting */
	{ "timestamp-rate", 'M', "rates",
	  "TIMESTAMP ticks at the rate of the CPUs' timer, within 0.1 %" },
	{ "clock-domains", 'M', "load",
	  "top level, core group and shader cores have the same clock rate" },
	{ "tiler-clock", 'M', NULL, "the tiler runs with the top level's clock",
	  "its counters stay 0 without a scene to draw" },
	{ "command-loop", 'M', "load",
	  "ADD_IMMEDIATE32 and BRANCH are encoded as the self-test's loop has them" },
	{ "stream-interface", '?', "load",
	  "work of a group's first stream shows in the front end's counters of interface 0" },
	{ "mmu-slice", 'M', "load", "MMU counters (words 4 to 8) count in L2 slice 0 only" },
	{ "idle-group-event", '?', NULL, "GLB_IDLE is raised with idle groups resident",
	  "no counter and no file reports it" },
	{ "fault-details", '?', NULL,
	  "FAULT_INFO of an invalid instruction is its address",
	  NOT_TRIED "it takes a fault, which ends the group and writes to the kernel log" },
	{ "skipped-work", '?', NULL,
	  "RUN instructions behind a fault are left out up to the barrier",
	  NOT_TRIED "it takes a fault, which ends the group and writes to the kernel log" },
	{ "call-depth", 'M', NULL, "calls nest 8 deep, the ring included",
	  NOT_TRIED "a deeper call ends the group" },
	{ "fault-twice", 'M', NULL, "an MMU fault raises both the MMU's interrupt and CS_FATAL",
	  NOT_TRIED "it takes a fault, which ends the group and writes to the kernel log" },
	{ "l2-autoactive", 'L', NULL, "from architecture 11 on the L2 cache stays on by itself",
	  "no register that the driver reads reports it" },
	{ "doorbell-pages", 'M', NULL, "there are 64 doorbell pages at most",
	  NOT_TRIED "pages beyond those in use may not exist" },
	{ "flush-wrap", 'L', NULL, "LATEST_FLUSH wraps at 24 bits and leaves 0 out",
	  NOT_TRIED "it takes 16 million flushes" },
};

const size_t selftest_fact_count = ARRAY_SIZE(selftest_facts);
