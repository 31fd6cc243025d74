#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Measure the cost of counters, as ratios to controls that run on the same machine at the same time.

For each figure, the script prints "bench: NAME VALUE UNIT (limit TEXT) ok|over|noisy". VALUE is the median of the
runs. "over" means that the value exceeds its limit. "noisy" means that some runs exceed the limit and others do not,
and that they differ by more than 30 %. build/bench/figures.txt has a table with the smallest and the largest run. The
script fails if a figure is over its limit. The machine should be idle.

Parts: "instructions" counts the instructions of the driver's objects on this host. "host" measures their time in a
kernel that runs on this host (names with host-). "bench-driver" does the same in the emulated arm64 guest, and
"bench-loop" measures the whole driver there, and "bench-ordered" a program that has samples taken between its command
streams. Times of the guest have no limits, only counts. "layer" counts the instructions of a Vulkan program on this
host that the layer is loaded into without profiling it, "record" measures the time and the memory that it costs to
record commands in a profiled program on llvmpipe, and "bench-layer" has the frames per second of a program that
is profiled."""

import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.settings import BUILD, TOP, die, note, script, settings_of  # noqa: E402

PARTS = ("instructions", "host", "layer", "record", "bench-driver", "bench-loop", "bench-ordered", "bench-layer")
NOISE = 0.3
# The least work for the emulator: one firmware sample for each request, and counters that do not change.
GPU = "auto-samples=0,counters=work,mcu-cost=off"
USER_ROUNDS = 100
VULKAN_ROUNDS = 100
LAYER_LIMIT = 1.05
LAYER_FRAMES = 30
# Of a command that is recorded, as ratios to the driver's own time; of the program's memory, as one to that without.
RECORD_LIMITS = {"off": {"record-1": 1.05, "record-4": 1.05, "index": 1.05, "memory": 1.05},
                 "workload": {"record-1": 1.25, "record-4": 1.25, "index": 1.5, "memory": 1.25}}
LAYER_WAYS = ("none", "off", "submission", "command-buffer", "workload")
# Limits of the ratios of times on this host, and of the ratios of instructions.
HOST_LIMITS = {"accumulate": 1.75, "publish": 1.75, "publish-compact": 2}
# Of the cost of other clients, as ratios to that of a session.
OTHERS_LIMIT = 1.5
INSTRUCTION_LIMITS = (("accumulate", "accumulate-loop", 2), ("publish", "publish-loop", 2),
                      ("publish-few", "publish-loop", 2), ("publish-compact", "publish-compact-loop", 2.25))


class Figure:
    """One figure: its value in each run, and its limit."""

    def __init__(self, name, values, unit, limit=None):
        self.name, self.values, self.unit, self.limit = name, values, unit, limit

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def verdict(self):
        if not self.values:
            return "noisy"
        within = [self.limit is None or value <= self.limit for value in self.values + [self.median]]
        # Runs that are all within the limit, or all beyond it, are conclusive.
        if all(within) or not any(within):
            return "ok" if within[-1] else "over"
        if max(self.values) - min(self.values) > NOISE * self.median:
            return "noisy"
        return "ok" if within[-1] else "over"

    def line(self):
        if not self.values:
            return f"bench: {self.name} - {self.unit} (limit -) noisy"
        limit = "-" if self.limit is None else f"{self.limit:g}"
        return f"bench: {self.name} {self.median:.3g} {self.unit} (limit {limit}) {self.verdict}"

    def row(self):
        if not self.values:
            return f"{self.name:32} {'-':>12} {'-':>12} {'-':>12} {0:4} {self.unit}"
        return f"{self.name:32} {self.median:12.4g} {min(self.values):12.4g} {max(self.values):12.4g} " \
               f"{len(self.values):4} {self.unit}"


def ratios(numerators, denominators):
    """The ratio of each run. The numerator and the denominator of a run are from the same minute."""
    if len(numerators) != len(denominators) or not numerators:
        die(f"{len(numerators)} runs of a figure and {len(denominators)} of its control")
    return [over / under for over, under in zip(numerators, denominators) if over and under]


def read_figures(path):
    """The lines "NAME VALUE..." of a file, a list of runs for each name."""
    runs = {}
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                name, *values = line.split()
                runs.setdefault(name, []).append([float(value) for value in values])
    except OSError as error:
        die(f"{path}: {error.strerror}")
    return runs


def build(name):
    if subprocess.run([script(f"build/{name}")], stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(1)


def prepare():
    for name in ("build-module.sh", "build-tools.sh", "build-bench.sh"):
        build(name)
    return settings_of("build-guest-modules.sh")["GUEST_MODULES"]


def host(args):
    """Boot the kernel that runs on this host, once for each run: where its memory lies differs between boots, and
    changes figures more than all else. Return the figures of the module in it."""
    note(f"a kernel on this host, {args.runs} boots")
    log = os.path.join(BUILD, "bench", "host.log")
    runs = {}
    with open(log, "wb") as file:
        for _ in range(args.runs):
            run = subprocess.run(
                [os.path.join(BUILD, "bench", "linux"), "mem=512M", "con=null", "con0=fd:0,fd:1",
                 "kunit_shutdown=halt", "panthor_perf_bench.runs=1", f"panthor_perf_bench.rounds={args.points}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                timeout=args.timeout)
            file.write(run.stdout)
            for name, value in re.findall(r"bench-raw (\S+) (\d+)", run.stdout.decode(errors="replace")):
                runs.setdefault(name, []).append([float(value)])
    if len(runs.get("round-wide-compact-c28-32", [])) != args.runs:
        die(f"the kernel on this host stopped too early, see {log}")
    return runs


def guest(args, modules):
    """Run tests/guest/bench-*.sh; return their figures."""
    os.makedirs(os.path.join(BUILD, "bench"), exist_ok=True)
    settings = os.path.join(BUILD, "bench", "settings")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f"RUNS={args.runs}\nPOINTS={args.points}\nROUNDS={args.points}\n")
    run = subprocess.run([
        script("run-guest.py"), "--name", "bench", "--timeout", str(args.timeout), "--vmali", GPU,
        "--file", f"{modules}/null-loop.ko:/modules/null-loop.ko", "--file", f"{settings}:/etc/bench",
        "--file", f"{BUILD}/bench/panthor_perf_bench.ko:/modules/panthor_perf_bench.ko",
        *args.guests], check=False)
    if run.returncode:
        die("the guest's run failed")
    return read_figures(os.path.join(BUILD, "run", "bench", "out", "bench.txt"))


def guest_layer(args):
    """Run tests/guest/bench-layer.sh with Debian's own Mesa; return its figures."""
    os.makedirs(os.path.join(BUILD, "bench"), exist_ok=True)
    settings = os.path.join(BUILD, "bench", "layer-settings")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f"RUNS={args.runs}\nFRAMES={LAYER_FRAMES}\nWAYS='{' '.join(LAYER_WAYS)}'\n")
    mesa = settings_of("build-mesa-tests.sh")
    run = subprocess.run([
        script("run-guest.py"), "--name", "bench-layer", "--timeout", str(args.timeout),
        "--vmali", "auto-samples=0,counters=work", "--file", f"{settings}:/etc/bench",
        "--folder", f"{mesa['MESA_ROOT']}:/mesa", "--folder", f"{mesa['MESA_BIN']}:/mesa/mesa-tests",
        "--folder", f"{mesa['MESA_LAYER']}:/mesa/usr/share/vulkan", "bench-layer"], check=False)
    if run.returncode:
        die("the guest's run failed")
    return read_figures(os.path.join(BUILD, "run", "bench-layer", "out", "bench.txt"))


