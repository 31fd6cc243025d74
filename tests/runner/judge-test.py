#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The judge of the guests' logs, fed with logs whose verdict is known. Prints ok and not ok lines."""

import os
import re
import sys
import tempfile

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "scripts", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.initramfs import Archive, module_depends  # noqa: E402
from panthor_perf.judge import COMPLAINTS, LogJudge, Verdict, judge_truth, warnings_of  # noqa: E402
from panthor_perf.machine import combined_arguments, parse_value  # noqa: E402
from panthor_perf.truth import Truth  # noqa: E402

failures = 0


def report(text, got, want):
    global failures
    if got == want:
        print(f"ok {text}")
    else:
        failures += 1
        print(f"not ok {text} - got {got!r}, want {want!r}")


def log(*texts):
    """Kernel log lines with rising times."""
    return [f"[{seconds:5d}.{seconds:06d}] {text}" for seconds, text in enumerate(texts)]


def judged(lines, warnings=(), at_boot=()):
    """Return the texts of the failures."""
    verdict = Verdict()
    judge = LogJudge(verdict, warnings, at_boot)
    for line in lines:
        judge.line(line)
    judge.finish()
    return [text for passed, text in verdict.results if not passed]


PASS = ("@begin t", "@ok fine", "@end t 0", "@done")
PING = "panthor c000000.gpu: [drm] *ERROR* FW ping timeout, scheduling a reset"

# Kernel messages that must fail a run, as a kernel prints them.
BAD = (
    "WARNING: CPU: 1 PID: 77 at drivers/gpu/drm/panthor/panthor_fw.c:1 panthor_fw_x+0x1/0x2 [panthor]",
    "BUG: kernel NULL pointer dereference, address: 0000000000000008",
    "BUG: sleeping function called from invalid context at kernel/locking/mutex.c:585",
    "BUG: scheduling while atomic: kworker/u4:1/33/0x00000002",
    "BUG: KASAN: slab-use-after-free in panthor_perf_fold+0x10/0x20 [panthor]",
    "BUG: workqueue leaked atomic, lock or RCU: kworker/0:1[12]",
    "BUG kmalloc-64 (Not tainted): Poison overwritten",
    "BUG kmalloc-rnd-08-1k (Tainted: G           OE     ): Object already free",
    "BUG dentry (Tainted: G    B      OE     ): Left Redzone overwritten",
    "FIX kmalloc-64: Restoring Poison 0x00000000c1a7d2a1-0x00000000c1a7d2a1=0x6b",
    "pagealloc: memory corruption",
    "pagealloc: single bit error",
    "kernel BUG at mm/slub.c:448!",
    "Internal error: Oops: 0000000096000004 [#1] SMP",
    "Unable to handle kernel paging request at virtual address dead000000000108",
    "Kernel panic - not syncing: Oops: Fatal exception",
    "Call trace:",
    "refcount_t: underflow; use-after-free.",
    "WARNING: possible circular locking dependency detected",
    "WARNING: possible recursive locking detected",
    "WARNING: inconsistent lock state",
    "WARNING: suspicious RCU usage",
    "WARNING: bad unlock balance detected!",
    "INFO: task kworker/0:1:12 blocked for more than 120 seconds.",
    "INFO: trying to register non-static key.",
    "INFO: lockdep is turned off.",
    "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
    "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [kworker/0:1:12]",
    "UBSAN: array-index-out-of-bounds in drivers/gpu/drm/panthor/panthor_perf.c:9:3",
    "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    "list_add corruption. prev->next should be next (ffff), but was 0000.",
    "irq 55: nobody cared (try booting with the \"irqpoll\" option)",
    "panthor c000000.gpu: Runtime PM usage count underflow!",
    "panthor: Unknown symbol panthor_perf_init (err -2)",
    "panthor: disagrees about version of symbol drm_dev_register",
    "panthor c000000.gpu: probe with driver panthor failed with error -110",
    "panthor c000000.gpu: Direct firmware load for arm/mali/arch10.8/mali_csffw.bin failed with error -2",
    PING,
    "[drm:panthor_device_init [panthor]] *ERROR* no clock",
    "WARN_ON(x) in a driver's own words: WARN_ON",
    "WARNING: lock held when returning to user space!",
    "DMA-API: panthor c000000.gpu: device driver failed to check map error",
    "ODEBUG: free active (active state 0) object type: work_struct",
    "panthor c000000.gpu: Unbalanced pm_runtime_enable!",
    "[drm:drm_mm_takedown] *ERROR* Memory manager not clean during takedown. Memory leak",
)

