# SPDX-License-Identifier: GPL-2.0 or MIT
"""What Perfetto shows of counters in a trace, by the rules of its importer from v50 to v58.

A value of a GPU counter is valid up to its time from that of the value before (v51 and later), unless the counter's
description says otherwise (v56 and later); one of a track event from its time on. perfetto-cases.csv has packets and
what is shown of them; cases() holds this file to them."""

import csv
import os
import re

from recordings import get, text

HERE = os.path.dirname(os.path.realpath(__file__))
VERSIONS = (51, 55, 56, 58)
RAW, BOOTTIME = "5", "6"


class Counters:
    """The tables of counters that an importer makes of GPU counter events, in the order of their time."""

    def __init__(self, version):
        self.version = version
        self.tracks = {}    # (GPU, name): [[time, value]...]
        self.specs = {}     # id: (track, forward)
        self.before = {}    # what appended a row before: the row
        self.errors = []

    def describe(self, specs, gpu=0):
        """specs: (id, name, value_direction)."""
        for number, name, direction in specs:
            if number in self.specs or not name:
                self.errors.append(f"gpu_counters_invalid_spec: {number}")
                continue
            forward = self.version < 51 or self.version >= 56 and direction == 2
            self.specs[number] = ((gpu, name), forward)
            self.tracks.setdefault((gpu, name), [])

    def add(self, time, values):
        for number, value in values:
            if number not in self.specs:
                self.errors.append(f"counter {number} without a description")
                continue
            track, forward = self.specs[number]
            rows = self.tracks[track]
            if forward:
                rows.append([time, value])
                continue
            key = track if self.version >= 57 else number
            row = [time, 0]
            rows.append(row)
            if key in self.before:
                self.before[key][1] = value
            self.before[key] = row


def intervals(rows, end):
    """What a track shows: (from, to, value); to is None for the end of the trace."""
    ends = [row[0] for row in rows[1:]] + [end]
    return [(row[0], to, row[1]) for row, to in zip(rows, ends)]


def run_case(version, packets, specs=((1, "counter", 0),), gpus=None):
    """packets: (time, ((id, value)...)), in the order of the file."""
    counters = Counters(version)
    for gpu in gpus or (0,):
        counters.describe(specs, gpu)
    for time, values in sorted(packets, key=lambda p: p[0]):
        counters.add(time, values)
    return counters