def callgrind(function, program, env=None):
    """Instructions from the entry of a function to its return. Return them, and what the program printed."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
         f"--toggle-collect={function}", *program],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True, env=env)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not collected:
        die(f"counting instructions of {function}: {run.stderr}")
    return int(collected[1]), run.stdout, run.stderr


def has_valgrind():
    if not shutil.which("valgrind"):
        print("bench: no valgrind: instructions are not counted (apt-get install valgrind)", file=sys.stderr)
        return False
    return True


def instructions():
    """Instructions for each counter of a sample, in the driver's objects that this host's compiler builds."""
    figures = []
    for shape in ("g610", "wide"):
        per_counter = {}
        for name in ("accumulate", "accumulate-loop", "publish", "publish-few", "publish-loop", "publish-compact",
                     "publish-compact-loop"):
            collected, counters, _ = callgrind(
                f"bench_user_{name.replace('-', '_')}",
                [os.path.join(BUILD, "bench", "bench-user"), shape, name, str(USER_ROUNDS)])
            per_counter[name] = collected / USER_ROUNDS / int(counters)
            figures.append(Figure(f"instructions-{name}-{shape}", [per_counter[name]], "per counter"))
        for name, loop, limit in INSTRUCTION_LIMITS:
            figures.append(Figure(f"instructions-{name}-to-loop-{shape}", [per_counter[name] / per_counter[loop]],
                                  "x", limit))
    return figures


def layer():
    """Instructions of Vulkan commands and submissions on llvmpipe, which the layer does not profile, with the layer and
    without it."""
    icd = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
    if not icd or not os.path.exists("/usr/include/vulkan/vulkan.h"):
        print("bench: no llvmpipe: the layer is not measured (apt-get install libvulkan-dev mesa-vulkan-drivers)",
              file=sys.stderr)
        return []
    program = os.path.join(BUILD, "bench", "vk-calls")
    os.makedirs(os.path.dirname(program), exist_ok=True)
    build("build-tools.sh")
    source = os.path.join(TOP, "tests", "bench", "layer", "vk-calls.c")
    for command in (["make", "-s", "-C", os.path.join(TOP, "tools", "vulkan-layer"), f"O={BUILD}"],
                    ["gcc", "-O2", "-o", program, source, "-lvulkan"]):
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            die("the layer or its program does not build")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PANTHOR_PERF", "VK_"))}
    plain["VK_ICD_FILENAMES"] = icd[0]
    loaded = plain | {"VK_LAYER_PATH": os.path.join(BUILD, "vulkan-layer", "explicit_layer.d"),
                      "VK_INSTANCE_LAYERS": "VK_LAYER_PANTHOR_perf", "PANTHOR_PERF_LAYER": "profile"}
    figures = []
    for at, (name, function) in enumerate((("commands", "record_commands"), ("submit", "submit_commands"))):
        without, calls, _ = callgrind(function, [program, str(VULKAN_ROUNDS)], plain)
        with_layer, _, said = callgrind(function, [program, str(VULKAN_ROUNDS)], loaded)
        if "is not profiled" not in said:
            die("the layer is not loaded")
        figures += [Figure(f"instructions-vulkan-{name}", [without / int(calls.split()[at])], "per call"),
                    Figure(f"instructions-vulkan-{name}-layer-off", [with_layer / without], "x", LAYER_LIMIT)]
    return figures


def record(runs):
    """What recording commands costs on llvmpipe: without the layer, with it, but off, and profiled by workload."""
    times = {}
    for _ in range(runs):
        done = subprocess.run([os.path.join(TOP, "tests", "layer", "run.sh"), "--times"], stdout=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode:
            die("the times of recording cannot be measured")
        if done.stdout.startswith("skip "):
            print(f"bench: {done.stdout.strip()}")
            return []
        for line in done.stdout.splitlines():
            mode, name, ns = line.split()
            times.setdefault((mode, name), []).append(float(ns))
    figures = []
    for name in RECORD_LIMITS["off"]:
        without = times["without", name]
        figures.append(Figure(f"vulkan-{name}", without, "MB" if name == "memory" else "ns"))
        for mode, limits in RECORD_LIMITS.items():
            figures += [Figure(f"vulkan-{name}-{mode}", ratios(times[mode, name], without), "x", limits[name])]
    return figures


def column(runs, name, index=0):
    if name not in runs:
        die(f"there is no figure {name}")
    return [values[index] for values in runs[name]]


def fit(points):
    """Least squares over (x, y): the value at x = 0, the slope, and the largest distance in parts of y."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) /
             sum((x - mean_x) ** 2 for x, _ in points))
    start = mean_y - slope * mean_x
    return start, slope, max(abs(start + slope * x - y) / y for x, y in points)


