#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Makes the series of patches that add the component to a kernel's sources, as for mainline.

The kernel is that of PANTHOR_PERF_KERNEL, 7.2 or later. The patches are made from the files of this checkout: nothing
of them is stored. The first series has sessions on request, and each of the others adds a feature to those before it:
Documentation/gpu/panthor-perf-series.rst has the list. The patches of series N go to
build/linux-SERIES/series/patches/N, and a tree with all of them to build/linux-SERIES/series/tree. With --series, that
tree has the series up to N, and only the patches of N are made. The folder "optional" has a patch for tools/perf: events
and metrics by the names of the counters.

The script prints a table: for each patch the added lines of the driver, of the uAPI, of KUnit suites, of their fake
firmware, and of documentation, and the removed lines. Series 1 has limits: a line "over" for each that is not kept. With
--from, the patches have an author and a Signed-off-by line.

With --bisect, each patch is applied on top of those before it. It has to pass checkpatch --strict, to build with W=1
without a warning, and to pass the KUnit suites that are there by then. It is built for arm64 and x86_64, and for x86_64
with the least options that the counters need ("least"), and without counters ("off"). Sphinx has to build the
documentation without a warning. The line of a patch then has the results as well, and the exit status is 0 only if all
passed."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf import series, uapi  # noqa: E402
from panthor_perf.features import FEATURES, NEVER  # noqa: E402
from panthor_perf.series import BOOK, HEADER, PERF, PMU_ABI, PMU_BOOK, PMU_PAGE, UAPI  # noqa: E402
from panthor_perf.slices import Names, Problem, slice_of  # noqa: E402
from panthor_perf.settings import BUILD, CACHE, OF_SERIES, PATCHES, SERIES, TOP, die, note, settings_of, text_of  # noqa: E402

# For a kernel with the first series, the tree of all stays.
OUT = os.path.join(BUILD, f"series{PATCHES and '-'}{PATCHES}")
TREE = os.path.join(OUT, "tree")
INDEX = "Documentation/gpu/drivers.rst"
PMU_INDEX = "Documentation/admin-guide/perf/index.rst"
MAINTAINERS = "MAINTAINERS"
PERF_EVENTS = "tools/perf/pmu-events"
PERF_SUBJECT = "perf vendor events arm64: Add Mali GPUs"
PERF_TEXT = """\
The events of the PMU have types of blocks and indices. Add the names of the
counters, as the documentation of each product has them, and metrics of them,
found by the identifier of the PMU: bits 31 to 16 of GPU_ID.
"""
# git needs an author. Without --from, the patches are not signed off.
AUTHOR = {"name": "panthor-perf", "email": "unsigned@localhost", "signs": False}


def path(*names):
    """A path in the tree of the series."""
    return os.path.join(TREE, *names)


def write(name, text):
    """Write a file of the tree."""
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


def git(*arguments):
    """Run git in the tree, and return what it prints."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_"))}
    run = subprocess.run(["git", "-C", TREE, "-c", f"user.name={AUTHOR['name']}", "-c", f"user.email={AUTHOR['email']}",
                          *arguments], stdout=subprocess.PIPE, check=False, env=env)
    if run.returncode:
        die(f"git {arguments[0]} failed")
    return run.stdout.decode()


def commit(subject, text=""):
    """Commit all changes of the tree."""
    git("add", "-A")
    git("commit", "-q", "-m", subject, "-m", text.strip() or "-", *(["-s"] if text and AUTHOR["signs"] else []))


def make_base(sources):
    """The kernel's own files that the series changes, as the first commit."""
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(TREE)
    git("init", "-q")
    for name in (UAPI, INDEX, PMU_INDEX, MAINTAINERS, f"{PERF_EVENTS}/jevents.py"):
        write(name, text_of(os.path.join(sources, name)))
    shutil.copytree(os.path.join(sources, PERF), path(PERF))
    commit(f"Linux {SERIES}")


