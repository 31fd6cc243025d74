#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Changes the driver in one place at a time and checks whether the tests detect the change.

Each mutant is the driver with one small bug: a condition that is negated, a statement, lock or
barrier that is missing, a limit that is off by one, a wrong error. The KUnit suites run first, in a
kernel that checks memory and locks. If the language allows it, one kernel contains many mutants, and
a parameter selects one of them. The script builds the others, and the survivors, one by one. Mutants
that survive this run in guests (at most --guests N of them), unless tests/mutants/known has a reason
already. The guest tests compare the memory use, and compare samples and events with the GPU's own totals.
Mutants that do not compile, or compile to the same code, do not count. Mutants of files that are not
in the kernel of KUnit do not count either.

The patches of tests/mutants/planted are mutants, too: mistakes of meaning, such as two steps in the
wrong order, a field of the wrong neighbour or a missing case. They run unless FILE is given.

The script lists the survivors with the reason from tests/mutants/known: why the line is equivalent
to the original one, or which test would detect it. A survivor without a reason is a failure. Those whose
reason begins with "Equivalent" do not count: no test can tell them from the driver. A reason for a line that
the driver no longer has is a failure, too; --known reports these alone. The last line is
"mutants: N of M caught, K others are equivalent".
"""

import argparse
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.processes import family  # noqa: E402
from panthor_perf.settings import BUILD, CACHE, DRIVER, TOP, known_reasons, note, text_of  # noqa: E402

WORK = os.path.join(BUILD, "mutants")
KNOWN = os.path.join(TOP, "tests/mutants/known")
PLANTED = os.path.join(TOP, "tests/mutants/planted")
KUNIT_FOLDER = os.path.join(CACHE, "mutants")

# What a hung kernel may take: seconds, or so many times what a good run takes.
KUNIT_LIMIT = 45
KUNIT_TIMES = 6

# What KUnit cannot reach: files, memory, hooks and the real time. One boot each, until one fails: name,
# properties of the virtual GPU, tests. What was allocated and not freed is missed at the end of the first.
GUESTS = [
    ("calls", "", ["memory-mark", "perf-info", "perf-errno", "perf-fd", "perf-close", "perf-pm",
                   "perf-extract", "perf-race", "memory-back"]),
    ("life", "", ["perf-suspend", "perf-faults", "perf-rebind", "perf-unplug"]),
    ("reset", "metadata=on", ["perf-reset"]),
    ("many", "", ["perf-many", "perf-periodic"]),
    ("others", "csg-counters=on", ["perf-control", "perf-pmu"]),
    ("names", "gpu-id=0xd8300015,shader-present=0xee0077", ["perf-names"]),
]
# What their programs counted is in out/NAME.totals.
TOTALS = ("manual", "periodic", "pmu")


# What a failing case or a checker writes to the console of KUnit's kernel.
COMPLAINT = re.compile(r"^(.*(?:EXPECTATION FAILED|ASSERTION FAILED|BUG: |WARNING: |ODEBUG: |Kernel panic).*)$",
                       re.M)


class Mutant:
    """One changed line."""

    def __init__(self, path, line, function, kind, old, new):
        self.path, self.line, self.function = path, line, function
        self.kind, self.old, self.new = kind, old, new

    def __str__(self):
        text = self.new.strip() or ";"
        return f"{os.path.basename(self.path)}:{self.line} {self.function}() {self.kind}: {text}"

    @property
    def key(self):
        """What tests/mutants/known calls it."""
        return (f"{os.path.basename(self.path)} {self.function} {self.kind}: "
                f"{self.new.strip()} <- {self.old.strip()}")

    def put(self, tree):
        write_line(tree, self, self.new)

    def take(self, tree):
        write_line(tree, self, self.old)


class Planted:
    """A mistake of meaning: a patch, with what it does in its first line."""

    def __init__(self, name):
        self.key = f"planted {name}"
        self.patch = os.path.join(PLANTED, f"{name}.patch")
        self.text = text_of(self.patch).splitlines()[0]
        self.path = re.search(r"^\+\+\+ b/(\S+)", text_of(self.patch), re.M).group(1)

    def __str__(self):
        return f"{self.key}: {self.text}"

    def _apply(self, tree, *options):
        # Outside of any repository, git takes a patch for what it says.
        subprocess.check_call(["git", "apply", *options, self.patch], cwd=tree,
                              env=dict(os.environ, GIT_CEILING_DIRECTORIES=os.path.dirname(tree)))

    def put(self, tree):
        self._apply(tree)

    def take(self, tree):
        self._apply(tree, "--reverse")

    @classmethod
    def all(cls):
        return [cls(name[:-len(".patch")]) for name in sorted(os.listdir(PLANTED)) if name.endswith(".patch")]


STATEMENT = re.compile(r"^\t+(?!return|break|continue|goto|case|default|fallthrough|else|do\b|for\b|"
                       r"if\b|while\b|switch\b|struct |const |unsigned |static |enum |"
                       r"(?:u8|u16|u32|u64|s32|s64|int|bool|long|size_t|char|void|guard|DEFINE|"
                       r"lockdep_assert_held|trace_\w+|drm_dbg|pr_\w+|drm_\w+)\b)"
                       r"[\w*(][^{}]*;$")
LOCK = re.compile(r"\b(mutex_(un)?lock|spin_(un)?lock|xa_(un)?lock|local_irq_\w+)\(")
BARRIER = re.compile(r"^\t+(mb|rmb|wmb|dma_rmb|dma_wmb|smp_mb)\(\);$")


def mutations(line, before):
    """All (kind, changed line) of a line of C and the one before it."""
    code = line.rstrip("\n")
    bare = re.sub(r"/\*.*?\*/", "", code)
    if not bare.strip() or re.match(r"\s*(/?\*|#)", bare) or '"' in bare:
        return

    match = re.match(r"^(\t+(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)$", code)
    if match and match.group(2).count("(") == match.group(2).count(")"):
        yield "condition negated", f"{match.group(1)}!({match.group(2)}){match.group(3)}"

    if BARRIER.match(code):
        yield "barrier dropped", re.sub(r"\S.*", ";", code)
    elif (STATEMENT.match(code) and code.count("(") == code.count(")") and
          re.search(r"(^|[;{}:]|\*/|else|^\t*if \(.*\))$", before)):
        kind = "lock dropped" if LOCK.search(code) else "statement dropped"
        yield kind, re.sub(r"\S.*", ";", code)

    for pattern, new, kind in (
            (r"smp_load_acquire\(", "READ_ONCE(", "barrier dropped"),
            (r" < (?!<)", " <= ", "off by one"), (r" <= ", " < ", "off by one"),
            (r" > (?!>)", " >= ", "off by one"), (r" >= ", " > ", "off by one"),
            (r" \+ 1\b", "", "off by one"), (r" - 1\b", "", "off by one"),
            (r"(?<=\w)\+\+;", " += 2;", "off by one"),
            (r" && ", " || ", "logic"), (r" \|\| ", " && ", "logic"),
            (r" \|= ", " = ", "logic"), (r" & ~", " & ", "logic"),
            (r" == ", " != ", "logic"), (r" != ", " == ", "logic"),
            (r"\bmin\(", "max(", "logic"), (r"\bmax\(", "min(", "logic"),
            (r" - (?=\w)", " + ", "arithmetic"), (r" \+ (?=\w)", " - ", "arithmetic"),
            (r"\breturn true;", "return false;", "result"),
            (r"\breturn false;", "return true;", "result"),
            (r"\breturn -E\w+;", "return 0;", "result"),
            (r"-EINVAL\b", "-ENOENT", "result"), (r"-EBUSY\b", "-EINVAL", "result")):
        for found in re.finditer(pattern, bare):
            if bare == code:
                yield kind, code[:found.start()] + new + code[found.end():]


CHOOSER = "panthor_mutant"
CONDITION = re.compile(r"^(\t+(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)$")
LOOP = re.compile(r"^(\t+for \(.*?; )(.*)(; .*\)(?: \{)?)$")
VARIABLE = re.compile(r"^(\t+(?:const |unsigned |struct )*\w+ \**\w+ = )(.*)(;)$")
JUMP = re.compile(r"\b(break|continue)\b")


def selectable(mutant, number, before):
    """A line that is the mutant if the kernel's parameter is its number. None if no line can be."""
    chosen = f"{CHOOSER} == {number}"
    for shape in (CONDITION, LOOP, VARIABLE):
        old, new = shape.match(mutant.old), shape.match(mutant.new)
        if not old:
            continue
        if not new or (old.group(1), old.group(3)) != (new.group(1), new.group(3)):
            return None
        if old.group(2).count("(") != old.group(2).count(")") or "{" in old.group(2):
            return None
        truth = "" if shape is VARIABLE else "!!"
        return (f"{old.group(1)}({chosen}) ? {truth}({new.group(2)}) : {truth}({old.group(2)})"
                f"{old.group(3)}")
    old, new = mutant.old.strip(), mutant.new.strip()
    if (old.endswith(";") and old.count("(") == old.count(")") and not JUMP.search(old) and
            (STATEMENT.match(mutant.old) or re.match(r"\t+return\b", mutant.old)) and
            re.search(r"(^|[;{}:]|\*/|else|^\t*(?:if|for|while) \(.*\))$", before)):
        return f"do {{ if ({chosen}) {{ {new} }} else {{ {old} }} }} while (0);"
    return None


