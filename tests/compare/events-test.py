#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The self-test of check-events.py: folders with events that are right, and wrong in each way."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKER = os.path.join(HERE, "check-events.py")

# Written by hand from the pages of the counters: a Mali-G610, and an Immortalis-G925 with its other queues.
G610 = {
    "gpu-active": "block=0x2,counter=0x4", "gpu-active.unit": "cycles",
    "vertex-queue": "block=0x2,counter=0x10", "vertex-queue.unit": "cycles",
    "compute-queue": "block=0x2,counter=0x18", "compute-queue.unit": "cycles",
    "fragment-queue": "block=0x2,counter=0x20", "fragment-queue.unit": "cycles",
    "tiler-active": "block=0x3,counter=0x4", "tiler-active.unit": "cycles",
    "triangles": "block=0x3,counter=0x6",
    "core-active": "block=0x5,counter=0x1a", "core-active.unit": "cycles",
    "external-read": "block=0x4,counter=0x20", "external-read.unit": "bytes", "external-read.scale": "16",
    "external-write": "block=0x4,counter=0x2f", "external-write.unit": "bytes", "external-write.scale": "16",
    "external-read-requests": "block=0x4,counter=0x1d", "external-write-requests": "block=0x4,counter=0x2a",
    "l2-lookups": "block=0x4,counter=0x19", "gpu-cycles": "block=0x0,counter=0x0", "gpu-cycles.unit": "cycles",
    "core-capacity": "block=0x0,counter=0x10", "core-capacity.unit": "cycles",
    "l2-capacity": "block=0x0,counter=0x11", "l2-capacity.unit": "cycles",
    "bus-capacity": "block=0x0,counter=0x12", "bus-capacity.unit": "bytes",
}
G925 = G610 | {
    "vertex-queue": "block=0x2,counter=0x40", "compute-queue": "block=0x2,counter=0x20",
    "fragment-queue": "block=0x2,counter=0x30", "external-read.scale": "32", "external-write.scale": "32",
}
G1 = G925 | {"neural-capacity": "block=0x0,counter=0x13", "neural-capacity.unit": "cycles"}
G715 = G610 | {"gpu-active": "block=0x2,counter=0x6"}

# Name, GPU_ID, files, status, regular text in the output, mask of neural accelerators.
CASES = [
    ("a G610", 0xa8670005, G610, 0, r"ok x: gpu-active: block=0x2,counter=0x4\n"),
    ("a G925", 0xd8300015, G925, 0, r"ok x: vertex-queue: block=0x2,counter=0x40\n"),
    ("a G715, with its erratum", 0xb8520000, G715, 0, r"ok x: gpu-active: block=0x2,counter=0x6\n"),
    ("the index of another architecture", 0xd8300015, G610, 1, r"not ok x: compute-queue - is .*0x18, the table has .*0x20\n"),
    ("the counter with the erratum", 0xb8520000, G610, 1, r"not ok x: gpu-active - is"),
    ("the scale of another bus", 0xa8670005, G610 | {"external-read.scale": "32"}, 1, r"not ok x: external-read.scale - is 32"),
    ("another unit", 0xa8670005, G610 | {"triangles.unit": "cycles"}, 1, r"not ok x: triangles.unit - is of no counter"),
    ("an event that is missing", 0xa8670005, {name: value for name, value in G610.items() if name != "triangles"}, 1,
     r"not ok x: triangles - is not there"),
    ("a clock that the board has not", 0xa8670005, G610 | {"shader-cycles": "block=0x0,counter=0x2"}, 1,
     r"not ok x: shader-cycles - is of no counter"),
    ("a G1 with accelerators", 0xe8800000, G1, 0, r"ok x: neural-capacity: block=0x0,counter=0x13\n", 0x5),
    ("accelerators without their event", 0xe8800000, G925, 1, r"not ok x: neural-capacity - is not there", 0x5),
    ("an event of accelerators that are not there", 0xe8800000, G1, 1, r"not ok x: neural-capacity - is of no counter"),
    ("no event", 0xa8670005, {}, 1, r"no events"),
    ("a product without a table", 0xa0000000, G610, 1, r"no table .* product 10\.0\n"),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        truth, events = os.path.join(folder, "truth.log"), os.path.join(folder, "events.txt")
        for name, gpu_id, files, status, pattern, *neural in CASES:
            with open(truth, "w", encoding="utf-8") as log:
                log.write(f"vmali-truth 1\ngpu id={gpu_id:#x} shader_present=0x5 lost=1 "
                          f"neural_present={neural[0] if neural else 0:#x}\n")
            with open(events, "w", encoding="utf-8") as file:
                file.writelines(f"{key} {value}\n" for key, value in files.items())
            run = subprocess.run([sys.executable, CHECKER, "--title=x", truth, events], capture_output=True, text=True,
                                 check=False)
            right = run.returncode == status and re.search(pattern, run.stdout + run.stderr)
            failed += not right
            print(f"{'ok' if right else 'not ok'} events-test: {name}" + ("" if right else f" - {run.stdout}{run.stderr}"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
