#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Makes the patches that add the component to a kernel's sources, as for mainline.

The kernel is that of PANTHOR_PERF_KERNEL, 7.2 or later. The patches are made from the files of this checkout: nothing
of them is stored. They have no code for other kernels, and no experiments with firmware. The ioctls and the query have
the next numbers of panthor_drm.h. The patches go to build/linux-SERIES/series/patches, and the tree with all of them
applied to build/linux-SERIES/series/tree. The folder "optional" there has one more, for tools/perf: events and metrics
by the names of the counters. The script prints a line for each patch: lines added, lines removed, and the
subject. With --from, the patches have an author and a Signed-off-by line.

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

from panthor_perf.series import (BOOK, COVER, HEADER, PATCHES, PERF, PMU_ABI, PMU_BOOK, PMU_PAGE, UAPI,  # noqa: E402
                                 Problem, book_of, config_of, cover_of, makefile_of, pmu_book_of, source_of,
                                 uapi_of, without_older, without_pmu)
from panthor_perf.settings import BUILD, CACHE, OF_SERIES, SERIES, TOP, die, note, settings_of, text_of  # noqa: E402

OUT = os.path.join(BUILD, "series")
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
    """The path of a file of PATCHES, below PERF."""
    folder, name = os.path.split(name)
    if folder == "..":
        return name
    return os.path.join(folder, f"panthor_perf_{name}")


