#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write a table of tools/counters in the form of Mesa's src/panfrost/perf/*.xml, from which Mesa
makes its own tables.

Each of the four blocks is a category. A category has place for 64 counters in Mesa 25: a table with
counters behind them is refused, and so is one whose counters have a unit of more than one event."""

import argparse
import re
import sys
import xml.etree.ElementTree as et

CATEGORIES = {"cshw": "Front end", "tiler": "Tiler", "memsys": "Memory system", "shader": "Shader core"}
MAX_COUNTERS = 64
# The units that Mesa knows; others become requests.
UNITS = ("cycles", "jobs", "tasks", "primitives", "beats", "requests", "warps", "quads", "tiles", "instructions",
         "transactions", "threads", "bytes", "pixels", "issues")
COUNTER = re.compile(r'\s*(\d+)\s+(\w+)\s+(\w+)\s+"([^"]*)"(?:.*\bsource\s+(\w+))?')


HEADER = """\
<!--
Copyright (c) 2026 The panthor-perf developers
SPDX-License-Identifier: MIT
-->
"""


def convert(lines, identifier):
    """Return the XML tree of a table."""
    root, category = et.Element("metrics", id=identifier), None
    for line in lines:
        words = line.split()
        if words[:1] == ["block"]:
            category = None
            if words[1] in CATEGORIES:
                category = et.SubElement(root, "category", name=CATEGORIES[words[1]])
        elif words[:1] == ["derived"]:
            category = None
        elif category is not None and (match := COUNTER.match(line)):
            index, name, unit, text, source = match.groups()
            if int(index) >= MAX_COUNTERS:
                raise ValueError(f"counter {index} in '{category.get('name')}', Mesa has place for {MAX_COUNTERS}")
            if re.search(r"\bshift \d", line):
                raise ValueError(f"{name} counts in units of several events, for which Mesa has no word")
            et.SubElement(category, "event", offset=index, counter=source or name, title=text, name=text,
                          description=text, units=unit if unit in UNITS else "requests")
    if len(root) != len(CATEGORIES):
        raise ValueError("no table with the four blocks")
    return root


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--id", required=True, help="id of the table in Mesa: TVIx")
    parser.add_argument("table", help="a file of tools/counters")
    parser.add_argument("xml", help="the file to write")
    args = parser.parse_args()
    try:
        with open(args.table, encoding="utf-8") as lines:
            root = convert(lines, args.id)
        et.indent(root, " " * 4)
        with open(args.xml, "w", encoding="utf-8") as xml:
            xml.write(HEADER + et.tostring(root, encoding="unicode") + "\n")
    except (OSError, ValueError) as error:
        sys.exit(f"{args.table}: {error}")


if __name__ == "__main__":
    main()
