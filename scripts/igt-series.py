#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Makes the patches that bring the tests of tests/igt to IGT's own tree: those that need neither
the virtual GPU nor a kernel with fault injection.

First the new files: lib/igt_panthor_perf.[ch], tests/panthor/panthor_perf_*.c with the
documentation of each subtest, and include/drm-uapi/panthor_drm.h of the kernel series. They are in
build/igt-series/files then, and beside it in xfails what a machine of drm/ci with an RK3588 is
expected to skip. With IGT's source, from Debian's archive or --source, the patches with a cover
letter follow in build/igt-series/patches. git am has applied them to build/igt-series/igt by then.
A line for each patch has the lines that it adds and removes. With --from, the patches have an
author and a Signed-off-by line. The exit status is 3 if there is no source."""

import argparse
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.igt_series import LIBRARY, Library, Test, formatted, renamed  # noqa: E402
from panthor_perf.patches import (
    FROM_HELP,
    Problem,
    Series,
    author_of,
    list_insert,
    lock,
    panthor_header,
    remove,
)  # noqa: E402
from panthor_perf.settings import BUILD, TOP, die, note, script, text_of, write  # noqa: E402

SOURCES = os.path.join(TOP, "tests", "igt")
OUT = os.path.join(BUILD, "igt-series")
FILES = os.path.join(OUT, "files")
BOARD = "rk3588"
NOT_THERE = 3
UAPI = "include/drm-uapi/panthor_drm.h"
LIB_MESON = "lib/meson.build"
TESTS_MESON = "tests/panthor/meson.build"
PROGS = "panthor_progs"
SUBJECT = "Tests of panthor's performance counters"
# Not for IGT: needs a kernel with fault injection, and counts on the order of its allocations.
LEFT_OUT = {"panthor_perf_faults"}

TEXTS = {
    "uapi": (
        "drm-uapi/panthor: Sync with the performance counters",
        """\
Take panthor_drm.h of Linux {kernel} with the patches that add performance counters to the driver.
The commit of drm-next goes here once it is there.
""",
    ),
    "lib": (
        "lib/igt_panthor_perf: Add helpers for panthor's performance counters",
        """\
Add what the tests of the counters share: sessions with their buffer objects, the reader of a
session's ring, samples with operations on syncobjs, small jobs, and the power of the GPU.
""",
    ),
}
# Patches of tests: subject, text, and programs.
PATCHES = (
    (
        "tests/panthor: Add tests of the counters' queries and of SETUP",
        """\
Test what the queries report, and which sessions can be set up. Arguments that are not valid are
refused, and leave no session behind.
""",
        ("query", "setup"),
    ),
    (
        "tests/panthor: Add tests of sessions and samples",
        """\
Test the life of a session, its samples on request, the ring that it shares with the kernel, and
whatever a client that breaks the rules may write there.
""",
        ("lifecycle", "manual", "ring"),
    ),
    (
        "tests/panthor: Add tests of counters and of the right to count",
        """\
Test that a sample has all blocks of the GPU, that masks select counters and change nothing else,
and who may count.
""",
        ("data", "access"),
    ),
    (
        "tests/panthor: Add tests of counters over power changes and unplug",
        """\
Test runtime suspend and system suspend under sessions, and the unbinding of the driver.
""",
        ("power", "unplug"),
    ),
    (
        "tests/panthor: Add tests of many counter sessions at once",
        """\
Test processes that set up, start, sample and stop sessions all the time, and jobs beside them.
""",
        ("stress", "workload"),
    ),
    (
        "tests/panthor: Add tests of periodic counter sessions",
        """\
Test sessions whose samples the kernel takes in a period. They are skipped if the driver offers
none.
""",
        ("periodic",),
    ),
    (
        "tests/panthor: Add tests of sessions that allow runtime suspend",
        """\
Test sessions that do not keep the GPU awake. They are skipped if the driver does not offer them.
""",
        ("sleep",),
    ),
    (
        "tests/panthor: Add tests of ordered samples",
        """\
