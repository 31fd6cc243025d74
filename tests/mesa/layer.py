#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Judge the rows that the Vulkan layer wrote for vk-steps.

usage: layer.py TABLE COSTS ROWS TOTALS

TABLE is the GPU's table of tools/counters, COSTS what `vk-steps --costs' printed, ROWS the layer's CSV file with all
hardware counters. Each step's rows must add up to its cost. TOTALS gets what each row counted, for
tests/compare/check-totals.py.
"""

import csv
import re
import sys

COUNTER = re.compile(r"\s*(\d+)\s+(\w+)\s")

# Where the counters of a cost are, up to architecture 12.
PLACES = {
    "compute jobs": ("cshw", 25),
    "warps": ("shader", 24),
    "tiler jobs": ("cshw", 17),
    "triangles": ("tiler", 6),
    "fragment jobs": ("cshw", 33),
    "tiles": ("shader", 18),
}
FIRST_COUNTER = "quality"


def load_table(path):
    """Return {symbol: (block, index, shift)}."""
    places, block = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("block "):
                block = line.split()[1]
            elif match := COUNTER.match(line):
                shift = re.search(r"\bshift (\d+)", line)
                places[match[2]] = (block, int(match[1]), int(shift[1]) if shift else 0)
    return places


def load_costs(path):
    """Return {step: {what: number, None for any}}."""
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return {row[0]: {what: None if number == "-" else int(number) for what, number in zip(rows[0][1:], row[1:])}
            for row in rows[1:]}


def load_rows(path, places):
    """Return [(row, {(block, index): count})]."""
    rows = []
    with open(path, newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            counts = {}
            for name in list(row)[list(row).index(FIRST_COUNTER) + 1:]:
                # A counter without a name has its place.
                block, index, shift = places[name] if name in places else (*name.split(":"), 0)
                counts[block, int(index)] = int(row[name]) >> shift
            rows.append((row, counts))
    return rows


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: layer.py TABLE COSTS ROWS TOTALS")
    costs = load_costs(sys.argv[2])
    rows = load_rows(sys.argv[3], load_table(sys.argv[1]))
    with open(sys.argv[4], "w", encoding="utf-8") as totals:
        for _, counts in rows:
            totals.writelines(f"{block} * {index} {count}\n" for (block, index), count in counts.items())
            totals.write("\n")
    inexact = [row["unit"] for row, _ in rows if row["quality"] != "exact"]
    print(f"{'not ' if inexact else ''}ok all {len(rows)} rows are exact{' - not ' if inexact else ''}{' '.join(inexact)}")
    for step, cost in costs.items():
        own = [counts for row, counts in rows if row["label"] == step]
        if not own:
            # A driver without time stamps has no such step.
            print(f"{'ok' if step == 'time stamps' else 'not ok'} {step}: no row has this label")
            continue
        got = {what: sum(counts[place] for counts in own) for what, place in PLACES.items()}
        wrong = [f"{got[what]} {what} instead of {number}" for what, number in cost.items() if number not in (None, got[what])]
        print(f"{'not ' if wrong else ''}ok {step}: {len(own)} rows, " +
              (", ".join(wrong) or ", ".join(f"{number} {what}" for what, number in got.items() if number) or "no jobs"))
    others = {row["label"] for row, _ in rows} - set(costs)
    if others:
        print(f"not ok no other labels - {', '.join(sorted(others))}")


if __name__ == "__main__":
    main()
