#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""scripts/kunit.py with logs whose results are known. Prints ok and not ok lines."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
failures = 0


def report(text, got, want):
    global failures
    if got == want:
        print(f"ok {text}")
    else:
        failures += 1
        print(f"not ok {text} - got {got!r}, want {want!r}")


def suite(number, name, plan, *lines, verdict="ok"):
    """The log of a suite. Without a verdict, it ends in the middle. Behind "|" is a line at the margin, where KUnit puts
    the message of a test."""
    inner = ["KTAP version 1", f"# Subtest: {name}", "# module: panthor", f"1..{plan}", *lines]
    end = [f"# {name}: pass:0 fail:0 skip:0 total:0", f"{verdict} {number} {name}"]
    return [line[1:] if line.startswith("|") else "    " + line for line in inner] + (end if verdict else [])


def counts(name, passed, failed=0, skipped=0):
    return f"{name}: {passed} passed, {failed} failed, {skipped} skipped"


def judged(plan, *parts):
    """Returns what scripts/kunit.py prints of a log: exit status and lines without the summary."""
    lines = ["Linux version 6.12.0", "printk: console [tty0] enabled"]
    if plan is not None:
        lines += ["KTAP version 1", f"1..{plan}"]
    for part in parts:
        lines += part
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        with open(log, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\r\n" for line in lines)
        run = subprocess.run([os.path.join(TOP, "scripts/kunit.py"), "--log", log], check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    *results, summary = run.stdout.splitlines() or [run.stderr]
    counts = summary.replace(f" (log: {log})", "")
    return [run.returncode, *results, counts]


def reasons_of(*lines):
    """The reasons of a case that fails with these lines."""
    of_case = "not ok panthor_perf_b.two - "
    printed = judged(1, suite(1, "panthor_perf_b", 1, *lines, "not ok 1 two", verdict="not ok"))
    return [line[len(of_case):] for line in printed[1:] if line.startswith(of_case)]


A = suite(1, "panthor_perf_a", 2, "ok 1 one", "ok 2 two")
PASSED = ["ok panthor_perf_a.one", "ok panthor_perf_a.two"]
FAILING = ["# two: EXPECTATION FAILED at drivers/gpu/drm/panthor/tests/panthor_perf_b_test.c:12",
           "Expected left == right, but", "    left == 1 (0x1)", "    right == 2 (0x2)",
           "# two: EXPECTATION FAILED at drivers/gpu/drm/panthor/tests/panthor_perf_b_test.c:13",
           "Expected never, but"]
WHY = "panthor_perf_b_test.c:12 Expected left == right, but left == 1 (0x1) right == 2 (0x2)"

report("cases that pass", judged(1, A),
       [0, *PASSED, counts("panthor_perf_a", 2), counts("kunit", 2)])

report("a case that fails, with the first reason",
       judged(2, A, suite(2, "panthor_perf_b", 3, "ok 1 one", *FAILING, "not ok 2 two",
                          "ok 3 three", verdict="not ok")),
       [1, *PASSED, "ok panthor_perf_b.one", "ok panthor_perf_b.three",
        f"not ok panthor_perf_b.two - {WHY}",
        counts("panthor_perf_a", 2), counts("panthor_perf_b", 2, 1), counts("kunit", 4, 1)])

report("the message of a test stands behind the values",
       reasons_of("# two: EXPECTATION FAILED at tests/b_test.h:334", "Expected sums[at + k] == expected, but",
                  "    sums[at + k] == 4727424 (0x482280)", "    expected == 574623755 (0x2240100b)",
                  "|type 1 rank 0 counter 6", "# two: EXPECTATION FAILED at tests/b_test.h:340",
                  "Expected wrong == 0, but", "    wrong == 165 (0xa5)", "|", "|counters that differ"),
       ["b_test.h:334 Expected sums[at + k] == expected, but sums[at + k] == 4727424 (0x482280) "
        "expected == 574623755 (0x2240100b): type 1 rank 0 counter 6"])
report("... behind an empty line, if the right side is a number",
       reasons_of("# two: EXPECTATION FAILED at tests/b_test.h:340", "Expected wrong == 0, but",
                  "    wrong == 165 (0xa5)", "|", "|counters that differ"),
       ["b_test.h:340 Expected wrong == 0, but wrong == 165 (0xa5): counters that differ"])
report("... or is all that there is",
       reasons_of("# two: ASSERTION FAILED at tests/b_test.c:7", "|no block 3 of type 1"),
       ["b_test.c:7: no block 3 of type 1"])
report("memory that differs: the first line of each side with such bytes",
       reasons_of("# two: EXPECTATION FAILED at tests/b_test.c:70", "Expected a == b, but", "    a ==",
                  "     00  11", "     22 <33>", "    <44><55>", "    b ==", "     00  11", "     22 <34>",
                  "    <45><56>", "|in line 9"),
       ["b_test.c:70 Expected a == b, but a == 22 <33> b == 22 <34>: in line 9"])

report("a case that is skipped",
       judged(1, suite(1, "panthor_perf_a", 2, "ok 1 one", "ok 2 two # SKIP no such GPU")),
       [0, "ok panthor_perf_a.one", "skip panthor_perf_a.two", counts("panthor_perf_a", 1, 0, 1),
        counts("kunit", 1, 0, 1)])

report("suites that failed come last, also one that failed by itself",
       judged(4, suite(1, "panthor_perf_b", 2, "ok 1 one", "not ok 2 two", verdict="not ok"),
              suite(2, "panthor_perf_bb", 1, "ok 1 one"),
              suite(3, "panthor_perf_c", 1, "ok 1 one", verdict="not ok"),
              suite(4, "panthor_perf_d", 1, "ok 1 one"))[-5:],
       [counts("panthor_perf_bb", 1), counts("panthor_perf_d", 1), counts("panthor_perf_b", 1, 1),
        counts("panthor_perf_c", 1, 1), counts("kunit", 4, 2)])

report("parameters are results, each with its reason",
       judged(1, suite(1, "panthor_perf_b", 2, "    KTAP version 1", "    # Subtest: two",
                       "    ok 1 small", *FAILING, "    not ok 2 large one", "    ok 3 huge",
                       "# two: pass:2 fail:1 skip:0 total:3", "not ok 2 two", "ok 2 last",
                       verdict="not ok")),
       [1, "ok panthor_perf_b.two.small", "ok panthor_perf_b.two.huge", "ok panthor_perf_b.last",
        f"not ok panthor_perf_b.two.large one - {WHY}", counts("panthor_perf_b", 3, 1), counts("kunit", 3, 1)])

report("a first parameter has its reason",
       judged(1, suite(1, "panthor_perf_b", 1, "    KTAP version 1", "    # Subtest: two",
                       *FAILING, "    not ok 1 small", "    ok 2 large", *FAILING[4:], "    not ok 3 huge",
                       "# two: pass:1 fail:2 skip:0 total:3", "not ok 1 two", verdict="not ok")),
       [1, "ok panthor_perf_b.two.large", f"not ok panthor_perf_b.two.small - {WHY}",
        "not ok panthor_perf_b.two.huge - panthor_perf_b_test.c:13 Expected never, but",
        counts("panthor_perf_b", 1, 2), counts("kunit", 1, 2)])

report("the same case in two suites has its own reasons",
       [line for line in judged(
           2, suite(1, "panthor_perf_a", 1, "# one: ASSERTION FAILED at a/a_test.c:1",
                    "    Expected a", "not ok 1 one", verdict="not ok"),
           suite(2, "panthor_perf_b", 1, "# one: try timed out", "not ok 1 one", verdict="not ok"))
        if str(line).startswith("not ok")],
       ["not ok panthor_perf_a.one - a_test.c:1 Expected a",
        "not ok panthor_perf_b.one - try timed out"])

INNER = ["    KTAP version 1", "    # Subtest: one", "    ok 1 small"]
report("the same case with parameters in two suites",
       [line for line in judged(
           2, suite(1, "panthor_perf_a", 1, *INNER, "ok 1 one"),
           suite(2, "panthor_perf_b", 1, *INNER, "    not ok 2 large", "not ok 1 one",
                 verdict="not ok")) if str(line).startswith("not ok")],
       ["not ok panthor_perf_b.one.large"])

report("the kernel stops in a suite",
       judged(3, A, suite(2, "panthor_perf_b", 4, "ok 1 one", verdict=None),
              ["Kernel panic - not syncing: Segfault with no mm"]),
       [1, *PASSED, "ok panthor_perf_b.one",
        "not ok panthor_perf_b - behind one the kernel ended, or hung until KUNIT_TIMEOUT, missing cases: 3",
        "not ok kernel - stopped in panthor_perf_b, missing suites: 1",
        "not ok kernel log - 18:Kernel panic - not syncing: Segfault with no mm",
        counts("panthor_perf_a", 2), counts("panthor_perf_b", 1, 1), counts("kunit", 3, 3)])

report("the kernel stops behind the last case of the last suite",
       judged(2, A, suite(2, "panthor_perf_b", 1, "ok 1 one", verdict=None)),
       [1, *PASSED, "ok panthor_perf_b.one", "not ok panthor_perf_b - missing subtest result line!",
        counts("panthor_perf_a", 2), counts("panthor_perf_b", 1, 1), counts("kunit", 3, 1)])

report("a suite is missing", judged(2, A),
       [1, *PASSED, "not ok kernel - stopped in panthor_perf_a, missing suites: 1",
        counts("panthor_perf_a", 2), counts("kunit", 2, 1)])

report("a suite has no cases", judged(2, A, suite(2, "panthor_perf_b", 0)),
       [1, *PASSED, "not ok panthor_perf_b - the suite has no cases",
        counts("panthor_perf_a", 2), counts("panthor_perf_b", 0, 1), counts("kunit", 2, 1)])

report("a suite fails by itself",
       judged(1, suite(1, "panthor_perf_a", 2, "ok 1 one", "ok 2 two", verdict="not ok")),
       [1, *PASSED, "not ok panthor_perf_a - reported as failed, though none of its cases is",
        counts("panthor_perf_a", 2, 1), counts("kunit", 2, 1)])

NONE = [1, "not ok kernel - no suite was run", counts("kunit", 0, 1)]
report("no suite", judged(0), NONE)
report("no KUnit", judged(None), NONE)

report("the kernel complains",
       judged(1, ["BUG: KASAN: slab-use-after-free in panthor_perf_read+0x1/0x2"], A),
       [1, *PASSED, "not ok kernel log - 5:BUG: KASAN: slab-use-after-free in "
        "panthor_perf_read+0x1/0x2", counts("panthor_perf_a", 2), counts("kunit", 2, 1)])
report("KASAN is there",
       judged(1, ["kasan: KernelAddressSanitizer initialized"], A)[0], 0)


def failing(number, name, cases, at):
    """A suite whose cases all fail at one place, with the same message."""
    lines = []
    for case in range(1, cases + 1):
        lines += [f"# c{case}: EXPECTATION FAILED at {at}", "Expected ready", f"not ok {case} c{case}"]
    return suite(number, name, cases, *lines, verdict="not ok")


report("of many cases with one message three are named, and the suites with other messages",
       judged(3, failing(1, "panthor_perf_a", 20, "a_test.h:7"), failing(2, "panthor_perf_b", 2, "b_test.c:9"),
              failing(3, "panthor_perf_c", 3, "a_test.h:7")),
       [1, *(f"not ok panthor_perf_a.c{case} - a_test.h:7 Expected ready" for case in (1, 2, 3)),
        "not ok and 20 more with this message - a_test.h:7 Expected ready",
        *(f"not ok panthor_perf_b.c{case} - b_test.c:9 Expected ready" for case in (1, 2)),
        counts("panthor_perf_a", 0, 20), counts("panthor_perf_b", 0, 2), counts("panthor_perf_c", 0, 3),
        "begin with panthor_perf_b, panthor_perf_a, panthor_perf_c", counts("kunit", 0, 25)])
report("four are all named", judged(1, failing(1, "panthor_perf_a", 4, "a_test.h:7")),
       [1, *(f"not ok panthor_perf_a.c{case} - a_test.h:7 Expected ready" for case in (1, 2, 3, 4)),
        counts("panthor_perf_a", 0, 4), counts("kunit", 0, 4)])

# In place of the kernel's: its kernel hangs in the second case.
KUNIT_PY = """
import os, subprocess, sys
if "--list_tests" in sys.argv:
    print("panthor_perf_a.one\\npanthor_perf_a.two")
    sys.exit(0)
print("    # Subtest: panthor_perf_a\\n    1..2\\n    ok 1 one")
hung = subprocess.Popen(["sleep", "1000"], start_new_session=True)
open(os.environ["HUNG"], "w").write(f"{hung.pid}\\n")
hung.wait()
"""
MAKEFILE = """all:
\t@echo $$$$ >$(HUNG); exec sleep 1000
"""


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ended(keep, until, *signals):
    """Sends signals to scripts/kunit.py when something hangs below it and it has said a text. Returns its exit status,
    what it said, and whether something is left."""
    with tempfile.TemporaryDirectory() as folder:
        hung, said = os.path.join(folder, "hung"), os.path.join(folder, "said")
        tree = os.path.join(folder, f"tree-{VERSION}")
        for path, text in ((f"{tree}/tools/testing/kunit/kunit.py", KUNIT_PY), (f"{tree}/Makefile", MAKEFILE),
                           (f"{folder}/build-{VERSION}/linux", "")):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(said, "w", encoding="utf-8") as file:
            run = subprocess.Popen(["nohup", os.path.join(TOP, "scripts/kunit.py")], stdout=file, stderr=file, env=dict(
                os.environ, KUNIT_FOLDER=folder, KUNIT_NAME="kunit-test", KUNIT_KEEP=keep, HUNG=hung))
        for _ in range(300):
            with open(said, encoding="utf-8") as file:
                text = file.read()
            if os.path.exists(hung) and until in text:
                break
            time.sleep(0.1)
        for number in signals:
            run.send_signal(number)
            time.sleep(0.2)
        status = run.wait()
        with open(said, encoding="utf-8") as file:
            text = file.read()
        with open(hung, encoding="ascii") as file:
            pid = int(file.read())
        left = runs(pid)
        if left:
            os.kill(pid, signal.SIGKILL)
        return status, re.sub(r"\d+ s\b", "N s", text), left


VERSION = re.search(r"^KVER='?(.*?)'?$", subprocess.check_output([os.path.join(TOP, "scripts/build/fetch-kernel.sh")],
                                                                text=True), re.M).group(1)
report("a case that hangs is named, and ends with kunit.py", ended("build", "runs", signal.SIGTERM),
       (143, "kunit: panthor_perf_a.two runs, without output for N s\n", False))
report("make ends with kunit.py, but not at the hangup of nohup",
       ended("tree", "", signal.SIGHUP, signal.SIGTERM), (143, "", False))
report("make ends at Ctrl-C", ended("tree", "", signal.SIGINT), (-signal.SIGINT, "kunit: interrupted\n", False))

sys.exit(1 if failures else 0)
