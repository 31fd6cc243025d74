#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/rooms.py

Holds tools/panthor-perf to its rooms: each folder has at most 15 files, at the door stand main.c, cmd.h and common.c alone,
and no two functions of one name are in two folders. Prints "ok NAME" or "not ok NAME - why".
"""

import collections
import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../tools/panthor-perf")
DOOR = ["cmd.h", "common.c", "main.c"]
MOST = 15
# A definition: its type, its name at the first parenthesis, its body on a line of its own.
DEFINITION = re.compile(r"^(?!#)[a-z][\w \*]*?[ \*](\w+)\((?:[^(){};]|\([^()]*\))*\)\n\{", re.M)


def check(good, name, why):
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    return good


def main():
    if len(sys.argv) > 1:
        print(__doc__)
        return 0
    good = True
    places = collections.defaultdict(set)
    for folder, _folders, files in sorted(os.walk(SOURCES)):
        room = os.path.relpath(folder, SOURCES)
        if room == ".":
            good &= check(sorted(files) == DOOR, "rooms: what stands at the door", sorted(set(files) - set(DOOR)))
        else:
            good &= check(len(files) <= MOST, f"rooms: {room} has {len(files)} files", f"more than {MOST}")
        for name in files:
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    for function in DEFINITION.findall(file.read()):
                        places[function].add(room)
    twice = {name: sorted(rooms) for name, rooms in places.items() if len(rooms) > 1}
    good &= check(len(places) > 700 and not twice, f"rooms: {len(places)} functions of different names", twice)
    return not good


if __name__ == "__main__":
    sys.exit(main())
