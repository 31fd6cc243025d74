#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Makes the patches that bring the counters of panthor to Mesa's own counter library.

The patches are made from integrations/mesa, the tables of tools/counters and the kernel series, for
the newest source of Mesa that Debian's archive has: unstable, then the backports, then stable. A
newer Mesa that the semantic patch does not fit is named and passed over. The patches go to
build/mesa-series/patches, with a cover letter. git am has applied them to the unpacked source in
build/mesa-series/mesa by then. A line for each patch has the lines that it adds and removes. With
--from, the patches have an author and a Signed-off-by line."""

import argparse
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.patches import (
    FROM_HELP,
    Problem,
    Series,
    author_of,
    list_insert,
    lock,
    panthor_header,
)  # noqa: E402
from panthor_perf.settings import BUILD, TOP, die, note, script, text_of  # noqa: E402

OURS = os.path.join(TOP, "integrations", "mesa")
OUT = os.path.join(BUILD, "mesa-series")
SUITES = ("unstable", "trixie-backports", "trixie")
NOT_THERE = 3
UAPI = "include/drm-uapi/panthor_drm.h"
PERF = "src/panfrost/perf"
PPS = "src/tool/pps/pps_driver.cc"
DOC = "docs/perfetto.rst"
CHANGED = (
    UAPI,
    f"{PERF}/pan_perf.c",
    f"{PERF}/pan_perf.h",
    f"{PERF}/quick.c",
    f"{PERF}/meson.build",
    PPS,
    DOC,
)
# Files that the semantic patch changes, and how many lines of each name the back-end then.
HOOKS = {"pan_perf.c": 6, "pan_perf.h": 1, "quick.c": 2}
NAMED = re.compile(
    r"^.*(?:pan_perf_panthor\.h|pan_perf_panthor_[a-z]+\(|pan_perf_open\(\)|pan_perf_panthor \*).*$",
    re.M,
)
# Where spatch joins lines, and what a comment said before.
LAYOUT = {
    "pan_perf.c": (
        ("   /* We only support panfrost at the moment. */\n", ""),
        (
            '   assert(version && (!strcmp(version->name, "panfrost") || !strcmp(version->name, "panthor")));\n',
            '   assert(version && (!strcmp(version->name, "panfrost") ||\n'
            '                      !strcmp(version->name, "panthor")));\n',
        ),
        (
            "      perf->n_counter_values = PAN_COUNTERS_PER_CATEGORY * PAN_PERF_MAX_CATEGORIES;\n"
            "      perf->counter_values = ralloc_array(perf, uint32_t,\n"
            "                                          perf->n_counter_values);\n",
            "      perf->n_counter_values =\n         PAN_COUNTERS_PER_CATEGORY * PAN_PERF_MAX_CATEGORIES;\n"
            "      perf->counter_values =\n         ralloc_array(perf, uint32_t, perf->n_counter_values);\n",
        ),
    ),
    "quick.c": (
        (
            '         fprintf(stderr,\n                 "try `',
            '         fprintf(\n            stderr,\n            "try `',
        ),
    ),
}
# Mesa's own names of tables, of the products of tools/counters/G710.counters that it knows.
TABLE = "G710"
TABLES = {"G310": "TVAx", "G610": "TVIx"}

PANTHOR_DOC = """\
Panthor
^^^^^^^

The same producer serves the GPUs of the Panthor kernel driver. It needs a
kernel with performance counters in that driver, and the right to use them:
run it as root, with ``CAP_PERFMON``, or after

.. code-block:: sh

   sysctl dev.panthor.perf_paranoid=0

"""

SUBJECT = "pan/perf: Performance counters of the panthor kernel driver"
TEXTS = {
    "uapi": (
        "drm-uapi: Sync panthor_drm.h",
        """\
Take the header of Linux {kernel} with the patches that add performance counters to the panthor
driver:

    drm/panthor: Add performance counters

The commit of drm-next goes here once it is there.
""",
    ),
    "tables": (
        "pan/perf: Add the counters of the G310 and the G610",
        """\
