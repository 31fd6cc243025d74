#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Draw frames that the Vulkan layer has counted: when each unit ran, and what it cost, by label.

FILE is what PANTHOR_PERF_LAYER_OUTPUT named, CSV or JSON. The picture has a line for each unit of the frame, in the
order in which the GPU executed them: its label, its time in the colour of its type, and some of its counters. With
--by-type it has a line for each type: when its units ran, and the sums of their counters. If each frame of the file is
one unit, the picture has a line for each frame. gnuplot draws it."""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import unicodedata

COLUMNS = ("unit", "frame", "device", "queue", "type", "label", "start_ns", "end_ns", "quality")
# What the types of workloads look like. A unit with several of them, or with none, has the last colour.
COLOURS = {"render_pass": "#3465a4", "compute": "#f57900", "data_graph": "#ad7fa8", "trace_rays": "#a40000",
           "image_transfer": "#73d216", "buffer_transfer": "#c17d11", "as_build": "#204a87", "as_transfer": "#5c3566",
           "video": "#06989a", "other": "#2e3436", "": "#888a85"}
SUFFIXES = {".svg": "svg", ".png": "pngcairo"}
DEFAULT_COUNTERS = 3
MAX_UNITS = 500
# Counters of the hardware, by name or by place. Of several units, only these have a sum.
SUMMED = re.compile(r"(Mali\w+|\w+:\d+)(/\d+)?$")
LINE_HEIGHT = 22
# The spaces of a label and of the name of a counter, in widths of an "e"; and letters that are not as wide as that.
LABEL_SPACE, NAME_SPACE = 30, 25
WIDTHS = {0.64: " fijltI.,:;|!/'()[]", 1.3: "+<>=~#&^", 1.65: "mwMW%@"}
CAPITAL, WIDEST = 1.3, 2.2
# With up to three counters. Each further one has a third of what is right of the times.
WIDTH = 1200
# Heights above and below the lines, in pixels.
HEAD, FOOT, SPACE = 74, 52, 16
# Parts of it: labels, time line, a gap before each column of counters, and the right margin.
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

    def line(self, number):
        """What stands at the left: the label, or the frame in a picture of several, and the quality."""
        text = self.label if number is not None else f"frame {self.frame}"
        return text if self.quality == "exact" else f"{text} ({self.quality})"


class Line:
    """A line of the picture: units, and the sums of their counters."""

    def __init__(self, text, units):
        self.text, self.units, self.counters = text, units, {}
        for unit in units:
            for name, value in unit.counters.items():
                self.counters[name] = self.counters.get(name, 0) + value


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


def choose(units, frames):
    """The units of the picture, and the number of their frame, or None: each is a frame.

    Without frames, a first and a last one, that is the first frame that has any unit, or all if each is one unit."""
    if not units:
        die("the file has no units")
    units = sorted(units, key=lambda unit: (unit.frame, unit.start_ns, unit.number))
    numbers = [unit.frame for unit in units]
    by_frame = len(set(numbers)) == len(numbers)
    if frames:
        chosen = [unit for unit in units if frames[0] <= unit.frame <= frames[1]]
        name = f"frames {frames[0]}-{frames[1]}" if frames[0] < frames[1] else f"frame {frames[0]}"
        if not chosen:
            die(f"the file has no unit of {name}, but of {numbers[0]} to {numbers[-1]}")
        if not by_frame and len({unit.frame for unit in chosen}) > 1:
            die(f"{name} have several units each: choose one of {chosen[0].frame} to {chosen[-1].frame}")
    else:
        chosen = units if by_frame else [unit for unit in units if unit.frame == numbers[0]]
        name = "the file" if by_frame else f"frame {numbers[0]}"
    if len(chosen) > MAX_UNITS:
        die(f"{name} has {len(chosen)} {'frames' if by_frame else 'units'}, which is more than the {MAX_UNITS} of a picture" +
            (": choose some with --frame A-B" if by_frame else ""))
    return chosen, None if len(chosen) > 1 and by_frame else chosen[0].frame


def lines_of(units, number, by_type):
    """A line for each unit; or for each type, in the order in which they begin."""
    if not by_type:
        return [Line(unit.line(number), [unit]) for unit in units]
    if number is None:
        die("--by-type: each frame of the file is one unit")
    groups = {}
    for unit in units:
        groups.setdefault(unit.type, []).append(unit)
    return [Line(f"{name or 'none'}: {units_text(len(group))}", group) for name, group in groups.items()]


def counters_of(units, names, by_type):
    known = list(dict.fromkeys(name for unit in units for name in unit.counters))
    if names is None:
        return [name for name in known if not by_type or SUMMED.match(name)][:DEFAULT_COUNTERS]
    for name in names:
        if name not in known:
            die(f"the frame has no counter {name}, but {', '.join(known) or 'none'}")
        if by_type and not SUMMED.match(name):
            die(f"--by-type: {name} is derived, and not the sum of those of several units")
    return names


def units_text(count):
    return f"{count} unit{'s' if count > 1 else ''}"


def quote(text):
    """A string of gnuplot's in which nothing is special."""
    return "'" + "".join(c if c.isprintable() else "?" for c in text).replace("'", "''") + "'"


