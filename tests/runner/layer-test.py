#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Tests of how tests/layer/run.py compares rows of frames with samples: a line "ok NAME" or "not ok NAME" each."""

import os
import sys

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests/layer"))
import run  # noqa: E402

# As tests/layer/load has them: sample 0 is that of the start, 1 that before the first frame, and 9 that of the end.
TRUTH = [(number, 1, 15) for number in range(10)]
failures = 0


def row(frame, begin, end, device="0", quality="exact"):
    """A frame with the counts of these samples."""
    counts = map(sum, zip(*TRUTH[begin:end]))
    return dict(zip(run.COUNTERS, counts)) | {"frame": str(frame), "device": device, "quality": quality}


def check(name, right, *rows):
    global failures
    why = run.Judge.wrong_sums(rows, TRUTH, False)
    good = bool(why) != right
    failures += not good
    print(f"ok {name}" if good else f"not ok {name} - {why or 'it was taken for right'}")


check("a sample for each frame", True, *(row(number, number + 2, number + 3) for number in range(7)))
check("several samples for some", True, row(0, 2, 4), row(1, 4, 5), row(2, 5, 9))
check("frames that were not chosen", True, row(1, 3, 4), row(4, 6, 9))
check("a sample in two frames", False, row(0, 2, 5), row(1, 4, 9))
check("a sample in no frame", False, row(0, 2, 4), row(1, 5, 9))
check("nothing of the first sample", False, row(0, 3, 9))
check("nothing of the last one", False, row(0, 2, 8))
check("the sample before the first frame", False, row(0, 1, 9))
check("the sample of the end", False, row(0, 2, 10))
check("frames in the order of their samples", False, row(1, 2, 4), row(0, 4, 9))
check("a frame twice", False, row(0, 2, 4), row(0, 4, 9))
check("other counts", False, row(0, 2, 9) | {next(iter(run.COUNTERS)): 1})
check("two devices in turns", True, row(0, 2, 5), row(0, 4, 7, "1"), row(1, 5, 8), row(1, 7, 9, "1"))
check("a sample in two frames of one of them", False, row(0, 2, 5), row(0, 4, 7, "1"), row(1, 4, 8))

sys.exit(1 if failures else 0)
