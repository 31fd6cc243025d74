#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/runner/shell-test.py [own]

Uses make shell, and then make guest, as a person does, on a terminal: the commands of
Documentation/gpu/panthor-perf-working.rst, what is typed while the guest boots, a file that comes back, gdb's protocol
on the socket, QEMU's monitor, and each end. Prints "ok" and "not ok" lines. Driver, tools and the virtual GPU have to be
built.

With "own", those of panthor-perf-own.rst: Debian's kernel and Debian's Mesa stand for what a developer brings, as a
system in a folder, as a Mesa without one, and as a system on a disk. Ports of this host are tried by a program that
listens in the guest.
"""

import fcntl
import os
import pty
import re
import select
import signal
import socket
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.dont_write_bytecode = True
sys.path.insert(0, f"{TOP}/scripts/lib")

from panthor_perf.settings import BUILD  # noqa: E402

# A relative path, as the address of a socket is short
FOLDER = os.path.relpath(os.path.join(BUILD, "run/shell"), TOP)
# make hands it on to the scripts, also if it is empty.
KERNEL = f"KERNEL={os.environ.get('PANTHOR_PERF_KERNEL', '')}"
PROMPT = re.compile(rb"guest:(\S+)# $")
# The last line before QEMU starts
BOOTS = re.compile(rb"gdb-multiarch .*\n")
STATUS = re.compile(rb"VM status.*\n\(qemu\) $")
LONG = "0123456789" * 20
# What a terminal answers when it is asked where its cursor is; other control sequences only change how it looks.
ASKED = b"\x1b[6n"
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r")
COLUMNS, ROWS = 101, 43
MINE = "mine-of-shell-test"
failed = False


def check(good, name, why=""):
    global failed
    print(f"ok shell: {name}" if good else f"not ok shell: {name} - {str(why)[-300:]!r}", flush=True)
    failed |= not good


class Terminal:
    """make shell, or another command, on a terminal."""

    def __init__(self, *variables, command=("make", "-C", TOP, "shell", KERNEL)):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            # Python ignores SIGPIPE, and so would the shell's programs.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
            os.execvpe(command[0], [*command, *variables], dict(os.environ, TERM="vt100", PS1="host$ "))
        self._settings = termios.tcgetattr(self.fd)

    def until(self, done, seconds, asks=False):
        """What comes until done(it) or the end; with asks, also until the guest's shell has had its answer at a prompt, which is
        for nobody else."""
        seen, deadline = b"", time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                break
            if ASKED in more:
                os.write(self.fd, b"\x1b[1;1R")
            seen += more
            if done(CONTROL.sub(b"", seen)) and (not asks or seen.rfind(ASKED) > seen.rfind(b"guest:")):
                break
        return CONTROL.sub(b"", seen).decode(errors="replace")

    def run(self, command, seconds=60):
        os.write(self.fd, command.encode() + b"\n")
        # The prompt in front of the command was read before, and the command comes back as an echo.
        return self.until(PROMPT.search, seconds)

    def settings_are_back(self):
        return termios.tcgetattr(self.fd) == self._settings

    def end(self, seconds):
        said = self.until(lambda _: False, seconds)
        for _ in range(100):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return said, os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGTERM)
        return said, None


def asks_gdb():
    """The answer to gdb's first question."""
    with socket.socket(socket.AF_UNIX) as gdb:
        gdb.settimeout(20)
        os.chdir(TOP)
        gdb.connect(f"{FOLDER}/gdb.sock")
        gdb.sendall(b"$qSupported#37")
        answer = b""
        # That the machine stopped may come first.
        while b"PacketSize" not in answer:
            more = gdb.recv(4096)
            if not more:
                break
            answer += more
        # The machine stopped for the debugger: it goes on when that leaves.
        gdb.sendall(b"+$D#44")
        return answer


