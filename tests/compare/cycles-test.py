#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The self-test of check-cycles.py: recordings whose cycles are right, and wrong in each way."""

import contextlib
import importlib.util
import io
import os
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKER = os.path.join(HERE, "check-cycles.py")
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


# A recording of many samples. The work for one of the double size may be so many times as much; it is counted for
# fewer of them, as that takes ten times as long.
MANY_SAMPLES, COUNTED_SAMPLES, MOST_GROWTH, MOST_SECONDS = 20000, 4000, 2.3, 60


def many_log(count):
    """Return a log of so many samples, in each of which both clocks change, and those changes.

    Counters go off and on at each tenth sample."""
    lines = ["vmali-truth 1", "gpu timestamp_hz=1000000000", f"cycle-count state=on timestamp={ZERO}",
             f"enable nr=1 timestamp={ZERO}"]
    lines += [f"clock name={name} timestamp=0 hz={SLOW * MS}" for name in ("core", "coregroup")]
    changes = []
    for number in range(1, count + 1):
        end = number * 10 * MS
        change, mhz = end - 5 * MS, FAST if number % 2 else SLOW
        lines += [f"clock name={name} timestamp={ZERO + change} hz={mhz * MS}" for name in ("core", "coregroup")]
        lines.append(f"sample nr={number} reason=manual timestamp={ZERO + end} cycles={(SLOW + FAST) * 5000 * number}")
        if number % 10 == 0 and number < count:
            lines += [f"disable nr=1 timestamp={ZERO + end}", f"enable nr=1 timestamp={ZERO + end}"]
        changes.append(f"coregroup {mhz * MS} {change - 1000} {change + 1000}\n")
    return "\n".join(lines) + "\n", "".join(changes)


def many_samples(count):
    """Return a recording of that log."""
    body = struct.Struct("<QQ4xI8xQQQQQII")
    counted = (SLOW + FAST) * 5000
    parts = [struct.pack("<8s6I", b"PTPRFRAW", 2, HEADER_SIZE, 0, 0, 0, body.size).ljust(64, b"\0"),
             INFO.pack(64, body.size, 16, body.size, 0, 3).ljust(HEADER_SIZE - 64, b"\0"),
             struct.pack("<II40xQ", 2, 56, MS // 10)]
    for number in range(count):
        start, end = number * 10 * MS, (number + 1) * 10 * MS
        parts.append(struct.pack("<IIQ", 1, 16 + body.size, end + MS // 10))
        parts.append(body.pack(start, end, 0, counted, counted, 0, ZERO + end, number, 0, 0))
    return b"".join(parts)


def many_arguments(folder, count):
    """Write files of so many samples. Return the arguments for them."""
    truth, raw, changes = (os.path.join(folder, name) for name in ("many.log", "many.raw", "many.txt"))
    with open(truth, "w", encoding="ascii") as file, open(changes, "w", encoding="ascii") as calls:
        log_text, calls_text = many_log(count)
        file.write(log_text)
        calls.write(calls_text)
    with open(raw, "wb") as file:
        file.write(many_samples(count))
    return [f"--changes={changes}", truth, raw]


def work_of(checker, arguments):
    """Return what Python does to judge a recording, in lines and calls of the checker, and what is printed."""
    work = 0

    def trace(frame, _event, _arg):
        nonlocal work
        if frame.f_code.co_filename != CHECKER:
            return None
        work += 1
        return trace

    printed = io.StringIO()
    before = sys.argv, sys.gettrace()
    sys.argv = [CHECKER, *arguments]
    sys.settrace(trace)
    try:
        with contextlib.redirect_stdout(printed):
            checker.main()
    finally:
        sys.settrace(before[1])
        sys.argv = before[0]
    return work, printed.getvalue()


def check_work(folder):
    """Count the work. Return whether it is not too much, and a text."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("check_cycles", CHECKER)
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    work = most = 0
    for count in (COUNTED_SAMPLES // 16, COUNTED_SAMPLES // 8, COUNTED_SAMPLES // 4, COUNTED_SAMPLES // 2,
                  COUNTED_SAMPLES):
        work, printed = work_of(checker, many_arguments(folder, count))
        if f"{2 * count} numbers of cycles agree" not in printed or (most and work > most):
            return False, f"{work} steps for {count} samples, at most {most:.0f}\n# {printed}"
        most = MOST_GROWTH * work
    return True, f"{work} steps for {COUNTED_SAMPLES} samples"


def check_program(folder):
    """Have the program judge many samples. Return whether that is right, and a text with the time."""
    arguments = many_arguments(folder, MANY_SAMPLES)
    begin = time.monotonic()
    try:
        ran = subprocess.run([CHECKER, *arguments], capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"not judged after {MOST_SECONDS} s"
    good = not ran.returncode and f"{2 * MANY_SAMPLES} numbers of cycles agree" in ran.stdout
    return good, f"{time.monotonic() - begin:.1f} s" if good else ran.stdout + ran.stderr


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        truth, raw = os.path.join(folder, "log"), os.path.join(folder, "test.raw")
        with open(truth, "w", encoding="ascii") as file:
            file.write(log())
        for name, changes, status, text in CASES:
            with open(raw, "wb") as file:
                file.write(recording(changes))
            ran = subprocess.run([CHECKER, truth, raw], capture_output=True, text=True,
                                 check=False)
            good = ran.returncode == status and text in ran.stdout
            failed += not good
            print(f"{'ok' if good else 'not ok'} cycles: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
        for name, check in (("work", check_work), (f"{MANY_SAMPLES} samples", check_program)):
            good, text = check(folder)
            failed += not good
            print(f"{'ok' if good else 'not ok'} cycles: {name}: {text}")
    print(f"{len(CASES) + 2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
