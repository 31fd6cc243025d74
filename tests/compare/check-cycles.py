#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Compare the clock cycles that samples tell with the virtual GPU's own log.

The log has the GPU's cycle counter and every rate of every clock with its time, so that the cycles of
each clock between any two times are known: those that passed while counters were enabled, for TOPLEVEL
those that the counter counted then. A sample ends at its time stamp of the GPU; with
HOST_TIME, at its end by the host's clock. It may be off by no more than its bound:

    TOPLEVEL            the fastest rate in force, times the acknowledge latencies of its start and its
                        end: the counter is read when the answer is looked at, and what it said at the
                        end is interpolated. A latency is taken from the sample's end to the time at
                        which the program had it in its hands, which is never less.
    COREGROUP, SHADER   for each change of the rate, its height times the time that the call took which
                        made it
    all                 50 us at the fastest rate for the conversion of the time of each end

Where counters were off in between, there is the time from the last sample before to the disable and from
the enable to the next request, too. Sums over a whole recording have the bound of one sample, so that
nothing creeps. On a host that has other work, the guest may be interrupted between the reading of the counter and
that of the time: TOPLEVEL of 1 sample in 50 may be off by up to 3 bounds. Samples with ERROR, and those
behind them, are not judged. A domain that the board does not have has 0 cycles and no block; blocks name the domain
that the uAPI says.

A negative control belongs to each recording, for each clock: a log in which its last change before or during
the recording did not happen (or, without one, its rate is the double) has to be found false.
"""

import argparse
import bisect
import itertools
import operator
import re
import struct
import sys

SAMPLE, START = 1, 2
NS = 1_000_000_000
ERROR = 1 << 1
HOST_TIME = 1 << 10
# What the driver's conversion of one time may be off, and where no call is known, a change's notice.
CONVERSION_NS = 50_000
# The reading of the cycle counter may be interrupted for one of so many samples, which are off by so many bounds.
INTERRUPTED_OF, INTERRUPTED_BOUNDS = 50, 3
DOMAINS = ("TOPLEVEL", "COREGROUP", "SHADER")
CLOCKS = ("core", "coregroup", "stacks")
TYPES = {1: "FW", 2: "CSHW", 3: "TILER", 4: "MEMSYS", 5: "SHADER", 7: "CSG"}
WANTED = {"MEMSYS": 1, "SHADER": 2}


class Malformed(Exception):
    """A file makes no sense."""


def between(events, start, end):
    """Return the numbers of the events from a time up to another one, as a range. Each begins with its time."""
    time = operator.itemgetter(0)
    return range(bisect.bisect_left(events, start, key=time), bisect.bisect_right(events, end, key=time))


class Steps:
    """A quantity that grows at a rate which changes at known times."""

    def __init__(self):
        self._times, self._totals, self._rates = [0], [0], [0]

    def rate(self, time, rate):
        total = self.at(time)
        self._times.append(time)
        self._totals.append(total)
        self._rates.append(rate)

    def at(self, time):
        i = bisect.bisect_right(self._times, time) - 1
        return self._totals[i] + (time - self._times[i]) * self._rates[i]


class Truth:
    """What the GPU says: rates of clocks, and when they counted."""

    def __init__(self, path):
        self.frequency = 0
        # By clock: (time, Hz).
        self.rates = {}
        # (time, on)
        self.counting = []
        self.enabled = []
        # When the cycle counter was set back.
        self.zeroes = []
        # (time, cycles) and the times of the samples that the host asked for.
        self.cycles = []
        self.samples = []
        self.manual = []
        with open(path, encoding="ascii") as log:
            for line in log:
                self._line(line)
        for events in (self.enabled, *self.rates.values()):
            events.sort(key=operator.itemgetter(0))
        if not self.frequency or "core" not in self.rates:
            raise Malformed(f"{path}: no log of the virtual GPU")

    def _line(self, line):
        kind, _, rest = line.partition(" ")
        if kind not in ("gpu", "clock", "cycle-count", "enable", "disable", "sample"):
            return
        words = dict(word.split("=", 1) for word in rest.split() if "=" in word)
        time = int(words.get("timestamp", 0))
        if kind == "gpu":
            self.frequency = int(words["timestamp_hz"])
        elif kind == "clock":
            self.rates.setdefault(words["name"], []).append((time, int(words["hz"])))
        elif kind == "cycle-count" and words["state"] == "zero":
            self.zeroes.append(time)
        elif kind == "cycle-count":
            self.counting.append((time, words["state"] == "on"))
        elif kind in ("enable", "disable"):
            self.enabled.append((time, kind == "enable"))
        elif kind == "sample":
            self.samples.append(time)
            self.cycles.append((time, int(words["cycles"])))
            if words["reason"] == "manual":
                self.manual.append(time)

    def passed(self, clock, rates=None, disabled=False):
        """Return the cycles of a clock, in 1/frequency-ths, as Steps: those of the core clock while the cycle counter
        was on. Cycles at which counters were disabled are left out, unless they are asked for."""
        events = [(time, "hz", hz) for time, hz in rates or self.rates[clock]]
        events += [(time, "counting", on) for time, on in self.counting if clock == "core"]
        events += [(time, "enabled", on) for time, on in self.enabled if not disabled]
        now = {"hz": 0, "counting": clock != "core", "enabled": disabled}
        steps = Steps()
        for time, what, value in sorted(events, key=lambda event: event[0]):
            now[what] = value
            steps.rate(time, now["hz"] if now["counting"] and now["enabled"] else 0)
        return steps

    def fastest(self, clock, start, end):
        """Return the fastest rate in force between two times."""
        rates = self.rates[clock]
        behind = bisect.bisect_right(rates, start, key=operator.itemgetter(0))
        return max(hz for _, hz in rates[max(behind - 1, 0):max(between(rates, start, end).stop, behind)])

    def off(self, start, end):
        """Return how long counters were on between two times without being sampled, and if they were off."""
        slack, gaps = 0, 0
        for number in between(self.enabled, start, end):
            time, on = self.enabled[number]
            if time == start:
                continue
            gaps += 1
            if on:
                i = bisect.bisect_left(self.manual, time)
                slack += (self.manual[i] if i < len(self.manual) else end) - time
            else:
                i = bisect.bisect_right(self.samples, time) - 1
                slack += time - max(self.samples[i] if i >= 0 else start, start)
        return slack, gaps

    def check(self):
        """The log's own sums: the cycles that it gives with samples are those of its rates."""
        steps = self.passed("core", disabled=True)
        for (t0, c0), (t1, c1) in zip(self.cycles, self.cycles[1:]):
            if bisect.bisect(self.zeroes, t0) != bisect.bisect(self.zeroes, t1):
                continue
            if abs((steps.at(t1) - steps.at(t0)) / self.frequency - (c1 - c0)) > 64:
                yield f"the log: {c1 - c0} cycles between {t0} and {t1}, its rates say otherwise"