def width_of(letter):
    if unicodedata.east_asian_width(letter) in "WF":
        return WIDEST
    return next((width for width, letters in WIDTHS.items() if letter in letters), CAPITAL if letter.isupper() else 1)


def short(text, space):
    """A text as far as there is space for it."""
    space -= sum(map(width_of, text))
    if space >= 0:
        return text
    while text and space < width_of("m"):
        space += width_of(text[-1])
        text = text[:-1]
    return text + "\N{HORIZONTAL ELLIPSIS}"


def amount(number):
    """A number of at most four digits, if need be of thousands, millions and so on. Whole ones below are exact."""
    if number == int(number) and abs(number) < 10000:
        return str(int(number))
    for letter in ("", " k", " M", " G", " T", " P"):
        text = f"{number:.4g}"
        if abs(float(text)) < 1000:
            return text + letter
        number /= 1000
    return f"{number * 1000:.4g} P"


def colour_of(unit):
    return COLOURS.get(unit.type, COLOURS[""])


def column(title, left, right, last):
    """What gnuplot needs to know of one of the plots beside each other."""
    return f"""set title {quote(title)} noenhanced font ',10'
set lmargin at screen {left:.4f}
set rmargin at screen {right:.4f}
set yrange [{last + 0.5}:-0.5]
"""


