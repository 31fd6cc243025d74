#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Tests of how the series for mainline are cut from the sources: scripts/lib/panthor_perf/slices.py, uapi.py and
series.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "scripts", "lib"))
sys.dont_write_bytecode = True

from panthor_perf.features import FEATURES  # noqa: E402
from panthor_perf.series import BOOK_TEXTS, book_of, faults_of  # noqa: E402
from panthor_perf.slices import Names, Problem, seams_of, slice_of  # noqa: E402
from panthor_perf.uapi import cut_enumerators, pad_of  # noqa: E402

FAILED = 0


def result(name, good, why=""):
    """Print a result."""
    global FAILED  # pylint: disable=global-statement
    FAILED += not good
    print(f"ok {name}" if good else f"not ok {name} - {why}")


def sliced(text, names=(), members=(), places=(), headers=()):
    """What is left of a file, without seams."""
    try:
        return slice_of("file.c", text, Names("test", names, members, places), set(headers), [], [])
    except Problem as problem:
        return f"problem: {problem}"


def same(name, text, wanted, **gone):
    """The rest of a file is as it should be."""
    got = sliced(text, **gone)
    result(name, got == wanted, repr(got))


def refused(name, text, wanted, **gone):
    """A file that needs a seam is refused."""
    got = sliced(text, **gone)
    result(name, got.startswith("problem: ") and wanted in got, repr(got))


same("an include of a header that is not there", '#include "a.h"\n#include "late.h"\n', '#include "a.h"\n', headers=["late.h"])
same("a function with its comment",
     "int a;\n\n/**\n * late() - Late\n */\nstatic int late(int x)\n{\n\treturn x;\n}\n\nint b;\n", "int a;\n\nint b;\n",
     names=["late"])
same("a prototype", "int early(void);\nint late(struct a *a,\n\t int b);\n", "int early(void);\n", names=["late"])
same("a function of one line", "static inline void late(void) {}\nint a;\n", "int a;\n", names=["late"])
same("a macro that uses a name", "#define A\t1\n#define B\t(LATE | \\\n\t 2)\n", "#define A\t1\n", names=["LATE"])
same("a comment with a title", "/**\n * DOC: Late things\n *\n * Text.\n */\n\nint a;\n", "int a;\n", names=["DOC: Late things"])
same("a member of one structure",
     "struct a {\n\t/** @x: X. */\n\tu32 x;\n\n\t/** @y: Y. */\n\tu32 y;\n};\n\nstruct b {\n\tu32 x;\n};\n",
     "struct a {\n\t/** @y: Y. */\n\tu32 y;\n};\n\nstruct b {\n\tu32 x;\n};\n", members=["a.x"])
same("a pointer to a function as member", "struct a {\n\tu32 y;\n\n\t/** @x: X. */\n\tvoid (*x)(int a);\n};\n",
     "struct a {\n\tu32 y;\n};\n", members=["a.x"])
same("a call", "void f(void)\n{\n\tone();\n\t/* Late. */\n\tlate(1,\n\t     2);\n\ttwo();\n}\n",
     "void f(void)\n{\n\tone();\n\ttwo();\n}\n", names=["late"])
same("a call that an if has alone", "void f(void)\n{\n\tone();\n\tif (a)\n\t\tlate();\n\ttwo();\n}\n",
     "void f(void)\n{\n\tone();\n\ttwo();\n}\n", names=["late"])
same("a condition of one statement", "void f(void)\n{\n\tif (late(a))\n\t\tone();\n\n\ttwo();\n}\n",
     "void f(void)\n{\n\ttwo();\n}\n", names=["late"])
same("an assignment to a place", "void f(void)\n{\n\ta->x = 1;\n\tb->x = 1;\n}\n", "void f(void)\n{\n\tb->x = 1;\n}\n",
     places=["a->x"])
same("an initialiser", "void f(void)\n{\n\ta = (struct a) {\n\t\t.x = g(1,\n\t\t       2),\n\t\t.y = 2,\n\t};\n}\n",
     "void f(void)\n{\n\ta = (struct a) {\n\t\t.y = 2,\n\t};\n}\n", places=[".x"])
same("one label of several",
     "void f(void)\n{\n\tswitch (a) {\n\tcase LATE:\n\tcase B:\n\t\tone();\n\t}\n}\n",
     "void f(void)\n{\n\tswitch (a) {\n\tcase B:\n\t\tone();\n\t}\n}\n", names=["LATE"])
same("an item of a list in a comment", "/*\n * - &a.x, late\n *   and so on\n * - &b.x\n */\n", "/*\n * - &b.x\n */\n",
     members=["a.x"])
refused("a label with statements of its own",
        "void f(void)\n{\n\tswitch (a) {\n\tcase LATE:\n\t\tone();\n\t\tbreak;\n\tcase B:\n\t\ttwo();\n\t}\n}\n", "seam",
        names=["LATE"])
refused("a return", "int f(void)\n{\n\treturn late();\n}\n", "file.c:3", names=["late"])
refused("a branch of an if", "void f(void)\n{\n\tif (a)\n\t\tlate();\n\telse\n\t\tone();\n}\n", "seam", names=["late"])
refused("a name in a comment", "/* See late(). */\nint a;\n", "late is left", names=["late"])


def seams(name, text, wanted):
    """Seams of a file, or why it is refused."""
    try:
        got = seams_of(text)
    except Problem as problem:
        got = str(problem)
    result(name, got == wanted if isinstance(wanted, list) else wanted in str(got), repr(got))