class Sample:
    """The header and the blocks' clocks of a sample."""

    def __init__(self, data, info, read_ns):
        (self.start, self.end, self.flags, *cycles, self.gpu, self.number, _, self.events) = \
            struct.unpack_from("<QQ4xI8xQQQQQII", data)
        self.cycles = cycles
        self.read = read_ns
        self.block_clocks = set()
        # Its end by both clocks: the time stamp is not of the end where that is the host's time.
        self.anchor = self.gpu and not self.events & HOST_TIME
        position = info["sample_header_size"]
        stride = info["block_header_size"] + 8 * info["counters_per_block"]
        while position < info["sample_size"]:
            kind, _, clock = struct.unpack_from("<BBB", data, position)
            self.block_clocks.add((kind, clock))
            position += stride


class Recording:
    """A file of panthor-perf stat --raw, version 2: samples, and when START returned."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"PTPRFRAW" or struct.unpack_from("<I", data, 8)[0] != 2:
            raise Malformed(f"{path}: no raw sample file of version 2")
        position, _, _, _, sample_size = struct.unpack_from("<5I", data, 12)
        words = struct.unpack_from("<18I", data, 64)
        info = dict(zip(("counters_per_block", "sample_header_size", "block_header_size", "sample_size",
                         "flags", "supported_clocks"), words))
        self.supported = info["supported_clocks"]
        self.runs = []
        while position < len(data):
            kind, size = struct.unpack_from("<II", data, position)
            if kind == START:
                # Clocks before the call, clocks behind it: monotonic, raw, uncertainty each.
                self.runs.append((struct.unpack_from("<Q", data, position + 48)[0], []))
            elif kind == SAMPLE:
                if not self.runs or size != 16 + sample_size:
                    raise Malformed(f"{path}: a sample at {position} is not one")
                read, = struct.unpack_from("<Q", data, position + 8)
                body = data[position + 16:position + size]
                self.runs[-1][1].append(Sample(body, info, read))
            if size < 8:
                raise Malformed(f"{path}: a record of {size} bytes")
            position += size


class Anchor:
    """Converts the times of a run's samples, by the first one whose end is told by both clocks."""

    def __init__(self, samples, frequency):
        self._sample = next((sample for sample in samples if sample.anchor), None)
        self._frequency = frequency

    def __bool__(self):
        return self._sample is not None

    def to_gpu(self, ns):
        return self._sample.gpu + (ns - self._sample.end) * self._frequency / NS


