#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/demo/check-verdict.py LOAD CSV JSON [HTML]

Holds the verdict on a recording of tests/demo/game.load, LOAD, to what the load was written to be. CSV and JSON are what
`panthor-perf report` prints of it with --samples --csv and with --json, HTML is its page. Of each 500 ms, the GPU is busy
for 200 ms with the scene, whose fragments keep their queue busy for 96 % and whose reads stall in 30 % of the cycles, and
for 60 ms with post-processing, in which compute keeps it busy for 95 %. The other parts leave the GPU idle. No unit, bus or
core is at its threshold. Samples across the border of two parts, which are longer on a busy host, may count for either. The
page has to show at first what the verdict names, and no clock that stands still. Prints "ok" and "not ok" lines."""

import json
import re
import sys

import load

# Of shares in percent: what their parts are rounded by.
ROUNDING = 1

failed = False


def check(good, name, why):
    global failed
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    failed |= not good


def shown_first(page):
    with open(page, encoding="utf-8") as file:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)[1])
    return {counter["about"]["name"] for counter in data["counters"] if counter["about"]["shown"]}


def is_share(value, certain, possible, whole):
    """Whether a share in percent has the times that are certain, and at most those that are possible as well."""
    return 100 * certain / whole - ROUNDING <= value <= 100 * (certain + possible) / whole + ROUNDING


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    samples = load.samples_of(sys.argv[2], load.phases_of(sys.argv[1]))
    scene, compute, border = (sum(ns for ns, _, title in samples if title == wanted)
                              for wanted in ("scene", "post-processing", None))
    with open(sys.argv[3], encoding="utf-8") as file:
        report = json.load(file)
    verdict, limits = report["verdict"], report["limits"]
    queues = verdict["queues"]
    check(verdict["gpu_bound"] and verdict["text"].startswith("GPU bound "), "bound by the GPU, at times", verdict["text"])
    bound = verdict["bound_by"]
    whole = scene + compute + border
    check(is_share(bound["fragments"], scene, border, whole) and is_share(bound["compute"], compute, border, whole) and
          bound["vertices"] == 0, "by fragments in the scene, by compute in post-processing", (bound, scene, compute, border))
    check(bound["fragments"] > bound["compute"] > 0, "which is shorter", bound)
    check(queues["fragments"] > max(queues["vertices"], queues["compute"]), "whose queue is the busiest", queues)
    check(60 < verdict["busy"] < 80, "idle otherwise", verdict["busy"])
    likely = [limit for limit in limits if limit["likely"]]
    check([limit["counters"] for limit in likely] == [["ext_rd_stall"]], "the only limit is reads that stall", likely)
    stall = likely[0] if likely else {"value": 0, "busy_share": 0}
    busy = sum(ns for ns, _, _ in samples) * verdict["busy"] / 100
    check(stall["value"] < 25 and is_share(stall["busy_share"], scene, border, busy), "which the mean of all samples hides",
          (stall, scene, border, busy))
    if len(sys.argv) == 5:
        shown = shown_first(sys.argv[4])
        check("ext_rd_stall" in shown and "gpu_busy" in shown, "the page shows the counter of the limit", sorted(shown))
        check("gpu_clock" not in shown, "and no clock that stands still", sorted(shown))
    check(not any(limit["impossible"] for limit in limits), "nothing impossible", limits)
    sys.exit(failed)


main()
