#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/prometheus-test.py FOLDER

What panthor-perf prometheus writes, of the driver in the process of FOLDER/panthor-perf-fake, whose GPU counts a script:
the rules of Prometheus' text format 0.0.4 and of the node exporter's textfile collector, the totals, a file that is
always whole, and what happens if it cannot be written. promtool judges as well if it is there (PROMTOOL, or in the
PATH). Prints "ok NAME" or "not ok NAME - why"."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time

import program as base
from program import check, equal, write

SAMPLE = re.compile(r"([a-z_]+)\{(.*)\} (\S+)")
LABEL = re.compile(r'([a-z_0-9]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
LOAD = """cshw:4 1000
cshw:16 300
cshw:22 50
cshw:24 40
cshw:32 700
cshw:38 100
tiler:4 80
shader:26 60
memsys:32 10
memsys:47 3
"""
SLICES, CORES, BUS_BYTES = 2, 3, 16
# Of each sample of the script, by hand.
COUNTS = {
    ("panthor_gpu_active_cycles_total", ""): 1000,
    ("panthor_queue_active_cycles_total", "fragment"): 700 - 100,
    ("panthor_queue_active_cycles_total", "vertex"): 300 - 50,
    ("panthor_queue_active_cycles_total", "compute"): 40,
    ("panthor_tiler_active_cycles_total", ""): 80,
    ("panthor_execution_core_active_cycles_total", ""): 60 * CORES,
    ("panthor_external_bytes_total", "read"): 10 * SLICES * BUS_BYTES,
    ("panthor_external_bytes_total", "write"): 3 * SLICES * BUS_BYTES,
}
SETTINGS = "length_ns=1000000,clocks=1,cycles=2000,features=15"
FILE = "gpu.prom"


def parse(text, name):
    """The values by name and labels; a complaint for each rule that is broken."""
    values, wrong, types, helps, closed, family = {}, [], {}, set(), set(), None
    if not text.endswith("\n"):
        wrong.append("the last line has no end")
    for line in text.splitlines():
        if match := re.fullmatch(r"# (HELP|TYPE) ([a-z_]+) (.+)", line):
            kind, metric, rest = match.groups()
            if metric != family:
                closed.add(family)
                family = metric
            if metric in closed:
                wrong.append(f"{metric} is divided")
            if kind == "HELP":
                helps.add(metric)
            elif metric in types:
                wrong.append(f"two types of {metric}")
            else:
                types[metric] = rest
            continue
        match = SAMPLE.fullmatch(line)
        if not match:
            wrong.append(f"no sample: {line}")
            continue
        metric, labels, number = match.groups()
        found = dict(LABEL.findall(labels))
        if "".join(f'{key}="{value}",' for key, value in found.items()).rstrip(",") != labels:
            wrong.append(f"labels: {labels}")
        if metric != family or types.get(metric) not in ("counter", "gauge") or metric not in helps:
            wrong.append(f"{metric} is not behind its HELP and TYPE")
        if metric.endswith("_total") != (types.get(metric) == "counter"):
            wrong.append(f"{metric} is a {types.get(metric)}")
        if (metric, labels) in values:
            wrong.append(f"twice: {line}")
        values[metric, labels] = float(number)
        if types.get(metric) == "counter" and float(number) < 0:
            wrong.append(f"negative: {line}")
    check(not wrong, f"{name}: the rules of the format", "; ".join(wrong[:3]))
    return values


def value(values, metric, word=""):
    """Of the series of a metric that has a label of this value, or of its only one."""
    found = [number for (name, labels), number in values.items() if name == metric and f'"{word}"' in labels or
             name == metric and not word]
    return found[0] if len(found) == 1 else None


def totals(values, name):
    samples = value(values, "panthor_samples_total")
    wrong = {key: value(values, *key) for key, count in COUNTS.items() if value(values, *key) != samples * count}
    check(samples and not wrong, f"{name}: totals of {samples} samples", wrong)
    equal(value(values, "panthor_clock_cycles_total"), samples * 2000, f"{name}: cycles of the clock")
    equal((value(values, "panthor_inexact_samples_total"), value(values, "panthor_lost_samples_total")), (0, 0),
          f"{name}: nothing inexact, nothing lost")
    age = time.time() - value(values, "panthor_last_sample_timestamp_seconds")
    check(0 <= age < 60, f"{name}: the time of the last sample", age)
    return samples


def judged(text, name):
    promtool = os.environ.get("PROMTOOL") or shutil.which("promtool")
    if promtool:
        run = subprocess.run([promtool, "check", "metrics"], input=text.encode(), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False)
        equal((run.returncode, run.stdout), (0, b""), f"{name}: promtool")


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def read():
    with open(FILE, encoding="utf-8") as file:
        return file.read()


def beside():
    return [name for name in os.listdir() if FILE in name and name != FILE]


def samples_of(text):
    return int(re.search(r"^panthor_samples_total\{.*\} (\d+)$", text, re.M)[1])


def test_once(program):
    status, out, err = program.run("prometheus", "-I", "1", settings=SETTINGS, load="load")
    equal((status, err), (0, ""), "once: exit status and messages")
    equal(totals(parse(out, "once"), "once"), 1, "once: one sample")
    judged(out, "once")
    check(re.search(r'^panthor_gpu_info\{gpu="0",device="[^"]*gpu.panthor",name="Mali-G610",gpu_id="0xa8670005",'
                    r'shader_cores="3",l2_slices="2"\} 1$', out, re.M), "once: the GPU", out[:300])
    write("behind", "cshw:32 700\ncshw:38 800\n")
    out = program.output("prometheus", "-I", "1", settings=SETTINGS, load="behind")
    equal(value(parse(out, "a difference below 0"), "panthor_queue_active_cycles_total", "fragment"), 0,
          "a difference below 0: a total does not fall")
    status, out, _err = program.run("prometheus", "-I", "1", settings="gpu_id=0x98670005," + SETTINGS, load="load")
    values = parse(out, "a GPU without a table")
    check(status == 0 and value(values, "panthor_samples_total") == 1 and
          value(values, "panthor_gpu_active_cycles_total") is None, "a GPU without a table: what is known without", out)


def test_suspended(program):
    """No sample comes, as of a suspended GPU: the file is there, and its totals are 0."""
    writer = subprocess.Popen([program.program, "prometheus", "-I", "3600", "-o", FILE],
                              env=base.environment(SETTINGS, "load"))
    check(wait_for(lambda: os.path.exists(FILE)), "no sample yet: the file is there")
    values = parse(read(), "no sample yet")
    wrong = {key: value(values, *key) for key in COUNTS if value(values, *key) != 0}
    check(not wrong and value(values, "panthor_samples_total") == 0, "no sample yet: all totals are 0", wrong)
    # SETTINGS has one clock.
    clocks = {labels: number for (name, labels), number in values.items() if name == "panthor_clock_cycles_total"}
    check(len(clocks) == 1 and value(values, "panthor_clock_cycles_total", "toplevel") == 0,
          "no sample yet: the cycles of the only clock are 0", clocks)
    check(0 <= time.time() - value(values, "panthor_last_sample_timestamp_seconds") < 60,
          "no sample yet: the time when counting began")
    judged(read(), "no sample yet")
    writer.send_signal(signal.SIGTERM)
    equal(writer.wait(), 0, "no sample yet: the status of SIGTERM")
    check(not os.path.exists(FILE), "no sample yet: the file is removed at the end")


def test_file(program):
    writer = subprocess.Popen([program.program, "prometheus", "-I", "1", "-o", FILE], stderr=subprocess.PIPE,
                              env=base.environment(SETTINGS, "load"))
    check(wait_for(lambda: os.path.exists(FILE)), "a file: it comes")
    equal(stat.S_IMODE(os.stat(FILE).st_mode), 0o644, "a file: everybody can read it")
    torn, seen, deadline = [], [], time.monotonic() + 4
    while time.monotonic() < deadline:
        text = read()
        if not re.search(r"^panthor_last_sample_timestamp_seconds\{.*\} \d+(\.\d+)?\n\Z", text, re.M):
            torn.append(text)
        seen.append(samples_of(text))
    check(not torn and len(seen) > 100, f"a file: whole, {len(seen)} times", torn[:1])
    check(seen == sorted(seen) and seen[-1] > seen[0], "a file: totals rise", f"{seen[0]} to {seen[-1]}")
    totals(parse(read(), "a file"), "a file")
    judged(read(), "a file")
    # The next file is written beside it, and renamed.
    check(wait_for(lambda: not beside()), "a file: no other stays beside it", beside())

    # Nothing replaces a folder: as on a full disk, the next interval tries again.
    os.unlink(FILE)
    os.mkdir(FILE)
    os.mkdir(os.path.join(FILE, "inside"))
    before = seen[-1]
    time.sleep(2.5)
    os.rmdir(os.path.join(FILE, "inside"))
    os.rmdir(FILE)
    check(wait_for(lambda: os.path.isfile(FILE)), "a file that could not be written: it comes back")
    check(totals(parse(read(), "back"), "back") >= before + 2, "a file that could not be written: no count is lost")
    writer.send_signal(signal.SIGTERM)
    err = writer.communicate()[1].decode()
    equal(writer.returncode, 0, "a file: the status of SIGTERM")
    check(not os.path.exists(FILE), "a file: it is removed at the end")
    equal(beside(), [], "a file: nothing is left beside it")
    lines = err.splitlines()
    check(len(lines) == 2 and "writing gpu.prom: " in lines[0] and "gpu.prom is written again" in lines[1],
          "a file that could not be written: one message, and another one", err)


def test_wrong(program):
    program.expect("another name", 2, "its name ends in .prom", "prometheus", "-o", "gpu.txt")
    program.expect("no name", 2, "its name ends in .prom", "prometheus", "-o", ".prom")
    program.expect("a short interval", 2, "interval in s '0.5' is not a number from 1 to 86400", "prometheus", "-I", "0.5")
    program.expect("no interval", 2, "interval in s 'x' is not a number from 1 to 86400", "prometheus", "-I", "x")
    program.expect("an argument", 2, "unexpected argument 'x'", "prometheus", "x")
    program.expect("no such folder", 1, "writing none/gpu.prom: No such file", "prometheus", "-I", "1", "-o", "none/gpu.prom")
    program.expect("no counters", 3, "no performance counters", "prometheus", settings="info_errno=95")


def test_alerts():
    """The alerts name metrics that the program writes."""
    here = os.path.dirname(os.path.realpath(__file__))
    rules = os.path.join(here, "..", "..", "integrations", "prometheus", "panthor-alerts.yml")
    with open(rules, encoding="utf-8") as file:
        named = set(re.findall(r"\bpanthor_[a-z_]+", file.read()))
    with open(os.path.join(here, "..", "..", "tools", "panthor-perf", "commands", "cmd_prometheus.c"), encoding="utf-8") as file:
        written = set(re.findall(r'"(panthor_[a-z_]+)', file.read()))
    check(len(named) >= 4 and named <= written, "alerts: of metrics that there are", named - written)
    promtool = os.environ.get("PROMTOOL") or shutil.which("promtool")
    if promtool:
        run = subprocess.run([promtool, "check", "rules", rules], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        check(not run.returncode, "alerts: promtool", run.stdout)


def test(program):
    write("load", LOAD)
    test_once(program)
    test_suspended(program)
    test_file(program)
    test_wrong(program)
    test_alerts()


sys.exit(base.main(__doc__, sys.argv, test))