class Judge:
    """Judges the samples of one run."""

    def __init__(self, truth, changes):
        self._truth = truth
        self._changes = changes
        self._longest = {clock: max(took for _, took, _ in those) for clock, those in changes.items()}
        self.compared = 0
        self.errors = []

    def run(self, started, samples, clocks):
        """Compare, with the cycles of each clock that are given; return what differs."""
        differs, interrupted = [], []
        anchor = Anchor(samples, self._truth.frequency)
        if not anchor:
            return differs
        start = anchor.to_gpu(samples[0].start)
        early, late = samples[0].start, started
        whole = {clock: [0, 0, 0] for clock in clocks}
        self.errors = []
        for sample in samples:
            if sample.flags & ERROR:
                break
            end = sample.gpu if sample.anchor else anchor.to_gpu(sample.end)
            latency = max(late - early, 0) + max(sample.read - sample.end, 0)
            for clock, steps in clocks.items():
                expected = (steps.at(end) - steps.at(start)) / self._truth.frequency
                got = sample.cycles[CLOCKS.index(clock)]
                bound = self._bound(clock, start, end, latency)
                self.compared += 1
                self.errors.append((abs(got - expected), expected))
                if abs(got - expected) > bound:
                    rare = clock == "core" and abs(got - expected) <= INTERRUPTED_BOUNDS * bound
                    (interrupted if rare else differs).append(
                        f"sample {sample.number}, {clock}: {got} cycles, expected {expected:.0f} within {bound:.0f}")
                total = whole[clock]
                total[0] += got - expected
                total[1] = max(total[1], bound)
                total[2] += self._gap(clock, start, end)
            start, early, late = end, sample.end, sample.read
        if len(interrupted) > len(samples) // INTERRUPTED_OF:
            differs += interrupted
        for clock, (error, bound, gap) in whole.items():
            if abs(error) > bound + gap:
                differs.append(f"the sum, {clock}: off by {error:.0f} cycles, expected within {bound + gap:.0f}")
        return differs

    def _gap(self, clock, start, end):
        return self._truth.off(start, end)[0] / self._truth.frequency * \
            self._truth.fastest(clock, start, end)

    def _bound(self, clock, start, end, latency):
        fastest = self._truth.fastest(clock, start, end)
        bound = 2 * fastest * CONVERSION_NS / NS + self._gap(clock, start, end) + 2
        if clock == "core":
            return bound + fastest * latency / NS
        changes, longest = self._changes.get(clock, ()), self._longest.get(clock, 0)
        for number in between(changes, start - longest, end + longest):
            time, took, height = changes[number]
            # It may be the neighbour's.
            if start - took <= time <= end + took:
                bound += height * took / self._truth.frequency
        return bound


def heights(rates):
    """Return {time: Hz} of a clock's changes."""
    return {time: abs(hz - before) for (_, before), (time, hz) in zip(rates, rates[1:])}


class Calls:
    """When calls that set the rate of a clock began and ended, on the GPU's clock."""

    def __init__(self, calls):
        # In the order of their begins; then, the place in the file.
        self._calls = sorted((before, after, place) for place, (before, after) in enumerate(calls))
        # When all up to each one had ended.
        self._ended = list(itertools.accumulate((after for _, after, _ in self._calls), max))

    def at(self, time):
        """Return begin and end of the first one of the file that was made at a time, or None."""
        number = bisect.bisect_right(self._calls, time, key=operator.itemgetter(0))
        found = []
        while number and self._ended[number - 1] >= time:
            number -= 1
            before, after, place = self._calls[number]
            if after >= time:
                found.append((place, before, after))
        return min(found)[1:] if found else None


