#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Runs the driver's KUnit suites in a kernel that runs on this host (UML).

The kernel is built from the newest Debian source of a series and this checkout, with the kernel's run-time
checkers on. It has the suites of the driver, drivers/gpu/drm/panthor/tests, and those of tests/kunit. The
kernel's own tools/testing/kunit/kunit.py runs it and parses its log. The script prints lines
"ok SUITE.CASE", "not ok SUITE.CASE - WHY" and "skip SUITE.CASE", for each suite a line
"SUITE: N passed, M failed, K skipped", those that failed last, and a summary. WHY is the first expectation
that failed, with its values and the test's message. A case with parameters has one result for each parameter.
Of many cases that fail with the same WHY the first ones are named, and "not ok and N more with this message"
stands for the others. A line then names the suites whose message the fewest cases share: they are closest to
the error. When the kernel prints nothing for 10 s, a line on standard error names the case that runs.

The run fails if a case fails, if the kernel stops before the last suite, if a suite or the whole
run has no cases, or if a checker (KASAN, lockdep, ...) or the kernel complains in the log.
"""

import argparse
import collections
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.processes import end_children  # noqa: E402
from panthor_perf.settings import BUILD, CACHE, DRIVER, OF_SERIES, TOP, die, note, settings_of, text_of  # noqa: E402

LOGS = os.path.join(BUILD, "log")
UPSTREAM_CONFIG = f"{DRIVER}/tests/.kunitconfig"
MORE_CONFIG = os.path.join(TOP, "tests/kunit/.kunitconfig")

ENVIRONMENT = """environment, for scripts that run changed drivers or other kernels:
  KUNIT_TIMEOUT  stop the kernel after so many seconds (240)
  KUNIT_FOLDER   folder of the kernel tree and its build (in the cache)
  KUNIT_CONFIG   file with the kernel's options, in place of those of the suites
  KUNIT_MAKE     file with more arguments for make, one a line
  KUNIT_NAME     name of the logs in build/log (kunit)
  KUNIT_KEEP     "tree": take the tree as it is; "build": take the kernel as it is
  KUNIT_ARGS     more arguments for the kernel

The tree and its build stay in the cache; only what changed is built again."""

# What no kernel may say while tests run.
COMPLAINT = re.compile(
    r"BUG:|WARNING:|KASAN|UBSAN:|ODEBUG:|INFO: (task|possible|trying|rcu)|Oops|Kernel panic|"
    r"refcount_t:|list_(add|del) corruption|scheduling while atomic|sleeping function|"
    r"suspicious RCU|possible recursive|inconsistent lock state|DEBUG_LOCKS_WARN_ON|"
    r"Modules linked in")
HARMLESS = re.compile(r"KernelAddressSanitizer initialized")

# Without output for so long, the case that runs is named.
QUIET_S = 10
# Of the cases that fail with one message, so many are named.
NAMED = 3

# What kunit.py prints: a time stamp before each line, then the log of a test that failed, and its
# result. The result of a test with subtests stands between "=".
STAMP = re.compile(r"^\[\d\d:\d\d:\d\d\] ")
EXPECTED = re.compile(r"# \S+: (?:(?:EXPECTATION|ASSERTION) FAILED at (?:\S*/)?(\S+)|"
                      r"(try (?:faulted|timed out).*))")
RESULT = re.compile(r"^(=+ )?\[(PASSED|FAILED|CRASHED|SKIPPED|NO TESTS RUN)\] ?(.*?)(?: =+)?$")
ERROR = re.compile(r"^\[ERROR\] Test: (.*?): (.*)$")
VERDICT = re.compile(r"^\s*(not )?ok \d+ (?:- )?(.*?)(?: # .*)?$")
CASE_ENDED = re.compile(r"^ {4}(?:not )?ok \d+ ", re.M)
# A line of memory that was compared, with the bytes that differ as <00>.
MEMORY = re.compile(r"^(\s*<?[0-9a-f]{2}>?)+\s*[0-9a-f]?$")


def shell(code, *args, env=None):
    """Run code with the functions of lib.sh and kernel-tree.sh. They report why they fail."""
    code = f'. "$TOP/scripts/lib/lib.sh"\n. "$TOP/scripts/lib/kernel-tree.sh"\n{code}'
    return subprocess.call(["sh", "-euc", code, "kunit", *args],
                           env=dict(os.environ, TOP=TOP, **(env or {}))) == 0


def lock(folder):
    """Keep other runs away from a folder until this one ends."""
    file = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        note("another run is at it: waiting")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def kunit_py(tree, *args):
    """The command line of the kernel's kunit.py."""
    return [sys.executable, os.path.join(tree, "tools/testing/kunit/kunit.py"), *args]


