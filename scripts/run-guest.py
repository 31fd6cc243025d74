#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Boot a Debian arm64 guest with the virtual GPU, run guest tests in it, and judge its logs."""

import argparse
import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.initramfs import Archive, Modules, base_layer, module_depends, write_atomically  # noqa: E402
from panthor_perf.judge import LogJudge, Verdict, judge_truth, warnings_of  # noqa: E402
from panthor_perf import own  # noqa: E402
from panthor_perf.machine import (  # noqa: E402
    MEMORY, Machine, MachineError, combined_arguments, common_arguments, escaped, unpack)
from panthor_perf.settings import BUILD, MAINLINE, PATCHES, TOP, die, note, read, settings_of, text_of  # noqa: E402
from panthor_perf.terminal import Terminal  # noqa: E402
from panthor_perf.vmali import checked_properties, said_by_qemu  # noqa: E402

GUEST = os.path.join(TOP, "tests", "guest")
MODULE = os.path.join(BUILD, "module", "panthor.ko")
FIRMWARE_FOLDERS = ("arch10.8", "arch10.10", "arch10.12", "arch11.8", "arch12.8", "arch13.8",
                    "arch14.8")
# Of Debian's package qemu-efi-aarch64: firmware with Secure Boot, and a key that it trusts, for tests
UEFI_CODE = "/usr/share/AAVMF/AAVMF_CODE.snakeoil.fd"
UEFI_VARS = "/usr/share/AAVMF/AAVMF_VARS.snakeoil.fd"
UEFI_KEY = "/usr/share/qemu-efi-aarch64/PkKek-1-snakeoil.key"
UEFI_CERTIFICATE = "/usr/share/qemu-efi-aarch64/PkKek-1-snakeoil.pem"
UEFI_PASSWORD = "snakeoil"
TIMEOUT = 900
DEBUG_TIMEOUT = 1800


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="A test is a file tests/guest/tests/TEST.sh; its line \"# kernel: ARGUMENTS\" requests kernel "
        "arguments. Results go to build/run/NAME: serial.log, truth.log (of more GPUs truth-1.log, ...), "
        "out/ (what the guest left in /out) and summary (the ok and not ok lines).")
    parser.add_argument("--name", required=True, help="name of the run")
    parser.add_argument("--stock", action="store_true", help="Debian's own panthor.ko, not the project's")
    parser.add_argument("--debug", action="store_true",
                        help="the kernel of scripts/build/build-debug-kernel.sh with the driver in tree; the test "
                        "'checkers' fails on a report of its checkers")
    parser.add_argument("--module", metavar="FILE",
                        help="the panthor.ko to load (default build/module/panthor.ko; with --stock and "
                        "--debug the kernel's own)")
    parser.add_argument("--installed", metavar="FOLDER",
                        help="lib/modules/RELEASE of an installed system: its kernel, and the panthor.ko that "
                        "modprobe would load there")
    parser.add_argument("--kernel-image", metavar="FILE", help="a kernel of your own: arch/arm64/boot/Image of its tree, "
                        "or vmlinuz-RELEASE of an installed system; the panthor.ko is its own")
    parser.add_argument("--kernel-modules", metavar="FOLDER", help="its modules, if the place of the image does not say "
                        "where: its tree, or lib/modules/RELEASE")
    parser.add_argument("--mesa", metavar="FOLDER", help="an installed Mesa for arm64, or a whole system with one")
    parser.add_argument("--root", metavar="IMAGE", help="a disk with a system for arm64, which stays as it is")
    parser.add_argument("--base", metavar="FOLDER", help="the files of a system that --mesa is used with, without --root")
    parser.add_argument("--check", action="store_true", help="only say what is wrong with --kernel-image, --mesa, "
                        "--root and --forward, or that a system is needed, --base")
    parser.add_argument("--forward", metavar="'PORT[:GUEST] ...'", help="connections to these ports of this host's loopback "
                        "interface reach the guest; the guest itself reaches nothing")
    parser.add_argument("--trace", action="store_true",
                        help="the instructions of command streams are in qemu.log, for scripts/decode-cs.py")
    parser.add_argument("--uefi", metavar="FILE",
                        help="start with UEFI and Secure Boot; the firmware keeps its variables in FILE, which "
                        "is made if it does not exist")
    parser.add_argument("--before", action="append", default=[], metavar="FILE",
                        help="a module that is independent of the kernel, to load before the driver")
    parser.add_argument("--vmali", metavar="PROPS[;PROPS...]",
                        help="properties of the virtual GPU (default: those that the tests request); of several, whose "
                        "ids are gpu0, gpu1, ..., if there are semicolons")
    parser.add_argument("--no-gpu", action="store_true", help="a guest without GPU and driver")
    parser.add_argument("--timeout", type=float, metavar="S",
                        help=f"kill the guest after S seconds (default {TIMEOUT}, with --debug {DEBUG_TIMEOUT})")
    parser.add_argument("--append", default="", metavar="KARGS", help="more kernel arguments")
    parser.add_argument("--file", action="append", default=[], metavar="HOST:GUEST",
                        help="put a file into the guest")
    parser.add_argument("--folder", action="append", default=[], metavar="HOST:GUEST",
                        help="put the files of a folder into the guest, with its links")
    parser.add_argument("--memory", default=MEMORY, metavar="SIZE", help=f"of the guest (default {MEMORY})")
    parser.add_argument("--expect", action="append", default=[], metavar="REGEX",
                        help="a kernel message that has to come before the first test")
    parser.add_argument("--verbose", action="store_true", help="show the console output at once")
    parser.add_argument("--shell", action="store_true",
                        help="no tests: a shell on this terminal, without a limit of time")
    parser.add_argument("--quiet", action="store_true", help="show only what failed")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    args = parser.parse_args()
    if not re.fullmatch(r"[\w.,=+-]+", args.name):
        parser.error(f"--name '{args.name}': only letters, digits and .,=+-_")
    for pattern in args.expect:
        try:
            re.compile(pattern)
        except re.error as error:
            parser.error(f"--expect '{pattern}': {error}")
    if args.shell:
        if args.tests:
            parser.error("--shell runs no tests")
        args.tests.append("shell")
    for test in args.tests:
        if not os.path.exists(os.path.join(GUEST, "tests", f"{test}.sh")):
            parser.error(f"no such test: tests/guest/tests/{test}.sh")
    if args.debug:
        if args.stock:
            parser.error("--debug: its kernel has the project's driver only, --stock cannot be had")
        if not args.shell:
            args.tests.append("checkers")
    if args.installed and (args.stock or args.debug or args.module):
        parser.error("--installed: its kernel and panthor.ko are those of that system")
    if args.kernel_image and (args.stock or args.debug or args.module or args.installed):
        parser.error("--kernel-image: its panthor.ko is its own, --stock, --debug, --module and --installed name others")
    if args.kernel_modules and not args.kernel_image:
        parser.error("--kernel-modules: goes with --kernel-image")
    if args.vmali is None:
        args.vmali = requested_gpu(args.tests, parser)
    try:
        args.vmali = checked_properties(args.vmali)
    except ValueError as error:
        die(f"--vmali: {error}")
    if args.timeout is None:
        args.timeout = DEBUG_TIMEOUT if args.debug else TIMEOUT
    return args


