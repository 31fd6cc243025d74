#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Reports which lines of the driver's panthor_perf*.c the tests reach.

gcov counts in two places: in the KUnit suites, and in guests that run the stock kernel with the
virtual GPU, the project's panthor.ko and the kernel's own gcov as a module. A line is covered if one
of them reached it.

The script prints a table with a row for each file. build/coverage/uncovered.txt has the lines that no
test reached, with the reason from tests/coverage/known. An entry of that file for a line that is
covered, or no longer exists, is an error. The last line is "coverage: L of M lines, P %"; below
95 % the exit status is 1.
"""

import argparse
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf import settings  # noqa: E402
from panthor_perf.settings import BUILD, CACHE, TOP, die, known_reasons, note, text_of, write  # noqa: E402

DRIVER = os.path.join(TOP, settings.DRIVER)
WORK = os.path.join(BUILD, "coverage")
KNOWN = os.path.join(TOP, "tests/coverage/known")
FOLDER = os.path.join(CACHE, "coverage")
WANTED = 95

# These make the kernel slower and check what scripts/kunit.py has checked; none of them is a line.
WITHOUT = re.compile(r"^CONFIG_(KASAN|PROVE_LOCKING|DEBUG_(KERNEL|ATOMIC_SLEEP|LIST|OBJECTS\w*))=y$")

# One boot each: name, properties of the virtual GPU, arguments for scripts/run-guest.py, tests. What KUnit
# has not is there: a GPU to probe, files and their memory, power management and debugfs.
GUESTS = [
    ("perf", "", ["--append", "PERF_RAWDUMP=1"], ["suspend", "perf-info", "perf-stat", "perf-errno", "perf-close", "perf-pm", "perf-fd",
                      "perf-burst", "perf-extract", "perf-observe", "perf-rebind",
                      "perf-unplug", "perf-silent"]),
    ("perf-features", "", [], ["perf-select", "perf-sleep", "perf-wakeup"]),
    ("perf-others", "csg-counters=on", [], ["perf-pmu", "perf-control"]),
    ("perf-reset", "metadata=on", [], ["perf-reset"]),
    ("perf-life", "", [], ["perf-suspend", "perf-faults", "perf-unplug-silent"]),
    ("perf-clocks", "clocks=3,clock-provider=on", [], ["perf-clocks", "perf-clock-modes"]),
    ("perf-rawdump", "", [], ["perf-rawdump", "perf-selftest"]),
    ("perf-odd", "x-prfcnt-size=0x20034", ["--expect", r"panthor .*\[drm\] no performance counters: "],
     ["probe", "perf-none"]),
]


def run(what, command, env=None, fatal=True):
    """Run a script into a log, with a line of progress now and then. Returns its status."""
    log = os.path.join(WORK, "log", re.sub(r"\W+", "-", what) + ".log")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    began = time.monotonic()
    note(f"{what} ...")
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=TOP, stdout=file, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, env=dict(os.environ, **(env or {})))
        try:
            while True:
                try:
                    status = process.wait(timeout=30)
                    break
                except subprocess.TimeoutExpired:
                    last = (text_of(log).strip().splitlines() or [""])[-1]
                    note(f"... {time.monotonic() - began:.0f} s: {last[:70]}")
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status and fatal:
        sys.stderr.write("".join(f"    {line}\n" for line in text_of(log).splitlines()[-20:]))
        die(f"{what}: failed, see {log}")
    return status


def sources():
    return sorted(glob.glob(os.path.join(DRIVER, "panthor_perf*.c")))


def fingerprint():
    """Changes when a measured file does."""
    return hashlib.sha256("".join(text_of(path) for path in sources()).encode()).hexdigest()


def kunit():
    """Run the suites in a kernel whose panthor_perf*.o count. Returns the folder with the counts."""
    lib = os.path.join(FOLDER, "lib")
    os.makedirs(lib, exist_ok=True)
    # The kernel runs on this host with the host's own libgcov, which has a name that the kernel has too.
    archive = subprocess.check_output(["gcc", "-print-file-name=libgcov.a"], text=True).strip()
    subprocess.check_call(["objcopy", "--redefine-sym", "mangle_path=gcov_mangle_path", archive,
                           os.path.join(lib, "libgcov.a")])

    options = [line for folder in (os.path.join(DRIVER, "tests"), os.path.join(TOP, "tests/kunit"))
               for line in text_of(os.path.join(folder, ".kunitconfig")).splitlines()]
    config = os.path.join(WORK, "kunit.config")
    write(config, "".join(f"{line}\n" for line in options if not WITHOUT.match(line)))

    # The kernel's linker script has no place for destructors, of which one would write the counts.
    arguments = subprocess.check_output([os.path.join(TOP, "scripts/build/coverage-args.sh")], text=True)
    arguments += (f"LD_FLAGS_CMDLINE=--coverage -Wl,-fini=__gcov_exit -L{lib} "
                  "$(foreach opt,$(KBUILD_LDFLAGS) $(LDFLAGS_EXECSTACK),-Wl,$(opt))\n")
    make = os.path.join(WORK, "kunit.make")
    write(make, arguments)
    for ending in ("gcda", "gcno"):
        for path in glob.glob(os.path.join(FOLDER, f"build-*/drivers/gpu/drm/panthor/*.{ending}")):
            if ending == "gcda" or not os.path.exists(path[:-4] + "o"):
                os.unlink(path)

    # No rule says that the kernel depends on how it is linked.
    stamp = os.path.join(FOLDER, "link")
    if not os.path.exists(stamp) or text_of(stamp) != arguments:
        for path in glob.glob(os.path.join(FOLDER, "build-*/vmlinux")):
            os.unlink(path)
    run("KUnit", ["nice", "scripts/kunit.py"], {
        "KUNIT_NAME": "coverage-kunit", "KUNIT_FOLDER": FOLDER, "KUNIT_CONFIG": config,
        "KUNIT_MAKE": make})
    write(stamp, arguments)

    found = glob.glob(os.path.join(FOLDER, "build-*/drivers/gpu/drm/panthor/panthor_perf.gcda"))
    if not found:
        die("KUnit left no counts")
    return os.path.dirname(max(found, key=os.path.getmtime))


def guests(wanted):
    """Run the tests of the guests. Returns the folders with the counts."""
    run("the module", ["scripts/build/build-module.sh", "--coverage"])
    run("the tools", ["scripts/build/build-tools.sh"])
    run("the guest's modules", ["scripts/build/build-guest-modules.sh"])
    files = []
    for path in sorted(glob.glob(os.path.join(TOP, "build/guest-modules/*.ko"))):
        files += ["--file", f"{path}:/modules/{os.path.basename(path)}"]

    built = os.path.join(TOP, "build/module-coverage")
    folders = []
    for name, vmali, extra, tests in GUESTS:
        if wanted and name not in wanted:
            continue
        left = os.path.join(TOP, "build/run", f"coverage-{name}", "out/gcda")
        shutil.rmtree(left, ignore_errors=True)
        run(f"guest {name}", ["nice", "scripts/run-guest.py", "--quiet", "--name", f"coverage-{name}",
                              "--timeout", "600", "--vmali", vmali, *extra,
                              "--module", os.path.join(built, "panthor.ko"),
                              "--before", os.path.join(built, "gcov.ko"), *files, *tests, "coverage"],
            fatal=False)
        if not glob.glob(os.path.join(left, "*.gcda")):
            die(f"guest {name}: its counts did not come back, see build/coverage/log")
        # What fails here is for scripts/check/guest.sh to judge; it may have reached less.
        summary = text_of(os.path.join(TOP, "build/run", f"coverage-{name}", "summary"))
        for line in re.findall(r"^not ok .*$", summary, re.M):
            note(line)
        folders.append(left)
    return folders


def measured(gcov, gcda_folder, gcno_folder):
    """What gcov makes of the counts of a run: {file: {line: (count, function)}}."""
    scratch = os.path.join(WORK, "gcov")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    result = {}
    for source in sources():
        stem = os.path.basename(source)[:-2]
        for folder, ending in ((gcda_folder, "gcda"), (gcno_folder, "gcno")):
            path = os.path.join(folder, f"{stem}.{ending}")
            if os.path.exists(path):
                shutil.copy(path, scratch)
        # An option that this kernel does not have.
        if not os.path.exists(os.path.join(scratch, f"{stem}.gcno")):
            continue
        run_gcov = subprocess.run([gcov, "--json-format", f"{stem}.gcno"], cwd=scratch, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        outputs = glob.glob(os.path.join(scratch, f"{stem}*.gcov.json.gz"))
        if run_gcov.returncode or not outputs:
            die(f"{gcov}: {run_gcov.stdout.decode(errors='replace').strip()}")
        if b"stamp mismatch" in run_gcov.stdout:
            die(f"{stem}.c: was compiled again since it counted")
        with gzip.open(outputs[0], "rt", encoding="utf-8") as file:
            data = json.load(file)
        for entry in data["files"]:
            if os.path.basename(entry["file"]) != os.path.basename(source):
                continue
            lines = result.setdefault(os.path.basename(source), {})
            for line in entry["lines"]:
                count, function = lines.get(line["line_number"], (0, line.get("function_name", "")))
                lines[line["line_number"]] = (count + line["count"], function)
        os.unlink(outputs[0])
    return result


def merged(runs):
    """The union of runs."""
    result = {}
    for one in runs:
        for name, lines in one.items():
            target = result.setdefault(name, {})
            for number, (count, function) in lines.items():
                before, known = target.get(number, (0, function))
                target[number] = (before + count, known or function)
    return result


def reached(lines):
    return sum(count > 0 for count, _ in lines.values())


def percent(part, whole):
    return f"{100 * part / whole:6.1f} %" if whole else "      - "


def table(total, in_kunit, in_guests):
    rows = [f"{'file':28} {'lines':>6} {'covered':>8} {'':8} {'KUnit':>6} {'guest':>6}"]
    for name, lines in sorted(total.items()):
        rows.append(f"{name:28} {len(lines):6} {reached(lines):8} {percent(reached(lines), len(lines))} "
                    f"{reached(in_kunit.get(name, {})):6} {reached(in_guests.get(name, {})):6}")
    return "".join(f"{row}\n" for row in rows)


def uncovered(total, texts, reasons):
    """Returns what is not covered as text, how many lines have no reason, and the stale reasons."""
    out, without, used = [], 0, set()
    for name, lines in sorted(total.items()):
        for number, (count, function) in sorted(lines.items()):
            if count:
                continue
            text = texts[name][number - 1].strip()
            key = f"{name} {function}: {text}"
            reason = reasons.get(key)
            used.add(key)
            without += reason is None
            out.append(f"{name}:{number}: {function}: {text}\n\t{reason or 'no reason is known'}\n")
    return "".join(out), without, [key for key in reasons if key not in used]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-guest", action="store_true", help="only KUnit")
    parser.add_argument("--guest", action="append", metavar="NAME",
                        help=f"only these guests of {', '.join(guest[0] for guest in GUESTS)}")
    parser.add_argument("--again", action="store_true",
                        help="run no tests: evaluate the counts of the last run with the current tests/coverage/known")
    args = parser.parse_args()
    names = [guest[0] for guest in GUESTS]
    for name in args.guest or ():
        if name not in names:
            parser.error(f"--guest {name}: one of {', '.join(names)}")
    cross = os.environ.get("CROSS_COMPILE")
    if cross is None:
        cross = "" if os.uname().machine == "aarch64" else "aarch64-linux-gnu-"
    for command in ("gcc", "gcov", f"{cross}gcov", "objcopy"):
        if not shutil.which(command):
            die(f"command {command} is missing: run scripts/deps.sh, which names and installs the packages")

    saved = os.path.join(WORK, "counts.json")
    if args.again:
        if not os.path.exists(saved):
            parser.error("--again: nothing was counted yet")
        counts = json.loads(text_of(saved))
        in_kunit, in_guests = ({name: {int(number): tuple(line) for number, line in lines.items()}
                                for name, lines in counts[where].items()} for where in ("kunit", "guests"))
        if counts["sources"] != fingerprint():
            die("the driver's files have changed since: run it without --again")
    else:
        began = fingerprint()
        in_kunit = measured("gcov", *[kunit()] * 2)
        in_guests = {}
        if not args.no_guest:
            in_guests = merged(measured(f"{cross}gcov", folder, os.path.join(TOP, "build/module-coverage/src"))
                               for folder in guests(args.guest))
        if fingerprint() != began:
            die("the driver's files changed meanwhile: once more, please")
        write(saved, json.dumps({"sources": began, "kunit": in_kunit, "guests": in_guests}))

    total = merged([in_kunit, in_guests])
    for source in sources():
        # A file may have nothing but the tracepoints of its header.
        if os.path.basename(source) not in total and not args.no_guest and "{" in text_of(source):
            die(f"{os.path.basename(source)}: was measured nowhere")
    texts = {os.path.basename(path): text_of(path).splitlines() for path in sources()}
    rows = table(total, in_kunit, in_guests)
    listing, without, stale = uncovered(total, texts, known_reasons(KNOWN))
    write(os.path.join(WORK, "table.txt"), rows)
    write(os.path.join(WORK, "uncovered.txt"), listing)
    print(rows, end="")
    if without:
        print(f"{without} lines that nothing reached have no reason in tests/coverage/known")
    for key in stale:
        print(f"tests/coverage/known: covered, or not there any more: {key}")
    lines = sum(len(found) for found in total.values())
    covered = sum(reached(found) for found in total.values())
    print("the lines that nothing reached: build/coverage/uncovered.txt")
    print(f"coverage: {covered} of {lines} lines, {100 * covered / lines:.1f} %")
    return 0 if covered * 100 >= lines * WANTED and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
