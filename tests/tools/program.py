# SPDX-License-Identifier: GPL-2.0 or MIT
"""Runs BIN/panthor-perf-fake and looks at what it prints: what the tests in Python have in common."""

import math
import os
import re
import resource
import signal
import subprocess
import tempfile


class Result:
    """Whether a check has failed."""
    failed = False


def check(good, name, why=""):
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    Result.failed |= not good


def equal(got, want, name):
    check(got == want, name, f"got {str(got)[:300]!r}, want {str(want)[:300]!r}")


def near(got, want, name, relative=1e-6):
    check(math.isclose(float(got), want, rel_tol=relative, abs_tol=1e-9), name, f"got {got}, want {want}")


def environment(settings="", load="", truth=""):
    # A thread that is cancelled makes the sanitizer find its own stack for signals out of bounds.
    # What was freed is to be given back soon, as the test of memory wants.
    # What is printed on a terminal is seen at once.
    return dict(os.environ, PAGER="cat", FAKE_NODES=os.path.abspath("gpu.panthor"), FAKE_TRUTH=truth, FAKE_SETTINGS=settings,
                FAKE_LOAD=load, ASAN_OPTIONS="detect_leaks=1:use_sigaltstack=0:quarantine_size_mb=1")


class Program:
    def __init__(self, folder):
        self.program = os.path.join(folder, "panthor-perf-fake")
        self.compare = os.path.join(folder, "panthor-perf-compare")

    def has_pages(self):
        """Whether the program was built with uPlot, whose licence is in it then."""
        with open(self.program, "rb") as file:
            return b"Leon Sorokin" in file.read()

    def run(self, *args, settings="", load="", path=None, limit=None):
        env = environment(settings, load, "truth.log" if args[0] == "record" else "")
        if path is not None:
            env["PATH"] = path

        def limits():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        run = subprocess.run([self.program, *args], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=limits, check=False)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    def expect(self, name, status, pattern, *args, **more):
        got, out, err = self.run(*args, **more)
        found = re.search(pattern, out + err, re.M)
        check(got == status and found, name,
              f"exit status {got}, want {status}; {pattern!r} {'is' if found else 'is not'} printed: {err[-300:]}")
        return out

    def output(self, *args, **more):
        """What the program prints, for a test of that: no result if it ends as it should."""
        status, out, err = self.run(*args, **more)
        if status:
            check(False, " ".join(args[:1]), f"exit status {status}: {err[-300:]}")
        return out


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def main(doc, argv, test):
    """Run a test in an empty folder that has the node of the fake GPU, and return the exit status."""
    if len(argv) != 2 or argv[1] == "--help":
        print(doc)
        return 2
    program = Program(os.path.abspath(argv[1]))
    # nohup(1), or the "&" of a script, makes its commands ignore these, and theirs.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("gpu.panthor", "")
        test(program)
        os.chdir("/")
    return Result.failed
