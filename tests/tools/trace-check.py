#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/trace-check.py RECORDING TRACE

Compares a Perfetto trace that "panthor-perf export --perfetto RECORDING -o TRACE" wrote, as protoc
decodes it, with the recording, value by value: every hardware counter of the GPU and of its blocks at every
sample, per second, clock snapshots, samples with flags or events, and marks. Derived counters, which have a point in
each sample or in none, are numbers; their values and fields are for recordings-test. Prints "trace: N values
compared, M differ"; the exit status is 1 if one differs or there is nothing to compare.
"""

import math
import struct
import sys

sys.dont_write_bytecode = True
from recordings import CLOCKS, FINAL, START, STOP, Recording, get, load_trace, text  # noqa: E402


def rate(sample, count):
    return count * 1e9 / (sample["end"] - sample["start"])


class Comparison:
    def __init__(self):
        self.count = self.differ = 0

    def equal(self, got, want, what):
        self.count += 1
        if got == want or (isinstance(got, float) and isinstance(want, float) and
                           math.isclose(got, want, rel_tol=1e-12)):
            return
        self.differ += 1
        if self.differ <= 10:
            print(f"trace: {what}: {got} instead of {want}", file=sys.stderr)


def compare_gpu(compare, rec, packets, names):
    """Values of the GPU stand at the starts of samples; there is a 0 at the end of a run."""
    events = [(int(get(p, "timestamp")), get(p, "gpu_counter_event")) for p in packets
              if get(p, "gpu_counter_event") is not None]
    if not events:
        compare.equal("no events", "GPU counters", "GpuCounterEvent")
        return
    specs = {get(v, "counter_id"): text(get(v, "name")) for k, v in get(events[0][1], "counter_descriptor")
             if k == "specs"}
    values = {at: {specs[get(v, "counter_id")]: get(v, "int_value") or get(v, "double_value")
                   for k, v in event if k == "counters"} for at, event in events[1:]}
    starts = [s["start"] for s in rec.samples]
    ends = [s["end"] for i, s in enumerate(rec.samples) if i + 1 == len(starts) or s["end"] < starts[i + 1]]
    compare.equal(sorted(values), sorted(starts + ends), "times of GPU counters")
    had = set().union(*values.values())
    for number, sample in enumerate(rec.samples):
        points = values.get(sample["start"], {})
        for name in specs.values():
            if name in names:
                block, index, shift = names[name]
                compare.equal(float(points.get(name, "nan")), rate(sample, rec.value(number, block, index) << shift),
                              f"sample {number}, {name}")
            elif name in had:
                compare.equal(math.isfinite(float(points.get(name, "nan"))), True,
                              f"sample {number}, {name} is a number")
    # At the end of a run, 0 for what has values, and for nothing else.
    for number, sample in enumerate(rec.samples):
        if sample["end"] in ends and sample["end"] not in starts:
            compare.equal({name: float(value) for name, value in values.get(sample["end"], {}).items()},
                          {name: 0 for name in had}, f"the end of the run of sample {number}")


def compare_tracks(compare, rec, packets, names):
    tracks = {get(t, "uuid"): t for t in (get(p, "track_descriptor") for p in packets) if t}
    events = {}
    for packet in packets:
        event = get(packet, "track_event")
        if event:
            events.setdefault(get(event, "track_uuid"), []).append((int(get(packet, "timestamp")), event))
    for uuid, track in tracks.items():
        name = text(get(track, "name"))
        parent = text(get(tracks.get(get(track, "parent_uuid"), []), "name", "")) or ""
        if get(track, "counter") is not None and name in names and " " in parent:
            block, index, shift = names[name]
            instance = int(parent.split()[1])
            values = {at: float(get(e, "double_counter_value")) for at, e in events[uuid]}
            for number, sample in enumerate(rec.samples):
                compare.equal(values.get(sample["start"]),
                              rate(sample, rec.value(number, block, index, instance) << shift),
                              f"sample {number}, {parent}, {name}")
        elif name == "samples with flags or events":
            got = [at for at, e in events.get(uuid, []) if get(e, "type") == "TYPE_SLICE_BEGIN"]
            compare.equal(got, [s["start"] for s in rec.samples if s["flags"] & ~FINAL or s["events"]], name)
        elif name == "marks":
            got = [(at, text(get(e, "name"))) for at, e in events.get(uuid, [])
                   if get(e, "type") == "TYPE_SLICE_BEGIN"]
            compare.equal(got, [(rec.samples[sample]["start"], mark or str(mark_id))
                                for mark_id, sample, mark in rec.marks() if sample < len(rec.samples)], name)


def compare_clocks(compare, rec, packets):
    got = []
    for packet in packets:
        clocks = {get(v, "clock_id"): int(get(v, "timestamp")) for k, v in get(packet, "clock_snapshot", [])
                  if k == "clocks"}
        if clocks:
            got.append((clocks["3"], clocks["5"]))
    want = [(c[1] + c[3] // 2, c[2]) for c in (struct.unpack("<7Q", body) for body in rec.of_kind(START))]
    want += [(m + u // 2, r) for m, r, u in (struct.unpack("<3Q", body) for body in rec.of_kind(CLOCKS))]
    want += [(c[4] + c[6] // 2, c[5]) for c in (struct.unpack("<7Q", body) for body in rec.of_kind(STOP))]
    compare.equal(got, want, "clock snapshots")


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    rec = Recording(sys.argv[1])
    packets = [body for _field, body in load_trace(sys.argv[2])]
    names = rec.names()
    compare = Comparison()
    if not packets or not names or not rec.samples:
        print("trace: protoc does not decode the trace, or the recording has no samples or no names", file=sys.stderr)
        return 1
    compare_gpu(compare, rec, packets, names)
    compare_tracks(compare, rec, packets, names)
    compare_clocks(compare, rec, packets)
    print(f"trace: {compare.count} values compared, {compare.differ} differ")
    return 1 if compare.differ or compare.count < len(rec.samples) else 0


if __name__ == "__main__":
    sys.exit(main())