class Kernel:
    """The tree in folder and the kernel that is built from it."""

    def __init__(self, folder, name):
        self.sources = settings_of("fetch-kernel.sh")
        version = self.sources["KVER"]
        self.folder, self.name = folder, name
        self.tree = os.path.join(folder, f"tree-{version}")
        self.objects = os.path.join(folder, f"build-{version}")
        self.program = os.path.join(self.objects, "linux")
        os.makedirs(self.objects, exist_ok=True)

    def build(self, keep, configs, make, upstream):
        """Bring the tree and the kernel up to date, except for what is kept."""
        kept = bool(keep) and os.path.exists(self.program if keep == "build" else self.tree)
        if not (shell('need_disk 2500 "$1"', self.folder) and
                (kept or shell('kernel_tree "$1"', self.folder,
                               env=dict(self.sources, KUNIT_UPSTREAM="1" if upstream else "")))):
            sys.exit(1)
        if keep == "build" and kept:
            return
        if not os.path.exists(self.program):
            note("building a kernel (about 5 minutes, only the first time)")
        log = os.path.join(LOGS, f"{self.name}-build.log")
        arguments = []
        if make:
            arguments = text_of(make).splitlines()
        if not keep:
            configured = shell('run_logged "$@"', log, *kunit_py(
                self.tree, "config", f"--build_dir={self.objects}",
                *(f"--kunitconfig={config}" for config in configs)))
            if not configured:
                die("the kernel cannot be configured")
        built = shell('log=$1; shift; run_logged "$log" make -j "$JOBS" "$@"', log, "-C", self.tree,
                      "ARCH=um", f"O={self.objects}", *arguments)
        if not (built and os.path.exists(self.program)):
            die("the kernel does not build")

    def run(self, log, filter_glob, timeout, arguments):
        """Run the suites. Returns kunit.py's status; the kernel's log is in the file log."""
        command = self._exec("--raw_output=all", f"--timeout={timeout}")
        if arguments:
            command.append(f"--kernel_args={arguments}")
        with open(log, "w", encoding="utf-8") as file:
            process = subprocess.Popen([*command, filter_glob], stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, env=dict(os.environ, PYTHONUNBUFFERED="1"))
        size, changed, named = 0, time.monotonic(), False
        while True:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                quiet = time.monotonic() - changed
            if os.path.getsize(log) != size:
                size, changed, named = os.path.getsize(log), time.monotonic(), False
            elif quiet >= QUIET_S and not named:
                note(f"{self._running(text_of(log), filter_glob)} runs, without output for {quiet:.0f} s")
                named = True

    def _exec(self, *options):
        return kunit_py(self.tree, "exec", f"--build_dir={self.objects}", "--kernel_args=time-travel=inf-cpu", *options)

    def _running(self, text, filter_glob):
        """The name of the case that runs. The kernel itself knows the names before the cases end."""
        ended = len(CASE_ENDED.findall(text))
        listed = subprocess.run(self._exec("--list_tests", "--timeout=60", filter_glob), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
        cases = re.findall(r"^\w+\.\w+$", listed, re.M)
        return cases[ended] if "# Subtest: " in text and ended < len(cases) else "the kernel"


def printed(text):
    """Yields (name, message) for what kunit.py says is wrong with the log, and (name, "") for each group that failed."""
    for line in text.splitlines():
        line = STAMP.sub("", line)
        result, error = RESULT.match(line), ERROR.match(line)
        if error:
            yield error.groups()
        elif result and result.group(1) and result.group(2) in ("FAILED", "CRASHED"):
            yield result.group(3), ""


def values_of(lines):
    """What KUnit has found, in one line: "Expected A == B, but", "A == 1", "B == 2". Of memory, the first line that
    differs."""
    values = []
    for line in lines:
        if not MEMORY.match(line) or ("<" in line and values and values[-1].endswith("==")):
            values.append(" ".join(line.split()))
    return " ".join(filter(None, values))


def reasons_of(lines):
    """The reasons in the kernel's own log: (name, reason) for each "not ok NAME". kunit.py's text lacks that of a first
    parameter, which it takes for a part of the header. The values behind EXPECTED are indented, the test's message behind
    them is not."""
    reason, values = "", None
    for line in lines:
        verdict, expected = VERDICT.match(line), EXPECTED.search(line)
        inside = not verdict and not line.lstrip().startswith("#")
        if values is not None and inside and line[:1] in (" ", ""):
            values.append(line)
            continue
        if values is not None:
            reason = f"{reason} {values_of(values)}".rstrip()
            if inside:
                reason += f": {line.strip()}"
            values = None
        if verdict:
            if verdict.group(1):
                yield verdict.group(2), reason
            reason = ""
        elif expected and not reason:
            reason = expected.group(1) or expected.group(2)
            values = [] if expected.group(1) else None


class Results:
    """The results of a log: (verdict, name) of each case, why others failed, and the suites."""

    def __init__(self, tree, log):
        output = f"{log}.json"
        if os.path.exists(output):
            os.unlink(output)
        parse = subprocess.run(kunit_py(tree, "parse", f"--json={output}", log),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, errors="replace", check=False)
        if not os.path.exists(output):
            sys.stderr.write(parse.stdout)
            die(f"kunit.py does not parse {log}")
        with open(output, encoding="utf-8") as file:
            main = json.load(file)

        self.cases = []
        self.suites = []
        self.failures = {}      # name of a case, a suite or "kernel": why
        # The text has the last part of a name, which suites may share.
        self._paths = collections.defaultdict(list, main=["kernel"])
        for suite in main["sub_groups"]:
            self._add_group(suite, suite["name"])
            self.suites.append(suite["name"])
        # A suite without cases looks like a case.
        for suite in filter(lambda suite: suite["name"], main["test_cases"]):
            self.suites.append(suite["name"])
            if suite["status"] == "SKIP":
                self.cases.append(("skip", suite["name"]))
            else:
                self.failures[suite["name"]] = "the suite has no cases"
        if not self.suites:
            self.failures["kernel"] = "no suite was run"
        else:
            self._add_missing(main, "kernel", f"stopped in {self.suites[-1]}", "suites")
            self._add_reasons(log)
            self._add_printed(parse.stdout)
            if parse.returncode and not self.failures and self.count("ok"):
                self.failures["kernel"] = "kunit.py reports a failure"

    def _add_group(self, group, path):
        """Add the results of a suite, or of a case with parameters."""
        self._paths[group["name"]].append(path)
        before = len(self.cases)
        for sub in group["sub_groups"]:
            self._add_group(sub, f"{path}.{sub['name']}")
        for case in group["test_cases"]:
            if case["name"]:
                verdict = {"PASS": "ok", "SKIP": "skip"}.get(case["status"], "not ok")
                self.cases.append((verdict, f"{path}.{case['name']}"))
        last = f"behind {self.cases[-1][1].rpartition('.')[2]}" if len(self.cases) > before else "from the first one on"
        self._add_missing(group, path, f"{last} the kernel ended, or hung until KUNIT_TIMEOUT", "cases")

    def _add_missing(self, group, path, where, what):
        """Tests that were announced and did not come have no name."""
        missing = sum(not case["name"] for case in group["test_cases"])
        if missing:
            self.failures[path] = f"{where}, missing {what}: {missing}"

    def _add_reasons(self, log):
        """Add the reason of each case that failed."""
        reasons = collections.defaultdict(list)
        for name, why in reasons_of(text_of(log).splitlines()):
            reasons[name].append(why)
        for verdict, name in self.cases:
            if verdict == "not ok":
                of_name = reasons[name.rpartition(".")[2]]
                self.failures[name] = of_name.pop(0) if of_name else ""

    def _add_printed(self, text):
        """Add what only the text has: errors, and groups that failed by themselves."""
        for name, why in printed(text):
            if why == "missing expected subtest!":
                continue
            names = self._paths.get(name) or [name or "kernel"]
            if not any(f"{known}.".startswith(f"{name}.") for known in self.failures
                       for name in names):
                self.failures[names[0]] = why or "reported as failed, though none of its cases is"

    def add_complaints(self, log):
        """Add a failure if the kernel complained."""
        for number, line in enumerate(text_of(log).splitlines(), 1):
            if COMPLAINT.search(line) and not HARMLESS.search(line):
                self.failures["kernel log"] = f"{number}:{line.strip()}"
                return

    def count(self, verdict):
        return sum(one == verdict for one, _ in self.cases)

    def _counts_of(self, suite):
        """How many of a suite passed, failed and were skipped. A suite may have failed by itself."""
        def within(name):
            return name == suite or name.startswith(f"{suite}.")

        verdicts = collections.Counter(verdict for verdict, name in self.cases if within(name))
        return verdicts["ok"], sum(map(within, self.failures)), verdicts["skip"]

    def show(self):
        for verdict, name in self.cases:
            if verdict != "not ok":
                print(f"{verdict} {name}")
        for why, names in self._by_reason():
            # A line for one name more is no longer than that for the others.
            named = NAMED if why and len(names) > NAMED + 1 else len(names)
            for name in names[:named]:
                print(f"not ok {name} - {why}" if why else f"not ok {name}")
            if named < len(names):
                print(f"not ok and {len(names) - named} more with this message - {why}")
        counts = {suite: self._counts_of(suite) for suite in self.suites}
        for suite in sorted(self.suites, key=lambda suite: counts[suite][1] > 0):
            print("{}: {} passed, {} failed, {} skipped".format(suite, *counts[suite]))
        self._show_first()

    def _by_reason(self):
        """The names of what failed for each reason."""
        names = collections.defaultdict(list)
        for name, why in self.failures.items():
            names[why].append(name)
        return names.items()

    def _show_first(self):
        """Name the suites to begin with: those whose reasons the fewest cases have."""
        reasons = sorted(self._by_reason(), key=lambda reason: len(reason[1]))
        if not any(why and len(names) > NAMED + 1 for why, names in reasons):
            return
        suites = dict.fromkeys(name.partition(".")[0] for _, names in reasons for name in names)
        print(f"begin with {', '.join([suite for suite in suites if suite in self.suites][:NAMED])}")


def judge(tree, log):
    """Print the results of a log. Returns whether all is well."""
    results = Results(tree, log)
    results.add_complaints(log)
    results.show()
    if not results.suites:
        sys.stderr.writelines(text_of(log).splitlines(keepends=True)[-20:])
    print(f"kunit: {results.count('ok')} passed, {len(results.failures)} failed, "
          f"{results.count('skip')} skipped (log: {log})")
    return not results.failures


def end(number, _):
    """What builds and runs ends before the lock is free for others."""
    end_children()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=ENVIRONMENT,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raw", action="store_true",
                        help="print the kernel's log instead of the results")
    parser.add_argument("--upstream", action="store_true",
                        help="only the suites of the driver, over their own fake firmware")
    parser.add_argument("--log", metavar="FILE",
                        help="run nothing: the results of this log; FILE.json gets kunit.py's JSON")
    parser.add_argument("filter", nargs="?", default="panthor_perf*", metavar="FILTER",
                        help="run only suites or cases with such names, as in kunit.filter_glob: "
                        "'panthor_perf_ring*'. A name says nothing about source files: suites with other names may "
                        "find an error of panthor_perf_ring.c")
    args = parser.parse_args()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    environ = os.environ.get
    if args.log:
        return 0 if judge(settings_of("fetch-kernel.sh")["KSRC"], os.path.abspath(args.log)) else 1

    if not shell("need make gcc bc flex bison flock; need_writable"):
        return 1
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:      # nohup
            signal.signal(number, end)
    name = environ("KUNIT_NAME") or "kunit"
    log = os.path.join(LOGS, f"{name}.log")
    os.makedirs(LOGS, exist_ok=True)
    kernel = Kernel(environ("KUNIT_FOLDER") or os.path.join(CACHE, f"kunit{OF_SERIES}"), name)
    with lock(kernel.folder):
        upstream = args.upstream or bool(environ("PANTHOR_PERF_MAINLINE"))
        configs = [environ("KUNIT_CONFIG")] if environ("KUNIT_CONFIG") else \
            [UPSTREAM_CONFIG] if upstream else [UPSTREAM_CONFIG, MORE_CONFIG]
        kernel.build(environ("KUNIT_KEEP"), configs, environ("KUNIT_MAKE"), upstream)
        status = kernel.run(log, args.filter, environ("KUNIT_TIMEOUT") or "240",
                            environ("KUNIT_ARGS"))
        if args.raw:
            sys.stdout.write(text_of(log))
            return status
        return 0 if judge(kernel.tree, log) and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