Test samples with operations on syncobjs, before and behind jobs. They are skipped if the driver
does not offer them.
""",
        ("ordered",),
    ),
    (
        "tests/panthor: Add tests of compact samples and of wake-ups",
        """\
Test sessions with smaller samples, and those that signal fewer of them. They are skipped if the
driver does not offer them.
""",
        ("compact", "wakeup"),
    ),
)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="author", metavar='"NAME <ADDRESS>"', help=FROM_HELP)
    parser.add_argument(
        "--source", metavar="FOLDER", help="sources of IGT, in place of the archive's"
    )
    parser.add_argument("--files", action="store_true", help="make the new files alone")
    return parser.parse_args()


def compile_flags():
    """What the compiler needs to find libdrm's headers."""
    run = subprocess.run(["pkg-config", "--cflags", "libdrm"], stdout=subprocess.PIPE, check=False)
    if run.returncode:
        die(
            "the headers of libdrm are missing: run scripts/deps.sh, which names and installs the packages"
        )
    return run.stdout.decode().split()


def subtests_of(test, text):
    """Names and descriptions of the subtests of a program, which it reports itself: it is built
    with the small harness."""
    folder = os.path.join(OUT, "list")
    write(os.path.join(folder, "test.c"), text)
    program = os.path.join(folder, test.name)
    own = [
        f"-I{os.path.join(SOURCES, 'compat')}",
        f"-I{os.path.join(FILES, 'lib')}",
        f"-I{os.path.join(FILES, 'include/drm-uapi')}",
    ]
    run = subprocess.run(
        [
            "cc",
            "-std=gnu11",
            "-D_GNU_SOURCE",
            *own,
            *compile_flags(),
            "-o",
            program,
            os.path.join(folder, "test.c"),
            os.path.join(FILES, "lib", f"{LIBRARY}.c"),
            os.path.join(SOURCES, "harness", "igt-harness.c"),
        ],
        check=False,
    )
    if run.returncode:
        die(f"{test.name} does not build without what needs the virtual GPU, see above")
    text = subprocess.run(
        [program, "--describe"], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    found = re.findall(r"^SUB (\S+) [^\n]*\n  ([^\n]*)$", text, re.M)
    if not found or len(found) < test.count:
        die(f"{test.name} describes {len(found)} subtests, {test.count} or more are expected")
    return found


def make_files():
    """Write the new files. Returns the names of the programs with their subtests, and the kernel's
    version."""
    remove(OUT)
    header, kernel = panthor_header()
    write(os.path.join(FILES, UAPI), header)
    library = Library(SOURCES)
    names = sorted(
        name[:-2]
        for name in os.listdir(SOURCES)
        if name.startswith("panthor_perf_") and name.endswith(".c") and name[:-2] not in LEFT_OUT
    )
    tests = [test for test in (Test(SOURCES, name, library) for name in names) if test.count]
    shared = library.used & library.names

    def derived(path, text):
        text = formatted(text, renamed(text, shared), os.path.basename(path))
        write(os.path.join(FILES, path), text)
        return text

    derived(f"lib/{LIBRARY}.h", library.header())
    derived(f"lib/{LIBRARY}.c", library.source())
    made = {}
    for test in tests:
        path = f"tests/panthor/{test.name}.c"
        made[test.name] = subtests_of(test, derived(path, test.source([])))
        derived(path, test.source(made[test.name]))
    listed = {f"panthor_perf_{name}" for _, _, programs in PATCHES for name in programs}
    if listed != set(made):
        raise Problem(
            f"no patch has {' '.join(sorted(set(made) - listed)) or 'too few tests'}, or the patches name "
            f"{' '.join(sorted(listed - set(made))) or 'no others'}"
        )
    return made, kernel


def make_xfails(made):
    """What drm/ci keeps for a machine: DRIVER-GPU-skips.txt and -fails.txt, with the reasons."""
    known = {f"{program}@{name}" for program, subtests in made.items() for name, _ in subtests}
    for kind in ("skips", "fails", "self-skips"):
        name = f"panthor-{BOARD}-{kind}.txt"
        text = text_of(os.path.join(SOURCES, "xfails", name))
        for number, line in enumerate(text.splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            pattern = line.split(",", maxsplit=1)[0]
            if not any(re.fullmatch(pattern, subtest) for subtest in known):
                raise Problem(
                    f"tests/igt/xfails/{name}:{number}: the series has no subtest {pattern}"
                )
        write(os.path.join(OUT, "xfails", name), text)


def source_of_archive():
    """The folder and the version of IGT's source package, or None."""
    run = subprocess.run([script("build/fetch-igt-source.sh")], stdout=subprocess.PIPE, check=False)
    if run.returncode == NOT_THERE:
        return None
    if run.returncode:
        sys.exit(1)
    settings = dict(re.findall(r"^([A-Z_]+)='?(.*?)'?$", run.stdout.decode(), re.M))
    return settings["IGT_SOURCE"]


def version_of(source):
    """IGT's version out of its own meson.build."""
    path = os.path.join(source, "meson.build")
    found = os.path.isfile(path) and re.search(
        r"^project\('igt-gpu-tools'.*?version\s*:\s*'([^']*)'", text_of(path), re.M | re.S
    )
    if not found:
        die(f"'{source}' is no folder with IGT's sources: no meson.build says so")
    return found[1]


def make_patches(source, author, made, kernel):
    """The patches, applied to a copy of the source."""
    version = version_of(source)
    series = Series(OUT, source, author)
    series.base(f"IGT {version}", (UAPI, LIB_MESON, TESTS_MESON))

    def take(path):
        series.write(path, text_of(os.path.join(FILES, path)))

    take(UAPI)
    subject, text = TEXTS["uapi"]
    series.commit(subject, text.format(kernel=kernel))
    take(f"lib/{LIBRARY}.h")
    take(f"lib/{LIBRARY}.c")
    series.write(
        LIB_MESON,
        list_insert(series.read(LIB_MESON), "lib_sources", f"{LIBRARY}.c", "\t", after="igt_pan"),
    )
    series.commit(*TEXTS["lib"])
    for subject, text, programs in PATCHES:
        for program in programs:
            take(f"tests/panthor/panthor_perf_{program}.c")
            series.write(
                TESTS_MESON,
                list_insert(series.read(TESTS_MESON), PROGS, f"panthor_perf_{program}", "\t"),
            )
        series.commit(subject, text)
    count = sum(len(subtests) for subtests in made.values())
    cover = series.cover(
        os.path.join(SOURCES, "cover.txt"),
        version=version,
        kernel=kernel,
        programs=len(made),
        subtests=count,
    )
    table = series.finish(SUBJECT, cover, "PATCH i-g-t")
    series.apply(os.path.join(OUT, "igt"))
    note(f"git am has applied the patches to the sources of IGT {version}")
    for plus, minus, subject in table:
        print(f"{plus:6} {minus:4}  {subject}")
    series.unsigned()


def main():
    args = arguments()
    author_of(args.author)
    lock(OUT)
    for command in ("git", "clang-format", "cc", "pkg-config"):
        if not shutil.which(command):
            die(
                f"command {command} is missing: run scripts/deps.sh --nightly, which names and installs the packages"
            )
    if args.source:
        version_of(args.source)
    try:
        made, kernel = make_files()
        make_xfails(made)
        print(
            f"{len(made)} programs, {sum(len(subtests) for subtests in made.values())} subtests: build/igt-series/files",
            flush=True,
        )
        if args.files:
            return
        source = args.source or source_of_archive()
        if not source:
            note("without IGT's source there are no patches: IGT=FOLDER names a checkout of it")
            sys.exit(NOT_THERE)
        make_patches(source, args.author, made, kernel)
    except Problem as problem:
        die(str(problem))


if __name__ == "__main__":
    main()