def driver_figures(runs, shape, where="", limits=None):
    """Figures of tests/bench/module. limits: of the times, as ratios to the bare loops."""
    limits = limits or {}

    def bare(name):
        return column(runs, f"{name}-{shape}")

    def per_run(count, demand=""):
        return column(runs, f"round-{shape}{demand}-{count}")

    def fits(xs, *lists):
        # A line for each run, through the points of this run.
        return [fit(list(zip(xs, points))) for points in zip(*lists)]

    def name(text):
        return f"{where}{text}-{shape}"

    sessions = (1, 8, 16, 32, 64)
    figures = [
        Figure(name("accumulate"), ratios(bare("accumulate"), bare("accumulate-loop")), "x",
               limits.get("accumulate")),
        Figure(name("accumulate-memcpy"), ratios(bare("accumulate"), bare("accumulate-memcpy")), "x"),
    ]
    for demand in ("", "-compact"):
        lines = fits(sessions, *(per_run(count, demand) for count in sessions))
        slopes = [slope for _, slope, _ in lines]
        fences = column(runs, f"publish-fence-{shape}{demand}")
        # What each sample needs in any case: the bare loop, and the kernel's work on its fence.
        least = [loop + fence for loop, fence in zip(column(runs, f"publish-loop-{shape}{demand}"), fences)]
        figures += [
            Figure(name(f"publish{demand}"), ratios(slopes, least), "x",
                   limits.get(f"publish{demand}")),
            Figure(name(f"publish{demand}-memcpy"),
                   ratios(slopes, column(runs, f"publish-memcpy-{shape}{demand}")), "x"),
            Figure(name(f"publish{demand}-per-session"), slopes, "ns"),
            Figure(name(f"fence{demand}"), fences, "ns"),
            Figure(name(f"round-without-sessions{demand}"), [start for start, _, _ in lines], "ns"),
            Figure(name(f"off-the-line{demand}"), [100 * distance for _, _, distance in lines], "%"),
        ]
    own = [slope for _, slope, _ in fits(sessions, *(per_run(count) for count in sessions))]
    # The module has no older interface.
    if limits:
        control = [slope for _, slope, _ in fits(sessions, *(per_run(count, "-control") for count in sessions))]
        figures.append(Figure(name("control-to-publish"), ratios(control, own), "x", OTHERS_LIMIT))
    figures += [
        Figure(name("events-64-to-publish"), ratios(column(runs, f"events-{shape}-64"), own), "x",
               OTHERS_LIMIT if limits else None),
        Figure(name("events-64-read-to-publish"), ratios(column(runs, f"events-read-{shape}-64"), own), "x",
               OTHERS_LIMIT if limits else None),
        Figure(name("events-read-one"), column(runs, f"events-read-one-{shape}-1"), "ns"),
        Figure(name("events-read-one-of-4096"), ratios(column(runs, f"events-read-one-{shape}-4096"),
                                                       column(runs, f"events-read-one-{shape}-1")), "x",
               OTHERS_LIMIT if limits else None),
        Figure(name("publish-partial"), ratios(per_run(32, "-c28"), per_run(32)), "x"),
        Figure(name("publish-compact-partial"), ratios(per_run(32, "-compact-c28"), per_run(32, "-compact")), "x"),
        Figure(name("entries-64-to-1"), ratios(column(runs, f"entries-{shape}-64"),
                                               column(runs, f"entries-{shape}-1")), "x", 1.1),
        Figure(name("bytes-64-to-1"), ratios(column(runs, f"bytes-{shape}-64"),
                                             column(runs, f"bytes-{shape}-1")), "x", 1.1),
    ]
    if not where:
        figures += [
            Figure(name("uncached-loads"), [size / 4 for size in column(runs, f"bytes-{shape}-1")],
                   "words/sample"),
            Figure(name("session-structures"), bare("session-bytes"), "bytes"),
        ]
    return figures


