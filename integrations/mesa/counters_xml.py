#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write a table of tools/counters in the form of Mesa's src/panfrost/perf/*.xml, from which Mesa makes its own tables.

The metrics' id is "panthor_" and the table's name. Each of the four blocks is a category. A category has place for 64
counters in Mesa 25: a table with more in a block is refused.
"""

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


def convert(lines):
    """Return the XML tree of a table."""
    root, category = et.Element("metrics"), None
    for line in lines:
        words = line.split()
        if words[:1] == ["table"]:
            root.set("id", f"panthor_{words[1]}")
        elif words[:1] == ["block"]:
            category = None
            if words[1] in CATEGORIES:
                category = et.SubElement(root, "category", name=CATEGORIES[words[1]])
        elif words[:1] == ["derived"]:
            category = None
        elif category is not None and (match := COUNTER.match(line)):
            index, name, unit, text, source = match.groups()
            et.SubElement(category, "event", offset=index, counter=source or name, title=text, name=text,
                          description=text, units=unit if unit in UNITS else "requests")
    if "id" not in root.attrib or len(root) != len(CATEGORIES):
        raise ValueError("no table with the four blocks")
    for category in root:
        if len(category) > MAX_COUNTERS:
            raise ValueError(f"{len(category)} counters in '{category.get('name')}', Mesa has place for {MAX_COUNTERS}")
    return root


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="a file of tools/counters")
    parser.add_argument("xml", help="the file to write")
    args = parser.parse_args()
    try:
        with open(args.table, encoding="utf-8") as lines:
            et.ElementTree(convert(lines)).write(args.xml, encoding="utf-8", xml_declaration=True)
    except (OSError, ValueError) as error:
        sys.exit(f"{args.table}: {error}")


if __name__ == "__main__":
    main()
