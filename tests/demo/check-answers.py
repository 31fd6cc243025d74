#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Hold what the tools say of a recorded load to the answers in its file.

    check-answers.py LOAD CSV

CSV is what `panthor-perf report --samples --csv` prints of a recording of the load LOAD. Each phase must have samples with
all of its answers. Prints "ok" and "not ok" lines."""

import sys

import load


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    phases = load.phases_of(sys.argv[1])
    titles = [title for _, _, title in load.samples_of(sys.argv[2], phases)]
    failed = False
    for title, answers in phases:
        text = f"load {title}: {len(answers)} derived counters"
        if titles.count(title):
            print(f"ok {text}, as known, in {titles.count(title)} samples")
        else:
            failed = True
            print(f"not ok {text} - no sample has {answers}")
    # What is left are borders of phases and samples of a GPU that does nothing.
    matched, idle = sum(bool(title) for title in titles), titles.count("")
    if matched + idle < len(titles) / 2:
        failed = True
        print(f"not ok load: samples within phases - {matched} of {len(titles)}, and {idle} idle ones")
    else:
        print(f"ok load: {matched} of {len(titles)} samples lie within a phase, {idle} are idle")
    sys.exit(failed)


main()