def kernel_of_system(modules):
    """The settings of the kernel whose modules are in lib/modules/RELEASE of a system."""
    modules = os.path.realpath(modules)
    release = os.path.basename(modules)
    image = os.path.join(modules, "../../../boot", f"vmlinuz-{release}")
    if not os.path.exists(image):
        image = os.path.join(modules, "../../../../boot", f"vmlinuz-{release}")
    for path in (image, os.path.join(modules, "modules.dep")):
        if not os.path.exists(path):
            die(f"--installed {modules}: {os.path.normpath(path)} is missing")
    return {"KIMAGE": os.path.normpath(image), "KMODDIR": modules, "KREL": release}


def requests(tests, what):
    """What the tests request in lines "# WHAT: ARGUMENTS"."""
    requested = []
    for test in tests:
        script = read(os.path.join(GUEST, "tests", f"{test}.sh")).decode()
        requested += re.findall(rf"^# {what}: (.+)$", script, re.M)
    return requested


def kernel_arguments(tests):
    return requests(tests, "kernel")


def requested_gpu(tests, parser):
    """The properties of the virtual GPU that all of the tests can do with. A comma in a value of QEMU's is doubled."""
    found = set(requests(tests, "vmali"))
    if len(found) > 1:
        parser.error(f"these tests need several GPUs: {' and '.join(sorted(found))}. Run them one after the other, or choose "
                     "with --vmali")
    return "".join(found).replace("@TOP@", TOP.replace(",", ",,"))