def script(lines, number, counters, terminal, output):
    units = [unit for line in lines for unit in line.units]
    # The text of such a line is its type, which needs no key.
    grouped = any(len(line.units) > 1 for line in lines)
    begin_ns = min(unit.start_ns for unit in units)
    last = len(lines) - 1
    height = LINE_HEIGHT * len(lines) + HEAD + FOOT + SPACE
    total_ms = (max(unit.end_ns for unit in units) - begin_ns) / 1e6
    # Parts of the usual width are parts of this one.
    share = 1 / max(1, TIMES + (len(counters) / DEFAULT_COUNTERS) * (1 - TIMES))
    labels, times_end = LABELS * share, TIMES * share if counters else 1 - MARGIN
    gap, margin = GAP * share, MARGIN * share
    inexact = sum(unit.quality != "exact" for unit in units)
    title = f"frame {number}: {units_text(len(units))} in {total_ms:.3f} ms"
    if number is None:
        title = f"{len(units)} frames from {units[0].frame} to {units[-1].frame} in {total_ms:.3f} ms"
    if inexact:
        title += f", {inexact} not exact"
    text = ["set encoding utf8", f"set terminal {terminal} size {round(WIDTH / share)},{height} font 'sans,11' noenhanced background rgb 'white'",
            f"set output {quote(output)}", "$units << END"]
    for at, line in enumerate(lines):
        for unit in line.units:
            # Frames are compared with each other.
            zero_ns = unit.start_ns if number is None else begin_ns
            times = [f"{(time - zero_ns) / 1e6:.6f}" for time in (unit.start_ns, unit.end_ns)]
            text.append(" ".join([str(at), *times, str(int(colour_of(unit)[1:], 16))]))
    text += ["END", "$sums << END"]
    for at, line in enumerate(lines):
        values = [(repr(line.counters[name]), f'"{amount(line.counters[name])}"') if name in line.counters else
                  ("NaN", '""') for name in counters]
        text.append(" ".join([str(at), *(word for value in values for word in value)]))
    types = list(dict.fromkeys(unit.type if unit.type in COLOURS else "" for unit in units))
    keys = [f"set label {at} {quote(name or 'several or none')} at screen {labels + (at - 1) * KEY * share:.4f},{10 / height:.4f} left "
            f"noenhanced font ',9' tc rgb '{COLOURS[name]}'"
            for at, name in enumerate(types[:MAX_KEYS], 1) if not grouped]
    text += ["END", "set key off", "set style fill solid 0.8 noborder", "set grid xtics lc rgb '#dddddd'",
             f"set tmargin at screen {1 - HEAD / height:.4f}", f"set bmargin at screen {FOOT / height:.4f}",
             "set xtics nomirror font ',9'", "set border 3", f"set multiplot title {quote(title)} noenhanced"]
    ticks = ", ".join(f"{quote(short(line.text, LABEL_SPACE))} {at}" for at, line in enumerate(lines))
    text += [column("time in ms", labels, times_end, last),
             f"set ytics nomirror scale 0 ({ticks})", "set xrange [0:*]", *keys,
             "plot $units using (($2 + $3) / 2):1:(($3 - $2) / 2):(0.38):4 with boxxyerror lc rgb variable", "unset label",
             "unset ytics", "unset xtics", "set border 2"]
    width = (1 - margin - times_end) / len(counters) if counters else 0
    for at, name in enumerate(counters):
        left = times_end + at * width
        top = max((line.counters.get(name, 0) for line in lines), default=0) or 1
        value = f"${2 * at + 2}"
        # The number stands behind its bar.
        text += [column(short(name, NAME_SPACE), left + gap, left + width, last), f"set xrange [0:{top * 1.45!r}]",
                 f"plot $sums using ({value} / 2):1:({value} / 2):(0.38) with boxxyerror lc rgb '#4e9a06', "
                 f"'' using ({value} + {top * 0.02!r}):1:{2 * at + 3} with labels left font ',9'"]
    text.append("unset multiplot")
    return "\n".join(text) + "\n"


def range_of(text):
    """N or A-B."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if last < first:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a frame nor A-B")
    return first, last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", help="rows of the layer")
    parser.add_argument("-o", "--output", metavar="PICTURE", required=True, help="NAME.svg or NAME.png")
    parser.add_argument("--frame", type=range_of, metavar="N", help="the frame (default: the first one of the file), or A-B: "
                        "these of a file in which each frame is one unit (default: all)")
    parser.add_argument("--by-type", action="store_true",
                        help="a line for each type of units in place of one for each unit")
    parser.add_argument("--counters", metavar="NAME,...", help="counters to draw, by their names in the file (default: "
                        f"the first {DEFAULT_COUNTERS})")
    args = parser.parse_args()
    terminal = SUFFIXES.get(os.path.splitext(args.output)[1])
    if not terminal:
        parser.error(f"'{args.output}' is neither NAME.svg nor NAME.png")
    units, number = choose(load(args.file), args.frame)
    counters = counters_of(units, args.counters.split(",") if args.counters is not None else None, args.by_type)
    lines = lines_of(units, number, args.by_type)
    try:
        with open(args.output, "wb"):
            pass
        subprocess.run(["gnuplot"], input=script(lines, number, counters, terminal, args.output), check=True,
                       encoding="utf-8", env=dict(os.environ, LC_ALL="C.UTF-8"))
    except FileNotFoundError as error:
        die("gnuplot is not installed" if error.filename == "gnuplot" else f"{args.output}: {error.strerror}")
    except OSError as error:
        die(f"{args.output}: {error.strerror}")
    except subprocess.CalledProcessError:
        die("gnuplot failed")


if __name__ == "__main__":
    main()