def hooked(sources):
    """panthor's own files with the hooks, by name, if they differ."""
    stage = os.path.join(OUT, "stage")
    shutil.copytree(os.path.join(sources, PERF), os.path.join(stage, PERF))
    os.makedirs(os.path.join(stage, os.path.dirname(UAPI)))
    shutil.copy(os.path.join(sources, "Makefile"), stage)
    run = subprocess.run([os.path.join(TOP, "scripts", "integrate.sh"), "--in-tree", stage], check=False)
    if run.returncode:
        die("the hooks do not fit this kernel")
    files = {}
    for name in os.listdir(os.path.join(sources, PERF)):
        new = text_of(os.path.join(stage, PERF, name))
        if re.search(r"\.[ch]$", name) and new != text_of(os.path.join(sources, PERF, name)):
            files[name] = new
    shutil.rmtree(stage)
    return files


def full_name(name):
    """The path of a file of a patch, below PERF."""
    folder, name = os.path.split(name)
    if folder == "..":
        return name
    return os.path.join(folder, f"panthor_perf_{name}")


class State:
    """The component with the features up to some series."""

    def __init__(self, sources, hooks, present):
        self.sources, self.hooks = sources, hooks
        self.present = present
        self.absent = [name for name in FEATURES if name not in present]
        tables = [NEVER, *(FEATURES[name] for name in self.absent)]

        def all_of(key):
            return [name for table in tables for name in table.get(key, ())]

        names, members, places = all_of("names") + all_of("uapi"), all_of("members"), all_of("places")
        self.gone = Names("driver", names, members, places)
        self.gone_of_tests = Names("tests", names + all_of("tests"), members, places)
        self.missing = {full_name(name) for name in all_of("files")}
        self.headers = {os.path.basename(name) for name in self.missing if name.endswith(".h")}
        self.includes = [include.split(": ") for include in all_of("includes")]

    def files(self, tests):
        """Files of the driver, or of its suites, by path below PERF."""
        never = {"panthor_perf_kcompat.h", "panthor_perf_rawdump.c", "panthor_perf_rawdump.h",
                 "panthor_perf_control.c", "panthor_perf_control.h"}
        folder = os.path.join(TOP, PERF, "tests" if tests else "")
        names = [os.path.join("tests", name) if tests else name for name in sorted(os.listdir(folder))
                 if name.endswith((".c", ".h"))]
        return [name for name in names if name not in never | self.missing]

    def write(self, name):
        """Write a file of the driver into the tree."""
        text = series.source_of(name, text_of(os.path.join(TOP, PERF, name)))
        gone = self.gone_of_tests if name.startswith("tests/") else self.gone
        headers = self.headers | {header for file, header in self.includes if full_name(file) == name}
        write(os.path.join(PERF, name), slice_of(name, text, gone, headers, self.present, self.absent))

    def write_uapi(self):
        """Write panthor_drm.h."""
        header = text_of(os.path.join(TOP, HEADER))
        derived = uapi.header_of(header, FEATURES, self.absent, NEVER)
        differs = uapi.layout_check(header, derived, FEATURES, self.absent, NEVER, os.path.join(OUT, "layout"))
        if differs:
            raise Problem(f"{UAPI}: not as ABI 1:\n{differs}")
        write(UAPI, series.uapi_of(text_of(os.path.join(self.sources, UAPI)), derived))

    def write_hooks(self):
        """Write panthor's own files."""
        for name, text in self.hooks.items():
            text = series.hooks_of(text, self.absent)
            write(os.path.join(PERF, name), series.with_version(text) if name == "panthor_drv.c" else text)

    def write_build(self):
        """Write Makefile and Kconfig for the files that are in the tree."""
        there = os.listdir(path(PERF))
        tests = os.listdir(path(PERF, "tests")) if "tests" in there else []
        objects = [f"{name[:-2]}.o" for name in there if re.match(r"panthor_perf.*\.c$", name)]
        suites = [f"tests/{name[:-2]}.o" for name in tests if name.endswith(".c")]
        makefile = text_of(os.path.join(self.sources, PERF, "Makefile"))
        write(os.path.join(PERF, "Makefile"), series.makefile_of(makefile, objects, suites))
        config = text_of(os.path.join(self.sources, PERF, "Kconfig")).rstrip("\n") + "\n"
        own = series.config_of(text_of(os.path.join(TOP, PERF, "Kconfig.perf")), bool(suites))
        write(os.path.join(PERF, "Kconfig"), config + own)
        if suites:
            write(os.path.join(PERF, "tests", ".kunitconfig"),
                  text_of(os.path.join(TOP, PERF, "tests", ".kunitconfig")))

    def write_documentation(self):
        """Write the pages, and their entries."""
        book = series.book_of(text_of(os.path.join(TOP, BOOK)), self.absent)
        faults = series.faults_of(book, lambda name: os.path.exists(path(name)) and text_of(path(name)))
        if faults:
            raise Problem(f"{BOOK}: {'; '.join(faults)}")
        write(BOOK, book)
        index = text_of(os.path.join(self.sources, INDEX))
        write(INDEX, index.replace("   panthor\n", "   panthor\n   panthor-perf\n"))
        files = ""
        if "PMU" in self.present:
            write(PMU_PAGE, series.pmu_book_of(text_of(os.path.join(TOP, PMU_BOOK))))
            index = text_of(os.path.join(self.sources, PMU_INDEX)).rstrip("\n") + "\n"
            write(PMU_INDEX, index + "   panthor-pmu\n")
            write(PMU_ABI, text_of(os.path.join(TOP, PMU_ABI)))
            files = f"F:\t{PMU_ABI}\nF:\t{PMU_PAGE}\n"
        entry = "F:\tDocumentation/devicetree/bindings/gpu/arm,mali-valhall-csf.yaml\nF:\tdrivers/gpu/drm/ci/xfails/panthor"
        lines = text_of(os.path.join(self.sources, MAINTAINERS))
        if lines.count(entry) != 1:
            die(f"{MAINTAINERS} has no such entry of panthor")
        write(MAINTAINERS, lines.replace(entry, files + entry.replace("\nF:", f"\nF:\t{BOOK}\nF:", 1)))

    def write_all(self, tests):
        """Write all files of the driver, or of its suites, as they are with these features."""
        for name in self.files(tests):
            self.write(name)
        self.write_build()


