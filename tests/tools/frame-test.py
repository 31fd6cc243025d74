#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/tools/frame-test.py [PROGRAM]

Has panthor-perf-frame, or PROGRAM, draw rows as those of the Vulkan layer that this program writes itself. The bars of
the pictures must be as long as the times and counts are, the texts those of the rows, and nothing may be cut off at an
edge. Prints "ok NAME" or "not ok NAME - why".
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
from program import Result, check, equal, write  # noqa: E402

PROGRAM = os.path.realpath(sys.argv[1]) if len(sys.argv) > 1 else f"{HERE}/../../tools/vulkan-layer/frame.py"
SVG = "{http://www.w3.org/2000/svg}"
MS = 1000000
NAMES = ("Jobs", "MaliNonFragQueueActiveCy", "MaliExtBusRdBy", "MaliFragFPKKillQuadsOfAllCores")
# A frame: label, type, begin and end in ms, counts. The names of the colours are those of the README.
UNITS = (
    ("particles", "compute", 0, 1, (1, 1234, None, 999999)),
    ("main/opaque & 'sky' <1>", "render_pass", 1.5, 4, (0, 15635183, 9999, 1000000)),
    ("W" * 60, "render_pass+compute", 4, 5, (2, 10000, 55182999, 0)),
    ("m" * 60, "other", 5, 9, (3, 42500, 4200000000, 12)),
)
AMOUNTS = (("1", "0", "2", "3"), ("1234", "15.64 M", "10 k", "42.5 k"), (None, "9999", "55.18 M", "4.2 G"),
           ("1 M", "1 M", "0", "12"))
COLOURS = {"compute": (245, 121, 0), "render_pass": (52, 101, 164), "render_pass+compute": (136, 138, 133),
           "other": (46, 52, 54)}
BARS = (78, 154, 6)


def row(number, frame, label, kind, times, quality, counts):
    return {"unit": number, "frame": frame, "device": 0, "queue": 0, "type": kind, "label": label,
            "start_ns": 7 * MS + round(times[0] * MS), "end_ns": 7 * MS + round(times[1] * MS), "quality": quality,
            "counters": dict(zip(NAMES, counts))}


def write_csv(path, rows):
    def texts(values):
        return ['"' + value.replace('"', '""') + '"' if isinstance(value, str) else "" if value is None else str(value)
                for value in values]
    lines = [",".join([*list(rows[0])[:-1], *NAMES])]
    lines += [",".join(texts([*list(row.values())[:-1], *row["counters"].values()])) for row in rows]
    write(path, "\n".join(lines) + "\n")


def draw(*args):
    run = subprocess.run([PROGRAM, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, env=dict(os.environ, LC_ALL="C"))
    return run.returncode, run.stdout


class Picture:
    """An SVG picture: texts and bars with their places."""

    def __init__(self, path):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.width = float(root.get("width"))
        self.texts, self.bars = [], []
        for group in root.iter(f"{SVG}g"):
            place = re.match(r"translate\(([\d.-]+),([\d.-]+)\)", group.get("transform", ""))
            text = group.find(f"{SVG}text")
            if place and text is not None:
                self.texts.append((*map(float, place.groups()), "".join(text.itertext())))
        for bar in root.iter(f"{SVG}polygon"):
            points = [tuple(map(float, point.split(","))) for point in bar.get("points").split()]
            xs, ys = zip(*points)
            if max(xs) > min(xs) and bar.get("fill", "").startswith("rgb"):
                self.bars.append((min(xs), max(xs), (min(ys) + max(ys)) / 2, tuple(map(int, re.findall(r"\d+", bar.get("fill"))))))

    def at(self, y):
        """The texts and the bars of a line, from left to right."""
        return ([text for _x, at, text in sorted(self.texts) if abs(at - y) < 8],
                sorted(bar for bar in self.bars if abs(bar[2] - y) < 8))

    def line_of(self, begin):
        """Where the line of a label is."""
        return next((y for _x, y, text in self.texts if text.startswith(begin)), None)


def edges(path):
    """The colours of the pixels at the left and the right edge of a PNG picture."""
    with open(path, "rb") as file:
        data = file.read()
    width, _height, depth, kind, *_others = struct.unpack(">IIBBBBB", data[16:29])
    size = {2: 3, 6: 4}[kind]
    assert depth == 8
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    raw, stride, above = zlib.decompress(packed), width * size, bytes(width * size)
    found = set()
    for start in range(0, len(raw), stride + 1):
        line = bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride) if raw[start] else ():
            left, up = line[i - size] if i >= size else 0, above[i]
            corner = above[i - size] if i >= size else 0
            guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, guess)[raw[start]]) & 255
        found |= {bytes(line[:3]), bytes(line[-size:][:3])}
        above = line
    return found


def close(a, b, within=1.5):
    return abs(a - b) <= within