# Kernel messages that must not.
GOOD = (
    "panthor: loading out-of-tree module taints kernel.",
    "panthor: module verification failed: signature and/or required key missing - tainting kernel",
    "panthor c000000.gpu: [drm] mali-unknown id 0xa867 major 0x0 minor 0x0 status 0x5",
    "[drm] Initialized panthor 1.2.0 for c000000.gpu on minor 0",
    "Kernel command line: console=ttyAMA0 oops=panic panic=-1",
    "kmemleak: Kernel memory leak detector initialized (mem pool available: 15000)",
    "Warning: unable to open an initial console.",
    "DMA-API: preallocated 65536 debug entries",
    "DMA-API: debugging enabled by kernel config",
    "panthor c000000.gpu: [drm] *ERROR* Soft reset timeout",
)

for message in BAD:
    got = judged(log("@begin t", "@ok fine", message, "@end t 0", "@done"))
    report(f"fails: {message[:60]}", got, [f"kernel log: unannounced message (during t) - {message}"])
for message in GOOD:
    report(f"passes: {message[:60]}", judged(log(message, *PASS)), [])
for regex in COMPLAINTS:
    report(f"a sample shows the rule {regex.pattern}", any(regex.search(text) for text in BAD), True)

report("a complaint during boot", judged(log("WARNING: CPU: 0", *PASS)),
       ["kernel log: unannounced message - WARNING: CPU: 0"])
report("a complaint behind user output on one line",
       judged(["half a line" + line for line in log("BUG: x")] + log(*PASS)),
       ["kernel log: unannounced message - BUG: x"])
report("user output with the words of a complaint", judged(["BUG: in a test's own output", *log(*PASS)]), [])
report("a carriage return and a caller id",
       judged(["[    1.000000][  T123] refcount_t: underflow\r", *log(*PASS)]),
       ["kernel log: unannounced message - refcount_t: underflow"])

report("an announced message",
       judged(log("@begin t", "@expect 1 1 FW ping timeout", PING, "@ok fine", "@end t 0", "@done")), [])
report("announced, but another one comes too",
       judged(log("@begin t", "@expect 1 1 FW ping timeout", PING, "refcount_t: x", "@ok a", "@end t 0", "@done")),
       ["kernel log: unannounced message (during t) - refcount_t: x"])
report("announced, but it does not come",
       judged(log("@begin t", "@expect 1 1 FW ping timeout", "@ok fine", "@end t 0", "@done")),
       ["t: announced message did not come - FW ping timeout"])
report("announced only after it came",
       judged(log("@begin t", PING, "@expect 1 1 FW ping timeout", "@ok fine", "@end t 0", "@done")),
       ["t: announced message did not come - FW ping timeout",
        f"kernel log: unannounced message (during t) - {PING}"])
report("announced twice, and comes twice",
       judged(log("@begin t", "@expect 2 2 FW ping timeout", PING, PING, "@ok a", "@end t 0", "@done")), [])
report("announced once, but it comes twice",
       judged(log("@begin t", "@expect 1 1 FW ping timeout", PING, PING, "@ok a", "@end t 0", "@done")),
       ["t: announced message came 2 times, not 1 to 1 - FW ping timeout"])
report("announced twice, but it comes once",
       judged(log("@begin t", "@expect 2 3 FW ping timeout", PING, "@ok a", "@end t 0", "@done")),
       ["t: announced message came 1 times, not 2 to 3 - FW ping timeout"])
report("announced without numbers",
       judged(log("@begin t", "@expect FW ping timeout", PING, "@ok a", "@end t 0", "@done")),
       ["t: @expect FW ping timeout - not MIN MAX REGEX",
        f"kernel log: unannounced message (during t) - {PING}"])
report("announced by the test before",
       judged(log("@begin t", "@expect 1 1 FW ping", PING, "@ok a", "@end t 0",
                  "@begin u", PING, "@ok b", "@end u 0", "@done")),
       [f"kernel log: unannounced message (during u) - {PING}"])
