#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Boot an x86_64 debug kernel with the virtual GPU and run IGT in it: IGT's own tests of panthor and those
of tests/igt, under igt_runner. Closes with "igt: P pass, S skip, F fail, W warn, I incomplete".

Tests of known work run in a second boot, on a GPU that counts the work of jobs. If the properties contain
counters=..., there is one boot. The results are in build/igt/NAME, those of the second boot in
build/igt/NAME-work: results.json and a folder per subtest of igt_runner, serial.log, truth.log."""

import argparse
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.igt import pack_rootfs  # noqa: E402
from panthor_perf.initramfs import Archive, Modules, write_atomically  # noqa: E402
from panthor_perf.judge import LogJudge, Verdict, judge_truth  # noqa: E402
from panthor_perf.machine import Machine, MachineError, common_arguments, escaped, unpack  # noqa: E402
from panthor_perf.settings import BUILD, TOP, die, note, read, script, settings_of  # noqa: E402
from panthor_perf.vmali import checked_properties, said_by_qemu  # noqa: E402

SOURCES = os.path.join(TOP, "tests", "igt")
PROGRAMS = os.path.join(BUILD, "igt", "bin")
FIRMWARE = "usr/lib/firmware/arm/mali/arch10.8/mali_csffw.bin"
IGT_TRIED = "2.5"
# What continuous integration runs: IGT's own tests, those that no other guest has, and one that shows that numbers
# are right here, too.
SLICE = [("panthor_[!p]*", "*"), ("panthor_perf_faults", "*"), ("panthor_perf_data", "truth-manual")]
NOT_CACHED = 3
# All types of blocks that there are.
EVERY_BLOCK = "csg-counters=on"
# These know in advance what a job counts, which the counters' patterns do not tell.
OF_WORK = "igt@panthor_perf_workload@"
WORK = "counters=work,auto-samples=0,mcu-cost=off"
TIMEOUT = 2400
TEST_TIMEOUT = 240
PROGRESS = re.compile(r"^(?:\[[\d.]+\] )?(\[\d+/\d+\].*)")
# What the kernel says of a host that leaves its guest no time: no fault of a test. The driver's own worker takes
# one short step after the other: there it is one.
STARVED = re.compile(r"hrtimer: interrupt took|workqueue: (?!sampler_work)\S+(?: \[\w+\])? hogged CPU for")

# What igt_runner's results are to us.
KINDS = {
    "pass": "pass",
    "skip": "skip",
    "warn": "warn",
    "dmesg-warn": "warn",
    "incomplete": "incomplete",
    "notrun": "incomplete",
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Without TEST the script runs all tests.")
    parser.add_argument("--test", metavar="TEST", default="", help="only this test, or those: panthor_perf_ring, 'panthor_[!p]*'")
    parser.add_argument("--subtest", metavar="SUBTEST", default="",
                        help="only this subtest; * and ? are wildcards: 'extract-*'")
    parser.add_argument("--slice", action="store_true",
                        help=f"only {', '.join(' '.join(words) for words in SLICE)}; status {NOT_CACHED}, without "
                        "output, if the cache lacks kernel, emulator or IGT, whose builds take long")
    parser.add_argument("--name", default="all", help="name of the run (default all)")
    parser.add_argument("--vmali", default="", metavar="PROPS", help=f"properties of the virtual GPU (default {EVERY_BLOCK})")
    parser.add_argument("--append", default="", metavar="KARGS", help="more kernel arguments")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="S",
                        help=f"kill the guest after S seconds (default {TIMEOUT})")
    parser.add_argument("--verbose", action="store_true", help="show the console output at once")
    args = parser.parse_args()
    if not re.fullmatch(r"[\w-]+", args.name):
        parser.error(f"--name '{args.name}': a name is wanted")
    if args.slice and (args.test or args.subtest):
        parser.error("--slice says which tests are run")
    try:
        args.vmali = checked_properties(args.vmali)
    except ValueError as error:
        die(f"--vmali: {error}")
    return args


def cached():
    """Are the things there that take long?"""
    return not any(subprocess.run([script(f"build/{command[0]}"), *command[1:], "--cached"], check=False).returncode
                   for command in (["build-igt-kernel.sh"], ["build-igt-rootfs.sh"], ["build-qemu.sh", "--target", "x86_64"]))


def build_tests(settings):
    """Build the tests of this checkout; return their names."""
    # The one header that is taken from the kernel: libdrm's package may not have it.
    uapi = os.path.join(BUILD, "igt", "include")
    os.makedirs(uapi, exist_ok=True)
    shutil.copy(os.path.join(settings["KSRC"], "include/uapi/drm/panthor_drm.h"), uapi)
    library = os.path.join(settings["IGT_ROOTFS"], "usr/lib/x86_64-linux-gnu/libigt.so.0")
    run = subprocess.run(["make", "-s", "-C", SOURCES, f"OUT={PROGRAMS}", f"UAPI={uapi}",
                          f"LIBIGT={library}"], check=False)
    if run.returncode:
        die("the tests do not build, see above")
    return sorted(name[:-2] for name in os.listdir(SOURCES)
                  if name.startswith("panthor_perf") and name.endswith(".c"))


def subtests_of(settings, program):
    """The subtests of a program, which says them here faster than in the guest."""
    libraries = os.path.join(settings["IGT_ROOTFS"], "usr/lib/x86_64-linux-gnu")
    run = subprocess.run([os.path.join(libraries, "ld-linux-x86-64.so.2"), "--library-path", libraries,
                          program, "--list-subtests"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False)
    names = run.stdout.decode().split()
    if run.returncode or not names:
        die(f"{program}: no list of its subtests")
    return names


def selection(args, settings, packaged, own):
    """The lines of igt_runner's list: what is to be run, in order."""
    tests = fnmatch.filter(packaged + own, args.test or "*")
    if not tests:
        die(f"there is no test '{args.test}': {' '.join(packaged + own)}")
    lines = []
    wanted = SLICE if args.slice else [(args.test or "*", args.subtest or "*")]
    for name in tests:
        folder = PROGRAMS if name in own else settings["IGT_ROOTFS"] + settings["IGT_TESTS"]
        lines += [f"igt@{name}@{subtest}" for subtest in subtests_of(settings, os.path.join(folder, name))
                  if any(fnmatch.fnmatch(name, test) and fnmatch.fnmatch(subtest, pattern) for test, pattern in wanted)]
    if not lines:
        die(f"there is no subtest '{args.subtest}'")
    return lines