def read_changes(path, truth, to_gpu):
    """Return by clock (time, duration, height): lines "CLOCK HZ BEFORE_NS AFTER_NS" with the log's change."""
    changes = {}
    wrong = []
    told = {clock: [] for clock in truth.rates}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, _, before, after = line.split()
            told.setdefault(name, []).append((to_gpu(int(before)), to_gpu(int(after))))
    for clock in truth.rates:
        calls = Calls(told[clock])
        for time, height in heights(truth.rates[clock]).items():
            match = calls.at(time)
            if match:
                before, after = match
                changes.setdefault(clock, []).append((time, after - before, height))
            elif clock != "core":
                wrong.append(f"the {clock} clock changed at {time}, and no call was made then")
    return changes, wrong


def last_change(rates, end):
    """Return the number of the last change before a time, 0 for none."""
    return max(bisect.bisect_left(rates, end, key=operator.itemgetter(0)) - 1, 0)


def false_rates(rates, last):
    """Return rates of which a change did not happen, or for 0 the double."""
    if last:
        return rates[:last] + rates[last + 1:]
    return [(time, 2 * hz) for time, hz in rates]


def check_form(recording, truth):
    """What is said about domains, whatever the cycles are."""
    supported = sum(1 << i for i, clock in enumerate(CLOCKS) if clock in truth.rates)
    if recording.supported != supported:
        yield f"supported_clocks is {recording.supported:#x}, the GPU has {supported:#x}"
    for _, samples in recording.runs:
        for sample in samples:
            for i, cycles in enumerate(sample.cycles):
                if cycles and not supported >> i & 1:
                    yield f"sample {sample.number}: {cycles} cycles of {DOMAINS[i]}, which has no clock"
            for kind, clock in sorted(sample.block_clocks):
                wanted = WANTED.get(TYPES.get(kind), 0)
                while not supported >> wanted & 1:
                    wanted -= 1
                if clock != wanted:
                    yield f"sample {sample.number}: blocks {TYPES.get(kind, kind)} have clock {clock}, not {wanted}"


def judge(truth, path, changes_path):
    """Judge a recording; return the faults, and a line about it."""
    recording = Recording(path)
    faults = list(truth.check()) + list(check_form(recording, truth))
    clocks = {clock: truth.passed(clock) for clock in CLOCKS if clock in truth.rates}
    compared, errors, found = 0, [], {clock: False for clock in clocks}
    # By clock and change that did not happen. Many runs have the same one.
    false_clocks = {}
    for started, samples in recording.runs:
        anchor = Anchor(samples, truth.frequency)
        if not anchor:
            faults.append("a run in which no end is the GPU's time")
            continue
        changes = {}
        if changes_path:
            changes, wrong = read_changes(changes_path, truth, anchor.to_gpu)
            faults += wrong
        judged = Judge(truth, changes)
        faults += judged.run(started, samples, clocks)
        compared += judged.compared
        errors += [error / expected for error, expected in judged.errors if expected]
        last = max(s.gpu for s in samples)
        for clock in clocks:
            false = clock, last_change(truth.rates[clock], last)
            if false not in false_clocks:
                false_clocks[false] = truth.passed(clock, false_rates(truth.rates[clock], false[1]))
            found[clock] |= bool(Judge(truth, changes).run(started, samples, {clock: false_clocks[false]}))
    if not compared:
        faults.append("nothing was compared")
    faults += [f"a false rate of the {clock} clock was not found" for clock, yes in found.items() if not yes]
    errors.sort()
    middle = errors[len(errors) // 2] if errors else 0
    return faults, f"{compared} numbers of cycles agree with the GPU's clocks, half of them within {middle:.3%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="", help="what the lines begin with")
    parser.add_argument("--changes", metavar="FILE", help='lines "CLOCK HZ BEFORE_NS AFTER_NS": calls that set '
                        "a rate, with CLOCK_MONOTONIC_RAW before and behind; every change of coregroup and "
                        "stacks has to be one")
    parser.add_argument("truth", help="the GPU's log")
    parser.add_argument("samples", nargs="+", help="raw sample files")
    args = parser.parse_args()
    title = args.title and f"{args.title}: "
    failed = False
    try:
        truth = Truth(args.truth)
        for path in args.samples:
            name = re.sub(r".*/|\.raw$", "", path)
            faults, text = judge(truth, path, args.changes)
            for fault in faults[:10]:
                print(f"not ok {title}{name}: {fault}")
            if not faults:
                print(f"ok {title}{name}: {text}")
            failed |= bool(faults)
    except (OSError, Malformed, ValueError, KeyError, struct.error) as error:
        print(f"not ok {title}{error}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