def add_terminal(archive):
    """What the guest has to know of this terminal."""
    name, (columns, rows) = os.environ.get("TERM") or "dumb", os.get_terminal_size()
    if not re.fullmatch(r"[\w.+-]+", name):
        name = "dumb"
    for folder in ("/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"):
        description = os.path.join(folder, name[0], name)
        if os.path.exists(description):
            archive.file(f"etc/terminfo/{name[0]}/{name}", read(description))
            break
    archive.file("etc/terminal", f"TERM={name}\nROWS={rows or ''}\nCOLUMNS={columns}\n".encode())


def overlay(args, kernel, firmware):
    """What this run adds to the base layer."""
    archive = Archive()
    modules = Modules(kernel["KMODDIR"])
    load = []
    if args.uefi:
        for name in modules.order(["efivarfs"]):
            archive.file(f"modules/{name}.ko", modules.read(name))
            load.append(f"/modules/{name}.ko")
    if args.disks:
        # Until 6.14, ext4 asks for that by the name of the algorithm.
        for name in modules.order([*(name for name in ["crc32c_generic"] if name in modules), *own.DISK_MODULES]):
            archive.file(f"modules/{name}.ko", modules.read(name))
            load.append(f"/modules/{name}.ko")
        args.disks.describe(archive)
    if args.forward:
        for name in modules.order(own.NET_MODULES):
            archive.file(f"modules/{name}.ko", modules.read(name))
            load.append(f"/modules/{name}.ko")
        archive.file("etc/own-net", b"")
    if not args.no_gpu and not modules.is_builtin("panthor"):
        if args.module:
            driver = read(args.module)
        elif args.stock or args.debug or args.installed or args.kernel_image:
            driver = modules.read("panthor")
        elif os.path.exists(MODULE):
            driver = read(MODULE)
        else:
            die(f"{MODULE} is missing: run scripts/build/build-module.sh first, or use --stock")
        before = {Modules.name(path): path for path in args.before}
        names = modules.order(["fixed", *(name for name in module_depends(driver) if name not in before)])
        archive.file("modules/gpu/panthor.ko", driver)
        for name, path in before.items():
            archive.file(f"modules/{name}.ko", read(path))
        load += [*(f"/modules/{name}.ko" for name in [*names, *before]), "/modules/gpu/panthor.ko"]
    if not args.no_gpu:
        image = read(firmware)
        for folder in FIRMWARE_FOLDERS:
            archive.file(f"lib/firmware/arm/mali/{folder}/mali_csffw.bin", image)
    archive.file("etc/load", "".join(f"{path}\n" for path in dict.fromkeys(load)).encode())
    archive.file("tests/order", "".join(f"{test}\n" for test in args.tests).encode())
    for name in ("lib.sh", "mesa-lib.sh", "ports.sh", "disks.sh"):
        archive.file(f"tests/{name}", read(os.path.join(GUEST, "lib", name)))
    if args.shell:
        archive.file("etc/profile", read(os.path.join(GUEST, "lib", "profile.sh")))
        add_terminal(archive)
    for test in args.tests:
        archive.file(f"tests/{test}.sh", read(os.path.join(GUEST, "tests", f"{test}.sh")))
    programs = os.path.join(BUILD, "guest-bin")
    for name in sorted(os.listdir(programs)) if os.path.isdir(programs) else ():
        path = os.path.join(programs, name)
        # One that is just being built may be gone again.
        with contextlib.suppress(FileNotFoundError):
            if os.path.isfile(path) and os.access(path, os.X_OK):
                with open(path, "rb") as program:
                    archive.file(f"programs/{name}", program.read(), 0o755)
    for pair in args.file:
        host, colon, guest = pair.rpartition(":")
        if not colon or not guest.startswith("/"):
            die(f"--file {pair}: HOST:GUEST is wanted, GUEST from the root")
        archive.file(guest, read(host), 0o755 if os.access(host, os.X_OK) else 0o644)
    for pair in args.folder:
        host, colon, guest = pair.rpartition(":")
        if not colon or not guest.startswith("/") or not os.path.isdir(host):
            die(f"--folder {pair}: HOST:GUEST is wanted, HOST a folder and GUEST from the root")
        archive.tree(guest, host)
    return archive.finish()


