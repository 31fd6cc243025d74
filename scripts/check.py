#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Run stages of "make check" and count their results. Without arguments these are all stages except
beliefs, debug-guest and series, without the jobs that are for the night (--nightly). An argument is a stage with all its
jobs, or a job of a stage. The last line is "N passed, N failed, N skipped"; the exit status is 0 only if nothing
failed.

{stages}

A stage consists of jobs. The environment variable JOBS is the number of jobs that run in parallel, and the
number of compilers of each job. Without it there is one more job than there are CPUs, and a compiler for each
CPU. With JOBS=1 the jobs run one after the other. Without arguments, the kernels of guests have no KASLR and no
mitigations (QUICK_GUESTS), which saves a tenth of their time. The output of a job is shown at its end, in the
order of the stages. Lines of progress go to standard error. A job that dies, hangs or leaves no results has failed, and
so have the jobs that need it. scripts/check/required names the jobs that must run, the least number of results of
each, and the results that may be skipped: a run with fewer jobs or results, or with another skip, fails.

After each stage the runner prints a line "stage NAME SECONDS CPU-SECONDS". build/check/STAGE.results has the
results of a stage, build/check/STAGE.tap the same as TAP. build/check/times has the start, the duration and the
CPU seconds of each job. build/check/counts has the number of results of each job, in the form of
scripts/check/required."""

import argparse
import os
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "lib"))
sys.dont_write_bytecode = True

from panthor_perf.settings import BUILD, TOP, die, note, script  # noqa: E402

CHECK = os.path.join(BUILD, "check")
REQUIRED = script("check/required")
PROGRESS_S = 20

STAGES = {
    "static": "uAPI layout, checkpatch, sparse and W=1, kernel-doc, scripts, the runner's own tests",
    "qemu": "the virtual GPU: build, its tests, QEMU's checkpatch",
    "kunit": "the driver's KUnit suites on UML",
    "tools": "the library, the command line tool and the comparer with their tests",
    "guest-stock": "the distribution's unmodified driver on the virtual GPU",
    "guest": "the project's driver on the virtual GPU",
    "newest": "the newest supported kernel: the module, its KUnit suites, a short guest test",
    "igt": "IGT's tests of the counters: on an arm64 guest, and a slice of real IGT if its kernel is cached",
    "mesa": "Debian's unmodified Mesa as the workload, with the project's driver and the distribution's",
    "layer": "the Vulkan layer on llvmpipe: what programs do is the same without it and with it",
    "beliefs": "the guest tests of samples with every pair of answers to open questions about firmware",
    "debug-guest": "the same tests on the debug kernel, with the driver in tree",
    "series": "each series for mainline: its kernel boots, and the tools record on request and refuse the rest",
    "demo": "make demo with several GPUs, and with a false value in the log, which has to be found",
}
# These take as long as all the rest: only when named, as make debug-guest does.
DEFAULT = [name for name in STAGES if name not in ("beliefs", "debug-guest", "series")]

# How a job is to be run: scripts/lib/stage.sh tells more.
HOWS = ("first", "alone", "long", "low", "nightly")
# How long one may take, and from the request to end to the end by force.
LIMIT_S = float(os.environ.get("CHECK_LIMIT_S", 3600))
GRACE_S = float(os.environ.get("CHECK_GRACE_S", 10))


def stage_line(name, seconds, cpu_seconds, broken):
    print(f"stage {name} {seconds:.0f} {cpu_seconds:.0f}{', broken' if broken else ''}", flush=True)


class Required:
    """What scripts/check/required says: how many results a job must have, and what may be skipped."""

    def __init__(self, path):
        self._least = {}
        self._skips = {}
        self._instead = {}
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip() or line.startswith("#"):
                    continue
                words = line.rstrip("\n").split(maxsplit=2)
                if words[0] == "skip" and len(words) == 3:
                    self._skips.setdefault(words[1], []).append(words[2])
                elif words[0] == "instead" and len(words) == 3:
                    self._instead.setdefault(words[1], []).append(words[2])
                elif len(words) >= 2 and words[1].isdecimal():
                    self._least.setdefault(words[0], []).append((int(words[1]), words[2] if len(words) > 2 else ""))
                else:
                    die(f"{os.path.relpath(path, TOP)}:{number}: '{line.strip()}' is none of JOB LEAST [START], "
                        "skip JOB START and instead JOB START")

    def check_jobs(self, stage, keys):
        """The jobs of a stage are those of the file."""
        named = {key for key in [*self._least, *self._skips, *self._instead] if key.startswith(f"{stage}/")}
        for key in named - set(keys):
            die(f"scripts/check/required names job {key}, which scripts/check/{stage}.sh does not have")
        if stage in DEFAULT:
            for key in keys:
                if key not in self._least:
                    die(f"scripts/check/required has no number of results for job {key}")

    def complaints(self, key, results):
        """Why the results of a job that has ended do not do."""
        instead = tuple(f"skip {start}" for start in self._instead.get(key, ()))
        if len(results) == 1 and results[0].startswith(instead):
            return
        for least, start in self._least.get(key, ()):
            count = sum(line.startswith(f"ok {start}") for line in results)
            if count < least:
                yield f"{count} results{f' of {start}' if start else ''} passed, at least {least} are required"
        allowed = tuple(f"skip {start}" for start in self._skips.get(key, ()))
        for line in results:
            if line.startswith("skip ") and not line.startswith(allowed):
                yield f"a skip that scripts/check/required does not allow: {line.removeprefix('skip ')}"

    def counted(self, key, results):
        """The lines of the file for a job with such results."""
        starts = [start for _, start in self._least.get(key, ((0, ""),))]
        return [f"{key} {sum(line.startswith(f'ok {start}') for line in results)} {start}".rstrip() for start in starts]


class Job:
    """A part of a stage, in a process of its own: scripts/check/STAGE.sh RESULTS JOB."""

    def __init__(self, stage, name, hows, required):
        self._required = required
        self.stage = stage
        self.name = name
        self.key = f"{stage}/{name}"
        self.first, self.alone, self.long, self.low, self.nightly = (how in hows for how in HOWS)
        self.after = set()
        self.results_path = os.path.join(CHECK, "jobs", f"{stage}.{name}.results")
        self.output_path = os.path.join(CHECK, "jobs", f"{stage}.{name}.output")
        self.started = self.ended = None
        self.cpu = 0
        self.pid = self.pidfd = None
        self._killed = None
        self._kill_at = None

    def start(self, guests):
        """With guests, what only computes leaves the CPUs to them, whose clocks go on."""
        argv = [script(f"check/{self.stage}.sh"), self.results_path, self.name]
        with open(self.output_path, "wb") as output:
            process = subprocess.Popen(["nice", "-n", "5", *argv] if self.low and guests else argv,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                                       env=dict(os.environ, PANTHOR_PERF_IN_JOB="1"))
        self.pid = process.pid
        # Its end is waited for here.
        process.returncode = 0
        self.pidfd = os.pidfd_open(self.pid)
        self.started = time.monotonic()
        self._kill_at = self.started + LIMIT_S

    def watch(self):
        """Stop it when its time is over: first it is asked to, then made to. Returns when to come back."""
        now = time.monotonic()
        if now >= self._kill_at:
            sign = signal.SIGKILL if self._killed else signal.SIGTERM
            self.stop(f"killed after {LIMIT_S:g} s", sign)
        return self._kill_at

    def interrupt(self):
        if not self._killed:
            self.stop("interrupted")

    def stop(self, why, sign=signal.SIGTERM):
        self._killed = self._killed or why
        self._kill_at = time.monotonic() + GRACE_S
        self._signal(sign)

    def _signal(self, sign):
        try:
            os.killpg(self.pid, sign)
        except ProcessLookupError:
            pass

    def finish(self):
        """It has ended: whom it left behind goes too, and what its results lack is added."""
        self._signal(signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.pidfd)
        self.ended = time.monotonic()
        self.cpu = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        results = self.results()
        if self._killed:
            self.not_ok(self._killed)
        elif code < 0:
            self.not_ok(f"killed by signal {-code}")
        elif not results:
            self.not_ok(f"has no results, exit status {code}")
        else:
            if code and (code != 1 or self.passed):
                self.not_ok(f"exit status {code}")
            for why in self._required.complaints(self.key, results):
                self.not_ok(why)

    def not_ok(self, why):
        """A result of the job as a whole."""
        line = f"not ok job {self.name} - {why}\n"
        with open(self.results_path, "a", encoding="utf-8") as results, \
                open(self.output_path, "a", encoding="utf-8") as output:
            results.write(line)
            output.write(line)

    def give_up(self, why):
        """It is not run."""
        self.started = self.ended = time.monotonic()
        self.not_ok(f"not run, {why}")

    def results(self):
        """Its lines "ok TEXT", "not ok TEXT" and "skip TEXT"."""
        try:
            with open(self.results_path, encoding="utf-8", errors="replace") as results:
                return [line.rstrip("\n") for line in results if line.startswith(("ok ", "not ok ", "skip "))]
        except FileNotFoundError:
            return []

    @property
    def passed(self):
        return not any(line.startswith("not ok ") for line in self.results())

    @property
    def seconds(self):
        return (self.ended or time.monotonic()) - self.started

    def last_line(self):
        with open(self.output_path, encoding="utf-8", errors="replace") as output:
            lines = output.read().splitlines()
        return lines[-1] if lines else ""


def jobs_of(stage, required):
    """The jobs of a stage, as its script lists them."""
    run = subprocess.run([script(f"check/{stage}.sh"), "--jobs"], stdout=subprocess.PIPE,
                         stdin=subprocess.DEVNULL, check=False)
    if run.returncode:
        die(f"scripts/check/{stage}.sh does not list its jobs, exit status {run.returncode}")
    jobs = {}
    earlier = list(STAGES)[:list(STAGES).index(stage)]
    for line in run.stdout.decode().splitlines():
        name, *hows = line.split()
        if name in jobs or not re.fullmatch(r"[\w.+-]+", name):
            die(f"scripts/check/{stage}.sh: '{name}' is not the name of one job")
        job = jobs[name] = Job(stage, name, hows, required)
        for how in hows:
            if how.startswith("after="):
                job.after.update(how.removeprefix("after=").split(","))
            elif how not in HOWS:
                die(f"scripts/check/{stage}.sh: job {name}: '{how}' is none of {' '.join(HOWS)} after=JOB")
        job.after.update(other.name for other in jobs.values() if other.first and other is not job)
        job.after = {other if "/" in other else f"{stage}/{other}" for other in job.after}
        # So nobody waits in a circle.
        for key in job.after:
            other, _, name = key.partition("/")
            if not (name in jobs and name != job.name if other == stage else other in earlier):
                die(f"scripts/check/{stage}.sh: job {job.name} comes after '{key}', which is not above it")
    if not jobs:
        die(f"scripts/check/{stage}.sh lists no job")
    required.check_jobs(stage, [job.key for job in jobs.values()])
    return list(jobs.values())


def selection(words, required, nightly=False):
    """The jobs of STAGE and STAGE/JOB words, with those of the same stage that they need. Without words, those of
    all stages of make check, the nightly ones only on request."""
    jobs = []
    for stage in dict.fromkeys(word.partition("/")[0] for word in words or DEFAULT):
        if stage not in STAGES:
            die(f"there is no stage '{stage}': {' '.join(STAGES)}")
        known = {job.key: job for job in jobs_of(stage, required)}
        if not words:
            wanted = {job.key for job in known.values() if nightly or not job.nightly}
        elif stage in words:
            wanted = set(known)
        else:
            wanted = {word for word in words if word.startswith(f"{stage}/")}
        for key in wanted - set(known):
            die(f"there is no job '{key}': {' '.join(known)}")
        for job in reversed(known.values()):
            if job.key in wanted:
                wanted |= job.after & set(known)
        jobs += [job for job in known.values() if job.key in wanted]
    return jobs


def counts(results):
    """How many lines of results there are of each kind."""
    return ", ".join(f"{sum(line.startswith(verdict) for line in results)} {what}"
                     for verdict, what in (("ok ", "passed"), ("not ok ", "failed"), ("skip ", "skipped")))


def tap_line(number, line):
    """A line of results as TAP has it, where # begins a directive."""
    verdict, text = re.fullmatch("(ok|not ok|skip) (.*)", line).groups()
    text = text.replace("#", r"\#")
    return f"ok {number} - {text} # SKIP" if verdict == "skip" else f"{verdict} {number} - {text}"


