#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/recordings-test.py BIN

Runs record, report, export, plot and diff of BIN/panthor-perf-fake. Files are read here a second time, by
what tools/README.md says about the format, and what the program shows is compared with what follows
from their bytes; those of golden/ can be reckoned by hand, see golden/README. Prints "ok NAME" or
"not ok NAME - why".
"""

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from perfetto import BOOTTIME, Import, cases  # noqa: E402
from program import check, environment, equal, main, near, write  # noqa: E402
from recordings import (ALLOW_SUSPEND, COMPACT, END, ERROR, GPU_INFO, INDEX, METADATA, OTHER_CLOCKS, SAMPLE,  # noqa: E402
                        START, STOP, TABLE, TOOLS, WAKEUP, Recording, get, load_trace, text)

HERE = os.path.dirname(os.path.realpath(__file__))
MARK_NS = 1234567   # what a sample that was asked for takes in the fake driver
BUS_BYTES = 16      # (1 << 7) / 8 by its L2_FEATURES
SAMPLE_BYTES = 16 + 80 + 8 * (8 + 64 * 8)   # the record of a sample with all counters of its 8 blocks


def record_marks(program, output, load, settings="", ids=(10, 12, 14), options=()):
    """A recording whose times and counts are known: marks ID, each acknowledged before the next."""
    write("layer", 'exec 3>"$PANTHOR_PERF_MARK" 4<"$PANTHOR_PERF_MARK_ACK"\n'
          f'for id in {" ".join(map(str, ids))}; do\n'
          '\techo "$id frame $id" >&3\n\tread -r got end <&4\n\techo "$got $end" >>acks\ndone\n')
    if os.path.exists("acks"):
        os.unlink("acks")
    return program.run("record", "-q", "--mark", "mark", "--mark-ack", "ack", "-o", output, *options, "--", "sh",
                       "layer", load=load, settings=settings)


def test_format(program):
    """What record writes is what the format says, and the comparer finds the GPU's counts in it."""
    status, _out, err = program.run("record", "-n", "150", "-I", "0.5", "-o", "periods.rec")
    equal(status, 0, "record by periods")
    check(re.search(r"^150 samples, 0 with ERROR, .* none lost", err, re.M), "record: the data quality", err)
    run = subprocess.run([program.compare, "--may-guess", "truth.log", "periods.rec", "--expect-samples", "150"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    equal(run.returncode, 0, "the comparer agrees")
    rec = Recording("periods.rec")
    kinds = [kind for kind, _at, _body in rec.records]
    equal(kinds[:4], [METADATA, GPU_INFO, TABLE, START], "what a recording begins with")
    equal(kinds[-2:], [INDEX, END], "what it ends with")
    equal((kinds.count(SAMPLE), kinds.count(STOP)), (150, 1), "samples and STOP")
    metadata = json.loads(rec.of_kind(METADATA)[0])
    equal([metadata.get(k) for k in ("product", "table", "counters")], ["Mali-G610", "G710", ["all"]], "metadata")
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", metadata["date"]) and metadata["command"][1:3] ==
          ["-n", "150"] and "Linux" in metadata["kernel"], "metadata: date, command, kernel", metadata)
    equal(struct.unpack_from("<I", rec.of_kind(GPU_INFO)[0])[0], 0xa8670005, "GPU_INFO")
    check(b"G710" in rec.of_kind(TABLE)[0], "the counter table is in the file")
    end = struct.unpack("<11QII8s", rec.of_kind(END)[0])
    equal((end[0], end[1], end[4], end[6], end[7], end[-1]), (150, sum(s["merged"] for s in rec.samples), 0, 0, 0,
          b"PTPRFEND"), "totals of the end")
    equal(end[8:10], (rec.samples[0]["start"], rec.samples[-1]["end"]), "times of the end")
    # The entries of all indexes, found from the end alone.
    entries, at = [], end[10]
    while at:
        previous, size, count = struct.unpack_from("<QII", rec.data, at + 8)
        entries = [struct.unpack_from("<IIQQQ", rec.data, at + 24 + i * size) for i in range(count)] + entries
        at = previous
    numbers = {}
    good = True
    for kind, pad, number, stamp, offset in entries:
        body = next(b for k, a, b in rec.records if a == offset and k == kind)
        good = good and pad == 0
        if kind == SAMPLE:
            good = good and rec.samples[number]["end"] == stamp
        numbers.setdefault(kind, []).append(number)
        good = good and len(body) > 0
    check(good, "entries of the index point to their records")
    equal(numbers[SAMPLE], [0, 64, 128], "each 64th sample has an entry")
    equal((numbers[START], numbers[STOP]), ([0], [0]), "calls have entries")


def test_ends(program):
    """Commands, signals, full disks, marks, and what is wrong with a command line."""
    expect = program.expect
    expect("record: the command's exit status", 7, "^[0-9]+ samples", "record", "-o", "x.rec", "--", "sh", "-c",
           "sleep 0.05; exit 7")
    expect("record: a command that does not exist", 127, "running /nonexistent", "record", "-o", "x.rec", "--",
           "/nonexistent")
    expect("record: a full device", 1, "writing /dev/full.*No space left", "record", "-n", "3", "-o", "/dev/full")
    expect("record: a folder that is missing", 1, "writing missing/x.rec: No such file", "record", "-n", "3", "-o",
           "missing/x.rec")
    limit = 1500000
    status, _out, err = program.run("record", "-I", "0.5", "-n", "100000", "-o", "full.rec", limit=limit)
    ended = re.search(r"writing full.rec: recording ends; the file has (\d+) samples, at least (\d+) more are lost: File too large$", err, re.M)
    check(status == 1 and ended, "record: a disk that fills up", err)
    size = os.path.getsize("full.rec")
    full = Recording("full.rec")
    check(limit - 4800 < size <= limit and full.samples, "a disk that fills up: it is full of whole records", size)
    equal(ended and int(ended[1]), len(full.samples), "a disk that fills up: the samples in it")
    expect("report of it", 0, f"^quality +{len(full.samples)} samples", "report", "full.rec")
    expect("report of it: there is no end", 0, f"was not finished: {len(full.samples)} samples", "report", "full.rec")
    expect("record -e by name", 0, "1 sample", "record", "-n", "1", "-e", "MaliGPUActiveCy,tiler_util,shader:4",
           "-o", "x.rec")
    expect("record -e of nonsense", 2, "MaliGpuActivCy", "record", "-e", "MaliGpuActivCy")
    expect("record -I 0", 2, "more than 0", "record", "-I", "0")
    expect("record -I and --mark", 2, "give only one of them", "record", "-I", "1", "--mark", "m")
    expect("record --mark-ack alone", 2, "needs --mark", "record", "--mark-ack", "m")
    expect("record --mark with a file", 1, "opening the FIFO gpu.panthor: File exists", "record", "--mark",
           "gpu.panthor")
    expect("record below the shortest period", 2, "is below the shortest", "record", "-I", "0.01")
    expect("record of a driver without periods", 2, "has no periodic sessions", "record",
           settings="min_period_ns=0")
    expect("record --slots 3", 2, "not a power of two", "record", "--slots", "3")
    expect("record of a GPU that goes away", 1, "the GPU is gone", "record", "-o", "gone.rec", "-I", "1",
           settings="unplug_at=30")
    # Samples that nobody can read any more are lost with the GPU, those before are not.
    check(0 < len(Recording("gone.rec").samples) < 30, "a GPU that goes away: what came before is there")
    for command in ("record", "report", "export", "plot", "diff"):
        expect(f"{command} --help", 0, f"Usage: panthor-perf {command} ", command, "--help")
    for command in ("report", "plot"):
        expect(f"{command} of a file that is missing", 1, "nothing.rec: No such file", command, "nothing.rec")
        expect(f"{command} of another file", 1, "this is no recording", command, "layer")
        expect(f"{command} of two files", 2, "unexpected argument", command, "a", "b")


def test_signal(program):
    run = subprocess.Popen([program.program, "record", "-I", "1", "-o", "int.rec"], env=environment(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # How long that takes depends on the load of the machine.
    deadline = time.monotonic() + 60
    while run.poll() is None and time.monotonic() < deadline:
        if os.path.exists("int.rec") and os.path.getsize("int.rec") > 64 * SAMPLE_BYTES:
            break
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _out, err = run.communicate()
    equal(run.returncode, 0, "SIGINT ends a recording")
    rec = Recording("int.rec")
    check(len(rec.samples) > 50 and rec.records[-1][0] == END, "SIGINT: the recording is whole", len(rec.samples))
    check(f"{len(rec.samples)} samples" in err.decode(), "SIGINT: the data quality", err.decode())


def unzstd(path, output):
    """The content of a file, decompressed by zstd."""
    run = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    write_bytes(output, run.stdout)
    return run.returncode


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)


def same_reports(program, name, one, other):
    """What is shown of two recordings differs in their names alone."""
    for args in (("report", "-j"), ("report", "--csv")):
        first, second = (program.run(*args, path) for path in (one, other))
        equal(second[1].replace(other, one), first[1].replace(other, one), f"{name}: {' '.join(args)}")
        check(first[0] == 0 and first[1], f"{name}: {' '.join(args)} shows something", first[2])


def test_compressed(program):
    """zstd decompresses what record -z writes, and what zstd compresses is read."""
    expect = program.expect
    for option in ("-z", "-z19", "--compression-level=3"):
        expect(f"record {option}", 0, "^150 samples.* none lost", "record", option, "-n", "150", "-I", "0.5", "-o",
               "small.rec")
        equal(unzstd("small.rec", "large.rec"), 0, f"record {option}: zstd decompresses it")
        run = subprocess.run([program.compare, "--may-guess", "truth.log", "large.rec", "--expect-samples", "150"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        equal(run.returncode, 0, f"record {option}: the comparer agrees")
        check(os.path.getsize("small.rec") < os.path.getsize("large.rec") / 2, f"record {option}: it is smaller",
              os.path.getsize("small.rec"))
        same_reports(program, f"record {option}", "large.rec", "small.rec")
    out = program.run("record", "-z", "-n", "150", "-o", "small.rec")[2]
    check(f"small.rec: {os.path.getsize('small.rec') / 1e3:.1f} kB" in out, "record -z: the size of the file", out)
    subprocess.run(["zstd", "-qf", "large.rec", "-o", "whole.rec"], check=True)
    same_reports(program, "compressed by zstd", "large.rec", "whole.rec")
    for args in (("export", "--perfetto"), *([("export", "--html")] if program.has_pages() else []), ("plot",)):
        expect(f"{' '.join(args)} of a compressed recording", 0, "", *args, "small.rec", "-o", "out.svg")
    expect("diff of compressed recordings", 0, "", "diff", "small.rec", "whole.rec")
    with open("small.rec", "rb") as file:
        data = file.read()
    write_bytes("cut.rec", data[:-20])
    expect("a compressed recording that was cut", 0, "was not finished", "report", "cut.rec")
    write_bytes("cut.rec", data[:-20] + b"12345678" + data[-12:])
    expect("a damaged one", 1, "cut.rec: it cannot be decompressed: ", "report", "cut.rec")
    write_bytes("cut.rec", data + b"more")
    expect("one with text behind it", 1, "cut.rec: it cannot be decompressed: Unknown frame", "report", "cut.rec")
    with open("large.rec", "rb") as file:
        run = subprocess.run(["zstd", "-q", "--long=31"], stdin=file, stdout=subprocess.PIPE, check=True)
    write_bytes("whole.rec", run.stdout)
    same_reports(program, "compressed by zstd with a large window", "large.rec", "whole.rec")
    write_bytes("cut.rec", run.stdout[:-9])
    expect("one frame that was cut", 1, "cut.rec: it is compressed, and was cut off in its first frame", "report", "cut.rec")
    subprocess.run(["zstd", "-qf", "load", "-o", "text.rec"], check=True)
    expect("compressed text", 1, "this is no recording: it does not begin", "report", "text.rec")
    for level in ("0", "23", "x", ""):
        expect(f"record --compression-level={level}", 2, "is not a number from 1 to 22", "record",
               f"--compression-level={level}")
    expect("record -z to a full device", 1, "writing /dev/full.*No space left", "record", "-z", "-n", "3", "-o",
           "/dev/full")


def test_compressed_killed(program):
    """It is read while it grows, and when its writer was killed."""
    run = subprocess.Popen([program.program, "record", "-z", "-I", "1", "-o", "killed.rec"], env=environment(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = []
    deadline = time.monotonic() + 60
    while len(counts) < 3 and time.monotonic() < deadline:
        status, _out, err = program.run("report", "killed.rec")
        count = re.search(r"was not finished: (\d+) samples", err)
        if not status and count and (not counts or int(count[1]) > counts[-1]):
            counts.append(int(count[1]))
        time.sleep(0.1)
    run.send_signal(signal.SIGKILL)
    run.wait()
    equal(len(counts), 3, "a compressed recording is read while it grows")
    program.expect("a compressed recording of a killed program", 0, "was not finished", "report", "killed.rec")
    unzstd("killed.rec", "whole.rec")
    check(len(Recording("whole.rec").samples) >= counts[-1], "it has what was read before", counts)


def memory_of(pid):
    """What a program has written, in bytes, and the most memory that it ever had, in kB."""
    with open(f"/proc/{pid}/io") as file:
        written = int(re.search(r"wchar: (\d+)", file.read())[1])
    with open(f"/proc/{pid}/status") as file:
        return written, int(re.search(r"VmHWM:\s+(\d+)", file.read())[1])


def test_memory(program, samples=20000):
    """The most memory that it ever had, behind a quarter of the samples and close to the end."""
    # It would need a disk: the file is a device.
    run = subprocess.Popen([program.program, "record", "-q", "-I", "0.1", "-n", str(samples), "-o", "/dev/null"],
                           env=environment(), stderr=subprocess.DEVNULL)
    memory = []
    while run.poll() is None:
        try:
            memory.append(memory_of(run.pid))
        except (TypeError, OSError):
            break
        time.sleep(0.02)
    equal(run.wait(), 0, f"{samples} samples")
    # The sanitizer's own memory grows slowly, whatever the program does.
    with open(program.program, "rb") as binary:
        most = 4096 if b"__asan_init" in binary.read() else 128
    # Behind the last sample the sanitizer looks for leaks, which takes memory of its own.
    total = samples * SAMPLE_BYTES
    later = [(written, kb) for written, kb in memory if total / 4 <= written < total]
    check(later and later[-1][0] >= total * 3 / 4 and later[-1][1] - later[0][1] <= most,
          f"memory is constant over {samples} samples", f"bytes and kB: {later[:1]}, then {later[-1:]}")


def test_marks(program, load):
    status, _out, err = record_marks(program, "marks.rec", "load")
    equal((status, err), (0, ""), "record by marks")
    check(not os.path.exists("mark") and not os.path.exists("ack"), "FIFOs that were made are removed")
    rec = Recording("marks.rec")
    equal([s["user"] for s in rec.samples], [10, 12, 14, 0], "ids are the user data of the samples")
    equal(open("acks").read(), "".join(f"{id} {rec.samples[i]['end']}\n" for i, id in enumerate((10, 12, 14))),
          "acknowledgements have id and time")
    equal(rec.marks(), [(10, 0, "frame 10"), (12, 1, "frame 12"), (14, 2, "frame 14")], "mark records")
    # START takes the GPU's samples 1 and 2, mark i its sample 3 + i, STOP the last.
    equal([rec.value(i, "cshw", 4) for i in range(4)], [load["cshw"](3 + i) for i in range(4)],
          "each sample has the counts of its GPU sample")
    write("wrong", 'printf "x\\n\\n99999999999999999999 y\\n0x10 hex\\n%0600d\\n7" 1 >"$PANTHOR_PERF_MARK"\n')
    status, _out, err = program.run("record", "-q", "--mark", "m2", "-o", "wrong.rec", "--", "sh", "wrong")
    equal([s["user"] for s in Recording("wrong.rec").samples], [16, 0], "wrong lines are no marks")
    equal([line for line in re.findall(r"line (\d+) of the marks is not ID", err)], ["1", "3", "5"],
          "wrong lines are told")
    out = program.expect("report --by-mark", 0, "frame 12", "report", "--by-mark", "--csv", "-e", "MaliGPUActiveCy",
                         "marks.rec")
    rows = list(csv.DictReader(io.StringIO(out)))
    equal([(r["user_data"], r["mark"], int(r["MaliGPUActiveCy"])) for r in rows],
          [(str(i), f"frame {i}", load["cshw"](3 + k)) for k, i in enumerate((10, 12, 14))], "rows of marks")


EVENTS = "core_util,MaliFragWarp,MaliExtBusRdBt,cshw:4"


def table_of(program, *args):
    return list(csv.DictReader(io.StringIO(program.output("report", "--csv", *args))))


def test_compact(program):
    """Compact samples have the values of whole ones, and what they lack is not there."""
    for name, options in (("whole", ()), ("compact", ("--compact", "--allow-suspend"))):
        status, _out, err = record_marks(program, f"{name}.rec", "load", "features=14",
                                         options=("-e", EVENTS, *options))
        equal((status, err), (0, ""), f"{name}: record")
        run = subprocess.run([program.compare, "--may-guess", "truth.log", f"{name}.rec", "--expect-samples", "4"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        # 1 counter of the front end, 1 of each of 2 slices, 3 of each of 3 cores.
        check(run.returncode == 0 and b"48 counters compared" in run.stdout, f"{name}: the comparer agrees", run.stdout)
    rec = Recording("compact.rec")
    equal((rec.flags, rec.sample_size), (COMPACT | ALLOW_SUSPEND, 80 + (8 + 8) + 2 * (8 + 8) + 3 * (8 + 3 * 8)),
          "compact: flags and size of a sample")
    equal((Recording("whole.rec").flags, Recording("whole.rec").sample_size), (0, 80 + 8 * (8 + 64 * 8)), "whole: the same")
    equal({block: [sorted(b) for b in blocks] for block, blocks in rec.samples[0]["blocks"].items()},
          {"cshw": [[4]], "memsys": [[32]] * 2, "shader": [[9, 26, 53]] * 3}, "compact: blocks and counters")
    for args in (("-i",), ("-i", "--by-sample"), ("-m",), ("-s", "-e", "shader:*")):
        rows = [table_of(program, *args, f"{name}.rec") for name in ("whole", "compact")]
        check(rows[0] == rows[1] and rows[0], f"compact: report --csv {' '.join(args)} is the same", rows)
    rows = {row["name"]: row for row in table_of(program, "compact.rec")}
    check(not [row for row in rows.values() if row["block"] in ("fw", "tiler", "csg")] and "MaliExtBusWrBt" not in rows,
          "compact: what was not recorded is not there", rows)
    equal(rows["MaliExtBusRdBt"]["total"], "116", "compact: a total")
    for name in ("tiler:4", "memsys:47", "shader:10", "ext_wr_bw"):
        program.expect(f"compact: report -e {name}", 2, "was not recorded", "report", "-e", name, "compact.rec")
    program.output("export", "--perfetto", "compact.rec", "-o", "compact.trace")
    run = subprocess.run([os.path.join(HERE, "trace-check.py"), "compact.rec", "compact.trace"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    check(run.returncode == 0 and re.fullmatch(rb"trace: \d\d+ values compared, 0 differ\n", run.stdout),
          "compact: trace-check agrees", run.stdout + run.stderr)
    panels = []
    for name in ("whole", "compact"):
        program.output("plot", f"{name}.rec", "-e", EVENTS, "-i", "-o", "compact.gp")
        panels.append(gnuplot_data(open("compact.gp").read()))
    check(panels[0] == panels[1] and len(panels[0][0]) == 8, "compact: the same plot", panels)
    out = program.output("diff", "--csv", "-i", "whole.rec", "compact.rec")
    rows = list(csv.DictReader(io.StringIO(out)))
    check(len(rows) > 10 and all(row["ratio"] == "1" for row in rows if float(row["a"] or 0)), "compact: diff finds none",
          out)

    expect = program.expect
    expect("record --wakeup", 0, "^40 samples, .* none lost", "record", "-I", "2", "-n", "40", "--wakeup", "8",
           "--compact", "-e", EVENTS, "-o", "woken.rec", settings="features=14")
    run = subprocess.run([program.compare, "--may-guess", "truth.log", "woken.rec", "--expect-samples", "40"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    check(run.returncode == 0 and b" 480 counters compared" in run.stdout, "record --wakeup: the comparer agrees", run.stdout)
    equal(Recording("woken.rec").flags, COMPACT | WAKEUP, "record --wakeup: flags")
    expect("record --wakeup by time", 0, "^20 samples, .* none lost", "record", "-I", "2", "-n", "20", "--wakeup", "0,10",
           "-o", "woken.rec", settings="features=14")
    expect("record --wakeup of few samples", 0, "^3 samples, .* none lost", "record", "-I", "2", "-n", "3", "--wakeup",
           "8", "-o", "woken.rec", settings="features=14")
    expect("record --wakeup of one sample", 0, "^1 sample, .* none lost", "record", "-n", "1", "--wakeup", "8", "-o",
           "woken.rec", settings="features=14")
    expect("record --wakeup beyond the ring", 2, "a wake-up for 40 samples is not within 1 to 15", "record", "--wakeup", "40",
           settings="features=14")
    expect("record --wakeup and --mark", 2, "omit --mark", "record", "--wakeup", "4", "--mark", "m")
    expect("record --wakeup of nothing", 2, "needs a time: 0,MS", "record", "--wakeup", "0")
    expect("record --compact is not offered", 2, "the driver has no compact samples", "record", "--compact")
    expect("record --wakeup is not offered", 2, "the driver wakes up for each sample", "record", "--wakeup", "4")
    expect("record --allow-suspend is not offered", 2, "keeps the GPU powered", "record", "--allow-suspend")


def span(rec):
    return sum(s["end"] - s["start"] for s in rec.samples)


def test_report(program):
    rec = Recording("marks.rec")
    count = range(len(rec.samples))
    out = program.expect("report --csv", 0, "^name,block,", "report", "--csv", "-i", "marks.rec")
    rows = list(csv.DictReader(io.StringIO(out)))
    places = {("cshw", 4, None), ("memsys", 32, None), ("memsys", 32, 0), ("memsys", 32, 1), ("memsys", 47, None),
              ("memsys", 47, 0), ("memsys", 47, 1), ("shader", 53, None), ("shader", 26, 2), ("shader", 9, 0),
              ("shader", 9, 1), ("fw", 5, None)}
    got, want, rates = {}, {}, True
    for row in rows:
        key = (row["block"], int(row["index"] or 0), int(row["instance"]) if row["instance"] else None)
        if key not in places or not row["index"]:
            continue
        values = [rec.value(i, *key) for i in count]
        got[key] = [int(row[k]) for k in ("total", "min", "max")]
        want[key] = [sum(values), min(values), max(values)]
        rates = rates and math.isclose(float(row["per_second"]), sum(values) * 1e9 / span(rec), rel_tol=1e-6,
                                       abs_tol=1e-9)
    equal(got, want, "report: total, min, max of each counter")
    check(rates, "report: mean per second of each counter", rows)
    equal(set(got), places, "report: all counters, block by block")
    values = {row["name"]: row for row in rows if not row["instance"]}
    beats = sum(rec.value(i, "memsys", 32) for i in count)
    near(values["ext_rd_bytes"]["per_second"], beats * BUS_BYTES * 1e9 / span(rec),
         "report: mean per second of an amount")
    equal([values[name]["per_second"] for name in ("ext_rd_bw", "core_util", "gpu_freq", "bytes_per_pixel")], [""] * 4,
          "report: no mean per second of shares, ratios and rates")
    near(values["ext_rd_bw"]["total"], beats * BUS_BYTES * 1e9 / span(rec), "report: a derived counter's value")
    near(values["ext_rd_bw"]["max"], max(rec.value(i, "memsys", 32) * BUS_BYTES * 1e9 / MARK_NS for i in count),
         "report: a derived counter's largest value")
    equal(values["bytes_per_pixel"]["total"], "", "report: no value where something is divided by 0")
    near(values["core_util"]["total"], 100 * sum(rec.value(i, "shader", 26) for i in count) /
         sum(rec.value(i, "shader", 53) for i in count), "report: a derived counter of blocks")
    equal(values["MaliGPUActiveCy"]["unit"], "cycles", "report: units")
    program.expect("report -o", 0, "", "report", "--csv", "-i", "-o", "report.csv", "marks.rec")
    equal(open("report.csv").read(), out, "report -o: the file")
    program.expect("report -o: the recording itself", 2, "./marks.rec is not written: this command reads it as marks.rec", "report", "-o",
                   "./marks.rec", "marks.rec")
    equal(Recording("marks.rec").samples, rec.samples, "report -o: the recording is as it was")
    program.expect("report -o: no such folder", 1, "writing nowhere/report: No such file", "report", "-o",
                   "nowhere/report", "marks.rec")
    semicolons = program.expect("report -x", 0, "", "report", "-x", ";", "-i", "marks.rec")
    equal(list(csv.reader(io.StringIO(semicolons), delimiter=";")), list(csv.reader(io.StringIO(out))),
          "report -x: the same fields")
    program.expect("report -s -m", 2, "give only one of --by-sample and --by-mark", "report", "-s", "-m", "marks.rec")
    for form in ((), ("--csv",), ("--json",)):
        program.expect(f"report -m {' '.join(form)}: no marks", 0, "note: no sample of periods.rec has a mark",
                       "report", "-m", "-e", "core_util", *form, "periods.rec")
    program.expect("report -m: no marks in the range", 0, "no sample of marks.rec in this range has a mark", "report",
                   "-m", "--from", "#3", "marks.rec")
    check("note" not in program.run("report", "-m", "marks.rec")[2], "report -m: no note if there are marks")
    tabs = program.expect("report -x -s", 0, "", "report", "-x", "\t", "-s", "marks.rec")
    equal(list(csv.reader(io.StringIO(tabs), delimiter="\t")),
          list(csv.reader(io.StringIO(program.output("report", "--csv", "-s", "marks.rec")))),
          "report -x -s: the same fields")
    program.expect("report -x of nothing", 2, "the separator of -x is empty", "report", "-x", "", "marks.rec")
    program.expect("report -x and -j", 2, "give only one of --csv and --json", "report", "-x", ";", "-j", "marks.rec")

    data = json.loads(program.output("report", "--json", "-i", "--by-sample", "marks.rec"))
    equal((data["recording"]["gpu"], data["recording"]["finished"], data["recording"]["metadata"]["product"]),
          ("Mali-G610", True, "Mali-G610"), "JSON: the recording")
    equal(data["quality"], {"samples": 4, "errors": 0, "overflows": 0, "stretched": 0, "merged": 0, "late": 0,
                           "lost": 0, "events": []}, "JSON: the data quality")
    by_name = {c["name"]: c for c in data["counters"]}
    equal(by_name["MaliExtBusRdBt"]["instances"], [sum(rec.value(i, "memsys", 32, k) for i in count) for k in (0, 1)],
          "JSON: instances")
    equal(by_name["bytes_per_pixel"]["total"], None, "JSON: null for no value")
    near(by_name["gpu_active"]["per_second"], by_name["gpu_active"]["total"] * 1e9 / span(rec),
         "JSON: mean per second of an amount")
    equal(by_name["core_util"]["per_second"], None, "JSON: no mean per second of a share")
    column = data["columns"].index("MaliExtBusRdBt[1]")
    equal([s["values"][column] for s in data["samples"]], [rec.value(i, "memsys", 32, 1) for i in count],
          "JSON: samples")
    equal([s.get("mark") for s in data["samples"]], ["frame 10", "frame 12", "frame 14", None], "JSON: marks")


def test_exact(program):
    """CSV and JSON have the number, not the first ten digits of it. Each of 2 slices counts 4000000001 beats of 16 bytes."""
    write("large", "memsys:32 4000000001\n")
    program.run("record", "-q", "-n", "1", "-e", "ext_rd_bytes,core_util", "-o", "large.rec", load="large")
    row = next(csv.DictReader(io.StringIO(program.output("report", "--csv", "large.rec", "-e", "ext_rd_bytes"))))
    equal(row["total"], "128000000032", "exact: report --csv")
    rows = json.loads(program.output("report", "-j", "large.rec", "-e", "ext_rd_bytes"))["counters"]
    equal(rows[0]["total"], 128000000032, "exact: report -j")


def test_damaged(program, has_zstd):
    """The message about a damaged record has the command that reads what is before it."""
    program.output("record", "-q", "-n", "100", "-I", "1", "-e", "cshw:4", "-o", "damaged.rec")
    with open("damaged.rec", "rb") as file:
        data = bytearray(file.read())
    records = Recording("damaged.rec").records
    place = [at for kind, at, _body in records if kind == SAMPLE][43]
    struct.pack_into("<I", data, place + 4, 3)
    write_bytes("damaged.rec", data)
    for args in (("report",), ("plot", "-e", "cshw:4", "-o", "damaged.gp"), ("export", "--perfetto", "-o", "damaged.trace"),
                 ("diff", "marks.rec")):
        status, _out, err = program.run(*args, "damaged.rec")
        hint = re.search(r"damaged.rec: it is damaged at sample 43; (--to) '(#42)' reads the samples before it$", err, re.M)
        check(status == 1 and hint, f"{args[0]}, a damaged sample: a hint", err)
        if hint and args[0] == "report":
            out = program.output("report", "-j", *hint.groups(), "damaged.rec")
            equal(json.loads(out)["quality"]["samples"], 43, "a damaged sample: what is before it")
    program.expect("a damaged sample at the begin", 1, "it is damaged at sample 43$", "report", "--from", "#43", "damaged.rec")
    write_bytes("damaged.rec", data[:records[-1][1]])
    status, _out, err = program.run("report", "damaged.rec")
    hint = re.search(rf"a record of kind 1 has 3 bytes at offset {place}; `(head -c {place})' copies what is before it$", err, re.M)
    check(status == 1 and hint, "a damaged record without an index: a hint", err)
    files = [("damaged.rec", err)]
    if has_zstd:
        subprocess.run(["zstd", "-qf", "damaged.rec", "-o", "damaged.zst"], check=True)
        files.append(("damaged.zst", program.run("report", "damaged.zst")[2]))
    for name, err in files:
        found = re.search("`(.*)' copies", err)
        with open(name, "rb") as file, open("before.rec", "wb") as out:
            subprocess.run(found[1] if found else "cat", shell=True, stdin=file, stdout=out, check=False)
        equal(len(Recording("before.rec").samples) if found else None, 43, f"{name}: what is before it")


def number_text(value, columns):
    """A number as tables have it, in a column that may be too small for it."""
    if abs(round(value, 3)) < 1000 and value != int(value):
        return f"{value:.3f}"
    text = f"{round(value):,}"
    for multiple in "kMGT":
        if len(text) > columns:
            value /= 1000
            text = f"{round(value):,} {multiple}"
    return text


def test_numbers(program):
    """One format for all numbers of a column: large.rec has 128000000032 bytes, in 1.234567 ms."""
    for value in (0.5, 12, 12.25, -12.25, 999.999, 999.9994, 999.9996, 1000, 1000.75, -1000.75, 4050.003, 22680.017, 99999.25, 100000.75,
                  1234567.25, 128000000032, 128000000032.25, 123456789012345):
        out = program.output("report", "-e", f"x = {value:.15g} + 0 * MaliExtBusRdBt", "large.rec")
        row = re.search(r"^x +(\S+(?: [kMGT])?) +(\S+(?: [kMGT])?) +(\S+(?: [kMGT])?) units$", out, re.M)
        equal(row and row.groups(), (number_text(value, 18), number_text(value, 15), number_text(value, 15)), f"report: {value:.15g}")
    per_second = number_text(128000000032 * 1e9 / MARK_NS, 15)
    check(per_second == "103,680,076 M" and re.search(rf"^ext_rd_bytes +128,000,000,032 +{per_second} ",
                                                      program.output("report", "-e", "ext_rd_bytes", "large.rec"), re.M),
          "report: a number that does not fit into its column", per_second)


def test_ranges(program):
    rec = Recording("marks.rec")
    zero = rec.samples[0]["start"]
    cases = [
        (("--from", "#1"), [1, 2, 3]), (("--to", "#1"), [0, 1]), (("--from", "#1", "--to", "#2"), [1, 2]),
        (("--from", "@10"), [1, 2, 3]), (("--from", "@frame 10", "--to", "@14"), [1, 2]),
        (("--from", "0"), [0, 1, 2, 3]), (("--from", f"{MARK_NS}ns"), [1, 2, 3]),
        (("--from", f"{MARK_NS - 1}ns"), [0, 1, 2, 3]), (("--to", f"{MARK_NS}ns"), [0]),
        (("--from", "1.3ms", "--to", "0.0045"), [1, 2]), (("--from", "1300us"), [1, 2, 3]),
    ]
    for options, want in cases:
        out = program.run("report", "--csv", "--by-sample", "-e", "cshw:4", *options, "marks.rec")[1]
        equal([int(r["sample"]) for r in csv.DictReader(io.StringIO(out))], want, f"report {' '.join(options)}")
    equal(zero, 1000000000, "the fake driver's time")
    for point in ("x", "1h", "#", "#x", "-1", "nan"):
        program.expect(f"report --from {point}", 2, "is no point of a recording", "report", f"--from={point}",
                       "marks.rec")
    program.expect("report --from a mark that is not there", 2, "has no mark 'nobody'", "report", "--from",
                   "@nobody", "marks.rec")
    program.expect("report of an empty range", 2, "no sample in this range", "report", "--from", "9s", "marks.rec")
    program.expect("report of what was not recorded", 2, "MaliTilerActiveCy was not recorded", "report", "-e",
                   "MaliTilerActiveCy", "some.rec")
    program.expect("report of a formula that lacks something", 2, "tiler_util was not recorded, or not all",
                   "report", "-e", "tiler_util", "some.rec")


def test_unknown(program):
    """A GPU that no table knows, and counters that a table does not know."""
    record_marks(program, "unknown.rec", "load", settings="gpu_id=0x98670005")
    rec = Recording("unknown.rec")
    equal(rec.of_kind(TABLE), [], "an unknown GPU has no table")
    out = program.expect("report of an unknown GPU", 0, "names of counters are not known for this GPU", "report",
                         "unknown.rec")
    total = sum(rec.value(i, "cshw", 4) for i in range(4))
    check(re.search(rf"^cshw:4 +{total:,} ", out, re.M), "report of an unknown GPU: BLOCK:INDEX", out[:600])
    program.expect("plot of an unknown GPU without -e", 1, "name some", "plot", "unknown.rec", "-o", "u.gp")
    program.output("plot", "unknown.rec", "-e", "cshw:4", "-o", "u.gp")
    check("title 'cshw:4'" in open("u.gp").read(), "plot of an unknown GPU with -e", open("u.gp").read()[:900])
    program.expect("report with a table that is missing", 1, "nothing.counters", "report", "--counters",
                   "nothing.counters", "marks.rec")


# Fields of Perfetto's public schema that are used, with their numbers.
FIELDS = {
    "Trace": {"packet": 1},
    "TracePacket": {"timestamp": 8, "timestamp_clock_id": 58, "trusted_packet_sequence_id": 10, "sequence_flags": 13,
                    "ftrace_events": 1, "clock_snapshot": 6, "track_event": 11, "compressed_packets": 50,
                    "gpu_counter_event": 52, "track_descriptor": 60, "gpu_info": 128},
    "ClockSnapshot": {"clocks": 1, "primary_trace_clock": 2},
    "ClockSnapshot.Clock": {"clock_id": 1, "timestamp": 2},
    "GpuCounterEvent": {"counter_descriptor": 1, "counters": 2, "gpu_id": 3},
    "GpuCounterEvent.GpuCounter": {"counter_id": 1, "int_value": 2, "double_value": 3},
    "GpuCounterDescriptor": {"specs": 1, "min_sampling_period_ns": 3, "counter_groups": 6},
    "GpuCounterDescriptor.GpuCounterSpec": {"counter_id": 1, "name": 2, "description": 3, "numerator_units": 7,
                                            "denominator_units": 8, "groups": 10, "value_direction": 11},
    "GpuCounterDescriptor.GpuCounterGroupSpec": {"group_id": 1, "name": 2, "description": 3, "counter_ids": 4},
    "GpuInfo": {"gpus": 1},
    "GpuInfo.Gpu": {"name": 1, "vendor": 2, "architecture": 4},
    "FtraceEventBundle": {"cpu": 1, "event": 2},
    "FtraceEvent": {"timestamp": 1, "pid": 2, "gpu_frequency": 332},
    "GpuFrequencyFtraceEvent": {"gpu_id": 1, "state": 2},
    "TrackDescriptor": {"uuid": 1, "name": 2, "parent_uuid": 5, "counter": 8},
    "CounterDescriptor": {"unit_name": 6},
    "TrackEvent": {"debug_annotations": 4, "type": 9, "track_uuid": 11, "categories": 22, "name": 23,
                   "counter_value": 30, "double_counter_value": 44},
    "DebugAnnotation": {"uint_value": 3, "string_value": 6, "name": 10},
}


def test_schema():
    source = open(os.path.join(TOOLS, "perfetto/perfetto.proto")).read()
    found = {}
    path = []
    for line in source.splitlines():
        line = line.split("//")[0].strip()
        opened = re.match(r"(message|enum|oneof) (\w+) \{", line)
        field = re.match(r"(?:(?:optional|repeated) )?([\w.]+) (\w+) = (\d+);", line)
        if opened:
            path.append((opened[1], opened[2]))
        elif line == "}":
            path.pop()
        elif field and path and path[-1][0] != "enum":
            name = ".".join(n for k, n in path if k == "message")
            found.setdefault(name, {})[field[2]] = int(field[3])
    equal(found, FIELDS, "perfetto.proto has the numbers of Perfetto's schema")


def run_trace_check(*args):
    run = subprocess.run([os.path.join(HERE, "trace-check.py"), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         check=False)
    return run.returncode == 0 and re.fullmatch(rb"trace: \d\d+ values compared, 0 differ\n", run.stdout), \
        run.stdout + run.stderr


def test_perfetto(program):
    """Each kind of recording, and parts of one, as four versions of Perfetto show them."""
    cases(equal)
    program.run("record", "-q", "-n", "1", "-o", "one.rec", load="load")
    program.run("record", "-q", "-n", "40", "-I", "0.5", "-o", "periods.rec", load="load")
    for name, options, part in (
            ("one sample", ("one.rec",), ()),
            ("periods", ("periods.rec",), ()),
            ("--from and --to", ("periods.rec", "--from", "#5", "--to", "#20"), ("5", "20")),
            ("-e", ("periods.rec", "-e", "MaliGPUActiveCy,MaliExtBusRdBt,core_util"), ()),
            ("--no-instances", ("periods.rec", "--no-instances"), ()),
            ("marks", ("marks.rec",), ())):
        program.output("export", "--perfetto", *options, "-o", "trace")
        only = ("--only", options[2]) if "-e" in options else ()
        good, out = run_trace_check(*only, options[0], "trace", *part)
        check(good, f"Perfetto shows {name}", out)


def test_accelerators(program):
    """Neural accelerators at the first and the last of three cores: in all formats the second has no value."""
    write("accelerators", "cshw:4 1000\nneural/0:4 100\nneural/20:4 300\nneural/20:6 50\n")
    program.run("record", "-q", "-n", "4", "-o", "neural.rec", load="accelerators",
                settings="neural=5,gpu_id=0xe8800000,counters=128")
    run = subprocess.run([program.compare, "--may-guess", "truth.log", "neural.rec", "--expect-samples", "4"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    # 124 counters of each of 10 blocks.
    check(run.returncode == 0 and b"4960 counters compared" in run.stdout, "accelerators: the comparer agrees", run.stdout)
    rows = table_of(program, "-i", "-e", "neural:4,nx_clock_ratio", "neural.rec")
    equal([(row["name"], row["instance"], row["max"]) for row in rows],
          [("MaliNXActiveCy", "", "400"), ("MaliNXActiveCy", "0", "100"), ("MaliNXActiveCy", "1", ""),
           ("MaliNXActiveCy", "2", "300"), ("nx_clock_ratio", "", "20"), ("nx_clock_ratio", "0", "10"),
           ("nx_clock_ratio", "1", ""), ("nx_clock_ratio", "2", "30")], "accelerators: report --csv -i")
    rows = list(csv.DictReader(io.StringIO(program.output("report", "--csv", "-i", "--by-sample", "-e", "neural:4", "neural.rec"))))
    equal([[row[f"MaliNXActiveCy[{i}]"] for i in range(3)] for row in rows], [["100", "", "300"]] * 4,
          "accelerators: report --by-sample")
    report = json.loads(program.output("report", "--json", "-i", "-e", "nx_clock_ratio", "neural.rec"))
    got = report["counters"][0]["instances"]
    check(got[1] is None and [round(value, 9) for value in got[::2]] == [10, 30], "accelerators: report --json", got)
    program.output("export", "--perfetto", "neural.rec", "-o", "trace")
    good, out = run_trace_check("neural.rec", "trace")
    check(good, "accelerators: Perfetto shows the recording", out)
    tracks = {name for name, of in Import([body for _field, body in load_trace("trace")], 58).block_counters()
              if of == "MaliNXActiveCy"}
    equal(tracks, {"neural 0", "neural 2"}, "accelerators: tracks of Perfetto")
    err = program.run("plot", "neural.rec", "-i", "-e", "neural:4", "-o", "neural.gp")[2]
    check("no sample has a value: MaliNXActiveCy[1]\n" in err, "accelerators: plot", err)
    rows = list(csv.DictReader(io.StringIO(program.output("diff", "--csv", "-i", "-e", "neural:4", "neural.rec", "neural.rec"))))
    equal([(row["name"], row["ratio"]) for row in rows][1:],
          [("MaliNXActiveCy[0]", "1"), ("MaliNXActiveCy[1]", ""), ("MaliNXActiveCy[2]", "1")], "accelerators: diff")


def test_suspend(program):
    """CLOCK_BOOTTIME goes on while the system is suspended: the recording has it anew, and the trace converts by it."""
    program.run("record", "-q", "-I", "10", "--duration", "2.4", "-o", "suspend.rec", load="load",
                settings="suspend_ms=500,clocks=1,cycles=1000000")
    others = [struct.unpack("<4Q", body) for body in Recording("suspend.rec").of_kind(OTHER_CLOCKS)]
    offsets = [round((boot - monotonic - others[0][1] + others[0][0]) / 1e9) for monotonic, boot, _real, _took in others]
    equal(offsets, [0, 100, 100], "suspend: other clocks at START, once behind it, and at STOP")
    program.output("export", "--perfetto", "suspend.rec", "-o", "trace")
    good, out = run_trace_check("suspend.rec", "trace")
    check(good, "suspend: Perfetto shows the recording", out)
    seen = Import([body for _field, body in load_trace("trace")], 58)
    jumps = [b[BOOTTIME] - a[BOOTTIME] - (b["5"] - a["5"]) for a, b in zip(seen.snapshots, seen.snapshots[1:])]
    equal([round(j / 1e9) for j in jumps].count(100), 1, "suspend: one snapshot has the new time")


def test_export(program):
    record_marks(program, "error.rec", "load", settings="error_at=2")
    for name in ("marks", "error"):
        rec = Recording(f"{name}.rec")
        program.output("export", "--perfetto", f"{name}.rec", "-o", "trace")
        packets = [body for _field, body in load_trace("trace")]
        check(packets and all(get(p, "trusted_packet_sequence_id") == "1" for p in packets) and
              [get(p, "sequence_flags") for p in packets if get(p, "sequence_flags")] == ["1"] and
              get(packets[0], "sequence_flags") == "1", f"{name}: one sequence, which is new")
        check(all(get(p, "timestamp_clock_id") == "5" for p in packets if get(p, "timestamp")),
              f"{name}: all times are of CLOCK_MONOTONIC_RAW")
        check_gpu_counters(name, rec, packets)
        check_tracks(name, rec, packets)
        run = subprocess.run([os.path.join(HERE, "trace-check.py"), f"{name}.rec", "trace"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        check(run.returncode == 0 and re.fullmatch(rb"trace: \d\d+ values compared, 0 differ\n", run.stdout),
              f"{name}: trace-check agrees", run.stdout + run.stderr)
    test_no_value(program)
    run = subprocess.run([os.path.join(HERE, "trace-check.py"), "some.rec", "trace"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    equal(run.returncode, 1, "trace-check finds the trace of another recording")
    program.expect("export without a format", 2, "give the format", "export", "marks.rec")
    program.expect("export to a name that is no format", 2, "give the format", "export", "marks.rec", "-o", "page.htm")
    for suffix, option in (*([(".html", "--html")] if program.has_pages() else []), (".perfetto-trace", "--perfetto"), (".pftrace", "--perfetto")):
        program.output("export", "marks.rec", "-o", f"by-name{suffix}")
        program.output("export", option, "marks.rec", "-o", "by-option")
        equal(open(f"by-name{suffix}", "rb").read(), open("by-option", "rb").read(), f"export: {suffix} is the format")
    program.expect("export to a full device", 1, "writing /dev/full: No space left", "export", "--perfetto",
                   "marks.rec", "-o", "/dev/full")
    program.output("export", "--perfetto", "--no-instances", "-e", "cshw:4", "marks.rec", "-o", "trace")
    packets = [body for _field, body in load_trace("trace")]
    specs = [v for p in packets for k, v in get(get(p, "gpu_counter_event", []), "counter_descriptor", [])
             if k == "specs"]
    equal([text(get(s, "name")) for s in specs], ["MaliGPUActiveCy"], "export of some counters: no others")
    check(not any(get(get(p, "track_event", []), "type") == "TYPE_COUNTER" for p in packets),
          "export --no-instances: no tracks of blocks")


def test_no_value(program):
    """core_util is 100 * shader:26 / shader:53, of which the latter is 0 in the GPU's sample 4: 2^32 - 400 + 4 * 100."""
    write("gap", "shader:26 100\nshader:53 4294966896 100\nshader/4:53 0\nshader/20:53 0\nmemsys:32 7\n")
    record_marks(program, "gap.rec", "gap")
    rec = Recording("gap.rec")
    equal([rec.value(i, "shader", 53) for i in range(4)], [4294967196, 0, 100, 200], "no value: the counts")
    program.output("export", "--perfetto", "-e", "core_util,shader:53,bytes_per_pixel", "gap.rec", "-o", "trace")
    packets = [body for _field, body in load_trace("trace")]
    seen = Import(packets, 58)
    shown = seen.gpu_counters()
    times = [s["start"] for s in rec.samples] + [rec.samples[-1]["end"]]
    equal([(at, value) for at, _to, value in shown["MaliAnyActiveCy"]], list(zip(times, [4294967196, 0, 100, 200, 0])),
          "no value: a counter has all")
    equal([at for at, _to, _v in shown["core_util"]], times, "no value: a point in each sample")
    check(all(math.isclose(got, want, rel_tol=1e-12) for (_at, _to, got), want in
              zip(shown["core_util"], [100 * 300 / 4294967196, 0, 300, 150, 0])), "no value: it is 0, the others are not",
          shown["core_util"])
    check("bytes_per_pixel" not in shown, "no value at all: no point, and no end", shown)
    equal([[at for at, _to, _v in spans] for (_block, name), spans in seen.block_counters().items() if name == "core_util"],
          [times], "no value: of a core")
    run = subprocess.run([os.path.join(HERE, "trace-check.py"), "--only", "core_util", "gap.rec", "trace"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    check(run.returncode == 0 and b", 0 differ" in run.stdout, "no value: trace-check agrees", run.stdout + run.stderr)


def test_export_options(program):
    program.expect("export --html --no-instances", 2, "with -i only: omit --no-instances", "export", "--html",
                   "--no-instances", "marks.rec", "-o", "never.html")
    program.expect("export --perfetto -i", 2, "omit -i, or use --no-instances", "export", "--perfetto", "-i",
                   "marks.rec", "-o", "never.trace")


def check_gpu_counters(name, rec, packets):
    """Values, as Perfetto shows them, and what is said of counters."""
    events = [get(p, "gpu_counter_event") for p in packets if get(p, "gpu_counter_event") is not None]
    descriptor = get(events[0], "counter_descriptor")
    specs = {text(get(v, "name")): v for k, v in descriptor if k == "specs"}
    groups = {text(get(v, "name")): [x for k2, x in v if k2 == "counter_ids"]
              for k, v in descriptor if k == "counter_groups"}
    check(get(specs["MaliExtBusRdBt"], "counter_id") in groups["Memory"] and
          get(specs["MaliGPUActiveCy"], "counter_id") in groups["System"], f"{name}: counters are in their folders", groups)
    equal((get(specs["ext_rd_bw"], "numerator_units"), get(specs["ext_rd_bw"], "denominator_units"),
           get(specs["core_util"], "numerator_units")), ("BYTE", "SECOND", "PERCENT"), f"{name}: units")
    shown = Import(packets, 58).gpu_counters()
    times = [s["start"] for s in rec.samples] + [rec.samples[-1]["end"]]
    equal([at for at, _to, _value in shown["ext_rd_bw"]], times, f"{name}: a value from the start of each sample to its end")
    want = [rec.value(i, "memsys", 32) * BUS_BYTES * 1e9 / MARK_NS for i in range(len(rec.samples))] + [0]
    check(all(math.isclose(value, w, rel_tol=1e-12) for (_at, _to, value), w in zip(shown["ext_rd_bw"], want)),
          f"{name}: values of ext_rd_bw", f"{shown['ext_rd_bw']} {want}")
    equal([value for _at, _to, value in shown["MaliGPUActiveCy"]],
          [rec.value(i, "cshw", 4) for i in range(len(rec.samples))] + [0], f"{name}: what was counted in each sample")
    hardware = {"MaliGPUActiveCy", "MaliExtBusRdBt", "MaliExtBusWrBt", "MaliAnyActiveCy", "MaliCoreActiveCy", "MaliFragWarp"}
    check(all(n.islower() for n in set(specs) - hardware) and "mcu_util" not in specs,
          f"{name}: counters that are 0 are left out", specs.keys())
    info = get(next(p for p in packets if get(p, "gpu_info") is not None), "gpu_info")
    equal([(text(get(v, "name")), text(get(v, "vendor")), text(get(v, "architecture"))) for k, v in info if k == "gpus"],
          [("Mali-G610", "Arm", "10")], f"{name}: the GPU")


def check_tracks(name, rec, packets):
    seen = Import(packets, 58)
    got = {place for place in seen.block_counters() if not place[1].islower()}
    want = set()
    for block, index, counter in (("memsys", 32, "MaliExtBusRdBt"), ("memsys", 47, "MaliExtBusWrBt"),
                                  ("shader", 9, "MaliFragWarp"), ("shader", 26, "MaliCoreActiveCy"),
                                  ("shader", 53, "MaliAnyActiveCy")):
        for instance in range(len(rec.samples[0]["blocks"][block])):
            if any(rec.value(i, block, index, instance) for i in range(len(rec.samples))):
                want.add((f"{block} {instance}", counter))
    check(len(want) > 4, f"{name}: there are counters of blocks", want)
    equal(got, want, f"{name}: a track for each counter of a block that is not 0")
    bad = [s for s in rec.samples if s["flags"] & ERROR]

    def slices(track):
        mine = [v for uuid, v in seen.slices.items() if seen.full_name(uuid) == ("Mali-G610", track)]
        mine = mine[0] if mine else []
        return [(mine[i][0], mine[i + 1][0], mine[i][2]) for i in range(0, len(mine), 2)]

    equal(slices("samples with flags or events, gaps"), [(s["start"], s["end"], "ERROR: reset") for s in bad],
          f"{name}: samples with ERROR")
    equal(slices("marks"), [(s["start"], s["end"], f"frame {s['user']}") for s in rec.samples[:3]], f"{name}: marks")


def gnuplot_data(script):
    panels = {}
    for number, body in re.findall(r"^\$panel(\d+) << EOD\n(.*?)^EOD$", script, re.M | re.S):
        panels[int(number)] = [[float(x) for x in line.split()] for line in body.splitlines() if line]
    return panels


def test_plot(program):
    rec = Recording("error.rec")
    program.output("plot", "error.rec", "-e", "MaliGPUActiveCy", "-e", "ext_rd_bw,ext_wr_bw", "-o", "plot.gp")
    script = open("plot.gp").read()
    zero = rec.samples[0]["start"]
    steps = [(s[k] - zero) / 1e9 for s in rec.samples for k in ("start", "end")]
    panels = gnuplot_data(script)
    equal(sorted(panels), [0, 1], "plot: a panel for each -e")
    want = [rec.value(i, "cshw", 4) * 1e9 / MARK_NS for i in range(4)]
    want = [[a, v / 1e6] for a, v in zip(steps, [v for v in want for _twice in range(2)])]
    check(all(math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-8) for got, w in zip(panels[0], want) for a, b in
              zip(got, w)) and len(panels[0]) == len(want), "plot: a counter per second", f"{panels[0]} {want}")
    check("set ylabel 'Mcycles/s'" in script and "set ylabel 'kB/s'" in script and "title 'ext_wr_bw'" in script and
          "set xlabel 'time in s since the start of the recording'" in script, "plot: labels with units, legend")
    program.output("plot", "error.rec", "-e", "bytes_per_pixel,core_util", "-o", "gap.gp")
    rows = gnuplot_data(open("gap.gp").read())
    check([len(r) for r in rows.values()] == [8, 8] and all(math.isnan(r[1]) for r in rows[0]) and
          all(r[1] == 50 for r in rows[1]), "plot: a counter that never has a value has no line, units have panels", rows)
    bad = rec.samples[1]
    rectangle = (f"from first {(bad['start'] - zero) / 1e9:.9f}, graph 0 to first {(bad['end'] - zero) / 1e9:.9f}, "
                 "graph 1")
    check(script.count("set object") == 1 and rectangle in script, "plot: a sample with ERROR is shaded", script[:900])

    for name, want in (("gpu_busy", "gpu_busy"), ("core_util,gpu_busy,bytes_per_pixel", "gpu_busy, bytes_per_pixel"),
                       ("core_util", None)):
        err = program.run("plot", "error.rec", "-e", name, "-o", "note.gp")[2]
        equal(err, f"panthor-perf: note: no line, because no sample has a value: {want}\n" if want else "",
              f"plot: what has no line: {name}")
    err = program.run("plot", "error.rec", "-o", "default.gp")[2]
    titles = re.findall(r"^set title '(.*?)'", open("default.gp").read(), re.M)
    equal((err, titles), ("", ["Queues busy", "Tiler and shader cores busy", "External bus", "External bus stalls"]),
          "plot: without cycles of the clock there is no panel of it")
    program.run("record", "-q", "-I", "1", "-n", "4", "-o", "busy.rec", settings="length_ns=1000000,clocks=1,cycles=2000000")
    program.output("plot", "busy.rec", "-o", "default.gp")
    script = open("default.gp").read()
    titles = re.findall(r"^set title '(.*?)'", script, re.M)
    equal([titles[0], titles[-1]], ["GPU busy", "GPU clock"], "plot: how busy the GPU is, at the end its clock")
    rec = Recording("busy.rec")
    panels = gnuplot_data(script)
    for panel, what, want in (
            (panels[0], "busy in %", [100 * rec.value(i, "cshw", 4) / s["cycles"] for i, s in enumerate(rec.samples)]),
            (panels[len(titles) - 1], "the clock in GHz", [s["cycles"] / (s["end"] - s["start"]) for s in rec.samples])):
        got = [row[1] for row in panel][::2]
        check(len(got) == len(want) and all(math.isclose(a, b, rel_tol=1e-6) for a, b in zip(got, want)),
              f"plot: {what}", f"{got} {want}")
    program.expect("plot: without gnuplot", 1, "there is no gnuplot here.*package gnuplot-nox", "plot", "error.rec", "-o", "x.svg",
                   path="/nonexistent")
    program.expect("plot: another format", 2, "does not end in .svg, .png or .gp", "plot", "error.rec", "-o", "x.jpg")
    program.expect("plot: a wrong size", 2, "is not WxH", "plot", "error.rec", "--size", "10x10")
    program.expect("plot: too many lines", 2, "cannot be distinguished", "plot", "error.rec", "-e", "shader:*",
                   "-o", "x.gp")
    if not shutil.which("gnuplot"):
        check(False, "plot: gnuplot is installed")
        return
    program.output("plot", "error.rec", "-o", "plot.svg")
    svg = open("plot.svg").read()
    words = ["time in s since the start of the recording", "Mali-G610", "%", "frag_queue_util", "core_util", "ext_rd_bw",
             "B/s", "counts missing", "External bus"]
    equal([w for w in words if w not in svg], [], "plot: SVG has axes, units, legend")
    program.output("plot", "error.rec", "-o", "plot.png", "--size", "800x600")
    png = open("plot.png", "rb").read()
    equal((png[:8], struct.unpack(">II", png[16:24])), (b"\x89PNG\r\n\x1a\n", (800, 600)), "plot: PNG has its size")
    _status, out, _err = program.run("plot", "error.rec", "-o", "no/x.svg")
    equal(out, "", "plot: a folder that is missing: nothing is printed")
    program.expect("plot: a folder that is missing", 1, "writing no/x.svg: No such file", "plot", "error.rec", "-o", "no/x.svg")
    os.symlink("/dev/full", "full.svg")
    program.expect("plot: a full disk", 1, "writing full.svg: No space left", "plot", "error.rec", "-o", "full.svg")
    write("gnuplot", "#!/bin/sh\ncat >script\nhead -c 200 plot.svg\n")
    os.chmod("gnuplot", 0o755)
    program.expect("plot: half a picture", 1, "gnuplot failed: plot.svg is not written", "plot", "error.rec", "-o", "plot.svg",
                   path=os.getcwd() + ":" + os.environ["PATH"])
    equal(open("plot.svg").read(), svg, "plot: half a picture leaves the other one")


def tails(t, freedom):
    """Both tails of Student's distribution, by Simpson's rule over the angle."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    limit = math.atan(abs(t) / math.sqrt(freedom))
    n = 20000
    step = limit / n
    total = sum((1 if i in (0, n) else 4 if i % 2 else 2) * math.cos(i * step) ** (freedom - 1) for i in range(n + 1))
    return max(0.0, 1 - 2 * scale * total * step / 3)


def welch(a, b):
    def part(values):
        mean = sum(values) / len(values)
        return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)
    mean_a, of_a = part(a)
    mean_b, of_b = part(b)
    freedom = (of_a + of_b) ** 2 / (of_a ** 2 / (len(a) - 1) + of_b ** 2 / (len(b) - 1))
    return tails((mean_b - mean_a) / math.sqrt(of_a + of_b), freedom)


def test_diff(program):
    write("load-b", LOAD.replace("memsys:32 10 1", "memsys:32 11 1").replace("cshw:4 1000 100", "cshw:4 4000 100"))
    program.run("record", "-q", "-n", "3", "-e", "own=2*MaliGPUActiveCy", "-o", "own.rec")
    for first, second in (("own.rec", "some.rec"), ("some.rec", "own.rec")):
        program.expect(f"diff {first}: the file that lacks a formula", 2, "note: -e was looked up in some.rec", "diff", "-e",
                       "own", first, second)
    ids = range(100, 180, 2)
    record_marks(program, "a.rec", "load", ids=ids)
    record_marks(program, "b.rec", "load-b", ids=ids)
    a, b = Recording("a.rec"), Recording("b.rec")
    out = program.expect("diff --csv", 0, "^name,unit,per_second,a,b,ratio,p", "diff", "--csv", "a.rec", "b.rec")
    rows = {r["name"]: r for r in csv.DictReader(io.StringIO(out))}
    count = len(a.samples)
    equal(count, 41, "diff: samples")

    def parts(rec, block, index):
        """41 samples in 32 parts of consecutive ones: part k ends with sample (k + 1) * 41 // 32."""
        edges = [(k + 1) * count // 32 for k in range(32)]
        result = []
        first = 0
        for edge in edges:
            last = max(edge, first + 1)
            result.append(sum(rec.value(i, block, index) for i in range(first, last)) * 1e9 /
                          ((last - first) * MARK_NS))
            first = last
        return result

    for counter, block, index in (("MaliExtBusRdBt", "memsys", 32), ("MaliGPUActiveCy", "cshw", 4)):
        row = rows[counter]
        mean = [sum(r.value(i, block, index) for i in range(count)) * 1e9 / span(r) for r in (a, b)]
        near(row["a"], mean[0], f"diff: A of {counter}")
        near(row["b"], mean[1], f"diff: B of {counter}")
        near(row["ratio"], mean[1] / mean[0], f"diff: ratio of {counter}", 1e-5)
        tests = sum(1 for r in rows.values() if r["p"])
        want = min(1, welch(parts(a, block, index), parts(b, block, index)) * tests)
        near(row["p"], want, f"diff: significance of {counter}", 1e-3)
    equal((rows["MaliAnyActiveCy"]["ratio"], rows["MaliAnyActiveCy"]["p"]), ("1", "1"), "diff: what is equal")
    out = program.expect("diff --significant", 0, "more whose difference may be chance", "diff", "--significant", "a.rec",
                         "b.rec")
    check(re.search(r"^MaliGPUActiveCy .*\*\*\*", out, re.M) and "MaliAnyActiveCy" not in out,
          "diff --significant: no others", out)
    text = program.output("diff", "--csv", "a.rec", "b.rec")
    equal(program.output("diff", "-x", ";", "a.rec", "b.rec"), text.replace(",", ";"), "diff -x")
    program.expect("diff -o", 0, "", "diff", "--csv", "-o", "diff.csv", "a.rec", "b.rec")
    equal(open("diff.csv").read(), text, "diff -o: the file")
    program.expect("diff -o: a recording", 2, "b.rec is not written: this command reads it", "diff", "-o", "b.rec", "a.rec", "b.rec")
    equal(json.loads(program.output("diff", "-j", "a.rec", "b.rec"))["schema"], 1, "diff -j: schema")
    rows = list(csv.DictReader(io.StringIO(program.run("diff", "--csv", "--totals", "-e", "cshw:4", "a.rec",
                                                       "b.rec")[1])))
    equal([(r["a"], r["b"]) for r in rows], [tuple(str(sum(r.value(i, "cshw", 4) for i in range(count)))
                                                  for r in (a, b))], "diff --totals")
    both = json.loads(program.output("diff", "--json", "-e", "cshw:4,memsys:32,ext_rd_bw,bytes_per_pixel", "a.rec",
                                     "b.rec"))
    equal([(both[k]["recording"]["file"], both[k]["recording"]["gpu"], both[k]["quality"]["samples"]) for k in "ab"],
          [("a.rec", "Mali-G610", 41), ("b.rec", "Mali-G610", 41)], "diff --json: both recordings")
    found = {c["name"]: c for c in both["counters"]}
    equal([(n, c["unit"], c["per_second"]) for n, c in found.items()],
          [("MaliGPUActiveCy", "cycles/s", True), ("MaliExtBusRdBt", "beats/s", True), ("ext_rd_bw", "bytes/s", False),
           ("bytes_per_pixel", "bytes", False)], "diff --json: counters, units")
    for counter, block, index in (("MaliExtBusRdBt", "memsys", 32), ("MaliGPUActiveCy", "cshw", 4)):
        mean = [sum(r.value(i, block, index) for i in range(count)) * 1e9 / span(r) for r in (a, b)]
        near(found[counter]["a"], mean[0], f"diff --json: A of {counter}")
        near(found[counter]["b"], mean[1], f"diff --json: B of {counter}")
        near(found[counter]["ratio"], mean[1] / mean[0], f"diff --json: ratio of {counter}", 1e-5)
        # Three of the four have a value.
        near(found[counter]["p"], min(1, 3 * welch(parts(a, block, index), parts(b, block, index))),
             f"diff --json: significance of {counter}", 1e-3)
    equal([found["bytes_per_pixel"][k] for k in ("a", "b", "ratio", "p")], [None] * 4, "diff --json: null for no value")
    equal(json.loads(program.run("diff", "--json", "--totals", "-e", "cshw:4", "a.rec", "b.rec")[1])["counters"][0]["a"],
          sum(a.value(i, "cshw", 4) for i in range(count)), "diff --json --totals")
    program.expect("diff --csv and --json", 2, "give only one of", "diff", "--csv", "--json", "a.rec", "b.rec")
    program.expect("diff of one file", 2, "give two recordings", "diff", "a.rec")
    program.expect("diff of a file that is missing", 1, "nothing.rec: No such file", "diff", "a.rec", "nothing.rec")


def test_golden(program):
    """What people see; golden/README says how each number comes about."""
    cases = [
        ("report.txt", ("report", "marks.rec")),
        ("report-instances.txt", ("report", "-i", "-e", "MaliExtBusRdBt,MaliExtBusWrBt,core_util", "marks.rec")),
        ("report-samples.txt", ("report", "-s", "-e", "MaliGPUActiveCy,ext_rd_bw", "error.rec")),
        ("diff.txt", ("diff", "-e", "cshw:4,memsys:32,shader:53", "a.rec", "b.rec")),
    ]
    for name, args in cases:
        status, out, _err = program.run(*args)
        # When, by what and where it was recorded differs from run to run.
        out = "".join(line for line in out.splitlines(True)
                      if not re.match(r"(recorded|command|tool|kernel) ", line))
        want = open(os.path.join(HERE, "golden", name)).read()
        check(status == 0 and out == want, f"golden: {name}", f"{out}")


LOAD = """cshw:4 1000 100
memsys:32 10 1
memsys/1:47 5
shader:53 200
shader:26 100
shader/0:9 7
"""


def test_all(program):
    write("load", LOAD)
    program.run("record", "-q", "-n", "3", "-e", "MaliGPUActiveCy", "-o", "some.rec")
    test_format(program)
    test_marks(program, {"cshw": lambda nr: 1000 + 100 * nr})
    test_compact(program)
    test_ends(program)
    test_signal(program)
    has_zstd = "built without libzstd" not in program.run("record", "-z", "-n", "1", "-o", "small.rec")[2]
    if not has_zstd:
        program.expect("record -z without libzstd", 2, "built without libzstd", "record", "-z")
    else:
        test_compressed(program)
        test_compressed_killed(program)
    test_damaged(program, has_zstd)
    test_report(program)
    test_exact(program)
    test_numbers(program)
    test_ranges(program)
    test_unknown(program)
    test_schema()
    test_export(program)
    test_perfetto(program)
    test_accelerators(program)
    test_suspend(program)
    test_export_options(program)
    test_plot(program)
    test_diff(program)
    test_golden(program)
    test_memory(program)


if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv, test_all))