def prepare_uefi(args, kernel, folder):
    """Make the variables of UEFI, and a kernel that it starts: one that its key has signed."""
    for command in ("openssl", "sbsign"):
        if not shutil.which(command):
            die(f"--uefi: command {command} is missing: apt-get install openssl sbsigntool")
    if not os.path.exists(UEFI_VARS):
        die(f"--uefi: {UEFI_VARS} is missing: apt-get install qemu-efi-aarch64")
    if not os.path.exists(args.uefi):
        shutil.copy(UEFI_VARS, args.uefi)
    key, image = os.path.join(folder, "uefi.key"), os.path.join(folder, "kernel")
    for command in (["openssl", "rsa", "-passin", f"pass:{UEFI_PASSWORD}", "-in", UEFI_KEY, "-out", key],
                    ["sbsign", "--key", key, "--cert", UEFI_CERTIFICATE, "--output", image, kernel["KIMAGE"]]):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if run.returncode:
            die(f"--uefi: {command[0]}: {run.stdout.decode().strip()}")
    kernel["KIMAGE"] = image


# Without what costs a tenth of the time of an emulated kernel. No test depends on it.
QUICK = "nokaslr kpti=0 mitigations=off"


def truths(args, folder):
    """The names of the logs of all GPUs."""
    count = 0 if args.no_gpu else 1 + args.vmali.count(";")
    return [os.path.join(folder, f"truth-{number}.log" if number else "truth.log") for number in range(count)]


def qemu_arguments(args, kernel, qemu, folder):
    # The patches for mainline leave out the older interface.
    requested = [*kernel_arguments(args.tests), *(["PERF_MAINLINE=1"] if MAINLINE else []),
                 *([f"PERF_PATCHES={PATCHES}"] if PATCHES else []), args.append]
    if os.environ.get("QUICK_GUESTS") and not args.debug:
        requested.append(QUICK)
    kernel_words = combined_arguments(" ".join(requested).split(), args.debug)
    # With tables of ACPI, the firmware would withhold the device tree, which has the GPU.
    machine = "virt,acpi=off" if args.uefi else "virt"
    argv = [
        qemu, "-M", machine, "-cpu", "cortex-a76", "-accel", "tcg,thread=multi", "-kernel", kernel["KIMAGE"],
        *common_arguments(folder, f"console=ttyAMA0 log_buf_len=4M {kernel_words}", args.memory, args.shell),
        "-device", "virtio-serial-device",
    ]
    if args.shell:
        argv += ["-gdb", f"unix:{escaped(os.path.relpath(os.path.join(folder, 'gdb.sock')))},server=on,wait=off"]
    if args.disks:
        argv += args.disks.arguments()
    if args.forward:
        argv += ["-netdev", own.forwards(args.forward.split()), "-device", "virtio-net-device,netdev=net"]
    if args.trace:
        argv += ["-trace", "enable=vmali_cs*"]
    if args.uefi:
        for path, options in ((UEFI_CODE, ",readonly=on"), (args.uefi, "")):
            argv += ["-drive", f"if=pflash,format=raw,file={escaped(path)}{options}"]
    if not args.no_gpu:
        gpus = args.vmali.split(";")
        for number, (properties, truth) in enumerate(zip(gpus, truths(args, folder))):
            # Our driver maps the ring of counters cached, and has to synchronise it.
            if not args.stock and not args.kernel_image and not re.search(r"(^|,)(coherent=on|ring-cache=)", properties):
                properties += ",ring-cache=on"
            properties = f",{properties.lstrip(',')}" if properties else ""
            argv += ["-device", f"vmali,id=gpu{number},truth={escaped(truth)}{properties}"]
    return argv


