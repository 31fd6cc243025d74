#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""The self-test of check-totals.py: files with totals that are right, and wrong in each way."""

import collections
import importlib.util
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKER = os.path.join(HERE, "check-totals.py")

# Counters 4 and 5 of the front end, counter 4 of the cores of bits 0 and 2, in seven samples.
SAMPLES = [(10, 3, 0, 7), (0, 6, 0, 8), (0, 9, 5, 0), (20, 12, 5, 0), (0, 15, 0, 0), (40, 18, 0, 1), (0, 0, 0, 0)]


def log():
    """Return the text of the log."""
    lines = ["vmali-truth 1", "gpu id=0xa8670005 shader_present=0x5 timestamp_hz=500000"]
    for number, (cycles, other, core0, core2) in enumerate(SAMPLES, 1):
        lines += [f"sample nr={number} enable=1 timestamp={500 * number}", f"block CSHW 0 en=0xffff {cycles} {other}",
                  f"block SHADER 0 en=0xffff {core0}", f"block SHADER 2 en=0xffff {core2}"]
    return "\n".join(lines) + "\n"


# Name, groups of totals, partial, status, regular text in the output.
CASES = [
    ("all counters", ["cshw 0 4 20\ncshw 0 5 21\nshader 0 4 10"], False, 0,
     "3 counters, 2 samples of the log from 3 on, 0 differ"),
    ("the number of a core is among those present", ["cshw 0 4 10\ncshw 0 5 3\nshader 1 4 7"], False, 0, "from 1 on"),
    ("a counter that is not named", ["cshw 0 4 20\ncshw 0 5 21"], False, 1, "no samples of the log have these 2 sums"),
    ("it may have any value", ["cshw 0 4 20\ncshw 0 5 21"], True, 0, "from 3 on"),
    ("a total that is 1 higher", ["cshw 0 4 20\ncshw 0 5 22"], True, 1, "the largest is cshw 0 5 22"),
    ("the sum over all blocks", ["cshw 0 4 20\nshader * 4 5"], True, 0, "2 counters, 1 samples of the log from 4 on"),
    ("another sum", ["cshw 0 4 20\nshader * 4 6"], True, 1, "no samples of the log have these 2 sums"),
    ("groups in order", ["cshw 0 5 6", "cshw 0 5 12", "cshw 0 5 18"], True, 0,
     "totals 2: 1 counters, 1 samples of the log from 6 on"),
    ("groups in the wrong order", ["cshw 0 5 12", "cshw 0 5 6"], True, 1, "not ok totals 1"),
    ("groups of 0", ["cshw 0 4 0", "cshw 0 4 20", "cshw 0 4 0"], True, 0, "from 5 on"),
    ("the first fit leaves no place for the next", ["shader 0 4 5", "cshw 0 5 21"], True, 1, "not ok totals 1"),
    ("another fit does", ["shader 1 4 0", "shader 1 4 0", "cshw 0 5 18"], True, 0, "totals 2: 1 counters, 1 samples"),
    ("too few samples of 0", ["cshw 0 4 40", "cshw 0 4 0", "cshw 0 4 0"], True, 1, "not ok totals 2"),
    ("a total that cannot be told from another", ["shader 1 4 7"], True, 1, "a false total was not found"),
    ("no totals", ["workload"], True, 1, "no totals"),
]


# Name, times in us at which the sums of samples 1, 2 and 4 were read, status, regular text in the output. The samples
# were taken at 1000, 2000, 4000.
AGES = [
    ("new values", (1500, 2000, 5500), 0,
     "ages of 3 reads with a sample every 1000 us: from 0 to 1500 us, a quarter of them up to 0 us"),
    ("one is old", (1500, 20000, 5500), 0, "from 500 to 18000 us"),
    ("one is too old", (1500, 600000, 5500), 1, "not ok ages"),
    ("all are old", (7500, 9000, 12000), 1, "a quarter of them up to 6500 us"),
    ("a value before its sample", (999, 2000, 5500), 1, "not ok ages"),
    ("no times", (), 1, "no group has the time"),
]


# Random logs of few samples, as so many groups in them have few totals.
LOGS, FEW_SAMPLES, FEW_GROUPS = 1500, 7, 3
KEYS = [("cshw", 0, 4), ("cshw", 0, 5), ("shader", 1, 4)]

# A log of many samples. The work for one of the double size may be so many times as much, and what a judge of it may
# take where the host has other work.
MANY_SAMPLES, MOST_GROWTH, MOST_SECONDS = 20000, 2.3, 60


