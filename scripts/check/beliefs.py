#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Prints combinations of the virtual GPU's properties for open questions about firmware.

Each line is a number and the properties of a GPU, as --vmali of scripts/run-guest.py takes them. Any two values
of two properties are together in at least one line. The first lines have the most pairs."""

import argparse
import itertools

QUESTIONS = {
    "core-off-sample": ["all", "one", "busy", "none", "after"],
    "answers": ["at-once", "late"],
    "full-ring": ["wait", "lose", "lose-off"],
    "keep-enable": ["on", "off"],
    "overtaken-acks": ["off", "on"],
    "cycles-always": ["off", "on"],
    "packed-slots": ["off", "on"],
    "metadata": ["off", "on"],
    "gpu-id": ["0xa8670005", "0xb8520000"],
}


def pairs_of(row):
    return set(itertools.combinations(enumerate(row), 2))


def extend(row, values, missing):
    """The row with the value behind it that makes most of the missing pairs."""
    best = max(values, key=lambda value: len(pairs_of(row + [value]) & missing))
    return row + [best]


def covering():
    """Rows of values, deterministic: each starts with a missing pair and takes the best value for each question."""
    values = list(QUESTIONS.values())
    missing = set()
    for (i, first), (k, second) in itertools.combinations(enumerate(values), 2):
        missing |= {((i, a), (k, b)) for a in first for b in second}
    rows = []
    while missing:
        best = None
        for start in itertools.product(values[0], values[1]):
            row = list(start)
            for choices in values[2:]:
                row = extend(row, choices, missing)
            gain = len(pairs_of(row) & missing)
            if best is None or gain > best[0]:
                best = gain, row
        if not best[0]:
            # What is left is a pair of later questions: force it.
            pair = min(missing)
            row = [choices[0] for choices in values]
            for column, value in pair:
                row[column] = value
            best = 1, row
        rows.append(best[1])
        missing -= pairs_of(best[1])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, metavar="N", help="no more than N lines")
    args = parser.parse_args()
    for number, row in enumerate(covering()[:args.first], 1):
        print(f"{number:02d}", ",".join(f"{name}={value}" for name, value in zip(QUESTIONS, row)))


if __name__ == "__main__":
    main()
