# SPDX-License-Identifier: GPL-2.0 or MIT
"""One QEMU process: its console, its monitor, and the control port on which the guest asks

    qom-set DEVICE PROPERTY VALUE	sets a property of a device
    qom-get DEVICE PROPERTY		its value
    gpuN REQUEST			the request, to the GPU of this number: gpu0 in it stands for that
    truth-count REGEX			how many lines of the GPU's log match
    truth-last REGEX			the last one that does
    truth-sum FROM TO TYPE INDEX	of a block, the sums of what the GPU's firmware wrote into samples with time
					stamps above FROM, up to TO; INDEX is the one that the hardware has
    put NAME [BASE64]			makes the file live/NAME of the run's folder, as a whole; without content, removes it
    ready				the shell of the guest begins: it gets what is typed
    size				rows and columns of the terminal of make shell

The monitor and the control port are socket pairs whose other end QEMU inherits: nothing lies in the
file system, nothing is left behind.
"""

import base64
import contextlib
import json
import os
import re
import selectors
import socket
import subprocess
import tarfile
import time

from panthor_perf.terminal import show
from panthor_perf.truth import Truth

MEMORY = "1G"
CPUS = "2"
LONGEST_WAIT = 3600
# QEMU's monitor answers no later. The terminal waits for the answer to a break, and is read by nobody meanwhile.
ANSWER_S = 20
BREAK_S = 2


class MachineError(Exception):
    """QEMU could not be started or does not answer."""


def escaped(path):
    """A path as a value of QEMU's options, where a comma is doubled."""
    return path.replace(",", ",,")


def combined_arguments(words, debug):
    """Kernel arguments of several tests as one text. The letters of slab_debug add up, of which the kernel would use
    those of the last one alone. The debug kernel has KASAN, which finds what poison finds: it does without."""
    rest, letters = [], ""
    for word in words:
        if word.startswith("slab_debug="):
            letters += word.partition("=")[2]
        elif word not in rest and not (debug and word == "page_poison=1"):
            rest.append(word)
    slab = "".join(letter for letter in "FZPU" if letter in letters and not (debug and letter in "FZP"))
    return " ".join(rest + ([f"slab_debug={slab}"] if slab else []))


def common_arguments(folder, kernel_arguments, memory=MEMORY, shell=False):
    """QEMU's arguments that all guests have in common; folder has initrd.cpio and gets what the guest leaves. The last
    device has to be a virtio-serial bus. A shell's console has few messages, and an Oops leaves it alive."""
    messages = "ignore_loglevel printk.devkmsg=on panic=-1 oops=panic"
    if shell:
        messages = "loglevel=4 printk.devkmsg=on nokaslr"
    return [
        "-smp", CPUS, "-m", memory, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-initrd", os.path.join(folder, "initrd.cpio"),
        "-append", f"{messages} {kernel_arguments}".strip(),
        "-d", "guest_errors,unimp", "-D", os.path.join(folder, "qemu.log"),
        "-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console",
        "-chardev", f"file,id=out,path={escaped(os.path.join(folder, 'out.tar'))}",
    ]


def unpack(tar_path, folder, verdict):
    """Unpack what the guest left in /out."""
    if not os.path.exists(tar_path) or not os.path.getsize(tar_path):
        verdict.not_ok("guest: its files did not come back - it ended before it sent them")
        return
    try:
        with tarfile.open(tar_path) as tar:
            for member in tar:
                name = os.path.normpath(member.name)
                if member.isfile() and not name.startswith(("/", "..")):
                    member.name, member.mode = name, 0o644
                    tar.extract(member, folder, set_attrs=False)
        os.unlink(tar_path)
    except (OSError, tarfile.TarError) as error:
        verdict.not_ok(f"guest: its files did not come back - {error}")


class Monitor:
    """A QMP client for one command at a time."""

    def __init__(self, sock):
        self._sock = sock
        self._read = b""
        self._number = 0

    def _send(self, execute, arguments):
        self._number += 1
        command = {"execute": execute, "arguments": arguments, "id": self._number}
        self._sock.settimeout(ANSWER_S)
        self._sock.sendall(json.dumps(command).encode() + b"\n")

    def _line(self, end):
        while b"\n" not in self._read:
            self._sock.settimeout(max(0.001, end - time.monotonic()))
            more = self._sock.recv(65536)
            if not more:
                raise MachineError("QEMU closed its monitor")
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line

    def command(self, execute, seconds=ANSWER_S, **arguments):
        """Return QEMU's answer. One that comes after that many seconds is dropped."""
        end = time.monotonic() + seconds
        try:
            if not self._number:
                self._send("qmp_capabilities", {})
            self._send(execute, arguments)
            while True:
                reply = json.loads(self._line(end))
                if reply.get("id") != self._number:
                    continue
                if "error" in reply:
                    raise MachineError(reply["error"].get("desc", "unknown error"))
                return reply["return"]
        except (OSError, ValueError) as error:
            raise MachineError(f"QEMU's monitor: {error}") from error


def parse_value(text):
    if text in ("on", "true"):
        return True
    if text in ("off", "false"):
        return False
    try:
        return int(text, 0)
    except ValueError:
        return text