def make_commits(sources):
    """A commit for each patch. Returns for each its name and whether there are suites by then."""
    hooks = hooked(sources)
    makefile = text_of(os.path.join(sources, PERF, "Makefile"))
    config = text_of(os.path.join(sources, PERF, "Kconfig")).rstrip("\n") + "\n"
    objects, tests, wanted = [], [], set()
    for name, subject, text, files in PATCHES:
        if name == "uapi":
            write(UAPI, uapi_of(text_of(path(UAPI)), text_of(os.path.join(TOP, HEADER))))
        elif name == "doc":
            write(BOOK, book_of(text_of(os.path.join(TOP, BOOK))))
            write(PMU_PAGE, pmu_book_of(text_of(os.path.join(TOP, PMU_BOOK))))
            index = text_of(path(INDEX))
            write(INDEX, index.replace("   panthor\n", "   panthor\n   panthor-perf\n"))
            index = text_of(path(PMU_INDEX)).rstrip("\n") + "\n"
            write(PMU_INDEX, index + "   panthor-pmu\n")
            write(PMU_ABI, text_of(os.path.join(TOP, PMU_ABI)))
            entry = "F:\tDocumentation/devicetree/bindings/gpu/arm,mali-valhall-csf.yaml\nF:\tdrivers/gpu/drm/ci/xfails/panthor"
            lines = text_of(path(MAINTAINERS))
            if lines.count(entry) != 1:
                die(f"{MAINTAINERS} has no such entry of panthor")
            files_of_doc = f"F:\t{PMU_ABI}\nF:\t{PMU_PAGE}\n" + entry.replace("\nF:", f"\nF:\t{BOOK}\nF:", 1)
            write(MAINTAINERS, lines.replace(entry, files_of_doc))
        for file in files:
            if file == "*":
                for hook, content in hooks.items():
                    write(os.path.join(PERF, hook), without_older(content))
                continue
            full = full_name(file)
            wanted.add(full)
            source = source_of(full, text_of(os.path.join(TOP, PERF, full)))
            write(os.path.join(PERF, full), without_pmu(source) if name == "ioctl" else source)
            if full.endswith(".c") and full[:-1] + "o" not in objects:
                (tests if "tests/" in full else objects).append(full[:-1] + "o")
        if name == "fw":
            write(os.path.join(PERF, "panthor_fw.h"), hooks["panthor_fw.h"])
        if files:
            write(os.path.join(PERF, "Makefile"), makefile_of(makefile, objects, tests))
            perf = config_of(text_of(os.path.join(TOP, PERF, "Kconfig.perf")), bool(tests))
            write(os.path.join(PERF, "Kconfig"), config + perf)
        if name == "layout":
            write(os.path.join(PERF, "tests", ".kunitconfig"),
                  text_of(os.path.join(TOP, PERF, "tests", ".kunitconfig")))
        commit(subject, "\n\n".join(textwrap.fill(part, 72) for part in text.strip().split("\n\n")))
    left = {os.path.join(folder, file)[len(os.path.join(TOP, PERF)) + 1:]
            for folder, _, names in os.walk(os.path.join(TOP, PERF)) for file in names if file.endswith((".c", ".h"))}
    left -= wanted | {"panthor_perf_kcompat.h", "panthor_perf_rawdump.c", "panthor_perf_rawdump.h",
                      "panthor_perf_control.c", "panthor_perf_control.h"}
    if left:
        die(f"no patch has {' '.join(sorted(left))}: add them to PATCHES of scripts/lib/panthor_perf/series.py")


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
        name = f"{number:04}"
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bisect", action="store_true", help="test each patch")
    parser.add_argument("--from", dest="author", metavar='"NAME <ADDRESS>"', help="who signs the patches off")
    args = parser.parse_args()
    if args.author:
        found = re.fullmatch(r"([^<>]*[^<>\s])\s*<([^<>\s]+@[^<>\s]+)>", args.author.strip())
        if not found:
            die(f"'{args.author}' is not of the form: Name <address>")
        AUTHOR.update(name=found[1], email=found[2], signs=True)
    if SERIES == "6.12":
        die("the series is for Linux 7.2 and later: set PANTHOR_PERF_KERNEL, or make series KERNEL=7.3")
    for command in ("git", "spatch"):
        if not shutil.which(command):
            die(f"command {command} is missing: run scripts/deps.sh, which names and installs the packages")
    if args.bisect and not shutil.which("sphinx-build"):
        die("command sphinx-build is missing: run scripts/deps.sh --nightly, which names and installs the packages")
    kernel = settings_of("fetch-kernel.sh")
    sources = kernel["KSRC"]
    try:
        make_base(sources)
        make_commits(sources)
    except Problem as problem:
        die(str(problem))
    patches = os.path.join(OUT, "patches")
    git("format-patch", "-q", "--cover-letter", "--subject-prefix=PATCH", "-o", patches, f"-{len(PATCHES)}")
    cover = next(os.path.join(patches, name) for name in os.listdir(patches) if name.startswith("0000-"))
    filled = cover_of(text_of(cover), text_of(os.path.join(TOP, COVER)))
    with open(cover, "w", encoding="utf-8") as file:
        file.write(filled)
    commits = git("rev-list", "--reverse", f"-{len(PATCHES)}", "HEAD").split()
    bisection = Bisection(kernel) if args.bisect else None
    failed = 0
    for number, line in enumerate(git("log", "--reverse", "--numstat", "--format=@%s", f"-{len(PATCHES)}").split("@")[1:], 1):
        subject, *numbers = line.strip().splitlines()
        counts = [number.split("\t") for number in numbers if number]
        size = f"{sum(int(plus) for plus, _, _ in counts):6} {sum(int(minus) for _, minus, _ in counts):4}  {subject}"
        if not bisection:
            print(size)
            continue
        patch = next(name for name in os.listdir(patches) if name.startswith(f"{number:04}-"))
        note(f"testing patch {number} of {len(commits)}")
        passed, seen = bisection.patch(number, commits[number - 1], os.path.join(patches, patch))
        failed += not passed
        print(f"{'ok' if passed else 'not ok'} {size} - {seen}", flush=True)
    git("checkout", "-q", "-B", "series", commits[-1])
    git("checkout", "-q", "--detach")
    added, removed = make_perf_patch(os.path.join(patches, "optional"))
    git("checkout", "-q", "series")
    if not AUTHOR["signs"]:
        note('without FROM="Name <address>" the patches have no Signed-off-by line: they cannot be sent')
    print(f"{'   ' if bisection else ''}{added:6} {removed:4}  {PERF_SUBJECT} (optional)", flush=True)
    if bisection:
        print(f"{len(commits) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
