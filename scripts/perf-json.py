#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Write the counters of tools/counters as events and metrics for perf.

For each table, FOLDER gets a folder of perf's source tree, such as arch/arm64/arm/mali-g710/sys: an event for each
hardware counter of the primary set, and a metric for each derived counter that is not one of these by another name. perf
finds them by the identifier of the GPU's PMU. The number of cores, of slices and of bytes in a beat is a quotient of two events. A derived
counter with the cycles of a clock that not all boards have is left out.

If FOLDER is tools/perf/pmu-events of a kernel, its jevents.py gets the PMU, too: perf would look for "uncore_panthor"
otherwise.
"""

import argparse
import json
import os
import re
import shlex
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = f"{TOP}/tools/counters"
PLACE = "arch/arm64/arm"
UNIT = "panthor"

# enum drm_panthor_perf_block_type
BLOCKS = {"fw": 1, "cshw": 2, "tiler": 3, "memsys": 4, "shader": 5, "neural": 6, "csg": 7}
# Constants of formulas that perf does not have.
UNKNOWN = {"groupcy", "shadercy"}
# Events that are no counters, the one of a block among them, and the constants that follow from them.
CLOCKS = (("mali_gpu_cycles", 0, "cycles", "Cycles of the top level's clock"),
          ("mali_core_capacity", 16, "cycles", "Cycles of the top level's clock, for each shader core"),
          ("mali_l2_capacity", 17, "cycles", "Cycles of the top level's clock, for each slice of the L2 cache"),
          ("mali_bus_capacity", 18, "bytes", "Bytes that the external bus can carry in one direction"))
OF_BLOCKS = {BLOCKS["neural"]: ("mali_neural_capacity", 19, "cycles",
                                "Cycles of the top level's clock, for each neural accelerator")}
CONSTANTS = {"topcy": "mali_gpu_cycles", "ncore": "d_ratio(mali_core_capacity, mali_gpu_cycles)",
             "nl2": "d_ratio(mali_l2_capacity, mali_gpu_cycles)",
             "busbytes": "d_ratio(mali_bus_capacity, mali_l2_capacity)",
             "nnx": "d_ratio(mali_neural_capacity, mali_gpu_cycles)"}
SECONDS = "tspan"
# The first architecture that no driver has an identifier of.
FIRST_UNKNOWN = 15


class Problem(Exception):
    """A table makes no sense."""


class Formula:
    """A parser of formulas, which writes them as perf has them."""

    def __init__(self, text, names):
        self.words = re.findall(r"\d+(?:\.\d+)?|\w+|[-+*/(),]", text)
        self.names = names
        self.at = 0

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self):
        self.at += 1
        return self.words[self.at - 1]

    def expect(self, word):
        if self.peek() != word:
            raise Problem(f"'{word}' expected before '{self.peek()}'")
        self.at += 1

    def atom(self):
        word = self.take()
        if word == "-":
            return f"(0 - {self.atom()})"
        if word == "(":
            inner = self.sum()
            self.expect(")")
            return f"({inner})"
        if word in ("min", "max"):
            self.expect("(")
            text = self.sum()
            while self.peek() == ",":
                self.take()
                text = f"{word}({text}, {self.sum()})"
            self.expect(")")
            return text
        if word[0].isdigit():
            return word
        if word.lower() not in self.names:
            raise Problem(f"unknown name '{word}'")
        return self.names[word.lower()]

    def product(self):
        text = self.atom()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                text = f"{text} * {self.atom()}"
            else:
                # What did not happen has no share.
                text = f"d_ratio({text}, {self.atom()})"
        return text

    def sum(self):
        text = self.product()
        while self.peek() in ("+", "-"):
            text = f"{text} {self.take()} {self.product()}"
        return text

    def written(self):
        text = self.sum()
        if self.peek():
            raise Problem(f"'{self.peek()}' behind a formula")
        return text


def statements(path):
    """Yield the words of each statement, and its formula or None."""
    words, formula = None, None
    with open(path, encoding="utf-8") as lines:
        for line in [*lines, "end\n"]:
            text = re.sub(r"(^|\s)#.*", "", line).rstrip()
            if words and text[:1] in (" ", "\t") and text.lstrip():
                formula += " " + text.strip()
                continue
            if words:
                yield words, formula.strip().removeprefix("=")
                words = None
            if not text.strip():
                continue
            if text.startswith(("derived", "define")):
                head, formula = re.fullmatch(r'((?:"[^"]*"|[^"=])*)(.*)', text).groups()
                words = shlex.split(head)
            else:
                yield shlex.split(text), None


def option(words, name):
    """The word behind a name among the words behind a title."""
    return words[words.index(name) + 1] if name in words else None


def group_of(title):
    """The name for perf of a group of a table."""
    return f"panthor_{re.sub(r'[^a-z0-9]+', '_', title.lower())}"


def compat(products):
    """A pattern of the identifiers of these products: bits 31 to 16 of GPU_ID."""
    return "|".join(sorted({f"mali_{int(major):x}..{int(product):x}"
                            for major, product in (number.split(".") for number in products)}))


def of_clock(name, number, unit, title):
    """An event that is no counter."""
    return {"EventName": name, "BriefDescription": title, "Unit": UNIT, "ConfigCode": f"{number << 8:#x}",
            "ScaleUnit": f"1{unit}"}


def convert(path):
    """Return the events and metrics of a table, and the names of what is left out."""
    block, group, products = None, None, []
    names = {SECONDS: "duration_time", **CONSTANTS}
    events, metrics, left = [of_clock(*clock) for clock in CLOCKS], [], []
    for words, formula in statements(path):
        if words[0] == "product":
            if int(words[1].split(".")[0]) < FIRST_UNKNOWN:
                products.append(words[1])
        elif words[0] == "block":
            block = BLOCKS[words[1]]
            if block in OF_BLOCKS:
                events.append(of_clock(*OF_BLOCKS[block]))
        elif words[0] == "group":
            group = words[1]
        elif words[0].isdecimal():
            index, name, unit, title = words[:4]
            rest = words[4:]
            if option(rest, "set") not in (None, "primary"):
                continue
            event = "mali_" + (option(rest, "source") or name).lower()
            shift = int(option(rest, "shift") or 0)
            # perf computes metrics of raw values.
            text = f"({event} * {1 << shift})" if shift else event
            names[name.lower()] = text
            names.setdefault((option(rest, "source") or name).lower(), text)
            events.append({"EventName": event, "BriefDescription": title, "Unit": UNIT,
                           "ConfigCode": f"{block | int(index) << 8:#x}", "ScaleUnit": f"{1 << shift}{unit}"})
        elif formula is not None:
            if {word.lower() for word in re.findall(r"\w+", formula)} & UNKNOWN | \
               {word for word in re.findall(r"\w+", formula.lower()) if names.get(word, "") is None}:
                names[words[1].lower()] = None
                if words[0] == "derived":
                    left.append(words[1])
                continue
            text = Formula(formula, names).written()
            if words[0] == "derived" and text not in names.values():
                metric = f"panthor_{words[1].lower()}"
                metrics.append({"MetricName": metric, "BriefDescription": words[3],
                                "MetricGroup": group_of(group), "MetricExpr": text, "Unit": UNIT,
                                "ScaleUnit": "1" + ("%" if words[2] == "percent" else words[2])})
                high = option(words, "high")
                if high:
                    metrics[-1]["MetricThreshold"] = f"{metric} > {high}"
            names[words[1].lower()] = f"({text})"
    known = [entry.get("EventName") or entry["MetricName"] for entry in events + metrics]
    twice = {name for name in known if known.count(name) > 1}
    if twice:
        raise Problem(f"used twice: {', '.join(sorted(twice))}")
    return [entry | {"Compat": compat(products)} for entry in events + metrics if products], left


def add_unit(path):
    """Add the PMU to the table of units."""
    with open(path, encoding="utf-8") as script:
        text = script.read()
    line = f"'{UNIT}': '{UNIT}',"
    if line in text:
        return
    text, count = re.subn(r"^( *)'imx8_ddr': 'imx8_ddr',\n", rf"\g<0>\1{line}\n", text, flags=re.M)
    if count != 1:
        sys.exit(f"perf-json: {path} has another table of units")
    with open(path, "w", encoding="utf-8") as script:
        script.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", help="folder for perf's pmu-events")
    args = parser.parse_args()
    top = f"{args.folder}/{PLACE}"
    if os.path.exists(f"{args.folder}/jevents.py"):
        add_unit(f"{args.folder}/jevents.py")
    for name in sorted(os.listdir(TABLES)):
        if not name.endswith(".counters"):
            continue
        try:
            entries, left = convert(f"{TABLES}/{name}")
        except (Problem, KeyError, ValueError, IndexError) as error:
            sys.exit(f"perf-json: {name}: {error}")
        if not entries:
            continue
        table = "mali-" + name.removesuffix(".counters").lower()
        folder = f"{top}/{table}/sys"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/counters.json", "w", encoding="utf-8") as out:
            json.dump(entries, out, indent=4)
            out.write("\n")
        metrics = sum("MetricName" in entry for entry in entries)
        print(f"perf-json: {table}: {len(entries) - metrics} events, {metrics} metrics; left out: {', '.join(left)}")


if __name__ == "__main__":
    main()
