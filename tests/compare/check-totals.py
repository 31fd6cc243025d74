#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Compare totals that a program printed with the virtual GPU's own log.

The file has a line "BLOCK NUMBER INDEX TOTAL" for each counter; other lines are ignored. With --partial, NUMBER may
be "*" for the sum over all blocks. An empty line ends a group. The totals of a group are right if they are the sums
over some consecutive samples of the log: over those between two requests of the program. The groups must follow one
another in the log, with at most 32 samples between two. Counters that a group does not name must be 0 in these
samples, unless --partial is given.

A group may have lines "read US": when the program read it, on the GPU's clock. With --refresh US, a quarter of the
reads had a sample that was at most US and ANSWER_US old, and all of them one of US and SLOW_US: where the host does
other work, most samples take longer than ANSWER_US, but never all of them.

As a negative control, the largest total of each group is increased by 1: then no samples may fit.
"""

import argparse
import bisect
import itertools
import sys


# So many samples of the log may lie between two groups.
BETWEEN = 32


# The number of all blocks of a type.
ALL = -1

# What a sample takes, in us: commonly, and where the host is slow.
ANSWER_US = 5000
SLOW_US = 500000

# What the line of a time begins with.
READ = "read"


class Malformed(Exception):
    """A file makes no sense."""


def load_log(path, named):
    """Return the counts of each sample as {(block, number, index): count}, and the time of each sample in us.

    If counters are named, the counts are theirs alone, and may be of all blocks: a log has some hundred counters in
    each sample."""
    samples, times, cores, hz = [], [], [], 0
    indices = {}
    for block, number, index in named or ():
        indices.setdefault((block, number), []).append(index)
    with open(path, encoding="ascii") as log:
        for line in log:
            words = line.split()
            if words[0] == "gpu":
                fields = dict(word.split("=", 1) for word in words[1:])
                mask = int(fields["shader_present"], 16)
                cores = [bit for bit in range(64) if mask >> bit & 1]
                hz = int(fields.get("timestamp_hz", 0))
            elif words[0] == "sample":
                samples.append({})
                fields = dict(word.split("=", 1) for word in words[1:])
                times.append(int(fields["timestamp"]) * 1000000 / hz if hz else None)
            elif words[0] == "block":
                block, number = words[1].lower(), int(words[2])
                # The uAPI numbers the cores that are present.
                number = cores.index(number) if words[1] in ("SHADER", "NEURAL") else number
                counts = dict(enumerate(map(int, words[4:]), 4))
                for which in (number,) if named is None else (number, ALL):
                    for index in counts if named is None else indices.get((block, which), ()):
                        if counts.get(index):
                            key = (block, which, index)
                            samples[-1][key] = samples[-1].get(key, 0) + counts[index]
    if not samples:
        raise Malformed(f"{path}: no sample in the log")
    return samples, times


def load_groups(path):
    """Return the groups of totals, each as {(block, number, index): total}, and the reads as (group, us)."""
    groups, reads = [{}], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words and groups[-1]:
                groups.append({})
            elif len(words) == 2 and words[0] == READ:
                reads.append((len(groups) - 1, float(words[1])))
            elif len(words) == 4 and all(word.isdecimal() for word in words[1:] if word != "*"):
                groups[-1][words[0], ALL if words[1] == "*" else int(words[1]), int(words[2])] = int(words[3])
    if not groups[-1]:
        groups.pop()
    if not groups:
        raise Malformed(f"{path}: no totals")
    return groups, reads


class Sums:
    """Sums of each counter over the samples up to each one. A count is never negative: sums never become less."""

    def __init__(self, samples):
        self.samples = samples
        self.sums, self.strangers = {}, {}

    def of(self, key):
        if key not in self.sums:
            self.sums[key] = list(itertools.accumulate((sample.get(key, 0) for sample in self.samples), initial=0))
        return self.sums[key]

    def of_strangers(self, keys):
        """The number of samples with counters that are not among the keys."""
        if keys not in self.strangers:
            self.strangers[keys] = list(itertools.accumulate((not sample.keys() <= keys for sample in self.samples),
                                                             initial=0))
        return self.strangers[keys]

    def wanted(self, totals, partial):
        """The sums of a group, each with what has to be added to it."""
        wanted = [(self.of(key), total) for key, total in totals.items()]
        if not partial:
            wanted.append((self.of_strangers(frozenset(totals)), 0))
        return wanted

    def behind(self, first, wanted):
        """The samples behind those from the first one on whose sums are the totals, as a range.

        Neither end of it becomes less with the first one."""
        low, high = first + 1, len(self.samples)
        for sums, total in wanted:
            end = sums[first] + total
            low = bisect.bisect_left(sums, end, low)
            high = min(high, bisect.bisect_right(sums, end, low) - 1)
            if low > high:
                break
        return range(low, high + 1)


class Places:
    """Places between samples of the log, as ranges that are in order and do not touch."""

    def __init__(self, ranges):
        """The ranges may overlap, but neither end becomes less from one to the next."""
        self.begins, self.ends = [], []
        for begin, end in ranges:
            if self.ends and begin <= self.ends[-1]:
                self.ends[-1] = end
            else:
                self.begins.append(begin)
                self.ends.append(end)

    def __iter__(self):
        return zip(self.begins, self.ends)

    def within(self, begin, end):
        """The parts of the ranges that are in another one."""
        for number in range(bisect.bisect_right(self.ends, begin), bisect.bisect_left(self.begins, end)):
            yield max(begin, self.begins[number]), min(end, self.ends[number])

    def meets(self, begin, end):
        return bisect.bisect_right(self.ends, begin) < bisect.bisect_left(self.begins, end)


class Chain:
    """Ranges of all groups, each near the one before. A sum that is 0 has many ranges with the same first one.

    Pairs of a first sample and one behind the range would be as many as the square of the samples. Those behind that
    fit a first one are a range themselves, so that the work grows with groups, keys and samples alone."""

    def __init__(self, samples, groups, partial):
        self.sums, self.groups, self.partial = Sums(samples), groups, partial
        # For each group, where it may begin behind the ones before it, and its first samples with those behind.
        self.starts, self.ranges = [Places([(0, 1)])], []
        for number, totals in enumerate(groups):
            self.ranges.append(list(self.ranges_of(number, totals)))
            self.starts.append(Places((behind.start, behind.stop) for _, behind in self.ranges[-1]))
        # For each but the first one, those from which it and the groups behind it can follow; then, those of the end.
        self.ends = [self.starts[-1]]
        for number in reversed(range(1, len(groups))):
            near = Places((first - BETWEEN + 1, first + 1) for first, behind in self.ranges[number]
                          if self.ends[-1].meets(behind.start, behind.stop))
            self.ends.append(Places(part for begin, end in near for part in self.starts[number].within(begin, end)))
        self.ends.reverse()

    def firsts(self, number):
        """The samples that may be the first one of a group."""
        count = len(self.sums.samples)
        if not number:
            return range(count)
        near = Places((begin, min(end + BETWEEN - 1, count)) for begin, end in self.starts[number])
        return itertools.chain.from_iterable(itertools.starmap(range, near))

    def ranges_of(self, number, totals):
        """Each first sample of the totals, and where the samples behind them may be."""
        wanted = self.sums.wanted(totals, self.partial)
        for first in self.firsts(number):
            behind = self.sums.behind(first, wanted)
            if behind:
                yield first, behind

    def longest(self):
        """A range for as many of the groups as possible, from the first on."""
        count = max((number + 1 for number, found in enumerate(self.ranges) if found), default=0)
        path, wanted = [], None
        for number in reversed(range(count)):
            if wanted is None:
                first, behind = self.ranges[number][0]
                choice = first, behind.start
            else:
                least = wanted - BETWEEN + 1
                choice = next((first, max(behind.start, least)) for first, behind in self.ranges[number]
                              if behind.start <= wanted and least < behind.stop)
            path.append(choice)
            wanted = choice[0]
        return path[::-1]

    def fits(self, number, totals):
        """Whether there is a chain with these totals in place of those of the group."""
        return any(number + 1 == len(self.groups) or self.ends[number].meets(behind.start, behind.stop)
                   for _, behind in self.ranges_of(number, totals))


def judge_ages(title, refresh_us, found, times, reads):
    """Print how old the values were when they were read. Returns whether they were too old."""
    ages = sorted(time - times[found[number][1] - 1] for number, time in reads if number < len(found))
    if not ages:
        raise Malformed("no group has the time at which it was read")
    quarter, oldest = ages[(len(ages) - 1) // 4], ages[-1]
    failed = quarter > refresh_us + ANSWER_US or oldest > refresh_us + SLOW_US or ages[0] < 0
    print(f"{'not ok' if failed else 'ok'} {title}ages of {len(ages)} reads with a sample every {refresh_us} us: from "
          f"{ages[0]:.0f} to {oldest:.0f} us, a quarter of them up to {quarter:.0f} us")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="", help="what the lines begin with")
    parser.add_argument("--partial", action="store_true", help="counters that are not named may have any value")
    parser.add_argument("--refresh", type=int, metavar="US", help="how often values are new")
    parser.add_argument("truth", help="the GPU's log")
    parser.add_argument("totals", help="what the program printed")
    args = parser.parse_args()
    title = args.title and f"{args.title}: "
    failed = False
    try:
        groups, reads = load_groups(args.totals)
        samples, times = load_log(args.truth, frozenset().union(*groups) if args.partial else None)
        chain = Chain(samples, groups, args.partial)
        found = chain.longest()
        for number, totals in enumerate(groups):
            name = f"{title}totals {number}"
            largest = max(totals, key=totals.get)
            if number >= len(found):
                print(f"not ok {name}: no samples of the log have these {len(totals)} sums; the largest is "
                      f"{' '.join(map(str, largest))} {totals[largest]}")
                failed = True
                continue
            first, behind = found[number]
            if chain.fits(number, totals | {largest: totals[largest] + 1}):
                print(f"not ok {name}: a false total was not found")
                failed = True
            else:
                print(f"ok {name}: {len(totals)} counters, {behind - first} samples of the log from "
                      f"{first + 1} on, 0 differ")
        if args.refresh is not None:
            failed |= judge_ages(title, args.refresh, found, times, reads)
    except (OSError, Malformed, ValueError, KeyError, IndexError) as error:
        print(f"not ok {title}{error}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
