#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Draw a frame that the Vulkan layer has counted: when each unit ran, and what it cost, by label.

FILE is what PANTHOR_PERF_LAYER_OUTPUT named, CSV or JSON. The picture has a line for each unit of the frame, in the
order in which the GPU executed them: its label, its time in the colour of its type, and some of its counters. gnuplot
draws it."""

import argparse
import csv
import json
import os
import subprocess
import sys

COLUMNS = ("unit", "frame", "device", "queue", "type", "label", "start_ns", "end_ns", "quality")
# What the types of workloads look like. A unit with several of them, or with none that is known, has the last colour.
COLOURS = {"render_pass": "#3465a4", "compute": "#f57900", "data_graph": "#ad7fa8", "trace_rays": "#a40000",
           "image_transfer": "#73d216", "buffer_transfer": "#c17d11", "as_build": "#204a87", "as_transfer": "#5c3566",
           "video": "#06989a", "": "#888a85"}
SUFFIXES = {".svg": "svg", ".png": "pngcairo"}
DEFAULT_COUNTERS = 3
MAX_UNITS = 500
LINE_HEIGHT = 22
LONGEST_LABEL = 44
WIDTH = 1200
# Parts of the width: labels, time line, a gap before each column of counters, and the right margin.
LABELS, TIMES, GAP, MARGIN = 0.24, 0.5, 0.025, 0.01
# Width of a name in the key of the types, and the most of these.
KEY, MAX_KEYS = 0.1, 8


def die(text):
    print(f"panthor-perf-frame: {text}", file=sys.stderr)
    sys.exit(1)


class Unit:
    """A row of the file."""

    def __init__(self, row, counters):
        self.number, self.frame = int(row["unit"]), int(row["frame"])
        self.start_ns, self.end_ns = int(row["start_ns"]), int(row["end_ns"])
        self.label, self.quality, self.type = row["label"], row["quality"], row["type"]
        self.counters = {name: float(value) for name, value in counters.items() if value not in (None, "")}


def read_json(lines):
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            yield Unit(row, row["counters"])
        except (ValueError, KeyError, TypeError, AttributeError):
            die(f"line {number} is not a row of the layer")


def read_csv(lines):
    reader = csv.DictReader(lines)
    if not reader.fieldnames or tuple(reader.fieldnames[:len(COLUMNS)]) != COLUMNS:
        die("the first line is not that of the layer")
    for number, row in enumerate(reader, 2):
        try:
            yield Unit(row, {name: row[name] for name in reader.fieldnames[len(COLUMNS):]})
        except (ValueError, KeyError, TypeError):
            die(f"line {number} is not a row of the layer")


def load(path):
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            begin = file.read(1)
            file.seek(0)
            return list(read_json(file) if begin == "{" else read_csv(file))
    except OSError as error:
        die(f"{path}: {error.strerror}")


def frame_of(units, number):
    """The units of a frame: of the first one that has any, if there is no number."""
    if not units:
        die("the file has no units")
    frames = sorted({unit.frame for unit in units})
    if number is None:
        number = frames[0]
    if number not in frames:
        die(f"the file has no unit of frame {number}, but of {frames[0]} to {frames[-1]}")
    chosen = sorted((unit for unit in units if unit.frame == number), key=lambda unit: (unit.start_ns, unit.number))
    if len(chosen) > MAX_UNITS:
        die(f"frame {number} has {len(chosen)} units, which is more than the {MAX_UNITS} of a picture")
    return number, chosen


def counters_of(units, names):
    known = list(dict.fromkeys(name for unit in units for name in unit.counters))
    if names is None:
        return known[:DEFAULT_COUNTERS]
    for name in names:
        if name not in known:
            die(f"the frame has no counter {name}, but {', '.join(known) or 'none'}")
    return names


def quote(text):
    """A string of gnuplot's in which nothing is special."""
    return "'" + "".join(c if c.isprintable() else "?" for c in text).replace("'", "''") + "'"


def short(text):
    return text if len(text) <= LONGEST_LABEL else text[:LONGEST_LABEL - 3] + "..."


def colour_of(unit):
    return COLOURS.get(unit.type, COLOURS[""])


def column(title, left, right, last):
    """What gnuplot needs to know of one of the plots beside each other."""
    return f"""set title {quote(title)} noenhanced
set lmargin at screen {left:.4f}
set rmargin at screen {right:.4f}
set yrange [{last + 0.5}:-0.5]
"""


