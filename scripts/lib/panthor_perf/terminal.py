# SPDX-License-Identifier: GPL-2.0 or MIT
"""The terminal of make shell: the guest's console and, after Ctrl-A c, QEMU's monitor.

QEMU can share its standard input between both, but stops reading it when the guest does not take what was typed. Then it
misses Ctrl-A x, too. Before Linux opens the serial port, that is after 33 characters; Linux drops those, and gets no
interrupt for later ones. Here, the terminal is always read, and the guest gets nothing before its shell begins.
"""

import contextlib
import os
import selectors
import signal
import socket
import termios
import tty

STDIN, STDOUT = 0, 1
ESCAPE, BREAK = b"\x01", b"b"      # Ctrl-A, Ctrl-A b
# The first one of tests/guest/lib/profile.sh
PROMPT = b"guest:/out# "
HELP = b"""\r
Ctrl-A x         ends QEMU\r
Ctrl-A c         QEMU's monitor, and back\r
Ctrl-A b         a break: the next key is a command for SysRq\r
Ctrl-A Ctrl-A    Ctrl-A\r
"""


def show(data):
    # Nobody sees it if the terminal is gone. What is read from it says so, too.
    with contextlib.suppress(OSError):
        while data:
            data = data[os.write(STDOUT, data):]


def set_raw(*_):
    # The terminal may be gone.
    with contextlib.suppress(termios.error):
        tty.setraw(STDIN, termios.TCSANOW)


class Keys:
    """Keys for QEMU, which may take them later."""

    def __init__(self, selector, fd):
        os.set_blocking(fd, False)
        self._selector, self._fd = selector, fd
        self._waiting = bytearray()

    def send(self, keys):
        if not self._waiting:
            self._selector.register(self._fd, selectors.EVENT_WRITE, self._write)
        self._waiting += keys

    def _write(self):
        try:
            del self._waiting[:os.write(self._fd, self._waiting)]
        except BlockingIOError:
            pass
        except BrokenPipeError:     # QEMU has ended.
            self._waiting.clear()
        return bool(self._waiting)


class Terminal:
    """In its context each key comes at once, also Ctrl-C. Afterwards the terminal is as before. What was typed and not read
    is dropped, so that it does not become commands of this machine."""

    def __init__(self):
        self._monitor, self.monitor_of_qemu = socket.socketpair()
        self._in_monitor = False
        # What the monitor has written since its last line began
        self._page = b""
        # What was typed before the guest's shell began; then nothing is held any more.
        self._held = bytearray()
        # The end of what the guest has written
        self._shown = b""
        # ESCAPE or BREAK, if that was typed last
        self._last = None

    def __enter__(self):
        self._settings = termios.tcgetattr(STDIN)
        # The host's shell sets the terminal when it continues a stopped job.
        signal.signal(signal.SIGCONT, set_raw)
        set_raw()
        return self

    def __exit__(self, *_):
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        # It may be gone.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(STDIN, termios.TCSAFLUSH, self._settings)

    def serve(self, selector, console, end, send_break):
        """Serve what selector finds. Keys for the guest go to the file console; end() ends QEMU, send_break() sends a break."""
        self._guest_keys = Keys(selector, console.fileno())
        # A selector has a file descriptor once: reading and writing need one each.
        self._monitor_keys = Keys(selector, os.dup(self._monitor.fileno()))
        self._end, self._send_break = end, send_break
        selector.register(STDIN, selectors.EVENT_READ, self._read_keys)
        selector.register(self._monitor, selectors.EVENT_READ, self._show_monitor)

    def show_guest(self, data):
        """Show what the guest writes. At its prompt, the shell has begun, also if the guest cannot say so."""
        show(data)
        if self._held is not None:
            self._shown = self._shown[-len(PROMPT):] + data
            if PROMPT in self._shown:
                self.ready()

    def ready(self):
        """The guest's shell begins."""
        if self._held:
            self._guest_keys.send(self._held)
        self._held = None

    def size(self):
        """Rows and columns, as text."""
        columns, rows = os.get_terminal_size(STDIN)
        return f"{rows} {columns}"

    def _read_keys(self):
        try:
            keys = os.read(STDIN, 4096)
        except OSError:
            keys = b""
        if not keys:    # The terminal is gone.
            self._end()
            return False
        for number in keys:
            self._key(bytes([number]))
        return True

    def _key(self, key):
        last, self._last = self._last, None
        if last == ESCAPE and key != ESCAPE:
            self._command(key)
        elif last != ESCAPE and key == ESCAPE:
            self._last = ESCAPE
        elif self._in_monitor:
            self._monitor_keys.send(key)
        elif self._held is not None and last != BREAK:
            self._held += key
        else:
            self._guest_keys.send(key)

    def _command(self, key):
        if key == b"x":
            show(b"\r\nCtrl-A x: QEMU ends\r\n")
            self._end()
        elif key == b"c":
            self._in_monitor = not self._in_monitor
            show(b"\r\n" + (self._page if self._in_monitor else b""))
        elif key == BREAK:
            self._send_break()
            self._last = BREAK
        elif key in b"h?":
            show(HELP)

    def _show_monitor(self):
        try:
            data = self._monitor.recv(65536)
        except ConnectionError:
            data = b""
        self._page += data
        if self._in_monitor:
            show(data)
            self._page = self._page.rpartition(b"\n")[2]
        return bool(data)