seams("two seams", "#ifdef PANTHOR_PERF_WITH_A\nx\ny\n#endif\n#ifndef PANTHOR_PERF_WITH_B\nz\n#endif\n", [(1, 2), (5, 1)])
seams("another condition", "#ifdef CONFIG_A\n#else\n#endif\n", [])
seams("a seam with #else", "#ifdef PANTHOR_PERF_WITH_A\n#else\n#endif\n", "no #else")
seams("a seam in a seam", "#ifdef PANTHOR_PERF_WITH_A\n#ifdef PANTHOR_PERF_WITH_B\n#endif\n#endif\n", "in the seam")
seams("a seam of another form", "#if defined(PANTHOR_PERF_WITH_A)\n#endif\n", "not of the form")

ENUM = "/**\n * enum e - E\n */\nenum e {\n\t/** @DRM_A: A. */\n\tDRM_A = 1,\n\n\t/** @DRM_B: B. */\n\tDRM_B,\n\n\t/** @DRM_C: C. */\n\tDRM_C,\n};\n\n"
got_enum = cut_enumerators(ENUM, {"DRM_B"})
result("enumerators keep their values", "\tDRM_C = 3,\n" in got_enum and "DRM_B" not in got_enum, repr(got_enum))
result("an enum without enumerators goes", cut_enumerators(ENUM, {"DRM_A", "DRM_B", "DRM_C"}) == "",
       repr(cut_enumerators(ENUM, {"DRM_A", "DRM_B", "DRM_C"})))
STRUCT = "struct s {\n\t/** @a: A. */\n\t__u32 a;\n\n\t/**\n\t * @b: B\n\t * more.\n\t */\n\t__u64 b;\n};\n"
result("a member becomes a pad",
       pad_of(STRUCT, "s", "b", "__u64 pad") ==
       "struct s {\n\t/** @a: A. */\n\t__u32 a;\n\n\t/** @pad: 0. */\n\t__u64 pad;\n};\n", repr(pad_of(STRUCT, "s", "b", "__u64 pad")))


def book(name, text, absent, wanted):
    """The documentation without some features, or why it is refused."""
    try:
        got = book_of(text, absent)
    except Problem as problem:
        got = f"problem: {problem}"
    refusal = wanted.startswith("problem: ")
    result(name, got.startswith("problem: ") and wanted[9:] in got if refusal else got == wanted, repr(got))


TOP = (".. SPDX-License-Identifier: MIT\n   For readers here.\n\n=====\nTitle\n=====\n\nA\n===\n\nText.\n\n"
       "=====  =====\na      b\n=====  =====\n")
PERIODS = "\nPeriods\n-------\n\nSTRETCHED\n\nMore\n~~~~\n\nText.\n"
CLOCKS = "\nOptional features\n=================\n\nText.\n\nTime and clocks\n---------------\n\nHOST_TIME\n"
LAST = ("\nInside\n======\n\ninclude/uapi/drm/panthor_perf_drm.h\n\n"
        "Out of tree\n===========\n\nText.\n\nB\n---\n\nmake docs\n")
CUT = TOP.replace("   For readers here.\n", "")
INSIDE = "\nInside\n======\n\ninclude/uapi/drm/panthor_drm.h\n"
WITH_CLOCKS = [feature for feature in FEATURES if feature != "CLOCKS"]
book("the documentation without optional features", TOP + CLOCKS + PERIODS + LAST, list(FEATURES), CUT + INSIDE)
book("a section goes with those below it", TOP + CLOCKS + PERIODS + LAST, WITH_CLOCKS, CUT + CLOCKS + INSIDE)
book("all optional features", TOP + CLOCKS + PERIODS + LAST, [], CUT + CLOCKS + PERIODS + INSIDE)
book("an event of another series in a section that stays", TOP + "\nSTRETCHED\n" + LAST, list(FEATURES),
     "problem: STRETCHED")
book("a member of another series", TOP + "\nA ``min_period_ns``.\n" + LAST, list(FEATURES), "problem: min_period_ns")
ERRORS = "\n-EINVAL  all\n" + BOOK_TEXTS[0][0]
book("errors of mainline", TOP + ERRORS + LAST, [], CUT + "\n-EINVAL  all\n" + BOOK_TEXTS[0][1] + INSIDE)
book("errors of a series without operations", TOP + ERRORS + LAST, list(FEATURES),
     CUT + "\n-EINVAL  all\n" + BOOK_TEXTS[0][1].replace(", SAMPLE ", "         ") + INSIDE)
book("a page that no series has", TOP + "\nSee Documentation/gpu/panthor-perf-own.rst.\n" + LAST, [],
     "problem: panthor-perf-own")


def faults(name, text, wanted):
    """Faults of the documentation, with one source."""
    got = faults_of(text, {"a.c": "/**\n * DOC: A\n */\n"}.get)
    result(name, got == wanted, repr(got))


faults("sections with text", "T\n====\n\nA\n----\n\n.. kernel-doc:: a.c\n   :doc: A\n\nB\n~~~~\n\nText.\n", [])
faults("sections without text", "T\n====\n\nA\n----\n\nB\n----\n\nText.\n\nC\n~~~~\n\nD\n----\n",
       ["'A' is empty", "'C' is empty", "'D' is empty"])
faults("a comment that is not there", "T\n====\n\n.. kernel-doc:: a.c\n   :doc: B\n", ["a.c has no comment DOC: B"])
faults("a source that is not there", "T\n====\n\n.. kernel-doc:: b.c\n   :internal:\n", ["b.c has no comment"])
sys.exit(1 if FAILED else 0)
