# SPDX-License-Identifier: GPL-2.0 or MIT
"""The answers in a load's file, and the samples of a recording that have them.

A sample that lies within one phase must have, in each derived counter that a line "# = NAME VALUE" of the phase names, that
value; as samples know nothing of phases, each is taken for a sample of the phase whose first answers it has."""

import csv
import re

# A counter is rounded down once a sample; the smallest that answers are made of have thousands.
TOLERANCE = 0.002


def phases_of(path):
    """Title, and derived counters by name, of each phase with answers."""
    phases = []
    with open(path, encoding="utf-8") as load:
        for line in load:
            if match := re.match(r"phase \d+ ?(.*)", line):
                phases.append((match[1].strip(), {}))
            elif match := re.match(r"# = (\w+) ([\d.]+)$", line):
                phases[-1][1][match[1]] = float(match[2])
    return [phase for phase in phases if phase[1]]


def samples_of(path, phases):
    """Of each sample of a table: its length in ns, its derived counters (None: no value), and the title of its phase.

    The title is None for a sample across the border of phases, and "" for one in which the GPU did nothing."""
    names = sorted({name for _, answers in phases for name in answers})
    samples = []
    with open(path, encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            values = {name: float(row[name]) if row[name] not in ("", "-") else None for name in names}
            samples.append((int(row["end_ns"]) - int(row["start_ns"]), values, title_of(values, phases)))
    return samples


def title_of(values, phases):
    if all(value is None for value in values.values()):
        return ""
    for title, answers in phases:
        if all(values[name] is not None and abs(values[name] - want) <= TOLERANCE * max(want, 1)
               for name, want in answers.items()):
            return title
    return None
