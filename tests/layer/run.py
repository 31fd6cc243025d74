#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Build the layer and the programs of this folder, and run each program without the layer and with it. Started by run.sh.

usage: run.py FOLDER MODES SANITIZER VALIDATION DEBIAN [PROGRAM...]
       run.py --times FOLDER

FOLDER is where all is built and logs are written; VALIDATION is "" or "1". DEBIAN is "" or, for programs of Debian in place
of those of this folder, "programs" or "piglit". JOBS is the number of compilers, and of programs that run at the same time. Prints lines
"ok ..." and "not ok ...".

With --times all is optimised, and what it prints are the figures of vk-record: lines "MODE FIGURE NUMBER".
"""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import piglit
import real

JOBS = int(os.environ.get("JOBS") or os.cpu_count())
HERE = os.path.dirname(os.path.realpath(__file__))
DRIVER = "/usr/share/vulkan/icd.d/lvp_icd.json"
VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation"
# SYNCS of enum drm_panthor_perf_feat_flags, and the slots that the layer asks for.
FAKE_SETTINGS = "features=0x20,max_slots=64"
ABORT_S = 5
FLAGS = {
    "none": "",
    "address": "-fsanitize=address",
    "undefined": "-fsanitize=undefined -fno-sanitize-recover=all",
    "thread": "-fsanitize=thread",
}
# Khronos' validation knows no points of a semaphore that samples signal. With several queues its bookkeeping of the layer's
# semaphore waits for a later submission, and for ever, or up to "a timeout (this is most likely a validation bug)" (1.4.309
# and 1.4.363).
NOT_VALIDATED = ("queues", "mpv", "ffmpeg-libplacebo")
PROFILES = ("submission", "command-buffer", "workload", "frame")
# Of the table of the fake driver's GPU, with their places.
COUNTERS = {"MaliVertQueueJob": ("CSHW", 17), "MaliCompQueueJob": ("CSHW", 25), "MaliNonFragTask": ("SHADER", 23)}
FIRST_COUNTER = 4
# Those before it are at the start of the session, and before the first frame.
FIRST_SAMPLE = 2
# What no run may write: messages of sanitizers, of the validation layer, of the fake driver and of the layer below.
MESSAGES = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:.*|^fakedrm: .*|^node-layer: .*|"
                      r"^Validation .*: \[ (?P<vuid>[\w-]+) \].*", re.MULTILINE)
# What the layer says, but for the summary.
SAID = re.compile(r"^panthor-perf-layer: (?!.* units, .* not exact).*", re.MULTILINE)
# What a program prints. The validation layer writes to the same file.
OWN = re.compile(r"^(?:ok|not ok|row|type|frame|quality|allow|only) .*\n", re.MULTILINE)


class Judge:
    def __init__(self, folder, sanitizer, validation, debian=""):
        self.folder = folder
        self.sanitizer = sanitizer
        self.validation = validation
        self.debian = debian
        self.catalogue = {"programs": real.PROGRAMS, "piglit": piglit.PROGRAMS}.get(debian, {})
        self.log = os.path.join(folder, f"log{'-' * bool(debian)}{debian}{'-validation' * bool(validation)}")
        # Of programs of Debian: what each was like in each mode.
        self.table = {}
        self.passed = self.failed = 0
        os.makedirs(self.log, exist_ok=True)

    def result(self, right, text, why=""):
        self.passed += right
        self.failed += not right
        print(f"ok {text}" if right else f"not ok {text} - {why}", flush=True)

    def build(self, *arguments):
        path = os.path.join(self.log, "build")
        with open(path, "w", encoding="utf-8") as log:
            built = subprocess.run(["make", f"-j{JOBS}", "-C", HERE, f"O={self.folder}",
                                    f"SANITIZERS={FLAGS[self.sanitizer]}", *arguments],
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
        if built.returncode:
            with open(path, encoding="utf-8") as log:
                print(log.read()[-3000:], end="")
        return not built.returncode

    def programs(self):
        """Those of Debian, or those whose source is still there."""
        if self.debian:
            return sorted(name for name, program in self.catalogue.items()
                          if (self.sanitizer == "none" or not program.unsanitized) and
                          not (self.validation and name in NOT_VALIDATED))
        return sorted(name for name in os.listdir(os.path.join(self.folder, "bin"))
                      if os.path.exists(os.path.join(HERE, f"{name}.c")) and
                      not (self.validation and name in NOT_VALIDATED))

    def environment(self, name, mode):
        layer = os.path.join(self.folder, "layer")
        layers = [VALIDATION_LAYER] if self.validation else []
        env = {
            "PATH": "/usr/bin:/bin", "HOME": self.log, "XDG_RUNTIME_DIR": self.log, "LC_ALL": "C",
            "VK_DRIVER_FILES": DRIVER, "NODEVICE_SELECT": "1", "MESA_SHADER_CACHE_DISABLE": "true",
            "VK_LAYER_PATH": f"{layer}:/usr/share/vulkan/explicit_layer.d",
            "VK_INSTANCE_LAYERS": ":".join([*layers, "VK_LAYER_TEST_node"]),
            "VK_ADD_IMPLICIT_LAYER_PATH": os.path.join(layer, "implicit_layer.d"),
            "FAKE_SETTINGS": FAKE_SETTINGS, "FAKE_LOAD": os.path.join(HERE, "load"),
            "FAKE_TRUTH": self.path(name, mode, "truth"),
            "APP_KEEP": "libvulkan_lvp.so", "APP_SOURCES": HERE, "ASAN_OPTIONS": "detect_leaks=1:handle_abort=1",
            "LSAN_OPTIONS": f"suppressions={HERE}/leak.suppressions:print_suppressions=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "TSAN_OPTIONS": f"suppressions={HERE}/thread.suppressions:handle_abort=1",
        }
        if self.debian:
            # Beside what the program prints itself.
            env["VK_VALIDATION_LOG_FILENAME"] = self.path(name, mode, "validation")
            env |= self.catalogue[name].env
            if not self.catalogue[name].alone:
                del env["FAKE_TRUTH"]
            if layer := self.catalogue[name].layer:
                env["VK_INSTANCE_LAYERS"] = f"{layer}:{env['VK_INSTANCE_LAYERS']}"
            # Without their own reads behind an array by memcpy().
            env["ASAN_OPTIONS"] = "detect_leaks=0:handle_abort=1:replace_intrin=0"
            if self.sanitizer == "address":
                env["LD_PRELOAD"] = subprocess.run(["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE,
                                                   text=True, check=True).stdout.strip()
        if mode in PROFILES:
            env |= {"PANTHOR_PERF_LAYER": "profile", "PANTHOR_PERF_LAYER_UNIT": mode,
                    "PANTHOR_PERF_LAYER_COUNTERS": ",".join(COUNTERS),
                    "PANTHOR_PERF_LAYER_OUTPUT": self.path(name, mode, "csv")}
        elif mode == "queries":
            env["PANTHOR_PERF_LAYER"] = "queries"
        elif mode == "off":
            env |= {"VK_LAYER_PATH": f"{layer}:{layer}/explicit_layer.d", "VK_INSTANCE_LAYERS":
                    "VK_LAYER_PANTHOR_perf:" + env["VK_INSTANCE_LAYERS"], "PANTHOR_PERF_LAYER": "off"}
        return env

    def path(self, name, mode, suffix):
        return os.path.join(self.log, f"{name}.{mode}.{suffix}")

    def read(self, name, mode, suffix):
        try:
            with open(self.path(name, mode, suffix), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def run(self, name, mode):
        """Return the exit status, or why there is none."""
        for suffix in ("csv", "truth", "validation"):
            if os.path.exists(self.path(name, mode, suffix)):
                os.remove(self.path(name, mode, suffix))
        program = self.catalogue[name] if self.debian else real.Program([os.path.join(self.folder, "bin", name)], "text")
        env = self.environment(name, mode)
        if self.debian:
            env["HOME"] = self.path(name, mode, "home")
            os.makedirs(env["HOME"], exist_ok=True)
        screen = real.Screen(self.path(name, mode, "screen")) if program.needs_screen else None
        if screen:
            env["DISPLAY"] = screen.display
        try:
            status = self.run_program(program, env, screen, self.path(name, mode, ""))
            if screen and program.judge == "picture":
                with open(self.path(name, mode, "pixels"), "wb") as file:
                    file.write(screen.pixels())
            return status
        finally:
            if screen:
                screen.close()

    def run_program(self, program, env, screen, path):
        """Return the exit status, or why there is none. Its output is in two files that begin with the path."""
        with open(f"{path}out", "wb") as out, open(f"{path}err", "wb") as err, \
                subprocess.Popen(program.command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err) as process:
            try:
                if program.quits:
                    screen.press_when_shown(program.quits, process, program.timeout_s)
                return process.wait(program.timeout_s)
            except subprocess.TimeoutExpired:
                pass
            # Sanitizers print where the main thread is.
            process.send_signal(signal.SIGABRT)
            try:
                process.wait(ABORT_S)
            except subprocess.TimeoutExpired:
                process.kill()
            return "it does not end"

    def run_all(self, names, modes):
        """Yield a name, and the status of each mode, in the order of the names."""
        with ThreadPoolExecutor(JOBS) as pool:
            runs = [(name, {mode: pool.submit(self.run, name, mode) for mode in ("without", *modes)}) for name in names]
            for name, statuses in runs:
                yield name, {mode: status.result() for mode, status in statuses.items()}

    def messages(self, name, mode):
        """What no run may write."""
        return list(MESSAGES.finditer("".join(self.read(name, mode, suffix) for suffix in ("err", "out", "validation"))))

    def tabulate(self, name, mode, status, equal):
        """Remember what a program of Debian was like in a mode: output, exit status, messages, rows."""
        said = len(self.messages(name, mode)) + len(SAID.findall(self.read(name, mode, "err")))
        rows = max(0, self.read(name, mode, "csv").count("\n") - 1) if mode in PROFILES else "-"
        self.table.setdefault(name, {})[mode] = f"{equal} {status} {said} {rows}"

    def write_table(self):
        """A line for each program, a column for each mode."""
        modes = list(dict.fromkeys(mode for cells in self.table.values() for mode in cells))
        lines = [["program", *modes]]
        lines += [[name, *(cells.get(mode, "") for mode in modes)] for name, cells in self.table.items()]
        widths = [max(map(len, column)) for column in zip(*lines)]
        with open(os.path.join(self.log, "table.txt"), "w", encoding="utf-8") as file:
            file.write("Each cell: output as without the layer (= equal, ! not, - not compared), exit status, "
                       "messages, rows\n\n")
            for line in lines:
                file.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() + "\n")
        print(f"layer: the table of programs and modes is {file.name}")

    def complaint(self, name, mode, status):
        """Why a run is wrong. Messages of validation that a program of Debian has without the layer are its own."""
        if isinstance(status, str):
            return status
        out = self.read(name, mode, "out")
        allowed = re.findall(r"^allow (.*)", out, re.MULTILINE)
        if self.debian:
            allowed += [message["vuid"] for message in self.messages(name, "without") if message["vuid"]]
            allowed += self.catalogue[name].allowed
            if unsaid := [words for words in self.catalogue[name].says if words not in out]:
                return f"it does not say '{unsaid[0]}'"
        for message in self.messages(name, mode):
            if message["vuid"] not in allowed:
                return f"'{message[0]}'"
        if status:
            return f"exit status {status}"
        if failed := re.search(r"^not ok .*", out, re.MULTILINE):
            return f"'{failed[0]}'"
        return ""

    def result_of(self, name, mode):
        """What a program has shown, as far as it must be the same in each run, and why that is nothing."""
        if not self.debian:
            own = "".join(OWN.findall(self.read(name, mode, "out")))
            return own, "" if re.search(r"^ok ", own, re.MULTILINE) else "no checks"
        judged = self.catalogue[name].judge
        if judged == "status":
            return "", ""
        with open(self.path(name, mode, "out" if judged == "text" else "pixels"), "rb") as file:
            shown = file.read()
        if judged == "text":
            # The name of the file with the messages of the validation layer.
            shown = re.sub(rb"^Validation Layer Info - .*\n", b"", shown, flags=re.MULTILINE)
        return shown, "" if shown else f"no {judged}"

    def judge(self, name, statuses):
        expected, nothing = self.result_of(name, "without")
        if self.debian:
            compared = self.catalogue[name].judge != "status"
            for mode, status in statuses.items():
                same = self.result_of(name, mode)[0] == expected and not nothing
                self.tabulate(name, mode, status, "-" if not compared else "=" if same else "!")
        why = self.complaint(name, "without", statuses.pop("without"))
        announced = "" if self.debian else expected
        only = re.search(r"^only (.*)", announced, re.MULTILINE)
        if not why and not only:
            why = nothing
        self.result(not why, f"{name} without the layer", f"{why}, see {self.path(name, 'without', '*')}")
        for mode, status in statuses.items():
            if only and mode not in only[1].split():
                continue
            why = self.complaint(name, mode, status)
            own, nothing = self.result_of(name, mode)
            if not why:
                why = nothing
            if not why and not only and own != expected:
                why = "the output differs from that without the layer"
            self.result(not why, f"{name} {mode}", f"{why}, see {self.path(name, mode, '*')}")
            if mode in PROFILES:
                announced = "" if self.debian else own if only else expected
                rows, types, frames, qualities = (re.findall(rf"^{what} {mode} (.*)", announced, re.MULTILINE)
                                                  for what in ("row", "type", "frame", "quality"))
                if self.debian and mode == "frame":
                    frames = [str(number) for number in range(self.catalogue[name].frames)]
                self.judge_rows(name, mode, rows, types, frames, qualities)

    def judge_rows(self, name, mode, labels, types, frames, qualities):
        """Are the rows those that the program has announced, and each that of one sample?"""
        try:
            with open(self.path(name, mode, "csv"), newline="", encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
        except FileNotFoundError:
            rows = []
        if labels:
            found = [row["label"] for row in rows]
            why = next((f"row {i} is '{a}' instead of '{b}'" for i, (a, b) in enumerate(zip(found, labels), 1) if a != b),
                       f"{len(found)} rows instead of {len(labels)}")
            self.result(found == labels, f"{name} {mode}: {len(labels)} rows", why)
        if types:
            found = [row["type"] for row in rows]
            self.result(found == types, f"{name} {mode}: types of the rows", f"{found} instead of {types}")
        if frames:
            found = [row["frame"] for row in rows]
            self.result(found == frames, f"{name} {mode}: frames of the rows", f"{found} instead of {frames}")
        if rows:
            found = [row["quality"] for row in rows]
            if mode == "frame":
                # Whether frames overlap depends on the times of the machine. frames.c has those that always do, or never.
                found = ["exact" if quality == "overlapped" else quality for quality in found]
            expected = qualities or self.usual_qualities(rows)
            self.result(found == expected, f"{name} {mode}: quality of the rows", f"{found} instead of {expected}")
            if self.debian and not self.catalogue[name].alone:
                return
            truth = samples(self.read(name, mode, "truth"))
            why = self.wrong_sums(rows, truth, bool(self.debian)) if mode == "frame" else self.wrong_counts(rows, truth)
            self.result(not why, f"{name} {mode}: counters of the rows", why)

    @staticmethod
    def usual_qualities(rows):
        """The last frame of a device may have no end."""
        last = {row["device"]: number for number, row in enumerate(rows)}
        return ["unfinished" if row["quality"] == "unfinished" and number == last[row["device"]] else "exact"
                for number, row in enumerate(rows)]

    @staticmethod
    def wrong_sums(rows, truth, may_exit):
        """Each row has the counts of one or some samples, and begins where the frame before of its device has ended.

        With one device, they have the counts of all samples but those at its start and its end. Other devices have
        frames at other samples. A process that exits with its device has no sample at the end."""
        ranges, ended, devices = {}, {}, {row["device"] for row in rows}
        sums = [(0,) * len(COUNTERS)]
        for counts in truth:
            sums.append(tuple(map(sum, zip(sums[-1], counts))))
        for begin in range(len(truth)):
            for end in range(begin + 1, len(truth) + 1):
                ranges[tuple(b - a for a, b in zip(sums[begin], sums[end]))] = (begin, end)
        for number, row in enumerate(rows, 1):
            counts = tuple(int(row[counter]) for counter in COUNTERS)
            frame, (begin, end) = int(row["frame"]), ranges.get(counts, (0, 0))
            last, before = ended.get(row["device"], (-1, FIRST_SAMPLE))
            if not end:
                return f"row {number} has the counts of no samples: {counts}"
            if frame <= last:
                return f"row {number} is frame {frame}, behind frame {last}"
            if begin < before or (begin > before and frame == last + 1 and (frame or len(devices) == 1)):
                return f"row {number} begins with sample {begin}, and the frame before ends before {before}"
            ended[row["device"]] = (frame, end)
        if len(devices) == 1 and end != len(truth) - 1 and not (may_exit and end == len(truth)):
            return f"the last row ends before sample {end}, and there are {len(truth)}"
        return ""

    @staticmethod
    def wrong_counts(rows, truth):
        """Each row has the counts of a sample behind that of the row before."""
        at = 0
        for number, row in enumerate(rows, 1):
            counts = tuple(int(row[counter]) for counter in COUNTERS)
            while at < len(truth) and truth[at] != counts:
                at += 1
            if at == len(truth):
                return f"row {number} has the counts of no sample behind the row before: {counts}"
            at += 1
        return ""


def samples(truth):
    """The counts of the samples that the session got, from the log of the fake driver: each ends with a "manual" one."""
    found, counts, reason = [], dict.fromkeys(COUNTERS, 0), ""
    for line in truth.splitlines():
        words = line.split()
        if words[0] in ("sample", "end"):
            if reason == "manual":
                found.append(tuple(counts.values()))
                counts = dict.fromkeys(COUNTERS, 0)
            reason = dict(word.split("=") for word in words[1:]).get("reason", "")
        elif words[0] == "block":
            for counter, (block, index) in COUNTERS.items():
                if words[1] == block:
                    counts[counter] += int(words[4 + index - FIRST_COUNTER])
    # The log of a program that has crashed has no end.
    return [*found, tuple(counts.values())] if any(counts.values()) else found


def times(folder):
    judge = Judge(folder, "none", "", "")
    if not judge.build("CFLAGS=-O2 -g", "vk-record"):
        return 1
    for mode in ("without", "off", "workload"):
        status = judge.run("vk-record", mode)
        if status:
            print(f"run.py: vk-record {mode}: {status}, see {judge.path('vk-record', mode, 'err')}", file=sys.stderr)
            return 1
        for line in judge.read("vk-record", mode, "out").splitlines():
            print(mode, line)
    return 0


def main():
    if sys.argv[1] == "--times":
        return times(sys.argv[2])
    folder, modes, sanitizer, validation, debian, *wanted = sys.argv[1:]
    start = time.monotonic()
    judge = Judge(folder, sanitizer, validation, debian)
    if not judge.build(*(["layers"] if debian else [])):
        print("not ok build - the layer or the programs do not build")
        return 1
    print(f"layer: built, {time.monotonic() - start:.0f} s", file=sys.stderr)
    for name in wanted:
        if name not in judge.programs():
            print(f"not ok {name} - there is no such program")
            return 1
    if debian == "programs":
        missing = real.missing_filters()
        judge.result(not missing, "all filters of ffmpeg that use Vulkan", f"not tried: {' '.join(missing)}")
    if debian == "piglit":
        piglit.judge_all(judge, modes.split(","), PROFILES, lambda text: [found[0] for found in MESSAGES.finditer(text)])
    else:
        for name, statuses in judge.run_all(wanted or judge.programs(), modes.split(",")):
            judge.judge(name, statuses)
    if debian == "programs":
        judge.write_table()
    print(f"layer: {judge.passed} ok, {judge.failed} not ok, {time.monotonic() - start:.0f} s")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
