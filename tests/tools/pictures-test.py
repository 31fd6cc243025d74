#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/pictures-test.py BIN

Runs diff, plot and export of BIN/panthor-perf-fake on recordings that this program writes itself: constant loads of
different length, samples of several periods, gaps between runs, several runs of the same work. What is expected
follows from the counts in them. Prints "ok NAME" or "not ok NAME - why".
"""

import csv
import importlib.util
import io
import json
import math
import os
import re
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
from perfetto import Import  # noqa: E402
from program import check, equal, main, near  # noqa: E402
from recordings import (GPU_INFO, METADATA, SAMPLE, START, STRETCHED, TABLE, TYPES, Recording, get,  # noqa: E402
                        load_trace, text)

spec = importlib.util.spec_from_file_location("recordings_test", os.path.join(HERE, "recordings-test.py"))
base = importlib.util.module_from_spec(spec)
spec.loader.exec_module(base)
welch = base.welch

MS = 1000000
ZERO = 5000000000
BUS_BYTES = 16
# Derived counters that are amounts, with the unit of their means per second.
AMOUNTS = {name: unit for unit, names in {
    "beats/s": "tiler_wr_beats ls_wr_beats ext_rd_lat384",
    "bytes/s": "tiler_rd_bytes tiler_wr_bytes sc_ls_wr ff_l2_bytes ff_ext_bytes ls_l2_bytes ls_ext_bytes "
               "tex_l2_bytes tex_ext_bytes other_l2_bytes tile_wr_bytes ext_rd_bytes ext_wr_bytes",
    "cycles/s": "gpu_active frag_queue_cy geom_queue_cy comp_queue_cy alu_cy tex_cy ls_rd_cy ls_wr_cy ls_cy "
                "var32_cy var16_cy var_cy",
    "instructions/s": "arith_instr",
    "pixels/s": "pixels",
    "primitives/s": "prim_total prim_culled",
    "quads/s": "transp_quads shaded_quads fpk_quads tex_quads",
    "requests/s": "tex_samples",
    "threads/s": "pos_threads var_threads frag_threads nonfrag_threads",
    "transactions/s": "ext_rd_otq4 ext_wr_otq4",
}.items() for name in names.split()}


class Writer:
    """Writes recordings that have the head and the blocks of another one."""

    def __init__(self, template):
        rec = Recording(template)
        self.counters, self.block_header = rec.counters, rec.block_header
        first = rec.records[0][1]
        self.head = rec.data[:first]
        for kind, at, body in rec.records:
            if kind in (METADATA, GPU_INFO, TABLE, START):
                self.head += rec.data[at:at + 8 + len(body)]
        self.sample = next(body for kind, _at, body in rec.records if kind == SAMPLE)

    def write(self, path, samples):
        """Each sample: start and end in ns since ZERO, merged periods, count(type, instance, index)."""
        data = bytearray(self.head)
        for nr, (start, end, merged, count) in enumerate(samples):
            body = bytearray(self.sample)
            _start, _end, which, _flags = struct.unpack_from("<2QII", body, 8)
            struct.pack_into("<2QIIQ", body, 8, ZERO + start, ZERO + end, which, STRETCHED if merged else 0, 0)
            struct.pack_into("<QII", body, 8 + 64, nr, merged, 0)
            at, seen = 88, {}
            while at < len(body):
                kind = TYPES[body[at]]
                instance = seen.setdefault(kind, 0)
                seen[kind] += 1
                for index in range(4, self.counters):
                    struct.pack_into("<Q", body, at + self.block_header + 8 * index, count(kind, instance, index))
                at += self.block_header + 8 * self.counters
            data += struct.pack("<2I", SAMPLE, 8 + len(body)) + body
        with open(path, "wb") as file:
            file.write(data)


def constant(kind, instance, index):
    """Counts in a ms, different for each counter of each block."""
    return 1000 * (1 + TYPES.index(kind)) + 10 * index + instance


def steady(count, scale=1, length=MS):
    """Samples of the same load one behind another."""
    return [(i * length, (i + 1) * length, 0,
             lambda kind, instance, index: constant(kind, instance, index) * length // MS * scale)
            for i in range(count)]


def rows_of(program, *args):
    return {row["name"]: row for row in csv.DictReader(io.StringIO(program.output("diff", "--csv", *args)))}


def sum_of(kind, index, instances):
    return sum(constant(kind, i, index) for i in range(instances))


def test_lengths(program, writer):
    """The same load over different times is the same for each counter."""
    writer.write("long.rec", steady(320))
    writer.write("short.rec", steady(32))
    rec = Recording("short.rec")
    equal([len(Recording(f"{name}.rec").samples) for name in ("short", "long")], [32, 320], "lengths: samples")
    names = rec.names()
    for options in ((), ("-i",)):
        rows = rows_of(program, *options, "short.rec", "long.rec")
        base_name = f"lengths{' -i' if options else ''}"
        check(len(rows) > 210 and set(names) <= set(rows), f"{base_name}: all counters", len(rows))
        wrong = [row for row in rows.values()
                 if row["a"] and not (row["ratio"] and abs(float(row["ratio"]) - 1) < 1e-9 and row["p"] == "1")]
        equal(wrong, [], f"{base_name}: nothing differs")
    rows = rows_of(program, "short.rec", "long.rec")
    equal({name for name, row in rows.items() if row["unit"].endswith("/s") and not name.startswith("Mali")},
          set(AMOUNTS) | {"prim_rate", "ext_rd_bw", "ext_wr_bw"} | {n for n in rows if ":" in n},
          "lengths: what is per second")
    equal({name: rows[name]["unit"] for name in AMOUNTS}, AMOUNTS, "lengths: units")
    slices = len(rec.samples[0]["blocks"]["memsys"])
    beats = sum_of("memsys", 32, slices)
    near(rows["MaliExtBusRdBt"]["a"], beats * 1000, "lengths: a counter per second")
    near(rows["ext_rd_bytes"]["b"], beats * 1000 * BUS_BYTES, "lengths: a derived amount per second")
    near(rows["ext_rd_bw"]["b"], beats * 1000 * BUS_BYTES, "lengths: a rate is what it was")
    check(rows["MaliExtBusRdBt"]["unit"] == "beats/s" and rows["bytes_per_pixel"]["unit"] == "bytes" and
          rows["core_util"]["unit"] == "percent", "lengths: shares and ratios have their units", rows["core_util"])
    block, index, _shift = names["MaliMainQueueTask"] if "MaliMainQueueTask" in names else names["MaliFragQueueTask"]
    pixels = sum_of(block, index, 1)
    ratio = BUS_BYTES * (beats + sum_of("memsys", 47, slices)) / rows_pixels(rows, 1000)
    near(rows["bytes_per_pixel"]["a"], ratio, "lengths: bytes per pixel")
    check(rows_pixels(rows, 1000) % pixels == 0, "lengths: pixels are those of the tasks", rows["pixels"])
    totals = rows_of(program, "--totals", "short.rec", "long.rec")
    equal((totals["MaliExtBusRdBt"]["a"], totals["MaliExtBusRdBt"]["b"], totals["MaliExtBusRdBt"]["unit"]),
          (str(32 * beats), str(320 * beats), "beats"), "lengths: --totals")
    near(totals["ext_rd_bytes"]["ratio"], 10, "lengths: --totals of a derived amount")
    # As in a report: 26,000 B/s is 26.000 kB/s.
    out = program.output("diff", "-e", "ext_rd_bw,ext_rd_bytes,MaliExtBusRdBt,core_util", "short.rec", "long.rec")
    bandwidth = f"{beats * 1000 * BUS_BYTES / 1e6:.3f} MB/s"
    check(len(re.findall(rf"^ext_rd_\w+ +{bandwidth} +{bandwidth} +1.000 +\+0.00 *$", out, re.M)) == 2 and
          re.search(rf"^MaliExtBusRdBt +{beats * 1000:,} +{beats * 1000:,} .* beats/s$", out, re.M) and
          re.search(r"^core_util .* %$", out, re.M), "lengths: units as in a report", out)
    # A load that is larger by a tenth of a percent differs.
    writer.write("more.rec", [(s, e, m, lambda *place, c=c: c(*place) * 1001) for s, e, m, c in steady(320)])
    writer.write("less.rec", [(s, e, m, lambda *place, c=c: c(*place) * 1000) for s, e, m, c in steady(32)])
    row = rows_of(program, "less.rec", "more.rec")["MaliExtBusRdBt"]
    equal((row["ratio"], row["p"]), ("1.001", "0"), "lengths: a small difference that never varies")
    # A difference that the digits of the table do not show has no mark.
    writer.write("whole.rec", [(s, e, m, lambda *place, c=c: c(*place) * 1000000) for s, e, m, c in steady(32)])
    writer.write("less1.rec", [(s, e, m, lambda *place, c=c: c(*place) * 1000000 - 9000 *
                                (place[::2] == ("shader", 26))) for s, e, m, c in steady(32)])
    row = rows_of(program, "whole.rec", "less1.rec")["core_util"]
    check(float(row["b"]) < float(row["a"]) and row["p"] == "0", "invisible: CSV has the difference", row)
    out = program.output("diff", "-e", "core_util", "whole.rec", "less1.rec")
    value = f"{float(row['a']):.2f}"
    check(re.search(rf"^core_util +{value} +{value} +1\.000 +\+0\.00 +%$", out, re.M),
          "invisible: no mark, and no -0.00", out)
    out = program.output("diff", "--significant", "-e", "core_util", "whole.rec", "less1.rec")
    check("1 more whose difference may be chance, or is not visible" in out, "invisible: --significant", out)


def rows_pixels(rows, per_second):
    return float(rows["pixels"]["a"]) / per_second


def mixed(merged_at=3, count=8):
    """Samples of 1 ms, one of which is of two periods."""
    samples, now = [], 0
    for i in range(count):
        periods = 2 if i == merged_at else 1
        samples.append((now, now + periods * MS, periods - 1,
                        lambda kind, instance, index, n=periods: n * constant(kind, instance, index)))
        now += periods * MS
    return samples


def trace_values(path):
    """What Perfetto shows of the GPU's counters, and of tracks, by name: (ns since ZERO, value)."""
    packets = [body for _field, body in load_trace(path)]
    seen = Import(packets, 58)
    specs = {text(get(v, "name")): v for p in packets for k, v in get(get(p, "gpu_counter_event", []), "counter_descriptor", [])
             if k == "specs"}
    points = {name: [(at - ZERO, float(value)) for at, _to, value in spans]
              for name, spans in seen.gpu_counters().items()}
    tracks = {name: [(at - ZERO, float(value)) for at, _to, value in spans]
              for name, spans in seen.block_counters().items()}
    described = [get(p, "track_descriptor") for p in packets if get(p, "track_descriptor") is not None]
    units = {seen.full_name(get(t, "uuid"))[-2:]: text(get(get(t, "counter"), "unit_name")) for t in described
             if get(t, "counter") is not None}
    return specs, points, tracks, units