def wrapped(text):
    """The text of a commit."""
    return "\n\n".join(textwrap.fill(part, 72) for part in text.strip().split("\n\n"))


def commit_first(state):
    """The commits of the first series."""
    wanted = set()
    for kind, subject, text, names in series.FIRST:
        for name in names:
            if name == "uapi":
                state.write_uapi()
            elif name == "*":
                state.write_hooks()
            elif name == "book":
                state.write_documentation()
            elif name not in ("kconfig", "version"):
                wanted.add(full_name(name))
                state.write(full_name(name))
        # The first user of the hook there, which is a word of the interface.
        if "sampler.c" in names:
            write(os.path.join(PERF, "panthor_fw.h"), state.hooks["panthor_fw.h"])
        if kind != "docs" and "uapi" not in names:
            state.write_build()
        commit(subject, wrapped(text))
    left = {*state.files(False), *state.files(True)} - wanted
    if left:
        die(f"no patch has {' '.join(sorted(left))}: add them to FIRST of scripts/lib/panthor_perf/series.py")


def commit_following(sources, hooks, present, features, text):
    """The commits of another series: code by feature, suites, documentation."""
    for feature in features:
        present = [*present, feature]
        state = State(sources, hooks, present)
        state.write_uapi()
        state.write_hooks()
        state.write_all(False)
        title = FEATURES[feature]["title"]
        commit(f"drm/panthor: perf: Add {title}", wrapped(text))
    state.write_all(True)
    title = " and ".join(FEATURES[feature]["title"] for feature in features)
    if git("status", "--porcelain").strip():
        commit(f"drm/panthor: perf: Test {title}", "The suites run on the fake firmware.")
    state.write_documentation()
    if git("status", "--porcelain").strip():
        commit(f"Documentation: gpu: panthor: Describe {title}",
               "What clients have to know, and how the driver does it.")
    return present


def make_commits(sources, last):
    """The commits of all series up to one. Returns a list of pairs of commits, the first one exclusive."""
    hooks = hooked(sources)
    ranges = []
    for number in range(1, last + 1):
        before = git("rev-parse", "HEAD").strip()
        if number == 1:
            present = []
            commit_first(State(sources, hooks, present))
        else:
            features, _title, text = series.FOLLOWING[number - 2]
            present = commit_following(sources, hooks, present, features, text)
        ranges.append((before, git("rev-parse", "HEAD").strip()))
    return ranges