def unpack_out(folder, verdict):
    """Unpack what the guest left; return its dmesg with the levels, or nothing."""
    out = os.path.join(folder, "out")
    os.makedirs(out, exist_ok=True)
    unpack(os.path.join(folder, "out.tar"), out, verdict)
    try:
        return text_of(os.path.join(out, "dmesg.raw"))
    except OSError as error:
        verdict.not_ok(f"guest: its kernel log did not come back - {error.strerror}")
        return ""


def fresh_folder(name, keeps_out):
    """Make the run's folder, empty, or with what guests before have left; a second run of that name waits for the first one's
    end."""
    folder = os.path.join(BUILD, "run", name)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    lock = os.open(f"{folder}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        note(f"waiting for another run of the name {name}")
        fcntl.flock(lock, fcntl.LOCK_EX)
    os.makedirs(folder, exist_ok=True)
    for entry in os.scandir(folder):
        if keeps_out and entry.name == "out":
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry)
        else:
            os.unlink(entry)
    return folder


class Reporter:
    """Prints each result once, as soon as it is there."""

    def __init__(self, verdict, quiet):
        self._verdict = verdict
        self._quiet = quiet
        self._shown = 0

    def show(self):
        for passed, text in self._verdict.results[self._shown:]:
            if not passed or not self._quiet:
                print(f"{'ok' if passed else 'not ok'} {text}", flush=True)
        self._shown = len(self._verdict.results)


def tail(path, count):
    with open(path, encoding="utf-8", errors="replace") as log:
        return log.read().splitlines()[-count:]


def truth_of(path):
    """The lines of the truth log, but for those of blocks, which are nearly all of its gigabytes."""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as log:
            yield from (line for line in log if not line.startswith("block "))


def why_of(args, folder):
    """What QEMU says of its end."""
    return said_by_qemu(os.path.join(folder, "qemu.err"), len(truths(args, folder)))


def not_started(args, folder):
    """QEMU has said why: nothing else is to be judged."""
    why = why_of(args, folder)
    with open(os.path.join(folder, "summary"), "w", encoding="utf-8") as summary:
        summary.write(f"not ok {args.name}: guest: QEMU does not start - {why}\n")
    os.unlink(os.path.join(folder, "initrd.cpio"))
    print(f"not ok guest: QEMU does not start - {why}")
    print(f"guest {args.name}: 0 passed, 1 failed", flush=True)
    return 1


def run_shell(args, kernel, qemu, folder):
    """A shell on this terminal. Nothing is judged."""
    place = os.path.relpath(folder)
    print(f"""guest shell: {kernel['KREL']}
    exit             ends the guest; what it left in /out is in {place}/out then, and stays there
    Ctrl-A x         ends QEMU; Ctrl-A c: QEMU's monitor, and back
    gdb-multiarch -ex 'target remote {place}/gdb.sock'{' ' + args.symbols if args.symbols else ''}""", flush=True)
    # The terminal is closed.
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    try:
        with Terminal() as terminal:
            machine = Machine(qemu_arguments(args, kernel, qemu, folder), os.path.join(folder, "qemu.err"),
                              truths(args, folder), None, terminal)
            machine.run(float("inf"))
    except MachineError as error:
        die(str(error))
    for name in ("initrd.cpio", "gdb.sock", *own.DISK_FILES):
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    verdict = Verdict()
    unpack(os.path.join(folder, "out.tar"), os.path.join(folder, "out"), verdict)
    # SIGTERM has a status, too, if it comes before QEMU has its handler.
    if machine.status and not machine.ended:
        die(f"QEMU's exit status is {machine.status}: {why_of(args, folder)}")
    return 0


def own_things(args, kernel):
    """What the developer brings. Return: the disks, or nothing; kernel gets the settings of another one."""
    try:
        mesa = own.Mesa(args.mesa) if args.mesa else None
        disks = own.Disks(args.root, mesa, args.base) if args.root or mesa else None
        if args.forward:
            own.forwards(args.forward.split())
        if args.kernel_image:
            more = [*(own.DISK_MODULES if disks else ()), *(own.NET_MODULES if args.forward else ())]
            kernel.update(own.kernel(args.kernel_image, args.kernel_modules, more))
        return disks
    except own.Unusable as error:
        die(str(error))


