# SPDX-License-Identifier: GPL-2.0 or MIT
"""Folders of the checkout and of the cache, and what each of the scripts in Python does: say something, end with an
error, read files, and ask the scripts of scripts/build for their settings."""

import os
import re
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
SCRIPTS = os.path.join(TOP, "scripts")
# As in scripts/lib/lib.sh: the kernel that the scripts work for.
DEFAULT_SERIES = "6.12"
SERIES = os.environ.get("PANTHOR_PERF_KERNEL") or DEFAULT_SERIES
OF_SERIES = "" if SERIES == DEFAULT_SERIES else f"-{SERIES}"
MAINLINE = bool(os.environ.get("PANTHOR_PERF_MAINLINE"))
# The series for mainline up to which the kernel has the patches; with none it has all.
PATCHES = os.environ.get("PANTHOR_PERF_PATCHES") or ""
if MAINLINE:
    OF_SERIES += "-mainline"
BUILD = os.path.join(TOP, "build", *([f"linux{OF_SERIES}"] if OF_SERIES else []))
DRIVER = "drivers/gpu/drm/panthor"
# As in scripts/lib/lib.sh.
CACHE = os.environ.get("PANTHOR_PERF_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "panthor-perf")

PROG = os.path.basename(sys.argv[0]).removesuffix(".py")


def note(message):
    """One line of progress."""
    print(f"{PROG}: {message}", file=sys.stderr, flush=True)


def die(message):
    """One line of error, and the end."""
    note(message)
    sys.exit(1)


def script(name):
    """The path of a script, from its name below scripts/."""
    return os.path.join(SCRIPTS, name)


def settings_of(name, *arguments):
    """Run a script of scripts/build that prints KEY=VALUE lines; return them. It has said itself why it fails."""
    run = subprocess.run([script(f"build/{name}"), *arguments], stdout=subprocess.PIPE, check=False)
    if run.returncode:
        sys.exit(1)
    return dict(re.findall(r"^([A-Z_0-9]+)='?(.*?)'?$", run.stdout.decode(), re.M))


def read(path):
    """The bytes of a file that has to be there."""
    try:
        with open(path, "rb") as data:
            return data.read()
    except OSError as error:
        die(f"{path}: {error.strerror}")


def text_of(path):
    """The text of a file, whatever bytes are in it."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write(path, text):
    """Write a text file, with the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def known_reasons(path):
    """The reasons in a file of tests/: one or several lines of keys and, indented below them, a text."""
    reasons, keys, text = {}, [], ""
    for line in [*text_of(path).splitlines(), "end"]:
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            text = f"{text} {line.strip()}".strip()
            continue
        if text:
            reasons.update((key, text) for key in keys)
            keys, text = [], ""
        keys.append(line.strip())
    return reasons
