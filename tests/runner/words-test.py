#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Tests of scripts/check/words.py on files with and without words to avoid: a line "ok NAME" or "not ok NAME" each."""

import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LIST = r"""path prose
word tells?|told
word ask(s|ed)? for
name told|lend
allow *allowed.md ^ledger
allow *allowed.md told-by
"""
FILES = {
    "a.md": "The driver\ntells the client. `tell` is code.\n",
    "b.c": 'int told; /* The client\n * asked\n * for it. */\nstatic char *text = "\\"told\\"";\n',
    "c.c": "/* Nothing. */\nint told_lend;\n",
    "allowed.md": "This is told-by design, and the old told-by rule.\n",
    "d.sh": "# It asks\n# for more.\n",
    "e.rst": "Untold tellers retell nothing.\n",
}
failures = 0


def check(name, paths, status, lines, *options):
    """The script prints these occurrences for these paths."""
    global failures
    result = subprocess.run([os.path.join(TOP, "scripts/check/words.py"), "--list", "list", *options, *paths],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    got = [line for line in result.stdout.splitlines() if ": " in line]
    good = result.returncode == status and got == lines
    failures += not good
    print(f"ok {name}" if good else f"not ok {name} - {result.returncode}, {got} {result.stderr}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for path, text in {**FILES, "list": LIST, "wrong": "wrod x\n", "prose/f.md": "It was told.\n"}.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    check("a word of prose, not in code", ["a.md"], 1, ["a.md:2: tells"])
    check("comments over lines, and strings", ["b.c"], 1, ["b.c:2: asked for", "b.c:4: told"])
    check("identifiers are not prose", ["c.c"], 0, [])
    check("identifiers with --names", ["c.c"], 1, ["c.c:2: told_lend"], "--names")
    check("an allowed line", ["allowed.md"], 0, [])
    check("comments of a script", ["d.sh"], 1, ["d.sh:1: asks for"])
    check("parts of words", ["e.rst"], 0, [])
    check("a folder", ["prose"], 1, ["prose/f.md:1: told"])
    check("a missing file", ["missing.md"], 1, [])
    check("an invalid list", ["a.md"], 1, [], "--list", "wrong")

sys.exit(1 if failures else 0)