def test_workloads():
    rows = [row(number, 4, *unit[:2], unit[2:4], "exact", unit[4]) for number, unit in enumerate(UNITS, 1)]
    rows.append(row(9, 5, "later", "compute", (20, 21), "exact", (1, 1, 1, 1)))
    write_csv("w.csv", rows)
    write("w.json", "".join(json.dumps(row) + "\n" for row in rows))
    status, said = draw("w.csv", "-o", "w.svg", "--counters", ",".join(NAMES))
    if status or said:
        check(False, "a picture of workloads", f"exit status {status}: {said}")
        return
    picture = Picture("w.svg")
    lines = [picture.line_of(unit[0][:5]) for unit in UNITS]
    check(None not in lines and lines == sorted(lines) and not picture.line_of("later"), "workloads: a line for each", lines)
    if None in lines:
        return
    left = picture.at(lines[0])[1][0][0]
    scale = (picture.at(lines[3])[1][0][1] - left) / 9
    columns = sorted({round(bar[0]) for bar in picture.bars if bar[3] == BARS})
    longest = max(bar[1] - bar[0] for bar in picture.bars if bar[3] == BARS)
    equal(len(columns), len(NAMES), "workloads: columns of counters")
    for at, (label, kind, begin, end, counts) in enumerate(UNITS):
        texts, bars = picture.at(lines[at])
        if len(label) < 40:
            equal(texts[0], label, f"workloads: {label}")
        else:
            check(re.fullmatch(f"{label[0]}{{15,}}…", texts[0]), f"workloads: a label of {label[0]} is shortened", texts[0])
        equal(texts[1:], [column[at] for column in AMOUNTS if column[at]], f"workloads: numbers of {label[:9]}")
        check(close(bars[0][0], left + begin * scale) and close(bars[0][1], left + end * scale) and
              bars[0][3] == COLOURS[kind], f"workloads: time of {label[:9]}", bars[0])
        lengths = [sum(bar[1] - bar[0] for bar in bars if close(bar[0], x)) for x in columns]
        want = [longest * (count or 0) / max(unit[4][i] or 0 for unit in UNITS) for i, count in enumerate(counts)]
        check(all(map(close, lengths, want)), f"workloads: bars of {label[:9]}", f"{lengths}, want {want}")
    keys = [text for _x, _y, text in picture.texts if text in ("compute", "render_pass", "other", "several or none")]
    equal(keys, ["compute", "render_pass", "several or none", "other"], "workloads: key of the types")
    titles = sorted((x, text) for x, _y, text in picture.texts if text[:8] in [name[:8] for name in NAMES])
    equal([text.rstrip("…") for _x, text in titles],
          [name[:len(text.rstrip("…"))] for name, (_x, text) in zip(NAMES, titles)], "workloads: names of four counters")
    check("frame 4: 4 units in 9.000 ms" in [text for _x, _y, text in picture.texts], "workloads: the title")
    for name, args in (("three counters", []), ("four", ["--counters", ",".join(NAMES)]), ("one", ["--counters", NAMES[1]])):
        status, said = draw("w.json", "-o", "w.png", *args)
        check(not status and not said and edges("w.png") == {b"\xff\xff\xff"}, f"{name}: nothing is cut off at an edge", said)


def test_frames():
    times = ((0, 16), (16, 35), (36, 37), (40, 80))
    rows = [row(number + 1, 10 + number, "frame", "render_pass+compute", span, "shifted" if number == 2 else "exact",
                (number, 1, None, 1)) for number, span in enumerate(times)]
    write_csv("f.csv", rows)
    status, said = draw("f.csv", "-o", "f.svg")
    if status or said:
        check(False, "a picture of frames", f"exit status {status}: {said}")
        return
    picture = Picture("f.svg")
    lines = [picture.line_of(f"frame {10 + number}") for number in range(4)]
    check(None not in lines and lines == sorted(lines), "frames: a line for each", lines)
    if None in lines:
        return
    bars = [picture.at(y)[1][0] for y in lines]
    scale = (bars[3][1] - bars[3][0]) / 40
    check(all(close(bar[0], bars[0][0]) and close(bar[1] - bar[0], scale * (end - begin))
              for bar, (begin, end) in zip(bars, times)), "frames: how long each is", bars)
    check(picture.at(lines[2])[0][0] == "frame 12 (shifted)", "frames: one that is not exact", picture.at(lines[2])[0])
    texts = [text for _x, _y, text in picture.texts]
    check("4 frames from 10 to 13 in 80.000 ms, 1 not exact" in texts, "frames: the title", texts[:3])
    status, said = draw("f.csv", "-o", "f.svg", "--frame", "11-12")
    texts = [text for _x, _y, text in Picture("f.svg").texts]
    check(not status and "frame 11" in texts and "frame 12 (shifted)" in texts and "frame 13" not in texts, "frames: some", said)
    status, said = draw("f.csv", "-o", "f.svg", "--frame", "13")
    texts = [text for _x, _y, text in Picture("f.svg").texts]
    check(not status and "frame 13: 1 unit in 40.000 ms" in texts, "frames: one", said)