def overlay(settings, own, packaged, lines):
    """What a boot adds to the guest's files; lines are what igt_runner is to run."""
    archive = Archive()
    modules = Modules(settings["KMODDIR_IGT"])
    load = []
    archive.file("modules/vmali-irq.ko", read(settings["VMALI_IRQ"]))
    for name in modules.order(["panthor"]):
        archive.file(f"modules/{name}.ko", modules.read(name))
        load.append(f"/modules/{name}.ko")
    archive.file("etc/load", "".join(f"{path}\n" for path in ["/modules/vmali-irq.ko", *load]).encode())
    archive.file(FIRMWARE, read(settings["FIRMWARE"]))
    archive.file("init", read(os.path.join(SOURCES, "init.sh")), 0o755)
    archive.file("etc/ports.sh", read(os.path.join(TOP, "tests/guest/lib/ports.sh")))
    for name in packaged:
        archive.link(f"tests/{name}", f"{settings['IGT_TESTS']}/{name}")
    for name in own:
        archive.file(f"tests/{name}", read(os.path.join(PROGRAMS, name)), 0o755)
    archive.file("tests/test-list.txt",
                 f"TESTLIST\n{' '.join(packaged + own)}\nEND TESTLIST\n".encode())
    archive.file("etc/test-list", "".join(f"{line}\n" for line in lines).encode())
    archive.file("etc/runner", f"--per-test-timeout={TEST_TIMEOUT}\n--test-list=/etc/test-list\n".encode())
    return archive.finish()


def qemu_arguments(args, settings, vmali, folder):
    properties = f",{vmali}" if vmali else ""
    return [
        settings["QEMU"], "-M", "q35,accel=tcg", "-cpu", "max", "-L", settings["IGT_BIOS"], "-dtb", settings["DTB_IGT"],
        "-kernel", settings["KIMAGE_IGT"],
        *common_arguments(folder, f"console=ttyS0 log_buf_len=16M no_timer_check tsc=unstable clocksource=hpet "
                                  f"{args.append}"),
        "-device", f"vmali-isa,id=gpu0,coherent=on,truth={escaped(os.path.join(folder, 'truth.log'))}{properties}",
        "-device", "virtio-serial-pci",
    ]


def results_of(folder):
    """Return {subtest: result} out of igt_runner's results.json."""
    try:
        with open(os.path.join(folder, "results.json"), encoding="utf-8") as data:
            tests = json.load(data)["tests"]
    except (OSError, ValueError, KeyError) as error:
        note(f"no results: {error}")
        return {}
    return {name.removeprefix("igt@"): test for name, test in tests.items()}


def kind_of(test):
    """pass, skip, fail, warn or incomplete."""
    kind = KINDS.get(test["result"], "fail")
    warnings = (test.get("dmesg-warnings") or "").splitlines()
    if test["result"] == "dmesg-warn" and warnings and all(STARVED.search(line) for line in warnings):
        return "pass"
    return kind


def reason_of(test):
    """The line of the output that says why."""
    output = (test.get("out") or "") + (test.get("err") or "")
    for pattern in (r"Test requirement: .*\n(?!Subtest )(.+)", r"Test requirement: (.*)",
                    r"Failed assertion: (.*)", r"(Received signal.*)", r"(Test assertion failure.*)"):
        match = re.search(pattern, output)
        if match:
            return match.group(1).strip()
    lines = (test.get("dmesg-warnings") or "").splitlines()
    return lines[0].strip() if lines else ""