def make_perf_patch(folder):
    """The patch for perf, on top of all others. Returns how many lines it adds and removes."""
    run = subprocess.run([os.path.join(TOP, "scripts", "perf-json.py"), path(PERF_EVENTS)], stdout=subprocess.DEVNULL,
                         check=False)
    if run.returncode:
        die("the tables of counters make no events")
    commit(PERF_SUBJECT, textwrap.fill(PERF_TEXT, 72))
    git("format-patch", "-q", "-o", folder, "-1")
    counts = [line.split("\t")[:2] for line in git("log", "-1", "--numstat", "--format=").splitlines() if line]
    return sum(int(plus) for plus, _ in counts), sum(int(minus) for _, minus in counts)


# What the driver needs, on a kernel that has nothing else.
CONFIG = """\
CONFIG_64BIT=y
CONFIG_MMU=y
CONFIG_COMPILE_TEST=y
CONFIG_OF=y
CONFIG_PM=y
CONFIG_COMMON_CLK=y
CONFIG_REGULATOR=y
CONFIG_EVENTFD=y
CONFIG_SYSCTL=y
CONFIG_DEBUG_FS=y
CONFIG_PERF_EVENTS=y
CONFIG_FTRACE=y
CONFIG_ENABLE_DEFAULT_TRACERS=y
CONFIG_DRM=y
CONFIG_DRM_PANTHOR=y
CONFIG_DRM_PANTHOR_PERF=y
"""

# Options that are not named are off.
LESS = {
    "least": """\
CONFIG_COMPILE_TEST=y
CONFIG_OF=y
CONFIG_COMMON_CLK=y
CONFIG_REGULATOR=y
CONFIG_DRM=y
CONFIG_DRM_PANTHOR=y
CONFIG_DRM_PANTHOR_PERF=y
""",
    "off": """\
CONFIG_COMPILE_TEST=y
CONFIG_OF=y
CONFIG_PM=y
CONFIG_COMMON_CLK=y
CONFIG_REGULATOR=y
CONFIG_DEBUG_FS=y
CONFIG_DRM=y
CONFIG_DRM_PANTHOR=y
# CONFIG_DRM_PANTHOR_PERF is not set
""",
}


# What Sphinx builds: the book of the counters, if the tree has it, and the interface.
PAGES = """\
Performance counters
====================

.. toctree::
   :glob:

   *
"""
INTERFACE = f"""\
drm/panthor uAPI
================

.. kernel-doc:: {UAPI}
"""