def guest_figures(runs, points):
    figures = []
    for sessions in (1, 8, 64):
        perf, null = f"run-perf-{sessions}", f"run-null-{sessions}"
        signal_cost = [[cpu / signalled for cpu, signalled in zip(column(runs, name, 2), column(runs, name))]
                       for name in (perf, null)]
        figures.append(Figure(f"cpu-per-sample-{sessions}", ratios(*signal_cost), "x"))
    # The cost of a millisecond, with a sample of all counters that is written to a file, and without.
    figures.append(Figure("record-cpu", ratios(
        [cpu / points for cpu in column(runs, "record")],
        [cpu / (signalled + merged) for signalled, merged, cpu, *_ in runs["record-null"]]), "x"))
    late = [max(0, merged - null) for merged, null in zip(column(runs, "record-merged"),
                                                          column(runs, "record-null", 1))]
    figures.append(Figure("record-merged-beyond-null", late, "periods"))
    figures.append(Figure("sample-to-eventfd", ratios(column(runs, "sample"), column(runs, "query")), "x"))
    for sessions in (1, 8, 64):
        # These columns are periods. The ratio of the rates is the inverse.
        figures.append(Figure(f"highest-rate-{sessions}",
                              ratios(column(runs, f"rate-null-{sessions}"),
                                     column(runs, f"rate-perf-{sessions}")), "x"))
    # The limits allow for a few wake-ups without a signal.
    for wakeup, limit in ((1, 1.1), (16, 0.1)):
        name = f"wakeup-{wakeup}"
        signalled = column(runs, name)
        figures += [
            Figure(f"{name}-woken", ratios(column(runs, name, 4), signalled), "wake-ups/sample", limit),
            Figure(f"{name}-cpu", [cpu / samples / 1000 for cpu, samples in zip(column(runs, name, 2), signalled)],
                   "us/sample"),
        ]
    figures.append(Figure("session-memory", column(runs, "memory"), "bytes"))
    for name in ("sample", "query"):
        figures.append(Figure(f"{name}-ns", column(runs, name), "ns"))
    return figures