def judges_samples():
    """make guest has to find a value that is wrong, of which the test in the guest knows nothing."""
    run = subprocess.run(["make", "-s", "-C", TOP, "guest", KERNEL, "TESTS=perf-stat", "VMALI=x-skew=SHADER:0:5"], timeout=400,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = run.stdout.decode(errors="replace")
    check(run.returncode and re.search(r"files of samples compared with the virtual GPU's log, [1-9]\d* differ", said) and
          " passed, 0 failed" in said, "make guest finds a false value", said)


def process_below(pid, name):
    """The process of this name among the children of pid and theirs, and its parent."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as children:
        for child in map(int, children.read().split()):
            try:
                with open(f"/proc/{child}/comm", encoding="utf-8") as comm:
                    if comm.read().startswith(name):
                        return child, pid
                if found := process_below(child, name):
                    return found
            except FileNotFoundError:
                pass
    return None


def state_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return stat.read().rpartition(") ")[2][0]


def wait_until(done, seconds=60):
    deadline = time.monotonic() + seconds
    while not (it := done()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return it


def ends_in_boot():
    """QEMU's monitor, and Ctrl-A x, while the guest boots, with more typed before than the guest takes."""
    shell = Terminal()
    shell.until(BOOTS.search, 400)
    wait_until(lambda: not shell.settings_are_back())
    os.write(shell.fd, LONG.encode() + b"\x01cinfo status\n")
    said = shell.until(STATUS.search, 60)
    check("VM status: running" in said, "QEMU's monitor during the boot", said)
    os.write(shell.fd, b"\x01c" + LONG.encode() + b"\x01x")
    said, status = shell.end(60)
    check(status == 0 and "guest:" not in said, "Ctrl-A x ends QEMU during the boot", f"{status} {said}")
    check(shell.settings_are_back(), "the terminal is as before after it")
    check(os.path.exists(os.path.join(TOP, FOLDER, "out/run.ptprf")), "what the guest before left is still there")


def drops_what_was_typed():
    """QEMU ends, and lines are on the terminal that nobody has read: the host's shell must not get them."""
    shell = Terminal(command=("sh", "-i"))
    shell.until(re.compile(rb"host\$ $").search, 20)
    os.write(shell.fd, f"make -C {TOP} shell {KERNEL}\n".encode())
    shell.until(BOOTS.search, 400)
    found = wait_until(lambda: process_below(shell.pid, "qemu-system"))
    if not found:
        check(False, "QEMU runs below make shell")
        return
    qemu, runner = found
    wait_until(lambda: not shell.settings_are_back())
    os.kill(runner, signal.SIGSTOP)
    wait_until(lambda: state_of(runner) == "T")
    os.kill(qemu, signal.SIGKILL)
    wait_until(lambda: state_of(qemu) == "Z")
    os.write(shell.fd, b"echo typed-$((40 + 2))\n" * 20)
    os.kill(runner, signal.SIGCONT)
    said = shell.until(re.compile(rb"host\$ $").search, 60)
    os.write(shell.fd, b"echo next-$((40 + 3))\n")
    said += shell.until(re.compile(rb"next-43\r?\n(.|\n)*host\$ $").search, 20)
    check("exit status is -9" in said and "\nnext-43" in said and "typed-" not in said,
          "what was typed for a guest that ends is not executed here", said)
    os.write(shell.fd, b"exit\n")
    shell.end(20)
    check(shell.settings_are_back(), "the terminal is as before when QEMU was killed")


def builds_mine():
    """Build mine as the page does, of an example, under another name than a person would take. Guests of other jobs may be
    about to take it: it is replaced as a whole, and stays."""
    with open(os.path.join(TOP, "Documentation/gpu/panthor-perf-working.rst"), encoding="utf-8") as page:
        commands = re.search(r'^\t\t(eval .*?)^\t\tmake shell$', page.read(), re.M | re.S)[1]
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        shutil.copy(os.path.join(TOP, "tools/examples/minimal.c"), os.path.join(folder, "mine.c"))
        commands = commands.replace("build/guest-bin/mine", f"{folder}/mine").replace(" mine.c", f" {folder}/mine.c")
        # Another kernel has another folder.
        commands = re.sub(r"(?<!/)\bbuild/", os.path.relpath(BUILD, TOP) + "/", commands)
        done = subprocess.run(["sh", "-euc", commands], cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if not done.returncode:
            os.replace(f"{folder}/mine", os.path.join(BUILD, "guest-bin", MINE))
    check(not done.returncode, "a program of one's own is built", done.stdout.decode(errors="replace"))


def main():
    builds_mine()
    shell = Terminal()
    booting = shell.until(BOOTS.search, 400)
    os.write(shell.fd, f"echo \"<$((40 + 2)):{LONG}>\"\n".encode())
    said = shell.until(PROMPT.search, 400)
    check("gdb-multiarch" in booting and PROMPT.search(said.encode()), "begins with a prompt", said)
    if failed:
        return
    if f"\n<42:{LONG}>\n" not in said:
        said += shell.until(PROMPT.search, 60)
    check(f"\n<42:{LONG}>\n" in said, "the guest gets what was typed while it booted", said)
    said = shell.run("stty size; echo $TERM; ls $TERMINFO/v")
    check(f"{ROWS} {COLUMNS}" in said and "\nvt100\nvt100\n" in said, "knows the terminal", said)
    fcntl.ioctl(shell.fd, termios.TIOCSWINSZ, struct.pack("4H", ROWS + 1, COLUMNS + 2, 0, 0))
    said = shell.run("resize; stty size")
    check(f"\n{ROWS + 1} {COLUMNS + 2}\n" in said, "resize takes the terminal's new size", said)
    said = shell.run("panthor-perf stat -I 50 -n 1")
    check(re.search(r"^(GPU bound|Not GPU bound)", said, re.M) and "gpu_active" in said, "the GPU has a load", said)
    said = shell.run(MINE)
    check(re.search(r"^MaliGPUAnyQueueActiveCy: \d+ cycles", said, re.M), "a program of one's own runs", said)
    said = shell.run("cd /sys/kernel/tracing && echo 1 >events/panthor_perf/enable && panthor-perf stat -b -I 20 -n 2 "
                     "-e cshw:4 && grep -c panthor_perf_ trace")
    check(int(said.strip().splitlines()[-2]) > 3 if said.strip().splitlines()[-2].isdigit() else False, "trace events", said)
    said = shell.run("echo 0 >events/panthor_perf/enable; cd /sys/kernel/debug/dri && ls -1 */panthor_perf/state")
    check(re.search(r"^0/panthor_perf/state\r?$", said, re.M), "debugfs", said)
    said = shell.run("host qom-get gpu0 counters; host truth-count '^sample'")
    check(re.search(r"^ok load\nok [1-9]", said, re.M), "host", said)
    said = shell.run("panthor-perf record -I 5 -n 20 -o /out/run.ptprf")
    check("20 samples" in said, "record", said)
    try:
        answer = asks_gdb()
    except OSError as why:
        answer = str(why).encode()
    check(b"PacketSize=" in answer, "gdb", answer)
    said = shell.run("sleep 100 & jobs; kill %1; echo $((6 * 7))")
    check("Running" in said and "\n42\n" in said, "the guest goes on, with control of jobs", said)
    # The shell itself does not end at Ctrl-C, which may come before its program begins.
    os.write(shell.fd, b"sh -c 'echo $((40 + 4)); cat >/dev/null'\n")
    shell.until(re.compile(rb"\n44\n").search, 60)
    os.write(shell.fd, b"\x03")
    said = shell.until(PROMPT.search, 60, asks=True)
    check("^C" in said and PROMPT.search(said.encode()), "Ctrl-C ends a program of the guest", said)
    os.write(shell.fd, b"\x01cstop\ninfo status\n")
    said = shell.until(STATUS.search, 60)
    # More than a guest that stands still takes.
    os.write(shell.fd, f"\x01cecho {LONG} $((42 + 1))\n\x01ccont\n\x01c".encode())
    later = shell.until(re.compile(rb"\n[0-9]+ 43\n.*" + PROMPT.pattern).search, 60)
    check("VM status: paused" in said and f"\n{LONG} 43\n" in later, "QEMU's monitor, and back", said + later)
    os.write(shell.fd, b"exit\n")
    said, status = shell.end(60)
    check(status == 0, "exit ends the guest", f"{status} {said}")
    check(shell.settings_are_back(), "the terminal is as before when the guest ended")
    run = os.path.join(TOP, FOLDER, "out/run.ptprf")
    check(os.path.exists(run) and os.path.getsize(run) > 10000, "what is in /out comes back")
    check(not os.path.exists(os.path.join(TOP, FOLDER, "gdb.sock")), "nothing is left behind", os.listdir(os.path.join(TOP, FOLDER)))


def settings(script, *words):
    """KEY='VALUE' lines of a script below scripts/build."""
    done = subprocess.run([os.path.join(TOP, "scripts/build", script), *words], stdout=subprocess.PIPE, check=True)
    return dict(re.findall(r"^(\w+)='(.*)'$", done.stdout.decode(), re.M))


def summary_of(name, *variables):
    """vulkaninfo in a shell with these variables: it has to find the GPU. Return: what it said."""
    shell = Terminal(*variables)
    said = shell.until(PROMPT.search, 900)
    check("inside vulkaninfo" in said, f"{name}: the shell explains how programs run", said)
    said = shell.run("dmesg | grep -ic 'panthor .*mali-g610'; uname -r")
    release = said
    check(re.search(r"^[1-9]$", said, re.M), f"{name}: the GPU probes", said)
    said = shell.run("inside vulkaninfo --summary", 300)
    check(re.search(r"deviceName .*Mali-G610", said), f"{name}: PanVK finds the GPU", said)
    said = shell.run("inside sh -c 'echo $0' || inside /programs/busybox echo $((40 + 2))")
    check(re.search(r"^(sh|42)$", said, re.M), f"{name}: programs run in the system", said)
    os.write(shell.fd, b"exit\n")
    said, status = shell.end(60)
    check(status == 0, f"{name}: exit ends the guest", f"{status} {said}")
    return release


def echo_of(port, text, seconds=20):
    """What a program that listens at this port of the guest answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        # Before the program listens, QEMU accepts a connection and ends it.
        with socket.create_connection(("127.0.0.1", port), seconds) as guest:
            guest.settimeout(seconds)
            try:
                guest.sendall(text)
                if answer := guest.recv(100):
                    return answer
            except ConnectionError:
                pass
        time.sleep(0.2)
    return b""


def ports():
    """A connection to a port of this host reaches the guest, and the guest reaches nothing of this host."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port, forbidden = listener.getsockname()[1] ^ 1, listener.getsockname()[1]
        shell = Terminal(f"FORWARD={port}:2345")
        said = shell.until(PROMPT.search, 400)
        check(PROMPT.search(said.encode()), "ports: begins with a prompt", said)
        os.write(shell.fd, b"nc -l -p 2345 -e cat\n")
        check(echo_of(port, b"hello\n") == b"hello\n", "ports: a connection reaches the guest")
        shell.until(PROMPT.search, 60)
        said = shell.run(f"nc -w 5 10.0.2.2 {forbidden} </dev/null; echo status $?")
        check("status 1" in said, "ports: the guest does not reach this host", said)
        os.write(shell.fd, b"exit\n")
        said, status = shell.end(60)
        check(status == 0, "ports: exit ends the guest", f"{status} {said}")


def own():
    ports()
    kernel, mesa = settings("fetch-kernel.sh"), settings("fetch-mesa.sh")
    with tempfile.TemporaryDirectory() as folder:
        release = summary_of("a kernel and a system in a folder", f"KERNEL_IMAGE={kernel['KIMAGE']}",
                             f"MESA={mesa['MESA_ROOT']}", "TRACE=1", "VMALI=counters=work")
        check(kernel["KREL"] in release, "the kernel is the one that was named", release)
        done = subprocess.run([os.path.join(TOP, "scripts/decode-cs.py"), os.path.join(TOP, FOLDER, "qemu.log")],
                              stdout=subprocess.PIPE, check=False)
        said = done.stdout.decode()
        check(re.search(r"^group \d+: start$", said, re.M) and re.search(r": CALL r\d+:r\d+, length r\d+$", said, re.M)
              and "UNKNOWN" not in said and "unknown bits" not in said, "the trace as text", said)

        library = "usr/lib/aarch64-linux-gnu/libvulkan_panfrost.so"
        os.makedirs(os.path.dirname(os.path.join(folder, "mesa", library)))
        shutil.copy(os.path.join(mesa["MESA_ROOT"], library), os.path.join(folder, "mesa", library))
        summary_of("a Mesa without a system", f"MESA={folder}/mesa")

        image = os.path.join(folder, "root.img")
        subprocess.run(["/sbin/mke2fs", "-q", "-t", "ext4", "-d", mesa["MESA_ROOT"], image, "2G"], check=True)
        before = os.stat(image).st_mtime_ns
        summary_of("a system on a disk", f"ROOT={image}")
        check(os.stat(image).st_mtime_ns == before, "the disk has not changed")


if sys.argv[1:] == ["own"]:
    own()
else:
    main()
    ends_in_boot()
    drops_what_was_typed()
    judges_samples()
sys.exit(failed)