def find_mutants(path):
    """All mutants of a file: lines within the bodies of functions."""
    function = None
    result = []
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        head = re.match(r"^(?!static const struct|struct|enum|#|/|\*| |\t|\{|\})(?:\S.*?\b)?(\w+)\(", line)
        if head:
            name = head.group(1)
        if line.startswith("{"):
            function = name
        elif line.startswith("}"):
            function = None
        elif function:
            for kind, new in mutations(line, lines[number - 2].rstrip()):
                result.append(Mutant(path, number, function, kind, line.rstrip("\n"), new))
    return result


def driver_files():
    return [os.path.join(DRIVER, name) for name in sorted(os.listdir(os.path.join(TOP, DRIVER)))
            if re.match(r"panthor_perf.*\.c$", name)]


def report_stale():
    """Report the reasons of tests/mutants/known that are for no mutant of the driver. Returns their number."""
    keys = {mutant.key for path in driver_files() for mutant in find_mutants(path)}
    keys |= {planted.key for planted in Planted.all()}
    stale = [key for key in known_reasons(KNOWN) if key not in keys]
    for key in stale:
        print(f"tests/mutants/known: not there any more: {key}")
    return len(stale)


def choose(files, count, seed):
    """Every file gets a share by its size, every line one mutant at most."""
    rng = random.Random(seed)
    queues = {}
    for path in files:
        found = find_mutants(path)
        rng.shuffle(found)
        lines = {}
        for mutant in found:
            lines.setdefault(mutant.line, mutant)
        queues[path] = list(lines.values())
    pool = [mutant for queue in queues.values() for mutant in queue]
    rng.shuffle(pool)
    note(f"seed {seed}: {len(pool)} lines of {len(files)} files can be changed, {count} are wanted")
    return pool