def ordered_figures(runs):
    """The most voluntary context switches of a batch, from its first submission to its last fence."""
    return [Figure(f"switches-{way}", column(runs, f"switches-{way}", 2), "switches/batch", limit)
            for way, limit in (("ordered", 10), ("fence", None), ("polling", None))]


def layer_figures(runs):
    """Frames per second in the emulated guest, and what a profiled frame takes beside one that is not."""
    rates = {way: column(runs, f"frames-{way}") for way in LAYER_WAYS}
    return [Figure(f"layer-frames-{way}", rates[way], "1/s") for way in LAYER_WAYS] + \
        [Figure(f"layer-frame-{way}", ratios(rates["none"], rates[way]), "x") for way in LAYER_WAYS[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each figure (default 5)")
    parser.add_argument("--points", type=int, default=2000, metavar="N",
                        help="calls and periods of a run (default 2000)")
    parser.add_argument("--timeout", type=int, default=1800, metavar="S",
                        help="kill the guest after S seconds (default 1800)")
    parser.add_argument("tests", nargs="*", metavar="PART", help=f"only these parts: {', '.join(PARTS)}")
    args = parser.parse_args()
    args.tests = args.tests or list(PARTS)
    unknown = [test for test in args.tests if test not in PARTS]
    if unknown:
        parser.error(f"there is no part '{unknown[0]}': {', '.join(PARTS)}")
    if args.runs < 1 or args.points < 100:
        parser.error("at least one run and 100 points are needed")

    figures = []
    if "instructions" in args.tests or "host" in args.tests:
        build("build-bench-user.sh")
    if "instructions" in args.tests and has_valgrind():
        figures += instructions()
    if "layer" in args.tests and has_valgrind():
        figures += layer()
    if "record" in args.tests:
        figures += record(args.runs)
    if "host" in args.tests:
        runs = host(args)
        for shape in ("g610", "wide"):
            figures += driver_figures(runs, shape, "host-", HOST_LIMITS)
    args.guests = [test for test in args.tests if test.startswith("bench-") and test != "bench-layer"]
    if args.guests:
        runs = guest(args, prepare())
    if "bench-driver" in args.tests:
        figures += driver_figures(runs, "g610") + driver_figures(runs, "wide")
    if "bench-loop" in args.tests:
        figures += guest_figures(runs, args.points)
    if "bench-ordered" in args.tests:
        figures += ordered_figures(runs)
    if "bench-layer" in args.tests:
        prepare()
        figures += layer_figures(guest_layer(args))
    with open(os.path.join(BUILD, "bench", "figures.txt"), "w", encoding="utf-8") as table:
        table.write(f"{'figure':32} {'median':>12} {'min':>12} {'max':>12} runs unit\n")
        table.writelines(f"{figure.row()}\n" for figure in figures)
    for figure in figures:
        print(figure.line())
    over = [figure.name for figure in figures if figure.verdict == "over"]
    if over:
        die(f"over their limits: {' '.join(over)}")


if __name__ == "__main__":
    main()