report("announced for the boot", judged(log(PING, *PASS), at_boot=["FW ping"]), [])
report("announced for the boot, but it does not come", judged(log(*PASS), at_boot=["FW ping"]),
       ["boot: announced message did not come - FW ping"])
report("announced for the boot, but it comes later",
       judged(log("@begin t", PING, "@ok a", "@end t 0", "@done"), at_boot=["FW ping"]),
       ["boot: announced message did not come - FW ping",
        f"kernel log: unannounced message (during t) - {PING}"])
report("an announcement that is no regular expression",
       judged(log("@begin t", "@expect 1 1 (", "@ok fine", "@end t 0", "@done"))[:1],
       ["t: @expect 1 1 ( - not a regular expression: missing ), unterminated subpattern at position 0"])
report("tolerated", judged(log("@begin t", "@tolerate FW ping timeout", PING, "@ok fine", "@end t 0", "@done")), [])
report("tolerated, but it does not come",
       judged(log("@begin t", "@tolerate FW ping timeout", "@ok fine", "@end t 0", "@done")), [])
report("tolerated in the test before",
       judged(log("@begin t", "@tolerate FW ping timeout", "@ok a", "@end t 0", "@begin u", PING, "@ok b",
                  "@end u 0", "@done")),
       [f"kernel log: unannounced message (during u) - {PING}"])
report("tolerated, but no regular expression",
       judged(log("@begin t", "@tolerate (", "@ok fine", "@end t 0", "@done"))[:1],
       ["t: @tolerate ( - not a regular expression: missing ), unterminated subpattern at position 0"])

STARTS = ("[IGT] panthor_perf_reset: starting subtest reset", "[IGT] panthor_perf_reset: starting subtest other")
IGNORES = "[IGT] add ignored dmesg regex: FW ping timeout"
report("what IGT announced", judged(log("@begin t", STARTS[0], IGNORES, PING, "@ok a", "@end t 0", "@done")), [])
report("what IGT announced need not come",
       judged(log("@begin t", STARTS[0], IGNORES, "@ok a", "@end t 0", "@done")), [])
report("IGT's subtest in a complaint", judged(log("@begin t", STARTS[1], PING, "@ok a", "@end t 0", "@done")),
       [f"kernel log: unannounced message (during t, other) - {PING}"])
report("announced by the subtest before",
       judged(log("@begin t", STARTS[0], IGNORES, STARTS[1], PING, "@ok a", "@end t 0", "@done")),
       [f"kernel log: unannounced message (during t, other) - {PING}"])
report("announced by a subtest of the test before",
       judged(log("@begin t", STARTS[0], IGNORES, "@ok a", "@end t 0", "@begin u", PING, "@ok b", "@end u 0",
                  "@done")),
       [f"kernel log: unannounced message (during u) - {PING}"])
report("an announcement of IGT that is no regular expression",
       judged(log("@begin t", "[IGT] add ignored dmesg regex: (", "@ok a", "@end t 0", "@done"))[:1],
       ["t: [IGT] add ignored dmesg regex: ( - not a regular expression: missing ), unterminated subpattern "
        "at position 0"])

report("a failed assertion", judged(log("@begin t", "@not-ok x - y", "@end t 0", "@done")), ["t: x - y"])
report("a test that asserts nothing", judged(log("@begin t", "@end t 0", "@done")), ["t: asserted nothing"])
report("a test that fails at its end", judged(log("@begin t", "@ok a", "@end t 3", "@done")),
       ["t: exit status - 3"])
report("a guest that stops in a test", judged(log("@begin t", "@ok a")),
       ["t: did not end", "guest: did not come to its end"])
report("an empty log", judged([]), ["guest: did not come to its end"])

WARNING = "panthor c000000.gpu: [drm] counter ring: INSERT out of range"
RAW = f"<4>[    1.000000] {WARNING}\n<6>[    2.000000] panthor info\n<4>[    3.000000] cma: warning\n" \
      f"<12>[    3.000000] panthor in a user's message\n"
report("the driver's warnings in a raw log", warnings_of(RAW), {WARNING})
report("a driver's warning, unannounced", judged(log(WARNING, *PASS), warnings_of(RAW)),
       [f"kernel log: unannounced message - {WARNING}"])
report("a driver's warning, announced",
       judged(log("@begin t", "@expect 1 1 INSERT out of", WARNING, "@ok a", "@end t 0", "@done"), warnings_of(RAW)),
       [])