class Bisection:
    """A kernel tree that has the first patches of the series, and what is built from it."""

    def __init__(self, kernel):
        self.folder = os.path.join(CACHE, f"series{OF_SERIES}")
        self.tree = os.path.join(self.folder, f"tree-{kernel['KVER']}")
        self.version = kernel["KVER"]
        self.logs = os.path.join(OUT, "logs")
        os.makedirs(self.logs, exist_ok=True)
        os.makedirs(self.folder, exist_ok=True)
        self.cross = "" if os.uname().machine == "aarch64" else "aarch64-linux-gnu-"
        self.host_cross = "" if os.uname().machine == "x86_64" else "x86_64-linux-gnu-"
        if not os.path.isdir(self.tree):
            note("copying the kernel tree")
            temporary = self.tree + ".tmp"
            shutil.rmtree(temporary, ignore_errors=True)
            if subprocess.run(["cp", "-al", kernel["KSRC"], temporary], check=False).returncode:
                die("the kernel tree cannot be copied")
            os.rename(temporary, self.tree)

    def logged(self, log, *command, env=None, folder=None):
        """Run a command with its output in a log; whether it succeeds."""
        with open(os.path.join(self.logs, log), "w", encoding="utf-8") as file:
            return subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  env=dict(os.environ, **(env or {})), cwd=folder, check=False).returncode == 0

    def take(self, commit_id):
        """Put the state of a commit into the tree; files that stay the same keep their time stamps."""
        git("checkout", "-q", commit_id)
        for name in (PERF + "/", "include/uapi/drm/", "Documentation/gpu/", "Documentation/admin-guide/perf/",
                     "Documentation/ABI/testing/"):
            if not os.path.exists(path(name)):
                continue
            command = ["rsync", "-r", "-c", *(["--delete"] if name.startswith(PERF) else []), path(name),
                       os.path.join(self.tree, name)]
            if subprocess.run(command, check=False).returncode:
                die("the patches cannot be put into the kernel tree")

    def checkpatch(self, patch, name):
        """Whether checkpatch has nothing to say. MAINTAINERS has the driver's folder, and need not change."""
        ignored = "FILE_PATH_CHANGES" + ("" if AUTHOR["signs"] else ",MISSING_SIGN_OFF")
        # Trace events are no functions. static/checkpatch looks at the other files of such a patch.
        if "/panthor_perf_trace.h\n" in text_of(patch):
            ignored += ",OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT"
        return self.logged(f"{name}-checkpatch.log", "perl", os.path.join(self.tree, "scripts/checkpatch.pl"),
                           "--strict", "--root", self.tree, "--ignore", ignored, patch)

    def build(self, arch, cross, name, kind=""):
        """Whether the driver's folder is built without a warning, with a kind of LESS."""
        objects = os.path.join(self.folder, f"{arch}{'-' if kind else ''}{kind}-{self.version}")
        make = ["nice", "make", "-C", self.tree, f"O={objects}", f"ARCH={arch}", f"CROSS_COMPILE={cross}", "W=1",
                f"-j{os.cpu_count()}"]
        os.makedirs(objects, exist_ok=True)
        options = os.path.join(objects, "options")
        with open(options, "w", encoding="utf-8") as file:
            file.write(LESS.get(kind, CONFIG))
        log = f"{name}-{arch}{'-' if kind else ''}{kind}.log"
        if not self.logged(log, *make, "allnoconfig", env={"KCONFIG_ALLCONFIG": options}):
            return False
        config = text_of(os.path.join(objects, ".config"))
        wanted = ["CONFIG_DRM_PANTHOR=y"]
        if os.path.exists(os.path.join(self.tree, PERF, "tests")):
            wanted += [option for option in LESS.get(kind, CONFIG).splitlines() if "_PANTHOR_" in option]
        for option in wanted:
            if option + "\n" not in config:
                die(f"{log}: the configuration has no {option}")
        # A warning of an object that stays the same is not repeated: build the folder anew.
        shutil.rmtree(os.path.join(objects, PERF), ignore_errors=True)
        done = self.logged(log, *make, PERF + "/")
        return done and not re.search(r"warning:", text_of(os.path.join(self.logs, log)))

    def documentation(self, name):
        """Whether Sphinx has nothing to say. The kernel's own books take an hour: a folder has only these pages."""
        pages = os.path.join(self.tree, "Documentation", "panthor-perf")
        shutil.rmtree(pages, ignore_errors=True)
        os.makedirs(pages)
        for page, text in (("index", PAGES), ("uapi", INTERFACE)):
            with open(os.path.join(pages, f"{page}.rst"), "w", encoding="utf-8") as file:
                file.write(text)
        for book in filter(os.path.exists, (path(BOOK), path(PMU_PAGE))):
            shutil.copy(book, pages)
        log = f"{name}-documentation.log"
        done = self.logged(log, "make", "-C", self.tree, "SPHINXDIRS=panthor-perf",
                           f"BUILDDIR={os.path.join(self.folder, f'documentation-{self.version}')}", "htmldocs")
        says = [line for line in text_of(os.path.join(self.logs, log)).splitlines()
                if re.search(r"WARNING|ERROR|warning:", line) and "dot(1) not found" not in line]
        if os.path.exists(path(PMU_ABI)):
            done &= self.logged(f"{name}-abi.log", os.path.join(self.tree, "tools/docs/get_abi.py"), "--dir",
                                path("Documentation/ABI"), "validate")
        return done and not says

    def kunit(self, name):
        """Whether the KUnit suites pass, and their closing line."""
        log, tests = f"{name}-kunit.log", os.path.join(self.tree, PERF, "tests")
        shutil.copy(path(PERF, "tests", ".kunitconfig"), tests)
        kunit = os.path.join(self.tree, "tools", "testing", "kunit", "kunit.py")
        if not self.logged(log, sys.executable, kunit, "config", f"--kunitconfig={tests}/.kunitconfig",
                           f"--build_dir={os.path.join(self.folder, f'build-{self.version}')}",
                           folder=self.tree):
            return False, "is not configured"
        done = self.logged(log, os.path.join(TOP, "scripts", "kunit.py"), env={
            "KUNIT_FOLDER": self.folder, "KUNIT_KEEP": "tree", "KUNIT_NAME": "series-kunit"})
        lines = text_of(os.path.join(self.logs, log)).splitlines()
        line = next((line for line in reversed(lines) if " passed, " in line), "has no results")
        return done, re.sub(r"^kunit: | \(.*", "", line)

    def patch(self, number, commit_id, patch):
        """Test the tree with a patch and those before it. Returns whether it passes, and what was seen."""
        name = number
        self.take(commit_id)
        results = {"checkpatch": self.checkpatch(patch, name), "arm64": self.build("arm64", self.cross, name),
                   "x86_64": self.build("x86_64", self.host_cross, name),
                   **{kind: self.build("x86_64", self.host_cross, name, kind) for kind in LESS},
                   "documentation": self.documentation(name)}
        seen = [what if passed else f"{what} FAILED" for what, passed in results.items()]
        if os.path.exists(path(PERF, "tests")):
            results["kunit"], line = self.kunit(name)
            seen.append(f"KUnit {line}")
        else:
            seen.append("no suites yet")
        return all(results.values()), ", ".join(seen)