def end(process):
    """End a process and those below it: KUnit's kernel makes itself a session of its own."""
    for pid in family(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def run(command, log, stop=None, env=None):
    """Run a command of the checkout that is changed, until it ends or stop() says why to end it. Its status."""
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=os.path.join(WORK, "tree"), stdout=file,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env=dict(os.environ, **(env or {})))
        try:
            while True:
                try:
                    return process.wait(timeout=0.5 if stop else None)
                except subprocess.TimeoutExpired:
                    if stop():
                        return None
        finally:
            if process.poll() is None:
                end(process)


def first(pattern, text):
    match = re.search(pattern, text, re.M)
    return match.group(1)[:100] if match else None


class Kunit:
    """KUnit's kernel: what it says, and a tree of its own, of which single lines are changed."""

    def __init__(self):
        self.limit = 240

    @staticmethod
    def newest(kind):
        """The tree or the build, by kind, that was used last."""
        return max((os.path.join(KUNIT_FOLDER, entry) for entry in os.listdir(KUNIT_FOLDER)
                    if entry.startswith(f"{kind}-") and not entry.endswith(".lock")),
                   key=os.path.getmtime)

    def says(self, keep, arguments="", at_once=True):
        """Returns ("caught", by what), ("survived", ""), or ("void", why). At once: by the first complaint."""
        log = os.path.join(WORK, "kunit.log")
        console = os.path.join(WORK, "tree/build/log/kunit.log")
        if os.path.exists(console):
            os.unlink(console)

        def complaint():
            found = COMPLAINT.search(text_of(console)) if at_once and os.path.exists(console) else None
            return re.sub(r"^.* at \S*/", "", found.group(1).strip())[:100] if found else None

        status = run(["scripts/kunit.py"], log, stop=complaint, env={
            "KUNIT_TIMEOUT": str(self.limit), "KUNIT_FOLDER": KUNIT_FOLDER, "KUNIT_KEEP": keep,
            "KUNIT_ARGS": arguments})
        text = text_of(log)
        if "the kernel does not build" in text:
            return "void", "does not compile"
        if status == 0:
            return "survived", ""
        return "caught", "KUnit, " + (complaint() or first(r"^not ok (.*)$", text) or "no end")

    def baseline(self):
        """The driver as it is, brought up to date. Returns None, or why it does not pass."""
        self.limit = 240
        verdict, why = self.says(keep="", at_once=False)
        if verdict != "survived":
            return why
        began = time.monotonic()
        verdict, why = self.says(keep="build")
        self.limit = max(KUNIT_LIMIT, int(KUNIT_TIMES * (time.monotonic() - began)))
        return None if verdict == "survived" else why

    def judge(self, mutant, clean_code):
        """The verdict on a mutant in a kernel of its own."""
        tree = self.newest("tree")
        mutant.put(tree)
        try:
            verdict, why = self.says(keep="tree")
            if verdict == "survived" and self.object_code(mutant.path) == clean_code.get(mutant.path, b""):
                return "void", "compiles to the same code"
            return verdict, why
        finally:
            mutant.take(tree)

    def judge_chosen(self, number):
        """The verdict on one of the mutants that the kernel holds."""
        return self.says(keep="build", arguments=f"panthor.mutant={number}")

    def object_code(self, path):
        """The code that a source file was compiled to, without what debuggers read."""
        compiled = os.path.join(self.newest("build"), path[:-2] + ".o")
        if not os.path.exists(compiled):
            return None
        copy = os.path.join(WORK, "code.o")
        if subprocess.call(["objcopy", "--strip-debug", compiled, copy]) != 0:
            return None
        with open(copy, "rb") as file:
            return file.read()

    def hold(self, mutants):
        """Build a kernel with many mutants. Returns {number: mutant} of those that it holds."""
        held = {}
        tree = self.newest("tree")
        for number, mutant in enumerate(mutants, 1):
            before = text_of(os.path.join(tree, mutant.path)).splitlines()[mutant.line - 2]
            if selectable(mutant, number, before):
                held[number] = mutant
        while held:
            self._write(tree, held)
            note(f"one kernel for {len(held)} of {len(mutants)} mutants")
            verdict, why = self.says(keep="tree", at_once=False)
            if verdict == "survived":
                return held
            text = text_of(os.path.join(WORK, "tree/build/log/kunit-build.log"))
            wrong = {(os.path.basename(name), int(line)) for name, line in
                     re.findall(r"(panthor_perf\w*\.c):(\d+):\d+: error", text)}
            left = {number: mutant for number, mutant in held.items()
                    if (os.path.basename(mutant.path), mutant.line) not in wrong}
            if len(left) == len(held):
                note(f"... which does not pass with none of them chosen: {why}")
                return {}
            held = left
        return {}

    @staticmethod
    def _write(tree, held):
        """Put the mutants into their files, which keep the numbers of their lines."""
        for path in sorted({mutant.path for mutant in held.values()} | {f"{DRIVER}/panthor_perf.c"}):
            lines = text_of(os.path.join(TOP, path)).splitlines()
            for number, mutant in held.items():
                if mutant.path == path:
                    lines[mutant.line - 1] = selectable(mutant, number, lines[mutant.line - 2])
            lines[1] += f" extern unsigned int {CHOOSER};"
            if path.endswith("/panthor_perf.c"):
                lines += ["#include <linux/moduleparam.h>", f"unsigned int {CHOOSER};",
                          f"module_param_named(mutant, {CHOOSER}, uint, 0);"]
            replace(os.path.join(tree, path), "".join(f"{line}\n" for line in lines))

    def release(self):
        """The driver's files as they are."""
        tree = self.newest("tree")
        for name in os.listdir(os.path.join(TOP, DRIVER)):
            if re.match(r"panthor_perf.*\.c$", name):
                text = text_of(os.path.join(TOP, DRIVER, name))
                if text != text_of(os.path.join(tree, DRIVER, name)):
                    replace(os.path.join(tree, DRIVER, name), text)


