#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Turn what Mesa's panquick printed into totals for tests/compare/check-totals.py.

Reads lines "NAME (SYMBOL): VALUE" below the name of a category, finds the place of each counter in a table of
tools/counters, and prints "BLOCK * INDEX TOTAL".
"""

import re
import sys

BLOCKS = {"Front end": "cshw", "Tiler": "tiler", "Memory system": "memsys", "Shader core": "shader"}
COUNTER = re.compile(r'\s*(\d+)\s+(\w+)\s+\w+\s+"([^"]*)"')


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: panquick-totals.py TABLE OUTPUT")
    places, block, count = {}, None, 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[:1] == ["block"]:
                block = words[1]
            elif match := COUNTER.match(line):
                shift = re.search(r"\bshift (\d+)", line)
                places[block, match[3]] = (int(match[1]), int(shift[1]) if shift else 0)
    with open(sys.argv[2], encoding="utf-8") as lines:
        for line in lines:
            if line.strip() in BLOCKS:
                block = BLOCKS[line.strip()]
            elif match := re.match(r"(.*) \(\w+\): (\d+)$", line.strip()):
                index, shift = places[block, match[1]]
                print(f"{block} * {index} {int(match[2]) >> shift}")
                count += 1
    if not count:
        sys.exit(f"{sys.argv[2]}: no counters")


if __name__ == "__main__":
    main()
