#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Compare totals that a program printed with the virtual GPU's own log.

The file has a line "BLOCK NUMBER INDEX TOTAL" for each counter; other lines are ignored. With --partial, NUMBER may
be "*" for the sum over all blocks. An empty line ends a group. The totals of a group are right if they are the sums over some consecutive samples of the
log: over those between two requests of the program. The groups must follow one another in the log, with at
most 32 samples between two. Counters that a group does not name must be 0 in these samples, unless --partial
is given.

As a negative control, the largest total of each group is increased by 1: then no samples may fit.
"""

import argparse
import sys


# So many samples of the log may lie between two groups.
BETWEEN = 32


# The number of all blocks of a type.
ALL = -1


class Malformed(Exception):
    """A file makes no sense."""


def load_log(path, sums):
    """Return the counts of each sample as {(block, number, index): count}, and of all blocks if there are sums."""
    samples, cores = [], []
    with open(path, encoding="ascii") as log:
        for line in log:
            words = line.split()
            if words[0] == "gpu":
                fields = dict(word.split("=", 1) for word in words[1:])
                mask = int(fields["shader_present"], 16)
                cores = [bit for bit in range(64) if mask >> bit & 1]
            elif words[0] == "sample":
                samples.append({})
            elif words[0] == "block":
                number = int(words[2])
                # The uAPI numbers the cores that are present.
                number = cores.index(number) if words[1] == "SHADER" else number
                for index, count in enumerate(words[4:], 4):
                    for which in (number, ALL) if sums else (number,):
                        key = (words[1].lower(), which, index)
                        if int(count):
                            samples[-1][key] = samples[-1].get(key, 0) + int(count)
    if not samples:
        raise Malformed(f"{path}: no sample in the log")
    return samples


def load_groups(path):
    """Return the groups of totals, each as {(block, number, index): total}."""
    groups = [{}]
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words and groups[-1]:
                groups.append({})
            elif len(words) == 4 and all(word.isdecimal() for word in words[1:] if word != "*"):
                groups[-1][words[0], ALL if words[1] == "*" else int(words[1]), int(words[2])] = int(words[3])
    groups = [group for group in groups if group]
    if not groups:
        raise Malformed(f"{path}: no totals")
    return groups


def ranges(samples, start, end, totals, partial):
    """Yield the ranges of samples whose sums are the totals, as (first, behind), with a first one in start..end."""
    probe = max(totals, key=totals.get)
    for first in range(start, min(end, len(samples))):
        # One counter rules out most; it never becomes less.
        total = 0
        for behind in range(first + 1, len(samples) + 1):
            total += samples[behind - 1].get(probe, 0)
            if total > totals[probe]:
                break
            if total < totals[probe]:
                continue
            if any(sum(sample.get(key, 0) for sample in samples[first:behind]) != totals[key]
                   for key in totals if key != probe):
                continue
            if partial or all(set(sample) <= set(totals) for sample in samples[first:behind]):
                yield first, behind


class Chain:
    """Ranges of all groups, each near the one before. A sum that is 0 has many ranges with the same end."""

    def __init__(self, samples, groups, partial):
        self.samples, self.groups, self.partial = samples, groups, partial
        # For each group, where it may begin behind the ones before it, and its ranges.
        self.starts, self.ranges = [{0}], []
        for number, totals in enumerate(groups):
            self.ranges.append(self.ranges_of(number, totals))
            self.starts.append({behind for _, behind in self.ranges[-1]})
        # Of each, those from which the groups behind it can follow.
        self.ends = [set() for _ in groups] + [self.starts[-1]]
        for number in reversed(range(len(groups))):
            for first, behind in self.ranges[number]:
                if behind in self.ends[number + 1]:
                    self.ends[number].update(start for start in self.starts[number] if self.follows(number, start, first))

    @staticmethod
    def follows(number, start, first):
        return not number or start <= first < start + BETWEEN

    def ranges_of(self, number, totals):
        firsts = range(len(self.samples)) if not number else sorted(
            {first for start in self.starts[number] for first in range(start, start + BETWEEN)})
        return [found for first in firsts for found in ranges(self.samples, first, first + 1, totals, self.partial)]

    def longest(self):
        """A range for as many of the groups as possible, from the first on."""
        count = max((number + 1 for number, found in enumerate(self.ranges) if found), default=0)
        path, wanted = [], None
        for number in reversed(range(count)):
            choice = next((first, behind) for first, behind in self.ranges[number]
                          if wanted is None or self.follows(number + 1, behind, wanted))
            path.append(choice)
            wanted = choice[0]
        return path[::-1]

    def fits(self, number, totals):
        """Whether there is a chain with these totals in place of those of the group."""
        return any(behind in self.ends[number + 1] or number + 1 == len(self.groups)
                   for _, behind in self.ranges_of(number, totals))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="", help="what the lines begin with")
    parser.add_argument("--partial", action="store_true", help="counters that are not named may have any value")
    parser.add_argument("truth", help="the GPU's log")
    parser.add_argument("totals", help="what the program printed")
    args = parser.parse_args()
    title = args.title and f"{args.title}: "
    failed = False
    try:
        samples = load_log(args.truth, args.partial)
        groups = load_groups(args.totals)
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
    except (OSError, Malformed, ValueError, KeyError, IndexError) as error:
        print(f"not ok {title}{error}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