class Machine:
    """Runs QEMU; on_line gets each line of the console as it is complete. With a terminal, that is the console."""

    def __init__(self, argv, stderr_path, truth_paths, on_line, terminal=None):
        """truth_paths has the log of each GPU."""
        self._truths = [Truth(path) for path in truth_paths]
        self._on_line = on_line
        self._terminal = terminal
        self.ended = False
        self._partial = b""
        self._asked = b""
        self._live = os.path.join(os.path.dirname(stderr_path), "live")
        monitor, monitor_qemu = socket.socketpair()
        control, control_qemu = socket.socketpair()
        self._monitor = Monitor(monitor)
        self._control = control
        argv = argv + [
            "-chardev", f"socket,id=monitor,fd={monitor_qemu.fileno()}",
            "-mon", "chardev=monitor,mode=control",
            "-chardev", f"socket,id=control,fd={control_qemu.fileno()}",
            "-device", "virtserialport,chardev=control,name=control",
            "-device", "virtserialport,chardev=out,name=out",
        ]
        of_qemu = [monitor_qemu, control_qemu]
        if terminal:
            of_qemu.append(terminal.monitor_of_qemu)
            argv += ["-chardev", f"socket,id=terminal,fd={terminal.monitor_of_qemu.fileno()}", "-mon", "terminal"]
        with open(stderr_path, "wb") as stderr:
            try:
                self._process = subprocess.Popen(
                    argv, stdin=subprocess.PIPE if terminal else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                    pass_fds=[end.fileno() for end in of_qemu])
            except OSError as error:
                raise MachineError(f"cannot start {argv[0]}: {error.strerror}") from error
        for end in of_qemu:
            end.close()

    def run(self, timeout):
        """Serve the machine until it ends; return False when it had to be killed at the time-out."""
        deadline = time.monotonic() + timeout
        selector = selectors.DefaultSelector()
        selector.register(self._process.stdout, selectors.EVENT_READ, self._console)
        if self._terminal:
            self._terminal.serve(selector, self._process.stdin, self._end, self._send_break)
        selector.register(self._control, selectors.EVENT_READ, self._serve)
        try:
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for key, _ in selector.select(min(left, LONGEST_WAIT)):
                    if not key.data():
                        selector.unregister(key.fileobj)
                        if key.fileobj is self._process.stdout:
                            return self._wait(deadline)
            return self._wait(deadline)
        finally:
            self.kill()

    def _wait(self, deadline):
        try:
            self._process.wait(min(LONGEST_WAIT, max(0.1, deadline - time.monotonic())))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _end(self):
        """The user ends QEMU: SIGTERM, and SIGKILL the second time."""
        if self.ended:
            self._process.kill()
        else:
            self._process.terminate()
        self.ended = True

    def _send_break(self):
        try:
            self._monitor.command("chardev-send-break", BREAK_S, id="console")
        except MachineError as error:
            show(f"\r\n{error}\r\n".encode())

    def kill(self):
        """SIGKILL for exactly this QEMU, if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._control.close()

    @property
    def status(self):
        return self._process.returncode

    def _console(self):
        data = self._process.stdout.read1(65536)
        if self._terminal:
            self._terminal.show_guest(data)
            return bool(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        if not data and self._partial:
            lines, self._partial = [self._partial], b""
        for line in lines:
            self._on_line(line.decode("utf-8", "replace").rstrip("\r"))
        return bool(data)

    def _serve(self):
        try:
            data = self._control.recv(4096)
        except OSError:
            return False
        *requests, self._asked = (self._asked + data).split(b"\n")
        for request in requests:
            try:
                reply = f"ok {self._answer(request.decode().strip())}".strip()
            except (MachineError, ValueError, OSError, re.error) as error:
                reply = f"error {error}"
            self._control.sendall(reply.encode() + b"\n")
        return bool(data)

    def _answer(self, request):
        number = 0
        if match := re.match(r"gpu(\d+) ", request):
            number, request = int(match.group(1)), request[match.end():]
            if number >= len(self._truths):
                raise ValueError(f"there is no gpu{number}")
        truth = self._truths[number] if self._truths else None
        verb, _, rest = request.partition(" ")
        words = rest.split()
        path = "/machine/peripheral/" + re.sub("^gpu0", f"gpu{number}", words[0]) if words else None
        if verb == "qom-set" and len(words) == 3:
            self._monitor.command("qom-set", path=path, property=words[1], value=parse_value(words[2]))
            return ""
        if verb == "qom-get" and len(words) == 2:
            value = self._monitor.command("qom-get", path=path, property=words[1])
            return ("off", "on")[value] if isinstance(value, bool) else value
        if verb == "truth-count" and rest and truth:
            return truth.count(rest)
        if verb == "truth-last" and rest and truth:
            return truth.last(rest)
        if verb == "truth-sum" and len(words) == 4 and truth:
            sums = truth.sums(int(words[0]), int(words[1]), words[2], int(words[3]))
            return " ".join(str(value) for value in sums)
        if verb == "ready" and self._terminal and not words:
            self._terminal.ready()
            return ""
        if verb == "size" and self._terminal and not words:
            return self._terminal.size()
        if verb == "put" and words and re.fullmatch(r"\w[\w.-]*", words[0]) and len(words) <= 2:
            return self._put(os.path.join(self._live, words[0]), *words[1:])
        raise ValueError(f"the runner does not know '{request}'")

    def _put(self, path, content=None):
        if content is None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            return ""
        os.makedirs(self._live, exist_ok=True)
        with open(path + ".tmp", "wb") as file:
            file.write(base64.b64decode(content, validate=True))
        os.rename(path + ".tmp", path)
        return ""
