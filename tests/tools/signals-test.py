#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/signals-test.py BIN

Signals for record, stat, stat -I -j and top of BIN/panthor-perf-fake, with a command and without one, to the program alone or
from a terminal: what ends, the exit status, whether the output is whole. Prints "ok NAME" or "not ok NAME - why", and
the table that tools/README.md has.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from program import check, environment, equal, main  # noqa: E402

INT, TERM, HUP, QUIT, PIPE, USR1 = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR1)
# It says who it is, and when it was asked to end.
COMMAND = ["sh", "-c", "trap 'echo TERM >>got; exit 3' TERM; trap 'echo INT >>got; exit 4' INT; echo $$ >pid; "
           "while :; do sleep 0.05; done"]
PROGRAMS = {
    "record": ["record", "-q", "-o", "signals.rec"],
    "stat": ["stat", "--duration", "100", "-e", "MaliGPUActiveCy"],
    "stat -I -j": ["stat", "-I", "10", "-j", "-e", "MaliGPUActiveCy"],
}


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


def forget(*names):
    for name in names:
        if os.path.exists(name):
            os.unlink(name)


def is_alive(pid):
    try:
        return "State:\tZ" not in open(f"/proc/{pid}/status").read()
    except OSError:
        return False


def is_started(name, with_command, pid):
    """The command runs; or the program blocks the signals that it waits for."""
    if with_command:
        return os.path.exists("pid") and open("pid").read().strip()
    blocked = re.search(r"^SigBlk:\s(\w+)", open(f"/proc/{pid}/status").read(), re.M)
    return blocked and int(blocked[1], 16) >> (TERM - 1) & 1


def is_whole(program, name, out):
    """The recording has its end, the table its last line, each line of JSON is one."""
    if name == "record":
        status, _out, err = program.run("report", "signals.rec")
        return status == 0 and "not finished" not in err
    if name == "stat":
        return b"MaliGPUActiveCy" in out
    try:
        return "quality" in json.loads(out)
    except ValueError:
        return False


def start(program, args, with_command, out, **more):
    forget("pid", "got")
    return subprocess.Popen([program.program, *args, *(["--", *COMMAND] if with_command else [])], env=environment(),
                            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, **more)


def one(program, name, number, with_command, **more):
    """Returns (exit status, output whole, what the command got, whether it lives)."""
    with open("out", "wb") as out:
        run = start(program, PROGRAMS[name], with_command, out, **more)
        if not wait_for(lambda: is_started(name, with_command, run.pid) or run.poll() is not None) or run.poll() is not None:
            return "does not run", False, "", run.communicate()[1]
        time.sleep(0.1)
        run.send_signal(number)
        try:
            _out, _err = run.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
            return "goes on", False, "", False
    alive = with_command and not wait_for(lambda: not is_alive(open("pid").read().strip()), 3)
    got = open("got").read().split() if os.path.exists("got") else []
    with open("out", "rb") as out:
        return run.returncode, is_whole(program, name, out.read()) if run.returncode != -number else False, got, alive


def test_alone(program):
    """Signals to the program alone."""
    rows = []
    for name in PROGRAMS:
        for with_command in (False, True):
            for number in (INT, HUP, QUIT, TERM, PIPE):
                status, whole, got, alive = one(program, name, number, with_command)
                title = f"{name}{' with a command' if with_command else ''}, {number.name}"
                equal((status, bool(whole), got, alive), (3 if with_command else 0, True, ["TERM"] if with_command else [], False),
                      title)
                rows.append((name, with_command, number.name, status, whole))
            # It has no handler, so that the program dies of it; the command does not stay.
            status, _whole, got, alive = one(program, name, USR1, with_command)
            equal((status, alive), (-USR1, False), f"{name}{' with a command' if with_command else ''}, SIGUSR1")
    return rows


def test_ignored(program):
    """As nohup(1) does it."""
    def ignore():
        signal.signal(HUP, signal.SIG_IGN)

    for with_command in (False, True):
        with open("out", "wb") as out:
            run = start(program, PROGRAMS["stat"], with_command, out, preexec_fn=ignore)
            wait_for(lambda: is_started("stat", with_command, run.pid))
            run.send_signal(HUP)
            time.sleep(0.3)
            check(run.poll() is None, f"SIGHUP that is ignored{' with a command' if with_command else ''}: it goes on")
            run.send_signal(TERM)
            run.communicate()