class Pool:
    """Runs jobs side by side."""

    def __init__(self, jobs, slots):
        self._jobs = jobs
        self._slots = slots
        self._waiting = list(jobs)
        self._running = []
        self._printed = 0
        self._known = {job.key: job for job in jobs}
        self._began = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._interrupted = False
        # A signal ends the wait in select().
        self._wakeup, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._selector.register(self._wakeup, selectors.EVENT_READ)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, self._interrupt)

    def run(self):
        said = time.monotonic()
        while self._waiting or self._running:
            self._give_up_some()
            while job := self._next():
                self._start(job)
            self._print()
            if self._interrupted:
                self.stop()
            if not self._running:
                continue
            wake = min([said + PROGRESS_S, *(job.watch() for job in self._running)])
            for key, _ in self._selector.select(max(0, wake - time.monotonic())):
                if key.data:
                    self._end(key.data)
                else:
                    self._wakeup.recv(4096)
            if time.monotonic() >= said + PROGRESS_S:
                self._progress()
                said = time.monotonic()
        self._print()

    def stop(self):
        """Stop what still runs after an error, such as a reader of the output that has gone."""
        for job in self._running:
            job.interrupt()

    def _interrupt(self, *_):
        if not self._interrupted:
            note("interrupted: stopping the jobs")
        self._interrupted = True

    def _start(self, job):
        self._waiting.remove(job)
        job.start(any(not other.low for other in self._jobs))
        self._running.append(job)
        self._selector.register(job.pidfd, selectors.EVENT_READ, job)

    def _end(self, job):
        self._selector.unregister(job.pidfd)
        job.finish()
        self._running.remove(job)
        results = job.results()
        done = sum(job.ended is not None for job in self._jobs)
        note(f"{job.key}: {counts(results)}, {job.seconds:.0f} s ({done} of {len(self._jobs)} jobs)")

    def _give_up_some(self):
        """Jobs that need one that has failed."""
        for job in self._waiting[:]:
            if self._interrupted:
                self._waiting.remove(job)
                job.give_up("interrupted")
                continue
            failed = [key for key in sorted(job.after) if key in self._known
                      and self._known[key].ended is not None and not self._known[key].passed]
            if failed:
                self._waiting.remove(job)
                job.give_up(f"since {failed[0]} has failed")

    def _next(self):
        """The job to be started now, if any."""
        if len(self._running) >= self._slots or any(job.alone for job in self._running):
            return None
        ready = [job for job in self._waiting
                 if all(self._known[key].ended is not None for key in job.after if key in self._known)]
        if self._slots == 1:
            return ready[0] if ready else None
        # Half of the places, rounded down, are for what only computes, as long as there is something else.
        low = sum(job.low for job in self._running)
        ready.sort(key=lambda job: (job.alone, job.low == (low >= max(1, self._slots // 2)), not job.first, not job.long))
        if not ready or (ready[0].alone and self._running):
            return None
        return ready[0]

    def _progress(self):
        jobs = sorted(self._running, key=lambda job: job.started)
        note(f"... {time.monotonic() - self._began:.0f} s: " +
             ", ".join(f"{job.key} {job.seconds:.0f} s" for job in jobs))
        if len(jobs) == 1 and (line := jobs[0].last_line()):
            note(f"... {jobs[0].key}: {line[:90]}")

    def _print(self):
        """Show what has ended, in order."""
        while self._printed < len(self._jobs) and self._jobs[self._printed].ended is not None:
            job = self._jobs[self._printed]
            with open(job.output_path, encoding="utf-8", errors="replace") as output:
                sys.stdout.write(output.read())
            self._printed += 1
            if self._printed == len(self._jobs) or self._jobs[self._printed].stage != job.stage:
                self._end_stage(job.stage)
        sys.stdout.flush()

    def _end_stage(self, stage):
        jobs = [job for job in self._jobs if job.stage == stage]
        lines = [line for job in jobs for line in job.results()]
        with open(os.path.join(CHECK, f"{stage}.results"), "w", encoding="utf-8") as results:
            results.writelines(f"{line}\n" for line in lines)
        with open(os.path.join(CHECK, f"{stage}.tap"), "w", encoding="utf-8") as tap:
            tap.write(f"TAP version 13\n1..{len(lines)}\n")
            tap.writelines(f"{tap_line(number, line)}\n" for number, line in enumerate(lines, 1))
        seconds = max(job.ended for job in jobs) - min(job.started for job in jobs)
        stage_line(stage, seconds, sum(job.cpu for job in jobs), not all(job.passed for job in jobs))

    def write_counts(self, required):
        with open(os.path.join(CHECK, "counts"), "w", encoding="utf-8") as file:
            for job in self._jobs:
                file.writelines(f"{line}\n" for line in required.counted(job.key, job.results()))

    def write_times(self):
        with open(os.path.join(CHECK, "times"), "w", encoding="utf-8") as times:
            times.write(f"{'# job':32} {'start':>7} {'seconds':>8} {'cpu':>8}\n")
            for job in self._jobs:
                times.write(f"{job.key:32} {job.started - self._began:7.1f} {job.seconds:8.1f} {job.cpu:8.1f}\n")


def deps():
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([script("deps.sh")], stdin=subprocess.DEVNULL, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    stage_line("deps", time.monotonic() - start, cpu_seconds, status != 0)
    if status:
        sys.exit(1)


def slots():
    jobs = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)) + 1)
    if not re.fullmatch("[1-9][0-9]*", jobs):
        die(f"JOBS={jobs}: a number from 1 is wanted")
    return int(jobs)


def main():
    width = max(map(len, STAGES))
    text = __doc__.format(stages="\n".join(f"    {name:{width}}  {what}" for name, what in STAGES.items()))
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the names of the stages")
    parser.add_argument("--jobs", action="store_true", help="print the names of the jobs, STAGE/JOB")
    parser.add_argument("--nightly", action="store_true", help="all jobs of the stages of make check")
    parser.add_argument("--list-nightly", action="store_true", help="print the names of the jobs of --nightly alone")
    parser.add_argument("what", nargs="*", metavar="STAGE[/JOB]")
    args = parser.parse_args()
    if args.list:
        print(*STAGES)
        return 0
    required = Required(REQUIRED)
    if args.list_nightly:
        print(*(job.key for job in selection(DEFAULT, required) if job.nightly), sep="\n")
        return 0
    jobs = selection(args.what, required, args.nightly)
    if args.jobs:
        print(*(job.key for job in jobs), sep="\n")
        return 0
    if not args.what and not args.nightly:
        os.environ["QUICK_GUESTS"] = "1"
    places = slots()
    deps()
    os.makedirs(os.path.join(CHECK, "jobs"), exist_ok=True)
    for job in jobs:
        for path in (job.results_path, job.output_path, os.path.join(CHECK, f"{job.stage}.results")):
            if os.path.exists(path):
                os.unlink(path)
    pool = Pool(jobs, places)
    try:
        pool.run()
    finally:
        pool.stop()
    pool.write_times()
    pool.write_counts(required)

    for job in jobs:
        for line in job.results():
            if line.startswith(("not ok ", "skip ")):
                print(f"{job.stage}: {line}")
    print(counts([line for job in jobs for line in job.results()]))
    return 0 if all(job.passed for job in jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