def main():
    args = arguments()
    if args.check:
        disks = own_things(args, {})
        if disks and disks.needs_base:
            print("a system with OpenGL is needed" if disks.has_gl else "a system is needed")
        return 0
    kernel = settings_of("fetch-kernel.sh")
    args.symbols = ""
    if args.debug:
        debug = settings_of("build-debug-kernel.sh")
        args.symbols = debug["VMLINUX_DEBUG"]
        kernel.update((name, debug[f"{name}_DEBUG"]) for name in ("KIMAGE", "KMODDIR", "KREL"))
    if args.installed:
        kernel.update(kernel_of_system(args.installed))
    args.disks = own_things(args, kernel)
    if args.disks and args.disks.needs_base:
        die(f"--mesa {args.mesa} has no C library: --base or --root is needed")
    qemu = os.environ.get("PANTHOR_PERF_QEMU")
    firmware = os.environ.get("PANTHOR_PERF_FIRMWARE")
    if not qemu or not (firmware or args.no_gpu):
        built = settings_of("build-qemu.sh")
        qemu, firmware = built["QEMU"], built["FIRMWARE"]

    folder = fresh_folder(args.name, args.shell)
    if args.uefi:
        prepare_uefi(args, kernel, folder)
    if args.disks:
        try:
            args.disks.make(folder)
        except own.Unusable as error:
            die(str(error))
    try:
        base = base_layer(os.path.join(BUILD, "guest"), kernel, os.path.join(GUEST, "lib", "init.sh"))
    except (LookupError, OSError) as error:
        die(f"the guest's base layer: {error}")
    write_atomically(os.path.join(folder, "initrd.cpio"), read(base) + overlay(args, kernel, firmware))

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if args.shell:
        return run_shell(args, kernel, qemu, folder)
    live = Verdict()
    reporter = Reporter(live, args.quiet)
    live_judge = LogJudge(live, (), args.expect)
    serial_path = os.path.join(folder, "serial.log")
    origin = "Debian" if args.stock else "installed" if args.installed else "our"
    print(f"guest {args.name}: {origin} panthor.ko, {kernel['KREL']}"
          f"{', ' + args.vmali if args.vmali else ''}", flush=True)
    with open(serial_path, "w", encoding="utf-8") as serial:
        def on_line(line):
            serial.write(line + "\n")
            serial.flush()
            if args.verbose:
                print(f"    {line}", flush=True)
            live_judge.line(line)
            reporter.show()

        try:
            machine = Machine(qemu_arguments(args, kernel, qemu, folder),
                              os.path.join(folder, "qemu.err"), truths(args, folder), on_line)
            in_time = machine.run(args.timeout)
        except MachineError as error:
            die(str(error))

    if in_time and machine.status and not os.path.getsize(serial_path):
        return not_started(args, folder)
    # First the reason, then what follows from it.
    verdict = Verdict()
    if not in_time:
        verdict.not_ok(f"guest: killed after {args.timeout:g} s")
    elif machine.status:
        verdict.not_ok(f"guest: QEMU's exit status - {machine.status}: {why_of(args, folder)}")
    raw = unpack_out(folder, verdict)
    judge = LogJudge(verdict, warnings_of(raw), args.expect)
    with open(serial_path, encoding="utf-8") as serial:
        for line in serial:
            judge.line(line)
    judge.finish()
    if missing := [test for test in args.tests if test not in judge.ended]:
        verdict.not_ok(f"guest: tests without an end - {' '.join(missing)}")
    for number, truth in enumerate(truths(args, folder)):
        judge_truth(verdict, truth_of(truth), f"truth log of gpu{number}" if number else "truth log")

    shown = set(live.results)
    rest = Verdict()
    rest.results = [result for result in verdict.results if result not in shown]
    Reporter(rest, args.quiet).show()
    with open(os.path.join(folder, "summary"), "w", encoding="utf-8") as summary:
        for passed, text in verdict.results:
            summary.write(f"{'ok' if passed else 'not ok'} {args.name}: {text}\n")
    os.unlink(os.path.join(folder, "initrd.cpio"))
    print(f"guest {args.name}: {verdict.passed} passed, {verdict.failed} failed", flush=True)
    if verdict.failed:
        for line in [*tail(os.path.join(folder, "qemu.err"), 5), *tail(serial_path, 30)]:
            print(f"    {line}")
        note(f"the whole log is {serial_path}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
