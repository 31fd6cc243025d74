#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Turn what Mesa's counter tools printed into totals for tests/compare/check-totals.py.

FILE is what panquick or `pps-config dump' printed, or a trace of pps-producer. Finds the place of each counter by
its name in a table of tools/counters, and prints "BLOCK * INDEX TOTAL", with an empty line behind each sample.
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests/tools"))
from recordings import get, load_trace, text  # pylint: disable=wrong-import-position

COUNTER = re.compile(r'\s*(\d+)\s+(\w+)\s+\w+\s+"([^"]*)"')
# "NAME (SYMBOL): VALUE" of panquick, "NAME VALUE" of pps-config
PRINTED = re.compile(r"\s*(.*?)(?: \(\w+\):)? +(\d+)$")


def load_table(path):
    """Return {name: (block, index, shift)}."""
    places, block = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[:1] == ["block"]:
                block = words[1]
            elif match := COUNTER.match(line):
                shift = re.search(r"\bshift (\d+)", line)
                if match[3] in places:
                    sys.exit(f"{path}: two counters have the name {match[3]}")
                places[match[3]] = (block, int(match[1]), int(shift[1]) if shift else 0)
    return places


def printed(path):
    """Return the one sample that a tool printed, as (name, value)."""
    with open(path, encoding="utf-8") as lines:
        return [[(match[1], int(match[2])) for match in map(PRINTED.match, lines) if match]]


def traced(path):
    """Return the samples of a trace, each as (name, value)."""
    names, samples, before = {}, [], 0
    for packet in (value for name, value in load_trace(path) if name == "packet"):
        event = get(packet, "gpu_counter_event", [])
        for spec in (value for name, value in get(event, "counter_descriptor", []) if name == "specs"):
            names[get(spec, "counter_id", "0")] = text(get(spec, "name"))
        counters = [value for name, value in event if name == "counters"]
        if counters:
            if int(get(packet, "timestamp")) <= before:
                sys.exit(f"{path}: a sample is not later than the one before")
            before = int(get(packet, "timestamp"))
            samples.append([(names[get(c, "counter_id", "0")], int(get(c, "int_value"))) for c in counters])
    return samples


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: totals.py TABLE FILE")
    places = load_table(sys.argv[1])
    samples = traced(sys.argv[2]) if sys.argv[2].endswith(".trace") else printed(sys.argv[2])
    for sample in samples:
        for name, value in sample:
            block, index, shift = places[name]
            print(f"{block} * {index} {value >> shift}")
        print()
    if not samples or not all(samples):
        sys.exit(f"{sys.argv[2]}: no counters")


if __name__ == "__main__":
    main()
