#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Hold what the tools say of a recorded load to the answers in its file.

    check-answers LOAD CSV

CSV is what `panthor-perf report --samples --csv` prints of a recording of the load LOAD. A sample that lies
within one phase must have, in each derived counter that a line "# = NAME VALUE" of the phase names, that
value; as samples know nothing of phases, each is taken for a sample of the phase whose first answer it has. A
sample across the border of two phases has a value between theirs. Prints "ok" and "not ok" lines."""

import csv
import re
import sys

# A counter is rounded down once a sample; the smallest that answers are made of have thousands.
TOLERANCE = 0.002


def phases_of(path):
    phases = []
    with open(path, encoding="utf-8") as load:
        for line in load:
            if match := re.match(r"phase (\d+) ?(.*)", line):
                phases.append((match[2].strip(), int(match[1]), {}))
            elif match := re.match(r"# = (\w+) ([\d.]+)$", line):
                phases[-1][2][match[1]] = float(match[2])
    return [phase for phase in phases if phase[2]]


def is_close(value, want):
    return abs(value - want) <= TOLERANCE * max(want, 1)


def values_of(row, names):
    """The row's derived counters; None for "no value"."""
    values = {}
    for name in names:
        text = row[name]
        values[name] = float(text) if text not in ("", "-") else None
    return values


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    phases = phases_of(sys.argv[1])
    names = sorted({name for _, _, answers in phases for name in answers})
    with open(sys.argv[2], encoding="utf-8", newline="") as table:
        rows = [values_of(row, names) for row in csv.DictReader(table)]

    failed = False
    matched = 0
    for title, length, answers in phases:
        hits = sum(all(row[name] is not None and is_close(row[name], want) for name, want in answers.items())
                   for row in rows)
        matched += hits
        text = f"load {title}: {len(answers)} derived counters"
        if hits:
            print(f"ok {text}, as known, in {hits} samples")
        else:
            failed = True
            print(f"not ok {text} - no sample has {answers}")
    # What is left are borders of phases and samples of a GPU that does nothing.
    idle = sum(all(value is None for value in row.values()) for row in rows)
    if matched + idle < len(rows) / 2:
        failed = True
        print(f"not ok load: samples within phases - {matched} of {len(rows)}, and {idle} idle ones")
    else:
        print(f"ok load: {matched} of {len(rows)} samples lie within a phase, {idle} are idle")
    sys.exit(failed)


main()