def guest_boot(name, vmali, tests):
    """Why a boot fails, or nothing."""
    tree = os.path.join(WORK, "tree")
    log = os.path.join(WORK, "guest.log")
    folder = os.path.join(tree, "build/run", f"mutant-{name}")
    shutil.rmtree(folder, ignore_errors=True)
    run(["scripts/run-guest.py", "--quiet", "--name", f"mutant-{name}", "--timeout", "400",
         "--vmali", vmali, "--file", "build/guest-modules/slow-call.ko:/modules/slow-call.ko", "--append", "PERF_CALLS=1500 PERF_SEED=1"] + tests, log)
    summary = os.path.join(folder, "summary")
    text = text_of(summary) if os.path.exists(summary) else "not ok the guest - no results"
    failed = first(r"^not ok (.*)$", text)
    if failed:
        return failed
    truth = os.path.join(folder, "truth.log")
    for runs in ("many-2x4", "many-8x8"):
        out = os.path.join(folder, "out", runs)
        raws = [os.path.join(out, raw) for raw in sorted(os.listdir(out))
                if raw.endswith(".raw")] if os.path.isdir(out) else []
        if raws and run(["build/host-bin/panthor-perf-compare", "--runs", "--call-times", truth] +
                        raws, log) != 0:
            return "comparison with the truth"
    for name in TOTALS:
        totals = os.path.join(folder, "out", f"{name}.totals")
        if os.path.exists(totals) and run(["tests/compare/check-totals.py", "--partial", truth, totals], log) != 0:
            return f"comparison of {name} with the truth"
    events = os.path.join(folder, "out/events.txt")
    if os.path.exists(events) and run(["tests/compare/check-events.py", truth, events], log) != 0:
        return "comparison of the named events with the counter table"
    return None