def on_terminal(program, args, with_command, key):
    """Run on a terminal, and press a key. Returns (exit status, what the terminal has)."""
    forget("pid", "got")
    pid, master = pty.fork()
    if not pid:
        os.execve(program.program, [program.program, *args, *(["--", *COMMAND] if with_command else [])],
                  dict(environment(), TERM="xterm"))
    check(wait_for(lambda: is_started("", with_command, pid)), f"{args[0]} on a terminal: it runs")
    time.sleep(0.2)
    os.write(master, key)
    text = b""
    try:
        while data := os.read(master, 65536):
            text += data
    except OSError:
        pass
    _pid, status = os.waitpid(pid, 0)
    os.close(master)
    return os.waitstatus_to_exitcode(status), text


def test_terminal(program):
    """Ctrl-C reaches the command, which decides; the program waits for it. Ctrl-\\ likewise."""
    for name in ("record", "stat"):
        for with_command in (False, True):
            status, text = on_terminal(program, PROGRAMS[name], with_command, b"\x03")
            got = open("got").read().split() if os.path.exists("got") else []
            title = f"{name}{' with a command' if with_command else ''}, Ctrl-C"
            equal((status, got), (4 if with_command else 0, ["INT"] if with_command else []), title)
            check(is_whole(program, name, text), f"{title}: the output is whole", text[-300:])
    status, text = on_terminal(program, ["top", "-I", "100"], False, b"\x03")
    equal(status, 0, "top, Ctrl-C")
    check(b"\x1b[?1049l" in text, "top, Ctrl-C: the terminal is as before", text[-100:])


def test_top(program):
    for number in (INT, HUP, QUIT, TERM):
        pid, master = pty.fork()
        if not pid:
            os.execve(program.program, [program.program, "top", "-I", "100"], dict(environment(), TERM="xterm"))
        wait_for(lambda: is_started("", False, pid))
        time.sleep(0.3)
        os.kill(pid, number)
        text = b""
        try:
            while data := os.read(master, 65536):
                text += data
        except OSError:
            pass
        _pid, status = os.waitpid(pid, 0)
        os.close(master)
        equal((os.waitstatus_to_exitcode(status), b"\x1b[?1049l" in text), (0, True), f"top, {number.name}: the terminal is as before")


def test_pipe(program):
    """A reader that has read enough."""
    run = start(program, PROGRAMS["stat -I -j"], True, subprocess.PIPE)
    run.stdout.readline()
    wait_for(lambda: is_started("stat", True, run.pid))
    run.stdout.close()
    run.stderr.read()
    try:
        status = run.wait(timeout=10)
    except subprocess.TimeoutExpired:
        run.kill()
        status = "goes on"
    check(status in (3, -PIPE) and not is_alive(open("pid").read().strip()), "a closed pipe ends program and command", status)


def test_twice(program):
    """A command that does not end when it is asked to is ended when the program is asked again."""
    forget("pid")
    args = ["record", "-q", "-o", "signals.rec", "--", "sh", "-c", "trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done"]
    run = subprocess.Popen([program.program, *args], env=environment(), stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    check(wait_for(lambda: os.path.exists("pid") and open("pid").read().strip()), "twice: the command runs")
    run.send_signal(signal.SIGTERM)
    try:
        run.wait(timeout=1)
    except subprocess.TimeoutExpired:
        pass
    check(run.poll() is None, "SIGTERM once: a command that ignores it goes on", f"status {run.poll()}")
    run.send_signal(signal.SIGTERM)
    try:
        _out, err = run.communicate(timeout=10)
        check(run.returncode == 128 + signal.SIGKILL, "SIGTERM twice: it is killed", f"status {run.returncode}: {err}")
    except subprocess.TimeoutExpired:
        run.kill()
        check(False, "SIGTERM twice: it is killed", "it goes on")
    check(not is_alive(open("pid").read().strip()), "SIGTERM twice: it does not live")
    check(is_whole(program, "record", b""), "SIGTERM twice: the recording is whole")


def test_all(program):
    test_alone(program)
    test_ignored(program)
    test_terminal(program)
    test_top(program)
    test_pipe(program)
    test_twice(program)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