def truth(*lines):
    verdict = Verdict()
    judge_truth(verdict, lines)
    return [text for passed, text in verdict.results if not passed]


report("a clean truth log", truth("vmali-truth 1", "boot", "end violations=0 unimplemented=0"), [])
report("a violation", truth("violation EXTRACT beyond INSERT", "end violations=1 unimplemented=0"),
       ["truth log: violation EXTRACT beyond INSERT", "truth log: violations 1"])
report("an unknown register", truth("unimplemented read 0x00000F00", "end violations=0 unimplemented=1"),
       ["truth log: unimplemented read 0x00000F00", "truth log: unimplemented 1"])
report("a truth log without an end", truth("vmali-truth 1", "boot"), ["truth log: has no end line"])
report("an end that tells nothing", truth("end"),
       ["truth log: violations not told", "truth log: unimplemented not told"])

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "truth.log")
    with open(path, "w", encoding="ascii") as out:
        out.write("vmali-truth 1\n"
                  "sample nr=1 reason=manual timestamp=100 cycles=5\nblock FW 0 en=0x0000ffff 1 2\n"
                  "block SHADER 16 en=0x0000ffff 10 20\n"
                  "sample nr=2 reason=manual timestamp=200 cycles=6\nblock FW 0 en=0x0000ffff 4 8\n"
                  "lost reason=failed\nblock SHADER 1 en=0x0000ffff 5 6\n"
                  "sample nr=3 reason=manual timestamp=300 cycles=7\nblock FW 0 en=0x0000ffff 16 32\n"
                  "block SHADER 16 en=0x0000ffff 40 4294967295\nblock SHADER 1 en=0x0000ffff 7 ")
        out.flush()
        log_so_far = Truth(path)
        report("sums of the truth: from behind a sample to the end of another",
               log_so_far.sums(100, 300, "FW", 0), [4 + 16, 8 + 32])
        report("sums of one sample", log_so_far.sums(100, 200, "FW", 0), [4, 8])
        report("sums of a block that is not in all samples", log_so_far.sums(0, 300, "SHADER", 16),
               [10 + 40, 20 + 4294967295])
        report("a line that is not complete is not read", log_so_far.sums(100, 300, "SHADER", 1), [5, 6])
        report("no sample in between", log_so_far.sums(300, 400, "FW", 0), [])
        out.write("9\nsample nr=4 reason=manual timestamp=400 cycles=8\nblock FW 0 en=0x0000ffff 64 128\n")
        out.flush()
        report("the truth goes on", [log_so_far.sums(300, 400, "FW", 0), log_so_far.sums(200, 400, "SHADER", 1),
                                     log_so_far.count("^sample "), log_so_far.last("^lost")],
               [[64, 128], [7, 9], 4, "lost reason=failed"])

report("a module's dependencies", module_depends(b"ELF\0license=GPL\0depends=drm,gpu-sched\0name=x\0"),
       ["drm", "gpu_sched"])
report("values for the monitor", [parse_value(text) for text in ("on", "off", "7", "0x10", "SHADER:0")],
       [True, False, 7, 16, "SHADER:0"])
report("kernel arguments, each once", combined_arguments("a=1 b a=1 a=2".split(), False), "a=1 b a=2")
report("letters of slab_debug add up", combined_arguments("slab_debug=U x slab_debug=FZP".split(), False),
       "x slab_debug=FZPU")
report("no poison beside KASAN", combined_arguments("slab_debug=FZPU page_poison=1 x".split(), True), "x slab_debug=U")
report("no slab_debug at all beside KASAN", combined_arguments("slab_debug=FZP".split(), True), "")
# A use after free must not pass unseen. The test "checkers" is for the debug kernel alone, which has KASAN.
for name in sorted(os.listdir(os.path.join(TOP, "tests", "guest", "tests"))):
    with open(os.path.join(TOP, "tests", "guest", "tests", name), encoding="utf-8") as script:
        text = script.read()
    if name != "checkers.sh" and re.search(r"/unbind\"|rmmod panthor\b(?!_)", text):
        report(f"{name} has poisoned memory", bool(re.search(r"^# kernel:.*slab_debug=FZP", text, re.M)), True)

archive = Archive()
archive.file("/a/b", b"12345")
report("an archive is whole words", len(archive.finish()) % 4, 0)

sys.exit(1 if failures else 0)
