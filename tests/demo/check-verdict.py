#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tests/demo/check-verdict.py JSON [HTML]

Holds the verdict on a recording of tests/demo/game.load to what the load was written to be. JSON is what
`panthor-perf report --json` prints of it, HTML its page. Of each 500 ms, the GPU is busy for 200 ms with the scene, whose
fragments keep their queue busy for 96 % and whose reads stall in 30 % of the cycles, and for 60 ms with post-processing, in which
compute keeps it busy for 95 %. The other parts leave the GPU idle. No unit, bus or core is at its threshold. The page has to show
at first what the verdict names, and no clock that stands still. Prints "ok" and "not ok" lines."""

import json
import re
import sys

failed = False


def check(good, name, why):
    global failed
    print(f"ok {name}" if good else f"not ok {name} - {why}")
    failed |= not good


def shown_first(page):
    with open(page, encoding="utf-8") as file:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)[1])
    return {counter["about"]["name"] for counter in data["counters"] if counter["about"]["shown"]}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    verdict, limits = report["verdict"], report["limits"]
    queues = verdict["queues"]
    check(verdict["gpu_bound"] and verdict["text"].startswith("GPU bound "), "bound by the GPU, at times", verdict["text"])
    bound = verdict["bound_by"]
    check(bound["fragments"] > 60 and 10 < bound["compute"] < 35 and bound["vertices"] == 0 and sum(bound.values()) > 90,
          "by fragments, or a little by compute", bound)
    check(queues["fragments"] > max(queues["vertices"], queues["compute"]), "whose queue is the busiest", queues)
    check(60 < verdict["busy"] < 80, "idle otherwise", verdict["busy"])
    likely = [limit for limit in limits if limit["likely"]]
    check([limit["counters"] for limit in likely] == [["ext_rd_stall"]], "the only limit is reads that stall", likely)
    stall = likely[0] if likely else {"value": 0, "busy_share": 0}
    check(stall["value"] < 25 and 35 < stall["busy_share"] < 65, "which the mean of all samples hides", stall)
    if len(sys.argv) == 3:
        shown = shown_first(sys.argv[2])
        check("ext_rd_stall" in shown and "gpu_busy" in shown, "the page shows the counter of the limit", sorted(shown))
        check("gpu_clock" not in shown, "and no clock that stands still", sorted(shown))
    check(not any(limit["impossible"] for limit in limits), "nothing impossible", limits)
    sys.exit(failed)


main()