def test_types():
    # Type, begin and end in ms, counts.
    units = (("compute", 0, 2, (1, 1000, None, 5)), ("render_pass", 2, 3, (1, 70, 3, 20)),
             ("compute", 4, 8, (1, 500, None, 7)), ("", 8, 10, (1, 0, 8, None)))
    rows = [row(number, 4, f"label {number}", unit[0], unit[1:3], "shifted" if number == 3 else "exact", unit[3])
            for number, unit in enumerate(units, 1)]
    write_csv("t.csv", rows)
    status, said = draw("t.csv", "-o", "t.svg", "--by-type", "--counters", ",".join(NAMES[1:]))
    if status or said:
        check(False, "a picture of types", f"exit status {status}: {said}")
        return
    picture = Picture("t.svg")
    want = {"compute: 2 units": ["1500", "12"], "render_pass: 1 unit": ["70", "3", "20"], "none: 1 unit": ["0", "8"]}
    lines = [picture.line_of(text) for text in want]
    check(None not in lines and lines == sorted(lines) and not picture.line_of("label"), "types: a line for each",
          lines)
    if None in lines:
        return
    for y, (text, numbers) in zip(lines, want.items()):
        equal(picture.at(y)[0], [text, *numbers], f"types: sums of {text}")
    left = picture.at(lines[0])[1][0][0]
    scale = (picture.at(lines[2])[1][0][1] - left) / 10
    for at, (kind, begin, end, _counts) in enumerate(units):
        colour = COLOURS.get(kind, COLOURS["render_pass+compute"])
        bars = [bar for bar in picture.at(lines[(0, 1, 0, 2)[at]])[1]
                if bar[3] == colour and close(bar[0], left + begin * scale)]
        check(len(bars) == 1 and close(bars[0][1], left + end * scale), f"types: time of unit {at + 1}", bars)
    longest = max(bar[1] - bar[0] for bar in picture.bars if bar[3] == BARS)
    column = min(round(bar[0]) for bar in picture.bars if bar[3] == BARS)
    lengths = [sum(bar[1] - bar[0] for bar in picture.at(y)[1] if bar[3] == BARS and close(bar[0], column))
               for y in lines]
    check(all(map(close, lengths, (longest, longest * 70 / 1500, 0))), "types: bars of the sums", lengths)
    texts = [text for _x, _y, text in picture.texts]
    check("frame 4: 4 units in 10.000 ms, 1 not exact" in texts and "compute" not in texts,
          "types: the title, and no key", texts)
    status, said = draw("t.csv", "-o", "t.png", "--by-type")
    check(not status and not said and edges("t.png") == {b"\xff\xff\xff"}, "types: nothing is cut off at an edge", said)


def test_errors():
    many = [row(number + 1, number, "frame", "", (number, number + 1), "exact", (1, 1, 1, 1)) for number in range(501)]
    write_csv("many.csv", many)
    write("empty.csv", open("w.csv").readline())
    write("other.csv", "a,b\n1,2\n")
    for name, status, words, args in (
            ("too many frames", 1, "choose some with --frame A-B", ["many.csv"]),
            ("several units of each frame", 1, "have several units each", ["w.csv", "--frame", "4-5"]),
            ("a frame that is missing", 1, "has no unit of frame 7, but of 4 to 5", ["w.csv", "--frame", "7"]),
            ("no frame", 2, "neither a frame nor A-B", ["w.csv", "--frame", "5-4"]),
            ("another counter", 1, "no counter Colour", ["w.csv", "--counters", "Colour"]),
            ("types of frames", 1, "--by-type: each frame of the file is one unit", ["f.csv", "--by-type"]),
            ("a sum of derived counters", 1, "Jobs is derived", ["w.csv", "--by-type", "--counters", "Jobs"]),
            ("no rows", 1, "the file has no units", ["empty.csv"]),
            ("another file", 1, "is not that of the layer", ["other.csv"]),
            ("no file", 1, "No such file", ["none.csv"])):
        got, said = draw(*args, "-o", "e.svg")
        check(got == status and words in said and not os.path.exists("e.svg"), f"errors: {name}", f"{got}: {said}")
    got, said = draw("w.csv", "-o", "e.jpg")
    check(got == 2 and "neither NAME.svg nor NAME.png" in said, "errors: another format", f"{got}: {said}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        test_workloads()
        test_frames()
        test_types()
        test_errors()
        os.chdir("/")
    return Result.failed


if __name__ == "__main__":
    sys.exit(main())
