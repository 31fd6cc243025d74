#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Write the rows of a Perfetto trace of the Vulkan layer as the layer itself writes them in CSV.

usage: trace-rows.py TRACE >ROWS

Each slice is a row. Its counters are those whose track has a value from its begin to its end, and 0 from there on.
"""

import csv
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tools"))
from recordings import get, load_trace, text  # noqa: E402

ANNOTATIONS = ("unit", "frame", "device", "queue", "type", "quality")


def value_of(event):
    return get(event, "counter_value") or get(event, "double_counter_value")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    tracks, counters, rows, opened = {}, {}, [], None
    for _, packet in load_trace(sys.argv[1]):
        track, event = get(packet, "track_descriptor"), get(packet, "track_event")
        if track:
            tracks[get(track, "uuid")] = text(get(track, "name"))
        if not event:
            continue
        at, kind = int(get(packet, "timestamp")), get(event, "type")
        if kind == "TYPE_SLICE_BEGIN":
            notes = {text(get(note, "name")): get(note, "uint_value") or text(get(note, "string_value"))
                     for name, note in event if name == "debug_annotations"}
            opened = {name: notes[name] for name in ANNOTATIONS} | {"label": text(get(event, "name")), "start_ns": at}
            counters[len(rows)] = {}
        elif kind == "TYPE_SLICE_END":
            rows.append(opened | {"end_ns": at})
        else:
            values = counters[len(rows)].setdefault(tracks[get(event, "track_uuid")], [])
            values.append((at, value_of(event)))
    for number, row in enumerate(rows):
        for name, values in counters[number].items():
            (start, value), (end, nothing) = values
            if start != row["start_ns"] or end != row["end_ns"] or float(nothing):
                sys.exit(f"unit {row['unit']}: {name} is not from the begin to the end")
            row[name] = value
    if not rows:
        sys.exit(f"{sys.argv[1]}: no slices")
    names = [name for name in tracks.values() if name in rows[0]]
    fields = ["unit", "frame", "device", "queue", "type", "label", "start_ns", "end_ns", "quality", *names]
    writer = csv.DictWriter(sys.stdout, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()