def script(number, units, counters, terminal, output):
    begin_ns = min(unit.start_ns for unit in units)
    last = len(units) - 1
    height = LINE_HEIGHT * len(units) + 126
    total_ms = (max(unit.end_ns for unit in units) - begin_ns) / 1e6
    inexact = sum(unit.quality != "exact" for unit in units)
    title = f"frame {number}: {len(units)} units in {total_ms:.3f} ms"
    if inexact:
        title += f", {inexact} not exact"
    text = [f"set terminal {terminal} size {WIDTH},{height} font 'sans,11' noenhanced background rgb 'white'",
            f"set output {quote(output)}", "$units << END"]
    for line, unit in enumerate(units):
        times = [f"{(time - begin_ns) / 1e6:.6f}" for time in (unit.start_ns, unit.end_ns)]
        values = [repr(unit.counters[name]) if name in unit.counters else "NaN" for name in counters]
        text.append(" ".join([str(line), *times, *values, str(int(colour_of(unit)[1:], 16))]))
    types = list(dict.fromkeys(unit.type if unit.type in COLOURS else "" for unit in units))
    keys = [f"set label {at} {quote(name or 'several or none')} at screen {LABELS + (at - 1) * KEY:.4f},{10 / height:.4f} left "
            f"noenhanced font ',9' tc rgb '{COLOURS[name]}'"
            for at, name in enumerate(types[:MAX_KEYS], 1)]
    text += ["END", "set key off", "set style fill solid 0.8 noborder", "set grid xtics lc rgb '#dddddd'",
             f"set tmargin at screen {1 - 58 / height:.4f}", f"set bmargin at screen {52 / height:.4f}",
             "set xtics nomirror font ',9'", "set border 3", f"set multiplot title {quote(title)} noenhanced"]
    ticks = ", ".join(f"{quote(short(unit.label))} {line}" for line, unit in enumerate(units))
    text += [column("time in ms", LABELS, TIMES if counters else 1 - MARGIN, last),
             f"set ytics nomirror scale 0 ({ticks})", "set xrange [0:*]", *keys,
             f"plot $units using (($2 + $3) / 2):1:(($3 - $2) / 2):(0.38):{len(counters) + 4} "
             "with boxxyerror lc rgb variable", "unset label",
             "unset ytics", "unset xtics", "set border 2",
             "number(x) = x == floor(x) ? sprintf('%.0f', x) : sprintf('%.4g', x)"]
    width = (1 - MARGIN - TIMES) / len(counters) if counters else 0
    for at, name in enumerate(counters):
        left = TIMES + at * width
        top = max((unit.counters.get(name, 0) for unit in units), default=0) or 1
        value = f"${at + 4}"
        # The number stands behind its bar.
        text += [column(name, left + GAP, left + width, last), f"set xrange [0:{top * 1.45!r}]",
                 f"plot $units using ({value} / 2):1:({value} / 2):(0.38) with boxxyerror lc rgb '#4e9a06', "
                 f"'' using ({value} + {top * 0.02!r}):1:(number({value})) with labels left font ',9'"]
    text.append("unset multiplot")
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", help="rows of the layer")
    parser.add_argument("-o", "--output", metavar="PICTURE", required=True, help="NAME.svg or NAME.png")
    parser.add_argument("--frame", type=int, metavar="N", help="the frame (default: the first one of the file)")
    parser.add_argument("--counters", metavar="NAME,...", help="counters to draw, by their names in the file (default: "
                        f"the first {DEFAULT_COUNTERS})")
    args = parser.parse_args()
    terminal = SUFFIXES.get(os.path.splitext(args.output)[1])
    if not terminal:
        parser.error(f"'{args.output}' is neither NAME.svg nor NAME.png")
    number, units = frame_of(load(args.file), args.frame)
    counters = counters_of(units, args.counters.split(",") if args.counters is not None else None)
    try:
        with open(args.output, "wb"):
            pass
        subprocess.run(["gnuplot"], input=script(number, units, counters, terminal, args.output), check=True, text=True)
    except FileNotFoundError as error:
        die("gnuplot is not installed" if error.filename == "gnuplot" else f"{args.output}: {error.strerror}")
    except OSError as error:
        die(f"{args.output}: {error.strerror}")
    except subprocess.CalledProcessError:
        die("gnuplot failed")


if __name__ == "__main__":
    main()