KINDS = ("driver", "uAPI", "KUnit", "fake", "docs")


def kind_of(name):
    """What the lines of a file count as."""
    if name == UAPI:
        return "uAPI"
    if "/tests/" in name:
        return "fake" if "fake_fw" in name else "KUnit"
    return "driver" if name.startswith(PERF) else "docs"


def lines_of(commit_id):
    """Lines that a commit adds, by kind, and those that it removes."""
    added, removed = dict.fromkeys(KINDS, 0), 0
    for line in git("show", "--numstat", "--format=", commit_id).splitlines():
        plus, minus, name = line.split("\t")
        added[kind_of(name)] += int(plus)
        removed += int(minus)
    return added, removed


def table_line(added, removed, text):
    """A line of the table of patches."""
    return " ".join(f"{added[kind] or '-':>6}" for kind in KINDS) + f" {removed:>8}  {text}"


def check_limits(total, sizes):
    """Print which limits of the first series are not kept."""
    for kind, limit in series.LIMITS.items():
        if total[kind] > limit:
            print(f"over: {total[kind]} lines of {kind}, not {limit}")
    if len(sizes) > series.MAX_PATCHES:
        print(f"over: {len(sizes)} patches, not {series.MAX_PATCHES}")
    for size, subject in sizes:
        if size > series.MAX_PATCH:
            print(f"over: {size} lines of driver and uAPI in '{subject}', not {series.MAX_PATCH}")


def format_patches(number, base, commits):
    """Write the patches of a series with their cover letter. Returns their folder."""
    folder = os.path.join(OUT, "patches", str(number))
    count = git("rev-list", "--count", f"{commits[0]}..{commits[1]}").strip()
    git("format-patch", "-q", "--cover-letter", "--subject-prefix=PATCH", f"--base={commits[0]}", "-o", folder,
        f"-{count}", commits[1])
    cover = next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("0000-"))
    if number == 1:
        filled = series.cover_of(text_of(cover), series.COVER_SUBJECT, text_of(os.path.join(TOP, series.COVER)))
    else:
        _features, title, text = series.FOLLOWING[number - 2]
        text += ("\nThis series is on top of those before it, of which the first one is \"" + series.COVER_SUBJECT +
                 "\".\nThe cover letter of that one says what was tested.\n")
        filled = series.cover_of(text_of(cover), f"drm/panthor: perf: {title}", text)
    # The base is the kernel of the distribution, and the series before: no tree of others has these commits.
    what = f"Linux {SERIES}" + (f" with series 1 to {number - 1}" if number > 1 else "")
    filled = filled.replace(f"base-commit: {commits[0]}", f"base-commit: {commits[0]} ({what})")
    with open(cover, "w", encoding="utf-8") as file:
        file.write(filled)
    return folder