class Boot:
    """One machine, with a GPU of these properties: runs the lines of igt_runner's list."""

    def __init__(self, name, vmali, lines):
        self.folder = os.path.join(BUILD, "igt", name)
        self._vmali = vmali
        self._lines = lines
        self._console = []
        self.verdict = Verdict()
        self.results = {}

    def run(self, args, settings, own, packaged, base):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        initrd = os.path.join(self.folder, "initrd.cpio")
        write_atomically(initrd, read(base) + overlay(settings, own, packaged, self._lines))
        print(f"igt: IGT {settings['IGT_VERSION']} on {settings['KREL_IGT']}"
              f"{', ' + self._vmali if self._vmali else ''}: {len(self._lines)} subtests", flush=True)
        machine, in_time = self._machine(args, settings)
        os.unlink(initrd)
        if not in_time:
            self.verdict.not_ok(f"guest: killed after {args.timeout:g} s")
        elif machine.status:
            said = said_by_qemu(os.path.join(self.folder, "qemu.err"), 1)
            self.verdict.not_ok(f"guest: QEMU's exit status - {machine.status}: {said}")
        self._judge()

    def _machine(self, args, settings):
        start = time.monotonic()
        truth = os.path.join(self.folder, "truth.log")
        with open(os.path.join(self.folder, "serial.log"), "w", encoding="utf-8") as serial:
            def on_line(line):
                self._console.append(line)
                serial.write(line + "\n")
                serial.flush()
                if args.verbose:
                    print(f"    {line}", flush=True)
                elif match := PROGRESS.match(line):
                    print(f"{time.monotonic() - start:5.0f} s {match.group(1)}", flush=True)

            try:
                machine = Machine(qemu_arguments(args, settings, self._vmali, self.folder),
                                  os.path.join(self.folder, "qemu.err"), [truth], on_line)
                return machine, machine.run(args.timeout)
            except MachineError as error:
                die(str(error))

    def _judge(self):
        unpack(os.path.join(self.folder, "out.tar"), self.folder, self.verdict)
        judge = LogJudge(self.verdict)
        for line in self._console:
            judge.line(line)
        judge.finish()
        truth = os.path.join(self.folder, "truth.log")
        judge_truth(self.verdict, read(truth).decode().splitlines() if os.path.exists(truth) else [])
        self.results = results_of(os.path.join(self.folder, "results"))
        if missing := [line for line in self._lines if line.removeprefix("igt@") not in self.results]:
            self.verdict.not_ok(f"igt_runner: {len(missing)} subtests without a result, the first {missing[0]}")


def boots(args, lines):
    """What is run where."""
    of_work = [line for line in lines if line.startswith(OF_WORK)]
    vmali = args.vmali or EVERY_BLOCK
    if not of_work or re.search(r"(^|,)counters=", vmali):
        return [Boot(args.name, vmali, lines)]
    work = Boot(f"{args.name}-work", f"{vmali},{WORK}", of_work)
    others = [line for line in lines if line not in of_work]
    return [Boot(args.name, vmali, others), work] if others else [work]


def main():
    args = arguments()
    if args.slice and not cached():
        return NOT_CACHED
    settings = settings_of("fetch-kernel.sh")
    settings.update(settings_of("build-igt-rootfs.sh"))
    if not settings["IGT_VERSION"].startswith(IGT_TRIED):
        note(f"IGT {settings['IGT_VERSION']} was never tried, {IGT_TRIED} was: should entry points of the library have "
             "changed, tests/igt/compat/igt.h has to follow")
    own = build_tests(settings)
    packaged = sorted(name for name in os.listdir(settings["IGT_ROOTFS"] + settings["IGT_TESTS"])
                      if name.startswith("panthor_") and name not in own)
    lines = selection(args, settings, packaged, own)
    settings.update(settings_of("build-qemu.sh", "--target", "x86_64"))
    settings.update(settings_of("build-igt-kernel.sh"))
    base = pack_rootfs(settings["IGT_ROOTFS"], os.path.join(BUILD, "igt"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    count = dict.fromkeys(("pass", "skip", "fail", "warn", "incomplete"), 0)
    sound = True
    done = boots(args, lines)
    for boot in done:
        boot.run(args, settings, own, packaged, base)
    for boot in done:
        for name, test in sorted(boot.results.items()):
            kind = kind_of(test)
            count[kind] += 1
            if kind != "pass":
                print(f"{test['result']} {name}: {reason_of(test)}")
        for passed, text in boot.verdict.results:
            if not passed:
                print(f"not ok {text}")
        sound &= bool(boot.results) and not boot.verdict.failed
    print("igt: " + ", ".join(f"{number} {kind}" for kind, number in count.items()), flush=True)
    if not sound or count["fail"] or count["warn"] or count["incomplete"]:
        note(f"the logs are in {' and '.join(boot.folder for boot in done)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