The models of both GPUs name tables of counters, TVAx and TVIx, which were not there: nothing could
read counters of a GPU with a command stream frontend. The two have the same counters in the same
places.
""",
    ),
    "backend": (
        "pan/perf: Support the panthor kernel driver",
        """\
The library speaks the ioctls of the panfrost kernel driver, so that panquick ends with "No panfrost
device" on all GPUs with a command stream frontend.

Add a back-end for panthor. A session counts everything in the blocks of the four categories. A dump
takes a sample, which the kernel writes into a ring of the client's, and adds up the blocks of each
category. So there is one block of a category for the rest of the library, whatever the number of
cores and L2 slices. Nothing changes for panfrost.

A sample with ERROR or OVERFLOW is not exact: the dump fails, and the Perfetto producer skips it.
""",
    ),
    "pps": (
        "pps: Offer the counters of panthor",
        """\
The counter library knows the driver's ioctls now, and finds out which driver it talks to.
""",
    ),
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="author", metavar='"NAME <ADDRESS>"', help=FROM_HELP)
    parser.add_argument(
        "--suite",
        metavar="SUITE",
        help=f"Mesa of this suite of Debian alone (default {', '.join(SUITES)})",
    )
    parser.add_argument(
        "--source", metavar="FOLDER", help="sources of Mesa, in place of the archive's"
    )
    return parser.parse_args()


def source_of(suite):
    """The folder and the version of a suite's Mesa, or None."""
    run = subprocess.run(
        [script("build/fetch-mesa-source.sh"), "--suite", suite],
        stdout=subprocess.PIPE,
        check=False,
    )
    if run.returncode == NOT_THERE:
        return None
    if run.returncode:
        sys.exit(1)
    settings = dict(re.findall(r"^([A-Z_]+)='?(.*?)'?$", run.stdout.decode(), re.M))
    return settings["MESA_SOURCE"], settings["MESA_SOURCE_VERSION"]


def once(text, old, new, where):
    """text with old, which is there once, replaced by new."""
    if text.count(old) != 1:
        raise Problem(
            f"{where} has '{old.strip().splitlines()[0]}' {text.count(old)} times, not once"
        )
    return text.replace(old, new)


def tidied(old, new):
    """What spatch has written, with Mesa's spaces in the lines that it added."""
    before = set(old.splitlines())
    lines = []
    for line in new.splitlines():
        if line not in before:
            line = line.replace("\t", "   ").rstrip()
        if line or not lines or lines[-1]:
            lines.append(line)
    return "\n".join(lines) + "\n"


