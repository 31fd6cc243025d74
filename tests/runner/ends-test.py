#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""How the scripts in Python end at Ctrl-C, and when nothing reads their output. Prints ok and not ok lines."""

import glob
import os
import re
import signal
import subprocess
import sys
import tempfile

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
SCRIPTS = [path for path in sorted(glob.glob(f"{TOP}/scripts/*.py"))
           if re.search("^from panthor_perf", open(path, encoding="utf-8").read(), re.M)]
BEGIN = f"""
import sys
sys.path.insert(0, "{TOP}/scripts/lib")
from panthor_perf.settings import text_of
"""
failures = 0


def report(text, got, want):
    global failures
    if got == want:
        print(f"ok {text}")
    else:
        failures += 1
        print(f"not ok {text} - got {got!r}, want {want!r}")


def unread(command):
    """Returns the exit status and the errors of a command whose output is a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    return done.returncode, done.stderr


def interrupted(path):
    """Returns the same of a script that gets SIGINT when it has written a line."""
    with subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        return run.wait(), run.stderr.read()


def script(folder, text):
    path = os.path.join(folder, "job.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(BEGIN + text)
    return path


for path in SCRIPTS:
    report(f"{os.path.basename(path)}: nothing reads its output", unread([path, "--help"]), (-signal.SIGPIPE, ""))
with tempfile.TemporaryDirectory() as folder:
    long = script(folder, "for i in range(100000):\n    print(i)\n")
    report("nothing reads a long output", unread([sys.executable, long]), (-signal.SIGPIPE, ""))
    report("a closed output", subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, script(
        folder, "sys.stdout.write('text')\n")], stderr=subprocess.PIPE, text=True, check=False).stderr, "")
    # A shell has the status 130 for that.
    report("Ctrl-C", interrupted(script(folder, "import time\nprint(1, flush=True)\ntime.sleep(100)\n")),
           (-signal.SIGINT, "job: interrupted\n"))
    report("another error has its traceback", "Traceback" in subprocess.run(
        [sys.executable, script(folder, "text_of('/nosuch')\n")], stderr=subprocess.PIPE, text=True, check=False).stderr, True)

sys.exit(1 if failures else 0)