def heights(rows):
    return {value for row in rows for value in row[1:]}


def flat(values):
    values = list(values)
    return values and values[0] and all(math.isclose(v, values[0], rel_tol=1e-8) for v in values)


def test_merged(program, writer):
    """A sample of two periods has the height of its neighbours in the plot. In the trace it has what it has counted."""
    samples = mixed()
    writer.write("merged.rec", samples)
    rec = Recording("merged.rec")
    equal([s["merged"] for s in rec.samples], [0, 0, 0, 1, 0, 0, 0, 0], "merged: periods")
    slices = len(rec.samples[0]["blocks"]["memsys"])
    beats = 1000 * sum_of("memsys", 32, slices)
    program.output("plot", "merged.rec", "-e", "MaliExtBusRdBt", "-e", "ext_rd_bytes,ext_rd_bw", "-e", "pixels",
                   "-e", "cy_pixel", "-o", "merged.gp")
    script = open("merged.gp").read()
    panels = base.gnuplot_data(script)
    equal(sorted(panels), [0, 1, 2, 3], "merged: panels of the plot")
    check(all(flat(heights(panel)) for panel in panels.values()), "merged: no spikes in the plot", panels)
    near(panels[0][0][1] * 1e6, beats, "merged: height of a counter in the plot")
    near(panels[1][6][1] * 1e6, beats * BUS_BYTES, "merged: height of a derived amount in the plot")
    equal([label.lstrip("kMG") for label in re.findall(r"set ylabel '(.*)'", script)],
          ["beats/s", "B/s", "pixels/s", "cycles"], "merged: units of the plot")
    program.output("export", "--perfetto", "merged.rec", "-o", "merged.trace")
    specs, points, tracks, units = trace_values("merged.trace")
    equal(base.run_trace_check("merged.rec", "merged.trace")[1][-10:], b" 0 differ\n", "merged: as four versions of Perfetto show it")
    amounts = [name for name in points if name in AMOUNTS or ":" in name or not name.islower()]
    lengths = [end - start for start, end, _merged, _count in samples]
    wrong = [name for name, values in points.items() if not flat(
        v / (length if name in amounts else 1) for (_at, v), length in zip(values, lengths) if v)]
    check(set(amounts) > {"MaliExtBusRdBt", "ext_rd_bytes"}, "merged: there are amounts in the trace", amounts)
    equal(wrong, [], "merged: the trace has what was counted")
    starts = [start for start, _end, _merged, _count in samples] + [samples[-1][1]]
    equal([at for at, _v in points["MaliExtBusRdBt"]], starts, "merged: times in the trace")
    equal([v for _at, v in points["MaliExtBusRdBt"]], [sum_of("memsys", 32, slices) * length // MS for length in lengths] + [0],
          "merged: counts in the trace")
    equal(sum(v for _at, v in points["ext_rd_bytes"]), sum_of("memsys", 32, slices) * BUS_BYTES * sum(lengths) / MS,
          "merged: the sum of a derived amount")
    equal(tracks[("memsys 1", "MaliExtBusRdBt")][3][1], constant("memsys", 1, 32) * lengths[3] // MS, "merged: counts of a track")
    equal(units[("memsys 1", "MaliExtBusRdBt")], "beats", "merged: unit of a track")
    # The same counter under two names has one shape.
    equal(points["gpu_active"], points["MaliGPUActiveCy"], "merged: two names of a counter")
    test_specs(specs)


def test_specs(specs):
    """Units, descriptions and categories of the counters of the trace."""
    def units(name):
        return ([v for k, v in specs[name] if k == "numerator_units"],
                [v for k, v in specs[name] if k == "denominator_units"])

    want = {
        "MaliGPUActiveCy": ([], []), "gpu_active": ([], []), "gpu_freq": (["HERTZ"], []),
        "MaliExtBusRdBt": ([], []), "ext_rd_bytes": (["BYTE"], []),
        "ext_rd_bw": (["BYTE"], ["SECOND"]), "bytes_per_pixel": (["BYTE"], []), "pixels": (["PIXEL"], []),
        "prim_total": (["PRIMITIVE"], []), "prim_rate": (["PRIMITIVE"], ["SECOND"]),
        "MaliEngFMAInstr": (["INSTRUCTION"], []), "core_util": (["PERCENT"], []), "cy_pixel": ([], []),
    }
    equal({name: units(name) for name in want}, want, "trace: units")
    check(text(get(specs["MaliExtBusRdBt"], "description")).endswith(" (beats)") and
          not text(get(specs["core_util"], "description")).endswith(")"), "trace: descriptions have a unit that Perfetto does not know")
    groups = [get(spec, "groups") for spec in specs.values()]
    unnamed = sum(":" in name for name in specs)
    check(len(specs) > 200 and 10 < groups.count("UNCLASSIFIED") < 40 and None not in groups, "trace: all have a category",
          f"{unnamed} {groups.count('UNCLASSIFIED')}")
    want = {"MaliGPUActiveCy": "SYSTEM", "MaliExtBusRdBt": "MEMORY", "ext_rd_bw": "MEMORY", "prim_total": "PRIMITIVES",
            "pixels": "FRAGMENTS", "geom_queue_util": "VERTICES", "core_util": "SYSTEM", "mcu_util": "UNCLASSIFIED"}
    equal({name: get(specs[name], "groups") for name in want}, want, "trace: categories")


def test_gaps(program, writer):
    """Idle is 0; a gap is where the counters did not run."""
    def idle(_kind, _instance, _index):
        return 0

    def traffic(kind, _instance, index):
        return 5 if (kind, index) == ("memsys", 32) else 0

    # Busy, idle, traffic without pixels, then 3 ms without counters, then busy.
    parts = [constant, idle, traffic, constant]
    starts = [0, 1, 2, 6]
    writer.write("gaps.rec", [(s * MS, (s + 1) * MS, 0, part) for s, part in zip(starts, parts)])
    program.output("plot", "gaps.rec", "-e", "MaliExtBusRdBt,core_util,bytes_per_pixel", "-o", "gaps.gp")
    script = open("gaps.gp").read()
    bodies = [body.split("\n") for body in re.findall(r"^\$panel\d+ << EOD\n(.*?)^EOD$", script, re.M | re.S)]
    equal([[i for i, line in enumerate(body[:-1]) if not line] for body in bodies], [[6]] * 3,
          "gaps: a gap where the counters did not run, in each panel")
    check("NaN" not in re.sub(r"NaN with boxes", "", script), "gaps: no other gap", script)
    values = [[float(row[1]) for row in base.gnuplot_data(script)[i]][::2] for i in range(3)]
    check(values[0][1] == values[1][1] == values[1][2] == values[2][1] == values[2][2] == 0 and values[0][0] > 0 and
          values[0][2] > 0 and values[1][0] == values[1][3] > 0 and values[2][0] == values[2][3] > 0,
          "gaps: idle is 0", values)
    equal(re.findall(r"set ylabel '(.*)'", script), ["Mbeats/s", "%", "bytes"], "gaps: a panel with an axis per unit")
    program.output("plot", "gaps.rec", "-e", "core_util,MaliExtBusRdBt,alu_util,ext_rd_bw,ext_wr_bytes", "-o",
                   "units.gp")
    script = open("units.gp").read()
    equal((re.findall(r"set ylabel '(.*)'", script), len(re.findall(r"\btitle '(?:core|alu)_util'", script)),
           len(base.gnuplot_data(script)[0][0]), len(base.gnuplot_data(script)[2][0])),
          (["%", "Mbeats/s", "MB/s"], 2, 3, 3), "gaps: counters of one unit share a panel")
    program.output("export", "--perfetto", "gaps.rec", "-o", "gaps.trace")
    _specs, points, tracks, _units = trace_values("gaps.trace")
    equal(base.run_trace_check("gaps.rec", "gaps.trace")[1][-10:], b" 0 differ\n", "gaps: as four versions of Perfetto show it")
    times = [0, 1 * MS, 2 * MS, 3 * MS, 6 * MS, 7 * MS]
    wrong = {name for name, p in list(points.items()) + list(tracks.items()) if [at for at, _v in p] != times}
    equal(wrong, set(), "gaps: a point in each sample, and at the end of each run")
    slices = len(Recording("gaps.rec").samples[0]["blocks"]["memsys"])
    got = [v for _at, v in points["MaliExtBusRdBt"]]
    want = [sum_of("memsys", 32, slices), 0, 5 * slices, 0, sum_of("memsys", 32, slices), 0]
    check(all(math.isclose(g, w, rel_tol=1e-12) for g, w in zip(got, want)), "gaps: values of a counter", got)
    equal([bool(v) for _at, v in points["bytes_per_pixel"]], [True, False, False, False, True, False],
          "gaps: no pixels are 0 bytes per pixel")


def test_ranges(program, writer):
    """FILE@FROM-TO, with the points of --from and --to."""
    writer.write("ramp.rec", [(i * MS, (i + 1) * MS, 0, lambda kind, _instance, index, n=i:
                               100 + n if (kind, index) == ("cshw", 4) else 0) for i in range(10)])
    os.link("ramp.rec", "run@home.rec")
    os.link("ramp.rec", "odd@0.001-0.002")

    def means(*args):
        row = rows_of(program, "-e", "cshw:4", *args)["MaliGPUActiveCy"]
        return [float(row["a"]) / 1000, float(row["b"]) / 1000]

    def mean(first, last):
        return sum(100 + i for i in range(first, last + 1)) / (last - first + 1)

    whole = mean(0, 9)
    cases = [
        (("ramp.rec@0.002-0.005", "ramp.rec"), [mean(2, 4), whole]),
        (("ramp.rec@2ms-5ms", "ramp.rec@#7-#8"), [mean(2, 4), mean(7, 8)]),
        (("ramp.rec@0.004-", "ramp.rec@-0.004"), [mean(4, 9), mean(0, 3)]),
        (("run@home.rec@-#1", "run@home.rec"), [mean(0, 1), whole]),
        (("odd@0.001-0.002", "odd@0.001-0.002@0.001-0.002"), [whole, mean(1, 1)]),
        (("ramp.rec@-", "ramp.rec", "-f", "#5"), [whole, mean(5, 9)]),
    ]
    for args, want in cases:
        got = means(*args)
        check(all(math.isclose(g, w, rel_tol=1e-9) for g, w in zip(got, want)), f"diff {' '.join(args)}",
              f"{got} {want}")
    expect = program.expect
    expect("diff of no range", 2, "'0.1' is no range: FROM-TO", "diff", "ramp.rec@0.1", "ramp.rec")
    expect("diff of a wrong point", 2, "'x' is no point", "diff", "ramp.rec@x-", "ramp.rec")
    expect("diff of an empty range", 2, "no sample in this range", "diff", "ramp.rec", "ramp.rec@1-2")
    expect("diff of a file that is missing, with a range", 1, "no.rec@0-1: No such file", "diff", "no.rec@0-1",
           "ramp.rec")
    out = program.output("diff", "ramp.rec@2ms-5ms", "ramp.rec")
    check("A  ramp.rec@2ms-5ms: Mali-G610, 0.003000 s, 3 samples" in out, "diff shows ranges", out[:200])


def test_runs(program, writer):
    """Several runs of each side: their mean, and a test over the runs."""
    of_a, of_b = (100, 104, 102), (110, 112, 117, 113)
    names = {"a": [], "b": []}
    for side, runs in (("a", of_a), ("b", of_b)):
        for i, count in enumerate(runs):
            names[side].append(f"{side}{i}.rec")
            writer.write(names[side][-1], [(k * MS, (k + 1) * MS, 0, lambda kind, _instance, index, n=count:
                                            n if (kind, index) == ("cshw", 4) else 0) for k in range(4 + i)])
    args = ("-e", "cshw:4", *names["a"], "--", *names["b"])
    row = rows_of(program, *args)["MaliGPUActiveCy"]
    near(row["a"], 102000, "runs: mean of A")
    near(row["b"], 113000, "runs: mean of B")
    near(row["ratio"], 113 / 102, "runs: ratio", 1e-5)
    near(row["p"], welch(of_a, of_b), "runs: the significance is that of the runs", 1e-4)
    row = rows_of(program, "--totals", *args)["MaliGPUActiveCy"]
    totals = [[n * (4 + i) for i, n in enumerate(runs)] for runs in (of_a, of_b)]
    near(row["a"], sum(totals[0]) / 3, "runs: --totals: mean of A")
    near(row["p"], welch(*totals), "runs: --totals: significance", 1e-4)
    row = rows_of(program, "-e", "cshw:4", names["a"][0], "--", *names["b"])["MaliGPUActiveCy"]
    near(row["a"], 100000, "runs: one run against several")
    data = json.loads(program.output("diff", "--json", *args))
    equal([[r["recording"]["file"] for r in data[s]["runs"]] for s in "ab"], [names["a"], names["b"]], "runs: --json")
    equal(data["counters"][0]["unit"], "cycles/s", "runs: --json: unit")
    out = program.output("diff", *args)
    equal(re.findall(r"^([AB])  (\w+\.rec): ", out, re.M), [(n[0].upper(), n) for n in names["a"] + names["b"]],
          "runs: all are shown")
    equal(rows_of(program, "-e", "cshw:4", "--", "a0.rec", "b0.rec")["MaliGPUActiveCy"]["b"], "110000",
          "runs: two recordings behind --")
    program.expect("diff of three recordings", 2, "give two recordings, or several of each side", "diff", *names["a"])
    program.expect("diff of a run that is missing", 1, "none.rec: No such file", "diff", "a0.rec", "none.rec", "--",
                   "b0.rec")


def test_default_files(program, writer):
    """The names of files that nobody chose are printed, those of others are not."""
    writer.write("default.rec", steady(2))
    for name, args in (("panthor-perf.svg", ["plot"]), ("panthor-perf.html", ["export", "--html"]),
                       ("panthor-perf.perfetto-trace", ["export", "--perfetto"])):
        _status, _out, err = program.run(*args, "default.rec")
        if "built without uPlot" in err:
            print(f"skip html: {name} - this program was built without uPlot")
            continue
        equal(re.findall("note: .*", err), [f"note: written to {name}"], f"{' '.join(args)}: the name of the file")
        check(os.path.getsize(name) > 1000, f"{' '.join(args)}: the file")
        chosen = f"chosen{os.path.splitext(name)[1]}"
        _status, _out, err = program.run(*args, "default.rec", "-o", chosen)
        equal(re.findall("note: .*", err), [], f"{' '.join(args)}: a file of another name")
        check(os.path.getsize(chosen) > 1000, f"{' '.join(args)}: the other file")


def test_all(program):
    base.record_marks(program, "template.rec", "")
    writer = Writer("template.rec")
    test_lengths(program, writer)
    test_merged(program, writer)
    test_gaps(program, writer)
    test_ranges(program, writer)
    test_runs(program, writer)
    test_default_files(program, writer)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
