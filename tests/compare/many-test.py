#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""A test of panthor-perf-compare with many samples: what it takes may not grow with their square.

usage: many-test.py PATH-OF-panthor-perf-compare

Each log has another kind of line for each sample, next to those of the sample. CPU time is compared with that of a log
without such lines, as the speed of machines differs."""

import os
import resource
import struct
import subprocess
import sys
import tempfile

SAMPLES = 20000
# A kind of log may take so many times as much CPU time as the plain one, or as LEAST_SECONDS if that is more. The
# comparer is ended after LIMIT_SECONDS.
MOST, LEAST_SECONDS, LIMIT_SECONDS = 15, 0.1, 20

HZ, STEP, BEGIN = 62500000, 62500, 1000000000
COUNTERS = 5
ERROR, FINAL, FW_OVERFLOW = 2, 8, 8
# Types of blocks, of which there is one each, and clocks with their rates in MHz. Each changes by a factor of 2.
BLOCKS = [(2, "CSHW"), (3, "TILER"), (4, "MEMSYS"), (5, "SHADER")]
CLOCKS = [("core", 500), ("coregroup", 250), ("stacks", 125)]
# What happens at each sample.
KINDS = ["nothing else", "rates change", "the sample is not requested", "the ring was full"]


def timestamp(number):
    return BEGIN + STEP * number


def raw_ns(number):
    """CLOCK_MONOTONIC_RAW at a sample of the GPU."""
    return 16 * timestamp(number)


def value(number, kind):
    return number * 7 % 1000 + kind


def cycles(kind, mhz):
    """Return the cycles of a clock in one sample, in which the rate changes in the middle."""
    return mhz * STEP * 16 // 1000 * (3 if kind == "rates change" else 2) // 2


def is_full(kind, number):
    return kind == "the ring was full" and number and number % 2 == 0


def log(kind):
    """Return the text of the log, with one sample more than the recording: that of START."""
    lines = ["vmali-truth 1", f"gpu id=0xa8670005 shader_present=0x1 l2_slices=1 counters={COUNTERS} fw=0 csg=0 "
             f"metadata=0 timestamp_hz={HZ} lost=1"]
    lines += [f"clock name={name} hz={mhz * 1000000} timestamp=0" for name, mhz in CLOCKS]
    lines.append(f"enable nr=1 set=0 entries=128 timestamp={timestamp(0) - 500}")
    for number in range(SAMPLES + 1):
        if kind == "rates change" and number:
            lines += [f"clock name={name} hz={mhz * 1000000 * (1 + number % 2)} "
                      f"timestamp={timestamp(number) - STEP // 2}" for name, mhz in CLOCKS]
        if is_full(kind, number):
            lines += [f"overflow nr={number} timestamp={timestamp(number)}"] * 20
        ends = number in (0, SAMPLES) or kind != "the sample is not requested"
        lines.append(f"sample nr={number + 1} enable=1 insert={number} reason={'manual' if ends else 'power-off'} "
                     f"timestamp={timestamp(number)} cycles={cycles(kind, CLOCKS[0][1]) * number}")
        lines += [f"block {name} 0 en=0xffffffff {value(number, block)}" for block, name in BLOCKS]
    lines += [f"disable nr=1 timestamp={timestamp(SAMPLES) + 1000} unread=0", "end violations=0 unimplemented=0"]
    return "\n".join(lines) + "\n"


def call(record, ns):
    """Return a call of START or STOP: clocks before and behind it."""
    return struct.pack("<IIQ6Q", record, 64, 41, ns, ns, 10, ns + 20, ns + 20, 10)


def recording(kind):
    """Return a recording with a sample for each of the GPU's, of one run."""
    sample_size = 80 + len(BLOCKS) * (8 + 8 * COUNTERS)
    parts = [struct.pack("<8s8IQQQ", b"PTPRFRAW", 2, 64 + 88 + 16 * len(BLOCKS), 88, 16, len(BLOCKS), sample_size, 0,
                         0xa8670005, 0, 1, 0),
             struct.pack("<18IQQ", COUNTERS, 80, 8, sample_size, 0, 7, 0, 1, 1, 1, 1, 0, 0, 1, 2, 128, 16, 0, 0, HZ)]
    parts += [struct.pack("<HHIQ", block, 0, 0, 1 << 4) for block, _ in BLOCKS]
    parts += [call(2, raw_ns(0) - 10), struct.pack("<IIQQQ", 5, 32, raw_ns(0) - 10, 20, timestamp(0))]
    counted = [cycles(kind, mhz) for _, mhz in CLOCKS]
    for number in range(1, SAMPLES + 1):
        final, full = number == SAMPLES, is_full(kind, number)
        if final:
            parts.append(call(3, raw_ns(number) - 1000))
        parts.append(struct.pack("<IIQ", 1, 16 + sample_size, raw_ns(number) + 50000))
        parts.append(struct.pack("<QQII6QII", raw_ns(number - 1), raw_ns(number), 0, FINAL * final | ERROR * full, 41,
                                 *counted, timestamp(number), number - 1, 0, FW_OVERFLOW * full))
        parts += [struct.pack("<Q5Q", block, 0, 0, 0, 0, value(number, block)) for block, _ in BLOCKS]
    return b"".join(parts)


def judge(compare, folder, kind):
    """Have a log judged. Return whether all of it agrees, the CPU time in s, and what was printed."""
    with open(os.path.join(folder, "truth.log"), "w", encoding="ascii") as file:
        file.write(log(kind))
    with open(os.path.join(folder, "samples.raw"), "wb") as file:
        file.write(recording(kind))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([compare, "truth.log", "samples.raw"], cwd=folder, capture_output=True, text=True,
                         check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS,) * 2))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime
    good = not ran.returncode and f"demo: {SAMPLES} samples, " in ran.stdout
    return good, seconds, ran.stdout + ran.stderr


def main():
    compare = os.path.abspath(sys.argv[1])
    failed, most = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            good, seconds, text = judge(compare, folder, kind)
            most = most or MOST * max(seconds, LEAST_SECONDS)
            good &= seconds <= most
            failed += not good
            print(f"{'ok' if good else 'not ok'} {SAMPLES} samples, {kind}: {seconds:.2f} s")
            if not good:
                print(f"# at most {most:.2f} s\n# " + text[:500].replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
