#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The terminal of make shell, with a program in place of QEMU whose guest and monitor do what they should not. Prints
ok and not ok lines."""

import json
import os
import pty
import re
import select
import signal
import socket
import sys
import tempfile
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(TOP, "scripts", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.machine import Machine, MachineError, Monitor  # noqa: E402
from panthor_perf.terminal import Terminal  # noqa: E402

# Longer than anything takes that does not wait for an answer which never comes
SECONDS = 15
failed = False


def first_prompt():
    """That of the guest's shell, by its own settings."""
    with open(os.path.join(TOP, "tests/guest/lib/profile.sh"), encoding="utf-8") as profile:
        text = profile.read()
    folder = re.search(r"^cd (\S+)$", text, re.M)[1]
    return re.search(r"^PS1='(.*)'$", text, re.M)[1].replace("$PWD", folder).encode()


def check(good, text, why=""):
    global failed
    failed |= not good
    print(f"ok {text}" if good else f"not ok {text} - {why!r}", flush=True)


def qemu(folder):
    """In place of QEMU: its guest has no port to the runner, and its monitor never answers. The guest's shell begins when
    FOLDER/go says so, and repeats what it gets."""
    os.write(1, b"booting\r\n")
    with open(os.path.join(folder, "go"), "rb") as go:
        go.read()
    os.write(1, b"\r\n" + first_prompt())
    while data := os.read(0, 100):
        os.write(1, b"<" + data + b">")


def runner(folder):
    """As scripts/run-guest.py; FOLDER/behind is what it does at last."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with Terminal() as terminal:
        machine = Machine([sys.executable, __file__, "qemu", folder], os.path.join(folder, "qemu.err"), [], None, terminal)
        machine.run(10 * SECONDS)
    with open(os.path.join(folder, "behind"), "w", encoding="utf-8") as behind:
        behind.write(str(machine.ended))


class Shell:
    """The runner on a terminal."""

    def __init__(self, folder):
        self._go = os.path.join(folder, "go")
        os.mkfifo(self._go)
        self._pid, self._fd = pty.fork()
        if not self._pid:
            os.execv(sys.executable, [sys.executable, __file__, "runner", folder])

    def begin(self):
        """The guest's shell begins."""
        with open(self._go, "wb"):
            pass

    def type(self, keys):
        os.write(self._fd, keys)

    def until(self, word):
        """What comes until there is a word in it, or nothing more for a time."""
        seen, end = b"", time.monotonic() + SECONDS
        while word not in seen and (left := end - time.monotonic()) > 0 and select.select([self._fd], [], [], left)[0]:
            try:
                seen += os.read(self._fd, 65536)
            except OSError:
                break
        return seen

    def close(self):
        """The terminal is gone."""
        os.close(self._fd)

    def end(self):
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


def begins_without_a_port(folder):
    shell = Shell(folder)
    shell.until(b"booting")
    shell.type(b"early\x01h")
    said = shell.until(b"Ctrl-A Ctrl-A")
    check(b"Ctrl-A x" in said and b"<early" not in said, "what is typed before the shell begins is held", said)
    shell.begin()
    said = shell.until(b"<early>")
    check(b"<early>" in said, "a shell whose guest has no port to the runner gets it", said)
    shell.type(b"\x01bs")
    said = shell.until(b"<s>")
    check(b"QEMU's monitor: " in said and b"<s>" in said, "a break that QEMU does not answer does not block the terminal", said)
    shell.type(b"\x01x")
    shell.until(b"QEMU ends\r\n")
    status = shell.end()
    shell.close()
    check(status == 0, "Ctrl-A x ends a QEMU that does not answer", status)


def loses_its_terminal(folder):
    shell = Shell(folder)
    shell.until(b"booting")
    shell.close()
    status = shell.end()
    behind = os.path.join(folder, "behind")
    check(status == 0 and os.path.exists(behind), "without its terminal, the runner ends QEMU, and does the rest", status)


def drops_late_answers():
    ours, of_qemu = socket.socketpair()
    monitor = Monitor(ours)
    try:
        monitor.command("first", seconds=0.1)
        said = "no error"
    except MachineError as error:
        said = str(error)
    sent = of_qemu.recv(65536).splitlines()
    check(said.startswith("QEMU's monitor: "), "QEMU's monitor does not answer in time", said)
    of_qemu.sendall(b'{"QMP": {}}\r\n')
    # What was sent meanwhile, and the command that is to come: each number in its answer
    numbers = [json.loads(line)["id"] for line in sent]
    for number in [*numbers, numbers[-1] + 1]:
        of_qemu.sendall(b'{"event": "STOP"}\r\n{"return": %d, "id": %d}\r\n' % (number, number))
    try:
        said = monitor.command("second")
    except MachineError as error:
        said = error
    check(said == numbers[-1] + 1, "a late answer is not that of the next command", said)


if sys.argv[1:2] == ["qemu"]:
    qemu(sys.argv[2])
elif sys.argv[1:2] == ["runner"]:
    runner(sys.argv[2])
else:
    for test in (begins_without_a_port, loses_its_terminal):
        with tempfile.TemporaryDirectory() as place:
            test(place)
    drops_late_answers()
    sys.exit(failed)
