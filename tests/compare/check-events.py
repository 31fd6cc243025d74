#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Compares the named events of the PMU with the counter table of the GPU.

The file has a line "FILE VALUE" for each file of the PMU's folder events. Which GPU it was, says the truth log. The
index of a counter comes from the table of that GPU in tools/counters, by the counter's name there: this script has no
index. Prints an "ok" or "not ok" line for each event, for the unit and the scale of one, and for each file that
belongs to no event."""

import argparse
import glob
import os
import re
import shlex
import sys

TABLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "tools/counters")

# Events by name, with the counter in the table: the first of these names that it has. What a Mali-G715 calls
# MaliGPUActiveRawCy counts an erratum as well; its table says which counter stands in.
EVENTS = {
    "gpu-active": ("MaliGPUActiveCy", "MaliGPUAnyQueueActiveCy"),
    "vertex-queue": ("MaliVertQueuedCy", "MaliBinningQueuedCy"),
    "compute-queue": ("MaliCompQueuedCy",),
    "fragment-queue": ("MaliFragQueuedCy", "MaliMainQueuedCy"),
    "tiler-active": ("MaliTilerActiveCy",),
    "triangles": ("MaliGeomTrianglePrim",),
    "core-active": ("MaliCoreActiveCy",),
    "external-read": ("MaliExtBusRdBt",),
    "external-write": ("MaliExtBusWrBt",),
    "external-read-requests": ("MaliExtBusRd",),
    "external-write-requests": ("MaliExtBusWr",),
    "l2-lookups": ("MaliL2CacheLookup",),
}

# Events of clocks: block 0, with the number of the clock in the interface. The first is that of every GPU.
CYCLES = {"gpu-cycles": 0, "coregroup-cycles": 1, "shader-cycles": 2}

# Events of block 0 that are multiples of the cycles.
CAPACITIES = {"core-capacity": (16, "cycles"), "l2-capacity": (17, "cycles"), "bus-capacity": (18, "bytes")}

# Of GPUs with neural accelerators alone.
NEURAL = {"neural-capacity": (19, "cycles")}

# Numbers of the block types in the interface.
TYPES = {"fw": 1, "cshw": 2, "tiler": 3, "memsys": 4, "shader": 5, "neural": 6, "csg": 7}

# Bytes of a beat by architecture: what L2_FEATURES of the virtual GPU says, from 12 on 256 bits.
WIDE_FROM, NARROW_BYTES, WIDE_BYTES = 12, 16, 32


def table_of(gpu_id):
    """Counters of a GPU by name: (type, index, unit)."""
    product = f"{gpu_id >> 28}.{gpu_id >> 16 & 0xf}"
    for path in sorted(glob.glob(os.path.join(TABLES, "*.counters"))):
        products, counters, block = set(), {}, None
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                words = shlex.split(line, comments=True)
                if words and words[0] == "product":
                    products.add(words[1])
                elif words and words[0] == "block":
                    block = TYPES[words[1]]
                elif words and words[0].isdecimal() and block:
                    counters[words[1]] = (block, int(words[0]), words[2])
        if product in products:
            return counters
    sys.exit(f"no table of tools/counters is for product {product}")


def expected_files(gpu_id, neural, clocks):
    """What the folder has to have: {file: value}."""
    counters = table_of(gpu_id)
    wide = WIDE_BYTES if gpu_id >> 28 >= WIDE_FROM else NARROW_BYTES
    files = {}
    for event, clock in CYCLES.items():
        if clock < clocks:
            files[event] = f"block=0x0,counter={clock:#x}"
            files[f"{event}.unit"] = "cycles"
    for event, (counter, unit) in (CAPACITIES | NEURAL if neural else CAPACITIES).items():
        files[event] = f"block=0x0,counter={counter:#x}"
        files[f"{event}.unit"] = unit
    for event, names in EVENTS.items():
        name = next((name for name in names if name in counters), None)
        if name is None:
            continue
        block, index, unit = counters[name]
        files[event] = f"block={block:#x},counter={index:#x}"
        if unit == "cycles":
            files[f"{event}.unit"] = unit
        elif unit == "beats":
            files[f"{event}.unit"] = "bytes"
            files[f"{event}.scale"] = str(wide)
    return files


def judge(gpu_id, neural, clocks, files):
    """Yields (whether it is right, text) for each file that is there or should be."""
    expected = expected_files(gpu_id, neural, clocks)
    for name in sorted(expected.keys() | files.keys()):
        if name not in files:
            yield False, f"{name} - is not there"
        elif name not in expected:
            yield False, f"{name} - is of no counter of this GPU"
        elif files[name] != expected[name]:
            yield False, f"{name} - is {files[name]}, the table has {expected[name]}"
        else:
            yield True, f"{name}: {files[name]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="events", help="first word of each line")
    parser.add_argument("--clocks", type=int, default=1, help="clocks that the board has (1)")
    parser.add_argument("truth", metavar="TRUTH.LOG")
    parser.add_argument("events", metavar="FILE")
    args = parser.parse_args()
    with open(args.truth, encoding="utf-8") as log:
        found = re.search(r"^gpu id=0x([0-9a-f]+)(?:.* neural_present=0x([0-9a-f]+))?", log.read(), re.M)
    if not found:
        sys.exit(f"{args.truth}: no GPU")
    with open(args.events, encoding="utf-8") as lines:
        files = dict(line.rstrip("\n").split(" ", 1) for line in lines)
    if not files:
        sys.exit(f"{args.events}: no events")
    failed = 0
    gpu_id, neural = (int(word or "0", 16) for word in found.groups())
    for right, text in judge(gpu_id, neural, args.clocks, files):
        failed += not right
        print(f"{'ok' if right else 'not ok'} {args.title}: {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
