# SPDX-License-Identifier: GPL-2.0 or MIT
"""What the scripts in Python share. A script that uses any of it ends without a traceback at Ctrl-C, and when nothing reads
its output any more."""

import atexit
import os
import signal
import sys


def end_by(number):
    """End as a program in C does that this signal ends."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def end_by_exception(kind, error, trace):
    """Report an exception that nothing has caught."""
    if issubclass(kind, KeyboardInterrupt):
        print(f"{os.path.basename(sys.argv[0]).removesuffix('.py')}: interrupted", file=sys.stderr)
        end_by(signal.SIGINT)
    elif issubclass(kind, BrokenPipeError):
        end_by(signal.SIGPIPE)
    else:
        sys.__excepthook__(kind, error, trace)


def flush_output():
    """The last lines may find that nothing reads them."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        end_by(signal.SIGPIPE)
    except OSError:     # Python reports that.
        pass


if sys.stdout is None:      # It was closed.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
sys.excepthook = end_by_exception
atexit.register(flush_output)