def load_checker():
    """Return the checker as a module."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("check_totals", CHECKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pairs_of(samples, totals, partial):
    """Return all (first, behind) whose samples have these totals: each is added up."""
    pairs = []
    for first, behind in itertools.combinations(range(len(samples) + 1), 2):
        sums = sum(map(collections.Counter, samples[first:behind]), collections.Counter())
        if all(sums[key] == total for key, total in totals.items()) and (partial or sums.keys() <= totals.keys()):
            pairs.append((first, behind))
    return pairs


def chains_of(chains, pairs, between):
    """Return all chains with each of the pairs that may follow on them."""
    return [chain + (pair,) for chain in chains for pair in pairs
            if not chain or chain[-1][1] <= pair[0] < chain[-1][1] + between]


def false_total(totals):
    """Return totals of which the largest is 1 higher."""
    largest = max(totals, key=totals.get)
    return totals | {largest: totals[largest] + 1}


def oracle(samples, groups, partial, between):
    """Return the chain that should be found, and for each of its groups whether a false total fits.

    All chains of pairs are tried. The one that counts is the longest, its last pair the first that is possible, then
    the one before that, and so on. A false total fits if it begins where it may behind the groups before, and ends
    where the true one does in a chain of all groups."""
    chains = [[()]]
    for totals in groups:
        chains.append(chains_of(chains[-1], pairs_of(samples, totals, partial), between))
    longest = max(count for count, found in enumerate(chains) if found)
    fits = []
    for number, totals in enumerate(groups[:longest]):
        pairs = {chain[-1] for chain in chains_of(chains[number], pairs_of(samples, false_total(totals), partial),
                                                  between)}
        ends = {chain[number][1] for chain in chains[-1]}
        fits.append(any(number + 1 == len(groups) or behind in ends for _, behind in pairs))
    return list(min(chains[longest], key=lambda chain: chain[::-1])), fits


def random_groups(source, samples, between):
    """Return totals of ranges of the samples, most of them right, and what is wrong about the others."""
    groups, kinds, first = [], set(), 0
    for _ in range(source.choice([1, 2, FEW_GROUPS, FEW_GROUPS])):
        behind = source.randint(min(first + 1, len(samples)), len(samples))
        sums = sum(map(collections.Counter, samples[first:behind]), collections.Counter())
        totals = {key: sums[key] for key in source.sample(KEYS, source.randint(1, len(KEYS)))}
        groups.append(totals)
        kinds.add("left out" if sums.keys() - totals.keys() else "all counters")
        kinds.update({"zero"} if not all(totals.values()) else ())
        first = min(behind + source.choice([0, 0, 0, 1, between]), len(samples) - 1)
        kinds.update({"too far"} if first >= behind + between else ())
    wrong = source.randrange(6)
    if wrong == 0:
        groups[-1] = false_total(groups[-1])
        kinds.add("too high")
    elif wrong == 1:
        lower = [key for key, total in groups[0].items() if total]
        groups[0].update((key, groups[0][key] - 1) for key in lower[:1])
        kinds.update({"too low"} if lower else ())
    elif wrong == 2 and len(groups) > 1:
        groups.reverse()
        kinds.add("wrong order")
    return groups, kinds


def check_random(checker):
    """Judge random totals, and compare with the oracle. Return the names of what went wrong, or of what never came."""
    source = random.Random(45)
    kinds = collections.Counter()
    between, wrong = checker.BETWEEN, []
    for number in range(LOGS):
        most = source.choice([1, 1, 2, 9])
        samples = [{key: count for key in KEYS if (count := source.choice([0, 0, source.randint(0, most)]))}
                   for _ in range(source.randint(1, FEW_SAMPLES))]
        checker.BETWEEN = source.randint(1, 4)
        groups, named = random_groups(source, samples, checker.BETWEEN)
        partial = source.random() < 0.5
        chain = checker.Chain(samples, groups, partial)
        found = chain.longest()
        fits = [chain.fits(place, false_total(totals)) for place, totals in enumerate(groups[:len(found)])]
        if (found, fits) != oracle(samples, groups, partial, checker.BETWEEN):
            wrong.append(f"log {number}: {samples}, {groups}, partial {partial}, {checker.BETWEEN} between: "
                         f"{found}, {fits}")
        verdict = "false total" if any(fits) else "found" if len(found) == len(groups) else "not found"
        kinds.update((kind, verdict) for kind in named | {"partial" if partial else "whole"})
    checker.BETWEEN = between
    for verdict, names in (("found", ("all counters", "left out", "zero", "partial", "whole")),
                           ("not found", ("left out", "too far", "too high", "too low", "wrong order")),
                           ("false total", ("partial", "whole"))):
        wrong += [f"{name}, {verdict}: {kinds[name, verdict]} times" for name in names if kinds[name, verdict] < 5]
    return wrong


def check_between(checker):
    """Judge groups that are so far apart that the second one follows on both, one or none of two ends of the first."""
    cycles, other = KEYS[:2]
    # Two are the cycles up to 2, 3 and 4, three are they up to 2 and 3.
    begin, groups = [{cycles: 1}, {cycles: 2}, {}, {cycles: 2}], [{cycles: 2}, {cycles: 0, other: 1}]
    wrong = []
    for gap, wanted in ((2, (2, True)), (1, (2, False)), (0, (1, False))):
        samples = begin + [{cycles: 9}] * (checker.BETWEEN - gap) + [{other: 1}]
        chain = checker.Chain(samples, groups, True)
        found = len(chain.longest()), chain.fits(0, false_total(groups[0]))
        if found != wanted:
            wrong.append(f"{len(samples)} samples: {found} instead of {wanted}")
    return wrong


def check_places(checker):
    """Compare ranges of places with sets of them."""
    source = random.Random(45)
    wrong = []
    for _ in range(50):
        bounds = sorted(source.sample(range(12), 6))
        ranges = list(zip(bounds, [end + source.randint(0, 1) for end in bounds[1:]]))[::source.randint(1, 2)]
        places = checker.Places(ranges)
        if any(begin <= end for (_, end), (begin, _) in zip(places, list(places)[1:])):
            wrong.append(f"{ranges}: {list(places)}")
        members = set(itertools.chain.from_iterable(itertools.starmap(range, ranges)))
        for part in itertools.combinations(range(14), 2):
            within = list(places.within(*part))
            if (set(itertools.chain.from_iterable(itertools.starmap(range, within))) != members & set(range(*part)) or
                    any(begin == end for begin, end in within) or
                    places.meets(*part) != bool(members & set(range(*part)))):
                wrong.append(f"{part} of {ranges}: {within}")
    return wrong


def idle_log(count):
    """Return samples of a GPU that counts in one of them alone, and totals of none, of that one, and of none."""
    busy, nothing = {KEYS[0]: 7, KEYS[1]: 3}, dict.fromkeys(KEYS[:2], 0)
    samples = [{} for _ in range(count)]
    samples[count // 2] = busy
    return samples, [nothing, busy, nothing]


def empty_log(count):
    """Return samples without counts, and totals of nothing."""
    return [{} for _ in range(count)], [dict.fromkeys(KEYS[:2], 0)] * 2


def busy_log(count):
    """Return samples that are all the same, and totals of a quarter of them, twice."""
    return [{KEYS[0]: 1, KEYS[1]: 2} for _ in range(count)], [{KEYS[0]: count // 4, KEYS[1]: count // 4 * 2}] * 2


class TooMuch(Exception):
    """A judge does more than it may."""


def work_of(checker, samples, groups, partial, most):
    """Return what Python does to judge totals, in lines and calls of the checker. They may not be more than most."""
    work = 0

    def trace(frame, _event, _arg):
        nonlocal work
        if frame.f_code.co_filename != CHECKER:
            return None
        work += 1
        if work > most:
            raise TooMuch
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        chain = checker.Chain(samples, groups, partial)
        for number, totals in enumerate(groups[:len(chain.longest())]):
            chain.fits(number, false_total(totals))
    finally:
        sys.settrace(before)
    return work


def check_work(checker, log, partial):
    """Judge logs of up to many samples. Return what grows too fast, and a text with the work."""
    work, most = 0, float("inf")
    for shift in range(7, -1, -1):
        count = MANY_SAMPLES >> shift
        try:
            work = work_of(checker, *log(count), partial, most)
        except TooMuch:
            return [f"{count} samples take more than {most:.0f} steps, half of them took {work}"], ""
        most = MOST_GROWTH * work
    return [], f"{work} steps for {MANY_SAMPLES} samples"


def check_program(folder):
    """Have the program judge a log of many samples. Return what is wrong, and a text with the time."""
    samples, groups = idle_log(MANY_SAMPLES)
    truth, totals = os.path.join(folder, "many.log"), os.path.join(folder, "many.totals")
    with open(truth, "w", encoding="ascii") as file:
        file.write("vmali-truth 1\ngpu id=0xa8670005 shader_present=0x5 timestamp_hz=500000\n")
        for number, sample in enumerate(samples, 1):
            file.write(f"sample nr={number} enable=1 timestamp={500 * number}\nblock CSHW 0 en=0xffff "
                       f"{sample.get(KEYS[0], 0)} {sample.get(KEYS[1], 0)} {number}\n")
    with open(totals, "w", encoding="ascii") as file:
        for group in groups:
            file.writelines(f"cshw 0 {index} {total}\n" for (_, _, index), total in group.items())
            file.write("\n")
    begin = time.monotonic()
    try:
        ran = subprocess.run([CHECKER, "--partial", truth, totals], capture_output=True, text=True, check=False,
                             timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"not judged after {MOST_SECONDS} s"], ""
    good = not ran.returncode and ran.stdout.count("0 differ") == len(groups)
    return [] if good else [ran.stdout + ran.stderr], f"{time.monotonic() - begin:.1f} s"


def report(name, wrong, text=""):
    """Print an outcome; return whether it is wrong."""
    print(f"{'not ok' if wrong else 'ok'} totals: {name}{text and ': ' + text}")
    for line in wrong[:5]:
        print(f"# {line}")
    return bool(wrong)


# Name, log, partial.
WORK = [
    ("an idle GPU", idle_log, True),
    ("no counts at all", empty_log, False),
    ("a busy GPU", busy_log, True),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        truth, totals = os.path.join(folder, "log"), os.path.join(folder, "totals")
        with open(truth, "w", encoding="ascii") as file:
            file.write(log())
        for name, groups, partial, status, text in CASES:
            with open(totals, "w", encoding="ascii") as file:
                file.write("\n\n".join(groups) + "\n")
            ran = subprocess.run([CHECKER, *["--partial"] * partial, truth, totals], capture_output=True, text=True,
                                 check=False)
            good = ran.returncode == status and text in ran.stdout and not ran.stderr
            failed += not good
            print(f"{'ok' if good else 'not ok'} totals: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
        for name, times, status, text in AGES:
            with open(totals, "w", encoding="ascii") as file:
                for index, value in enumerate((3, 6, 12)):
                    file.write((f"read {times[index]}\n" if times else "") + f"cshw 0 5 {value}\n\n")
            ran = subprocess.run([CHECKER, "--partial", "--refresh=1000", truth, totals], capture_output=True,
                                 text=True, check=False)
            good = ran.returncode == status and text in ran.stdout and not ran.stderr
            failed += not good
            print(f"{'ok' if good else 'not ok'} totals: ages: {name}")
            if not good:
                print(f"# status {ran.returncode}, {ran.stdout}{ran.stderr}")
        with open(truth, "a", encoding="ascii") as file:
            for number in range(len(SAMPLES) + 1, 60):
                file.write(f"sample nr={number} enable=1 timestamp={500 * number}\nblock CSHW 0 en=0xffff 0 {number}\n")
        with open(totals, "w", encoding="ascii") as file:
            file.write("cshw 0 4 0\n\n" * 20 + "cshw 0 4 1\n")
        try:
            ran = subprocess.run([CHECKER, "--partial", truth, totals], capture_output=True, text=True, check=False,
                                 timeout=60)
            good = ran.returncode == 1 and "not ok totals 20" in ran.stdout
        except subprocess.TimeoutExpired:
            good = False
        failed += not good
        print(f"{'ok' if good else 'not ok'} totals: many groups of 0, and one that is nowhere")
        os.truncate(truth, 0)
        ran = subprocess.run([CHECKER, truth, totals], capture_output=True, text=True, check=False)
        good = ran.returncode == 1 and "no sample in the log" in ran.stdout
        failed += not good
        print(f"{'ok' if good else 'not ok'} totals: an empty log")
        failed += report(f"{MANY_SAMPLES} samples", *check_program(folder))
    checker = load_checker()
    failed += report(f"{LOGS} random logs agree with all chains of their samples", check_random(checker))
    failed += report("how far groups may be apart", check_between(checker))
    failed += report("places", check_places(checker))
    for name, samples, partial in WORK:
        failed += report(f"work: {name}", *check_work(checker, samples, partial))
    print(f"{len(CASES) + len(AGES) + len(WORK) + 6 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