def guest():
    """The same in guests."""
    log = os.path.join(WORK, "guest.log")
    for command in (["scripts/build/build-module.sh"], ["scripts/build/build-tools.sh"],
                    ["scripts/build/build-guest-modules.sh"]):
        if run(command, log) != 0:
            return "void", "does not compile for the guest"
    for name, vmali, tests in GUESTS:
        failed = guest_boot(name, vmali, tests)
        if failed:
            return "caught", f"guest, {failed}"
    return "survived", ""


def prepare():
    tree = os.path.join(WORK, "tree")
    os.makedirs(tree, exist_ok=True)
    for entry in os.listdir(tree):
        # What was built there saves time, and follows the files.
        if entry != "build":
            path = os.path.join(tree, entry)
            (shutil.rmtree if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
    names = subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others",
                                     "--exclude-standard"], cwd=TOP).decode().split("\0")
    for name in filter(None, names):
        source = os.path.join(TOP, name)
        if os.path.exists(source):
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            shutil.copy2(source, os.path.join(tree, name), follow_symlinks=False)
    return tree


def replace(path, text):
    """Write a file that may have other names, which stay as they are."""
    with open(path + ".mutant", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".mutant", path)


def write_line(tree, mutant, text):
    """Change a line."""
    path = os.path.join(tree, mutant.path)
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    lines[mutant.line - 1] = text + "\n"
    replace(path, "".join(lines))


def judge_in_guests(mutant, tree):
    """Returns (verdict, by what)."""
    mutant.put(tree)
    try:
        return guest()
    finally:
        mutant.take(tree)


