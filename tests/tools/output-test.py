#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/output-test.py BIN

What BIN/panthor-perf-fake says if its output cannot be written. Prints "ok NAME" or "not ok NAME - why".
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from program import check, environment, main  # noqa: E402

# Commands with long tables.
TABLES = (("report", "a.rec"), ("report", "-s", "-e", "MaliGPUActiveCy", "a.rec"), ("list", "--gpu", "G610"), ("diff", "a.rec", "b.rec"))


def test_full(program):
    """A message with the reason, once, whatever is left to be written in the end."""
    os.symlink("/dev/full", "full.gp")
    commands = (*TABLES, ("report", "--json", "a.rec"), ("report", "-s", "--csv", "a.rec"), ("list", "--json", "--gpu", "G610"),
                ("list", "--gpus"), ("list", "--gpu", "G610", "--names"), ("list", "--gpu", "G610", "--describe", "gpu_active"), ("info",),
                ("info", "--json"), ("stat",), ("stat", "--csv", "-n", "30", "-I", "1"), ("stat", "--json"), ("diff", "--json", "a.rec", "b.rec"),
                ("diff", "--csv", "a.rec", "b.rec"), ("selftest", "--json"))
    for args in commands:
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([program.program, *args], env=environment(), stdin=subprocess.DEVNULL, stdout=full,
                                 stderr=subprocess.PIPE, check=False)
        err = run.stderr.decode()
        check(run.returncode == 1 and err.count("panthor-perf: writing the standard output: No space left on device\n") == 1,
              f"{' '.join(args)} >/dev/full: the reason", (run.returncode, err))
    for args in (("report", "a.rec", "-o", "/dev/full"), ("report", "-s", "--csv", "a.rec", "-o", "/dev/full"),
                 ("diff", "a.rec", "b.rec", "-o", "/dev/full"), ("stat", "-o", "/dev/full"), ("plot", "a.rec", "-o", "full.gp"),
                 ("export", "--perfetto", "a.rec", "-o", "/dev/full"), ("stat", "--csv", "-n", "30", "-I", "1", "-o", "/dev/full")):
        status, _out, err = program.run(*args)
        check(status == 1 and err.count(f"panthor-perf: writing {args[-1]}: No space left on device\n") == 1,
              f"{' '.join(args)}: the reason", (status, err))


def test_all(program):
    for name in ("a.rec", "b.rec"):
        program.output("record", "-q", "-n", "40", "-I", "1", "-o", name)
    test_full(program)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