def hook(series, name):
    """Apply the semantic patch to a file of the library."""
    path = os.path.join(series.tree, PERF, name)
    old = text_of(path)
    run = subprocess.run(
        [
            "spatch",
            "--very-quiet",
            "--macro-file",
            os.path.join(OURS, "types.h"),
            "--sp-file",
            os.path.join(OURS, "pan_perf.cocci"),
            "--in-place",
            path,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if run.returncode:
        raise Problem(f"spatch: {run.stderr.decode().strip().splitlines()[-1]}")
    text = tidied(old, text_of(path))
    found = len(NAMED.findall(text))
    if found != HOOKS[name]:
        raise Problem(
            f"{found} lines of {PERF}/{name} name the back-end after the semantic patch, not {HOOKS[name]}"
        )
    for before, after in LAYOUT.get(name, ()):
        text = once(text, before, after, name)
    series.write(f"{PERF}/{name}", text)


def table_xml(identifier):
    """A table of counters in Mesa's form."""
    path = os.path.join(OUT, "table.xml")
    run = subprocess.run(
        [
            os.path.join(OURS, "counters_xml.py"),
            "--id",
            identifier,
            os.path.join(TOP, "tools/counters", f"{TABLE}.counters"),
            path,
        ],
        check=False,
    )
    if run.returncode:
        die(f"the table {TABLE} has no form for Mesa")
    text = text_of(path)
    os.unlink(path)
    return text


def doc_of(text):
    """docs/perfetto.rst with panthor."""
    row = "   * - Panfrost\n     - ``gpu.counters.panfrost``\n     -\n"
    text = once(
        text, row, row + row.replace("Panfrost", "Panthor").replace("panfrost", "panthor"), DOC
    )
    return once(
        text,
        "Troubleshooting\n---------------\n",
        PANTHOR_DOC + "Troubleshooting\n---------------\n",
        DOC,
    )


def make(source, version, author):
    """Make the patches for a source of Mesa."""
    series = Series(OUT, source, author)
    version = version.split("-")[0]
    series.base(f"Mesa {version}", CHANGED)
    header, kernel = panthor_header()

    def commit(name):
        subject, text = TEXTS[name]
        series.commit(subject, text.format(kernel=kernel))

    series.write(UAPI, header)
    commit("uapi")
    meson = series.read(f"{PERF}/meson.build")
    names = re.search(r"^pan_hw_metrics = \[\n(.*?)\]", meson, re.M | re.S)
    known = re.findall(r"'(\w+)'", names[1]) if names else []
    if not known:
        raise Problem(f"{PERF}/meson.build has no list pan_hw_metrics")
    for name in TABLES:
        if name in known:
            raise Problem(
                f"Mesa has counters of the {name}: the patches are not for such a version"
            )
    rows = sorted([*known, *TABLES], key=lambda name: (name[0] != "G", name))
    lines, line = [], " "
    for name in rows:
        if len(line) + len(name) + 4 > 72:
            lines.append(line)
            line = " "
        line += f" '{name}',"
    lines.append(line)
    meson = meson[: names.start(1)] + "\n".join(lines) + "\n" + meson[names.end(1) :]
    for name, identifier in TABLES.items():
        series.write(f"{PERF}/{name}.xml", table_xml(identifier))
    series.write(f"{PERF}/meson.build", meson)
    commit("tables")

    for name in ("pan_perf_panthor.c", "pan_perf_panthor.h"):
        series.write(f"{PERF}/{name}", text_of(os.path.join(OURS, name)))
    for name in HOOKS:
        hook(series, name)
    meson = list_insert(
        series.read(f"{PERF}/meson.build"), "pan_perf_sources", "pan_perf_panthor.c", "  "
    )
    meson = once(
        meson,
        "  dependencies: libpanfrost_dep\n",
        "  dependencies: [libpanfrost_dep, dep_libdrm]\n",
        "meson.build",
    )
    series.write(f"{PERF}/meson.build", meson)
    commit("backend")

    line = '   map.emplace("panfrost", std::make_unique<PanfrostDriver>());\n'
    series.write(
        PPS, once(series.read(PPS), line, line + line.replace('"panfrost"', '"panthor"'), PPS)
    )
    series.write(DOC, doc_of(series.read(DOC)))
    commit("pps")

    cover = series.cover(os.path.join(OURS, "cover.txt"), version=version, kernel=kernel)
    table = series.finish(SUBJECT, cover, "PATCH mesa")
    series.apply(os.path.join(OUT, "mesa"))
    note(f"git am has applied the patches to the sources of Mesa {version}")
    for plus, minus, subject in table:
        print(f"{plus:6} {minus:4}  {subject}")
    series.unsigned()


def main():
    args = arguments()
    author_of(args.author)
    lock(OUT)
    for command in ("git", "spatch"):
        if not shutil.which(command):
            die(
                f"command {command} is missing: run scripts/deps.sh, which names and installs the packages"
            )
    if args.source:
        version = os.path.join(args.source, "VERSION")
        if not os.path.isfile(version):
            die(f"'{args.source}' is no folder with Mesa's sources: there is no VERSION")
        try:
            make(args.source, text_of(version).strip(), args.author)
        except Problem as problem:
            die(f"Mesa {text_of(version).strip()}: {problem}")
        return
    for suite in [args.suite] if args.suite else SUITES:
        found = source_of(suite)
        if not found:
            continue
        try:
            make(*found, args.author)
            return
        except Problem as problem:
            note(f"Mesa {found[1]} of {suite}: {problem}")
    note("no source of Mesa in the archive that the patches are for")
    sys.exit(NOT_THERE)


if __name__ == "__main__":
    main()
