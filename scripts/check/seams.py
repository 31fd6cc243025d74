#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Checks what the series for mainline are made of: the seams in the driver's files, and the tables of names and texts.

A seam is "#ifdef PANTHOR_PERF_WITH_FEATURE" ... "#endif" around whole statements. There are few, none has an #else, and
none is in another. "#ifndef" is for the pads of the uAPI that must be 0 without the feature. Each name of the tables in
scripts/lib/panthor_perf/features.py has to be in the sources, each heading in panthor-perf.rst, and each text of uapi.py
in the uAPI: what is not there any more removes nothing. Without arguments, the files are those of the checkout. The script
prints "ok NAME" or "not ok NAME - WHY"."""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.features import FEATURES, NEVER  # noqa: E402
from panthor_perf.series import BOOK, BOOK_TEXTS, HEADER, PERF, faults_of, sections_of  # noqa: E402
from panthor_perf.settings import TOP, text_of  # noqa: E402
from panthor_perf.slices import SEAM, Problem, seams_of  # noqa: E402
from panthor_perf.uapi import TEXTS  # noqa: E402

MAX_SEAMS = 40
MAX_LINES = 250
# It has all features for out-of-tree modules.
ALL = "panthor_perf_kcompat.h"


def sources(folder):
    """Names and texts of the driver's files."""
    for where, _folders, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".c", ".h")) and name != ALL:
                yield os.path.relpath(os.path.join(where, name), folder), text_of(os.path.join(where, name))


def check_seams(files):
    """Why the seams are not right, and what there are."""
    count, lines, wrong = 0, 0, []
    for name, text in files:
        try:
            found = seams_of(text)
        except Problem as problem:
            wrong.append(f"{name}: {problem}")
            continue
        for start, length in found:
            count, lines = count + 1, lines + length
            block = text.splitlines()[start - 1:start + length]
            if not re.search(rf"#ifn?def {SEAM}({'|'.join(FEATURES)})$", block[0]):
                wrong.append(f"{name}:{start}: no feature of this name")
            elif block[0].startswith("#ifndef") and not re.search(r"\bpad\d*\b", "".join(block)):
                wrong.append(f"{name}:{start}: #ifndef is for pads alone")
    if count > MAX_SEAMS:
        wrong.append(f"{count} seams, not {MAX_SEAMS}")
    if lines > MAX_LINES:
        wrong.append(f"{lines} lines in seams, not {MAX_LINES}")
    return wrong, f"{count} seams with {lines} lines"


def check_names(texts):
    """Names of the tables that no source has."""
    text = "\n".join(texts)
    words = set(re.findall(r"\w+", text))
    wrong = []
    for feature, table in [("NEVER", NEVER), *FEATURES.items()]:
        for name in (*table.get("names", ()), *table.get("uapi", ())):
            known = f" * {name}\n" in text if name.startswith("DOC: ") else name in words
            known = known or name.startswith("trace_") and name[6:] in words
            if not known:
                wrong.append(f"{feature}: nothing has the name '{name}'")
        for member in table.get("members", ()):
            struct, field = member.split(".")
            body = re.search(rf"^struct {struct} \{{\n(.*?)^\}}", text, flags=re.M | re.S)
            if not body or not re.search(rf"\b{field}\b[^\n]*;$", body[1], flags=re.M):
                wrong.append(f"{feature}: no structure has the member '{member}'")
    return wrong


def check_texts(book, header):
    """Headings of the tables that the book does not have once, its faults, and texts that it or the uAPI does not have."""
    headings = [heading for heading, _level, _text in sections_of(book)]
    wrong = [f"{feature}: {headings.count(heading)} sections are called '{heading}'"
             for feature, table in [("NEVER", NEVER), *FEATURES.items()] for heading in table["docs"]
             if headings.count(heading) != 1]
    wrong += faults_of(book, lambda name: os.path.exists(os.path.join(TOP, name)) and text_of(os.path.join(TOP, name)))
    wrong += [f"the page does not have '{old.strip()}'" for old, _new in BOOK_TEXTS if old not in book]
    return wrong + [f"{feature}: the uAPI does not have '{old.strip()}'" for feature, old, _new in TEXTS if old not in header]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.path.join(TOP, PERF), help="folder with the driver's files")
    args = parser.parse_args()
    files = list(sources(args.folder))
    wrong, seen = check_seams(files)
    print(f"not ok seams - {'; '.join(wrong)}" if wrong else f"ok seams: {seen}")
    header = text_of(os.path.join(TOP, HEADER))
    missing = check_names([text for _name, text in files] + [header])
    missing += check_texts(text_of(os.path.join(TOP, BOOK)), header)
    print(f"not ok names of features - {'; '.join(missing)}" if missing else "ok names of features")
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
