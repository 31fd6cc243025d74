#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The self-test of check-totals.py: files with totals that are right, and wrong in each way."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Counters 4 and 5 of the front end, counter 4 of the cores of bits 0 and 2, in seven samples.
SAMPLES = [(10, 3, 0, 7), (0, 6, 0, 8), (0, 9, 5, 0), (20, 12, 5, 0), (0, 15, 0, 0), (40, 18, 0, 1), (0, 0, 0, 0)]


def log():
    """Return the text of the log."""
    lines = ["vmali-truth 1", "gpu id=0xa8670005 shader_present=0x5 timestamp_hz=500000"]
    for number, (cycles, other, core0, core2) in enumerate(SAMPLES, 1):
        lines += [f"sample nr={number} enable=1 timestamp={500 * number}", f"block CSHW 0 en=0xffff {cycles} {other}",
                  f"block SHADER 0 en=0xffff {core0}", f"block SHADER 2 en=0xffff {core2}"]
    return "\n".join(lines) + "\n"


# Name, groups of totals, partial, status, regular text in the output.
CASES = [
    ("all counters", ["cshw 0 4 20\ncshw 0 5 21\nshader 0 4 10"], False, 0,
     "3 counters, 2 samples of the log from 3 on, 0 differ"),
    ("the number of a core is among those present", ["cshw 0 4 10\ncshw 0 5 3\nshader 1 4 7"], False, 0, "from 1 on"),
    ("a counter that is not named", ["cshw 0 4 20\ncshw 0 5 21"], False, 1, "no samples of the log have these 2 sums"),
    ("it may have any value", ["cshw 0 4 20\ncshw 0 5 21"], True, 0, "from 3 on"),
    ("a total that is 1 higher", ["cshw 0 4 20\ncshw 0 5 22"], True, 1, "the largest is cshw 0 5 22"),
    ("the sum over all blocks", ["cshw 0 4 20\nshader * 4 5"], True, 0, "2 counters, 1 samples of the log from 4 on"),
    ("another sum", ["cshw 0 4 20\nshader * 4 6"], True, 1, "no samples of the log have these 2 sums"),
    ("groups in order", ["cshw 0 5 6", "cshw 0 5 12", "cshw 0 5 18"], True, 0,
     "totals 2: 1 counters, 1 samples of the log from 6 on"),
    ("groups in the wrong order", ["cshw 0 5 12", "cshw 0 5 6"], True, 1, "not ok totals 1"),
    ("groups of 0", ["cshw 0 4 0", "cshw 0 4 20", "cshw 0 4 0"], True, 0, "from 5 on"),
    ("the first fit leaves no place for the next", ["shader 0 4 5", "cshw 0 5 21"], True, 1, "not ok totals 1"),
    ("another fit does", ["shader 1 4 0", "shader 1 4 0", "cshw 0 5 18"], True, 0, "totals 2: 1 counters, 1 samples"),
    ("too few samples of 0", ["cshw 0 4 40", "cshw 0 4 0", "cshw 0 4 0"], True, 1, "not ok totals 2"),
    ("a total that cannot be told from another", ["shader 1 4 7"], True, 1, "a false total was not found"),
    ("no totals", ["workload"], True, 1, "no totals"),
]


# Name, times in us at which the sums of samples 1, 2 and 4 were read, status, regular text in the output. The samples
# were taken at 1000, 2000, 4000.
AGES = [
    ("new values", (1500, 2000, 5500), 0,
     "ages of 3 reads with a sample every 1000 us: from 0 to 1500 us, half of them up to 500 us"),
    ("one is old", (1500, 20000, 5500), 0, "from 500 to 18000 us"),
    ("one is too old", (1500, 600000, 5500), 1, "not ok ages"),
    ("two are old", (1500, 9000, 12000), 1, "half of them up to 7000 us"),
    ("a value before its sample", (999, 2000, 5500), 1, "not ok ages"),
    ("no times", (), 1, "no group has the time"),
]

def main():
    failed = 0
    checker = os.path.join(HERE, "check-totals.py")
    with tempfile.TemporaryDirectory() as folder:
        truth, totals = os.path.join(folder, "log"), os.path.join(folder, "totals")
        with open(truth, "w", encoding="ascii") as file:
            file.write(log())
        for name, groups, partial, status, text in CASES:
            with open(totals, "w", encoding="ascii") as file:
                file.write("\n\n".join(groups) + "\n")
            ran = subprocess.run([checker, *["--partial"] * partial, truth, totals], capture_output=True, text=True,
                                 check=False)
            good = ran.returncode == status and text in ran.stdout and not ran.stderr
            failed += not good
            print(f"{'ok' if good else 'not ok'} totals: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
        for name, times, status, text in AGES:
            with open(totals, "w", encoding="ascii") as file:
                for index, value in enumerate((3, 6, 12)):
                    file.write((f"read {times[index]}\n" if times else "") + f"cshw 0 5 {value}\n\n")
            ran = subprocess.run([checker, "--partial", "--refresh=1000", truth, totals], capture_output=True,
                                 text=True, check=False)
            good = ran.returncode == status and text in ran.stdout and not ran.stderr
            failed += not good
            print(f"{'ok' if good else 'not ok'} totals: ages: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
        with open(truth, "a", encoding="ascii") as file:
            for number in range(len(SAMPLES) + 1, 60):
                file.write(f"sample nr={number} enable=1 timestamp={500 * number}\nblock CSHW 0 en=0xffff 0 {number}\n")
        with open(totals, "w", encoding="ascii") as file:
            file.write("cshw 0 4 0\n\n" * 20 + "cshw 0 4 1\n")
        try:
            ran = subprocess.run([checker, "--partial", truth, totals], capture_output=True, text=True, check=False,
                                 timeout=60)
            good = ran.returncode == 1 and "not ok totals 20" in ran.stdout
        except subprocess.TimeoutExpired:
            good = False
        failed += not good
        print(f"{'ok' if good else 'not ok'} totals: many groups of 0, and one that is nowhere")
        os.truncate(truth, 0)
        ran = subprocess.run([checker, truth, totals], capture_output=True, text=True, check=False)
        good = ran.returncode == 1 and "no sample in the log" in ran.stdout
        failed += not good
        print(f"{'ok' if good else 'not ok'} totals: an empty log")
    print(f"{len(CASES) + len(AGES) + 2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
