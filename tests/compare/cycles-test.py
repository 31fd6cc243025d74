#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The self-test of check-cycles.py: recordings whose cycles are right, and wrong in each way."""

import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MS = 1_000_000
ERROR, HOST_TIME = 1 << 1, 1 << 10
# The clock runs with 100 MHz, and from 25 ms on with 500 MHz. The GPU's time stamp counts ns from 1 s on.
SLOW, FAST, CHANGE = 100, 500, 25 * MS
ZERO = 1000 * MS
HEADER_SIZE, INFO = 136, struct.Struct("<6I")


def cycles(time):
    """Return the cycles from the start to a time in ns."""
    return (min(time, CHANGE) * SLOW + max(time - CHANGE, 0) * FAST) // 1000


def log():
    """Return the text of the log: samples each 10 ms."""
    lines = ["vmali-truth 1", "gpu timestamp_hz=1000000000", f"clock name=core timestamp={ZERO} hz={SLOW * MS}",
             f"cycle-count state=on timestamp={ZERO}", f"enable nr=1 timestamp={ZERO}",
             f"clock name=core timestamp={ZERO + CHANGE} hz={FAST * MS}"]
    lines += [f"sample nr={nr} reason=manual timestamp={ZERO + nr * 10 * MS} cycles={cycles(nr * 10 * MS)}"
              for nr in range(1, 6)]
    return "\n".join(lines) + "\n"


def sample(number, changes):
    """Return a sample of 10 ms, with some fields changed, and when it was read: 0.1 ms behind its end."""
    fields = {"start": (number - 1) * 10 * MS, "end": number * 10 * MS, "flags": 0, "events": 0,
              "gpu": ZERO + number * 10 * MS}
    fields.update(changes)
    fields.setdefault("cycles", cycles(fields["end"]) - cycles(fields["start"]))
    return fields["end"] + MS // 10, struct.pack("<QQ4xI8xQQQQQII", fields["start"], fields["end"], fields["flags"],
                                                 fields["cycles"], 0, 0, fields["gpu"], number - 1, 0,
                                                 fields["events"])


def recording(changes):
    """Return a recording of five samples; changes: {number: fields}."""
    samples = [sample(number, changes.get(number, {})) for number in range(1, 6)]
    size = len(samples[0][1])
    header = struct.pack("<8s6I", b"PTPRFRAW", 2, HEADER_SIZE, 0, 0, 0, size).ljust(64, b"\0")
    header += INFO.pack(64, size, 16, size, 0, 1)
    records = [struct.pack("<II40xQ", 2, 56, MS // 10)]
    records += [struct.pack("<IIQ", 1, 16 + size, read) + body for read, body in samples]
    return header.ljust(HEADER_SIZE, b"\0") + b"".join(records)


# The second sample ends, and the third begins, by the host's clock 3 ms behind the time stamp.
BEHIND = 23 * MS

# Name, changes of samples, status, regular text in the output.
CASES = [
    ("all agree", {}, 0, "5 numbers of cycles agree"),
    ("0.1 ms too few", {3: {"cycles": cycles(30 * MS) - cycles(20 * MS) - SLOW * 100}}, 0, "agree"),
    ("too many", {2: {"cycles": SLOW * 10_000 + FAST * 400}}, 1, "sample 1, core"),
    ("the next one's", {2: {"cycles": 500_000}, 3: {"cycles": 3_500_000}}, 1, "sample 1, core"),
    ("the host's time", {2: {"end": BEHIND, "events": HOST_TIME}, 3: {"start": BEHIND}}, 0, "agree"),
    ("the host's time, unsaid", {2: {"end": BEHIND}, 3: {"start": BEHIND}}, 1, "sample 2, core"),
    ("the host's time, other cycles", {2: {"end": BEHIND, "events": HOST_TIME, "cycles": 1_000_000},
                                       3: {"start": BEHIND}}, 1, "sample 1, core"),
    ("the host's time first", {1: {"end": 12 * MS, "events": HOST_TIME}, 2: {"start": 12 * MS}}, 0, "agree"),
    ("no time stamp", {2: {"gpu": 0, "events": HOST_TIME}}, 0, "5 numbers"),
    ("no time of the GPU", {nr: {"gpu": 0, "events": HOST_TIME} for nr in range(1, 6)}, 1,
     "no end is the GPU's time"),
    ("not behind an error", {4: {"flags": ERROR, "cycles": 0}, 5: {"cycles": 0}}, 0, "3 numbers of cycles agree"),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        truth, raw = os.path.join(folder, "log"), os.path.join(folder, "test.raw")
        with open(truth, "w", encoding="ascii") as file:
            file.write(log())
        for name, changes, status, text in CASES:
            with open(raw, "wb") as file:
                file.write(recording(changes))
            ran = subprocess.run([os.path.join(HERE, "check-cycles.py"), truth, raw], capture_output=True, text=True,
                                 check=False)
            good = ran.returncode == status and text in ran.stdout
            failed += not good
            print(f"{'ok' if good else 'not ok'} cycles: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