def report(number, base, commits, bisection):
    """Write the patches of a series, test them, and print their lines. Returns how many passed and failed."""
    folder = format_patches(number, base, commits)
    title = series.COVER_SUBJECT if number == 1 else series.FOLLOWING[number - 2][1]
    print(f"series {number}: {title}", flush=True)
    total, removals, sizes, passed, failed = dict.fromkeys(KINDS, 0), 0, [], 0, 0
    ids = git("rev-list", "--reverse", f"{commits[0]}..{commits[1]}").split()
    for place, commit_id in enumerate(ids, 1):
        added, removed = lines_of(commit_id)
        subject = git("show", "-s", "--format=%s", commit_id).strip()
        total = {kind: total[kind] + added[kind] for kind in KINDS}
        removals += removed
        sizes.append((added["driver"] + added["uAPI"], subject))
        line = table_line(added, removed, subject)
        if bisection:
            patch = next(name for name in os.listdir(folder) if name.startswith(f"{place:04}-"))
            note(f"testing patch {place} of {len(ids)} of series {number}")
            good, seen = bisection.patch(f"{number}-{place:04}", commit_id, os.path.join(folder, patch))
            passed, failed = passed + good, failed + (not good)
            line = f"{'ok' if good else 'not ok'} {line} - {seen}"
        print(line, flush=True)
    print(table_line(total, removals, f"in {len(ids)} patches"), flush=True)
    if number == 1:
        check_limits(total, sizes)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bisect", action="store_true", help="test each patch")
    parser.add_argument("--series", type=int, metavar="N", default=PATCHES or None, help="only this series")
    parser.add_argument("--from", dest="author", metavar='"NAME <ADDRESS>"', help="who signs the patches off")
    args = parser.parse_args()
    if args.author:
        found = re.fullmatch(r"([^<>]*[^<>\s])\s*<([^<>\s]+@[^<>\s]+)>", args.author.strip())
        if not found:
            die(f"'{args.author}' is not of the form: Name <address>")
        AUTHOR.update(name=found[1], email=found[2], signs=True)
    if SERIES == "6.12":
        die("the series is for Linux 7.2 and later: set PANTHOR_PERF_KERNEL, or make series KERNEL=7.3")
    for command in ("git", "spatch", "unifdef", "cc"):
        if not shutil.which(command):
            die(f"command {command} is missing: run scripts/deps.sh, which names and installs the packages")
    if args.bisect and not shutil.which("sphinx-build"):
        die("command sphinx-build is missing: run scripts/deps.sh --nightly, which names and installs the packages")
    kernel = settings_of("fetch-kernel.sh")
    sources = kernel["KSRC"]
    count = len(series.FOLLOWING) + 1
    if args.series and not 1 <= args.series <= count:
        die(f"there are series 1 to {count}")
    try:
        make_base(sources)
        ranges = make_commits(sources, args.series or count)
    except Problem as problem:
        die(str(problem))
    bisection = Bisection(kernel) if args.bisect else None
    base = git("rev-list", "--max-parents=0", "HEAD").strip()
    passed = failed = 0
    print(" driver   uAPI  KUnit   fake   docs  removed")
    for number, commits in enumerate(ranges, 1):
        if not args.series or args.series == number:
            good, bad = report(number, base, commits, bisection)
            passed, failed = passed + good, failed + bad
    last = ranges[-1][1]
    git("checkout", "-q", "-B", "series", last)
    if not args.series:
        git("checkout", "-q", "--detach")
        added, removed = make_perf_patch(os.path.join(OUT, "patches", "optional"))
        git("checkout", "-q", "series")
        print(f"optional: {PERF_SUBJECT}: {added} lines, {removed} removed")
    if not AUTHOR["signs"]:
        note('without FROM="Name <address>" the patches have no Signed-off-by line: they cannot be sent')
    if bisection:
        print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
