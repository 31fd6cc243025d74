#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/trace-check.py [--only NAME,...] RECORDING TRACE [FIRST LAST]
       tests/tools/trace-check.py --show TRACE

Compares what Perfetto v51, v55, v56 and v58 show (perfetto.py) of a trace that "panthor-perf export --perfetto RECORDING
-o TRACE" wrote, with the recording: each hardware counter of the GPU and of its blocks shows the count of a sample
from its start to its end, and 0 before, between and behind samples that do not touch. FIRST and LAST are numbers of the
samples that were exported, from 0. NAME is a counter that was exported; without it, each one that counted must be there,
for the GPU and, if there are tracks of blocks, for the block. Compared are also the frequency, clocks, samples with flags or events, gaps and marks.
Derived counters have a number in each sample; their values are for recordings-test. Prints "trace: N values compared,
M differ"; the exit status is 1 if one differs or there is nothing to compare.

With --show, prints what v51 and v58 show: a line for each interval of each track of the GPU.
"""

import math
import signal
import struct
import sys

sys.dont_write_bytecode = True
from perfetto import BOOTTIME, VERSIONS, Import, intervals  # noqa: E402
from recordings import CLOCKS, FINAL, OTHER_CLOCKS, START, STOP, Recording, get, load_trace, text  # noqa: E402

MAX_SLEW = 0.001    # CLOCK_MONOTONIC runs up to so much faster or slower than CLOCK_MONOTONIC_RAW


class Comparison:
    def __init__(self):
        self.count = self.differ = 0

    def equal(self, got, want, what):
        self.count += 1
        if got == want:
            return
        self.differ += 1
        if self.differ <= 10:
            print(f"trace: {what}: {str(got)[:300]} instead of {str(want)[:300]}", file=sys.stderr)


def wanted(samples, values, end):
    """What has to be shown of a counter. Backwards and forwards give the same rows."""
    rows = []
    for i, (sample, value) in enumerate(zip(samples, values)):
        rows.append([sample["start"], value])
        if i + 1 == len(samples) or samples[i + 1]["start"] > sample["end"]:
            rows.append([sample["end"], 0])
    return intervals(rows, end)


def compare_counters(compare, rec, samples, seen, names, only):
    """The sums of the GPU, and each block."""
    where = {f"{block} {idx}": (block, i) for block, list_of in samples[0]["indices"].items()
             for i, idx in enumerate(list_of)}
    shown = seen.gpu_counters()
    blocks = seen.block_counters()

    def counts(block, index, *instance):
        """A compact sample has what was asked for alone."""
        try:
            return any(rec.value(s["number"], block, index, *instance) for s in samples)
        except KeyError:
            return False

    for name in only or names:
        block, index, _shift = names.get(name, (None, None, None))
        if block and counts(block, index):
            compare.equal(name in shown, True, f"v{seen.counters.version}, there is {name}")
        # The sum of one block is the block.
        for place, (of, instance) in where.items() if blocks else ():
            if of == block and len(samples[0]["blocks"][of]) > 1 and counts(block, index, instance):
                compare.equal((place, name) in blocks, True, f"v{seen.counters.version}, there is {name} of {place}")
    for name, spans in shown.items():
        if name in names:
            block, index, shift = names[name]
            values = [rec.value(s["number"], block, index) << shift for s in samples]
            compare.equal(spans, wanted(samples, values, seen.end), f"v{seen.counters.version}, {name}")
        else:
            # Numbers in each sample, and 0 else.
            values = [value for _start, _to, value in spans]
            compare.equal([(start, to) for start, to, _value in spans],
                          [(start, to) for start, to, _value in wanted(samples, values, seen.end)],
                          f"v{seen.counters.version}, times of {name}")
            compare.equal(all(math.isfinite(value) for value in values), True, f"{name} is a number")
    compare.count += sum(map(len, shown.values()))
    for (place, name), spans in blocks.items():
        if name not in names or place not in where:
            continue
        block, index, shift = names[name]
        values = [rec.value(s["number"], block, index, where[place][1]) << shift for s in samples]
        compare.equal(spans, wanted(samples, values, seen.end), f"v{seen.counters.version}, {place}, {name}")
    compare.equal(seen.errors, [], f"v{seen.counters.version}, errors")


def compare_slices(compare, rec, samples, seen):
    gaps = [(a["end"], b["start"]) for a, b in zip(samples, samples[1:]) if b["start"] > a["end"]]
    flagged = [(s["start"], s["end"]) for s in samples if s["flags"] & ~FINAL or s["events"]]
    marks = {number: (number_of, mark) for number_of, number, mark in rec.marks()}
    want = {
        "samples with flags or events, gaps": sorted(gaps + flagged),
        "marks": [(s["start"], s["end"]) for s in samples if s["number"] in marks],
    }
    got = {name: [] for name in want}
    for uuid, events in seen.slices.items():
        begins = [time for time, kind, _name in events if kind == "TYPE_SLICE_BEGIN"]
        got[seen.full_name(uuid)[-1]] = list(zip(begins, [time for time, kind, _n in events if kind == "TYPE_SLICE_END"]))
        for time, kind, name in events:
            if kind == "TYPE_SLICE_BEGIN" and (time in [gap[0] for gap in gaps]) != (name == "not counted") and \
                    seen.full_name(uuid)[-1] != "marks":
                compare.equal(name, "not counted", f"the slice at {time}")
    compare.equal(got, want, "slices")
    names = [name for uuid, events in seen.slices.items() if seen.full_name(uuid)[-1] == "marks"
             for _time, kind, name in events if kind == "TYPE_SLICE_BEGIN"]
    compare.equal(names, [marks[s["number"]][1] or str(marks[s["number"]][0]) for s in samples if s["number"] in marks], "marks")


def clocks_of(rec):
    """Pairs of clocks in the order of time, and the other clocks that are known with them: by monotonic time."""
    bodies = list(rec.records)
    found = []
    for i, (kind, _at, body) in enumerate(bodies):
        behind = next((struct.unpack("<4Q", b) for k, _a, b in bodies[i + 1:i + 3] if k == OTHER_CLOCKS), None) \
            if kind in (START, STOP, CLOCKS) else None
        if kind == START:
            call = struct.unpack("<7Q", body)
            found.append((call[2], call[1] + call[3] // 2, behind))
        elif kind == CLOCKS:
            monotonic, raw, took = struct.unpack("<3Q", body)
            found.append((raw, monotonic + took // 2, behind))
        elif kind == STOP:
            call = struct.unpack("<7Q", body)
            found.append((call[5], call[4] + call[6] // 2, behind))
    others = None
    for raw, monotonic, behind in sorted(found, key=lambda one: one[0]):
        others = behind or others
        yield monotonic, raw, others


def compare_clocks(compare, rec, seen):
    want = []
    for monotonic, raw, others in clocks_of(rec):
        want.append({"5": raw, "3": monotonic})
        if others:
            want[-1][BOOTTIME] = others[1] + monotonic - others[0]
            want[-1]["1"] = others[2] + monotonic - others[0]
    compare.equal(seen.snapshots, want, "clock snapshots")


def compare_frequency(compare, rec, samples, seen):
    """kHz from the start of each sample."""
    want = [int(s["cycles"] * 1000000 / (s["end"] - s["start"])) for s in samples if s["end"] > s["start"]] if samples[0]["cycles"] else []
    if not any(OTHER_CLOCKS == kind for kind, _at, _body in rec.records):
        want = []
    compare.equal([khz for _time, khz in seen.frequency], want, "frequencies")
    for (time, _khz), sample in zip(seen.frequency, samples):
        compare.equal(abs(time - sample["start"]) <= 1000 + MAX_SLEW * (sample["end"] - sample["start"]), True,
                      f"time of the frequency at {sample['start']}: {time}")


def check_description(compare, packets):
    """Names are unique, the description is in the packet with the first values, its groups are folders."""
    events = [p for p in packets if get(p, "gpu_counter_event") is not None]
    described = [p for p in events if get(get(p, "gpu_counter_event"), "counter_descriptor") is not None]
    compare.equal([p is events[0] for p in described], [True], "the description is in the first event alone")
    descriptor = get(get(events[0], "gpu_counter_event"), "counter_descriptor")
    specs = {get(v, "counter_id"): v for k, v in descriptor if k == "specs"}
    names = [text(get(v, "name")) for v in specs.values()]
    compare.equal(len(set(names)), len(names), "names of counters are unique")
    compare.equal({get(v, "value_direction") for v in specs.values()}, {"BACKWARDS"}, "the direction is said")
    groups = [(text(get(v, "name")), [x for k2, x in v if k2 == "counter_ids"]) for k, v in descriptor
              if k == "counter_groups"]
    compare.equal(all(name for name, _ids in groups), True, "groups have names")
    compare.equal({i for _name, ids in groups for i in ids}, set(specs), "each counter is in a folder")
    values = {get(v, "counter_id") for p in events for k, v in get(p, "gpu_counter_event") if k == "counters"}
    compare.equal(all({get(v, "counter_id") for k, v in get(p, "gpu_counter_event") if k == "counters"} == values
                      for p in events), True, "each counter has a value in each event")


def show(path):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    packets = [body for _field, body in load_trace(path)]
    for version in (51, 58):
        seen = Import(packets, version)
        for name, spans in seen.gpu_counters().items():
            for start, to, value in spans:
                print(f"v{version}  {name}  [{start},{to if to is not None else 'end'})  {value}")
    return 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--show":
        return show(sys.argv[2])
    only = []
    if len(sys.argv) > 2 and sys.argv[1] == "--only":
        only = sys.argv[2].split(",")
        del sys.argv[1:3]
    if len(sys.argv) not in (3, 5):
        print(__doc__)
        return 2
    rec = Recording(sys.argv[1])
    packets = [body for _field, body in load_trace(sys.argv[2])]
    names = rec.names()
    compare = Comparison()
    for number, sample in enumerate(rec.samples):
        sample["number"] = number
    first, last = map(int, sys.argv[3:]) if len(sys.argv) == 5 else (0, len(rec.samples) - 1)
    samples = rec.samples[first:last + 1]
    if not packets or not names or not samples:
        print("trace: protoc does not decode the trace, or the recording has no samples or no names", file=sys.stderr)
        return 1
    check_description(compare, packets)
    for version in VERSIONS:
        seen = Import(packets, version)
        compare_counters(compare, rec, samples, seen, names, only)
    compare_slices(compare, rec, samples, seen)
    compare_clocks(compare, rec, seen)
    compare_frequency(compare, rec, samples, seen)
    print(f"trace: {compare.count} values compared, {compare.differ} differ")
    return 1 if compare.differ or compare.count < len(samples) else 0


if __name__ == "__main__":
    sys.exit(main())