class Verdicts:
    """What was said of mutants, on disk: with --resume, nobody is asked again as long as no source changes."""

    def __init__(self, resume):
        sources = hashlib.sha256()
        for folder in (DRIVER, f"{DRIVER}/tests", "tests/kunit", *(f"tests/guest/{room}" for room in ("lib", "programs", "tests"))):
            for name in sorted(os.listdir(os.path.join(TOP, folder))):
                path = os.path.join(TOP, folder, name)
                if os.path.isfile(path):
                    sources.update(text_of(path).encode())
        self.path = os.path.join(WORK, "verdicts.json")
        self.sources = sources.hexdigest()
        self.said = {}
        if resume and os.path.exists(self.path):
            saved = json.loads(text_of(self.path))
            if saved["sources"] == self.sources:
                self.said = saved["said"]
            else:
                note("the driver or its tests have changed: all are asked again")

    def has(self, where, mutant):
        return f"{where} {mutant}" in self.said

    def ask(self, where, mutant, how, *args):
        """Returns the verdict of "kunit" or "guest" on a mutant and a line that tells it."""
        key = f"{where} {mutant}"
        if key not in self.said:
            began = time.monotonic()
            verdict, why = how(mutant, *args)
            self.said[key] = [verdict, why, round(time.monotonic() - began)]
            replace(self.path, json.dumps({"sources": self.sources, "said": self.said}, indent=1))
        verdict, why, seconds = self.said[key]
        by = f"by {why}, " if verdict == "caught" else f"{why}, " if why else ""
        return verdict, f"{verdict} {mutant} ({by}{seconds} s)"

    def forget(self, where, mutant):
        self.said.pop(f"{where} {mutant}", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="random numbers of an earlier run")
    parser.add_argument("--count", type=int, default=60, help="mutants (default 60)")
    parser.add_argument("--guests", type=int, default=20,
                        help="largest number of KUnit survivors that run in a guest (default 20)")
    parser.add_argument("--planted", action="store_true", help="only the patches of tests/mutants/planted")
    parser.add_argument("--resume", action="store_true",
                        help="continue an interrupted run with the same seed")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    parser.add_argument("--known", action="store_true", help="report stale reasons in tests/mutants/known, run nothing")
    parser.add_argument("file", nargs="*", help="driver files (default: all panthor_perf*.c)")
    args = parser.parse_args()

    if args.known:
        return 1 if report_stale() else 0
    files = args.file or driver_files()
    files = [os.path.relpath(os.path.abspath(os.path.join(TOP, name)), TOP) for name in files]
    for name in files:
        if not os.path.exists(os.path.join(TOP, name)):
            parser.error(f"{name}: no such file")
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1 << 32)
    if args.planted:
        args.count = 0
    pool = choose(files, args.count, seed)
    planted = Planted.all() if not args.file else []
    if args.list:
        for mutant in planted + pool[:args.count]:
            print(mutant)
        return 0

    os.nice(max(0, 10 - os.nice(0)))
    tree = prepare()
    verdicts = Verdicts(args.resume)
    kernel = Kunit()
    if not all(verdicts.has("kunit", mutant) for mutant in planted + pool[:args.count]):
        note("the driver as it is, in KUnit's kernel")
        why = kernel.baseline()
        if why:
            print(f"mutants: the driver as it is does not pass: {why}")
            return 1
    clean_code = {path: kernel.object_code(path) for path in files}
    for path in files:
        if clean_code[path] is None:
            note(f"{os.path.basename(path)} is not in KUnit's kernel, and left out")

    caught, survivors, judged = 0, [], 0
    for number, mutant in enumerate(planted, 1):
        verdict, line = verdicts.ask("kunit", mutant, kernel.judge, clean_code)
        print(f"[{number}/{len(planted)}] {line}", flush=True)
        if verdict == "void" and "compile" in line and "same code" not in line:
            print(f"mutants: {mutant.patch} does not compile")
            return 1
        judged += 1
        caught += verdict == "caught"
        if verdict != "caught":
            survivors.append(mutant)
    args.count += judged
    queue = (mutant for mutant in pool if clean_code[mutant.path] is not None)
    while judged < args.count:
        batch = list(itertools.islice(queue, args.count - judged))
        if not batch:
            break
        for number, mutant in kernel.hold([mutant for mutant in batch
                                           if not verdicts.has("kunit", mutant)]).items():
            verdict, line = verdicts.ask("kunit", mutant, lambda _, number=number: kernel.judge_chosen(number))
            if verdict == "caught":
                note(line)
            else:
                verdicts.forget("kunit", mutant)
        kernel.release()
        for mutant in batch:
            verdict, line = verdicts.ask("kunit", mutant, kernel.judge, clean_code)
            print(line, flush=True)
            judged += verdict != "void"
            caught += verdict == "caught"
            if verdict == "survived":
                survivors.append(mutant)
        note(f"KUnit caught {caught} of {judged}")

    reasons = known_reasons(KNOWN)
    asked = [mutant for mutant in survivors if mutant.key not in reasons][:args.guests]
    survivors = [mutant for mutant in survivors if mutant not in asked]
    if not all(verdicts.has("guest", mutant) for mutant in asked):
        note(f"guests: the driver as it is, then {len(asked)} mutants")
        verdict, why = guest()
        if verdict != "survived":
            print(f"mutants: the driver as it is does not pass: {why}")
            return 1
    for mutant in asked:
        verdict, line = verdicts.ask("guest", mutant, judge_in_guests, tree)
        print(line, flush=True)
        caught += verdict == "caught"
        if verdict != "caught":
            survivors.append(mutant)

    for mutant in survivors:
        print(f"survivor {mutant.key}\n\t{reasons.get(mutant.key, 'no reason is known')}")
    unexplained = sum(mutant.key not in reasons for mutant in survivors)
    if unexplained:
        print(f"mutants: {unexplained} survivors without a reason in tests/mutants/known")
    stale = report_stale()
    # No test can tell these from the driver.
    equivalent = sum(reasons.get(mutant.key, "").startswith("Equivalent") for mutant in survivors)
    judged -= equivalent
    print(f"mutants: {caught} of {judged} caught, {equivalent} others are equivalent")
    return 0 if judged and caught * 20 >= judged * 19 and not unexplained and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