def cases(equal):
    """Compare the rules with the cases. equal(got, want, name)."""
    with open(os.path.join(HERE, "perfetto-cases.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    for name, _what, packets, *wanted in rows:
        if not re.fullmatch(r"(\d+:\d+ ?)+", packets):
            continue
        pairs = [tuple(map(int, pair.split(":"))) for pair in packets.split()]
        for versions, want in zip(((51, 55, 56, 58), (50,)), wanted):
            for version in versions:
                counters = run_case(version, [(at, ((1, value),)) for at, value in pairs])
                got = " ".join(f"[{at},{'end' if to is None else to})={value}"
                               for at, to, value in intervals(counters.tracks[0, "counter"], None))
                equal(got, want, f"Perfetto's rules, {name}, v{version}")
    # P1 in v56 and later, if the description says forward, and in another order of the packets (P13).
    packets = [(at, ((1, value),)) for at, value in ((10, 0), (20, 5), (30, 7), (40, 0))]
    for version, want in ((55, [[10, 5], [20, 7], [30, 0], [40, 0]]), (58, [[10, 0], [20, 5], [30, 7], [40, 0]])):
        equal(run_case(version, packets, ((1, "counter", 2),)).tracks[0, "counter"], want,
              f"Perfetto's rules, P1 with direction 2, v{version}")
    equal(run_case(58, packets[::-1]).tracks[0, "counter"], [[10, 5], [20, 7], [30, 0], [40, 0]],
          "Perfetto's rules, P13")
    # P11: two ids of one name; P12: one id on two GPUs.
    packets = [(10, ((1, 1), (2, 5))), (20, ((1, 2), (2, 6)))]
    for version, want in ((51, [[10, 2], [10, 6], [20, 0], [20, 0]]), (58, [[10, 5], [10, 2], [20, 6], [20, 0]])):
        equal(run_case(version, packets, ((1, "one", 0), (2, "one", 0))).tracks[0, "one"], want,
              f"Perfetto's rules, P11, v{version}")
    packets = [(10, ((1, 1),)), (11, ((1, 100),)), (20, ((1, 2),)), (21, ((1, 200),))]
    counters = run_case(58, packets, gpus=(0, 1))
    equal((counters.tracks[0, "counter"], len(counters.errors)), ([[10, 100], [11, 2], [20, 200], [21, 0]], 1),
          "Perfetto's rules, P12")


def number(fields, *names):
    for name in names:
        value = get(fields, name)
        if value is not None:
            return float(value) if "double" in name else int(value)
    return None


class Import:
    """What a version of Perfetto has of a trace: packets as recordings.load_trace() returns them."""

    def __init__(self, packets, version):
        self.counters = Counters(version)
        self.snapshots = []
        self.events = {}        # uuid of a track: [[time, value]...]
        self.slices = {}        # uuid of a track: [(time, type, name)...]
        self.names = {}         # uuid of a track: (name, uuid of its parent)
        self.frequency = []     # [[time, kHz]...]
        self.errors = self.counters.errors
        timed = []
        for packet in packets:
            snapshot = get(packet, "clock_snapshot")
            if snapshot:
                self.snapshots.append({get(v, "clock_id"): int(get(v, "timestamp")) for k, v in snapshot if k == "clocks"})
        for packet in packets:
            track = get(packet, "track_descriptor")
            if track:
                self.names[get(track, "uuid")] = (text(get(track, "name")), get(track, "parent_uuid"))
            for _field, event in (v for v in get(packet, "ftrace_events", []) if v[0] == "event"):
                frequency = get(event, "gpu_frequency", [])
                timed.append((self.convert(int(get(event, "timestamp")), BOOTTIME), "frequency", frequency))
            for kind in ("gpu_counter_event", "track_event"):
                if get(packet, kind) is None:
                    continue
                if get(packet, "timestamp") is None:
                    self.errors.append(f"{kind} without a time")
                    continue
                timed.append((self.convert(int(get(packet, "timestamp")), get(packet, "timestamp_clock_id", BOOTTIME)),
                              kind, get(packet, kind)))
        # Versions read descriptions while the file is read, or in the order of time.
        if version in (53, 54) or version >= 57:
            for _time, kind, event in timed:
                self.describe(kind, event)
        timed.sort(key=lambda entry: entry[0])
        self.end = max([entry[0] for entry in timed], default=0)
        for time, kind, event in timed:
            if version < 53 or version in (55, 56):
                self.describe(kind, event)
            getattr(self, "add_" + kind)(time, event)

    def convert(self, time, clock):
        """To the trace's clock, by the snapshot before; by the first one for what is earlier."""
        if clock == RAW:
            return time
        known = [s for s in self.snapshots if clock in s]
        if not known:
            self.errors.append(f"clock_sync_failure: {clock}")
            return 0
        before = [s for s in known if s[clock] <= time] or known[:1]
        return time - before[-1][clock] + before[-1][RAW]

    def describe(self, kind, event):
        descriptor = get(event, "counter_descriptor") if kind == "gpu_counter_event" else None
        for _field, spec in (v for v in descriptor or () if v[0] == "specs"):
            direction = {"BACKWARDS": 1, "FORWARDS": 2}.get(get(spec, "value_direction"), 0)
            self.counters.describe([(int(get(spec, "counter_id")), text(get(spec, "name")), direction)],
                                   int(get(event, "gpu_id", 0)))

    def add_gpu_counter_event(self, time, event):
        self.counters.add(time, [(int(get(v, "counter_id")), number(v, "int_value", "double_value"))
                                 for k, v in event if k == "counters"])

    def add_track_event(self, time, event):
        kind, uuid = get(event, "type"), get(event, "track_uuid")
        if kind == "TYPE_COUNTER":
            self.events.setdefault(uuid, []).append([time, number(event, "counter_value", "double_counter_value")])
        else:
            self.slices.setdefault(uuid, []).append((time, kind, text(get(event, "name"))))

    def add_frequency(self, time, event):
        self.frequency.append([time, int(get(event, "state"))])

    def full_name(self, uuid):
        name, parent = self.names[uuid]
        return (self.full_name(parent) if parent else ()) + (name,)

    def gpu_counters(self):
        """What the tracks of the GPU show: name: intervals."""
        return {name: intervals(rows, self.end) for (_gpu, name), rows in self.counters.tracks.items() if rows}

    def block_counters(self):
        """What the tracks of blocks show: (block, name): intervals."""
        return {self.full_name(uuid)[-2:]: intervals(rows, self.end) for uuid, rows in self.events.items()}
