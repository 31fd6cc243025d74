# SPDX-License-Identifier: GPL-2.0 or MIT
"""The processes below one."""

import os
import select
import signal
import time

from panthor_perf.settings import text_of

GRACE_S = 5


def family(pid):
    """A process and those below it, parents first."""
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(entry)] = int(text_of(f"/proc/{entry}/stat").rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
    pids = [pid]
    for pid in pids:
        pids += [child for child, parent in parents.items() if parent == pid]
    return pids


def end_children():
    """Ask all processes below this one to end, wait for that, and end those that remain by force. make removes what it has
    not finished."""
    running = []
    for pid in family(os.getpid())[1:]:
        try:
            running.append(os.pidfd_open(pid))
            signal.pidfd_send_signal(running[-1], signal.SIGTERM)
        except ProcessLookupError:
            continue
    deadline = time.monotonic() + GRACE_S
    while running and (left := deadline - time.monotonic()) > 0:
        ended = select.select(running, [], [], left)[0]
        running = [pidfd for pidfd in running if pidfd not in ended]
    for pidfd in running:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
